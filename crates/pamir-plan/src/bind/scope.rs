//! What names mean: range table entries and the columns that stand for themselves.
use super::Binder;
use pamir_catalog::Table;
use pamir_expr::ir::{ColId, Expr, OutCol};
use pamir_parse::tree::{self, At, ExprKind};
use pamir_types::{Error, Oid, Result, Type, err, oid};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct RteCol {
    pub name: String,
    pub expr: Expr,
    pub origin: Option<(Oid, i16)>,
}

/// A FROM item under its alias. The columns of JOIN ... USING that both sides share are an entry without a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Rte {
    pub name: Option<String>,
    pub schema: Option<String>,
    pub cols: Vec<RteCol>,
    pub table: Option<Arc<Table>>,
    /// Of a view, whose rows have its row type.
    pub view: Option<Oid>,
    pub tableoid: Option<ColId>,
    /// The place of the item's row, `ctid`.
    pub ctid: Option<ColId>,
    /// `xmax` of a row that the statement writes.
    pub xmax: Option<ColId>,
    /// Under the nullable side of an outer join: a column that is NULL exactly where the item's row is missing (see `presence`).
    pub presence: Option<ColId>,
    /// A function returning one plain value: its alias names the value too.
    pub scalar: bool,
    /// Of a function that returns rows of a named type: that type, a domain over one included.
    pub row: Option<Type>,
    /// The left side of a RIGHT or FULL JOIN, seen from a LATERAL item on its right: may be named, then is refused.
    pub no_lateral: bool,
    /// Named in the statement but only to be refused here (`excluded`-like visibility): 42P01 with a hint.
    pub hidden: bool,
}
impl Rte {
    /// The system column of this name that the item has.
    fn system(&self, name: &str) -> Option<Expr> {
        match name {
            "tableoid" => self.tableoid.map(|id| Expr::Col(id, Type::OID)),
            "ctid" => self.ctid.map(|id| Expr::Col(id, Type::new(oid::TID))),
            "xmax" => self.xmax.map(|id| Expr::Col(id, Type::new(oid::XID))),
            _ => None,
        }
    }
    pub fn presence_type(&self) -> Type {
        if self.table.is_some() || self.tableoid.is_some() { Type::OID } else { Type::BOOL }
    }
    pub fn of(name: &str, cols: &[OutCol]) -> Rte {
        Rte {
            name: Some(name.into()),
            cols: cols
                .iter()
                .map(|c| RteCol { name: c.name.clone(), expr: Expr::Col(c.id, c.ty), origin: c.origin })
                .collect(),
            ..Rte::default()
        }
    }
    pub fn table_cols(name: &str, t: &Table, cols: &[(i16, ColId)]) -> Rte {
        let cols = cols
            .iter()
            .filter_map(|(n, id)| {
                t.column(*n).filter(|c| !c.dropped).map(|c| RteCol {
                    name: c.name.clone(),
                    expr: Expr::Col(*id, c.ty),
                    origin: Some((t.oid, *n)),
                })
            })
            .collect();
        Rte { name: Some(name.into()), cols, ..Rte::default() }
    }
}

/// One level of visible names. `star` lists (entry, column) in the order of `*`; unqualified names are looked up there.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub rtes: Vec<Rte>,
    pub star: Vec<(usize, usize)>,
}

/// The depth at which a scope was pushed.
pub(super) struct SubScope(pub usize);

impl Scope {
    pub fn add(&mut self, r: Rte) {
        let n = self.rtes.len();
        self.star.extend((0..r.cols.len()).map(|i| (n, i)));
        self.rtes.push(r);
    }
    pub fn merge(&mut self, o: Scope) {
        let n = self.rtes.len();
        self.star.extend(o.star.into_iter().map(|(r, c)| (r + n, c)));
        self.rtes.extend(o.rtes);
    }
    pub fn col(&self, at: (usize, usize)) -> &RteCol {
        &self.rtes[at.0].cols[at.1]
    }
    fn find(&self, name: &str) -> std::result::Result<Option<(&Rte, &RteCol)>, ()> {
        let mut hit = None;
        for &at in &self.star {
            let c = self.col(at);
            if c.name == name {
                if hit.is_some() {
                    return Err(());
                }
                hit = Some((&self.rtes[at.0], c));
            }
        }
        Ok(hit)
    }
    pub fn rte(&self, schema: Option<&str>, name: &str) -> Option<&Rte> {
        self.rtes
            .iter()
            .find(|r| r.name.as_deref() == Some(name) && (schema.is_none() || r.schema.as_deref() == schema))
    }
}

impl Binder<'_, '_> {
    /// Records a column reference and gives its expression.
    fn refer(&mut self, level_up: usize, e: Expr, at: At) -> Expr {
        let mut ids: smallvec::SmallVec<[ColId; 2]> = smallvec::SmallVec::new();
        match &e {
            Expr::Col(id, _) => ids.push(*id),
            e => pamir_expr::expr::each_col(e, &mut |id| ids.push(id)),
        }
        for id in ids {
            self.uses.select_id(id);
            if level_up > 0 {
                self.outer_refs.push(id);
            } else {
                let l = self.level();
                if !l.in_agg {
                    l.refs.push((id, at));
                }
            }
        }
        e
    }

    /// 42P10 for what a LATERAL item may see but not use (check_lateral_ref_ok).
    pub(super) fn lateral_ok(&self, r: &Rte, at: At) -> Result<()> {
        if !r.no_lateral {
            return Ok(());
        }
        let name = r.name.as_deref().unwrap_or("unnamed_join");
        let e = err!(INVALID_COLUMN_REFERENCE, "invalid reference to FROM-clause entry for table \"{name}\"")
            .detail("The combining JOIN type must be INNER or LEFT for a LATERAL reference.");
        Err(self.at(e, at))
    }

    /// A FROM item's whole row, NULL where an outer join found none (a row of NULLs is another value: count() counts it).
    fn whole_row(&mut self, up: usize, item: Rte, at: At) -> Expr {
        let ty = self.row_type(&item);
        let presence_type = item.presence_type();
        let anchor = item.cols.iter().find_map(|c| if let Expr::Col(id, _) = c.expr { Some(id) } else { None });
        self.uses.whole = self.recording();
        let fields = item.cols.into_iter().map(|c| self.refer(up, c.expr, at)).collect();
        self.uses.whole = false;
        let row =
            Expr::Cast { e: Box::new(Expr::Row(fields)), f: pamir_expr::ir::CastHow::Relabel, ty, explicit: false };
        let (Some(id), Some(anchor)) = (item.presence, anchor) else { return row };
        self.presences.push((id, anchor));
        let presence = self.refer(up, Expr::Col(id, presence_type), at);
        Expr::Case {
            whens: vec![(Expr::IsNull(Box::new(presence), true), row)],
            otherwise: Box::new(Expr::Const(pamir_types::Datum::Null, ty)),
            ty,
        }
    }

    /// A table's rows are of its row type, whatever its columns are called here; other rows are records that know their columns' names.
    fn row_type(&self, item: &Rte) -> Type {
        if let Some(ty) = item.row
            && self
                .cx
                .catalog
                .field_types(self.cx.catalog.base_type(ty).oid)
                .is_some_and(|f| f.len() == item.cols.len())
        {
            return ty;
        }
        if let Some(of) = item.table.as_ref().map(|t| t.oid).or(item.view)
            && let ty = pamir_catalog::types::row_type(of)
            && ty != 0
            && self.cx.catalog.field_types(ty).is_some_and(|f| f.len() == item.cols.len())
        {
            return Type::new(ty);
        }
        pamir_expr::func::rowtype::of(item.cols.iter().map(|c| (c.name.clone(), c.expr.ty())).collect())
    }

    /// `t.*` as a value: the whole row.
    pub(super) fn star_value(&mut self, path: &[String], at: At) -> Result<Expr> {
        let (schema, table) = match path {
            [t] => (None, t.as_str()),
            [s, t] | [_, s, t] => (Some(s.as_str()), t.as_str()),
            _ => return Err(self.at(err!(SYNTAX_ERROR, "improper qualified name"), at)),
        };
        for up in 0..self.scopes.len() {
            let s = &self.scopes[self.scopes.len() - 1 - up];
            if let Some(r) = s.rte(schema, table).filter(|r| !r.hidden) {
                self.lateral_ok(r, at)?;
                let item = r.clone();
                return Ok(self.whole_row(up, item, at));
            }
        }
        match self.whole_variable(path) {
            Some(e) => Ok(e),
            None => Err(self.at(self.missing_table(schema, table), at)),
        }
    }

    /// A name alone: a column, or a FROM item's whole row.
    pub(super) fn column(&mut self, name: &str, at: At) -> Result<Expr> {
        for up in 0..self.scopes.len() {
            let s = &self.scopes[self.scopes.len() - 1 - up];
            match s.find(name) {
                Ok(Some((r, c))) => {
                    self.lateral_ok(r, at)?;
                    let e = c.expr.clone();
                    return Ok(self.refer(up, e, at));
                }
                Ok(None) => {}
                Err(()) => return Err(self.at(ambiguous(name), at)),
            }
        }
        if matches!(name, "tableoid" | "ctid" | "xmax") {
            for up in 0..self.scopes.len() {
                let s = &self.scopes[self.scopes.len() - 1 - up];
                let hits: Vec<Expr> = s.rtes.iter().filter_map(|r| r.system(name)).collect();
                match hits.as_slice() {
                    [] => continue,
                    [e] => return Ok(self.refer(up, e.clone(), at)),
                    _ => return Err(self.at(ambiguous(name), at)),
                }
            }
        }
        // A FROM item's name alone is its whole row.
        for up in 0..self.scopes.len() {
            let s = &self.scopes[self.scopes.len() - 1 - up];
            if let Some(r) = s.rte(None, name).filter(|r| !r.hidden) {
                self.lateral_ok(r, at)?;
                if r.scalar && r.cols.len() == 1 {
                    let e = r.cols[0].expr.clone();
                    return Ok(self.refer(up, e, at));
                }
                let item = r.clone();
                return Ok(self.whole_row(up, item, at));
            }
        }
        if is_system(name) && self.scopes.iter().any(|s| s.rtes.iter().any(|r| r.table.is_some())) {
            return Err(Error::unsupported(format!("system column \"{name}\"")));
        }
        let mut e = err!(UNDEFINED_COLUMN, "column \"{name}\" does not exist");
        let hidden = || {
            self.scopes.iter().rev().flat_map(|s| &s.rtes).find(|r| r.hidden && r.cols.iter().any(|c| c.name == name))
        };
        if let Some(r) = hidden().and_then(|r| r.name.as_ref()) {
            e = e.hint(format!(
                "There is a column named \"{name}\" in table \"{r}\", but it cannot be referenced from this part of the query."
            ));
        } else if let Some(h) = self.suggest(name) {
            e = e.hint(h);
        }
        Err(self.at(e, at))
    }

    /// `Perhaps you meant to reference the column "t.a".` for one close name (scanRTEForColumn's fuzzy search, simplified).
    fn suggest(&self, name: &str) -> Option<String> {
        let mut best: Vec<(usize, String)> = Vec::new();
        for s in self.scopes.iter().rev() {
            for r in &s.rtes {
                let Some(rn) = &r.name else { continue };
                for c in &r.cols {
                    let d = distance(name, &c.name);
                    if d <= 3 && d * 2 <= name.chars().count() {
                        best.push((d, format!("{rn}.{}", c.name)));
                    }
                }
            }
        }
        let min = best.iter().map(|b| b.0).min()?;
        best.retain(|b| b.0 == min);
        match best.as_slice() {
            [one] => Some(format!("Perhaps you meant to reference the column \"{}\".", one.1)),
            [a, b] => Some(format!("Perhaps you meant to reference the column \"{}\" or the column \"{}\".", a.1, b.1)),
            _ => None,
        }
    }

    /// `t.a`, `s.t.a`, `db.s.t.a`
    pub(super) fn qualified(&mut self, names: &[String], at: At) -> Result<Expr> {
        let (schema, table, column) = match names {
            [t, c] => (None, t.as_str(), c.as_str()),
            [s, t, c] => (Some(s.as_str()), t.as_str(), c.as_str()),
            [db, s, t, c] if db == self.cx.env.database() => (Some(s.as_str()), t.as_str(), c.as_str()),
            [_, _, _, _] => {
                let shown = names.join(".");
                let e = err!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: {shown}");
                return Err(self.at(e, at));
            }
            _ => {
                let e = err!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {}", names.join("."));
                return Err(self.at(e, at));
            }
        };
        for up in 0..self.scopes.len() {
            let s = &self.scopes[self.scopes.len() - 1 - up];
            let Some(r) = s.rte(schema, table) else { continue };
            if r.hidden {
                let e = err!(UNDEFINED_TABLE, "invalid reference to FROM-clause entry for table \"{table}\"");
                let hint = "it cannot be referenced from this part of the query.";
                return Err(self.at(e.hint(format!("There is an entry for table \"{table}\", but {hint}")), at));
            }
            self.lateral_ok(r, at)?;
            let mut hits = r.cols.iter().filter(|c| c.name == column);
            if let Some(c) = hits.next() {
                if hits.next().is_some() {
                    return Err(self.at(ambiguous(column), at));
                }
                let e = c.expr.clone();
                return Ok(self.refer(up, e, at));
            }
            if let Some(e) = r.system(column) {
                return Ok(self.refer(up, e, at));
            }
            if is_system(column) && r.table.is_some() {
                return Err(Error::unsupported(format!("system column \"{column}\"")));
            }
            let whole = ExprKind::Column { path: names[..names.len() - 1].to_vec(), star: true };
            if let Some(e) = self.called_on(column, tree::Expr { kind: whole, at }, at)? {
                return Ok(e);
            }
            let s = &self.scopes[self.scopes.len() - 1 - up];
            let Some(r) = s.rte(schema, table) else { continue };
            let mut e = err!(UNDEFINED_COLUMN, "column {table}.{column} does not exist");
            let close: Vec<&RteCol> = r
                .cols
                .iter()
                .filter(|c| {
                    let d = distance(column, &c.name);
                    d <= 3 && d * 2 <= column.chars().count()
                })
                .collect();
            if let [c] = close.as_slice() {
                e = e.hint(format!("Perhaps you meant to reference the column \"{table}.{}\".", c.name));
            }
            return Err(self.at(e, at));
        }
        Err(self.at(self.missing_table(schema, table), at))
    }

    pub(super) fn missing_table(&self, schema: Option<&str>, table: &str) -> Error {
        // Only the last part of a qualified name is shown.
        let (_, shown) = (schema, table);
        // The real name of a table that goes by an alias.
        for s in self.scopes.iter().rev() {
            for r in &s.rtes {
                if schema.is_some() && r.name.as_deref() == Some(table) {
                    let hint = "it cannot be referenced from this part of the query.";
                    return err!(UNDEFINED_TABLE, "invalid reference to FROM-clause entry for table \"{shown}\"")
                        .hint(format!("There is an entry for table \"{table}\", but {hint}"));
                }
                if r.table.as_ref().is_some_and(|t| t.name == table)
                    && let Some(alias) = r.name.as_deref().filter(|a| *a != table)
                {
                    return err!(UNDEFINED_TABLE, "invalid reference to FROM-clause entry for table \"{shown}\"")
                        .hint(format!("Perhaps you meant to reference the table alias \"{alias}\"."));
                }
            }
        }
        err!(UNDEFINED_TABLE, "missing FROM-clause entry for table \"{shown}\"")
    }
}

fn ambiguous(column: &str) -> Error {
    err!(AMBIGUOUS_COLUMN, "column reference \"{column}\" is ambiguous")
}
fn is_system(name: &str) -> bool {
    matches!(name, "ctid" | "xmin" | "xmax" | "cmin" | "cmax")
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let next = (diagonal + (ca != *cb) as usize).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// True when an expression's type is not settled.
pub(super) fn is_unknown(e: &Expr) -> bool {
    e.ty().oid == oid::UNKNOWN
}

/// A row written out, or a whole-row reference as one.
pub fn bare_row(e: Expr) -> Expr {
    match e {
        Expr::Cast { e, f: pamir_expr::ir::CastHow::Relabel, .. } if matches!(*e, Expr::Row(_)) => *e,
        e => e,
    }
}

impl Binder<'_, '_> {
    /// Like [`bare_row`], also where the row may be missing: its fields are NULL then too.
    pub(super) fn row_fields(&self, e: Expr) -> Expr {
        match e {
            Expr::Case { mut whens, otherwise, ty } => {
                let ours = matches!(whens.as_slice(), [(Expr::IsNull(x, true), _)]
                    if matches!(**x, Expr::Col(id, _) if self.presences.iter().any(|p| p.0 == id)));
                match whens.pop() {
                    Some((_, row)) if ours && matches!(*otherwise, Expr::Const(pamir_types::Datum::Null, _)) => {
                        bare_row(row)
                    }
                    last => {
                        whens.extend(last);
                        Expr::Case { whens, otherwise, ty }
                    }
                }
            }
            e => bare_row(e),
        }
    }
}
