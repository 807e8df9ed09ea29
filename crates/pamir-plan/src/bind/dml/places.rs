//! Assignments to parts of a column: `SET a[2] = 5`, `SET a[1:2] = '{7,8}'`, `INSERT INTO t (a[1], a[2])`.
//!
//! The value of the whole column is computed from the value before: `a = set(set(a, 1, x), 2, y)`. In an UPDATE the innermost one is the row's column, in
//! an INSERT NULL. Columns have no fields, so that a field of one is refused as PostgreSQL refuses it where there is none.
use super::super::Binder;
use super::super::coerce::show;
use super::super::select::Target;
use super::Columns;
use super::set::Assigned;
use pamir_catalog::{Column, Table};
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{Expr, Rel};
use pamir_expr::rels::rel_cols;
use pamir_parse::tree::{self, Place, Step};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

/// Is any of the subscripts a slice? Then all are.
fn sliced(steps: &[Step]) -> bool {
    steps.iter().any(|s| matches!(s, Step::Slice(..)))
}

impl Binder<'_, '_> {
    /// The type of what is assigned to such a part of the column.
    pub(super) fn part_type(&self, p: &Place, c: &Column) -> Result<Type> {
        let subscript = |s: &Step| matches!(s, Step::Index(_) | Step::Slice(..));
        let n = p.steps.iter().take_while(|s| subscript(s)).count();
        let mut ty = c.ty;
        if n > 0 {
            if ty.oid == oid::JSONB {
                return Err(Error::unsupported("assignment to a part of a column of type jsonb"));
            }
            if matches!(ty.oid, oid::POINT | oid::LSEG | oid::BOX | oid::LINE) {
                return Err(Error::unsupported(format!("assignment to a part of a column of type {}", show(ty.oid))));
            }
            let Some(elem) = ty.element() else {
                let shown = show(ty.oid);
                bail!(DATATYPE_MISMATCH, "cannot subscript type {shown} because it does not support subscripting");
            };
            if !sliced(&p.steps[..n]) {
                ty = Type { typmod: ty.typmod, ..elem };
            }
        }
        match p.steps.get(n) {
            None => Ok(ty),
            Some(Step::Field(_)) if oid::is_composite(ty.oid) => {
                Err(Error::unsupported("assignment to a field of a composite column"))
            }
            Some(Step::Field(f)) => {
                let e = err!(
                    DATATYPE_MISMATCH,
                    "cannot assign to field \"{f}\" of column \"{}\" because its type {} is not a composite type",
                    p.column,
                    show(ty.oid)
                );
                Err(self.at(e, p.at))
            }
            Some(_) => {
                let e = err!(FEATURE_NOT_SUPPORTED, "row expansion via \"*\" is not supported here");
                Err(self.at(e, p.at))
            }
        }
    }
    /// DEFAULT is of whole columns.
    pub(super) fn default_of_part(&self, p: &Place) -> Error {
        let what = match p.steps.first() {
            Some(Step::Index(_) | Step::Slice(..)) => "an array element",
            _ => "a subfield",
        };
        self.at(err!(FEATURE_NOT_SUPPORTED, "cannot set {what} to DEFAULT"), p.at)
    }

    /// SET of a part: over the parts of the same column before it, or over the row's column.
    pub(super) fn set_part_of(&mut self, p: &Place, value: Expr, c: &Column, set: &mut Assigned) -> Result<()> {
        Self::settable(c)?;
        let before = set.values.iter().position(|s| s.0 == c.attnum);
        let old = match before {
            Some(i) => set.values[i].1.clone(),
            // The target is the first of what SET sees.
            None => {
                let target = self.scopes.last().and_then(|s| s.rtes.first());
                match target.and_then(|r| r.cols.iter().find(|x| x.name == c.name)) {
                    Some(x) => x.expr.clone(),
                    None => return Err(Error::internal("SET without its target")),
                }
            }
        };
        let e = self.set_part(p, value, c, old)?;
        match before {
            Some(i) => set.values[i].1 = e,
            None => {
                set.values.push((c.attnum, e));
                set.by_parts.push(c.attnum);
            }
        }
        Ok(())
    }

    /// INSERT's source with parts of columns put together: one value a column.
    pub(super) fn whole_columns(
        &mut self,
        source: Rel,
        columns: &mut Vec<i16>,
        cols: &mut Columns,
        parts: &[(usize, &Place)],
        table: &Table,
    ) -> Result<Rel> {
        let given = rel_cols(&source);
        let mut whole: Vec<(i16, Expr)> = Vec::new();
        let mut kept: Vec<(Column, bool)> = Vec::new();
        for (i, (o, attnum)) in std::iter::zip(&given, columns.iter()).enumerate() {
            let Some(c) = table.column(*attnum) else { return Err(Error::internal("INSERT into no column")) };
            let value = Expr::Col(o.id, o.ty);
            let Some((_, p)) = parts.iter().find(|p| p.0 == i) else {
                whole.push((*attnum, value));
                kept.push((c.clone(), cols.set[i]));
                continue;
            };
            match whole.iter().position(|w| w.0 == *attnum) {
                Some(at) => whole[at].1 = self.set_part(p, value, c, whole[at].1.clone())?,
                None => {
                    let e = self.set_part(p, value, c, Expr::Const(Datum::Null, c.ty))?;
                    whole.push((*attnum, e));
                    kept.push((c.clone(), true));
                }
            }
        }
        *columns = whole.iter().map(|w| w.0).collect();
        (cols.list, cols.set) = kept.into_iter().unzip();
        cols.given = cols.list.len();
        let targets = std::iter::zip(whole, &cols.list)
            .map(|((_, e), c)| Target { e, name: c.name.clone(), origin: None })
            .collect();
        Ok(self.project(source, targets).rel)
    }

    /// `value` assigned to the part `p` of `c`, whose value until then is `old`.
    fn set_part(&mut self, p: &Place, value: Expr, c: &Column, old: Expr) -> Result<Expr> {
        if matches!(value, Expr::Default) {
            return Err(self.default_of_part(p));
        }
        let wanted = self.part_type(p, c)?;
        let from = value.ty().oid;
        let Some(value) = self.try_coerce(value, wanted, CastContext::Assignment)? else {
            let e = err!(
                DATATYPE_MISMATCH,
                "subscripted assignment to \"{}\" requires type {} but expression is of type {}",
                c.name,
                show(wanted.oid),
                show(from)
            )
            .hint("You will need to rewrite or cast the expression.");
            return Err(self.at(e, p.at));
        };
        let slices = sliced(&p.steps);
        let mut args = vec![old, value, Expr::Const(Datum::Bool(slices), Type::BOOL)];
        for s in &p.steps {
            match s {
                Step::Index(e) => {
                    let upper = self.bound_of_part(Some(e))?;
                    args.push(if slices { Expr::Const(Datum::Int4(1), Type::INT4) } else { upper.clone() });
                    args.push(upper);
                }
                Step::Slice(lower, upper) => {
                    args.push(self.bound_of_part(lower.as_ref())?);
                    args.push(self.bound_of_part(upper.as_ref())?);
                }
                Step::Field(_) | Step::Star => return Err(Error::internal("a subscript was expected")),
            }
        }
        let Some(f) = func::functions(func::array_set::ASSIGN).first() else {
            return Err(Error::internal("array assignment is not registered"));
        };
        Ok(Expr::Call { f: (*f).into(), args, ty: c.ty })
    }

    fn bound_of_part(&mut self, e: Option<&tree::Expr>) -> Result<Expr> {
        let Some(e) = e else { return Ok(Expr::Const(Datum::Bool(false), Type::BOOL)) };
        let x = self.expr(e)?;
        match self.try_coerce(x, Type::INT4, CastContext::Assignment).map_err(|x| self.place(x, e.leftmost()))? {
            Some(x) => Ok(x),
            None => {
                let x = err!(DATATYPE_MISMATCH, "array subscript must have type integer");
                Err(self.at(x, e.leftmost()))
            }
        }
    }
}
