//! `pamir backup create | list | check | prune` and `pamir restore`.
//!
//! `create` asks a running server over PostgreSQL's protocol, so that the server makes the backup, into a store that *it* reaches; or, with `--data-dir`, backs up a directory that no server uses.
//! The others read the store themselves and need no server.
use crate::one_line::line;
use crate::pgclient;
use crate::start;
use clap::{Args, Subcommand};
use pamir_backup::SystemId;
use pamir_backup::base::{self, DEFAULT_RATE, Progress};
use pamir_backup::check::{self, Stretch};
use pamir_backup::restore::{self, Target, backups, choose_system};
use pamir_backup::source::OwnLog;
use pamir_backup::store::Store;
use pamir_backup::system::{SYSTEM_FILE, System};
use pamir_cluster::identity::{hex, unhex};
use pamir_storage::disk::Disk;
use pamir_storage::disk::overlay::Overlay;
use pamir_storage::disk::real::RealDisk;
use pamir_storage::platform::{Platform, Real};
use pamir_storage::store::NODE_FILE;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::datetime::{DateTimeStyle, ParseCtx, format_timestamptz, parse_timestamptz};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Microseconds from 1970-01-01 to 2000-01-01.
const EPOCH: i64 = 946_684_800_000_000;
/// Memory for pages of a directory that is backed up without a server.
const CACHE: u64 = 256 << 20;

#[derive(Subcommand)]
pub enum BackupCommand {
    /// Make a base backup, of a running server or of a directory that no server uses
    Create {
        /// Where to: a directory, or s3://BUCKET/PREFIX
        target: String,
        /// The server's address
        #[arg(long, env = "PAMIR_PG_ADDR", value_name = "HOST:PORT", default_value = "127.0.0.1:5432")]
        pg_addr: String,
        /// The server as a URL, instead: postgres://user@host:port/?sslmode=...
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// Whom to connect as: a superuser; the password is taken from PGPASSWORD
        #[arg(long, env = "PGUSER", default_value = "postgres")]
        user: String,
        /// A directory that no server uses, instead of a server
        #[arg(long, value_name = "DIR")]
        data_dir: Option<PathBuf>,
        /// Bytes a second at most, such as 100MiB; 0: as fast as it goes [default: 64MiB]
        #[arg(long, value_name = "BYTES")]
        max_rate: Option<String>,
    },
    /// List the base backups in a store, and what of the log is archived
    List {
        source: String,
        #[command(flatten)]
        of: Of,
    },
    /// Read everything in a store and compare it with its checksums
    Check {
        source: String,
        #[command(flatten)]
        of: Of,
        /// Restore each base backup, with all the log behind it, into a temporary directory, and check every page and every index there
        #[arg(long)]
        full: bool,
    },
    /// Remove old base backups, and the log that none of the others needs
    Prune {
        source: String,
        #[command(flatten)]
        of: Of,
        /// So many of the newest stay
        #[arg(long, value_name = "N")]
        keep: usize,
    },
}
#[derive(Args)]
pub struct Of {
    /// Whose, where the store has backups of several: 32 hexadecimal digits
    #[arg(long, value_name = "ID")]
    system: Option<String>,
}
#[derive(Args)]
pub struct RestoreArgs {
    /// Where from: a directory, or s3://BUCKET/PREFIX
    source: String,
    /// A new or empty directory, which becomes a single node's
    #[arg(long, env = "PAMIR_DATA_DIR", value_name = "DIR")]
    data_dir: PathBuf,
    /// As of this time, such as "2026-01-31 12:00:00+00" (UTC where it says none)
    #[arg(long, value_name = "TIME", group = "target")]
    to: Option<String>,
    /// As of this position of the log
    #[arg(long, value_name = "POSITION", group = "target")]
    to_lsn: Option<u64>,
    /// All that there is [default]
    #[arg(long, group = "target")]
    latest: bool,
    /// Begin with this base backup instead of the newest at or before the target
    #[arg(long, value_name = "ID")]
    backup: Option<String>,
    #[command(flatten)]
    of: Of,
}

/// Bytes of a segment of a restored directory's log.
fn segment() -> u64 {
    ShardOptions::default().log_segment_size
}
type Done = Result<(), String>;

impl Of {
    fn system(&self) -> Result<Option<SystemId>, String> {
        let Some(s) = &self.system else { return Ok(None) };
        unhex(s).map(Some).ok_or_else(|| format!("--system {s}: 32 hexadecimal digits are wanted"))
    }
    fn open(&self, source: &str) -> Result<(Store, SystemId), String> {
        let store = Store::open(source).map_err(line)?;
        let system = choose_system(&store, self.system()?).map_err(line)?;
        Ok((store, system))
    }
}
/// A time as people read it.
fn time(micros: i64) -> String {
    if micros == 0 {
        return "unknown".into();
    }
    let mut out = Vec::new();
    format_timestamptz(micros - EPOCH, &DateTimeStyle::default(), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
fn size(bytes: u64) -> String {
    match bytes {
        b if b < 10 << 10 => format!("{b} bytes"),
        b if b < 10 << 20 => format!("{} kB", b >> 10),
        b if b < 10 << 30 => format!("{} MB", b >> 20),
        b => format!("{} GB", b >> 30),
    }
}

pub fn backup(command: BackupCommand) -> Done {
    match command {
        BackupCommand::Create { target, pg_addr, url, user, data_dir, max_rate } => {
            let rate = max_rate.map(|r| crate::config::parse_size(&r).map_err(|e| format!("--max-rate: {e}")));
            let rate = rate.transpose()?;
            match data_dir {
                Some(dir) => create_offline(&target, &dir, rate),
                None => create_online(&target, server(url.as_deref(), &pg_addr, user)?, rate),
            }
        }
        BackupCommand::List { source, of } => list(&source, &of),
        BackupCommand::Check { source, of, full } => check(&source, &of, full),
        BackupCommand::Prune { source, of, keep } => prune(&source, &of, keep),
    }
}
/// A directory's name means the same to the server, wherever that was started.
fn absolute(target: &str) -> String {
    if target.contains("://") {
        return target.into();
    }
    std::path::absolute(target).map_or_else(|_| target.into(), |p| p.display().to_string())
}
/// A backup is answered when it is done, however long that takes.
fn server(url: Option<&str>, addr: &str, user: String) -> Result<pgclient::Target, String> {
    let mut t = url.map_or_else(|| pgclient::Target::of_hosts(addr), pgclient::Target::parse)?;
    t.user.get_or_insert(user);
    t.patience = None;
    Ok(t)
}
fn create_online(target: &str, server: pgclient::Target, rate: Option<u64>) -> Done {
    let target = absolute(target);
    // Before the server is asked: what makes no sense is told at once.
    Store::open(&target).map_err(line)?;
    let quoted = target.replace('\'', "''");
    let sql = match rate {
        None => format!("select pamir_backup('{quoted}')"),
        Some(r) => format!("select pamir_backup('{quoted}', {r})"),
    };
    let answer = pgclient::Client::connect(&server)?.query(&sql)?;
    let id = answer.rows.into_iter().flatten().next().flatten().unwrap_or_default();
    println!("backup {id} in {target}");
    Ok(())
}
fn create_offline(target: &str, dir: &Path, rate: Option<u64>) -> Done {
    let store = Store::open(target).map_err(line)?.with_rate(rate.unwrap_or(DEFAULT_RATE));
    if !dir.is_dir() {
        return Err(format!("there is no directory \"{}\"", dir.display()));
    }
    let disk = RealDisk::open_with(dir, true).map_err(line)?;
    if disk.exists(NODE_FILE).map_err(line)? {
        return Err(format!(
            "\"{}\" belongs to a node of a cluster, whose log's end only the cluster knows. Make the backup from a running node, with --pg-addr.",
            dir.display()
        ));
    }
    if !disk.exists(pamir_storage::store::SUPER_FILE).map_err(line)? {
        return Err(format!("\"{}\" holds no database", dir.display()));
    }
    // Drawn in the directory itself: the next backup is of the same system.
    System::of(&*disk, &Real).map_err(line)?;
    let overlay = Overlay::new(disk).map_err(line)?;
    let options = ShardOptions { cache_size: CACHE, io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(overlay, options).map_err(line)?;
    let source = OwnLog::new(shard).map_err(line)?;
    let (id, m) = base::create(&store, &source, &Real, &Progress::default()).map_err(line)?;
    println!("backup {id} in {}: {} pages, {}", store.describe(), m.pages, size(m.size()));
    Ok(())
}
fn list(source: &str, of: &Of) -> Done {
    let (store, system) = of.open(source)?;
    println!("system {}", hex(&system));
    for (id, m) in backups(&store, &system).map_err(line)? {
        match m {
            Ok(m) => println!(
                "backup {id}: {} of a {}, position {} to {}, {}",
                time(m.taken),
                m.kind.name(),
                m.from.position,
                m.reach.position,
                size(m.size())
            ),
            Err(e) => println!("backup {id}: {}", line(e)),
        }
    }
    for Stretch { from, to, pieces, last } in check::stretches(&store, &system).map_err(line)? {
        println!("log: position {from} to {to}, {pieces} pieces, up to {}", time(last));
    }
    Ok(())
}
fn check(source: &str, of: &Of, full: bool) -> Done {
    let (store, system) = of.open(source)?;
    let r = check::check(&store, &system).map_err(line)?;
    println!("system {}", hex(&system));
    println!("{} backups of {} objects, {} pieces of log, {}", r.backups, r.objects, r.pieces, size(r.bytes));
    r.problems.iter().for_each(|p| println!("problem: {p}"));
    let mut problems = r.problems.len();
    if full {
        for (id, m) in backups(&store, &system).map_err(line)? {
            if m.is_err() {
                continue;
            }
            if let Err(e) = check_restored(&store, system, &id) {
                println!("problem: backup {id}: {e}");
                problems += 1;
            }
        }
    }
    if problems == 0 { Ok(()) } else { Err(format!("{problems} problems in {}", store.describe())) }
}
/// Restores a backup as far as the log goes behind it, and checks what that made.
fn check_restored(store: &Store, system: SystemId, id: &str) -> Done {
    let dir = std::env::temp_dir().join(format!("pamir-check-{}-{id}", std::process::id()));
    let checked = (|| {
        let disk: Arc<dyn Disk> = RealDisk::open(&dir).map_err(line)?;
        let made =
            restore::restore(store, Some(system), Some(id), Target::Latest, &disk, segment(), &|_| ()).map_err(line)?;
        drop(disk);
        println!("backup {id} restored up to position {}", made.at.position);
        start::check(&dir)
    })();
    let _ = std::fs::remove_dir_all(&dir);
    checked
}
fn prune(source: &str, of: &Of, keep: usize) -> Done {
    let (store, system) = of.open(source)?;
    let p = check::prune(&store, &system, keep, Real.time()).map_err(line)?;
    p.backups.iter().for_each(|id| println!("removed backup {id}"));
    p.unfinished.iter().for_each(|id| println!("removed what was left of backup {id}"));
    println!("removed {} pieces of log", p.pieces);
    Ok(())
}

pub fn restore(args: RestoreArgs) -> Done {
    let target = match (&args.to, args.to_lsn) {
        (Some(t), _) => {
            let cx = ParseCtx { style: &DateTimeStyle::default(), now: Real.time() - EPOCH };
            let t = parse_timestamptz(t, -1, &cx).map_err(|e| format!("--to: {}", line(e)))?;
            Target::Time(t.saturating_add(EPOCH))
        }
        (None, Some(p)) => Target::Position(p),
        (None, None) => Target::Latest,
    };
    let store = Store::open(&args.source).map_err(line)?;
    let system = args.of.system()?;
    let disk: Arc<dyn Disk> = RealDisk::open(&args.data_dir).map_err(line)?;
    let say = |what: &str| eprintln!("{what}");
    let r = restore::restore(&store, system, args.backup.as_deref(), target, &disk, segment(), &say).map_err(line)?;
    println!(
        "restored \"{}\" from backup {} and {} records of log: position {}, last commit at {}",
        args.data_dir.display(),
        r.backup,
        r.items,
        r.at.position,
        time(r.time)
    );
    println!("it is system {} now (see \"{SYSTEM_FILE}\"); the parent was {}", hex(&r.system), hex(&r.parent));
    Ok(())
}
