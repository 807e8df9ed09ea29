//! Assignments, INTO, and what a function returns.
use super::*;
use crate::tree::{Into, Step, Target};
use pamir_expr::func::rowtype;
use pamir_types::error::Severity;
use pamir_types::record::Record;

const MISMATCH: &str = "returned record type does not match expected record type";

/// One step to what is assigned to: what it is taken of, and what it gives.
struct Way {
    of: Type,
    gives: Type,
    how: How,
}
enum How {
    Field(usize),
    Element { slice: bool, bounds: Vec<(Option<i32>, Option<i32>)> },
}
/// The item at these subscripts, or NULL.
fn item_at(a: &pamir_types::array::Array, bounds: &[(Option<i32>, Option<i32>)]) -> Datum {
    if a.dims.len() != bounds.len() {
        return Datum::Null;
    }
    let mut at = 0usize;
    for ((len, lower), (i, _)) in std::iter::zip(&a.dims, bounds) {
        let place = i.map_or(-1, |i| i64::from(i) - i64::from(*lower));
        if place < 0 || place >= i64::from(*len) {
            return Datum::Null;
        }
        at = at * *len as usize + place as usize;
    }
    a.items.get(at).cloned().unwrap_or(Datum::Null)
}

impl Run<'_, '_> {
    /// What a value that goes to a variable is to be.
    pub(super) fn wanted(&self, n: usize) -> Want {
        match self.f.vars[n].ty {
            VarType::Plain(_) => Want::As(self.types[n]),
            // What is no row is read as one of its type.
            VarType::Row(t) if oid::is_composite(t.oid) => Want::As(t),
            _ => Want::Any,
        }
    }
    pub(super) fn assign(&mut self, t: &Target, value: &Sql) -> Result<()> {
        if t.steps.is_empty() {
            let want = self.wanted(t.var);
            let mut d = Datum::Null;
            let ty = self.eval_to(value, want, &mut d)?;
            let v = &self.f.vars[t.var];
            if matches!(v.ty, VarType::Plain(_)) && !v.not_null && ty == self.types[t.var] {
                self.vars[t.var].take_from(&mut d);
                return Ok(());
            }
            return self.store(t.var, d, ty);
        }
        if let [Step::Index(i)] = t.steps.as_slice()
            && let of = self.types[t.var]
            && !oid::is_user(of.oid)
            && let Some(elem) = of.element()
        {
            return self.assign_element(t.var, of, elem, i, value);
        }
        let way = match self.way(t) {
            Ok(way) => way,
            Err(e) => {
                // What the value is comes first.
                self.eval(value, Want::Any)?;
                let whole = format!("PL/pgSQL assignment \"{}{}\"", value.before, value.text);
                let unassigned = e.code() == state::OBJECT_NOT_IN_PREREQUISITE_STATE;
                return Err(if unassigned { e.context(whole) } else { e });
            }
        };
        let leaf = way.last().map_or(Type::UNKNOWN, |w| w.gives);
        let (d, ty) = self.eval(value, Want::As(leaf))?;
        let d = if ty == leaf { d } else { self.host.cast(d, ty, leaf)? };
        self.put_at(t.var, &way, d)
    }
    /// `a[i] := value`, as [`Self::way`] and [`Self::put_at`] do it, with nothing made on the way.
    fn assign_element(&mut self, var: usize, of: Type, elem: Type, i: &Sql, value: &Sql) -> Result<()> {
        let i = self.subscript(i)?;
        let mut d = Datum::Null;
        let ty = self.eval_to(value, Want::As(elem), &mut d)?;
        let d = if ty == elem { d } else { self.host.cast(d, ty, elem)? };
        let d = match &mut self.vars[var] {
            Datum::Array(a) => match Arc::get_mut(a) {
                Some(a) => match pamir_expr::func::array_set::set_in_place(a, i, d)? {
                    None => return Ok(()),
                    Some(d) => d,
                },
                None => d,
            },
            _ => d,
        };
        let how = How::Element { slice: false, bounds: vec![(Some(i), Some(i))] };
        self.put_anew(var, &[Way { of, gives: elem, how }], d)
    }
    /// Where a target's steps lead, with the types on the way.
    fn way(&mut self, t: &Target) -> Result<Vec<Way>> {
        let mut out: Vec<Way> = Vec::with_capacity(t.steps.len());
        let mut ty = self.types[t.var];
        let mut rest = t.steps.as_slice();
        while let Some(first) = rest.first() {
            work::charge(STATEMENT)?;
            if let Step::Field(name) = first {
                rest = &rest[1..];
                let (at, gives) = match out.is_empty() {
                    true => self.place_of(t.var, name)?,
                    false => self.nested_place(ty, name, t.var)?,
                };
                out.push(Way { of: ty, gives, how: How::Field(at) });
                ty = gives;
                continue;
            }
            let n = rest.iter().take_while(|s| !matches!(s, Step::Field(_))).count();
            let (now, later) = rest.split_at(n);
            rest = later;
            let base = self.host.base(ty);
            // An array of a domain holds its values.
            let of_domain = oid::element_of(ty.oid).filter(|e| oid::is_domain(*e)).map(Type::new);
            let Some(elem) = of_domain.or(base.element()) else {
                if base.oid == oid::JSONB {
                    return Err(Error::unsupported("assignment to a part of a jsonb variable"));
                }
                let shown = pamir_expr::casts::show(ty.oid);
                bail!(DATATYPE_MISMATCH, "cannot subscript type {shown} because it does not support subscripting");
            };
            let slice = now.iter().any(|s| matches!(s, Step::Slice(..)));
            let mut bounds = Vec::with_capacity(n);
            for s in now {
                bounds.push(match s {
                    Step::Index(i) if slice => (Some(1), Some(self.subscript(i)?)),
                    Step::Index(i) => {
                        let i = self.subscript(i)?;
                        (Some(i), Some(i))
                    }
                    Step::Slice(l, u) => {
                        let l = l.as_ref().map(|l| self.subscript(l)).transpose()?;
                        (l, u.as_ref().map(|u| self.subscript(u)).transpose()?)
                    }
                    Step::Field(_) => return Err(Error::internal("a subscript was expected")),
                });
            }
            let gives = match (slice, of_domain) {
                (true, Some(_)) => ty,
                (true, None) => base,
                (false, _) => elem,
            };
            out.push(Way { of: ty, gives, how: How::Element { slice, bounds } });
            ty = gives;
        }
        Ok(out)
    }
    fn subscript(&mut self, s: &Sql) -> Result<i32> {
        match self.eval(s, Want::As(Type::INT4))?.0 {
            Datum::Int4(n) => Ok(n),
            _ => bail!(NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null"),
        }
    }
    /// A field of what is no variable itself.
    fn nested_place(&mut self, ty: Type, name: &str, var: usize) -> Result<(usize, Type)> {
        let column = &self.f.vars[var].name;
        let shown = || pamir_expr::casts::show(ty.oid);
        let Some(shape) = self.host.shape(ty) else {
            let what = format!("cannot assign to field \"{name}\" of column \"{column}\" because its type");
            bail!(DATATYPE_MISMATCH, "{what} {} is not a composite type", shown())
        };
        match shape.iter().position(|f| f.0 == *name) {
            Some(i) => Ok((i, shape[i].1)),
            None => {
                let what = format!("cannot assign to field \"{name}\" of column \"{column}\" because there is");
                bail!(UNDEFINED_COLUMN, "{what} no such column in data type {}", shown())
            }
        }
    }
    /// A value of the last step's type to where the steps lead.
    fn put_at(&mut self, var: usize, way: &[Way], d: Datum) -> Result<()> {
        // Alone in its variable, an array is changed where it is.
        if let ([Way { of, how: How::Element { slice: false, bounds }, .. }], Datum::Array(a)) =
            (way, &mut self.vars[var])
            && !oid::is_domain(of.oid)
            && let [(Some(i), _)] = bounds.as_slice()
            && let Some(a) = Arc::get_mut(a)
        {
            return match pamir_expr::func::array_set::set_in_place(a, *i, d)? {
                None => Ok(()),
                Some(d) => self.put_anew(var, way, d),
            };
        }
        self.put_anew(var, way, d)
    }
    fn put_anew(&mut self, var: usize, way: &[Way], d: Datum) -> Result<()> {
        let old = self.vars[var].clone();
        self.vars[var] = self.rebuilt(&old, way, d)?;
        Ok(())
    }
    fn rebuilt(&mut self, old: &Datum, way: &[Way], value: Datum) -> Result<Datum> {
        let Some((first, rest)) = way.split_first() else { return Ok(value) };
        let new = match &first.how {
            How::Field(at) => {
                let mut fields = match fields_of(old) {
                    Some(f) => f.to_vec(),
                    None => self.nulls(first.of),
                };
                let before = fields.get(*at).map_or(Datum::Null, |f| f.1.clone());
                let d = self.rebuilt(&before, rest, value)?;
                let stored = self.host.base(first.gives);
                if let Some(f) = fields.get_mut(*at) {
                    *f = (stored, d);
                }
                Datum::record(fields)?
            }
            How::Element { slice, bounds } => {
                let elem = self.host.base(first.of).element().unwrap_or(Type::TEXT);
                if *slice {
                    pamir_expr::func::array_set::with_slice(old, elem, bounds, value)?
                } else {
                    let before = match old {
                        Datum::Array(a) if !rest.is_empty() => item_at(a, bounds),
                        _ => Datum::Null,
                    };
                    let d = self.rebuilt(&before, rest, value)?;
                    pamir_expr::func::array_set::with_element(old, elem, bounds, d)?
                }
            }
        };
        // A part of a domain's value is changed: the whole is looked at.
        if oid::is_domain(first.of.oid) { self.host.cast(new, self.host.base(first.of), first.of) } else { Ok(new) }
    }
    /// A row's fields, none of them known.
    fn nulls(&self, row: Type) -> Vec<(Type, Datum)> {
        let shape = self.host.shape(row);
        shape.iter().flat_map(|s| s.iter()).map(|(_, t)| (self.host.base(*t), Datum::Null)).collect()
    }
    /// A value to a variable or a field.
    pub(super) fn put(&mut self, t: &Target, d: Datum, ty: Type) -> Result<()> {
        if t.steps.is_empty() {
            return self.store(t.var, d, ty);
        }
        let way = self.way(t)?;
        let leaf = way.last().map_or(Type::UNKNOWN, |w| w.gives);
        let d = self.host.cast(d, ty, leaf)?;
        self.put_at(t.var, &way, d)
    }
    /// A field's number and type.
    fn place_of(&self, var: usize, name: &str) -> Result<(usize, Type)> {
        let record = &self.f.vars[var].name;
        let Some(shape) = self.host.shape(self.types[var]) else { return Err(not_assigned(record)) };
        match shape.iter().position(|s| s.0 == *name) {
            Some(i) => Ok((i, shape[i].1)),
            None => bail!(UNDEFINED_COLUMN, "record \"{record}\" has no field \"{name}\""),
        }
    }
    /// A value to a variable.
    pub(super) fn store(&mut self, n: usize, d: Datum, ty: Type) -> Result<()> {
        let v = &self.f.vars[n];
        let allowed = |d: &Datum| {
            if v.not_null && d.is_null() {
                let what = "null value cannot be assigned to variable";
                bail!(NULL_VALUE_NOT_ALLOWED, "{what} \"{}\" declared NOT NULL", v.name);
            }
            Ok(())
        };
        match v.ty {
            VarType::Plain(_) => {
                let to = self.types[n];
                let d = if ty == to { d } else { self.host.cast(d, ty, to)? };
                allowed(&d)?;
                self.vars[n] = d;
            }
            _ if d.is_null() && v.not_null => allowed(&d)?,
            VarType::Record => match &d {
                Datum::Record(fields) => {
                    self.types[n] = match self.host.shape(ty) {
                        Some(_) => ty,
                        None => rowtype::of(
                            fields.iter().enumerate().map(|(i, (t, _))| (format!("f{}", i + 1), *t)).collect(),
                        ),
                    };
                    self.vars[n] = d;
                }
                Datum::Null => {
                    self.vars[n] = Datum::Null;
                    if self.host.shape(ty).is_some() {
                        self.types[n] = ty;
                    }
                }
                _ => bail!(DATATYPE_MISMATCH, "cannot assign non-composite value to a record variable"),
            },
            VarType::Row(row) => match &d {
                Datum::Record(_) if ty == row => self.vars[n] = d,
                Datum::Record(fields) => {
                    let whole = self.row_as(fields, row)?;
                    self.vars[n] = self.of_domain(whole, row)?;
                }
                Datum::Null => self.vars[n] = self.of_domain(Datum::Null, row)?,
                _ => bail!(DATATYPE_MISMATCH, "cannot assign non-composite value to a row variable"),
            },
        }
        Ok(())
    }
    /// A row that is of a domain, if that lets it.
    fn of_domain(&mut self, row: Datum, ty: Type) -> Result<Datum> {
        if oid::is_domain(ty.oid) { self.host.cast(row, self.host.base(ty), ty) } else { Ok(row) }
    }
    /// Fields as a row's, by place: what is more is left out, what is missing is NULL.
    pub(super) fn row_as(&mut self, fields: &Record, row: Type) -> Result<Datum> {
        let Some(shape) = self.host.shape(row) else { return Ok(Datum::Record(fields.clone())) };
        let mut out = Vec::with_capacity(shape.len());
        for (i, (_, to)) in shape.iter().enumerate() {
            let d = match fields.get(i) {
                Some((from, d)) => self.host.cast(d.clone(), *from, *to)?,
                None => Datum::Null,
            };
            out.push((self.host.base(*to), d));
        }
        Datum::record(out)
    }
    /// strict_multi_assignment: as many columns as there are places for them.
    fn check_count(&mut self, into: &Into, columns: &[(String, Type)]) -> Result<()> {
        let wanted = match into {
            Into::List(list) => list.len(),
            Into::Record(n) => match self.f.vars[*n].ty {
                VarType::Row(t) => match self.host.shape(t) {
                    Some(s) => s.len(),
                    None => return Ok(()),
                },
                _ => return Ok(()),
            },
        };
        if wanted == columns.len() {
            return Ok(());
        }
        let Some(level) = self.host.extra("strict_multi_assignment") else { return Ok(()) };
        let active = if level == Severity::Error { "extra_errors" } else { "extra_warnings" };
        let e = err!(DATATYPE_MISMATCH, "number of source and target fields in assignment does not match")
            .detail(format!("strict_multi_assignment check of {active} is active."))
            .hint("Make sure the query returns the exact list of columns.");
        self.tell(e, level)
    }
    /// A row of a query to INTO's variables; None: there was none.
    pub(super) fn row_into(&mut self, into: &Into, columns: &[(String, Type)], row: Option<&[Datum]>) -> Result<()> {
        if row.is_some() {
            self.check_count(into, columns)?;
        }
        match into {
            Into::List(list) => {
                for (i, t) in list.iter().enumerate() {
                    let d = row.and_then(|r| r.get(i)).cloned().unwrap_or(Datum::Null);
                    let ty = columns.get(i).map_or(Type::UNKNOWN, |c| c.1);
                    match (row, columns.get(i)) {
                        (Some(_), Some(_)) => self.put(t, d, ty)?,
                        _ => self.put(t, Datum::Null, Type::UNKNOWN)?,
                    }
                }
            }
            Into::Record(n) => {
                let of = |i: usize| row.and_then(|r| r.get(i)).cloned().unwrap_or(Datum::Null);
                let fields = columns.iter().enumerate().map(|(i, c)| (c.1, of(i))).collect();
                let ty = rowtype::of(columns.to_vec());
                if columns.is_empty() {
                    return self.store(*n, Datum::Null, Type::new(oid::RECORD));
                }
                self.store(*n, Datum::record(fields)?, ty)?;
            }
        }
        Ok(())
    }

    // ---- RETURN ----

    pub(super) fn give(&mut self, value: Option<&Sql>) -> Result<()> {
        let r = self.returns;
        let Some(s) = value else { return Ok(()) };
        if self.f.trigger.is_some() {
            self.result = Some(self.eval(s, Want::Any)?);
            return Ok(());
        }
        if r.row.is_none() && r.ty.oid != oid::RECORD {
            self.result = Some(self.eval(s, Want::Any)?);
            return Ok(());
        }
        let (d, t) = self.eval(s, Want::Any)?;
        let d = match (&d, r.row) {
            (Datum::Null, _) => Datum::Null,
            (Datum::Record(f), Some(row)) => {
                if let Err(e) = self.check_row(f, row, MISMATCH) {
                    self.here = self.here.in_phase(Phase::Result);
                    return Err(e);
                }
                self.row_as(f, row)?
            }
            (Datum::Record(_), None) => d,
            _ => bail!(DATATYPE_MISMATCH, "cannot return non-composite value from function returning composite type"),
        };
        self.result = Some((d, t));
        Ok(())
    }
    /// 42804 unless a row's fields are those that are expected, type by type.
    fn check_row(&self, fields: &[(Type, Datum)], row: Type, message: &str) -> Result<()> {
        let Some(shape) = self.host.shape(row) else { return Ok(()) };
        let detail = if fields.len() != shape.len() {
            let (n, want) = (fields.len(), shape.len());
            format!("Number of returned columns ({n}) does not match expected column count ({want}).")
        } else {
            let differs = |i: &usize| fields[*i].0.oid != self.host.base(shape[*i].1).oid;
            let Some(i) = (0..fields.len()).find(differs) else { return Ok(()) };
            let show = |t: Type| pamir_types::text::type_display(t);
            let (have, want) = (show(fields[i].0), show(shape[i].1));
            format!("Returned type {have} does not match expected type {want} in column {}.", i + 1)
        };
        Err(err!(DATATYPE_MISMATCH, "{message}").detail(detail))
    }
    /// The type of a plain result.
    fn return_type(&self) -> Type {
        self.f.returns.ty
    }
    pub(super) fn emit(&mut self, row: Vec<Datum>) -> Result<()> {
        if self.returns.ty.oid == oid::RECORD && self.returns.row.is_none() && self.f.out.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "materialize mode required, but it is not allowed in this context");
        }
        match &mut self.push {
            Some(p) => p(row),
            None => Err(err!(FEATURE_NOT_SUPPORTED, "set-valued function called in context that cannot accept a set")),
        }
    }
    fn next_row(&mut self, s: &Sql, f: &Record, row: Type) -> Result<Datum> {
        let variable = self.f.vars.iter().any(|v| v.name == s.text.trim());
        self.check_row(f, row, if variable { "wrong record type supplied in RETURN NEXT" } else { MISMATCH })?;
        self.row_as(f, row)
    }
    pub(super) fn return_next(&mut self, value: Option<&Sql>) -> Result<()> {
        let r = self.returns;
        let Some(s) = value else {
            let row: Vec<Datum> = self.f.out.iter().map(|n| self.vars[*n].clone()).collect();
            // Of one that is a row the fields are the columns.
            let row = match (row.as_slice(), r.row) {
                ([Datum::Record(f)], Some(_)) => f.iter().map(|f| f.1.clone()).collect(),
                ([_], Some(t)) => self.nulls(t).into_iter().map(|f| f.1).collect(),
                _ => row,
            };
            return self.emit(row);
        };
        if r.row.is_none() && r.ty.oid != oid::RECORD {
            let d = self.eval(s, Want::As(self.return_type()))?.0;
            return self.emit(vec![d]);
        }
        let (d, t) = self.eval(s, Want::Any)?;
        let fields = match (&d, r.row.or(Some(t).filter(|t| self.host.shape(*t).is_some()))) {
            (Datum::Record(f), Some(row)) => match self.next_row(s, f, row)? {
                Datum::Record(f) => f.iter().map(|f| f.1.clone()).collect(),
                _ => Vec::new(),
            },
            (Datum::Record(f), None) => f.iter().map(|f| f.1.clone()).collect(),
            (Datum::Null, Some(row)) => vec![Datum::Null; self.host.shape(row).map_or(1, |s| s.len())],
            _ => bail!(DATATYPE_MISMATCH, "cannot return non-composite value from function returning composite type"),
        };
        self.emit(fields)
    }
}
