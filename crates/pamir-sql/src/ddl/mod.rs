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
//! - [`cx`]: reading, locking and changing objects. - [`table`]: CREATE TABLE. - [`constraint`]: keys, checks, foreign keys. - [`index`]: CREATE INDEX,
//!   REINDEX and building trees. - [`alter`], [`rewrite`]: ALTER TABLE. - [`remove`]: DROP and its cascades. - [`truncate`], [`sequence`], [`role`],
//!   [`database`], [`comment`], [`analyze`]. - [`grant`]: privileges. - [`own`]: statements that the general parser does not know.
//!
//! Who may do what: [`crate::catalog::acl`]. Only an object's owner (or who has its owner's privileges) changes it.
use crate::catalog::{Catalog, Kind, Object, acl};
use crate::env::Env;
use pamir_txn::{CATALOG_TREE, Cancel, Dir, Shard, Txn, shard::Isolation};
use pamir_types::{Error, Oid, Result};
use sqlparser::ast::{self, ObjectType, Statement};
use std::collections::BTreeMap;
use std::sync::Arc;

mod absent;
mod alter;
mod analyze;
mod build;
mod column;
mod comment;
mod constraint;
mod cx;
mod database;
mod eval;
mod grant;
mod index;
pub mod options;
mod own;
mod remove;
mod rewrite;
mod role;
mod role_parse;
pub mod scram;
mod sequence;
mod table;
mod truncate;

pub use absent::{Absent, AbsentKind, DropAbsent};
pub use index::ReindexKind;
pub use own::{OwnStatement, execute_own, parse_own};
pub use table::{NewColumn, create_table_as, parameters};

/// What DDL works on. `catalog` is the transaction's private copy: replaced by the changed one.
pub struct DdlCtx<'a> {
    pub shard: &'a Arc<Shard>,
    pub txn: &'a Txn,
    pub catalog: &'a mut Arc<Catalog>,
    /// changed objects are remembered for publication
    pub changes: &'a mut Changes,
    pub env: &'a mut dyn Env,
    pub cancel: &'a Arc<Cancel>,
    pub text: &'a str,
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
        out.version = crate::catalog::store::private_version();
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
        CreateTable(c) => c.query.is_none(),
        CreateIndex(_)
        | AlterTable(_)
        | AlterIndex { .. }
        | CreateSequence { .. }
        | CreateSchema { .. }
        | AlterSchema(_)
        | CreateDatabase { .. } => true,
        Drop { .. } | Truncate(_) | Comment { .. } | Analyze(_) | Vacuum(_) => true,
        CreateView(_)
        | AlterView { .. }
        | CreateExtension(_)
        | DropExtension(_)
        | CreateType { .. }
        | AlterType(_)
        | CreateDomain(_)
        | DropDomain(_) => true,
        CreateFunction(_)
        | DropFunction(_)
        | CreateProcedure { .. }
        | DropProcedure { .. }
        | CreateTrigger(_)
        | DropTrigger(_) => true,
        CreatePolicy(_)
        | AlterPolicy(_)
        | DropPolicy(_)
        | CreateOperator(_)
        | CreateOperatorClass(_)
        | CreateOperatorFamily(_) => true,
        CreateServer(_) | CreateCollation(_) | CreateTextSearch(_) => true,
        _ => false,
    }
}

/// For statements that cannot run inside a transaction block (25001): the command's name.
pub fn forbidden_in_block(stmt: &Statement) -> Option<&'static str> {
    match stmt {
        Statement::CreateDatabase { .. } => Some("CREATE DATABASE"),
        Statement::Drop { object_type: ObjectType::Database, .. } => Some("DROP DATABASE"),
        Statement::Drop { object_type: ObjectType::Index, names, .. } if remove::concurrent_drop(names).is_some() => {
            Some("DROP INDEX CONCURRENTLY")
        }
        Statement::Vacuum(_) => Some("VACUUM"),
        Statement::CreateIndex(c) if c.concurrently => Some("CREATE INDEX CONCURRENTLY"),
        _ => None,
    }
}

/// Executes CREATE/ALTER/DROP/TRUNCATE/COMMENT/ANALYZE/VACUUM/... and returns the command tag (`CREATE TABLE`).
pub fn execute(stmt: &ast::Statement, cx: &mut DdlCtx) -> Result<String> {
    use Statement::*;
    if cx.txn.read_only() && !matches!(stmt, Analyze(_) | Vacuum(_)) {
        return Err(cx::read_only_error(stmt));
    }
    let tag = match stmt {
        CreateTable(c) => table::create(c, cx)?,
        CreateIndex(c) => index::create(c, cx)?,
        AlterTable(a) => alter::execute(a, cx)?,
        AlterIndex { name, operation: ast::AlterIndexOperation::RenameIndex { index_name } } => {
            alter::rename_index(name, index_name, false, cx)?
        }
        CreateSequence { temporary, if_not_exists, name, data_type, sequence_options, owned_by } => sequence::create(
            *temporary,
            *if_not_exists,
            name,
            data_type.as_ref(),
            sequence_options,
            owned_by.as_ref(),
            cx,
        )?,
        CreateSchema { schema_name, if_not_exists, .. } => database::create_schema(schema_name, *if_not_exists, cx)?,
        AlterSchema(a) => database::alter_schema(a, cx)?,
        CreateDatabase { db_name, if_not_exists, .. } => {
            database::create_database(db_name, *if_not_exists, None, None, &Default::default(), cx)?
        }
        Drop { object_type, if_exists, names, cascade, temporary: _, .. } => {
            remove::drop(*object_type, *if_exists, names, *cascade, cx)?
        }
        Truncate(t) => truncate::execute(t, cx)?,
        Comment { object_type, object_name, comment, .. } => {
            comment::execute(*object_type, object_name, comment.as_deref(), cx)?
        }
        Analyze(a) => analyze::statement(a.table_name.as_ref(), &a.columns, cx)?,
        Vacuum(v) => analyze::vacuum(v.table_name.as_ref(), cx)?,
        CreateView(v) => {
            return Err(Error::unsupported(if v.materialized { "CREATE MATERIALIZED VIEW" } else { "CREATE VIEW" }));
        }
        other => return Err(Error::unsupported(cx::command_name(other))),
    };
    Ok(tag.to_string())
}

/// An object's name from parts that are folded already.
fn object_name(parts: &[String]) -> ast::ObjectName {
    ast::ObjectName(
        parts.iter().map(|p| ast::ObjectNamePart::Identifier(ast::Ident::with_quote('"', p.as_str()))).collect(),
    )
}

/// ANALYZE [table [(columns)], ...]; no table: all of the database. Names are folded.
pub fn analyze_tables(tables: &[(Vec<String>, Vec<String>)], cx: &mut DdlCtx) -> Result<()> {
    if tables.is_empty() {
        return analyze::all(cx);
    }
    tables.iter().try_for_each(|(name, columns)| analyze::table_named(&object_name(name), columns, cx))
}
/// VACUUM [(ANALYZE)] [table [(columns)], ...].
pub fn vacuum(and_analyze: bool, tables: &[(Vec<String>, Vec<String>)], cx: &mut DdlCtx) -> Result<()> {
    for (name, _) in tables {
        analyze::vacuum(Some(&object_name(name)), cx)?;
    }
    if and_analyze { analyze_tables(tables, cx) } else { Ok(()) }
}
/// REINDEX; the name is folded.
pub fn reindex(kind: ReindexKind, name: &[String], cx: &mut DdlCtx) -> Result<String> {
    let name = object_name(name);
    Ok(index::reindex(kind, (!name.0.is_empty()).then_some(&name), cx)?.to_string())
}
/// COMMENT ON kind (lower case) name [ON table] IS text; names are folded.
pub fn comment_on(
    kind: &str,
    name: &[String],
    on: Option<&[String]>,
    text: Option<&str>,
    cx: &mut DdlCtx,
) -> Result<String> {
    use ast::CommentObject::*;
    let kind = match kind {
        "table" => Table,
        "column" => Column,
        "index" => Index,
        "sequence" => Sequence,
        "schema" => Schema,
        "database" => Database,
        "role" => Role,
        "view" => View,
        "constraint" => {
            let (Some(n), Some(t)) = (name.last(), on) else {
                return Err(Error::internal("COMMENT ON CONSTRAINT without its names"));
            };
            return Ok(comment::on_constraint(n, &object_name(t), text, cx)?.to_string());
        }
        other => return Err(Error::unsupported(format!("COMMENT ON {}", other.to_uppercase()))),
    };
    Ok(comment::execute(kind, &object_name(name), text, cx)?.to_string())
}

/// Loads the catalog at start; creates the initial one in a new shard.
pub fn load(shard: &Arc<Shard>) -> Result<Catalog> {
    let txn = shard.begin(Isolation::ReadCommitted, false, Arc::new(Cancel::default()));
    let snapshot = txn.statement();
    let mut objects = Vec::new();
    let mut scan = shard.scan(&txn, &snapshot, CATALOG_TREE, &[], None, Dir::Forward)?;
    while let Some((key, value)) = scan.next(shard, &txn)? {
        if key.first() != Some(&crate::catalog::store::NAME) {
            objects.push(Object::decode(key, value)?);
        }
    }
    let has_roles = objects.iter().any(|o| matches!(o, Object::Role(r) if r.oid == acl::predefined::DATABASE_OWNER));
    if has_roles {
        shard.rollback(txn);
        return Ok(Catalog::from_objects(1, objects));
    }
    // A new directory, or one from before there were privileges.
    let new = if objects.is_empty() { Catalog::initial_objects() } else { Catalog::privilege_objects(&objects) };
    for o in &new {
        shard.put(&txn, CATALOG_TREE, &crate::catalog::store::key(o.kind(), o.oid()), &o.encode()?)?;
        for name in cx::names_of(o) {
            shard.put(&txn, CATALOG_TREE, &name.key(), &o.oid().to_be_bytes())?;
        }
    }
    shard.commit(txn)?;
    objects.extend(new);
    Ok(Catalog::from_objects(1, objects))
}

#[cfg(test)]
mod tests;
