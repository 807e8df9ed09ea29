//! What goes when something is dropped: who is in the way, what CASCADE tells, and in which order all of it goes.
//!
//! ```text
//!   roots --edges of the web, depth first, the newest first--> targets: each behind all that hangs on it
//!   a part (a view's rule, a generated column's expression) that something else would take   ->   its owner goes, for the same reason
//!   told: the targets from the last to the first, without the roots and without what goes along by itself
//! ```
//! It is PostgreSQL's way through its pg_depend (dependency.c), so that the same objects are told in the same order, each with the object through which it was
//! found first. The walk keeps its own stack: a chain of views may be long.
//!
//! *Invariants*: each object is locked before its edges are read; a target stands behind all targets that hang on it; nothing is removed before all are known.
use super::web::Web;
use super::{DdlCtx, alter, column, policy, reshape, rule, trigger, types};
use pamir_catalog::depend::{Class, How, ObjectRef};
use pamir_catalog::types::Body;
use pamir_catalog::{Kind, Object};
use pamir_txn::{RowLock, TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::work::{breathe, charge};
use pamir_types::{Oid, Result, err};
use std::collections::{HashMap, HashSet};

/// Most notices and detail lines that one DROP spells out (PostgreSQL's MAX_REPORTED_DEPS).
const MAX_REPORTED: usize = 100;

/// Why an object is a target: bits.
const ROOT: u8 = 1;
const NORMAL: u8 = 2;
/// Auto, internal, of an extension: it goes without a word.
const ALONG: u8 = 4;
/// By way of its part.
const OWNER: u8 = 8;
/// The whole goes, too.
const WITHIN: u8 = 16;

struct Target {
    what: ObjectRef,
    why: u8,
    /// Through which it was found.
    on: Option<ObjectRef>,
}
enum Step {
    Visit(ObjectRef, u8),
    /// All that hangs on the newest open object has been seen.
    Close,
    /// Its owner has been seen: it has this reason of its own.
    Reason(ObjectRef, u8),
}
#[derive(Default)]
struct Fall {
    web: Web,
    targets: Vec<Target>,
    /// Where a whole object, or columns of it, are among them.
    at: HashMap<(Class, Oid), Vec<usize>>,
    open: Vec<(ObjectRef, u8)>,
}

/// Drops objects, which are locked, with what hangs on them. `quiet`: nothing is told and nothing is in the way.
pub fn drop(roots: &[ObjectRef], cascade: bool, quiet: bool, cx: &mut DdlCtx) -> Result<()> {
    if roots.is_empty() {
        return Ok(());
    }
    let mut f = Fall::default();
    for r in roots {
        f.walk(*r, cx)?;
    }
    if !quiet {
        f.tell(roots, cascade, cx)?;
    }
    f.remove(cx)
}

impl Fall {
    fn walk(&mut self, root: ObjectRef, cx: &mut DdlCtx) -> Result<()> {
        let mut steps = vec![Step::Visit(root, ROOT)];
        while let Some(s) = steps.pop() {
            // What is open is looked through.
            charge(64 + self.open.len())?;
            match s {
                Step::Visit(o, why) => self.visit(o, why, &mut steps, cx)?,
                Step::Close => {
                    let Some((what, why)) = self.open.pop() else { continue };
                    let on = self.open.last().map(|o| o.0);
                    self.at.entry((what.class, what.oid)).or_default().push(self.targets.len());
                    self.targets.push(Target { what, why, on });
                }
                Step::Reason(o, why) => {
                    self.is_target(o, why);
                }
            }
        }
        Ok(())
    }
    fn visit(&mut self, o: ObjectRef, why: u8, steps: &mut Vec<Step>, cx: &mut DdlCtx) -> Result<()> {
        if self.is_open(o, why) || self.is_target(o, why) {
            return Ok(());
        }
        if !self.open.is_empty()
            && let Some(owner) = self.web.owner(o, cx)
            && !self.is_open(owner, 0)
        {
            steps.push(Step::Reason(o, why));
            steps.push(Step::Visit(owner, OWNER));
            return Ok(());
        }
        if !self.lock(o, cx)? {
            return Ok(());
        }
        let mut edges = self.web.edges(o, cx)?;
        edges.sort_by_key(|e| self.web.age(e.who));
        self.open.push((o, why));
        steps.push(Step::Close);
        for e in edges.iter().rev().filter(|e| e.who != o) {
            let why = if e.how == How::Normal { NORMAL } else { ALONG };
            steps.push(Step::Visit(e.who, why));
        }
        Ok(())
    }
    /// Is it, or the whole that it is a column of, on the way?
    fn is_open(&mut self, o: ObjectRef, why: u8) -> bool {
        let mut found = false;
        for (x, w) in &mut self.open {
            if *x == o {
                *w |= why;
                found = true;
            }
            found |= x.class == o.class && x.oid == o.oid && x.sub == 0;
        }
        found
    }
    /// Is it, or its whole, a target?
    fn is_target(&mut self, o: ObjectRef, why: u8) -> bool {
        let mut found = false;
        for i in self.at.get(&(o.class, o.oid)).into_iter().flatten() {
            let t = &mut self.targets[*i];
            if t.what.sub == o.sub {
                t.why |= why;
                found = true;
            } else if t.what.sub == 0 {
                found = true;
            } else if o.sub == 0 {
                t.why |= WITHIN;
            }
        }
        found
    }
    fn goes(&self, o: ObjectRef) -> bool {
        let all = self.at.get(&(o.class, o.oid));
        all.into_iter().flatten().any(|i| matches!(self.targets[*i].what.sub, s if s == o.sub || s == 0))
    }
    /// Locks what an object is or is of; false: it is gone.
    fn lock(&mut self, o: ObjectRef, cx: &mut DdlCtx) -> Result<bool> {
        let kind = match o.class {
            Class::Function => Kind::Function,
            Class::Operator => Kind::Operator,
            Class::Cast => Kind::Cast,
            Class::EventTrigger => Kind::EventTrigger,
            Class::Extension => Kind::Extension,
            Class::Type if cx.catalog.user_type(o.oid).is_some() => Kind::Type,
            Class::TsConfig => Kind::TsConfig,
            Class::TsDictionary if cx.catalog.ts_dictionary(o.oid).is_some() => Kind::TsDictionary,
            Class::Type | Class::Statistics | Class::TsDictionary | Class::TsTemplate => return Ok(true),
            Class::Schema => return cx.lock_schema(o.oid, RowLock::Update).map(|_| true),
            Class::Relation | Class::Default | Class::Constraint | Class::Rule | Class::Trigger | Class::Policy => {
                return self.lock_relation(o, cx);
            }
        };
        Ok(cx.lock_object(kind, o.oid, RowLock::Update)?.is_some())
    }
    fn lock_relation(&mut self, o: ObjectRef, cx: &mut DdlCtx) -> Result<bool> {
        if o.class == Class::Relation && cx.catalog.sequence(o.oid).is_some() {
            return cx.lock_sequence(o.oid).map(|_| true);
        }
        let table = match o.class {
            Class::Relation | Class::Default if cx.catalog.table(o.oid).is_some() => Some(o.oid),
            Class::Rule => cx.catalog.rule(o.oid).map(|r| r.relation),
            Class::Policy => cx.catalog.policy(o.oid).map(|p| p.relation),
            Class::Trigger => cx.catalog.trigger(o.oid).map(|g| g.table),
            _ => cx.catalog.index_table(o.oid).map(|t| t.oid),
        };
        let home = || self.web.home(o).filter(|h| h.class == Class::Relation).map(|h| h.oid);
        match table.or_else(home) {
            Some(t) => Ok(cx.lock_table_if_exists(t, TableLock::AccessExclusive)?.is_some()),
            None => Ok(true),
        }
    }

    /// RESTRICT: 2BP01 with who is in the way. CASCADE: one notice.
    fn tell(&self, roots: &[ObjectRef], cascade: bool, cx: &mut DdlCtx) -> Result<()> {
        let (mut lines, mut more) = (Vec::new(), 0);
        for t in self.targets.iter().rev().filter(|t| t.why & (ROOT | ALONG | WITHIN) == 0) {
            if lines.len() == MAX_REPORTED {
                more += 1;
                continue;
            }
            let what = self.web.described(t.what, cx);
            lines.push(match t.on {
                _ if cascade => format!("drop cascades to {what}"),
                on => format!("{what} depends on {}", on.map_or_else(String::new, |o| self.web.described(o, cx))),
            });
        }
        let count = lines.len() + more;
        if count == 0 {
            return Ok(());
        }
        if more > 0 {
            let s = if more == 1 { "" } else { "s" };
            lines.push(format!("and {more} other object{s} (see server log for list)"));
        }
        if !cascade {
            let (what, them) = match roots {
                [one] => (self.web.described(*one, cx), "it"),
                _ => ("desired object(s)".to_string(), "them"),
            };
            return Err(err!(
                DEPENDENT_OBJECTS_STILL_EXIST,
                "cannot drop {what} because other objects depend on {them}"
            )
            .detail(lines.join("\n"))
            .hint("Use DROP ... CASCADE to drop the dependent objects too."));
        }
        let detail = lines.join("\n");
        if count == 1 {
            cx.notice(state::SUCCESSFUL_COMPLETION, detail);
            return Ok(());
        }
        let text = format!("drop cascades to {count} other objects");
        cx.env.notice(super::cx::notice(state::SUCCESSFUL_COMPLETION, text).detail(detail));
        Ok(())
    }

    fn remove(&self, cx: &mut DdlCtx) -> Result<()> {
        let mut done = HashSet::new();
        for t in &self.targets {
            breathe()?;
            if done.insert(t.what) {
                self.remove_one(t.what, cx)?;
            }
        }
        Ok(())
    }
    fn remove_one(&self, o: ObjectRef, cx: &mut DdlCtx) -> Result<()> {
        let home_goes = self.web.home(o).is_some_and(|h| self.goes(h));
        match o.class {
            Class::Relation if o.sub != 0 => self.remove_column(o, cx),
            Class::Relation => self.remove_relation(o.oid, cx),
            Class::Default => {
                if self.goes(ObjectRef::column(o.oid, o.sub)) {
                    return Ok(());
                }
                let mut t = (*cx.lock_table(o.oid, TableLock::AccessExclusive)?).clone();
                if let Some(c) = column::column_mut(&mut t, o.sub) {
                    c.default = None;
                }
                cx.put_table(t).map(|_| ())
            }
            Class::Constraint if home_goes => Ok(()),
            Class::Constraint => self.remove_constraint(o, cx),
            Class::Type => match cx.catalog.user_type(o.oid) {
                Some(_) => cx.remove(Kind::Type, o.oid),
                // Arrays and types of rows are no objects of their own.
                None => Ok(()),
            },
            Class::Function => cx.remove(Kind::Function, o.oid),
            Class::Operator => cx.remove(Kind::Operator, o.oid),
            Class::Cast => cx.remove(Kind::Cast, o.oid),
            Class::EventTrigger => cx.remove(Kind::EventTrigger, o.oid),
            Class::Extension => cx.remove(Kind::Extension, o.oid),
            Class::Statistics => cx.remove(Kind::Extended, o.oid),
            Class::TsConfig => cx.remove(Kind::TsConfig, o.oid),
            Class::TsDictionary => cx.remove(Kind::TsDictionary, o.oid),
            // Its extension has it.
            Class::TsTemplate => Ok(()),
            Class::Schema => {
                let all = cx.catalog.default_acls();
                let defaults: Vec<Oid> = all.into_iter().filter(|d| d.schema == o.oid).map(|d| d.oid).collect();
                defaults.into_iter().try_for_each(|d| cx.remove(Kind::DefaultAcl, d))?;
                cx.remove(Kind::Schema, o.oid)
            }
            Class::Rule => match cx.catalog.rule(o.oid).cloned() {
                Some(r) if !self.goes(ObjectRef::relation(r.relation)) => rule::remove(&r, cx),
                _ => Ok(()),
            },
            Class::Policy => match cx.catalog.policy(o.oid).cloned() {
                Some(p) if !self.goes(ObjectRef::relation(p.relation)) => policy::remove(&p, cx),
                _ => Ok(()),
            },
            Class::Trigger => match cx.catalog.trigger(o.oid).cloned() {
                Some(g) if !self.goes(ObjectRef::relation(g.table)) => trigger::remove(&[g], cx),
                _ => Ok(()),
            },
        }
    }
    fn remove_relation(&self, oid: Oid, cx: &mut DdlCtx) -> Result<()> {
        if let Some(t) = cx.catalog.table(oid).cloned() {
            return super::remove::drop_table(&t, cx);
        }
        if let Some(s) = cx.catalog.sequence(oid).cloned() {
            super::remove::forget_owner(&s, cx)?;
            return cx.remove(Kind::Sequence, oid);
        }
        let Some(t) = cx.catalog.index_table(oid).cloned() else { return Ok(()) };
        let key = t.index(oid).is_some_and(|i| i.constraint);
        if key || self.goes(ObjectRef::relation(t.oid)) {
            return Ok(());
        }
        // One that nobody reads any more, and whose tree goes later: no reader and no writer is waited for.
        let tree = t.index(oid).map(|i| i.tree);
        let later = tree.is_some_and(|i| t.declared.online.as_ref().is_some_and(|o| o.freeing.contains(&i)));
        let lock = if later { TableLock::ShareUpdateExclusive } else { TableLock::AccessExclusive };
        let mut t = (*cx.lock_table(t.oid, lock)?).clone();
        if !later && let Some(i) = t.index(oid) {
            cx.txn.drop_tree(TreeId(i.tree))?;
        }
        t.indexes.retain(|i| i.oid != oid);
        cx.put_table(t).map(|_| ())
    }
    fn remove_column(&self, o: ObjectRef, cx: &mut DdlCtx) -> Result<()> {
        if self.goes(ObjectRef::relation(o.oid)) {
            return Ok(());
        }
        if cx.catalog.table(o.oid).is_some() {
            cx.lock_table(o.oid, TableLock::AccessExclusive)?;
            return alter::take_column(o.oid, o.sub, cx);
        }
        let Some(ty) = self.web.home(ObjectRef::relation(o.oid)).map(|h| h.oid) else { return Ok(()) };
        let Some(Object::Type(t)) = cx.lock_object(Kind::Type, ty, RowLock::Update)? else { return Ok(()) };
        let (before, mut t) = (cx.catalog.clone(), (*t).clone());
        let Body::Composite(c) = &mut t.body else { return Ok(()) };
        let old = c.clone();
        c.fields.retain(|f| f.attnum != o.sub);
        let new = c.clone();
        types::put(t, cx)?;
        reshape::reshape(ty, &old, &new, &before, cx)
    }
    fn remove_constraint(&self, o: ObjectRef, cx: &mut DdlCtx) -> Result<()> {
        let home = self.web.home(o).or_else(|| cx.catalog.index_table(o.oid).map(|t| ObjectRef::relation(t.oid)));
        let Some(home) = home else { return Ok(()) };
        if home.class == Class::Type {
            let Some(t) = cx.catalog.user_type(home.oid).cloned() else { return Ok(()) };
            let mut t = (*t).clone();
            if let Body::Domain(d) = &mut t.body {
                d.checks.retain(|k| k.oid != o.oid);
            }
            return types::put(t, cx);
        }
        alter::take_constraint(home.oid, o.oid, cx)
    }
}
