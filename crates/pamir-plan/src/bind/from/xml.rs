//! XMLTABLE in FROM: a function's scan ([`pamir_expr::func::xml::table`]) whose arguments are the document, the paths and the defaults.
use super::super::Binder;
use super::super::expr::xml::call;
use super::super::scope::Scope;
use super::super::types::bind_type;
use super::columns_of;
use pamir_expr::func::xml;
use pamir_expr::ir::{Expr, OutCol, Rel};
use pamir_parse::tree::{TableRef, XmlTable};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

const NAME: &str = "xmltable";

impl Binder<'_, '_> {
    /// True when it uses columns of `before`.
    pub(super) fn xml_table(
        &mut self,
        t: &TableRef,
        table: &XmlTable,
        lateral: bool,
        before: &Scope,
    ) -> Result<(Rel, Scope, bool)> {
        self.scopes.push(before.clone());
        let mark = self.outer_refs.len();
        let no_agg = self.level().no_agg.replace("functions in FROM");
        let bound = self.xml_arguments(table);
        self.level().no_agg = no_agg;
        self.scopes.pop();
        let (args, cols) = bound?;
        let ids = columns_of(before);
        let mut uses = self.outer_refs[mark..].iter().any(|o| ids.contains(o));
        for e in &args {
            pamir_expr::expr::each_col(e, &mut |c| uses |= ids.contains(&c));
        }
        if let Some(a) = t.alias.as_ref().filter(|a| a.columns.len() > cols.len()) {
            bail!(
                INVALID_COLUMN_REFERENCE,
                "XMLTABLE function has {} columns available but {} columns specified",
                cols.len(),
                a.columns.len()
            );
        }
        let shown = t.alias.as_ref().map_or(NAME, |a| a.name.as_str());
        let rte = self.aliased(cols.clone(), shown, t.alias.as_ref())?;
        let mut s = Scope::default();
        s.add(rte);
        let e = call(xml::TABLE, args, Type::new(oid::RECORD))?;
        self.record_call([e.clone()]);
        self.record_functions(t, &s, lateral, false, &[])?;
        let Expr::Call { f, args, .. } = e else { return Err(Error::internal("XMLTABLE is a call")) };
        Ok((Rel::FunctionScan { f, args, cols, ordinality: None }, s, uses))
    }
    fn xml_arguments(&mut self, table: &XmlTable) -> Result<(Vec<Expr>, Vec<OutCol>)> {
        let rows = self.specific(&table.rows, Type::TEXT, "XMLTABLE")?;
        let document = self.specific(&table.document, Type::new(oid::XML), "XMLTABLE")?;
        let mut description = String::new();
        let (mut pairs, mut cols) = (Vec::new(), Vec::<OutCol>::new());
        for c in &table.columns {
            let (mut ty, mut path, mut default) = (Type::INT4, Expr::Const(Datum::Null, Type::TEXT), None);
            match &c.ty {
                None => {
                    if description.contains("\no  ") || description.starts_with("o  ") {
                        let e = err!(SYNTAX_ERROR, "only one FOR ORDINALITY column is allowed");
                        return Err(self.place(e, c.at));
                    }
                    description.push_str("o  ");
                }
                Some(t) => {
                    if t.setof {
                        let e = err!(INVALID_TABLE_DEFINITION, "column \"{}\" cannot be declared SETOF", c.name);
                        return Err(self.place(e, c.at));
                    }
                    ty = bind_type(t, self.cx.catalog, self.cx.scope).map_err(|e| self.place(e, t.at))?;
                    path = match &c.path {
                        Some(p) => self.specific(p, Type::TEXT, "XMLTABLE")?,
                        None => Expr::Const(Datum::from(c.name.as_str()), Type::TEXT),
                    };
                    if let Some(d) = &c.default {
                        default = Some(self.specific(d, ty, "XMLTABLE")?);
                    }
                    description.push(if c.path.is_some() { 'c' } else { 'd' });
                    description.push_str(if c.not_null { "! " } else { "  " });
                }
            }
            if cols.iter().any(|o| o.name == c.name) {
                let e = err!(SYNTAX_ERROR, "column name \"{}\" is not unique", c.name);
                return Err(self.place(e, c.at));
            }
            description.push_str(&c.name.replace('\n', " "));
            description.push('\n');
            pairs.push(path);
            pairs.push(default.unwrap_or(Expr::Const(Datum::Null, ty)));
            cols.push(self.out(&c.name, ty));
        }
        let mut spaces = String::new();
        let mut uris = Vec::new();
        let mut default = false;
        for (i, (uri, name)) in table.namespaces.iter().enumerate() {
            let taken = |n: &String| table.namespaces[..i].iter().any(|o| o.1.as_ref() == Some(n));
            match name {
                Some(n) if taken(n) => {
                    let e = err!(SYNTAX_ERROR, "namespace name \"{n}\" is not unique");
                    return Err(self.place(e, uri.leftmost()));
                }
                None if default => {
                    let e = err!(SYNTAX_ERROR, "only one default namespace is allowed");
                    return Err(self.place(e, uri.leftmost()));
                }
                name => default |= name.is_none(),
            }
            uris.push(self.specific(uri, Type::TEXT, "XMLTABLE")?);
            spaces.push_str(&format!("n  {}\n", name.as_deref().unwrap_or("").replace('\n', " ")));
        }
        let description = Expr::Const(Datum::from(spaces + description.trim_end_matches('\n')), Type::TEXT);
        let mut args = vec![document, rows, description];
        args.append(&mut uris);
        args.append(&mut pairs);
        Ok((args, cols))
    }
}
