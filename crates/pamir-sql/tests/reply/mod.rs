//! What tests of whole sessions share: a client that keeps replies as text, and a generator that a seed replays.
use pamir_sql::client::{Client, Field, RowSink};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Error, Result, Type};
use std::fmt::Write;

/// A reply as text: columns joined by `|`, rows by newlines.
#[derive(Default)]
pub struct Reply {
    cx: TextCtx,
    row: Vec<String>,
    pub text: String,
    /// Every row goes out at once.
    pub eager: bool,
    pub tag: String,
}
impl RowSink for Reply {
    fn begin_row(&mut self, _: usize) {
        self.row.clear();
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        self.row.push(text::to_string(d, ty, &self.cx));
    }
    fn bytes(&mut self, b: &[u8]) {
        self.row.push(String::from_utf8_lossy(b).into_owned());
    }
    fn null(&mut self) {
        self.row.push("null".into());
    }
    fn end_row(&mut self) -> Result<()> {
        let _ = writeln!(self.text, "{}", self.row.join("|"));
        Ok(())
    }
    fn leaves(&self) -> bool {
        self.eager
    }
}
impl Client for Reply {
    fn row_description(&mut self, _: &[Field], _: &[i16]) {}
    fn set_formats(&mut self, _: &[i16], _: &[Type]) {}
    fn command_complete(&mut self, tag: &str) {
        self.tag = tag.into();
    }
    fn empty_query(&mut self) {}
    fn portal_suspended(&mut self) {}
    fn notice(&mut self, _: &Error) {}
    fn parameter_status(&mut self, _: &str, _: &str) {}
    fn set_text_ctx(&mut self, cx: &TextCtx) {
        self.cx = cx.clone();
    }
    fn copy_out_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_data(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn copy_done(&mut self) -> Result<()> {
        Ok(())
    }
    fn copy_in_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_in_read(&mut self, _: &mut Vec<u8>) -> Result<bool> {
        Ok(false)
    }
}
