//! pg_catalog and information_schema as far as they never change: PostgreSQL 15's names, columns, types and OIDs, and the rows that are the same in every database.
//!
//! ```text
//!   data/tables.tsv       schema, OID, name, kind, column:type ...   of every catalog table and view (made by generate.py from a PostgreSQL 15); `!`: not null
//!   data/pamir.tsv        the same of pamir_catalog, which PostgreSQL does not have
//!   data/pg_proc.tsv      functions of PostgreSQL that nobody calls by name ([`internal`])
//!   data/NAME.tsv         rows that never change (pg_type, pg_am, pg_opclass, sql_features, ...)
//! ```
//! Rows that are computed when a table is read are the session's concern.
//!
//! Limits: OIDs of views and of information_schema are those of one PostgreSQL installation (PostgreSQL itself promises none).
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Oid, Type, oid};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

pub mod internal;
pub mod types;

/// A relation that is computed when it is read.
pub struct VirtualTable {
    pub oid: Oid,
    pub schema: &'static str,
    pub name: &'static str,
    /// A view in PostgreSQL (pg_class.relkind 'v').
    pub view: bool,
    pub columns: &'static [(&'static str, Type)],
    /// Which of them are NOT NULL: that is shown, nothing asks for it.
    pub not_null: &'static [bool],
}
impl std::fmt::Debug for VirtualTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}

/// Columns by whose value the rows of a relation are found without making all of them.
pub const KEYS: &[(&str, &[&str])] = &[
    ("pg_class", &["oid", "relname", "reltype"]),
    ("pg_attribute", &["attrelid"]),
    ("pg_attrdef", &["adrelid"]),
    ("pg_index", &["indrelid", "indexrelid"]),
    ("pg_constraint", &["conrelid"]),
    ("pg_type", &["oid", "typname"]),
    ("pg_proc", &["oid", "proname"]),
    ("pg_tables", &["tablename"]),
    ("pg_indexes", &["tablename"]),
    ("tables", &["table_name"]),
    ("columns", &["table_name"]),
    ("table_constraints", &["table_name"]),
    ("key_column_usage", &["table_name"]),
];
impl VirtualTable {
    /// The columns of [`KEYS`] that it has.
    pub fn is_key(&self, column: &str) -> bool {
        self.schema != crate::PAMIR_CATALOG && KEYS.iter().any(|k| k.0 == self.name && k.1.contains(&column))
    }
}

/// Rows that never change, by table.
macro_rules! fixed {
    ($($name:literal),* $(,)?) => {
        /// The lines of a table whose rows never change.
        pub fn fixed(name: &str) -> Option<&'static str> {
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
    "pg_range",
    "pg_tablespace",
    "pg_ts_config",
    "pg_ts_config_map",
    "pg_ts_dict",
    "pg_ts_parser",
    "pg_ts_template",
    "pg_cast",
    "pg_proc",
    "pg_operator",
    "pg_amop",
    "pg_amproc",
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

/// Tables as a data file has them, a line each.
fn tables(files: &[&'static str]) -> Vec<VirtualTable> {
    files
        .iter()
        .flat_map(|f| f.lines())
        .filter_map(|line| {
            let mut parts = line.split('\t');
            let (schema, oid, name, kind) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
            let all: Vec<(&'static str, &'static str)> = parts.filter_map(|p| p.split_once(':')).collect();
            let not_null: Vec<bool> = all.iter().map(|c| c.1.ends_with('!')).collect();
            let columns: Vec<(&'static str, Type)> =
                all.into_iter().map(|(c, t)| (c, type_named(t.trim_end_matches('!')))).collect();
            // Made once for the life of the process.
            let (columns, not_null) = (columns.leak(), not_null.leak());
            Some(VirtualTable { oid, schema, name, view: kind == "v", columns, not_null })
        })
        .collect()
}
// extensions.tsv: the views of extensions that are built in.
static TABLES: LazyLock<Vec<VirtualTable>> =
    LazyLock::new(|| tables(&[include_str!("data/tables.tsv"), include_str!("data/extensions.tsv")]));
/// Those of [`crate::PAMIR_CATALOG`], which no catalog lists.
static OWN: LazyLock<Vec<VirtualTable>> = LazyLock::new(|| tables(&[include_str!("data/pamir.tsv")]));
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
        crate::PAMIR_CATALOG => return OWN.iter().find(|t| t.name == name),
        _ => None,
    }?;
    TABLES.get(*map.get(name)?)
}
pub fn by_oid(oid: Oid) -> Option<&'static VirtualTable> {
    match BY_OID.get(&oid) {
        Some(i) => TABLES.get(*i),
        None => OWN.iter().find(|t| t.oid == oid),
    }
}
/// PostgreSQL's, and those of its extensions.
pub fn all() -> &'static [VirtualTable] {
    &TABLES
}
/// Those that PostgreSQL does not have.
pub fn own() -> &'static [VirtualTable] {
    &OWN
}

/// Parses a data file by its table's column types. What does not parse is NULL (a test asserts that all do).
pub fn read_fixed(schema: &str, name: &str) -> Vec<Vec<Datum>> {
    let (Some(t), Some(data)) = (find(schema, name), fixed(name)) else { return vec![] };
    let cx = TextCtx::default();
    let value = |s: &str, ty: Type| {
        if s == "\\N" { Datum::Null } else { pamir_types::text::parse(s, ty, &cx).unwrap_or(Datum::Null) }
    };
    data.lines().map(|l| l.split('\t').zip(t.columns).map(|(s, c)| value(s, c.1)).collect()).collect()
}
