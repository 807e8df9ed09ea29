//! pg_catalog and information_schema as virtual tables (skeleton).
use crate::env::Env;
use pamir_types::{Datum, Oid, Result, Type};

/// A relation computed from the catalog and the server's state when it is read.
pub struct VirtualTable { pub oid: Oid, pub schema: &'static str, pub name: &'static str, pub columns: &'static [(&'static str, Type)], /// pushes every row
    pub rows: fn(&mut dyn Env, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> }
impl std::fmt::Debug for VirtualTable { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}.{}", self.schema, self.name) } }
/// Looks a virtual table up.
pub fn find(_schema: &str, _name: &str) -> Option<&'static VirtualTable> { None }
pub fn by_oid(_oid: Oid) -> Option<&'static VirtualTable> { None }
pub fn all() -> &'static [VirtualTable] { &[] }
