//! Rules: what is done instead of a change of a relation's rows.
//!
//! A view's own rule (`_RETURN`) is its query ([`crate::View`]) and no object. Rules of changes are: the rewriter looks for those of the statement's target
//! ([`Catalog::rules_of`]), whose actions stand here as texts with qualified names, over the rows `old` and `new`.
//!
use crate::depend::ObjectRef;
use crate::{Catalog, SqlText};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    Insert,
    Update,
    Delete,
}
impl Event {
    pub fn word(self) -> &'static str {
        match self {
            Event::Insert => "INSERT",
            Event::Update => "UPDATE",
            Event::Delete => "DELETE",
        }
    }
    /// pg_rewrite.ev_type
    pub fn code(self) -> char {
        match self {
            Event::Update => '2',
            Event::Insert => '3',
            Event::Delete => '4',
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub oid: Oid,
    pub database: Oid,
    pub name: String,
    pub relation: Oid,
    pub event: Event,
    pub instead: bool,
    /// pg_rewrite.ev_enabled: `O`, `D`, `R`, `A`.
    pub enabled: u8,
    pub cond: Option<SqlText>,
    pub actions: Vec<SqlText>,
    pub comment: Option<String>,
    /// What the actions name.
    pub depends: Vec<ObjectRef>,
}
impl Rule {
    /// Does it stand for every change of its kind?
    pub fn stands_for_all(&self) -> bool {
        self.instead && self.cond.is_none()
    }
    /// Is it a session's that replicates nothing?
    pub fn fires(&self) -> bool {
        matches!(self.enabled, b'O' | b'A')
    }
}

impl Catalog {
    pub fn rule(&self, oid: Oid) -> Option<&Arc<Rule>> {
        self.of(oid).rules.get(&oid)
    }
    /// The rules of a database, by number.
    pub fn rules(&self, db: Oid) -> Vec<&Arc<Rule>> {
        let all = self.layers().flat_map(|l| l.rules.values());
        crate::sorted(all.filter(|r| r.database == db).collect(), |r| r.oid)
    }
    /// The rules of a relation, in the order in which they count: by name.
    pub fn rules_of(&self, relation: Oid) -> Vec<&Arc<Rule>> {
        if self.layers().all(|l| l.rules.is_empty()) {
            return Vec::new();
        }
        let mut v: Vec<_> = self.layers().flat_map(|l| l.rules.values()).filter(|r| r.relation == relation).collect();
        v.sort_by(|a, b| a.name.cmp(&b.name));
        v
    }
}
