//! Enums: comparison, their ranges of labels; and what a catalog says of users' types to those that read and write values.
use super::reg::Names;
use super::registry::{bad_args, funcs};
use super::*;
use pamir_catalog::Catalog;
use pamir_catalog::types::{Enum, Label};
use pamir_types::array::Array;
use pamir_types::cmp::compare;
use pamir_types::{Datum, Error, bail, err};
use std::sync::Arc;

impl pamir_types::user::Types for Names {
    fn name(&self, ty: Oid) -> Option<String> {
        self.catalog.type_name(&self.scope, ty)
    }
    fn label(&self, ty: Oid, value: u64) -> Option<&str> {
        self.catalog.enum_of(ty)?.label(value).map(|l| &*l.name)
    }
    fn value(&self, ty: Oid, label: &str) -> Option<u64> {
        let e = self.catalog.enum_of(ty)?;
        let stored = || pamir_catalog::types::order_of_stored(label).and_then(|o| e.label(o));
        e.named(label).or_else(stored).map(|l| l.order)
    }
    fn is_new(&self, ty: Oid, value: u64) -> bool {
        is_new(&self.catalog, self.catalog.enum_of(ty).and_then(|e| e.label(value)))
    }
    fn fields(&self, ty: Oid) -> Option<Vec<Type>> {
        // Their values are stored ones.
        Some(self.catalog.field_types(ty)?.into_iter().map(|t| self.catalog.base_type(t)).collect())
    }
    fn declared(&self, ty: Oid) -> Option<Vec<Type>> {
        self.catalog.field_types(ty)
    }
    fn base(&self, ty: Oid) -> Option<Type> {
        self.catalog.domain_of(ty).map(|d| self.catalog.base_type(d.base))
    }
}

/// Was the label added by the transaction itself?
fn is_new(catalog: &Catalog, label: Option<&Label>) -> bool {
    !catalog.new_labels.is_empty() && label.is_some_and(|l| catalog.new_labels.contains(&l.oid))
}
/// A label's value, unless it is one that is not to be used yet.
fn safe(l: &Label, ty: Oid, catalog: &Catalog) -> Result<u64> {
    if is_new(catalog, Some(l)) { Err(pamir_types::user::unsafe_use(&l.name, ty)) } else { Ok(l.order) }
}

fn pair(args: &[Datum]) -> Result<std::cmp::Ordering> {
    match args {
        [a, b] => Ok(compare(a, b)),
        _ => Err(bad_args("enum comparison", args)),
    }
}
fn hash(args: &[Datum], seed: u64) -> u64 {
    let mut h = rustc_hash::FxHasher::default();
    std::hash::Hasher::write_u64(&mut h, seed);
    args.iter().for_each(|d| pamir_types::cmp::hash(d, &mut h));
    std::hash::Hasher::finish(&h)
}
/// The enum that a call's first argument is of.
fn labels<'a>(ci: &CallInfo, catalog: &'a Catalog) -> Result<(Oid, &'a Enum)> {
    let ty = ci.arg_types.first().map_or(0, |t| t.oid);
    let e = catalog.enum_of(ty).ok_or_else(|| err!(FEATURE_NOT_SUPPORTED, "could not determine actual enum type"))?;
    Ok((ty, e))
}
fn end(ci: &CallInfo, env: &dyn Env, last: bool) -> Result<Datum> {
    let catalog: Arc<Catalog> = env.catalog().clone();
    let (ty, e) = labels(ci, &catalog)?;
    match if last { e.labels.last() } else { e.labels.first() } {
        Some(l) => safe(l, ty, &catalog).map(Datum::Enum),
        None => {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "enum {} contains no values", pamir_types::text::type_named(ty))
        }
    }
}
fn range(ci: &CallInfo, from: Option<&Datum>, to: Option<&Datum>, env: &dyn Env) -> Result<Datum> {
    let catalog: Arc<Catalog> = env.catalog().clone();
    let (ty, e) = labels(ci, &catalog)?;
    let bound = |d: Option<&Datum>| match d {
        None | Some(Datum::Null) => Ok(None),
        Some(Datum::Enum(v)) => Ok(Some(*v)),
        Some(d) => Err(bad_args("enum_range", std::slice::from_ref(d))),
    };
    let (from, to) = (bound(from)?.unwrap_or(0), bound(to)?.unwrap_or(u64::MAX));
    let inside = e.labels.iter().filter(|l| (from..=to).contains(&l.order));
    let items = inside.map(|l| safe(l, ty, &catalog).map(Datum::Enum)).collect::<Result<_>>()?;
    Ok(Datum::Array(Arc::new(Array::from_vec(ty, items))))
}

funcs! { pub FUNCS {
    enum_eq raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_eq()));
    enum_ne raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ne()));
    enum_lt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_lt()));
    enum_gt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_gt()));
    enum_le raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_le()));
    enum_ge raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ge()));
    enum_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    enum_smaller raw = |_, args, _| Ok(args[usize::from(pair(args)?.is_gt())].clone());
    enum_larger raw = |_, args, _| Ok(args[usize::from(pair(args)?.is_lt())].clone());
    hashenum raw = |_, args, _| Ok(Datum::Int4(hash(args, 0) as i32));
    hashenumextended raw = |_, args, _| Ok(Datum::Int8(hash(args, 1) as i64));
    enum_first raw = |ci, _, env| end(ci, env, false);
    enum_last raw = |ci, _, env| end(ci, env, true);
    enum_range_all raw = |ci, _, env| range(ci, None, None, env);
    enum_range_bounds raw = |ci, args, env| range(ci, args.first(), args.get(1), env);
} }

/// A message with the names of the users' types that it speaks of.
pub fn name_types(e: Error, catalog: &Catalog, scope: &pamir_catalog::NameScope) -> Error {
    let has = |s: &str| s.contains('\u{1}');
    let d = e.data();
    if !has(&d.message)
        && !d.detail.as_deref().is_some_and(has)
        && !d.hint.as_deref().is_some_and(has)
        && !d.context.as_deref().is_some_and(has)
    {
        return e;
    }
    let mut e = e;
    let d = e.data_mut();
    let shown = |s: &str| pamir_catalog::types::shown(catalog, scope, s);
    let message = pamir_catalog::types::shown(catalog, scope, &d.message);
    d.message = message;
    d.detail = d.detail.as_deref().map(shown);
    d.hint = d.hint.as_deref().map(shown);
    d.context = d.context.as_deref().map(shown);
    e
}
