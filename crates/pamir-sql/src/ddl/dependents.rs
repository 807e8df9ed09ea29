//! How messages call functions, operators and casts.
use super::{DdlCtx, routine};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::operator::{Cast, Operator};
use pamir_types::text::type_named;

/// An object as messages call it.
pub fn shown(o: ObjectRef, cx: &DdlCtx) -> String {
    let c = &cx.catalog;
    match o.class {
        Class::Function => c.function(o.oid).map_or_else(String::new, |f| routine::described(f, cx)),
        Class::Operator => c.operator(o.oid).map_or_else(String::new, |o| format!("operator {}", signature(o, cx))),
        Class::Cast => c.cast_by_oid(o.oid).map_or_else(String::new, |c| cast_shown(c)),
        Class::Type => format!("type {}", type_named(o.oid)),
        // Whose rows a function takes.
        Class::Relation => {
            let row = pamir_catalog::types::row_type(o.oid);
            if row == 0 { format!("table {}", cx.shown(o.oid)) } else { format!("type {}", type_named(row)) }
        }
        _ => String::new(),
    }
}
pub fn cast_shown(c: &Cast) -> String {
    format!("cast from {} to {}", type_named(c.from), type_named(c.to))
}
/// `schema.+(integer,integer)`, the schema where the name alone does not mean it.
pub fn signature(o: &Operator, cx: &DdlCtx) -> String {
    let schema = cx.catalog.schema(o.schema).map_or("", |s| &s.name);
    let visible = cx.env.scope().search_path.iter().any(|s| s == schema);
    let prefix = if visible { String::new() } else { format!("{}.", pamir_catalog::defs::quote_ident(schema)) };
    let left = if o.left == 0 { "NONE".to_string() } else { type_named(o.left) };
    format!("{prefix}{}({left},{})", o.name, type_named(o.right))
}
