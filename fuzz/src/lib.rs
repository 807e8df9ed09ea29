//! The fuzz targets' bodies that need nothing but public interfaces; those of storage and of the log's records are in
//! `pamir_storage::fuzzing` and `pamir_txn::fuzzing`.
//!
//! A target fails by a panic, a failed assertion, memory beyond libFuzzer's limit, or a time-out. Errors that the engine reports are fine, except
//! internal ones (XX000).
pub mod copy;
pub mod protocol;
pub mod sql;
pub mod types;

use pamir_sql::client::{Client, Field, RowSink};
use pamir_sql::session::{Database, Session};
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Result, Type};
use std::sync::Arc;

/// Reads what COPY FROM is to get, keeps what COPY TO sends, and ignores the rest.
#[derive(Default)]
pub struct Pipe {
    pub input: Vec<u8>,
    pub output: Vec<u8>,
}
impl RowSink for Pipe {
    fn begin_row(&mut self, _: usize) {}
    fn datum(&mut self, d: &Datum, ty: Type) {
        // Every result must have both formats.
        let mut out = Vec::new();
        if !d.is_null() {
            pamir_types::text::format(d, ty, &TextCtx::default(), &mut out);
            pamir_types::binary::encode(d, ty, &mut out);
        }
    }
    fn bytes(&mut self, _: &[u8]) {}
    fn null(&mut self) {}
    fn end_row(&mut self) -> Result<()> {
        Ok(())
    }
}
impl Client for Pipe {
    fn row_description(&mut self, _: &[Field], _: &[i16]) {}
    fn set_formats(&mut self, _: &[i16], _: &[Type]) {}
    fn command_complete(&mut self, _: &str) {}
    fn empty_query(&mut self) {}
    fn portal_suspended(&mut self) {}
    fn notice(&mut self, _: &Error) {}
    fn parameter_status(&mut self, _: &str, _: &str) {}
    fn set_text_ctx(&mut self, _: &TextCtx) {}
    fn copy_out_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_data(&mut self, b: &[u8]) -> Result<()> {
        self.output.extend_from_slice(b);
        Ok(())
    }
    fn copy_done(&mut self) -> Result<()> {
        Ok(())
    }
    fn copy_in_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_in_read(&mut self, to: &mut Vec<u8>) -> Result<bool> {
        // In two pieces, so that rows are cut somewhere.
        if self.input.is_empty() {
            return Ok(false);
        }
        let n = self.input.len().div_ceil(2);
        to.extend(self.input.drain(..n));
        Ok(true)
    }
}

/// A database in memory, driven by whoever waits.
pub fn database() -> Arc<Database> {
    let opts = ShardOptions {
        cache_size: 16 << 20,
        io_threads: 0,
        version_memory: 4 << 20,
        write_set_memory: 4 << 20,
        ..ShardOptions::default()
    };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("an empty directory opens");
    Database::open(shard).expect("a new database")
}
pub fn session(db: &Arc<Database>) -> Session {
    let params = [("user".to_string(), "postgres".to_string()), ("database".to_string(), "postgres".to_string())];
    Session::start(db.clone(), &params, None, &mut Pipe::default()).expect("a session")
}
/// Fails on an internal error.
pub fn fine<T>(r: Result<T>, what: &str) -> Option<T> {
    match r {
        Ok(v) => Some(v),
        Err(e) => {
            assert!(e.code().as_str() != "XX000", "{e}\n    {what}");
            None
        }
    }
}
