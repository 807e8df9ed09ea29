//! CREATE TYPE AS RANGE (typecmds.c, DefineRange): a range type and its multirange type, which come and go together.
//!
//! The range's OID says what it is over ([`pamir_types::oid::user_range`]), so values need no catalog. Their constructors are the server's own, called
//! by the types' names (pamir-plan, `range_constructor`).
//!
//! Limits (0A000): subtypes that users made, canonical functions, operator classes other than the default ones, collations that order otherwise than "C"
//! (pg_range shows the subtype's own).
use super::types::{check_free, find, new_name, put_new};
use super::{DdlCtx, column, def};
use pamir_catalog::Kind;
use pamir_catalog::system::types::collation_of;
use pamir_catalog::types::{Body, RangeType};
use pamir_parse::tree::{DefElem, DefValue, QualifiedName};
use pamir_txn::RowLock;
use pamir_types::text::{MAX_NAME, cut, type_named};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};

/// Serial numbers of range types over one subtype.
const SERIALS: Oid = 4096;

pub fn create(name: &QualifiedName, options: &[DefElem], cx: &mut DdlCtx) -> Result<()> {
    let (schema, name) = new_name(name, cx)?;
    let (mut subtype, mut diff, mut multirange, mut collation) = (None, None, None, None);
    for (n, d) in options.iter().enumerate() {
        match d.name.as_str() {
            "subtype" => subtype = Some(type_of(d, cx)?),
            "subtype_diff" => diff = Some(parts(d)?),
            "multirange_type_name" => multirange = Some(parts(d)?),
            "canonical" => {
                return Err(err!(
                    INVALID_OBJECT_DEFINITION,
                    "cannot specify a canonical function without a pre-created shell type"
                )
                .hint("Create the type as a shell type, then create its canonicalization function, then do a full CREATE TYPE."));
            }
            "collation" => collation = Some(parts(d)?),
            "subtype_opclass" => {
                return Err(Error::unsupported(format!("option {} of range types", d.name)));
            }
            other => bail!(SYNTAX_ERROR, "type attribute \"{other}\" not recognized"),
        }
        def::once(options, n, cx)?;
    }
    let Some(subtype) = subtype else { bail!(SYNTAX_ERROR, "type attribute \"subtype\" is required") };
    check_subtype(subtype)?;
    if let Some(name) = &collation {
        check_collation(name, subtype)?;
    }
    let subtype_diff = match diff {
        Some(parts) => difference(&parts, subtype, cx)?,
        None => 0,
    };
    let (own_schema, multi) = match &multirange {
        Some(parts) => cx.creation_name(parts)?,
        None => (schema, multirange_name(&name)),
    };
    if check_free(own_schema, &multi, cx).is_err() || multi == name {
        let e = err!(DUPLICATE_OBJECT, "type \"{multi}\" already exists");
        return Err(match multirange {
            Some(_) => e,
            None => e
                .detail(format!("Failed while creating a multirange type for type \"{name}\"."))
                .hint("You can manually specify a multirange type name using the \"multirange_type_name\" attribute."),
        });
    }
    let range = free_oid(subtype, cx)?;
    let multirange = oid::multirange_of(range).unwrap_or(0);
    put_new(range, schema, name, Body::Range(RangeType { subtype_diff }), cx)?;
    put_new(multirange, own_schema, multi, Body::Multirange, cx)
}
/// makeMultirangeTypeName
fn multirange_name(range: &str) -> String {
    match range.find("range") {
        Some(at) => cut(&format!("{}multi{}", &range[..at], &range[at..]), MAX_NAME).to_string(),
        None => {
            const BEHIND: &str = "_multirange";
            format!("{}{BEHIND}", cut(range, MAX_NAME - BEHIND.len()))
        }
    }
}
fn parts(d: &DefElem) -> Result<Vec<String>> {
    Ok(match &d.value {
        Some(DefValue::Type(t)) => t.parts.clone(),
        _ => vec![def::string(d)?],
    })
}
fn type_of(d: &DefElem, cx: &DdlCtx) -> Result<Oid> {
    match &d.value {
        Some(DefValue::Type(t)) => pamir_plan::bind::bind_type(t, cx.catalog, cx.env.scope()).map(|t| t.oid),
        _ => find(&[def::string(d)?], cx),
    }
}
fn check_subtype(subtype: Oid) -> Result<()> {
    let named = type_named(subtype);
    if pamir_expr::casts::category(subtype).0 == 'P' {
        bail!(DATATYPE_MISMATCH, "range subtype cannot be {named}");
    }
    if pamir_expr::func::less_than(subtype).is_none() {
        return Err(err!(
            UNDEFINED_OBJECT,
            "data type {named} has no default operator class for access method \"btree\""
        )
        .hint(
            "You must specify an operator class for the range type or define a default operator class for the subtype.",
        ));
    }
    if oid::is_user(subtype) {
        return Err(Error::unsupported(format!("a range type over {named}")));
    }
    Ok(())
}
/// The server's own order is that of "C": such a collation changes nothing, and is not kept.
fn check_collation(name: &[String], subtype: Oid) -> Result<()> {
    if collation_of(subtype) == 0 {
        bail!(WRONG_OBJECT_TYPE, "range collation specified but subtype does not support collation");
    }
    column::collation(name, Type::new(subtype))?;
    match column::built_in(name) {
        Some("C" | "POSIX" | "default") => Ok(()),
        _ => Err(Error::unsupported("option collation of range types")),
    }
}
/// The function of subtype_diff: of two values of the subtype, float8, immutable.
fn difference(parts: &[String], subtype: Oid, cx: &DdlCtx) -> Result<Oid> {
    use pamir_expr::func::{self, Volatility};
    let shown = parts.join(".");
    let (schema, name) = cx.split(parts)?;
    let found = func::lookup::find::<func::Function>(cx.catalog, cx.env.scope(), schema.as_deref(), &name);
    let Some(f) = found.iter().find(|f| *f.args == [subtype, subtype]) else {
        bail!(UNDEFINED_FUNCTION, "function {shown}({0}, {0}) does not exist", type_named(subtype))
    };
    if f.ret != oid::FLOAT8 {
        bail!(
            INVALID_OBJECT_DEFINITION,
            "range subtype diff function {shown}({0}, {0}) must return type double precision",
            type_named(subtype)
        );
    }
    if f.volatility != Volatility::Immutable {
        bail!(
            INVALID_OBJECT_DEFINITION,
            "range subtype diff function {shown}({0}, {0}) must be immutable",
            type_named(subtype)
        );
    }
    Ok(f.oid)
}
/// An OID that no range over the subtype has, its row locked so that nobody else takes it.
fn free_oid(subtype: Oid, cx: &mut DdlCtx) -> Result<Oid> {
    let out = || err!(PROGRAM_LIMIT_EXCEEDED, "out of range types over {}", type_named(subtype));
    let start = cx.new_oid()?;
    for n in 0..SERIALS {
        let range = oid::user_range(start.wrapping_add(n) % SERIALS, subtype).ok_or_else(out)?;
        if cx.catalog.user_type(range).is_none() && cx.lock_object(Kind::Type, range, RowLock::Update)?.is_none() {
            return Ok(range);
        }
    }
    Err(out())
}
