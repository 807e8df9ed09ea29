//! information_schema: what constraints, views, generated columns and descriptions of types are about.
use super::info::{Here, plain};
use super::{Rows, RowsFn, ServerEnv, all};
use crate::stored::readable;
use pamir_catalog::depend::Class;
use pamir_catalog::types::Body;
use pamir_catalog::{NameScope, SqlText, Table, defs};
use pamir_plan::bind::{BindCtx, columns_of_stored};
use pamir_types::{Datum, Oid, Result};
use std::collections::BTreeSet;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "check_constraints" => check_constraints,
        "constraint_column_usage" => constraint_column_usage,
        "constraint_table_usage" => constraint_table_usage,
        "column_column_usage" => column_column_usage,
        "view_column_usage" => view_column_usage,
        "view_table_usage" => view_table_usage,
        "view_routine_usage" => view_routine_usage,
        "data_type_privileges" => data_type_privileges,
        "collations" => collations,
        "collation_character_set_applicability" => collations_of_sets,
        _ => return None,
    })
}
/// The columns that an expression of a table names.
fn columns(text: &SqlText, t: &Table, h: &Here, env: &mut dyn ServerEnv) -> Result<BTreeSet<i16>> {
    let scope = NameScope::stored(h.db);
    let mut cx = BindCtx { catalog: &h.c, scope: &scope, params: Vec::new(), env, text: "" };
    Ok(readable(columns_of_stored(&text.0, t, &mut cx), Vec::new)?.into_iter().collect())
}
fn check_constraints(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (h, scope) = (Here::new(env), env.scope().clone());
    let mut out = Rows::info("check_constraints", push);
    let mut add = |schema: Oid, name: &str, clause: &str| {
        out.add(|r| {
            r.set("constraint_catalog", &*h.name)
                .set("constraint_schema", h.schema(schema))
                .set("constraint_name", name)
                .set("check_clause", clause);
        })
    };
    // What follows the word CHECK in the constraint's definition.
    let clause = |oid: Oid| {
        let def = defs::constraint_def(&h.c, oid, &scope).unwrap_or_default();
        def.strip_prefix("CHECK ").map(str::to_string).unwrap_or(def)
    };
    for t in h.c.tables(h.db) {
        for c in &t.checks {
            add(t.schema, &c.name, &clause(c.oid))?;
        }
        for c in t.live_columns().filter(|c| c.not_null) {
            let name = format!("{}_{}_{}_not_null", t.schema, t.oid, c.attnum);
            add(t.schema, &name, &format!("{} IS NOT NULL", c.name))?;
        }
    }
    for t in h.c.user_types(h.db) {
        let Body::Domain(d) = &t.body else { continue };
        for k in &d.checks {
            add(t.schema, &k.name, &clause(k.oid))?;
        }
    }
    Ok(())
}
fn constraint_column_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("constraint_column_usage", push);
    for t in h.c.tables(h.db) {
        let mut add = |of: &Table, attnum: i16, name: &str| {
            let column = of.column(attnum).map_or("", |c| &c.name);
            out.add(|r| {
                r.set("table_catalog", &*h.name)
                    .set("table_schema", h.schema(of.schema))
                    .set("table_name", &*of.name)
                    .set("column_name", column);
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", h.schema(t.schema))
                    .set("constraint_name", name);
            })
        };
        for i in t.indexes.iter().filter(|i| i.constraint && i.excludes.is_none()) {
            plain(i).try_for_each(|a| add(t, a, &i.name))?;
        }
        for c in &t.checks {
            columns(&c.expr, t, &h, env)?.into_iter().try_for_each(|a| add(t, a, &c.name))?;
        }
        for f in &t.foreign_keys {
            if let Some(p) = h.c.table(f.ref_table) {
                f.ref_columns.iter().try_for_each(|a| add(p, *a, &f.name))?;
            }
        }
    }
    Ok(())
}
fn constraint_table_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("constraint_table_usage", push);
    for t in h.c.tables(h.db) {
        let mut add = |of: &Table, name: &str| {
            out.add(|r| {
                r.set("table_catalog", &*h.name).set("table_schema", h.schema(of.schema)).set("table_name", &*of.name);
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", h.schema(t.schema))
                    .set("constraint_name", name);
            })
        };
        for i in t.indexes.iter().filter(|i| i.constraint && i.excludes.is_none()) {
            add(t, &i.name)?;
        }
        for f in &t.foreign_keys {
            if let Some(p) = h.c.table(f.ref_table) {
                add(p, &f.name)?;
            }
        }
    }
    Ok(())
}
fn column_column_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("column_column_usage", push);
    for t in h.c.tables(h.db) {
        for c in t.live_columns() {
            let Some(g) = &c.generated else { continue };
            for a in columns(g, t, &h, env)? {
                let column = t.column(a).map_or("", |c| &c.name);
                out.add(|r| {
                    r.set("table_catalog", &*h.name).set("table_schema", h.schema(t.schema));
                    r.set("table_name", &*t.name).set("column_name", column).set("dependent_column", &*c.name);
                })?;
            }
        }
    }
    Ok(())
}
/// The relations that views read, with the columns: (view, relation, column; 0: the whole).
fn reads<'a>(h: &'a Here) -> impl Iterator<Item = (&'a Table, &'a Table, i16)> + 'a {
    let views = h.c.views(h.db).into_iter().filter(|t| t.plain_view().is_some());
    views.flat_map(move |v| {
        let on = v.depends.iter().filter(|d| d.class == Class::Relation && d.oid != v.oid);
        on.filter_map(move |d| Some((&**v, &**h.c.table(d.oid)?, d.sub)))
    })
}
fn view_column_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("view_column_usage", push);
    let mut seen = BTreeSet::new();
    for (v, t, attnum) in reads(&h) {
        let Some(column) = t.column(attnum).filter(|_| seen.insert((v.oid, t.oid, attnum))) else { continue };
        out.add(|r| {
            r.set("view_catalog", &*h.name).set("view_schema", h.schema(v.schema)).set("view_name", &*v.name);
            r.set("table_catalog", &*h.name).set("table_schema", h.schema(t.schema)).set("table_name", &*t.name);
            r.set("column_name", &*column.name);
        })?;
    }
    Ok(())
}
fn view_table_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("view_table_usage", push);
    let mut seen = BTreeSet::new();
    for (v, t, _) in reads(&h) {
        if !seen.insert((v.oid, t.oid)) {
            continue;
        }
        out.add(|r| {
            r.set("view_catalog", &*h.name).set("view_schema", h.schema(v.schema)).set("view_name", &*v.name);
            r.set("table_catalog", &*h.name).set("table_schema", h.schema(t.schema)).set("table_name", &*t.name);
        })?;
    }
    Ok(())
}
fn view_routine_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("view_routine_usage", push);
    for v in h.c.views(h.db).into_iter().filter(|t| t.plain_view().is_some()) {
        let called: BTreeSet<Oid> = v.depends.iter().filter(|d| d.class == Class::Function).map(|d| d.oid).collect();
        for f in called.into_iter().filter_map(|f| h.c.function(f)) {
            out.add(|r| {
                r.set("table_catalog", &*h.name).set("table_schema", h.schema(v.schema)).set("table_name", &*v.name);
                r.set("specific_catalog", &*h.name)
                    .set("specific_schema", h.schema(f.schema))
                    .set("specific_name", format!("{}_{}", f.name, f.oid));
            })?;
        }
    }
    Ok(())
}
/// What has a descriptor of a type: columns, attributes, domains, parameters and results of routines.
fn data_type_privileges(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let functions = super::functions::all(pamir_expr::func::all_functions(), env);
    let aggregates = super::functions::all(pamir_expr::func::all_aggregates(), env);
    let mut out = Rows::info("data_type_privileges", push);
    let mut add = |schema: &str, name: &str, kind: &str, n: Option<usize>| {
        out.add(|r| {
            r.set("object_catalog", &*h.name).set("object_schema", schema).set("object_name", name);
            r.set("object_type", kind).set("dtd_identifier", n.map(|n| n.to_string()));
        })
    };
    for t in h.c.user_types(h.db) {
        let schema = h.schema(t.schema);
        match &t.body {
            Body::Composite(x) => {
                x.fields.iter().try_for_each(|f| add(schema, &t.name, "USER-DEFINED TYPE", Some(f.attnum as usize)))?;
            }
            Body::Domain(_) => add(schema, &t.name, "DOMAIN", Some(1))?,
            _ => {}
        }
    }
    for t in h.c.tables_and_views(h.db).into_iter().filter(|t| t.view.as_ref().is_none_or(|v| !v.materialized)) {
        t.live_columns().try_for_each(|c| add(h.schema(t.schema), &t.name, "TABLE", Some(c.attnum as usize)))?;
    }
    for v in all() {
        (1..=v.columns.len()).try_for_each(|n| add(v.schema, v.name, "TABLE", Some(n)))?;
    }
    for a in aggregates {
        let (schema, name) = (h.schema(a.schema), format!("{}_{}", a.name, a.oid));
        (0..=a.args.len()).try_for_each(|n| add(schema, &name, "ROUTINE", Some(n)))?;
    }
    for f in functions {
        let (schema, name) = (h.schema(f.schema), format!("{}_{}", f.name, f.oid));
        let (parameters, result) = match h.c.function(f.oid) {
            Some(s) => (s.params.len(), s.kind != pamir_catalog::function::FunctionKind::Procedure),
            None => (f.args.len() + f.out.len(), true),
        };
        (1..=parameters).try_for_each(|n| add(schema, &name, "ROUTINE", Some(n)))?;
        add(schema, &name, "ROUTINE", result.then_some(0))?;
    }
    Ok(())
}
fn each_collation(view: &str, env: &dyn ServerEnv, push: Push, more: fn(&mut super::row::Row)) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info(view, push);
    let names = pamir_catalog::system::fixed("pg_collation").unwrap_or("").lines().filter_map(|l| l.split('\t').nth(1));
    for n in names {
        out.add(|r| {
            r.set("collation_catalog", &*h.name).set("collation_schema", "pg_catalog").set("collation_name", n);
            more(r);
        })?;
    }
    Ok(())
}
fn collations(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    each_collation("collations", env, push, |r| {
        r.set("pad_attribute", "NO PAD");
    })
}
fn collations_of_sets(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    each_collation("collation_character_set_applicability", env, push, |r| {
        r.set("character_set_name", "UTF8");
    })
}
