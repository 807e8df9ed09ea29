//! The cluster's figures, as this node has them. docs/operations.md says what each means, and which alerts to set.
use super::exposition::Exposition;
use super::exposition::Kind::{Counter, Gauge};
use pamir_cluster::cluster::{Cluster, Condition};
use pamir_cluster::transport::{Class, PeerStatus, Traffic};

fn class_name(c: Class) -> &'static str {
    match c {
        Class::Control => "control",
        Class::Log => "log",
        Class::Bulk => "bulk",
    }
}

pub fn show(e: &mut Exposition, cluster: &Cluster) {
    let f = cluster.figures();
    let p = cluster.picture();
    let r = &f.reading;
    let flag = |on: bool| f64::from(u8::from(on));
    let states = [
        Condition::Leader,
        Condition::Follower,
        Condition::Learner,
        Condition::CatchingUp,
        Condition::CutOff,
        Condition::Draining,
        Condition::Removed,
    ];
    e.family("cluster_role", Gauge, "1 for what this node is, 0 for what it is not.", |out| {
        states.iter().for_each(|s| out.sample(&[("role", s.name())], flag(*s == p.condition)));
    });
    e.one("cluster_is_leader", Gauge, "1 at the node that leads and holds the lease.", flag(cluster.leads_surely()));
    e.one("cluster_has_leader", Gauge, "1 while this node knows who leads.", flag(p.leader != 0));
    e.one("cluster_members", Gauge, "Nodes of the cluster.", p.members.len() as f64);
    e.one("cluster_voters", Gauge, "Nodes that vote.", p.voters as f64);
    let silent = p.members.iter().filter(|m| m.1.silent).count();
    e.one("cluster_silent_members", Gauge, "Nodes that the leader has not heard for three seconds.", silent as f64);
    e.one("cluster_quorum", Gauge, "1 while the leader hears a majority of the nodes that vote.", flag(p.quorum));
    if let Some(age) = p.age {
        let help = "How long ago this node heard the leader's view of the cluster.";
        e.one("cluster_view_age_seconds", Gauge, help, age.as_secs_f64());
    }
    e.one("raft_term", Gauge, "The term of consensus: every election raises it.", r.term as f64);
    e.one("raft_commit_index", Gauge, "Newest entry known to be decided.", r.decided as f64);
    e.one("raft_applied_index", Gauge, "Newest entry that is applied.", f.applied as f64);
    e.one("raft_stored_index", Gauge, "Newest entry in this node's log.", r.stored as f64);
    e.one("raft_elections", Counter, "Times that this node asked for votes.", r.counts.elections as f64);
    e.one("raft_elections_won", Counter, "Elections that this node won.", r.counts.won as f64);
    e.one("raft_leader_changes", Counter, "Times that this node learnt of another leader.", f.leader_changes as f64);
    e.one(
        "raft_lease_expiries",
        Counter,
        "Times that this node led and its lease ran out.",
        r.counts.lease_expiries as f64,
    );
    e.one("raft_proposed_entries", Counter, "Batches of commits that this node proposed.", r.counts.proposed as f64);
    e.one("raft_proposed_bytes", Counter, "Bytes of those batches.", r.counts.proposed_bytes as f64);
    let held = r.log.1.saturating_sub(r.log.0);
    e.one("raft_log_held_bytes", Gauge, "Log that is kept, for checkpoints and followers.", held as f64);
    e.one("raft_disk_full", Gauge, "1 while this node's log has no room.", flag(r.disk_full));
    e.one("snapshots_sent", Counter, "Snapshots that followers have got from this node.", f.snapshots_sent as f64);
    e.one("snapshots_received", Counter, "Snapshots that this node has got.", f.snapshots_received as f64);
    e.one("snapshots_sent_bytes", Counter, "Bytes of snapshots sent.", f.snapshot_bytes_sent as f64);
    e.one("snapshots_received_bytes", Counter, "Bytes of snapshots received.", f.snapshot_bytes_received as f64);
    e.one("remote_transactions", Gauge, "Transactions of other nodes' sessions that are open here.", f.guests as f64);
    e.one("remote_requests", Gauge, "Requests of this node's sessions that wait for the leader.", f.requests as f64);
    let mut known = |name: &str, help: &str, figure: Option<std::time::Duration>| {
        if let Some(d) = figure {
            e.one(name, Gauge, help, d.as_secs_f64());
        }
    };
    let help =
        "What a sync of the log takes with its write, the median of the last seconds; absent: nothing was written.";
    known("node_log_sync_seconds", help, f.speed.disk);
    let help =
        "How long whoever comes waits for this node's thread to have a processor, the median of the last seconds.";
    known("node_processor_wait_seconds", help, f.speed.late);
    let help = "1 while commits would take much longer at this node than at another.";
    e.one("node_slow", Gauge, help, flag(f.speed.slow));
    let help = "Times that this node gave the leadership away because it was slow.";
    e.one("raft_slow_leader_changes", Counter, help, f.slow_moves as f64);
    if r.leads {
        followers(e, &p);
    }
    peers(e, &f.peers);
    e.one("node_connections_accepted", Counter, "Connections of other nodes accepted.", f.transport.accepted as f64);
    e.one("node_connections_dialled", Counter, "Connections to other nodes made.", f.transport.dialled as f64);
    e.one("node_connections_refused", Counter, "Nodes that this one refused.", f.transport.refused as f64);
    let help = "Times that others refused this node.";
    e.one("node_connections_refused_by_others", Counter, help, f.transport.refused_by_others as f64);
    e.one("node_connections_lost", Counter, "Connections between nodes that were lost.", f.transport.lost as f64);
}
/// At the leader: each follower.
fn followers(e: &mut Exposition, p: &pamir_cluster::cluster::Picture) {
    let others: Vec<_> = p.members.iter().map(|m| &m.1).filter(|m| m.node != p.me).collect();
    let mut gauge = |name: &str, help: &str, of: &dyn Fn(&pamir_cluster::watch::Member) -> Option<f64>| {
        e.family(name, Gauge, help, |out| {
            for m in &others {
                if let Some(v) = of(m) {
                    out.sample(&[("node", &m.node.to_string())], v);
                }
            }
        });
    };
    gauge("follower_lag_entries", "Entries that a follower has not stored.", &|m| m.lag.map(|l| l.entries as f64));
    gauge("follower_lag_bytes", "Bytes of log that a follower has not stored.", &|m| m.lag.map(|l| l.bytes as f64));
    let help = "How long the leader has had the oldest entry that a follower has not stored.";
    gauge("follower_lag_seconds", help, &|m| m.lag.map(|l| l.time.as_secs_f64()));
    let help = "How long ago anything was heard of a follower.";
    gauge("follower_last_contact_seconds", help, &|m| m.contact.map(|c| c.as_secs_f64()));
    let help = "Bytes free on the disk of a follower.";
    gauge("follower_disk_free_bytes", help, &|m| m.disk.map(|d| d.0 as f64));
    let help = "Bytes of the snapshot in transfer that a follower has; absent: there is none.";
    gauge("follower_snapshot_bytes", help, &|m| m.snapshot.map(|s| s.0 as f64));
}
/// The connections to each other node.
fn peers(e: &mut Exposition, peers: &[PeerStatus]) {
    let ids: Vec<String> = peers.iter().map(|p| p.node.to_string()).collect();
    let mut each = |name: &str, kind, help: &str, of: &dyn Fn(&PeerStatus) -> Option<f64>| {
        e.family(name, kind, help, |out| {
            for (p, id) in peers.iter().zip(&ids) {
                if let Some(v) = of(p) {
                    out.sample(&[("node", id)], v);
                }
            }
        });
    };
    each("peer_connected", Gauge, "1 while there is a connection to a node.", &|p| {
        Some(f64::from(u8::from(p.connected_since.is_some())))
    });
    each("peer_reconnects", Counter, "Connections to a node that replaced a lost one.", &|p| Some(p.reconnects as f64));
    each("peer_round_trip_seconds", Gauge, "Round trip of the newest ping.", &|p| {
        p.round_trip.map(|d| d.as_secs_f64())
    });
    let help = "By how much a node's clock is before this one's.";
    each("peer_clock_ahead_seconds", Gauge, help, &|p| p.clock_ahead.map(|m| m as f64 / 1e6));
    let mut traffic = |name: &str, help: &str, of: &dyn Fn(&PeerStatus, usize) -> f64, kind| {
        e.family(name, kind, help, |out| {
            for (p, id) in peers.iter().zip(&ids) {
                for (i, c) in Class::ALL.iter().enumerate() {
                    out.sample(&[("node", id), ("class", class_name(*c))], of(p, i));
                }
            }
        });
    };
    fn at(of: &[Traffic; 3], i: usize) -> Traffic {
        of.get(i).copied().unwrap_or_default()
    }
    traffic("peer_sent_messages", "Messages sent to a node.", &|p, i| at(&p.sent, i).messages as f64, Counter);
    traffic("peer_sent_bytes", "Bytes of messages sent to a node.", &|p, i| at(&p.sent, i).bytes as f64, Counter);
    let help = "Messages received from a node.";
    traffic("peer_received_messages", help, &|p, i| at(&p.received, i).messages as f64, Counter);
    let help = "Bytes of messages received from a node.";
    traffic("peer_received_bytes", help, &|p, i| at(&p.received, i).bytes as f64, Counter);
    let help = "Bytes of messages that wait to be sent to a node.";
    traffic("peer_queue_bytes", help, &|p, i| p.queued.get(i).copied().unwrap_or(0) as f64, Gauge);
}
