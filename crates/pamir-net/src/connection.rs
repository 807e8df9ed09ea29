//! What the runtime asks of a protocol, and what it knows of a connection.
//!
//! ```text
//!   accept -> Protocol::open -> need? --Run: the server speaks first (a greeting)---+
//!                                 | Bytes: it waits for its client                   |
//!                                 v                                                  v
//!   +------------------------> idle, at the worker's desk: no stack, no buffers    run, on a coroutine: every complete message;
//!   |                             |  readable: fill -> need? --Run-----------------> |  waits suspend it, long ones let others go first
//!   |                             |                      +-Bytes: idle again         |
//!   |                             |  may_move: a peer takes it over                  |
//!   |                             |  deadline, hangup, termination, shutdown: end -> |
//!   |                                                                                v
//!   +--- answer handed over (Link::leave), sent by the worker with others' <------ Idle | Close ---> dropped
//! ```
//! The worker calls a connection from its loop, where nothing may wait, except for [`Connection::run`] and [`Connection::panicked`], which are on a coroutine. It knows the
//! connection's [`Link`]: it fills the input, sends what was left there, listens to the client's going, and asks [`Link::cancel`] to end a statement.
//!
//! A client that is not read from, or that does not read, suspends its own statement and nothing else: [`Link::flush`], [`Link::read_more`].
use crate::link::Link;
use pamir_error::Error;
use pamir_txn::MemoryAccount;
use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// What a connection waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// For its client: the incomplete message at the start of the input takes so many bytes in all, as far as is known.
    Bytes(usize),
    /// For a coroutine: there is a complete message, an error to report, or something to say unasked (at first; or later, and the session was woken for it).
    Run,
}

/// What the worker does with the connection after a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Idle,
    Close,
}

/// Why an idle connection must end.
pub enum End {
    /// The peer closed its side.
    Eof,
    /// With a message for the peer.
    Fatal(Error),
    /// Without one (it never said who it is).
    Silent,
}

/// One client's side of a protocol. Between two calls it may go to another thread.
pub trait Connection: Send + 'static {
    fn link(&self) -> &Link;
    fn link_mut(&mut self) -> &mut Link;

    /// Asked before each read and after it, and once before anything has come. It may drop input that nobody wants, and must be cheap: it is asked for each piece of a long message.
    fn need(&mut self) -> Need;
    /// Handles everything that is complete, on a coroutine. `Idle`: all output is with the wire ([`Link::leave`]), and [`Connection::need`] says `Bytes`. `Close`: so is
    /// the last word, and the wire is closed ([`Link::close`]).
    fn run(&mut self) -> Next;
    /// The next run, which follows at once, ends it for this reason.
    fn end(&mut self, why: End);
    /// A run has panicked: what it held is in no state to be used. Says so and closes, on the same coroutine.
    fn panicked(&mut self);
    /// Puts an error into the output that ends the connection, where there is no stack for a run.
    fn refuse(&mut self, e: &Error);

    /// When the connection, now idle, must end.
    fn idle_deadline(&self) -> Option<Instant>;
    /// The reason to give when [`Connection::idle_deadline`] has passed.
    fn timed_out(&self) -> End;
    /// It has not authenticated, and came at this moment. The oldest of these go when they are too many.
    fn newcomer_since(&self) -> Option<Instant>;
    /// May another worker take it over, now that it is idle? (What the wire has to say to that is the worker's to ask.)
    fn may_move(&self) -> bool;
    /// The session's number, for [`Application::statement_of`].
    fn id(&self) -> Option<i32>;
}

/// What the connections of one listener speak.
pub trait Protocol: Send + Sync + 'static {
    /// A client has come. Called from the worker's loop: it only makes the state, and [`Connection::need`] says what is next.
    fn open(&self, link: Link, peer: SocketAddr) -> Box<dyn Connection>;
    /// An error as the message that a client understands who has just come and been asked nothing: there is no room for it.
    fn refusal(&self, e: &Error) -> Vec<u8>;
}

/// What runs on the workers, whatever protocols its clients speak.
pub trait Application: Send + Sync + 'static {
    /// The account that connections' buffers are charged to.
    fn memory(&self) -> Option<Arc<MemoryAccount>> {
        None
    }
    /// What session `id` is doing, in `most` bytes at most: for the log.
    fn statement_of(&self, _id: i32, _most: usize) -> Option<String> {
        None
    }
    /// Takes off the calling thread what the sessions of one thread share, and take along when all of them go on on another one.
    fn pack(&self) -> Luggage {
        Box::new(())
    }
    /// It is the calling thread's from now on. Answers to [`Application::pack`].
    fn unpack(&self, _: Luggage) {}
}
pub type Luggage = Box<dyn Any + Send>;

/// A job without a client ([`crate::Runtime::spawn`]): it ends early when the argument says so. Its end, good or bad, is its own to tell.
pub type Work = Box<dyn FnOnce(&Arc<pamir_txn::Cancel>) + Send>;
