//! Equality classes of a join block: `a.x = b.x AND b.x = c.x` says `a.x = c.x` too, so that a and c may be joined first.
//!
//! Columns that equalities of one type tie together are a class ([`close`]). Every pair of its columns in different relations gets its equality, and those in one
//! relation a condition there. When two sets of relations are joined, one equality a class is enough, whichever it is: within each set all of the
//! class are equal already ([`needed`]). Counting more would also take their selectivities for independent.
//!
//! What one of them equals, a constant or a parameter, all of them do (`a.x = b.x AND b.x = 5` says `a.x = 5`). Their equalities are tested
//! still, so that the relations stay tied together, and leave every row.
//!
//! Limits: plain columns of one type; classes of up to [`MAX_CLASS`] columns; ranges and lists are not handed on.
use super::*;
use pamir_expr::func::FunctionRef;

/// Columns of a class for which all pairs are made.
const MAX_CLASS: usize = 12;

/// A condition of a join block, and the class that it belongs to.
pub(super) struct Tied {
    pub e: Expr,
    pub class: Option<usize>,
    /// It says nothing that others do not say already.
    pub implied: bool,
}

struct Class {
    /// The equality that ties its columns.
    f: FunctionRef,
    columns: Vec<(ColId, Type)>,
}
type Equality = (FunctionRef, (ColId, Type), (ColId, Type));

/// The two columns of `a = b`, where they are of one type.
fn equality(e: &Expr) -> Option<Equality> {
    let Expr::Call { f, args, .. } = e else { return None };
    match (expr::cmp_of(f), args.as_slice()) {
        (Some(CmpOp::Eq), [Expr::Col(a, x), Expr::Col(b, y)]) if x.oid == y.oid && a != b => {
            Some((f.clone(), (*a, *x), (*b, *y)))
        }
        _ => None,
    }
}

/// The column of `column = value`, and the value.
fn compared(e: &Expr) -> Option<(FunctionRef, ColId, &Expr)> {
    let Expr::Call { f, args, .. } = e else { return None };
    match (expr::cmp_of(f), args.as_slice()) {
        (Some(CmpOp::Eq), [Expr::Col(c, _), v] | [v, Expr::Col(c, _)]) if !matches!(v, Expr::Col(..)) => {
            Some((f.clone(), *c, v))
        }
        _ => None,
    }
}
/// What `e` says that a column of the class equals, and with it all of them. A column from outside is left where it stands: rows that do not
/// depend on it may be kept.
fn value_of(class: &Class, e: &Expr) -> Option<Expr> {
    let (f, c, v) = compared(e)?;
    let (_, ty) = class.columns.iter().find(|m| m.0 == c)?;
    let fixed = !is_volatile(v) && !has_subquery(v) && expr_free(v).is_empty();
    (fixed && class.f.is(&f) && v.ty().oid == ty.oid).then(|| v.clone())
}

/// The conditions with what follows from them. `item`: which relation of the block has a column, if one does.
pub(super) fn close(conds: Vec<Expr>, item: &dyn Fn(ColId) -> Option<usize>) -> Vec<Tied> {
    let mut classes: Vec<Class> = Vec::new();
    let at = |classes: &[Class], c: ColId| classes.iter().position(|v| v.columns.iter().any(|m| m.0 == c));
    let both = |e: &Expr| equality(e).filter(|(_, a, b)| item(a.0).is_some() && item(b.0).is_some());
    for (f, a, b) in conds.iter().filter_map(both) {
        match (at(&classes, a.0), at(&classes, b.0)) {
            (Some(i), Some(j)) if i != j => {
                let more = classes.remove(i.max(j));
                classes[i.min(j)].columns.extend(more.columns);
            }
            (Some(_), Some(_)) => {}
            (Some(i), None) => classes[i].columns.push(b),
            (None, Some(j)) => classes[j].columns.push(a),
            (None, None) => classes.push(Class { f, columns: vec![a, b] }),
        }
    }
    classes.retain(|c| c.columns.len() <= MAX_CLASS);
    let values: Vec<Option<Expr>> = classes.iter().map(|c| conds.iter().find_map(|e| value_of(c, e))).collect();
    let tied = |e: Expr| {
        let class = both(&e).and_then(|(_, a, _)| at(&classes, a.0));
        Tied { e, class, implied: class.is_some_and(|c| values[c].is_some()) }
    };
    let mut out: Vec<Tied> = conds.into_iter().map(tied).collect();
    for (Class { f, columns }, v) in classes.iter().zip(&values) {
        let Some(v) = v else { continue };
        for (c, ty) in columns {
            let e = Expr::Call { f: f.clone(), args: vec![Expr::Col(*c, *ty), v.clone()], ty: Type::BOOL };
            let said = |t: &Tied| compared(&t.e).is_some_and(|(g, x, _)| x == *c && f.is(&g));
            if !out.iter().any(said) {
                out.push(Tied { e, class: None, implied: false });
            }
        }
    }
    for (class, Class { f, columns }) in classes.iter().enumerate() {
        for (i, a) in columns.iter().enumerate() {
            for b in &columns[i + 1..] {
                let there = |t: &Tied| {
                    equality(&t.e).is_some_and(|(_, x, y)| (x.0, y.0) == (a.0, b.0) || (y.0, x.0) == (a.0, b.0))
                };
                if !out.iter().any(there) {
                    let args = vec![Expr::Col(a.0, a.1), Expr::Col(b.0, b.1)];
                    let implied = values[class].is_some();
                    out.push(Tied {
                        e: Expr::Call { f: f.clone(), args, ty: Type::BOOL },
                        class: Some(class),
                        implied,
                    });
                }
            }
        }
    }
    out
}

/// One of each class, and all that are of none.
pub(super) fn needed<'x, T: 'x>(
    all: impl Iterator<Item = &'x T>,
    class: impl Fn(&T) -> Option<usize>,
) -> impl Iterator<Item = &'x T> {
    // As many classes as a block can have that are told apart here; another one only costs a test that says nothing new.
    let mut seen = 0u64;
    all.filter(move |t| match class(t) {
        Some(c) if c < 64 => {
            let new = seen >> c & 1 == 0;
            seen |= 1 << c;
            new
        }
        _ => true,
    })
}
