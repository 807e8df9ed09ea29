//! One connection's state machine: startup, authentication, then messages until the end.
//!
//! ```text
//!             SSLRequest: S, TLS              p            p
//!          +----+                       +--> Sasl ----> Sasl --+
//!          v    |                       |                      |
//! socket -> Startup --StartupMessage--> authentication -----> Ready --X, FATAL, EOF--> Closed
//!               |                       |              |       ^
//!               +--CancelRequest--> X   |           Denied --> X, after a moment
//!                                       +------- trust --------+
//! ```
//! `run` handles every complete message of the input buffer and returns when there is none left; it is called
//! inside a coroutine, so whatever a message needs may suspend. Between two runs the connection is idle: it owns no stack.
//!
//! Output is written once per run, at its end, or when it grows large. Replies up to a ReadyForQuery with more messages behind it are
//! deferred to the wire, where the worker sends them if the next statement has to wait: a client that waits for the first
//! answer of a pipeline before it unblocks the second must get it.
use crate::io::Io;
use crate::md5;
use crate::proto::{self, Body, Frame, HEADER};
use crate::scram::{self, Binding, Scram};
use crate::server::{Ask, Shared};
use crate::service::{QueryHandler, Service};
use crate::startup::{self, Params, Startup};
use pamir_net::{Connection, End, Link, Need, Next};
use pamir_sql::client::{Client, Peer, Tls};
use pamir_sql::session::FunctionCall;
use pamir_types::error::{Severity, state};
use pamir_types::long::PIECE;
use pamir_types::{Error, Result, bail, err};
use smallvec::SmallVec;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A query text's buffer is kept between statements up to this size.
const KEEP_SQL: usize = 4 << 10;

enum Phase {
    Startup,
    /// `scram` is None until the client has chosen the mechanism.
    Sasl {
        params: Params,
        verifier: Option<String>,
        scram: Option<Box<Scram>>,
        /// Of a password that is stored as MD5, which is asked for in SCRAM's place.
        salt: Option<[u8; 4]>,
    },
    /// The password was wrong: the answer leaves when the moment has come, and until then nothing is heard.
    Denied {
        error: Error,
        until: Instant,
    },
    Ready,
    Closed,
}

pub struct Conn<S: Service> {
    service: Arc<S>,
    shared: Arc<Shared>,
    io: Io,
    session: Option<S::Session>,
    phase: Phase,
    peer: SocketAddr,
    opened: Instant,
    /// The user and the database that were asked for, until the session stands.
    wanted: Option<Box<(String, String)>>,
    /// Why they cannot have it, for the log alone.
    denied_for: Option<String>,
    /// The certificate's hash, over TLS.
    end_point: Option<Arc<[u8]>>,
    /// Counted in `Shared::sessions`.
    counted: bool,
    /// After an error in the extended protocol: skip to Sync.
    skip: bool,
    /// Messages of the extended protocol have come since the last Sync.
    piped: bool,
    /// Reused for query texts and portal names, which must outlive the input buffer.
    text: String,
    /// Why the next run ends it.
    end: Option<End>,
}

impl<S: Service> Conn<S> {
    pub fn new(service: Arc<S>, shared: Arc<Shared>, link: Link, peer: SocketAddr) -> Conn<S> {
        Conn {
            service,
            shared,
            io: Io::new(link),
            session: None,
            phase: Phase::Startup,
            peer,
            opened: Instant::now(),
            wanted: None,
            denied_for: None,
            end_point: None,
            counted: false,
            skip: false,
            piped: false,
            text: String::new(),
            end: None,
        }
    }

    fn fatal(&mut self, e: Error) {
        match self.wanted.take() {
            // Nobody has authenticated: what an operator looks for when a client cannot connect, or somebody guesses.
            Some(w) => {
                let (user, database, d) = (w.0, w.1, e.data());
                let (sqlstate, detail) = (e.code(), self.denied_for.take().or_else(|| d.detail.clone()));
                tracing::error!(target: "pamir::error", user, database, client = %self.peer, sqlstate = sqlstate.as_str(), detail, "FATAL: {}", e.message_on_one_line());
            }
            None => tracing::debug!(peer = %self.peer, error = %e, "connection ends"),
        }
        self.shared.count(|c| c.errors.add(1));
        self.io.error(&e.severity(Severity::Fatal));
    }

    fn close(&mut self) {
        // Dropping the session rolls back its transaction: here, where it may suspend.
        self.session = None;
        self.phase = Phase::Closed;
        if self.counted {
            self.counted = false;
            self.shared.sessions.fetch_sub(1, Ordering::Relaxed);
        }
        self.io.link.close();
    }

    /// False: the connection is over.
    fn messages(&mut self) -> Result<bool> {
        let before = self.session.is_some();
        loop {
            // What came with the log-in is a run of its own: the worker learns of the session between the two, by which a statement is stopped and
            // hears that its client has gone.
            if self.session.is_some() != before {
                return Ok(true);
            }
            if self.io.link.broken {
                return Ok(false);
            }
            let go_on = match &self.phase {
                Phase::Startup => match proto::startup_frame(self.io.link.input.data())? {
                    Err(_) => return Ok(true),
                    Ok(total) => {
                        let packet = startup::parse(self.io.link.input.data().get(..total).unwrap_or_default());
                        self.io.link.input.consume(total);
                        self.startup(packet?)?
                    }
                },
                Phase::Sasl { .. } => match proto::frame(self.io.link.input.data(), true)? {
                    Frame::Partial(_) => return Ok(true),
                    Frame::Complete { kind: b'p', total } => {
                        let body = self.io.link.input.data().get(HEADER..total).unwrap_or_default().to_vec();
                        self.io.link.input.consume(total);
                        self.sasl(&body)?
                    }
                    Frame::Complete { .. } => false,
                },
                Phase::Ready => match proto::frame(self.io.link.input.data(), false)? {
                    Frame::Partial(_) => return Ok(true),
                    Frame::Complete { kind, total } => self.message(kind, total)?,
                },
                Phase::Denied { .. } => return Ok(true),
                Phase::Closed => false,
            };
            if !go_on {
                return Ok(false);
            }
        }
    }

    fn startup(&mut self, packet: Startup) -> Result<bool> {
        match packet {
            Startup::Gss => self.io.link.out.push(b'N'),
            Startup::Ssl => {
                let tls = self.shared.config().tls.clone().filter(|_| !self.io.link.wire.lock().is_tls());
                let Some(tls) = tls else {
                    self.io.link.out.push(b'N');
                    return Ok(true);
                };
                // What came before the handshake was not protected by it (CVE-2021-23214).
                if !self.io.link.input.data().is_empty() {
                    return Err(proto::violation("received unencrypted data after SSL request")
                        .detail("This could be either a client-software bug or evidence of an attempted man-in-the-middle attack."));
                }
                self.io.link.out.push(b'S');
                self.io.link.flush(false)?;
                self.io.link.wire.lock().start_tls(&tls)?;
                self.end_point = tls.end_point;
            }
            Startup::Cancel { pid, secret } => {
                self.service.cancel(pid, secret);
                return Ok(false);
            }
            Startup::Session(params) => {
                self.authenticate(params)?;
            }
        }
        Ok(true)
    }

    fn authenticate(&mut self, params: Params) -> Result<()> {
        if self.shared.stopping.load(Ordering::Relaxed) {
            bail!(CANNOT_CONNECT_NOW, "the database system is shutting down");
        }
        if let Some(options) = &params.negotiate {
            self.io.negotiate(options);
        }
        let config = self.shared.config();
        self.wanted = Some(Box::new((params.user.clone(), params.database.clone())));
        let loopback = self.peer.ip().to_canonical().is_loopback();
        let ask = match loopback {
            true => config.loopback,
            false if config.insecure => Ask::IfSet,
            false => Ask::Everybody,
        };
        if !loopback && !config.insecure && !self.io.link.wire.lock().is_tls() {
            return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "connections from other hosts must use TLS")
                .hint("Connect with sslmode=require."));
        }
        let verifier = self.service.verifier(&params.user);
        let sasl = match ask {
            Ask::Nobody => verifier.map(|_| None)?,
            Ask::IfSet => verifier?.map(Some),
            // Unknown roles and roles without a password get the same conversation and fail at its end.
            Ask::Everybody => {
                self.denied_for = match &verifier {
                    Err(e) => Some(e.message().to_string()),
                    Ok(None) => Some(format!("Role \"{}\" has no password.", params.user)),
                    Ok(Some(_)) => None,
                };
                Some(verifier.ok().flatten())
            }
        };
        match sasl {
            None => self.begin_session(params),
            Some(Some(verifier)) if md5::stored(&verifier).is_some() => {
                let mut salt = [0u8; 4];
                getrandom::fill(&mut salt)
                    .map_err(|e| Error::internal(format!("could not generate random salt: {e}")))?;
                self.io.authentication(5, &salt);
                self.phase = Phase::Sasl { params, verifier: Some(verifier), scram: None, salt: Some(salt) };
                Ok(())
            }
            Some(verifier) => {
                let plus = self.end_point.is_some().then_some(scram::MECHANISM_PLUS);
                let mut mechanisms = Vec::new();
                for m in plus.into_iter().chain([scram::MECHANISM]) {
                    mechanisms.extend_from_slice(m.as_bytes());
                    mechanisms.push(0);
                }
                mechanisms.push(0);
                self.io.authentication(10, &mechanisms);
                self.phase = Phase::Sasl { params, verifier, scram: None, salt: None };
                Ok(())
            }
        }
    }

    fn sasl(&mut self, body: &[u8]) -> Result<bool> {
        let Phase::Sasl { params, verifier, scram, salt } = &mut self.phase else { return Ok(false) };
        if let Some(salt) = *salt {
            let mut b = Body::new(body);
            let answer = b.cstr()?.as_bytes().to_vec();
            b.end()?;
            if !md5::is_answer(verifier.as_deref().unwrap_or(""), salt, &answer) {
                let user = params.user.clone();
                self.deny(&user);
                return Ok(true);
            }
            let params = std::mem::take(params);
            self.begin_session(params)?;
            return Ok(true);
        }
        let reply = match scram {
            None => {
                let mut b = Body::new(body);
                let mechanism = b.cstr()?;
                let binding = match (mechanism, self.end_point.clone()) {
                    (scram::MECHANISM, None) => Binding::None,
                    (scram::MECHANISM, Some(_)) => Binding::Offered,
                    (scram::MECHANISM_PLUS, Some(hash)) => Binding::Bound(hash),
                    _ => return Err(proto::violation("client selected an invalid SASL authentication mechanism")),
                };
                let first = b.value()?.unwrap_or_default();
                b.end()?;
                let secret = self.service.mock_secret();
                let s = scram.insert(Box::new(Scram::new(&params.user, verifier.as_deref(), &secret, binding)?));
                s.answer(first)?
            }
            Some(s) => s.answer(body)?,
        };
        match reply {
            scram::Reply::Continue(m) => self.io.authentication(11, m.as_bytes()),
            scram::Reply::Denied => {
                let user = params.user.clone();
                self.deny(&user);
            }
            scram::Reply::Done(m) => {
                let params = std::mem::take(params);
                self.io.authentication(12, m.as_bytes());
                self.begin_session(params)?;
            }
        }
        Ok(true)
    }

    fn deny(&mut self, user: &str) {
        let error = err!(INVALID_PASSWORD, "password authentication failed for user \"{user}\"");
        let config = self.shared.config();
        let until = (Instant::now() + config.auth_delay).min(self.opened + config.auth_timeout);
        self.phase = Phase::Denied { error, until };
    }
    /// Only who has authenticated takes a session's place.
    fn take_place(&mut self, user: &str) -> Result<()> {
        let config = self.shared.config();
        let before = self.shared.sessions.fetch_add(1, Ordering::Relaxed);
        self.counted = true;
        if before >= config.max_connections {
            bail!(TOO_MANY_CONNECTIONS, "sorry, too many clients already");
        }
        if before >= config.max_connections.saturating_sub(config.superuser_reserved)
            && !self.service.is_superuser(user)
        {
            bail!(
                TOO_MANY_CONNECTIONS,
                "remaining connection slots are reserved for non-replication superuser connections"
            );
        }
        Ok(())
    }

    fn begin_session(&mut self, params: Params) -> Result<()> {
        self.take_place(&params.user)?;
        self.io.authentication(0, &[]);
        let (host, port) = (self.peer.ip().to_canonical().to_string(), self.peer.port());
        let protection = self.io.link.wire.lock().protection();
        let tls = protection.map(|p| Tls { version: p.version, cipher: p.cipher, bits: p.bits });
        let peer = Peer { host, port, tls };
        let session = S::start(&self.service, &params.params, Some(peer), &mut self.io)?;
        let (pid, secret) = session.key();
        self.io.backend_key(pid, secret);
        self.io.link.cancel = Some(session.cancel_handle());
        self.io.ready(session.status());
        self.session = Some(session);
        self.wanted = None;
        self.phase = Phase::Ready;
        Ok(())
    }

    /// One message of the ready phase, at the start of the input.
    fn message(&mut self, kind: u8, total: usize) -> Result<bool> {
        if self.skip && !matches!(kind, b'S' | b'X') {
            self.io.link.input.consume(total);
            return Ok(true);
        }
        let total = match self.io.decodes() {
            false => total,
            true => match self.io.decode_message(kind, total) {
                Ok(total) => total,
                Err(e) => {
                    self.io.link.input.consume(total);
                    return self.undecodable(kind, e);
                }
            },
        };
        let Some(session) = &mut self.session else { return Ok(false) };
        self.piped = matches!(kind, b'P' | b'B' | b'D' | b'C' | b'E' | b'H') || self.piped && kind != b'S';
        match kind {
            b'Q' => {
                self.shared.count(|c| c.statements.add(1));
                // COPY FROM STDIN reads on from the input buffer, so the text is copied out of it.
                let mut text = std::mem::take(&mut self.text);
                text.clear();
                let mut b = Body::new(self.io.link.input.data().get(HEADER..total).unwrap_or_default());
                let sql = b.cstr_into(&mut text).and_then(|()| b.end());
                self.io.link.input.consume(total);
                let r = match sql {
                    Ok(()) => session.simple_query(&text, &mut self.io),
                    Err(e) => {
                        session.fail(&e);
                        Err(e)
                    }
                };
                self.text = text;
                let alive = self.outcome(r);
                if alive {
                    self.ready()?;
                }
                Ok(alive)
            }
            b'E' => {
                self.shared.count(|c| c.statements.add(1));
                let mut portal = std::mem::take(&mut self.text);
                portal.clear();
                let mut b = Body::new(self.io.link.input.data().get(HEADER..total).unwrap_or_default());
                let rows = (|| {
                    portal.push_str(b.cstr()?);
                    let rows = b.i32()?;
                    b.end().map(|()| rows.max(0) as u64)
                })();
                self.io.link.input.consume(total);
                let r = rows.and_then(|rows| session.execute(&portal, rows, &mut self.io));
                self.text = portal;
                Ok(self.extended(r.map(|_| ())))
            }
            b'P' | b'B' | b'D' | b'C' => {
                // These read nothing more: the message stays where it is, its fields are slices of it.
                let mut input = std::mem::take(&mut self.io.link.input);
                let b = Body::new(input.data().get(HEADER..total).unwrap_or_default());
                let r = match kind {
                    b'P' => parse(session, b, &mut self.io),
                    b'B' => bind(session, b, &mut self.io),
                    b'D' => describe(session, b, &mut self.io),
                    _ => close(session, b, &mut self.io),
                };
                input.consume(total);
                self.io.link.input = input;
                Ok(self.extended(r))
            }
            b'S' => {
                self.io.link.input.consume(total);
                self.skip = false;
                let r = session.sync(&mut self.io);
                let alive = self.outcome(r);
                if alive {
                    self.ready()?;
                }
                Ok(alive)
            }
            b'H' => {
                self.io.link.input.consume(total);
                if !self.settle() {
                    return Ok(false);
                }
                self.io.link.defer()?;
                Ok(true)
            }
            b'X' => Ok(false),
            b'F' => {
                self.shared.count(|c| c.statements.add(1));
                let mut input = std::mem::take(&mut self.io.link.input);
                let b = Body::new(input.data().get(HEADER..total).unwrap_or_default());
                let r = function_call(session, b, &mut self.io).map_err(|e| session.told(e));
                input.consume(total);
                self.io.link.input = input;
                let r = match r {
                    Ok(()) => session.sync(&mut self.io),
                    Err(e) => {
                        session.fail(&e);
                        Err(e)
                    }
                };
                let alive = self.outcome(r);
                if alive {
                    self.ready()?;
                }
                Ok(alive)
            }
            // CopyData, CopyDone and CopyFail of a COPY that has failed already.
            _ => {
                self.io.link.input.consume(total);
                Ok(true)
            }
        }
    }

    /// A message is not in the client's encoding.
    fn undecodable(&mut self, kind: u8, e: Error) -> Result<bool> {
        if kind != b'Q' {
            return Ok(self.extended(Err(e)));
        }
        if let Some(s) = &mut self.session {
            s.fail(&e);
        }
        let alive = self.outcome(Err(e));
        if alive {
            self.ready()?;
        }
        Ok(alive)
    }
    /// Sends the error, if any. False: it ends the connection.
    fn outcome(&mut self, r: Result<()>) -> bool {
        let Err(e) = r else { return true };
        self.shared.count(|c| c.errors.add(1));
        let fatal = matches!(e.data().severity, Severity::Fatal | Severity::Panic);
        if !(self.io.link.broken && e.code() == state::CONNECTION_FAILURE) {
            self.io.error(&e);
        }
        !fatal
    }
    /// Nothing leaves before what it was made of is durable. False: the connection is over.
    fn settle(&mut self) -> bool {
        let r = self.session.as_mut().map_or(Ok(()), |s| s.settle());
        self.extended(r)
    }
    fn extended(&mut self, r: Result<()>) -> bool {
        if r.is_ok() {
            return true;
        }
        let r = r.map_err(|e| match &self.session {
            Some(s) => s.told(e),
            None => e,
        });
        if let (Err(e), Some(s)) = (&r, &mut self.session) {
            s.fail(e);
        }
        self.skip = true;
        self.outcome(r)
    }
    /// Is there something to say that nobody asked for, and is it the time for it?
    fn has_news(&self) -> bool {
        !self.piped && self.session.as_ref().is_some_and(|s| s.has_news() && s.status() == b'I')
    }
    fn tell_news(&mut self) {
        if self.has_news()
            && let Some(s) = &mut self.session
        {
            s.tell_news(&mut self.io);
        }
    }
    fn ready(&mut self) -> Result<()> {
        self.tell_news();
        let status = self.session.as_ref().map_or(b'I', |s| s.status());
        self.io.ready(status);
        // The last message's replies go out at the end of the run.
        if self.io.link.input.data().is_empty() { Ok(()) } else { self.io.link.defer() }
    }
}

impl<S: Service> Connection for Conn<S> {
    fn link(&self) -> &Link {
        &self.io.link
    }
    fn link_mut(&mut self) -> &mut Link {
        &mut self.io.link
    }

    fn need(&mut self) -> Need {
        let data = self.io.link.input.data();
        let missing = match &self.phase {
            Phase::Startup => proto::startup_frame(data).ok().and_then(|r| r.err()),
            Phase::Closed => Some(HEADER),
            // Nothing is heard.
            Phase::Denied { .. } => {
                self.io.link.input.consume(data.len());
                Some(HEADER)
            }
            phase => match proto::frame(data, matches!(phase, Phase::Sasl { .. })) {
                Ok(Frame::Partial(n)) => Some(n).filter(|_| !self.has_news()),
                _ => None,
            },
        };
        missing.map_or(Need::Run, Need::Bytes)
    }
    /// Handles everything that is complete.
    fn run(&mut self) -> Next {
        let next = match self.end.take() {
            None => {
                let r = self.messages();
                match (r, self.settle()) {
                    (Ok(true), true) => {
                        self.tell_news();
                        let idle = self.idle_deadline();
                        self.io.link.leave(idle).map_or(Next::Close, |()| Next::Idle)
                    }
                    (Ok(_), _) => Next::Close,
                    (Err(e), _) => {
                        self.fatal(e);
                        Next::Close
                    }
                }
            }
            Some(End::Fatal(e)) => {
                self.fatal(e);
                Next::Close
            }
            Some(End::Eof | End::Silent) => Next::Close,
        };
        if next == Next::Close {
            self.close();
        } else {
            self.io.link.shrink();
            if self.text.capacity() > KEEP_SQL {
                self.text = String::new();
            }
        }
        next
    }
    fn end(&mut self, why: End) {
        self.end = Some(why);
    }
    /// The session is lost, the connection says so and closes, the server lives on.
    fn panicked(&mut self) {
        // Its destructor may meet the same broken state.
        if catch_unwind(AssertUnwindSafe(|| drop(self.session.take()))).is_err() {
            tracing::error!("a session's destructor panicked as well");
        }
        self.fatal(
            err!(INTERNAL_ERROR, "internal error: the statement panicked")
                .hint("The server's log says where. Please report it."),
        );
        self.close();
    }
    fn refuse(&mut self, e: &Error) {
        self.io.error(e);
    }

    fn idle_deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Startup | Phase::Sasl { .. } => Some(self.opened + self.shared.config().auth_timeout),
            Phase::Denied { until, .. } => Some(until),
            Phase::Ready => self.session.as_ref().and_then(|s| s.idle_timeout()).map(|d| Instant::now() + d),
            Phase::Closed => None,
        }
    }
    fn timed_out(&self) -> End {
        match self.phase {
            Phase::Startup | Phase::Closed => End::Silent,
            Phase::Denied { ref error, .. } => End::Fatal(error.clone()),
            Phase::Sasl { .. } => End::Fatal(err!(QUERY_CANCELED, "canceling authentication due to timeout")),
            Phase::Ready => self.session.as_ref().map_or(End::Silent, |s| End::Fatal(s.idle_timeout_error())),
        }
    }
    fn newcomer_since(&self) -> Option<Instant> {
        matches!(self.phase, Phase::Startup | Phase::Sasl { .. } | Phase::Denied { .. }).then_some(self.opened)
    }
    fn may_move(&self) -> bool {
        matches!(self.phase, Phase::Ready)
    }
    /// The process number.
    fn id(&self) -> Option<i32> {
        self.session.as_ref().map(|s| s.key().0)
    }
}

impl<S: Service> Drop for Conn<S> {
    fn drop(&mut self) {
        if self.counted {
            self.shared.sessions.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn parse(session: &mut impl QueryHandler, mut b: Body<'_>, io: &mut Io) -> Result<()> {
    let name = b.cstr()?;
    let mut long = String::new();
    let sql = match b.rest().len() > PIECE {
        true => {
            b.cstr_into(&mut long)?;
            &long
        }
        false => b.cstr()?,
    };
    let n = b.u16()?;
    let mut types: SmallVec<[pamir_types::Oid; 32]> = SmallVec::new();
    for _ in 0..n {
        types.push(b.u32()?);
    }
    b.end()?;
    session.parse(name, sql, &types, io)?;
    io.simple(b'1');
    Ok(())
}

fn formats(b: &mut Body<'_>) -> Result<SmallVec<[i16; 32]>> {
    let n = b.u16()?;
    let mut v = SmallVec::new();
    for _ in 0..n {
        let f = b.i16()?;
        if !matches!(f, 0 | 1) {
            bail!(INVALID_PARAMETER_VALUE, "unsupported format code: {f}");
        }
        v.push(f);
    }
    Ok(v)
}

fn bind(session: &mut impl QueryHandler, mut b: Body<'_>, io: &mut Io) -> Result<()> {
    let (portal, statement) = (b.cstr()?, b.cstr()?);
    let params = formats(&mut b)?;
    let n = b.u16()?;
    let mut values: SmallVec<[Option<&[u8]>; 32]> = SmallVec::new();
    for _ in 0..n {
        values.push(b.value()?);
    }
    if params.len() > 1 && params.len() != values.len() {
        bail!(
            PROTOCOL_VIOLATION,
            "bind message has {} parameter formats but {} parameters",
            params.len(),
            values.len()
        );
    }
    let results = formats(&mut b)?;
    b.end()?;
    session.bind(portal, statement, &params, &values, &results, io)?;
    io.simple(b'2');
    Ok(())
}

fn function_call(session: &mut impl QueryHandler, mut b: Body<'_>, io: &mut Io) -> Result<()> {
    let function = b.u32()?;
    let arg_formats = formats(&mut b)?;
    let n = b.u16()?;
    let mut arguments: SmallVec<[Option<&[u8]>; 8]> = SmallVec::new();
    for _ in 0..n {
        arguments.push(b.value()?);
    }
    let result = b.i16()?;
    if !matches!(result, 0 | 1) {
        bail!(INVALID_PARAMETER_VALUE, "unsupported format code: {result}");
    }
    b.end()?;
    let call = FunctionCall { function, formats: &arg_formats, arguments: &arguments, result };
    session.function_call(&call, io)
}

fn describe(session: &mut impl QueryHandler, mut b: Body<'_>, io: &mut Io) -> Result<()> {
    let (kind, name) = (b.u8()?, b.cstr()?);
    b.end()?;
    match kind {
        b'S' => {
            let d = session.describe_statement(name)?;
            io.parameter_description(d.params);
            match d.fields {
                Some(fields) => io.row_description(fields, &[]),
                None => io.simple(b'n'),
            }
        }
        b'P' => match session.describe_portal(name)? {
            Some((fields, formats)) => io.row_description(fields, formats),
            None => io.simple(b'n'),
        },
        k => bail!(PROTOCOL_VIOLATION, "invalid DESCRIBE message subtype {k}"),
    }
    Ok(())
}

fn close(session: &mut impl QueryHandler, mut b: Body<'_>, io: &mut Io) -> Result<()> {
    let (kind, name) = (b.u8()?, b.cstr()?);
    b.end()?;
    match kind {
        b'S' => session.close_statement(name)?,
        b'P' => session.close_portal(name)?,
        k => bail!(PROTOCOL_VIOLATION, "invalid CLOSE message subtype {k}"),
    }
    io.simple(b'3');
    Ok(())
}
