//! What the fixed rows of pg_type, pg_collation and pg_opclass say of a type.
use pamir_types::{Oid, oid};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// How a type is stored in PostgreSQL: the columns that pg_attribute repeats.
#[derive(Clone, Copy)]
pub struct Layout {
    pub len: i16,
    pub by_value: bool,
    pub align: u8,
    pub storage: u8,
    pub collation: Oid,
}
/// From the columns of data/pg_type.tsv: oid, typlen (5th), typbyval, typalign, typstorage, typcollation.
static LAYOUTS: LazyLock<FxHashMap<Oid, Layout>> = LazyLock::new(|| {
    let Some(t) = super::find("pg_catalog", "pg_type") else { return FxHashMap::default() };
    let at = |n: &str| t.columns.iter().position(|c| c.0 == n).unwrap_or(0);
    let (len, by_value, align, storage, collation) =
        (at("typlen"), at("typbyval"), at("typalign"), at("typstorage"), at("typcollation"));
    let lines = super::fixed("pg_type").unwrap_or("").lines();
    lines
        .filter_map(|l| {
            let f: Vec<&str> = l.split('\t').collect();
            let byte = |i: usize| f.get(i).and_then(|s| s.bytes().next());
            let l = Layout {
                len: f.get(len)?.parse().ok()?,
                by_value: *f.get(by_value)? == "t",
                align: byte(align)?,
                storage: byte(storage)?,
                collation: f.get(collation)?.parse().ok()?,
            };
            Some((f.first()?.parse().ok()?, l))
        })
        .collect()
});
/// How PostgreSQL stores values of one of its own types.
pub fn layout(ty: Oid) -> Layout {
    LAYOUTS.get(&ty).copied().unwrap_or(Layout { len: -1, by_value: false, align: b'i', storage: b'x', collation: 0 })
}
/// The same of any type, a user's or the server's own.
pub fn layout_of(ty: Oid) -> Layout {
    let l = layout(ty);
    match oid::user_class(ty) {
        Some(oid::UserClass::Enum) => Layout { len: 4, by_value: true, align: b'i', storage: b'p', ..l },
        Some(oid::UserClass::Composite | oid::UserClass::Row) => Layout { align: b'd', ..l },
        _ => l,
    }
}
pub fn collation_of(ty: Oid) -> Oid {
    layout(ty).collation
}

/// A collation's OID by its name.
pub fn collation_named(name: &str) -> Option<Oid> {
    let mut lines = super::fixed("pg_collation").unwrap_or("").lines().map(|l| l.split('\t'));
    lines.find_map(|mut f| Some((f.next()?, f.next()?)).filter(|c| c.1 == name)?.0.parse().ok())
}
pub fn collation_name(oid: Oid) -> Option<&'static str> {
    let mut lines = super::fixed("pg_collation").unwrap_or("").lines().map(|l| l.split('\t'));
    lines.find_map(|mut f| Some((f.next()?.parse::<Oid>().ok()?, f.next()?)).filter(|c| c.0 == oid).map(|c| c.1))
}

/// An operator class.
pub struct Class {
    pub oid: Oid,
    pub name: &'static str,
    /// The access method.
    method: &'static str,
    /// The type that its operators take.
    input: Oid,
    default: bool,
    /// Whose it is, if it is not PostgreSQL's own.
    pub extension: Option<&'static str>,
}
/// Classes of extensions: their OIDs are the same in all databases, as those of other members.
const OF_EXTENSIONS: [Class; 3] = [
    Class {
        oid: 0x30ff_0001,
        name: "gin_trgm_ops",
        method: "gin",
        input: oid::TEXT,
        default: false,
        extension: Some("pg_trgm"),
    },
    Class {
        oid: 0x30ff_0003,
        name: "gist_trgm_ops",
        method: "gist",
        input: oid::TEXT,
        default: false,
        extension: Some("pg_trgm"),
    },
    Class {
        oid: 0x30ff_0002,
        name: "gin_hstore_ops",
        method: "gin",
        input: oid::HSTORE,
        default: true,
        extension: Some("hstore"),
    },
];
impl Class {
    /// Those of btree_gin and btree_gist, and of BRIN: of values that compare.
    pub fn is_scalar(&self, ty: Oid) -> bool {
        let of_brin = self.method == "brin" && oid::range_subtype(ty).is_none();
        of_brin || matches!(self.extension, Some("btree_gin" | "btree_gist"))
    }
    /// Can it index columns of this type: its own, one that is binary-coercible to it, any array for the arrays' class (IsBinaryCoercible)?
    pub fn accepts(&self, ty: Oid) -> bool {
        // oid, castsource, casttarget, castfunc, castcontext, castmethod: by PostgreSQL's catalog, since values of some of these pairs differ here.
        let coercible = |l: &str| {
            let mut f = l.split('\t').skip(1);
            let mut is = |n: Oid| f.next().is_some_and(|t| t.parse() == Ok(n));
            is(ty) && is(self.input) && f.skip(1).eq(["i", "b"])
        };
        self.input == ty
            || self.input == oid::ANYENUM && oid::is_enum(ty)
            || self.input == oid::RECORD && oid::is_composite(ty)
            || self.input == oid::ANYARRAY && oid::element_of(ty).is_some()
            || self.input == oid::ANYRANGE && oid::range_subtype(ty).is_some()
            || self.input == oid::ANYMULTIRANGE && oid::range_of_multirange(ty).is_some()
            || super::fixed("pg_cast").unwrap_or("").lines().any(coercible)
    }
}
/// btree_gin's and btree_gist's classes: their names, and the type.
const SCALARS: &[(&str, &str, Oid)] = &[
    ("bit_ops", "gist_bit_ops", oid::BIT),
    ("bool_ops", "gist_bool_ops", oid::BOOL),
    ("bpchar_ops", "gist_bpchar_ops", oid::BPCHAR),
    ("bytea_ops", "gist_bytea_ops", oid::BYTEA),
    ("char_ops", "", oid::CHAR),
    ("cidr_ops", "gist_cidr_ops", oid::CIDR),
    ("date_ops", "gist_date_ops", oid::DATE),
    ("enum_ops", "gist_enum_ops", oid::ANYENUM),
    ("float4_ops", "gist_float4_ops", oid::FLOAT4),
    ("float8_ops", "gist_float8_ops", oid::FLOAT8),
    ("inet_ops", "gist_inet_ops", oid::INET),
    ("int2_ops", "gist_int2_ops", oid::INT2),
    ("int4_ops", "gist_int4_ops", oid::INT4),
    ("int8_ops", "gist_int8_ops", oid::INT8),
    ("interval_ops", "gist_interval_ops", oid::INTERVAL),
    ("macaddr8_ops", "gist_macaddr8_ops", oid::MACADDR8),
    ("macaddr_ops", "gist_macaddr_ops", oid::MACADDR),
    ("money_ops", "gist_cash_ops", oid::MONEY),
    ("name_ops", "", oid::NAME),
    ("numeric_ops", "gist_numeric_ops", oid::NUMERIC),
    ("oid_ops", "gist_oid_ops", oid::OID),
    ("text_ops", "gist_text_ops", oid::TEXT),
    ("time_ops", "gist_time_ops", oid::TIME),
    ("timestamp_ops", "gist_timestamp_ops", oid::TIMESTAMP),
    ("timestamptz_ops", "gist_timestamptz_ops", oid::TIMESTAMPTZ),
    ("timetz_ops", "gist_timetz_ops", oid::TIMETZ),
    ("uuid_ops", "gist_uuid_ops", oid::UUID),
    ("varbit_ops", "gist_vbit_ops", oid::VARBIT),
    ("varchar_ops", "", oid::VARCHAR),
];
fn of_scalars() -> impl Iterator<Item = Class> {
    let class = |extension, method, number, name, input| Class {
        oid: number,
        name,
        method,
        input,
        default: true,
        extension: Some(extension),
    };
    std::iter::zip(0x30ff_0100.., SCALARS).flat_map(move |(n, (gin, gist, ty))| {
        let gist = (!gist.is_empty()).then(|| class("btree_gist", "gist", n + 0x100, gist, *ty));
        std::iter::once(class("btree_gin", "gin", n, gin, *ty)).chain(gist)
    })
}
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    // oid, opcmethod, opcname, opcnamespace, opcowner, opcfamily, opcintype, opcdefault, opckeytype
    let line = |l: &'static str| {
        let f: Vec<&str> = l.split('\t').collect();
        let method = match *f.get(1)? {
            "403" => "btree",
            "405" => "hash",
            "783" => "gist",
            "2742" => "gin",
            "3580" => "brin",
            _ => return None,
        };
        Some(Class {
            oid: f.first()?.parse().ok()?,
            name: f.get(2)?,
            method,
            input: f.get(6)?.parse().ok()?,
            default: f.get(7) == Some(&"t"),
            extension: None,
        })
    };
    super::fixed("pg_opclass").unwrap_or("").lines().filter_map(line).chain(OF_EXTENSIONS).chain(of_scalars()).collect()
});
pub fn class_named(method: &str, name: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|c| c.method == method && c.name == name)
}
pub fn class(oid: Oid) -> Option<&'static Class> {
    CLASSES.iter().find(|c| c.oid == oid)
}
/// Rows of pg_opclass and pg_opfamily for what an extension has (in the schema, of the owner): the OID, which is the family's too, and the columns behind it.
pub fn rows_of_extension(extension: &str) -> impl Iterator<Item = (Oid, Oid, &'static str, Oid, bool)> {
    let method = |m: &str| match m {
        "gin" => 2742,
        _ => 783,
    };
    let of = CLASSES.iter().filter(move |c| c.extension == Some(extension));
    of.map(move |c| (c.oid, method(c.method), c.name, c.input, c.default))
}
/// A type's default operator class; 0 if it has none.
pub fn operator_class(ty: Oid, method: &str) -> Oid {
    let class = |t: Oid| CLASSES.iter().find(|c| c.default && c.method == method && c.input == t).map(|c| c.oid);
    let base = match ty {
        oid::VARCHAR if method != "gin" => oid::TEXT,
        t if oid::is_enum(t) => oid::ANYENUM,
        t if oid::is_composite(t) => oid::RECORD,
        t if oid::range_subtype(t).is_some() => oid::ANYRANGE,
        t if oid::range_of_multirange(t).is_some() => oid::ANYMULTIRANGE,
        t => t,
    };
    class(base).or_else(|| oid::element_of(base).and_then(|_| class(oid::ANYARRAY))).unwrap_or(0)
}
