//! (to be filled)
use super::registry::FuncList;
use super::*;
pub static FUNCS: FuncList = &[];
