//! PARTITION BY, PARTITION OF, ATTACH and DETACH PARTITION: what a partition key and a bound may be, and what a partition has because its parent has it.
//!
//! ```text
//!   CREATE TABLE p PARTITION OF t FOR VALUES ...     ALTER TABLE t ATTACH PARTITION p ...        ALTER TABLE t DETACH PARTITION p
//!     columns, NOT NULL, defaults, CHECKs of t         the same columns, NOT NULL, CHECKs asked    all stays, as its own
//!     bound: of t's strategy, free among its siblings  the same; and all rows of p within it
//!     indexes, keys, foreign keys, row triggers        those alike are taken, the rest is made
//!   rows of t's DEFAULT that the new bound takes are refused (23514)
//! ```
//! Values of bounds are computed once and kept as values. An index of `t` is a part of each partition's (`Partition::indexes`): dropped, renamed apart.
//!
//! Limits: a partition with rows is not detached while foreign keys refer to its parent (0A000); no identity columns are passed on, as in PostgreSQL 15.
use super::build::{each_row, is_empty};
use super::eval::{RowExpr, bind_expr_in, first_column, is_immutable, no_subquery, text_of};
use super::{DdlCtx, column, constraint, index};
use pamir_catalog::partition::{Bound, End, KeyColumn, Scheme, Strategy, as_parent_has, places};
use pamir_catalog::{Index, IndexColumn, Kind, Object, Table};
use pamir_expr::access::KeyCol;
use pamir_expr::partition::{self, end_bytes, value_bytes};
use pamir_parse::tree::{self, BoundOf, Expr, ExprKind, PartitionBound, PartitionBy};
use pamir_txn::{RowLock, TableLock};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, row};
use std::sync::Arc;

/// PARTITION_MAX_KEYS
const MAX_KEYS: usize = 32;

// ---- the key ----

/// What PARTITION BY says of a table whose columns are known.
pub fn scheme(by: &PartitionBy, t: &Table, cx: &mut DdlCtx) -> Result<Scheme> {
    let strategy = match by.strategy.as_str() {
        "list" => Strategy::List,
        "range" => Strategy::Range,
        "hash" => Strategy::Hash,
        other => {
            let e = err!(INVALID_PARAMETER_VALUE, "unrecognized partitioning strategy \"{other}\"");
            return Err(e);
        }
    };
    if strategy == Strategy::List && by.elements.len() != 1 {
        bail!(INVALID_OBJECT_DEFINITION, "cannot use \"list\" partition strategy with more than one column");
    }
    if by.elements.len() > MAX_KEYS {
        bail!(TOO_MANY_COLUMNS, "cannot partition using more than {MAX_KEYS} columns");
    }
    let key = by.elements.iter().map(|e| key_column(e, strategy, t, cx)).collect::<Result<_>>()?;
    Ok(Scheme { strategy, key })
}
fn key_column(e: &tree::PartitionElement, strategy: Strategy, t: &Table, cx: &mut DdlCtx) -> Result<KeyColumn> {
    let of = match &e.expr.kind {
        ExprKind::Column { path, star: false } if path.len() == 1 => {
            let n = &path[0];
            if column::is_system(n) {
                let e2 = err!(INVALID_OBJECT_DEFINITION, "cannot use system column \"{n}\" in partition key");
                return Err(cx.place(e2, e.at));
            }
            let Some(c) = t.column_by_name(n) else {
                let e2 = err!(UNDEFINED_COLUMN, "column \"{n}\" named in partition key does not exist");
                return Err(cx.place(e2, e.at));
            };
            generated(c, e.at, cx)?;
            IndexColumn::Attr(c.attnum)
        }
        _ => key_expression(e, t, cx)?,
    };
    let ty = of.ty(t);
    if strategy == Strategy::Hash && !partition::hashes(ty) {
        let named = super::inherit::shown_type(ty, cx);
        return Err(Error::unsupported(format!("a HASH partition key of type {named}")));
    }
    let collation = e.collation.as_ref().map(|c| column::collation(&c.parts, ty)).transpose()?;
    let method = if strategy == Strategy::Hash { "hash" } else { "btree" };
    let class = match &e.class {
        Some(n) => index::operator_class(&n.parts, ty, method, cx)?,
        None => {
            if !pamir_types::key::is_orderable(ty) {
                let named = super::inherit::shown_type(ty, cx);
                let e = err!(
                    UNDEFINED_OBJECT,
                    "data type {named} has no default operator class for access method \"{method}\""
                );
                return Err(e.hint(format!(
                    "You must specify a {method} operator class or define a default {method} operator class for the data type."
                )));
            }
            None
        }
    };
    Ok(KeyColumn { of, collation, class })
}
fn generated(c: &pamir_catalog::Column, at: tree::At, cx: &DdlCtx) -> Result<()> {
    if c.generated.is_some() {
        let e = err!(INVALID_OBJECT_DEFINITION, "cannot use generated column in partition key");
        return Err(cx.place(e.detail(format!("Column \"{}\" is a generated column.", c.name)), at));
    }
    Ok(())
}
fn key_expression(e: &tree::PartitionElement, t: &Table, cx: &mut DdlCtx) -> Result<IndexColumn> {
    cx.without_places(|cx| no_subquery(&e.expr, "partition key expression", cx))?;
    let place = Some("partition key expressions");
    let bound = cx.without_places(|cx| bind_expr_in(&e.expr, Some(t), None, place, cx))?;
    if let pamir_expr::ir::Expr::Col(c, _) = &bound
        && let Some(c) = t.column(*c as i16)
    {
        generated(c, e.at, cx)?;
        return Ok(IndexColumn::Attr(c.attnum));
    }
    if matches!(bound, pamir_expr::ir::Expr::Const(..)) || super::eval::used_columns(&bound).is_empty() {
        bail!(INVALID_OBJECT_DEFINITION, "cannot use constant expression as partition key");
    }
    if !cx.without_places(|cx| is_immutable(&bound, &e.expr, Some(t), None, place, cx))? {
        bail!(INVALID_OBJECT_DEFINITION, "functions in partition key expression must be marked IMMUTABLE");
    }
    for a in super::eval::used_columns(&bound) {
        if let Some(c) = t.column(a) {
            generated(c, e.at, cx)?;
        }
    }
    let ty = bound.ty();
    if ty == Type::UNKNOWN || ty.oid == pamir_types::oid::RECORD {
        let named = super::inherit::shown_type(ty, cx);
        bail!(INVALID_TABLE_DEFINITION, "partition key column 1 has pseudo-type {named}");
    }
    Ok(IndexColumn::Expr(text_of(&bound, Some(t), cx), ty))
}

// ---- bounds ----

/// What FOR VALUES or DEFAULT says for a partition of `parent`.
pub fn bound(parent: &Table, written: &PartitionBound, cx: &mut DdlCtx) -> Result<Bound> {
    let Some(scheme) = parent.scheme().cloned() else {
        bail!(WRONG_OBJECT_TYPE, "\"{}\" is not partitioned", parent.name);
    };
    let wrong = |m: &str| Err(err!(INVALID_TABLE_DEFINITION, "{m}"));
    let strategy = scheme.strategy;
    Ok(match (&written.of, strategy) {
        (BoundOf::Default, Strategy::Hash) => {
            return wrong("a hash-partitioned table may not have a default partition");
        }
        (BoundOf::Default, _) => Bound::Default,
        (BoundOf::Hash { modulus, remainder }, Strategy::Hash) => {
            if *modulus <= 0 {
                return wrong("modulus for hash partition must be an integer value greater than zero");
            }
            if *remainder < 0 {
                return wrong("remainder for hash partition must be an integer value greater than or equal to zero");
            }
            if remainder >= modulus {
                return wrong("remainder for hash partition must be less than modulus");
            }
            Bound::Hash { modulus: *modulus as u32, remainder: *remainder as u32 }
        }
        (BoundOf::List(list), Strategy::List) => {
            let (name, ty) = key_name(parent, &scheme, 0);
            let mut values: Vec<Option<Vec<u8>>> = Vec::new();
            for e in list {
                let v = encoded(&value(e, &name, ty, cx)?, ty)?;
                if !values.contains(&v) {
                    values.push(v);
                }
            }
            Bound::List(values)
        }
        (BoundOf::Range(from, to), Strategy::Range) => {
            if from.len() != scheme.key.len() {
                return wrong("FROM must specify exactly one value per partitioning column");
            }
            if to.len() != scheme.key.len() {
                return wrong("TO must specify exactly one value per partitioning column");
            }
            Bound::Range(ends(parent, &scheme, from, cx)?, ends(parent, &scheme, to, cx)?)
        }
        _ => {
            let e = err!(INVALID_TABLE_DEFINITION, "invalid bound specification for a {} partition", strategy.word());
            return Err(cx.place(e, written.at));
        }
    })
}
/// What a key column is called in messages, and its type.
fn key_name(parent: &Table, scheme: &Scheme, at: usize) -> (String, Type) {
    let Some(k) = scheme.key.get(at) else { return (String::new(), Type::UNKNOWN) };
    let name = match &k.of {
        IndexColumn::Attr(a) => parent.column(*a).map_or_else(String::new, |c| c.name.clone()),
        IndexColumn::Expr(text, _) => text.0.clone(),
    };
    (name, k.ty(parent))
}
fn ends(parent: &Table, scheme: &Scheme, list: &[Expr], cx: &mut DdlCtx) -> Result<Vec<End>> {
    let mut out: Vec<End> = Vec::with_capacity(list.len());
    for (i, e) in list.iter().enumerate() {
        let (name, ty) = key_name(parent, scheme, i);
        let infinite = match &e.kind {
            ExprKind::Column { path, star: false } => match path.as_slice() {
                [n] if n == "minvalue" => Some(End::Min),
                [n] if n == "maxvalue" => Some(End::Max),
                _ => None,
            },
            _ => None,
        };
        let end = match infinite {
            Some(end) => end,
            None => match encoded(&value(e, &name, ty, cx)?, ty)? {
                Some(v) => End::Value(v),
                None => bail!(INVALID_OBJECT_DEFINITION, "cannot specify NULL in range bound"),
            },
        };
        if let Some(before) = out.last()
            && !matches!(before, End::Value(_))
            && *before != end
        {
            let word = if *before == End::Min { "MINVALUE" } else { "MAXVALUE" };
            let e2 = err!(DATATYPE_MISMATCH, "every bound following {word} must also be {word}");
            return Err(cx.place(e2, e.at));
        }
        out.push(end);
    }
    Ok(out)
}
fn encoded(d: &Datum, ty: Type) -> Result<Option<Vec<u8>>> {
    if d.is_null() {
        return Ok(None);
    }
    let mut out = Vec::new();
    row::encode_value(d, ty, &mut out)?;
    Ok(Some(out))
}
/// Computes one value of a bound.
fn value(e: &Expr, column: &str, ty: Type, cx: &mut DdlCtx) -> Result<Datum> {
    if let Some(at) = first_column(e) {
        let e = err!(FEATURE_NOT_SUPPORTED, "cannot use column reference in partition bound expression");
        return Err(cx.place(e, at));
    }
    no_subquery(e, "partition bound", cx)?;
    let bound = bind_expr_in(e, None, Some(ty), Some("partition bound"), cx).map_err(|x| {
        if x.code() == pamir_types::error::state::DATATYPE_MISMATCH {
            let named = super::inherit::shown_type(ty, cx);
            let x = err!(DATATYPE_MISMATCH, "specified value cannot be cast to type {named} for column \"{column}\"");
            return cx.place(x, e.at);
        }
        x
    })?;
    RowExpr::new(&bound).eval(&[], &mut *cx.env)
}

/// 42P17 where a bound takes what another partition has.
pub fn check_free(parent: &Table, name: &str, new: &Bound, written: &PartitionBound, cx: &mut DdlCtx) -> Result<()> {
    let Some(lay) = partition::layout(parent) else { return Ok(()) };
    let siblings: Vec<Arc<Table>> = parent.children().iter().filter_map(|c| cx.catalog.table(*c)).cloned().collect();
    let overlap = |with: &str, at: tree::At, cx: &DdlCtx| {
        let e = err!(INVALID_OBJECT_DEFINITION, "partition \"{name}\" would overlap partition \"{with}\"");
        Err(cx.place(e, at))
    };
    // Where the values are written that are in the way.
    let first = |v: &[Expr]| v.first().map_or(written.at, |e| e.at);
    let (from_at, to_at) = match &written.of {
        BoundOf::Range(from, to) => (first(from), first(to)),
        _ => (written.at, written.at),
    };
    match new {
        Bound::Default => {
            if let Some(d) = cx.catalog.default_partition(parent) {
                let e = format!("partition \"{name}\" conflicts with existing default partition \"{}\"", d.name);
                return Err(cx.place(Error::new(pamir_types::error::state::INVALID_OBJECT_DEFINITION, e), written.at));
            }
        }
        Bound::Hash { modulus, remainder } => {
            check_moduli(*modulus, &siblings)?;
            for s in &siblings {
                let Some(Bound::Hash { modulus: m, remainder: r }) = s.bound() else { continue };
                let less = (*modulus).min(*m);
                if remainder % less == r % less {
                    return overlap(&s.name, written.at, cx);
                }
            }
        }
        Bound::List(values) => {
            let Some(c) = lay.cols.first() else { return Ok(()) };
            for v in values {
                let key = value_bytes(v.as_deref(), c)?;
                for s in &siblings {
                    let Some(Bound::List(theirs)) = s.bound() else { continue };
                    for t in theirs {
                        if value_bytes(t.as_deref(), c)? == key {
                            return overlap(&s.name, listed_at(written, v, c.ty, cx), cx);
                        }
                    }
                }
            }
        }
        Bound::Range(from, to) => {
            let (lo, hi) = (end_bytes(from, &lay.cols)?, end_bytes(to, &lay.cols)?);
            if lo >= hi {
                let e = err!(INVALID_OBJECT_DEFINITION, "empty range bound specified for partition \"{name}\"");
                let (from, to) = (shown_ends(from, &lay.cols, cx)?, shown_ends(to, &lay.cols, cx)?);
                let e = e.detail(format!("Specified lower bound {from} is greater than or equal to upper bound {to}."));
                return Err(cx.place(e, from_at));
            }
            for s in &siblings {
                let Some(Bound::Range(f, t)) = s.bound() else { continue };
                let (f, t) = (end_bytes(f, &lay.cols)?, end_bytes(t, &lay.cols)?);
                if lo < t && f < hi {
                    return overlap(&s.name, if f <= lo { from_at } else { to_at }, cx);
                }
            }
        }
    }
    Ok(())
}
/// Where a listed value is written.
fn listed_at(written: &PartitionBound, v: &Option<Vec<u8>>, ty: Type, cx: &mut DdlCtx) -> tree::At {
    let BoundOf::List(list) = &written.of else { return written.at };
    for e in list {
        let same = value(e, "", ty, cx).and_then(|d| encoded(&d, ty)).is_ok_and(|x| x == *v);
        if same {
            return e.at;
        }
    }
    written.at
}
/// Each modulus is a factor of the next larger one.
fn check_moduli(new: u32, siblings: &[Arc<Table>]) -> Result<()> {
    let mut all: Vec<(u32, &str)> = siblings
        .iter()
        .filter_map(|s| match s.bound() {
            Some(Bound::Hash { modulus, .. }) => Some((*modulus, s.name.as_str())),
            _ => None,
        })
        .collect();
    all.sort_unstable();
    let wrong = |d: String| {
        let e =
            err!(INVALID_OBJECT_DEFINITION, "every hash partition modulus must be a factor of the next larger modulus");
        Err(e.detail(d))
    };
    let at = all.partition_point(|m| m.0 <= new);
    if let Some((m, name)) = at.checked_sub(1).and_then(|i| all.get(i))
        && !new.is_multiple_of(*m)
    {
        return wrong(format!(
            "The new modulus {new} is not divisible by {m}, the modulus of existing partition \"{name}\"."
        ));
    }
    if let Some((m, name)) = all.get(at)
        && m % new != 0
    {
        return wrong(format!(
            "The new modulus {new} is not a factor of {m}, the modulus of existing partition \"{name}\"."
        ));
    }
    Ok(())
}
fn shown_ends(ends: &[End], cols: &[KeyCol], cx: &DdlCtx) -> Result<String> {
    let mut out = Vec::new();
    for (e, c) in ends.iter().zip(cols) {
        out.push(partition::end_text(e, c.ty, cx.env.text_ctx())?);
    }
    Ok(format!("({})", out.join(", ")))
}

// ---- partitions ----

/// The parent of a new partition, locked.
pub fn open_parent(name: &tree::Relation, temporary: bool, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let (schema, n) = cx.split(&name.parts)?;
    let t = cx.catalog.resolve_table(cx.env.scope(), schema.as_deref(), &n).map_err(|e| cx.place(e, name.at))?;
    let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
    if !t.is_partitioned() {
        bail!(INVALID_OBJECT_DEFINITION, "\"{}\" is not partitioned", t.name);
    }
    cx.check_owner(t.owner, "table", &t.name)?;
    if temporary && !t.is_temporary() {
        bail!(
            WRONG_OBJECT_TYPE,
            "cannot create a temporary relation as partition of permanent relation \"{}\"",
            t.name
        );
    }
    if !temporary && t.is_temporary() {
        bail!(
            WRONG_OBJECT_TYPE,
            "cannot create a permanent relation as partition of temporary relation \"{}\"",
            t.name
        );
    }
    cx.check_idle(&t, "CREATE TABLE .. PARTITION OF")?;
    Ok(t)
}
/// Locks the DEFAULT partition of a table, and refuses rows there that a new sibling takes (23514).
pub fn check_default_against(parent: &Table, new: &Bound, cx: &mut DdlCtx) -> Result<()> {
    let Some(d) = cx.catalog.default_partition(parent).map(|d| d.oid) else { return Ok(()) };
    if *new == Bound::Default {
        return Ok(());
    }
    let d = cx.lock_table(d, TableLock::AccessExclusive)?;
    let Some(lay) = partition::layout(parent) else { return Ok(()) };
    let mut takes: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
    match new {
        Bound::Range(from, to) => takes.push((end_bytes(from, &lay.cols)?, Some(end_bytes(to, &lay.cols)?))),
        Bound::List(values) => {
            for v in values {
                takes.extend(lay.cols.first().map(|c| value_bytes(v.as_deref(), c)).transpose()?.map(|k| (k, None)));
            }
        }
        Bound::Default | Bound::Hash { .. } => {}
    }
    let all: Vec<Arc<Table>> = [d.clone()].into_iter().chain(cx.catalog.descendants(&d)).collect();
    for t in all {
        if t.is_partitioned() || is_empty(cx, &t)? {
            continue;
        }
        let back = places(parent, &t);
        each_row(cx, &t, &mut |cx, _, row| {
            let above = as_parent_has(&back, row);
            let parts = partition::parts_in(parent, cx.catalog, &mut *cx.env)?;
            let key = parts.key(&above, &mut *cx.env)?;
            if matches!(new, Bound::Range(..)) && key.iter().any(Datum::is_null) {
                return Ok(());
            }
            let k = parts.bytes(&key)?;
            if !takes.iter().any(|(lo, hi)| hi.as_ref().map_or(k == *lo, |hi| k >= *lo && k < *hi)) {
                return Ok(());
            }
            let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
            let say = "would be violated by some row";
            let e = err!(CHECK_VIOLATION, "updated partition constraint for default partition \"{}\" {say}", t.name);
            Err(e.table(schema, &*t.name))
        })?;
    }
    Ok(())
}

/// 23514 where a row of a table, or of one below it, is not within its bound.
pub fn validate(t: &Arc<Table>, cx: &mut DdlCtx) -> Result<()> {
    let all: Vec<Arc<Table>> = [t.clone()].into_iter().chain(cx.catalog.descendants(t)).collect();
    for t in all {
        if t.is_partitioned() || is_empty(cx, &t)? {
            continue;
        }
        each_row(cx, &t, &mut |cx, _, row| {
            if partition::accepts_in(cx.catalog, &t, row, &mut *cx.env)? {
                return Ok(());
            }
            let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
            let e = err!(CHECK_VIOLATION, "partition constraint of relation \"{}\" is violated by some row", t.name);
            Err(e.table(schema, &*t.name))
        })?;
    }
    Ok(())
}

/// The tree of a partitioned table's index that has the key which is referred to; None: no partition has it. `row`: its columns, as the partitioned table has them.
pub fn tree_of_key(
    parent: &Arc<Table>,
    row: &[Datum],
    index: Oid,
    cx: &mut DdlCtx,
) -> Result<Option<pamir_txn::TreeId>> {
    let Some(t) = partition::find(cx.catalog, parent, row, &mut *cx.env)? else { return Ok(None) };
    let part = cx.catalog.index_part(&t, index).and_then(|i| t.index(i));
    Ok(part.map(|i| if i.primary { t.tree() } else { pamir_txn::TreeId(i.tree) }))
}

// ---- indexes ----

/// 0A000 for a unique key of a partitioned table that lacks columns of the partition key.
pub fn check_unique(t: &Table, i: &Index) -> Result<()> {
    let Some(scheme) = t.scheme() else { return Ok(()) };
    if !i.is_unique() {
        return Ok(());
    }
    let what = if i.is_primary() {
        "PRIMARY KEY"
    } else if i.constraint {
        "UNIQUE"
    } else {
        "unique"
    };
    for k in &scheme.key {
        let IndexColumn::Attr(a) = &k.of else {
            let e = err!(FEATURE_NOT_SUPPORTED, "unsupported {what} constraint with partition key definition");
            return Err(e.detail(format!("{what} constraints cannot be used when partition keys include expressions.")));
        };
        if !i.columns.iter().any(|(c, _)| matches!(c, IndexColumn::Attr(x) if x == a)) {
            let name = t.column(*a).map_or("", |c| &c.name);
            let e = "unique constraint on partitioned table must include all partitioning columns";
            let lacks = "lacks column";
            let e = Error::new(pamir_types::error::state::FEATURE_NOT_SUPPORTED, e.to_string());
            return Err(e.detail(format!(
                "{what} constraint on table \"{}\" {lacks} \"{name}\" which is part of the partition key.",
                t.name
            )));
        }
    }
    Ok(())
}
/// Is an index of a partition what its parent's index `of` would be there? `to`: the partition's columns by the parent's.
pub fn alike(parent: &Table, of: &Index, t: &Table, i: &Index, to: &[usize]) -> bool {
    let attr = |a: i16| to.get((a as usize).wrapping_sub(1)).map(|c| (*c + 1) as i16);
    let same_shape = i.excludes.is_none()
        && of.is_unique() == i.is_unique()
        // A foreign key that refers to the parent's finds its rows by the parts.
        && (of.deferrable.is_some() || i.deferrable.is_none())
        && of.method == i.method
        && of.columns.len() == i.columns.len()
        && of.nulls_not_distinct == i.nulls_not_distinct
        && of.predicate.is_some() == i.predicate.is_some()
        && of.include.iter().map(|a| attr(*a)).eq(i.include.iter().map(|a| Some(*a)));
    if !same_shape {
        return false;
    }
    for ((a, x), (b, y)) in of.columns.iter().zip(&i.columns) {
        let same = match (a, b) {
            (IndexColumn::Attr(a), IndexColumn::Attr(b)) => attr(*a) == Some(*b),
            (IndexColumn::Expr(a, _), IndexColumn::Expr(b, _)) => a == b,
            _ => false,
        };
        if !same || x != y {
            return false;
        }
    }
    let of_class = |t: &Table, i: &Index| -> Vec<(Option<Oid>, Option<Oid>)> {
        (0..i.columns.len()).map(|n| (t.declared.class(i.oid, n), t.declared.index_collation(i.oid, n))).collect()
    };
    of.predicate == i.predicate && of_class(parent, of) == of_class(t, i)
}
/// Gives a partition (and those below it) its part of an index of its parent: one that is alike, or a new one. The table as it is then.
pub fn give_index(parent: Oid, of: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let p = current(parent, cx)?;
    let Some(of) = p.index(of).cloned() else { return Ok(()) };
    cx.lock_table(child, TableLock::Share)?;
    // That lock lets others make indexes, too: each is to know of those before it.
    let Some(Object::Table(t)) = cx.lock_object(Kind::Table, child, RowLock::Update)? else {
        bail!(UNDEFINED_TABLE, "could not open relation with OID {child}");
    };
    if t.index_part(of.oid).is_some() {
        return Ok(());
    }
    let to = places(&p, &t);
    let taken: Vec<Oid> = t.partition().map(|p| p.indexes.iter().map(|e| e.0).collect()).unwrap_or_default();
    let mut mine = None;
    for i in t.indexes.iter().filter(|i| !taken.contains(&i.oid)) {
        // A constraint's index is a part of a constraint's alone.
        if (!of.constraint || i.constraint && i.is_primary() == of.is_primary()) && alike(&p, &of, &t, i, &to) {
            mine = Some(i.oid);
            break;
        }
    }
    let mut t = (*t).clone();
    let mine = match mine {
        Some(i) => i,
        None => new_part(&p, &of, &mut t, &to, cx)?,
    };
    if let Some(i) = t.index(mine) {
        check_unique(&t, &Index { constraint: of.constraint, ..i.clone() })?;
    }
    t.change_partition(|x| x.indexes.push((mine, of.oid)));
    let t = cx.put_table(t)?;
    if t.is_invalid(mine) {
        // So is what it is a part of.
        let mut p = (*current(parent, cx)?).clone();
        p.change_partition(|x| {
            if !x.invalid.contains(&of.oid) {
                x.invalid.push(of.oid);
            }
        });
        cx.put_table(p)?;
        return Ok(());
    }
    for c in t.children().to_vec() {
        give_index(t.oid, mine, c, cx)?;
    }
    Ok(())
}
fn new_part(p: &Table, of: &Index, t: &mut Table, to: &[usize], cx: &mut DdlCtx) -> Result<Oid> {
    if of.is_primary() && t.declared_primary_key().is_some() {
        bail!(INVALID_TABLE_DEFINITION, "multiple primary keys for table \"{}\" are not allowed", t.name);
    }
    let moved: Vec<i16> = std::iter::once(0).chain(to.iter().map(|c| c.wrapping_add(1) as i16)).collect();
    let copy = super::table::copy_index(t, of, &moved, cx)?;
    if of.is_primary() {
        let keys = constraint::plain_columns(&copy).unwrap_or_default();
        let open: Vec<i16> = keys.iter().copied().filter(|a| t.column(*a).is_some_and(|c| !c.not_null)).collect();
        if !open.is_empty() {
            constraint::validate_not_null(cx, t, &open)?;
            for a in open {
                if let Some(c) = column::column_mut(t, a) {
                    c.not_null = true;
                }
            }
        }
    }
    let old = t.clone();
    t.declared.copy_index(&p.declared, of.oid, copy.oid);
    t.indexes.push(copy.clone());
    t.cache = Default::default();
    if !copy.primary {
        super::build::build_index(cx, t, &copy)?;
    } else if !is_empty(cx, &old)? {
        super::rewrite::rewrite(cx, &old, t, &mut |_, _| Ok(()))?;
    }
    Ok(copy.oid)
}
fn current(oid: Oid, cx: &DdlCtx) -> Result<Arc<Table>> {
    cx.catalog.table(oid).cloned().ok_or_else(|| Error::internal("table vanished under its lock"))
}
/// An index of a partitioned table is whole once all partitions have their parts.
pub fn settle_index(t: Oid, index: Oid, cx: &mut DdlCtx) -> Result<()> {
    let p = current(t, cx)?;
    let has =
        |c: &Oid| cx.catalog.table(*c).is_some_and(|c| c.index_part(index).is_some_and(|part| !c.is_invalid(part)));
    if !p.is_invalid(index) || !p.children().iter().all(has) {
        return Ok(());
    }
    let mut new = (*p).clone();
    new.change_partition(|x| x.invalid.retain(|i| *i != index));
    cx.put_table(new)?;
    match (cx.catalog.partition_parent(&p).map(|a| a.oid), p.index_parent(index)) {
        (Some(above), Some(of)) => settle_index(above, of, cx),
        _ => Ok(()),
    }
}
/// Gives a new partition all that it has because its parent has it, beside its columns.
pub fn give_all(parent: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let p = current(parent, cx)?;
    for i in &p.indexes {
        give_index(parent, i.oid, child, cx)?;
    }
    super::alter::partition::give_foreign_keys(parent, child, cx)?;
    super::trigger::give_all(parent, child, cx)
}
