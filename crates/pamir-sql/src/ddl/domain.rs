//! CREATE DOMAIN, ALTER DOMAIN: what a domain is over, its default, NOT NULL and its checks.
//!
//! A check is kept as the text of an expression over one column, `value`, and shown with the word VALUE in its place. A column of a domain is stored
//! as one of what the domain is over; that its values pass is looked at where they become the domain's (`bind/domain.rs` of pamir-plan).
use super::constraint::must_be_boolean;
use super::cx::CANCEL_EVERY;
use super::eval::{bind_expr_in, no_subquery, text_of};
use super::types::{hold, new_name, new_type_oid, open_as, put, put_new};
use super::{DdlCtx, column};
use pamir_catalog::types::{Body, Domain, UserType};
use pamir_catalog::{Check, SqlText, Table, TableBuilder, choose_name};
use pamir_parse::tree::{
    AlterDomain, ColumnConstraint, ColumnConstraintKind as K, Expr, ExprKind, Literal, ObjectKind, QualifiedName,
    TableConstraintKind, TypeName,
};
use pamir_types::error::state;
use pamir_types::oid::UserClass;
use pamir_types::{Error, Result, Type, bail, err};
use std::sync::Arc;

/// What stands for the value in a check: a table of one column.
fn of_value(base: Type) -> Table {
    TableBuilder::new(0, "").column("value", base).build()
}

/// Nothing of these statements has a place, as PostgreSQL has it.
pub fn create(
    name: &QualifiedName,
    ty: &TypeName,
    collation: Option<&QualifiedName>,
    constraints: &[ColumnConstraint],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    cx.without_places(|cx| create_it(name, ty, collation, constraints, cx)).map_err(Error::nowhere)
}
fn create_it(
    name: &QualifiedName,
    ty: &TypeName,
    collation: Option<&QualifiedName>,
    constraints: &[ColumnConstraint],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (schema, name) = new_name(name, cx)?;
    let base = column::bound_type(ty, cx)?;
    if column::check_type("", base).is_err() {
        let named = pamir_types::text::type_named(base.oid);
        return Err(cx.place(err!(DATATYPE_MISMATCH, "\"{named}\" is not a valid base type for a domain"), ty.at));
    }
    hold(base, cx)?;
    let collation = match collation {
        Some(c) => Some(column::collation(&c.parts, cx.catalog.base_type(base))?),
        None => cx.catalog.user_type(base.oid).and_then(|t| t.collation()),
    };
    let collation = collation.filter(|c| *c != pamir_catalog::declared::DEFAULT_COLLATION);
    let mut d = Domain { base, not_null: false, default: None, checks: vec![], comments: vec![], collation };
    let (mut nullable, mut default) = (None, false);
    for c in constraints {
        match &c.kind {
            K::NotNull | K::Null => {
                let not_null = matches!(c.kind, K::NotNull);
                if nullable.is_some_and(|n| n != not_null) {
                    bail!(SYNTAX_ERROR, "conflicting NULL/NOT NULL constraints");
                }
                (nullable, d.not_null) = (Some(not_null), not_null);
            }
            K::Default(e) => {
                if std::mem::replace(&mut default, true) {
                    bail!(SYNTAX_ERROR, "multiple default expressions");
                }
                d.default = default_text(e, &name, base, cx)?;
            }
            K::Check { no_inherit: true, .. } => {
                bail!(INVALID_OBJECT_DEFINITION, "check constraints for domains cannot be marked NO INHERIT")
            }
            K::Check { expr, .. } => add_check(&mut d, &name, c.name.as_deref(), expr, false, cx)?,
            K::Unique { .. } => bail!(SYNTAX_ERROR, "unique constraints not possible for domains"),
            K::PrimaryKey { .. } => bail!(SYNTAX_ERROR, "primary key constraints not possible for domains"),
            K::References(_) => bail!(SYNTAX_ERROR, "foreign key constraints not possible for domains"),
            K::Deferrable(_) | K::Initially { .. } => {
                bail!(FEATURE_NOT_SUPPORTED, "specifying constraint deferrability not supported for domains")
            }
            K::Identity { .. } | K::Generated(_) => {
                return Err(Error::internal("unrecognized constraint subtype"));
            }
        }
    }
    let oid = new_type_oid(UserClass::Domain, cx)?;
    put_new(oid, schema, name, Body::Domain(d), cx)?;
    Ok("CREATE DOMAIN")
}

fn default_text(e: &Expr, name: &str, base: Type, cx: &mut DdlCtx) -> Result<Option<SqlText>> {
    no_subquery(e, "DEFAULT expression", cx)?;
    if matches!(e.kind, ExprKind::Literal(Literal::Null)) {
        return Ok(None);
    }
    let target = Some(cx.catalog.base_type(base).base());
    let bound = bind_expr_in(e, None, target, Some("DEFAULT expressions"), cx)
        .map_err(|x| column::default_error(x, name, base, e, cx))?;
    let literal = matches!(e.kind, ExprKind::Literal(Literal::String(_)));
    let shown = if literal { bound } else { bind_expr_in(e, None, None, Some("DEFAULT expressions"), cx)? };
    Ok(Some(text_of(&shown, None, cx)))
}
fn add_check(
    d: &mut Domain,
    domain: &str,
    name: Option<&str>,
    e: &Expr,
    not_valid: bool,
    cx: &mut DdlCtx,
) -> Result<()> {
    let taken = |n: &str| d.checks.iter().any(|c| c.name == n);
    let name = match name {
        Some(n) if taken(n) => {
            bail!(DUPLICATE_OBJECT, "constraint \"{n}\" for domain \"{domain}\" already exists")
        }
        Some(n) => n.to_string(),
        None => choose_name(domain, None, "check", taken),
    };
    no_subquery(e, "check constraint", cx)?;
    let table = of_value(cx.catalog.base_type(d.base));
    let bound = bind_expr_in(e, Some(&table), None, Some("check constraints"), cx)?;
    must_be_boolean(&bound, "CHECK", e.leftmost(), cx)?;
    let expr = text_of(&bound, Some(&table), cx);
    d.checks.push(Check { oid: cx.new_oid()?, name, expr, not_valid });
    // PostgreSQL checks in the order of names.
    d.checks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

fn open(name: &QualifiedName, cx: &mut DdlCtx) -> Result<(Arc<UserType>, Domain)> {
    let t = open_as(ObjectKind::Domain, &name.parts, cx)?;
    match &t.body {
        Body::Domain(d) => Ok((t.clone(), d.clone())),
        _ => Err(Error::internal("a domain's OID is of another type")),
    }
}
fn missing(name: &str, t: &UserType) -> Error {
    err!(UNDEFINED_OBJECT, "constraint \"{name}\" of domain \"{}\" does not exist", t.name)
}
pub fn alter(name: &QualifiedName, command: &AlterDomain, cx: &mut DdlCtx) -> Result<&'static str> {
    cx.without_places(|cx| alter_it(name, command, cx)).map_err(Error::nowhere)
}
fn alter_it(name: &QualifiedName, command: &AlterDomain, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "ALTER DOMAIN";
    let (t, mut d) = open(name, cx)?;
    match command {
        AlterDomain::SetDefault(None) => d.default = None,
        AlterDomain::SetDefault(Some(e)) => d.default = default_text(e, &t.name, d.base, cx)?,
        AlterDomain::SetNotNull(false) => d.not_null = false,
        AlterDomain::SetNotNull(true) => {
            if !d.not_null {
                each_value(&t, None, cx)?;
            }
            d.not_null = true;
        }
        AlterDomain::Add(c) => {
            let TableConstraintKind::Check(e) = &c.kind else {
                let what = match c.kind {
                    TableConstraintKind::Unique { .. } => "unique",
                    TableConstraintKind::PrimaryKey(_) => "primary key",
                    TableConstraintKind::ForeignKey { .. } => "foreign key",
                    _ => "exclusion",
                };
                bail!(SYNTAX_ERROR, "{what} constraints not possible for domains");
            };
            add_check(&mut d, &t.name, c.name.as_deref(), e, c.attributes.not_valid, cx)?;
            let known: Vec<&str> = match &t.body {
                Body::Domain(d) => d.checks.iter().map(|c| c.name.as_str()).collect(),
                _ => Vec::new(),
            };
            let new = d.checks.iter().find(|c| !known.contains(&c.name.as_str())).cloned();
            if let Some(check) = new.filter(|c| !c.not_valid) {
                each_value(&t, Some(&check), cx)?;
            }
        }
        AlterDomain::Drop { name, if_exists, .. } => {
            if !d.checks.iter().any(|c| c.name == *name) {
                if !if_exists {
                    return Err(missing(name, &t));
                }
                cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", missing(name, &t).message()));
                return Ok(TAG);
            }
            d.checks.retain(|c| c.name != *name);
        }
        AlterDomain::Validate(name) => {
            let Some(c) = d.checks.iter_mut().find(|c| c.name == *name) else { return Err(missing(name, &t)) };
            if !c.not_valid {
                return Ok(TAG);
            }
            let check = c.clone();
            c.not_valid = false;
            each_value(&t, Some(&check), cx)?;
        }
    }
    let known: Vec<_> = d.checks.iter().map(|c| c.oid).collect();
    d.comments.retain(|c| known.contains(&c.0));
    put(UserType { body: Body::Domain(d), ..(*t).clone() }, cx)?;
    Ok(TAG)
}
pub fn rename_constraint(name: &QualifiedName, from: &str, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let (t, mut d) = open(name, cx)?;
    if !d.checks.iter().any(|c| c.name == from) {
        return Err(err!(UNDEFINED_OBJECT, "constraint \"{from}\" for domain {} does not exist", t.name));
    }
    if d.checks.iter().any(|c| c.name == to) {
        bail!(DUPLICATE_OBJECT, "constraint \"{to}\" for domain {} already exists", t.name);
    }
    d.checks.iter_mut().filter(|c| c.name == from).for_each(|c| c.name = to.into());
    d.checks.sort_by(|a, b| a.name.cmp(&b.name));
    put(UserType { body: Body::Domain(d), ..(*t).clone() }, cx)?;
    Ok("ALTER DOMAIN")
}
pub fn comment(constraint: &str, domain: &QualifiedName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let (t, mut d) = open(domain, cx)?;
    let Some(oid) = d.checks.iter().find(|c| c.name == constraint).map(|c| c.oid) else {
        bail!(UNDEFINED_OBJECT, "constraint \"{constraint}\" for domain {} does not exist", t.name)
    };
    d.comments.retain(|c| c.0 != oid);
    d.comments.extend(text.map(|t| (oid, t)));
    put(UserType { body: Body::Domain(d), ..(*t).clone() }, cx)
}

/// Looks at every value of the domain that a table has: with a check, or (None) for NULL. Columns of arrays or composite types of it are refused, as
/// PostgreSQL refuses them.
fn each_value(t: &UserType, check: Option<&Check>, cx: &mut DdlCtx) -> Result<()> {
    let base = cx.catalog.base_type(Type::new(t.oid));
    let value = of_value(base);
    let held = match check {
        Some(c) => Some(super::eval::RowExpr::new(&super::eval::bind_text(&c.expr, Some(&value), None, cx)?)),
        None => None,
    };
    let mut of_tables: Vec<(pamir_types::Oid, Vec<i16>)> = Vec::new();
    for (table, attnum) in columns_over(t, cx)? {
        match of_tables.last_mut().filter(|o| o.0 == table) {
            Some(o) => o.1.push(attnum),
            None => of_tables.push((table, vec![attnum])),
        }
    }
    for (table, attnums) in of_tables {
        let table = cx.lock_table(table, pamir_txn::TableLock::Share)?;
        let schema = cx.catalog.schema(table.schema).map_or(String::new(), |s| s.name.clone());
        let mut rows = 0u64;
        super::build::each_row(cx, &table, &mut |cx, _, row| {
            rows += 1;
            if rows.is_multiple_of(CANCEL_EVERY) {
                cx.env.check_cancel()?;
            }
            for attnum in &attnums {
                let v = row.get(*attnum as usize - 1).cloned().unwrap_or(pamir_types::Datum::Null);
                let column = || table.column(*attnum).map(|c| c.name.clone()).unwrap_or_default();
                let e = match &held {
                    None if v.is_null() => err!(
                        NOT_NULL_VIOLATION,
                        "column \"{}\" of table \"{}\" contains null values",
                        column(),
                        table.name
                    ),
                    Some(e) if !e.holds(std::slice::from_ref(&v), &mut *cx.env)? => err!(
                        CHECK_VIOLATION,
                        "column \"{}\" of table \"{}\" contains values that violate the new constraint",
                        column(),
                        table.name
                    ),
                    _ => continue,
                };
                return Err(e.table(&*schema, &*table.name).column(column()));
            }
            Ok(())
        })?;
    }
    Ok(())
}
/// The columns of the domain, and of domains over it.
fn columns_over(t: &UserType, cx: &DdlCtx) -> Result<Vec<(pamir_types::Oid, i16)>> {
    let mut over = |mut ty: pamir_types::Oid| {
        loop {
            if ty == t.oid {
                return true;
            }
            match cx.catalog.domain_of(ty) {
                Some(d) => ty = d.base.oid,
                None => return false,
            }
        }
    };
    let mut out = Vec::new();
    for table in cx.catalog.tables(t.database) {
        for c in table.live_columns() {
            let ty = table.declared_type(c).oid;
            if over(ty) {
                out.push((table.oid, c.attnum));
            } else if cx.catalog.holds(ty, &mut over) {
                bail!(
                    FEATURE_NOT_SUPPORTED,
                    "cannot alter type \"{}\" because column \"{}.{}\" uses it",
                    t.name,
                    table.name,
                    c.name
                );
            }
        }
    }
    Ok(out)
}
