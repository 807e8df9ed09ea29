//! Sessions that meet a commit which is not durable yet: they go on with what it wrote, and nothing of it leaves before it is.
//!
//! The shard is stepped: the commit stays on its way until somebody waits for it, and waiting drives it. So whether it is decided tells whether a session has waited.
use pamir_cluster::remote::rig::{Inline, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::{Faults, SimDisk};
use pamir_txn::shard::Submitted;
use pamir_txn::{Dir, Engine, Isolation, LocalTxn, RowLock, Shard, ShardOptions, TreeId, WaitPolicy};
use pamir_types::Result;
use std::sync::Arc;
use std::time::Duration;

/// How sessions reach the shard.
type Way = fn(Arc<Shard>) -> Arc<dyn Engine>;
fn here(shard: Arc<Shard>) -> Arc<dyn Engine> {
    shard
}
fn at_another_node(shard: Arc<Shard>) -> Arc<dyn Engine> {
    Rig::new(shard, Arc::new(Inline), None).unwrap().engine
}
macro_rules! both {
    ($($name:ident)*) => {
        $( mod $name {
            #[test]
            fn here() {
                super::$name(super::here)
            }
            #[test]
            fn at_another_node() {
                super::$name(super::at_another_node)
            }
        } )*
    };
}
both! {
    the_simple_protocol_answers_when_it_is_durable
    the_extended_protocol_waits_at_sync_or_when_something_leaves
    the_next_statement_sees_the_whole_commit
    rollback_and_failure_wait_for_what_was_told
    errors_wait_too
    what_never_became_durable_is_told_to_nobody
}

struct World {
    disk: SimDisk,
    shard: Arc<Shard>,
    db: Arc<Database>,
    trees: [TreeId; 2],
    /// The rows as they are once the commit is there.
    rows: Vec<(TreeId, Vec<u8>, Vec<u8>)>,
}
fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").unwrap()
}
fn run(s: &mut Session, sql: &str) -> Result<String> {
    let mut reply = Transcript::default();
    s.simple_query(sql, &mut reply).map(|()| reply.text().trim_end().to_string())
}
/// One Parse, Bind, Execute, without Sync.
fn execute(s: &mut Session, sql: &str, eager: bool) -> Result<String> {
    let mut reply = if eager { Transcript::eager() } else { Transcript::default() };
    s.parse("", sql, &[], &mut reply)?;
    s.bind("", "", &[], &[], &[], &mut reply)?;
    s.execute("", 0, &mut reply).map(|_| reply.text().trim_end().to_string())
}
impl World {
    fn new(way: Way) -> World {
        let disk = SimDisk::new(11);
        let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
        let shard = Shard::open_stepped(Arc::new(disk.clone()), opts).unwrap();
        let db = Database::open(way(shard.clone())).unwrap();
        let mut s = session(&db);
        run(&mut s, "create table hot (id int primary key, n int); create table other (id int primary key, v text)")
            .unwrap();
        let tree = |name: &str| {
            let oid: u32 = run(&mut session(&db), &format!("select oid from pg_class where relname = '{name}'"))
                .unwrap()
                .parse()
                .unwrap();
            db.catalog().table(oid).unwrap().tree()
        };
        let mut w = World { trees: [tree("hot"), tree("other")], disk, shard, db: db.clone(), rows: vec![] };
        // The bytes of the rows to come: written, read, taken back.
        run(&mut s, "insert into hot values (1, 77), (2, 5); insert into other values (1, 'new')").unwrap();
        w.rows = w.read();
        run(&mut s, "truncate hot, other; insert into hot values (1, 0); insert into other values (1, 'old')").unwrap();
        w.trees = [tree("hot"), tree("other")];
        let (hot, other) = (w.trees[0], w.trees[1]);
        let n = w.rows.len();
        w.rows.iter_mut().enumerate().for_each(|(i, r)| r.0 = if i + 1 < n { hot } else { other });
        w
    }
    fn begin(&self) -> LocalTxn {
        let t = self.shard.begin(Isolation::ReadCommitted, false, Arc::default());
        t.set_limits(Some(Duration::ZERO), None);
        t
    }
    fn read(&self) -> Vec<(TreeId, Vec<u8>, Vec<u8>)> {
        let t = self.begin();
        let snap = t.statement();
        let mut rows = vec![];
        for tree in self.trees {
            let mut scan = t.scan(&snap, tree, b"", None, Dir::Forward).unwrap();
            while let Some((k, v)) = scan.next(&t).unwrap() {
                rows.push((tree, k.to_vec(), v.to_vec()));
            }
        }
        rows
    }
    /// A commit on its way that has handed over hot (1, 77), the new row (2, 5) and other (1, 'new').
    fn coming(&self) -> Submitted {
        let t = self.begin();
        for (tree, k, v) in &self.rows {
            t.lock_row(*tree, k, RowLock::Update, WaitPolicy::Block).unwrap();
            t.put(*tree, k, v).unwrap();
        }
        let u = self.begin();
        assert!(u.lock_row(self.trees[0], &self.rows[0].1, RowLock::Update, WaitPolicy::Block).is_err());
        t.submit().unwrap()
    }
    /// As before the commit, with a new session.
    fn again(&self) -> Session {
        let mut s = session(&self.db);
        run(&mut s, "update hot set n = 0 where id = 1; delete from hot where id = 2; update other set v = 'old'")
            .unwrap();
        s
    }
    fn arrived(&self, c: &Submitted) -> bool {
        c.poll(&self.shard).is_some()
    }
}
const UPDATE: &str = "update hot set n = n + 1 where id = 1 returning n";

fn the_simple_protocol_answers_when_it_is_durable(way: Way) {
    let w = World::new(way);
    let mut s = w.again();
    let c = w.coming();
    assert_eq!(run(&mut s, "select n from hot").unwrap(), "0");
    assert!(!w.arrived(&c), "a snapshot has nothing to do with it");
    run(&mut s, "begin").unwrap();
    assert_eq!(run(&mut s, UPDATE).unwrap(), "78");
    assert!(w.arrived(&c), "inside a block");
    run(&mut s, "rollback").unwrap();
    for sql in ["select n from hot where id = 1 for update", "update hot set n = 3 where id = 1 and n = 0", UPDATE] {
        let mut s = w.again();
        let c = w.coming();
        let text = run(&mut s, sql).unwrap();
        assert!(w.arrived(&c), "{sql}: {text}");
        let seen = if sql.starts_with("select") { "77" } else { "78" };
        assert!(text.is_empty() == sql.contains("n = 0") && (text.is_empty() || text == seen), "{sql}: {text}");
    }
}

fn the_extended_protocol_waits_at_sync_or_when_something_leaves(way: Way) {
    let w = World::new(way);
    for block in [false, true] {
        let mut s = w.again();
        let reply = &mut Transcript::default();
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        assert_eq!(execute(&mut s, UPDATE, false).unwrap(), "78");
        assert!(!w.arrived(&c), "one commit answers for both");
        s.sync(reply).unwrap();
        assert!(w.arrived(&c));
        // Flush, or no more messages.
        drop(s);
        s = w.again();
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        execute(&mut s, UPDATE, false).unwrap();
        s.settle().unwrap();
        assert!(w.arrived(&c));
        // A full buffer.
        drop(s);
        s = w.again();
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        assert_eq!(execute(&mut s, UPDATE, true).unwrap(), "78");
        assert!(w.arrived(&c));
    }
}

fn the_next_statement_sees_the_whole_commit(way: Way) {
    let w = World::new(way);
    let mut s = session(&w.db);
    run(&mut s, "begin").unwrap();
    let c = w.coming();
    let text = execute(
        &mut s,
        "update hot set n = n + 1 from (select v from other where id = 1) o where hot.id = 1 returning n, o.v",
        false,
    );
    assert_eq!(text.unwrap(), "78|old");
    assert!(!w.arrived(&c));
    assert_eq!(execute(&mut s, "select v from other", false).unwrap(), "new");
    assert!(w.arrived(&c));
}

/// The transaction is gone before the replies leave.
fn rollback_and_failure_wait_for_what_was_told(way: Way) {
    let w = World::new(way);
    let mut s = w.again();
    let c = w.coming();
    assert_eq!(run(&mut s, &format!("begin; {UPDATE}; rollback")).unwrap(), "78");
    assert!(w.arrived(&c));
    let mut s = w.again();
    let c = w.coming();
    assert_eq!(execute(&mut s, UPDATE, false).unwrap(), "78");
    assert!(s.parse("", "nonsense", &[], &mut Transcript::default()).is_err());
    assert!(!w.arrived(&c));
    s.fail(&pamir_types::err!(SYNTAX_ERROR, "no"));
    assert!(w.arrived(&c));
}

fn errors_wait_too(way: Way) {
    let w = World::new(way);
    for block in [false, true] {
        let sql = "insert into hot values (2, 0)";
        let mut s = w.again();
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        let e = run(&mut s, sql).unwrap_err();
        assert_eq!((e.code().as_str(), w.arrived(&c)), ("23505", true), "block {block}");
        drop(s);
        s = w.again();
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        let e = execute(&mut s, sql, false).unwrap_err();
        assert_eq!((e.code().as_str(), w.arrived(&c)), ("23505", true), "extended, block {block}");
    }
}

fn what_never_became_durable_is_told_to_nobody(way: Way) {
    for (sql, block) in [
        (UPDATE, true),
        (UPDATE, false),
        ("select n from hot where id = 1 for update", false),
        ("insert into hot values (2, 0)", true),
    ] {
        let w = World::new(way);
        let mut s = session(&w.db);
        if block {
            run(&mut s, "begin").unwrap();
        }
        let c = w.coming();
        w.disk.set_faults(Faults { fail_sync_after: Some(0), ..Default::default() });
        let e = run(&mut s, sql).unwrap_err();
        assert!(e.code().as_str() != "23505", "{sql}: {e}");
        assert!(c.poll(&w.shard).unwrap().is_err());
        let mut s = session(&w.db);
        assert_eq!(run(&mut s, "select n from hot").unwrap(), "0");
    }
}
