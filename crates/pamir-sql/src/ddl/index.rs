//! CREATE INDEX and REINDEX.
use super::build::build_index;
use super::constraint::{MAX_KEY_COLUMNS, check_orderable, free_name};
use super::cx::{Name, ident};
use super::eval::{bind_expr, no_subquery, text_of, volatility};
use super::{DdlCtx, remove};
use crate::catalog::names::join_columns;
use crate::catalog::{Index, IndexColumn, Relation, Table};
use crate::func::Volatility;
use pamir_txn::{TableLock, TreeId};
use pamir_types::key::KeyOrder;
use pamir_types::{Error, Result, bail, err, oid};
use sqlparser::ast;
use std::sync::Arc;

/// Names of B-tree operator classes that order as the default does here (the collation is C, so the pattern classes do too).
fn check_operator_class(n: &ast::ObjectName) -> Result<()> {
    let name = n.0.last().and_then(|p| p.as_ident()).map(ident).unwrap_or_default();
    const KNOWN: &[&str] = &[
        "bool",
        "bytea",
        "char",
        "name",
        "int2",
        "int4",
        "int8",
        "text",
        "oid",
        "float4",
        "float8",
        "bpchar",
        "varchar",
        "date",
        "time",
        "timetz",
        "timestamp",
        "timestamptz",
        "interval",
        "numeric",
        "uuid",
        "jsonb",
        "text_pattern",
        "varchar_pattern",
        "bpchar_pattern",
        "array",
    ];
    match name.strip_suffix("_ops") {
        Some(t) if KNOWN.contains(&t) => Ok(()),
        _ => bail!(UNDEFINED_OBJECT, "operator class \"{name}\" does not exist for access method \"btree\""),
    }
}
/// What PostgreSQL calls an index's expression column in the automatic name (FigureIndexColname).
fn expression_name(e: &ast::Expr) -> String {
    match e {
        ast::Expr::Nested(e) => expression_name(e),
        ast::Expr::Function(f) => f.name.0.last().and_then(|p| p.as_ident()).map_or("expr".into(), ident),
        ast::Expr::Cast { expr, data_type, .. } => match expression_name(expr) {
            n if n == "expr" => data_type.to_string().to_ascii_lowercase(),
            n => n,
        },
        ast::Expr::Identifier(i) => ident(i),
        ast::Expr::Case { .. } => "case".into(),
        ast::Expr::Substring { .. } => "substring".into(),
        ast::Expr::Trim { .. } => "btrim".into(),
        ast::Expr::Extract { .. } => "extract".into(),
        _ => "expr".into(),
    }
}
/// True for hash. A hash index is kept as a B-tree here: equality look-ups work alike, and hash's own limits are checked.
fn method(m: &ast::IndexType) -> Result<bool> {
    let name = match m {
        ast::IndexType::BTree => return Ok(false),
        ast::IndexType::Custom(i) => ident(i),
        other => other.to_string().to_ascii_lowercase(),
    };
    match name.as_str() {
        "btree" => Ok(false),
        "hash" => Ok(true),
        "gin" | "gist" | "spgist" | "brin" => Err(Error::unsupported(format!("access method \"{name}\""))),
        _ => bail!(UNDEFINED_OBJECT, "access method \"{name}\" does not exist"),
    }
}

pub fn create(c: &ast::CreateIndex, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "CREATE INDEX";
    let mut hash = false;
    if let Some(m) = &c.using {
        hash = method(m)?;
    }
    for o in &c.index_options {
        if let ast::IndexOption::Using(m) = o {
            hash = method(m)?;
        }
    }
    for w in &c.with {
        let text = w.to_string().to_ascii_lowercase();
        let name = text.split(['=', ' ']).next().unwrap_or("").trim();
        if !matches!(name, "fillfactor" | "deduplicate_items") {
            bail!(INVALID_PARAMETER_VALUE, "unrecognized parameter \"{name}\"");
        }
    }
    let t = match cx.resolve(&c.table_name)? {
        Some(Relation::Index(..) | Relation::Sequence(_)) => {
            let (_, n) = cx.split(&c.table_name)?;
            return Err(err!(WRONG_OBJECT_TYPE, "cannot create index on relation \"{n}\"")
                .detail("This operation is not supported for that kind of relation."));
        }
        _ => cx.open_table(&c.table_name, TableLock::Share)?,
    };
    cx.use_schema(t.schema, &t.name)?;
    let mut table = (*t).clone();
    if hash {
        let lacks = |what: &str| err!(FEATURE_NOT_SUPPORTED, "access method \"hash\" does not support {what}");
        if c.unique {
            return Err(lacks("unique indexes"));
        }
        if !c.include.is_empty() {
            return Err(lacks("included columns"));
        }
        if c.columns.len() > 1 {
            return Err(lacks("multicolumn indexes"));
        }
        if c.columns.iter().any(|k| k.column.options.sort.is_some()) {
            return Err(lacks("ASC/DESC options"));
        }
        if c.columns.iter().any(|k| k.column.options.nulls_first.is_some()) {
            return Err(lacks("NULLS FIRST/LAST options"));
        }
    }
    let (mut columns, mut names) = (vec![], vec![]);
    for col in &c.columns {
        if let Some(o) = &col.operator_class {
            check_operator_class(o)?;
        }
        let desc = match &col.column.options.sort {
            Some(ast::OrderBySort::Desc) => true,
            Some(ast::OrderBySort::Asc) | None => false,
            Some(ast::OrderBySort::Using(_)) => bail!(SYNTAX_ERROR, "syntax error at or near \"USING\""),
        };
        let order = KeyOrder { desc, nulls_first: col.column.options.nulls_first.unwrap_or(desc) };
        let (column, name) = index_column(&table, &col.column.expr, cx)?;
        // A second expression of one name gets a number.
        let mut unique = name.clone();
        let mut n = 0;
        while names.contains(&unique) {
            n += 1;
            unique = format!("{name}{n}");
        }
        names.push(unique);
        columns.push((column, order));
    }
    let mut include = vec![];
    for i in &c.include {
        let n = ident(i);
        let col = table.column_by_name(&n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
        include.push(col.attnum);
        names.push(n);
    }
    if columns.len() + include.len() > MAX_KEY_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "cannot use more than {MAX_KEY_COLUMNS} columns in an index");
    }
    let predicate = match &c.predicate {
        None => None,
        Some(p) => {
            no_subquery(p, "index predicate")?;
            let bound = bind_expr(p, Some(&table), None, cx)?;
            if bound.ty().oid != oid::BOOL && bound.ty().oid != oid::UNKNOWN {
                bail!(
                    DATATYPE_MISMATCH,
                    "argument of WHERE must be type boolean, not type {}",
                    pamir_types::text::type_display(bound.ty())
                );
            }
            if volatility(&bound) != Volatility::Immutable {
                bail!(INVALID_OBJECT_DEFINITION, "functions in index predicate must be marked IMMUTABLE");
            }
            Some(text_of(&bound, Some(&table), cx))
        }
    };
    let name = match &c.name {
        Some(n) => cx.split(n)?.1,
        None if c.if_not_exists => bail!(SYNTAX_ERROR, "syntax error at or near \"ON\""),
        None => free_name(cx, &table, Some(&join_columns(names.iter().map(|s| s.as_str()))), "idx"),
    };
    let n = Name::relation(table.schema, &name);
    if cx.name_taken(&n)? {
        if c.if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok(TAG);
        }
        return Err(n.taken());
    }
    let index = Index {
        oid: cx.new_oid()?,
        name,
        tree: cx.shard.create_tree(cx.txn)?.0,
        unique: c.unique,
        primary: false,
        constraint: false,
        nulls_not_distinct: c.nulls_distinct == Some(false),
        columns,
        include,
        predicate,
        hash,
        comment: None,
        usage: Default::default(),
    };
    table.indexes.push(index.clone());
    table.cache = Default::default();
    build_index(cx, &table, &index)?;
    cx.put_table(table)?;
    Ok(TAG)
}
/// A key column and the name it gives to the index's.
fn index_column(t: &Table, e: &ast::Expr, cx: &mut DdlCtx) -> Result<(IndexColumn, String)> {
    if let ast::Expr::Collate { expr, collation } = e {
        super::column::collation_ok(collation)?;
        return index_column(t, expr, cx);
    }
    if let ast::Expr::Identifier(i) = e {
        let n = ident(i);
        let c = t.column_by_name(&n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
        check_orderable(c.ty)?;
        return Ok((IndexColumn::Attr(c.attnum), n));
    }
    no_subquery(e, "index expression")?;
    let bound = bind_expr(e, Some(t), None, cx)?;
    if let crate::ir::Expr::Col(c, _) = &bound
        && let Some(c) = t.column(*c as i16)
    {
        check_orderable(c.ty)?;
        return Ok((IndexColumn::Attr(c.attnum), c.name.clone()));
    }
    if volatility(&bound) != Volatility::Immutable {
        bail!(INVALID_OBJECT_DEFINITION, "functions in index expression must be marked IMMUTABLE");
    }
    let ty = bound.ty();
    check_orderable(ty)?;
    Ok((IndexColumn::Expr(text_of(&bound, Some(t), cx), ty), expression_name(e)))
}

/// REINDEX: the table's indexes (or one of them) into new trees.
pub fn rebuild(cx: &mut DdlCtx, t: &Arc<Table>, only: Option<oid::Oid>) -> Result<()> {
    let mut table = (**t).clone();
    table.cache = Default::default();
    let mut new = vec![];
    for i in table.indexes.iter_mut().filter(|i| !i.primary && only.is_none_or(|o| o == i.oid)) {
        cx.shard.drop_tree(cx.txn, TreeId(i.tree))?;
        i.tree = cx.shard.create_tree(cx.txn)?.0;
        new.push(i.clone());
    }
    for i in &new {
        build_index(cx, &table, i)?;
    }
    cx.put_table(table)?;
    Ok(())
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReindexKind {
    Index,
    Table,
    Schema,
    Database,
    System,
}
pub fn reindex(kind: ReindexKind, name: Option<&ast::ObjectName>, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut tables = vec![];
    match (kind, name) {
        (ReindexKind::Index, Some(n)) => {
            let (t, i) = remove::find_index(n, cx)?;
            let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
            rebuild(cx, &t, Some(i))?;
        }
        (ReindexKind::Table, Some(n)) => {
            let t = cx.open_table(n, TableLock::AccessExclusive)?;
            rebuild(cx, &t, None)?;
        }
        (ReindexKind::Schema, Some(n)) => {
            let n = super::cx::one_name(n)?;
            let Some(s) = cx.catalog.schema_by_name(cx.database(), &n).map(|s| s.oid) else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
            };
            tables.extend(cx.catalog.tables(cx.database()).into_iter().filter(|t| t.schema == s).map(|t| t.oid));
        }
        (ReindexKind::Database, _) => tables.extend(cx.catalog.tables(cx.database()).into_iter().map(|t| t.oid)),
        _ => {}
    }
    for oid in tables {
        if let Some(t) = cx.lock_table_if_exists(oid, TableLock::AccessExclusive)? {
            rebuild(cx, &t, None)?;
        }
    }
    Ok("REINDEX")
}
