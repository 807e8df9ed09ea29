//! pg_depend: computed from what the catalog's objects say of each other, for pg_dump, which orders and separates what it writes by it.
//!
//! ```text
//!   default of a column --a--> the column, --n--> sequences           index --i--> its constraint, or --a--> columns
//!   constraint --a--> columns, foreign keys --n--> columns and index of the other table
//!   rule of a view --n--> what its query names                        row type --i--> table        array --i--> type
//!   column, domain, function --n--> users' types                      function --n--> its language, what it names
//!   table --n--> its parents and its type
//!   operator, cast --n--> its function and users' types                   member --e--> its extension
//! ```
//! Limits: functions that texts of tables and bodies name are not in it.
use super::{Rows, ServerEnv};
use crate::stored::readable;
use pamir_catalog::depend::{Class, ObjectRef, sequences_of};
use pamir_catalog::extension::{Extension, available};
use pamir_catalog::function::Function;
use pamir_catalog::operator::{Cast, CastHow, Operator};
use pamir_catalog::system::types::rows_of_extension;
use pamir_catalog::text_search::named_in;
use pamir_catalog::trigger::Trigger;
use pamir_catalog::types::{Body, UserType, row_type};
use pamir_catalog::well_known::{INFORMATION_SCHEMA, PG_CATALOG};
use pamir_catalog::{Index, IndexColumn, NameScope, SqlText, Table};
use pamir_expr::func;
use pamir_plan::bind::BindCtx;
use pamir_types::{Datum, Oid, Result, Type, oid};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

const PG_CLASS: Oid = 1259;
const PG_TYPE: Oid = 1247;
const PG_PROC: Oid = 1255;
const PG_CONSTRAINT: Oid = 2606;
const PG_ATTRDEF: Oid = 2604;
const PG_LANGUAGE: Oid = 2612;
const PG_NAMESPACE: Oid = 2615;
const PG_EXTENSION: Oid = 3079;
const PG_OPCLASS: Oid = 2616;
const PG_OPFAMILY: Oid = 2753;
const PG_STATISTIC_EXT: Oid = 3381;
const PLPGSQL: Oid = 13563;

/// An object of a catalog, or with the last a column of it.
type Ref = (Oid, Oid, i16);

struct Out<'a> {
    rows: Rows<'a>,
}
impl Out<'_> {
    fn add(&mut self, what: Ref, on: Ref, kind: char) -> Result<()> {
        self.rows.add(|r| {
            r.oid("classid", what.0).oid("objid", what.1).set("objsubid", what.2);
            r.oid("refclassid", on.0).oid("refobjid", on.1).set("refobjsubid", on.2).chr("deptype", kind);
        })
    }
    fn schema(&mut self, what: Ref, schema: Oid) -> Result<()> {
        if matches!(schema, PG_CATALOG | INFORMATION_SCHEMA) {
            return Ok(());
        }
        self.add(what, (PG_NAMESPACE, schema, 0), 'n')
    }
    /// Text search objects that a text names.
    fn text_search(&mut self, what: Ref, text: &SqlText) -> Result<()> {
        named_in(&text.0).into_iter().try_for_each(|(on, oid)| self.add(what, (on.catalog(), oid, 0), 'n'))
    }
    /// A type that is not the server's own.
    fn of_type(&mut self, what: Ref, ty: Oid) -> Result<()> {
        if oid::is_user(ty) { self.add(what, (PG_TYPE, ty, 0), 'n') } else { Ok(()) }
    }
    /// The array of a type.
    fn array(&mut self, elem: Oid) -> Result<()> {
        match oid::array_of(elem) {
            Some(a) => self.add((PG_TYPE, a, 0), (PG_TYPE, elem, 0), 'i'),
            None => Ok(()),
        }
    }
    fn index(&mut self, t: &Table, i: &Index) -> Result<()> {
        let own = (PG_CLASS, i.oid, 0);
        let exprs = i.columns.iter().filter_map(|c| if let IndexColumn::Expr(e, _) = &c.0 { Some(e) } else { None });
        exprs.chain(&i.predicate).try_for_each(|e| self.text_search(own, e))?;
        let plain = i.columns.iter().filter_map(|(c, _)| if let IndexColumn::Attr(a) = c { Some(*a) } else { None });
        let columns: Vec<i16> = plain.chain(i.include.iter().copied()).collect();
        if i.constraint {
            for a in columns {
                self.add((PG_CONSTRAINT, i.oid, 0), (PG_CLASS, t.oid, a), 'a')?;
            }
            return self.add(own, (PG_CONSTRAINT, i.oid, 0), 'i');
        }
        // Those of its expressions: [`depend`].
        if columns.is_empty() && i.columns.is_empty() && i.predicate.is_none() {
            return self.add(own, (PG_CLASS, t.oid, 0), 'a');
        }
        columns.into_iter().try_for_each(|a| self.add(own, (PG_CLASS, t.oid, a), 'a'))
    }
    /// What a partition has because its parent has it, and what a partition key names.
    fn parts(&mut self, t: &Table) -> Result<()> {
        let Some(p) = t.partition() else { return Ok(()) };
        for (own, of) in &p.indexes {
            let class = if t.index(*own).is_some_and(|i| i.constraint) { PG_CONSTRAINT } else { PG_CLASS };
            self.add((class, *own, 0), (class, *of, 0), 'P')?;
            self.add((class, *own, 0), (PG_CLASS, t.oid, 0), 'S')?;
        }
        for (own, of) in &p.foreign_keys {
            self.add((PG_CONSTRAINT, *own, 0), (PG_CONSTRAINT, *of, 0), 'P')?;
            self.add((PG_CONSTRAINT, *own, 0), (PG_CLASS, t.oid, 0), 'S')?;
        }
        for (own, of) in &p.triggers {
            self.add((super::objects::PG_TRIGGER, *own, 0), (super::objects::PG_TRIGGER, *of, 0), 'P')?;
            self.add((super::objects::PG_TRIGGER, *own, 0), (PG_CLASS, t.oid, 0), 'S')?;
        }
        for k in p.scheme.iter().flat_map(|s| &s.key) {
            if let IndexColumn::Attr(a) = &k.of {
                self.add((PG_CLASS, t.oid, *a), (PG_CLASS, t.oid, 0), 'i')?;
            }
        }
        Ok(())
    }
    fn table(&mut self, t: &Table) -> Result<()> {
        let part = if t.bound().is_some() { 'a' } else { 'n' };
        for p in t.parents() {
            self.add((PG_CLASS, t.oid, 0), (PG_CLASS, *p, 0), part)?;
        }
        self.parts(t)?;
        if let Some(ty) = t.of_type() {
            self.add((PG_CLASS, t.oid, 0), (PG_TYPE, ty, 0), 'n')?;
        }
        for i in &t.indexes {
            self.index(t, i)?;
        }
        for c in t.live_columns() {
            self.of_type((PG_CLASS, t.oid, c.attnum), t.declared_type(c).oid)?;
            let Some(text) = c.default.as_ref().or(c.generated.as_ref()) else { continue };
            let own = (PG_ATTRDEF, pamir_catalog::depend::default_oid(t.oid, c.attnum), 0);
            self.text_search(own, text)?;
            self.add(own, (PG_CLASS, t.oid, c.attnum), 'a')?;
            for s in sequences_of(&text.0) {
                self.add(own, (PG_CLASS, s, 0), 'n')?;
            }
        }
        for f in &t.foreign_keys {
            let own = (PG_CONSTRAINT, f.oid, 0);
            for a in &f.columns {
                self.add(own, (PG_CLASS, t.oid, *a), 'a')?;
            }
            for a in &f.ref_columns {
                self.add(own, (PG_CLASS, f.ref_table, *a), 'n')?;
            }
            // pg_restore makes the index first.
            self.add(own, (PG_CLASS, f.ref_index, 0), 'n')?;
        }
        Ok(())
    }
    fn user_type(&mut self, t: &UserType) -> Result<()> {
        let own = (PG_TYPE, t.oid, 0);
        self.schema(own, t.schema)?;
        self.array(t.oid)?;
        match &t.body {
            Body::Composite(c) => {
                self.add((PG_CLASS, c.relation, 0), own, 'i')?;
                c.fields.iter().try_for_each(|f| self.of_type((PG_CLASS, c.relation, f.attnum), f.ty.oid))
            }
            Body::Domain(d) => {
                for k in &d.checks {
                    self.add((PG_CONSTRAINT, k.oid, 0), own, 'a')?;
                }
                self.of_type(own, d.base.oid)
            }
            // A range is over a type of the server's own.
            Body::Enum(_) | Body::Range(_) | Body::Multirange => Ok(()),
        }
    }
    fn trigger(&mut self, g: &Trigger) -> Result<()> {
        let own = (Class::Trigger.catalog(), g.oid, 0);
        self.add(own, (PG_PROC, g.function, 0), 'n')?;
        self.add(own, (PG_CLASS, g.table, 0), 'a')?;
        for a in &g.columns {
            self.add(own, (PG_CLASS, g.table, *a), 'n')?;
        }
        for on in g.depends.iter().filter(|on| !g.columns.contains(&on.sub)) {
            self.add(own, (on.class.catalog(), on.oid, on.sub), 'n')?;
        }
        match &g.constraint {
            Some(k) => self.add((PG_CONSTRAINT, k.oid, 0), own, 'i'),
            None => Ok(()),
        }
    }
    /// The rule of a view, or one of a change.
    fn rule(&mut self, oid: Oid, relation: Oid, depends: &[ObjectRef], kind: char) -> Result<()> {
        let own = (Class::Rule.catalog(), oid, 0);
        for on in depends {
            self.add(own, (on.class.catalog(), on.oid, on.sub), 'n')?;
        }
        self.add(own, (PG_CLASS, relation, 0), kind)
    }
    fn function(&mut self, f: &Function) -> Result<()> {
        let own = (PG_PROC, f.oid, 0);
        self.schema(own, f.schema)?;
        if f.language == "plpgsql" {
            self.add(own, (PG_LANGUAGE, PLPGSQL, 0), 'n')?;
        }
        let of = |ty: Type, row: Oid| if row != 0 && ty.oid == oid::RECORD { row_type(row) } else { ty.oid };
        let mut types = vec![of(f.ret, f.ret_row_of)];
        types.extend(f.params.iter().map(|p| of(p.ty, p.row_of)));
        types.sort_unstable();
        types.dedup();
        types.into_iter().try_for_each(|t| self.of_type(own, t))?;
        let of_aggregate = f.more.aggregate.iter().flat_map(|a| a.depends());
        for on in f.more.depends.iter().copied().chain(of_aggregate) {
            self.add(own, (on.class.catalog(), on.oid, on.sub), 'n')?;
        }
        Ok(())
    }
    fn operator(&mut self, o: &Operator) -> Result<()> {
        let own = (Class::Operator.catalog(), o.oid, 0);
        self.schema(own, o.schema)?;
        self.add(own, (PG_PROC, o.function, 0), 'n')?;
        [o.left, o.right, o.ret].into_iter().try_for_each(|t| self.of_type(own, t))
    }
    /// An extension and what it is made of.
    fn extension(&mut self, e: &Extension) -> Result<()> {
        let own = (PG_EXTENSION, e.oid, 0);
        self.schema(own, e.schema)?;
        for ty in available(&e.name).map_or(&[][..], |a| a.types) {
            self.schema((PG_TYPE, *ty, 0), e.schema)?;
            self.add((PG_TYPE, *ty, 0), own, 'e')?;
            self.array(*ty)?;
        }
        let m = func::extension::members(e);
        let functions = m.functions.values().flatten().map(|f| (PG_PROC, f.oid));
        let aggregates = m.aggregates.values().flatten().map(|a| (PG_PROC, a.oid));
        let operators = m.operators.values().flatten().map(|o| (Class::Operator.catalog(), o.oid));
        let classes = rows_of_extension(&e.name).flat_map(|c| [(PG_OPCLASS, c.0), (PG_OPFAMILY, c.0)]);
        let mut members: Vec<(Oid, Oid)> = functions.chain(aggregates).chain(operators).chain(classes).collect();
        members.sort_unstable();
        for (class, oid) in members {
            self.schema((class, oid, 0), e.schema)?;
            self.add((class, oid, 0), own, 'e')?;
        }
        for (oid, _) in super::functions::casts_of_extension(&e.name) {
            self.add((Class::Cast.catalog(), oid, 0), own, 'e')?;
        }
        Ok(())
    }
    fn cast(&mut self, x: &Cast) -> Result<()> {
        let own = (Class::Cast.catalog(), x.oid, 0);
        [x.from, x.to].into_iter().try_for_each(|t| self.of_type(own, t))?;
        match x.how {
            CastHow::Function(f) => self.add(own, (PG_PROC, f, 0), 'n'),
            _ => Ok(()),
        }
    }
}

pub(super) fn depend(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Out { rows: Rows::catalog("pg_depend", push) };
    for s in c.sequences(db) {
        out.schema((PG_CLASS, s.oid, 0), s.schema)?;
        if let Some((t, a)) = s.owned_by {
            out.add((PG_CLASS, s.oid, 0), (PG_CLASS, t, a), if s.identity { 'i' } else { 'a' })?;
        }
    }
    for t in c.tables_and_views(db) {
        let own = (PG_CLASS, t.oid, 0);
        out.schema(own, t.schema)?;
        out.add((PG_TYPE, row_type(t.oid), 0), own, 'i')?;
        out.array(row_type(t.oid))?;
        out.table(t)?;
        for k in &t.checks {
            out.text_search((PG_CONSTRAINT, k.oid, 0), &k.expr)?;
            let scope = NameScope::stored(db);
            let mut cx = BindCtx { catalog: &c, scope: &scope, params: Vec::new(), env: &mut *env, text: "" };
            let read = pamir_plan::bind::columns_of_stored(&k.expr.0, t, &mut cx);
            for a in readable(read, Vec::new)? {
                out.add((PG_CONSTRAINT, k.oid, 0), (PG_CLASS, t.oid, a), 'a')?;
            }
        }
        for i in t.indexes.iter().filter(|i| !i.constraint) {
            let exprs =
                i.columns.iter().filter_map(|c| if let IndexColumn::Expr(e, _) = &c.0 { Some(e) } else { None });
            let mut read: Vec<i16> = Vec::new();
            for e in exprs.chain(&i.predicate) {
                let scope = NameScope::stored(db);
                let mut cx = BindCtx { catalog: &c, scope: &scope, params: Vec::new(), env: &mut *env, text: "" };
                let of = pamir_plan::bind::columns_of_stored(&e.0, t, &mut cx);
                read.extend(readable(of, Vec::new)?);
            }
            let plain = |a: &i16| i.columns.iter().any(|(c, _)| matches!(c, IndexColumn::Attr(x) if x == a));
            read.sort_unstable();
            read.dedup();
            read.retain(|a| !plain(a));
            if read.is_empty() && !i.columns.iter().any(|(c, _)| matches!(c, IndexColumn::Attr(_))) {
                read.push(0);
            }
            for a in read {
                out.add((PG_CLASS, i.oid, 0), (PG_CLASS, t.oid, a), 'a')?;
            }
        }
        let Some(v) = &t.view else { continue };
        out.rule(v.rule, t.oid, &t.depends, 'i')?;
        out.rule(v.rule, t.oid, &[], 'n')?;
        out.text_search((Class::Rule.catalog(), v.rule, 0), &v.text)?;
    }
    for r in c.rules(db) {
        out.rule(r.oid, r.relation, &r.depends, 'a')?;
    }
    for p in c.policies(db) {
        let own = (Class::Policy.catalog(), p.oid, 0);
        out.add(own, (PG_CLASS, p.relation, 0), 'a')?;
        for on in &p.depends {
            out.add(own, (on.class.catalog(), on.oid, on.sub), 'n')?;
        }
    }
    for g in c.triggers(db) {
        out.trigger(g)?;
    }
    for t in c.user_types(db) {
        out.user_type(t)?;
    }
    for f in c.functions(db) {
        out.function(f)?;
    }
    for o in c.operators(db) {
        out.operator(o)?;
    }
    for x in c.casts(db) {
        out.cast(x)?;
    }
    for e in c.extensions(db) {
        out.extension(e)?;
    }
    for (what, on, how) in super::text_search::depends(&c, db) {
        out.add((what.0, what.1, 0), (on.0, on.1, 0), how)?;
    }
    for e in c.extended_of(db) {
        let own = (PG_STATISTIC_EXT, e.oid, 0);
        out.schema(own, e.schema)?;
        for a in &e.columns {
            out.add(own, (PG_CLASS, e.table, *a), 'a')?;
        }
        if e.columns.is_empty() {
            out.add(own, (PG_CLASS, e.table, 0), 'a')?;
        }
    }
    Ok(())
}
