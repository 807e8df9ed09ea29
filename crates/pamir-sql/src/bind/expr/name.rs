//! The names of output columns that have no alias (PostgreSQL's FigureColname).
use super::super::types;
use crate::parser::fold;
use sqlparser::ast::{self, BinaryOperator as B, Expr as A};

/// The output column's name when there is no alias (FigureColname).
pub(in crate::bind) fn output_name(e: &A) -> String {
    figure(e).map_or_else(|| "?column?".to_string(), |x| x.0)
}
/// (name, strong): a strong name survives a cast around it.
fn figure(e: &A) -> Option<(String, bool)> {
    let strong = |s: &str| Some((s.to_string(), true));
    match e {
        A::Identifier(i) => Some((fold(i), true)),
        A::CompoundIdentifier(v) => v.last().map(|i| (fold(i), true)),
        A::CompoundFieldAccess { root, access_chain } => access_chain
            .iter()
            .rev()
            .find_map(|a| match a {
                ast::AccessExpr::Dot(A::Identifier(i)) => Some((fold(i), true)),
                _ => None,
            })
            .or_else(|| figure(root)),
        A::Nested(e) | A::Collate { expr: e, .. } => figure(e),
        A::Function(f) => {
            let n = f.name.0.last().and_then(|p| p.as_ident()).map(fold)?;
            Some((n, true))
        }
        A::Cast { expr, data_type, .. } => match figure(expr) {
            Some((n, true)) => Some((n, true)),
            _ => Some((type_name(data_type), false)),
        },
        A::TypedString(t) => Some((type_name(&t.data_type), false)),
        A::Interval(_) => Some(("interval".into(), false)),
        A::Case { else_result, .. } => match else_result.as_deref().and_then(figure) {
            Some((n, true)) => Some((n, true)),
            _ => Some(("case".into(), false)),
        },
        A::Exists { negated: false, .. } => strong("exists"),
        A::Subquery(q) => of_query(&q.body),
        A::Array(_) => strong("array"),
        A::Tuple(_) => strong("row"),
        A::Extract { .. } => strong("extract"),
        A::Ceil { .. } => strong("ceil"),
        A::Floor { .. } => strong("floor"),
        A::Position { .. } => strong("position"),
        A::Substring { shorthand, .. } => strong(if *shorthand { "substr" } else { "substring" }),
        A::Overlay { .. } => strong("overlay"),
        A::Trim { trim_where, .. } => strong(match trim_where {
            Some(ast::TrimWhereField::Leading) => "ltrim",
            Some(ast::TrimWhereField::Trailing) => "rtrim",
            _ => "btrim",
        }),
        A::AtTimeZone { .. } => strong("timezone"),
        A::BinaryOp { op: B::Overlaps, .. } => strong("overlaps"),
        _ => None,
    }
}
fn type_name(t: &ast::DataType) -> String {
    // An array type by its own name (_int4) keeps it.
    if let ast::DataType::Custom(n, _) = t
        && let Some(i) = n.0.last().and_then(|p| p.as_ident())
        && i.value.starts_with('_')
    {
        return fold(i);
    }
    match types::bind_type(t, &crate::catalog::Catalog::default()) {
        Ok(t) => {
            let o = t.element().map_or(t.oid, |e| e.oid);
            pamir_types::oid::type_name(o).unwrap_or_default()
        }
        Err(_) => t.to_string().to_ascii_lowercase(),
    }
}

/// The name of a query's first column: the first operand's of a set operation.
fn of_query(body: &ast::SetExpr) -> Option<(String, bool)> {
    match body {
        ast::SetExpr::Select(s) => match s.projection.first()? {
            ast::SelectItem::ExprWithAlias { alias, .. } => Some((fold(alias), true)),
            ast::SelectItem::UnnamedExpr(e) => figure(e),
            // A set operation that the parser wrote so.
            ast::SelectItem::Wildcard(_) => match &s.from.first()?.relation {
                ast::TableFactor::Derived { subquery, .. } => of_query(&subquery.body),
                _ => None,
            },
            _ => None,
        },
        ast::SetExpr::Values(_) => Some(("column1".into(), true)),
        ast::SetExpr::SetOperation { left, .. } => of_query(left),
        ast::SetExpr::Query(q) => of_query(&q.body),
        _ => None,
    }
}
