//! The rows of pg_catalog and information_schema: PostgreSQL 15's contents, computed from the catalog and the server's state when a table is read.
//!
//! What the tables are, and the rows that never change, is `pamir_catalog::system`'s. A table without a row maker is empty: the feature behind it does not exist
//! here. A row maker sets columns by name (`Row::set`); what it does not set is NULL in views and PostgreSQL's "nothing" (0, false, '') in tables.
//!
//! Limits: contents are what clients ask for. What the statistics views do not show is said in statistics.rs.
use crate::session::Database;
use pamir_catalog::system::types as types_of;
use pamir_catalog::system::{VirtualTable, all, find, own, read_fixed};
use pamir_expr::env::Env;
use pamir_types::{Datum, Oid, Result};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

mod cluster;
mod depend;
mod extensions;
mod functions;
mod grants;
mod info;
mod large_objects;
mod objects;
mod policies;
mod privileges;
mod relations;
mod routines;
mod row;
mod server;
mod statistics;
#[cfg(test)]
mod tests;
mod text_search;
mod triggers;
mod types;
mod usage;

pub(crate) use row::{Row, Rows};

/// A session, and the server that it belongs to.
pub trait ServerEnv: Env {
    /// None where there is none.
    fn server(&self) -> Option<&Arc<Database>>;
    /// The values that the rows which are asked for have in columns of [`VirtualTable::is_key`]; others may be made, too.
    fn wanted(&self) -> &[(&'static str, Datum)] {
        &[]
    }
}
/// The OID that a column of the rows which are asked for has, if one is.
fn wanted_oid(env: &dyn ServerEnv, column: &str) -> Option<Oid> {
    env.wanted().iter().find(|w| w.0 == column).and_then(|w| if let Datum::Oid(o) = &w.1 { Some(*o) } else { None })
}
fn wanted_text<'e>(env: &'e dyn ServerEnv, column: &str) -> Option<&'e str> {
    env.wanted().iter().find(|w| w.0 == column).and_then(|w| if let Datum::Text(s) = &w.1 { Some(&**s) } else { None })
}

/// Pushes every row of a table.
pub type RowsFn = fn(&mut dyn ServerEnv, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()>;

/// By the table's OID.
static MAKERS: LazyLock<FxHashMap<Oid, RowsFn>> =
    LazyLock::new(|| all().iter().chain(own()).map(|t| (t.oid, row_maker(t.schema, t.name))).collect());
/// Pushes the rows of `table`.
pub fn rows(
    table: &VirtualTable,
    env: &mut dyn ServerEnv,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    MAKERS.get(&table.oid).map_or(Ok(()), |f| f(env, push))
}

fn none(_: &mut dyn ServerEnv, _: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    Ok(())
}

/// Rows of a table whose data never change.
macro_rules! fixed_rows {
    ($($f:ident = $schema:literal . $name:literal;)*) => {
        $(fn $f(_: &mut dyn ServerEnv, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
            static ROWS: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| read_fixed($schema, $name));
            ROWS.iter().try_for_each(|r| push(r.clone()))
        })*
        fn fixed_maker(name: &str) -> Option<RowsFn> { match name { $($name => Some($f),)* _ => None } }
    };
}
fixed_rows! {
    fixed_am = "pg_catalog"."pg_am"; fixed_collation = "pg_catalog"."pg_collation";
    fixed_language = "pg_catalog"."pg_language"; fixed_opfamily = "pg_catalog"."pg_opfamily"; fixed_opclass = "pg_catalog"."pg_opclass";
    fixed_ts_config = "pg_catalog"."pg_ts_config"; fixed_ts_config_map = "pg_catalog"."pg_ts_config_map"; fixed_ts_dict = "pg_catalog"."pg_ts_dict";
    fixed_ts_parser = "pg_catalog"."pg_ts_parser"; fixed_ts_template = "pg_catalog"."pg_ts_template";
    fixed_tablespace = "pg_catalog"."pg_tablespace"; fixed_cast = "pg_catalog"."pg_cast"; fixed_amop = "pg_catalog"."pg_amop";
    fixed_amproc = "pg_catalog"."pg_amproc"; fixed_abbrevs = "pg_catalog"."pg_timezone_abbrevs";
    fixed_features = "information_schema"."sql_features"; fixed_parts = "information_schema"."sql_parts";
    fixed_sizing = "information_schema"."sql_sizing"; fixed_implementation = "information_schema"."sql_implementation_info";
}
/// Operator classes: those that never change, and those of the extensions that there are.
fn operator_classes(env: &mut dyn ServerEnv, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    fixed_opclass(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_opclass", push);
    for e in c.extensions(db) {
        for (oid, method, name, input, default) in types_of::rows_of_extension(&e.name) {
            out.add(|r| {
                r.oid("oid", oid).oid("opcmethod", method).set("opcname", name).oid("opcnamespace", e.schema);
                r.oid("opcowner", e.owner).oid("opcfamily", oid).oid("opcintype", input).set("opcdefault", default);
                r.oid("opckeytype", 0);
            })?;
        }
    }
    Ok(())
}
fn operator_families(env: &mut dyn ServerEnv, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    fixed_opfamily(env, push)?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_opfamily", push);
    for e in c.extensions(db) {
        for (oid, method, name, ..) in types_of::rows_of_extension(&e.name) {
            out.add(|r| {
                r.oid("oid", oid).oid("opfmethod", method).set("opfname", name);
                r.oid("opfnamespace", e.schema).oid("opfowner", e.owner);
            })?;
        }
    }
    Ok(())
}
fn row_maker(schema: &str, name: &str) -> RowsFn {
    match name {
        "pg_opclass" => return operator_classes,
        "pg_opfamily" => return operator_families,
        _ => {}
    }
    if let Some(f) = text_search::maker(name) {
        return f;
    }
    if name == "pg_cast" {
        return functions::maker(name).unwrap_or(none);
    }
    if let Some(f) = fixed_maker(name) {
        return f;
    }
    if schema == pamir_catalog::PAMIR_CATALOG {
        return cluster::own_maker(name).unwrap_or(none);
    }
    if schema == "information_schema" {
        return info::maker(name)
            .or_else(|| triggers::info_maker(name))
            .or_else(|| grants::maker(name))
            .or_else(|| routines::maker(name))
            .or_else(|| usage::maker(name))
            .unwrap_or(none);
    }
    relations::maker(name)
        .or_else(|| types::maker(name))
        .or_else(|| triggers::maker(name))
        .or_else(|| extensions::maker(name))
        .or_else(|| objects::maker(name))
        .or_else(|| policies::maker(name))
        .or_else(|| large_objects::maker(name))
        .or_else(|| privileges::maker(name))
        .or_else(|| functions::maker(name))
        .or_else(|| server::maker(name))
        .or_else(|| statistics::maker(name))
        .or_else(|| cluster::maker(name))
        .unwrap_or(none)
}
