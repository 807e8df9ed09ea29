//! Conditions ask the same of a key as of what some casts make of it: those are taken off here.
use pamir_expr::expr;
use pamir_expr::ir::{CastHow, Expr};
use pamir_types::{Type, oid};

/// Strips conversions that do not change the key bytes.
pub fn strip(e: &Expr) -> &Expr {
    match e {
        Expr::Cast { e: inner, f: CastHow::Relabel, ty, .. } if key_compatible(inner.ty(), *ty) => strip(inner),
        e => e,
    }
}
/// As [`strip`], and also strips integer widening: `k::int8 IN ($1, ...)` over an int4 column asks the same of the key, whose
/// range [`pamir_expr::ranges::fit`] checks for every value.
pub(super) fn strip_key(e: &Expr) -> &Expr {
    let width = |t: Type| match t.oid {
        oid::INT2 => 2,
        oid::INT4 => 4,
        _ => 8,
    };
    match strip(e) {
        Expr::Cast { e: inner, f: CastHow::Func(_), ty, .. }
            if expr::is_int(inner.ty().oid) && expr::is_int(ty.oid) && width(*ty) >= width(inner.ty()) =>
        {
            strip_key(inner)
        }
        e => e,
    }
}
/// Do values of the two types have the same key bytes (or can [`pamir_expr::ranges::fit`] convert)?
pub fn key_compatible(a: Type, b: Type) -> bool {
    let text = |t: Type| matches!(t.oid, oid::TEXT | oid::VARCHAR);
    a.oid == b.oid || (text(a) && text(b)) || (expr::is_int(a.oid) && expr::is_int(b.oid))
}
