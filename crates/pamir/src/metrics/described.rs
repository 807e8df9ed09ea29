//! The counters of the layers below, by the name they have there: as what they are shown, and what they mean.
use super::exposition::Kind::{self, Counter, Gauge};

/// A counter that is shown under a name of its own.
pub struct Described {
    /// In its layer.
    pub source: &'static str,
    /// Without `pamir_` and `_total`.
    pub name: &'static str,
    pub kind: Kind,
    /// What one of the source's units is in the shown one.
    pub scale: f64,
    pub help: &'static str,
}
const fn d(source: &'static str, name: &'static str, kind: Kind, help: &'static str) -> Described {
    Described { source, name, kind, scale: 1.0, help }
}
const fn micros(source: &'static str, name: &'static str, help: &'static str) -> Described {
    Described { source, name, kind: Counter, scale: 1e-6, help }
}

/// Of the protocol and the workers, which are shown by one prefix.
pub const PG: &[Described] = &[
    d("pg_sessions", "pg_sessions", Gauge, "Sessions, those that authenticate included."),
    d("net_connections", "pg_connections", Gauge, "Open sockets of the PostgreSQL protocol."),
    d("net_connections_accepted_total", "pg_connections_accepted", Counter, "Connections accepted."),
    d("pg_statements_total", "pg_statements", Counter, "Simple queries and Execute messages."),
    d("pg_errors_total", "pg_errors", Counter, "Errors sent to clients."),
    d("net_read_syscalls_total", "pg_read_syscalls", Counter, "Reads from clients' sockets."),
    d("net_write_syscalls_total", "pg_write_syscalls", Counter, "Writes to clients' sockets."),
    d("net_received_bytes_total", "pg_received_bytes", Counter, "Bytes received from clients."),
    d("net_sent_bytes_total", "pg_sent_bytes", Counter, "Bytes sent to clients."),
    d("net_polls_total", "pg_polls", Counter, "Calls of epoll_wait."),
    d(
        "net_parks_total",
        "pg_parks",
        Counter,
        "Suspensions of a statement: waits for locks, pages, the log, the client.",
    ),
    d("net_stacks", "pg_stacks", Gauge, "Coroutine stacks, in use or pooled."),
    d("net_moves_total", "pg_moves", Counter, "Connections that went to another worker."),
    d("net_panics_total", "pg_panics", Counter, "Statements that panicked: each is a bug."),
    d("net_held_total", "pg_held", Counter, "Statements that took no breath for 200 ms or more: the log names each."),
    d(
        "net_relieved_total",
        "pg_relieved",
        Counter,
        "Workers that went on on another thread because a statement of theirs ran long and others came.",
    ),
    d(
        "net_retaken_total",
        "pg_retaken",
        Counter,
        "Workers that went on on another thread because a statement of theirs took no breath.",
    ),
    d("net_away", "pg_away", Gauge, "Threads that run long statements, beside the workers."),
    d(
        "net_newcomers_closed_total",
        "pg_newcomers_closed",
        Counter,
        "Connections closed before they had authenticated, to make room.",
    ),
];

/// Of the SQL layer.
pub const SQL: &[Described] = &[
    d("sessions", "sql_sessions", Gauge, "Sessions that have authenticated."),
    d("statements", "sql_statements", Counter, "Statements that ended well."),
    d("statement_errors", "sql_statement_errors", Counter, "Statements that failed."),
    d(
        "catalog_version",
        "sql_catalog_version",
        Gauge,
        "Version of the catalog: rises with every committed definition.",
    ),
    d("shapes_reused", "sql_shapes_reused", Counter, "Simple queries that ran with the plan of their shape."),
    d("query_memory_bytes", "sql_query_memory_bytes", Gauge, "Memory held by sorts, hash tables and kept rows."),
    d("temp_file_bytes", "sql_temp_file_bytes", Gauge, "Disk space of temporary files."),
];

/// Of the shard: transactions, locks, versions, log, pages.
pub const SHARD: &[Described] = &[
    d("applied_ts", "shard_applied_timestamp", Gauge, "Timestamp of the newest commit that is applied."),
    d("horizon", "shard_horizon_timestamp", Gauge, "Timestamp that the oldest snapshot sees."),
    d("snapshots", "shard_snapshots", Gauge, "Registered snapshots."),
    d("snapshots_given_up", "shard_snapshots_given_up", Counter, "Snapshots whose old versions were given up (72000)."),
    d("versions", "shard_versions", Gauge, "Old row versions in memory."),
    d("version_bytes", "shard_version_bytes", Gauge, "Memory of old row versions."),
    d("version_disk_bytes", "shard_version_disk_bytes", Gauge, "Disk space of old row versions."),
    d("versions_moved", "shard_versions_moved", Counter, "Old row versions written to disk."),
    d("row_locks", "shard_row_locks", Gauge, "Row locks held."),
    d("range_locks", "shard_range_locks", Gauge, "Key range locks held (SERIALIZABLE)."),
    d("lock_waiting", "shard_lock_waiting", Gauge, "Lock requests that wait."),
    d("lock_waits", "shard_lock_waits", Counter, "Lock requests that had to wait."),
    d(
        "lock_handovers",
        "shard_lock_handovers",
        Counter,
        "Rows handed to the next waiter before their commit was durable.",
    ),
    d("deadlocks", "shard_deadlocks", Counter, "Deadlocks ended."),
    d("commits", "shard_commits", Counter, "Commits of transactions that wrote."),
    d("log_records", "shard_log_records", Counter, "Records written to the log."),
    d("log_syncs", "shard_log_syncs", Counter, "Syncs of the log: one serves many commits."),
    d("commits_refused", "shard_commits_refused", Counter, "Commits that the log refused (no space)."),
    d("checkpoints", "shard_checkpoints", Counter, "Checkpoints finished."),
    d("purged", "shard_purged_versions", Counter, "Old row versions forgotten."),
    d("large_commits", "shard_large_commits", Counter, "Commits logged in parts."),
    d("large_commit_slices", "shard_large_commit_slices", Counter, "Slices of large commits applied."),
    d("large_commit_in_progress", "shard_large_commit_in_progress", Gauge, "1 while a large commit is applied."),
    d("prepared", "shard_prepared_transactions", Gauge, "Prepared transactions (PREPARE TRANSACTION)."),
    d("follower_reads", "follower_reads", Counter, "Transactions and statements that this node's replica answered."),
    d(
        "follower_waits",
        "follower_waits",
        Counter,
        "... for which the replica was waited for, until it was as fresh as pamir.max_staleness says.",
    ),
    d(
        "stale_refusals",
        "follower_reads_refused",
        Counter,
        "... that were refused (57P03): the replica did not get fresh enough.",
    ),
    d(
        "nearest_at_leader",
        "follower_reads_at_leader",
        Counter,
        "Reads with pamir.read_from = nearest that went to the leader.",
    ),
    d("closed_ts", "closed_timestamp", Gauge, "Of a follower: no commit at or below it is missing here."),
    Described {
        kind: Gauge,
        ..micros("closed_age_micros", "closed_age_seconds", "Of a follower: how old its data may be, at most.")
    },
    d("write_set_bytes", "shard_write_set_bytes", Gauge, "Memory of uncommitted changes."),
    d("pages_read", "shard_pages_read", Counter, "Pages read from disk."),
    d("pages_written", "shard_pages_written", Counter, "Pages written to disk."),
    d("pages_evicted", "shard_pages_evicted", Counter, "Pages that left the cache."),
    d("eviction_writes", "shard_eviction_writes", Counter, "Pages written because their place was needed."),
    d("checkpoint_bytes", "shard_checkpoint_bytes", Counter, "Bytes written by checkpoints."),
    d("log_bytes", "shard_log_bytes", Counter, "Bytes written to the log."),
    micros("log_sync_micros", "shard_log_sync_seconds", "Time in syncs of the log."),
    d("data_syncs", "shard_data_syncs", Counter, "Syncs of the data file."),
    micros("data_sync_micros", "shard_data_sync_seconds", "Time in syncs of the data file."),
];

/// Of the process, as the kernel counts.
pub const PROCESS: &[Described] = &[
    d("resident_memory_bytes", "process_resident_memory_bytes", Gauge, "Resident memory."),
    d("memory_used_bytes", "process_memory_used_bytes", Gauge, "Memory that counts against the process's limit."),
    d("memory_limit_bytes", "process_memory_limit_bytes", Gauge, "The process's limit of memory."),
    d("threads", "process_threads", Gauge, "Threads."),
    d(
        "voluntary_context_switches",
        "process_voluntary_context_switches",
        Counter,
        "Context switches of threads that waited.",
    ),
    d(
        "involuntary_context_switches",
        "process_involuntary_context_switches",
        Counter,
        "Context switches of threads that had to go.",
    ),
    micros("cpu_user_micros", "process_cpu_user_seconds", "CPU time in the program."),
    micros("cpu_system_micros", "process_cpu_system_seconds", "CPU time in the kernel."),
    d("allocations", "process_allocations", Counter, "Allocations of memory."),
    d("allocated_bytes", "process_allocated_bytes", Counter, "Bytes of all allocations so far."),
    d("disk_read_bytes", "process_disk_read_bytes", Counter, "Bytes read from disk."),
    d("disk_written_bytes", "process_disk_written_bytes", Counter, "Bytes written to disk."),
    d("open_fds", "process_open_fds", Gauge, "Open file descriptors."),
];
