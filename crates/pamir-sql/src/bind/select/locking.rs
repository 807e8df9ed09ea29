//! FOR UPDATE and its weaker forms.
use super::super::Binder;
use crate::catalog::acl;
use crate::ir::{LockTarget, Rel};
use crate::parser::{MARK, fold};
use pamir_txn::{RowLock, TableLock, WaitPolicy};
use pamir_types::{Result, bail, err};
use sqlparser::ast;

impl Binder<'_, '_> {
    /// The subqueries in `from` have the clause already ([`lock_subqueries`]).
    pub(super) fn lock_clause(
        &mut self,
        l: &ast::LockClause,
        from: &[ast::TableWithJoins],
        rel: &mut Rel,
        out: &mut Vec<LockTarget>,
    ) -> Result<()> {
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
            if r.table.is_none()
                && let Some(what) = other_item(from, n)
            {
                let e = err!(FEATURE_NOT_SUPPORTED, "{} cannot be applied to {what}", lock_mode(mode));
                return Err(self.at(e, *span));
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
            // A subquery locks its rows itself; of one that is not named its own clause says so.
            r if nullable && names.is_empty() && locks_rows(r) => {
                bail!(
                    FEATURE_NOT_SUPPORTED,
                    "{} cannot be applied to the nullable side of an outer join",
                    lock_mode(mode)
                )
            }
            // Nothing that could be locked.
            _ => Ok(()),
        }
    }
}

/// Is this a subquery whose own rows are locked?
fn locks_rows(mut r: &Rel) -> bool {
    loop {
        r = match r {
            Rel::LockRows { .. } => return true,
            Rel::Project { input, .. }
            | Rel::Filter { input, .. }
            | Rel::Sort { input, .. }
            | Rel::Limit { input, .. }
            | Rel::With { input, .. } => input,
            _ => return false,
        }
    }
}

/// FROM's items with the clauses written into the subqueries that they name (all, where they name none), as PostgreSQL has it: a clause over a subquery locks
/// what is read in it, and is refused there where it would be refused in the subquery itself.
pub(super) fn lock_subqueries(from: &[ast::TableWithJoins], locks: &[ast::LockClause]) -> Vec<ast::TableWithJoins> {
    let mut from = from.to_vec();
    each_subquery(&mut from, &mut |q, alias| {
        for l in locks {
            let idents: Vec<&ast::Ident> = l.of.iter().flat_map(|n| &n.0).filter_map(|p| p.as_ident()).collect();
            let (marks, names): (Vec<_>, Vec<_>) = idents.into_iter().partition(|p| p.value.starts_with(MARK));
            if names.is_empty() || names.iter().any(|n| Some(fold(n)) == alias) {
                let of = marks.first().map(|m| ast::ObjectName::from(vec![(*m).clone()]));
                push(q, &ast::LockClause { of, ..l.clone() });
            }
        }
    });
    from
}
/// What FROM's item of this name is, as PostgreSQL calls it; None: a subquery, which has the clause itself.
fn other_item(from: &[ast::TableWithJoins], name: &str) -> Option<&'static str> {
    let is = |a: &Option<ast::TableAlias>| a.as_ref().is_some_and(|a| fold(&a.name) == name);
    let items = from.iter().flat_map(|t| std::iter::once(&t.relation).chain(t.joins.iter().map(|j| &j.relation)));
    for r in items {
        match r {
            ast::TableFactor::Derived { alias, .. } if is(alias) => return None,
            ast::TableFactor::NestedJoin { alias, .. } if is(alias) => return Some("a join"),
            ast::TableFactor::NestedJoin { table_with_joins, .. } => {
                let inner = other_item(std::slice::from_ref(table_with_joins), name);
                if inner != Some(WITH_QUERY) {
                    return inner;
                }
            }
            ast::TableFactor::Table { args: Some(_), alias, name: function, .. }
            | ast::TableFactor::Function { alias, name: function, .. }
                if is(alias) || alias.is_none() && function.0.last().is_some_and(|p| p.to_string() == name) =>
            {
                return Some("a function");
            }
            _ => {}
        }
    }
    Some(WITH_QUERY)
}
/// What is left when it is nothing that FROM spells out.
const WITH_QUERY: &str = "a WITH query";
/// The subqueries among FROM's items, with their aliases.
fn each_subquery(from: &mut [ast::TableWithJoins], f: &mut dyn FnMut(&mut ast::Query, Option<String>)) {
    for item in from {
        for r in std::iter::once(&mut item.relation).chain(item.joins.iter_mut().map(|j| &mut j.relation)) {
            match r {
                // Under an alias its tables cannot be named from outside.
                ast::TableFactor::NestedJoin { table_with_joins, alias: None } => {
                    each_subquery(std::slice::from_mut(table_with_joins), f)
                }
                ast::TableFactor::Derived { subquery, alias, .. } => f(subquery, alias.as_ref().map(|a| fold(&a.name))),
                _ => {}
            }
        }
    }
}
/// `(SELECT ..) FOR UPDATE`: the query in parentheses has the clauses.
pub(super) fn lock_inside(q: &ast::Query) -> ast::Query {
    let mut q = q.clone();
    let locks = std::mem::take(&mut q.locks);
    let mut at = &mut q;
    while let ast::SetExpr::Query(inner) = at.body.as_mut() {
        at = inner;
    }
    at.locks.extend(locks);
    q
}
fn push(q: &mut ast::Query, l: &ast::LockClause) {
    match q.body.as_mut() {
        ast::SetExpr::Values(_) => {}
        ast::SetExpr::Query(inner) => push(inner, l),
        _ => q.locks.push(l.clone()),
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
