//! What the protocol asks of SQL: [`pamir_sql::session`]'s `Database` as a [`Service`] and `Session` as a [`QueryHandler`], so that the protocol's
//! tests can stand small fakes in their place.
use pamir_net::Application;
use pamir_net::connection::Luggage as Packed;
use pamir_sql::client::{Client, Field, Peer};
use pamir_sql::session::{Database, Description, ExecuteOutcome, FunctionCall, Session, ThreadStatements};
use pamir_txn::{Cancel, MemoryAccount};
use pamir_types::{Error, Oid, Result};
use std::sync::Arc;
use std::time::Duration;

/// Shared by all connections. See `pamir_sql::session::Database`.
pub trait Service: Send + Sync + 'static {
    type Session: QueryHandler;
    fn start(
        this: &Arc<Self>,
        params: &[(String, String)],
        peer: Option<Peer>,
        client: &mut dyn Client,
    ) -> Result<Self::Session>;
    fn cancel(&self, pid: i32, secret: i32) -> bool;
    fn verifier(&self, role: &str) -> Result<Option<String>>;
    fn mock_secret(&self) -> [u8; 32];
    /// May `role` take one of the connections held back for superusers?
    fn is_superuser(&self, role: &str) -> bool;
    /// The account that connections' buffers are charged to.
    fn memory(&self) -> Option<Arc<MemoryAccount>>;
    /// What session `pid` is doing, in `most` bytes at most.
    fn statement_of(&self, _pid: i32, _most: usize) -> Option<String> {
        None
    }
    /// What the sessions of one thread share, and take along when all of them go on on another one.
    type Luggage: Send + 'static;
    /// Takes it off the calling thread.
    fn pack(&self) -> Self::Luggage;
    /// It is the calling thread's from now on.
    fn unpack(&self, luggage: Self::Luggage);
}

/// A service as the runtime sees it.
pub(crate) struct Resident<S>(pub Arc<S>);
impl<S: Service> Application for Resident<S> {
    fn memory(&self) -> Option<Arc<MemoryAccount>> {
        self.0.memory()
    }
    fn statement_of(&self, id: i32, most: usize) -> Option<String> {
        self.0.statement_of(id, most)
    }
    fn pack(&self) -> Packed {
        Box::new(self.0.pack())
    }
    fn unpack(&self, luggage: Packed) {
        if let Ok(l) = luggage.downcast() {
            self.0.unpack(*l);
        }
    }
}

/// What runs the queries of one connection, simple and extended: its session. Between two calls it may go to another thread. See `pamir_sql::session::Session`.
pub trait QueryHandler: Send + 'static {
    fn key(&self) -> (i32, i32);
    fn cancel_handle(&self) -> Arc<Cancel>;
    fn status(&self) -> u8;
    fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()>;
    fn parse(&mut self, name: &str, sql: &str, param_types: &[Oid], client: &mut dyn Client) -> Result<()>;
    fn bind(
        &mut self,
        portal: &str,
        statement: &str,
        param_formats: &[i16],
        values: &[Option<&[u8]>],
        result_formats: &[i16],
        client: &mut dyn Client,
    ) -> Result<()>;
    fn describe_statement(&mut self, name: &str) -> Result<Description<'_>>;
    #[allow(clippy::type_complexity)]
    fn describe_portal(&mut self, name: &str) -> Result<Option<(&[Field], &[i16])>>;
    fn execute(&mut self, portal: &str, max_rows: u64, client: &mut dyn Client) -> Result<ExecuteOutcome>;
    fn function_call(&mut self, _: &FunctionCall, _: &mut dyn Client) -> Result<()> {
        Err(Error::unsupported("function calls"))
    }
    fn close_statement(&mut self, name: &str) -> Result<()>;
    fn close_portal(&mut self, name: &str) -> Result<()>;
    fn sync(&mut self, client: &mut dyn Client) -> Result<()>;
    /// An error as it is to be sent.
    fn told(&self, e: Error) -> Error {
        e
    }
    /// An error was sent, or is about to be.
    fn fail(&mut self, e: &Error);
    /// Replies are about to leave without a Sync before them.
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }
    /// Has it something to say that its client did not ask for?
    fn has_news(&self) -> bool {
        false
    }
    /// Says it, between transactions.
    fn tell_news(&mut self, _client: &mut dyn Client) {}
    fn idle_timeout(&self) -> Option<Duration>;
    /// What to say when it has passed.
    fn idle_timeout_error(&self) -> Error;
}

impl Service for Database {
    type Session = Session;
    fn start(
        this: &Arc<Self>,
        params: &[(String, String)],
        peer: Option<Peer>,
        client: &mut dyn Client,
    ) -> Result<Session> {
        Session::start(this.clone(), params, peer, client)
    }
    fn cancel(&self, pid: i32, secret: i32) -> bool {
        Database::cancel(self, pid, secret)
    }
    fn verifier(&self, role: &str) -> Result<Option<String>> {
        Database::verifier(self, role)
    }
    fn mock_secret(&self) -> [u8; 32] {
        Database::mock_secret(self)
    }
    fn is_superuser(&self, role: &str) -> bool {
        self.catalog().role_by_name(role).is_some_and(|r| r.superuser)
    }
    fn memory(&self) -> Option<Arc<MemoryAccount>> {
        Some(self.engine().memory())
    }
    fn statement_of(&self, pid: i32, most: usize) -> Option<String> {
        Database::statement_of(self, pid, most)
    }
    type Luggage = ThreadStatements;
    fn pack(&self) -> ThreadStatements {
        ThreadStatements::pack()
    }
    fn unpack(&self, luggage: ThreadStatements) {
        luggage.unpack()
    }
}

impl QueryHandler for Session {
    fn key(&self) -> (i32, i32) {
        Session::key(self)
    }
    fn cancel_handle(&self) -> Arc<Cancel> {
        Session::cancel_handle(self)
    }
    fn status(&self) -> u8 {
        Session::status(self)
    }
    fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        Session::simple_query(self, sql, client)
    }
    fn parse(&mut self, name: &str, sql: &str, param_types: &[Oid], client: &mut dyn Client) -> Result<()> {
        Session::parse(self, name, sql, param_types, client)
    }
    fn bind(
        &mut self,
        portal: &str,
        statement: &str,
        param_formats: &[i16],
        values: &[Option<&[u8]>],
        result_formats: &[i16],
        client: &mut dyn Client,
    ) -> Result<()> {
        Session::bind(self, portal, statement, param_formats, values, result_formats, client)
    }
    fn describe_statement(&mut self, name: &str) -> Result<Description<'_>> {
        Session::describe_statement(self, name)
    }
    fn describe_portal(&mut self, name: &str) -> Result<Option<(&[Field], &[i16])>> {
        Session::describe_portal(self, name)
    }
    fn execute(&mut self, portal: &str, max_rows: u64, client: &mut dyn Client) -> Result<ExecuteOutcome> {
        Session::execute(self, portal, max_rows, client)
    }
    fn function_call(&mut self, call: &FunctionCall, client: &mut dyn Client) -> Result<()> {
        Session::function_call(self, call, client)
    }
    fn close_statement(&mut self, name: &str) -> Result<()> {
        Session::close_statement(self, name)
    }
    fn close_portal(&mut self, name: &str) -> Result<()> {
        Session::close_portal(self, name)
    }
    fn sync(&mut self, client: &mut dyn Client) -> Result<()> {
        Session::sync(self, client)
    }
    fn told(&self, e: Error) -> Error {
        Session::told(self, e)
    }
    fn fail(&mut self, e: &Error) {
        Session::fail(self, e)
    }
    fn settle(&mut self) -> Result<()> {
        Session::settle(self)
    }
    fn has_news(&self) -> bool {
        Session::has_news(self)
    }
    fn tell_news(&mut self, client: &mut dyn Client) {
        Session::tell_news(self, client)
    }
    fn idle_timeout(&self) -> Option<Duration> {
        Session::idle_timeout(self)
    }
    fn idle_timeout_error(&self) -> Error {
        Session::idle_timeout_error(self)
    }
}
