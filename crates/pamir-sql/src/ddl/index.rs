//! CREATE INDEX and REINDEX.
use super::build::build_index;
use super::constraint::{MAX_KEY_COLUMNS, check_orderable, free_name};
use super::cx::{Name, ident};
use super::eval::{bind_expr_in, no_subquery, text_of, volatility};
use super::{DdlCtx, options, remove};
use crate::catalog::declared::DEFAULT_COLLATION;
use crate::catalog::names::{distinct, join_columns};
use crate::catalog::{Index, IndexColumn, Relation, Table};
use crate::func::Volatility;
use crate::vtable::types;
use pamir_txn::{TableLock, TreeId};
use pamir_types::key::KeyOrder;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use sqlparser::ast;
use std::sync::Arc;

/// The operator class `n` for keys of type `ty`, `None` where it is the type's default. All that there are order as the default does here (texts
/// sort by their bytes, so the pattern classes do too).
fn operator_class(n: &ast::ObjectName, ty: Type, method: &str) -> Result<Option<Oid>> {
    let parts = crate::parser::name_parts(n)?;
    let shown = parts.join(".");
    let Some(class) = super::column::built_in(&parts).and_then(|n| types::class_named(method, n)) else {
        bail!(UNDEFINED_OBJECT, "operator class \"{shown}\" does not exist for access method \"{method}\"");
    };
    if !class.accepts(ty.oid) {
        bail!(
            DATATYPE_MISMATCH,
            "operator class \"{shown}\" does not accept data type {}",
            pamir_types::text::type_named(ty.oid)
        );
    }
    if matches!(class.name, "record_image_ops") {
        return Err(Error::unsupported(format!("operator class {}", class.name)));
    }
    Ok(Some(class.oid).filter(|c| *c != types::operator_class(ty.oid, method)))
}
/// 42804 where an index over the column `a` names an operator class that its new type does not have.
pub fn check_classes(t: &Table, a: i16, ty: Type) -> Result<()> {
    for i in &t.indexes {
        for (n, _) in i.columns.iter().enumerate().filter(|(_, c)| matches!(c.0, IndexColumn::Attr(x) if x == a)) {
            if let Some(class) = t.declared.class(i.oid, n).and_then(types::class)
                && !class.accepts(ty.oid)
            {
                bail!(
                    DATATYPE_MISMATCH,
                    "operator class \"{}\" does not accept data type {}",
                    class.name,
                    pamir_types::text::type_named(ty.oid)
                );
            }
        }
    }
    Ok(())
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
    let of = if hash { options::Of::Hash } else { options::Of::Btree };
    let parameters = options::check(of, &options::of_exprs(&c.with)?)?;
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
    let (mut classes, mut collations) = (vec![], vec![]);
    for col in &c.columns {
        let desc = match &col.column.options.sort {
            Some(ast::OrderBySort::Desc) => true,
            Some(ast::OrderBySort::Asc) | None => false,
            Some(ast::OrderBySort::Using(_)) => bail!(SYNTAX_ERROR, "syntax error at or near \"USING\""),
        };
        let order = KeyOrder { desc, nulls_first: col.column.options.nulls_first.unwrap_or(desc) };
        let (column, name, collation) = index_column(&table, &col.column.expr, cx)?;
        let ty = match &column {
            IndexColumn::Attr(a) => table.column(*a).map_or(Type::TEXT, |c| c.ty),
            IndexColumn::Expr(_, ty) => *ty,
        };
        let at = columns.len() as i16;
        if let Some(o) = &col.operator_class {
            let class = operator_class(o, ty, if hash { "hash" } else { "btree" })?;
            classes.extend(class.map(|c| (at, c)));
        }
        collations.extend(collation.map(|c| (at, c)));
        names.push(name);
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
            let bound = bind_expr_in(p, Some(&table), None, Some("index predicates"), cx)?;
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
        None => {
            let names = distinct(names.iter().map(|s| s.as_str()));
            free_name(cx, &table, Some(&join_columns(names.iter().map(|s| s.as_str()))), "idx")
        }
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
    table.declared.classes.extend(classes.into_iter().map(|(at, c)| (index.oid, at, c)));
    table.declared.index_collations.extend(collations.into_iter().map(|(at, c)| (index.oid, at, c)));
    table.declared.options.extend(parameters.into_iter().map(|(n, v)| (index.oid, n, v)));
    table.cache = Default::default();
    build_index(cx, &table, &index)?;
    cx.put_table(table)?;
    Ok(TAG)
}
/// A key column, the name it gives to the index's, and its collation where COLLATE says another one than the column's.
fn index_column(t: &Table, e: &ast::Expr, cx: &mut DdlCtx) -> Result<(IndexColumn, String, Option<Oid>)> {
    if let ast::Expr::Collate { expr, collation } = e {
        let (column, name, _) = index_column(t, expr, cx)?;
        let (ty, own) = match &column {
            IndexColumn::Attr(a) => (t.column(*a).map_or(Type::TEXT, |c| c.ty), t.declared.collation(*a)),
            IndexColumn::Expr(_, ty) => (*ty, None),
        };
        let said = super::column::collation(collation, ty)?;
        return Ok((column, name, Some(said).filter(|c| *c != own.unwrap_or(DEFAULT_COLLATION))));
    }
    if let ast::Expr::Identifier(i) = e {
        let n = ident(i);
        if super::column::is_system(&n) {
            bail!(FEATURE_NOT_SUPPORTED, "index creation on system columns is not supported");
        }
        let c = t.column_by_name(&n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
        check_orderable(c.ty)?;
        return Ok((IndexColumn::Attr(c.attnum), n, None));
    }
    no_subquery(e, "index expression")?;
    let bound = bind_expr_in(e, Some(t), None, Some("index expressions"), cx)?;
    if let crate::ir::Expr::Col(c, _) = &bound
        && let Some(c) = t.column(*c as i16)
    {
        check_orderable(c.ty)?;
        return Ok((IndexColumn::Attr(c.attnum), c.name.clone(), None));
    }
    if volatility(&bound) != Volatility::Immutable {
        bail!(INVALID_OBJECT_DEFINITION, "functions in index expression must be marked IMMUTABLE");
    }
    let ty = bound.ty();
    super::column::check_type(&expression_name(e), ty)?;
    check_orderable(ty)?;
    Ok((IndexColumn::Expr(text_of(&bound, Some(t), cx), ty), expression_name(e), None))
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
