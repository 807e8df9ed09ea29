//! Expressions: operators, predicates, constructors, subqueries. - [`call`]: calls and aggregates. - [`name`]: output columns' names.
mod call;
mod name;
mod ordered_set;
mod rows;
pub(super) use name::output_name;

use super::coerce::{self, show};
use super::scope::is_unknown;
use super::{Binder, types};
use crate::exec::expr::cmp_named;
use crate::func::{self, CastContext};
use crate::ir::{CmpOp, Expr, RowOp, Subquery, SubqueryKind};
use crate::parser::fold;
use pamir_types::numeric::Numeric;
use pamir_types::{Datum, Error, Result, Type, bail, err, long, oid, work};
use sqlparser::ast::{
    self, BinaryOperator as B, Expr as A, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned, UnaryOperator,
    Value,
};

/// What a node of an expression costs to bind.
const NODE: usize = 200;

/// The operator's name in pg_operator.
pub(super) fn operator_name(op: &B) -> Option<String> {
    Some(
        match op {
            B::Plus => "+",
            B::Minus => "-",
            B::Multiply => "*",
            B::Divide => "/",
            B::Modulo => "%",
            B::StringConcat => "||",
            B::Gt => ">",
            B::Lt => "<",
            B::GtEq => ">=",
            B::LtEq => "<=",
            B::Eq => "=",
            B::NotEq => "<>",
            B::BitwiseOr => "|",
            B::BitwiseAnd => "&",
            B::PGBitwiseXor => "#",
            B::PGBitwiseShiftLeft => "<<",
            B::PGBitwiseShiftRight => ">>",
            B::PGExp | B::BitwiseXor => "^",
            B::PGOverlap => "&&",
            B::PGRegexMatch => "~",
            B::PGRegexIMatch => "~*",
            B::PGRegexNotMatch => "!~",
            B::PGRegexNotIMatch => "!~*",
            B::PGLikeMatch => "~~",
            B::PGILikeMatch => "~~*",
            B::PGNotLikeMatch => "!~~",
            B::PGNotILikeMatch => "!~~*",
            B::PGStartsWith => "^@",
            B::Arrow => "->",
            B::LongArrow => "->>",
            B::HashArrow => "#>",
            B::HashLongArrow => "#>>",
            B::AtAt => "@@",
            B::AtArrow => "@>",
            B::ArrowAt => "<@",
            B::HashMinus => "#-",
            B::AtQuestion => "@?",
            B::Question => "?",
            B::QuestionAnd => "?&",
            B::QuestionPipe => "?|",
            B::DoubleHash => "##",
            B::Spaceship => "<=>",
            B::Custom(s) => return Some(s.clone()),
            B::PGCustomBinaryOperator(parts) => return parts.last().cloned(),
            _ => return None,
        }
        .to_string(),
    )
}

impl Binder<'_, '_> {
    /// Binds an expression; literals and parameters without a type stay `unknown`.
    pub(super) fn expr(&mut self, e: &A) -> Result<Expr> {
        // AND / OR chains are flattened without recursion: they may be long.
        if let A::BinaryOp { op: op @ (B::And | B::Or), .. } = e {
            return self.logic(e, op);
        }
        work::charge(NODE)?;
        if pamir_storage::task::stack_left().is_some_and(|n| n < super::STACK_RESERVE) {
            return Err(crate::parser::too_deep());
        }
        self.expr_inner(e).map_err(|x| self.place(x, e))
    }

    fn logic(&mut self, e: &A, op: &B) -> Result<Expr> {
        let mut parts = Vec::new();
        let mut at = e;
        while let A::BinaryOp { left, op: o, right } = at {
            if o != op {
                break;
            }
            parts.push(right.as_ref());
            at = left;
        }
        parts.push(at);
        let name = if *op == B::And { "AND" } else { "OR" };
        let mut out = Vec::with_capacity(parts.len());
        for p in parts.into_iter().rev() {
            let x = self.expr(p)?;
            let x = self.to_bool(x, name).map_err(|e| self.place(e, p))?;
            match (op, x) {
                (B::And, Expr::And(v)) | (B::Or, Expr::Or(v)) => out.extend(v),
                (_, x) => out.push(x),
            }
        }
        Ok(if *op == B::And { Expr::And(out) } else { Expr::Or(out) })
    }

    fn expr_inner(&mut self, e: &A) -> Result<Expr> {
        Ok(match e {
            A::Identifier(id) if is_reserved_value(id) => self.special_value(&id.value.to_ascii_lowercase())?,
            A::Identifier(id) => {
                if id.quote_style.is_none() && id.value.eq_ignore_ascii_case("default") {
                    return Ok(Expr::Default);
                }
                self.column(id)?
            }
            A::CompoundIdentifier(ids) => self.qualified(ids)?,
            A::Value(v) => self.value(&v.value)?,
            A::Nested(e) => self.expr(e)?,
            A::BinaryOp { left, op, right } => self.binary(left, op, right)?,
            A::UnaryOp { op, expr } => self.unary(op, expr)?,
            A::IsNull(e) => self.is_null(e, false)?,
            A::IsNotNull(e) => self.is_null(e, true)?,
            A::IsTrue(x) => self.is_bool(x, Some(true), false, "IS TRUE")?,
            A::IsNotTrue(x) => self.is_bool(x, Some(true), true, "IS NOT TRUE")?,
            A::IsFalse(x) => self.is_bool(x, Some(false), false, "IS FALSE")?,
            A::IsNotFalse(x) => self.is_bool(x, Some(false), true, "IS NOT FALSE")?,
            A::IsUnknown(x) => self.is_bool(x, None, false, "IS UNKNOWN")?,
            A::IsNotUnknown(x) => self.is_bool(x, None, true, "IS NOT UNKNOWN")?,
            A::IsDistinctFrom(l, r) => self.distinct_from(l, r, false)?,
            A::IsNotDistinctFrom(l, r) => self.distinct_from(l, r, true)?,
            A::InList { expr, list, negated } => self.in_list(expr, list, *negated)?,
            A::InSubquery { expr, subquery, negated } => {
                let x = self.any_subquery(expr, "=", subquery, false)?;
                if *negated { Expr::Not(Box::new(x)) } else { x }
            }
            A::Between { expr, negated, low, high } if symmetric(low).is_some() => {
                let (a, l, h) = (self.expr(expr)?, self.expr(symmetric(low).unwrap_or(low))?, self.expr(high)?);
                let mut sides = Vec::with_capacity(2);
                for (l, h) in [(l.clone(), h.clone()), (h, l)] {
                    let (x, y) = if *negated { ("<", ">") } else { (">=", "<=") };
                    let x = self.operator(x, Some(a.clone()), l)?;
                    let y = self.operator(y, Some(a.clone()), h)?;
                    sides.push(if *negated { Expr::Or(vec![x, y]) } else { Expr::And(vec![x, y]) });
                }
                if *negated { Expr::And(sides) } else { Expr::Or(sides) }
            }
            A::Between { expr, negated, low, high } => {
                let (a, l, h) = (self.expr(expr)?, self.expr(low)?, self.expr(high)?);
                if *negated {
                    let x = self.operator("<", Some(a.clone()), l)?;
                    let y = self.operator(">", Some(a), h)?;
                    Expr::Or(vec![x, y])
                } else {
                    let x = self.operator(">=", Some(a.clone()), l)?;
                    let y = self.operator("<=", Some(a), h)?;
                    Expr::And(vec![x, y])
                }
            }
            A::Like { negated, any, expr, pattern, escape_char } => {
                self.like(if *negated { "!~~" } else { "~~" }, *any, expr, pattern, escape_char.as_deref())?
            }
            A::ILike { negated, any, expr, pattern, escape_char } => {
                self.like(if *negated { "!~~*" } else { "~~*" }, *any, expr, pattern, escape_char.as_deref())?
            }
            A::SimilarTo { negated, expr, pattern, escape_char } => {
                let l = self.expr(expr)?;
                let mut args = vec![self.expr(pattern)?];
                if let Some(x) = escape_char {
                    args.push(self.expr(x)?);
                }
                let p = self.function("similar_to_escape", args, false)?;
                self.operator(if *negated { "!~" } else { "~" }, Some(l), p)?
            }
            A::AnyOp { left, compare_op, right, .. } => self.any_all(left, compare_op, right, false)?,
            A::AllOp { left, compare_op, right } => self.any_all(left, compare_op, right, true)?,
            A::Cast { expr, data_type, kind, .. } => {
                if !matches!(kind, ast::CastKind::Cast | ast::CastKind::DoubleColon) {
                    return Err(Error::unsupported("TRY_CAST"));
                }
                let ty = match self.row_type(data_type) {
                    Some((t, name)) => {
                        let x = self.expr(expr)?;
                        return self.cast_to_row(x, t, &name);
                    }
                    None => {
                        types::bind_type(data_type, self.cx.catalog).map_err(|x| self.after_skipping(x, expr, "as"))?
                    }
                };
                // '...'::type inside ARRAY[] too: the element type is known there.
                let x = match (expr.as_ref(), ty.element()) {
                    (A::Array(a), Some(elem)) => self.array(&a.elem, Some(elem))?,
                    _ => self.expr(expr)?,
                };
                self.cast(x, ty).map_err(|x| match (x.code().as_str(), kind) {
                    ("42846", ast::CastKind::DoubleColon) => self.after(x, expr),
                    _ => x,
                })?
            }
            A::TypedString(t) => {
                let ty = types::bind_type(&t.data_type, self.cx.catalog)?;
                let v = self.value(&t.value.value)?;
                self.cast(v, ty)?
            }
            A::Interval(i) => self.interval(i)?,
            A::AtTimeZone { timestamp, time_zone } => {
                let (t, z) = (self.expr(timestamp)?, self.expr(time_zone)?);
                self.function("timezone", vec![z, t], false)?
            }
            A::Extract { field, expr, .. } => {
                let f = match field {
                    ast::DateTimeField::Custom(i) => i.value.to_ascii_lowercase(),
                    f => f.to_string().to_ascii_lowercase(),
                };
                let x = self.expr(expr)?;
                self.function("extract", vec![Expr::Const(f.into(), Type::TEXT), x], false)?
            }
            A::Ceil { expr, field } | A::Floor { expr, field } => {
                let name = if matches!(e, A::Ceil { .. }) { "ceil" } else { "floor" };
                if !matches!(field, ast::CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime)) {
                    return Err(coerce::no_function(name, &[]));
                }
                let x = self.expr(expr)?;
                self.function(name, vec![x], false)?
            }
            A::Position { expr, r#in } => {
                let (needle, hay) = (self.expr(expr)?, self.expr(r#in)?);
                self.function("position", vec![hay, needle], false)?
            }
            A::Substring { expr, substring_from, substring_for, shorthand, .. } => {
                let mut args = vec![self.expr(expr)?];
                match (substring_from, substring_for) {
                    (Some(f), l) => {
                        args.push(self.expr(f)?);
                        if let Some(l) = l {
                            args.push(self.expr(l)?);
                        }
                    }
                    (None, Some(l)) => {
                        args.push(Expr::Const(Datum::Int4(1), Type::INT4));
                        args.push(self.expr(l)?);
                    }
                    (None, None) => {}
                }
                self.function(if *shorthand { "substr" } else { "substring" }, args, false)?
            }
            A::Trim { trim_where, trim_what, expr, trim_characters } => {
                let name = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "ltrim",
                    Some(ast::TrimWhereField::Trailing) => "rtrim",
                    _ => "btrim",
                };
                let mut args = vec![self.expr(expr)?];
                if let Some(w) = trim_what {
                    args.push(self.expr(w)?);
                }
                for c in trim_characters.iter().flatten() {
                    args.push(self.expr(c)?);
                }
                self.function(name, args, false)?
            }
            A::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let mut args = vec![self.expr(expr)?, self.expr(overlay_what)?, self.expr(overlay_from)?];
                if let Some(f) = overlay_for {
                    args.push(self.expr(f)?);
                }
                self.function("overlay", args, false)?
            }
            A::Collate { expr, collation } => {
                let n = crate::parser::name_parts(collation)?;
                match n.last().map(String::as_str) {
                    Some("default" | "C" | "POSIX" | "ucs_basic") => self.expr(expr)?,
                    Some(n) => {
                        return Err(self.after(
                            err!(UNDEFINED_OBJECT, "collation \"{n}\" for encoding \"UTF8\" does not exist"),
                            expr,
                        ));
                    }
                    None => bail!(SYNTAX_ERROR, "syntax error at end of input"),
                }
            }
            A::Function(f) => self.call(f)?,
            A::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())?
            }
            A::Exists { subquery, negated } => {
                let x = self.exists(subquery)?;
                if *negated { Expr::Not(Box::new(x)) } else { x }
            }
            A::Subquery(q) => self.scalar_subquery(q)?,
            A::Tuple(items) => {
                let mut v = Vec::with_capacity(items.len());
                for i in items {
                    let x = self.expr(i)?;
                    v.push(self.known(x)?);
                }
                Expr::Row(v)
            }
            A::Array(a) => self.array(&a.elem, None)?,
            A::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain)?,
            A::Wildcard(_) | A::QualifiedWildcard(..) => bail!(SYNTAX_ERROR, "syntax error at or near \"*\""),
            A::GroupingSets(_) | A::Cube(_) | A::Rollup(_) => {
                bail!(SYNTAX_ERROR, "grouping sets are allowed only in GROUP BY")
            }
            A::Prefixed { .. } => bail!(SYNTAX_ERROR, "syntax error"),
            A::IsJson { .. } => return Err(Error::unsupported("IS JSON")),
            A::IsNormalized { expr, form, negated } => {
                let mut args = vec![self.expr(expr)?];
                args.extend(form.as_ref().map(|f| Expr::Const(f.to_string().into(), Type::TEXT)));
                let e = self.function("is_normalized", args, false)?;
                if *negated { Expr::Not(Box::new(e)) } else { e }
            }
            A::Named { .. } => return Err(Error::unsupported("named arguments")),
            _ => return Err(Error::unsupported("this expression")),
        })
    }

    fn value(&mut self, v: &Value) -> Result<Expr> {
        Ok(match v {
            Value::Number(s, _) => number(s, false)?,
            Value::SingleQuotedString(s)
            | Value::EscapedStringLiteral(s)
            | Value::UnicodeStringLiteral(s)
            | Value::NationalStringLiteral(s) => Expr::Const(Datum::Text(long::shared(s)?), Type::UNKNOWN),
            Value::DollarQuotedString(s) => Expr::Const(Datum::Text(long::shared(&s.value)?), Type::UNKNOWN),
            Value::Boolean(b) => Expr::Const(Datum::Bool(*b), Type::BOOL),
            Value::Null => Expr::Const(Datum::Null, Type::UNKNOWN),
            Value::Placeholder(p) => {
                let n: u32 = p
                    .strip_prefix('$')
                    .and_then(|n| n.parse().ok())
                    .ok_or_else(|| err!(SYNTAX_ERROR, "syntax error at or near \"{p}\""))?;
                if n == 0 || n > u16::MAX as u32 {
                    bail!(UNDEFINED_PARAMETER, "there is no parameter ${n}");
                }
                if self.cx.params.len() < n as usize {
                    self.cx.params.resize(n as usize, 0);
                }
                let n = n as u16 - 1;
                Expr::Param(n, self.param_type(n))
            }
            Value::HexStringLiteral(_) | Value::SingleQuotedByteStringLiteral(_) => {
                return Err(Error::unsupported("bit string literals"));
            }
            _ => bail!(SYNTAX_ERROR, "syntax error at or near \"{v}\""),
        })
    }

    pub(super) fn cast(&mut self, e: Expr, ty: Type) -> Result<Expr> {
        self.coerce(e, ty, CastContext::Explicit)
    }

    fn interval(&mut self, i: &ast::Interval) -> Result<Expr> {
        use ast::{DateTimeField as F, IntervalFields as I};
        let fields = match (&i.leading_field, &i.last_field) {
            (None, _) => None,
            (Some(F::Year | F::Years), None) => Some(I::Year),
            (Some(F::Month | F::Months), None) => Some(I::Month),
            (Some(F::Day | F::Days), None) => Some(I::Day),
            (Some(F::Hour | F::Hours), None) => Some(I::Hour),
            (Some(F::Minute | F::Minutes), None) => Some(I::Minute),
            (Some(F::Second | F::Seconds), None) => Some(I::Second),
            (Some(F::Year), Some(F::Month)) => Some(I::YearToMonth),
            (Some(F::Day), Some(F::Hour)) => Some(I::DayToHour),
            (Some(F::Day), Some(F::Minute)) => Some(I::DayToMinute),
            (Some(F::Day), Some(F::Second)) => Some(I::DayToSecond),
            (Some(F::Hour), Some(F::Minute)) => Some(I::HourToMinute),
            (Some(F::Hour), Some(F::Second)) => Some(I::HourToSecond),
            (Some(F::Minute), Some(F::Second)) => Some(I::MinuteToSecond),
            (Some(f), _) => bail!(SYNTAX_ERROR, "syntax error at or near \"{f}\""),
        };
        // SECOND(p) alone: the parser takes p for a leading precision.
        let seconds = if i.last_field.is_none() { i.leading_precision } else { None };
        let v = self.expr(&i.value)?;
        let ty = match fields {
            None => Type::new(oid::INTERVAL),
            Some(f) => Type::with_mod(
                oid::INTERVAL,
                (crate::parser::special::interval_mask(&f) << 16)
                    | i.fractional_seconds_precision.or(seconds).map_or(0xffff, |p| p as i32),
            ),
        };
        self.cast(v, ty)
    }

    /// A chain of operators is walked down its left side in a loop: it may be long.
    fn binary(&mut self, left: &A, op: &B, right: &A) -> Result<Expr> {
        let mut steps = vec![(left, op, right)];
        while let A::BinaryOp { left, op, right } = steps[steps.len() - 1].0 {
            if matches!(op, B::And | B::Or) {
                break;
            }
            steps.push((left, op, right));
        }
        // A prefix operator other than the signs takes the whole sum after it; the parser gives it the first term only.
        let mut prefix = None;
        if let Some((left, B::Plus | B::Minus, _)) = steps.last_mut()
            && let A::UnaryOp { op, expr } = *left
            && let Some(name) = prefix_name(op)
        {
            prefix = Some(name);
            *left = expr;
        }
        // Comparisons do not chain.
        let compares = |o: &B| matches!(o, B::Eq | B::NotEq | B::Lt | B::Gt | B::LtEq | B::GtEq);
        if let Some(w) = steps.windows(2).find(|w| compares(w[0].1) && compares(w[1].1)) {
            let e = err!(SYNTAX_ERROR, "syntax error at or near \"{}\"", w[0].1);
            return Err(self.after(e, w[0].0));
        }
        let mut so_far = None;
        while let Some((left, op, right)) = steps.pop() {
            if !matches!(op, B::Plus | B::Minus)
                && let Some(name) = prefix.take()
                && let Some(x) = so_far.take()
            {
                so_far = Some(self.operator(name, None, x)?);
            }
            // On the right side too: `1 + ~ 2 - 3` is `1 + ~ (2 - 3)`.
            if matches!(op, B::Plus | B::Minus | B::Multiply | B::Divide | B::Modulo)
                && let A::UnaryOp { op: u, expr } = right
                && let Some(u) = prefix_name(u)
                && matches!(steps.last(), Some((_, B::Plus | B::Minus, _)))
            {
                let l = match so_far.take() {
                    Some(l) => l,
                    None => self.expr(left)?,
                };
                let mut x = self.expr(expr)?;
                while let Some((l, o @ (B::Plus | B::Minus), r)) = steps.last().copied() {
                    steps.pop();
                    x = self.binary_step(Some(x), l, o, r)?;
                }
                let r = self.operator(u, None, x)?;
                let name = operator_name(op).unwrap_or_default();
                so_far = Some(self.operator(&name, Some(l), r)?);
                continue;
            }
            so_far = Some(self.binary_step(so_far, left, op, right)?);
        }
        if let Some(name) = prefix
            && let Some(x) = so_far.take()
        {
            so_far = Some(self.operator(name, None, x)?);
        }
        so_far.ok_or_else(|| Error::internal("an operator was expected"))
    }

    /// One operator; `bound` is the left side when it is bound already.
    fn binary_step(&mut self, bound: Option<Expr>, left: &A, op: &B, right: &A) -> Result<Expr> {
        match (left, right) {
            (A::Tuple(l), A::Tuple(r)) if matches!(op, B::Overlaps) => {
                return self.overlaps(l, r).map_err(|e| self.operator_place(e, "overlaps", left, right));
            }
            (A::Tuple(l), A::Tuple(r)) => return self.row_compare(l, op, r),
            (A::Tuple(l), A::Subquery(q)) => return self.row_and_subquery(l, op, left, q),
            _ => {}
        }
        let Some(name) = operator_name(op) else {
            return Err(match op {
                B::Overlaps => Error::unsupported("OVERLAPS"),
                op => err!(SYNTAX_ERROR, "syntax error at or near \"{op}\""),
            });
        };
        let l = match bound {
            Some(l) => l,
            None => self.expr(left)?,
        };
        let r = self.expr(right)?;
        // Rows written as such are compared field by field; whole rows as values, in which NULL equals NULL.
        if let (Expr::Row(a), Expr::Row(b)) = (&l, &r) {
            return self.row_compare_bound(a.clone(), &name, b.clone());
        }
        self.operator(&name, Some(l), r).map_err(|e| self.operator_place(e, &name, left, right))
    }

    /// `(start, end) OVERLAPS (start, end)`
    fn overlaps(&mut self, l: &[A], r: &[A]) -> Result<Expr> {
        for (side, name) in [(l, "left"), (r, "right")] {
            if side.len() != 2 {
                bail!(SYNTAX_ERROR, "wrong number of parameters on {name} side of OVERLAPS expression");
            }
        }
        let mut args = Vec::with_capacity(4);
        for x in l.iter().chain(r) {
            args.push(self.expr(x)?);
        }
        self.function("overlaps", args, false)
    }

    /// Errors of a literal's input conversion belong to the literal, others to the operator.
    fn operator_place(&self, e: Error, name: &str, left: &A, right: &A) -> Error {
        if e.data().position.is_some() {
            return e;
        }
        let code = e.code();
        if code.as_str().starts_with("22") {
            for side in [right, left] {
                if matches!(side, A::Value(_)) {
                    return self.place(e, side);
                }
            }
        }
        // The operator stands between the operands, whose known extents may leave out casts: `a::text = CAST(b AS text)`.
        let (l, r) = (left.span(), right.span());
        let between = crate::parser::slice(self.cx.text, l.end, r.start);
        let mut skip = between.chars().take_while(|c| c.is_whitespace() || *c == ')').count() as u32;
        let spelled = |s: &str| s.starts_with(name) || name == "<>" && s.starts_with("!=");
        let here = between.char_indices().nth(skip as usize).map_or("", |c| &between[c.0..]);
        if !spelled(here)
            && let Some(i) = between.char_indices().rev().map(|(i, _)| i).find(|i| spelled(&between[*i..]))
        {
            skip = between[..i].chars().count() as u32;
        }
        match self.position(l.end) {
            Some(p) if !self.cx.text.is_empty() => e.at(Some(p + skip)),
            _ => e,
        }
    }

    /// Gives an error the place of what follows an operand: the operator.
    fn after(&self, e: Error, left: &A) -> Error {
        self.after_skipping(e, left, "")
    }
    /// As `after`, past one of the given words too.
    fn after_skipping(&self, e: Error, left: &A, word: &str) -> Error {
        let end = left.span().end;
        let Some(p) = self.position(end) else { return e };
        let rest: String = self.cx.text.chars().skip(p as usize - 1).collect();
        let blank = |s: &str| s.chars().take_while(|c| c.is_whitespace() || *c == ')').count();
        let mut n = blank(&rest);
        if !word.is_empty() {
            let tail: String = rest.chars().skip(n).collect();
            let w = if tail.starts_with("::") {
                2
            } else if tail.to_ascii_lowercase().starts_with(word) {
                word.len()
            } else {
                0
            };
            n += w;
            let tail: String = tail.chars().skip(w).collect();
            n += blank(&tail);
        }
        e.at(Some(p + n as u32))
    }
    /// Gives an error the place of a prefix operator.
    fn before(&self, e: Error, operand: &A, op: &str) -> Error {
        let Some(p) = self.position(operand.span().start) else { return e };
        let head: Vec<char> = self.cx.text.chars().take(p as usize - 1).collect();
        let blank = head.iter().rev().take_while(|c| c.is_whitespace() || **c == '(').count();
        e.at(Some((p as usize - blank).saturating_sub(op.chars().count()) as u32))
    }

    fn unary(&mut self, op: &UnaryOperator, expr: &A) -> Result<Expr> {
        let name = match op {
            UnaryOperator::Not => {
                let x = self.expr(expr)?;
                let x = self.to_bool(x, "NOT").map_err(|e| self.place(e, expr))?;
                return Ok(Expr::Not(Box::new(x)));
            }
            // A sign binds closer than ^, for which the parser gives it the whole power.
            UnaryOperator::Minus | UnaryOperator::Plus
                if matches!(expr, A::BinaryOp { op: B::PGExp | B::BitwiseXor, .. }) =>
            {
                let mut steps = Vec::new();
                let mut base = expr;
                while let A::BinaryOp { left, op: o @ (B::PGExp | B::BitwiseXor), right } = base {
                    steps.push((left.as_ref(), o, right.as_ref()));
                    base = left;
                }
                let mut x = self.unary(op, base)?;
                while let Some((left, o, right)) = steps.pop() {
                    x = self.binary_step(Some(x), left, o, right)?;
                }
                return Ok(x);
            }
            UnaryOperator::Minus => {
                if let A::Value(v) = expr
                    && let Value::Number(s, _) = &v.value
                {
                    return number(s, true);
                }
                "-"
            }
            UnaryOperator::Plus => "+",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::PGSquareRoot => "|/",
            UnaryOperator::PGCubeRoot => "||/",
            UnaryOperator::PGAbs => "@",
            UnaryOperator::PGPrefixFactorial => "!!",
            UnaryOperator::BangNot => "!",
            op => bail!(SYNTAX_ERROR, "syntax error at or near \"{op}\""),
        };
        let x = self.expr(expr)?;
        self.operator(name, None, x).map_err(|e| self.before(e, expr, name))
    }

    fn is_null(&mut self, e: &A, not: bool) -> Result<Expr> {
        let x = self.expr(e)?;
        let x = self.row_fields(x);
        if let Expr::Row(fields) = x {
            // A row IS NULL when all its fields are, IS NOT NULL when none is.
            let fields: Result<Vec<Expr>> = fields.into_iter().map(|f| self.field_is_null(f, not)).collect();
            return Ok(Expr::And(fields?));
        }
        let x = self.known(x)?;
        Ok(Expr::IsNull(Box::new(x), not))
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
    fn is_bool(&mut self, e: &A, v: Option<bool>, not: bool, what: &str) -> Result<Expr> {
        let x = self.expr(e)?;
        let x = self.to_bool(x, what).map_err(|x| self.place(x, e))?;
        Ok(Expr::IsBool(Box::new(x), v, not))
    }
    fn distinct_from(&mut self, l: &A, r: &A, negated: bool) -> Result<Expr> {
        let (a, b) = (self.expr(l)?, self.expr(r)?);
        let (eq, a, b) = self.equality(a, b).map_err(|e| self.operator_place(e, "", l, r))?;
        Ok(Expr::IsDistinct { eq, left: Box::new(a), right: Box::new(b), negated })
    }

    fn in_list(&mut self, expr: &A, written: &[A], negated: bool) -> Result<Expr> {
        let wrap = |x: Expr| if negated { Expr::Not(Box::new(x)) } else { x };
        if let A::Tuple(l) = expr {
            let mut ors = Vec::new();
            for i in written {
                match i {
                    A::Tuple(r) => ors.push(self.row_compare(l, &B::Eq, r)?),
                    _ => bail!(SYNTAX_ERROR, "subquery has too few columns"),
                }
            }
            return Ok(wrap(if ors.len() == 1 { ors.swap_remove(0) } else { Expr::Or(ors) }));
        }
        let e = self.expr(expr)?;
        let mut items = Vec::with_capacity(written.len());
        for i in written {
            items.push(self.expr(i)?);
        }
        // One common type where there is one (transformAExprIn): `e` takes part in choosing it.
        let types: Vec<_> = std::iter::once(&e).chain(&items).map(|x| x.ty().oid).collect();
        if let Ok(t) = coerce::common_type(&types) {
            let t = Type::new(t);
            let simple = items.iter().all(|x| !matches!(x, Expr::Row(_)));
            if simple && let Ok((op, _)) = self.find_operator("=", Some(t.oid), t.oid) {
                let mut list = Vec::with_capacity(items.len());
                for (x, a) in std::iter::zip(items, written) {
                    let x = self.coerce(x, t, CastContext::Implicit).map_err(|e| self.place(e, a))?;
                    list.push(self.coerce(x, Type::new(op.right), CastContext::Implicit)?);
                }
                let e = self.coerce(e, t, CastContext::Implicit).map_err(|e| self.place(e, expr))?;
                let e = self.coerce(e, Type::new(op.left), CastContext::Implicit)?;
                if list.len() == 1
                    && let Some(one) = list.pop()
                {
                    return Ok(wrap(Expr::Call { f: op.f, args: vec![e, one], ty: Type::BOOL }));
                }
                return Ok(wrap(Expr::InList { eq: op.f, e: Box::new(e), list }));
            }
        }
        let mut ors = Vec::with_capacity(items.len());
        for (x, a) in std::iter::zip(items, written) {
            let one = match (&e, x) {
                (Expr::Row(l), Expr::Row(r)) => self.row_compare_bound(l.clone(), "=", r),
                (e, x) => self.operator("=", Some(e.clone()), x),
            };
            ors.push(one.map_err(|e| self.operator_place(e, "", expr, a))?);
        }
        Ok(wrap(if ors.len() == 1 { ors.swap_remove(0) } else { Expr::Or(ors) }))
    }

    fn like(&mut self, op: &str, any: bool, expr: &A, pattern: &A, escape: Option<&A>) -> Result<Expr> {
        if any && escape.is_none() {
            return self.any_all_named(expr, op, pattern, false);
        }
        // LIKE ALL (array) is a call to sqlparser.
        if let (A::Function(f), None) = (pattern, escape)
            && let [ast::ObjectNamePart::Identifier(name)] = f.name.0.as_slice()
            && name.quote_style.is_none()
            && name.value.eq_ignore_ascii_case("all")
        {
            match &f.args {
                ast::FunctionArguments::Subquery(q) => return self.any_subquery(expr, op, q, true),
                ast::FunctionArguments::List(l) => {
                    if let [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array))] = l.args.as_slice() {
                        return self.any_all_named(expr, op, array, true);
                    }
                }
                ast::FunctionArguments::None => {}
            }
        }
        let l = self.expr(expr)?;
        let mut p = self.expr(pattern)?;
        if let Some(x) = escape {
            let x = self.expr(x)?;
            p = self.function("like_escape", vec![p, x], false)?;
        }
        self.operator(op, Some(l), p).map_err(|e| self.operator_place(e, "", expr, pattern))
    }

    fn row_compare(&mut self, l: &[A], op: &B, r: &[A]) -> Result<Expr> {
        let name = operator_name(op).ok_or_else(|| err!(SYNTAX_ERROR, "syntax error"))?;
        let mut a = Vec::with_capacity(l.len());
        for x in l {
            a.push(self.expr(x)?);
        }
        let mut b = Vec::with_capacity(r.len());
        for x in r {
            b.push(self.expr(x)?);
        }
        self.row_compare_bound(a, &name, b)
    }

    fn row_compare_bound(&mut self, a: Vec<Expr>, name: &str, b: Vec<Expr>) -> Result<Expr> {
        if a.len() != b.len() {
            bail!(SYNTAX_ERROR, "unequal number of entries in row expressions");
        }
        let op = row_operator(name)?;
        let (mut pairs, mut eqs, mut lts) = (Vec::new(), Vec::new(), Vec::new());
        for (x, y) in std::iter::zip(a, b) {
            let (eq, x, y) = self.equality(x, y)?;
            let (lt, _) = self.find_operator("<", Some(x.ty().oid), y.ty().oid)?;
            eqs.push(eq);
            lts.push(lt.f);
            pairs.push((x, y));
        }
        Ok(match op {
            CmpOp::Eq => Expr::And(
                std::iter::zip(pairs, eqs)
                    .map(|((x, y), f)| Expr::Call { f, args: vec![x, y], ty: Type::BOOL })
                    .collect(),
            ),
            op => Expr::RowCompare { op, pairs, eqs, lts },
        })
    }

    fn any_all(&mut self, left: &A, op: &B, right: &A, all: bool) -> Result<Expr> {
        let name = operator_name(op).ok_or_else(|| err!(SYNTAX_ERROR, "syntax error at or near \"{op}\""))?;
        self.any_all_named(left, &name, right, all)
    }
    fn any_all_named(&mut self, left: &A, name: &str, right: &A, all: bool) -> Result<Expr> {
        let mut r = right;
        while let A::Nested(x) = r {
            r = x;
        }
        if let A::Subquery(q) = r {
            return self.any_subquery(left, name, q, all);
        }
        let l = self.expr(left)?;
        let arr = self.expr(right)?;
        // An unknown array takes the left side's type.
        let arr = if is_unknown(&arr) {
            let elem = if is_unknown(&l) { oid::TEXT } else { l.ty().oid };
            let a = oid::array_of(elem)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(elem)))?;
            self.coerce(arr, Type::new(a), CastContext::Implicit)?
        } else {
            arr
        };
        let Some(elem) = arr.ty().element() else {
            return Err(self.after(err!(WRONG_OBJECT_TYPE, "op ANY/ALL (array) requires array on right side"), left));
        };
        let (o, _) = self
            .find_operator(name, Some(l.ty().oid), elem.oid)
            .map_err(|e| self.operator_place(e, name, left, right))?;
        if o.ret != oid::BOOL {
            bail!(WRONG_OBJECT_TYPE, "op ANY/ALL (array) requires operator to yield boolean");
        }
        let l = self.coerce(l, Type::new(o.left), CastContext::Implicit)?;
        let arr = match oid::array_of(o.right) {
            Some(a) if a != arr.ty().oid => self.coerce(arr, Type::new(a), CastContext::Implicit)?,
            _ => arr,
        };
        Ok(Expr::AnyAll { op: o.f, left: Box::new(l), array: Box::new(arr), all })
    }

    fn array(&mut self, items: &[A], elem: Option<Type>) -> Result<Expr> {
        let mut out = Vec::with_capacity(items.len());
        for i in items {
            out.push(match i {
                A::Array(a) => self.array(&a.elem, elem)?,
                i => self.expr(i)?,
            });
        }
        if let Some(t) = elem {
            let a = oid::array_of(t.oid)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(t.oid)))?;
            // One array among the elements makes arrays of all: '{...}' beside it is one.
            let to = if out.iter().any(|x| x.ty().is_array()) { Type::with_mod(a, t.typmod) } else { t };
            let mut cast = Vec::with_capacity(out.len());
            for x in out {
                cast.push(self.cast(x, to)?);
            }
            return Ok(Expr::Array(cast, Type::with_mod(a, t.typmod)));
        }
        if out.is_empty() {
            return Err(err!(INDETERMINATE_DATATYPE, "cannot determine type of empty array")
                .hint("Explicitly cast to the desired type, for example ARRAY[]::integer[]."));
        }
        let (out, ty) = self.unify(out, "ARRAY").map_err(|e| match self.culprit.and_then(|i| items.get(i)) {
            Some(x) => self.place(e, x),
            None => e,
        })?;
        // Nested arrays: the type stays the inner array's.
        let a = if ty.is_array() {
            ty.oid
        } else {
            oid::array_of(ty.oid)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(ty.oid)))?
        };
        Ok(Expr::Array(out, Type::new(a)))
    }

    pub(in crate::bind) fn access(&mut self, root: &A, chain: &[ast::AccessExpr]) -> Result<Expr> {
        let mut index = Vec::new();
        // a.b[1]: the parser gives the dots as accesses too.
        let mut names: Vec<ast::Ident> = match root {
            A::Identifier(i) => vec![i.clone()],
            A::CompoundIdentifier(v) => v.clone(),
            _ => Vec::new(),
        };
        let mut fields = Vec::new();
        // Per subscript: the lower bound (None: a single index) and the upper one.
        let mut bounds: Vec<(Option<Option<&A>>, Option<&A>)> = Vec::new();
        let mut slice = false;
        for c in chain {
            match c {
                ast::AccessExpr::Dot(A::Identifier(i)) if index.is_empty() && !names.is_empty() => {
                    names.push(i.clone())
                }
                ast::AccessExpr::Dot(A::Identifier(i)) if index.is_empty() => fields.push(fold(i)),
                ast::AccessExpr::Dot(_) => return Err(Error::unsupported("fields of composite values")),
                ast::AccessExpr::Subscript(ast::Subscript::Index { index: i }) => {
                    index.push(i);
                    bounds.push((None, Some(i)));
                }
                ast::AccessExpr::Subscript(ast::Subscript::Slice { lower_bound, upper_bound, stride: None }) => {
                    slice = true;
                    bounds.push((Some(lower_bound.as_ref()), upper_bound.as_ref()));
                }
                ast::AccessExpr::Subscript(ast::Subscript::Slice { .. }) => {
                    bail!(SYNTAX_ERROR, "syntax error at or near \":\"")
                }
            }
        }
        let mut base = match names.as_slice() {
            [] => self.expr(root)?,
            [one] => self.column(one)?,
            many => self.qualified(many)?,
        };
        for f in fields {
            let Some(shape) = func::rowtype::fields(base.ty()) else {
                if base.ty().oid != oid::RECORD {
                    let shown = show(base.ty().oid);
                    bail!(
                        WRONG_OBJECT_TYPE,
                        "column notation .{f} applied to type {shown}, which is not a composite type"
                    );
                }
                return Err(Error::unsupported("fields of composite values"));
            };
            let Some(i) = shape.iter().position(|x| x.0 == f) else {
                bail!(UNDEFINED_COLUMN, "could not identify column \"{f}\" in record data type");
            };
            let ty = shape[i].1;
            base = match self.row_fields(base) {
                Expr::Row(mut v) if i < v.len() => v.swap_remove(i),
                e => Expr::Field { record: Box::new(e), index: i, ty },
            };
        }
        if slice {
            return self.slice(base, &bounds);
        }
        if index.is_empty() {
            return Ok(base);
        }
        let ty = base.ty();
        if matches!(ty.oid, oid::JSONB) {
            return self.jsonb_subscripts(base, &index);
        }
        if let (oid::NAME, [i]) = (ty.oid, index.as_slice()) {
            // A name is an array of "char" that counts from 0.
            let i = self.expr(i)?;
            let one = Expr::Const(Datum::Int4(1), Type::INT4);
            let at = self.operator("+", Some(i), one.clone())?;
            let text = self.cast(base, Type::TEXT)?;
            let c = self.function("substr", vec![text, at, one], false)?;
            return self.cast(c, Type::new(oid::CHAR));
        }
        let Some(elem) = ty.element() else {
            bail!(DATATYPE_MISMATCH, "cannot subscript type {} because it does not support subscripting", show(ty.oid));
        };
        let mut out = Vec::with_capacity(index.len());
        for i in index {
            let x = self.expr(i)?;
            match self.try_coerce(x, Type::INT4, CastContext::Assignment)? {
                Some(x) => out.push(x),
                None => {
                    return Err(self.place(err!(DATATYPE_MISMATCH, "array subscript must have type integer"), i));
                }
            }
        }
        Ok(Expr::Subscript { array: Box::new(base), index: out, ty: elem })
    }

    /// Subscripts of jsonb are a path of texts: a number is a key of an object, too, and a text counts in an array.
    fn jsonb_subscripts(&mut self, base: Expr, index: &[&A]) -> Result<Expr> {
        let mut path = Vec::with_capacity(index.len());
        for i in index {
            let x = self.expr(i)?;
            let from = x.ty().oid;
            let x = match from {
                oid::INT2 | oid::INT4 => self.cast(x, Type::TEXT)?,
                _ => match self.try_coerce(x, Type::TEXT, CastContext::Implicit)? {
                    Some(x) => x,
                    None => {
                        let e = err!(DATATYPE_MISMATCH, "subscript type {} is not supported", show(from))
                            .hint("jsonb subscript must be coercible to either integer or text.");
                        return Err(self.place(e, *i));
                    }
                },
            };
            path.push(x);
        }
        let texts = Type::new(oid::array_of(oid::TEXT).unwrap_or(oid::TEXT));
        self.operator("#>", Some(base), Expr::Array(path, texts))
    }

    /// `a[l:u]`; where one subscript is a slice, a plain `n` among them is `1:n`.
    fn slice(&mut self, base: Expr, bounds: &[(Option<Option<&A>>, Option<&A>)]) -> Result<Expr> {
        let ty = base.ty();
        if ty.oid == oid::JSONB {
            bail!(DATATYPE_MISMATCH, "jsonb subscript does not support slices");
        }
        if ty.element().is_none() {
            bail!(DATATYPE_MISMATCH, "cannot subscript type {} because it does not support subscripting", show(ty.oid));
        }
        let missing = || Expr::Const(Datum::Bool(false), Type::BOOL);
        let mut args = vec![base];
        for (lower, upper) in bounds {
            for b in [lower.unwrap_or(None), *upper] {
                let Some(written) = b else {
                    args.push(missing());
                    continue;
                };
                let x = self.expr(written)?;
                match self.try_coerce(x, Type::INT4, CastContext::Assignment)? {
                    Some(x) => args.push(x),
                    None => {
                        return Err(
                            self.place(err!(DATATYPE_MISMATCH, "array subscript must have type integer"), written)
                        );
                    }
                }
            }
            if lower.is_none() {
                let n = args.len();
                args[n - 2] = Expr::Const(Datum::Int4(1), Type::INT4);
            }
        }
        let Some(f) = func::functions(func::array::SLICE).first() else {
            return Err(Error::internal("array slices are not registered"));
        };
        Ok(Expr::Call { f, args, ty })
    }

    fn case(&mut self, operand: Option<&A>, conditions: &[ast::CaseWhen], otherwise: Option<&A>) -> Result<Expr> {
        let operand = match operand {
            Some(o) => {
                let x = self.expr(o)?;
                Some(self.known(x)?)
            }
            None => None,
        };
        let mut conds = Vec::with_capacity(conditions.len());
        let mut results = Vec::with_capacity(conditions.len() + 1);
        for c in conditions {
            let x = self.expr(&c.condition)?;
            conds.push(match &operand {
                Some(o) => self.operator("=", Some(o.clone()), x).map_err(|e| self.place(e, &c.condition))?,
                None => self.to_bool(x, "CASE/WHEN").map_err(|e| self.place(e, &c.condition))?,
            });
            results.push(self.expr(&c.result)?);
        }
        results.push(match otherwise {
            Some(e) => self.expr(e)?,
            None => Expr::Const(Datum::Null, Type::UNKNOWN),
        });
        // ELSE leads in choosing the type.
        results.rotate_right(1);
        let (mut results, ty) = self.unify(results, "CASE").map_err(|e| match (self.culprit, otherwise) {
            (Some(0), Some(x)) => self.place(e, x),
            (Some(i), _) if i > 0 => self.place(e, &conditions[(i - 1).min(conditions.len() - 1)].result),
            _ => e,
        })?;
        let otherwise = results.remove(0);
        Ok(Expr::Case { whens: std::iter::zip(conds, results).collect(), otherwise: Box::new(otherwise), ty })
    }

    // Subqueries

    fn exists(&mut self, q: &ast::Query) -> Result<Expr> {
        let (b, outer) = self.subquery_level(|b| b.query(q, None, true))?;
        self.has_subquery = true;
        Ok(Expr::Subquery(Box::new(Subquery { kind: SubqueryKind::Exists, rel: b.rel, outer, ty: Type::BOOL })))
    }
    fn scalar_subquery(&mut self, q: &ast::Query) -> Result<Expr> {
        let (b, outer) = self.subquery_level(|b| b.query(q, None, true))?;
        self.has_subquery = true;
        if b.cols.len() != 1 {
            return Err(
                self.at(err!(SYNTAX_ERROR, "subquery must return only one column"), super::from::subquery_span(q))
            );
        }
        Ok(Expr::Subquery(Box::new(Subquery { kind: SubqueryKind::Scalar, ty: b.cols[0].ty, rel: b.rel, outer })))
    }
    /// The columns of a subquery of at most one row; `shared`: all run it once for one row that is modified.
    pub(super) fn fields_of_subquery(&mut self, q: &ast::Query, shared: bool) -> Result<Vec<Expr>> {
        let (b, outer) = self.subquery_level(|b| b.query(q, None, true))?;
        self.has_subquery = true;
        let kind = SubqueryKind::Row { shared };
        let record = Expr::Subquery(Box::new(Subquery { kind, rel: b.rel, outer, ty: Type::new(oid::RECORD) }));
        let field =
            |(index, c): (usize, &crate::ir::OutCol)| Expr::Field { record: Box::new(record.clone()), index, ty: c.ty };
        Ok(b.cols.iter().enumerate().map(field).collect())
    }
    /// `(a, b) = (SELECT x, y ...)`: NULL without a row.
    fn row_and_subquery(&mut self, l: &[A], op: &B, left: &A, q: &ast::Query) -> Result<Expr> {
        let Some(name) = operator_name(op) else {
            bail!(SYNTAX_ERROR, "syntax error at or near \"{op}\"");
        };
        let mut a = Vec::with_capacity(l.len());
        for x in l {
            a.push(self.expr(x)?);
        }
        let b = self.fields_of_subquery(q, false)?;
        if a.len() != b.len() {
            let few = if b.len() > a.len() { "many" } else { "few" };
            return Err(self.after(err!(SYNTAX_ERROR, "subquery has too {few} columns"), left));
        }
        self.row_compare_bound(a, &name, b)
    }
    pub(super) fn array_subquery(&mut self, q: &ast::Query) -> Result<Expr> {
        let (b, outer) = self.subquery_level(|b| b.query(q, None, true))?;
        self.has_subquery = true;
        if b.cols.len() != 1 {
            bail!(SYNTAX_ERROR, "subquery must return only one column");
        }
        let t = b.cols[0].ty;
        // Arrays are stacked into one of one more dimension.
        if t.is_array() {
            let ty = Type::new(t.oid);
            return Ok(Expr::Subquery(Box::new(Subquery { kind: SubqueryKind::Array, ty, rel: b.rel, outer })));
        }
        let a = oid::array_of(t.oid)
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(t.oid)))?;
        // Rows keep their fields' names in arrays.
        let ty = if t.oid == oid::RECORD { Type::with_mod(a, t.typmod) } else { Type::new(a) };
        Ok(Expr::Subquery(Box::new(Subquery { kind: SubqueryKind::Array, ty, rel: b.rel, outer })))
    }
    fn any_subquery(&mut self, left: &A, op: &str, q: &ast::Query, all: bool) -> Result<Expr> {
        let mut lefts = Vec::new();
        match left {
            A::Tuple(items) => {
                for i in items {
                    lefts.push(self.expr(i)?);
                }
            }
            l => {
                let l = self.expr(l)?;
                match self.row_fields(l) {
                    Expr::Row(v) => lefts = v,
                    x => lefts.push(x),
                }
            }
        }
        let (mut b, outer) = self.subquery_level(|b| b.query(q, None, false))?;
        self.has_subquery = true;
        if b.cols.len() != lefts.len() {
            let e = err!(
                SYNTAX_ERROR,
                "subquery has too {} columns",
                if b.cols.len() > lefts.len() { "many" } else { "few" }
            );
            return Err(self.after(e, left));
        }
        let by_row = if lefts.len() > 1 { Some(row_operator(op)?).filter(|op| *op != CmpOp::Eq) } else { None };
        let (mut ops, mut less) = (Vec::new(), Vec::new());
        let mut want = Vec::new();
        let mut out = Vec::new();
        for (l, c) in std::iter::zip(lefts, &b.cols) {
            let (o, _) = self.find_operator(op, Some(l.ty().oid), c.ty.oid).map_err(|e| self.after(e, left))?;
            if o.ret != oid::BOOL {
                bail!(DATATYPE_MISMATCH, "operator {op} must return type boolean, not type {}", show(o.ret));
            }
            out.push(self.coerce(l, Type::new(o.left), CastContext::Implicit)?);
            want.push(if coerce::is_polymorphic(o.right) { c.ty } else { Type::new(o.right) });
            if matches!(by_row, None | Some(CmpOp::Ne)) {
                ops.push(o.f);
                continue;
            }
            let (left, right) = (Some(o.left), o.right);
            ops.push(self.find_operator("=", left, right)?.0.f);
            less.push(self.find_operator("<", left, right)?.0.f);
        }
        self.retype(&mut b, &want)?;
        let rows = by_row.map(|op| RowOp { op, less });
        let kind =
            if all { SubqueryKind::All { left: out, ops, rows } } else { SubqueryKind::Any { left: out, ops, rows } };
        Ok(Expr::Subquery(Box::new(Subquery { kind, rel: b.rel, outer, ty: Type::BOOL })))
    }
}

/// The comparison that an operator between rows is.
fn row_operator(name: &str) -> Result<CmpOp> {
    cmp_named(name).ok_or_else(|| Error::unsupported(format!("row comparison with operator {name}")))
}

/// Prefix operators of the lowest precedence among operators.
fn prefix_name(op: &UnaryOperator) -> Option<&'static str> {
    Some(match op {
        UnaryOperator::BitwiseNot => "~",
        UnaryOperator::PGSquareRoot => "|/",
        UnaryOperator::PGCubeRoot => "||/",
        UnaryOperator::PGAbs => "@",
        UnaryOperator::PGPrefixFactorial => "!!",
        _ => return None,
    })
}

/// The lower bound of BETWEEN SYMMETRIC, which the parser wraps in a call.
fn symmetric(low: &A) -> Option<&A> {
    let A::Function(f) = low else { return None };
    let name = f.name.0.last()?.as_ident()?;
    if name.value.strip_prefix(crate::parser::MARK)? != "symmetric" {
        return None;
    }
    match &f.args {
        FunctionArguments::List(l) => match l.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(e))] => Some(e),
            _ => None,
        },
        _ => None,
    }
}

/// A numeric literal: int4, int8 or numeric, whichever holds it.
pub(super) fn number(s: &str, negative: bool) -> Result<Expr> {
    let clean: std::borrow::Cow<str> = if s.contains('_') { s.replace('_', "").into() } else { s.into() };
    // doNegate folds the sign into the literal first: the smallest integer is an integer.
    let signed = clean.parse::<i128>().ok().map(|v| if negative { -v } else { v });
    if let Some(v) = signed {
        if let Ok(v) = i32::try_from(v) {
            return Ok(Expr::Const(Datum::Int4(v), Type::INT4));
        }
        if let Ok(v) = i64::try_from(v) {
            return Ok(Expr::Const(Datum::Int8(v), Type::INT8));
        }
    }
    let n = Numeric::parse(&clean)?;
    Ok(Expr::Const(Datum::Numeric(if negative { n.neg() } else { n }), Type::NUMERIC))
}

/// `current_schema` and `current_role`: reserved words of PostgreSQL that the parser takes for names. Without quotes they are never a column.
fn is_reserved_value(id: &ast::Ident) -> bool {
    id.quote_style.is_none() && ["current_schema", "current_role"].iter().any(|n| id.value.eq_ignore_ascii_case(n))
}
