//! IN over many constants: a table of them, so that a row costs one look-up instead of a comparison with each (PostgreSQL's hashed ScalarArrayOp).
use super::hash_index::{HashIndex, NONE, hash_row, same_row};
use super::{Expr, Fun, Function, Px, Type, cmp_of};
use crate::ir::CmpOp;
use crate::plan::hash_compatible;
use pamir_types::Datum;

/// Shorter lists are as quickly compared (PostgreSQL's MIN_ARRAY_SIZE_FOR_HASHED_SAOP).
pub const LEAST: usize = 9;

/// `x IN (list)`.
#[derive(Debug)]
pub struct InList {
    pub eq: Fun,
    pub x: Px,
    pub list: Box<[Px]>,
    /// Instead of the list.
    pub members: Option<Members>,
}
#[derive(Debug)]
pub struct Members {
    values: Vec<Datum>,
    index: HashIndex,
    types: [Type; 1],
    /// A NULL among them: what is not found is unknown.
    pub null: bool,
}
impl Members {
    /// None: it is short, not all constants, or `eq` is not the equality that hashing follows.
    pub fn of(eq: &Function, ty: Type, list: &[Expr]) -> Option<Members> {
        if list.len() < LEAST || cmp_of(eq) != Some(CmpOp::Eq) {
            return None;
        }
        let mut m =
            Members { values: Vec::with_capacity(list.len()), index: HashIndex::default(), types: [ty], null: false };
        for e in list {
            let Expr::Const(d, t) = e else { return None };
            if d.is_null() {
                m.null = true;
            } else if !hash_compatible(ty, *t) {
                return None;
            } else {
                m.index.add(hash_row(std::slice::from_ref(d), &m.types));
                m.values.push(d.clone());
            }
        }
        Some(m)
    }
    pub fn contains(&self, d: &Datum) -> bool {
        let row = std::slice::from_ref(d);
        let mut i = self.index.first(hash_row(row, &self.types));
        while i != NONE {
            if self.values.get(i as usize).is_some_and(|v| same_row(std::slice::from_ref(v), row, &self.types)) {
                return true;
            }
            i = self.index.after(i);
        }
        false
    }
}
