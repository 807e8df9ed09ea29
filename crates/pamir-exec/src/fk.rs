//! Foreign keys: checks of the referencing side, actions of the referenced side, deferral. The queues of all that is checked later.
//!
//! A statement queues what its rows ask for and works the queue off at its end (all of it, data-modifying WITH included), in order; actions (CASCADE, SET NULL, SET DEFAULT) write more
//! rows, which queue more. Checks of INITIALLY DEFERRED constraints move to the transaction's queue, [`DeferredChecks`]. Both queues are those of deferrable unique keys
//! ([`super::unique`]) and of AFTER triggers, too ([`super::trigger`]), as foreign keys are triggers in PostgreSQL: of one row, those of a name before `RI_ConstraintTrigger_` fire first. Checks stand to the statement's end, but
//! not behind a trigger, or an action on the rows that they look at, that comes after them.
//!
//! Both sides read the newest committed state: a child takes a KEY SHARE lock on its parent row, which conflicts with the lock that
//! deleting the parent or changing its key takes.
use super::ExecCtx;
use super::dml::{Seen, WriteBuf, Wx, key_text, update_lock, with_table};
use super::fk_types::{self, Children};
use super::rows::Charge;
use super::trigger::{self, Change, Fired, Queued};
use super::unique::{self, Key};
use pamir_catalog::partition;
use pamir_catalog::trigger::{self as trigger_names, Event as When, Trigger, Triggers};
use pamir_catalog::{Catalog, FkAction, ForeignKey, Index, IndexColumn, Table};
use pamir_expr::access;
use pamir_expr::expr;
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::face::BATCH_KEYS;
use pamir_txn::shard::Isolation;
use pamir_txn::{Claims, Entries, Keys, MemoryAccount, Ranges, RowLock, Until, WaitPolicy, Want, Wants};
use pamir_types::{Datum, Error, Oid, Result, Type, err, key};
use pamir_types::{row, work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

#[derive(Clone)]
pub(super) enum Event {
    /// A row of the referencing table is new or has new key values.
    Child {
        table: Arc<Table>,
        fk: Oid,
        values: Vec<Datum>,
    },
    /// A key of the referenced table is gone; `new`: what it became.
    Parent {
        table: Arc<Table>,
        child: Oid,
        fk: Oid,
        values: Vec<Datum>,
        new: Option<Vec<Datum>>,
    },
    /// A row has values of a deferrable unique key that another one may have.
    Key(Box<Key>),
    /// An AFTER trigger of a row.
    Fire(Box<Queued>),
    Statement(Box<trigger::Statement>),
}

impl Event {
    fn table(&self) -> &Table {
        match self {
            Event::Child { table, .. } | Event::Parent { table, .. } => table,
            Event::Key(k) => &k.table,
            Event::Fire(q) => &q.table,
            Event::Statement(s) => &s.table,
        }
    }
    fn as_key(&self) -> Option<&Key> {
        match self {
            Event::Key(k) => Some(k),
            _ => None,
        }
    }
    fn constraint<'a>(&'a self, catalog: &'a Catalog) -> Option<&'a ForeignKey> {
        let (child, fk) = match self {
            Event::Child { table, fk, .. } => (&**table, fk),
            Event::Parent { child, fk, .. } => (&**catalog.table(*child)?, fk),
            Event::Key(_) | Event::Fire(_) | Event::Statement(_) => return None,
        };
        child.foreign_keys.iter().find(|f| f.oid == *fk)
    }
}

/// Constraint checks that wait for the end of the transaction, and SET CONSTRAINTS' choices. Kept by the session.
#[derive(Default)]
pub struct DeferredChecks {
    events: Vec<Event>,
    /// Places of triggers among them that have fired, as SET CONSTRAINTS asked, and of unique keys that were found to hold for good.
    fired: Vec<usize>,
    /// How many of them COMMIT has seen to by now.
    seen_to: usize,
    /// What the events hold.
    charges: Vec<Charge>,
    /// SET CONSTRAINTS name: deferred?
    pub modes: FxHashMap<Oid, bool>,
    /// SET CONSTRAINTS ALL.
    pub all: Option<bool>,
}
impl DeferredChecks {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
    /// For a statement that runs: it adds to this. What waits already stays, for SET CONSTRAINTS in a function that the statement calls.
    pub fn lend(&mut self) -> DeferredChecks {
        DeferredChecks { modes: self.modes.clone(), all: self.all, ..DeferredChecks::default() }
    }
    pub fn take_back(&mut self, lent: DeferredChecks) {
        self.events.extend(lent.events);
        self.charges.extend(lent.charges);
    }
    /// All of it, to be worked off; statements that triggers run meanwhile find the modes alone, and add to what is left here.
    pub fn lend_all(&mut self) -> DeferredChecks {
        let left = self.lend();
        std::mem::replace(self, left)
    }
    pub fn take_all_back(&mut self, lent: DeferredChecks) {
        let made = std::mem::replace(self, lent);
        self.events.extend(made.events);
        self.charges.extend(made.charges);
        (self.modes, self.all) = (made.modes, made.all);
    }
    /// Is there anything that COMMIT has not seen to?
    pub fn is_due(&self) -> bool {
        self.seen_to < self.events.len()
    }
    fn put_off(&mut self, e: Event, size: usize, memory: &Arc<MemoryAccount>) -> Result<()> {
        if self.charges.is_empty() {
            self.charges.push(Charge::default());
        }
        if let Some(c) = self.charges.last_mut() {
            c.add(size, memory)?;
        }
        self.events.push(e);
        Ok(())
    }
    /// Forgets everything: the transaction ended.
    pub fn clear(&mut self) {
        *self = DeferredChecks::default();
    }
    /// What there is now, to come back to by [`DeferredChecks::back_to`] at ROLLBACK TO SAVEPOINT.
    pub fn mark(&self) -> DeferredMark {
        DeferredMark { events: self.events.len(), fired: self.fired.len(), modes: self.modes.clone(), all: self.all }
    }
    pub fn back_to(&mut self, mark: &DeferredMark) {
        self.events.truncate(mark.events);
        self.fired.truncate(mark.fired);
        self.modes.clone_from(&mark.modes);
        self.all = mark.all;
    }
    /// The tables with checks that wait: their definitions stay as they are until then.
    pub fn waiting(&self, catalog: &Catalog) -> Vec<Oid> {
        let fired = self.fired();
        let waits = |(i, e): &(usize, &Event)| match e {
            Event::Fire(_) => !fired.contains(i),
            e => !fired.contains(i) && self.defers_check(e, catalog),
        };
        self.events.iter().enumerate().filter(waits).map(|e| e.1.table().oid).collect()
    }
    fn fired(&self) -> FxHashSet<usize> {
        self.fired.iter().copied().collect()
    }
    fn defers(&self, fk: &ForeignKey) -> bool {
        fk.deferrable && self.modes.get(&fk.oid).copied().or(self.all).unwrap_or(fk.initially_deferred)
    }
    fn defers_key(&self, i: &Index) -> bool {
        i.deferrable.is_some_and(|d| self.modes.get(&i.oid).copied().or(self.all).unwrap_or(d.initially_deferred))
    }
    /// Does a check, which is no trigger, still wait?
    fn defers_check(&self, e: &Event, catalog: &Catalog) -> bool {
        match e {
            Event::Key(k) => k.constraint(catalog).is_some_and(|(_, i)| self.defers_key(i)),
            e => e.constraint(catalog).is_some_and(|f| self.defers(f)),
        }
    }
    fn defers_trigger(&self, g: &Trigger) -> bool {
        g.constraint.as_ref().is_some_and(|c| {
            c.deferrable && self.modes.get(&c.oid).copied().or(self.all).unwrap_or(c.initially_deferred)
        })
    }
}

/// A savepoint's view of [`DeferredChecks`].
pub struct DeferredMark {
    events: usize,
    fired: usize,
    modes: FxHashMap<Oid, bool>,
    all: Option<bool>,
}

/// A statement's queue.
#[derive(Default)]
pub struct Checks {
    queue: VecDeque<Event>,
    /// Unique keys of the row that is being written: its events are queued in one order.
    keys: Vec<Key>,
    /// What unique keys hold in the queue.
    charge: Charge,
    /// Events at the queue's front whose children were looked for ahead.
    looked_for: usize,
    fired: Fired,
    /// Columns that the statement sets, where a trigger has set others of the row.
    set: Option<Vec<usize>>,
    /// The table that a statement named whose rows are in others, too: its transition tables have all of them.
    named: Option<Arc<Table>>,
}
fn pick(row: &[Datum], cols: &[i16]) -> Vec<Datum> {
    cols.iter().map(|a| row.get((*a - 1) as usize).cloned().unwrap_or(Datum::Null)).collect()
}
fn same(a: &[Datum], b: &[Datum], t: &Table, cols: &[i16]) -> bool {
    cols.iter().zip(a.iter().zip(b)).all(|(c, (x, y))| {
        let ty = t.column(*c).map_or(pamir_types::Type::UNKNOWN, |c| c.ty);
        expr::compare(x, y, ty).is_eq()
    })
}
/// Has a changed row something to be checked? With NULL in its key it refers to nothing, unless MATCH FULL asks for all or none.
fn refers_after(fk: &ForeignKey, values: &[Datum]) -> bool {
    let nulls = values.iter().filter(|v| v.is_null()).count();
    nulls == 0 || fk.match_full && nulls < values.len()
}
/// Whether two keys are the same bytes: children follow a referenced key that only looks different (1.0 and 1.00, 0 and -0).
fn same_image(a: &[Datum], b: &[Datum], t: &Table, cols: &[i16]) -> Result<bool> {
    if !same(a, b, t, cols) {
        return Ok(false);
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (c, (a, b)) in cols.iter().zip(a.iter().zip(b)) {
        let ty = t.column(*c).map_or(pamir_types::Type::UNKNOWN, |c| c.ty);
        row::encode_value(a, ty, &mut x)?;
        row::encode_value(b, ty, &mut y)?;
    }
    Ok(x == y)
}
/// A row of a partition as a partitioned table above it has its columns.
fn as_parent_has(p: &Table, t: &Table, row: &[Datum]) -> Vec<Datum> {
    partition::as_parent_has(&partition::places(p, t), row)
}
impl Checks {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
    pub fn inserted(&mut self, t: &Arc<Table>, row: &[Datum], wx: &mut Wx) -> Result<()> {
        if self.named.is_some() {
            self.keep(t, When::Insert, None, Some(row), wx)?;
        }
        match &t.triggers {
            None => self.with_unique(wx, |q, wx| q.keys_inserted(t, row, wx)),
            Some(all) => {
                let c = Change { event: When::Insert, set: &[], old: None, new: Some(row) };
                self.with_triggers(t, all, &c, wx, |q, wx| q.keys_inserted(t, row, wx))
            }
        }
    }
    /// Says whose transition tables have the rows that are changed from now on, beside those of their own tables; gives who it was before.
    pub(super) fn changes_of(&mut self, named: Option<Arc<Table>>) -> Option<Arc<Table>> {
        std::mem::replace(&mut self.named, named)
    }
    /// Keeps a changed row of `t` for the transition tables of the table that was named.
    fn keep(
        &mut self,
        t: &Table,
        event: When,
        old: Option<&[Datum]>,
        new: Option<&[Datum]>,
        wx: &mut Wx,
    ) -> Result<()> {
        let Some(named) = self.named.clone().filter(|n| n.oid != t.oid && n.triggers.is_some()) else { return Ok(()) };
        self.fired.keep(&named, event, (old, new), &|row| as_parent_has(&named, t, row), wx)
    }
    /// A row that was moved from one partition to another counts as changed.
    pub(super) fn moved(
        &mut self,
        (from, old): (&Table, &[Datum]),
        (to, new): (&Table, &[Datum]),
        wx: &mut Wx,
    ) -> Result<()> {
        self.keep(from, When::Update, Some(old), None, wx)?;
        self.keep(to, When::Update, None, Some(new), wx)
    }
    /// `changed`: columns (attnum - 1) that were set.
    pub fn updated(
        &mut self,
        t: &Arc<Table>,
        old: &[Datum],
        new: &[Datum],
        changed: &[usize],
        wx: &mut Wx,
    ) -> Result<()> {
        if self.named.is_some() {
            self.keep(t, When::Update, Some(old), Some(new), wx)?;
        }
        match &t.triggers {
            None => self.with_unique(wx, |q, wx| q.keys_updated(t, old, new, wx)),
            Some(all) => {
                let set = self.set.take();
                let set = set.as_deref().unwrap_or(changed);
                let c = Change { event: When::Update, set, old: Some(old), new: Some(new) };
                self.with_triggers(t, all, &c, wx, |q, wx| q.keys_updated(t, old, new, wx))
            }
        }
    }
    pub fn deleted(&mut self, t: &Arc<Table>, old: &[Datum], wx: &mut Wx) -> Result<()> {
        if self.named.is_some() {
            self.keep(t, When::Delete, Some(old), None, wx)?;
        }
        match &t.triggers {
            None => self.keys_deleted(t, old, wx),
            Some(all) => {
                let c = Change { event: When::Delete, set: &[], old: Some(old), new: None };
                self.with_triggers(t, all, &c, wx, |q, wx| q.keys_deleted(t, old, wx))
            }
        }
    }
    /// An entry of a deferrable key was put for a row that is being written.
    pub(super) fn entry_put(
        &mut self,
        t: &Arc<Table>,
        at: usize,
        row: &[Datum],
        row_key: &[u8],
        entry: &[u8],
        wx: &mut Wx,
    ) -> Result<()> {
        match unique::put(t, at, row, row_key, entry, wx)? {
            Some(key) => self.queue_key(key, wx),
            None => Ok(()),
        }
    }
    /// A key of the row that is being written is to be checked later.
    pub(super) fn queue_key(&mut self, key: Key, wx: &mut Wx) -> Result<()> {
        self.charge.add(key.size(), wx.memory)?;
        self.keys.push(key);
        Ok(())
    }
    /// Queues the unique keys of the row that was written: the primary one, or the others.
    fn queue_unique(&mut self, primary: bool) {
        if !self.keys.is_empty() {
            self.queue.extend(self.keys.extract_if(.., |k| k.primary == primary).map(|k| Event::Key(Box::new(k))));
        }
    }
    fn with_unique(&mut self, wx: &mut Wx, keys: impl FnOnce(&mut Checks, &mut Wx) -> Result<()>) -> Result<()> {
        self.queue_unique(true);
        keys(self, wx)?;
        self.queue_unique(false);
        Ok(())
    }
    /// Queues what a row's triggers are to do, and between them what its keys ask for.
    fn with_triggers(
        &mut self,
        t: &Arc<Table>,
        all: &Triggers,
        c: &Change,
        wx: &mut Wx,
        keys: impl FnOnce(&mut Checks, &mut Wx) -> Result<()>,
    ) -> Result<()> {
        let mut own = self.fired.row(t, all, c, wx)?.into_iter().map(Box::new).peekable();
        let mut upto = |q: &mut Checks, name: &str| {
            while let Some(g) = own.next_if(|g| *g.trigger.name < *name) {
                q.queue.push_back(Event::Fire(g));
            }
        };
        upto(self, unique::PRIMARY);
        self.queue_unique(true);
        upto(self, trigger_names::KEYS);
        keys(self, wx)?;
        upto(self, unique::UNIQUE);
        self.queue_unique(false);
        self.queue.extend(own.map(Event::Fire));
        Ok(())
    }
    pub(super) fn fired(&mut self) -> &mut Fired {
        &mut self.fired
    }
    /// The row that is changed next has only these columns set by its statement.
    pub(super) fn sets(&mut self, columns: &[usize]) {
        self.set = Some(columns.to_vec());
    }
    /// Queues a statement's own triggers.
    pub(super) fn end_statement(&mut self, t: &Arc<Table>, event: When, set: &[usize]) {
        let own = self.fired.ends(t, event, set);
        self.queue.extend(own.map(|s| Event::Statement(Box::new(s))));
    }
    fn keys_inserted(&mut self, t: &Arc<Table>, row: &[Datum], wx: &mut Wx) -> Result<()> {
        if t.foreign_keys.is_empty() || !t.checks_keys(wx.env.is_replica()) {
            return Ok(());
        }
        for fk in &t.foreign_keys {
            self.queue.push_back(Event::Child { table: t.clone(), fk: fk.oid, values: pick(row, &fk.columns) });
        }
        Ok(())
    }
    /// A row has left its partition for another one: to the keys that refer to the partitioned table it is one that changed.
    pub(super) fn left(&mut self, t: &Arc<Table>, old: &[Datum], new: &[Datum], wx: &mut Wx) -> Result<()> {
        match &t.triggers {
            None => self.keys_left(t, old, new, wx),
            Some(all) => {
                let c = Change { event: When::Delete, set: &[], old: Some(old), new: None };
                self.with_triggers(t, all, &c, wx, |q, wx| q.keys_left(t, old, new, wx))
            }
        }
    }
    fn keys_left(&mut self, t: &Arc<Table>, old: &[Datum], new: &[Datum], wx: &mut Wx) -> Result<()> {
        if !t.checks_keys(wx.env.is_replica()) {
            return Ok(());
        }
        let above = wx.env.catalog().partition_ancestors(t);
        let Some((root, between)) = above.split_last() else { return Ok(()) };
        if let Some(x) = between.iter().find(|x| !x.referenced_by.is_empty()) {
            let say = "cannot move tuple across partitions when a non-root ancestor of the source partition is directly \
                       referenced in a foreign key";
            let points =
                format!("A foreign key points to ancestor \"{}\" but not the root ancestor \"{}\".", x.name, root.name);
            let e = Error::new(pamir_types::error::state::FEATURE_NOT_SUPPORTED, say.to_string()).detail(points);
            return Err(e.hint(format!("Consider defining the foreign key on table \"{}\".", root.name)));
        }
        // To those that refer to the partition itself it is one that goes.
        self.referred_deleted(t, old, wx);
        let (a, b) = (as_parent_has(root, t, old), as_parent_has(root, t, new));
        self.referred_updated(root, &a, &b, wx)
    }
    fn keys_updated(&mut self, t: &Arc<Table>, old: &[Datum], new: &[Datum], wx: &mut Wx) -> Result<()> {
        if t.bound().is_some() && t.checks_keys(wx.env.is_replica()) {
            let catalog = wx.env.catalog().clone();
            for p in catalog.partitioned_above(t).filter(|p| !p.referenced_by.is_empty()) {
                let (a, b) = (as_parent_has(p, t, old), as_parent_has(p, t, new));
                self.referred_updated(p, &a, &b, wx)?;
            }
        }
        if t.foreign_keys.is_empty() && t.referenced_by.is_empty() || !t.checks_keys(wx.env.is_replica()) {
            return Ok(());
        }
        for fk in &t.foreign_keys {
            let (a, b) = (pick(old, &fk.columns), pick(new, &fk.columns));
            if !same(&a, &b, t, &fk.columns) && refers_after(fk, &b) {
                self.queue.push_back(Event::Child { table: t.clone(), fk: fk.oid, values: b });
            }
        }
        self.referred_updated(t, old, new, wx)
    }
    /// Queues what becomes of rows that refer to a row of `t`, which changes.
    fn referred_updated(&mut self, t: &Arc<Table>, old: &[Datum], new: &[Datum], wx: &mut Wx) -> Result<()> {
        if t.referenced_by.is_empty() {
            return Ok(());
        }
        let catalog = wx.env.catalog().clone();
        for (child, fko) in &t.referenced_by {
            let Some(fk) = catalog.table(*child).and_then(|c| c.foreign_keys.iter().find(|f| f.oid == *fko)) else {
                continue;
            };
            let (a, b) = (pick(old, &fk.ref_columns), pick(new, &fk.ref_columns));
            if !a.iter().any(Datum::is_null) && !same_image(&a, &b, t, &fk.ref_columns)? {
                let (table, child, fk) = (t.clone(), *child, *fko);
                self.queue.push_back(Event::Parent { table, child, fk, values: a, new: Some(b) });
            }
        }
        Ok(())
    }
    fn keys_deleted(&mut self, t: &Arc<Table>, old: &[Datum], wx: &mut Wx) -> Result<()> {
        if t.bound().is_none() && t.referenced_by.is_empty() || !t.checks_keys(wx.env.is_replica()) {
            return Ok(());
        }
        let catalog = wx.env.catalog().clone();
        for p in catalog.partitioned_above(t).filter(|p| !p.referenced_by.is_empty()) {
            self.referred_deleted(p, &as_parent_has(p, t, old), wx);
        }
        self.referred_deleted(t, old, wx);
        Ok(())
    }
    fn referred_deleted(&mut self, t: &Arc<Table>, old: &[Datum], wx: &Wx) {
        let catalog = wx.env.catalog().clone();
        for (child, fko) in &t.referenced_by {
            let Some(fk) = catalog.table(*child).and_then(|c| c.foreign_keys.iter().find(|f| f.oid == *fko)) else {
                continue;
            };
            let a = pick(old, &fk.ref_columns);
            if !a.iter().any(Datum::is_null) {
                self.queue.push_back(Event::Parent { table: t.clone(), child: *child, fk: *fko, values: a, new: None });
            }
        }
    }
    /// Works the queue off: actions and restrictions in order, plain checks together, each before an action on the rows that it looks at.
    pub fn run(&mut self, wx: &mut Wx) -> Result<()> {
        let mut late = Vec::new();
        let (far, mut asked) = (wx.txn.far(), 0);
        loop {
            if far && self.looked_for == 0 {
                self.looked_for = acts_ahead(&self.queue, wx)?;
            }
            let Some(ev) = self.queue.pop_front() else { break };
            self.looked_for = self.looked_for.saturating_sub(1);
            wx.env.check_cancel()?;
            match &ev {
                Event::Fire(q) if wx.deferred.defers_trigger(&q.trigger) => {
                    let size = q.size();
                    wx.deferred.put_off(ev, size, wx.memory)?;
                }
                Event::Key(k) => {
                    let catalog = wx.env.catalog().clone();
                    let Some((_, i)) = k.constraint(&catalog) else { continue };
                    if wx.deferred.defers_key(i) {
                        let asks = far && asked < unique::ASKED;
                        asked += usize::from(asks);
                        if asks && unique::is_alone(k, wx)? {
                            continue;
                        }
                        let size = k.size();
                        wx.deferred.put_off(ev, size, wx.memory)?;
                    } else {
                        late.push(ev);
                    }
                }
                Event::Fire(q) => {
                    check_all(&std::mem::take(&mut late), wx)?;
                    q.run(Some(&mut self.fired), wx)?;
                }
                Event::Statement(s) => {
                    check_all(&std::mem::take(&mut late), wx)?;
                    s.run(&mut self.fired, wx)?;
                }
                Event::Child { table, fk, .. } => {
                    let Some(f) = table.foreign_keys.iter().find(|f| f.oid == *fk) else { continue };
                    if wx.deferred.defers(f) { wx.deferred.events.push(ev) } else { late.push(ev) }
                }
                Event::Parent { child, fk, values, new, .. } => {
                    let catalog = wx.env.catalog().clone();
                    let Some(c) = catalog.table(*child).cloned() else { continue };
                    let Some(f) = c.foreign_keys.iter().find(|f| f.oid == *fk).cloned() else { continue };
                    let action = if new.is_some() { f.on_update } else { f.on_delete };
                    match action {
                        FkAction::NoAction => {
                            if wx.deferred.defers(&f) {
                                wx.deferred.events.push(ev)
                            } else {
                                late.push(ev)
                            }
                        }
                        FkAction::Restrict => check(&ev, wx)?,
                        FkAction::Cascade | FkAction::SetNull | FkAction::SetDefault => {
                            // What was asked before sees the rows as they are before.
                            if c.triggers.is_some() || late.iter().any(|ev| reads(ev, c.oid)) {
                                check_all(&std::mem::take(&mut late), wx)?;
                            }
                            // In PostgreSQL the action is a trigger, and counts among those that are under way.
                            if c.triggers.is_some() {
                                wx.env.key_action(true);
                            }
                            let acted = self.act(&c, &f, action, values, new.as_deref(), wx);
                            if c.triggers.is_some() {
                                wx.env.key_action(false);
                            }
                            acted?;
                            // The default may be the very key that went away: then rows still refer to it. What another key's rows come to is theirs to check.
                            if action == FkAction::SetDefault {
                                check(&ev, wx)?;
                            }
                        }
                    }
                }
            }
        }
        check_all(&late, wx)?;
        self.charge.clear();
        Ok(())
    }
    fn act(
        &mut self,
        child: &Arc<Table>,
        fk: &ForeignKey,
        action: FkAction,
        values: &[Datum],
        new: Option<&[Datum]>,
        wx: &mut Wx,
    ) -> Result<()> {
        let mut buf = WriteBuf::default();
        let set = set_by(child, fk, action, new.is_some());
        let changed: Vec<usize> = set.iter().map(|a| (*a - 1) as usize).collect();
        let deleting = action == FkAction::Cascade && new.is_none();
        let mode = lock_of(child, fk, action, new.is_some());
        let parent = parent_types(fk, wx);
        let event = if deleting { When::Delete } else { When::Update };
        trigger::begin(child, event, &changed, self, wx)?;
        let rows = referencing(child, fk, values, wx, false)?;
        let defaults = (action == FkAction::SetDefault).then(|| defaults_of(child, fk, &changed, wx));
        for (i, rk) in rows.iter().enumerate() {
            if wx.txn.far() && rows.len() > 1 && i.is_multiple_of(BATCH_KEYS) {
                let mut keys = Keys::default();
                rows[i..].iter().take(BATCH_KEYS).for_each(|k| keys.push(child.tree(), k, &[]));
                wx.txn.claim_ahead(&keys, mode, Until::End)?;
            }
            let mut bytes = Vec::new();
            let latest = wx.txn.claim(child.tree(), rk, mode, &mut bytes)?;
            if !latest.exists {
                continue;
            }
            let seen = child.triggers.is_some().then(|| Seen::new(latest, wx.env));
            let mut old = Vec::new();
            access::decode_row(child, &bytes, &mut old)?;
            if !refers(child, fk, &old, values, &parent, wx)? {
                continue;
            }
            // A row that the snapshot does not see, or sees otherwise, is another transaction's change (ri_PerformCheck's crosscheck snapshot).
            if wx.txn.isolation() == Isolation::RepeatableRead && !latest.own && latest.ts > wx.snapshot.ts() {
                return Err(super::dml::serialization_failure(false));
            }
            if deleting {
                trigger::delete(child, rk, seen, &old, wx, self, &mut WriteBuf::default())?;
                continue;
            }
            let mut row = old.clone();
            for (i, c) in changed.iter().enumerate() {
                let d = match (action, &defaults) {
                    (FkAction::Cascade, _) => {
                        let v = new.and_then(|n| n.get(i)).cloned().unwrap_or(Datum::Null);
                        let ty = access::layout(child).types.get(*c).copied().unwrap_or(Type::UNKNOWN);
                        fk_types::assigned(&v, ty, parent.get(i).copied().unwrap_or(ty), wx.env)?
                    }
                    (_, Some((declared, places))) => match access::exprs(declared, wx.env)?.defaults.get(places[i]) {
                        Some(Some(p)) => expr::eval(p, &mut expr::RowCx { row: &[], env: wx.env })?,
                        _ => Datum::Null,
                    },
                    _ => Datum::Null,
                };
                if let Some(domain) = child.declared.domain(*c as i16 + 1) {
                    pamir_expr::domains::check(&d, domain, wx.env)?;
                }
                if let Some(s) = row.get_mut(*c) {
                    *s = d;
                }
            }
            let done = trigger::update(child, rk, seen, &old, &mut row, &changed, wx, self, &mut buf)?;
            if done == trigger::Updated::Elsewhere {
                let root = wx.env.catalog().partition_ancestors(child).pop().unwrap_or_else(|| child.clone());
                super::dml::route::leave(&root, child, rk, seen, (&old, &row), wx, self, &mut buf)?;
            }
        }
        self.end_statement(child, event, &changed);
        Ok(())
    }
}

/// The table whose defaults a key's action sets, and the places of `columns` in it: a partition's copy of a key acts for the table that the key was declared
/// for, whose defaults need not be the partition's.
fn defaults_of(child: &Arc<Table>, fk: &ForeignKey, columns: &[usize], wx: &Wx) -> (Arc<Table>, Vec<usize>) {
    let mut declared = child.clone();
    let mut key = fk.oid;
    for above in wx.env.catalog().partition_ancestors(child) {
        let Some(parent) = declared.foreign_key_parent(key) else { break };
        (declared, key) = (above, parent);
    }
    if declared.oid == child.oid {
        return (declared, columns.to_vec());
    }
    let place = |c: &usize| {
        let name = child.column(*c as i16 + 1).map_or("", |c| &c.name);
        declared.column_by_name(name).map_or(*c, |c| c.attnum as usize - 1)
    };
    let places = columns.iter().map(place).collect();
    (declared, places)
}

/// Does a check look at rows of the table?
fn reads(ev: &Event, table: Oid) -> bool {
    match ev {
        Event::Parent { child, .. } => *child == table,
        Event::Child { table: t, fk, .. } => {
            t.oid == table || t.foreign_keys.iter().any(|f| f.oid == *fk && f.ref_table == table)
        }
        Event::Key(k) => k.table.oid == table,
        Event::Fire(_) | Event::Statement(_) => false,
    }
}
/// The types of the referenced columns.
fn parent_types(fk: &ForeignKey, wx: &Wx) -> Vec<Type> {
    let t = wx.env.catalog().table(fk.ref_table);
    fk.ref_columns.iter().map(|a| t.and_then(|t| t.column(*a)).map_or(Type::UNKNOWN, |c| c.ty)).collect()
}

fn child_type(child: &Table, attnum: i16) -> Type {
    child.column(attnum).map_or(Type::UNKNOWN, |c| c.ty)
}

/// Does a child's row refer to the parent's `values`?
fn refers(
    child: &Table,
    fk: &ForeignKey,
    row: &[Datum],
    values: &[Datum],
    parent: &[Type],
    wx: &mut Wx,
) -> Result<bool> {
    for ((a, v), to) in fk.columns.iter().zip(values).zip(parent) {
        let Some(d) = row.get((*a - 1) as usize) else { return Ok(false) };
        if !fk_types::refers(d, v, child_type(child, *a), *to, wx.env)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where the child rows that refer to some values stand.
enum Place {
    Nowhere,
    /// In a range of an index, by its position in the table, that starts with the referencing columns, in any order.
    Range {
        index: usize,
        tree: TreeId,
        lo: Vec<u8>,
        hi: Option<Vec<u8>>,
    },
    /// Anywhere in the table.
    Anywhere,
}
fn place(child: &Table, fk: &ForeignKey, values: &[Datum], parent: &[Type], wx: &mut Wx) -> Result<Place> {
    let (mut wanted, mut many) = (Vec::with_capacity(values.len()), false);
    for ((a, v), from) in fk.columns.iter().zip(values).zip(parent) {
        match fk_types::to_child(v, child_type(child, *a), *from, wx.env)? {
            Children::None => return Ok(Place::Nowhere),
            Children::One(d) => wanted.push(d),
            Children::Some => many = true,
        }
    }
    let n = fk.columns.len();
    let found = child.indexes.iter().position(|ix| {
        !many
            && ix.sorts()
            && child.is_readable(ix)
            && ix.predicate.is_none()
            && ix.columns.len() >= n
            && ix.columns.iter().take(n).all(|(c, _)| matches!(c, IndexColumn::Attr(a) if fk.columns.contains(a)))
    });
    let Some(index) = found else { return Ok(Place::Anywhere) };
    let (ix, lay) = (&child.indexes[index], &access::layout(child).indexes[index]);
    let mut lo = Vec::new();
    for c in lay.cols.iter().take(n) {
        let at = fk.columns.iter().position(|a| c.attr == Some((*a - 1) as usize)).unwrap_or(0);
        key::encode_search(wanted.get(at).unwrap_or(&Datum::Null), c.ty, c.ord, &mut lo)?;
    }
    let mut hi = lo.clone();
    let hi = key::prefix_successor(&mut hi).then_some(hi);
    let tree = if ix.primary { child.tree() } else { TreeId(ix.tree) };
    Ok(Place::Range { index, tree, lo, hi })
}
/// Says which ranges the children of some events will be looked for in, in the newest state: their parents are locked, so nobody else adds to them. Of how many events, in
/// their order, they are at hand then; the rest will be asked for when its turn comes.
fn children_ahead<'a>(
    events: impl Iterator<Item = &'a Event>,
    looks: impl Fn(&ForeignKey, bool) -> bool,
    wx: &mut Wx,
) -> Result<Vec<Option<Ahead>>> {
    let catalog = wx.env.catalog().clone();
    let (mut all, mut asked) = (Vec::new(), Ranges::default());
    for ev in events.take(BATCH_KEYS) {
        all.push(None);
        let Event::Parent { child, values, new, .. } = ev else { continue };
        let (Some(c), Some(f)) = (catalog.table(*child), ev.constraint(&catalog)) else { continue };
        if !looks(f, new.is_some()) {
            continue;
        }
        let parent = parent_types(f, wx);
        // What cannot be converted says so when its turn comes.
        let Ok(Place::Range { index, tree, lo, hi }) = place(c, f, values, &parent, wx) else { continue };
        asked.push((tree, hi.is_some()), &lo, hi.as_deref().unwrap_or_default());
        if let Some(last) = all.last_mut() {
            *last = Some(Ahead { child: c.clone(), fk: f.clone(), renamed: new.is_some(), index, tree, lo, hi });
        }
        if asked.is_full() {
            break;
        }
    }
    if asked.len() > 1 {
        wx.txn.ranges_ahead(None, &asked, Dir::Forward, BATCH_KEYS)?;
    }
    Ok(all)
}
struct Ahead {
    child: Arc<Table>,
    fk: ForeignKey,
    /// The parent has another key now, or else is gone.
    renamed: bool,
    index: usize,
    tree: TreeId,
    lo: Vec<u8>,
    hi: Option<Vec<u8>>,
}
/// The lock that an action takes on children.
fn lock_of(child: &Table, fk: &ForeignKey, action: FkAction, renamed: bool) -> RowLock {
    if action == FkAction::Cascade && !renamed {
        return RowLock::Update;
    }
    update_lock(child, set_by(child, fk, action, renamed).iter().map(|a| (*a - 1) as usize))
}
/// The child's columns that an action sets.
fn set_by<'a>(child: &'a Table, fk: &'a ForeignKey, action: FkAction, renamed: bool) -> &'a [i16] {
    let only = child.declared.set_columns(fk.oid).filter(|_| !renamed && action != FkAction::Cascade);
    only.map_or(&fk.columns[..], |c| c)
}
/// Looks for the children of the queue's first events, and claims those that will be acted on; how many events it were.
fn acts_ahead(queue: &VecDeque<Event>, wx: &mut Wx) -> Result<usize> {
    let action = |f: &ForeignKey, renamed: bool| if renamed { f.on_update } else { f.on_delete };
    let all = children_ahead(queue.iter(), |f, renamed| action(f, renamed) != FkAction::NoAction, wx)?;
    let (mut wants, mut entries) = (Wants::default(), Entries::default());
    for a in all.iter().flatten() {
        let action = action(&a.fk, a.renamed);
        entries.clear();
        if action == FkAction::Restrict
            || !wx.txn.at_hand(None, a.tree, &a.lo, a.hi.as_deref(), Dir::Forward, &mut entries)?
        {
            continue;
        }
        let want = Want::lock(lock_of(&a.child, &a.fk, action, a.renamed));
        let clustered = a.child.indexes[a.index].primary;
        for (_, k, v) in entries.iter() {
            let key = if clustered { k } else { access::entry_pk(&access::layout(&a.child).indexes[a.index], k, v)? };
            wants.push((a.child.tree(), want), key, &[]);
        }
    }
    // One key is claimed as well when its turn comes.
    if wants.len() > 1 {
        wx.txn.claim_each_ahead(&wants)?;
    }
    Ok(all.len())
}

/// Row keys of child rows that refer to `values` in the newest state; `one`: the first is enough.
fn referencing(child: &Table, fk: &ForeignKey, values: &[Datum], wx: &mut Wx, one: bool) -> Result<Vec<Vec<u8>>> {
    let b = access::layout(child);
    let parent = parent_types(fk, wx);
    let mut out = Vec::new();
    let mut row = Vec::new();
    let place = place(child, fk, values, &parent, wx)?;
    if let Place::Nowhere = place {
        return Ok(out);
    }
    if let Place::Range { index, tree, lo, hi } = place {
        let (ix, lay) = (&child.indexes[index], &b.indexes[index]);
        let mut s = wx.txn.scan_latest(tree, &lo, hi.as_deref(), Dir::Forward)?;
        while let Some((k, v)) = s.next(wx.txn)? {
            let rk = if ix.primary { k } else { access::entry_pk(lay, k, v)? };
            out.push(rk.to_vec());
            if one {
                break;
            }
        }
        return Ok(out);
    }
    let mut s = wx.txn.scan_latest(child.tree(), &[], None, Dir::Forward)?;
    while let Some((k, v)) = s.next(wx.txn)? {
        access::decode_row(child, v, &mut row)?;
        if refers(child, fk, &row, values, &parent, wx)? {
            out.push(k.to_vec());
            if one {
                break;
            }
        }
        if work::spend(work::ROW) {
            super::breathe(wx.env)?;
        }
    }
    Ok(out)
}

/// A referenced row's entry: its index's position in the table, and the key.
fn parent_key(parent: &Table, fk: &ForeignKey, values: &[Datum], out: &mut Vec<u8>) -> Result<usize> {
    let b = access::layout(parent);
    let p = parent
        .indexes
        .iter()
        .position(|i| i.oid == fk.ref_index)
        .ok_or_else(|| Error::internal("the referenced index of a foreign key is missing"))?;
    for c in &b.indexes[p].cols {
        let Some(at) = fk.ref_columns.iter().position(|a| c.attr == Some((*a - 1) as usize)) else {
            return Err(Error::internal("the referenced index of a foreign key has other columns"));
        };
        key::encode_search(values.get(at).unwrap_or(&Datum::Null), c.ty, c.ord, out)?;
    }
    Ok(p)
}
/// A child's values as its parent's; fewer than they are where no parent can have them.
fn as_parents(f: &ForeignKey, table: &Table, values: &[Datum], wx: &mut Wx) -> Result<Vec<Datum>> {
    let mut key = Vec::with_capacity(values.len());
    for ((a, v), to) in f.columns.iter().zip(values).zip(parent_types(f, wx)) {
        key.extend(fk_types::to_parent(v, child_type(table, *a), to, wx.env)?);
    }
    Ok(key)
}
/// Claims the rows that some of the events' rows refer to, those of the same parent, in the order in which they will be. An entry of a unique index names the row to be locked, and is
/// read again when that is; of the keys that are gone it is asked whether they are there again.
fn claim_parents(events: &[Event], wx: &mut Wx) -> Result<()> {
    let catalog = wx.env.catalog().clone();
    let (mut wanted, mut entries, mut again) = (Vec::new(), Keys::default(), Keys::default());
    for ev in events {
        let Some(f) = ev.constraint(&catalog) else { continue };
        let mut key = Vec::new();
        match ev {
            Event::Child { table, values, .. } => {
                let Some(parent) = catalog.table(f.ref_table).filter(|_| !values.iter().any(Datum::is_null)) else {
                    continue;
                };
                let values = as_parents(f, table, values, wx)?;
                if values.len() != f.columns.len() {
                    continue;
                }
                let p = parent_key(parent, f, &values, &mut key)?;
                if !parent.indexes[p].primary {
                    entries.push(TreeId(parent.indexes[p].tree), &key, &[]);
                }
                wanted.push((parent, p, key));
            }
            Event::Parent { table, values, .. } => {
                let p = parent_key(table, f, values, &mut key)?;
                let ix = &table.indexes[p];
                again.push(if ix.primary { table.tree() } else { TreeId(ix.tree) }, &key, &[]);
            }
            Event::Key(_) | Event::Fire(_) | Event::Statement(_) => {}
        }
    }
    let mut found = Claims::default();
    if !entries.is_empty() {
        wx.txn.get_latest_many(&entries, &mut found)?;
    }
    let (mut found, mut keys) = (found.iter(), Keys::default());
    for (parent, p, key) in &wanted {
        let ix = &parent.indexes[*p];
        if ix.primary {
            keys.push(parent.tree(), key, &[]);
        } else if let Some((_, _, value)) = found.next().filter(|f| f.0.exists) {
            keys.push(parent.tree(), access::entry_pk(&access::layout(parent).indexes[*p], key, value)?, &[]);
            again.push(TreeId(ix.tree), key, value);
        }
    }
    wx.txn.claim_ahead(&keys, RowLock::KeyShare, Until::End)?;
    wx.txn.latest_ahead(&again)
}
/// Events of rows that were queued before anybody looked for others with their values: the first of several with the same values has met none then, and comes after the second.
fn in_turn(events: &[Event]) -> Vec<&Event> {
    let mut met: FxHashMap<_, usize> = FxHashMap::default();
    for k in events.iter().filter_map(Event::as_key) {
        *met.entry(k.of()).or_default() += 1;
    }
    let (mut out, mut first) = (Vec::with_capacity(events.len()), FxHashMap::default());
    for e in events {
        let of = e.as_key().map(Key::of);
        match of.and_then(|of| met.remove(&of).filter(|n| *n > 1).map(|_| of)) {
            Some(of) => drop(first.insert(of, e)),
            None => {
                out.push(e);
                out.extend(of.and_then(|of| first.remove(&of)));
            }
        }
    }
    out
}
fn check_all(events: &[Event], wx: &mut Wx) -> Result<()> {
    for (i, ev) in events.iter().enumerate() {
        if wx.txn.far() && i.is_multiple_of(BATCH_KEYS) {
            let batch = &events[i..events.len().min(i + BATCH_KEYS)];
            claim_parents(batch, wx)?;
            children_ahead(batch.iter(), |_, _| true, wx)?;
            unique::ahead(batch.iter().filter_map(Event::as_key), wx)?;
            in_turn(batch).into_iter().try_for_each(|e| check(e, wx))?;
        } else if !wx.txn.far() {
            check(ev, wx)?;
        }
    }
    Ok(())
}

/// The partition that has the rows with a key, and the foreign key as if it referred to that.
fn in_partition(
    parent: &Arc<Table>,
    fk: &ForeignKey,
    values: &[Datum],
    wx: &mut Wx,
) -> Result<Option<(Arc<Table>, ForeignKey)>> {
    let mut row = vec![Datum::Null; parent.columns.len()];
    for (a, v) in fk.ref_columns.iter().zip(values) {
        if let Some(d) = row.get_mut((*a - 1) as usize) {
            d.clone_from(v);
        }
    }
    let catalog = wx.env.catalog().clone();
    let Some(t) = pamir_expr::partition::find(&catalog, parent, &row, wx.env)? else { return Ok(None) };
    let Some(index) = catalog.index_part(&t, fk.ref_index) else {
        return Err(Error::internal("a partition lacks its part of a referenced index"));
    };
    let places = partition::places(parent, &t);
    let moved = |a: &i16| places.get((*a - 1) as usize).map_or(0, |c| (*c + 1) as i16);
    let fk = ForeignKey { ref_index: index, ref_columns: fk.ref_columns.iter().map(moved).collect(), ..fk.clone() };
    Ok(Some((t, fk)))
}
/// Is there a row of `parent` with these key values (of the parent's types)? Locks it KEY SHARE.
fn parent_exists(parent: &Arc<Table>, fk: &ForeignKey, values: &[Datum], wx: &mut Wx, lock: bool) -> Result<bool> {
    if parent.is_partitioned() {
        return match in_partition(parent, fk, values, wx)? {
            Some((t, fk)) => parent_exists(&t, &fk, values, wx, lock),
            None => Ok(false),
        };
    }
    let mut k = Vec::new();
    let p = parent_key(parent, fk, values, &mut k)?;
    let (ix, lay) = (&parent.indexes[p], &access::layout(parent).indexes[p]);
    let mut out = Vec::new();
    if ix.primary {
        if lock {
            return Ok(wx.txn.claim(parent.tree(), &k, RowLock::KeyShare, &mut out)?.exists);
        }
        return Ok(wx.txn.get_latest(parent.tree(), &k, &mut out)?.exists);
    }
    loop {
        if !wx.txn.get_latest(TreeId(ix.tree), &k, &mut out)?.exists {
            return Ok(false);
        }
        if !lock {
            return Ok(true);
        }
        let rk = access::entry_pk(lay, &k, &out)?.to_vec();
        wx.txn.lock_row(parent.tree(), &rk, RowLock::KeyShare, WaitPolicy::Block)?;
        // The entry may have changed hands while we waited for its row.
        let mut again = Vec::new();
        if wx.txn.get_latest(TreeId(ix.tree), &k, &mut again)?.exists && again == out {
            return Ok(true);
        }
    }
}

fn check(ev: &Event, wx: &mut Wx) -> Result<()> {
    let catalog = wx.env.catalog().clone();
    match ev {
        Event::Child { table, fk, values } => {
            let Some(f) = table.foreign_keys.iter().find(|f| f.oid == *fk) else { return Ok(()) };
            let violation = |detail: String, wx: &Wx| {
                let e = err!(
                    FOREIGN_KEY_VIOLATION,
                    "insert or update on table \"{}\" violates foreign key constraint \"{}\"",
                    table.name,
                    f.name
                )
                .detail(detail)
                .constraint(f.name.clone());
                Err(with_table(e, table, wx.env))
            };
            let nulls = values.iter().filter(|v| v.is_null()).count();
            if nulls > 0 {
                if f.match_full && nulls < values.len() {
                    return violation("MATCH FULL does not allow mixing of null and nonnull key values.".into(), wx);
                }
                return Ok(());
            }
            let Some(parent) = catalog.table(f.ref_table).cloned() else { return Ok(()) };
            let key = as_parents(f, table, values, wx)?;
            if key.len() == values.len() {
                if parent_exists(&parent, f, &key, wx, true)? {
                    return Ok(());
                }
                // Since a deferred check was queued, the row may have gone or refer to something else.
                let child = catalog.table(table.oid).unwrap_or(table).clone();
                if referencing(&child, f, &key, wx, true)?.is_empty() {
                    return Ok(());
                }
            }
            let d =
                format!("{} is not present in table \"{}\".", key_text(table, &f.columns, values, wx.env), parent.name);
            violation(d, wx)
        }
        Event::Parent { table, child, fk, values, new } => {
            let Some(c) = catalog.table(*child).cloned() else { return Ok(()) };
            let Some(f) = c.foreign_keys.iter().find(|f| f.oid == *fk) else { return Ok(()) };
            let action = if new.is_some() { f.on_update } else { f.on_delete };
            // NO ACTION (and SET DEFAULT after it acted) is content when the key is there again.
            if matches!(action, FkAction::NoAction | FkAction::SetDefault)
                && parent_exists(table, f, values, wx, false)?
            {
                return Ok(());
            }
            if referencing(&c, f, values, wx, true)?.is_empty() {
                return Ok(());
            }
            // A partition's key is known by its partitioned table's.
            let (mut c, mut f) = (c.clone(), f.clone());
            while let (Some(above), Some(p)) = (c.foreign_key_parent(f.oid), catalog.partition_parent(&c).cloned()) {
                let Some(of) = p.foreign_keys.iter().find(|x| x.oid == above).cloned() else { break };
                (c, f) = (p, of);
            }
            let e = err!(
                FOREIGN_KEY_VIOLATION,
                "update or delete on table \"{}\" violates foreign key constraint \"{}\" on table \"{}\"",
                table.name,
                f.name,
                c.name
            )
            .detail(format!(
                "{} is still referenced from table \"{}\".",
                key_text(table, &f.ref_columns, values, wx.env),
                c.name
            ))
            .constraint(f.name.clone());
            Err(with_table(e, &c, wx.env))
        }
        Event::Key(k) => unique::check(k, wx),
        Event::Fire(_) | Event::Statement(_) => Ok(()),
    }
}

/// Deferred constraint checks of the transaction: all of them (before COMMIT), or those that are deferred no more (SET CONSTRAINTS ... IMMEDIATE). They stay queued: what
/// a savepoint's rollback undoes may be why they hold. Triggers fire once, unless that is undone. Who asks for all asks again while [`DeferredChecks::is_due`] says so.
pub fn run_deferred(cx: &mut ExecCtx, all: bool) -> Result<()> {
    let events = std::mem::take(&mut cx.deferred.events);
    let r = if all { run_all(&events, cx) } else { run_due(&events, cx) };
    cx.deferred.events = events;
    r
}
/// At the end of the transaction all of them are due.
fn run_all(events: &[Event], cx: &mut ExecCtx) -> Result<()> {
    let from = std::mem::replace(&mut cx.deferred.seen_to, events.len());
    let fired = cx.deferred.fired();
    let mut wx = Wx::of(cx);
    let mut checks = from;
    for i in from..events.len() {
        let Event::Fire(q) = &events[i] else { continue };
        check_all(&events[checks..i], &mut wx)?;
        checks = i + 1;
        if !fired.contains(&i) {
            q.run(None, &mut wx)?;
        }
    }
    check_all(&events[checks..], &mut wx)
}
fn run_due(events: &[Event], cx: &mut ExecCtx) -> Result<()> {
    let (catalog, fired) = (cx.env.catalog().clone(), cx.deferred.fired());
    let mut wx = Wx::of(cx);
    for (i, e) in events.iter().enumerate() {
        if let Event::Fire(q) = e {
            if !wx.deferred.defers_trigger(&q.trigger) && !fired.contains(&i) {
                wx.deferred.fired.push(i);
                q.run(None, &mut wx)?;
            }
        } else if !wx.deferred.defers_check(e, &catalog) {
            check(e, &mut wx)?;
        }
    }
    Ok(())
}
/// Says of unique keys that wait for COMMIT which of them hold for good, as is said at once where data is at hand: their tables may be altered.
pub fn settle_unique(cx: &mut ExecCtx) -> Result<()> {
    let (catalog, fired) = (cx.env.catalog().clone(), cx.deferred.fired());
    let events = std::mem::take(&mut cx.deferred.events);
    let mut wx = Wx::of(cx);
    let mut found = Ok(());
    for (i, k) in events.iter().enumerate().filter_map(|(i, e)| Some((i, e.as_key()?))) {
        if fired.contains(&i) || !k.constraint(&catalog).is_some_and(|(_, i)| wx.deferred.defers_key(i)) {
            continue;
        }
        match unique::is_alone(k, &mut wx) {
            Ok(true) => wx.deferred.fired.push(i),
            Ok(false) => {}
            Err(e) => {
                found = Err(e);
                break;
            }
        }
    }
    cx.deferred.events = events;
    found
}
