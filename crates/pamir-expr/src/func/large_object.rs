//! lo_creat, lo_open, loread and the others of PostgreSQL's large object interface (be-fsstubs.c), which clients call by OID.
//!
//! What they do with an object is [`crate::large_object`]'s. Who may: SELECT for what reads, SELECT and UPDATE for what opens one for writing, the owner's for what removes it; nobody is asked where lo_compat_privileges is
//! on. lo_import and lo_export are for superusers and members of pg_read_server_files and pg_write_server_files.
//!
//! Limits: a transaction that is READ ONLY writes none (25006), which PostgreSQL refuses from 16 on. INV_READ's snapshot is taken at lo_open, at READ COMMITTED not that of its statement: the
//! statement's own writes before it are seen.
use super::registry::funcs;
use super::*;
use crate::env::TxnInUse;
use crate::files::{self, CHUNK, ServerFile};
use crate::large_object::{DESCRIPTOR_BYTES, Object, absent};
use pamir_catalog::acl::{self, Mode, Who};
use pamir_catalog::large_object::{MAX_SIZE, Metadata, NEEDS_FORMAT};
use pamir_catalog::store::{Kind, key};
use pamir_txn::{CATALOG_TREE, RowLock, WaitPolicy};
use pamir_types::{bail, err, oid};

/// lo_open's flags (libpq-fs.h).
const INV_WRITE: i32 = 0x2_0000;
const INV_READ: i32 = 0x4_0000;
/// The space that the OIDs of all objects are from.
const OID_SPACE: u64 = 1;

funcs! {
    pub FUNCS {
        be_lo_creat (_ci env; _mode: Int4) => create(0, "lo_creat()", env).map(Datum::Oid);
        be_lo_create (_ci env; o: Oid) => create(*o, "lo_create()", env).map(Datum::Oid);
        be_lo_open (_ci env; o: Oid, mode: Int4) => open(*o, *mode, env).map(Datum::Int4);
        be_lo_close (_ci env; fd: Int4) => env.backend()?.large_objects()?.close(*fd).map(|()| Datum::Int4(0));
        be_loread (_ci env; fd: Int4, n: Int4) => read(*fd, *n, env);
        be_lowrite (_ci env; fd: Int4, b: Bytea) => write(*fd, b, env);
        be_lo_lseek (_ci env; fd: Int4, to: Int4, whence: Int4) => seek(*fd, i64::from(*to), *whence, env).and_then(|at| short(at, "lo_lseek", *fd));
        be_lo_lseek64 (_ci env; fd: Int4, to: Int8, whence: Int4) => seek(*fd, *to, *whence, env).map(Datum::Int8);
        be_lo_tell (_ci env; fd: Int4) => { let at = env.backend()?.large_objects()?.get(*fd)?.at; short(at, "lo_tell", *fd) };
        be_lo_tell64 (_ci env; fd: Int4) => env.backend()?.large_objects()?.get(*fd).map(|d| Datum::Int8(d.at));
        be_lo_truncate (_ci env; fd: Int4, n: Int4) => truncate(*fd, i64::from(*n), "lo_truncate()", env);
        be_lo_truncate64 (_ci env; fd: Int4, n: Int8) => truncate(*fd, *n, "lo_truncate64()", env);
        be_lo_unlink (_ci env; o: Oid) => unlink(*o, env);
        be_lo_from_bytea (_ci env; o: Oid, b: Bytea) => from_bytea(*o, b, env);
        be_lo_get (_ci env; o: Oid) => get(*o, 0, None, env);
        be_lo_get_fragment (_ci env; o: Oid, at: Int8, n: Int4) => get(*o, *at, Some(*n), env);
        be_lo_put (_ci env; o: Oid, at: Int8, b: Bytea) => put(*o, *at, b, env);
        be_lo_import (_ci env; path: Text) => import(path, 0, env);
        be_lo_import_with_oid (_ci env; path: Text, o: Oid) => import(path, *o, env);
        be_lo_export (_ci env; o: Oid, path: Text) => export(*o, path, env);
    }
}

/// The transaction, the database.
fn place(env: &mut dyn Env) -> Result<(TxnInUse, Oid)> {
    let txn =
        env.txn_begun().ok_or_else(|| pamir_types::Error::unsupported("large objects outside of a transaction"))?;
    Ok((txn, env.scope().database))
}
fn writable(what: &str, env: &mut dyn Env) -> Result<(TxnInUse, Oid)> {
    let (txn, database) = place(env)?;
    if txn.read_only() {
        bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {what} in a read-only transaction");
    }
    Ok((txn, database))
}
fn is_lax(env: &dyn Env) -> bool {
    env.setting("lo_compat_privileges").is_some_and(|v| v == "on")
}
fn may(m: &Metadata, mode: Mode, o: Oid, env: &dyn Env) -> Result<()> {
    if is_lax(env) || m.allows(&Who::of(env.catalog(), env.scope()), mode) {
        return Ok(());
    }
    bail!(INSUFFICIENT_PRIVILEGE, "permission denied for large object {o}")
}
/// lo_tell's and lo_lseek's result.
fn short(at: i64, what: &str, fd: i32) -> Result<Datum> {
    match i32::try_from(at) {
        Ok(at) => Ok(Datum::Int4(at)),
        Err(_) => {
            bail!(NUMERIC_VALUE_OUT_OF_RANGE, "{what} result out of range for large-object descriptor {fd}")
        }
    }
}

/// A new object of the current user's; 0: of a number that nobody has.
fn create(wanted: Oid, what: &str, env: &mut dyn Env) -> Result<Oid> {
    let (txn, database) = writable(what, env)?;
    let engine = env.engine()?.clone();
    if engine.format() < NEEDS_FORMAT {
        return Err(err!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "large objects need format {NEEDS_FORMAT} of the cluster, which has format {}",
            engine.format()
        )
        .hint(
            "They are possible when every node has the new build and the format has risen: see \"pamir cluster status\".",
        ));
    }
    let owner = env.scope().user;
    // Who drops the role waits, and finds it.
    txn.lock_row(CATALOG_TREE, &key(Kind::Role, owner), RowLock::KeyShare, WaitPolicy::Block)?;
    let mut oid = wanted;
    loop {
        if wanted == 0 {
            let id = engine.next_id(OID_SPACE)?.saturating_add(u64::from(oid::FIRST_USER));
            oid = Oid::try_from(id).map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "out of object identifiers"))?;
        }
        let object = Object::newest(&txn, database, oid);
        if object.is_free()? {
            object.put(&Metadata { owner, acl: None, comment: None })?;
            return Ok(oid);
        }
        if wanted != 0 {
            return Err(exists(oid));
        }
        work::charge(work::CALL as usize)?;
    }
}
fn exists(o: Oid) -> pamir_types::Error {
    let index = "pg_largeobject_metadata_oid_index";
    err!(UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"{index}\"")
        .detail(format!("Key (oid)=({o}) already exists."))
        .table("pg_catalog", "pg_largeobject_metadata")
        .constraint(index)
}
fn open(o: Oid, mode: i32, env: &mut dyn Env) -> Result<i32> {
    let writes = mode & INV_WRITE != 0;
    if mode & (INV_WRITE | INV_READ) == 0 {
        bail!(INVALID_PARAMETER_VALUE, "invalid flags for opening a large object: {mode}");
    }
    let (txn, database) = if writes { writable("lo_open(INV_WRITE)", env)? } else { place(env)? };
    let seen = match writes {
        true => {
            // It stays for as long as it is open.
            let m = Object::newest(&txn, database, o).claim(RowLock::KeyShare)?;
            may(&m, acl::SELECT, o, env)?;
            may(&m, acl::UPDATE, o, env)?;
            None
        }
        false => {
            let snapshot = txn.statement();
            readable(&Object::seen(&txn, database, o, snapshot.clone()), env)?;
            Some(snapshot)
        }
    };
    let held = env.engine()?.memory().hold(DESCRIPTOR_BYTES)?;
    Ok(env.backend()?.large_objects()?.open(o, writes, seen, held))
}
/// 42704 where it is not there, 42501 where it is not to be read.
fn readable(object: &Object, env: &dyn Env) -> Result<()> {
    let m = object.metadata()?.ok_or_else(|| absent(object.oid))?;
    may(&m, acl::SELECT, object.oid, env)
}
fn read(fd: i32, n: i32, env: &mut dyn Env) -> Result<Datum> {
    let (txn, database) = place(env)?;
    let d = env.backend()?.large_objects()?.get(fd)?;
    let bytes = Object::of(&txn, database, d).read(d.at, usize::try_from(n).unwrap_or(0))?;
    d.at += bytes.len() as i64;
    Ok(Datum::Bytea(bytes.into()))
}
fn not_for_writing(fd: i32) -> pamir_types::Error {
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "large object descriptor {fd} was not opened for writing")
}
fn write(fd: i32, b: &[u8], env: &mut dyn Env) -> Result<Datum> {
    let (txn, database) = writable("lowrite()", env)?;
    let d = env.backend()?.large_objects()?.get(fd)?;
    if !d.writes {
        return Err(not_for_writing(fd));
    }
    Object::of(&txn, database, d).write(d.at, b)?;
    d.at += b.len() as i64;
    Ok(Datum::Int4(b.len() as i32))
}
fn truncate(fd: i32, len: i64, what: &str, env: &mut dyn Env) -> Result<Datum> {
    let (txn, database) = writable(what, env)?;
    let d = env.backend()?.large_objects()?.get(fd)?;
    if !d.writes {
        return Err(not_for_writing(fd));
    }
    Object::of(&txn, database, d).truncate(len)?;
    Ok(Datum::Int4(0))
}
/// A place within what an object may have.
fn target(at: i64) -> Result<i64> {
    if (0..=MAX_SIZE).contains(&at) {
        return Ok(at);
    }
    bail!(INVALID_PARAMETER_VALUE, "invalid large object seek target: {at}")
}
fn seek(fd: i32, to: i64, whence: i32, env: &mut dyn Env) -> Result<i64> {
    let (txn, database) = place(env)?;
    let d = env.backend()?.large_objects()?.get(fd)?;
    let from = match whence {
        0 => 0,
        1 => d.at,
        2 => Object::of(&txn, database, d).size()?,
        _ => bail!(INVALID_PARAMETER_VALUE, "invalid whence setting: {whence}"),
    };
    d.at = target(from.wrapping_add(to))?;
    Ok(d.at)
}
fn unlink(o: Oid, env: &mut dyn Env) -> Result<Datum> {
    let (txn, database) = writable("lo_unlink()", env)?;
    let object = Object::newest(&txn, database, o);
    // Whoever may not is not to wait for those who have it open.
    let m = object.metadata()?.ok_or_else(|| absent(o))?;
    if !is_lax(env) && !Who::of(env.catalog(), env.scope()).has_role(m.owner) {
        bail!(INSUFFICIENT_PRIVILEGE, "must be owner of large object {o}");
    }
    env.backend()?.large_objects()?.forget(o);
    object.claim(RowLock::Update)?;
    object.remove()?;
    Ok(Datum::Int4(1))
}
fn from_bytea(o: Oid, b: &[u8], env: &mut dyn Env) -> Result<Datum> {
    let o = create(o, "lo_from_bytea()", env)?;
    let (txn, database) = place(env)?;
    Object::newest(&txn, database, o).write(0, b)?;
    Ok(Datum::Oid(o))
}
fn get(o: Oid, at: i64, n: Option<i32>, env: &mut dyn Env) -> Result<Datum> {
    if n.is_some_and(|n| n < 0) {
        bail!(INVALID_PARAMETER_VALUE, "requested length cannot be negative");
    }
    let (txn, database) = place(env)?;
    let object = Object::seen(&txn, database, o, txn.statement());
    readable(&object, env)?;
    let n = match n {
        Some(n) => i64::from(n),
        None => object.size()?.saturating_sub(at),
    };
    let bytes = object.read(target(at)?, usize::try_from(n).unwrap_or(0))?;
    Ok(Datum::Bytea(bytes.into()))
}
fn put(o: Oid, at: i64, b: &[u8], env: &mut dyn Env) -> Result<Datum> {
    let (txn, database) = writable("lo_put()", env)?;
    let object = Object::newest(&txn, database, o);
    let m = object.claim(RowLock::KeyShare)?;
    may(&m, acl::SELECT, o, env)?;
    may(&m, acl::UPDATE, o, env)?;
    object.write(target(at)?, b)?;
    Ok(Datum::text(""))
}

// ---- files of the server ----

fn may_use_files(write: bool, function: &str, env: &dyn Env) -> Result<()> {
    if files::may(&Who::of(env.catalog(), env.scope()), write).1 {
        return Ok(());
    }
    bail!(INSUFFICIENT_PRIVILEGE, "permission denied for function {function}")
}
fn import(path: &str, o: Oid, env: &mut dyn Env) -> Result<Datum> {
    may_use_files(false, "lo_import", env)?;
    writable("lo_import()", env).map(drop)?;
    let file = ServerFile::open(path, false, "lo_import")?
        .map_err(|e| files::failed(format!("could not open server file \"{path}\""), &e))?;
    let o = create(o, "lo_import()", env)?;
    let (txn, database) = place(env)?;
    let (object, mut at) = (Object::newest(&txn, database, o), 0);
    loop {
        let chunk = file.read()?.map_err(|e| files::failed(format!("could not read server file \"{path}\""), &e))?;
        if chunk.is_empty() {
            return Ok(Datum::Oid(o));
        }
        object.write(at, &chunk)?;
        at += chunk.len() as i64;
        env.check_cancel()?;
    }
}
fn export(o: Oid, path: &str, env: &mut dyn Env) -> Result<Datum> {
    may_use_files(true, "lo_export", env)?;
    let (txn, database) = place(env)?;
    let object = Object::seen(&txn, database, o, txn.statement());
    readable(&object, env)?;
    let file = ServerFile::open(path, true, "lo_export")?
        .map_err(|e| files::failed(format!("could not create server file \"{path}\""), &e))?;
    let mut at = 0;
    loop {
        let chunk = object.read(at, CHUNK)?;
        if chunk.is_empty() {
            return Ok(Datum::Int4(1));
        }
        at += chunk.len() as i64;
        file.write(chunk)?.map_err(|e| files::failed(format!("could not write server file \"{path}\""), &e))?;
        env.check_cancel()?;
    }
}
/// What is said of a large object, for obj_description.
pub(super) fn comment(o: Oid, class: Option<&str>, env: &dyn Env) -> Result<Option<String>> {
    if class.is_some_and(|c| c != "pg_largeobject") {
        return Ok(None);
    }
    let (Some(txn), database) = (env.txn(), env.scope().database) else { return Ok(None) };
    let object = Object::seen(&txn, database, o, txn.statement());
    Ok(object.metadata()?.and_then(|m| m.comment))
}
