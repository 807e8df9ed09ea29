//! What a statement does with each relation: the privileges it needs, noted while names are bound.
//!
//! A relation's columns get consecutive numbers when it is met; whoever refers to a column tells its number here, and it is found by the range it is in.
//! An INSERT's or UPDATE's target has several such ranges (the old row, `excluded`, RETURNING's), one use.
use super::scope::Rte;
use pamir_catalog::Table;
use pamir_catalog::acl::{EXECUTE, Mode, SELECT, UPDATE, Use};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_expr::ir::{ColId, Expr};
use pamir_types::{Oid, oid};
use std::sync::Arc;

/// Columns with consecutive numbers.
struct Range {
    first: ColId,
    count: ColId,
    of: usize,
    table: Arc<Table>,
}
#[derive(Default)]
pub(super) struct Uses {
    list: Vec<Use>,
    ranges: Vec<Range>,
    /// Functions of users that are called.
    functions: Vec<Oid>,
    /// Operators of users.
    operators: Vec<Oid>,
    /// Text search objects of users that literals name.
    text_search: Vec<ObjectRef>,
    /// A whole row is referred to, by a query whose text is made: that is not its columns.
    pub whole: bool,
}

impl Uses {
    /// A relation was met.
    pub fn begin(&mut self, relation: Oid, required: Mode) {
        self.list.push(Use { relation, required, ..Use::default() });
    }
    /// The use that was begun last.
    pub fn newest(&self) -> usize {
        self.list.len().saturating_sub(1)
    }
    /// The columns of the relation met last.
    pub fn columns(&mut self, t: &Arc<Table>, rte: &Rte) {
        self.columns_of(self.newest(), t, rte);
    }
    /// More columns of a relation.
    pub fn columns_of(&mut self, of: usize, t: &Arc<Table>, rte: &Rte) {
        let id = |e: Option<&Expr>| if let Some(Expr::Col(id, _)) = e { Some(*id) } else { None };
        let Some(first) = id(rte.cols.first().map(|c| &c.expr)) else { return };
        let count = rte.cols.len() as ColId;
        debug_assert_eq!(id(rte.cols.last().map(|c| &c.expr)), Some(first + count - 1), "columns are consecutive");
        self.ranges.push(Range { first, count, of, table: t.clone() });
    }
    /// The columns of a function that gives a table's rows, for what a query names.
    pub fn rows(&mut self, t: &Arc<Table>, first: ColId, count: usize) {
        self.begin(t.oid, 0);
        self.ranges.push(Range { first, count: count as ColId, of: self.newest(), table: t.clone() });
    }
    fn find(&self, id: ColId) -> Option<(usize, i16)> {
        let r = self.ranges.iter().rev().find(|r| id >= r.first && id - r.first < r.count)?;
        let c = r.table.live_columns().nth((id - r.first) as usize)?;
        Some((r.of, c.attnum))
    }
    pub fn select_id(&mut self, id: ColId) {
        if let Some((of, attnum)) = self.find(id) {
            self.select_column(of, attnum);
        }
    }
    pub fn select(&mut self, e: &Expr) {
        pamir_expr::expr::each_col(e, &mut |id| self.select_id(id));
    }
    pub fn select_column(&mut self, of: usize, attnum: i16) {
        if let Some(u) = self.list.get_mut(of) {
            u.required |= SELECT;
            if !self.whole {
                Use::add(&mut u.selected, attnum);
            }
        }
    }
    pub fn insert(&mut self, of: usize, attnum: i16) {
        if let Some(u) = self.list.get_mut(of) {
            Use::add(&mut u.inserted, attnum);
        }
    }
    pub fn update(&mut self, of: usize, attnum: i16) {
        if let Some(u) = self.list.get_mut(of) {
            u.required |= UPDATE;
            Use::add(&mut u.updated, attnum);
        }
    }
    /// A use as it is by now.
    pub fn get(&self, of: usize) -> Use {
        self.list.get(of).cloned().unwrap_or_default()
    }
    /// What is done with a relation that a view shows is what is done with the view.
    pub fn settle(&mut self, of: usize, required: Mode, inserted: &[i16], updated: &[i16]) {
        if let Some(u) = self.list.get_mut(of) {
            u.required = required;
            inserted.iter().for_each(|a| Use::add(&mut u.inserted, *a));
            updated.iter().for_each(|a| Use::add(&mut u.updated, *a));
        }
    }
    pub fn require(&mut self, of: usize, mode: Mode) {
        if let Some(u) = self.list.get_mut(of) {
            u.required |= mode;
        }
    }
    /// For the relation that has this column.
    pub fn require_of(&mut self, id: ColId, mode: Mode) {
        if let Some((of, _)) = self.find(id) {
            self.require(of, mode);
        }
    }
    /// What the query of a view does.
    pub fn inside(&mut self, uses: Vec<Use>) {
        let at = self.list.len();
        self.list.extend(uses);
        debug_assert!(self.ranges.iter().all(|r| r.of < at));
    }
    /// A function of a user's is called.
    pub fn call(&mut self, f: Oid) {
        if !self.functions.contains(&f) {
            self.functions.push(f);
        }
    }
    /// The functions of users so far.
    pub fn functions(&self) -> &[Oid] {
        &self.functions
    }
    /// A user's operator is used.
    pub fn operator(&mut self, o: Oid) {
        if !self.operators.contains(&o) {
            self.operators.push(o);
        }
    }
    /// A literal of the type names a text search object.
    pub fn text_search(&mut self, ty: Oid, object: Oid) {
        let class = match ty {
            oid::REGCONFIG => Class::TsConfig,
            oid::REGDICTIONARY => Class::TsDictionary,
            _ => return,
        };
        let o = ObjectRef::new(class, object);
        if object >= oid::FIRST_USER && !self.text_search.contains(&o) {
            self.text_search.push(o);
        }
    }
    /// Those so far.
    pub fn text_search_objects(&self) -> &[ObjectRef] {
        &self.text_search
    }
    /// The operators of users so far.
    pub fn operators(&self) -> &[Oid] {
        &self.operators
    }
    pub fn done(&mut self) -> Vec<Use> {
        let functions = std::mem::take(&mut self.functions).into_iter();
        let mut all = std::mem::take(&mut self.list);
        all.extend(functions.map(|relation| Use { relation, required: EXECUTE, ..Use::default() }));
        all
    }
}
