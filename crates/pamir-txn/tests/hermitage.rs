//! The Hermitage's anomalies at this layer (github.com/ept/hermitage), in one thread: where a session would wait, the lock answers 55P03 at once.
//! `update` does what SQL's UPDATE does: lock, read the newest version, at REPEATABLE READ refuse one newer than the snapshot.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::Isolation::*;
use pamir_txn::*;
use std::sync::Arc;

struct Db {
    s: Arc<Shard>,
    tree: TreeId,
}
impl Db {
    /// Rows 1 -> 10, 2 -> 20.
    fn new() -> Db {
        let s = stepped(&SimDisk::new(1), options());
        let t = begin(&s, ReadCommitted);
        let tree = t.create_tree().unwrap();
        t.put(tree, &[1], &[10]).unwrap();
        t.put(tree, &[2], &[20]).unwrap();
        t.commit().unwrap();
        Db { s, tree }
    }
    fn begin(&self, iso: Isolation) -> LocalTxn {
        begin(&self.s, iso)
    }
    fn get(&self, t: &LocalTxn, key: u8) -> Result<u8, String> {
        let mut out = vec![];
        let found = t.get(&t.statement(), self.tree, &[key], &mut out).map_err(code)?;
        Ok(if found { out[0] } else { 0 })
    }
    fn all(&self, t: &LocalTxn) -> Result<Vec<(u8, u8)>, String> {
        let scan = t.scan(&t.statement(), self.tree, b"", None, Dir::Forward).map_err(code)?;
        Ok(collect(t, scan).map_err(code)?.into_iter().map(|(k, v)| (k[0], v[0])).collect())
    }
    fn update(&self, t: &LocalTxn, key: u8, value: u8) -> Result<(), String> {
        let snap = t.statement();
        t.lock_row(self.tree, &[key], RowLock::NoKeyUpdate, WaitPolicy::Block).map_err(code)?;
        let l = t.get_latest(self.tree, &[key], &mut vec![]).map_err(code)?;
        if t.isolation() == RepeatableRead && !l.own && l.ts > snap.ts() {
            return Err("40001".into());
        }
        t.put(self.tree, &[key], &[value]).map_err(code)
    }
    fn insert(&self, t: &LocalTxn, key: u8, value: u8) -> Result<(), String> {
        t.put(self.tree, &[key], &[value]).map_err(code)
    }
}
fn code(e: pamir_error::Error) -> String {
    e.code().as_str().to_string()
}
/// The session waits.
fn waits<T: std::fmt::Debug>(r: Result<T, String>) -> bool {
    r.unwrap_err() == "55P03"
}

#[test]
fn g0_write_cycles() {
    for iso in [ReadCommitted, RepeatableRead, Serializable] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        db.update(&t1, 1, 11).unwrap();
        assert!(waits(db.update(&t2, 1, 12)));
        db.update(&t1, 2, 21).unwrap();
        t1.commit().unwrap();
        if iso == RepeatableRead {
            assert_eq!(db.update(&t2, 1, 12).unwrap_err(), "40001");
            continue;
        }
        db.update(&t2, 1, 12).unwrap();
        db.update(&t2, 2, 22).unwrap();
        t2.commit().unwrap();
        assert_eq!(db.all(&db.begin(iso)).unwrap(), [(1, 12), (2, 22)]);
    }
}
#[test]
fn g1a_aborted_g1b_intermediate_reads() {
    for iso in [ReadCommitted, RepeatableRead] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        db.update(&t1, 1, 101).unwrap();
        assert_eq!(db.all(&t2).unwrap(), [(1, 10), (2, 20)]);
        db.update(&t1, 1, 11).unwrap();
        let t3 = db.begin(iso);
        drop(t1);
        assert_eq!(db.all(&t2).unwrap(), [(1, 10), (2, 20)]);
        db.update(&t3, 1, 11).unwrap();
        t3.commit().unwrap();
        assert_eq!(db.get(&t2, 1).unwrap(), if iso == ReadCommitted { 11 } else { 10 });
    }
    let db = Db::new();
    let (t1, t2) = (db.begin(Serializable), db.begin(Serializable));
    db.update(&t1, 1, 101).unwrap();
    assert!(waits(db.all(&t2)));
}
#[test]
fn g1c_circular_information_flow() {
    for iso in [ReadCommitted, RepeatableRead] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        db.update(&t1, 1, 11).unwrap();
        db.update(&t2, 2, 22).unwrap();
        assert_eq!((db.get(&t1, 2).unwrap(), db.get(&t2, 1).unwrap()), (20, 10));
    }
    let db = Db::new();
    let (t1, t2) = (db.begin(Serializable), db.begin(Serializable));
    db.update(&t1, 1, 11).unwrap();
    db.update(&t2, 2, 22).unwrap();
    assert!(waits(db.get(&t1, 2)) && waits(db.get(&t2, 1)));
}
#[test]
fn otv_observed_transaction_vanishes() {
    let db = Db::new();
    let (t1, t2, t3) = (db.begin(ReadCommitted), db.begin(ReadCommitted), db.begin(ReadCommitted));
    db.update(&t1, 1, 11).unwrap();
    db.update(&t1, 2, 19).unwrap();
    assert!(waits(db.update(&t2, 1, 12)));
    t1.commit().unwrap();
    db.update(&t2, 1, 12).unwrap();
    assert_eq!(db.get(&t3, 1).unwrap(), 11);
    db.update(&t2, 2, 18).unwrap();
    assert_eq!(db.get(&t3, 2).unwrap(), 19);
    t2.commit().unwrap();
    assert_eq!(db.all(&t3).unwrap(), [(1, 12), (2, 18)]);
}
#[test]
fn pmp_predicate_many_preceders() {
    for iso in [ReadCommitted, RepeatableRead] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        assert_eq!(db.all(&t1).unwrap().len(), 2);
        db.insert(&t2, 3, 30).unwrap();
        t2.commit().unwrap();
        assert_eq!(db.all(&t1).unwrap().len(), if iso == ReadCommitted { 3 } else { 2 });
    }
    let db = Db::new();
    let (t1, t2) = (db.begin(Serializable), db.begin(Serializable));
    assert_eq!(db.all(&t1).unwrap().len(), 2);
    assert!(waits(db.insert(&t2, 3, 30)));
}
#[test]
fn p4_lost_update() {
    for iso in [ReadCommitted, RepeatableRead, Serializable] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        assert_eq!((db.get(&t1, 1).unwrap(), db.get(&t2, 1).unwrap()), (10, 10));
        if iso == Serializable {
            // Both hold the row shared: neither may write, one of two waiting sessions is the deadlock's victim.
            assert!(waits(db.update(&t1, 1, 11)) && waits(db.update(&t2, 1, 11)));
            continue;
        }
        db.update(&t1, 1, 11).unwrap();
        assert!(waits(db.update(&t2, 1, 11)));
        t1.commit().unwrap();
        let r = db.update(&t2, 1, 11);
        assert_eq!(r, if iso == ReadCommitted { Ok(()) } else { Err("40001".into()) });
    }
}
#[test]
fn g_single_read_skew() {
    for iso in [ReadCommitted, RepeatableRead] {
        let db = Db::new();
        let (t1, t2) = (db.begin(iso), db.begin(iso));
        assert_eq!(db.get(&t1, 1).unwrap(), 10);
        db.update(&t2, 1, 12).unwrap();
        db.update(&t2, 2, 18).unwrap();
        t2.commit().unwrap();
        assert_eq!(db.get(&t1, 2).unwrap(), if iso == ReadCommitted { 18 } else { 20 });
    }
    let db = Db::new();
    let (t1, t2) = (db.begin(Serializable), db.begin(Serializable));
    assert_eq!(db.get(&t1, 1).unwrap(), 10);
    assert!(waits(db.update(&t2, 1, 12)));
}
#[test]
fn g2_write_skew() {
    // Allowed at REPEATABLE READ, as in PostgreSQL.
    let db = Db::new();
    let (t1, t2) = (db.begin(RepeatableRead), db.begin(RepeatableRead));
    assert_eq!(db.all(&t1).unwrap(), db.all(&t2).unwrap());
    db.update(&t1, 1, 11).unwrap();
    db.update(&t2, 2, 21).unwrap();
    t1.commit().unwrap();
    t2.commit().unwrap();
    let db = Db::new();
    let (t1, t2) = (db.begin(Serializable), db.begin(Serializable));
    assert_eq!(db.all(&t1).unwrap(), db.all(&t2).unwrap());
    assert!(waits(db.update(&t1, 1, 11)) && waits(db.insert(&t2, 3, 21)));
}
