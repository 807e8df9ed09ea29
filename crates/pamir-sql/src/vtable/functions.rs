//! pg_proc, pg_operator, pg_aggregate: from the function tables.
use super::ServerEnv;
use super::row::{array, oidvector};
use super::{Rows, RowsFn, wanted_oid, wanted_text};
use pamir_catalog::Catalog;
use pamir_catalog::function::{Function as Stored, FunctionKind, Param, ParamMode};
use pamir_catalog::system::{find, read_fixed};
use pamir_catalog::well_known::{PG_CATALOG, POSTGRES_ROLE};
use pamir_expr::func::{self, Handle, Volatility, lookup};
use pamir_types::{Datum, Oid, Result, oid};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_proc" => proc,
        "pg_operator" => operator,
        "pg_aggregate" => aggregate,
        "pg_cast" => cast,
        _ => return None,
    })
}
const INTERNAL_LANGUAGE: Oid = 12;
const SQL_LANGUAGE: Oid = 14;
const PLPGSQL_LANGUAGE: Oid = 13563;

/// The server's own, then users'.
pub(super) fn all<T: lookup::Kind>(own: &'static [T], env: &dyn ServerEnv) -> impl Iterator<Item = Handle<T>> + use<T> {
    let (catalog, database) = (env.catalog().clone(), env.scope().database);
    let users = lookup::all_users::<T>(&catalog).into_iter();
    // Functions that the catalog stores are their database's.
    let here = move |t: &std::sync::Arc<T>| {
        catalog.schema(t.place().0).is_none_or(|s| s.database == database || s.database == 0)
    };
    // Names that nobody can write are the binder's own; what belongs to an extension is there with it.
    let named = |t: &&'static T| !t.place().1.contains('\0') && func::extension::of_own(t.number()).is_none();
    own.iter().filter(named).map(Handle::from).chain(users.filter(here).map(Handle::from))
}

/// Of [`pamir_catalog::system::internal`], but for those that are functions here by now.
static INTERNAL: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| {
    let own: FxHashSet<Oid> = func::all_functions().iter().map(|f| f.oid).collect();
    let rows = read_fixed("pg_catalog", "pg_proc").into_iter();
    rows.filter(|r| !matches!(r.first(), Some(Datum::Oid(o)) if own.contains(o))).collect()
});

fn proc(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (functions, aggregates) = (all(func::all_functions(), env), all(func::all_aggregates(), env));
    let oid = wanted_oid(env, "oid");
    let name = wanted_text(env, "proname").map(str::to_string);
    let is = |o: Oid, n: &str| oid.is_none_or(|w| w == o) && name.as_ref().is_none_or(|w| w == n);
    let internal = |r: &&Vec<Datum>| match r.as_slice() {
        [Datum::Oid(o), Datum::Text(n), ..] => is(*o, n),
        _ => true,
    };
    INTERNAL.iter().filter(internal).try_for_each(|r| push(r.clone()))?;
    let mut out = Rows::catalog("pg_proc", push);
    let catalog = env.catalog().clone();
    for f in functions.filter(|f| is(f.oid, &f.name)) {
        if let Some(stored) = catalog.function(f.oid) {
            out.add(|r| stored_row(stored, &catalog, r))?;
            continue;
        }
        // What is called for a type of an extension is none of the server's own where that is not made.
        let of_extension = |t: &pamir_types::Oid| pamir_types::oid::is_of_extension(*t);
        if f.schema == PG_CATALOG && f.args.iter().chain([&f.ret]).any(of_extension) {
            continue;
        }
        out.add(|r| {
            r.oid("oid", f.oid)
                .set("proname", &*f.name)
                .oid("pronamespace", f.schema)
                .oid("proowner", POSTGRES_ROLE)
                .oid("prolang", INTERNAL_LANGUAGE);
            r.set("procost", Datum::Float4(1.0))
                .set("prorows", Datum::Float4(if f.body.is_set() { 1000.0 } else { 0.0 }));
            r.oid("provariadic", if f.variadic { f.args.last().copied().unwrap_or(0) } else { 0 })
                .chr("prokind", 'f')
                .set("proisstrict", f.strict);
            r.set("proretset", f.body.is_set());
            r.chr(
                "provolatile",
                match f.volatility {
                    Volatility::Immutable => 'i',
                    Volatility::Stable => 's',
                    Volatility::Volatile => 'v',
                },
            );
            r.chr("proparallel", 's')
                .set("pronargs", f.args.len() as i64)
                .set("pronargdefaults", f.optional as i64)
                .oid("prorettype", f.ret);
            r.set("proargtypes", oidvector(f.declared_args()));
            if f.out.is_empty() && !f.arg_names.is_empty() {
                let names = f.arg_names.iter().map(|n| Datum::from(&**n));
                r.set("proargnames", array(oid::TEXT, names.collect()));
            }
            if !f.out.is_empty() {
                let types = f.args.iter().copied().chain(f.out.iter().map(|o| o.1));
                r.set("proallargtypes", array(oid::OID, types.map(Datum::Oid).collect()));
                let modes = f.args.iter().map(|_| b'i').chain(f.out.iter().map(|_| b'o'));
                r.set("proargmodes", array(oid::CHAR, modes.map(Datum::Char).collect()));
                let names =
                    (0..f.args.len()).map(|i| f.arg_names.get(i).map_or("", |n| n)).chain(f.out.iter().map(|o| &*o.0));
                r.set("proargnames", array(oid::TEXT, names.map(Datum::from).collect()));
            }
            r.set("prosrc", &*f.name);
        })?;
    }
    for a in aggregates.filter(|a| is(a.oid, &a.name)) {
        if let Some(stored) = catalog.function(a.oid) {
            out.add(|r| stored_row(stored, &catalog, r))?;
            continue;
        }
        out.add(|r| {
            r.oid("oid", a.oid)
                .set("proname", &*a.name)
                .oid("pronamespace", a.schema)
                .oid("proowner", POSTGRES_ROLE)
                .oid("prolang", INTERNAL_LANGUAGE);
            r.set("procost", Datum::Float4(1.0))
                .chr("prokind", 'a')
                .set("proisstrict", false)
                .chr("provolatile", 'i')
                .chr("proparallel", 's');
            r.set("pronargs", a.args.len() as i64)
                .oid("prorettype", a.ret)
                .set("proargtypes", oidvector(a.args.iter().copied()))
                .set("prosrc", "aggregate_dummy");
        })?;
    }
    Ok(())
}
/// A function that the catalog stores.
fn stored_row(f: &Stored, catalog: &Catalog, r: &mut super::row::Row) {
    let language = match f.language.as_str() {
        "sql" => SQL_LANGUAGE,
        "internal" => INTERNAL_LANGUAGE,
        _ => PLPGSQL_LANGUAGE,
    };
    r.oid("oid", f.oid).set("proname", &*f.name).oid("pronamespace", f.schema).oid("proowner", f.owner);
    r.oid("prolang", language).set("procost", Datum::Float4(f.cost)).set("prorows", Datum::Float4(f.rows));
    let variadic = f.params.iter().find(|p| p.mode == ParamMode::Variadic);
    let variadic = variadic.map_or(0, |p| match p.ty.oid {
        oid::ANYARRAY => oid::ANYELEMENT,
        t => oid::element_of(t).unwrap_or(0),
    });
    r.oid("provariadic", variadic);
    let kind = match f.kind {
        FunctionKind::Function => 'f',
        FunctionKind::Procedure => 'p',
        FunctionKind::Aggregate => 'a',
    };
    r.chr("prokind", kind);
    r.set("prosecdef", f.security_definer).set("proleakproof", f.leakproof).set("proisstrict", f.strict);
    r.set("proretset", f.set).chr("provolatile", char::from(f.volatility)).chr("proparallel", char::from(f.parallel));
    r.set("pronargs", f.inputs().count() as i64);
    r.set("pronargdefaults", f.inputs().filter(|p| p.default.is_some()).count() as i64);
    let defaults: Vec<&str> = f.inputs().filter_map(|p| p.default.as_ref()).map(|d| d.0.as_str()).collect();
    if !defaults.is_empty() {
        r.set("proargdefaults", defaults.join(", "));
    }
    r.oid("prorettype", f.ret.oid).set("proargtypes", oidvector(f.arg_types()));
    if f.params.iter().any(|p| p.mode != ParamMode::In) {
        r.set("proallargtypes", array(oid::OID, f.params.iter().map(|p| Datum::Oid(p.ty.oid)).collect()));
        let mode = |p: &Param| match p.mode {
            ParamMode::In => b'i',
            ParamMode::Out => b'o',
            ParamMode::InOut => b'b',
            ParamMode::Variadic => b'v',
            ParamMode::Table => b't',
        };
        r.set("proargmodes", array(oid::CHAR, f.params.iter().map(|p| Datum::Char(mode(p))).collect()));
    }
    if f.params.iter().any(|p| !p.name.is_empty()) {
        r.set("proargnames", array(oid::TEXT, f.params.iter().map(|p| Datum::from(&*p.name)).collect()));
    }
    r.set("prosrc", if f.sql_body { "" } else { &*f.body });
    if !f.settings.is_empty() {
        let all = f.settings.iter().map(|(n, v)| Datum::from(format!("{n}={v}"))).collect();
        r.set("proconfig", array(oid::TEXT, all));
    }
    r.set("proacl", super::privileges::acl_of(catalog, f.oid));
}
/// What PostgreSQL says of an operator beside its operands: commutator, negator, estimators, whether merge and hash joins may use it.
static FACTS: LazyLock<FxHashMap<Oid, Vec<(&'static str, Datum)>>> = LazyLock::new(|| {
    const OF: [&str; 6] = ["oprcom", "oprnegate", "oprrest", "oprjoin", "oprcanmerge", "oprcanhash"];
    let Some(t) = find("pg_catalog", "pg_operator") else { return FxHashMap::default() };
    let facts = |r: Vec<Datum>| {
        let Some(Datum::Oid(oid)) = r.first() else { return None };
        let oid = *oid;
        let named = std::iter::zip(t.columns.iter().map(|c| c.0), r);
        Some((oid, named.filter(|c| OF.contains(&c.0)).collect()))
    };
    read_fixed("pg_catalog", "pg_operator").into_iter().filter_map(facts).collect()
});
/// Of an operator that the server has itself; `is`: such an operator is here.
fn facts(oid: Oid, is: &dyn Fn(Oid) -> bool, r: &mut super::row::Row) {
    for (column, d) in FACTS.get(&oid).into_iter().flatten() {
        if !matches!((*column, d), ("oprcom" | "oprnegate", Datum::Oid(o)) if !is(*o)) {
            r.set(column, d.clone());
        }
    }
}
fn operator(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let operators: Vec<_> = all(func::all_operators(), env).collect();
    let oids: FxHashSet<Oid> = operators.iter().map(|o| o.oid).collect();
    let catalog = env.catalog().clone();
    let mut out = Rows::catalog("pg_operator", push);
    for o in &operators {
        if let Some(stored) = catalog.operator(o.oid) {
            let other = |n: &Option<(Oid, String)>, left: Oid, right: Oid| {
                let (schema, name) = n.as_ref()?;
                let is = |x: &&Handle<func::Operator>| {
                    (x.schema == *schema || x.schema == PG_CATALOG)
                        && x.name == *name
                        && x.left == left
                        && x.right == right
                };
                operators.iter().find(is).map(|x| x.oid)
            };
            out.add(|r| {
                r.oid("oid", o.oid)
                    .set("oprname", &*o.name)
                    .oid("oprnamespace", o.schema)
                    .oid("oprowner", stored.owner)
                    .chr("oprkind", if o.left == 0 { 'l' } else { 'b' });
                r.set("oprcanmerge", stored.merges).set("oprcanhash", stored.hashes);
                r.oid("oprleft", o.left).oid("oprright", o.right).oid("oprresult", o.ret);
                r.oid("oprcom", other(&stored.commutator, o.right, o.left).unwrap_or(0));
                r.oid("oprnegate", other(&stored.negator, o.left, o.right).unwrap_or(0));
                r.oid("oprcode", stored.function);
                r.oid("oprrest", stored.restrict.unwrap_or(0)).oid("oprjoin", stored.join.unwrap_or(0));
            })?;
            continue;
        }
        out.add(|r| {
            r.oid("oid", o.oid)
                .set("oprname", &*o.name)
                .oid("oprnamespace", o.schema)
                .oid("oprowner", POSTGRES_ROLE)
                .chr("oprkind", if o.left == 0 { 'l' } else { 'b' });
            r.oid("oprleft", o.left).oid("oprright", o.right).oid("oprresult", o.ret).oid("oprcode", o.f.oid);
            facts(o.oid, &|o| oids.contains(&o), r);
        })?;
    }
    Ok(())
}
fn aggregate(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let aggregates = all(func::all_aggregates(), env);
    let catalog = env.catalog().clone();
    let mut out = Rows::catalog("pg_aggregate", push);
    for a in aggregates {
        if let Some(stored) = catalog.function(a.oid) {
            if let Some(x) = &stored.more.aggregate {
                out.add(|r| aggregate_row(stored.oid, x, r))?;
            }
            continue;
        }
        let direct = func::ordered_set::direct_args(&a.name).filter(|_| a.schema == PG_CATALOG);
        out.add(|r| {
            r.oid("aggfnoid", a.oid)
                .chr("aggkind", if direct.is_some() { 'o' } else { 'n' })
                .set("aggnumdirectargs", direct.unwrap_or(0) as i16)
                .chr("aggfinalmodify", 'r')
                .chr("aggmfinalmodify", 'r')
                .oid("aggtranstype", a.ret);
        })?;
    }
    Ok(())
}
fn aggregate_row(oid: Oid, a: &pamir_catalog::operator::Aggregate, r: &mut super::row::Row) {
    let m = &a.plain;
    r.oid("aggfnoid", oid).chr("aggkind", char::from(a.kind)).set("aggnumdirectargs", a.direct as i16);
    r.oid("aggtransfn", m.step).oid("aggfinalfn", m.last).oid("aggcombinefn", a.combine);
    r.oid("aggserialfn", a.serial).oid("aggdeserialfn", a.deserial);
    if let Some(v) = &a.moving {
        r.oid("aggmtransfn", v.step).oid("aggminvtransfn", a.inverse).oid("aggmfinalfn", v.last);
    }
    let moving = a.moving.as_ref();
    r.set("aggfinalextra", m.extra).set("aggmfinalextra", moving.is_some_and(|v| v.extra));
    r.chr("aggfinalmodify", char::from(m.modify));
    r.chr("aggmfinalmodify", char::from(moving.map_or(m.modify, |v| v.modify)));
    r.oid("aggsortop", a.sort_operator).oid("aggtranstype", m.state.oid).set("aggtransspace", m.space);
    r.oid("aggmtranstype", moving.map_or(0, |v| v.state.oid)).set("aggmtransspace", moving.map_or(0, |v| v.space));
    if let Some(t) = &m.initial {
        r.set("agginitval", &**t);
    }
    if let Some(t) = moving.and_then(|v| v.initial.as_ref()) {
        r.set("aggminitval", &**t);
    }
}
/// A cast that an extension brings; without a function it is of the same bytes.
pub(super) struct ExtensionCast {
    extension: &'static str,
    from: Oid,
    to: Oid,
    function: &'static str,
    context: char,
}
const fn of_extension(
    extension: &'static str,
    from: Oid,
    to: Oid,
    function: &'static str,
    context: char,
) -> ExtensionCast {
    ExtensionCast { extension, from, to, function, context }
}
const TEXT_ARRAY: Oid = 1009;
const EXTENSION_CASTS: &[ExtensionCast] = &[
    of_extension("citext", oid::CITEXT, oid::TEXT, "", 'i'),
    of_extension("citext", oid::CITEXT, oid::VARCHAR, "", 'i'),
    of_extension("citext", oid::CITEXT, oid::BPCHAR, "", 'a'),
    of_extension("citext", oid::TEXT, oid::CITEXT, "", 'a'),
    of_extension("citext", oid::VARCHAR, oid::CITEXT, "", 'a'),
    of_extension("citext", oid::BPCHAR, oid::CITEXT, "citext", 'a'),
    of_extension("citext", oid::BOOL, oid::CITEXT, "citext", 'a'),
    of_extension("citext", oid::INET, oid::CITEXT, "citext", 'a'),
    of_extension("hstore", TEXT_ARRAY, oid::HSTORE, "hstore", 'e'),
    of_extension("hstore", oid::HSTORE, oid::JSON, "hstore_to_json", 'e'),
    of_extension("hstore", oid::HSTORE, oid::JSONB, "hstore_to_jsonb", 'e'),
];
/// Their OIDs, behind those of the members of extensions.
const FIRST_EXTENSION_CAST: Oid = oid::EXTENSIONS + 0x0f00_0000;
/// The casts of an extension, each with its OID.
pub(super) fn casts_of_extension(name: &str) -> impl Iterator<Item = (Oid, &'static ExtensionCast)> + use<'_> {
    (FIRST_EXTENSION_CAST..).zip(EXTENSION_CASTS).filter(move |(_, c)| c.extension == name)
}

fn cast(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    super::fixed_cast(env, push)?;
    let (catalog, database) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_cast", push);
    for e in catalog.extensions(database) {
        let members = func::extension::members(e);
        for (oid, c) in casts_of_extension(&e.name) {
            let named = members.functions.iter().filter(|(name, _)| &***name == c.function).flat_map(|(_, all)| all);
            let function = named.into_iter().find(|f| *f.args == [c.from]).map_or(0, |f| f.oid);
            out.add(|r| {
                r.oid("oid", oid).oid("castsource", c.from).oid("casttarget", c.to);
                r.oid("castfunc", function).chr("castcontext", c.context);
                r.chr("castmethod", if c.function.is_empty() { 'b' } else { 'f' });
            })?;
        }
    }
    for c in catalog.casts(database) {
        use pamir_catalog::operator::{CastContext, CastHow};
        let (function, method) = match c.how {
            CastHow::Function(f) => (f, 'f'),
            CastHow::InOut => (0, 'i'),
            CastHow::Binary => (0, 'b'),
        };
        let context = match c.context {
            CastContext::Implicit => 'i',
            CastContext::Assignment => 'a',
            CastContext::Explicit => 'e',
        };
        out.add(|r| {
            r.oid("oid", c.oid).oid("castsource", c.from).oid("casttarget", c.to).oid("castfunc", function);
            r.chr("castcontext", context).chr("castmethod", method);
        })?;
    }
    Ok(())
}
