//! Functions, operators, casts and aggregates of the extensions that are built in.
//!
//! ```text
//!   rows (from PostgreSQL's contrib) + evaluators --once an extension object--> Members, in the extension's schema
//!   a name in a schema  --lookup-->  the server's own, users' routines, members of the schema's extensions
//! ```
//! What pgcrypto and uuid-ossp have is found without them too, as if pg_catalog had it; with them it is in their schema, under the same OIDs.
//! Casts and operator classes are of the registry from the start: nobody meets their types without the extension.
//!
//! - [`citext`], [`hstore`], [`trigram`] (pg_trgm), [`fuzzy`] (fuzzystrmatch), [`unaccent`].
//!
//! Limits: a row of what has no evaluator answers 0A000 when it is called. OIDs of members are the same in all databases: what
//! has only an OID takes the first database that has the extension.
use super::registry::{AggRow, CastRow, FuncList, OWN_OIDS, OpRow, ProcRow};
use super::*;
use pamir_catalog::extension::{Extension, available};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

mod citext;
mod fuzzy;
mod hstore;
#[rustfmt::skip]
mod rows;
mod trigram;
mod unaccent;

pub use citext::{OWN, relabelling};
pub(crate) use trigram::{shared_at_least, trigrams_of, trigrams_of_pattern};
pub(crate) use unaccent::without_accents;

/// What one extension has.
pub struct Rows {
    pub extension: &'static str,
    pub procs: &'static [ProcRow],
    pub operators: &'static [OpRow],
    pub casts: &'static [CastRow],
    pub aggregates: &'static [AggRow],
    /// (type, equality, less-than)
    pub classes: &'static [(Oid, Oid, Oid)],
}
static BODIES: &[FuncList] = &[citext::FUNCS, hstore::FUNCS, trigram::FUNCS, fuzzy::FUNCS, unaccent::FUNCS];

type Named<T> = FxHashMap<Name, Vec<Arc<T>>>;
/// The members of an extension that is there.
#[derive(Default)]
pub struct Members {
    pub functions: Named<Function>,
    pub operators: Named<Operator>,
    pub aggregates: Named<Aggregate>,
}

pub(super) fn casts() -> impl Iterator<Item = &'static CastRow> {
    rows::ROWS.iter().flat_map(|r| r.casts)
}
pub(super) fn classes() -> impl Iterator<Item = &'static (Oid, Oid, Oid)> {
    rows::ROWS.iter().flat_map(|r| r.classes)
}
/// The functions that casts and classes need, which the registry keeps.
pub(super) fn for_registry() -> Vec<Function> {
    let wanted = |p: &&ProcRow| casts().any(|c| c.2 == p.oid) || classes().any(|c| c.1 == p.oid || c.2 == p.oid);
    rows::ROWS.iter().flat_map(|r| r.procs).filter(wanted).map(|p| function(p, PG_CATALOG)).collect()
}
fn function(p: &ProcRow, schema: Oid) -> Function {
    static ALL: OnceLock<FxHashMap<&'static str, Body>> = OnceLock::new();
    let bodies = ALL.get_or_init(|| BODIES.iter().flat_map(|l| l.iter()).map(|(n, b)| (*n, b.clone())).collect());
    registry::make(p, schema, bodies.get(p.src).cloned())
}
/// What the member is called.
pub fn name_of(member: Oid) -> &'static str {
    rows::ROWS.iter().flat_map(|r| r.procs).find(|p| p.oid == member).map_or("", |p| p.name)
}
/// Its members, made once.
pub fn members(e: &Extension) -> Arc<Members> {
    e.cache.get_or_init(|| Arc::new(make(e))).clone()
}
/// The extension that one of the server's own functions belongs to: found without it, and with it in its schema.
pub fn of_own(oid: Oid) -> Option<&'static str> {
    if !(OWN_OIDS..OWN_OIDS + 1_000).contains(&oid) {
        return None;
    }
    if crypto::OWN.iter().any(|r| r.oid == oid) {
        return Some("pgcrypto");
    }
    (oid == system::UUID_V4 || uuids::OWN.iter().any(|r| r.oid == oid)).then_some("uuid-ossp")
}
/// pgcrypto's gen_random_uuid, which pg_catalog's comes before.
const RANDOM_UUID: Oid = pamir_types::oid::EXTENSIONS + 0x0e00_0000;
fn make_own(e: &Extension) -> Members {
    let mut m = Members::default();
    let mut add = |f: &Function, oid: Oid| {
        let here = Arc::new(Function { oid, schema: e.schema, ..f.clone() });
        m.functions.entry(f.name.clone()).or_default().push(here);
    };
    for f in all_functions() {
        if of_own(f.oid) == Some(&e.name) {
            add(f, f.oid);
        }
        if &*f.name == "gen_random_uuid" && e.name == "pgcrypto" {
            add(f, RANDOM_UUID);
        }
    }
    m
}
fn make(e: &Extension) -> Members {
    if available(&e.name).is_some_and(|a| a.built_in) {
        return make_own(e);
    }
    let mut m = Members::default();
    let Some(rows) = rows::ROWS.iter().find(|r| r.extension == e.name) else { return m };
    let mut by_oid: FxHashMap<Oid, Arc<Function>> = FxHashMap::default();
    for p in rows.procs {
        let f = Arc::new(function(p, e.schema));
        by_oid.insert(p.oid, f.clone());
        m.functions.entry(p.name.into()).or_default().push(f);
    }
    for &(oid, name, left, right, ret, f, commutator, negator) in rows.operators {
        let Some(f) = by_oid.get(&f) else { continue };
        let some = |s: &'static str| if s.is_empty() { None } else { Some(s.into()) };
        let o = Operator {
            oid,
            schema: e.schema,
            ret,
            commutator: some(commutator),
            negator: some(negator),
            ..Operator::new(name, left, right, f.clone().into())
        };
        m.operators.entry(name.into()).or_default().push(Arc::new(o));
    }
    for &(oid, name, args, ret) in rows.aggregates {
        let (strict, state) = aggregate::constructor(name, args);
        let extreme = match name {
            "min" => Some(true),
            "max" => Some(false),
            _ => None,
        };
        let (schema, args, state) = (e.schema, args.into(), Code::Plain(state));
        let (ordered, hypothetical) = (None, false);
        let a = Aggregate { oid, schema, name: name.into(), args, ret, strict, extreme, ordered, hypothetical, state };
        m.aggregates.entry(name.into()).or_default().push(Arc::new(a));
    }
    m
}
