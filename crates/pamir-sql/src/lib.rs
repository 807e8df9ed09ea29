//! Sessions over the face to data ([`pamir_txn::face`]): definitions, virtual tables, settings, everything that a protocol asks of SQL.
//!
//! ```text
//! text --pamir_plan--> plan --pamir_exec--> rows into the client
//!   |                    ^
//!   |                    +-- plan cache (session)
//!   +--ddl (catalog changes)
//! ```
//! - [`session`]: a connection's statements, portals, transactions, settings. [`client`]: what a protocol must provide.
//! - [`ddl`]: changes of the catalog. - [`vtable`]: the rows of pg_catalog and information_schema.
//! - [`stats`]: what the server counts. - [`check`]: rows against index entries, offline. - `transcript`: the client of tests, behind a feature.
//!
//! *Invariant*: no socket and no wire message.
pub use pamir_expr::cluster;

pub mod check;
pub mod client;
mod compile;
pub mod ddl;
pub mod session;
pub mod settings;
pub mod stats;
mod stored;
#[cfg(any(test, feature = "transcript"))]
pub mod transcript;
pub mod vtable;
pub use pamir_expr::backups;
