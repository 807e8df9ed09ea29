//! A column's or expression's type: OID and typmod, as PostgreSQL carries them.
use crate::oid::{self, Oid};
use serde::{Deserialize, Serialize};

/// `typmod` is PostgreSQL's: -1 for none; varchar/bpchar length + 4; numeric ((p << 16) | s) + 4;
/// time/timestamp/interval fractional digits (interval: range mask << 16 | precision).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Type {
    pub oid: Oid,
    pub typmod: i32,
}

impl Type {
    pub const fn new(oid: Oid) -> Type {
        Type { oid, typmod: -1 }
    }
    pub const fn with_mod(oid: Oid, typmod: i32) -> Type {
        Type { oid, typmod }
    }
    pub const BOOL: Type = Type::new(oid::BOOL);
    pub const INT2: Type = Type::new(oid::INT2);
    pub const INT4: Type = Type::new(oid::INT4);
    pub const INT8: Type = Type::new(oid::INT8);
    pub const FLOAT4: Type = Type::new(oid::FLOAT4);
    pub const FLOAT8: Type = Type::new(oid::FLOAT8);
    pub const NUMERIC: Type = Type::new(oid::NUMERIC);
    pub const TEXT: Type = Type::new(oid::TEXT);
    pub const NAME: Type = Type::new(oid::NAME);
    pub const UNKNOWN: Type = Type::new(oid::UNKNOWN);
    pub const OID: Type = Type::new(oid::OID);
    /// The same type without its modifier.
    pub fn base(self) -> Type {
        Type::new(self.oid)
    }
    pub fn is_array(self) -> bool {
        oid::element_of(self.oid).is_some()
    }
    pub fn element(self) -> Option<Type> {
        oid::element_of(self.oid).map(|o| Type::with_mod(o, self.typmod))
    }
    /// True for the types whose values are [`crate::Datum::Text`].
    pub fn is_stringlike(self) -> bool {
        matches!(
            self.oid,
            oid::TEXT
                | oid::VARCHAR
                | oid::BPCHAR
                | oid::NAME
                | oid::UNKNOWN
                | oid::CSTRING
                | oid::JSON
                | oid::XML
                | oid::JSONPATH
                | oid::PG_SNAPSHOT
                | oid::TXID_SNAPSHOT
                | oid::PG_NODE_TREE
                | oid::REFCURSOR
        )
    }
}
