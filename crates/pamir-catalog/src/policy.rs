//! Row level security: whose rows of a table a role reads and writes.
//!
//! A table says by [`RowSecurity`] whether its policies count, and whether its owner is held to them as well. A policy is an object of its own, kept with the snapshot
//! as rules are; its conditions are texts of queries (`SELECT FROM t WHERE condition`), since they may have subqueries, and are printed anew when what they name
//! gets another name.
//!
//! Which policies count for whom, and what becomes of them in a statement, is the binder's: `pamir-plan/src/bind/policy.rs`.
use crate::acl::{PUBLIC, Who};
use crate::depend::ObjectRef;
use crate::{Catalog, SqlText, Table};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What ALTER TABLE ... ROW LEVEL SECURITY says of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowSecurity {
    pub enabled: bool,
    /// The owner is held to the policies, too.
    pub forced: bool,
}

/// The commands that a policy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    All,
    Select,
    Insert,
    Update,
    Delete,
}
impl Command {
    /// pg_policy.polcmd
    pub fn letter(self) -> char {
        match self {
            Command::All => '*',
            Command::Select => 'r',
            Command::Insert => 'a',
            Command::Update => 'w',
            Command::Delete => 'd',
        }
    }
    pub fn word(self) -> &'static str {
        match self {
            Command::All => "ALL",
            Command::Select => "SELECT",
            Command::Insert => "INSERT",
            Command::Update => "UPDATE",
            Command::Delete => "DELETE",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    pub oid: Oid,
    pub database: Oid,
    pub name: String,
    pub relation: Oid,
    pub command: Command,
    pub permissive: bool,
    /// [`PUBLIC`] alone, or roles in the order in which they were written.
    pub roles: Vec<Oid>,
    pub using: Option<SqlText>,
    pub check: Option<SqlText>,
    pub comment: Option<String>,
    /// What the conditions name.
    pub depends: Vec<ObjectRef>,
}
impl Policy {
    /// Does it count for a command of somebody's?
    pub fn concerns(&self, command: Command, who: &Who) -> bool {
        let named = |r: &Oid| *r == PUBLIC || who.has_role(*r);
        matches!(self.command, c if c == command || c == Command::All) && self.roles.iter().any(named)
    }
    pub fn texts(&self) -> impl Iterator<Item = &SqlText> {
        self.using.iter().chain(&self.check)
    }
}

impl Catalog {
    pub fn policy(&self, oid: Oid) -> Option<&Arc<Policy>> {
        self.of(oid).policies.get(&oid)
    }
    /// The policies of a database, by number.
    pub fn policies(&self, db: Oid) -> Vec<&Arc<Policy>> {
        let all = self.layers().flat_map(|l| l.policies.values());
        crate::sorted(all.filter(|p| p.database == db).collect(), |p| p.oid)
    }
    /// The policies of a table, by name.
    pub fn policies_of(&self, relation: Oid) -> Vec<&Arc<Policy>> {
        let mut v: Vec<_> = self.of(relation).policies.values().filter(|p| p.relation == relation).collect();
        v.sort_by(|a, b| a.name.cmp(&b.name));
        v
    }
}
/// Do a table's policies count for a role?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Active {
    /// The table has none, or the role is exempt.
    No,
    /// They count for the owner, too, who the role is or has the rights of.
    Owner,
    Yes,
}
/// Whether a table's policies count for a role (check_enable_rls, but for the setting `row_security`).
pub fn active(catalog: &Catalog, t: &Table, role: Oid) -> Active {
    if !t.security.enabled || catalog.role(role).is_some_and(|r| r.superuser || r.bypassrls) {
        return Active::No;
    }
    let owns = Who::new(catalog, role, t.database).has_role(t.owner);
    match (owns, t.security.forced) {
        (true, false) => Active::No,
        (true, true) => Active::Owner,
        (false, _) => Active::Yes,
    }
}
