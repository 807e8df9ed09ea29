//! What waits to be sent to a peer, and what came from it and is still held.
//!
//! ```text
//!   send --> Queues (one deque a class, each with a limit in bytes) --Link::fill--> frames
//!   frames --Link::receive--> Message --Handler::received--> dropped or taken: Held goes down, and the sender is told (frame Taken)
//! ```
//! *Invariants*: a queue's bytes are those of its messages and of what each costs beside them, whole as long as a piece of the message waits; they never pass the limit. A [`Message`] is
//! counted in [`Held`] from the moment it is whole until it is dropped or its bytes are taken out.
use super::frame::Kind;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a message waits behind: those of its own class, and never those of a later one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Heartbeats, votes, leases: always first, at most [`MAX_CONTROL`] bytes each.
    Control,
    /// Appends and their answers.
    Log,
    /// Snapshots.
    Bulk,
}
impl Class {
    pub const ALL: [Class; 3] = [Class::Control, Class::Log, Class::Bulk];
    pub fn of(i: u8) -> Option<Class> {
        Class::ALL.get(usize::from(i)).copied()
    }
    pub(super) fn kind(self) -> Kind {
        match self {
            Class::Control => Kind::Control,
            Class::Log => Kind::Log,
            Class::Bulk => Kind::Bulk,
        }
    }
    /// The longest message.
    pub fn max_message(self) -> usize {
        if self == Class::Control { MAX_CONTROL } else { MAX_MESSAGE }
    }
}

/// The longest message of class Control: one frame.
pub const MAX_CONTROL: usize = 16 << 10;
/// The longest message of the other classes.
pub const MAX_MESSAGE: usize = 32 << 20;
/// What a message costs in a queue beside its bytes.
pub const MESSAGE_COST: usize = 64;

/// Bytes that may wait for one peer, by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub control: usize,
    pub log: usize,
    pub bulk: usize,
}
impl Default for Limits {
    fn default() -> Limits {
        Limits { control: 256 << 10, log: 64 << 20, bulk: 40 << 20 }
    }
}
impl Limits {
    pub fn of(&self, class: Class) -> usize {
        match class {
            Class::Control => self.control,
            Class::Log => self.log,
            Class::Bulk => self.bulk,
        }
    }
}

/// Why a message was not taken. The caller has it no longer; what it said must be said anew, if it still matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The queue is full: the peer or the way to it is slow.
    Full,
    /// There is no connection, and the last attempt to make one failed.
    Away,
    /// Nobody has that id.
    Unknown,
    /// It is longer than its class allows.
    TooLong,
    /// The transport has stopped.
    Stopped,
}
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Full => "the queue of messages to the node is full",
            Refused::Away => "there is no connection to the node",
            Refused::Unknown => "the node is unknown",
            Refused::TooLong => "the message is too long",
            Refused::Stopped => "the transport has stopped",
        })
    }
}

/// Messages and their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    pub messages: u64,
    pub bytes: u64,
}
impl Traffic {
    pub(super) fn add(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes += bytes as u64;
    }
}

/// What waits for one peer.
pub struct Queues {
    limits: Limits,
    waiting: [VecDeque<Vec<u8>>; 3],
    bytes: [usize; 3],
    /// How much of the first message of each class has gone.
    gone: [usize; 3],
    /// Messages that went wholly.
    pub sent: [Traffic; 3],
    /// Messages are taken: there is a connection, or one is being made.
    pub open: bool,
}
impl Queues {
    pub fn new(limits: Limits) -> Queues {
        Queues {
            limits,
            waiting: Default::default(),
            bytes: [0; 3],
            gone: [0; 3],
            sent: Default::default(),
            open: true,
        }
    }
    pub fn push(&mut self, class: Class, message: Vec<u8>) -> Result<(), Refused> {
        let c = class as usize;
        if message.len() > class.max_message() {
            return Err(Refused::TooLong);
        }
        if !self.open {
            return Err(Refused::Away);
        }
        // What was allocated counts, not what is used of it.
        let cost = message.capacity() + MESSAGE_COST;
        if self.bytes[c] + cost > self.limits.of(class) {
            return Err(Refused::Full);
        }
        self.bytes[c] += cost;
        self.waiting[c].push_back(message);
        Ok(())
    }
    pub fn is_empty(&self, class: Class) -> bool {
        self.waiting[class as usize].is_empty()
    }
    /// Bytes that wait, by class.
    pub fn bytes(&self) -> [usize; 3] {
        self.bytes
    }
    /// The next piece of the class's first message, at most `max` bytes, and whether the message goes on behind it. `use_it` has it while it is there.
    pub(super) fn piece<R>(&mut self, class: Class, max: usize, use_it: impl FnOnce(&[u8], bool) -> R) -> Option<R> {
        let c = class as usize;
        let message = self.waiting[c].front()?;
        let rest = message.get(self.gone[c]..).unwrap_or_default();
        let piece = rest.get(..max).unwrap_or(rest);
        let more = piece.len() < rest.len();
        let r = use_it(piece, more);
        if more {
            self.gone[c] += piece.len();
        } else if let Some(m) = self.waiting[c].pop_front() {
            self.gone[c] = 0;
            self.bytes[c] -= m.capacity() + MESSAGE_COST;
            self.sent[c].add(m.len());
        }
        Some(r)
    }
    /// Forgets all that waits; true if there was something.
    pub fn clear(&mut self) -> bool {
        let some = self.bytes.iter().any(|b| *b > 0);
        (self.waiting, self.bytes, self.gone) = Default::default();
        some
    }
}

/// Bytes that came over one connection and that nobody has taken yet, by class.
pub struct Held {
    bytes: [AtomicUsize; 3],
    /// The sender waits to hear that something was taken.
    owed: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}
impl Held {
    /// `wake` is called, from any thread, when the sender should be told that it may go on: [`super::link::Link::grant`] tells it.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Arc<Held> {
        Arc::new(Held { bytes: Default::default(), owed: AtomicBool::new(false), wake: Box::new(wake) })
    }
    pub(super) fn bytes(&self, class: Class) -> usize {
        self.bytes[class as usize].load(Ordering::SeqCst)
    }
    /// From now on whoever takes something wakes the link; the caller looks at [`Held::bytes`] after that, not before.
    pub(super) fn owe(&self) {
        self.owed.store(true, Ordering::SeqCst);
    }
    fn release(&self, class: Class, n: usize) {
        self.bytes[class as usize].fetch_sub(n, Ordering::SeqCst);
        if self.owed.swap(false, Ordering::SeqCst) {
            (self.wake)();
        }
    }
}
impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.bytes)
    }
}

/// A message that came. As long as it is there its sender may have less on its way: whoever is slow at his work keeps messages, not their bytes, so that it is felt where they come from.
#[derive(Debug)]
pub struct Message {
    bytes: Vec<u8>,
    class: Class,
    /// Bytes of its frames.
    size: usize,
    held: Arc<Held>,
}
impl Message {
    pub(super) fn new(class: Class, bytes: Vec<u8>, size: usize, held: &Arc<Held>) -> Message {
        held.bytes[class as usize].fetch_add(size, Ordering::SeqCst);
        Message { bytes, class, size, held: held.clone() }
    }
    /// Its bytes; for the sender it is taken.
    pub fn into_vec(mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
impl Deref for Message {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}
impl Drop for Message {
    fn drop(&mut self) {
        self.held.release(self.class, self.size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_hold_to_their_limits() {
        let mut q = Queues::new(Limits { control: 1000, log: 100_000, bulk: 0 });
        assert_eq!(q.push(Class::Bulk, vec![]), Err(Refused::Full));
        assert_eq!(q.push(Class::Control, vec![0; MAX_CONTROL + 1]), Err(Refused::TooLong));
        let mut n = 0;
        while q.push(Class::Control, vec![n; 10]).is_ok() {
            n += 1;
        }
        assert_eq!((usize::from(n), q.bytes()[0]), (1000 / (10 + MESSAGE_COST), usize::from(n) * (10 + MESSAGE_COST)));
        q.push(Class::Log, (0..100).collect()).unwrap();
        let mut got = Vec::new();
        loop {
            let more = q.piece(Class::Log, 33, |p, more| {
                got.extend_from_slice(p);
                more
            });
            assert_eq!(q.bytes()[1] > 0, more.unwrap(), "a message counts until its last piece has gone");
            if more == Some(false) {
                break;
            }
        }
        assert_eq!(got, (0..100).collect::<Vec<u8>>());
        assert_eq!(q.sent[1], Traffic { messages: 1, bytes: 100 });
        assert_eq!(q.piece(Class::Log, 33, |_, _| ()), None);
        assert!(q.clear() && !q.clear() && q.is_empty(Class::Control));
        q.open = false;
        assert_eq!(q.push(Class::Control, vec![]), Err(Refused::Away));
    }

    #[test]
    fn who_takes_wakes() {
        let woken = Arc::new(AtomicUsize::new(0));
        let w = woken.clone();
        let held = Held::new(move || {
            w.fetch_add(1, Ordering::SeqCst);
        });
        let a = Message::new(Class::Log, vec![1, 2], 12, &held);
        let b = Message::new(Class::Log, vec![3], 11, &held);
        assert_eq!((held.bytes(Class::Log), &a[..]), (23, &[1, 2][..]));
        drop(a);
        assert_eq!(woken.load(Ordering::SeqCst), 0);
        held.owe();
        assert_eq!(b.into_vec(), [3]);
        assert_eq!((held.bytes(Class::Log), woken.load(Ordering::SeqCst)), (0, 1));
    }
}
