//! Golden calls: `golden.tsv` holds functions, operators, casts and aggregates with their arguments in text form, and what PostgreSQL 15 answered
//! (a value, or `!` SQLSTATE message). golden.py asks a server; this test asks Pamir.
use super::testing;
use super::*;
use crate::no_session::NoSession;
use pamir_types::{err, oid, text};

fn matches(declared: Oid, given: Oid) -> bool {
    declared == given
        || match declared {
            oid::ANY | oid::ANYELEMENT | oid::ANYCOMPATIBLE => true,
            oid::ANYNONARRAY => oid::element_of(given).is_none(),
            oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY => oid::element_of(given).is_some(),
            oid::TEXT => matches!(given, oid::VARCHAR | oid::UNKNOWN),
            oid::OID => casts::REG.contains(&given),
            _ => false,
        }
}
fn find(name: &str, types: &[Type]) -> Option<&'static Function> {
    let fits = |f: &&&'static Function| {
        let n = f.args.len();
        let fixed = if f.variadic { n - 1 } else { n };
        (types.len() == n || (f.variadic && types.len() >= n) || (types.len() < n && types.len() + f.optional >= n))
            && types.iter().enumerate().all(|(i, t)| matches(if i < fixed { f.args[i] } else { f.args[n - 1] }, t.oid))
    };
    let all = functions(name);
    let exact = all.iter().find(|f| f.args.len() == types.len() && f.args.iter().zip(types).all(|(a, t)| *a == t.oid));
    exact.or_else(|| all.iter().find(fits)).copied()
}
fn result_type(f: &Function, types: &[Type]) -> Type {
    let poly = |t: Oid| matches!(t, oid::ANYELEMENT | oid::ANYARRAY | oid::ANYCOMPATIBLE | oid::ANYCOMPATIBLEARRAY);
    if !poly(f.ret) {
        return Type::new(f.ret);
    }
    for (d, t) in f.args.iter().zip(types) {
        let elem = match *d {
            oid::ANYELEMENT | oid::ANYCOMPATIBLE => t.oid,
            oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY => oid::element_of(t.oid).unwrap(),
            _ => continue,
        };
        return match f.ret {
            oid::ANYELEMENT | oid::ANYCOMPATIBLE => Type::new(elem),
            _ => Type::new(oid::array_of(elem).unwrap()),
        };
    }
    Type::TEXT
}
fn show(d: &Datum, ty: Type, env: &mut NoSession) -> String {
    if d.is_null() { "\\N".into() } else { reg::output_string(d, ty, env) }
}
fn call(f: &Function, types: &[Type], args: &[Datum], env: &mut NoSession) -> Result<String> {
    let ret = result_type(f, types);
    let ci = CallInfo { arg_types: types, ret };
    if f.strict && args.iter().any(Datum::is_null) {
        return Ok(if f.body.is_set() { String::new() } else { "\\N".into() });
    }
    match &f.body {
        Body::Scalar(e) => e.call(&ci, args, env).map(|d| show(&d, ret, env)),
        Body::Series(e) => {
            let (mut series, mut values) = (e.call(&ci, args, env)?, Vec::new());
            while let Some(d) = series.next(env)? {
                values.push(show(&d, ret, env));
            }
            Ok(values.join("|"))
        }
        Body::Set(e) => {
            let mut rows = Vec::new();
            e.call(&ci, args, env, &mut |r| {
                rows.push(r);
                Ok(())
            })?;
            let cols: Vec<Type> =
                if ret.oid == oid::RECORD { f.out.iter().map(|o| Type::new(o.1)).collect() } else { vec![ret] };
            let lines: Vec<String> = rows
                .iter()
                .map(|r| r.iter().zip(&cols).map(|(d, t)| show(d, *t, env)).collect::<Vec<_>>().join(","))
                .collect();
            Ok(lines.join("|"))
        }
    }
}
fn parse_args(parts: &[&str], env: &NoSession) -> Result<(Vec<Type>, Vec<Datum>)> {
    let (mut types, mut args) = (Vec::new(), Vec::new());
    for p in parts {
        let (ty, v) = p.split_once('=').expect("type=value");
        let ty = Type::new(type_by_name(ty).unwrap_or_else(|| panic!("type {ty}")));
        args.push(match v {
            "\\N" => Datum::Null,
            v => text::parse(&v.replace("\\t", "\t").replace("\\n", "\n").replace("\\_", " "), ty, env.text_ctx())?,
        });
        types.push(ty);
    }
    Ok((types, args))
}
fn run(what: &str, parts: &[&str], env: &mut NoSession) -> Result<String> {
    let none = || err!(UNDEFINED_FUNCTION, "no such function");
    let (kind, name) = what.split_once(':').expect("kind:name");
    if kind == "agg" {
        let rows: Vec<(Vec<Type>, Vec<Datum>)> =
            parts.iter().map(|r| parse_args(&r.split("&&").collect::<Vec<_>>(), env)).collect::<Result<_>>()?;
        let types = rows[0].0.clone();
        let a = aggregates(name)
            .iter()
            .find(|a| a.args.len() == types.len() && a.args.iter().zip(&types).all(|(d, t)| *d == t.oid))
            .or_else(|| {
                aggregates(name)
                    .iter()
                    .find(|a| a.args.len() == types.len() && a.args.iter().zip(&types).all(|(d, t)| matches(*d, t.oid)))
            })
            .ok_or_else(none)?;
        let ret = match a.ret {
            oid::ANYARRAY if types[0].is_array() => types[0],
            oid::ANYARRAY => Type::new(oid::array_of(types[0].oid).unwrap()),
            r => Type::new(r),
        };
        let mut state = a.begin(&CallInfo { arg_types: &types, ret });
        for (_, args) in &rows {
            if !(a.strict && args.iter().any(Datum::is_null)) {
                state.update(args, env)?;
            }
        }
        let d = state.finish(env)?;
        return Ok(show(&d, ret, env));
    }
    let (types, args) = parse_args(parts, env)?;
    match kind {
        "fn" => call(find(name, &types).ok_or_else(none)?, &types, &args, env),
        "op" => {
            let (l, r) = if types.len() == 1 { (0, types[0].oid) } else { (types[0].oid, types[1].oid) };
            let o = operators(name)
                .iter()
                .find(|o| o.left == l && o.right == r)
                .or_else(|| {
                    operators(name)
                        .iter()
                        .find(|o| (l == 0) == (o.left == 0) && (l == 0 || matches(o.left, l)) && matches(o.right, r))
                })
                .ok_or_else(none)?;
            call(&o.f, &types, &args, env)
        }
        "cast" => {
            let to = Type::new(type_by_name(name).unwrap());
            let rule = cast(types[0].oid, to.oid).ok_or_else(none)?;
            let d = match rule.how {
                CastRuleHow::Relabel => args[0].clone(),
                CastRuleHow::ViaText => text::parse(&reg::output_string(&args[0], types[0], env), to, env.text_ctx())?,
                CastRuleHow::Func(f) => {
                    let Body::Scalar(e) = &f.body else { unreachable!() };
                    e.call(&CallInfo { arg_types: &types, ret: to }, &args, env)?
                }
            };
            Ok(show(&d, to, env))
        }
        k => panic!("kind {k}"),
    }
}

#[test]
fn golden() {
    let mut env = testing::env();
    let (mut bad, mut n) = (Vec::new(), 0);
    for line in include_str!("golden.tsv").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let (what, want) = (parts[0], parts[parts.len() - 1]);
        n += 1;
        let got = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            match run(what, &parts[1..parts.len() - 1], &mut env) {
                Ok(s) => s.replace('\t', "\\t").replace('\n', "\\n"),
                Err(e) => format!("!{} {}", e.code().as_str(), e.message().replace('\n', "\\n")),
            }
        }))
        .unwrap_or_else(|_| "PANIC".to_string());
        if got != want {
            bad.push(format!("{}\n    want {want}\n    got  {got}", parts[..parts.len() - 1].join("  ")));
        }
    }
    assert!(bad.is_empty(), "{} of {n} differ:\n{}", bad.len(), bad.join("\n"));
}

/// What is named as missing is missing.
#[test]
fn nothing_missing_stands() {
    let stands: Vec<&str> =
        include_str!("missing.txt").lines().filter(|n| !functions(n).is_empty() || !aggregates(n).is_empty()).collect();
    assert!(stands.is_empty(), "missing.txt names what stands: {stands:?}");
}

/// Every evaluator belongs to some pg_proc row, every operator and cast found its function, and OIDs are unique.
#[test]
fn tables_are_joined() {
    let srcs: std::collections::HashSet<&str> = tables::PROCS.iter().map(|p| p.src).collect();
    let orphans: Vec<&str> = BODIES.iter().flat_map(|l| l.iter()).map(|b| b.0).filter(|n| !srcs.contains(n)).collect();
    assert!(orphans.is_empty(), "evaluators without a pg_proc row: {orphans:?}");
    assert_eq!(all_operators().len(), tables::OPERATORS.len());
    let oids: std::collections::HashSet<Oid> = all_functions().iter().map(|f| f.oid).collect();
    assert_eq!(oids.len(), all_functions().len());
    assert_eq!(equality(oid::INT4).map(|f| &*f.name), Some("int4eq"));
    assert_eq!(less_than(oid::VARCHAR).map(|f| &*f.name), Some("text_lt"));
    assert_eq!(equality(oid::array_of(oid::INT4).unwrap()).map(|f| &*f.name), Some("array_eq"));
    assert!(equality(oid::JSON).is_none());
    assert_eq!(type_by_name("Double  Precision"), Some(oid::FLOAT8));
    assert_eq!(type_by_name("pg_catalog.int4[]"), oid::array_of(oid::INT4));
    assert_eq!(type_by_name("char"), Some(oid::BPCHAR));
    assert_eq!(type_by_name("\"char\""), Some(oid::CHAR));
    assert_eq!(type_category(oid::FLOAT8), ('N', true));
}
