//! (to be filled)
use super::registry::FuncList;
use super::*;
pub static OWN: &[super::registry::OwnRow] = &[];
pub static FUNCS: FuncList = &[];
