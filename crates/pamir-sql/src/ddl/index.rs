//! CREATE INDEX and REINDEX.
use super::build::build_index;
use super::constraint::{MAX_KEY_COLUMNS, check_orderable, free_name, must_be_boolean};
use super::cx::{Name, shown_name};
use super::eval::{bind_expr_in, is_immutable, no_subquery, text_of};
use super::{DdlCtx, column, def, options, partition, remove, table};
use pamir_catalog::declared::DEFAULT_COLLATION;
use pamir_catalog::names::{distinct, join_columns};
use pamir_catalog::system::types;
use pamir_catalog::{Index, IndexColumn, Kind, Method, Object, Relation, SqlText, Table};
use pamir_parse::tree::{self, CreateIndex, ExprKind, IndexElement, IndexOf, Reindex, ReindexWhat};
use pamir_plan::bind::figure_name;
use pamir_txn::{RowLock, TableLock, TreeId};
use pamir_types::key::{self, KeyOrder};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

/// GiST's operator classes that there are not.
const GIST_CLASSES: &[&str] =
    &["inet_ops", "box_ops", "point_ops", "poly_ops", "circle_ops", "tsquery_ops", "multirange_ops", "gist_hstore_ops"];
/// The operator class `n` for keys of type `ty`, `None` where it is the type's default. All of trees that there are order as the default does here (texts
/// sort by their bytes, so the pattern classes do too).
pub fn operator_class(n: &[String], ty: Type, method: &str, cx: &DdlCtx) -> Result<Option<Oid>> {
    let shown = shown_name(n);
    if let [schema, _] = n
        && schema != "pg_catalog"
        && cx.catalog.schema_by_name(cx.database(), schema).is_none()
    {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist");
    }
    let class = n.last().and_then(|l| types::class_named(method, l)).filter(|c| match c.extension {
        None => column::built_in(n).is_some(),
        Some(e) => cx.catalog.extension_named(cx.database(), e).is_some_and(|e| match n {
            [schema, _] => cx.catalog.schema(e.schema).is_some_and(|s| s.name == *schema),
            _ => true,
        }),
    });
    let Some(class) = class else {
        // PostgreSQL has more of them.
        if method == "gist" && column::built_in(n).is_some_and(|n| GIST_CLASSES.contains(&n)) {
            return Err(Error::unsupported(format!("operator class {shown} of access method \"gist\"")));
        }
        bail!(UNDEFINED_OBJECT, "operator class \"{shown}\" does not exist for access method \"{method}\"");
    };
    if !class.accepts(ty.oid) {
        bail!(
            DATATYPE_MISMATCH,
            "operator class \"{shown}\" does not accept data type {}",
            pamir_types::text::type_named(ty.oid)
        );
    }
    if matches!(class.name, "record_image_ops") {
        return Err(Error::unsupported(format!("operator class {}", class.name)));
    }
    Ok(Some(class.oid).filter(|c| *c != types::operator_class(ty.oid, method)))
}
/// What a column of a GIN, GiST or BRIN index must be, where no operator class is named.
fn check_default_class(ty: Type, m: Method, cx: &DdlCtx) -> Result<()> {
    let name = pamir_types::text::type_named(ty.oid);
    // Types of default classes that are PostgreSQL's alone.
    let box_like = pamir_types::geometry::is_geometric(ty.oid) && !matches!(ty.oid, oid::LINE | oid::LSEG | oid::PATH);
    let others = matches!(ty.oid, oid::TSQUERY | oid::HSTORE) || oid::range_of_multirange(ty.oid).is_some() || box_like;
    if m == Method::Gist && others || m == Method::Brin && ty.oid == oid::BOX {
        return Err(Error::unsupported(format!("access method \"{}\" for type {name}", m.name())));
    }
    let there = |e: &str| cx.catalog.extension_named(cx.database(), e).is_some();
    let class = types::class(types::operator_class(ty.oid, m.name()));
    if class.is_none_or(|c| !c.extension.is_none_or(there)) {
        return Err(err!(
            UNDEFINED_OBJECT,
            "data type {name} has no default operator class for access method \"{}\"",
            m.name()
        )
        .hint(
            "You must specify an operator class for the index or define a default operator class for the data type.",
        ));
    }
    Ok(())
}
/// 42804 where an index over the column `a` names an operator class that its new type does not have.
pub fn check_classes(t: &Table, a: i16, ty: Type, cx: &DdlCtx) -> Result<()> {
    for i in &t.indexes {
        for (n, _) in i.columns.iter().enumerate().filter(|(_, c)| matches!(c.0, IndexColumn::Attr(x) if x == a)) {
            if !matches!(i.method, Method::Btree | Method::Hash) && t.declared.class(i.oid, n).is_none() {
                check_default_class(ty, i.method, cx)?;
            }
            if let Some(class) = t.declared.class(i.oid, n).and_then(types::class)
                && !class.accepts(ty.oid)
            {
                bail!(
                    DATATYPE_MISMATCH,
                    "operator class \"{}\" does not accept data type {}",
                    class.name,
                    pamir_types::text::type_named(ty.oid)
                );
            }
        }
    }
    Ok(())
}
/// The access method. A hash index is kept as a B-tree here: equality look-ups work alike, and hash's own limits are checked.
pub(super) fn method(name: Option<&str>) -> Result<Method> {
    Ok(match name {
        None | Some("btree") => Method::Btree,
        Some("hash") => Method::Hash,
        Some("gin") => Method::Gin,
        Some("brin") => Method::Brin,
        Some("gist") => Method::Gist,
        Some(m @ "spgist") => return Err(Error::unsupported(format!("access method \"{m}\""))),
        Some(m) => bail!(UNDEFINED_OBJECT, "access method \"{m}\" does not exist"),
    })
}
/// What an index of another method than btree cannot be.
pub(super) fn check_method(unique: bool, include: bool, elements: &[IndexElement], m: Method) -> Result<()> {
    let lacks = |what: &str| Err(err!(FEATURE_NOT_SUPPORTED, "access method \"{}\" does not support {what}", m.name()));
    if unique {
        return lacks("unique indexes");
    }
    if include {
        if m == Method::Gist {
            return Err(Error::unsupported("INCLUDE of an index by gist"));
        }
        return lacks("included columns");
    }
    if elements.len() > 1 && m == Method::Hash {
        return lacks("multicolumn indexes");
    }
    if elements.iter().any(|e| e.descending.is_some()) {
        return lacks("ASC/DESC options");
    }
    if elements.iter().any(|e| e.nulls_first.is_some()) {
        return lacks("NULLS FIRST/LAST options");
    }
    Ok(())
}

/// What is said of key columns: by their places, OIDs.
type Said = Vec<(i16, Oid)>;
/// An index's key columns, and what is said of them where it is not the default: (place, OID).
#[derive(Default)]
pub(super) struct Keys {
    pub columns: Vec<(IndexColumn, KeyOrder)>,
    pub names: Vec<String>,
    pub classes: Said,
    pub collations: Said,
}
pub(super) fn key_columns(elements: &[IndexElement], table: &Table, method: Method, cx: &mut DdlCtx) -> Result<Keys> {
    let mut k = Keys::default();
    for e in elements {
        let desc = e.descending.unwrap_or(false);
        let order = KeyOrder { desc, nulls_first: e.nulls_first.unwrap_or(desc) };
        let (column, name, collation) = index_column(table, e, matches!(method, Method::Btree | Method::Hash), cx)?;
        let ty = column.ty(table);
        let at = k.columns.len() as i16;
        if let Some(n) = &e.class {
            let class = operator_class(&n.parts, ty, method.name(), cx)?;
            k.classes.extend(class.map(|c| (at, c)));
            if !e.class_options.is_empty() {
                let shown = n.parts.last().map_or("", String::as_str);
                bail!(INVALID_PARAMETER_VALUE, "operator class {shown} has no options");
            }
        }
        if !matches!(method, Method::Btree | Method::Hash) && e.class.is_none() {
            check_default_class(ty, method, cx)?;
        }
        if method == Method::Gin
            && let Some(e) = ty.element().filter(|e| !key::is_orderable(*e))
        {
            let name = pamir_types::text::type_named(e.oid);
            bail!(UNDEFINED_FUNCTION, "could not identify a comparison function for type {name}");
        }
        k.collations.extend(collation.map(|c| (at, c)));
        k.names.push(name);
        k.columns.push((column, order));
    }
    Ok(k)
}
/// Gives a table its new index, with what is said of its key columns and how it is stored.
pub(super) fn append(
    t: &mut Table,
    index: &Index,
    (classes, collations): (Said, Said),
    parameters: Vec<(String, String)>,
) {
    t.indexes.push(index.clone());
    t.declared.classes.extend(classes.into_iter().map(|(at, c)| (index.oid, at, c)));
    t.declared.index_collations.extend(collations.into_iter().map(|(at, c)| (index.oid, at, c)));
    t.declared.options.extend(parameters.into_iter().map(|(n, v)| (index.oid, n, v)));
    t.cache = Default::default();
}
/// The condition of a partial index.
pub(super) fn predicate(filter: Option<&tree::Expr>, table: &Table, cx: &mut DdlCtx) -> Result<Option<SqlText>> {
    let Some(p) = filter else { return Ok(None) };
    no_subquery(p, "index predicate", cx)?;
    let place = Some("index predicates");
    let bound = bind_expr_in(p, Some(table), None, place, cx)?;
    must_be_boolean(&bound, "WHERE", p.leftmost(), cx)?;
    if !is_immutable(&bound, p, Some(table), None, place, cx)? {
        bail!(INVALID_OBJECT_DEFINITION, "functions in index predicate must be marked IMMUTABLE");
    }
    Ok(Some(text_of(&bound, Some(table), cx)))
}
pub fn create(c: &CreateIndex, cx: &mut DdlCtx) -> Result<&'static str> {
    make(c, false, cx).map(|_| "CREATE INDEX")
}
/// Makes an index and fills it; `online`: leaves it empty and unread, writers keep it once this is committed (`online.rs`). The table and the index that are to be
/// filled still: none where there was one already, and none of a temporary table, which nobody else writes.
pub fn make(c: &CreateIndex, online: bool, cx: &mut DdlCtx) -> Result<Option<(Oid, Oid)>> {
    let method = method(c.method.as_deref())?;
    table::tablespace(c.tablespace.as_deref())?;
    let parameters = options::check(method.into(), &options::settings(&c.options))?;
    let t = match cx.resolve(&c.table.parts)? {
        Some(Relation::Table(v)) if v.plain_view().is_some() => {
            return Err(err!(WRONG_OBJECT_TYPE, "cannot create index on relation \"{}\"", v.name)
                .detail("This operation is not supported for views."));
        }
        Some(Relation::Index(..) | Relation::Sequence(_)) => {
            let (_, n) = cx.split(&c.table.parts)?;
            return Err(err!(WRONG_OBJECT_TYPE, "cannot create index on relation \"{n}\"")
                .detail("This operation is not supported for that kind of relation."));
        }
        found => {
            let online = online && !matches!(&found, Some(Relation::Table(t)) if t.is_temporary());
            let lock = if online { TableLock::ShareUpdateExclusive } else { TableLock::Share };
            let t = cx.open_stored(&c.table.parts, lock)?;
            // That lock lets others make indexes, too: each is to know of those before it.
            match cx.lock_object(Kind::Table, t.oid, RowLock::Update)? {
                Some(Object::Table(t)) => t,
                _ => bail!(UNDEFINED_TABLE, "could not open relation with OID {}", t.oid),
            }
        }
    };
    cx.use_schema(t.schema, &t.name)?;
    let mut table = (*t).clone();
    if method != Method::Btree {
        check_method(c.unique, !c.include.is_empty(), &c.elements, method)?;
    }
    let Keys { columns, mut names, classes, collations } = key_columns(&c.elements, &table, method, cx)?;
    let mut include = vec![];
    for e in &c.include {
        let n = included(e)?;
        let col = table.column_by_name(n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
        include.push(col.attnum);
        names.push(n.to_string());
    }
    if columns.len() + include.len() > MAX_KEY_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "cannot use more than {MAX_KEY_COLUMNS} columns in an index");
    }
    let predicate = predicate(c.filter.as_ref(), &table, cx)?;
    let name = c.name.clone().unwrap_or_else(|| {
        let names = distinct(names.iter().map(|s| s.as_str()));
        free_name(cx, &table, Some(&join_columns(names.iter().map(|s| s.as_str()))), "idx")
    });
    let n = Name::relation(table.schema, &name);
    if cx.name_taken(&n)? {
        if c.if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok(None);
        }
        return Err(n.taken());
    }
    let index = Index {
        oid: cx.new_oid_in(t.schema)?,
        name,
        tree: cx.new_tree(t.schema)?.0,
        unique: c.unique,
        primary: false,
        constraint: false,
        nulls_not_distinct: !c.nulls_distinct,
        columns,
        include,
        predicate,
        method,
        comment: None,
        deferrable: None,
        excludes: None,
        usage: Default::default(),
    };
    append(&mut table, &index, (classes, collations), parameters);
    partition::check_unique(&table, &index)?;
    if table.is_partitioned() {
        if c.concurrently {
            bail!(FEATURE_NOT_SUPPORTED, "cannot create index on partitioned table \"{}\" concurrently", table.name);
        }
        return create_on_partitions(table, &index, c.table.only, cx).map(|()| None);
    }
    if online && !t.is_temporary() {
        table.change_online(|o| o.invalid.push(index.oid));
        cx.put_table(table)?;
        return Ok(Some((t.oid, index.oid)));
    }
    build_index(cx, &table, &index)?;
    cx.put_table(table)?;
    Ok(None)
}
/// An index of a partitioned table, and with it of its partitions, unless ONLY was said.
fn create_on_partitions(mut table: Table, index: &Index, only: bool, cx: &mut DdlCtx) -> Result<()> {
    if only && !table.children().is_empty() {
        table.change_partition(|p| p.invalid.push(index.oid));
    }
    let t = cx.put_table(table)?;
    if !only {
        t.children().iter().try_for_each(|c| partition::give_index(t.oid, index.oid, *c, cx))?;
    }
    Ok(())
}
/// The name of a column of INCLUDE, which is a column and nothing more.
fn included(e: &IndexElement) -> Result<&str> {
    let IndexOf::Column(n) = &e.of else {
        bail!(FEATURE_NOT_SUPPORTED, "expressions are not supported in included columns");
    };
    let lacks = |what: &str| Err(err!(INVALID_OBJECT_DEFINITION, "including column does not support {what}"));
    if e.collation.is_some() {
        return lacks("a collation");
    }
    if e.class.is_some() {
        return lacks("an operator class");
    }
    if e.descending.is_some() {
        return lacks("ASC/DESC options");
    }
    if e.nulls_first.is_some() {
        return lacks("NULLS FIRST/LAST options");
    }
    Ok(n)
}
/// A key column (`sorts`: of an index whose keys do), the name it gives to the index's, and its collation where one is said that is another than the column's.
fn index_column(
    t: &Table,
    e: &IndexElement,
    sorts: bool,
    cx: &mut DdlCtx,
) -> Result<(IndexColumn, String, Option<Oid>)> {
    // `(a COLLATE c)` says as much as `a COLLATE c`.
    let mut collation = e.collation.as_ref();
    let (column, name) = match &e.of {
        IndexOf::Column(n) => (plain_column(t, n, sorts)?, n.clone()),
        IndexOf::Expr(e) => {
            let name = figure_name(e).unwrap_or_else(|| "expr".into());
            let mut e = e;
            while let ExprKind::Collate { arg, collation: said } = &e.kind {
                collation = collation.or(Some(said));
                e = arg;
            }
            no_subquery(e, "index expression", cx)?;
            let place = Some("index expressions");
            let bound = bind_expr_in(e, Some(t), None, place, cx)?;
            match &bound {
                pamir_expr::ir::Expr::Col(c, _) if t.column(*c as i16).is_some() => {
                    sortable(bound.ty(), sorts)?;
                    (IndexColumn::Attr(*c as i16), name)
                }
                _ => {
                    if !is_immutable(&bound, e, Some(t), None, place, cx)? {
                        bail!(INVALID_OBJECT_DEFINITION, "functions in index expression must be marked IMMUTABLE");
                    }
                    let ty = cx.catalog.base_type(bound.ty());
                    column::check_type(&name, ty)?;
                    sortable(ty, sorts)?;
                    (IndexColumn::Expr(text_of(&bound, Some(t), cx), ty), name)
                }
            }
        }
    };
    let Some(said) = collation else { return Ok((column, name, None)) };
    let (ty, own) = match &column {
        IndexColumn::Attr(a) => (t.column(*a).map_or(Type::TEXT, |c| c.ty), cx.catalog.column_collation(t, *a)),
        IndexColumn::Expr(_, ty) => (*ty, None),
    };
    let said = column::collation(&said.parts, ty)?;
    Ok((column, name, Some(said).filter(|c| *c != own.unwrap_or(DEFAULT_COLLATION))))
}
fn sortable(ty: Type, sorts: bool) -> Result<()> {
    if sorts { check_orderable(ty) } else { Ok(()) }
}
fn plain_column(t: &Table, n: &str, sorts: bool) -> Result<IndexColumn> {
    if column::is_system(n) {
        bail!(FEATURE_NOT_SUPPORTED, "index creation on system columns is not supported");
    }
    let c = t.column_by_name(n).ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"))?;
    sortable(c.ty, sorts)?;
    Ok(IndexColumn::Attr(c.attnum))
}

/// REINDEX: the table's indexes (or one of them) into new trees.
pub fn rebuild(cx: &mut DdlCtx, t: &Arc<Table>, only: Option<oid::Oid>) -> Result<()> {
    let mut table = (**t).clone();
    table.cache = Default::default();
    let mut new = vec![];
    for i in table.indexes.iter_mut().filter(|i| !i.primary && only.is_none_or(|o| o == i.oid)) {
        cx.txn.drop_tree(TreeId(i.tree))?;
        i.tree = cx.new_tree(t.schema)?.0;
        new.push(i.clone());
    }
    for i in &new {
        build_index(cx, &table, i)?;
    }
    // What a stopped build left is whole now, and older snapshots ask the tree itself.
    table.change_online(|o| {
        o.invalid.retain(|i| new.iter().all(|n| n.oid != *i));
        o.whole_since.retain(|i| new.iter().all(|n| n.oid != i.0));
    });
    cx.put_table(table)?;
    Ok(())
}
/// Is it to be done beside readers and writers? Both spellings are one.
pub fn is_concurrent(r: &Reindex) -> bool {
    r.concurrently || r.options.iter().any(|o| o.name == "concurrently" && def::boolean(o).unwrap_or(false))
}
pub fn reindex(r: &Reindex, cx: &mut DdlCtx) -> Result<&'static str> {
    check_options(r, cx)?;
    for (table, only) in reindexed(r, TableLock::AccessExclusive, cx)? {
        if let Some(t) = cx.lock_table_if_exists(table, TableLock::AccessExclusive)? {
            rebuild(cx, &t, only)?;
        }
    }
    Ok("REINDEX")
}
pub fn check_options(r: &Reindex, cx: &mut DdlCtx) -> Result<()> {
    for o in &r.options {
        match o.name.as_str() {
            "verbose" | "concurrently" => {
                def::boolean(o)?;
            }
            "tablespace" => table::tablespace(Some(&def::string(o)?))?,
            n => return Err(def::wrong(err!(SYNTAX_ERROR, "unrecognized REINDEX option \"{n}\""), o, cx)),
        }
    }
    Ok(())
}
/// The tables that REINDEX means, those that are named locked, and of one the index.
pub fn reindexed(r: &Reindex, lock: TableLock, cx: &mut DdlCtx) -> Result<Vec<(Oid, Option<Oid>)>> {
    let all = |cx: &DdlCtx, schema: Option<Oid>| {
        let of = cx.catalog.tables(cx.database()).into_iter().filter(|t| schema.is_none_or(|s| t.schema == s));
        of.map(|t| (t.oid, None)).collect()
    };
    Ok(match &r.what {
        ReindexWhat::Index(n) => {
            let (t, i) = remove::find_index(&n.parts, cx)?;
            vec![(cx.lock_table(t.oid, lock)?.oid, Some(i))]
        }
        ReindexWhat::Table(n) => vec![(cx.open_stored(&n.parts, lock)?.oid, None)],
        ReindexWhat::Schema(n) => {
            let Some(s) = cx.catalog.schema_by_name(cx.database(), n) else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
            };
            cx.check_owner(s.owner, "schema", n)?;
            all(cx, Some(s.oid))
        }
        ReindexWhat::Database(n) | ReindexWhat::System(n) => {
            if n != cx.env.database() {
                bail!(FEATURE_NOT_SUPPORTED, "can only reindex the currently open database");
            }
            if let Some(d) = cx.catalog.database(cx.database()) {
                cx.check_owner(d.owner, "database", n)?;
            }
            // The system's own relations have no indexes.
            if let ReindexWhat::Database(_) = r.what { all(cx, None) } else { vec![] }
        }
    })
}
