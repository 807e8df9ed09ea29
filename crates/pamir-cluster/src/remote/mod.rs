//! SQL on any node, data at the leader: the face to data (`pamir_txn::face`) for nodes that do not lead.
//!
//! ```text
//!   a session's node                                                                     the node that leads
//!   SQL ── Txn, near.rs ── RemoteTxn ── Line ── Requests ── post ─────► connection ─────► deliver ── Host ── job on a coroutine ── LocalTxn
//!           answers from                 │        ▲                                                   │
//!           memory, batches              │        └── deliver ◄──────── connection ◄──────── post ────┘ answer
//!                                        └ notes: statement, savepoint, limits, what was dropped: in front of the next call
//! ```
//! - [`wire`]: bytes. - [`line`]: requests, answers, their numbers. - [`client`]: the near side. - [`host`]: the leader's side. - [`follower`]: reads that this node's replica answers, where a session asks for that.
//! - **Local or far.** [`RemoteEngine::begin`](client::RemoteEngine) asks [`Guide::leads`]: of the node that leads, a transaction is the shard's own and nothing here is in its way. One that was begun elsewhere goes to the leader of
//!   its first call and stays there. What every replica can say itself (sizes of trees, statistics, what is prepared, memory) is asked of this node's.
//! - **Calls.** A message is numbered notes and one call; its answer says as well whether the transaction is tied, has writes, and at which timestamps the statements that the message began read. The number of calls is what
//!   ARCHITECTURE.md says of data that is elsewhere: begin, statement, savepoint, release and what is dropped are notes and cost nothing by themselves; rollback and rollback to a savepoint are told without an answer; a commit without writes too.
//!   A transaction that never made a call has cost nothing.
//! - **Table locks** in weak modes, of a transaction that nobody has heard of yet and that may begin anew, are notes in front of its first call, with the catalog that its plans are for: where the leader's is newer under the lock, the
//!   transaction is over there, the near side waits for that catalog, and whoever made the call begins again. So a point select is one call.
//! - **What may be told.** An answer leaves the leader once it knows that nobody else led when it was read ([`pamir_txn::LocalTxn::may_answer`]). Of a transaction that met a commit before it was durable, answers leave with the tie in them, and `settle` is a
//!   call; of all others it is none.
//! - **Snapshots** are taken with the first call after a statement's begin, at the leader, and their timestamps come with its answer. Versions are kept for one until the near side says that it was dropped, with its next message; for a transaction that is idle,
//!   [`RemoteEngine::tell_idle`](client::RemoteEngine::tell_idle), which the node calls about once a second, with [`Requests::flush`].
//! - **Stopping.** A cancel, a client that is gone and statement_timeout end the call on the near side at once; the host is told, and whatever waits there for a lock ends too. lock_timeout runs at the host. Calls of a transaction are done there one after
//!   the other, so what was given up is over when the next one is done.
//! - **Losses.** A call whose connection or leader was lost fails with 40001, and so do all that follow in its transaction: the host rolls back what it holds for a node that is lost, and everything when it leads no longer. A commit that is under way then fails with
//!   08007 and the transaction's id. A near side that takes a leadership for over while the connection stands says so ([`Requests::forsake`]), or what it has left there would keep its locks. Without a leader a first call waits [`LEADER_WAIT`](client::LEADER_WAIT), then 57P03; one that was lost itself is made again within that time, by a transaction that nobody has heard of.
//! - **Session locks** (advisory locks) are held at the leader and lost with it; the near side knows what it holds and counts how often.
//! - **on_commit** callbacks run here, when the commit's answer is there and this replica has applied it ([`Guide::await_applied`]), before `commit` returns; the locks are free by then. A table's lock comes back when this node's catalog is as new as the leader's was under
//!   it ([`Guide::await_catalog`]). Those of a prepared transaction are kept by the node that prepared it. The catalog itself is read from this replica (`Engine::begin_here`): its log brings every node's changes of it (`Engine::catalog_ts`).
//!
//! Invariants: messages of a transaction are numbered, and one that is missing ends it; an answer that comes too late changes nothing; nothing is held at the host for a transaction that is over; lengths in messages are checked before memory is taken for them.
//!
//! Limits: messages of [`line::MESSAGE_BYTES`], [`line::MOST_WAITING`] requests and [`line::WAITING_BYTES`] bytes of them under way at a node, [`host::MOST_TRANSACTIONS`], [`host::MOST_SCANS`] a transaction, [`host::MOST_REQUESTS`] and [`host::HELD_BYTES`] at the host, charged to its shard's memory. Calls that belong to no
//! transaction (sequences, ids) listen to no cancel, as they do here. An answer has up to [`host::ANSWER_BYTES`] of entries, or one that is larger; batches go on with another call.
pub mod client;
pub mod follower;
mod guide;
pub mod host;
pub mod line;
#[cfg(any(test, feature = "rig"))]
pub mod rig;
pub mod wire;

pub use client::RemoteEngine;
pub use guide::Guide;
pub use host::Host;
pub use line::{Line, Post, Refused, Requests, Spawn};

use crate::NodeId;
use pamir_error::Result;
use std::sync::Arc;
use wire::Kind;

/// Hands bytes of another node to whom they are for. Damage is an error: that connection is to be closed.
pub fn deliver(requests: &Requests, host: &Arc<Host>, from: NodeId, bytes: &[u8]) -> Result<()> {
    let (kind, number, body) = wire::read_frame(bytes)?;
    match kind {
        Kind::Answer => requests.hear(from, number, body, true),
        Kind::AnswerPiece => requests.hear(from, number, body, false),
        Kind::Request => host.hear(from, Some(number), body),
        Kind::RequestPiece => host.hear_piece(from, number, body)?,
        Kind::Note => host.hear(from, None, body),
        Kind::Cancel => host.cancel(from, number),
        Kind::Reset => host.lost(from),
    }
    Ok(())
}
