//! The catalog: descriptors of databases, schemas, tables, indexes, sequences, roles; immutable snapshots shared by all sessions.
//!
//! Catalog rows are rows: each object is one entry of [`pamir_txn::CATALOG_TREE`] (key: kind, OID; value: version byte + postcard bytes), changed inside the user's
//! transaction. In memory a [`Catalog`] is an immutable snapshot; a transaction that changed it carries a private copy; at commit (`Txn::on_commit`) the copy's changes are
//! published as the next snapshot, with a higher `version`, which invalidates cached plans.
use pamir_txn::{TreeId, shard::SequenceDef};
use pamir_types::key::KeyOrder;
use pamir_types::{Datum, Oid, Result, Type};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Database { pub oid: Oid, pub name: String, pub owner: Oid, pub comment: Option<String> }
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Schema { pub oid: Oid, pub database: Oid, pub name: String, pub owner: Oid }
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Role { pub oid: Oid, pub name: String, pub superuser: bool, pub login: bool, pub createdb: bool, pub createrole: bool, /// SCRAM-SHA-256$iterations:salt$stored:server
    pub password: Option<String> }

/// An expression kept as SQL text (normalized by the deparser) and bound when used.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SqlText(pub String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity { Always, ByDefault }

/// A column. Position in `Table::columns` is attnum - 1 for ever; dropped ones stay as holes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Column {
    pub attnum: i16,
    pub name: String,
    pub ty: Type,
    pub not_null: bool,
    pub default: Option<SqlText>,
    pub identity: Option<Identity>,
    /// GENERATED ALWAYS AS (expr) STORED
    pub generated: Option<SqlText>,
    pub dropped: bool,
    /// Value (row-encoded by pamir_types::row::encode_value) of rows older than the column; None = NULL.
    pub missing: Option<Vec<u8>>,
    /// The sequence owned through serial / identity.
    pub sequence: Option<Oid>,
    pub comment: Option<String>,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum IndexColumn { Attr(i16), Expr(SqlText, Type) }
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    pub oid: Oid,
    pub name: String,
    /// Equal to the table's tree for the primary key.
    pub tree: TreeId2,
    pub unique: bool,
    pub primary: bool,
    /// Created by a UNIQUE or PRIMARY KEY constraint of this name (equal to the index's).
    pub constraint: bool,
    pub nulls_not_distinct: bool,
    pub columns: Vec<(IndexColumn, KeyOrder)>,
    pub include: Vec<i16>,
    pub predicate: Option<SqlText>,
    pub comment: Option<String>,
}
/// `TreeId` in serializable form.
pub type TreeId2 = u64;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check { pub oid: Oid, pub name: String, pub expr: SqlText, pub not_valid: bool }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FkAction { NoAction, Restrict, Cascade, SetNull, SetDefault }
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForeignKey {
    pub oid: Oid,
    pub name: String,
    pub columns: Vec<i16>,
    pub ref_table: Oid,
    pub ref_columns: Vec<i16>,
    /// The referenced unique index.
    pub ref_index: Oid,
    pub on_delete: FkAction,
    pub on_update: FkAction,
    pub match_full: bool,
    pub deferrable: bool,
    pub initially_deferred: bool,
    pub not_valid: bool,
}
/// Per-column statistics of ANALYZE (pg_stats).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ColumnStats { pub null_frac: f32, /// > 0: number of distinct values; < 0: minus the fraction of rows
    pub n_distinct: f32, pub avg_width: i32, /// encode_value'd values and their frequencies
    pub mcv: Vec<(Vec<u8>, f32)>, pub histogram: Vec<Vec<u8>>, pub correlation: f32 }
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TableStats { pub rows: f64, pub pages: u64, pub columns: Vec<(i16, ColumnStats)> }

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub tree: TreeId2,
    /// Raised by each ALTER; stored in rows (mod 2^16) and in plan dependencies.
    pub version: u32,
    pub columns: Vec<Column>,
    pub indexes: Vec<Index>,
    pub checks: Vec<Check>,
    pub foreign_keys: Vec<ForeignKey>,
    /// (table OID, constraint OID) of foreign keys that point here.
    pub referenced_by: Vec<(Oid, Oid)>,
    pub stats: Option<TableStats>,
    pub comment: Option<String>,
    /// Lazily bound expressions and encoders (see pamir_sql::access); not stored.
    #[serde(skip)]
    pub cache: crate::access::TableCache,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sequence { pub oid: Oid, pub database: Oid, pub schema: Oid, pub name: String, pub owner: Oid, pub ty: Type, pub def: SequenceDef, pub cache: i64,
    /// (table, attnum) for OWNED BY
    pub owned_by: Option<(Oid, i16)>, pub identity: bool }

/// What a relation name means.
#[derive(Clone, Debug)]
pub enum Relation { Table(Arc<Table>), Sequence(Arc<Sequence>), /** an index by its table */ Index(Arc<Table>, Oid), Virtual(&'static crate::vtable::VirtualTable) }

/// Well-known OIDs.
pub mod well_known {
    use pamir_types::Oid;
    pub const PG_CATALOG: Oid = 11;
    pub const PUBLIC: Oid = 2200;
    pub const INFORMATION_SCHEMA: Oid = 13000;
    pub const POSTGRES_ROLE: Oid = 10;
    pub const POSTGRES_DB: Oid = 5;
    pub const TEMPLATE1_DB: Oid = 1;
    pub const TEMPLATE0_DB: Oid = 4;
}

impl Table {
    pub fn tree(&self) -> TreeId { TreeId(self.tree) }
    pub fn column(&self, attnum: i16) -> Option<&Column> { self.columns.get((attnum as usize).wrapping_sub(1)) }
    pub fn column_by_name(&self, name: &str) -> Option<&Column> { self.columns.iter().find(|c| !c.dropped && c.name == name) }
    /// Columns that exist now, in attnum order.
    pub fn live_columns(&self) -> impl Iterator<Item = &Column> { self.columns.iter().filter(|c| !c.dropped) }
    pub fn primary_key(&self) -> Option<&Index> { self.indexes.iter().find(|i| i.primary) }
    pub fn index(&self, oid: Oid) -> Option<&Index> { self.indexes.iter().find(|i| i.oid == oid) }
}

/// One immutable state of all catalogs.
#[derive(Clone, Default)]
pub struct Catalog { /// Raised by every published change.
    pub version: u64, pub(crate) inner: Arc<store::Inner> }
pub mod store;

/// How a session sees names.
#[derive(Clone, Debug)]
pub struct NameScope { pub database: Oid, /// schema names of search_path, `"$user"` resolved; pg_catalog is searched first unless listed
    pub search_path: Vec<String> }

#[allow(unused_variables)]
impl Catalog {
    pub fn database_by_name(&self, name: &str) -> Option<&Database> { todo!() }
    pub fn databases(&self) -> Vec<&Database> { todo!() }
    pub fn role_by_name(&self, name: &str) -> Option<&Role> { todo!() }
    pub fn role(&self, oid: Oid) -> Option<&Role> { todo!() }
    pub fn roles(&self) -> Vec<&Role> { todo!() }
    pub fn schema_by_name(&self, db: Oid, name: &str) -> Option<&Schema> { todo!() }
    pub fn schema(&self, oid: Oid) -> Option<&Schema> { todo!() }
    pub fn schemas(&self, db: Oid) -> Vec<&Schema> { todo!() }
    pub fn table(&self, oid: Oid) -> Option<&Arc<Table>> { todo!() }
    pub fn tables(&self, db: Oid) -> Vec<&Arc<Table>> { todo!() }
    pub fn sequence(&self, oid: Oid) -> Option<&Arc<Sequence>> { todo!() }
    pub fn sequences(&self, db: Oid) -> Vec<&Arc<Sequence>> { todo!() }
    /// Resolves a possibly schema-qualified relation name. Hot for unprepared statements: hash look-ups only.
    pub fn resolve(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Option<Relation> { todo!() }
    /// As `resolve`, for tables: 42P01 `relation "x" does not exist`, 42809 `"x" is not a table`..., 3F000 `schema "x" does not exist`.
    pub fn resolve_table(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Result<Arc<Table>> { todo!() }
    /// Name for messages and regclass output: qualified only when not visible in the search path.
    pub fn display_name(&self, scope: &NameScope, oid: Oid) -> Option<String> { todo!() }
    /// A column's missing value (rows older than the column).
    pub fn missing_value(col: &Column) -> Result<Datum> { match &col.missing { None => Ok(Datum::Null), Some(b) => pamir_types::row::decode_value(b, col.ty) } }
}
