//! The names of output columns that have no alias (PostgreSQL's FigureColname).
use pamir_parse::tree::{Expr, ExprKind as K, Select, SelectBody, Step, SubLinkKind, TableKind, ValueFunction, Xml};

/// The output column's name when there is no alias.
pub(in crate::bind) fn output_name(e: &Expr) -> String {
    figure_name(e).unwrap_or_else(|| UNNAMED.into())
}
/// The same; None where PostgreSQL has no name for it.
pub fn figure_name(e: &Expr) -> Option<String> {
    figure(e).map(|x| x.0)
}

const UNNAMED: &str = "?column?";

/// (name, strong): a strong name survives a cast around it.
fn figure(e: &Expr) -> Option<(String, bool)> {
    let strong = |s: &str| Some((s.to_string(), true));
    match &e.kind {
        K::Column { path, .. } => strong(path.last()?),
        K::Indirection { arg, steps } => {
            let field = steps.iter().rev().find_map(|s| if let Step::Field(n) = s { Some(n) } else { None });
            field.map_or_else(|| figure(arg), |n| strong(n))
        }
        K::Call(f) => strong(f.name.last()?),
        K::Cast { arg, to, .. } => match figure(arg) {
            Some((n, true)) => Some((n, true)),
            _ => Some((to.parts.last()?.clone(), false)),
        },
        K::Collate { arg, .. } => figure(arg),
        K::Case { default, .. } => match default.as_deref().and_then(figure) {
            Some((n, true)) => Some((n, true)),
            _ => Some(("case".into(), false)),
        },
        K::NullIf(..) => strong("nullif"),
        K::Coalesce(_) => strong("coalesce"),
        K::MinMax { greatest, .. } => strong(if *greatest { "greatest" } else { "least" }),
        K::Grouping(_) => strong("grouping"),
        K::Array(_) => strong("array"),
        K::Row { .. } => strong("row"),
        K::Value(v) => strong(value_function(*v)),
        K::Xml(x) => strong(x.name()).filter(|_| !matches!(**x, Xml::IsDocument(_))),
        K::SubLink(s) => match s.kind {
            SubLinkKind::Exists => strong("exists"),
            SubLinkKind::Array => strong("array"),
            SubLinkKind::Scalar => Some((of_query(&s.query), true)),
            SubLinkKind::Any { .. } | SubLinkKind::All { .. } => None,
        },
        _ => None,
    }
}

/// The name of a function without parentheses.
pub(super) fn value_function(v: ValueFunction) -> &'static str {
    match v {
        ValueFunction::CurrentDate => "current_date",
        ValueFunction::CurrentTime(_) => "current_time",
        ValueFunction::CurrentTimestamp(_) => "current_timestamp",
        ValueFunction::LocalTime(_) => "localtime",
        ValueFunction::LocalTimestamp(_) => "localtimestamp",
        ValueFunction::CurrentRole => "current_role",
        ValueFunction::CurrentUser => "current_user",
        ValueFunction::User => "user",
        ValueFunction::SessionUser => "session_user",
        ValueFunction::CurrentCatalog => "current_catalog",
        ValueFunction::CurrentSchema => "current_schema",
    }
}

/// The name of a query's first column: the first operand's of a set operation. Of `*` it is known only where a subquery is read.
fn of_query(q: &Select) -> String {
    let core = match &q.body {
        SelectBody::Select(core) => core,
        SelectBody::Values(_) => return "column1".into(),
        SelectBody::SetOp { left, .. } => return of_query(left),
    };
    let Some(t) = core.targets.first() else { return UNNAMED.into() };
    if let Some(n) = &t.name {
        return n.clone();
    }
    match &t.expr.kind {
        K::Column { path, star: true } if path.is_empty() => match core.from.first() {
            Some(item) => {
                let named = item.alias.as_ref().and_then(|a| a.columns.first());
                match (&item.kind, named) {
                    (_, Some(n)) => n.clone(),
                    (TableKind::Subquery { query, .. }, None) => of_query(query),
                    _ => UNNAMED.into(),
                }
            }
            None => UNNAMED.into(),
        },
        K::Column { star: true, .. } => UNNAMED.into(),
        _ => output_name(&t.expr),
    }
}
