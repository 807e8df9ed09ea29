//! CREATE TABLE, with LIKE, and what CREATE TABLE AS makes before its rows come.
use super::cx::Name;
use super::{DdlCtx, column, constraint, exclude, extended, inherit, options, partition};
use pamir_catalog::family::Origin;
use pamir_catalog::{Index, IndexColumn, Table, acl, temporary};
use pamir_parse::tree::{CreateTable, LikeOption, OnCommit, Persistence, Relation, TableElement, TableTail};
use pamir_plan::bind::name_of_stored;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// What stands behind a table's columns: the parameters of WITH, checked. There is one access method and one tablespace.
pub fn parameters(tail: &TableTail) -> Result<Vec<(String, String)>> {
    tablespace(tail.tablespace.as_deref())?;
    access_method(tail.access_method.as_deref())?;
    options::check(options::Of::Table, &options::settings(&tail.options))
}
/// 42704 for a tablespace that there is not.
pub fn tablespace(name: Option<&str>) -> Result<()> {
    match name {
        None | Some("pg_default") => Ok(()),
        Some(n) => bail!(UNDEFINED_OBJECT, "tablespace \"{n}\" does not exist"),
    }
}
/// 42704 for an access method that there is not for tables.
pub fn access_method(name: Option<&str>) -> Result<()> {
    match name {
        None | Some("heap") => Ok(()),
        Some(n) => bail!(UNDEFINED_OBJECT, "access method \"{n}\" does not exist"),
    }
}

/// An empty table of a new OID; its tree is made by `store`.
pub fn blank(schema: Oid, name: String, cx: &mut DdlCtx) -> Result<Table> {
    Ok(Table {
        oid: cx.new_oid_in(schema)?,
        database: cx.database(),
        schema,
        name,
        owner: cx.user()?.oid,
        tree: 0,
        version: 0,
        columns: vec![],
        indexes: vec![],
        checks: vec![],
        foreign_keys: vec![],
        referenced_by: vec![],
        stats: None,
        comment: None,
        declared: Default::default(),
        on_commit: Default::default(),
        security: Default::default(),
        view: None,
        depends: vec![],
        triggers: None,
        cache: Default::default(),
        usage: Default::default(),
    })
}

/// What becomes of a new table's rows at a commit: only temporary ones have a choice.
fn on_commit(asked: OnCommit, schema: Oid) -> Result<temporary::OnCommit> {
    if asked != OnCommit::Nothing && schema != temporary::SCHEMA {
        bail!(INVALID_TABLE_DEFINITION, "ON COMMIT can only be used on temporary tables");
    }
    Ok(match asked {
        OnCommit::Nothing | OnCommit::PreserveRows => temporary::OnCommit::PreserveRows,
        OnCommit::DeleteRows => temporary::OnCommit::DeleteRows,
        OnCommit::Drop => temporary::OnCommit::Drop,
    })
}

/// Says the notice of IF NOT EXISTS, or fails, when the name is taken.
fn name_is_free(schema: Oid, name: &str, if_not_exists: bool, cx: &mut DdlCtx) -> Result<bool> {
    let n = Name::relation(schema, name);
    if !cx.name_taken(&n)? {
        super::types::check_table_name(schema, name, cx)?;
        return Ok(true);
    }
    if !if_not_exists {
        return Err(n.taken());
    }
    cx.notice_exists(&n.taken());
    Ok(false)
}

/// 0A000 for what no table has yet.
fn refused(c: &CreateTable) -> Result<()> {
    let feature = match c {
        _ if c.server.is_some() => "CREATE FOREIGN TABLE",
        _ => return Ok(()),
    };
    Err(Error::unsupported(feature))
}

pub fn create(c: &CreateTable, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "CREATE TABLE";
    refused(c)?;
    let parameters = parameters(&c.tail)?;
    // That a schema is not for users is found out where nothing has a place any more.
    let placed = |e: Error, cx: &DdlCtx| if e.data().detail.is_some() { e } else { cx.place(e, c.name.at) };
    let (schema, name) = cx.creation_name_of(&c.name.parts, c.persistence).map_err(|e| placed(e, cx))?;
    if !name_is_free(schema, &name, c.if_not_exists, cx)? {
        return Ok(TAG);
    }
    let on_commit = on_commit(c.tail.on_commit, schema)?;
    let mut t = Table { on_commit, ..blank(schema, name, cx)? };
    t.declared.more.unlogged = c.persistence == Persistence::Unlogged;
    let (mut pending, mut likes) = (column::Pending::default(), vec![]);
    if c.partition_by.is_some() && !c.inherits.is_empty() {
        bail!(INVALID_OBJECT_DEFINITION, "cannot create partitioned table as inheritance child");
    }
    let conflicts = inherit::merge_parents(&c.inherits, &mut t, cx)?;
    if let Some((parent, bound)) = &c.partition_of {
        inherit::partition_of(parent, bound, &mut t, cx)?;
    }
    if let Some(ty) = &c.of_type {
        inherit::of_type(ty, &mut t, cx)?;
    }
    for e in &c.elements {
        match e {
            TableElement::Column(def) if c.of_type.is_some() || t.bound().is_some() => {
                inherit::typed_column(def, &mut t, &mut pending, cx)?
            }
            TableElement::Column(def) => column::define(def, &mut t, &mut pending, cx)?,
            TableElement::Constraint(con) => constraint::collect(con, true, &mut pending, cx)?,
            TableElement::Like { relation, options } => {
                likes.push(like(relation, Like::new(options), &mut t, &mut pending, cx)?)
            }
        }
    }
    inherit::no_conflicts(&conflicts, &pending, &t)?;
    column::finish(&mut t, &mut pending, cx)?;
    let oid = t.oid;
    t.declared.options.extend(parameters.into_iter().map(|(n, v)| (oid, n, v)));
    if let Some(by) = &c.partition_by {
        let scheme = partition::scheme(by, &t, cx)?;
        t.change_partition(|p| p.scheme = Some(scheme));
    }
    let t = store(t, pending, &likes, cx)?;
    inherit::tell_parents(&t, cx)?;
    if let (true, Some(parent)) = (t.bound().is_some(), t.parents().first()) {
        partition::give_all(*parent, t.oid, cx)?;
    }
    Ok(TAG)
}

/// Adds keys, checks and foreign keys, makes the trees and writes the table.
fn store(mut t: Table, mut pending: column::Pending, likes: &[Liked], cx: &mut DdlCtx) -> Result<Arc<Table>> {
    t.tree = cx.new_tree(t.schema)?.0;
    // As PostgreSQL: the primary key first, equal keys once.
    pending.keys.sort_by_key(|k| !k.primary);
    for k in &once(pending.keys) {
        let index = constraint::add_key(&mut t, k, cx)?;
        partition::check_unique(&t, &index)?;
    }
    exclude::add_all(&mut t, &pending.excludes, cx)?;
    for c in &pending.checks {
        constraint::add_check(&mut t, c, cx)?;
    }
    for f in &pending.foreign_keys {
        constraint::add_foreign_key(&mut t, f, cx)?;
    }
    for l in likes {
        copy_constraints(l, &mut t, cx)?;
    }
    let t = cx.put_table(t)?;
    for l in likes.iter().filter(|l| l.what.statistics) {
        extended::copy(&l.source, &t, &l.moved, l.what.comments, cx)?;
    }
    Ok(t)
}

/// Keys that are the same in all but their names are one, called as the first of them that has a name.
fn once(keys: Vec<constraint::KeySpec>) -> Vec<constraint::KeySpec> {
    let mut out: Vec<constraint::KeySpec> = Vec::with_capacity(keys.len());
    for k in keys {
        let what = |k: &constraint::KeySpec| (k.nulls_not_distinct, k.deferrable);
        let same = |p: &&mut constraint::KeySpec| {
            !k.primary && p.columns == k.columns && p.include == k.include && what(p) == what(&k)
        };
        match out.iter_mut().find(same) {
            Some(p) => p.name = p.name.take().or(k.name),
            None => out.push(k),
        }
    }
    out
}

/// A column of CREATE TABLE AS.
#[derive(Clone, Debug)]
pub struct NewColumn {
    pub name: String,
    pub ty: Type,
    /// The column that it is.
    pub origin: Option<(Oid, i16)>,
}
/// CREATE TABLE AS without its rows: the session runs the query and inserts. None: the table is there already (IF NOT EXISTS; the notice is said).
pub fn create_table_as(
    (name, persistence): (&[String], Persistence),
    if_not_exists: bool,
    columns: &[NewColumn],
    (parameters, at_commit): (Vec<(String, String)>, OnCommit),
    cx: &mut DdlCtx,
) -> Result<Option<Arc<Table>>> {
    // Here the word counts, not where it goes.
    if at_commit != OnCommit::Nothing && persistence != Persistence::Temporary {
        bail!(INVALID_TABLE_DEFINITION, "ON COMMIT can only be used on temporary tables");
    }
    let (schema, name) = cx.creation_name_of(name, persistence)?;
    if !name_is_free(schema, &name, if_not_exists, cx)? {
        return Ok(None);
    }
    let on_commit = on_commit(at_commit, schema)?;
    let mut t = Table { on_commit, ..blank(schema, name, cx)? };
    t.declared.more.unlogged = persistence == Persistence::Unlogged;
    for c in columns {
        if t.column_by_name(&c.name).is_some() {
            bail!(DUPLICATE_COLUMN, "column \"{}\" specified more than once", c.name);
        }
        column::check_name(&c.name)?;
        // PostgreSQL turns unknown into text here.
        let ty = if c.ty == Type::UNKNOWN { Type::TEXT } else { c.ty };
        column::check_type(&c.name, ty)?;
        let attnum = t.columns.len() as i16 + 1;
        t.columns.push(column::blank(attnum, c.name.clone(), ty));
        t.declared.set_domain(attnum, super::view::domain_of(c.origin, cx.catalog));
    }
    if t.columns.len() > column::MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "tables can have at most {} columns", column::MAX_COLUMNS);
    }
    let oid = t.oid;
    t.declared.options.extend(parameters.into_iter().map(|(n, v)| (oid, n, v)));
    Ok(Some(store(t, column::Pending::default(), &[], cx)?))
}

// ---- LIKE ----

/// What `LIKE source` copies beyond names, types and NOT NULL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Like {
    defaults: bool,
    constraints: bool,
    indexes: bool,
    identity: bool,
    generated: bool,
    comments: bool,
    storage: bool,
    compression: bool,
    statistics: bool,
}
impl Like {
    /// From INCLUDING and EXCLUDING, of which the last counts.
    fn new(options: &[(bool, LikeOption)]) -> Like {
        let mut l = Like::default();
        for (on, what) in options {
            let on = *on;
            match what {
                LikeOption::All => {
                    l = Like {
                        defaults: on,
                        constraints: on,
                        indexes: on,
                        identity: on,
                        generated: on,
                        comments: on,
                        storage: on,
                        compression: on,
                        statistics: on,
                    }
                }
                LikeOption::Defaults => l.defaults = on,
                LikeOption::Constraints => l.constraints = on,
                LikeOption::Indexes => l.indexes = on,
                LikeOption::Identity => l.identity = on,
                LikeOption::Generated => l.generated = on,
                LikeOption::Comments => l.comments = on,
                LikeOption::Statistics => l.statistics = on,
                LikeOption::Storage => l.storage = on,
                LikeOption::Compression => l.compression = on,
            }
        }
        l
    }
}
/// A table that was copied from: its constraints and indexes follow when all columns are known.
struct Liked {
    source: Arc<Table>,
    what: Like,
    /// By the source's attnum, the new column's.
    moved: Vec<i16>,
}
/// Appends the columns of another table.
fn like(source: &Relation, what: Like, t: &mut Table, pending: &mut column::Pending, cx: &mut DdlCtx) -> Result<Liked> {
    let (s, n) = cx.split(&source.parts)?;
    let found = match cx.catalog.resolve(cx.env.scope(), s.as_deref(), &n)? {
        // A view has columns to be copied as well.
        Some(pamir_catalog::Relation::Table(t)) => Ok(t),
        Some(r @ (pamir_catalog::Relation::Sequence(_) | pamir_catalog::Relation::Index(..))) => {
            let kinds = if let pamir_catalog::Relation::Sequence(_) = r { "sequences" } else { "indexes" };
            let e = err!(WRONG_OBJECT_TYPE, "relation \"{n}\" is invalid in LIKE clause")
                .detail(format!("This operation is not supported for {kinds}."));
            return Err(cx.place(e, source.at));
        }
        _ => cx.catalog.resolve_table(cx.env.scope(), s.as_deref(), &n),
    };
    let source = found.map_err(|e| cx.place(e, source.at))?;
    if cx.who()?.on_table(cx.catalog, &source, acl::SELECT) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for table {}", source.name);
    }
    let mut moved = vec![0i16; source.columns.len() + 1];
    for c in source.live_columns() {
        let given = inherit::given(t, &c.name);
        if given.is_none() && t.column_by_name(&c.name).is_some() {
            bail!(DUPLICATE_COLUMN, "column \"{}\" specified more than once", c.name);
        }
        if given.is_none() && t.columns.len() >= column::MAX_COLUMNS {
            bail!(TOO_MANY_COLUMNS, "tables can have at most {} columns", column::MAX_COLUMNS);
        }
        let attnum = given.as_ref().map_or(t.columns.len() as i16 + 1, |c| c.attnum);
        if let Some(m) = moved.get_mut(c.attnum as usize) {
            *m = attnum;
        }
        let mut new = column::blank(attnum, c.name.clone(), c.ty);
        new.not_null = c.not_null;
        new.default = c.default.clone().filter(|_| what.defaults);
        new.generated = c.generated.clone().filter(|_| what.generated);
        new.comment = c.comment.clone().filter(|_| what.comments);
        if let (true, Some(identity)) = (what.identity, c.identity) {
            let mut options = super::sequence::Options::default();
            if let Some(seq) = c.sequence.and_then(|s| cx.catalog.sequence(s)) {
                let d = &seq.def;
                (options.increment, options.start, options.cycle) = (Some(d.increment), Some(d.start), Some(d.cycle));
                (options.min, options.max, options.cache) = (Some(Some(d.min)), Some(Some(d.max)), Some(seq.cache));
            }
            column::set_identity(&mut new, identity, options, pending)?;
        }
        if given.is_some() {
            let of = (source.declared_type(c), source.declared.collation(c.attnum));
            inherit::merge_written(new, of, inherit::Written::default(), t, cx)?;
            if what.storage {
                inherit::same_storage("column", (&source, c.attnum), (t, attnum))?;
            }
            if what.compression {
                inherit::merge_compression("column", (&source, c.attnum), t, attnum)?;
            }
            continue;
        }
        t.columns.push(new);
        t.declared.set_collation(attnum, source.declared.collation(c.attnum));
        t.declared.set_domain(attnum, source.declared.domain(c.attnum));
        let from = &source.declared.more;
        t.declared.more.set_storage(attnum, from.storage(c.attnum).filter(|_| what.storage));
        t.declared.more.set_compression(attnum, from.compression(c.attnum).filter(|_| what.compression));
    }
    Ok(Liked { source, what, moved })
}
fn copy_constraints(l: &Liked, t: &mut Table, cx: &mut DdlCtx) -> Result<()> {
    let Liked { source, what, moved } = l;
    for c in source.checks.iter().filter(|_| what.constraints) {
        let comment = source.declared.comment(c.oid).filter(|_| what.comments).map(String::from);
        let given = t.checks.iter().find(|k| k.name == c.name && k.expr == c.expr).map(|k| k.oid);
        if let Some(oid) = given.filter(|k| inherit::is_given_check(t, *k)) {
            t.set_check_origin(oid, Origin { local: true, ..t.check_origin(oid) });
            t.declared.set_comment(oid, comment);
            let say = format!("merging constraint \"{}\" with inherited definition", c.name);
            cx.notice(state::SUCCESSFUL_COMPLETION, say);
            continue;
        }
        if constraint::exists(t, &c.name) {
            bail!(DUPLICATE_OBJECT, "constraint \"{}\" for relation \"{}\" already exists", c.name, t.name);
        }
        let oid = cx.new_oid_in(t.schema)?;
        t.declared.set_comment(oid, comment);
        // The new table has no row that was not checked.
        t.checks.push(pamir_catalog::Check { oid, not_valid: false, ..c.clone() });
        if source.is_no_inherit(c.oid) {
            t.change_family(|f| f.no_inherit.push(oid));
        }
    }
    t.checks.sort_by(|a, b| a.name.cmp(&b.name));
    for i in source.indexes.iter().filter(|_| what.indexes) {
        if i.is_primary() && t.declared_primary_key().is_some() {
            bail!(INVALID_TABLE_DEFINITION, "multiple primary keys for table \"{}\" are not allowed", t.name);
        }
        let mut copy = copy_index(t, i, moved, cx)?;
        copy.comment = i.comment.clone().filter(|_| what.comments);
        t.declared.copy_index(&source.declared, i.oid, copy.oid);
        t.indexes.push(copy);
    }
    Ok(())
}
pub(super) fn copy_index(t: &Table, i: &Index, moved: &[i16], cx: &mut DdlCtx) -> Result<Index> {
    let at = |a: i16| moved.get(a as usize).copied().unwrap_or(0);
    let columns: Vec<_> = i
        .columns
        .iter()
        .map(|(c, o)| match c {
            IndexColumn::Attr(a) => (IndexColumn::Attr(at(*a)), *o),
            e => (e.clone(), *o),
        })
        .collect();
    let include: Vec<i16> = i.include.iter().map(|a| at(*a)).collect();
    let names = columns.iter().map(|(c, _)| match c {
        IndexColumn::Attr(a) => t.column(*a).map_or_else(String::new, |c| c.name.clone()),
        IndexColumn::Expr(e, _) => name_of_stored(e),
    });
    let names: Vec<String> = names.chain(include.iter().filter_map(|a| t.column(*a)).map(|c| c.name.clone())).collect();
    let names = pamir_catalog::names::distinct(names.iter().map(|n| n.as_str()));
    let middle = pamir_catalog::names::join_columns(names.iter().map(|n| n.as_str()));
    let name = match (i.is_primary(), i.constraint) {
        (true, _) => constraint::free_name(cx, t, None, "pkey"),
        (_, true) if i.excludes.is_some() => constraint::free_name(cx, t, Some(&middle), "excl"),
        (_, true) => constraint::free_name(cx, t, Some(&middle), "key"),
        _ => constraint::free_name(cx, t, Some(&middle), "idx"),
    };
    let tree = if i.primary { t.tree } else { cx.new_tree(t.schema)?.0 };
    Ok(Index {
        oid: cx.new_oid_in(t.schema)?,
        name,
        tree,
        columns,
        include,
        comment: None,
        usage: Default::default(),
        ..i.clone()
    })
}
