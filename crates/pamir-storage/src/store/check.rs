//! Offline verification. (in progress)
