//! Which finished plans can be run without operators ([`Fast`]).
use pamir_catalog::{IndexColumn, Table};
use pamir_expr::access;
use pamir_expr::expr::Px;
use pamir_expr::plan::node::{Fast, FastKey, Kind, ModifyKind, ModifySpec, Part, RawKind, Root, Src};
use pamir_types::{Type, oid};

/// The fast form of a finished plan, if it has one.
pub fn detect(root: &Root) -> Option<Fast> {
    if !root.subs.is_empty() || root.ctes.iter().any(Option::is_some) {
        return None;
    }
    let kind = match &root.node.kind {
        Kind::Ordered { input, .. } => &input.kind,
        kind => kind,
    };
    match kind {
        Kind::Sort { .. } | Kind::Distinct { .. } => sorted(root),
        Kind::Scan(s) => {
            let s = s.clone();
            if s.index.is_none() || !s.clustered || s.filters() || s.key_slot.is_some() || s.tableoid.is_some() {
                return None;
            }
            let types = &access::layout(&s.table).types;
            let mut cols = Vec::with_capacity(root.out.len());
            for o in &root.out {
                let l = s.pre.iter().chain(&s.post).find(|l| l.slot == *o)?;
                let Src::Row(c) = l.src else { return None };
                cols.push((c, *types.get(c)?));
            }
            let simple = s.bounds.parts.iter().all(|p| matches!(p, Part::Eq(e) if value_only(e)));
            Some(if s.bounds.single_point() && simple {
                Fast::PointSelect { scan: s, cols }
            } else {
                Fast::RangeSelect { scan: s, cols }
            })
        }
        Kind::Modify { input, spec } if plain_form(spec) => match (&spec.op, &input.kind) {
            (ModifyKind::Insert { conflict: None, .. }, Kind::Values(v)) if v.rows.len() == 1 => {
                Some(Fast::InsertRow { values: v.clone(), spec: spec.clone() })
            }
            (ModifyKind::Update { .. } | ModifyKind::Delete { .. }, Kind::Scan(s)) => {
                let simple = s.bounds.parts.iter().all(|p| matches!(p, Part::Eq(e) if value_only(e)));
                let ok = s.index.is_some() && s.clustered && !s.filters() && s.bounds.single_point() && simple;
                (ok && plain_change(&spec.table, &spec.op))
                    .then(|| Fast::PointModify { scan: s.clone(), spec: spec.clone() })
            }
            _ => None,
        },
        _ => None,
    }
}
/// A change that nothing but the table is asked about.
fn plain_form(spec: &ModifySpec) -> bool {
    let unasked = spec.checks.is_empty() && spec.guards.is_empty();
    let plain = spec.returning.is_none() && unasked && !spec.uncounted && spec.members.is_none();
    // A partition has a say about what is put into it, and keys that refer to its parent about what goes.
    plain && spec.table.triggers.is_none() && spec.table.bound().is_none()
}
fn value_only(e: &Px) -> bool {
    matches!(e, Px::Const(_) | Px::Param(_))
}
/// Can the change be made without looking at more than the columns it names and their indexes?
fn plain_change(t: &Table, op: &ModifyKind) -> bool {
    let sets = |a: &i16| match op {
        ModifyKind::Update { set, .. } => set.iter().any(|s| s.0 == (*a as usize).wrapping_sub(1)),
        _ => true,
    };
    let plain_indexes = t.indexes.iter().all(|i| {
        let stays = |c: &IndexColumn| matches!(c, IndexColumn::Attr(a) if !sets(a));
        i.predicate.is_none()
            && i.columns.iter().all(|(c, _)| matches!(c, IndexColumn::Attr(_)))
            && (i.sorts() || i.columns.iter().all(|c| stays(&c.0)))
    });
    if !plain_indexes || t.columns.iter().any(|c| c.generated.is_some() && !c.dropped) {
        return false;
    }
    match op {
        ModifyKind::Update { .. } => {
            let in_unique = t
                .indexes
                .iter()
                .filter(|i| i.is_unique() || i.excludes.is_some())
                .any(|i| i.columns.iter().any(|(c, _)| matches!(c, IndexColumn::Attr(a) if sets(a))));
            t.checks.is_empty() && !in_unique && !t.foreign_keys.iter().any(|f| f.columns.iter().any(sets))
        }
        ModifyKind::Delete { .. } => t.referenced_by.is_empty(),
        ModifyKind::Insert { .. } | ModifyKind::Merge { .. } => false,
    }
}

/// How stored values of a type compare; None: not without decoding them.
fn raw_kind(t: Type) -> Option<RawKind> {
    Some(match t.oid {
        oid::TEXT | oid::VARCHAR | oid::NAME | oid::BYTEA | oid::UUID => RawKind::Bytes,
        oid::BPCHAR => RawKind::Padded,
        oid::INT2 | oid::INT4 | oid::INT8 | oid::DATE | oid::TIME | oid::TIMESTAMP | oid::TIMESTAMPTZ => RawKind::Int,
        _ => return None,
    })
}

/// The form of a finished plan: a sort of a plain scan of the table's own tree, perhaps with DISTINCT over it.
fn sorted(root: &Root) -> Option<Fast> {
    let (sort, distinct) = match &root.node.kind {
        Kind::Distinct { input, keys, sorted: true } => (&input.kind, Some(keys)),
        k => (k, None),
    };
    let Kind::Sort { input, keys, presorted: 0, limit: None } = sort else { return None };
    let Kind::Scan(s) = &input.kind else { return None };
    if s.index.is_none() || !s.clustered || s.filters() || s.key_slot.is_some() || s.tableoid.is_some() {
        return None;
    }
    let types = &access::layout(&s.table).types;
    let place = |slot: u32| -> Option<(usize, Type)> {
        let l = s.pre.iter().chain(&s.post).find(|l| l.slot == slot)?;
        let Src::Row(c) = l.src else { return None };
        // A row may be older than the column: what is missing has no bytes to compare.
        if s.table.columns.get(c)?.missing.is_some() {
            return None;
        }
        Some((c, *types.get(c)?))
    };
    let mut order = Vec::new();
    for k in keys.iter() {
        let Px::Slot(slot) = k.e else { return None };
        let (col, ty) = place(slot)?;
        order.push(FastKey { col, kind: raw_kind(ty)?, desc: k.desc, nulls_first: k.nulls_first });
    }
    if let Some(d) = distinct {
        let among = |slot: u32| keys.iter().any(|k| matches!(k.e, Px::Slot(s) if s == slot));
        if !d.iter().all(|(k, _)| matches!(k, Px::Slot(s) if among(*s))) {
            return None;
        }
        // Rows are told apart by the sort's keys: DISTINCT ON may have fewer.
        let distinct_by = |slot: u32| d.iter().any(|(k, _)| matches!(k, Px::Slot(s) if *s == slot));
        if !keys.iter().all(|k| matches!(k.e, Px::Slot(s) if distinct_by(s))) {
            return None;
        }
    }
    let cols = root.out.iter().map(|o| place(*o)).collect::<Option<Vec<_>>>()?;
    Some(Fast::SortedRange { scan: s.clone(), cols, keys: order, distinct: distinct.is_some() })
}
