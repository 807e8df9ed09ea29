//! Shared by the tests: options for small shards, a random source, seeds.
#![allow(dead_code, unused_imports)]
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::sync::Arc;

pub fn options() -> ShardOptions {
    ShardOptions {
        cache_size: 4 << 20,
        io_threads: 0,
        log_segment_size: 64 << 10,
        checkpoint_bytes: 1 << 30,
        version_memory: 64 << 20,
        write_set_memory: 64 << 20,
        ..ShardOptions::default()
    }
}
pub fn stepped(disk: &SimDisk, opts: ShardOptions) -> Arc<Shard> {
    Shard::open_stepped(Arc::new(disk.clone()) as Arc<dyn Disk>, opts).expect("open")
}
pub fn begin(s: &Arc<Shard>, iso: Isolation) -> LocalTxn {
    let t = s.begin(iso, false, Arc::default());
    t.set_limits(Some(std::time::Duration::ZERO), None);
    t
}
pub use pamir_testkit::chance::{self, Rng, seeds};
pub type Rows = Vec<(Vec<u8>, Vec<u8>)>;
pub fn collect(txn: &LocalTxn, mut scan: LocalScan) -> pamir_error::Result<Rows> {
    let mut rows = vec![];
    while let Some((k, v)) = scan.next(txn)? {
        rows.push((k.to_vec(), v.to_vec()));
    }
    Ok(rows)
}
pub fn all(shard: &Arc<Shard>, tree: TreeId) -> Rows {
    let t = begin(shard, Isolation::ReadCommitted);
    let s = t.statement();
    collect(&t, t.scan(&s, tree, b"", None, Dir::Forward).expect("scan")).expect("rows")
}
