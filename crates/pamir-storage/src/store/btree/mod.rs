//! B+trees over pages. [`node`]: one page. [`read`]: optimistic descent. [`mod@write`]: the one writer. [`bulk`]: bottom-up build. [`runs`]: many keys in order.
pub(crate) mod bulk;
pub(crate) mod node;
pub(crate) mod read;
mod runs;
pub(crate) mod write;
