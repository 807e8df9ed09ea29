//! Column definitions of CREATE TABLE and ADD COLUMN: types, serial, identity, defaults, generated columns, and the constraints written beside them.
use super::constraint::{CheckSpec, FkSpec, KeySpec};
use super::cx::shown_name;
use super::eval::{bind_expr, bind_expr_in, first_column, is_immutable, no_subquery, text_of, used_columns};
use super::{DdlCtx, inherit, sequence};
use pamir_catalog::{Column, Identity, Object, SqlText, Table, choose_name};
use pamir_expr::ir::Expr as Bound;
use pamir_parse::tree::{
    ColumnConstraint, ColumnConstraintKind as Kind, ColumnDefinition, ConstraintAttributes, Expr, ExprKind, Literal,
    TableConstraint, TypeName,
};
use pamir_plan::bind::bare_row;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// PostgreSQL's limit (MaxHeapAttributeNumber).
pub const MAX_COLUMNS: usize = 1600;

/// What column definitions ask for beyond the columns themselves; made real by [`finish`] once all columns are known.
#[derive(Default)]
pub struct Pending<'a> {
    pub keys: Vec<KeySpec>,
    /// EXCLUDE constraints.
    pub excludes: Vec<&'a TableConstraint>,
    pub checks: Vec<CheckSpec<'a>>,
    pub foreign_keys: Vec<FkSpec<'a>>,
    pub defaults: Vec<(i16, &'a Expr)>,
    pub generated: Vec<(i16, &'a Expr)>,
    pub sequences: Vec<SequenceSpec>,
    /// Columns of a typed table that something was said of.
    pub typed: Vec<i16>,
}
pub struct SequenceSpec {
    pub attnum: i16,
    pub identity: Option<Identity>,
    pub ty: Type,
    pub options: sequence::Options,
}

/// The integer type behind `serial` and its variants.
fn serial_type(t: &TypeName) -> Option<Type> {
    let [name] = t.parts.as_slice() else { return None };
    match name.as_str() {
        _ if t.of_column => None,
        "serial" | "serial4" => Some(Type::INT4),
        "bigserial" | "serial8" => Some(Type::INT8),
        "smallserial" | "serial2" => Some(Type::INT2),
        _ => None,
    }
}
/// A column's type; true: `serial` or a variant of it.
fn column_type(name: &str, t: &TypeName, cx: &DdlCtx) -> Result<(Type, bool)> {
    let Some(ty) = serial_type(t) else { return Ok((type_of(name, t, cx)?, false)) };
    let shown = pamir_types::text::type_display(ty);
    let wrong = if !t.array.is_empty() {
        err!(FEATURE_NOT_SUPPORTED, "array of serial is not implemented")
    } else if !t.modifiers.is_empty() {
        err!(SYNTAX_ERROR, "type modifier is not allowed for type \"{shown}\"")
    } else if t.setof {
        return Err(set_of(name));
    } else {
        return Ok((ty, true));
    };
    Err(cx.place(wrong, t.at))
}
/// The type that a column is to have.
pub fn type_of(name: &str, t: &TypeName, cx: &DdlCtx) -> Result<Type> {
    if t.setof {
        return Err(set_of(name));
    }
    let ty = bound_type(t, cx)?;
    check_type(name, ty)?;
    Ok(ty)
}
/// A type by its name.
pub fn bound_type(t: &TypeName, cx: &DdlCtx) -> Result<Type> {
    pamir_plan::bind::bind_type(t, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, t.at))
}
fn set_of(name: &str) -> Error {
    err!(INVALID_TABLE_DEFINITION, "column \"{name}\" cannot be declared SETOF")
}
pub fn blank(attnum: i16, name: String, ty: Type) -> Column {
    Column {
        attnum,
        name,
        ty,
        not_null: false,
        default: None,
        identity: None,
        generated: None,
        dropped: false,
        missing: None,
        sequence: None,
        comment: None,
    }
}
/// 42P16 for types that no column can have.
pub fn check_type(name: &str, ty: Type) -> Result<()> {
    use pamir_types::oid;
    let pseudo = matches!(
        ty.oid,
        oid::UNKNOWN
            | oid::RECORD
            | oid::CSTRING
            | oid::ANY
            | oid::ANYARRAY
            | oid::VOID
            | oid::TRIGGER
            | oid::EVENT_TRIGGER
            | oid::INTERNAL
            | oid::INDEX_AM_HANDLER
            | oid::TABLE_AM_HANDLER
            | oid::ANYELEMENT
            | oid::ANYNONARRAY
            | oid::ANYENUM
            | oid::ANYCOMPATIBLE
            | oid::ANYCOMPATIBLEARRAY
    );
    if pseudo {
        bail!(
            INVALID_TABLE_DEFINITION,
            "column \"{name}\" has pseudo-type {}",
            pamir_types::text::type_display(pamir_types::Type::new(ty.oid))
        );
    }
    Ok(())
}
/// System columns' names cannot be used.
pub(super) fn check_name(name: &str) -> Result<()> {
    if is_system(name) {
        bail!(DUPLICATE_COLUMN, "column name \"{name}\" conflicts with a system column name");
    }
    Ok(())
}
/// The name of something that only pg_catalog has: bare, or with that schema.
pub fn built_in(parts: &[String]) -> Option<&str> {
    match parts {
        [n] => Some(n),
        [s, n] if s == "pg_catalog" => Some(n),
        _ => None,
    }
}
/// The OID of a collation; 42704 for those that there are not, 42804 where the type has none.
pub fn collation(name: &[String], ty: Type) -> Result<Oid> {
    let Some(oid) = built_in(name).and_then(pamir_catalog::system::types::collation_named) else {
        let shown = shown_name(name);
        bail!(UNDEFINED_OBJECT, "collation \"{shown}\" for encoding \"UTF8\" does not exist");
    };
    if pamir_catalog::system::types::collation_of(ty.oid) == 0 {
        bail!(DATATYPE_MISMATCH, "collations are not supported by type {}", pamir_types::text::type_named(ty.oid));
    }
    Ok(oid)
}

/// Appends a column to `t`.
pub fn define<'a>(def: &'a ColumnDefinition, t: &mut Table, out: &mut Pending<'a>, cx: &mut DdlCtx) -> Result<()> {
    let name = &def.name;
    let Some(written) = &def.ty else { return Err(Error::internal("a column without a type")) };
    if !def.options.is_empty() {
        return Err(Error::unsupported("OPTIONS of a column"));
    }
    check_name(name)?;
    let given = inherit::given(t, name);
    if given.is_none() && t.column_by_name(name).is_some() {
        bail!(DUPLICATE_COLUMN, "column \"{name}\" specified more than once");
    }
    if given.is_none() && t.columns.len() >= MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "tables can have at most {MAX_COLUMNS} columns");
    }
    let attnum = given.as_ref().map_or(t.columns.len() as i16 + 1, |c| c.attnum);
    let (declared, serial) = column_type(name, written, cx)?;
    super::types::hold(declared, cx)?;
    let ty = cx.catalog.base_type(declared);
    if given.is_none() {
        t.declared.set_domain(attnum, (ty != declared).then_some(declared.oid));
    }
    let mut col = blank(attnum, name.clone(), ty);
    if serial {
        out.sequences.push(SequenceSpec { attnum, identity: None, ty, options: Default::default() });
    }
    let collated = def.collation.as_ref().map(|c| collation(&c.parts, ty)).transpose()?;
    if given.is_none() {
        t.declared.set_collation(attnum, collated);
    }
    let compressed =
        def.compression.as_ref().map(|m| super::alter::storage::compression(m, ty.oid)).transpose()?.flatten();
    if given.is_none() {
        t.declared.more.set_compression(attnum, compressed);
    }
    constraints(def, t, &mut col, serial, out, cx)?;
    if given.is_some() {
        let written = inherit::Written {
            defaulted: out.defaults.iter().any(|d| d.0 == attnum) || serial,
            generated: out.generated.iter().any(|g| g.0 == attnum),
            compressed,
        };
        return inherit::merge_written(col, (declared, collated), written, t, cx);
    }
    t.columns.push(col);
    Ok(())
}
/// What is written behind a column's type (transformColumnDefinition).
pub(super) fn constraints<'a>(
    def: &'a ColumnDefinition,
    t: &Table,
    col: &mut Column,
    serial: bool,
    out: &mut Pending<'a>,
    cx: &mut DdlCtx,
) -> Result<()> {
    let (name, attnum) = (&def.name, col.attnum);
    let (mut default, mut generated) = (false, false);
    // NULL (false) or NOT NULL, whichever was said.
    let mut not_null: Option<bool> = None;
    let attributes = attributes(&def.constraints, cx)?;
    for (c, attributes) in def.constraints.iter().zip(attributes) {
        let of_column = format!("for column \"{name}\" of table \"{}\"", t.name);
        let wrong = |what: &str, cx: &DdlCtx| Err(cx.place(err!(SYNTAX_ERROR, "{what} {of_column}"), c.at));
        const CONFLICT: &str = "conflicting NULL/NOT NULL declarations";
        match &c.kind {
            Kind::Null | Kind::NotNull => {
                let said = matches!(c.kind, Kind::NotNull);
                if not_null.replace(said).is_some_and(|before| before != said) {
                    return wrong(CONFLICT, cx);
                }
            }
            Kind::Default(e) => {
                if std::mem::replace(&mut default, true) {
                    return wrong("multiple default values specified", cx);
                }
                out.defaults.push((attnum, e));
            }
            Kind::Identity { always, options } => {
                if col.identity.is_some() {
                    return wrong("multiple identity specifications", cx);
                }
                let identity = if *always { Identity::Always } else { Identity::ByDefault };
                set_identity(col, identity, sequence::options(options)?, out)?;
                if not_null.replace(true) == Some(false) {
                    return wrong(CONFLICT, cx);
                }
            }
            Kind::Generated(e) => {
                if std::mem::replace(&mut generated, true) {
                    return wrong("multiple generation clauses specified", cx);
                }
                out.generated.push((attnum, e));
            }
            Kind::Check { expr, no_inherit } => {
                out.checks.push(CheckSpec { name: c.name.clone(), expr, not_valid: false, no_inherit: *no_inherit });
            }
            Kind::PrimaryKey { options, tablespace } => {
                let mut k = KeySpec::new(c.name.clone(), true, vec![name.clone()], c.at);
                k.stored(options, tablespace.as_deref())?;
                k.checked(attributes);
                out.keys.push(k);
            }
            Kind::Unique { nulls_distinct, options, tablespace } => {
                let mut k = KeySpec::new(c.name.clone(), false, vec![name.clone()], c.at);
                k.nulls_not_distinct = !nulls_distinct;
                k.stored(options, tablespace.as_deref())?;
                k.checked(attributes);
                out.keys.push(k);
            }
            Kind::References(to) => out.foreign_keys.push(FkSpec {
                name: c.name.clone(),
                columns: vec![name.clone()],
                to,
                attributes,
                not_valid: false,
            }),
            Kind::Deferrable(_) | Kind::Initially { .. } => {}
        }
        if default && col.identity.is_some() {
            return wrong("both default and identity specified", cx);
        }
        if default && generated {
            return wrong("both default and generation expression specified", cx);
        }
        if col.identity.is_some() && generated {
            return wrong("both identity and generation expression specified", cx);
        }
    }
    if serial {
        // As if DEFAULT nextval(...) NOT NULL stood behind it.
        let of_column = format!("for column \"{name}\" of table \"{}\"", t.name);
        if default {
            bail!(SYNTAX_ERROR, "multiple default values specified {of_column}");
        }
        if col.identity.is_some() {
            bail!(SYNTAX_ERROR, "both default and identity specified {of_column}");
        }
        if generated {
            bail!(SYNTAX_ERROR, "both default and generation expression specified {of_column}");
        }
        if not_null.replace(true) == Some(false) {
            bail!(SYNTAX_ERROR, "conflicting NULL/NOT NULL declarations {of_column}");
        }
    }
    col.not_null |= not_null == Some(true);
    Ok(())
}
/// Which of a column's constraints are deferrable and deferred at first: what stands behind each says it (transformConstraintAttrs).
fn attributes(list: &[ColumnConstraint], cx: &DdlCtx) -> Result<Vec<ConstraintAttributes>> {
    let mut out = vec![ConstraintAttributes::default(); list.len()];
    // The constraint that attributes would belong to, and which kinds of them it has already.
    let (mut of, mut deferrability, mut initially) = (None, false, false);
    for (i, c) in list.iter().enumerate() {
        let what = match c.kind {
            Kind::Deferrable(true) => "DEFERRABLE",
            Kind::Deferrable(false) => "NOT DEFERRABLE",
            Kind::Initially { deferred: true } => "INITIALLY DEFERRED",
            Kind::Initially { deferred: false } => "INITIALLY IMMEDIATE",
            _ => {
                let takes = matches!(c.kind, Kind::Unique { .. } | Kind::PrimaryKey { .. } | Kind::References(_));
                (of, deferrability, initially) = (takes.then_some(i), false, false);
                continue;
            }
        };
        let wrong = |e: Error| Err(cx.place(e, c.at));
        let Some(a) = of.and_then(|of: usize| out.get_mut(of)) else {
            return wrong(err!(SYNTAX_ERROR, "misplaced {what} clause"));
        };
        match c.kind {
            Kind::Deferrable(said) => {
                if std::mem::replace(&mut deferrability, true) {
                    return wrong(err!(SYNTAX_ERROR, "multiple DEFERRABLE/NOT DEFERRABLE clauses not allowed"));
                }
                a.deferrable = said;
            }
            Kind::Initially { deferred } => {
                if std::mem::replace(&mut initially, true) {
                    return wrong(err!(SYNTAX_ERROR, "multiple INITIALLY IMMEDIATE/DEFERRED clauses not allowed"));
                }
                a.initially_deferred = deferred;
                a.deferrable |= deferred && !deferrability;
            }
            _ => {}
        }
        if a.initially_deferred && !a.deferrable {
            return wrong(err!(SYNTAX_ERROR, "constraint declared INITIALLY DEFERRED must be DEFERRABLE"));
        }
    }
    Ok(out)
}
/// 22023 for types that no sequence counts in.
pub fn may_be_identity(col: &Column) -> Result<()> {
    if !matches!(col.ty.oid, pamir_types::oid::INT2 | pamir_types::oid::INT4 | pamir_types::oid::INT8) {
        bail!(INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    }
    Ok(())
}
/// Makes a column an identity column (its sequence follows in [`finish`]).
pub fn set_identity(col: &mut Column, identity: Identity, options: sequence::Options, out: &mut Pending) -> Result<()> {
    may_be_identity(col)?;
    col.identity = Some(identity);
    col.not_null = true;
    out.sequences.push(SequenceSpec { attnum: col.attnum, identity: Some(identity), ty: col.ty, options });
    Ok(())
}

/// Makes the sequences (written at once: the table that owns them follows in the same transaction), binds defaults and generated columns.
pub fn finish(t: &mut Table, p: &mut Pending, cx: &mut DdlCtx) -> Result<()> {
    for s in std::mem::take(&mut p.sequences) {
        let column = t.column(s.attnum).map_or(String::new(), |c| c.name.clone());
        let (schema, name) = match s.options.name() {
            Some(n) => cx.creation_name(n)?,
            None => (
                t.schema,
                choose_name(&t.name, Some(&column), "seq", |n| n == t.name || cx.relation_exists(t.schema, n)),
            ),
        };
        let ty = sequence::option_type(&s.options, cx)?.unwrap_or(s.ty);
        let mut seq = sequence::make(cx, schema, &name, ty, &s.options, Some((t.oid, s.attnum)), s.identity.is_some())?;
        seq.owner = t.owner;
        if let Some(c) = column_mut(t, s.attnum) {
            c.sequence = Some(seq.oid);
            if s.identity.is_none() {
                c.default = Some(pamir_catalog::SqlText(DdlCtx::nextval_text(seq.oid)));
            }
        }
        cx.put(Object::Sequence(Arc::new(seq)))?;
    }
    for (attnum, e) in std::mem::take(&mut p.defaults) {
        set_default(t, attnum, e, cx)?;
    }
    let generated: Vec<i16> = p.generated.iter().map(|g| g.0).collect();
    for (attnum, e) in std::mem::take(&mut p.generated) {
        no_subquery(e, "column generation expression", cx)?;
        let Some(col) = t.column(attnum).cloned() else { continue };
        let place = Some("column generation expressions");
        let bound = bind_expr_in(e, Some(t), Some(col.ty), place, cx)?;
        if !is_immutable(&bound, e, Some(t), Some(col.ty), place, cx)? {
            bail!(INVALID_OBJECT_DEFINITION, "generation expression is not immutable");
        }
        if let Some(other) = used_columns(&bound)
            .into_iter()
            .filter_map(|a| t.column(a))
            .find(|c| c.generated.is_some() || generated.contains(&c.attnum))
        {
            return Err(err!(
                INVALID_OBJECT_DEFINITION,
                "cannot use generated column \"{}\" in column generation expression",
                other.name
            )
            .detail("A generated column cannot reference another generated column."));
        }
        let text = text_of(&bound, Some(t), cx);
        if let Some(c) = column_mut(t, attnum) {
            c.generated = Some(text);
        }
    }
    Ok(())
}
/// Binds and sets a column's DEFAULT; `DEFAULT NULL` is no default but of a domain, whose own one it hides.
pub fn set_default(t: &mut Table, attnum: i16, e: &Expr, cx: &mut DdlCtx) -> Result<()> {
    no_subquery(e, "DEFAULT expression", cx)?;
    let Some(col) = t.column(attnum) else { return Ok(()) };
    let (name, ty) = (col.name.clone(), col.ty);
    let null = Bound::Const(Datum::Null, ty.base());
    let default = if matches!(e.kind, ExprKind::Literal(Literal::Null)) {
        (t.declared.domain(attnum).is_some() || ty.typmod != -1).then(|| text_of(&null, None, cx))
    } else {
        // The length or precision is applied to each value, not to the expression.
        let bound = bind_expr_in(e, None, Some(ty.base()), Some("DEFAULT expressions"), cx)
            .map_err(|x| default_error(x, &name, ty, e, cx))?;
        // A literal takes the column's type, those of a row its fields'; anything else is kept as written, and the assignment's cast is added where it is used.
        match e.kind {
            // NULL is no default, but where the length or precision would be applied to it.
            _ if matches!(bound, Bound::Const(Datum::Null, _)) => (ty.typmod != -1).then(|| text_of(&null, None, cx)),
            ExprKind::Literal(Literal::String(_)) => {
                Some(quoted_number(&bound).unwrap_or_else(|| text_of(&bound, None, cx)))
            }
            ExprKind::Row { .. } => Some(text_of(&bare_row(bound), None, cx)),
            _ => {
                let bound = bind_expr(e, None, None, cx)?;
                let number = if is_cast_string(e) { quoted_number(&bound) } else { None };
                Some(number.unwrap_or_else(|| text_of(&bound, None, cx)))
            }
        }
    };
    if let Some(c) = column_mut(t, attnum) {
        c.default = default;
    }
    Ok(())
}
/// A string that is cast to a type, once.
fn is_cast_string(e: &Expr) -> bool {
    let string = |e: &Expr| matches!(e.kind, ExprKind::Literal(Literal::String(_)));
    matches!(&e.kind, ExprKind::Cast { arg, .. } if string(arg))
}
/// A number that was written as a string is shown as one, with its type (get_const_expr); None: as it is shown elsewhere.
fn quoted_number(e: &Bound) -> Option<SqlText> {
    let Bound::Const(d, ty) = e else { return None };
    if ty.typmod != -1 {
        return None;
    }
    let number = matches!(d, Datum::Int2(_) | Datum::Int8(_) | Datum::Float4(_) | Datum::Float8(_) | Datum::Numeric(_));
    if !number {
        return None;
    }
    let cx = pamir_types::text::TextCtx::default();
    let text = pamir_types::text::to_string(d, *ty, &cx);
    // What reads back as the same numeric by itself needs no quotes.
    let bare = matches!(d, Datum::Numeric(_)) && text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    (!bare).then(|| SqlText(format!("'{text}'::{}", pamir_types::text::type_named(ty.oid))))
}
/// The binder speaks of an expression; PostgreSQL says which one.
pub fn default_error(e: Error, name: &str, ty: Type, default: &Expr, cx: &DdlCtx) -> Error {
    if matches!(e.code(), state::UNDEFINED_COLUMN | state::UNDEFINED_TABLE)
        && let Some(at) = first_column(default)
    {
        return cx.place(err!(FEATURE_NOT_SUPPORTED, "cannot use column reference in DEFAULT expression"), at);
    }
    if e.code() != state::DATATYPE_MISMATCH || e.message().contains("but default expression") {
        return e;
    }
    let was = e.message().rsplit(" is of type ").next().unwrap_or("unknown");
    let was = was.split(" and cannot be converted").next().unwrap_or(was);
    let ty = pamir_types::text::type_display(ty);
    err!(DATATYPE_MISMATCH, "column \"{name}\" is of type {ty} but default expression is of type {was}")
        .hint("You will need to rewrite or cast the expression.")
}
pub fn column_mut(t: &mut Table, attnum: i16) -> Option<&mut Column> {
    t.columns.get_mut((attnum as usize).wrapping_sub(1))
}

/// Names that every table's rows have columns of.
pub(super) fn is_system(name: &str) -> bool {
    matches!(name, "tableoid" | "cmax" | "xmax" | "cmin" | "xmin" | "ctid")
}
