//! Reading, locking and changing catalog objects: what every DDL statement is made of.
use super::{DdlCtx, grant, reshape, text_search};
use pamir_catalog::acl::{self, ObjectKind, Who};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::operator::CastHow;
use pamir_catalog::store::{NAME, key, private_version};
use pamir_catalog::temporary::{self, is_temporary};
use pamir_catalog::text_search::What;
use pamir_catalog::{Kind, NameScope, Object, Relation, Role, Schema, Sequence, Table, defs, well_known};
use pamir_parse::tree::{At, Persistence, Role as RoleWord, RoleSpec};
use pamir_txn::{CATALOG_TREE, PRIVATE, RowLock, TableLock, TreeId, WaitPolicy};
use pamir_types::error::Severity;
use pamir_types::{Error, Oid, Result, SqlState, bail, err, oid::FIRST_USER};
use std::sync::Arc;

/// `Engine::next_id`'s space for OIDs. Spaces from the first user tree on are trees' own (hidden row ids).
pub const OID_SPACE: u64 = 1;
/// Rows between two looks at the cancel flag in loops over tables.
pub const CANCEL_EVERY: u64 = 1024;

/// What a name belongs to: relations of a schema, schemas of a database, all databases, all roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Space {
    Relation = 1,
    Schema = 2,
    Database = 3,
    Role = 4,
    Type = 5,
    Function = 6,
    Operator = 7,
    Cast = 8,
    Statistics = 9,
    Trigger = 11,
    EventTrigger = 12,
    Extension = 17,
    TsConfig = 21,
    TsDictionary = 22,
}
/// One name of one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub space: Space,
    pub parent: Oid,
    pub name: String,
}
impl Name {
    pub fn relation(schema: Oid, name: &str) -> Name {
        Name { space: Space::Relation, parent: schema, name: name.into() }
    }
    pub fn key(&self) -> Vec<u8> {
        let mut k = vec![NAME, self.space as u8];
        k.extend_from_slice(&self.parent.to_be_bytes());
        k.extend_from_slice(self.name.as_bytes());
        k
    }
    pub fn taken(&self) -> Error {
        let n = &self.name;
        match self.space {
            Space::Relation => err!(DUPLICATE_TABLE, "relation \"{n}\" already exists"),
            Space::Schema => err!(DUPLICATE_SCHEMA, "schema \"{n}\" already exists"),
            Space::Database => err!(DUPLICATE_DATABASE, "database \"{n}\" already exists"),
            Space::Type => err!(DUPLICATE_OBJECT, "type \"{n}\" already exists"),
            Space::Trigger => err!(DUPLICATE_OBJECT, "trigger \"{n}\" already exists"),
            Space::EventTrigger => err!(DUPLICATE_OBJECT, "event trigger \"{n}\" already exists"),
            Space::Extension => err!(DUPLICATE_OBJECT, "extension \"{n}\" already exists"),
            Space::Role => err!(DUPLICATE_OBJECT, "role \"{n}\" already exists"),
            Space::Statistics => err!(DUPLICATE_OBJECT, "statistics object \"{n}\" already exists"),
            Space::Function => {
                let n = n.split('\0').next().unwrap_or(n);
                err!(DUPLICATE_FUNCTION, "function \"{n}\" already exists with same argument types")
            }
            Space::Operator => {
                let n = n.split('\0').next().unwrap_or(n);
                err!(DUPLICATE_FUNCTION, "operator {n} already exists")
            }
            Space::Cast => err!(DUPLICATE_OBJECT, "the cast already exists"),
            Space::TsConfig => text_search::taken(What::Config, self.parent, n),
            Space::TsDictionary => text_search::taken(What::Dictionary, self.parent, n),
        }
    }
}
/// The names an object holds: a table's own and its indexes'.
pub fn names_of(o: &Object) -> Vec<Name> {
    match o {
        Object::Database(d) => vec![Name { space: Space::Database, parent: 0, name: d.name.clone() }],
        Object::Schema(s) => vec![Name { space: Space::Schema, parent: s.database, name: s.name.clone() }],
        Object::Role(r) => vec![Name { space: Space::Role, parent: 0, name: r.name.clone() }],
        Object::Sequence(s) => vec![Name::relation(s.schema, &s.name)],
        Object::Type(t) => {
            let mut names = vec![Name { space: Space::Type, parent: t.schema, name: t.name.clone() }];
            // A composite type is a relation, too.
            if matches!(t.body, pamir_catalog::types::Body::Composite(_)) {
                names.push(Name::relation(t.schema, &t.name));
            }
            names
        }
        Object::Operator(o) => vec![Name { space: Space::Operator, parent: o.schema, name: o.unique_name() }],
        Object::Cast(c) => vec![Name { space: Space::Cast, parent: c.database, name: c.unique_name() }],
        Object::Grants(_) | Object::DefaultAcl(_) | Object::Rule(_) | Object::Comments(_) | Object::Policy(_) => {
            vec![]
        }
        Object::Extended(e) => vec![Name { space: Space::Statistics, parent: e.schema, name: e.name.clone() }],
        Object::Trigger(t) => vec![Name { space: Space::Trigger, parent: t.table, name: t.name.clone() }],
        Object::EventTrigger(t) => vec![Name { space: Space::EventTrigger, parent: t.database, name: t.name.clone() }],
        Object::Extension(e) => super::extension::names_of(e),
        Object::TsConfig(c) => vec![text_search::name(What::Config, c.schema, &c.name)],
        Object::TsDictionary(d) => vec![text_search::name(What::Dictionary, d.schema, &d.name)],
        Object::Function(f) => vec![Name { space: Space::Function, parent: f.schema, name: f.unique_name() }],
        Object::Table(t) => std::iter::once(&t.name)
            .chain(t.indexes.iter().map(|i| &i.name))
            .map(|n| Name::relation(t.schema, n))
            .collect(),
    }
}

/// The owner, of what has one.
fn owner_of(o: &Object) -> Option<Oid> {
    match o {
        Object::Database(d) => Some(d.owner),
        Object::Schema(s) => Some(s.owner),
        Object::Sequence(s) => Some(s.owner),
        Object::Table(t) => Some(t.owner),
        Object::Type(t) => Some(t.owner),
        Object::Function(f) => Some(f.owner),
        Object::Operator(o) => Some(o.owner),
        Object::Extended(e) => Some(e.owner),
        Object::EventTrigger(t) => Some(t.owner),
        Object::Extension(e) => Some(e.owner),
        Object::TsConfig(c) => Some(c.owner),
        Object::TsDictionary(d) => Some(d.owner),
        _ => None,
    }
}
/// (schema, name) of a possibly qualified name. A database name in front must be the current one.
pub fn split_name(n: &[String], database: &str) -> Result<(Option<String>, String)> {
    match n {
        [name] => Ok((None, name.clone())),
        [schema, name] => Ok((Some(schema.clone()), name.clone())),
        [db, schema, name] if db == database => Ok((Some(schema.clone()), name.clone())),
        [_, _, _] => {
            bail!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: \"{}\"", shown_name(n))
        }
        _ => bail!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {}", shown_name(n)),
    }
}
/// The name of what is in no schema.
pub fn one_name(n: &[String]) -> Result<String> {
    match n {
        [name] => Ok(name.clone()),
        _ => bail!(SYNTAX_ERROR, "syntax error at or near \".\""),
    }
}
/// `a.b`, as messages show a name that was written.
pub fn shown_name(n: &[String]) -> String {
    n.join(".")
}
pub fn notice(code: SqlState, message: String) -> Error {
    Error::new(code, message).severity(Severity::Notice)
}

impl DdlCtx<'_> {
    pub fn scope(&self) -> NameScope {
        self.env.scope().clone()
    }
    pub fn database(&self) -> Oid {
        self.env.scope().database
    }
    /// A new object's OID.
    pub fn new_oid(&self) -> Result<Oid> {
        let id = self.engine.next_id(OID_SPACE)?;
        Oid::try_from(id.saturating_add(FIRST_USER as u64))
            .map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "out of object identifiers"))
    }
    /// The same, for what will be in `schema`.
    pub fn new_oid_in(&self, schema: Oid) -> Result<Oid> {
        if schema == temporary::SCHEMA { self.new_temporary_oid() } else { self.new_oid() }
    }
    fn new_temporary_oid(&self) -> Result<Oid> {
        // The first is the schema's.
        const USABLE: u64 = temporary::OIDS as u64 - 1;
        for _ in 0..USABLE {
            let n = self.private.next_number();
            let oid = temporary::FIRST + 1 + (n % USABLE) as Oid;
            // Once all have been used, those that are not any more.
            let free = || {
                self.catalog.relation(oid).is_none()
                    && self.catalog.function(oid).is_none()
                    && defs::constraint(self.catalog, oid).is_none()
            };
            // A function over rows of another session's table is not one over these.
            if (n < USABLE || free()) && !self.catalog.names_rows_of(oid) {
                return Ok(oid);
            }
            self.cancel.check()?;
        }
        bail!(PROGRAM_LIMIT_EXCEEDED, "out of object identifiers for temporary objects")
    }
    /// An empty tree for a relation of a schema.
    pub fn new_tree(&self, schema: Oid) -> Result<TreeId> {
        if schema == temporary::SCHEMA {
            return Ok(self.txn.create_private_tree(self.private));
        }
        self.txn.create_tree()
    }
    /// The number of a sequence's state whose OID, or new number, is `n`.
    pub fn storage(schema: Oid, n: u64) -> u64 {
        if schema == temporary::SCHEMA { PRIVATE + n } else { n }
    }
    /// Gives an error a place in the statement, unless it has one.
    pub fn place(&self, e: Error, at: At) -> Error {
        super::def::placed(e, self.text, at)
    }
    /// Runs `f` whose errors have no place: what is found out of a table that stands.
    pub fn without_places<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let text = std::mem::take(&mut self.text);
        let r = f(self);
        self.text = text;
        r
    }
    pub fn notice(&mut self, code: SqlState, message: String) {
        self.env.notice(notice(code, message))
    }
    /// `relation "x" already exists, skipping` and its like.
    pub fn notice_exists(&mut self, e: &Error) {
        self.notice(e.code(), format!("{}, skipping", e.message()))
    }

    // ---- names ----

    pub fn split(&self, n: &[String]) -> Result<(Option<String>, String)> {
        split_name(n, self.env.database())
    }
    pub fn resolve(&self, n: &[String]) -> Result<Option<Relation>> {
        let (schema, name) = self.split(n)?;
        self.catalog.resolve(self.env.scope(), schema.as_deref(), &name)
    }
    /// A relation of this schema.
    pub fn resolve_in_schema(&self, schema: Oid, name: &str) -> Option<Relation> {
        let s = self.catalog.schema(schema)?;
        self.catalog.resolve_in(self.database(), &s.name, name)
    }
    /// The schema a new relation goes to, locked against being dropped, and its name.
    pub fn creation_name(&mut self, n: &[String]) -> Result<(Oid, String)> {
        self.creation_name_of(n, Persistence::Permanent)
    }
    /// The same, of what is asked to be temporary, or not.
    pub fn creation_name_of(&mut self, n: &[String], persistence: Persistence) -> Result<(Oid, String)> {
        let (schema, name) = self.split(n)?;
        if self.goes_to_temporary(schema.as_deref(), persistence) {
            self.use_temporary_schema()?;
            if persistence == Persistence::Unlogged {
                bail!(INVALID_TABLE_DEFINITION, "only temporary relations may be created in temporary schemas");
            }
            return Ok((temporary::SCHEMA, name));
        }
        let oid = match &schema {
            Some(s) => match self.catalog.schema_by_name(self.database(), s) {
                Some(s) => s.oid,
                None => bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist"),
            },
            None => match self.catalog.creation_schema(self.env.scope()) {
                Some(s) => s.oid,
                None => bail!(INVALID_SCHEMA_NAME, "no schema has been selected to create in"),
            },
        };
        self.use_schema(oid, &name)?;
        if persistence == Persistence::Temporary {
            bail!(INVALID_TABLE_DEFINITION, "cannot create temporary relation in non-temporary schema");
        }
        Ok((oid, name))
    }
    /// Is a new relation temporary, by its own words or by where it goes?
    fn goes_to_temporary(&self, schema: Option<&str>, persistence: Persistence) -> bool {
        let own = self.catalog.temporary_schema().map(|s| s.name.as_str());
        let is_temporary = |s: &str| s == temporary::ALIAS || Some(s) == own;
        match schema {
            Some(s) => is_temporary(s),
            None if persistence == Persistence::Temporary => true,
            // Where the search path begins with it.
            None => {
                let scope = self.env.scope();
                let there = |s: &&String| {
                    is_temporary(s) || self.catalog.schema_by_name(scope.database, s).is_some_and(|s| s.database != 0)
                };
                scope.search_path.iter().find(there).is_some_and(|s| is_temporary(s))
            }
        }
    }
    /// Makes the session's temporary schema with its first object.
    fn use_temporary_schema(&mut self) -> Result<()> {
        let database = self.database();
        if self.who()?.on_database(self.catalog, database, acl::TEMPORARY) == 0 {
            let name = self.env.database();
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied to create temporary tables in database \"{name}\"");
        }
        if self.catalog.temporary_schema().is_none() {
            let session = self.env.backend()?.pid();
            Arc::make_mut(self.catalog).make_temporary_schema(database, session);
        }
        Ok(())
    }
    /// Checks that relations may be put into a schema and keeps it from being dropped.
    pub fn use_schema(&mut self, schema: Oid, name: &str) -> Result<()> {
        if schema == temporary::SCHEMA {
            return Ok(());
        }
        if schema == well_known::PG_CATALOG || schema == well_known::INFORMATION_SCHEMA {
            let s = self.catalog.schema(schema).map_or("pg_catalog", |s| &s.name);
            return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to create \"{s}.{name}\"")
                .detail("System catalog modifications are currently disallowed."));
        }
        self.check_create_in(schema)?;
        self.lock_schema(schema, RowLock::KeyShare)?;
        Ok(())
    }
    pub fn lock_schema(&mut self, oid: Oid, mode: RowLock) -> Result<Arc<Schema>> {
        if oid == temporary::SCHEMA {
            return Err(Error::unsupported("changing the temporary schema"));
        }
        match self.lock_object(Kind::Schema, oid, mode)? {
            Some(Object::Schema(s)) => Ok(s),
            _ => bail!(INVALID_SCHEMA_NAME, "schema with OID {oid} does not exist"),
        }
    }
    /// Locks a name and says whether a committed or own object has it. Held until the transaction ends.
    pub fn name_taken(&self, name: &Name) -> Result<bool> {
        if name.space == Space::Relation && name.parent == temporary::SCHEMA {
            return Ok(self.catalog.resolve_in(self.database(), temporary::ALIAS, &name.name).is_some());
        }
        // A session's own names are in its layer alone, whose OIDs are other objects' in other sessions.
        if is_temporary(name.parent) {
            return Ok(false);
        }
        let k = name.key();
        self.txn.lock_row(CATALOG_TREE, &k, RowLock::Update, WaitPolicy::Block)?;
        Ok(self.txn.get_latest(CATALOG_TREE, &k, &mut Vec::new())?.exists)
    }
    /// Is there a relation of this name, as far as this session sees? (For automatic names; a race is met by `put`.)
    pub fn relation_exists(&self, schema: Oid, name: &str) -> bool {
        self.catalog.schema(schema).and_then(|s| self.catalog.resolve_in(self.database(), &s.name, name)).is_some()
    }

    // ---- locks: the newest committed version of what was locked ----

    /// Locks an object's row and brings it up to date in the private catalog. None: it is gone.
    pub fn lock_object(&mut self, kind: Kind, oid: Oid, mode: RowLock) -> Result<Option<Object>> {
        if is_temporary(oid) {
            return Ok(self.catalog.object(kind, oid));
        }
        self.txn.lock_row(CATALOG_TREE, &key(kind, oid), mode, WaitPolicy::Block)?;
        self.refresh(kind, oid)
    }
    /// The newest committed (or own) version of an object, after a lock that keeps it so.
    pub fn refresh(&mut self, kind: Kind, oid: Oid) -> Result<Option<Object>> {
        if is_temporary(oid) {
            return Ok(self.catalog.object(kind, oid));
        }
        let (k, mut value) = (key(kind, oid), Vec::new());
        let latest = self.txn.get_latest(CATALOG_TREE, &k, &mut value)?;
        if latest.own {
            return Ok(self.catalog.object(kind, oid));
        }
        let catalog = Arc::make_mut(self.catalog);
        if !latest.exists {
            if catalog.object(kind, oid).is_some() {
                catalog.version = private_version();
                catalog.remove(kind, oid);
            }
            return Ok(None);
        }
        // What the session has is usually the newest: compare bytes before replacing it (and its cache of bound expressions).
        if let Some(have) = catalog.object(kind, oid)
            && have.encode()? == value
        {
            return Ok(Some(have));
        }
        catalog.version = private_version();
        catalog.put(Object::decode(&k, &value)?);
        // As it is in the snapshot: with its triggers, which stand elsewhere.
        Ok(catalog.object(kind, oid))
    }
    /// Locks a table and returns its newest version; None if it was dropped meanwhile.
    pub fn lock_table_if_exists(&mut self, oid: Oid, mode: TableLock) -> Result<Option<Arc<Table>>> {
        if !is_temporary(oid) {
            self.txn.lock_table(oid as u64, mode, WaitPolicy::Block)?;
        }
        match self.refresh(Kind::Table, oid)? {
            Some(Object::Table(t)) => Ok(Some(t)),
            _ => Ok(None),
        }
    }
    pub fn lock_table(&mut self, oid: Oid, mode: TableLock) -> Result<Arc<Table>> {
        let name = self.catalog.table(oid).map(|t| t.name.clone());
        self.lock_table_if_exists(oid, mode)?.ok_or_else(|| match name {
            Some(n) => err!(UNDEFINED_TABLE, "relation \"{n}\" does not exist"),
            None => err!(UNDEFINED_TABLE, "could not open relation with OID {oid}"),
        })
    }
    /// Refuses a change of a table whose rows wait for their checks (CheckTableNotInUse).
    pub fn check_idle(&self, t: &Table, what: &str) -> Result<()> {
        if self.active.contains(&t.oid) {
            bail!(
                OBJECT_IN_USE,
                "cannot {what} \"{}\" because it is being used by active queries in this session",
                t.name
            );
        }
        if self.waiting.contains(&t.oid) {
            bail!(OBJECT_IN_USE, "cannot {what} \"{}\" because it has pending trigger events", t.name);
        }
        Ok(())
    }
    /// Finds a table by name, checks that the user owns it, and locks it.
    pub fn open_table(&mut self, n: &[String], mode: TableLock) -> Result<Arc<Table>> {
        let (schema, name) = self.split(n)?;
        let t = self.catalog.resolve_table(self.env.scope(), schema.as_deref(), &name)?;
        self.check_owner(t.owner, "table", &t.name)?;
        self.lock_table(t.oid, mode)
    }
    /// As [`Self::open_table`], a materialized view too: what has rows.
    pub fn open_stored(&mut self, n: &[String], mode: TableLock) -> Result<Arc<Table>> {
        match self.resolve(n)? {
            Some(Relation::Table(t)) if t.view.as_ref().is_some_and(|v| v.materialized) => {
                self.check_owner(t.owner, t.word(), &t.name)?;
                self.lock_table(t.oid, mode)
            }
            _ => self.open_table(n, mode),
        }
    }
    pub fn lock_sequence(&mut self, oid: Oid) -> Result<Arc<Sequence>> {
        match self.lock_object(Kind::Sequence, oid, RowLock::Update)? {
            Some(Object::Sequence(s)) => Ok(s),
            _ => bail!(UNDEFINED_TABLE, "could not open relation with OID {oid}"),
        }
    }

    // ---- changes ----

    /// Writes an object: its row, its names, the private catalog, the list of changes.
    pub fn put(&mut self, object: Object) -> Result<()> {
        let (kind, oid) = (object.kind(), object.oid());
        self.check_format(&object)?;
        let before = self.catalog.object(kind, oid);
        let owners = (before.as_ref().and_then(owner_of), owner_of(&object));
        let old = before.map_or(vec![], |o| names_of(&o));
        let new = names_of(&object);
        // A table and its indexes are of one object.
        if let Some(n) = new.iter().enumerate().find(|(i, n)| new[..*i].contains(n)) {
            return Err(n.1.taken());
        }
        if is_temporary(oid) {
            if let Some(n) = new.iter().find(|n| !old.contains(n) && self.name_taken(n).is_ok_and(|taken| taken)) {
                return Err(n.taken());
            }
            self.put_here(object.clone());
            return self.give_owner(oid, &object, owners);
        }
        if new.iter().any(|n| n.parent == temporary::SCHEMA) {
            return Err(Error::unsupported("temporary objects of this kind"));
        }
        if calls(&object).any(is_temporary) {
            return Err(Error::unsupported("a temporary function in what is not temporary"));
        }
        for n in old.iter().filter(|n| !new.contains(n)) {
            self.txn.delete(CATALOG_TREE, &n.key())?;
        }
        for n in new.iter().filter(|n| !old.contains(n)) {
            if self.name_taken(n)? {
                return Err(n.taken());
            }
            self.txn.put(CATALOG_TREE, &n.key(), &oid.to_be_bytes())?;
        }
        self.txn.put(CATALOG_TREE, &key(kind, oid), &object.encode()?)?;
        self.put_here(object.clone());
        self.changes.record(kind, oid, Some(object.clone()));
        self.give_owner(oid, &object, owners)
    }
    /// Into the private catalog.
    fn put_here(&mut self, object: Object) {
        let catalog = Arc::make_mut(self.catalog);
        catalog.version = private_version();
        catalog.put(object);
    }
    fn give_owner(&mut self, oid: Oid, object: &Object, owners: (Option<Oid>, Option<Oid>)) -> Result<()> {
        match owners {
            (Some(before), Some(now)) => grant::new_owner(oid, before, now, self),
            (None, Some(owner)) => self.start_with_defaults(object, owner),
            _ => Ok(()),
        }
    }
    /// 55000 for what older builds among the cluster's nodes could not read.
    fn check_format(&self, object: &Object) -> Result<()> {
        let (needs, has) = (object.format(), self.engine.format());
        // What is temporary is never read by another.
        if needs <= has || is_temporary(object.oid()) {
            return Ok(());
        }
        Err(err!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "this definition needs format {needs} of the cluster, which has format {has}"
        )
        .hint(
            "It is possible when every node has the new build and the format has risen: see \"pamir cluster status\".",
        ))
    }
    fn start_with_defaults(&mut self, object: &Object, owner: Oid) -> Result<()> {
        let (kind, database, schema) = match object {
            Object::Table(t) => (ObjectKind::Table, t.database, t.schema),
            Object::Sequence(s) => (ObjectKind::Sequence, s.database, s.schema),
            Object::Schema(s) => (ObjectKind::Schema, s.database, 0),
            Object::Function(f) => (ObjectKind::Function, f.database, f.schema),
            _ => return Ok(()),
        };
        grant::start_with_defaults(kind, object.oid(), owner, database, schema, self)
    }
    /// Writes a changed table: a new version with an empty cache.
    pub fn put_table(&mut self, mut t: Table) -> Result<Arc<Table>> {
        t.version += 1;
        t.cache = Default::default();
        t.declared.prune(t.oid, &t.indexes, &t.columns, &t.checks, &t.foreign_keys);
        let old = self.catalog.table(t.oid).cloned();
        let values = old.as_ref().map(|o| reshape::row_values(o, &t, self)).transpose()?.flatten();
        let t = Arc::new(t);
        self.put(Object::Table(t.clone()))?;
        if let (Some(old), Some(before)) = (old, values) {
            reshape::rows(&old, &t, &before, self)?;
        }
        Ok(t)
    }
    /// Writes a table of which only statistics or comments changed: plans stay valid.
    pub fn put_table_same(&mut self, t: Table) -> Result<()> {
        self.put(Object::Table(Arc::new(t)))
    }
    pub fn remove(&mut self, kind: Kind, oid: Oid) -> Result<()> {
        let Some(old) = self.catalog.object(kind, oid) else { return Ok(()) };
        if is_temporary(oid) {
            if !matches!(kind, Kind::Grants | Kind::Comments) {
                self.remove(Kind::Grants, oid)?;
            }
            let catalog = Arc::make_mut(self.catalog);
            catalog.version = private_version();
            catalog.remove(kind, oid);
            return Ok(());
        }
        self.txn.lock_row(CATALOG_TREE, &key(kind, oid), RowLock::Update, WaitPolicy::Block)?;
        for n in names_of(&old) {
            self.txn.delete(CATALOG_TREE, &n.key())?;
        }
        self.txn.delete(CATALOG_TREE, &key(kind, oid))?;
        if !matches!(kind, Kind::Grants | Kind::Comments) {
            self.remove(Kind::Grants, oid)?;
            self.remove(Kind::Comments, oid)?;
        }
        let catalog = Arc::make_mut(self.catalog);
        catalog.version = private_version();
        catalog.remove(kind, oid);
        self.changes.record(kind, oid, None);
        Ok(())
    }

    // ---- roles ----

    pub fn user(&self) -> Result<&Role> {
        let name = self.env.current_user();
        self.catalog.role_by_name(name).ok_or_else(|| err!(UNDEFINED_OBJECT, "role \"{name}\" does not exist"))
    }
    pub fn role_named(&self, name: &str) -> Result<&Role> {
        self.catalog.role_by_name(name).ok_or_else(|| err!(UNDEFINED_OBJECT, "role \"{name}\" does not exist"))
    }
    /// `must be owner of table t` unless the user owns the object or is a superuser.
    pub fn check_owner(&self, owner: Oid, kind: &str, name: &str) -> Result<()> {
        if self.who()?.has_role(owner) {
            return Ok(());
        }
        bail!(INSUFFICIENT_PRIVILEGE, "must be owner of {kind} {name}")
    }
    /// As `check_owner`, for what the owner of its schema may drop too.
    pub fn check_dropper(&self, owner: Oid, schema: Oid, kind: &str, name: &str) -> Result<()> {
        match self.catalog.schema(schema) {
            Some(s) if self.who()?.has_role(s.owner) => Ok(()),
            _ => self.check_owner(owner, kind, name),
        }
    }
    /// The current user's privileges.
    pub fn who(&self) -> Result<Who> {
        Ok(Who::new(self.catalog, self.user()?.oid, self.database()))
    }
    /// Whoever gives an object away must be in the role that gets it, and that role must be allowed to have it where it is.
    pub fn check_new_owner(&self, owner: Oid, schema: Option<Oid>) -> Result<()> {
        let user = self.user()?;
        if user.superuser {
            return Ok(());
        }
        if !acl::is_member(self.catalog, user.oid, owner, self.database()) {
            let name = self.catalog.role(owner).map_or("", |r| &r.name);
            bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{name}\"");
        }
        if let Some(s) = schema.and_then(|s| self.catalog.schema(s))
            && Who::new(self.catalog, owner, self.database()).on_schema(self.catalog, s, acl::CREATE) == 0
        {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {}", s.name);
        }
        Ok(())
    }
    /// CREATE on a schema.
    pub fn check_create_in(&self, schema: Oid) -> Result<()> {
        match self.catalog.schema(schema) {
            Some(s) if self.who()?.on_schema(self.catalog, s, acl::CREATE) == 0 => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {}", s.name)
            }
            _ => Ok(()),
        }
    }
    /// The name of the role that is meant.
    pub fn role_of(&self, r: &RoleSpec) -> Result<String> {
        Ok(match &r.role {
            RoleWord::Named(n) => n.clone(),
            RoleWord::CurrentRole | RoleWord::CurrentUser => self.env.current_user().to_string(),
            RoleWord::SessionUser => self.env.session_user().to_string(),
            RoleWord::Public => bail!(UNDEFINED_OBJECT, "role \"public\" does not exist"),
        })
    }
    pub fn owner_from(&self, r: &RoleSpec) -> Result<Oid> {
        Ok(self.role_named(&self.role_of(r)?)?.oid)
    }
    /// A relation's name as messages show it.
    pub fn shown(&self, oid: Oid) -> String {
        self.catalog.quoted_name(self.env.scope(), oid).unwrap_or_else(|| oid.to_string())
    }
    /// `nextval('16390'::regclass)` for a sequence: by OID, so that renaming it breaks nothing.
    pub fn nextval_text(seq: Oid) -> String {
        format!("nextval('{seq}'::regclass)")
    }
    /// Stored expressions name relations in regclass literals by OID.
    pub fn regclass_to_oid(&self, text: String) -> String {
        defs::map_regclass(&text, |name| {
            self.catalog.oid_by_written_name(self.env.scope(), name).map(|o| o.to_string())
        })
    }
}
/// A hidden row id that no row of this tree ever had; INSERT takes them from the same space.
pub fn new_rowid(txn: &pamir_txn::Txn, t: &Table) -> Result<u64> {
    txn.next_id(t.tree)
}

/// The functions that an object names, but for those in its texts.
fn calls(o: &Object) -> impl Iterator<Item = Oid> {
    let of = |d: &[ObjectRef]| d.iter().filter(|d| d.class == Class::Function).map(|d| d.oid).collect();
    let all: Vec<Oid> = match o {
        Object::Table(t) => of(&t.depends),
        Object::Rule(r) => of(&r.depends),
        Object::Policy(p) => of(&p.depends),
        Object::Function(f) => of(&f.depends()),
        Object::Trigger(t) => vec![t.function],
        Object::EventTrigger(t) => vec![t.function],
        Object::Operator(x) => vec![x.function],
        Object::Cast(c) => match c.how {
            CastHow::Function(f) => vec![f],
            _ => vec![],
        },
        _ => vec![],
    };
    all.into_iter()
}
