//! Recovery's changes, gathered and put into the trees in the order of their keys.
//!
//! Nobody reads while the log is replayed, so only the last value of a key counts, and the order in which trees get their values does not matter. A window
//! of the log is therefore collected, sorted by (tree, key), and written leaf by leaf: instead of two cache misses a level for each change, neighbours
//! share their leaf, and a row that was written a thousand times is put once.
//!
//! *Invariant*: whatever else touches a tree during recovery ([`crate::applier`]: every record but a plain commit) comes after [`Replay::flush`]; trees created by the
//! commit itself have no older changes here. After the last record the window is flushed before anything reads.
use pamir_error::Result;
use pamir_storage::store::{Store, TreeId, Writer};

/// Bytes of keys and values that are gathered at most.
const WINDOW: usize = 64 << 20;
/// Every so many changes one is looked up so many changes ahead, and its leaf asked for.
const AHEAD_STEP: usize = 3;
const AHEAD: usize = 768;

struct Change {
    tree: u64,
    /// The key's first eight bytes, as a number in their order.
    head: u64,
    at: u32,
    key_len: u32,
    value_len: u32,
}
#[derive(Default)]
pub(crate) struct Replay {
    bytes: Vec<u8>,
    changes: Vec<Change>,
}
impl Replay {
    /// True: the window is full and to be flushed.
    pub fn push(&mut self, tree: TreeId, key: &[u8], value: &[u8]) -> bool {
        let mut head = [0; 8];
        let n = key.len().min(8);
        head[..n].copy_from_slice(&key[..n]);
        self.changes.push(Change {
            tree: tree.0,
            head: u64::from_be_bytes(head),
            at: self.bytes.len() as u32,
            key_len: key.len() as u32,
            value_len: value.len() as u32,
        });
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        self.bytes.len() + self.changes.len() * size_of::<Change>() >= WINDOW
    }
    fn key(&self, c: &Change) -> &[u8] {
        &self.bytes[c.at as usize..][..c.key_len as usize]
    }
    /// Puts the newest value of each key into its tree.
    pub fn flush(&mut self, store: &Store, writer: &mut Writer) -> Result<()> {
        let mut order: Vec<u32> = (0..self.changes.len() as u32).collect();
        order.sort_unstable_by(|a, b| {
            let (x, y) = (&self.changes[*a as usize], &self.changes[*b as usize]);
            let by_head = (x.tree, x.head).cmp(&(y.tree, y.head));
            // Of one key the newest comes first.
            by_head.then_with(|| self.key(x).cmp(self.key(y))).then(b.cmp(a))
        });
        let mut last: Option<(u64, &[u8])> = None;
        for (n, i) in order.iter().enumerate() {
            // Leaves are on their way from the disk before their turn comes.
            if n % AHEAD_STEP == 0
                && let Some(i) = order.get(n + AHEAD)
                && let Some(c) = self.changes.get(*i as usize)
            {
                // What cannot be read now will be met, and told, below.
                let _ = store.prefetch(TreeId(c.tree), self.key(c));
            }
            let c = &self.changes[*i as usize];
            let key = self.key(c);
            if last == Some((c.tree, key)) {
                continue;
            }
            last = Some((c.tree, key));
            let value = &self.bytes[(c.at + c.key_len) as usize..][..c.value_len as usize];
            writer.put(TreeId(c.tree), key, value, &mut |_| {})?;
        }
        self.bytes.clear();
        self.changes.clear();
        Ok(())
    }
}
