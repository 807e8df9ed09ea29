//! Databases, schemas, roles, comments.
use super::row::array;
use super::{Rows, RowsFn};
use crate::catalog::well_known;
use crate::env::Env;
use pamir_types::{Datum, Oid, Result, oid};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_database" => database,
        "pg_namespace" => namespace,
        "pg_authid" => authid,
        "pg_roles" => roles,
        "pg_user" => user,
        "pg_shadow" => shadow,
        "pg_description" => description,
        "pg_shdescription" => shared_description,
        _ => return None,
    })
}
/// pg_encoding's number of UTF8.
const UTF8: i32 = 6;

fn database(env: &mut dyn Env, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_database", push);
    for d in c.databases() {
        let template = d.oid == well_known::TEMPLATE0_DB || d.oid == well_known::TEMPLATE1_DB;
        out.add(|r| {
            r.oid("oid", d.oid)
                .set("datname", &*d.name)
                .oid("datdba", d.owner)
                .set("encoding", UTF8)
                .chr("datlocprovider", 'c')
                .set("datistemplate", template);
            r.set("datallowconn", d.oid != well_known::TEMPLATE0_DB)
                .set("datconnlimit", -1i64)
                .oid("dattablespace", 1663)
                .set("datcollate", "C")
                .set("datctype", "C");
        })?;
    }
    Ok(())
}
fn namespace(env: &mut dyn Env, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_namespace", push);
    for s in c.schemas(db) {
        out.add(|r| {
            r.oid("oid", s.oid).set("nspname", &*s.name).oid("nspowner", s.owner);
        })?;
    }
    Ok(())
}
fn authid(env: &mut dyn Env, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    // Verifiers are for superusers' eyes.
    let may_see = c.role_by_name(env.current_user()).is_some_and(|r| r.superuser);
    let mut out = Rows::catalog("pg_authid", push);
    for x in c.roles() {
        out.add(|r| {
            r.oid("oid", x.oid)
                .set("rolname", &*x.name)
                .set("rolsuper", x.superuser)
                .set("rolinherit", true)
                .set("rolcreaterole", x.createrole)
                .set("rolcreatedb", x.createdb);
            r.set("rolcanlogin", x.login)
                .set("rolreplication", x.superuser)
                .set("rolbypassrls", x.superuser)
                .set("rolconnlimit", -1i64);
            r.set("rolpassword", x.password.clone().filter(|_| may_see));
        })?;
    }
    Ok(())
}
fn roles(env: &mut dyn Env, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_roles", push);
    for x in c.roles() {
        out.add(|r| {
            r.set("rolname", &*x.name)
                .set("rolsuper", x.superuser)
                .set("rolinherit", true)
                .set("rolcreaterole", x.createrole)
                .set("rolcreatedb", x.createdb);
            r.set("rolcanlogin", x.login)
                .set("rolreplication", x.superuser)
                .set("rolconnlimit", -1i64)
                .set("rolpassword", "********");
            r.set("rolbypassrls", x.superuser).oid("oid", x.oid);
        })?;
    }
    Ok(())
}
fn users(table: &str, env: &mut dyn Env, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog(table, push);
    for x in c.roles().into_iter().filter(|r| r.login) {
        out.add(|r| {
            r.set("usename", &*x.name)
                .oid("usesysid", x.oid)
                .set("usecreatedb", x.createdb)
                .set("usesuper", x.superuser)
                .set("userepl", x.superuser)
                .set("usebypassrls", x.superuser);
            r.set("passwd", "********");
        })?;
    }
    Ok(())
}
fn user(env: &mut dyn Env, push: Push) -> Result<()> {
    users("pg_user", env, push)
}
fn shadow(env: &mut dyn Env, push: Push) -> Result<()> {
    users("pg_shadow", env, push)
}

const PG_CLASS: Oid = 1259;
const PG_NAMESPACE: Oid = 2615;
const PG_DATABASE: Oid = 1262;
fn description(env: &mut dyn Env, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_description", push);
    let mut add = |obj: Oid, class: Oid, sub: i16, text: &Option<String>| match text {
        Some(t) => out.add(|r| {
            r.oid("objoid", obj).oid("classoid", class).set("objsubid", sub).set("description", &**t);
        }),
        None => Ok(()),
    };
    for s in c.schemas(db) {
        add(s.oid, PG_NAMESPACE, 0, &s.comment)?;
    }
    for s in c.sequences(db) {
        add(s.oid, PG_CLASS, 0, &s.comment)?;
    }
    for t in c.tables(db) {
        add(t.oid, PG_CLASS, 0, &t.comment)?;
        for col in t.live_columns() {
            add(t.oid, PG_CLASS, col.attnum, &col.comment)?;
        }
        for i in &t.indexes {
            add(i.oid, PG_CLASS, 0, &i.comment)?;
        }
    }
    Ok(())
}
fn shared_description(env: &mut dyn Env, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_shdescription", push);
    for d in c.databases() {
        if let Some(t) = &d.comment {
            out.add(|r| {
                r.oid("objoid", d.oid).oid("classoid", PG_DATABASE).set("description", &**t);
            })?;
        }
    }
    Ok(())
}
pub(super) fn text_array(v: &[&str]) -> Datum {
    array(oid::TEXT, v.iter().map(|s| Datum::from(*s)).collect())
}
