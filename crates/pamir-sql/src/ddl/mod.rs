//! DDL: statements that change the catalog.
//!
//! Each statement is a read of the newest catalog rows under locks, a check of every name and expression, and a write of changed rows inside the user's
//! transaction. Nothing is undone by hand: ROLLBACK drops the write set, and the session drops the private catalog with it.
//!
//! ```text
//!  CREATE TABLE t (a int PRIMARY KEY)
//!    lock schema row (KEY SHARE)         a concurrent DROP SCHEMA waits
//!    CATALOG_TREE: put [Name, relation, public, "t"] -> oid       the row lock of a name makes two creators of one name meet
//!                  put [Name, relation, public, "t_pkey"] -> oid
//!                  put [Table, oid] -> descriptor
//!    new tree; private catalog + Changes                          published by the session at commit (Txn::on_commit)
//! ```
//!
//! Locks on existing tables are PostgreSQL's (CREATE INDEX: SHARE, ALTER TABLE: ACCESS EXCLUSIVE or as its subcommand says, ANALYZE: SHARE UPDATE
//! EXCLUSIVE, TRUNCATE, DROP: ACCESS EXCLUSIVE). After a lock is granted the table's row is read again (`DdlCtx::lock_table`), so a statement always
//! works on the newest committed version, never on what the session happened to see before it waited.
//!
//! - [`cx`]: reading, locking and changing objects. - [`table`]: CREATE TABLE. - [`column`]: column definitions. - [`constraint`]: keys, checks, foreign
//!   keys. - [`types`], [`domain`]: types. - [`view`]: CREATE VIEW. - [`matview`]: materialized views. - [`rule`]: rules. - [`named`]: what expressions name. - [`index`]: CREATE INDEX, REINDEX and building trees. - [`alter`], [`rewrite`]: ALTER TABLE. - [`rename`]: names, schemas and owners. -
//!   [`trigger`], [`event_trigger`]: triggers. - [`remove`]: DROP and its cascades; [`absent`]: of what there is not; [`fall`]: what goes along; [`web`]: what hangs on what; [`dependents`]: how messages call it. - [`truncate`], [`sequence`], [`role`], [`routine`], [`aggregate`], [`operator`], [`database`], [`extension`], [`extended`], [`text_search`], [`comment`],
//!   [`analyze`]. - [`grant`]: privileges. - [`options`]: storage parameters; [`def`]: other options.
//!
//! Who may do what: [`pamir_catalog::acl`]. Only an object's owner (or who has its owner's privileges) changes it.
use pamir_catalog::{Catalog, Kind, Object, acl};
use pamir_expr::env::Env;
use pamir_parse::tree::{self, Alter, Create, ObjectKind, ReindexWhat, Statement};
use pamir_txn::{CATALOG_TREE, Cancel, Dir, Engine, PrivateData, TableLock, Ts, Txn, WaitPolicy, shard::Isolation};
use pamir_types::{Error, Oid, Result, bail};
use std::collections::BTreeMap;
use std::sync::Arc;

mod absent;
mod aggregate;
mod alter;
mod analyze;
mod build;
mod column;
mod comment;
mod constraint;
mod cx;
pub(crate) mod database;
pub(crate) mod def;
mod dependents;
mod domain;
mod eval;
mod event_trigger;
mod exclude;
mod extended;
mod extension;
mod fall;
mod grant;
mod index;
mod inherit;
mod large_object;
mod matview;
mod named;
pub(crate) mod online;
mod operator;
mod options;
mod partition;
mod policy;
mod range_type;
mod remove;
mod rename;
mod reshape;
mod rewrite;
mod role;
mod routine;
mod rule;
pub mod scram;
mod sequence;
mod table;
mod text_search;
mod trigger;
mod truncate;
mod types;
mod view;
mod web;

pub use analyze::{visit, visits};
pub use cx::OID_SPACE;
pub use event_trigger::supports;
pub use index::is_concurrent;
pub use matview::{Unfinished, begin as begin_materialized, finish as finish_materialized, refresh};
pub use remove::drop_temporary;
pub use table::{NewColumn, create_table_as, parameters};
pub use truncate::{empty as truncate, tables as truncated};

/// What DDL works on. `catalog` is the transaction's private copy: replaced by the changed one.
pub struct DdlCtx<'a> {
    pub engine: &'a Arc<dyn Engine>,
    pub txn: &'a Txn,
    /// Where temporary tables have their rows.
    pub private: &'a Arc<PrivateData>,
    pub catalog: &'a mut Arc<Catalog>,
    /// changed objects are remembered for publication
    pub changes: &'a mut Changes,
    pub env: &'a mut dyn Env,
    pub cancel: &'a Arc<Cancel>,
    pub text: &'a str,
    /// Tables with deferred checks of this transaction.
    pub waiting: &'a [Oid],
    /// Tables whose triggers are under way.
    pub active: &'a [Oid],
}

/// The objects a transaction changed: applied onto the then newest catalog when the commit becomes visible.
#[derive(Default, Clone)]
pub struct Changes {
    objects: BTreeMap<(Kind, Oid), Option<Object>>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
    /// The newest published catalog with these changes on top, version + 1.
    pub fn apply(&self, base: &Catalog) -> Catalog {
        let mut out = self.on_top_of(base);
        out.version = base.version + 1;
        out
    }
    /// As `apply`, but private to the transaction: for statements that follow DDL in one transaction after others published.
    pub fn apply_private(&self, base: &Catalog) -> Catalog {
        let mut out = self.on_top_of(base);
        out.version = pamir_catalog::store::private_version();
        out
    }
    fn on_top_of(&self, base: &Catalog) -> Catalog {
        let mut out = base.clone();
        // Removals first: a name may have passed from a dropped object to a new one.
        for ((kind, oid), object) in &self.objects {
            if object.is_none() {
                out.remove(*kind, *oid)
            }
        }
        for object in self.objects.values().flatten() {
            out.put(object.clone())
        }
        out
    }
    fn record(&mut self, kind: Kind, oid: Oid, object: Option<Object>) {
        self.objects.insert((kind, oid), object);
    }
}

/// True for statements that `execute` handles. CREATE TABLE AS is the session's (it runs the query, see [`create_table_as`]).
pub fn is_ddl(stmt: &Statement) -> bool {
    use Statement::*;
    match stmt {
        Create(c) => !matches!(&**c, tree::Create::TableAs(_)),
        Alter(_)
        | Drop(_)
        | Truncate(_)
        | Comment(_)
        | Grant(_)
        | GrantRole(_)
        | Reassign { .. }
        | DropRole { .. }
        | DropOwned { .. }
        | Vacuum(_)
        | Cluster(_)
        | Reindex(_)
        | Other(_) => true,
        _ => false,
    }
}

/// Is it ALTER TABLE .. DETACH PARTITION .. CONCURRENTLY?
pub fn detaches_online(a: &Alter) -> bool {
    let online = |c: &tree::AlterTable| matches!(c, tree::AlterTable::DetachPartition { concurrently: true, .. });
    matches!(a, Alter::Table { commands, .. } if commands.iter().any(online))
}
/// For statements that cannot run inside a transaction block (25001): the command's name.
pub fn forbidden_in_block(stmt: &Statement) -> Option<&'static str> {
    match stmt {
        Statement::Create(c) => match &**c {
            Create::Database { .. } => Some("CREATE DATABASE"),
            Create::Index(i) if i.concurrently => Some("CREATE INDEX CONCURRENTLY"),
            _ => None,
        },
        Statement::Drop(d) if d.kind == ObjectKind::Database => Some("DROP DATABASE"),
        Statement::Drop(d) if d.concurrently => Some("DROP INDEX CONCURRENTLY"),
        Statement::Vacuum(v) if v.vacuum => Some("VACUUM"),
        Statement::Alter(a) if detaches_online(a) => Some("ALTER TABLE ... DETACH CONCURRENTLY"),
        Statement::Reindex(r) if index::is_concurrent(r) => Some("REINDEX CONCURRENTLY"),
        Statement::Reindex(r) => match r.what {
            ReindexWhat::Index(_) | ReindexWhat::Table(_) => None,
            ReindexWhat::Schema(_) => Some("REINDEX SCHEMA"),
            ReindexWhat::System(_) => Some("REINDEX SYSTEM"),
            ReindexWhat::Database(_) => Some("REINDEX DATABASE"),
        },
        _ => None,
    }
}

/// Executes CREATE/ALTER/DROP/TRUNCATE/COMMENT/GRANT/ANALYZE/VACUUM/... and returns the command tag (`CREATE TABLE`).
pub fn execute(stmt: &Statement, cx: &mut DdlCtx) -> Result<String> {
    use Statement::*;
    if cx.txn.read_only() && !matches!(stmt, Vacuum(_)) {
        bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {} in a read-only transaction", stmt.tag());
    }
    let unsupported = || Err(Error::unsupported(stmt.tag()));
    let tag = match stmt {
        Create(c) => match create_statement(c, cx) {
            Some(made) => made?,
            None => return unsupported(),
        },
        Alter(a) => match alter_statement(a, cx) {
            Some(done) => done?,
            None => return unsupported(),
        },
        Drop(d) => remove::drop(d, cx)?,
        Truncate(t) => {
            let tables: Vec<Oid> = truncate::tables(t, cx)?.iter().map(|t| t.oid).collect();
            truncate::empty(t, &tables, cx)?
        }
        Comment(c) => comment::execute(c, cx)?,
        Grant(g) => grant::grant(g, cx)?,
        GrantRole(g) => grant::grant_role(g, cx)?,
        Reassign { from, to } => role::reassign(from, to, cx)?,
        DropRole { roles, if_exists } => role::drop(roles, *if_exists, cx)?,
        DropOwned { of, behavior } => role::drop_owned(of, *behavior, cx)?,
        Vacuum(v) => analyze::execute(v, cx)?,
        Reindex(r) => index::reindex(r, cx)?,
        Cluster(c) => alter::cluster(c, cx)?,
        // REFRESH COLLATION VERSION: there are no versions.
        Other("ALTER DATABASE") => "ALTER DATABASE",
        _ => return unsupported(),
    };
    Ok(tag.to_string())
}
/// None: not built yet.
fn create_statement(c: &Create, cx: &mut DdlCtx) -> Option<Result<&'static str>> {
    Some(match c {
        Create::Table(t) => table::create(t, cx),
        Create::Index(i) => index::create(i, cx),
        Create::Sequence { name, persistence, if_not_exists, options } => {
            sequence::create(name, *persistence, *if_not_exists, options, cx)
        }
        Create::Schema { name, owner, if_not_exists, elements } => {
            database::create_schema(name.as_deref(), owner.as_ref(), *if_not_exists, elements, cx)
        }
        Create::Database { name, options } => database::create_database(name, options, cx),
        Create::Role { word, name, options } => role::create(*word, name, options, cx),
        Create::Type { name, definition } => types::create(name, definition, cx),
        Create::Domain { name, ty, collation, constraints } => {
            domain::create(name, ty, collation.as_ref(), constraints, cx)
        }
        Create::View(v) => view::create(v, cx),
        Create::Statistics { name, if_not_exists, kinds, of, from } => {
            extended::create((name, *if_not_exists), kinds, of, from, cx)
        }
        Create::Rule(r) => rule::create(r, cx),
        Create::Policy(p) => policy::create(p, cx),
        Create::TextSearch { kind, name, definition } => text_search::create(*kind, &name.parts, definition, cx),
        Create::Extension { name, if_not_exists, options } => extension::create(name, *if_not_exists, options, cx),
        Create::Routine(r) => routine::create(r, cx),
        Create::Aggregate { replace, name, args, definition, at } => {
            aggregate::create(*replace, name, args.as_ref(), definition, *at, cx)
        }
        Create::Operator { name, definition, .. } => operator::create(name, definition, cx),
        Create::Cast { from, to, function, inout, context } => {
            operator::create_cast(from, to, function.as_ref(), *inout, *context, cx)
        }
        Create::Trigger(t) => trigger::create(t, cx),
        Create::EventTrigger { name, event, filters, function } => {
            event_trigger::create(name, event, filters, function, cx)
        }
        _ => return None,
    })
}
/// None: not built yet.
fn alter_statement(a: &Alter, cx: &mut DdlCtx) -> Option<Result<&'static str>> {
    Some(match a {
        Alter::Table { kind, name, if_exists, commands } => alter::execute(*kind, name, *if_exists, commands, cx),
        Alter::EventTrigger { name, mode } => event_trigger::enable(name, *mode, cx),
        Alter::Sequence { name, if_exists, options } => sequence::alter(name, *if_exists, options, cx),
        Alter::Rename { object: tree::Object::On { kind: ObjectKind::Rule, name, of, .. }, to, .. } => {
            rule::rename(name, &of.parts, to, cx)
        }
        Alter::Rename { object: tree::Object::On { kind: ObjectKind::Policy, name, of, .. }, to, .. } => {
            policy::rename(name, of, to, cx)
        }
        Alter::Policy { name, table, to, using, check } => {
            policy::alter(name, table, to.as_deref(), (using.as_ref(), check.as_ref()), cx)
        }
        Alter::Rename { object, if_exists, to } => rename::rename(object, *if_exists, to, cx),
        Alter::RenamePart {
            object:
                tree::Object::Named(kind @ (ObjectKind::Table | ObjectKind::View | ObjectKind::MaterializedView), table),
            if_exists,
            only,
            part,
            name,
            to,
            ..
        } => alter::rename_part(&table.parts, (*if_exists, *only), *part, name, to, cx).map(|tag| match kind {
            ObjectKind::View => "ALTER VIEW",
            ObjectKind::MaterializedView => "ALTER MATERIALIZED VIEW",
            _ => tag,
        }),
        Alter::EnumAdd { name, if_not_exists, value, neighbour } => {
            types::add_value(name, *if_not_exists, value, neighbour.as_ref(), cx)
        }
        Alter::EnumRename { name, from, to } => types::rename_value(name, from, to, cx),
        Alter::Composite { name, commands } => types::alter_attributes(name, commands, cx),
        Alter::Domain { name, command } => domain::alter(name, command, cx),
        Alter::RenamePart { object: tree::Object::Named(ObjectKind::Type, n), name, to, behavior, .. } => {
            types::rename_attribute(&n.parts, (name, to), *behavior, cx)
        }
        Alter::RenamePart { object: tree::Object::Named(ObjectKind::Domain, n), name, to, .. } => {
            domain::rename_constraint(n, name, to, cx)
        }
        Alter::Extension { name, options } => extension::update(name, options, cx),
        Alter::SetSchema { object: tree::Object::Named(ObjectKind::Extension, n), schema, .. } => {
            cx::one_name(&n.parts).and_then(|n| extension::set_schema(&n, schema, cx))
        }
        Alter::SetSchema { object, if_exists, schema } => rename::set_schema(object, *if_exists, schema, cx),
        Alter::Owner { object, to } => rename::owner(object, to, cx),
        Alter::Role { name, options } => role::alter(name, options, cx),
        Alter::RoleMembers { role, add, members } => role::members(role, *add, members, cx),
        Alter::RoleSet { role, database, set } => role::set(role.as_ref(), database.as_deref(), set, cx),
        Alter::Database { name, options } => database::alter_database(name, options, cx),
        Alter::DatabaseSet { name, set } => database::alter_database_set(name, set, cx),
        Alter::Routine { kind, routine, options } => routine::alter(*kind, routine, options, cx),
        Alter::Statistics { name, if_exists, target } => extended::set_target(&name.parts, *if_exists, *target, cx),
        Alter::DefaultPrivileges(d) => grant::default_privileges(d, cx),
        Alter::TextSearchDictionary { name, options } => text_search::alter_dictionary(&name.parts, options, cx),
        Alter::TextSearchMapping { name, mapping } => text_search::alter_mapping(&name.parts, mapping, cx),
        _ => return None,
    })
}

/// All objects of the catalog's tree, and the snapshot that saw them.
fn read_objects(txn: &Txn) -> Result<(Vec<Object>, Ts)> {
    let snapshot = txn.statement();
    let mut objects = Vec::new();
    let mut scan = txn.scan(&snapshot, CATALOG_TREE, &[], None, Dir::Forward)?;
    while let Some((key, value)) = scan.next(txn)? {
        if key.first() != Some(&pamir_catalog::store::NAME) {
            objects.push(Object::decode(key, value)?);
        }
    }
    Ok((objects, snapshot.ts()))
}
/// The catalog's objects as they are in this node's tree now, and up to which commit they are that.
pub fn reload(engine: &dyn Engine) -> Result<(Vec<Object>, Ts)> {
    read_objects(&engine.begin_here(Arc::default()))
}
fn is_there(objects: &[Object]) -> bool {
    objects.iter().any(|o| matches!(o, Object::Role(r) if r.oid == acl::predefined::DATABASE_OWNER))
}
/// The lock under which the first catalog is made: pg_class's.
const PG_CLASS: u64 = 1259;
/// Loads the catalog at start, and up to which commit it is that; creates the initial one in a new shard.
pub fn load(engine: &dyn Engine) -> Result<(Catalog, Ts)> {
    // Here first: a replica's node begins without a leader.
    let (objects, as_of) = reload(engine)?;
    if is_there(&objects) {
        return Ok((Catalog::from_objects(1, objects), as_of));
    }
    let txn = engine.begin(Isolation::ReadCommitted, false, Arc::new(Cancel::default()));
    // Nodes that begin at one time: only the first of them makes it.
    txn.lock_table(PG_CLASS, TableLock::AccessExclusive, WaitPolicy::Block)?;
    let (mut objects, as_of) = read_objects(&txn)?;
    if is_there(&objects) {
        txn.rollback();
        return Ok((Catalog::from_objects(1, objects), as_of));
    }
    // A new directory, or one from before there were privileges.
    let new = if objects.is_empty() { Catalog::initial_objects() } else { Catalog::privilege_objects(&objects) };
    for o in &new {
        txn.put(CATALOG_TREE, &pamir_catalog::store::key(o.kind(), o.oid()), &o.encode()?)?;
        for name in cx::names_of(o) {
            txn.put(CATALOG_TREE, &name.key(), &o.oid().to_be_bytes())?;
        }
    }
    let as_of = txn.commit()?;
    objects.extend(new);
    Ok((Catalog::from_objects(1, objects), as_of))
}

#[cfg(test)]
mod tests;
