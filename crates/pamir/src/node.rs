//! A node of a cluster: opened, waited for, left.
//!
//! ```text
//!   Cluster::open ──► has it members, and is it readable?  ── a snapshot came: close, open again
//!        │                        │ yes
//!        │                        ▼ does somebody lead? ──► Database, clients
//!        └─ signals end the wait
//! ```
//! A snapshot that comes while clients are served (this node was too far behind) is installed by the program's next start, which is at once: it executes itself anew.
use crate::config::{Config, Node};
use crate::one_line::line;
use crate::operations;
use pamir_cluster::cluster::{Cluster, Settings};
use pamir_cluster::log::Keep;
use pamir_cluster::members::NodeInfo;
use pamir_cluster::remote::Spawn;
use pamir_cluster::transport::Tls;
use pamir_cluster::version::Build;
use pamir_net::Spawner;
use pamir_storage::disk::Disk;
use pamir_txn::ShardOptions;
use pamir_types::Error;
use pamir_types::error::state;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two attempts to open what needs a leader.
const AGAIN: Duration = Duration::from_millis(200);
/// How often the wait for a leader looks.
const LOOK: Duration = Duration::from_millis(20);
/// ... and says so again.
const SAY_EVERY: Duration = Duration::from_secs(10);
/// How long a closed node may still be in somebody's hands.
const LET_GO: Duration = Duration::from_secs(5);

/// Runs what other nodes' sessions ask on the server's workers.
pub struct OnWorkers(pub Spawner);
impl Spawn for OnWorkers {
    fn spawn(&self, job: Box<dyn FnOnce() + Send>) {
        self.0.spawn(move |_| job());
    }
}

/// The part that a process configured so takes in a cluster.
pub fn settings(node: &Node, config: &Config, options: ShardOptions) -> Result<Settings, String> {
    let tls = node.tls.as_ref().map(|(ca, cert, key)| Tls::load(ca, cert, key)).transpose().map_err(line)?;
    Ok(Settings {
        listen: node.listen,
        info: NodeInfo { address: node.address.clone(), sql: config.pg_addr.to_string(), name: String::new() },
        join: node.join.clone(),
        tls,
        insecure: config.insecure,
        snapshot_rate: node.snapshot_rate,
        keep: Keep::default(),
        room: Some(operations::room_of(config.data_dir.clone())),
        build: Build { holds: node.hold_format, ..Build::OWN },
        options,
    })
}
/// Marks the directory of a node that was taken out of its cluster, and says so.
pub fn removed(cluster: Option<&Cluster>) -> String {
    let marked = cluster.map_or(Ok(()), Cluster::take_leave);
    let why = marked.err().map_or(String::new(), |e| format!(" Its directory could not be marked: {}", line(e)));
    format!(
        "this node was removed from the cluster and serves no more. To join again, start with --join and an empty directory.{why}"
    )
}
/// Takes part, and waits until this node has data and somebody leads; one that is new, until it has caught up and votes: before that it may know no role and no database that clients ask for. None: `end` came first.
pub fn open(
    disk: &mut dyn FnMut() -> Result<Arc<dyn Disk>, String>,
    settings: &Settings,
    end: &AtomicBool,
) -> Result<Option<Arc<Cluster>>, String> {
    let say = |what: &str| tracing::info!("{what}");
    let mut cluster = Cluster::open(disk()?, settings.clone(), &say).map_err(line)?;
    let mut told = Instant::now();
    // Has it come only now? What had been decided when it became a voter.
    let (mut new, mut needs) = (false, None);
    loop {
        let view = cluster.view();
        if cluster.must_restart() {
            close(cluster)?;
            cluster = Cluster::open(disk()?, settings.clone(), &say).map_err(line)?;
        } else if !view.members.nodes.is_empty() && cluster.shard().is_readable() && view.leader != 0 {
            let (leads, votes) = (view.leader == cluster.me(), view.members.is_voter(cluster.me()));
            new |= !votes;
            if new && votes && needs.is_none() {
                needs = Some(cluster.status().map_err(line)?.decided);
            }
            let applied = cluster.shard().applied_entry().index;
            let has_all = !new || needs.is_some_and(|n| applied >= n);
            if cluster.shard().leads() || !leads && votes && has_all {
                return Ok(Some(cluster));
            }
        }
        if let Some(e) = cluster.shard().failure() {
            return Err(line(e));
        }
        if cluster.was_removed() {
            let why = removed(Some(&cluster));
            close(cluster)?;
            return Err(why);
        }
        if end.load(Ordering::SeqCst) {
            close(cluster)?;
            return Ok(None);
        }
        if told.elapsed() >= SAY_EVERY {
            told = Instant::now();
            if view.members.nodes.is_empty() {
                tracing::warn!("waiting for the leader's data");
            } else if view.leader == 0 {
                tracing::warn!("waiting for a leader: a majority of the nodes must run and reach each other");
            } else {
                tracing::warn!(applied = cluster.shard().applied_entry().index, "catching up with the leader's log");
            }
        }
        std::thread::sleep(LOOK);
    }
}
/// Opens what needs a leader. That one may go in the same moment: a node that comes then waits for the next one.
pub fn patiently<T>(
    cluster: &Cluster,
    end: &AtomicBool,
    mut open: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    loop {
        match open() {
            Err(e) if is_passing(&e) && cluster.shard().failure().is_none() && !end.load(Ordering::SeqCst) => {
                tracing::warn!("waiting for a leader: {e}");
                std::thread::sleep(AGAIN);
            }
            r => return r,
        }
    }
}
/// The leader was lost, or there is none.
fn is_passing(e: &Error) -> bool {
    let code = e.code();
    code.as_str().starts_with("08") || [state::SERIALIZATION_FAILURE, state::CANNOT_CONNECT_NOW].contains(&code)
}
/// What an operator's hand-overs are from now on: open transactions are given `grace`, new ones wait.
pub fn hand_over_gently(cluster: &Arc<Cluster>, grace: Duration) {
    let of = Arc::downgrade(cluster);
    cluster.set_hand_over(Arc::new(move |to| {
        if let Some(c) = of.upgrade()
            && let Err(e) = c.hand_over(to, grace)
        {
            tracing::warn!("the leadership was not handed over: {e}");
        }
    }));
}
/// Gives the leadership to another node, if there is one to take it. It takes as long as `grace` and [`pamir_cluster::handover::SUCCESSION`] at most, and so does the server's end.
pub fn hand_over(cluster: &Cluster, grace: Duration) {
    if !cluster.shard().leads() {
        return;
    }
    let Some(to) = cluster.successor() else { return };
    if let Err(e) = cluster.hand_over(to, grace) {
        tracing::warn!("the leadership was not handed over: {e}");
    }
}
/// Takes part no longer, and lets go of the directory.
pub fn close(cluster: Arc<Cluster>) -> Result<(), String> {
    cluster.stop();
    let closed = cluster.shard().close().map_err(line);
    let end = Instant::now() + LET_GO;
    while Arc::strong_count(&cluster) > 1 && Instant::now() < end {
        std::thread::sleep(LOOK);
    }
    closed
}
