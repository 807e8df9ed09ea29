//! Conditions that are tested on a row as it is stored, before anything of it is decoded.
//!
//! ```text
//! k < 10, d >= $1, n <= 2.5, t > now() - interval '1 day', c = 'x', c LIKE '%x%', c IS NULL, c IN ('x', 'y')     a column of the row beside constants or a parameter
//! j ? 'k', j @> '{"k": "v"}', j->>'k' = 'v'                                      a jsonb column beside constants
//! a < b                                                                          two columns of one row that are stored as integers
//! .. AND .., .. OR ..                                                            of these
//! ```
//! A scan tests its first conditions so, as long as they are of this kind: the order of conditions stays, and with it which errors are met. They fail on no value themselves.
//! What is stored in an unusual way (a column younger than the row, a long text) is decoded, and the condition evaluated as any other.
use super::members::{self, InList};
use super::{Cx, Direct, Px, direct, eval_bool, holds, int_of, like};
use crate::access::{self, TableLayout};
use crate::ir::CmpOp;
use pamir_catalog::Table;
use pamir_types::json::{Stored, StoredKind};
use pamir_types::numeric::Numeric;
use pamir_types::row::{RawCol, RowRef};
use pamir_types::{Datum, Result, Type, cmp, oid};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The function behind `->>` with a key.
const FIELD_TEXT: &str = "jsonb_object_field_text";

/// A condition on columns of a stored row.
#[derive(Debug)]
pub struct Test {
    /// The columns' places in the row, and their slots.
    pub cols: Box<[(usize, u32)]>,
    /// The whole condition.
    pub px: Px,
    what: What,
}
#[derive(Debug)]
enum What {
    /// A comparison of integers, or of a type that is one, of so many bytes.
    Int(usize, CmpOp, Side, usize),
    /// A comparison of two columns that are stored as integers: places and bytes.
    Ints(CmpOp, (usize, usize), (usize, usize)),
    /// A comparison of text; padded or not.
    Text(usize, CmpOp, Side, bool),
    Numeric(usize, CmpOp, Side),
    Like(usize),
    /// LIKE, or NOT LIKE, with a parameter.
    LikeParam(usize, bool),
    IsNull(usize, bool),
    /// One of these integers, which are stored in so many bytes.
    InInts(usize, Box<[i64]>, usize),
    InTexts(usize, Box<[Box<[u8]>]>),
    /// A jsonb object has this key.
    JsonKey(usize, Box<str>),
    JsonContains(usize),
    /// A comparison of what `->>` gives of this key.
    JsonText(usize, Box<str>, CmpOp),
    /// What `->>` gives is one of these texts.
    JsonIn(usize, Box<str>, Box<[Box<[u8]>]>),
    All(Box<[What]>),
    Any(Box<[What]>),
}
/// The side of a comparison that the column is on.
#[derive(Clone, Copy, Debug)]
enum Side {
    Left,
    Right,
}
impl Side {
    fn order(self, o: Ordering) -> Ordering {
        if matches!(self, Side::Left) { o } else { o.reverse() }
    }
}

/// The column of a comparison with a constant or parameter.
fn sides(a: &Px, b: &Px) -> Option<(u32, Side)> {
    match (a, b) {
        (Px::Slot(s), Px::Const(_) | Px::Param(_) | Px::Once(..)) => Some((*s, Side::Left)),
        (Px::Const(_) | Px::Param(_) | Px::Once(..), Px::Slot(s)) => Some((*s, Side::Right)),
        _ => None,
    }
}
/// Bytes of a type that is stored as an integer.
fn width(t: Type) -> Option<usize> {
    match t.oid {
        oid::INT2 => Some(2),
        oid::INT4 | oid::DATE => Some(4),
        oid::INT8 | oid::TIME | oid::TIMESTAMP | oid::TIMESTAMPTZ => Some(8),
        _ => None,
    }
}
/// What such a type's bytes say.
#[inline]
fn integer(v: &[u8], width: usize) -> Option<i64> {
    Some(match (width, v.len()) {
        (4, 4) => i64::from(i32::from_le_bytes(*v.first_chunk()?)),
        (8, 8) => i64::from_le_bytes(*v.first_chunk()?),
        (2, 2) => i64::from(i16::from_le_bytes(*v.first_chunk()?)),
        _ => return None,
    })
}
/// The same of a value.
#[inline]
fn integer_of(d: &Datum) -> Option<i64> {
    match d {
        Datum::Date(d) => Some(i64::from(*d)),
        Datum::Time(t) | Datum::Timestamp(t) | Datum::TimestampTz(t) => Some(*t),
        d => int_of(d),
    }
}

/// What finds the columns of a condition; they gather here.
struct Finder<'f, F> {
    column: &'f F,
    cols: Vec<(usize, u32)>,
}
impl<F: Fn(u32) -> Option<(usize, Type)>> Finder<'_, F> {
    fn column(&mut self, slot: u32) -> Option<(usize, Type)> {
        let (col, ty) = (self.column)(slot)?;
        if !self.cols.contains(&(col, slot)) {
            self.cols.push((col, slot));
        }
        Some((col, ty))
    }
    fn compared(&mut self, op: CmpOp, padded: bool, a: &Px, b: &Px) -> Option<What> {
        if let (Px::Slot(a), Px::Slot(b)) = (a, b) {
            let (a, b) = (self.column(*a)?, self.column(*b)?);
            // Integers of other widths compare as numbers; of other types only with their like.
            let alike = a.1.oid == b.1.oid || super::is_int(a.1.oid) && super::is_int(b.1.oid);
            return alike.then_some(What::Ints(op, (a.0, width(a.1)?), (b.0, width(b.1)?)));
        }
        let (slot, side) = sides(a, b)?;
        let (col, ty) = self.column(slot)?;
        Some(match (width(ty), ty.oid) {
            (Some(w), _) => What::Int(col, op, side, w),
            (None, oid::TEXT | oid::VARCHAR | oid::BPCHAR) => What::Text(col, op, side, padded),
            (None, oid::NUMERIC) => What::Numeric(col, op, side),
            _ => return None,
        })
    }
    /// A function of a jsonb column and a constant text: the column, the text.
    fn of_json<'p>(&mut self, px: &'p Px, name: &str) -> Option<(usize, &'p str)> {
        let Px::Call(call) = px else { return None };
        let ([Px::Slot(slot), Px::Const(Datum::Text(key))], true) = (&*call.1, call.0.f.own_name() == name) else {
            return None;
        };
        let (col, ty) = self.column(*slot)?;
        (ty.oid == oid::JSONB).then_some((col, &**key))
    }
    /// One of a few constants; of many there is a table.
    fn members(&mut self, list: &InList) -> Option<What> {
        if let Some((col, key)) = self.of_json(&list.x, FIELD_TEXT) {
            let texts = list.list.iter().filter(|x| !matches!(x, Px::Const(Datum::Null)));
            let text = |x: &Px| if let Px::Const(Datum::Text(t)) = x { Some(t.as_bytes().into()) } else { None };
            let is_text = matches!(list.eq.direct, Direct::Cmp(CmpOp::Eq, false)) && list.list.len() < members::LEAST;
            return is_text.then_some(What::JsonIn(col, key.into(), texts.map(text).collect::<Option<_>>()?));
        }
        let Px::Slot(slot) = &list.x else { return None };
        let (col, ty) = self.column(*slot)?;
        if list.list.len() >= members::LEAST || super::cmp_of(&list.eq.f) != Some(CmpOp::Eq) {
            return None;
        }
        // A NULL in the list makes nothing true.
        let values = list.list.iter().filter(|x| !matches!(x, Px::Const(Datum::Null)));
        let plain = matches!(list.eq.direct, Direct::Cmp(CmpOp::Eq, false));
        if let Some(width) = width(ty) {
            let number = |x: &Px| if let Px::Const(d) = x { integer_of(d) } else { None };
            // Integers of any width are one kind of number, other types are compared only with their own.
            let alike = plain || super::is_int(ty.oid);
            return alike.then_some(What::InInts(col, values.map(number).collect::<Option<_>>()?, width));
        }
        let text = |x: &Px| match x {
            Px::Const(Datum::Text(t)) if t.len() <= like::LONG => Some(t.as_bytes().into()),
            _ => None,
        };
        let is_text = plain && matches!(ty.oid, oid::TEXT | oid::VARCHAR);
        is_text.then_some(What::InTexts(col, values.map(text).collect::<Option<_>>()?))
    }
    fn find(&mut self, px: &Px) -> Option<What> {
        match px {
            Px::IntCmp(op, ab) => self.compared(*op, false, &ab.0, &ab.1),
            Px::Call(call) => {
                if let Some((col, key)) = self.of_json(px, "jsonb_exists") {
                    return Some(What::JsonKey(col, key.into()));
                }
                if let ([Px::Slot(slot), Px::Const(Datum::Jsonb(_))], "jsonb_contains") =
                    (&*call.1, call.0.f.own_name())
                {
                    let (col, ty) = self.column(*slot)?;
                    return (ty.oid == oid::JSONB).then_some(What::JsonContains(col));
                }
                if let ([Px::Slot(slot), Px::Param(_)], "textlike" | "textnlike") = (&*call.1, call.0.f.own_name()) {
                    let (col, ty) = self.column(*slot)?;
                    let negated = call.0.f.own_name() == "textnlike";
                    return matches!(ty.oid, oid::TEXT | oid::VARCHAR).then_some(What::LikeParam(col, negated));
                }
                let (Direct::Cmp(op, padded), [a, b]) = (call.0.direct, &*call.1) else { return None };
                if !padded
                    && matches!(b, Px::Const(_) | Px::Param(_))
                    && let Some((col, key)) = self.of_json(a, FIELD_TEXT)
                {
                    return Some(What::JsonText(col, key.into(), op));
                }
                self.compared(op, padded, a, b)
            }
            Px::Like(like) => {
                let Px::Slot(slot) = &like.text else { return None };
                let (col, ty) = self.column(*slot)?;
                ty.is_stringlike().then_some(What::Like(col))
            }
            Px::IsNull(x, negated) => {
                let Px::Slot(slot) = &**x else { return None };
                let (col, ty) = self.column(*slot)?;
                // A row's own test looks into it.
                let plain = ty.oid != oid::RECORD && ty.oid < oid::FIRST_USER;
                plain.then_some(What::IsNull(col, *negated))
            }
            Px::InList(list) => self.members(list),
            Px::And(v) => Some(What::All(v.iter().map(|x| self.find(x)).collect::<Option<_>>()?)),
            Px::Or(v) => Some(What::Any(v.iter().map(|x| self.find(x)).collect::<Option<_>>()?)),
            _ => None,
        }
    }
}

impl Test {
    /// The test that a condition is; otherwise the condition. `column` says which column of the row has a slot, and its type.
    pub fn of(px: Px, column: impl Fn(u32) -> Option<(usize, Type)>) -> Result<Test, Px> {
        let mut f = Finder { column: &column, cols: Vec::new() };
        match f.find(&px) {
            Some(what) => Ok(Test { cols: f.cols.into(), px, what }),
            None => Err(px),
        }
    }
    /// Is the condition true of a row?
    #[inline]
    pub fn holds<C: Cx + Slots>(&self, row: RowRef<'_>, table: &Table, b: &TableLayout, c: &mut C) -> Result<bool> {
        match quick(&self.what, &self.px, row, c)? {
            Some(v) => Ok(v),
            None => self.slow(row, table, b, c),
        }
    }
    #[cold]
    #[inline(never)]
    fn slow<C: Cx + Slots>(&self, row: RowRef<'_>, table: &Table, b: &TableLayout, c: &mut C) -> Result<bool> {
        for (col, slot) in &self.cols {
            if let Some(out) = c.slot_mut(*slot) {
                access::load_col(table, b, row, *col, out)?;
            }
        }
        Ok(eval_bool(&self.px, c)? == Some(true))
    }
}
/// Is the condition true? None: that is for the condition itself to say.
#[inline]
fn quick<C: Cx>(what: &What, px: &Px, row: RowRef<'_>, c: &C) -> Result<Option<bool>> {
    let col = match what {
        What::Int(col, ..)
        | What::Text(col, ..)
        | What::Numeric(col, ..)
        | What::Like(col)
        | What::LikeParam(col, _)
        | What::IsNull(col, _)
        | What::InInts(col, ..)
        | What::InTexts(col, _)
        | What::JsonKey(col, _)
        | What::JsonContains(col)
        | What::JsonText(col, ..)
        | What::JsonIn(col, ..) => *col,
        What::Ints(op, a, b) => {
            return Ok(match (row.raw(a.0)?, row.raw(b.0)?) {
                (RawCol::Absent, _) | (_, RawCol::Absent) => None,
                (RawCol::Null, _) | (_, RawCol::Null) => Some(false),
                (RawCol::Value(x), RawCol::Value(y)) => {
                    integer(x, a.1).zip(integer(y, b.1)).map(|(x, y)| holds(*op, x.cmp(&y)))
                }
            });
        }
        What::All(v) => return several(v, px, row, c, false),
        What::Any(v) => return several(v, px, row, c, true),
    };
    Ok(one(what, px, row.raw(col)?, c))
}
/// All of the conditions, or any of them: `one` that decides. None of them fails, so that it does not matter which is asked first.
fn several<C: Cx>(v: &[What], px: &Px, row: RowRef<'_>, c: &C, one: bool) -> Result<Option<bool>> {
    let (Px::And(parts) | Px::Or(parts)) = px else { return Ok(None) };
    let mut unknown = false;
    for (what, px) in v.iter().zip(parts) {
        match quick(what, px, row, c)? {
            Some(b) if b == one => return Ok(Some(one)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok(if unknown { None } else { Some(!one) })
}
/// A condition on one column, which is stored as `raw`.
#[inline]
fn one<C: Cx>(what: &What, px: &Px, raw: RawCol<'_>, c: &C) -> Option<bool> {
    let v = match (raw, what) {
        (RawCol::Absent, _) => return None,
        (raw, What::IsNull(_, negated)) => return Some((raw == RawCol::Null) != *negated),
        (RawCol::Null, _) => return Some(false),
        (RawCol::Value(v), _) => v,
    };
    match (what, px) {
        (What::Int(_, op, side, width), px) => {
            let v = integer(v, *width)?;
            let with = match operand(px, *side, c)? {
                Datum::Null => return Some(false),
                d => integer_of(d)?,
            };
            Some(holds(*op, side.order(v.cmp(&with))))
        }
        (What::InInts(_, values, width), _) => {
            let v = integer(v, *width)?;
            Some(values.contains(&v))
        }
        (What::InTexts(_, values), _) if v.len() <= like::LONG => Some(values.iter().any(|x| **x == *v)),
        (What::Numeric(_, op, side), px) => {
            let with = match operand(px, *side, c)? {
                Datum::Null => return Some(false),
                Datum::Numeric(n @ Numeric::Small(..)) => n,
                _ => return None,
            };
            let v = Numeric::small_of_row(v)?;
            Some(holds(*op, side.order(v.cmp(with))))
        }
        (What::Text(_, op, side, padded), px) => {
            let with = match operand(px, *side, c)? {
                Datum::Null => return Some(false),
                Datum::Text(t) => t,
                _ => return None,
            };
            if v.len() > like::LONG || with.len() > like::LONG {
                return None;
            }
            if *padded {
                let v = std::str::from_utf8(v).ok()?;
                return Some(holds(*op, side.order(cmp::compare_bpchar(v, with))));
            }
            let with = with.as_bytes();
            Some(match op {
                CmpOp::Eq => v == with,
                CmpOp::Ne => v != with,
                op => holds(*op, side.order(v.cmp(with))),
            })
        }
        (What::LikeParam(_, negated), px) if v.len() <= like::LONG => {
            let pattern = match operand(px, Side::Left, c)? {
                Datum::Null => return Some(false),
                Datum::Text(p) if p.len() <= like::LONG => p,
                _ => return None,
            };
            // A pattern that is wrong is told by the function itself.
            crate::func::like::like(v, pattern.as_bytes(), false, false).ok().map(|m| m != *negated)
        }
        (What::JsonKey(_, key), _) if v.len() <= like::LONG => {
            let v = Stored::new(v);
            matches!(v.kind()?, StoredKind::Object).then(|| v.get(key).map(|found| found.is_some()))?
        }
        (What::JsonContains(_), Px::Call(call)) if v.len() <= like::LONG => match &*call.1 {
            [_, Px::Const(Datum::Jsonb(needle))] => Stored::new(v).contains(needle),
            _ => None,
        },
        (What::JsonText(_, key, op), px) if v.len() <= like::LONG => {
            let with = match operand(px, Side::Left, c)? {
                Datum::Null => return Some(false),
                Datum::Text(t) if t.len() <= like::LONG => t,
                _ => return None,
            };
            Some(field_text(v, key)?.is_some_and(|v| holds(*op, v.as_ref().cmp(with.as_bytes()))))
        }
        (What::JsonIn(_, key, values), _) if v.len() <= like::LONG => {
            Some(field_text(v, key)?.is_some_and(|v| values.iter().any(|x| **x == *v.as_ref())))
        }
        (What::Like(_), Px::Like(like)) if v.len() <= like::LONG => Some(like.matcher.test(v)),
        _ => None,
    }
}
/// What `->>` gives of a stored value: Some(None) stands for NULL. None: that takes more than to look at it.
#[inline]
fn field_text<'v>(v: &'v [u8], key: &str) -> Option<Option<Cow<'v, [u8]>>> {
    Some(match Stored::new(v).get(key)? {
        None => None,
        Some(found) => match found.kind()? {
            StoredKind::Null => None,
            StoredKind::Bool(b) => Some(Cow::Borrowed(if b { b"true" } else { b"false" })),
            StoredKind::String(s) => Some(Cow::Borrowed(s.as_bytes())),
            StoredKind::Number(n) => Some(Cow::Owned(Numeric::small_of_row(n)?.to_string().into_bytes())),
            StoredKind::Array | StoredKind::Object => return None,
        },
    })
}
/// What a comparison compares the column with.
#[inline]
fn operand<'v, C: Cx>(px: &'v Px, side: Side, c: &'v C) -> Option<&'v Datum> {
    let (a, b) = match px {
        Px::IntCmp(_, ab) => (&ab.0, &ab.1),
        Px::Call(call) => match &*call.1 {
            [a, b] => (a, b),
            _ => return None,
        },
        _ => return None,
    };
    direct::peek(if matches!(side, Side::Left) { b } else { a }, c)
}
/// Slots that can be written.
pub trait Slots {
    fn slot_mut(&mut self, slot: u32) -> Option<&mut Datum>;
}

#[cfg(test)]
mod tests {
    use super::super::compile_simple;
    use super::*;
    use crate::func::{self, testing};
    use crate::ir::Expr;
    use crate::no_session::NoSession;
    use pamir_types::row;
    use std::sync::Arc;

    struct Row<'a> {
        slots: Vec<Datum>,
        params: &'a [Datum],
        env: &'a mut NoSession,
    }
    impl Cx for Row<'_> {
        fn slot(&self, i: u32) -> Option<&Datum> {
            self.slots.get(i as usize)
        }
        fn param(&self, i: u16) -> Option<&Datum> {
            self.params.get(i as usize)
        }
        fn env(&mut self) -> &mut dyn crate::env::Env {
            self.env
        }
        fn sub(&mut self, _: usize) -> Result<Datum> {
            unreachable!("no subplans")
        }
    }
    fn values(t: Type) -> Vec<Datum> {
        let mut v = match t.oid {
            oid::INT2 => [0, 1, -1, i16::MIN, i16::MAX].map(Datum::Int2).to_vec(),
            oid::INT4 => [0, 1, -1, 40_000, i32::MIN, i32::MAX].map(Datum::Int4).to_vec(),
            oid::INT8 => [0, 1, -1, 1 << 40, i64::MIN, i64::MAX].map(Datum::Int8).to_vec(),
            oid::DATE => [i32::MIN, 0, 7, i32::MAX].map(Datum::Date).to_vec(),
            oid::TIME => [0, 7, 86_400_000_000].map(Datum::Time).to_vec(),
            oid::TIMESTAMP => [i64::MIN, 0, 7, i64::MAX].map(Datum::Timestamp).to_vec(),
            oid::TIMESTAMPTZ => [i64::MIN, 0, 7, i64::MAX].map(Datum::TimestampTz).to_vec(),
            oid::NUMERIC => {
                ["0", "0.00", "1", "1.0", "-1.5", "1e30", "9223372036854775807", "1e-20", "NaN", "Infinity"]
                    .map(|s| Datum::Numeric(Numeric::parse(s).unwrap()))
                    .to_vec()
            }
            _ => ["", " ", "a", "a ", "ab", "b%", "é", &"x".repeat(like::LONG + 1)].map(Datum::from).to_vec(),
        };
        v.push(Datum::Null);
        v
    }

    /// What is tested on stored rows is what the condition says of decoded ones.
    #[test]
    fn tests_are_their_conditions() {
        let ints = [Type::INT2, Type::INT4, Type::INT8];
        let same = [oid::DATE, oid::TIME, oid::TIMESTAMP, oid::TIMESTAMPTZ, oid::TEXT, oid::BPCHAR, oid::NUMERIC];
        let same = same.map(Type::new);
        let mut pairs: Vec<(Type, Type)> = ints.iter().flat_map(|a| ints.map(|b| (*a, b))).collect();
        pairs.extend(same.map(|t| (t, t)));
        let (mut env, mut cases) = (testing::env(), 0);
        for (ct, vt) in pairs {
            let names = ["=", "<>", "<", "<=", ">", ">=", "~~", "!~~"];
            let operators = func::all_operators().iter().filter(|o| names.contains(&&*o.name));
            for o in operators.filter(|o| *o.f.args == [ct.oid, vt.oid]) {
                for v in values(vt) {
                    for (flip, param) in [(false, false), (false, true), (true, false), (true, true)] {
                        let operand = if param { Expr::Param(0, vt) } else { Expr::Const(v.clone(), vt) };
                        let mut args = vec![Expr::Col(1, ct), operand];
                        if flip && o.f.args[0] == o.f.args[1] {
                            args.reverse();
                        }
                        check(Expr::Call { f: o.f.clone(), args, ty: Type::BOOL }, ct, &v, &mut env, &mut cases);
                    }
                }
            }
            for negated in [false, true] {
                check(Expr::IsNull(Box::new(Expr::Col(1, ct)), negated), ct, &Datum::Null, &mut env, &mut cases);
            }
        }
        assert!(cases > 5000, "{cases} cases");
    }
    /// Lists, two columns of a row, AND and OR: as the condition says, for all pairs of values.
    #[test]
    fn lists_pairs_and_combinations() {
        let types = [oid::INT2, oid::INT8, oid::DATE, oid::TIMESTAMPTZ, oid::TEXT, oid::BPCHAR, oid::NUMERIC];
        let (mut env, mut quick_ones, mut tests) = (testing::env(), 0, 0);
        for (a, b) in types.iter().flat_map(|a| types.map(|b| (Type::new(*a), Type::new(b)))) {
            let named = |name: &str, x: Type, y: Type| {
                func::all_operators()
                    .iter()
                    .find(|o| o.name == name && *o.f.args == [x.oid, y.oid])
                    .map(|o| o.f.clone())
            };
            let col = |c: u32, t: Type| Expr::Col(c, t);
            let call = |f, args| Expr::Call { f, args, ty: Type::BOOL };
            let mut conds = Vec::new();
            for name in ["=", "<", ">=", "<>"] {
                conds.extend(named(name, a, b).map(|f| call(f, vec![col(0, a), col(1, b)])));
            }
            let list = |c: u32, t: Type, n: usize| {
                let list = values(t).into_iter().rev().take(n).map(|d| Expr::Const(d, t)).collect();
                named("=", t, t).map(|eq| Expr::InList { eq, e: Box::new(col(c, t)), list: Arc::new(list) })
            };
            conds.extend(list(0, a, 3).into_iter().chain(list(1, b, 20)));
            let (Some(less), Some(is)) = (named("<", a, a), named("=", b, b)) else { continue };
            let below = call(less, vec![col(0, a), Expr::Const(values(a)[2].clone(), a)]);
            let equal = call(is, vec![col(1, b), Expr::Const(values(b)[1].clone(), b)]);
            conds.push(Expr::And(vec![below.clone(), equal.clone()]));
            conds.push(Expr::Or(vec![below.clone(), equal.clone(), Expr::IsNull(Box::new(col(0, a)), false)]));
            conds.push(Expr::Or(vec![Expr::And(vec![below, equal.clone()]), equal]));
            for e in conds {
                let cols = [a, b];
                let of = |s: u32| cols.get(s as usize).map(|t| (s as usize, *t));
                let Ok(test) = Test::of(compile_simple(&e).unwrap(), of) else { continue };
                tests += 1;
                for (x, y) in values(a).iter().flat_map(|x| values(b).into_iter().map(move |y| (x.clone(), y))) {
                    let mut stored = Vec::new();
                    row::encode_row(0, &[x.clone(), y.clone()], &cols, &mut stored).unwrap();
                    let mut c = Row { slots: vec![x.clone(), y.clone()], params: &[], env: &mut env };
                    let want = eval_bool(&compile_simple(&e).unwrap(), &mut c).unwrap() == Some(true);
                    c.slots = vec![Datum::Null, Datum::Null];
                    if let Some(got) = quick(&test.what, &test.px, RowRef(&stored), &c).unwrap() {
                        quick_ones += 1;
                        assert_eq!(got, want, "{x:?} {y:?} {e:?}");
                    }
                }
            }
        }
        assert!(tests > 200 && quick_ones > 10_000, "{tests} conditions, {quick_ones} rows");
    }
    /// jsonb looked into as it is stored says what it says decoded.
    #[test]
    fn jsonb_is_looked_into() {
        let j = Type::new(oid::JSONB);
        let jsonb = |s: &str| pamir_types::text::parse(s, j, &Default::default()).unwrap();
        let long = format!(r#"{{"a": "{}"}}"#, "x".repeat(like::LONG));
        let docs = [
            r#"{}"#,
            r#"{"a": 1}"#,
            r#"{"a": 1.0, "b": "x"}"#,
            r#"{"a": "x", "bb": null, "c": [1, {"a": 2}]}"#,
            r#"{"a": null}"#,
            r#"{"a": true, "b": false}"#,
            r#"{"a": {"b": "x"}, "z": "a"}"#,
            r#"{"aa": "x", "ab": "y", "b": "z"}"#,
            r#"["a", "b"]"#,
            r#""a""#,
            "null",
            "1",
            "[]",
            &long,
        ];
        let named = |name: &str, args: &[Type]| {
            let args: Vec<_> = args.iter().map(|t| t.oid).collect();
            func::all_operators().iter().find(|o| o.name == name && o.f.args == args).unwrap().f.clone()
        };
        let text = |s: &str| Expr::Const(s.into(), Type::TEXT);
        let call = |f, args, ty| Expr::Call { f, args, ty };
        let mut conds = Vec::new();
        for key in ["a", "b", "bb", "ab", ""] {
            conds.push(call(named("?", &[j, Type::TEXT]), vec![Expr::Col(0, j), text(key)], Type::BOOL));
            let field = || call(named("->>", &[j, Type::TEXT]), vec![Expr::Col(0, j), text(key)], Type::TEXT);
            for (op, with) in ["=", "<>", "<", ">="].into_iter().flat_map(|o| ["x", "1", "true", ""].map(|w| (o, w))) {
                conds.push(call(named(op, &[Type::TEXT, Type::TEXT]), vec![field(), text(with)], Type::BOOL));
            }
            let eq = named("=", &[Type::TEXT, Type::TEXT]);
            conds.push(Expr::InList { eq, e: Box::new(field()), list: Arc::new(vec![text("x"), text("false")]) });
        }
        for needle in docs {
            let needle = Expr::Const(jsonb(needle), j);
            conds.push(call(named("@>", &[j, j]), vec![Expr::Col(0, j), needle], Type::BOOL));
        }
        let (mut env, mut quick_ones) = (testing::env(), 0);
        for e in conds {
            let test = Test::of(compile_simple(&e).unwrap(), |s| (s == 0).then_some((0, j)))
                .unwrap_or_else(|_| panic!("{e:?}"));
            for d in docs.map(jsonb).into_iter().chain([Datum::Null]) {
                let mut stored = Vec::new();
                row::encode_row(0, std::slice::from_ref(&d), &[j], &mut stored).unwrap();
                let mut c = Row { slots: vec![d.clone()], params: &[], env: &mut env };
                let want = eval_bool(&compile_simple(&e).unwrap(), &mut c).unwrap() == Some(true);
                if let Some(got) = quick(&test.what, &test.px, RowRef(&stored), &c).unwrap() {
                    quick_ones += 1;
                    assert_eq!(got, want, "{d:?} {e:?}");
                }
            }
        }
        assert!(quick_ones > 1000, "{quick_ones} rows");
    }
    fn check(e: Expr, ct: Type, operand: &Datum, env: &mut NoSession, cases: &mut u32) {
        let Ok(test) = Test::of(compile_simple(&e).unwrap(), |s| (s == 1).then_some((1, ct))) else { return };
        for d in values(ct) {
            let mut stored = Vec::new();
            row::encode_row(0, &[Datum::Int4(5), d.clone()], &[Type::INT4, ct], &mut stored).unwrap();
            let params = std::slice::from_ref(operand);
            let mut c = Row { slots: vec![Datum::Null, d.clone()], params, env };
            let want = eval_bool(&compile_simple(&e).unwrap(), &mut c).unwrap() == Some(true);
            c.slots[1] = Datum::Null;
            if let Some(got) = quick(&test.what, &test.px, RowRef(&stored), &c).unwrap() {
                *cases += 1;
                assert_eq!(got, want, "{d:?} {e:?} {operand:?}");
            }
            row::encode_row(0, &[Datum::Int4(5)], &[Type::INT4], &mut stored).unwrap();
            let absent = quick(&test.what, &test.px, RowRef(&stored), &c).unwrap();
            assert!(absent.is_none(), "what is not stored has its missing value");
        }
    }
}
