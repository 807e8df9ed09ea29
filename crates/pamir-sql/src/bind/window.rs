//! Window functions: `f(...) OVER (...)`, the WINDOW clause, frames.
//!
//! A call becomes a column that [`crate::ir::Rel::Window`] adds above grouping. Named windows are merged as syntax, then each call's own window is bound:
//!
//! ```text
//! WINDOW w AS (PARTITION BY a ORDER BY b)
//! OVER w                   w as it is, frame and all
//! OVER (w ROWS ...)        w's partition and order, an own frame; w must have none, and of PARTITION BY and ORDER BY only one may have either
//! ```
//! RANGE with an offset compares the ordering column with `column - offset` (or `+`): both are bound here as expressions, in a type that holds every sum (integers
//! as numeric, dates as timestamps), so that the executor only compares values.
//!
//! Limits: RANGE offsets over time and timetz, whose arithmetic goes round the clock; DISTINCT and ORDER BY inside a call, as in PostgreSQL.
use super::{Binder, coerce};
use crate::func::{self, CastContext};
use crate::ir::{Exclude, Expr, Frame, FrameBound, FrameUnits, SortKey, WindowCall, WindowFn};
use crate::parser::{MARK, fold};
use pamir_types::error::state;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use sqlparser::ast::{self, Expr as A, FunctionArg, FunctionArgExpr, FunctionArguments};

/// A window as written, its references to other windows merged.
#[derive(Clone, Default, Debug)]
pub(super) struct Spec {
    partition_by: Vec<A>,
    order_by: Vec<ast::OrderByExpr>,
    frame: Option<ast::WindowFrame>,
    exclude: Exclude,
}

/// Names of functions that only exist as window functions.
pub(super) fn window_only(name: &str) -> Option<WindowFn> {
    Some(match name {
        "row_number" => WindowFn::RowNumber,
        "rank" => WindowFn::Rank,
        "dense_rank" => WindowFn::DenseRank,
        "percent_rank" => WindowFn::PercentRank,
        "cume_dist" => WindowFn::CumeDist,
        "ntile" => WindowFn::Ntile,
        "lag" => WindowFn::Lag,
        "lead" => WindowFn::Lead,
        "first_value" => WindowFn::FirstValue,
        "last_value" => WindowFn::LastValue,
        "nth_value" => WindowFn::NthValue,
        _ => return None,
    })
}

impl Binder<'_, '_> {
    /// The WINDOW clause: kept with the level for OVER to refer to.
    pub(super) fn window_clause(&mut self, named: &[ast::NamedWindowDefinition]) -> Result<()> {
        for ast::NamedWindowDefinition(name, w) in named {
            let n = fold(name);
            if self.level().named_windows.iter().any(|w| w.0 == n) {
                return Err(self.at(err!(WINDOWING_ERROR, "window \"{n}\" is already defined"), name.span));
            }
            let spec = match w {
                ast::NamedWindowExpr::WindowSpec(w) => self.merge_window(w, false)?,
                ast::NamedWindowExpr::NamedWindow(i) => {
                    return Err(self.at(err!(SYNTAX_ERROR, "syntax error at or near \"{}\"", i.value), i.span));
                }
            };
            self.level().named_windows.push((n, spec));
        }
        Ok(())
    }
    fn named_window(&mut self, name: &ast::Ident) -> Result<Spec> {
        let n = fold(name);
        match self.level().named_windows.iter().find(|w| w.0 == n) {
            Some(w) => Ok(w.1.clone()),
            None => Err(self.at(err!(UNDEFINED_OBJECT, "window \"{n}\" does not exist"), name.span)),
        }
    }
    fn merge_window(&mut self, w: &ast::WindowSpec, over: bool) -> Result<Spec> {
        let mut spec = Spec {
            partition_by: w.partition_by.clone(),
            order_by: w.order_by.clone(),
            frame: w.window_frame.clone(),
            exclude: Exclude::NoOthers,
        };
        // The parser's note of an EXCLUDE clause stands before the first partition expression.
        if let Some(A::Identifier(i)) = spec.partition_by.first()
            && let Some(what) = i.value.strip_prefix(MARK)
        {
            spec.exclude = match what {
                "exclude:current" => Exclude::CurrentRow,
                "exclude:group" => Exclude::Group,
                "exclude:ties" => Exclude::Ties,
                _ => Exclude::NoOthers,
            };
            spec.partition_by.remove(0);
        }
        let Some(name) = &w.window_name else { return Ok(spec) };
        let base = self.named_window(name)?;
        let n = fold(name);
        if !spec.partition_by.is_empty() {
            return Err(
                self.at(err!(WINDOWING_ERROR, "cannot override PARTITION BY clause of window \"{n}\""), name.span)
            );
        }
        if !spec.order_by.is_empty() && !base.order_by.is_empty() {
            return Err(self.at(err!(WINDOWING_ERROR, "cannot override ORDER BY clause of window \"{n}\""), name.span));
        }
        if base.frame.is_some() {
            let e = err!(WINDOWING_ERROR, "cannot copy window \"{n}\" because it has a frame clause");
            let bare = over && spec.order_by.is_empty() && spec.frame.is_none();
            let e = if bare { e.hint("Omit the parentheses in this OVER clause.") } else { e };
            return Err(self.at(e, name.span));
        }
        spec.partition_by = base.partition_by;
        if spec.order_by.is_empty() {
            spec.order_by = base.order_by;
        }
        Ok(spec)
    }

    /// `f(...) OVER ...`.
    pub(super) fn window_call(&mut self, name: &str, f: &ast::Function, over: &ast::WindowType) -> Result<Expr> {
        if self.level().in_window {
            bail!(WINDOWING_ERROR, "window function calls cannot be nested");
        }
        if self.level().in_agg {
            bail!(GROUPING_ERROR, "aggregate function calls cannot contain window function calls");
        }
        if let Some(what) = self.level().no_agg.or(self.level().no_window) {
            bail!(WINDOWING_ERROR, "window functions are not allowed in {what}");
        }
        if !self.level().window_ok {
            return Err(Error::unsupported("window functions outside the select list and ORDER BY"));
        }
        self.level().in_window = true;
        let r = self.window_inner(name, f, over);
        self.level().in_window = false;
        let mut call = r?;
        call.out.id = self.new_col();
        let e = Expr::Col(call.out.id, call.out.ty);
        self.level().windows.push(call);
        Ok(e)
    }

    fn window_inner(&mut self, name: &str, f: &ast::Function, over: &ast::WindowType) -> Result<WindowCall> {
        let FunctionArguments::List(list) = &f.args else {
            return Err(Error::unsupported("this form of window function"));
        };
        let distinct = list.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        if !f.within_group.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "OVER is not supported for ordered-set aggregate {name}");
        }
        let (wf, args, filter, ty) = if !func::aggregates(name).is_empty() {
            let a = self.aggregate_inner(name, f, &list.args, &list.clauses, distinct)?;
            if distinct {
                bail!(FEATURE_NOT_SUPPORTED, "DISTINCT is not implemented for window functions");
            }
            if !a.order_by.is_empty() {
                bail!(FEATURE_NOT_SUPPORTED, "aggregate ORDER BY is not implemented for window functions");
            }
            (WindowFn::Agg(a.f), a.args, a.filter, a.out.ty)
        } else {
            let mut args = Vec::with_capacity(list.args.len());
            for a in &list.args {
                match a {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => args.push(self.expr(e)?),
                    _ => return Err(coerce::no_function(name, &[])),
                }
            }
            let Some(wf) = window_only(name) else {
                if func::functions(name).is_empty() {
                    let types: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
                    return Err(coerce::no_function(name, &types));
                }
                bail!(
                    WRONG_OBJECT_TYPE,
                    "OVER specified, but {name} is not a window function nor an aggregate function"
                );
            };
            let (args, ty) = self.window_arguments(wf, name, args)?;
            if distinct {
                bail!(FEATURE_NOT_SUPPORTED, "DISTINCT is not implemented for window functions");
            }
            if f.filter.is_some() {
                bail!(FEATURE_NOT_SUPPORTED, "FILTER is not implemented for non-aggregate window functions");
            }
            (wf, args, None, ty)
        };
        let spec = match over {
            ast::WindowType::NamedWindow(n) => self.named_window(n)?,
            ast::WindowType::WindowSpec(w) => self.merge_window(w, true)?,
        };
        self.level().in_window = false;
        self.level().no_window = Some("window definitions");
        let keys = self.window_keys(&spec).and_then(|(parts, order)| {
            let frame = self.frame(&spec, &order)?;
            Ok((parts, order, frame))
        });
        self.level().no_window = None;
        let (partition_by, order_by, frame) = keys?;
        let out = crate::ir::OutCol { id: 0, name: name.to_string(), ty, origin: None };
        Ok(WindowCall { f: wf, args, filter, partition_by, order_by, frame, out })
    }

    /// Checks and converts the arguments of a function that is no aggregate.
    fn window_arguments(&mut self, f: WindowFn, name: &str, args: Vec<Expr>) -> Result<(Vec<Expr>, Type)> {
        let types: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
        let none = || coerce::no_function(name, &types);
        let fits = match f {
            WindowFn::Ntile | WindowFn::FirstValue | WindowFn::LastValue => args.len() == 1,
            WindowFn::Lag | WindowFn::Lead => (1..=3).contains(&args.len()),
            WindowFn::NthValue => args.len() == 2,
            _ => args.is_empty(),
        };
        if !fits {
            return Err(none());
        }
        let mut args = args.into_iter();
        let Some(first) = args.next() else {
            let ty = if matches!(f, WindowFn::PercentRank | WindowFn::CumeDist) { Type::FLOAT8 } else { Type::INT8 };
            return Ok((vec![], ty));
        };
        if matches!(f, WindowFn::Ntile) {
            let n = self.try_coerce(first, Type::INT4, CastContext::Implicit)?.ok_or_else(none)?;
            return Ok((vec![n], Type::INT4));
        }
        if first.ty().oid == oid::UNKNOWN && args.len() < 2 {
            bail!(DATATYPE_MISMATCH, "could not determine polymorphic type because input has type unknown");
        }
        let mut out = vec![first];
        if let Some(n) = args.next() {
            out.push(self.try_coerce(n, Type::INT4, CastContext::Implicit)?.ok_or_else(none)?);
        }
        if let Some(default) = args.next() {
            let value = out.remove(0);
            let unfit = [state::DATATYPE_MISMATCH, state::CANNOT_COERCE];
            let (both, _) = self
                .unify(vec![value, default], name)
                .map_err(|e| if unfit.contains(&e.code()) { none() } else { e })?;
            let mut both = both.into_iter();
            if let (Some(value), Some(default)) = (both.next(), both.next()) {
                out.insert(0, value);
                out.push(default);
            }
        }
        let ty = out[0].ty();
        Ok((out, ty))
    }

    fn window_keys(&mut self, w: &Spec) -> Result<(Vec<Expr>, Vec<SortKey>)> {
        let mut parts = Vec::with_capacity(w.partition_by.len());
        for p in &w.partition_by {
            let e = self.expr(p)?;
            let e = self.known(e)?;
            // As a sort key: the type must have an order.
            parts.push(self.sort_key(e, &ast::OrderByOptions::default()).map_err(|e| self.place(e, p))?.e);
        }
        let mut order = Vec::with_capacity(w.order_by.len());
        for k in &w.order_by {
            let e = self.expr(&k.expr)?;
            let e = self.known(e)?;
            order.push(self.sort_key(e, &k.options).map_err(|e| self.place(e, &k.expr))?);
        }
        Ok((parts, order))
    }

    fn frame(&mut self, w: &Spec, order: &[SortKey]) -> Result<Frame> {
        use ast::WindowFrameBound::{CurrentRow, Following, Preceding};
        let mut out = Frame {
            units: FrameUnits::Range,
            start: FrameBound::Unbounded,
            end: FrameBound::Current,
            exclude: w.exclude,
            key: None,
        };
        let Some(f) = &w.frame else { return Ok(out) };
        out.units = match f.units {
            ast::WindowFrameUnits::Rows => FrameUnits::Rows,
            ast::WindowFrameUnits::Range => FrameUnits::Range,
            ast::WindowFrameUnits::Groups => FrameUnits::Groups,
        };
        match (&f.start_bound, &f.end_bound) {
            (Following(None), _) => bail!(WINDOWING_ERROR, "frame start cannot be UNBOUNDED FOLLOWING"),
            (_, Some(Preceding(None))) => bail!(WINDOWING_ERROR, "frame end cannot be UNBOUNDED PRECEDING"),
            (CurrentRow, Some(Preceding(_))) => {
                bail!(WINDOWING_ERROR, "frame starting from current row cannot have preceding rows")
            }
            (Following(_), Some(Preceding(_) | CurrentRow)) => {
                bail!(WINDOWING_ERROR, "frame starting from following row cannot have preceding rows")
            }
            (Following(_), None) => {
                bail!(WINDOWING_ERROR, "frame starting from following row cannot end with current row")
            }
            _ => {}
        }
        if out.units == FrameUnits::Groups && order.is_empty() {
            bail!(WINDOWING_ERROR, "GROUPS mode requires an ORDER BY clause");
        }
        out.start = self.frame_bound(&f.start_bound, order, &mut out)?;
        if let Some(end) = &f.end_bound {
            out.end = self.frame_bound(end, order, &mut out)?;
        }
        Ok(out)
    }

    fn frame_bound(&mut self, b: &ast::WindowFrameBound, order: &[SortKey], frame: &mut Frame) -> Result<FrameBound> {
        let (offset, following) = match b {
            ast::WindowFrameBound::CurrentRow => return Ok(FrameBound::Current),
            ast::WindowFrameBound::Preceding(None) | ast::WindowFrameBound::Following(None) => {
                return Ok(FrameBound::Unbounded);
            }
            ast::WindowFrameBound::Preceding(Some(e)) => (e, false),
            ast::WindowFrameBound::Following(Some(e)) => (e, true),
        };
        let what = match frame.units {
            FrameUnits::Rows => "ROWS",
            FrameUnits::Range => "RANGE",
            FrameUnits::Groups => "GROUPS",
        };
        let key = match (frame.units, order) {
            (FrameUnits::Range, [k]) => Some(k),
            (FrameUnits::Range, _) => {
                bail!(WINDOWING_ERROR, "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column")
            }
            _ => None,
        };
        // `'1 day'` before PRECEDING reads as an interval; over numbers it is the literal it looks like.
        let e = match &**offset {
            A::Interval(i) if i.leading_field.is_none() && key.is_none_or(|k| !takes_interval(k.e.ty())) => {
                self.expr(&i.value)?
            }
            e => self.expr(e)?,
        };
        let mut used = false;
        super::group::columns(&e, &mut |_| used = true);
        if used {
            let e = err!(INVALID_COLUMN_REFERENCE, "argument of {what} must not contain variables");
            return Err(self.place(e, offset.as_ref()));
        }
        let Some(k) = key else {
            let from = e.ty().oid;
            let e = self.try_coerce(e, Type::INT8, CastContext::Assignment)?.ok_or_else(|| {
                err!(DATATYPE_MISMATCH, "argument of {what} must be type bigint, not type {}", coerce::show(from))
            })?;
            return Ok(FrameBound::Offset { e, following, value: None });
        };
        let kt = k.e.ty();
        let (wide, by) = match kt.oid {
            oid::INT2 | oid::INT4 | oid::INT8 | oid::NUMERIC => (Type::NUMERIC, Type::NUMERIC),
            oid::FLOAT4 | oid::FLOAT8 => (Type::FLOAT8, Type::FLOAT8),
            oid::DATE | oid::TIMESTAMP => (Type::new(oid::TIMESTAMP), Type::new(oid::INTERVAL)),
            oid::TIMESTAMPTZ => (Type::new(oid::TIMESTAMPTZ), Type::new(oid::INTERVAL)),
            oid::INTERVAL => (Type::new(oid::INTERVAL), Type::new(oid::INTERVAL)),
            oid::TIME | oid::TIMETZ => return Err(Error::unsupported("RANGE with an offset over times of day")),
            _ => bail!(
                FEATURE_NOT_SUPPORTED,
                "RANGE with offset PRECEDING/FOLLOWING is not supported for column type {}",
                coerce::show(kt.oid)
            ),
        };
        let from = e.ty().oid;
        let integer = |t| matches!(t, oid::INT2 | oid::INT4 | oid::INT8);
        let fits = match kt.oid {
            oid::INT2 | oid::INT4 | oid::INT8 => integer(from) || from == oid::UNKNOWN,
            oid::NUMERIC => integer(from) || matches!(from, oid::NUMERIC | oid::UNKNOWN),
            oid::FLOAT4 | oid::FLOAT8 => {
                integer(from) || matches!(from, oid::NUMERIC | oid::FLOAT4 | oid::FLOAT8 | oid::UNKNOWN)
            }
            _ => matches!(from, oid::INTERVAL | oid::UNKNOWN),
        };
        if !fits {
            return Err(err!(
                FEATURE_NOT_SUPPORTED,
                "RANGE with offset PRECEDING/FOLLOWING is not supported for column type {} and offset type {}",
                coerce::show(kt.oid),
                coerce::show(from)
            )
            .hint("Cast the offset value to an appropriate type."));
        }
        // A bare literal has the column's type before it is widened: '1.5' is no integer.
        let e = if from == oid::UNKNOWN && integer(kt.oid) { self.coerce(e, kt, CastContext::Implicit)? } else { e };
        let e = self.cast(e, by)?;
        let column = self.cast(k.e.clone(), wide)?;
        let value = self.operator(if following != k.desc { "+" } else { "-" }, Some(column.clone()), e.clone())?;
        frame.key = Some(column);
        Ok(FrameBound::Offset { e, following, value: Some(value) })
    }
}

fn takes_interval(t: Type) -> bool {
    matches!(t.oid, oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::TIME | oid::TIMETZ | oid::INTERVAL)
}

/// A zero of an offset's type, to tell negative ones.
pub(crate) fn zero_offset(t: Type) -> Datum {
    match t.oid {
        oid::NUMERIC => Datum::Numeric(pamir_types::numeric::Numeric::from_i64(0)),
        oid::FLOAT8 => Datum::Float8(0.0),
        oid::INTERVAL => Datum::Interval(pamir_types::datetime::Interval { months: 0, days: 0, micros: 0 }),
        _ => Datum::Int8(0),
    }
}
