//! pg_partition_tree, pg_partition_root, pg_partition_ancestors, pg_get_partition_constraintdef, satisfies_hash_partition.
use super::*;
use crate::deparse::{Naming, deparse};
use crate::ir::Expr;
use crate::partition;
use pamir_catalog::partition::{Bound, End};
use pamir_catalog::{Catalog, Table};
use pamir_types::{bail, err, oid, row};
use std::sync::Arc;

/// Takes a set's rows.
type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

/// What a relation is in a tree of partitions: a table, or an index of one.
enum Node {
    Table(Arc<Table>),
    Index(Arc<Table>, Oid),
}
impl Node {
    fn of(o: Oid, c: &Catalog) -> Option<Node> {
        if let Some(t) = c.table(o) {
            return (t.is_partitioned() || t.bound().is_some()).then(|| Node::Table(t.clone()));
        }
        let t = c.index_table(o)?;
        (t.is_partitioned() || t.index_parent(o).is_some()).then(|| Node::Index(t.clone(), o))
    }
    fn oid(&self) -> Oid {
        match self {
            Node::Table(t) => t.oid,
            Node::Index(_, i) => *i,
        }
    }
    fn is_leaf(&self) -> bool {
        let (Node::Table(t) | Node::Index(t, _)) = self;
        !t.is_partitioned()
    }
    fn parent(&self, c: &Catalog) -> Option<Node> {
        match self {
            Node::Table(t) => c.partition_parent(t).cloned().map(Node::Table),
            Node::Index(t, i) => Some(Node::Index(c.partition_parent(t)?.clone(), t.index_parent(*i)?)),
        }
    }
    fn children(&self, c: &Catalog) -> Vec<Node> {
        let (Node::Table(t) | Node::Index(t, _)) = self;
        if !t.is_partitioned() {
            return Vec::new();
        }
        let of = |x: &Arc<Table>| match self {
            Node::Table(_) => Some(Node::Table(x.clone())),
            Node::Index(_, i) => x.index_part(*i).map(|i| Node::Index(x.clone(), i)),
        };
        t.children().iter().filter_map(|x| c.table(*x)).filter_map(of).collect()
    }
}
fn class(o: Oid) -> Datum {
    Datum::Oid(o)
}
pub fn root(o: Oid, env: &mut dyn Env) -> Datum {
    let c = env.catalog().clone();
    let Some(mut n) = Node::of(o, &c) else { return Datum::Null };
    while let Some(p) = n.parent(&c) {
        n = p;
    }
    class(n.oid())
}
pub fn ancestors(args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Oid(o)] = args else { return Ok(()) };
    let c = env.catalog().clone();
    let mut at = Node::of(*o, &c);
    while let Some(n) = at {
        push(vec![class(n.oid())])?;
        at = n.parent(&c);
    }
    Ok(())
}
pub fn tree(args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Oid(o)] = args else { return Ok(()) };
    let c = env.catalog().clone();
    let Some(first) = Node::of(*o, &c) else { return Ok(()) };
    let above = first.parent(&c).map(|p| p.oid());
    let mut level = vec![(first, above)];
    let mut depth = 0;
    while !level.is_empty() {
        let mut next = Vec::new();
        for (n, above) in level {
            pamir_types::work::charge(pamir_types::work::ROW as usize)?;
            let parent = above.map_or(Datum::Null, class);
            push(vec![class(n.oid()), parent, Datum::Bool(n.is_leaf()), Datum::Int4(depth)])?;
            next.extend(n.children(&c).into_iter().map(|x| (x, Some(n.oid()))));
        }
        level = next;
        depth += 1;
    }
    Ok(())
}
/// The condition that a partition's bound is, in words of SQL; NULL for bounds over several columns and DEFAULT.
pub fn constraint_def(o: Oid, env: &mut dyn Env) -> Result<Datum> {
    let c = env.catalog().clone();
    let Some(t) = c.table(o) else { return Ok(Datum::Null) };
    let (Some(b), Some(p)) = (t.bound(), c.partition_parent(t)) else { return Ok(Datum::Null) };
    let Some(s) = p.scheme() else { return Ok(Datum::Null) };
    let key = partition::key_text(p);
    if let Bound::Hash { modulus, remainder } = b {
        return Ok(format!("satisfies_hash_partition('{}'::oid, {modulus}, {remainder}, {key})", p.oid).into());
    }
    let [k] = s.key.as_slice() else { return Ok(Datum::Null) };
    let ty = k.ty(p);
    let shown = |b: &[u8]| -> Result<String> {
        Ok(deparse(&Expr::Const(row::decode_value(b, ty)?, ty), &|_| String::new(), Naming::Short(&c, env.scope())))
    };
    let mut parts = Vec::new();
    match b {
        Bound::List(values) => {
            let listed: Vec<String> = values.iter().flatten().map(|b| shown(b)).collect::<Result<_>>()?;
            let any = match listed.as_slice() {
                [one] => format!("({key} = {one})"),
                all => format!("({key} = ANY (ARRAY[{}]))", all.join(", ")),
            };
            if values.contains(&None) {
                let null = format!("({key} IS NULL)");
                let all = if listed.is_empty() { null } else { format!("({null} OR {any})") };
                return Ok(all.into());
            }
            parts.push(format!("({key} IS NOT NULL)"));
            parts.push(any);
        }
        Bound::Range(from, to) => {
            parts.push(format!("({key} IS NOT NULL)"));
            if let [End::Value(b)] = from.as_slice() {
                parts.push(format!("({key} >= {})", shown(b)?));
            }
            if let [End::Value(b)] = to.as_slice() {
                parts.push(format!("({key} < {})", shown(b)?));
            }
        }
        Bound::Default | Bound::Hash { .. } => return Ok(Datum::Null),
    }
    Ok(if let [one] = parts.as_slice() { one.clone().into() } else { format!("({})", parts.join(" AND ")).into() })
}
/// Does a row with these values of the partition key belong to the partition of this modulus and remainder?
pub fn satisfies_hash(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [parent, modulus, remainder, key @ ..] = args else { return Ok(Datum::Bool(false)) };
    let (Datum::Oid(parent), Datum::Int4(modulus), Datum::Int4(remainder)) = (parent, modulus, remainder) else {
        return Ok(Datum::Bool(false));
    };
    if *modulus <= 0 {
        bail!(INVALID_PARAMETER_VALUE, "modulus for hash partition must be an integer value greater than zero");
    }
    if *remainder < 0 {
        bail!(
            INVALID_PARAMETER_VALUE,
            "remainder for hash partition must be an integer value greater than or equal to zero"
        );
    }
    if remainder >= modulus {
        bail!(INVALID_PARAMETER_VALUE, "remainder for hash partition must be less than modulus");
    }
    let c = env.catalog().clone();
    let Some(t) = c.table(*parent) else {
        bail!(UNDEFINED_TABLE, "could not open relation with OID {parent}");
    };
    let scheme = t.scheme().filter(|s| s.strategy == pamir_catalog::partition::Strategy::Hash);
    let Some(scheme) = scheme else {
        bail!(INVALID_PARAMETER_VALUE, "\"{}\" is not a hash partitioned table", t.name);
    };
    let variadic = matches!(key, [Datum::Array(_)]) && ci.arg_types.get(3).is_some_and(|t| t.is_array());
    let values: Vec<Datum> = match key {
        [Datum::Array(a)] if variadic => a.items.to_vec(),
        k => k.to_vec(),
    };
    let types: Vec<Type> = scheme.key.iter().map(|k| k.ty(t)).collect();
    if values.len() != types.len() {
        let (a, b) = (types.len(), values.len());
        bail!(
            INVALID_PARAMETER_VALUE,
            "number of partitioning columns ({a}) does not match number of partition keys provided ({b})"
        );
    }
    for (n, want) in types.iter().enumerate() {
        let has = match variadic {
            true => ci.arg_types.get(3).and_then(|t| t.element()),
            false => ci.arg_types.get(3 + n).copied(),
        };
        if let Some(has) = has
            && has.oid != want.oid
            && has.oid != oid::UNKNOWN
        {
            let (want, has) = (pamir_types::text::type_named(want.oid), pamir_types::text::type_named(has.oid));
            let n = n + 1;
            return Err(err!(
                INVALID_PARAMETER_VALUE,
                "column {n} of the partition key has type {want}, but supplied value is of type {has}"
            ));
        }
    }
    let h = partition::hash_of(&values, &types)?;
    Ok(Datum::Bool(h % (*modulus as u64) == *remainder as u64))
}
