//! Users' functions, operators and aggregates as a snapshot holds them: where they are and what they are called. What they are only an upper floor knows.
//!
//! ```text
//!   class + name -> routines of all schemas, oldest first          class + OID -> routine
//! ```
//! They are versioned as all else: adding or removing one makes a new snapshot with a higher version. What is derived from tables is forgotten with
//! it ([`Catalog::with_routine`]), since stored expressions name routines.
//!
//! Functions, aggregates and operators that users define with SQL ([`crate::function`], [`crate::operator`]) are objects of the catalog, and stand here by their names.
//!
//! Limits: the others are not written to the catalog's tree, so a database that is opened has none of them.
use super::*;
use rustc_hash::FxHashMap;

/// What a routine is. Names and overloads of one class say nothing of another's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Function,
    Operator,
    Aggregate,
}
const CLASSES: usize = 3;

#[derive(Clone)]
pub struct Routine {
    pub oid: Oid,
    pub schema: Oid,
    pub name: Box<str>,
    /// Of the one type that the upper floor has for the class.
    pub item: Arc<dyn Any + Send + Sync>,
}

#[derive(Clone, Default)]
struct OfClass {
    names: FxHashMap<Box<str>, Vec<Routine>>,
    by_oid: FxHashMap<Oid, Routine>,
}

#[derive(Clone, Default)]
pub(crate) struct Routines([OfClass; CLASSES]);

impl Routines {
    fn of(&self, class: Class) -> &OfClass {
        &self.0[class as usize]
    }
    fn put(&mut self, class: Class, r: Routine) {
        let c = &mut self.0[class as usize];
        c.names.entry(r.name.clone()).or_default().push(r.clone());
        c.by_oid.insert(r.oid, r);
    }
    fn remove(&mut self, class: Class, oid: Oid) {
        let c = &mut self.0[class as usize];
        let Some(old) = c.by_oid.remove(&oid) else { return };
        if let Some(same) = c.names.get_mut(&old.name) {
            same.retain(|r| r.oid != oid);
            if same.is_empty() {
                c.names.remove(&old.name);
            }
        }
    }
    pub fn put_function(&mut self, f: &Arc<function::Function>) {
        let (oid, schema, name) = (f.oid, f.schema, (*f.name).into());
        let class = match f.kind {
            function::FunctionKind::Aggregate => Class::Aggregate,
            _ => Class::Function,
        };
        self.put(class, Routine { oid, schema, name, item: f.clone() });
    }
    pub fn remove_function(&mut self, oid: Oid) {
        self.remove(Class::Function, oid);
        self.remove(Class::Aggregate, oid);
    }
    pub fn put_operator(&mut self, o: &Arc<operator::Operator>) {
        let (oid, schema, name) = (o.oid, o.schema, (*o.name).into());
        self.put(Class::Operator, Routine { oid, schema, name, item: o.clone() });
    }
    pub fn remove_operator(&mut self, oid: Oid) {
        self.remove(Class::Operator, oid);
    }
}

impl store::Inner {
    /// What tables keep of their stored expressions was bound with the routines that there were; a clone keeps nothing.
    pub(crate) fn forget_bound(&mut self) {
        for t in Arc::make_mut(&mut self.tables).values_mut() {
            if t.has_stored_expressions() {
                *t = Arc::new((**t).clone());
            }
        }
    }
}

impl Catalog {
    /// Has it any at all?
    #[inline]
    pub fn has_routines(&self) -> bool {
        self.layers().flat_map(|l| &l.routines.0).any(|c| !c.by_oid.is_empty())
    }
    /// Temporary routines of a name: only one that names their schema finds them.
    pub fn temporary_routines(&self, class: Class, name: &str) -> &[Routine] {
        let names = self.temporary.as_ref().map(|t| &t.routines.of(class).names);
        names.and_then(|n| n.get(name)).map_or(&[], |v| v)
    }
    /// All other routines of a name, whatever their schemas.
    #[inline]
    pub fn routines(&self, class: Class, name: &str) -> &[Routine] {
        let names = &self.inner.routines.of(class).names;
        if names.is_empty() {
            return &[];
        }
        names.get(name).map_or(&[], |v| v)
    }
    /// Does the bare name of an operator find none but the server's own?
    pub fn has_only_own_operators(&self, symbol: &str) -> bool {
        !self.has_extensions() && self.routines(Class::Operator, symbol).is_empty()
    }
    pub fn routine(&self, class: Class, oid: Oid) -> Option<&Routine> {
        self.of(oid).routines.of(class).by_oid.get(&oid)
    }
    /// All of a class, by OID.
    pub fn all_routines(&self, class: Class) -> Vec<&Routine> {
        sorted(self.layers().flat_map(|l| l.routines.of(class).by_oid.values()).collect(), |r| r.oid)
    }
    /// This catalog with a routine more (version + 1).
    pub fn with_routine(&self, class: Class, r: Routine) -> Catalog {
        self.with_routines(|all| all.put(class, r))
    }
    /// This catalog without a routine (version + 1); None: it has none such.
    pub fn without_routine(&self, class: Class, oid: Oid) -> Option<Catalog> {
        self.routine(class, oid)?;
        Some(self.with_routines(|all| all.remove(class, oid)))
    }
    fn with_routines(&self, change: impl FnOnce(&mut Routines)) -> Catalog {
        let mut inner = (*self.inner).clone();
        change(Arc::make_mut(&mut inner.routines));
        inner.forget_bound();
        Catalog {
            version: self.version + 1,
            inner: Arc::new(inner),
            temporary: self.temporary.clone(),
            new_labels: self.new_labels.clone(),
        }
    }
}
impl Table {
    fn has_stored_expressions(&self) -> bool {
        let of_index =
            |i: &Index| i.predicate.is_some() || i.columns.iter().any(|c| matches!(c.0, IndexColumn::Expr(..)));
        self.columns.iter().any(|c| c.default.is_some() || c.generated.is_some())
            || !self.checks.is_empty()
            || self.indexes.iter().any(of_index)
    }
}
