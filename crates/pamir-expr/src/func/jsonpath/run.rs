//! One path over one document (jsonpath_exec.c, executeItem): its steps call each other, each with what the step before found.
//!
//! lax: an array is taken apart where a step wants no array, a single value is an array of one where it wants one, and what is not there is
//! nothing; strict: each of these is an error. Errors are [`Answer::Error`] while [`Run::throw`] is off, which it is for operands of predicates.
use super::super::regexp;
use super::moment;
use super::{Count, Held, Item, List, Nobody, Sink};
use pamir_types::json::Jsonb;
use pamir_types::jsonpath::{JsonPath, Like, Method, Node, Op};
use pamir_types::numeric::Numeric;
use pamir_types::{Error, Result, bail, err, work};
use std::cmp::Ordering;

/// Steps that are under way within each other.
const MAX_DEPTH: usize = 600;
/// Ids of `keyvalue()`: room for the places within one object.
const ID_STRIDE: i64 = 10_000_000_000;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Answer {
    Found,
    Nothing,
    Error,
}
#[derive(Clone, Copy, PartialEq)]
enum Truth {
    True,
    False,
    Unknown,
}
impl From<bool> for Truth {
    fn from(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }
}

/// Whether a pair of items is what a predicate asks for; without a right one, an item alone.
type Holds<'h, 'a> = dyn Fn(&Run<'a>, Item, Option<Item>) -> Result<Truth> + 'h;

/// What a step's surroundings are.
#[derive(Clone, Copy)]
struct At<'a> {
    /// `@`
    current: Item<'a>,
    /// The object that ids count from, and its own number.
    base: (&'a Jsonb, i64),
}

pub(super) struct Run<'a> {
    lax: bool,
    /// What is not there is nothing.
    ignore: bool,
    throw: bool,
    root: &'a Jsonb,
    vars: Option<&'a Jsonb>,
    /// May dates and times be compared that need the session's zone?
    zones: bool,
    zone: (&'a jiff::tz::TimeZone, i64),
    /// Of the array that is subscripted.
    array_size: Option<usize>,
    made: i64,
    depth: usize,
}
/// The value of a step that is one.
fn number(n: i64) -> Jsonb {
    Jsonb::Number(Numeric::from_i64(n))
}

impl<'a> Run<'a> {
    pub fn new(
        path: &JsonPath,
        root: &'a Jsonb,
        vars: Option<&'a Jsonb>,
        silent: bool,
        zones: bool,
        zone: (&'a jiff::tz::TimeZone, i64),
    ) -> Run<'a> {
        let made = if vars.is_some() { 2 } else { 1 };
        let (lax, ignore) = (path.lax, path.lax);
        Run { lax, ignore, throw: !silent, root, vars, zones, zone, array_size: None, made, depth: 0 }
    }
    /// Everything that `path` finds in the document.
    pub fn all(&mut self, path: &[Node], found: &mut dyn Sink) -> Result<Answer> {
        let at = At { current: Item::Json(self.root), base: (self.root, 0) };
        let root = Item::Json(self.root);
        if !self.lax && !found.wants() {
            // Strictly, an error anywhere counts.
            let mut n = Count(0);
            return Ok(match self.item(path, root, at, &mut n)? {
                Answer::Error => Answer::Error,
                _ if n.0 == 0 => Answer::Nothing,
                _ => Answer::Found,
            });
        }
        self.item(path, root, at, found)
    }
    fn fail(&self, e: Error) -> Result<Answer> {
        if self.throw { Err(e) } else { Ok(Answer::Error) }
    }
    /// What is not there: nothing, or an error.
    fn absent(&self, e: impl FnOnce() -> Error) -> Result<Answer> {
        if self.ignore { Ok(Answer::Nothing) } else { self.fail(e()) }
    }
    fn item(&mut self, p: &[Node], v: Item, at: At, found: &mut dyn Sink) -> Result<Answer> {
        self.step(p, v, at, found, self.lax)
    }
    /// What stands behind a step, over what that found.
    fn next(&mut self, rest: &[Node], v: Item, at: At, found: &mut dyn Sink) -> Result<Answer> {
        if !rest.is_empty() {
            return self.item(rest, v, at, found);
        }
        if found.wants() {
            found.push(v)?;
        }
        Ok(Answer::Found)
    }
    /// executeItemOptUnwrapTarget
    fn step(&mut self, p: &[Node], v: Item, at: At, found: &mut dyn Sink, unwrap: bool) -> Result<Answer> {
        work::charge(60)?;
        if self.depth >= MAX_DEPTH {
            bail!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
        }
        self.depth += 1;
        let a = self.step_at(p, v, at, found, unwrap);
        self.depth -= 1;
        a
    }
    fn step_at(&mut self, p: &[Node], v: Item, at: At, found: &mut dyn Sink, unwrap: bool) -> Result<Answer> {
        let Some((node, rest)) = p.split_first() else { return self.next(p, v, at, found) };
        // Lax: these want what is in an array.
        if unwrap
            && let Item::Json(Jsonb::Array(items)) = v
            && (matches!(node, Node::Key(_) | Node::AnyKey | Node::Filter(_) | Node::Datetime(_))
                || matches!(node, Node::Method(m) if !matches!(m, Method::Type | Method::Size)))
        {
            return self.each(p, items, at, found, false);
        }
        match node {
            n if n.is_predicate() => {
                let truth = self.truth(n, v, at)?;
                if rest.is_empty() && !found.wants() {
                    return Ok(Answer::Found);
                }
                let j = match truth {
                    Truth::Unknown => Jsonb::Null,
                    t => Jsonb::Bool(t == Truth::True),
                };
                self.next(rest, Item::Json(&j), at, found)
            }
            Node::Key(key) => self.key(key, rest, v, at, found),
            Node::AnyKey => match v {
                Item::Json(Jsonb::Object(o)) => {
                    let mut values = o.iter().map(|(_, v)| v);
                    self.each_of(rest, &mut values, at, found, self.lax)
                }
                _ => self.absent(|| {
                    err!(
                        SQL_JSON_OBJECT_NOT_FOUND,
                        "jsonpath wildcard member accessor can only be applied to an object"
                    )
                }),
            },
            Node::Root => {
                let root = self.root;
                self.next(rest, Item::Json(root), At { base: (root, 0), ..at }, found)
            }
            Node::Current => self.next(rest, at.current, at, found),
            Node::AnyArray => match v {
                Item::Json(Jsonb::Array(items)) => self.each(rest, items, at, found, self.lax),
                _ if self.lax => self.next(rest, v, at, found),
                _ => self.absent(|| {
                    err!(SQL_JSON_ARRAY_NOT_FOUND, "jsonpath wildcard array accessor can only be applied to an array")
                }),
            },
            Node::Index(list) => self.index(list, rest, v, at, found),
            Node::Last => {
                let Some(size) = self.array_size else {
                    return Err(Error::internal("evaluating jsonpath LAST outside of array subscript"));
                };
                let j = number(size as i64 - 1);
                self.next(rest, Item::Json(&j), at, found)
            }
            Node::Levels(first, last) => self.levels(*first, *last, rest, v, at, found),
            Node::Filter(condition) => match self.truth_of(condition, v, At { current: v, ..at })? {
                Truth::True => self.next(rest, v, at, found),
                _ => Ok(Answer::Nothing),
            },
            Node::Binary(op, left, right) => self.binary(*op, left, right, rest, v, at, found),
            Node::Plus(of) => self.unary("+", of, rest, v, at, found),
            Node::Minus(of) => self.unary("-", of, rest, v, at, found),
            Node::Variable(name) => self.variable(name, rest, at, found),
            Node::Method(m) => self.method(*m, rest, v, at, found),
            Node::Datetime(template) => self.datetime(template.as_deref(), rest, v, at, found),
            scalar => {
                if rest.is_empty() && !found.wants() {
                    return Ok(Answer::Found);
                }
                let j = match scalar {
                    Node::Bool(b) => Jsonb::Bool(*b),
                    Node::Number(n) => Jsonb::Number(n.clone()),
                    Node::String(s) => Jsonb::String(s.clone()),
                    _ => Jsonb::Null,
                };
                self.next(rest, Item::Json(&j), at, found)
            }
        }
    }
    fn each(&mut self, p: &[Node], items: &[Jsonb], at: At, found: &mut dyn Sink, unwrap: bool) -> Result<Answer> {
        self.each_of(p, &mut items.iter(), at, found, unwrap)
    }
    /// executeAnyItem, one level of it.
    fn each_of<'v>(
        &mut self,
        p: &[Node],
        items: &mut dyn Iterator<Item = &'v Jsonb>,
        at: At<'v>,
        found: &mut dyn Sink,
        unwrap: bool,
    ) -> Result<Answer> {
        let mut answer = Answer::Nothing;
        for v in items {
            work::charge(20)?;
            if !p.is_empty() {
                answer = self.step(p, Item::Json(v), at, found, unwrap)?;
                if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                    break;
                }
            } else if found.wants() {
                found.push(Item::Json(v))?;
            } else {
                return Ok(Answer::Found);
            }
        }
        Ok(answer)
    }
    fn key(&mut self, key: &str, rest: &[Node], v: Item, at: At, found: &mut dyn Sink) -> Result<Answer> {
        match v {
            Item::Json(o @ Jsonb::Object(_)) => match o.get(key) {
                Some(v) => self.next(rest, Item::Json(v), at, found),
                None => self.absent(|| err!(SQL_JSON_MEMBER_NOT_FOUND, "JSON object does not contain key \"{key}\"")),
            },
            _ => self.absent(|| {
                err!(SQL_JSON_MEMBER_NOT_FOUND, "jsonpath member accessor can only be applied to an object")
            }),
        }
    }
    fn index(
        &mut self,
        list: &[(Vec<Node>, Option<Vec<Node>>)],
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let items = match v {
            Item::Json(Jsonb::Array(items)) => Some(items),
            _ if self.lax => None,
            _ => {
                return self.absent(|| {
                    err!(SQL_JSON_ARRAY_NOT_FOUND, "jsonpath array accessor can only be applied to an array")
                });
            }
        };
        let size = items.map_or(1, Vec::len);
        let outer = self.array_size.replace(size);
        let mut answer = Answer::Nothing;
        for (from, to) in list {
            answer = self.subscript(from, to.as_deref(), items, size, rest, v, at, found)?;
            if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                break;
            }
        }
        self.array_size = outer;
        Ok(answer)
    }
    #[allow(clippy::too_many_arguments)] // one subscript of `index`
    fn subscript(
        &mut self,
        from: &[Node],
        to: Option<&[Node]>,
        items: Option<&Vec<Jsonb>>,
        size: usize,
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let Some(first) = self.array_index(from, v, at)? else { return Ok(Answer::Error) };
        let last = match to {
            Some(to) => match self.array_index(to, v, at)? {
                Some(last) => last,
                None => return Ok(Answer::Error),
            },
            None => first,
        };
        let end = size as i64;
        if !self.ignore && (first < 0 || first > last || last >= end) {
            return self.fail(err!(INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is out of bounds"));
        }
        let mut answer = Answer::Nothing;
        for i in first.max(0)..=last.min(end - 1) {
            let one = match items {
                Some(items) => match items.get(i as usize) {
                    Some(v) => Item::Json(v),
                    None => continue,
                },
                None => v,
            };
            answer = self.next(rest, one, at, found)?;
            if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                break;
            }
        }
        Ok(answer)
    }
    /// getArrayIndex; None: an error that is not told.
    fn array_index(&mut self, p: &[Node], v: Item, at: At) -> Result<Option<i64>> {
        let mut list = List::default();
        if self.item(p, v, at, &mut list)? == Answer::Error {
            return Ok(None);
        }
        let e = match list.0.as_slice() {
            [Held::Json(Jsonb::Number(n))] => match n.trunc(0).to_i32() {
                Ok(v) => return Ok(Some(i64::from(v))),
                Err(_) => err!(INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is out of integer range"),
            },
            _ => err!(INVALID_SQL_JSON_SUBSCRIPT, "jsonpath array subscript is not a single numeric value"),
        };
        self.fail(e).map(|_| None)
    }
    fn levels(
        &mut self,
        first: u32,
        last: u32,
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let mut answer = Answer::Nothing;
        // Without a step between.
        if first == 0 {
            let ignore = std::mem::replace(&mut self.ignore, true);
            let a = self.next(rest, v, at, found);
            self.ignore = ignore;
            answer = a?;
            if answer == Answer::Found && !found.wants() {
                return Ok(answer);
            }
        }
        match v {
            Item::Json(j @ (Jsonb::Array(_) | Jsonb::Object(_))) => self.below(rest, j, at, found, 1, first, last),
            _ => Ok(answer),
        }
    }
    /// executeAnyItem
    #[allow(clippy::too_many_arguments)] // it calls itself with all of them
    fn below(
        &mut self,
        rest: &[Node],
        v: &Jsonb,
        at: At,
        found: &mut dyn Sink,
        level: u32,
        first: u32,
        last: u32,
    ) -> Result<Answer> {
        let mut answer = Answer::Nothing;
        if level > last {
            return Ok(answer);
        }
        let (array, object) = match v {
            Jsonb::Array(a) => (a.as_slice(), [].as_slice()),
            Jsonb::Object(o) => ([].as_slice(), o.as_slice()),
            _ => return Ok(answer),
        };
        for v in array.iter().chain(object.iter().map(|(_, v)| v)) {
            work::charge(20)?;
            let leaf = !matches!(v, Jsonb::Array(_) | Jsonb::Object(_));
            if level >= first || first == u32::MAX && last == u32::MAX && leaf {
                if !rest.is_empty() {
                    let ignore = std::mem::replace(&mut self.ignore, true);
                    let a = self.step(rest, Item::Json(v), at, found, self.lax);
                    self.ignore = ignore;
                    answer = a?;
                    if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                        break;
                    }
                } else if found.wants() {
                    found.push(Item::Json(v))?;
                } else {
                    return Ok(Answer::Found);
                }
            }
            if level < last && !leaf {
                answer = self.below(rest, v, at, found, level + 1, first, last)?;
                if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                    break;
                }
            }
        }
        Ok(answer)
    }
    fn variable(&mut self, name: &str, rest: &[Node], at: At, found: &mut dyn Sink) -> Result<Answer> {
        match self.vars.and_then(|vars| Some((vars, vars.get(name)?))) {
            Some((vars, v)) => self.next(rest, Item::Json(v), At { base: (vars, 1), ..at }, found),
            None => bail!(UNDEFINED_OBJECT, "could not find jsonpath variable \"{name}\""),
        }
    }
    fn method(&mut self, m: Method, rest: &[Node], v: Item, at: At, found: &mut dyn Sink) -> Result<Answer> {
        let name = m.name();
        let j = match m {
            Method::Type => Jsonb::String(type_name(v).into()),
            Method::Size => match v {
                Item::Json(Jsonb::Array(a)) => number(a.len() as i64),
                _ if self.lax => number(1),
                _ => {
                    return self.absent(|| {
                        err!(SQL_JSON_ARRAY_NOT_FOUND, "jsonpath item method .{name}() can only be applied to an array")
                    });
                }
            },
            Method::Double => match double(v) {
                Ok(Some(n)) => Jsonb::Number(n),
                // A number stays as it is.
                Ok(None) => return self.next(rest, v, at, found),
                Err(e) => return self.fail(e),
            },
            Method::KeyValue => return self.key_values(rest, v, at, found),
            Method::Ceiling | Method::Floor | Method::Abs => {
                let Item::Json(Jsonb::Number(n)) = v else {
                    return self.fail(err!(
                        NON_NUMERIC_SQL_JSON_ITEM,
                        "jsonpath item method .{name}() can only be applied to a numeric value"
                    ));
                };
                Jsonb::Number(match m {
                    Method::Ceiling => n.ceil(),
                    Method::Floor => n.floor(),
                    _ => n.abs(),
                })
            }
        };
        self.next(rest, Item::Json(&j), at, found)
    }
    fn key_values(&mut self, rest: &[Node], v: Item, at: At, found: &mut dyn Sink) -> Result<Answer> {
        let Item::Json(object @ Jsonb::Object(pairs)) = v else {
            return self.fail(err!(
                SQL_JSON_OBJECT_NOT_FOUND,
                "jsonpath item method .keyvalue() can only be applied to an object"
            ));
        };
        let mut answer = Answer::Nothing;
        if pairs.is_empty() {
            return Ok(answer);
        }
        if rest.is_empty() && !found.wants() {
            return Ok(Answer::Found);
        }
        work::charge(at.base.0.weight() / 8)?;
        let place = at.base.0.place_of(object).unwrap_or(0) as i64;
        let id = place.wrapping_add(at.base.1.wrapping_mul(ID_STRIDE));
        for (key, value) in pairs {
            work::charge(value.weight() / 4 + 50)?;
            let one = Jsonb::object(vec![
                ("key".into(), Jsonb::String(key.clone())),
                ("value".into(), value.clone()),
                ("id".into(), number(id)),
            ]);
            let base = (&one, self.made);
            self.made += 1;
            answer = self.next(rest, Item::Json(&one), At { base, ..at }, found)?;
            if answer == Answer::Error || answer == Answer::Found && !found.wants() {
                break;
            }
        }
        Ok(answer)
    }
    fn datetime(
        &mut self,
        template: Option<&str>,
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let Item::Json(Jsonb::String(s)) = v else {
            return self.fail(err!(
                INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION,
                "jsonpath item method .datetime() can only be applied to a string"
            ));
        };
        let read = match template {
            Some(t) => {
                moment::check(t)?;
                moment::read(s, t)
            }
            None => moment::recognize(s),
        };
        match read {
            Ok(m) => self.next(rest, Item::Moment(m), at, found),
            Err(e) if is_interrupt(&e) => Err(e),
            Err(e) => self.fail(e),
        }
    }

    // ---- arithmetic ----

    /// executeItemOptUnwrapResult: what an operand finds, arrays taken apart where lax.
    fn operand(&mut self, p: &[Node], v: Item, at: At, unwrap: bool) -> Result<Option<Vec<Held>>> {
        let mut list = List::default();
        if self.item(p, v, at, &mut list)? == Answer::Error {
            return Ok(None);
        }
        if !unwrap || !self.lax || !list.0.iter().any(|h| matches!(h, Held::Json(Jsonb::Array(_)))) {
            return Ok(Some(list.0));
        }
        let mut out = Vec::new();
        for h in list.0 {
            match h {
                Held::Json(Jsonb::Array(items)) => out.extend(items.into_iter().map(Held::Json)),
                h => out.push(h),
            }
        }
        Ok(Some(out))
    }
    #[allow(clippy::too_many_arguments)] // a node's parts and a step's
    fn binary(
        &mut self,
        op: Op,
        left: &[Node],
        right: &[Node],
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let Some(l) = self.operand(left, v, at, true)? else { return Ok(Answer::Error) };
        let Some(r) = self.operand(right, v, at, true)? else { return Ok(Answer::Error) };
        let single = |side: &str| {
            err!(
                SINGLETON_SQL_JSON_ITEM_REQUIRED,
                "{side} operand of jsonpath operator {} is not a single numeric value",
                op.name()
            )
        };
        let [Held::Json(Jsonb::Number(a))] = l.as_slice() else { return self.fail(single("left")) };
        let [Held::Json(Jsonb::Number(b))] = r.as_slice() else { return self.fail(single("right")) };
        let result = match op {
            Op::Add => a.add(b).check(),
            Op::Sub => a.sub(b).check(),
            Op::Mul => a.mul(b).check(),
            Op::Div => a.div(b).and_then(Numeric::check),
            _ => a.rem(b),
        };
        match result {
            Ok(n) => {
                let j = Jsonb::Number(n);
                self.next(rest, Item::Json(&j), at, found)
            }
            Err(e) if is_interrupt(&e) => Err(e),
            Err(e) => self.fail(e),
        }
    }
    fn unary(
        &mut self,
        sign: &str,
        of: &[Node],
        rest: &[Node],
        v: Item,
        at: At,
        found: &mut dyn Sink,
    ) -> Result<Answer> {
        let Some(list) = self.operand(of, v, at, true)? else { return Ok(Answer::Error) };
        let last = rest.is_empty() && !found.wants();
        let mut answer = Answer::Nothing;
        for h in &list {
            let Held::Json(Jsonb::Number(n)) = h else {
                if last {
                    continue;
                }
                return self.fail(err!(
                    SQL_JSON_NUMBER_NOT_FOUND,
                    "operand of unary jsonpath operator {sign} is not a numeric value"
                ));
            };
            if last {
                return Ok(Answer::Found);
            }
            let j = Jsonb::Number(if sign == "-" { n.neg() } else { n.clone() });
            match self.next(rest, Item::Json(&j), at, found)? {
                Answer::Error => return Ok(Answer::Error),
                Answer::Found if !found.wants() => return Ok(Answer::Found),
                Answer::Found => answer = Answer::Found,
                Answer::Nothing => {}
            }
        }
        Ok(answer)
    }

    // ---- predicates ----

    fn truth_of(&mut self, p: &[Node], v: Item, at: At) -> Result<Truth> {
        match p {
            [n] => self.truth(n, v, at),
            _ => Err(Error::internal("boolean jsonpath item cannot have next item")),
        }
    }
    fn truth(&mut self, n: &Node, v: Item, at: At) -> Result<Truth> {
        work::charge(30)?;
        Ok(match n {
            Node::Binary(Op::And, left, right) => match self.truth_of(left, v, at)? {
                Truth::False => Truth::False,
                l => match self.truth_of(right, v, at)? {
                    Truth::True => l,
                    r => r,
                },
            },
            Node::Binary(Op::Or, left, right) => match self.truth_of(left, v, at)? {
                Truth::True => Truth::True,
                l => match self.truth_of(right, v, at)? {
                    Truth::False => l,
                    r => r,
                },
            },
            Node::Not(p) => match self.truth_of(p, v, at)? {
                Truth::Unknown => Truth::Unknown,
                t => (t == Truth::False).into(),
            },
            Node::IsUnknown(p) => (self.truth_of(p, v, at)? == Truth::Unknown).into(),
            Node::Exists(p) => self.quietly(|run| run.exists(p, v, at))?,
            Node::Binary(Op::StartsWith, left, right) => {
                self.predicate(left, Some(right), v, at, false, &|_, l, r| {
                    Ok(match (l, r) {
                        (Item::Json(Jsonb::String(l)), Some(Item::Json(Jsonb::String(r)))) => {
                            l.starts_with(&**r).into()
                        }
                        _ => Truth::Unknown,
                    })
                })?
            }
            Node::Binary(op, left, right) => self.predicate(left, Some(right), v, at, true, &|run, l, r| match r {
                Some(r) => run.compare(*op, l, r),
                None => Ok(Truth::Unknown),
            })?,
            Node::Like(p, like) => self.predicate(p, None, v, at, false, &|_, l, _| match l {
                Item::Json(Jsonb::String(s)) => Ok(is_like(s, like)?.into()),
                _ => Ok(Truth::Unknown),
            })?,
            _ => return Err(Error::internal("invalid boolean jsonpath item type")),
        })
    }
    /// With errors that are not told.
    fn quietly<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let throw = std::mem::replace(&mut self.throw, false);
        let r = f(self);
        self.throw = throw;
        r
    }
    fn exists(&mut self, p: &[Node], v: Item, at: At) -> Result<Truth> {
        if self.lax {
            return Ok(match self.item(p, v, at, &mut Nobody)? {
                Answer::Error => Truth::Unknown,
                a => (a == Answer::Found).into(),
            });
        }
        let mut n = Count(0);
        Ok(match self.item(p, v, at, &mut n)? {
            Answer::Error => Truth::Unknown,
            _ => (n.0 > 0).into(),
        })
    }
    /// executePredicate: over all pairs of what the two sides find.
    fn predicate(
        &mut self,
        left: &[Node],
        right: Option<&[Node]>,
        v: Item,
        at: At,
        unwrap_right: bool,
        holds: &Holds<'_, 'a>,
    ) -> Result<Truth> {
        let Some(l) = self.quietly(|run| run.operand(left, v, at, true))? else { return Ok(Truth::Unknown) };
        let r = match right {
            Some(right) => match self.quietly(|run| run.operand(right, v, at, unwrap_right))? {
                Some(r) => Some(r),
                None => return Ok(Truth::Unknown),
            },
            None => None,
        };
        let (mut error, mut found) = (false, false);
        for a in &l {
            let mut pair = |b: Option<Item>| -> Result<Option<Truth>> {
                work::charge(30)?;
                match holds(self, a.item(), b)? {
                    Truth::Unknown if !self.lax => return Ok(Some(Truth::Unknown)),
                    Truth::Unknown => error = true,
                    Truth::True if self.lax => return Ok(Some(Truth::True)),
                    Truth::True => found = true,
                    Truth::False => {}
                }
                Ok(None)
            };
            match &r {
                None => {
                    if let Some(t) = pair(None)? {
                        return Ok(t);
                    }
                }
                Some(r) => {
                    for b in r {
                        if let Some(t) = pair(Some(b.item()))? {
                            return Ok(t);
                        }
                    }
                }
            }
        }
        Ok(match (found, error) {
            (true, _) => Truth::True,
            (_, true) => Truth::Unknown,
            _ => Truth::False,
        })
    }
    /// compareItems
    fn compare(&self, op: Op, a: Item, b: Item) -> Result<Truth> {
        let o = match (a, b) {
            (Item::Moment(a), Item::Moment(b)) => match moment::compare(a, b, self.zones.then_some(self.zone))? {
                Some(o) => o,
                None => return Ok(Truth::Unknown),
            },
            (Item::Json(a), Item::Json(b)) => match (a, b) {
                (Jsonb::Null, Jsonb::Null) => Ordering::Equal,
                (Jsonb::Bool(a), Jsonb::Bool(b)) => a.cmp(b),
                (Jsonb::Number(a), Jsonb::Number(b)) => a.cmp(b),
                (Jsonb::String(a), Jsonb::String(b)) => a.as_bytes().cmp(b.as_bytes()),
                (Jsonb::Null, _) | (_, Jsonb::Null) => return Ok((op == Op::NotEqual).into()),
                _ => return Ok(Truth::Unknown),
            },
            (Item::Json(Jsonb::Null), _) | (_, Item::Json(Jsonb::Null)) => return Ok((op == Op::NotEqual).into()),
            _ => return Ok(Truth::Unknown),
        };
        Ok(match op {
            Op::Equal => o.is_eq(),
            Op::NotEqual => o.is_ne(),
            Op::Less => o.is_lt(),
            Op::LessOrEqual => o.is_le(),
            Op::Greater => o.is_gt(),
            _ => o.is_ge(),
        }
        .into())
    }
}

/// Errors that end the statement, whoever is silent.
fn is_interrupt(e: &Error) -> bool {
    !e.code().as_str().starts_with("22")
}
fn is_like(s: &str, like: &Like) -> Result<bool> {
    work::charge(s.len())?;
    regexp::matches_lines(s, &like.pattern, like.icase, like.dotall, like.mline, like.quote)
}
/// The patterns of a path's predicates, compiled.
pub fn check_patterns(p: &[Node]) -> Result<()> {
    p.iter().try_for_each(|n| match n {
        Node::Like(p, like) => is_like("", like).map(drop).and_then(|()| check_patterns(p)),
        Node::Filter(p) | Node::Plus(p) | Node::Minus(p) | Node::Not(p) | Node::IsUnknown(p) | Node::Exists(p) => {
            check_patterns(p)
        }
        Node::Binary(_, a, b) => check_patterns(a).and_then(|()| check_patterns(b)),
        Node::Index(list) => list.iter().try_for_each(|(from, to)| {
            check_patterns(from)?;
            check_patterns(to.as_deref().unwrap_or(&[]))
        }),
        _ => Ok(()),
    })
}
/// JsonbTypeName
fn type_name(v: Item) -> &'static str {
    match v {
        Item::Json(Jsonb::Null) => "null",
        Item::Json(Jsonb::Bool(_)) => "boolean",
        Item::Json(Jsonb::Number(_)) => "number",
        Item::Json(Jsonb::String(_)) => "string",
        Item::Json(Jsonb::Array(_)) => "array",
        Item::Json(Jsonb::Object(_)) => "object",
        Item::Moment(m) => m.type_name(),
    }
}
/// `double()`; None: a number that stays as it is.
fn double(v: Item) -> Result<Option<Numeric>> {
    match v {
        Item::Json(Jsonb::Number(n)) => {
            if n.to_f64().is_infinite() {
                bail!(
                    NON_NUMERIC_SQL_JSON_ITEM,
                    "numeric argument of jsonpath item method .double() is out of range for type double precision"
                );
            }
            Ok(None)
        }
        Item::Json(Jsonb::String(s)) => match pamir_types::text::parse_f64(s) {
            Ok(f) if f.is_finite() => Ok(Some(Numeric::from_f64(f))),
            _ => bail!(
                NON_NUMERIC_SQL_JSON_ITEM,
                "string argument of jsonpath item method .double() is not a valid representation of a double precision number"
            ),
        },
        _ => bail!(
            NON_NUMERIC_SQL_JSON_ITEM,
            "jsonpath item method .double() can only be applied to a string or numeric value"
        ),
    }
}
