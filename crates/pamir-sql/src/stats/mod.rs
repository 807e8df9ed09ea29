//! What the server counts of its own work, for the statistics views and for `/metrics`.
//!
//! ```text
//!   statements.rs   pg_stat_statements: one entry for each normalized text, its counters beside the shared statement that runs it
//!   fingerprint.rs  a text without its constants, and its number
//!   kinds.rs        how long statements took, by kind, as histograms
//! ```
//! Invariants: a counter only rises until it is reset; recording takes no lock that another thread wants but by chance, and allocates nothing once the statement is
//! known. Counters live in memory and start at zero with the server: nothing of them is written to the data directory.
pub mod fingerprint;
pub mod kinds;
pub mod statements;
