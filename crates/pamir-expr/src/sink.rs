//! What takes a statement's rows: a protocol provides it.
use pamir_types::{Datum, Oid, Result, Type};

/// One result column.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub table: Oid,
    pub attnum: i16,
    pub ty: Type,
}

/// Takes rows column by column; knows the wanted formats.
pub trait RowSink {
    fn begin_row(&mut self, columns: usize);
    fn datum(&mut self, d: &Datum, ty: Type);
    /// A text-like or bytea-free column whose bytes are the same in both formats.
    fn bytes(&mut self, b: &[u8]);
    fn null(&mut self);
    /// May suspend the session until the peer has read (back-pressure).
    fn end_row(&mut self) -> Result<()>;
    /// Would `end_row` now, before the statement's end, let anything out? What a row was made of must be durable by then.
    fn leaves(&self) -> bool {
        true
    }
}
