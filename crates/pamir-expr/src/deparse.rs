//! Expressions back to SQL as pg_get_expr prints them (ruleutils.c).
//!
//! What is printed is parsed again: it is stored. A call whose name has a syntax of its own is therefore printed in that syntax (`POSITION((a) IN (b))`), or with
//! its name in quotes.
mod domains;
mod parens;
mod query;
mod xml;
pub use query::{Layout, change_text, condition_text, query_text};

use crate::access::NEW;
use crate::func::{self, Function, Operator, lookup};
use crate::ir::{CastHow, CmpOp, ColId, Expr, SubqueryKind};
use pamir_catalog::text_search::What;
use pamir_catalog::well_known::PG_CATALOG;
use pamir_catalog::{Catalog, NameScope, Table, defs, types};
use pamir_types::text::{self, TextCtx, type_display};
use pamir_types::{Datum, Type, oid};

/// How users' functions and operators are named.
#[derive(Clone, Copy)]
pub enum Naming<'a> {
    /// With their schemas: what is stored is bound by name, whatever the search path is then.
    Full(&'a Catalog),
    /// With the schemas of those that their bare names do not mean.
    Short(&'a Catalog, &'a NameScope),
}

impl<'a> Naming<'a> {
    fn catalog(self) -> &'a Catalog {
        let (Naming::Full(c) | Naming::Short(c, _)) = self;
        c
    }
}

/// An expression back to SQL as pg_get_expr prints it; `name` gives a column's name.
pub fn deparse(e: &Expr, name: &dyn Fn(ColId) -> String, naming: Naming) -> String {
    deparse_over(e, name, None, naming)
}
/// The same, of an expression over the columns of a table, some of which may be of domains.
pub fn deparse_over(e: &Expr, name: &dyn Fn(ColId) -> String, table: Option<&Table>, naming: Naming) -> String {
    let mut d = Deparser { name, naming, out: String::new(), table, q: None, rows: None };
    match e {
        // A number that only took its column's type is shown as it was written.
        Expr::Const(v, t) if whole(v, *t).or(decimal(v, *t)).is_some_and(|s| !s.starts_with('-')) => {
            d.out = whole(v, *t).or(decimal(v, *t)).unwrap_or_default()
        }
        e => d.expr(without_implicit(e)),
    }
    d.out
}
/// What the last implicit casts are of: at the top of an expression they are not shown.
fn without_implicit(mut e: &Expr) -> &Expr {
    while let Expr::Cast { e: inner, f, explicit: false, .. } = e
        && !matches!(f, CastHow::Relabel)
    {
        e = inner;
    }
    e
}

/// A trigger's condition, whose columns are numbered as [`crate::access::whens`] says.
pub fn deparse_when(e: &Expr, table: &Table, naming: Naming) -> String {
    let side = |id: ColId| if id < NEW { ("old", id) } else { ("new", id - NEW) };
    let name = |id: ColId| {
        let (of, at) = side(id);
        let column = table.columns.get(at as usize).map_or("?column?", |c| c.name.as_str());
        format!("{of}.{}", quote_ident(column))
    };
    let live: Vec<u32> = table.live_columns().map(|c| (c.attnum - 1) as u32).collect();
    let whole = |fields: &[Expr]| {
        let of = |base: u32| {
            fields.len() == live.len()
                && std::iter::zip(fields, &live).all(|(f, at)| matches!(f, Expr::Col(id, _) if *id == base + at))
        };
        [(0, "old.*"), (NEW, "new.*")].iter().find(|s| of(s.0)).map(|s| s.1)
    };
    let mut d = Deparser { name: &name, naming, out: String::new(), table: None, q: None, rows: Some(&whole) };
    d.expr(e);
    d.out
}

/// The digits of a whole number whose type is not integer.
fn whole(d: &Datum, t: Type) -> Option<String> {
    if !matches!(t.oid, oid::INT2 | oid::INT8 | oid::NUMERIC | oid::FLOAT4 | oid::FLOAT8) || d.is_null() {
        return None;
    }
    let s = text::to_string(d, t, &TextCtx::default());
    s.parse::<i32>().is_ok().then_some(s)
}

/// The digits of a float that has decimals: it was most likely written as a number, which is numeric.
fn decimal(d: &Datum, t: Type) -> Option<String> {
    if !matches!(t.oid, oid::FLOAT4 | oid::FLOAT8) || d.is_null() {
        return None;
    }
    let s = text::to_string(d, t, &TextCtx::default());
    let digits = s.strip_prefix('-').unwrap_or(&s);
    (digits.contains('.') && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')).then_some(s)
}

/// The text settings of what is shown, with the labels of a catalog where there may be some.
fn of_catalog(catalog: &Catalog, scope: &NameScope) -> TextCtx {
    let names = || func::reg::Names { catalog: std::sync::Arc::new(catalog.clone()), scope: scope.clone() };
    TextCtx { types: catalog.has_user_types().then(|| std::sync::Arc::new(names()) as _), ..TextCtx::default() }
}

/// What fields that are a whole row are called.
type WholeRows<'a> = dyn Fn(&[Expr]) -> Option<&'static str> + 'a;

struct Deparser<'a> {
    name: &'a dyn Fn(ColId) -> String,
    naming: Naming<'a>,
    out: String,
    /// Whose columns an expression without a query names, by number.
    table: Option<&'a Table>,
    /// Of a query's expressions.
    q: Option<query::Queries<'a>>,
    /// Of a trigger's condition: how a row's fields are called together. Its columns' names are as they are to be shown.
    rows: Option<&'a WholeRows<'a>>,
}

impl<'a> Deparser<'a> {
    fn catalog(&self) -> &'a Catalog {
        self.naming.catalog()
    }
    fn push(&mut self, s: &str) {
        self.out.push_str(s);
    }
    fn list(&mut self, v: &[Expr], sep: &str) {
        for (i, e) in v.iter().enumerate() {
            if i > 0 {
                self.push(sep);
            }
            self.expr(e);
        }
    }
    /// A type's name: users' as the naming says, in what is stored by their OIDs.
    fn type_name(&self, ty: Type) -> String {
        // A record's modifier says which fields there are, here alone.
        let ty = if ty.oid == oid::RECORD { ty.base() } else { ty };
        if !oid::is_user(ty.oid) && !oid::is_of_extension(ty.oid) {
            return type_display(ty);
        }
        let (one, array) = match oid::element_of(ty.oid) {
            Some(e) => (e, "[]"),
            None => (ty.oid, ""),
        };
        match self.naming {
            Naming::Full(_) => types::stored_name(one) + array,
            Naming::Short(catalog, scope) => catalog.type_name(scope, one).unwrap_or_default() + array,
        }
    }
    /// The text of a constant. Enums in what is stored stand there by number.
    fn text_of(&self, d: &Datum, ty: Type) -> String {
        match (d, self.naming) {
            (Datum::Oid(o), naming) if ty.oid != oid::OID => {
                // Users' stand in what is stored by number.
                let name = What::of_type(ty.oid).and_then(|what| match naming {
                    Naming::Full(_) => pamir_types::tsconfig::name(ty.oid, *o),
                    Naming::Short(catalog, scope) => catalog.ts_name(scope, what, *o),
                });
                name.unwrap_or_else(|| o.to_string())
            }
            (Datum::Enum(v), Naming::Full(_)) => types::stored_label(*v),
            (Datum::Array(a), Naming::Full(_)) if oid::is_enum(a.elem) => {
                let mut out = Vec::new();
                let mut item = |d: &Datum, out: &mut Vec<u8>| {
                    if let Datum::Enum(v) = d {
                        out.extend_from_slice(types::stored_label(*v).as_bytes());
                    }
                };
                a.format(&mut item, &mut out);
                String::from_utf8(out).unwrap_or_default()
            }
            (d, Naming::Full(catalog)) => text::to_string(d, ty, &of_catalog(catalog, &NameScope::stored(0))),
            (d, Naming::Short(catalog, scope)) => text::to_string(d, ty, &of_catalog(catalog, scope)),
        }
    }
    fn literal(&mut self, d: &Datum, ty: Type) {
        if d.is_null() {
            self.push("NULL");
            if ty.oid != oid::UNKNOWN {
                self.push(&format!("::{}", self.type_name(ty)));
            }
            return;
        }
        let s = self.text_of(d, ty);
        match ty.oid {
            oid::BOOL => return self.push(if s == "t" { "true" } else { "false" }),
            oid::INT4 if !s.starts_with('-') => return self.push(&s),
            oid::NUMERIC
                if !s.starts_with('-')
                    && s.starts_with(|c: char| c.is_ascii_digit())
                    && s.contains('.')
                    && ty.typmod == -1 =>
            {
                return self.push(&s);
            }
            _ => {}
        }
        // A whole number of another type was an integer that was cast.
        if let Some(n) = whole(d, ty) {
            let n = if n.starts_with('-') { format!("'{n}'::integer") } else { n };
            return self.push(&format!("({n})::{}", self.type_name(ty)));
        }
        if let Some(n) = decimal(d, ty) {
            let n = if n.starts_with('-') { format!("'{n}'::numeric") } else { n };
            return self.push(&format!("({n})::{}", self.type_name(ty)));
        }
        if let (Datum::Record(fields), oid::RECORD) = (d, ty.oid) {
            self.push("ROW(");
            for (i, (t, d)) in fields.iter().enumerate() {
                self.push(if i > 0 { ", " } else { "" });
                self.literal(d, *t);
            }
            return self.push(")");
        }
        let quoted = defs::literal(&s);
        // A constant's modifier is not shown for strings: the cast around it has it.
        let shown = if ty.oid == oid::BPCHAR && ty.typmod == -1 { "bpchar".to_string() } else { self.type_name(ty) };
        self.push(&format!("{quoted}::{shown}"));
    }
    fn expr(&mut self, e: &Expr) {
        if let Some(e) = self.with_domains(e) {
            return self.expr(&e);
        }
        if self.q.is_some() && self.query_expr(e) {
            return;
        }
        match e {
            Expr::Const(d, t) => self.literal(d, *t),
            Expr::Col(id, _) => {
                let n = (self.name)(*id);
                if self.rows.is_some() {
                    return self.push(&n);
                }
                self.push(&quote_ident(&n));
            }
            Expr::Param(n, _) => self.push(&format!("${}", n + 1)),
            // A constructor of a user's range type goes by the type's name.
            Expr::Call { f, args, ty }
                if oid::is_user(ty.oid) && matches!(f.own_name(), "numrange" | "nummultirange") =>
            {
                let name = self.type_name(*ty);
                self.call(&name, args);
            }
            Expr::Call { f, args, .. } if f.name == func::array::SLICE => {
                let Some((array, bounds)) = args.split_first() else { return };
                self.subscripted(array);
                for pair in bounds.chunks(2) {
                    // A bound that is left out is false.
                    for (n, e) in pair.iter().enumerate() {
                        self.push(if n == 0 { "[" } else { ":" });
                        if !matches!(e, Expr::Const(Datum::Bool(_), _)) {
                            self.expr(e);
                        }
                    }
                    self.push("]");
                }
            }
            Expr::Call { f, args, .. } if f.name == crate::func::system::CURRENT_OF => match args.first() {
                Some(Expr::Const(Datum::Text(cursor), _)) => {
                    self.push(&format!("CURRENT OF {}", defs::quote_ident(cursor)))
                }
                _ => self.push("CURRENT OF"),
            },
            Expr::Call { f, args, .. } if self.xml(f, args) => {}
            Expr::Call { f, args, .. } => {
                if let Some(op) = self.operator(f, args.len()) {
                    self.push("(");
                    match args.as_slice() {
                        [a, b] => {
                            self.expr(a);
                            self.push(&format!(" {op} "));
                            self.expr(b);
                        }
                        [a] => {
                            self.push(&op);
                            self.push(" ");
                            self.expr(a);
                        }
                        _ => {}
                    }
                    return self.push(")");
                }
                let word = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_lowercase());
                match (f.own_name(), args.as_slice()) {
                    ("extract", [Expr::Const(Datum::Text(s), _), x]) if word(s) => {
                        self.push(&format!("EXTRACT({s} FROM "));
                        self.expr(x);
                    }
                    ("position", [hay, needle]) => {
                        self.push("POSITION((");
                        self.expr(needle);
                        self.push(") IN (");
                        self.expr(hay);
                        self.push(")");
                    }
                    ("normalize", [x, Expr::Const(Datum::Text(form), _)])
                        if matches!(&**form, "NFC" | "NFD" | "NFKC" | "NFKD") =>
                    {
                        self.push("NORMALIZE(");
                        self.expr(x);
                        self.push(&format!(", {form}"));
                    }
                    ("overlaps", [_, _, _, _]) => {
                        self.push("((");
                        self.list(&args[..2], ", ");
                        self.push(") OVERLAPS (");
                        self.list(&args[2..], ", ");
                        self.push(")");
                    }
                    ("timezone", [z, t]) => {
                        self.push("(");
                        self.expr(t);
                        self.push(" AT TIME ZONE ");
                        self.expr(z);
                    }
                    (
                        "current_date" | "current_timestamp" | "localtimestamp" | "current_time" | "localtime"
                        | "current_user" | "session_user" | "current_catalog" | "current_schema" | "current_role"
                        | "user",
                        [],
                    ) => {
                        return self.push(&f.name.to_ascii_uppercase());
                    }
                    (
                        "current_timestamp" | "localtimestamp" | "current_time" | "localtime",
                        [Expr::Const(Datum::Int4(digits), _)],
                    ) => {
                        self.push(&format!("{}({digits}", f.name.to_ascii_uppercase()));
                    }
                    (_, [first @ .., last]) if f.spread => {
                        self.function(f);
                        self.push("(");
                        self.list(first, ", ");
                        self.push(if first.is_empty() { "VARIADIC " } else { ", VARIADIC " });
                        self.expr(last);
                    }
                    (_, args) => {
                        self.function(f);
                        self.push("(");
                        self.arguments_of_any(f, args);
                    }
                }
                self.push(")");
            }
            Expr::And(v) | Expr::Or(v) => {
                self.push("(");
                self.list(v, if matches!(e, Expr::And(_)) { " AND " } else { " OR " });
                self.push(")");
            }
            Expr::Not(x) => {
                self.push("(NOT ");
                self.expr(x);
                self.push(")");
            }
            Expr::IsNull(x, not) => self.postfix(x, if *not { "IS NOT NULL" } else { "IS NULL" }),
            Expr::IsBool(x, v, not) => {
                let v = match v {
                    Some(true) => "TRUE",
                    Some(false) => "FALSE",
                    None => "UNKNOWN",
                };
                self.postfix(x, &format!("IS {}{v}", if *not { "NOT " } else { "" }));
            }
            Expr::IsDistinct { left, right, negated, .. } => {
                self.infix(left, if *negated { "IS NOT DISTINCT FROM" } else { "IS DISTINCT FROM" }, right)
            }
            Expr::Case { whens, otherwise, .. } => {
                self.push("\nCASE");
                for (c, r) in whens {
                    self.push("\n    WHEN ");
                    self.expr(c);
                    self.push(" THEN ");
                    self.expr(r);
                }
                self.push("\n    ELSE ");
                self.expr(otherwise);
                self.push("\nEND");
            }
            Expr::Coalesce(v, _) => self.call("COALESCE", v),
            Expr::Extreme(v, greatest, _) => self.call(if *greatest { "GREATEST" } else { "LEAST" }, v),
            Expr::NullIf { left, right, .. } => {
                self.push("NULLIF(");
                self.expr(left);
                self.push(", ");
                self.expr(right);
                self.push(")");
            }
            Expr::Cast { e: x, f: CastHow::Relabel, explicit: false, .. }
                if let (Some(whole), Expr::Row(fields)) = (self.rows, &**x)
                    && let Some(shown) = whole(fields) =>
            {
                self.push(shown)
            }
            Expr::Cast { e: x, ty, f, explicit } => {
                // Of one record type to another: the fields' names.
                if ty.oid == oid::RECORD && x.ty().oid == oid::RECORD && !*explicit {
                    return self.expr(x);
                }
                // A conversion followed by its modifier is one cast.
                let inner = match (f, x.as_ref()) {
                    (CastHow::Typmod, Expr::Cast { e: i, ty: t, .. }) if t.oid == ty.oid => i,
                    _ => x,
                };
                // get_coercion_expr: only a constant of that very type, and a row, stand without parentheses.
                let row = matches!((f, &**inner), (CastHow::Relabel, Expr::Row(_)));
                let bare = row || matches!(**inner, Expr::Const(..)) && inner.ty().oid == ty.oid;
                self.push(if bare { "" } else { "(" });
                self.expr(inner);
                self.push(if bare { "" } else { ")" });
                self.push(&format!("::{}", self.type_name(*ty)));
            }
            Expr::InList { e: x, list, .. } => {
                self.push("(");
                // Integers of two widths are compared as they are.
                let narrow = match &**x {
                    Expr::Cast { e, explicit: false, .. } if crate::expr::is_int(x.ty().oid) => Some(&**e),
                    _ => None,
                };
                self.expr(narrow.filter(|e| crate::expr::is_int(e.ty().oid)).unwrap_or(x));
                self.push(" = ANY (ARRAY[");
                self.list(list, ", ");
                self.push("]))");
            }
            Expr::AnyAll { op, left, array, all } => {
                let name = self.operator(op, 2).unwrap_or_else(|| "=".into());
                self.push("(");
                self.expr(left);
                self.push(&format!(" {name} {} (", if *all { "ALL" } else { "ANY" }));
                self.expr(array);
                self.of_rows(array);
                self.push("))");
            }
            Expr::Array(v, t) => {
                self.push("ARRAY[");
                self.list(v, ", ");
                self.push("]");
                if v.is_empty() {
                    self.push(&format!("::{}", self.type_name(*t)));
                }
            }
            Expr::Row(v) => {
                self.push("ROW(");
                for (i, e) in v.iter().enumerate() {
                    self.push(if i > 0 { ", " } else { "" });
                    self.field(e);
                }
                self.push(")");
            }
            Expr::RowCompare { op, pairs, .. } => {
                let (a, b): (Vec<Expr>, Vec<Expr>) = pairs.iter().cloned().unzip();
                self.push("(");
                self.call("ROW", &a);
                self.push(match op {
                    CmpOp::Eq => " = ",
                    CmpOp::Ne => " <> ",
                    CmpOp::Lt => " < ",
                    CmpOp::Le => " <= ",
                    CmpOp::Gt => " > ",
                    CmpOp::Ge => " >= ",
                });
                self.call("ROW", &b);
                self.push(")");
            }
            Expr::Subscript { array, index, .. } => {
                self.subscripted(array);
                for i in index {
                    self.push("[");
                    self.expr(i);
                    self.push("]");
                }
            }
            Expr::Field { record, index, .. } => {
                let parens = !matches!(**record, Expr::Field { .. } | Expr::Subscript { .. });
                self.push(if parens { "(" } else { "" });
                self.expr(record);
                self.push(if parens { ")." } else { "." });
                let shape = func::rowtype::fields_in(record.ty(), self.catalog());
                let name = shape.as_ref().and_then(|s| s.get(*index)).map(|f| f.0.to_string());
                self.push(&defs::quote_ident(&name.unwrap_or_else(|| format!("f{}", index + 1))));
            }
            Expr::Subquery(s) => self.push(match s.kind {
                SubqueryKind::Exists => "EXISTS(SubPlan)",
                SubqueryKind::Array => "ARRAY(SubPlan)",
                SubqueryKind::Row { .. } => "(SubPlan)",
                _ => "(SubPlan)",
            }),
            Expr::Default => self.push("DEFAULT"),
        }
    }
    /// After the array of `ANY`: rows of a subquery would be compared, not the items of its one array.
    fn of_rows(&mut self, array: &Expr) {
        if let Expr::Subquery(s) = array
            && !matches!(s.kind, SubqueryKind::Array)
        {
            self.push(&format!("::{}", self.type_name(s.ty)));
        }
    }
    /// What subscripts follow.
    fn subscripted(&mut self, array: &Expr) {
        let plain = match array {
            Expr::Col(id, _) => self.is_item(*id),
            e => matches!(e, Expr::Field { .. }),
        };
        self.push(if plain { "" } else { "(" });
        self.expr(array);
        self.push(if plain { "" } else { ")" });
    }
    /// Arguments, of which a literal that nothing gave a type is shown as it was written: VARIADIC "any" leaves it unknown, and reads it as text.
    fn arguments_of_any(&mut self, f: &Function, args: &[Expr]) {
        let any = if f.variadic && f.args.last() == Some(&oid::ANY) { f.args.len() - 1 } else { args.len() };
        for (i, e) in args.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            match e {
                Expr::Const(Datum::Null, t) if i >= any && t.oid == oid::TEXT => self.push("NULL::unknown"),
                Expr::Const(Datum::Text(s), t) if i >= any && t.oid == oid::TEXT => self.push(&defs::literal(s)),
                e => self.expr(e),
            }
        }
    }
    fn qualifier<T: lookup::Kind>(&self, t: &T) -> String {
        match self.naming {
            Naming::Full(catalog) => lookup::qualifier(catalog, None, t),
            Naming::Short(catalog, scope) => lookup::qualifier(catalog, Some(scope), t),
        }
    }
    fn function(&mut self, f: &Function) {
        // A user's function may have got another name since it was bound.
        let (Naming::Full(catalog) | Naming::Short(catalog, _)) = self.naming;
        let now = (f.schema != PG_CATALOG).then(|| catalog.function(f.oid)).flatten().map(|d| func::stored::of(d));
        let f = now.as_deref().unwrap_or(f);
        let name = self.qualifier(f) + &defs::quote_ident(&f.name);
        self.push(&name);
    }
    /// The operator that a call with so many arguments is printed as.
    fn operator(&self, f: &Function, operands: usize) -> Option<String> {
        let calls = |o: &&Operator| o.f.is(f) && (o.left == 0) == (operands == 1) && operands <= 2;
        let written = |o: &Operator| match self.qualifier(o) {
            schema if schema.is_empty() => o.name.to_string(),
            schema => format!("OPERATOR({schema}{})", o.name),
        };
        if f.schema == PG_CATALOG {
            return func::all_operators().iter().find(calls).map(written);
        }
        let (Naming::Full(catalog) | Naming::Short(catalog, _)) = self.naming;
        lookup::operator_over(catalog, f, operands).map(|o| written(&o))
    }
    fn call(&mut self, n: &str, v: &[Expr]) {
        self.push(n);
        self.push("(");
        self.list(v, ", ");
        self.push(")");
    }
    fn postfix(&mut self, x: &Expr, op: &str) {
        self.push("(");
        self.expr(x);
        self.push(" ");
        self.push(op);
        self.push(")");
    }
    fn infix(&mut self, l: &Expr, op: &str, r: &Expr) {
        self.push("(");
        self.expr(l);
        self.push(&format!(" {op} "));
        self.expr(r);
        self.push(")");
    }
}

/// quote_identifier; what has a dot is qualified, and its parts are quoted already.
pub(super) fn quote_ident(s: &str) -> String {
    if s.contains('.') && !s.contains('"') { s.to_string() } else { defs::quote_ident(s).into_owned() }
}
