//! Statistics objects: what CREATE STATISTICS asks to be known of several columns together.
//!
//! ```text
//!   [18][OID, 4 bytes]  ->  [1][Extended, postcard]          [NAME][7][schema, 4 bytes][name] -> OID
//! ```
//! Limits: they are kept and shown; ANALYZE gathers nothing for them.
use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extended {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub table: Oid,
    /// Plain columns by number, ascending.
    pub columns: Vec<i16>,
    pub exprs: Vec<SqlText>,
    /// `d` ndistinct, `f` dependencies, `m` mcv, `e` expressions, as pg_statistic_ext has them.
    pub kinds: Vec<u8>,
    /// -1: the default.
    pub target: i32,
}

impl Catalog {
    pub fn extended(&self, oid: Oid) -> Option<&Arc<Extended>> {
        self.inner.extended.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn extended_of(&self, db: Oid) -> Vec<&Arc<Extended>> {
        sorted(self.inner.extended.values().filter(|e| e.database == db).collect(), |e| e.oid)
    }
    pub fn extended_in(&self, schema: Oid, name: &str) -> Option<&Arc<Extended>> {
        self.inner.extended.values().find(|e| e.schema == schema && e.name == name)
    }
}
