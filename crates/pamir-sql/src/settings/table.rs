//! All settings: one line each, from which everything that tells of a setting is made: SHOW, SET's checks, pg_settings' row, `docs/configuration.md`.
//!
//! Names, descriptions, categories and contexts are PostgreSQL 15's; defaults and ranges are this server's. The order is that of names, as SHOW ALL has them.
//! What a session makes of the values of hot ones is in [`super::Settings`].
//!
//! Limits: nothing is read from a setting's line but what its functions below say: a check of a text (`DateStyle`) is found by its name.
use Context::*;
use pamir_catalog::{SERVER_VERSION, SERVER_VERSION_NUM};
use pamir_types::{Error, err};

/// What the number of a setting counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    None,
    Ms,
    S,
    Bytes,
    Kb,
    /// PostgreSQL's pages of 8 kB.
    Pages,
    Mb,
}
impl Unit {
    /// As pg_settings.unit says it.
    pub fn name(self) -> &'static str {
        match self {
            Unit::None => "",
            Unit::Ms => "ms",
            Unit::S => "s",
            Unit::Bytes => "B",
            Unit::Kb => "kB",
            Unit::Pages => "8kB",
            Unit::Mb => "MB",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Bool,
    Int { min: i64, max: i64, unit: Unit },
    Real { min: f64, max: f64 },
    Enum(&'static [&'static str]),
    Text,
}
impl Kind {
    /// As pg_settings.vartype says it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Int { .. } => "integer",
            Kind::Real { .. } => "real",
            Kind::Enum(_) => "enum",
            Kind::Text => "string",
        }
    }
}

/// Who changes a setting, and when. No session changes one of the first three: it says how the server runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    Internal,
    Postmaster,
    Sighup,
    SuperuserBackend,
    Superuser,
    User,
}
impl Context {
    /// As pg_settings.context says it.
    pub fn name(self) -> &'static str {
        match self {
            Internal => "internal",
            Postmaster => "postmaster",
            Sighup => "sighup",
            SuperuserBackend => "superuser-backend",
            Superuser => "superuser",
            User => "user",
        }
    }
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub name: &'static str,
    pub default: &'static str,
    pub kind: Kind,
    pub context: Context,
    pub category: &'static str,
    pub description: &'static str,
    /// What else is to be said (pg_settings.extra_desc).
    pub more: &'static str,
    /// Its changes are sent as ParameterStatus.
    pub report: bool,
    /// Plans depend on it: on how names are found, how paths are chosen, or what text a constant folded while planning becomes.
    pub of_plans: bool,
    /// EXPLAIN (SETTINGS) tells it.
    pub explained: bool,
    /// The values that have their effect here, where PostgreSQL has more: others are refused. None: all that its kind takes.
    pub only: Option<&'static [&'static str]>,
}
impl Setting {
    /// No session changes it.
    pub fn is_fixed(&self) -> bool {
        matches!(self.context, Internal | Postmaster | Sighup)
    }
    /// 55P02: why no session changes it.
    pub fn fixed(&self) -> Error {
        let why = match self.context {
            Postmaster => " without restarting the server",
            Sighup => " now",
            _ => "",
        };
        err!(CANT_CHANGE_RUNTIME_PARAM, "parameter \"{}\" cannot be changed{why}", self.name)
    }
    pub fn is_superuser_only(&self) -> bool {
        matches!(self.context, Superuser | SuperuserBackend)
    }
    /// Is it told by pg_settings?
    pub fn is_listed(&self) -> bool {
        self.category != UNGROUPED
    }
    const fn by(self, context: Context) -> Setting {
        Setting { context, ..self }
    }
    const fn reported(self) -> Setting {
        Setting { report: true, ..self }
    }
    const fn of_plans(self) -> Setting {
        Setting { of_plans: true, ..self }
    }
    const fn explained(self) -> Setting {
        Setting { explained: true, ..self }
    }
    /// PostgreSQL's advice to its own planner, vacuum or log, on which no answer depends: checked, kept and shown, and nothing follows from it here.
    const fn hint(self) -> Setting {
        Setting { more: HINT, ..self }
    }
    /// Nothing follows from it.
    pub fn is_hint(&self) -> bool {
        self.more == HINT
    }
    const fn only(self, values: &'static [&'static str]) -> Setting {
        Setting { only: Some(values), ..self }
    }
    const fn more(self, more: &'static str) -> Setting {
        Setting { more, ..self }
    }
}

const HINT: Str = "Accepted; nothing depends on it here.";

type Str = &'static str;

const fn of(kind: Kind, name: Str, default: Str, category: Str, description: Str) -> Setting {
    Setting {
        name,
        default,
        kind,
        context: User,
        category,
        description,
        more: "",
        report: false,
        of_plans: false,
        explained: false,
        only: None,
    }
}
const fn text(name: Str, default: Str, category: Str, description: Str) -> Setting {
    of(Kind::Text, name, default, category, description)
}
const fn boolean(name: Str, default: Str, category: Str, description: Str) -> Setting {
    of(Kind::Bool, name, default, category, description)
}
const fn int(name: Str, default: Str, min: i64, max: i64, unit: Unit, category: Str, description: Str) -> Setting {
    of(Kind::Int { min, max, unit }, name, default, category, description)
}
const fn real(name: Str, default: Str, min: f64, max: f64, category: Str, description: Str) -> Setting {
    of(Kind::Real { min, max }, name, default, category, description)
}
const fn choice(name: Str, default: Str, values: &'static [Str], category: Str, description: Str) -> Setting {
    of(Kind::Enum(values), name, default, category, description)
}
/// What the planner may choose.
const fn method(name: Str, description: Str) -> Setting {
    boolean(name, "on", METHODS, description).of_plans().explained()
}

const AUTOVACUUM: Str = "Autovacuum";
const FORMATS: Str = "Client Connection Defaults / Locale and Formatting";
const STATEMENTS: Str = "Client Connection Defaults / Statement Behavior";
const AUTHENTICATION: Str = "Connections and Authentication / Authentication";
const CONNECTIONS: Str = "Connections and Authentication / Connection Settings";
const SSL: Str = "Connections and Authentication / SSL";
const CUSTOMIZED: Str = "Customized Options";
const FILES: Str = "File Locations";
const PRESET: Str = "Preset Options";
const PLANNER: Str = "Query Tuning / Other Planner Options";
const COSTS: Str = "Query Tuning / Planner Cost Constants";
const GENETIC: Str = "Query Tuning / Genetic Query Optimizer";
const METHODS: Str = "Query Tuning / Planner Method Configuration";
const WHAT_TO_LOG: Str = "Reporting and Logging / What to Log";
const WHEN_TO_LOG: Str = "Reporting and Logging / When to Log";
const ASYNCHRONOUS: Str = "Resource Usage / Asynchronous Behavior";
const VACUUM_COST: Str = "Resource Usage / Cost-Based Vacuum Delay";
const MEMORY: Str = "Resource Usage / Memory";
const MONITORING: Str = "Statistics / Monitoring";
const SENDING: Str = "Replication / Sending Servers";
const REPLICATION: Str = "Replication / Standby Servers";
const STATISTICS: Str = "Statistics / Cumulative Query and Index Statistics";
const UNGROUPED: Str = "Ungrouped";
const VERSIONS: Str = "Version and Platform Compatibility / Previous PostgreSQL Versions";
const LOG: Str = "Write-Ahead Log / Settings";
const ISOLATION: &[Str] = &["serializable", "repeatable read", "read committed", "read uncommitted"];
/// Locales whose amounts, numbers and dates are written as they are written here.
const LOCALES: &[Str] = &["C", "POSIX", "C.UTF-8", "C.utf8", "en_US", "en_US.UTF-8", "en_US.utf8"];
const INT_MAX: i64 = i32::MAX as i64;
/// What Linux takes (include/net/tcp.h).
const MAX_KEEPALIVE_TIME: i64 = 32767;
const MAX_KEEPALIVE_COUNT: i64 = 127;
const LEVELS: &[Str] =
    &["debug5", "debug4", "debug3", "debug2", "debug1", "info", "notice", "warning", "error", "log", "fatal", "panic"];

#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    boolean("allow_system_table_mods", "off", "Developer Options", "Allows modifications of the structure of system tables; nothing does here.").by(Internal),
    text("application_name", "", WHAT_TO_LOG, "Sets the application name to be reported in statistics and logs.").reported(),
    text("archive_command", "(disabled)", "Write-Ahead Log / Archiving", "Sets the shell command that will be called to archive a WAL file; log is archived into a store here.").by(Sighup),
    text("archive_library", "", "Write-Ahead Log / Archiving", "Sets the library that will be called to archive a WAL file; there is none.").by(Sighup),
    choice("archive_mode", "off", &["off", "on", "always"], "Write-Ahead Log / Archiving", "Allows archiving of WAL files using archive_command.").by(Postmaster),
    boolean("array_nulls", "on", VERSIONS, "Enable input of NULL elements in arrays.").only(&["on"]),
    int("authentication_timeout", "1min", 1, 600, Unit::S, AUTHENTICATION, "Sets the maximum allowed time to complete client authentication.").by(Sighup),
    boolean("auto_explain.log_analyze", "off", CUSTOMIZED, "Use EXPLAIN ANALYZE for plan logging."),
    boolean("auto_explain.log_buffers", "off", CUSTOMIZED, "Log buffers usage."),
    choice("auto_explain.log_format", "text", &["text", "json", "xml", "yaml"], CUSTOMIZED, "EXPLAIN format to be used for plan logging."),
    int("auto_explain.log_min_duration", "-1", -1, INT_MAX, Unit::Ms, CUSTOMIZED, "Sets the minimum execution time above which plans will be logged."),
    boolean("auto_explain.log_nested_statements", "off", CUSTOMIZED, "Log nested statements; none run inside others here.").hint(),
    boolean("auto_explain.log_settings", "off", CUSTOMIZED, "Log modified configuration parameters affecting query planning."),
    boolean("auto_explain.log_timing", "on", CUSTOMIZED, "Collect timing data, not just row counts."),
    boolean("auto_explain.log_verbose", "off", CUSTOMIZED, "Use EXPLAIN VERBOSE for plan logging."),
    real("auto_explain.sample_rate", "1", 0.0, 1.0, CUSTOMIZED, "Fraction of queries to process."),
    boolean("autovacuum", "on", AUTOVACUUM, "Gathers the statistics of tables that changed much; there is nothing to vacuum here.").by(Sighup),
    real("autovacuum_analyze_scale_factor", "0.1", 0.0, 100.0, AUTOVACUUM, "Number of tuple inserts, updates, or deletes prior to analyze as a fraction of reltuples.").by(Sighup),
    int("autovacuum_analyze_threshold", "50", 0, INT_MAX, Unit::None, AUTOVACUUM, "Minimum number of tuple inserts, updates, or deletes prior to analyze.").by(Sighup),
    int("autovacuum_freeze_max_age", "200000000", 100000, 2000000000, Unit::None, AUTOVACUUM, "Age at which to autovacuum a table to prevent transaction ID wraparound; there is none here.").by(Postmaster).hint(),
    int("autovacuum_max_workers", "3", 1, 262143, Unit::None, AUTOVACUUM, "Sets the maximum number of simultaneously running autovacuum worker processes.").by(Postmaster).hint(),
    int("autovacuum_multixact_freeze_max_age", "400000000", 10000, 2000000000, Unit::None, AUTOVACUUM, "Multixact age at which to autovacuum a table to prevent multixact wraparound; there is none here.").by(Postmaster).hint(),
    int("autovacuum_naptime", "15s", 1, 2147483, Unit::S, AUTOVACUUM, "Time to sleep between autovacuum runs.").by(Sighup),
    int("autovacuum_vacuum_cost_limit", "-1", -1, 10000, Unit::None, AUTOVACUUM, "Vacuum cost amount available before napping, for autovacuum.").by(Sighup).hint(),
    real("autovacuum_vacuum_insert_scale_factor", "0.2", 0.0, 100.0, AUTOVACUUM, "Number of tuple inserts prior to vacuum as a fraction of reltuples.").by(Sighup).hint(),
    int("autovacuum_vacuum_insert_threshold", "1000", -1, INT_MAX, Unit::None, AUTOVACUUM, "Minimum number of tuple inserts prior to vacuum, or -1 to disable insert vacuums.").by(Sighup).hint(),
    real("autovacuum_vacuum_scale_factor", "0.2", 0.0, 100.0, AUTOVACUUM, "Number of tuple updates or deletes prior to vacuum as a fraction of reltuples.").by(Sighup).hint(),
    int("autovacuum_vacuum_threshold", "50", 0, INT_MAX, Unit::None, AUTOVACUUM, "Minimum number of tuple updates or deletes prior to vacuum.").by(Sighup).hint(),
    int("backend_flush_after", "0", 0, 256, Unit::Pages, ASYNCHRONOUS, "Number of pages after which previously performed writes are flushed to disk.").hint(),
    choice("backslash_quote", "safe_encoding", &["safe_encoding", "on", "off"], VERSIONS, "Sets whether \"\\'\" is allowed in string literals.").only(&["safe_encoding", "on"]),
    int("block_size", "8192", 8192, 8192, Unit::None, PRESET, "Shows the size of a disk block.").by(Internal),
    boolean("bonjour", "off", "Connections and Authentication / Connection Settings", "Enables advertising the server via Bonjour.").by(Postmaster),
    choice("bytea_output", "hex", &["escape", "hex"], STATEMENTS, "Sets the output format for bytea.").of_plans(),
    boolean("check_function_bodies", "on", STATEMENTS, "Check routine bodies during CREATE FUNCTION and CREATE PROCEDURE."),
    int("client_connection_check_interval", "0", 0, INT_MAX, Unit::Ms, CONNECTIONS, "Sets the time interval between checks for disconnection while running queries.").hint(),
    text("client_encoding", "UTF8", FORMATS, "Sets the client's character set encoding.").reported(),
    choice("client_min_messages", "notice", &["debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"], STATEMENTS, "Sets the message levels that are sent to the client.").more("Each level includes all the levels that follow it. The later the level, the fewer messages are sent."),
    text("cluster_name", "", "Reporting and Logging / Process Title", "Sets the name of the cluster, which is included in the process title.").by(Postmaster),
    int("commit_delay", "0", 0, 100_000, Unit::None, LOG, "Sets the delay in microseconds between transaction commit and flushing WAL to disk.").by(Superuser).hint(),
    int("commit_siblings", "5", 0, 1000, Unit::None, LOG, "Sets the minimum number of concurrent open transactions required before performing commit_delay.").hint(),
    choice("compute_query_id", "auto", &["auto", "regress", "on", "off"], MONITORING, "Enables in-core computation of query identifiers.").by(Superuser).only(&["auto", "on"]),
    text("config_file", "", FILES, "Sets the server's main configuration file.").by(Postmaster),
    choice("constraint_exclusion", "partition", &["partition", "on", "off"], PLANNER, "Enables the planner to use constraints to optimize queries.").explained().hint(),
    real("cpu_index_tuple_cost", "0.005", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of processing each index entry during an index scan.").explained().hint(),
    real("cpu_operator_cost", "0.0025", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of processing each operator or function call.").explained().hint(),
    real("cpu_tuple_cost", "0.01", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of processing each tuple (row).").explained().hint(),
    real("cursor_tuple_fraction", "0.1", 0.0, 1.0, PLANNER, "Sets the planner's estimate of the fraction of a cursor's rows that will be retrieved.").explained().hint(),
    boolean("data_checksums", "on", PRESET, "Shows whether data checksums are turned on for this cluster.").by(Internal),
    text("data_directory", "", FILES, "Sets the server's data directory.").by(Postmaster),
    boolean("data_sync_retry", "off", "Error Handling", "Whether to continue running after a failure to sync data files.").by(Postmaster),
    text("DateStyle", "ISO, MDY", FORMATS, "Sets the display format for date and time values.").reported().of_plans().more("Also controls interpretation of ambiguous date inputs."),
    int("deadlock_timeout", "1s", 1, INT_MAX, Unit::Ms, "Lock Management", "Sets the time to wait on a lock before checking for deadlock; deadlocks are found at once here.").by(Superuser).hint(),
    boolean("debug_assertions", "off", PRESET, "Shows whether the running server has assertion checks enabled.").by(Internal),
    boolean("debug_pretty_print", "on", WHAT_TO_LOG, "Indents parse and plan tree displays.").hint(),
    boolean("debug_print_parse", "off", WHAT_TO_LOG, "Logs each query's parse tree.").only(&["off"]),
    boolean("debug_print_plan", "off", WHAT_TO_LOG, "Logs each query's execution plan.").only(&["off"]),
    boolean("debug_print_rewritten", "off", WHAT_TO_LOG, "Logs each query's rewritten parse tree.").only(&["off"]),
    int("default_statistics_target", "100", 1, 10000, Unit::None, PLANNER, "Sets the default statistics target.").explained().hint(),
    text("default_table_access_method", "heap", STATEMENTS, "Sets the default table access method for new tables.").only(&["heap"]),
    text("default_tablespace", "", STATEMENTS, "Sets the default tablespace to create tables and indexes in.").hint(),
    text("default_text_search_config", "pg_catalog.english", FORMATS, "Sets default text search configuration.").of_plans(),
    choice("default_toast_compression", "pglz", &["pglz", "lz4"], STATEMENTS, "Sets the default compression method for compressible values.").hint(),
    boolean("default_transaction_deferrable", "off", STATEMENTS, "Sets the default deferrable status of new transactions."),
    choice("default_transaction_isolation", "read committed", ISOLATION, STATEMENTS, "Sets the transaction isolation level of each new transaction."),
    boolean("default_transaction_read_only", "off", STATEMENTS, "Sets the default read-only status of new transactions.").reported(),
    boolean("default_with_oids", "off", VERSIONS, "Create new tables with OIDs by default.").only(&["off"]),
    int("effective_cache_size", "4GB", 1, INT_MAX, Unit::Pages, COSTS, "Sets the planner's assumption about the total size of the data caches.").explained().hint(),
    int("effective_io_concurrency", "1", 0, 1000, Unit::None, ASYNCHRONOUS, "Number of simultaneous requests that can be handled efficiently by the disk subsystem.").hint(),
    boolean("enable_async_append", "on", METHODS, "Enables the planner's use of async append plans.").explained().hint(),
    method("enable_bitmapscan", "Enables the planner's use of bitmap-scan plans.").hint(),
    boolean("enable_gathermerge", "on", METHODS, "Enables the planner's use of gather merge plans.").explained().hint(),
    method("enable_hashagg", "Enables the planner's use of hashed aggregation plans."),
    method("enable_hashjoin", "Enables the planner's use of hash join plans."),
    boolean("enable_incremental_sort", "on", METHODS, "Enables the planner's use of incremental sort steps.").explained().hint(),
    method("enable_indexonlyscan", "Enables the planner's use of index-only-scan plans."),
    method("enable_indexscan", "Enables the planner's use of index-scan plans."),
    boolean("enable_material", "on", METHODS, "Enables the planner's use of materialization.").explained().hint(),
    boolean("enable_memoize", "on", METHODS, "Enables the planner's use of memoization.").explained().hint(),
    method("enable_mergejoin", "Enables the planner's use of merge join plans."),
    method("enable_nestloop", "Enables the planner's use of nested-loop join plans."),
    boolean("enable_parallel_append", "on", METHODS, "Enables the planner's use of parallel append plans.").explained().hint(),
    boolean("enable_parallel_hash", "on", METHODS, "Enables the planner's use of parallel hash plans.").explained().hint(),
    method("enable_partition_pruning", "Enables plan-time and execution-time partition pruning."),
    boolean("enable_partitionwise_aggregate", "off", METHODS, "Enables partitionwise aggregation and grouping.").explained().hint(),
    boolean("enable_partitionwise_join", "off", METHODS, "Enables partitionwise join.").explained().hint(),
    method("enable_seqscan", "Enables the planner's use of sequential-scan plans."),
    method("enable_sort", "Enables the planner's use of explicit sort steps."),
    method("enable_tidscan", "Enables the planner's use of TID scan plans."),
    boolean("escape_string_warning", "on", VERSIONS, "Warn about backslash escapes in ordinary string literals.").hint(),
    int("extra_float_digits", "1", -15, 3, Unit::None, FORMATS, "Sets the number of digits displayed for floating-point values.").of_plans().more("This affects real, double precision, and geometric data types. A zero or negative parameter value is added to the standard number of digits (FLT_DIG or DBL_DIG as appropriate). Any value greater than zero selects precise output mode."),
    choice("force_parallel_mode", "off", &["off", "on", "regress"], "Developer Options", "Forces use of parallel query facilities.").hint(),
    int("from_collapse_limit", "8", 1, INT_MAX, Unit::None, PLANNER, "Sets the FROM-list size beyond which subqueries are not collapsed.").of_plans().explained().hint(),
    boolean("fsync", "on", LOG, "Forces synchronization of updates to disk.").by(Sighup),
    boolean("full_page_writes", "off", LOG, "Writes full pages to WAL when first modified after a checkpoint; pages are written elsewhere here.").by(Sighup),
    boolean("geqo", "on", GENETIC, "Enables genetic query optimization.").explained().hint(),
    int("geqo_effort", "5", 1, 10, Unit::None, GENETIC, "GEQO: effort is used to set the default for other GEQO parameters.").explained().hint(),
    int("geqo_generations", "0", 0, INT_MAX, Unit::None, GENETIC, "GEQO: number of iterations of the algorithm.").explained().hint(),
    int("geqo_pool_size", "0", 0, INT_MAX, Unit::None, GENETIC, "GEQO: number of individuals in the population.").explained().hint(),
    real("geqo_seed", "0", 0.0, 1.0, GENETIC, "GEQO: seed for random path selection.").explained().hint(),
    real("geqo_selection_bias", "2", 1.5, 2.0, GENETIC, "GEQO: selective pressure within the population.").explained().hint(),
    int("geqo_threshold", "12", 2, INT_MAX, Unit::None, GENETIC, "Sets the threshold of FROM items beyond which GEQO is used.").explained().hint(),
    int("gin_fuzzy_search_limit", "0", 0, INT_MAX, Unit::None, "Client Connection Defaults / Other Defaults", "Sets the maximum allowed result for exact search by GIN.").hint(),
    int("gin_pending_list_limit", "4MB", 64, INT_MAX, Unit::Kb, STATEMENTS, "Sets the maximum size of the pending list for GIN index.").hint(),
    real("hash_mem_multiplier", "2", 1.0, 1000.0, MEMORY, "Multiple of work_mem to use for hash tables.").explained(),
    boolean("hot_standby", "on", REPLICATION, "Allows connections and queries during recovery.").by(Postmaster),
    boolean("hot_standby_feedback", "off", "Replication / Standby Servers", "Allows feedback from a hot standby to the primary that will avoid query conflicts.").by(Sighup),
    choice("huge_pages", "off", &["off", "on", "try"], "Resource Usage / Memory", "Use of huge pages on Linux or Windows.").by(Postmaster),
    int("idle_in_transaction_session_timeout", "0", 0, INT_MAX, Unit::Ms, STATEMENTS, "Sets the maximum allowed idle time between queries, when in a transaction.").more("A value of 0 turns off the timeout."),
    int("idle_session_timeout", "0", 0, INT_MAX, Unit::Ms, STATEMENTS, "Sets the maximum allowed idle time between queries, when not in a transaction.").more("A value of 0 turns off the timeout."),
    boolean("ignore_system_indexes", "off", "Developer Options", "Disables reading from system indexes.").by(Internal),
    boolean("in_hot_standby", "off", PRESET, "Shows whether hot standby is currently active.").by(Internal).reported(),
    boolean("integer_datetimes", "on", PRESET, "Shows whether datetimes are integer based.").by(Internal).reported(),
    choice("IntervalStyle", "postgres", &["postgres", "postgres_verbose", "sql_standard", "iso_8601"], FORMATS, "Sets the display format for interval values.").reported().of_plans(),
    boolean("is_superuser", "on", UNGROUPED, "Shows whether the current user is a superuser.").by(Internal).reported(),
    boolean("jit", "off", PLANNER, "Allow JIT compilation.").explained().hint(),
    real("jit_above_cost", "100000", -1.0, f64::MAX, COSTS, "Perform JIT compilation if query is more expensive.").explained().hint(),
    boolean("jit_expressions", "on", "Developer Options", "Allow JIT compilation of expressions.").hint(),
    real("jit_inline_above_cost", "500000", -1.0, f64::MAX, COSTS, "Perform JIT inlining if query is more expensive.").explained().hint(),
    real("jit_optimize_above_cost", "500000", -1.0, f64::MAX, COSTS, "Optimize JIT-compiled functions if query is more expensive.").explained().hint(),
    boolean("jit_tuple_deforming", "on", "Developer Options", "Allow JIT compilation of tuple deforming.").hint(),
    int("join_collapse_limit", "8", 1, INT_MAX, Unit::None, PLANNER, "Sets the FROM-list size beyond which JOIN constructs are not flattened.").of_plans().explained().more("The planner will flatten explicit JOIN constructs into lists of FROM items whenever a list of no more than this many items would result."),
    text("lc_collate", "C", PRESET, "Shows the collation order locale.").by(Internal),
    text("lc_ctype", "C", PRESET, "Shows the character classification and case conversion locale.").by(Internal),
    text("lc_messages", "C", FORMATS, "Sets the language in which messages are displayed.").by(Superuser).hint(),
    text("lc_monetary", "C", FORMATS, "Sets the locale for formatting monetary amounts.").only(LOCALES),
    text("lc_numeric", "C", FORMATS, "Sets the locale for formatting numbers.").only(LOCALES),
    text("lc_time", "C", FORMATS, "Sets the locale for formatting date and time values.").only(LOCALES),
    text("listen_addresses", "", CONNECTIONS, "Sets the host name or IP address(es) to listen to.").by(Postmaster),
    boolean("lo_compat_privileges", "off", VERSIONS, "Enables backward compatibility mode for privilege checks on large objects.").by(Superuser).more("Skips privilege checks when reading or modifying large objects, for compatibility with PostgreSQL releases prior to 9.0."),
    text("local_preload_libraries", "", "Client Connection Defaults / Shared Library Preloading", "Lists unprivileged shared libraries to preload into each backend; there are none.").by(Internal),
    int("lock_timeout", "0", 0, INT_MAX, Unit::Ms, STATEMENTS, "Sets the maximum allowed duration of any wait for a lock.").more("A value of 0 turns off the timeout."),
    boolean("log_connections", "off", WHAT_TO_LOG, "Logs each successful connection.").by(SuperuserBackend),
    text("log_destination", "stderr", "Reporting and Logging / Where to Log", "Sets the destination for server log output.").by(Sighup),
    boolean("log_disconnections", "off", WHAT_TO_LOG, "Logs end of a session, including duration.").by(SuperuserBackend),
    boolean("log_duration", "off", WHAT_TO_LOG, "Logs the duration of each completed SQL statement.").by(Superuser),
    choice("log_error_verbosity", "default", &["terse", "default", "verbose"], WHAT_TO_LOG, "Sets the verbosity of logged messages.").by(Superuser),
    boolean("log_executor_stats", "off", MONITORING, "Writes executor performance statistics to the server log.").by(Superuser).only(&["off"]),
    boolean("log_hostname", "off", "Reporting and Logging / What to Log", "Logs the host name in the connection logs.").by(Sighup),
    boolean("log_lock_waits", "off", WHAT_TO_LOG, "Logs long lock waits.").by(Superuser).only(&["off"]),
    int("log_min_duration_sample", "-1", -1, INT_MAX, Unit::Ms, WHEN_TO_LOG, "Sets the minimum execution time above which a sample of statements will be logged. Sampling is determined by log_statement_sample_rate.").by(Superuser).more("Zero logs a sample of all queries. -1 turns this feature off."),
    int("log_min_duration_statement", "-1", -1, INT_MAX, Unit::Ms, WHEN_TO_LOG, "Sets the minimum execution time above which all statements will be logged.").by(Superuser).more("Zero prints all queries. -1 turns this feature off."),
    choice("log_min_error_statement", "error", LEVELS, WHEN_TO_LOG, "Causes all statements generating error at or above this level to be logged.").by(Superuser).more("Each level includes all the levels that follow it. The later the level, the fewer messages are sent."),
    choice("log_min_messages", "warning", LEVELS, WHEN_TO_LOG, "Sets the message levels that are logged.").by(Superuser).more("Each level includes all the levels that follow it. The later the level, the fewer messages are sent."),
    int("log_parameter_max_length", "-1", -1, 1_073_741_823, Unit::Bytes, WHAT_TO_LOG, "Sets the maximum length in bytes of data logged for bind parameter values when logging statements.").by(Superuser).more("-1 to print values in full."),
    int("log_parameter_max_length_on_error", "0", -1, 1_073_741_823, Unit::Bytes, WHAT_TO_LOG, "Sets the maximum length in bytes of data logged for bind parameter values when logging statements, on error.").more("-1 to print values in full."),
    boolean("log_parser_stats", "off", MONITORING, "Writes parser performance statistics to the server log.").by(Superuser).only(&["off"]),
    boolean("log_planner_stats", "off", MONITORING, "Writes planner performance statistics to the server log.").by(Superuser).only(&["off"]),
    boolean("log_replication_commands", "off", "Reporting and Logging / What to Log", "Logs each replication command; there are none.").by(Sighup),
    choice("log_statement", "none", &["none", "ddl", "mod", "all"], WHAT_TO_LOG, "Sets the type of statements logged.").by(Superuser),
    real("log_statement_sample_rate", "1", 0.0, 1.0, WHEN_TO_LOG, "Fraction of statements exceeding log_min_duration_sample to be logged.").by(Superuser).more("Use a value between 0.0 (never log) and 1.0 (always log)."),
    boolean("log_statement_stats", "off", MONITORING, "Writes cumulative performance statistics to the server log.").by(Superuser).only(&["off"]),
    text("log_timezone", "UTC", WHAT_TO_LOG, "Sets the time zone to use in log messages.").by(Sighup),
    boolean("logging_collector", "off", "Reporting and Logging / Where to Log", "Start a subprocess to capture stderr output and/or csvlogs into log files.").by(Postmaster),
    int("maintenance_io_concurrency", "10", 0, 1000, Unit::None, ASYNCHRONOUS, "A variant of effective_io_concurrency that is used for maintenance work.").hint(),
    int("maintenance_work_mem", "64MB", 1024, INT_MAX, Unit::Kb, MEMORY, "Sets the maximum memory to be used for maintenance operations.").hint(),
    int("max_connections", "10000", 1, 262143, Unit::None, CONNECTIONS, "Sets the maximum number of concurrent connections.").by(Postmaster),
    int("max_function_args", "100", 100, 100, Unit::None, PRESET, "Shows the maximum number of function arguments.").by(Internal),
    int("max_identifier_length", "63", 63, 63, Unit::None, PRESET, "Shows the maximum identifier length.").by(Internal),
    int("max_index_keys", "32", 32, 32, Unit::None, PRESET, "Shows the maximum number of index keys.").by(Internal),
    int("max_logical_replication_workers", "0", 0, 262143, Unit::None, "Replication / Subscribers", "Maximum number of logical replication worker processes; there are none here.").by(Postmaster),
    int("max_parallel_maintenance_workers", "2", 0, 1024, Unit::None, ASYNCHRONOUS, "Sets the maximum number of parallel processes per maintenance operation.").hint(),
    int("max_parallel_workers", "0", 0, 1024, Unit::None, ASYNCHRONOUS, "Sets the maximum number of parallel workers that can be active at one time.").hint(),
    int("max_parallel_workers_per_gather", "0", 0, 1024, Unit::None, ASYNCHRONOUS, "Sets the maximum number of parallel processes per executor node.").hint(),
    int("max_prepared_transactions", "10000", 0, 262143, Unit::None, MEMORY, "Sets the maximum number of simultaneously prepared transactions.").by(Postmaster),
    int("max_replication_slots", "0", 0, 262143, Unit::None, SENDING, "Sets the maximum number of simultaneously defined replication slots; there are none here.").by(Postmaster),
    int("max_slot_wal_keep_size", "-1", -1, INT_MAX, Unit::Mb, "Replication / Sending Servers", "Sets the maximum WAL size that can be reserved by replication slots; there are none here.").by(Sighup),
    int("max_sync_workers_per_subscription", "0", 0, 262143, Unit::None, "Replication / Subscribers", "Maximum number of table synchronization workers per subscription; there are none here.").by(Sighup),
    int("max_wal_senders", "0", 0, 262143, Unit::None, SENDING, "Sets the maximum number of simultaneously running WAL sender processes; there are none here.").by(Postmaster),
    int("max_wal_size", "160MB", 2, INT_MAX, Unit::Mb, "Write-Ahead Log / Checkpoints", "Sets the WAL size that triggers a checkpoint.").by(Sighup),
    int("max_worker_processes", "0", 0, 262143, Unit::None, ASYNCHRONOUS, "Maximum number of concurrent worker processes.").by(Postmaster),
    int("min_parallel_index_scan_size", "512kB", 0, 715_827_882, Unit::Pages, COSTS, "Sets the minimum amount of index data for a parallel scan.").explained().hint(),
    int("min_parallel_table_scan_size", "8MB", 0, 715_827_882, Unit::Pages, COSTS, "Sets the minimum amount of table data for a parallel scan.").explained().hint(),
    int("old_snapshot_threshold", "-1", -1, 86400, Unit::None, "Resource Usage / Asynchronous Behavior", "Time before a snapshot is too old to read pages changed after the snapshot was taken.").by(Postmaster),
    int("pamir.max_staleness", "5s", 0, INT_MAX, Unit::Ms, REPLICATION, "Sets how old the data may be that a read at a follower sees.").more("It is counted to the beginning of the statement. A value of 0 asks the leader each time how far the log is: one round trip, and nothing is missed."),
    choice("pamir.read_from", "leader", &["leader", "follower", "nearest"], REPLICATION, "Chooses whose data answers statements and transactions that only read.").more("follower: the node that the session is connected to, which is waited for until it is as fresh as pamir.max_staleness says. nearest: that node if it is so fresh, else the leader. On a single node it makes no difference."),
    boolean("parallel_leader_participation", "on", ASYNCHRONOUS, "Controls whether Gather and Gather Merge also run subplans.").hint(),
    real("parallel_setup_cost", "1000", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of starting up worker processes for parallel query.").explained().hint(),
    real("parallel_tuple_cost", "0.1", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of passing each tuple (row) from worker to leader backend.").explained().hint(),
    choice("password_encryption", "scram-sha-256", &["scram-sha-256"], AUTHENTICATION, "Chooses the algorithm for encrypting passwords."),
    int("pg_stat_statements.max", "5000", 100, INT_MAX, Unit::None, CUSTOMIZED, "Sets the maximum number of statements tracked by pg_stat_statements.").by(Postmaster),
    boolean("pg_stat_statements.save", "off", CUSTOMIZED, "Save pg_stat_statements statistics across server shutdowns.").by(Sighup),
    choice("pg_stat_statements.track", "top", &["none", "top", "all"], CUSTOMIZED, "Selects which statements are tracked by pg_stat_statements."),
    boolean("pg_stat_statements.track_utility", "on", CUSTOMIZED, "Selects whether utility commands are tracked by pg_stat_statements."),
    choice("plan_cache_mode", "auto", &["auto", "force_generic_plan", "force_custom_plan"], PLANNER, "Controls the planner's selection of custom or generic plan.").explained().more("Prepared statements can have custom and generic plans, and the planner will attempt to choose which is better.  This can be set to override the default behavior."),
    int("port", "5432", 1, 65535, Unit::None, CONNECTIONS, "Sets the TCP port the server listens on.").by(Postmaster),
    text("primary_conninfo", "", "Replication / Standby Servers", "Sets the connection string to be used to connect to the sending server.").by(Sighup),
    text("primary_slot_name", "", "Replication / Standby Servers", "Sets the name of the replication slot to use on the sending server.").by(Sighup),
    boolean("quote_all_identifiers", "off", VERSIONS, "When generating SQL fragments, quote all identifiers.").only(&["off"]),
    real("random_page_cost", "4", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of a nonsequentially fetched disk page.").explained().hint(),
    text("recovery_target", "", "Write-Ahead Log / Recovery Target", "Set to immediate to end recovery as soon as a consistent state is reached; pamir restore has flags for that.").by(Postmaster),
    text("recovery_target_lsn", "", "Write-Ahead Log / Recovery Target", "Sets the LSN of the write-ahead log location up to which recovery will proceed; pamir restore has flags for that.").by(Postmaster),
    text("recovery_target_name", "", "Write-Ahead Log / Recovery Target", "Sets the named restore point up to which recovery will proceed; pamir restore has flags for that.").by(Postmaster),
    text("recovery_target_time", "", "Write-Ahead Log / Recovery Target", "Sets the time stamp up to which recovery will proceed; pamir restore has flags for that.").by(Postmaster),
    text("recovery_target_xid", "", "Write-Ahead Log / Recovery Target", "Sets the transaction ID up to which recovery will proceed; pamir restore has flags for that.").by(Postmaster),
    real("recursive_worktable_factor", "10", 0.001, 1000000.0, PLANNER, "Sets the planner's estimate of the average size of a recursive query's working table.").explained().hint(),
    boolean("restart_after_crash", "off", "Error Handling", "Reinitialize server after backend crash; sessions have no processes here.").by(Sighup),
    text("restore_command", "", "Write-Ahead Log / Archive Recovery", "Sets the shell command that will be called to retrieve an archived WAL file.").by(Sighup),
    text("role", "none", UNGROUPED, "Sets the current role.").of_plans(),
    boolean("row_security", "on", STATEMENTS, "Enable row security.").more("When enabled, row security will be applied to all users.").of_plans(),
    text("search_path", "\"$user\", public", STATEMENTS, "Sets the schema search order for names that are not schema-qualified.").of_plans().explained(),
    int("segment_size", "1GB", 131072, 131072, Unit::Pages, PRESET, "Shows the number of pages per disk file.").by(Internal),
    real("seq_page_cost", "1", 0.0, f64::MAX, COSTS, "Sets the planner's estimate of the cost of a sequentially fetched disk page.").explained().hint(),
    text("server_encoding", "UTF8", PRESET, "Shows the server (database) character set encoding.").by(Internal).reported(),
    text("server_version", SERVER_VERSION, PRESET, "Shows the server version.").by(Internal).reported(),
    int("server_version_num", SERVER_VERSION_NUM, 0, INT_MAX, Unit::None, PRESET, "Shows the server version as an integer.").by(Internal),
    text("session_authorization", "postgres", UNGROUPED, "Sets the session user name.").reported().of_plans(),
    text("session_preload_libraries", "", "Client Connection Defaults / Shared Library Preloading", "Lists shared libraries to preload into each backend; there are none.").by(Internal),
    choice("session_replication_role", "origin", &["origin", "replica", "local"], STATEMENTS, "Sets the session's behavior for triggers and rewrite rules.").by(Superuser),
    int("shared_buffers", "128MB", 16, 1073741823, Unit::Pages, MEMORY, "Sets the number of shared memory buffers used by the server.").by(Postmaster),
    text("shared_preload_libraries", "pg_stat_statements, auto_explain", "Client Connection Defaults / Shared Library Preloading", "Lists shared libraries to preload into server.").by(Postmaster),
    boolean("ssl", "off", SSL, "Enables SSL connections.").by(Sighup),
    text("ssl_ca_file", "", "Connections and Authentication / SSL", "Location of the SSL certificate authority file; none is used.").by(Sighup),
    text("ssl_cert_file", "", SSL, "Location of the SSL server certificate file.").by(Sighup),
    text("ssl_crl_dir", "", "Connections and Authentication / SSL", "Location of the SSL certificate revocation list directory; none is used.").by(Sighup),
    text("ssl_crl_file", "", "Connections and Authentication / SSL", "Location of the SSL certificate revocation list file; none is used.").by(Sighup),
    text("ssl_dh_params_file", "", "Connections and Authentication / SSL", "Location of the SSL DH parameters file; none is used.").by(Sighup),
    text("ssl_key_file", "", SSL, "Location of the SSL server private key file.").by(Sighup),
    text("ssl_passphrase_command", "", "Connections and Authentication / SSL", "Command to obtain passphrases for SSL; none is used.").by(Sighup),
    boolean("standard_conforming_strings", "on", VERSIONS, "Causes '...' strings to treat backslashes literally.").reported().only(&["on"]),
    int("statement_timeout", "0", 0, INT_MAX, Unit::Ms, STATEMENTS, "Sets the maximum allowed duration of any statement.").more("A value of 0 turns off the timeout."),
    choice("stats_fetch_consistency", "cache", &["none", "cache", "snapshot"], STATISTICS, "Sets the consistency of accesses to statistics data.").hint(),
    int("superuser_reserved_connections", "3", 0, 262143, Unit::None, CONNECTIONS, "Sets the number of connection slots reserved for superusers.").by(Postmaster),
    boolean("synchronize_seqscans", "on", VERSIONS, "Enable synchronized sequential scans.").hint(),
    choice("synchronous_commit", "on", &["local", "remote_write", "remote_apply", "on", "off"], LOG, "Sets the current transaction's synchronization level; every commit is durable here.").hint(),
    text("synchronous_standby_names", "", "Replication / Primary Server", "Number of synchronous standbys and list of names of potential synchronous ones; a cluster here asks a majority.").by(Sighup),
    int("tcp_keepalives_count", "0", 0, MAX_KEEPALIVE_COUNT, Unit::None, CONNECTIONS, "Maximum number of TCP keepalive retransmits.").more("Number of consecutive keepalive retransmits that can be lost before a connection is considered dead. A value of 0 uses the system default."),
    int("tcp_keepalives_idle", "0", 0, MAX_KEEPALIVE_TIME, Unit::S, CONNECTIONS, "Time between issuing TCP keepalives.").more("A value of 0 uses the system default."),
    int("tcp_keepalives_interval", "0", 0, MAX_KEEPALIVE_TIME, Unit::S, CONNECTIONS, "Time between TCP keepalive retransmits.").more("A value of 0 uses the system default."),
    int("tcp_user_timeout", "0", 0, INT_MAX, Unit::Ms, CONNECTIONS, "TCP user timeout.").more("A value of 0 uses the system default."),
    int("temp_buffers", "8MB", 100, 1_073_741_823, Unit::Pages, MEMORY, "Sets the maximum number of temporary buffers used by each session.").hint(),
    int("temp_file_limit", "-1", -1, INT_MAX, Unit::Kb, "Resource Usage / Disk", "Limits the total size of all temporary files used by each process.").by(Superuser).more("-1 means no limit."),
    text("temp_tablespaces", "", STATEMENTS, "Sets the tablespace(s) to use for temporary tables and sort files.").only(&[""]),
    text("TimeZone", "Etc/UTC", FORMATS, "Sets the time zone for displaying and interpreting time stamps.").reported().of_plans(),
    text("timezone_abbreviations", "Default", FORMATS, "Selects a file of time zone abbreviations.").by(Internal),
    boolean("trace_notify", "off", "Developer Options", "Generates debugging output for LISTEN and NOTIFY.").by(Internal),
    boolean("trace_sort", "off", "Developer Options", "Emit information about resource usage in sorting.").by(Internal),
    boolean("track_activities", "on", STATISTICS, "Collects information about executing commands.").by(Internal).more("Enables the collection of information on the currently executing command of each session, along with the time at which that command began execution."),
    int("track_activity_query_size", "1kB", 100, 1048576, Unit::Bytes, STATISTICS, "Sets the size reserved for pg_stat_activity.query, in bytes.").by(Postmaster),
    boolean("track_commit_timestamp", "off", SENDING, "Collects transaction commit time.").by(Postmaster),
    boolean("track_counts", "on", STATISTICS, "Collects statistics on database activity.").by(Internal),
    choice("track_functions", "none", &["none", "pl", "all"], STATISTICS, "Collects function-level statistics on database activity.").by(Superuser).only(&["none"]),
    boolean("track_io_timing", "off", STATISTICS, "Collects timing statistics for database I/O activity.").by(Internal),
    boolean("track_wal_io_timing", "off", STATISTICS, "Collects timing statistics for WAL I/O activity.").by(Superuser).only(&["off"]),
    boolean("transaction_deferrable", "off", STATEMENTS, "Whether to defer a read-only serializable transaction until it can be executed with no possible serialization failures."),
    choice("transaction_isolation", "read committed", ISOLATION, STATEMENTS, "Sets the current transaction's isolation level."),
    boolean("transaction_read_only", "off", STATEMENTS, "Sets the current transaction's read-only status."),
    boolean("transform_null_equals", "off", "Version and Platform Compatibility / Other Platforms and Clients", "Treats \"expr=NULL\" as \"expr IS NULL\".").more("When turned on, expressions of the form expr = NULL (or NULL = expr) are treated as expr IS NULL, that is, they return true if expr evaluates to the null value, and false otherwise. The correct behavior of expr = NULL is to always return null (unknown).").only(&["off"]),
    text("unix_socket_directories", "", "Connections and Authentication / Connection Settings", "Sets the directories where Unix-domain sockets will be created; there are none.").by(Postmaster),
    text("unix_socket_group", "", "Connections and Authentication / Connection Settings", "Sets the owning group of the Unix-domain socket.").by(Postmaster),
    boolean("update_process_title", "on", "Reporting and Logging / Process Title", "Updates the process title to show the active SQL command.").by(Superuser).hint(),
    int("vacuum_cost_delay", "0", 0, 100, Unit::Ms, VACUUM_COST, "Vacuum cost delay in milliseconds.").hint(),
    int("vacuum_cost_limit", "200", 1, 10000, Unit::None, VACUUM_COST, "Vacuum cost amount available before napping.").hint(),
    int("vacuum_cost_page_dirty", "20", 0, 10000, Unit::None, VACUUM_COST, "Vacuum cost for a page dirtied by vacuum.").hint(),
    int("vacuum_cost_page_hit", "1", 0, 10000, Unit::None, VACUUM_COST, "Vacuum cost for a page found in the buffer cache.").hint(),
    int("vacuum_cost_page_miss", "2", 0, 10000, Unit::None, VACUUM_COST, "Vacuum cost for a page not found in the buffer cache.").hint(),
    int("vacuum_defer_cleanup_age", "0", 0, 1000000, Unit::None, "Replication / Primary Server", "Number of transactions by which VACUUM and HOT cleanup should be deferred, if any.").by(Sighup),
    int("vacuum_failsafe_age", "1600000000", 0, 2_100_000_000, Unit::None, STATEMENTS, "Age at which VACUUM should trigger failsafe to avoid a wraparound outage.").hint(),
    int("vacuum_freeze_min_age", "50000000", 0, 1_000_000_000, Unit::None, STATEMENTS, "Accepted; there is no vacuum here.").hint(),
    int("vacuum_freeze_table_age", "150000000", 0, 2_000_000_000, Unit::None, STATEMENTS, "Accepted; there is no vacuum here.").hint(),
    int("vacuum_multixact_failsafe_age", "1600000000", 0, 2_100_000_000, Unit::None, STATEMENTS, "Multixact age at which VACUUM should trigger failsafe to avoid a wraparound outage.").hint(),
    int("vacuum_multixact_freeze_min_age", "5000000", 0, 1_000_000_000, Unit::None, STATEMENTS, "Minimum age at which VACUUM should freeze a MultiXactId in a table row.").hint(),
    int("vacuum_multixact_freeze_table_age", "150000000", 0, 2_000_000_000, Unit::None, STATEMENTS, "Multixact age at which VACUUM should scan whole table to freeze tuples.").hint(),
    int("wal_block_size", "8192", 8192, 8192, Unit::None, PRESET, "Shows the block size in the write ahead log.").by(Internal),
    choice("wal_compression", "off", &["pglz", "lz4", "zstd", "on", "off"], LOG, "Compresses full-page writes written in WAL file with specified method.").by(Superuser).hint(),
    boolean("wal_init_zero", "on", LOG, "Writes zeroes to new WAL files before first use.").by(Superuser).hint(),
    int("wal_keep_size", "0", 0, INT_MAX, Unit::Mb, "Replication / Sending Servers", "Sets the size of WAL files held for standby servers; a cluster's nodes have their own rule.").by(Sighup),
    choice("wal_level", "replica", &["minimal", "replica", "logical"], LOG, "Sets the level of information written to the WAL.").by(Postmaster),
    boolean("wal_log_hints", "off", "Write-Ahead Log / Settings", "Writes full pages to WAL when first modified after a checkpoint, even for a non-critical modification.").by(Postmaster),
    boolean("wal_recycle", "on", LOG, "Recycles WAL files by renaming them.").by(Superuser).hint(),
    int("wal_skip_threshold", "2MB", 0, INT_MAX, Unit::Kb, LOG, "Minimum size of new file to fsync instead of writing WAL.").hint(),
    int("work_mem", "4MB", 64, INT_MAX, Unit::Kb, MEMORY, "Sets the maximum memory to be used for query workspaces.").explained().more("This much memory can be used by each internal sort operation and hash table before switching to temporary disk files."),
    choice("xmlbinary", "base64", &["base64", "hex"], STATEMENTS, "Sets how binary values are to be encoded in XML.").of_plans(),
    choice("xmloption", "content", &["content", "document"], STATEMENTS, "Sets whether XML data in implicit parsing and serialization operations is to be considered as documents or content fragments.").of_plans(),
    boolean("zero_damaged_pages", "off", "Developer Options", "Continues processing past damaged page headers.").by(Internal),
];
