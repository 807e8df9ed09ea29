//! The SQL/JSON path functions: jsonb_path_exists, _match, _query and their like, `@?` and `@@` (jsonpath_exec.c).
//!
//! ```text
//! jsonpath text --parse, kept per thread--> JsonPath --run.rs--> items, one after the other --> what the function makes of them
//! ```
//! An item is a part of the document that stays where it is, or a moment of `datetime()`; what is kept beyond the step that found it is copied
//! ([`Held`]). Silent functions, operators and operands of predicates turn errors of the path into no answer; the rest are told.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::json::Jsonb;
use pamir_types::jsonpath::JsonPath;
use pamir_types::{bail, err};
use std::cell::RefCell;
use std::rc::Rc;

mod moment;
mod run;

use moment::Moment;
use run::{Answer, Run};

/// What a step found.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Json(&'a Jsonb),
    Moment(Moment),
}
/// The same, kept.
pub(super) enum Held {
    Json(Jsonb),
    Moment(Moment),
}
impl Item<'_> {
    fn keep(self) -> Held {
        match self {
            Item::Json(j) => Held::Json(j.clone()),
            Item::Moment(m) => Held::Moment(m),
        }
    }
}
impl Held {
    fn item(&self) -> Item<'_> {
        match self {
            Held::Json(j) => Item::Json(j),
            Held::Moment(m) => Item::Moment(*m),
        }
    }
    fn into_json(self) -> Jsonb {
        match self {
            Held::Json(j) => j,
            Held::Moment(m) => Jsonb::String(m.text().into()),
        }
    }
}

/// Who takes what a path finds.
pub(super) trait Sink {
    /// False: it is enough to know that there is something.
    fn wants(&self) -> bool;
    fn push(&mut self, item: Item) -> Result<()>;
}
pub(super) struct Nobody;
impl Sink for Nobody {
    fn wants(&self) -> bool {
        false
    }
    fn push(&mut self, _: Item) -> Result<()> {
        Ok(())
    }
}
/// Counts.
pub(super) struct Count(usize);
impl Sink for Count {
    fn wants(&self) -> bool {
        true
    }
    fn push(&mut self, _: Item) -> Result<()> {
        self.0 += 1;
        Ok(())
    }
}
#[derive(Default)]
pub(super) struct List(Vec<Held>);
impl Sink for List {
    fn wants(&self) -> bool {
        true
    }
    fn push(&mut self, item: Item) -> Result<()> {
        if let Item::Json(j) = item {
            let size = j.size() + size_of::<Held>();
            work::charge(size / 4)?;
            pamir_types::memory::admit(size)?;
        }
        self.0.push(item.keep());
        Ok(())
    }
}

/// The path of a text; the one in use is kept, since whole columns are looked at by one path.
fn read(text: &str) -> Result<Rc<JsonPath>> {
    /// Longer ones are read anew each time.
    const KEPT: usize = 4000;
    thread_local!(static LAST: RefCell<Option<(String, Rc<JsonPath>)>> = const { RefCell::new(None) });
    let kept = LAST.with_borrow(|last| last.as_ref().filter(|l| l.0 == text).map(|l| l.1.clone()));
    if let Some(p) = kept {
        return Ok(p);
    }
    let p = Rc::new(JsonPath::parse(text)?);
    if text.len() <= KEPT {
        LAST.with_borrow_mut(|last| *last = Some((text.to_string(), p.clone())));
    }
    Ok(p)
}

/// 2201B for a `like_regex` whose pattern is none: looked at where a path is written as a literal.
pub fn check_patterns(text: &str) -> Result<()> {
    run::check_patterns(&read(text)?.path)
}

/// What the call says beside the document and the path.
struct Given<'a> {
    root: &'a Jsonb,
    path: &'a str,
    vars: Option<&'a Jsonb>,
    silent: bool,
    zones: bool,
}
/// What a call has whose last arguments are left out.
static NO_VARS: Jsonb = Jsonb::Object(Vec::new());

/// The arguments of a function with variables.
fn given(args: &[Datum], zones: bool) -> Result<Given<'_>> {
    let (root, path, vars, silent) = match args {
        [Datum::Jsonb(root), Datum::Text(path)] => (root, path, &NO_VARS, false),
        [Datum::Jsonb(root), Datum::Text(path), Datum::Jsonb(vars)] => (root, path, &**vars, false),
        [Datum::Jsonb(root), Datum::Text(path), Datum::Jsonb(vars), Datum::Bool(silent)] => {
            (root, path, &**vars, *silent)
        }
        _ => return Err(bad_args("jsonb_path", args)),
    };
    Ok(Given { root, path, vars: Some(vars), silent, zones })
}
/// An operator's, which is silent and has none.
fn given_operands(args: &[Datum]) -> Result<Given<'_>> {
    match args {
        [Datum::Jsonb(root), Datum::Text(path)] => Ok(Given { root, path, vars: None, silent: true, zones: false }),
        _ => Err(bad_args("jsonb_path", args)),
    }
}
fn run(g: &Given, env: &mut dyn Env, found: &mut dyn Sink) -> Result<Answer> {
    if g.vars.is_some_and(|v| !matches!(v, Jsonb::Object(_))) {
        return Err(err!(INVALID_PARAMETER_VALUE, "\"vars\" argument is not an object")
            .detail("Jsonpath parameters should be encoded as key-value pairs of \"vars\" object."));
    }
    let path = read(g.path)?;
    let (zone, now) = (env.text_ctx().dt.tz.clone(), env.txn_time());
    Run::new(&path, g.root, g.vars, g.silent, g.zones, (&zone, now)).all(&path.path, found)
}
/// All that is found; of a silent path that has failed, what was found before.
fn query(args: &[Datum], env: &mut dyn Env, zones: bool) -> Result<Vec<Held>> {
    let mut list = List::default();
    run(&given(args, zones)?, env, &mut list)?;
    Ok(list.0)
}
fn exists(g: Given, env: &mut dyn Env) -> Result<Datum> {
    Ok(match run(&g, env, &mut Nobody)? {
        Answer::Found => Datum::Bool(true),
        Answer::Nothing => Datum::Bool(false),
        Answer::Error => Datum::Null,
    })
}
fn matches(g: Given, env: &mut dyn Env) -> Result<Datum> {
    let mut list = List::default();
    run(&g, env, &mut list)?;
    match list.0.as_slice() {
        [Held::Json(Jsonb::Bool(b))] => Ok(Datum::Bool(*b)),
        [Held::Json(Jsonb::Null)] => Ok(Datum::Null),
        _ if g.silent => Ok(Datum::Null),
        _ => bail!(SINGLETON_SQL_JSON_ITEM_REQUIRED, "single boolean result is expected"),
    }
}
fn json(j: Jsonb) -> Datum {
    Datum::Jsonb(Arc::new(j))
}
fn rows(args: &[Datum], env: &mut dyn Env, zones: bool, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    query(args, env, zones)?.into_iter().try_for_each(|h| push(vec![json(h.into_json())]))
}
fn array(args: &[Datum], env: &mut dyn Env, zones: bool) -> Result<Datum> {
    let items = query(args, env, zones)?;
    Ok(json(Jsonb::Array(items.into_iter().map(Held::into_json).collect())))
}
fn first(args: &[Datum], env: &mut dyn Env, zones: bool) -> Result<Datum> {
    Ok(query(args, env, zones)?.into_iter().next().map_or(Datum::Null, |h| json(h.into_json())))
}

funcs! { pub FUNCS {
    jsonb_path_exists raw = |_, a, env| exists(given(a, false)?, env);
    jsonb_path_exists_tz raw = |_, a, env| exists(given(a, true)?, env);
    jsonb_path_exists_opr raw = |_, a, env| exists(given_operands(a)?, env);
    jsonb_path_match raw = |_, a, env| matches(given(a, false)?, env);
    jsonb_path_match_tz raw = |_, a, env| matches(given(a, true)?, env);
    jsonb_path_match_opr raw = |_, a, env| matches(given_operands(a)?, env);
    jsonb_path_query set = |_, a, env, push| rows(a, env, false, push);
    jsonb_path_query_tz set = |_, a, env, push| rows(a, env, true, push);
    jsonb_path_query_array raw = |_, a, env| array(a, env, false);
    jsonb_path_query_array_tz raw = |_, a, env| array(a, env, true);
    jsonb_path_query_first raw = |_, a, env| first(a, env, false);
    jsonb_path_query_first_tz raw = |_, a, env| first(a, env, true);
} }
