//! A server that speaks the protocol and does nothing else: every statement is answered at once with rows made beforehand. What a client reaches with it
//! is the ceiling that client, kernel and protocol leave to any engine on a machine.
//!
//!     cargo run --release -p pamir-pg --example ceiling -- 127.0.0.1:25440
//!     sysbench oltp_read_only --pgsql-port=25440 ... run
//!
//! The number of rows follows sysbench's reading statements: 100 for a range, 10 for a list, one for everything else; one column of 120 characters.
use pamir_pg::server::{Config, Server};
use pamir_pg::service::{QueryHandler, Service};
use pamir_sql::client::{Client, Field};
use pamir_sql::session::{Description, ExecuteOutcome};
use pamir_txn::{Cancel, MemoryAccount};
use pamir_types::{Datum, Error, Oid, Result, Type, err, oid};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

struct Nothing {
    next: AtomicI32,
    value: Datum,
    fields: Vec<Field>,
}

struct Idle {
    all: Arc<Nothing>,
    pid: i32,
    cancel: Arc<Cancel>,
    block: bool,
    /// Rows and number of parameters of each prepared statement.
    statements: HashMap<String, (usize, Vec<Oid>)>,
    bound: usize,
    tag: String,
}

fn rows_of(sql: &str) -> usize {
    if ["sum(", "count(", "SUM(", "COUNT("].iter().any(|f| sql.contains(f)) || !sql.starts_with("SELECT") {
        1
    } else if sql.contains("BETWEEN") {
        100
    } else if sql.contains(" IN (") {
        10
    } else {
        1
    }
}

impl Idle {
    fn answer(&mut self, rows: usize, client: &mut dyn Client) -> Result<()> {
        client.set_formats(&[0], &[Type::TEXT]);
        for _ in 0..rows {
            client.begin_row(1);
            client.datum(&self.all.value, Type::TEXT);
            client.end_row()?;
        }
        client.command_complete(&self.tag);
        Ok(())
    }
    fn block(&mut self, sql: &str) -> Option<&'static str> {
        let (tag, block) = match sql.trim_end_matches(';').to_ascii_lowercase().as_str() {
            "begin" => ("BEGIN", true),
            "commit" => ("COMMIT", false),
            "rollback" => ("ROLLBACK", false),
            _ => return None,
        };
        self.block = block;
        Some(tag)
    }
}

impl Service for Nothing {
    type Session = Idle;
    fn start(
        this: &Arc<Self>,
        _: &[(String, String)],
        _: Option<pamir_sql::client::Peer>,
        client: &mut dyn Client,
    ) -> Result<Self::Session> {
        client.parameter_status("server_version", "15.0");
        client.parameter_status("client_encoding", "UTF8");
        client.parameter_status("standard_conforming_strings", "on");
        Ok(Idle {
            all: this.clone(),
            pid: this.next.fetch_add(1, Ordering::Relaxed),
            cancel: Arc::default(),
            block: false,
            statements: HashMap::new(),
            bound: 1,
            tag: "SELECT 1".into(),
        })
    }
    fn cancel(&self, _: i32, _: i32) -> bool {
        false
    }
    fn verifier(&self, _: &str) -> Result<Option<String>> {
        Ok(None)
    }
    fn is_superuser(&self, role: &str) -> bool {
        role == "postgres"
    }
    fn mock_secret(&self) -> [u8; 32] {
        [0; 32]
    }
    fn memory(&self) -> Option<Arc<MemoryAccount>> {
        None
    }
    type Luggage = ();
    fn pack(&self) {}
    fn unpack(&self, (): ()) {}
}

impl QueryHandler for Idle {
    fn key(&self) -> (i32, i32) {
        (self.pid, 0)
    }
    fn cancel_handle(&self) -> Arc<Cancel> {
        self.cancel.clone()
    }
    fn status(&self) -> u8 {
        if self.block { b'T' } else { b'I' }
    }
    fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        if let Some(tag) = self.block(sql) {
            client.command_complete(tag);
            return Ok(());
        }
        client.row_description(&self.all.fields, &[0]);
        self.answer(rows_of(sql), client)
    }
    fn parse(&mut self, name: &str, sql: &str, _: &[Oid], _: &mut dyn Client) -> Result<()> {
        let parameters = (1..).take_while(|n| sql.contains(&format!("${n}"))).map(|_| oid::INT4).collect();
        self.statements.insert(name.into(), (rows_of(sql), parameters));
        Ok(())
    }
    fn bind(
        &mut self,
        _: &str,
        statement: &str,
        _: &[i16],
        _: &[Option<&[u8]>],
        _: &[i16],
        _: &mut dyn Client,
    ) -> Result<()> {
        let known = self.statements.get(statement);
        self.bound = known.ok_or_else(|| err!(INVALID_SQL_STATEMENT_NAME, "no statement \"{statement}\""))?.0;
        Ok(())
    }
    fn describe_statement(&mut self, name: &str) -> Result<Description<'_>> {
        let params = self.statements.get(name).map_or(&[][..], |s| &s.1);
        Ok(Description { params, fields: Some(&self.all.fields) })
    }
    fn describe_portal(&mut self, _: &str) -> Result<Option<(&[Field], &[i16])>> {
        Ok(Some((&self.all.fields, &[0])))
    }
    fn execute(&mut self, _: &str, _: u64, client: &mut dyn Client) -> Result<ExecuteOutcome> {
        self.answer(self.bound, client)?;
        Ok(ExecuteOutcome::Sent)
    }
    fn close_statement(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn close_portal(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn sync(&mut self, _: &mut dyn Client) -> Result<()> {
        Ok(())
    }
    fn fail(&mut self, _: &Error) {}
    fn idle_timeout(&self) -> Option<Duration> {
        None
    }
    fn idle_timeout_error(&self) -> Error {
        err!(IDLE_SESSION_TIMEOUT, "terminating connection due to idle-session timeout")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:25440".into());
    let field = Field { name: "c".into(), table: 0, attnum: 0, ty: Type::TEXT };
    let all = Nothing { next: AtomicI32::new(1), value: Datum::from("x".repeat(120)), fields: vec![field] };
    let server = Server::start(Arc::new(all), address.parse()?, Config::default())?;
    println!("answering on {}", server.local_addr());
    loop {
        std::thread::park();
    }
}
