//! A value alone on its cache lines, so that neighbours in an array do not slow each other down (false sharing).

/// 128 bytes: the adjacent-line prefetcher of x86 pulls lines in pairs.
#[repr(align(128))]
#[derive(Default)]
pub(crate) struct Padded<T>(pub T);

impl<T> std::ops::Deref for Padded<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Hash of a key of a tree: picks the version chain and speeds up look-ups in the transaction's own lock list. Never persisted.
#[inline]
pub(crate) fn hash_key(tree: u64, key: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut h = rustc_hash::FxHasher::default();
    h.write_u64(tree);
    h.write(key);
    // FxHasher's finish rotates; mix once more so that both ends are usable for shard and table indexes.
    h.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
