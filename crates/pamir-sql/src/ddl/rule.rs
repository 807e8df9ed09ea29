//! CREATE, ALTER and DROP RULE: rules that stand for changes of a relation's rows ([`pamir_catalog::rule`]).
//!
//! An action is kept as a text that the printer made of its bound form, as a view's query is; a text that does not mean what was bound is refused.
//!
//! A condition is kept as a trigger's is.
//!
//! Limits (0A000): ON SELECT, subqueries in conditions, SELECT and NOTIFY as actions.
use super::{DdlCtx, policy, view};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::rule::{Event, Rule};
use pamir_catalog::{Kind, NameScope, Object, Relation, SqlText, Table};
use pamir_expr::deparse::{Layout, Naming, change_text, deparse_when};
use pamir_expr::query::Change;
use pamir_parse::tree::{CreateRule, FireMode, RuleEvent, Statement};
use pamir_plan::bind::BindCtx;
use pamir_plan::bind::dml::ruled;
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

const TAG: &str = "CREATE RULE";
/// A view's own rule.
const VIEWS_OWN: &str = "_RETURN";

pub fn create(c: &CreateRule, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = relation(&c.table.parts, c.table.at, "cannot have rules", cx)?;
    let event = match c.event {
        RuleEvent::Insert => Event::Insert,
        RuleEvent::Update => Event::Update,
        RuleEvent::Delete => Event::Delete,
        RuleEvent::Select => return Err(Error::unsupported("CREATE RULE ON SELECT")),
    };
    let (mut actions, mut depends) = (Vec::new(), Vec::new());
    let cond = match &c.filter {
        Some(e) => {
            let (text, names) = super::trigger::rule_condition(e, &t, event, cx)?;
            depends.extend(names);
            Some(text)
        }
        None => None,
    };
    let mut gives = false;
    for a in &c.actions {
        match a {
            Statement::Notify { .. } => return Err(Error::unsupported("NOTIFY as a rule's action")),
            Statement::Select(_) => return Err(Error::unsupported("SELECT as a rule's action")),
            a => {
                let form = bind(a, &t, event, cx)?;
                if form.modify.returning.is_some() {
                    may_give(&mut gives, c.instead, cond.is_some())?;
                }
                returning(&form, &t)?;
                actions.push(text_of(&form, &t, event, cx)?);
                depends.extend(form.record.depends.iter().cloned());
            }
        }
    }
    depends.sort();
    depends.dedup();
    let old = cx.catalog.rules_of(t.oid).into_iter().find(|r| r.name == c.name).cloned();
    if old.is_some() && !c.replace {
        bail!(DUPLICATE_OBJECT, "rule \"{}\" for relation \"{}\" already exists", c.name, t.name);
    }
    let (oid, enabled, comment) = match old {
        Some(o) => (o.oid, o.enabled, o.comment.clone()),
        None => (cx.new_oid_in(t.schema)?, b'O', None),
    };
    let (name, instead) = (c.name.clone(), c.instead);
    let rule = Rule {
        oid,
        database: t.database,
        name,
        relation: t.oid,
        event,
        instead,
        enabled,
        cond,
        actions,
        comment,
        depends,
    };
    cx.put(Object::Rule(Arc::new(rule)))?;
    // Plans of statements on it are made anew.
    cx.put_table((*t).clone())?;
    Ok(TAG)
}
/// The table or view that has rules, owned and locked.
fn relation(name: &[String], at: pamir_parse::tree::At, what: &str, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let (schema, n) = cx.split(name)?;
    let found = cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n);
    match found.map_err(|e| cx.place(e, at))? {
        Relation::Table(t) if t.view.as_ref().is_none_or(|v| !v.materialized) => {
            cx.check_owner(t.owner, t.word(), &t.name)?;
            cx.lock_table(t.oid, TableLock::AccessExclusive)
        }
        Relation::Virtual(_) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{n}\" is a system catalog"),
        Relation::Table(_) => bail!(FEATURE_NOT_SUPPORTED, "rules on materialized views are not supported"),
        r => {
            let kinds = match &r {
                Relation::Sequence(_) => "sequences",
                _ => "indexes",
            };
            Err(err!(WRONG_OBJECT_TYPE, "relation \"{n}\" {what}")
                .detail(format!("This operation is not supported for {kinds}.")))
        }
    }
}
fn bind(stmt: &Statement, t: &Arc<Table>, event: Event, cx: &mut DdlCtx) -> Result<Change> {
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: cx.text };
    ruled::recorded(stmt, t, event, &mut b)
}
fn bind_text(text: &SqlText, t: &Arc<Table>, event: Event, cx: &mut DdlCtx) -> Result<Change> {
    let stmt = ruled::action(text)?;
    let (catalog, scope) = (cx.catalog.clone(), NameScope::stored(cx.database()));
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: "" };
    ruled::recorded(&stmt, t, event, &mut b)
}
fn print(form: &Change, cx: &DdlCtx) -> Result<String> {
    Ok(cx.regclass_to_oid(change_text(form, Naming::Full(cx.catalog), Layout::default())?))
}
fn text_of(form: &Change, t: &Arc<Table>, event: Event, cx: &mut DdlCtx) -> Result<SqlText> {
    let text = SqlText(print(form, cx)?);
    let lost = || Error::unsupported("this statement as a rule's action");
    let again = bind_text(&text, t, event, cx).map_err(|e| lost().detail(format!("{}: {}", e.message(), text.0)))?;
    if print(&again, cx)? != text.0 || again.record.depends != form.record.depends {
        return Err(lost().detail(format!("Its text would be\n{}", text.0)));
    }
    Ok(text)
}
/// One action of an unconditional INSTEAD rule may have RETURNING.
fn may_give(gives: &mut bool, instead: bool, conditional: bool) -> Result<()> {
    if std::mem::replace(gives, true) {
        bail!(FEATURE_NOT_SUPPORTED, "cannot have multiple RETURNING lists in a rule");
    }
    if conditional {
        bail!(FEATURE_NOT_SUPPORTED, "RETURNING lists are not supported in conditional rules");
    }
    if !instead {
        bail!(FEATURE_NOT_SUPPORTED, "RETURNING lists are not supported in non-INSTEAD rules");
    }
    Ok(())
}
/// RETURNING gives a row of the relation.
fn returning(form: &Change, t: &Table) -> Result<()> {
    let Some(list) = &form.modify.returning else { return Ok(()) };
    let columns: Vec<_> = t.live_columns().collect();
    for (i, (e, _)) in list.iter().enumerate() {
        let Some(c) = columns.get(i) else {
            bail!(INVALID_OBJECT_DEFINITION, "RETURNING list has too many entries");
        };
        let shown = pamir_types::text::type_display;
        if e.ty().oid != c.ty.oid {
            return Err(err!(
                INVALID_OBJECT_DEFINITION,
                "RETURNING list's entry {} has different type from column \"{}\"",
                i + 1,
                c.name
            )
            .detail(format!(
                "RETURNING list entry has type {}, but column has type {}.",
                shown(e.ty().base()),
                shown(c.ty.base())
            )));
        }
        if e.ty().typmod != c.ty.typmod && e.ty().typmod != -1 {
            return Err(err!(
                INVALID_OBJECT_DEFINITION,
                "RETURNING list's entry {} has different size from column \"{}\"",
                i + 1,
                c.name
            )
            .detail(format!(
                "RETURNING list entry has type {}, but column has type {}.",
                shown(e.ty()),
                shown(c.ty)
            )));
        }
    }
    if list.len() < columns.len() {
        bail!(INVALID_OBJECT_DEFINITION, "RETURNING list has too few entries");
    }
    Ok(())
}

/// The rule of this name on a relation. `word`: what a relation is called that is not one's own.
fn find(
    name: &str,
    table: &[String],
    if_exists: bool,
    word: Option<&str>,
    cx: &mut DdlCtx,
) -> Result<Option<Arc<Rule>>> {
    let (schema, n) = cx.split(table)?;
    let t = match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &n)? {
        Some(Relation::Table(t)) => t,
        Some(_) => {
            bail!(UNDEFINED_OBJECT, "rule \"{name}\" for relation \"{n}\" does not exist")
        }
        None => {
            let e = err!(UNDEFINED_TABLE, "relation \"{n}\" does not exist");
            if !if_exists {
                return Err(e);
            }
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            return Ok(None);
        }
    };
    let found = cx.catalog.rules_of(t.oid).into_iter().find(|r| r.name == name).cloned();
    if found.is_some() {
        cx.check_owner(t.owner, word.unwrap_or(t.word()), &t.name)?;
        cx.lock_table(t.oid, TableLock::AccessExclusive)?;
        return Ok(found);
    }
    if name == VIEWS_OWN && t.view.is_some() {
        cx.check_owner(t.owner, word.unwrap_or(t.word()), &t.name)?;
        let (shown, word) = (cx.shown(t.oid), t.word());
        return Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop rule _RETURN on {word} {shown} because {word} {shown} requires it"
        )
        .hint(format!("You can drop {word} {shown} instead.")));
    }
    let e = err!(UNDEFINED_OBJECT, "rule \"{name}\" for relation \"{n}\" does not exist");
    if !if_exists {
        return Err(e);
    }
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
    Ok(None)
}
pub fn drop(name: &str, table: &[String], if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let Some(r) = find(name, table, if_exists, Some("relation"), cx)? else { return Ok(()) };
    remove(&r, cx)
}
/// A rule that goes, with plans that follow it.
pub fn remove(r: &Rule, cx: &mut DdlCtx) -> Result<()> {
    cx.remove(Kind::Rule, r.oid)?;
    if let Some(t) = cx.catalog.table(r.relation).cloned() {
        cx.put_table((*t).clone())?;
    }
    Ok(())
}
pub fn rename(name: &str, table: &[String], to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let (schema, n) = cx.split(table)?;
    let view = match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &n)? {
        Some(Relation::Table(t)) if t.view.is_some() => Some(t),
        _ => None,
    };
    if let Some(t) = view.filter(|_| name == VIEWS_OWN || to == VIEWS_OWN) {
        cx.check_owner(t.owner, t.word(), &t.name)?;
        if name == VIEWS_OWN {
            bail!(INVALID_OBJECT_DEFINITION, "renaming an ON SELECT rule is not allowed");
        }
        find(name, table, false, None, cx)?;
        bail!(DUPLICATE_OBJECT, "rule \"{to}\" for relation \"{n}\" already exists");
    }
    let Some(r) = find(name, table, false, None, cx)? else { return Ok("ALTER RULE") };
    if cx.catalog.rules_of(r.relation).iter().any(|o| o.name == to) {
        let of = cx.catalog.table(r.relation).map_or("", |t| &t.name);
        bail!(DUPLICATE_OBJECT, "rule \"{to}\" for relation \"{of}\" already exists");
    }
    cx.put(Object::Rule(Arc::new(Rule { name: to.to_string(), ..(*r).clone() })))?;
    Ok("ALTER RULE")
}
pub fn comment(name: &str, table: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let Some(r) = find(name, table, false, Some("relation"), cx)? else { return Ok(()) };
    cx.put(Object::Rule(Arc::new(Rule { comment: text, ..(*r).clone() })))
}
/// ALTER TABLE ... ENABLE and DISABLE RULE.
pub fn enable(table: Oid, name: &str, mode: FireMode, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = cx.catalog.table(table).cloned() else { return Ok(()) };
    let Some(r) = cx.catalog.rules_of(table).into_iter().find(|r| r.name == name).cloned() else {
        bail!(UNDEFINED_OBJECT, "rule \"{name}\" for relation \"{}\" does not exist", t.name);
    };
    let enabled = match mode {
        FireMode::Enabled => b'O',
        FireMode::Disabled => b'D',
        FireMode::Replica => b'R',
        FireMode::Always => b'A',
    };
    cx.put(Object::Rule(Arc::new(Rule { enabled, ..(*r).clone() })))?;
    cx.put_table((*t).clone())?;
    Ok(())
}

/// The rules whose actions name one of these, or that are of it.
pub fn naming(class: Class, oids: &[Oid], cx: &DdlCtx) -> Vec<Arc<Rule>> {
    let names = |d: &ObjectRef| d.class == class && oids.contains(&d.oid);
    let of = |r: &&Arc<Rule>| r.depends.iter().any(names) || class == Class::Relation && oids.contains(&r.relation);
    cx.catalog.rules(cx.database()).into_iter().filter(of).cloned().collect()
}
/// What messages call it.
pub fn shown(r: &Rule, cx: &DdlCtx) -> String {
    let word = cx.catalog.table(r.relation).map_or("table", |t| t.word());
    format!("rule {} on {word} {}", r.name, cx.shown(r.relation))
}
/// The forms of rules, to be printed when what they name has another name.
pub fn forms(rules: Vec<Arc<Rule>>, cx: &mut DdlCtx) -> Result<Vec<(Oid, Form)>> {
    let mut out = Vec::new();
    for r in rules {
        let Some(t) = cx.catalog.table(r.relation).cloned() else { continue };
        let cond = r.cond.as_ref().map(|c| cx.env.bind_when(&t, c)).transpose()?;
        let actions = r.actions.iter().map(|a| bind_text(a, &t, r.event, cx)).collect::<Result<_>>()?;
        out.push((r.oid, Form { cond, actions }));
    }
    Ok(out)
}
pub fn write_forms(forms: Vec<(Oid, Form)>, cx: &mut DdlCtx) -> Result<()> {
    for (oid, form) in forms {
        let Some(r) = cx.catalog.rule(oid).cloned() else { continue };
        let Some(t) = cx.catalog.table(r.relation).cloned() else { continue };
        let cond = form.cond.map(|c| SqlText(cx.regclass_to_oid(deparse_when(&c, &t, Naming::Full(cx.catalog)))));
        let actions = form.actions.iter().map(|a| Ok(SqlText(print(a, cx)?))).collect::<Result<Vec<_>>>()?;
        if r.actions != actions || r.cond != cond {
            cx.put(Object::Rule(Arc::new(Rule { cond, actions, ..(*r).clone() })))?;
        }
    }
    Ok(())
}
/// What a rule's texts are printed from.
pub struct Form {
    cond: Option<pamir_expr::ir::Expr>,
    actions: Vec<Change>,
}
/// The rules of a relation that goes.
pub fn drop_of(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    for oid in cx.catalog.rules_of(table).into_iter().map(|r| r.oid).collect::<Vec<_>>() {
        cx.remove(Kind::Rule, oid)?;
    }
    Ok(())
}
/// 0A000 where a rule names a column whose type is to change.
pub fn refuse_type_change(t: &Table, attnum: i16, cx: &DdlCtx) -> Result<()> {
    let on = ObjectRef::column(t.oid, attnum);
    let Some(r) = cx.catalog.rules(cx.database()).into_iter().find(|r| r.depends.contains(&on)) else {
        return policy::refuse_type_change(t, attnum, cx);
    };
    let column = t.column(attnum).map_or("", |c| &c.name);
    Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a view or rule")
        .detail(format!("{} depends on column \"{column}\"", shown(r, cx))))
}
/// All of what views', rules' and policies' texts are to be printed from.
#[derive(Default)]
pub struct Forms {
    pub views: Vec<(Oid, pamir_plan::bind::record::Recorded)>,
    pub rules: Vec<(Oid, Form)>,
    pub policies: Vec<(Oid, policy::Form)>,
}
impl Forms {
    pub fn write(self, cx: &mut DdlCtx) -> Result<()> {
        view::write_views(self.views, cx)?;
        write_forms(self.rules, cx)?;
        policy::write_forms(self.policies, cx)
    }
}
