//! Which parentheses a pretty definition leaves out: ruleutils.c's isSimpleNode, over bound expressions.
use super::Deparser;
use crate::func::xml;
use crate::ir::{CastHow, Expr};

/// What an expression is for its neighbours' parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// It has its own ends: a column, a call, CASE.
    Closed,
    /// An operator; `+` and `-` or `*`, `/` and `%`, where it is one of these.
    Operator(Option<char>),
    /// A test such as IS NULL, or a subquery.
    Test,
    And,
    Or,
    Not,
    /// `= ANY (...)`, a comparison of rows: never bare inside of another.
    Other,
}

impl Deparser<'_> {
    fn form(&self, e: &Expr) -> Form {
        match e {
            Expr::Call { f, .. } if f.name == xml::IS_DOCUMENT => Form::Test,
            Expr::Call { f, args, .. } => match self.operator(f, args.len()) {
                Some(op) if args.len() == 2 && op.len() == 1 && "+-*/%".contains(&op) => {
                    Form::Operator(op.chars().next())
                }
                Some(_) => Form::Operator(None),
                None => Form::Closed,
            },
            Expr::And(_) => Form::And,
            Expr::Or(_) => Form::Or,
            Expr::Not(x) if matches!(**x, Expr::InList { .. }) => Form::Other,
            Expr::Not(_) => Form::Not,
            Expr::IsNull(..) | Expr::IsBool(..) | Expr::IsDistinct { .. } | Expr::Subquery(_) => Form::Test,
            Expr::InList { .. } | Expr::AnyAll { .. } => Form::Other,
            Expr::Cast { .. } if self.collation(e).is_some() => Form::Other,
            Expr::Cast { f: CastHow::Func(_) | CastHow::Typmod, .. } => Form::Closed,
            Expr::Cast { e, .. } => self.form(e),
            _ => Form::Closed,
        }
    }
    /// What COLLATE stands before, and its collation's name.
    pub(super) fn collation<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, String)> {
        let Expr::Cast { e: x, f: CastHow::Relabel, ty, explicit: true } = e else { return None };
        if x.ty() != *ty {
            return None;
        }
        let shape = format!("{e:?}");
        let all = &self.q.as_ref()?.record().collations;
        all.iter().find(|c| c.0 == shape).map(|c| (&**x, c.1.clone()))
    }
    /// Its operand, in parentheses where it is no simple one.
    pub(super) fn collated(&mut self, x: &Expr, collation: &str) {
        self.operand(x, Form::Other, false);
        self.push(&format!(" COLLATE {collation}"));
    }
    /// An operand of `parent`; `first`: its left one.
    fn operand(&mut self, e: &Expr, parent: Form, first: bool) {
        let high = |c: char| "*/%".contains(c);
        let bare = match (self.form(e), parent) {
            (Form::Closed, _) => true,
            (Form::Operator(Some(op)), Form::Operator(Some(over))) => match (high(op), high(over)) {
                (true, false) => true,
                (false, true) => false,
                _ => first,
            },
            (Form::Operator(_) | Form::Test, Form::And | Form::Or | Form::Not) => true,
            (Form::And | Form::Not, Form::And | Form::Or) => true,
            (Form::Or, Form::Or) => true,
            _ => false,
        };
        self.push(if bare { "" } else { "(" });
        self.expr(e);
        self.push(if bare { "" } else { ")" });
    }
    /// Prints an expression whose own parentheses are left out; false: it is none of these.
    pub(super) fn pretty(&mut self, e: &Expr) -> bool {
        let form = self.form(e);
        match e {
            Expr::Const(d, t) => {
                let (n, of) = match (super::whole(d, *t), super::decimal(d, *t)) {
                    (Some(n), _) => (n, "integer"),
                    (None, Some(n)) => (n, "numeric"),
                    (None, None) => return false,
                };
                let n = if n.starts_with('-') { format!("'{n}'::{of}") } else { n };
                self.push(&format!("{n}::{}", self.type_name(*t)));
            }
            Expr::Call { f, args, .. } if f.name == xml::IS_DOCUMENT => {
                let [x] = args.as_slice() else { return false };
                self.operand(x, form, false);
                self.push(" IS DOCUMENT");
            }
            Expr::Call { f, args, .. } => match (self.operator(f, args.len()), args.as_slice()) {
                (Some(op), [a, b]) => {
                    self.operand(a, form, true);
                    self.push(&format!(" {op} "));
                    self.operand(b, form, false);
                }
                (Some(op), [a]) => {
                    self.push(&format!("{op} "));
                    self.operand(a, form, false);
                }
                _ => return false,
            },
            Expr::And(v) | Expr::Or(v) => {
                for (i, x) in v.iter().enumerate() {
                    self.push(match (i, form) {
                        (0, _) => "",
                        (_, Form::And) => " AND ",
                        _ => " OR ",
                    });
                    self.operand(x, form, false);
                }
            }
            Expr::Not(x) => {
                if let Expr::InList { e, list, .. } = &**x {
                    self.in_list(e, " <> ALL (ARRAY[", list);
                    return true;
                }
                self.push("NOT ");
                self.operand(x, form, false);
            }
            Expr::IsNull(x, not) => {
                self.operand(x, form, false);
                self.push(if *not { " IS NOT NULL" } else { " IS NULL" });
            }
            Expr::IsBool(x, v, not) => {
                self.operand(x, form, false);
                let v = match v {
                    Some(true) => "TRUE",
                    Some(false) => "FALSE",
                    None => "UNKNOWN",
                };
                self.push(&format!(" IS {}{v}", if *not { "NOT " } else { "" }));
            }
            Expr::IsDistinct { left, right, negated, .. } => {
                if *negated {
                    self.push("NOT ");
                }
                self.operand(left, form, true);
                self.push(" IS DISTINCT FROM ");
                self.operand(right, form, false);
            }
            Expr::InList { e, list, .. } => self.in_list(e, " = ANY (ARRAY[", list),
            Expr::AnyAll { op, left, array, all } => {
                let name = self.operator(op, 2).unwrap_or_else(|| "=".into());
                self.operand(left, form, true);
                self.push(&format!(" {name} {} (", if *all { "ALL" } else { "ANY" }));
                self.operand(array, form, false);
                self.of_rows(array);
                self.push(")");
            }
            Expr::Cast { e: x, ty, f, .. } => {
                let inner = match (f, x.as_ref()) {
                    (CastHow::Typmod, Expr::Cast { e: i, ty: t, .. }) if t.oid == ty.oid => i,
                    _ => x,
                };
                self.operand(inner, Form::Other, false);
                self.push(&format!("::{}", self.type_name(*ty)));
            }
            _ => return false,
        }
        true
    }
    fn in_list(&mut self, e: &Expr, word: &str, list: &[Expr]) {
        self.operand(e, Form::Other, true);
        self.push(word);
        self.list(list, ", ");
        self.push("])");
    }
}
