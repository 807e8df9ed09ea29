//! Physical plans as data: what the planner makes, EXPLAIN prints and the executor runs.
//!
//! - [`node`]: operators and what each needs to know. - [`walk`]: all expressions of a plan.
pub mod node;
pub mod walk;

use crate::expr;
use crate::sink::Field;
use node::{Est, Kind, PNode};
use pamir_types::{Datum, Type, oid};
use rustc_hash::FxHashMap;

/// A physical plan: immutable, shared, cached.
pub struct Plan {
    pub fields: Vec<Field>,
    pub params: Vec<Type>,
    /// catalog version it was made under
    pub catalog_version: u64,
    /// needs no write, no lock
    pub read_only: bool,
    pub root: Root,
    /// Too deep for a session's own stack ([`pamir_sql::session::query::on_stack_for`]).
    pub deep: bool,
    /// What rules have done before the rows of this and after them, each seeing what was done before it.
    pub before: Vec<std::sync::Arc<Plan>>,
    pub after: Vec<std::sync::Arc<Plan>>,
}
pub use node::Root;

impl Plan {
    /// Is it all of its statement?
    pub fn is_alone(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
    /// Stands for one that could not be made.
    pub fn without_rows(params: Vec<Type>, catalog_version: u64) -> Plan {
        let root = Root {
            node: PNode { kind: Kind::Empty, est: Est::default(), out: Vec::new(), id: 0 },
            out: Vec::new(),
            types: Vec::new(),
            nslots: 0,
            onces: 0,
            subs: Vec::new(),
            ctes: Vec::new(),
            nodes: 1,
            returns_rows: true,
            fast: None,
            names: FxHashMap::default(),
            computed: FxHashMap::default(),
            slot_types: Vec::new(),
        };
        let (before, after) = Default::default();
        Plan { fields: Vec::new(), params, catalog_version, read_only: true, root, deep: false, before, after }
    }
}

/// Counters of EXPLAIN ANALYZE, by plan node.
#[derive(Default, Clone, Debug)]
pub struct RunStats {
    pub nodes: Vec<NodeStats>,
    pub total_nanos: u64,
}
#[derive(Default, Clone, Debug)]
pub struct NodeStats {
    pub rows: u64,
    pub loops: u64,
    pub nanos: u64,
    /// Time to the first row of all loops.
    pub first_nanos: u64,
    pub removed: u64,
    /// Pages touched, and of them read from disk, by the node and what is below it.
    pub pages: (u64, u64),
    /// What the operator says of itself (`Sort Method: quicksort  Memory: 25kB`).
    pub note: Option<String>,
}

/// Can values of the two types meet in one hash table?
pub fn hash_compatible(a: Type, b: Type) -> bool {
    let text = |t: Type| matches!(t.oid, oid::TEXT | oid::VARCHAR | oid::NAME);
    a.oid == b.oid || (expr::is_int(a.oid) && expr::is_int(b.oid)) || (text(a) && text(b))
}

/// A zero of an offset's type, to tell negative ones.
pub fn zero_offset(t: Type) -> Datum {
    match t.oid {
        oid::NUMERIC => Datum::Numeric(pamir_types::numeric::Numeric::from_i64(0)),
        oid::FLOAT8 => Datum::Float8(0.0),
        oid::INTERVAL => Datum::Interval(pamir_types::datetime::Interval { months: 0, days: 0, micros: 0 }),
        _ => Datum::Int8(0),
    }
}
