//! One database over many nodes.
//!
//! - [`transport`]: the connections between nodes. - [`cert`]: the certificates by which they know each other.
pub mod cert;
pub mod transport;
