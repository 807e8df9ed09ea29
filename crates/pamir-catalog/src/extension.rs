//! Extensions: what a database can have more, and what it has.
//!
//! ```text
//!   Kind::Extension | oid        Extension { oid, database, schema, name, version, owner, comment }
//!   its types                    no objects: their OIDs are fixed (pamir_types::oid), they are there while their extension is, in its schema
//!   its functions, operators     no objects: pamir-expr has them built in and finds them through the extension (`func/extension`)
//! ```
//! plpgsql is in every database without an object. Of some the server has the functions anyway ([`Available::built_in`]): with the extension they are its own, in its schema.
//!
//! Invariants: a database has an extension once. Members have the same OIDs in all databases.
use super::*;
use pamir_types::oid;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Extension {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub version: String,
    pub owner: Oid,
    pub comment: Option<String>,
    /// What upper floors keep with this version of the extension; not stored.
    #[serde(skip)]
    pub cache: Slot,
}

/// An extension that can be created.
pub struct Available {
    pub name: &'static str,
    pub version: &'static str,
    pub comment: &'static str,
    /// Versions that PostgreSQL 15 can make, the newest last.
    pub versions: &'static [&'static str],
    /// Its functions are found whether it was created or not.
    pub built_in: bool,
    pub types: &'static [Oid],
}
pub const PLPGSQL: &str = "plpgsql";
/// PostgreSQL's OID of plpgsql's row differs from cluster to cluster; here it is this one.
pub const PLPGSQL_OID: Oid = 13_599;
pub const AVAILABLE: &[Available] = &[
    Available {
        name: "btree_gin",
        version: "1.3",
        comment: "support for indexing common datatypes in GIN",
        versions: &["1.0", "1.1", "1.2", "1.3"],
        built_in: false,
        types: &[],
    },
    Available {
        name: "btree_gist",
        version: "1.7",
        comment: "support for indexing common datatypes in GiST",
        versions: &["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"],
        built_in: false,
        types: &[],
    },
    Available {
        name: "citext",
        version: "1.6",
        comment: "data type for case-insensitive character strings",
        versions: &["1.4", "1.5", "1.6"],
        built_in: false,
        types: &[oid::CITEXT],
    },
    Available {
        name: "fuzzystrmatch",
        version: "1.1",
        comment: "determine similarities and distance between strings",
        versions: &["1.1"],
        built_in: false,
        types: &[],
    },
    Available {
        name: "hstore",
        version: "1.8",
        comment: "data type for storing sets of (key, value) pairs",
        versions: &["1.4", "1.5", "1.6", "1.7", "1.8"],
        built_in: false,
        types: &[oid::HSTORE],
    },
    Available {
        name: "pg_trgm",
        version: "1.6",
        comment: "text similarity measurement and index searching based on trigrams",
        versions: &["1.3", "1.4", "1.5", "1.6"],
        built_in: false,
        types: &[],
    },
    Available {
        name: "pgcrypto",
        version: "1.3",
        comment: "cryptographic functions",
        versions: &["1.3"],
        built_in: true,
        types: &[],
    },
    Available {
        name: PLPGSQL,
        version: "1.0",
        comment: "PL/pgSQL procedural language",
        versions: &["1.0"],
        built_in: true,
        types: &[],
    },
    Available {
        name: "unaccent",
        version: "1.1",
        comment: "text search dictionary that removes accents",
        versions: &["1.1"],
        built_in: false,
        types: &[],
    },
    Available {
        name: "uuid-ossp",
        version: "1.1",
        comment: "generate universally unique identifiers (UUIDs)",
        versions: &["1.1"],
        built_in: true,
        types: &[],
    },
];
pub fn available(name: &str) -> Option<&'static Available> {
    AVAILABLE.iter().find(|a| a.name == name)
}
/// The extension that has the type, or its array.
fn of_type(ty: Oid) -> Option<&'static Available> {
    let one = if oid::is_of_extension(ty) { oid::element_of(ty).unwrap_or(ty) } else { return None };
    AVAILABLE.iter().find(|a| a.types.contains(&one))
}

/// A stored text whose operators of extensions are written bare where the search path has their schema.
pub fn shown_operators(catalog: &Catalog, scope: &NameScope, mut text: String) -> String {
    for e in catalog.extensions(scope.database) {
        let Some(schema) = catalog.schema(e.schema).filter(|s| scope.search_path.contains(&s.name)) else { continue };
        let written = format!("OPERATOR({}.", defs::quote_ident(&schema.name));
        let mut out = String::with_capacity(text.len());
        let (mut rest, mut quoted) = (text.as_str(), false);
        while let Some(c) = rest.chars().next() {
            let operator = (!quoted).then(|| rest.strip_prefix(&written)).flatten().and_then(|r| r.split_once(')'));
            if let Some((name, after)) = operator {
                out.push_str(name);
                rest = after;
                continue;
            }
            quoted ^= c == '\'';
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
        text = out;
    }
    text
}

impl Catalog {
    #[inline]
    pub fn has_extensions(&self) -> bool {
        !self.inner.extensions.is_empty()
    }
    /// A database's, by OID.
    pub fn extensions(&self, db: Oid) -> Vec<&Arc<Extension>> {
        sorted(self.inner.extensions.values().filter(|e| e.database == db).collect(), |e| e.oid)
    }
    /// All databases'.
    pub fn all_extensions(&self) -> impl Iterator<Item = &Arc<Extension>> {
        self.inner.extensions.values()
    }
    pub fn extension(&self, oid: Oid) -> Option<&Arc<Extension>> {
        self.inner.extensions.get(&oid)
    }
    pub fn extension_named(&self, db: Oid, name: &str) -> Option<&Arc<Extension>> {
        self.inner.extensions.values().find(|e| e.database == db && e.name == name)
    }
    pub fn extensions_in(&self, schema: Oid) -> Vec<&Arc<Extension>> {
        sorted(self.inner.extensions.values().filter(|e| e.schema == schema).collect(), |e| e.oid)
    }
    /// Where a type of an extension is: the schema, its name. None: it is no such type, or the extension is not there.
    pub fn extension_type_place(&self, db: Oid, ty: Oid) -> Option<(Oid, &'static str)> {
        let e = self.extension_named(db, of_type(ty)?.name)?;
        let one = oid::element_of(ty).unwrap_or(ty);
        oid::EXTENSION_TYPES.iter().find(|t| t.0 == one).map(|t| (e.schema, t.2))
    }
    /// The type of a name that an extension in the schema has.
    pub(crate) fn extension_type_in(&self, schema: Oid, name: &str) -> Option<Oid> {
        let of = |e: &Arc<Extension>| {
            let types = available(&e.name)?.types;
            let named = oid::EXTENSION_TYPES.iter().find(|t| t.2 == name)?;
            types.contains(&named.0).then_some(named.0)
        };
        self.inner.extensions.values().filter(|e| e.schema == schema).find_map(of)
    }
}
