//! Field names and types of row values that come from a relation: what JSON functions and `(row).field` need to know.
//!
//! A row value carries its fields' types but not their names. The names of a whole-row reference (`SELECT to_json(t) FROM t`) travel in the
//! expression's type: RECORD with a modifier that is an index into a table kept here, as PostgreSQL does with blessed record types. Equal
//! shapes share one index. The table only grows, up to [`MAX_SHAPES`]; a shape beyond that has no names and its fields are f1, f2, ...
//!
//! Of a named composite type the catalog knows them ([`fields_in`]).
use pamir_catalog::Catalog;
use pamir_types::{Type, oid};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock, RwLock};

/// How many different shapes are remembered.
const MAX_SHAPES: usize = 1 << 16;

pub type Shape = Arc<[(String, Type)]>;

#[derive(Default)]
struct Shapes {
    list: Vec<Shape>,
    index: FxHashMap<Shape, i32>,
}
fn shapes() -> &'static RwLock<Shapes> {
    static S: OnceLock<RwLock<Shapes>> = OnceLock::new();
    S.get_or_init(Default::default)
}

/// The record type of rows with these fields.
pub fn of(fields: Vec<(String, Type)>) -> Type {
    let plain = Type::new(oid::RECORD);
    let Ok(mut s) = shapes().write() else { return plain };
    let shape: Shape = fields.into();
    if let Some(i) = s.index.get(&shape) {
        return Type::with_mod(oid::RECORD, *i);
    }
    if s.list.len() >= MAX_SHAPES {
        return plain;
    }
    let i = s.list.len() as i32;
    s.list.push(shape.clone());
    s.index.insert(shape, i);
    Type::with_mod(oid::RECORD, i)
}
/// The fields of a record type made by [`of`], or of a named composite type.
pub fn fields_in(t: Type, catalog: &Catalog) -> Option<Shape> {
    match oid::is_user(t.oid) {
        true => catalog.fields_of(t.oid).map(Into::into),
        false => fields(t),
    }
}
/// The fields of a record type made by [`of`].
pub fn fields(t: Type) -> Option<Shape> {
    if t.oid != oid::RECORD {
        return None;
    }
    shapes().read().ok()?.list.get(usize::try_from(t.typmod).ok()?).cloned()
}
