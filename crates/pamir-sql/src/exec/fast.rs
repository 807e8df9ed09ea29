//! Prepared point statements without operators (skeleton).
use super::ExecCtx;
use crate::client::RowSink;
use crate::plan::Plan;
use crate::plan::node::{Fast, Root};
use pamir_types::{Datum, Result};

/// Buffers that a session keeps between statements.
#[derive(Default)]
pub struct Scratch {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub row: Vec<Datum>,
    pub key2: Vec<u8>,
    pub value2: Vec<u8>,
}
pub fn detect(_root: &Root) -> Option<Fast> {
    None
}
pub fn run_fast(_plan: &Plan, _cx: &mut ExecCtx, _scratch: &mut Scratch, _sink: &mut dyn RowSink) -> Option<Result<u64>> {
    None
}
