use super::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::store::Dir;
use proptest::prelude::*;
use std::collections::BTreeMap;

const PLENTY: Limits = Limits { memory: 1 << 30, spill: 1 << 30, disk: 1 << 30 };

type TreeKey = (u64, Vec<u8>);

struct Ws {
    w: WriteSet,
    sim: SimDisk,
    disk: Arc<dyn Disk>,
}
fn ws(limits: Limits) -> Ws {
    let sim = SimDisk::new(1);
    Ws { w: WriteSet::new(MemoryAccount::root("test", 1 << 30), limits), disk: Arc::new(sim.clone()), sim }
}
impl Ws {
    fn write(&mut self, tree: u64, key: &[u8], value: Option<&[u8]>, statement: u32) -> Result<()> {
        // A delete says where the row lives on, now and then.
        let to = if key.last().is_some_and(|b| b % 3 == 0) { key } else { &[] };
        let change = value.map_or(Change::Delete(to), Change::Put);
        self.w.write(TreeId(tree), key, change, statement, (&self.disk, 7))
    }
    /// None: no own write; Some(None): deleted.
    fn get(&mut self, tree: u64, key: &[u8], statement: u32) -> Option<Option<Vec<u8>>> {
        let mut out = b"left alone".to_vec();
        let own = self.w.get(TreeId(tree), key, statement, &mut out).unwrap();
        if own.is_none() {
            assert_eq!(out, b"left alone");
        }
        own.map(|o| {
            if o.tombstone {
                assert_eq!(out.is_empty(), key.last().is_none_or(|b| b % 3 != 0));
            }
            (!o.tombstone).then_some(out)
        })
    }
    fn scan(&mut self, r: Range) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        let Some(mut s) = self.w.scan(&r).unwrap() else { return vec![] };
        let mut rows = vec![];
        while s.fetch(&self.w, &r).unwrap() {
            rows.push((s.key.clone(), (!s.tombstone).then(|| s.value.clone())));
        }
        rows
    }
    fn sorted(&self) -> Vec<(TreeKey, Option<Vec<u8>>)> {
        let mut all = vec![];
        self.w
            .for_each_sorted(&mut |t, k, c| {
                if c.is_delete() && k.last().is_some_and(|b| b % 3 == 0) {
                    assert_eq!(c.bytes(), k);
                }
                all.push(((t.0, k.to_vec()), (!c.is_delete()).then(|| c.bytes().to_vec())));
                Ok(())
            })
            .unwrap();
        all
    }
}

#[test]
fn statements_do_not_see_themselves() {
    let mut w = ws(PLENTY);
    w.write(20, b"k", Some(b"1"), 1).unwrap();
    w.write(20, b"k", Some(b"2"), 2).unwrap();
    w.write(20, b"k", Some(b"2b"), 2).unwrap();
    assert_eq!(w.get(20, b"k", 1), None);
    assert_eq!(w.get(20, b"k", 2), Some(Some(b"1".to_vec())));
    assert_eq!(w.get(20, b"k", 3), Some(Some(b"2b".to_vec())));
    assert_eq!(w.get(21, b"k", 3), None);
}

#[test]
fn the_limits_are_errors() {
    let a = MemoryAccount::root("test", 1 << 30);
    let disk: Arc<dyn Disk> = Arc::new(SimDisk::new(1));
    let fill = |limits| {
        let mut w = WriteSet::new(a.clone(), limits);
        (0..10_000u32)
            .find_map(|i| w.write(TreeId(20), &i.to_be_bytes(), Change::Put(&[0; 50]), 1, (&disk, 1)).err())
            .map_or(String::new(), |e| e.code().as_str().to_string())
    };
    assert_eq!(fill(Limits { memory: 100_000, ..PLENTY }), "53200");
    assert_eq!(fill(Limits { memory: 100_000, spill: 50_000, disk: 1 << 30 }), "");
    assert_eq!(fill(Limits { memory: 100_000, spill: 50_000, disk: 200_000 }), "53400");
    assert_eq!(a.used(), 0);
    assert_eq!(disk.list().unwrap(), Vec::<String>::new());
}

/// A failed write to the file fails the statement and leaves everything as it was.
#[test]
fn a_full_disk_is_an_error_and_no_more() {
    let mut w = ws(Limits { spill: 20_000, ..PLENTY });
    let write = |w: &mut Ws, i: u32| w.write(20, &i.to_be_bytes(), Some(&i.to_le_bytes()), 1);
    let faults = |full| pamir_storage::disk::sim::Faults { disk_full_at: full, ..Default::default() };
    let mut n = 0;
    while w.w.runs().len() < 2 {
        write(&mut w, n).unwrap();
        n += 1;
    }
    w.sim.set_faults(faults(Some(0)));
    let e = loop {
        match write(&mut w, n) {
            Ok(()) => n += 1,
            Err(e) => break e,
        }
    };
    assert_eq!(e.code().as_str(), "53100");
    w.sim.set_faults(faults(None));
    for i in 0..n {
        assert_eq!(w.get(20, &i.to_be_bytes(), 2), Some(Some(i.to_le_bytes().to_vec())));
    }
    assert_eq!(w.get(20, &n.to_be_bytes(), 2), None);
    write(&mut w, n).unwrap();
    assert_eq!(w.w.runs().len(), 3);
    assert_eq!(w.sorted().len(), n as usize + 1);
    let name = w.sim.list().unwrap().pop().unwrap();
    // A damaged block is an error, too.
    w.sim.flip_bit(&name, 8 * 100);
    assert!(w.w.for_each_sorted(&mut |_, _, _| Ok(())).is_err());
    remove_leftovers(&*w.disk).unwrap();
    assert!(w.sim.list().unwrap().is_empty());
}

#[test]
fn keys_written_twice() {
    for spill in [1 << 30, 3000] {
        for (n, step) in [(10u32, 1), (5000, 1), (5000, 7919)] {
            let mut w = ws(Limits { spill, ..PLENTY });
            for i in 0..n {
                w.write(20, &(i * step % n).to_be_bytes(), Some(b"v"), 1).unwrap();
                w.write(21, &(i * step % n).to_be_bytes(), Some(b"v"), 1).unwrap();
            }
            assert_eq!(w.w.written_twice(TreeId(20)).unwrap(), None);
            w.write(20, &(n / 2).to_be_bytes(), Some(b"v"), 1).unwrap();
            assert_eq!(w.w.written_twice(TreeId(20)).unwrap(), Some((n / 2).to_be_bytes().to_vec()));
            assert_eq!(w.w.written_twice(TreeId(21)).unwrap(), None);
        }
    }
}

#[derive(Debug, Clone)]
enum Op {
    Write(u8, u16, Option<u8>),
    /// Many in ascending order.
    Load(u8, u16, u16),
    Get(u8, u16, u32),
    Scan(u8, u16, u16, bool, u32),
    Statement,
    Savepoint,
    RollbackTo(usize),
    Open(u8, bool),
    Fetch(u8),
}
fn op(keys: u16) -> impl Strategy<Value = Op> {
    let k = move || 0..keys;
    prop_oneof![
        60 => (0..3u8, k(), proptest::option::of(any::<u8>())).prop_map(|(t, k, v)| Op::Write(t, k, v)),
        1 => (0..3u8, k(), 1..60u16).prop_map(|(t, k, n)| Op::Load(t, k, n)),
        10 => (0..3u8, k(), 0..4u32).prop_map(|(t, k, s)| Op::Get(t, k, s)),
        2 => (0..3u8, k(), k(), any::<bool>(), 0..4u32).prop_map(|(t, a, b, f, s)| Op::Scan(t, a, b, f, s)),
        4 => Just(Op::Statement), 2 => Just(Op::Savepoint), 2 => (0..8usize).prop_map(Op::RollbackTo),
        1 => (0..3u8, any::<bool>()).prop_map(|(t, f)| Op::Open(t, f)),
        6 => (0..40u8).prop_map(Op::Fetch),
    ]
}
/// Versions of each key: statement and value.
type Model = BTreeMap<TreeKey, Vec<(u32, Option<Vec<u8>>)>>;
fn seen(chain: &[(u32, Option<Vec<u8>>)], statement: u32) -> Option<Option<Vec<u8>>> {
    chain.iter().rev().find(|c| c.0 < statement).map(|c| c.1.clone())
}
fn view(model: &Model, r: &Range) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
    let rows = model.iter().filter(|(k, _)| k.0 == r.tree.0 && &*k.1 >= r.lo && r.hi.is_none_or(|h| &*k.1 < h));
    let mut rows: Vec<_> = rows.filter_map(|(k, c)| Some((k.1.clone(), seen(c, r.statement)?))).collect();
    if r.dir == Dir::Backward {
        rows.reverse();
    }
    rows
}
/// Some keys share long prefixes, some are prefixes of others.
fn key(k: u16) -> Vec<u8> {
    match k % 4 {
        0 => k.to_be_bytes().to_vec(),
        1 => [&[9; 20][..], &k.to_be_bytes()].concat(),
        2 => [&[9; 20][..], &(k - 1).to_be_bytes(), &[0]].concat(),
        _ => vec![0; k as usize % 40],
    }
}
struct Open {
    scan: OwnScan,
    tree: u64,
    dir: Dir,
    statement: u32,
    /// Savepoints there were; a rollback to one of them ends the scan, as in SQL.
    depth: usize,
    left: std::vec::IntoIter<(Vec<u8>, Option<Vec<u8>>)>,
}

fn run(ops: Vec<Op>, limits: Limits) -> Result<(), TestCaseError> {
    let mut w = ws(limits);
    let mut model = Model::new();
    let mut stmt = 1;
    let mut saves: Vec<(Mark, Model)> = vec![];
    let mut open: Option<Open> = None;
    let write = |w: &mut Ws, model: &mut Model, t: u8, k: u16, v: Option<u8>, stmt: u32| {
        let v = v.map(|v| vec![v; v as usize % 5]);
        w.write(t as u64, &key(k), v.as_deref(), stmt).unwrap();
        model.entry((t as u64, key(k))).or_default().push((stmt, v));
    };
    for op in ops {
        match op {
            Op::Write(t, k, v) => write(&mut w, &mut model, t, k, v, stmt),
            Op::Load(t, k, n) => {
                (k..k.saturating_add(n * 4)).step_by(4).for_each(|k| write(&mut w, &mut model, t, k, Some(1), stmt))
            }
            Op::Get(t, k, back) => {
                let s = (stmt + 1).saturating_sub(back);
                let want = model.get(&(t as u64, key(k))).and_then(|c| seen(c, s));
                prop_assert_eq!(w.get(t as u64, &key(k), s), want);
            }
            Op::Scan(t, a, b, forward, back) => {
                let (lo, hi) = (key(a), key(b));
                let dir = if forward { Dir::Forward } else { Dir::Backward };
                let hi = (b % 5 > 0).then_some(&*hi);
                let r = Range { tree: TreeId(t as u64), lo: &lo, hi, dir, statement: (stmt + 1).saturating_sub(back) };
                if hi.is_none_or(|h| h > &*lo) {
                    prop_assert_eq!(w.scan(r), view(&model, &r));
                }
            }
            Op::Statement => stmt += 1,
            Op::Savepoint => saves.push((w.w.mark(), model.clone())),
            Op::RollbackTo(i) => {
                if i < saves.len() {
                    saves.truncate(i + 1);
                    w.w.rollback_to(saves[i].0);
                    model = saves[i].1.clone();
                    open = open.filter(|o| o.depth <= i);
                }
            }
            Op::Open(t, forward) => {
                let dir = if forward { Dir::Forward } else { Dir::Backward };
                let r = Range { tree: TreeId(t as u64), lo: &[], hi: None, dir, statement: stmt };
                let left = view(&model, &r).into_iter();
                open = w.w.scan(&r).unwrap().map(|scan| Open {
                    scan,
                    tree: t as u64,
                    dir,
                    statement: stmt,
                    depth: saves.len(),
                    left,
                });
            }
            Op::Fetch(n) => {
                for _ in 0..n {
                    let Some(o) = &mut open else { break };
                    let r = Range { tree: TreeId(o.tree), lo: &[], hi: None, dir: o.dir, statement: o.statement };
                    o.scan.renew(&w.w, &r).unwrap();
                    let got = o
                        .scan
                        .fetch(&w.w, &r)
                        .unwrap()
                        .then(|| (o.scan.key.clone(), (!o.scan.tombstone).then(|| o.scan.value.clone())));
                    o.scan.done();
                    prop_assert_eq!(&got, &o.left.next());
                    if got.is_none() {
                        open = None;
                    }
                }
            }
        }
    }
    let want: Vec<_> = model.iter().map(|(k, c)| (k.clone(), c.last().unwrap().1.clone())).collect();
    prop_assert_eq!(w.sorted(), want.clone());
    w.w.settle();
    prop_assert_eq!(w.sorted(), want);
    prop_assert!(w.w.len() >= model.len());
    for (k, chain) in &model {
        for s in 0..stmt + 1 {
            prop_assert_eq!(w.get(k.0, &k.1, s), seen(chain, s));
        }
    }
    for t in 0..3u64 {
        for dir in [Dir::Forward, Dir::Backward] {
            let r = Range { tree: TreeId(t), lo: &[], hi: None, dir, statement: u32::MAX };
            prop_assert_eq!(w.scan(r), view(&model, &r));
        }
    }
    let sim = w.sim.clone();
    drop(w);
    prop_assert!(sim.list().unwrap().is_empty());
    Ok(())
}
proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn behaves_like_a_map(ops in proptest::collection::vec(op(1200), 1..1500)) {
        run(ops, PLENTY)?;
    }
    #[test]
    fn behaves_like_a_map_with_spills(ops in proptest::collection::vec(op(800), 1..1500), spill in 1000..60_000u64) {
        run(ops, Limits { spill, ..PLENTY })?;
    }
    #[test]
    fn small_ones_behave_like_a_map(ops in proptest::collection::vec(op(12), 1..40)) {
        run(ops, PLENTY)?;
    }
}
