//! Materialized views: a query whose rows are kept in a tree of its own, as of the last REFRESH.
//!
//! ```text
//! CREATE: a table of the query's columns ──the session fills it──> the same with the query: a view     (WITH NO DATA: not filled, not populated)
//! REFRESH: new empty trees, a table ──the session fills it, as the owner──> indexes built, a view again     the old trees go when nobody reads them
//! ```
//! While it is filled it is a table to this transaction alone: nobody else sees its catalog. So the one statement that writes rows needs no exception.
//!
//! *Invariants*: committed, it has its query; indexes have an entry for each row, and none of them is a key.
//!
//! REFRESH CONCURRENTLY asks for what PostgreSQL asks for and lets readers go on meanwhile; what it writes are new trees all the same.
use super::cx::Name;
use super::{DdlCtx, alter, build, table, view};
use pamir_catalog::depend::Class;
use pamir_catalog::temporary::is_temporary;
use pamir_catalog::{Index, Relation, Table, View};
use pamir_parse::tree::{AlterTable, CreateTableAs, Persistence, Refresh, Select, Statement};
use pamir_plan::bind::record;
use pamir_txn::{TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

/// A materialized view that is to be filled: it is a table until [`finish`].
pub struct Unfinished {
    pub table: Arc<Table>,
    view: View,
    /// To be built when the rows are there.
    indexes: Vec<Index>,
    /// Its rows take the place of others one by one, as who looks at them is to believe.
    concurrent: bool,
}

/// None: there is one already (IF NOT EXISTS; the notice is said).
pub fn begin(c: &CreateTableAs, cx: &mut DdlCtx) -> Result<Option<Unfinished>> {
    let Statement::Select(query) = &c.source else {
        return Err(Error::unsupported("CREATE MATERIALIZED VIEW AS EXECUTE"));
    };
    if c.persistence == Persistence::Unlogged {
        bail!(FEATURE_NOT_SUPPORTED, "materialized views cannot be unlogged");
    }
    if let Some(w) = &query.with
        && w.ctes.iter().any(|c| !matches!(c.query, Statement::Select(_)))
    {
        bail!(FEATURE_NOT_SUPPORTED, "materialized views must not use data-modifying statements in WITH");
    }
    let parameters = table::parameters(&c.tail)?;
    let form = view::bind(query, cx)?;
    if form.record.depends.iter().any(|d| d.class == Class::Relation && is_temporary(d.oid)) {
        bail!(FEATURE_NOT_SUPPORTED, "materialized views must not use temporary tables or views");
    }
    let names = view::names(&c.columns, &form, "too many column names were specified")?;
    let (schema, name) = cx.creation_name_of(&c.name.parts, c.persistence)?;
    let n = Name::relation(schema, &name);
    if cx.name_taken(&n)? {
        if !c.if_not_exists {
            return Err(n.taken());
        }
        cx.notice_exists(&n.taken());
        return Ok(None);
    }
    let text = view::text_of(&form, &names, cx)?;
    let mut t = table::blank(schema, name, cx)?;
    view::columns(&mut t, &names, &form, cx)?;
    let oid = t.oid;
    t.declared.options = parameters.into_iter().map(|(n, v)| (oid, n, v)).collect();
    t.depends = form.record.depends.clone();
    t.tree = cx.new_tree(schema)?.0;
    let rule = cx.new_oid_in(schema)?;
    let view =
        View { text, rule, barrier: false, invoker: false, check: None, materialized: true, populated: c.with_data };
    let table = cx.put_table(t)?;
    Ok(Some(Unfinished { table, view, indexes: Vec::new(), concurrent: false }))
}
/// The rows are there.
pub fn finish(u: &Unfinished, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = cx.catalog.table(u.table.oid).cloned() else { return Ok(()) };
    let mut t = (*t).clone();
    t.indexes.clone_from(&u.indexes);
    t.cache = Default::default();
    for i in &u.indexes {
        build::build_index(cx, &t, i).map_err(|e| if u.concurrent { inserted(e, &t, i, cx) } else { e })?;
    }
    t.view = Some(Arc::new(u.view.clone()));
    cx.put_table(t)?;
    Ok(())
}

/// What inserting one by one says of two rows of one key.
fn inserted(e: Error, t: &Table, i: &Index, cx: &DdlCtx) -> Error {
    let (true, Some(detail)) = (e.code() == state::UNIQUE_VIOLATION, e.data().detail.as_deref()) else { return e };
    let detail = detail.replace(" is duplicated.", " already exists.");
    let schema = cx.catalog.schema(t.schema).map_or("", |s| &s.name);
    err!(UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"{}\"", i.name)
        .detail(detail)
        .table(schema, &*t.name)
        .constraint(&*i.name)
}

/// Begins a REFRESH; also the query to run, and whose privileges it has.
pub fn refresh(r: &Refresh, cx: &mut DdlCtx) -> Result<(Unfinished, Select, Oid)> {
    if r.concurrently && !r.with_data {
        bail!(SYNTAX_ERROR, "CONCURRENTLY and WITH NO DATA options cannot be used together");
    }
    let (schema, name) = cx.split(&r.view.parts)?;
    let t = match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Table(t) if t.plain_view().is_none() => t,
        _ => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a table or materialized view"),
    };
    cx.check_owner(t.owner, t.word(), &t.name)?;
    let Some(v) = t.view.clone().filter(|v| v.materialized) else {
        bail!(FEATURE_NOT_SUPPORTED, "\"{name}\" is not a materialized view");
    };
    if r.concurrently && !v.populated {
        bail!(FEATURE_NOT_SUPPORTED, "CONCURRENTLY cannot be used when the materialized view is not populated");
    }
    let whole = |i: &Index| {
        i.unique
            && i.predicate.is_none()
            && i.columns.iter().all(|c| matches!(c.0, pamir_catalog::IndexColumn::Attr(_)))
    };
    if r.concurrently && !t.indexes.iter().any(whole) {
        let shown = qualified(&t, cx);
        return Err(err!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "cannot refresh materialized view \"{shown}\" concurrently"
        )
        .hint("Create a unique index with no WHERE clause on one or more columns of the materialized view."));
    }
    let lock = if r.concurrently { TableLock::Exclusive } else { TableLock::AccessExclusive };
    let t = cx.lock_table(t.oid, lock)?;
    cx.check_idle(&t, "REFRESH MATERIALIZED VIEW")?;
    let Some(v) = t.view.clone() else { bail!(UNDEFINED_TABLE, "relation \"{name}\" does not exist") };
    let mut new = (*t).clone();
    cx.txn.drop_tree(t.tree())?;
    new.tree = cx.new_tree(t.schema)?.0;
    let mut indexes = std::mem::take(&mut new.indexes);
    for i in &mut indexes {
        cx.txn.drop_tree(TreeId(i.tree))?;
        i.tree = cx.new_tree(t.schema)?.0;
    }
    new.view = None;
    new.stats = None;
    let declared = new.declared.clone();
    let table = cx.put_table(new)?;
    // What is said of indexes stays.
    let mut kept = (*table).clone();
    kept.declared = declared;
    cx.put_table_same(kept)?;
    let query = record::stored_query(&v.text.0)?;
    let view = View { populated: r.with_data, ..(*v).clone() };
    Ok((Unfinished { table, view, indexes, concurrent: r.concurrently }, query, t.owner))
}
fn qualified(t: &Table, cx: &DdlCtx) -> String {
    let schema = cx.catalog.schema(t.schema).map_or("", |s| &s.name);
    pamir_catalog::defs::qualified(schema, &t.name)
}

/// The materialized view of this name; None: IF EXISTS met none.
pub fn open(name: &[String], if_exists: bool, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    let (schema, n) = cx.split(name)?;
    match cx.resolve(name)? {
        Some(Relation::Table(t)) if t.view.as_ref().is_some_and(|v| v.materialized) => {
            cx.check_owner(t.owner, t.word(), &t.name)?;
            Ok(Some(cx.lock_table(t.oid, TableLock::AccessExclusive)?.oid))
        }
        Some(_) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a materialized view"),
        None if if_exists => {
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("relation \"{n}\" does not exist, skipping"));
            Ok(None)
        }
        None => Err(match schema {
            Some(s) => err!(UNDEFINED_TABLE, "relation \"{s}.{n}\" does not exist"),
            None => err!(UNDEFINED_TABLE, "relation \"{n}\" does not exist"),
        }),
    }
}
pub fn alter(oid: Oid, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    use AlterTable as A;
    for c in commands {
        match c {
            A::Owner(_)
            | A::Options { .. }
            | A::AccessMethod(_)
            | A::Tablespace(_)
            | A::ClusterOn(_)
            | A::SetWithoutCluster
            | A::SetStatistics { .. }
            | A::SetStorage { .. }
            | A::SetCompression { .. } => alter::action(oid, c, cx)?,
            other => {
                let Some(action) = alter::called(other) else {
                    return Err(Error::unsupported("this ALTER MATERIALIZED VIEW"));
                };
                let name = cx.catalog.table(oid).map_or("", |t| &t.name);
                return Err(err!(
                    WRONG_OBJECT_TYPE,
                    "ALTER action {action} cannot be performed on relation \"{name}\""
                )
                .detail("This operation is not supported for materialized views."));
            }
        }
    }
    Ok(())
}
