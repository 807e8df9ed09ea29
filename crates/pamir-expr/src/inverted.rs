//! Inverted indexes (GIN, BRIN, and GiST where its classes' values have keys): of each row as many entries as its values have keys, and what a condition asks of them.
//!
//! ```text
//!  value   '{3,5}'::int[]        --keys-->   00 v3   00 v5                    an entry each, before the row's key (access.rs)
//!  query   tags @> '{3,9}'       --need-->   And(00 v3, 00 v9)                which rows may fulfil the condition
//!                                --exec-->   rows' keys, ascending, each once; the condition is tested on each row again
//!
//!  key     column u8 | what of it u8 | bytes       column: place in the index; bytes: by the operator class, see Class
//!  long    column u8 | what of it u8 | first bytes | checksum 8 bytes         of more than MAX_BYTES
//! ```
//! [`Need`] is the one language between operator classes and scans: a class says which keys a value has and what a query needs of them, nothing more.
//!
//! Invariants: where a condition holds of a value, [`keys`] of the value fulfil [`need`] of the query (`tests` draws both). A value without keys has no
//! entries: a need that such a value may fulfil is [`Need::Any`]. Keys are bytes on disk: what they are made of never changes with the build.
//!
//! How ranges are keys says [`intervals`].
//!
//! Limits: no conditions by jsonpath or by regular expressions over trigrams; positions and weights of lexemes are not in the entries.
use crate::expr;
use crate::func::{Function, extension};
use crate::ir::CmpOp;
use pamir_types::hstore::Pairs;
use pamir_types::json::Jsonb;
use pamir_types::key::{self, KeyOrder};
use pamir_types::tsquery::{Node, Operator, Query};
use pamir_types::tsvector::Vector;
use pamir_types::{Datum, Error, Oid, Result, Type, memory, oid, work};

pub mod intervals;

/// The longest key but for its checksum.
pub const MAX_BYTES: usize = 240;
/// Bytes of keys after which it is asked whether there is memory for more.
const CHECKED: usize = 1 << 20;

/// What a column's keys are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// array_ops: the elements, NULL, and that there are none.
    Array,
    /// tsvector_ops: the lexemes.
    Lexemes,
    /// jsonb_ops: keys of objects and texts in arrays, and other values.
    Jsonb,
    /// jsonb_path_ops: each value with the keys above it, as a checksum.
    JsonbPath,
    /// gin_hstore_ops: keys, and keys with their values.
    Hstore,
    /// gin_trgm_ops, gist_trgm_ops: trigrams.
    Trigram,
    /// Those of btree_gin and btree_gist, and of BRIN: the value, of this type.
    Scalar(Oid),
    /// range_ops: a range's ends, each below its node ([`intervals`]).
    Range,
}
impl Class {
    /// The class of this name (pg_opclass).
    pub fn named(name: &str) -> Option<Class> {
        Some(match name {
            "array_ops" => Class::Array,
            "tsvector_ops" => Class::Lexemes,
            "jsonb_ops" => Class::Jsonb,
            "jsonb_path_ops" => Class::JsonbPath,
            "gin_hstore_ops" => Class::Hstore,
            "gin_trgm_ops" | "gist_trgm_ops" => Class::Trigram,
            "range_ops" | "range_inclusion_ops" => Class::Range,
            _ => return None,
        })
    }
}

// From 2 on: 0 and 1 take two bytes in a tree's key. So does a column's place.
const VALUE: u8 = 2;
/// An array's NULL, a key with a value, a range's upper end.
const OTHER: u8 = 3;
/// An array has no elements, a range no values.
const EMPTY: u8 = 4;

/// A key of the column at `column`.
fn of(column: u8, what: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 + bytes.len().min(MAX_BYTES + 8));
    out.extend_from_slice(&[column + 2, what]);
    match bytes.get(MAX_BYTES..) {
        Some([_, ..]) => {
            out.extend_from_slice(&bytes[..MAX_BYTES]);
            out.extend_from_slice(&checksum(CHECKSUM, bytes).to_be_bytes());
        }
        _ => out.extend_from_slice(bytes),
    }
    out
}
const CHECKSUM: u64 = 0xcbf2_9ce4_8422_2325;
/// FNV-1a, 64 bits.
fn checksum(from: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(from, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}
fn damaged() -> Error {
    Error::internal("an inverted index's value is of another type")
}
/// An element's bytes.
fn encoded(d: &Datum, ty: Oid) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    key::encode_search(d, Type::new(ty), KeyOrder::ASC, &mut out)?;
    Ok(out)
}

/// The keys of a value of the column at `column`, ascending, each once; a NULL has none.
pub fn keys(class: Class, column: u8, d: &Datum, out: &mut Vec<Vec<u8>>) -> Result<()> {
    let from = out.len();
    let mut made = 0;
    let mut add = |what: u8, bytes: &[u8]| {
        // A value may have millions of them.
        made += std::mem::size_of::<Vec<u8>>() + bytes.len().min(MAX_BYTES);
        if made > CHECKED {
            memory::check(std::mem::take(&mut made))?;
        }
        out.push(of(column, what, bytes));
        work::charge(work::ROW as usize)
    };
    match (class, d) {
        (_, Datum::Null) => {}
        (Class::Array, Datum::Array(a)) => {
            if a.items.is_empty() {
                add(EMPTY, &[])?;
            }
            for item in &a.items {
                match item {
                    Datum::Null => add(OTHER, &[])?,
                    d => add(VALUE, &encoded(d, a.elem)?)?,
                }
            }
        }
        (Class::Lexemes, Datum::Bytea(b)) => {
            let v = Vector::unpack(b).ok_or_else(damaged)?;
            v.lexemes.iter().try_for_each(|l| add(VALUE, l.text.as_bytes()))?;
        }
        (Class::Jsonb, Datum::Jsonb(j)) => parts(j, true, &mut add)?,
        (Class::JsonbPath, Datum::Jsonb(j)) => {
            leaves(j, CHECKSUM, &mut |h| add(VALUE, &h.to_be_bytes()))?;
        }
        (Class::Hstore, Datum::Bytea(b)) => {
            for (k, v) in Pairs::unpack(b).ok_or_else(damaged)?.iter() {
                add(VALUE, k.as_bytes())?;
                add(OTHER, &pair(k, v.as_deref()))?;
            }
        }
        (Class::Scalar(ty), d) => add(VALUE, &encoded(d, ty)?)?,
        (Class::Range, Datum::Range(r)) => match intervals::Interval::of(r)? {
            None => add(EMPTY, &[])?,
            Some(i) => {
                add(VALUE, &i.lower_end())?;
                add(OTHER, &i.upper_end())?;
            }
        },
        (Class::Trigram, Datum::Text(s)) => extension::trigrams_of(s)?.iter().try_for_each(|t| add(VALUE, t))?,
        _ => return Err(damaged()),
    }
    let mut new = out.split_off(from);
    new.sort_unstable();
    new.dedup();
    out.append(&mut new);
    Ok(())
}
/// Calls `add` for what a document consists of. `item`: it is an array's, or the whole: a text is there to be asked for as a key is.
fn parts(j: &Jsonb, item: bool, add: &mut dyn FnMut(u8, &[u8]) -> Result<()>) -> Result<()> {
    match j {
        Jsonb::Object(pairs) => pairs.iter().try_for_each(|(k, v)| {
            add(VALUE, k.as_bytes())?;
            parts(v, false, add)
        }),
        Jsonb::Array(items) => items.iter().try_for_each(|v| parts(v, true, add)),
        Jsonb::String(s) if item => add(VALUE, s.as_bytes()),
        scalar => add(OTHER, &encoded(&Datum::Jsonb(scalar.clone().into()), oid::JSONB)?),
    }
}
/// Calls `f` with a checksum of each value that is no object or array and of the keys above it.
fn leaves(j: &Jsonb, above: u64, f: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
    match j {
        // No text has this byte, so that no two paths read alike.
        Jsonb::Object(pairs) => {
            pairs.iter().try_for_each(|(k, v)| leaves(v, checksum(checksum(above, k.as_bytes()), &[0xff]), f))
        }
        Jsonb::Array(items) => items.iter().try_for_each(|v| leaves(v, above, f)),
        scalar => f(checksum(above, &encoded(&Datum::Jsonb(scalar.clone().into()), oid::JSONB)?)),
    }
}
fn pair(k: &str, v: Option<&str>) -> Vec<u8> {
    let mut out = k.as_bytes().to_vec();
    out.push(0xff);
    if let Some(v) = v {
        out.push(0);
        out.extend_from_slice(v.as_bytes());
    }
    out
}

/// Which rows a condition can hold of, by their keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// All: keys say nothing of it.
    Any,
    Nothing,
    Key(Vec<u8>),
    /// A key that begins so.
    Prefix(Vec<u8>),
    /// A key between these two, or that begins as the second one.
    Span(Vec<u8>, Vec<u8>),
    All(Vec<Need>),
    /// As many of these, at least.
    Some(usize, Vec<Need>),
}
impl Need {
    pub fn all(of: impl IntoIterator<Item = Need>) -> Need {
        let mut v = Vec::new();
        for n in of {
            match n {
                Need::Any => {}
                Need::Nothing => return Need::Nothing,
                Need::All(more) => v.extend(more),
                n => v.push(n),
            }
        }
        if v.len() > 1 { Need::All(v) } else { v.pop().unwrap_or(Need::Any) }
    }
    pub fn some(of: impl IntoIterator<Item = Need>) -> Need {
        let mut v = Vec::new();
        for n in of {
            match n {
                Need::Any => return Need::Any,
                Need::Nothing => {}
                Need::Some(1, more) => v.extend(more),
                n => v.push(n),
            }
        }
        if v.len() > 1 { Need::Some(1, v) } else { v.pop().unwrap_or(Need::Nothing) }
    }
}

/// How a condition asks for keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// `column @> query`
    Contains,
    /// `column <@ query`
    Contained,
    /// `column && query`
    Overlaps,
    Equal,
    /// `query = ANY (column)`, `query <@ column`
    Element,
    /// `column @@ query`
    Matches,
    /// `column ? query`
    Exists,
    ExistsAny,
    ExistsAll,
    /// `column LIKE query`, `column ILIKE query`
    Like,
    /// `column < query` and so on.
    Compare(CmpOp),
    /// `column % query`, `column %> query`, `column %>> query`
    Similar,
    WordSimilar,
    StrictWordSimilar,
}
/// How a call of two arguments asks for keys of one of them; whether that is the second one.
pub fn strategy(class: Class, f: &Function, column_second: bool) -> Option<Strategy> {
    use Strategy::*;
    const ARRAY_OVERLAPS: Oid = 2747;
    const ARRAY_CONTAINS: Oid = 2748;
    const ARRAY_CONTAINED: Oid = 2749;
    const ARRAY_EQ: Oid = 744;
    const MATCH_VECTOR_QUERY: Oid = 3634;
    const MATCH_QUERY_VECTOR: Oid = 3635;
    const JSONB_CONTAINS: Oid = 4046;
    const JSONB_EXISTS: Oid = 4047;
    const JSONB_EXISTS_ANY: Oid = 4048;
    const JSONB_EXISTS_ALL: Oid = 4049;
    const JSONB_CONTAINED: Oid = 4050;
    const RANGE_EQ: Oid = 3855;
    const RANGE_OVERLAPS: Oid = 3857;
    const RANGE_CONTAINS_ELEM: Oid = 3858;
    const RANGE_CONTAINS: Oid = 3859;
    const ELEM_CONTAINED_BY_RANGE: Oid = 3860;
    const RANGE_CONTAINED_BY: Oid = 3861;
    const TEXT_LIKE: Oid = 850;
    const TEXT_ILIKE: Oid = 1633;
    const TEXT_EQ: Oid = 67;
    let member = extension::name_of(f.oid);
    let (first, second) = (Some(!column_second), Some(column_second));
    let when = |side: Option<bool>, s: Strategy| if side == Some(true) { Some(s) } else { None };
    match (class, f.oid) {
        (Class::Array, ARRAY_OVERLAPS) => Some(Overlaps),
        (Class::Array, ARRAY_EQ) => Some(Equal),
        (Class::Array, ARRAY_CONTAINS) => Some(if column_second { Contained } else { Contains }),
        (Class::Array, ARRAY_CONTAINED) => Some(if column_second { Contains } else { Contained }),
        (Class::Lexemes, MATCH_VECTOR_QUERY) => when(first, Matches),
        (Class::Lexemes, MATCH_QUERY_VECTOR) => when(second, Matches),
        (Class::Jsonb | Class::JsonbPath, JSONB_CONTAINS) => when(first, Contains),
        (Class::Jsonb | Class::JsonbPath, JSONB_CONTAINED) => when(second, Contains),
        (Class::Jsonb, JSONB_EXISTS) => when(first, Exists),
        (Class::Jsonb, JSONB_EXISTS_ANY) => when(first, ExistsAny),
        (Class::Jsonb, JSONB_EXISTS_ALL) => when(first, ExistsAll),
        (Class::Scalar(_), _) if f.args.first() == f.args.get(1) => {
            let op = expr::cmp_of(f).filter(|op| *op != CmpOp::Ne)?;
            Some(Compare(if column_second { op.flipped() } else { op }))
        }
        (Class::Range, RANGE_EQ) => Some(Equal),
        (Class::Range, RANGE_OVERLAPS) => Some(Overlaps),
        (Class::Range, RANGE_CONTAINS) => Some(if column_second { Contained } else { Contains }),
        (Class::Range, RANGE_CONTAINED_BY) => Some(if column_second { Contains } else { Contained }),
        (Class::Range, RANGE_CONTAINS_ELEM) => when(first, Element),
        (Class::Range, ELEM_CONTAINED_BY_RANGE) => when(second, Element),
        (Class::Trigram, TEXT_LIKE | TEXT_ILIKE) => when(first, Like),
        (Class::Trigram, TEXT_EQ) => Some(Equal),
        (Class::Hstore, _) => match member {
            "hs_contains" => when(first, Contains),
            "hs_contained" => when(second, Contains),
            "exist" => when(first, Exists),
            "exists_any" => when(first, ExistsAny),
            "exists_all" => when(first, ExistsAll),
            _ => None,
        },
        (Class::Trigram, _) => match member {
            "similarity_op" => Some(Similar),
            "word_similarity_commutator_op" => when(first, WordSimilar),
            "word_similarity_op" => when(second, WordSimilar),
            "strict_word_similarity_commutator_op" => when(first, StrictWordSimilar),
            "strict_word_similarity_op" => when(second, StrictWordSimilar),
            _ => None,
        },
        _ => None,
    }
}
/// Does `= ANY (column)` ask for an element, of a type that is the elements' own?
pub fn asks_for_element(class: Class, op: &Function, value: Type, array: Type) -> bool {
    class == Class::Array
        && expr::cmp_of(op) == Some(CmpOp::Eq)
        && array.element().is_some_and(|e| e.oid == value.oid)
        && op.args.iter().all(|a| *a == value.oid)
}

/// What `query`, of type `ty`, needs of the keys of the column at `column`. `setting`: the value of one (thresholds of pg_trgm).
pub fn need(
    class: Class,
    strategy: Strategy,
    column: u8,
    (query, ty): (&Datum, Oid),
    setting: &dyn Fn(&str) -> Option<String>,
) -> Result<Need> {
    use Strategy::*;
    let key = |what: u8, bytes: &[u8]| Need::Key(of(column, what, bytes));
    let of_value = |d: &Datum| -> Result<Vec<Need>> {
        let mut v = Vec::new();
        keys(class, column, d, &mut v)?;
        Ok(v.into_iter().map(Need::Key).collect())
    };
    Ok(match (class, strategy, query) {
        (_, _, Datum::Null) => Need::Nothing,
        (Class::Array, Element, d) => key(VALUE, &encoded(d, ty)?),
        (Class::Array, _, Datum::Array(a)) => {
            // A NULL is not equal to anything but where arrays are compared whole.
            let nulls = a.items.iter().any(Datum::is_null);
            let all = of_value(query)?.into_iter().filter(|k| strategy == Equal || *k != key(OTHER, &[]));
            match strategy {
                Contains if nulls => Need::Nothing,
                Contains if a.items.is_empty() => Need::Any,
                Contains | Equal => Need::all(all),
                Overlaps => Need::some(all.filter(|k| *k != key(EMPTY, &[]))),
                Contained => Need::some(all.chain([key(EMPTY, &[])])),
                _ => return Err(damaged()),
            }
        }
        (Class::Scalar(ty), Compare(op), d) => {
            let bytes = encoded(d, ty)?;
            let all = || of(column, VALUE, &[]);
            let mut end = of(column, VALUE, &bytes);
            end.truncate(2 + MAX_BYTES);
            match op {
                CmpOp::Eq => key(VALUE, &bytes),
                CmpOp::Lt | CmpOp::Le => Need::Span(all(), end),
                CmpOp::Gt | CmpOp::Ge => Need::Span(end, all()),
                CmpOp::Ne => Need::Any,
            }
        }
        (Class::Range, Element, d) => {
            let at = intervals::point(d, ty)?;
            intervals::Interval { lower: at, upper: at }.overlapping(column)
        }
        (Class::Range, _, Datum::Range(r)) => {
            let empty = key(EMPTY, &[]);
            match (intervals::Interval::of(r)?, strategy) {
                // An empty range is within all, overlaps none, and is like itself alone.
                (None, Contains) => Need::Any,
                (None, Overlaps) => Need::Nothing,
                (None, _) => empty,
                (Some(i), Contains) => intervals::Interval { lower: i.lower, upper: i.lower }.overlapping(column),
                (Some(i), Overlaps) => intervals::Interval::within(r)?.unwrap_or(i).overlapping(column),
                (Some(i), Contained) => Need::some([i.overlapping(column), empty]),
                (Some(i), _) => key(VALUE, &i.lower_end()),
            }
        }
        (Class::Lexemes, Matches, Datum::Bytea(b)) => match Query::unpack(b).ok_or_else(damaged)?.root {
            Some(root) => lexemes(&root, column),
            None => Need::Nothing,
        },
        (Class::Jsonb | Class::JsonbPath | Class::Hstore, Contains, d) => Need::all(of_value(d)?),
        (Class::Jsonb | Class::Hstore, Exists, Datum::Text(s)) => key(VALUE, s.as_bytes()),
        (Class::Jsonb | Class::Hstore, ExistsAny | ExistsAll, Datum::Array(a)) => {
            let texts = a.items.iter().filter_map(|d| match d {
                Datum::Text(s) => Some(key(VALUE, s.as_bytes())),
                _ => None,
            });
            if strategy == ExistsAny { Need::some(texts) } else { Need::all(texts) }
        }
        (Class::Trigram, Equal, d) => Need::all(of_value(d)?),
        (Class::Trigram, Like, Datum::Text(p)) => {
            Need::all(extension::trigrams_of_pattern(p)?.iter().map(|t| key(VALUE, t)))
        }
        (Class::Trigram, Similar | WordSimilar | StrictWordSimilar, d) => {
            let all = of_value(d)?;
            let least = extension::shared_at_least(strategy, all.len(), setting);
            match least {
                0 => Need::Any,
                1 => Need::some(all),
                n if n > all.len() => Need::Nothing,
                n => Need::Some(n, all),
            }
        }
        _ => return Err(damaged()),
    })
}
fn lexemes(n: &Node, column: u8) -> Need {
    match n {
        Node::Operand(o) if o.prefix => {
            let mut k = of(column, VALUE, o.text.as_bytes());
            k.truncate(2 + MAX_BYTES);
            Need::Prefix(k)
        }
        Node::Operand(o) => Need::Key(of(column, VALUE, o.text.as_bytes())),
        Node::Op(Operator::Or, l, r) => Need::some([lexemes(l, column), lexemes(r, column)]),
        Node::Op(_, l, r) => Need::all([lexemes(l, column), lexemes(r, column)]),
        Node::Not(_) | Node::Stop => Need::Any,
    }
}

/// A part of a tree: from the first key to before the second; None: to the end.
pub type Span = (Vec<u8>, Option<Vec<u8>>);
/// The part of the index's tree that a need of keys that lie together has; None: of another need.
pub fn entries(need: &Need) -> Result<Option<Span>> {
    let in_tree = |k: &[u8], ends: bool| -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(k.len() + 2);
        key::encode_search(&Datum::Bytea(k.into()), Type::new(oid::BYTEA), KeyOrder::ASC, &mut out)?;
        if !ends {
            // Without the byte that ends it.
            out.pop();
        }
        Ok(out)
    };
    let (lo, mut hi) = match need {
        Need::Key(k) => (in_tree(k, true)?, in_tree(k, true)?),
        Need::Prefix(k) => (in_tree(k, false)?, in_tree(k, false)?),
        Need::Span(from, to) => (in_tree(from, false)?, in_tree(to, false)?),
        _ => return Ok(None),
    };
    let ends = key::prefix_successor(&mut hi);
    Ok(Some((lo, ends.then_some(hi))))
}
