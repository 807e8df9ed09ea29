//! Cursors that functions open. Their names are the session's: the client fetches from them and closes them as its own.
//!
//! ```text
//!   OPEN c FOR query --> all rows, charged to the session      FETCH of PL/pgSQL, FETCH and MOVE of the client --> a place in them
//!   place      0 before the first row, n on row n, rows + 1 behind the last
//! ```
//! They end with the transaction, and with the subtransaction that they were opened in when that is rolled back.
//!
//! Limits: all rows are read at OPEN; a function does not reach a cursor that the client declared (0A000).
use super::State;
use crate::client::Field;
use crate::session::cursor::{Listed, only_forward};
use pamir_expr::env::{CursorInfo, CursorRow};
use pamir_expr::spi::Answer;
use pamir_parse::tree::Direction;
use pamir_plpgsql::{NewCursor, Rows};
use pamir_txn::Held;
use pamir_types::{Datum, Error, Result, Type, bail, err};

/// Rows of an open cursor.
pub(in crate::session) struct Cursor {
    answer: Answer,
    at: usize,
    /// Not so of NO SCROLL.
    backward: bool,
    /// Open subtransactions when it was opened.
    level: usize,
    listed: Listed,
    /// Of each row the places in tables (`current.rs`), where it has them.
    places: Vec<Vec<Datum>>,
    /// What it takes beside its rows.
    _held: Held,
}
/// ... beside its names and its text.
const CURSOR_MEMORY: u64 = 2 << 10;
/// What a FETCH or MOVE gives.
pub(in crate::session) struct Fetched {
    pub columns: Vec<(String, Type)>,
    pub rows: Vec<Vec<Datum>>,
    /// Rows fetched, or passed over.
    pub processed: u64,
}
impl Fetched {
    pub fn fields(&self) -> Vec<Field> {
        let field = |(name, ty): &(String, Type)| Field { name: name.clone(), table: 0, attnum: 0, ty: *ty };
        self.columns.iter().map(field).collect()
    }
}

impl Cursor {
    /// Does PostgreSQL go backward for it, from `before` to where it stands now? To the last row it goes from the end, to the same row from behind it.
    fn must_go_back(&self, d: Direction, before: usize) -> bool {
        use Direction::*;
        match d {
            Absolute(n) if n < 0 => true,
            Relative(0) | Forward(0) | Backward(0) => (1..=self.answer.rows.len()).contains(&before),
            _ => self.at < before,
        }
    }
    /// Goes where it is told to; the rows on the way that are given.
    fn go(&mut self, d: Direction) -> Vec<Vec<Datum>> {
        use Direction::*;
        let all = self.answer.rows.len();
        let end = all + 1;
        let rows = &self.answer.rows;
        let one = |at: usize| rows.get(at.wrapping_sub(1)).cloned().into_iter().collect::<Vec<_>>();
        match d {
            Absolute(n) => {
                self.at = match n {
                    n if n < 0 => end.saturating_sub(n.unsigned_abs() as usize),
                    n => (n as usize).min(end),
                };
                one(self.at)
            }
            Relative(0) | Forward(0) | Backward(0) => one(self.at),
            Relative(n) => {
                self.at = match n {
                    n if n < 0 => self.at.saturating_sub(n.unsigned_abs() as usize),
                    n => self.at.saturating_add(n as usize).min(end),
                };
                one(self.at)
            }
            Forward(n) if n < 0 => self.go(Backward(n.saturating_neg())),
            Backward(n) if n < 0 => self.go(Forward(n.saturating_neg())),
            Forward(n) => {
                let from = self.at;
                let n = if n == Direction::ALL { usize::MAX } else { n as usize };
                self.at = from.saturating_add(n).min(end);
                rows.get(from..self.at.min(all)).unwrap_or(&[]).to_vec()
            }
            Backward(n) => {
                let from = self.at;
                let n = if n == Direction::ALL { usize::MAX } else { n as usize };
                self.at = from.saturating_sub(n);
                let first = self.at.saturating_sub(1);
                let passed = rows.get(first..from.saturating_sub(1)).unwrap_or(&[]);
                passed.iter().rev().cloned().collect()
            }
        }
    }
}

impl State {
    /// `row`: whose places the last columns are.
    pub(super) fn open_function_cursor(
        &mut self,
        mut r: Rows,
        new: NewCursor,
        text: &str,
        row: Option<CursorRow>,
    ) -> Result<String> {
        if !r.has_rows {
            bail!(INVALID_CURSOR_DEFINITION, "cannot open query as cursor: it returns no rows");
        }
        let name = match new.name {
            Some(n) => n.to_string(),
            None => {
                self.unnamed_cursors += 1;
                format!("<unnamed portal {}>", self.unnamed_cursors)
            }
        };
        if self.function_cursors.contains_key(&name) || self.cursors.lock().contains_key(&name) {
            bail!(DUPLICATE_CURSOR, "cursor \"{name}\" already in use");
        }
        let held = self.work().memory.hold(CURSOR_MEMORY + 2 * (name.len() + text.len()) as u64)?;
        let info = CursorInfo {
            statement: text.to_string(),
            holdable: false,
            binary: false,
            scrollable: new.backward,
            created: self.statement_time,
            row,
        };
        let shown = r.columns.len().saturating_sub(info.row.as_ref().map_or(0, |r| r.tables.len()));
        let mut places = Vec::new();
        if shown < r.columns.len() {
            r.columns.truncate(shown);
            places.extend(r.rows.iter_mut().map(|row| row.split_off(shown)));
        }
        let listed = Listed::new(&self.cursors, &name, info);
        let answer =
            Answer { columns: r.columns, rows: r.rows, processed: r.processed, has_rows: true, charged: r.charged };
        let level = self.frames.len();
        self.function_cursors
            .insert(name.clone(), Cursor { answer, at: 0, backward: new.backward, level, listed, places, _held: held });
        Ok(name)
    }
    /// FETCH, or MOVE, which gives no rows; None: no function has opened such a cursor.
    pub(in crate::session) fn fetch_of_function(
        &mut self,
        name: &str,
        d: Direction,
        moves: bool,
    ) -> Option<Result<Fetched>> {
        let c = self.function_cursors.get_mut(name)?;
        let before = c.at;
        let mut rows = c.go(d);
        if !c.backward && c.must_go_back(d, before) {
            c.at = before;
            return Some(Err(only_forward()));
        }
        if !c.places.is_empty() {
            c.listed.row(|r| r.places = c.places.get(c.at.wrapping_sub(1)).cloned());
        }
        let mut processed = rows.len() as u64;
        if moves {
            // MOVE BACKWARD ALL counts what it passes, the row it stood on not among it.
            if matches!(d, Direction::Backward(Direction::ALL)) {
                processed = before.saturating_sub(1) as u64;
            }
            rows.clear();
        }
        Some(Ok(Fetched { columns: c.answer.columns.clone(), rows, processed }))
    }
    /// Does a function's cursor have the name?
    pub(in crate::session) fn has_function_cursor(&self, name: &str) -> bool {
        self.function_cursors.contains_key(name)
    }
    /// The fields of a function's cursor.
    pub(in crate::session) fn function_cursor_fields(&self, name: &str) -> Option<Vec<Field>> {
        let c = self.function_cursors.get(name)?;
        let field = |(name, ty): &(String, Type)| Field { name: name.clone(), table: 0, attnum: 0, ty: *ty };
        Some(c.answer.columns.iter().map(field).collect())
    }
    /// None: all. False: there is none of the name.
    pub(in crate::session) fn close_function_cursor(&mut self, name: Option<&str>) -> bool {
        match name {
            Some(n) => self.function_cursors.remove(n).is_some(),
            None => {
                self.function_cursors.clear();
                true
            }
        }
    }
    /// Those of subtransactions beyond the first `open` go.
    pub(in crate::session) fn function_cursors_rolled_back(&mut self, open: usize) {
        if !self.function_cursors.is_empty() {
            self.function_cursors.retain(|_, c| c.level <= open);
        }
    }
    /// Why a function finds no cursor of a name.
    pub(super) fn no_cursor(&self, name: &str) -> Error {
        if self.cursors.lock().contains_key(name) {
            return Error::unsupported("cursors that the client declared, in functions");
        }
        err!(UNDEFINED_CURSOR, "cursor \"{name}\" does not exist")
    }
}
