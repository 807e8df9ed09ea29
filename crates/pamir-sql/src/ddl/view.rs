//! CREATE VIEW, and texts of views when what they name gets another name.
//!
//! ```text
//! query --bind, with what it says--> form --deparse, all names qualified--> text, stored     text --bind, deparse--> the same text, or 0A000
//! ```
//! The text is printed a second time from what it itself is bound to: a query that the printer would tell wrongly is refused, not stored.
//!
//! A view's form names relations and columns by their numbers. So a change of names, or of which columns there are, takes the forms of what depends on it
//! before, and prints them after ([`forms_on`], [`write_forms`]).
//!
//! A view of a temporary table is temporary. Which views rows are changed through: [`pamir_plan::bind::dml::through`].
use super::cx::Name;
use super::rule::{self, Forms};
use super::{DdlCtx, column, def, policy, table};
use crate::stored::readable;
use pamir_catalog::depend::Class;
use pamir_catalog::temporary::is_temporary;
use pamir_catalog::{Catalog, CheckOption, NameScope, Relation, SqlText, Table, View};
use pamir_expr::deparse::{Layout, Naming, query_text};
use pamir_expr::ir;
use pamir_expr::query::{Body, ItemKind};
use pamir_parse::tree::{
    self, AlterTable, At, CreateView, Cte, DefElem, Expr, ExprKind, Persistence, Select, SelectBody, SelectCore,
    Statement, TableKind, TableRef, Target, With,
};
use pamir_plan::bind::BindCtx;
use pamir_plan::bind::dml::through;
use pamir_plan::bind::record::{self, Recorded};
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

const TAG: &str = "CREATE VIEW";

/// What WITH (...) says of a view.
struct Options {
    barrier: bool,
    invoker: bool,
    check: Option<CheckOption>,
}
/// Reads options of a view, as kept: (name, value).
fn options(kept: &[(String, String)]) -> Result<Options> {
    let mut o = Options { barrier: false, invoker: false, check: None };
    for (name, value) in kept {
        match name.as_str() {
            "security_barrier" => o.barrier = flag(name, value)?,
            "security_invoker" => o.invoker = flag(name, value)?,
            "check_option" => o.check = Some(check_option(value)?),
            other => bail!(INVALID_PARAMETER_VALUE, "unrecognized parameter \"{other}\""),
        }
    }
    Ok(o)
}
/// As they are written: no value is true.
fn written(options: &[DefElem]) -> Result<Vec<(String, String)>> {
    let value = |d: &DefElem| d.value.as_ref().map_or(Ok("true".into()), |_| def::string(d));
    let mut out: Vec<(String, String)> = Vec::with_capacity(options.len());
    for d in options {
        if let Some(ns) = &d.namespace {
            bail!(INVALID_PARAMETER_VALUE, "unrecognized parameter namespace \"{ns}\"");
        }
        if out.iter().any(|o| o.0 == d.name) {
            bail!(INVALID_PARAMETER_VALUE, "parameter \"{}\" specified more than once", d.name);
        }
        out.push((d.name.clone(), value(d)?));
    }
    Ok(out)
}
fn flag(name: &str, value: &str) -> Result<bool> {
    super::options::boolean(value)
        .ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "invalid value for boolean option \"{name}\": {value}"))
}
fn check_option(value: &str) -> Result<CheckOption> {
    match value {
        "local" => Ok(CheckOption::Local),
        "cascaded" => Ok(CheckOption::Cascaded),
        _ => Err(err!(INVALID_PARAMETER_VALUE, "invalid value for enum option \"check_option\": {value}")
            .detail("Valid values are \"local\" and \"cascaded\".")),
    }
}

pub fn create(c: &CreateView, cx: &mut DdlCtx) -> Result<&'static str> {
    if c.persistence == Persistence::Unlogged {
        bail!(SYNTAX_ERROR, "views cannot be unlogged because they do not have storage");
    }
    if c.query.into_clause().is_some() {
        bail!(FEATURE_NOT_SUPPORTED, "views must not contain SELECT INTO");
    }
    let mut kept = written(&c.options)?;
    if let Some(check) = c.check {
        if kept.iter().any(|o| o.0 == "check_option") {
            bail!(INVALID_PARAMETER_VALUE, "parameter \"check_option\" specified more than once");
        }
        let value = if check == tree::CheckOption::Local { "local" } else { "cascaded" };
        kept.push(("check_option".into(), value.into()));
    }
    let recursive;
    let query = if c.recursive {
        recursive = recursive_query(c);
        &recursive
    } else {
        &c.query
    };
    let form = bind(query, cx)?;
    if c.query.with.iter().flat_map(|w| &w.ctes).any(|x| !matches!(x.query, tree::Statement::Select(_))) {
        bail!(FEATURE_NOT_SUPPORTED, "views must not contain data-modifying statements in WITH");
    }
    let o = options(&kept)?;
    let names = names(&c.columns, &form, "CREATE VIEW specifies more column names than columns")?;
    let persistence = persistence(c, &form, cx)?;
    let (schema, name) = cx.creation_name_of(&c.name.parts, persistence).map_err(|e| cx.place(e, c.name.at))?;
    let text = text_of(&form, &names, cx)?;
    let old = match cx.resolve_in_schema(schema, &name) {
        Some(Relation::Table(t)) if c.replace && t.plain_view().is_some() => {
            cx.check_owner(t.owner, "view", &t.name)?;
            Some(cx.lock_table(t.oid, TableLock::AccessExclusive)?)
        }
        Some(_) if c.replace => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a view"),
        _ => None,
    };
    let n = Name::relation(schema, &name);
    if old.is_none() && cx.name_taken(&n)? {
        return Err(n.taken());
    }
    let mut t = match &old {
        Some(t) => (**t).clone(),
        None => table::blank(schema, name, cx)?,
    };
    columns(&mut t, &names, &form, cx)?;
    let rule = match &t.view {
        Some(v) => v.rule,
        None => cx.new_oid_in(schema)?,
    };
    let oid = t.oid;
    t.declared.options = kept.into_iter().map(|(n, v)| (oid, n, v)).collect();
    let (barrier, invoker, check) = (o.barrier, o.invoker, o.check);
    t.view = Some(Arc::new(View { text, rule, barrier, invoker, check, materialized: false, populated: true }));
    t.depends = form.record.depends.clone();
    let t = Arc::new(t);
    if check.is_some() {
        may_check(&t, cx)?;
    }
    let forms = forms_on(&[oid], cx)?;
    cx.put_table(Arc::unwrap_or_clone(t))?;
    write_forms(forms, cx)?;
    Ok(TAG)
}
/// 0A000 for a check of rows that nobody writes through the view.
fn may_check(t: &Arc<Table>, cx: &mut DdlCtx) -> Result<()> {
    let (catalog, scope) = (cx.catalog.clone(), NameScope::stored(cx.database()));
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: "" };
    match through::why_not(t, &mut b)? {
        None => Ok(()),
        Some(why) => {
            Err(err!(FEATURE_NOT_SUPPORTED, "WITH CHECK OPTION is supported only on automatically updatable views")
                .hint(why))
        }
    }
}
/// A view of something temporary is temporary.
fn persistence(c: &CreateView, form: &Recorded, cx: &mut DdlCtx) -> Result<Persistence> {
    let reads = form.record.depends.iter().any(|d| d.class == Class::Relation && is_temporary(d.oid));
    if !reads || c.persistence == Persistence::Temporary {
        return Ok(c.persistence);
    }
    let name = c.name.parts.last().map_or("", |n| n.as_str());
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("view \"{name}\" will be a temporary view"));
    Ok(Persistence::Temporary)
}

/// ALTER VIEW, and ALTER TABLE of a view.
pub fn alter(oid: Oid, commands: &[AlterTable], cx: &mut DdlCtx) -> Result<()> {
    for c in commands {
        let Some(t) = cx.catalog.table(oid).cloned() else { return Ok(()) };
        match c {
            AlterTable::Options { options: written_as, reset } => {
                let mut kept: Vec<(String, String)> =
                    t.declared.options.iter().map(|(_, n, v)| (n.clone(), v.clone())).collect();
                let changed = written(written_as)?;
                kept.retain(|k| !changed.iter().any(|c| c.0 == k.0));
                if *reset {
                    if written_as.iter().any(|d| d.value.is_some()) {
                        bail!(SYNTAX_ERROR, "RESET must not include values for parameters");
                    }
                } else {
                    kept.extend(changed);
                }
                let o = options(&kept)?;
                let mut new = (*t).clone();
                new.declared.options = kept.into_iter().map(|(n, v)| (oid, n, v)).collect();
                let Some(v) = &t.view else { return Ok(()) };
                let (barrier, invoker, check) = (o.barrier, o.invoker, o.check);
                new.view = Some(Arc::new(View { barrier, invoker, check, ..(**v).clone() }));
                let new = Arc::new(new);
                if check.is_some() {
                    may_check(&new, cx)?;
                }
                cx.put_table(Arc::unwrap_or_clone(new))?;
            }
            AlterTable::SetDefault { column, default } => {
                super::alter::set_default(oid, column, default.as_ref(), cx)?;
            }
            AlterTable::Trigger { .. } => super::alter::action(oid, c, cx)?,
            AlterTable::Rule { name, mode } => rule::enable(oid, name, *mode, cx)?,
            AlterTable::Owner(to) => super::alter::set_owner(oid, cx.owner_from(to)?, cx)?,
            other => {
                let Some(action) = super::alter::called(other) else {
                    return Err(Error::unsupported("this ALTER TABLE of a view"));
                };
                return Err(err!(
                    WRONG_OBJECT_TYPE,
                    "ALTER action {action} cannot be performed on relation \"{}\"",
                    t.name
                )
                .detail(format!("This operation is not supported for {}s.", t.word())));
            }
        }
    }
    Ok(())
}

/// `WITH RECURSIVE name (columns) AS (query) SELECT columns FROM name`
fn recursive_query(c: &CreateView) -> Select {
    let name = c.name.parts.last().cloned().unwrap_or_default();
    let column = |n: &String| Target {
        expr: Expr { kind: ExprKind::Column { path: vec![n.clone()], star: false }, at: At::NOWHERE },
        name: None,
        at: At::NOWHERE,
    };
    let cte = Cte {
        name: name.clone(),
        columns: c.columns.clone(),
        materialized: None,
        query: Statement::Select(Box::new(c.query.clone())),
        search: None,
        cycle: None,
        at: c.name.at,
    };
    let relation = pamir_parse::tree::Relation { parts: vec![name], ..c.name.clone() };
    let from = TableRef { kind: TableKind::Relation(relation, None), alias: None, at: At::NOWHERE };
    let core =
        SelectCore { targets: c.columns.iter().map(column).collect(), from: vec![from], ..SelectCore::default() };
    Select {
        with: Some(With { recursive: true, ctes: vec![cte], at: At::NOWHERE }),
        body: SelectBody::Select(Box::new(core)),
        order_by: Vec::new(),
        limit: None,
        with_ties: false,
        offset: None,
        locking: Vec::new(),
        at: c.query.at,
    }
}

/// The form of a query of this statement.
pub(super) fn bind(q: &Select, cx: &mut DdlCtx) -> Result<Recorded> {
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: cx.text };
    record::view(q, cx.text, &mut b)
}
/// The form of a stored text.
fn bind_text(text: &str, cx: &mut DdlCtx) -> Result<Recorded> {
    let q = record::stored_query(text)?;
    let (catalog, scope) = (cx.catalog.clone(), NameScope::stored(cx.database()));
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: "" };
    record::view(&q, text, &mut b)
}
fn print(form: &Recorded, names: &[String], cx: &DdlCtx) -> Result<String> {
    let text = query_text(&form.query, &form.record, names, Naming::Full(cx.catalog), Layout::default())?;
    Ok(cx.regclass_to_oid(text))
}
/// The text to store, which means what was bound.
pub(super) fn text_of(form: &Recorded, names: &[String], cx: &mut DdlCtx) -> Result<SqlText> {
    let text = print(form, names, cx)?;
    let lost = || Error::unsupported("this query as a view's");
    let again = bind_text(&text, cx).map_err(|e| lost().detail(format!("{}: {text}", e.message())))?;
    let same = again.output.len() == form.output.len()
        && std::iter::zip(&again.output, &form.output).all(|(a, b)| a.ty == b.ty)
        && again.record.depends == form.record.depends;
    let second = print(&again, names, cx)?;
    if !same || second != text {
        return Err(lost().detail(format!("Its text would be\n{text}\nwhich means\n{second}")));
    }
    Ok(SqlText(text))
}

/// The columns' names: first those that are written.
pub(super) fn names(written: &[String], form: &Recorded, too_many: &str) -> Result<Vec<String>> {
    let mut names: Vec<String> = form.output.iter().map(|o| o.name.clone()).collect();
    if written.len() > names.len() {
        return Err(err!(SYNTAX_ERROR, "{too_many}"));
    }
    for (n, own) in std::iter::zip(&mut names, written) {
        n.clone_from(own);
    }
    for (i, n) in names.iter().enumerate() {
        if names[..i].contains(n) {
            bail!(DUPLICATE_COLUMN, "column \"{n}\" specified more than once");
        }
    }
    Ok(names)
}
/// The domain of the column that a query's column is.
pub fn domain_of(origin: Option<(Oid, i16)>, catalog: &Catalog) -> Option<Oid> {
    let (table, attnum) = origin?;
    catalog.table(table)?.declared.domain(attnum)
}
/// The table's column that an output column of a function's rows is.
fn function_column(form: &Recorded, at: usize) -> Option<(Oid, i16)> {
    let Body::Select(s) = &form.query.body else { return None };
    let ir::Expr::Col(id, _) = &s.targets.get(at)?.0 else { return None };
    form.record.items.iter().find_map(|i| {
        let ItemKind::Functions { places, .. } = &i.kind else { return None };
        let n = i.cols.iter().position(|c| matches!(&c.1, ir::Expr::Col(x, _) if x == id))?;
        *places.get(n)?
    })
}
/// The view's columns: new ones, or those it has and more.
pub(super) fn columns(t: &mut Table, names: &[String], form: &Recorded, cx: &DdlCtx) -> Result<()> {
    if names.len() < t.columns.len() {
        bail!(INVALID_TABLE_DEFINITION, "cannot drop columns from view");
    }
    for (i, (name, o)) in std::iter::zip(names, &form.output).enumerate() {
        let ty = if o.ty == Type::UNKNOWN { Type::TEXT } else { o.ty };
        let Some(c) = t.columns.get(i) else {
            column::check_type(name, ty)?;
            let attnum = i as i16 + 1;
            t.columns.push(column::blank(attnum, name.clone(), ty));
            t.declared.set_domain(attnum, domain_of(o.origin.or_else(|| function_column(form, i)), cx.catalog));
            continue;
        };
        if c.name != *name {
            return Err(err!(
                INVALID_TABLE_DEFINITION,
                "cannot change name of view column \"{}\" to \"{name}\"",
                c.name
            )
            .hint("Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead."));
        }
        if c.ty != ty {
            let shown = pamir_types::text::type_display;
            bail!(
                INVALID_TABLE_DEFINITION,
                "cannot change data type of view column \"{name}\" from {} to {}",
                shown(c.ty),
                shown(ty)
            );
        }
    }
    Ok(())
}

/// The forms of the views that name one of these relations, to be printed when it has another name.
pub fn forms_on(relations: &[Oid], cx: &mut DdlCtx) -> Result<Forms> {
    forms_of(Class::Relation, relations, cx)
}
/// ... that name one of these objects.
pub fn forms_of(class: Class, objects: &[Oid], cx: &mut DdlCtx) -> Result<Forms> {
    let mut oids: Vec<Oid> = Vec::new();
    for o in objects {
        oids.extend(cx.catalog.dependents(class, *o).iter().map(|t| t.oid));
    }
    oids.sort_unstable();
    oids.dedup();
    let mut out = Vec::with_capacity(oids.len());
    for oid in oids {
        let Some(v) = cx.catalog.table(oid).and_then(|t| t.view.clone()) else { continue };
        out.push((oid, bind_text(&v.text.0, cx)?));
    }
    let rules = rule::forms(rule::naming(class, objects, cx), cx)?;
    let policies = policy::forms(policy::naming(class, objects, cx), cx)?;
    Ok(Forms { views: out, rules, policies })
}
/// ... of the views and rules that have a word in their text. What cannot be bound now has nothing to follow.
pub fn forms_saying(word: &str, cx: &mut DdlCtx) -> Result<Forms> {
    let mut out = Vec::new();
    for t in cx.catalog.views(cx.database()).into_iter().cloned().collect::<Vec<_>>() {
        if let Some(v) = t.view.as_ref().filter(|v| v.text.0.contains(word)) {
            let form = readable(bind_text(&v.text.0, cx).map(Some), || None)?;
            out.extend(form.map(|f| (t.oid, f)));
        }
    }
    let says = |r: &&Arc<pamir_catalog::rule::Rule>| r.actions.iter().any(|a| a.0.contains(word));
    let mut rules = Vec::new();
    for r in cx.catalog.rules(cx.database()).into_iter().filter(says).cloned().collect::<Vec<_>>() {
        rules.extend(readable(rule::forms(vec![r], cx), Vec::new)?);
    }
    let mut policies = Vec::new();
    let says = |p: &&Arc<pamir_catalog::policy::Policy>| p.texts().any(|t| t.0.contains(word));
    for p in cx.catalog.policies(cx.database()).into_iter().filter(says).cloned().collect::<Vec<_>>() {
        policies.extend(readable(policy::forms(vec![p], cx), Vec::new)?);
    }
    Ok(Forms { views: out, rules, policies })
}
/// Writes the texts of these views and rules with the names of now.
pub fn write_forms(forms: Forms, cx: &mut DdlCtx) -> Result<()> {
    forms.write(cx)
}
pub(super) fn write_views(forms: Vec<(Oid, Recorded)>, cx: &mut DdlCtx) -> Result<()> {
    for (oid, form) in forms {
        let Some(t) = cx.catalog.table(oid) else { continue };
        let names: Vec<String> = t.columns.iter().map(|c| c.name.clone()).collect();
        let text = SqlText(print(&form, &names, cx)?);
        if t.view.as_ref().is_none_or(|v| v.text == text) {
            continue;
        }
        let mut t = (*cx.lock_table(oid, TableLock::AccessExclusive)?).clone();
        if let Some(v) = &t.view {
            t.view = Some(Arc::new(View { text, ..(**v).clone() }));
            cx.put_table(t)?;
        }
    }
    Ok(())
}
/// The text of a view whose columns have other names.
pub fn write_own(t: Table, cx: &mut DdlCtx) -> Result<()> {
    let Some(v) = t.view.clone() else { return Ok(()) };
    let form = bind_text(&v.text.0, cx)?;
    let names: Vec<String> = t.columns.iter().map(|c| c.name.clone()).collect();
    let text = SqlText(print(&form, &names, cx)?);
    cx.put_table(Table { view: Some(Arc::new(View { text, ..(*v).clone() })), ..t })?;
    Ok(())
}

/// 0A000 where a view reads the column, whose type is to change.
pub fn refuse_type_change(t: &Table, attnum: i16, cx: &DdlCtx) -> Result<()> {
    let Some(v) = cx.catalog.dependents_of_column(t.oid, attnum).first().copied().cloned() else {
        return rule::refuse_type_change(t, attnum, cx);
    };
    let column = t.column(attnum).map_or("", |c| &c.name);
    Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a view or rule")
        .detail(format!("rule _RETURN on view {} depends on column \"{column}\"", cx.shown(v.oid))))
}
