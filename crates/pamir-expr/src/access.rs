//! A table's rows and index entries as bytes: the one place that knows how SQL rows become tree entries.
//!
//! ```text
//! table tree    key: primary key columns, or 8-byte big-endian hidden row id     value: row::encode of all columns by attnum
//! index tree    unique, no NULL in its columns (or NULLS NOT DISTINCT):  key: columns                    value: u16 length, primary key bytes, extra
//!               otherwise:                                               key: columns, primary key bytes value: u16 0, extra
//!               inverted, an entry per key of the columns' values:       key: key, primary key bytes     value: u16 0
//! extra: row::encode of (columns whose type is not key-decodable, then INCLUDE columns), absent when there are none
//! ```
//! The u16 is little-endian. What the length field cannot express (an entry of a unique index whose columns contain a NULL)
//! reads as "the primary key follows the columns in the key".
//!
//! [`TableCache`] holds what one table version needs on the hot path and what binding would otherwise redo for every row:
//! column types, each index's layout, and (made on first use, because binding needs a session) the compiled defaults,
//! generated columns, checks, index expressions and predicates. Cloning a `Table` starts a fresh cache: a clone is made to
//! be altered.
//!
//! Invariant: expressions in the cache name the column of attnum `a` by slot `a - 1`, so a whole row is their slot file.
use crate::env::Env;
use crate::expr::{self, Px, RowCx};
use crate::func;
use crate::inverted;
use crate::ir::Expr;
use pamir_catalog::system::types as classes;
use pamir_catalog::{Catalog, Index, IndexColumn, Table};
use pamir_types::key::{self, KeyOrder};
use pamir_types::row::{self, RawCol, RowRef};
use pamir_types::{Datum, Oid, Result, Type, bail, err, oid};
use std::sync::OnceLock;

/// A row's place as if it were an index's column.
const PLACE: KeyCol = KeyCol { attr: None, ty: Type::new(oid::TID), ord: KeyOrder::ASC, extra: None };

/// What one table version needs per row.
pub struct TableLayout {
    /// Types by attnum - 1.
    pub types: Vec<Type>,
    /// Position of the primary key in `Table::indexes`.
    pub pk: Option<usize>,
    pub indexes: Vec<IndexLayout>,
    /// True when a column has a missing value (rows may be shorter than the table).
    pub has_missing: bool,
    exprs: OnceLock<TableExprs>,
    irs: OnceLock<IndexIrs>,
    whens: OnceLock<Vec<Option<Px>>>,
    generated_from: OnceLock<Vec<(usize, Vec<usize>)>>,
    parts: OnceLock<crate::partition::Parts>,
}

/// How one index's entries are laid out.
pub struct IndexLayout {
    pub cols: Vec<KeyCol>,
    /// Sources of `extra`, in order.
    pub extra: Vec<ExtraCol>,
    pub extra_types: Vec<Type>,
    /// All key columns are plain columns, there is no predicate, and a row has one entry.
    pub plain: bool,
    /// Of an inverted index: its columns' classes. In its entries one column of bytes stands for them ([`inverted`]), which is what `cols` says.
    pub inverted: Option<Vec<Option<inverted::Class>>>,
}
#[derive(Clone, Copy, Debug)]
pub struct KeyCol {
    /// Column position (attnum - 1); None: an expression.
    pub attr: Option<usize>,
    pub ty: Type,
    pub ord: KeyOrder,
    /// Position in `extra` when the key bytes cannot be decoded.
    pub extra: Option<usize>,
}
#[derive(Clone, Copy, Debug)]
pub enum ExtraCol {
    /// The key column of this position.
    Key(usize),
    /// The column of this position (attnum - 1).
    Include(usize),
}

/// Compiled expressions of a table.
#[derive(Default)]
pub struct TableExprs {
    /// By attnum - 1.
    pub defaults: Vec<Option<Px>>,
    pub generated: Vec<Option<Px>>,
    /// In the order of `Table::checks`.
    pub checks: Vec<Px>,
    /// Per index and key column: the bound and the compiled expression.
    pub index_exprs: Vec<Vec<Option<(Expr, Px)>>>,
    pub predicates: Vec<Option<(Expr, Px)>>,
    /// Per index: its operators, of an EXCLUDE constraint (otherwise none).
    pub excludes: Vec<Vec<expr::Fun>>,
    /// Per index: columns (attnum - 1) that its entries depend on.
    pub depends: Vec<Vec<usize>>,
    pub any_generated: bool,
}

impl TableLayout {
    fn new(table: &Table) -> TableLayout {
        let types: Vec<Type> = table.columns.iter().map(|c| c.ty).collect();
        let mut indexes = Vec::with_capacity(table.indexes.len());
        for ix in &table.indexes {
            if !ix.sorts() {
                indexes.push(IndexLayout::inverted(table, ix, &types));
                continue;
            }
            let mut cols = Vec::new();
            let mut extra = Vec::new();
            let mut extra_types = Vec::new();
            for (i, (c, ord)) in ix.columns.iter().enumerate() {
                let (attr, ty) = match c {
                    IndexColumn::Attr(a) => {
                        let p = (*a as usize).wrapping_sub(1);
                        (Some(p), types.get(p).copied().unwrap_or(Type::UNKNOWN))
                    }
                    IndexColumn::Expr(_, ty) => (None, *ty),
                };
                let ex = if !ix.primary && !key::is_decodable(ty) {
                    extra.push(ExtraCol::Key(i));
                    extra_types.push(ty);
                    Some(extra.len() - 1)
                } else {
                    None
                };
                cols.push(KeyCol { attr, ty, ord: *ord, extra: ex });
            }
            if !ix.primary {
                for a in &ix.include {
                    let p = (*a as usize).wrapping_sub(1);
                    extra.push(ExtraCol::Include(p));
                    extra_types.push(types.get(p).copied().unwrap_or(Type::UNKNOWN));
                }
            }
            let plain = ix.predicate.is_none() && cols.iter().all(|c| c.attr.is_some());
            indexes.push(IndexLayout { cols, extra, extra_types, plain, inverted: None });
        }
        TableLayout {
            types,
            pk: table.indexes.iter().position(|i| i.primary),
            indexes,
            has_missing: table.columns.iter().any(|c| c.missing.is_some()),
            exprs: OnceLock::new(),
            irs: OnceLock::new(),
            whens: OnceLock::new(),
            generated_from: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }
}

impl IndexLayout {
    /// As if rows' places were an index.
    pub fn of_places() -> IndexLayout {
        IndexLayout { cols: vec![PLACE], extra: Vec::new(), extra_types: Vec::new(), plain: false, inverted: None }
    }
    fn inverted(table: &Table, ix: &Index, types: &[Type]) -> IndexLayout {
        let class = |(n, (c, _)): (usize, &(IndexColumn, KeyOrder))| {
            let ty = match c {
                IndexColumn::Attr(a) => types.get((*a as usize).wrapping_sub(1))?.oid,
                IndexColumn::Expr(_, ty) => ty.oid,
            };
            let oid = table.declared.class(ix.oid, n).unwrap_or_else(|| classes::operator_class(ty, ix.method.name()));
            let class = classes::class(oid)?;
            if class.is_scalar(ty) { Some(inverted::Class::Scalar(ty)) } else { inverted::Class::named(class.name) }
        };
        let inverted = Some(ix.columns.iter().enumerate().map(class).collect());
        let bytes = KeyCol { attr: None, ty: Type::new(oid::BYTEA), ord: KeyOrder::ASC, extra: None };
        IndexLayout { cols: vec![bytes], extra: Vec::new(), extra_types: Vec::new(), plain: false, inverted }
    }
}

/// Index expressions and predicates as the planner compares them: columns are attnum - 1.
#[derive(Default)]
pub struct IndexIrs {
    pub exprs: Vec<Vec<Option<Expr>>>,
    pub predicates: Vec<Option<Expr>>,
}
impl TableLayout {
    /// ... of this table version, made on first use by who can bind them. Made before the place is taken: binding may breathe, and others of this thread come here meanwhile.
    pub fn index_irs(&self, make: impl FnOnce() -> Result<IndexIrs>) -> Result<&IndexIrs> {
        if let Some(irs) = self.irs.get() {
            return Ok(irs);
        }
        let made = make()?;
        Ok(self.irs.get_or_init(|| made))
    }
}

impl TableLayout {
    /// How a partitioned table's rows are divided, made on first use as [`TableLayout::index_irs`].
    pub fn parts(&self, make: impl FnOnce() -> Result<crate::partition::Parts>) -> Result<&crate::partition::Parts> {
        if let Some(p) = self.parts.get() {
            return Ok(p);
        }
        let made = make()?;
        Ok(self.parts.get_or_init(|| made))
    }
}

/// The static part of the cache.
#[inline]
pub fn layout(table: &Table) -> &TableLayout {
    table.cache.get_or_init(|| TableLayout::new(table))
}

/// The compiled expressions, bound on first use with the catalog and names of `env`.
pub fn exprs<'t>(table: &'t Table, env: &mut dyn Env) -> Result<&'t TableExprs> {
    let b = layout(table);
    if let Some(e) = b.exprs.get() {
        return Ok(e);
    }
    let made = bind_exprs(table, env)?;
    Ok(b.exprs.get_or_init(|| made))
}

/// Generated columns, and the columns that each is computed from (attnum - 1).
pub fn generated_from<'t>(table: &'t Table, env: &mut dyn Env) -> Result<&'t [(usize, Vec<usize>)]> {
    let b = layout(table);
    if let Some(g) = b.generated_from.get() {
        return Ok(g);
    }
    let mut made = Vec::new();
    for c in table.live_columns() {
        if let Some(text) = &c.generated {
            let mut from = Vec::new();
            expr::each_col(&env.bind_stored(table, text, Some(c.ty))?, &mut |c| from.push(c as usize));
            made.push(((c.attnum - 1) as usize, from));
        }
    }
    Ok(b.generated_from.get_or_init(|| made))
}

/// Where the columns of `new` begin in a trigger's condition, behind those of `old`.
pub const NEW: u32 = 1 << 16;
/// The conditions of the table's triggers, in their order: `old.a` is slot attnum - 1, `new.a` the same behind [`NEW`].
pub fn whens<'t>(table: &'t Table, env: &mut dyn Env) -> Result<&'t [Option<Px>]> {
    let b = layout(table);
    if let Some(w) = b.whens.get() {
        return Ok(w);
    }
    let mut made = Vec::new();
    for t in table.all_triggers() {
        made.push(match &t.when {
            Some(text) => Some(expr::compile_simple(&env.bind_when(table, text)?)?),
            None => None,
        });
    }
    Ok(b.whens.get_or_init(|| made))
}

fn bind_exprs(table: &Table, env: &mut dyn Env) -> Result<TableExprs> {
    let mut out = TableExprs::default();
    for c in &table.columns {
        let (mut d, mut g) = (None, None);
        if !c.dropped {
            if let Some(s) = &c.default {
                d = Some(expr::compile_simple(&env.bind_stored(table, s, Some(c.ty))?)?);
            }
            if let Some(s) = &c.generated {
                g = Some(expr::compile_simple(&env.bind_stored(table, s, Some(c.ty))?)?);
                out.any_generated = true;
            }
        }
        out.defaults.push(d);
        out.generated.push(g);
    }
    for c in &table.checks {
        out.checks.push(expr::compile_simple(&env.bind_stored(table, &c.expr, None)?)?);
    }
    for ix in &table.indexes {
        let mut per = Vec::new();
        let mut deps: Vec<usize> = Vec::new();
        for (c, _) in &ix.columns {
            match c {
                IndexColumn::Attr(a) => {
                    deps.push((*a - 1) as usize);
                    per.push(None);
                }
                IndexColumn::Expr(s, _) => {
                    let e = env.bind_stored(table, s, None)?;
                    expr::each_col(&e, &mut |c| deps.push(c as usize));
                    let p = expr::compile_simple(&e)?;
                    per.push(Some((e, p)));
                }
            }
        }
        deps.extend(ix.include.iter().map(|a| (*a - 1) as usize));
        let pred = match &ix.predicate {
            Some(s) => {
                let e = env.bind_stored(table, s, None)?;
                expr::each_col(&e, &mut |c| deps.push(c as usize));
                let p = expr::compile_simple(&e)?;
                Some((e, p))
            }
            None => None,
        };
        deps.sort_unstable();
        deps.dedup();
        let ops = ix.excludes.iter().flat_map(|x| x.iter()).zip(&ix.columns);
        out.excludes.push(ops.map(|(x, (c, _))| operator(table, x.operator, c, env)).collect::<Result<_>>()?);
        out.index_exprs.push(per);
        out.predicates.push(pred);
        out.depends.push(deps);
    }
    Ok(out)
}

/// A key column's operator.
fn operator(table: &Table, oid: Oid, column: &IndexColumn, env: &dyn Env) -> Result<expr::Fun> {
    let ty = column.ty(table);
    match func::lookup::by_oid::<func::Operator>(env.catalog(), oid) {
        Some(o) => expr::Fun::new(o.f.clone(), vec![ty.base(), ty.base()], Type::BOOL),
        None => Err(pamir_types::Error::internal(format!("no operator {oid} of a constraint"))),
    }
}

/// Encodes a full row (one datum per column by attnum, dropped ones NULL).
pub fn encode_row(table: &Table, row: &[Datum], out: &mut Vec<u8>) -> Result<()> {
    row::encode_row(table.version as u16, row, &layout(table).types, out)
}

/// Decodes column `col` (attnum - 1) of an encoded row; a column that the row is older than takes its missing value.
#[inline]
pub fn decode_col(table: &Table, b: &TableLayout, r: RowRef<'_>, col: usize) -> Result<Datum> {
    let ty = b.types.get(col).copied().unwrap_or(Type::UNKNOWN);
    match r.datum(col, ty)? {
        Some(d) => Ok(d),
        None => match table.columns.get(col) {
            Some(c) => Catalog::missing_value(c),
            None => Ok(Datum::Null),
        },
    }
}

/// As [`decode_col`], into a place that the caller has.
#[inline]
pub fn load_col(table: &Table, b: &TableLayout, r: RowRef<'_>, col: usize, out: &mut Datum) -> Result<()> {
    let ty = b.types.get(col).copied().unwrap_or(Type::UNKNOWN);
    if !r.load(col, ty, out)? {
        *out = decode_col(table, b, r, col)?;
    }
    Ok(())
}

/// Decodes all columns; absent ones take their missing value.
pub fn decode_row(table: &Table, value: &[u8], out: &mut Vec<Datum>) -> Result<()> {
    let b = layout(table);
    out.clear();
    let r = RowRef(value);
    for (i, c) in table.columns.iter().enumerate() {
        out.push(if c.dropped { Datum::Null } else { decode_col(table, b, r, i)? });
    }
    Ok(())
}

/// Decodes the columns `cols` (attnum - 1); the others are NULL.
pub fn decode_cols(table: &Table, value: &[u8], cols: &[usize], out: &mut Vec<Datum>) -> Result<()> {
    let b = layout(table);
    out.clear();
    out.resize(table.columns.len(), Datum::Null);
    for c in cols {
        if let Some(d) = out.get_mut(*c) {
            *d = decode_col(table, b, RowRef(value), *c)?;
        }
    }
    Ok(())
}

/// Raw bytes of a column: None when NULL; Err(()) when the row is older than the column.
#[inline]
pub fn raw_col<'a>(r: RowRef<'a>, col: usize) -> Result<RawCol<'a>> {
    r.raw(col)
}

/// The primary key's bytes of a row; `None` primary key: `rowid`.
pub fn row_key(table: &Table, row: &[Datum], rowid: u64, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    let b = layout(table);
    match b.pk {
        None => out.extend_from_slice(&rowid.to_be_bytes()),
        Some(p) => {
            for c in &b.indexes[p].cols {
                let d = c.attr.and_then(|a| row.get(a)).unwrap_or(&Datum::Null);
                key::encode(d, c.ty, c.ord, out)?;
            }
            check_key_len(table, &table.indexes[p], out)?;
        }
    }
    Ok(())
}

fn check_key_len(_table: &Table, index: &Index, k: &[u8]) -> Result<()> {
    if k.len() > key::MAX_KEY {
        return Err(err!(
            PROGRAM_LIMIT_EXCEEDED,
            "index row size {} exceeds btree version 4 maximum {} for index \"{}\"",
            k.len(),
            key::MAX_KEY,
            index.name
        )
        .hint("Values larger than 1/3 of a buffer page cannot be indexed.\nConsider a function index of an MD5 hash of the value, or use full text indexing."));
    }
    Ok(())
}

/// Columns (attnum - 1) that an index's entries are made of.
pub fn index_columns(table: &Table, index: &Index, env: &mut dyn Env) -> Result<Vec<usize>> {
    let Some(pos) = table.indexes.iter().position(|i| i.oid == index.oid) else {
        return Err(pamir_types::Error::internal("index does not belong to its table"));
    };
    let lay = &layout(table).indexes[pos];
    if lay.plain {
        let include = index.include.iter().map(|a| (*a as usize).wrapping_sub(1));
        return Ok(lay.cols.iter().filter_map(|c| c.attr).chain(include).collect());
    }
    Ok(exprs(table, env)?.depends.get(pos).cloned().unwrap_or_default())
}

/// An index entry. Returns None when the partial index's predicate excludes the row, else whether the key alone is the unique one.
pub fn index_entry(
    table: &Table,
    index: &Index,
    row: &[Datum],
    pk: &[u8],
    env: &mut dyn Env,
    out_key: &mut Vec<u8>,
    value: &mut Vec<u8>,
) -> Result<Option<bool>> {
    match table.indexes.iter().position(|i| i.oid == index.oid) {
        Some(pos) => index_entry_at(table, pos, row, pk, env, out_key, value),
        None => Err(pamir_types::Error::internal("index does not belong to its table")),
    }
}
/// As [`index_entry`], by the index's position in the table.
pub fn index_entry_at(
    table: &Table,
    pos: usize,
    row: &[Datum],
    pk: &[u8],
    env: &mut dyn Env,
    out_key: &mut Vec<u8>,
    value: &mut Vec<u8>,
) -> Result<Option<bool>> {
    out_key.clear();
    value.clear();
    let (index, lay) = (&table.indexes[pos], &layout(table).indexes[pos]);
    let mut vals: smallvec::SmallVec<[Datum; 4]> = smallvec::SmallVec::new();
    let mut any_null = false;
    if lay.plain {
        for c in &lay.cols {
            let d = c.attr.and_then(|a| row.get(a)).unwrap_or(&Datum::Null);
            any_null |= d.is_null();
            key::encode(d, c.ty, c.ord, out_key)?;
            if !lay.extra.is_empty() {
                vals.push(d.clone());
            }
        }
    } else {
        let ex = exprs(table, env)?;
        if let Some(Some((_, p))) = ex.predicates.get(pos)
            && expr::eval_bool(p, &mut RowCx { row, env })? != Some(true)
        {
            return Ok(None);
        }
        for (i, c) in lay.cols.iter().enumerate() {
            let d = match c.attr {
                Some(a) => row.get(a).cloned().unwrap_or(Datum::Null),
                None => match ex.index_exprs.get(pos).and_then(|v| v.get(i)) {
                    Some(Some((_, p))) => expr::eval(p, &mut RowCx { row, env })?,
                    _ => Datum::Null,
                },
            };
            any_null |= d.is_null();
            key::encode(&d, c.ty, c.ord, out_key)?;
            vals.push(d);
        }
    }
    let unique = index.unique && (!any_null || index.nulls_not_distinct);
    if unique {
        let n = u16::try_from(pk.len()).map_err(|_| pamir_types::Error::internal("primary key too long"))?;
        value.extend_from_slice(&n.to_le_bytes());
        value.extend_from_slice(pk);
    } else {
        out_key.extend_from_slice(pk);
        value.extend_from_slice(&[0, 0]);
    }
    check_key_len(table, index, out_key)?;
    if !lay.extra.is_empty() {
        let cols: Vec<(Datum, Type)> = lay
            .extra
            .iter()
            .zip(&lay.extra_types)
            .map(|(e, t)| match e {
                ExtraCol::Key(i) => (vals.get(*i).cloned().unwrap_or(Datum::Null), *t),
                ExtraCol::Include(a) => (row.get(*a).cloned().unwrap_or(Datum::Null), *t),
            })
            .collect();
        let mut tmp = Vec::new();
        row::encode(table.version as u16, &cols, &mut tmp)?;
        value.extend_from_slice(&tmp);
    }
    Ok(Some(unique))
}

/// The values that a row has in an index's key columns; None: its predicate leaves the row out.
pub fn index_values(table: &Table, pos: usize, row: &[Datum], env: &mut dyn Env) -> Result<Option<Vec<Datum>>> {
    let ex = exprs(table, env)?;
    if let Some(Some((_, p))) = ex.predicates.get(pos)
        && expr::eval_bool(p, &mut RowCx { row, env })? != Some(true)
    {
        return Ok(None);
    }
    let columns = &table.indexes[pos].columns;
    let value = |(i, (c, _)): (usize, &(IndexColumn, KeyOrder))| match c {
        IndexColumn::Attr(a) => Ok(row.get((*a as usize).wrapping_sub(1)).cloned().unwrap_or(Datum::Null)),
        IndexColumn::Expr(..) => match ex.index_exprs.get(pos).and_then(|v| v.get(i)) {
            Some(Some((_, p))) => expr::eval(p, &mut RowCx { row, env }),
            _ => Ok(Datum::Null),
        },
    };
    columns.iter().enumerate().map(value).collect::<Result<Vec<Datum>>>().map(Some)
}

/// What an entry of an inverted index has beside its key.
pub const NO_VALUE: [u8; 2] = [0, 0];
/// The keys of a row's entries in an inverted index, ascending.
pub fn inverted_keys(
    table: &Table,
    pos: usize,
    row: &[Datum],
    pk: &[u8],
    env: &mut dyn Env,
    out: &mut Vec<Vec<u8>>,
) -> Result<()> {
    out.clear();
    let (index, lay) = (&table.indexes[pos], &layout(table).indexes[pos]);
    let Some(values) = index_values(table, pos, row, env)? else { return Ok(()) };
    let mut keys = Vec::new();
    for (i, (class, d)) in lay.inverted.iter().flatten().zip(values).enumerate() {
        let Some(class) = class else { bail!(INDEX_CORRUPTED, "index \"{}\" has no operator class", index.name) };
        keys.clear();
        inverted::keys(*class, i as u8, &d, &mut keys)?;
        for k in keys.drain(..) {
            let mut entry = Vec::with_capacity(k.len() + pk.len() + 2);
            key::encode(&Datum::Bytea(k.into()), Type::new(oid::BYTEA), KeyOrder::ASC, &mut entry)?;
            entry.extend_from_slice(pk);
            check_key_len(table, index, &entry)?;
            out.push(entry);
        }
    }
    Ok(())
}
/// What [`each_entry`] calls with a key and a value.
pub type EachEntry<'a> = dyn FnMut(&[u8], &[u8]) -> Result<()> + 'a;
/// Where [`each_entry`] makes entries: kept from row to row for its memory.
#[derive(Default)]
pub struct EntryRoom {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub inverted: Vec<Vec<u8>>,
}
/// Calls `f` with the key and the value of each entry that a row has in an index, at its position in the table.
pub fn each_entry(
    (table, pos): (&Table, usize),
    row: &[Datum],
    pk: &[u8],
    env: &mut dyn Env,
    room: &mut EntryRoom,
    f: &mut EachEntry,
) -> Result<()> {
    if layout(table).indexes[pos].inverted.is_some() {
        inverted_keys(table, pos, row, pk, env, &mut room.inverted)?;
        return room.inverted.iter().try_for_each(|k| f(k, &NO_VALUE));
    }
    match index_entry_at(table, pos, row, pk, env, &mut room.key, &mut room.value)? {
        Some(_) => f(&room.key, &room.value),
        None => Ok(()),
    }
}

/// The primary key bytes of an index entry.
pub fn entry_row_key<'a>(table: &Table, index: &Index, key: &'a [u8], value: &'a [u8]) -> Result<&'a [u8]> {
    match table.indexes.iter().position(|i| i.oid == index.oid) {
        Some(p) => entry_pk(&layout(table).indexes[p], key, value),
        None => Err(pamir_types::Error::internal("index does not belong to its table")),
    }
}

/// As [`entry_row_key`] with the layout at hand.
#[inline]
pub fn entry_pk<'a>(lay: &IndexLayout, key: &'a [u8], value: &'a [u8]) -> Result<&'a [u8]> {
    let Some(n) = value.get(..2) else { bail!(INDEX_CORRUPTED, "index entry is too short") };
    let n = u16::from_le_bytes([n[0], n[1]]) as usize;
    if n > 0 {
        return value.get(2..2 + n).ok_or_else(|| err!(INDEX_CORRUPTED, "index entry is too short"));
    }
    let mut rest = key;
    for c in &lay.cols {
        rest = key::skip(rest, c.ty, c.ord)?;
    }
    Ok(rest)
}

/// Has a row NULL among the values of a constraint's index? Then they are nobody else's, unless NULLs are not distinct.
pub fn has_null_key(ix: &Index, row: &[Datum]) -> bool {
    ix.columns.iter().any(|(c, _)| match c {
        IndexColumn::Attr(a) => row.get((*a as usize).wrapping_sub(1)).is_none_or(Datum::is_null),
        IndexColumn::Expr(..) => false,
    })
}
/// Finds rows with the same values among a deferrable key's entries, as they come in their order.
#[derive(Default)]
pub struct Repeats {
    values: Option<Vec<u8>>,
    /// They have a NULL, and count for nothing.
    null: bool,
}
impl Repeats {
    /// The row key of an entry that has the values of the one before it: its row says whether that counts ([`Repeats::counts`]).
    pub fn again<'a>(&mut self, lay: &IndexLayout, key: &'a [u8], value: &'a [u8]) -> Result<Option<&'a [u8]>> {
        let row_key = entry_pk(lay, key, value)?;
        let values = &key[..key.len() - row_key.len()];
        if self.values.as_deref() == Some(values) {
            return Ok((!self.null).then_some(row_key));
        }
        let kept = self.values.get_or_insert_default();
        kept.clear();
        kept.extend_from_slice(values);
        self.null = false;
        Ok(None)
    }
    pub fn counts(&mut self, ix: &Index, row: &[Datum]) -> bool {
        self.null = !ix.nulls_not_distinct && has_null_key(ix, row);
        !self.null
    }
}

/// The `extra` part of an index entry's value.
#[inline]
pub fn entry_extra(value: &[u8]) -> Result<&[u8]> {
    let Some(n) = value.get(..2) else { bail!(INDEX_CORRUPTED, "index entry is too short") };
    let n = u16::from_le_bytes([n[0], n[1]]) as usize;
    value.get(2 + n..).ok_or_else(|| err!(INDEX_CORRUPTED, "index entry is too short"))
}
