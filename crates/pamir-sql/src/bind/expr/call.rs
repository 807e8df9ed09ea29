//! Calls: functions with arguments by place and by name, special values, aggregates and the query level they belong to, sort keys.
use super::super::Binder;
use super::super::coerce::{self, show};
use super::super::scope::bare_row;
use crate::func::{self, CastContext};
use crate::ir::{AggCall, Expr, SortKey};
use crate::parser::fold;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use sqlparser::ast::{self, Expr as A, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

/// Names of the arguments of functions that are called with names, in order. What is left out before a named one has the default given here.
const ARGUMENT_NAMES: &[(&str, &[&str])] = &[
    ("make_interval", &["years", "months", "weeks", "days", "hours", "mins", "secs"]),
    ("make_date", &["year", "month", "day"]),
    ("make_time", &["hour", "min", "sec"]),
    ("make_timestamp", &["year", "month", "mday", "hour", "min", "sec"]),
    ("make_timestamptz", &["year", "month", "mday", "hour", "min", "sec", "timezone"]),
    ("jsonb_set", &["jsonb_in", "path", "replacement", "create_if_missing"]),
    ("jsonb_set_lax", &["jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment"]),
    ("jsonb_insert", &["jsonb_in", "path", "replacement", "insert_after"]),
];

/// What stands behind VARIADIC ([`crate::parser::VARIADIC`]).
fn variadic_argument(f: &ast::Function) -> Option<&A> {
    let [ast::ObjectNamePart::Identifier(name)] = f.name.0.as_slice() else { return None };
    match &f.args {
        FunctionArguments::List(l) if name.value == crate::parser::VARIADIC => match l.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(e))] => Some(e),
            _ => None,
        },
        _ => None,
    }
}

impl Binder<'_, '_> {
    pub(super) fn call(&mut self, f: &ast::Function) -> Result<Expr> {
        let parts = crate::parser::name_parts(&f.name)?;
        let name = match parts.as_slice() {
            // Where a call takes no VARIADIC: an aggregate's, a window function's.
            [n] if n == crate::parser::VARIADIC => return Err(Error::unsupported("VARIADIC here")),
            [n] => n.as_str(),
            [s, n] if s == "pg_catalog" || s == "information_schema" => n.as_str(),
            [s, n] => {
                let mut types = Vec::new();
                if let FunctionArguments::List(l) = &f.args {
                    for a in &l.args {
                        if let FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) = a {
                            types.push(self.expr(e)?.ty().oid);
                        }
                    }
                }
                if self.cx.catalog.schema_by_name(self.cx.scope.database, s).is_none() {
                    bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist");
                }
                return Err(coerce::no_function(&format!("{s}.{n}"), &types));
            }
            _ => return Err(Error::unsupported("functions of other databases")),
        };
        if let Some(over) = &f.over {
            return self.window_call(name, f, over);
        }
        let empty = Vec::new();
        let (list, clauses, distinct) = match &f.args {
            FunctionArguments::None => return self.special_value(name),
            FunctionArguments::Subquery(q) if name == "array" => return self.array_subquery(q),
            FunctionArguments::Subquery(q) => {
                let a = self.scalar_subquery(q)?;
                return self.named_call(name, vec![a], false, f);
            }
            FunctionArguments::List(l) => {
                (&l.args, &l.clauses, l.duplicate_treatment == Some(ast::DuplicateTreatment::Distinct))
            }
        };
        let _ = &empty as &Vec<FunctionArg>;
        if !f.within_group.is_empty() {
            return self.within_group(name, f, list, clauses, distinct);
        }
        if func::ordered_set::direct_args(name).is_some() {
            let mut args = Vec::with_capacity(list.len());
            for a in list {
                if let FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) = a {
                    args.push(self.expr(e)?);
                }
            }
            self.aggregate(name, args)?;
            return Err(err!(WRONG_OBJECT_TYPE, "WITHIN GROUP is required for ordered-set aggregate {name}"));
        }
        if !func::aggregates(name).is_empty() {
            return self.aggregate_call(name, f, list, clauses, distinct);
        }
        if distinct {
            return Err(err!(WRONG_OBJECT_TYPE, "DISTINCT specified, but {name} is not an aggregate function"));
        }
        if f.filter.is_some() {
            return Err(err!(WRONG_OBJECT_TYPE, "FILTER specified, but {name} is not an aggregate function"));
        }
        let mut variadic = false;
        let mut given: Vec<(usize, Expr)> = Vec::new();
        let mut args = Vec::with_capacity(list.len());
        for a in list {
            match a {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(A::Function(v)))
                    if let Some(e) = variadic_argument(v)
                        && given.is_empty() =>
                {
                    variadic = true;
                    args.push(self.expr(e)?);
                }
                // normalize(x, NFC): the form is a word of the grammar.
                FunctionArg::Unnamed(FunctionArgExpr::Expr(A::Identifier(i)))
                    if name == "normalize" && args.len() == 1 && i.quote_style.is_none() =>
                {
                    args.push(Expr::Const(i.value.to_ascii_uppercase().into(), Type::TEXT));
                }
                FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => args.push(self.expr(e)?),
                FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(n)) => {
                    // ROW(t.*) has the row's fields, a function the row.
                    match (name, self.star_value(n)?) {
                        ("row", row) => match self.row_fields(row) {
                            Expr::Row(fields) => args.extend(fields),
                            e => args.push(e),
                        },
                        (_, row) => args.push(row),
                    }
                }
                FunctionArg::Unnamed(_) => return Err(coerce::no_function(name, &[])),
                FunctionArg::Named { .. } | FunctionArg::ExprNamed { .. } => {
                    self.named_argument(name, a, &mut args, &mut given)?;
                }
            }
        }
        if !given.is_empty() {
            // Holes take the defaults: only make_interval's are not at the end, and they are zero.
            let n = given.iter().map(|g| g.0 + 1).max().unwrap_or(0);
            for at in args.len()..n {
                match given.iter().position(|g| g.0 == at) {
                    Some(i) => args.push(given.swap_remove(i).1),
                    None if name == "make_interval" => args.push(Expr::Const(Datum::Int4(0), Type::INT4)),
                    None => {
                        let types: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
                        return Err(coerce::no_function(name, &types));
                    }
                }
            }
        }
        // Parameters of type void are none: how a driver passes what is OUT only.
        if !variadic {
            args.retain(|a| !matches!(a, Expr::Param(_, t) if t.oid == pamir_types::oid::VOID));
        }
        let first_literal = |list: &[FunctionArg]| {
            list.iter().find_map(|a| match a {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(x @ A::Value(_))) => Some(x.span()),
                _ => None,
            })
        };
        self.culprit = None;
        self.named_call(name, args, variadic, f).map_err(|e| {
            if e.data().position.is_some() {
                return e;
            }
            // Which argument: the one that did not fit, or the literal that could not be read.
            if let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(x))) = self.culprit.and_then(|i| list.get(i)) {
                return match x {
                    A::Function(v) => self.place(e, variadic_argument(v).unwrap_or(x)),
                    _ => self.place(e, x),
                };
            }
            match first_literal(list) {
                Some(s)
                    if e.code().as_str().starts_with("22")
                        || matches!(e.code().as_str(), "42P01" | "42704" | "3F000") =>
                {
                    self.at(e, s)
                }
                _ => e,
            }
        })
    }

    /// `name => value`: its place and value go to `given`.
    pub(super) fn named_argument(
        &mut self,
        function: &str,
        a: &FunctionArg,
        before: &mut [Expr],
        given: &mut Vec<(usize, Expr)>,
    ) -> Result<()> {
        let (written, value) = match a {
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(e), .. } => (fold(name), e),
            FunctionArg::ExprNamed { name: A::Identifier(name), arg: FunctionArgExpr::Expr(e), .. } => (fold(name), e),
            _ => return Err(Error::unsupported("this form of named argument")),
        };
        let value = self.expr(value)?;
        let at = ARGUMENT_NAMES.iter().find(|f| f.0 == function).and_then(|f| f.1.iter().position(|n| *n == written));
        if given.iter().any(|g| Some(g.0) == at) {
            bail!(SYNTAX_ERROR, "argument name \"{written}\" used more than once");
        }
        match at {
            Some(i) if i >= before.len() => {
                given.push((i, value));
                Ok(())
            }
            _ if ARGUMENT_NAMES.iter().any(|f| f.0 == function) || func::functions(function).is_empty() => {
                let mut shown: Vec<String> = before.iter().map(|e| show(e.ty().oid)).collect();
                shown.push(format!("{written} => {}", show(value.ty().oid)));
                Err(err!(UNDEFINED_FUNCTION, "function {function}({}) does not exist", shown.join(", ")).hint(
                    "No function matches the given name and argument types. You might need to add explicit type casts.",
                ))
            }
            _ => Err(Error::unsupported(format!("named arguments of {function}"))),
        }
    }

    pub(super) fn named_call(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        variadic: bool,
        _f: &ast::Function,
    ) -> Result<Expr> {
        match name {
            "coalesce" => {
                if args.is_empty() {
                    bail!(SYNTAX_ERROR, "syntax error at or near \")\"");
                }
                let (args, ty) = self.unify(args, "COALESCE")?;
                return Ok(Expr::Coalesce(args, ty));
            }
            "greatest" | "least" => {
                if args.is_empty() {
                    bail!(SYNTAX_ERROR, "syntax error at or near \")\"");
                }
                let (args, ty) = self.unify(args, if name == "greatest" { "GREATEST" } else { "LEAST" })?;
                if func::less_than(ty.oid).is_none() {
                    bail!(UNDEFINED_FUNCTION, "could not identify a comparison function for type {}", show(ty.oid));
                }
                return Ok(Expr::Extreme(args, name == "greatest", ty));
            }
            "nullif" if args.len() == 2 => {
                let mut it = args.into_iter();
                let (Some(l), Some(r)) = (it.next(), it.next()) else {
                    return Err(Error::internal("two arguments expected"));
                };
                let (was, other) = (l.ty(), r.ty());
                let (eq, l, r) = self.equality(l, r)?;
                let e = Expr::NullIf { eq, left: Box::new(l), right: Box::new(r) };
                // The result has the type of the operator's left side: the argument's own where PostgreSQL has an operator of the two types.
                let family = |t: Type| match t.oid {
                    oid::INT2 | oid::INT4 | oid::INT8 => 1,
                    oid::FLOAT4 | oid::FLOAT8 => 2,
                    oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ => 3,
                    oid::NAME | oid::TEXT => 4,
                    _ => 0,
                };
                let own = family(was) != 0 && family(was) == family(other);
                return if own && e.ty().oid != was.oid { self.coerce(e, was, CastContext::Explicit) } else { Ok(e) };
            }
            "row" => {
                let mut v = Vec::with_capacity(args.len());
                for a in args {
                    v.push(self.known(a)?);
                }
                return Ok(Expr::Row(v));
            }
            "grouping" => {
                let id = self.new_col();
                self.level().grouping.push((id, args));
                return Ok(Expr::Col(id, Type::INT4));
            }
            _ => {}
        }
        let actual: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
        let mut e = match self.function(name, args, variadic) {
            Err(e)
                if e.code() == pamir_types::error::state::UNDEFINED_FUNCTION
                    && func::functions(name).is_empty()
                    && super::super::window::window_only(name).is_some() =>
            {
                let _ = actual;
                return Err(err!(WRONG_OBJECT_TYPE, "window function {name} requires an OVER clause"));
            }
            r => r?,
        };
        if let Expr::Call { f, ty, .. } = &mut e
            && f.body.is_set()
        {
            // Rows of several columns: `(f(x)).name` finds them by name.
            if f.out.len() > 1 && ty.oid == oid::RECORD {
                *ty = func::rowtype::of(f.out.iter().map(|(n, t)| (n.to_string(), Type::new(*t))).collect());
            }
            if let Some(w) = self.level().no_srf {
                bail!(FEATURE_NOT_SUPPORTED, "set-returning functions are not allowed in {w}");
            }
            self.level().has_srf = true;
        }
        Ok(e)
    }

    /// CURRENT_DATE and other functions without parentheses.
    pub(in crate::bind) fn special_value(&mut self, name: &str) -> Result<Expr> {
        if !func::functions(name).is_empty() {
            return self.function(name, Vec::new(), false);
        }
        let to = match name {
            "current_date" => Type::new(oid::DATE),
            "current_time" => Type::new(oid::TIMETZ),
            "localtime" => Type::new(oid::TIME),
            "current_timestamp" => Type::new(oid::TIMESTAMPTZ),
            "localtimestamp" => Type::new(oid::TIMESTAMP),
            "current_catalog" => return self.function("current_database", Vec::new(), false),
            "user" | "current_role" => return self.function("current_user", Vec::new(), false),
            _ => return self.function(name, Vec::new(), false),
        };
        let now = self.function("now", Vec::new(), false)?;
        if to.oid == oid::TIMESTAMPTZ { Ok(now) } else { self.cast(now, to) }
    }

    pub(super) fn aggregate_call(
        &mut self,
        name: &str,
        f: &ast::Function,
        list: &[FunctionArg],
        clauses: &[ast::FunctionArgumentClause],
        distinct: bool,
    ) -> Result<Expr> {
        if self.level().in_agg {
            bail!(GROUPING_ERROR, "aggregate function calls cannot be nested");
        }
        let mark = self.outer_refs.len();
        self.level().in_agg = true;
        let r = self.aggregate_inner(name, f, list, clauses, distinct);
        self.level().in_agg = false;
        self.place_aggregate(r?, mark)
    }

    /// Gives the aggregate to the query level it belongs to: the innermost one whose columns it uses, else the one it is written in. `mark`: where the
    /// references that its arguments made begin.
    pub(super) fn place_aggregate(&mut self, mut call: AggCall, mark: usize) -> Result<Expr> {
        let own = self.levels.len().saturating_sub(1);
        let mut ids = Vec::new();
        for e in call.args.iter().chain(call.order_by.iter().map(|k| &k.e)).chain(&call.filter) {
            super::super::group::columns(e, &mut |c| ids.push(c));
        }
        let at = ids.iter().filter_map(|c| self.level_of(*c)).max().unwrap_or(own);
        if at != own && self.levels[at].in_agg {
            bail!(GROUPING_ERROR, "aggregate function calls cannot be nested");
        }
        match self.levels[at].no_agg {
            Some("FROM") if at != own => {
                bail!(GROUPING_ERROR, "aggregate functions are not allowed in FROM clause of their own query level")
            }
            Some(w) => bail!(GROUPING_ERROR, "aggregate functions are not allowed in {w}"),
            None => {}
        }
        let ty = call.out.ty;
        // The same aggregate twice is computed once.
        let id = match self.levels[at].aggs.iter().find(|a| super::super::group::same_agg(a, &call)) {
            Some(old) => old.out.id,
            None => {
                call.out.id = self.new_col();
                let id = call.out.id;
                self.levels[at].aggs.push(call);
                id
            }
        };
        if at != own {
            // What the arguments took from that level is taken there; what lies further out is still an outer column on the way.
            let refs = self.outer_refs.split_off(mark);
            let further: Vec<_> = refs.into_iter().filter(|c| self.level_of(*c).is_some_and(|l| l < at)).collect();
            self.outer_refs.extend(further);
            self.outer_refs.push(id);
            self.outer_aggs.push((id, at));
        }
        Ok(Expr::Col(id, ty))
    }

    /// The query level whose FROM (or aggregate) a visible column is.
    pub(super) fn level_of(&self, id: crate::ir::ColId) -> Option<usize> {
        if let Some(a) = self.outer_aggs.iter().find(|a| a.0 == id) {
            return Some(a.1);
        }
        let scope = self.scopes.iter().rposition(|s| {
            s.rtes.iter().any(|r| {
                r.tableoid == Some(id)
                    || r.presence == Some(id)
                    || r.cols.iter().any(|c| match &c.expr {
                        Expr::Col(x, _) => *x == id,
                        e => {
                            let mut hit = false;
                            super::super::group::columns(e, &mut |x| hit |= x == id);
                            hit
                        }
                    })
            })
        })?;
        Some(self.levels.iter().rposition(|l| l.base <= scope).unwrap_or(0))
    }

    pub(in crate::bind) fn aggregate_inner(
        &mut self,
        name: &str,
        f: &ast::Function,
        list: &[FunctionArg],
        clauses: &[ast::FunctionArgumentClause],
        distinct: bool,
    ) -> Result<AggCall> {
        let mut args = Vec::new();
        for a in list {
            match a {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => args.push(self.expr(e)?),
                FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(n)) => args.push(self.star_value(n)?),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) if list.len() == 1 && name == "count" => {}
                FunctionArg::Unnamed(_) => return Err(coerce::no_function(name, &[])),
                _ => return Err(Error::unsupported("named arguments")),
            }
        }
        if list.is_empty() && name == "count" {
            return Err(err!(WRONG_OBJECT_TYPE, "count(*) must be used to call a parameterless aggregate function"));
        }
        let (agg, args, mut ty) = self.aggregate(name, args)?;
        if let (Some(e), Some(a)) = (ty.element(), args.first().map(Expr::ty))
            && e.oid == oid::RECORD
            && a.oid == oid::RECORD
        {
            // Rows keep their fields' names in arrays.
            ty = Type::with_mod(ty.oid, a.typmod);
        }
        let mut order_by = Vec::new();
        for c in clauses {
            match c {
                ast::FunctionArgumentClause::OrderBy(keys) => {
                    for k in keys {
                        // A subquery written in both places is one: bound twice it would have other columns, and run twice.
                        let arg = list
                            .iter()
                            .position(|a| matches!(a, FunctionArg::Unnamed(FunctionArgExpr::Expr(x)) if *x == k.expr));
                        let e = match arg.and_then(|i| args.get(i)) {
                            Some(e) if distinct && crate::plan::rels::has_subquery(e) => e.clone(),
                            _ => self.expr(&k.expr)?,
                        };
                        let e = self.known(e)?;
                        order_by.push(self.sort_key(e, &k.options)?);
                    }
                }
                c => return Err(Error::unsupported(format!("{c} in an aggregate"))),
            }
        }
        if distinct {
            if args.is_empty() {
                bail!(WRONG_OBJECT_TYPE, "DISTINCT is not supported for aggregates without arguments");
            }
            for a in &args {
                if func::equality(a.ty().oid).is_none() {
                    bail!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(a.ty().oid));
                }
            }
            // A key that is an argument before the function's conversion is that argument.
            for k in &mut order_by {
                let converted = |a: &&Expr| match a {
                    Expr::Cast { e, explicit: false, .. } => super::super::group::same(e, &k.e),
                    _ => false,
                };
                if let Some(a) = args.iter().find(converted) {
                    k.e = a.clone();
                }
            }
            if order_by.iter().any(|k| !args.iter().any(|a| super::super::group::same(a, &k.e))) {
                bail!(
                    INVALID_COLUMN_REFERENCE,
                    "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list"
                );
            }
        }
        let filter = match &f.filter {
            Some(x) => {
                let e = self.expr(x)?;
                Some(self.to_bool(e, "FILTER").map_err(|e| self.place(e, x.as_ref()))?)
            }
            None => None,
        };
        // The id is given when its place is known.
        let out = crate::ir::OutCol { id: 0, name: name.to_string(), ty, origin: None };
        Ok(AggCall { f: agg, args, distinct, order_by, filter, out })
    }

    pub(in crate::bind) fn sort_key(&mut self, e: Expr, o: &ast::OrderByOptions) -> Result<SortKey> {
        let e = bare_row(e);
        let desc = match &o.sort {
            None | Some(ast::OrderBySort::Asc) => false,
            Some(ast::OrderBySort::Desc) => true,
            Some(ast::OrderBySort::Using(n)) => match n.to_string().as_str() {
                "<" => false,
                ">" => true,
                op => bail!(WRONG_OBJECT_TYPE, "operator {op} is not a valid ordering operator"),
            },
        };
        if !matches!(e, Expr::Row(_)) && func::less_than(e.ty().oid).is_none() {
            return Err(err!(
                UNDEFINED_FUNCTION,
                "could not identify an ordering operator for type {}",
                show(e.ty().oid)
            )
            .hint("Use an explicit ordering operator or modify the query."));
        }
        Ok(SortKey { e, desc, nulls_first: o.nulls_first.unwrap_or(desc) })
    }
}
