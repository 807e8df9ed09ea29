//! Statements that the sessions of one thread share.
//!
//! A hundred sessions that prepare the same text would hold a hundred plans, and every statement would find another one, cold in the caches. They
//! get the same one instead, and a client that sends one text over and over without a name of its own for it (the unnamed statement, simple
//! queries) pays for parsing and planning once.
//!
//! ```text
//!   context    what a plan depends on besides the catalog: database, user, search path, the settings of `settings::of_plans`
//!      |       -> a number, the same for equal contexts
//!   (context, origin, text, declared types) --> one of PLACES statements: text, syntax tree, newest plan
//!                    |
//!                    +-- not there: the text's hash is remembered; a text without a name takes a place when it comes the second time,
//!                        so texts with ever new literals cost no memory
//! ```
//! Each thread has its own, so nothing here is locked, and as a rule no cache line moves between processors because a plan is used. A session that goes
//! to another thread alone uses the statements of that one from then on ([`Kept`]): a plan that two processors run at once costs each a cache line's
//! way for every count of its parts. Where all sessions of a thread go on on another one, what they share goes with them ([`ThreadStatements`]).
//!
//! Invariants: a statement found here has exactly the text, the origin and the declared parameter types asked for, in an equal context; whether
//! its plan is still valid is checked by whoever runs it. A plan made under uncommitted DDL never gets here. A number of a context is never
//! used for another. Limits: [`PLACES`] statements of at most [`MAX_TEXT`] bytes a thread, those not used for longest leave first (a clock);
//! [`CONTEXTS`] contexts of a database, after which numbering starts over with new numbers.
use super::statement::PreparedStmt;
use pamir_expr::env::PreparedInfo;
use pamir_txn::{Held, MemoryAccount};
use pamir_types::{Oid, Result};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::hash::Hasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const PLACES: usize = 1024;
const SEEN: usize = 1024;
const MAX_TEXT: usize = 4096;
/// Of a database.
const CONTEXTS: usize = 4096;
/// The last bits of a context's number.
const KIND_BITS: u32 = 16;

/// How a text came: the same text means something else in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A simple query, the whole string.
    Simple,
    /// A Parse message.
    Parse,
}

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    /// From [`Contexts::number`].
    pub context: u64,
    pub origin: Origin,
    /// As it came; the statement's own text may lack the semicolon.
    pub text: &'a str,
    pub declared: &'a [Oid],
}

impl Key<'_> {
    fn hash(&self) -> u64 {
        let mut h = FxHasher::default();
        // Where it stands must not depend on what else the process has numbered: a seed replays a simulation.
        h.write_u64(self.context % (1 << KIND_BITS));
        h.write_u8(self.origin as u8);
        h.write(self.text.as_bytes());
        self.declared.iter().for_each(|t| h.write_u32(*t));
        h.finish()
    }
}

struct Place {
    context: u64,
    origin: Origin,
    text: Box<str>,
    stmt: Arc<PreparedStmt>,
    /// Asked for since the clock's hand passed.
    used: bool,
}

impl Place {
    fn is(&self, k: &Key) -> bool {
        self.context == k.context
            && self.origin == k.origin
            && *self.text == *k.text
            && self.stmt.declared() == k.declared
    }
}

#[derive(Default)]
struct Shared {
    /// By hash; of two keys with one hash the newer has the place.
    places: FxHashMap<u64, Place>,
    /// The hashes of `places`, the clock's hand before the first.
    clock: VecDeque<u64>,
    /// Hashes of texts that came once, each in the slot it names.
    seen: Vec<u64>,
}

/// The numbers of a database's contexts. A session takes its number along when it changes threads: one list for all of them.
#[derive(Default)]
pub struct Contexts(Mutex<BTreeMap<String, u64>>);
impl Contexts {
    /// The number of a context: the same for equal ones. What it was is part of the number's last bits.
    pub fn number(&self, text: String) -> u64 {
        static NEWEST: AtomicU64 = AtomicU64::new(0);
        let mut h = FxHasher::default();
        h.write(text.as_bytes());
        let kind = h.finish() >> (u64::BITS - KIND_BITS);
        let mut numbers = self.0.lock();
        if let Some(n) = numbers.get(&text) {
            return *n;
        }
        if numbers.len() >= CONTEXTS {
            numbers.clear();
        }
        let n = (NEWEST.fetch_add(1, Ordering::Relaxed) + 1) << KIND_BITS | kind;
        numbers.insert(text, n);
        n
    }
}

thread_local! {
    static SHARED: RefCell<Shared> = RefCell::default();
    static THREAD: Cell<u64> = Cell::new(new_number());
}
/// A number of a thread, or of a session that shares with nobody.
pub fn new_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
/// A number of the thread that runs this, never 0.
pub fn thread() -> u64 {
    THREAD.get()
}

/// The statements of a thread whose sessions go on on another one, and the number by which these know them.
pub struct ThreadStatements(Shared, u64);
impl ThreadStatements {
    /// Takes them off this thread, which begins anew.
    pub fn pack() -> ThreadStatements {
        ThreadStatements(SHARED.take(), THREAD.replace(new_number()))
    }
    /// They are this thread's from now on; what it had itself is dropped.
    pub fn unpack(self) {
        THREAD.set(self.1);
        drop(SHARED.replace(self.0));
    }
}

/// What a named statement is charged: tree, plan, buffers; shared ones too, as if they were the session's own.
const STATEMENT_MEMORY: u64 = 4 << 10;
/// ... and for each byte of its text.
const TEXT_MEMORY: u64 = 8;

/// A statement that a session has prepared, and the thread whose sessions share it, or the session's own number.
pub struct Kept {
    pub stmt: Arc<PreparedStmt>,
    /// 0: it is the session's alone.
    pub thread: u64,
    _memory: Option<Held>,
    /// When it was prepared.
    pub at: i64,
}
impl Kept {
    /// Prepared in SQL.
    pub fn own(stmt: Arc<PreparedStmt>, at: i64) -> Kept {
        Kept { stmt, thread: 0, _memory: None, at }
    }
    /// Charges the session for it: clients may prepare without end.
    pub fn charged(mut self, account: &Arc<MemoryAccount>) -> Result<Kept> {
        self._memory = Some(account.hold(STATEMENT_MEMORY + TEXT_MEMORY * self.stmt.text.len() as u64)?);
        Ok(self)
    }
    /// `by`: who shares it (`State::sharing`).
    pub fn by(by: u64, stmt: Arc<PreparedStmt>, at: i64) -> Kept {
        Kept { stmt, thread: by, _memory: None, at }
    }
    /// As pg_prepared_statements shows it.
    pub fn info(&self, name: &str) -> PreparedInfo {
        PreparedInfo {
            name: name.to_string(),
            statement: self.stmt.shown().to_string(),
            prepared: self.at,
            types: self.stmt.parameter_types(),
            from_sql: self.thread == 0,
        }
    }
}

impl Shared {
    fn put(&mut self, hash: u64, place: Place) {
        if self.places.insert(hash, place).is_some() {
            return;
        }
        self.clock.push_back(hash);
        while self.places.len() > PLACES {
            let Some(oldest) = self.clock.pop_front() else { return };
            match self.places.get_mut(&oldest) {
                Some(p) if p.used => {
                    p.used = false;
                    self.clock.push_back(oldest);
                }
                _ => drop(self.places.remove(&oldest)),
            }
        }
    }
    /// True from the second time on.
    fn came_before(&mut self, hash: u64) -> bool {
        self.seen.resize(SEEN, 0);
        let slot = &mut self.seen[hash as usize % SEEN];
        std::mem::replace(slot, hash) == hash
    }
}

pub fn find(k: Key) -> Option<Arc<PreparedStmt>> {
    if k.text.len() > MAX_TEXT {
        return None;
    }
    SHARED.with_borrow_mut(|s| {
        let p = s.places.get_mut(&k.hash()).filter(|p| p.is(&k))?;
        p.used = true;
        Some(p.stmt.clone())
    })
}

/// To be called with the only statement of the text, just parsed; `named`: its client will ask for it again.
pub fn note(k: Key, named: bool, stmt: &Arc<PreparedStmt>) {
    if k.text.len() > MAX_TEXT {
        return;
    }
    let hash = k.hash();
    // What leaves may be the last of a large plan: it is dropped outside.
    let place = Place { context: k.context, origin: k.origin, text: k.text.into(), stmt: stmt.clone(), used: false };
    SHARED.with_borrow_mut(|s| {
        if s.came_before(hash) || named {
            s.put(hash, place);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::Origin::{Parse, Simple};
    use super::*;

    fn key<'a>(origin: Origin, text: &'a str, declared: &'static [Oid]) -> Key<'a> {
        Key { context: 1, origin, text, declared }
    }

    #[test]
    fn a_text_is_kept_from_its_second_time_a_named_one_at_once() {
        let s = Arc::new(PreparedStmt::new("select 1".into(), None, vec![23]));
        let k = key(Parse, "select 1;", &[23]);
        note(k, false, &s);
        assert!(find(k).is_none());
        note(k, false, &s);
        assert!(find(k).is_some_and(|f| Arc::ptr_eq(&f, &s)));
        assert!(find(key(Simple, "select 1;", &[23])).is_none());
        assert!(find(key(Parse, "select 1;", &[20])).is_none());
        assert!(find(key(Parse, "select 1", &[23])).is_none());
        assert!(find(Key { context: 2, ..k }).is_none());
        note(Key { context: 2, ..k }, true, &s);
        assert!(find(Key { context: 2, ..k }).is_some());
    }
    #[test]
    fn many_texts_take_a_bounded_place_and_those_in_use_stay() {
        let stmt = |t: &str| Arc::new(PreparedStmt::new(t.into(), None, vec![]));
        note(key(Parse, "kept", &[]), true, &stmt("kept"));
        for i in 0..5 * PLACES {
            let text = format!("select {i}");
            note(key(Simple, &text, &[]), true, &stmt(&text));
            assert!(find(key(Parse, "kept", &[])).is_some());
        }
        SHARED.with_borrow(|s| assert_eq!((s.places.len(), s.clock.len(), s.seen.len()), (PLACES, PLACES, SEEN)));
        assert!(find(key(Simple, "select 1", &[])).is_none());
        let text = "x".repeat(MAX_TEXT + 1);
        note(key(Simple, &text, &[]), true, &stmt(&text));
        assert!(find(key(Simple, &text, &[])).is_none());
    }
    #[test]
    fn statements_go_with_their_sessions() {
        let s = Arc::new(PreparedStmt::new("select 1".into(), None, vec![]));
        note(key(Parse, "select 1", &[]), true, &s);
        let (number, statements) = (thread(), ThreadStatements::pack());
        assert!(find(key(Parse, "select 1", &[])).is_none() && thread() != number);
        std::thread::spawn(move || {
            note(key(Parse, "select 2", &[]), true, &s);
            statements.unpack();
            assert!(find(key(Parse, "select 1", &[])).is_some_and(|f| Arc::ptr_eq(&f, &s)));
            assert!(find(key(Parse, "select 2", &[])).is_none());
            assert_eq!(thread(), number);
        })
        .join()
        .unwrap();
    }
    #[test]
    fn contexts_are_numbered_once() {
        let c = Contexts::default();
        let a = c.number("a".into());
        assert_eq!(c.number("a".into()), a);
        assert_ne!(Contexts::default().number("a".into()), a);
        let numbers: std::collections::HashSet<u64> = (0..3 * CONTEXTS).map(|i| c.number(format!("c{i}"))).collect();
        assert_eq!(numbers.len(), 3 * CONTEXTS);
        assert!(!numbers.contains(&a));
    }
}
