//! CREATE TABLE.
use super::cx::Name;
use super::{DdlCtx, column, constraint, options};
use crate::catalog::{Index, Table};
use pamir_types::{Error, Oid, Result, Type, bail};
use sqlparser::ast::{self, ObjectName};
use std::sync::Arc;

/// What WITH says, checked.
pub fn parameters(o: &ast::CreateTableOptions) -> Result<Vec<(String, String)>> {
    match o {
        ast::CreateTableOptions::None => Ok(Vec::new()),
        ast::CreateTableOptions::With(o)
        | ast::CreateTableOptions::Options(o)
        | ast::CreateTableOptions::Plain(o)
        | ast::CreateTableOptions::TableProperties(o) => options::check(options::Of::Table, &options::of_ast(o)?),
    }
}

/// An empty table of a new OID; its tree is made by `store`.
fn blank(schema: Oid, name: String, cx: &mut DdlCtx) -> Result<Table> {
    Ok(Table {
        oid: cx.new_oid()?,
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
        cache: Default::default(),
        usage: Default::default(),
    })
}

/// Says the notice of IF NOT EXISTS, or fails, when the name is taken.
fn name_is_free(schema: Oid, name: &str, if_not_exists: bool, cx: &mut DdlCtx) -> Result<bool> {
    let n = Name::relation(schema, name);
    if !cx.name_taken(&n)? {
        return Ok(true);
    }
    if !if_not_exists {
        return Err(n.taken());
    }
    cx.notice_exists(&n.taken());
    Ok(false)
}

pub fn create(c: &ast::CreateTable, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "CREATE TABLE";
    if c.temporary {
        return Err(Error::unsupported("temporary tables"));
    }
    if c.partition_by.is_some() || c.partition_of.is_some() {
        return Err(Error::unsupported("PARTITION BY"));
    }
    if c.inherits.is_some() {
        return Err(Error::unsupported("INHERITS"));
    }
    if c.or_replace || c.external || c.transient || c.volatile || c.clone.is_some() || c.without_rowid {
        bail!(SYNTAX_ERROR, "syntax error in CREATE TABLE");
    }
    let parameters = parameters(&c.table_options)?;
    if let Some(ast::CreateTableLikeKind::Parenthesized(l) | ast::CreateTableLikeKind::Plain(l)) = &c.like {
        let defaults = matches!(l.defaults, Some(ast::CreateTableLikeDefaults::Including));
        return create_like(&c.name, c.if_not_exists, &l.name, Like { defaults, ..Like::default() }, cx);
    }
    let (schema, name) = cx.creation_name(&c.name)?;
    if !name_is_free(schema, &name, c.if_not_exists, cx)? {
        return Ok(TAG);
    }
    let mut t = blank(schema, name, cx)?;
    let mut pending = column::Pending::default();
    for def in &c.columns {
        column::define(def, &mut t, &mut pending, cx)?;
    }
    for con in &c.constraints {
        constraint::collect(con, false, &mut pending)?;
    }
    column::finish(&mut t, &mut pending, cx)?;
    let oid = t.oid;
    t.declared.options.extend(parameters.into_iter().map(|(n, v)| (oid, n, v)));
    store(t, pending, cx)?;
    Ok(TAG)
}

/// Adds keys, checks and foreign keys, makes the trees and writes the table.
fn store(mut t: Table, mut pending: column::Pending, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    t.tree = cx.shard.create_tree(cx.txn)?.0;
    // As PostgreSQL: the primary key first, equal keys once.
    pending.keys.sort_by_key(|k| !k.primary);
    for k in &pending.keys {
        constraint::add_key(&mut t, k, cx)?;
    }
    for c in &pending.checks {
        constraint::add_check(&mut t, c, cx)?;
    }
    for f in &pending.foreign_keys {
        constraint::add_foreign_key(&mut t, f, cx)?;
    }
    cx.put_table(t)
}

/// A column of CREATE TABLE AS.
#[derive(Clone, Debug)]
pub struct NewColumn {
    pub name: String,
    pub ty: Type,
}
/// CREATE TABLE AS without its rows: the session runs the query and inserts. None: the table is there already (IF NOT EXISTS; the notice is said).
pub fn create_table_as(
    name: &ObjectName,
    if_not_exists: bool,
    columns: &[NewColumn],
    parameters: Vec<(String, String)>,
    cx: &mut DdlCtx,
) -> Result<Option<Arc<Table>>> {
    let (schema, name) = cx.creation_name(name)?;
    if !name_is_free(schema, &name, if_not_exists, cx)? {
        return Ok(None);
    }
    let mut t = blank(schema, name, cx)?;
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
    }
    if t.columns.len() > column::MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "tables can have at most {} columns", column::MAX_COLUMNS);
    }
    let oid = t.oid;
    t.declared.options.extend(parameters.into_iter().map(|(n, v)| (oid, n, v)));
    Ok(Some(store(t, column::Pending::default(), cx)?))
}

/// What `LIKE source` copies beyond names, types and NOT NULL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Like {
    pub defaults: bool,
    pub constraints: bool,
    pub indexes: bool,
    pub identity: bool,
    pub generated: bool,
    pub comments: bool,
}
/// CREATE TABLE name (LIKE source ...).
pub fn create_like(
    name: &ObjectName,
    if_not_exists: bool,
    source: &ObjectName,
    like: Like,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (schema, name) = cx.creation_name(name)?;
    if !name_is_free(schema, &name, if_not_exists, cx)? {
        return Ok("CREATE TABLE");
    }
    let (s, n) = cx.split(source)?;
    let src = cx.catalog.resolve_table(cx.env.scope(), s.as_deref(), &n)?;
    let mut t = blank(schema, name, cx)?;
    let mut pending = column::Pending::default();
    let mut moved = vec![0i16; src.columns.len() + 1];
    for c in src.live_columns() {
        let attnum = t.columns.len() as i16 + 1;
        if let Some(m) = moved.get_mut(c.attnum as usize) {
            *m = attnum;
        }
        let mut new = column::blank(attnum, c.name.clone(), c.ty);
        new.not_null = c.not_null;
        new.default = c.default.clone().filter(|_| like.defaults);
        new.generated = c.generated.clone().filter(|_| like.generated);
        new.comment = c.comment.clone().filter(|_| like.comments);
        if let (true, Some(identity)) = (like.identity, c.identity) {
            let mut options = super::sequence::Options::default();
            if let Some(seq) = c.sequence.and_then(|s| cx.catalog.sequence(s)) {
                let d = &seq.def;
                (options.increment, options.start, options.cycle) = (Some(d.increment), Some(d.start), Some(d.cycle));
                (options.min, options.max, options.cache) = (Some(Some(d.min)), Some(Some(d.max)), Some(seq.cache));
            }
            column::set_identity(&mut new, identity, options, &mut pending)?;
        }
        t.columns.push(new);
        t.declared.set_collation(attnum, src.declared.collation(c.attnum));
    }
    column::finish(&mut t, &mut pending, cx)?;
    t.tree = cx.shard.create_tree(cx.txn)?.0;
    if like.constraints {
        for c in &src.checks {
            t.checks.push(crate::catalog::Check { oid: cx.new_oid()?, ..c.clone() });
        }
    }
    if like.indexes {
        for i in &src.indexes {
            let copy = copy_index(&t, i, &moved, cx)?;
            t.declared.copy_index(&src.declared, i.oid, copy.oid);
            t.indexes.push(copy);
        }
    }
    cx.put_table(t)?;
    Ok("CREATE TABLE")
}
fn copy_index(t: &Table, i: &Index, moved: &[i16], cx: &mut DdlCtx) -> Result<Index> {
    use crate::catalog::IndexColumn;
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
        IndexColumn::Attr(a) => t.column(*a).map_or("expr", |c| &c.name),
        IndexColumn::Expr(..) => "expr",
    });
    let names =
        crate::catalog::names::distinct(names.chain(include.iter().filter_map(|a| t.column(*a)).map(|c| &*c.name)));
    let middle = crate::catalog::names::join_columns(names.iter().map(|n| n.as_str()));
    let name = match (i.primary, i.constraint) {
        (true, _) => constraint::free_name(cx, t, None, "pkey"),
        (_, true) => constraint::free_name(cx, t, Some(&middle), "key"),
        _ => constraint::free_name(cx, t, Some(&middle), "idx"),
    };
    let tree = if i.primary { t.tree } else { cx.shard.create_tree(cx.txn)?.0 };
    Ok(Index {
        oid: cx.new_oid()?,
        name,
        tree,
        columns,
        include,
        comment: None,
        usage: Default::default(),
        ..i.clone()
    })
}
