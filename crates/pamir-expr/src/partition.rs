//! Which partition a row belongs to, and which partitions a query's conditions leave.
//!
//! ```text
//!   row ── key columns ──► RANGE  order-preserving bytes, looked up among the ranges' ends     a NULL among them: DEFAULT
//!                          LIST   the same bytes, looked up among all listed values
//!                          HASH   PostgreSQL's 64-bit hash of the columns that are not NULL, by each modulus
//!   conditions ──► ranges of such bytes, as of an index over the partition key ──► does the partition's part meet any of them?
//! ```
//! A partition key is treated as an index's columns ([`IndexLayout`]), ascending, NULLs last: what the planner makes of conditions for an index holds for it,
//! and [`crate::ranges`] says which bytes that means now. MINVALUE is where a key ends, MAXVALUE what NULL would be: behind all values.
//!
//! [`Parts`] is derived from a partitioned table and its children's bounds, and kept with the table's version: a child that comes or goes makes a new one.
//!
//! Limits: conditions on a HASH key leave partitions only where they name single values, [`MOST_POINTS`] at most.
use crate::access::{self, IndexLayout, KeyCol};
use crate::env::Env;
use crate::expr::{self, Cx, Px, RowCx};
use crate::func::hashing;
use crate::ir::Expr;
use crate::plan::node::{Bounds, Part};
use crate::ranges::{Fit, Range, fit};
use pamir_catalog::partition::{Bound, End, Strategy, as_parent_has, places};
use pamir_catalog::{Catalog, IndexColumn, SqlText, Table, policy};
use pamir_types::key::{self, KeyOrder};
use pamir_types::{Datum, Error, Oid, Result, Type, row, text};
use std::sync::Arc;

/// Of `satisfies_hash_partition`.
const HASH_SEED: u64 = 0x7A5B_2236_7996_DCFD;
/// The key of NULL, as LIST has it.
const NULL_KEY: [u8; 1] = [2];
/// So many combinations of single values are hashed to leave partitions out.
const MOST_POINTS: usize = 64;

/// How rows of a partitioned table are divided among its children.
pub struct Parts {
    pub strategy: Strategy,
    pub lay: IndexLayout,
    /// Per key column, where it is an expression: over attnum - 1.
    pub exprs: Vec<Option<(Expr, Px)>>,
    pub children: Vec<Oid>,
    /// The same in the order of their bounds: those of NULL and DEFAULT last.
    pub order: Vec<Oid>,
    /// Of each child the places of the columns ([`places`]); None: they are where they are here.
    to: Vec<Option<Vec<usize>>>,
    /// Where a child is among them.
    pub at: rustc_hash::FxHashMap<Oid, usize>,
    /// RANGE: (from, to, child), ascending and disjoint.
    ranges: Vec<(Vec<u8>, Vec<u8>, usize)>,
    /// LIST: (key, child), ascending.
    values: Vec<(Vec<u8>, usize)>,
    /// HASH: (modulus, remainder, child)
    hash: Vec<(u32, u32, usize)>,
    pub default: Option<usize>,
}
/// The bytes of an end of a range.
pub fn end_bytes(ends: &[End], cols: &[KeyCol]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (e, c) in ends.iter().zip(cols) {
        match e {
            End::Min => break,
            End::Value(b) => key::encode_search(&row::decode_value(b, c.ty)?, c.ty, c.ord, &mut out)?,
            End::Max => {
                key::encode_search(&Datum::Null, c.ty, c.ord, &mut out)?;
                break;
            }
        }
    }
    Ok(out)
}
/// The bytes of a listed value.
pub fn value_bytes(v: Option<&[u8]>, c: &KeyCol) -> Result<Vec<u8>> {
    let d = v.map_or(Ok(Datum::Null), |b| row::decode_value(b, c.ty))?;
    let mut out = Vec::new();
    key::encode_search(&d, c.ty, c.ord, &mut out)?;
    Ok(out)
}
/// The partition key as an index's columns; None: it is no partitioned table.
pub fn layout(t: &Table) -> Option<IndexLayout> {
    let key = &t.scheme()?.key;
    let attr = |of: &IndexColumn| match of {
        IndexColumn::Attr(a) => Some((*a as usize).wrapping_sub(1)),
        IndexColumn::Expr(..) => None,
    };
    let col = |k: &pamir_catalog::partition::KeyColumn| {
        let ord = KeyOrder { desc: false, nulls_first: false };
        KeyCol { attr: attr(&k.of), ty: k.ty(t), ord, extra: None }
    };
    let cols: Vec<KeyCol> = key.iter().map(col).collect();
    let plain = cols.iter().all(|c| c.attr.is_some());
    Some(IndexLayout { cols, extra: Vec::new(), extra_types: Vec::new(), plain, inverted: None })
}

impl Parts {
    fn new(t: &Table, catalog: &Catalog, bind: &mut dyn FnMut(&SqlText) -> Result<Expr>) -> Result<Parts> {
        let (Some(scheme), Some(lay)) = (t.scheme(), layout(t)) else {
            return Err(Error::internal("no partitioned table"));
        };
        let mut exprs = Vec::with_capacity(scheme.key.len());
        for k in &scheme.key {
            exprs.push(match &k.of {
                IndexColumn::Attr(_) => None,
                IndexColumn::Expr(text, _) => {
                    let e = bind(text)?;
                    let px = expr::compile_simple(&e)?;
                    Some((e, px))
                }
            });
        }
        let children = t.children().to_vec();
        let same = |p: &Vec<usize>| p.iter().enumerate().all(|(i, c)| i == *c);
        let mut to = Vec::with_capacity(children.len());
        let (mut ranges, mut values, mut hash, mut default) = (Vec::new(), Vec::new(), Vec::new(), None);
        for (at, c) in children.iter().enumerate() {
            pamir_types::work::charge(pamir_types::work::ROW as usize)?;
            let child = catalog.table(*c);
            let moved = child.map(|c| (places(t, c), c.columns.len()));
            to.push(moved.filter(|(p, n)| *n != p.len() || !same(p)).map(|p| p.0));
            match child.and_then(|c| c.bound()) {
                Some(Bound::Default) => default = Some(at),
                Some(Bound::Hash { modulus, remainder }) => hash.push((*modulus, *remainder, at)),
                Some(Bound::List(list)) => {
                    for v in list {
                        values.extend(
                            lay.cols.first().map(|c| value_bytes(v.as_deref(), c)).transpose()?.map(|k| (k, at)),
                        );
                    }
                }
                Some(Bound::Range(from, to)) => {
                    ranges.push((end_bytes(from, &lay.cols)?, end_bytes(to, &lay.cols)?, at))
                }
                None => {}
            }
        }
        ranges.sort_unstable();
        values.sort_unstable();
        let at = children.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let order = Vec::new();
        let mut all =
            Parts { strategy: scheme.strategy, lay, exprs, children, order, to, at, ranges, values, hash, default };
        all.order = all.in_order();
        Ok(all)
    }
    fn in_order(&self) -> Vec<Oid> {
        let mut order: Vec<usize> = Vec::new();
        let null = NULL_KEY;
        match self.strategy {
            Strategy::Range => order.extend(self.ranges.iter().map(|r| r.2)),
            Strategy::List => order.extend(self.values.iter().filter(|v| v.0 != null).map(|v| v.1)),
            Strategy::Hash => {
                let mut all = self.hash.clone();
                all.sort_unstable();
                order.extend(all.iter().map(|h| h.2));
            }
        }
        order.extend(0..self.children.len());
        let default = self.default;
        let mut seen = vec![false; self.children.len()];
        let mut out = Vec::with_capacity(self.children.len());
        for at in order.into_iter().filter(|at| Some(*at) != default).chain(default) {
            if !std::mem::replace(&mut seen[at], true) {
                out.push(self.children[at]);
            }
        }
        out
    }
    /// The key's values of a row of the partitioned table.
    pub fn key(&self, row: &[Datum], env: &mut dyn Env) -> Result<Vec<Datum>> {
        let of = |(c, e): (&KeyCol, &Option<(Expr, Px)>)| match (c.attr, e) {
            (Some(a), _) => Ok(row.get(a).cloned().unwrap_or(Datum::Null)),
            (None, Some((_, px))) => expr::eval(px, &mut RowCx { row, env: &mut *env }),
            (None, None) => Ok(Datum::Null),
        };
        self.lay.cols.iter().zip(&self.exprs).map(of).collect()
    }
    /// The child that a key belongs to.
    pub fn child(&self, key: &[Datum]) -> Result<Option<usize>> {
        let found = match self.strategy {
            Strategy::Hash => return self.hashed(key),
            Strategy::Range if key.iter().any(Datum::is_null) => None,
            Strategy::Range => {
                let k = self.bytes(key)?;
                let at = self.ranges.partition_point(|r| r.0 <= k);
                at.checked_sub(1).and_then(|at| self.ranges.get(at)).filter(|r| k < r.1).map(|r| r.2)
            }
            Strategy::List => {
                let k = self.bytes(key)?;
                self.values.binary_search_by(|v| v.0.cmp(&k)).ok().map(|at| self.values[at].1)
            }
        };
        Ok(found.or(self.default))
    }
    pub fn bytes(&self, key: &[Datum]) -> Result<Vec<u8>> {
        let mut k = Vec::new();
        for (d, c) in key.iter().zip(&self.lay.cols) {
            key::encode_search(d, c.ty, c.ord, &mut k)?;
        }
        Ok(k)
    }
    fn hashed(&self, key: &[Datum]) -> Result<Option<usize>> {
        let types: Vec<Type> = self.lay.cols.iter().map(|c| c.ty).collect();
        let h = hash_of(key, &types)?;
        Ok(self.hash.iter().find(|(m, r, _)| h % u64::from(*m) == u64::from(*r)).map(|x| x.2))
    }
    /// May rows with keys in these ranges of bytes be in the DEFAULT partition? `whole`: every one of them has no NULL, wherever that may be in keys of several columns.
    fn default_meets(&self, asked: &[Range], whole: bool) -> bool {
        // A NULL behind columns that are asked for is its, too.
        self.strategy == Strategy::Range && !whole || asked.iter().any(|r| !self.is_covered(r))
    }
    /// Takes out of `live` the children that have no rows within bounds, as of an index over the key.
    pub fn leave_out<C: Cx + ?Sized>(&self, b: &Bounds, c: &mut C, live: &mut [bool]) -> Result<()> {
        let (mut asked, mut met) = (Vec::new(), vec![false; live.len()]);
        if self.strategy == Strategy::Hash {
            let Some(points) = self.points(b, c)? else { return Ok(()) };
            for p in points {
                self.child(&p)?.into_iter().for_each(|child| met[child] = true);
            }
            live.iter_mut().zip(met).for_each(|(l, m)| *l &= m);
            return Ok(());
        }
        crate::ranges::ranges(b, &self.lay.cols, c, &mut asked)?;
        for r in &asked {
            let hi = |lo: &[u8]| r.hi.as_deref().is_none_or(|h| h > lo);
            if self.strategy == Strategy::Range {
                let from = self.ranges.partition_point(|x| x.1 <= r.lo);
                self.ranges[from..].iter().take_while(|x| hi(&x.0)).for_each(|x| met[x.2] = true);
            } else {
                let from = self.values.partition_point(|x| x.0 < r.lo);
                self.values[from..].iter().take_while(|x| hi(&x.0)).for_each(|x| met[x.1] = true);
            }
        }
        if let Some(d) = self.default {
            met[d] = self.default_meets(&asked, self.is_whole(b));
        }
        live.iter_mut().zip(met).for_each(|(l, m)| *l &= m);
        Ok(())
    }
    /// RANGE: of each child its place by bounds; usize::MAX: it has none (DEFAULT). None: it is divided otherwise.
    pub fn ascending(&self) -> Option<Vec<usize>> {
        if self.strategy != Strategy::Range {
            return None;
        }
        let mut rank = vec![usize::MAX; self.children.len()];
        for (i, (.., child)) in self.ranges.iter().enumerate() {
            *rank.get_mut(*child)? = i;
        }
        Some(rank)
    }
    /// Do bounds name values for every column of the key?
    fn is_whole(&self, b: &Bounds) -> bool {
        let arms = if b.arms.is_empty() { std::slice::from_ref(b) } else { &b.arms[..] };
        let n = self.lay.cols.len();
        let full = |b: &Bounds| b.parts.len() == n && !b.parts.iter().any(|p| matches!(p, Part::Null));
        n == 1 || arms.iter().all(full)
    }
    /// Do other children than the default one take all keys of the range?
    fn is_covered(&self, r: &Range) -> bool {
        match self.strategy {
            Strategy::List => {
                let mut next = r.lo.clone();
                let point = key::prefix_successor(&mut next) && r.hi.as_ref() == Some(&next);
                point && self.values.binary_search_by(|v| v.0.cmp(&r.lo)).is_ok()
            }
            Strategy::Range => {
                let Some(hi) = &r.hi else { return false };
                let mut at = &r.lo;
                for (from, to, _) in &self.ranges {
                    if from <= at && to > at {
                        at = to;
                    }
                }
                at >= hi
            }
            Strategy::Hash => false,
        }
    }
    /// The single keys that bounds mean; None: they leave more, or too many.
    fn points<C: Cx + ?Sized>(&self, b: &Bounds, c: &mut C) -> Result<Option<Vec<Vec<Datum>>>> {
        if b.arms.is_empty() {
            return self.points_of(b, c);
        }
        let mut all = Vec::new();
        for arm in &b.arms {
            match self.points_of(arm, c)? {
                Some(points) if all.len() + points.len() <= MOST_POINTS => all.extend(points),
                _ => return Ok(None),
            }
        }
        Ok(Some(all))
    }
    fn points_of<C: Cx + ?Sized>(&self, b: &Bounds, c: &mut C) -> Result<Option<Vec<Vec<Datum>>>> {
        if b.parts.len() < self.lay.cols.len() {
            return Ok(None);
        }
        let mut all: Vec<Vec<Datum>> = vec![Vec::new()];
        for (p, col) in b.parts.iter().zip(&self.lay.cols) {
            let values = match p {
                Part::Eq(e) => vec![expr::eval(e, c)?],
                Part::In(list) if list.len() <= MOST_POINTS => {
                    list.iter().map(|e| expr::eval(e, c)).collect::<Result<_>>()?
                }
                Part::Any(e) => match expr::eval(e, c)? {
                    Datum::Array(a) if a.items.len() <= MOST_POINTS => a.items.to_vec(),
                    Datum::Null => Vec::new(),
                    _ => return Ok(None),
                },
                Part::In(_) => return Ok(None),
                Part::Null => {
                    all.iter_mut().for_each(|k| k.push(Datum::Null));
                    continue;
                }
            };
            if all.len().saturating_mul(values.len()) > MOST_POINTS {
                return Ok(None);
            }
            let mut next = Vec::with_capacity(all.len() * values.len());
            for v in values {
                let Fit::Value(v) = fit(v, col.ty) else { continue };
                next.extend(all.iter().map(|k| k.iter().cloned().chain([v.clone()]).collect::<Vec<_>>()));
            }
            all = next;
        }
        Ok(Some(all))
    }
}
/// Are values of a type hashed as PostgreSQL's partitions have them?
pub fn hashes(t: Type) -> bool {
    hashing::knows(t)
}
/// compute_partition_hash_value
pub fn hash_of(key: &[Datum], types: &[Type]) -> Result<u64> {
    let mut h = 0u64;
    for (d, ty) in key.iter().zip(types).filter(|k| !k.0.is_null()) {
        let v = hashing::value(d, ty.oid, HASH_SEED)?;
        h ^= v.wrapping_add(0x49a0_f4dd_15e5_a8e3).wrapping_add(h << 54).wrapping_add(h >> 7);
    }
    Ok(h)
}

/// How a partitioned table's rows are divided; made on first use.
pub fn parts<'t>(t: &'t Table, env: &mut dyn Env) -> Result<&'t Parts> {
    parts_in(t, &env.catalog().clone(), env)
}
/// The same of a table as a catalog has it that is not the session's yet.
pub fn parts_in<'t>(t: &'t Table, catalog: &Catalog, env: &mut dyn Env) -> Result<&'t Parts> {
    access::layout(t).parts(|| Parts::new(t, catalog, &mut |text| env.bind_stored(t, text, None)))
}
/// The same for a planner, who has no session.
pub fn parts_for<'t>(
    t: &'t Table,
    catalog: &Catalog,
    bind: &mut dyn FnMut(&SqlText) -> Result<Expr>,
) -> Result<&'t Parts> {
    access::layout(t).parts(|| Parts::new(t, catalog, bind))
}

/// The partition, of a partitioned table's at all levels, that a row of `t` belongs to, and the row as that has it where it differs.
pub fn route(t: &Arc<Table>, row: &[Datum], env: &mut dyn Env) -> Result<(Arc<Table>, Option<Vec<Datum>>)> {
    let catalog = env.catalog().clone();
    match down(&catalog, t, row, env)? {
        (Ok(t), row) => Ok((t, row)),
        (Err((t, key)), _) => Err(nowhere(&t, parts(&t, env)?, &key, env)),
    }
}
/// The partition, at the lowest level, that has the rows with a key; None: no partition has.
pub fn find(catalog: &Catalog, root: &Arc<Table>, row: &[Datum], env: &mut dyn Env) -> Result<Option<Arc<Table>>> {
    Ok(down(catalog, root, row, env)?.0.ok())
}
/// A partition, or the table none of whose partitions takes the key that the row has there.
type Found = std::result::Result<Arc<Table>, (Arc<Table>, Vec<Datum>)>;
/// Down the levels, to where a row belongs; and the row where columns have other places there.
fn down(catalog: &Catalog, root: &Arc<Table>, row: &[Datum], env: &mut dyn Env) -> Result<(Found, Option<Vec<Datum>>)> {
    let (mut t, mut own) = (root, None::<Vec<Datum>>);
    while t.is_partitioned() {
        let parts = parts_in(t, catalog, env)?;
        let key = parts.key(own.as_deref().unwrap_or(row), env)?;
        let child = parts.child(&key)?.and_then(|at| Some((at, catalog.table(parts.children[at])?)));
        let Some((at, child)) = child else { return Ok((Err((t.clone(), key)), own)) };
        if let Some(to) = &parts.to[at] {
            own = Some(moved(to, own.as_deref().unwrap_or(row), child.columns.len()));
        }
        t = child;
    }
    Ok((Ok(t.clone()), own))
}
/// A row as a table has it whose columns are at these places.
fn moved(places: &[usize], row: &[Datum], width: usize) -> Vec<Datum> {
    let mut out = vec![Datum::Null; width];
    for (d, to) in row.iter().zip(places) {
        if let Some(o) = out.get_mut(*to) {
            o.clone_from(d);
        }
    }
    out
}
/// 23514: no partition takes the key.
fn nowhere(t: &Table, parts: &Parts, key: &[Datum], env: &mut dyn Env) -> Error {
    let e = pamir_types::err!(CHECK_VIOLATION, "no partition of relation \"{}\" found for row", t.name);
    let schema = env.catalog().schema(t.schema).map_or_else(String::new, |s| s.name.clone());
    let e = e.table(schema, t.name.clone());
    if policy::active(env.catalog(), t, env.scope().user) != policy::Active::No {
        return e;
    }
    let shown = |(d, c): (&Datum, &KeyCol)| match d {
        Datum::Null => "null".to_string(),
        d => {
            let v = text::to_string(d, c.ty, env.text_ctx());
            match v.char_indices().nth(64) {
                Some((cut, _)) => format!("{}...", &v[..cut]),
                None => v,
            }
        }
    };
    let values: Vec<String> = key.iter().zip(&parts.lay.cols).map(shown).collect();
    e.detail(format!("Partition key of the failing row contains ({}) = ({}).", key_text(t), values.join(", ")))
}
/// One column of an end of a range, as pg_get_expr shows it.
pub fn end_text(e: &End, ty: Type, cx: &text::TextCtx) -> Result<String> {
    Ok(match e {
        End::Min => "MINVALUE".into(),
        End::Max => "MAXVALUE".into(),
        End::Value(b) => literal(&row::decode_value(b, ty)?, ty, cx),
    })
}
/// A constant as get_const_expr writes it, with its type where it has one.
pub fn typed(d: &Datum, ty: Type, cx: &text::TextCtx) -> String {
    let s = literal(d, ty, cx);
    if s.starts_with('\'') { format!("{s}::{}", text::type_display(ty)) } else { s }
}
/// A constant without its type, as get_const_expr writes it.
fn literal(d: &Datum, ty: Type, cx: &text::TextCtx) -> String {
    let s = text::to_string(d, ty, cx);
    let digits = s.starts_with(|c: char| c.is_ascii_digit());
    let bare = match ty.oid {
        pamir_types::oid::INT4 => digits,
        pamir_types::oid::NUMERIC => digits && s.contains(['e', 'E', '.']),
        pamir_types::oid::BOOL => return if s == "t" { "true".into() } else { "false".into() },
        _ => false,
    };
    if bare { s } else { format!("'{}'", s.replace('\'', "''")) }
}
/// `FOR VALUES ...` or `DEFAULT`: `pg_get_expr(relpartbound, oid)`.
pub fn bound_text(bound: &Bound, parent: &Table, cx: &text::TextCtx) -> Result<String> {
    let types: Vec<Type> = parent.scheme().iter().flat_map(|s| &s.key).map(|k| k.ty(parent)).collect();
    let ends = |v: &[End]| -> Result<String> {
        let all: Vec<String> = v.iter().zip(&types).map(|(e, t)| end_text(e, *t, cx)).collect::<Result<_>>()?;
        Ok(all.join(", "))
    };
    Ok(match bound {
        Bound::Default => "DEFAULT".into(),
        Bound::Hash { modulus, remainder } => format!("FOR VALUES WITH (modulus {modulus}, remainder {remainder})"),
        Bound::List(values) => {
            let ty = types.first().copied().unwrap_or(Type::UNKNOWN);
            let one = |v: &Option<Vec<u8>>| match v {
                Some(b) => row::decode_value(b, ty).map(|d| literal(&d, ty, cx)),
                None => Ok("NULL".into()),
            };
            let all: Vec<String> = values.iter().map(one).collect::<Result<_>>()?;
            format!("FOR VALUES IN ({})", all.join(", "))
        }
        Bound::Range(from, to) => format!("FOR VALUES FROM ({}) TO ({})", ends(from)?, ends(to)?),
    })
}
/// What a partition key is made of, as messages have it.
pub fn key_text(t: &Table) -> String {
    let of = |k: &pamir_catalog::partition::KeyColumn| match &k.of {
        IndexColumn::Attr(a) => {
            t.column(*a).map_or_else(|| "?".into(), |c| pamir_catalog::defs::quote_ident(&c.name).into_owned())
        }
        IndexColumn::Expr(text, _) => text.0.clone(),
    };
    t.scheme().iter().flat_map(|s| &s.key).map(of).collect::<Vec<_>>().join(", ")
}
/// The tables below a partitioned one, each before its own, in the order of their bounds.
pub fn in_order(t: &Arc<Table>, env: &mut dyn Env) -> Result<Vec<Arc<Table>>> {
    let catalog = env.catalog().clone();
    let mut out = Vec::new();
    let mut open: Vec<Arc<Table>> = vec![t.clone()];
    while let Some(at) = open.pop() {
        pamir_types::work::charge(pamir_types::work::ROW as usize)?;
        if at.is_partitioned() {
            open.extend(parts(&at, env)?.order.iter().rev().filter_map(|c| catalog.table(*c)).cloned());
        }
        if at.oid != t.oid {
            out.push(at);
        }
    }
    Ok(out)
}
/// Does a partition take a row of its own? It does where it is none.
pub fn accepts(t: &Table, row: &[Datum], env: &mut dyn Env) -> Result<bool> {
    if t.bound().is_none() {
        return Ok(true);
    }
    accepts_in(&env.catalog().clone(), t, row, env)
}
/// The same of a table as a catalog has it that is not the session's yet.
pub fn accepts_in(catalog: &Catalog, t: &Table, row: &[Datum], env: &mut dyn Env) -> Result<bool> {
    let (mut child, mut row) = (t.oid, std::borrow::Cow::Borrowed(row));
    for p in catalog.partitioned_above(t) {
        let parts = parts_in(p, catalog, env)?;
        let at = parts.at.get(&child).copied();
        if let Some(to) = at.and_then(|at| parts.to[at].as_deref()) {
            row = as_parent_has(to, &row).into();
        }
        let key = parts.key(&row, env)?;
        if at.is_none() || parts.child(&key)? != at {
            return Ok(false);
        }
        child = p.oid;
    }
    Ok(true)
}
/// May a partition no longer take a row in which these columns (attnum - 1) change?
pub fn decides(t: &Table, set: &[usize], env: &mut dyn Env) -> Result<bool> {
    if t.bound().is_none() {
        return Ok(false);
    }
    let catalog = env.catalog().clone();
    for p in catalog.partitioned_above(t) {
        let is_set = |c: usize| {
            let here = p.columns.get(c).and_then(|c| t.column_by_name(&c.name));
            here.is_some_and(|c| set.contains(&(c.attnum as usize).wrapping_sub(1)))
        };
        let parts = parts(p, env)?;
        for (c, e) in parts.lay.cols.iter().zip(&parts.exprs) {
            let mut found = false;
            match (c.attr, e) {
                (Some(a), _) => found = is_set(a),
                (None, Some((e, _))) => expr::each_col(e, &mut |c| found |= is_set(c as usize)),
                (None, None) => {}
            }
            if found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
