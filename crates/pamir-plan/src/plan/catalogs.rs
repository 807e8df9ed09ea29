//! Reading the server's own relations, whose rows a session makes: all of them, or those that a key finds.
//!
//! ```text
//!   c.oid = x, c.relname = y ...................... keys: rows have all of these values
//!   t.oid = any (a), t.oid in (x, y),
//!   (g and t.oid = x) or t.oid = any (a) .......... any: a row's value is one of these, or an item of one of these arrays
//! ```
//! *Invariant*: keys only leave rows out; the conditions they come from are all filters as well. Values are computed when the scan opens, whatever the row: those of an OR's arms
//! must not fail, since what stands beside them in the arm may have been written to keep them from it.
use super::*;

/// Making a row of a virtual table where all are made: 3 microseconds.
const VIRTUAL_ROW: f64 = 0.1;
/// Finding a virtual table's rows by a key.
const VIRTUAL_LOOKUP: f64 = 1.0;

impl Planner<'_> {
    /// Conditions that say which rows of a virtual table are wanted: a key equals what does not depend on the row, or is among several such values and arrays' items (an OR's arms,
    /// too, where each says so of one key).
    #[allow(clippy::type_complexity)]
    fn virtual_keys(
        &mut self,
        table: &'static pamir_catalog::system::VirtualTable,
        cols: &[(usize, u32)],
        conds: &[Expr],
    ) -> Result<(Vec<(usize, Px)>, Option<(usize, Vec<Px>)>)> {
        let own: FxHashSet<u32> = cols.iter().map(|c| c.1).collect();
        let (mut out, mut any) = (Vec::new(), None);
        for c in conds {
            let Some((i, wanted)) = wanted_keys(table, cols, &own, c) else { continue };
            match (c, wanted.as_slice()) {
                (Expr::Call { .. }, [value]) => out.push((i, self.compile(value)?)),
                (_, [..]) if any.is_none() => any = Some((i, self.compile_all(&wanted)?)),
                _ => {}
            }
        }
        Ok((out, any))
    }
    pub(super) fn plan_virtual(
        &mut self,
        table: &'static pamir_catalog::system::VirtualTable,
        alias: &str,
        cols: &[(usize, OutCol)],
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        let cols: Vec<(usize, u32)> = cols.iter().map(|(i, o)| (*i, o.id)).collect();
        let (keys, any) = self.virtual_keys(table, &cols, &conds)?;
        for (i, s) in &cols {
            if let Some((n, _)) = table.columns.get(*i) {
                self.names.insert(*s, (alias.to_string(), n.to_string()));
            }
        }
        let kept: Vec<(usize, u32)> = cols.into_iter().filter(|c| self.used.contains(&c.1)).collect();
        let out: Vec<u32> = kept.iter().map(|c| c.1).collect();
        let sel: f64 = conds.iter().map(|c| self.selectivity(c)).product();
        let filter = self.compile_and(&conds)?;
        let (rows, total) = match &any {
            // Each value that is asked for finds about one row.
            Some((_, values)) => (100.0, VIRTUAL_LOOKUP * values.len() as f64),
            None if !keys.is_empty() => (100.0, VIRTUAL_LOOKUP),
            None => {
                let rows = virtual_rows(table, self.catalog.table_count());
                (rows, VIRTUAL_ROW * rows)
            }
        };
        let est = Est { startup: 0.0, total, rows: (rows * sel).max(1.0), width: self.width(&out) };
        let spec = VirtualSpec { table, keys, any, alias: alias.to_string(), cols: kept, filter, filter_ir: conds };
        Ok(PNode { kind: Kind::Virtual(Arc::new(spec)), est, out, id: 0 })
    }
}
/// The key of a virtual table whose value, in each row for which `c` holds, is one of these or an item of one of these arrays; none of them depends on the row.
fn wanted_keys(
    table: &pamir_catalog::system::VirtualTable,
    cols: &[(usize, u32)],
    own: &FxHashSet<u32>,
    c: &Expr,
) -> Option<(usize, Vec<Expr>)> {
    fn bare(mut e: &Expr) -> &Expr {
        while let Expr::Cast { e: inner, f: CastHow::Relabel, .. } = e {
            e = inner;
        }
        e
    }
    let texts = |t: Type| matches!(t.oid, oid::TEXT | oid::VARCHAR | oid::NAME);
    let oids = |t: Type| t.oid == oid::OID || pamir_types::text::is_reg(t.oid);
    let key_of = |key: &Expr, of: Type, value: &Expr| {
        let Expr::Col(id, ty) = bare(key) else { return None };
        let (i, _) = cols.iter().find(|c| c.1 == *id)?;
        let known = table.columns.get(*i).is_some_and(|c| table.is_key(c.0));
        let fits = texts(*ty) && texts(of) || oids(*ty) && oids(of);
        let free = !expr_free(value).iter().any(|c| own.contains(c));
        (known && fits && free && !is_volatile(value) && !has_subquery(value)).then_some(*i)
    };
    match c {
        Expr::Call { f, args, .. } => {
            let (Some(CmpOp::Eq), [a, b]) = (expr::cmp_of(f), args.as_slice()) else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(k, v)| Some((key_of(k, v.ty(), v)?, vec![v.clone()])))
        }
        Expr::AnyAll { op, left, array, all: false } if expr::cmp_of(op) == Some(CmpOp::Eq) => {
            let item = array.ty().element().unwrap_or(Type::UNKNOWN);
            Some((key_of(left, item, array)?, vec![(**array).clone()]))
        }
        Expr::InList { eq, e, list } if expr::cmp_of(eq) == Some(CmpOp::Eq) => {
            let mut keys = list.iter().map(|v| key_of(e, v.ty(), v));
            let first = keys.next()??;
            keys.all(|k| k == Some(first)).then(|| (first, list.to_vec()))
        }
        Expr::And(v) => v.iter().find_map(|c| wanted_keys(table, cols, own, c)),
        Expr::Or(v) => {
            // Another arm's conditions may keep a row from a value that fails: here all are computed.
            let safe = |(key, values): (usize, Vec<Expr>)| values.iter().all(never_fails).then_some((key, values));
            let mut arms = v.iter().map(|c| wanted_keys(table, cols, own, c).and_then(safe));
            let (key, mut all) = arms.next()??;
            for arm in arms {
                let (_, more) = arm.filter(|a| a.0 == key)?;
                all.extend(more);
            }
            Some((key, all))
        }
        _ => None,
    }
}
/// A column, a constant or a parameter as it is, and arrays of these.
fn never_fails(e: &Expr) -> bool {
    match e {
        Expr::Col(..) | Expr::Const(..) | Expr::Param(..) => true,
        Expr::Cast { e, f: CastHow::Relabel, .. } => never_fails(e),
        Expr::Array(v, _) => v.iter().all(never_fails),
        _ => false,
    }
}
/// About how many rows a virtual table has where there are so many tables: PostgreSQL's own objects, and a few rows each table.
fn virtual_rows(table: &pamir_catalog::system::VirtualTable, tables: usize) -> f64 {
    let (own, each) = match table.name {
        "pg_class" => (400.0, 3.0),
        "pg_type" => (600.0, 2.0),
        "pg_attribute" | "columns" => (3000.0, 12.0),
        "pg_index" | "pg_constraint" | "key_column_usage" => (150.0, 2.0),
        "pg_attrdef" | "tables" => (100.0, 1.0),
        "pg_depend" => (2000.0, 8.0),
        "pg_description" => (5000.0, 0.0),
        "pg_proc" => (3300.0, 0.0),
        "pg_operator" | "pg_amop" | "pg_amproc" => (800.0, 0.0),
        _ => (100.0, 0.0),
    };
    own + each * tables as f64
}
