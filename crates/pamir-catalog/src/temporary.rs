//! A session's temporary objects: a layer of its own over the catalog that all share.
//!
//! ```text
//!   Catalog { inner: what all sessions see,  temporary: None, or what this one alone sees }
//!                                                         OIDs from FIRST on, all of them
//!   by OID    the OID says which of the two                 by name    schema pg_temp, which is looked at first unless the search path names it
//!   all of a kind    both
//! ```
//! The layer is immutable and behind an `Arc` like the rest: a savepoint keeps the one that was there, a rollback puts it back, a newer shared catalog
//! goes under it without a copy. It has the session's temporary schema, made with its first object ([`SCHEMA`] in every session, named by the session's process
//! number), tables, sequences, functions and their privileges. Nothing of it is ever written to the catalog's tree or published.
//!
//! Invariants: an object is in the layer exactly if its OID is one of [`is_temporary`], and so is all that belongs to it; OIDs of shared objects are below them. A
//! catalog with a layer has a version of its own ([`crate::PRIVATE_VERSION`]), so that no plan made under it is another session's.
//!
//! Limits: [`OIDS`] OIDs, which a session counts through again and again; what other sessions have is not seen, in pg_class and pg_namespace neither.
use super::*;
use function::Function;
use store::Inner;

/// OIDs of temporary objects begin here.
pub const FIRST: Oid = 60_000_000;
/// So many there are: a row type's OID has 26 bits for its relation.
pub const OIDS: u32 = (1 << 26) - FIRST;
/// The session's temporary schema.
pub const SCHEMA: Oid = FIRST;
/// How every session calls its own.
pub const ALIAS: &str = "pg_temp";

/// Is this the OID of something temporary?
#[inline]
pub fn is_temporary(oid: Oid) -> bool {
    oid.wrapping_sub(FIRST) < OIDS
}
/// What an unqualified or a written schema means: does it begin like the names of temporary schemas?
pub fn is_temporary_name(schema: &str) -> bool {
    schema.starts_with("pg_temp_") || schema.starts_with("pg_toast_temp_")
}

/// What becomes of a temporary table's rows when a transaction commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnCommit {
    #[default]
    PreserveRows,
    DeleteRows,
    Drop,
}

impl Table {
    pub fn is_temporary(&self) -> bool {
        is_temporary(self.oid)
    }
}
impl Sequence {
    pub fn is_temporary(&self) -> bool {
        is_temporary(self.oid)
    }
}

impl Catalog {
    /// Where the object of an OID is, if it is there.
    #[inline]
    pub(super) fn of(&self, oid: Oid) -> &Inner {
        match &self.temporary {
            Some(t) if is_temporary(oid) => t,
            _ => &self.inner,
        }
    }
    pub(super) fn layers(&self) -> impl Iterator<Item = &Inner> {
        std::iter::once(&*self.inner).chain(self.temporary.as_deref())
    }
    /// Has the session temporary objects, or had it some?
    #[inline]
    pub fn has_temporary(&self) -> bool {
        self.temporary.is_some()
    }
    /// Are there any now?
    pub fn has_temporary_objects(&self) -> bool {
        let any = |t: &Arc<Inner>| !t.tables.is_empty() || !t.sequences.is_empty() || !t.functions.is_empty();
        self.temporary.as_ref().is_some_and(any)
    }
    /// The temporary tables.
    pub fn temporary_tables(&self) -> Vec<&Arc<Table>> {
        sorted(self.temporary.iter().flat_map(|t| t.tables.values()).collect(), |t| t.oid)
    }
    /// The temporary sequences.
    pub fn temporary_sequences(&self) -> Vec<&Arc<Sequence>> {
        sorted(self.temporary.iter().flat_map(|t| t.sequences.values()).collect(), |s| s.oid)
    }
    /// The temporary functions.
    pub fn temporary_functions(&self) -> Vec<&Arc<Function>> {
        sorted(self.temporary.iter().flat_map(|t| t.functions.values()).collect(), |f| f.oid)
    }
    pub fn temporary_schema(&self) -> Option<&Schema> {
        self.temporary.as_ref()?.schemas.get(&SCHEMA).map(|s| &**s)
    }
    /// Makes the session's temporary schema, unless it is there.
    pub fn make_temporary_schema(&mut self, database: Oid, session: i32) {
        if self.temporary_schema().is_none() {
            let name = format!("{ALIAS}_{session}");
            let owner = well_known::POSTGRES_ROLE;
            self.put(Object::Schema(Arc::new(Schema { oid: SCHEMA, database, name, owner, comment: None })));
        }
    }
    /// Do both have the same temporary objects, unchanged?
    pub fn same_temporary(&self, other: &Catalog) -> bool {
        match (&self.temporary, &other.temporary) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
    /// This one with `of`'s temporary objects. Of a version of its own where there are any.
    pub fn with_temporary_of(&self, of: &Catalog) -> Catalog {
        let out = Catalog {
            version: self.version,
            inner: self.inner.clone(),
            temporary: of.temporary.clone(),
            new_labels: Vec::new(),
        };
        let version = if out.has_temporary_objects() { store::private_version() } else { out.version };
        Catalog { version, ..out }
    }
    /// Is the search path's word for the temporary schema in it?
    fn names_temporary(&self, scope: &NameScope, own: &str) -> bool {
        scope.search_path.iter().any(|s| s == ALIAS || s == own)
    }
    /// A relation that is found before all others: a temporary one, unless the search path says where those are to be looked for.
    #[inline]
    pub(super) fn first_of_all(&self, scope: &NameScope, name: &str) -> Option<Relation> {
        let layer = self.temporary.as_ref()?;
        let schema = layer.schemas.get(&SCHEMA)?;
        // What is stored names all schemas but pg_catalog.
        let stored = scope.user == 0 && scope.search_path.is_empty();
        if stored || self.names_temporary(scope, &schema.name) {
            return None;
        }
        self.relation_named(SCHEMA, name)
    }
    /// Is this what the session's temporary schema is called, by its name or by the word for it?
    pub fn is_temporary_schema(&self, name: &str) -> bool {
        self.temporary_schema_oid(name).is_some()
    }
    /// The temporary schema, by its name or by the word for it.
    #[inline]
    pub(super) fn temporary_schema_oid(&self, name: &str) -> Option<Oid> {
        let layer = self.temporary.as_ref()?;
        let schema = layer.schemas.get(&SCHEMA)?;
        (name == ALIAS || name == schema.name).then_some(SCHEMA)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary(oid: Oid, name: &str) -> Table {
        Table { schema: SCHEMA, ..TableBuilder::new(oid, name).column("a", Type::INT4).build() }
    }
    #[test]
    fn a_temporary_table_hides_another_until_the_path_says_otherwise() {
        let shared = Catalog::initial().with_table(TableBuilder::new(16384, "t").column("a", Type::INT4).build());
        let mut own = shared.clone();
        own.make_temporary_schema(well_known::POSTGRES_DB, 7);
        own.put(Object::Table(Arc::new(temporary(FIRST + 1, "t"))));
        let found = |c: &Catalog, path: &[&str], schema: Option<&str>| {
            let path = path.iter().map(|s| s.to_string()).collect();
            let scope = NameScope { search_path: path, ..NameScope::public(well_known::POSTGRES_DB) };
            c.resolve(&scope, schema, "t").unwrap().map(|r| r.oid())
        };
        assert_eq!(found(&own, &["public"], None), Some(FIRST + 1));
        assert_eq!(found(&own, &["public", "pg_temp"], None), Some(16384));
        assert_eq!(found(&own, &["public"], Some("public")), Some(16384));
        assert_eq!(found(&own, &[], Some("pg_temp")), Some(FIRST + 1));
        assert_eq!(found(&own, &[], Some("pg_temp_7")), Some(FIRST + 1));
        assert_eq!(found(&own, &[], Some("pg_temp_8")), None);
        assert_eq!(found(&shared, &["pg_temp", "public"], None), Some(16384));
        assert_eq!(found(&shared, &[], Some("pg_temp")), None);
        assert_eq!((own.tables(well_known::POSTGRES_DB).len(), shared.tables(well_known::POSTGRES_DB).len()), (2, 1));
        assert!(own.table(FIRST + 1).is_some() && shared.table(FIRST + 1).is_none());

        // A newer shared one goes under it.
        let newer = shared.with_table(TableBuilder::new(16390, "u").build());
        let under = newer.with_temporary_of(&own);
        assert!(under.table(16390).is_some() && under.table(FIRST + 1).is_some() && under.same_temporary(&own));
        assert!(under.version >= PRIVATE_VERSION && newer.version < PRIVATE_VERSION);
        let mut gone = under.clone();
        gone.remove(Kind::Table, FIRST + 1);
        assert!(!gone.has_temporary_objects() && gone.has_temporary() && under.table(FIRST + 1).is_some());
        assert_eq!(newer.with_temporary_of(&gone).version, newer.version);
        assert_eq!(found(&gone, &["public"], None), Some(16384));
    }
}
