//! Sessions: the public shape that a protocol drives.
use crate::catalog::Catalog;
use crate::client::{Client, Field};
use pamir_txn::{Cancel, Shard};
use pamir_types::{Oid, Result};
use std::sync::Arc;

/// One open database directory: the shard, the published catalog, the list of sessions. Shared by all connections.
pub struct Database { _p: () }
/// One connection's state.
pub struct Session { _p: () }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExecuteOutcome { /// CommandComplete or PortalSuspended or EmptyQueryResponse was sent
    Sent }

/// A prepared statement's description.
pub struct Description<'a> { pub params: &'a [Oid], /// None: returns no rows
    pub fields: Option<&'a [Field]> }

#[allow(unused_variables)]
impl Database {
    pub fn open(shard: Arc<Shard>) -> Result<Arc<Database>> { todo!() }
    pub fn shard(&self) -> &Arc<Shard> { todo!() }
    pub fn catalog(&self) -> Arc<Catalog> { todo!() }
    /// Cancels by the BackendKeyData pair; true if there was such a session.
    pub fn cancel(&self, pid: i32, secret: i32) -> bool { todo!() }
    /// Asks every session to end (shutdown).
    pub fn terminate_all(&self) { todo!() }
    /// The stored SCRAM verifier of a role that may log in; Err(28000) if there is no such role.
    pub fn verifier(&self, role: &str) -> Result<Option<String>> { todo!() }
    /// SCRAM needs the same shape of answer for unknown roles; secret for mock salts.
    pub fn mock_secret(&self) -> [u8; 32] { todo!() }
    /// name, value pairs of SQL-level counters for /metrics.
    pub fn stats(&self) -> Vec<(&'static str, u64)> { todo!() }
}
#[allow(unused_variables)]
impl Session {
    /// After authentication. `params` are the startup packet's (user, database, application_name, options, client_encoding, DateStyle...). 3D000 for an unknown database.
    /// Sends every ParameterStatus through `client`.
    pub fn start(db: Arc<Database>, params: &[(String, String)], peer: Option<String>, client: &mut dyn Client) -> Result<Session> { todo!() }
    /// BackendKeyData.
    pub fn key(&self) -> (i32, i32) { todo!() }
    pub fn cancel_handle(&self) -> Arc<Cancel> { todo!() }
    /// ReadyForQuery's byte: I, T or E.
    pub fn status(&self) -> u8 { todo!() }
    /// Simple query: runs every statement of `sql`, sending all results. An Err is to be sent as ErrorResponse (the session has already aborted what it must).
    pub fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> { todo!() }
    pub fn parse(&mut self, name: &str, sql: &str, param_types: &[Oid], client: &mut dyn Client) -> Result<()> { todo!() }
    /// `values` are the raw parameter values as sent. 08P01 on a wrong count, 26000 on an unknown statement.
    pub fn bind(&mut self, portal: &str, statement: &str, param_formats: &[i16], values: &[Option<&[u8]>], result_formats: &[i16], client: &mut dyn Client) -> Result<()> { todo!() }
    pub fn describe_statement(&mut self, name: &str) -> Result<Description<'_>> { todo!() }
    /// Sends RowDescription or NoData by itself is the protocol's work: fields and formats of a portal; None: no rows.
    pub fn describe_portal(&mut self, name: &str) -> Result<Option<(&[Field], &[i16])>> { todo!() }
    pub fn execute(&mut self, portal: &str, max_rows: u64, client: &mut dyn Client) -> Result<ExecuteOutcome> { todo!() }
    pub fn close_statement(&mut self, name: &str) -> Result<()> { todo!() }
    pub fn close_portal(&mut self, name: &str) -> Result<()> { todo!() }
    /// Sync: ends the implicit transaction (commits it, or rolls back after an error).
    pub fn sync(&mut self, client: &mut dyn Client) -> Result<()> { todo!() }
    /// An error was sent in the extended protocol: the implicit transaction is aborted, an explicit one fails (status E); messages are skipped until Sync by the protocol.
    pub fn fail(&mut self) { todo!() }
    /// True while an explicit transaction is open (idle_in_transaction_session_timeout applies) and the timeout, if any.
    pub fn idle_timeout(&self) -> Option<std::time::Duration> { todo!() }
}
