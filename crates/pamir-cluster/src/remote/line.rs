//! What carries requests: one call with one answer, or a note without.
//!
//! ```text
//!   task ── call ──► number n, waits          ── frame request n ──►  Host
//!                      waiting[n] ◄── hear ── ◄─ frame answer n ───
//!   given up (cancel, deadline) ──────────────── frame cancel n ──►   ends what waits there
//!   lost(node): all that wait for that node fail
//! ```
//! Invariants: a number is used once in the life of a process, and begins at a random place, so that an answer meant for a process before this one finds nobody; a request that was answered, given up or lost is forgotten. What one task sends to a node
//! comes there in that order; a connection that loses a message is lost ([`Requests::lost`]).
//!
//! A message longer than [`PIECE`] goes in pieces; where there is no room for the next one, who sends it waits, and gives the connection up for it if it may wait no longer: half a message is none.
//!
//! Limits: [`MOST_WAITING`], [`WAITING_BYTES`], [`MESSAGE_BYTES`].
use super::wire::{self, Kind};
use crate::NodeId;
use pamir_error::{Error, Result, bail, err};
use pamir_storage::platform::Platform;
use pamir_storage::task;
use pamir_txn::Cancel;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Requests that wait for answers at a time.
pub const MOST_WAITING: usize = 1 << 16;
/// Their bytes; a single request may have more.
pub const WAITING_BYTES: usize = 256 << 20;
/// Bytes of a message that go in one frame.
pub const PIECE: usize = 4 << 20;
/// Bytes of a whole message: the largest value and what goes with it.
pub const MESSAGE_BYTES: usize = (1 << 30) + (64 << 20);
/// Between two attempts to send where there is no room.
const FULL_PAUSE: Duration = Duration::from_millis(1);

/// The way to a host.
pub trait Line: Send + Sync {
    /// Asks, and waits for the answer, no longer than `until` or `cancel` says: then it has been sent all the same. 08006: the connection or the leader was lost, and nobody knows what became of the request; 53300 and
    /// 53200: it was not sent.
    fn call(&self, request: Vec<u8>, until: Option<Instant>, cancel: &Cancel) -> Result<Vec<u8>>;
    /// Says something that has no answer. Whether it comes is learnt with the next call.
    fn tell(&self, note: Vec<u8>);
    /// The connection, or the leadership, that it was for is over; for good.
    fn is_lost(&self) -> bool;
}

/// Sends bytes to nodes: a node's transport.
pub trait Post: Send + Sync {
    /// What is sent arrives whole and in order, or the connection is lost. It must not wait. A frame has little more than [`PIECE`] bytes.
    fn send(&self, to: NodeId, bytes: Vec<u8>) -> Result<(), Refused>;
}
/// Why nothing was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no room at present.
    Full,
    /// There is no connection.
    Away,
}
/// Sends a message, in pieces if it is long. Waits for room as long as `wait` says so.
pub(super) fn send(
    post: &dyn Post,
    to: NodeId,
    (piece, kind): (Kind, Kind),
    number: u64,
    body: &[u8],
    mut wait: impl FnMut() -> bool,
) -> Result<(), Refused> {
    let mut rest = body;
    loop {
        let (now, later) = rest.split_at(rest.len().min(PIECE));
        let kind = if later.is_empty() { kind } else { piece };
        while let Err(e) = post.send(to, wire::frame(kind, number, now)) {
            if e == Refused::Away || !wait() {
                return Err(e);
            }
            task::sleep(FULL_PAUSE, |_| false);
        }
        if later.is_empty() {
            return Ok(());
        }
        rest = later;
    }
}

/// Runs jobs that may wait as tasks do.
pub trait Spawn: Send + Sync {
    fn spawn(&self, job: Box<dyn FnOnce() + Send>);
}

/// The connection to the host, or its leadership, was lost.
pub fn lost() -> Error {
    err!(CONNECTION_FAILURE, "the connection to the leader was lost")
}
/// Is it [`lost`], or said by a line in the same words?
pub fn is_lost(e: &Error) -> bool {
    e.code() == pamir_error::error::state::CONNECTION_FAILURE
}

struct Waiter {
    node: NodeId,
    bytes: usize,
    waker: Option<Waker>,
    /// What has come of it.
    pieces: Vec<u8>,
    answer: Option<Result<Vec<u8>>>,
}
#[derive(Default)]
struct Waiting {
    next: u64,
    bytes: usize,
    of: FxHashMap<u64, Waiter>,
}
impl Waiting {
    fn forget(&mut self, number: u64) -> Option<Waiter> {
        let w = self.of.remove(&number)?;
        self.bytes = self.bytes.saturating_sub(w.bytes);
        Some(w)
    }
}

/// Notes that found no room, by their nodes, in order.
#[derive(Default)]
struct Backlog {
    bytes: usize,
    of: FxHashMap<NodeId, VecDeque<Vec<u8>>>,
}
impl Backlog {
    fn push(&mut self, node: NodeId, frame: Vec<u8>) {
        // Beyond this, a note that is missing ends its transaction with the next message.
        if self.bytes + frame.len() <= WAITING_BYTES {
            self.bytes += frame.len();
            self.of.entry(node).or_default().push_back(frame);
        }
    }
    /// True: nothing waits for this node.
    fn send(&mut self, node: NodeId, post: &dyn Post) -> bool {
        let Some(list) = self.of.get_mut(&node) else { return true };
        while let Some(frame) = list.front() {
            match post.send(node, frame.clone()) {
                Err(Refused::Full) => return false,
                Err(Refused::Away) => return self.forget(node),
                Ok(()) => {
                    self.bytes = self.bytes.saturating_sub(frame.len());
                    list.pop_front();
                }
            }
        }
        self.forget(node)
    }
    fn forget(&mut self, node: NodeId) -> bool {
        let bytes: usize = self.of.remove(&node).iter().flatten().map(Vec::len).sum();
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }
}

/// Requests of this node that are under way.
pub struct Requests {
    post: Arc<dyn Post>,
    waiting: Mutex<Waiting>,
    backlog: Mutex<Backlog>,
    /// There is a backlog.
    late: AtomicBool,
    /// The line to each node, as long as somebody has it.
    lines: Mutex<FxHashMap<NodeId, Weak<ToNode>>>,
}
/// One that waits; forgotten when dropped, and given up if it was not answered.
struct Request<'a> {
    of: &'a Requests,
    number: u64,
    node: NodeId,
    answered: bool,
}
impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.of.waiting.lock().forget(self.number);
        if !self.answered {
            self.of.say(self.node, wire::frame(Kind::Cancel, self.number, &[]));
        }
    }
}

/// A number that no process before this one has begun with.
pub(super) fn first_number(platform: &dyn Platform) -> Result<u64> {
    let mut b = [0; 8];
    platform.random(&mut b[..6])?;
    Ok(u64::from_le_bytes(b).max(1))
}

impl Requests {
    pub fn new(post: Arc<dyn Post>, platform: &dyn Platform) -> Result<Arc<Requests>> {
        let waiting = Waiting { next: first_number(platform)?, ..Waiting::default() };
        let (backlog, late) = (Mutex::default(), AtomicBool::new(false));
        Ok(Arc::new(Requests { post, waiting: Mutex::new(waiting), backlog, late, lines: Mutex::default() }))
    }
    /// The line to a node: the same one until it is lost, for good.
    pub fn line(self: &Arc<Self>, node: NodeId) -> Arc<dyn Line> {
        let mut lines = self.lines.lock();
        if let Some(line) = lines.get(&node).and_then(Weak::upgrade) {
            return line;
        }
        let line = Arc::new(ToNode { requests: self.clone(), node, lost: AtomicBool::new(false) });
        lines.insert(node, Arc::downgrade(&line));
        line
    }
    /// An answer came, or a piece of it.
    pub fn hear(&self, from: NodeId, number: u64, answer: &[u8], whole: bool) {
        let mut waiting = self.waiting.lock();
        let Some(w) = waiting.of.get_mut(&number).filter(|w| w.node == from && w.answer.is_none()) else { return };
        w.pieces.extend_from_slice(answer);
        if w.pieces.len() > MESSAGE_BYTES {
            w.answer = Some(Err(too_long()));
        } else if whole {
            w.answer = Some(Ok(std::mem::take(&mut w.pieces)));
        } else {
            return;
        }
        let waker = w.waker.take();
        drop(waiting);
        if let Some(w) = waker {
            w.wake()
        }
    }
    /// The connection to `node` is lost, or it leads no longer: nobody will answer.
    pub fn lost(&self, node: NodeId) {
        // The line before those that wait: who begins to wait later sees it.
        let line = self.lines.lock().remove(&node).and_then(|l| l.upgrade());
        if let Some(l) = line {
            l.lost.store(true, Ordering::SeqCst);
        }
        self.backlog.lock().forget(node);
        let mut wake = Vec::new();
        let mut waiting = self.waiting.lock();
        for w in waiting.of.values_mut().filter(|w| w.node == node && w.answer.is_none()) {
            w.answer = Some(Err(lost()));
            wake.extend(w.waker.take());
        }
        drop(waiting);
        wake.into_iter().for_each(Waker::wake);
    }
    /// [`Requests::lost`] of a node that is still connected and does not know it: it is told to give up what it holds for this node.
    pub fn forsake(&self, node: NodeId) {
        self.lost(node);
        self.reset(node);
    }
    fn reset(&self, node: NodeId) {
        self.say(node, wire::frame(Kind::Reset, 0, &[]));
    }
    /// How many requests are under way.
    pub fn under_way(&self) -> usize {
        self.waiting.lock().of.len()
    }
    /// Sends notes that found no room. To be called about once a second, or when there is room again.
    pub fn flush(&self) {
        if self.late.load(Ordering::SeqCst) {
            let nodes: Vec<NodeId> = self.backlog.lock().of.keys().copied().collect();
            nodes.into_iter().for_each(|n| _ = self.caught_up(n));
        }
    }
    /// Sends a small frame that nobody waits for, now or as soon as there is room.
    fn say(&self, node: NodeId, frame: Vec<u8>) {
        if !self.late.load(Ordering::SeqCst) && self.post.send(node, frame.clone()) != Err(Refused::Full) {
            return;
        }
        {
            let mut b = self.backlog.lock();
            self.late.store(true, Ordering::SeqCst);
            b.push(node, frame);
        }
        self.caught_up(node);
    }
    /// Sends what waits for a node; false: there is no room for all of it.
    fn caught_up(&self, node: NodeId) -> bool {
        let mut b = self.backlog.lock();
        let sent = b.send(node, &*self.post);
        if b.of.is_empty() {
            self.late.store(false, Ordering::SeqCst);
        }
        sent
    }
    fn begin(&self, node: NodeId, bytes: usize) -> Result<Request<'_>> {
        let mut waiting = self.waiting.lock();
        if waiting.of.len() >= MOST_WAITING {
            bail!(TOO_MANY_CONNECTIONS, "too many requests to the leader are under way");
        }
        if waiting.bytes > 0 && waiting.bytes + bytes > WAITING_BYTES {
            bail!(OUT_OF_MEMORY, "requests to the leader that are under way have too many bytes");
        }
        waiting.bytes += bytes;
        let number = waiting.next;
        waiting.next += 1;
        waiting.of.insert(number, Waiter { node, bytes, waker: None, pieces: Vec::new(), answer: None });
        Ok(Request { of: self, number, node, answered: false })
    }
    fn call(&self, line: &ToNode, body: &[u8], until: Option<Instant>, cancel: &Cancel) -> Result<Vec<u8>> {
        if body.len() > MESSAGE_BYTES {
            return Err(too_long());
        }
        let node = line.node;
        let mut request = self.begin(node, body.len())?;
        if line.lost.load(Ordering::SeqCst) {
            request.answered = true;
            return Err(lost());
        }
        let patient = || cancel.check().is_ok() && until.is_none_or(|u| task::now() < u);
        // Behind what was said before.
        while self.late.load(Ordering::SeqCst) && !self.caught_up(node) {
            if !patient() {
                return Err(lost());
            }
            task::sleep(FULL_PAUSE, |_| false);
        }
        let kinds = (Kind::RequestPiece, Kind::Request);
        if let Err(e) = send(&*self.post, node, kinds, request.number, body, patient) {
            request.answered = e == Refused::Away;
            return Err(lost());
        }
        line.after_sending();
        let poll = |w: &Waker| {
            cancel.register(w);
            let mut waiting = self.waiting.lock();
            let Some(waiter) = waiting.of.get_mut(&request.number) else { return Poll::Ready(Err(lost())) };
            if let Some(a) = waiter.answer.take() {
                request.answered = true;
                return Poll::Ready(a);
            }
            waiter.waker = Some(w.clone());
            drop(waiting);
            cancel.check().map_or_else(|e| Poll::Ready(Err(e)), |()| Poll::Pending)
        };
        task::wait(until, poll).unwrap_or_else(|| Err(timed_out()))
    }
}
#[cold]
pub(super) fn too_long() -> Error {
    err!(OUT_OF_MEMORY, "a message between nodes is longer than {MESSAGE_BYTES} bytes")
}
#[cold]
fn timed_out() -> Error {
    err!(QUERY_CANCELED, "canceling statement due to statement timeout")
}

struct ToNode {
    requests: Arc<Requests>,
    node: NodeId,
    /// Its connection, or the leadership it was for, is over.
    lost: AtomicBool,
}
impl Line for ToNode {
    fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }
    fn call(&self, request: Vec<u8>, until: Option<Instant>, cancel: &Cancel) -> Result<Vec<u8>> {
        self.requests.call(self, &request, until, cancel)
    }
    fn tell(&self, note: Vec<u8>) {
        // If nobody is there, nothing is held there either.
        if !self.lost.load(Ordering::SeqCst) {
            self.requests.say(self.node, wire::frame(Kind::Note, 0, &note));
            self.after_sending();
        }
    }
}
impl ToNode {
    /// What went out after the line was given up, on the way of the next one, would be held for nobody.
    fn after_sending(&self) {
        if self.lost.load(Ordering::SeqCst) {
            self.requests.reset(self.node);
        }
    }
}
