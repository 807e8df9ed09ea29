//! Assignments, INTO, and what a function returns.
use super::*;
use crate::tree::{Into, Target};
use pamir_expr::func::rowtype;

impl Run<'_, '_> {
    /// What a value that goes to a variable is to be.
    pub(super) fn wanted(&self, n: usize) -> Want {
        match self.f.vars[n].ty {
            VarType::Plain(_) => Want::As(self.types[n]),
            _ => Want::Any,
        }
    }
    pub(super) fn assign(&mut self, t: &Target, value: &Sql) -> Result<()> {
        if !t.index.is_empty() {
            return self.assign_element(t, value);
        }
        let want = match &t.field {
            None => self.wanted(t.var),
            Some(_) => Want::Any,
        };
        let (d, ty) = self.eval(value, want)?;
        self.put(t, d, ty).map_err(|e| match t.field {
            Some(_) if e.code() == state::OBJECT_NOT_IN_PREREQUISITE_STATE => {
                e.context(format!("PL/pgSQL assignment \"{}{}\"", value.before, value.text))
            }
            _ => e,
        })
    }
    /// `a[i] := value`
    fn assign_element(&mut self, t: &Target, value: &Sql) -> Result<()> {
        let whole = match &t.field {
            None => self.types[t.var],
            Some(f) => self.field(t.var, f)?.1,
        };
        let Some(elem) = whole.element() else {
            let shown = pamir_expr::casts::show(whole.oid);
            bail!(DATATYPE_MISMATCH, "cannot subscript type {shown} because it does not support subscripting");
        };
        let mut bounds = Vec::with_capacity(t.index.len());
        for i in &t.index {
            match self.eval(i, Want::As(Type::INT4))?.0 {
                Datum::Int4(n) => bounds.push((Some(n), Some(n))),
                _ => bail!(NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null"),
            }
        }
        let (d, _) = self.eval(value, Want::As(elem))?;
        let old = match &t.field {
            None => self.vars[t.var].clone(),
            Some(f) => self.field(t.var, f)?.0,
        };
        let new = pamir_expr::func::array_set::with_element(&old, elem, &bounds, d)?;
        let plain = Target { var: t.var, field: t.field.clone(), index: Vec::new() };
        self.put(&plain, new, whole)
    }
    /// A value to a variable or a field.
    pub(super) fn put(&mut self, t: &Target, d: Datum, ty: Type) -> Result<()> {
        let Some(name) = &t.field else { return self.store(t.var, d, ty) };
        let (at, want) = self.place_of(t.var, name)?;
        let d = self.host.cast(d, ty, want)?;
        let shape = rowtype::fields(self.types[t.var]);
        let fields = match (fields_of(&self.vars[t.var]), shape) {
            (Some(f), _) => f.to_vec(),
            // A row that is NULL has NULLs for fields.
            (None, Some(s)) => s.iter().map(|(_, t)| (*t, Datum::Null)).collect(),
            (None, None) => return Err(not_assigned(&self.f.vars[t.var].name)),
        };
        let mut fields = fields;
        if let Some(f) = fields.get_mut(at) {
            *f = (want, d);
        }
        self.vars[t.var] = Datum::Record(fields.into());
        Ok(())
    }
    /// A field's number and type.
    fn place_of(&self, var: usize, name: &str) -> Result<(usize, Type)> {
        let record = &self.f.vars[var].name;
        let Some(shape) = rowtype::fields(self.types[var]) else { return Err(not_assigned(record)) };
        match shape.iter().position(|s| s.0 == *name) {
            Some(i) => Ok((i, shape[i].1)),
            None => bail!(UNDEFINED_COLUMN, "record \"{record}\" has no field \"{name}\""),
        }
    }
    fn field(&self, var: usize, name: &str) -> Result<(Datum, Type)> {
        let (at, ty) = self.place_of(var, name)?;
        let d = fields_of(&self.vars[var]).and_then(|f| f.get(at)).map_or(Datum::Null, |f| f.1.clone());
        Ok((d, ty))
    }
    /// A value to a variable.
    pub(super) fn store(&mut self, n: usize, d: Datum, ty: Type) -> Result<()> {
        let v = &self.f.vars[n];
        match v.ty {
            VarType::Plain(_) => {
                let to = self.types[n];
                let d = if ty == to { d } else { self.host.cast(d, ty, to)? };
                if v.not_null && d.is_null() {
                    bail!(
                        NULL_VALUE_NOT_ALLOWED,
                        "null value cannot be assigned to variable \"{}\" declared NOT NULL",
                        v.name
                    );
                }
                self.vars[n] = d;
            }
            VarType::Record => match &d {
                Datum::Record(fields) => {
                    self.types[n] = match rowtype::fields(ty) {
                        Some(_) => ty,
                        None => rowtype::of(
                            fields.iter().enumerate().map(|(i, (t, _))| (format!("f{}", i + 1), *t)).collect(),
                        ),
                    };
                    self.vars[n] = d;
                }
                Datum::Null => {
                    self.vars[n] = Datum::Null;
                    if rowtype::fields(ty).is_some() {
                        self.types[n] = ty;
                    }
                }
                _ => bail!(DATATYPE_MISMATCH, "cannot assign non-composite value to a record variable"),
            },
            VarType::Row(row) => match &d {
                Datum::Record(fields) => {
                    let row = self.row_as(fields, row)?;
                    self.vars[n] = row;
                }
                Datum::Null => self.vars[n] = Datum::Null,
                _ => bail!(DATATYPE_MISMATCH, "cannot assign non-composite value to a row variable"),
            },
        }
        Ok(())
    }
    /// Fields as a row's, by place: what is more is left out, what is missing is NULL.
    pub(super) fn row_as(&mut self, fields: &Arc<[(Type, Datum)]>, row: Type) -> Result<Datum> {
        let Some(shape) = rowtype::fields(row) else { return Ok(Datum::Record(fields.clone())) };
        let mut out = Vec::with_capacity(shape.len());
        for (i, (_, to)) in shape.iter().enumerate() {
            let d = match fields.get(i) {
                Some((from, d)) => self.host.cast(d.clone(), *from, *to)?,
                None => Datum::Null,
            };
            out.push((*to, d));
        }
        Ok(Datum::Record(out.into()))
    }
    /// A row of a query to INTO's variables; None: there was none.
    pub(super) fn row_into(&mut self, into: &Into, columns: &[(String, Type)], row: Option<&[Datum]>) -> Result<()> {
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
                // A single composite value is the row itself.
                if let [(_, t)] = columns
                    && rowtype::fields(*t).is_some()
                {
                    return self.store(*n, of(0), *t);
                }
                let fields: Arc<[(Type, Datum)]> = columns.iter().enumerate().map(|(i, c)| (c.1, of(i))).collect();
                let ty = rowtype::of(columns.to_vec());
                if columns.is_empty() {
                    return self.store(*n, Datum::Null, Type::new(oid::RECORD));
                }
                self.store(*n, Datum::Record(fields), ty)?;
            }
        }
        Ok(())
    }

    // ---- RETURN ----

    pub(super) fn give(&mut self, value: Option<&Sql>) -> Result<()> {
        let r = self.f.returns;
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
                let shape = rowtype::fields(row).map_or(0, |s| s.len());
                if f.len() != shape {
                    let e = err!(DATATYPE_MISMATCH, "returned record type does not match expected record type");
                    return Err(e.detail(format!(
                        "Number of returned columns ({}) does not match expected column count ({shape}).",
                        f.len()
                    )));
                }
                self.row_as(f, row)?
            }
            (Datum::Record(_), None) => d,
            _ => bail!(DATATYPE_MISMATCH, "cannot return non-composite value from function returning composite type"),
        };
        self.result = Some((d, t));
        Ok(())
    }
    /// The type of a plain result.
    fn return_type(&self) -> Type {
        self.f.returns.ty
    }
    pub(super) fn emit(&mut self, row: Vec<Datum>) -> Result<()> {
        match &mut self.push {
            Some(p) => p(row),
            None => Err(err!(FEATURE_NOT_SUPPORTED, "set-valued function called in context that cannot accept a set")),
        }
    }
    pub(super) fn return_next(&mut self, value: Option<&Sql>) -> Result<()> {
        let r = self.f.returns;
        let Some(s) = value else {
            let row: Vec<Datum> = self.f.out.iter().map(|n| self.vars[*n].clone()).collect();
            return self.emit(row);
        };
        if r.row.is_none() && r.ty.oid != oid::RECORD {
            let d = self.eval(s, Want::As(self.return_type()))?.0;
            return self.emit(vec![d]);
        }
        let (d, t) = self.eval(s, Want::Any)?;
        let fields = match (&d, r.row.or(Some(t).filter(|t| rowtype::fields(*t).is_some()))) {
            (Datum::Record(f), Some(row)) => match self.row_as(f, row)? {
                Datum::Record(f) => f.iter().map(|f| f.1.clone()).collect(),
                _ => Vec::new(),
            },
            (Datum::Record(f), None) => f.iter().map(|f| f.1.clone()).collect(),
            (Datum::Null, Some(row)) => vec![Datum::Null; rowtype::fields(row).map_or(1, |s| s.len())],
            _ => bail!(DATATYPE_MISMATCH, "cannot return non-composite value from function returning composite type"),
        };
        self.emit(fields)
    }
}
