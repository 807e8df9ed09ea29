//! Calls: functions with arguments by place and by name, aggregates and the query level they belong to, sort keys.
use super::super::Binder;
use super::super::coerce::{self, Callee, show};
use super::super::scope::bare_row;
use super::super::{group, overload, window};
use pamir_expr::func::{self, Aggregate, Function};
use pamir_expr::ir::{AggCall, Expr, SortKey};
use pamir_parse::tree::{Arg, Expr as A, FuncCall, SortBy, SortOrder};
use pamir_types::error::state;
use pamir_types::{Error, Result, Type, bail, err, oid};

/// Whether an argument is a parameter of type void, which a call of a function goes without: so drivers pass what is OUT only.
pub(in crate::bind) fn is_void(a: &Expr) -> bool {
    matches!(a, Expr::Param(_, t) if t.oid == oid::VOID)
}

impl Binder<'_, '_> {
    pub(super) fn call(&mut self, f: &FuncCall) -> Result<Expr> {
        let callee = Callee::of(&f.name)?;
        if let Some(over) = &f.over {
            return self.window_call(callee, f, over);
        }
        if f.within_group {
            return self.within_group(callee, f);
        }
        let name = callee.own_name();
        if func::ordered_set::direct_args(name).is_some() {
            let args = self.plain_arguments(callee, f)?;
            self.aggregate(callee, args).map_err(|e| self.blame_argument(e, f))?;
            return Err(err!(WRONG_OBJECT_TYPE, "WITHIN GROUP is required for ordered-set aggregate {name}"));
        }
        if self.is_aggregate(callee, f) {
            return self.aggregate_call(callee, f);
        }
        self.scalar_call(callee, f)
    }
    /// Is an aggregate called? Where a name has plain functions too, the number of arguments tells.
    pub(in crate::bind) fn is_aggregate(&self, callee: Callee, f: &FuncCall) -> bool {
        let aggregates = self.overloads::<Aggregate>(callee);
        let fits = || aggregates.iter().any(|a| a.args.len() == f.args.len());
        !aggregates.is_empty() && (self.overloads::<Function>(callee).is_empty() || fits())
    }

    /// An argument's own error is placed at the argument.
    pub(super) fn blame_argument(&self, e: Error, f: &FuncCall) -> Error {
        match self.culprit.and_then(|i| f.args.get(i)) {
            Some(a) => self.place(e, a.value.leftmost()),
            None => e,
        }
    }
    /// Arguments where only plain ones can be: an aggregate's, a window function's.
    pub(in crate::bind) fn plain_arguments(&mut self, callee: Callee, f: &FuncCall) -> Result<Vec<Expr>> {
        if f.variadic {
            return Err(Error::unsupported("VARIADIC here"));
        }
        let none = |a: pamir_expr::func::AggregateRef| a.args.is_empty();
        if f.star && !self.overloads::<Aggregate>(callee).iter().any(none) {
            return Err(coerce::no_function_of(callee, &[]));
        }
        if f.args.iter().any(|a| a.name.is_some()) {
            return Err(Error::unsupported("named arguments"));
        }
        let mut args = f.args.iter().map(|a| self.expr(&a.value)).collect::<Result<Vec<Expr>>>()?;
        if !f.within_group {
            args.retain(|a| !is_void(a));
        }
        Ok(args)
    }

    fn scalar_call(&mut self, callee: Callee, f: &FuncCall) -> Result<Expr> {
        let name = callee.name;
        if f.star {
            self.invoke(callee, Vec::new(), false)?;
            bail!(WRONG_OBJECT_TYPE, "{name}(*) specified, but {name} is not an aggregate function");
        }
        for (is, what) in
            [(f.distinct, "DISTINCT"), (!f.order_by.is_empty(), "ORDER BY"), (f.filter.is_some(), "FILTER")]
        {
            if is {
                bail!(WRONG_OBJECT_TYPE, "{what} specified, but {name} is not an aggregate function");
            }
        }
        let mut names = overload::names_of(&f.args);
        let mut args = Vec::with_capacity(f.args.len());
        for (i, a) in f.args.iter().enumerate() {
            if names.get(i).is_some_and(Option::is_none) && names[..i].iter().any(Option::is_some) {
                let e = err!(SYNTAX_ERROR, "positional argument cannot follow named argument");
                return Err(self.place(e, a.value.leftmost()));
            }
            if let Some(n) = &a.name
                && f.args[..i].iter().any(|b| b.name.as_ref() == Some(n))
            {
                return Err(self.place(err!(SYNTAX_ERROR, "argument name \"{n}\" used more than once"), a.at));
            }
            args.push(self.expr(&a.value)?);
        }
        let mut given = args.iter().map(|a| !is_void(a));
        names.retain(|_| given.next() != Some(false));
        args.retain(|a| !is_void(a));
        if let Some(e) = self.range_constructor(callee, &args)? {
            return Ok(e);
        }
        if callee.own_name() == "pg_typeof" {
            args.iter_mut().for_each(|a| self.as_declared(a));
        }
        let row = match args.as_slice() {
            [a] if callee.schema.is_none() && !f.variadic && self.shape(a.ty()).is_some() => Some(a.clone()),
            _ => None,
        };
        let mut e = match self.invoke_by(callee, args, &names, f.variadic) {
            // `name(row)`: a field.
            Err(e) if e.code() == state::UNDEFINED_FUNCTION && row.is_some() => {
                let Some(row) = row else { return Err(e) };
                return self.field(row, callee.name).map_err(|_| self.blame_argument(e, f));
            }
            Err(e)
                if e.code() == state::UNDEFINED_FUNCTION
                    && self.overloads::<Function>(callee).is_empty()
                    && window::window_only(callee.own_name()).is_some() =>
            {
                bail!(WRONG_OBJECT_TYPE, "window function {name} requires an OVER clause");
            }
            r => r.map_err(|e| self.blame_argument(e, f))?,
        };
        // Rows of several columns: `(f(x)).name` finds them by name.
        if let Expr::Call { f: found, args, ty } = &mut e
            && found.out.len() > 1
            && ty.oid == oid::RECORD
        {
            *ty = func::rowtype::of(self.out_columns(found, args, *ty));
        }
        if let Expr::Call { f: found, .. } = &e
            && found.body.is_set()
        {
            if self.level().in_agg || self.level().in_window {
                return Err(in_a_call(if self.level().in_agg { "aggregate" } else { "window" }));
            }
            if let Some(w) = self.level().no_srf {
                bail!(FEATURE_NOT_SUPPORTED, "set-returning functions are not allowed in {w}");
            }
            self.level().has_srf = true;
            self.level().set_at = Some(f.at);
        }
        Ok(self.inlined(e))
    }

    /// `floatrange(1, 2)`: the constructor of a range type that a user made is called by the type's name, a multirange type's too; it is the server's own.
    fn range_constructor(&mut self, callee: Callee, args: &[Expr]) -> Result<Option<Expr>> {
        if !self.cx.catalog.has_user_types() || !self.overloads::<Function>(callee).is_empty() {
            return Ok(None);
        }
        let Some(ty) = self.cx.catalog.find_type(self.cx.scope, callee.schema, callee.name)? else { return Ok(None) };
        let (own, mut wanted) = match (oid::range_subtype(ty), oid::range_of_multirange(ty)) {
            (Some(subtype), _) if matches!(args.len(), 2 | 3) => ("numrange", vec![Type::new(subtype); 2]),
            (_, Some(range)) => ("nummultirange", vec![Type::new(range); args.len()]),
            _ => return Ok(None),
        };
        wanted.resize(args.len(), Type::TEXT);
        let fits = |f: &&'static Function| match own {
            "numrange" => f.args.len() == args.len(),
            _ => f.variadic != args.is_empty(),
        };
        let Some(f) = func::functions(own).iter().copied().find(fits) else { return Ok(None) };
        let mut out = Vec::with_capacity(args.len());
        for (a, t) in std::iter::zip(args, wanted) {
            match self.try_coerce(a.clone(), t, func::CastContext::Implicit)? {
                Some(e) => out.push(e),
                None => return Ok(None),
            }
        }
        Ok(Some(Expr::Call { f: f.into(), args: out, ty: Type::new(ty) }))
    }

    /// A column of a domain, which is one of what that is over, as one of the domain again.
    fn as_declared(&self, e: &mut Expr) {
        let Expr::Col(id, _) = e else { return };
        let named = |c: &&super::super::scope::RteCol| matches!(c.expr, Expr::Col(x, _) if x == *id);
        let origin = self.scopes.iter().flat_map(|s| &s.rtes).flat_map(|r| &r.cols).find(named).and_then(|c| c.origin);
        let declared = |(table, attnum): (pamir_types::Oid, i16)| self.cx.catalog.table(table)?.declared.domain(attnum);
        if let Some(domain) = origin.and_then(declared) {
            let column = std::mem::replace(e, Expr::Default);
            let f = pamir_expr::ir::CastHow::Relabel;
            *e = Expr::Cast { e: Box::new(column), f, ty: Type::new(domain), explicit: false };
        }
    }
    // Aggregates

    fn aggregate_call(&mut self, callee: Callee, f: &FuncCall) -> Result<Expr> {
        if self.level().in_agg {
            if self.level().no_agg == Some("FILTER") {
                bail!(GROUPING_ERROR, "aggregate functions are not allowed in FILTER");
            }
            bail!(GROUPING_ERROR, "aggregate function calls cannot be nested");
        }
        let mark = self.outer_refs.len();
        self.level().in_agg = true;
        let r = self.aggregate_inner(callee, f);
        self.level().in_agg = false;
        self.place_aggregate(r?, mark)
    }

    /// Gives the aggregate to the query level it belongs to: the innermost one whose columns it uses, else the one it is written in. `mark`: where the
    /// references that its arguments made begin.
    pub(super) fn place_aggregate(&mut self, mut call: AggCall, mark: usize) -> Result<Expr> {
        let own = self.levels.len().saturating_sub(1);
        let mut ids = Vec::new();
        for e in call.args.iter().chain(call.order_by.iter().map(|k| &k.e)).chain(&call.filter) {
            pamir_expr::expr::each_col(e, &mut |c| ids.push(c));
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
        if self.levels[at].reads_itself {
            bail!(INVALID_RECURSION, "aggregate functions are not allowed in a recursive query's recursive term");
        }
        let ty = call.out.ty;
        // The same aggregate twice is computed once.
        let id = match self.levels[at].aggs.iter().find(|a| group::same_agg(&self.ctes, a, &call)) {
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
    fn level_of(&self, id: pamir_expr::ir::ColId) -> Option<usize> {
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
                            pamir_expr::expr::each_col(e, &mut |x| hit |= x == id);
                            hit
                        }
                    })
            })
        })?;
        Some(self.levels.iter().rposition(|l| l.base <= scope).unwrap_or(0))
    }

    pub(in crate::bind) fn aggregate_inner(&mut self, callee: Callee, f: &FuncCall) -> Result<AggCall> {
        let args = self.plain_arguments(callee, f)?;
        if args.is_empty() && !f.star && callee.own_name() == "count" {
            return Err(err!(WRONG_OBJECT_TYPE, "count(*) must be used to call a parameterless aggregate function"));
        }
        let (agg, args, mut ty) = self.aggregate(callee, args).map_err(|e| self.blame_argument(e, f))?;
        if agg.ordered.is_some() {
            bail!(WRONG_OBJECT_TYPE, "WITHIN GROUP is required for ordered-set aggregate {}", agg.name);
        }
        if let (Some(e), Some(a)) = (ty.element(), args.first().map(Expr::ty))
            && e.oid == oid::RECORD
            && a.oid == oid::RECORD
        {
            // Rows keep their fields' names in arrays.
            ty = Type::with_mod(ty.oid, a.typmod);
        }
        let mut order_by = Vec::with_capacity(f.order_by.len());
        for k in &f.order_by {
            // A subquery written in both places is one: bound twice it would have other columns, and run twice.
            let twice = |(e, a): &(&Expr, &Arg)| {
                f.distinct && pamir_expr::rels::has_subquery(e) && says_the_same(&a.value, &k.expr)
            };
            let e = match std::iter::zip(&args, &f.args).find(twice) {
                Some((e, _)) => e.clone(),
                None => self.expr(&k.expr)?,
            };
            order_by.push(self.written_key(e, k)?);
        }
        if f.distinct {
            self.distinct_arguments(f, &args, &mut order_by)?;
        }
        let filter = self.aggregate_filter(f)?;
        // The id is given when its place is known.
        let out = pamir_expr::ir::OutCol { id: 0, name: callee.name.to_string(), ty, origin: None };
        Ok(AggCall { f: agg, args, distinct: f.distinct, order_by, filter, out })
    }

    /// DISTINCT of an aggregate: its arguments can be compared, and are what it may be ordered by.
    fn distinct_arguments(&mut self, f: &FuncCall, args: &[Expr], order_by: &mut [SortKey]) -> Result<()> {
        if args.is_empty() {
            bail!(WRONG_OBJECT_TYPE, "DISTINCT is not supported for aggregates without arguments");
        }
        for (a, written) in std::iter::zip(args, &f.args) {
            if func::equality(a.ty().oid).is_none() {
                let shown = show(a.ty().oid);
                let e = err!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {shown}");
                return Err(self.place(e, written.value.leftmost()));
            }
        }
        for (k, written) in std::iter::zip(order_by, &f.order_by) {
            // A key that is an argument before the function's conversion is that argument.
            let converted = |a: &&Expr| match a {
                Expr::Cast { e, explicit: false, .. } => group::same(&self.ctes, e, &k.e),
                _ => false,
            };
            if let Some(a) = args.iter().find(converted) {
                k.e = a.clone();
            }
            if !args.iter().any(|a| group::same(&self.ctes, a, &k.e)) {
                let e = err!(
                    INVALID_COLUMN_REFERENCE,
                    "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list"
                );
                return Err(self.place(e, written.expr.leftmost()));
            }
        }
        Ok(())
    }

    pub(super) fn aggregate_filter(&mut self, f: &FuncCall) -> Result<Option<Expr>> {
        let Some(x) = f.filter.as_deref() else { return Ok(None) };
        let was = self.level().no_agg.replace("FILTER");
        let e = self.expr(x);
        self.level().no_agg = was;
        self.to_bool(e?, "FILTER").map(Some).map_err(|e| self.place(e, x.leftmost()))
    }

    // Sort keys

    /// A sort key as it is written, whose errors have its place.
    pub(in crate::bind) fn written_key(&mut self, e: Expr, k: &SortBy) -> Result<SortKey> {
        let e = self.known(e)?;
        self.sort_key(e, &k.order, k.nulls_first).map_err(|e| match k.order {
            SortOrder::Using(_) => self.place(e, k.at),
            _ => self.place(e, k.expr.leftmost()),
        })
    }
    pub(in crate::bind) fn sort_key(
        &mut self,
        e: Expr,
        order: &SortOrder,
        nulls_first: Option<bool>,
    ) -> Result<SortKey> {
        let e = bare_row(e);
        let desc = match order {
            SortOrder::Default | SortOrder::Asc => false,
            SortOrder::Desc => true,
            SortOrder::Using(op) => match &*self.operator_name(op)? {
                "<" => false,
                ">" => true,
                // Of the pattern classes, which order as the collations do.
                op @ ("~<~" | "~>~") if matches!(e.ty().oid, oid::TEXT | oid::VARCHAR | oid::BPCHAR) => op == "~>~",
                op => {
                    self.operator(op, Some(e.clone()), e.clone())?;
                    return Err(err!(WRONG_OBJECT_TYPE, "operator {op} is not a valid ordering operator")
                        .hint("Ordering operators must be \"<\" or \">\" members of btree operator families."));
                }
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
        Ok(SortKey { e, desc, nulls_first: nulls_first.unwrap_or(desc) })
    }
}

/// A set-returning function where an aggregate or a window function takes a value.
fn in_a_call(kind: &str) -> Error {
    err!(FEATURE_NOT_SUPPORTED, "{kind} function calls cannot contain set-returning function calls")
        .hint("You might be able to move the set-returning function into a LATERAL FROM item.")
}

/// Are two expressions written alike, wherever they stand?
fn says_the_same(a: &A, b: &A) -> bool {
    std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind) && without_places(a) == without_places(b)
}
/// The tree in words, its places (`At(17)`) left out.
fn without_places(e: &A) -> String {
    const PLACE: &str = "At(";
    let shown = format!("{e:?}");
    let (mut out, mut rest) = (String::new(), shown.as_str());
    // Strings are quoted, and a quote in one has a backslash.
    while let Some(i) = rest.find(['"', 'A']) {
        out.push_str(&rest[..i]);
        rest = &rest[i..];
        let n = match rest.strip_prefix(PLACE) {
            Some(place) => {
                rest = &place[place.find(')').map_or(place.len(), |n| n + 1)..];
                continue;
            }
            None if rest.starts_with('"') => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                close.map_or(rest.len(), |c| c.0 + 1)
            }
            None => 1,
        };
        out.push_str(&rest[..n]);
        rest = &rest[n..];
    }
    out + rest
}
