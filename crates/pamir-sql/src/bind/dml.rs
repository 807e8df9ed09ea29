//! INSERT, UPDATE, DELETE.
mod places;

use super::coerce::show;
use super::scope::{Rte, Scope};
use super::select::Target;
use super::{Binder, mismatch};
use crate::catalog::{Column, Identity, IndexColumn, Relation, Table, acl};
use crate::func::CastContext;
use crate::ir::{ColId, Expr, JoinKind, Modify, ModifyOp, OnConflict, OnConflictUpdate, OutCol, Rel, RowSystem};
use crate::parser::{MARK, fold, name_parts};
use pamir_txn::TableLock;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use sqlparser::ast::{self, Spanned};
use std::sync::Arc;

impl Binder<'_, '_> {
    pub(super) fn modify(&mut self, s: &ast::Statement) -> Result<Modify> {
        match s {
            ast::Statement::Insert(i) => self.insert(i),
            ast::Statement::Update(u) => self.update(u),
            ast::Statement::Delete(d) => self.delete(d),
            _ => Err(Error::unsupported("MERGE")),
        }
    }

    /// The table that a statement changes. `mode`: the privilege for that.
    fn target(&mut self, name: &ast::ObjectName, mode: acl::Mode) -> Result<Arc<Table>> {
        let parts = name_parts(name)?;
        let (schema, table) = match parts.as_slice() {
            [t] => (None, t.as_str()),
            [s, t] | [_, s, t] => (Some(s.as_str()), t.as_str()),
            _ => bail!(SYNTAX_ERROR, "improper relation name (too many dotted names): {}", parts.join(".")),
        };
        let t = match self.resolve(schema, table, name.span())? {
            Some(Relation::Table(t)) => t,
            Some(Relation::Sequence(_)) => bail!(WRONG_OBJECT_TYPE, "cannot change sequence \"{table}\""),
            Some(Relation::Index(..)) => {
                return Err(self.at(
                    err!(WRONG_OBJECT_TYPE, "cannot open relation \"{table}\"")
                        .detail("This operation is not supported for indexes."),
                    name.span(),
                ));
            }
            Some(Relation::Virtual(_)) => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{table}\" is a system catalog")
            }
            None => {
                let shown = schema.map_or(table.to_string(), |s| format!("{s}.{table}"));
                return Err(self.at(err!(UNDEFINED_TABLE, "relation \"{shown}\" does not exist"), name.span()));
            }
        };
        self.use_table(&t, TableLock::RowExclusive);
        self.uses.begin(t.oid, mode);
        Ok(t)
    }

    /// The default of a column: its stored expression, its sequence, or NULL.
    fn default_of(&mut self, c: &Column) -> Result<Expr> {
        if c.identity.is_some()
            && let Some(seq) = c.sequence
        {
            let f = crate::func::system::IDENTITY_NEXTVAL;
            let e = self.function(f, vec![Expr::Const(Datum::Oid(seq), Type::new(oid::REGCLASS))], false)?;
            return self.coerce(e, c.ty, CastContext::Assignment);
        }
        match &c.default {
            Some(d) => self.stored(&d.0, None, c.ty),
            None => Ok(Expr::Const(Datum::Null, c.ty)),
        }
    }

    /// Assigns an expression to a column.
    fn assign(&mut self, e: Expr, c: &Column) -> Result<Expr> {
        if e.ty() == c.ty && !matches!(e, Expr::Default) {
            return Ok(e);
        }
        let from = e.ty();
        if let Expr::Row(_) = e {
            return Err(mismatch(&c.name, c.ty, Type::new(oid::RECORD)));
        }
        match self.try_coerce(e, c.ty, CastContext::Assignment)? {
            Some(e) => Ok(e),
            None => Err(mismatch(&c.name, c.ty, from)),
        }
    }

    fn insert(&mut self, i: &ast::Insert) -> Result<Modify> {
        if i.or.is_some()
            || i.ignore
            || i.overwrite
            || i.replace_into
            || !i.assignments.is_empty()
            || i.insert_alias.is_some()
            || i.output.is_some()
        {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        let ast::TableObject::TableName(name) = &i.table else { bail!(SYNTAX_ERROR, "syntax error") };
        let table = self.target(name, acl::INSERT)?;
        let target = self.uses.newest();
        let alias = i.table_alias.as_ref().map_or(table.name.clone(), |a| fold(&a.alias));
        let overriding = match i.partitioned.as_deref() {
            None => None,
            Some([ast::Expr::Identifier(id)]) if id.value.strip_prefix(MARK) == Some("system") => Some(true),
            Some([ast::Expr::Identifier(id)]) if id.value.strip_prefix(MARK) == Some("user") => Some(false),
            Some(_) => bail!(SYNTAX_ERROR, "syntax error at or near \"PARTITION\""),
        };
        // Target columns.
        let explicit = !i.columns.is_empty();
        let mut columns: Vec<i16> = Vec::new();
        // Parts of columns, by position.
        let mut parts_of: Vec<(usize, &str)> = Vec::new();
        for c in &i.columns {
            let part = places::subscripts(c);
            let parts = name_parts(c)?;
            let [n, marked @ ..] = parts.as_slice() else { bail!(SYNTAX_ERROR, "syntax error") };
            if marked.len() != usize::from(part.is_some()) {
                return Err(Error::unsupported("INSERT into a field of a column"));
            }
            let Some(col) = table.column_by_name(n) else {
                return Err(self.at(
                    err!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", table.name),
                    c.span(),
                ));
            };
            let before = columns.iter().position(|a| *a == col.attnum);
            if let Some(part) = part {
                parts_of.push((columns.len(), part));
            }
            if before.is_some_and(|b| part.is_none() || parts_of.iter().all(|p| p.0 != b)) {
                return Err(self.at(err!(DUPLICATE_COLUMN, "column \"{n}\" specified more than once"), c.span()));
            }
            columns.push(col.attnum);
        }
        if !explicit {
            columns = table.live_columns().map(|c| c.attnum).collect();
        }
        let mut cols: Vec<Column> = columns.iter().filter_map(|n| table.column(*n)).cloned().collect();
        for (at, part) in &parts_of {
            let c = &mut cols[*at];
            c.ty = places::part_type(part, c)?;
        }
        let mut given = columns.len();
        // Which columns had something else than DEFAULT.
        let mut written = vec![false; columns.len()];
        let source = match &i.source {
            None => {
                given = 0;
                Rel::One
            }
            Some(q) => {
                let mark = self.with_of(q)?;
                let plain = q.order_by.is_none() && q.limit_clause.is_none() && q.fetch.is_none() && q.locks.is_empty();
                let r = match q.body.as_ref() {
                    ast::SetExpr::Values(v) if plain => {
                        self.insert_values(v, &cols, explicit, &mut given, &mut written, i)
                    }
                    _ => self.insert_select(q, &cols, explicit, &mut given, &mut written, i),
                };
                self.end_with_of(mark);
                r?
            }
        };
        columns.truncate(given);
        let mut source = source;
        if !parts_of.is_empty() {
            source = self.whole_columns(source, &mut columns, &mut cols, &mut written, &parts_of, &table)?;
            given = columns.len();
        }
        for n in &columns {
            self.uses.insert(target, *n);
        }
        let kept = &cols[..given];
        // Identity and generated columns.
        for (c, w) in std::iter::zip(kept, &written) {
            if *w && c.generated.is_some() {
                return Err(err!(GENERATED_ALWAYS, "cannot insert a non-DEFAULT value into column \"{}\"", c.name)
                    .detail(format!("Column \"{}\" is a generated column.", c.name)));
            }
            if *w && c.identity == Some(Identity::Always) && overriding.is_none() {
                return Err(err!(GENERATED_ALWAYS, "cannot insert a non-DEFAULT value into column \"{}\"", c.name)
                    .detail(format!("Column \"{}\" is an identity column defined as GENERATED ALWAYS.", c.name))
                    .hint("Use OVERRIDING SYSTEM VALUE to override."));
            }
        }
        // OVERRIDING USER VALUE: identity columns take their sequence whatever was written.
        if overriding == Some(false) && kept.iter().any(|c| c.identity.is_some()) {
            let Rel::Values { rows, .. } = &mut source else {
                return Err(Error::unsupported("OVERRIDING USER VALUE with a query"));
            };
            for (n, c) in kept.iter().enumerate().filter(|c| c.1.identity.is_some()) {
                let d = self.default_of(c)?;
                for r in rows.iter_mut() {
                    r[n] = d.clone();
                }
            }
        }
        // Generated columns leave the list: the executor computes them.
        if kept.iter().any(|c| c.generated.is_some()) {
            let keep: Vec<bool> = kept.iter().map(|c| c.generated.is_none()).collect();
            if let Rel::Values { rows, cols } = &mut source {
                let mut it = keep.iter();
                cols.retain(|_| *it.next().unwrap_or(&true));
                for r in rows {
                    let mut it = keep.iter();
                    r.retain(|_| *it.next().unwrap_or(&true));
                }
            }
            let mut it = keep.iter();
            columns.retain(|_| *it.next().unwrap_or(&true));
        }
        let mut defaults = Vec::new();
        for c in table.live_columns().filter(|c| !columns.contains(&c.attnum) && c.generated.is_none()) {
            if c.default.is_some() || c.identity.is_some() {
                let d = self.default_of(c)?;
                defaults.push((c.attnum, d));
            }
        }
        let (row_cols, mut rte) = self.row(&table, &alias);
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let on_conflict = match &i.on {
            None => None,
            Some(ast::OnInsert::OnConflict(c)) => Some(self.on_conflict(c, &table, &alias, target)?),
            Some(_) => bail!(SYNTAX_ERROR, "syntax error at or near \"DUPLICATE\""),
        };
        let mut s = Scope::default();
        s.add(rte);
        let returning = self.returning(i.returning.as_deref(), s)?;
        Ok(Modify {
            table,
            op: ModifyOp::Insert { source, columns, defaults, on_conflict },
            returning,
            row_cols,
            system,
        })
    }

    fn with_of(&mut self, q: &ast::Query) -> Result<Option<()>> {
        // A WITH of the source query is bound with it; VALUES has none that matters.
        match (&q.with, q.body.as_ref()) {
            (Some(_), ast::SetExpr::Values(_)) => Err(Error::unsupported("WITH on the VALUES of an INSERT")),
            _ => Ok(None),
        }
    }
    fn end_with_of(&mut self, _m: Option<()>) {}

    fn insert_values(
        &mut self,
        v: &ast::Values,
        cols: &[Column],
        explicit: bool,
        given: &mut usize,
        written: &mut [bool],
        i: &ast::Insert,
    ) -> Result<Rel> {
        let width = v.rows.first().map_or(0, |r| r.len());
        let mut defaults: Vec<Option<Expr>> = vec![None; cols.len()];
        let mut rows = Vec::with_capacity(v.rows.len());
        for r in &v.rows {
            self.same_width(r, width)?;
            if width > cols.len() {
                return Err(
                    self.place(err!(SYNTAX_ERROR, "INSERT has more expressions than target columns"), &r[cols.len()])
                );
            }
            if explicit && width < cols.len() {
                let e = err!(SYNTAX_ERROR, "INSERT has more target columns than expressions");
                return Err(match i.columns.get(width) {
                    Some(c) => self.at(e, c.span()),
                    None => e,
                });
            }
            let mut row = Vec::with_capacity(width);
            for (n, (e, c)) in std::iter::zip(r.iter(), cols).enumerate() {
                let x = self.level_values(e)?;
                if matches!(x, Expr::Default) {
                    if defaults[n].is_none() {
                        defaults[n] = Some(if c.generated.is_some() {
                            Expr::Const(Datum::Null, c.ty)
                        } else {
                            self.default_of(c)?
                        });
                    }
                    row.push(defaults[n].clone().unwrap_or(Expr::Default));
                    continue;
                }
                written[n] = true;
                row.push(self.assign(x, c).map_err(|x| self.place(x, e))?);
            }
            rows.push(row);
        }
        *given = width;
        let out = cols[..width].iter().map(|c| self.out(c.name.clone(), c.ty)).collect();
        Ok(Rel::Values { rows, cols: out })
    }
    fn level_values(&mut self, e: &ast::Expr) -> Result<Expr> {
        // Literals first: large loads are made of them.
        let was = (self.level().no_agg.replace("VALUES"), self.level().no_srf.replace("VALUES"));
        let r = self.expr(e);
        (self.level().no_agg, self.level().no_srf) = was;
        r
    }

    fn insert_select(
        &mut self,
        q: &ast::Query,
        cols: &[Column],
        explicit: bool,
        given: &mut usize,
        written: &mut [bool],
        i: &ast::Insert,
    ) -> Result<Rel> {
        let hints: Vec<Type> = cols.iter().map(|c| c.ty).collect();
        let (b, _) = self.subquery_level(|b| b.query(q, Some(&hints), true))?;
        let n = b.cols.len();
        if n > cols.len() {
            let e = err!(SYNTAX_ERROR, "INSERT has more expressions than target columns");
            return Err(match q.body.as_ref() {
                ast::SetExpr::Select(s) if s.projection.len() == n => self.at(e, s.projection[cols.len()].span()),
                _ => e,
            });
        }
        if explicit && n < cols.len() {
            let e = err!(SYNTAX_ERROR, "INSERT has more target columns than expressions");
            return Err(match i.columns.get(n) {
                Some(c) => self.at(e, c.span()),
                None => e,
            });
        }
        *given = n;
        written[..n].fill(true);
        if std::iter::zip(&b.cols, cols).all(|(o, c)| o.ty == c.ty || (o.ty.oid == c.ty.oid && c.ty.typmod == -1)) {
            return Ok(b.rel);
        }
        let mut targets = Vec::with_capacity(n);
        for (k, (o, c)) in std::iter::zip(&b.cols, cols).enumerate() {
            let e = self.assign(Expr::Col(o.id, o.ty), c).map_err(|e| match q.body.as_ref() {
                ast::SetExpr::Select(s) => match s.projection.get(k) {
                    Some(p) => self.at(e, p.span()),
                    None => e,
                },
                _ => e,
            })?;
            targets.push(Target { e, name: c.name.clone(), origin: None });
        }
        Ok(self.project(b.rel, targets).rel)
    }

    /// The target goes by its schema too (`RETURNING public.t.a`) unless it has an alias.
    fn schema_of_target(&self, t: &Table, rte: &mut Rte) {
        if rte.name.as_deref() == Some(t.name.as_str()) {
            rte.schema = self.cx.catalog.schema(t.schema).map(|s| s.name.clone());
        }
    }

    /// The system columns of a row that the statement writes.
    fn written(&mut self, rte: &mut Rte) -> RowSystem<ColId> {
        rte.ctid = self.named().ctid.then(|| self.new_col());
        rte.xmax = self.named().xmax.then(|| self.new_col());
        RowSystem { ctid: rte.ctid, xmax: rte.xmax }
    }

    /// New columns that stand for a row of `t`.
    fn row(&mut self, t: &Arc<Table>, alias: &str) -> (Vec<(i16, ColId)>, Rte) {
        let cols: Vec<(i16, ColId)> = t.live_columns().map(|c| c.attnum).map(|n| (n, self.new_col())).collect();
        let mut rte = Rte::table_cols(alias, t, &cols);
        rte.table = Some(t.clone());
        self.schema_of_target(t, &mut rte);
        (cols, rte)
    }

    fn returning(&mut self, items: Option<&[ast::SelectItem]>, s: Scope) -> Result<Option<Vec<(Expr, OutCol)>>> {
        let Some(items) = items else { return Ok(None) };
        let sub = self.sub_scope(s);
        let was = (self.level().no_agg.replace("RETURNING"), self.level().no_srf.replace("RETURNING"));
        let r = self.targets(items, "RETURNING");
        (self.level().no_agg, self.level().no_srf) = was;
        self.leave(sub);
        let mut out = Vec::new();
        for t in r? {
            let e = self.known(t.e)?;
            let mut o = self.out(t.name, e.ty());
            o.origin = t.origin;
            out.push((e, o));
        }
        Ok(Some(out))
    }

    fn on_conflict(&mut self, c: &ast::OnConflict, t: &Arc<Table>, alias: &str, target: usize) -> Result<OnConflict> {
        let arbiters = match &c.conflict_target {
            None => Vec::new(),
            Some(ast::ConflictTarget::OnConstraint(n)) => {
                let name = name_parts(n)?.pop().unwrap_or_default();
                match t.indexes.iter().find(|i| i.name == name && i.constraint) {
                    Some(i) => vec![i.oid],
                    None => bail!(UNDEFINED_OBJECT, "constraint \"{name}\" for table \"{}\" does not exist", t.name),
                }
            }
            Some(ast::ConflictTarget::Columns(cols)) => self.arbiters(cols, t, target)?,
        };
        let update = match &c.action {
            ast::OnConflictAction::DoNothing => None,
            ast::OnConflictAction::DoUpdate(u) => {
                if arbiters.is_empty() {
                    return Err(err!(
                        SYNTAX_ERROR,
                        "ON CONFLICT DO UPDATE requires inference specification or constraint name"
                    )
                    .hint("For example, ON CONFLICT (column_name)."));
                }
                let (old_cols, rte) = self.row(t, alias);
                let (excluded, ex) = self.row(t, "excluded");
                self.uses.require(target, acl::UPDATE);
                self.uses.columns_of(target, t, &rte);
                self.uses.columns_of(target, t, &ex);
                let mut s = Scope::default();
                // Unqualified names mean the existing row.
                s.add(rte);
                s.rtes.push(ex);
                let sub = self.sub_scope(s);
                let r = self.assignments(&u.assignments, t, target).and_then(|set| {
                    let cond = match &u.selection {
                        Some(w) => {
                            let was = (self.level().no_agg.replace("WHERE"), self.level().no_srf.replace("WHERE"));
                            let e = self.expr(w).and_then(|e| self.to_bool(e, "WHERE").map_err(|e| self.place(e, w)));
                            (self.level().no_agg, self.level().no_srf) = was;
                            Some(e?)
                        }
                        None => None,
                    };
                    Ok((set, cond))
                });
                self.leave(sub);
                let (set, cond) = r?;
                Some(OnConflictUpdate { set, cond, old_cols, excluded })
            }
        };
        Ok(OnConflict { arbiters, update })
    }

    /// Unique index inference (infer_arbiter_indexes).
    fn arbiters(&mut self, cols: &[ast::Ident], t: &Arc<Table>, target: usize) -> Result<Vec<Oid>> {
        let mut attrs: Vec<i16> = Vec::new();
        let mut exprs: Vec<String> = Vec::new();
        let mut predicate = None;
        let ids: Vec<(i16, ColId)> = t.live_columns().map(|c| c.attnum).map(|n| (n, n as ColId)).collect();
        let name = |id: ColId| t.column(id as i16).map_or(String::new(), |c| c.name.clone());
        if let [one] = cols
            && let Some(rest) = one.value.strip_prefix(MARK)
        {
            let (list, pred) = rest.split_once(MARK).unwrap_or((rest, ""));
            for e in crate::parser::parse_expr_list(list)? {
                let mut cx = super::BindCtx {
                    catalog: self.cx.catalog,
                    scope: self.cx.scope,
                    params: Vec::new(),
                    env: &mut *self.cx.env,
                    text: "",
                };
                match super::bind_table_expr(&e, Some((t, &ids)), None, &mut cx)? {
                    Expr::Col(id, _) => attrs.push(id as i16),
                    e => exprs.push(super::deparse(&e, &name)),
                }
            }
            if !pred.trim().is_empty() {
                let e = crate::parser::parse_expr(pred)?;
                let mut cx = super::BindCtx {
                    catalog: self.cx.catalog,
                    scope: self.cx.scope,
                    params: Vec::new(),
                    env: &mut *self.cx.env,
                    text: "",
                };
                predicate = Some(super::deparse(
                    &super::bind_table_expr(&e, Some((t, &ids)), Some(Type::BOOL), &mut cx)?,
                    &name,
                ));
            }
        } else {
            for c in cols {
                let n = fold(c);
                match t.column_by_name(&n) {
                    Some(c) => attrs.push(c.attnum),
                    None => {
                        return Err(self.at(err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"), c.span));
                    }
                }
            }
        }
        attrs.sort_unstable();
        attrs.dedup();
        attrs.iter().for_each(|a| self.uses.select_column(target, *a));
        exprs.sort();
        exprs.dedup();
        let mut out = Vec::new();
        for i in t.indexes.iter().filter(|i| i.unique) {
            let mut a: Vec<i16> = i
                .columns
                .iter()
                .filter_map(|c| if let IndexColumn::Attr(n) = &c.0 { Some(*n) } else { None })
                .collect();
            a.sort_unstable();
            a.dedup();
            if a != attrs {
                continue;
            }
            let mut e = Vec::new();
            for c in &i.columns {
                if let IndexColumn::Expr(x, ty) = &c.0 {
                    let bound = self.stored(&x.0, Some((t, &ids)), *ty)?;
                    e.push(super::deparse(&bound, &name));
                }
            }
            e.sort();
            e.dedup();
            if e != exprs {
                continue;
            }
            if let Some(p) = &i.predicate {
                let bound = self.stored(&p.0, Some((t, &ids)), Type::BOOL)?;
                if predicate.as_deref() != Some(super::deparse(&bound, &name).as_str()) {
                    continue;
                }
            }
            out.push(i.oid);
        }
        if out.is_empty() {
            bail!(
                INVALID_COLUMN_REFERENCE,
                "there is no unique or exclusion constraint matching the ON CONFLICT specification"
            );
        }
        Ok(out)
    }

    /// SET lists.
    fn assignments(&mut self, list: &[ast::Assignment], t: &Arc<Table>, target: usize) -> Result<Vec<(i16, Expr)>> {
        let mut set: Vec<(i16, Expr)> = Vec::with_capacity(list.len());
        let mut parts: Vec<i16> = Vec::new();
        let was = (self.level().no_agg.replace("UPDATE"), self.level().no_srf.replace("UPDATE"));
        let r = (|b: &mut Self| -> Result<()> {
            for a in list {
                match &a.target {
                    ast::AssignmentTarget::ColumnName(n) => {
                        let c = b.set_column(n, t, &set, &parts)?;
                        let e = b.expr(&a.value)?;
                        if let Some(subs) = places::subscripts(n) {
                            b.set_part_of(subs, e, &c, &mut set, &mut parts).map_err(|e| b.place(e, &a.value))?;
                            continue;
                        }
                        let e = b
                            .set_value(e, &c)
                            .map_err(|e| if e.code().as_str() == "428C9" { e } else { b.place(e, &a.value) })?;
                        set.push((c.attnum, e));
                    }
                    ast::AssignmentTarget::Tuple(names) => {
                        let mut v = &a.value;
                        while let ast::Expr::Nested(x) = v {
                            v = x;
                        }
                        let values: Vec<Expr> = match v {
                            ast::Expr::Tuple(items) => {
                                let mut out = Vec::with_capacity(items.len());
                                for i in items {
                                    out.push(b.expr(i)?);
                                }
                                out
                            }
                            ast::Expr::Subquery(q) => b.row_subquery(q, names.len())?,
                            v if names.len() == 1 => vec![b.expr(v)?],
                            v => match b.expr(v)? {
                                Expr::Row(items) => items,
                                _ => return Err(b.place(err!(FEATURE_NOT_SUPPORTED, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression"), v)),
                            },
                        };
                        if values.len() != names.len() {
                            bail!(SYNTAX_ERROR, "number of columns does not match number of values");
                        }
                        for (n, e) in std::iter::zip(names, values) {
                            let c = b.set_column(n, t, &set, &parts)?;
                            if let Some(subs) = places::subscripts(n) {
                                b.set_part_of(subs, e, &c, &mut set, &mut parts).map_err(|e| b.place(e, &a.value))?;
                                continue;
                            }
                            let e = b.set_value(e, &c).map_err(|e| b.place(e, &a.value))?;
                            set.push((c.attnum, e));
                        }
                    }
                }
            }
            Ok(())
        })(self);
        (self.level().no_agg, self.level().no_srf) = was;
        r?;
        set.iter().for_each(|s| self.uses.update(target, s.0));
        Ok(set)
    }

    /// SET (a, b) = (SELECT x, y ...): the fields of one record, which the executor computes once per row.
    fn row_subquery(&mut self, q: &ast::Query, n: usize) -> Result<Vec<Expr>> {
        let fields = self.fields_of_subquery(q, true)?;
        if fields.len() != n {
            bail!(SYNTAX_ERROR, "number of columns does not match number of values");
        }
        Ok(fields)
    }

    fn set_column(
        &mut self,
        n: &ast::ObjectName,
        t: &Arc<Table>,
        set: &[(i16, Expr)],
        by_parts: &[i16],
    ) -> Result<Column> {
        let mut parts = name_parts(n)?;
        let part = places::subscripts(n).is_some();
        if part {
            parts.pop();
        }
        let name = match parts.as_slice() {
            [n] => n,
            [a, _] => {
                return Err(self
                    .at(err!(UNDEFINED_COLUMN, "column \"{a}\" of relation \"{}\" does not exist", t.name), n.span()));
            }
            _ => bail!(SYNTAX_ERROR, "syntax error at or near \".\""),
        };
        let Some(c) = t.column_by_name(name) else {
            return Err(self
                .at(err!(UNDEFINED_COLUMN, "column \"{name}\" of relation \"{}\" does not exist", t.name), n.span()));
        };
        if set.iter().any(|s| s.0 == c.attnum) && !(part && by_parts.contains(&c.attnum)) {
            return Err(err!(SYNTAX_ERROR, "multiple assignments to same column \"{name}\""));
        }
        Ok(c.clone())
    }
    fn set_value(&mut self, e: Expr, c: &Column) -> Result<Expr> {
        if matches!(e, Expr::Default) {
            return if c.generated.is_some() { Ok(Expr::Default) } else { self.default_of(c) };
        }
        Self::settable(c)?;
        self.assign(e, c)
    }
    /// 428C9 for columns that only the server sets.
    fn settable(c: &Column) -> Result<()> {
        if c.generated.is_some() {
            return Err(err!(GENERATED_ALWAYS, "column \"{}\" can only be updated to DEFAULT", c.name)
                .detail(format!("Column \"{}\" is a generated column.", c.name)));
        }
        if c.identity == Some(Identity::Always) {
            return Err(err!(GENERATED_ALWAYS, "column \"{}\" can only be updated to DEFAULT", c.name)
                .detail(format!("Column \"{}\" is an identity column defined as GENERATED ALWAYS.", c.name)));
        }
        Ok(())
    }

    fn update(&mut self, u: &ast::Update) -> Result<Modify> {
        if u.or.is_some()
            || u.limit.is_some()
            || !u.order_by.is_empty()
            || u.output.is_some()
            || !u.table.joins.is_empty()
        {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        let (table, alias) = self.dml_target(&u.table, acl::UPDATE)?;
        let target = self.uses.newest();
        let (mut source, key, old_cols, rte) = self.dml_scan(&table, &alias);
        self.uses.columns_of(target, &table, &rte);
        let target_name = rte.name.clone();
        let mut scope = Scope::default();
        scope.add(rte);
        let from: &[ast::TableWithJoins] = match &u.from {
            None => &[],
            Some(ast::UpdateTableFromKind::BeforeSet(f) | ast::UpdateTableFromKind::AfterSet(f)) => f,
        };
        let extra = self.dml_from(from, &mut source, &mut scope)?;
        let sub = self.sub_scope(scope);
        let r = self
            .assignments(&u.assignments, &table, target)
            .and_then(|set| Ok((set, self.dml_where(u.selection.as_ref())?)));
        self.leave(sub);
        let (mut set, cond) = r?;
        set.retain(|s| !matches!(s.1, Expr::Default));
        let recheck = cond.clone();
        if let Some(cond) = cond {
            source = Rel::Filter { input: Box::new(source), cond };
        }
        let (row_cols, mut rte) = self.row(&table, target_name.as_deref().unwrap_or(&alias));
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let mut s = Scope::default();
        s.add(rte);
        s.merge(extra);
        let returning = self.returning(u.returning.as_deref(), s)?;
        self.give_presence(&mut source);
        Ok(Modify { table, op: ModifyOp::Update { source, key, old_cols, set, recheck }, returning, row_cols, system })
    }

    fn delete(&mut self, d: &ast::Delete) -> Result<Modify> {
        if !d.tables.is_empty() || !d.order_by.is_empty() || d.limit.is_some() || d.output.is_some() {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        let from = match &d.from {
            ast::FromTable::WithFromKeyword(f) => f,
            ast::FromTable::WithoutKeyword(_) => bail!(SYNTAX_ERROR, "syntax error"),
        };
        let [target] = from.as_slice() else { bail!(SYNTAX_ERROR, "syntax error at or near \",\"") };
        if !target.joins.is_empty() {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        let (table, alias) = self.dml_target(target, acl::DELETE)?;
        let target = self.uses.newest();
        let (mut source, key, old_cols, rte) = self.dml_scan(&table, &alias);
        self.uses.columns_of(target, &table, &rte);
        let mut scope = Scope::default();
        scope.add(rte);
        let extra = self.dml_from(d.using.as_deref().unwrap_or(&[]), &mut source, &mut scope)?;
        let sub = self.sub_scope(scope);
        let r = self.dml_where(d.selection.as_ref());
        self.leave(sub);
        let cond = r?;
        let recheck = cond.clone();
        if let Some(cond) = cond {
            source = Rel::Filter { input: Box::new(source), cond };
        }
        let (row_cols, mut rte) = self.row(&table, &alias);
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let mut s = Scope::default();
        s.add(rte);
        s.merge(extra);
        let returning = self.returning(d.returning.as_deref(), s)?;
        self.give_presence(&mut source);
        Ok(Modify { table, op: ModifyOp::Delete { source, key, old_cols, recheck }, returning, row_cols, system })
    }

    fn dml_target(&mut self, t: &ast::TableWithJoins, mode: acl::Mode) -> Result<(Arc<Table>, String)> {
        let ast::TableFactor::Table { name, alias, args: None, .. } = &t.relation else {
            bail!(SYNTAX_ERROR, "syntax error")
        };
        let table = self.target(name, mode)?;
        let alias = alias.as_ref().map_or(table.name.clone(), |a| fold(&a.name));
        Ok((table, alias))
    }

    #[allow(clippy::type_complexity)]
    fn dml_scan(&mut self, t: &Arc<Table>, alias: &str) -> (Rel, ColId, Vec<(i16, ColId)>, Rte) {
        let (mut rel, mut rte) = self.scan(t, alias);
        self.schema_of_target(t, &mut rte);
        let k = rte.ctid.unwrap_or_else(|| self.new_col());
        let mut old = Vec::new();
        if let Rel::Table { key, cols, .. } = &mut rel {
            *key = Some(k);
            old = cols.iter().map(|(n, c)| (*n, c.id)).collect();
        }
        (rel, k, old, rte)
    }

    /// FROM of UPDATE, USING of DELETE: joined to the target. Returns the added names.
    fn dml_from(&mut self, items: &[ast::TableWithJoins], source: &mut Rel, scope: &mut Scope) -> Result<Scope> {
        if items.is_empty() {
            return Ok(Scope::default());
        }
        let (rel, extra) = self.from(items)?;
        for r in &extra.rtes {
            if r.name.is_some() && scope.rtes.iter().any(|x| x.name == r.name) {
                bail!(DUPLICATE_ALIAS, "table name \"{}\" specified more than once", r.name.as_deref().unwrap_or(""));
            }
        }
        let left = std::mem::replace(source, Rel::One);
        *source =
            Rel::Join { kind: JoinKind::Cross, left: Box::new(left), right: Box::new(rel), on: None, lateral: false };
        scope.merge(extra.clone());
        Ok(extra)
    }

    fn dml_where(&mut self, w: Option<&ast::Expr>) -> Result<Option<Expr>> {
        let Some(w) = w else { return Ok(None) };
        if let ast::Expr::Function(f) = w
            && f.name.to_string().eq_ignore_ascii_case("current of")
        {
            return Err(Error::unsupported("WHERE CURRENT OF"));
        }
        let was = (self.level().no_agg.replace("WHERE"), self.level().no_srf.replace("WHERE"));
        let r = self.expr(w).and_then(|e| self.to_bool(e, "WHERE").map_err(|e| self.place(e, w)));
        (self.level().no_agg, self.level().no_srf) = was;
        let _ = show as fn(Oid) -> String;
        r.map(Some)
    }
}
