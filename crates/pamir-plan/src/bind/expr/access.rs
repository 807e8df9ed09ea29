//! Fields of rows, elements of arrays and what else has subscripts: `(x).field`, `x[1]`, `x[1:2]`.
//!
//! Limits: fields of records whose fields have no names.
use super::super::Binder;
use super::super::coerce::{Callee, show};
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::Expr;
use pamir_parse::tree::{Arg, At, Expr as A, ExprKind as K, FuncCall, Step};
use pamir_types::array::MAX_DIM;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

impl Binder<'_, '_> {
    /// The steps in their order; subscripts that follow one another are one access.
    pub(in crate::bind) fn access(&mut self, root: &A, steps: &[Step]) -> Result<Expr> {
        let mut base = self.expr(root)?;
        base = self.stored_as(base);
        let mut rest = steps;
        while let Some(first) = rest.first() {
            let n = match first {
                Step::Index(_) | Step::Slice(..) => {
                    rest.iter().take_while(|s| matches!(s, Step::Index(_) | Step::Slice(..))).count()
                }
                Step::Field(_) | Step::Star => 1,
            };
            let (now, later) = rest.split_at(n);
            rest = later;
            base = match first {
                Step::Field(name) => {
                    let whole = oid::user_class(base.ty().oid) == Some(oid::UserClass::Row);
                    let before = steps.get(..steps.len() - later.len() - 1).unwrap_or_default();
                    let value = || match before {
                        [] => root.clone(),
                        steps => A {
                            kind: K::Indirection { arg: Box::new(root.clone()), steps: steps.to_vec() },
                            at: root.at,
                        },
                    };
                    self.field_or_call(base, name, value).map_err(|e| match &root.kind {
                        // A table's row by the table's name.
                        K::Column { path: n, star: false } if whole && n.len() == 1 => {
                            match e.code() == state::UNDEFINED_COLUMN {
                                true => err!(UNDEFINED_COLUMN, "column {}.{name} does not exist", n[0]),
                                false => e,
                            }
                        }
                        _ => e,
                    })
                }
                Step::Star => Err(err!(FEATURE_NOT_SUPPORTED, "row expansion via \"*\" is not supported here")),
                _ => self.elements(base, now),
            }
            .map_err(|e| self.place(e, root.leftmost()))?;
            if !rest.is_empty() {
                base = self.stored_as(base);
            }
        }
        Ok(base)
    }

    /// A field of a row, or where there is none a function of one argument, called with the value.
    fn field_or_call(&mut self, base: Expr, name: &str, value: impl Fn() -> A) -> Result<Expr> {
        let e = match self.field(base, name) {
            Err(e) if matches!(e.code(), state::UNDEFINED_COLUMN | state::WRONG_OBJECT_TYPE) => e,
            r => return r,
        };
        let value = value();
        let at = value.at;
        self.called_on(name, value, at)?.ok_or(e)
    }
    /// `value.name` as a call of a function; None: no such function takes it.
    pub(in crate::bind) fn called_on(&mut self, name: &str, value: A, at: At) -> Result<Option<Expr>> {
        let parts = [name.to_string()];
        if self.overloads::<func::Function>(Callee::of(&parts)?).is_empty() {
            return Ok(None);
        }
        let call = FuncCall {
            name: parts.to_vec(),
            args: vec![Arg { name: None, value, at }],
            star: false,
            distinct: false,
            variadic: false,
            order_by: Vec::new(),
            within_group: false,
            filter: None,
            over: None,
            special: false,
            at,
        };
        match self.expr(&A { kind: K::Call(Box::new(call)), at }) {
            Ok(e) => Ok(Some(e)),
            Err(e) if matches!(e.code(), state::UNDEFINED_FUNCTION | state::AMBIGUOUS_FUNCTION) => Ok(None),
            Err(e) => Err(e),
        }
    }
    pub(in crate::bind) fn field(&mut self, base: Expr, name: &str) -> Result<Expr> {
        let Some(shape) = self.shape(base.ty()) else {
            if base.ty().oid != oid::RECORD {
                let shown = show(base.ty().oid);
                bail!(
                    WRONG_OBJECT_TYPE,
                    "column notation .{name} applied to type {shown}, which is not a composite type"
                );
            }
            return Err(Error::unsupported("fields of composite values"));
        };
        let Some(i) = shape.iter().position(|x| x.0 == name) else {
            if oid::is_composite(base.ty().oid) {
                bail!(UNDEFINED_COLUMN, "column \"{name}\" not found in data type {}", show(base.ty().oid));
            }
            bail!(UNDEFINED_COLUMN, "could not identify column \"{name}\" in record data type");
        };
        let ty = shape[i].1;
        // A view says of which type the row was.
        if self.recording() && matches!(&base, Expr::Cast { e, explicit: true, .. } if matches!(**e, Expr::Row(_))) {
            return Ok(Expr::Field { record: Box::new(base), index: i, ty });
        }
        Ok(match self.row_fields(base) {
            Expr::Row(mut v) if i < v.len() => v.swap_remove(i),
            e => Expr::Field { record: Box::new(e), index: i, ty },
        })
    }

    fn elements(&mut self, base: Expr, steps: &[Step]) -> Result<Expr> {
        let ty = base.ty();
        if ty.oid == oid::JSONB {
            return self.jsonb_subscripts(base, steps);
        }
        if let (oid::NAME, [Step::Index(i)]) = (ty.oid, steps) {
            // A name is an array of "char" that counts from 0.
            let i = self.expr(i)?;
            let one = Expr::Const(Datum::Int4(1), Type::INT4);
            let at = self.operator("+", Some(i), one.clone())?;
            let text = self.cast(base, Type::TEXT)?;
            let c = self.function("substr", vec![text, at, one], false)?;
            return self.cast(c, Type::new(oid::CHAR));
        }
        if let (oid::POINT | oid::LSEG | oid::BOX | oid::LINE, [Step::Index(i)]) = (ty.oid, steps) {
            let i = self.subscript(i)?;
            return self.function("geometric_part", vec![base, i], false);
        }
        if matches!(ty.oid, oid::POINT | oid::LSEG | oid::BOX | oid::LINE)
            && steps.iter().any(|s| matches!(s, Step::Slice(..)))
        {
            return Err(err!(FEATURE_NOT_SUPPORTED, "slices of fixed-length arrays not implemented").nowhere());
        }
        let Some(elem) = ty.element() else {
            bail!(DATATYPE_MISMATCH, "cannot subscript type {} because it does not support subscripting", show(ty.oid));
        };
        if steps.len() > MAX_DIM {
            let e = err!(
                PROGRAM_LIMIT_EXCEEDED,
                "number of array dimensions ({}) exceeds the maximum allowed ({MAX_DIM})",
                steps.len()
            );
            return Err(e.nowhere());
        }
        if steps.iter().any(|s| matches!(s, Step::Slice(..))) {
            return self.slice(base, steps);
        }
        let mut index = Vec::with_capacity(steps.len());
        for s in steps {
            if let Step::Index(i) = s {
                index.push(self.subscript(i)?);
            }
        }
        Ok(Expr::Subscript { array: Box::new(base), index, ty: elem })
    }

    /// A subscript of an array, at its place if it is none.
    fn subscript(&mut self, written: &A) -> Result<Expr> {
        let x = self.expr(written)?;
        match self.try_coerce(x, Type::INT4, CastContext::Assignment) {
            Ok(Some(x)) => Ok(x),
            Ok(None) => {
                Err(self.place(err!(DATATYPE_MISMATCH, "array subscript must have type integer"), written.leftmost()))
            }
            Err(e) => Err(self.place(e, written.leftmost())),
        }
    }

    /// Subscripts of jsonb are a path of texts: a number is a key of an object, too, and a text counts in an array.
    fn jsonb_subscripts(&mut self, base: Expr, steps: &[Step]) -> Result<Expr> {
        let path = self.jsonb_path(steps)?;
        self.operator("#>", Some(base), path)
    }
    pub(in crate::bind) fn jsonb_path(&mut self, steps: &[Step]) -> Result<Expr> {
        let mut path = Vec::with_capacity(steps.len());
        for s in steps {
            let i = match s {
                Step::Index(i) => i,
                Step::Slice(low, high) => {
                    let e = err!(DATATYPE_MISMATCH, "jsonb subscript does not support slices");
                    return Err(match high.as_ref().or(low.as_ref()) {
                        Some(x) => self.place(e, x.leftmost()),
                        None => e.nowhere(),
                    });
                }
                Step::Field(_) | Step::Star => return Err(Error::internal("a subscript was expected")),
            };
            let x = self.expr(i)?;
            let from = x.ty().oid;
            let x = match from {
                oid::INT2 | oid::INT4 => self.cast(x, Type::TEXT)?,
                _ => match self.try_coerce(x, Type::TEXT, CastContext::Implicit)? {
                    Some(x) => x,
                    None => {
                        let e = err!(DATATYPE_MISMATCH, "subscript type {} is not supported", show(from))
                            .hint("jsonb subscript must be coercible to either integer or text.");
                        return Err(self.place(e, i.leftmost()));
                    }
                },
            };
            path.push(x);
        }
        let texts = Type::new(oid::array_of(oid::TEXT).unwrap_or(oid::TEXT));
        Ok(Expr::Array(path, texts))
    }

    /// `a[l:u]`; where one subscript is a slice, a plain `n` among them is `1:n`.
    fn slice(&mut self, base: Expr, steps: &[Step]) -> Result<Expr> {
        let ty = base.ty();
        let mut args = vec![base];
        for s in steps {
            let (low, high) = match s {
                Step::Index(i) => (None, Some(i)),
                Step::Slice(low, high) => (low.as_ref(), high.as_ref()),
                Step::Field(_) | Step::Star => return Err(Error::internal("a subscript was expected")),
            };
            if let Step::Index(_) = s {
                args.push(Expr::Const(Datum::Int4(1), Type::INT4));
            } else {
                args.push(self.bound(low)?);
            }
            args.push(self.bound(high)?);
        }
        let Some(f) = func::functions(func::array::SLICE).first() else {
            return Err(Error::internal("array slices are not registered"));
        };
        Ok(Expr::Call { f: (*f).into(), args, ty })
    }
    /// A bound of a slice; false stands for one that is left out.
    fn bound(&mut self, written: Option<&A>) -> Result<Expr> {
        match written {
            Some(x) => self.subscript(x),
            None => Ok(Expr::Const(Datum::Bool(false), Type::BOOL)),
        }
    }
}
