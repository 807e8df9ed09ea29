//! The catalog: descriptors of databases, schemas, tables, indexes, sequences, roles; immutable snapshots shared by all sessions.
//!
//! Catalog rows are rows: each object (database, schema, role, table with its columns, indexes and constraints, sequence) is one entry of
//! [`pamir_txn::CATALOG_TREE`], changed inside the user's transaction:
//!
//! ```text
//!   key   | kind u8 | oid u32, big-endian |           value | version u8 | postcard bytes of the descriptor |
//! ```
//!
//! In memory a [`Catalog`] is an immutable snapshot: cloning one copies an `Arc`. A transaction that changed it carries a private copy; at
//! commit (`Txn::on_commit`) its changes are published as the next snapshot, with a higher `version`, which invalidates cached plans:
//!
//! ```text
//!   published v7 ----------------------- other's commit: v8 ------------ our commit: v9 = v8 + our changes
//!        \--- private copy (version >= PRIVATE_VERSION, never cached) ---/
//! ```
//!
//! Invariants: a name in a schema means one relation (tables, indexes and sequences share the name space); `by name` maps and `by oid` maps
//! agree; a foreign key stands in its own table and is named in `referenced_by` of the table it points to.
//!
//! Limits: pg_catalog and information_schema are virtual ([`system`]) and belong to every database; their schemas have `database` 0.
use crate::usage::Usage;
use pamir_txn::{TreeId, shard::SequenceDef};
use pamir_types::key::KeyOrder;
use pamir_types::{Datum, Oid, Result, Type, bail, err};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::{Arc, OnceLock};

pub mod acl;
pub mod build;
pub mod calls;
pub mod comments;
pub mod declared;
pub mod defs;
pub mod depend;
pub mod extended;
pub mod extension;
pub mod family;
pub mod function;
pub mod large_object;
pub mod names;
pub mod operator;
pub mod partition;
pub mod policy;
pub mod pretty;
pub mod routines;
pub mod rule;
pub mod store;
pub mod system;
pub mod temporary;
pub mod text_search;
pub mod trigger;
pub mod types;
pub mod usage;
pub use build::TableBuilder;
pub use names::choose_name;
pub use store::{Kind, Object, PRIVATE_VERSION};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Database {
    pub oid: Oid,
    pub name: String,
    pub owner: Oid,
    pub comment: Option<String>,
    pub is_template: bool,
    pub allow_connections: bool,
    /// -1: no limit.
    pub connection_limit: i32,
    /// ALTER DATABASE ... SET.
    pub settings: Vec<(String, String)>,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Schema {
    pub oid: Oid,
    /// 0 for the schemas that every database has (pg_catalog, information_schema).
    pub database: Oid,
    pub name: String,
    pub owner: Oid,
    pub comment: Option<String>,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Role {
    pub oid: Oid,
    pub name: String,
    pub superuser: bool,
    pub login: bool,
    pub createdb: bool,
    pub createrole: bool,
    /// SCRAM-SHA-256$iterations:salt$stored:server
    pub password: Option<String>,
    /// It has the privileges of the roles it is in without SET ROLE.
    pub inherit: bool,
    pub replication: bool,
    pub bypassrls: bool,
    /// -1: no limit.
    pub connection_limit: i32,
    /// VALID UNTIL: microseconds since 2000-01-01 UTC, as timestamptz has them.
    pub valid_until: Option<i64>,
    pub member_of: Vec<Membership>,
    /// ALTER ROLE ... [IN DATABASE] SET.
    pub settings: Vec<RoleSetting>,
}
/// pg_auth_members, from the member's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    pub role: Oid,
    pub grantor: Oid,
    pub admin: bool,
}
/// A setting that sessions start with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleSetting {
    /// 0: in every database.
    pub database: Oid,
    pub name: String,
    pub value: String,
}

/// An expression kept as SQL text (normalized by the deparser) and bound when used.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct SqlText(pub String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity {
    Always,
    ByDefault,
}

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexColumn {
    Attr(i16),
    Expr(SqlText, Type),
}
impl IndexColumn {
    /// Its type, of a column of `t`.
    pub fn ty(&self, t: &Table) -> Type {
        match self {
            IndexColumn::Attr(a) => t.column(*a).map_or(Type::UNKNOWN, |c| c.ty),
            IndexColumn::Expr(_, ty) => *ty,
        }
    }
}
/// How an index finds rows (pg_am). Stored as a number; the first two were false and true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Method {
    Btree,
    /// The same tree, with the restrictions and the definition of a hash index.
    Hash,
    /// Of each row several entries (pamir-expr `inverted`).
    Gin,
    /// As [`Method::Gin`], with the definition of a block range index.
    Brin,
    /// As [`Method::Gin`].
    Gist,
}
impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Btree => "btree",
            Method::Hash => "hash",
            Method::Gin => "gin",
            Method::Brin => "brin",
            Method::Gist => "gist",
        }
    }
    /// pg_am.oid
    pub fn oid(self) -> Oid {
        match self {
            Method::Btree => 403,
            Method::Hash => 405,
            Method::Gin => 2742,
            Method::Brin => 3580,
            Method::Gist => 783,
        }
    }
}
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
    pub method: Method,
    pub comment: Option<String>,
    /// Of a DEFERRABLE constraint. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub deferrable: Option<Deferrable>,
    /// Of an EXCLUDE constraint: each column's operator. No two rows give true for all of them. Stored behind the others, too.
    #[serde(skip)]
    pub excludes: Option<Arc<[Excluding]>>,
    /// What scans of it counted; not stored.
    #[serde(skip)]
    pub usage: Usage,
}
/// What EXCLUDE says of a column: `WITH symbol`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluding {
    /// pg_operator.oid
    pub operator: Oid,
    pub symbol: String,
}
/// A unique key that is checked after its rows are written. To whoever reads and writes entries its index is neither unique nor the primary key, nothing is proven by it; what the
/// definition says is asked of [`Index::is_unique`], [`Index::is_primary`] and [`Table::declared_primary_key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deferrable {
    pub primary: bool,
    pub initially_deferred: bool,
}
impl Index {
    /// Is it said to be unique, whenever that is checked?
    pub fn is_unique(&self) -> bool {
        self.unique || self.deferrable.is_some() && self.excludes.is_none()
    }
    /// Is it said to be the primary key's?
    pub fn is_primary(&self) -> bool {
        self.primary || self.deferrable.is_some_and(|d| d.primary)
    }
    /// Do its entries lie in the order of its columns?
    pub fn sorts(&self) -> bool {
        matches!(self.method, Method::Btree | Method::Hash)
    }
    pub fn initially_deferred(&self) -> bool {
        self.deferrable.is_some_and(|d| d.initially_deferred)
    }
}
/// `TreeId` in serializable form.
pub type TreeId2 = u64;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    pub oid: Oid,
    pub name: String,
    pub expr: SqlText,
    pub not_valid: bool,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FkAction {
    NoAction,
    Restrict,
    Cascade,
    SetNull,
    SetDefault,
}
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
pub struct ColumnStats {
    pub null_frac: f32,
    /// > 0: number of distinct values; < 0: minus the fraction of rows
    pub n_distinct: f32,
    pub avg_width: i32,
    /// encode_value'd values and their frequencies
    pub mcv: Vec<(Vec<u8>, f32)>,
    pub histogram: Vec<Vec<u8>>,
    pub correlation: f32,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TableStats {
    pub rows: f64,
    pub pages: u64,
    pub columns: Vec<(i16, ColumnStats)>,
}

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
    /// What its definition says and only the catalog's readers see.
    pub declared: declared::Declared,
    /// Of a temporary table, which is not stored at all.
    #[serde(skip)]
    pub on_commit: temporary::OnCommit,
    /// The query of a view; None: a table. Stored behind the others, as `depends` is (`store.rs`).
    #[serde(skip)]
    pub view: Option<Arc<View>>,
    /// Whether its policies count. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub security: policy::RowSecurity,
    /// What its texts name: [`depend`].
    #[serde(skip)]
    pub depends: Vec<depend::ObjectRef>,
    /// What fires on it; the snapshot's, not stored with it.
    #[serde(skip)]
    pub triggers: Option<Arc<trigger::Triggers>>,
    /// What upper floors keep with this version of the table; not stored.
    #[serde(skip)]
    pub cache: Slot,
    /// What scans and changes of it counted; not stored.
    #[serde(skip)]
    pub usage: Usage,
}
/// What makes a relation a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The query with qualified names, made by the deparser; its columns are the relation's by position.
    pub text: SqlText,
    /// OID of its row of pg_rewrite.
    pub rule: Oid,
    /// Conditions from outside do not go into it.
    pub barrier: bool,
    /// Its tables are read with the privileges of whoever reads it.
    pub invoker: bool,
    pub check: Option<CheckOption>,
    /// The query's rows are kept, as of the last REFRESH.
    pub materialized: bool,
    pub populated: bool,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckOption {
    Local,
    Cascaded,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sequence {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub ty: Type,
    pub def: SequenceDef,
    pub cache: i64,
    /// (table, attnum) for OWNED BY
    pub owned_by: Option<(Oid, i16)>,
    pub identity: bool,
    pub comment: Option<String>,
    /// The number of its state in the shard (`Shard::seq_next` and the others): its OID until a RESTART gives it a new one.
    pub storage: u64,
}

/// A place for what is derived from a descriptor, made on first use and of one type, which whoever makes it knows. A clone of a descriptor is made to be altered, so it
/// starts with an empty one.
#[derive(Default)]
pub struct Slot(OnceLock<Box<dyn Any + Send + Sync>>);
impl Slot {
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.get().and_then(|kept| kept.downcast_ref())
    }
    pub fn get_or_init<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let kept = self.0.get_or_init(|| Box::new(make()));
        match kept.downcast_ref() {
            Some(v) => v,
            None => unreachable!("a slot has one user"),
        }
    }
}
impl Clone for Slot {
    fn clone(&self) -> Self {
        Slot::default()
    }
}
impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Slot")
    }
}

/// What the server says it is: PostgreSQL's version that its answers follow.
pub const SERVER_VERSION: &str = concat!("15.20 (Pamir ", env!("CARGO_PKG_VERSION"), ")");
/// The same as a number.
pub const SERVER_VERSION_NUM: &str = "150020";

/// What a relation name means.
#[derive(Clone, Debug)]
pub enum Relation {
    Table(Arc<Table>),
    Sequence(Arc<Sequence>),
    /** an index by its table */
    Index(Arc<Table>, Oid),
    Virtual(&'static crate::system::VirtualTable),
}

/// Well-known OIDs.
pub mod well_known {
    use pamir_types::Oid;
    pub const PG_CATALOG: Oid = 11;
    pub const PUBLIC: Oid = 2200;
    pub const INFORMATION_SCHEMA: Oid = 13000;
    /// Of what PostgreSQL does not have. No catalog lists it: pg_dump would want to make it.
    pub const PAMIR_CATALOG: Oid = 13001;
    pub const POSTGRES_ROLE: Oid = 10;
    pub const POSTGRES_DB: Oid = 5;
    pub const TEMPLATE1_DB: Oid = 1;
    pub const TEMPLATE0_DB: Oid = 4;
    /// The schemas `public` of the two templates (a schema's OID is unique in the whole cluster here).
    pub const TEMPLATE1_PUBLIC: Oid = 12001;
    pub const TEMPLATE0_PUBLIC: Oid = 12002;
}

impl Table {
    pub fn tree(&self) -> TreeId {
        TreeId(self.tree)
    }
    /// A view whose rows are not kept: what reads it reads its query.
    pub fn plain_view(&self) -> Option<&Arc<View>> {
        self.view.as_ref().filter(|v| !v.materialized)
    }
    /// What messages call it.
    pub fn word(&self) -> &'static str {
        match &self.view {
            None => "table",
            Some(v) if v.materialized => "materialized view",
            Some(_) => "view",
        }
    }
    pub fn column(&self, attnum: i16) -> Option<&Column> {
        self.columns.get((attnum as usize).wrapping_sub(1))
    }
    pub fn column_by_name(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| !c.dropped && c.name == name)
    }
    /// A column's type as it was declared: its domain, if it is of one.
    pub fn declared_type(&self, c: &Column) -> Type {
        self.declared.domain(c.attnum).map_or(c.ty, Type::new)
    }
    /// Columns that exist now, in attnum order.
    pub fn live_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|c| !c.dropped)
    }
    /// The key that the rows are ordered by.
    pub fn primary_key(&self) -> Option<&Index> {
        self.indexes.iter().find(|i| i.primary)
    }
    /// The one that the definition has: it may be deferrable.
    pub fn declared_primary_key(&self) -> Option<&Index> {
        self.indexes.iter().find(|i| i.is_primary())
    }
    /// Has it EXCLUDE constraints?
    pub fn has_exclusions(&self) -> bool {
        self.indexes.iter().any(|i| i.excludes.is_some())
    }
    /// Has it unique keys, or EXCLUDE constraints, that are checked after the rows are written?
    pub fn has_deferrable_keys(&self) -> bool {
        self.indexes.iter().any(|i| i.deferrable.is_some())
    }
    /// Has it an index of a method that builds before format 7 do not know?
    pub fn has_new_indexes(&self) -> bool {
        self.indexes.iter().any(|i| !matches!(i.method, Method::Btree | Method::Hash))
    }
    /// May a statement be answered from it? (A partitioned table's parts are asked each for itself.)
    pub fn is_readable(&self, i: &Index) -> bool {
        self.declared.online.as_ref().is_none_or(|o| !o.invalid.contains(&i.oid))
    }
    /// The timestamp from which on an index that was built beside writers has all rows.
    pub fn whole_since(&self, i: &Index) -> u64 {
        let of = |o: &declared::Online| o.whole_since.iter().find(|w| w.0 == i.oid).map(|w| w.1);
        self.declared.online.as_deref().and_then(of).unwrap_or(0)
    }
    /// Changes what [`declared::Online`] has of the table.
    pub fn change_online(&mut self, f: impl FnOnce(&mut declared::Online)) {
        f(self.declared.online.get_or_insert_default());
        self.declared.online.take_if(|o| **o == declared::Online::default());
    }
    pub fn index(&self, oid: Oid) -> Option<&Index> {
        self.indexes.iter().find(|i| i.oid == oid)
    }
}

/// One immutable state of all catalogs.
#[derive(Clone, Default)]
pub struct Catalog {
    /// Raised by every published change; private copies count from [`PRIVATE_VERSION`].
    pub version: u64,
    pub inner: Arc<store::Inner>,
    /// The session's own temporary objects.
    pub temporary: Option<Arc<store::Inner>>,
    /// Labels that the transaction of a private copy added to enums: not to be used before it commits.
    pub new_labels: Vec<Oid>,
}

/// How a session sees names.
#[derive(Clone, Debug)]
pub struct NameScope {
    pub database: Oid,
    /// schema names of search_path, `"$user"` resolved; pg_catalog is searched first unless listed
    pub search_path: Vec<String>,
    /// Whose privileges count; 0: nobody asks (the server's own work).
    pub user: Oid,
}
impl NameScope {
    /// The default search path, in a database.
    pub fn public(database: Oid) -> NameScope {
        NameScope { database, search_path: vec!["public".into()], user: 0 }
    }
    /// How stored expressions see names: what is not pg_catalog's has its schema written, and nobody's privileges are asked.
    pub fn stored(database: Oid) -> NameScope {
        NameScope { database, search_path: Vec::new(), user: 0 }
    }
}

const PG_CATALOG_NAME: &str = "pg_catalog";
/// The schema of views and functions that PostgreSQL does not have.
pub const PAMIR_CATALOG: &str = "pamir_catalog";

impl Relation {
    pub fn oid(&self) -> Oid {
        match self {
            Relation::Table(t) => t.oid,
            Relation::Sequence(s) => s.oid,
            Relation::Index(_, oid) => *oid,
            Relation::Virtual(v) => v.oid,
        }
    }
}

impl Catalog {
    pub fn database_by_name(&self, name: &str) -> Option<&Database> {
        let oid = self.inner.database_names.get(name)?;
        self.inner.databases.get(oid).map(|d| &**d)
    }
    pub fn database(&self, oid: Oid) -> Option<&Database> {
        self.inner.databases.get(&oid).map(|d| &**d)
    }
    pub fn databases(&self) -> Vec<&Database> {
        sorted(self.inner.databases.values().map(|d| &**d).collect(), |d| d.oid)
    }
    pub fn role_by_name(&self, name: &str) -> Option<&Role> {
        let oid = self.inner.role_names.get(name)?;
        self.inner.roles.get(oid).map(|r| &**r)
    }
    pub fn role(&self, oid: Oid) -> Option<&Role> {
        self.inner.roles.get(&oid).map(|r| &**r)
    }
    pub fn roles(&self) -> Vec<&Role> {
        sorted(self.inner.roles.values().map(|r| &**r).collect(), |r| r.oid)
    }
    pub fn schema_by_name(&self, db: Oid, name: &str) -> Option<&Schema> {
        match self.temporary_schema() {
            Some(s) if s.name == name => Some(s),
            _ => self.schema(self.inner.schema_oid(db, name)?),
        }
    }
    /// The schema that is written before the name of a relation or a function: `pg_temp` is the session's own.
    pub fn schema_of_relations(&self, db: Oid, name: &str) -> Option<&Schema> {
        self.schema(self.schema_oid(db, name)?)
    }
    pub fn schema(&self, oid: Oid) -> Option<&Schema> {
        self.of(oid).schemas.get(&oid).map(|s| &**s)
    }
    /// The schemas of a database, those that every database has included.
    pub fn schemas(&self, db: Oid) -> Vec<&Schema> {
        sorted(
            self.layers()
                .flat_map(|l| l.schemas.values())
                .filter(|s| s.database == db || s.database == 0)
                .map(|s| &**s)
                .collect(),
            |s| s.oid,
        )
    }
    pub fn table(&self, oid: Oid) -> Option<&Arc<Table>> {
        self.of(oid).tables.get(&oid)
    }
    /// The table whose rows or index entries are in the tree. Walks over all tables.
    pub fn table_of_tree(&self, tree: TreeId) -> Option<&Arc<Table>> {
        let mut tables = self.layers().flat_map(|l| l.tables.values());
        tables.find(|t| t.tree == tree.0 || t.indexes.iter().any(|i| i.tree == tree.0))
    }
    /// How many tables there are in all databases together: what the sizes of the catalogs go by.
    pub fn table_count(&self) -> usize {
        self.layers().map(|l| l.tables.len()).sum()
    }
    /// What has rows in a database: its tables and materialized views.
    pub fn tables(&self, db: Oid) -> Vec<&Arc<Table>> {
        self.tables_that(db, |_| true)
    }
    /// Those of [`Catalog::tables`] that `pick` wants: only they are put in order.
    pub fn tables_that(&self, db: Oid, mut pick: impl FnMut(&Table) -> bool) -> Vec<&Arc<Table>> {
        let tables = self.layers().flat_map(|l| l.tables.values());
        sorted(tables.filter(|t| t.database == db && t.plain_view().is_none() && pick(t)).collect(), |t| t.oid)
    }
    pub fn views(&self, db: Oid) -> Vec<&Arc<Table>> {
        let tables = self.layers().flat_map(|l| l.tables.values());
        sorted(tables.filter(|t| t.database == db && t.view.is_some()).collect(), |t| t.oid)
    }
    /// Tables and views of a database.
    pub fn tables_and_views(&self, db: Oid) -> Vec<&Arc<Table>> {
        sorted(self.layers().flat_map(|l| l.tables.values()).filter(|t| t.database == db).collect(), |t| t.oid)
    }
    pub fn sequence(&self, oid: Oid) -> Option<&Arc<Sequence>> {
        self.of(oid).sequences.get(&oid)
    }
    pub fn sequences(&self, db: Oid) -> Vec<&Arc<Sequence>> {
        sorted(self.layers().flat_map(|l| l.sequences.values()).filter(|s| s.database == db).collect(), |s| s.oid)
    }
    /// The table that has the index.
    pub fn index_table(&self, index: Oid) -> Option<&Arc<Table>> {
        self.table(*self.of(index).index_tables.get(&index)?)
    }
    /// Whatever relation has this OID.
    pub fn relation(&self, oid: Oid) -> Option<Relation> {
        if let Some(t) = self.table(oid) {
            return Some(Relation::Table(t.clone()));
        }
        if let Some(s) = self.sequence(oid) {
            return Some(Relation::Sequence(s.clone()));
        }
        if let Some(t) = self.index_table(oid) {
            return Some(Relation::Index(t.clone(), oid));
        }
        crate::system::by_oid(oid).map(Relation::Virtual)
    }
    /// A relation's (schema OID, name).
    pub fn relation_name(&self, oid: Oid) -> Option<(Oid, &str)> {
        if let Some(t) = self.table(oid) {
            return Some((t.schema, &t.name));
        }
        if let Some(s) = self.sequence(oid) {
            return Some((s.schema, &s.name));
        }
        if let Some(t) = self.index_table(oid) {
            return t.index(oid).map(|i| (t.schema, &*i.name));
        }
        if let Some(t) = self.composite_by_relation(oid) {
            return Some((t.schema, &t.name));
        }
        crate::system::by_oid(oid).map(|v| (virtual_schema(v.schema), v.name))
    }

    /// Resolves a possibly schema-qualified relation name. Hot for unprepared statements: hash look-ups only. A schema that the user has no USAGE
    /// on is passed over in the search path, and refused (42501) where it is named.
    pub fn resolve(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Result<Option<Relation>> {
        if let Some(schema) = schema {
            if let Some(oid) = self.schema_oid(scope.database, schema)
                && !self.may_use_schema(scope, oid)
            {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {schema}");
            }
            return Ok(self.resolve_in(scope.database, schema, name));
        }
        Ok(self.resolve_unqualified(scope, name))
    }
    /// As `resolve`, along the search path.
    pub fn resolve_unqualified(&self, scope: &NameScope, name: &str) -> Option<Relation> {
        if let Some(r) = self.first_of_all(scope, name) {
            return Some(r);
        }
        if !scope.search_path.iter().any(|s| s == PG_CATALOG_NAME)
            && let Some(v) = crate::system::find(PG_CATALOG_NAME, name)
        {
            return Some(Relation::Virtual(v));
        }
        scope.search_path.iter().find_map(|s| {
            let found = self.resolve_in(scope.database, s, name)?;
            if s == PAMIR_CATALOG {
                return Some(found);
            }
            let schema = self.schema_oid(scope.database, s)?;
            self.may_use_schema(scope, schema).then_some(found)
        })
    }
    /// A relation of one schema.
    pub fn resolve_in(&self, db: Oid, schema: &str, name: &str) -> Option<Relation> {
        if schema == PAMIR_CATALOG {
            return crate::system::find(schema, name).map(Relation::Virtual);
        }
        let oid = self.schema_oid(db, schema)?;
        if oid == well_known::PG_CATALOG || oid == well_known::INFORMATION_SCHEMA {
            return crate::system::find(schema, name).map(Relation::Virtual);
        }
        self.relation_named(oid, name)
    }
    fn schema_oid(&self, db: Oid, name: &str) -> Option<Oid> {
        self.temporary_schema_oid(name).or_else(|| self.inner.schema_oid(db, name))
    }
    fn relation_named(&self, schema: Oid, name: &str) -> Option<Relation> {
        match *self.of(schema).relation_names.get(&schema)?.get(name)? {
            store::RelRef::Table(t) => Some(Relation::Table(self.table(t)?.clone())),
            store::RelRef::Sequence(s) => Some(Relation::Sequence(self.sequence(s)?.clone())),
            store::RelRef::Index(t, i) => Some(Relation::Index(self.table(t)?.clone(), i)),
        }
    }
    /// As `resolve`, with PostgreSQL's errors for what is not there (3F000 for a schema only where PostgreSQL says so: it says 42P01 for
    /// relations used in queries).
    pub fn resolve_relation(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Result<Relation> {
        self.resolve(scope, schema, name)?.ok_or_else(|| match schema {
            Some(s) => err!(UNDEFINED_TABLE, "relation \"{s}.{name}\" does not exist"),
            None => err!(UNDEFINED_TABLE, "relation \"{name}\" does not exist"),
        })
    }
    /// As `resolve`, for tables: 42P01 `relation "x" does not exist`, 42809 `"x" is not a table`.
    pub fn resolve_table(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Result<Arc<Table>> {
        match self.resolve_relation(scope, schema, name)? {
            Relation::Table(t) if t.view.is_none() => Ok(t),
            Relation::Virtual(_) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{name}\" is a system catalog"),
            _ => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a table"),
        }
    }
    /// True if the unqualified name of this relation finds it.
    pub fn is_visible(&self, scope: &NameScope, oid: Oid) -> bool {
        match self.relation_name(oid) {
            Some((_, name)) => match self.resolve_unqualified(scope, name) {
                Some(r) => r.oid() == oid,
                None => {
                    self.composite_by_relation(oid).is_some_and(|t| self.type_is_visible(scope, t.oid) == Some(true))
                }
            },
            None => false,
        }
    }
    /// Name for messages and regclass output: qualified only when not visible in the search path, each part quoted where SQL needs it.
    pub fn display_name(&self, scope: &NameScope, oid: Oid) -> Option<String> {
        self.quoted_name(scope, oid)
    }
    pub fn quoted_name(&self, scope: &NameScope, oid: Oid) -> Option<String> {
        let (schema, name) = self.relation_name(oid)?;
        if self.is_visible(scope, oid) {
            return Some(defs::quote_ident(name).into_owned());
        }
        let schema = if schema == well_known::PAMIR_CATALOG { PAMIR_CATALOG } else { &*self.schema(schema)?.name };
        Some(defs::qualified(schema, name))
    }
    /// The same, as definitions show it: a temporary one is everybody's own.
    pub fn defined_name(&self, scope: &NameScope, oid: Oid) -> Option<String> {
        match self.relation_name(oid)? {
            (temporary::SCHEMA, name) if !self.is_visible(scope, oid) => Some(defs::qualified(temporary::ALIAS, name)),
            _ => self.quoted_name(scope, oid),
        }
    }
    /// A schema's name as definitions show it.
    pub fn defined_schema(&self, oid: Oid) -> Option<&str> {
        if oid == temporary::SCHEMA { Some(temporary::ALIAS) } else { self.schema(oid).map(|s| &*s.name) }
    }
    /// What regclass's input finds: a possibly qualified, possibly quoted name.
    pub fn oid_by_written_name(&self, scope: &NameScope, written: &str) -> Option<Oid> {
        let mut parts = defs::split_name(written)?;
        let name = parts.pop()?;
        let schema = parts.pop();
        if !parts.is_empty() {
            return None;
        }
        self.resolve(scope, schema.as_deref(), &name).ok()?.map(|r| r.oid())
    }
    /// The first schema of the search path that exists: where unqualified new objects go.
    pub fn creation_schema(&self, scope: &NameScope) -> Option<&Schema> {
        scope
            .search_path
            .iter()
            .filter_map(|s| self.schema_by_name(scope.database, s))
            .find(|s| self.may_use_schema(scope, s.oid))
            .filter(|s| s.database != 0)
    }
    /// A column's missing value (rows older than the column).
    pub fn missing_value(col: &Column) -> Result<Datum> {
        match &col.missing {
            None => Ok(Datum::Null),
            Some(b) => pamir_types::row::decode_value(b, col.ty),
        }
    }
}

/// The OID of a virtual table's schema.
pub fn virtual_schema(name: &str) -> Oid {
    match name {
        PG_CATALOG_NAME => well_known::PG_CATALOG,
        PAMIR_CATALOG => well_known::PAMIR_CATALOG,
        _ => well_known::INFORMATION_SCHEMA,
    }
}

fn sorted<T>(mut v: Vec<T>, key: impl Fn(&T) -> Oid) -> Vec<T> {
    v.sort_by_key(|x| key(x));
    v
}

#[cfg(test)]
mod tests;
