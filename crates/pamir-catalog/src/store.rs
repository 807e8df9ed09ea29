//! The maps behind a catalog snapshot, and the byte form of its objects.
//!
//! Each map is behind its own `Arc`: a change copies only the maps it touches (`Arc::make_mut`), once for a run of changes to a private copy.
//! Look-ups by name borrow the name: two small hash look-ups (schema, then relation), no allocation.
use super::*;
use pamir_types::{Error, err, oid};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// The version byte of every catalog value, but those of [`GROWN`] kinds.
const FORMAT: u8 = 1;
/// ... of roles, databases and tables, which had fewer attributes in the first.
const GROWN: u8 = 2;
/// ... of tables, which grew twice more.
const TABLE: u8 = 4;
/// ... of relations with a [`Tail`], whose bytes stand behind those of a table of the format before. A table without one is written as before.
const TAILED: u8 = 5;
/// ... of relations with a [`declared::More`], whose bytes stand behind those of the format before. A relation without one is written as before.
const GROWN_MORE: u8 = 6;
/// ... of one that inherits, is inherited from, or is of a type: its [`Family`](crate::family::Family) follows.
const WITH_FAMILY: u8 = 7;
/// ... of a partitioned table or a partition: its [`Partition`](crate::partition::Partition) follows.
const WITH_PARTITION: u8 = 8;
/// ... of one with deferrable unique keys: which, then what of the formats before it has.
const WITH_DEFERRABLE: u8 = 9;
/// ... of one with row level security: the same, then whether it counts.
const WITH_SECURITY: u8 = 10;
/// ... of one with EXCLUDE constraints: the same, then the operators of each.
const WITH_EXCLUSIONS: u8 = 11;
/// ... of one of whose indexes something was begun beside writers: the same, then its [`Online`](declared::Online).
const WITH_ONLINE: u8 = 12;
/// The format of a cluster whose nodes read those, and the kinds from [`Kind::Type`] on.
const NEW_FORMAT: u64 = 3;
/// ... of one whose nodes read tables of format [`GROWN_MORE`], the kinds from [`Kind::Trigger`] on, functions with [`function::More`], ranges of users, and columns of [`is_newer`] types.
const NEWER_FORMAT: u64 = 4;
/// ... of one whose nodes read tables of format [`WITH_FAMILY`] and domains with a collation.
const FAMILY_FORMAT: u64 = 5;
/// ... of one whose nodes read tables of format [`WITH_PARTITION`].
const PARTITION_FORMAT: u64 = 6;
/// ... of one whose nodes read tables of format [`WITH_DEFERRABLE`]: an older build would neither queue nor check such keys.
const DEFERRABLE_FORMAT: u64 = 7;
/// ... of one whose nodes read tables of format [`WITH_SECURITY`] and policies: an older build would show everybody all rows.
const SECURITY_FORMAT: u64 = 7;
/// ... of one whose nodes read text search objects, and functions that name them.
const TEXT_SEARCH_FORMAT: u64 = 8;
/// ... of one whose nodes read composite types whose attributes have collations.
const COLLATED_FORMAT: u64 = 8;
/// ... of one whose nodes read tables of format [`WITH_ONLINE`]: an older build would read an index that is not whole.
const ONLINE_FORMAT: u64 = 9;
/// Private (uncommitted) catalogs have versions from here on, each its own: no plan made under one can be found under another.
pub const PRIVATE_VERSION: u64 = 1 << 63;

/// A new version for a private copy.
pub fn private_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(PRIVATE_VERSION);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The kinds of catalog rows: the first byte of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    Database = 1,
    Schema = 2,
    Role = 3,
    Table = 4,
    Sequence = 5,
    Grants = 6,
    DefaultAcl = 7,
    Type = 8,
    Function = 10,
    Extended = 18,
    Comments = 19,
    Policy = 20,
    TsConfig = 21,
    TsDictionary = 22,
    Trigger = 11,
    EventTrigger = 12,
    Rule = 13,
    Cast = 14,
    Operator = 15,
    Extension = 17,
}
/// First byte of the keys of names: `[NAME, space, parent OID, name bytes] -> OID`. They make names unique (a lock on the key orders two sessions
/// that create the same name); a loaded catalog takes its names from the objects.
pub const NAME: u8 = 0xf0;

impl Kind {
    fn from_byte(b: u8) -> Option<Kind> {
        use Kind::*;
        const ALL: [Kind; 20] = [
            Database,
            Schema,
            Role,
            Table,
            Sequence,
            Grants,
            DefaultAcl,
            Type,
            Function,
            Trigger,
            EventTrigger,
            Rule,
            Cast,
            Operator,
            Extended,
            Comments,
            Policy,
            Extension,
            TsConfig,
            TsDictionary,
        ];
        ALL.into_iter().find(|k| *k as u8 == b)
    }
}

/// What some relations have more than a table.
#[derive(Serialize, Deserialize)]
struct Tail {
    view: Option<View>,
    depends: Vec<depend::ObjectRef>,
    domains: Vec<(i16, Oid)>,
}
fn has_tail(t: &Table) -> bool {
    t.view.is_some() || !t.depends.is_empty() || !t.declared.domains.is_empty()
}
/// Has it more than a table of format [`TABLE`]?
fn is_long(t: &Table) -> bool {
    has_tail(t)
        || !t.declared.more.is_empty()
        || t.declared.family.is_some()
        || t.has_deferrable_keys()
        || has_security(t)
        || t.has_exclusions()
        || t.declared.online.is_some()
}
/// Is there anything to say of its row level security?
fn has_security(t: &Table) -> bool {
    t.security != policy::RowSecurity::default()
}
/// What [`tailed`] reads.
fn encode_long(t: &Table, out: Vec<u8>) -> postcard::Result<Vec<u8>> {
    let out = postcard::to_extend(t, out)?;
    let tail =
        Tail { view: t.view.as_deref().cloned(), depends: t.depends.clone(), domains: t.declared.domains.clone() };
    let out = postcard::to_extend(&tail, out)?;
    let (more, family) = (&t.declared.more, t.declared.family.as_deref());
    let online = t.declared.online.as_deref();
    if t.has_deferrable_keys() || has_security(t) || t.has_exclusions() || online.is_some() {
        let keys: Vec<_> = t.indexes.iter().filter_map(|i| Some((i.oid, i.deferrable?))).collect();
        let out = postcard::to_extend(more, out)?;
        let out = postcard::to_extend(&(keys, family, family.and_then(|f| f.partition.as_deref())), out)?;
        let secured = has_security(t) || t.has_exclusions() || online.is_some();
        let out = if secured { postcard::to_extend(&t.security, out)? } else { out };
        let excludes: Vec<_> = t.indexes.iter().filter_map(|i| Some((i.oid, i.excludes.as_deref()?))).collect();
        let Some(online) = online else {
            return if excludes.is_empty() { Ok(out) } else { postcard::to_extend(&excludes, out) };
        };
        return postcard::to_extend(online, postcard::to_extend(&excludes, out)?);
    }
    let Some(f) = family else {
        return if more.is_empty() { Ok(out) } else { postcard::to_extend(more, out) };
    };
    let out = postcard::to_extend(more, out)?;
    let out = postcard::to_extend(f, out)?;
    match &f.partition {
        Some(p) => postcard::to_extend(&**p, out),
        None => Ok(out),
    }
}
/// Is a type of that format, or an array of one?
fn is_new(ty: Type) -> bool {
    let of = ty.element().unwrap_or(ty).oid;
    let ranges = oid::range_subtype(of).is_some() || oid::range_of_multirange(of).is_some();
    let others = [oid::BIT, oid::VARBIT, oid::INET, oid::CIDR, oid::MACADDR, oid::MACADDR8, oid::PG_LSN, oid::XID8];
    ranges || oid::is_user(of) || others.contains(&of)
}
/// The same of the format after that.
fn is_newer(ty: Type) -> bool {
    let of = ty.element().unwrap_or(ty).oid;
    let own = pamir_types::packed::is_packed(of)
        || oid::is_of_extension(of)
        || matches!(of, oid::REGCONFIG | oid::REGDICTIONARY);
    own || matches!(of, oid::MONEY | oid::JSONPATH | oid::PG_SNAPSHOT | oid::TXID_SNAPSHOT | oid::REGOPERATOR)
        || matches!(oid::user_class(of), Some(oid::UserClass::Range | oid::UserClass::Multirange | oid::UserClass::Row))
}
/// A table of the formats from [`TAILED`] on: postcard bytes of the descriptor, then of its [`Tail`], then of what it says more.
fn tailed(version: u8, body: &[u8]) -> postcard::Result<Table> {
    let (mut t, rest): (Table, _) = postcard::take_from_bytes(body)?;
    let (tail, rest): (Tail, _) = postcard::take_from_bytes(rest)?;
    (t.view, t.depends, t.declared.domains) = (tail.view.map(Arc::new), tail.depends, tail.domains);
    if version >= GROWN_MORE {
        let (more, rest): (declared::More, _) = postcard::take_from_bytes(rest)?;
        t.declared.more = more;
        if version >= WITH_DEFERRABLE {
            type Parts = (Vec<(Oid, Deferrable)>, Option<family::Family>, Option<Box<partition::Partition>>);
            let ((keys, family, partition), rest): (Parts, _) = postcard::take_from_bytes(rest)?;
            let mut excludes: Vec<(Oid, Vec<Excluding>)> = Vec::new();
            if version >= WITH_SECURITY {
                let (security, rest) = postcard::take_from_bytes(rest)?;
                t.security = security;
                if version >= WITH_EXCLUSIONS {
                    let (list, rest) = postcard::take_from_bytes(rest)?;
                    excludes = list;
                    if version >= WITH_ONLINE {
                        t.declared.online = Some(Box::new(postcard::from_bytes(rest)?));
                    }
                }
            }
            for i in &mut t.indexes {
                i.excludes = excludes.iter().find(|x| x.0 == i.oid).map(|x| x.1.as_slice().into());
                i.deferrable = keys.iter().find(|k| k.0 == i.oid).map(|k| k.1);
            }
            t.declared.family = family.map(|f| Box::new(family::Family { partition, ..f }));
        } else if version >= WITH_FAMILY {
            let (mut family, rest): (family::Family, _) = postcard::take_from_bytes(rest)?;
            if version >= WITH_PARTITION {
                family.partition = Some(postcard::from_bytes(rest)?);
            }
            t.declared.family = Some(Box::new(family));
        }
    }
    Ok(t)
}

fn function_with_more(body: &[u8]) -> postcard::Result<function::Function> {
    let (mut f, rest): (function::Function, _) = postcard::take_from_bytes(body)?;
    f.more = postcard::from_bytes(rest)?;
    Ok(f)
}
/// A type of the newest format: postcard bytes of its descriptor, then of a domain's collation, or of those of a composite type's attributes: (number, collation).
fn type_with_collations(body: &[u8]) -> postcard::Result<types::UserType> {
    let (mut t, rest): (types::UserType, _) = postcard::take_from_bytes(body)?;
    match &mut t.body {
        types::Body::Domain(d) => d.collation = Some(postcard::from_bytes(rest)?),
        types::Body::Composite(c) => {
            let all: Vec<(i16, Oid)> = postcard::from_bytes(rest)?;
            for f in &mut c.fields {
                f.collation = all.iter().find(|a| a.0 == f.attnum).map(|a| a.1);
            }
        }
        _ => {}
    }
    Ok(t)
}
fn encode_type(t: &types::UserType, out: Vec<u8>) -> postcard::Result<Vec<u8>> {
    let out = postcard::to_extend(t, out)?;
    let of_attributes = t.attribute_collations();
    match t.collation() {
        Some(c) => postcard::to_extend(&c, out),
        None if of_attributes.is_empty() => Ok(out),
        None => postcard::to_extend(&of_attributes, out),
    }
}
/// What an object names in its list, or says to have to stay.
fn names_others(o: &Object) -> Vec<depend::ObjectRef> {
    match o {
        Object::Table(t) => t.depends.clone(),
        Object::Function(f) => f.depends(),
        Object::Operator(o) => o.depends(),
        Object::Cast(c) => c.depends(),
        _ => Vec::new(),
    }
}

/// One object of the catalog.
#[derive(Clone, Debug)]
pub enum Object {
    Database(Arc<Database>),
    Schema(Arc<Schema>),
    Role(Arc<Role>),
    Table(Arc<Table>),
    Sequence(Arc<Sequence>),
    Grants(Arc<acl::Grants>),
    DefaultAcl(Arc<acl::DefaultAcl>),
    Type(Arc<types::UserType>),
    Function(Arc<function::Function>),
    Cast(Arc<operator::Cast>),
    Operator(Arc<operator::Operator>),
    Extended(Arc<extended::Extended>),
    Comments(Arc<comments::Comments>),
    Trigger(Arc<trigger::Trigger>),
    EventTrigger(Arc<trigger::EventTrigger>),
    Rule(Arc<rule::Rule>),
    Policy(Arc<policy::Policy>),
    Extension(Arc<extension::Extension>),
    TsConfig(Arc<text_search::Config>),
    TsDictionary(Arc<text_search::Dictionary>),
}

/// The format that a kind is written in; all from the first on are read.
fn newest(kind: Kind) -> u8 {
    match kind {
        Kind::Table => WITH_ONLINE,
        Kind::Role | Kind::Database | Kind::Function | Kind::Type => GROWN,
        _ => FORMAT,
    }
}

impl Object {
    pub fn kind(&self) -> Kind {
        match self {
            Object::Database(_) => Kind::Database,
            Object::Schema(_) => Kind::Schema,
            Object::Role(_) => Kind::Role,
            Object::Table(_) => Kind::Table,
            Object::Sequence(_) => Kind::Sequence,
            Object::Grants(_) => Kind::Grants,
            Object::DefaultAcl(_) => Kind::DefaultAcl,
            Object::Type(_) => Kind::Type,
            Object::Function(_) => Kind::Function,
            Object::Cast(_) => Kind::Cast,
            Object::Operator(_) => Kind::Operator,
            Object::Extended(_) => Kind::Extended,
            Object::Comments(_) => Kind::Comments,
            Object::Trigger(_) => Kind::Trigger,
            Object::EventTrigger(_) => Kind::EventTrigger,
            Object::Rule(_) => Kind::Rule,
            Object::Policy(_) => Kind::Policy,
            Object::Extension(_) => Kind::Extension,
            Object::TsConfig(_) => Kind::TsConfig,
            Object::TsDictionary(_) => Kind::TsDictionary,
        }
    }
    pub fn oid(&self) -> Oid {
        match self {
            Object::Database(o) => o.oid,
            Object::Schema(o) => o.oid,
            Object::Role(o) => o.oid,
            Object::Table(o) => o.oid,
            Object::Sequence(o) => o.oid,
            Object::Grants(o) => o.oid,
            Object::DefaultAcl(o) => o.oid,
            Object::Type(o) => o.oid,
            Object::Function(o) => o.oid,
            Object::Cast(o) => o.oid,
            Object::Operator(o) => o.oid,
            Object::Extended(o) => o.oid,
            Object::Comments(o) => o.oid,
            Object::Trigger(o) => o.oid,
            Object::EventTrigger(o) => o.oid,
            Object::Rule(o) => o.oid,
            Object::Policy(o) => o.oid,
            Object::Extension(o) => o.oid,
            Object::TsConfig(o) => o.oid,
            Object::TsDictionary(o) => o.oid,
        }
    }
    /// The format of a cluster (`version.rs` of pamir-cluster) from which on all nodes read this object as it would be written now.
    pub fn format(&self) -> u64 {
        match self {
            Object::Policy(_) => SECURITY_FORMAT,
            Object::TsConfig(_) | Object::TsDictionary(_) => TEXT_SEARCH_FORMAT,
            Object::Extension(_) => NEWER_FORMAT,
            Object::Type(t) if matches!(t.body, types::Body::Range(_) | types::Body::Multirange) => NEWER_FORMAT,
            Object::Type(t) if t.collation().is_some() => FAMILY_FORMAT,
            Object::Type(t) if !t.attribute_collations().is_empty() => COLLATED_FORMAT,
            Object::Type(_) => NEW_FORMAT,
            Object::Table(t) if t.declared.online.is_some() => ONLINE_FORMAT,
            Object::Table(t) if has_security(t) || t.has_exclusions() => SECURITY_FORMAT,
            Object::Table(t) if t.has_deferrable_keys() || t.has_new_indexes() => DEFERRABLE_FORMAT,
            Object::Table(t) if t.partition().is_some() => PARTITION_FORMAT,
            Object::Table(t) if t.declared.family.is_some() => FAMILY_FORMAT,
            Object::Table(t) if !t.declared.more.is_empty() => NEWER_FORMAT,
            Object::Table(t) if t.columns.iter().any(|c| is_newer(c.ty)) => NEWER_FORMAT,
            Object::Table(t) if has_tail(t) || t.columns.iter().any(|c| is_new(c.ty)) => NEW_FORMAT,
            Object::Cast(_) | Object::Operator(_) => NEWER_FORMAT,
            Object::Function(f) if f.more.depends.iter().any(|d| d.class.is_text_search()) => TEXT_SEARCH_FORMAT,
            Object::Function(f) if f.more != function::More::default() => NEWER_FORMAT,
            Object::Function(_) => NEW_FORMAT,
            // An older build would run the first action alone, in the place of every change.
            Object::Rule(r) if r.cond.is_some() || r.actions.len() > 1 => FAMILY_FORMAT,
            Object::Rule(r) if !r.instead && !r.actions.is_empty() => FAMILY_FORMAT,
            Object::Rule(_) | Object::Trigger(_) | Object::EventTrigger(_) => NEWER_FORMAT,
            Object::Extended(_) | Object::Comments(_) => NEWER_FORMAT,
            _ => 1,
        }
    }
    pub fn encode(&self) -> Result<Vec<u8>> {
        let out = match self {
            Object::Table(t) if t.declared.online.is_some() => vec![WITH_ONLINE],
            Object::Table(t) if t.has_exclusions() => vec![WITH_EXCLUSIONS],
            Object::Table(t) if has_security(t) => vec![WITH_SECURITY],
            Object::Table(t) if t.has_deferrable_keys() => vec![WITH_DEFERRABLE],
            Object::Table(t) if t.partition().is_some() => vec![WITH_PARTITION],
            Object::Table(t) if t.declared.family.is_some() => vec![WITH_FAMILY],
            Object::Table(t) if !t.declared.more.is_empty() => vec![GROWN_MORE],
            Object::Table(t) if has_tail(t) => vec![TAILED],
            Object::Table(_) => vec![TABLE],
            Object::Function(f) if f.more == function::More::default() => vec![FORMAT],
            Object::Type(t) if t.collation().is_none() && t.attribute_collations().is_empty() => vec![FORMAT],
            o => vec![newest(o.kind())],
        };
        match self {
            Object::Database(o) => postcard::to_extend(&**o, out),
            Object::Schema(o) => postcard::to_extend(&**o, out),
            Object::Role(o) => postcard::to_extend(&**o, out),
            Object::Table(o) if is_long(o) => encode_long(o, out),
            Object::Table(o) => postcard::to_extend(&**o, out),
            Object::Sequence(o) => postcard::to_extend(&**o, out),
            Object::Grants(o) => postcard::to_extend(&**o, out),
            Object::DefaultAcl(o) => postcard::to_extend(&**o, out),
            Object::Type(o) => encode_type(o, out),
            Object::Function(o) if o.more != function::More::default() => {
                postcard::to_extend(&**o, out).and_then(|out| postcard::to_extend(&o.more, out))
            }
            Object::Function(o) => postcard::to_extend(&**o, out),
            Object::Cast(o) => postcard::to_extend(&**o, out),
            Object::Operator(o) => postcard::to_extend(&**o, out),
            Object::Extended(o) => postcard::to_extend(&**o, out),
            Object::Comments(o) => postcard::to_extend(&**o, out),
            Object::Trigger(o) => postcard::to_extend(&**o, out),
            Object::EventTrigger(o) => postcard::to_extend(&**o, out),
            Object::Rule(o) => postcard::to_extend(&**o, out),
            Object::Policy(o) => postcard::to_extend(&**o, out),
            Object::Extension(o) => postcard::to_extend(&**o, out),
            Object::TsConfig(o) => postcard::to_extend(&**o, out),
            Object::TsDictionary(o) => postcard::to_extend(&**o, out),
        }
        .map_err(|e| Error::internal(format!("cannot encode a catalog entry: {e}")))
    }
    /// Reads one entry of the catalog tree; XX001 for anything that is not one.
    pub fn decode(key: &[u8], value: &[u8]) -> Result<Object> {
        let bad = |what: &str| err!(DATA_CORRUPTED, "catalog entry {key:02x?}: {what}");
        let (kind, oid) = match key {
            [k, oid @ ..] => match (Kind::from_byte(*k), <[u8; 4]>::try_from(oid)) {
                (Some(k), Ok(o)) => (k, Oid::from_be_bytes(o)),
                _ => return Err(bad("unknown key")),
            },
            [] => return Err(bad("empty key")),
        };
        let newest = newest(kind);
        let (version, body) = match value {
            [v, body @ ..] if (FORMAT..=newest).contains(v) => (*v, body),
            [v, ..] => return Err(bad(&format!("format version {v}, expected {newest}"))),
            [] => return Err(bad("empty value")),
        };
        let object = match kind {
            Kind::Database if version == FORMAT => {
                postcard::from_bytes::<FirstDatabase>(body).map(|o| Object::Database(Arc::new(o.into())))
            }
            Kind::Database => postcard::from_bytes(body).map(|o| Object::Database(Arc::new(o))),
            Kind::Schema => postcard::from_bytes(body).map(|o| Object::Schema(Arc::new(o))),
            Kind::Role if version == FORMAT => {
                postcard::from_bytes::<FirstRole>(body).map(|o| Object::Role(Arc::new(o.into())))
            }
            Kind::Role => postcard::from_bytes(body).map(|o| Object::Role(Arc::new(o))),
            Kind::Grants => postcard::from_bytes(body).map(|o| Object::Grants(Arc::new(o))),
            Kind::DefaultAcl => postcard::from_bytes(body).map(|o| Object::DefaultAcl(Arc::new(o))),
            Kind::Type if version == FORMAT => postcard::from_bytes(body).map(|o| Object::Type(Arc::new(o))),
            Kind::Type => type_with_collations(body).map(|o| Object::Type(Arc::new(o))),
            // The first format ends where `declared` begins, the others before the newest within it.
            Kind::Table if version < TABLE => {
                let whole = [body, declared::missing(version)].concat();
                postcard::from_bytes(&whole).map(|o| Object::Table(Arc::new(o)))
            }
            Kind::Table if version == TABLE => postcard::from_bytes(body).map(|o| Object::Table(Arc::new(o))),
            Kind::Table => tailed(version, body).map(|o| Object::Table(Arc::new(o))),
            Kind::Sequence => postcard::from_bytes(body).map(|o| Object::Sequence(Arc::new(o))),
            Kind::Function if version == FORMAT => postcard::from_bytes(body).map(|o| Object::Function(Arc::new(o))),
            Kind::Function => function_with_more(body).map(|o| Object::Function(Arc::new(o))),
            Kind::Cast => postcard::from_bytes(body).map(|o| Object::Cast(Arc::new(o))),
            Kind::Operator => postcard::from_bytes(body).map(|o| Object::Operator(Arc::new(o))),
            Kind::Extended => postcard::from_bytes(body).map(|o| Object::Extended(Arc::new(o))),
            Kind::Comments => postcard::from_bytes(body).map(|o| Object::Comments(Arc::new(o))),
            Kind::Trigger => postcard::from_bytes(body).map(|o| Object::Trigger(Arc::new(o))),
            Kind::EventTrigger => postcard::from_bytes(body).map(|o| Object::EventTrigger(Arc::new(o))),
            Kind::Rule => postcard::from_bytes(body).map(|o| Object::Rule(Arc::new(o))),
            Kind::Policy => postcard::from_bytes(body).map(|o| Object::Policy(Arc::new(o))),
            Kind::Extension => postcard::from_bytes(body).map(|o| Object::Extension(Arc::new(o))),
            Kind::TsConfig => postcard::from_bytes(body).map(|o| Object::TsConfig(Arc::new(o))),
            Kind::TsDictionary => postcard::from_bytes(body).map(|o| Object::TsDictionary(Arc::new(o))),
        }
        .map_err(|e| bad(&e.to_string()))?;
        if object.oid() != oid {
            return Err(bad(&format!("holds object {}", object.oid())));
        }
        Ok(object)
    }
}

/// A role as the first format had it.
#[derive(Serialize, Deserialize)]
struct FirstRole {
    oid: Oid,
    name: String,
    superuser: bool,
    login: bool,
    createdb: bool,
    createrole: bool,
    password: Option<String>,
}
impl From<FirstRole> for Role {
    fn from(r: FirstRole) -> Role {
        let FirstRole { oid, name, superuser, login, createdb, createrole, password } = r;
        let (replication, bypassrls) = (superuser, superuser);
        Role { superuser, login, createdb, createrole, password, replication, bypassrls, ..Role::new(oid, &name) }
    }
}
/// A database as the first format had it.
#[derive(Serialize, Deserialize)]
struct FirstDatabase {
    oid: Oid,
    name: String,
    owner: Oid,
    comment: Option<String>,
}
impl From<FirstDatabase> for Database {
    fn from(d: FirstDatabase) -> Database {
        Database { comment: d.comment, ..Database::new(d.oid, d.name, d.owner) }
    }
}
impl Role {
    /// A role with CREATE ROLE's defaults.
    pub fn new(oid: Oid, name: &str) -> Role {
        Role { oid, name: name.into(), inherit: true, connection_limit: -1, ..Role::default() }
    }
}
impl Database {
    pub fn new(oid: Oid, name: String, owner: Oid) -> Database {
        Database {
            oid,
            name,
            owner,
            comment: None,
            is_template: matches!(oid, well_known::TEMPLATE0_DB | well_known::TEMPLATE1_DB),
            allow_connections: oid != well_known::TEMPLATE0_DB,
            connection_limit: -1,
            settings: Vec::new(),
        }
    }
}

/// The key of an object's entry in the catalog tree.
pub fn key(kind: Kind, oid: Oid) -> [u8; 5] {
    let o = oid.to_be_bytes();
    [kind as u8, o[0], o[1], o[2], o[3]]
}

/// What a relation name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelRef {
    Table(Oid),
    Sequence(Oid),
    /// (table, index)
    Index(Oid, Oid),
}

type Names = FxHashMap<Box<str>, Oid>;
type RelationNames = Arc<FxHashMap<Box<str>, RelRef>>;

#[derive(Clone, Default)]
pub struct Inner {
    pub(super) databases: Arc<FxHashMap<Oid, Arc<Database>>>,
    pub(super) database_names: Arc<Names>,
    pub(super) roles: Arc<FxHashMap<Oid, Arc<Role>>>,
    pub(super) role_names: Arc<Names>,
    pub(super) schemas: Arc<FxHashMap<Oid, Arc<Schema>>>,
    /// By database (0: every database's), then by name.
    pub(super) schema_names: Arc<FxHashMap<Oid, Names>>,
    pub(super) tables: Arc<FxHashMap<Oid, Arc<Table>>>,
    pub(super) sequences: Arc<FxHashMap<Oid, Arc<Sequence>>>,
    /// Index to its table.
    pub(super) index_tables: Arc<FxHashMap<Oid, Oid>>,
    pub(super) grants: Arc<FxHashMap<Oid, Arc<acl::Grants>>>,
    pub(super) default_acls: Arc<FxHashMap<Oid, Arc<acl::DefaultAcl>>>,
    pub(super) types: Arc<FxHashMap<Oid, Arc<types::UserType>>>,
    /// By schema, then by name.
    pub(super) type_names: Arc<FxHashMap<Oid, Names>>,
    /// By schema, then by name.
    pub(super) relation_names: Arc<FxHashMap<Oid, RelationNames>>,
    /// By object, the relations whose lists name it: see [`depend`].
    pub(super) dependents: Arc<FxHashMap<(depend::Class, Oid), Vec<Oid>>>,
    pub(super) functions: Arc<FxHashMap<Oid, Arc<function::Function>>>,
    pub(super) operators: Arc<FxHashMap<Oid, Arc<operator::Operator>>>,
    pub(super) casts: Arc<FxHashMap<Oid, Arc<operator::Cast>>>,
    pub(super) extended: Arc<FxHashMap<Oid, Arc<extended::Extended>>>,
    pub(super) comments: Arc<FxHashMap<Oid, Arc<comments::Comments>>>,
    pub(super) triggers: Arc<FxHashMap<Oid, Arc<trigger::Trigger>>>,
    /// By table: [`trigger`].
    pub(super) table_triggers: Arc<FxHashMap<Oid, Arc<trigger::Triggers>>>,
    pub(super) event_triggers: Arc<FxHashMap<Oid, Arc<trigger::EventTrigger>>>,
    pub(super) rules: Arc<FxHashMap<Oid, Arc<rule::Rule>>>,
    pub(super) policies: Arc<FxHashMap<Oid, Arc<policy::Policy>>>,
    pub(super) extensions: Arc<FxHashMap<Oid, Arc<extension::Extension>>>,
    pub(super) ts_configs: Arc<FxHashMap<Oid, Arc<text_search::Config>>>,
    pub(super) ts_dictionaries: Arc<FxHashMap<Oid, Arc<text_search::Dictionary>>>,
    /// Functions by name, and what is of no object's row: see [`routines`].
    pub(super) routines: Arc<routines::Routines>,
}

impl Inner {
    fn all(&self) -> Vec<(Kind, Oid)> {
        fn of<T>(kind: Kind, map: &FxHashMap<Oid, T>, out: &mut Vec<(Kind, Oid)>) {
            out.extend(map.keys().map(|oid| (kind, *oid)));
        }
        let mut out = Vec::new();
        of(Kind::Database, &self.databases, &mut out);
        of(Kind::Schema, &self.schemas, &mut out);
        of(Kind::Role, &self.roles, &mut out);
        of(Kind::Table, &self.tables, &mut out);
        of(Kind::Sequence, &self.sequences, &mut out);
        of(Kind::Grants, &self.grants, &mut out);
        of(Kind::DefaultAcl, &self.default_acls, &mut out);
        of(Kind::Type, &self.types, &mut out);
        of(Kind::Function, &self.functions, &mut out);
        of(Kind::Operator, &self.operators, &mut out);
        of(Kind::Cast, &self.casts, &mut out);
        of(Kind::Extended, &self.extended, &mut out);
        of(Kind::Comments, &self.comments, &mut out);
        of(Kind::Trigger, &self.triggers, &mut out);
        of(Kind::EventTrigger, &self.event_triggers, &mut out);
        of(Kind::Rule, &self.rules, &mut out);
        of(Kind::Policy, &self.policies, &mut out);
        of(Kind::Extension, &self.extensions, &mut out);
        of(Kind::TsConfig, &self.ts_configs, &mut out);
        of(Kind::TsDictionary, &self.ts_dictionaries, &mut out);
        // The order in which names are given up must not hang on a map's.
        out.sort_unstable();
        out
    }
    pub(super) fn schema_oid(&self, db: Oid, name: &str) -> Option<Oid> {
        let of = |db| self.schema_names.get(&db).and_then(|n| n.get(name)).copied();
        of(db).or_else(|| of(0))
    }
    fn name_relation(&mut self, schema: Oid, name: &str, r: RelRef) {
        let names = Arc::make_mut(&mut self.relation_names).entry(schema).or_default();
        Arc::make_mut(names).insert(name.into(), r);
    }
    /// Forgets a name if it still stands for `r` (another object of the same set of changes may have taken it over).
    fn unname_relation(&mut self, schema: Oid, name: &str, r: RelRef) {
        if let Some(names) = Arc::make_mut(&mut self.relation_names).get_mut(&schema)
            && names.get(name) == Some(&r)
        {
            Arc::make_mut(names).remove(name);
        }
    }
    fn unname_table(&mut self, old: &Table) {
        self.unname_relation(old.schema, &old.name, RelRef::Table(old.oid));
        for i in &old.indexes {
            self.unname_relation(old.schema, &i.name, RelRef::Index(old.oid, i.oid));
            Arc::make_mut(&mut self.index_tables).remove(&i.oid);
        }
    }
    /// The way back to an object from what it names.
    fn link(&mut self, object: &Object) {
        let oid = object.oid();
        for on in names_others(object) {
            let list = Arc::make_mut(&mut self.dependents).entry((on.class, on.oid)).or_default();
            if !list.contains(&oid) {
                list.push(oid);
            }
        }
    }
    fn unlink(&mut self, object: &Object) {
        let oid = object.oid();
        for on in names_others(object) {
            if let Some(list) = Arc::make_mut(&mut self.dependents).get_mut(&(on.class, on.oid)) {
                list.retain(|o| *o != oid);
            }
        }
    }
    /// Adds or replaces an object.
    pub fn put(&mut self, object: Object) {
        self.remove(object.kind(), object.oid());
        self.link(&object);
        match object {
            Object::Database(d) => {
                Arc::make_mut(&mut self.database_names).insert((*d.name).into(), d.oid);
                Arc::make_mut(&mut self.databases).insert(d.oid, d);
            }
            Object::Grants(g) => drop(Arc::make_mut(&mut self.grants).insert(g.oid, g)),
            Object::Rule(r) => drop(Arc::make_mut(&mut self.rules).insert(r.oid, r)),
            Object::Policy(p) => drop(Arc::make_mut(&mut self.policies).insert(p.oid, p)),
            Object::DefaultAcl(d) => drop(Arc::make_mut(&mut self.default_acls).insert(d.oid, d)),
            Object::Extended(e) => drop(Arc::make_mut(&mut self.extended).insert(e.oid, e)),
            Object::Comments(c) => drop(Arc::make_mut(&mut self.comments).insert(c.oid, c)),
            Object::TsConfig(c) => {
                // Calls with it may have been computed where it is all that they ask for.
                self.forget_bound();
                Arc::make_mut(&mut self.ts_configs).insert(c.oid, c);
            }
            Object::TsDictionary(d) => {
                self.forget_bound();
                Arc::make_mut(&mut self.ts_dictionaries).insert(d.oid, d);
            }
            Object::Type(t) => {
                Arc::make_mut(&mut self.type_names).entry(t.schema).or_default().insert((*t.name).into(), t.oid);
                Arc::make_mut(&mut self.types).insert(t.oid, t);
            }
            Object::Function(f) => {
                let oid = f.oid;
                Arc::make_mut(&mut self.routines).put_function(&f);
                Arc::make_mut(&mut self.functions).insert(oid, f);
                // What operators keep of it is of its former version.
                let over: Vec<_> = self.operators.values().filter(|o| o.function == oid).cloned().collect();
                for o in over {
                    self.put(Object::Operator(Arc::new((*o).clone())));
                }
            }
            Object::Operator(o) => {
                Arc::make_mut(&mut self.routines).put_operator(&o);
                Arc::make_mut(&mut self.operators).insert(o.oid, o);
            }
            Object::Cast(c) => drop(Arc::make_mut(&mut self.casts).insert(c.oid, c)),
            Object::Trigger(t) => self.put_trigger(t),
            Object::EventTrigger(t) => drop(Arc::make_mut(&mut self.event_triggers).insert(t.oid, t)),
            Object::Extension(e) => {
                self.forget_bound();
                Arc::make_mut(&mut self.extensions).insert(e.oid, e);
            }
            Object::Role(r) => {
                Arc::make_mut(&mut self.role_names).insert((*r.name).into(), r.oid);
                Arc::make_mut(&mut self.roles).insert(r.oid, r);
            }
            Object::Schema(s) => {
                Arc::make_mut(&mut self.schema_names).entry(s.database).or_default().insert((*s.name).into(), s.oid);
                Arc::make_mut(&mut self.schemas).insert(s.oid, s);
            }
            Object::Sequence(s) => {
                self.name_relation(s.schema, &s.name, RelRef::Sequence(s.oid));
                Arc::make_mut(&mut self.sequences).insert(s.oid, s);
            }
            Object::Table(t) => {
                self.name_relation(t.schema, &t.name, RelRef::Table(t.oid));
                for i in &t.indexes {
                    self.name_relation(t.schema, &i.name, RelRef::Index(t.oid, i.oid));
                    Arc::make_mut(&mut self.index_tables).insert(i.oid, t.oid);
                }
                let t = self.with_triggers(t);
                Arc::make_mut(&mut self.tables).insert(t.oid, t);
            }
        }
    }
    /// Removes an object if it is there.
    pub fn remove(&mut self, kind: Kind, oid: Oid) {
        fn unname(names: &mut Arc<Names>, name: &str, oid: Oid) {
            if names.get(name) == Some(&oid) {
                Arc::make_mut(names).remove(name);
            }
        }
        match kind {
            Kind::Database if self.databases.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.databases).remove(&oid) {
                    unname(&mut self.database_names, &old.name, oid);
                }
            }
            Kind::Role if self.roles.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.roles).remove(&oid) {
                    unname(&mut self.role_names, &old.name, oid);
                }
            }
            Kind::Schema if self.schemas.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.schemas).remove(&oid)
                    && let Some(names) = Arc::make_mut(&mut self.schema_names).get_mut(&old.database)
                    && names.get(&*old.name) == Some(&oid)
                {
                    names.remove(&*old.name);
                }
            }
            Kind::Type if self.types.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.types).remove(&oid)
                    && let Some(names) = Arc::make_mut(&mut self.type_names).get_mut(&old.schema)
                    && names.get(&*old.name) == Some(&oid)
                {
                    names.remove(&*old.name);
                }
            }
            Kind::Table if self.tables.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.tables).remove(&oid) {
                    self.unname_table(&old);
                    self.unlink(&Object::Table(old));
                }
            }
            Kind::Sequence if self.sequences.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.sequences).remove(&oid) {
                    self.unname_relation(old.schema, &old.name, RelRef::Sequence(oid));
                }
            }
            Kind::Function if self.functions.contains_key(&oid) => {
                Arc::make_mut(&mut self.routines).remove_function(oid);
                if let Some(old) = Arc::make_mut(&mut self.functions).remove(&oid) {
                    self.unlink(&Object::Function(old));
                }
                self.forget_bound();
            }
            Kind::Operator if self.operators.contains_key(&oid) => {
                Arc::make_mut(&mut self.routines).remove_operator(oid);
                if let Some(old) = Arc::make_mut(&mut self.operators).remove(&oid) {
                    self.unlink(&Object::Operator(old));
                }
                self.forget_bound();
            }
            Kind::Cast if self.casts.contains_key(&oid) => {
                if let Some(old) = Arc::make_mut(&mut self.casts).remove(&oid) {
                    self.unlink(&Object::Cast(old));
                }
                self.forget_bound();
            }
            Kind::Extended if self.extended.contains_key(&oid) => drop(Arc::make_mut(&mut self.extended).remove(&oid)),
            Kind::Comments if self.comments.contains_key(&oid) => drop(Arc::make_mut(&mut self.comments).remove(&oid)),
            Kind::Trigger if self.triggers.contains_key(&oid) => self.remove_trigger(oid),
            Kind::EventTrigger if self.event_triggers.contains_key(&oid) => {
                drop(Arc::make_mut(&mut self.event_triggers).remove(&oid))
            }
            Kind::Rule if self.rules.contains_key(&oid) => drop(Arc::make_mut(&mut self.rules).remove(&oid)),
            Kind::Policy if self.policies.contains_key(&oid) => drop(Arc::make_mut(&mut self.policies).remove(&oid)),
            Kind::Extension if self.extensions.contains_key(&oid) => {
                Arc::make_mut(&mut self.extensions).remove(&oid);
                self.forget_bound();
            }
            Kind::TsConfig if self.ts_configs.contains_key(&oid) => {
                drop(Arc::make_mut(&mut self.ts_configs).remove(&oid))
            }
            Kind::TsDictionary if self.ts_dictionaries.contains_key(&oid) => {
                drop(Arc::make_mut(&mut self.ts_dictionaries).remove(&oid))
            }
            Kind::Grants if self.grants.contains_key(&oid) => drop(Arc::make_mut(&mut self.grants).remove(&oid)),
            Kind::DefaultAcl if self.default_acls.contains_key(&oid) => {
                drop(Arc::make_mut(&mut self.default_acls).remove(&oid))
            }
            _ => {}
        }
    }
}

impl Catalog {
    /// The objects of a new shard: three databases with their `public`, pg_catalog, information_schema, the role postgres.
    pub fn initial_objects() -> Vec<Object> {
        use well_known::*;
        let db = |oid, name: &str, comment: &str| {
            let d = Database::new(oid, name.into(), POSTGRES_ROLE);
            Object::Database(Arc::new(Database { comment: Some(comment.into()), ..d }))
        };
        let schema = |oid, database, name: &str, comment: Option<&str>| {
            Object::Schema(Arc::new(Schema {
                oid,
                database,
                name: name.into(),
                owner: POSTGRES_ROLE,
                comment: comment.map(String::from),
            }))
        };
        let public = Some("standard public schema");
        let mut objects = vec![
            db(TEMPLATE1_DB, "template1", "default template for new databases"),
            db(TEMPLATE0_DB, "template0", "unmodifiable empty database"),
            db(POSTGRES_DB, "postgres", "default administrative connection database"),
            schema(PG_CATALOG, 0, "pg_catalog", Some("system catalog schema")),
            schema(INFORMATION_SCHEMA, 0, "information_schema", None),
            schema(PUBLIC, POSTGRES_DB, "public", public),
            schema(TEMPLATE1_PUBLIC, TEMPLATE1_DB, "public", public),
            schema(TEMPLATE0_PUBLIC, TEMPLATE0_DB, "public", public),
            Object::Role(Arc::new(Role {
                superuser: true,
                login: true,
                createdb: true,
                createrole: true,
                replication: true,
                bypassrls: true,
                ..Role::new(POSTGRES_ROLE, "postgres")
            })),
        ];
        let more = Catalog::privilege_objects(&objects);
        // What `more` has anew replaces what was there: the schemas `public` get their owner.
        objects.retain(|o| !more.iter().any(|m| (m.kind(), m.oid()) == (o.kind(), o.oid())));
        objects.extend(more);
        objects
    }
    /// What a catalog without privileges lacks: the predefined roles, and the lists of PostgreSQL's own objects. A directory from before there were any
    /// gets them when it is opened.
    pub fn privilege_objects(objects: &[Object]) -> Vec<Object> {
        use acl::{AclItem, CONNECT, Grants, ObjectKind, predefined};
        use well_known::*;
        let role = |(oid, name): (Oid, &str)| {
            let mut r = Role::new(oid, name);
            if oid == predefined::MONITOR {
                r.member_of = [predefined::READ_ALL_SETTINGS, predefined::READ_ALL_STATS, predefined::STAT_SCAN_TABLES]
                    .map(|role| Membership { role, grantor: POSTGRES_ROLE, admin: false })
                    .to_vec();
            }
            Object::Role(Arc::new(r))
        };
        let grants = |oid, acl| Object::Grants(Arc::new(Grants { oid, acl: Some(acl), columns: Vec::new() }));
        let mut out: Vec<Object> = predefined::ALL.map(role).into();
        for template in [TEMPLATE1_DB, TEMPLATE0_DB] {
            let item = |grantee, privs| AclItem { grantee, grantor: POSTGRES_ROLE, privs, options: 0 };
            let acl = vec![item(acl::PUBLIC, CONNECT), item(POSTGRES_ROLE, ObjectKind::Database.all())];
            out.push(grants(template, acl));
        }
        for o in objects {
            if let Object::Schema(s) = o
                && s.name == "public"
            {
                let owner = if s.owner == POSTGRES_ROLE { predefined::DATABASE_OWNER } else { s.owner };
                out.push(Object::Schema(Arc::new(Schema { owner, ..(**s).clone() })));
                out.push(grants(s.oid, acl::public_schema_acl()));
            }
        }
        out
    }
    /// A catalog of the initial objects.
    pub fn initial() -> Catalog {
        Catalog::from_objects(1, Catalog::initial_objects())
    }
    pub fn from_objects(version: u64, objects: impl IntoIterator<Item = Object>) -> Catalog {
        let mut inner = Inner::default();
        objects.into_iter().for_each(|o| inner.put(o));
        Catalog { version, inner: Arc::new(inner), temporary: None, new_labels: Vec::new() }
    }
    /// These objects in place of all that are here (version + 1). What has not changed stays the same object, with what upper floors keep in it.
    pub fn replaced_by(&self, objects: Vec<Object>) -> Catalog {
        let mut inner = (*self.inner).clone();
        let there: FxHashSet<(Kind, Oid)> = objects.iter().map(|o| (o.kind(), o.oid())).collect();
        for (kind, oid) in self.inner.all().into_iter().filter(|o| !there.contains(o)) {
            inner.remove(kind, oid);
        }
        let same = |a: &Object, b: &Object| matches!((a.encode(), b.encode()), (Ok(a), Ok(b)) if a == b);
        for o in objects {
            if !self.object(o.kind(), o.oid()).is_some_and(|old| same(&old, &o)) {
                inner.put(o);
            }
        }
        Catalog {
            version: self.version + 1,
            inner: Arc::new(inner),
            temporary: self.temporary.clone(),
            new_labels: self.new_labels.clone(),
        }
    }
    /// This catalog with an object added or replaced (version + 1).
    pub fn with(&self, object: Object) -> Catalog {
        let mut inner = (*self.inner).clone();
        inner.put(object);
        Catalog {
            version: self.version + 1,
            inner: Arc::new(inner),
            temporary: self.temporary.clone(),
            new_labels: self.new_labels.clone(),
        }
    }
    /// This catalog with a table added or replaced (version + 1); tests build catalogs with it.
    pub fn with_table(&self, table: Table) -> Catalog {
        self.with(Object::Table(Arc::new(table)))
    }
    /// The newest state of an object.
    pub fn object(&self, kind: Kind, oid: Oid) -> Option<Object> {
        match kind {
            Kind::Database => self.of(oid).databases.get(&oid).cloned().map(Object::Database),
            Kind::Schema => self.of(oid).schemas.get(&oid).cloned().map(Object::Schema),
            Kind::Role => self.of(oid).roles.get(&oid).cloned().map(Object::Role),
            Kind::Table => self.of(oid).tables.get(&oid).cloned().map(Object::Table),
            Kind::Sequence => self.of(oid).sequences.get(&oid).cloned().map(Object::Sequence),
            Kind::Grants => self.of(oid).grants.get(&oid).cloned().map(Object::Grants),
            Kind::DefaultAcl => self.of(oid).default_acls.get(&oid).cloned().map(Object::DefaultAcl),
            Kind::Type => self.of(oid).types.get(&oid).cloned().map(Object::Type),
            Kind::Function => self.of(oid).functions.get(&oid).cloned().map(Object::Function),
            Kind::Cast => self.of(oid).casts.get(&oid).cloned().map(Object::Cast),
            Kind::Operator => self.of(oid).operators.get(&oid).cloned().map(Object::Operator),
            Kind::Extended => self.of(oid).extended.get(&oid).cloned().map(Object::Extended),
            Kind::Comments => self.of(oid).comments.get(&oid).cloned().map(Object::Comments),
            Kind::Trigger => self.of(oid).triggers.get(&oid).cloned().map(Object::Trigger),
            Kind::EventTrigger => self.of(oid).event_triggers.get(&oid).cloned().map(Object::EventTrigger),
            Kind::Rule => self.of(oid).rules.get(&oid).cloned().map(Object::Rule),
            Kind::Policy => self.of(oid).policies.get(&oid).cloned().map(Object::Policy),
            Kind::Extension => self.of(oid).extensions.get(&oid).cloned().map(Object::Extension),
            Kind::TsConfig => self.of(oid).ts_configs.get(&oid).cloned().map(Object::TsConfig),
            Kind::TsDictionary => self.of(oid).ts_dictionaries.get(&oid).cloned().map(Object::TsDictionary),
        }
    }
    pub fn put(&mut self, object: Object) {
        self.layer_of(object.oid()).put(object)
    }
    pub fn remove(&mut self, kind: Kind, oid: Oid) {
        self.layer_of(oid).remove(kind, oid)
    }
    fn layer_of(&mut self, oid: Oid) -> &mut Inner {
        match temporary::is_temporary(oid) {
            true => Arc::make_mut(self.temporary.get_or_insert_default()),
            false => Arc::make_mut(&mut self.inner),
        }
    }
}
