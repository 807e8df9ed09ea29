//! What may go wrong anywhere, and what ends it: the words that every other crate speaks.
//!
//! - [`error`]: errors with SQLSTATE, message, detail, hint.
//! - [`work`]: how code that may run long lets others run and hears that it is to end. - [`memory`]: the process's limit, asked before memory is taken.
//! - [`long`]: copies of long values, which charge both.
//!
//! The three stand here because their answer is an error and every floor asks them.
//!
//! *Invariant*: no value of SQL, no I/O, no clock but its listener's, no dependency.
pub mod error;
pub mod long;
pub mod memory;
pub mod work;

pub use error::{Error, Result, SqlState};
