//! Counters that are not transactional: sequences and id spaces.
//!
//! The state is in memory; the system tree holds a value *ahead* of it, logged before any value up to it is handed out:
//!
//! ```text
//!   handed out        may be handed out       durable end
//!   ... 7  8  9 │ 10  11  ...  38  39  40 │
//!               └────── ahead = 31 ───────┘
//! ```
//! After a crash counting goes on behind the durable end: values are skipped, never repeated. Half way through, the next stretch is
//! requested without waiting for it, and a stretch that proved too short doubles, so a busy sequence rarely waits for the disk.
//!
//! Keys of the system tree: kind u8 (1 sequence, 2 id space), id u64 big-endian. Values: last i64, is_called u8.
use crate::commit::{After, Pending};
use crate::core::Core;
use crate::lock::Owner;
use crate::record;
use crate::reign;
use crate::shard::SequenceDef;
use pamir_error::{Error, Result, bail, err};
use pamir_storage::store::{FIRST_TREE, TreeId};
use pamir_storage::task;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// The tree that holds this layer's own rows.
pub(crate) const SYSTEM_TREE: TreeId = TreeId(FIRST_TREE);
/// Values of a sequence logged ahead (PostgreSQL's SEQ_LOG_VALS).
pub const SEQ_LOG_AHEAD: u32 = 32;
/// Waits for a refill after which every further one doubles the stretch.
const PATIENCE: u32 = 4;
/// The longest stretch of a busy sequence.
pub const MAX_LOG_AHEAD: u32 = 8192;
/// Ids of a space logged ahead.
pub const ID_LOG_AHEAD: u32 = 4096;

const SEQUENCE: u8 = 1;
const ID_SPACE: u8 = 2;

#[derive(Default)]
struct Counter {
    last: i64,
    called: bool,
    /// Values after `last` that may be handed out.
    ahead: u32,
    /// What the newest requested or durable record says.
    end: i64,
    end_called: bool,
    /// Values a refill asks for; 0: as the kind of counter starts.
    stretch: u32,
    /// What `ahead` and `end` were planned with.
    planned: Option<SequenceDef>,
    /// How often somebody waited for a refill.
    waits: u32,
    /// How often the disk was too full for one.
    refusals: u64,
    /// A refill is on its way.
    filling: bool,
    /// Rises when the state is set; refills requested before are void.
    generation: u64,
    /// States set and not yet durable: the generation of each and what it replaced.
    sets: Vec<(u64, CounterState)>,
    waiters: Vec<Waker>,
}

impl Counter {
    fn state(&self) -> CounterState {
        CounterState { last: self.last, called: self.called, end: self.end, end_called: self.end_called }
    }
    /// What was set in `generation` will never be: what it replaced counts again, without the values that were ahead of that (the log may hold them: they are
    /// skipped). If another state was set since, that one counts, and replaced the same.
    fn take_back(&mut self, generation: u64) {
        let Some(i) = self.sets.iter().position(|s| s.0 == generation) else { return };
        let (_, before) = self.sets.remove(i);
        match self.sets.get_mut(i) {
            Some(next) => next.1 = before,
            None => {
                self.begin_anew(before.last, before.called);
                (self.end, self.end_called) = (before.end, before.end_called);
            }
        }
    }

    /// Nothing is ahead of this state; refills on their way are void.
    fn begin_anew(&mut self, last: i64, called: bool) {
        (self.last, self.called, self.end, self.end_called) = (last, called, last, called);
        self.ahead = 0;
        self.filling = false;
        self.generation += 1;
        self.waiters.drain(..).for_each(Waker::wake);
    }
}

/// What setting a counter replaces.
#[derive(Clone, Copy)]
struct CounterState {
    last: i64,
    called: bool,
    end: i64,
    end_called: bool,
}

#[derive(Default)]
pub(crate) struct Sequences(Mutex<FxHashMap<[u8; 9], Counter>>);

fn key(kind: u8, id: u64) -> [u8; 9] {
    let mut k = [kind; 9];
    k[1..].copy_from_slice(&id.to_be_bytes());
    k
}
fn value(last: i64, called: bool) -> [u8; 9] {
    let mut v = [called as u8; 9];
    v[..8].copy_from_slice(&last.to_le_bytes());
    v
}

/// The value after (last, called); None: the end of a sequence that does not cycle.
pub(crate) fn advance(def: &SequenceDef, last: i64, called: bool) -> Option<i64> {
    if !called {
        return Some(last);
    }
    match last.checked_add(def.increment) {
        Some(n) if n >= def.min && n <= def.max => Some(n),
        _ if def.cycle => Some(if def.increment > 0 { def.min } else { def.max }),
        _ => None,
    }
}

/// 2200H: there is no value left.
pub(crate) fn at_its_end(def: &SequenceDef) -> Error {
    let bound = if def.increment > 0 { "maximum" } else { "minimum" };
    err!(SEQUENCE_GENERATOR_LIMIT_EXCEEDED, "nextval: reached {bound} value of sequence")
}

impl Sequences {
    /// A refill is durable.
    pub fn refilled(&self, key: [u8; 9], generation: u64, steps: u32, end: i64, wake: &mut Vec<Waker>) {
        let mut map = self.0.lock();
        let Some(c) = map.get_mut(&key) else { return };
        if c.generation == generation {
            debug_assert!(c.end == end || c.refusals > 0);
            c.ahead += steps;
            c.filling = false;
        }
        wake.append(&mut c.waiters);
    }
    /// There was no room for a refill: it is as if it had not been asked for, and whoever waits for it gets the error.
    pub fn refill_refused(&self, key: [u8; 9], generation: u64, before: (i64, bool), wake: &mut Vec<Waker>) {
        let mut map = self.0.lock();
        let Some(c) = map.get_mut(&key) else { return };
        c.refusals += 1;
        if c.generation == generation {
            (c.end, c.end_called) = before;
            c.filling = false;
        }
        wake.append(&mut c.waiters);
    }
    /// A new state is durable, and with it the fate of those set before it.
    pub fn set_done(&self, key: [u8; 9], generation: u64) {
        if let Some(c) = self.0.lock().get_mut(&key) {
            c.sets.retain(|s| s.0 > generation);
        }
    }
    /// There was no room for a new state.
    pub fn set_refused(&self, key: [u8; 9], generation: u64) {
        let mut map = self.0.lock();
        let Some(c) = map.get_mut(&key) else { return };
        c.refusals += 1;
        c.take_back(generation);
    }
    /// Wakes everybody; they look at the shard's failure.
    pub fn wake_all(&self) {
        let wake: Vec<Waker> = self.0.lock().values_mut().flat_map(|c| c.waiters.drain(..)).collect();
        wake.into_iter().for_each(Waker::wake);
    }
    /// All counters are read anew: a replica's role has changed, and others may have counted on.
    pub fn forget(&self) {
        let wake: Vec<Waker> = self.0.lock().drain().flat_map(|(_, c)| c.waiters).collect();
        wake.into_iter().for_each(Waker::wake);
    }
    /// Runs `f` on the counter, read from the system tree when it is not in memory yet.
    fn with<T>(&self, core: &Core, key: [u8; 9], start: i64, f: impl FnOnce(&mut Counter) -> T) -> Result<T> {
        if let Some(c) = self.0.lock().get_mut(&key) {
            return Ok(f(c));
        }
        let reign = core.reign.now();
        let (last, called) = load(core, key)?.unwrap_or((start, false));
        let mut map = self.0.lock();
        if core.reign.now() != reign {
            return Err(reign::over());
        }
        let c = map.entry(key).or_insert_with(|| Counter {
            last,
            called,
            end: last,
            end_called: called,
            ..Counter::default()
        });
        Ok(f(c))
    }
    fn next(&self, core: &Core, key: [u8; 9], def: &SequenceDef, stretch: u32) -> Result<i64> {
        loop {
            let step = self.with(core, key, def.start, |c| {
                let mut refused = Ok(());
                if c.planned.as_ref() != Some(def) {
                    if c.planned.is_some() {
                        // ALTER SEQUENCE: other steps lead elsewhere than what is durable.
                        c.begin_anew(c.last, c.called);
                    }
                    c.planned = Some(def.clone());
                }
                let stretch = c.stretch.max(stretch);
                if c.ahead <= stretch / 2
                    && !c.filling
                    && let before = (c.end, c.end_called)
                    && let Some((generation, steps, end)) = self.refill(c, def, stretch)
                {
                    // Pushed under the mutex: in the log, refills and `seq_set` stand in the order in which they were decided.
                    let owner = Arc::new(Owner::new(0));
                    let after = After::Refill { key, generation, steps, end, before };
                    refused = core.push(Pending::new(record::direct(&key, &value(end, true)), &owner, after));
                }
                if c.ahead > 0
                    && let Some(n) = advance(def, c.last, c.called)
                {
                    c.ahead -= 1;
                    (c.last, c.called) = (n, true);
                    return (Some(n), refused, false, 0);
                }
                if c.filling {
                    c.waits += 1;
                    if c.waits > PATIENCE {
                        c.stretch = (stretch * 2).min(MAX_LOG_AHEAD);
                    }
                }
                // Nothing may be handed out and nothing can be logged ahead: the end.
                (None, refused, !c.filling, c.refusals)
            })?;
            let (got, refused, exhausted, refusals) = step;
            refused?;
            if let Some(n) = got {
                return Ok(n);
            }
            if exhausted {
                return Err(at_its_end(def));
            }
            let full = core.wait_until(|w| {
                if core.failure().is_some() {
                    return Poll::Ready(false);
                }
                let mut map = self.0.lock();
                let Some(c) = map.get_mut(&key) else { return Poll::Ready(false) };
                if c.ahead > 0 || !c.filling {
                    return Poll::Ready(c.ahead == 0 && c.refusals != refusals);
                }
                c.waiters.push(w.clone());
                Poll::Pending
            })?;
            if let Some(e) = core.failure() {
                return Err(e);
            }
            if full {
                return Err(core.refusal());
            }
        }
    }
    /// Plans the next stretch: (generation, values in it, its end). None when there is no value left.
    fn refill(&self, c: &mut Counter, def: &SequenceDef, stretch: u32) -> Option<(u64, u32, i64)> {
        let (mut end, mut called, mut steps) = (c.end, c.end_called, 0);
        while steps < stretch
            && let Some(n) = advance(def, end, called)
        {
            (end, called) = (n, true);
            steps += 1;
        }
        if steps == 0 {
            return None;
        }
        (c.end, c.end_called, c.filling) = (end, true, true);
        Some((c.generation, steps, end))
    }
    pub fn seq_next(&self, core: &Core, seq: u64, def: &SequenceDef) -> Result<i64> {
        self.next(core, key(SEQUENCE, seq), def, SEQ_LOG_AHEAD)
    }
    pub fn next_id(&self, core: &Core, space: u64) -> Result<u64> {
        const IDS: SequenceDef = SequenceDef { start: 1, increment: 1, min: 1, max: i64::MAX, cycle: false };
        Ok(self.next(core, key(ID_SPACE, space), &IDS, ID_LOG_AHEAD)? as u64)
    }
    pub fn seq_set(&self, core: &Core, seq: u64, last: i64, called: bool) -> Result<()> {
        let key = key(SEQUENCE, seq);
        let owner = Arc::new(Owner::new(0));
        self.with(core, key, last, |c| {
            let before = c.state();
            c.begin_anew(last, called);
            let generation = c.generation;
            c.sets.push((generation, before));
            // Pushed under the mutex: refills planned from the new state come later in the log.
            let after = After::Set { key, generation };
            let pushed = core.push(Pending::new(record::direct(&key, &value(last, called)), &owner, after));
            if pushed.is_err() {
                c.take_back(generation);
            }
            pushed
        })??;
        core.await_outcome(&owner).map(|_| ())
    }
    pub fn seq_read(&self, core: &Core, seq: u64) -> Result<Option<(i64, bool)>> {
        let key = key(SEQUENCE, seq);
        if let Some(c) = self.0.lock().get(&key) {
            // Known only because somebody looked and never used: as good as not there.
            return Ok(Some((c.last, c.called)));
        }
        load(core, key)
    }
}

fn load(core: &Core, key: [u8; 9]) -> Result<Option<(i64, bool)>> {
    let mut out = Vec::new();
    if !core.store.get(SYSTEM_TREE, &key, &mut out)? {
        return Ok(None);
    }
    let (_, _, v) = crate::applier::split_value(&out)?;
    let Some((last, [called, ..])) = v.split_first_chunk::<8>() else {
        bail!(DATA_CORRUPTED, "damaged counter in the system tree")
    };
    Ok(Some((i64::from_le_bytes(*last), *called != 0)))
}

/// Waits through [`task`]; kept here so that `Core` has one way to wait.
pub(crate) fn park<T>(poll: impl FnMut(&Waker) -> Poll<T>) -> Option<T> {
    task::wait(None, poll)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the refusals of two states come, what counts is the newest that was not refused.
    #[test]
    fn refused_states_in_any_order() {
        let key = key(SEQUENCE, 1);
        let set = |all: &Sequences, last: i64| {
            let mut map = all.0.lock();
            let c = map.get_mut(&key).unwrap();
            let before = c.state();
            c.begin_anew(last, true);
            c.sets.push((c.generation, before));
            c.generation
        };
        let state = |all: &Sequences| {
            let c = &all.0.lock()[&key];
            assert!(c.sets.is_empty() && c.ahead == 0);
            (c.last, c.called, c.end, c.end_called)
        };
        let old = || {
            let all = Sequences::default();
            let c = Counter { last: 7, called: true, end: 39, end_called: true, ahead: 32, ..Counter::default() };
            all.0.lock().insert(key, c);
            all
        };
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let all = old();
            let sets = [set(&all, 100), set(&all, 200), set(&all, 300)];
            order.into_iter().for_each(|i: usize| all.set_refused(key, sets[i]));
            assert_eq!(state(&all), (7, true, 39, true), "{order:?}");
        }
        // The first came into the log, the others did not.
        for order in [[1, 2], [2, 1]] {
            let all = old();
            let sets = [set(&all, 100), set(&all, 200), set(&all, 300)];
            all.set_done(key, sets[0]);
            order.into_iter().for_each(|i: usize| all.set_refused(key, sets[i]));
            assert_eq!(state(&all), (100, true, 100, true), "{order:?}");
        }
        // The first was refused, the second was not.
        let all = old();
        let sets = [set(&all, 100), set(&all, 200)];
        all.set_refused(key, sets[0]);
        all.set_done(key, sets[1]);
        assert_eq!(state(&all), (200, true, 200, true));
    }
}
