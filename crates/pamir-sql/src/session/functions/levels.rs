//! Which functions are under way, for CONTEXT: of notices, and of what GET DIAGNOSTICS asks.
//!
//! ```text
//!   f() line 3 at PERFORM            levels[0], and what it runs: SQL statement "SELECT g()"
//!     g() line 1 at RAISE            levels[1]
//! ```
//! Errors gather their lines on the way out; a notice does not leave, so its lines are read here. What a level is at is noted before it runs SQL, and becomes text
//! only when somebody asks.
use super::State;
use crate::session::statement::PreparedStmt;
use pamir_plpgsql::run::Here;
use pamir_plpgsql::tree::Function;
use std::sync::Arc;

pub(in crate::session) enum Level {
    Pl {
        f: Arc<Function>,
        here: Here,
        runs: Option<Runs>,
    },
    /// LANGUAGE sql, and which statement of it.
    Sql {
        name: String,
        statement: usize,
    },
}
/// A statement of a level.
pub(in crate::session) struct Runs {
    pub stmt: Arc<PreparedStmt>,
    pub how: How,
}
#[derive(Clone)]
pub(in crate::session) enum How {
    Statement,
    /// A query without its SELECT.
    Select,
    Expression,
    /// What stands before its value.
    Assignment(String),
    /// A cursor's.
    Untold,
}
impl Runs {
    fn shown(&self) -> Option<String> {
        let text = &self.stmt.text;
        Some(match &self.how {
            How::Untold => return None,
            How::Statement => format!("SQL statement \"{text}\""),
            How::Select => format!("SQL statement \"SELECT {text}\""),
            How::Expression => format!("SQL expression \"{text}\""),
            How::Assignment(before) => format!("PL/pgSQL assignment \"{before}{text}\""),
        })
    }
}
impl Level {
    fn lines(&self, out: &mut Vec<String>) {
        match self {
            Level::Pl { f, here, runs } => {
                out.extend(runs.iter().filter_map(Runs::shown));
                out.push(here.shown(&f.signature));
            }
            Level::Sql { name, statement } => out.push(format!("SQL function \"{name}\" statement {statement}")),
        }
    }
}
impl State {
    /// The lines of all levels but the innermost `but`, innermost first.
    pub(in crate::session) fn context_lines(&self, but: usize) -> Vec<String> {
        let mut out = Vec::new();
        let n = self.levels.len().saturating_sub(but);
        self.levels[..n].iter().rev().for_each(|l| l.lines(&mut out));
        out
    }
    /// The innermost level is here now.
    #[inline]
    pub(super) fn at(&mut self, now: Here) {
        if let Some(Level::Pl { here, .. }) = self.levels.last_mut() {
            *here = now;
        }
    }
    /// ... and runs this, or nothing.
    pub(super) fn runs(&mut self, what: Option<Runs>) {
        if let Some(Level::Pl { runs, .. }) = self.levels.last_mut() {
            *runs = what;
        }
    }
}
