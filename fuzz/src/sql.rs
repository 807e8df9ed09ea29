//! SQL text through parser, binder, planner and executor.
use crate::{database, fine, session};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::Transcript;
use std::cell::RefCell;
use std::sync::Arc;

const SCHEMA: &str = "create table t (id int primary key, a int, b text, c numeric, d timestamptz, e jsonb, f int[], unique (a, b)); \
    create index t_c on t (c desc) where a > 0; create table u (id int references t on delete cascade, x float8, y date, z interval); \
    insert into t select i, i % 7, 'row ' || i, i / 3.0, '2024-01-01'::timestamptz + i * '1 day'::interval, '{\"k\": [1, null]}', array[i, null] \
    from generate_series(1, 20) i; insert into u select i, i * 0.5, '2024-01-01', '1 day' from generate_series(1, 20) i; create sequence s";
/// Statements after which the database starts anew.
const FRESH_AFTER: u32 = 2000;

thread_local! { static STATE: RefCell<Option<(Arc<Database>, Session, u32)>> = const { RefCell::new(None) }; }

pub fn with_session(f: impl FnOnce(&mut Session)) {
    STATE.with_borrow_mut(|state| {
        if state.as_ref().is_none_or(|s| s.2 >= FRESH_AFTER) {
            let db = database();
            let mut s = session(&db);
            s.simple_query(SCHEMA, &mut Transcript::forgetful()).expect("the schema");
            let _ = s.sync(&mut Transcript::forgetful());
            *state = Some((db, s, 0));
        }
        let Some((_, s, n)) = state else { return };
        *n += 1;
        let limits = "set statement_timeout = '500ms'; set lock_timeout = '10ms'";
        let _ = s.simple_query(limits, &mut Transcript::forgetful());
        f(s);
        if s.status() != b'I' {
            let _ = s.simple_query("rollback", &mut Transcript::forgetful());
            let _ = s.sync(&mut Transcript::forgetful());
        }
    });
}
/// What takes long or much by design, or leaves what the next statement would trip over.
fn excluded(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    ["sleep", "repeat", "pad", "drop database", "generate_series", "alter role", "set ", "shutdown", "lo_"]
        .iter()
        .any(|w| lower.contains(w))
}

/// Parses, binds, plans and runs.
pub fn run(data: &[u8]) {
    let Ok(sql) = std::str::from_utf8(data) else { return };
    if excluded(sql) {
        return;
    }
    with_session(|s| {
        let r = s.simple_query(sql, &mut Transcript::forgetful());
        fine(r, sql);
        fine(s.sync(&mut Transcript::forgetful()), sql);
    });
}
/// Parses alone: quicker, so deeper. What is an expression is one in parentheses too.
pub fn parser(data: &[u8]) {
    let Ok(sql) = std::str::from_utf8(data) else { return };
    fine(pamir_plan::parser::parse(sql), sql);
    fine(pamir_plan::parser::parse_stored_expr(sql), sql);
}
