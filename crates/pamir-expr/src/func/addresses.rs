//! Objects by catalog, OID and column, in words: pg_describe_object, pg_identify_object, pg_identify_object_as_address.
//!
//! ```text
//!  (pg_class, 16390, 2)   column b of table t            table column        public.t.b           {public,t,b} {}
//!  (pg_proc,  16400, 0)   function f(integer)            function            public.f(integer)    {public,f} {integer}
//! ```
//! A description names schemas where the search path asks for them, an identity always. Of what is not there the description is NULL.
//!
//! Limits: classes that pg_depend has no rows of here (access methods' members, publications, ..) are 0A000; a default's OID is found by a walk over the tables.
use super::registry::{bad_args, funcs};
use super::{Function, lookup, reg};
use crate::env::Env;
use pamir_catalog::defs::{self, Constraint, quote_ident};
use pamir_catalog::depend::{self, Class};
use pamir_catalog::{Catalog, NameScope, Relation};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, oid};

/// What is known of an object: whether names are qualified hangs on who asks.
struct Object {
    /// pg_identify_object.type
    kind: String,
    schema: Option<String>,
    /// Where it and the schema say which object it is.
    name: Option<String>,
    identity: String,
    description: String,
    names: Vec<String>,
    args: Vec<String>,
}

struct Finder<'e> {
    catalog: &'e Catalog,
    scope: &'e NameScope,
    /// Nothing is visible but the server's own.
    nowhere: NameScope,
}

fn q(name: &str) -> String {
    quote_ident(name).into_owned()
}
/// Types whose names are words of the standard have no schema.
fn is_word(ty: Oid) -> bool {
    let words =
        [oid::BIT, oid::BOOL, oid::BPCHAR, oid::FLOAT4, oid::FLOAT8, oid::INT2, oid::INT4, oid::INT8, oid::NUMERIC];
    let more = [oid::INTERVAL, oid::TIME, oid::TIMETZ, oid::TIMESTAMP, oid::TIMESTAMPTZ, oid::VARBIT, oid::VARCHAR];
    let base = Type::new(ty).element().map_or(ty, |t| t.oid);
    words.contains(&base) || more.contains(&base)
}

impl Finder<'_> {
    fn reg(&self, v: Oid, ty: Oid, qualified: bool) -> String {
        reg::name_in(v, ty, self.catalog, if qualified { &self.nowhere } else { self.scope })
    }
    /// format_type_be_qualified
    fn ty(&self, v: Oid) -> String {
        let shown = self.reg(v, oid::REGTYPE, true);
        let own = !oid::is_user(v) && !oid::is_of_extension(v) && !is_word(v);
        if own { format!("pg_catalog.{shown}") } else { shown }
    }
    fn schema(&self, v: Oid) -> Option<String> {
        self.catalog.schema(v).map(|s| q(&s.name))
    }
    fn schema_name(&self, v: Oid) -> String {
        self.catalog.schema(v).map_or(String::new(), |s| s.name.clone())
    }
    /// One whose name is known by itself.
    fn named(&self, kind: &str, name: &str) -> Object {
        Object {
            kind: kind.into(),
            schema: None,
            name: Some(q(name)),
            identity: q(name),
            description: format!("{kind} {name}"),
            names: vec![name.into()],
            args: vec![],
        }
    }
    /// One of a schema.
    fn placed(&self, kind: &str, schema: Oid, name: &str, shown: String) -> Object {
        let place = self.schema_name(schema);
        Object {
            kind: kind.into(),
            schema: self.schema(schema),
            name: Some(q(name)),
            identity: defs::qualified(&place, name),
            description: format!("{kind} {shown}"),
            names: vec![place, name.into()],
            args: vec![],
        }
    }
    fn relation(&self, v: Oid) -> Option<Object> {
        let c = self.catalog;
        let (schema, name) = c.relation_name(v)?;
        let kind = match c.relation(v)? {
            Relation::Table(t) => t.word(),
            Relation::Sequence(_) => "sequence",
            Relation::Index(..) => "index",
            Relation::Virtual(t) if t.view => "view",
            Relation::Virtual(_) => "table",
        };
        Some(self.placed(kind, schema, name, self.reg(v, oid::REGCLASS, false)))
    }
    /// Part of a relation: `trigger x on table t`.
    fn part(&self, kind: &str, relation: Oid, name: &str) -> Option<Object> {
        let of = self.relation(relation)?;
        let names = of.names.into_iter().chain([name.to_string()]).collect();
        Some(Object {
            kind: kind.into(),
            schema: None,
            name: None,
            identity: format!("{} on {}", q(name), of.identity),
            description: format!("{kind} {name} on {}", of.description),
            names,
            args: vec![],
        })
    }
    fn column(&self, table: Oid, attnum: i32) -> Option<Object> {
        let of = self.relation(table)?;
        let attnum = i16::try_from(attnum).ok()?;
        let name = match self.catalog.relation(table)? {
            Relation::Table(t) => t.column(attnum).filter(|c| !c.dropped)?.name.clone(),
            Relation::Virtual(t) => t.columns.get((attnum as usize).wrapping_sub(1))?.0.to_string(),
            _ => return None,
        };
        Some(Object {
            kind: format!("{} column", of.kind),
            schema: of.schema,
            name: of.name,
            identity: format!("{}.{}", of.identity, q(&name)),
            description: format!("column {name} of {}", of.description),
            names: of.names.into_iter().chain([name]).collect(),
            args: vec![],
        })
    }
    fn function(&self, v: Oid) -> Option<Object> {
        let f = lookup::by_oid::<Function>(self.catalog, v).map(|f| (f.schema, f.name.to_string(), f.declared_args()));
        let a = || {
            lookup::by_oid::<super::Aggregate>(self.catalog, v).map(|a| (a.schema, a.name.to_string(), a.args.to_vec()))
        };
        let kind = match self.catalog.function(v).map(|f| f.kind) {
            Some(pamir_catalog::function::FunctionKind::Procedure) => "procedure",
            Some(pamir_catalog::function::FunctionKind::Aggregate) => "aggregate",
            Some(_) => "function",
            None if f.is_some() => "function",
            None => "aggregate",
        };
        let (schema, name, args) = f.or_else(a)?;
        let place = self.schema_name(schema);
        let args: Vec<String> = args.iter().map(|t| self.ty(*t)).collect();
        Some(Object {
            kind: kind.into(),
            schema: self.schema(schema),
            name: None,
            identity: format!("{}({})", defs::qualified(&place, &name), args.join(",")),
            description: format!("function {}", self.reg(v, oid::REGPROCEDURE, false)),
            names: vec![place, name],
            args,
        })
    }
    fn type_of(&self, v: Oid) -> Option<Object> {
        if oid::type_name(v).is_none() && self.catalog.type_name(self.scope, v).is_none() {
            return None;
        }
        let identity = self.ty(v);
        let (schema, name) = match self.catalog.user_type(v) {
            Some(t) => (self.schema(t.schema), t.name.clone()),
            None if oid::user_class(v) == Some(oid::UserClass::Row) => {
                let (schema, name) = self.catalog.relation_name(oid::user_number(v))?;
                (self.schema(schema), name.to_string())
            }
            None => (Some("pg_catalog".into()), oid::type_name(v).unwrap_or_default().to_string()),
        };
        Some(Object {
            kind: "type".into(),
            schema,
            name: Some(q(&name)),
            description: format!("type {}", self.reg(v, oid::REGTYPE, false)),
            names: vec![identity.clone()],
            identity,
            args: vec![],
        })
    }
    fn operator(&self, v: Oid) -> Option<Object> {
        let o = lookup::by_oid::<super::Operator>(self.catalog, v)?;
        let side = |t: Oid| if t == 0 { "NONE".to_string() } else { self.ty(t) };
        let (place, args) = (self.schema_name(o.schema), vec![side(o.left), side(o.right)]);
        Some(Object {
            kind: "operator".into(),
            schema: self.schema(o.schema),
            name: None,
            identity: format!("{}.{}({})", q(&place), o.name, args.join(",")),
            description: format!("operator {}", self.reg(v, oid::REGOPERATOR, false)),
            names: vec![place, o.name.to_string()],
            args,
        })
    }
    fn constraint(&self, v: Oid) -> Option<Object> {
        let (table, name, schema) = match defs::constraint(self.catalog, v)? {
            Constraint::Index(t, i) => (t.oid, &i.name, t.schema),
            Constraint::Check(t, k) => (t.oid, &k.name, t.schema),
            Constraint::ForeignKey(t, f) => (t.oid, &f.name, t.schema),
            Constraint::Domain(d, k) => {
                let identity = self.ty(d.oid);
                return Some(Object {
                    kind: "domain constraint".into(),
                    schema: self.schema(d.schema),
                    name: None,
                    identity: format!("{} on {identity}", q(&k.name)),
                    description: format!("constraint {}", k.name),
                    names: vec![identity],
                    args: vec![k.name.clone()],
                });
            }
        };
        let part = self.part("constraint", table, name)?;
        Some(Object { kind: "table constraint".into(), schema: self.schema(schema), ..part })
    }
    fn default(&self, v: Oid) -> Option<Object> {
        let mut all = self.catalog.tables(self.scope.database).into_iter();
        let (table, attnum) = all.find_map(|t| {
            let is = |c: &&pamir_catalog::Column| depend::default_oid(t.oid, c.attnum) == v;
            t.live_columns().find(is).map(|c| (t.oid, c.attnum))
        })?;
        let of = self.column(table, i32::from(attnum))?;
        Some(Object {
            kind: "default value".into(),
            schema: None,
            name: None,
            identity: format!("for {}", of.identity),
            description: format!("default value for {}", of.description),
            ..of
        })
    }
    fn rule(&self, v: Oid) -> Option<Object> {
        if let Some(r) = self.catalog.rule(v) {
            return self.part("rule", r.relation, &r.name);
        }
        let views = self.catalog.views(self.scope.database);
        let of = views.into_iter().find(|t| t.view.as_ref().is_some_and(|w| w.rule == v))?;
        self.part("rule", of.oid, "_RETURN")
    }
    fn cast(&self, v: Oid) -> Option<Object> {
        let c = self.catalog.casts(self.scope.database).into_iter().find(|c| c.oid == v)?;
        let (from, to) = (self.ty(c.from), self.ty(c.to));
        let shown = |t| self.reg(t, oid::REGTYPE, false);
        Some(Object {
            kind: "cast".into(),
            schema: None,
            name: None,
            identity: format!("({from} AS {to})"),
            description: format!("cast from {} to {}", shown(c.from), shown(c.to)),
            names: vec![from],
            args: vec![to],
        })
    }
    /// None: there is none such.
    fn find(&self, class: Oid, v: Oid, sub: i32) -> Result<Option<Object>> {
        let c = self.catalog;
        let is = |x: Class| x.catalog() == class;
        Ok(match class {
            _ if is(Class::Relation) && sub != 0 => self.column(v, sub),
            _ if is(Class::Relation) => self.relation(v),
            _ if is(Class::Function) => self.function(v),
            _ if is(Class::Type) => self.type_of(v),
            _ if is(Class::Operator) => self.operator(v),
            _ if is(Class::Constraint) => self.constraint(v),
            _ if is(Class::Default) => self.default(v),
            _ if is(Class::Rule) => self.rule(v),
            _ if is(Class::Cast) => self.cast(v),
            _ if is(Class::Schema) => c.schema(v).map(|s| self.named("schema", &s.name)),
            _ if is(Class::Trigger) => c.trigger(v).and_then(|g| self.part("trigger", g.table, &g.name)),
            _ if is(Class::Policy) => c.policy(v).and_then(|p| self.part("policy", p.relation, &p.name)),
            _ if is(Class::EventTrigger) => c.event_trigger(v).map(|g| self.named("event trigger", &g.name)),
            _ if is(Class::Extension) => c.extension(v).map(|e| self.named("extension", &e.name)),
            _ if is(Class::Statistics) => c.extended(v).map(|e| {
                let visible = self.scope.search_path.iter().any(|s| *s == self.schema_name(e.schema));
                let full = defs::qualified(&self.schema_name(e.schema), &e.name);
                self.placed("statistics object", e.schema, &e.name, if visible { q(&e.name) } else { full })
            }),
            PG_AUTHID => c.role(v).map(|r| self.named("role", &r.name)),
            PG_DATABASE => c.database(v).map(|d| self.named("database", &d.name)),
            0 => bail!(INTERNAL_ERROR, "unrecognized object class: 0"),
            _ => {
                return Err(Error::unsupported(format!(
                    "objects of the catalog {}",
                    self.reg(class, oid::REGCLASS, false)
                )));
            }
        })
    }
}
/// What pg_identify_object calls what is not there.
fn kind_of_missing(class: Oid, v: Oid, sub: i32, f: &Finder) -> String {
    let is = |x: Class| x.catalog() == class;
    let word = match class {
        _ if is(Class::Relation) => {
            let kind = f.relation(v).map_or("relation".to_string(), |o| o.kind);
            return if sub != 0 { format!("{kind} column") } else { kind };
        }
        _ if is(Class::Function) => "routine",
        _ if is(Class::Type) => "type",
        _ if is(Class::Operator) => "operator",
        _ if is(Class::Constraint) => "constraint",
        _ if is(Class::Default) => "default value",
        _ if is(Class::Rule) => "rule",
        _ if is(Class::Cast) => "cast",
        _ if is(Class::Schema) => "schema",
        _ if is(Class::Trigger) => "trigger",
        _ if is(Class::Policy) => "policy",
        _ if is(Class::EventTrigger) => "event trigger",
        _ if is(Class::Extension) => "extension",
        _ if is(Class::Statistics) => "statistics object",
        PG_AUTHID => "role",
        _ => "database",
    };
    word.into()
}
const PG_AUTHID: Oid = 1260;
const PG_DATABASE: Oid = 1262;
const TEXT_ARRAY: Oid = 1009;

/// Err: it is not there, and is called so.
fn found(name: &str, args: &[Datum], env: &mut dyn Env) -> Result<std::result::Result<Object, String>> {
    let [Datum::Oid(class), Datum::Oid(v), Datum::Int4(sub)] = args else { return Err(bad_args(name, args)) };
    let catalog = env.catalog().clone();
    let nowhere = NameScope::stored(env.scope().database);
    let f = Finder { catalog: &catalog, scope: env.scope(), nowhere };
    Ok(f.find(*class, *v, *sub)?.ok_or_else(|| kind_of_missing(*class, *v, *sub, &f)))
}
fn text_or_null(s: Option<String>) -> (Type, Datum) {
    (Type::TEXT, s.map_or(Datum::Null, Datum::text))
}
fn list(v: Vec<String>) -> (Type, Datum) {
    (Type::new(TEXT_ARRAY), super::array::text_array(v.into_iter().map(Datum::text).collect()))
}

funcs! { pub FUNCS {
    pg_describe_object raw = |_, args, env| {
        // What the server itself needs has no row of its own in pg_depend.
        if let [Datum::Oid(0), Datum::Oid(0), _] = args {
            return Ok(Datum::Null);
        }
        Ok(found("pg_describe_object", args, env)?.map_or(Datum::Null, |o| Datum::text(o.description)))
    };
    pg_identify_object raw = |_, args, env| {
        let o = match found("pg_identify_object", args, env)? {
            Ok(o) => o,
            Err(kind) => {
                let nothing = || text_or_null(None);
                return Datum::record(vec![text_or_null(Some(kind)), nothing(), nothing(), nothing()]);
            }
        };
        Datum::record(vec![text_or_null(Some(o.kind)), text_or_null(o.schema), text_or_null(o.name), text_or_null(Some(o.identity))])
    };
    pg_identify_object_as_address raw = |_, args, env| {
        let o = match found("pg_identify_object_as_address", args, env)? {
            Ok(o) => o,
            Err(kind) => {
                let none = (Type::new(TEXT_ARRAY), Datum::Null);
                return Datum::record(vec![text_or_null(Some(kind)), none.clone(), none]);
            }
        };
        Datum::record(vec![text_or_null(Some(o.kind)), list(o.names), list(o.args)])
    };
}}
