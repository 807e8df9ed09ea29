//! Functions that PostgreSQL has for itself and that are no functions here: those that read and write types' texts and bytes, estimators, supports of indexes,
//! windows' functions, which the binder knows. Catalogs name them (pg_type.typinput), clients join with pg_proc and compare with `'array_in(...)'::regprocedure`.
use super::{find, fixed};
use pamir_types::Oid;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// One of them, as far as its name goes.
pub struct Internal {
    pub oid: Oid,
    pub name: &'static str,
    pub args: Vec<Oid>,
    pub ret: Oid,
    /// Its result is a pseudo-type.
    pub of_pseudo_type: bool,
    /// Volatility: stable, else immutable for those that read.
    pub stable: bool,
}
static ALL: LazyLock<Vec<Internal>> = LazyLock::new(|| {
    let Some(t) = find("pg_catalog", "pg_proc") else { return vec![] };
    let at = |n: &str| t.columns.iter().position(|c| c.0 == n).unwrap_or(0);
    let (name, args, ret, volatile) = (at("proname"), at("proargtypes"), at("prorettype"), at("provolatile"));
    let kind = find("pg_catalog", "pg_type").and_then(|t| t.columns.iter().position(|c| c.0 == "typtype")).unwrap_or(0);
    let pseudo: FxHashSet<Oid> = fixed("pg_type")
        .unwrap_or("")
        .lines()
        .map(|l| l.split('\t').collect::<Vec<_>>())
        .filter(|f| f.get(kind) == Some(&"p"))
        .filter_map(|f| f.first()?.parse().ok())
        .collect();
    let read = |l: &'static str| {
        let f: Vec<&str> = l.split('\t').collect();
        let args = f.get(args)?.split(' ').filter_map(|a| a.parse().ok()).collect();
        let ret = f.get(ret)?.parse().ok()?;
        let (of_pseudo_type, stable) = (pseudo.contains(&ret), f.get(volatile) == Some(&"s"));
        Some(Internal { oid: f.first()?.parse().ok()?, name: f.get(name)?, args, ret, of_pseudo_type, stable })
    };
    fixed("pg_proc").unwrap_or("").lines().filter_map(read).collect()
});
static BY_OID: LazyLock<FxHashMap<Oid, usize>> =
    LazyLock::new(|| ALL.iter().enumerate().map(|(i, f)| (f.oid, i)).collect());

pub fn by_oid(oid: Oid) -> Option<&'static Internal> {
    ALL.get(*BY_OID.get(&oid)?)
}
pub fn all() -> &'static [Internal] {
    &ALL
}
/// Those of a name.
pub fn named(name: &str) -> impl Iterator<Item = &'static Internal> {
    ALL.iter().filter(move |f| f.name == name)
}
