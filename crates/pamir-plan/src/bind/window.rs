//! Window functions: `f(...) OVER (...)`, the WINDOW clause, frames.
//!
//! A call becomes a column that [`pamir_expr::ir::Rel::Window`] adds above grouping. Named windows are merged as syntax, then each call's own window is bound:
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
use super::coerce::Callee;
use super::record::over_of;
use super::{Binder, coerce};
use pamir_expr::func::{CastContext, Function};
use pamir_expr::ir::{Exclude, Expr, Frame, FrameBound, FrameUnits, SortKey, WindowCall, WindowFn};
use pamir_expr::query::Over;
use pamir_parse::tree::{self, At, Expr as A, FrameMode, FuncCall, SortBy, SortOrder, Window};
use pamir_types::error::state;
use pamir_types::{Error, Result, Type, bail, err, oid};

/// A window as written, its references to other windows merged.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    partition_by: Vec<A>,
    order_by: Vec<SortBy>,
    frame: Option<tree::Frame>,
    at: At,
}

/// Of a window that another one is the base of: what it may still say.
fn may_go_on(w: &Window, name: &str, base: &Spec) -> Result<()> {
    if !w.partition_by.is_empty() {
        bail!(WINDOWING_ERROR, "cannot override PARTITION BY clause of window \"{name}\"");
    }
    if !w.order_by.is_empty() && !base.order_by.is_empty() {
        bail!(WINDOWING_ERROR, "cannot override ORDER BY clause of window \"{name}\"");
    }
    if base.frame.is_some() {
        let e = err!(WINDOWING_ERROR, "cannot copy window \"{name}\" because it has a frame clause");
        let bare = w.name.is_none() && w.order_by.is_empty() && w.frame.is_none();
        return Err(if bare { e.hint("Omit the parentheses in this OVER clause.") } else { e });
    }
    Ok(())
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
    pub(super) fn window_clause(&mut self, windows: &[Window]) -> Result<()> {
        for w in windows {
            let name = w.name.clone().unwrap_or_default();
            if self.level().named_windows.iter().any(|x| x.0 == name) {
                return Err(self.at(err!(WINDOWING_ERROR, "window \"{name}\" is already defined"), w.at));
            }
            let spec = self.merge_window(w)?;
            self.level().named_windows.push((name, spec));
        }
        Ok(())
    }
    /// The WINDOW clause as a query's text has it.
    pub(super) fn recorded_windows(&mut self, windows: &[Window]) -> Result<Vec<(String, Over, Option<WindowCall>)>> {
        let mut out = Vec::with_capacity(windows.len());
        for w in windows {
            let name = w.name.clone().unwrap_or_default();
            let spec = self.named_window(&name, w.at)?;
            let (partition_by, order_by) = self.window_keys(&spec)?;
            let frame = self.frame(&spec, &order_by)?;
            let column = pamir_expr::ir::OutCol { id: 0, name: name.clone(), ty: Type::INT8, origin: None };
            let (f, args) = (WindowFn::RowNumber, Vec::new());
            let call = WindowCall { f, args, filter: None, partition_by, order_by, frame, out: column };
            out.push((name, over_of(w), Some(call)));
        }
        Ok(out)
    }
    fn named_window(&mut self, name: &str, at: At) -> Result<Spec> {
        match self.level().named_windows.iter().find(|w| w.0 == name) {
            Some(w) => Ok(w.1.clone()),
            None => Err(self.at(err!(UNDEFINED_OBJECT, "window \"{name}\" does not exist"), at)),
        }
    }
    fn merge_window(&mut self, w: &Window) -> Result<Spec> {
        let base = match &w.base {
            Some(name) => {
                let base = self.named_window(name, w.at)?;
                if w.bare {
                    return Ok(base);
                }
                may_go_on(w, name, &base).map_err(|e| self.at(e, w.at))?;
                Some(base)
            }
            None => None,
        };
        let mut spec = Spec {
            partition_by: w.partition_by.clone(),
            order_by: w.order_by.clone(),
            frame: w.frame.clone(),
            at: w.at,
        };
        if let Some(base) = base {
            spec.partition_by = base.partition_by;
            if spec.order_by.is_empty() {
                spec.order_by = base.order_by;
            }
        }
        Ok(spec)
    }
    /// `f(...) OVER ...`.
    pub(super) fn window_call(&mut self, callee: Callee, f: &FuncCall, over: &Window) -> Result<Expr> {
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
        let r = self.window_inner(callee, f, over);
        self.level().in_window = false;
        let mut call = r?;
        call.out.id = self.new_col();
        let e = Expr::Col(call.out.id, call.out.ty);
        self.record_window(&call, over);
        self.level().windows.push(call);
        Ok(e)
    }

    fn window_inner(&mut self, callee: Callee, f: &FuncCall, over: &Window) -> Result<WindowCall> {
        let name = callee.name;
        if f.within_group {
            bail!(FEATURE_NOT_SUPPORTED, "OVER is not supported for ordered-set aggregate {name}");
        }
        let (wf, args, filter, ty) = if self.is_aggregate(callee, f) {
            let a = self.aggregate_inner(callee, f)?;
            if f.distinct {
                bail!(FEATURE_NOT_SUPPORTED, "DISTINCT is not implemented for window functions");
            }
            if !a.order_by.is_empty() {
                bail!(FEATURE_NOT_SUPPORTED, "aggregate ORDER BY is not implemented for window functions");
            }
            (WindowFn::Agg(a.f), a.args, a.filter, a.out.ty)
        } else {
            let args = self.plain_arguments(callee, f)?;
            let Some(wf) = window_only(callee.own_name()) else {
                self.check_schema(callee)?;
                if self.overloads::<Function>(callee).is_empty() {
                    let types: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
                    return Err(coerce::no_function_of(callee, &types));
                }
                bail!(
                    WRONG_OBJECT_TYPE,
                    "OVER specified, but {name} is not a window function nor an aggregate function"
                );
            };
            let (args, ty) = self.window_arguments(&wf, name, args)?;
            if f.distinct {
                bail!(FEATURE_NOT_SUPPORTED, "DISTINCT is not implemented for window functions");
            }
            if f.filter.is_some() {
                bail!(FEATURE_NOT_SUPPORTED, "FILTER is not implemented for non-aggregate window functions");
            }
            (wf, args, None, ty)
        };
        let spec = self.merge_window(over)?;
        self.level().in_window = false;
        self.level().no_window = Some("window definitions");
        let keys = self.window_keys(&spec).and_then(|(parts, order)| {
            let frame = self.frame(&spec, &order).map_err(|e| self.place(e, spec.at))?;
            Ok((parts, order, frame))
        });
        self.level().no_window = None;
        let (partition_by, order_by, frame) = keys?;
        let out = pamir_expr::ir::OutCol { id: 0, name: name.to_string(), ty, origin: None };
        Ok(WindowCall { f: wf, args, filter, partition_by, order_by, frame, out })
    }

    /// Checks and converts the arguments of a function that is no aggregate.
    fn window_arguments(&mut self, f: &WindowFn, name: &str, args: Vec<Expr>) -> Result<(Vec<Expr>, Type)> {
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
            return Err(super::coerce::unknown_polymorphic());
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
            parts.push(self.sort_key(e, &SortOrder::Default, None).map_err(|e| self.place(e, p.leftmost()))?.e);
        }
        let mut order = Vec::with_capacity(w.order_by.len());
        for k in &w.order_by {
            let e = self.expr(&k.expr)?;
            order.push(self.written_key(e, k)?);
        }
        Ok((parts, order))
    }

    fn frame(&mut self, w: &Spec, order: &[SortKey]) -> Result<Frame> {
        let mut out = Frame {
            units: FrameUnits::Range,
            start: FrameBound::Unbounded,
            end: FrameBound::Current,
            exclude: Exclude::NoOthers,
            key: None,
        };
        let Some(f) = &w.frame else { return Ok(out) };
        out.units = match f.mode {
            FrameMode::Rows => FrameUnits::Rows,
            FrameMode::Range => FrameUnits::Range,
            FrameMode::Groups => FrameUnits::Groups,
        };
        out.exclude = match f.exclude {
            tree::Exclude::None => Exclude::NoOthers,
            tree::Exclude::CurrentRow => Exclude::CurrentRow,
            tree::Exclude::Group => Exclude::Group,
            tree::Exclude::Ties => Exclude::Ties,
        };
        if out.units == FrameUnits::Groups && order.is_empty() {
            bail!(WINDOWING_ERROR, "GROUPS mode requires an ORDER BY clause");
        }
        out.start = self.frame_bound(&f.start, order, &mut out)?;
        if let Some(end) = &f.end {
            out.end = self.frame_bound(end, order, &mut out)?;
        }
        Ok(out)
    }

    fn frame_bound(&mut self, b: &tree::FrameBound, order: &[SortKey], frame: &mut Frame) -> Result<FrameBound> {
        let (offset, following) = match b {
            tree::FrameBound::CurrentRow => return Ok(FrameBound::Current),
            tree::FrameBound::UnboundedPreceding | tree::FrameBound::UnboundedFollowing => {
                return Ok(FrameBound::Unbounded);
            }
            tree::FrameBound::Preceding(e) => (e, false),
            tree::FrameBound::Following(e) => (e, true),
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
        let e = self.expr(offset)?;
        self.frame_offset(e, following, what, key, frame).map_err(|e| self.place(e, offset.leftmost()))
    }

    /// `key`: what RANGE adds the offset to.
    fn frame_offset(
        &mut self,
        e: Expr,
        following: bool,
        what: &str,
        key: Option<&SortKey>,
        frame: &mut Frame,
    ) -> Result<FrameBound> {
        let mut used = false;
        pamir_expr::expr::each_col(&e, &mut |_| used = true);
        if used {
            bail!(INVALID_COLUMN_REFERENCE, "argument of {what} must not contain variables");
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
