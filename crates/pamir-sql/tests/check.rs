//! `check` finds nothing in what SQL made, and finds every single damage done to rows and entries behind SQL's back.
use pamir_sql::check::{TableReport, check};
use pamir_sql::client::NullClient;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::Disk;
use pamir_storage::disk::overlay::Overlay;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Dir, Isolation, Shard, ShardOptions, TreeId};
use std::sync::Arc;

fn open(disk: Arc<dyn Disk>) -> Arc<Shard> {
    let opts = ShardOptions { cache_size: 16 << 20, io_threads: 0, log_segment_size: 1 << 20, ..Default::default() };
    Shard::open_stepped(disk, opts).unwrap()
}
fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").unwrap()
}
fn report<'a>(all: &'a [TableReport], table: &str) -> &'a TableReport {
    all.iter().find(|r| r.name.ends_with(table)).unwrap_or_else(|| panic!("no table {table}"))
}

const SETUP: &[&str] = &[
    "create table t (id int primary key, a int, b text, c numeric, d timestamptz, e int default 7, f float8)",
    "create index t_a on t (a desc nulls last, b)",
    "create unique index t_c on t (c, a)",
    "create unique index t_b on t (b) nulls not distinct",
    "create index t_lower on t (lower(b), (a + 1)) where a > 3",
    "create index t_inc on t (d) include (b, c)",
    "create index t_f on t (f)",
    "create table heap (x int, y text)",
    "create index heap_x on heap (x)",
    "create table child (id bigserial primary key, t int references t on delete cascade on update cascade, note text)",
    "create index child_t on child (t)",
    "insert into t select i, i % 10, 'Text ' || i, i / 10.0, timestamptz '2020-01-01' + i * interval '1 day', i, case i % 5 when 0 then -0.0 when 1 then null else i end from generate_series(1, 500) i on conflict do nothing",
    "insert into heap select i % 20, 'y' || i from generate_series(1, 200) i",
    "insert into child (t, note) select id, repeat('long ', 600) from t where id % 3 = 0",
    "update t set a = a + 1, c = c + 0.00 where id % 7 = 0",
    "update t set id = id + 10000 where id % 9 = 0",
    "delete from t where id % 11 = 0",
    "delete from heap where x = 3",
    "alter table t add column g text default 'new'",
    "update t set f = 0.0 where f = -0.0",
    "alter table t drop column e",
    "create index t_g on t (g, id)",
    "update t set g = null where id % 4 = 0",
    "alter table heap alter column x type bigint",
    "insert into heap values (null, null), (null, null)",
    "insert into t (id, b) values (-1, null) on conflict (b) do update set a = 99",
    "insert into t (id, b) values (-2, null) on conflict (b) do update set a = 98",
    "create table once (a int unique deferrable initially deferred, b text, unique nulls not distinct (b) deferrable)",
    "begin; insert into once select i, i from generate_series(1, 20) i; update once set a = a + 1; commit",
    "insert into once values (null, 'x'), (null, null)",
    "begin; update t set a = 5 where id < 100; rollback",
    "begin; savepoint s; delete from t where id < 50; rollback to s; update heap set x = x + 1; commit",
];

fn made() -> SimDisk {
    let disk = SimDisk::new(7);
    let shard = open(Arc::new(disk.clone()));
    let db = Database::open(shard.clone()).unwrap();
    let mut s = session(&db);
    for sql in SETUP {
        s.simple_query(sql, &mut NullClient).unwrap_or_else(|e| panic!("{sql}: {e}"));
        let _ = s.sync(&mut NullClient);
    }
    drop(s);
    drop(db);
    shard.close().unwrap();
    disk
}

#[test]
fn what_sql_makes_agrees() {
    let disk = made();
    let over = Overlay::new(Arc::new(disk)).unwrap();
    let shard = open(over);
    let all = check(&shard).unwrap();
    for r in &all {
        assert_eq!(r.problem_count, 0, "{r:?}");
    }
    let t = report(&all, ".public.t");
    assert!(t.rows > 300 && t.entries > 5 * t.rows && t.indexes == 8, "{t:?}");
    let heap = report(&all, ".public.heap");
    assert_eq!((heap.rows, heap.entries), (192, 192));
    assert!(report(&all, ".public.child").rows > 50);
}

/// Each damage alone, on its own overlay of one good directory.
#[test]
fn every_damage_is_found() {
    let disk = made();
    let trees: Vec<(String, TreeId)> = {
        let shard = open(Overlay::new(Arc::new(disk.clone())).unwrap());
        let catalog = Database::open(shard).unwrap().catalog();
        let db = catalog.database_by_name("postgres").unwrap().oid;
        let t = catalog.tables(db).into_iter().find(|t| t.name == "t").unwrap().clone();
        let mut v: Vec<_> = t.indexes.iter().filter(|i| !i.primary).map(|i| (i.name.clone(), TreeId(i.tree))).collect();
        v.push(("row".into(), t.tree()));
        v
    };
    for (name, tree) in &trees {
        for damage in ["lost", "stray", "changed"] {
            let shard = open(Overlay::new(Arc::new(disk.clone())).unwrap());
            let txn = shard.begin(Isolation::ReadCommitted, false, Arc::default());
            let entry = {
                let snap = txn.statement();
                let mut scan = txn.scan(&snap, *tree, &[], None, Dir::Forward).unwrap();
                for _ in 0..40 {
                    scan.next(&txn).unwrap().unwrap();
                }
                let (k, v) = scan.next(&txn).unwrap().unwrap();
                (k.to_vec(), v.to_vec())
            };
            let (mut key, mut value) = entry;
            match damage {
                "lost" => txn.delete(*tree, &key).unwrap(),
                "stray" => {
                    // One byte more: in the row's key where the key ends with it, in the indexed value where it does not.
                    key.push(0x55);
                    txn.put(*tree, &key, &value).unwrap();
                }
                _ => {
                    // The row's key, or the number of columns in a row.
                    value[if name == "row" { 2 } else { 0 }] ^= 1;
                    txn.put(*tree, &key, &value).unwrap();
                }
            }
            txn.commit().unwrap();
            let all = check(&shard).unwrap();
            let t = report(&all, ".public.t");
            assert!(t.problem_count > 0, "{damage} entry of {name} was not found");
            assert!(name == "row" || t.problems[0].contains(name.as_str()), "{damage} {name}: {:?}", t.problems);
            assert!(all.iter().filter(|r| r.problem_count > 0).count() == 1, "{damage} {name}: other tables blamed");
        }
    }
}

/// A row and its entries that are whole, but for another row that has its keys.
#[test]
fn a_repeated_key_is_found() {
    let shard = open(Overlay::new(Arc::new(made())).unwrap());
    let catalog = Database::open(shard.clone()).unwrap().catalog();
    let db = catalog.database_by_name("postgres").unwrap().oid;
    let t = catalog.tables(db).into_iter().find(|t| t.name == "once").unwrap().clone();
    let txn = shard.begin(Isolation::ReadCommitted, false, Arc::default());
    let snap = txn.statement();
    // The last rows have NULLs: that of the second key counts.
    let mut rows = Vec::new();
    let mut scan = txn.scan(&snap, t.tree(), &[], None, Dir::Forward).unwrap();
    while let Some((k, v)) = scan.next(&txn).unwrap() {
        rows.push((k.to_vec(), v.to_vec()));
    }
    for (key, value) in [&rows[3], &rows[rows.len() - 1]] {
        let mut again = key.clone();
        *again.last_mut().unwrap() ^= 0x80;
        txn.put(t.tree(), &again, value).unwrap();
        for i in &t.indexes {
            let mut entries = txn.scan(&snap, TreeId(i.tree), &[], None, Dir::Forward).unwrap();
            while let Some((k, v)) = entries.next(&txn).unwrap() {
                if let Some(values) = k.strip_suffix(&key[..]) {
                    let entry = [values, &again].concat();
                    txn.put(TreeId(i.tree), &entry, v).unwrap();
                }
            }
        }
    }
    txn.commit().unwrap();
    let all = check(&shard).unwrap();
    let once = report(&all, ".public.once");
    assert_eq!((once.problem_count, once.rows), (3, 24), "{once:?}");
    assert!(once.problems.iter().all(|p| p.contains("has the key of another row")), "{once:?}");
}

/// An index whose building was stopped lacks rows, and that is no damage; an entry of no row is.
#[test]
fn an_invalid_index_may_lack_rows() {
    let disk = SimDisk::new(8);
    let shard = open(Arc::new(disk));
    let db = Database::open(shard.clone()).unwrap();
    let mut s = session(&db);
    let mut run = |sql: &str| s.simple_query(sql, &mut NullClient).and_then(|()| s.sync(&mut NullClient));
    run("create table half (a int primary key, b int)").unwrap();
    run("insert into half select i, least(i, 1990) from generate_series(1, 2000) i").unwrap();
    let e = run("create unique index concurrently half_b on half (b)").unwrap_err();
    assert_eq!(e.code().as_str(), "23505", "{e}");
    run("insert into half values (3000, 3000); delete from half where a in (7, 1995); update half set b = -a where a in (8, 1996)")
        .unwrap();
    let all = check(&shard).unwrap();
    let half = report(&all, ".public.half");
    assert_eq!((half.problem_count, half.rows, half.indexes), (0, 1999, 2), "{half:?}");
    assert!(half.entries > 400 && half.entries < half.rows, "{half:?}");
    let catalog = db.catalog();
    let of = catalog.database_by_name("postgres").unwrap().oid;
    let t = catalog.tables(of).into_iter().find(|t| t.name == "half").unwrap().clone();
    let tree = TreeId(t.indexes.iter().find(|i| i.name == "half_b").unwrap().tree);
    let txn = shard.begin(Isolation::ReadCommitted, false, Arc::default());
    let (mut key, value) = {
        let snap = txn.statement();
        let mut scan = txn.scan(&snap, tree, &[], None, Dir::Forward).unwrap();
        let (k, v) = scan.next(&txn).unwrap().unwrap();
        (k.to_vec(), v.to_vec())
    };
    *key.last_mut().unwrap() ^= 0x40;
    txn.put(tree, &key, &value).unwrap();
    txn.commit().unwrap();
    assert!(report(&check(&shard).unwrap(), ".public.half").problem_count > 0);
}
