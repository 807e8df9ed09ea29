//! Greetings: who is at the other end, and which of two connections between two nodes stays.
//!
//! **Two connections.** Both nodes dial, so two connections may come about at once. They must agree on the one to keep, and no message may be in the other one. Messages are sent only after
//! both Hellos, and each node decides alone, in this one thread, when the other's Hello arrives:
//! - The lower id refuses ("the second of two") if its own dial has said its Hello and waits for the answer. Otherwise it gives its dial up, which then never says a Hello, and answers.
//! - The higher id gives its own dial up and answers.
//!
//! So of two dials under way exactly one is answered: if the lower id has said Hello in its own, it refuses the other's, and its own will be answered, since the higher id always does; if it has not, it answers
//! the other's, and its own has ended without a word. Whatever the order of arrival, both nodes keep the same one, and ids never change: the choice does not swing. A Hello that
//! is late, of an attempt that its sender gave up, is known by its number (`hello.rs`). A new Hello of a peer whose connection stands means that the peer has lost that one: the new one takes its place.
use super::*;

impl Driver {
    /// Another node dialled, and says who it is.
    pub(super) fn greeted(&mut self, conn: &mut Conn, token: usize, h: Hello, now: Now) -> Result<(), Stop> {
        let me = self.shared.identity.clone();
        h.check(&me).and_then(|()| self.handler.admit(&h)).map_err(refuse)?;
        let answer =
            Hello { answer: true, boot: self.boot, attempt: self.attempts, ..Hello::new(&me, h.purpose, now.clock) };
        match h.purpose {
            Purpose::Join => {
                conn.link.answer(&answer);
                conn.asks = Some(h);
            }
            Purpose::Peer => {
                if let Some(p) = self.peers.get_mut(&h.node) {
                    // What it dialled before, and gave up.
                    let void = p.void.0 == h.boot && h.attempt <= p.void.1;
                    let dial = p.dialling.and_then(|t| self.conns.get(&t));
                    let said = dial.is_some_and(|c| c.stage == Stage::Talking && !c.wire.is_handshaking());
                    if void || (said && me.node < h.node) {
                        let e = err!(CONNECTION_EXCEPTION, "there is another connection to node {}", h.node);
                        return Err(Stop::Ours(e, Some(Refusal::second())));
                    }
                    if let Some(t) = p.dialling.take() {
                        self.conns.remove(&t);
                    }
                    p.resolving = false;
                }
                conn.link.answer(&answer);
                self.connected(conn, token, h, now);
            }
        }
        Ok(())
    }
    /// The node that was dialled says who it is.
    pub(super) fn answered(
        &mut self,
        conn: &mut Conn,
        token: usize,
        node: NodeId,
        h: Hello,
        now: Now,
    ) -> Result<(), Stop> {
        h.check(&self.shared.identity).map_err(refuse)?;
        if h.purpose != Purpose::Peer {
            return Err(refuse(frame::violation("an answer to another greeting")));
        }
        if h.node != node {
            let other = &conn.wire.other;
            let e =
                err!(INVALID_AUTHORIZATION_SPECIFICATION, "the node at {other} is node {}, not node {node}", h.node);
            return Err(refuse(e));
        }
        self.handler.admit(&h).map_err(refuse)?;
        conn.link.open(now);
        if let Some(p) = self.peers.get_mut(&node) {
            p.dialling = None;
        }
        self.connected(conn, token, h, now);
        Ok(())
    }
    /// Both have greeted: messages go over this connection from now on.
    fn connected(&mut self, conn: &mut Conn, token: usize, h: Hello, now: Now) {
        let old = self.peers.get(&h.node).and_then(|p| p.active);
        if let Some(mut old) = old.and_then(|t| self.conns.remove(&t)) {
            old.wire.close();
            self.lose(h.node, &err!(CONNECTION_FAILURE, "node {} has made a new connection", h.node));
        }
        let shared = &self.shared;
        let p =
            self.peers.entry(h.node).or_insert_with(|| Known::new(shared.new_peer(h.node, &h.address), None, now.at));
        (p.active, p.failures, p.void) = (Some(token), 0, (h.boot, h.attempt));
        conn.peer = Some(p.shared.clone());
        (conn.dial, conn.end) = (None, None);
        p.shared.queues.lock().open = true;
        {
            let mut facts = p.shared.facts.lock();
            facts.connections += 1;
            facts.connected_since = Some(now.clock);
            facts.program.clone_from(&h.program);
        }
        tracing::info!("connected to node {} at {} ({})", h.node, conn.wire.other, h.program);
        self.handler.connected(&h);
    }
}
