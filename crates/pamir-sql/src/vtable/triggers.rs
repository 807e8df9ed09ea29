//! pg_trigger, pg_event_trigger; information_schema.triggers and triggered_update_columns.
//!
//! Foreign keys are triggers in PostgreSQL: each has four rows here too, whose OIDs are made of the key's ([`of_key`]). So are the checks of deferrable unique keys, with one row each.
use super::ServerEnv;
use super::row::{array, int2vector};
use super::{Row, Rows, RowsFn};
use pamir_catalog::trigger::{Event, Trigger, of_key};
use pamir_catalog::{Catalog, FkAction, ForeignKey, Index, Table, defs};
use pamir_types::{Datum, Oid, Result, oid};
use std::sync::Arc;

/// unique_key_recheck()
const UNIQUE_KEY_RECHECK: Oid = 1250;
type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_trigger" => triggers,
        "pg_event_trigger" => event_triggers,
        _ => return None,
    })
}
pub(super) fn info_maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "triggers" => info_triggers,
        "triggered_update_columns" => update_columns,
        _ => return None,
    })
}
/// Has a table triggers, those of foreign keys among them?
pub(super) fn has_some(t: &Table) -> bool {
    let keys = !t.foreign_keys.is_empty() || !t.referenced_by.is_empty() || t.has_deferrable_keys();
    keys || !t.all_triggers().is_empty()
}

fn triggers(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_trigger", push);
    for g in c.triggers(db) {
        out.add(|r| {
            trigger(g, r);
            if let Some(p) = c.table(g.table).and_then(|t| t.trigger_parent(g.oid)) {
                r.oid("tgparentid", p);
            }
        })?;
    }
    for t in c.tables(db) {
        for f in &t.foreign_keys {
            let Some(parent) = c.table(f.ref_table) else { continue };
            key(&c, parent, t, f, &mut out)?;
        }
        for i in &t.indexes {
            unique(t, i, &mut out)?;
        }
    }
    Ok(())
}
fn trigger(g: &Trigger, r: &mut Row) {
    r.oid("oid", g.oid)
        .oid("tgrelid", g.table)
        .set("tgname", &*g.name)
        .oid("tgfoid", g.function)
        .set("tgtype", g.bits())
        .chr("tgenabled", g.enabled.letter() as char);
    if let Some(k) = &g.constraint {
        r.oid("tgconstrrelid", k.from)
            .oid("tgconstraint", k.oid)
            .set("tgdeferrable", k.deferrable)
            .set("tginitdeferred", k.initially_deferred);
    }
    let args: Vec<u8> = g.args.iter().flat_map(|a| a.bytes().chain([0])).collect();
    r.set("tgnargs", g.args.len() as i64)
        .set("tgattr", int2vector(g.columns.iter().copied()))
        .set("tgargs", Datum::Bytea(args.into()))
        .set("tgqual", g.when.as_ref().map(|w| w.0.clone()))
        .set("tgoldtable", g.old_table.clone())
        .set("tgnewtable", g.new_table.clone());
}
/// The row of a deferrable unique key: its check.
fn unique(t: &Table, i: &Index, out: &mut Rows) -> Result<()> {
    let Some(d) = i.deferrable else { return Ok(()) };
    let (number, name) = (of_key(i.oid, 0), if d.primary { "PK" } else { "Unique" });
    out.add(|r| {
        r.oid("oid", number)
            .oid("tgrelid", t.oid)
            .set("tgname", format!("{name}_ConstraintTrigger_{number}"))
            .oid("tgfoid", UNIQUE_KEY_RECHECK)
            .set("tgtype", 21)
            .chr("tgenabled", 'O')
            .set("tgisinternal", true)
            .oid("tgconstrindid", i.oid)
            .oid("tgconstraint", i.oid);
        r.set("tgdeferrable", true)
            .set("tginitdeferred", d.initially_deferred)
            .set("tgattr", int2vector([]))
            .set("tgargs", Datum::Bytea(Arc::from(&[][..])))
            .set("tgqual", Datum::Null)
            .set("tgoldtable", Datum::Null)
            .set("tgnewtable", Datum::Null);
    })
}
/// The rows of a foreign key: the actions on its parent's, the checks of its own table's rows.
fn key(c: &Catalog, parent: &Table, child: &Table, f: &ForeignKey, out: &mut Rows) -> Result<()> {
    let action = |a: FkAction| match a {
        FkAction::Cascade => 1646,
        FkAction::Restrict => 1648,
        FkAction::SetNull => 1650,
        FkAction::SetDefault => 1652,
        FkAction::NoAction => 1654,
    };
    let rows: [(u32, &Table, &Table, &str, Oid, i16); 4] = [
        (2, parent, child, "a", action(f.on_delete), 9),
        (3, parent, child, "a", action(f.on_update) + 1, 17),
        (0, child, parent, "c", 1644, 5),
        (1, child, parent, "c", 1645, 17),
    ];
    for (which, on, other, letter, function, bits) in rows {
        let number = of_key(f.oid, which);
        // Those of a table without an entry fire as ever.
        let enabled = c.table(on.oid).and_then(|t| t.triggers.as_ref()).map(|t| t.keys).unwrap_or_default();
        out.add(|r| {
            r.oid("oid", number)
                .oid("tgrelid", on.oid)
                .set("tgname", format!("{}{letter}_{number}", pamir_catalog::trigger::KEYS))
                .oid("tgfoid", function)
                .set("tgtype", bits)
                .chr("tgenabled", enabled.letter() as char)
                .set("tgisinternal", true)
                .oid("tgconstrrelid", other.oid)
                .oid("tgconstrindid", f.ref_index)
                .oid("tgconstraint", f.oid);
            // What is to be done at once is never put off.
            let check = which < 2 || function >= 1654;
            r.set("tgdeferrable", f.deferrable && check)
                .set("tginitdeferred", f.initially_deferred && check)
                .set("tgattr", int2vector([]))
                .set("tgargs", Datum::Bytea(Arc::from(&[][..])))
                .set("tgqual", Datum::Null)
                .set("tgoldtable", Datum::Null)
                .set("tgnewtable", Datum::Null);
        })?;
    }
    Ok(())
}
fn event_triggers(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = (env.catalog().clone(), env.scope().database);
    let mut out = Rows::catalog("pg_event_trigger", push);
    for g in c.event_triggers(db) {
        let tags = match g.tags.as_slice() {
            [] => Datum::Null,
            tags => array(oid::TEXT, tags.iter().map(|t| Datum::from(t.as_str())).collect()),
        };
        out.add(|r| {
            r.oid("oid", g.oid)
                .set("evtname", &*g.name)
                .set("evtevent", &*g.event)
                .oid("evtowner", g.owner)
                .oid("evtfoid", g.function)
                .chr("evtenabled", g.enabled.letter() as char)
                .set("evttags", tags);
        })?;
    }
    Ok(())
}

// ---- information_schema ----

/// What stands before it in the rows of both views.
fn names(r: &mut Row, database: &str, c: &Catalog, t: &Table, g: &Trigger) {
    let schema = c.schema(t.schema).map_or("", |s| s.name.as_str());
    r.set("trigger_catalog", database).set("trigger_schema", schema).set("trigger_name", &*g.name);
    r.set("event_object_catalog", database).set("event_object_schema", schema).set("event_object_table", &*t.name);
}
fn info_triggers(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, scope, database) = (env.catalog().clone(), env.scope().clone(), env.database().to_string());
    let mut out = Rows::info("triggers", push);
    for t in c.tables_and_views(scope.database) {
        for (at, g) in t.all_triggers().iter().enumerate() {
            let args: Vec<String> = g.args.iter().map(|a| format!("'{}'", a.replace('\'', "''"))).collect();
            let function = defs::trigger_function(&c, g.function, &scope);
            let statement = format!("EXECUTE FUNCTION {function}({})", args.join(", "));
            for e in Event::ALL.into_iter().filter(|e| *e != Event::Truncate && g.has(*e)) {
                // Among those that fire beside it.
                let beside = |x: &&Arc<Trigger>| x.has(e) && x.timing == g.timing && x.each_row == g.each_row;
                let order = t.all_triggers()[..at].iter().filter(beside).count() as i64 + 1;
                out.add(|r| {
                    names(r, &database, &c, t, g);
                    r.set("event_manipulation", e.word())
                        .set("action_order", order)
                        .set("action_condition", g.when.as_ref().map(|w| defs::shown_expr(&c, &scope, w)))
                        .set("action_statement", &*statement)
                        .set("action_orientation", if g.each_row { "ROW" } else { "STATEMENT" })
                        .set("action_timing", g.timing.words())
                        .set("action_reference_old_table", g.old_table.clone())
                        .set("action_reference_new_table", g.new_table.clone());
                })?;
            }
        }
    }
    Ok(())
}
fn update_columns(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db, database) = (env.catalog().clone(), env.scope().database, env.database().to_string());
    let mut out = Rows::info("triggered_update_columns", push);
    for t in c.tables_and_views(db) {
        for g in t.all_triggers() {
            for column in g.columns.iter().filter_map(|a| t.column(*a)) {
                out.add(|r| {
                    names(r, &database, &c, t, g);
                    r.set("event_object_column", &*column.name);
                })?;
            }
        }
    }
    Ok(())
}
