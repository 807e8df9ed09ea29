//! INSERT, UPDATE and DELETE back to SQL, as actions of rules have them (get_insert_query_def and its like).
use super::{Deparser, Layout, Naming, Queries, STEP};
use crate::ir::{Expr, ModifyOp, OnConflict, Rel};
use crate::query::{Change, ItemKind};
use pamir_catalog::{Table, defs};
use pamir_types::{Error, Result};

/// The text of a recorded change; 0A000 for what it cannot say.
pub fn change_text(c: &Change, naming: Naming, layout: Layout) -> Result<String> {
    let none = |_| String::new();
    let catalog = naming.catalog();
    // Those of its own subqueries get theirs where these are printed.
    let own = |i: &crate::query::Item| match (&i.alias, &i.kind) {
        (Some(a), _) => a.clone(),
        (None, ItemKind::Relation { oid, .. }) => catalog.relation_name(*oid).map_or("", |n| n.1).to_string(),
        _ => String::new(),
    };
    let names = c.record.items.iter().map(own).collect();
    let queries = Queries::new(&c.record, layout, names, naming.catalog());
    let mut d = Deparser { name: &none, naming, out: String::new(), table: None, q: Some(queries), rows: None };
    d.change(c);
    match d.q.and_then(|q| q.failed) {
        Some(what) => Err(Error::unsupported(format!("a rule whose action has {what}"))),
        None => Ok(d.out),
    }
}

impl<'a> Deparser<'a> {
    fn change(&mut self, c: &'a Change) {
        let m = &c.modify;
        // Names as they are now.
        let t = self.catalog().table(m.table.oid).unwrap_or(&m.table);
        let column = |a: i16| t.column(a).map_or(String::new(), |c| defs::quote_ident(&c.name).into_owned());
        self.queries().indent += STEP;
        let table = self.relation(t.oid);
        let alias = c.record.items.last().and_then(|i| i.alias.clone());
        match &m.op {
            ModifyOp::Insert { source, columns, on_conflict, .. } => {
                self.push(&format!(" INSERT INTO {table} "));
                if let Some(a) = &alias {
                    self.push("AS ");
                    self.ident(a);
                    self.push(" ");
                }
                if !columns.is_empty() {
                    let all: Vec<String> = columns.iter().map(|a| column(*a)).collect();
                    self.push(&format!("({})", all.join(", ")));
                }
                match (source, &c.query) {
                    (Rel::One, _) => self.push(if columns.is_empty() { "DEFAULT VALUES" } else { " DEFAULT VALUES" }),
                    (Rel::Values { rows, .. }, _) => {
                        for (i, row) in rows.iter().enumerate() {
                            match i {
                                0 if rows.len() > 1 => self.push(" VALUES "),
                                0 => self.line("VALUES ", -STEP, STEP, 2),
                                _ => self.push(", "),
                            }
                            self.push("(");
                            for (n, e) in row.iter().enumerate() {
                                // One row is a target list, several are a relation.
                                let sep = if rows.len() == 1 { ", " } else { "," };
                                self.push(if n > 0 { sep } else { "" });
                                match e {
                                    Expr::Default => self.push("DEFAULT"),
                                    e => self.expr(e),
                                }
                            }
                            self.push(")");
                        }
                    }
                    (_, Some(q)) => {
                        self.push(" ");
                        let indent = self.queries().indent;
                        self.query(q, None, false, indent);
                    }
                    _ => self.cannot("a source of this kind"),
                }
                if let Some(conflict) = on_conflict {
                    self.on_conflict(conflict, t);
                }
            }
            ModifyOp::Update { source, set, recheck, .. } => {
                self.push(&format!(" UPDATE {table}"));
                self.target_alias(&alias);
                self.push(" SET ");
                self.set_list(set, t);
                self.others(source);
                self.where_of(recheck);
            }
            ModifyOp::Delete { source, recheck, .. } => {
                self.push(&format!(" DELETE FROM {table}"));
                self.target_alias(&alias);
                self.others(source);
                self.where_of(recheck);
            }
            ModifyOp::Merge { .. } => self.cannot("MERGE"),
        }
        if let Some(list) = &m.returning {
            self.line(" RETURNING", -STEP, STEP, 1);
            for (i, (e, o)) in list.iter().enumerate() {
                self.push(if i > 0 { ", " } else { " " });
                let field = self.apart(|d| {
                    d.expr(e);
                    let own = match e {
                        Expr::Col(id, _) => d.column_name(*id),
                        _ => None,
                    };
                    if own.as_ref() != Some(&o.name) {
                        d.push(" AS ");
                        d.ident(&o.name);
                    }
                });
                self.wrapped(&field, i == 0, false);
            }
        }
    }
    /// The columns of an arbiter index say what is unique.
    fn on_conflict(&mut self, c: &'a OnConflict, t: &Table) {
        self.push(" ON CONFLICT");
        if let Some(i) = t.indexes.iter().find(|i| c.arbiters.contains(&i.oid)) {
            let columns: Vec<String> = i.columns.iter().map(|c| defs::index_column_def(t, &c.0, false)).collect();
            self.push(&format!("({})", columns.join(", ")));
            if let Some(p) = &i.predicate {
                self.line(" WHERE ", -STEP, STEP, 1);
                self.push(&p.0);
            }
        } else if !c.arbiters.is_empty() {
            self.cannot("ON CONFLICT of an index that is gone");
        }
        let Some(u) = &c.update else { return self.push(" DO NOTHING") };
        self.push(" DO UPDATE SET ");
        self.set_list(&u.set, t);
        self.where_of(&u.cond);
    }
    fn set_list(&mut self, set: &'a [(i16, Expr)], t: &Table) {
        for (i, (a, e)) in set.iter().enumerate() {
            let column = t.column(*a).map_or(String::new(), |c| defs::quote_ident(&c.name).into_owned());
            self.push(if i == 0 { "" } else { ", " });
            self.push(&format!("{column} = "));
            match e {
                Expr::Default => self.push("DEFAULT"),
                e => self.expr(e),
            }
        }
    }
    fn target_alias(&mut self, alias: &Option<String>) {
        if let Some(a) = alias {
            self.push(" ");
            self.ident(a);
        }
    }
    /// FROM and USING are not told yet.
    fn others(&mut self, source: &Rel) {
        let mut r = source;
        if let Rel::Filter { input, .. } = r {
            r = input;
        }
        if matches!(r, Rel::Join { .. }) {
            self.cannot("FROM or USING");
        }
    }
    fn where_of(&mut self, cond: &Option<Expr>) {
        if let Some(e) = cond {
            self.line(" WHERE ", -STEP, STEP, 1);
            self.expr(e);
        }
    }
}
