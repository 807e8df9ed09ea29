//! What expressions of tables name: users' functions in defaults, generated columns, checks and indexes.
//!
//! ```text
//!   DROP, ALTER ... of a function --texts that have its name--> bound --tree--> those that call it: with others of its name nothing is wrong
//! ```
//! Nothing of it is stored: a table's texts say it themselves, in directories of every build, and [`super::web`] asks them. Views' texts have lists
//! ([`pamir_catalog::depend`]), since whoever reads those goes on to what reads the view.
//!
//! A function's new name or schema comes into the texts as a table's does: they are bound with the old one and printed with the new one
//! ([`texts_naming`], [`write_texts`]).
use super::eval::{bind_text, text_of};
use super::rule::Forms;
use super::{DdlCtx, routine, view};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::types::Body;
use pamir_catalog::{IndexColumn, SqlText, Table, defs};
use pamir_expr::expr::any;
use pamir_expr::ir::{CastHow, Expr};
use pamir_txn::TableLock;
use pamir_types::{Error, Oid, Result};

/// The functions that are asked for, and how texts write each.
pub struct Wanted {
    oids: Vec<Oid>,
    calls: Vec<String>,
}
impl Wanted {
    /// A function, or an operator: how texts write it, and the function that its calls are of.
    pub fn of(on: ObjectRef, cx: &DdlCtx) -> Wanted {
        let Some(o) = cx.catalog.operator(on.oid).filter(|_| on.class == Class::Operator) else {
            return Wanted::new(&[on.oid], cx);
        };
        let schema = cx.catalog.schema(o.schema).map_or("", |s| &s.name);
        let calls = vec![format!("OPERATOR({}.{})", defs::quote_ident(schema), o.name)];
        Wanted { oids: vec![o.function], calls }
    }
    fn new(oids: &[Oid], cx: &DdlCtx) -> Wanted {
        let call = |o: &Oid| {
            let f = cx.catalog.function(*o)?;
            let schema = cx.catalog.schema(f.schema)?;
            Some(defs::qualified(&schema.name, &f.name))
        };
        Wanted { oids: oids.to_vec(), calls: oids.iter().filter_map(call).collect() }
    }
    pub fn may_be_in(&self, text: &SqlText) -> bool {
        self.calls.iter().any(|c| text.0.contains(c))
    }
    fn is_in(&self, e: &Expr) -> bool {
        any(e, &|x| match x {
            Expr::Call { f, .. } => self.oids.contains(&f.oid),
            Expr::Cast { f: CastHow::Func(f), .. } => self.oids.contains(&f.oid),
            Expr::IsDistinct { eq, .. } | Expr::NullIf { eq, .. } | Expr::InList { eq, .. } => {
                self.oids.contains(&eq.oid)
            }
            Expr::AnyAll { op, .. } => self.oids.contains(&op.oid),
            _ => false,
        })
    }
    /// The text's tree, if it calls one of them.
    pub fn found(&self, text: &SqlText, table: Option<&Table>, cx: &mut DdlCtx) -> Result<Option<Expr>> {
        if !self.may_be_in(text) {
            return Ok(None);
        }
        let e = bind_text(text, table, None, cx)?;
        Ok(self.is_in(&e).then_some(e))
    }
}

/// 0A000 where a domain's default or check names one: these do not go by themselves yet.
fn no_domain(wanted: &Wanted, on: &str, cx: &DdlCtx) -> Result<()> {
    for t in cx.catalog.user_types(cx.database()) {
        let Body::Domain(d) = &t.body else { continue };
        if d.default.iter().chain(d.checks.iter().map(|c| &c.expr)).any(|e| wanted.may_be_in(e)) {
            return Err(Error::unsupported(format!("this change of {on}, which domain {} uses", t.name)));
        }
    }
    Ok(())
}

/// The texts of a table, in an order; `true`: over its columns.
fn texts_mut(t: &mut Table, f: &mut dyn FnMut(&mut SqlText, bool) -> Result<()>) -> Result<()> {
    for c in t.columns.iter_mut().filter(|c| !c.dropped) {
        c.default.iter_mut().try_for_each(|d| f(d, false))?;
        c.generated.iter_mut().try_for_each(|g| f(g, true))?;
    }
    t.checks.iter_mut().try_for_each(|c| f(&mut c.expr, true))?;
    for i in &mut t.indexes {
        for (c, _) in &mut i.columns {
            if let IndexColumn::Expr(e, _) = c {
                f(e, true)?;
            }
        }
        i.predicate.iter_mut().try_for_each(|p| f(p, true))?;
    }
    t.declared.key_texts_mut().try_for_each(|e| f(e, true))
}
/// Texts of tables, as trees, by their places; and forms of views.
pub struct Texts {
    tables: Vec<(Oid, Vec<Option<Expr>>)>,
    views: Forms,
}
/// All texts that name a function, to be printed when it has another name.
pub fn texts_naming(function: Oid, cx: &mut DdlCtx) -> Result<Texts> {
    let wanted = Wanted::new(&[function], cx);
    no_domain(&wanted, &routine::shown(function, cx), cx)?;
    let on = ObjectRef { class: Class::Function, oid: function, sub: 0 };
    if cx.catalog.triggers_on(on).iter().any(|g| g.depends.contains(&on)) {
        return Err(Error::unsupported("another name or schema for a function that a trigger's condition uses"));
    }
    let mut tables = Vec::new();
    for t in cx.catalog.tables_and_views(cx.database()).into_iter().cloned().collect::<Vec<_>>() {
        let (mut trees, mut copy) = (Vec::new(), (*t).clone());
        texts_mut(&mut copy, &mut |text, over| {
            trees.push(wanted.found(text, over.then_some(&*t), cx)?);
            Ok(())
        })?;
        if trees.iter().any(Option::is_some) {
            tables.push((t.oid, trees));
        }
    }
    Ok(Texts { tables, views: view::forms_of(Class::Function, &[function], cx)? })
}
/// Prints them with the names of now.
pub fn write_texts(texts: Texts, cx: &mut DdlCtx) -> Result<()> {
    for (oid, trees) in texts.tables {
        let t = cx.lock_table(oid, TableLock::AccessExclusive)?;
        let (mut new, mut trees) = ((*t).clone(), trees.into_iter());
        texts_mut(&mut new, &mut |text, over| {
            if let Some(e) = trees.next().flatten() {
                *text = text_of(&e, over.then_some(&*t), cx);
            }
            Ok(())
        })?;
        cx.put_table(new)?;
    }
    view::write_forms(texts.views, cx)
}
