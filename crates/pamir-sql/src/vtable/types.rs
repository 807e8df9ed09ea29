//! pg_type and pg_enum: the server's own types, those of users, the row types of tables, and the arrays of all of them.
use super::{Rows, RowsFn, ServerEnv, wanted_oid, wanted_text};
use pamir_catalog::system::read_fixed;
use pamir_catalog::system::types::{Layout, layout};
use pamir_catalog::types::{Body, UserType, row_type};
use pamir_catalog::well_known::POSTGRES_ROLE;
use pamir_catalog::{Catalog, NameScope, virtual_schema};
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::LazyLock;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_type" => types,
        "pg_enum" => enums,
        "pg_range" => ranges,
        _ => return None,
    })
}

/// What an own type's row says that is not its layout: category and the four functions of its text and bytes.
struct Own {
    category: char,
    output: Oid,
    send: Oid,
}
static FIXED: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| read_fixed("pg_catalog", "pg_type"));
fn own(ty: Oid) -> Own {
    let at = |name: &str| {
        let t = pamir_catalog::system::find("pg_catalog", "pg_type")?;
        t.columns.iter().position(|c| c.0 == name)
    };
    let row = FIXED.iter().find(|r| matches!(r.first(), Some(Datum::Oid(o)) if *o == ty));
    let get = |name: &str| row.and_then(|r| r.get(at(name)?));
    let number = |name: &str| if let Some(Datum::Oid(o)) = get(name) { *o } else { 0 };
    let category = if let Some(Datum::Char(c)) = get("typcategory") { char::from(*c) } else { 'U' };
    Own { category, output: number("typoutput"), send: number("typsend") }
}

/// A type's row but for what only its kind has.
struct Row<'a> {
    oid: Oid,
    schema: Oid,
    owner: Oid,
    name: &'a str,
    kind: char,
    category: char,
    layout: Layout,
    /// in, out, receive, send
    functions: [Oid; 4],
    acl: Datum,
}
fn put(out: &mut Rows, t: &Row, more: impl FnOnce(&mut super::Row)) -> Result<()> {
    out.add(|r| {
        r.oid("oid", t.oid).set("typname", t.name).oid("typnamespace", t.schema).oid("typowner", t.owner);
        r.set("typlen", t.layout.len).set("typbyval", t.layout.by_value).chr("typtype", t.kind);
        r.chr("typcategory", t.category).set("typispreferred", false).set("typisdefined", true).chr("typdelim", ',');
        r.oid("typarray", oid::array_of(t.oid).unwrap_or(0));
        let [input, output, receive, send] = t.functions;
        r.oid("typinput", input).oid("typoutput", output).oid("typreceive", receive).oid("typsend", send);
        r.set("typalign", Datum::Char(t.layout.align)).set("typstorage", Datum::Char(t.layout.storage));
        r.set("typtypmod", -1i64).set("typdefaultbin", Datum::Null).set("typdefault", Datum::Null);
        r.set("typacl", t.acl.clone());
        more(r);
    })
}
/// The array type of one that was put.
fn put_array(out: &mut Rows, elem: &Row, c: &Catalog) -> Result<()> {
    const ARRAY_FUNCTIONS: [Oid; 4] = [750, 751, 2400, 2401];
    const SUBSCRIPT: Oid = 6179;
    const ANALYZE: Oid = 3816;
    let Some(array) = oid::array_of(elem.oid) else { return Ok(()) };
    let align = if elem.layout.align == b'd' { b'd' } else { b'i' };
    let name = c.array_type_name(elem.schema, elem.oid, elem.name);
    let row = Row {
        oid: array,
        name: &name,
        kind: 'b',
        category: 'A',
        layout: Layout { len: -1, by_value: false, align, storage: b'x', ..elem.layout },
        functions: ARRAY_FUNCTIONS,
        acl: Datum::Null,
        ..*elem
    };
    put(out, &row, |r| {
        r.oid("typsubscript", SUBSCRIPT).oid("typelem", elem.oid).oid("typanalyze", ANALYZE);
        r.oid("typcollation", collation(elem));
    })
}
fn collation(t: &Row) -> Oid {
    if t.kind == 'd' { t.layout.collation } else { 0 }
}

fn types(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let oid = wanted_oid(env, "oid");
    let name = wanted_text(env, "typname").map(str::to_string);
    let is = |o: Oid, n: &str| oid.is_none_or(|w| w == o) && name.as_ref().is_none_or(|w| w == n);
    // A type or its array.
    let takes =
        |o: Oid, n: &str| is(o, n) || oid == oid::array_of(o) || name.as_ref().is_some_and(|w| w.starts_with('_'));
    let fixed = |r: &&Vec<Datum>| match r.as_slice() {
        [Datum::Oid(o), Datum::Text(n), ..] => is(*o, n),
        _ => true,
    };
    FIXED.iter().filter(fixed).try_for_each(|r| push(r.clone()))?;
    let (c, scope) = (env.catalog().clone(), env.scope().clone());
    let mut out = Rows::catalog("pg_type", push);
    const RECORD_FUNCTIONS: [Oid; 4] = [2290, 2291, 2402, 2403];
    let record = Layout { align: b'd', ..layout(oid::RECORD) };
    for t in c.tables_and_views(scope.database).into_iter().filter(|t| takes(row_type(t.oid), &t.name)) {
        let row = Row {
            oid: row_type(t.oid),
            schema: t.schema,
            owner: t.owner,
            name: &t.name,
            kind: 'c',
            category: 'C',
            layout: record,
            functions: RECORD_FUNCTIONS,
            acl: Datum::Null,
        };
        put(&mut out, &row, |r| {
            r.oid("typrelid", t.oid);
        })?;
        put_array(&mut out, &row, &c)?;
    }
    for v in pamir_catalog::system::all().iter().filter(|v| takes(row_type(v.oid), v.name)) {
        let (oid, schema, owner) = (row_type(v.oid), virtual_schema(v.schema), POSTGRES_ROLE);
        let (kind, category, layout, functions) = ('c', 'C', record, RECORD_FUNCTIONS);
        let row = Row { oid, schema, owner, name: v.name, kind, category, layout, functions, acl: Datum::Null };
        put(&mut out, &row, |r| {
            r.oid("typrelid", v.oid);
        })?;
        put_array(&mut out, &row, &c)?;
    }
    extension_types(&mut out, &c, scope.database, record)?;
    for t in c.user_types(scope.database) {
        let row = Row {
            oid: t.oid,
            schema: t.schema,
            owner: t.owner,
            name: &t.name,
            kind: 'c',
            category: 'C',
            layout: record,
            functions: RECORD_FUNCTIONS,
            acl: super::privileges::acl_of(&c, t.oid),
        };
        let row = match &t.body {
            Body::Composite(x) => {
                put(&mut out, &row, |r| {
                    r.oid("typrelid", x.relation);
                })?;
                row
            }
            Body::Enum(_) => {
                let layout = Layout { len: 4, by_value: true, align: b'i', storage: b'p', ..record };
                let row = Row { kind: 'e', category: 'E', layout, functions: [3506, 3507, 3532, 3533], ..row };
                put(&mut out, &row, |_| {})?;
                row
            }
            Body::Domain(_) => domain(&mut out, t, row, &c, &scope)?,
            Body::Range(_) | Body::Multirange => {
                let range = matches!(t.body, Body::Range(_));
                let subtype = oid::range_subtype(oid::range_of_multirange(t.oid).unwrap_or(t.oid)).unwrap_or(0);
                let align = if layout(subtype).align == b'd' { b'd' } else { b'i' };
                let (kind, functions, analyze) = match range {
                    true => ('r', [3834, 3835, 3836, 3837], 3916),
                    false => ('m', [4231, 4232, 4233, 4234], 4242),
                };
                let row = Row { kind, category: 'R', layout: Layout { align, ..record }, functions, ..row };
                put(&mut out, &row, |r| {
                    r.oid("typanalyze", analyze);
                })?;
                row
            }
        };
        put_array(&mut out, &row, &c)?;
    }
    Ok(())
}
/// Types of the database's extensions. Of their functions none has a row of its own.
fn extension_types(out: &mut Rows, c: &Catalog, db: Oid, layout: Layout) -> Result<()> {
    for (ty, _, name) in oid::EXTENSION_TYPES {
        let Some((schema, _)) = c.extension_type_place(db, *ty) else { continue };
        let owner = c.extensions(db).iter().find(|e| e.schema == schema).map_or(0, |e| e.owner);
        let category = if *ty == oid::CITEXT { 'S' } else { 'U' };
        let layout = Layout { len: -1, by_value: false, align: b'i', storage: b'x', ..layout };
        let row =
            Row { oid: *ty, schema, owner, name, kind: 'b', category, layout, functions: [0; 4], acl: Datum::Null };
        put(out, &row, |r| {
            r.oid("typcollation", if *ty == oid::CITEXT { 100 } else { 0 });
        })?;
        put_array(out, &row, c)?;
    }
    Ok(())
}
fn domain<'a>(out: &mut Rows, t: &'a UserType, row: Row<'a>, c: &Catalog, scope: &NameScope) -> Result<Row<'a>> {
    const IN: Oid = 2597;
    const RECEIVE: Oid = 2598;
    let Body::Domain(d) = &t.body else { return Ok(row) };
    let base = c.base_type(Type::new(t.oid));
    let layout_of = |ty: Oid| match oid::user_class(ty) {
        Some(oid::UserClass::Enum) => Layout { len: 4, by_value: true, align: b'i', storage: b'p', ..row.layout },
        Some(_) => row.layout,
        None => layout(ty),
    };
    let o = own(base.oid);
    let category = pamir_expr::casts::category(base.oid).0;
    let category = if oid::is_user(base.oid) { category } else { o.category };
    let (output, send) = match oid::user_class(base.oid) {
        Some(oid::UserClass::Enum) => (3507, 3533),
        Some(_) => (2291, 2403),
        None if oid::is_user(base.oid) => (751, 2401),
        None => (o.output, o.send),
    };
    let row = Row { kind: 'd', category, layout: layout_of(base.oid), functions: [IN, output, RECEIVE, send], ..row };
    put(out, &row, |r| {
        r.set("typnotnull", d.not_null).oid("typbasetype", d.base.oid).set("typtypmod", i64::from(d.base.typmod));
        r.set("typndims", i64::from(d.base.is_array())).oid("typcollation", d.collation.unwrap_or(collation(&row)));
        if let Some(e) = &d.default {
            let text = pamir_catalog::defs::shown_expr(c, scope, e);
            r.set("typdefaultbin", text.clone()).set("typdefault", text);
        }
    })?;
    Ok(row)
}
fn ranges(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    static FIXED: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| read_fixed("pg_catalog", "pg_range"));
    FIXED.iter().try_for_each(|r| push(r.clone()))?;
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_range", push);
    for t in c.user_types(db) {
        let Body::Range(x) = &t.body else { continue };
        let subtype = oid::range_subtype(t.oid).unwrap_or(0);
        out.add(|r| {
            r.oid("rngtypid", t.oid)
                .oid("rngsubtype", subtype)
                .oid("rngmultitypid", oid::multirange_of(t.oid).unwrap_or(0));
            r.oid("rngcollation", layout(subtype).collation).oid("rngsubopc", default_class(subtype));
            r.oid("rngcanonical", 0).oid("rngsubdiff", x.subtype_diff);
        })?;
    }
    Ok(())
}
/// The default B-tree operator class of a type of the server's own.
fn default_class(ty: Oid) -> Oid {
    static CLASSES: LazyLock<Vec<Vec<Datum>>> = LazyLock::new(|| read_fixed("pg_catalog", "pg_opclass"));
    let Some(t) = pamir_catalog::system::find("pg_catalog", "pg_opclass") else { return 0 };
    let at = |name: &str| t.columns.iter().position(|c| c.0 == name).unwrap_or(0);
    let (id, method, input, default) = (at("oid"), at("opcmethod"), at("opcintype"), at("opcdefault"));
    const BTREE: Oid = 403;
    let is = |d: Option<&Datum>, v: Oid| matches!(d, Some(Datum::Oid(o)) if *o == v);
    let ty = if ty == oid::VARCHAR { oid::TEXT } else { ty };
    let row = CLASSES.iter().find(|r| {
        is(r.get(method), BTREE) && is(r.get(input), ty) && matches!(r.get(default), Some(Datum::Bool(true)))
    });
    match row.and_then(|r| r.get(id)) {
        Some(Datum::Oid(o)) => *o,
        _ => 0,
    }
}
fn enums(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_enum", push);
    for t in c.user_types(db) {
        let Body::Enum(e) = &t.body else { continue };
        for (i, l) in e.labels.iter().enumerate() {
            out.add(|r| {
                r.oid("oid", l.oid)
                    .oid("enumtypid", t.oid)
                    .set("enumsortorder", Datum::Float4((i + 1) as f32))
                    .set("enumlabel", &*l.name);
            })?;
        }
    }
    Ok(())
}
