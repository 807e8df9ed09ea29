//! Triggers of tables and views, and event triggers.
//!
//! A trigger is an object of its own. A snapshot keeps beside each table what fires there, by name, so that whoever has the table at hand sees at once whether anything
//! does:
//!
//! ```text
//!   [11][OID, 4 bytes]  ->  [1][Trigger, postcard]        [NAME][11][table, 4 bytes][name] -> OID
//!   [12][OID, 4 bytes]  ->  [1][EventTrigger, postcard]   [NAME][12][database, 4 bytes][name] -> OID
//!
//!   Table.triggers: None, or Triggers { list by name, mask of what there is }     kept so by `store::Inner`, whichever of the two is put
//! ```
//! Which of a table's foreign keys' checks run (ALTER TABLE ... DISABLE TRIGGER ALL) is said by an entry of the same kind without name and function: it fires nothing.
//!
//! Invariants: a table's list has exactly the triggers whose `table` it is; a trigger that is not temporary belongs to a table that is not.
//!
//! Limits: partitions' triggers are not known (tgparentid is 0).
use super::*;
use crate::depend::ObjectRef;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timing {
    Before,
    After,
    InsteadOf,
}
impl Timing {
    pub fn words(self) -> &'static str {
        match self {
            Timing::Before => "BEFORE",
            Timing::After => "AFTER",
            Timing::InsteadOf => "INSTEAD OF",
        }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Event {
    Insert = 0,
    Delete = 1,
    Update = 2,
    Truncate = 3,
}
impl Event {
    pub const ALL: [Event; 4] = [Event::Insert, Event::Delete, Event::Update, Event::Truncate];
    pub fn word(self) -> &'static str {
        match self {
            Event::Insert => "INSERT",
            Event::Delete => "DELETE",
            Event::Update => "UPDATE",
            Event::Truncate => "TRUNCATE",
        }
    }
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
}
/// When a trigger fires, by session_replication_role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Enabled {
    /// Not where the role is replica.
    #[default]
    Origin,
    Disabled,
    /// Only where it is.
    Replica,
    Always,
}
impl Enabled {
    pub fn letter(self) -> u8 {
        match self {
            Enabled::Origin => b'O',
            Enabled::Disabled => b'D',
            Enabled::Replica => b'R',
            Enabled::Always => b'A',
        }
    }
    pub fn fires(self, replica: bool) -> bool {
        match self {
            Enabled::Origin => !replica,
            Enabled::Disabled => false,
            Enabled::Replica => replica,
            Enabled::Always => true,
        }
    }
}
/// What CONSTRAINT makes of a trigger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// Its row in pg_constraint.
    pub oid: Oid,
    /// FROM: another table that it is about; 0: none.
    pub from: Oid,
    pub deferrable: bool,
    pub initially_deferred: bool,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    pub oid: Oid,
    pub table: Oid,
    /// Empty, with no function: says when the checks of the table's foreign keys run.
    pub name: String,
    pub function: Oid,
    pub timing: Timing,
    pub each_row: bool,
    /// Bits of [`Event`].
    pub events: u8,
    /// UPDATE OF; empty: any.
    pub columns: Vec<i16>,
    /// Over `old` and `new`.
    pub when: Option<SqlText>,
    pub args: Vec<String>,
    pub old_table: Option<String>,
    pub new_table: Option<String>,
    pub constraint: Option<Constraint>,
    pub enabled: Enabled,
    /// What WHEN names.
    pub depends: Vec<ObjectRef>,
    pub comment: Option<String>,
}
/// OIDs of the rows that pg_trigger has for foreign keys: of the check on INSERT, on UPDATE, of the actions on DELETE, on UPDATE.
pub fn of_key(constraint: Oid, which: u32) -> Oid {
    0x2000_0000 | constraint.wrapping_mul(4).wrapping_add(which) & 0x0fff_ffff
}
/// Triggers of foreign keys are called RI_ConstraintTrigger_...: those of a lower name come before them.
pub const KEYS: &str = "RI_ConstraintTrigger_";

impl Trigger {
    pub fn has(&self, e: Event) -> bool {
        self.events & e.bit() != 0
    }
    /// Does it only say whether foreign keys are checked?
    pub fn of_keys(&self) -> bool {
        self.function == 0
    }
    /// `pg_trigger.tgtype`
    pub fn bits(&self) -> i16 {
        let timing = match self.timing {
            Timing::Before => 2,
            Timing::After => 0,
            Timing::InsteadOf => 64,
        };
        let events = [(Event::Insert, 4), (Event::Delete, 8), (Event::Update, 16), (Event::Truncate, 32)];
        let of = events.iter().filter(|e| self.has(e.0)).map(|e| e.1).sum::<i16>();
        i16::from(self.each_row) | timing | of
    }
    /// Does it fire where these columns are set? None: any.
    pub fn of_columns(&self, e: Event, set: &[usize]) -> bool {
        e != Event::Update
            || self.columns.is_empty()
            || self.columns.iter().any(|a| set.contains(&(*a as usize).wrapping_sub(1)))
    }
    /// Does it keep the old (the new) rows of a statement with this event?
    pub fn keeps(&self, e: Event, new: bool) -> bool {
        self.has(e) && if new { self.new_table.is_some() } else { self.old_table.is_some() }
    }
}

/// What fires on a table.
#[derive(Debug, Default, PartialEq)]
pub struct Triggers {
    /// By name, byte by byte.
    pub list: Vec<Arc<Trigger>>,
    /// Of the table's foreign keys and those that refer to it.
    pub keys: Enabled,
    /// What says so.
    of_keys: Option<Arc<Trigger>>,
    mask: u32,
}
fn place(timing: Timing, each_row: bool, e: Event) -> u32 {
    1 << ((timing as u32 * 2 + u32::from(each_row)) * 4 + e as u32)
}
impl Triggers {
    fn new(mut list: Vec<Arc<Trigger>>) -> Triggers {
        list.sort_by(|a, b| a.name.cmp(&b.name));
        let of_keys = list.iter().find(|t| t.of_keys()).cloned();
        let keys = of_keys.as_ref().map_or(Enabled::Origin, |t| t.enabled);
        list.retain(|t| !t.of_keys());
        let of = |t: &Arc<Trigger>| {
            Event::ALL.iter().filter(|e| t.has(**e)).map(|e| place(t.timing, t.each_row, *e)).fold(0, |a, b| a | b)
        };
        let mask = list.iter().map(of).fold(0, |a, b| a | b);
        Triggers { list, keys, of_keys, mask }
    }
    /// Is there one of this kind, enabled or not?
    #[inline]
    pub fn any(&self, timing: Timing, each_row: bool, e: Event) -> bool {
        self.mask & place(timing, each_row, e) != 0
    }
    /// Those of a kind, in the order in which they fire.
    pub fn of(&self, timing: Timing, each_row: bool, e: Event) -> impl Iterator<Item = (usize, &Arc<Trigger>)> {
        let all = if self.any(timing, each_row, e) { &self.list[..] } else { &[] };
        let fits = move |t: &(usize, &Arc<Trigger>)| t.1.timing == timing && t.1.each_row == each_row && t.1.has(e);
        all.iter().enumerate().filter(fits)
    }
    pub fn named(&self, name: &str) -> Option<&Arc<Trigger>> {
        self.list.iter().find(|t| t.name == name)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventTrigger {
    pub oid: Oid,
    pub database: Oid,
    pub name: String,
    pub owner: Oid,
    /// `ddl_command_start`, `ddl_command_end`, `sql_drop`, `table_rewrite`
    pub event: String,
    pub function: Oid,
    pub enabled: Enabled,
    /// WHEN TAG IN; empty: any.
    pub tags: Vec<String>,
    pub comment: Option<String>,
}

impl Table {
    pub fn trigger(&self, name: &str) -> Option<&Arc<Trigger>> {
        self.triggers.as_ref()?.named(name)
    }
    pub fn all_triggers(&self) -> &[Arc<Trigger>] {
        self.triggers.as_ref().map_or(&[], |t| &t.list)
    }
    /// Are foreign keys of this table looked at where the session's role is so?
    pub fn checks_keys(&self, replica: bool) -> bool {
        self.triggers.as_ref().map_or(Enabled::Origin, |t| t.keys).fires(replica)
    }
}

impl store::Inner {
    pub(super) fn put_trigger(&mut self, t: Arc<Trigger>) {
        let mut list = self.of_table(t.table);
        list.push(t.clone());
        self.set_triggers(t.table, list);
        Arc::make_mut(&mut self.triggers).insert(t.oid, t);
    }
    pub(super) fn remove_trigger(&mut self, oid: Oid) {
        if let Some(t) = Arc::make_mut(&mut self.triggers).remove(&oid) {
            let mut list = self.of_table(t.table);
            list.retain(|x| x.oid != oid);
            self.set_triggers(t.table, list);
        }
    }
    fn of_table(&self, table: Oid) -> Vec<Arc<Trigger>> {
        let Some(t) = self.table_triggers.get(&table) else { return Vec::new() };
        t.list.iter().chain(&t.of_keys).cloned().collect()
    }
    fn set_triggers(&mut self, table: Oid, list: Vec<Arc<Trigger>>) {
        let map = Arc::make_mut(&mut self.table_triggers);
        if list.is_empty() {
            map.remove(&table);
        } else {
            map.insert(table, Arc::new(Triggers::new(list)));
        }
        if let Some(t) = self.tables.get(&table).cloned() {
            let t = self.with_triggers(t);
            Arc::make_mut(&mut self.tables).insert(table, t);
        }
    }
    /// The table as this snapshot has it: with what fires there.
    pub(super) fn with_triggers(&self, t: Arc<Table>) -> Arc<Table> {
        let here = self.table_triggers.get(&t.oid);
        let same = match (here, &t.triggers) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        if same { t } else { Arc::new(Table { triggers: here.cloned(), ..(*t).clone() }) }
    }
}
impl Catalog {
    pub fn trigger(&self, oid: Oid) -> Option<&Arc<Trigger>> {
        self.of(oid).triggers.get(&oid).filter(|t| !t.of_keys())
    }
    /// What says when a table's foreign keys are checked, where that is not as ever.
    pub fn keys_entry(&self, table: Oid) -> Option<Oid> {
        self.table(table)?.triggers.as_ref()?.of_keys.as_ref().map(|t| t.oid)
    }
    /// The triggers of a database's tables, by OID.
    pub fn triggers(&self, db: Oid) -> Vec<&Arc<Trigger>> {
        let of = |t: &&Arc<Trigger>| !t.of_keys() && self.table(t.table).is_some_and(|x| x.database == db);
        sorted(self.layers().flat_map(|l| l.triggers.values()).filter(of).collect(), |t| t.oid)
    }
    /// Those that run a function, or whose conditions name the object.
    pub fn triggers_on(&self, on: ObjectRef) -> Vec<&Arc<Trigger>> {
        let names = |t: &&Arc<Trigger>| {
            on.class == depend::Class::Function && t.function == on.oid
                || on == ObjectRef::relation(on.oid) && t.constraint.as_ref().is_some_and(|c| c.from == on.oid)
                || t.depends.iter().any(|d| d.class == on.class && d.oid == on.oid && (on.sub == 0 || d.sub == on.sub))
        };
        sorted(self.layers().flat_map(|l| l.triggers.values()).filter(names).collect(), |t| t.oid)
    }
    /// The constraint trigger of a row of pg_constraint.
    pub fn constraint_trigger(&self, constraint: Oid) -> Option<&Arc<Trigger>> {
        let all = self.layers().flat_map(|l| l.triggers.values());
        all.filter(|t| t.constraint.as_ref().is_some_and(|c| c.oid == constraint)).min_by_key(|t| t.oid)
    }
    pub fn event_trigger(&self, oid: Oid) -> Option<&Arc<EventTrigger>> {
        self.inner.event_triggers.get(&oid)
    }
    pub fn has_event_triggers(&self) -> bool {
        !self.inner.event_triggers.is_empty()
    }
    /// Those of a database, by name.
    pub fn event_triggers(&self, db: Oid) -> Vec<&Arc<EventTrigger>> {
        let mut v: Vec<_> = self.inner.event_triggers.values().filter(|t| t.database == db).collect();
        v.sort_by(|a, b| a.name.cmp(&b.name));
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trigger(oid: Oid, name: &str, timing: Timing, events: &[Event]) -> Trigger {
        Trigger {
            oid,
            table: 16384,
            name: name.into(),
            function: 16500,
            timing,
            each_row: true,
            events: events.iter().map(|e| e.bit()).sum(),
            columns: vec![2],
            when: Some(SqlText("(old.a > 1)".into())),
            args: vec!["x".into()],
            old_table: None,
            new_table: None,
            constraint: None,
            enabled: Enabled::Origin,
            depends: vec![ObjectRef::column(16384, 1)],
            comment: None,
        }
    }
    fn put(c: &Catalog, t: Trigger) -> Catalog {
        c.with(Object::Trigger(Arc::new(t)))
    }
    #[test]
    fn a_table_has_its_triggers_whichever_comes_first() {
        let table = || TableBuilder::new(16384, "t").column("a", Type::INT4).column("b", Type::INT4).build();
        let (b, a) = (
            trigger(16401, "b", Timing::Before, &[Event::Update]),
            trigger(16402, "a", Timing::After, &[Event::Insert, Event::Delete]),
        );
        let names = |c: &Catalog| -> Vec<String> {
            c.table(16384).unwrap().all_triggers().iter().map(|t| t.name.clone()).collect()
        };
        let later = put(&put(&Catalog::initial().with_table(table()), b.clone()), a.clone());
        let earlier = put(&put(&Catalog::initial(), b.clone()), a.clone()).with_table(table());
        assert_eq!((names(&later), names(&earlier)), (vec!["a".into(), "b".into()], vec!["a".into(), "b".into()]));
        let all = later.table(16384).unwrap().triggers.clone().unwrap();
        assert!(all.any(Timing::Before, true, Event::Update) && !all.any(Timing::Before, true, Event::Insert));
        assert!(!all.any(Timing::Before, false, Event::Update) && all.any(Timing::After, true, Event::Delete));
        assert_eq!(all.of(Timing::After, true, Event::Insert).map(|t| t.0).collect::<Vec<_>>(), [0]);
        // Replaced, renamed, removed.
        let renamed = put(&later, Trigger { name: "c".into(), ..a });
        assert_eq!(names(&renamed), ["b", "c"]);
        let mut gone = renamed.clone();
        gone.remove(Kind::Trigger, 16401);
        gone.remove(Kind::Trigger, 16402);
        assert!(gone.table(16384).unwrap().triggers.is_none() && names(&renamed).len() == 2);
        // What names the function, and a column.
        assert_eq!(later.triggers_on(ObjectRef { class: depend::Class::Function, oid: 16500, sub: 0 }).len(), 2);
        assert_eq!(later.triggers_on(ObjectRef::column(16384, 1)).len(), 2);
        assert!(later.triggers_on(ObjectRef::column(16384, 2)).is_empty());
    }
    #[test]
    fn what_says_when_keys_are_checked_is_no_trigger() {
        let table = TableBuilder::new(16384, "t").column("a", Type::INT4).build();
        let keys = Trigger {
            name: String::new(),
            function: 0,
            enabled: Enabled::Disabled,
            ..trigger(16403, "", Timing::After, &[])
        };
        let c = put(&Catalog::initial().with_table(table), keys);
        let t = c.table(16384).unwrap();
        assert!(t.all_triggers().is_empty() && !t.checks_keys(false) && !t.checks_keys(true));
        assert_eq!((c.keys_entry(16384), c.trigger(16403).is_none()), (Some(16403), true));
        assert!(Enabled::Origin.fires(false) && !Enabled::Origin.fires(true) && Enabled::Replica.fires(true));
    }
    #[test]
    fn triggers_are_read_as_they_were_written() {
        let t = trigger(16401, "b", Timing::InsteadOf, &[Event::Update, Event::Truncate]);
        let o = Object::Trigger(Arc::new(t.clone()));
        assert_eq!(o.format(), 4);
        let read = Object::decode(&store::key(Kind::Trigger, 16401), &o.encode().unwrap()).unwrap();
        assert!(matches!(read, Object::Trigger(r) if *r == t));
        assert_eq!(t.bits(), 1 | 64 | 16 | 32);
        assert!(t.of_columns(Event::Update, &[1]) && !t.of_columns(Event::Update, &[0]));
    }
}
