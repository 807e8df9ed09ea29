//! Settings of `pamir start`: flag, else environment variable, else TOML file, else default.
//!
//! The three sources share one set of names: `--cache-size`, `PAMIR_CACHE_SIZE`, `cache-size = "2GiB"` (underscores are taken too).
use clap::Args;
use pamir_backup::archive::{ARCHIVE_LAG, ARCHIVE_TIMEOUT};
use pamir_cluster::cluster::SNAPSHOT_RATE;
use pamir_cluster::handover::{GRACE, LONGEST_GRACE};
use pamir_cluster::pace::MARGIN;
use pamir_pg::{AUTH_DELAY, Ask};
use pamir_sql::session::autoanalyze::Due;
use pamir_sql::settings::{ServerValues, Source};
use pamir_txn::ShardOptions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

const DATA_DIR: &str = "./pamir-data";
const PG_ADDR: &str = "127.0.0.1:5432";
const HTTP_ADDR: &str = "127.0.0.1:8432";
const LOG_LEVEL: &str = "info";
const MAX_CONNECTIONS: usize = 10_500;
const SUPERUSER_RESERVED: usize = 3;
/// Seconds from a connection's first packet to the end of its authentication.
const AUTH_TIMEOUT: u64 = 10;
const MAX_AUTH_TIMEOUT: u64 = 600;
/// Milliseconds.
/// A leader that is slower than this is lost to its followers anyway.
const MAX_SLOW_MARGIN: u64 = 60_000;
const MAX_AUTH_DELAY: u64 = 60_000;
/// More threads than any machine's cores serve nobody.
const MAX_WORKERS: usize = 1024;
/// Less is not worth starting with.
const MIN_CACHE: u64 = 8 << 20;
const MIN_CHECKPOINT: u64 = 1 << 20;
/// At lower rates messages to several followers in turn would take longer than each is waited for.
const MIN_SNAPSHOT_RATE: u64 = 1 << 20;
const MAX_CHECKPOINT: u64 = 1 << 40;
const MIN_VERSION_MEMORY: u64 = 1 << 20;
const MIN_QUERY_MEMORY: u64 = 32 << 20;
/// Memory for what has no setting of its own: catalog, log buffers, threads.
const OVERHEAD: u64 = 64 << 20;
/// Of the memory that the process may have, this part is left to the kernel and to the allocator's waste.
const UNUSED_SHARE: u64 = 8;
/// Where the machine's memory cannot be read.
const FALLBACK_MEMORY: u64 = 4 << 30;

#[derive(Args, Clone, Default, Deserialize, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// Directory that holds the data; created when absent [default: ./pamir-data]
    #[arg(long, env = "PAMIR_DATA_DIR", value_name = "DIR")]
    #[serde(alias = "data_dir")]
    pub data_dir: Option<PathBuf>,
    /// Address of the PostgreSQL protocol [default: 127.0.0.1:5432]
    #[arg(long, env = "PAMIR_PG_ADDR", value_name = "HOST:PORT")]
    #[serde(alias = "pg_addr")]
    pub pg_addr: Option<String>,
    /// Address of /health and /metrics; "off" for none [default: 127.0.0.1:8432]
    #[arg(long, env = "PAMIR_HTTP_ADDR", value_name = "HOST:PORT")]
    #[serde(alias = "http_addr")]
    pub http_addr: Option<String>,
    /// Memory for pages, such as 512MiB or 2GB [default: a quarter of memory]
    #[arg(long, env = "PAMIR_CACHE_SIZE", value_name = "BYTES")]
    #[serde(alias = "cache_size")]
    pub cache_size: Option<String>,
    /// Log between two checkpoints: more of it means fewer page writes and a longer restart after a crash [default: 160MiB]
    #[arg(long, env = "PAMIR_CHECKPOINT_SIZE", value_name = "BYTES")]
    #[serde(alias = "checkpoint_size")]
    pub checkpoint_size: Option<String>,
    /// Memory for old row versions that snapshots may need [default: 256MiB]
    #[arg(long, env = "PAMIR_VERSION_MEMORY", value_name = "BYTES")]
    #[serde(alias = "version_memory")]
    pub version_memory: Option<String>,
    /// Memory for statements and sessions; one that needs more gets an error (53200) [default: a quarter of memory]
    #[arg(long, env = "PAMIR_QUERY_MEMORY", value_name = "BYTES")]
    #[serde(alias = "query_memory")]
    pub query_memory: Option<String>,
    /// Disk for temporary files of all sessions; 0: as much as there is [default: 0]
    #[arg(long, env = "PAMIR_TEMP_DISK", value_name = "BYTES")]
    #[serde(alias = "temp_disk")]
    pub temp_disk: Option<String>,
    /// Disk for old row versions beyond that; when it is used up, the oldest snapshots are given up [default: 4GiB]
    #[arg(long, env = "PAMIR_VERSION_DISK", value_name = "BYTES")]
    #[serde(alias = "version_disk")]
    pub version_disk: Option<String>,
    /// Read and write data past the operating system's cache: memory is what --cache-size says [default: true]
    #[arg(long, env = "PAMIR_DIRECT_IO", value_name = "true|false")]
    #[serde(alias = "direct_io")]
    pub direct_io: Option<bool>,
    /// error, warn, info, debug, trace, or a filter such as pamir_pg=debug [default: info]
    #[arg(long, env = "PAMIR_LOG_LEVEL", value_name = "LEVEL")]
    #[serde(alias = "log_level")]
    pub log_level: Option<String>,
    /// Sessions at a time [default: 10500]
    #[arg(long, env = "PAMIR_MAX_CONNECTIONS", value_name = "N")]
    #[serde(alias = "max_connections")]
    pub max_connections: Option<usize>,
    /// Of these, how many only superusers may take [default: 3]
    #[arg(long, env = "PAMIR_SUPERUSER_RESERVED_CONNECTIONS", value_name = "N")]
    #[serde(alias = "superuser_reserved_connections")]
    pub superuser_reserved_connections: Option<usize>,
    /// Seconds that a client may take to authenticate [default: 10]
    #[arg(long, env = "PAMIR_AUTHENTICATION_TIMEOUT", value_name = "SECONDS")]
    #[serde(alias = "authentication_timeout")]
    pub authentication_timeout: Option<u64>,
    /// Gather the statistics of tables that were loaded or have changed much without being asked (ANALYZE) [default: true]
    #[arg(long, env = "PAMIR_AUTOVACUUM", value_name = "true|false")]
    pub autovacuum: Option<bool>,
    /// Rows inserted, updated and deleted before that is due, beside the part of the table that follows [default: 50]
    #[arg(long, env = "PAMIR_AUTOVACUUM_ANALYZE_THRESHOLD", value_name = "ROWS")]
    #[serde(alias = "autovacuum_analyze_threshold")]
    pub autovacuum_analyze_threshold: Option<u32>,
    /// ... and this part of the table's rows [default: 0.1]
    #[arg(long, env = "PAMIR_AUTOVACUUM_ANALYZE_SCALE_FACTOR", value_name = "FRACTION")]
    #[serde(alias = "autovacuum_analyze_scale_factor")]
    pub autovacuum_analyze_scale_factor: Option<f64>,
    /// Seconds between two looks at all tables [default: 15]
    #[arg(long, env = "PAMIR_AUTOVACUUM_NAPTIME", value_name = "SECONDS")]
    #[serde(alias = "autovacuum_naptime")]
    pub autovacuum_naptime: Option<u32>,
    /// Threads that run sessions [default: one per core]
    #[arg(long, env = "PAMIR_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
    /// Who gives a password when connecting from this machine: if-set (roles that have one), trust (nobody), password (everybody) [default: if-set]
    #[arg(long, env = "PAMIR_LOOPBACK_AUTH", value_name = "WHOM")]
    #[serde(alias = "loopback_auth")]
    pub loopback_auth: Option<LoopbackAuth>,
    /// Milliseconds that the refusal of a wrong password is kept back [default: 500]
    #[arg(long, env = "PAMIR_AUTH_DELAY", value_name = "MS")]
    #[serde(alias = "auth_delay")]
    pub auth_delay: Option<u64>,
    /// Address for the other nodes of a cluster; without it this is a single node
    #[arg(long, env = "PAMIR_NODE_ADDR", value_name = "HOST:PORT")]
    #[serde(alias = "node_addr")]
    pub node_addr: Option<String>,
    /// What the other nodes are to dial instead, where it differs
    #[arg(long, env = "PAMIR_NODE_ADVERTISE", value_name = "HOST:PORT")]
    #[serde(alias = "node_advertise")]
    pub node_advertise: Option<String>,
    /// Nodes of a cluster to join, by their --node-addr, with an empty data directory; told once
    #[arg(long, env = "PAMIR_JOIN", value_name = "HOST:PORT,...", value_delimiter = ',')]
    pub join: Vec<String>,
    /// Certificate of the cluster's own authority (PEM); nodes show each other certificates that it has signed
    #[arg(long, env = "PAMIR_NODE_CA", value_name = "FILE")]
    #[serde(alias = "node_ca")]
    pub node_ca: Option<PathBuf>,
    /// This node's certificate (PEM)
    #[arg(long, env = "PAMIR_NODE_CERT", value_name = "FILE")]
    #[serde(alias = "node_cert")]
    pub node_cert: Option<PathBuf>,
    /// Private key of the node's certificate (PEM)
    #[arg(long, env = "PAMIR_NODE_KEY", value_name = "FILE")]
    #[serde(alias = "node_key")]
    pub node_key: Option<PathBuf>,
    /// While a node runs with this the cluster's format does not rise by itself after an upgrade, and the build before may come back (pamir cluster finalize-upgrade)
    #[arg(long, env = "PAMIR_HOLD_FORMAT", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(alias = "hold_format")]
    pub hold_format: Option<bool>,
    /// Milliseconds that open transactions are given to end before a leader that stops hands over [default: 5000]
    #[arg(long, env = "PAMIR_TRANSFER_GRACE", value_name = "MS")]
    #[serde(alias = "transfer_grace")]
    pub transfer_grace: Option<u64>,
    /// Milliseconds by which a commit must take longer at the leader than it would at another node (and 3 times as long) for it to give the leadership away; 0: never [default: 25]
    #[arg(long, env = "PAMIR_SLOW_LEADER_MARGIN", value_name = "MS")]
    #[serde(alias = "slow_leader_margin")]
    pub slow_leader_margin: Option<u64>,
    /// Bytes of snapshots a second to all new or distant followers together, and of older log to those that do not vote yet; 0: as fast as it goes [default: 32MiB]
    #[arg(long, env = "PAMIR_SNAPSHOT_RATE", value_name = "BYTES")]
    #[serde(alias = "snapshot_rate")]
    pub snapshot_rate: Option<String>,
    /// Where the log is archived, for restores to a point in time: a directory, or s3://BUCKET/PREFIX
    #[arg(long, env = "PAMIR_ARCHIVE", value_name = "TARGET")]
    pub archive: Option<String>,
    /// Seconds after which what there is of the log is archived, however little [default: 60]
    #[arg(long, env = "PAMIR_ARCHIVE_TIMEOUT", value_name = "SECONDS")]
    #[serde(alias = "archive_timeout")]
    pub archive_timeout: Option<u32>,
    /// Log kept while it cannot be archived; beyond it the archive is given up, and a new base backup is needed; 0: never [default: 16GiB]
    #[arg(long, env = "PAMIR_ARCHIVE_LAG", value_name = "BYTES")]
    #[serde(alias = "archive_lag")]
    pub archive_lag: Option<String>,
    /// Serve other hosts without TLS and, where a role has none, without a password
    #[arg(long, env = "PAMIR_INSECURE", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub insecure: Option<bool>,
    /// Where every session's settings start, such as log_min_duration_statement=250ms; may be given more than once [in a file: a table named "set"]
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(skip)]
    pub set: Vec<String>,
    /// The same in a configuration file.
    #[arg(skip)]
    #[serde(rename = "set")]
    pub file_set: BTreeMap<String, toml::Value>,
    /// Certificate chain (PEM)
    #[arg(long, env = "PAMIR_TLS_CERT", value_name = "FILE")]
    #[serde(alias = "tls_cert")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate (PEM)
    #[arg(long, env = "PAMIR_TLS_KEY", value_name = "FILE")]
    #[serde(alias = "tls_key")]
    pub tls_key: Option<PathBuf>,
}

/// The words of --loopback-auth.
#[derive(Clone, Copy, Deserialize, clap::ValueEnum, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum LoopbackAuth {
    IfSet,
    Trust,
    Password,
}
impl From<LoopbackAuth> for Ask {
    fn from(w: LoopbackAuth) -> Ask {
        match w {
            LoopbackAuth::IfSet => Ask::IfSet,
            LoopbackAuth::Trust => Ask::Nobody,
            LoopbackAuth::Password => Ask::Everybody,
        }
    }
}

/// How the server takes part in a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub listen: SocketAddr,
    /// HOST:PORT that other nodes dial.
    pub address: String,
    pub join: Vec<String>,
    /// Authority, certificate and key.
    pub tls: Option<(PathBuf, PathBuf, PathBuf)>,
    /// The cluster's format is not to rise by itself.
    pub hold_format: bool,
    /// What open transactions are given when this node stops.
    pub grace: Duration,
    /// By how much it must be slower than others to give the leadership away; zero: it never does.
    pub slow_margin: Duration,
    /// Bytes of snapshots a second; 0: as fast as it goes.
    pub snapshot_rate: u64,
}

/// Where the log is archived, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive {
    pub target: String,
    pub timeout: Duration,
    pub lag: u64,
}

impl Archive {
    fn resolve(target: Option<String>, seconds: Option<u32>, lag: u64) -> Result<Option<Archive>, String> {
        if seconds == Some(0) {
            return Err("--archive-timeout 0: must be at least 1".into());
        }
        let timeout = seconds.map_or(ARCHIVE_TIMEOUT, |s| Duration::from_secs(u64::from(s)));
        Ok(target.filter(|t| !t.is_empty()).map(|target| Archive { target, timeout, lag }))
    }
}

/// What the server runs with.
#[derive(Clone, Debug)]
pub struct Config {
    /// None: the log is not archived.
    pub archive: Option<Archive>,
    /// None: a single node.
    pub node: Option<Node>,
    pub data_dir: PathBuf,
    pub pg_addr: SocketAddr,
    pub http_addr: Option<SocketAddr>,
    pub cache_size: u64,
    pub checkpoint_size: u64,
    pub version_memory: u64,
    pub version_disk: u64,
    pub query_memory: u64,
    pub temp_disk: u64,
    pub direct_io: bool,
    pub log_level: String,
    pub max_connections: usize,
    pub superuser_reserved: usize,
    pub auth_timeout: Duration,
    /// None: only who asks for it gets an ANALYZE.
    pub auto_analyze: Option<Due>,
    pub workers: usize,
    pub insecure: bool,
    pub loopback: Ask,
    pub auth_delay: Duration,
    /// Certificate and key.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// What the command line and the file say of session settings, and where the configuration file is.
    pub settings: ServerValues,
}

impl Settings {
    pub fn from_file(path: &Path) -> Result<Settings, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("could not read the configuration file \"{}\": {e}", path.display()))?;
        toml::from_str(&text).map_err(|e| {
            let line = e.span().map_or(1, |s| text.get(..s.start).unwrap_or_default().lines().count().max(1));
            let why = e.message().replace('\n', " ");
            format!("could not read the configuration file \"{}\": line {line}: {why}", path.display())
        })
    }

    /// `self` where it says something, else `file`, else the default.
    pub fn resolve(self, file: Settings) -> Result<Config, String> {
        let size = |flag: &str, given: Option<String>, least: u64, default: &dyn Fn() -> u64| match given {
            Some(s) => match parse_size(&s).map_err(|e| format!("{flag}: {e}"))? {
                n if n < least => Err(format!("{flag} must be at least {} MiB", least >> 20)),
                n => Ok(n),
            },
            None => Ok(default().max(least)),
        };
        let shard = ShardOptions::default();
        let cache_size = size("--cache-size", self.cache_size.or(file.cache_size), MIN_CACHE, &|| memory() / 4)?;
        let given = self.checkpoint_size.or(file.checkpoint_size);
        let checkpoint_size = size("--checkpoint-size", given, MIN_CHECKPOINT, &|| shard.checkpoint_bytes)?;
        let given = self.version_memory.or(file.version_memory);
        let version_memory = size("--version-memory", given, MIN_VERSION_MEMORY, &|| shard.version_memory)?;
        let given = self.version_disk.or(file.version_disk);
        let version_disk = size("--version-disk", given, 0, &|| shard.version_disk)?;
        let given = self.query_memory.or(file.query_memory);
        let query_memory = size("--query-memory", given, MIN_QUERY_MEMORY, &|| memory() / 4)?;
        let temp_disk = size("--temp-disk", self.temp_disk.or(file.temp_disk), 0, &|| 0)?;
        let lag = size("--archive-lag", self.archive_lag.or(file.archive_lag), 0, &|| ARCHIVE_LAG)?;
        let given = self.snapshot_rate.or(file.snapshot_rate);
        let snapshot_rate = match size("--snapshot-rate", given, 0, &|| SNAPSHOT_RATE)? {
            n @ 1..MIN_SNAPSHOT_RATE => {
                return Err(format!("--snapshot-rate {n}: must be 0 or at least {MIN_SNAPSHOT_RATE} bytes"));
            }
            n => n,
        };
        let archive =
            Archive::resolve(self.archive.or(file.archive), self.archive_timeout.or(file.archive_timeout), lag)?;
        let http = self.http_addr.or(file.http_addr).unwrap_or_else(|| HTTP_ADDR.into());
        let tls = match (self.tls_cert.or(file.tls_cert), self.tls_key.or(file.tls_key)) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => return Err("--tls-cert and --tls-key must be given together".into()),
        };
        let mut due = Due::default();
        if let Some(n) = self.autovacuum_analyze_threshold.or(file.autovacuum_analyze_threshold) {
            due.threshold = f64::from(n);
        }
        if let Some(f) = self.autovacuum_analyze_scale_factor.or(file.autovacuum_analyze_scale_factor) {
            if !(0.0..=100.0).contains(&f) {
                return Err(format!("--autovacuum-analyze-scale-factor {f}: must be from 0 to 100"));
            }
            due.scale_factor = f;
        }
        if let Some(n) = self.autovacuum_naptime.or(file.autovacuum_naptime) {
            if n == 0 {
                return Err("--autovacuum-naptime 0: must be at least 1".into());
            }
            due.naptime = Duration::from_secs(u64::from(n));
        }
        let join = if self.join.is_empty() { file.join } else { self.join };
        let node_tls =
            match (self.node_ca.or(file.node_ca), self.node_cert.or(file.node_cert), self.node_key.or(file.node_key)) {
                (Some(ca), Some(cert), Some(key)) => Some((ca, cert, key)),
                (None, None, None) => None,
                _ => return Err("--node-ca, --node-cert and --node-key must be given together".into()),
            };
        let node = match self.node_addr.or(file.node_addr) {
            Some(addr) => Some(Node {
                listen: resolve("--node-addr", &addr)?,
                address: self.node_advertise.or(file.node_advertise).unwrap_or(addr),
                join,
                tls: node_tls,
                hold_format: self.hold_format.or(file.hold_format).unwrap_or(false),
                grace: self.transfer_grace.or(file.transfer_grace).map_or(GRACE, Duration::from_millis),
                slow_margin: self.slow_leader_margin.or(file.slow_leader_margin).map_or(MARGIN, Duration::from_millis),
                snapshot_rate,
            }),
            None if !join.is_empty() || node_tls.is_some() => {
                return Err("--join and a node's certificates need --node-addr, where other nodes find this one".into());
            }
            None => None,
        };
        let max_connections = self.max_connections.or(file.max_connections).unwrap_or(MAX_CONNECTIONS);
        let settings = server_values(&file.file_set, &self.set)?;
        let config = Config {
            archive,
            node,
            settings,
            data_dir: self.data_dir.or(file.data_dir).unwrap_or_else(|| DATA_DIR.into()),
            pg_addr: resolve("--pg-addr", &self.pg_addr.or(file.pg_addr).unwrap_or_else(|| PG_ADDR.into()))?,
            http_addr: if http == "off" { None } else { Some(resolve("--http-addr", &http)?) },
            cache_size,
            checkpoint_size,
            version_memory,
            version_disk,
            query_memory,
            temp_disk,
            direct_io: self.direct_io.or(file.direct_io).unwrap_or(true),
            log_level: self.log_level.or(file.log_level).unwrap_or_else(|| LOG_LEVEL.into()),
            max_connections,
            superuser_reserved: self
                .superuser_reserved_connections
                .or(file.superuser_reserved_connections)
                .unwrap_or(SUPERUSER_RESERVED.min(max_connections / 4)),
            auth_timeout: Duration::from_secs(
                self.authentication_timeout.or(file.authentication_timeout).unwrap_or(AUTH_TIMEOUT),
            ),
            auto_analyze: self.autovacuum.or(file.autovacuum).unwrap_or(true).then_some(due),
            workers: self
                .workers
                .or(file.workers)
                .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())),
            insecure: self.insecure.or(file.insecure).unwrap_or(false),
            loopback: self.loopback_auth.or(file.loopback_auth).map_or(Ask::default(), Ask::from),
            auth_delay: self.auth_delay.or(file.auth_delay).map_or(AUTH_DELAY, Duration::from_millis),
            tls,
        };
        config.check_sense(memory())?;
        if !config.pg_addr.ip().is_loopback() && !config.insecure && config.tls.is_none() {
            return Err(format!(
                "{} is not a loopback address: other hosts may connect only with TLS and a password. \
                 Give --tls-cert and --tls-key, or --insecure to serve without protection.",
                config.pg_addr
            ));
        }
        Ok(config)
    }
}

impl Config {
    /// What no server could run with; `memory`: bytes that the process may have.
    fn check_sense(&self, memory: u64) -> Result<(), String> {
        if self.data_dir.as_os_str().is_empty() {
            return Err("--data-dir must name a directory".into());
        }
        if self.http_addr == Some(self.pg_addr) && self.pg_addr.port() != 0 {
            return Err(format!("--pg-addr and --http-addr are both {}: choose two ports", self.pg_addr));
        }
        let in_range = |flag: &str, n: u64, least: u64, most: u64| {
            if (least..=most).contains(&n) {
                return Ok(());
            }
            Err(format!("{flag} is {n}, it must be between {least} and {most}"))
        };
        in_range("--workers", self.workers as u64, 1, MAX_WORKERS as u64)?;
        in_range("--max-connections", self.max_connections as u64, 1, 1 << 20)?;
        in_range("--auth-delay", self.auth_delay.as_millis() as u64, 0, MAX_AUTH_DELAY)?;
        let grace = self.node.as_ref().map_or(0, |n| n.grace.as_millis() as u64);
        in_range("--transfer-grace", grace, 0, LONGEST_GRACE.as_millis() as u64)?;
        let margin = self.node.as_ref().map_or(0, |n| n.slow_margin.as_millis() as u64);
        in_range("--slow-leader-margin", margin, 0, MAX_SLOW_MARGIN)?;
        in_range("--authentication-timeout", self.auth_timeout.as_secs(), 1, MAX_AUTH_TIMEOUT)?;
        if self.superuser_reserved >= self.max_connections {
            return Err(format!(
                "--superuser-reserved-connections ({}) must be less than --max-connections ({})",
                self.superuser_reserved, self.max_connections
            ));
        }
        if self.cache_size.saturating_add(OVERHEAD) > memory - memory / UNUSED_SHARE {
            return Err(format!(
                "--cache-size ({} MiB) leaves too little of the memory that this process may have ({} MiB)",
                self.cache_size >> 20,
                memory >> 20
            ));
        }
        if self.version_memory.max(self.query_memory) > memory {
            return Err(format!(
                "--version-memory ({} MiB) or --query-memory ({} MiB) is more than the memory that this process may have ({} MiB)",
                self.version_memory >> 20,
                self.query_memory >> 20,
                memory >> 20
            ));
        }
        if self.checkpoint_size > MAX_CHECKPOINT {
            return Err(format!("--checkpoint-size must be at most {} GiB", MAX_CHECKPOINT >> 30));
        }
        Ok(())
    }

    /// Bytes for temporary files.
    pub fn temp_disk(&self) -> u64 {
        if self.temp_disk == 0 { u64::MAX } else { self.temp_disk }
    }
    /// Bytes that the process is to use at most: what the settings add up to, and never all that it may have.
    pub fn memory_limit(&self) -> u64 {
        let all = memory();
        let wanted = [self.version_memory, self.query_memory, OVERHEAD]
            .iter()
            .fold(self.cache_size, |a, b| a.saturating_add(*b));
        wanted.min(all - all / UNUSED_SHARE)
    }

    /// All but those of [`Config::needs_restart`].
    pub fn take_reloadable(&mut self, new: Config) {
        self.log_level = new.log_level;
        self.max_connections = new.max_connections;
        self.superuser_reserved = new.superuser_reserved;
        self.auth_timeout = new.auth_timeout;
        self.insecure = new.insecure;
        self.settings = new.settings;
        self.tls = new.tls;
    }

    /// The settings in which `new` differs and that only a start can change.
    pub fn needs_restart(&self, new: &Config) -> Vec<&'static str> {
        [
            ("data-dir", self.data_dir != new.data_dir),
            ("pg-addr", self.pg_addr != new.pg_addr),
            ("node-addr", self.node != new.node),
            ("http-addr", self.http_addr != new.http_addr),
            ("cache-size", self.cache_size != new.cache_size),
            ("archive", self.archive != new.archive),
            ("checkpoint-size", self.checkpoint_size != new.checkpoint_size),
            ("version-memory", self.version_memory != new.version_memory),
            ("query-memory", self.query_memory != new.query_memory),
            ("temp-disk", self.temp_disk != new.temp_disk),
            ("version-disk", self.version_disk != new.version_disk),
            ("direct-io", self.direct_io != new.direct_io),
            ("autovacuum", self.auto_analyze != new.auto_analyze),
            ("workers", self.workers != new.workers),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }
}
/// The settings of the file's `[set]`, and over them those of the command line.
fn server_values(file: &BTreeMap<String, toml::Value>, given: &[String]) -> Result<ServerValues, String> {
    let mut settings = ServerValues::default();
    for (name, value) in file {
        let value = match value {
            toml::Value::String(s) => s.clone(),
            v => v.to_string(),
        };
        settings.put(name, &value, Source::File, false).map_err(|e| format!("[set] {name}: {}", e.message()))?;
    }
    for s in given {
        let (name, value) = s.split_once('=').ok_or_else(|| format!("--set {s}: NAME=VALUE is wanted"))?;
        let put = settings.put(name.trim(), value.trim(), Source::CommandLine, false);
        put.map_err(|e| format!("--set {s}: {}", e.message()))?;
    }
    Ok(settings)
}

fn resolve(flag: &str, s: &str) -> Result<SocketAddr, String> {
    let found = s.to_socket_addrs().map_err(|e| format!("{flag} {s}: {e}"))?.next();
    found.ok_or_else(|| format!("{flag} {s}: the name has no address"))
}

/// A number of bytes with an optional unit: B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers of 1024).
pub fn parse_size(s: &str) -> Result<u64, String> {
    let s = s.trim();
    let digits = s.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(s.len());
    let (number, unit) = s.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" | "k" => 1000,
        "mb" | "m" => 1_000_000,
        "gb" | "g" => 1_000_000_000,
        "tb" | "t" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        u => return Err(format!("unknown unit \"{u}\" in \"{s}\" (use KiB, MiB, GiB, kB, MB or GB)")),
    };
    let bad = || format!("\"{s}\" is not a size");
    if let Ok(n) = number.parse::<u64>() {
        return n.checked_mul(factor).ok_or_else(bad);
    }
    let n: f64 = number.parse().map_err(|_| bad())?;
    let bytes = n * factor as f64;
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(bad()) }
}

/// Bytes of memory this process may use: the machine's, or its control group's or its address space when that is less.
pub fn memory() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|s| {
        let line = s.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|k| k << 10)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|s| s.trim().parse().ok());
    let space = rustix::process::getrlimit(rustix::process::Resource::As).current;
    machine.into_iter().chain(group).chain(space).min().unwrap_or(FALLBACK_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (s, n) in [
            ("17", 17),
            ("1kB", 1000),
            ("1KiB", 1024),
            ("512 MiB", 512 << 20),
            ("1.5GiB", 3 << 29),
            ("2gb", 2_000_000_000),
        ] {
            assert_eq!(parse_size(s), Ok(n), "{s}");
        }
        for s in ["", "x", "1 parsec", "-5", "99999999999TiB", "1.2.3"] {
            assert!(parse_size(s).is_err(), "{s}");
        }
    }

    #[test]
    fn precedence_and_refusals() {
        let file = || {
            toml::from_str::<Settings>("cache-size = \"64MiB\"\npg_addr = \"127.0.0.1:1\"\nmax-connections = 5")
                .unwrap()
        };
        let c = Settings { cache_size: Some("32MiB".into()), ..Settings::default() }.resolve(file()).unwrap();
        assert_eq!((c.cache_size, c.pg_addr.port(), c.max_connections), (32 << 20, 1, 5));
        assert_eq!(c.data_dir, Path::new("./pamir-data"));
        assert_eq!(c.version_disk, ShardOptions::default().version_disk);
        let sized = |s: &str| Settings { checkpoint_size: Some(s.into()), ..Settings::default() }.resolve(file());
        assert_eq!(sized("2MiB").unwrap().checkpoint_size, 2 << 20);
        assert!(sized("2kB").unwrap_err().contains("--checkpoint-size must be at least 1 MiB"));
        let rated = |rate: Option<&str>| {
            let (snapshot_rate, node_addr) = (rate.map(String::from), Some("127.0.0.1:7432".into()));
            Settings { snapshot_rate, node_addr, ..Settings::default() }.resolve(file())
        };
        let rate = |given| rated(given).unwrap().node.unwrap().snapshot_rate;
        assert_eq!((rate(None), rate(Some("0")), rate(Some("1MiB"))), (SNAPSHOT_RATE, 0, 1 << 20));
        assert!(rated(Some("64kB")).unwrap_err().contains("--snapshot-rate"));
        assert!(toml::from_str::<Settings>("cachesize = 1").is_err());
        let open = |insecure| Settings { pg_addr: Some("0.0.0.0:5432".into()), insecure, ..Settings::default() };
        assert!(open(None).resolve(file()).unwrap_err().contains("--insecure"));
        assert!(open(Some(true)).resolve(file()).unwrap().insecure);
        let half = Settings { tls_cert: Some("c".into()), ..Settings::default() };
        assert!(half.resolve(file()).unwrap_err().contains("--tls-key"));
        let nonsense = [
            (Settings { workers: Some(0), ..Settings::default() }, "--workers"),
            (Settings { max_connections: Some(0), ..Settings::default() }, "--max-connections"),
            (Settings { http_addr: Some("127.0.0.1:1".into()), ..Settings::default() }, "two ports"),
            (Settings { cache_size: Some("900TiB".into()), ..Settings::default() }, "--cache-size"),
            (Settings { checkpoint_size: Some("2TiB".into()), ..Settings::default() }, "--checkpoint-size"),
            (Settings { authentication_timeout: Some(0), ..Settings::default() }, "--authentication-timeout"),
            (Settings { superuser_reserved_connections: Some(5), ..Settings::default() }, "--superuser-reserved"),
            (Settings { data_dir: Some("".into()), ..Settings::default() }, "--data-dir"),
        ];
        for (s, word) in nonsense {
            let e = s.resolve(file()).unwrap_err();
            assert!(e.contains(word), "{e}");
        }
        let set = |s: &str| Settings { set: vec![s.into()], ..Settings::default() }.resolve(Settings::default());
        assert!(set("work_mem=64MB").is_ok());
        for (s, why) in [
            ("work_mem", "NAME=VALUE"),
            ("nope=1", "unrecognized"),
            ("work_mem=1 parsec", "invalid value"),
            ("server_version=1", "cannot be changed"),
        ] {
            assert!(set(s).unwrap_err().contains(why), "{s}");
        }
        let with_set: Settings =
            toml::from_str("[set]\nlog_min_duration_statement = 250\nlog_statement = \"ddl\"").unwrap();
        assert!(Settings::default().resolve(with_set).is_ok());
        let http = Settings { http_addr: Some("off".into()), ..Settings::default() };
        assert_eq!(http.resolve(file()).unwrap().http_addr, None);
    }
}
