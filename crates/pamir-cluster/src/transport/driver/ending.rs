//! Endings: why a connection ends, what the other side hears of it, and when a peer is dialled again.
//!
//! **Waiting.** A dial that fails is tried again after a pause that doubles from [`RETRY_FIRST`] to [`RETRY_MAX`], less or more by a random quarter, so that nodes that lost each other at once do not meet again and
//! again. A connection that was lost is dialled again at once.
//!
//! **Endings.** Whoever refuses says why, closes its half, and reads on until the other side has closed its own or [`LINGER`] is over: a socket closed with unread bytes in it takes back what it sent last.
use super::*;

impl Driver {
    /// All is said: the output goes out, then the connection ends.
    pub(super) fn finish(&mut self, conn: &mut Conn, now: Now) {
        conn.stage = Stage::Closing;
        conn.end = Some(now.at + LINGER);
    }
    /// The connection, which is in no map any more, has ended or is about to.
    pub(super) fn stopped(&mut self, mut conn: Conn, token: usize, stop: Stop) {
        if conn.stage == Stage::Closing {
            return;
        }
        let now = self.now();
        match stop {
            Stop::Gone(e) => self.ended(&mut conn, token, e, false),
            Stop::Second if conn.peer.is_some() => {
                let e = err!(CONNECTION_FAILURE, "{} keeps another connection", conn.wire.other);
                self.ended(&mut conn, token, e, false);
            }
            Stop::Second => {
                if let Some(p) = conn.dial.and_then(|node| self.peers.get_mut(&node)) {
                    p.dialling = None;
                    // By then the other one stands.
                    p.next_dial = now.at + 4 * RETRY_FIRST;
                }
            }
            Stop::Ours(e, refusal) => {
                let second = refusal.as_ref().is_some_and(|r| r.second);
                match &refusal {
                    Some(r) => conn.link.refuse(r),
                    None => conn.link.abandon(),
                }
                if !second {
                    count(&self.shared.counts.refused);
                    self.ended(&mut conn, token, e, true);
                }
                (conn.peer, conn.dial) = (None, None);
                self.finish(&mut conn, now);
                if self.write(&mut conn, token).is_ok() {
                    // What came before the end is still to be read.
                    self.again.push(token);
                    self.conns.insert(token, conn);
                }
            }
        }
    }
    /// What an ending means for the peer.
    fn ended(&mut self, conn: &mut Conn, token: usize, e: Error, ours: bool) {
        let peer = conn.peer.take().map(|p| p.node);
        let active = peer.filter(|node| self.peers.get(node).is_some_and(|p| p.active == Some(token)));
        match (active, conn.dial.take()) {
            (Some(node), _) => self.lose(node, &e),
            (None, Some(node)) => {
                if let Some(p) = self.peers.get_mut(&node).filter(|p| p.dialling == Some(token)) {
                    p.dialling = None;
                    self.dial_failed(node, e);
                }
            }
            // Somebody who looks whether the port is open is no news.
            (None, None) if !ours => {
                tracing::debug!("connection from {}: {}", conn.wire.other, e.message_on_one_line())
            }
            (None, None) => self.say_refused(&conn.wire.other, &e),
        }
    }
    /// Once in a while, for one that comes again and again.
    fn say_refused(&mut self, from: &str, e: &Error) {
        let (host, code, now) = (super::super::tls::host(from), e.code(), self.start.elapsed());
        match &self.refused {
            Some((h, c, at)) if h == host && *c == code && now < *at + SAID_AGAIN => {
                tracing::debug!("connection from {from} refused: {}", told(e));
            }
            _ => {
                tracing::warn!("connection from {from} refused: {}", told(e));
                self.refused = Some((host.to_string(), code, now));
            }
        }
    }
    /// The connection that carried a peer's messages is no more.
    pub(super) fn lose(&mut self, node: NodeId, e: &Error) {
        let now = self.now();
        let soon = self.jitter(RETRY_FIRST / 4);
        let Some(p) = self.peers.get_mut(&node) else { return };
        p.active = None;
        p.next_dial = now.at + soon;
        p.shared.queues.lock().clear();
        {
            let mut facts = p.shared.facts.lock();
            (facts.connected_since, facts.round_trip) = (None, None);
            facts.last_error = Some((e.clone(), now.clock));
        }
        count(&self.shared.counts.lost);
        tracing::warn!("connection to node {node} lost: {}", told(e));
        if p.address.is_none() {
            self.shared.forget(&p.shared);
            self.peers.remove(&node);
        }
        self.handler.lost(node, e);
    }
    pub(super) fn dial_failed(&mut self, node: NodeId, e: Error) {
        let now = self.now();
        let Some(p) = self.peers.get_mut(&node) else { return };
        (p.dialling, p.resolving) = (None, false);
        let pause = RETRY_MAX.min(RETRY_FIRST * 2u32.saturating_pow(p.failures.min(16)));
        p.failures = p.failures.saturating_add(1);
        {
            let mut q = p.shared.queues.lock();
            q.open = false;
            q.clear();
        }
        let known = {
            let mut facts = p.shared.facts.lock();
            let before = facts.last_error.replace((e.clone(), now.clock));
            before.is_some_and(|(b, _)| b.message() == e.message())
        };
        // Said once, as long as it is the same.
        match known {
            true => tracing::debug!("no connection to node {node}: {}", told(&e)),
            false => tracing::warn!("no connection to node {node}: {}", told(&e)),
        }
        let pause = self.jitter(pause);
        if let Some(p) = self.peers.get_mut(&node) {
            p.next_dial = now.at + pause;
        }
    }
    /// From three quarters of it to five (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
    fn jitter(&mut self, pause: Duration) -> Duration {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        pause * 3 / 4 + pause.mul_f64((z >> 11) as f64 / (1u64 << 53) as f64 / 2.0)
    }
}

/// An error on one line of the log.
fn told(e: &Error) -> String {
    let mut s = e.message_on_one_line().into_owned();
    for part in [&e.data().detail, &e.data().hint].into_iter().flatten() {
        s.push(' ');
        s.push_str(&part.replace(char::is_control, " "));
    }
    s
}
