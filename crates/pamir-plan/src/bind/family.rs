//! A table with those that inherit from it: one append, with an arm a table.
//!
//! ```text
//!   FROM people p  ->  SetOp UNION ALL -> [name, age, ctid, tableoid]          FROM ONLY people: Table as ever
//!                        +- Project <- Table people
//!                        +- SetOp +- Project <- Table staff     (its columns of these names; those of its own are not read)
//!                                 +- Project <- Table boss
//! ```
//! It is a UNION ALL like a written one, so conditions, limits and columns that nobody reads go into the arms, and each arm is planned with its own
//! indexes and statistics. The arms stand in a balanced tree: a thousand of them nest ten deep. A row is addressed by `ctid` within the table
//! `tableoid`: who changes or locks rows asks [`Binder::members`] for the tables. Privileges are asked of the named table alone; every table is
//! locked, and a plan hangs on all of them. A table without children comes here for nothing: one look at its descriptor.
//!
//! Where the text alone is asked for (a view being stored) no table's children are looked at.
//!
//! A partitioned table stays one table, which names those below it that have rows: the planner makes arms of the ones that conditions leave (`plan/partition.rs`).
//!
//! Limits: an order above is sorted, not merged; no arm is left out for its CHECKs, nor read by index as a nested loop's inner side.
use super::Binder;
use super::scope::Rte;
use pamir_catalog::Table;
use pamir_expr::ir::{ColId, Expr, Members, OutCol, Rel, SetOp};
use pamir_txn::TableLock;
use pamir_types::{Result, Type, oid};
use std::sync::Arc;

/// One reading of a table and its family.
#[derive(Clone)]
pub(super) struct Scanned {
    pub table: Arc<Table>,
    pub alias: String,
    pub key: ColId,
    pub cols: Vec<(i16, ColId)>,
    pub members: Members,
}
impl Binder<'_, '_> {
    /// The scan of a table with children (`rel`, of [`Binder::scan`]) as one of all the family. `lock`: of each table.
    pub(super) fn whole_family(&mut self, rel: Rel, rte: &mut Rte, lock: TableLock) -> Result<Rel> {
        if self.recording() {
            return Ok(rel);
        }
        if matches!(&rel, Rel::Table { table, .. } if table.is_partitioned()) {
            return self.whole_partitions(rel, rte, lock);
        }
        let Rel::Table { table, alias, cols, key, tableoid, .. } = rel else { return Ok(rel) };
        let tables = self.cx.catalog.descendants(&table);
        let key = key.unwrap_or_else(|| self.new_col());
        let tableoid = tableoid.unwrap_or_else(|| self.new_col());
        rte.tableoid = Some(tableoid);
        let mut out: Vec<OutCol> = cols.iter().map(|c| c.1.clone()).collect();
        out.extend(system(key, tableoid));
        let mut arms = vec![self.arm(&table, &table, &alias, &cols)];
        for t in &tables {
            pamir_types::work::charge(cols.len() + 1)?;
            self.use_table(t, lock);
            arms.push(self.arm(&table, t, &alias, &cols));
        }
        let rel = self.append(arms, out);
        let cols = cols.iter().map(|(a, c)| (*a, c.id)).collect();
        self.families.push(Scanned { table, alias, key, cols, members: Members { tableoid, tables } });
        Ok(rel)
    }
    /// The scan of a partitioned table as one of its partitions.
    fn whole_partitions(&mut self, mut rel: Rel, rte: &mut Rte, lock: TableLock) -> Result<Rel> {
        let Rel::Table { table, alias, cols, key, tableoid, parts, .. } = &mut rel else { return Ok(rel) };
        let tables = pamir_expr::partition::in_order(table, self.cx.env)?;
        let (key, tableoid) = {
            let mut fresh = |c: &mut Option<ColId>| {
                *c.get_or_insert_with(|| {
                    self.next_col += 1;
                    self.next_col - 1
                })
            };
            (fresh(key), fresh(tableoid))
        };
        rte.tableoid = Some(tableoid);
        *parts = Some(Arc::new(tables.iter().filter(|t| !t.is_partitioned()).cloned().collect()));
        let known: rustc_hash::FxHashSet<pamir_types::Oid> = self.tables.iter().map(|t| t.0.oid).collect();
        for t in &tables {
            pamir_types::work::charge(pamir_types::work::ROW as usize)?;
            match known.contains(&t.oid) {
                true => self.use_table(t, lock),
                false => self.tables.push((t.clone(), lock)),
            }
        }
        let cols = cols.iter().map(|(a, c)| (*a, c.id)).collect();
        let (table, alias) = (table.clone(), alias.clone());
        self.families.push(Scanned { table, alias, key, cols, members: Members { tableoid, tables } });
        Ok(rel)
    }
    /// The columns `cols` of `parent`, and where the row is, from one table of its family.
    fn arm(&mut self, parent: &Table, t: &Arc<Table>, alias: &str, cols: &[(i16, OutCol)]) -> Rel {
        let mut own = Vec::with_capacity(cols.len());
        for (a, o) in cols {
            let Some(c) = parent.column(*a).and_then(|c| t.column_by_name(&c.name)) else { continue };
            let col = OutCol { id: self.new_col(), name: o.name.clone(), ty: c.ty, origin: Some((t.oid, c.attnum)) };
            own.push((c.attnum, col));
        }
        let (key, tableoid) = (self.new_col(), self.new_col());
        let exprs = own.iter().map(|c| c.1.clone()).chain(system(key, tableoid));
        let exprs = exprs.map(|c| (Expr::Col(c.id, c.ty), OutCol { id: self.new_col(), ..c })).collect();
        let (table, alias) = (t.clone(), alias.to_string());
        let (key, tableoid) = (Some(key), Some(tableoid));
        let input = Rel::Table { table, alias, cols: own, key, tableoid, lock: None, parts: None };
        Rel::Project { input: Box::new(input), exprs }
    }
    fn append(&mut self, mut arms: Vec<Rel>, cols: Vec<OutCol>) -> Rel {
        if arms.len() == 1 {
            return arms.remove(0);
        }
        let right = arms.split_off(arms.len() / 2);
        let mut side = |arms: Vec<Rel>| {
            let cols = cols.iter().map(|c| OutCol { id: self.new_col(), ..c.clone() }).collect();
            Box::new(self.append(arms, cols))
        };
        let (left, right) = (side(arms), side(right));
        Rel::SetOp { op: SetOp::Union, all: true, left, right, cols }
    }
    /// The partitions of a table that rows are inserted into, each locked; None: it is not partitioned.
    pub(super) fn partitions(&mut self, t: &Arc<Table>) -> Option<Members> {
        if !t.is_partitioned() || self.recording() {
            return None;
        }
        let tables = self.cx.catalog.descendants(t);
        for x in &tables {
            self.use_table(x, TableLock::RowExclusive);
        }
        Some(Members { tableoid: self.new_col(), tables })
    }
    /// The family that `rel` reads, by its number among those of the statement.
    pub(super) fn family_in(&self, rel: &Rel) -> Option<usize> {
        match rel {
            Rel::SetOp { cols, .. } => self.families.iter().position(|f| cols.iter().any(|c| c.id == f.key)),
            Rel::Table { key: Some(k), parts: Some(_), .. } => self.families.iter().position(|f| f.key == *k),
            _ => None,
        }
    }
    /// The tables besides the named one that the rows with this key column may be in.
    pub(super) fn members(&self, key: ColId) -> Option<Members> {
        self.families.iter().find(|f| f.key == key).map(|f| f.members.clone())
    }
}
fn system(key: ColId, tableoid: ColId) -> [OutCol; 2] {
    let col = |id, name: &str, ty| OutCol { id, name: name.into(), ty, origin: None };
    [col(key, "ctid", Type::new(oid::TID)), col(tableoid, "tableoid", Type::OID)]
}
