//! Domains: what a value must hold to become one of a domain.
//!
//! Values of a domain are those of what it is over; that they pass is looked at where something else becomes the domain's ([`crate::ir::CastHow::Domain`]),
//! where its text or bytes are read, and never again. A domain over a domain asks the inner one first, then its own NOT NULL and its checks in the
//! order of their names, as PostgreSQL does. Arrays and composite values are walked to the domains in them.
//!
//! *Invariant*: a check's expression is bound once a version of the domain and kept with it.
use crate::env::Env;
use crate::expr::{Px, compile_simple, eval_with};
use pamir_catalog::types::{Body, UserType};
use pamir_catalog::{Catalog, Column, Table, TableBuilder};
use pamir_types::{Datum, Error, Oid, Result, Type, err, oid, work};
use std::sync::Arc;

/// A domain's own checks: name and expression over one column.
type Checks = Vec<(String, Px)>;
/// Stack that a check must find.
const STACK_RESERVE: usize = 256 << 10;

/// 23502 or 23514 unless the value may be one of `ty`, a domain or a type that holds some.
pub fn check(d: &Datum, ty: Oid, env: &mut dyn Env) -> Result<()> {
    if oid::is_user(ty) && env.catalog().holds_domain(ty) { check_held(d, ty, env) } else { Ok(()) }
}
/// The same where it is known that the type is a domain or holds some: of [`columns`].
pub fn check_held(d: &Datum, ty: Oid, env: &mut dyn Env) -> Result<()> {
    if pamir_storage::task::stack_left().is_some_and(|n| n < STACK_RESERVE) {
        return Err(crate::deep::too_deep());
    }
    walk(d, ty, None, &env.catalog().clone(), env)
}
/// The columns whose values are of domains or hold some, by place, and their types.
pub fn columns(t: &Table, catalog: &Catalog) -> Vec<(usize, Oid)> {
    let declared = |c: &Column| t.declared.domain(c.attnum).unwrap_or(c.ty.oid);
    let held = t.live_columns().map(|c| (c.attnum as usize - 1, declared(c)));
    held.filter(|(_, ty)| oid::is_user(*ty) && catalog.holds_domain(*ty)).collect()
}
/// `top`: the domain over this one that is asked for.
fn walk(d: &Datum, ty: Oid, top: Option<&UserType>, catalog: &Arc<Catalog>, env: &mut dyn Env) -> Result<()> {
    if !oid::is_user(ty) {
        return Ok(());
    }
    if let Some(elem) = oid::element_of(ty) {
        let Datum::Array(a) = d else { return Ok(()) };
        for item in &a.items {
            work::charge(1)?;
            walk(item, elem, None, catalog, env)?;
        }
        return Ok(());
    }
    if let Some(fields) = catalog.fields_of(ty) {
        let Datum::Record(values) = d else { return Ok(()) };
        for ((_, t), (_, v)) in std::iter::zip(&fields, values.iter()) {
            walk(v, t.oid, None, catalog, env)?;
        }
        return Ok(());
    }
    let Some(t) = catalog.user_type(ty).cloned() else { return Ok(()) };
    let Body::Domain(domain) = &t.body else { return Ok(()) };
    let top = top.unwrap_or(&t);
    walk(d, domain.base.oid, Some(top), catalog, env)?;
    let named = || pamir_types::text::type_named(top.oid);
    if domain.not_null && d.is_null() {
        let e = err!(NOT_NULL_VIOLATION, "domain {} does not allow null values", named());
        return Err(of_domain(e, top, catalog));
    }
    let value = std::slice::from_ref(d);
    for (name, check) in checks(&t, catalog, env)? {
        work::charge(1)?;
        if matches!(eval_with(check, value, env)?, Datum::Bool(false)) {
            let e = err!(CHECK_VIOLATION, "value for domain {} violates check constraint \"{name}\"", named());
            return Err(of_domain(e, top, catalog).constraint(name.as_str()));
        }
    }
    Ok(())
}
fn of_domain(e: Error, t: &UserType, catalog: &Catalog) -> Error {
    let mut e = e;
    let d = e.data_mut();
    d.schema = catalog.schema(t.schema).map(|s| s.name.clone());
    d.datatype = Some(t.name.clone());
    e
}
fn checks<'t>(t: &'t UserType, catalog: &Catalog, env: &mut dyn Env) -> Result<&'t Checks> {
    if let Some(kept) = t.cache.get::<Checks>() {
        return Ok(kept);
    }
    let Body::Domain(domain) = &t.body else { return Err(Error::internal("a domain was expected")) };
    let value = TableBuilder::new(0, "").column("value", catalog.base_type(Type::new(t.oid))).build();
    let mut made = Vec::with_capacity(domain.checks.len());
    for c in &domain.checks {
        let mut e = env.bind_stored(&value, &c.expr, None)?;
        crate::expr::each_mut(&mut e, &mut |e| {
            if let crate::ir::Expr::Col(_, ty) = e {
                *e = crate::ir::Expr::Param(0, *ty)
            }
        });
        made.push((c.name.clone(), compile_simple(&e)?));
    }
    Ok(t.cache.get_or_init(|| made))
}
