//! The leader's side of snapshots: which checkpoint goes out, to whom, how fast, and what of the log stays for those who take it.
//!
//! ```text
//!   a follower lacks what the log no longer has
//!      │ wanted
//!      ▼
//!   cargo: one checkpoint's image for all who ask while it is of use ──── pages at `rate`, to all together ────► follower
//!      of everything up to entry i;  kept CARGO_KEPT after it was last asked for                                   │
//!      a newer one takes its place once the log behind i is gone, or long beside the image                         │
//!   log  ···│i ─────────────────────────────────────────────────► end                                              │
//!            └── stays for whoever answers, until it has caught up (Node::keeps_for)  ◄──────────── Have, Done ────┘
//! ```
//! To replay log costs both sides several times what its bytes cost as pages: who begins anew gets a newer image once the log behind the one at hand is longer than [`LOG_SHARE`] of it.
//! Who has part of the image at hand goes on with it as long as the log allows.
//!
//! Without the log's staying a follower whose pages take longer than the log usually kept would need the next snapshot before it had the first, for ever. What is kept for it is limited ([`Keep::catch_up`]); when a quarter of that is used, the rate is lifted: what is under way should arrive in time.
use crate::NodeId;
use crate::log::Keep;
use crate::members::Members;
use crate::plant::{self, Bug};
use crate::snapshot::{Cargo, PART_PAGES, Ship, Shipment};
use pamir_error::Result;
use pamir_storage::store::PAGE_SIZE;
use pamir_txn::EntryId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An image that nobody wants is kept for so long.
pub const CARGO_KEPT: Duration = Duration::from_secs(30);
/// A sender that was late makes up for so much of it.
const BURST: Duration = Duration::from_millis(50);
/// An image is old when the log behind it is longer than this share of it,
const LOG_SHARE: u64 = 8;
/// ... and than so many bytes, where nothing else is said.
const LEAST_LOG: u64 = 8 << 20;
/// Between two looks at the log that is kept for a shipment, and two words that it goes on.
const LOOK: Duration = Duration::from_secs(1);

/// The node whose checkpoints are sent.
pub trait Quay {
    /// A new checkpoint; None: not now, it is asked again.
    fn load(&mut self) -> Result<Option<Cargo>>;
    /// Entries and bytes of log behind an entry; None: they are no longer all there.
    fn log_since(&mut self, index: u64) -> Result<Option<(u64, u64)>>;
    /// The checkpoint that consensus may offer.
    fn offer(&mut self, of: Option<(EntryId, Members)>);
    /// A follower takes the pages of a checkpoint that holds everything up to `id`.
    fn keep_for(&mut self, to: NodeId, id: EntryId);
    /// A shipment has ended.
    fn sent(&mut self, to: NodeId, arrived: bool);
    /// False: there is no room for it now.
    fn send(&mut self, to: NodeId, ship: &Ship, image: u64) -> bool;
}

/// What is under way from one node.
pub struct Shipping {
    /// Bytes a second to all together; 0: as fast as it goes.
    rate: u64,
    keep: Keep,
    /// With when it was last asked for.
    cargo: Option<(Arc<Cargo>, Instant)>,
    shipments: BTreeMap<NodeId, Shipment>,
    /// Who may have part of the cargo.
    begun: BTreeSet<NodeId>,
    /// Whose turn it was last.
    last: NodeId,
    /// When the next part may go.
    free: Option<Instant>,
    looked: Option<Instant>,
    hurry: bool,
    /// Pages in one message.
    pub part: usize,
    /// An image with no more log behind it is not old.
    pub least_log: u64,
}
impl Shipping {
    pub fn new(rate: u64, keep: Keep) -> Shipping {
        let (shipments, begun) = (BTreeMap::new(), BTreeSet::new());
        let (free, looked) = (None, None);
        let (part, least_log) = (PART_PAGES, LEAST_LOG);
        Shipping { rate, keep, cargo: None, shipments, begun, last: 0, free, looked, hurry: false, part, least_log }
    }
    /// A follower is to get a snapshot; 0: consensus asks for one to offer.
    pub fn wanted(&mut self, quay: &mut dyn Quay, to: NodeId, now: Instant) -> Result<()> {
        let (gone, old) = match &self.cargo {
            Some((c, _)) if !plant::has(Bug::OldCargoKept) => self.judge(c, quay.log_since(c.id.index)?, to),
            cargo => (cargo.is_none(), cargo.is_none()),
        };
        if gone {
            self.cargo = None;
        }
        let loaded = if old { quay.load()? } else { None };
        // What consensus offers is what goes out.
        let offer = to == 0 || loaded.is_some();
        if let Some(c) = loaded {
            self.cargo = Some((Arc::new(c), now));
            self.begun.clear();
        }
        let Some((c, used)) = &mut self.cargo else { return Ok(()) };
        *used = now;
        if offer {
            quay.offer(Some((c.id, c.members.clone())));
        }
        if to != 0 && self.shipments.get(&to).is_none_or(|s| s.cargo.number != c.number) {
            self.begun.insert(to);
            self.shipments.insert(to, Shipment::new(c.clone(), now));
        }
        Ok(())
    }
    /// Is the image of no use any more, is a newer one due for `to`? `log`: entries and bytes behind it.
    fn judge(&self, c: &Cargo, log: Option<(u64, u64)>, to: NodeId) -> (bool, bool) {
        let Some((_, bytes)) = log else { return (true, true) };
        let image = (c.image.len() * PAGE_SIZE) as u64;
        (false, bytes > (image / LOG_SHARE).max(self.least_log) && !self.begun.contains(&to))
    }
    /// What a follower says of an image.
    pub fn answered(&mut self, quay: &mut dyn Quay, from: NodeId, image: u64, ship: &Ship, now: Instant) {
        let Some(s) = self.shipments.get_mut(&from).filter(|s| s.cargo.number == image) else { return };
        if s.told.is_none_or(|t| now >= t + LOOK) || matches!(ship, Ship::Done) {
            s.told = Some(now);
            quay.keep_for(from, s.cargo.id);
        }
        match ship {
            Ship::Have { pages } => s.have(*pages, now),
            Ship::Done => {
                self.shipments.remove(&from);
                self.begun.remove(&from);
                quay.sent(from, true);
            }
            Ship::Begin { .. } | Ship::Part { .. } => {}
        }
    }
    /// Sends what may be sent now.
    pub fn go(&mut self, quay: &mut dyn Quay, now: Instant) {
        if !self.shipments.is_empty() && self.looked.is_none_or(|l| now >= l + LOOK) {
            self.looked = Some(now);
            let least = self.shipments.values().map(|s| s.cargo.id.index).min().unwrap_or(0);
            if let Ok(since) = quay.log_since(least) {
                let used =
                    |(entries, bytes)| entries > self.keep.catch_up_entries / 4 || bytes > self.keep.catch_up / 4;
                self.hurry = since.is_none_or(used);
            }
        }
        let mut idle = 0;
        while idle < self.shipments.len() {
            let after = self.shipments.range((Excluded(self.last), Unbounded)).next().map(|s| *s.0);
            let Some(to) = after.or_else(|| self.shipments.keys().next().copied()) else { break };
            self.last = to;
            match self.send_one(quay, to, now) {
                Ok(true) => idle = 0,
                Ok(false) => idle += 1,
                Err(e) => {
                    tracing::error!(error = %e, "a snapshot cannot be read");
                    self.fail(quay, to);
                }
            }
        }
        let overdue: Vec<NodeId> = self.shipments.iter().filter(|s| s.1.is_overdue(now)).map(|s| *s.0).collect();
        for to in overdue {
            self.fail(quay, to);
        }
        if self.shipments.is_empty() && self.cargo.as_ref().is_some_and(|c| now >= c.1 + CARGO_KEPT) {
            self.let_go(quay);
        }
    }
    /// One message to one follower, if there is one that may go.
    fn send_one(&mut self, quay: &mut dyn Quay, to: NodeId, now: Instant) -> Result<bool> {
        let Some(s) = self.shipments.get_mut(&to) else { return Ok(false) };
        if s.has_begun() && self.free.is_some_and(|f| now < f) {
            return Ok(false);
        }
        let Some(ship) = s.next(self.part)? else { return Ok(false) };
        if let (Ship::Part { pages, .. }, false, 1..) = (&ship, self.hurry, self.rate) {
            let takes = Duration::from_micros((pages.len() as u64).saturating_mul(1_000_000) / self.rate);
            let from = self.free.map_or(now, |f| f.max(now.checked_sub(BURST).unwrap_or(now)));
            self.free = Some(from + takes);
        }
        let gone = quay.send(to, &ship, s.cargo.number);
        if !gone {
            s.again();
        }
        Ok(gone)
    }
    fn fail(&mut self, quay: &mut dyn Quay, to: NodeId) {
        self.shipments.remove(&to);
        quay.sent(to, false);
    }
    /// What was under way to it may be lost.
    pub fn again(&mut self, to: NodeId) {
        if let Some(s) = self.shipments.get_mut(&to) {
            s.again();
        }
    }
    /// The image is nobody's any more, and the next who asks gets a newer one.
    pub fn let_go(&mut self, quay: &mut dyn Quay) {
        self.cargo = None;
        quay.offer(None);
    }
    /// Bytes that are there, and all, for each follower that a snapshot is on its way to.
    pub fn progress(&self) -> impl Iterator<Item = (NodeId, (u64, u64))> + '_ {
        let bytes = |pages: usize| (pages * PAGE_SIZE) as u64;
        self.shipments.iter().map(move |(to, s)| {
            let (have, all) = s.pages();
            (*to, (bytes(have), bytes(all)))
        })
    }
    pub fn is_idle(&self) -> bool {
        self.shipments.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::NodeInfo;
    use pamir_storage::disk::sim::SimDisk;
    use pamir_txn::{Shard, ShardOptions};

    /// A shard of its own in a replica's place.
    struct Alone {
        shard: Arc<Shard>,
        log: Option<(u64, u64)>,
        /// Large commits are under way.
        busy: bool,
        loaded: u64,
        offered: Option<u64>,
    }
    impl Quay for Alone {
        fn load(&mut self) -> Result<Option<Cargo>> {
            if self.busy {
                return Ok(None);
            }
            self.shard.checkpoint()?;
            let image = self.shard.store().image()?;
            self.loaded += 1;
            Ok(Some(Cargo {
                superblock: image.superblock(0),
                image,
                number: self.loaded,
                id: EntryId { term: 1, index: self.loaded },
                reach: 0,
                members: Members::alone(1, NodeInfo::default(), 1),
            }))
        }
        fn log_since(&mut self, _: u64) -> Result<Option<(u64, u64)>> {
            Ok(self.log)
        }
        fn offer(&mut self, of: Option<(EntryId, Members)>) {
            self.offered = of.map(|o| o.0.index);
        }
        fn keep_for(&mut self, _: NodeId, _: EntryId) {}
        fn sent(&mut self, _: NodeId, _: bool) {}
        fn send(&mut self, _: NodeId, _: &Ship, _: u64) -> bool {
            true
        }
    }
    fn alone() -> Alone {
        let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), ShardOptions::default()).unwrap();
        Alone { shard, log: Some((10, LEAST_LOG)), busy: false, loaded: 0, offered: None }
    }
    /// Who takes which image.
    fn under_way(s: &Shipping) -> Vec<(NodeId, u64)> {
        s.shipments.iter().map(|(to, s)| (*to, s.cargo.number)).collect()
    }

    #[test]
    fn who_begins_anew_gets_no_image_with_much_log_behind_it() {
        let (mut quay, now) = (alone(), Instant::now());
        let mut s = Shipping::new(0, Keep::default());
        s.wanted(&mut quay, 0, now).unwrap();
        s.wanted(&mut quay, 2, now).unwrap();
        assert_eq!((under_way(&s), quay.offered), (vec![(2, 1)], Some(1)));
        // Who has part of it goes on, also after its connection was lost for long.
        quay.log = Some((10, LEAST_LOG + 1));
        s.again(2);
        s.wanted(&mut quay, 2, now).unwrap();
        s.fail(&mut quay, 2);
        s.wanted(&mut quay, 2, now).unwrap();
        assert_eq!(under_way(&s), [(2, 1)]);
        // An old one is better than none.
        quay.busy = true;
        s.wanted(&mut quay, 3, now).unwrap();
        assert_eq!(under_way(&s), [(2, 1), (3, 1)]);
        quay.busy = false;
        s.wanted(&mut quay, 4, now).unwrap();
        assert_eq!((under_way(&s), quay.offered), (vec![(2, 1), (3, 1), (4, 2)], Some(2)));
        (2..4).for_each(|n| s.answered(&mut quay, n, 1, &Ship::Done, now));
        s.answered(&mut quay, 4, 2, &Ship::Done, now);
        // Little log of a small image.
        quay.log = Some((10, LEAST_LOG));
        s.wanted(&mut quay, 5, now).unwrap();
        assert_eq!(under_way(&s), [(5, 2)]);
        s.fail(&mut quay, 5);
        // Whose log is gone is of no use to anybody.
        (quay.log, quay.busy) = (None, true);
        s.wanted(&mut quay, 5, now).unwrap();
        assert!(under_way(&s).is_empty() && s.cargo.is_none());
        quay.busy = false;
        s.wanted(&mut quay, 5, now).unwrap();
        assert_eq!((under_way(&s), quay.offered), (vec![(5, 3)], Some(3)));
    }
}
