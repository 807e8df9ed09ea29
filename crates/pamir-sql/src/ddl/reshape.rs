//! Rows of tables whose columns have values of a composite type that gets or loses attributes (ALTER TYPE ADD, DROP ATTRIBUTE), or of the row type of
//! a table that gets or loses columns.
//!
//! A stored record has its fields in order and nothing else, so what PostgreSQL leaves to its tuple descriptors is written anew here: every table
//! with the type in a column, in an array, in a domain or in another composite type.
//!
//! Limits: expressions of the tables that read an attribute that goes refuse the statement with the error of reading them.
use super::DdlCtx;
use super::build::is_empty;
use super::eval::{bind_text, text_of};
use super::rewrite::rewrite;
use super::rule::Forms;
use crate::stored::readable;
use pamir_catalog::trigger::Trigger;
use pamir_catalog::types::{Composite, row_type};
use pamir_catalog::{Catalog, IndexColumn, SqlText, Table};
use pamir_expr::ir::Expr;
use pamir_types::array::Array;
use pamir_types::{Datum, Oid, Result, Type, bail, oid, work};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A column with values of the type, of a table or else of an index over an expression: of its arrays first, as PostgreSQL finds it.
pub fn user(ty: Oid, db: Oid, catalog: &Catalog) -> Option<(String, String)> {
    let mut held = Held::new(ty, catalog);
    let tables = held.tables(db);
    let columns = || tables.iter().flat_map(|t| t.live_columns().map(move |c| (t, c)));
    let array = columns().find(|(t, c)| oid::element_of(t.declared_type(c).oid) == Some(ty));
    if let Some((t, c)) = array.or_else(|| columns().find(|(t, c)| held.by(t.declared_type(c).oid))) {
        return Some((t.name.clone(), c.name.clone()));
    }
    let keys = tables.iter().flat_map(|t| t.indexes.iter().flat_map(|i| key_expressions(i).map(move |k| (i, k))));
    let (i, (text, _)) = keys.into_iter().find(|(_, (_, ty))| held.by(ty.oid))?;
    Some((i.name.clone(), pamir_plan::bind::name_of_stored(text)))
}
/// An index's expressions, and of which types they are.
fn key_expressions(i: &pamir_catalog::Index) -> impl Iterator<Item = (&SqlText, Type)> {
    i.columns.iter().filter_map(|(c, _)| match c {
        IndexColumn::Expr(text, ty) => Some((text, *ty)),
        IndexColumn::Attr(_) => None,
    })
}
/// Which types hold values of `of`: asked once a type.
struct Held<'c> {
    of: Oid,
    catalog: &'c Catalog,
    known: FxHashMap<Oid, bool>,
}
impl<'c> Held<'c> {
    fn new(of: Oid, catalog: &'c Catalog) -> Self {
        Held { of, catalog, known: FxHashMap::default() }
    }
    fn by(&mut self, ty: Oid) -> bool {
        // Most columns are of no user's type.
        oid::is_user(ty) && *self.known.entry(ty).or_insert_with(|| holds(self.catalog, ty, self.of))
    }
    fn tables(&mut self, db: Oid) -> Vec<&'c Arc<Table>> {
        self.catalog.tables_that(db, |t| {
            t.live_columns().any(|c| self.by(t.declared_type(c).oid))
                || t.indexes.iter().flat_map(key_expressions).any(|(_, ty)| self.by(ty.oid))
        })
    }
}
/// What becomes of the type's values: each new field is an old one, by place, or NULL.
struct Shape {
    ty: Oid,
    fields: Vec<(Type, Option<usize>)>,
}
/// Do values of `ty` hold some of `of`?
pub fn holds(catalog: &Catalog, ty: Oid, of: Oid) -> bool {
    catalog.holds(ty, &mut |t| t == of)
}
/// A value of type `ty` of before, in its new shape.
fn reshaped(d: Datum, ty: Type, s: &Shape, held: &mut Held) -> Result<Datum> {
    if !held.by(ty.oid) {
        return Ok(d);
    }
    let before = held.catalog;
    work::charge(20)?;
    if let Some(domain) = before.domain_of(ty.oid) {
        return reshaped(d, domain.base, s, held);
    }
    Ok(match d {
        Datum::Array(a) => {
            let elem = ty.element().unwrap_or(Type::new(a.elem));
            let items = a.items.iter().map(|d| reshaped(d.clone(), elem, s, held)).collect::<Result<_>>()?;
            Datum::Array(Arc::new(Array { elem: a.elem, dims: a.dims.clone(), items }))
        }
        Datum::Record(values) => {
            let types = before.fields_of(ty.oid).unwrap_or_default();
            let mut inner = Vec::with_capacity(values.len());
            for ((stored, v), (_, t)) in std::iter::zip(values.iter(), &types) {
                inner.push((*stored, reshaped(v.clone(), *t, s, held)?));
            }
            if ty.oid != s.ty {
                return Datum::record(inner);
            }
            let field = |(t, from): &(Type, Option<usize>)| match from.and_then(|i| inner.get(i)) {
                Some((_, v)) => (*t, v.clone()),
                None => (*t, Datum::Null),
            };
            Datum::record(s.fields.iter().map(field).collect())?
        }
        d => d,
    })
}

/// Writes all values of the type `ty` anew, whose fields were `old` and are `new`. `before`: the catalog in which they were so.
pub fn reshape(ty: Oid, old: &Composite, new: &Composite, before: &Catalog, cx: &mut DdlCtx) -> Result<()> {
    let fields = new
        .fields
        .iter()
        .map(|f| (cx.catalog.base_type(f.ty), old.fields.iter().position(|o| o.attnum == f.attnum)))
        .collect();
    write_anew(Shape { ty, fields }, before, cx)
}
/// A table's columns are to be others: the catalog of now, where values of its row type must be written anew. 0A000 where they cannot be.
pub fn row_values(old: &Table, new: &Table, cx: &DdlCtx) -> Result<Option<Arc<Catalog>>> {
    let shape = |t: &Table| t.live_columns().map(|c| (c.attnum, c.ty)).collect::<Vec<_>>();
    let (was, is) = (shape(old), shape(new));
    let ty = row_type(old.oid);
    if was == is || ty == 0 {
        return Ok(None);
    }
    if new.live_columns().any(|c| holds(cx.catalog, new.declared_type(c).oid, ty)) {
        bail!(INVALID_TABLE_DEFINITION, "composite type {} cannot be made a member of itself", new.name);
    }
    let Some((table, column)) = user(ty, old.database, cx.catalog) else { return Ok(None) };
    let changed = was.iter().any(|(a, t)| is.iter().any(|(b, u)| a == b && t != u));
    let filled = new.live_columns().any(|c| c.missing.is_some() && was.iter().all(|(a, _)| *a != c.attnum));
    if changed || filled {
        bail!(
            FEATURE_NOT_SUPPORTED,
            "cannot alter table \"{}\" because column \"{table}.{column}\" uses its row type",
            old.name
        );
    }
    Ok(Some(cx.catalog.clone()))
}
/// ... and writes them.
pub fn rows(old: &Table, new: &Table, before: &Catalog, cx: &mut DdlCtx) -> Result<()> {
    let was: Vec<i16> = old.live_columns().map(|c| c.attnum).collect();
    let fields = new.live_columns().map(|c| (c.ty, was.iter().position(|a| *a == c.attnum))).collect();
    write_anew(Shape { ty: row_type(old.oid), fields }, before, cx)
}
fn write_anew(shape: Shape, before: &Catalog, cx: &mut DdlCtx) -> Result<()> {
    let ty = shape.ty;
    let db = cx.database();
    let mut held = Held::new(ty, before);
    let tables: Vec<Oid> = held.tables(db).iter().map(|t| t.oid).collect();
    for t in tables {
        let t = cx.lock_table(t, pamir_txn::TableLock::AccessExclusive)?;
        check_expressions(&t, cx)?;
        if is_empty(cx, &t)? {
            continue;
        }
        let columns: Vec<(usize, Type)> = t
            .live_columns()
            .map(|c| (c.attnum as usize - 1, t.declared_type(c)))
            .filter(|(_, d)| held.by(d.oid))
            .collect();
        let mut anew = (*t).clone();
        rewrite(cx, &t, &mut anew, &mut |_, row| {
            for (slot, declared) in &columns {
                if let Some(d) = row.get_mut(*slot) {
                    *d = reshaped(std::mem::replace(d, Datum::Null), *declared, &shape, &mut held)?;
                }
            }
            Ok(())
        })?;
        cx.put_table(anew)?;
    }
    Ok(())
}
/// What reads the table is bound again, so that what no longer can fails now.
fn check_expressions(t: &Arc<Table>, cx: &mut DdlCtx) -> Result<()> {
    let of_columns = t.live_columns().flat_map(|c| c.generated.iter());
    let of_indexes = t.indexes.iter().flat_map(|i| key_expressions(i).map(|k| k.0).chain(i.predicate.iter()));
    let of_key = pamir_catalog::partition::texts(t);
    for e in t.checks.iter().map(|c| &c.expr).chain(of_columns).chain(of_indexes).chain(of_key) {
        bind_text(e, Some(t), None, cx)?;
    }
    Ok(())
}
/// All stored expressions of a table that are bound over its columns.
fn expressions(t: &mut Table) -> Vec<&mut SqlText> {
    let checks = t.checks.iter_mut().map(|c| &mut c.expr);
    let generated = t.columns.iter_mut().filter_map(|c| c.generated.as_mut());
    let mut out: Vec<&mut SqlText> = checks.chain(generated).collect();
    for i in &mut t.indexes {
        out.extend(i.columns.iter_mut().filter_map(|(c, _)| match c {
            IndexColumn::Expr(e, _) => Some(e),
            IndexColumn::Attr(_) => None,
        }));
        out.extend(i.predicate.as_mut());
    }
    out.extend(t.declared.key_texts_mut());
    out
}
/// All stored texts that may read an attribute `name`, bound as long as it is called so: of tables (None: it is not read), of triggers' conditions, of views
/// and rules.
pub struct Readers {
    tables: Vec<(Oid, Vec<Option<Expr>>)>,
    conditions: Vec<(Arc<Trigger>, Expr)>,
    forms: Forms,
}
impl Readers {
    /// ... of a relation's column, which is an attribute where values are the relation's rows.
    pub fn of_column(relation: Oid, name: &str, cx: &mut DdlCtx) -> Result<Readers> {
        let (rows, db) = (row_type(relation), cx.database());
        match Held::new(rows, cx.catalog).tables(db).is_empty() {
            true => Ok(Readers { tables: Vec::new(), conditions: Vec::new(), forms: Forms::default() }),
            false => Readers::of(name, cx),
        }
    }
    pub fn of(name: &str, cx: &mut DdlCtx) -> Result<Readers> {
        let mut out = Vec::new();
        let tables: Vec<Arc<Table>> = cx.catalog.tables(cx.database()).into_iter().cloned().collect();
        for t in tables {
            let mut copy = Table::clone(&t);
            let texts: Vec<SqlText> = expressions(&mut copy).into_iter().map(|e| e.clone()).collect();
            if !texts.iter().any(|e| e.0.contains(name)) {
                continue;
            }
            let mut bound = Vec::with_capacity(texts.len());
            for e in texts {
                bound.push(match e.0.contains(name) {
                    true => readable(bind_text(&e, Some(&t), None, cx).map(Some), || None)?,
                    false => None,
                });
            }
            out.push((t.oid, bound));
        }
        let mut conditions = Vec::new();
        for g in cx.catalog.triggers(cx.database()).into_iter().cloned().collect::<Vec<_>>() {
            if let (Some(text), Some(t)) = (&g.when, cx.catalog.table(g.table).cloned())
                && text.0.contains(name)
            {
                let e = readable(cx.env.bind_when(&t, text).map(Some), || None)?;
                conditions.extend(e.map(|e| (g.clone(), e)));
            }
        }
        Ok(Readers { tables: out, conditions, forms: super::view::forms_saying(name, cx)? })
    }
    /// Writes them with the name of now.
    pub fn write(self, cx: &mut DdlCtx) -> Result<()> {
        for (oid, bound) in self.tables {
            let t = cx.lock_table(oid, pamir_txn::TableLock::AccessExclusive)?;
            let mut anew = (*t).clone();
            for (text, e) in std::iter::zip(expressions(&mut anew), &bound) {
                if let Some(e) = e {
                    *text = text_of(e, Some(&t), cx);
                }
            }
            cx.put_table(anew)?;
        }
        super::trigger::write_conditions(self.conditions, cx)?;
        super::view::write_forms(self.forms, cx)
    }
}
