//! CREATE, ALTER, DROP STATISTICS: what is asked to be known of several columns, kept as [`Extended`] and shown again.
//!
//! They go with their table, and with any column that they are of. Of temporary tables they are refused.
use super::comment::PG_STATISTIC_EXT;
use super::cx::{Name, Space, shown_name};
use super::eval::{bind_expr_in, bind_text, no_subquery, text_of, used_columns};
use super::{DdlCtx, alter, column};
use pamir_catalog::extended::Extended;
use pamir_catalog::{Kind, Object, Relation, SqlText, Table};
use pamir_parse::tree::{Drop, Expr, ExprKind, Object as Named, QualifiedName, TableKind, TableRef};
use pamir_txn::{RowLock, TableLock};
use pamir_types::error::state;
use pamir_types::text::type_display;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// STATS_MAX_DIMENSIONS
const MAX_COLUMNS: usize = 8;

pub fn create(
    (name, if_not_exists): (&QualifiedName, bool),
    kinds: &[String],
    of: &[Expr],
    from: &[TableRef],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    const TAG: &str = "CREATE STATISTICS";
    let [TableRef { kind: TableKind::Relation(relation, None), .. }] = from else {
        bail!(FEATURE_NOT_SUPPORTED, "only a single relation is allowed in CREATE STATISTICS")
    };
    let (table_schema, table_name) = cx.split(&relation.parts)?;
    let t = match cx.catalog.resolve_relation(cx.env.scope(), table_schema.as_deref(), &table_name)? {
        Relation::Table(t) if t.view.as_ref().is_none_or(|v| v.materialized) => t,
        r => {
            let what = match r {
                Relation::Table(_) => "views",
                Relation::Sequence(_) => "sequences",
                Relation::Index(..) => "indexes",
                Relation::Virtual(_) => {
                    bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{table_name}\" is a system catalog")
                }
            };
            return Err(err!(WRONG_OBJECT_TYPE, "cannot define statistics for relation \"{table_name}\"")
                .detail(format!("This operation is not supported for {what}.")));
        }
    };
    cx.check_owner(t.owner, t.word(), &t.name)?;
    if t.is_temporary() {
        return Err(Error::unsupported("CREATE STATISTICS on a temporary table"));
    }
    let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
    let (schema, name) = cx.creation_name(&name.parts)?;
    let taken = Name { space: Space::Statistics, parent: schema, name: name.clone() };
    if cx.name_taken(&taken)? {
        if !if_not_exists {
            return Err(taken.taken());
        }
        cx.notice_exists(&taken.taken());
        return Ok(TAG);
    }
    let (columns, exprs) = parts(of, &t, cx)?;
    let kinds = kinds_of(kinds, columns.len(), exprs.len())?;
    let e = Extended {
        oid: cx.new_oid_in(schema)?,
        database: cx.database(),
        schema,
        name,
        owner: cx.user()?.oid,
        table: t.oid,
        columns,
        exprs,
        kinds,
        target: -1,
    };
    cx.put(Object::Extended(Arc::new(e)))?;
    Ok(TAG)
}
/// The columns and expressions that statistics are of, checked.
fn parts(of: &[Expr], t: &Table, cx: &mut DdlCtx) -> Result<(Vec<i16>, Vec<SqlText>)> {
    if of.len() > MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "cannot have more than {MAX_COLUMNS} columns in statistics");
    }
    let (mut columns, mut exprs): (Vec<i16>, Vec<SqlText>) = Default::default();
    let ordered = |ty: Type| pamir_types::key::is_orderable(ty);
    for e in of {
        if let ExprKind::Column { path, star: false } = &e.kind
            && let [n] = path.as_slice()
        {
            if column::is_system(n) {
                bail!(FEATURE_NOT_SUPPORTED, "statistics creation on system columns is not supported");
            }
            let c = t.column_by_name(n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
            if !ordered(c.ty) {
                bail!(
                    FEATURE_NOT_SUPPORTED,
                    "column \"{n}\" cannot be used in statistics because its type {} has no default btree operator class",
                    type_display(t.declared_type(c).base())
                );
            }
            columns.push(c.attnum);
            continue;
        }
        no_subquery(e, "statistics expression", cx)?;
        let bound = bind_expr_in(e, Some(t), None, Some("statistics expressions"), cx)?;
        if let pamir_expr::ir::Expr::Col(c, _) = &bound {
            columns.push(*c as i16);
            continue;
        }
        if of.len() > 1 && !ordered(bound.ty()) {
            bail!(
                FEATURE_NOT_SUPPORTED,
                "expression cannot be used in multivariate statistics because its type {} has no default btree operator class",
                type_display(bound.ty().base())
            );
        }
        exprs.push(text_of(&bound, Some(t), cx));
    }
    if of.len() < 2 && exprs.is_empty() {
        bail!(INVALID_OBJECT_DEFINITION, "extended statistics require at least 2 columns");
    }
    columns.sort_unstable();
    if columns.windows(2).any(|w| w[0] == w[1]) {
        bail!(DUPLICATE_COLUMN, "duplicate column name in statistics definition");
    }
    if exprs.iter().enumerate().any(|(i, e)| exprs[..i].contains(e)) {
        bail!(DUPLICATE_COLUMN, "duplicate expression in statistics definition");
    }
    Ok((columns, exprs))
}
/// What is gathered, in pg_statistic_ext's order.
fn kinds_of(said: &[String], columns: usize, exprs: usize) -> Result<Vec<u8>> {
    let single = columns == 0 && exprs == 1;
    if single && !said.is_empty() {
        bail!(
            FEATURE_NOT_SUPPORTED,
            "when building statistics on a single expression, statistics kinds may not be specified"
        );
    }
    const WORDS: [(&str, u8); 3] = [("ndistinct", b'd'), ("dependencies", b'f'), ("mcv", b'm')];
    if let Some(wrong) = said.iter().find(|s| WORDS.iter().all(|w| w.0 != s.as_str())) {
        bail!(SYNTAX_ERROR, "unrecognized statistics kind \"{wrong}\"");
    }
    let asked = |w: &&(&str, u8)| !single && (said.is_empty() || said.iter().any(|s| s == w.0));
    let mut out: Vec<u8> = WORDS.iter().filter(asked).map(|w| w.1).collect();
    out.extend((exprs > 0).then_some(b'e'));
    Ok(out)
}

/// A statistics object by name, along the search path.
fn find(parts: &[String], cx: &DdlCtx) -> Result<Option<Arc<Extended>>> {
    let (schema, name) = cx.split(parts)?;
    let scope = cx.scope();
    let in_schema = |s: &String| {
        let s = cx.catalog.schema_by_name(scope.database, s)?;
        cx.catalog.extended_in(s.oid, &name).cloned()
    };
    match &schema {
        Some(s) if cx.catalog.schema_by_name(scope.database, s).is_none() => {
            bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist")
        }
        Some(s) => Ok(in_schema(s)),
        None => Ok(scope.search_path.iter().find_map(in_schema)),
    }
}
fn missing(parts: &[String]) -> Error {
    err!(UNDEFINED_OBJECT, "statistics object \"{}\" does not exist", shown_name(parts))
}
/// The same, locked and owned.
pub fn open(parts: &[String], cx: &mut DdlCtx) -> Result<Extended> {
    let e = find(parts, cx)?.ok_or_else(|| missing(parts))?;
    cx.check_owner(e.owner, "statistics object", &e.name)?;
    match cx.lock_object(Kind::Extended, e.oid, RowLock::Update)? {
        Some(Object::Extended(e)) => Ok((*e).clone()),
        _ => Err(missing(parts)),
    }
}
fn put(e: Extended, cx: &mut DdlCtx) -> Result<&'static str> {
    cx.put(Object::Extended(Arc::new(e)))?;
    Ok("ALTER STATISTICS")
}
fn check_free(schema: Oid, name: &str, cx: &DdlCtx) -> Result<()> {
    if !cx.name_taken(&Name { space: Space::Statistics, parent: schema, name: name.into() })? {
        return Ok(());
    }
    let schema = cx.catalog.schema(schema).map_or("", |s| &s.name);
    bail!(DUPLICATE_OBJECT, "statistics object \"{name}\" already exists in schema \"{schema}\"")
}
pub fn set_target(parts: &[String], if_exists: bool, target: i32, cx: &mut DdlCtx) -> Result<&'static str> {
    let target = alter::storage::target(target, cx)?;
    if if_exists && find(parts, cx)?.is_none() {
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", missing(parts).message()));
        return Ok("ALTER STATISTICS");
    }
    let e = open(parts, cx)?;
    put(Extended { target, ..e }, cx)
}
pub fn rename(parts: &[String], to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let e = open(parts, cx)?;
    cx.check_create_in(e.schema)?;
    check_free(e.schema, to, cx)?;
    put(Extended { name: to.into(), ..e }, cx)
}
pub fn set_schema(parts: &[String], schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let e = open(parts, cx)?;
    let Some(to) = cx.catalog.schema_by_name(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    if to == e.schema {
        return Ok("ALTER STATISTICS");
    }
    cx.use_schema(to, &e.name)?;
    check_free(to, &e.name, cx)?;
    put(Extended { schema: to, ..e }, cx)
}
pub fn set_owner(parts: &[String], owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let e = open(parts, cx)?;
    cx.check_new_owner(owner, Some(e.schema))?;
    put(Extended { owner, ..e }, cx)
}
pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    for o in &d.objects {
        let Named::Named(_, n) = o else { continue };
        match find(&n.parts, cx) {
            Ok(Some(e)) => {
                cx.check_dropper(e.owner, e.schema, "statistics object", &e.name)?;
                cx.remove(Kind::Extended, e.oid)?;
            }
            Ok(None) if !d.if_exists => return Err(missing(&n.parts)),
            Err(e) if !d.if_exists => return Err(e),
            Ok(None) => cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", missing(&n.parts).message())),
            Err(e) => cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message())),
        }
    }
    Ok("DROP STATISTICS")
}

/// Those of a table.
pub fn of_table(table: Oid, cx: &DdlCtx) -> Vec<Arc<Extended>> {
    let db = cx.database();
    cx.catalog.extended_of(db).into_iter().filter(|e| e.table == table).cloned().collect()
}
/// What goes with a table.
pub fn drop_of_table(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    for e in of_table(table, cx) {
        cx.remove(Kind::Extended, e.oid)?;
    }
    Ok(())
}
/// What goes with a column; `t` still has it.
pub fn drop_of_column(t: &Table, attnum: i16, cx: &mut DdlCtx) -> Result<()> {
    for e in of_table(t.oid, cx) {
        let mut uses = e.columns.contains(&attnum);
        for x in &e.exprs {
            uses = uses || used_columns(&bind_text(x, Some(t), None, cx)?).contains(&attnum);
        }
        if uses {
            cx.remove(Kind::Extended, e.oid)?;
        }
    }
    Ok(())
}
/// Expressions after a column's name has changed.
pub fn rewrite(before: &Table, after: &Table, cx: &mut DdlCtx) -> Result<()> {
    for e in of_table(before.oid, cx) {
        let mut new = (*e).clone();
        for x in &mut new.exprs {
            let bound = bind_text(x, Some(before), None, cx)?;
            *x = text_of(&bound, Some(after), cx);
        }
        if new != *e {
            cx.put(Object::Extended(Arc::new(new)))?;
        }
    }
    Ok(())
}
/// LIKE ... INCLUDING STATISTICS: those of `source` for `t`, whose columns are `moved` (by the source's attnum).
pub fn copy(source: &Table, t: &Table, moved: &[i16], comments: bool, cx: &mut DdlCtx) -> Result<()> {
    for e in of_table(source.oid, cx) {
        if t.is_temporary() {
            return Err(Error::unsupported("CREATE STATISTICS on a temporary table"));
        }
        let mut columns: Vec<i16> = e.columns.iter().filter_map(|a| moved.get(*a as usize).copied()).collect();
        columns.sort_unstable();
        let mut names: Vec<String> = columns.iter().filter_map(|a| t.column(*a)).map(|c| c.name.clone()).collect();
        names.extend(e.exprs.iter().map(|_| "expr".to_string()));
        let middle = pamir_catalog::names::join_columns(names.iter().map(|n| n.as_str()));
        let taken = |n: &str| cx.catalog.extended_in(t.schema, n).is_some();
        let name = pamir_catalog::choose_name(&t.name, Some(&middle), "stat", taken);
        let new = Extended {
            oid: cx.new_oid_in(t.schema)?,
            schema: t.schema,
            name,
            owner: t.owner,
            table: t.oid,
            columns,
            target: -1,
            ..(*e).clone()
        };
        let (oid, db) = (new.oid, cx.database());
        cx.put(Object::Extended(Arc::new(new)))?;
        let said = cx.catalog.comment(PG_STATISTIC_EXT, e.oid, db).map(String::from);
        if let Some(text) = said.filter(|_| comments) {
            super::comment::keep((PG_STATISTIC_EXT, oid), db, Some(text), cx)?;
        }
    }
    Ok(())
}
