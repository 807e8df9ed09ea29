//! SET lists, of UPDATE and of ON CONFLICT DO UPDATE.
use super::super::Binder;
use super::super::select::is_star;
use pamir_catalog::{Column, Identity, Table};
use pamir_expr::ir::Expr;
use pamir_parse::tree::{self, Assignment, At, ExprKind, Place, SubLinkKind};
use pamir_types::{Error, Result, bail, err, error::state};
use std::sync::Arc;

/// What a SET list comes to so far.
#[derive(Default)]
pub(super) struct Assigned {
    pub values: Vec<(i16, Expr)>,
    /// The columns of which parts were assigned.
    pub by_parts: Vec<i16>,
}

impl Binder<'_, '_> {
    /// SET lists.
    pub(super) fn assignments(
        &mut self,
        list: &[Assignment],
        t: &Arc<Table>,
        target: usize,
    ) -> Result<Vec<(i16, Expr)>> {
        let mut set = Assigned { values: Vec::with_capacity(list.len()), ..Assigned::default() };
        let was = (self.level().no_agg.replace("UPDATE"), self.level().no_srf.replace("UPDATE"));
        let r = list.iter().try_for_each(|a| self.assignment(a, t, &mut set));
        (self.level().no_agg, self.level().no_srf) = was;
        r?;
        set.values.iter().for_each(|s| self.uses.update(target, s.0));
        Ok(set.values)
    }

    fn assignment(&mut self, a: &Assignment, t: &Table, set: &mut Assigned) -> Result<()> {
        if !a.row {
            let [place] = a.places.as_slice() else { return Err(Error::internal("one column was expected")) };
            let c = self.set_column(place, t, set)?;
            let whole = place.steps.is_empty() && !matches!(a.value.kind, ExprKind::Default);
            let value = match whole {
                true => self.row_for(&a.value, t.declared_type(c))?,
                false => self.value_or_default(&a.value)?,
            };
            return self.set_one(place, t, c, value, a.value.leftmost(), set);
        }
        let values = self.values_of_row(&a.value, a.places.len())?;
        for (place, (value, at)) in std::iter::zip(&a.places, values) {
            let c = self.set_column(place, t, set)?;
            self.set_one(place, t, c, value, at, set)?;
        }
        Ok(())
    }
    /// DEFAULT stays for who knows the column.
    fn value_or_default(&mut self, e: &tree::Expr) -> Result<Expr> {
        if let ExprKind::Default = e.kind { Ok(Expr::Default) } else { self.expr(e) }
    }
    /// The values for `n` columns, with their places.
    fn values_of_row(&mut self, e: &tree::Expr, n: usize) -> Result<Vec<(Expr, At)>> {
        let mismatch = |b: &Self| b.at(err!(SYNTAX_ERROR, "number of columns does not match number of values"), e.at);
        match &e.kind {
            ExprKind::Row { fields, .. } => {
                let values: Vec<(Expr, At)> = if fields.iter().any(is_star) {
                    self.fields(fields)?.into_iter().map(|f| (f, e.at)).collect()
                } else {
                    fields.iter().map(|f| Ok((self.value_or_default(f)?, f.leftmost()))).collect::<Result<_>>()?
                };
                if values.len() == n { Ok(values) } else { Err(mismatch(self)) }
            }
            // The fields of one record, which the executor computes once per row.
            ExprKind::SubLink(s) if matches!(s.kind, SubLinkKind::Scalar) => {
                let fields = self.fields_of_subquery(&s.query, true)?;
                if fields.len() != n {
                    return Err(mismatch(self));
                }
                Ok(fields.into_iter().map(|f| (f, e.at)).collect())
            }
            _ => {
                let x = err!(
                    FEATURE_NOT_SUPPORTED,
                    "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression"
                );
                Err(self.at(x, e.leftmost()))
            }
        }
    }

    /// The column that is assigned to, or a part of it.
    fn set_column<'t>(&self, p: &Place, t: &'t Table, set: &Assigned) -> Result<&'t Column> {
        let Some(c) = t.column_by_name(&p.column) else { return Err(self.no_column(p, t)) };
        let again = set.values.iter().any(|s| s.0 == c.attnum);
        if again && (p.steps.is_empty() || !set.by_parts.contains(&c.attnum)) {
            bail!(SYNTAX_ERROR, "multiple assignments to same column \"{}\"", p.column);
        }
        Ok(c)
    }
    fn set_one(&mut self, p: &Place, t: &Table, c: &Column, value: Expr, at: At, set: &mut Assigned) -> Result<()> {
        let r = if p.steps.is_empty() {
            self.set_value(value, t, c).map(|e| set.values.push((c.attnum, e)))
        } else {
            self.set_part_of(p, value, t, c, set)
        };
        // What only the server sets is refused after the text was read.
        r.map_err(|e| if e.code() == state::GENERATED_ALWAYS { e } else { self.place(e, at) })
    }
    fn set_value(&mut self, e: Expr, t: &Table, c: &Column) -> Result<Expr> {
        if matches!(e, Expr::Default) {
            return if c.generated.is_some() { Ok(Expr::Default) } else { self.default_of(t, c) };
        }
        Self::settable(c)?;
        self.assign(e, t, c)
    }
    /// 428C9 for columns that only the server sets.
    pub(super) fn settable(c: &Column) -> Result<()> {
        let what = match (&c.generated, c.identity) {
            (Some(_), _) => "a generated column",
            (None, Some(Identity::Always)) => "an identity column defined as GENERATED ALWAYS",
            _ => return Ok(()),
        };
        Err(err!(GENERATED_ALWAYS, "column \"{}\" can only be updated to DEFAULT", c.name)
            .detail(format!("Column \"{}\" is {what}.", c.name)))
    }
}
