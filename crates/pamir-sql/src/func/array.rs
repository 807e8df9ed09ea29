//! (to be filled)
use super::registry::FuncList;
use super::*;
pub fn text_array(items: Vec<Datum>) -> Datum {
    Datum::Array(std::sync::Arc::new(pamir_types::array::Array::from_vec(pamir_types::oid::TEXT, items)))
}
pub static FUNCS: FuncList = &[];
