//! Notices that leave while their statement runs.
//!
//! ```text
//!   RAISE NOTICE --> queue --the statement ends--> Client                    in the order of the statement's own messages
//!                      |
//!                      +--old, or many, or the statement waits--> Lane --> the client's wire, beside what the Client still holds
//! ```
//! A statement that tells how far it is, is heard while it runs; one that tells without end is held back by the client that reads it, not by the memory there is.
//!
//! *Invariants*: at most [`MOST`] notices wait where there is a lane. What has left is not said again: a message whose notices left is not run a second time
//! (`again.rs`). Limits: notices that leave so may come before rows of theirs that the client's buffer still holds; a notice before one long statement of a
//! function leaves with the next one, or when that function's next statement begins.
use super::state::State;
use crate::client::Lane;
use pamir_storage::task;
use pamir_txn::CancelReason;
use pamir_types::Error;
use pamir_types::error::{Severity, state};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// As many are sent without waiting for the statement's end.
const MOST: usize = 64;
/// How long the first may wait.
const LONGEST: Duration = Duration::from_millis(50);

#[derive(Default)]
pub struct Telling {
    lane: Option<Arc<dyn Lane>>,
    /// When the first of those that wait came.
    since: Option<Instant>,
    /// When some left last, of this statement's.
    pub sent: Option<Instant>,
    /// How often some have left.
    pub left: u64,
}
impl Telling {
    pub fn by(lane: Option<Arc<dyn Lane>>) -> Telling {
        Telling { lane, ..Telling::default() }
    }
}

impl State {
    /// Whether the client wants to hear such messages.
    pub(super) fn hears(&self, s: Severity) -> bool {
        self.settings.told_from.hears(s)
    }
    /// One for the client, if it wants to hear it.
    pub(super) fn queue(&mut self, e: Error) {
        if !self.hears(e.data().severity) {
            return;
        }
        self.notices.push(e);
        if self.telling.lane.is_some() {
            let now = task::now();
            if self.notices.len() <= 1 {
                self.telling.since = Some(now);
            }
            self.tell_in_time(now);
        }
    }
    /// What has waited for long enough leaves.
    pub(super) fn tell_late(&mut self) {
        if !self.notices.is_empty() && self.telling.lane.is_some() {
            self.tell_in_time(task::now());
        }
    }
    fn tell_in_time(&mut self, now: Instant) {
        let long_ago = |t: Option<Instant>| t.is_some_and(|s| now.saturating_duration_since(s) >= LONGEST);
        let old = long_ago(self.telling.since) || long_ago(self.telling.sent);
        if old || self.notices.len() >= MOST {
            self.tell_now();
        }
    }
    /// All that waits leaves: the statement is about to wait itself.
    pub(super) fn tell_now(&mut self) {
        let Some(lane) = self.telling.lane.clone() else { return };
        if self.notices.is_empty() {
            return;
        }
        self.telling.left += 1;
        let list = std::mem::take(&mut self.notices);
        // From here on each leaves when it comes, unless they come in a row.
        (self.telling.since, self.telling.sent) = (None, Some(task::now()));
        if let Err(e) = lane.notices(&list, &self.settings.text, &self.info.cancel) {
            tracing::debug!("notices: {e}");
            // The statement hears of a cancel by itself; who waited for the wire alone knows that nobody reads it any more.
            if e.code() == state::CONNECTION_FAILURE {
                self.info.cancel.request(CancelReason::Terminate);
            }
        }
    }
}
