//! Backups of a running database, the archive of its log, and restoring to a point in time.
//!
//! ```text
//!   server                                   store (a directory, S3)                     restore
//!   ┌─────────────────────┐  base backup     ┌──────────────────────────────┐
//!   │ checkpoint, pinned  │ ───────────────► │ SYSTEM/base/ID/pages.000000  │ ──► data file
//!   │ log up to its reach │ ───────────────► │ SYSTEM/base/ID/log.000000    │ ──► a new log, up to the target
//!   │                     │  last of all     │ SYSTEM/base/ID/manifest      │        │
//!   │ log, once durable   │ ── archiver ───► │ SYSTEM/log/FROM  FROM  FROM  │ ───────┘
//!   └─────────────────────┘                  └──────────────────────────────┘
//! ```
//! - [`objects`]: what a store must do; a directory, memory. [`store`]: retries, pace, errors that name the object. `s3`, behind a feature: S3 and what speaks like it.
//! - [`manifest`]: what a backup consists of. - [`piece`]: a stretch of the log. - [`system`]: whose backups these are.
//! - [`source`]: what is backed up: a single node, or any node of a cluster. - [`base`]: a base backup. - [`archive`]: the archiver.
//! - [`restore`]: a directory made of both. - [`check`]: list, verify, prune. - [`plant`]: bugs for tests to find.
//!
//! # Layout
//! A store holds the backups of any number of systems. A *system* is a single node's directory, or a cluster: 16 bytes, drawn when it begins. A restored directory is a new system, so it
//! neither joins its parent nor writes into its parent's archive.
//!
//! ```text
//!   SYSTEM (32 hexadecimal digits)
//!     base/ID/superblock  pages.NNNNNN  log.NNNNNN  manifest      manifest.rs; the manifest is written last: without it there is no backup
//!     log/FFFFFFFFFFFFFFFFFFFF                                    piece.rs; the name is the position that the piece begins behind, 20 decimal digits
//! ```
//! *Position*: of a single node a byte position of its log (the end of a record), of a cluster the index of an entry of its group's log, which goes with a term.
//!
//! # Invariants
//! - A backup whose manifest is there is whole: every object is there with its length and checksum, pages checked each on its own when they are read and when they are restored.
//! - A base backup is consistent once its own log is replayed, up to *reach*, and it has that log with it: it needs no archive.
//! - A piece's name is the end of the piece before it, and is written only if it is not there yet (a conditional put): two writers cannot fork the archive, whoever comes second goes on behind what
//!   is there. Only what is durable (of a cluster: decided) is archived, so there is nothing for them to disagree about.
//! - Log is given up when it is archived, or when the archive is given up ([`archive`]).
//! - A restore that did not end leaves a directory that no server opens.
//!
//! # Time
//! With an archive, a single node stamps each batch of its log, at most one a millisecond, with the time at which it is written; the leader of a cluster each entry with the time at which it is
//! proposed. A restore to time T has every commit that was acknowledged at or before T by the clock of the machine that led then, and none of a batch that was begun after T (a single node:
//! a millisecond after). A commit too large for one record counts from when it is decided.
//!
//! # Limits
//! Objects are as the database has them: not compressed, not encrypted (the store's affair), checksums are CRC-32 (against damage, not against forgery). Objects have up to [`piece::PIECE_BYTES`], or
//! one record more: no upload is larger, so none is in parts, and each is tried again as a whole. A backup that was interrupted begins anew. One base backup of a node at a time (55006).
pub mod archive;
pub mod base;
pub mod check;
pub mod manifest;
pub mod objects;
pub mod piece;
pub mod plant;
pub mod restore;
#[cfg(feature = "s3")]
pub mod s3;
pub mod source;
pub mod store;
pub mod system;

pub use system::SystemId;

/// A place in a log: of a single node a byte position, of a cluster an entry's index, with its term.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub position: u64,
    /// 0 of a single node's.
    pub term: u64,
}

/// Whose log it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A single node's own.
    Own,
    /// A group's of a cluster.
    Group,
}
impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Own => "single",
            Kind::Group => "cluster",
        }
    }
}
