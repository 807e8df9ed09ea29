//! Plans for simple queries that differ only in their literals.
//!
//! A program without prepared statements sends `UPDATE t SET a = a + 17 WHERE id = 4711` with new numbers each time. Its text without the
//! literals is the same, and so is its plan when that plan does not depend on the values: the INSERT of one row, the call of one function, or a statement that finds its rows by their
//! primary keys or the first columns of these. For those a text is reduced to a *shape*, and the shape finds a statement that was prepared once:
//!
//! ```text
//!   UPDATE t SET a = a + 17 WHERE id = 4711        the text
//!   UPDATE t SET a = a + i WHERE id = i            the shape: i int4, l int8, n numeric, s string (control characters in truth)
//!   UPDATE t SET a = a + $1 WHERE id = $2          the statement prepared for it, parameters declared int4, int4
//! ```
//! Whatever could make a parameter mean something else than the literal leaves the text to the ordinary way: this scanner gives up on it
//! (comments, `$`, prefixed or dollar-quoted strings, exponents), or the statement with parameters does not parse or bind (`date '...'`, `numeric(10,2)`), or its plan may
//! depend on the values ([`serves_others`]). So is every text whose literals their types refuse: the ordinary way reports it, with its place in the text. An UPDATE
//! that finds no row is run again the ordinary way, which computes its constants first. From ORDER BY, GROUP BY, LIMIT, RETURNING and DISTINCT on, where a literal may
//! be a position, a count or half of a name for another expression, literals stay part of the shape.
//!
//! An INSERT of several rows of literals is [`super::values`]' concern; [`scan`] finds it.
//!
//! Invariants: a shape's statement is used only while its plan is current and serves others; a text that takes this way has the same effect and
//! the same answer as without it. Limits: [`MAX_SHAPES`] shapes a session, texts of [`MAX_TEXT`] bytes, [`MAX_LITERALS`] literals.
use super::statement::PreparedStmt;
use super::values;
use pamir_expr::expr::Px;
use pamir_expr::func::{Function, Volatility};
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Bounds, Fast, Kind, ModifyKind, PNode, Part, ScanSpec};
use pamir_expr::plan::walk::px_each;
use pamir_types::{Oid, oid};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

const MAX_SHAPES: usize = 256;
/// Hashes of shapes that came once.
const MAX_SEEN: usize = 1024;
const MAX_TEXT: usize = 4096;
const MAX_LITERALS: usize = 64;

/// Words that belong to larger plans, or after which a literal is a count that changes from page to page.
const WORDS_LEFT_ALONE: [&[u8]; 8] =
    [b"offset", b"fetch", b"union", b"intersect", b"except", b"with", b"window", b"tablesample"];
/// Words from which on literals stay as they are.
const WORDS_KEPT_WHOLE: [&[u8]; 5] = [b"order", b"group", b"limit", b"distinct", b"returning"];

/// The least integers' digits.
const LEAST_INT4: u64 = 1 << 31;
const LEAST_INT8: u64 = 1 << 63;
const INT4: u8 = 1;
const INT8: u8 = 2;
const NUMERIC: u8 = 3;
const STRING: u8 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    kind: u8,
    /// Bytes of the text: the digits, or what stands between the quotes.
    start: u32,
    end: u32,
    /// Quotes within are doubled.
    quotes: bool,
}
impl Literal {
    /// The parameter's declared type; 0: inferred, as an untyped literal's is.
    pub fn declared(&self) -> Oid {
        match self.kind {
            INT4 => oid::INT4,
            INT8 => oid::INT8,
            NUMERIC => oid::NUMERIC,
            _ => 0,
        }
    }
    /// Its value as text.
    pub fn value<'a>(&self, sql: &'a str) -> Option<std::borrow::Cow<'a, str>> {
        let s = sql.get(self.start as usize..self.end as usize)?;
        Some(if self.quotes { s.replace("''", "'").into() } else { s.into() })
    }
}

/// A text taken apart.
#[derive(Default, Debug)]
pub struct Shape {
    pub key: Vec<u8>,
    pub literals: SmallVec<[Literal; 8]>,
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanned {
    /// Left to the ordinary way.
    No,
    /// Taken apart.
    Whole,
    /// Perhaps an INSERT of many rows: the byte offset behind VALUES. The key is that of the text before.
    Rows(usize),
}

/// An INSERT's VALUES.
#[derive(Clone, Copy)]
struct Values {
    /// Byte offset behind the word.
    at: usize,
    /// Bytes of the key so far.
    key: usize,
}
impl Values {
    fn rows(self, out: &mut Shape) -> Scanned {
        out.key.truncate(self.key);
        out.literals.clear();
        Scanned::Rows(self.at)
    }
    /// Is what the key has since the word VALUES one whole tuple or more? (A parenthesis in a quoted name may mislead it, to the ordinary way at worst.)
    fn closed(self, key: &[u8]) -> bool {
        let since = key.get(self.key..).unwrap_or(&[]).trim_ascii_end();
        since.last() == Some(&b')')
            && since.iter().filter(|b| **b == b'(').count() == since.iter().filter(|b| **b == b')').count()
    }
}

/// Takes `sql` apart.
pub fn scan(sql: &str, out: &mut Shape) -> Scanned {
    out.key.clear();
    out.literals.clear();
    let s = sql.as_bytes();
    let verb = |v: &[u8]| s.get(..v.len()).is_some_and(|s| s.eq_ignore_ascii_case(v));
    let insert = verb(b"insert");
    if !insert && !verb(b"select") && !verb(b"update") && !verb(b"delete") {
        return Scanned::No;
    }
    let long = s.len() > MAX_TEXT;
    if long && (!insert || s.len() > values::MAX_TEXT || !values::ends_with_tuple(sql)) {
        return Scanned::No;
    }
    let mut values: Option<Values> = None;
    let mut whole = false;
    let mut i = 0;
    while let Some(&b) = s.get(i) {
        if long && i > MAX_TEXT {
            return Scanned::No;
        }
        match b {
            b'0'..=b'9' => {
                let start = i;
                let digits = |mut i: usize| {
                    while s.get(i).is_some_and(u8::is_ascii_digit) {
                        i += 1;
                    }
                    i
                };
                i = digits(i);
                let mut kind = INT4;
                if s.get(i) == Some(&b'.') {
                    kind = NUMERIC;
                    i = digits(i + 1);
                }
                if s.get(i).is_some_and(|b| is_ident(*b) || *b == b'.') {
                    return Scanned::No;
                }
                if kind == INT4 {
                    // Leading zeros are allowed: the value decides.
                    kind = match sql[start..i].parse::<u64>() {
                        // Behind a minus they are of the narrower type: the binder sees both.
                        Ok(LEAST_INT4 | LEAST_INT8) => return Scanned::No,
                        Ok(v) if i32::try_from(v).is_ok() => INT4,
                        Ok(v) if i64::try_from(v).is_ok() => INT8,
                        _ => NUMERIC,
                    };
                }
                if whole {
                    out.key.extend_from_slice(&s[start..i]);
                } else {
                    out.key.push(kind);
                    out.literals.push(Literal { kind, start: start as u32, end: i as u32, quotes: false });
                }
            }
            b'\'' => {
                let start = i + 1;
                i = start;
                let mut quotes = false;
                loop {
                    match s.get(i) {
                        None => return Scanned::No,
                        Some(b'\'') if s.get(i + 1) == Some(&b'\'') => {
                            quotes = true;
                            i += 2;
                        }
                        Some(b'\'') => break,
                        Some(_) => i += 1,
                    }
                }
                if whole {
                    out.key.extend_from_slice(&s[start - 1..=i]);
                } else {
                    out.key.push(STRING);
                    out.literals.push(Literal { kind: STRING, start: start as u32, end: i as u32, quotes });
                }
                i += 1;
            }
            b'"' => {
                let start = i;
                i += 1;
                loop {
                    match s.get(i) {
                        None => return Scanned::No,
                        Some(b'"') => break,
                        Some(_) => i += 1,
                    }
                }
                // A doubled quote begins the next piece.
                i += 1;
                out.key.extend_from_slice(&s[start..i]);
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0x80.. => {
                let start = i;
                while s.get(i).is_some_and(|b| is_ident(*b)) {
                    i += 1;
                }
                let word = &s[start..i];
                // A prefixed string, U&, or a name with a dollar in it.
                if matches!(s.get(i), Some(b'\'' | b'&' | b'$'))
                    || WORDS_LEFT_ALONE.iter().any(|w| word.eq_ignore_ascii_case(w))
                {
                    return Scanned::No;
                }
                if !whole && WORDS_KEPT_WHOLE.iter().any(|w| word.eq_ignore_ascii_case(w)) {
                    // count(DISTINCT x) is no clause.
                    whole = out.key.trim_ascii_end().last() != Some(&b'(');
                }
                out.key.extend_from_slice(word);
                if insert
                    && values.is_none()
                    && out.literals.is_empty()
                    && word.eq_ignore_ascii_case(b"values")
                    && s[i..].trim_ascii_start().first() == Some(&b'(')
                {
                    let v = Values { at: i, key: out.key.len() };
                    if long {
                        return v.rows(out);
                    }
                    values = Some(v);
                }
            }
            b';' => {
                if s[i + 1..].iter().any(|b| !b.is_ascii_whitespace()) {
                    return Scanned::No;
                }
                break;
            }
            b'$' => return Scanned::No,
            b'-' if s.get(i + 1) == Some(&b'-') => return Scanned::No,
            b'/' if s.get(i + 1) == Some(&b'*') => return Scanned::No,
            b'.' if s.get(i + 1).is_some_and(u8::is_ascii_digit) => return Scanned::No,
            0..=8 => return Scanned::No,
            b',' if values.is_some_and(|v| v.closed(&out.key)) => {
                return values.map_or(Scanned::No, |v| v.rows(out));
            }
            _ => {
                out.key.push(b);
                i += 1;
            }
        }
        if out.literals.len() > MAX_LITERALS {
            return values.map_or(Scanned::No, |v| v.rows(out));
        }
    }
    if out.literals.is_empty() { Scanned::No } else { Scanned::Whole }
}

/// The text with parameters in place of the literals, and their declared types.
pub fn template(sql: &str, shape: &Shape) -> (String, Vec<Oid>) {
    let mut text = String::with_capacity(sql.len());
    let mut from = 0;
    for (n, l) in shape.literals.iter().enumerate() {
        let quote = usize::from(l.kind == STRING);
        text.push_str(&sql[from..l.start as usize - quote]);
        text.push_str(&format!("${}", n + 1));
        from = l.end as usize + quote;
    }
    text.push_str(sql[from..].trim_end().trim_end_matches(';'));
    (text, shape.literals.iter().map(Literal::declared).collect())
}

/// May this plan serve other literals, with the same effect and the same answer?
///
/// A literal's plan has its constant expressions computed, and their errors raised, before a row is looked for; parameters are computed
/// with the row. So every expression must be one that is computed whenever there is a row (the caller looks at the case of no row).
///
/// Beside the plans of single rows these are trees of operators whose tables are all read by the first columns of their primary keys, or by those of an index that gives few
/// rows for any value ([`ScanSpec::few`]): then another literal is another place of the same tree, and no way by another index could have been much better for it alone. Of a
/// partitioned table all partitions are in the plan, and the literals say when it runs which of them are read.
pub fn serves_others(plan: &Plan) -> bool {
    if !plan.is_alone() {
        return false;
    }
    match &plan.root.fast {
        Some(Fast::PointSelect { .. }) => true,
        Some(Fast::PointModify { spec, .. }) => match &spec.op {
            ModifyKind::Update { set, .. } => set.iter().all(|(_, e)| always_computed(e)),
            ModifyKind::Delete { .. } => true,
            ModifyKind::Insert { .. } | ModifyKind::Merge { .. } => false,
        },
        Some(Fast::InsertRow { values, .. }) => values.rows.iter().flatten().all(always_computed),
        Some(Fast::RangeSelect { .. } | Fast::SortedRange { .. }) | None => {
            let n = &plan.root.node;
            plan.root.subs.is_empty() && plan.root.ctes.is_empty() && (calls_one_function(n) || operators_serve(n))
        }
    }
}
/// `SELECT f(1, 'x')`: one row, in which one function of a user's has the literals themselves for its arguments. So nothing is computed before the call but their casts, in whose
/// errors a literal's plan ends as well. Not a function that a literal's plan would have called itself (it is immutable), nor one to which a literal of no type is something else
/// than a parameter.
fn calls_one_function(n: &PNode) -> bool {
    fn given(e: &Px) -> bool {
        match e {
            Px::Const(_) | Px::Param(_) => true,
            Px::Cast(c) => given(&c.0),
            _ => false,
        }
    }
    let known = |f: &Function| {
        let typed = !f.variadic && !f.spread && !f.args.iter().any(|t| oid::is_polymorphic(*t));
        f.oid >= oid::FIRST_USER && f.volatility != Volatility::Immutable && typed
    };
    let Kind::Compute { input, exprs } = &n.kind else { return false };
    let calls = exprs.iter().filter(|(e, _)| matches!(e, Px::Call(_))).count();
    let all = exprs.iter().all(|(e, _)| match e {
        Px::Call(c) => known(&c.0.f) && c.1.iter().all(given),
        e => given(e),
    });
    matches!(input.kind, Kind::One) && calls == 1 && all
}
fn by_first_columns(scan: &ScanSpec) -> bool {
    let points = |b: &Bounds| !b.parts.is_empty() && b.parts.iter().all(|p| matches!(p, Part::Eq(_) | Part::In(_)));
    let b = &scan.bounds;
    let known = scan.clustered || scan.few;
    known && scan.union.is_empty() && if b.arms.is_empty() { points(b) } else { b.arms.iter().all(points) }
}
fn operators_serve(n: &PNode) -> bool {
    let known = match &n.kind {
        Kind::Scan(s) => by_first_columns(s),
        // There is a row: all of its values are computed before anything else is.
        Kind::Values(v) if v.rows.len() == 1 => return v.rows.iter().flatten().all(always_computed),
        Kind::One
        | Kind::Filter { .. }
        | Kind::Compute { .. }
        | Kind::NestLoop { .. }
        | Kind::HashJoin { .. }
        | Kind::Materialize { .. }
        | Kind::Agg { .. }
        | Kind::Sort { .. }
        | Kind::Ordered { .. }
        | Kind::Limit { .. }
        | Kind::Distinct { .. }
        | Kind::Append { .. }
        | Kind::LockRows { .. } => true,
        Kind::Modify { spec, input } => match &spec.op {
            ModifyKind::Insert { .. } => matches!(input.kind, Kind::Values(_)),
            ModifyKind::Merge { .. } => false,
            ModifyKind::Update { .. } | ModifyKind::Delete { .. } => true,
        },
        _ => false,
    };
    let mut constants = false;
    n.each_px(&mut |e| constants |= has_constant_part(e));
    known && !constants && n.inputs().into_iter().all(operators_serve)
}
/// Is there something to be computed of literals alone? A literal's plan does that first, and raises its errors, even if no row comes.
fn has_constant_part(e: &Px) -> bool {
    let mut found = false;
    px_each(e, &mut |part| {
        let (mut literals, mut columns) = (false, false);
        px_each(part, &mut |p| {
            literals |= matches!(p, Px::Param(_));
            columns |= matches!(p, Px::Slot(_));
        });
        found |= literals && !columns && !matches!(part, Px::Param(_));
    });
    found
}
/// No part of it is skipped depending on another's value, but for parts in which nothing is computed of literals alone.
fn always_computed(e: &Px) -> bool {
    match e {
        Px::Const(_) | Px::Slot(_) | Px::Param(_) => true,
        Px::Call(c) => c.1.iter().all(always_computed),
        Px::Cast(c) => always_computed(&c.0),
        Px::IntCmp(_, c) => always_computed(&c.0) && always_computed(&c.1),
        Px::Not(x) | Px::IsNull(x, _) => always_computed(x),
        Px::Case(whens, otherwise) => {
            whens.iter().enumerate().all(|(i, (when, then))| {
                (if i == 0 { always_computed(when) } else { !has_constant_part(when) }) && !has_constant_part(then)
            }) && !has_constant_part(otherwise)
        }
        _ => false,
    }
}
/// Constants of an UPDATE whose row is not there have not been looked at.
pub fn computes_nothing_without_a_row(plan: &Plan) -> bool {
    match &plan.root.fast {
        Some(Fast::PointModify { spec, .. }) => match &spec.op {
            ModifyKind::Update { set, .. } => !set.iter().all(|(_, e)| matches!(e, Px::Const(_) | Px::Param(_))),
            _ => false,
        },
        _ => false,
    }
}

/// What is known of a shape.
#[derive(Clone)]
pub enum Known {
    /// Came once.
    Seen,
    /// Goes the ordinary way.
    Plain,
    Prepared(Arc<PreparedStmt>),
}

/// A session's shapes.
#[derive(Default)]
pub struct Shapes {
    known: FxHashMap<Box<[u8]>, Known>,
    /// Shapes that came once, by hash: ever new texts cost no memory.
    seen: FxHashSet<u64>,
    /// What is known holds for this catalog, these settings and this thread.
    valid_for: (u64, u64, u64),
    pub scratch: Shape,
}

impl Shapes {
    /// Forgets everything when catalog or settings changed.
    pub fn renew(&mut self, catalog_version: u64, context: u64) {
        let now = (catalog_version, context, super::shared::thread());
        if self.valid_for != now {
            self.known.clear();
            self.seen.clear();
            self.valid_for = now;
        }
    }
    pub fn find(&mut self, key: &[u8]) -> Option<Known> {
        if let Some(k) = self.known.get(key) {
            return Some(k.clone());
        }
        use std::hash::Hasher;
        let mut h = rustc_hash::FxHasher::default();
        h.write(key);
        if self.seen.len() >= MAX_SEEN {
            self.seen.clear();
        }
        if self.seen.insert(h.finish()) { None } else { Some(Known::Seen) }
    }
    pub fn set(&mut self, key: &[u8], known: Known) {
        if self.known.len() >= MAX_SHAPES && !self.known.contains_key(key) {
            self.known.clear();
        }
        self.known.insert(key.into(), known);
    }
    pub fn clear(&mut self) {
        *self = Shapes::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(sql: &str) -> Option<(String, Vec<Oid>, Vec<String>)> {
        let mut s = Shape::default();
        (scan(sql, &mut s) == Scanned::Whole).then(|| {
            let (t, d) = template(sql, &s);
            (t, d, s.literals.iter().map(|l| l.value(sql).unwrap().into_owned()).collect())
        })
    }

    #[test]
    fn literals_become_parameters() {
        let (t, d, v) = shape("UPDATE t SET a = a + -17, b='it''s', c = 1.50 WHERE id = 4711000000 ; ").unwrap();
        assert_eq!(t, "UPDATE t SET a = a + -$1, b=$2, c = $3 WHERE id = $4 ");
        assert_eq!(d, [oid::INT4, 0, oid::NUMERIC, oid::INT8]);
        assert_eq!(v, ["17", "it's", "1.50", "4711000000"]);
        assert!(shape("update t set a = -2147483648 where id = 1").is_none());
        assert!(shape("update t set a = -9223372036854775808 where id = 1").is_none());
        let (_, d, _) = shape("update t set a = -9223372036854775809 where id = 2147483649").unwrap();
        assert_eq!(d, [oid::NUMERIC, oid::INT8]);
        let (t, ..) = shape("select \"a\"\"1\" from t1 where x2='ä1'").unwrap();
        assert_eq!(t, "select \"a\"\"1\" from t1 where x2=$1");
        let (_, d, _) = shape("delete from t where id=99999999999999999999").unwrap();
        assert_eq!(d, [oid::NUMERIC]);
        let (t, _, v) = shape("select a, 5 from t where b = 'x' Order by 2, 'it''s' limit 7").unwrap();
        assert_eq!((t.as_str(), v.len()), ("select a, $1 from t where b = $2 Order by 2, 'it''s' limit 7", 2));
        let (t, ..) = shape("select count( distinct a) from t where b = 1 group by 1").unwrap();
        assert_eq!(t, "select count( distinct a) from t where b = $1 group by 1");
        let (t, ..) = shape("insert into t values (1) returning a + 2").unwrap();
        assert_eq!(t, "insert into t values ($1) returning a + 2");
    }
    #[test]
    fn shapes_differ_where_types_do() {
        let key = |sql: &str| {
            let mut s = Shape::default();
            assert_eq!(scan(sql, &mut s), Scanned::Whole);
            s.key
        };
        assert_eq!(key("select a from t where b=1"), key("select a from t where b=22"));
        assert_ne!(key("select a from t where b=1"), key("select a from t where b='1'"));
        assert_ne!(key("select a from t where b=1"), key("select a from t where b=1.0"));
        assert_ne!(key("select a from t where b=1"), key("select a from t where b=10000000000"));
    }
    #[test]
    fn what_is_left_alone() {
        for sql in [
            "select a from t",
            "select e'x' from t",
            "select 1 -- x",
            "select 1 /* x */",
            "select $1, 2",
            "select $$a$$, 1",
            "select a from t order by 1",
            "select a from t LIMIT 1",
            "select 1e5",
            "select 1x",
            "select u&'x'",
            "select 'x",
            "select \"x",
            "select 1; select 2",
            "select .5",
            "create table t (a numeric(10,2))",
            "with x as (select 1) select 2",
            "select 1.2.3",
            "select distinct a from t where b = 1",
            "select a from t where b = 1 order by a offset 2",
            "select 1 union select 2",
            "select b'1'",
            "",
        ] {
            assert!(shape(sql).is_none(), "{sql}");
        }
    }
    #[test]
    fn inserts_of_many_rows() {
        let rows = |sql: &str| {
            let mut s = Shape::default();
            match scan(sql, &mut s) {
                Scanned::Rows(at) => Some((sql[..at].to_string(), String::from_utf8(s.key).unwrap())),
                _ => None,
            }
        };
        for sql in [
            "Insert into t (a) VALUES (1),(2)",
            "insert into values values ('),('), (2)",
            "insert into t values((1)),(2)",
        ] {
            let head = &sql[..sql.rfind('V').or(sql.rfind("values")).unwrap() + 6];
            assert_eq!(rows(sql), Some((head.to_string(), head.to_string())), "{sql}");
        }
        for sql in [
            "insert into t values (1)",
            "insert into t values (f(1), 2)",
            "insert into t values (1), (2) returning a; select 1 -- ",
            "insert into t select f(1), 2",
            "update t set a = 'values (1), (2)' where id = 1",
            "insert into t (a) values (')'), (e'x')",
        ] {
            let expect = sql.contains("), (");
            assert_eq!(rows(sql).is_some(), expect && sql.starts_with("insert"), "{sql}");
        }
        // Long texts are looked at from both ends.
        let tuples = "(1, 'x'),".repeat(MAX_TEXT);
        assert_eq!(
            rows(&format!("insert into t values {tuples} (1, 'y');")).map(|r| r.0).as_deref(),
            Some("insert into t values")
        );
        assert_eq!(rows(&format!("insert into t values {tuples} (1, 'y') on conflict do nothing")), None);
        assert_eq!(rows(&format!("select * from t where a in (1, {}2)", "1, ".repeat(MAX_TEXT))), None);
        assert_eq!(rows(&format!("insert into t ({}b) values (1)", "a, ".repeat(MAX_TEXT))), None);
        assert_eq!(
            rows(&format!("insert into t values ({}1)", "1, ".repeat(MAX_LITERALS))).map(|r| r.0).as_deref(),
            Some("insert into t values")
        );
    }
    proptest::proptest! {
        #[test]
        fn no_text_breaks_it(sql in "(select|insert|update|delete)[ -~\u{e4}\n]{0,60}") {
            let mut s = Shape::default();
            if scan(&sql, &mut s) == Scanned::Whole {
                let (text, types) = template(&sql, &s);
                proptest::prop_assert_eq!(types.len(), s.literals.len());
                proptest::prop_assert!(text.contains("$1"));
                for l in &s.literals {
                    proptest::prop_assert!(l.value(&sql).is_some());
                }
            }
        }
    }
}
