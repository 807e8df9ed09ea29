//! Entries on their way to members that do not vote yet: no faster than a rate, so that commits of those who do keep the links, disks and processors.
//!
//! ```text
//!   consensus ── appends to a learner ──► held, in order ── credit ──► out
//!                                           credit: rate × time + what the leader's log grows by
//! ```
//! What the log grows by counts as credit: a learner is never further behind than it was, and gets nearer by the rate. To consensus it is a slow link, and what is held for a member is bounded as one's queue is: beyond `most` messages it is lost. (Each answer to a heartbeat makes room in consensus' window, though nothing was stored.)
use crate::NodeId;
use raft::eraftpb::{Message, MessageType};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Bytes of credit that are kept.
const BURST: i64 = 1 << 20;
/// What a message counts beside its entries.
const HEAD: i64 = 64;
/// Held messages are looked at no more often.
const LEAST_PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub struct Trickle {
    /// Bytes a second; 0: without limit.
    rate: u64,
    /// Messages that are held for one member.
    most: usize,
    credit: i64,
    since: Instant,
    held: VecDeque<Message>,
}
impl Trickle {
    pub fn new(rate: u64, most: usize, now: Instant) -> Trickle {
        Trickle { rate, most, credit: BURST, since: now, held: VecDeque::new() }
    }
    /// From now on.
    pub fn set_rate(&mut self, rate: u64) {
        self.rate = rate;
    }
    /// Time has passed, and the log has grown by so many bytes.
    pub fn earn(&mut self, now: Instant, grown: u64) {
        let micros = now.saturating_duration_since(self.since).as_micros().min(1_000_000) as u64;
        self.since = now;
        let earned = micros.saturating_mul(self.rate) / 1_000_000;
        self.credit = self.credit.saturating_add_unsigned(earned.saturating_add(grown)).min(BURST);
    }
    fn takes(&mut self, m: &Message) {
        let bytes: i64 = m.entries.iter().map(|e| (e.data.len() + e.context.len()) as i64).sum();
        self.credit -= bytes + HEAD;
    }
    /// A message to a member that does not vote: it comes back if it may go now.
    pub fn pass(&mut self, m: Message) -> Option<Message> {
        // Without entries it still stands behind those that have some.
        if m.get_msg_type() != MessageType::MsgAppend || self.rate == 0 && self.held.is_empty() {
            return Some(m);
        }
        if self.credit <= 0 || !self.held.is_empty() {
            if self.held.iter().filter(|h| h.to == m.to).count() < self.most {
                self.held.push_back(m);
            }
            return None;
        }
        self.takes(&m);
        Some(m)
    }
    /// The next of those that may go.
    pub fn take_due(&mut self) -> Option<Message> {
        if self.credit <= 0 && self.rate > 0 {
            return None;
        }
        let m = self.held.pop_front()?;
        self.takes(&m);
        Some(m)
    }
    /// All that are held for a member: it votes now.
    pub fn all_of(&mut self, to: NodeId) -> Vec<Message> {
        if self.held.iter().all(|m| m.to != to) {
            return Vec::new();
        }
        let (of, rest) = std::mem::take(&mut self.held).into_iter().partition(|m| m.to == to);
        self.held = rest;
        Vec::from(of)
    }
    /// The leadership is over: nobody waits for them.
    pub fn clear(&mut self) {
        self.held.clear();
    }
    /// When one may go.
    pub fn due(&self) -> Option<Instant> {
        self.held.front()?;
        let lacks = u64::try_from(1 - self.credit).unwrap_or(0);
        let wait = if self.rate == 0 { 0 } else { lacks.saturating_mul(1_000_000).div_ceil(self.rate) };
        Some(self.since + Duration::from_micros(wait).max(LEAST_PAUSE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raft::eraftpb::Entry;

    const MOST: usize = 64;

    fn append(to: NodeId, bytes: usize) -> Message {
        let mut m = Message { to, ..Message::default() };
        m.set_msg_type(MessageType::MsgAppend);
        if bytes > 0 {
            m.set_entries(vec![Entry { data: vec![1; bytes].into(), ..Entry::default() }].into());
        }
        m
    }
    fn passed(t: &mut Trickle, m: Message) -> bool {
        t.pass(m).is_some()
    }
    fn out(t: &mut Trickle) -> usize {
        std::iter::from_fn(|| t.take_due()).count()
    }

    #[test]
    fn no_faster_than_its_rate() {
        let start = Instant::now();
        let mut t = Trickle::new(1 << 20, MOST, start);
        let sent = (0..10).filter(|_| passed(&mut t, append(4, 512 << 10))).count();
        assert_eq!(sent, 2);
        // A heartbeat goes past them, an append without entries does not.
        let mut beat = Message::default();
        beat.set_msg_type(MessageType::MsgHeartbeat);
        assert!(passed(&mut t, beat) && !passed(&mut t, append(4, 0)));
        let mut got = 0;
        for ms in 1..=2_000 {
            t.earn(start + Duration::from_millis(ms), 0);
            got += out(&mut t);
        }
        // Two seconds' worth.
        assert_eq!(got, 4);
        // What the log grows by comes on top of it.
        t.earn(start + Duration::from_millis(2_000), 1 << 20);
        assert_eq!(out(&mut t), 2);
        let due = t.due().unwrap();
        t.earn(due - Duration::from_millis(1), 0);
        assert_eq!(out(&mut t), 0);
        let due = t.due().unwrap();
        t.earn(due, 0);
        assert_eq!(out(&mut t), 1);
    }
    #[test]
    fn a_new_voter_waits_for_nothing() {
        let mut t = Trickle::new(1, MOST, Instant::now());
        (0..4).for_each(|n| drop(t.pass(append(4 + n % 2, 2 << 20))));
        assert_eq!(t.all_of(5).len(), 2);
        assert_eq!(t.all_of(4).len(), 1);
        assert_eq!((t.all_of(4).len(), t.due()), (0, None));
    }
    #[test]
    fn what_is_held_is_bounded() {
        let mut t = Trickle::new(1, MOST, Instant::now());
        (0..10 * MOST as u64).for_each(|n| drop(t.pass(append(4 + n % 2, 2 << 20))));
        assert_eq!((t.all_of(4).len(), t.all_of(5).len()), (MOST, MOST));
    }
    #[test]
    fn without_a_limit_nothing_is_held() {
        let mut t = Trickle::new(0, MOST, Instant::now());
        assert!((0..100).all(|_| passed(&mut t, append(4, 1 << 20))));
        let mut t = Trickle::new(1, MOST, Instant::now());
        (0..4).for_each(|_| drop(t.pass(append(4, 2 << 20))));
        t.set_rate(0);
        assert!(t.due().is_some());
        assert_eq!(out(&mut t), 3);
    }
}
