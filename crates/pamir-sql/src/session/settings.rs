//! Run-time settings (SET / SHOW / RESET): one static table, one vector of values per session.
//!
//! Values are kept in their canonical text. A change inside a transaction is undone when the transaction (or the savepoint around it) rolls back, and `SET LOCAL`
//! is undone at its end either way, as PostgreSQL's guc.c does; both come from one undo list.
use super::observe::{self, Observe};
use crate::client::TcpSettings;
use pamir_plan::plan::PlanSettings;
use pamir_types::datetime::{self, DateOrder, DateStyle, DateTimeStyle, IntervalStyle};
use pamir_types::encoding::{Encoding, UTF8};
use pamir_types::text::TextCtx;
use pamir_types::{Error, Result, bail, err};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    None,
    Ms,
    S,
    Kb,
    Bytes,
}

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Bool,
    Int { min: i64, max: i64, unit: Unit },
    Real { min: f64, max: f64 },
    Enum(&'static [&'static str]),
    Text,
}

/// One setting. `fixed`: SHOW only. `report`: its changes are sent as ParameterStatus.
#[derive(Debug)]
pub struct Setting {
    pub name: &'static str,
    pub default: &'static str,
    pub kind: Kind,
    pub fixed: bool,
    pub report: bool,
    pub description: &'static str,
}

const fn text(name: &'static str, default: &'static str, description: &'static str) -> Setting {
    Setting { name, default, kind: Kind::Text, fixed: false, report: false, description }
}
const fn reported(name: &'static str, default: &'static str, description: &'static str) -> Setting {
    Setting { name, default, kind: Kind::Text, fixed: false, report: true, description }
}
const fn fixed(name: &'static str, default: &'static str, report: bool, description: &'static str) -> Setting {
    Setting { name, default, kind: Kind::Text, fixed: true, report, description }
}
const fn boolean(name: &'static str, default: &'static str, description: &'static str) -> Setting {
    Setting { name, default, kind: Kind::Bool, fixed: false, report: false, description }
}
const fn int(
    name: &'static str,
    default: &'static str,
    min: i64,
    max: i64,
    unit: Unit,
    description: &'static str,
) -> Setting {
    Setting { name, default, kind: Kind::Int { min, max, unit }, fixed: false, report: false, description }
}
const fn real(name: &'static str, default: &'static str, description: &'static str) -> Setting {
    Setting { name, default, kind: Kind::Real { min: 0.0, max: f64::MAX }, fixed: false, report: false, description }
}
const fn choice(
    name: &'static str,
    default: &'static str,
    values: &'static [&'static str],
    description: &'static str,
) -> Setting {
    Setting { name, default, kind: Kind::Enum(values), fixed: false, report: false, description }
}

/// What `server_version` reports: the PostgreSQL release whose behaviour is followed.
pub use pamir_catalog::{SERVER_VERSION, SERVER_VERSION_NUM};
const ISOLATION: &[&str] = &["read uncommitted", "read committed", "repeatable read", "serializable"];
const INT_MAX: i64 = i32::MAX as i64;
/// What Linux takes (include/net/tcp.h).
const MAX_KEEPALIVE_TIME: i64 = 32767;
const MAX_KEEPALIVE_COUNT: i64 = 127;
const LEVELS: &[&str] =
    &["debug5", "debug4", "debug3", "debug2", "debug1", "info", "notice", "warning", "error", "log", "fatal", "panic"];

#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    reported("application_name", "", "Sets the application name to be reported in statistics and logs."),
    boolean("auto_explain.log_analyze", "off", "Use EXPLAIN ANALYZE for plan logging."),
    boolean("auto_explain.log_buffers", "off", "Log buffers usage."),
    choice("auto_explain.log_format", "text", &["text", "json", "xml", "yaml"], "EXPLAIN format to be used for plan logging."),
    int("auto_explain.log_min_duration", "-1", -1, INT_MAX, Unit::Ms, "Sets the minimum execution time above which plans will be logged."),
    boolean("auto_explain.log_nested_statements", "off", "Log nested statements; none run inside others here."),
    boolean("auto_explain.log_settings", "off", "Log modified configuration parameters affecting query planning."),
    boolean("auto_explain.log_timing", "on", "Collect timing data, not just row counts."),
    boolean("auto_explain.log_verbose", "off", "Use EXPLAIN VERBOSE for plan logging."),
    Setting { name: "auto_explain.sample_rate", default: "1", kind: Kind::Real { min: 0.0, max: 1.0 }, fixed: false, report: false, description: "Fraction of queries to process." },
    choice("backslash_quote", "safe_encoding", &["safe_encoding", "on", "off"], "Sets whether \"\\'\" is allowed in string literals."),
    choice("bytea_output", "hex", &["hex", "escape"], "Sets the output format for bytea."),
    boolean("check_function_bodies", "on", "Check routine bodies during CREATE FUNCTION and CREATE PROCEDURE."),
    Setting { name: "client_encoding", default: "UTF8", kind: Kind::Text, fixed: false, report: true, description: "Sets the client's character set encoding." },
    choice("client_min_messages", "notice", &["debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"], "Sets the message levels that are sent to the client."),
    reported("DateStyle", "ISO, MDY", "Sets the display format for date and time values."),
    int("deadlock_timeout", "1s", 1, INT_MAX, Unit::Ms, "Sets the time to wait on a lock before checking for deadlock; deadlocks are found at once here."),
    boolean("default_transaction_deferrable", "off", "Sets the default deferrable status of new transactions."),
    choice("default_transaction_isolation", "read committed", ISOLATION, "Sets the transaction isolation level of each new transaction."),
    Setting { name: "default_transaction_read_only", default: "off", kind: Kind::Bool, fixed: false, report: true, description: "Sets the default read-only status of new transactions." },
    text("default_table_access_method", "heap", "Sets the default table access method for new tables."),
    text("default_tablespace", "", "Sets the default tablespace to create tables and indexes in."),
    text("default_text_search_config", "pg_catalog.simple", "Sets default text search configuration."),
    int("effective_cache_size", "4GB", 1, INT_MAX, Unit::Kb, "Sets the planner's assumption about the total size of the data caches."),
    boolean("enable_bitmapscan", "on", "Enables the planner's use of bitmap-scan plans."),
    boolean("enable_hashagg", "on", "Enables the planner's use of hashed aggregation plans."),
    boolean("enable_hashjoin", "on", "Enables the planner's use of hash join plans."),
    boolean("enable_indexonlyscan", "on", "Enables the planner's use of index-only-scan plans."),
    boolean("enable_indexscan", "on", "Enables the planner's use of index-scan plans."),
    boolean("enable_mergejoin", "on", "Enables the planner's use of merge join plans."),
    boolean("enable_nestloop", "on", "Enables the planner's use of nested-loop join plans."),
    boolean("enable_seqscan", "on", "Enables the planner's use of sequential-scan plans."),
    boolean("enable_sort", "on", "Enables the planner's use of explicit sort steps."),
    boolean("enable_tidscan", "on", "Enables the planner's use of TID scan plans."),
    boolean("escape_string_warning", "on", "Warn about backslash escapes in ordinary string literals."),
    int("extra_float_digits", "1", -15, 3, Unit::None, "Sets the number of digits displayed for floating-point values."),
    int("from_collapse_limit", "8", 1, INT_MAX, Unit::None, "Sets the FROM-list size beyond which subqueries are not collapsed."),
    int("gin_fuzzy_search_limit", "0", 0, INT_MAX, Unit::None, "Sets the maximum allowed result for exact search by GIN."),
    Setting { name: "hash_mem_multiplier", default: "2", kind: Kind::Real { min: 1.0, max: 1000.0 }, fixed: false, report: false, description: "Multiple of \"work_mem\" to use for hash tables." },
    int("idle_in_transaction_session_timeout", "0", 0, INT_MAX, Unit::Ms, "Sets the maximum allowed idle time between queries, when in a transaction."),
    int("idle_session_timeout", "0", 0, INT_MAX, Unit::Ms, "Sets the maximum allowed idle time between queries, when not in a transaction."),
    fixed("authentication_timeout", "1min", false, "Sets the maximum allowed time to complete client authentication."),
    fixed("autovacuum", "on", false, "Gathers the statistics of tables that changed much; there is nothing to vacuum here."),
    fixed("autovacuum_analyze_scale_factor", "0.1", false, "Number of tuple inserts, updates, or deletes prior to analyze as a fraction of reltuples."),
    fixed("autovacuum_analyze_threshold", "50", false, "Minimum number of tuple inserts, updates, or deletes prior to analyze."),
    fixed("autovacuum_naptime", "15s", false, "Time to sleep between autovacuum runs."),
    fixed("block_size", "8192", false, "Shows the size of a disk block."),
    fixed("cluster_name", "", false, "Sets the name of the cluster, which is included in the process title."),
    fixed("config_file", "", false, "Sets the server's main configuration file."),
    fixed("data_checksums", "on", false, "Shows whether data checksums are turned on for this cluster."),
    fixed("data_directory", "", false, "Sets the server's data directory."),
    fixed("fsync", "on", false, "Forces synchronization of updates to disk."),
    fixed("full_page_writes", "off", false, "Writes full pages to WAL when first modified after a checkpoint; pages are written elsewhere here."),
    fixed("in_hot_standby", "off", true, "Shows whether hot standby is currently active."),
    fixed("integer_datetimes", "on", true, "Shows whether datetimes are integer based."),
    Setting { name: "IntervalStyle", default: "postgres", kind: Kind::Enum(&["postgres", "postgres_verbose", "sql_standard", "iso_8601"]), fixed: false, report: true, description: "Sets the display format for interval values." },
    Setting { name: "is_superuser", default: "on", kind: Kind::Bool, fixed: true, report: true, description: "Shows whether the current user is a superuser." },
    boolean("jit", "off", "Allow JIT compilation."),
    int("join_collapse_limit", "8", 1, INT_MAX, Unit::None, "Sets the FROM-list size beyond which JOIN constructs are not flattened."),
    fixed("lc_collate", "C", false, "Shows the collation order locale."),
    fixed("lc_ctype", "C", false, "Shows the character classification and case conversion locale."),
    text("lc_messages", "C", "Sets the language in which messages are displayed."),
    text("lc_monetary", "C", "Sets the locale for formatting monetary amounts."),
    text("lc_numeric", "C", "Sets the locale for formatting numbers."),
    text("lc_time", "C", "Sets the locale for formatting date and time values."),
    fixed("listen_addresses", "", false, "Sets the host name or IP address(es) to listen to."),
    int("lock_timeout", "0", 0, INT_MAX, Unit::Ms, "Sets the maximum allowed duration of any wait for a lock."),
    boolean("log_connections", "off", "Logs each successful connection."),
    boolean("log_disconnections", "off", "Logs end of a session, including duration."),
    boolean("log_duration", "off", "Logs the duration of each completed SQL statement."),
    choice("log_error_verbosity", "default", &["terse", "default", "verbose"], "Sets the verbosity of logged messages."),
    int("log_min_duration_sample", "-1", -1, INT_MAX, Unit::Ms, "Sets the minimum execution time above which a sample of statements will be logged."),
    int("log_min_duration_statement", "-1", -1, INT_MAX, Unit::Ms, "Sets the minimum execution time above which all statements will be logged."),
    choice("log_min_error_statement", "error", LEVELS, "Causes all statements generating error at or above this level to be logged."),
    choice("log_min_messages", "warning", LEVELS, "Sets the message levels that are logged."),
    int("log_parameter_max_length", "-1", -1, 1_073_741_823, Unit::Bytes, "Sets the maximum length in bytes of data logged for bind parameter values when logging statements."),
    int("log_parameter_max_length_on_error", "0", -1, 1_073_741_823, Unit::Bytes, "Sets the maximum length in bytes of data logged for bind parameter values when logging statements, on error."),
    Setting { name: "log_statement_sample_rate", default: "1", kind: Kind::Real { min: 0.0, max: 1.0 }, fixed: false, report: false, description: "Fraction of statements exceeding \"log_min_duration_sample\" to be logged." },
    choice("log_statement", "none", &["none", "ddl", "mod", "all"], "Sets the type of statements logged."),
    int("maintenance_work_mem", "64MB", 1024, INT_MAX, Unit::Kb, "Sets the maximum memory to be used for maintenance operations."),
    fixed("max_connections", "10000", false, "Sets the maximum number of concurrent connections."),
    fixed("max_identifier_length", "63", false, "Shows the maximum identifier length."),
    fixed("max_index_keys", "32", false, "Shows the maximum number of index keys."),
    int("max_parallel_workers", "0", 0, 1024, Unit::None, "Sets the maximum number of parallel workers that can be active at one time."),
    fixed("max_wal_size", "160MB", false, "Sets the WAL size that triggers a checkpoint."),
    fixed("max_worker_processes", "0", false, "Maximum number of concurrent worker processes."),
    fixed("max_prepared_transactions", "10000", false, "Sets the maximum number of simultaneously prepared transactions."),
    int("max_parallel_workers_per_gather", "0", 0, 1024, Unit::None, "Sets the maximum number of parallel processes per executor node."),
    fixed("pg_stat_statements.max", "5000", false, "Sets the maximum number of statements tracked by pg_stat_statements."),
    fixed("pg_stat_statements.save", "off", false, "Save pg_stat_statements statistics across server shutdowns."),
    choice("pg_stat_statements.track", "top", &["none", "top", "all"], "Selects which statements are tracked by pg_stat_statements."),
    boolean("pg_stat_statements.track_utility", "on", "Selects whether utility commands are tracked by pg_stat_statements."),
    choice("plan_cache_mode", "auto", &["auto", "force_generic_plan", "force_custom_plan"], "Controls the planner's selection of custom or generic plan."),
    choice("password_encryption", "scram-sha-256", &["scram-sha-256"], "Chooses the algorithm for encrypting passwords."),
    fixed("port", "5432", false, "Sets the TCP port the server listens on."),
    boolean("quote_all_identifiers", "off", "When generating SQL fragments, quote all identifiers."),
    real("random_page_cost", "4", "Sets the planner's estimate of the cost of a nonsequentially fetched disk page."),
    text("role", "none", "Sets the current role."),
    boolean("row_security", "on", "Enable row security."),
    text("search_path", "\"$user\", public", "Sets the schema search order for names that are not schema-qualified."),
    real("seq_page_cost", "1", "Sets the planner's estimate of the cost of a sequentially fetched disk page."),
    fixed("server_encoding", "UTF8", true, "Shows the server (database) character set encoding."),
    fixed("server_version", SERVER_VERSION, true, "Shows the server version."),
    fixed("server_version_num", SERVER_VERSION_NUM, false, "Shows the server version as an integer."),
    reported("session_authorization", "postgres", "Sets the session user name."),
    choice("session_replication_role", "origin", &["origin", "replica", "local"], "Sets the session's behavior for triggers and rewrite rules."),
    fixed("shared_buffers", "128MB", false, "Sets the number of shared memory buffers used by the server."),
    fixed("shared_preload_libraries", "pg_stat_statements, auto_explain", false, "Lists shared libraries to preload into server."),
    fixed("ssl", "off", false, "Enables SSL connections."),
    fixed("ssl_cert_file", "", false, "Location of the SSL server certificate file."),
    fixed("ssl_key_file", "", false, "Location of the SSL server private key file."),
    Setting { name: "standard_conforming_strings", default: "on", kind: Kind::Bool, fixed: false, report: true, description: "Causes '...' strings to treat backslashes literally." },
    int("statement_timeout", "0", 0, INT_MAX, Unit::Ms, "Sets the maximum allowed duration of any statement."),
    fixed("superuser_reserved_connections", "3", false, "Sets the number of connection slots reserved for superusers."),
    boolean("synchronize_seqscans", "on", "Enable synchronized sequential scans."),
    choice("synchronous_commit", "on", &["local", "remote_write", "remote_apply", "on", "off"], "Sets the current transaction's synchronization level; every commit is durable here."),
    int("tcp_keepalives_count", "0", 0, MAX_KEEPALIVE_COUNT, Unit::None, "Maximum number of TCP keepalive retransmits."),
    int("tcp_keepalives_idle", "0", 0, MAX_KEEPALIVE_TIME, Unit::S, "Time between issuing TCP keepalives."),
    int("tcp_keepalives_interval", "0", 0, MAX_KEEPALIVE_TIME, Unit::S, "Time between TCP keepalive retransmits."),
    int("tcp_user_timeout", "0", 0, INT_MAX, Unit::Ms, "TCP user timeout."),
    int("temp_file_limit", "-1", -1, INT_MAX, Unit::Kb, "Limits the total size of all temporary files used by each process."),
    reported("TimeZone", "Etc/UTC", "Sets the time zone for displaying and interpreting time stamps."),
    fixed("timezone_abbreviations", "Default", false, "Selects a file of time zone abbreviations."),
    fixed("track_activities", "on", false, "Collects information about executing commands."),
    fixed("track_activity_query_size", "1kB", false, "Sets the size reserved for pg_stat_activity.query, in bytes."),
    fixed("track_counts", "on", false, "Collects statistics on database activity."),
    fixed("track_io_timing", "off", false, "Collects timing statistics for database I/O activity."),
    boolean("transaction_deferrable", "off", "Whether to defer a read-only serializable transaction until it can be executed with no possible serialization failures."),
    choice("transaction_isolation", "read committed", ISOLATION, "Sets the current transaction's isolation level."),
    boolean("transaction_read_only", "off", "Sets the current transaction's read-only status."),
    boolean("transform_null_equals", "off", "Treats \"expr=NULL\" as \"expr IS NULL\"."),
    int("vacuum_freeze_min_age", "50000000", 0, 1_000_000_000, Unit::None, "Accepted; there is no vacuum here."),
    int("vacuum_freeze_table_age", "150000000", 0, 2_000_000_000, Unit::None, "Accepted; there is no vacuum here."),
    fixed("wal_level", "replica", false, "Sets the level of information written to the log."),
    int("work_mem", "4MB", 64, INT_MAX, Unit::Kb, "Sets the maximum memory to be used for query workspaces."),
    choice("xmlbinary", "base64", &["base64", "hex"], "Sets how binary values are to be encoded in XML."),
    choice("xmloption", "content", &["content", "document"], "Sets whether XML data in implicit parsing is content or document."),
];

fn index() -> &'static FxHashMap<String, usize> {
    static INDEX: OnceLock<FxHashMap<String, usize>> = OnceLock::new();
    INDEX.get_or_init(|| SETTINGS.iter().enumerate().map(|(i, s)| (s.name.to_ascii_lowercase(), i)).collect())
}

/// The setting of that name (any case).
pub fn find(name: &str) -> Option<(usize, &'static Setting)> {
    let i = *index().get(&name.to_ascii_lowercase())?;
    Some((i, &SETTINGS[i]))
}

fn unrecognized(name: &str) -> Error {
    err!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
}

fn parse_bool(s: &str) -> Option<bool> {
    let s = s.to_ascii_lowercase();
    match s.as_str() {
        "" => None,
        "on" | "1" => Some(true),
        "off" | "of" | "0" => Some(false),
        _ if "true".starts_with(&s) || "yes".starts_with(&s) => Some(true),
        _ if "false".starts_with(&s) || "no".starts_with(&s) => Some(false),
        _ => None,
    }
}

const MS_UNITS: &[(&str, f64)] = &[("us", 0.001), ("ms", 1.0), ("s", 1e3), ("min", 6e4), ("h", 3.6e6), ("d", 8.64e7)];
const S_UNITS: &[(&str, f64)] = &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
const KB_UNITS: &[(&str, f64)] =
    &[("B", 1.0 / 1024.0), ("kB", 1.0), ("MB", 1024.0), ("GB", 1048576.0), ("TB", 1073741824.0)];

fn parse_int(s: &str, unit: Unit) -> Option<i64> {
    let s = s.trim();
    let split = s.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').unwrap_or(s.len());
    let (num, suffix) = (s[..split].trim(), s[split..].trim());
    let value: f64 = num.parse().ok()?;
    let factor = match (suffix, unit) {
        ("", _) => 1.0,
        (u, Unit::Ms) => MS_UNITS.iter().find(|x| x.0 == u)?.1,
        (u, Unit::S) => S_UNITS.iter().find(|x| x.0 == u)?.1,
        (u, Unit::Kb) => KB_UNITS.iter().find(|x| x.0 == u)?.1,
        (u, Unit::Bytes) => KB_UNITS.iter().find(|x| x.0 == u)?.1 * 1024.0,
        _ => return None,
    };
    let v = (value * factor).round();
    (v.is_finite() && v.abs() < 9e18).then_some(v as i64)
}

/// The number that an integer setting's text stands for, in its unit.
pub(crate) fn parse_int_setting(name: &str, value: &str) -> Option<i64> {
    match find(name)?.1.kind {
        Kind::Int { unit, .. } => parse_int(value, unit),
        _ => None,
    }
}

/// A value with its unit (`4MB`) as the number that pg_settings shows in `unit` (`4096` in kB).
pub(crate) fn in_unit(value: &str, unit: &str) -> Option<i64> {
    let (kind, per) = match unit {
        "ms" => (Unit::Ms, 1),
        "s" => (Unit::Ms, 1000),
        "min" => (Unit::Ms, 60_000),
        "kB" => (Unit::Kb, 1),
        "8kB" => (Unit::Kb, 8),
        "MB" => (Unit::Kb, 1024),
        "B" => (Unit::Bytes, 1),
        _ => return None,
    };
    // PostgreSQL's defaults of these settings are written in the unit itself.
    match value.parse::<i64>() {
        Ok(v) => Some(v),
        Err(_) => Some(parse_int(value, kind)? / per),
    }
}

fn show_int(v: i64, unit: Unit) -> String {
    let units: &[(&str, f64)] = match unit {
        Unit::None => return v.to_string(),
        Unit::Ms => &MS_UNITS[1..],
        Unit::S => &S_UNITS[2..],
        Unit::Kb => &KB_UNITS[1..],
        Unit::Bytes => &[("B", 1.0), ("kB", 1024.0), ("MB", 1048576.0), ("GB", 1073741824.0)],
    };
    if v <= 0 {
        return v.to_string();
    }
    let (name, f) = units.iter().rev().find(|(_, f)| v % (*f as i64) == 0).unwrap_or(&units[0]);
    format!("{}{}", v / (*f as i64), name)
}

/// Checks `value` for `s` and returns its canonical text.
fn canonical(s: &Setting, value: &str) -> Result<String> {
    let invalid = || err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{}\": \"{}\"", s.name, value);
    match s.kind {
        Kind::Bool => parse_bool(value)
            .map(|b| if b { "on" } else { "off" }.to_string())
            .ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "parameter \"{}\" requires a Boolean value", s.name)),
        Kind::Int { min, max, unit } => {
            let v = parse_int(value, unit).ok_or_else(|| match unit {
                Unit::Ms | Unit::S if value.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    invalid()
                        .hint("Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\".")
                }
                Unit::Kb | Unit::Bytes if value.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    invalid().hint("Valid units for this parameter are \"B\", \"kB\", \"MB\", \"GB\", and \"TB\".")
                }
                _ => invalid(),
            })?;
            if v < min || v > max {
                let u = match unit {
                    Unit::None => "",
                    Unit::Ms => " ms",
                    Unit::S => " s",
                    Unit::Kb => " kB",
                    Unit::Bytes => " B",
                };
                bail!(
                    INVALID_PARAMETER_VALUE,
                    "{v}{u} is outside the valid range for parameter \"{}\" ({min} .. {max})",
                    s.name
                );
            }
            Ok(show_int(v, unit))
        }
        Kind::Real { min, max } => {
            let v: f64 = value.trim().parse().map_err(|_| invalid())?;
            if !(min..=max).contains(&v) {
                bail!(INVALID_PARAMETER_VALUE, "{v} is outside the valid range for parameter \"{}\"", s.name);
            }
            Ok(v.to_string())
        }
        Kind::Enum(values) => {
            let v = value.trim().to_ascii_lowercase();
            if values.contains(&v.as_str()) {
                return Ok(v);
            }
            // Booleans are spelled in many ways; `on`/`off` enums take them all.
            if let Some(b) = parse_bool(&v) {
                let w = if b { "on" } else { "off" };
                if values.contains(&w) {
                    return Ok(w.into());
                }
            }
            let list = values.join(", ");
            Err(invalid().hint(format!("Available values: {list}.")))
        }
        Kind::Text => match s.name {
            "DateStyle" => canonical_date_style(value, "ISO, MDY"),
            "TimeZone" => datetime::zone_setting_name(value),
            // PostgreSQL looks at letters and digits alone; asyncpg writes the name in quotes.
            "client_encoding" => match Encoding::by_name(value) {
                Some(e) if e.is_there() => Ok(e.name().into()),
                Some(e) if e.is_internal() => {
                    Err(err!(FEATURE_NOT_SUPPORTED, "invalid value for parameter \"client_encoding\": \"{value}\"")
                        .detail(format!("Conversion between {} and UTF8 is not supported.", e.name())))
                }
                Some(_) => Err(Error::unsupported(format_args!("client encoding \"{value}\""))),
                None => Err(invalid()),
            },
            _ => Ok(value.to_string()),
        },
    }
}

/// What `value` does not say stays as in `current`. POSTGRES, EURO and NONEURO may go on with any letters.
fn canonical_date_style(value: &str, current: &str) -> Result<String> {
    let invalid = |detail: String| {
        err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"DateStyle\": \"{value}\"").detail(detail)
    };
    let (mut style, mut order, mut implied_order) = (None, None, None);
    let mut conflict = false;
    for part in value.split(',') {
        let word = part.trim().to_ascii_lowercase();
        let mut set = |slot: &mut Option<&'static str>, to: &'static str| {
            conflict |= slot.is_some_and(|earlier| earlier != to);
            *slot = Some(to);
        };
        match word.as_str() {
            "iso" => set(&mut style, "ISO"),
            "sql" => set(&mut style, "SQL"),
            w if w.starts_with("postgres") => set(&mut style, "Postgres"),
            "german" => {
                set(&mut style, "German");
                implied_order = Some("DMY");
            }
            "dmy" => set(&mut order, "DMY"),
            w if w.starts_with("euro") => set(&mut order, "DMY"),
            "mdy" | "us" => set(&mut order, "MDY"),
            w if w.starts_with("noneuro") => set(&mut order, "MDY"),
            "ymd" => set(&mut order, "YMD"),
            "default" => {
                style = style.or(Some("ISO"));
                implied_order = Some("MDY");
            }
            _ => return Err(invalid(format!("Unrecognized key word: \"{word}\"."))),
        }
    }
    if conflict {
        return Err(invalid("Conflicting \"datestyle\" specifications.".into()));
    }
    let (old_style, old_order) = current.split_once(", ").unwrap_or(("ISO", "MDY"));
    Ok(format!("{}, {}", style.unwrap_or(old_style), order.or(implied_order).unwrap_or(old_order)))
}

/// A setting of the server's, or one that applications named.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Which {
    Own(usize),
    Custom(String),
}
/// One entry of the undo list.
#[derive(Debug)]
struct Undo {
    setting: Which,
    old: Option<String>,
    /// Undone at commit too.
    local: bool,
}

/// Where the server's own value of a setting comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The server's flags and what follows from them.
    CommandLine,
    Environment,
    File,
}
impl Source {
    /// As pg_settings.source names it.
    pub fn name(self) -> &'static str {
        match self {
            Source::CommandLine => "command line",
            Source::Environment => "environment variable",
            Source::File => "configuration file",
        }
    }
}
/// What the server's configuration says of settings: where sessions start from.
#[derive(Clone, Default, Debug)]
pub struct ServerValues(Vec<Option<(String, Source)>>);
impl ServerValues {
    /// Checks and keeps a value; 42704 for a setting that does not exist, 22023 for a value that is none of its own. `fact`: it is how the server runs, so a setting
    /// that no session can change may have it.
    pub fn put(&mut self, name: &str, value: &str, source: Source, fact: bool) -> Result<()> {
        let Some((i, s)) = find(name) else { return Err(unrecognized(name)) };
        if !fact && (s.fixed || matches!(s.name, "role" | "session_authorization")) {
            bail!(CANT_CHANGE_RUNTIME_PARAM, "parameter \"{}\" cannot be changed", s.name);
        }
        let value = match (fact, value.strip_suffix("kB").and_then(|n| n.parse().ok())) {
            (true, Some(kb)) => show_int(kb, Unit::Kb),
            (true, None) => value.to_string(),
            (false, _) => canonical(s, value)?,
        };
        self.0.resize(SETTINGS.len(), None);
        self.0[i] = Some((value, source));
        Ok(())
    }
    fn get(&self, i: usize) -> Option<&(String, Source)> {
        self.0.get(i)?.as_ref()
    }
}

/// A session's settings. `None` = the session default.
pub struct Settings {
    /// What the server's configuration says.
    server: Arc<ServerValues>,
    values: Vec<Option<String>>,
    /// Values from the startup packet: what RESET goes back to.
    session_defaults: Vec<Option<String>>,
    /// `app.name`-like custom parameters.
    custom: FxHashMap<String, String>,
    undo: Vec<Undo>,
    /// Derived values that hot paths read.
    pub text: TextCtx,
    pub lock_timeout: Option<Duration>,
    pub statement_timeout: Option<Duration>,
    pub idle_in_transaction_timeout: Option<Duration>,
    pub idle_session_timeout: Option<Duration>,
    /// In bytes.
    pub work_mem: usize,
    pub tcp: TcpSettings,
    /// work_mem times hash_mem_multiplier, in bytes.
    pub hash_mem: usize,
    /// In bytes; None: no limit.
    pub temp_file_limit: Option<u64>,
    pub plan: PlanSettings,
    /// What is told of statements besides their answers.
    pub observe: Observe,
    /// Raised by changes that plans depend on (search_path, enable_*).
    pub generation: u64,
}

/// Plans depend on it: on how names are found, how paths are chosen, or what text a constant folded while planning becomes.
fn of_plans(name: &str) -> bool {
    name.starts_with("enable_")
        || name.ends_with("collapse_limit")
        || matches!(
            name,
            "search_path"
                | "role"
                | "session_authorization"
                | "TimeZone"
                | "DateStyle"
                | "IntervalStyle"
                | "bytea_output"
                | "extra_float_digits"
        )
}

impl Default for Settings {
    fn default() -> Self {
        Settings::on(Arc::default())
    }
}

impl Settings {
    /// A session's on a server with this configuration.
    pub fn on(server: Arc<ServerValues>) -> Settings {
        let n = SETTINGS.len();
        let mut s = Settings {
            server,
            values: vec![None; n],
            session_defaults: vec![None; n],
            custom: FxHashMap::default(),
            undo: Vec::new(),
            text: TextCtx::default(),
            lock_timeout: None,
            statement_timeout: None,
            idle_in_transaction_timeout: None,
            idle_session_timeout: None,
            work_mem: 0,
            tcp: TcpSettings::default(),
            hash_mem: 0,
            temp_file_limit: None,
            plan: PlanSettings::default(),
            observe: Observe::default(),
            generation: 1,
        };
        s.derive();
        s.observe = Observe::of(&s);
        s
    }
    fn raw(&self, i: usize) -> &str {
        self.values[i].as_deref().unwrap_or_else(|| self.reset_value(i))
    }
    /// What RESET goes back to.
    fn reset_value(&self, i: usize) -> &str {
        let server = || self.server.get(i).map_or(SETTINGS[i].default, |v| &v.0);
        self.session_defaults[i].as_deref().unwrap_or_else(server)
    }
    /// Where the value comes from, as pg_settings.source says, and the value that RESET goes back to.
    pub fn source(&self, name: &str) -> Option<(&'static str, String)> {
        let (i, _) = find(name)?;
        let source = match (&self.values[i], &self.session_defaults[i], self.server.get(i)) {
            (Some(_), ..) => "session",
            (None, Some(_), _) => "client",
            (None, None, Some((_, s))) => s.name(),
            (None, None, None) => "default",
        };
        Some((source, self.reset_value(i).to_string()))
    }

    /// The current value; None when there is no such parameter.
    pub fn get(&self, name: &str) -> Option<String> {
        match find(name) {
            Some((i, _)) => Some(self.raw(i).to_string()),
            None => self.custom.get(&name.to_ascii_lowercase()).cloned(),
        }
    }

    /// The values of the settings of which [`of_plans`] is true.
    pub fn of_plans(&self) -> impl Iterator<Item = &str> {
        SETTINGS.iter().enumerate().filter(|(_, s)| of_plans(s.name)).map(|(i, _)| self.raw(i))
    }

    /// Settings that plans depend on and that differ from their defaults, for EXPLAIN (SETTINGS).
    pub fn changed_for_plans(&self) -> Vec<(String, String)> {
        let of_plans = |n: &str| {
            n.starts_with("enable_")
                || matches!(
                    n,
                    "effective_cache_size"
                        | "from_collapse_limit"
                        | "hash_mem_multiplier"
                        | "jit"
                        | "join_collapse_limit"
                        | "plan_cache_mode"
                        | "random_page_cost"
                        | "search_path"
                        | "seq_page_cost"
                        | "temp_buffers"
                        | "work_mem"
                )
        };
        let all = SETTINGS.iter().enumerate().filter(|(i, s)| of_plans(s.name) && self.raw(*i) != s.default);
        all.map(|(i, s)| (s.name.to_string(), self.raw(i).to_string())).collect()
    }

    pub fn get_bool(&self, name: &str) -> bool {
        find(name).is_some_and(|(i, _)| self.raw(i) == "on")
    }

    /// Sets a value; `in_txn`: remember how to undo it; `local`: SET LOCAL. Returns the setting when its change must be reported.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        local: bool,
        in_txn: bool,
    ) -> Result<Option<&'static Setting>> {
        let Some((i, s)) = find(name) else {
            return self.set_custom(name, value, local, in_txn);
        };
        if s.fixed {
            bail!(CANT_CHANGE_RUNTIME_PARAM, "parameter \"{}\" cannot be changed", s.name);
        }
        let new = match value {
            None => None,
            Some(v) if s.name == "DateStyle" => {
                let current = self.get(s.name).unwrap_or_default();
                Some(canonical_date_style(v, &current)?)
            }
            Some(v) => Some(canonical(s, v)?),
        };
        if in_txn {
            self.undo.push(Undo { setting: Which::Own(i), old: self.values[i].take(), local });
        } else if local {
            return Ok(None);
        }
        self.values[i] = new;
        self.changed(i);
        Ok(s.report.then_some(s))
    }

    fn set_custom(
        &mut self,
        name: &str,
        value: Option<&str>,
        local: bool,
        in_txn: bool,
    ) -> Result<Option<&'static Setting>> {
        if !name.contains('.') {
            return Err(unrecognized(name));
        }
        let key = name.to_ascii_lowercase();
        if in_txn {
            let old = self.custom.get(&key).cloned();
            self.undo.push(Undo { setting: Which::Custom(key.clone()), old, local });
        } else if local {
            return Ok(None);
        }
        // Once named it stays: without a value it is empty.
        self.custom.insert(key, value.unwrap_or_default().to_string());
        Ok(None)
    }

    /// A value from the startup packet.
    pub fn set_session_default(&mut self, name: &str, value: &str) -> Result<()> {
        let Some((i, s)) = find(name) else {
            return self.set_custom(name, Some(value), false, false).map(|_| ());
        };
        if s.fixed {
            bail!(CANT_CHANGE_RUNTIME_PARAM, "parameter \"{}\" cannot be changed", s.name);
        }
        self.session_defaults[i] = Some(canonical(s, value)?);
        self.changed(i);
        Ok(())
    }

    /// Overwrites a value without checks or undo (transaction_isolation and the like mirror the transaction's state).
    pub fn mirror(&mut self, name: &str, value: &str) {
        if let Some((i, _)) = find(name) {
            self.values[i] = Some(value.to_string());
        }
    }

    /// RESET ALL.
    pub fn reset_all(&mut self, in_txn: bool) {
        for i in 0..SETTINGS.len() {
            if self.values[i].is_some()
                && !SETTINGS[i].fixed
                && !SETTINGS[i].name.starts_with("transaction_")
                && !matches!(SETTINGS[i].name, "role" | "session_authorization")
            {
                let old = self.values[i].take();
                if in_txn {
                    self.undo.push(Undo { setting: Which::Own(i), old, local: false });
                }
            }
        }
        for (key, value) in &mut self.custom {
            let old = Some(std::mem::take(value));
            if in_txn {
                self.undo.push(Undo { setting: Which::Custom(key.clone()), old, local: false });
            }
        }
        self.generation += 1;
        self.derive();
        self.observe = Observe::of(self);
    }

    /// A mark for [`Settings::rollback_to`].
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Undoes all changes since `mark`; returns the settings to report.
    pub fn rollback_to(&mut self, mark: usize) -> Vec<&'static Setting> {
        let mut reported = Vec::new();
        while self.undo.len() > mark {
            let Some(u) = self.undo.pop() else { break };
            reported.extend(self.put_back(u));
        }
        reported
    }

    /// The transaction committed: what SET LOCAL did is undone, down to the last SET.
    pub fn commit(&mut self) -> Vec<&'static Setting> {
        let (mut reported, mut kept) = (Vec::new(), Vec::new());
        while let Some(u) = self.undo.pop() {
            if kept.contains(&u.setting) {
                continue;
            }
            if u.local {
                reported.extend(self.put_back(u));
            } else {
                kept.push(u.setting);
            }
        }
        reported
    }

    fn put_back(&mut self, u: Undo) -> Option<&'static Setting> {
        match u.setting {
            Which::Own(i) => {
                self.values[i] = u.old;
                self.changed(i);
                SETTINGS[i].report.then_some(&SETTINGS[i])
            }
            Which::Custom(key) => {
                self.custom.insert(key, u.old.unwrap_or_default());
                None
            }
        }
    }

    fn changed(&mut self, i: usize) {
        if of_plans(SETTINGS[i].name) {
            self.generation += 1;
        }
        self.derive();
        if observe::concerns(SETTINGS[i].name) {
            self.observe = Observe::of(self);
        }
    }

    fn millis(&self, name: &str) -> Option<Duration> {
        let v = parse_int(&self.get(name)?, Unit::Ms)?;
        (v > 0).then(|| Duration::from_millis(v as u64))
    }

    fn derive(&mut self) {
        let ds = self.get("DateStyle").unwrap_or_default();
        let (style, order) = ds.split_once(", ").unwrap_or(("ISO", "MDY"));
        self.text.dt = DateTimeStyle {
            date_style: match style {
                "SQL" => DateStyle::Sql,
                "Postgres" => DateStyle::Postgres,
                "German" => DateStyle::German,
                _ => DateStyle::Iso,
            },
            order: match order {
                "DMY" => DateOrder::Dmy,
                "YMD" => DateOrder::Ymd,
                _ => DateOrder::Mdy,
            },
            interval_style: match self.get("IntervalStyle").as_deref() {
                Some("postgres_verbose") => IntervalStyle::PostgresVerbose,
                Some("sql_standard") => IntervalStyle::SqlStandard,
                Some("iso_8601") => IntervalStyle::Iso8601,
                _ => IntervalStyle::Postgres,
            },
            tz: match self.get("TimeZone").as_deref() {
                None | Some("Etc/UTC" | "UTC") => jiff::tz::TimeZone::UTC,
                Some(z) => datetime::parse_zone_setting(z).unwrap_or(jiff::tz::TimeZone::UTC),
            },
        };
        self.text.encoding = self.get("client_encoding").and_then(|e| Encoding::by_name(&e)).unwrap_or(UTF8);
        self.text.bytea_escape = self.get("bytea_output").as_deref() == Some("escape");
        self.text.extra_float_digits = self.get("extra_float_digits").and_then(|v| v.parse().ok()).unwrap_or(1);
        self.lock_timeout = self.millis("lock_timeout");
        self.statement_timeout = self.millis("statement_timeout");
        self.idle_in_transaction_timeout = self.millis("idle_in_transaction_session_timeout");
        self.idle_session_timeout = self.millis("idle_session_timeout");
        let number = |name, unit| {
            self.get(name).and_then(|v| parse_int(&v, unit)).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
        };
        self.tcp = TcpSettings {
            idle: number("tcp_keepalives_idle", Unit::S),
            interval: number("tcp_keepalives_interval", Unit::S),
            count: number("tcp_keepalives_count", Unit::None),
            user_timeout: number("tcp_user_timeout", Unit::Ms),
        };
        self.work_mem =
            self.get("work_mem").and_then(|v| parse_int(&v, Unit::Kb)).unwrap_or(4096).max(64) as usize * 1024;
        let multiplier: f64 = self.get("hash_mem_multiplier").and_then(|v| v.parse().ok()).unwrap_or(2.0);
        self.hash_mem = (self.work_mem as f64 * multiplier) as usize;
        let limit = self.get("temp_file_limit").and_then(|v| parse_int(&v, Unit::Kb));
        self.temp_file_limit = limit.and_then(|kb| u64::try_from(kb).ok()).map(|kb| kb.saturating_mul(1024));
        self.plan = PlanSettings {
            enable_seqscan: self.get_bool("enable_seqscan"),
            enable_indexscan: self.get_bool("enable_indexscan"),
            enable_indexonlyscan: self.get_bool("enable_indexonlyscan"),
            enable_tidscan: self.get_bool("enable_tidscan"),
            enable_hashjoin: self.get_bool("enable_hashjoin"),
            enable_mergejoin: self.get_bool("enable_mergejoin"),
            enable_nestloop: self.get_bool("enable_nestloop"),
            enable_hashagg: self.get_bool("enable_hashagg"),
            enable_sort: self.get_bool("enable_sort"),
            join_collapse_limit: self.get("join_collapse_limit").and_then(|v| v.parse().ok()).unwrap_or(8),
        };
    }

    /// The transaction's modes, as mirrored here, are the defaults for new transactions: nothing to set at its begin.
    pub fn modes_are_default(&self) -> bool {
        static PLACES: OnceLock<Option<[(usize, usize); 3]>> = OnceLock::new();
        let place = |name| find(name).map(|f| f.0);
        let places = PLACES.get_or_init(|| {
            Some([
                (place("default_transaction_isolation")?, place("transaction_isolation")?),
                (place("default_transaction_read_only")?, place("transaction_read_only")?),
                (place("default_transaction_deferrable")?, place("transaction_deferrable")?),
            ])
        });
        places.is_some_and(|p| p.iter().all(|&(default, now)| self.raw(default) == self.raw(now)))
    }

    /// The schema names of search_path, `"$user"` resolved to `user`.
    pub fn search_path(&self, user: &str) -> Vec<String> {
        split_identifiers(&self.get("search_path").unwrap_or_default())
            .into_iter()
            .map(|s| if s == "$user" { user.to_string() } else { s })
            .collect()
    }
}

/// Settings that only a superuser changes (PGC_SUSET), of those known here.
pub fn superuser_only(name: &str) -> bool {
    static NAMES: std::sync::LazyLock<rustc_hash::FxHashSet<&'static str>> = std::sync::LazyLock::new(|| {
        let lines = crate::vtable::SETTINGS.lines().map(|l| l.split('\t').collect::<Vec<&str>>());
        lines.filter(|f| f.get(5) == Some(&"superuser")).filter_map(|f| f.first().copied()).collect()
    });
    NAMES.contains(&*name.to_ascii_lowercase())
}
/// Whether ALTER ROLE or DATABASE may keep a setting: its canonical name.
pub fn check(name: &str, value: Option<&str>, superuser: bool) -> Result<String> {
    let Some((_, s)) = find(name) else {
        if name.contains('.') {
            return Ok(name.to_ascii_lowercase());
        }
        bail!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
    };
    if s.fixed {
        bail!(CANT_CHANGE_RUNTIME_PARAM, "parameter \"{}\" cannot be changed", s.name);
    }
    if !superuser && superuser_only(s.name) {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set parameter \"{}\"", s.name);
    }
    if let Some(v) = value {
        canonical(s, v)?;
    }
    Ok(s.name.to_string())
}
/// Splits `a, "B c", d` as PostgreSQL's SplitIdentifierString does.
pub fn split_identifiers(s: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut chars = s.chars().peekable();
    let (mut current, mut any) = (String::new(), false);
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                any = true;
                while let Some(q) = chars.next() {
                    if q != '"' {
                        current.push(q);
                    } else if chars.peek() == Some(&'"') {
                        chars.next();
                        current.push('"');
                    } else {
                        break;
                    }
                }
            }
            ',' => {
                if any {
                    out.push(std::mem::take(&mut current));
                }
                any = false;
            }
            c if c.is_whitespace() => {}
            c => {
                any = true;
                current.extend(c.to_lowercase());
            }
        }
    }
    if any {
        out.push(current);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_ranges() {
        let mut s = Settings::default();
        s.set("statement_timeout", Some("90s"), false, false).unwrap();
        assert_eq!(s.get("STATEMENT_TIMEOUT").unwrap(), "90s");
        assert_eq!(s.statement_timeout, Some(Duration::from_secs(90)));
        s.set("statement_timeout", Some("120000"), false, false).unwrap();
        assert_eq!(s.get("statement_timeout").unwrap(), "2min");
        let e = s.set("statement_timeout", Some("-1"), false, false).unwrap_err();
        assert_eq!(e.code(), pamir_types::error::state::INVALID_PARAMETER_VALUE);
        assert_eq!(
            s.set("nope", Some("1"), false, false).unwrap_err().message(),
            "unrecognized configuration parameter \"nope\""
        );
    }

    #[test]
    fn undo_follows_the_transaction() {
        let mut s = Settings::default();
        s.set("work_mem", Some("8MB"), false, false).unwrap();
        let mark = s.mark();
        s.set("work_mem", Some("16MB"), false, true).unwrap();
        s.set("lock_timeout", Some("1s"), true, true).unwrap();
        assert_eq!(s.work_mem, 16 << 20);
        s.rollback_to(mark);
        assert_eq!((s.work_mem, s.lock_timeout), (8 << 20, None));
        s.set("work_mem", Some("16MB"), false, true).unwrap();
        s.set("lock_timeout", Some("1s"), true, true).unwrap();
        s.commit();
        assert_eq!((s.work_mem, s.lock_timeout), (16 << 20, None));
    }

    #[test]
    fn pg_settings_units() {
        assert_eq!(in_unit("4MB", "kB"), Some(4096));
        assert_eq!(in_unit("128MB", "8kB"), Some(16384));
        assert_eq!(in_unit("1min", "s"), Some(60));
        assert_eq!(in_unit("0", "ms"), Some(0));
        assert_eq!(in_unit("x", "\\N"), None);
    }

    #[test]
    fn identifiers_split() {
        assert_eq!(split_identifiers("\"$user\", public"), ["$user", "public"]);
        assert_eq!(split_identifiers("A, \"B\"\"c\""), ["a", "B\"c"]);
    }
}
