//! B+trees over pages. [`node`]: one page. [`read`]: optimistic descent. [`mod@write`]: the one writer. [`bulk`]: bottom-up build.
pub(crate) mod bulk;
pub(crate) mod node;
pub(crate) mod read;
pub(crate) mod write;
