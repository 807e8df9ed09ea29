//! information_schema: functions, procedures and their parameters.
use super::info::{Here, data_type, udt};
use super::{Rows, RowsFn, ServerEnv};
use pamir_catalog::defs;
use pamir_catalog::function::{Function, FunctionKind, ParamMode};
use pamir_catalog::types::row_type;
use pamir_types::{Datum, Oid, Result, Type, oid};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "routines" => routines,
        "parameters" => parameters,
        _ => return None,
    })
}
/// A relation's rows by its row type.
fn of_rows(ty: Type, relation: Oid) -> Type {
    if relation != 0 && ty.oid == oid::RECORD { Type::new(row_type(relation)) } else { ty.base() }
}
/// What all kinds of routines have: their names, the type of the result, and what does not differ.
fn begin(h: &Here, schema: Oid, name: &str, oid: Oid, r: &mut super::row::Row) {
    r.set("specific_catalog", &*h.name)
        .set("specific_schema", h.schema(schema))
        .set("specific_name", format!("{name}_{oid}"));
    r.set("routine_catalog", &*h.name).set("routine_schema", h.schema(schema)).set("routine_name", name);
}
fn result(h: &Here, ret: Type, r: &mut super::row::Row) {
    let (udt_schema, udt_name) = udt(h, ret.oid);
    r.set("data_type", data_type(ret)).set("dtd_identifier", "0");
    r.set("type_udt_catalog", &*h.name).set("type_udt_schema", udt_schema).set("type_udt_name", udt_name);
}
fn end(r: &mut super::row::Row) {
    r.set("parameter_style", "GENERAL").set("sql_data_access", "MODIFIES");
    r.set("schema_level_routine", "YES").set("max_dynamic_result_sets", 0i64);
    r.set("as_locator", "NO").set("is_udt_dependent", "NO");
}
fn routines(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let functions = super::functions::all(pamir_expr::func::all_functions(), env);
    let aggregates = super::functions::all(pamir_expr::func::all_aggregates(), env);
    let mut out = Rows::info("routines", push);
    for a in aggregates {
        out.add(|r| {
            begin(&h, a.schema, &a.name, a.oid, r);
            result(&h, Type::new(a.ret), r);
            r.set("routine_body", "EXTERNAL").set("external_language", "INTERNAL");
            r.set("routine_definition", "aggregate_dummy").set("is_null_call", "NO");
            r.set("is_deterministic", "YES").set("security_type", "INVOKER");
            end(r);
        })?;
    }
    for f in functions {
        let stored = h.c.function(f.oid);
        let ret = stored.map_or(Type::new(f.ret), |s| of_rows(s.ret, s.ret_row_of));
        let procedure = stored.is_some_and(|s| s.kind == FunctionKind::Procedure);
        out.add(|r| {
            begin(&h, f.schema, &f.name, f.oid, r);
            r.set("routine_type", if procedure { "PROCEDURE" } else { "FUNCTION" });
            if !procedure {
                result(&h, ret, r);
            }
            match stored {
                Some(s) => of_user(s, procedure, r),
                None => {
                    r.set("routine_body", "EXTERNAL").set("external_language", "INTERNAL");
                    r.set("routine_definition", &*f.name).set("is_null_call", f.strict);
                    let fixed = f.volatility == pamir_expr::func::Volatility::Immutable;
                    r.set("is_deterministic", fixed).set("security_type", "INVOKER");
                }
            }
            end(r);
        })?;
    }
    Ok(())
}
/// What only a function that the catalog stores has.
fn of_user(f: &Function, procedure: bool, r: &mut super::row::Row) {
    r.set("routine_body", if f.language == "sql" { "SQL" } else { "EXTERNAL" });
    r.set("routine_definition", &*f.body).set("external_language", f.language.to_uppercase());
    r.set("is_deterministic", f.volatility == b'i');
    if !procedure {
        r.set("is_null_call", f.strict);
    }
    r.set("security_type", if f.security_definer { "DEFINER" } else { "INVOKER" });
}
/// Takes a parameter: name, mode, type, default.
type Add<'a> = &'a mut dyn FnMut(&str, &str, Type, Option<String>) -> Result<()>;
fn parameters(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (h, scope) = (Here::new(env), env.scope().clone());
    let functions = super::functions::all(pamir_expr::func::all_functions(), env);
    let aggregates = super::functions::all(pamir_expr::func::all_aggregates(), env);
    let mut out = Rows::info("parameters", push);
    let mut each = |schema: Oid, name: &str, oid: Oid, list: &mut dyn FnMut(Add) -> Result<()>| {
        let (schema, specific) = (h.schema(schema), format!("{name}_{oid}"));
        let mut n = 0i64;
        let mut add = |name: &str, mode: &str, ty: Type, default: Option<String>| {
            n += 1;
            let (udt_schema, udt_name) = udt(&h, ty.oid);
            out.add(|r| {
                r.set("specific_catalog", &*h.name).set("specific_schema", schema).set("specific_name", &*specific);
                r.set("ordinal_position", n).set("parameter_mode", mode).set("is_result", "NO").set("as_locator", "NO");
                if !name.is_empty() {
                    r.set("parameter_name", name);
                }
                r.set("data_type", data_type(ty));
                r.set("udt_catalog", &*h.name).set("udt_schema", udt_schema).set("udt_name", udt_name);
                r.set("dtd_identifier", n.to_string()).set("parameter_default", default);
            })
        };
        list(&mut add)
    };
    for a in aggregates {
        each(a.schema, &a.name, a.oid, &mut |add| {
            a.args.iter().try_for_each(|ty| add("", "IN", Type::new(*ty), None))
        })?;
    }
    for f in functions {
        each(f.schema, &f.name, f.oid, &mut |add| match h.c.function(f.oid) {
            Some(s) => s.params.iter().try_for_each(|p| {
                let mode = match p.mode {
                    ParamMode::In | ParamMode::Variadic => "IN",
                    ParamMode::Out | ParamMode::Table => "OUT",
                    ParamMode::InOut => "INOUT",
                };
                let default = p.default.as_ref().map(|d| defs::shown_expr(&h.c, &scope, d));
                add(&p.name, mode, of_rows(p.ty, p.row_of), default)
            }),
            None => {
                for (i, ty) in f.declared_args().into_iter().enumerate() {
                    add(f.arg_names.get(i).map_or("", |n| n), "IN", Type::new(ty), None)?;
                }
                f.out.iter().try_for_each(|(name, ty)| add(name, "OUT", Type::new(*ty), None))
            }
        })?;
    }
    Ok(())
}
