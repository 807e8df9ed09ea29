//! LISTEN, NOTIFY and UNLISTEN (PostgreSQL's documentation of these commands).
//!
//! ```text
//!   NOTIFY c, 'p' ──► Talk::said, gone with its savepoint ──COMMIT──► one entry of MESSAGE_TREE, with all else that the transaction writes
//!                                                                        │ the log; every replica
//!   Mailbox ◄── Listeners::deliver ◄── the applier, in commit order ◄────┘ stored nowhere
//!     └── Cancel::nudge ──► the worker ──► has_news, tell_news: NotificationResponse, when no transaction is open
//! ```
//! ```text
//!   entry := version u8 = 1, process number i32, database u32, (channel length u8, payload length u16, channel, payload)...     integers little-endian; its key: the transaction's number u64, big-endian
//! ```
//! What is said is heard at every node, in the order of the commits, by whoever listened when the commit was applied there: a session listens from just before its LISTEN commits, and no longer once its UNLISTEN has.
//! Saying the same twice in a transaction says it once.
//!
//! *Invariants*: nothing is heard of a transaction that is rolled back, or before it is durable; whoever hears of a commit sees it. A listener's mailbox belongs to its session and goes with it.
//!
//! Limits: payloads of [`MOST_PAYLOAD`] bytes, channels of [`MOST_CHANNEL`], [`MOST_SAID`] bytes a transaction (54000). All of it is charged to the queries' memory. A session that lets [`MOST_UNREAD`] bytes wait (it stays in a transaction, or its client does not read) is
//! ended (57P01): PostgreSQL would stop those who speak. In a cluster NOTIFY needs format 3.
use super::Session;
use super::state::State;
use crate::client::Client;
use pamir_txn::{Cancel, CancelReason, Held, MESSAGE_TREE, MemoryAccount, Txn, shard::Isolation};
use pamir_types::{Oid, Result, bail, err};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of a payload: PostgreSQL's NOTIFY_PAYLOAD_MAX_LENGTH.
pub const MOST_PAYLOAD: usize = 7999;
/// Bytes of a channel's name: as of any name.
pub const MOST_CHANNEL: usize = 63;
/// Bytes that one transaction says.
pub const MOST_SAID: usize = 8 << 20;
/// Bytes that wait for one session.
pub const MOST_UNREAD: usize = 16 << 20;
/// A message's own cost, beside its texts.
const OVERHEAD: usize = 64;
/// The cluster's format from which on all nodes know these entries.
const FORMAT: u64 = 3;
const VERSION: u8 = 1;

/// What one NOTIFY says.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Message {
    channel: Box<str>,
    payload: Box<str>,
}
/// ... and who said it.
struct Heard {
    pid: i32,
    message: Message,
    /// Its bytes, once for all who hear it.
    _held: Held,
}

#[derive(Default)]
struct Unread {
    messages: VecDeque<Arc<Heard>>,
    bytes: usize,
}
/// What a session has heard and not told its client.
struct Mailbox {
    unread: Mutex<Unread>,
    any: AtomicBool,
    cancel: Arc<Cancel>,
}
impl Mailbox {
    fn put(&self, m: &Arc<Heard>) {
        let full = {
            let mut u = self.unread.lock();
            u.bytes += m.message.channel.len() + m.message.payload.len() + OVERHEAD;
            if u.bytes <= MOST_UNREAD {
                u.messages.push_back(m.clone());
            }
            self.any.store(true, Ordering::Release);
            u.bytes > MOST_UNREAD
        };
        match full {
            true => self.end("it does not take what it hears"),
            false => self.cancel.nudge(),
        }
    }
    /// Nothing that was said may be missed: the session goes.
    fn end(&self, why: &'static str) {
        if !self.cancel.pending() {
            tracing::warn!(why, "a session that listens is ended");
            self.cancel.request(CancelReason::Terminate);
        }
    }
    fn take(&self) -> VecDeque<Arc<Heard>> {
        let mut u = self.unread.lock();
        self.any.store(false, Ordering::Release);
        u.bytes = 0;
        std::mem::take(&mut u.messages)
    }
}

/// Who listens to what, of all sessions of this server.
pub(super) struct Listeners {
    all: Mutex<FxHashMap<Oid, Channels>>,
    memory: Arc<MemoryAccount>,
}
/// Of one database.
type Channels = FxHashMap<Box<str>, Vec<Arc<Mailbox>>>;
impl Listeners {
    /// What waits for sessions is charged to `memory`.
    pub fn new(memory: Arc<MemoryAccount>) -> Listeners {
        Listeners { all: Mutex::default(), memory }
    }
    /// Called by the applier.
    pub fn deliver(&self, entry: &[u8]) {
        let all = self.all.lock();
        if all.is_empty() {
            return;
        }
        // What a later format says is not for this build's listeners.
        let Some((pid, database, messages)) = read(entry) else {
            tracing::error!("an entry of NOTIFY is damaged");
            return;
        };
        let Some(channels) = all.get(&database) else { return };
        for (channel, payload) in messages {
            let Some(listeners) = channels.get(channel) else { continue };
            let Ok(held) = self.memory.hold((channel.len() + payload.len() + OVERHEAD) as u64) else {
                listeners.iter().for_each(|m| m.end("no memory is left for what it hears"));
                continue;
            };
            let message = Message { channel: channel.into(), payload: payload.into() };
            let heard = Arc::new(Heard { pid, message, _held: held });
            listeners.iter().for_each(|m| m.put(&heard));
        }
    }
    fn add(&self, database: Oid, channel: &str, m: &Arc<Mailbox>) {
        let mut all = self.all.lock();
        let list = all.entry(database).or_default().entry(channel.into()).or_default();
        if !list.iter().any(|l| Arc::ptr_eq(l, m)) {
            list.push(m.clone());
        }
    }
    fn remove(&self, database: Oid, channel: &str, m: &Arc<Mailbox>) {
        let mut all = self.all.lock();
        let Some(channels) = all.get_mut(&database) else { return };
        if let Some(list) = channels.get_mut(channel) {
            list.retain(|l| !Arc::ptr_eq(l, m));
            if list.is_empty() {
                channels.remove(channel);
            }
        }
        if channels.is_empty() {
            all.remove(&database);
        }
    }
}

/// The speaker's process number, the database, channels and payloads.
type Read<'a> = (i32, Oid, Vec<(&'a str, &'a str)>);
fn read(entry: &[u8]) -> Option<Read<'_>> {
    let (head, mut rest) = entry.split_at_checked(9)?;
    let [VERSION, head @ ..] = head else { return None };
    let (pid, database) = head.split_at_checked(4)?;
    let mut messages = Vec::new();
    while let [channel, low, high, texts @ ..] = rest {
        let (channel, texts) = texts.split_at_checked(usize::from(*channel))?;
        let (payload, after) = texts.split_at_checked(usize::from(u16::from_le_bytes([*low, *high])))?;
        messages.push((std::str::from_utf8(channel).ok()?, std::str::from_utf8(payload).ok()?));
        rest = after;
    }
    let whole = rest.is_empty();
    whole.then_some((i32::from_le_bytes(pid.try_into().ok()?), Oid::from_le_bytes(database.try_into().ok()?), messages))
}

/// LISTEN and UNLISTEN, when their transaction commits.
#[derive(Clone)]
enum Act {
    Listen(Box<str>),
    Unlisten(Box<str>),
    UnlistenAll,
}

/// What a session says and hears.
#[derive(Default)]
pub(super) struct Talk {
    said: Vec<Message>,
    /// The same, to find one.
    once: FxHashSet<Message>,
    /// Of each of `said`: its bytes, here and as the entry.
    held: Vec<Held>,
    bytes: usize,
    acts: Vec<Act>,
    listening: BTreeSet<Box<str>>,
    ears: Option<Ears>,
}
/// A place among the listeners; given up with the session.
struct Ears {
    of: Arc<Listeners>,
    database: Oid,
    mailbox: Arc<Mailbox>,
    channels: BTreeSet<Box<str>>,
}
impl Ears {
    /// Hears these channels and no others.
    fn turn_to(&mut self, channels: BTreeSet<Box<str>>) {
        for c in channels.difference(&self.channels) {
            self.of.add(self.database, c, &self.mailbox);
        }
        for c in self.channels.difference(&channels) {
            self.of.remove(self.database, c, &self.mailbox);
        }
        self.channels = channels;
    }
}
impl Drop for Ears {
    fn drop(&mut self) {
        self.turn_to(BTreeSet::new());
    }
}
/// A place in what an open transaction has said and asked to hear.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark(usize, usize);

impl Talk {
    /// The open transaction has said nothing, and asked for nothing.
    pub fn is_quiet(&self) -> bool {
        self.said.is_empty() && self.acts.is_empty()
    }
    pub fn mark(&self) -> Mark {
        Mark(self.said.len(), self.acts.len())
    }
    pub fn back_to(&mut self, m: Mark) {
        for m in self.said.drain(m.0.min(self.said.len())..) {
            self.bytes -= m.channel.len() + m.payload.len() + OVERHEAD;
            self.once.remove(&m);
        }
        self.held.truncate(self.said.len());
        self.acts.truncate(m.1);
    }
    /// The transaction is over.
    pub fn end(&mut self) {
        if !self.is_quiet() {
            self.back_to(Mark::default());
        }
    }
    fn entry(&self, pid: i32, database: Oid) -> Vec<u8> {
        let mut out = vec![VERSION];
        out.extend_from_slice(&pid.to_le_bytes());
        out.extend_from_slice(&database.to_le_bytes());
        for m in &self.said {
            // Both lengths were looked at when it was said.
            out.push(m.channel.len() as u8);
            out.extend_from_slice(&(m.payload.len() as u16).to_le_bytes());
            out.extend_from_slice(m.channel.as_bytes());
            out.extend_from_slice(m.payload.as_bytes());
        }
        out
    }
    /// The channels that are listened to once the transaction has committed.
    fn to_come(&self) -> BTreeSet<Box<str>> {
        let mut all = self.listening.clone();
        for a in &self.acts {
            match a {
                Act::Listen(c) => drop(all.insert(c.clone())),
                Act::Unlisten(c) => drop(all.remove(c)),
                Act::UnlistenAll => all.clear(),
            }
        }
        all
    }
}

impl State {
    /// NOTIFY, pg_notify.
    pub(super) fn notify(&mut self, channel: &str, payload: &str) -> Result<()> {
        if channel.is_empty() {
            bail!(INVALID_PARAMETER_VALUE, "channel name cannot be empty");
        }
        if channel.len() > MOST_CHANNEL {
            bail!(INVALID_PARAMETER_VALUE, "channel name too long");
        }
        if payload.len() > MOST_PAYLOAD {
            bail!(INVALID_PARAMETER_VALUE, "payload string too long");
        }
        if self.db.engine.format() < FORMAT {
            return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "NOTIFY needs format {FORMAT} of the cluster")
                .hint("It is possible when every node has the new build and the format has risen: see \"pamir cluster status\"."));
        }
        let memory = &self.db.memory;
        let t = &mut self.talk;
        let m = Message { channel: channel.into(), payload: payload.into() };
        if t.once.contains(&m) {
            return Ok(());
        }
        let bytes = t.bytes + m.channel.len() + m.payload.len() + OVERHEAD;
        if bytes > MOST_SAID {
            bail!(PROGRAM_LIMIT_EXCEEDED, "too many notifications in the transaction");
        }
        // Twice in the session, and in the entry.
        t.held.push(memory.hold(3 * (bytes - t.bytes) as u64)?);
        t.bytes = bytes;
        t.once.insert(m.clone());
        t.said.push(m);
        drop(self.begin_if_needed());
        Ok(())
    }
    pub(super) fn listen(&mut self, channel: &str) {
        self.talk.acts.push(Act::Listen(channel.into()));
        drop(self.begin_if_needed());
    }
    /// None: to all.
    pub(super) fn unlisten(&mut self, channel: Option<&str>) {
        // Nobody who has never listened needs a transaction for it.
        if self.talk.ears.is_some() || !self.talk.acts.is_empty() {
            self.talk.acts.push(channel.map_or(Act::UnlistenAll, |c| Act::Unlisten(c.into())));
            drop(self.begin_if_needed());
        }
    }
    /// pg_listening_channels.
    pub(super) fn listening(&self) -> Vec<String> {
        self.talk.listening.iter().map(|c| c.to_string()).collect()
    }
    /// What the transaction has said goes with what it writes.
    pub(super) fn write_said(&mut self, txn: &Txn) -> Result<()> {
        if self.talk.said.is_empty() {
            return Ok(());
        }
        let entry = self.talk.entry(self.info.pid, self.scope.database);
        if !txn.read_only() {
            return txn.put(MESSAGE_TREE, &txn.id().to_be_bytes(), &entry);
        }
        // Saying something is no write to a READ ONLY transaction.
        let t = self.db.engine.begin(Isolation::ReadCommitted, false, self.info.cancel.clone());
        t.put(MESSAGE_TREE, &t.id().to_be_bytes(), &entry)?;
        t.commit().map(drop)
    }
    /// Before COMMIT: what is said from then on is heard.
    pub(super) fn open_ears(&mut self) {
        if self.talk.acts.is_empty() {
            return;
        }
        let mut both = self.talk.to_come();
        both.extend(self.talk.listening.iter().cloned());
        let (of, database, cancel) = (&self.db.listeners, self.scope.database, &self.info.cancel);
        let ears = self.talk.ears.get_or_insert_with(|| Ears {
            of: of.clone(),
            database,
            mailbox: Arc::new(Mailbox {
                unread: Mutex::default(),
                any: AtomicBool::new(false),
                cancel: cancel.clone(),
            }),
            channels: BTreeSet::new(),
        });
        ears.turn_to(both);
    }
    /// After it.
    pub(super) fn settle_ears(&mut self, committed: bool) {
        if self.talk.acts.is_empty() {
            return;
        }
        if committed {
            self.talk.listening = self.talk.to_come();
        }
        let channels = self.talk.listening.clone();
        if let Some(e) = &mut self.talk.ears {
            e.turn_to(channels);
        }
    }
}

impl Session {
    /// Has it heard something that its client does not know yet? One load for who does not listen.
    pub fn has_news(&self) -> bool {
        self.state.talk.ears.as_ref().is_some_and(|e| e.mailbox.any.load(Ordering::Acquire))
    }
    /// Tells the client what was heard. To be called while no transaction is open.
    pub fn tell_news(&mut self, client: &mut dyn Client) {
        let Some(e) = &self.state.talk.ears else { return };
        for h in e.mailbox.take() {
            client.notification(h.pid, &h.message.channel, &h.message.payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let mut t = Talk::default();
        let long = "x".repeat(MOST_PAYLOAD);
        for (c, p) in [("a", ""), ("ch", "payload"), ("é", &long)] {
            t.said.push(Message { channel: c.into(), payload: p.into() });
        }
        let bytes = t.entry(-7, 5);
        assert_eq!(read(&bytes), Some((-7, 5, vec![("a", ""), ("ch", "payload"), ("é", &long)])));
        for n in 0..40 {
            let cut = bytes.get(..n).expect("a part");
            assert!(read(cut).is_none_or(|(.., m)| m.len() < 3), "{n}");
        }
        assert_eq!(read(&[2; 20]), None, "a later version");
    }
}
