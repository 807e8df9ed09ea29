//! Keys, checks and foreign keys: names, validation, and checking of rows that are already there.
use super::build::{each_row, is_empty};
use super::cx::CANCEL_EVERY;
use super::eval::{RowExpr, bind_expr_in, bind_text, no_subquery, text_of, used_columns};
use super::{DdlCtx, column, options, partition, table};
use pamir_catalog::family::Origin;
use pamir_catalog::names::join_columns;
use pamir_catalog::{
    Check, Column, Deferrable, FkAction, ForeignKey, Index, IndexColumn, Method, Relation, Table, choose_name,
};
use pamir_catalog::{acl, temporary};
use pamir_exec::fk_types;
use pamir_parse::tree::{
    At, ConstraintAttributes, DefElem, Expr, KeyAction, KeyOf, References, TableConstraint, TableConstraintKind,
};
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::key::{self, KeyOrder};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

/// PostgreSQL's limit (INDEX_MAX_KEYS).
pub const MAX_KEY_COLUMNS: usize = 32;

/// PRIMARY KEY or UNIQUE as written.
#[derive(Clone, Debug)]
pub struct KeySpec {
    pub name: Option<String>,
    pub primary: bool,
    pub columns: Vec<String>,
    pub include: Vec<String>,
    pub nulls_not_distinct: bool,
    /// DEFERRABLE; also INITIALLY DEFERRED?
    pub deferrable: Option<bool>,
    /// Of its index: checked.
    pub parameters: Vec<(String, String)>,
    pub at: At,
}
impl KeySpec {
    pub fn new(name: Option<String>, primary: bool, columns: Vec<String>, at: At) -> KeySpec {
        let (nulls_not_distinct, deferrable) = (false, None);
        KeySpec { name, primary, columns, include: vec![], nulls_not_distinct, deferrable, parameters: vec![], at }
    }
    pub fn checked(&mut self, a: ConstraintAttributes) {
        self.deferrable = a.deferrable.then_some(a.initially_deferred);
    }
    /// How its index is stored: WITH and USING INDEX TABLESPACE.
    pub fn stored(&mut self, with: &[DefElem], tablespace: Option<&str>) -> Result<()> {
        table::tablespace(tablespace)?;
        self.parameters = options::check(options::Of::Btree, &options::settings(with))?;
        Ok(())
    }
}
#[derive(Clone, Debug)]
pub struct CheckSpec<'a> {
    pub name: Option<String>,
    pub expr: &'a Expr,
    pub not_valid: bool,
    /// Children do not get it.
    pub no_inherit: bool,
}
#[derive(Clone, Debug)]
pub struct FkSpec<'a> {
    pub name: Option<String>,
    pub columns: Vec<String>,
    pub to: &'a References,
    pub attributes: ConstraintAttributes,
    pub not_valid: bool,
}
fn action(a: KeyAction) -> FkAction {
    match a {
        KeyAction::NoAction => FkAction::NoAction,
        KeyAction::Restrict => FkAction::Restrict,
        KeyAction::Cascade => FkAction::Cascade,
        KeyAction::SetNull => FkAction::SetNull,
        KeyAction::SetDefault => FkAction::SetDefault,
    }
}

/// Sorts a table constraint into `out`. A new table has no rows that NOT VALID could leave unchecked.
pub fn collect<'a>(c: &'a TableConstraint, new_table: bool, out: &mut column::Pending<'a>, cx: &DdlCtx) -> Result<()> {
    use TableConstraintKind as Kind;
    let (name, not_valid) = (c.name.clone(), c.attributes.not_valid && !new_table);
    match &c.kind {
        Kind::PrimaryKey(of) | Kind::Unique { key: of, .. } => {
            let KeyOf::Columns { columns, include, options, tablespace } = of else {
                let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot use an existing index in CREATE TABLE");
                return Err(cx.place(e, c.at));
            };
            let primary = matches!(c.kind, Kind::PrimaryKey(_));
            let mut k = KeySpec::new(name, primary, columns.clone(), c.at);
            k.include = include.clone();
            k.nulls_not_distinct = matches!(c.kind, Kind::Unique { nulls_distinct: false, .. });
            k.stored(options, tablespace.as_deref())?;
            k.checked(c.attributes);
            out.keys.push(k);
        }
        Kind::Check(expr) => out.checks.push(CheckSpec { name, expr, not_valid, no_inherit: c.attributes.no_inherit }),
        Kind::ForeignKey { columns, references } => out.foreign_keys.push(FkSpec {
            name,
            columns: columns.clone(),
            to: references,
            attributes: c.attributes,
            not_valid,
        }),
        Kind::Exclude { .. } => out.excludes.push(c),
    }
    Ok(())
}

/// Is there a constraint of this name on the table?
pub fn exists(t: &Table, name: &str) -> bool {
    by_name(t, name).is_some()
}
pub fn by_name(t: &Table, name: &str) -> Option<pamir_types::Oid> {
    let indexes = t.indexes.iter().filter(|i| i.constraint).map(|i| (i.oid, &i.name));
    let checks = t.checks.iter().map(|c| (c.oid, &c.name));
    let keys = t.foreign_keys.iter().map(|f| (f.oid, &f.name));
    indexes.chain(checks).chain(keys).find(|c| c.1 == name).map(|c| c.0)
}
pub(super) fn name_of(written: &Option<String>, t: &Table, automatic: impl FnOnce() -> String) -> Result<String> {
    match written {
        Some(n) if exists(t, n) => {
            bail!(DUPLICATE_OBJECT, "constraint \"{n}\" for relation \"{}\" already exists", t.name)
        }
        Some(n) => Ok(n.clone()),
        None => Ok(automatic()),
    }
}
/// The name of a relation yet to be made beside a table that may itself not be in the catalog yet.
pub fn free_name(cx: &DdlCtx, t: &Table, middle: Option<&str>, label: &str) -> String {
    choose_name(&t.name, middle, label, |n| {
        n == t.name || exists(t, n) || t.indexes.iter().any(|i| i.name == n) || cx.relation_exists(t.schema, n)
    })
}

/// 42704 for types that cannot be keys.
pub fn check_orderable(ty: Type) -> Result<()> {
    if key::is_orderable(ty) {
        return Ok(());
    }
    let name = pamir_types::text::type_named(ty.oid);
    Err(err!(UNDEFINED_OBJECT, "data type {name} has no default operator class for access method \"btree\"")
        .hint("You must specify an operator class for the index or define a default operator class for the data type."))
}

/// Appends a key's index to `t` (its columns NOT NULL for a primary key). A primary key has the table's tree, unless it is deferrable: rows that are equal for a time cannot be ordered by it.
pub fn add_key(t: &mut Table, k: &KeySpec, cx: &mut DdlCtx) -> Result<Index> {
    if k.primary && t.declared_primary_key().is_some() {
        let e = err!(INVALID_TABLE_DEFINITION, "multiple primary keys for table \"{}\" are not allowed", t.name);
        // That it has one already is found out later, where nothing has a place.
        return Err(if cx.catalog.table(t.oid).is_some() { e } else { cx.place(e, k.at) });
    }
    if k.columns.len() > MAX_KEY_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "cannot use more than {MAX_KEY_COLUMNS} columns in an index");
    }
    // A table that stands is looked into later, where nothing has a place.
    let stands = cx.catalog.table(t.oid).is_some();
    let attnum = |t: &Table, n: &String, key: bool, cx: &DdlCtx| match t.column_by_name(n) {
        Some(c) => Ok((c.attnum, c.ty)),
        None if column::is_system(n) => Err(match key && k.primary && stands {
            true => err!(FEATURE_NOT_SUPPORTED, "cannot alter system column \"{n}\""),
            false => err!(FEATURE_NOT_SUPPORTED, "index creation on system columns is not supported"),
        }),
        None if key && k.primary && stands => {
            Err(err!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", t.name))
        }
        None => {
            let e = err!(UNDEFINED_COLUMN, "column \"{n}\" named in key does not exist");
            Err(if stands { e } else { cx.place(e, k.at) })
        }
    };
    let mut columns = vec![];
    for n in &k.columns {
        let (a, ty) = attnum(t, n, true, cx)?;
        if columns.iter().any(|(c, _)| matches!(c, IndexColumn::Attr(x) if *x == a)) {
            let what = if k.primary { "primary key" } else { "unique" };
            let e = err!(DUPLICATE_COLUMN, "column \"{n}\" appears twice in {what} constraint");
            return Err(cx.place(e, k.at));
        }
        check_orderable(ty)?;
        columns.push((IndexColumn::Attr(a), KeyOrder::ASC));
    }
    let include = k.include.iter().map(|n| attnum(t, n, false, cx).map(|x| x.0)).collect::<Result<Vec<_>>>()?;
    let middle = join_columns(k.columns.iter().chain(&k.include).map(|s| s.as_str()));
    // A key's name is its index's, which is looked at first.
    if let Some(n) = &k.name
        && (*n == t.name || cx.relation_exists(t.schema, n))
    {
        bail!(DUPLICATE_TABLE, "relation \"{n}\" already exists");
    }
    let name = name_of(&k.name, t, || {
        if k.primary { free_name(cx, t, None, "pkey") } else { free_name(cx, t, Some(&middle), "key") }
    })?;
    if k.primary {
        for n in &k.columns {
            if let Some(c) = t.columns.iter_mut().find(|c| !c.dropped && c.name == *n) {
                c.not_null = true;
            }
        }
    }
    let clustered = k.primary && k.deferrable.is_none();
    let tree = if clustered { t.tree } else { cx.new_tree(t.schema)?.0 };
    let index = Index {
        oid: cx.new_oid_in(t.schema)?,
        name,
        tree,
        unique: k.deferrable.is_none(),
        primary: clustered,
        constraint: true,
        nulls_not_distinct: k.nulls_not_distinct,
        columns,
        include,
        predicate: None,
        method: Method::Btree,
        comment: None,
        deferrable: k.deferrable.map(|initially_deferred| Deferrable { primary: k.primary, initially_deferred }),
        excludes: None,
        usage: Default::default(),
    };
    t.indexes.push(index.clone());
    t.declared.options.extend(k.parameters.iter().map(|(n, v)| (index.oid, n.clone(), v.clone())));
    Ok(index)
}

/// Binds a CHECK and appends it.
pub fn add_check(t: &mut Table, c: &CheckSpec, cx: &mut DdlCtx) -> Result<Check> {
    no_subquery(c.expr, "check constraint", cx)?;
    let bound = bind_expr_in(c.expr, Some(t), None, Some("check constraints"), cx)?;
    must_be_boolean(&bound, "CHECK", c.expr.leftmost(), cx)?;
    let used = used_columns(&bound);
    let only = match used.as_slice() {
        [a] => t.column(*a).map(|c| c.name.clone()),
        _ => None,
    };
    let expr = text_of(&bound, Some(t), cx);
    if let Some(old) = inherited_check(t, c.name.as_deref()).cloned()
        && old.expr == expr
    {
        if c.no_inherit {
            let e = err!(
                INVALID_OBJECT_DEFINITION,
                "constraint \"{}\" conflicts with inherited constraint on relation \"{}\"",
                old.name,
                t.name
            );
            return Err(e);
        }
        if old.not_valid && !c.not_valid {
            let on = "conflicts with NOT VALID constraint on relation";
            bail!(INVALID_OBJECT_DEFINITION, "constraint \"{}\" {on} \"{}\"", old.name, t.name);
        }
        t.set_check_origin(old.oid, Origin { local: t.bound().is_none(), ..t.check_origin(old.oid) });
        let say = format!("merging constraint \"{}\" with inherited definition", old.name);
        cx.notice(state::SUCCESSFUL_COMPLETION, say);
        return Ok(old);
    }
    let name = name_of(&c.name, t, || choose_name(&t.name, only.as_deref(), "check", |n| exists(t, n)))?;
    if c.no_inherit && t.is_partitioned() {
        bail!(INVALID_TABLE_DEFINITION, "cannot add NO INHERIT constraint to partitioned table \"{}\"", t.name);
    }
    let check = Check { oid: cx.new_oid_in(t.schema)?, name, expr, not_valid: c.not_valid };
    t.checks.push(check.clone());
    if c.no_inherit {
        t.change_family(|f| f.no_inherit.push(check.oid));
    }
    // PostgreSQL checks in the order of names.
    t.checks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(check)
}
/// The CHECK of that name that only parents gave.
fn inherited_check<'t>(t: &'t Table, name: Option<&str>) -> Option<&'t Check> {
    let k = t.checks.iter().find(|k| Some(k.name.as_str()) == name)?;
    let origin = t.check_origin(k.oid);
    (origin.parents > 0 && !origin.local).then_some(k)
}
/// 42804 for the argument of `of` that is no boolean.
pub fn must_be_boolean(bound: &pamir_expr::ir::Expr, of: &str, at: At, cx: &DdlCtx) -> Result<()> {
    let ty = bound.ty().oid;
    if matches!(ty, oid::BOOL | oid::UNKNOWN) {
        return Ok(());
    }
    let named = pamir_types::text::type_named(ty);
    Err(cx.place(err!(DATATYPE_MISMATCH, "argument of {of} must be type boolean, not type {named}"), at))
}
/// 23514 if a row breaks the check.
pub fn validate_check(cx: &mut DdlCtx, t: &Table, c: &Check) -> Result<()> {
    if is_empty(cx, t)? {
        return Ok(());
    }
    let e = bind_text(&c.expr, Some(t), None, cx)?;
    let e = RowExpr::new(&e);
    each_row(cx, t, &mut |cx, _, row| {
        if e.holds(row, &mut *cx.env)? {
            return Ok(());
        }
        let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
        Err(err!(CHECK_VIOLATION, "check constraint \"{}\" of relation \"{}\" is violated by some row", c.name, t.name)
            .table(schema, &*t.name)
            .constraint(&*c.name))
    })
}
/// 23502 if a row has NULL in one of the columns.
pub fn validate_not_null(cx: &mut DdlCtx, t: &Table, attnums: &[i16]) -> Result<()> {
    each_row(cx, t, &mut |cx, _, row| {
        for a in attnums {
            if row.get(*a as usize - 1).is_none_or(Datum::is_null) {
                let name = t.column(*a).map_or("", |c| &c.name);
                let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
                return Err(err!(
                    NOT_NULL_VIOLATION,
                    "column \"{name}\" of relation \"{}\" contains null values",
                    t.name
                )
                .table(schema, &*t.name)
                .column(name));
            }
        }
        Ok(())
    })
}

/// Appends a foreign key to `t` and names it in the referenced table's `referenced_by`. `t` may be new (not in the catalog) and may reference itself.
pub fn add_foreign_key(t: &mut Table, f: &FkSpec, cx: &mut DdlCtx) -> Result<ForeignKey> {
    let target = fk_target(t, f, cx)?;
    if let Some(p) = &target
        && p.database != t.database
    {
        bail!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented");
    }
    let parent: &Table = target.as_deref().unwrap_or(t);
    if parent.is_temporary() != t.is_temporary() {
        let kind = if t.is_temporary() { "temporary" } else { "permanent" };
        let kinds = match t.declared.more.unlogged {
            true => "constraints on unlogged tables may reference only permanent or unlogged tables".to_string(),
            false => format!("constraints on {kind} tables may reference only {kind} tables"),
        };
        return Err(Error::new(state::INVALID_TABLE_DEFINITION, kinds));
    }
    if parent.declared.more.unlogged && !t.declared.more.unlogged {
        bail!(INVALID_TABLE_DEFINITION, "constraints on permanent tables may reference only permanent tables");
    }
    let columns = f.columns.iter().map(|n| fk_column(t, n)).collect::<Result<Vec<_>>>()?;
    let (ref_columns, ref_index) = fk_referenced(parent, f)?;
    if ref_columns.len() != columns.len() {
        bail!(INVALID_FOREIGN_KEY, "number of referencing and referenced columns for foreign key disagree");
    }
    let who = cx.who()?;
    // A new table is its maker's.
    let kept = cx.catalog.table(t.oid).is_some();
    for (table, list) in [(Some(parent), &ref_columns), (kept.then_some(&*t), &columns)] {
        if let Some(table) = table
            && (kept || table.owner != who.role)
            && !who.on_columns(cx.catalog, table, list, acl::REFERENCES)
        {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for table {}", table.name);
        }
    }
    let middle = join_columns(f.columns.iter().map(|s| s.as_str()));
    let con = name_of(&f.name, t, || choose_name(&t.name, Some(&middle), "fkey", |n| exists(t, n)))?;
    let (on_delete, on_update) = (action(f.to.on_delete), action(f.to.on_update));
    for (a, b) in columns.iter().zip(&ref_columns) {
        let (Some(a), Some(b)) = (t.column(*a), parent.column(*b)) else { continue };
        comparable(&con, a, b)?;
        if columns.iter().filter_map(|c| t.column(*c)).any(|c| c.generated.is_some())
            && [on_delete, on_update].iter().any(|x| matches!(x, FkAction::SetNull | FkAction::SetDefault))
        {
            bail!(SYNTAX_ERROR, "invalid ON DELETE action for foreign key constraint containing generated column");
        }
    }
    let set_columns = fk_set_columns(t, f, &columns)?;
    let fk = ForeignKey {
        oid: cx.new_oid_in(t.schema)?,
        name: con,
        columns,
        ref_table: parent.oid,
        ref_columns,
        ref_index,
        on_delete,
        on_update,
        match_full: f.to.match_full,
        deferrable: f.attributes.deferrable,
        initially_deferred: f.attributes.initially_deferred,
        not_valid: f.not_valid,
    };
    t.foreign_keys.push(fk.clone());
    if !set_columns.is_empty() {
        t.declared.set_columns.push((fk.oid, set_columns));
    }
    match target {
        None => t.referenced_by.push((t.oid, fk.oid)),
        Some(p) => {
            let mut p = (*p).clone();
            p.referenced_by.push((t.oid, fk.oid));
            cx.put_table(p)?;
        }
    }
    Ok(fk)
}
/// The table that `f` refers to, locked; None: `t` itself.
fn fk_target(t: &Table, f: &FkSpec, cx: &mut DdlCtx) -> Result<Option<Arc<Table>>> {
    let (schema, name) = cx.split(&f.to.table.parts)?;
    let own_schema = cx.catalog.schema(t.schema).map(|s| s.name.clone());
    let is_own = |s: &str| Some(s) == own_schema.as_deref() || t.is_temporary() && s == temporary::ALIAS;
    // Where a search would find the table, were it there already: before what it finds now.
    let found_first = || {
        let path = &cx.env.scope().search_path;
        let own = path.iter().position(|s| is_own(s));
        if own.is_none() && t.is_temporary() {
            return true;
        }
        let other = path.iter().position(|s| cx.catalog.resolve_in(t.database, s, &name).is_some());
        own.is_some_and(|own| other.is_none_or(|other| own <= other))
    };
    let names_self = name == t.name
        && match &schema {
            Some(s) => is_own(s),
            None => found_first(),
        };
    Ok(match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
        Some(Relation::Table(p)) if p.oid == t.oid => None,
        None if names_self => None,
        Some(_) if names_self && cx.catalog.table(t.oid).is_none() => None,
        Some(Relation::Table(p)) => Some(lock_referenced(p.oid, cx)?),
        Some(_) => bail!(WRONG_OBJECT_TYPE, "referenced relation \"{name}\" is not a table"),
        None => {
            return Err(cx
                .catalog
                .resolve_relation(cx.env.scope(), schema.as_deref(), &name)
                .err()
                .unwrap_or_else(|| Error::internal("relation appeared")));
        }
    })
}
/// A table that a new foreign key refers to, and what lies below it, locked against writers: a key whose row is being deleted in a partition must not pass for one that stays.
pub fn lock_referenced(table: Oid, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let t = cx.lock_table(table, TableLock::ShareRowExclusive)?;
    if t.is_partitioned() {
        for below in cx.catalog.descendants(&t) {
            cx.lock_table(below.oid, TableLock::ShareRowExclusive)?;
        }
    }
    Ok(t)
}
fn fk_column(t: &Table, name: &str) -> Result<i16> {
    let c = t.column_by_name(name).ok_or_else(|| {
        err!(UNDEFINED_COLUMN, "column \"{name}\" referenced in foreign key constraint does not exist")
    })?;
    Ok(c.attnum)
}
/// The referenced columns and the unique index that holds them: those named, or the primary key's.
fn fk_referenced(parent: &Table, f: &FkSpec) -> Result<(Vec<i16>, Oid)> {
    if f.to.columns.is_empty() {
        let pk = parent.declared_primary_key().ok_or_else(|| {
            err!(UNDEFINED_OBJECT, "there is no primary key for referenced table \"{}\"", parent.name)
        })?;
        if pk.deferrable.is_some() {
            let on = "for referenced table";
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot use a deferrable primary key {on} \"{}\"", parent.name);
        }
        return Ok((plain_columns(pk).unwrap_or_default(), pk.oid));
    }
    let mut wanted = vec![];
    for n in &f.to.columns {
        let c = fk_column(parent, n)?;
        if wanted.contains(&c) {
            bail!(INVALID_FOREIGN_KEY, "foreign key referenced-columns list must not contain duplicates");
        }
        wanted.push(c);
    }
    let matches = |i: &&Index| {
        i.is_unique()
            && parent.is_readable(i)
            && i.predicate.is_none()
            && plain_columns(i).is_some_and(|c| c.len() == wanted.len() && wanted.iter().all(|w| c.contains(w)))
    };
    // Of several the oldest.
    let index = parent.indexes.iter().filter(matches).min_by_key(|i| (i.deferrable.is_some(), i.oid));
    match index {
        Some(i) if i.deferrable.is_some() => {
            let on = "for referenced table";
            bail!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "cannot use a deferrable unique constraint {on} \"{}\"",
                parent.name
            )
        }
        Some(i) => Ok((wanted, i.oid)),
        None => bail!(
            INVALID_FOREIGN_KEY,
            "there is no unique constraint matching given keys for referenced table \"{}\"",
            parent.name
        ),
    }
}
/// The columns that ON DELETE SET NULL or SET DEFAULT sets, if only some.
fn fk_set_columns(t: &Table, f: &FkSpec, columns: &[i16]) -> Result<Vec<i16>> {
    let mut set_columns = vec![];
    for n in &f.to.on_delete_columns {
        let c = fk_column(t, n)?;
        if !columns.contains(&c) {
            bail!(
                INVALID_COLUMN_REFERENCE,
                "column \"{n}\" referenced in ON DELETE SET action must be part of foreign key"
            );
        }
        if !set_columns.contains(&c) {
            set_columns.push(c);
        }
    }
    Ok(set_columns)
}
/// An index's columns if none is an expression.
pub fn plain_columns(i: &Index) -> Option<Vec<i16>> {
    i.columns
        .iter()
        .map(|(c, _)| match c {
            IndexColumn::Attr(a) => Some(*a),
            IndexColumn::Expr(..) => None,
        })
        .collect()
}

/// 42804 if a column of `con` cannot refer to its partner.
fn comparable(con: &str, a: &Column, b: &Column) -> Result<()> {
    if fk_types::comparable(a.ty, b.ty) {
        return Ok(());
    }
    Err(err!(DATATYPE_MISMATCH, "foreign key constraint \"{con}\" cannot be implemented").detail(format!(
        "Key columns \"{}\" and \"{}\" are of incompatible types: {} and {}.",
        a.name,
        b.name,
        pamir_types::text::type_named(a.ty.oid),
        pamir_types::text::type_named(b.ty.oid)
    )))
}

/// After column `a` of `t` became another type: the foreign keys on both its sides must still be possible, and hold.
pub fn validate_keys_of(cx: &mut DdlCtx, t: &Arc<Table>, a: i16) -> Result<()> {
    let mut keys: Vec<(Arc<Table>, ForeignKey)> =
        t.foreign_keys.iter().filter(|f| f.columns.contains(&a)).map(|f| (t.clone(), f.clone())).collect();
    for (child, fk) in &t.referenced_by {
        let c = if *child == t.oid { t.clone() } else { cx.lock_table(*child, TableLock::ShareRowExclusive)? };
        let own = *child == t.oid;
        keys.extend(
            c.foreign_keys
                .iter()
                .filter(|f| f.oid == *fk && f.ref_columns.contains(&a) && !(own && f.columns.contains(&a)))
                .map(|f| (c.clone(), f.clone())),
        );
    }
    for (child, f) in keys {
        let Some(parent) =
            (if f.ref_table == t.oid { Some(t.clone()) } else { cx.catalog.table(f.ref_table).cloned() })
        else {
            continue;
        };
        for (x, y) in f.columns.iter().zip(&f.ref_columns) {
            if let (Some(x), Some(y)) = (child.column(*x), parent.column(*y)) {
                comparable(&f.name, x, y)?;
            }
        }
        if !f.not_valid {
            validate_foreign_key(cx, &child, &f)?;
        }
    }
    Ok(())
}

/// 23503 if a row refers to nothing.
pub fn validate_foreign_key(cx: &mut DdlCtx, t: &Table, f: &ForeignKey) -> Result<()> {
    if is_empty(cx, t)? {
        return Ok(());
    }
    let parent: Arc<Table> =
        if f.ref_table == t.oid { Arc::new(t.clone()) } else { cx.lock_table(f.ref_table, TableLock::RowShare)? };
    let Some(index) = parent.index(f.ref_index).cloned() else {
        return Err(Error::internal("foreign key without its index"));
    };
    // The index's columns in its own order, each with the position of its partner.
    let mut parts = vec![];
    for (c, ord) in &index.columns {
        let IndexColumn::Attr(a) = c else { return Err(Error::internal("foreign key to an expression")) };
        let (Some(pos), Some(to)) = (f.ref_columns.iter().position(|r| r == a), parent.column(*a).map(|c| c.ty)) else {
            return Err(Error::internal("foreign key does not match its index"));
        };
        let Some(from) = f.columns.get(pos).and_then(|a| t.column(*a)) else {
            return Err(Error::internal("foreign key without its column"));
        };
        parts.push((from.attnum, from.ty, to, *ord, *a));
    }
    let tree = pamir_txn::TreeId(index.tree);
    let (mut key_bytes, mut found, mut n) = (vec![], vec![], 0u64);
    each_row(cx, t, &mut |cx, _, row| {
        let value = |a: i16| row.get(a as usize - 1).unwrap_or(&Datum::Null);
        let nulls = f.columns.iter().filter(|a| value(**a).is_null()).count();
        let ok = if nulls == f.columns.len() || (nulls > 0 && !f.match_full) {
            true
        } else if nulls > 0 {
            let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
            return Err(err!(
                FOREIGN_KEY_VIOLATION,
                "insert or update on table \"{}\" violates foreign key constraint \"{}\"",
                t.name,
                f.name
            )
            .detail("MATCH FULL does not allow mixing of null and nonnull key values.")
            .table(schema, &*t.name)
            .constraint(&*f.name));
        } else {
            key_bytes.clear();
            let mut possible = true;
            let mut referred = vec![Datum::Null; parent.columns.len()];
            for (a, from, to, ord, at) in &parts {
                match fk_types::to_parent(value(*a), *from, *to, cx.env)? {
                    Some(d) => {
                        key::encode_search(&d, *to, *ord, &mut key_bytes)?;
                        if let Some(r) = referred.get_mut(*at as usize - 1) {
                            *r = d;
                        }
                    }
                    None => possible = false,
                }
            }
            let tree = if parent.is_partitioned() {
                partition::tree_of_key(&parent, &referred, index.oid, cx)?
            } else {
                Some(tree)
            };
            match tree {
                Some(tree) => possible && cx.txn.get_latest(tree, &key_bytes, &mut found)?.exists,
                None => false,
            }
        };
        n += 1;
        if n.is_multiple_of(CANCEL_EVERY) {
            cx.cancel.check()?;
        }
        if ok {
            return Ok(());
        }
        let (mut names, mut values) = (vec![], vec![]);
        for a in &f.columns {
            if let Some(c) = t.column(*a) {
                names.push(c.name.clone());
                values.push(pamir_types::text::to_string(value(*a), c.ty, cx.env.text_ctx()));
            }
        }
        let key = match pamir_exec::dml::may_tell(t, &*cx.env) {
            true => format!("Key ({})=({})", names.join(", "), values.join(", ")),
            false => "Key".into(),
        };
        let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
        Err(err!(
            FOREIGN_KEY_VIOLATION,
            "insert or update on table \"{}\" violates foreign key constraint \"{}\"",
            t.name,
            f.name
        )
        .detail(format!("{key} is not present in table \"{}\".", parent.name))
        .table(schema, &*t.name)
        .constraint(&*f.name))
    })
}
