//! Functions about the session and the server: sequences, settings, identity, sizes, signals, privileges, visibility.
//!
//! has_*_privilege are [`super::privilege`]'s. Advisory locks are table locks on numbers that no table has.
use super::registry::{OWN_OIDS, OwnRow, STABLE, STRICT, VOLATILE, bad_args, func_body, funcs};
use super::string::text;
use super::*;
use pamir_catalog::acl::ObjectKind;
use pamir_catalog::text_search::What;
use pamir_catalog::{Relation, defs, policy, well_known};
use pamir_txn::shard::LockOutcome;
use pamir_txn::{LockTarget, TableLock, WaitPolicy};
use pamir_types::array::Array;
use pamir_types::encoding::Encoding;
use pamir_types::network::Inet;
use pamir_types::numeric::Numeric;
use pamir_types::{bail, err, oid};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// Bytes of a storage page, for pg_relation_size.
const PAGE_SIZE: u64 = pamir_storage::store::PAGE_SIZE as u64;
/// uuid_generate_v4's OID.
pub const UUID_V4: Oid = OWN_OIDS + 90;
/// nextval()'s OID.
pub const NEXTVAL: Oid = 1574;
/// nextval() of an identity column, whose sequence is nobody's to be granted: no privilege is asked for. No name that a client sends holds a zero.
pub const IDENTITY_NEXTVAL: &str = "nextval\0";
/// The place that WHERE CURRENT OF looks at.
pub const CURRENT_OF: &str = "current_of\0";

fn not_a_trigger(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let code = pamir_types::SqlState::new("39P01");
    Err(pamir_types::Error::new(code, "suppress_redundant_updates_trigger: must be called as trigger"))
}
fn not_fired(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Err(pamir_types::Error::internal("tsvector_update_trigger: not fired by trigger manager"))
}
pub static OWN: &[OwnRow] = &[
    // The executor runs it where it is a trigger's.
    OwnRow {
        oid: 1291,
        name: "suppress_redundant_updates_trigger",
        args: &[],
        ret: oid::TRIGGER,
        flags: STRICT | VOLATILE,
        body: Body::scalar(not_a_trigger),
    },
    OwnRow {
        oid: defs::TSVECTOR_UPDATE,
        name: "tsvector_update_trigger",
        args: &[],
        ret: oid::TRIGGER,
        flags: VOLATILE,
        body: Body::scalar(not_fired),
    },
    OwnRow {
        oid: defs::TSVECTOR_UPDATE_COLUMN,
        name: "tsvector_update_trigger_column",
        args: &[],
        ret: oid::TRIGGER,
        flags: VOLATILE,
        body: Body::scalar(not_fired),
    },
    // Of the extension uuid-ossp.
    OwnRow {
        oid: UUID_V4,
        name: "uuid_generate_v4",
        args: &[],
        ret: oid::UUID,
        flags: STRICT | VOLATILE,
        body: func_body!(uuid_generate_v4 (_ci env;) => random_uuid(env)),
    },
    OwnRow {
        oid: OWN_OIDS + 72,
        name: IDENTITY_NEXTVAL,
        args: &[oid::REGCLASS],
        ret: oid::INT8,
        flags: STRICT | VOLATILE,
        body: func_body!(nextval (_ci env; s: Oid) => env.nextval(*s, false).map(Datum::Int8)),
    },
    // WHERE CURRENT OF: the cursor, the table and its name.
    OwnRow {
        oid: OWN_OIDS + 291,
        name: CURRENT_OF,
        args: &[oid::TEXT, oid::OID, oid::TEXT],
        ret: oid::TID,
        flags: STRICT | STABLE,
        body: func_body!(current_of (_ci env; cursor: Text, table: Oid, name: Text) => current_of(cursor, *table, name, env)),
    },
    OwnRow {
        oid: OWN_OIDS + 30,
        name: "current_role",
        args: &[],
        ret: oid::NAME,
        flags: STRICT | STABLE,
        body: func_body!(current_role (_ci env;) -> env.current_user()),
    },
    OwnRow {
        oid: OWN_OIDS + 31,
        name: "user",
        args: &[],
        ret: oid::NAME,
        flags: STRICT | STABLE,
        body: func_body!(user (_ci env;) -> env.current_user()),
    },
    OwnRow {
        oid: OWN_OIDS + 32,
        name: "current_catalog",
        args: &[],
        ret: oid::NAME,
        flags: STRICT | STABLE,
        body: func_body!(current_catalog (_ci env;) -> env.database()),
    },
];

fn name_array(v: Vec<Datum>) -> Datum {
    Datum::Array(Arc::new(Array::from_vec(oid::NAME, v)))
}
fn unknown_setting(name: &str) -> pamir_types::Error {
    err!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
}
fn current_of(cursor: &str, table: Oid, name: &str, env: &mut dyn Env) -> Result<Datum> {
    match env.backend()?.cursors().iter().find(|c| c.0 == cursor) {
        Some(c) => c.1.place(cursor, table, name),
        None => Err(err!(INVALID_CURSOR_NAME, "cursor \"{cursor}\" does not exist")),
    }
}
fn current_setting(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Text(n)] | [Datum::Text(n), Datum::Bool(false)] => {
            env.setting(n).map(Datum::from).ok_or_else(|| unknown_setting(n))
        }
        [Datum::Text(n), Datum::Bool(true)] => Ok(env.setting(n).into()),
        _ => Err(bad_args("current_setting", args)),
    }
}
fn set_config(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [n, v, l] = args else { return Err(bad_args("set_config", args)) };
    let Datum::Text(n) = n else { bail!(NULL_VALUE_NOT_ALLOWED, "SET requires parameter name") };
    let v = match v {
        Datum::Text(v) => v.to_string(),
        _ => String::new(),
    };
    env.backend()?.set_setting(n, &v, matches!(l, Datum::Bool(true)))?;
    Ok(env.setting(n).into())
}
fn session_schemas(implicit: bool, env: &mut dyn Env) -> Vec<Datum> {
    let scope = env.scope();
    let mut out: Vec<Datum> = Vec::new();
    let temporary = env.catalog().temporary_schema();
    let is_temporary = |s: &str| s == pamir_catalog::temporary::ALIAS || temporary.is_some_and(|t| t.name == s);
    if let Some(t) = temporary
        && implicit
        && !scope.search_path.iter().any(|s| is_temporary(s))
    {
        out.push(text(&t.name));
    }
    if implicit && !scope.search_path.iter().any(|s| s == "pg_catalog") {
        out.push(text("pg_catalog"));
    }
    for s in &scope.search_path {
        let usable = |s: &pamir_catalog::Schema| env.catalog().may_use_schema(scope, s.oid);
        if is_temporary(s) {
            out.extend(temporary.map(|t| text(&t.name)));
        } else if s == "pg_catalog" || env.catalog().schema_by_name(scope.database, s).is_some_and(usable) {
            out.push(text(s));
        }
    }
    out
}
fn sequence(oid_: Oid, env: &mut dyn Env) -> Result<Oid> {
    if env.catalog().sequence(oid_).is_some() {
        return Ok(oid_);
    }
    match env.catalog().display_name(env.scope(), oid_) {
        Some(n) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a sequence"),
        None => bail!(UNDEFINED_TABLE, "could not open relation with OID {oid_}"),
    }
}
fn setval(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (seq, v, called) = match args {
        [Datum::Oid(s), Datum::Int8(v)] => (*s, *v, true),
        [Datum::Oid(s), Datum::Int8(v), Datum::Bool(c)] => (*s, *v, *c),
        _ => return Err(bad_args("setval", args)),
    };
    let seq = sequence(seq, env)?;
    env.backend()?.setval(seq, v, called)?;
    Ok(Datum::Int8(v))
}
/// Whether a database other than the session's may be asked about; only existence is checked.
fn relation_pages(o: Oid, indexes: bool, table: bool, env: &mut dyn Env) -> Result<Option<i64>> {
    let catalog = env.catalog().clone();
    let engine = env.engine()?.clone();
    let mut bytes = 0u64;
    let add = |tree: u64, bytes: &mut u64| -> Result<()> {
        *bytes += engine.tree_size(pamir_txn::TreeId(tree))?.0 * PAGE_SIZE;
        Ok(())
    };
    if let Some(t) = catalog.table(o) {
        if table {
            add(t.tree, &mut bytes)?;
        }
        if indexes {
            for i in t.indexes.iter().filter(|i| i.tree != t.tree) {
                add(i.tree, &mut bytes)?;
            }
        }
        return Ok(Some(bytes as i64));
    }
    if catalog.sequence(o).is_some() {
        return Ok(Some(PAGE_SIZE as i64));
    }
    for t in catalog.tables(env.scope().database) {
        if let Some(i) = t.index(o) {
            add(i.tree, &mut bytes)?;
            return Ok(Some(bytes as i64));
        }
    }
    Ok(pamir_catalog::system::all().iter().any(|v| v.oid == o).then_some(0))
}
fn database_size(db: Oid, env: &mut dyn Env) -> Result<Datum> {
    let catalog = env.catalog().clone();
    let engine = env.engine()?.clone();
    let mut pages = 0u64;
    for t in catalog.tables(db) {
        pages += engine.tree_size(t.tree())?.0;
        for i in t.indexes.iter().filter(|i| i.tree != t.tree) {
            pages += engine.tree_size(pamir_txn::TreeId(i.tree))?.0;
        }
    }
    Ok(Datum::Int8((pages * PAGE_SIZE) as i64))
}
fn database_named(n: &str, env: &mut dyn Env) -> Result<Oid> {
    let catalog = env.catalog().clone();
    match catalog.database_by_name(n) {
        Some(d) => Ok(d.oid),
        None => bail!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist"),
    }
}
/// pg_size_pretty: units change at 10 times their size, rounding half up.
fn size_pretty(size: i64) -> String {
    let units = [
        ("bytes", 10 * 1024, false, 0),
        ("kB", 20 * 1024 - 1, true, 9),
        ("MB", 20 * 1024 - 1, true, 10),
        ("GB", 20 * 1024 - 1, true, 10),
        ("TB", 20 * 1024 - 1, true, 10),
        ("PB", 20 * 1024 - 1, true, 10),
    ];
    let mut v = size;
    for (i, (unit, limit, round, _)) in units.iter().enumerate() {
        let last = i + 1 == units.len();
        if last || v.unsigned_abs() < *limit as u64 {
            let v = if *round { half_rounded(v) } else { v };
            return format!("{v} {unit}");
        }
        // One bit stays for rounding at the unit that is printed.
        let next_round = units.get(i + 1).is_some_and(|u| u.2);
        let bits = match (next_round, round) {
            (true, false) => 9,
            (false, true) => 11,
            _ => 10,
        };
        v /= 1 << bits;
    }
    format!("{size} bytes")
}
fn half_rounded(v: i64) -> i64 {
    if v > 0 { (v + 1) / 2 } else { (v - 1) / 2 }
}
fn numeric_pretty(v: &Numeric) -> Result<String> {
    let whole = v.round(0);
    let s = match whole.to_i64() {
        Ok(n) if v.scale() == 0 || n.unsigned_abs() >= 10 * 1024 => size_pretty(n),
        Ok(_) => format!("{v} bytes"),
        Err(_) => {
            // As size_pretty: cut to half units, then rounded.
            let halves = whole.div_trunc(&Numeric::from_i64(1 << 49))?;
            let away = Numeric::from_i64(if halves.sign() < 0 { -1 } else { 1 });
            let pb = halves.add(&away).div_trunc(&Numeric::from_i64(2))?;
            format!("{pb} PB")
        }
    };
    Ok(s)
}
fn size_bytes(s: &str) -> Result<Datum> {
    let invalid = || err!(INVALID_PARAMETER_VALUE, "invalid size: \"{s}\"");
    let t = s.trim();
    let end = t.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(t.len());
    let (num, unit) = (t.get(..end).unwrap_or("").trim(), t.get(end..).unwrap_or("").trim());
    let n = Numeric::parse(num).map_err(|_| invalid())?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "bytes" => 0,
        "kb" => 10,
        "mb" => 20,
        "gb" => 30,
        "tb" => 40,
        "pb" => 50,
        _ => {
            return Err(invalid()
                .detail(format!("Invalid size unit: \"{unit}\"."))
                .hint("Valid units are \"bytes\", \"kB\", \"MB\", \"GB\", \"TB\", and \"PB\"."));
        }
    };
    n.mul(&Numeric::from_i64(1 << shift)).to_i64().map(Datum::Int8)
}
fn is_visible(o: Oid, env: &mut dyn Env) -> Datum {
    let catalog = env.catalog();
    let scope = env.scope();
    let named = |name: &str| match catalog.resolve_unqualified(scope, name) {
        Some(Relation::Table(t)) => t.oid == o,
        Some(Relation::Sequence(s)) => s.oid == o,
        Some(Relation::Index(_, i)) => i == o,
        Some(Relation::Virtual(v)) => v.oid == o,
        None => false,
    };
    if let Some(t) = catalog.table(o) {
        return Datum::Bool(named(&t.name));
    }
    if let Some(t) = catalog.composite_by_relation(o) {
        return Datum::Bool(catalog.type_is_visible(scope, t.oid) == Some(true));
    }
    if let Some(s) = catalog.sequence(o) {
        return Datum::Bool(named(&s.name));
    }
    if let Some(v) = pamir_catalog::system::all().iter().find(|v| v.oid == o) {
        return Datum::Bool(named(v.name));
    }
    for t in catalog.tables(scope.database) {
        if let Some(i) = t.index(o) {
            return Datum::Bool(named(&i.name));
        }
    }
    Datum::Null
}
/// The lock number of an advisory key: above every OID, mixed so that neighbouring keys do not share locks. `two` tells (int4, int4) keys apart.
///
/// Two keys out of 2^64 share one: they are then in each other's way, which harms nobody but whoever waits.
fn advisory_number(key: i64, two: bool, database: Oid) -> u64 {
    let mut z = (key as u64) ^ if two { 0x9e37_79b9_7f4a_7c15 } else { 0 };
    z ^= u64::from(database).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) | 1 << 63
}
fn advisory_key(args: &[Datum], env: &dyn Env) -> Result<AdvisoryKey> {
    let database = env.scope().database;
    let (key, two) = match args {
        [Datum::Int8(k)] => (*k, false),
        [Datum::Int4(a), Datum::Int4(b)] => (i64::from(*a) << 32 | i64::from(*b as u32), true),
        _ => return Err(bad_args("pg_advisory_lock", args)),
    };
    Ok(AdvisoryKey { database, key, two })
}
/// What an advisory lock is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdvisoryKey {
    pub database: Oid,
    /// The bigint, or both integers.
    pub key: i64,
    pub two: bool,
}
impl AdvisoryKey {
    fn number(&self) -> u64 {
        advisory_number(self.key, self.two, self.database)
    }
}
/// Lock numbers do not tell their keys; pg_locks does.
#[derive(Default)]
struct Keys {
    of: FxHashMap<u64, AdvisoryKey>,
    /// How many there may be before those that nobody holds or wants any more go: twice what was left then, so that a look at all locks is paid by as many new keys.
    look_at: usize,
}
fn keys() -> &'static Mutex<Keys> {
    static KEYS: OnceLock<Mutex<Keys>> = OnceLock::new();
    KEYS.get_or_init(Mutex::default)
}
/// So many keys are kept without a look.
const KEYS_KEPT: usize = 1 << 16;
/// The key behind a lock's number.
pub fn advisory_of(number: u64) -> Option<AdvisoryKey> {
    keys().lock().of.get(&number).copied()
}
/// The number of a lock that is about to be taken.
fn advisory_lock(args: &[Datum], env: &mut dyn Env) -> Result<u64> {
    let key = advisory_key(args, env)?;
    let number = key.number();
    let full = {
        let mut keys = keys().lock();
        keys.of.insert(number, key);
        keys.of.len() > keys.look_at.max(KEYS_KEPT)
    };
    if full {
        let mut used: FxHashSet<u64> = (env.engine()?.locks().iter())
            .filter_map(|l| if let LockTarget::Table(n) = l.on { Some(n) } else { None })
            .collect();
        used.insert(number);
        let mut keys = keys().lock();
        keys.of.retain(|n, _| used.contains(n));
        keys.look_at = 2 * keys.of.len();
    }
    Ok(number)
}
/// pg_[try_]advisory_lock[_shared]
fn session_lock(args: &[Datum], mode: TableLock, policy: WaitPolicy, env: &mut dyn Env) -> Result<bool> {
    let number = advisory_lock(args, env)?;
    Ok(env.backend()?.lock(number, mode, policy)? == LockOutcome::Granted)
}
/// pg_advisory_unlock[_shared]
fn session_unlock(args: &[Datum], mode: TableLock, env: &mut dyn Env) -> Result<Datum> {
    let number = advisory_key(args, env)?.number();
    let held = env.backend()?.unlock(number, mode);
    if !held {
        let warning = err!(WARNING, "you don't own a lock of type {}", mode.name());
        env.notice(warning.severity(pamir_types::error::Severity::Warning));
    }
    Ok(Datum::Bool(held))
}
/// pg_[try_]advisory_xact_lock[_shared]
fn advisory(args: &[Datum], mode: TableLock, policy: WaitPolicy, env: &mut dyn Env) -> Result<bool> {
    let number = advisory_lock(args, env)?;
    let Some(txn) = env.txn_begun() else {
        return Err(pamir_types::Error::unsupported("advisory locks outside a transaction"));
    };
    Ok(txn.lock_table(number, mode, policy)? == LockOutcome::Granted)
}
fn random_uuid(env: &mut dyn Env) -> Result<Datum> {
    let mut b = [0u8; 16];
    env.random_bytes(&mut b)?;
    b[6] = b[6] & 0x0f | 0x40;
    b[8] = b[8] & 0x3f | 0x80;
    Ok(Datum::Uuid(b))
}
fn yes(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Ok(Datum::Bool(true))
}
/// Do policies leave rows of a table out for the user?
fn row_security_active(table: Oid, env: &dyn Env) -> bool {
    let t = env.catalog().table(table);
    t.is_some_and(|t| policy::active(env.catalog(), t, env.scope().user) != policy::Active::No)
}
fn row_security_active_named(name: &str, env: &dyn Env) -> Result<Datum> {
    let mut parts = defs::split_name(name).ok_or_else(|| err!(INVALID_NAME, "invalid name syntax"))?;
    let table = parts.pop().unwrap_or_default();
    let found = env.catalog().resolve_relation(env.scope(), parts.pop().as_deref(), &table)?;
    Ok(Datum::Bool(row_security_active(found.oid(), env)))
}
fn no(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Ok(Datum::Bool(false))
}
pub fn null(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Ok(Datum::Null)
}
fn nulls(args: &[Datum], null: bool) -> Result<Datum> {
    Ok(Datum::Int4(args.iter().filter(|a| a.is_null() == null).count() as i32))
}
/// The bytes a value takes as PostgreSQL would store it, headers included.
fn column_size(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [d] = args else { return Err(bad_args("pg_column_size", args)) };
    let _ = &env;
    let varlena = |n: usize| if n < 127 { n + 1 } else { n + 4 };
    Ok(Datum::Int4(match d {
        Datum::Null => return Ok(Datum::Null),
        Datum::Bool(_) | Datum::Char(_) => 1,
        Datum::Int2(_) => 2,
        Datum::Int4(_) | Datum::Float4(_) | Datum::Date(_) | Datum::Oid(_) => 4,
        Datum::Int8(_) | Datum::Float8(_) | Datum::Time(_) | Datum::Timestamp(_) | Datum::TimestampTz(_) => 8,
        Datum::TimeTz(..) => 12,
        Datum::Interval(_) | Datum::Uuid(_) => 16,
        Datum::Text(s) => varlena(s.len()) as i32,
        Datum::Bytea(b) => varlena(b.len()) as i32,
        d => {
            let mut out = Vec::new();
            pamir_types::row::encode_value(d, string::arg_type(ci, 0), &mut out)?;
            varlena(out.len()) as i32
        }
    }))
}
/// When the oldest session began.
fn started(env: &mut dyn Env) -> Result<Datum> {
    let oldest = env.backend()?.activity().iter().map(|a| a.backend_start).min();
    Ok(oldest.map_or(Datum::Null, Datum::TimestampTz))
}
/// Where the log ends, as pg_lsn: a byte's place in it.
fn log_place(env: &mut dyn Env) -> Result<Datum> {
    let b = env.backend()?;
    if b.cluster().is_some_and(|c| c.in_recovery()) {
        let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "recovery is in progress");
        return Err(e.hint("WAL control functions cannot be executed during recovery."));
    }
    let lsn =
        b.log_durable().ok_or_else(|| pamir_types::Error::unsupported("a place in a log that is another node's"))?;
    Ok(Datum::Bytea(lsn.to_be_bytes().as_slice().into()))
}
/// Who is at the other end of this session.
fn peer(env: &mut dyn Env) -> Result<Option<crate::env::Peer>> {
    let b = env.backend()?;
    let pid = b.pid();
    Ok(b.activity().into_iter().find(|a| a.pid == pid).and_then(|a| a.client))
}
/// An address as inet; NULL for what is none, or stands for all.
pub fn address(host: &str) -> Datum {
    match host.parse::<std::net::IpAddr>() {
        Ok(ip) if !ip.is_unspecified() => {
            Inet::parse(host, oid::INET).map_or(Datum::Null, |a| Datum::Bytea(a.pack().as_slice().into()))
        }
        _ => Datum::Null,
    }
}
/// txid_current() and its like give bigint, pg_current_xact_id() and its like xid8.
fn as_number(ci: &CallInfo, v: i64) -> Datum {
    match ci.ret.oid {
        oid::XID8 => Datum::Bytea(v.to_be_bytes().as_slice().into()),
        _ => Datum::Int8(v),
    }
}
fn transaction_status(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Int8(id)] => super::outcome::status(*id, env),
        [Datum::Bytea(id)] => super::outcome::status(pamir_types::octets::number(id) as i64, env),
        _ => Err(bad_args("pg_xact_status", args)),
    }
}
/// txid_current: the transaction's number; 0A000 outside one.
fn txid(env: &mut dyn Env) -> Result<i64> {
    env.txn_begun()
        .ok_or_else(|| pamir_types::Error::unsupported("txid_current outside a transaction"))?
        .tell()
        .map(|number| number as i64)
}
/// Where it has something to commit, or was told its number before.
fn txid_if_assigned(ci: &CallInfo, env: &mut dyn Env) -> Result<Datum> {
    match env.txn() {
        Some(t) if t.has_writes() || t.has_private_writes() || t.is_told() => Ok(as_number(ci, t.tell()? as i64)),
        _ => Ok(Datum::Null),
    }
}
/// age(xid): how many numbers ago.
fn age(x: u32, env: &mut dyn Env) -> i32 {
    let now = env.txn_begun().map_or(0, |t| t.id()) as u32;
    if x < FIRST_NORMAL { i32::MAX } else { now.wrapping_sub(x) as i32 }
}

/// The first number of an ordinary transaction (PostgreSQL's FirstNormalTransactionId).
pub const FIRST_NORMAL: u32 = 3;

funcs! { pub FUNCS {
    // sequences
    nextval_oid (_ci env; s: Oid) => { let s = sequence(*s, env)?; env.nextval(s, true).map(Datum::Int8) };
    currval_oid (_ci env; s: Oid) => { let s = sequence(*s, env)?; env.backend()?.currval(s).map(Datum::Int8) };
    lastval (_ci env;) => env.backend()?.lastval().map(Datum::Int8);
    setval_oid raw = |_, args, env| setval(args, env);
    setval3_oid raw = |_, args, env| setval(args, env);

    // the session
    pgsql_version () -> format!("PostgreSQL {} on {}-{}", pamir_catalog::SERVER_VERSION, std::env::consts::ARCH, std::env::consts::OS);
    current_database (_ci env;) -> env.database();
    current_user (_ci env;) -> env.current_user();
    session_user (_ci env;) -> env.session_user();
    current_schema (_ci env;) -> session_schemas(false, env).into_iter().next().unwrap_or(Datum::Null);
    current_schemas (_ci env; implicit: Bool) -> name_array(session_schemas(*implicit, env));
    current_query (_ci env;) => { let b = env.backend()?; let pid = b.pid(); Ok(b.activity().into_iter().find(|a| a.pid == pid).map(|a| a.query).into()) };
    pg_export_snapshot (_ci env;) => env.backend()?.export_snapshot().map(Datum::from);
    pg_backend_pid (_ci env;) => env.backend().map(|b| Datum::Int4(b.pid()));
    show_config_by_name raw = |_, args, env| current_setting(args, env);
    show_config_by_name_missing_ok raw = |_, args, env| current_setting(args, env);
    set_config_by_name raw = |_, args, env| set_config(args, env);
    pg_client_encoding (_ci env;) -> env.setting("client_encoding").unwrap_or_else(|| "UTF8".into());
    pg_sleep (_ci env; s: Float8) => { if *s > 0.0 { env.sleep(*s)?; } env.check_cancel()?; Ok(text("")) };
    pg_sleep_for_3935 (_ci env; i: Interval) => { let s = pamir_types::datetime::interval_cmp_value(i) as f64 / 1e6; env.sleep(s.max(0.0))?; Ok(text("")) };
    pg_sleep_until_3936 (_ci env; t: TimestampTz) => { let s = (*t - env.clock()) as f64 / 1e6; env.sleep(s.max(0.0))?; Ok(text("")) };
    pg_cancel_backend (_ci env; pid: Int4) => env.backend()?.signal(*pid, false).map(Datum::Bool);
    pg_terminate_backend raw = |_, args, env| match args {
        [Datum::Int4(pid), ..] => env.backend()?.signal(*pid, true).map(Datum::Bool),
        _ => Err(bad_args("pg_terminate_backend", args)),
    };
    pg_typeof raw = |ci, _, _| Ok(Datum::Oid(ci.arg_types.first().map_or(oid::UNKNOWN, |t| t.oid)));
    // Numbers of transactions have 64 bits: none is ever so old that it must be replaced.
    xid_age (_ci env; x: Oid) -> age(*x, env);
    mxid_age (_ci _env; x: Oid) -> if *x == 0 { i32::MAX } else { 0 };
    // What is not on disk yet is no part of the log.
    pg_current_wal_lsn raw = |_, _, env| log_place(env);
    pg_current_wal_insert_lsn raw = |_, _, env| log_place(env);
    pg_current_wal_flush_lsn raw = |_, _, env| log_place(env);
    pg_last_wal_receive_lsn raw = null;
    pg_last_wal_replay_lsn raw = null;
    pg_current_xact_id (ci env;) => txid(env).map(|v| as_number(ci, v));
    pg_current_xact_id_if_assigned (ci env;) => txid_if_assigned(ci, env);
    pg_xact_status raw = |_, a, env| transaction_status(a, env);
    pg_num_nulls raw = |_, args, _| nulls(args, true);
    pg_num_nonnulls raw = |_, args, _| nulls(args, false);
    pg_column_size raw = column_size;
    pg_column_compression raw = null;
    pg_collation_for raw = |ci, args, _| Ok(match (string::arg_type(ci, 0), args) {
        (_, [Datum::Null]) => Datum::Null,
        (t, _) if t.is_stringlike() => text("\"default\""),
        _ => Datum::Null,
    });
    pg_listening_channels set = |_, _, env, p| env.backend()?.listening().into_iter().try_for_each(|c| p(vec![text(&c)]));
    pg_notify raw = |_, args, env| match args {
        [channel, payload] => {
            let of = |d: &Datum| if let Datum::Text(t) = d { t.to_string() } else { String::new() };
            env.backend()?.notify(&of(channel), &of(payload)).map(|()| text(""))
        }
        _ => Err(bad_args("pg_notify", args)),
    };
    pg_notification_queue_usage () -> 0f64;
    pg_my_temp_schema (_ci env;) -> Datum::Oid(env.catalog().temporary_schema().map_or(0, |s| s.oid));
    pg_is_other_temp_schema raw = no;
    pg_trigger_depth (_ci env;) -> Datum::Int4(env.trigger_depth());
    pg_blocking_pids raw = |_, a, env| match a {
        [Datum::Int4(pid)] => blocking_pids(*pid, env),
        _ => Ok(Datum::Null),
    };
    pg_safe_snapshot_blocking_pids raw = |_, _, _| Ok(Datum::Array(Arc::new(Array::from_vec(oid::INT4, vec![]))));
    pg_isolation_test_session_is_blocked raw = |_, a, env| match a {
        [Datum::Int4(pid), Datum::Array(others)] => waits_for_one_of(*pid, others, env),
        _ => Ok(Datum::Null),
    };
    pg_jit_available raw = no;
    row_security_active (_ci env; o: Oid) -> row_security_active(*o, env);
    row_security_active_name (_ci env; s: Text) => row_security_active_named(s, env);

    gen_random_uuid (_ci env;) => random_uuid(env);
    pg_advisory_xact_lock_int8 raw = |_, args, env| advisory(args, TableLock::Exclusive, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_xact_lock_int4 raw = |_, args, env| advisory(args, TableLock::Exclusive, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_xact_lock_shared_int8 raw = |_, args, env| advisory(args, TableLock::Share, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_xact_lock_shared_int4 raw = |_, args, env| advisory(args, TableLock::Share, WaitPolicy::Block, env).map(|_| text(""));
    pg_try_advisory_xact_lock_int8 raw = |_, args, env| advisory(args, TableLock::Exclusive, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_xact_lock_int4 raw = |_, args, env| advisory(args, TableLock::Exclusive, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_xact_lock_shared_int8 raw = |_, args, env| advisory(args, TableLock::Share, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_xact_lock_shared_int4 raw = |_, args, env| advisory(args, TableLock::Share, WaitPolicy::Skip, env).map(Datum::Bool);

    pg_advisory_lock_int8 raw = |_, args, env| session_lock(args, TableLock::Exclusive, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_lock_int4 raw = |_, args, env| session_lock(args, TableLock::Exclusive, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_lock_shared_int8 raw = |_, args, env| session_lock(args, TableLock::Share, WaitPolicy::Block, env).map(|_| text(""));
    pg_advisory_lock_shared_int4 raw = |_, args, env| session_lock(args, TableLock::Share, WaitPolicy::Block, env).map(|_| text(""));
    pg_try_advisory_lock_int8 raw = |_, args, env| session_lock(args, TableLock::Exclusive, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_lock_int4 raw = |_, args, env| session_lock(args, TableLock::Exclusive, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_lock_shared_int8 raw = |_, args, env| session_lock(args, TableLock::Share, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_try_advisory_lock_shared_int4 raw = |_, args, env| session_lock(args, TableLock::Share, WaitPolicy::Skip, env).map(Datum::Bool);
    pg_advisory_unlock_int8 raw = |_, args, env| session_unlock(args, TableLock::Exclusive, env);
    pg_advisory_unlock_int4 raw = |_, args, env| session_unlock(args, TableLock::Exclusive, env);
    pg_advisory_unlock_shared_int8 raw = |_, args, env| session_unlock(args, TableLock::Share, env);
    pg_advisory_unlock_shared_int4 raw = |_, args, env| session_unlock(args, TableLock::Share, env);
    pg_advisory_unlock_all raw = |_, _, env| {
        env.backend()?.unlock_all();
        Ok(text(""))
    };

    // the server
    pg_is_in_recovery raw = |_, _, env| Ok(Datum::Bool(env.backend().is_ok_and(|b| b.cluster().is_some_and(|c| c.in_recovery()))));
    pg_is_wal_replay_paused raw = no;
    pg_last_xact_replay_timestamp raw = null;
    inet_client_addr (_ci env;) => peer(env).map(|p| p.map_or(Datum::Null, |p| address(&p.host)));
    inet_client_port (_ci env;) => peer(env).map(|p| p.map_or(Datum::Null, |p| Datum::Int4(i32::from(p.port))));
    // Where the server listens, if that is one address: so it is the connection's.
    inet_server_addr (_ci env;) => peer(env).map(|p| match (p, env.setting("listen_addresses")) {
        (Some(_), Some(a)) => address(&a),
        _ => Datum::Null,
    });
    inet_server_port (_ci env;) => peer(env).map(|p| match (p, env.setting("port").and_then(|p| p.parse().ok())) {
        (Some(_), Some(n)) => Datum::Int4(n),
        _ => Datum::Null,
    });
    pg_postmaster_start_time (_ci env;) => started(env);
    pg_conf_load_time (_ci env;) => started(env);
    pg_reload_conf raw = yes;
    PG_encoding_to_char (n: Int4) -> Encoding::by_number(*n).map_or("", Encoding::name);
    PG_char_to_encoding (s: Text) -> Encoding::by_name(s).map_or(-1, Encoding::number);
    pg_encoding_max_length_sql (n: Int4) -> Encoding::by_number(*n).map(Encoding::max_length);
    getdatabaseencoding () -> "UTF8";
    pg_size_pretty (n: Int8) -> size_pretty(*n);
    pg_size_pretty_numeric (n: Numeric) => numeric_pretty(n).map(Datum::from);
    pg_size_bytes (s: Text) => size_bytes(s);
    pg_relation_size raw = |_, args, env| match args {
        [Datum::Oid(o), Datum::Text(fork)] => match fork.as_ref() {
            "main" => relation_pages(*o, false, true, env).map(Datum::from),
            "fsm" | "vm" | "init" => Ok(Datum::Int8(0)),
            _ => Err(err!(INVALID_PARAMETER_VALUE, "invalid fork name").hint("Valid fork names are \"main\", \"fsm\", \"vm\", and \"init\".")),
        },
        _ => Err(bad_args("pg_relation_size", args)),
    };
    pg_relation_size_2325 (_ci env; o: Oid) => relation_pages(*o, false, true, env).map(Datum::from);
    pg_table_size (_ci env; o: Oid) => relation_pages(*o, false, true, env).map(Datum::from);
    pg_indexes_size (_ci env; o: Oid) => relation_pages(*o, true, false, env).map(Datum::from);
    pg_total_relation_size (_ci env; o: Oid) => relation_pages(*o, true, true, env).map(Datum::from);
    pg_database_size_oid (_ci env; o: Oid) => database_size(*o, env);
    pg_database_size_name (_ci env; n: Text) => { let o = database_named(n, env)?; database_size(o, env) };
    pg_tablespace_size_oid raw = |_, _, _| Ok(Datum::Int8(0));
    pg_tablespace_size_name raw = |_, _, _| Ok(Datum::Int8(0));
    pg_relation_filenode (o: Oid) -> Datum::Oid(*o);
    pg_relation_filepath raw = null;
    pg_tablespace_location raw = |_, _, _| Ok(text(""));

    nameconcatoid (_ci env; n: Text, o: Oid) => {
        let end = format!("_{o}");
        Ok(format!("{}{end}", pamir_types::text::cut(n, pamir_types::text::MAX_NAME - end.len())).into())
    };

    // visibility
    pg_table_is_visible (_ci env; o: Oid) -> is_visible(*o, env);
    pg_type_is_visible (_ci env; o: Oid) -> match oid::is_user(*o) || oid::is_of_extension(*o) {
        true => env.catalog().type_is_visible(env.scope(), *o),
        false => oid::type_name(*o).map(|_| true),
    };
    pg_function_is_visible (_ci env; o: Oid) -> lookup::by_oid::<Function>(env.catalog(), *o).map(|f| lookup::is_visible(env.catalog(), env.scope(), &*f))
        .or_else(|| lookup::by_oid::<Aggregate>(env.catalog(), *o).map(|a| lookup::is_visible(env.catalog(), env.scope(), &*a)))
        .or_else(|| pamir_catalog::system::internal::by_oid(*o).map(|_| true));
    pg_operator_is_visible (_ci env; o: Oid) -> lookup::by_oid::<Operator>(env.catalog(), *o).map(|o| lookup::is_visible(env.catalog(), env.scope(), &*o));
    pg_opclass_is_visible raw = yes;
    pg_opfamily_is_visible raw = yes;
    pg_collation_is_visible raw = yes;
    pg_conversion_is_visible raw = yes;
    pg_statistics_obj_is_visible raw = yes;
    pg_ts_parser_is_visible (_ci env; o: Oid) -> env.catalog().ts_is_visible(env.scope(), What::Parser, *o);
    pg_ts_dict_is_visible (_ci env; o: Oid) -> env.catalog().ts_is_visible(env.scope(), What::Dictionary, *o);
    pg_ts_template_is_visible (_ci env; o: Oid) -> env.catalog().ts_is_visible(env.scope(), What::Template, *o);
    pg_ts_config_is_visible (_ci env; o: Oid) -> env.catalog().ts_is_visible(env.scope(), What::Config, *o);
    pg_get_userbyid (_ci env; o: Oid) -> match env.catalog().role(*o) {
        Some(r) => r.name.clone(),
        None if *o == well_known::POSTGRES_ROLE => "postgres".to_string(),
        None => format!("unknown (OID={o})"),
    };

    // privileges
    has_any_column_privilege_id raw = privilege::has_any_column;
    has_any_column_privilege_id_id raw = privilege::has_any_column;
    has_any_column_privilege_id_name raw = privilege::has_any_column;
    has_any_column_privilege_name raw = privilege::has_any_column;
    has_any_column_privilege_name_id raw = privilege::has_any_column;
    has_any_column_privilege_name_name raw = privilege::has_any_column;
    has_column_privilege_id_attnum raw = privilege::has_column;
    has_column_privilege_id_id_attnum raw = privilege::has_column;
    has_column_privilege_id_id_name raw = privilege::has_column;
    has_column_privilege_id_name raw = privilege::has_column;
    has_column_privilege_id_name_attnum raw = privilege::has_column;
    has_column_privilege_id_name_name raw = privilege::has_column;
    has_column_privilege_name_attnum raw = privilege::has_column;
    has_column_privilege_name_id_attnum raw = privilege::has_column;
    has_column_privilege_name_id_name raw = privilege::has_column;
    has_column_privilege_name_name raw = privilege::has_column;
    has_column_privilege_name_name_attnum raw = privilege::has_column;
    has_column_privilege_name_name_name raw = privilege::has_column;
    has_database_privilege_id raw = privilege::has_database;
    has_database_privilege_id_id raw = privilege::has_database;
    has_database_privilege_id_name raw = privilege::has_database;
    has_database_privilege_name raw = privilege::has_database;
    has_database_privilege_name_id raw = privilege::has_database;
    has_database_privilege_name_name raw = privilege::has_database;
    has_foreign_data_wrapper_privilege_id raw = privilege::has_nothing;
    has_foreign_data_wrapper_privilege_id_id raw = privilege::has_nothing;
    has_foreign_data_wrapper_privilege_id_name raw = privilege::has_nothing;
    has_foreign_data_wrapper_privilege_name raw = privilege::has_nothing;
    has_foreign_data_wrapper_privilege_name_id raw = privilege::has_nothing;
    has_foreign_data_wrapper_privilege_name_name raw = privilege::has_nothing;
    has_function_privilege_id raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_function_privilege_id_id raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_function_privilege_id_name raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_function_privilege_name raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_function_privilege_name_id raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_function_privilege_name_name raw = |_, args, env| privilege::has_default(ObjectKind::Function, args, env);
    has_language_privilege_id raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_language_privilege_id_id raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_language_privilege_id_name raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_language_privilege_name raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_language_privilege_name_id raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_language_privilege_name_name raw = |_, args, env| privilege::has_default(ObjectKind::Language, args, env);
    has_parameter_privilege_id_name raw = privilege::has_nothing;
    has_parameter_privilege_name raw = privilege::has_nothing;
    has_parameter_privilege_name_name raw = privilege::has_nothing;
    has_schema_privilege_id raw = privilege::has_schema;
    has_schema_privilege_id_id raw = privilege::has_schema;
    has_schema_privilege_id_name raw = privilege::has_schema;
    has_schema_privilege_name raw = privilege::has_schema;
    has_schema_privilege_name_id raw = privilege::has_schema;
    has_schema_privilege_name_name raw = privilege::has_schema;
    has_sequence_privilege_id raw = privilege::has_sequence;
    has_sequence_privilege_id_id raw = privilege::has_sequence;
    has_sequence_privilege_id_name raw = privilege::has_sequence;
    has_sequence_privilege_name raw = privilege::has_sequence;
    has_sequence_privilege_name_id raw = privilege::has_sequence;
    has_sequence_privilege_name_name raw = privilege::has_sequence;
    has_server_privilege_id raw = privilege::has_nothing;
    has_server_privilege_id_id raw = privilege::has_nothing;
    has_server_privilege_id_name raw = privilege::has_nothing;
    has_server_privilege_name raw = privilege::has_nothing;
    has_server_privilege_name_id raw = privilege::has_nothing;
    has_server_privilege_name_name raw = privilege::has_nothing;
    has_table_privilege_id raw = privilege::has_table;
    has_table_privilege_id_id raw = privilege::has_table;
    has_table_privilege_id_name raw = privilege::has_table;
    has_table_privilege_name raw = privilege::has_table;
    has_table_privilege_name_id raw = privilege::has_table;
    has_table_privilege_name_name raw = privilege::has_table;
    has_tablespace_privilege_id raw = privilege::has_nothing;
    has_tablespace_privilege_id_id raw = privilege::has_nothing;
    has_tablespace_privilege_id_name raw = privilege::has_nothing;
    has_tablespace_privilege_name raw = privilege::has_nothing;
    has_tablespace_privilege_name_id raw = privilege::has_nothing;
    has_tablespace_privilege_name_name raw = privilege::has_nothing;
    has_type_privilege_id raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    has_type_privilege_id_id raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    has_type_privilege_id_name raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    has_type_privilege_name raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    has_type_privilege_name_id raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    has_type_privilege_name_name raw = |_, args, env| privilege::has_default(ObjectKind::Type, args, env);
    pg_has_role_id raw = privilege::has_role;
    pg_has_role_id_id raw = privilege::has_role;
    pg_has_role_id_name raw = privilege::has_role;
    pg_has_role_name raw = privilege::has_role;
    pg_has_role_name_id raw = privilege::has_role;
    pg_has_role_name_name raw = privilege::has_role;
} }

/// Whom the process `pid` waits for; 0 stands for a prepared transaction.
fn blockers_of(pid: i32, env: &mut dyn Env) -> Result<Vec<i32>> {
    let lines = env.engine()?.locks();
    let waits = lines.iter().filter(|l| !l.granted && l.process == Some(pid as u32));
    let mut all: Vec<i32> = waits.flat_map(|l| &l.blockers).map(|b| b.0.unwrap_or(0) as i32).collect();
    all.extend(env.backend()?.waits_for(pid));
    Ok(all)
}

/// pg_blocking_pids: whom `pid` waits for.
fn blocking_pids(pid: i32, env: &mut dyn Env) -> Result<Datum> {
    let pids = blockers_of(pid, env)?.into_iter().map(Datum::Int4).collect();
    Ok(Datum::Array(Arc::new(Array::from_vec(oid::INT4, pids))))
}

/// pg_isolation_test_session_is_blocked, of which PostgreSQL's isolation tester asks whether a step waits for another session's.
fn waits_for_one_of(pid: i32, others: &Array, env: &mut dyn Env) -> Result<Datum> {
    let blockers = blockers_of(pid, env)?;
    Ok(Datum::Bool(others.items.iter().any(|o| matches!(o, Datum::Int4(o) if blockers.contains(o)))))
}
