//! Conditions that are tested on a row as it is stored, before anything of it is decoded.
//!
//! ```text
//! k < 10, d >= $1, c = 'x', c LIKE '%x%', c IS NULL        a column of the row beside a constant or a parameter
//! ```
//! A scan tests its first conditions so, as long as they are of this kind: the order of conditions stays, and with it which errors are met. They fail on no value themselves.
//! What is stored in an unusual way (a column younger than the row, a long text) is decoded, and the condition evaluated as any other.
use super::{Cx, Direct, Px, direct, eval_bool, holds, int_of, like};
use crate::access::{self, Bound};
use crate::catalog::Table;
use crate::ir::CmpOp;
use pamir_types::row::{RawCol, RowRef};
use pamir_types::{Datum, Result, Type, cmp, oid};
use std::cmp::Ordering;

/// A condition on one column of a stored row.
#[derive(Debug)]
pub struct Test {
    /// The column's place in the row, and its slot.
    pub col: usize,
    pub slot: u32,
    /// The whole condition.
    pub px: Px,
    what: What,
}
#[derive(Clone, Copy, Debug)]
enum What {
    /// A comparison of integers, or of a type that is one, of so many bytes.
    Int(CmpOp, Side, usize),
    /// A comparison of text; padded or not.
    Text(CmpOp, Side, bool),
    Like,
    IsNull {
        negated: bool,
    },
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
        (Px::Slot(s), Px::Const(_) | Px::Param(_)) => Some((*s, Side::Left)),
        (Px::Const(_) | Px::Param(_), Px::Slot(s)) => Some((*s, Side::Right)),
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

impl Test {
    /// The test that a condition is; otherwise the condition. `column` says which column of the row has a slot, and its type.
    pub fn of(px: Px, column: impl Fn(u32) -> Option<(usize, Type)>) -> Result<Test, Px> {
        match Test::find(&px, &column) {
            Some((slot, col, what)) => Ok(Test { col, slot, px, what }),
            None => Err(px),
        }
    }
    fn find(px: &Px, column: &impl Fn(u32) -> Option<(usize, Type)>) -> Option<(u32, usize, What)> {
        let slot = |x: &Px| if let Px::Slot(s) = x { Some(*s) } else { None };
        match px {
            Px::IntCmp(op, ab) => {
                let (slot, side) = sides(&ab.0, &ab.1)?;
                let (col, ty) = column(slot)?;
                Some((slot, col, What::Int(*op, side, width(ty)?)))
            }
            Px::Call(call) => {
                let (Direct::Cmp(op, padded), [a, b]) = (call.0.direct, &*call.1) else { return None };
                let (slot, side) = sides(a, b)?;
                let (col, ty) = column(slot)?;
                let what = match width(ty) {
                    Some(w) => What::Int(op, side, w),
                    None if matches!(ty.oid, oid::TEXT | oid::VARCHAR | oid::BPCHAR) => What::Text(op, side, padded),
                    None => return None,
                };
                Some((slot, col, what))
            }
            Px::Like(like) => {
                let slot = slot(&like.text)?;
                let (col, ty) = column(slot)?;
                ty.is_stringlike().then_some((slot, col, What::Like))
            }
            Px::IsNull(x, negated) => {
                let slot = slot(x)?;
                let (col, ty) = column(slot)?;
                // A row's own test looks into it.
                let plain = ty.oid != oid::RECORD && ty.oid < oid::FIRST_USER;
                plain.then_some((slot, col, What::IsNull { negated: *negated }))
            }
            _ => None,
        }
    }
    /// Is the condition true of a row?
    #[inline]
    pub fn holds<C: Cx + Slots>(&self, row: RowRef<'_>, table: &Table, b: &Bound, c: &mut C) -> Result<bool> {
        match self.quick(row.raw(self.col)?, c) {
            Some(v) => Ok(v),
            None => self.slow(row, table, b, c),
        }
    }
    #[cold]
    #[inline(never)]
    fn slow<C: Cx + Slots>(&self, row: RowRef<'_>, table: &Table, b: &Bound, c: &mut C) -> Result<bool> {
        if let Some(out) = c.slot_mut(self.slot) {
            access::load_col(table, b, row, self.col, out)?;
        }
        Ok(eval_bool(&self.px, c)? == Some(true))
    }
    /// None: that is for the condition itself to say.
    #[inline]
    fn quick<C: Cx>(&self, raw: RawCol<'_>, c: &C) -> Option<bool> {
        let v = match (raw, self.what) {
            (RawCol::Absent, _) => return None,
            (raw, What::IsNull { negated }) => return Some((raw == RawCol::Null) != negated),
            (RawCol::Null, _) => return Some(false),
            (RawCol::Value(v), _) => v,
        };
        match (self.what, &self.px) {
            (What::Int(op, side, width), px) => {
                let v = match (width, v.len(), v.first_chunk::<4>(), v.first_chunk::<8>(), v.first_chunk::<2>()) {
                    (4, 4, Some(b), _, _) => i64::from(i32::from_le_bytes(*b)),
                    (8, 8, _, Some(b), _) => i64::from_le_bytes(*b),
                    (2, 2, _, _, Some(b)) => i64::from(i16::from_le_bytes(*b)),
                    _ => return None,
                };
                let with = match operand(px, side, c)? {
                    Datum::Null => return Some(false),
                    Datum::Date(d) => i64::from(*d),
                    Datum::Time(t) | Datum::Timestamp(t) | Datum::TimestampTz(t) => *t,
                    d => int_of(d)?,
                };
                Some(holds(op, side.order(v.cmp(&with))))
            }
            (What::Text(op, side, padded), px) => {
                let with = match operand(px, side, c)? {
                    Datum::Null => return Some(false),
                    Datum::Text(t) => t,
                    _ => return None,
                };
                if v.len() > like::LONG || with.len() > like::LONG {
                    return None;
                }
                if padded {
                    let v = std::str::from_utf8(v).ok()?;
                    return Some(holds(op, side.order(cmp::compare_bpchar(v, with))));
                }
                let with = with.as_bytes();
                Some(match op {
                    CmpOp::Eq => v == with,
                    CmpOp::Ne => v != with,
                    op => holds(op, side.order(v.cmp(with))),
                })
            }
            (What::Like, Px::Like(like)) if v.len() <= like::LONG => Some(like.matcher.test(v)),
            _ => None,
        }
    }
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
    use crate::func::{self, testing::TestEnv};
    use crate::ir::Expr;
    use pamir_types::row;

    struct Row<'a> {
        slots: Vec<Datum>,
        params: &'a [Datum],
        env: &'a mut TestEnv,
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
            _ => ["", " ", "a", "a ", "ab", "b%", "é", &"x".repeat(like::LONG + 1)].map(Datum::from).to_vec(),
        };
        v.push(Datum::Null);
        v
    }

    /// What is tested on stored rows is what the condition says of decoded ones.
    #[test]
    fn tests_are_their_conditions() {
        let ints = [Type::INT2, Type::INT4, Type::INT8];
        let same = [oid::DATE, oid::TIME, oid::TIMESTAMP, oid::TIMESTAMPTZ, oid::TEXT, oid::BPCHAR].map(Type::new);
        let mut pairs: Vec<(Type, Type)> = ints.iter().flat_map(|a| ints.map(|b| (*a, b))).collect();
        pairs.extend(same.map(|t| (t, t)));
        let (mut env, mut cases) = (TestEnv::default(), 0);
        for (ct, vt) in pairs {
            let names = ["=", "<>", "<", "<=", ">", ">=", "~~", "!~~"];
            let operators = func::all_operators().iter().filter(|o| names.contains(&o.name));
            for o in operators.filter(|o| o.f.args == [ct.oid, vt.oid]) {
                for v in values(vt) {
                    for (flip, param) in [(false, false), (false, true), (true, false), (true, true)] {
                        let operand = if param { Expr::Param(0, vt) } else { Expr::Const(v.clone(), vt) };
                        let mut args = vec![Expr::Col(1, ct), operand];
                        if flip && o.f.args[0] == o.f.args[1] {
                            args.reverse();
                        }
                        check(Expr::Call { f: o.f, args, ty: Type::BOOL }, ct, &v, &mut env, &mut cases);
                    }
                }
            }
            for negated in [false, true] {
                check(Expr::IsNull(Box::new(Expr::Col(1, ct)), negated), ct, &Datum::Null, &mut env, &mut cases);
            }
        }
        assert!(cases > 5000, "{cases} cases");
    }
    fn check(e: Expr, ct: Type, operand: &Datum, env: &mut TestEnv, cases: &mut u32) {
        let Ok(test) = Test::of(compile_simple(&e).unwrap(), |s| (s == 1).then_some((1, ct))) else { return };
        for d in values(ct) {
            let mut stored = Vec::new();
            row::encode_row(0, &[Datum::Int4(5), d.clone()], &[Type::INT4, ct], &mut stored).unwrap();
            let params = std::slice::from_ref(operand);
            let mut c = Row { slots: vec![Datum::Null, d.clone()], params, env };
            let want = eval_bool(&compile_simple(&e).unwrap(), &mut c).unwrap() == Some(true);
            c.slots[1] = Datum::Null;
            if let Some(got) = test.quick(RowRef(&stored).raw(1).unwrap(), &c) {
                *cases += 1;
                assert_eq!(got, want, "{d:?} {e:?} {operand:?}");
            }
            assert!(test.quick(RawCol::Absent, &c).is_none(), "what is not stored has its missing value");
        }
    }
}
