//! TABLESAMPLE: a condition on the places of a table's rows, below all others. Which rows it keeps hangs on the seed alone ([`pamir_expr::func::sample`]).
use super::super::Binder;
use super::super::coerce::show;
use super::Rte;
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{Expr, Rel};
use pamir_expr::query::Sample;
use pamir_parse::tree::{self, Alias, Locking, TableSample};
use pamir_types::{Datum, Error, Result, Type, err, oid};

impl Binder<'_, '_> {
    pub(super) fn sampled(
        &mut self,
        r: &tree::Relation,
        sample: &TableSample,
        alias: Option<&Alias>,
        (at, locks): (tree::At, &[Locking]),
    ) -> Result<(Rel, super::Scope)> {
        let (mut rel, mut scope) = self.named_table(r, alias, locks)?;
        let wrong =
            || err!(FEATURE_NOT_SUPPORTED, "TABLESAMPLE clause can only be applied to tables and materialized views");
        // Rows are drawn before policies leave any out.
        let mut scan = &mut rel;
        while let Rel::Secured { input, .. } = scan {
            scan = input;
        }
        if self.family_in(scan).is_some() {
            return Err(Error::unsupported("TABLESAMPLE of a table that others inherit from"));
        }
        let (Rel::Table { key, .. }, [rte]) = (&mut *scan, scope.rtes.as_mut_slice()) else {
            return Err(self.at(wrong(), at));
        };
        let rte: &mut Rte = rte;
        if self.recording() && rte.table.as_ref().is_some_and(|t| t.plain_view().is_some()) {
            return Err(self.at(wrong(), at));
        }
        let method = sample.method.last().map_or("", String::as_str);
        let system = match (sample.method.as_slice(), method) {
            ([_], "system") => true,
            ([_], "bernoulli") => false,
            ([s, _], "system" | "bernoulli") if s == "pg_catalog" => method == "system",
            _ => {
                let e = err!(UNDEFINED_OBJECT, "tablesample method {} does not exist", sample.method.join("."));
                return Err(self.at(e, sample.at));
            }
        };
        let [percent] = sample.args.as_slice() else {
            let n = sample.args.len();
            let e = err!(INVALID_TABLESAMPLE_ARGUMENT, "tablesample method {method} requires 1 argument, not {n}");
            return Err(self.at(e, sample.at));
        };
        let place = *key.get_or_insert_with(|| rte.ctid.unwrap_or_else(|| self.new_col()));
        let percent = self.sample_argument(percent, "TABLESAMPLE", Type::FLOAT4)?;
        let seed = match &sample.repeatable {
            Some(e) => self.sample_argument(e, "REPEATABLE", Type::FLOAT8)?,
            None => Expr::Const(Datum::Null, Type::FLOAT8),
        };
        if self.recording() {
            let repeats = sample.repeatable.is_some();
            let (method, percent, seed) = (method.to_string(), percent.clone(), repeats.then(|| seed.clone()));
            self.record_sample(Sample { method, percent, seed });
        }
        let Some(f) = func::functions(func::sample::NAME).first() else {
            return Err(Error::internal("sampling is not registered"));
        };
        let flag = |b: bool| Expr::Const(Datum::Bool(b), Type::BOOL);
        let args =
            vec![flag(system), percent, flag(sample.repeatable.is_some()), seed, Expr::Col(place, Type::new(oid::TID))];
        let keeps = Expr::Call { f: (*f).into(), args, ty: Type::BOOL };
        let input = Box::new(std::mem::replace(scan, Rel::One));
        *scan = Rel::Filter { input, cond: keeps };
        Ok((rel, scope))
    }
    fn sample_argument(&mut self, e: &tree::Expr, what: &str, ty: Type) -> Result<Expr> {
        let was = (self.level().no_agg.replace("functions in FROM"), self.level().no_srf.replace("TABLESAMPLE"));
        let bound = self.expr(e);
        (self.level().no_agg, self.level().no_srf) = was;
        let bound = bound?;
        let from = bound.ty();
        match self.try_coerce(bound, ty, CastContext::Assignment).map_err(|x| self.place(x, e.leftmost()))? {
            Some(e) => Ok(e),
            None => {
                let text = format!("argument of {what} must be type {}, not type {}", show(ty.oid), show(from.oid));
                Err(self.at(err!(DATATYPE_MISMATCH, "{text}"), e.leftmost()))
            }
        }
    }
}
