//! `aggregate(direct arguments) WITHIN GROUP (ORDER BY ...)`.
//!
//! percentile_cont, percentile_disc and mode are aggregates whose rows come sorted. The hypothetical-set aggregates (rank, dense_rank, percent_rank,
//! cume_dist of a row that is not there) are counts of the rows that stand before it:
//!
//! ```text
//! rank          1 + count(*) filter (where row before)
//! dense_rank    1 + count(distinct row) filter (where row before)
//! percent_rank  count(*) filter (where row before) / count(*)                          0 where there are no rows
//! cume_dist     (1 + count(*) filter (where row before or its peer)) / (1 + count(*))
//! ```
use super::super::Binder;
use super::super::coerce::{self, Callee};
use pamir_catalog::well_known::PG_CATALOG;
use pamir_expr::func::{Aggregate, CastContext, ordered_set};
use pamir_expr::ir::{AggCall, Expr, OutCol, SortKey};
use pamir_parse::tree::{FuncCall, SortBy};
use pamir_types::{Datum, Error, Result, Type, bail, err};

const HYPOTHETICAL: &[&str] = &["rank", "dense_rank", "percent_rank", "cume_dist"];

impl Binder<'_, '_> {
    pub(super) fn within_group(&mut self, callee: Callee, f: &FuncCall) -> Result<Expr> {
        let name = callee.own_name();
        let hypothetical = HYPOTHETICAL.contains(&name);
        let plain = ordered_set::direct_args(name);
        if self.level().in_agg {
            bail!(GROUPING_ERROR, "aggregate function calls cannot be nested");
        }
        let mark = self.outer_refs.len();
        let aggregates = self.level().aggs.len();
        let direct = self.plain_arguments(callee, f)?;
        if self.level().aggs.len() > aggregates {
            bail!(GROUPING_ERROR, "aggregate function calls cannot be nested");
        }
        // Checked against the groups when these are known.
        self.level().direct_args.extend(direct.iter().cloned());
        self.level().in_agg = true;
        let r = self.ordered_rows(f);
        self.level().in_agg = false;
        let (keys, filter) = r?;
        if hypothetical {
            return self.hypothetical(name, f, direct, keys, filter, mark);
        }
        let of_users = self.overloads::<Aggregate>(callee).iter().any(|a| a.ordered.is_some());
        if plain.is_none() && !of_users {
            let args: Vec<Expr> = direct.into_iter().chain(keys.into_iter().map(|k| k.0)).collect();
            if self.is_aggregate(callee, f) {
                self.aggregate(callee, args)?;
                return Err(err!(
                    WRONG_OBJECT_TYPE,
                    "{name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP"
                ));
            }
            self.invoke(callee, args, false)?;
            return Err(err!(WRONG_OBJECT_TYPE, "WITHIN GROUP specified, but {name} is not an aggregate function"));
        }
        let (written, sorted): (Vec<_>, Vec<_>) = keys.into_iter().map(|(e, k)| (k, e)).unzip();
        let n = direct.len();
        let (agg, args, ty) = self
            .aggregate(callee, direct.into_iter().chain(sorted).collect())
            .map_err(|e| self.blame_argument(e, f))?;
        if agg.schema != PG_CATALOG && agg.ordered != Some(n) {
            let types: Vec<_> = args.iter().map(|a| a.ty().oid).collect();
            let wants = agg.ordered.unwrap_or(0);
            let s = if wants == 1 { "" } else { "s" };
            return Err(coerce::no_function_of(callee, &types).hint(format!(
                "There is an ordered-set aggregate {}, but it requires {wants} direct argument{s}, not {n}.",
                agg.name
            )));
        }
        let mut order_by = Vec::with_capacity(written.len());
        // A user's sees its rows as they come, as in PostgreSQL: to sort them is its own affair.
        let sorted = if agg.schema == PG_CATALOG { written } else { Vec::new() };
        for (e, k) in args.iter().skip(n).zip(sorted) {
            order_by.push(self.written_key(e.clone(), k)?);
        }
        let out = OutCol { id: 0, name: name.to_string(), ty, origin: None };
        self.place_aggregate(AggCall { f: agg, args, distinct: false, order_by, filter, out }, mark)
    }

    #[allow(clippy::type_complexity)]
    fn ordered_rows<'t>(&mut self, f: &'t FuncCall) -> Result<(Vec<(Expr, &'t SortBy)>, Option<Expr>)> {
        let mut keys = Vec::with_capacity(f.order_by.len());
        for k in &f.order_by {
            keys.push((self.expr(&k.expr)?, k));
        }
        Ok((keys, self.aggregate_filter(f)?))
    }

    fn hypothetical(
        &mut self,
        name: &str,
        f: &FuncCall,
        direct: Vec<Expr>,
        keys: Vec<(Expr, &SortBy)>,
        filter: Option<Expr>,
        mark: usize,
    ) -> Result<Expr> {
        if direct.len() != keys.len() {
            let types: Vec<_> = direct.iter().chain(keys.iter().map(|k| &k.0)).map(|e| e.ty().oid).collect();
            return Err(coerce::no_function(name, &types).hint(format!(
                "To use the hypothetical-set aggregate {name}, the number of hypothetical direct arguments (here {}) must match the number of ordering \
                 columns (here {}).",
                direct.len(),
                keys.len()
            )));
        }
        // (what stands before in the first keys, peer in these), built from the last key backwards.
        let mut sorted: Vec<(Expr, SortKey)> = Vec::new();
        for (i, (d, (e, k))) in direct.into_iter().zip(keys).enumerate() {
            let (both, _) =
                self.unify(vec![d, e], "WITHIN GROUP").map_err(|e| match (self.culprit, f.args.get(i)) {
                    (Some(0), Some(a)) => self.place(e, a.value.leftmost()),
                    (Some(1), _) => self.place(e, k.expr.leftmost()),
                    _ => e,
                })?;
            let mut both = both.into_iter();
            let (Some(d), Some(e)) = (both.next(), both.next()) else { return Err(Error::internal("two became one")) };
            let key = self.written_key(e, k)?;
            sorted.push((d, key));
        }
        let peers = name == "cume_dist";
        let mut before = Expr::Const(peers.into(), Type::BOOL);
        for (d, k) in sorted.iter().rev() {
            let (first, same) = self.stands_before(k, d)?;
            before = Expr::Or(vec![first, Expr::And(vec![same, before])]);
        }
        let both = |a: Option<Expr>, b: Expr| match a {
            Some(a) => Expr::And(vec![a, b]),
            None => b,
        };
        let said = self.recording().then(|| (sorted.clone(), filter.clone()));
        let wanted = both(filter.clone(), before);
        let rows: Vec<Expr> =
            if name == "dense_rank" { sorted.into_iter().map(|(_, k)| k.e).collect() } else { vec![] };
        let counted = self.count(rows, Some(wanted), mark)?;
        let one = || Expr::Const(Datum::Int8(1), Type::INT8);
        let value = match name {
            "rank" | "dense_rank" => self.operator("+", Some(counted), one()),
            "percent_rank" => {
                let all = self.count(vec![], filter, mark)?;
                let (a, b) = (self.float(counted)?, self.float(all.clone())?);
                let share = self.operator("/", Some(a), b)?;
                let none = self.operator("=", Some(all), Expr::Const(Datum::Int8(0), Type::INT8))?;
                let zero = Expr::Const(Datum::Float8(0.0), Type::FLOAT8);
                Ok(Expr::Case { whens: vec![(none, zero)], otherwise: Box::new(share), ty: Type::FLOAT8 })
            }
            _ => {
                let all = self.count(vec![], filter, mark)?;
                let (a, b) = (self.operator("+", Some(counted), one())?, self.operator("+", Some(all), one())?);
                let (a, b) = (self.float(a)?, self.float(b)?);
                self.operator("/", Some(a), b)
            }
        }?;
        Ok(match said {
            Some((keys, filter)) => self.record_hypothetical(name, keys, filter, value.ty()),
            None => value,
        })
    }

    fn float(&mut self, e: Expr) -> Result<Expr> {
        self.coerce(e, Type::FLOAT8, CastContext::Implicit)
    }

    /// Whether a row's key stands before the value `d` in the key's order, and whether it is its peer.
    fn stands_before(&mut self, k: &SortKey, d: &Expr) -> Result<(Expr, Expr)> {
        let less = self.operator(if k.desc { ">" } else { "<" }, Some(k.e.clone()), d.clone())?;
        let null = |e: &Expr, not: bool| Expr::IsNull(Box::new(e.clone()), not);
        let (x, y) = if k.nulls_first { (&k.e, d) } else { (d, &k.e) };
        let by_null = Expr::And(vec![null(x, false), null(y, true)]);
        let (eq, left, right) = self.equality(k.e.clone(), d.clone())?;
        let same = Expr::IsDistinct { eq, left: Box::new(left), right: Box::new(right), negated: true };
        let sure = Expr::Coalesce(vec![less, Expr::Const(false.into(), Type::BOOL)], Type::BOOL);
        Ok((Expr::Or(vec![sure, by_null]), same))
    }

    /// count(*), or count(DISTINCT row) of `rows`.
    fn count(&mut self, rows: Vec<Expr>, filter: Option<Expr>, mark: usize) -> Result<Expr> {
        let distinct = !rows.is_empty();
        let args = if distinct { vec![Expr::Row(rows)] } else { vec![] };
        let (f, args, ty) = self.aggregate(Callee::own("count"), args)?;
        let out = OutCol { id: 0, name: "count".into(), ty, origin: None };
        self.place_aggregate(AggCall { f, args, distinct, order_by: vec![], filter, out }, mark)
    }
}
