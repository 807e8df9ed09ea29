//! has_*_privilege, pg_has_role, and the functions of aclitem (acl.c).
//!
//! The forms differ in how a role and an object are named: a name or an OID, and no role for the current one. One function serves all forms of a kind: it
//! tells them by the arguments' types.
use super::registry::{OWN_OIDS, OwnRow, SET, STABLE, STRICT, bad_args};
use super::*;
use crate::env::Env;
use pamir_catalog::acl::{self, AclItem, Mode, ObjectKind, Who};
use pamir_catalog::{Catalog, Relation, Table};
use pamir_types::{bail, err, oid};

/// What is asked of one privilege word: the bit, and whether it may be granted on.
type Wanted = Vec<(Mode, bool)>;

/// `SELECT, INSERT WITH GRANT OPTION`
fn wanted(text: &str, kind: ObjectKind) -> Result<Wanted> {
    let valid = kind.all();
    text.split(',')
        .map(|part| {
            let part = part.trim();
            let upper = part.to_ascii_uppercase();
            let (word, option) = match upper.strip_suffix(" WITH GRANT OPTION") {
                Some(w) => (w, true),
                None => (upper.as_str(), false),
            };
            let word = if word == "TEMP" { "TEMPORARY" } else { word };
            match acl::NAMES.iter().position(|n| *n == word) {
                // There was such a privilege once: nobody has it.
                None if word == "RULE" && kind == ObjectKind::Table => Ok((0, option)),
                Some(bit) if valid & 1 << bit != 0 => Ok((1 << bit, option)),
                _ => Err(err!(INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"{part}\"")),
            }
        })
        .collect()
}
fn name(d: &Datum) -> Option<&str> {
    if let Datum::Text(s) = d { Some(s) } else { None }
}
/// The role that is asked about; None: an OID that no role has.
fn role(d: &Datum, c: &Catalog) -> Result<Option<Oid>> {
    match d {
        Datum::Oid(o) => Ok(Some(*o)),
        d => match name(d) {
            Some("public") => Ok(Some(acl::PUBLIC)),
            Some(n) => match c.role_by_name(n) {
                Some(r) => Ok(Some(r.oid)),
                None => bail!(UNDEFINED_OBJECT, "role \"{n}\" does not exist"),
            },
            None => Ok(None),
        },
    }
}
/// Splits the arguments into (who, the rest): a form with one argument less than `full` asks of the current user.
fn asked<'a>(args: &'a [Datum], full: usize, env: &dyn Env) -> Result<(Who, &'a [Datum])> {
    let (c, scope) = (env.catalog(), env.scope());
    if args.len() == full {
        let Some((first, rest)) = args.split_first() else { return Err(bad_args("has_privilege", args)) };
        let oid = role(first, c)?.unwrap_or(acl::PUBLIC);
        return Ok((Who::new(c, oid, scope.database), rest));
    }
    let oid = c.role_by_name(env.current_user()).map_or(Oid::MAX, |r| r.oid);
    Ok((Who::new(c, oid, scope.database), args))
}
fn any(wanted: &Wanted, mut has: impl FnMut(Mode, bool) -> bool) -> Datum {
    Datum::Bool(wanted.iter().any(|(m, option)| has(*m, *option)))
}
/// A relation by name (an error if it is not there) or OID (None then).
fn relation(d: &Datum, env: &mut dyn Env) -> Result<Option<Relation>> {
    let oid = match d {
        Datum::Oid(o) => Some(*o),
        d => match name(d) {
            Some(text) => match super::reg::find_relation(text, env)? {
                Some(o) => Some(o),
                None => bail!(UNDEFINED_TABLE, "relation \"{text}\" does not exist"),
            },
            None => None,
        },
    };
    Ok(oid.and_then(|o| env.catalog().relation(o)))
}
fn on_relation(who: &Who, c: &Catalog, r: &Relation, mode: Mode, option: bool) -> bool {
    let (kind, oid, owner) = match r {
        Relation::Table(t) => (ObjectKind::Table, t.oid, t.owner),
        Relation::Sequence(s) => (ObjectKind::Sequence, s.oid, s.owner),
        Relation::Index(t, i) => (ObjectKind::Table, *i, t.owner),
        Relation::Virtual(v) => return who.superuser || mode == acl::SELECT && !option && who.on_virtual(v.name),
    };
    who.on(c, kind, oid, owner, mode, option) != 0
}

pub fn has_table(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_table_privilege", args)) };
    let r = relation(object, env)?;
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Table)?;
    Ok(r.map_or(Datum::Null, |r| any(&w, |m, o| on_relation(&who, env.catalog(), &r, m, o))))
}
pub fn has_sequence(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_sequence_privilege", args)) };
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Sequence)?;
    match relation(object, env)? {
        None => Ok(Datum::Null),
        Some(r @ Relation::Sequence(_)) => Ok(any(&w, |m, o| on_relation(&who, env.catalog(), &r, m, o))),
        Some(r) => {
            let shown = match object {
                Datum::Oid(o) => env.catalog().relation_name(*o).map_or(String::new(), |n| n.1.to_string()),
                d => name(d).unwrap_or("").to_string(),
            };
            let _ = r;
            bail!(WRONG_OBJECT_TYPE, "\"{shown}\" is not a sequence")
        }
    }
}
pub fn has_schema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_schema_privilege", args)) };
    let (c, db) = (env.catalog(), env.scope().database);
    let s = match object {
        Datum::Oid(o) => c.schema(*o),
        d => {
            let n = name(d).unwrap_or("");
            match c.schema_by_name(db, n) {
                Some(s) => Some(s),
                None => bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist"),
            }
        }
    };
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Schema)?;
    Ok(s.map_or(Datum::Null, |s| any(&w, |m, o| who.on(c, ObjectKind::Schema, s.oid, s.owner, m, o) != 0)))
}
pub fn has_database(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_database_privilege", args)) };
    let c = env.catalog();
    let d = match object {
        Datum::Oid(o) => c.database(*o),
        d => {
            let n = name(d).unwrap_or("");
            match c.database_by_name(n) {
                Some(d) => Some(d),
                None => bail!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist"),
            }
        }
    };
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Database)?;
    Ok(d.map_or(Datum::Null, |d| any(&w, |m, o| who.on(c, ObjectKind::Database, d.oid, d.owner, m, o) != 0)))
}
/// None: a dropped column, or a number that none has.
fn column(t: &Table, d: &Datum) -> Result<Option<i16>> {
    match d {
        Datum::Int2(n) => Ok(t.column(*n).filter(|c| !c.dropped).map(|c| c.attnum)),
        d => {
            let n = name(d).unwrap_or("");
            match t.column_by_name(n) {
                Some(c) => Ok(Some(c.attnum)),
                None => bail!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", t.name),
            }
        }
    }
}
pub fn has_column(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 4, env)?;
    let [object, col, word] = rest else { return Err(bad_args("has_column_privilege", args)) };
    let r = relation(object, env)?;
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Column)?;
    let c = env.catalog();
    match r {
        Some(Relation::Table(t)) => {
            let Some(n) = column(&t, col)? else { return Ok(Datum::Null) };
            Ok(any(&w, |m, o| {
                who.on(c, ObjectKind::Table, t.oid, t.owner, m, o) != 0 || who.on_column(c, &t, n, m, o) != 0
            }))
        }
        Some(r) => Ok(any(&w, |m, o| on_relation(&who, c, &r, m, o))),
        None => Ok(Datum::Null),
    }
}
pub fn has_any_column(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_any_column_privilege", args)) };
    let r = relation(object, env)?;
    let w = wanted(name(word).unwrap_or(""), ObjectKind::Column)?;
    let c = env.catalog();
    Ok(match r {
        Some(Relation::Table(t)) => any(&w, |m, o| {
            who.on(c, ObjectKind::Table, t.oid, t.owner, m, o) != 0
                || t.live_columns().any(|col| who.on_column(c, &t, col.attnum, m, o) != 0)
        }),
        Some(r) => any(&w, |m, o| on_relation(&who, c, &r, m, o)),
        None => Datum::Null,
    })
}
/// Functions, types, languages. The server's own have PostgreSQL's defaults, which let everybody use them; only their owner, a superuser, may grant them on.
pub fn has_default(kind: ObjectKind, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("has_privilege", args)) };
    let named = match kind {
        ObjectKind::Function => Some(oid::REGPROCEDURE),
        ObjectKind::Type => Some(oid::REGTYPE),
        _ => None,
    };
    let found = match (object, named) {
        (Datum::Oid(o), _) => Some(*o),
        (d, Some(reg)) => Some(super::reg::parse(name(d).unwrap_or(""), reg, env)?),
        _ => None,
    };
    let w = wanted(name(word).unwrap_or(""), kind)?;
    let c = env.catalog();
    // An array may be used by who may use its elements.
    let found = found.map(|o| oid::element_of(o).filter(|_| kind == ObjectKind::Type).unwrap_or(o));
    let owned = found.and_then(|o| match kind {
        ObjectKind::Function => c.function(o).map(|f| (o, f.owner)),
        ObjectKind::Type => c.user_type(o).map(|t| (o, t.owner)),
        _ => None,
    });
    Ok(match owned {
        Some((oid, owner)) => any(&w, |m, option| who.on(c, kind, oid, owner, m, option) != 0),
        None => any(&w, |_, option| !option || who.superuser),
    })
}
/// Tablespaces, foreign data wrappers, servers, parameters: only superusers have a privilege there.
pub fn has_nothing(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, _) = asked(args, 3, env)?;
    Ok(Datum::Bool(who.superuser))
}
pub fn has_role(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (who, rest) = asked(args, 3, env)?;
    let [object, word] = rest else { return Err(bad_args("pg_has_role", args)) };
    let (c, db) = (env.catalog(), env.scope().database);
    let Some(r) = role(object, c)? else { return Ok(Datum::Null) };
    for part in name(word).unwrap_or("").split(',') {
        let part = part.trim();
        let has = match part.to_ascii_uppercase().as_str() {
            "USAGE" => who.has_role(r),
            "MEMBER" => acl::is_member(c, who.role, r, db),
            "USAGE WITH GRANT OPTION"
            | "USAGE WITH ADMIN OPTION"
            | "MEMBER WITH GRANT OPTION"
            | "MEMBER WITH ADMIN OPTION" => acl::is_admin(c, who.role, r),
            _ => bail!(INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"{part}\""),
        };
        if has {
            return Ok(Datum::Bool(true));
        }
    }
    Ok(Datum::Bool(false))
}

/// acldefault(kind, owner)
fn acldefault(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Char(kind), Datum::Oid(owner)] = args else { return Err(bad_args("acldefault", args)) };
    let kind = match kind {
        b'c' => ObjectKind::Column,
        b'r' => ObjectKind::Table,
        b's' => ObjectKind::Sequence,
        b'd' => ObjectKind::Database,
        b'f' => ObjectKind::Function,
        b'l' => ObjectKind::Language,
        b'n' => ObjectKind::Schema,
        b'T' => ObjectKind::Type,
        b'L' => ObjectKind::LargeObject,
        // What is not there has its owner's privileges alone, and no use for them.
        b'p' | b't' | b'F' | b'S' => return Ok(Datum::Null),
        k => bail!(INVALID_PARAMETER_VALUE, "unrecognized objtype abbreviation: {}", *k as char),
    };
    Ok(acl::list_datum(env.catalog(), &acl::default_acl(kind, *owner)))
}
fn items(d: &Datum, c: &Catalog) -> Result<Vec<AclItem>> {
    match d {
        Datum::Array(a) => a.items.iter().filter_map(name).map(|s| acl::parse_item(c, s)).collect(),
        _ => Ok(Vec::new()),
    }
}
/// aclexplode(list): a row for each privilege.
fn aclexplode(
    _: &CallInfo,
    args: &[Datum],
    env: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    for i in items(args.first().unwrap_or(&Datum::Null), env.catalog())? {
        for (bit, n) in acl::NAMES.iter().enumerate().filter(|(bit, _)| i.privs & 1 << bit != 0) {
            let option = i.options & 1 << bit != 0;
            push(vec![Datum::Oid(i.grantor), Datum::Oid(i.grantee), Datum::text(*n), Datum::Bool(option)])?;
        }
    }
    Ok(())
}
/// makeaclitem(grantee, grantor, privileges, grantable)
fn makeaclitem(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Oid(grantee), Datum::Oid(grantor), words, Datum::Bool(option)] = args else {
        return Err(bad_args("makeaclitem", args));
    };
    let mut privs = 0;
    for part in name(words).unwrap_or("").split(',') {
        let word = part.trim().to_ascii_uppercase();
        let word = if word == "TEMP" { "TEMPORARY" } else { &word };
        match acl::NAMES.iter().position(|n| *n == word) {
            Some(bit) => privs |= 1 << bit,
            None => bail!(INVALID_PARAMETER_VALUE, "unrecognized privilege type: \"{}\"", part.trim()),
        }
    }
    let i = AclItem { grantee: *grantee, grantor: *grantor, privs, options: if *option { privs } else { 0 } };
    Ok(Datum::text(acl::item_text(env.catalog(), &i)))
}

/// aclitem[]
const ACLITEMS: Oid = 1034;
/// aclexplode's own number, by which `srf::own_columns` knows it.
pub const ACLEXPLODE: Oid = 73;
pub static OWN: &[OwnRow] = &[
    OwnRow {
        oid: OWN_OIDS + 62,
        name: "acldefault",
        args: &[oid::CHAR, oid::OID],
        ret: ACLITEMS,
        flags: STRICT,
        body: Body::scalar(acldefault),
    },
    OwnRow {
        oid: OWN_OIDS + ACLEXPLODE,
        name: "aclexplode",
        args: &[ACLITEMS],
        ret: oid::RECORD,
        flags: STRICT | STABLE | SET,
        body: Body::set(aclexplode),
    },
    OwnRow {
        oid: OWN_OIDS + 74,
        name: "makeaclitem",
        args: &[oid::OID, oid::OID, oid::TEXT, oid::BOOL],
        ret: oid::ACLITEM,
        flags: STRICT,
        body: Body::scalar(makeaclitem),
    },
];
