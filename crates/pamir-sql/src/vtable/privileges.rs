//! Roles, memberships, default privileges, settings of roles: what the catalog keeps of who may do what. Lists of objects stand in the objects' own tables
//! ([`acl_of`], [`column_acl`]).
use super::ServerEnv;
use super::row::array;
use super::{Rows, RowsFn};
use pamir_catalog::acl::{self, Who};
use pamir_catalog::{Catalog, Role};
use pamir_types::{Datum, Oid, Result, oid};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_authid" => authid,
        "pg_roles" => roles,
        "pg_user" => user,
        "pg_shadow" => shadow,
        "pg_group" => group,
        "pg_auth_members" => members,
        "pg_default_acl" => defaults,
        "pg_db_role_setting" => settings,
        _ => return None,
    })
}

/// relacl, nspacl, datacl: NULL where the default holds.
pub(super) fn acl_of(c: &Catalog, object: Oid) -> Datum {
    c.grants(object).and_then(|g| g.acl.as_ref()).map_or(Datum::Null, |a| acl::list_datum(c, a))
}
pub(super) fn column_acl(c: &Catalog, table: Oid, attnum: i16) -> Datum {
    c.grants(table).and_then(|g| g.column(attnum)).map_or(Datum::Null, |a| acl::list_datum(c, a))
}
fn valid_until(r: &Role) -> Datum {
    r.valid_until.map_or(Datum::Null, Datum::TimestampTz)
}
fn config(r: &Role) -> Datum {
    let list: Vec<Datum> =
        r.settings.iter().filter(|s| s.database == 0).map(|s| Datum::text(format!("{}={}", s.name, s.value))).collect();
    if list.is_empty() { Datum::Null } else { array(oid::TEXT, list) }
}

fn authid(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_authid", push);
    for x in c.roles() {
        out.add(|r| {
            r.oid("oid", x.oid)
                .set("rolname", &*x.name)
                .set("rolsuper", x.superuser)
                .set("rolinherit", x.inherit)
                .set("rolcreaterole", x.createrole)
                .set("rolcreatedb", x.createdb);
            r.set("rolcanlogin", x.login)
                .set("rolreplication", x.replication)
                .set("rolbypassrls", x.bypassrls)
                .set("rolconnlimit", x.connection_limit);
            r.set("rolpassword", x.password.clone()).set("rolvaliduntil", valid_until(x));
        })?;
    }
    Ok(())
}
fn roles(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_roles", push);
    for x in c.roles() {
        out.add(|r| {
            r.set("rolname", &*x.name)
                .set("rolsuper", x.superuser)
                .set("rolinherit", x.inherit)
                .set("rolcreaterole", x.createrole)
                .set("rolcreatedb", x.createdb);
            r.set("rolcanlogin", x.login)
                .set("rolreplication", x.replication)
                .set("rolconnlimit", x.connection_limit)
                .set("rolpassword", "********");
            r.set("rolvaliduntil", valid_until(x)).set("rolbypassrls", x.bypassrls);
            r.set("rolconfig", config(x)).oid("oid", x.oid);
        })?;
    }
    Ok(())
}
fn users(table: &str, secret: bool, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog(table, push);
    for x in c.roles().into_iter().filter(|r| r.login) {
        out.add(|r| {
            r.set("usename", &*x.name)
                .oid("usesysid", x.oid)
                .set("usecreatedb", x.createdb)
                .set("usesuper", x.superuser)
                .set("userepl", x.replication)
                .set("usebypassrls", x.bypassrls);
            let password = if secret { Datum::from(x.password.clone()) } else { Datum::text("********") };
            r.set("passwd", password).set("valuntil", valid_until(x)).set("useconfig", config(x));
        })?;
    }
    Ok(())
}
fn user(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    users("pg_user", false, env, push)
}
fn shadow(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    users("pg_shadow", true, env, push)
}
fn group(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_group", push);
    for x in c.roles().into_iter().filter(|r| !r.login) {
        let members: Vec<Datum> = c
            .roles()
            .into_iter()
            .filter(|m| m.member_of.iter().any(|i| i.role == x.oid))
            .map(|m| Datum::Oid(m.oid))
            .collect();
        out.add(|r| {
            r.set("groname", &*x.name).oid("grosysid", x.oid).set("grolist", array(oid::OID, members));
        })?;
    }
    Ok(())
}
fn members(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_auth_members", push);
    for x in c.roles() {
        for m in &x.member_of {
            out.add(|r| {
                r.oid("roleid", m.role).oid("member", x.oid).oid("grantor", m.grantor).set("admin_option", m.admin);
            })?;
        }
    }
    Ok(())
}
fn defaults(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_default_acl", push);
    for d in c.default_acls().into_iter().filter(|d| d.database == db) {
        out.add(|r| {
            r.oid("oid", d.oid)
                .oid("defaclrole", d.role)
                .oid("defaclnamespace", d.schema)
                .chr("defaclobjtype", d.kind.letter())
                .set("defaclacl", acl::list_datum(&c, &d.acl));
        })?;
    }
    Ok(())
}
fn settings(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_db_role_setting", push);
    let mut add = |database: Oid, role: Oid, list: Vec<Datum>| {
        if list.is_empty() {
            return Ok(());
        }
        out.add(|r| {
            r.oid("setdatabase", database).oid("setrole", role).set("setconfig", array(oid::TEXT, list));
        })
    };
    for d in c.databases() {
        add(d.oid, 0, d.settings.iter().map(|(n, v)| Datum::text(format!("{n}={v}"))).collect())?;
    }
    for x in c.roles() {
        let mut databases: Vec<Oid> = x.settings.iter().map(|s| s.database).collect();
        databases.sort_unstable();
        databases.dedup();
        for db in databases {
            let list = x.settings.iter().filter(|s| s.database == db);
            add(db, x.oid, list.map(|s| Datum::text(format!("{}={}", s.name, s.value))).collect())?;
        }
    }
    Ok(())
}
/// Whether the user may know what another role's sessions do.
pub(super) fn sees_sessions_of(who: &Who, role: Option<Oid>) -> bool {
    who.has_role(acl::predefined::READ_ALL_STATS) || role.is_some_and(|r| who.has_role(r))
}
