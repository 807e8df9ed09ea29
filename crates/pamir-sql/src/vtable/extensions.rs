//! pg_extension, pg_available_extensions and their versions.
use super::{Rows, RowsFn, ServerEnv};
use pamir_catalog::extension::{AVAILABLE, PLPGSQL, PLPGSQL_OID};
use pamir_catalog::well_known::{PG_CATALOG, POSTGRES_ROLE};
use pamir_types::{Datum, Result};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_extension" => there,
        "pg_available_extensions" => available,
        "pg_available_extension_versions" => versions,
        _ => return None,
    })
}
fn there(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_extension", push);
    out.add(|r| {
        r.oid("oid", PLPGSQL_OID).set("extname", PLPGSQL).oid("extowner", POSTGRES_ROLE);
        r.oid("extnamespace", PG_CATALOG).set("extrelocatable", false).set("extversion", "1.0");
        r.set("extconfig", Datum::Null).set("extcondition", Datum::Null);
    })?;
    for e in c.extensions(db) {
        out.add(|r| {
            r.oid("oid", e.oid).set("extname", &*e.name).oid("extowner", e.owner).oid("extnamespace", e.schema);
            r.set("extrelocatable", true).set("extversion", &*e.version);
            r.set("extconfig", Datum::Null).set("extcondition", Datum::Null);
        })?;
    }
    Ok(())
}
/// The version of it that the database has.
fn installed(name: &str, env: &dyn ServerEnv) -> Option<String> {
    if name == PLPGSQL {
        return Some("1.0".into());
    }
    env.catalog().extension_named(env.scope().database, name).map(|e| e.version.clone())
}
fn available(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let all: Vec<_> = AVAILABLE.iter().map(|a| (a, installed(a.name, env))).collect();
    let mut out = Rows::catalog("pg_available_extensions", push);
    for (a, version) in all {
        out.add(|r| {
            r.set("name", a.name).set("default_version", a.version).set("comment", a.comment);
            r.set("installed_version", version.map_or(Datum::Null, Datum::from));
        })?;
    }
    Ok(())
}
fn versions(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let all: Vec<_> = AVAILABLE.iter().map(|a| (a, installed(a.name, env))).collect();
    let mut out = Rows::catalog("pg_available_extension_versions", push);
    for (a, installed) in &all {
        for v in a.versions {
            out.add(|r| {
                r.set("name", a.name).set("version", *v).set("installed", installed.as_deref() == Some(*v));
                r.set("superuser", true).set("trusted", true).set("relocatable", a.name != PLPGSQL);
                let schema = if a.name == PLPGSQL { Datum::from("pg_catalog") } else { Datum::Null };
                r.set("schema", schema).set("requires", Datum::Null).set("comment", a.comment);
            })?;
        }
    }
    Ok(())
}
