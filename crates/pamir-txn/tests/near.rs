//! The near side of a far transaction against a local one (`random_calls`), and how many calls it makes.
#![cfg(feature = "calls")]
mod common;
mod random_calls;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::calls::Recorder;
use pamir_txn::*;
use random_calls::Side;
use std::sync::Arc;

fn recorder(shard: Arc<Shard>) -> Arc<dyn Engine> {
    Arc::new(Recorder::new(shard, None).unwrap())
}

#[test]
fn as_a_local_transaction() {
    random_calls::as_a_local_transaction(300, &recorder);
}

/// Many keys are one call.
#[test]
fn calls_of_a_batch() {
    let shard = stepped(&SimDisk::new(1), options());
    let recorder = Recorder::new(shard.clone(), None).unwrap();
    let calls = recorder.calls().clone();
    let t = recorder.begin(Isolation::ReadCommitted, false, Arc::default());
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let t = recorder.begin(Isolation::ReadCommitted, false, Arc::default());
    t.statement();
    calls.listen(true);
    let names: Vec<Vec<u8>> = (0..100u32).map(|i| i.to_be_bytes().to_vec()).collect();
    let mut keys = Keys::default();
    names.iter().for_each(|k| keys.push(tree, k, &[]));
    t.claim_ahead(&keys, RowLock::Update, Until::Taken).unwrap();
    let mut out = vec![];
    for k in &names {
        assert!(!t.claim(tree, k, RowLock::Update, &mut out).unwrap().exists);
        t.put(tree, k, b"new").unwrap();
        // What was written is there, though nobody was told yet.
        let latest = t.claim(tree, k, RowLock::Update, &mut out).unwrap();
        assert!(latest.exists && latest.own && out == b"new");
    }
    let snap = t.statement();
    t.read_ahead(&snap, &keys).unwrap();
    for k in &names {
        assert!(t.get(&snap, tree, k, &mut out).unwrap() && out == b"new");
    }
    t.commit().unwrap();
    let made: Vec<_> = calls.take().into_iter().map(|c| (c.name, c.keys.len())).collect();
    assert_eq!(made, [("claim_many", 100), ("write_many", 100), ("get_many", 100), ("commit", 1)]);
}

/// A lock that lets others write keeps no answer for a stronger one.
#[test]
fn a_stronger_lock_reads_again() {
    let side = Side::new(1, Some(&recorder));
    let tree = side.trees[0];
    let t = side.begin(Isolation::ReadCommitted);
    t.put(tree, b"k", b"1").unwrap();
    t.commit().unwrap();
    for lock_first in [false, true] {
        let t = side.begin(Isolation::ReadCommitted);
        t.statement();
        let mut keys = Keys::default();
        keys.push(tree, b"k", b"");
        t.claim_ahead(&keys, RowLock::KeyShare, Until::End).unwrap();
        let other = side.begin(Isolation::ReadCommitted);
        let value = [b'2' + lock_first as u8];
        other.put(tree, b"k", &value).unwrap();
        other.commit().unwrap();
        let mut out = vec![];
        if lock_first {
            t.lock_row(tree, b"k", RowLock::Update, WaitPolicy::Block).unwrap();
            t.get_latest(tree, b"k", &mut out).unwrap();
        } else {
            t.claim(tree, b"k", RowLock::NoKeyUpdate, &mut out).unwrap();
        }
        assert_eq!(out, value);
    }
}
