//! Databases, schemas, roles, comments.
use super::ServerEnv;
use super::privileges::acl_of;
use super::row::array;
use super::{Rows, RowsFn};
use pamir_catalog::acl;
use pamir_catalog::acl::ObjectKind;
use pamir_catalog::types::Body;
use pamir_catalog::well_known;
use pamir_types::{Datum, Oid, Result, oid};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_database" => database,
        "pg_namespace" => namespace,
        "pg_description" => description,
        "pg_shdescription" => shared_description,
        _ => return None,
    })
}
/// pg_encoding's number of UTF8.
const UTF8: i32 = 6;

fn database(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_database", push);
    for d in c.databases() {
        out.add(|r| {
            r.oid("oid", d.oid)
                .set("datname", &*d.name)
                .oid("datdba", d.owner)
                .set("encoding", UTF8)
                .chr("datlocprovider", 'c')
                .set("datistemplate", d.is_template);
            r.set("datallowconn", d.allow_connections)
                .set("datconnlimit", d.connection_limit)
                .oid("dattablespace", 1663)
                .set("datcollate", "C")
                .set("datctype", "C")
                .set("datacl", acl_of(&c, d.oid));
        })?;
    }
    Ok(())
}
fn namespace(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_namespace", push);
    for s in c.schemas(db) {
        out.add(|r| {
            let kept = match s.oid {
                // Theirs is their default.
                well_known::PG_CATALOG | well_known::INFORMATION_SCHEMA => {
                    acl::list_datum(&c, &c.acl(ObjectKind::Schema, s.oid, s.owner))
                }
                oid => acl_of(&c, oid),
            };
            r.oid("oid", s.oid).set("nspname", &*s.name).oid("nspowner", s.owner).set("nspacl", kept);
        })?;
    }
    Ok(())
}
const PG_CLASS: Oid = 1259;
const PG_TYPE: Oid = 1247;
const PG_CONSTRAINT: Oid = 2606;
const PG_NAMESPACE: Oid = 2615;
const PG_DATABASE: Oid = 1262;
const PG_EXTENSION: Oid = 3079;
fn description(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_description", push);
    let mut add = |obj: Oid, class: Oid, sub: i16, text: &Option<String>| match text {
        Some(t) => out.add(|r| {
            r.oid("objoid", obj).oid("classoid", class).set("objsubid", sub).set("description", &**t);
        }),
        None => Ok(()),
    };
    for e in c.extensions(db) {
        add(e.oid, PG_EXTENSION, 0, &e.comment)?;
    }
    for s in c.schemas(db) {
        add(s.oid, PG_NAMESPACE, 0, &s.comment)?;
    }
    for s in c.sequences(db) {
        add(s.oid, PG_CLASS, 0, &s.comment)?;
    }
    for t in c.user_types(db) {
        add(t.oid, PG_TYPE, 0, &t.comment)?;
        match &t.body {
            Body::Domain(d) => {
                for (o, text) in &d.comments {
                    add(*o, PG_CONSTRAINT, 0, &Some(text.clone()))?;
                }
            }
            Body::Composite(x) => {
                for f in &x.fields {
                    add(x.relation, PG_CLASS, f.attnum, &f.comment)?;
                }
            }
            Body::Enum(_) => {}
        }
    }
    for t in c.tables_and_views(db) {
        add(t.oid, PG_CLASS, 0, &t.comment)?;
        for col in t.live_columns() {
            add(t.oid, PG_CLASS, col.attnum, &col.comment)?;
        }
        for i in &t.indexes {
            add(i.oid, PG_CLASS, 0, &i.comment)?;
        }
        for (o, text) in &t.declared.comments {
            add(*o, PG_CONSTRAINT, 0, &Some(text.clone()))?;
        }
    }
    Ok(())
}
fn shared_description(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
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
