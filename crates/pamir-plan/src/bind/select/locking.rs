//! FOR UPDATE and its weaker forms.
use super::super::Binder;
use super::super::expr::output_name;
use pamir_catalog::{Relation, acl};
use pamir_expr::ir::{ColId, LockTarget, Rel};
use pamir_parse::tree::{self, Locking, Strength, TableKind, TableRef, Wait};
use pamir_txn::{RowLock, TableLock, WaitPolicy};
use pamir_types::{Error, Result, bail, err};

impl Binder<'_, '_> {
    /// The subqueries in `from` have the clause already ([`of_subquery`]).
    pub(super) fn lock_clause(
        &mut self,
        l: &Locking,
        from: &[TableRef],
        rel: &mut Rel,
        out: &mut Vec<LockTarget>,
    ) -> Result<()> {
        let mode = match l.strength {
            Strength::Update => RowLock::ForUpdate,
            Strength::NoKeyUpdate => RowLock::NoKeyUpdate,
            Strength::Share => RowLock::Share,
            Strength::KeyShare => RowLock::KeyShare,
        };
        let wait = match l.wait {
            Wait::Block => WaitPolicy::Block,
            Wait::NoWait => WaitPolicy::NoWait,
            Wait::SkipLocked => WaitPolicy::Skip,
        };
        let clause = lock_name(l);
        let mut names = Vec::with_capacity(l.of.len());
        for r in &l.of {
            let [n] = r.parts.as_slice() else {
                let e = err!(SYNTAX_ERROR, "{clause} must specify unqualified relation names");
                return Err(self.at(e, r.at));
            };
            let Some(found) = self.scopes.last().and_then(|s| s.rte(None, n)) else {
                let e = err!(UNDEFINED_TABLE, "relation \"{n}\" in {clause} clause not found in FROM clause");
                return Err(self.at(e, r.at));
            };
            if found.table.is_none() {
                if found.presence.is_some() {
                    bail!(FEATURE_NOT_SUPPORTED, "{clause} cannot be applied to the nullable side of an outer join");
                }
                self.lockable(from.iter().find_map(|t| item_named(t, n)), clause).map_err(|e| self.at(e, r.at))?;
            }
            names.push(n.as_str());
        }
        self.lock_tables(rel, &names, mode, wait, false, out).map(|_| ())
    }
    /// Has this item of FROM, which is no table, rows that can be locked?
    fn lockable(&self, item: Option<&TableRef>, clause: &str) -> Result<()> {
        let what = match item.map(|t| &t.kind) {
            // It has the clause itself.
            Some(TableKind::Subquery { .. }) => return Ok(()),
            Some(TableKind::Join(_)) => "a join",
            Some(TableKind::Functions { .. }) => "a function",
            Some(TableKind::XmlTable { .. }) => "a table function",
            Some(TableKind::Relation(r, _)) => match r.parts.as_slice() {
                [n] if self.cte_names.iter().any(|c| c.name == *n) => "a WITH query",
                // A view has the clause itself.
                _ if self.is_view(r) => return Ok(()),
                _ => return Err(Error::unsupported(format!("{clause} of a system catalog or a sequence"))),
            },
            None => return Ok(()),
        };
        Err(err!(FEATURE_NOT_SUPPORTED, "{clause} cannot be applied to {what}"))
    }

    fn is_view(&self, r: &tree::Relation) -> bool {
        let Ok((schema, name)) = self.relation_parts(r) else { return false };
        let found = self.cx.catalog.resolve(self.cx.scope, schema, name);
        matches!(found, Ok(Some(Relation::Table(t))) if t.plain_view().is_some())
    }
    /// Locks what is named of the tables that a relation joins; the first column of the table, if it is one.
    fn lock_tables(
        &mut self,
        rel: &mut Rel,
        names: &[&str],
        mode: RowLock,
        wait: WaitPolicy,
        nullable: bool,
        out: &mut Vec<LockTarget>,
    ) -> Result<Option<ColId>> {
        match rel {
            Rel::Table { table, alias, cols, key, lock, parts: None, .. } => {
                if !names.is_empty() && !names.contains(&alias.as_str()) {
                    return Ok(None);
                }
                if table.view.as_ref().is_some_and(|v| v.materialized) {
                    bail!(WRONG_OBJECT_TYPE, "cannot lock rows in materialized view \"{}\"", table.name);
                }
                if nullable {
                    bail!(
                        FEATURE_NOT_SUPPORTED,
                        "{} cannot be applied to the nullable side of an outer join",
                        lock_mode(mode)
                    );
                }
                let id = match *key {
                    Some(k) => k,
                    None => {
                        let k = self.next_col;
                        self.next_col += 1;
                        *key = Some(k);
                        k
                    }
                };
                let (mode, wait) = stronger(*lock, mode, wait);
                *lock = Some((mode, wait));
                let t = table.clone();
                let cols: &[_] = cols;
                self.use_table(&t, TableLock::RowShare);
                if let Some((_, c)) = cols.first() {
                    self.uses.require_of(c.id, acl::UPDATE);
                }
                out.retain(|x| x.key != id);
                let cols: Vec<_> = cols.iter().map(|(n, c)| (*n, c.id)).collect();
                let first = cols.first().map_or(0, |c| c.1);
                out.push(LockTarget { table: t, key: id, mode, wait, cols, members: None });
                Ok(Some(first))
            }
            Rel::Join { kind, left, right, .. } => {
                use pamir_expr::ir::JoinKind::*;
                let (l, r) = (matches!(kind, Right | Full), matches!(kind, Left | Full));
                self.lock_tables(left, names, mode, wait, nullable || l, out)?;
                self.lock_tables(right, names, mode, wait, nullable || r, out)?;
                Ok(None)
            }
            Rel::Filter { input, .. } => self.lock_tables(input, names, mode, wait, nullable, out),
            // One within the other: the outermost takes what is asked of rows that are locked.
            Rel::Secured { .. } => {
                let mut scan = &mut *rel;
                while let Rel::Secured { input, .. } = scan {
                    scan = input;
                }
                let first = self.lock_tables(scan, names, mode, wait, nullable, out)?;
                if let Some(first) = first {
                    self.lock_secured(rel, first)?;
                }
                Ok(first)
            }
            Rel::SetOp { .. } | Rel::Table { parts: Some(_), .. } if let Some(at) = self.family_in(rel) => {
                let f = &self.families[at];
                if !names.is_empty() && !names.contains(&f.alias.as_str()) {
                    return Ok(None);
                }
                if nullable {
                    bail!(
                        FEATURE_NOT_SUPPORTED,
                        "{} cannot be applied to the nullable side of an outer join",
                        lock_mode(mode)
                    );
                }
                let (table, key, members, cols) = (f.table.clone(), f.key, f.members.clone(), f.cols.clone());
                let before = out.iter().find(|x| x.key == key).map(|x| (x.mode, x.wait));
                let (mode, wait) = stronger(before, mode, wait);
                for t in members.tables.iter().chain([&table]) {
                    self.use_table(t, TableLock::RowShare);
                }
                if let Some((_, c)) = cols.first() {
                    self.uses.require_of(*c, acl::UPDATE);
                }
                out.retain(|x| x.key != key);
                let first = cols.first().map_or(0, |c| c.1);
                out.push(LockTarget { table, key, mode, wait, cols, members: Some(members) });
                Ok(Some(first))
            }
            // A subquery locks its rows itself; of one that is not named its own clause says so.
            r if nullable && names.is_empty() && locks_rows(r) => {
                bail!(
                    FEATURE_NOT_SUPPORTED,
                    "{} cannot be applied to the nullable side of an outer join",
                    lock_mode(mode)
                )
            }
            // Nothing that could be locked.
            _ => Ok(None),
        }
    }
}

/// The stronger of two clauses wins; NOWAIT over SKIP over waiting.
fn stronger(before: Option<(RowLock, WaitPolicy)>, mode: RowLock, wait: WaitPolicy) -> (RowLock, WaitPolicy) {
    match before {
        None => (mode, wait),
        Some((m, w)) if w == WaitPolicy::NoWait || wait == WaitPolicy::NoWait => (m.max(mode), WaitPolicy::NoWait),
        Some((m, WaitPolicy::Skip)) => (m.max(mode), WaitPolicy::Skip),
        Some((m, _)) => (m.max(mode), wait),
    }
}

/// Is this a subquery whose own rows are locked?
fn locks_rows(mut r: &Rel) -> bool {
    loop {
        r = match r {
            Rel::LockRows { .. } => return true,
            Rel::Project { input, .. }
            | Rel::Filter { input, .. }
            | Rel::Secured { input, .. }
            | Rel::Sort { input, .. }
            | Rel::Limit { input, .. }
            | Rel::With { input, .. } => input,
            _ => return false,
        }
    }
}

/// The clauses that a subquery of FROM has from outside, as PostgreSQL has it: a clause that names it, or that names nothing, locks what is read in it, and is
/// refused there where it would be refused in the subquery itself.
pub(in crate::bind) fn of_subquery(locks: &[Locking], alias: Option<&str>) -> Vec<Locking> {
    let names = |r: &tree::Relation| matches!(r.parts.as_slice(), [n] if Some(n.as_str()) == alias);
    let reaches = |l: &&Locking| l.of.is_empty() || l.of.iter().any(names);
    locks.iter().filter(reaches).map(|l| Locking { of: Vec::new(), ..*l }).collect()
}
/// The item that goes by this name; what an alias of a join hides does not.
fn item_named<'t>(mut t: &'t TableRef, name: &str) -> Option<&'t TableRef> {
    loop {
        let same = match (&t.alias, &t.kind) {
            (Some(a), _) => a.name == name,
            (None, TableKind::Join(j)) => {
                if let Some(found) = item_named(&j.right, name) {
                    return Some(found);
                }
                t = &j.left;
                continue;
            }
            (None, TableKind::Relation(r, _)) => r.parts.last().is_some_and(|n| n == name),
            (None, TableKind::Functions { items, .. }) => items.first().is_some_and(|f| output_name(&f.call) == name),
            (None, TableKind::Subquery { .. } | TableKind::XmlTable { .. }) => false,
        };
        return same.then_some(t);
    }
}

fn lock_mode(m: RowLock) -> &'static str {
    match m {
        RowLock::ForUpdate | RowLock::Update => "FOR UPDATE",
        RowLock::NoKeyUpdate => "FOR NO KEY UPDATE",
        RowLock::Share => "FOR SHARE",
        RowLock::KeyShare => "FOR KEY SHARE",
    }
}

pub fn lock_name(l: &Locking) -> &'static str {
    match l.strength {
        Strength::Update => "FOR UPDATE",
        Strength::NoKeyUpdate => "FOR NO KEY UPDATE",
        Strength::Share => "FOR SHARE",
        Strength::KeyShare => "FOR KEY SHARE",
    }
}

/// The arms of a set operation lock no rows.
pub(super) fn refuse_locked_arms(arms: [&tree::Select; 2]) -> Result<()> {
    match arms.iter().find_map(|a| a.locking.first()) {
        Some(l) => bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with UNION/INTERSECT/EXCEPT", lock_name(l)),
        None => Ok(()),
    }
}
