//! Who depends on what: the web that DROP walks ([`super::fall`]).
//!
//! ```text
//!   an object  --edges-->  those that hang on it, each with how (normal, auto, internal, extension), and on which of its columns
//!              --owner-->  what it is a part of: a view's rule of the view, a key's index of the key, an array type of its element's
//! ```
//! Nothing is stored: lists that objects have ([`pamir_catalog::depend`]), types of columns and parameters, and texts say it. Who hangs on a table, a
//! function, an operator or a cast is looked up; who uses which type is found by one walk over the database, made when the first type is asked for.
//!
//! Parts that no catalog object of their own stands for are named so: a default is `(Default, table, attnum)`, a key's constraint `(Constraint, index)`, the
//! relation of a composite type `(Relation, its number)`. [`Web::home`] says whose a constraint, a view's rule and such a relation is.
//!
//! *Invariant*: an edge of a column is one of its relation, too; a part's owner has an edge to the part.
use super::eval::{bind_text, used_columns};
use super::named::Wanted;
use super::{DdlCtx, extended, extension, policy, routine, rule, text_search, trigger};
use pamir_catalog::depend::{Class, How, ObjectRef, defaults_on};
use pamir_catalog::extension::{Extension, available};
use pamir_catalog::system::types;
use pamir_catalog::text_search as ts;
use pamir_catalog::types::{Body, UserType, row_type, stored_types};
use pamir_catalog::{Index, IndexColumn, SqlText, Table};
use pamir_types::oid::{self, UserClass};
use pamir_types::text::type_named;
use pamir_types::{Oid, Result};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Something that hangs on an object, or on its column `sub`.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub who: ObjectRef,
    pub sub: i16,
    pub how: How,
}

#[derive(Default)]
pub struct Web {
    /// What a constraint, a view's rule or a composite type's relation is of.
    homes: HashMap<(Class, Oid), ObjectRef>,
    /// Who uses a type.
    types: Option<HashMap<Oid, Vec<ObjectRef>>>,
}

const WHOLE: fn(Class, Oid) -> ObjectRef = ObjectRef::new;

/// A text of a table's definition.
struct Said<'t> {
    who: ObjectRef,
    text: &'t SqlText,
    /// It is over the table's columns.
    over: bool,
}
fn said(t: &Table) -> Vec<Said<'_>> {
    let mut out = Vec::new();
    for c in t.live_columns() {
        let who = ObjectRef { class: Class::Default, oid: t.oid, sub: c.attnum };
        out.extend(c.default.iter().map(|text| Said { who, text, over: false }));
        out.extend(c.generated.iter().map(|text| Said { who, text, over: true }));
    }
    for k in &t.checks {
        out.push(Said { who: WHOLE(Class::Constraint, k.oid), text: &k.expr, over: true });
    }
    for i in &t.indexes {
        let who = match i.constraint {
            true => WHOLE(Class::Constraint, i.oid),
            false => ObjectRef::relation(i.oid),
        };
        let exprs = i.columns.iter().filter_map(|(c, _)| match c {
            IndexColumn::Expr(e, _) => Some(e),
            IndexColumn::Attr(_) => None,
        });
        out.extend(exprs.chain(&i.predicate).map(|text| Said { who, text, over: true }));
    }
    let own = ObjectRef::relation(t.oid);
    out.extend(pamir_catalog::partition::texts(t).map(|text| Said { who: own, text, over: true }));
    out
}

/// Has an index a column by an operator class of the extension?
fn has_class_of(t: &Table, i: &Index, extension: &str) -> bool {
    i.columns.iter().enumerate().any(|(n, (c, _))| {
        let ty = match c {
            IndexColumn::Attr(a) => t.column(*a).map_or(0, |c| c.ty.oid),
            IndexColumn::Expr(_, ty) => ty.oid,
        };
        let class = t.declared.class(i.oid, n).unwrap_or_else(|| types::operator_class(ty, i.method.name()));
        types::class(class).is_some_and(|c| c.extension == Some(extension))
    })
}

impl Web {
    /// What hangs on an object; with a column's number on that column.
    pub fn edges(&mut self, on: ObjectRef, cx: &mut DdlCtx) -> Result<Vec<Edge>> {
        let mut out = Vec::new();
        match on.class {
            Class::Relation => self.of_relation(on, cx, &mut out)?,
            Class::Type => self.of_type(on.oid, cx, &mut out),
            Class::Function | Class::Operator => self.of_routine(on, cx, &mut out)?,
            Class::Constraint => {
                if cx.catalog.index_table(on.oid).is_some() {
                    out.push(edge(ObjectRef::relation(on.oid), How::Internal));
                }
                self.listed(on, cx, &mut out);
            }
            Class::Schema => of_schema(on.oid, cx, &mut out),
            Class::Extension => {
                let all = cx.catalog.extensions(cx.database());
                let Some(e) = all.into_iter().find(|e| e.oid == on.oid).cloned() else { return Ok(out) };
                let types = available(&e.name).map_or(&[][..], |a| a.types);
                out.extend(types.iter().map(|t| edge(WHOLE(Class::Type, *t), How::Extension)));
                if e.name == "unaccent" {
                    out.push(edge(WHOLE(Class::TsDictionary, ts::UNACCENT_DICTIONARY), How::Extension));
                    out.push(edge(WHOLE(Class::TsTemplate, ts::UNACCENT), How::Extension));
                }
                self.of_members(&e, cx, &mut out);
            }
            Class::Cast | Class::Rule | Class::Default | Class::Trigger | Class::EventTrigger => {}
            Class::Statistics | Class::Policy => {}
            Class::TsConfig | Class::TsDictionary | Class::TsTemplate => self.of_text_search(on, cx, &mut out),
        }
        if on.sub != 0 {
            out.retain(|e| e.sub == on.sub);
        }
        Ok(out)
    }
    /// Whose texts have functions and operators of an extension.
    fn of_members(&mut self, e: &Extension, cx: &DdlCtx, out: &mut Vec<Edge>) {
        let members = extension::Members::new(e, cx);
        self.of_texts(&|t| members.are_in(t), cx, out);
        for t in cx.catalog.tables_and_views(e.database) {
            let of_class = t.indexes.iter().filter(|i| has_class_of(t, i, &e.name));
            out.extend(of_class.map(|i| edge(ObjectRef::relation(i.oid), How::Normal)));
        }
    }
    /// Whose texts are such.
    fn of_texts(&mut self, is: &dyn Fn(&SqlText) -> bool, cx: &DdlCtx, out: &mut Vec<Edge>) {
        let db = cx.database();
        for t in cx.catalog.tables_and_views(db) {
            let own = ObjectRef::relation(t.oid);
            for s in said(t).into_iter().filter(|s| is(s.text)) {
                let who = if s.who.class == Class::Constraint { self.at_home(s.who, own) } else { s.who };
                out.push(edge(who, How::Normal));
            }
            if let Some(v) = t.view.as_ref().filter(|v| is(&v.text)) {
                let rule = self.at_home(WHOLE(Class::Rule, v.rule), own);
                out.push(edge(rule, How::Normal));
            }
        }
        for r in cx.catalog.rules(db) {
            if r.cond.iter().chain(&r.actions).any(is) {
                out.push(edge(WHOLE(Class::Rule, r.oid), How::Normal));
            }
        }
        for p in cx.catalog.policies(db) {
            if p.texts().any(is) {
                out.push(edge(WHOLE(Class::Policy, p.oid), How::Normal));
            }
        }
        for g in cx.catalog.triggers(db) {
            if g.when.iter().any(is) {
                out.push(edge(WHOLE(Class::Trigger, g.oid), How::Normal));
            }
        }
    }
    /// Who has a configuration or a dictionary, or is of a template.
    fn of_text_search(&mut self, on: ObjectRef, cx: &DdlCtx, out: &mut Vec<Edge>) {
        out.extend(text_search::users_of(on, cx).into_iter().map(|who| edge(who, How::Normal)));
        self.listed(on, cx, out);
        let named = |t: &SqlText| text_search::is_named_in(on, &t.0);
        self.of_texts(&named, cx, out);
        for t in cx.catalog.user_types(cx.database()) {
            let Body::Domain(d) = &t.body else { continue };
            if d.default.as_ref().is_some_and(named) {
                out.push(edge(WHOLE(Class::Type, t.oid), How::Normal));
            }
            for k in d.checks.iter().filter(|k| named(&k.expr)) {
                let who = self.at_home(WHOLE(Class::Constraint, k.oid), WHOLE(Class::Type, t.oid));
                out.push(edge(who, How::Normal));
            }
        }
        for f in cx.catalog.functions(cx.database()) {
            if f.params.iter().filter_map(|p| p.default.as_ref()).any(named) {
                out.push(edge(WHOLE(Class::Function, f.oid), How::Normal));
            }
        }
    }
    /// Does a text have any of them?
    pub fn is_used(&mut self, e: &Extension, cx: &DdlCtx) -> bool {
        let mut out = Vec::new();
        self.of_members(e, cx, &mut out);
        !out.is_empty()
    }
    /// What an object is a part of.
    pub fn owner(&self, of: ObjectRef, cx: &DdlCtx) -> Option<ObjectRef> {
        let c = &cx.catalog;
        match of.class {
            Class::Rule if c.rule(of.oid).is_none() => self.home(of),
            Class::Default => {
                let generated = c.table(of.oid)?.column(of.sub)?.generated.is_some();
                generated.then_some(ObjectRef::column(of.oid, of.sub))
            }
            Class::Relation if of.sub == 0 => {
                if let Some(s) = c.sequence(of.oid) {
                    return s.owned_by.filter(|_| s.identity).map(|(t, a)| ObjectRef::column(t, a));
                }
                if let Some(t) = c.index_table(of.oid) {
                    return t.index(of.oid)?.constraint.then_some(WHOLE(Class::Constraint, of.oid));
                }
                self.home(of)
            }
            Class::Type => match oid::user_class(of.oid) {
                Some(UserClass::Row) => Some(ObjectRef::relation(oid::user_number(of.oid))),
                Some(UserClass::Multirange) => oid::range_of_multirange(of.oid).map(|r| WHOLE(Class::Type, r)),
                Some(_) => None,
                None => oid::element_of(of.oid).map(|e| WHOLE(Class::Type, e)),
            },
            _ => None,
        }
    }
    /// Whose a constraint, a view's rule or a composite type's relation is, that [`Web::edges`] has named.
    pub fn home(&self, of: ObjectRef) -> Option<ObjectRef> {
        self.homes.get(&(of.class, of.oid)).copied()
    }
    fn at_home(&mut self, what: ObjectRef, home: ObjectRef) -> ObjectRef {
        self.homes.insert((what.class, what.oid), home);
        what
    }
    /// The place of an object in PostgreSQL's order, the newest first.
    pub fn age(&self, o: ObjectRef) -> (Reverse<(Oid, u16)>, Oid, u16) {
        let number = |t: Oid| match oid::user_class(t) {
            // How old a range is its number does not say.
            Some(UserClass::Range) => (0, 3),
            Some(UserClass::Multirange) => (0, 2),
            Some(UserClass::Row) => (oid::user_number(t), 3),
            Some(_) => (oid::user_number(t), 1),
            None if oid::is_user(t) => match oid::user_class(t & !1) {
                Some(UserClass::Enum) => (oid::user_number(t & !1), 2),
                Some(UserClass::Row) => (oid::user_number(t & !1), 2),
                Some(UserClass::Range) => (0, 0),
                Some(UserClass::Multirange) => (0, 1),
                _ => (oid::user_number(t & !1), 0),
            },
            None => (t, 0),
        };
        let age = match o.class {
            Class::Type => number(o.oid),
            Class::Default => (o.oid, 16 + o.sub as u16),
            // A key's index is older than the key.
            Class::Constraint => (o.oid, 1),
            _ => (o.oid, 0),
        };
        (Reverse(age), o.class.catalog(), o.sub as u16)
    }

    /// Those whose lists name an object: views, rules, triggers, functions, operators, casts.
    fn listed(&mut self, on: ObjectRef, cx: &DdlCtx, out: &mut Vec<Edge>) {
        let subs = |list: &[ObjectRef]| -> Vec<i16> {
            list.iter().filter(|d| d.class == on.class && d.oid == on.oid).map(|d| d.sub).collect()
        };
        let mut add = |who: ObjectRef, list: &[ObjectRef]| {
            out.extend(subs(list).into_iter().map(|sub| Edge { who, sub, how: How::Normal }));
        };
        for v in cx.catalog.dependents(on.class, on.oid) {
            let Some(q) = &v.view else { continue };
            let rule = self.at_home(WHOLE(Class::Rule, q.rule), ObjectRef::relation(v.oid));
            add(rule, &v.depends);
        }
        for r in cx.catalog.rules(cx.database()) {
            add(WHOLE(Class::Rule, r.oid), &r.depends);
        }
        for p in cx.catalog.policies(cx.database()) {
            add(WHOLE(Class::Policy, p.oid), &p.depends);
        }
        for g in cx.catalog.triggers_on(on) {
            add(WHOLE(Class::Trigger, g.oid), &g.depends);
        }
        for o in cx.catalog.all_dependents(on.class, on.oid) {
            if let Some(f) = cx.catalog.function(o) {
                let of_aggregate = f.more.aggregate.as_ref().map(|a| a.depends()).unwrap_or_default();
                let all: Vec<ObjectRef> = f.more.depends.iter().copied().chain(of_aggregate).collect();
                add(WHOLE(Class::Function, o), &all);
            } else if on.class == Class::Relation {
                // By the type of its rows.
                continue;
            } else if let Some(x) = cx.catalog.operator(o) {
                add(WHOLE(Class::Operator, o), &x.depends());
            } else if let Some(x) = cx.catalog.cast_by_oid(o) {
                add(WHOLE(Class::Cast, o), &x.depends());
            }
        }
    }
    fn of_relation(&mut self, on: ObjectRef, cx: &mut DdlCtx, out: &mut Vec<Edge>) -> Result<()> {
        if let Some(s) = cx.catalog.sequence(on.oid).cloned() {
            for t in cx.catalog.tables_and_views(s.database) {
                for c in defaults_on(t, &s) {
                    let who = ObjectRef { class: Class::Default, oid: t.oid, sub: c.attnum };
                    out.push(edge(who, How::Normal));
                }
            }
            self.listed(on, cx, out);
            return Ok(());
        }
        if let Some(t) = cx.catalog.index_table(on.oid).cloned() {
            for (child, fk) in &t.referenced_by {
                let Some(c) = cx.catalog.table(*child) else { continue };
                if c.foreign_keys.iter().any(|f| f.oid == *fk && f.ref_index == on.oid) {
                    let who = self.at_home(WHOLE(Class::Constraint, *fk), ObjectRef::relation(*child));
                    out.push(edge(who, How::Normal));
                }
            }
            // The partitions' parts of it.
            for c in t.children().iter().filter_map(|c| cx.catalog.table(*c)) {
                let Some(i) = c.index_part(on.oid).and_then(|i| c.index(i)) else { continue };
                let who = match i.constraint {
                    true => self.at_home(WHOLE(Class::Constraint, i.oid), ObjectRef::relation(c.oid)),
                    false => ObjectRef::relation(i.oid),
                };
                out.push(edge(who, How::Auto));
            }
            return Ok(());
        }
        let Some(t) = cx.catalog.table(on.oid).cloned() else { return Ok(()) };
        let own = ObjectRef::relation(t.oid);
        out.push(edge(WHOLE(Class::Type, row_type(t.oid)), How::Internal));
        if let Some(v) = &t.view {
            let rule = self.at_home(WHOLE(Class::Rule, v.rule), own);
            out.push(edge(rule, How::Internal));
        }
        // Keys that refer to a partitioned table refer to its partitions.
        for p in cx.catalog.partition_ancestors(&t) {
            for (child, fk) in &p.referenced_by {
                out.push(edge(self.at_home(WHOLE(Class::Constraint, *fk), ObjectRef::relation(*child)), How::Normal));
            }
        }
        let how = if t.is_partitioned() { How::Auto } else { How::Normal };
        out.extend(t.children().iter().map(|c| edge(ObjectRef::relation(*c), how)));
        self.parts(&t, on, cx, out)?;
        for r in cx.catalog.rules_of(t.oid) {
            out.push(edge(WHOLE(Class::Rule, r.oid), How::Auto));
        }
        for p in cx.catalog.policies_of(t.oid) {
            out.push(edge(WHOLE(Class::Policy, p.oid), How::Auto));
        }
        for g in t.all_triggers() {
            let who = WHOLE(Class::Trigger, g.oid);
            out.push(edge(who, How::Auto));
            out.extend(g.columns.iter().map(|a| Edge { who, sub: *a, how: How::Normal }));
        }
        // Constraint triggers of other tables, FROM this one.
        for g in
            cx.catalog.triggers_on(own).into_iter().filter(|g| g.constraint.as_ref().is_some_and(|c| c.from == t.oid))
        {
            out.push(edge(WHOLE(Class::Trigger, g.oid), How::Auto));
        }
        for s in super::sequence::owned(cx, &t, None) {
            let (how, sub) = (if s.identity { How::Internal } else { How::Auto }, s.owned_by.map_or(0, |o| o.1));
            out.push(Edge { who: ObjectRef::relation(s.oid), sub, how });
        }
        self.listed(on, cx, out);
        Ok(())
    }
    /// What a table's own definition has of defaults, constraints, indexes, and the keys that refer to it.
    fn parts(&mut self, t: &Arc<Table>, on: ObjectRef, cx: &mut DdlCtx, out: &mut Vec<Edge>) -> Result<()> {
        let own = ObjectRef::relation(t.oid);
        for s in said(t) {
            let who = if s.who.class == Class::Constraint { self.at_home(s.who, own) } else { s.who };
            if s.who.class == Class::Default {
                let how = if s.over { How::Internal } else { How::Auto };
                out.push(Edge { who, sub: s.who.sub, how });
            } else {
                out.push(edge(who, How::Auto));
            }
            if on.sub != 0 && s.over {
                let how = if s.who.class == Class::Default { How::Normal } else { How::Auto };
                let used = used_columns(&bind_text(s.text, Some(t), None, cx)?);
                out.extend(used.into_iter().map(|sub| Edge { who, sub, how }));
            }
        }
        for i in &t.indexes {
            let who = match i.constraint {
                true => self.at_home(WHOLE(Class::Constraint, i.oid), own),
                false => ObjectRef::relation(i.oid),
            };
            let plain =
                i.columns.iter().filter_map(|(c, _)| if let IndexColumn::Attr(a) = c { Some(*a) } else { None });
            out.extend(plain.chain(i.include.iter().copied()).map(|sub| Edge { who, sub, how: How::Auto }));
        }
        for f in &t.foreign_keys {
            let who = self.at_home(WHOLE(Class::Constraint, f.oid), own);
            out.extend(f.columns.iter().map(|a| Edge { who, sub: *a, how: How::Auto }));
        }
        for (child, fk) in &t.referenced_by {
            let Some(c) = cx.catalog.table(*child).cloned() else { continue };
            let Some(f) = c.foreign_keys.iter().find(|f| f.oid == *fk) else { continue };
            let who = self.at_home(WHOLE(Class::Constraint, *fk), ObjectRef::relation(*child));
            out.extend(f.ref_columns.iter().map(|a| Edge { who, sub: *a, how: How::Normal }));
        }
        for e in extended::of_table(t.oid, cx) {
            let who = WHOLE(Class::Statistics, e.oid);
            out.push(edge(who, How::Auto));
            out.extend(e.columns.iter().map(|a| Edge { who, sub: *a, how: How::Auto }));
            for x in e.exprs.iter().filter(|_| on.sub != 0) {
                let used = used_columns(&bind_text(x, Some(t), None, cx)?);
                out.extend(used.into_iter().map(|sub| Edge { who, sub, how: How::Auto }));
            }
        }
        Ok(())
    }
    /// A function's, an operator's.
    fn of_routine(&mut self, on: ObjectRef, cx: &mut DdlCtx, out: &mut Vec<Edge>) -> Result<()> {
        self.listed(on, cx, out);
        let wanted = Wanted::of(on, cx);
        let db = cx.database();
        for t in cx.catalog.tables_and_views(db).into_iter().cloned().collect::<Vec<_>>() {
            for s in said(&t).into_iter().filter(|s| wanted.may_be_in(s.text)) {
                if wanted.found(s.text, s.over.then_some(&*t), cx)?.is_some() {
                    let who = match s.who.class {
                        Class::Constraint => self.at_home(s.who, ObjectRef::relation(t.oid)),
                        _ => s.who,
                    };
                    out.push(edge(who, How::Normal));
                }
            }
        }
        for t in cx.catalog.user_types(db).into_iter().cloned().collect::<Vec<_>>() {
            let Body::Domain(d) = &t.body else { continue };
            // A check is bound over its value; a name that fits is enough here.
            if d.default.as_ref().is_some_and(|e| wanted.may_be_in(e)) {
                out.push(edge(WHOLE(Class::Type, t.oid), How::Normal));
            }
            for k in d.checks.iter().filter(|k| wanted.may_be_in(&k.expr)) {
                let who = self.at_home(WHOLE(Class::Constraint, k.oid), WHOLE(Class::Type, t.oid));
                out.push(edge(who, How::Normal));
            }
        }
        if on.class == Class::Operator {
            return Ok(());
        }
        for g in cx.catalog.triggers_on(on).into_iter().filter(|g| g.function == on.oid) {
            out.push(edge(WHOLE(Class::Trigger, g.oid), How::Normal));
        }
        for g in cx.catalog.event_triggers(db).into_iter().filter(|g| g.function == on.oid) {
            out.push(edge(WHOLE(Class::EventTrigger, g.oid), How::Normal));
        }
        for f in cx.catalog.functions(db).into_iter().cloned().collect::<Vec<_>>() {
            for d in f.params.iter().filter_map(|p| p.default.as_ref()).filter(|_| f.oid != on.oid) {
                if wanted.found(d, None, cx)?.is_some() {
                    out.push(edge(WHOLE(Class::Function, f.oid), How::Normal));
                }
            }
        }
        Ok(())
    }
    fn of_type(&mut self, ty: Oid, cx: &DdlCtx, out: &mut Vec<Edge>) {
        let mut part = |t: Option<Oid>| out.extend(t.map(|t| edge(WHOLE(Class::Type, t), How::Internal)));
        part(oid::array_of(ty));
        if oid::user_class(ty) == Some(UserClass::Range) {
            part(oid::multirange_of(ty));
        }
        if let Some(t) = cx.catalog.user_type(ty) {
            let own = WHOLE(Class::Type, ty);
            match &t.body {
                Body::Composite(c) => {
                    let relation = self.at_home(ObjectRef::relation(c.relation), own);
                    out.push(edge(relation, How::Internal));
                }
                Body::Domain(d) => {
                    for k in &d.checks {
                        let who = self.at_home(WHOLE(Class::Constraint, k.oid), own);
                        out.push(edge(who, How::Auto));
                    }
                }
                Body::Enum(_) | Body::Range(_) | Body::Multirange => {}
            }
        }
        if self.types.is_none() {
            self.types = Some(self.users_of_types(cx));
        }
        let users = self.types.as_ref().and_then(|t| t.get(&ty));
        out.extend(users.into_iter().flatten().map(|who| edge(*who, How::Normal)));
    }
    /// Who uses which type of users, of relations' rows, of extensions.
    fn users_of_types(&mut self, cx: &DdlCtx) -> HashMap<Oid, Vec<ObjectRef>> {
        let mut all: HashMap<Oid, Vec<ObjectRef>> = HashMap::new();
        let mut add = |ty: Oid, who: ObjectRef| {
            if oid::is_user(ty) || oid::is_of_extension(ty) {
                let list = all.entry(ty).or_default();
                if list.last() != Some(&who) {
                    list.push(who);
                }
            }
        };
        let db = cx.database();
        for t in cx.catalog.tables_and_views(db) {
            if let Some(ty) = t.of_type() {
                add(ty, ObjectRef::relation(t.oid));
            }
            for c in t.live_columns() {
                add(t.declared_type(c).oid, ObjectRef::column(t.oid, c.attnum));
            }
            for s in said(t) {
                let who = match s.who.class {
                    Class::Constraint => self.at_home(s.who, ObjectRef::relation(t.oid)),
                    _ => s.who,
                };
                stored_types(&s.text.0).for_each(|ty| add(ty, who));
            }
            if let Some(v) = &t.view {
                let rule = self.at_home(WHOLE(Class::Rule, v.rule), ObjectRef::relation(t.oid));
                stored_types(&v.text.0).for_each(|ty| add(ty, rule));
            }
        }
        for r in cx.catalog.rules(db) {
            let texts = r.cond.iter().chain(&r.actions);
            texts.flat_map(|t| stored_types(&t.0)).for_each(|ty| add(ty, WHOLE(Class::Rule, r.oid)));
        }
        for p in cx.catalog.policies(db) {
            let types = p.texts().flat_map(|t| stored_types(&t.0));
            types.for_each(|ty| add(ty, WHOLE(Class::Policy, p.oid)));
        }
        for g in cx.catalog.triggers(db) {
            let types = g.when.iter().flat_map(|t| stored_types(&t.0));
            types.for_each(|ty| add(ty, WHOLE(Class::Trigger, g.oid)));
        }
        for t in cx.catalog.user_types(db) {
            let own = WHOLE(Class::Type, t.oid);
            match &t.body {
                Body::Domain(d) => {
                    add(d.base.oid, own);
                    d.default.iter().flat_map(|e| stored_types(&e.0)).for_each(|ty| add(ty, own));
                    for k in &d.checks {
                        let who = self.at_home(WHOLE(Class::Constraint, k.oid), own);
                        stored_types(&k.expr.0).filter(|ty| *ty != t.oid).for_each(|ty| add(ty, who));
                    }
                }
                Body::Composite(c) => {
                    self.at_home(ObjectRef::relation(c.relation), own);
                    c.fields.iter().for_each(|f| add(f.ty.oid, ObjectRef::column(c.relation, f.attnum)));
                }
                Body::Enum(_) | Body::Range(_) | Body::Multirange => {}
            }
        }
        for f in cx.catalog.functions(db) {
            let own = WHOLE(Class::Function, f.oid);
            let row = |ty: Oid, of: Oid| if of != 0 && ty == oid::RECORD { row_type(of) } else { ty };
            add(row(f.ret.oid, f.ret_row_of), own);
            for p in &f.params {
                add(row(p.ty.oid, p.row_of), own);
                p.default.iter().flat_map(|d| stored_types(&d.0)).for_each(|ty| add(ty, own));
            }
        }
        for o in cx.catalog.operators(db) {
            [o.left, o.right, o.ret].into_iter().for_each(|ty| add(ty, WHOLE(Class::Operator, o.oid)));
        }
        for c in cx.catalog.casts(db) {
            [c.from, c.to].into_iter().for_each(|ty| add(ty, WHOLE(Class::Cast, c.oid)));
        }
        all
    }

    /// An object as messages call it.
    pub fn described(&self, o: ObjectRef, cx: &DdlCtx) -> String {
        let c = &cx.catalog;
        match o.class {
            Class::Relation => {
                let whole = match self.home(ObjectRef::relation(o.oid)) {
                    Some(t) if t.class == Class::Type => format!("composite type {}", type_named(t.oid)),
                    _ => relation(o.oid, cx),
                };
                let field = || {
                    let home = self.home(ObjectRef::relation(o.oid))?;
                    let all = c.composite_of(home.oid)?;
                    all.fields.iter().find(|f| f.attnum == o.sub).map(|f| f.name.clone())
                };
                let column = match c.table(o.oid) {
                    Some(t) => t.column(o.sub).map(|c| c.name.clone()),
                    None if o.sub != 0 => field(),
                    None => None,
                };
                column.map_or(whole.clone(), |c| format!("column {c} of {whole}"))
            }
            Class::Type => format!("type {}", type_named(o.oid)),
            Class::Default => {
                let t = c.table(o.oid);
                let column = t.and_then(|t| t.column(o.sub)).map_or("", |c| c.name.as_str());
                format!("default value for column {column} of {}", relation(o.oid, cx))
            }
            Class::Constraint => self.constraint(o, cx),
            Class::Function => routine::shown(o.oid, cx),
            Class::Operator | Class::Cast => super::dependents::shown(o, cx),
            Class::Schema => c.schema(o.oid).map_or_else(String::new, |s| format!("schema {}", s.name)),
            Class::Rule => match c.rule(o.oid) {
                Some(r) => rule::shown(r, cx),
                None => {
                    let of = self.home(o).map_or(0, |h| h.oid);
                    format!("rule _RETURN on {}", relation(of, cx))
                }
            },
            Class::Trigger => c.trigger(o.oid).map_or_else(String::new, |g| trigger::described(g, cx)),
            Class::Policy => c.policy(o.oid).map_or_else(String::new, |p| policy::shown(p, cx)),
            Class::EventTrigger => {
                c.event_trigger(o.oid).map_or_else(String::new, |g| format!("event trigger {}", g.name))
            }
            Class::Extension => {
                let all = c.extensions(cx.database());
                all.iter().find(|e| e.oid == o.oid).map_or_else(String::new, |e| format!("extension {}", e.name))
            }
            Class::TsConfig | Class::TsDictionary | Class::TsTemplate => text_search::described(o, cx),
            Class::Statistics => {
                let e = c.extended_of(cx.database()).into_iter().find(|e| e.oid == o.oid);
                e.map_or_else(String::new, |e| format!("statistics object {}", e.name))
            }
        }
    }
    fn constraint(&self, o: ObjectRef, cx: &DdlCtx) -> String {
        let c = &cx.catalog;
        let home = self.home(o).or_else(|| c.index_table(o.oid).map(|t| ObjectRef::relation(t.oid)));
        let Some(home) = home else { return String::new() };
        if home.class == Class::Type {
            let name = c.user_type(home.oid).and_then(|t| match &t.body {
                Body::Domain(d) => d.checks.iter().find(|k| k.oid == o.oid).map(|k| k.name.clone()),
                _ => None,
            });
            return format!("constraint {}", name.unwrap_or_default());
        }
        let Some(t) = c.table(home.oid) else { return String::new() };
        let of_key = || t.foreign_keys.iter().find(|f| f.oid == o.oid).map(|f| f.name.as_str());
        let of_check = || t.checks.iter().find(|k| k.oid == o.oid).map(|k| k.name.as_str());
        let name = t.index(o.oid).map(|i| i.name.as_str()).or_else(of_key).or_else(of_check).unwrap_or_default();
        format!("constraint {name} on {}", relation(t.oid, cx))
    }
}
fn edge(who: ObjectRef, how: How) -> Edge {
    Edge { who, sub: 0, how }
}
/// `table t`, `index i`
fn relation(oid: Oid, cx: &DdlCtx) -> String {
    let c = &cx.catalog;
    let word = match c.table(oid) {
        Some(t) => t.word(),
        None if c.sequence(oid).is_some() => "sequence",
        None => "index",
    };
    format!("{word} {}", cx.shown(oid))
}
fn of_schema(schema: Oid, cx: &DdlCtx, out: &mut Vec<Edge>) {
    let (c, db) = (&cx.catalog, cx.database());
    let mut add = |class, oid| out.push(edge(WHOLE(class, oid), How::Normal));
    c.tables_and_views(db).iter().filter(|t| t.schema == schema).for_each(|t| add(Class::Relation, t.oid));
    c.sequences(db).iter().filter(|s| s.schema == schema).for_each(|s| add(Class::Relation, s.oid));
    let types = c.user_types(db);
    // A multirange is its range's.
    let own = |t: &&&Arc<UserType>| t.schema == schema && !matches!(t.body, Body::Multirange);
    types.iter().filter(own).for_each(|t| add(Class::Type, t.oid));
    c.functions(db).iter().filter(|f| f.schema == schema).for_each(|f| add(Class::Function, f.oid));
    c.operators(db).iter().filter(|o| o.schema == schema).for_each(|o| add(Class::Operator, o.oid));
    c.extended_of(db).iter().filter(|e| e.schema == schema).for_each(|e| add(Class::Statistics, e.oid));
    c.extensions(db).iter().filter(|e| e.schema == schema).for_each(|e| add(Class::Extension, e.oid));
    c.ts_configs(db).iter().filter(|x| x.schema == schema).for_each(|x| add(Class::TsConfig, x.oid));
    c.ts_dictionaries(db).iter().filter(|d| d.schema == schema).for_each(|d| add(Class::TsDictionary, d.oid));
}
