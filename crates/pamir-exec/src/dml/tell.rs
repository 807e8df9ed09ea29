//! What errors' details tell of rows: nothing where row level security counts for the user, and no key whose columns he may not read (PostgreSQL's
//! ExecBuildSlotValueDescription and BuildIndexValueDescription).
use pamir_catalog::acl::{self, Who};
use pamir_catalog::{Table, policy};
use pamir_expr::env::Env;
use pamir_types::{Datum, Error, text};

/// May the user be told of the rows of a table? Where row level security counts for him, an error's detail says nothing of them.
pub fn may_tell(t: &Table, env: &dyn Env) -> bool {
    !t.security.enabled || policy::active(env.catalog(), t, env.scope().user) == policy::Active::No
}
/// May the user be told the values of a key? Who must not read all of its columns is not; None stands for an expression.
pub(super) fn may_tell_key(t: &Table, mut columns: impl Iterator<Item = Option<i16>>, env: &dyn Env) -> bool {
    let (catalog, scope) = (env.catalog(), env.scope());
    // Nobody's statement, as tests have them.
    if scope.user == 0 {
        return true;
    }
    let who = Who::of(catalog, scope);
    let one = |a: i16| who.on_column(catalog, t, a, acl::SELECT, false) != 0;
    may_tell(t, env) && (who.on_table(catalog, t, acl::SELECT) != 0 || columns.all(|c| c.is_some_and(one)))
}
/// What an error's detail says of a row that is refused.
pub(super) fn failing(t: &Table, row: &[Datum], env: &dyn Env) -> Option<String> {
    may_tell(t, env).then(|| format!("Failing row contains {}.", row_text(t, row, env)))
}
pub(super) fn detailed(e: Error, detail: Option<String>) -> Error {
    match detail {
        Some(d) => e.detail(d),
        None => e,
    }
}
/// `(1, abc, null)` of all live columns.
fn row_text(t: &Table, row: &[Datum], env: &dyn Env) -> String {
    let mut s = String::from("(");
    for (i, c) in t.live_columns().enumerate() {
        if i > 0 {
            s.push_str(", ");
        }
        match row.get((c.attnum - 1) as usize) {
            None | Some(Datum::Null) => s.push_str("null"),
            Some(d) => {
                // As PostgreSQL, long values are cut at 64 characters.
                let v = text::to_string(d, c.ty, env.text_ctx());
                match v.char_indices().nth(64) {
                    Some((cut, _)) => {
                        s.push_str(&v[..cut]);
                        s.push_str("...")
                    }
                    None => s.push_str(&v),
                }
            }
        }
    }
    s.push(')');
    s
}
/// `Key (a, b)=(1, 2)` of some columns, as far as the user may be told.
pub fn key_text(t: &Table, cols: &[i16], vals: &[Datum], env: &dyn Env) -> String {
    if !may_tell_key(t, cols.iter().map(|a| Some(*a)), env) {
        return "Key".to_string();
    }
    let names: Vec<&str> = cols.iter().map(|a| t.column(*a).map_or("?", |c| c.name.as_str())).collect();
    let vals: Vec<String> = cols
        .iter()
        .zip(vals)
        .map(|(a, d)| match (d, t.column(*a)) {
            (Datum::Null, _) | (_, None) => "null".to_string(),
            (d, Some(c)) => text::to_string(d, c.ty, env.text_ctx()),
        })
        .collect();
    format!("Key ({})=({})", names.join(", "), vals.join(", "))
}
