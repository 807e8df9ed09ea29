//! Which casts lead from one type to another.
use crate::func::{self, CastContext, CastRuleHow, lookup};
use crate::ir::{CastHow, Expr};
use pamir_catalog::{Catalog, operator};
use pamir_types::text::type_named;
use pamir_types::{Error, Oid, Result, Type, err, oid};

/// Where casts are looked for: the server's own, and those that users defined in a database.
#[derive(Clone, Copy)]
pub struct Ways<'a> {
    pub catalog: &'a Catalog,
    pub database: Oid,
}
impl Ways<'_> {
    /// Of a domain what it is over.
    #[inline]
    pub fn base(&self, ty: Oid) -> Oid {
        if oid::is_user(ty) { self.catalog.base_type(Type::new(ty)).oid } else { ty }
    }
    pub fn pathway(&self, from: Oid, to: Oid, ctx: CastContext) -> Option<CastHow> {
        let of_users = |from: Oid, to: Oid| -> Option<Option<CastHow>> {
            let c = self.catalog.cast(self.database, from, to)?;
            let context = match c.context {
                operator::CastContext::Implicit => CastContext::Implicit,
                operator::CastContext::Assignment => CastContext::Assignment,
                operator::CastContext::Explicit => CastContext::Explicit,
            };
            let how = match c.how {
                operator::CastHow::Binary => Some(CastHow::Relabel),
                operator::CastHow::InOut => Some(CastHow::ViaText),
                operator::CastHow::Function(f) => lookup::by_oid::<func::Function>(self.catalog, f).map(CastHow::Func),
            };
            Some(how.filter(|_| context <= ctx))
        };
        if oid::is_composite(from)
            && oid::is_composite(to)
            && let Some(fields) = self.row_way(from, to)
        {
            return Some(CastHow::Row(fields));
        }
        way(from, to, ctx, &of_users)
    }
    /// A child's row as its parent's, a typed table's as its type's: where each field is.
    fn row_way(&self, from: Oid, to: Oid) -> Option<std::sync::Arc<[usize]>> {
        let table = |ty| match oid::user_class(ty) {
            Some(oid::UserClass::Row) => self.catalog.table(oid::user_number(ty)),
            _ => None,
        };
        let child = table(from)?;
        let reaches = match table(to) {
            Some(p) => !p.children().is_empty() && self.catalog.descendants(p).iter().any(|d| d.oid == child.oid),
            None => child.of_type() == Some(to),
        };
        if !reaches {
            return None;
        }
        let own: Vec<&str> = child.live_columns().map(|c| c.name.as_str()).collect();
        self.catalog.fields_of(to)?.iter().map(|(n, _)| own.iter().position(|o| o == n)).collect()
    }
}

/// How to get from one type to another in a context (find_coercion_pathway), by the server's own casts.
pub fn pathway(from: Oid, to: Oid, ctx: CastContext) -> Option<CastHow> {
    way(from, to, ctx, &|_, _| None)
}
/// `of_users`: what a user's cast says, if there is one.
fn way(
    from: Oid,
    to: Oid,
    ctx: CastContext,
    of_users: &dyn Fn(Oid, Oid) -> Option<Option<CastHow>>,
) -> Option<CastHow> {
    let pathway = |from, to, ctx| way(from, to, ctx, of_users);
    if from == to {
        return Some(CastHow::Relabel);
    }
    if let Some(rule) = func::cast(from, to) {
        return (rule.context <= ctx).then_some(match rule.how {
            CastRuleHow::Relabel => CastHow::Relabel,
            CastRuleHow::Func(f) => CastHow::Func(f.into()),
            CastRuleHow::ViaText => CastHow::ViaText,
        });
    }
    if let Some(how) = of_users(from, to) {
        return how;
    }
    if oid::is_user(from) && oid::multirange_of(from) == Some(to) {
        let f = func::functions("multirange").iter().find(|f| *f.args == [oid::ANYRANGE])?;
        return (ctx == CastContext::Explicit).then_some(CastHow::Func((*f).into()));
    }
    if is_array(from) && is_array(to) {
        let (a, b) = (oid::element_of(from)?, oid::element_of(to)?);
        return pathway(a, b, ctx).map(|h| CastHow::Array(Box::new(h)));
    }
    // pg_proc.proargtypes::regtype[], pg_index.indkey::int[]
    if matches!(from, oid::INT2VECTOR | oid::OIDVECTOR) && is_array(to) {
        let (a, b) = (oid::element_of(from)?, oid::element_of(to)?);
        return match a == b {
            true => Some(CastHow::Relabel),
            false => pathway(a, b, ctx).map(|h| CastHow::Array(Box::new(h))),
        };
    }
    if ctx >= CastContext::Assignment && category(to).0 == 'S' && from != oid::RECORD {
        return Some(CastHow::ViaText);
    }
    if ctx >= CastContext::Explicit && category(from).0 == 'S' {
        return Some(CastHow::ViaText);
    }
    None
}

/// Is it a true array, not a vector of the catalogs?
pub fn is_array(t: Oid) -> bool {
    oid::element_of(t).is_some() && !matches!(t, oid::INT2VECTOR | oid::OIDVECTOR)
}

/// Adds an assignment cast (42804 `column "a" is of type integer but expression is of type text`). Literals of unknown type must have been read before.
pub fn assignment_cast(e: Expr, to: Type, column: &str) -> Result<Expr> {
    let from = e.ty();
    if from.oid == to.oid && (to.typmod == -1 || to.typmod == from.typmod) {
        return Ok(e);
    }
    if let Expr::Const(pamir_types::Datum::Null, _) = e {
        return Ok(Expr::Const(pamir_types::Datum::Null, to));
    }
    let e = if from.oid == to.oid {
        e
    } else {
        match pathway(from.oid, to.oid, CastContext::Assignment) {
            Some(f) => Expr::Cast { e: Box::new(e), f, ty: to.base(), explicit: false },
            None => return Err(mismatch(column, to, from)),
        }
    };
    Ok(if to.typmod == -1 { e } else { Expr::Cast { e: Box::new(e), f: CastHow::Typmod, ty: to, explicit: false } })
}

pub fn mismatch(column: &str, to: Type, from: Type) -> Error {
    err!(
        DATATYPE_MISMATCH,
        "column \"{column}\" is of type {} but expression is of type {}",
        show(to.oid),
        show(from.oid)
    )
    .hint("You will need to rewrite or cast the expression.")
}

/// pg_type.typcategory and typispreferred.
pub fn category(t: Oid) -> (char, bool) {
    if t == oid::UNKNOWN {
        return ('X', false);
    }
    if is_array(t) {
        return ('A', false);
    }
    func::type_category(t)
}

/// A type's name in messages.
pub fn show(t: Oid) -> String {
    match t {
        oid::UNKNOWN => "unknown".into(),
        _ => type_named(t),
    }
}
