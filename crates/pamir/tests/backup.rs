//! Base backups under load, the archive, restores to points in time: what is restored is what the journal says was there.
mod wire;
use std::io::{BufRead, BufReader};

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use wire::Conn;

const BIN: &str = env!("CARGO_BIN_EXE_pamir");
const ACCOUNTS: i64 = 20;
const EACH: i64 = 1000;

struct Node {
    child: Child,
    addr: String,
}
impl Node {
    fn start(dir: &Path, more: &[&str]) -> Node {
        let mut c = Command::new(BIN);
        c.args(["start", "--http-addr", "off", "--cache-size", "64MiB", "--log-level", "warn,pamir::error=off"]);
        c.args(["--pg-addr", "127.0.0.1:0"]).args(more).arg("--data-dir").arg(dir);
        let mut child = c.stdout(Stdio::piped()).spawn().expect("start pamir");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("ready line");
        let rest = line.split("postgres@").nth(1).unwrap_or_else(|| panic!("no address in the ready line: {line:?}"));
        Node { child, addr: rest.split('/').next().unwrap_or("").to_string() }
    }
    fn connect(&self) -> Conn {
        Conn::connect(&self.addr, "postgres", "postgres")
    }
    fn stop(mut self) {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}
impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
/// Runs the program; exit code, standard output, standard error.
fn pamir(args: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(BIN).args(args).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}
fn well(args: &[&str]) -> String {
    let (code, out, err) = pamir(args);
    assert_eq!(code, Some(0), "{args:?}: {out}{err}");
    out
}
fn port() -> String {
    format!("127.0.0.1:{}", pamir_testkit::port())
}
/// Runs a statement until it ends well.
fn until(c: &mut Conn, sql: &str) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let got = c.query(sql);
        if !got.iter().any(|l| l.contains("ERROR")) {
            return got;
        }
        assert!(Instant::now() < end, "{sql}: {got:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
fn numbers(c: &mut Conn, sql: &str) -> Vec<i64> {
    let got = until(c, sql);
    got[1..got.len() - 1]
        .iter()
        .flat_map(|l| l.split(" | ").map(|n| n.parse().unwrap()).collect::<Vec<i64>>())
        .collect()
}
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as i64
}
/// Microseconds since 1970 as --to takes them (H. Hinnant's civil_from_days).
fn text(micros: i64) -> String {
    let (secs, frac) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let z = secs.div_euclid(86_400) + 719_468;
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (d, m) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let y = yoe + era * 400 + i64::from(m <= 2);
    let s = secs.rem_euclid(86_400);
    format!("{y:04}-{m:02}-{d:02} {:02}:{:02}:{:02}.{frac:06}+00", s / 3600, s / 60 % 60, s % 60)
}

fn make_bank(c: &mut Conn) {
    until(c, "create table account (id int primary key, balance bigint not null)");
    until(c, "create table journal (n bigint primary key, a int, b int, amount bigint)");
    until(c, "create index on journal (a)");
    until(c, &format!("insert into account select g, {EACH} from generate_series(1, {ACCOUNTS}) g"));
}
/// A transfer that was acknowledged: its number, the clock before and after.
type Done = (i64, i64, i64);
/// Transfers until `over`, numbered `first, first + step, ...`. What fails with an error of a lost leader is tried again under another number.
fn transfer(mut c: Conn, first: i64, step: i64, over: &AtomicBool) -> Vec<Done> {
    let mut done = Vec::new();
    let mut n = first;
    while !over.load(Ordering::SeqCst) {
        let (a, b, amount) = (1 + n * 7 % ACCOUNTS, 1 + n * 13 % ACCOUNTS, 1 + n % 5);
        let before = now();
        let got = c.query(&format!(
            "begin; update account set balance = balance - {amount} where id = {a}; update account set balance = balance + {amount} where id = {b}; \
             insert into journal values ({n}, {a}, {b}, {amount}); commit"
        ));
        if got.last().is_some_and(|l| l == "COMMIT") {
            done.push((n, before, now()));
        } else {
            c.query("rollback");
            if got.iter().any(|l| l.contains("connection")) {
                break;
            }
        }
        n += step;
    }
    done
}
/// The restored bank agrees with its own journal, and the journal with those who were told: everything acknowledged by `t` is there, nothing begun later is.
fn agrees(dir: &Path, t: Option<i64>, done: &[Done], more: &[&str]) {
    let node = Node::start(dir, more);
    let mut c = node.connect();
    let wrong = numbers(
        &mut c,
        &format!(
            "select count(*) from account x where balance <> {EACH} \
             - coalesce((select sum(amount) from journal j where j.a = x.id), 0) + coalesce((select sum(amount) from journal j where j.b = x.id), 0)"
        ),
    );
    assert_eq!(wrong, [0], "balances and journal differ at {t:?}");
    assert_eq!(numbers(&mut c, "select sum(balance)::bigint from account"), [ACCOUNTS * EACH]);
    let there: std::collections::BTreeSet<i64> = numbers(&mut c, "select n from journal").into_iter().collect();
    for (n, before, after) in done {
        match t {
            Some(t) if *after <= t => assert!(there.contains(n), "{n}, acknowledged at {after}, lacks at {t}"),
            // Stamps are a millisecond apart.
            Some(t) if *before > t + 1_000 => assert!(!there.contains(n), "{n}, begun at {before}, is there at {t}"),
            Some(_) => {}
            None => assert!(there.contains(n), "{n} lacks"),
        }
    }
    node.stop();
}

#[test]
fn a_bank_restores_to_any_time() {
    let dir = tempfile::tempdir().unwrap();
    let at = |n: &str| dir.path().join(n);
    let store = at("store").display().to_string();
    let node = Node::start(&at("data"), &["--archive", &store, "--archive-timeout", "1", "--checkpoint-size", "1MiB"]);
    let mut c = node.connect();
    make_bank(&mut c);
    let over = AtomicBool::new(false);
    let (mut done, begun) = std::thread::scope(|s| {
        let clients: Vec<_> = (0..3)
            .map(|n| {
                let (c, over) = (node.connect(), &over);
                s.spawn(move || transfer(c, n, 3, over))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let out = well(&["backup", "create", &store, "--pg-addr", &node.addr]);
        assert!(out.starts_with("backup "), "{out}");
        let begun = now();
        std::thread::sleep(Duration::from_secs(3));
        over.store(true, Ordering::SeqCst);
        (clients.into_iter().flat_map(|c| c.join().unwrap()).collect::<Vec<Done>>(), begun)
    });
    done.sort();
    let ended = now();
    // What is archived with it says that the archive is whole up to then.
    until(&mut c, "insert into journal values (-5, 1, 1, 0)");
    // The archive has it, as PostgreSQL would say so.
    let archived = numbers(&mut c, "select archived_count, failed_count from pg_stat_archiver");
    assert!(archived[0] > 0 && archived[1] == 0, "{archived:?}");
    drop(c);
    node.stop();
    let seed = begun as u64;
    for n in 0..5u64 {
        let t =
            begun + (seed.wrapping_mul(n * 2 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16) as i64 % (ended - begun);
        let to = at(&format!("restored{n}"));
        well(&["restore", &store, "--data-dir", &to.display().to_string(), "--to", &text(t)]);
        agrees(&to, Some(t), &done, &[]);
    }
    // All there is; and as a cluster of one.
    let to = at("latest");
    well(&["restore", &store, "--data-dir", &to.display().to_string()]);
    agrees(&to, None, &done, &["--node-addr", &port()]);
    let out = well(&["backup", "check", &store, "--full"]);
    assert!(out.contains("restored up to") && out.contains("table postgres.public.journal"), "{out}");
    // A restored directory is a system of its own: it can archive into the same store.
    let to = at("again");
    well(&["restore", &store, "--data-dir", &to.display().to_string()]);
    let node = Node::start(&to, &["--archive", &store, "--archive-timeout", "1"]);
    node.connect().query("insert into journal values (-1, 1, 1, 0)");
    let mut c = node.connect();
    let made = c.query(&format!("select pamir_backup('{store}', 0)"));
    assert_eq!(made.last().map(String::as_str), Some("SELECT 1"), "{made:?}");
    drop(c);
    node.stop();
    let (code, _, err) = pamir(&["backup", "list", &store]);
    assert!(code == Some(1) && err.contains("several systems"), "{err}");
    let beyond = text(ended + 3_600_000_000);
    let system = err.split("They are: ").nth(1).unwrap().split(['.', ',']).next().unwrap().to_string();
    let (code, _, err) =
        pamir(&["restore", &store, "--data-dir", &at("x").display().to_string(), "--system", &system, "--to", &beyond]);
    assert!(code == Some(1) && err.contains("ends before the target time"), "{err}");
}

/// Three nodes archive into one store: the leader is killed, the next goes on; a follower makes the backup.
#[test]
fn a_clusters_archive_has_no_gap() {
    let dir = tempfile::tempdir().unwrap();
    let at = |n: &str| dir.path().join(n);
    let store = at("store").display().to_string();
    let ports: Vec<String> = (0..3).map(|_| port()).collect();
    let start = |n: usize| {
        let mut more = vec!["--node-addr", ports[n].as_str(), "--archive", &store, "--archive-timeout", "1"];
        if n > 0 {
            more.extend(["--join", ports[0].as_str()]);
        }
        Node::start(&at(&n.to_string()), &more)
    };
    let mut nodes: Vec<Option<Node>> = (0..3).map(|n| Some(start(n))).collect();
    make_bank(&mut nodes[0].as_ref().unwrap().connect());
    let mut done = Vec::new();
    let mut begun = 0;
    let over = AtomicBool::new(false);
    std::thread::scope(|s| {
        let clients: Vec<_> = (1..3)
            .map(|n| {
                let (c, over) = (nodes[n].as_ref().unwrap().connect(), &over);
                s.spawn(move || transfer(c, n as i64, 2, over))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(1500));
        // From one that follows.
        well(&["backup", "create", &store, "--pg-addr", &nodes[2].as_ref().unwrap().addr, "--max-rate", "0"]);
        begun = now();
        std::thread::sleep(Duration::from_millis(700));
        drop(nodes[0].take());
        std::thread::sleep(Duration::from_secs(6));
        over.store(true, Ordering::SeqCst);
        clients.into_iter().for_each(|c| done.extend(c.join().unwrap()));
    });
    let killed = done.len();
    let after = transfer_once(&nodes[1].as_ref().unwrap().connect_until(), 1_000_001);
    done.push(after);
    assert!(killed > 10, "{killed}");
    let t = now();
    std::thread::sleep(Duration::from_millis(20));
    // What is archived with it says that the archive is whole up to `t`.
    done.push(transfer_once(&nodes[1].as_ref().unwrap().connect_until(), 1_000_002));
    std::thread::sleep(Duration::from_secs(3));
    nodes.into_iter().flatten().for_each(drop);
    let out = well(&["backup", "list", &store]);
    assert_eq!(out.lines().filter(|l| l.starts_with("log: ")).count(), 1, "{out}");
    well(&["backup", "check", &store]);
    done.sort();
    // Behind the backup, and before the other leader's last.
    let mut times: Vec<i64> = done.iter().map(|d| d.2).filter(|t| *t >= begun).collect();
    times.sort_unstable();
    let middle = times[times.len() / 2];
    for (n, t) in [(0, None), (1, Some(t)), (2, Some(middle))] {
        let to = at(&format!("restored{n}"));
        let mut args = vec!["restore".to_string(), store.clone(), "--data-dir".into(), to.display().to_string()];
        if let Some(t) = t {
            args.extend(["--to".into(), text(t)]);
        }
        well(&args.iter().map(String::as_str).collect::<Vec<_>>());
        agrees(&to, t, &done, &[]);
    }
}
impl Node {
    fn connect_until(&self) -> std::cell::RefCell<Conn> {
        std::cell::RefCell::new(self.connect())
    }
}
/// One more transfer, tried until it is done.
fn transfer_once(c: &std::cell::RefCell<Conn>, n: i64) -> Done {
    let before = now();
    let mut c = c.borrow_mut();
    until(&mut c, &format!("insert into journal values ({n}, 1, 1, 1)"));
    (n, before, now())
}

#[test]
fn without_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let at = |n: &str| dir.path().join(n).display().to_string();
    let (data, store) = (at("data"), at("store"));
    let node = Node::start(Path::new(&data), &[]);
    let mut c = node.connect();
    make_bank(&mut c);
    until(&mut c, "insert into journal values (1, 1, 1, 1)");
    until(&mut c, "create role nobody login");
    let mut other = Conn::connect(&node.addr, "nobody", "postgres");
    let got = other.query(&format!("select pamir_backup('{store}')"));
    assert!(got.iter().any(|l| l.contains("42501")), "{got:?}");
    let got = c.query("select pamir_backup('ftp://x')");
    assert!(got.iter().any(|l| l.contains("22023")), "{got:?}");
    // A slow one is seen, is the only one, and ends with its statement.
    let mut slow = node.connect();
    slow.send(&format!("select pamir_backup('{store}', 20000)"));
    let end = Instant::now() + Duration::from_secs(60);
    let pid = loop {
        let seen = until(&mut c, "select pid, phase from pg_stat_progress_basebackup where backup_streamed > 0");
        if let [_, row, _] = seen.as_slice() {
            break row.split(" | ").next().unwrap().to_string();
        }
        assert!(Instant::now() < end, "{seen:?}");
    };
    let got = c.query(&format!("select pamir_backup('{store}')"));
    assert!(got.iter().any(|l| l.contains("55006")), "{got:?}");
    until(&mut c, &format!("select pg_cancel_backend({pid})"));
    let got = slow.finish(None).unwrap();
    assert!(got.iter().any(|l| l.contains("57014")), "{got:?}");
    // The thread ends as well.
    while until(&mut c, "select pid from pg_stat_progress_basebackup").len() > 2 {
        assert!(Instant::now() < end);
    }
    assert!(pamir(&["backup", "check", &store]).1.contains("0 backups"));
    // By somebody who has a password.
    until(&mut c, "create role boss superuser login password 'a word'");
    let by = |password: &str| {
        let mut p = Command::new(BIN);
        p.args(["backup", "create", &at("other"), "--pg-addr", &node.addr, "--user", "boss"]);
        p.env("PGPASSWORD", password).output().unwrap()
    };
    assert!(by("a word").status.success());
    let wrong = by("another");
    assert!(
        !wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("password authentication failed")
    );
    drop(slow);
    // In use.
    let (code, _, err) = pamir(&["backup", "create", &store, "--data-dir", &data]);
    assert!(code == Some(1) && err.contains("in use"), "{err}");
    drop((c, other));
    node.stop();
    for _ in 0..2 {
        let out = well(&["backup", "create", &store, "--data-dir", &data]);
        assert!(out.contains("pages"), "{out}");
    }
    let out = well(&["backup", "list", &store]);
    assert_eq!(out.lines().filter(|l| l.starts_with("backup ")).count(), 2, "{out}");
    let out = well(&["backup", "prune", &store, "--keep", "1"]);
    assert!(out.contains("removed backup"), "{out}");
    well(&["backup", "check", &store, "--full"]);
    well(&["restore", &store, "--data-dir", &at("new")]);
    agrees(Path::new(&at("new")), None, &[(1, 0, 0)], &[]);
    let (code, _, err) = pamir(&["restore", &store, "--data-dir", &at("new")]);
    assert!(code == Some(1) && err.contains("not empty"), "{err}");
    // Damage is named.
    let manifest = std::fs::read_dir(dir.path().join("store")).unwrap().next().unwrap().unwrap().path().join("base");
    // Of the one that was cancelled there may be a place without pages.
    let mut bases = std::fs::read_dir(manifest).unwrap().map(|d| d.unwrap().path().join("pages.000000"));
    let pages = bases.find(|p| p.exists()).unwrap();
    let mut bytes = std::fs::read(&pages).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&pages, bytes).unwrap();
    let (code, out, _) = pamir(&["backup", "check", &store]);
    assert!(code == Some(1) && out.contains("pages.000000"), "{out}");
    let (code, _, err) = pamir(&["restore", &store, "--data-dir", &at("bad")]);
    assert!(code == Some(1) && err.contains("pages.000000"), "{err}");
    let (code, _, err) = pamir(&["start", "--data-dir", &at("bad"), "--pg-addr", "127.0.0.1:0", "--http-addr", "off"]);
    assert!(code == Some(1) && err.contains("restore"), "{err}");
}
