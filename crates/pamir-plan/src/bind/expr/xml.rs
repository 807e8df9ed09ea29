//! XML's own grammar: calls of functions that PostgreSQL does not have ([`pamir_expr::func::xml`]), whose constants say what was written.
use super::super::Binder;
use super::super::coerce::show;
use super::name::figure_name;
use pamir_expr::func::{self, CastContext, xml, xml::value};
use pamir_expr::ir::Expr;
use pamir_parse::tree::{At, Expr as A, ExprKind, TypeName, Xml, XmlNamed, XmlStandalone};
use pamir_types::{Datum, Error, Result, Type, err, oid};

const XML: Type = Type::new(oid::XML);

fn text(s: &str) -> Expr {
    Expr::Const(Datum::from(s), Type::TEXT)
}
fn yes(b: bool) -> Expr {
    Expr::Const(Datum::Bool(b), Type::BOOL)
}
/// The function of such a name.
pub(in crate::bind) fn call(name: &str, args: Vec<Expr>, ty: Type) -> Result<Expr> {
    let Some(f) = func::functions(name).first() else {
        return Err(Error::internal("a function of xml is not registered"));
    };
    Ok(Expr::Call { f: (*f).into(), args, ty })
}

impl Binder<'_, '_> {
    /// An argument of the type that is asked for; 42804 if it has no way to it.
    pub(in crate::bind) fn specific(&mut self, written: &A, ty: Type, what: &str) -> Result<Expr> {
        let before = self.level().set_at.take();
        let bound = self.expr(written);
        let set = std::mem::replace(&mut self.level().set_at, before);
        let e = bound?;
        if set.is_some() {
            let e = err!(DATATYPE_MISMATCH, "argument of {what} must not return a set");
            return Err(self.place(e, written.leftmost()));
        }
        let from = e.ty().oid;
        match self.try_coerce(e, ty, CastContext::Assignment) {
            Ok(Some(e)) => Ok(e),
            Ok(None) => {
                let e = err!(
                    DATATYPE_MISMATCH,
                    "argument of {what} must be type {}, not type {}",
                    show(ty.oid),
                    show(from)
                );
                Err(self.place(e, written.leftmost()))
            }
            Err(e) => Err(self.place(e, written.leftmost())),
        }
    }
    pub(super) fn xml(&mut self, x: &Xml, at: At) -> Result<Expr> {
        match x {
            Xml::Concat(args) => {
                let args = args.iter().map(|a| self.specific(a, XML, "XMLCONCAT")).collect::<Result<_>>()?;
                call(xml::CONCAT, args, XML)
            }
            Xml::Element { name, attributes, content } => {
                let (names, mut values) = self.xml_named(attributes, "attribute")?;
                for (i, n) in names.iter().enumerate() {
                    if names[..i].contains(n) {
                        let e =
                            err!(SYNTAX_ERROR, "XML attribute name \"{}\" appears more than once", value::unmapped(n));
                        return Err(self.place(e, attributes[i].value.leftmost()));
                    }
                }
                for c in content {
                    let e = self.expr(c)?;
                    values.push(self.known(e)?);
                }
                let mut args = vec![text(&value::name(name, false, false)), array(names)];
                args.append(&mut values);
                call(xml::ELEMENT, args, XML)
            }
            Xml::Forest(items) => {
                let (names, values) = self.xml_named(items, "element")?;
                let args = std::iter::once(array(names)).chain(values).collect();
                call(xml::FOREST, args, XML)
            }
            Xml::Parse { document, arg, preserve } => {
                let arg = self.specific(arg, Type::TEXT, "XMLPARSE")?;
                call(xml::PARSE, vec![arg, yes(*document), yes(*preserve)], XML)
            }
            Xml::Pi { name, arg } => {
                let mut args = vec![text(&value::name(name, false, false))];
                if let Some(a) = arg {
                    args.push(self.specific(a, Type::TEXT, "XMLPI")?);
                }
                call(xml::PI, args, XML)
            }
            Xml::Root { arg, version, standalone } => {
                let arg = self.specific(arg, XML, "XMLROOT")?;
                let version = match version {
                    Some(v) => self.specific(v, Type::TEXT, "XMLROOT")?,
                    None => Expr::Const(Datum::Null, Type::TEXT),
                };
                let standalone = match standalone {
                    XmlStandalone::Yes => 1,
                    XmlStandalone::No => 0,
                    XmlStandalone::NoValue => -1,
                    XmlStandalone::Omitted => -2,
                };
                call(xml::ROOT, vec![arg, version, Expr::Const(Datum::Int4(standalone), Type::INT4)], XML)
            }
            Xml::Serialize { document, arg, to } => self.xml_serialize(*document, arg, to, at),
            Xml::IsDocument(arg) => {
                let arg = self.specific(arg, XML, "IS DOCUMENT")?;
                call(xml::IS_DOCUMENT, vec![arg], Type::BOOL)
            }
        }
    }
    fn xml_serialize(&mut self, document: bool, arg: &A, to: &TypeName, at: At) -> Result<Expr> {
        let arg = self.specific(arg, XML, "XMLSERIALIZE")?;
        let ty =
            super::super::types::bind_type(to, self.cx.catalog, self.cx.scope).map_err(|e| self.place(e, to.at))?;
        let null = Expr::Const(Datum::Null, ty);
        let e = call(xml::SERIALIZE, vec![arg, yes(document), null], Type::TEXT)?;
        match self.try_coerce(e, ty, CastContext::Implicit)? {
            Some(e) => Ok(e),
            None => {
                let e = err!(CANNOT_COERCE, "cannot cast XMLSERIALIZE result to {}", show(ty.oid));
                Err(self.place(e, at))
            }
        }
    }
    /// Names, as XML has them, and values; what has no name is a column, or is refused.
    fn xml_named(&mut self, items: &[XmlNamed], what: &str) -> Result<(Vec<String>, Vec<Expr>)> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for i in items {
            let e = self.expr(&i.value)?;
            values.push(self.known(e)?);
            names.push(match (&i.name, &i.value.kind) {
                (Some(n), _) => value::name(n, false, false),
                (None, ExprKind::Column { .. }) => value::name(&figure_name(&i.value).unwrap_or_default(), true, false),
                _ => {
                    let e = err!(SYNTAX_ERROR, "unnamed XML {what} value must be a column reference");
                    let field = matches!(i.value.kind, ExprKind::Indirection { .. });
                    return Err(self.place(e, if field { i.at } else { i.value.leftmost() }));
                }
            });
        }
        Ok((names, values))
    }
}
fn array(names: Vec<String>) -> Expr {
    let items = names.into_iter().map(Datum::from).collect();
    Expr::Const(func::array::text_array(items), Type::new(oid::array_of(oid::TEXT).unwrap_or(0)))
}
