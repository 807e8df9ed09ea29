//! Expressions: operators, predicates, constructors.
//!
//! - [`call`]: calls and aggregates, [`ordered_set`]: those of WITHIN GROUP
//! - [`rows`]: rows and their comparison, [`access`]: fields and elements, [`subquery`], [`name`]: output columns' names, [`xml`]: what XML has of the grammar
//!
//! An error is placed where PostgreSQL places it: at the literal that could not be read, at the beginning of a value of the wrong type, else at the node itself,
//! which is an operator's sign or a function's name. [`Binder::expr`] gives the node's place to what has none.
mod access;
mod call;
mod name;
mod ordered_set;
mod rows;
mod subquery;
pub(in crate::bind) mod xml;
pub(super) use call::is_void;
pub use name::figure_name;
pub(super) use name::output_name;

use super::coerce::{self, is_array, show};
use super::scope::is_unknown;
use super::types::{collatable, known_collation};
use super::{Binder, GroupingCall, types};
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::Expr;
use pamir_parse::tree::{
    At, BoolTest, Expr as A, ExprKind as K, LikeKind, Literal, OperatorName, SubLinkKind, TypeName, ValueFunction,
};
use pamir_types::bits::Bits;
use pamir_types::error::state;
use pamir_types::numeric::Numeric;
use pamir_types::{Datum, Error, Result, Type, bail, err, long, oid, work};
use std::borrow::Cow;
use std::sync::Arc;

/// What a node of an expression costs to bind.
const NODE: usize = 200;

impl Binder<'_, '_> {
    /// Binds an expression; literals and parameters without a type stay `unknown`.
    pub(super) fn expr(&mut self, e: &A) -> Result<Expr> {
        work::charge(NODE)?;
        if pamir_storage::task::stack_left().is_some_and(|n| n < super::STACK_RESERVE) {
            return Err(pamir_expr::deep::too_deep());
        }
        self.node(e).map_err(|x| self.place(x, e.at))
    }

    fn node(&mut self, e: &A) -> Result<Expr> {
        match &e.kind {
            K::Column { path, star: false } if self.names.is_some() => self.column_or_variable(path, e.at),
            K::Column { path, star: false } => match path.as_slice() {
                [name] => self.column(name, e.at),
                path => self.qualified(path, e.at),
            },
            K::Column { path, star: true } if path.is_empty() => bail!(SYNTAX_ERROR, "syntax error at or near \"*\""),
            K::Column { path, star: true } => self.star_value(path, e.at),
            K::Param(n) => self.param(*n).map_err(|x| self.place(x, e.at)),
            K::Literal(l) => literal(l),
            K::Operator { .. } => self.operators(e),
            K::ArrayOperator { op, all, left, right } => self.array_operator(op, *all, left, right),
            K::And(list) => self.logic(list, true),
            K::Or(list) => self.logic(list, false),
            K::Not(x) => {
                let bound = self.expr(x)?;
                let bound = self.to_bool(bound, "NOT").map_err(|e| self.place(e, x.leftmost()))?;
                Ok(Expr::Not(Box::new(bound)))
            }
            K::IsNull { arg, not } => self.is_null(arg, *not),
            K::IsBool { arg, test, not } => self.is_bool(arg, *test, *not),
            K::Distinct { left, right, not } => {
                let (a, b) = (self.expr(left)?, self.expr(right)?);
                let (a, b) = match self.distinct_from_null((left, a), (right, b), *not)? {
                    Ok(x) => return Ok(x),
                    Err(both) => both,
                };
                let (eq, a, b) = self.equality(a, b).map_err(|x| self.blame(x, e.at, &[left, right]))?;
                Ok(Expr::IsDistinct { eq, left: Box::new(a), right: Box::new(b), negated: *not })
            }
            K::In { arg, list, not } => {
                let x = self.in_list(arg, list, e.at)?;
                Ok(if *not { Expr::Not(Box::new(x)) } else { x })
            }
            K::Between { arg, low, high, not, symmetric } => self.between(e.at, [arg, low, high], *not, *symmetric),
            K::Like { kind, arg, pattern, escape, not } => {
                self.like(e.at, *kind, *not, arg, pattern, escape.as_deref())
            }
            K::Cast { arg, to, .. } => self.written_cast(arg, to, e.at),
            K::Collate { arg, collation } => {
                let x = self.expr(arg)?;
                match x.ty().oid {
                    oid::UNKNOWN => known_collation(collation)?,
                    _ => collatable(collation, x.ty())?,
                }
                self.record_collation(x, collation)
            }
            K::Indirection { arg, steps } => self.access(arg, steps),
            K::Row { fields, .. } => {
                let fields = self.fields(fields)?;
                fields.into_iter().map(|f| self.known(f)).collect::<Result<_>>().map(Expr::Row)
            }
            K::Array(items) => self.array(items, None),
            K::Case { arg, whens, default } => {
                self.without_sets("CASE", |b| b.case(arg.as_deref(), whens, default.as_deref()))
            }
            K::Coalesce(args) => {
                let (args, ty) = self.without_sets("COALESCE", |b| b.unified(args, "COALESCE"))?;
                Ok(Expr::Coalesce(args, ty))
            }
            K::MinMax { greatest, args } => {
                let (args, ty) = self.unified(args, if *greatest { "GREATEST" } else { "LEAST" })?;
                if func::less_than(ty.oid).is_none() {
                    bail!(UNDEFINED_FUNCTION, "could not identify a comparison function for type {}", show(ty.oid));
                }
                Ok(Expr::Extreme(args, *greatest, ty))
            }
            K::NullIf(left, right) => self.null_if(left, right, e.at),
            K::Call(f) => self.call(f),
            K::Value(v) => self.value_function(*v),
            K::Grouping(args) => {
                let at = args.first().map_or(e.at, |a| a.leftmost());
                let args = args.iter().map(|a| self.expr(a)).collect::<Result<_>>()?;
                let id = self.new_col();
                self.level().grouping.push(GroupingCall { id, args, at });
                Ok(Expr::Col(id, Type::INT4))
            }
            K::SubLink(s) => self.sublink(s),
            K::Default => bail!(SYNTAX_ERROR, "DEFAULT is not allowed in this context"),
            K::CurrentOf(_) => Err(Error::unsupported("WHERE CURRENT OF")),
            K::Xml(x) => self.xml(x, e.at),
        }
    }

    /// The error of an operator or the like: at the operand that did not fit, if it is one's, else at the operator.
    fn blame(&self, e: Error, at: At, operands: &[&A]) -> Error {
        match self.culprit.and_then(|i| operands.get(i)) {
            Some(x) => self.place(e, x.leftmost()),
            None => self.place(e, at),
        }
    }

    fn logic(&mut self, list: &[A], and: bool) -> Result<Expr> {
        let name = if and { "AND" } else { "OR" };
        let mut out = Vec::with_capacity(list.len());
        for item in list {
            let x = self.expr(item)?;
            match (and, self.to_bool(x, name).map_err(|e| self.place(e, item.leftmost()))?) {
                (true, Expr::And(v)) | (false, Expr::Or(v)) => out.extend(v),
                (_, x) => out.push(x),
            }
        }
        Ok(if and { Expr::And(out) } else { Expr::Or(out) })
    }

    fn param(&mut self, n: u32) -> Result<Expr> {
        if let Some(e) = self.numbered(n)? {
            return Ok(e);
        }
        if n == 0 || n > u16::MAX as u32 || self.recording() {
            bail!(UNDEFINED_PARAMETER, "there is no parameter ${n}");
        }
        if self.cx.params.len() < n as usize {
            self.cx.params.resize(n as usize, 0);
        }
        let n = n as u16 - 1;
        // Drivers that do not tell procedures from functions declare what is OUT so.
        if let Some(t) = self.cx.params.get_mut(usize::from(n)).filter(|t| self.calling && **t == oid::VOID) {
            *t = oid::UNKNOWN;
        }
        Ok(Expr::Param(n, self.param_type(n)))
    }

    // Casts

    pub(super) fn cast(&mut self, e: Expr, ty: Type) -> Result<Expr> {
        self.coerce(e, ty, CastContext::Explicit)
    }

    fn written_cast(&mut self, arg: &A, to: &TypeName, at: At) -> Result<Expr> {
        let ty = types::bind_type(to, self.cx.catalog, self.cx.scope).map_err(|e| self.place(e, to.at))?;
        // '...'::type inside ARRAY[] too: the element type is known there.
        let x = match (&arg.kind, ty.element()) {
            (K::Array(items), Some(elem)) => self.array(items, Some(elem)).map_err(|e| self.place(e, arg.at))?,
            _ => self.row_for(arg, ty)?,
        };
        self.cast(x, ty).map_err(|e| {
            let way = e.code() == state::CANNOT_COERCE;
            self.place(e, if way { at } else { arg.leftmost() })
        })
    }

    // Operators

    /// The operator's name in pg_operator; one of another schema is none of ours, by whatever name.
    fn operator_name<'n>(&self, op: &'n OperatorName) -> Result<Cow<'n, str>> {
        let name = op.symbol.as_str();
        match op.schema.last() {
            None => Ok(name.into()),
            // Nobody else has an operator of that name, which might fit better than the server's own.
            Some(s) if s == "pg_catalog" && self.cx.catalog.has_only_own_operators(name) => Ok(name.into()),
            Some(s) => {
                self.check_schema(coerce::Callee::in_schema(s, name)).map_err(Error::nowhere)?;
                Ok(format!("{s}.{name}").into())
            }
        }
    }

    /// A chain of operators is walked down its left side in a loop: it may be long.
    fn operators(&mut self, e: &A) -> Result<Expr> {
        let mut chain = vec![e];
        let mut top = e;
        while let K::Operator { left: Some(left), .. } = &top.kind
            && let K::Operator { .. } = left.kind
        {
            chain.push(left);
            top = left;
        }
        let mut so_far = None;
        while let Some(e) = chain.pop() {
            so_far = Some(self.operation(so_far, e).map_err(|x| self.place(x, e.at))?);
        }
        so_far.ok_or_else(|| Error::internal("an operator was expected"))
    }

    /// One operator; `bound` is its left side when that is bound already.
    fn operation(&mut self, bound: Option<Expr>, e: &A) -> Result<Expr> {
        let K::Operator { op, left, right } = &e.kind else {
            return Err(Error::internal("an operator was expected"));
        };
        let name = self.operator_name(op)?;
        let Some(left) = left else {
            let x = self.expr(right)?;
            let call = self.operator(&name, None, x).map_err(|x| self.blame(x, e.at, &[right]))?;
            return Ok(self.inlined(call));
        };
        let sides = [left.as_ref(), right.as_ref()];
        match (&left.kind, &right.kind) {
            (K::Row { fields: l, .. }, K::Row { fields: r, .. }) => {
                let (a, b) = (self.fields(l)?, self.fields(r)?);
                return self.compare_rows(a, &name, b, sides);
            }
            (K::Row { fields, .. }, K::SubLink(s)) if matches!(s.kind, SubLinkKind::Scalar) => {
                return self.row_and_subquery(fields, &name, &s.query, sides);
            }
            _ => {}
        }
        let l = match bound {
            Some(l) => l,
            None => self.expr(left)?,
        };
        let r = self.expr(right)?;
        // Rows written as such are compared field by field; whole rows as values, in which NULL equals NULL.
        if let (Expr::Row(a), Expr::Row(b)) = (&l, &r) {
            return self.compare_rows(a.clone(), &name, b.clone(), sides);
        }
        let call = self.operator(&name, Some(l), r).map_err(|x| self.blame(x, e.at, &sides))?;
        Ok(self.inlined(call))
    }

    /// `a op ANY (array)`, with `all`: ALL
    fn array_operator(&mut self, op: &OperatorName, all: bool, left: &A, right: &A) -> Result<Expr> {
        let name = self.operator_name(op)?;
        let l = self.expr(left)?;
        let arr = self.expr(right)?;
        // An unknown array takes the left side's type, or that of an operator's right side where there is none between two of the left side's.
        let arr = if is_unknown(&arr) {
            let own = if is_unknown(&l) { oid::TEXT } else { l.ty().oid };
            let elem = match self.find_operator(&name, Some(own), own) {
                Ok(_) => own,
                Err(e) => match self.find_operator(&name, Some(own), oid::UNKNOWN) {
                    Ok((o, _)) if oid::array_of(o.right).is_some() => o.right,
                    _ => return Err(e),
                },
            };
            let a = array_type(elem)?;
            self.coerce(arr, Type::new(a), CastContext::Implicit).map_err(|e| self.place(e, right.leftmost()))?
        } else {
            arr
        };
        let Some(elem) = arr.ty().element() else {
            bail!(WRONG_OBJECT_TYPE, "op ANY/ALL (array) requires array on right side");
        };
        let (o, _) = self.find_operator(&name, Some(l.ty().oid), elem.oid)?;
        if o.ret != oid::BOOL {
            bail!(WRONG_OBJECT_TYPE, "op ANY/ALL (array) requires operator to yield boolean");
        }
        let mut want = [o.left, o.right];
        super::coerce::instantiate(self.ways(), &mut want, &[l.ty().oid, elem.oid], o.ret)?;
        let l =
            self.coerce(l, Type::new(want[0]), CastContext::Implicit).map_err(|e| self.place(e, left.leftmost()))?;
        let arr = match oid::array_of(want[1]) {
            Some(a) if a != arr.ty().oid => self.coerce(arr, Type::new(a), CastContext::Implicit)?,
            _ => arr,
        };
        Ok(Expr::AnyAll { op: o.f.clone(), left: Box::new(l), array: Box::new(arr), all })
    }

    fn between(&mut self, at: At, [arg, low, high]: [&A; 3], not: bool, symmetric: bool) -> Result<Expr> {
        let (a, l, h) = (self.expr(arg)?, self.expr(low)?, self.expr(high)?);
        let ways = if symmetric {
            vec![(l.clone(), low, h.clone(), high), (h, high, l, low)]
        } else {
            vec![(l, low, h, high)]
        };
        let (from, to) = if not { ("<", ">") } else { (">=", "<=") };
        let mut sides = Vec::with_capacity(ways.len());
        for (l, low, h, high) in ways {
            let x = self.operator(from, Some(a.clone()), l).map_err(|e| self.blame(e, at, &[arg, low]))?;
            let y = self.operator(to, Some(a.clone()), h).map_err(|e| self.blame(e, at, &[arg, high]))?;
            sides.push(if not { Expr::Or(vec![x, y]) } else { Expr::And(vec![x, y]) });
        }
        Ok(match sides.len() {
            1 => sides.swap_remove(0),
            _ if not => Expr::And(sides),
            _ => Expr::Or(sides),
        })
    }

    fn like(&mut self, at: At, kind: LikeKind, not: bool, arg: &A, pattern: &A, escape: Option<&A>) -> Result<Expr> {
        let l = self.expr(arg)?;
        let mut p = self.expr(pattern)?;
        if escape.is_some() || kind == LikeKind::Similar {
            let f = if kind == LikeKind::Similar { "similar_to_escape" } else { "like_escape" };
            let mut args = vec![p];
            if let Some(x) = escape {
                args.push(self.expr(x)?);
            }
            p = self.function(f, args, false)?;
        }
        let op = match (kind, not) {
            (LikeKind::Like, false) => "~~",
            (LikeKind::Like, true) => "!~~",
            (LikeKind::ILike, false) => "~~*",
            (LikeKind::ILike, true) => "!~~*",
            (LikeKind::Similar, false) => "~",
            (LikeKind::Similar, true) => "!~",
        };
        self.operator(op, Some(l), p).map_err(|e| self.blame(e, at, &[arg, pattern]))
    }

    // Predicates

    fn is_null(&mut self, e: &A, not: bool) -> Result<Expr> {
        let x = self.expr(e)?;
        if self.recording() {
            let x = self.known(x)?;
            return Ok(Expr::IsNull(Box::new(x), not));
        }
        let x = self.row_fields(x);
        if let Expr::Row(fields) = x {
            // A row IS NULL when all its fields are, IS NOT NULL when none is.
            let fields: Result<Vec<Expr>> = fields.into_iter().map(|f| self.field_is_null(f, not)).collect();
            return Ok(Expr::And(fields?));
        }
        let x = self.known(x)?;
        Ok(Expr::IsNull(Box::new(x), not))
    }
    /// `x IS DISTINCT FROM NULL`, where NULL has no type, is `x IS NOT NULL`, but for a row, whose fields are not looked at. Err: it is none, or a row.
    fn distinct_from_null(
        &mut self,
        (left, a): (&A, Expr),
        (right, b): (&A, Expr),
        not: bool,
    ) -> Result<std::result::Result<Expr, (Expr, Expr)>> {
        let null = |e: &A| matches!(e.kind, K::Literal(pamir_parse::tree::Literal::Null));
        let row = |e: &Expr| e.ty().oid == oid::RECORD || oid::is_composite(e.ty().oid);
        let x = match (null(left), null(right)) {
            (_, true) if !row(&a) => a,
            (true, _) if !row(&b) => b,
            _ => return Ok(Err((a, b))),
        };
        let x = self.known(x)?;
        Ok(Ok(Expr::IsNull(Box::new(x), !not)))
    }
    /// Of a row's field: one that is a row itself is not looked into.
    fn field_is_null(&mut self, e: Expr, not: bool) -> Result<Expr> {
        if e.ty().oid != oid::RECORD {
            return Ok(Expr::IsNull(Box::new(e), not));
        }
        let none = Expr::Const(Datum::Null, e.ty());
        let (eq, left, right) = self.equality(e, none)?;
        Ok(Expr::IsDistinct { eq, left: Box::new(left), right: Box::new(right), negated: !not })
    }
    fn is_bool(&mut self, e: &A, test: BoolTest, not: bool) -> Result<Expr> {
        let (value, what) = match (test, not) {
            (BoolTest::True, false) => (Some(true), "IS TRUE"),
            (BoolTest::True, true) => (Some(true), "IS NOT TRUE"),
            (BoolTest::False, false) => (Some(false), "IS FALSE"),
            (BoolTest::False, true) => (Some(false), "IS NOT FALSE"),
            (BoolTest::Unknown, false) => (None, "IS UNKNOWN"),
            (BoolTest::Unknown, true) => (None, "IS NOT UNKNOWN"),
        };
        let x = self.expr(e)?;
        let x = self.to_bool(x, what).map_err(|x| self.place(x, e.leftmost()))?;
        Ok(Expr::IsBool(Box::new(x), value, not))
    }

    fn in_list(&mut self, arg: &A, written: &[A], at: At) -> Result<Expr> {
        let e = self.operand(arg)?;
        let mut items = Vec::with_capacity(written.len());
        for i in written {
            items.push(self.operand(i)?);
        }
        // One common type where there is one (transformAExprIn): `e` takes part in choosing it.
        let types: Vec<_> = std::iter::once(&e).chain(&items).map(|x| x.ty().oid).collect();
        if let Ok(t) = coerce::common_type(self.ways(), &types) {
            let t = Type::new(t);
            let simple = items.iter().all(|x| !matches!(x, Expr::Row(_)));
            if simple && let Ok((op, _)) = self.find_operator("=", Some(t.oid), t.oid) {
                let mut list = Vec::with_capacity(items.len());
                for (x, a) in std::iter::zip(items, written) {
                    let x = self.coerce(x, t, CastContext::Implicit).map_err(|e| self.place(e, a.leftmost()))?;
                    list.push(self.coerce(x, Type::new(op.right), CastContext::Implicit)?);
                }
                let e = self.known_row(e)?;
                let e = self.coerce(e, t, CastContext::Implicit).map_err(|e| self.place(e, arg.leftmost()))?;
                let e = self.coerce(e, Type::new(op.left), CastContext::Implicit)?;
                if list.len() == 1
                    && let Some(one) = list.pop()
                {
                    return Ok(Expr::Call { f: op.f.clone(), args: vec![e, one], ty: Type::BOOL });
                }
                return Ok(Expr::InList { eq: op.f.clone(), e: Box::new(e), list: Arc::new(list) });
            }
        }
        let mut ors = Vec::with_capacity(items.len());
        for (x, a) in std::iter::zip(items, written) {
            ors.push(match (&e, x) {
                (Expr::Row(l), Expr::Row(r)) => self.compare_rows(l.clone(), "=", r, [arg, a])?,
                (e, x) => {
                    let (e, x) = (self.known_row(e.clone())?, self.known_row(x)?);
                    self.operator("=", Some(e), x).map_err(|e| self.blame(e, at, &[arg, a]))?
                }
            });
        }
        Ok(if ors.len() == 1 { ors.swap_remove(0) } else { Expr::Or(ors) })
    }
    /// A row as a value: its literals have types.
    fn known_row(&mut self, e: Expr) -> Result<Expr> {
        match e {
            Expr::Row(fields) => fields.into_iter().map(|f| self.known(f)).collect::<Result<_>>().map(Expr::Row),
            e => Ok(e),
        }
    }

    // Constructors

    /// Expressions of one type; what does not fit is to blame.
    fn unified(&mut self, written: &[A], what: &str) -> Result<(Vec<Expr>, Type)> {
        let bound = written.iter().map(|x| self.expr(x)).collect::<Result<Vec<_>>>()?;
        self.unify(bound, what).map_err(|e| match self.culprit.and_then(|i| written.get(i)) {
            Some(x) => self.place(e, x.leftmost()),
            None => e,
        })
    }

    /// `ARRAY[...]`; `elem`: the elements' type, where a cast around it tells.
    fn array(&mut self, items: &[A], elem: Option<Type>) -> Result<Expr> {
        let mut out = Vec::with_capacity(items.len());
        for i in items {
            out.push(match (&i.kind, elem) {
                (K::Array(items), _) => self.array(items, elem).map_err(|e| self.place(e, i.at))?,
                (_, Some(t)) => self.row_for(i, t)?,
                _ => self.expr(i)?,
            });
        }
        if let Some(t) = elem {
            let a = array_type(t.oid)?;
            // One array among the elements makes arrays of all: '{...}' beside it is one.
            let to = if out.iter().any(|x| is_array(x.ty().oid)) { Type::with_mod(a, t.typmod) } else { t };
            let mut cast = Vec::with_capacity(out.len());
            for (x, i) in std::iter::zip(out, items) {
                let x = self.cast(x, to).map_err(|e| self.place(e, i.leftmost()))?;
                cast.push(self.stored_as(x));
            }
            // An array of a domain holds what the domain is over.
            let ty = Type::with_mod(a, t.typmod);
            let stored = self.cx.catalog.base_type(ty);
            let array = Expr::Array(cast, stored);
            let relabel = |e| Expr::Cast { e: Box::new(e), f: pamir_expr::ir::CastHow::Relabel, ty, explicit: false };
            return Ok(if stored.oid == ty.oid { array } else { relabel(array) });
        }
        if out.is_empty() {
            return Err(err!(INDETERMINATE_DATATYPE, "cannot determine type of empty array")
                .hint("Explicitly cast to the desired type, for example ARRAY[]::integer[]."));
        }
        let out = out.into_iter().map(|e| self.stored_as(e)).collect();
        let (out, ty) = self.unify(out, "ARRAY").map_err(|e| match self.culprit.and_then(|i| items.get(i)) {
            Some(x) => self.place(e, x.leftmost()),
            None => e,
        })?;
        // Nested arrays: the type stays the inner array's. Vectors are elements as they are.
        let a = if is_array(ty.oid) { ty.oid } else { array_type(ty.oid)? };
        Ok(Expr::Array(out, Type::new(a)))
    }

    /// What `f` binds has no set-returning function.
    fn without_sets<T>(&mut self, what: &str, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.level().set_at.take();
        let bound = f(self)?;
        match std::mem::replace(&mut self.level().set_at, before) {
            None => Ok(bound),
            Some(at) => {
                let e = err!(FEATURE_NOT_SUPPORTED, "set-returning functions are not allowed in {what}")
                    .hint("You might be able to move the set-returning function into a LATERAL FROM item.");
                Err(self.at(e, at))
            }
        }
    }
    fn case(&mut self, operand: Option<&A>, whens: &[(A, A)], otherwise: Option<&A>) -> Result<Expr> {
        let operand = match operand {
            Some(o) => {
                let x = self.expr(o)?;
                Some(self.known(x)?)
            }
            None => None,
        };
        let mut conds = Vec::with_capacity(whens.len());
        let mut results = Vec::with_capacity(whens.len() + 1);
        for (cond, result) in whens {
            let x = self.expr(cond)?;
            let c = match &operand {
                Some(o) => self.operator("=", Some(o.clone()), x),
                None => self.to_bool(x, "CASE/WHEN"),
            };
            conds.push(c.map_err(|e| self.place(e, cond.leftmost()))?);
            results.push(self.expr(result)?);
        }
        results.push(match otherwise {
            Some(e) => self.expr(e)?,
            None => Expr::Const(Datum::Null, Type::UNKNOWN),
        });
        // ELSE leads in choosing the type.
        results.rotate_right(1);
        let (mut results, ty) = self.unify(results, "CASE").map_err(|e| {
            let x = self.culprit.and_then(|i| if i == 0 { otherwise } else { whens.get(i - 1).map(|w| &w.1) });
            match x {
                Some(x) => self.place(e, x.leftmost()),
                None => e,
            }
        })?;
        let otherwise = results.remove(0);
        let e = Expr::Case { whens: std::iter::zip(conds, results).collect(), otherwise: Box::new(otherwise), ty };
        self.record_case(&e, operand);
        Ok(e)
    }

    fn null_if(&mut self, left: &A, right: &A, at: At) -> Result<Expr> {
        let (l, r) = (self.expr(left)?, self.expr(right)?);
        let (was, other) = (l.ty(), r.ty());
        let (eq, l, r) = self.equality(l, r).map_err(|e| self.blame(e, at, &[left, right]))?;
        let e = Expr::NullIf { eq, left: Box::new(l), right: Box::new(r) };
        // The result has the type of the operator's left side: the argument's own where PostgreSQL has an operator of the two types.
        let family = |t: Type| match t.oid {
            oid::INT2 | oid::INT4 | oid::INT8 => 1,
            oid::FLOAT4 | oid::FLOAT8 => 2,
            oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ => 3,
            oid::NAME | oid::TEXT => 4,
            _ => 0,
        };
        let own = family(was) != 0 && family(was) == family(other) || oid::is_composite(was.oid);
        if own && e.ty().oid != was.oid { self.coerce(e, was, CastContext::Explicit) } else { Ok(e) }
    }

    /// CURRENT_DATE and other functions without parentheses.
    fn value_function(&mut self, v: ValueFunction) -> Result<Expr> {
        let digits = match v {
            ValueFunction::CurrentTime(d)
            | ValueFunction::CurrentTimestamp(d)
            | ValueFunction::LocalTime(d)
            | ValueFunction::LocalTimestamp(d) => d,
            _ => None,
        };
        let args = digits.map(|d| Expr::Const(Datum::Int4(d), Type::INT4)).into_iter().collect();
        self.function(name::value_function(v), args, false)
    }
}

fn array_type(elem: pamir_types::Oid) -> Result<pamir_types::Oid> {
    oid::array_of(elem).ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(elem)))
}

fn literal(l: &Literal) -> Result<Expr> {
    Ok(match l {
        Literal::Integer(n) => Expr::Const(Datum::Int4(*n), Type::INT4),
        Literal::Float(s) => number(s)?,
        Literal::String(s) => Expr::Const(Datum::Text(long::shared(s)?), Type::UNKNOWN),
        Literal::Bits(s) => Expr::Const(Bits::parse(s, Type::new(oid::BIT))?.into(), Type::new(oid::BIT)),
        Literal::Bool(b) => Expr::Const(Datum::Bool(*b), Type::BOOL),
        Literal::Null => Expr::Const(Datum::Null, Type::UNKNOWN),
    })
}
/// A number that is no plain integer: int8 or numeric, whichever holds it. With its sign it may be an integer, the smallest.
fn number(s: &str) -> Result<Expr> {
    let Ok(v) = s.parse::<i64>() else { return Ok(Expr::Const(Datum::Numeric(Numeric::parse(s)?), Type::NUMERIC)) };
    Ok(match i32::try_from(v) {
        Ok(v) => Expr::Const(Datum::Int4(v), Type::INT4),
        Err(_) => Expr::Const(Datum::Int8(v), Type::INT8),
    })
}
