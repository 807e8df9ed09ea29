//! Statements as sessions keep them: a text, its tree, the newest plan.
//!
//! *Invariant*: a plan is used only where the catalog, the settings that plans depend on and the transaction's own changes are those that it was made under
//! ([`Planned`]).
use super::custom::Choice;
use crate::stats::fingerprint::fingerprint;
use crate::stats::kinds::StatementKind;
use crate::stats::statements::Place;
use pamir_expr::deep::on_stack_for;
use pamir_expr::plan::Plan;
use pamir_parse::tree::{Select, Statement};
use pamir_plan::parser::{LONG_TEXT, Parsed};
use pamir_storage::helpers;
use pamir_txn::TableLock;
use pamir_types::{Datum, Error, Oid, Result, Type, bail};
use parking_lot::Mutex;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Constants of a plan that a statement keeps for its next run, in bytes. A short text makes a constant of a gigabyte (`repeat('x', 1000000000)`), and statements are kept
/// for whoever sends them again: what is longer is made anew.
pub(super) const LONGEST_KEPT: usize = 64 << 10;

/// A parsed statement and, for queries, its newest plan.
pub struct PreparedStmt {
    pub text: String,
    /// The string that it came in, of what catalogs show with all of it.
    pub(super) within: Option<String>,
    /// None: an empty query.
    pub stmt: Option<Statement>,
    /// Parameter types as declared (0: infer).
    pub(super) declared: Vec<Oid>,
    /// The parameters' types of the first plan. Clients are told them once and send values as of them from then on, whatever the columns become.
    pub(super) types: OnceLock<Vec<Oid>>,
    /// Inferred anew, `types` would be others.
    pub(super) retyped: AtomicBool,
    pub(super) cached: Mutex<Option<Arc<Planned>>>,
    /// See [`pamir_plan::parser::Parsed::deep`].
    pub deep: bool,
    /// Its counters in pg_stat_statements.
    pub(super) place: Place,
    /// Its number and text in pg_stat_statements, of one that is so long that a helper makes them.
    pub(super) counted_as: Option<(i64, String)>,
    /// The query inside an EXPLAIN or a DECLARE: parameters are its own.
    inner: OnceLock<Option<Arc<PreparedStmt>>>,
    /// As a function's cursor runs it: with the places of these tables' rows.
    placed: Mutex<Option<(Vec<Oid>, Arc<PreparedStmt>)>>,
}

/// What clients know of a statement before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    Nothing,
    /// Its plan, for which it is not run.
    Plan,
    /// Its result columns, which then must stay.
    Result,
}

/// A plan with what must hold for it to be used.
pub struct Planned {
    pub plan: Arc<Plan>,
    pub(super) locks: Vec<(Oid, TableLock)>,
    pub(super) catalog_version: u64,
    /// See `shared.rs`.
    pub(super) context: u64,
    /// Made under uncommitted DDL: for this transaction only.
    pub(super) private: bool,
    /// It reads or changes temporary tables.
    pub(super) temporary: bool,
    /// It may run in a read-only transaction though it changes something: temporary tables alone, or nothing (MERGE .. DO NOTHING).
    pub(super) harmless: bool,
    /// It holds constants longer than [`LONGEST_KEPT`]: for this run only.
    pub(super) heavy: bool,
    /// A literal such as 'now' was read when it was made, as PostgreSQL does: it is for who asked for it then.
    pub(super) of_a_moment: bool,
    /// What running it answers: a privilege is missing, or a constant of it has no value.
    pub(super) denied: Option<Error>,
    pub(super) tag: Tag,
    /// It calls functions that may change or lock something.
    pub(super) effects: bool,
    pub param_types: Vec<Type>,
    pub has_rows: bool,
    pub(super) choice: Choice,
}

impl Planned {
    /// It cannot be run.
    pub fn is_denied(&self) -> bool {
        self.denied.is_some()
    }
    /// 42P02 where the statement names a parameter that nobody gave (a simple query has none).
    pub(super) fn takes(&self, params: &[Datum]) -> Result<()> {
        if self.param_types.len() > params.len() {
            bail!(UNDEFINED_PARAMETER, "there is no parameter ${}", params.len() + 1);
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Select,
    Insert,
    Update,
    Delete,
    Merge,
}

impl Planned {
    pub(super) fn kind(&self) -> StatementKind {
        match self.tag {
            Tag::Select => StatementKind::Select,
            Tag::Insert => StatementKind::Insert,
            Tag::Update => StatementKind::Update,
            Tag::Delete => StatementKind::Delete,
            Tag::Merge => StatementKind::Other,
        }
    }
}

impl Tag {
    pub(super) fn write(self, rows: u64, out: &mut String) {
        out.clear();
        let _ = match self {
            Tag::Select => write!(out, "SELECT {rows}"),
            Tag::Insert => write!(out, "INSERT 0 {rows}"),
            Tag::Update => write!(out, "UPDATE {rows}"),
            Tag::Delete => write!(out, "DELETE {rows}"),
            Tag::Merge => write!(out, "MERGE {rows}"),
        };
    }
    pub(super) fn verb(self) -> &'static str {
        match self {
            Tag::Select => "SELECT",
            Tag::Insert => "INSERT",
            Tag::Update => "UPDATE",
            Tag::Delete => "DELETE",
            Tag::Merge => "MERGE",
        }
    }
}

impl PreparedStmt {
    /// The same, `deep` or not.
    pub fn with_depth(self, deep: bool) -> PreparedStmt {
        PreparedStmt { deep, ..self }
    }
    /// The same, of this string.
    pub fn come_in(self, within: Option<String>) -> PreparedStmt {
        PreparedStmt { within, ..self }
    }
    /// As its text was parsed.
    pub fn of(p: Parsed, mut text: String, declared: Vec<Oid>) -> Result<PreparedStmt> {
        let mut counted_as = None;
        if text.len() > LONG_TEXT {
            let planned = p.stmt.is_query();
            (text, counted_as) = helpers::run(move || {
                let made = fingerprint(&text, planned);
                (text, Some(made))
            })?;
        }
        Ok(PreparedStmt { deep: p.deep, counted_as, ..PreparedStmt::new(text, Some(p.stmt), declared) })
    }
    pub fn new(text: String, stmt: Option<Statement>, declared: Vec<Oid>) -> PreparedStmt {
        let (types, retyped, cached, place, counted_as, inner, placed) = Default::default();
        let (deep, within) = (false, None);
        PreparedStmt { text, within, stmt, declared, types, retyped, cached, deep, place, counted_as, inner, placed }
    }
    /// What catalogs show of it: all of the string that it came in.
    pub fn shown(&self) -> &str {
        self.within.as_ref().unwrap_or(&self.text)
    }
    pub fn declared(&self) -> &[Oid] {
        &self.declared
    }
    /// A copy without a plan, which is to be made anew.
    pub(super) fn again(&self) -> Result<PreparedStmt> {
        let stmt = on_stack_for(self.deep, || Ok(self.stmt.clone()))?;
        let copy = PreparedStmt::new(self.text.clone(), stmt, self.declared.clone()).with_depth(self.deep);
        Ok(PreparedStmt { within: self.within.clone(), ..copy })
    }
    /// A copy for one session alone, which knows what was told of this one.
    pub(super) fn own_copy(&self) -> Result<PreparedStmt> {
        let copy = self.again()?;
        if let Some(types) = self.types.get() {
            let _ = copy.types.set(types.clone());
        }
        *copy.cached.lock() = self.cached.lock().clone();
        Ok(copy)
    }
    /// The same text and parameters with another query; system columns may be in it that the text does not name.
    pub(super) fn with_query(&self, query: Statement) -> PreparedStmt {
        let text = format!("{} -- ctid", self.text);
        PreparedStmt::new(text, Some(query), self.declared.clone()).with_depth(self.deep)
    }
    /// [`Self::with_query`], made once for these tables.
    pub(super) fn placed(&self, tables: &[Oid], query: Select) -> Arc<PreparedStmt> {
        let mut kept = self.placed.lock();
        match &*kept {
            Some((t, stmt)) if t == tables => stmt.clone(),
            _ => {
                let stmt = Arc::new(self.with_query(Statement::Select(Box::new(query))));
                *kept = Some((tables.to_vec(), stmt.clone()));
                stmt
            }
        }
    }
    /// The query that it explains or declares a cursor for, if it is an EXPLAIN or a DECLARE: its parameters are that query's.
    pub(super) fn inner(&self) -> Option<&Arc<PreparedStmt>> {
        let query = || match self.stmt.as_ref()? {
            Statement::Explain(e) if e.statement.is_query() => Some(e.statement.clone()),
            Statement::Declare(d) => Some(Statement::Select(Box::new(d.query.clone()))),
            _ => None,
        };
        let new = || {
            let query = on_stack_for(self.deep, || Ok(query())).ok()??;
            let inner = PreparedStmt::new(self.text.clone(), Some(query), self.declared.clone());
            Some(Arc::new(inner.with_depth(self.deep)))
        };
        self.inner.get_or_init(new).as_ref()
    }
    /// Of its parameters, as far as they are known.
    pub fn parameter_types(&self) -> Vec<Oid> {
        self.types.get().unwrap_or(&self.declared).clone()
    }
    /// Whether who sends its text now may get it: not if its parameters would have other types by now, or if 'now' or 'today' is a moment in its plan.
    pub fn serves_new(&self) -> bool {
        !self.retyped.load(Ordering::Relaxed) && !self.cached.lock().as_ref().is_some_and(|p| p.of_a_moment)
    }
    /// Whether its parameters have the types of `other`'s, for good.
    pub fn agrees(&self, other: &PreparedStmt) -> bool {
        match other.types.get() {
            Some(types) => self.types.get_or_init(|| types.clone()) == types,
            None => true,
        }
    }
    /// True for statements that go through bind and plan.
    pub fn is_query(&self) -> bool {
        self.stmt.as_ref().is_some_and(Statement::is_query)
    }
}
