//! WITH: common table expressions, recursive ones too.
use super::super::coerce::show;
use super::super::{Binder, CteName};
use super::targets::column_at;
use pamir_expr::ir::{ColId, Cte, OutCol, Rel, SetOp, WithDef};
use pamir_parse::tree::{self, SelectBody, Statement};
use pamir_types::error::state;
use pamir_types::text::type_display;
use pamir_types::{Error, Result, Type, bail, err, oid};

impl Binder<'_, '_> {
    /// Makes the names. Gives what [`Self::end_with`] is to be told.
    pub(in crate::bind) fn with(&mut self, w: Option<&tree::With>) -> Result<usize> {
        let mark = self.cte_names.len();
        let Some(w) = w else { return Ok(mark) };
        if !w.recursive || w.ctes.len() < 2 {
            let before = self.coming.len();
            if !w.recursive {
                self.coming.extend(w.ctes.iter().rev().map(|c| c.name.clone()));
            }
            for c in &w.ctes {
                self.cte(c, w.recursive, mark)?;
                self.coming.truncate(self.coming.len().saturating_sub(1).max(before));
            }
            return Ok(mark);
        }
        // Each may name all others: those that are read come before what reads them.
        let reads: Vec<Vec<usize>> = (0..w.ctes.len()).map(|i| siblings_read(&w.ctes, i)).collect();
        let mut left: Vec<usize> = (0..w.ctes.len()).collect();
        while let Some(first) = left.first().copied() {
            let Some(at) = left.iter().position(|i| !reads[*i].iter().any(|r| left.contains(r))) else {
                let e = err!(FEATURE_NOT_SUPPORTED, "mutual recursion between WITH items is not implemented");
                return Err(self.at(e, w.ctes[first].at));
            };
            self.cte(&w.ctes[left.remove(at)], true, mark)?;
        }
        Ok(mark)
    }

    /// Ends the names' time. Gives those that depend on something outside, which go with the query itself.
    pub(in crate::bind) fn end_with(&mut self, mark: usize) -> Vec<WithDef> {
        let mut defs = Vec::new();
        for c in self.cte_names.drain(mark..) {
            let cte = &mut self.ctes[c.index];
            cte.materialize |= c.refs.len() > 1;
            if let Some(mark) = c.varies {
                let cols = cte.cols.clone();
                let name = cte.name.clone();
                let left = Cte { name, rel: Rel::One, cols, recursive: false, materialize: false };
                defs.push(WithDef { index: c.index, mark, cte: std::mem::replace(cte, left) });
            }
        }
        defs
    }

    /// Does CTE `index`, bound since `seen` of `varying`, depend on a row outside or on another's round? If so, the column that stands for that.
    fn varies(&mut self, index: usize, seen: usize, outer: &[ColId]) -> Option<ColId> {
        // What stands inside its own text has a higher number.
        let inside = self.varying[seen..].iter().any(|i| *i < index);
        (inside || !outer.is_empty()).then(|| self.new_col())
    }

    fn cte(&mut self, c: &tree::Cte, recursive: bool, mark: usize) -> Result<()> {
        let name = c.name.clone();
        if self.cte_names[mark..].iter().any(|x| x.name == name) {
            return Err(self.at(err!(DUPLICATE_ALIAS, "WITH query name \"{name}\" specified more than once"), c.at));
        }
        if let Some((c, fault)) = self.searched(c, recursive)? {
            let bound = self.cte(&c, recursive, mark);
            // A column of the name that a clause adds makes references to that ambiguous; those of the clauses' own meaning have no place.
            let hidden =
                |e: &Error| fault.is_some() && e.code() == state::AMBIGUOUS_COLUMN && e.data().position.is_none();
            if !bound.as_ref().is_err_and(hidden) {
                bound?;
            }
            return fault.map_or(Ok(()), Err);
        }
        let index = self.ctes.len();
        let seen = self.varying.len();
        let materialize = c.materialized == Some(true);
        self.ctes.push(Cte { name: name.clone(), rel: Rel::One, cols: Vec::new(), recursive: false, materialize });
        let Statement::Select(query) = &c.query else { return self.modifying_cte(c, index) };
        if recursive
            && let SelectBody::SetOp { op: tree::SetOp::Union, all, left, right } = &query.body
            && query.order_by.is_empty()
            && query.limit.is_none()
            && query.offset.is_none()
        {
            if !query.locking.is_empty() {
                bail!(FEATURE_NOT_SUPPORTED, "FOR UPDATE/SHARE in a recursive query is not implemented");
            }
            if query.with.is_some() && self.recording() {
                return Err(Error::unsupported("WITH in a recursive query of a view"));
            }
            let inner = self.with(query.with.as_ref()).map_err(|e| within_itself(&name, e))?;
            let own = self.recursive_cte(c, index, *all, left, right)?;
            if !self.end_with(inner).is_empty() {
                return Err(Error::unsupported("WITH in a recursive query that depends on the query outside"));
            }
            self.cte_names.push(own);
            return Ok(());
        }
        let (b, outer) = self.subquery_level(|b| b.query(query, None, true)).map_err(|e| {
            let missing = format!("relation \"{name}\" does not exist");
            if recursive && e.code() == state::UNDEFINED_TABLE && e.message() == missing {
                return self.not_recursive(c, query);
            }
            e
        })?;
        self.record_cte(c);
        let mut cols = b.cols;
        self.alias_columns(c, &mut cols)?;
        let volatile = materialize || self.volatile;
        self.ctes[index] =
            Cte { name: name.clone(), rel: b.rel, cols: cols.clone(), recursive: false, materialize: volatile };
        let varies = self.varies(index, seen, &outer);
        self.cte_names.push(CteName { name, index, working: false, cols, refs: Vec::new(), varies });
        Ok(())
    }

    /// Gives the first columns the names that WITH lists.
    fn alias_columns(&self, c: &tree::Cte, cols: &mut [OutCol]) -> Result<()> {
        if c.columns.len() > cols.len() {
            let e = err!(
                INVALID_COLUMN_REFERENCE,
                "WITH query \"{}\" has {} columns available but {} columns specified",
                c.name,
                cols.len(),
                c.columns.len()
            );
            return Err(self.at(e, c.at));
        }
        for (o, n) in std::iter::zip(cols, &c.columns) {
            o.name.clone_from(n);
        }
        Ok(())
    }

    /// WITH x AS (INSERT ... RETURNING): runs once, whoever reads it.
    fn modifying_cte(&mut self, c: &tree::Cte, index: usize) -> Result<()> {
        if let Statement::Merge(_) = c.query {
            return Err(self.at(err!(FEATURE_NOT_SUPPORTED, "MERGE not supported in WITH query"), c.at));
        }
        if self.depth > 0 {
            let e = err!(
                FEATURE_NOT_SUPPORTED,
                "WITH clause containing a data-modifying statement must be at the top level"
            );
            return Err(self.at(e, c.at));
        }
        let was = std::mem::replace(&mut self.in_cte, true);
        let m = self.subquery_level(|b| b.modify(&c.query));
        self.in_cte = was;
        let (m, _) = m?;
        let mut cols: Vec<OutCol> = m.returning.iter().flatten().map(|r| r.1.clone()).collect();
        self.alias_columns(c, &mut cols)?;
        let name = c.name.clone();
        self.ctes[index] = Cte {
            name: name.clone(),
            rel: Rel::Modify(Box::new(m), cols.clone()),
            cols: cols.clone(),
            recursive: false,
            materialize: true,
        };
        self.cte_names.push(CteName { name, index, working: false, cols, refs: Vec::new(), varies: None });
        Ok(())
    }

    /// A UNION under WITH RECURSIVE: the left side begins, the right side may read what the round before gave.
    fn recursive_cte(
        &mut self,
        c: &tree::Cte,
        index: usize,
        all: bool,
        left: &tree::Select,
        right: &tree::Select,
    ) -> Result<CteName> {
        let name = c.name.clone();
        let seen = self.varying.len();
        super::locking::refuse_locked_arms([left, right])?;
        let (mut l, mut outer) = self.subquery_level(|b| b.query(left, None, false))?;
        let known = |t: Type| if t.oid == oid::UNKNOWN { Type::TEXT } else { t };
        let mut cols: Vec<OutCol> =
            l.cols.iter().map(|x| OutCol { origin: None, ty: known(x.ty), ..x.clone() }).collect();
        self.alias_columns(c, &mut cols)?;
        let working =
            CteName { name: name.clone(), index, working: true, cols: cols.clone(), refs: Vec::new(), varies: None };
        self.cte_names.push(working);
        let (mut r, right_outer) = self.subquery_level(|b| b.query(right, None, false))?;
        outer.extend(right_outer);
        let refs = self.cte_names.pop().map_or(Vec::new(), |c| c.refs);
        if let Some(second) = refs.get(1) {
            let e = err!(INVALID_RECURSION, "recursive reference to query \"{name}\" must not appear more than once");
            return Err(self.at(e, *second));
        }
        let used = refs.len();
        if used == 0 {
            let b = self.unite((SetOp::Union, "UNION"), all, (left, l), (right, r))?;
            self.record_cte(c);
            let mut cols = b.cols;
            self.alias_columns(c, &mut cols)?;
            let materialize = c.materialized == Some(true) || self.volatile;
            self.ctes[index] =
                Cte { name: name.clone(), rel: b.rel, cols: cols.clone(), recursive: false, materialize };
            let varies = self.varies(index, seen, &outer);
            return Ok(CteName { name, index, working: false, cols, refs: Vec::new(), varies });
        }
        let want: Vec<Type> = l.cols.iter().map(|c| known(c.ty)).collect();
        self.retype(&mut l, &want)?;
        if l.cols.len() != r.cols.len() {
            bail!(SYNTAX_ERROR, "each UNION query must have the same number of columns");
        }
        for (i, (a, b)) in std::iter::zip(&l.cols, &r.cols).enumerate() {
            let common = super::super::coerce::common_type(self.ways(), &[a.ty.oid, b.ty.oid]).map_err(|(x, y)| {
                err!(DATATYPE_MISMATCH, "UNION types {} and {} cannot be matched", show(x), show(y))
            })?;
            let overall = if b.ty == a.ty { a.ty } else { Type::new(common) };
            if overall != a.ty {
                let e = err!(
                    DATATYPE_MISMATCH,
                    "recursive query \"{name}\" column {} has type {} in non-recursive term but type {} overall",
                    i + 1,
                    type_display(a.ty),
                    type_display(overall)
                )
                .hint("Cast the output of the non-recursive term to the correct type.");
                return Err(self.at(e, column_at(left, i)));
            }
        }
        self.retype(&mut r, &want)?;
        self.record_set_operation(SetOp::Union, all, [&l.rel, &r.rel]);
        self.record_cte(c);
        let out: Vec<OutCol> = cols.iter().map(|c| OutCol { id: self.new_col(), ..c.clone() }).collect();
        let (left, right) = (Box::new(l.rel), Box::new(r.rel));
        let rel = Rel::SetOp { op: SetOp::Union, all, left, right, cols: out.clone() };
        self.ctes[index] = Cte { name: name.clone(), rel, cols: out.clone(), recursive: true, materialize: true };
        let varies = self.varies(index, seen, &outer);
        Ok(CteName { name, index, working: false, cols: out, refs: Vec::new(), varies })
    }

    /// Why the query `c` may not refer to itself.
    fn not_recursive(&self, c: &tree::Cte, q: &tree::Select) -> Error {
        let union = matches!(q.body, SelectBody::SetOp { op: tree::SetOp::Union, .. });
        let clause = match (q.order_by.first(), &q.offset, &q.limit) {
            _ if !union || q.with.is_some() => None,
            (Some(k), ..) => Some(("ORDER BY", &k.expr)),
            (_, Some(e), _) => Some(("OFFSET", e)),
            (_, _, Some(e)) => Some(("LIMIT", e)),
            _ => None,
        };
        match clause {
            Some((what, e)) => {
                let x = err!(FEATURE_NOT_SUPPORTED, "{what} in a recursive query is not implemented");
                self.at(x, e.leftmost())
            }
            None => {
                let x = err!(
                    INVALID_RECURSION,
                    "recursive query \"{}\" does not have the form non-recursive-term UNION [ALL] recursive-term",
                    c.name
                );
                self.at(x, c.at)
            }
        }
    }
}

/// What is said of a WITH clause inside the recursive query `name` that names it.
fn within_itself(name: &str, e: Error) -> Error {
    if e.code() != state::UNDEFINED_TABLE || e.message() != format!("relation \"{name}\" does not exist") {
        return e;
    }
    let at = e.data().position;
    err!(INVALID_RECURSION, "recursive reference to query \"{name}\" must not appear within a subquery").at(at)
}

/// Which of the others an item of WITH RECURSIVE names as relations, wherever in its query.
fn siblings_read(ctes: &[tree::Cte], item: usize) -> Vec<usize> {
    let shown = format!("{:?}", ctes[item].query);
    let named = |c: &tree::Cte| shown.contains(&format!("parts: [{:?}]", c.name));
    (0..ctes.len()).filter(|i| *i != item && named(&ctes[*i])).collect()
}
