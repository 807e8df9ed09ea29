//! Memory accounts: every write set, version chain, sort and connection charges one; a limit gives 53200, never an abort of the process.
//!
//! Accounts say who took how much, and keep one session from taking all. Whether the process as a whole has room is asked of the allocator
//! ([`pamir_error::memory`]), which knows what no account does.
use pamir_error::{Result, err};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes charged for as long as this lives.
pub struct Held {
    account: Arc<MemoryAccount>,
    bytes: u64,
}
impl Drop for Held {
    fn drop(&mut self) {
        self.account.release(self.bytes);
    }
}

/// A node in a tree of accounts; a charge counts against it and all its parents.
pub struct MemoryAccount {
    name: &'static str,
    used: AtomicU64,
    limit: u64,
    parent: Option<Arc<MemoryAccount>>,
}

impl MemoryAccount {
    pub fn root(name: &'static str, limit: u64) -> Arc<MemoryAccount> {
        Arc::new(MemoryAccount { name, used: AtomicU64::new(0), limit, parent: None })
    }
    pub fn child(self: &Arc<Self>, name: &'static str, limit: u64) -> Arc<MemoryAccount> {
        Arc::new(MemoryAccount { name, used: AtomicU64::new(0), limit, parent: Some(self.clone()) })
    }
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
    pub fn limit(&self) -> u64 {
        self.limit
    }
    /// Charges `bytes`; on 53200 nothing is charged.
    pub fn charge(&self, bytes: u64) -> Result<()> {
        let after = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let r = if after > self.limit {
            Err(err!(OUT_OF_MEMORY, "out of memory")
                .detail(format!("Memory account \"{}\" is limited to {} bytes.", self.name, self.limit))
                .hint("Make the transaction smaller or raise the limit."))
        } else {
            self.parent.as_ref().map_or_else(|| pamir_error::memory::check(bytes as usize), |p| p.charge(bytes))
        };
        if r.is_err() {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        r
    }
    /// Charges `bytes` until the answer is dropped.
    pub fn hold(self: &Arc<Self>, bytes: u64) -> Result<Held> {
        self.charge(bytes)?;
        Ok(Held { account: self.clone(), bytes })
    }
    /// Charges `bytes` whatever the limits, for what cannot be refused (the applier's old versions, which have a limit of their own).
    pub fn charge_always(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        if let Some(p) = &self.parent {
            p.charge_always(bytes)
        }
    }
    pub fn release(&self, bytes: u64) {
        let before = self.used.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "released more than was charged");
        if let Some(p) = &self.parent {
            p.release(bytes)
        }
    }
}
