//! (to be filled)
use super::registry::FuncList;
use super::*;
pub struct JsonAgg;
impl JsonAgg { pub fn new(_: Type, _: bool) -> JsonAgg { JsonAgg } }
pub struct JsonObjectAgg;
impl JsonObjectAgg { pub fn new(_: Type, _: Type, _: bool) -> JsonObjectAgg { JsonObjectAgg } }
macro_rules! stub { ($t:ident) => { impl AggState for $t {
    fn update(&mut self, _: &[Datum], _: &mut dyn Env) -> Result<()> { Err(pamir_types::Error::unsupported("json aggregates")) }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> { Err(pamir_types::Error::unsupported("json aggregates")) }
} } }
stub!(JsonAgg); stub!(JsonObjectAgg);
pub static FUNCS: FuncList = &[];
