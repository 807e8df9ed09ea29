//! Assignments to parts of a column: `SET a[2] = 5`, `SET a[1:2] = '{7,8}'`, `SET c.x = 1`, `SET j['k'] = '1'`, `INSERT INTO t (a[1], c.x)`.
//!
//! The value of the whole column is computed from the value before: `a = set(set(a, 1, x), 2, y)`. In an UPDATE the innermost one is the row's column, in
//! an INSERT NULL. Parts have parts: `c.inner.x` sets `inner` to a value that is `inner` with another `x`. A domain looks at the whole when all parts
//! of the column are assigned.
use super::super::Binder;
use super::super::coerce::show;
use super::super::select::Target;
use super::Columns;
use super::set::Assigned;
use pamir_catalog::{Column, Table};
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{CastHow, Expr, Rel};
use pamir_expr::rels::rel_cols;
use pamir_parse::tree::{self, Place, Step};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

/// Is any of the subscripts a slice? Then all are.
fn sliced(steps: &[Step]) -> bool {
    steps.iter().any(|s| matches!(s, Step::Slice(..)))
}

/// The subscripts that stand first, and what follows them.
fn subscripts(steps: &[Step]) -> (&[Step], &[Step]) {
    let n = steps.iter().take_while(|s| matches!(s, Step::Index(_) | Step::Slice(..))).count();
    steps.split_at(n)
}
/// A column's new value without the look of its domain, which comes when the last part has been assigned.
fn unchecked(e: Expr) -> Expr {
    match e {
        Expr::Cast { e, f: CastHow::Relabel, ty, explicit } => match *e {
            Expr::Cast { e: inner, f: CastHow::Domain, .. } => {
                Expr::Cast { e: inner, f: CastHow::Relabel, ty, explicit }
            }
            e => Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty, explicit },
        },
        e => e,
    }
}

impl Binder<'_, '_> {
    /// The type of what is assigned to such a part of a column of this (declared) type.
    pub(super) fn part_type(&self, p: &Place, declared: Type) -> Result<Type> {
        let (mut ty, mut name, mut rest) = (declared, p.column.as_str(), p.steps.as_slice());
        while let Some(first) = rest.first() {
            ty = self.undomained(ty);
            match first {
                Step::Index(_) | Step::Slice(..) => {
                    let now;
                    (now, rest) = subscripts(rest);
                    if ty.oid == oid::JSONB {
                        continue;
                    }
                    if matches!(ty.oid, oid::POINT | oid::LSEG | oid::BOX | oid::LINE) {
                        let shown = show(ty.oid);
                        return Err(Error::unsupported(format!("assignment to a part of a column of type {shown}")));
                    }
                    let Some(elem) = ty.element() else {
                        let shown = show(ty.oid);
                        bail!(
                            DATATYPE_MISMATCH,
                            "cannot subscript type {shown} because it does not support subscripting"
                        );
                    };
                    if !sliced(now) {
                        ty = Type { typmod: ty.typmod, ..elem };
                    }
                }
                Step::Field(f) => {
                    ty = self.field_to_set(ty, name, f).map_err(|e| self.at(e, p.at))?.1;
                    (name, rest) = (f, &rest[1..]);
                }
                Step::Star => {
                    let e = err!(FEATURE_NOT_SUPPORTED, "row expansion via \"*\" is not supported here");
                    return Err(self.at(e, p.at));
                }
            }
        }
        Ok(ty)
    }
    /// What a domain is over in the end; arrays of domains stay.
    fn undomained(&self, mut ty: Type) -> Type {
        while let Some(d) = self.cx.catalog.domain_of(ty.oid) {
            ty = d.base;
        }
        ty
    }
    /// The place and the type of a field that is assigned to; `name`: whose field it is.
    fn field_to_set(&self, ty: Type, name: &str, f: &str) -> Result<(usize, Type)> {
        let Some(fields) = self.cx.catalog.fields_of(ty.oid) else {
            bail!(
                DATATYPE_MISMATCH,
                "cannot assign to field \"{f}\" of column \"{name}\" because its type {} is not a composite type",
                show(ty.oid)
            );
        };
        match fields.iter().position(|x| x.0 == f) {
            Some(i) => Ok((i, fields[i].1)),
            None => bail!(
                UNDEFINED_COLUMN,
                "cannot assign to field \"{f}\" of column \"{name}\" because there is no such column in data type {}",
                show(ty.oid)
            ),
        }
    }
    /// A value as the part's type, or the error of one that cannot be.
    pub(super) fn value_of_part(&mut self, p: &Place, value: Expr, wanted: Type) -> Result<Expr> {
        let from = value.ty().oid;
        if let Some(e) = self.try_coerce(value, wanted, CastContext::Assignment)? {
            return Ok(e);
        }
        let (from, to) = (show(from), show(wanted.oid));
        let e = match p.steps.last() {
            Some(Step::Field(f)) => {
                err!(DATATYPE_MISMATCH, "subfield \"{f}\" is of type {to} but expression is of type {from}")
            }
            _ => {
                let fields = p.steps.iter().rev().find_map(|s| match s {
                    Step::Field(f) => Some(f),
                    _ => None,
                });
                let name = fields.unwrap_or(&p.column);
                err!(
                    DATATYPE_MISMATCH,
                    "subscripted assignment to \"{name}\" requires type {to} but expression is of type {from}"
                )
            }
        };
        Err(self.at(e.hint("You will need to rewrite or cast the expression."), p.at))
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
    pub(super) fn set_part_of(
        &mut self,
        p: &Place,
        value: Expr,
        t: &Table,
        c: &Column,
        set: &mut Assigned,
    ) -> Result<()> {
        Self::settable(c)?;
        let before = set.values.iter().position(|s| s.0 == c.attnum);
        let old = match before {
            Some(i) => set.values[i].1.clone(),
            // The target is the first of what SET sees, of MERGE's the last.
            None => {
                let seen = self.scopes.last();
                let target = seen.and_then(|s| if self.merging { s.rtes.last() } else { s.rtes.first() });
                match target.and_then(|r| r.cols.iter().find(|x| x.name == c.name)) {
                    Some(x) => x.expr.clone(),
                    None => return Err(Error::internal("SET without its target")),
                }
            }
        };
        let e = self.set_part(p, value, t, c, old)?;
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
                Some(at) => whole[at].1 = self.set_part(p, value, table, c, whole[at].1.clone())?,
                None => {
                    let e = self.set_part(p, value, table, c, Expr::Const(Datum::Null, c.ty))?;
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
    fn set_part(&mut self, p: &Place, value: Expr, t: &Table, c: &Column, old: Expr) -> Result<Expr> {
        if matches!(value, Expr::Default) {
            return Err(self.default_of_part(p));
        }
        let declared = t.declared_type(c);
        let wanted = self.part_type(p, declared)?;
        let value = self.value_of_part(p, value, wanted)?;
        let whole = self.put_part(&p.steps, declared, unchecked(old), value)?;
        self.assign(whole, t, c)
    }
    /// A value of type `ty` that is `old` with the part at `steps` replaced.
    fn put_part(&mut self, steps: &[Step], ty: Type, old: Expr, value: Expr) -> Result<Expr> {
        let Some(first) = steps.first() else { return Ok(value) };
        let over = self.undomained(ty);
        let e = match first {
            Step::Field(f) => {
                let (i, field) = self.field_to_set(over, "", f)?;
                let inner = Expr::Field { record: Box::new(old.clone()), index: i, ty: field };
                let inner = self.stored_as(inner);
                let new = self.put_part(&steps[1..], field, inner, value)?;
                let new = self.stored_as(new);
                let place = Expr::Const(Datum::Int4(i as i32), Type::INT4);
                self.own_call(func::array_set::SET_FIELD, vec![old, place, new], over)?
            }
            Step::Index(_) | Step::Slice(..) if over.oid == oid::JSONB => {
                // All that stands behind a subscript of jsonb is one path.
                let path = self.jsonb_path(steps)?;
                let array = self.is_number(&steps[0])?;
                let array = Expr::Const(Datum::Bool(array), Type::BOOL);
                self.own_call(func::array_set::SET_JSONB, vec![old, value, array, path], over)?
            }
            Step::Index(_) | Step::Slice(..) => {
                let (now, rest) = subscripts(steps);
                let new = match over.element() {
                    Some(elem) if !rest.is_empty() && !sliced(now) => {
                        let mut index = Vec::with_capacity(now.len());
                        for s in now {
                            if let Step::Index(i) = s {
                                index.push(self.bound_of_part(Some(i))?);
                            }
                        }
                        let stored = self.cx.catalog.base_type(elem);
                        let inner = Expr::Subscript { array: Box::new(old.clone()), index, ty: stored };
                        self.put_part(rest, elem, inner, value)?
                    }
                    _ if !rest.is_empty() => {
                        return Err(Error::unsupported("assignment to a part of an array's slice"));
                    }
                    _ => value,
                };
                let new = self.stored_as(new);
                self.put_elements(now, self.cx.catalog.base_type(over), old, new)?
            }
            Step::Star => return Err(Error::internal("a part was expected")),
        };
        if over.oid == ty.oid {
            return Ok(e);
        }
        let from = e.ty().oid;
        match self.try_coerce(e, ty, CastContext::Assignment)? {
            Some(e) => Ok(e),
            None => Err(err!(CANNOT_COERCE, "cannot cast type {} to {}", show(from), show(ty.oid))),
        }
    }
    fn own_call(&self, name: &str, args: Vec<Expr>, ty: Type) -> Result<Expr> {
        match func::functions(name).first() {
            Some(f) => Ok(Expr::Call { f: (*f).into(), args, ty }),
            None => Err(Error::internal(format!("{name} is not registered"))),
        }
    }
    /// Is the first subscript of a jsonb a number? Then what is NULL becomes an array.
    fn is_number(&mut self, s: &Step) -> Result<bool> {
        match s {
            Step::Index(e) => Ok(matches!(self.expr(e)?.ty().oid, oid::INT2 | oid::INT4)),
            _ => Ok(false),
        }
    }
    fn put_elements(&mut self, steps: &[Step], ty: Type, old: Expr, value: Expr) -> Result<Expr> {
        let slices = sliced(steps);
        let mut args = vec![old, value, Expr::Const(Datum::Bool(slices), Type::BOOL)];
        for s in steps {
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
        self.own_call(func::array_set::ASSIGN, args, ty)
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
