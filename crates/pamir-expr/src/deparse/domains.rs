//! Columns of domains where a function or an operator takes what the domain is over: PostgreSQL shows the step from one to the other, `(amount)::numeric`, which a bound
//! tree does not have, since such a column's values are of the type below.
use super::Deparser;
use crate::ir::{CastHow, Expr};
use pamir_types::{Oid, Type, oid};

/// What takes a domain as it is.
fn takes_any(ty: Oid) -> bool {
    matches!(
        ty,
        oid::ANY
            | oid::ANYELEMENT
            | oid::ANYNONARRAY
            | oid::ANYARRAY
            | oid::ANYENUM
            | oid::ANYRANGE
            | oid::ANYMULTIRANGE
            | oid::ANYCOMPATIBLE
            | oid::ANYCOMPATIBLEARRAY
    )
}
impl Deparser<'_> {
    fn domain(&self, e: &Expr) -> Option<Oid> {
        let Expr::Col(id, _) = e else { return None };
        match self.table {
            Some(t) => t.declared.domain(i16::try_from(*id).ok()?),
            None => self.item_domain(*id),
        }
    }
    fn wrap(&self, e: &mut Expr) -> bool {
        if self.domain(e).is_none() {
            return false;
        }
        let ty = Type::new(e.ty().oid);
        let column = std::mem::replace(e, Expr::Default);
        *e = Expr::Cast { e: Box::new(column), ty, f: CastHow::Relabel, explicit: true };
        true
    }
    /// An expression with the steps that are shown; None: there are none right below it.
    pub(super) fn with_domains(&self, e: &Expr) -> Option<Expr> {
        if !self.catalog().has_user_types() {
            return None;
        }
        let of = |e: &Expr| self.domain(e).is_some();
        let below = match e {
            Expr::Call { args: v, .. } | Expr::Coalesce(v, _) | Expr::Extreme(v, ..) => v.iter().any(of),
            Expr::IsDistinct { left, right, .. } | Expr::NullIf { left, right, .. } => of(left) || of(right),
            Expr::InList { e, .. } | Expr::AnyAll { left: e, .. } => of(e),
            _ => false,
        };
        if !below {
            return None;
        }
        let mut new = e.clone();
        let changed = match &mut new {
            Expr::Call { f, args, .. } => {
                let mut any = false;
                for (i, a) in args.iter_mut().enumerate() {
                    let takes = f.args.get(i).or(f.args.last()).copied().unwrap_or(0);
                    any |= !takes_any(takes) && self.wrap(a);
                }
                any
            }
            Expr::IsDistinct { left, right, .. } | Expr::NullIf { left, right, .. } => {
                let (l, r) = (self.wrap(left), self.wrap(right));
                l || r
            }
            Expr::InList { e, .. } => self.wrap(e),
            Expr::AnyAll { left, .. } => self.wrap(left),
            // Where all are of one domain, so is the result.
            Expr::Coalesce(v, _) | Expr::Extreme(v, ..) => {
                let first = v.first().and_then(|e| self.domain(e));
                let one = first.is_some() && v.iter().all(|e| self.domain(e) == first);
                if !one {
                    for e in v {
                        self.wrap(e);
                    }
                }
                !one
            }
            _ => false,
        };
        changed.then_some(new)
    }
    /// The same for an aggregate's arguments.
    pub(super) fn arguments(&mut self, takes: &[Oid], args: &[Expr]) {
        let mut args = args.to_vec();
        for (i, a) in args.iter_mut().enumerate() {
            if !takes_any(takes.get(i).or(takes.last()).copied().unwrap_or(0)) {
                self.wrap(a);
            }
        }
        self.list(&args, ", ");
    }
}
