//! Rows' keys by an inverted index: what a [`Need`] leaves of the lists that the index has, one a key.
//!
//! ```text
//!  All(a, b, c)      the lists are read side by side, up to CAP entries each, then four times as many ...
//!                    until one of them has come to its end: it and those that have, too, are intersected; longer ones stay unread
//!  Some(n, lists)    all are read; keys that are in as many of them
//! ```
//! So the cost goes with the shortest list, not with that of a word that everybody has. The rows' own conditions are tested again by whoever asks.
use super::rows::Charge;
use pamir_expr::access::{self, IndexLayout};
use pamir_expr::inverted::{self, Need};
use pamir_expr::ranges::ALLOCATION_BYTES;
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::shard::Isolation;
use pamir_txn::{MemoryAccount, Scan, Snapshot, Txn};
use pamir_types::{Result, work};
use std::sync::Arc;

/// Entries of a list that are read before another one is looked at.
const CAP: usize = 256;
const GROWTH: usize = 4;
/// So many entries of a list cost no more than a row that it may leave out.
const WORTH: usize = 8;

/// Rows' keys, ascending.
type List = Vec<Vec<u8>>;
/// Reads lists of one index.
pub struct Reader<'a> {
    pub txn: &'a Txn,
    /// None: the newest state.
    pub snapshot: Option<&'a Snapshot>,
    pub memory: &'a Arc<MemoryAccount>,
    pub tree: TreeId,
    pub lay: &'a IndexLayout,
    pub charge: &'a mut Charge,
    /// Entries read.
    pub read: u64,
    /// Bytes of the lists that are kept, and the most that they may have.
    pub bytes: usize,
    pub room: usize,
}
/// Why there is no list.
pub enum Unread {
    /// It has more entries than were asked for.
    Longer,
    /// Memory is short, or the need leaves all rows.
    All,
}
impl Reader<'_> {
    /// The keys of the rows that a need leaves; up to `cap` entries of a list are read.
    pub fn rows(&mut self, need: &Need, cap: usize) -> Result<std::result::Result<List, Unread>> {
        Ok(match need {
            Need::Any => Err(Unread::All),
            Need::Nothing => Ok(List::new()),
            Need::Key(_) => self.spans(std::slice::from_ref(need), cap)?,
            Need::Prefix(_) | Need::Span(..) => {
                self.spans(std::slice::from_ref(need), cap)?.map(|list| self.once(list, 1))
            }
            Need::All(needs) => return self.all(needs, cap),
            Need::Some(1, needs) if self.txn.isolation() != Isolation::Serializable && are_spans(needs) => {
                self.spans(needs, cap)?.map(|list| self.once(list, 1))
            }
            Need::Some(least, needs) => {
                let mut together = List::new();
                for n in needs {
                    match self.rows(n, cap)? {
                        Ok(list) => together.extend(list),
                        Err(e) => return Ok(Err(e)),
                    }
                }
                Ok(self.once(together, *least))
            }
        })
    }
    /// Keys that are in a list so often, at least, each once.
    fn once(&mut self, mut list: List, least: usize) -> List {
        let before = size(&list);
        list.sort_unstable();
        if least == 1 {
            list.dedup();
        } else {
            list = in_several(list, least);
        }
        self.bytes -= before - size(&list);
        list
    }
    fn all(&mut self, needs: &[Need], most: usize) -> Result<std::result::Result<List, Unread>> {
        let mut cap = CAP.min(most);
        loop {
            let mut found: Option<List> = None;
            for n in needs {
                let kept = self.bytes;
                // A row that is left costs more than some entries that are read.
                let cap = found.as_ref().map_or(cap, |f| cap.max(f.len().saturating_mul(WORTH)).min(most));
                match self.rows(n, cap)? {
                    Ok(list) => {
                        found = Some(match found {
                            Some(f) => {
                                let both = size(&f) + size(&list);
                                let f = intersect(f, &list);
                                self.bytes -= both - size(&f);
                                f
                            }
                            None => list,
                        });
                    }
                    Err(Unread::Longer) => self.bytes = kept,
                    Err(e) => return Ok(Err(e)),
                }
                if found.as_ref().is_some_and(List::is_empty) {
                    break;
                }
            }
            match found {
                Some(f) => return Ok(Ok(f)),
                None if cap >= most => return Ok(Err(Unread::Longer)),
                None => cap = cap.saturating_mul(GROWTH).min(most),
            }
        }
    }
    /// The rows of entries that lie together, or in any of several spans, most of which are empty (ranges ask so): a scan says where the next entry is, spans before that are not
    /// looked at.
    fn spans(&mut self, needs: &[Need], cap: usize) -> Result<std::result::Result<List, Unread>> {
        let mut all: smallvec::SmallVec<[inverted::Span; 1]> = smallvec::SmallVec::with_capacity(needs.len());
        for n in needs {
            all.extend(inverted::entries(n)?);
        }
        all.sort_unstable();
        // Endless is the furthest.
        let furthest = all.iter().map(|s| s.1.as_deref()).max_by_key(|hi| (hi.is_none(), *hi));
        let end = furthest.flatten();
        let (mut out, mut bytes) = (List::new(), 0);
        let mut next: Option<Vec<u8>> = None;
        for (lo, hi) in &all {
            if let (Some(next), Some(hi)) = (&next, hi)
                && hi <= next
            {
                continue;
            }
            next = None;
            let mut scan = self.scan(lo, end)?;
            while let Some((k, v)) = scan.next(self.txn)? {
                work::charge(work::ROW as usize)?;
                self.read += 1;
                if hi.as_deref().is_some_and(|hi| k >= hi) {
                    next = Some(k.to_vec());
                    break;
                }
                if out.len() >= cap {
                    return Ok(Err(Unread::Longer));
                }
                let row = access::entry_pk(self.lay, k, v)?.to_vec();
                bytes += size_of_key(&row);
                if self.bytes + bytes > self.room {
                    return Ok(Err(Unread::All));
                }
                out.push(row);
            }
            if next.is_none() {
                break;
            }
        }
        if self.charge.add(bytes, self.memory).is_err() {
            return Ok(Err(Unread::All));
        }
        self.bytes += bytes;
        Ok(Ok(out))
    }
    fn scan(&self, lo: &[u8], hi: Option<&[u8]>) -> Result<Scan> {
        match self.snapshot {
            Some(s) => self.txn.scan(s, self.tree, lo, hi, Dir::Forward),
            None => self.txn.scan_latest(self.tree, lo, hi, Dir::Forward),
        }
    }
}
fn are_spans(needs: &[Need]) -> bool {
    needs.iter().all(|n| matches!(n, Need::Span(..)))
}
fn size_of_key(k: &[u8]) -> usize {
    k.len() + std::mem::size_of::<Vec<u8>>() + ALLOCATION_BYTES
}
fn size(list: &List) -> usize {
    list.iter().map(|k| size_of_key(k)).sum()
}
fn intersect(mut a: List, b: &List) -> List {
    let mut rest = b.iter().peekable();
    a.retain(|k| {
        while rest.next_if(|x| *x < k).is_some() {}
        rest.peek() == Some(&k)
    });
    a
}
/// Those of sorted keys that are there so often, each once.
fn in_several(sorted: List, least: usize) -> List {
    let mut out = List::new();
    let mut times = 0;
    let mut last: Option<Vec<u8>> = None;
    for k in sorted {
        times = if last.as_ref() == Some(&k) { times + 1 } else { 1 };
        if times == least {
            out.push(k.clone());
        }
        last = Some(k);
    }
    out
}
