//! A node in its cluster: identity, transport, driver, snapshots, and what an operator asks.
//!
//! ```text
//!   Cluster::open ── identity? ── no ── join: ask those named, poll until the leader has let it in
//!        │                        └─── begin: a cluster of one (a single node's directory keeps its data)
//!        ├─ Node::open (installs a snapshot that has come)
//!        ├─ Transport ◄──► other nodes:  about entries ─► turns   snapshots ─► a thread of their own   far transactions ─► `remote`
//!        └─ Driver: turns, carried by the transport's thread, and syncs
//! ```
//! A node that was let in and has nothing yet waits for a snapshot; when one has come whole it starts anew from it ([`Cluster::must_restart`]), as does one that was too far behind.
//!
//! **Joining.** `Join` asks any node. One that does not lead says who does; the leader answers at once and proposes the change beside: whoever asks again with the same token hears what became of it. A new node is a
//! learner first and votes when it has caught up.
//!
//! ```text
//!   request := version u8 = 1, kind u8: 2 Join: token 16 bytes, node (members.rs)
//!   answer  := version u8 = 1, kind u8: 1 Leader: cluster 16 bytes, id v, address string | 2 Wait | 3 In: cluster 16 bytes, id v | 4 No: sqlstate string, message string, [detail string, hint string]
//! ```
use crate::codec::{Reader, put_bytes, put_varint};
use crate::driver::{Doorbell, Driver, Entrance, Post, View};
use crate::group::{Chance, Group, change_of};
use crate::identity::{self, ClusterId, Identity, hex};
use crate::log::Keep;
use crate::members::{Change, Members, NodeInfo};
use crate::message;
use crate::node::{Node, Opening};
use crate::pace::Own;
use crate::remote::{self, Guide, Host, Line, RemoteEngine, Requests, Spawn};
use crate::shipping::{Quay, Shipping};
use crate::snapshot::{self, Arrival, Cargo, Dock, Harbour, Ship};
use crate::transport::{self, Class, Handler, Hello, Message, PeerStatus, Purpose, Tls, Transport};
use crate::version::{self, Build};
use crate::{FIRST_GROUP, NodeId, watch};
use pamir_error::{Error, Result, SqlState, bail, err};
use pamir_storage::disk::Disk;
use pamir_storage::platform::{Platform, Real};
use pamir_storage::task;
use pamir_txn::{Cancel, CheckpointShare, EntryId, Shard, ShardOptions, Ts};
use parking_lot::Mutex;
use raft::eraftpb::ConfChangeType;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

mod steer;
pub use steer::{BUILD, CAUGHT_UP_WITHIN, CUT_OFF_AFTER, Condition, Done, Figures, HandOver, PATIENCE, Picture, Room};

const VERSION: u8 = 1;
const JOIN: u8 = 2;
const LEADER: u8 = 1;
const WAIT: u8 = 2;
const IN: u8 = 3;
const NO: u8 = 4;
type Token = [u8; 16];

/// A question to another node takes so long at most.
const ASK_TIMEOUT: Duration = Duration::from_secs(3);
/// Between two questions of a node that wants to join.
const ASK_PAUSE: Duration = Duration::from_millis(200);
/// A node that wants to join gives up after so long without an answer that helps.
pub const JOIN_PATIENCE: Duration = Duration::from_secs(30);
/// What became of joins is remembered for so many.
const JOINS_KEPT: usize = 1024;
/// What idle transactions have dropped is told to their hosts this often.
const TELL_IDLE: Duration = Duration::from_secs(1);
/// Bytes of log that a node prepares, zeroed, before it has any data: its disk may be that of a node at work.
const WAITING_SEGMENT: u64 = 1 << 20;
/// The thread of snapshots looks this often.
const SHIP_TICK: Duration = Duration::from_millis(5);
/// Bytes of snapshots a second, to all followers together, unless told otherwise: commits need the same disks, links and processors.
pub const SNAPSHOT_RATE: u64 = 32 << 20;

/// How a node takes part.
#[derive(Clone)]
pub struct Settings {
    /// Where it listens for other nodes.
    pub listen: SocketAddr,
    /// What others are told: where they, and clients, find it.
    pub info: NodeInfo,
    /// Nodes of a cluster to join; none: a directory that belongs to no cluster begins one.
    pub join: Vec<String>,
    pub tls: Option<Tls>,
    /// Plain connections between machines are allowed.
    pub insecure: bool,
    /// Bytes of snapshots a second, to all followers together, and of log to those that do not vote yet; 0: as fast as it goes.
    pub snapshot_rate: u64,
    /// What of the log is kept for followers.
    pub keep: Keep,
    /// How much room its disk has, for whoever watches the cluster.
    pub room: Option<Room>,
    /// What this program reads and writes: [`Build::OWN`], and whether the cluster's format is held down.
    pub build: Build,
    pub options: ShardOptions,
}

/// Random numbers of the machine.
struct OwnChance(Arc<dyn Platform>);
impl Chance for OwnChance {
    fn below(&mut self, n: u64) -> u64 {
        let mut b = [0; 8];
        // Without entropy elections are timed alike, and still end.
        let _ = self.0.random(&mut b);
        u64::from_le_bytes(b) % n.max(1)
    }
}

enum Joining {
    Waiting,
    In(NodeId),
    No(Error),
}
enum Freight {
    Came { from: NodeId, bytes: Vec<u8> },
    Wanted { to: NodeId },
    Stop,
}

pub(crate) struct Inner {
    own: Weak<Inner>,
    me: NodeId,
    cluster: ClusterId,
    shard: Arc<Shard>,
    disk: Arc<dyn Disk>,
    entrance: Entrance,
    view: Mutex<View>,
    transport: OnceLock<Arc<Transport>>,
    joins: Mutex<BTreeMap<Token, Joining>>,
    freight: Mutex<Sender<Freight>>,
    restart: AtomicBool,
    board: steer::Board,
    next_image: AtomicU64,
    /// Clocks that are off, by how many microseconds.
    clocks: Mutex<BTreeMap<NodeId, i64>>,
    /// Nodes with a connection, and what they said of their builds.
    connected: Mutex<BTreeMap<NodeId, Build>>,
    build: Build,
    /// What keeps the format where it is, as the log of this node was told last.
    format_waits: Mutex<Option<version::Waits>>,
    far: OnceLock<Far>,
    told_idle: Mutex<Instant>,
    /// See `handover.rs`.
    holds: AtomicBool,
}
/// What makes this node's sessions work at the leader, and other nodes' here.
struct Far {
    requests: Arc<Requests>,
    host: Arc<Host>,
    engine: Arc<RemoteEngine>,
    spawn: Arc<LateSpawn>,
}
/// Runs what other nodes ask for: on the server's workers once there are some, on threads before.
#[derive(Default)]
struct LateSpawn(OnceLock<Arc<dyn Spawn>>);
impl Spawn for LateSpawn {
    fn spawn(&self, job: Box<dyn FnOnce() + Send>) {
        match self.0.get() {
            Some(s) => s.spawn(job),
            // What finds no thread is answered by nobody, and given up by who asked.
            None => drop(std::thread::Builder::new().name("far".into()).spawn(job)),
        }
    }
}

/// A node that takes part.
pub struct Cluster {
    pub(crate) inner: Arc<Inner>,
    driver: Mutex<Option<Driver>>,
    ships: Mutex<Option<std::thread::JoinHandle<()>>>,
}

/// What an operator sees of the cluster, from one node.
#[derive(Clone, Debug)]
pub struct Status {
    pub me: NodeId,
    pub cluster: String,
    pub view: View,
    pub decided: u64,
    pub applied: u64,
    /// At the leader: the newest entry that each member has stored.
    pub progress: Vec<(NodeId, u64)>,
    pub holds_lease: bool,
    pub peers: Vec<PeerStatus>,
}

impl Cluster {
    /// Opens the directory and takes part. `say` tells people what it waits for.
    pub fn open(disk: Arc<dyn Disk>, settings: Settings, say: &dyn Fn(&str)) -> Result<Arc<Cluster>> {
        identity::check_not_removed(&*disk)?;
        let identity = match Identity::read(&*disk)? {
            Some(id) => id,
            None if settings.join.is_empty() => begin(&disk, &settings)?,
            None => join(&disk, &settings, say)?,
        };
        let alone = settings.join.is_empty() && identity.node == 1;
        let mut options = settings.options.clone();
        if !alone && !disk.exists(pamir_storage::store::SUPER_FILE)? {
            // It starts anew from the first snapshot, with a log of the size that is asked for. This one only names who votes.
            options.log_segment_size = options.log_segment_size.min(WAITING_SEGMENT);
        }
        let bell = Doorbell::new();
        let platform = settings.options.platform.clone().unwrap_or_else(Real::shared);
        let how = Opening {
            me: identity.node,
            begin: alone.then(|| Members::alone(identity.node, settings.info.clone(), settings.build.formats.newest)),
            options,
            formats: settings.build.formats,
            waker: bell.waker(),
            stepped: false,
            keep: settings.keep,
        };
        let chance = Box::new(OwnChance(platform.clone()));
        let (mut node, shard) = Node::open(disk.clone(), how, Instant::now(), chance)?;
        if let Some(g) = node.group_mut(FIRST_GROUP) {
            g.set_learners_rate(settings.snapshot_rate);
        }
        let (to_ships, freight) = channel();
        let inner = Arc::new_cyclic(|own| Inner {
            own: own.clone(),
            me: identity.node,
            cluster: identity.cluster,
            shard: shard.clone(),
            disk,
            entrance: Entrance::new(bell),
            view: Mutex::default(),
            transport: OnceLock::new(),
            joins: Mutex::default(),
            freight: Mutex::new(to_ships),
            restart: AtomicBool::new(false),
            board: steer::Board::new(settings.room.clone()),
            next_image: AtomicU64::new(platform.time() as u64),
            clocks: Mutex::default(),
            connected: Mutex::default(),
            build: settings.build,
            format_waits: Mutex::default(),
            far: OnceLock::new(),
            told_idle: Mutex::new(Instant::now()),
            holds: AtomicBool::new(false),
        });
        let _ = inner.far.set(inner.make_far(&*platform)?);
        let mut me = transport::Identity::new(identity.cluster, identity.node, identity.address.clone());
        (me.tls, me.insecure, me.build) = (settings.tls.clone(), settings.insecure, settings.build);
        let transport = Transport::start(transport::Config::new(me, settings.listen), inner.clone())?;
        let _ = inner.transport.set(transport.clone());
        let shipping = Shipping::new(settings.snapshot_rate, settings.keep);
        let ships = {
            let inner = inner.clone();
            let t = std::thread::Builder::new()
                .name("snapshots".into())
                .spawn(move || run_ships(&inner, freight, shipping));
            t.map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))?
        };
        let driver = Driver::start(node, shard, inner.entrance.clone(), inner.clone(), &transport)?;
        Ok(Arc::new(Cluster { inner, driver: Mutex::new(Some(driver)), ships: Mutex::new(Some(ships)) }))
    }
    pub fn shard(&self) -> &Arc<Shard> {
        &self.inner.shard
    }
    /// The engine for this node's sessions: data is the leader's, whoever leads.
    pub fn engine(&self) -> Result<Arc<RemoteEngine>> {
        self.inner.far.get().map(|f| f.engine.clone()).ok_or_else(no_group)
    }
    /// What other nodes' sessions ask runs there from now on.
    pub fn spawn_on(&self, spawn: Arc<dyn Spawn>) {
        if let Some(f) = self.inner.far.get() {
            let _ = f.spawn.0.set(spawn);
        }
    }
    pub fn me(&self) -> NodeId {
        self.inner.me
    }
    /// The cluster's own number.
    pub fn cluster_id(&self) -> ClusterId {
        self.inner.cluster
    }
    /// The way to the node's turns.
    pub fn entrance(&self) -> &Entrance {
        &self.inner.entrance
    }
    pub fn view(&self) -> View {
        self.inner.view.lock().clone()
    }
    /// Where clients find the leader; None: nobody is known to lead.
    pub fn leader(&self) -> Option<(NodeId, NodeInfo)> {
        let view = self.inner.view.lock();
        view.members.nodes.get(&view.leader).map(|i| (view.leader, i.clone()))
    }
    /// A snapshot has come: everything above is to be closed, and the directory opened again.
    pub fn must_restart(&self) -> bool {
        self.inner.restart.load(Ordering::Acquire)
    }
    pub fn status(&self) -> Result<Status> {
        let inner = &self.inner;
        let (decided, progress) =
            inner.entrance.ask(|n| n.group(FIRST_GROUP).map_or((0, Vec::new()), |g| (g.decided(), g.progress())))?;
        Ok(Status {
            me: inner.me,
            cluster: hex(&inner.cluster),
            view: self.view(),
            decided,
            applied: inner.shard.applied_entry().index,
            progress,
            holds_lease: inner.shard.holds_lease(),
            peers: inner.transport.get().map_or_else(Vec::new, |t| t.status()),
        })
    }
    /// Takes a node out of the cluster. Asked of the leader.
    pub fn remove(&self, node: NodeId) -> Result<()> {
        self.inner.entrance.ask(move |n| {
            let g = n.group_mut(FIRST_GROUP).ok_or_else(no_group)?;
            if !g.log().members.contains(node) {
                bail!(UNDEFINED_OBJECT, "there is no node {node} in the cluster");
            }
            if g.log().members.conf.voters == [node] {
                return Err(err!(OBJECT_IN_USE, "node {node} is the only one that votes"));
            }
            g.change(change_of(ConfChangeType::RemoveNode, node), &Change::default())
        })?
    }
    /// Hands the leadership to a node at once: what is open is rolled back (40001); [`Cluster::hand_over`] waits for it. Asked of the leader; the change comes when that node has caught up.
    pub fn transfer(&self, to: NodeId) -> Result<()> {
        self.inner.entrance.ask(move |n| n.group_mut(FIRST_GROUP).ok_or_else(no_group)?.transfer(to))?
    }
    /// Ends taking part; the shard is the caller's to close.
    pub fn stop(&self) {
        let driver = self.driver.lock().take();
        drop(driver);
        let _ = self.inner.freight.lock().send(Freight::Stop);
        if let Some(t) = self.ships.lock().take() {
            let _ = t.join();
        }
        if let Some(t) = self.inner.transport.get() {
            t.stop();
        }
    }
}
impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}
fn no_group() -> Error {
    Error::internal("this node has no replica")
}

/// A new cluster of this node alone. What a single node has in its directory is checkpointed first, so that no record of its own log is needed.
fn begin(disk: &Arc<dyn Disk>, settings: &Settings) -> Result<Identity> {
    if disk.exists(pamir_storage::store::SUPER_FILE)? {
        let shard = Shard::open(disk.clone(), settings.options.clone())?;
        shard.close()?;
    }
    let platform = settings.options.platform.clone().unwrap_or_else(Real::shared);
    let mut cluster = [0; 16];
    platform.random(&mut cluster)?;
    let id = Identity { cluster, node: 1, address: settings.info.address.clone() };
    id.write(&**disk)?;
    Ok(id)
}

/// Asks to be let into the cluster of those named.
fn join(disk: &Arc<dyn Disk>, settings: &Settings, say: &dyn Fn(&str)) -> Result<Identity> {
    if disk.exists(pamir_storage::store::SUPER_FILE)? {
        return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the data directory holds a database of its own")
            .hint("A node that joins a cluster gets the cluster's data: give it an empty directory."));
    }
    let platform = settings.options.platform.clone().unwrap_or_else(Real::shared);
    let mut token = [0; 16];
    platform.random(&mut token)?;
    let mut me = transport::Identity::new([0; 16], 0, settings.info.address.clone());
    (me.tls, me.insecure, me.build) = (settings.tls.clone(), settings.insecure, settings.build);
    let mut ask_next = settings.join.clone();
    let mut newest = None;
    let mut told = false;
    let end = Instant::now() + JOIN_PATIENCE;
    while Instant::now() < end {
        for address in std::mem::replace(&mut ask_next, settings.join.clone()) {
            match ask_to_join(&me, &address, &token, &settings.info) {
                Ok(Answer::In(cluster, node)) => {
                    let id = Identity { cluster, node, address: settings.info.address.clone() };
                    id.write(&**disk)?;
                    return Ok(id);
                }
                Ok(Answer::Leader(_, 0, _)) => newest = Some(err!(CANNOT_CONNECT_NOW, "nobody leads the cluster now")),
                Ok(Answer::Leader(_, _, at)) if at != address => {
                    ask_next = vec![at];
                    break;
                }
                Ok(Answer::Leader(..) | Answer::Wait) => {
                    ask_next = vec![address];
                    if !std::mem::replace(&mut told, true) {
                        say("waiting to be let into the cluster");
                    }
                    break;
                }
                Ok(Answer::No(e)) => return Err(e),
                Err(e) if e.code().as_str().starts_with("08") => newest = Some(e),
                // Another cluster's certificate, another version: no patience will help.
                Err(e) => return Err(e),
            }
        }
        std::thread::sleep(ASK_PAUSE);
    }
    let e = newest.unwrap_or_else(|| err!(CANNOT_CONNECT_NOW, "the leader did not let this node in"));
    Err(err!(CANNOT_CONNECT_NOW, "could not join the cluster: {}", e.message())
        .hint("Name nodes that run with --join, by the addresses of their --node-addr."))
}
enum Answer {
    Leader(ClusterId, NodeId, String),
    Wait,
    In(ClusterId, NodeId),
    No(Error),
}
impl Answer {
    fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        match self {
            Answer::Leader(cluster, id, address) => {
                out.push(LEADER);
                out.extend_from_slice(cluster);
                put_varint(&mut out, *id);
                put_bytes(&mut out, address.as_bytes());
            }
            Answer::Wait => out.push(WAIT),
            Answer::In(cluster, id) => {
                out.push(IN);
                out.extend_from_slice(cluster);
                put_varint(&mut out, *id);
            }
            Answer::No(e) => {
                out.push(NO);
                put_bytes(&mut out, e.code().as_str().as_bytes());
                put_bytes(&mut out, e.message().as_bytes());
                for more in [&e.data().detail, &e.data().hint] {
                    put_bytes(&mut out, more.as_deref().unwrap_or_default().as_bytes());
                }
            }
        }
        out
    }
    fn decode(bytes: &[u8]) -> Result<Answer> {
        let mut r = Reader::new(bytes, "another node's answer");
        r.version(VERSION)?;
        let id = |r: &mut Reader| -> Result<ClusterId> {
            let b = r.take(16)?;
            b.try_into().or_else(|_| r.damaged())
        };
        Ok(match r.u8()? {
            LEADER => Answer::Leader(id(&mut r)?, r.varint()?, r.string()?),
            WAIT => Answer::Wait,
            IN => Answer::In(id(&mut r)?, r.varint()?),
            NO => {
                let code = r.string()?;
                if code.len() != 5 || !code.bytes().all(|b| b.is_ascii_alphanumeric()) {
                    return r.damaged();
                }
                let mut e = Error::new(SqlState::new(&code), r.string()?);
                // The first programs say nothing more.
                if !r.is_empty() {
                    let (detail, hint) = (r.string()?, r.string()?);
                    (e.data_mut().detail, e.data_mut().hint) =
                        (Some(detail).filter(|d| !d.is_empty()), Some(hint).filter(|h| !h.is_empty()));
                }
                Answer::No(e)
            }
            _ => return r.damaged(),
        })
    }
}
fn ask_to_join(me: &transport::Identity, address: &str, token: &Token, info: &NodeInfo) -> Result<Answer> {
    let mut request = vec![VERSION, JOIN];
    request.extend_from_slice(token);
    info.write(&mut request);
    let answer = transport::ask(me, address, &request, ASK_TIMEOUT)?;
    Answer::decode(&answer)
}

impl Inner {
    fn leader(&self) -> Answer {
        let view = self.view.lock();
        let address = view.members.nodes.get(&view.leader).map_or(String::new(), |n| n.address.clone());
        let leader = if address.is_empty() { 0 } else { view.leader };
        Answer::Leader(self.cluster, leader, address)
    }
    fn answer(self: &Arc<Self>, build: Build, message: &[u8]) -> Result<Answer> {
        let mut r = Reader::new(message, "another node's question");
        r.version(VERSION)?;
        match r.u8()? {
            JOIN => {
                let token: Token = r.take(16)?.try_into().or_else(|_| r.damaged())?;
                let info = NodeInfo::read(&mut r)?;
                if !self.view.lock().serves {
                    return Ok(self.leader());
                }
                let mut joins = self.joins.lock();
                match joins.get(&token) {
                    Some(Joining::Waiting) => return Ok(Answer::Wait),
                    Some(Joining::In(id)) => return Ok(Answer::In(self.cluster, *id)),
                    Some(Joining::No(e)) => return Ok(Answer::No(e.clone())),
                    None => {}
                }
                if joins.len() >= JOINS_KEPT {
                    joins.clear();
                }
                joins.insert(token, Joining::Waiting);
                drop(joins);
                let inner = self.clone();
                self.entrance.command(Box::new(move |n| inner.let_in(n, token, info, build)));
                Ok(Answer::Wait)
            }
            _ => r.damaged(),
        }
    }
    /// Between two turns: proposes the new member. Another change that is under way is waited for by being asked again.
    fn let_in(&self, node: &mut Node, token: Token, info: NodeInfo, build: Build) {
        let proposed = match node.group_mut(FIRST_GROUP) {
            None => Err(no_group()),
            Some(g) => {
                let members = &g.log().members;
                let known = members.nodes.values().any(|n| n.address == info.address);
                let fits = version::admit(members.format, build, &format!("the node at {}", info.address));
                if let Err(e) = fits {
                    Err(e)
                } else if known {
                    Err(err!(DUPLICATE_OBJECT, "a node of the cluster has the address {} already", info.address)
                        .hint("Remove that node first, or give the new one another address."))
                } else {
                    let id = members.next_node;
                    let change = Change { format: 0, next_node: id + 1, nodes: vec![(id, info)] };
                    g.change(change_of(ConfChangeType::AddLearnerNode, id), &change).map(|()| id)
                }
            }
        };
        let mut joins = self.joins.lock();
        match proposed {
            // It is in when the members say so.
            Ok(id) => joins.insert(token, Joining::In(id)),
            Err(e) if e.code() == pamir_error::error::state::OBJECT_IN_USE => joins.remove(&token),
            Err(e) => joins.insert(token, Joining::No(e)),
        };
    }
    fn freight(&self, f: Freight) {
        let _ = self.freight.lock().send(f);
    }
    fn send(&self, to: NodeId, class: Class, bytes: Vec<u8>) -> bool {
        self.transport.get().is_some_and(|t| t.send(to, class, bytes).is_ok())
    }
}

impl Inner {
    fn make_far(&self, platform: &dyn Platform) -> Result<Far> {
        let post: Arc<dyn remote::Post> = Arc::new(Outgoing(self.own.clone()));
        let requests = Requests::new(post.clone(), platform)?;
        let spawn = Arc::new(LateSpawn::default());
        let of = self.shard.clone();
        let host = Host::new(remote::host::HostOptions {
            shard: self.shard.clone(),
            spawn: spawn.clone(),
            post,
            catalog_version: Box::new(move || of.catalog_ts()),
        });
        let engine = Arc::new(RemoteEngine::new(self.shard.clone(), Arc::new(Way(self.own.clone())))?);
        Ok(Far { requests, host, engine, spawn })
    }
    fn deliver(&self, from: NodeId, bytes: &[u8]) {
        let Some(f) = self.far.get() else { return };
        if let Err(e) = remote::deliver(&f.requests, &f.host, from, bytes) {
            tracing::warn!(from, error = %e, "a request of another node is dropped");
        }
    }
}
/// Requests and answers on their way out.
struct Outgoing(Weak<Inner>);
impl remote::Post for Outgoing {
    fn send(&self, to: NodeId, bytes: Vec<u8>) -> std::result::Result<(), remote::Refused> {
        let Some(inner) = self.0.upgrade() else { return Err(remote::Refused::Away) };
        if to == inner.me {
            // A session that began before this node led.
            let this = inner.clone();
            inner.entrance.command(Box::new(move |_| this.deliver(to, &bytes)));
            return Ok(());
        }
        let Some(t) = inner.transport.get() else { return Err(remote::Refused::Away) };
        t.send(to, Class::Log, bytes).map_err(|e| match e {
            transport::Refused::Full => remote::Refused::Full,
            _ => remote::Refused::Away,
        })
    }
}
/// Who leads, for this node's sessions.
struct Way(Weak<Inner>);
/// How often those who wait for a leader look.
const LEADER_LOOK: Duration = Duration::from_millis(2);
/// How long a commit waits for this replica to have it, before who made it goes on.
const APPLIED_WAIT: Duration = Duration::from_secs(5);
/// How long a statement waits for this node's catalog to be the leader's.
const CATALOG_WAIT: Duration = Duration::from_secs(10);
impl Guide for Way {
    fn leads(&self) -> bool {
        self.0.upgrade().is_some_and(|i| i.shard.leads())
    }
    fn begins_here(&self) -> bool {
        self.0.upgrade().is_some_and(|i| i.shard.leads() && !i.holds())
    }
    fn leader(&self, until: Instant, cancel: &Cancel) -> Result<Option<Arc<dyn Line>>> {
        loop {
            let Some(inner) = self.0.upgrade() else { return Ok(None) };
            let (leader, serves) = {
                let v = inner.view.lock();
                (v.leader, v.serves)
            };
            let reached = if leader == inner.me {
                serves && !inner.holds()
            } else {
                inner.connected.lock().contains_key(&leader)
            };
            if reached && let Some(f) = inner.far.get() {
                return Ok(Some(f.requests.line(leader)));
            }
            drop(inner);
            cancel.check()?;
            if task::now() >= until {
                return Ok(None);
            }
            task::sleep(LEADER_LOOK, |_| false);
        }
    }
    fn format(&self) -> u64 {
        self.0.upgrade().map_or(0, |i| i.view.lock().members.format)
    }
    fn await_applied(&self, ts: Ts) {
        if let Some(i) = self.0.upgrade() {
            i.shard.await_replica(APPLIED_WAIT, |s| s.applied_ts() >= ts);
        }
    }
    fn await_catalog(&self, version: u64) -> Result<()> {
        let Some(i) = self.0.upgrade() else { return Err(no_group()) };
        if i.shard.applied_ts() >= version || i.shard.await_replica(CATALOG_WAIT, |s| s.applied_ts() >= version) {
            return Ok(());
        }
        Err(err!(CANNOT_CONNECT_NOW, "this node is behind the leader and does not know the newest definitions yet")
            .hint("Retry, or connect to another node."))
    }
    fn ask_closed(&self) {
        if let Some(i) = self.0.upgrade() {
            i.entrance.command(Box::new(|n| {
                if let Some(g) = n.group_mut(FIRST_GROUP) {
                    g.want_closed(Instant::now());
                }
            }));
        }
    }
}

impl Post for Inner {
    fn post(&self, to: NodeId, urgent: bool, bytes: Vec<u8>) {
        let class = if urgent { Class::Control } else { Class::Log };
        self.send(to, class, bytes);
    }
    fn snapshot(&self, to: NodeId, _: raft::eraftpb::Snapshot) {
        self.freight(Freight::Wanted { to });
    }
    fn changed(&self, view: View) {
        let old = self.view.lock();
        if let Some(t) = self.transport.get() {
            for (id, info) in view.members.nodes.iter().filter(|(id, _)| **id != self.me) {
                if old.members.nodes.get(id) != Some(info) {
                    t.set_peer(*id, &info.address);
                }
            }
            if old.members.format != view.members.format {
                self.part_from_old(t, &view);
            }
            for id in old.members.nodes.keys().filter(|id| !view.members.nodes.contains_key(id)) {
                self.see_off(*id);
            }
        }
        if old.leader != view.leader && view.leader != 0 {
            self.board.tally.leader_changes.fetch_add(1, Ordering::Relaxed);
        }
        if (old.leader, old.serves) != (view.leader, view.serves) {
            match view.leader {
                0 => tracing::warn!(term = view.term, "nobody is known to lead"),
                leader => tracing::info!(term = view.term, leader, serves = view.serves, "the leader is known"),
            }
        }
        let (leader, term, serves) = (view.leader, view.term, view.serves);
        // The same one of a new term has lost what it held for others.
        let lost = Some(old.leader).filter(|of| *of != 0 && (*of, old.term) != (leader, term));
        drop(old);
        let far = self.far.get();
        let lose = || far.into_iter().zip(lost).for_each(|(f, of)| f.requests.forsake(of));
        // Lines to it are over before anybody can reach the next one, so that who works there knows that its session's locks are lost; and again, for those who looked between.
        lose();
        let before = std::mem::replace(&mut *self.view.lock(), view);
        lose();
        let Some(f) = far else { return };
        match (before.serves, serves) {
            (false, true) => f.host.begin(),
            (true, false) => f.host.end_all(),
            _ => {}
        }
    }
    fn look(&self, node: &mut Node, own: Own, now: Instant) {
        self.observe(node, own, now);
        if let Some(f) = self.far.get()
            && let mut told = self.told_idle.lock()
            && now >= *told + TELL_IDLE
        {
            *told = now;
            f.requests.flush();
            f.engine.tell_idle();
        }
        if node.wants_snapshot(FIRST_GROUP) {
            self.freight(Freight::Wanted { to: 0 });
        }
        if let Some(g) = node.group_mut(FIRST_GROUP) {
            g.promote();
            let _ = self.raise_format(g, false);
        }
    }
}

/// The handler of the transport; an `Arc` of it is needed to go on beside.
impl Handler for Inner {
    fn received(&self, from: NodeId, _: Class, message: Message) {
        match message.first() {
            Some(&message::SUBJECT) => self.entrance.heard(from, message.into_vec()),
            Some(&snapshot::SUBJECT) => self.freight(Freight::Came { from, bytes: message.into_vec() }),
            Some(&watch::SUBJECT) => {
                if let Err(e) = self.heard_news(from, &message) {
                    tracing::warn!(from, error = %e, "a message about members is dropped");
                }
            }
            Some(n) if remote::wire::SUBJECTS.contains(n) => self.deliver(from, &message),
            _ => tracing::warn!(from, "a message of an unknown subject is dropped"),
        }
    }
    fn connected(&self, peer: &Hello) {
        tracing::info!(node = peer.node, address = %peer.address, "connected");
        self.connected.lock().insert(peer.node, peer.build);
    }
    fn lost(&self, peer: NodeId, why: &Error) {
        tracing::warn!(node = peer, "connection lost: {why}");
        self.clocks.lock().remove(&peer);
        self.connected.lock().remove(&peer);
        if let Some(f) = self.far.get() {
            f.requests.lost(peer);
            f.host.lost(peer);
        }
        self.entrance.command(Box::new(move |n| {
            if let Some(g) = n.group_mut(FIRST_GROUP) {
                g.unreachable(peer);
            }
        }));
    }
    fn clock_off(&self, peer: NodeId, micros: i64) {
        tracing::warn!(node = peer, micros, "the clock of a node differs from this one's");
        self.clocks.lock().insert(peer, micros);
    }
    fn admit(&self, hello: &Hello) -> Result<()> {
        if hello.purpose == Purpose::Join {
            return Ok(());
        }
        if hello.node == self.me {
            return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "node {} is already here", self.me)
                .detail("Two processes run as the same node: one of them has a copy of the other's directory."));
        }
        let view = self.view.lock();
        version::admit(view.members.format, hello.build, &format!("node {}", hello.node))?;
        // One that has just been let in knows nobody.
        if view.members.nodes.is_empty()
            || view.members.nodes.contains_key(&hello.node)
            || hello.node >= view.members.next_node
        {
            return Ok(());
        }
        Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "{}", steer::removed_words(hello.node))
            .hint("Let it join anew with an empty directory."))
    }
    fn request(&self, hello: &Hello, message: Vec<u8>) -> Vec<u8> {
        let inner = self.itself();
        inner.and_then(|i| i.answer(hello.build, &message)).unwrap_or_else(Answer::No).encode()
    }
}
impl Inner {
    /// Does this node keep transactions from beginning here?
    fn holds(&self) -> bool {
        self.holds.load(Ordering::SeqCst)
    }
    /// Begins or ends to keep transactions, of this node's sessions and others', from beginning here; was it so before?
    pub(crate) fn hold(&self, on: bool) -> bool {
        let before = self.holds.swap(on, Ordering::SeqCst);
        if let Some(f) = self.far.get() {
            f.host.hold(on);
        }
        before
    }
    /// At the leader: the next format, if every member is there and knows it.
    fn raise_format(&self, g: &mut Group, ordered: bool) -> Option<std::result::Result<u64, version::Waits>> {
        let connected = self.connected.lock().clone();
        let r = g.raise_format(self.build, |id| connected.get(&id).copied(), ordered)?;
        let mut told = self.format_waits.lock();
        let waits = r.as_ref().err().cloned();
        if let Some(why @ (version::Waits::Old(_) | version::Waits::Held(_))) = &waits
            && *told != waits
        {
            tracing::info!(format = g.log().members.format, ?why, "the cluster's format stays");
        }
        *told = waits;
        Some(r)
    }
    /// The format has risen: a node that came before that, with a build that does not have it, has no connection any more and is refused from now on.
    fn part_from_old(&self, t: &Transport, view: &View) {
        tracing::info!(format = view.members.format, "the cluster's format");
        for (id, build) in &*self.connected.lock() {
            if let (Err(_), Some(info)) = (version::admit(view.members.format, *build, ""), view.members.nodes.get(id))
            {
                t.remove_peer(*id);
                t.set_peer(*id, &info.address);
            }
        }
    }
    pub(crate) fn entrance(&self) -> &Entrance {
        &self.entrance
    }
    /// Requests of other nodes that are not answered.
    pub(crate) fn unanswered(&self) -> usize {
        self.far.get().map_or(0, |f| f.host.counts().1)
    }
    /// This, shared.
    fn itself(&self) -> Result<Arc<Inner>> {
        self.own.upgrade().ok_or_else(no_group)
    }
}

/// This node's replica, asked on its thread.
struct OverEntrance<'a>(&'a Entrance);
impl Dock for OverEntrance<'_> {
    fn lacks(&mut self, id: EntryId) -> Result<bool> {
        self.0.ask(move |n| n.lacks(FIRST_GROUP, id))
    }
    fn retire(&mut self, id: EntryId) -> Result<Option<(u64, NodeId)>> {
        self.0.ask(move |n| n.lacks(FIRST_GROUP, id).then(|| n.retire(FIRST_GROUP)))
    }
}

/// This node, as its shipments see it.
struct OverInner<'a>(&'a Inner);
impl Quay for OverInner<'_> {
    fn load(&mut self) -> Result<Option<Cargo>> {
        let inner = self.0;
        inner.shard.checkpoint_within(CheckpointShare::Quarter)?;
        let taken = match inner.shard.snapshot() {
            Ok(Some(taken)) => taken,
            // Large commits are under way.
            Ok(None) => return Ok(None),
            // Too many are being copied.
            Err(e) if e.code() == pamir_error::error::state::OBJECT_IN_USE => return Ok(None),
            Err(e) => return Err(e),
        };
        let cargo = Cargo::new(inner.next_image.fetch_add(1, Ordering::Relaxed), taken)?;
        tracing::info!(index = cargo.id.index, pages = cargo.image.len(), "a snapshot is ready for followers");
        Ok(Some(cargo))
    }
    fn log_since(&mut self, index: u64) -> Result<Option<(u64, u64)>> {
        self.0.entrance.ask(move |n| n.log_since(FIRST_GROUP, index))
    }
    fn offer(&mut self, of: Option<(EntryId, Members)>) {
        self.0.entrance.command(Box::new(move |n| n.set_snapshot(FIRST_GROUP, of)));
    }
    fn keep_for(&mut self, to: NodeId, id: EntryId) {
        self.0.entrance.command(Box::new(move |n| n.keep_for(FIRST_GROUP, to, id, Instant::now())));
    }
    fn sent(&mut self, to: NodeId, arrived: bool) {
        if arrived {
            self.0.board.tally.snapshots_sent.fetch_add(1, Ordering::Relaxed);
        }
        self.0.entrance.command(Box::new(move |n| {
            if let Some(g) = n.group_mut(FIRST_GROUP) {
                g.snapshot_sent(to, arrived);
            }
        }));
    }
    fn send(&mut self, to: NodeId, ship: &Ship, image: u64) -> bool {
        let sent = self.0.send(to, Class::Bulk, ship.encode(FIRST_GROUP, image));
        if let (true, Ship::Part { pages, .. }) = (sent, ship) {
            self.0.board.sent_part(pages.len());
        }
        sent
    }
}

/// The thread of snapshots: takes images, sends them, stores those that come.
fn run_ships(inner: &Arc<Inner>, freight: Receiver<Freight>, mut ships: Shipping) {
    let mut harbour = Harbour::new(inner.disk.clone());
    loop {
        let f = freight.recv_timeout(SHIP_TICK);
        let now = Instant::now();
        let r = match f {
            Ok(Freight::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Ok(Freight::Came { from, bytes }) => came(inner, &mut harbour, &mut ships, from, &bytes, now),
            Ok(Freight::Wanted { to }) => ships.wanted(&mut OverInner(inner), to, now),
        };
        if let Err(e) = r {
            tracing::warn!(error = %e, "a snapshot does not go on");
        }
        ships.go(&mut OverInner(inner), now);
        inner.board.ships(&ships);
    }
}
fn came(
    inner: &Inner,
    harbour: &mut Harbour,
    ships: &mut Shipping,
    from: NodeId,
    bytes: &[u8],
    now: Instant,
) -> Result<()> {
    let (group, image, ship) = Ship::decode(bytes)?;
    if group != FIRST_GROUP {
        return Ok(());
    }
    match ship {
        Ship::Have { .. } | Ship::Done => {
            ships.answered(&mut OverInner(inner), from, image, &ship, now);
        }
        ship => {
            if inner.restart.load(Ordering::Acquire) {
                return Ok(());
            }
            if let Ship::Part { pages, .. } = &ship {
                inner.board.tally.snapshot_bytes_received.fetch_add(pages.len() as u64, Ordering::Relaxed);
            }
            match harbour.take(image, ship, &mut OverEntrance(&inner.entrance))? {
                Arrival::Answer(a) => drop(inner.send(from, Class::Bulk, a.encode(group, image))),
                Arrival::Complete => {
                    inner.send(from, Class::Bulk, Ship::Done.encode(group, image));
                    inner.board.tally.snapshots_received.fetch_add(1, Ordering::Relaxed);
                    tracing::info!("a snapshot has come; this node starts anew from it");
                    inner.restart.store(true, Ordering::Release);
                }
                Arrival::Nothing => {}
            }
        }
    }
    Ok(())
}
