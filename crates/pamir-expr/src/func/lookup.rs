//! Which functions, operators and aggregates a name means: the server's own and those of the catalog's snapshot.
//!
//! ```text
//! f        pg_catalog's (where the search path names it, else first), and those of each schema of the path that the user may use      overloads of all of them together
//! s.f      those of s
//! ```
//! An overload with the arguments of one before it is hidden. Users' functions are found while a statement is bound, and what is bound has handles of them.
use super::*;
use pamir_catalog::routines::{Class, Routine};
use pamir_catalog::{Catalog, NameScope, defs};
use rustc_hash::FxHashMap;
use std::sync::Arc;

type Object = Arc<dyn std::any::Any + Send + Sync>;

/// What a catalog's routines may be.
pub trait Kind: Send + Sync + Sized + 'static {
    const CLASS: Class;
    /// The server's own of a name.
    fn own(name: &str) -> &'static [&'static Self];
    /// The server's own of an OID.
    fn own_by_oid(oid: Oid) -> Option<&'static Self>;
    /// Are they the same to a call?
    fn hides(&self, other: &Self) -> bool;
    fn number(&self) -> Oid;
    /// (schema, name)
    fn place(&self) -> (Oid, &Name);
    /// What an object of the catalog comes to.
    fn of_object(_: &Object, _: &Catalog) -> Option<Arc<Self>> {
        None
    }
    /// Those of the kind that an extension has.
    fn of_extension(m: &extension::Members) -> &FxHashMap<Name, Vec<Arc<Self>>>;
    /// Gives what is registered its OID and schema.
    fn settle(&mut self, oid: Oid, schema: Oid);
}
macro_rules! kind {
    ($ty:ident, $members:ident, $own:path, $by_oid:expr, |$a:ident, $b:ident| $hides:expr $(, $object:item)?) => {
        impl Kind for $ty {
            $($object)?
            const CLASS: Class = Class::$ty;
            fn own(name: &str) -> &'static [&'static Self] {
                $own(name)
            }
            fn own_by_oid(oid: Oid) -> Option<&'static Self> {
                $by_oid(oid)
            }
            fn hides(&self, other: &Self) -> bool {
                let ($a, $b) = (self, other);
                $hides
            }
            fn number(&self) -> Oid {
                self.oid
            }
            fn place(&self) -> (Oid, &Name) {
                (self.schema, &self.name)
            }
            fn of_extension(m: &extension::Members) -> &FxHashMap<Name, Vec<Arc<Self>>> {
                &m.$members
            }
            fn settle(&mut self, oid: Oid, schema: Oid) {
                (self.oid, self.schema) = (oid, schema);
            }
        }
    };
}
kind!(
    Function,
    functions,
    functions,
    function_by_oid,
    |a, b| a.args == b.args && a.variadic == b.variadic,
    fn of_object(o: &Object, _: &Catalog) -> Option<Arc<Function>> {
        o.downcast_ref::<pamir_catalog::function::Function>().map(stored::of)
    }
);
kind!(
    Operator,
    operators,
    operators,
    |oid| all_operators().iter().find(|o| o.oid == oid),
    |a, b| (a.left, a.right) == (b.left, b.right),
    fn of_object(o: &Object, catalog: &Catalog) -> Option<Arc<Operator>> {
        stored::operator(o.downcast_ref::<pamir_catalog::operator::Operator>()?, catalog)
    }
);
kind!(
    Aggregate,
    aggregates,
    aggregates,
    |oid| all_aggregates().iter().find(|a| a.oid == oid),
    |a, b| a.args == b.args,
    fn of_object(o: &Object, _: &Catalog) -> Option<Arc<Aggregate>> {
        user_aggregate::of(o.downcast_ref::<pamir_catalog::function::Function>()?)
    }
);

/// What a name means where no arguments choose.
pub enum Only<T: 'static> {
    Nothing,
    One(Handle<T>),
    Several,
}
/// The overloads of a name.
pub struct Found<T: 'static> {
    own: &'static [&'static T],
    users: Vec<Arc<T>>,
    /// Of the server's own, those that users' hide: their schemas come before pg_catalog.
    hidden: Vec<usize>,
}
impl<T> Found<T> {
    pub fn is_empty(&self) -> bool {
        self.own.len() == self.hidden.len() && self.users.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = Handle<T>> {
        let shown = self.own.iter().enumerate().filter(|(n, _)| !self.hidden.contains(n));
        shown.map(|(_, t)| Handle::Own(*t)).chain(self.users.iter().map(|t| Handle::Users(t.clone())))
    }
    pub fn only(&self) -> Only<T> {
        let mut all = self.iter();
        match (all.next(), all.next()) {
            (None, _) => Only::Nothing,
            (Some(one), None) => Only::One(one),
            (Some(_), Some(_)) => Only::Several,
        }
    }
}

fn item<T: Kind>(r: &Routine, catalog: &Catalog) -> Option<Arc<T>> {
    r.item.clone().downcast().ok().or_else(|| T::of_object(&r.item, catalog))
}
/// Does the schema of this name mean the server's own functions?
fn is_own(schema: &str) -> bool {
    matches!(schema, "pg_catalog" | "information_schema" | "pamir_catalog")
}

/// What `name`, or `schema.name`, means. A schema that there is not has nothing.
pub fn find<T: Kind>(catalog: &Catalog, scope: &NameScope, schema: Option<&str>, name: &str) -> Found<T> {
    let own = if schema.is_none_or(is_own) { T::own(name) } else { &[] };
    let mut found = Found { own, users: Vec::new(), hidden: Vec::new() };
    let temporary = schema.is_some_and(|s| catalog.is_temporary_schema(s));
    let all = if temporary { catalog.temporary_routines(T::CLASS, name) } else { catalog.routines(T::CLASS, name) };
    let extensions = catalog.has_extensions();
    if (all.is_empty() && !extensions) || schema.is_some_and(is_own) {
        return found;
    }
    let mut of_schema = |s: &str, first: bool| {
        let Some(schema) = catalog.schema_of_relations(scope.database, s) else { return };
        if !catalog.may_use_schema(scope, schema.oid) {
            return;
        }
        let mut here: Vec<Arc<T>> =
            all.iter().filter(|r| r.schema == schema.oid).filter_map(|r| item::<T>(r, catalog)).collect();
        if extensions {
            for e in catalog.extensions_in(schema.oid) {
                here.extend(T::of_extension(&extension::members(e)).get(name).into_iter().flatten().cloned());
            }
        }
        for t in here {
            if found.users.iter().any(|o| o.hides(&t)) {
                continue;
            }
            // One and the same is its extension's where that is there.
            match found.own.iter().position(|o| o.hides(&t)) {
                Some(n) if !first && found.own.get(n).is_none_or(|o| o.number() != t.number()) => continue,
                Some(n) => found.hidden.push(n),
                None => {}
            }
            found.users.push(t);
        }
    };
    match schema {
        Some(s) => of_schema(s, false),
        None => {
            let own = own_place(scope);
            scope.search_path.iter().enumerate().for_each(|(n, s)| of_schema(s, n < own));
        }
    }
    found
}

/// How many schemas of the search path come before pg_catalog, and hide what it has.
pub fn own_place(scope: &NameScope) -> usize {
    scope.search_path.iter().position(|s| s == "pg_catalog").unwrap_or(0)
}

/// A user's by its OID.
fn users<T: Kind>(catalog: &Catalog, oid: Oid) -> Option<Arc<T>> {
    if oid >= pamir_types::oid::EXTENSIONS || extension::of_own(oid).is_some() {
        let mut all = catalog.all_extensions().map(|e| extension::members(e));
        return all.find_map(|m| T::of_extension(&m).values().flatten().find(|t| t.number() == oid).cloned());
    }
    item(catalog.routine(T::CLASS, oid)?, catalog)
}
/// All users' of a kind, by OID.
pub fn all_users<T: Kind>(catalog: &Catalog) -> Vec<Arc<T>> {
    let mut all: Vec<Arc<T>> = catalog.all_routines(T::CLASS).into_iter().filter_map(|r| item(r, catalog)).collect();
    for e in catalog.all_extensions() {
        all.extend(T::of_extension(&extension::members(e)).values().flatten().cloned());
    }
    all
}
/// The one of an OID.
pub fn by_oid<T: Kind>(catalog: &Catalog, oid: Oid) -> Option<Handle<T>> {
    let own = T::own_by_oid(oid).map(Handle::Own);
    match own.as_ref().map(|_| extension::of_own(oid)) {
        Some(None) => own,
        _ => users(catalog, oid).map(Handle::Users).or(own),
    }
}
/// The user's operator as which a call of `f` was written.
pub fn operator_over(catalog: &Catalog, f: &Function, operands: usize) -> Option<Arc<Operator>> {
    let one = |o: &Arc<Operator>| o.f.is(f) && (o.left == 0) == (operands == 1);
    all_users::<Operator>(catalog).into_iter().find(one).filter(|_| (1..=2).contains(&operands))
}

/// Does the bare name with the same arguments mean this one?
pub fn is_visible<T: Kind>(catalog: &Catalog, scope: &NameScope, t: &T) -> bool {
    let (_, name) = t.place();
    find::<T>(catalog, scope, None, name).iter().any(|f| f.is(t))
}
/// The schema's name, quoted, with a dot: for what its bare name does not mean in `scope` (None: for all that is no one of the server's own).
pub fn qualifier<T: Kind>(catalog: &Catalog, scope: Option<&NameScope>, t: &T) -> String {
    let (schema, _) = t.place();
    if schema == PG_CATALOG {
        let hidden = scope.is_some_and(|s| own_place(s) > 0 && !is_visible(catalog, s, t));
        return if hidden { "pg_catalog.".into() } else { String::new() };
    }
    if scope.is_some_and(|s| is_visible(catalog, s, t)) {
        return String::new();
    }
    catalog.schema(schema).map_or_else(String::new, |s| format!("{}.", defs::quote_ident(&s.name)))
}

/// The routine to put into a catalog.
pub fn routine<T: Kind>(t: Arc<T>, oid: Oid) -> Routine {
    let (schema, name) = t.place();
    Routine { oid, schema, name: (**name).into(), item: t.clone() }
}
