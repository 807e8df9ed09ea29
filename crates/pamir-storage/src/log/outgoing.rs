//! Blocks on their way into a segment, handed from the appender to whoever syncs them.
//!
//! ```text
//!   begin_sync ──► Due ──► land (the one who syncs, or an appender that must write itself: whoever comes first) ──► Landed | Failed
//!                    └──── give_up (the log is dropped) ──► Failed
//! ```
//! *Invariants*: they are written once; an appender writes nothing before they are there, for the block they end in is the first of the next write and holds more then; once [`Outgoing::give_up`] has
//! returned nobody writes them any more.
use crate::disk::File;
use pamir_error::{Error, Result};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whole blocks, and where in a file they go.
pub(super) struct Blocks {
    pub file: Arc<dyn File>,
    pub offset: u64,
    pub bytes: Vec<u8>,
}
impl Blocks {
    pub fn write(&self) -> Result<()> {
        self.file.write_at(&self.bytes, self.offset)
    }
}
enum State {
    Due(Blocks),
    /// Written, in so long; the buffer is free.
    Landed(Vec<u8>, Duration),
    Failed(Error),
}
/// See the module's words.
pub(super) struct Outgoing(Mutex<State>);
impl Outgoing {
    pub fn new(blocks: Blocks) -> Arc<Outgoing> {
        Arc::new(Outgoing(Mutex::new(State::Due(blocks))))
    }
    /// Writes them, or waits for whoever does, and says what came of it.
    pub fn land(&self) -> Result<()> {
        let mut state = self.0.lock();
        if let State::Due(blocks) = &mut *state {
            let began = Instant::now();
            *state = match blocks.write() {
                Ok(()) => State::Landed(std::mem::take(&mut blocks.bytes), began.elapsed()),
                Err(e) => State::Failed(e),
            };
        }
        match &*state {
            State::Failed(e) => Err(e.clone()),
            _ => Ok(()),
        }
    }
    /// If they are not written yet nobody does it any more.
    pub fn give_up(&self) {
        let mut state = self.0.lock();
        if matches!(*state, State::Due(_)) {
            *state = State::Failed(Error::internal("the log was closed before this was written"));
        }
    }
    /// The buffer of what was written.
    pub fn give_back(&self) -> Vec<u8> {
        match &mut *self.0.lock() {
            State::Landed(b, _) => std::mem::take(b),
            _ => Vec::new(),
        }
    }
    /// How long the write took.
    pub fn took(&self) -> Duration {
        match &*self.0.lock() {
            State::Landed(_, took) => *took,
            _ => Duration::ZERO,
        }
    }
}
