//! Users' functions, operators and aggregates that are written in Rust: registered while the server runs, found wherever the server's own are.
//!
//! ```text
//! register: an OID, a place in a schema --> next snapshot of the catalog, with a higher version --> statements bound from then on find it
//! drop:     the snapshot after          --> no statement finds it; plans that hold it run on, and free it with the last of them
//! ```
//! Both are published at once and in no transaction: a transaction with DDL of its own sees them when it has ended.
//!
//! Limits: they are not persisted. A database that is opened has none, and what its tables store that names one cannot be bound until it is registered
//! again. Nothing is said of tables whose stored expressions name a function that is dropped: statements that need these fail (42883).
//! A schema that is dropped takes its routines out of reach.
use super::*;
use crate::ddl::OID_SPACE;
use pamir_catalog::well_known::{INFORMATION_SCHEMA, PG_CATALOG};
use pamir_expr::func::lookup::{self, Kind};
use pamir_expr::func::{Aggregate, Body, Function, Handle, Operator};
use pamir_types::text::type_named;

/// The letters of an operator's name.
const SYMBOLS: &str = "+-*/<>=~!@#%^&|`?";

impl Database {
    /// Publishes a function in a schema; its OID. Not persisted.
    pub fn register_function(&self, schema: Oid, f: Function) -> Result<Oid> {
        if f.args.len() < f.optional
            || !(f.defaults.is_empty() || f.defaults.len() == f.optional)
            || !(f.arg_names.is_empty() || f.arg_names.len() == f.args.len())
            || f.variadic && (f.args.is_empty() || f.optional > 0 || !matches!(f.body, Body::Scalar(_)))
            || f.name.is_empty()
        {
            bail!(INVALID_FUNCTION_DEFINITION, "function {} does not fit its arguments", f.name);
        }
        let shown = |f: &Function| shown(&f.name, &f.args);
        self.register(schema, f, &shown)
    }
    /// Publishes an aggregate in a schema; its OID. Not persisted.
    pub fn register_aggregate(&self, schema: Oid, a: Aggregate) -> Result<Oid> {
        self.register(schema, a, &|a: &Aggregate| shown(&a.name, &a.args))
    }
    /// Publishes an operator in a schema; its OID. Not persisted.
    pub fn register_operator(&self, schema: Oid, mut o: Operator) -> Result<Oid> {
        if o.name.is_empty() || !o.name.chars().all(|c| SYMBOLS.contains(c)) {
            bail!(SYNTAX_ERROR, "\"{}\" is not a valid operator name", o.name);
        }
        let operands: &[Oid] = if o.left == 0 { &[o.right] } else { &[o.left, o.right] };
        if *o.f.args != *operands || o.f.body.is_set() {
            bail!(INVALID_FUNCTION_DEFINITION, "operator {} does not fit its function", o.name);
        }
        // A copy of its own, by which a call that was written as the operator is printed as such.
        if let Handle::Users(f) = &o.f {
            o.f = Arc::new((**f).clone()).into();
        }
        self.register(schema, o, &|o: &Operator| format!("operator {}", o.name))
    }
    fn register<T: Kind>(&self, schema: Oid, mut t: T, shown: &dyn Fn(&T) -> String) -> Result<Oid> {
        let id = self.engine.next_id(OID_SPACE)?.saturating_add(u64::from(pamir_types::oid::FIRST_USER));
        let oid = Oid::try_from(id).map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "out of object identifiers"))?;
        t.settle(oid, schema);
        self.republish(|catalog| {
            if matches!(schema, PG_CATALOG | INFORMATION_SCHEMA) || catalog.schema(schema).is_none() {
                bail!(INVALID_SCHEMA_NAME, "there is no schema {schema} for functions of users");
            }
            let there = lookup::all_users::<T>(catalog);
            if there.iter().any(|o| o.place() == t.place() && o.hides(&t)) {
                bail!(DUPLICATE_FUNCTION, "{} already exists with same argument types", shown(&t));
            }
            Ok(catalog.with_routine(T::CLASS, lookup::routine(Arc::new(t), oid)))
        })?;
        Ok(oid)
    }
    /// Takes a function or an aggregate out of the catalog; 2BP01 for a function that an operator calls.
    pub fn drop_function(&self, oid: Oid) -> Result<()> {
        self.republish(|catalog| {
            if let Some(o) = lookup::all_users::<Operator>(catalog).iter().find(|o| o.f.oid == oid) {
                let e = err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop function {oid}: other objects depend on it");
                return Err(e.detail(format!("operator {} depends on function {oid}", o.name)));
            }
            let without = catalog.without_routine(Function::CLASS, oid);
            let without = without.or_else(|| catalog.without_routine(Aggregate::CLASS, oid));
            without.ok_or_else(|| err!(UNDEFINED_FUNCTION, "there is no function {oid} of a user"))
        })
    }
    /// Takes an operator out of the catalog.
    pub fn drop_operator(&self, oid: Oid) -> Result<()> {
        self.republish(|catalog| {
            let without = catalog.without_routine(Operator::CLASS, oid);
            without.ok_or_else(|| err!(UNDEFINED_FUNCTION, "there is no operator {oid} of a user"))
        })
    }
}

fn shown(name: &str, args: &[Oid]) -> String {
    let args: Vec<String> = args.iter().map(|a| type_named(*a)).collect();
    format!("function {name}({})", args.join(", "))
}
