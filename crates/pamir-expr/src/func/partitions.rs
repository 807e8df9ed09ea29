//! pg_partition_tree, pg_partition_root, pg_partition_ancestors, pg_get_partition_constraintdef, satisfies_hash_partition.
use super::*;
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
/// One partitioned table's key, to write conditions on it.
struct Key<'a> {
    texts: Vec<String>,
    types: Vec<Type>,
    catalog: &'a Catalog,
    scope: &'a pamir_catalog::NameScope,
    text: &'a pamir_types::text::TextCtx,
}
impl Key<'_> {
    fn value(&self, n: usize, b: &[u8]) -> Result<String> {
        let ty = self.types.get(n).copied().unwrap_or(Type::UNKNOWN);
        let shown = partition::typed(&row::decode_value(b, ty)?, ty, self.text);
        Ok(pamir_catalog::types::shown(self.catalog, self.scope, &shown))
    }
    fn compared(&self, n: usize, op: &str, e: &End) -> Result<Option<String>> {
        let End::Value(b) = e else { return Ok(None) };
        Ok(Some(format!("({} {op} {})", self.texts[n], self.value(n, b)?)))
    }
    fn not_null(&self) -> Vec<String> {
        self.texts.iter().map(|k| format!("({k} IS NOT NULL)")).collect()
    }
    /// get_qual_for_list
    fn list(&self, values: &[Option<Vec<u8>>]) -> Result<Vec<String>> {
        let key = &self.texts[0];
        let listed: Vec<String> = values.iter().flatten().map(|b| self.value(0, b)).collect::<Result<_>>()?;
        let any = match listed.as_slice() {
            [] => None,
            [one] => Some(format!("({key} = {one})")),
            all => Some(format!("({key} = ANY (ARRAY[{}]))", all.join(", "))),
        };
        if values.contains(&None) {
            let null = format!("({key} IS NULL)");
            return Ok(vec![any.map_or(null.clone(), |any| format!("({null} OR {any})"))]);
        }
        Ok([format!("({key} IS NOT NULL)")].into_iter().chain(any).collect())
    }
    /// get_qual_for_range, without what it says of NULLs.
    fn range(&self, from: &[End], to: &[End]) -> Result<Vec<String>> {
        let n = self.texts.len();
        let mut out = Vec::new();
        let mut i = 0;
        while i < n && matches!(from[i], End::Value(_)) && from[i] == to[i] && (i + 1 < n) {
            out.extend(self.compared(i, "=", &from[i])?);
            i += 1;
        }
        for (ends, strict, weak, open) in [(from, ">", ">=", End::Min), (to, "<", "<=", End::Max)] {
            let mut arms = Vec::new();
            for arm in 0..n - i {
                let mut terms = Vec::new();
                let last = i + arm;
                for j in i..=last {
                    let next = ends.get(j + 1);
                    let op = if j < last {
                        "="
                    } else if next == Some(&open) || j == n - 1 && strict == ">" {
                        weak
                    } else {
                        strict
                    };
                    terms.extend(self.compared(j, op, &ends[j])?);
                }
                let goes_on = matches!(ends[last], End::Value(_)) && matches!(ends.get(last + 1), Some(End::Value(_)));
                if !terms.is_empty() {
                    arms.push(joined(terms, " AND "));
                }
                if !goes_on {
                    break;
                }
            }
            if !arms.is_empty() {
                out.push(joined(arms, " OR "));
            }
        }
        Ok(out)
    }
}
fn joined(mut parts: Vec<String>, word: &str) -> String {
    if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(word)) }
}
/// What one level says of the rows of its child, as a list of conditions that hold together.
fn level(p: &Table, b: &Bound, c: &Catalog, env: &mut dyn Env) -> Result<Vec<String>> {
    let order = partition::parts(p, env)?.order.clone();
    let Some(s) = p.scheme() else { return Ok(Vec::new()) };
    let texts: Vec<String> = s
        .key
        .iter()
        .map(|k| match &k.of {
            pamir_catalog::IndexColumn::Attr(a) => {
                p.column(*a).map_or_else(String::new, |c| pamir_catalog::defs::quote_ident(&c.name).into_owned())
            }
            pamir_catalog::IndexColumn::Expr(e, _) => pamir_catalog::types::shown(c, env.scope(), &e.0),
        })
        .collect();
    let types = s.key.iter().map(|k| k.ty(p)).collect();
    let key = Key { texts, types, catalog: c, scope: env.scope(), text: env.text_ctx() };
    let siblings = || order.iter().filter_map(|x| c.table(*x)).filter_map(|x| x.bound());
    Ok(match b {
        Bound::Hash { modulus, remainder } => {
            let keys = key.texts.join(", ");
            vec![format!("satisfies_hash_partition('{}'::oid, {modulus}, {remainder}, {keys})", p.oid)]
        }
        Bound::List(values) => key.list(values)?,
        Bound::Range(from, to) => {
            let mut all = key.not_null();
            all.extend(key.range(from, to)?);
            all
        }
        Bound::Default => {
            let mut lists = Vec::new();
            let mut arms = Vec::new();
            for b in siblings() {
                match b {
                    Bound::List(v) => lists.extend(v.iter().cloned()),
                    Bound::Range(from, to) => arms.push(joined(key.range(from, to)?, " AND ")),
                    Bound::Default | Bound::Hash { .. } => {}
                }
            }
            if !lists.is_empty() {
                return Ok(vec![format!("(NOT {})", joined(key.list(&lists)?, " AND "))]);
            }
            if arms.is_empty() {
                return Ok(Vec::new());
            }
            let mut all = key.not_null();
            all.push(joined(arms, " OR "));
            vec![format!("(NOT {})", joined(all, " AND "))]
        }
    })
}
/// The condition that a partition's bounds at all levels are, in words of SQL.
pub fn constraint_def(o: Oid, env: &mut dyn Env) -> Result<Datum> {
    let c = env.catalog().clone();
    let Some(mut t) = c.table(o) else { return Ok(Datum::Null) };
    let mut all = Vec::new();
    while let (Some(b), Some(p)) = (t.bound(), c.partition_parent(t)) {
        all.push(level(p, b, &c, env)?);
        t = p;
    }
    let parts: Vec<String> = all.into_iter().rev().flatten().collect();
    Ok(if parts.is_empty() { Datum::Null } else { joined(parts, " AND ").into() })
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
