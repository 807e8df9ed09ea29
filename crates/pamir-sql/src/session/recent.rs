//! Texts this session parsed a moment ago.
//!
//! Clients that send one text over and over without a name of their own for it (the unnamed statement, simple queries) should not pay for
//! parsing and planning each time. The newest [`PLACES`] texts that came at least twice keep their parsed statement, and with it its plan.
//!
//! ```text
//!   hash(text) ──► among the last SEEN hashes?  no: remember the hash only      (texts with ever new literals cost no memory)
//!                                               yes: the statement takes the place of the one kept longest, of PLACES
//! ```
//! Invariants: a statement found here has exactly the text and the declared parameter types asked for; whether its plan is still valid is checked by
//! whoever runs it, as for named statements. Limits: [`PLACES`] statements of at most [`MAX_TEXT`] bytes a session.
use super::query::PreparedStmt;
use pamir_types::Oid;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::rc::Rc;

const PLACES: usize = 16;
const SEEN: usize = 64;
const MAX_TEXT: usize = 4096;

/// How a text came: the same text means something else in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A simple query, the whole string.
    Simple,
    /// A Parse message.
    Parse,
}

struct Place {
    hash: u64,
    /// As it came; the statement's own text may lack the semicolon.
    text: Box<str>,
    origin: Origin,
    stmt: Rc<PreparedStmt>,
}

/// A list that overwrites its oldest item when it is full.
struct Ring<T, const N: usize> {
    items: Vec<T>,
    next: usize,
}
impl<T, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Ring { items: Vec::new(), next: 0 }
    }
}
impl<T, const N: usize> Ring<T, N> {
    fn push(&mut self, item: T) {
        match self.items.get_mut(self.next) {
            Some(place) => *place = item,
            None => self.items.push(item),
        }
        self.next = (self.next + 1) % N;
    }
}

#[derive(Default)]
pub struct Recent {
    seen: Ring<u64, SEEN>,
    places: Ring<Place, PLACES>,
}

fn hash(text: &str) -> u64 {
    let mut h = FxHasher::default();
    h.write(text.as_bytes());
    h.finish()
}

impl Recent {
    pub fn find(&self, text: &str, origin: Origin, declared: &[Oid]) -> Option<&Rc<PreparedStmt>> {
        if self.places.items.is_empty() || text.len() > MAX_TEXT {
            return None;
        }
        let h = hash(text);
        let found = |p: &&Place| p.hash == h && p.origin == origin && *p.text == *text && p.stmt.declared() == declared;
        self.places.items.iter().find(found).map(|p| &p.stmt)
    }
    /// To be called with the only statement of `text`, just parsed.
    pub fn note(&mut self, text: &str, origin: Origin, stmt: &Rc<PreparedStmt>) {
        if text.len() > MAX_TEXT {
            return;
        }
        let h = hash(text);
        if !self.seen.items.contains(&h) {
            return self.seen.push(h);
        }
        let new = Place { hash: h, text: text.into(), origin, stmt: stmt.clone() };
        let same = |p: &&mut Place| {
            p.hash == h && p.origin == origin && p.text == new.text && p.stmt.declared() == new.stmt.declared()
        };
        match self.places.items.iter_mut().find(same) {
            Some(old) => *old = new,
            None => self.places.push(new),
        }
    }
    /// DISCARD ALL, DISCARD PLANS.
    pub fn clear(&mut self) {
        *self = Recent::default();
    }
}

#[cfg(test)]
mod tests {
    use super::Origin::{Parse, Simple};
    use super::*;

    #[test]
    fn a_text_is_kept_from_its_second_time() {
        let mut r = Recent::default();
        let s = Rc::new(PreparedStmt::new("select 1".into(), None, vec![23]));
        r.note("select 1;", Parse, &s);
        assert!(r.find("select 1;", Parse, &[23]).is_none());
        r.note("select 1;", Parse, &s);
        assert!(r.find("select 1;", Parse, &[23]).is_some_and(|f| Rc::ptr_eq(f, &s)));
        assert!(r.find("select 1;", Simple, &[23]).is_none());
        assert!(r.find("select 1;", Parse, &[20]).is_none());
        assert!(r.find("select 1", Parse, &[23]).is_none());
        r.clear();
        assert!(r.find("select 1;", Parse, &[23]).is_none());
    }
    #[test]
    fn many_texts_take_a_bounded_place() {
        let mut r = Recent::default();
        for i in 0..1000 {
            let text = format!("select {i}");
            let s = Rc::new(PreparedStmt::new(text.clone(), None, vec![]));
            r.note(&text, Simple, &s);
            r.note(&text, Simple, &s);
        }
        assert_eq!((r.places.items.len(), r.seen.items.len()), (PLACES, SEEN));
        let text = "x".repeat(MAX_TEXT + 1);
        let long = Rc::new(PreparedStmt::new(text.clone(), None, vec![]));
        r.note(&text, Simple, &long);
        r.note(&text, Simple, &long);
        assert!(r.find(&text, Simple, &[]).is_none());
    }
}
