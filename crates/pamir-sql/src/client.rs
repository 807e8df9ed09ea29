//! What a wire protocol provides to a session.
use pamir_txn::Cancel;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Result, Type};
use std::sync::Arc;

pub use pamir_expr::env::{Peer, Tls};
pub use pamir_expr::sink::{Field, RowSink};

/// tcp_keepalives_idle and _interval in seconds, tcp_keepalives_count, tcp_user_timeout in milliseconds; 0: the system's default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TcpSettings {
    pub idle: u32,
    pub interval: u32,
    pub count: u32,
    pub user_timeout: u32,
}

/// A place in what a client was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// How often something has left before it.
    pub left: u64,
    /// What is said and has not left.
    pub kept: usize,
}

/// A way to the client for what cannot wait for the statement's end.
pub trait Lane: Send + Sync {
    /// Sends notices beside what the [`Client`] holds; suspends while the client does not read. Errors: a cancel, or a client that has gone.
    fn notices(&self, list: &[Error], cx: &TextCtx, cancel: &Arc<Cancel>) -> Result<()>;
}

/// The other half of a connection: messages to the client. Output is buffered; the protocol flushes.
pub trait Client: RowSink {
    /// Where it is now, to be taken back to; None: what is said here has left at once.
    fn mark(&self) -> Option<Mark> {
        None
    }
    /// Forgets what was said since, if nothing of it has left; false: it has, and all stays.
    fn take_back(&mut self, _: Mark) -> bool {
        false
    }
    /// None: everything waits.
    fn lane(&self) -> Option<Arc<dyn Lane>> {
        None
    }
    /// `formats`: one per field, 0 text, 1 binary. Also sets the formats of the rows that follow.
    fn row_description(&mut self, fields: &[Field], formats: &[i16]);
    /// Formats of the rows that follow, without a message.
    fn set_formats(&mut self, formats: &[i16], types: &[Type]);
    fn command_complete(&mut self, tag: &str);
    /// From now on (until it is said again, with false) a row is the value of a function call, and there is no tag.
    fn function_result(&mut self, _on: bool) {}
    fn empty_query(&mut self);
    fn portal_suspended(&mut self);
    fn notice(&mut self, e: &Error);
    fn parameter_status(&mut self, name: &str, value: &str);
    /// What the session with this process number said with NOTIFY.
    fn notification(&mut self, _pid: i32, _channel: &str, _payload: &str) {}
    /// Text output settings changed (DateStyle, TimeZone, bytea_output, ...).
    fn set_text_ctx(&mut self, cx: &TextCtx);
    /// As [`TcpSettings`] says; what the connection has no use for is nothing to it.
    fn set_tcp(&mut self, _: TcpSettings) {}
    fn copy_out_begin(&mut self, binary: bool, columns: usize) -> Result<()>;
    fn copy_data(&mut self, b: &[u8]) -> Result<()>;
    fn copy_done(&mut self) -> Result<()>;
    fn copy_in_begin(&mut self, binary: bool, columns: usize) -> Result<()>;
    /// The next CopyData payload, appended to `out`; false at CopyDone; Err(57014) at CopyFail; suspends while there is none.
    fn copy_in_read(&mut self, out: &mut Vec<u8>) -> Result<bool>;
}

/// Nobody reads the replies: for statements that are run for their effect or their cost alone (EXPLAIN ANALYZE, tests).
pub struct NullClient;
impl RowSink for NullClient {
    fn begin_row(&mut self, _: usize) {}
    fn datum(&mut self, _: &Datum, _: Type) {}
    fn bytes(&mut self, _: &[u8]) {}
    fn null(&mut self) {}
    fn end_row(&mut self) -> Result<()> {
        Ok(())
    }
}
impl Client for NullClient {
    fn mark(&self) -> Option<Mark> {
        Some(Mark { left: 0, kept: 0 })
    }
    fn take_back(&mut self, _: Mark) -> bool {
        true
    }
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
