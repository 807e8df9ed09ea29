//! Set-returning functions that push their rows: as many as an argument is long. Those without an end are in [`super::series`].
use super::registry::{bad_args, funcs};
use super::*;
use pamir_catalog::acl::{self, Who};
use pamir_types::bail;
use pamir_types::oid;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

/// unnest of several arrays in FROM: side by side, the shorter ones filled up with NULLs.
pub const UNNEST_MANY: &str = "pamir_unnest";
/// `SELECT ... FROM a_sequence`: last_value, log_cnt, is_called.
pub const SEQUENCE_STATE: &str = "pamir_sequence_state";
/// A transition table in FROM, by its name.
pub const TRANSITION_ROWS: &str = "pamir_transition_rows";
pub static OWN: &[registry::OwnRow] = &[
    registry::OwnRow {
        oid: registry::OWN_OIDS + 290,
        name: TRANSITION_ROWS,
        args: &[pamir_types::oid::TEXT],
        ret: pamir_types::oid::RECORD,
        flags: registry::VOLATILE | registry::STRICT | registry::SET,
        body: Body::set(transition_rows),
    },
    registry::OwnRow {
        oid: registry::OWN_OIDS + 61,
        name: UNNEST_MANY,
        args: &[pamir_types::oid::ANY],
        ret: pamir_types::oid::RECORD,
        flags: registry::VARIADIC | registry::SET,
        body: Body::set(unnest_many),
    },
    registry::OwnRow {
        oid: registry::OWN_OIDS + 63,
        name: SEQUENCE_STATE,
        args: &[pamir_types::oid::OID],
        ret: pamir_types::oid::RECORD,
        flags: registry::VOLATILE | registry::STRICT | registry::SET,
        body: Body::set(sequence_state),
    },
    // information_schema._pg_expandarray, by the array's type.
    expand_row(64, &[oid::INT2VECTOR]),
    expand_row(65, &[oid::OIDVECTOR]),
    expand_row(66, &[1005]),
    expand_row(67, &[1007]),
    expand_row(68, &[1016]),
    expand_row(69, &[1028]),
    expand_row(70, &[1009]),
    expand_row(71, &[1003]),
];
const fn expand_row(n: Oid, args: &'static [Oid]) -> registry::OwnRow {
    registry::OwnRow {
        oid: registry::OWN_OIDS + n,
        name: "_pg_expandarray",
        args,
        ret: oid::RECORD,
        flags: registry::STRICT | registry::SET,
        body: Body::set(expand_array),
    }
}
/// OUT columns of Pamir's own functions.
pub fn own_columns(function: Oid) -> &'static [(&'static str, Oid)] {
    match function.wrapping_sub(registry::OWN_OIDS) {
        64 => &[("x", oid::INT2), ("n", oid::INT4)],
        65 => &[("x", oid::OID), ("n", oid::INT4)],
        66 => &[("x", oid::INT2), ("n", oid::INT4)],
        67 => &[("x", oid::INT4), ("n", oid::INT4)],
        68 => &[("x", oid::INT8), ("n", oid::INT4)],
        69 => &[("x", oid::OID), ("n", oid::INT4)],
        70 => &[("x", oid::TEXT), ("n", oid::INT4)],
        71 => &[("x", oid::NAME), ("n", oid::INT4)],
        super::privilege::ACLEXPLODE => {
            &[("grantor", oid::OID), ("grantee", oid::OID), ("privilege_type", oid::TEXT), ("is_grantable", oid::BOOL)]
        }
        _ => &[],
    }
}
/// An array's elements with their places, counted from 1.
fn expand_array(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Array(a)] = args else { return Err(bad_args("_pg_expandarray", args)) };
    for (n, d) in (1..).zip(&a.items) {
        push(vec![d.clone(), Datum::Int4(n)])?;
    }
    Ok(())
}
fn sequence_state(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Oid(o)] = args else { return Err(bad_args(SEQUENCE_STATE, args)) };
    let Some((storage, start)) = env.catalog().sequence(*o).map(|s| (s.storage, s.def.start)) else {
        bail!(UNDEFINED_TABLE, "could not open relation with OID {o}")
    };
    let (c, who) = (env.catalog(), Who::of(env.catalog(), env.scope()));
    if env.scope().user != 0
        && let Some(s) = c.sequence(*o)
        && who.on_sequence(c, s, acl::SELECT) == 0
    {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for sequence {}", s.name);
    }
    // Never used: it stands before its first value.
    let (last, called) = env.engine()?.seq_read(storage)?.unwrap_or((start, false));
    push(vec![Datum::Int8(last), Datum::Int8(0), Datum::Bool(called)])
}
fn transition_rows(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Text(name)] = args else { return Err(bad_args(TRANSITION_ROWS, args)) };
    let Some((table, changed, new)) = env.spi()?.transition_table(name) else {
        bail!(UNDEFINED_TABLE, "relation \"{name}\" does not exist")
    };
    let live: Vec<usize> = table.live_columns().map(|c| (c.attnum - 1) as usize).collect();
    for row in if new { &changed.new } else { &changed.old } {
        pamir_types::work::charge(pamir_types::work::ROW as usize)?;
        push(live.iter().map(|c| row.get(*c).cloned().unwrap_or(Datum::Null)).collect())?;
    }
    Ok(())
}
fn unnest_many(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    let items = |d: &Datum| match d {
        Datum::Array(a) => a.items.len(),
        _ => 0,
    };
    for i in 0..args.iter().map(items).max().unwrap_or(0) {
        let row = args.iter().map(|d| match d {
            Datum::Array(a) => a.items.get(i).cloned().unwrap_or(Datum::Null),
            _ => Datum::Null,
        });
        push(row.collect())?;
    }
    Ok(())
}
/// PostgreSQL's key words: word, category, bare label?, and both in words.
fn keywords(_: &CallInfo, _: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    for line in include_str!("keywords.tsv").lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let [word, category, bare, described, bare_described] = f.as_slice() else { continue };
        let category = category.bytes().next().unwrap_or(b' ');
        push(vec![
            (*word).into(),
            Datum::Char(category),
            Datum::Bool(*bare == "t"),
            (*described).into(),
            (*bare_described).into(),
        ])?;
    }
    Ok(())
}
funcs! { pub FUNCS {
    pg_get_keywords set = keywords;
    text_to_table set = |_, args, _, push| array::split_each(args, &mut |d| push(vec![d]));
    text_to_table_null set = |_, args, _, push| array::split_each(args, &mut |d| push(vec![d]));
} }
