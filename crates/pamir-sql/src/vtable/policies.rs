//! pg_policy and pg_policies.
use super::row::array;
use super::{Rows, RowsFn, ServerEnv};
use crate::stored::readable;
use pamir_catalog::acl::PUBLIC;
use pamir_catalog::policy::Policy;
use pamir_catalog::{Catalog, NameScope, SqlText, Table, defs};
use pamir_expr::deparse::{Layout, Naming, condition_text};
use pamir_plan::bind::{BindCtx, policy};
use pamir_types::{Datum, Result, oid};
use std::sync::Arc;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_policy" => policies,
        "pg_policies" => shown,
        _ => return None,
    })
}
/// A condition as the session sees names, the table's own columns without its name.
fn condition(text: &Option<SqlText>, t: &Arc<Table>, env: &mut dyn ServerEnv) -> Result<Option<String>> {
    let Some(text) = text else { return Ok(None) };
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let mut print = || {
        let e = policy::stored_condition(text)?;
        let stored = NameScope::stored(scope.database);
        let mut cx = BindCtx { catalog: &catalog, scope: &stored, params: Vec::new(), env: &mut *env, text: "" };
        let form = policy::recorded(&e, t, &mut cx)?;
        let text = condition_text(&form.query, &form.record, Naming::Short(&catalog, &scope), Layout::default())?;
        Ok(defs::shown_expr(&catalog, &scope, &SqlText(text)))
    };
    let printed = print();
    readable(printed.map(Some), || Some(text.0.clone()))
}
/// What a policy's conditions are to the session.
struct Conditions {
    using: Option<String>,
    check: Option<String>,
}
/// Each policy of the database, with its table and its conditions.
fn each(env: &mut dyn ServerEnv, f: &mut dyn FnMut(&Policy, &Table, Conditions) -> Result<()>) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    for p in c.policies(db) {
        let Some(t) = c.table(p.relation) else { continue };
        let using = condition(&p.using, t, env)?;
        let check = condition(&p.check, t, env)?;
        f(p, t, Conditions { using, check })?;
    }
    Ok(())
}
fn policies(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let mut out = Rows::catalog("pg_policy", push);
    each(env, &mut |p, t, c| {
        out.add(|r| {
            r.oid("oid", p.oid)
                .set("polname", &*p.name)
                .oid("polrelid", t.oid)
                .chr("polcmd", p.command.letter())
                .set("polpermissive", p.permissive)
                .set("polroles", array(oid::OID, p.roles.iter().map(|r| Datum::Oid(*r)).collect()))
                .set("polqual", c.using)
                .set("polwithcheck", c.check);
        })
    })
}
fn roles(p: &Policy, c: &Catalog) -> Datum {
    let mut names: Vec<String> = p.roles.iter().filter_map(|r| c.role(*r)).map(|r| r.name.clone()).collect();
    if p.roles.contains(&PUBLIC) {
        names = vec!["public".into()];
    }
    names.sort();
    array(oid::NAME, names.into_iter().map(Datum::text).collect())
}
fn shown(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_policies", push);
    each(env, &mut |p, t, said| {
        let schema = c.schema(t.schema).map_or(String::new(), |s| s.name.clone());
        out.add(|r| {
            r.set("schemaname", schema)
                .set("tablename", &*t.name)
                .set("policyname", &*p.name)
                .set("permissive", if p.permissive { "PERMISSIVE" } else { "RESTRICTIVE" })
                .set("roles", roles(p, &c))
                .set("cmd", p.command.word())
                .set("qual", said.using)
                .set("with_check", said.check);
        })
    })
}
