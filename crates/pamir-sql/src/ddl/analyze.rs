//! ANALYZE: statistics from a sample of a table's rows. VACUUM: accepted; there is nothing to vacuum.
//!
//! A table of up to [`WHOLE_LEAVES`] leaves is read whole and sampled row by row meanwhile (reservoir, Vitter's algorithm R), so the row count is exact and the
//! sample uniform. Of a larger one as many leaves are read, spread evenly over its whole key space, and a few rows of each are taken: the row count is the number of leaves times
//! what they hold on average. Per column, as PostgreSQL's compute_scalar_stats: the NULL fraction, the average width, the number of distinct values
//! (Haas and Stokes' estimator), the most common values and an equi-depth histogram of the rest, and the correlation of value order with key order.
use super::build::each_row;
use super::{DdlCtx, def};
use pamir_catalog::{ColumnStats, Relation, Table, TableStats};
use pamir_parse::tree::{DefElem, DefValue, Vacuum};
use pamir_storage::store::Dir;
use pamir_txn::{LockOutcome, TableLock, WaitPolicy};
use pamir_types::error::{Severity, state};
use pamir_types::{Datum, Error, Result, bail, cmp, err, row};
use std::cmp::Ordering;
use std::sync::Arc;

/// default_statistics_target: entries of the most-common list and histogram bounds.
pub const TARGET: usize = 100;
/// PostgreSQL samples 300 rows per entry.
pub const SAMPLE_ROWS: usize = 300 * TARGET;
/// Leaves that are read at most.
const WHOLE_LEAVES: u64 = 4096;
/// Values wider than this count for width and NULLs only (PostgreSQL's WIDTH_THRESHOLD).
const MAX_WIDTH: usize = 1024;
/// Most parallel workers that VACUUM may be told of.
const MAX_WORKERS: i32 = 1024;

/// A table that VACUUM or ANALYZE comes to.
pub struct Visit {
    table: Arc<Table>,
    columns: Vec<String>,
    /// By its own name: what keeps it from being visited is told.
    named: bool,
    how: How,
}
/// How the tables are to be visited.
#[derive(Clone, Copy)]
struct How {
    vacuum: bool,
    analyze: bool,
    skip_locked: bool,
}
/// VACUUM and ANALYZE in one transaction.
pub fn execute(v: &Vacuum, cx: &mut DdlCtx) -> Result<&'static str> {
    for x in visits(v, cx)? {
        visit(&x, cx)?;
    }
    Ok(if v.vacuum { "VACUUM" } else { "ANALYZE" })
}
/// The tables in their order.
pub fn visits(v: &Vacuum, cx: &mut DdlCtx) -> Result<Vec<Visit>> {
    let how = options(v, cx)?;
    if v.vacuum && !how.analyze && v.tables.iter().any(|(_, columns)| !columns.is_empty()) {
        bail!(FEATURE_NOT_SUPPORTED, "ANALYZE option must be specified when a column list is provided");
    }
    if v.tables.is_empty() {
        let of = |table: Arc<Table>| Visit { table, columns: vec![], named: false, how };
        return Ok(own(cx)?.into_iter().map(of).collect());
    }
    let mut out = Vec::new();
    for (t, columns) in &v.tables {
        let members = members(&t.parts, if v.vacuum { "vacuum" } else { "analyze" }, cx)?;
        if how.analyze {
            check_columns(members.first(), columns)?;
        }
        let first = members.first().map(|t| t.oid);
        // Partitions come before their table, which sums up what was found of them.
        let of = |t: Arc<Table>| Visit { named: Some(t.oid) == first, table: t, columns: columns.clone(), how };
        out.extend(members.into_iter().rev().map(of));
    }
    Ok(out)
}
pub fn visit(x: &Visit, cx: &mut DdlCtx) -> Result<()> {
    let how = x.how;
    let what = if how.vacuum { "vacuum" } else { "analyze" };
    let told = |code, why: &str, cx: &mut DdlCtx| {
        if x.named {
            let e = format!("skipping {what} of \"{}\" --- {why}", x.table.name);
            cx.env.notice(Error::new(code, e).severity(Severity::Warning));
        }
    };
    let (oid, mode) = (x.table.oid, TableLock::ShareUpdateExclusive);
    if how.skip_locked
        && !pamir_catalog::temporary::is_temporary(oid)
        && cx.txn.lock_table(u64::from(oid), mode, WaitPolicy::Skip)? == LockOutcome::Skipped
    {
        told(state::LOCK_NOT_AVAILABLE, "lock not available", cx);
        return Ok(());
    }
    // Nothing is done to rows that would ask for the lock.
    let t = match how.analyze {
        true => cx.lock_table_if_exists(oid, mode)?,
        false => cx.catalog.table(oid).cloned(),
    };
    let Some(t) = t else {
        told(state::UNDEFINED_TABLE, "relation no longer exists", cx);
        return Ok(());
    };
    if how.vacuum {
        vacuumed(&t, cx);
    }
    if how.analyze { analyze(&t, &x.columns, cx) } else { Ok(()) }
}
/// What is to be done. Most other options are about work that is not needed here, or how it is told.
fn options(v: &Vacuum, cx: &DdlCtx) -> Result<How> {
    let mut analyze = !v.vacuum;
    let (mut full, mut pages, mut toast, mut workers) = (false, false, true, 0);
    let mut skip_locked = false;
    for d in &v.options {
        match d.name.as_str() {
            "verbose" => _ = def::boolean(d)?,
            "skip_locked" => skip_locked = def::boolean(d)?,
            other if !v.vacuum => return Err(unknown("ANALYZE", other, d, cx)),
            "analyze" => analyze = def::boolean(d)?,
            "full" => full = def::boolean(d)?,
            "disable_page_skipping" => pages = def::boolean(d)?,
            "process_toast" => toast = def::boolean(d)?,
            "freeze" | "truncate" => _ = def::boolean(d)?,
            "index_cleanup" => {
                let auto = matches!(&d.value, Some(DefValue::String(s)) if s.eq_ignore_ascii_case("auto"));
                if !auto {
                    def::boolean(d)?;
                }
            }
            "parallel" => {
                if d.value.is_none() {
                    let e = err!(SYNTAX_ERROR, "parallel option requires a value between 0 and {MAX_WORKERS}");
                    return Err(def::wrong(e, d, cx));
                }
                workers = def::integer(d)?;
                if !(0..=MAX_WORKERS).contains(&workers) {
                    let e = err!(SYNTAX_ERROR, "parallel workers for vacuum must be between 0 and {MAX_WORKERS}");
                    return Err(def::wrong(e, d, cx));
                }
            }
            other => return Err(unknown("VACUUM", other, d, cx)),
        }
    }
    if full && workers > 0 {
        bail!(FEATURE_NOT_SUPPORTED, "VACUUM FULL cannot be performed in parallel");
    }
    if full && pages {
        bail!(FEATURE_NOT_SUPPORTED, "VACUUM option DISABLE_PAGE_SKIPPING cannot be used with FULL");
    }
    if full && !toast {
        bail!(FEATURE_NOT_SUPPORTED, "PROCESS_TOAST required with VACUUM FULL");
    }
    Ok(How { vacuum: v.vacuum, analyze, skip_locked })
}
fn unknown(command: &str, option: &str, d: &DefElem, cx: &DdlCtx) -> Error {
    def::wrong(err!(SYNTAX_ERROR, "unrecognized {command} option \"{option}\""), d, cx)
}
/// Every table of the database that the user owns.
fn own(cx: &mut DdlCtx) -> Result<Vec<Arc<Table>>> {
    let who = cx.who()?;
    let of_database = cx.catalog.database(cx.database()).is_some_and(|d| who.has_role(d.owner));
    let tables = cx.catalog.tables(cx.database());
    Ok(tables.into_iter().filter(|t| of_database || who.has_role(t.owner)).cloned().collect())
}
/// Old versions live in memory and go by themselves: that somebody asked is what is left to tell.
fn vacuumed(t: &Table, cx: &DdlCtx) {
    if !t.is_partitioned() {
        t.usage.note_vacuum(cx.env.clock());
    }
}
fn may_analyze(t: &Table, cx: &DdlCtx) -> Result<bool> {
    let who = cx.who()?;
    Ok(who.has_role(t.owner) || cx.catalog.database(cx.database()).is_some_and(|d| who.has_role(d.owner)))
}
/// The table of a name and, of a partitioned one, its partitions: those with which the user may do that, and a warning for each other.
fn members(n: &[String], what: &str, cx: &mut DdlCtx) -> Result<Vec<Arc<Table>>> {
    let (schema, name) = cx.split(n)?;
    let t = match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Table(t) if t.plain_view().is_none() => t,
        Relation::Virtual(_) => {
            may_do_system(&name, what, cx)?;
            return Ok(Vec::new());
        }
        _ => {
            skip(&name, &format!("cannot {what} non-tables or special system tables"), cx);
            return Ok(Vec::new());
        }
    };
    let mut all = vec![t.clone()];
    if t.is_partitioned() {
        all.extend(cx.catalog.descendants(&t));
    }
    let mut out = Vec::with_capacity(all.len());
    for t in all {
        if may_analyze(&t, cx)? {
            out.push(t);
        } else {
            skip(&t.name, &format!("only table or database owner can {what} it"), cx);
        }
    }
    Ok(out)
}
fn check_columns(t: Option<&Arc<Table>>, columns: &[String]) -> Result<()> {
    let Some(t) = t else { return Ok(()) };
    for (i, c) in columns.iter().enumerate() {
        if t.column_by_name(c).is_none() {
            bail!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{}\" does not exist", t.name);
        }
        if columns[..i].contains(c) {
            bail!(DUPLICATE_COLUMN, "column \"{c}\" of relation \"{}\" appears more than once", t.name);
        }
    }
    Ok(())
}
fn skip(name: &str, why: &str, cx: &mut DdlCtx) {
    cx.env.notice(err!(WARNING, "skipping \"{name}\" --- {why}").severity(Severity::Warning));
}
/// May the user VACUUM or ANALYZE a table of pg_catalog?
fn may_do_system(name: &str, what: &str, cx: &mut DdlCtx) -> Result<bool> {
    const SHARED: [&str; 11] = [
        "pg_authid",
        "pg_auth_members",
        "pg_database",
        "pg_db_role_setting",
        "pg_parameter_acl",
        "pg_replication_origin",
        "pg_shdepend",
        "pg_shdescription",
        "pg_shseclabel",
        "pg_subscription",
        "pg_tablespace",
    ];
    let who = cx.who()?;
    let shared = SHARED.contains(&name);
    let of_database = || cx.catalog.database(cx.database()).is_some_and(|d| who.has_role(d.owner));
    let may = who.superuser || !shared && of_database();
    if !may {
        let who = if shared { "superuser" } else { "superuser or database owner" };
        skip(name, &format!("only {who} can {what} it"), cx);
    }
    Ok(may)
}
/// Gathers and stores statistics. `columns` empty: all.
fn analyze(t: &Arc<Table>, columns: &[String], cx: &mut DdlCtx) -> Result<()> {
    if t.is_partitioned() {
        return sum(t, cx);
    }
    // What changes while it reads counts for the next one.
    let mark = t.usage.mark();
    let leaves = cx.engine.tree_size(t.tree()).map_or(0, |(leaves, _)| leaves);
    let (sample, rows) =
        if leaves <= WHOLE_LEAVES || t.is_temporary() { sample_all(t, cx)? } else { sample_leaves(t, leaves, cx)? };
    let mut stats = t.stats.clone().unwrap_or_default();
    stats.rows = rows as f64;
    stats.pages = leaves;
    for c in t.live_columns().filter(|c| columns.is_empty() || columns.contains(&c.name)) {
        cx.cancel.check()?;
        let values = sample.iter().map(|(at, r)| (*at, r.get(c.attnum as usize - 1).unwrap_or(&Datum::Null)));
        if let Some(target) = target_of(t, c.attnum) {
            let mut s = column_stats(values, rows, c.ty, target)?;
            told_distinct(t, c.attnum, &mut s);
            stats.columns.retain(|(a, _)| *a != c.attnum);
            stats.columns.push((c.attnum, s));
        }
    }
    stats.columns.sort_by_key(|(a, _)| *a);
    let background = cx.env.backend()?.is_background();
    t.usage.note_analyze(mark, cx.env.clock(), background);
    store(t, stats, cx)
}
/// A partitioned table has as many rows as its partitions had when they were analyzed; plans ask those.
fn sum(t: &Arc<Table>, cx: &mut DdlCtx) -> Result<()> {
    let of = |p: &Arc<Table>| if p.is_partitioned() { None } else { p.stats.as_ref().map(|s| s.rows) };
    let rows = cx.catalog.descendants(t).iter().filter_map(of).sum();
    store(t, TableStats { rows, ..TableStats::default() }, cx)
}
/// Rows with their positions in the table, in its order.
type Sample = Vec<(u64, Vec<Datum>)>;
/// A step of a generator (xorshift).
fn next_random(r: &mut u64) -> u64 {
    *r ^= *r << 13;
    *r ^= *r >> 7;
    *r ^= *r << 17;
    *r
}
/// A fixed seed per table: ANALYZE twice over the same rows says the same.
fn seed(t: &Table) -> u64 {
    0x9e37_79b9_7f4a_7c15u64 ^ t.oid as u64
}
/// Reads the whole table: a sample, and how many rows it has.
fn sample_all(t: &Table, cx: &mut DdlCtx) -> Result<(Sample, u64)> {
    let mut sample: Sample = Vec::new();
    let mut rows = 0u64;
    let mut random = seed(t);
    each_row(cx, t, &mut |_, _, r| {
        let at = rows;
        rows += 1;
        if sample.len() < SAMPLE_ROWS {
            sample.push((at, std::mem::take(r)));
            return Ok(());
        }
        let slot = ((next_random(&mut random) as u128 * rows as u128) >> 64) as usize;
        if let Some(s) = sample.get_mut(slot) {
            *s = (at, r.clone());
        }
        Ok(())
    })?;
    Ok((sample, rows))
}
/// Reads some leaves of a large table: a sample, and about how many rows it has.
fn sample_leaves(t: &Table, leaves: u64, cx: &mut DdlCtx) -> Result<(Sample, u64)> {
    let each = SAMPLE_ROWS.div_ceil(WHOLE_LEAVES as usize);
    let mut random = seed(t);
    let (mut sample, mut rows, mut key): (Sample, u64, Vec<u8>) = (Vec::new(), 0, Vec::new());
    for i in 0..WHOLE_LEAVES {
        cx.cancel.check()?;
        pamir_storage::task::yield_now();
        // Somewhere in the ith part of the key space.
        let jitter = (next_random(&mut random) >> 11) as f64 / (1u64 << 53) as f64;
        let place = (i as f64 + jitter) / WHOLE_LEAVES as f64;
        let n = cx.engine.leaf_at(t.tree(), place, &mut key)?;
        let mut scan = cx.txn.scan_latest(t.tree(), &key, None, Dir::Forward)?;
        // Evenly among its rows, from a random one on.
        let step = (n / each).max(1);
        let first = (next_random(&mut random) % step as u64) as usize;
        for k in 0..n {
            let Some((_, value)) = scan.next(cx.txn)? else { break };
            if k >= first && (k - first).is_multiple_of(step) && (k - first) / step < each {
                let mut row = Vec::new();
                pamir_expr::access::decode_row(t, value, &mut row)?;
                sample.push(((place * leaves as f64) as u64 * 1000 + k as u64, row));
            }
            rows += 1;
        }
    }
    Ok((sample, (rows as f64 / WHOLE_LEAVES as f64 * leaves as f64).round() as u64))
}
/// How many values and bounds are kept of a column; None: it is not to be looked at.
fn target_of(t: &Table, attnum: i16) -> Option<usize> {
    match t.declared.more.statistics(attnum) {
        None => Some(TARGET),
        Some(n) => usize::try_from(n).ok().filter(|n| *n > 0),
    }
}
/// ALTER COLUMN SET (n_distinct = ...) knows better.
fn told_distinct(t: &Table, attnum: i16, s: &mut ColumnStats) {
    let told = t.declared.more.column_options(attnum).find(|o| o.0 == "n_distinct");
    if let Some(n) = told.and_then(|o| o.1.parse::<f32>().ok()).filter(|n| *n != 0.0) {
        s.n_distinct = n;
    }
}
fn store(t: &Table, stats: TableStats, cx: &mut DdlCtx) -> Result<()> {
    let mut new = t.clone();
    new.stats = Some(stats);
    cx.put_table_same(new)
}

/// Statistics of one column. `values` come in key order with their position; `total`: rows in the table.
fn column_stats<'a>(
    values: impl Iterator<Item = (u64, &'a Datum)>,
    total: u64,
    ty: pamir_types::Type,
    target: usize,
) -> Result<ColumnStats> {
    let mut out = ColumnStats::default();
    let (mut seen, mut nulls, mut width, mut wide) = (0usize, 0usize, 0usize, 0usize);
    let mut list: Vec<(u64, &Datum)> = vec![];
    let mut bytes = vec![];
    for (at, d) in values {
        seen += 1;
        if d.is_null() {
            nulls += 1;
            continue;
        }
        bytes.clear();
        row::encode_value(d, ty, &mut bytes)?;
        width += bytes.len();
        if bytes.len() > MAX_WIDTH {
            wide += 1;
        } else {
            list.push((at, d));
        }
    }
    if seen == 0 {
        return Ok(out);
    }
    let present = seen - nulls;
    out.null_frac = nulls as f32 / seen as f32;
    out.avg_width = width.checked_div(present).unwrap_or(0) as i32;
    if list.is_empty() {
        // All NULL: nothing is known of distinct values; all too wide: each is taken to be its own.
        out.n_distinct = if wide > 0 { -(1.0 - out.null_frac) } else { 0.0 };
        return Ok(out);
    }
    if !pamir_types::key::is_orderable(ty) {
        out.n_distinct = -(1.0 - out.null_frac);
        return Ok(out);
    }
    list.sort_by(|a, b| cmp::compare(a.1, b.1).then(a.0.cmp(&b.0)));
    // Groups of equal values: (first position, count).
    let mut groups: Vec<(usize, usize)> = vec![];
    for i in 0..list.len() {
        match groups.last_mut() {
            Some((first, n)) if cmp::compare(list[*first].1, list[i].1) == Ordering::Equal => *n += 1,
            _ => groups.push((i, 1)),
        }
    }
    let (n, d) = (list.len() as f64, groups.len() as f64);
    let once = groups.iter().filter(|g| g.1 == 1).count() as f64;
    let total_present = (total as f64 * (1.0 - out.null_frac as f64)).max(1.0);
    let whole = seen as u64 >= total;
    let distinct = if once == n {
        total_present
    } else if once == 0.0 || whole {
        d
    } else {
        // Haas and Stokes: n*d / (n - f1 + f1*n/N).
        (n * d / ((n - once) + once * n / total_present)).clamp(d, total_present)
    };
    out.n_distinct =
        if distinct > 0.1 * total as f64 { -(distinct / total as f64) as f32 } else { distinct.round() as f32 };
    // Most common: all repeated values when the sample shows every value, else those clearly above the average.
    let mut common: Vec<(usize, usize)> = groups.iter().copied().filter(|g| g.1 > 1).collect();
    common.sort_by_key(|g| std::cmp::Reverse(g.1));
    let complete = groups.len() <= target && (whole || once == 0.0) && wide == 0;
    if complete && !common.is_empty() {
        common = groups.clone();
        common.sort_by_key(|g| std::cmp::Reverse(g.1));
    } else {
        let average = n / distinct.max(1.0).min(d.max(1.0));
        let least = (average * 1.25).max(2.0);
        common.retain(|g| g.1 as f64 >= least);
        common.truncate(target);
    }
    for (first, count) in &common {
        let mut b = vec![];
        row::encode_value(list[*first].1, ty, &mut b)?;
        out.mcv.push((b, *count as f32 / seen as f32));
    }
    // The histogram is of what is not among the most common.
    let mut is_common = vec![false; list.len()];
    for (first, count) in &common {
        is_common[*first..*first + *count].fill(true);
    }
    let rest: Vec<&Datum> = list.iter().zip(&is_common).filter(|(_, c)| !**c).map(|(v, _)| v.1).collect();
    let rest_groups = groups.len() - common.len();
    if rest_groups >= 2 {
        let bounds = (target + 1).min(rest_groups);
        for i in 0..bounds {
            let mut b = vec![];
            row::encode_value(rest[i * (rest.len() - 1) / (bounds - 1)], ty, &mut b)?;
            out.histogram.push(b);
        }
    }
    out.correlation = correlation(&list);
    Ok(out)
}
/// Pearson's coefficient of rank by value against rank by position.
fn correlation(by_value: &[(u64, &Datum)]) -> f32 {
    let n = by_value.len();
    if n < 2 {
        return 1.0;
    }
    let mut by_position: Vec<usize> = (0..n).collect();
    by_position.sort_by_key(|i| by_value[*i].0);
    // x: rank by value, y: rank by position; both are permutations of 0..n.
    let sum_xy: f64 = by_position.iter().enumerate().map(|(y, x)| y as f64 * *x as f64).sum();
    let n = n as f64;
    let mean = (n - 1.0) / 2.0;
    let variance = (n * n - 1.0) / 12.0;
    ((sum_xy / n - mean * mean) / variance) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_types::Type;
    fn stats(v: &[Option<i32>], total: u64) -> ColumnStats {
        let d: Vec<Datum> = v.iter().map(|x| x.map_or(Datum::Null, Datum::Int4)).collect();
        column_stats(d.iter().enumerate().map(|(i, d)| (i as u64, d)), total, Type::INT4, TARGET).unwrap()
    }
    #[test]
    fn unique_column() {
        let v: Vec<Option<i32>> = (0..1000).map(Some).collect();
        let s = stats(&v, 1000);
        assert_eq!((s.n_distinct, s.null_frac, s.avg_width), (-1.0, 0.0, 4));
        assert!(s.mcv.is_empty());
        assert_eq!(s.histogram.len(), 101);
        assert!((s.correlation - 1.0).abs() < 1e-6);
        let back: Vec<Option<i32>> = (0..1000).rev().map(Some).collect();
        assert!((stats(&back, 1000).correlation + 1.0).abs() < 1e-6);
    }
    #[test]
    fn few_values_are_all_common() {
        let v: Vec<Option<i32>> = (0..1000).map(|i| if i % 10 == 0 { None } else { Some(i % 3) }).collect();
        let s = stats(&v, 1000);
        assert_eq!((s.n_distinct, s.mcv.len()), (3.0, 3));
        assert!((s.null_frac - 0.1).abs() < 1e-6);
        assert!((s.mcv.iter().map(|m| m.1).sum::<f32>() - 0.9).abs() < 1e-3);
        assert!(s.histogram.is_empty());
    }
    #[test]
    fn one_heavy_value_among_many() {
        let v: Vec<Option<i32>> = (0..2000).map(|i| Some(if i % 2 == 0 { 7 } else { i })).collect();
        let s = stats(&v, 2000);
        assert_eq!(s.mcv.len(), 1);
        assert!((s.mcv[0].1 - 0.5).abs() < 0.01);
        assert!(s.histogram.len() > 50);
    }
    #[test]
    fn empty_and_null() {
        assert_eq!(stats(&[], 0).n_distinct, 0.0);
        assert_eq!(stats(&[None, None], 2).null_frac, 1.0);
    }
}
