//! The client of tests: it keeps what a session said to it, in order, and has something to say where a statement reads from its client.
//!
//! ```text
//!   Session --> Transcript.said: Fields, Row, Row, Tag, Notice, CopyOut, ...     text(), rows(), tag(), notices(), copied(): views of it
//!           <-- Transcript.input: what COPY FROM reads, piece by piece
//! ```
//! Every value is written in both of its formats, whichever is asked for: none may have but one.
//!
//! *Invariant*: what was said stays as it was said; NULL becomes a word only in a view. Limits: values are kept as text; the formats of a result are not kept.
use crate::client::{Client, Field, Mark, RowSink};
use crate::session::{Database, Session};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Error, Result, Type, binary};
use std::collections::VecDeque;
use std::sync::Arc;

/// What NULL is in [`Transcript::text`].
const NULL: &str = "null";

/// One thing that a session said.
#[derive(Debug)]
pub enum Said {
    /// The names of a result's columns.
    Fields(Vec<String>),
    Row(Vec<Option<String>>),
    Tag(String),
    Notice(Error),
    /// What another session, or this one, said: channel and payload.
    Notification(String, String),
    CopyOut(Vec<u8>),
    EmptyQuery,
    Suspended,
}
/// What a session said.
#[derive(Default)]
pub struct Transcript {
    pub said: Vec<Said>,
    /// What COPY FROM reads, in these pieces.
    input: VecDeque<Vec<u8>>,
    /// Every row goes out at once: what it was made of must be durable by then.
    eager: bool,
    /// Rows are written and not kept.
    forgets_rows: bool,
    /// How often something was said that cannot be taken back.
    left: u64,
    cx: TextCtx,
    row: Vec<Option<String>>,
    binary: Vec<u8>,
}
impl Transcript {
    /// One whose rows go out at once.
    pub fn eager() -> Transcript {
        Transcript { eager: true, ..Transcript::default() }
    }
    /// One that keeps no row, however many there are.
    pub fn forgetful() -> Transcript {
        Transcript { forgets_rows: true, ..Transcript::eager() }
    }
    /// COPY FROM reads these bytes from now on, in pieces of `size`.
    pub fn feed(&mut self, bytes: &[u8], size: usize) {
        self.input = bytes.chunks(size.max(1)).map(<[u8]>::to_vec).collect();
    }
    /// The rows, columns joined by `|`.
    pub fn rows(&self, null: &str) -> Vec<String> {
        let shown =
            |r: &Vec<Option<String>>| r.iter().map(|c| c.as_deref().unwrap_or(null)).collect::<Vec<_>>().join("|");
        self.said.iter().filter_map(|s| if let Said::Row(r) = s { Some(shown(r)) } else { None }).collect()
    }
    /// The rows, each with an end of line.
    pub fn text(&self) -> String {
        self.rows(NULL).into_iter().map(|r| r + "\n").collect()
    }
    /// The last command's tag; empty where there was none.
    pub fn tag(&self) -> &str {
        self.said.iter().rev().find_map(|s| if let Said::Tag(t) = s { Some(t.as_str()) } else { None }).unwrap_or("")
    }
    /// The messages of notices and warnings.
    pub fn notices(&self) -> Vec<String> {
        let message = |s: &Said| if let Said::Notice(e) = s { Some(e.message().to_string()) } else { None };
        self.said.iter().filter_map(message).collect()
    }
    /// What was heard: `channel: payload`.
    pub fn notifications(&self) -> Vec<String> {
        let heard = |s: &Said| if let Said::Notification(c, p) = s { Some(format!("{c}: {p}")) } else { None };
        self.said.iter().filter_map(heard).collect()
    }
    /// What COPY TO sent.
    pub fn copied(&self) -> Vec<u8> {
        let bytes = self.said.iter().filter_map(|s| if let Said::CopyOut(b) = s { Some(&b[..]) } else { None });
        bytes.flatten().copied().collect()
    }
}
impl RowSink for Transcript {
    fn begin_row(&mut self, _: usize) {
        self.row.clear();
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        if d.is_null() {
            return self.null();
        }
        self.binary.clear();
        binary::encode_with(d, ty, self.cx.types.as_deref(), &mut self.binary);
        self.row.push(Some(text::to_string(d, ty, &self.cx)));
    }
    fn bytes(&mut self, b: &[u8]) {
        self.row.push(Some(String::from_utf8_lossy(b).into_owned()));
    }
    fn null(&mut self) {
        self.row.push(None);
    }
    fn end_row(&mut self) -> Result<()> {
        self.left += u64::from(self.eager);
        if !self.forgets_rows {
            self.said.push(Said::Row(std::mem::take(&mut self.row)));
        }
        Ok(())
    }
    fn leaves(&self) -> bool {
        self.eager
    }
}
impl Client for Transcript {
    fn mark(&self) -> Option<Mark> {
        Some(Mark { left: self.left, kept: self.said.len() })
    }
    fn take_back(&mut self, to: Mark) -> bool {
        if self.left != to.left {
            return false;
        }
        self.said.truncate(to.kept);
        self.row.clear();
        true
    }
    fn row_description(&mut self, fields: &[Field], _: &[i16]) {
        self.said.push(Said::Fields(fields.iter().map(|f| f.name.clone()).collect()));
    }
    fn set_formats(&mut self, _: &[i16], _: &[Type]) {}
    fn command_complete(&mut self, tag: &str) {
        self.said.push(Said::Tag(tag.into()));
    }
    fn empty_query(&mut self) {
        self.said.push(Said::EmptyQuery);
    }
    fn portal_suspended(&mut self) {
        self.said.push(Said::Suspended);
    }
    fn notice(&mut self, e: &Error) {
        self.said.push(Said::Notice(e.clone()));
    }
    fn parameter_status(&mut self, _: &str, _: &str) {}
    fn notification(&mut self, _: i32, channel: &str, payload: &str) {
        self.said.push(Said::Notification(channel.into(), payload.into()));
    }
    fn set_text_ctx(&mut self, cx: &TextCtx) {
        self.cx = cx.clone();
    }
    fn copy_out_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_data(&mut self, b: &[u8]) -> Result<()> {
        self.said.push(Said::CopyOut(b.to_vec()));
        Ok(())
    }
    fn copy_done(&mut self) -> Result<()> {
        Ok(())
    }
    fn copy_in_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_in_read(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        let piece = self.input.pop_front();
        self.left += 1;
        out.extend_from_slice(piece.as_deref().unwrap_or_default());
        Ok(piece.is_some())
    }
}

/// A session of `user` in the database `postgres`.
pub fn start(db: &Arc<Database>, user: &str) -> Result<Session> {
    let params = [("user", user), ("database", "postgres")].map(|(k, v)| (k.to_string(), v.to_string()));
    Session::start(db.clone(), &params, None, &mut Transcript::default())
}
/// What a simple query and the Sync behind it say.
pub fn run(s: &mut Session, sql: &str) -> Result<Transcript> {
    let mut said = Transcript::default();
    let ran = s.simple_query(sql, &mut said);
    let synced = s.sync(&mut said);
    ran.and(synced).map(|()| said)
}
