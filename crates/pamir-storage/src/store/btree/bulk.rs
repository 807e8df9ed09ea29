//! Filling an empty tree from sorted entries.
use super::super::TreeId;
use super::write::Writer;
use pamir_types::{Result, bail};

impl Writer {
    /// Fills an empty tree from strictly ascending entries.
    pub fn bulk_build(&mut self, tree: TreeId, entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Result<()> {
        let mut last: Option<Vec<u8>> = None;
        for (k, v) in entries {
            if last.as_deref().is_some_and(|l| l >= k) {
                bail!(INTERNAL_ERROR, "bulk build of tree {}: entries are not in ascending order", tree.0);
            }
            self.put(tree, k, v, &mut |_| {})?;
            let l = last.get_or_insert_default();
            l.clear();
            l.extend_from_slice(k);
        }
        Ok(())
    }
}
