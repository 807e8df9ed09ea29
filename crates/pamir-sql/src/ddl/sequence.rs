//! CREATE, ALTER, DROP SEQUENCE, and the sequences behind serial and identity columns.
//!
//! A sequence's definition is a catalog row and transactional; its state lives in the shard under `Sequence::storage` and is not. RESTART therefore
//! gives it a new storage number, so that it too takes effect at commit and is undone by ROLLBACK (PostgreSQL does the same with a new file).
use super::cx::{Name, OID_SPACE};
use super::{DdlCtx, alter};
use pamir_catalog::{Object, Relation, Sequence, Table};
use pamir_parse::tree::{self, DefValue, Persistence, SequenceOption, TypeName};
use pamir_txn::PRIVATE;
use pamir_txn::shard::SequenceDef;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use std::num::{IntErrorKind, ParseIntError};
use std::sync::Arc;

/// Options as written. Inner None: NO MINVALUE, OWNED BY NONE, RESTART without a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub ty: Option<TypeName>,
    pub increment: Option<i64>,
    pub min: Option<Option<i64>>,
    pub max: Option<Option<i64>>,
    pub start: Option<i64>,
    pub restart: Option<Option<i64>>,
    pub cache: Option<i64>,
    pub cycle: Option<bool>,
    pub owned_by: Option<Option<Vec<String>>>,
    /// SEQUENCE NAME of an identity column (pg_dump writes it).
    pub name: Option<Vec<String>>,
}
impl Options {
    pub fn name(&self) -> Option<&[String]> {
        self.name.as_deref()
    }
}

/// The options of a statement, none of them twice.
pub fn options(list: &[SequenceOption]) -> Result<Options> {
    use SequenceOption as S;
    fn once<T>(slot: &mut Option<T>, value: T) -> Result<()> {
        if slot.replace(value).is_some() {
            bail!(SYNTAX_ERROR, "conflicting or redundant options");
        }
        Ok(())
    }
    let mut o = Options::default();
    for x in list {
        match x {
            S::As(t) => once(&mut o.ty, t.clone())?,
            S::Increment(v) => once(&mut o.increment, number(v)?)?,
            S::MinValue(v) => once(&mut o.min, v.as_ref().map(number).transpose()?)?,
            S::MaxValue(v) => once(&mut o.max, v.as_ref().map(number).transpose()?)?,
            S::Start(v) => once(&mut o.start, number(v)?)?,
            S::Restart(v) => once(&mut o.restart, v.as_ref().map(number).transpose()?)?,
            S::Cache(v) => once(&mut o.cache, number(v)?)?,
            S::Cycle(on) => once(&mut o.cycle, *on)?,
            S::OwnedBy(n) => {
                let none = matches!(n.parts.as_slice(), [one] if one == "none");
                once(&mut o.owned_by, (!none).then(|| n.parts.clone()))?
            }
            S::Name(n) => once(&mut o.name, n.parts.clone())?,
            // The column's, not the sequence's; and where a sequence is kept makes no difference.
            S::Generated { .. } | S::Logged(_) => {}
        }
    }
    Ok(o)
}
/// A number as int8in reads it.
fn number(v: &DefValue) -> Result<i64> {
    let s = match v {
        DefValue::Integer(n) => return Ok(i64::from(*n)),
        DefValue::Float(s) => s,
        _ => return Err(Error::internal("a sequence's option is no number")),
    };
    s.parse().map_err(|e: ParseIntError| match e.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
            err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{s}\" is out of range for type bigint")
        }
        _ => err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type bigint: \"{s}\""),
    })
}
/// SEQUENCE NAME is for identity columns only.
fn unnamed(o: &Options) -> Result<()> {
    if o.name.is_some() {
        bail!(SYNTAX_ERROR, "invalid sequence option SEQUENCE NAME");
    }
    Ok(())
}

fn bounds(ty: Type) -> Result<(i64, i64)> {
    Ok(match ty.oid {
        oid::INT2 => (i16::MIN as i64, i16::MAX as i64),
        oid::INT4 => (i32::MIN as i64, i32::MAX as i64),
        oid::INT8 => (i64::MIN, i64::MAX),
        _ => bail!(INVALID_PARAMETER_VALUE, "sequence type must be smallint, integer, or bigint"),
    })
}
/// Applies options to a definition (`old` None: a new sequence) and checks the result, as PostgreSQL's init_params.
pub fn define(o: &Options, ty: Type, old: Option<(&SequenceDef, i64, Type)>) -> Result<(SequenceDef, i64)> {
    let type_name = pamir_types::text::type_display(ty);
    let (low, high) = bounds(ty)?;
    let increment = o.increment.or(old.map(|d| d.0.increment)).unwrap_or(1);
    if increment == 0 {
        bail!(INVALID_PARAMETER_VALUE, "INCREMENT must not be zero");
    }
    let up = increment > 0;
    // A bound that was the old type's default moves with the type.
    let (reset_min, reset_max) = match old {
        Some((d, _, t)) if t != ty => {
            let (old_low, old_high) = bounds(t)?;
            (d.min == old_low, d.max == old_high)
        }
        _ => (false, false),
    };
    let default_max = if up || reset_max { high } else { -1 };
    let default_min = if up && !reset_min { 1 } else { low };
    let max = match (o.max, old) {
        (Some(Some(v)), _) => v,
        (None, Some((d, ..))) if !reset_max => d.max,
        _ => default_max,
    };
    let min = match (o.min, old) {
        (Some(Some(v)), _) => v,
        (None, Some((d, ..))) if !reset_min => d.min,
        _ => default_min,
    };
    if max < low || max > high {
        bail!(INVALID_PARAMETER_VALUE, "MAXVALUE ({max}) is out of range for sequence data type {type_name}");
    }
    if min < low || min > high {
        bail!(INVALID_PARAMETER_VALUE, "MINVALUE ({min}) is out of range for sequence data type {type_name}");
    }
    if min >= max {
        bail!(INVALID_PARAMETER_VALUE, "MINVALUE ({min}) must be less than MAXVALUE ({max})");
    }
    let start = o.start.or(old.map(|d| d.0.start)).unwrap_or(if up { min } else { max });
    let outside = |what: &str, v: i64| {
        if v < min {
            Err(err!(INVALID_PARAMETER_VALUE, "{what} value ({v}) cannot be less than MINVALUE ({min})"))
        } else if v > max {
            Err(err!(INVALID_PARAMETER_VALUE, "{what} value ({v}) cannot be greater than MAXVALUE ({max})"))
        } else {
            Ok(())
        }
    };
    outside("START", start)?;
    if let Some(Some(v)) = o.restart {
        outside("RESTART", v)?;
    }
    let cache = o.cache.or(old.map(|d| d.1)).unwrap_or(1);
    if cache <= 0 {
        bail!(INVALID_PARAMETER_VALUE, "CACHE ({cache}) must be greater than zero");
    }
    let cycle = o.cycle.or(old.map(|d| d.0.cycle)).unwrap_or(false);
    Ok((SequenceDef { start, increment, min, max, cycle }, cache))
}

pub fn option_type(o: &Options, cx: &DdlCtx) -> Result<Option<Type>> {
    let bound =
        |t: &TypeName| pamir_plan::bind::bind_type(t, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, t.at));
    o.ty.as_ref().map(bound).transpose()
}

/// A new sequence's descriptor; the caller puts it.
pub fn make(
    cx: &mut DdlCtx,
    schema: Oid,
    name: &str,
    ty: Type,
    o: &Options,
    owned_by: Option<(Oid, i16)>,
    identity: bool,
) -> Result<Sequence> {
    let (def, cache) = define(o, ty, None)?;
    let (oid, owner) = (cx.new_oid_in(schema)?, cx.user()?.oid);
    let storage = DdlCtx::storage(schema, u64::from(oid));
    // A session's own number may have been another's before.
    if let Some(v) = o.restart.unwrap_or_default().or((storage >= PRIVATE).then_some(def.start)) {
        cx.engine.seq_set(storage, v, false)?;
    }
    Ok(Sequence {
        oid,
        database: cx.database(),
        schema,
        name: name.into(),
        owner,
        ty,
        def,
        cache,
        owned_by,
        identity,
        comment: None,
        storage,
    })
}

pub fn create(
    name: &tree::Relation,
    persistence: Persistence,
    if_not_exists: bool,
    options: &[SequenceOption],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    const TAG: &str = "CREATE SEQUENCE";
    let o = self::options(options)?;
    unnamed(&o)?;
    let (schema, name) = cx.creation_name_of(&name.parts, persistence)?;
    let n = Name::relation(schema, &name);
    if cx.name_taken(&n)? {
        if if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok(TAG);
        }
        return Err(n.taken());
    }
    let ty = option_type(&o, cx)?.unwrap_or(Type::INT8);
    let seq = make(cx, schema, &name, ty, &o, None, false)?;
    let owned_by = match &o.owned_by {
        Some(Some(c)) => Some(owner_column(c, seq.schema, seq.owner, cx)?),
        _ => None,
    };
    cx.put(Object::Sequence(Arc::new(Sequence { owned_by, ..seq })))?;
    Ok(TAG)
}

/// The table and column of OWNED BY.
fn owner_column(name: &[String], schema: Oid, owner: Oid, cx: &mut DdlCtx) -> Result<(Oid, i16)> {
    let (column, table) = match name.split_last() {
        Some((c, t)) if !t.is_empty() => (c, t),
        _ => {
            return Err(
                err!(SYNTAX_ERROR, "invalid OWNED BY option").hint("Specify OWNED BY table.column or OWNED BY NONE.")
            );
        }
    };
    let (s, name) = cx.split(table)?;
    let t = match cx.catalog.resolve_relation(cx.env.scope(), s.as_deref(), &name)? {
        Relation::Table(t) => t,
        _ => bail!(WRONG_OBJECT_TYPE, "sequence cannot be owned by relation \"{name}\""),
    };
    if t.owner != owner {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "sequence must have same owner as table it is linked to");
    }
    if t.schema != schema {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "sequence must be in same schema as table it is linked to");
    }
    match t.column_by_name(column) {
        Some(c) => Ok((t.oid, c.attnum)),
        None => bail!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{name}\" does not exist"),
    }
}

/// Finds a sequence by name. None after `IF EXISTS` said its notice.
pub fn find(name: &[String], if_exists: bool, cx: &mut DdlCtx) -> Result<Option<Arc<Sequence>>> {
    let (schema, n) = cx.split(name)?;
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n) {
        Ok(Relation::Sequence(s)) => {
            cx.check_owner(s.owner, "sequence", &s.name)?;
            Ok(Some(cx.lock_sequence(s.oid)?))
        }
        Ok(_) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a sequence"),
        Err(e) if if_exists => {
            cx.notice_exists(&e);
            Ok(None)
        }
        Err(e) => Err(e),
    }
}
/// ALTER SEQUENCE with options.
pub fn alter(
    name: &tree::Relation,
    if_exists: bool,
    options: &[SequenceOption],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    const TAG: &str = "ALTER SEQUENCE";
    let o = self::options(options)?;
    unnamed(&o)?;
    let Some(s) = find(&name.parts, if_exists, cx)? else { return Ok(TAG) };
    if let Some(owner) = &o.owned_by {
        if s.identity {
            return Err(linked(&s, err!(FEATURE_NOT_SUPPORTED, "cannot change ownership of identity sequence"), cx));
        }
        let owned_by = owner.as_ref().map(|c| owner_column(c, s.schema, s.owner, cx)).transpose()?;
        let changed = Sequence { owned_by, ..(*s).clone() };
        cx.put(Object::Sequence(Arc::new(changed)))?;
    }
    if let Some(s) = cx.catalog.sequence(s.oid).cloned() {
        change(&s, &o, cx)?;
    }
    Ok(TAG)
}
/// Says of `e` which table the sequence belongs to.
fn linked(s: &Sequence, e: Error, cx: &DdlCtx) -> Error {
    let t = s.owned_by.map_or(String::new(), |(t, _)| cx.shown(t));
    e.detail(format!("Sequence \"{}\" is linked to table \"{t}\".", s.name))
}
/// ALTER SEQUENCE ... OWNER TO. An owned sequence has its table's owner, who may be named.
pub fn set_owner(name: &[String], owner: Oid, cx: &mut DdlCtx) -> Result<()> {
    let Some(s) = find(name, false, cx)? else { return Ok(()) };
    if s.owned_by.is_some() && owner != s.owner {
        let e = err!(FEATURE_NOT_SUPPORTED, "cannot change owner of sequence \"{}\"", s.name);
        return Err(linked(&s, e, cx));
    }
    cx.check_new_owner(owner, Some(s.schema))?;
    cx.put(Object::Sequence(Arc::new(Sequence { owner, ..(*s).clone() })))
}
/// ALTER SEQUENCE ... SET SCHEMA. An owned sequence stays where its table is.
pub fn set_schema(name: &[String], if_exists: bool, schema: &str, cx: &mut DdlCtx) -> Result<()> {
    let Some(s) = find(name, if_exists, cx)? else { return Ok(()) };
    if s.owned_by.is_some() {
        let e = err!(FEATURE_NOT_SUPPORTED, "cannot move an owned sequence into another schema");
        return Err(linked(&s, e, cx));
    }
    let Some(to) = cx.catalog.schema_of_relations(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    alter::check_move(s.schema, to)?;
    cx.use_schema(to, &s.name)?;
    if to == s.schema {
        return Ok(());
    }
    super::types::check_move(&Name::relation(to, &s.name), schema, cx)?;
    cx.put(Object::Sequence(Arc::new(Sequence { schema: to, ..(*s).clone() })))
}
/// Applies options (all but ownership) to a locked sequence.
pub fn change(s: &Sequence, o: &Options, cx: &mut DdlCtx) -> Result<()> {
    let ty = option_type(o, cx)?.unwrap_or(s.ty);
    let (def, cache) = define(o, ty, Some((&s.def, s.cache, s.ty)))?;
    let mut new = Sequence { def, cache, ty, ..s.clone() };
    match o.restart {
        Some(value) => restart(&mut new, value, cx)?,
        None => {
            if let Some((last, _)) = cx.engine.seq_read(s.storage)? {
                if last < new.def.min {
                    bail!(
                        INVALID_PARAMETER_VALUE,
                        "RESTART value ({last}) cannot be less than MINVALUE ({})",
                        new.def.min
                    );
                }
                if last > new.def.max {
                    bail!(
                        INVALID_PARAMETER_VALUE,
                        "RESTART value ({last}) cannot be greater than MAXVALUE ({})",
                        new.def.max
                    );
                }
            } else if new.def.start != s.def.start {
                // Never used: the next value stays what it was.
                cx.engine.seq_set(new.storage, s.def.start.clamp(new.def.min, new.def.max), false)?;
            }
        }
    }
    cx.put(Object::Sequence(Arc::new(new)))
}
/// A new state that starts at `value` (None: at the definition's start), in effect from commit on.
pub fn restart(s: &mut Sequence, value: Option<i64>, cx: &mut DdlCtx) -> Result<()> {
    s.storage = match s.is_temporary() {
        true => DdlCtx::storage(s.schema, u64::from(cx.new_oid_in(s.schema)?)),
        false => u64::from(pamir_types::oid::FIRST_USER).saturating_add(cx.engine.next_id(OID_SPACE)?),
    };
    if let Some(v) = value.or(s.is_temporary().then_some(s.def.start)) {
        cx.engine.seq_set(s.storage, v, false)?;
    }
    Ok(())
}
/// Sequences owned by a table (or one of its columns).
pub fn owned(cx: &DdlCtx, table: &Table, column: Option<i16>) -> Vec<Arc<Sequence>> {
    cx.catalog
        .sequences(table.database)
        .into_iter()
        .filter(|s| s.owned_by.is_some_and(|(t, a)| t == table.oid && column.is_none_or(|c| c == a)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_parse::tree::{Create, Statement};

    fn of(sql: &str) -> Result<Options> {
        match pamir_plan::parser::parse(sql)?.statements.pop().map(|p| p.stmt) {
            Some(Statement::Create(c)) => match *c {
                Create::Sequence { options, .. } => self::options(&options),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
    #[test]
    fn options_in_any_order() {
        let o = of("CREATE SEQUENCE public.s AS integer START WITH 5 INCREMENT BY -2 NO MINVALUE MAXVALUE 7 CACHE 3 NO CYCLE OWNED BY t.a").unwrap();
        assert_eq!((o.start, o.increment, o.min, o.max), (Some(5), Some(-2), Some(None), Some(Some(7))));
        assert_eq!((o.cache, o.cycle, o.restart), (Some(3), Some(false), None));
        assert_eq!(o.owned_by, Some(Some(vec!["t".into(), "a".into()])));
        assert!(o.ty.is_some());
        let o = of("CREATE SEQUENCE s OWNED BY NONE RESTART MAXVALUE 9223372036854775807").unwrap();
        assert_eq!((o.owned_by, o.restart, o.max), (Some(None), Some(None), Some(Some(i64::MAX))));
    }
    #[test]
    fn numbers_and_repetitions_are_refused() {
        let says = |sql: &str| of(sql).unwrap_err().message().to_string();
        assert_eq!(says("CREATE SEQUENCE s CACHE 1 CACHE 2"), "conflicting or redundant options");
        assert_eq!(says("CREATE SEQUENCE s MINVALUE 1 NO MINVALUE"), "conflicting or redundant options");
        assert_eq!(says("CREATE SEQUENCE s START 1.5"), "invalid input syntax for type bigint: \"1.5\"");
        assert_eq!(
            says("CREATE SEQUENCE s START 9223372036854775808"),
            "value \"9223372036854775808\" is out of range for type bigint"
        );
        assert!(of("CREATE SEQUENCE s START x").is_err());
    }
}
