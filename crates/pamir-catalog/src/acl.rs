//! Access control: who may do what with which object.
//!
//! An object's list is kept beside it, in an entry of its own ([`Grants`], by the object's OID): a GRANT changes no table's descriptor, takes no lock on
//! the table, and a list that is not there is PostgreSQL's default for the kind of object. Memberships stand in the member's role.
//!
//! ```text
//!   Grants { oid: 16390, acl: [alice=r*w/postgres], columns: [(2, [bob=w/alice])] }        relacl, attacl
//!   Role   { bob, inherit, member_of: [(staff, granted by postgres, admin)] }              pg_auth_members
//!   Who    bob as the catalog has him: himself, and all roles whose privileges he has
//! ```
//! Privileges are checked where a plan is made (`session/query.rs`), once for each catalog version and role, never for a row. [`Who`] answers for tables,
//! columns, sequences, schemas and databases as `pg_*_aclmask` do.
//!
//! Invariants: an item of a list has at least one privilege; (grantee, grantor) are unique in it. A default entry's `oid` is its own.
//! Limits: functions, types, languages and what else has no GRANT here keep PostgreSQL's defaults.
use super::{Catalog, NameScope, Schema, Sequence, Table, defs, well_known};
use pamir_types::array::Array;
use pamir_types::{Datum, Oid, Result, bail, oid};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// A set of privileges: PostgreSQL's bits.
pub type Mode = u16;
pub const INSERT: Mode = 1;
pub const SELECT: Mode = 1 << 1;
pub const UPDATE: Mode = 1 << 2;
pub const DELETE: Mode = 1 << 3;
pub const TRUNCATE: Mode = 1 << 4;
pub const REFERENCES: Mode = 1 << 5;
pub const TRIGGER: Mode = 1 << 6;
pub const EXECUTE: Mode = 1 << 7;
pub const USAGE: Mode = 1 << 8;
pub const CREATE: Mode = 1 << 9;
pub const TEMPORARY: Mode = 1 << 10;
pub const CONNECT: Mode = 1 << 11;
pub const SET: Mode = 1 << 12;
pub const ALTER_SYSTEM: Mode = 1 << 13;
/// Letters of the bits from the lowest on.
const LETTERS: &str = "arwdDxtXUCTcsA";
/// Names of the bits from the lowest on.
pub const NAMES: [&str; 14] = [
    "INSERT",
    "SELECT",
    "UPDATE",
    "DELETE",
    "TRUNCATE",
    "REFERENCES",
    "TRIGGER",
    "EXECUTE",
    "USAGE",
    "CREATE",
    "TEMPORARY",
    "CONNECT",
    "SET",
    "ALTER SYSTEM",
];
/// Everybody, as a grantee.
pub const PUBLIC: Oid = 0;

/// The roles that PostgreSQL makes by itself.
pub mod predefined {
    use pamir_types::Oid;
    pub const MONITOR: Oid = 3373;
    pub const READ_ALL_SETTINGS: Oid = 3374;
    pub const READ_ALL_STATS: Oid = 3375;
    pub const STAT_SCAN_TABLES: Oid = 3377;
    pub const SIGNAL_BACKEND: Oid = 4200;
    pub const READ_SERVER_FILES: Oid = 4569;
    pub const WRITE_SERVER_FILES: Oid = 4570;
    pub const CHECKPOINT: Oid = 4544;
    pub const DATABASE_OWNER: Oid = 6171;
    pub const READ_ALL_DATA: Oid = 6181;
    pub const WRITE_ALL_DATA: Oid = 6182;
    pub const ALL: [(Oid, &str); 12] = [
        (DATABASE_OWNER, "pg_database_owner"),
        (READ_ALL_DATA, "pg_read_all_data"),
        (WRITE_ALL_DATA, "pg_write_all_data"),
        (MONITOR, "pg_monitor"),
        (READ_ALL_SETTINGS, "pg_read_all_settings"),
        (READ_ALL_STATS, "pg_read_all_stats"),
        (STAT_SCAN_TABLES, "pg_stat_scan_tables"),
        (READ_SERVER_FILES, "pg_read_server_files"),
        (WRITE_SERVER_FILES, "pg_write_server_files"),
        (4571, "pg_execute_server_program"),
        (SIGNAL_BACKEND, "pg_signal_backend"),
        (CHECKPOINT, "pg_checkpoint"),
    ];
}

/// What a list belongs to; the letter is pg_default_acl's and acldefault's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ObjectKind {
    Table,
    Column,
    Sequence,
    Schema,
    Database,
    Function,
    Type,
    Language,
    LargeObject,
}
impl ObjectKind {
    /// Every privilege there is for it.
    pub fn all(self) -> Mode {
        match self {
            ObjectKind::Table => INSERT | SELECT | UPDATE | DELETE | TRUNCATE | REFERENCES | TRIGGER,
            ObjectKind::Column => INSERT | SELECT | UPDATE | REFERENCES,
            ObjectKind::Sequence => USAGE | SELECT | UPDATE,
            ObjectKind::Schema => USAGE | CREATE,
            ObjectKind::Database => CREATE | TEMPORARY | CONNECT,
            ObjectKind::Function => EXECUTE,
            ObjectKind::Type | ObjectKind::Language => USAGE,
            ObjectKind::LargeObject => SELECT | UPDATE,
        }
    }
    /// What PUBLIC has where nobody granted anything.
    fn public(self) -> Mode {
        match self {
            ObjectKind::Database => TEMPORARY | CONNECT,
            ObjectKind::Function => EXECUTE,
            ObjectKind::Type | ObjectKind::Language => USAGE,
            _ => 0,
        }
    }
    pub fn word(self) -> &'static str {
        match self {
            ObjectKind::Table => "table",
            ObjectKind::Column => "column",
            ObjectKind::Sequence => "sequence",
            ObjectKind::Schema => "schema",
            ObjectKind::Database => "database",
            ObjectKind::Function => "function",
            ObjectKind::Type => "type",
            ObjectKind::Language => "language",
            ObjectKind::LargeObject => "large object",
        }
    }
    /// pg_default_acl.defaclobjtype.
    pub fn letter(self) -> char {
        match self {
            ObjectKind::Table => 'r',
            ObjectKind::Sequence => 'S',
            ObjectKind::Schema => 'n',
            ObjectKind::Function => 'f',
            ObjectKind::Type => 'T',
            ObjectKind::Database => 'd',
            ObjectKind::Language => 'l',
            ObjectKind::Column => 'c',
            ObjectKind::LargeObject => 'L',
        }
    }
}

/// `grantee=arw*/grantor`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AclItem {
    pub grantee: Oid,
    pub grantor: Oid,
    pub privs: Mode,
    /// Which of them may be granted on.
    pub options: Mode,
}
pub type Acl = Vec<AclItem>;

/// The lists of one object.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Grants {
    pub oid: Oid,
    /// None: the default of its kind.
    pub acl: Option<Acl>,
    /// By attnum; no empty lists.
    pub columns: Vec<(i16, Acl)>,
}
impl Grants {
    pub fn column(&self, attnum: i16) -> Option<&Acl> {
        self.columns.iter().find(|c| c.0 == attnum).map(|c| &c.1)
    }
}
/// ALTER DEFAULT PRIVILEGES: what objects that `role` makes start with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultAcl {
    pub oid: Oid,
    pub role: Oid,
    pub database: Oid,
    /// 0: in every schema; the list then takes the place of the kind's default, else it is added.
    pub schema: Oid,
    pub kind: ObjectKind,
    pub acl: Acl,
}

/// The list an object of this kind and owner has where none is kept (acldefault).
pub fn default_acl(kind: ObjectKind, owner: Oid) -> Acl {
    let mut acl = Vec::with_capacity(2);
    let public = kind.public();
    if public != 0 {
        acl.push(AclItem { grantee: PUBLIC, grantor: owner, privs: public, options: 0 });
    }
    if kind != ObjectKind::Column {
        acl.push(AclItem { grantee: owner, grantor: owner, privs: kind.all(), options: 0 });
    }
    acl
}
/// The list of a new schema `public`.
pub fn public_schema_acl() -> Acl {
    let owner = predefined::DATABASE_OWNER;
    vec![
        AclItem { grantee: owner, grantor: owner, privs: USAGE | CREATE, options: 0 },
        AclItem { grantee: PUBLIC, grantor: owner, privs: USAGE, options: 0 },
    ]
}

/// The letters of a set, a star behind each that may be granted on.
pub fn letters(privs: Mode, options: Mode) -> String {
    let mut s = String::new();
    for (i, c) in LETTERS.chars().enumerate() {
        if privs & 1 << i != 0 {
            s.push(c);
            if options & 1 << i != 0 {
                s.push('*');
            }
        }
    }
    s
}
/// The name of a role as aclitem's text has it.
fn put_id(catalog: &Catalog, role: Oid, out: &mut String) {
    let Some(r) = catalog.role(role) else {
        let _ = write!(out, "{role}");
        return;
    };
    if r.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        out.push_str(&r.name);
    } else {
        out.push_str(&defs::quoted(&r.name));
    }
}
/// aclitem's text.
pub fn item_text(catalog: &Catalog, i: &AclItem) -> String {
    let mut s = String::new();
    if i.grantee != PUBLIC {
        put_id(catalog, i.grantee, &mut s);
    }
    s.push('=');
    s.push_str(&letters(i.privs, i.options));
    s.push('/');
    put_id(catalog, i.grantor, &mut s);
    s
}
/// A possibly quoted role name at the start of `s`, and what follows it.
fn get_id(s: &str) -> (String, &str) {
    let (mut name, mut quoted) = (String::new(), false);
    let mut chars = s.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if quoted && chars.peek().is_some_and(|x| x.1 == '"') => {
                name.push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            c if quoted || c.is_alphanumeric() || c == '_' => name.push(c),
            _ => return (name, s.get(at..).unwrap_or("")),
        }
    }
    (name, "")
}
/// aclitem's input.
pub fn parse_item(catalog: &Catalog, text: &str) -> Result<AclItem> {
    let role = |name: &str| match catalog.role_by_name(name) {
        Some(r) => Ok(r.oid),
        // A dropped role goes by its number.
        None => match name.parse() {
            Ok(oid) => Ok(oid),
            Err(_) => bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist"),
        },
    };
    let (mut name, mut rest) = get_id(text.trim_start());
    if !rest.starts_with('=') {
        if name != "group" && name != "user" {
            return Err(pamir_types::err!(INVALID_TEXT_REPRESENTATION, "unrecognized key word: \"{name}\"")
                .hint("ACL key word must be \"group\" or \"user\"."));
        }
        (name, rest) = get_id(rest.trim_start());
        if name.is_empty() {
            return Err(pamir_types::err!(INVALID_TEXT_REPRESENTATION, "missing name")
                .hint("A name must follow the \"group\" or \"user\" key word."));
        }
    }
    let Some(list) = rest.strip_prefix('=') else {
        bail!(INVALID_TEXT_REPRESENTATION, "missing \"=\" sign");
    };
    let (mut privs, mut options, mut last, mut end) = (0, 0, 0, list.len());
    for (at, c) in list.char_indices() {
        match (c, LETTERS.find(c)) {
            ('*', _) => options |= last,
            (_, Some(bit)) => {
                last = 1 << bit;
                privs |= last;
            }
            ('/', _) => {
                end = at;
                break;
            }
            (c, None) if c.is_whitespace() => {
                end = at;
                break;
            }
            (c, None) => {
                bail!(INVALID_TEXT_REPRESENTATION, "invalid mode character: must be one of \"{LETTERS}\", not \"{c}\"")
            }
        }
    }
    let grantee = if name.is_empty() { PUBLIC } else { role(&name)? };
    let grantor = match list.get(end..).and_then(|s| s.strip_prefix('/')) {
        Some(s) => {
            let (name, rest) = get_id(s);
            if name.is_empty() {
                bail!(INVALID_TEXT_REPRESENTATION, "a name must follow the \"/\" sign");
            }
            if !rest.trim().is_empty() {
                bail!(INVALID_TEXT_REPRESENTATION, "extra garbage at the end of the ACL specification");
            }
            role(&name)?
        }
        None => well_known::POSTGRES_ROLE,
    };
    Ok(AclItem { grantee, grantor, privs, options })
}

/// The role of uses within a view with security_invoker: the user's privileges count, whatever view that one is in.
pub const INVOKER: Oid = Oid::MAX;

/// One use that a statement makes of a relation, or of a function: what must be allowed before it runs (PostgreSQL's RangeTblEntry.requiredPerms and its column sets).
#[derive(Clone, Debug, Default)]
pub struct Use {
    pub relation: Oid,
    /// Whose privileges count: of what a view reads, its owner's; 0: the user's; [`INVOKER`].
    pub role: Oid,
    pub required: Mode,
    /// Attribute numbers, unsorted, each once.
    pub selected: SmallVec<[i16; 8]>,
    pub inserted: SmallVec<[i16; 8]>,
    pub updated: SmallVec<[i16; 8]>,
}
impl Use {
    pub fn add(list: &mut SmallVec<[i16; 8]>, attnum: i16) {
        if !list.contains(&attnum) {
            list.push(attnum);
        }
    }
}

type Roles = SmallVec<[Oid; 4]>;

/// A role, and those it is a member of. `inherited`: those whose privileges it has without SET ROLE.
fn closure(catalog: &Catalog, role: Oid, database: Oid, inherited: bool) -> Roles {
    let mut out: Roles = SmallVec::from_slice(&[role]);
    let owner = catalog.database(database).map(|d| d.owner);
    let mut at = 0;
    while let Some(&r) = out.get(at) {
        at += 1;
        if owner == Some(r) && !out.contains(&predefined::DATABASE_OWNER) {
            out.push(predefined::DATABASE_OWNER);
        }
        let Some(r) = catalog.role(r) else { continue };
        if inherited && !r.inherit {
            continue;
        }
        for m in &r.member_of {
            if !out.contains(&m.role) {
                out.push(m.role);
            }
        }
    }
    out
}
/// Whether `member` is in `role`, whether or not it inherits; `database` is the current one. A superuser is in every role.
pub fn is_member(catalog: &Catalog, member: Oid, role: Oid, database: Oid) -> bool {
    member == role
        || catalog.role(member).is_some_and(|r| r.superuser)
        || is_member_nosuper(catalog, member, role, database)
}
pub fn is_member_nosuper(catalog: &Catalog, member: Oid, role: Oid, database: Oid) -> bool {
    member == role || closure(catalog, member, database, false).contains(&role)
}
/// Whether `member` may grant `role` to others.
pub fn is_admin(catalog: &Catalog, member: Oid, role: Oid) -> bool {
    if catalog.role(member).is_some_and(|r| r.superuser) {
        return true;
    }
    // A role has no admin option on itself; the implicit member of pg_database_owner has none.
    closure(catalog, member, 0, false)
        .iter()
        .filter_map(|r| catalog.role(*r))
        .any(|r| r.member_of.iter().any(|m| m.role == role && m.admin))
}

/// A role with all whose privileges it has.
#[derive(Clone, Debug)]
pub struct Who {
    pub role: Oid,
    pub superuser: bool,
    pub roles: Roles,
}

impl Who {
    pub fn new(catalog: &Catalog, role: Oid, database: Oid) -> Who {
        let superuser = catalog.role(role).is_some_and(|r| r.superuser);
        // A superuser has every privilege, whatever it is a member of.
        let roles = if superuser { SmallVec::from_slice(&[role]) } else { closure(catalog, role, database, true) };
        Who { role, superuser, roles }
    }
    /// As the session's current user.
    pub fn of(catalog: &Catalog, scope: &NameScope) -> Who {
        Who::new(catalog, scope.user, scope.database)
    }
    /// Has it this role's privileges?
    pub fn has_role(&self, role: Oid) -> bool {
        self.superuser || self.roles.contains(&role)
    }
    /// aclmask: which of `mask` the list gives; `options`: may be granted on.
    fn mask(&self, acl: &[AclItem], owner: Oid, mask: Mode, options: bool) -> Mode {
        if options && self.has_role(owner) {
            return mask;
        }
        let of = |i: &AclItem| if options { i.options } else { i.privs };
        acl.iter()
            .filter(|i| i.grantee == PUBLIC || self.roles.contains(&i.grantee))
            .fold(0, |have, i| have | of(i) & mask)
    }
    /// Which of `mask` it has on what is kept with its list beside the catalog.
    pub fn by_list(&self, acl: &[AclItem], owner: Oid, mask: Mode) -> Mode {
        if self.superuser { mask } else { self.mask(acl, owner, mask, false) }
    }
    /// Which of `mask` it has on an object of a kind.
    pub fn on(&self, catalog: &Catalog, kind: ObjectKind, oid: Oid, owner: Oid, mask: Mode, options: bool) -> Mode {
        if self.superuser {
            return mask;
        }
        if oid == crate::temporary::SCHEMA && !options {
            // One's own: who may make temporary tables may do so there.
            let database = catalog.temporary_schema().map_or(0, |s| s.database);
            let makes = self.on_database(catalog, database, TEMPORARY) != 0;
            return mask & if makes { USAGE | CREATE } else { USAGE };
        }
        let acl = catalog.acl(kind, oid, owner);
        let mut have = self.mask(&acl, owner, mask, options);
        if options {
            return have;
        }
        let (reads, writes) = match kind {
            ObjectKind::Table | ObjectKind::Sequence => (SELECT, INSERT | UPDATE | DELETE),
            ObjectKind::Schema => (USAGE, USAGE),
            _ => (0, 0),
        };
        for (role, gives) in [(predefined::READ_ALL_DATA, reads), (predefined::WRITE_ALL_DATA, writes)] {
            if mask & gives & !have != 0 && self.roles.contains(&role) {
                have |= mask & gives;
            }
        }
        have
    }
    /// Has it something on everything of a kind, as a member of pg_read_all_data or pg_write_all_data?
    pub fn reads_or_writes(&self, kind: ObjectKind) -> bool {
        use ObjectKind::{Column, Schema, Sequence, Table};
        matches!(kind, Table | Column | Sequence | Schema)
            && [predefined::READ_ALL_DATA, predefined::WRITE_ALL_DATA].iter().any(|r| self.roles.contains(r))
    }
    pub fn on_table(&self, catalog: &Catalog, t: &Table, mask: Mode) -> Mode {
        self.on(catalog, ObjectKind::Table, t.oid, t.owner, mask, false)
    }
    /// What its columns' own lists give.
    pub fn on_column(&self, catalog: &Catalog, t: &Table, attnum: i16, mask: Mode, options: bool) -> Mode {
        match catalog.grants(t.oid).and_then(|g| g.column(attnum)) {
            Some(acl) => self.mask(acl, t.owner, mask, options),
            None if options && self.has_role(t.owner) => mask,
            None => 0,
        }
    }
    /// The table's list or, of each column, its own.
    pub fn on_columns(&self, catalog: &Catalog, t: &Table, attnums: &[i16], mode: Mode) -> bool {
        self.on_table(catalog, t, mode) != 0
            || !attnums.is_empty() && attnums.iter().all(|a| self.on_column(catalog, t, *a, mode, false) != 0)
    }
    /// The table's list or that of any column.
    pub fn on_any_column(&self, catalog: &Catalog, t: &Table, mode: Mode) -> bool {
        self.on_table(catalog, t, mode) != 0
            || t.live_columns().any(|c| self.on_column(catalog, t, c.attnum, mode, false) != 0)
    }
    pub fn on_sequence(&self, catalog: &Catalog, s: &Sequence, mask: Mode) -> Mode {
        self.on(catalog, ObjectKind::Sequence, s.oid, s.owner, mask, false)
    }
    pub fn on_schema(&self, catalog: &Catalog, s: &Schema, mask: Mode) -> Mode {
        self.on(catalog, ObjectKind::Schema, s.oid, s.owner, mask, false)
    }
    pub fn on_database(&self, catalog: &Catalog, database: Oid, mask: Mode) -> Mode {
        let owner = catalog.database(database).map_or(well_known::POSTGRES_ROLE, |d| d.owner);
        self.on(catalog, ObjectKind::Database, database, owner, mask, false)
    }
    /// Reading one of pg_catalog's tables.
    pub fn on_virtual(&self, name: &str) -> bool {
        if self.superuser {
            return true;
        }
        match name {
            "cluster_nodes" | "cluster_status" => self.has_role(predefined::MONITOR),
            "pg_backend_memory_contexts" | "pg_shmem_allocations" => self.has_role(predefined::READ_ALL_STATS),
            "pg_authid"
            | "pg_config"
            | "pg_file_settings"
            | "pg_hba_file_rules"
            | "pg_ident_file_mappings"
            | "pg_largeobject"
            | "pg_replication_origin_status"
            | "pg_shadow"
            | "pg_statistic"
            | "pg_statistic_ext_data"
            | "pg_subscription"
            | "pg_user_mapping" => self.has_role(predefined::READ_ALL_DATA),
            _ => true,
        }
    }

    /// ExecCheckRTEPerms: may the statement make this use? 42501 otherwise.
    pub fn check(&self, catalog: &Catalog, u: &Use) -> Result<()> {
        if u.role != 0 && u.role != INVOKER {
            let database = catalog.table(u.relation).map_or(0, |t| t.database);
            return Who::new(catalog, u.role, database).check(catalog, &Use { role: 0, ..u.clone() });
        }
        if self.superuser || u.required == 0 {
            return Ok(());
        }
        if let Some(f) = catalog.function(u.relation) {
            if self.on(catalog, ObjectKind::Function, f.oid, f.owner, EXECUTE, false) != 0 {
                return Ok(());
            }
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", f.word(), f.name);
        }
        if let Some(s) = catalog.sequence(u.relation) {
            if self.on_sequence(catalog, s, u.required) == u.required {
                return Ok(());
            }
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for sequence {}", s.name);
        }
        let Some(t) = catalog.table(u.relation) else {
            let Some(v) = crate::system::by_oid(u.relation) else { return Ok(()) };
            if self.on_virtual(v.name) {
                return Ok(());
            }
            let kind = if v.view { "view" } else { "table" };
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {kind} {}", v.name);
        };
        let left = u.required & !self.on_table(catalog, t, u.required);
        let each = |mode: Mode, columns: &[i16]| match columns {
            _ if left & mode == 0 => true,
            [] => t.live_columns().any(|c| self.on_column(catalog, t, c.attnum, mode, false) != 0),
            list => list.iter().all(|a| self.on_column(catalog, t, *a, mode, false) != 0),
        };
        let ok = left & !(SELECT | INSERT | UPDATE) == 0
            && each(SELECT, &u.selected)
            && each(INSERT, &u.inserted)
            && each(UPDATE, &u.updated);
        if ok { Ok(()) } else { bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", t.word(), t.name) }
    }
}

impl Catalog {
    /// The lists kept for an object.
    pub fn grants(&self, oid: Oid) -> Option<&Grants> {
        self.of(oid).grants.get(&oid).map(|g| &**g)
    }
    /// An object's list, kept or default.
    pub fn acl(&self, kind: ObjectKind, oid: Oid, owner: Oid) -> Cow<'_, [AclItem]> {
        match self.grants(oid).and_then(|g| g.acl.as_ref()) {
            Some(acl) => Cow::Borrowed(acl),
            None if matches!(oid, well_known::PG_CATALOG | well_known::INFORMATION_SCHEMA) => {
                Cow::Owned(self.first_acl(owner))
            }
            None => Cow::Owned(default_acl(kind, owner)),
        }
    }
    /// The list that pg_catalog and information_schema begin with.
    pub fn first_acl(&self, owner: Oid) -> Acl {
        vec![
            AclItem { grantee: owner, grantor: owner, privs: USAGE | CREATE, options: 0 },
            AclItem { grantee: PUBLIC, grantor: owner, privs: USAGE, options: 0 },
        ]
    }
    /// Every kept list, by object.
    pub fn all_grants(&self) -> Vec<&Grants> {
        let mut v: Vec<&Grants> = self.layers().flat_map(|l| l.grants.values()).map(|g| &**g).collect();
        v.sort_by_key(|g| g.oid);
        v
    }
    pub fn default_acls(&self) -> Vec<&DefaultAcl> {
        let mut v: Vec<&DefaultAcl> = self.inner.default_acls.values().map(|d| &**d).collect();
        v.sort_by_key(|d| d.oid);
        v
    }
    /// May the session's user look into a schema? The quick answers first: resolving names comes here.
    pub fn may_use_schema(&self, scope: &NameScope, schema: Oid) -> bool {
        if scope.user == 0 || schema == well_known::PG_CATALOG || schema == well_known::INFORMATION_SCHEMA {
            return true;
        }
        // One's own.
        if schema == crate::temporary::SCHEMA {
            return true;
        }
        let kept = self.grants(schema).and_then(|g| g.acl.as_ref());
        if kept.is_some_and(|acl| acl.iter().any(|i| i.grantee == PUBLIC && i.privs & USAGE != 0)) {
            return true;
        }
        let Some(s) = self.schema(schema) else { return true };
        kept.is_none() && s.owner == scope.user || Who::of(self, scope).on_schema(self, s, USAGE) != 0
    }
}

/// A list as aclitem[].
pub fn list_datum(c: &Catalog, acl: &[AclItem]) -> Datum {
    let items = acl.iter().map(|i| Datum::text(item_text(c, i))).collect();
    Datum::Array(Arc::new(Array::from_vec(oid::ACLITEM, items)))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn items_have_postgresqls_text() {
        let c = Catalog::initial();
        let i = parse_item(&c, "postgres=ar*w/postgres").unwrap();
        assert_eq!((i.grantee, i.privs, i.options), (10, INSERT | SELECT | UPDATE, SELECT));
        assert_eq!(item_text(&c, &i), "postgres=ar*w/postgres");
        assert_eq!(item_text(&c, &parse_item(&c, "=U/\"postgres\"").unwrap()), "=U/postgres");
        for bad in ["x", "postgres", "nobody=r/postgres", "postgres=q/postgres", "postgres=r/"] {
            assert!(parse_item(&c, bad).is_err(), "{bad}");
        }
        assert_eq!(letters(ObjectKind::Table.all(), 0), "arwdDxt");
    }
}
