//! INSERT, UPDATE, DELETE. MERGE: [`merge`]; ON CONFLICT: [`conflict`]; assignments: [`set`], to parts of columns: [`places`].
mod conflict;
mod merge;
mod places;
pub mod ruled;
mod set;
pub mod through;

use super::Binder;
use super::scope::{Rte, Scope};
use super::select::{Target, column_at, is_star};
use pamir_catalog::trigger::{Event, Timing};
use pamir_catalog::{Column, Identity, Relation, Table, acl};
use pamir_expr::casts::mismatch;
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{CastHow, ColId, Expr, JoinKind, Modify, ModifyOp, OutCol, Rel, RowSystem};
use pamir_parse::tree::{self, ExprKind, Overriding, Place, SelectBody, Statement, TableRef};
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use ruled::Ruled;
use std::sync::Arc;
use through::Given;

/// INSERT's target columns, and what becomes known of them.
#[derive(Clone)]
struct Columns<'t> {
    table: Arc<Table>,
    /// As written; None: all, in order.
    written: Option<&'t [Place]>,
    /// With the type that is assigned: a part's own.
    list: Vec<Column>,
    /// How many the source gives.
    given: usize,
    /// Which had something else than DEFAULT.
    set: Vec<bool>,
}
impl<'t> Columns<'t> {
    /// The part of a column that the `n`-th is.
    fn part(&self, n: usize) -> Option<&'t Place> {
        self.written?.get(n).filter(|p| !p.steps.is_empty())
    }
    /// The source has `n` columns for them; `row`: of parentheses too many, its one expression's fields.
    fn too_few(&self, n: usize, row: Option<usize>, b: &Binder<'_, '_>) -> Option<Error> {
        let places = self.written.filter(|p| n < p.len())?;
        let mut e = err!(SYNTAX_ERROR, "INSERT has more target columns than expressions");
        if row == Some(places.len()) {
            e = e.hint("The insertion source is a row expression containing the same number of columns expected by the INSERT. Did you accidentally use extra parentheses?");
        }
        Some(b.at(e, places[n].at))
    }
}

impl Binder<'_, '_> {
    pub(super) fn modify(&mut self, s: &Statement) -> Result<Modify> {
        let with = match s {
            Statement::Insert(i) => &i.with,
            Statement::Update(u) => &u.with,
            Statement::Delete(d) => &d.with,
            Statement::Merge(m) => &m.with,
            _ => return Err(Error::internal("this statement changes nothing")),
        };
        let mark = self.with(with.as_ref())?;
        let m = match s {
            Statement::Insert(i) => self.insert(i),
            Statement::Update(u) => self.update(u),
            Statement::Delete(d) => self.delete(d),
            Statement::Merge(m) => self.merge(m),
            _ => Err(Error::internal("this statement changes nothing")),
        };
        self.end_with(mark);
        m
    }

    /// The table that a statement changes. `mode`: the privilege for that.
    fn target(&mut self, name: &tree::Relation, mode: acl::Mode, merge: bool) -> Result<Arc<Table>> {
        let (schema, table) = self.relation_parts(name)?;
        let t = match self.resolve(schema, table, name.at)? {
            Some(Relation::Table(t)) if merge && !self.cx.catalog.rules_of(t.oid).is_empty() => {
                let e = err!(FEATURE_NOT_SUPPORTED, "cannot execute MERGE on relation \"{table}\"");
                return Err(e.detail("MERGE is not supported for relations with rules."));
            }
            Some(Relation::Table(t)) if merge && t.view.is_some() => {
                let e = err!(FEATURE_NOT_SUPPORTED, "cannot execute MERGE on relation \"{table}\"");
                return Err(e.detail(format!("This operation is not supported for {}s.", t.word())));
            }
            Some(Relation::Table(t)) if t.view.as_ref().is_some_and(|v| v.materialized) => {
                bail!(WRONG_OBJECT_TYPE, "cannot change materialized view \"{table}\"")
            }
            Some(Relation::Table(t)) => t,
            Some(Relation::Sequence(_)) => bail!(WRONG_OBJECT_TYPE, "cannot change sequence \"{table}\""),
            Some(Relation::Index(..)) => {
                let e = err!(WRONG_OBJECT_TYPE, "cannot open relation \"{table}\"")
                    .detail("This operation is not supported for indexes.");
                return Err(self.at(e, name.at));
            }
            Some(Relation::Virtual(_)) => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{table}\" is a system catalog")
            }
            None => {
                let shown = schema.map_or(table.to_string(), |s| format!("{s}.{table}"));
                return Err(self.at(err!(UNDEFINED_TABLE, "relation \"{shown}\" does not exist"), name.at));
            }
        };
        self.use_table(&t, TableLock::RowExclusive);
        self.uses.begin(t.oid, mode);
        Ok(t)
    }

    /// The default of a column: its stored expression, its sequence, or NULL.
    fn default_of(&mut self, t: &Table, c: &Column) -> Result<Expr> {
        // Of a view's column it is known when the view is taken apart, of a rule's action when that is used.
        if t.view.is_some() || self.recording() {
            return Ok(Expr::Default);
        }
        let e = self.plain_default(t, c)?;
        self.into_domain(e, t, c)
    }
    /// What a column of a domain gets: looked at by the domain. Any other column gets it as it is.
    fn into_domain(&mut self, e: Expr, t: &Table, c: &Column) -> Result<Expr> {
        let Some(domain) = t.declared.domain(c.attnum) else { return Ok(e) };
        let ty = Type::new(domain);
        let e = match e {
            Expr::Cast { f: CastHow::Domain, ty: x, .. } if x == ty => e,
            e => Expr::Cast { e: Box::new(e), f: CastHow::Domain, ty, explicit: false },
        };
        Ok(Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty: c.ty, explicit: false })
    }
    fn plain_default(&mut self, t: &Table, c: &Column) -> Result<Expr> {
        if c.identity.is_some()
            && let Some(seq) = c.sequence
        {
            let f = pamir_expr::func::system::IDENTITY_NEXTVAL;
            let e = self.function(f, vec![Expr::Const(Datum::Oid(seq), Type::new(oid::REGCLASS))], false)?;
            return self.coerce(e, c.ty, CastContext::Assignment);
        }
        match &c.default {
            Some(d) => self.stored(&d.0, None, c.ty),
            None => {
                // A domain has a default of its own, or of what it is over.
                let domain = t.declared.domain(c.attnum);
                match domain.and_then(|d| self.cx.catalog.domain_default(d)).cloned() {
                    Some(text) => self.stored(&text.0, None, c.ty),
                    None => Ok(Expr::Const(Datum::Null, c.ty)),
                }
            }
        }
    }

    /// Assigns an expression to a column.
    fn assign(&mut self, e: Expr, t: &Table, c: &Column) -> Result<Expr> {
        if let Some(domain) = t.declared.domain(c.attnum)
            && !matches!(e, Expr::Default)
        {
            let from = e.ty();
            let to = Type::new(domain);
            return match self.try_coerce(e, to, CastContext::Assignment)? {
                Some(e) => self.into_domain(e, t, c),
                None => Err(mismatch(&c.name, to, from)),
            };
        }
        if e.ty() == c.ty && !matches!(e, Expr::Default) {
            return Ok(e);
        }
        let from = e.ty();
        if let Expr::Row(_) = e
            && !oid::is_composite(c.ty.oid)
        {
            return Err(mismatch(&c.name, c.ty, Type::new(oid::RECORD)));
        }
        match self.try_coerce(e, c.ty, CastContext::Assignment)? {
            Some(e) => Ok(e),
            None => Err(mismatch(&c.name, c.ty, from)),
        }
    }

    fn insert(&mut self, i: &tree::Insert) -> Result<Modify> {
        let table = self.target(&i.into, acl::INSERT, false)?;
        let target = self.uses.newest();
        let alias = i.alias.clone().unwrap_or_else(|| table.name.clone());
        let (mut columns, parts, mut cols) = self.insert_columns(i.columns.as_deref(), &table)?;
        let mut source = match &i.source {
            None => {
                cols.given = 0;
                Rel::One
            }
            Some(q) => match &q.body {
                SelectBody::Values(rows) if !general(q, rows) => {
                    let (mark, given) = (self.cte_names.len(), cols.clone());
                    match self.insert_values(rows, &mut cols) {
                        // One row with set-returning functions is a query's.
                        Err(e) if e.code() == state::FEATURE_NOT_SUPPORTED && is_of_sets(&e) && rows.len() == 1 => {
                            self.cte_names.truncate(mark);
                            cols = given;
                            let q = selected(q, &rows[0]);
                            self.insert_select(&q, &mut cols)?
                        }
                        r => r?,
                    }
                }
                _ => self.insert_select(q, &mut cols)?,
            },
        };
        columns.truncate(cols.given);
        if !parts.is_empty() {
            source = self.whole_columns(source, &mut columns, &mut cols, &parts, &table)?;
        }
        for n in &columns {
            self.uses.insert(target, *n);
        }
        let through = table.view.is_some() || self.recording();
        let mut defaults = Vec::new();
        if !through {
            self.settle_columns(&mut source, &mut columns, &cols, i.overriding)?;
            defaults = self.defaults_beside(&table, &columns)?;
        }
        let (row_cols, mut rte) = self.row(&table, &alias);
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let (on_conflict, inference) = match &i.on_conflict {
            None => (None, None),
            Some(c) => {
                let (c, inference) = self.on_conflict(c, &table, &alias, target)?;
                (Some(c), inference)
            }
        };
        let mut s = Scope::default();
        s.add(rte);
        let returning = self.returning(&i.returning, s)?;
        let op = ModifyOp::Insert { source, columns, defaults, on_conflict };
        let (checks, members) = (Vec::new(), self.partitions(&table));
        let guards = Vec::new();
        let mut m = Modify { table, op, returning, row_cols, system, checks, guards, uncounted: false, members };
        self.restrict(&mut m, self.reads_target(target))?;
        let given = Given { set: cols.set, overriding: i.overriding, inference };
        self.rewritten(m, target, given)
    }
    /// What is done to the target: what its rules say, or through a view to what that shows.
    fn rewritten(&mut self, m: Modify, target: usize, given: Given) -> Result<Modify> {
        if self.recording() {
            return Ok(m);
        }
        let m = match self.by_rules(m)? {
            Ruled::Done(m) => return Ok(*m),
            Ruled::Own(m) => *m,
        };
        if m.table.view.is_none() {
            return Ok(m);
        }
        if instead_of(&m.table, privilege(&m.op)) {
            return self.for_triggers(m);
        }
        let m = self.through(m, target, given)?;
        let (Ruled::Done(m) | Ruled::Own(m)) = self.by_rules(m)?;
        Ok(*m)
    }
    fn by_rules(&mut self, m: Modify) -> Result<Ruled> {
        match self.steps_of(&m)? {
            None => Ok(Ruled::Own(Box::new(m))),
            Some(steps) => self.ruled_step(m, steps),
        }
    }
    /// INSERT's target columns; parts of columns by position.
    #[allow(clippy::type_complexity)]
    fn insert_columns<'t>(
        &mut self,
        written: Option<&'t [Place]>,
        table: &Arc<Table>,
    ) -> Result<(Vec<i16>, Vec<(usize, &'t Place)>, Columns<'t>)> {
        let mut columns: Vec<i16> = Vec::new();
        // Parts of columns, by position.
        let mut parts: Vec<(usize, &Place)> = Vec::new();
        match written {
            None => columns.extend(table.live_columns().map(|c| c.attnum)),
            Some(places) => {
                for p in places {
                    let n = &p.column;
                    let Some(col) = table.column_by_name(n) else {
                        return Err(self.no_column(p, table));
                    };
                    let before = columns.iter().position(|a| *a == col.attnum);
                    let part = !p.steps.is_empty();
                    if before.is_some_and(|b| !part || parts.iter().all(|p| p.0 != b)) {
                        let e = err!(DUPLICATE_COLUMN, "column \"{n}\" specified more than once");
                        return Err(self.at(e, p.at));
                    }
                    if part {
                        parts.push((columns.len(), p));
                    }
                    columns.push(col.attnum);
                }
            }
        }
        let mut cols = Columns {
            table: table.clone(),
            written,
            list: columns.iter().filter_map(|n| table.column(*n)).cloned().collect(),
            given: columns.len(),
            set: vec![false; columns.len()],
        };
        for (at, part) in &parts {
            let c = &mut cols.list[*at];
            c.ty = self.part_type(part, table.declared_type(c))?;
        }
        Ok((columns, parts, cols))
    }
    /// Identity and generated columns of the target: what may not be given is refused, what the server computes leaves the list.
    fn settle_columns(
        &mut self,
        source: &mut Rel,
        columns: &mut Vec<i16>,
        cols: &Columns,
        overriding: Option<Overriding>,
    ) -> Result<()> {
        let kept = &cols.list[..cols.given];
        for (c, w) in std::iter::zip(kept, &cols.set) {
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
        if overriding == Some(Overriding::User) && kept.iter().any(|c| c.identity.is_some()) {
            let Rel::Values { rows, .. } = &mut *source else {
                return Err(Error::unsupported("OVERRIDING USER VALUE with a query"));
            };
            for (n, c) in kept.iter().enumerate().filter(|c| c.1.identity.is_some()) {
                let d = self.default_of(&cols.table, c)?;
                for r in rows.iter_mut() {
                    r[n] = d.clone();
                }
            }
        }
        // Generated columns leave the list: the executor computes them.
        if kept.iter().any(|c| c.generated.is_some()) {
            let keep: Vec<bool> = kept.iter().map(|c| c.generated.is_none()).collect();
            if let Rel::Values { rows, cols } = &mut *source {
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
        Ok(())
    }
    /// The defaults of the columns that are not given.
    fn defaults_beside(&mut self, table: &Table, columns: &[i16]) -> Result<Vec<(i16, Expr)>> {
        let mut defaults = Vec::new();
        for c in table.live_columns().filter(|c| !columns.contains(&c.attnum) && c.generated.is_none()) {
            if c.default.is_some() || c.identity.is_some() || table.declared.domain(c.attnum).is_some() {
                let d = self.default_of(table, c)?;
                defaults.push((c.attnum, d));
            }
        }
        Ok(defaults)
    }
    fn no_column(&self, p: &Place, t: &Table) -> Error {
        let e = err!(UNDEFINED_COLUMN, "column \"{}\" of relation \"{}\" does not exist", p.column, t.name);
        self.at(e, p.at)
    }

    fn insert_values(&mut self, written: &[Vec<tree::Expr>], cols: &mut Columns) -> Result<Rel> {
        let width = written.first().map_or(0, |r| r.len());
        let mut defaults: Vec<Option<Expr>> = vec![None; cols.list.len()];
        let mut rows = Vec::with_capacity(written.len());
        for r in written {
            self.same_width(r, r.len(), width)?;
            if let Some(x) = r.get(cols.list.len()) {
                return Err(self.too_many_values(x.leftmost()));
            }
            let fields = match r.as_slice() {
                [tree::Expr { kind: ExprKind::Row { fields, .. }, .. }] => Some(fields.len()),
                _ => None,
            };
            if let Some(e) = cols.too_few(width, fields, self) {
                return Err(e);
            }
            let mut row = Vec::with_capacity(width);
            for (n, (e, c)) in std::iter::zip(r, &cols.list).enumerate() {
                if let ExprKind::Default = e.kind {
                    if let Some(p) = cols.part(n) {
                        return Err(self.default_of_part(p));
                    }
                    let default = match defaults[n].take() {
                        Some(d) => d,
                        None if c.generated.is_some() => Expr::Const(Datum::Null, c.ty),
                        None => self.default_of(&cols.table, c)?,
                    };
                    defaults[n] = Some(default.clone());
                    cols.set[n] |= cols.table.view.is_some() && c.default.is_some();
                    row.push(default);
                    continue;
                }
                cols.set[n] = true;
                let part = cols.part(n);
                let declared = match part {
                    Some(_) => c.ty,
                    None => cols.table.declared.domain(c.attnum).map_or(c.ty, Type::new),
                };
                let x = self.in_values(|b| b.row_for(e, declared))?;
                let x = match part {
                    Some(p) => self.value_of_part(p, x, c.ty),
                    None => self.assign(x, &cols.table, c),
                };
                row.push(x.map_err(|x| self.place(x, e.leftmost()))?);
            }
            rows.push(row);
        }
        cols.given = width;
        let out = cols.list[..width].iter().map(|c| self.out(c.name.clone(), c.ty)).collect();
        Ok(Rel::Values { rows, cols: out })
    }
    fn too_many_values(&self, at: tree::At) -> Error {
        self.at(err!(SYNTAX_ERROR, "INSERT has more expressions than target columns"), at)
    }

    fn insert_select(&mut self, q: &tree::Select, cols: &mut Columns) -> Result<Rel> {
        let hints: Vec<Type> = cols.list.iter().map(|c| c.ty).collect();
        let (b, _) = self.subquery_level(|b| b.query(q, Some(&hints), true))?;
        let n = b.cols.len();
        if n > cols.list.len() {
            return Err(self.too_many_values(column_at(q, cols.list.len())));
        }
        let fields = match &q.body {
            SelectBody::Select(s) => match s.targets.as_slice() {
                [tree::Target { expr: tree::Expr { kind: ExprKind::Row { fields, .. }, .. }, .. }] => {
                    Some(fields.len())
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(e) = cols.too_few(n, fields, self) {
            return Err(e);
        }
        cols.given = n;
        cols.set[..n].fill(true);
        let domain = |n: usize, c: &Column| cols.part(n).is_none() && cols.table.declared.domain(c.attnum).is_some();
        let fits = |(n, (o, c)): (usize, (&OutCol, &Column))| {
            !domain(n, c) && (o.ty == c.ty || o.ty.oid == c.ty.oid && c.ty.typmod == -1)
        };
        if std::iter::zip(&b.cols, &cols.list).enumerate().all(fits) {
            return Ok(b.rel);
        }
        let mut targets = Vec::with_capacity(n);
        for (k, (o, c)) in std::iter::zip(&b.cols, &cols.list).enumerate() {
            let e = match cols.part(k) {
                Some(p) => self.value_of_part(p, Expr::Col(o.id, o.ty), c.ty),
                None => self.assign(Expr::Col(o.id, o.ty), &cols.table, c),
            };
            let e = e.map_err(|e| self.place(e, column_at(q, k)))?;
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
        if rte.table.as_ref().is_some_and(|t| t.view.is_some()) {
            return RowSystem::default();
        }
        rte.ctid = self.named().ctid.then(|| self.new_col());
        rte.xmax = self.named().xmax.then(|| self.new_col());
        rte.tableoid = self.named().tableoid.then(|| self.new_col());
        RowSystem { ctid: rte.ctid, xmax: rte.xmax, tableoid: rte.tableoid }
    }

    /// New columns that stand for a row of `t`.
    pub(super) fn row(&mut self, t: &Arc<Table>, alias: &str) -> (Vec<(i16, ColId)>, Rte) {
        let cols: Vec<(i16, ColId)> = t.live_columns().map(|c| c.attnum).map(|n| (n, self.new_col())).collect();
        let mut rte = Rte::table_cols(alias, t, &cols);
        rte.table = Some(t.clone());
        self.schema_of_target(t, &mut rte);
        (cols, rte)
    }

    fn returning(&mut self, items: &[tree::Target], s: Scope) -> Result<Option<Vec<(Expr, OutCol)>>> {
        if items.is_empty() {
            return Ok(None);
        }
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
        if let (true, Some(first)) = (out.is_empty(), items.first()) {
            let e = err!(SYNTAX_ERROR, "RETURNING must have at least one column");
            return Err(self.at(e, first.expr.at));
        }
        Ok(Some(out))
    }

    fn update(&mut self, u: &tree::Update) -> Result<Modify> {
        let (table, alias) = self.dml_target(&u.table, u.alias.as_deref(), acl::UPDATE, false)?;
        let target = self.uses.newest();
        let (mut source, key, old_cols, rte) = self.dml_scan(&table, u.table.only, &alias, acl::UPDATE)?;
        self.uses.columns_of(target, &table, &rte);
        let target_name = rte.name.clone();
        let mut scope = Scope::default();
        scope.add(rte);
        let extra = self.dml_from(&u.from, &mut source, &mut scope)?;
        let sub = self.sub_scope(scope);
        let r = self
            .assignments(&u.set, &table, target)
            .and_then(|set| Ok((set, self.dml_where(u.filter.as_ref(), &table, key)?)));
        self.leave(sub);
        let (mut set, cond) = r?;
        let through = table.view.is_some();
        if !through {
            set.retain(|s| !matches!(s.1, Expr::Default));
        }
        let recheck = cond.clone().filter(|_| asks_again(u.filter.as_ref()));
        if let Some(cond) = cond.filter(|_| !through) {
            source = Rel::Filter { input: Box::new(source), cond };
        }
        let (row_cols, mut rte) = self.row(&table, target_name.as_deref().unwrap_or(&alias));
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let mut s = Scope::default();
        s.add(rte);
        s.merge(extra);
        let returning = self.returning(&u.returning, s)?;
        self.give_presence(&mut source);
        let op = ModifyOp::Update { source, key, old_cols, set, recheck };
        let (checks, members) = (Vec::new(), self.members(key));
        let guards = Vec::new();
        let mut m = Modify { table, op, returning, row_cols, system, checks, guards, uncounted: false, members };
        self.restrict(&mut m, self.reads_target(target))?;
        self.rewritten(m, target, Given::default())
    }

    fn delete(&mut self, d: &tree::Delete) -> Result<Modify> {
        let (table, alias) = self.dml_target(&d.from, d.alias.as_deref(), acl::DELETE, false)?;
        let target = self.uses.newest();
        let (mut source, key, old_cols, rte) = self.dml_scan(&table, d.from.only, &alias, acl::DELETE)?;
        self.uses.columns_of(target, &table, &rte);
        let mut scope = Scope::default();
        scope.add(rte);
        let extra = self.dml_from(&d.using, &mut source, &mut scope)?;
        let sub = self.sub_scope(scope);
        let r = self.dml_where(d.filter.as_ref(), &table, key);
        self.leave(sub);
        let cond = r?;
        let through = table.view.is_some();
        let recheck = cond.clone().filter(|_| asks_again(d.filter.as_ref()));
        if let Some(cond) = cond.filter(|_| !through) {
            source = Rel::Filter { input: Box::new(source), cond };
        }
        let (row_cols, mut rte) = self.row(&table, &alias);
        let system = self.written(&mut rte);
        self.uses.columns_of(target, &table, &rte);
        let mut s = Scope::default();
        s.add(rte);
        s.merge(extra);
        let returning = self.returning(&d.returning, s)?;
        self.give_presence(&mut source);
        let op = ModifyOp::Delete { source, key, old_cols, recheck };
        let (checks, members) = (Vec::new(), self.members(key));
        let guards = Vec::new();
        let mut m = Modify { table, op, returning, row_cols, system, checks, guards, uncounted: false, members };
        self.restrict(&mut m, self.reads_target(target))?;
        self.rewritten(m, target, Given::default())
    }

    fn dml_target(
        &mut self,
        name: &tree::Relation,
        alias: Option<&str>,
        mode: acl::Mode,
        merge: bool,
    ) -> Result<(Arc<Table>, String)> {
        let table = self.target(name, mode, merge)?;
        let alias = alias.unwrap_or(&table.name).to_string();
        Ok((table, alias))
    }

    #[allow(clippy::type_complexity)]
    fn dml_scan(
        &mut self,
        t: &Arc<Table>,
        only: bool,
        alias: &str,
        mode: acl::Mode,
    ) -> Result<(Rel, ColId, Vec<(i16, ColId)>, Rte)> {
        if let Some(v) = t.plain_view().filter(|_| instead_of(t, mode) && !self.has_rule(t, mode)).cloned() {
            let (rel, cols) = self.view(t, &v, &[])?;
            let mut rte = Rte::of(alias, &cols);
            rte.table = Some(t.clone());
            self.schema_of_target(t, &mut rte);
            let old = std::iter::zip(t.live_columns(), &cols).map(|(c, o)| (c.attnum, o.id)).collect();
            // It has no rows of its own, and so no keys.
            return Ok((rel, self.new_col(), old, rte));
        }
        if t.view.is_some() {
            // The place of what the view shows: who takes the view apart puts it there.
            let (cols, rte) = self.row(t, alias);
            return Ok((Rel::One, 0, cols, rte));
        }
        let (mut rel, mut rte) = self.scan(t, alias);
        self.schema_of_target(t, &mut rte);
        let k = rte.ctid.unwrap_or_else(|| self.new_col());
        let mut old = Vec::new();
        if let Rel::Table { key, cols, .. } = &mut rel {
            *key = Some(k);
            old = cols.iter().map(|(n, c)| (*n, c.id)).collect();
        }
        if !only && !t.children().is_empty() {
            rel = self.whole_family(rel, &mut rte, TableLock::RowExclusive)?;
        }
        Ok((rel, k, old, rte))
    }

    /// `ctid = ` the place of the row that the cursor is on.
    fn current_of(&mut self, cursor: &str, t: &Table, key: ColId) -> Result<Expr> {
        let text = |s: &str| Expr::Const(Datum::from(s), Type::TEXT);
        // A variable has the cursor's name.
        let path = [cursor.to_string()];
        let variable = self.names.clone().and_then(|n| n.find(&path).map(|(v, _)| v.number));
        let ty = variable.and_then(|n| self.variable_type(n));
        let named = match (variable, ty) {
            (Some(n), Some(ty)) if ty.oid == oid::REFCURSOR => Expr::Param(n, ty),
            _ => text(cursor),
        };
        let args = vec![named, Expr::Const(Datum::Oid(t.oid), Type::new(oid::OID)), text(&t.name)];
        let f = func::functions(func::system::CURRENT_OF).first().copied();
        let f = f.ok_or_else(|| Error::internal("WHERE CURRENT OF is not registered"))?;
        let tid = Type::new(oid::TID);
        let place = Expr::Call { f: f.into(), args, ty: tid };
        self.operator("=", Some(Expr::Col(key, tid)), place)
    }
    /// FROM of UPDATE, USING of DELETE: joined to the target. Returns the added names.
    fn dml_from(&mut self, items: &[TableRef], source: &mut Rel, scope: &mut Scope) -> Result<Scope> {
        if items.is_empty() {
            return Ok(Scope::default());
        }
        let (rel, extra) = self.from(items, &[])?;
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

    fn dml_where(&mut self, w: Option<&tree::Expr>, t: &Table, key: ColId) -> Result<Option<Expr>> {
        let Some(w) = w else { return Ok(None) };
        if let ExprKind::CurrentOf(cursor) = &w.kind {
            if t.view.is_some() {
                bail!(FEATURE_NOT_SUPPORTED, "WHERE CURRENT OF on a view is not implemented");
            }
            if self.members(key).is_some() {
                // A place is one within a table.
                return Err(Error::unsupported("WHERE CURRENT OF for a table that others inherit from"));
            }
            return self.current_of(cursor, t, key).map(Some);
        }
        self.condition(w, "WHERE").map(Some)
    }
}

/// Is WHERE asked again of a row that changed meanwhile? The row that a cursor is on stays the one that is meant.
fn asks_again(w: Option<&tree::Expr>) -> bool {
    !w.is_some_and(|w| matches!(w.kind, ExprKind::CurrentOf(_)))
}
/// What is asked of the target of a change.
fn privilege(op: &ModifyOp) -> acl::Mode {
    match op {
        ModifyOp::Insert { .. } => acl::INSERT,
        ModifyOp::Update { .. } => acl::UPDATE,
        ModifyOp::Delete { .. } => acl::DELETE,
        ModifyOp::Merge { .. } => 0,
    }
}
/// Has a view an INSTEAD OF trigger for the change that needs this privilege?
fn instead_of(t: &Table, mode: acl::Mode) -> bool {
    let event = match mode {
        acl::INSERT => Event::Insert,
        acl::UPDATE => Event::Update,
        acl::DELETE => Event::Delete,
        _ => return false,
    };
    t.triggers.as_ref().is_some_and(|g| g.any(Timing::InsteadOf, true, event))
}

/// Is it a query like others, with something around its VALUES or in them that a list of plain values has not? Then there are no DEFAULTs in it.
/// Was a set-returning function refused for its place among values?
fn is_of_sets(e: &Error) -> bool {
    e.message() == "set-returning functions are not allowed in VALUES"
}
/// `VALUES (a, b)` as `SELECT a, b`.
fn selected(q: &tree::Select, row: &[tree::Expr]) -> tree::Select {
    let target = |e: &tree::Expr| tree::Target { expr: e.clone(), name: None, at: e.at };
    let core = tree::SelectCore { targets: row.iter().map(target).collect(), ..Default::default() };
    tree::Select { body: SelectBody::Select(Box::new(core)), ..q.clone() }
}
fn general(q: &tree::Select, rows: &[Vec<tree::Expr>]) -> bool {
    let around = q.with.is_some() || !q.order_by.is_empty() || !q.locking.is_empty();
    around || q.limit.is_some() || q.offset.is_some() || rows.iter().flatten().any(is_star)
}
