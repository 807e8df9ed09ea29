//! PostgreSQL's type OIDs (src/include/catalog/pg_type.dat). User objects start at [`FIRST_USER`].
//!
//! The OID of a type that a user made says what it is, so that nobody needs a catalog to know a type's kind, its array or its element:
//!
//! ```text
//!   bit  31 30 | 29 28 27 | 26 .. 1                                           | 0
//!         0  1 |  class   | number: given by the server; of a row type the     | 1: the array type
//!              |          | relation's OID, so a relation's row type needs none | 0: the type itself
//! ```
//! Numbers have 26 bits: [`user_type`] refuses what does not fit. A range type's number has its subtype's OID in its lower 14 bits, so it is over a type
//! of the server's own, and there are 4,096 of each; its multirange type has the same number.
pub type Oid = u32;

macro_rules! oids { ($($name:ident = $oid:literal, $array:literal, $sql:literal;)*) => {
    $(pub const $name: Oid = $oid;)*
    /// (type OID, its array type's OID or 0, pg_type.typname)
    pub const TYPES: &[(Oid, Oid, &str)] = &[$(($oid, $array, $sql)),*];
} }
oids! {
    BOOL = 16, 1000, "bool"; BYTEA = 17, 1001, "bytea"; CHAR = 18, 1002, "char"; NAME = 19, 1003, "name";
    INT8 = 20, 1016, "int8"; INT2 = 21, 1005, "int2"; INT2VECTOR = 22, 1006, "int2vector"; INT4 = 23, 1007, "int4"; REGPROC = 24, 1008, "regproc"; TEXT = 25, 1009, "text";
    OID = 26, 1028, "oid"; TID = 27, 1010, "tid"; XID = 28, 1011, "xid"; CID = 29, 1012, "cid"; OIDVECTOR = 30, 1013, "oidvector";
    JSON = 114, 199, "json"; XML = 142, 143, "xml"; PG_NODE_TREE = 194, 0, "pg_node_tree";
    POINT = 600, 1017, "point"; LSEG = 601, 1018, "lseg"; PATH = 602, 1019, "path"; BOX = 603, 1020, "box"; POLYGON = 604, 1027, "polygon"; LINE = 628, 629, "line"; CIRCLE = 718, 719, "circle";
    TSVECTOR = 3614, 3643, "tsvector"; TSQUERY = 3615, 3645, "tsquery"; REGCONFIG = 3734, 3735, "regconfig"; REGDICTIONARY = 3769, 3770, "regdictionary";
    FLOAT4 = 700, 1021, "float4"; FLOAT8 = 701, 1022, "float8"; UNKNOWN = 705, 0, "unknown"; MONEY = 790, 791, "money"; REFCURSOR = 1790, 2201, "refcursor";
    ACLITEM = 1033, 1034, "aclitem"; BPCHAR = 1042, 1014, "bpchar"; VARCHAR = 1043, 1015, "varchar";
    DATE = 1082, 1182, "date"; TIME = 1083, 1183, "time"; TIMESTAMP = 1114, 1115, "timestamp"; TIMESTAMPTZ = 1184, 1185, "timestamptz";
    INTERVAL = 1186, 1187, "interval"; TIMETZ = 1266, 1270, "timetz"; BIT = 1560, 1561, "bit"; VARBIT = 1562, 1563, "varbit"; NUMERIC = 1700, 1231, "numeric";
    REGPROCEDURE = 2202, 2207, "regprocedure"; REGOPER = 2203, 2208, "regoper"; REGCLASS = 2205, 2210, "regclass"; REGTYPE = 2206, 2211, "regtype";
    RECORD = 2249, 2287, "record"; CSTRING = 2275, 1263, "cstring"; ANY = 2276, 0, "any"; ANYARRAY = 2277, 0, "anyarray"; VOID = 2278, 0, "void"; TRIGGER = 2279, 0, "trigger"; EVENT_TRIGGER = 3838, 0, "event_trigger"; INTERNAL = 2281, 0, "internal"; INDEX_AM_HANDLER = 325, 0, "index_am_handler"; TABLE_AM_HANDLER = 269, 0, "table_am_handler"; ANYELEMENT = 2283, 0, "anyelement"; ANYNONARRAY = 2776, 0, "anynonarray";
    INT4RANGE = 3904, 3905, "int4range"; NUMRANGE = 3906, 3907, "numrange"; TSRANGE = 3908, 3909, "tsrange"; TSTZRANGE = 3910, 3911, "tstzrange"; DATERANGE = 3912, 3913, "daterange"; INT8RANGE = 3926, 3927, "int8range";
    INT4MULTIRANGE = 4451, 6150, "int4multirange"; NUMMULTIRANGE = 4532, 6151, "nummultirange"; TSMULTIRANGE = 4533, 6152, "tsmultirange"; TSTZMULTIRANGE = 4534, 6153, "tstzmultirange"; DATEMULTIRANGE = 4535, 6155, "datemultirange"; INT8MULTIRANGE = 4536, 6157, "int8multirange";
    ANYRANGE = 3831, 0, "anyrange"; ANYMULTIRANGE = 4537, 0, "anymultirange";
    INET = 869, 1041, "inet"; CIDR = 650, 651, "cidr"; MACADDR = 829, 1040, "macaddr"; MACADDR8 = 774, 775, "macaddr8"; PG_LSN = 3220, 3221, "pg_lsn"; XID8 = 5069, 271, "xid8";
    JSONPATH = 4072, 4073, "jsonpath"; PG_SNAPSHOT = 5038, 5039, "pg_snapshot"; TXID_SNAPSHOT = 2970, 2949, "txid_snapshot"; REGOPERATOR = 2204, 2209, "regoperator";
    UUID = 2950, 2951, "uuid"; ANYENUM = 3500, 0, "anyenum"; JSONB = 3802, 3807, "jsonb"; REGNAMESPACE = 4089, 4090, "regnamespace"; REGROLE = 4096, 4097, "regrole"; REGCOLLATION = 4191, 4192, "regcollation"; ANYCOMPATIBLE = 5077, 0, "anycompatible"; ANYCOMPATIBLEARRAY = 5078, 0, "anycompatiblearray";
}
/// Types of extensions that are built in: (OID, its array's, pg_type.typname). They are there while their extension is; their OIDs are the same in all
/// databases, from [`EXTENSIONS`] on, where neither PostgreSQL's own OIDs nor users' objects come and below users' types. The members of extensions
/// have OIDs behind them.
pub const EXTENSION_TYPES: &[(Oid, Oid, &str)] = &[(CITEXT, CITEXT + 1, "citext"), (HSTORE, HSTORE + 1, "hstore")];
pub const EXTENSIONS: Oid = 0x3000_0000;
pub const CITEXT: Oid = EXTENSIONS;
pub const HSTORE: Oid = EXTENSIONS + 2;
/// Is it the type of an extension, or the array of one?
#[inline]
pub const fn is_of_extension(o: Oid) -> bool {
    o & 0xf000_0000 == EXTENSIONS
}
/// The first OID given to user objects (PostgreSQL's FirstNormalObjectId).
pub const FIRST_USER: Oid = 16384;

/// What a user's type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum UserClass {
    Enum = 0,
    Domain = 1,
    /// CREATE TYPE AS (...)
    Composite = 2,
    /// The rows of a relation.
    Row = 3,
    Range = 4,
    Multirange = 5,
}
const USER_TYPE: Oid = 1 << 30;
const NUMBER_BITS: u32 = 26;

/// The OID of a user's type; None where the number is too large.
pub const fn user_type(class: UserClass, number: Oid) -> Option<Oid> {
    match number >> NUMBER_BITS {
        0 => Some(USER_TYPE | (class as Oid) << 27 | number << 1),
        _ => None,
    }
}
/// Does a call say what it is: a pseudo-type for many types (ANY for all of them)?
pub const fn is_polymorphic(o: Oid) -> bool {
    matches!(
        o,
        ANY | ANYELEMENT
            | ANYARRAY
            | ANYNONARRAY
            | ANYENUM
            | ANYRANGE
            | ANYMULTIRANGE
            | ANYCOMPATIBLE
            | ANYCOMPATIBLEARRAY
    )
}
/// Is it a user's type, or the array of one?
#[inline]
pub const fn is_user(o: Oid) -> bool {
    o & 0xc000_0000 == USER_TYPE
}
/// What a user's type is; of the type itself, not of its array.
#[inline]
pub const fn user_class(o: Oid) -> Option<UserClass> {
    if !is_user(o) || o & 1 == 1 {
        return None;
    }
    Some(match o >> 27 & 7 {
        0 => UserClass::Enum,
        1 => UserClass::Domain,
        2 => UserClass::Composite,
        3 => UserClass::Row,
        4 => UserClass::Range,
        5 => UserClass::Multirange,
        _ => return None,
    })
}
/// The number in a user's type: of a row type, its relation's OID.
pub const fn user_number(o: Oid) -> Oid {
    o >> 1 & ((1 << NUMBER_BITS) - 1)
}
pub const fn is_enum(o: Oid) -> bool {
    matches!(user_class(o), Some(UserClass::Enum))
}
pub const fn is_domain(o: Oid) -> bool {
    matches!(user_class(o), Some(UserClass::Domain))
}
/// A named type whose values are records: a composite one or a relation's rows.
pub const fn is_composite(o: Oid) -> bool {
    matches!(user_class(o), Some(UserClass::Composite | UserClass::Row))
}
/// Range types: (range, its multirange, its subtype).
pub const RANGES: &[(Oid, Oid, Oid)] = &[
    (INT4RANGE, INT4MULTIRANGE, INT4),
    (NUMRANGE, NUMMULTIRANGE, NUMERIC),
    (TSRANGE, TSMULTIRANGE, TIMESTAMP),
    (TSTZRANGE, TSTZMULTIRANGE, TIMESTAMPTZ),
    (DATERANGE, DATEMULTIRANGE, DATE),
    (INT8RANGE, INT8MULTIRANGE, INT8),
];
/// The bits of a range type's number that are its subtype.
const SUBTYPE_BITS: u32 = 14;
/// The range type of this serial number over a type of the server's own; None where one of the two is too large.
pub const fn user_range(serial: Oid, subtype: Oid) -> Option<Oid> {
    if subtype >> SUBTYPE_BITS != 0 || serial >> (NUMBER_BITS - SUBTYPE_BITS) != 0 {
        return None;
    }
    user_type(UserClass::Range, serial << SUBTYPE_BITS | subtype)
}
/// The serial number of a user's range type among those over its subtype.
pub const fn range_serial(range: Oid) -> Oid {
    user_number(range) >> SUBTYPE_BITS
}
/// The type of a range type's bounds.
pub fn range_subtype(range: Oid) -> Option<Oid> {
    if let Some(class) = user_class(range) {
        return matches!(class, UserClass::Range).then_some(user_number(range) & ((1 << SUBTYPE_BITS) - 1));
    }
    RANGES.iter().find(|r| r.0 == range).map(|r| r.2)
}
/// The multirange type over a range type.
pub fn multirange_of(range: Oid) -> Option<Oid> {
    if let Some(UserClass::Range) = user_class(range) {
        return user_type(UserClass::Multirange, user_number(range));
    }
    RANGES.iter().find(|r| r.0 == range).map(|r| r.1)
}
/// The range type of a multirange type.
pub fn range_of_multirange(multirange: Oid) -> Option<Oid> {
    if let Some(UserClass::Multirange) = user_class(multirange) {
        return user_type(UserClass::Range, user_number(multirange));
    }
    RANGES.iter().find(|r| r.1 == multirange).map(|r| r.0)
}

/// The table that has the type, if one has.
fn known(ty: Oid) -> &'static [(Oid, Oid, &'static str)] {
    if is_of_extension(ty) { EXTENSION_TYPES } else { TYPES }
}
/// The array type of `elem`, if it has one.
pub fn array_of(elem: Oid) -> Option<Oid> {
    if is_user(elem) {
        return (elem & 1 == 0).then_some(elem | 1);
    }
    known(elem).iter().find(|t| t.0 == elem && t.1 != 0).map(|t| t.1)
}
/// The element type of the array type `array` (also int2vector, oidvector).
pub fn element_of(array: Oid) -> Option<Oid> {
    if is_user(array) {
        return (array & 1 == 1).then_some(array & !1);
    }
    match array {
        INT2VECTOR => Some(INT2),
        OIDVECTOR => Some(OID),
        _ => known(array).iter().find(|t| t.1 == array && array != 0).map(|t| t.0),
    }
}
/// `pg_type.typname` of a built-in type (arrays are `_elem`).
pub fn type_name(oid: Oid) -> Option<String> {
    if let Some(t) = known(oid).iter().find(|t| t.0 == oid) {
        return Some(t.2.to_string());
    }
    known(oid).iter().find(|t| t.1 == oid && oid != 0).map(|t| format!("_{}", t.2))
}
