//! information_schema. It shows what the current user may see; here every role sees every object of its database.
use super::ServerEnv;
use super::{Rows, RowsFn, all, wanted_text};
use pamir_catalog::system::types::{collation_name, collation_of};
use pamir_catalog::trigger::{Event, Timing};
use pamir_catalog::types::Body;
use pamir_catalog::{Catalog, FkAction, Identity, Index, IndexColumn, Table, defs};
use pamir_expr::func::info_schema as modifiers;
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;

/// What columns of texts are ordered by where nothing else is said.
const DEFAULT_COLLATION: Oid = 100;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "information_schema_catalog_name" => catalog_name,
        "schemata" => schemata,
        "tables" => tables,
        "columns" => columns,
        "element_types" => element_types,
        "domains" => domains,
        "domain_constraints" => domain_constraints,
        "column_udt_usage" => column_udt_usage,
        "column_domain_usage" => column_domain_usage,
        "domain_udt_usage" => domain_udt_usage,
        "user_defined_types" => user_defined_types,
        "attributes" => attributes,
        "views" => views,
        "sequences" => sequences,
        "table_constraints" => table_constraints,
        "key_column_usage" => key_column_usage,
        "referential_constraints" => referential_constraints,
        "character_sets" => character_sets,
        _ => return None,
    })
}
pub(super) struct Here {
    pub c: Arc<Catalog>,
    pub db: Oid,
    pub name: String,
    /// The name of the relations that are asked for; None: all.
    only: Option<String>,
}
impl Here {
    pub fn new(env: &dyn ServerEnv) -> Here {
        let only = wanted_text(env, "table_name").map(str::to_string);
        Here { c: env.catalog().clone(), db: env.scope().database, name: env.database().to_string(), only }
    }
    fn is(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|n| n == name)
    }
    pub fn schema(&self, oid: Oid) -> &str {
        self.c.schema(oid).map_or("", |s| &s.name)
    }
    pub fn role(&self, oid: Oid) -> &str {
        self.c.role(oid).map_or("", |r| &r.name)
    }
}
fn catalog_name(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    Rows::info("information_schema_catalog_name", push).add(|r| {
        r.set("catalog_name", &*h.name);
    })
}
fn schemata(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("schemata", push);
    for s in h.c.schemas(h.db) {
        out.add(|r| {
            r.set("catalog_name", &*h.name).set("schema_name", &*s.name).set("schema_owner", h.role(s.owner));
        })?;
    }
    Ok(())
}
/// Bits of what may be done to a relation, as pg_relation_is_updatable has them.
const INSERT: i32 = 1 << 3;
const UPDATE_DELETE: i32 = 1 << 2 | 1 << 4;
/// The plain views of this database, and which changes they take.
fn changed_views(h: &Here, env: &mut dyn ServerEnv) -> Result<Vec<(Arc<Table>, i32)>> {
    let plain = h.c.views(h.db).into_iter().filter(|t| t.plain_view().is_some());
    plain.map(|t| Ok((t.clone(), pamir_expr::func::catalog_info::updatable(t.oid, None, 0, env)?))).collect()
}
fn tables(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let own = changed_views(&h, env)?;
    let mut out = Rows::info("tables", push);
    let mut add = |schema: &str, name: &str, kind: &str, insertable: bool| {
        out.add(|r| {
            r.set("table_catalog", &*h.name)
                .set("table_schema", schema)
                .set("table_name", name)
                .set("table_type", kind)
                .set("is_insertable_into", insertable)
                .set("is_typed", "NO");
        })
    };
    for t in h.c.tables_that(h.db, |t| h.is(&t.name)).into_iter().filter(|t| t.view.is_none()) {
        let kind = if t.is_temporary() { "LOCAL TEMPORARY" } else { "BASE TABLE" };
        add(h.schema(t.schema), &t.name, kind, true)?;
    }
    for (t, changes) in own.into_iter().filter(|o| h.is(&o.0.name)) {
        add(h.schema(t.schema), &t.name, "VIEW", changes & INSERT != 0)?;
    }
    for v in all().iter().filter(|v| h.is(v.name)) {
        add(v.schema, v.name, if v.view { "VIEW" } else { "BASE TABLE" }, !v.view)?;
    }
    Ok(())
}
fn views(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (h, own) = (Here::new(env), super::relations::definitions(env)?);
    let mut out = Rows::info("views", push);
    for (t, text) in own.into_iter().filter(|o| o.0.plain_view().is_some()) {
        let changes = pamir_expr::func::catalog_info::updatable(t.oid, None, 0, env)?;
        let check = match t.view.as_ref().and_then(|v| v.check) {
            None => "NONE",
            Some(pamir_catalog::CheckOption::Local) => "LOCAL",
            Some(pamir_catalog::CheckOption::Cascaded) => "CASCADED",
        };
        out.add(|r| {
            r.set("table_catalog", &*h.name)
                .set("table_schema", h.schema(t.schema))
                .set("table_name", &*t.name)
                .set("view_definition", text)
                .set("check_option", check)
                .set("is_updatable", changes & UPDATE_DELETE == UPDATE_DELETE);
            let by = |e| t.triggers.as_ref().is_some_and(|x| x.any(Timing::InsteadOf, true, e));
            r.set("is_insertable_into", changes & INSERT != 0)
                .set("is_trigger_updatable", by(Event::Update))
                .set("is_trigger_deletable", by(Event::Delete))
                .set("is_trigger_insertable_into", by(Event::Insert));
        })?;
    }
    for v in all().iter().filter(|v| v.view) {
        out.add(|r| {
            r.set("table_catalog", &*h.name)
                .set("table_schema", v.schema)
                .set("table_name", v.name)
                .set("check_option", "NONE")
                .set("is_updatable", "NO");
            r.set("is_insertable_into", "NO")
                .set("is_trigger_updatable", "NO")
                .set("is_trigger_deletable", "NO")
                .set("is_trigger_insertable_into", "NO");
        })?;
    }
    Ok(())
}

/// (character_maximum_length, octet_length, numeric_precision, radix, scale, datetime_precision)
fn measures(ty: Type) -> [Option<i32>; 6] {
    let (t, m) = (ty.oid, ty.typmod);
    [
        modifiers::char_max_length(t, m),
        modifiers::char_octet_length(t, m),
        modifiers::numeric_precision(t, m),
        modifiers::radix(t),
        modifiers::numeric_scale(t, m),
        modifiers::datetime_precision(t, m),
    ]
}
pub(super) fn data_type(ty: Type) -> String {
    match ty.oid {
        _ if ty.is_array() => "ARRAY".into(),
        o if oid::is_user(o) || oid::is_of_extension(o) => "USER-DEFINED".into(),
        o => pamir_types::text::type_named(o),
    }
}
/// (schema, name) of a type.
pub(super) fn udt(h: &Here, ty: Oid) -> (String, String) {
    let elem = oid::element_of(ty).filter(|e| oid::is_user(ty) || oid::is_of_extension(*e));
    match (h.c.type_place_in(h.db, elem.unwrap_or(ty)), elem) {
        (Some((schema, name)), Some(e)) => (h.schema(schema).to_string(), h.c.array_type_name(schema, e, name)),
        (Some((schema, name)), None) => (h.schema(schema).to_string(), name.to_string()),
        (None, _) => ("pg_catalog".into(), oid::type_name(ty).unwrap_or_default()),
    }
}
fn domains(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (h, scope) = (Here::new(env), env.scope().clone());
    let mut out = Rows::info("domains", push);
    for t in h.c.user_types(h.db) {
        let Body::Domain(d) = &t.body else { continue };
        // Of a domain over a domain nothing is said of what that is over.
        let [len, octets, precision, radix, scale, time] = measures(d.base);
        let (schema, name) = udt(&h, d.base.oid);
        out.add(|r| {
            r.set("domain_catalog", &*h.name).set("domain_schema", h.schema(t.schema)).set("domain_name", &*t.name);
            let shown = match udt(&h, d.base.oid).0.as_str() {
                "pg_catalog" => pamir_types::text::type_named(d.base.oid),
                _ => "USER-DEFINED".into(),
            };
            r.set("data_type", shown)
                .set("character_maximum_length", len)
                .set("character_octet_length", octets)
                .set("numeric_precision", precision)
                .set("numeric_precision_radix", radix);
            r.set("numeric_scale", scale).set("datetime_precision", time);
            if let Some(n) = d.collation.and_then(pamir_catalog::system::types::collation_name) {
                r.set("collation_catalog", &*h.name).set("collation_schema", "pg_catalog").set("collation_name", n);
            }
            if let Some(e) = &d.default {
                r.set("domain_default", defs::shown_expr(&h.c, &scope, e));
            }
            r.set("udt_catalog", &*h.name).set("udt_schema", schema).set("udt_name", name).set("dtd_identifier", "1");
        })?;
    }
    Ok(())
}
fn domain_constraints(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("domain_constraints", push);
    for t in h.c.user_types(h.db) {
        let Body::Domain(d) = &t.body else { continue };
        for k in &d.checks {
            out.add(|r| {
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", h.schema(t.schema))
                    .set("constraint_name", &*k.name);
                r.set("domain_catalog", &*h.name).set("domain_schema", h.schema(t.schema)).set("domain_name", &*t.name);
                r.set("is_deferrable", "NO").set("initially_deferred", "NO");
            })?;
        }
    }
    Ok(())
}
fn column_udt_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("column_udt_usage", push);
    let mut add = |schema: &str, table: &str, column: &str, ty: Oid| {
        let (udt_schema, udt_name) = udt(&h, ty);
        out.add(|r| {
            r.set("udt_catalog", &*h.name).set("udt_schema", udt_schema).set("udt_name", udt_name);
            r.set("table_catalog", &*h.name)
                .set("table_schema", schema)
                .set("table_name", table)
                .set("column_name", column);
        })
    };
    for t in h.c.tables_and_views(h.db).into_iter().filter(|t| t.view.as_ref().is_none_or(|v| !v.materialized)) {
        for c in t.live_columns() {
            let declared = t.declared_type(c);
            add(h.schema(t.schema), &t.name, &c.name, if declared.is_array() { declared.oid } else { c.ty.oid })?;
        }
    }
    for v in all() {
        for (name, ty) in v.columns {
            add(v.schema, v.name, name, ty.oid)?;
        }
    }
    Ok(())
}
fn column_domain_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("column_domain_usage", push);
    for t in h.c.tables_and_views(h.db) {
        for c in t.live_columns() {
            let domain = t.declared.domain(c.attnum).and_then(|d| h.c.user_type(d));
            let Some(d) = domain else { continue };
            out.add(|r| {
                r.set("domain_catalog", &*h.name).set("domain_schema", h.schema(d.schema)).set("domain_name", &*d.name);
                r.set("table_catalog", &*h.name)
                    .set("table_schema", h.schema(t.schema))
                    .set("table_name", &*t.name)
                    .set("column_name", &*c.name);
            })?;
        }
    }
    Ok(())
}
fn domain_udt_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("domain_udt_usage", push);
    for t in h.c.user_types(h.db) {
        let Body::Domain(d) = &t.body else { continue };
        let (schema, name) = udt(&h, d.base.oid);
        out.add(|r| {
            r.set("udt_catalog", &*h.name).set("udt_schema", schema).set("udt_name", name);
            r.set("domain_catalog", &*h.name).set("domain_schema", h.schema(t.schema)).set("domain_name", &*t.name);
        })?;
    }
    Ok(())
}
fn user_defined_types(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("user_defined_types", push);
    for t in h.c.user_types(h.db).into_iter().filter(|t| matches!(t.body, Body::Composite(_))) {
        out.add(|r| {
            r.set("user_defined_type_catalog", &*h.name)
                .set("user_defined_type_schema", h.schema(t.schema))
                .set("user_defined_type_name", &*t.name)
                .set("user_defined_type_category", "STRUCTURED")
                .set("is_instantiable", "YES");
        })?;
    }
    Ok(())
}
fn attributes(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("attributes", push);
    for t in h.c.user_types(h.db) {
        let Body::Composite(x) = &t.body else { continue };
        for f in &x.fields {
            let [len, octets, precision, radix, scale, time] = measures(f.ty);
            let (schema, name) = udt(&h, h.c.base_type(f.ty).oid);
            out.add(|r| {
                r.set("udt_catalog", &*h.name).set("udt_schema", h.schema(t.schema)).set("udt_name", &*t.name);
                r.set("attribute_name", &*f.name)
                    .set("ordinal_position", i64::from(f.attnum))
                    .set("is_nullable", "YES");
                r.set("data_type", data_type(h.c.base_type(f.ty)))
                    .set("character_maximum_length", len)
                    .set("character_octet_length", octets)
                    .set("numeric_precision", precision)
                    .set("numeric_precision_radix", radix);
                r.set("numeric_scale", scale).set("datetime_precision", time);
                r.set("attribute_udt_catalog", &*h.name)
                    .set("attribute_udt_schema", schema)
                    .set("attribute_udt_name", name)
                    .set("dtd_identifier", f.attnum.to_string())
                    .set("is_derived_reference_attribute", "NO");
            })?;
        }
    }
    Ok(())
}
#[allow(clippy::too_many_arguments)]
fn column_row(
    out: &mut Rows,
    h: &Here,
    schema: &str,
    table: &str,
    n: usize,
    name: &str,
    ty: Type,
    more: impl FnOnce(&mut super::Row),
) -> Result<()> {
    let [len, octets, precision, radix, scale, time] = measures(ty);
    out.add(|r| {
        r.set("table_catalog", &*h.name)
            .set("table_schema", schema)
            .set("table_name", table)
            .set("column_name", name)
            .set("ordinal_position", n as i64);
        r.set("is_nullable", "YES").set("data_type", data_type(ty));
        r.set("character_maximum_length", len)
            .set("character_octet_length", octets)
            .set("numeric_precision", precision)
            .set("numeric_precision_radix", radix);
        r.set("numeric_scale", scale)
            .set("datetime_precision", time)
            .set("interval_type", interval_type(ty))
            .set("udt_catalog", &*h.name)
            .set("udt_schema", udt(h, ty.oid).0);
        r.set("udt_name", udt(h, ty.oid).1)
            .set("dtd_identifier", n.to_string())
            .set("is_self_referencing", "NO")
            .set("is_identity", "NO");
        r.set("identity_cycle", "NO").set("is_generated", "NEVER").set("is_updatable", "YES");
        more(r);
    })
}
/// Which fields an interval is kept to, as they are written: `DAY TO SECOND(2)`.
fn interval_type(ty: Type) -> Option<String> {
    let shown = pamir_types::text::type_display(ty);
    let fields = shown.strip_prefix("interval").filter(|_| ty.oid == oid::INTERVAL)?;
    let fields = fields.trim_start_matches(|c: char| c.is_ascii_digit() || "()".contains(c));
    fields.strip_prefix(' ').map(str::to_uppercase)
}
/// What the elements are of arrays that are columns, attributes, domains, arguments and results.
fn element_types(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let functions = super::functions::all(pamir_expr::func::all_functions(), env);
    let mut out = Rows::info("element_types", push);
    let mut add = |schema: &str, name: &str, kind: &str, n: usize, ty: Oid| -> Result<()> {
        let Some(element) = oid::element_of(ty) else { return Ok(()) };
        let (udt_schema, udt_name) = udt(&h, element);
        out.add(|r| {
            r.set("object_catalog", &*h.name).set("object_schema", schema).set("object_name", name);
            r.set("object_type", kind).set("collection_type_identifier", n.to_string());
            r.set(
                "data_type",
                match &*udt_schema {
                    "pg_catalog" => pamir_types::text::type_named(element),
                    _ => "USER-DEFINED".into(),
                },
            );
            r.set("udt_catalog", &*h.name).set("udt_schema", udt_schema).set("udt_name", udt_name);
            r.set("dtd_identifier", format!("a{n}"));
        })
    };
    for t in h.c.tables_and_views(h.db).into_iter().filter(|t| t.view.as_ref().is_none_or(|v| !v.materialized)) {
        for c in t.live_columns() {
            // Of a column of a domain it is the domain that has the elements; an array of a domain has them itself.
            add(h.schema(t.schema), &t.name, "TABLE", c.attnum as usize, t.declared_type(c).oid)?;
        }
    }
    for v in all() {
        for (n, (_, ty)) in v.columns.iter().enumerate() {
            add(v.schema, v.name, "TABLE", n + 1, ty.oid)?;
        }
    }
    for t in h.c.user_types(h.db) {
        match &t.body {
            Body::Composite(x) => x
                .fields
                .iter()
                .try_for_each(|f| add(h.schema(t.schema), &t.name, "USER-DEFINED TYPE", f.attnum as usize, f.ty.oid))?,
            Body::Domain(d) => add(h.schema(t.schema), &t.name, "DOMAIN", 1, d.base.oid)?,
            _ => {}
        }
    }
    for f in functions {
        let (schema, name) = (h.schema(f.schema).to_string(), format!("{}_{}", f.name, f.oid));
        add(&schema, &name, "ROUTINE", 0, f.ret)?;
        let types: Vec<Oid> = match h.c.function(f.oid) {
            Some(stored) => stored.params.iter().map(|p| p.ty.oid).collect(),
            None => f.args.iter().copied().chain(f.out.iter().map(|o| o.1)).collect(),
        };
        types.iter().enumerate().try_for_each(|(n, ty)| add(&schema, &name, "ROUTINE", n + 1, *ty))?;
    }
    Ok(())
}
fn columns(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (h, scope) = (Here::new(env), env.scope().clone());
    let mut out = Rows::info("columns", push);
    let shown = |t: &&Arc<Table>| h.is(&t.name) && t.view.as_ref().is_none_or(|v| !v.materialized);
    for t in h.c.tables_and_views(h.db).into_iter().filter(shown) {
        for c in t.live_columns() {
            let changed = match &t.view {
                None => true,
                Some(_) => {
                    let events = pamir_expr::func::catalog_info::updatable(t.oid, Some(&[c.attnum]), 0, env)?;
                    events & UPDATE_DELETE == UPDATE_DELETE
                }
            };
            let mut not_null = c.not_null;
            let declared = t.declared_type(c);
            let shown = if declared.is_array() { declared } else { c.ty };
            column_row(&mut out, &h, h.schema(t.schema), &t.name, c.attnum as usize, &c.name, shown, |r| {
                if let Some(d) = t.declared.domain(c.attnum).and_then(|d| h.c.user_type(d)) {
                    r.set("domain_catalog", &*h.name)
                        .set("domain_schema", h.schema(d.schema))
                        .set("domain_name", &*d.name);
                    if let Body::Domain(d) = &d.body {
                        not_null |= d.not_null;
                        // What it is over, though that is a domain.
                        if !oid::is_user(c.ty.oid) && oid::is_user(d.base.oid) {
                            let (schema, name) = udt(&h, d.base.oid);
                            r.set("data_type", "USER-DEFINED").set("udt_schema", schema).set("udt_name", name);
                        }
                    }
                }
                r.set("is_nullable", !not_null).set("is_updatable", changed);
                if let Some(d) = &c.default {
                    r.set("column_default", defs::shown_expr(&h.c, &scope, d));
                }
                if let Some(i) = c.identity {
                    r.set("is_identity", "YES")
                        .set("identity_generation", if i == Identity::Always { "ALWAYS" } else { "BY DEFAULT" });
                    if let Some(s) = c.sequence.and_then(|s| h.c.sequence(s)) {
                        r.set("identity_start", s.def.start)
                            .set("identity_increment", s.def.increment)
                            .set("identity_maximum", s.def.max)
                            .set("identity_minimum", s.def.min);
                        r.set("identity_cycle", s.def.cycle);
                    }
                }
                // Only another than the database's own is told, as that of names is.
                let of_type = Some(collation_of(c.ty.oid)).filter(|c| *c != DEFAULT_COLLATION);
                if let Some(n) = h.c.column_collation(t, c.attnum).or(of_type).and_then(collation_name) {
                    r.set("collation_catalog", &*h.name).set("collation_schema", "pg_catalog").set("collation_name", n);
                }
                if let Some(g) = &c.generated {
                    r.set("is_generated", "ALWAYS").set("generation_expression", defs::shown_expr(&h.c, &scope, g));
                }
            })?;
        }
    }
    for v in all().iter().filter(|v| h.is(v.name)) {
        for (n, (name, ty)) in v.columns.iter().enumerate() {
            column_row(&mut out, &h, v.schema, v.name, n + 1, name, *ty, |r| {
                r.set("is_updatable", "NO");
            })?;
        }
    }
    Ok(())
}
fn sequences(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("sequences", push);
    // As PostgreSQL: identity columns' sequences are not shown.
    for s in h.c.sequences(h.db).into_iter().filter(|s| !s.identity) {
        let precision = measures(s.ty)[2];
        out.add(|r| {
            r.set("sequence_catalog", &*h.name)
                .set("sequence_schema", h.schema(s.schema))
                .set("sequence_name", &*s.name)
                .set("data_type", pamir_types::text::type_named(s.ty.oid));
            r.set("numeric_precision", precision)
                .set("numeric_precision_radix", 2i64)
                .set("numeric_scale", 0i64)
                .set("start_value", s.def.start);
            r.set("minimum_value", s.def.min)
                .set("maximum_value", s.def.max)
                .set("increment", s.def.increment)
                .set("cycle_option", s.def.cycle);
        })?;
    }
    Ok(())
}
/// (name, kind, deferrable, deferred, of a unique one whether NULLs are distinct) of every constraint of a table.
fn constraints(t: &Table) -> Vec<(&str, &'static str, bool, bool, Option<bool>)> {
    let keys = t.indexes.iter().filter(|i| i.constraint && i.excludes.is_none()).map(|i| {
        let kind = if i.is_primary() { "PRIMARY KEY" } else { "UNIQUE" };
        let distinct = (!i.is_primary()).then_some(!i.nulls_not_distinct);
        (&*i.name, kind, i.deferrable.is_some(), i.initially_deferred(), distinct)
    });
    let checks = t.checks.iter().map(|c| (&*c.name, "CHECK", false, false, None));
    let fks = t.foreign_keys.iter().map(|f| (&*f.name, "FOREIGN KEY", f.deferrable, f.initially_deferred, None));
    keys.chain(checks).chain(fks).collect()
}
fn table_constraints(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("table_constraints", push);
    for t in h.c.tables_that(h.db, |t| h.is(&t.name)) {
        let schema = h.schema(t.schema);
        let mut add = |name: &str, kind: &str, deferrable: bool, deferred: bool, distinct: Option<bool>| {
            out.add(|r| {
                if let Some(d) = distinct {
                    r.set("nulls_distinct", d);
                }
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", schema)
                    .set("constraint_name", name)
                    .set("table_catalog", &*h.name)
                    .set("table_schema", schema);
                r.set("table_name", &*t.name)
                    .set("constraint_type", kind)
                    .set("is_deferrable", deferrable)
                    .set("initially_deferred", deferred)
                    .set("enforced", "YES");
            })
        };
        for (name, kind, deferrable, deferred, distinct) in constraints(t) {
            add(name, kind, deferrable, deferred, distinct)?;
        }
        for c in t.live_columns().filter(|c| c.not_null) {
            add(&format!("{}_{}_{}_not_null", t.schema, t.oid, c.attnum), "CHECK", false, false, None)?;
        }
    }
    Ok(())
}
pub(super) fn plain(i: &Index) -> impl Iterator<Item = i16> + '_ {
    i.columns.iter().filter_map(|(c, _)| if let IndexColumn::Attr(a) = c { Some(*a) } else { None })
}
fn key_column_usage(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("key_column_usage", push);
    for t in h.c.tables_that(h.db, |t| h.is(&t.name)) {
        let schema = h.schema(t.schema);
        let mut add = |name: &str, n: usize, attnum: i16, unique: Option<i32>| {
            let column = t.column(attnum).map_or("", |c| &c.name);
            out.add(|r| {
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", schema)
                    .set("constraint_name", name)
                    .set("table_catalog", &*h.name)
                    .set("table_schema", schema);
                r.set("table_name", &*t.name)
                    .set("column_name", column)
                    .set("ordinal_position", n as i64 + 1)
                    .set("position_in_unique_constraint", unique);
            })
        };
        for i in t.indexes.iter().filter(|i| i.constraint && i.excludes.is_none()) {
            for (n, a) in plain(i).enumerate() {
                add(&i.name, n, a, None)?;
            }
        }
        for f in &t.foreign_keys {
            let target = h.c.table(f.ref_table).and_then(|p| p.index(f.ref_index));
            for (n, (a, ref_a)) in f.columns.iter().zip(&f.ref_columns).enumerate() {
                let at = target.and_then(|i| plain(i).position(|x| x == *ref_a)).map(|p| p as i32 + 1);
                add(&f.name, n, *a, at)?;
            }
        }
    }
    Ok(())
}
fn rule(a: FkAction) -> &'static str {
    match a {
        FkAction::NoAction => "NO ACTION",
        FkAction::Restrict => "RESTRICT",
        FkAction::Cascade => "CASCADE",
        FkAction::SetNull => "SET NULL",
        FkAction::SetDefault => "SET DEFAULT",
    }
}
fn referential_constraints(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let mut out = Rows::info("referential_constraints", push);
    for t in h.c.tables(h.db) {
        for f in &t.foreign_keys {
            let target = h.c.table(f.ref_table);
            let key = target.and_then(|p| p.index(f.ref_index)).filter(|i| i.constraint);
            out.add(|r| {
                r.set("constraint_catalog", &*h.name)
                    .set("constraint_schema", h.schema(t.schema))
                    .set("constraint_name", &*f.name);
                if let (Some(p), Some(k)) = (target, key) {
                    r.set("unique_constraint_catalog", &*h.name)
                        .set("unique_constraint_schema", h.schema(p.schema))
                        .set("unique_constraint_name", &*k.name);
                }
                r.set("match_option", if f.match_full { "FULL" } else { "NONE" })
                    .set("update_rule", rule(f.on_update))
                    .set("delete_rule", rule(f.on_delete));
            })?;
        }
    }
    Ok(())
}
fn character_sets(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    Rows::info("character_sets", push).add(|r| {
        r.set("character_set_name", "UTF8")
            .set("character_repertoire", "UCS")
            .set("form_of_use", "UTF8")
            .set("default_collate_catalog", &*h.name);
    })
}
