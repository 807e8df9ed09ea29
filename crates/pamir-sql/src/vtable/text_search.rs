//! pg_ts_config, pg_ts_config_map, pg_ts_dict, pg_ts_template: the server's own rows, those of the extension unaccent, and users' objects.
use super::{Rows, RowsFn, ServerEnv, fixed_ts_config, fixed_ts_config_map, fixed_ts_dict, fixed_ts_template};
use pamir_catalog::text_search::{self as ts, PARSER, What};
use pamir_catalog::{Catalog, well_known};
use pamir_types::{Datum, Oid, Result};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_ts_config" => configs,
        "pg_ts_config_map" => maps,
        "pg_ts_dict" => dictionaries,
        "pg_ts_template" => templates,
        _ => return None,
    })
}
fn configs(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    fixed_ts_config(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_ts_config", push);
    for x in c.ts_configs(db) {
        out.add(|r| {
            r.oid("oid", x.oid).set("cfgname", &*x.name).oid("cfgnamespace", x.schema).oid("cfgowner", x.owner);
            r.oid("cfgparser", PARSER);
        })?;
    }
    Ok(())
}
fn maps(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    fixed_ts_config_map(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_ts_config_map", push);
    for x in c.ts_configs(db) {
        for (kind, list) in &x.map {
            for (i, d) in list.iter().enumerate() {
                out.add(|r| {
                    r.oid("mapcfg", x.oid).set("maptokentype", i32::from(*kind)).set("mapseqno", i as i32 + 1);
                    r.oid("mapdict", *d);
                })?;
            }
        }
    }
    Ok(())
}
/// The extension's schema and owner.
fn unaccent(c: &Catalog, db: Oid) -> Option<(Oid, Oid)> {
    c.extension_named(db, "unaccent").map(|e| (e.schema, e.owner))
}
fn dictionaries(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    fixed_ts_dict(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_ts_dict", push);
    if let Some((schema, owner)) = unaccent(&c, db) {
        out.add(|r| {
            r.oid("oid", ts::UNACCENT_DICTIONARY).set("dictname", "unaccent").oid("dictnamespace", schema);
            r.oid("dictowner", owner).oid("dicttemplate", ts::UNACCENT).set("dictinitoption", "rules = 'unaccent'");
        })?;
    }
    for d in c.ts_dictionaries(db) {
        out.add(|r| {
            r.oid("oid", d.oid).set("dictname", &*d.name).oid("dictnamespace", d.schema).oid("dictowner", d.owner);
            let options = ts::shown_settings(&d.options).map_or(Datum::Null, Datum::from);
            r.oid("dicttemplate", d.template).set("dictinitoption", options);
        })?;
    }
    Ok(())
}
fn templates(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    fixed_ts_template(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_ts_template", push);
    let Some((schema, _)) = unaccent(&c, db) else { return Ok(()) };
    out.add(|r| {
        r.oid("oid", ts::UNACCENT).set("tmplname", "unaccent").oid("tmplnamespace", schema);
    })
}

/// An object by its catalog.
type Ref = (Oid, Oid);
/// pg_depend's rows: an object, what it depends on, how.
pub(super) fn depends(c: &Catalog, db: Oid) -> Vec<(Ref, Ref, char)> {
    let (config, dictionary) = (What::Config.catalog(), What::Dictionary.catalog());
    let (template, schema) = (What::Template.catalog(), 2615);
    let mut out = Vec::new();
    // What the server needs itself is not named.
    let mut add = |what: Ref, on: Ref, how: char| {
        let pinned = matches!(on.1, ts::SIMPLE | pamir_types::tsconfig::SIMPLE_DICTIONARY | PARSER)
            || on == (schema, well_known::PG_CATALOG)
            || on.0 == template && on.1 != ts::UNACCENT && on.1 != ts::SNOWBALL;
        if !pinned {
            out.push((what, on, how));
        }
    };
    if let Some(e) = c.extension_named(db, "unaccent") {
        let (t, d) = ((template, ts::UNACCENT), (dictionary, ts::UNACCENT_DICTIONARY));
        for member in [t, d] {
            add(member, (schema, e.schema), 'n');
            add(member, (3079, e.oid), 'e');
        }
        add(d, t, 'n');
    }
    for d in c.ts_dictionaries(db) {
        add((dictionary, d.oid), (schema, d.schema), 'n');
        add((dictionary, d.oid), (template, d.template), 'n');
    }
    for x in c.ts_configs(db) {
        add((config, x.oid), (schema, x.schema), 'n');
        let mut all: Vec<Oid> = x.map.iter().flat_map(|m| m.1.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        for d in all {
            add((config, x.oid), (dictionary, d), 'n');
        }
    }
    out
}
