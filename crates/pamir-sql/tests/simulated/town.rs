//! A cluster in a simulation: each node is a task with a simulated disk, its sessions and its calls are tasks beside it, and between nodes are letters.
//!
//! ```text
//!   mayor ── orders (crash, pause, cut, transfer) ──► houses
//!   house: a task ── Node::turn ── letters about entries ─────────► post ──► other houses     late, out of order, dropped, cut
//!            life: shard, Requests, Host, RemoteEngine, Database ── far calls ──► in order, or their connection is lost
//! ```
//! A house has one life after another: a crash ends everything in it at once (its disk keeps what a disk keeps), and the next one begins with what the disk has. What is under way in a life that is over
//! is answered to nobody.
//!
//! Snapshots of a checkpoint's pages are not sent here (no log is given up while it is short): `pamir-cluster/tests/sim.rs` has them.
use super::Jobs;
use pamir_cluster::driver::View;
use pamir_cluster::group::Chance;
use pamir_cluster::log::Keep;
use pamir_cluster::members::{Members, NodeInfo};
use pamir_cluster::node::{Node, Opening};
use pamir_cluster::remote::host::HostOptions;
use pamir_cluster::remote::{Guide, Host, Line, Post, Refused, RemoteEngine, Requests, deliver};
use pamir_cluster::version::{FORMATS, NEWEST};
use pamir_cluster::{FIRST_GROUP, NodeId};
use pamir_net::simulation::Simulation;
use pamir_sql::session::Database;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::log::Syncing;
use pamir_storage::platform::{Platform, Sim};
use pamir_storage::task;
use pamir_testkit::Rng;
use pamir_txn::{Cancel, Shard, ShardOptions, Ts};
use pamir_types::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Poll, Wake, Waker};
use std::time::{Duration, Instant};

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}
fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Wakes a house's task.
#[derive(Default)]
struct Bell {
    rung: AtomicBool,
    waker: Mutex<Option<Waker>>,
}
impl Bell {
    fn rest(&self, until: Instant) {
        let _ = task::wait(Some(until), |w| {
            if self.rung.swap(false, Ordering::SeqCst) {
                return Poll::Ready(());
            }
            *lock(&self.waker) = Some(w.clone());
            Poll::Pending
        });
    }
}
impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rung.store(true, Ordering::SeqCst);
        let waker = lock(&self.waker).take();
        if let Some(w) = waker {
            w.wake();
        }
    }
}

enum What {
    Entries(Vec<u8>),
    /// Of this connection.
    Far(u64, Vec<u8>),
    Connected(u64),
    Lost,
}
struct Letter {
    at: Instant,
    number: u64,
    from: NodeId,
    what: What,
}
/// All that is on its way.
#[derive(Default)]
struct Net {
    mail: BTreeMap<NodeId, Vec<Letter>>,
    number: u64,
    cut: BTreeSet<(NodeId, NodeId)>,
    /// Connections that stand, by their ends (the smaller one first), with their numbers.
    up: BTreeMap<(NodeId, NodeId), u64>,
    /// When the newest letter that keeps its order comes.
    last: BTreeMap<(NodeId, NodeId), Instant>,
    alive: BTreeSet<NodeId>,
}
fn pair(a: NodeId, b: NodeId) -> (NodeId, NodeId) {
    (a.min(b), a.max(b))
}

/// What happens to a house.
pub enum Order {
    Crash(Duration),
    Pause(Duration),
    Transfer(NodeId),
    Checkpoint,
    Slow(Duration),
}
pub struct House {
    pub id: NodeId,
    pub disk: SimDisk,
    bell: Arc<Bell>,
    orders: Mutex<Vec<Order>>,
    pub life: Mutex<Option<Arc<Life>>>,
    lives: AtomicU64,
}
/// One run of a node.
pub struct Life {
    pub me: NodeId,
    pub number: u64,
    pub shard: Arc<Shard>,
    requests: Arc<Requests>,
    pub host: Arc<Host>,
    pub engine: Arc<RemoteEngine>,
    pub database: Mutex<Option<Arc<Database>>>,
    view: Mutex<View>,
    /// Connections that this node knows of.
    connected: Mutex<BTreeMap<NodeId, u64>>,
    own: Mutex<Vec<Vec<u8>>>,
    pub crashed: Arc<AtomicBool>,
    bell: Arc<Bell>,
    town: Weak<Town>,
}
impl Life {
    pub fn is_over(&self) -> bool {
        self.crashed.load(Ordering::SeqCst)
    }
}
/// What a node of the town does when it has data and knows who leads.
type Serve = Box<dyn Fn(&Arc<Town>, &Arc<Life>) + Send + Sync>;

pub struct Town {
    seed: u64,
    sim: Arc<Sim>,
    rng: Mutex<Rng>,
    net: Mutex<Net>,
    pub houses: Vec<House>,
    pub jobs: Arc<Jobs>,
    options: ShardOptions,
    serve: Serve,
    pub over: AtomicBool,
    pub leaders: Mutex<BTreeSet<(u64, NodeId)>>,
}
struct Dice(Rng);
impl Chance for Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }
}

impl Town {
    pub fn new(
        seed: u64,
        nodes: u64,
        sim: Arc<Sim>,
        jobs: Arc<Jobs>,
        options: ShardOptions,
        serve: Serve,
    ) -> Arc<Town> {
        let house = |id| House {
            id,
            disk: SimDisk::new(seed.wrapping_mul(31).wrapping_add(id)),
            bell: Arc::default(),
            orders: Mutex::default(),
            life: Mutex::default(),
            lives: AtomicU64::new(0),
        };
        Arc::new(Town {
            seed,
            sim,
            rng: Mutex::new(Rng::new(seed ^ 0x70_77_6e)),
            net: Mutex::default(),
            houses: (1..=nodes).map(house).collect(),
            jobs,
            options,
            serve,
            over: AtomicBool::new(false),
            leaders: Mutex::default(),
        })
    }
    /// The houses' tasks and their shards' machines.
    pub fn settle(self: &Arc<Self>, s: &mut Simulation) {
        for i in 0..self.houses.len() {
            let town = self.clone();
            let job = move || town.live(&town.houses[i]);
            s.spawn(format!("node {}", self.houses[i].id), job).expect("a stack");
            let machine = |s: &mut Simulation, step: fn(&Shard) -> bool| {
                let town = self.clone();
                s.machine(move || {
                    let life = lock(&town.houses[i].life).clone();
                    life.is_some_and(|l| !l.is_over() && l.shard.failure().is_none() && step(&l.shard))
                });
            };
            machine(s, |s| s.step_applier() > 0);
            machine(s, |s| s.step_checkpoint());
            machine(s, |s| s.step_forget().is_ok_and(|more| more));
        }
    }
    pub fn seed(&self) -> u64 {
        self.seed
    }
    pub fn below(&self, n: u64) -> u64 {
        lock(&self.rng).below(n)
    }
    pub fn order(&self, house: usize, o: Order) {
        let h = &self.houses[house];
        lock(&h.orders).push(o);
        h.bell.clone().wake();
    }
    pub fn leader(&self) -> Option<usize> {
        let leads = |h: &House| lock(&h.life).as_ref().is_some_and(|l| !l.is_over() && l.shard.leads());
        self.houses.iter().position(leads)
    }
    fn ring(&self, id: NodeId) {
        if let Some(h) = self.houses.iter().find(|h| h.id == id) {
            h.bell.clone().wake();
        }
    }
    fn put(&self, net: &mut Net, from: NodeId, to: NodeId, what: What, delay: Duration) {
        let in_order = !matches!(what, What::Entries(_));
        let mut at = task::now() + delay;
        if in_order {
            let last = net.last.entry((from, to)).or_insert(at);
            at = at.max(*last + Duration::from_micros(1));
            *last = at;
        }
        net.number += 1;
        let letter = Letter { at, number: net.number, from, what };
        net.mail.entry(to).or_default().push(letter);
    }
    fn delay(&self) -> Duration {
        match self.below(20) {
            0 => Duration::from_micros(1_000 + self.below(60_000)),
            _ => Duration::from_micros(50 + self.below(400)),
        }
    }
    fn post(&self, from: NodeId, to: NodeId, bytes: Vec<u8>) {
        let (delay, dropped) = (self.delay(), self.below(200) == 0);
        let mut net = lock(&self.net);
        if !dropped && !net.cut.contains(&pair(from, to)) && net.alive.contains(&to) {
            self.put(&mut net, from, to, What::Entries(bytes), delay);
            drop(net);
            self.ring(to);
        }
    }
    /// The connection of two ends, each of which hears of it in its time.
    fn connect(&self, net: &mut Net, a: NodeId, b: NodeId) {
        let both = net.alive.contains(&a) && net.alive.contains(&b);
        if !both || net.cut.contains(&pair(a, b)) || net.up.contains_key(&pair(a, b)) {
            return;
        }
        net.number += 1;
        let number = net.number;
        net.up.insert(pair(a, b), number);
        let delay = millis(10 + self.below(300));
        self.put(net, a, b, What::Connected(number), delay);
        self.put(net, b, a, What::Connected(number), delay);
    }
    fn disconnect(&self, net: &mut Net, a: NodeId, b: NodeId) {
        if net.up.remove(&pair(a, b)).is_some() {
            for (a, b) in [(a, b), (b, a)] {
                let delay = millis(self.below(1200));
                self.put(net, a, b, What::Lost, delay);
            }
        }
    }
    /// Cuts a house off from the others, or from one of them.
    pub fn cut(&self, house: usize, from: Option<usize>) {
        let mut net = lock(&self.net);
        let id = self.houses[house].id;
        for (n, h) in self.houses.iter().enumerate() {
            if h.id != id && from.is_none_or(|f| f == n) {
                net.cut.insert(pair(id, h.id));
                self.disconnect(&mut net, id, h.id);
            }
        }
        drop(net);
        self.houses.iter().for_each(|h| h.bell.clone().wake());
    }
    pub fn heal(&self) {
        let mut net = lock(&self.net);
        net.cut.clear();
        for a in &self.houses {
            for b in self.houses.iter().filter(|b| b.id > a.id) {
                self.connect(&mut net, a.id, b.id);
            }
        }
        drop(net);
        self.houses.iter().for_each(|h| h.bell.clone().wake());
    }

    /// A house, life after life.
    fn live(self: &Arc<Self>, house: &House) {
        let mut slow = Duration::from_micros(300);
        while !self.over.load(Ordering::SeqCst) {
            let (mut node, life) = self.open(house);
            let down = self.one_life(house, &mut node, &life, &mut slow);
            life.crashed.store(true, Ordering::SeqCst);
            {
                let mut net = lock(&self.net);
                net.alive.remove(&house.id);
                net.mail.remove(&house.id);
                for h in self.houses.iter().filter(|h| h.id != house.id) {
                    self.disconnect(&mut net, house.id, h.id);
                }
                // Nobody is there to hear of it.
                net.mail.remove(&house.id);
            }
            self.houses.iter().for_each(|h| h.bell.clone().wake());
            house.disk.crash();
            // In a process nobody would wait any more; here they are to end.
            life.shard.fail(Error::internal("the node has crashed"));
            node.close();
            drop(node);
            *lock(&house.life) = None;
            self.houses.iter().for_each(|h| life.requests.lost(h.id));
            life.host.end_all();
            let Some(down) = down else { return };
            task::sleep(down, |_| false);
        }
    }
    fn open(self: &Arc<Self>, house: &House) -> (Node, Arc<Life>) {
        let id = house.id;
        let mut members = Members::alone(1, NodeInfo::default(), NEWEST);
        members.conf.voters = self.houses.iter().map(|h| h.id).collect();
        members.nodes = members.conf.voters.iter().map(|id| (*id, NodeInfo::default())).collect();
        members.next_node = self.houses.len() as u64 + 1;
        let how = Opening {
            me: id,
            begin: Some(members),
            options: self.options.clone(),
            formats: FORMATS,
            waker: Waker::from(house.bell.clone()),
            stepped: true,
            keep: Keep::default(),
        };
        let dice = Box::new(Dice(Rng::new(self.below(u64::MAX))));
        let (node, shard) = Node::open(Arc::new(house.disk.clone()), how, task::now(), dice)
            .unwrap_or_else(|e| panic!("seed {}: node {id} does not open: {e} {:?}", self.seed, e.data().detail));
        let platform: Arc<dyn Platform> = self.sim.clone();
        let life = Arc::new_cyclic(|of: &Weak<Life>| {
            let post: Arc<dyn Post> = Arc::new(Outgoing(of.clone()));
            let shard2 = shard.clone();
            let host = Host::new(HostOptions {
                shard: shard.clone(),
                spawn: self.jobs.clone(),
                post: post.clone(),
                catalog_version: Box::new(move || shard2.catalog_ts()),
            });
            let engine = RemoteEngine::new(shard.clone(), Arc::new(Way(of.clone()))).expect("an engine");
            Life {
                me: id,
                number: house.lives.fetch_add(1, Ordering::SeqCst),
                shard,
                requests: Requests::new(post, &*platform).expect("requests"),
                host,
                engine: Arc::new(engine),
                database: Mutex::default(),
                view: Mutex::default(),
                connected: Mutex::default(),
                own: Mutex::default(),
                crashed: Arc::default(),
                bell: house.bell.clone(),
                town: Arc::downgrade(self),
            }
        });
        *lock(&house.life) = Some(life.clone());
        {
            let mut net = lock(&self.net);
            net.alive.insert(id);
            for h in self.houses.iter().filter(|h| h.id != id) {
                self.connect(&mut net, id, h.id);
            }
        }
        let (town, of) = (self.clone(), life.clone());
        self.jobs.add(format!("server {id}"), Box::new(move || town.begin_to_serve(&of)));
        (node, life)
    }
    /// As `pamir start` does: clients come when there is data and somebody leads.
    fn begin_to_serve(self: &Arc<Self>, life: &Arc<Life>) {
        loop {
            if life.is_over() || self.over.load(Ordering::SeqCst) {
                return;
            }
            let leader = lock(&life.view).leader;
            if leader != 0 && life.shard.is_readable() && (leader != life.me || life.shard.leads()) {
                break;
            }
            task::sleep(millis(20), |_| false);
        }
        loop {
            match Database::open(life.engine.clone()) {
                Ok(db) => {
                    *lock(&life.database) = Some(db);
                    return (self.serve)(self, life);
                }
                Err(_) if life.is_over() => return,
                Err(e) => {
                    let may = ["40001", "57P03", "08006", "08007"].contains(&e.code().as_str());
                    assert!(may, "seed {}: node {} does not serve: {e}", self.seed, life.me);
                    task::sleep(millis(50), |_| false);
                }
            }
        }
    }
    /// Until it crashes: for how long; None: the town is over.
    fn one_life(&self, house: &House, node: &mut Node, life: &Arc<Life>, slow: &mut Duration) -> Option<Duration> {
        let id = house.id;
        let mut sync: Option<(Instant, Syncing)> = None;
        let mut led = None;
        let mut looked = task::now();
        let fail = |e: Error| -> ! { panic!("seed {}: node {id}: {e} {:?}", self.seed, e.data().detail) };
        loop {
            if self.over.load(Ordering::SeqCst) {
                return None;
            }
            let orders = std::mem::take(&mut *lock(&house.orders));
            for o in orders {
                match o {
                    Order::Crash(down) => return Some(down),
                    Order::Pause(d) => _ = task::sleep(d, |_| false),
                    Order::Transfer(to) => {
                        let _ = node.group_mut(FIRST_GROUP).map(|g| g.transfer(to));
                    }
                    Order::Checkpoint => life.shard.request_checkpoint(),
                    Order::Slow(d) => *slow = d,
                }
            }
            let now = task::now();
            if let Some((_, s)) = sync.take_if(|s| s.0 <= now) {
                let r = s.run();
                node.synced(&s, r).unwrap_or_else(|e| fail(e));
            }
            for l in self.due(id, now) {
                self.read(node, life, l, now).unwrap_or_else(|e| fail(e));
            }
            let own = std::mem::take(&mut *lock(&life.own));
            for bytes in own {
                deliver(&life.requests, &life.host, id, &bytes).unwrap_or_else(|e| fail(e));
            }
            let turn = node.turn(now).unwrap_or_else(|e| fail(e));
            if let Some(e) = life.shard.failure() {
                panic!("seed {}: shard of node {id}: {e}", self.seed);
            }
            assert!(turn.snapshots.is_empty(), "seed {}: node {id} wants to send a snapshot", self.seed);
            if let Some(s) = turn.sync {
                sync = Some((now + *slow, s));
            }
            for (to, group, say) in turn.say {
                self.post(id, to, say.encode(group, NEWEST));
            }
            let leads = node.group(FIRST_GROUP).map(|g| (g.term(), g.leader(), g.serves()));
            if turn.members || led != leads {
                led = leads;
                self.changed(node, life);
            }
            if now >= looked + millis(1000) {
                looked = now;
                life.requests.flush();
                life.engine.tell_idle();
            }
            let mut until = node.next_turn().unwrap_or(now + millis(100)).min(now + millis(100));
            if let Some((at, _)) = &sync {
                until = until.min(*at);
            }
            if let Some(at) = lock(&self.net).mail.get(&id).and_then(|m| m.iter().map(|l| l.at).min()) {
                until = until.min(at);
            }
            house.bell.rest(until);
        }
    }
    fn due(&self, id: NodeId, now: Instant) -> Vec<Letter> {
        let mut net = lock(&self.net);
        let Some(mail) = net.mail.get_mut(&id) else { return Vec::new() };
        let (mut due, rest): (Vec<_>, Vec<_>) = std::mem::take(mail).into_iter().partition(|l| l.at <= now);
        *mail = rest;
        due.sort_by_key(|l| (l.at, l.number));
        due
    }
    fn read(&self, node: &mut Node, life: &Arc<Life>, l: Letter, now: Instant) -> Result<()> {
        match l.what {
            What::Entries(bytes) => node.hear(l.from, &bytes.into(), now)?,
            What::Far(number, bytes) => {
                let stands = lock(&self.net).up.get(&pair(l.from, life.me)) == Some(&number);
                if stands && lock(&life.connected).get(&l.from) == Some(&number) {
                    deliver(&life.requests, &life.host, l.from, &bytes)?;
                }
            }
            What::Connected(number) => _ = lock(&life.connected).insert(l.from, number),
            What::Lost => {
                lock(&life.connected).remove(&l.from);
                life.requests.lost(l.from);
                life.host.lost(l.from);
                if let Some(g) = node.group_mut(FIRST_GROUP) {
                    g.unreachable(l.from);
                }
            }
        }
        Ok(())
    }
    fn changed(&self, node: &Node, life: &Arc<Life>) {
        let Some(g) = node.group(FIRST_GROUP) else { return };
        let view = View { term: g.term(), leader: g.leader(), serves: g.serves(), members: g.log().members.clone() };
        if g.leads() {
            lock(&self.leaders).insert((g.term(), life.me));
        }
        let (leader, term, serves) = (view.leader, view.term, view.serves);
        let before = std::mem::replace(&mut *lock(&life.view), view);
        // The same one of a new term has lost what it held for others.
        if before.leader != 0 && (before.leader, before.term) != (leader, term) {
            life.requests.forsake(before.leader);
        }
        match (before.serves, serves) {
            (false, true) => life.host.begin(),
            (true, false) => life.host.end_all(),
            _ => {}
        }
    }
    /// What every node is at, for who wonders why it does not come to rest.
    pub fn state(&self) -> String {
        let of = |h: &House| match &*lock(&h.life) {
            None => format!("node {} is down", h.id),
            Some(l) => {
                let v = lock(&l.view);
                let applied = l.shard.applied_entry();
                let held = (l.host.counts(), l.engine.open_transactions());
                format!(
                    "node {} life {} term {} leader {} applied {applied:?} holds {held:?}",
                    h.id, l.number, v.term, v.leader
                )
            }
        };
        self.houses.iter().map(of).collect::<Vec<_>>().join("; ")
    }
}

/// Requests and answers on their way out.
struct Outgoing(Weak<Life>);
impl Post for Outgoing {
    fn send(&self, to: NodeId, bytes: Vec<u8>) -> std::result::Result<(), Refused> {
        let Some(life) = self.0.upgrade().filter(|l| !l.is_over()) else { return Err(Refused::Away) };
        if to == life.me {
            lock(&life.own).push(bytes);
            life.bell.clone().wake();
            return Ok(());
        }
        let Some(town) = life.town.upgrade() else { return Err(Refused::Away) };
        let Some(number) = lock(&life.connected).get(&to).copied() else { return Err(Refused::Away) };
        let delay = town.delay();
        let mut net = lock(&town.net);
        // Of a connection that has ended one hears later: until then it takes what is sent.
        if net.up.get(&pair(life.me, to)) == Some(&number) {
            town.put(&mut net, life.me, to, What::Far(number, bytes), delay);
        }
        drop(net);
        town.ring(to);
        Ok(())
    }
}
/// Who leads, for a node's sessions.
struct Way(Weak<Life>);
impl Way {
    fn life(&self) -> Option<Arc<Life>> {
        self.0.upgrade().filter(|l| !l.is_over())
    }
}
impl Guide for Way {
    fn leads(&self) -> bool {
        self.life().is_some_and(|l| l.shard.leads())
    }
    fn leader(&self, until: Instant, cancel: &Cancel) -> Result<Option<Arc<dyn Line>>> {
        loop {
            let Some(life) = self.life() else { return Ok(None) };
            let (leader, serves) = {
                let v = lock(&life.view);
                (v.leader, v.serves)
            };
            let reached = if leader == life.me { serves } else { lock(&life.connected).contains_key(&leader) };
            if reached {
                return Ok(Some(life.requests.line(leader)));
            }
            drop(life);
            cancel.check()?;
            if task::now() >= until {
                return Ok(None);
            }
            task::sleep(millis(2), |_| false);
        }
    }
    fn format(&self) -> u64 {
        self.life().map_or(0, |l| lock(&l.view).members.format)
    }
    fn await_applied(&self, ts: Ts) {
        if let Some(l) = self.life() {
            l.shard.await_replica(Duration::from_secs(5), |s| s.applied_ts() >= ts);
        }
    }
    fn await_catalog(&self, version: u64) -> Result<()> {
        let Some(l) = self.life() else { return Err(Error::internal("the node has crashed")) };
        let wait = Duration::from_secs(10);
        if l.shard.applied_ts() >= version || l.shard.await_replica(wait, |s| s.applied_ts() >= version) {
            return Ok(());
        }
        Err(pamir_types::err!(CANNOT_CONNECT_NOW, "this node is behind the leader"))
    }
}
