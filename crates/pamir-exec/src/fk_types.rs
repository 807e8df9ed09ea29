//! Foreign keys between columns of unlike types (integer and numeric, date and timestamp, char and varchar).
//!
//! PostgreSQL compares `parent = child` by the operator of the referenced index's family where there is one for both types (integers, floats, dates and
//! timestamps, text and name), else it casts the child's value implicitly. Here a child's value becomes the parent's type and is looked up in the
//! referenced index. Where the family compares without a cast, the value must survive the way back: a timestamp that is no midnight is no date.
//!
//! The other direction looks for children by a parent's value. Where at most one value of the child's type can be equal, it is looked up in an index of the
//! child's; otherwise (many texts are one char(n), many numerics one float) the children are read and compared one by one.
use pamir_expr::casts::assignment_cast;
use pamir_expr::env::Env;
use pamir_expr::expr;
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::Expr;
use pamir_expr::ranges::{Fit, fit};
use pamir_types::{Datum, Result, Type, oid};

/// Types whose values one operator family compares.
fn family(t: Type) -> u32 {
    match t.oid {
        oid::INT2 | oid::INT4 | oid::INT8 => oid::INT8,
        oid::FLOAT4 | oid::FLOAT8 => oid::FLOAT8,
        oid::TEXT | oid::VARCHAR | oid::NAME => oid::TEXT,
        oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ => oid::TIMESTAMP,
        other => other,
    }
}

fn implicit(from: Type, to: Type) -> bool {
    let to = if to.oid == oid::VARCHAR { oid::TEXT } else { to.oid };
    func::cast(from.oid, to).is_some_and(|c| c.context == CastContext::Implicit)
}

/// May a column of type `child` refer to one of type `parent`?
pub fn comparable(child: Type, parent: Type) -> bool {
    family(child) == family(parent) || implicit(child, parent)
}

/// Whether equal values of both types have equal key bytes once integers are of one width.
pub fn alike(a: Type, b: Type) -> bool {
    let kind = |t: Type| match t.oid {
        oid::INT2 | oid::INT4 | oid::INT8 => oid::INT8,
        oid::VARCHAR => oid::TEXT,
        other => other,
    };
    kind(a) == kind(b)
}

fn cast(d: &Datum, from: Type, to: Type, env: &mut dyn Env) -> Result<Datum> {
    let e = assignment_cast(Expr::Const(d.clone(), from.base()), to, "")?;
    expr::eval_const(&e, &[], env)
}

/// The parent's value that a child's refers to; None: there can be none.
pub fn to_parent(d: &Datum, child: Type, parent: Type, env: &mut dyn Env) -> Result<Option<Datum>> {
    if d.is_null() {
        return Ok(None);
    }
    if alike(child, parent) {
        return Ok(match fit(d.clone(), parent) {
            Fit::Value(d) => Some(d),
            _ => None,
        });
    }
    // A value out of the other type's range has no equal there.
    let Ok(v) = cast(d, child, parent.base(), env) else { return Ok(None) };
    if family(child) == family(parent) {
        let Ok(back) = cast(&v, parent, child.base(), env) else { return Ok(None) };
        if !expr::compare(&back, d, child).is_eq() {
            return Ok(None);
        }
    }
    Ok(Some(v))
}

/// The children's values that are equal to a parent's.
pub enum Children {
    None,
    One(Datum),
    /// More than one may be.
    Some,
}

pub fn to_child(d: &Datum, child: Type, parent: Type, env: &mut dyn Env) -> Result<Children> {
    if d.is_null() {
        return Ok(Children::None);
    }
    if alike(child, parent) {
        return Ok(match fit(d.clone(), child) {
            Fit::Value(d) => Children::One(d),
            _ => Children::None,
        });
    }
    let one = matches!(
        (family(child), parent.oid),
        (oid::INT8, oid::NUMERIC) | (oid::TIMESTAMP, oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ)
    );
    if !one {
        return Ok(Children::Some);
    }
    let Ok(v) = cast(d, parent, child.base(), env) else { return Ok(Children::None) };
    let same = to_parent(&v, child, parent, env)?.is_some_and(|p| expr::compare(&p, d, parent).is_eq());
    Ok(if same { Children::One(v) } else { Children::None })
}

/// Does the child's value refer to the parent's?
pub fn refers(d: &Datum, v: &Datum, child: Type, parent: Type, env: &mut dyn Env) -> Result<bool> {
    Ok(to_parent(d, child, parent, env)?.is_some_and(|p| !v.is_null() && expr::compare(&p, v, parent).is_eq()))
}

/// What ON UPDATE CASCADE writes into the child: the parent's new value, assigned.
pub fn assigned(v: &Datum, child: Type, parent: Type, env: &mut dyn Env) -> Result<Datum> {
    if v.is_null() {
        return Ok(Datum::Null);
    }
    cast(v, parent, child, env)
}
