//! pg_catalog and information_schema as virtual tables: PostgreSQL 15's names, columns, types and OIDs.
//!
//! ```text
//!   data/tables.tsv       schema, OID, name, kind, column:type ...   of every catalog table and view (made by generate.py from a PostgreSQL 15)
//!   data/NAME.tsv         rows that never change (pg_type, pg_am, pg_opclass, sql_features, ...)
//!   rows.rs, info.rs ...  rows computed from the catalog snapshot and the server's state when a table is read
//! ```
//! A table without a row maker is empty: the feature behind it does not exist here. A row maker sets columns by name (`Row::set`); what it does not set
//! is NULL in views and PostgreSQL's "nothing" (0, false, '') in tables.
//!
//! Limits: OIDs of views and of information_schema are those of one PostgreSQL installation (PostgreSQL itself promises none). Contents are what clients
//! ask for. What the statistics views do not show is said in statistics.rs.
use crate::env::Env;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Oid, Result, Type, oid};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

mod info;
mod objects;
mod privileges;
mod relations;
mod row;
mod server;
mod statistics;
#[cfg(test)]
mod tests;
pub(crate) mod types;

pub(crate) use privileges::acl_datum;
pub(crate) use row::{Row, Rows};
pub(crate) use server::SETTINGS;
pub use server::setting_context;
pub(crate) use statistics::blocking_pids;

/// Pushes every row of a table.
pub type RowsFn = fn(&mut dyn Env, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()>;

/// A relation computed from the catalog and the server's state when it is read.
pub struct VirtualTable {
    pub oid: Oid,
    pub schema: &'static str,
    pub name: &'static str,
    /// A view in PostgreSQL (pg_class.relkind 'v').
    pub view: bool,
    pub columns: &'static [(&'static str, Type)],
    /// pushes every row
    pub rows: RowsFn,
}
impl std::fmt::Debug for VirtualTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}

/// Rows that never change, by table.
macro_rules! fixed {
    ($($name:literal),* $(,)?) => {
        fn fixed(name: &str) -> Option<&'static str> {
            match name { $($name => Some(include_str!(concat!("data/", $name, ".tsv"))),)* _ => None }
        }
    };
}
fixed!(
    "pg_type",
    "pg_am",
    "pg_collation",
    "pg_language",
    "pg_opfamily",
    "pg_opclass",
    "pg_tablespace",
    "pg_cast",
    "pg_timezone_abbrevs",
    "sql_features",
    "sql_parts",
    "sql_sizing",
    "sql_implementation_info"
);

fn type_named(name: &str) -> Type {
    let find = |n: &str| oid::TYPES.iter().find(|t| t.2 == n).map(|t| t.0);
    let oid = match name.strip_prefix('_') {
        Some(e) => find(e).and_then(oid::array_of),
        None => find(name),
    };
    Type::new(oid.unwrap_or(oid::TEXT))
}

static TABLES: LazyLock<Vec<VirtualTable>> = LazyLock::new(|| {
    // extensions.tsv: the views of extensions that are built in.
    [include_str!("data/tables.tsv"), include_str!("data/extensions.tsv")]
        .into_iter()
        .flat_map(str::lines)
        .filter_map(|line| {
            let mut parts = line.split('\t');
            let (schema, oid, name, kind) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
            let columns: Vec<(&'static str, Type)> =
                parts.filter_map(|p| p.split_once(':')).map(|(c, t)| (c, type_named(t))).collect();
            // Made once for the life of the process.
            Some(VirtualTable {
                oid,
                schema,
                name,
                view: kind == "v",
                columns: columns.leak(),
                rows: row_maker(schema, name),
            })
        })
        .collect()
});
static BY_NAME: LazyLock<[FxHashMap<&'static str, usize>; 2]> = LazyLock::new(|| {
    let of = |schema: &str| {
        TABLES.iter().enumerate().filter(|(_, t)| t.schema == schema).map(|(i, t)| (t.name, i)).collect()
    };
    [of("pg_catalog"), of("information_schema")]
});
static BY_OID: LazyLock<FxHashMap<Oid, usize>> =
    LazyLock::new(|| TABLES.iter().enumerate().map(|(i, t)| (t.oid, i)).collect());

/// Looks a virtual table up.
pub fn find(schema: &str, name: &str) -> Option<&'static VirtualTable> {
    let map = match schema {
        "pg_catalog" => BY_NAME.first(),
        "information_schema" => BY_NAME.get(1),
        _ => None,
    }?;
    TABLES.get(*map.get(name)?)
}
pub fn by_oid(oid: Oid) -> Option<&'static VirtualTable> {
    TABLES.get(*BY_OID.get(&oid)?)
}
pub fn all() -> &'static [VirtualTable] {
    &TABLES
}

fn none(_: &mut dyn Env, _: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    Ok(())
}

/// Rows of a table whose data never change.
macro_rules! fixed_rows {
    ($($f:ident = $schema:literal . $name:literal;)*) => {
        $(fn $f(_: &mut dyn Env, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
            static ROWS: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| read_fixed($schema, $name));
            ROWS.iter().try_for_each(|r| push(r.clone()))
        })*
        fn fixed_maker(name: &str) -> Option<RowsFn> { match name { $($name => Some($f),)* _ => None } }
    };
}
fixed_rows! {
    fixed_pg_type = "pg_catalog"."pg_type"; fixed_am = "pg_catalog"."pg_am"; fixed_collation = "pg_catalog"."pg_collation";
    fixed_language = "pg_catalog"."pg_language"; fixed_opfamily = "pg_catalog"."pg_opfamily"; fixed_opclass = "pg_catalog"."pg_opclass";
    fixed_tablespace = "pg_catalog"."pg_tablespace"; fixed_cast = "pg_catalog"."pg_cast"; fixed_abbrevs = "pg_catalog"."pg_timezone_abbrevs";
    fixed_features = "information_schema"."sql_features"; fixed_parts = "information_schema"."sql_parts";
    fixed_sizing = "information_schema"."sql_sizing"; fixed_implementation = "information_schema"."sql_implementation_info";
}
/// Parses a data file by its table's column types. What does not parse is NULL (a test asserts that all do).
fn read_fixed(schema: &str, name: &str) -> Vec<Vec<Datum>> {
    let (Some(t), Some(data)) = (find(schema, name), fixed(name)) else { return vec![] };
    let cx = TextCtx::default();
    let value = |s: &str, ty: Type| {
        if s == "\\N" { Datum::Null } else { pamir_types::text::parse(s, ty, &cx).unwrap_or(Datum::Null) }
    };
    data.lines().map(|l| l.split('\t').zip(t.columns).map(|(s, c)| value(s, c.1)).collect()).collect()
}

fn row_maker(schema: &str, name: &str) -> RowsFn {
    if let Some(f) = fixed_maker(name) {
        return f;
    }
    if schema == "information_schema" {
        return info::maker(name).unwrap_or(none);
    }
    relations::maker(name)
        .or_else(|| objects::maker(name))
        .or_else(|| privileges::maker(name))
        .or_else(|| types::maker(name))
        .or_else(|| server::maker(name))
        .or_else(|| statistics::maker(name))
        .unwrap_or(none)
}
