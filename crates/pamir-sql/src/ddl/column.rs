//! Column definitions of CREATE TABLE and ADD COLUMN: types, serial, identity, defaults, generated columns, and the constraints written beside them.
use super::constraint::{CheckSpec, FkSpec, KeySpec};
use super::cx::ident;
use super::eval::{bind_expr, bind_expr_in, no_subquery, text_of, used_columns, volatility};
use super::{DdlCtx, sequence};
use crate::catalog::{Column, Identity, Object, Table, choose_name};
use crate::func::Volatility;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use sqlparser::ast::{self, ColumnDef, ColumnOption, DataType};
use std::sync::Arc;

/// PostgreSQL's limit (MaxHeapAttributeNumber).
pub const MAX_COLUMNS: usize = 1600;

/// What column definitions ask for beyond the columns themselves; made real by [`finish`] once all columns are known.
#[derive(Default)]
pub struct Pending {
    pub keys: Vec<KeySpec>,
    pub checks: Vec<CheckSpec>,
    pub foreign_keys: Vec<FkSpec>,
    pub defaults: Vec<(i16, ast::Expr)>,
    pub generated: Vec<(i16, ast::Expr)>,
    pub sequences: Vec<SequenceSpec>,
}
pub struct SequenceSpec {
    pub attnum: i16,
    pub identity: Option<Identity>,
    pub ty: Type,
    pub options: sequence::Options,
}

/// The integer type behind `serial` and its variants.
fn serial_type(t: &DataType) -> Option<Type> {
    let DataType::Custom(name, args) = t else { return None };
    if !args.is_empty() || name.0.len() != 1 {
        return None;
    }
    match ident(name.0.first()?.as_ident()?).as_str() {
        "serial" | "serial4" => Some(Type::INT4),
        "bigserial" | "serial8" => Some(Type::INT8),
        "smallserial" | "serial2" => Some(Type::INT2),
        _ => None,
    }
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
            | oid::INTERNAL
            | oid::ANYELEMENT
            | oid::ANYNONARRAY
            | oid::ANYCOMPATIBLE
            | oid::ANYCOMPATIBLEARRAY
    );
    if pseudo {
        bail!(INVALID_TABLE_DEFINITION, "column \"{name}\" has pseudo-type {}", pamir_types::text::type_display(ty));
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
pub fn collation(name: &ast::ObjectName, ty: Type) -> Result<Oid> {
    let parts = crate::parser::name_parts(name)?;
    let Some(oid) = built_in(&parts).and_then(crate::vtable::types::collation_named) else {
        bail!(UNDEFINED_OBJECT, "collation \"{}\" for encoding \"UTF8\" does not exist", parts.join("."));
    };
    if crate::vtable::types::collation_of(ty.oid) == 0 {
        bail!(DATATYPE_MISMATCH, "collations are not supported by type {}", pamir_types::text::type_named(ty.oid));
    }
    Ok(oid)
}

/// Appends a column to `t`.
pub fn define(def: &ColumnDef, t: &mut Table, out: &mut Pending, cx: &mut DdlCtx) -> Result<()> {
    let name = ident(&def.name);
    check_name(&name)?;
    if t.column_by_name(&name).is_some() {
        bail!(DUPLICATE_COLUMN, "column \"{name}\" specified more than once");
    }
    if t.columns.len() >= MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "tables can have at most {MAX_COLUMNS} columns");
    }
    let attnum = t.columns.len() as i16 + 1;
    let serial = serial_type(&def.data_type);
    let ty = match serial {
        Some(ty) => ty,
        None => crate::bind::bind_type(&def.data_type, cx.catalog)?,
    };
    check_type(&name, ty)?;
    let mut col = blank(attnum, name.clone(), ty);
    let table = t.name.clone();
    if serial.is_some() {
        col.not_null = true;
        out.sequences.push(SequenceSpec { attnum, identity: None, ty, options: Default::default() });
    }
    let (mut said_null, mut said_not_null, mut has_default, mut generated) = (false, false, serial.is_some(), false);
    for o in &def.options {
        let con_name = o.name.as_ref().map(ident);
        match &o.option {
            ColumnOption::Null => said_null = true,
            ColumnOption::NotNull => said_not_null = true,
            ColumnOption::Default(e) => {
                if has_default {
                    bail!(SYNTAX_ERROR, "multiple default values specified for column \"{name}\" of table \"{table}\"");
                }
                has_default = true;
                out.defaults.push((attnum, e.clone()));
            }
            ColumnOption::PrimaryKey(k) => {
                let mut spec = KeySpec::new(con_name, true, vec![name.clone()]);
                spec.characteristics(k.characteristics.as_ref())?;
                out.keys.push(spec);
            }
            ColumnOption::Unique(k) => {
                let mut spec = KeySpec::new(con_name, false, vec![name.clone()]);
                spec.nulls_not_distinct = k.nulls_distinct == ast::NullsDistinctOption::NotDistinct;
                spec.characteristics(k.characteristics.as_ref())?;
                out.keys.push(spec);
            }
            ColumnOption::Check(c) => {
                out.checks.push(CheckSpec { name: con_name, expr: (*c.expr).clone(), not_valid: false })
            }
            ColumnOption::ForeignKey(f) => out.foreign_keys.push(FkSpec::from_ast(con_name, vec![name.clone()], f)?),
            ColumnOption::Collation(n) if let Some(what) = marked(n) => match what {
                Marked::Sequence(name) => {
                    if let Some(s) = out.sequences.last_mut().filter(|s| s.attnum == attnum) {
                        s.options.name = Some(name);
                    }
                }
                Marked::NullsNotDistinct => {
                    if let Some(k) = out.keys.last_mut() {
                        k.nulls_not_distinct = true;
                    }
                }
            },
            ColumnOption::Collation(n) => {
                let c = collation(n, ty)?;
                t.declared.set_collation(attnum, Some(c));
            }
            ColumnOption::Generated {
                generated_as, sequence_options, generation_expr, generation_expr_mode, ..
            } => match generation_expr {
                Some(e) => {
                    if matches!(generation_expr_mode, Some(ast::GeneratedExpressionMode::Virtual)) {
                        return Err(Error::unsupported("GENERATED ALWAYS AS ... VIRTUAL"));
                    }
                    if generated {
                        bail!(
                            SYNTAX_ERROR,
                            "multiple generation clauses specified for column \"{name}\" of table \"{table}\""
                        );
                    }
                    generated = true;
                    out.generated.push((attnum, e.clone()));
                }
                None => {
                    if col.identity.is_some() {
                        bail!(
                            SYNTAX_ERROR,
                            "multiple identity specifications for column \"{name}\" of table \"{table}\""
                        );
                    }
                    let options = sequence::Options::from_ast(sequence_options.as_deref().unwrap_or(&[]))?;
                    let identity = if matches!(generated_as, ast::GeneratedAs::Always) {
                        Identity::Always
                    } else {
                        Identity::ByDefault
                    };
                    set_identity(&mut col, identity, options, out)?;
                }
            },
            other => return Err(Error::unsupported(format!("column option {other}"))),
        }
    }
    if said_null && (said_not_null || serial.is_some() || col.identity.is_some()) {
        bail!(SYNTAX_ERROR, "conflicting NULL/NOT NULL declarations for column \"{name}\" of table \"{table}\"");
    }
    if has_default && col.identity.is_some() {
        bail!(SYNTAX_ERROR, "both default and identity specified for column \"{name}\" of table \"{table}\"");
    }
    if has_default && generated {
        bail!(
            SYNTAX_ERROR,
            "both default and generation expression specified for column \"{name}\" of table \"{table}\""
        );
    }
    if generated && col.identity.is_some() {
        bail!(
            SYNTAX_ERROR,
            "both identity and generation expression specified for column \"{name}\" of table \"{table}\""
        );
    }
    col.not_null |= said_not_null;
    t.columns.push(col);
    Ok(())
}
/// What the parser hid in a column's collation.
enum Marked {
    Sequence(ast::ObjectName),
    NullsNotDistinct,
}
fn marked(n: &ast::ObjectName) -> Option<Marked> {
    use crate::parser::definitions::{NULLS_NOT_DISTINCT, SEQUENCE_NAME};
    let (first, rest) = n.0.split_first()?;
    match first.as_ident()?.value.as_str() {
        SEQUENCE_NAME => Some(Marked::Sequence(ast::ObjectName(rest.to_vec()))),
        NULLS_NOT_DISTINCT => Some(Marked::NullsNotDistinct),
        _ => None,
    }
}
/// Makes a column an identity column (its sequence follows in [`finish`]).
pub fn set_identity(col: &mut Column, identity: Identity, options: sequence::Options, out: &mut Pending) -> Result<()> {
    if !matches!(col.ty.oid, pamir_types::oid::INT2 | pamir_types::oid::INT4 | pamir_types::oid::INT8) {
        bail!(INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    }
    col.identity = Some(identity);
    col.not_null = true;
    out.sequences.push(SequenceSpec { attnum: col.attnum, identity: Some(identity), ty: col.ty, options });
    Ok(())
}

/// Makes the sequences (written at once: the table that owns them follows in the same transaction), binds defaults and generated columns.
pub fn finish(t: &mut Table, p: &mut Pending, cx: &mut DdlCtx) -> Result<()> {
    for s in std::mem::take(&mut p.sequences) {
        let column = t.column(s.attnum).map_or(String::new(), |c| c.name.clone());
        let (schema, name) = match &s.options.name {
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
                c.default = Some(crate::catalog::SqlText(DdlCtx::nextval_text(seq.oid)));
            }
        }
        cx.put(Object::Sequence(Arc::new(seq)))?;
    }
    for (attnum, e) in std::mem::take(&mut p.defaults) {
        set_default(t, attnum, &e, cx)?;
    }
    for (attnum, e) in std::mem::take(&mut p.generated) {
        no_subquery(&e, "column generation expression")?;
        let Some(col) = t.column(attnum).cloned() else { continue };
        let bound = bind_expr_in(&e, Some(t), Some(col.ty), Some("column generation expressions"), cx)?;
        if volatility(&bound) != Volatility::Immutable {
            bail!(INVALID_OBJECT_DEFINITION, "generation expression is not immutable");
        }
        if let Some(other) = used_columns(&bound)
            .into_iter()
            .filter_map(|a| t.column(a))
            .find(|c| c.generated.is_some() || c.attnum == attnum)
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
/// Binds and sets a column's DEFAULT; `DEFAULT NULL` is no default.
pub fn set_default(t: &mut Table, attnum: i16, e: &ast::Expr, cx: &mut DdlCtx) -> Result<()> {
    no_subquery(e, "DEFAULT expression")?;
    let Some(col) = t.column(attnum) else { return Ok(()) };
    let (name, ty) = (col.name.clone(), col.ty);
    let default = if matches!(e, ast::Expr::Value(v) if matches!(v.value, ast::Value::Null)) {
        None
    } else {
        // The length or precision is applied to each value, not to the expression.
        let bound = bind_expr_in(e, None, Some(ty.base()), Some("DEFAULT expressions"), cx).map_err(|e| {
            if matches!(e.code().as_str(), "42703" | "42P01") && e.data().position.is_some() {
                let p = e.data().position;
                return err!(FEATURE_NOT_SUPPORTED, "cannot use column reference in DEFAULT expression").at(p);
            }
            // The binder speaks of an expression; PostgreSQL says which one.
            if e.code() == pamir_types::error::state::DATATYPE_MISMATCH
                && !e.message().contains("but default expression")
            {
                let was = e.message().rsplit(" is of type ").next().unwrap_or("unknown").to_string();
                let mut new = err!(
                    DATATYPE_MISMATCH,
                    "column \"{name}\" is of type {} but default expression is of type {was}",
                    pamir_types::text::type_display(ty)
                );
                new.data_mut().hint = e.data().hint.clone();
                new
            } else {
                e
            }
        })?;
        // A literal takes the column's type; anything else is kept as written, and the assignment's cast is added where it is used.
        let literal = matches!(e, ast::Expr::Value(v) if matches!(v.value, ast::Value::SingleQuotedString(_) | ast::Value::EscapedStringLiteral(_) | ast::Value::DollarQuotedString(_)));
        let shown = if literal { bound } else { bind_expr(e, None, None, cx)? };
        Some(text_of(&shown, None, cx))
    };
    if let Some(c) = column_mut(t, attnum) {
        c.default = default;
    }
    Ok(())
}
pub fn column_mut(t: &mut Table, attnum: i16) -> Option<&mut Column> {
    t.columns.get_mut((attnum as usize).wrapping_sub(1))
}

/// Names that every table's rows have columns of.
pub(super) fn is_system(name: &str) -> bool {
    matches!(name, "tableoid" | "cmax" | "xmax" | "cmin" | "xmin" | "ctid")
}
