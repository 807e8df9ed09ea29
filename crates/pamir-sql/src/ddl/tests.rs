//! Statements through sessions over a shard: what a client sees.
use crate::session::{Database, Session};
use crate::transcript::Transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

struct Db {
    db: Arc<Database>,
    disk: Arc<SimDisk>,
    shard: Arc<Shard>,
}
fn options() -> ShardOptions {
    ShardOptions {
        cache_size: 64 << 20,
        io_threads: 1,
        log_segment_size: 4 << 20,
        checkpoint_bytes: 64 << 20,
        version_memory: 64 << 20,
        write_set_memory: 256 << 20,
        ..ShardOptions::default()
    }
}
impl Db {
    fn new() -> Db {
        Db::open(Arc::new(SimDisk::new(1)))
    }
    fn open(disk: Arc<SimDisk>) -> Db {
        let shard = Shard::open(disk.clone(), options()).unwrap();
        Db { db: Database::open(shard.clone()).unwrap(), disk, shard }
    }
    /// Closes everything and opens it again from the disk.
    fn reopen(self) -> Db {
        self.shard.close().unwrap();
        Db::open(self.disk.clone())
    }
    fn session(&self) -> S {
        self.session_of("postgres")
    }
    fn session_of(&self, database: &str) -> S {
        let mut c = Transcript::eager();
        let params = [("user".to_string(), "postgres".to_string()), ("database".to_string(), database.to_string())];
        S(Session::start(self.db.clone(), &params, None, &mut c).unwrap())
    }
}
struct S(Session);
impl S {
    fn run(&mut self, sql: &str) -> Result<Transcript> {
        let mut c = Transcript::eager();
        self.0.simple_query(sql, &mut c)?;
        Ok(c)
    }
    /// Runs what must succeed; the last command tag.
    #[track_caller]
    fn ok(&mut self, sql: &str) -> String {
        match self.run(sql) {
            Ok(c) => c.tag().into(),
            Err(e) => panic!("{sql}\n{e:?}"),
        }
    }
    #[track_caller]
    fn notices(&mut self, sql: &str) -> Vec<String> {
        match self.run(sql) {
            Ok(c) => c.notices(),
            Err(e) => panic!("{sql}\n{e:?}"),
        }
    }
    /// Rows as `a|b` lines.
    #[track_caller]
    fn rows(&mut self, sql: &str) -> Vec<String> {
        match self.run(sql) {
            Ok(c) => c.rows("NULL"),
            Err(e) => panic!("{sql}\n{e:?}"),
        }
    }
    /// `SQLSTATE message` of what must fail.
    #[track_caller]
    fn err(&mut self, sql: &str) -> String {
        match self.run(sql) {
            Ok(c) => panic!("{sql} succeeded: {:?}", c.tag()),
            Err(e) => format!("{} {}", e.code().as_str(), e.message()),
        }
    }
    #[track_caller]
    fn detail(&mut self, sql: &str) -> String {
        self.run(sql).err().and_then(|e| e.data().detail.clone()).unwrap_or_default()
    }
}

#[test]
fn create_table_names_its_parts() {
    let db = Db::new();
    let mut s = db.session();
    assert_eq!(s.ok("CREATE TABLE p (id int PRIMARY KEY, u text UNIQUE)"), "CREATE TABLE");
    s.ok("CREATE TABLE t (id serial PRIMARY KEY, a int CHECK (a > 0), b varchar(10) DEFAULT 'x' NOT NULL, c int REFERENCES p ON DELETE CASCADE, UNIQUE (a, b), CONSTRAINT big CHECK (a < 100 OR b = 'y'))");
    let cat = db.db.catalog();
    let t = cat.tables(5).into_iter().find(|t| t.name == "t").unwrap();
    assert_eq!(t.indexes.iter().map(|i| &*i.name).collect::<Vec<_>>(), ["t_pkey", "t_a_b_key"]);
    assert_eq!(t.checks.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["big", "t_a_check"]);
    assert_eq!(t.foreign_keys[0].name, "t_c_fkey");
    assert!(t.columns[0].not_null && t.columns[0].default.is_some());
    assert_eq!(s.ok("INSERT INTO p VALUES (1, 'a')"), "INSERT 0 1");
    s.ok("INSERT INTO t (a, c) VALUES (5, 1), (6, NULL)");
    assert_eq!(s.rows("SELECT * FROM t ORDER BY id"), ["1|5|x|1", "2|6|x|NULL"]);
    assert_eq!(
        s.err("INSERT INTO t (a) VALUES (-1)"),
        "23514 new row for relation \"t\" violates check constraint \"t_a_check\""
    );
    assert_eq!(s.err("CREATE TABLE t (a int)"), "42P07 relation \"t\" already exists");
    assert_eq!(s.notices("CREATE TABLE IF NOT EXISTS t (a int)"), ["relation \"t\" already exists, skipping"]);
    assert_eq!(s.err("CREATE TABLE x (a int, a int)"), "42701 column \"a\" specified more than once");
    assert_eq!(
        s.err("CREATE TABLE x (a int PRIMARY KEY, b int PRIMARY KEY)"),
        "42P16 multiple primary keys for table \"x\" are not allowed"
    );
    assert_eq!(s.err("CREATE TABLE nowhere.x (a int)"), "3F000 schema \"nowhere\" does not exist");
    assert_eq!(s.err("CREATE TABLE x (a int REFERENCES nope)"), "42P01 relation \"nope\" does not exist");
}

#[test]
fn ddl_rolls_back_and_survives_a_restart() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("BEGIN");
    s.ok("CREATE TABLE t (a int)");
    s.ok("INSERT INTO t VALUES (1)");
    assert_eq!(s.rows("SELECT * FROM t"), ["1"]);
    s.ok("ROLLBACK");
    assert!(s.err("SELECT * FROM t").starts_with("42P01"));
    s.ok("BEGIN; CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t VALUES (2, 'two'), (1, 'one'); CREATE INDEX ON t (b); COMMIT");
    drop(s);
    let db = db.reopen();
    let mut s = db.session();
    assert_eq!(s.rows("SELECT * FROM t ORDER BY a"), ["1|one", "2|two"]);
    assert_eq!(s.rows("SELECT a FROM t WHERE b = 'two'"), ["2"]);
    assert!(db.db.catalog().tables(5)[0].indexes.iter().any(|i| i.name == "t_b_idx"));
    // OIDs go on where they were.
    s.ok("CREATE TABLE t2 (a int)");
    let c = db.db.catalog();
    let (a, b) = (c.tables(5)[0].oid, c.tables(5)[1].oid);
    assert!(a != b && b > 16384);
}

#[test]
fn a_name_is_created_once() {
    let db = Db::new();
    let (mut a, mut b) = (db.session(), db.session());
    a.ok("BEGIN; CREATE TABLE t (x int)");
    let second = std::thread::scope(|scope| {
        let h = scope.spawn(|| {
            let mut c = db.session();
            c.err("CREATE TABLE t (y int)")
        });
        std::thread::sleep(std::time::Duration::from_millis(50));
        a.ok("COMMIT");
        h.join().unwrap()
    });
    assert_eq!(second, "42P07 relation \"t\" already exists");
    b.ok("DROP TABLE t");
    b.ok("CREATE TABLE t (z int)");
    assert_eq!(b.rows("SELECT * FROM t").len(), 0);
}

#[test]
fn indexes_are_built_over_rows() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a int, b text)");
    s.ok("INSERT INTO t SELECT i % 10, 'v' || i FROM generate_series(1, 100) i");
    assert_eq!(s.ok("CREATE INDEX ON t (a DESC NULLS LAST, lower(b)) WHERE a > 3"), "CREATE INDEX");
    let c = db.db.catalog();
    let t = c.tables(5)[0];
    assert_eq!(t.indexes[0].name, "t_a_lower_idx");
    let scope = pamir_catalog::NameScope::public(5);
    assert_eq!(
        pamir_catalog::defs::index_def(&c, t, &t.indexes[0], false, &scope),
        "CREATE INDEX t_a_lower_idx ON public.t USING btree (a DESC NULLS LAST, lower(b)) WHERE (a > 3)"
    );
    let e = s.run("CREATE UNIQUE INDEX u ON t (a)").err().unwrap();
    assert_eq!(e.message(), "could not create unique index \"u\"");
    assert!(e.data().detail.as_ref().unwrap().ends_with("is duplicated."), "{:?}", e.data().detail);
    s.ok("CREATE UNIQUE INDEX u ON t (b)");
    assert_eq!(s.rows("SELECT a FROM t WHERE b = 'v37'"), ["7"]);
    assert!(s.err("INSERT INTO t VALUES (1, 'v1')").starts_with("23505"));
    assert_eq!(s.notices("CREATE INDEX IF NOT EXISTS u ON t (a)"), ["relation \"u\" already exists, skipping"]);
    assert_eq!(s.err("CREATE INDEX ON t USING gin (a)").split(' ').next(), Some("42704"));
    assert_eq!(s.err("CREATE INDEX ON t USING spgist (b)").split(' ').next(), Some("0A000"));
    assert_eq!(s.err("CREATE INDEX ON t (nope)"), "42703 column \"nope\" does not exist");
    assert_eq!(s.err("CREATE INDEX ON t ((random()))"), "42P17 functions in index expression must be marked IMMUTABLE");
    assert_eq!(s.ok("DROP INDEX u"), "DROP INDEX");
    assert_eq!(s.ok("REINDEX TABLE t"), "REINDEX");
    assert_eq!(s.rows("SELECT count(*) FROM t WHERE a = 7"), ["10"]);
}

#[test]
fn a_primary_key_added_later_clusters_the_rows() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (id int, v int)");
    s.ok("INSERT INTO t SELECT (i * 7919) % 1000, i FROM generate_series(1, 1000) i");
    s.ok("CREATE INDEX t_v ON t (v)");
    assert_eq!(s.ok("ALTER TABLE t ADD PRIMARY KEY (id)"), "ALTER TABLE");
    assert_eq!(s.rows("SELECT count(*), min(id), max(id) FROM t"), ["1000|0|999"]);
    assert_eq!(s.rows("SELECT v FROM t WHERE id = 919"), ["1"]);
    assert_eq!(s.rows("SELECT id FROM t WHERE v = 2"), ["838"]);
    assert!(s.err("INSERT INTO t VALUES (5, 5)").starts_with("23505"));
    assert!(s.err("INSERT INTO t VALUES (NULL, 5)").starts_with("23502"));
    s.ok("ALTER TABLE t DROP CONSTRAINT t_pkey");
    s.ok("INSERT INTO t VALUES (5, 5)");
    assert_eq!(s.detail("ALTER TABLE t ADD PRIMARY KEY (id)"), "Key (id)=(5) is duplicated.");
    assert_eq!(s.rows("SELECT count(*) FROM t"), ["1001"]);
    s.ok("CREATE TABLE n (a int); INSERT INTO n VALUES (NULL)");
    assert_eq!(s.err("ALTER TABLE n ADD PRIMARY KEY (a)"), "23502 column \"a\" of relation \"n\" contains null values");
}

#[test]
fn columns_come_change_and_go() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t VALUES (1, '10'), (2, '20')");
    s.ok("ALTER TABLE t ADD COLUMN c int DEFAULT 7, ADD d serial");
    assert_eq!(s.rows("SELECT * FROM t ORDER BY a"), ["1|10|7|1", "2|20|7|2"]);
    assert_eq!(s.err("ALTER TABLE t ADD e int NOT NULL"), "23502 column \"e\" of relation \"t\" contains null values");
    let e = s.run("ALTER TABLE t ALTER b TYPE int").err().unwrap();
    assert_eq!(
        (e.message(), e.data().hint.as_deref()),
        (
            "column \"b\" cannot be cast automatically to type integer",
            Some("You might need to specify \"USING b::integer\".")
        )
    );
    s.ok("ALTER TABLE t ALTER b TYPE int USING b::int + 1");
    assert_eq!(s.rows("SELECT b + 1, c FROM t ORDER BY a"), ["12|7", "22|7"]);
    s.ok("ALTER TABLE t ALTER c DROP DEFAULT, ALTER c SET NOT NULL");
    assert!(s.err("INSERT INTO t (a) VALUES (3)").starts_with("23502"));
    s.ok("ALTER TABLE t ADD CONSTRAINT k CHECK (c > b - 100)");
    s.ok("ALTER TABLE t RENAME COLUMN c TO cc");
    s.ok("INSERT INTO t VALUES (3, 30, 8, 9)");
    assert!(s.err("INSERT INTO t VALUES (4, 1000, 8, 9)").starts_with("23514"));
    s.ok("ALTER TABLE t DROP COLUMN b");
    assert_eq!(s.rows("SELECT * FROM t ORDER BY a"), ["1|7|1", "2|7|2", "3|8|9"]);
    s.ok("INSERT INTO t VALUES (4, 1, 1)");
    s.ok("ALTER TABLE t RENAME TO t9; ALTER TABLE t9 DROP COLUMN a");
    assert_eq!(s.rows("SELECT * FROM t9 ORDER BY cc, d"), ["1|1", "7|1", "7|2", "8|9"]);
    assert_eq!(s.err("ALTER TABLE t9 DROP COLUMN zz"), "42703 column \"zz\" of relation \"t9\" does not exist");
    assert_eq!(
        s.notices("ALTER TABLE t9 DROP COLUMN IF EXISTS zz"),
        ["column \"zz\" of relation \"t9\" does not exist, skipping"]
    );
}

#[test]
fn foreign_keys_hold_and_drop() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (x int, y bigint); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 2)");
    s.ok("ALTER TABLE c ADD FOREIGN KEY (x) REFERENCES p");
    assert_eq!(
        s.detail("ALTER TABLE c ADD FOREIGN KEY (y) REFERENCES p"),
        "Key (y)=(2) is not present in table \"p\"."
    );
    s.ok("ALTER TABLE c ADD CONSTRAINT later FOREIGN KEY (y) REFERENCES p NOT VALID");
    assert!(s.err("ALTER TABLE c VALIDATE CONSTRAINT later").starts_with("23503"));
    s.ok("UPDATE c SET y = 1; ALTER TABLE c VALIDATE CONSTRAINT later");
    assert_eq!(s.err("DROP TABLE p"), "2BP01 cannot drop table p because other objects depend on it");
    assert_eq!(
        s.detail("DROP TABLE p"),
        "constraint c_x_fkey on table c depends on table p\nconstraint later on table c depends on table p"
    );
    assert_eq!(s.err("TRUNCATE p"), "0A000 cannot truncate a table referenced in a foreign key constraint");
    assert_eq!(s.notices("TRUNCATE p CASCADE"), ["truncate cascades to table \"c\""]);
    assert_eq!(s.notices("DROP TABLE p CASCADE"), ["drop cascades to 2 other objects"]);
    assert!(db.db.catalog().tables(5)[0].foreign_keys.is_empty());
    assert_eq!(
        s.notices("DROP TABLE IF EXISTS p, q"),
        ["table \"p\" does not exist, skipping", "table \"q\" does not exist, skipping"]
    );
    assert_eq!(s.err("DROP TABLE p"), "42P01 table \"p\" does not exist");
}

#[test]
fn sequences_identity_and_truncate() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE SEQUENCE q START 5 INCREMENT 2 MAXVALUE 9 CYCLE");
    assert_eq!(s.rows("SELECT nextval('q'), nextval('q'), nextval('q'), nextval('q')"), ["5|7|9|1"]);
    assert_eq!(s.err("CREATE SEQUENCE w MINVALUE 5 MAXVALUE 4"), "22023 MINVALUE (5) must be less than MAXVALUE (4)");
    s.ok("BEGIN; ALTER SEQUENCE q RESTART WITH 7");
    s.ok("ROLLBACK");
    assert_eq!(s.rows("SELECT nextval('q')"), ["3"]);
    s.ok("ALTER SEQUENCE q RESTART");
    assert_eq!(s.rows("SELECT nextval('q')"), ["5"]);
    s.ok("CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 10), v text)");
    s.ok("INSERT INTO t (v) VALUES ('a'), ('b')");
    assert_eq!(s.rows("SELECT id FROM t ORDER BY 1"), ["10", "11"]);
    s.ok("BEGIN; TRUNCATE t RESTART IDENTITY");
    assert_eq!(s.rows("SELECT count(*) FROM t"), ["0"]);
    s.ok("ROLLBACK");
    assert_eq!(s.rows("SELECT count(*) FROM t"), ["2"]);
    assert_eq!(s.ok("TRUNCATE TABLE t RESTART IDENTITY"), "TRUNCATE TABLE");
    s.ok("INSERT INTO t (v) VALUES ('c')");
    assert_eq!(s.rows("SELECT * FROM t"), ["10|c"]);
    s.ok("DROP TABLE t");
    assert!(db.db.catalog().sequences(5).iter().all(|s| s.name == "q"));
}

/// A new database has the template's extensions; DROP DATABASE takes them, and all that its schemas had.
#[test]
fn extensions_of_templates_and_dropped_databases() {
    const DANGLING: &str = "SELECT (SELECT count(*) FROM pg_proc WHERE pronamespace NOT IN (SELECT oid FROM pg_namespace)), (SELECT count(*) FROM pg_operator WHERE oprnamespace NOT IN (SELECT oid FROM pg_namespace))";
    let db = Db::new();
    let mut s = db.session();
    db.session_of("template1").ok("CREATE EXTENSION citext; CREATE SCHEMA x; CREATE EXTENSION hstore SCHEMA x");
    s.ok("CREATE DATABASE d");
    let mut d = db.session_of("d");
    assert_eq!(d.rows("SELECT 'A'::citext = 'a', x.hstore('a', 'b')"), ["t|\"a\"=>\"b\""]);
    drop(d);
    s.ok("DROP DATABASE d");
    assert_eq!(s.rows(DANGLING), ["0|0"]);
    db.session_of("template1").ok("DROP EXTENSION citext, hstore");
    assert_eq!(s.rows(DANGLING), ["0|0"]);

    let mut template = db.session_of("template1");
    template.ok(
        "CREATE DOMAIN posint AS int CHECK (VALUE > 0); CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    );
    let refused = "0A000 CREATE DATABASE from a template with objects of its own (\"template1\") is not supported yet";
    assert_eq!(s.err("CREATE DATABASE d"), refused);
    assert_eq!(s.detail("CREATE DATABASE d"), "It has type \"posint\", and 1 more.");
    s.ok("CREATE DATABASE d TEMPLATE template0");
}
/// A view that cannot be bound any more is shown as it is kept; the catalogs are read as ever.
#[test]
fn catalogs_show_what_cannot_be_bound() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a int); CREATE TYPE c AS (x int, y int); CREATE FUNCTION f() RETURNS SETOF c LANGUAGE sql AS 'SELECT 1, 2'");
    s.ok("CREATE VIEW v AS SELECT x FROM f(); ALTER TYPE c DROP ATTRIBUTE x");
    assert!(s.run("SELECT * FROM v").is_err());
    let columns = "SELECT table_name, column_name, is_updatable FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1";
    assert_eq!(s.rows(columns), ["t|a|YES", "v|x|NO"]);
    assert_eq!(s.rows("SELECT definition LIKE '%FROM public.f()%' FROM pg_views WHERE viewname = 'v'"), ["t"]);
    assert_eq!(s.rows("SELECT pg_get_viewdef('v'::regclass) LIKE '%FROM public.f()%'"), ["t"]);
    assert_eq!(s.rows("SELECT pg_relation_is_updatable('v'::regclass, true)"), ["0"]);
}

#[test]
fn schemas_databases_roles() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE SCHEMA x; CREATE TABLE x.t (a int); CREATE TABLE x.u (a serial)");
    assert_eq!(s.err("CREATE SCHEMA x"), "42P06 schema \"x\" already exists");
    assert_eq!(s.err("DROP SCHEMA x"), "2BP01 cannot drop schema x because other objects depend on it");
    s.ok("ALTER TABLE x.t SET SCHEMA public");
    assert_eq!(s.rows("SELECT count(*) FROM public.t"), ["0"]);
    assert_eq!(s.notices("DROP SCHEMA x CASCADE"), ["drop cascades to table x.u"]);
    assert_eq!(s.ok("CREATE DATABASE d"), "CREATE DATABASE");
    let mut d = db.session_of("d");
    d.ok("CREATE TABLE t (only_in_d int)");
    assert_eq!(d.rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), ["1"]);
    assert_eq!(s.err("DROP DATABASE d"), "55006 database \"d\" is being accessed by other users");
    drop(d);
    s.ok("ALTER DATABASE d RENAME TO e");
    assert_eq!(s.ok("DROP DATABASE e"), "DROP DATABASE");
    s.ok("CREATE USER bob PASSWORD 'secret'");
    assert!(db.db.verifier("bob").unwrap().unwrap().starts_with("SCRAM-SHA-256$4096:"));
    assert_eq!(s.err("CREATE ROLE bob"), "42710 role \"bob\" already exists");
    assert_eq!(s.ok("GRANT SELECT ON t TO bob"), "GRANT");
    assert_eq!(s.err("GRANT SELECT ON t TO alice"), "42704 role \"alice\" does not exist");
    assert_eq!(s.err("DROP ROLE bob"), "2BP01 role \"bob\" cannot be dropped because some objects depend on it");
    assert_eq!(s.ok("REVOKE SELECT ON t FROM bob"), "REVOKE");
    assert_eq!(s.ok("DROP ROLE bob"), "DROP ROLE");
}

#[test]
fn analyze_and_comments_show_in_the_catalogs() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a int, b text DEFAULT 'q', PRIMARY KEY (a))");
    s.ok("INSERT INTO t SELECT i, CASE WHEN i % 2 = 0 THEN 'x' END FROM generate_series(1, 500) i");
    assert_eq!(s.ok("ANALYZE t"), "ANALYZE");
    assert_eq!(
        s.rows(
            "SELECT attname, null_frac, n_distinct, most_common_vals FROM pg_stats WHERE tablename = 't' ORDER BY 1"
        ),
        ["a|0|-1|NULL", "b|0.5|1|{x}"]
    );
    assert_eq!(s.rows("SELECT reltuples FROM pg_class WHERE relname = 't'"), ["500"]);
    s.ok("COMMENT ON TABLE t IS 'hello'; COMMENT ON COLUMN t.b IS 'bee'");
    assert_eq!(s.rows("SELECT objsubid, description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid WHERE relname = 't' ORDER BY 1"), ["0|hello", "2|bee"]);
    assert_eq!(s.rows("SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position"), ["a|integer|NO|NULL", "b|text|YES|'q'::text"]);
    assert_eq!(s.rows("SELECT conname, contype FROM pg_constraint"), ["t_pkey|p"]);
    assert_eq!(s.rows("SELECT indexdef FROM pg_indexes"), ["CREATE UNIQUE INDEX t_pkey ON public.t USING btree (a)"]);
}
/// Every virtual table can be read whole.
#[test]
fn all_virtual_tables_answer() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a serial PRIMARY KEY, b int GENERATED ALWAYS AS (a + 1) STORED, c text UNIQUE CHECK (c <> ''), d int REFERENCES t)");
    for v in pamir_catalog::system::all() {
        let rows = s.rows(&format!("SELECT * FROM {}.{}", v.schema, v.name));
        if matches!(
            v.name,
            "pg_class" | "pg_type" | "pg_attribute" | "pg_proc" | "pg_settings" | "pg_database" | "tables" | "columns"
        ) {
            assert!(rows.len() > 2, "{}", v.name);
        }
    }
}

/// What psql 15 asks for \l \dn \dt \di \ds \du \d t and others (taken from psql -E).
#[test]
fn psql_backslash_queries() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a serial PRIMARY KEY, b int NOT NULL DEFAULT 5 REFERENCES p ON DELETE CASCADE, c text UNIQUE CHECK (c <> ''), d int GENERATED ALWAYS AS IDENTITY)");
    let list = include_str!("testdata/psql.sql");
    let (oid, mut failed) = (s.rows("SELECT 't'::regclass::oid"), vec![]);
    for q in list.split("\n\n").map(str::trim).filter(|q| !q.is_empty()) {
        if let Err(e) = s.run(&q.replace("@OID@", &oid[0])) {
            failed.push(format!("{} {}\n{q}\n", e.code().as_str(), e.message()));
        }
    }
    assert!(failed.is_empty(), "{} queries fail:\n{}", failed.len(), failed.join("\n"));
}

/// The statements of sysbench's and pgbench's preparation.
#[test]
fn benchmarks_prepare() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE sbtest1(id SERIAL, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id))");
    s.ok("INSERT INTO sbtest1(k, c, pad) VALUES (3, 'a', 'b'), (1, 'c', 'd')");
    s.ok("CREATE INDEX k_1 ON sbtest1(k)");
    assert_eq!(s.rows("SELECT id, k FROM sbtest1 WHERE k BETWEEN 2 AND 4"), ["1|3"]);
    s.ok("DROP TABLE IF EXISTS sbtest1");
    s.ok("drop table if exists pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers");
    s.ok("create table pgbench_history(tid int,bid int,aid    int,delta int,mtime timestamp,filler char(22))");
    s.ok(
        "create table pgbench_accounts(aid    int not null,bid int,abalance int,filler char(84)) with (fillfactor=100)",
    );
    s.ok("create table pgbench_branches(bid int not null,bbalance int,filler char(88)) with (fillfactor=100)");
    s.ok("begin; truncate table pgbench_accounts, pgbench_branches, pgbench_history; insert into pgbench_branches(bid,bbalance) values(1,0); insert into pgbench_accounts select i, 1, 0, '' from generate_series(1, 3000) i; commit");
    s.ok("vacuum analyze pgbench_branches");
    s.ok("alter table pgbench_branches add primary key (bid)");
    s.ok("alter table pgbench_accounts add primary key (aid)");
    assert_eq!(s.rows("SELECT count(*), max(aid) FROM pgbench_accounts"), ["3000|3000"]);
    s.ok("UPDATE pgbench_accounts SET abalance = abalance + 5 WHERE aid = 2999");
    assert_eq!(s.rows("SELECT abalance FROM pgbench_accounts WHERE aid = 2999"), ["5"]);
    s.ok("alter table pgbench_history add foreign key (bid) references pgbench_branches");
}

/// DDL of one session and statements of another: locks order them, and each sees the newest table.
#[test]
fn concurrent_changes_of_one_table() {
    let db = Db::new();
    let mut a = db.session();
    a.ok("CREATE TABLE t (a int); INSERT INTO t VALUES (1)");
    a.ok("BEGIN; ALTER TABLE t ADD b int DEFAULT 3");
    std::thread::scope(|scope| {
        let index = scope.spawn(|| db.session().ok("CREATE INDEX i ON t (b)"));
        let other = scope.spawn(|| db.session().ok("ALTER TABLE t ADD c int DEFAULT 4"));
        let insert = scope.spawn(|| db.session().ok("INSERT INTO t (a) VALUES (2)"));
        std::thread::sleep(std::time::Duration::from_millis(80));
        a.ok("COMMIT");
        // It waits for the table's lock before it looks at columns.
        assert_eq!(index.join().unwrap(), "CREATE INDEX");
        other.join().unwrap();
        insert.join().unwrap();
    });
    assert_eq!(a.rows("SELECT a, b, c FROM t ORDER BY a").len(), 2);
    assert_eq!(a.rows("SELECT count(*) FROM t WHERE b = 3"), ["2"]);
    a.ok("SET enable_indexscan = off; SET enable_indexonlyscan = off");
    assert_eq!(a.rows("SELECT count(*) FROM t WHERE b = 3"), ["2"]);
    assert_eq!(a.rows("SELECT b, c FROM t WHERE a = 1"), ["3|4"]);
    assert_eq!(db.db.catalog().tables(5)[0].live_columns().count(), 3);
}

/// What pg_dump writes can be restored.
#[test]
fn a_dump_restores() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("SELECT pg_catalog.set_config('search_path', '', false)");
    for q in [
        "CREATE TABLE public.t (id integer NOT NULL, name character varying(20) DEFAULT 'x'::character varying, g integer GENERATED ALWAYS AS ((id * 2)) STORED)",
        "ALTER TABLE public.t OWNER TO postgres",
        "CREATE SEQUENCE public.t_id_seq\n    AS integer\n    START WITH 1\n    INCREMENT BY 1\n    NO MINVALUE\n    NO MAXVALUE\n    CACHE 1",
        "ALTER SEQUENCE public.t_id_seq OWNED BY public.t.id",
        "CREATE TABLE public.u (id bigint NOT NULL, t integer)",
        "ALTER TABLE public.u ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (\n    SEQUENCE NAME public.u_id_seq\n    START WITH 1\n    INCREMENT BY 1\n    NO MINVALUE\n    NO MAXVALUE\n    CACHE 1\n)",
        "ALTER TABLE ONLY public.t ALTER COLUMN id SET DEFAULT nextval('public.t_id_seq'::regclass)",
        "INSERT INTO public.t (id, name) VALUES (1, 'a'), (2, 'b')",
        "SELECT pg_catalog.setval('public.t_id_seq', 2, true)",
        "ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id)",
        "CREATE INDEX t_name_idx ON public.t USING btree (name)",
        "ALTER TABLE ONLY public.u ADD CONSTRAINT u_t_fkey FOREIGN KEY (t) REFERENCES public.t(id) ON DELETE SET NULL",
        "COMMENT ON TABLE public.t IS 'table'",
    ] {
        s.ok(q);
    }
    s.ok("INSERT INTO public.t DEFAULT VALUES; INSERT INTO public.u (t) VALUES (3)");
    assert_eq!(s.rows("SELECT * FROM public.t ORDER BY 1"), ["1|a|2", "2|b|4", "3|x|6"]);
    s.ok("ALTER SEQUENCE public.t_id_seq RENAME TO renamed; INSERT INTO public.t DEFAULT VALUES; DELETE FROM public.t WHERE id = 3");
    assert_eq!(s.rows("SELECT * FROM public.u"), ["1|NULL"]);
    assert_eq!(
        s.rows("SELECT column_default FROM information_schema.columns WHERE table_name = 't' AND column_name = 'id'"),
        ["nextval('public.renamed'::regclass)"]
    );
    s.ok("SET search_path = public");
    s.ok("CREATE TABLE l (LIKE t INCLUDING ALL)");
    assert_eq!(s.rows("SELECT indexname FROM pg_indexes WHERE tablename = 'l' ORDER BY 1"), ["l_name_idx", "l_pkey"]);
    assert_eq!(s.ok("CREATE TABLE ctas AS SELECT id, name FROM t"), "SELECT 3");
    s.ok("CREATE UNIQUE INDEX ci ON ctas (id); ALTER TABLE ctas ADD CONSTRAINT cpk PRIMARY KEY USING INDEX ci");
    assert!(s.err("INSERT INTO ctas VALUES (1)").starts_with("23505"));
    assert!(s.err("CREATE TABLE x (a int) PARTITION BY RANGE (b)").starts_with("42703"));
    s.ok("CREATE VIEW v AS SELECT 1 AS one");
    s.ok("ALTER TABLE u ALTER id DROP IDENTITY; ALTER TABLE u ALTER t TYPE bigint, ALTER t SET DEFAULT 1");
    assert_eq!(s.err("DROP SEQUENCE renamed"), "2BP01 cannot drop sequence renamed because other objects depend on it");
    // The copy made by LIKE uses it too.
    assert_eq!(s.notices("DROP SEQUENCE renamed CASCADE"), ["drop cascades to 2 other objects"]);
    assert_eq!(
        s.err("DROP INDEX t_pkey"),
        "2BP01 cannot drop index t_pkey because constraint t_pkey on table t requires it"
    );
    assert_eq!(s.err("DROP TABLE t_pkey"), "42809 \"t_pkey\" is not a table");
}

/// LIKE stands among columns and constraints; what it copies comes after what is written.
#[test]
fn tables_like_others() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE a (id int PRIMARY KEY, v text DEFAULT 'x' CHECK (v <> ''))");
    s.ok("CREATE TABLE b (n int, LIKE a INCLUDING ALL EXCLUDING DEFAULTS, w int DEFAULT 3)");
    assert_eq!(
        s.rows("SELECT column_name, column_default, is_nullable FROM information_schema.columns WHERE table_name = 'b' ORDER BY ordinal_position"),
        ["n|NULL|YES", "id|NULL|NO", "v|NULL|YES", "w|3|YES"]
    );
    assert_eq!(
        s.rows("SELECT conname FROM pg_constraint WHERE conrelid = 'b'::regclass ORDER BY 1"),
        ["a_v_check", "b_pkey"]
    );
    assert_eq!(s.err("CREATE TABLE c (id int, LIKE a)"), "42701 column \"id\" specified more than once");
    assert_eq!(
        s.err("CREATE TABLE c (x int PRIMARY KEY, LIKE a INCLUDING INDEXES)"),
        "42P16 multiple primary keys for table \"c\" are not allowed"
    );
    assert_eq!(s.err("CREATE TABLE c (LIKE nope)"), "42P01 relation \"nope\" does not exist");
}

#[test]
fn what_stands_behind_a_column() {
    let db = Db::new();
    let mut s = db.session();
    for (sql, e) in [
        ("CREATE TABLE t (a int NOT NULL DEFERRABLE)", "misplaced DEFERRABLE clause"),
        (
            "CREATE TABLE t (a int REFERENCES t DEFERRABLE NOT DEFERRABLE)",
            "multiple DEFERRABLE/NOT DEFERRABLE clauses not allowed",
        ),
        (
            "CREATE TABLE t (a int REFERENCES t INITIALLY DEFERRED NOT DEFERRABLE)",
            "constraint declared INITIALLY DEFERRED must be DEFERRABLE",
        ),
        (
            "CREATE TABLE t (a int NULL NOT NULL)",
            "conflicting NULL/NOT NULL declarations for column \"a\" of table \"t\"",
        ),
        ("CREATE TABLE t (a serial DEFAULT 1)", "multiple default values specified for column \"a\" of table \"t\""),
        (
            "CREATE TABLE t (a int DEFAULT 1 GENERATED ALWAYS AS IDENTITY)",
            "both default and identity specified for column \"a\" of table \"t\"",
        ),
    ] {
        assert_eq!(s.err(sql), format!("42601 {e}"));
    }
    assert_eq!(s.err("CREATE TABLE t (a serial[])"), "0A000 array of serial is not implemented");
    let place = |s: &mut S, sql: &str| s.run(sql).err().and_then(|e| e.data().position);
    assert_eq!(place(&mut s, "CREATE TABLE t (a int NOT NULL DEFERRABLE)"), Some(32));
    assert_eq!(place(&mut s, "CREATE TABLE t (a int, b nothing)"), Some(26));
    assert_eq!(place(&mut s, "CREATE TABLE t (a int, b int CHECK (b > (SELECT 1)))"), Some(41));
    assert_eq!(place(&mut s, "CREATE TABLE t (a int, PRIMARY KEY (b))"), Some(24));
    assert_eq!(place(&mut s, "CREATE TABLE nowhere.t (a int)"), Some(14));
}

/// Actions of every kind beside one another in one ALTER TABLE.
#[test]
fn alter_identity_and_parameters_together() {
    let db = Db::new();
    let mut s = db.session();
    s.ok("CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY, b int)");
    s.ok(
        "ALTER TABLE t ALTER a SET GENERATED BY DEFAULT SET INCREMENT 5 RESTART WITH 100, ALTER b SET DEFAULT 7, SET (fillfactor = 70)",
    );
    s.ok("INSERT INTO t DEFAULT VALUES; INSERT INTO t DEFAULT VALUES");
    assert_eq!(s.rows("SELECT * FROM t ORDER BY a"), ["100|7", "105|7"]);
    assert_eq!(s.rows("SELECT reloptions FROM pg_class WHERE relname = 't'"), ["{fillfactor=70}"]);
    assert_eq!(
        s.err("ALTER TABLE t ALTER b DROP IDENTITY"),
        "55000 column \"b\" of relation \"t\" is not an identity column"
    );
    assert_eq!(
        s.notices("ALTER TABLE t ALTER b DROP IDENTITY IF EXISTS, ALTER b DROP EXPRESSION IF EXISTS"),
        [
            "column \"b\" of relation \"t\" is not an identity column, skipping",
            "column \"b\" of relation \"t\" is not a stored generated column, skipping"
        ]
    );
    assert_eq!(s.notices("ALTER TABLE IF EXISTS u RENAME a TO c"), ["relation \"u\" does not exist, skipping"]);
    s.ok("ALTER TABLE t ADD CONSTRAINT u UNIQUE (a) INCLUDE (b) WITH (fillfactor = 80)");
    assert_eq!(s.rows("SELECT reloptions FROM pg_class WHERE relname = 'u'"), ["{fillfactor=80}"]);
    assert_eq!(s.err("ALTER TABLE t ADD UNIQUE (b) WITH (nosuch = 1)"), "22023 unrecognized parameter \"nosuch\"");
    assert_eq!(
        s.err("CREATE INDEX ON t (a) INCLUDE (b DESC)"),
        "42P17 including column does not support ASC/DESC options"
    );
    assert_eq!(
        s.err("CREATE INDEX ON t (a) INCLUDE ((b + 1))"),
        "0A000 expressions are not supported in included columns"
    );
    assert_eq!(s.err("REINDEX (nothing) TABLE t"), "42601 unrecognized REINDEX option \"nothing\"");
    assert_eq!(s.err("REINDEX DATABASE nowhere"), "0A000 can only reindex the currently open database");
    assert_eq!(s.ok("REINDEX DATABASE postgres"), "REINDEX");
}
