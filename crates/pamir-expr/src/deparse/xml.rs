//! XML's own grammar, back from the functions that it is bound to.
use super::Deparser;
use crate::func::Function;
use crate::func::xml::{self, table, value};
use crate::ir::Expr;
use pamir_catalog::defs;
use pamir_types::{Datum, oid};

impl Deparser<'_> {
    /// Prints a call of one of xml's functions; false: it is none.
    pub(super) fn xml(&mut self, f: &Function, args: &[Expr]) -> bool {
        let yes = |e: &Expr| matches!(e, Expr::Const(Datum::Bool(true), _));
        let part = |e: &Expr| if yes(e) { "DOCUMENT " } else { "CONTENT " };
        match (&*f.name, args) {
            (xml::CONCAT, args) => {
                self.push("XMLCONCAT(");
                self.list(args, ", ");
            }
            (xml::ELEMENT, [Expr::Const(Datum::Text(name), _), Expr::Const(Datum::Array(names), _), values @ ..]) => {
                self.push("XMLELEMENT(NAME ");
                self.xml_name(name);
                let (attributes, content) = values.split_at(names.items.len().min(values.len()));
                if !attributes.is_empty() {
                    self.push(", XMLATTRIBUTES(");
                    self.xml_named(&names.items, attributes);
                    self.push(")");
                }
                if !content.is_empty() {
                    self.push(", ");
                    self.xml_values(content);
                }
            }
            (xml::FOREST, [Expr::Const(Datum::Array(names), _), values @ ..]) => {
                self.push("XMLFOREST(");
                self.xml_named(&names.items, values);
            }
            (xml::PARSE, [arg, document, preserve]) => {
                self.push("XMLPARSE(");
                self.push(part(document));
                self.expr(arg);
                self.push(if yes(preserve) { " PRESERVE WHITESPACE" } else { " STRIP WHITESPACE" });
            }
            (xml::PI, [Expr::Const(Datum::Text(name), _), rest @ ..]) => {
                self.push("XMLPI(NAME ");
                self.xml_name(name);
                self.push(if rest.is_empty() { "" } else { ", " });
                self.list(rest, ", ");
            }
            (xml::ROOT, [arg, version, Expr::Const(Datum::Int4(standalone), _)]) => {
                self.push("XMLROOT(");
                self.expr(arg);
                self.push(", VERSION ");
                match version {
                    Expr::Const(Datum::Null, _) => self.push("NO VALUE"),
                    v => self.expr(v),
                }
                self.push(match standalone {
                    1 => ", STANDALONE YES",
                    0 => ", STANDALONE NO",
                    -1 => ", STANDALONE NO VALUE",
                    _ => "",
                });
            }
            (xml::SERIALIZE, [arg, document, to]) => {
                self.push("XMLSERIALIZE(");
                self.push(part(document));
                self.expr(arg);
                let to = self.type_name(to.ty());
                self.push(&format!(" AS {to}"));
            }
            (xml::IS_DOCUMENT, [arg]) => {
                self.push("(");
                self.expr(arg);
                self.push(" IS DOCUMENT");
            }
            ("xmlexists", [path, document]) if !f.own_name().is_empty() => {
                self.push("XMLEXISTS((");
                self.expr(path);
                self.push(") PASSING (");
                self.expr(document);
                self.push(")");
            }
            (xml::TABLE, [document, rows, Expr::Const(Datum::Text(description), _), rest @ ..]) => {
                self.xml_table(document, rows, description, rest)
            }
            _ => return false,
        }
        self.push(")");
        true
    }
    fn xml_name(&mut self, name: &str) {
        let name = value::unmapped(name);
        self.push(&defs::quote_ident(&name));
    }
    fn xml_values(&mut self, values: &[Expr]) {
        for (i, e) in values.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            self.xml_value(e);
        }
    }
    /// A literal that nothing gave a type stands as it was written.
    fn xml_value(&mut self, e: &Expr) {
        match e {
            Expr::Const(Datum::Text(s), t) if t.oid == oid::TEXT => self.push(&defs::literal(s)),
            e => self.expr(e),
        }
    }
    fn xml_named(&mut self, names: &[Datum], values: &[Expr]) {
        for (i, (n, e)) in names.iter().zip(values).enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            self.xml_value(e);
            self.push(" AS ");
            if let Datum::Text(n) = n {
                self.xml_name(n);
            }
        }
    }
    fn xml_table(&mut self, document: &Expr, rows: &Expr, description: &str, rest: &[Expr]) {
        let (prefixes, columns) = table::described(description);
        let (uris, pairs) = rest.split_at(prefixes.len().min(rest.len()));
        self.push("XMLTABLE(");
        for (i, (prefix, uri)) in prefixes.iter().zip(uris).enumerate() {
            self.push(if i > 0 { ", " } else { "XMLNAMESPACES (" });
            self.push(if prefix.is_empty() { "DEFAULT " } else { "" });
            self.expr(uri);
            if !prefix.is_empty() {
                self.push(&format!(" AS {}", defs::quote_ident(prefix)));
            }
        }
        self.push(if prefixes.is_empty() { "(" } else { "), (" });
        self.expr(rows);
        self.push(") PASSING (");
        self.expr(document);
        self.push(") COLUMNS ");
        for (i, (c, pair)) in columns.iter().zip(pairs.chunks(2)).enumerate() {
            let [path, default] = pair else { return };
            let ty = self.type_name(default.ty());
            self.push(if i > 0 { ", " } else { "" });
            self.push(&defs::quote_ident(c.name));
            if c.ordinality {
                self.push(" FOR ORDINALITY");
                continue;
            }
            self.push(&format!(" {ty}"));
            if !matches!(default, Expr::Const(Datum::Null, _)) {
                self.push(" DEFAULT (");
                self.expr(default);
                self.push(")");
            }
            if c.path {
                self.push(" PATH (");
                self.expr(path);
                self.push(")");
            }
            self.push(if c.not_null { " NOT NULL" } else { "" });
        }
    }
}
