//! CREATE, ALTER and DROP POLICY, and what ALTER TABLE says of row level security ([`pamir_catalog::policy`]).
//!
//! A condition is kept as the text of a query of the table alone (`SELECT FROM s.t WHERE condition`), printed with all names qualified from what was bound; a text that does
//! not mean what was bound is refused. It follows renames as views' texts do ([`forms`]).
//!
//! *Invariant*: each change of a policy writes its table's row, too, so that plans of statements on it are made anew.
//!
//! Limits (0A000): what texts of views cannot say; system columns in conditions.
use super::{DdlCtx, grant};
use pamir_catalog::acl::PUBLIC;
use pamir_catalog::depend::{Class, ObjectRef, sequences_of};
use pamir_catalog::policy::{Command, Policy, RowSecurity as Security};
use pamir_catalog::{Kind, NameScope, Object, Relation, SqlText, Table};
use pamir_expr::deparse::{Layout, Naming, query_text};
use pamir_parse::tree::{self, CreatePolicy, Expr, PolicyCommand, QualifiedName, Role, RoleSpec, RowSecurity};
use pamir_plan::bind::record::Recorded;
use pamir_plan::bind::{BindCtx, policy};
use pamir_txn::TableLock;
use pamir_types::error::{Severity, state};
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

/// What a condition is, and what it names.
type Condition = (SqlText, Vec<ObjectRef>);

pub fn create(c: &CreatePolicy, cx: &mut DdlCtx) -> Result<&'static str> {
    let command = match c.command {
        PolicyCommand::All => Command::All,
        PolicyCommand::Select => Command::Select,
        PolicyCommand::Insert => Command::Insert,
        PolicyCommand::Update => Command::Update,
        PolicyCommand::Delete => Command::Delete,
    };
    if matches!(command, Command::Select | Command::Delete) && c.check.is_some() {
        bail!(SYNTAX_ERROR, "WITH CHECK cannot be applied to SELECT or DELETE");
    }
    if command == Command::Insert && c.using.is_some() {
        bail!(SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT");
    }
    let roles = roles(&c.to, cx)?;
    let t = table(&c.table.parts, c.table.at, cx)?;
    let using = condition(c.using.as_ref(), &t, cx)?;
    let check = condition(c.check.as_ref(), &t, cx)?;
    if cx.catalog.policies_of(t.oid).iter().any(|p| p.name == c.name) {
        bail!(DUPLICATE_OBJECT, "policy \"{}\" for table \"{}\" already exists", c.name, t.name);
    }
    let mut p = Policy {
        oid: cx.new_oid_in(t.schema)?,
        database: t.database,
        name: c.name.clone(),
        relation: t.oid,
        command,
        permissive: c.permissive,
        roles,
        using: None,
        check: None,
        comment: None,
        depends: Vec::new(),
    };
    say(&mut p, using, check);
    put(p, cx)?;
    Ok("CREATE POLICY")
}
/// Gives a policy its conditions and what they name.
fn say(p: &mut Policy, using: Option<Condition>, check: Option<Condition>) {
    p.depends = using.iter().chain(&check).flat_map(|c| c.1.iter().cloned()).collect();
    let texts = using.iter().chain(&check).map(|c| &c.0.0);
    p.depends.extend(texts.flat_map(|t| sequences_of(t)).map(ObjectRef::relation));
    p.depends.sort();
    p.depends.dedup();
    (p.using, p.check) = (using.map(|c| c.0), check.map(|c| c.0));
}
fn put(p: Policy, cx: &mut DdlCtx) -> Result<()> {
    let relation = p.relation;
    cx.put(Object::Policy(Arc::new(p)))?;
    touch(relation, cx)
}
/// Plans of statements on the table are made anew.
fn touch(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    match cx.catalog.table(table).cloned() {
        Some(t) => cx.put_table((*t).clone()).map(|_| ()),
        None => Ok(()),
    }
}
fn roles(to: &[RoleSpec], cx: &mut DdlCtx) -> Result<Vec<Oid>> {
    let mut out = Vec::with_capacity(to.len());
    for r in to {
        if r.role == Role::Public {
            if to.len() > 1 {
                let e = Error::new(state::INVALID_PARAMETER_VALUE, "ignoring specified roles other than PUBLIC");
                cx.env.notice(e.severity(Severity::Warning).hint("All roles are members of the PUBLIC role."));
            }
            return Ok(vec![PUBLIC]);
        }
        out.extend(grant::role_oids(std::slice::from_ref(r), false, cx)?);
    }
    Ok(out)
}
/// The table whose policies are changed, owned and locked.
fn table(name: &[String], at: tree::At, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let (schema, n) = cx.split(name)?;
    let found = cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n);
    match found.map_err(|e| cx.place(e, at))? {
        Relation::Table(t) => {
            cx.check_owner(t.owner, t.word(), &t.name)?;
            if t.view.is_some() {
                bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table");
            }
            cx.lock_table(t.oid, TableLock::AccessExclusive)
        }
        Relation::Virtual(_) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{n}\" is a system catalog"),
        Relation::Sequence(s) => {
            cx.check_owner(s.owner, "sequence", &n)?;
            bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table")
        }
        Relation::Index(t, _) => {
            cx.check_owner(t.owner, "index", &n)?;
            bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table")
        }
    }
}

/// The form of a condition of this statement, and its text.
fn condition(e: Option<&Expr>, t: &Arc<Table>, cx: &mut DdlCtx) -> Result<Option<Condition>> {
    let Some(e) = e else { return Ok(None) };
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: cx.text };
    let form = policy::recorded(e, t, &mut b)?;
    if !b.params.is_empty() {
        bail!(UNDEFINED_PARAMETER, "there is no parameter $1");
    }
    let text = SqlText(print(&form, cx)?);
    let lost = || Error::unsupported("this condition as a policy's");
    let again = bind_text(&text, t, cx).map_err(|e| lost().detail(format!("{}: {}", e.message(), text.0)))?;
    if print(&again, cx)? != text.0 || again.record.depends != form.record.depends {
        return Err(lost().detail(format!("Its text would be\n{}", text.0)));
    }
    Ok(Some((text, form.record.depends)))
}
fn bind_text(text: &SqlText, t: &Arc<Table>, cx: &mut DdlCtx) -> Result<Recorded> {
    let e = policy::stored_condition(text)?;
    let (catalog, scope) = (cx.catalog.clone(), NameScope::stored(cx.database()));
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: "" };
    policy::recorded(&e, t, &mut b)
}
fn print(form: &Recorded, cx: &DdlCtx) -> Result<String> {
    let text = query_text(&form.query, &form.record, &[], Naming::Full(cx.catalog), Layout::default())?;
    Ok(cx.regclass_to_oid(text))
}

/// ALTER POLICY ... TO, USING, WITH CHECK.
pub fn alter(
    name: &str,
    on: &tree::Relation,
    to: Option<&[RoleSpec]>,
    (using, check): (Option<&Expr>, Option<&Expr>),
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let to = to.map(|to| roles(to, cx)).transpose()?;
    let t = table(&on.parts, on.at, cx)?;
    let using = condition(using, &t, cx)?;
    let check = condition(check, &t, cx)?;
    let old = found(name, &t, cx)?;
    if matches!(old.command, Command::Select | Command::Delete) && check.is_some() {
        bail!(SYNTAX_ERROR, "only USING expression allowed for SELECT, DELETE");
    }
    if old.command == Command::Insert && using.is_some() {
        bail!(SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT");
    }
    let mut p = (*old).clone();
    p.roles = to.unwrap_or(p.roles);
    // What stays names what it named.
    let kept = |text: &Option<SqlText>, cx: &mut DdlCtx| -> Result<Option<Condition>> {
        let Some(text) = text else { return Ok(None) };
        Ok(Some((text.clone(), bind_text(text, &t, cx)?.record.depends)))
    };
    let using = if using.is_some() { using } else { kept(&p.using, cx)? };
    let check = if check.is_some() { check } else { kept(&p.check, cx)? };
    say(&mut p, using, check);
    put(p, cx)?;
    Ok("ALTER POLICY")
}
fn found(name: &str, t: &Table, cx: &DdlCtx) -> Result<Arc<Policy>> {
    match cx.catalog.policies_of(t.oid).into_iter().find(|p| p.name == name) {
        Some(p) => Ok(p.clone()),
        None => bail!(UNDEFINED_OBJECT, "policy \"{name}\" for table \"{}\" does not exist", t.name),
    }
}
pub fn rename(name: &str, on: &QualifiedName, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = table(&on.parts, on.at, cx)?;
    if cx.catalog.policies_of(t.oid).iter().any(|p| p.name == to) {
        bail!(DUPLICATE_OBJECT, "policy \"{to}\" for table \"{}\" already exists", t.name);
    }
    let p = found(name, &t, cx)?;
    put(Policy { name: to.to_string(), ..(*p).clone() }, cx)?;
    Ok("ALTER POLICY")
}
/// The policy of this name on a relation, which is owned and locked; None: there is no such relation, or it has none of the name.
fn on_relation(name: &str, on: &[String], cx: &mut DdlCtx) -> Result<Option<Arc<Policy>>> {
    let (schema, n) = cx.split(on)?;
    let Some(Relation::Table(t)) = cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &n)? else { return Ok(None) };
    let Some(p) = cx.catalog.policies_of(t.oid).into_iter().find(|p| p.name == name).cloned() else { return Ok(None) };
    cx.check_owner(t.owner, "relation", &t.name)?;
    cx.lock_table(t.oid, TableLock::AccessExclusive)?;
    Ok(cx.catalog.policy(p.oid).cloned())
}
pub fn drop(d: &tree::Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    for o in &d.objects {
        let tree::Object::On { name, of, .. } = o else { continue };
        match on_relation(name, &of.parts, cx)? {
            Some(p) => remove(&p, cx)?,
            None => super::absent::one(d, o, cx)?,
        }
    }
    Ok("DROP POLICY")
}
/// A policy that goes, with plans that follow it.
pub fn remove(p: &Policy, cx: &mut DdlCtx) -> Result<()> {
    cx.remove(Kind::Policy, p.oid)?;
    touch(p.relation, cx)
}
/// The policies of a table that goes.
pub fn drop_of(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    for oid in cx.catalog.policies_of(table).into_iter().map(|p| p.oid).collect::<Vec<_>>() {
        cx.remove(Kind::Policy, oid)?;
    }
    Ok(())
}
pub fn comment(name: &str, on: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    match on_relation(name, on, cx)? {
        Some(p) => cx.put(Object::Policy(Arc::new(Policy { comment: text, ..(*p).clone() }))),
        None => {
            let (schema, n) = cx.split(on)?;
            let r = cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n)?;
            if let Relation::Table(t) = r {
                return found(name, &t, cx).map(|_| ());
            }
            bail!(UNDEFINED_OBJECT, "policy \"{name}\" for table \"{n}\" does not exist")
        }
    }
}
/// ALTER TABLE ... ENABLE, DISABLE, FORCE, NO FORCE ROW LEVEL SECURITY.
pub fn secure(table: Oid, how: RowSecurity, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = cx.catalog.table(table).cloned() else { return Ok(()) };
    if t.view.is_some() {
        let action = super::alter::called(&tree::AlterTable::RowSecurity(how)).unwrap_or_default();
        return Err(err!(WRONG_OBJECT_TYPE, "ALTER action {action} cannot be performed on relation \"{}\"", t.name)
            .detail(format!("This operation is not supported for {}s.", t.word())));
    }
    let is = t.security;
    let security = match how {
        RowSecurity::Enable => Security { enabled: true, ..is },
        RowSecurity::Disable => Security { enabled: false, ..is },
        RowSecurity::Force => Security { forced: true, ..is },
        RowSecurity::NoForce => Security { forced: false, ..is },
    };
    cx.put_table(Table { security, ..(*t).clone() }).map(|_| ())
}

/// DROP OWNED: a policy for these roles is for the others alone, or for nobody and goes.
pub fn forget_roles(roles: &[Oid], cx: &mut DdlCtx) -> Result<()> {
    let named = |p: &&Arc<Policy>| p.roles.iter().any(|r| roles.contains(r));
    for p in cx.catalog.policies(cx.database()).into_iter().filter(named).cloned().collect::<Vec<_>>() {
        cx.lock_table(p.relation, TableLock::AccessExclusive)?;
        let Some(p) = cx.catalog.policy(p.oid).cloned() else { continue };
        let left: Vec<Oid> = p.roles.iter().copied().filter(|r| !roles.contains(r)).collect();
        match left.is_empty() {
            true => remove(&p, cx)?,
            false => put(Policy { roles: left, ..(*p).clone() }, cx)?,
        }
    }
    Ok(())
}
/// What messages call it.
pub fn shown(p: &Policy, cx: &DdlCtx) -> String {
    format!("policy {} on table {}", p.name, cx.shown(p.relation))
}

// ---- texts under renames ----

/// What a policy's texts are printed from.
pub struct Form {
    using: Option<Recorded>,
    check: Option<Recorded>,
}
/// The policies whose conditions name one of these, or that are of it.
pub fn naming(class: Class, oids: &[Oid], cx: &DdlCtx) -> Vec<Arc<Policy>> {
    let names = |d: &ObjectRef| d.class == class && oids.contains(&d.oid);
    let of = |p: &&Arc<Policy>| p.depends.iter().any(names) || class == Class::Relation && oids.contains(&p.relation);
    cx.catalog.policies(cx.database()).into_iter().filter(of).cloned().collect()
}
/// ... the forms of which are to be printed when what they name has another name.
pub fn forms(policies: Vec<Arc<Policy>>, cx: &mut DdlCtx) -> Result<Vec<(Oid, Form)>> {
    let mut out = Vec::with_capacity(policies.len());
    for p in policies {
        let Some(t) = cx.catalog.table(p.relation).cloned() else { continue };
        let using = p.using.as_ref().map(|x| bind_text(x, &t, cx)).transpose()?;
        let check = p.check.as_ref().map(|x| bind_text(x, &t, cx)).transpose()?;
        out.push((p.oid, Form { using, check }));
    }
    Ok(out)
}
pub fn write_forms(forms: Vec<(Oid, Form)>, cx: &mut DdlCtx) -> Result<()> {
    for (oid, form) in forms {
        let Some(p) = cx.catalog.policy(oid).cloned() else { continue };
        let text = |f: Option<Recorded>| f.map(|f| print(&f, cx).map(SqlText)).transpose();
        let (using, check) = (text(form.using)?, text(form.check)?);
        if p.using != using || p.check != check {
            cx.put(Object::Policy(Arc::new(Policy { using, check, ..(*p).clone() })))?;
        }
    }
    Ok(())
}
/// 0A000 where a policy names a column whose type is to change.
pub fn refuse_type_change(t: &Table, attnum: i16, cx: &DdlCtx) -> Result<()> {
    let on = ObjectRef::column(t.oid, attnum);
    let all = cx.catalog.policies(cx.database());
    let Some(p) = all.into_iter().find(|p| p.depends.contains(&on)) else { return Ok(()) };
    let column = t.column(attnum).map_or("", |c| &c.name);
    Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used in a policy definition")
        .detail(format!("{} depends on column \"{column}\"", shown(p, cx))))
}
