//! ALTER TABLE, ALTER INDEX: each action in the order written, on a copy of the table's descriptor, then rows checked or rewritten once.
//!
//! Actions go in PostgreSQL's passes ([`pass`]): drops, type changes, additions, the rest. All changes of types are one: what USING says is bound, and computed, over the
//! table as it was, so that columns may be swapped. Other actions that need rows rewritten do so at once.
//!
//! - [`columns`]: ADD, DROP, RENAME COLUMN, defaults, NOT NULL. - [`types`]: ALTER COLUMN TYPE. - [`identity`]: identity columns and DROP EXPRESSION.
//! - [`storage`]: what is only kept. - [`constraints`]: keys, checks, foreign keys. - [`names`]: names, schemas, owners.
use super::{DdlCtx, matview, options, policy, remove, rename, rule, table, trigger, view};
use pamir_catalog::{Relation, Table};
use pamir_parse::tree::{
    self, AlterTable, ColumnRef, DropBehavior, Object, ObjectKind, QualifiedName, RowSecurity, TableConstraintKind,
};
use pamir_txn::TableLock;
use pamir_types::error::{Severity, state};
use pamir_types::{Error, Oid, Result, bail, err};

pub(super) use columns::take as take_column;
pub(super) use constraints::take as take_constraint;

/// A locked table's column takes its type's new name.
pub fn rename_typed(table: Oid, from: &str, to: &str, cx: &mut DdlCtx) -> Result<()> {
    columns::rename(table, from, to, cx)
}

mod columns;
mod constraints;
mod family;
mod identity;
mod names;
pub(super) mod partition;
pub(super) mod storage;
mod types;

pub(super) use columns::set_default;
pub(super) use names::{check_move, rename_relation, set_owner, set_schema};

/// The lock an action takes (PostgreSQL's AlterTableGetLockLevel, without the finer cases).
fn lock_of(c: &AlterTable) -> TableLock {
    match c {
        AlterTable::AddConstraint(c) if matches!(c.kind, TableConstraintKind::ForeignKey { .. }) => {
            TableLock::ShareRowExclusive
        }
        AlterTable::Trigger { .. } => TableLock::ShareRowExclusive,
        AlterTable::ValidateConstraint(_)
        | AlterTable::Options { .. }
        | AlterTable::SetStatistics { .. }
        | AlterTable::SetOptions { .. }
        | AlterTable::ClusterOn(_)
        | AlterTable::SetWithoutCluster => TableLock::ShareUpdateExclusive,
        _ => TableLock::AccessExclusive,
    }
}

/// ALTER TABLE and its kin, but for what is done to their names.
pub fn execute(
    kind: ObjectKind,
    name: &tree::Relation,
    if_exists: bool,
    commands: &[AlterTable],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    match kind {
        ObjectKind::Table => {
            alter_table(name, if_exists, commands, cx)?;
            Ok("ALTER TABLE")
        }
        ObjectKind::Index => {
            alter_index(&name.parts, if_exists, commands, cx)?;
            Ok("ALTER INDEX")
        }
        ObjectKind::Sequence => {
            alter_sequence(name, if_exists, commands, cx)?;
            Ok("ALTER SEQUENCE")
        }
        ObjectKind::View => {
            alter_view(name, if_exists, commands, cx)?;
            Ok("ALTER VIEW")
        }
        ObjectKind::MaterializedView => {
            if let Some(oid) = matview::open(&name.parts, if_exists, cx)? {
                matview::alter(oid, commands, cx)?;
            }
            Ok("ALTER MATERIALIZED VIEW")
        }
        other => Err(Error::unsupported(format!("ALTER {}", other.words()))),
    }
}
/// What a refusal calls an action (alter_table_type_to_string).
pub(super) fn called(c: &AlterTable) -> Option<&'static str> {
    use AlterTable as A;
    Some(match c {
        A::AddColumn { .. } => "ADD COLUMN",
        A::DropColumn { .. } => "DROP COLUMN",
        A::AddConstraint(_) => "ADD CONSTRAINT",
        A::DropConstraint { .. } => "DROP CONSTRAINT",
        A::AlterConstraint { .. } => "ALTER CONSTRAINT",
        A::ValidateConstraint(_) => "VALIDATE CONSTRAINT",
        A::SetDefault { .. } => "ALTER COLUMN ... SET DEFAULT",
        A::SetNotNull { not_null: true, .. } => "ALTER COLUMN ... SET NOT NULL",
        A::SetNotNull { not_null: false, .. } => "ALTER COLUMN ... DROP NOT NULL",
        A::DropExpression { .. } => "ALTER COLUMN ... DROP EXPRESSION",
        A::SetStatistics { .. } => "ALTER COLUMN ... SET STATISTICS",
        A::SetStorage { .. } => "ALTER COLUMN ... SET STORAGE",
        A::SetCompression { .. } => "ALTER COLUMN ... SET COMPRESSION",
        A::AddIdentity { .. } => "ALTER COLUMN ... ADD IDENTITY",
        A::AlterIdentity { .. } => "ALTER COLUMN ... SET",
        A::DropIdentity { .. } => "ALTER COLUMN ... DROP IDENTITY",
        A::Type { .. } => "ALTER COLUMN ... SET DATA TYPE",
        A::SetLogged(true) => "SET LOGGED",
        A::SetLogged(false) => "SET UNLOGGED",
        A::ClusterOn(_) => "CLUSTER ON",
        A::SetWithoutCluster => "SET WITHOUT CLUSTER",
        A::SetWithoutOids => "SET WITHOUT OIDS",
        A::Tablespace(_) => "SET TABLESPACE",
        A::AccessMethod(_) => "SET ACCESS METHOD",
        A::RowSecurity(RowSecurity::Enable) => "ENABLE ROW SECURITY",
        A::RowSecurity(RowSecurity::Disable) => "DISABLE ROW SECURITY",
        A::RowSecurity(RowSecurity::Force) => "FORCE ROW SECURITY",
        A::RowSecurity(RowSecurity::NoForce) => "NO FORCE ROW SECURITY",
        _ => return None,
    })
}
fn alter_view(name: &tree::Relation, if_exists: bool, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    let Some(oid) = open_any(&name.parts, if_exists, true, TableLock::AccessExclusive, cx)? else { return Ok(()) };
    view::alter(oid, commands, cx)
}
/// The table or view of a change of names; `view`: it must be one.
fn open_any(name: &[String], if_exists: bool, view: bool, lock: TableLock, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    match cx.resolve(name)? {
        Some(Relation::Table(t)) if t.view.is_some() => {
            cx.check_owner(t.owner, t.word(), &t.name)?;
            Ok(Some(cx.lock_table(t.oid, lock)?.oid))
        }
        Some(_) if view => {
            let (_, n) = cx.split(name)?;
            Err(err!(WRONG_OBJECT_TYPE, "\"{n}\" is not a view"))
        }
        _ => open(name, if_exists, lock, cx),
    }
}
fn alter_table(name: &tree::Relation, if_exists: bool, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    // What pg_dump writes for a sequence's owner.
    if let [AlterTable::Owner(_)] = commands
        && let Some(Relation::Sequence(_)) = cx.resolve(&name.parts)?
    {
        return alter_sequence(name, if_exists, commands, cx);
    }
    if let Some(Relation::Table(t)) = cx.resolve(&name.parts)?
        && t.view.is_some()
    {
        let Some(oid) = open_any(&name.parts, if_exists, false, TableLock::AccessExclusive, cx)? else {
            return Ok(());
        };
        return match t.plain_view() {
            Some(_) => view::alter(oid, commands, cx),
            None => matview::alter(oid, commands, cx),
        };
    }
    let lock = commands.iter().map(lock_of).max().unwrap_or(TableLock::AccessExclusive);
    let Some(oid) = open(&name.parts, if_exists, lock, cx)? else { return Ok(()) };
    in_passes(oid, name.only, commands, cx)
}
/// When an action's turn is (AT_PASS_...).
fn pass(c: &AlterTable) -> u8 {
    use AlterTable as A;
    match c {
        A::DropColumn { .. }
        | A::DropConstraint { .. }
        | A::DropIdentity { .. }
        | A::DropExpression { .. }
        | A::SetDefault { default: None, .. }
        | A::SetNotNull { not_null: false, .. } => 0,
        A::Type { .. } => 1,
        A::AddColumn { .. } => 2,
        A::SetNotNull { not_null: true, .. } => 3,
        A::AddConstraint(c) => match c.kind {
            TableConstraintKind::Check { .. } | TableConstraintKind::ForeignKey { .. } => 5,
            _ => 4,
        },
        A::SetDefault { .. } | A::AddIdentity { .. } => 5,
        _ => 6,
    }
}
fn in_passes(oid: Oid, only: bool, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    if let [c] = commands {
        return family::action(oid, only, c, cx);
    }
    if cx.catalog.table(oid).is_some_and(|t| t.declared.family.is_some()) {
        let mut all: Vec<&AlterTable> = commands.iter().collect();
        all.sort_by_key(|c| pass(c));
        return all.into_iter().try_for_each(|c| family::action(oid, only, c, cx));
    }
    let mut changes = Vec::new();
    for c in commands {
        if let AlterTable::Type { column, ty, collation, using, .. } = c {
            let t = current(oid, cx)?;
            let collation = collation.as_ref().map(|c| c.parts.as_slice());
            changes.push(types::prepare(&t, attnum(&t, column)?, ty, collation, using.as_ref(), cx)?);
        }
    }
    // Drops come first, but for columns that a change of types still reads.
    let read = |name: &str, cx: &DdlCtx| -> bool {
        let a = cx.catalog.table(oid).and_then(|t| t.column_by_name(name)).map(|c| c.attnum);
        a.is_some_and(|a| changes.iter().any(|c| c.attnum() != a && c.reads(a)))
    };
    let late = |c: &AlterTable, cx: &DdlCtx| matches!(c, AlterTable::DropColumn { name, .. } if read(name, cx));
    let (late, mut others): (Vec<_>, Vec<_>) = commands.iter().partition(|c| late(c, cx));
    others.sort_by_key(|c| pass(c));
    let (first, rest) = others.split_at(others.partition_point(|c| pass(c) < 1));
    for c in first {
        family::action(oid, only, c, cx)?;
    }
    if !changes.is_empty() {
        types::apply(oid, changes, cx)?;
    }
    for c in late.into_iter().chain(rest.iter().copied().filter(|c| pass(c) > 1)) {
        family::action(oid, only, c, cx)?;
    }
    Ok(())
}
/// What is not a sequence's options, which are told apart by the grammar.
fn alter_sequence(name: &tree::Relation, if_exists: bool, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    let [AlterTable::Owner(to)] = commands else { return Err(Error::unsupported("this ALTER SEQUENCE")) };
    if if_exists && cx.resolve(&name.parts)?.is_none() {
        return skip(&name.parts, cx);
    }
    let name = QualifiedName { parts: name.parts.clone(), at: name.at };
    rename::owner(&Object::Named(ObjectKind::Sequence, name), to, cx)?;
    Ok(())
}
fn alter_index(name: &[String], if_exists: bool, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    if if_exists && cx.resolve(name)?.is_none() {
        return skip(name, cx);
    }
    let (t, index) = remove::find_index(name, cx)?;
    for c in commands {
        match c {
            AlterTable::Options { options, reset } => {
                let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
                set_parameters(t.oid, index, &options::settings(options), *reset, cx)?;
            }
            AlterTable::Tablespace(n) => table::tablespace(Some(n))?,
            AlterTable::AttachPartition { partition: part, .. } => {
                let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
                partition::attach_index(t.oid, index, part, cx)?;
            }
            AlterTable::Owner(to) => not_of_index(t.owner, index, to, cx)?,
            _ => return Err(Error::unsupported("this ALTER INDEX")),
        }
    }
    Ok(())
}

/// ALTER INDEX ... OWNER TO, which old dumps have: an index is its table's owner's, and stays so.
fn not_of_index(owner: Oid, index: Oid, to: &tree::RoleSpec, cx: &mut DdlCtx) -> Result<()> {
    if cx.owner_from(to)? == owner {
        return Ok(());
    }
    let name = cx.catalog.index_table(index).and_then(|t| t.index(index)).map_or_else(String::new, |i| i.name.clone());
    let hint = "Change the ownership of the index's table, instead.";
    let text = format!("cannot change owner of index \"{name}\"");
    cx.env.notice(super::cx::notice(state::WRONG_OBJECT_TYPE, text).severity(Severity::Warning).hint(hint));
    Ok(())
}
/// Locks the table of ALTER TABLE; None when IF EXISTS met nothing. Sequences and indexes are reached through ALTER TABLE only to be renamed or owned.
fn open(name: &[String], if_exists: bool, lock: TableLock, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    match cx.resolve(name)? {
        None if if_exists => {
            skip(name, cx)?;
            Ok(None)
        }
        Some(Relation::Index(..) | Relation::Sequence(_)) => {
            let (_, n) = cx.split(name)?;
            Err(err!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table, composite type, or foreign table"))
        }
        _ => {
            let t = cx.open_table(name, lock)?;
            cx.check_idle(&t, "ALTER TABLE")?;
            Ok(Some(t.oid))
        }
    }
}
/// CLUSTER of one table, or of all that were clustered before.
pub fn cluster(c: &tree::Cluster, cx: &mut DdlCtx) -> Result<&'static str> {
    for o in &c.options {
        match o.name.as_str() {
            "verbose" => drop(super::def::boolean(o)?),
            n => return Err(super::def::wrong(err!(SYNTAX_ERROR, "unrecognized CLUSTER option \"{n}\""), o, cx)),
        }
    }
    if let Some(table) = &c.table
        && let Some(oid) = open(&table.parts, false, TableLock::AccessExclusive, cx)?
    {
        storage::cluster(&current(oid, cx)?, c.index.as_deref(), cx)?;
    }
    Ok("CLUSTER")
}
/// What IF EXISTS says of a relation that is not there.
fn skip(name: &[String], cx: &mut DdlCtx) -> Result<()> {
    let (_, n) = cx.split(name)?;
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("relation \"{n}\" does not exist, skipping"));
    Ok(())
}
/// The table as it is now, for another action to change.
fn current(oid: Oid, cx: &DdlCtx) -> Result<Table> {
    cx.catalog.table(oid).map(|t| (**t).clone()).ok_or_else(|| Error::internal("table vanished under its lock"))
}
fn no_column(t: &Table, n: &str) -> Error {
    err!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", t.name)
}
fn attnum(t: &Table, n: &str) -> Result<i16> {
    t.column_by_name(n).map(|c| c.attnum).ok_or_else(|| no_column(t, n))
}
fn cascades(b: &DropBehavior) -> bool {
    *b == DropBehavior::Cascade
}

pub(super) fn action(oid: Oid, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    use AlterTable as A;
    match c {
        A::AddColumn { if_not_exists, column } => columns::add(oid, column, *if_not_exists, cx),
        A::DropColumn { name, if_exists, behavior } => columns::drop(oid, name, *if_exists, cascades(behavior), cx),
        A::SetDefault { column, default } => columns::set_default(oid, column, default.as_ref(), cx),
        A::SetNotNull { column, not_null } => columns::set_not_null(oid, column, *not_null, cx),
        A::Type { column, ty, collation, using, .. } => {
            let t = current(oid, cx)?;
            let collation = collation.as_ref().map(|c| c.parts.as_slice());
            let change = types::prepare(&t, attnum(&t, column)?, ty, collation, using.as_ref(), cx)?;
            types::apply(oid, vec![change], cx)
        }
        A::AddIdentity { column, always, options } => identity::add(oid, column, *always, options, cx),
        A::AlterIdentity { column, options } => identity::alter(oid, column, options, cx),
        A::DropIdentity { column, if_exists } => identity::drop(oid, column, *if_exists, cx),
        A::DropExpression { column, if_exists } => identity::drop_expression(oid, column, *if_exists, cx),
        A::AddConstraint(c) => constraints::add(oid, c, cx),
        A::DropConstraint { name, if_exists, behavior } => {
            constraints::drop(oid, name, *if_exists, cascades(behavior), cx)
        }
        A::AlterConstraint { name, attributes } => constraints::alter(oid, name, *attributes, cx),
        A::ValidateConstraint(name) => constraints::validate(oid, name, cx),
        A::Owner(to) => {
            let owner = cx.owner_from(to)?;
            names::set_owner(oid, owner, cx)
        }
        A::Trigger { which, mode } => trigger::enable(oid, which, *mode, true, cx),
        A::Options { options, reset } => set_parameters(oid, oid, &options::settings(options), *reset, cx),
        A::AccessMethod(n) => table::access_method(Some(n)),
        A::Tablespace(n) => table::tablespace(Some(n)),
        A::ClusterOn(index) => storage::cluster_on(oid, Some(index), cx),
        A::SetWithoutCluster => storage::cluster_on(oid, None, cx),
        A::SetStatistics { column: ColumnRef::Named(column), target } => {
            storage::set_statistics(oid, column, *target, cx)
        }
        A::SetStatistics { column: ColumnRef::Number(_), .. } => {
            bail!(FEATURE_NOT_SUPPORTED, "cannot refer to non-index column by number")
        }
        A::SetStorage { column, storage } => storage::set_storage(oid, column, storage, cx),
        A::SetCompression { column, method } => storage::set_compression(oid, column, method, cx),
        A::SetOptions { column, options, reset } => storage::set_options(oid, column, options, *reset, cx),
        A::SetLogged(logged) => storage::set_logged(oid, *logged, cx),
        A::ReplicaIdentity(r) => storage::replica_identity(oid, r, cx),
        A::SetWithoutOids => Ok(()),
        A::RowSecurity(how) => policy::secure(oid, *how, cx),
        A::Rule { name, mode } => rule::enable(oid, name, *mode, cx),
        A::AttachPartition { partition: name, bound: Some(bound) } => partition::attach(oid, name, bound, cx),
        A::DetachPartition { partition: name, concurrently, .. } => partition::detach(oid, name, *concurrently, cx),
        other => Err(Error::unsupported(feature(other))),
    }
}
/// What an action that no table has yet is called.
fn feature(c: &AlterTable) -> &'static str {
    use AlterTable as A;
    match c {
        A::ForeignOptions(_) | A::ColumnForeignOptions { .. } => "ALTER TABLE ... OPTIONS",
        _ => "this ALTER TABLE",
    }
}
/// RENAME COLUMN and RENAME CONSTRAINT.
pub fn rename_part(
    table: &[String],
    (if_exists, only): (bool, bool),
    part: ObjectKind,
    from: &str,
    to: &str,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    if let Some(oid) = open_any(table, if_exists, false, TableLock::AccessExclusive, cx)? {
        match part {
            ObjectKind::Constraint => family::rename_constraint(oid, only, from, to, cx)?,
            _ => family::rename_column(oid, only, from, to, cx)?,
        }
    }
    Ok("ALTER TABLE")
}

/// SET (...) and RESET (...) of a table or one of its indexes.
fn set_parameters(
    table: Oid,
    relation: Oid,
    settings: &[options::Setting],
    reset: bool,
    cx: &mut DdlCtx,
) -> Result<()> {
    let mut t = current(table, cx)?;
    let of = match t.index(relation) {
        None => options::Of::Table,
        Some(i) => i.method.into(),
    };
    options::change(&mut t.declared.options, relation, of, settings, reset)?;
    cx.put_table(t)?;
    Ok(())
}
