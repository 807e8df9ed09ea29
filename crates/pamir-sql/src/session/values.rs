//! INSERT of many rows of literals, without a syntax tree of them.
//!
//! A loader's `INSERT INTO t (a, b, c) VALUES (1, 'x', NULL), (2, 'y', 3), ...` is one short head and thousands of tuples that differ only in their
//! literals. Each tuple has a *shape*, the kinds of its literals; of a statement's tuples hardly more than a few differ in theirs. For each shape the
//! INSERT of one such row is prepared once, under the same rules and in the same store as other texts that share plans ([`super::literals`]):
//!
//! ```text
//!   insert into t (a, b, c) values | (1, 'x', NULL) , (2, 'y', 3) , (-5, 'it''s', NULL)        the text: head | tuples
//!                                     i   s   s        i   s  i       i    s      (s)           their shapes; NULL is taken by any literal's place
//!   insert into t (a, b, c) values ($1, $2, $3)    $1 int4, $2 and $3 inferred                  prepared for the first
//!   insert into t (a, b, c) values ($1, $2, $3)    $1 int4, $2 inferred, $3 int4                prepared for the second
//! ```
//! One pass over the text takes the tuples apart and converts their literals ([`pamir_exec::bulk::Rows`]); after it the rows are written as one statement:
//! one snapshot, one tag, one queue of foreign key checks.
//!
//! In an INSERT every value is brought to its column's type by itself, not by way of a type common to the rows, so a row means the same alone and among
//! others. What is no plain literal, a tuple of another width, a literal that its column refuses, anything after the last tuple: the whole text goes the
//! ordinary way, which finds the error and its place. Nothing has been written, nor any sequence moved, until all literals are converted.
//!
//! Invariant: a text that takes this way has the same effect and the same answer as without it. Limits: texts of [`MAX_TEXT`] bytes (their values take at
//! most some twelve times that for a while), [`MAX_TUPLE`] values a tuple, [`MAX_SHAPES`] shapes a statement.
use super::Session;
use super::literals::{Known, serves_others};
use super::observe::Finished;
use super::query::input;
use super::statement::{Planned, PreparedStmt};
use crate::client::Client;
use pamir_exec::bulk::{self, RowShape, Rows};
use pamir_expr::env::Env;
use pamir_types::work;
use pamir_types::{Datum, Oid, Result, oid};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Longer texts go the ordinary way.
pub const MAX_TEXT: usize = 4 << 20;
/// Values of a tuple: as many as a table may have columns.
const MAX_TUPLE: usize = 1600;
/// Shapes of one statement's tuples.
const MAX_SHAPES: usize = 16;
/// So many tuples to come are worth preparing a shape that is new; fewer wait until it comes again.
const WORTH_PREPARING: usize = 8;
/// In a shape's key: after the head, before the kinds. No text has it there, and no kind is it.
const TUPLES: u8 = 8;

/// What stands in a tuple. The discriminants stand in keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int4 = 1,
    Int8 = 2,
    Numeric = 3,
    String = 4,
    Bool = 5,
    Default = 6,
    Null = 7,
}
impl Kind {
    /// As which parameter; 0: inferred, as an untyped literal is.
    fn declared(self) -> Oid {
        match self {
            Kind::Int4 => oid::INT4,
            Kind::Int8 => oid::INT8,
            Kind::Numeric => oid::NUMERIC,
            Kind::Bool => oid::BOOL,
            Kind::String | Kind::Default | Kind::Null => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: Kind,
    /// A string with doubled quotes in it.
    quotes: bool,
    /// Bytes of the text: digits with their sign, or what stands between the quotes.
    start: u32,
    end: u32,
}
pub type Tuple = SmallVec<[Item; 16]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One more tuple.
    Tuple,
    /// The text ended behind the last one.
    End,
    /// Something else: the ordinary way's.
    Other,
}

/// Reads a text's tuples one by one.
pub struct Tuples<'a> {
    sql: &'a str,
    at: usize,
    ended: bool,
}
impl<'a> Tuples<'a> {
    /// `at`: behind the word VALUES.
    pub fn new(sql: &'a str, at: usize) -> Tuples<'a> {
        Tuples { sql, at, ended: false }
    }
    /// Byte offset of what comes next.
    pub fn at(&self) -> usize {
        self.at
    }
    pub fn next(&mut self, out: &mut Tuple) -> Step {
        if self.ended {
            return Step::End;
        }
        match self.read(out) {
            Some(()) => Step::Tuple,
            None => Step::Other,
        }
    }
    fn byte(&self) -> Option<u8> {
        self.sql.as_bytes().get(self.at).copied()
    }
    #[inline]
    fn skip_blanks(&mut self) {
        while self.byte().is_some_and(is_blank) {
            self.at += 1;
        }
    }
    /// A tuple, and the comma or the text's end behind it.
    fn read(&mut self, out: &mut Tuple) -> Option<()> {
        out.clear();
        self.skip_blanks();
        if self.byte()? != b'(' {
            return None;
        }
        loop {
            self.at += 1;
            self.skip_blanks();
            let item = self.item()?;
            if out.len() == MAX_TUPLE {
                return None;
            }
            out.push(item);
            self.skip_blanks();
            match self.byte()? {
                b',' => {}
                b')' => break,
                _ => return None,
            }
        }
        self.at += 1;
        self.skip_blanks();
        match self.byte() {
            Some(b',') => self.at += 1,
            Some(b';') => {
                self.at += 1;
                self.skip_blanks();
                self.ended = true;
                return self.byte().is_none().then_some(());
            }
            None => self.ended = true,
            Some(_) => return None,
        }
        Some(())
    }
    #[inline]
    fn item(&mut self) -> Option<Item> {
        match self.byte()? {
            b'\'' => self.string(),
            b'0'..=b'9' | b'-' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            _ => None,
        }
    }
    fn string(&mut self) -> Option<Item> {
        let start = self.at + 1;
        let mut quotes = false;
        let mut from = start;
        loop {
            // The standard library's search takes a word at a time.
            let end = from + self.sql.get(from..)?.find('\'')?;
            if self.sql.as_bytes().get(end + 1) != Some(&b'\'') {
                self.at = end + 1;
                return Some(Item { kind: Kind::String, quotes, start: start as u32, end: end as u32 });
            }
            quotes = true;
            from = end + 2;
        }
    }
    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.byte().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - from
    }
    fn number(&mut self) -> Option<Item> {
        let start = self.at;
        // A sign belongs to the constant, as in the binder. (`--` begins a comment: no digit follows the first.)
        self.at += usize::from(self.byte() == Some(b'-'));
        if self.digits() == 0 {
            return None;
        }
        let mut kind = Kind::Int4;
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits();
            kind = Kind::Numeric;
        }
        let text = self.sql.get(start..self.at)?;
        if kind == Kind::Int4 {
            // Leading zeros are allowed: the value decides.
            kind = match text.parse::<i64>() {
                Ok(v) if i32::try_from(v).is_ok() => Kind::Int4,
                Ok(_) => Kind::Int8,
                Err(_) => Kind::Numeric,
            };
        }
        Some(Item { kind, quotes: false, start: start as u32, end: self.at as u32 })
    }
    fn word(&mut self) -> Option<Item> {
        let start = self.at;
        while self.byte().is_some_and(|b| b.is_ascii_alphabetic()) {
            self.at += 1;
        }
        let word = self.sql.get(start..self.at)?;
        let kind = if word.eq_ignore_ascii_case("null") {
            Kind::Null
        } else if word.eq_ignore_ascii_case("default") {
            Kind::Default
        } else if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") {
            Kind::Bool
        } else {
            return None;
        };
        Some(Item { kind, quotes: false, start: start as u32, end: self.at as u32 })
    }
}
fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\n' | b'\t' | b'\r')
}

/// Where the tuples of an INSERT too long for [`super::literals`] may begin to be read is found by the same scanner; this says beforehand, from its end, that
/// nothing but a tuple can come last (no RETURNING, no ON CONFLICT).
pub fn ends_with_tuple(sql: &str) -> bool {
    let s = sql.trim_end_matches([' ', '\n', '\t', '\r']);
    s.strip_suffix(';').unwrap_or(s).trim_end_matches([' ', '\n', '\t', '\r']).ends_with(')')
}

/// One shape of a statement's tuples and the plan for it.
struct Prepared {
    kinds: SmallVec<[Kind; 16]>,
    stmt: Arc<PreparedStmt>,
    planned: Arc<Planned>,
}
/// Does the plan made for `kinds` serve this tuple?
#[inline]
fn serves(kinds: &[Kind], tuple: &[Item]) -> bool {
    kinds.len() == tuple.len()
        && kinds.iter().zip(tuple).all(|(k, i)| i.kind == *k || (i.kind == Kind::Null && *k != Kind::Default))
}
/// The kinds that a plan for this tuple is made for: NULL is an untyped literal.
fn kinds_of(tuple: &[Item]) -> impl Iterator<Item = Kind> + '_ {
    tuple.iter().map(|i| if i.kind == Kind::Null { Kind::String } else { i.kind })
}

/// The INSERT of one tuple with parameters in place of its literals, and their declared types.
fn template(head: &str, kinds: &[Kind]) -> (String, Vec<Oid>) {
    let mut text = String::with_capacity(head.len() + kinds.len() * 5 + 2);
    text.push_str(head);
    let mut declared = Vec::new();
    for (n, k) in kinds.iter().enumerate() {
        text.push_str(if n == 0 { " (" } else { ", " });
        if *k == Kind::Default {
            text.push_str("default");
        } else {
            declared.push(k.declared());
            text.push_str(&format!("${}", declared.len()));
        }
    }
    text.push(')');
    (text, declared)
}

/// Reads a tuple's literals as its columns want them; None: one is refused.
fn convert(
    sql: &str,
    tuple: &[Item],
    planned: &Planned,
    shape: &RowShape,
    env: &mut dyn Env,
    rows: &mut Rows,
) -> Option<()> {
    let given = tuple.iter().filter(|i| i.kind != Kind::Default);
    for (n, (i, ty)) in given.zip(&planned.param_types).enumerate() {
        let s = sql.get(i.start as usize..i.end as usize)?;
        let (d, done) = match i.kind {
            Kind::Null | Kind::Default => (Datum::Null, false),
            Kind::Int4 => (Datum::Int4(s.parse().ok()?), false),
            Kind::Int8 => (Datum::Int8(s.parse().ok()?), false),
            Kind::Bool => (Datum::Bool(s.len() == "true".len()), false),
            Kind::Numeric => (input(s, *ty, env).ok()?, false),
            Kind::String => {
                let limited = shape.limited(n).filter(|l| l.oid == ty.oid);
                let ty = limited.unwrap_or(*ty);
                let d = if i.quotes { input(&s.replace("''", "'"), ty, env) } else { input(s, ty, env) };
                (d.ok()?, limited.is_some())
            }
        };
        shape.push(n, d, done, env, rows).ok()?;
    }
    Some(())
}

impl Session {
    /// Runs an INSERT of rows of literals; None: nothing has happened, and it must go the ordinary way. `at`: behind the word VALUES; `key` begins with the
    /// key of what is before it.
    pub(super) fn run_rows(
        &mut self,
        sql: &str,
        at: usize,
        key: &mut Vec<u8>,
        client: &mut dyn Client,
    ) -> Option<Result<()>> {
        // In a failed block everything is an error, and which one is the ordinary way's to say.
        if self.state.failed {
            return None;
        }
        self.started(sql);
        self.shapes.renew(self.state.catalog.version, self.state.context());
        let head = sql.get(..at)?;
        let key_len = key.len();
        let mut prepared: SmallVec<[Prepared; 2]> = SmallVec::new();
        let mut shapes: Vec<RowShape> = Vec::new();
        let mut rows = Rows::default();
        let mut tuples = Tuples::new(sql, at);
        let mut tuple = Tuple::new();
        loop {
            let from = tuples.at();
            match tuples.next(&mut tuple) {
                Step::Tuple => {}
                Step::End => break,
                Step::Other => return None,
            }
            // An error, though each of them may be a row by itself.
            if prepared.first().is_some_and(|p| p.kinds.len() != tuple.len()) {
                return None;
            }
            let i = match prepared.iter().position(|p| serves(&p.kinds, &tuple)) {
                Some(i) => i,
                None if prepared.len() == MAX_SHAPES => return None,
                None => {
                    let to_come = (sql.len() - from) / (tuples.at() - from).max(1);
                    key.truncate(key_len);
                    let new = self.tuple_shape(head, &tuple, to_come >= WORTH_PREPARING, key)?;
                    let params = tuple.iter().filter(|i| i.kind != Kind::Default).count();
                    let shape = RowShape::new(&new.planned.plan, params)?;
                    if shapes.is_empty() {
                        rows.reserve(to_come, shape.kept());
                    }
                    shapes.push(shape);
                    prepared.push(new);
                    prepared.len() - 1
                }
            };
            let (p, shape) = (prepared.get(i)?, shapes.get(i)?);
            convert(sql, &tuple, &p.planned, shape, &mut self.state, &mut rows)?;
            rows.end_row(i as u8);
            if work::spend(work::ROW)
                && let Err(e) = pamir_exec::breathe(&self.state)
            {
                return Some(Err(e));
            }
        }
        match self.write_rows(sql, &prepared, &shapes, rows, client) {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(e) => Some(Err(e)),
        }
    }
    /// The plan for a tuple of a new shape; None: it goes the ordinary way. `now`: prepare it though its shape comes for the first time.
    fn tuple_shape(&mut self, head: &str, tuple: &[Item], now: bool, key: &mut Vec<u8>) -> Option<Prepared> {
        let kinds: SmallVec<[Kind; 16]> = kinds_of(tuple).collect();
        if self.state.private {
            // The plan holds for this transaction's own catalog, and is for this statement only.
            let (text, declared) = template(head, &kinds);
            let (stmt, planned) = if now { self.prepare_template(text, declared)? } else { return None };
            return Some(Prepared { kinds, stmt, planned });
        }
        key.push(TUPLES);
        key.extend(kinds.iter().map(|k| *k as u8));
        let stmt = match self.shapes.find(key) {
            Some(Known::Plain) => return None,
            Some(Known::Prepared(stmt)) => stmt,
            None if !now => return None,
            Some(Known::Seen) | None => {
                let (text, declared) = template(head, &kinds);
                let stmt = self.prepare_template(text, declared).map(|p| p.0);
                let known = stmt.as_ref().map_or(Known::Plain, |s| Known::Prepared(s.clone()));
                self.shapes.set(key, known);
                stmt?
            }
        };
        let planned = self.state.plan_for(&stmt).ok().filter(|p| serves_others(&p.plan) && stmt.serves_new())?;
        Some(Prepared { kinds, stmt, planned })
    }
    /// False: the plans no longer hold, and nothing has happened.
    fn write_rows(
        &mut self,
        sql: &str,
        prepared: &[Prepared],
        shapes: &[RowShape],
        rows: Rows,
        client: &mut dyn Client,
    ) -> Result<bool> {
        let Some(first) = prepared.first() else { return Ok(false) };
        // The literals were read for these very plans; all need the same locks, and hold as long as one does.
        if !self.state.lock_for(&first.planned, true)? {
            return Ok(false);
        }
        self.state.db.shapes_reused.fetch_add(1, Ordering::Relaxed);
        client.set_formats(&[], &[]);
        self.log_start(&first.stmt, sql, (&[], &[]), None);
        let txn = self.state.begin_if_needed();
        let snapshot = txn.statement();
        let n = self.in_exec(&txn, snapshot, &[], |cx| bulk::insert_rows(shapes, rows, cx))?;
        drop(txn);
        self.finish_statement(&first.planned, n, true, client)?;
        // It counts as the statement of one row that it was made of.
        let (values, before, planned) = ((&[][..], &[][..]), Duration::ZERO, Some(&*first.planned));
        self.finished(&Finished { stmt: &first.stmt, text: sql, planned, values, rows: n, before, stats: None });
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuples(values: &str) -> Option<Vec<Vec<(Kind, String)>>> {
        let mut t = Tuples::new(values, 0);
        let (mut out, mut tuple) = (Vec::new(), Tuple::new());
        loop {
            match t.next(&mut tuple) {
                Step::Tuple => out.push(
                    tuple.iter().map(|i| (i.kind, values[i.start as usize..i.end as usize].to_string())).collect(),
                ),
                Step::End => return Some(out),
                Step::Other => return None,
            }
        }
    }

    #[test]
    fn tuples_of_literals() {
        use Kind::*;
        let t = tuples(" (1, -2147483648,'it''s') ,\n(2147483648,NULL,default),( 007 , True , -1.50 );\r\n").unwrap();
        let item = |k: Kind, s: &str| (k, s.to_string());
        assert_eq!(
            t,
            [
                vec![item(Int4, "1"), item(Int4, "-2147483648"), item(String, "it''s")],
                vec![item(Int8, "2147483648"), item(Null, "NULL"), item(Default, "default")],
                vec![item(Int4, "007"), item(Bool, "True"), item(Numeric, "-1.50")],
            ]
        );
        assert_eq!(tuples("('ä)','')").unwrap(), [vec![item(String, "ä)"), item(String, "")]]);
        assert_eq!(tuples("(-9223372036854775808,99999999999999999999)").unwrap()[0][0].0, Int8);
    }
    #[test]
    fn what_is_left_alone() {
        for values in [
            "",
            "()",
            "(1),",
            "(1) (2)",
            "(1,)",
            "(1,,2)",
            "(1)) ",
            "((1))",
            "(1); select 1",
            "(1);;",
            "(1) returning a",
            "(1) on conflict do nothing",
            "(1) -- x",
            "(--1\n)",
            "(- 1)",
            "(+1)",
            "(1e5)",
            "(.5)",
            "(1.2.3)",
            "(1x)",
            "(0x1f)",
            "(1_000)",
            "(1 + 1)",
            "(1::text)",
            "('a' 'b')",
            "('a'\n'b')",
            "('a'::json)",
            "(e'a')",
            "(U&'a')",
            "(N'a')",
            "(b'1')",
            "(date '2020-01-01')",
            "(now())",
            "(nulls)",
            "(null1)",
            "(true.a)",
            "($1)",
            "($$a$$)",
            "(\"a\")",
            "(array[1])",
            "(1/* x */)",
            "('a",
            "('a''",
            "('a''')x",
            "(1\u{a0})",
            "(1\u{b})",
            "(1",
            "(",
            "1",
        ] {
            assert!(tuples(values).is_none(), "{values}");
        }
    }
    #[test]
    fn a_plan_serves_tuples_of_its_kinds_and_with_null_in_them() {
        let read = |s: &str| {
            let mut tuple = Tuple::new();
            assert_eq!(Tuples::new(s, 0).next(&mut tuple), Step::Tuple);
            tuple
        };
        let kinds: Vec<Kind> = kinds_of(&read("(1, null, 'a', default)")).collect();
        for s in ["(2, 'x', '', default)", "(null, null, null, default)"] {
            assert!(serves(&kinds, &read(s)), "{s}");
        }
        for s in ["(2, 5, '', default)", "(3000000000, 'x', '', default)", "(1, 'x', '', null)", "(1, 'x', 'y')"] {
            assert!(!serves(&kinds, &read(s)), "{s}");
        }
        let (text, declared) = template("insert into t values", &kinds);
        assert_eq!(text, "insert into t values ($1, $2, $3, default)");
        assert_eq!(declared, [oid::INT4, 0, 0]);
    }
    #[test]
    fn the_last_word() {
        for s in ["x (1)", "x (1) ; \n", "x (1)\r\n;"] {
            assert!(ends_with_tuple(s), "{s}");
        }
        for s in ["x (1) returning a;", "x (1) on conflict do nothing", "", ";"] {
            assert!(!ends_with_tuple(s), "{s}");
        }
    }
    proptest::proptest! {
        #[test]
        fn no_text_breaks_it(values in "[ -~\u{e4}\n]{0,60}|(\\(([0-9']|null)*\\),?){1,9}") {
            let mut t = Tuples::new(&values, 0);
            let mut tuple = Tuple::new();
            while t.next(&mut tuple) == Step::Tuple {
                for i in &tuple {
                    proptest::prop_assert!(values.get(i.start as usize..i.end as usize).is_some());
                }
            }
        }
    }
}
