//! FOR UPDATE and its weaker forms.
use super::super::Binder;
use crate::catalog::acl;
use crate::ir::{LockTarget, Rel};
use crate::parser::{MARK, fold};
use pamir_txn::{RowLock, TableLock, WaitPolicy};
use pamir_types::{Error, Result, bail, err};
use sqlparser::ast;

impl Binder<'_, '_> {
    pub(super) fn lock_clause(&mut self, l: &ast::LockClause, rel: &mut Rel, out: &mut Vec<LockTarget>) -> Result<()> {
        let mut names = Vec::new();
        let mut mode = match l.lock_type {
            ast::LockType::Share => RowLock::Share,
            ast::LockType::Update => RowLock::Update,
        };
        for p in l.of.iter().flat_map(|n| &n.0).filter_map(|p| p.as_ident()) {
            match p.value.strip_prefix(MARK) {
                Some("lock:u") => mode = RowLock::Update,
                Some("lock:n") => mode = RowLock::NoKeyUpdate,
                Some("lock:s") => mode = RowLock::Share,
                Some("lock:k") => mode = RowLock::KeyShare,
                _ => names.push((fold(p), p.span)),
            }
        }
        let wait = match l.nonblock {
            None => WaitPolicy::Block,
            Some(ast::NonBlock::Nowait) => WaitPolicy::NoWait,
            Some(ast::NonBlock::SkipLocked) => WaitPolicy::Skip,
        };
        for (n, span) in &names {
            let Some(r) = self.scopes.last().and_then(|s| s.rte(None, n)) else {
                let e =
                    err!(UNDEFINED_TABLE, "relation \"{n}\" in {} clause not found in FROM clause", lock_mode(mode));
                return Err(self.at(e, *span));
            };
            if r.table.is_none() {
                return Err(Error::unsupported(format!("{} of something other than a table", lock_mode(mode))));
            }
        }
        let names: Vec<String> = names.into_iter().map(|n| n.0).collect();
        self.lock_tables(rel, &names, mode, wait, false, out)
    }

    fn lock_tables(
        &mut self,
        rel: &mut Rel,
        names: &[String],
        mode: RowLock,
        wait: WaitPolicy,
        nullable: bool,
        out: &mut Vec<LockTarget>,
    ) -> Result<()> {
        match rel {
            Rel::Table { table, alias, cols, key, lock, .. } => {
                if !names.is_empty() && !names.contains(alias) {
                    return Ok(());
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
                // The stronger of two clauses wins; NOWAIT over SKIP over waiting.
                let (mode, wait) = match *lock {
                    Some((m, w)) => (
                        m.max(mode),
                        if w == WaitPolicy::NoWait || wait == WaitPolicy::NoWait {
                            WaitPolicy::NoWait
                        } else if w == WaitPolicy::Skip {
                            w
                        } else {
                            wait
                        },
                    ),
                    None => (mode, wait),
                };
                *lock = Some((mode, wait));
                let t = table.clone();
                let cols: &[_] = cols;
                self.use_table(&t, TableLock::RowShare);
                if let Some((_, c)) = cols.first() {
                    self.uses.require_of(c.id, acl::UPDATE);
                }
                out.retain(|x| x.key != id);
                let cols = cols.iter().map(|(n, c)| (*n, c.id)).collect();
                out.push(LockTarget { table: t, key: id, mode, wait, cols });
                Ok(())
            }
            Rel::Join { kind, left, right, .. } => {
                use crate::ir::JoinKind::*;
                let (l, r) = (matches!(kind, Right | Full), matches!(kind, Left | Full));
                self.lock_tables(left, names, mode, wait, nullable || l, out)?;
                self.lock_tables(right, names, mode, wait, nullable || r, out)
            }
            Rel::Filter { input, .. } => self.lock_tables(input, names, mode, wait, nullable, out),
            // Nothing that could be locked.
            Rel::One
            | Rel::Values { .. }
            | Rel::FunctionScan { .. }
            | Rel::Virtual { .. }
            | Rel::CteScan { .. }
            | Rel::WorkTable { .. }
            | Rel::Modify(..) => Ok(()),
            r if !names.is_empty() => {
                let _ = r;
                Ok(())
            }
            // PostgreSQL locks inside subqueries too; what it refuses there has its message, the rest is not there yet.
            r => {
                let mut at = &*r;
                loop {
                    at = match at {
                        Rel::Aggregate { groups, .. } => {
                            let what = if groups.is_empty() { "aggregate functions" } else { "GROUP BY clause" };
                            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with {what}", lock_mode(mode));
                        }
                        Rel::Distinct { .. } => {
                            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with DISTINCT clause", lock_mode(mode))
                        }
                        Rel::SetOp { .. } => bail!(
                            FEATURE_NOT_SUPPORTED,
                            "{} is not allowed with UNION/INTERSECT/EXCEPT",
                            lock_mode(mode)
                        ),
                        Rel::One | Rel::Values { .. } | Rel::FunctionScan { .. } | Rel::CteScan { .. } => return Ok(()),
                        Rel::Project { input, .. }
                        | Rel::Filter { input, .. }
                        | Rel::Sort { input, .. }
                        | Rel::Limit { input, .. }
                        | Rel::With { input, .. } => input,
                        _ => return Err(Error::unsupported(format!("{} of a subquery in FROM", lock_mode(mode)))),
                    };
                }
            }
        }
    }
}

fn lock_mode(m: RowLock) -> &'static str {
    match m {
        RowLock::Update => "FOR UPDATE",
        RowLock::NoKeyUpdate => "FOR NO KEY UPDATE",
        RowLock::Share => "FOR SHARE",
        RowLock::KeyShare => "FOR KEY SHARE",
    }
}

pub(crate) fn lock_name(l: &ast::LockClause) -> &'static str {
    for p in l.of.iter().flat_map(|n| &n.0).filter_map(|p| p.as_ident()) {
        match p.value.strip_prefix(MARK) {
            Some("lock:n") => return "FOR NO KEY UPDATE",
            Some("lock:s") => return "FOR SHARE",
            Some("lock:k") => return "FOR KEY SHARE",
            _ => {}
        }
    }
    "FOR UPDATE"
}

/// The arms of a set operation lock no rows.
pub(super) fn refuse_locked_arms(arms: [&ast::SetExpr; 2]) -> Result<()> {
    for arm in arms {
        if let ast::SetExpr::Query(q) = arm
            && let Some(l) = q.locks.first()
        {
            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with UNION/INTERSECT/EXCEPT", lock_name(l));
        }
    }
    Ok(())
}
