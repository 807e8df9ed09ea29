//! Databases, schemas, roles, comments.
use super::ServerEnv;
use super::privileges::acl_of;
use super::row::array;
use super::{Rows, RowsFn};
use pamir_catalog::acl;
use pamir_catalog::acl::ObjectKind;
use pamir_catalog::extension::{PLPGSQL, PLPGSQL_OID};
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
        "pg_init_privs" => init_privs,
        _ => return None,
    })
}
/// pg_encoding's number of UTF8.
const UTF8: i32 = 6;
/// Sets of transactions that lock one row have no numbers here.
pub(super) const FIRST_MULTIXACT: u32 = 1;

/// Numbers of transactions that are told as frozen go in steps of so many: what reads the catalogs twice finds them as they were.
const FROZEN_STEP: u32 = 1 << 16;

/// No transaction before this one has a number that somebody still must replace: none ever must be.
pub(super) fn frozen(env: &mut dyn ServerEnv) -> Datum {
    let now = env.txn().map_or(0, |t| t.id() as u32) / FROZEN_STEP * FROZEN_STEP;
    Datum::Oid(now.max(pamir_expr::func::system::FIRST_NORMAL))
}

fn database(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let frozen = frozen(env);
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
                .set("datacl", acl_of(&c, d.oid))
                .set("datfrozenxid", frozen.clone())
                .set("datminmxid", Datum::Oid(FIRST_MULTIXACT));
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
const PG_PROC: Oid = 1255;
const PG_CONSTRAINT: Oid = 2606;
pub(super) const PG_TRIGGER: Oid = 2620;
const PG_EVENT_TRIGGER: Oid = 3466;
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
    let plpgsql = pamir_catalog::extension::available(PLPGSQL).map(|a| a.comment.to_string());
    add(PLPGSQL_OID, PG_EXTENSION, 0, &plpgsql)?;
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
            Body::Enum(_) | Body::Range(_) | Body::Multirange => {}
        }
    }
    for f in c.functions(db) {
        add(f.oid, PG_PROC, 0, &f.comment)?;
    }
    for o in c.operators(db) {
        add(o.oid, 2617, 0, &o.comment)?;
    }
    for x in c.casts(db) {
        add(x.oid, 2605, 0, &x.comment)?;
    }
    for (oid, said) in c.comments_in(db) {
        add(oid, said.class, 0, &Some(said.text.clone()))?;
    }
    for (what, oid, text) in pamir_catalog::text_search::own_descriptions() {
        if c.comment(what.catalog(), oid, db).is_none() {
            add(oid, what.catalog(), 0, &Some(text))?;
        }
    }
    for r in c.rules(db) {
        add(r.oid, pamir_catalog::depend::Class::Rule.catalog(), 0, &r.comment)?;
    }
    for p in c.policies(db) {
        add(p.oid, pamir_catalog::depend::Class::Policy.catalog(), 0, &p.comment)?;
    }
    for g in c.triggers(db) {
        add(g.oid, PG_TRIGGER, 0, &g.comment)?;
    }
    for g in c.event_triggers(db) {
        add(g.oid, PG_EVENT_TRIGGER, 0, &g.comment)?;
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
    super::large_objects::comments(env, &mut out)
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
    for (oid, said) in c.comments_in(0) {
        out.add(|r| {
            r.oid("objoid", oid).oid("classoid", said.class).set("description", &*said.text);
        })?;
    }
    Ok(())
}
/// What the privileges of initdb's objects are at the beginning: what pg_dump leaves out.
fn init_privs(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_init_privs", push);
    for schema in [well_known::PG_CATALOG, well_known::INFORMATION_SCHEMA] {
        let first = acl::list_datum(&c, &c.first_acl(well_known::POSTGRES_ROLE));
        out.add(|r| {
            r.oid("objoid", schema).oid("classoid", PG_NAMESPACE).set("objsubid", 0i16).chr("privtype", 'i');
            r.set("initprivs", first);
        })?;
    }
    Ok(())
}
pub(super) fn text_array(v: &[&str]) -> Datum {
    array(oid::TEXT, v.iter().map(|s| Datum::from(*s)).collect())
}
