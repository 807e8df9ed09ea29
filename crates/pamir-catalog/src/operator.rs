//! Operators and casts that users define with SQL; what an aggregate is beside a [`function::Function`].
//!
//! ```text
//!   [15][OID, 4 bytes] -> [1][Operator, postcard]      [NAME][7][schema, 4 bytes][name 0 left 0 right] -> OID
//!   [14][OID, 4 bytes] -> [1][Cast, postcard]          [NAME][8][database, 4 bytes][source 0 target]   -> OID
//! ```
//! An operator stands among the [`routines`] of its class under its name, by which it is found as the server's own are. It names its function by OID: when that
//! changes, what upper floors keep with the operator is forgotten.
//!
//! Invariants: a cast's function, an operator's and an aggregate's functions stay while it is there (their `depends`).
use super::*;
use depend::{Class, ObjectRef};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Operator {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    /// 0: a prefix operator.
    pub left: Oid,
    pub right: Oid,
    pub ret: Oid,
    pub function: Oid,
    /// As what it is called with its sides exchanged, or negated: (schema, name). It need not be there.
    pub commutator: Option<(Oid, String)>,
    pub negator: Option<(Oid, String)>,
    /// Hints for planners: names of functions, whether it hashes and merges.
    pub restrict: Option<Oid>,
    pub join: Option<Oid>,
    pub hashes: bool,
    pub merges: bool,
    pub comment: Option<String>,
    /// What upper floors keep with this version of it; not stored.
    #[serde(skip)]
    pub cache: Slot,
}
impl Operator {
    /// The name that makes it unique in its schema.
    pub fn unique_name(&self) -> String {
        format!("{}\0{}\0{}", self.name, self.left, self.right)
    }
    pub fn depends(&self) -> Vec<ObjectRef> {
        let mut out = vec![function_ref(self.function)];
        out.extend([self.restrict, self.join].into_iter().flatten().map(function_ref));
        out.extend([self.left, self.right, self.ret].into_iter().filter_map(type_ref));
        unique(out)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CastHow {
    Function(Oid),
    /// WITHOUT FUNCTION: the value is taken as it is.
    Binary,
    /// By way of its text.
    InOut,
}
/// When a cast is applied without being written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum CastContext {
    Implicit,
    Assignment,
    Explicit,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cast {
    pub oid: Oid,
    pub database: Oid,
    pub from: Oid,
    pub to: Oid,
    pub how: CastHow,
    pub context: CastContext,
    pub comment: Option<String>,
}
impl Cast {
    pub fn unique_name(&self) -> String {
        format!("{}\0{}", self.from, self.to)
    }
    pub fn depends(&self) -> Vec<ObjectRef> {
        let mut out: Vec<ObjectRef> = [self.from, self.to].into_iter().filter_map(type_ref).collect();
        if let CastHow::Function(f) = self.how {
            out.push(function_ref(f));
        }
        unique(out)
    }
}

/// What CREATE AGGREGATE says. Functions are OIDs, 0 where there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aggregate {
    /// `n` plain, `o` ordered-set, `h` hypothetical-set.
    pub kind: u8,
    /// How many of an ordered set's arguments are direct ones.
    pub direct: u16,
    pub plain: Machine,
    /// Over moving frames.
    pub moving: Option<Machine>,
    pub inverse: Oid,
    pub combine: Oid,
    pub serial: Oid,
    pub deserial: Oid,
    pub sort_operator: Oid,
}
/// A state, how it grows and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub step: Oid,
    pub state: Type,
    pub space: i32,
    pub last: Oid,
    /// Does the last function take the arguments' types, too?
    pub extra: bool,
    /// `r`, `s`, `w`: what it does to the state.
    pub modify: u8,
    pub initial: Option<String>,
}
impl Aggregate {
    pub fn depends(&self) -> Vec<ObjectRef> {
        let mut out = Vec::new();
        for m in std::iter::once(&self.plain).chain(&self.moving) {
            // The functions depend on the state's type.
            out.extend([m.step, m.last].into_iter().filter(|o| *o != 0).map(function_ref));
        }
        let others = [self.inverse, self.combine, self.serial, self.deserial];
        out.extend(others.into_iter().filter(|o| *o != 0).map(function_ref));
        if self.sort_operator != 0 {
            out.push(ObjectRef { class: Class::Operator, oid: self.sort_operator, sub: 0 });
        }
        unique(out)
    }
}

pub fn function_ref(oid: Oid) -> ObjectRef {
    ObjectRef { class: Class::Function, oid, sub: 0 }
}
/// A user's type as what something depends on: of an array its element, of a relation's rows the relation.
pub fn type_ref(ty: Oid) -> Option<ObjectRef> {
    use pamir_types::oid;
    let one = oid::element_of(ty).unwrap_or(ty);
    match oid::user_class(one)? {
        oid::UserClass::Row => Some(ObjectRef::relation(oid::user_number(one))),
        _ => Some(ObjectRef { class: Class::Type, oid: one, sub: 0 }),
    }
}
/// Each once, the server's own left out.
pub fn unique(list: Vec<ObjectRef>) -> Vec<ObjectRef> {
    let mut out = Vec::with_capacity(list.len());
    for o in list {
        if o.oid >= pamir_types::oid::FIRST_USER && !out.contains(&o) {
            out.push(o);
        }
    }
    out
}

impl Catalog {
    pub fn operator(&self, oid: Oid) -> Option<&Arc<Operator>> {
        self.inner.operators.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn operators(&self, db: Oid) -> Vec<&Arc<Operator>> {
        sorted(self.inner.operators.values().filter(|o| o.database == db).collect(), |o| o.oid)
    }
    pub fn cast_by_oid(&self, oid: Oid) -> Option<&Arc<Cast>> {
        self.inner.casts.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn casts(&self, db: Oid) -> Vec<&Arc<Cast>> {
        sorted(self.inner.casts.values().filter(|c| c.database == db).collect(), |c| c.oid)
    }
    /// A user's cast between two types.
    #[inline]
    pub fn cast(&self, db: Oid, from: Oid, to: Oid) -> Option<&Arc<Cast>> {
        if self.inner.casts.is_empty() {
            return None;
        }
        self.inner.casts.values().find(|c| c.from == from && c.to == to && c.database == db)
    }
}
