//! CREATE, ALTER and DROP of functions and procedures (functioncmds.c, pg_proc.c).
//!
//! ```text
//!   CREATE FUNCTION --parameters, options, body--> descriptor, checked by compiling it --> [Function, OID]
//! ```
//! A name's overloads are told apart by their input types: these are part of the name that is unique in a schema. Defaults are stored as tables' are, as texts that
//! name everything whole; bodies as they were written.
//!
//! Limits: BEGIN ATOMIC and RETURN bodies are stored as texts, too, with the search path that gives their names a meaning and with what they depend on; of tables'
//! expressions that name a function only the name is looked at (DROP), bodies that are strings are not asked.
use super::cx::{Name, Space, shown_name};
use super::{DdlCtx, absent, eval, named, operator, text_search};
use crate::compile;
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::function::{Function, FunctionKind, Param, ParamMode};
use pamir_catalog::{Kind, Object, Relation, SqlText};
use pamir_parse::tree::{
    self, CreateRoutine, DefValue, Drop, DropBehavior, ObjectKind, Parameter, ParameterMode, Returns, RoutineBody,
    RoutineOption, RoutineRef, Setting, TypeName, Volatility,
};
use pamir_plan::bind::{self, BindCtx, bind_type};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::text::{type_display, type_named};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

const MOST_PARAMETERS: usize = 100;

/// A parameter's or a result's type, and whose rows it is of.
fn type_of(t: &TypeName, cx: &mut DdlCtx) -> Result<(Type, Oid)> {
    if t.of_column {
        let Some((column, table)) = t.parts.split_last() else { bail!(SYNTAX_ERROR, "invalid type name") };
        let (schema, name) = cx.split(table)?;
        let found = match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
            Relation::Table(t) => t.column_by_name(column).map(|c| t.declared_type(c)),
            Relation::Virtual(v) => v.columns.iter().find(|c| c.0 == column).map(|c| c.1),
            _ => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a table"),
        };
        let Some(ty) = found else {
            bail!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{name}\" does not exist")
        };
        let ty = ty.base();
        cx.notice(
            state::SUCCESSFUL_COMPLETION,
            format!("type reference {}%TYPE converted to {}", shown_name(&t.parts), type_display(ty)),
        );
        return Ok((ty, 0));
    }
    match bind_type(t, cx.catalog, cx.env.scope()) {
        Ok(ty) => Ok((ty.base(), 0)),
        Err(e) if e.code() == state::UNDEFINED_OBJECT && t.array.is_empty() => match cx.resolve(&t.parts) {
            Ok(Some(Relation::Table(r))) => Ok((Type::new(oid::RECORD), r.oid)),
            _ => Err(cx.place(e, t.at)),
        },
        Err(e) => Err(cx.place(e, t.at)),
    }
}

pub fn parameters(list: &[Parameter], table: &[Parameter], cx: &mut DdlCtx) -> Result<Vec<Param>> {
    let mut out: Vec<Param> = Vec::new();
    let (mut defaults, mut variadic) = (false, false);
    if list.len() + table.len() > MOST_PARAMETERS {
        bail!(TOO_MANY_ARGUMENTS, "functions cannot have more than {MOST_PARAMETERS} arguments");
    }
    for (p, of_table) in list.iter().map(|p| (p, false)).chain(table.iter().map(|p| (p, true))) {
        let (ty, row_of) = type_of(&p.ty, cx)?;
        if p.ty.setof {
            return Err(cx.place(err!(INVALID_FUNCTION_DEFINITION, "functions cannot accept set arguments"), p.at));
        }
        let mode = match p.mode {
            _ if of_table => ParamMode::Table,
            ParameterMode::Default | ParameterMode::In => ParamMode::In,
            ParameterMode::Out => ParamMode::Out,
            ParameterMode::InOut => ParamMode::InOut,
            ParameterMode::Variadic => ParamMode::Variadic,
        };
        if mode.is_input() && variadic {
            return Err(err!(INVALID_FUNCTION_DEFINITION, "VARIADIC parameter must be the last input parameter"));
        }
        if mode == ParamMode::Variadic {
            variadic = true;
            let array = ty.is_array() || matches!(ty.oid, oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY);
            if ty.oid == oid::ANY {
                return Err(Error::unsupported("VARIADIC \"any\""));
            }
            if !array {
                return Err(err!(INVALID_FUNCTION_DEFINITION, "VARIADIC parameter must be an array"));
            }
        }
        let name = p.name.clone().unwrap_or_default();
        // One that only goes in and one that only comes out may share a name.
        let meet = |a: ParamMode, b: ParamMode| a.is_input() && b.is_input() || a.is_output() && b.is_output();
        let clashes = |o: &&Param| o.name == name && meet(o.mode, mode);
        if !name.is_empty() && out.iter().find(clashes).is_some() {
            return Err(err!(INVALID_FUNCTION_DEFINITION, "parameter name \"{name}\" used more than once"));
        }
        let default = match &p.default {
            Some(_) if !mode.is_input() => {
                return Err(err!(INVALID_FUNCTION_DEFINITION, "only input parameters can have default values"));
            }
            Some(e) => {
                defaults = true;
                Some(default_text(e, ty, cx)?)
            }
            None if defaults && mode.is_input() => {
                let m = "input parameters after one with a default value must also have defaults";
                return Err(err!(INVALID_FUNCTION_DEFINITION, "{m}"));
            }
            None => None,
        };
        out.push(Param { name, mode, ty, row_of, default });
    }
    Ok(out)
}
fn default_text(e: &tree::Expr, ty: Type, cx: &mut DdlCtx) -> Result<SqlText> {
    let polymorphic = pamir_types::oid::is_polymorphic(ty.oid);
    let target = if polymorphic { None } else { Some(ty) };
    let bound = eval::bind_expr_in(e, None, target, Some("DEFAULT expressions"), cx);
    let bound = bound.map_err(|x| if x.data().position.is_none() { cx.place(x, e.leftmost()) } else { x })?;
    Ok(eval::text_of(&bound, None, cx))
}

/// What the options say.
#[derive(Default)]
struct Options {
    language: Option<String>,
    body: Option<String>,
    volatility: Option<u8>,
    strict: Option<bool>,
    definer: Option<bool>,
    leakproof: Option<bool>,
    cost: Option<f32>,
    rows: Option<f32>,
    parallel: Option<u8>,
    settings: Vec<(String, Option<String>)>,
    reset_all: bool,
}
fn number(v: &DefValue) -> Result<f32> {
    let n = match v {
        DefValue::Integer(n) => f64::from(*n),
        DefValue::Float(s) => s.parse().unwrap_or(0.0),
        _ => 0.0,
    };
    Ok(n as f32)
}
fn once<T>(slot: &mut Option<T>, value: T) -> Result<()> {
    if slot.replace(value).is_some() {
        bail!(SYNTAX_ERROR, "conflicting or redundant options");
    }
    Ok(())
}
fn options(list: &[RoutineOption], procedure: bool, cx: &mut DdlCtx) -> Result<Options> {
    use RoutineOption as R;
    let mut o = Options::default();
    for x in list {
        let not_for_procedures = matches!(
            x,
            R::Strict(_)
                | R::Volatility(_)
                | R::Leakproof(_)
                | R::Cost(_)
                | R::Rows(_)
                | R::Support(_)
                | R::Parallel(_)
                | R::Window
        );
        if procedure && not_for_procedures {
            bail!(INVALID_FUNCTION_DEFINITION, "invalid attribute in procedure definition");
        }
        match x {
            R::As(text, None, _) => once(&mut o.body, text.clone())?,
            R::As(_, Some(_), _) => {
                let language = o.language.clone().unwrap_or_default();
                bail!(INVALID_FUNCTION_DEFINITION, "only one AS item needed for language \"{language}\"")
            }
            R::Language(l, _) => once(&mut o.language, l.clone())?,
            R::Transform(_) => return Err(Error::unsupported("TRANSFORM")),
            R::Window => return Err(Error::unsupported("window functions of users")),
            R::Support(_) => return Err(Error::unsupported("SUPPORT")),
            R::Strict(v) => once(&mut o.strict, *v)?,
            R::Volatility(v) => {
                let v = match v {
                    Volatility::Immutable => b'i',
                    Volatility::Stable => b's',
                    Volatility::Volatile => b'v',
                };
                once(&mut o.volatility, v)?
            }
            R::SecurityDefiner(v) => once(&mut o.definer, *v)?,
            R::Leakproof(v) => {
                if *v && !cx.user()?.superuser {
                    bail!(INSUFFICIENT_PRIVILEGE, "only superuser can define a leakproof function");
                }
                once(&mut o.leakproof, *v)?
            }
            R::Cost(v) => {
                let n = number(v)?;
                if n <= 0.0 {
                    bail!(INVALID_PARAMETER_VALUE, "COST must be positive");
                }
                once(&mut o.cost, n)?
            }
            R::Rows(v) => {
                let n = number(v)?;
                if n <= 0.0 {
                    bail!(INVALID_PARAMETER_VALUE, "ROWS must be positive");
                }
                once(&mut o.rows, n)?
            }
            R::Parallel(p) => {
                let letter = match p.as_str() {
                    "safe" => b's',
                    "unsafe" => b'u',
                    "restricted" => b'r',
                    _ => bail!(SYNTAX_ERROR, "parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE"),
                };
                once(&mut o.parallel, letter)?
            }
            R::Set(s) => match &s.what {
                Setting::Value { name, values } => {
                    let v = pamir_plan::parser::setting_text(name, values)?;
                    if cx.env.setting(name).is_none() && !name.contains('.') {
                        bail!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"");
                    }
                    o.settings.push((name.clone(), Some(v)));
                }
                Setting::FromCurrent(name) => {
                    let Some(v) = cx.env.setting(name) else {
                        bail!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
                    };
                    o.settings.push((name.clone(), Some(v)));
                }
                Setting::Default(name) => o.settings.push((name.clone(), None)),
                Setting::ResetAll => o.reset_all = true,
                _ => return Err(Error::unsupported("this form of SET for a function")),
            },
        }
    }
    Ok(o)
}
/// A text search configuration that is not there is told; 22023 for it where the body is checked, which runs under it.
fn tell_settings(o: &Options, checks: bool, cx: &mut DdlCtx) -> Result<()> {
    const NAME: &str = "default_text_search_config";
    for v in o.settings.iter().filter(|s| s.0 == NAME).filter_map(|s| s.1.as_deref()) {
        if text_search::tell_missing(v, cx) && checks {
            bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{NAME}\": \"{v}\"");
        }
    }
    Ok(())
}
/// The settings of `have` changed as `o` says.
fn settings(have: &[(String, String)], o: &Options) -> Vec<(String, String)> {
    let mut out = if o.reset_all { Vec::new() } else { have.to_vec() };
    for (name, value) in &o.settings {
        let at = out.iter().position(|s| s.0 == *name);
        match (at, value) {
            (Some(i), Some(v)) => out[i].1 = v.clone(),
            (Some(i), None) => {
                out.remove(i);
            }
            (None, Some(v)) => out.push((name.clone(), v.clone())),
            (None, None) => {}
        }
    }
    out
}

pub fn create(c: &CreateRoutine, cx: &mut DdlCtx) -> Result<&'static str> {
    let tag = if c.procedure { "CREATE PROCEDURE" } else { "CREATE FUNCTION" };
    let (schema, name) = cx.creation_name(&c.name)?;
    let o = options(&c.options, c.procedure, cx)?;
    let language = match (&o.language, &c.body) {
        (Some(l), _) => l.to_lowercase(),
        (None, Some(_)) => "sql".to_string(),
        (None, None) => bail!(INVALID_FUNCTION_DEFINITION, "no language specified"),
    };
    match language.as_str() {
        "sql" | "plpgsql" => {}
        "c" | "internal" => return Err(Error::unsupported(format!("LANGUAGE {language}"))),
        l => {
            let e = err!(UNDEFINED_OBJECT, "language \"{l}\" does not exist");
            let known = matches!(l, "plperl" | "plperlu" | "plpython3u" | "pltcl" | "pltclu");
            return Err(if known { e.hint("Use CREATE EXTENSION to load the language into the database.") } else { e });
        }
    }
    let body = match (&o.body, &c.body) {
        (Some(_), Some(_)) => bail!(INVALID_FUNCTION_DEFINITION, "duplicate function body specified"),
        (None, None) => bail!(INVALID_FUNCTION_DEFINITION, "no function body specified"),
        (None, Some(_)) if language != "sql" => {
            bail!(INVALID_FUNCTION_DEFINITION, "inline SQL function body only valid for language SQL")
        }
        (Some(b), None) => b.clone(),
        (None, Some(b)) => written_body(b, cx)?,
    };
    let table: &[Parameter] = if let Returns::Table(t) = &c.returns { t } else { &[] };
    let params = parameters(&c.parameters, table, cx)?;
    let after_default = params.iter().skip_while(|p| p.default.is_none());
    if c.procedure && after_default.into_iter().any(|p| p.mode == ParamMode::Out) {
        let e = "procedure OUT parameters cannot appear after one with a default value";
        bail!(INVALID_FUNCTION_DEFINITION, "{e}");
    }
    let (ret, ret_row_of, set) = result(c, &params, cx)?;
    check_polymorphic(&params, ret)?;
    if o.rows.is_some() && !set {
        bail!(INVALID_PARAMETER_VALUE, "ROWS is not applicable when function does not return a set");
    }
    let f = Function {
        oid: cx.new_oid_in(schema)?,
        database: cx.database(),
        schema,
        name,
        owner: cx.user()?.oid,
        kind: if c.procedure { FunctionKind::Procedure } else { FunctionKind::Function },
        language,
        params,
        ret,
        ret_row_of,
        set,
        body,
        sql_body: c.body.is_some(),
        strict: o.strict.unwrap_or(false),
        security_definer: o.definer.unwrap_or(false),
        leakproof: o.leakproof.unwrap_or(false),
        volatility: o.volatility.unwrap_or(b'v'),
        parallel: o.parallel.unwrap_or(b'u'),
        cost: o.cost.unwrap_or(100.0),
        rows: o.rows.unwrap_or(if set { 1000.0 } else { 0.0 }),
        settings: settings(&[], &o),
        comment: None,
        more: Default::default(),
        cache: Default::default(),
    };
    let f = match taken(&f, cx)? {
        None => f,
        Some(old) => replaced(&old, f, c.replace, cx)?,
    };
    let f = Arc::new(f);
    // It may call itself.
    cx.put(Object::Function(f.clone()))?;
    let checks = cx.env.setting("check_function_bodies").is_none_or(|v| v != "off");
    tell_settings(&o, checks, cx)?;
    if checks || f.sql_body {
        let depends = validate(&f, cx)?;
        if f.sql_body {
            let path = cx.env.setting("search_path");
            let more = pamir_catalog::function::More { depends, path, ..f.more.clone() };
            let f = Function { more, ..(*f).clone() };
            operator::hold(&f.depends(), cx)?;
            cx.put(Object::Function(Arc::new(f)))?;
        }
    }
    Ok(tag)
}
/// The function of the same name and input types.
pub fn taken(f: &Function, cx: &mut DdlCtx) -> Result<Option<Arc<Function>>> {
    let same = |o: &&Arc<Function>| o.schema == f.schema && o.unique_name() == f.unique_name();
    let found = cx.catalog.functions(cx.database()).into_iter().find(same).map(|o| o.oid);
    let Some(oid) = found else { return Ok(None) };
    match cx.lock_object(Kind::Function, oid, RowLock::Update)? {
        Some(Object::Function(f)) => Ok(Some(f)),
        _ => Ok(None),
    }
}
/// OR REPLACE: what may change, and what stays.
pub fn replaced(old: &Function, new: Function, replace: bool, cx: &mut DdlCtx) -> Result<Function> {
    if !replace {
        return Err(Name { space: Space::Function, parent: new.schema, name: new.unique_name() }.taken());
    }
    cx.check_owner(old.owner, old.word(), &old.name)?;
    let hint = |f: &Function| {
        let args: Vec<String> = f.arg_types().map(type_named).collect();
        format!("Use DROP {} {}({}) first.", f.word().to_uppercase(), f.name, args.join(","))
    };
    if old.kind != new.kind {
        let e = err!(WRONG_OBJECT_TYPE, "cannot change routine kind");
        let what = match old.kind {
            FunctionKind::Aggregate => "an aggregate function".to_string(),
            _ => format!("a {}", old.word()),
        };
        return Err(e.detail(format!("\"{}\" is {what}.", old.name)));
    }
    if (old.ret, old.ret_row_of, old.set) != (new.ret, new.ret_row_of, new.set) {
        return Err(err!(INVALID_FUNCTION_DEFINITION, "cannot change return type of existing function").hint(hint(old)));
    }
    let outs = |f: &Function| f.outputs().map(|p| (p.name.clone(), p.ty)).collect::<Vec<_>>();
    if outs(old).len() > 1 && outs(old) != outs(&new) {
        return Err(err!(INVALID_FUNCTION_DEFINITION, "cannot change return type of existing function")
            .detail("Row type defined by OUT parameters is different.")
            .hint(hint(old)));
    }
    for (a, b) in std::iter::zip(old.inputs(), new.inputs()) {
        if !a.name.is_empty() && a.name != b.name {
            let e = err!(INVALID_FUNCTION_DEFINITION, "cannot change name of input parameter \"{}\"", a.name);
            return Err(e.hint(hint(old)));
        }
        if a.default.is_some() && b.default.is_none() {
            let e = err!(INVALID_FUNCTION_DEFINITION, "cannot remove parameter defaults from existing function");
            return Err(e.hint(hint(old)));
        }
    }
    Ok(Function { oid: old.oid, owner: old.owner, comment: old.comment.clone(), ..new })
}
/// What the function returns.
fn result(c: &CreateRoutine, params: &[Param], cx: &mut DdlCtx) -> Result<(Type, Oid, bool)> {
    let outs: Vec<&Param> = params.iter().filter(|p| p.mode.is_output()).collect();
    let implied = match outs.as_slice() {
        [] => None,
        [one] if !c.procedure => Some((one.ty, one.row_of)),
        _ => Some((Type::new(oid::RECORD), 0)),
    };
    match &c.returns {
        Returns::Table(_) => {
            let (t, row) = implied.unwrap_or((Type::new(oid::RECORD), 0));
            Ok((t, row, true))
        }
        Returns::Type(t) => {
            let (ty, row) = type_of(t, cx).map_err(|e| e.placed_at(None))?;
            if let Some((i, irow)) = implied
                && (i.oid, irow) != (ty.oid, row)
            {
                let must = type_display(i);
                return Err(err!(
                    INVALID_FUNCTION_DEFINITION,
                    "function result type must be {must} because of OUT parameters"
                ));
            }
            Ok((ty, row, t.setof))
        }
        Returns::Unsaid if c.procedure => {
            let (t, row) = implied.unwrap_or((Type::new(oid::VOID), 0));
            Ok((t, row, false))
        }
        Returns::Unsaid => match implied {
            Some((t, row)) => Ok((t, row, false)),
            None => bail!(INVALID_FUNCTION_DEFINITION, "function result type must be specified"),
        },
    }
}
/// 42P13 where the call's arguments would not say what a result, or an OUT parameter, is.
fn check_polymorphic(params: &[Param], ret: Type) -> Result<()> {
    const RANGES: &[Oid] = &[oid::ANYRANGE, oid::ANYMULTIRANGE];
    const ELEMENTS: &[Oid] =
        &[oid::ANYELEMENT, oid::ANYARRAY, oid::ANYNONARRAY, oid::ANYENUM, oid::ANYRANGE, oid::ANYMULTIRANGE];
    const COMPATIBLE: &[Oid] = &[oid::ANYCOMPATIBLE, oid::ANYCOMPATIBLEARRAY];
    let outs = params.iter().filter(|p| p.mode.is_output()).map(|p| p.ty);
    for t in outs.chain([ret]) {
        let (family, names) = if RANGES.contains(&t.oid) {
            (RANGES, "anyrange or anymultirange")
        } else if ELEMENTS.contains(&t.oid) {
            (ELEMENTS, "anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange")
        } else if COMPATIBLE.contains(&t.oid) {
            let names = "anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or \
                         anycompatiblemultirange";
            (COMPATIBLE, names)
        } else {
            continue;
        };
        if !params.iter().any(|p| p.mode.is_input() && family.contains(&p.ty.oid)) {
            let shown = type_display(t);
            return Err(err!(INVALID_FUNCTION_DEFINITION, "cannot determine result data type")
                .detail(format!("A result of type {shown} requires at least one input of type {names}.")));
        }
    }
    Ok(())
}
/// The text of a body that is no string.
fn written_body(b: &RoutineBody, cx: &DdlCtx) -> Result<String> {
    let lower = cx.text.to_ascii_lowercase();
    let cut = |word: &str| lower.rfind(word).map(|i| i + word.len());
    match b {
        RoutineBody::Return(e) => {
            let at = e.leftmost().0 as usize;
            let from = lower.get(..at).and_then(|s| s.rfind("return")).map_or(at, |i| i + "return".len());
            let text = cx.text.get(from..).unwrap_or("").trim();
            Ok(format!("SELECT {}", text.trim_end_matches(';').trim()))
        }
        RoutineBody::Atomic(list) => {
            let begins = |i: &usize| lower.get(..*i).is_some_and(|s| s.trim_end().ends_with("begin"));
            let from = lower.match_indices("atomic").map(|m| m.0).find(begins).map_or(0, |i| i + "atomic".len());
            let to = cut("end").map_or(lower.len(), |i| i - "end".len());
            let text = cx.text.get(from..to).unwrap_or("").trim();
            // RETURN is SELECT: the words are of one length.
            let mut text = text.to_string();
            let start = cx.text.get(from..to).map_or(from, |s| from + (s.len() - s.trim_start().len()));
            for s in list {
                let tree::Statement::Return(e) = s else { continue };
                let at = e.leftmost().0 as usize;
                let word = lower.get(start..at).and_then(|s| s.rfind("return"));
                if let Some(i) = word.filter(|i| text.is_char_boundary(*i) && text.is_char_boundary(i + 6)) {
                    text.replace_range(i..i + 6, "SELECT");
                }
            }
            Ok(text)
        }
    }
}

/// 42P13 for a trigger's function that would be called with arguments.
fn no_arguments(f: &Function) -> Result<()> {
    let (kind, hint) = match f.ret.oid {
        _ if f.params.is_empty() => return Ok(()),
        oid::TRIGGER => {
            let hint = "The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.";
            ("trigger", Some(hint))
        }
        oid::EVENT_TRIGGER => ("event trigger", None),
        _ => return Ok(()),
    };
    let e = err!(INVALID_FUNCTION_DEFINITION, "{kind} functions cannot have declared arguments");
    let e = e.context(format!("compilation of PL/pgSQL function \"{}\" near line 1", f.name));
    Err(hint.into_iter().fold(e, |e, h| e.hint(h)))
}
/// Compiles a body to see that it can be; what it names, of one that is SQL.
fn validate(f: &Function, cx: &mut DdlCtx) -> Result<Vec<ObjectRef>> {
    if f.language == "plpgsql" {
        no_arguments(f)?;
        for p in &f.params {
            if matches!(
                p.ty.oid,
                oid::ANY
                    | oid::CSTRING
                    | oid::TRIGGER
                    | oid::EVENT_TRIGGER
                    | oid::INTERNAL
                    | oid::INDEX_AM_HANDLER
                    | oid::TABLE_AM_HANDLER
                    | oid::VOID
            ) {
                let shown = type_display(p.ty);
                bail!(FEATURE_NOT_SUPPORTED, "PL/pgSQL functions cannot accept type {shown}");
            }
        }
        let (catalog, scope) = (cx.catalog.clone(), cx.scope());
        let text = cx.text;
        let setting = |n: &str| cx.env.setting(n);
        let shadowed = compile::extra("shadowed_variables", &setting);
        let settings = pamir_plpgsql::parse::Settings { shadowed, ..compile::settings(&setting) };
        return match compile::plpgsql(f, None, &catalog, &scope, settings) {
            Ok(made) => {
                for w in made.warnings {
                    cx.env.notice(compile::within(w, &f.body, text, &f.name));
                }
                Ok(Vec::new())
            }
            Err(e) => Err(compile::within(e, &f.body, text, &f.name)),
        };
    }
    if matches!(f.ret.oid, oid::TRIGGER | oid::EVENT_TRIGGER) {
        let shown = type_display(f.ret);
        bail!(INVALID_FUNCTION_DEFINITION, "SQL functions cannot return type {shown}");
    }
    if compile::is_polymorphic(f) {
        pamir_plan::parser::parse(&f.body)?;
        return Ok(Vec::new());
    }
    let text = cx.text;
    let in_body = |e: Error| {
        let at = e.data().position;
        let start = text.find(&f.body).filter(|_| !f.body.is_empty());
        let before = start.map(|s| text.get(..s).map_or(0, |s| s.chars().count()) as u32);
        let e = e.placed_at(at.and_then(|p| before.map(|b| b + p)));
        if e.data().position.is_some() { e } else { e.context(format!("SQL function \"{}\"", f.name)) }
    };
    let script = pamir_plan::parser::parse(&f.body).map_err(in_body)?;
    let names = Some(Arc::new(compile::names(f, None)));
    let (mut last, mut depends) = (None, Vec::new());
    for p in &script.statements {
        if !p.stmt.is_query() {
            last = None;
            continue;
        }
        let before = cx.env.set_names(names.clone());
        let (catalog, scope) = (cx.catalog.clone(), cx.scope());
        let chars = f.body.get(..p.offset).map_or(0, |s| s.chars().count()) as u32;
        let mut bcx = BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text: &p.text };
        let bound = bind::bind(&p.stmt, &mut bcx);
        cx.env.set_names(before);
        let bound = bound.map_err(|e| {
            let at = e.data().position.map(|n| n + chars);
            in_body(e.placed_at(at))
        })?;
        if f.sql_body {
            let before = cx.env.set_names(names.clone());
            let mut bcx =
                BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text: &p.text };
            let named = pamir_plan::bind::record::named(&p.stmt, &mut bcx);
            cx.env.set_names(before);
            // What no text is made of names what its plan does.
            depends.extend(named.unwrap_or_else(|_| bound.uses.iter().flat_map(|u| named_by(u, cx)).collect()));
        }
        last = Some(bound.output.iter().map(|c| c.ty).collect::<Vec<Type>>());
    }
    check_result(f, last.filter(|l| !l.is_empty()), cx)
        .map_err(|e| e.context(format!("SQL function \"{}\"", f.name)))?;
    depends.retain(|o| o.oid != f.oid);
    Ok(pamir_catalog::operator::unique(depends))
}
/// What a statement's use names: a function, a relation, columns of it.
fn named_by(u: &pamir_catalog::acl::Use, cx: &DdlCtx) -> Vec<ObjectRef> {
    if cx.catalog.function(u.relation).is_some() {
        return vec![ObjectRef { class: Class::Function, oid: u.relation, sub: 0 }];
    }
    let columns = u.selected.iter().chain(&u.inserted).chain(&u.updated);
    let mut out: Vec<ObjectRef> = columns.map(|a| ObjectRef::column(u.relation, *a)).collect();
    out.push(ObjectRef::relation(u.relation));
    out
}
/// Does the last statement give what is declared?
fn check_result(f: &Function, last: Option<Vec<Type>>, cx: &DdlCtx) -> Result<()> {
    let shown = || match cx.catalog.table(f.ret_row_of) {
        Some(t) => cx.shown(t.oid),
        None => type_display(f.ret),
    };
    let ways = pamir_expr::casts::Ways { catalog: cx.catalog, database: cx.database() };
    compile::check_result(f, f.ret, last.as_deref(), &shown, ways)
}

/// `function f(integer)`, its schema where its name alone does not mean it.
pub fn described(f: &Function, cx: &DdlCtx) -> String {
    let visible = cx.env.scope().search_path.iter().find_map(|s| {
        let schema = cx.catalog.schema_by_name(cx.database(), s)?;
        let same = |o: &&Arc<Function>| o.schema == schema.oid && o.name == f.name && o.arg_types().eq(f.arg_types());
        cx.catalog.functions(cx.database()).into_iter().find(same).map(|o| o.oid)
    });
    let schema = match visible {
        Some(o) if o == f.oid => String::new(),
        _ => cx.catalog.schema(f.schema).map_or(String::new(), |s| format!("{}.", s.name)),
    };
    format!("function {schema}{}", compile::signature(f))
}

// ---- finding ----

fn fits(kind: ObjectKind, f: &Function) -> bool {
    match kind {
        // An aggregate is a function to all but who drops or alters it.
        ObjectKind::Function => f.kind != FunctionKind::Procedure,
        ObjectKind::Procedure => f.kind == FunctionKind::Procedure,
        ObjectKind::Aggregate => f.kind == FunctionKind::Aggregate,
        _ => true,
    }
}
/// The routine that a statement names; None: there is none.
pub fn find(kind: ObjectKind, r: &RoutineRef, cx: &mut DdlCtx) -> Result<Option<Arc<Function>>> {
    let (schema, name) = cx.split(&r.name)?;
    let scope = cx.scope();
    let schemas: Vec<Oid> = match &schema {
        Some(s) => cx.catalog.schema_of_relations(scope.database, s).map(|s| s.oid).into_iter().collect(),
        None => scope
            .search_path
            .iter()
            .filter_map(|s| cx.catalog.schema_by_name(scope.database, s))
            .map(|s| s.oid)
            .collect(),
    };
    let all: Vec<Arc<Function>> =
        cx.catalog.functions(scope.database).into_iter().filter(|f| f.name == name).cloned().collect();
    let here = |s: &Oid| all.iter().filter(|f| f.schema == *s && schemas.contains(s)).cloned().collect::<Vec<_>>();
    let Some(args) = &r.args else {
        // The first schema that has any of the name.
        let found = schemas.iter().map(here).find(|f| f.iter().any(|f| fits(kind, f))).unwrap_or_default();
        let fitting: Vec<_> = found.into_iter().filter(|f| fits(kind, f)).collect();
        return match fitting.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            _ => {
                let word = match kind {
                    ObjectKind::Procedure => "procedure",
                    ObjectKind::Routine => "routine",
                    ObjectKind::Aggregate => "aggregate",
                    _ => "function",
                };
                Err(err!(AMBIGUOUS_FUNCTION, "{word} name \"{}\" is not unique", shown_name(&r.name))
                    .hint(format!("Specify the argument list to select the {word} unambiguously.")))
            }
        };
    };
    let mut types = Vec::new();
    for p in args {
        // Types that there are not are told of by who says that there is no such function.
        let Ok((ty, row)) = type_of(&p.ty, cx) else { return Ok(None) };
        if p.mode != ParameterMode::Out {
            types.push((ty.oid, row));
        }
    }
    let by_inputs = |f: &&Arc<Function>| f.inputs().map(|p| (p.ty.oid, p.row_of)).eq(types.iter().copied());
    let first = |is: &dyn Fn(&&Arc<Function>) -> bool| {
        schemas.iter().find_map(|s| all.iter().filter(|f| f.schema == *s).find(is))
    };
    let mut found = first(&by_inputs);
    // Where no mode is said the list may also be that of all parameters, as the SQL standard has it for procedures (LookupFuncWithArgs).
    if matches!(kind, ObjectKind::Procedure | ObjectKind::Routine)
        && args.iter().all(|p| p.mode == ParameterMode::Default)
        && let Some(whole) = first(&|f| {
            f.kind == FunctionKind::Procedure && f.params.iter().map(|p| (p.ty.oid, p.row_of)).eq(types.iter().copied())
        })
    {
        if found.is_some_and(|f| f.oid != whole.oid) {
            let word = if kind == ObjectKind::Procedure { "procedure" } else { "routine" };
            bail!(AMBIGUOUS_FUNCTION, "{word} name \"{}\" is not unique", shown_name(&r.name));
        }
        found = Some(whole);
    }
    match found {
        Some(f) if !fits(kind, f) => {
            let types: Vec<String> = f.arg_types().map(type_named).collect();
            let shown = format!("{}({})", shown_name(&r.name), types.join(", "));
            Err(match kind {
                ObjectKind::Aggregate => err!(WRONG_OBJECT_TYPE, "function {shown} is not an aggregate"),
                ObjectKind::Procedure => err!(WRONG_OBJECT_TYPE, "{shown} is not a procedure"),
                _ => err!(WRONG_OBJECT_TYPE, "{shown} is not a function"),
            })
        }
        f => Ok(f.cloned()),
    }
}
/// The same, locked; an error where there is none.
fn open(kind: ObjectKind, r: &RoutineRef, cx: &mut DdlCtx) -> Result<Function> {
    let f = known(kind, r, cx)?;
    cx.check_owner(f.owner, f.word(), &f.name)?;
    match cx.lock_object(Kind::Function, f.oid, RowLock::Update)? {
        Some(Object::Function(f)) => Ok((*f).clone()),
        _ => Err(err!(UNDEFINED_FUNCTION, "function {} does not exist", compile::signature(&f))),
    }
}
pub fn known(kind: ObjectKind, r: &RoutineRef, cx: &mut DdlCtx) -> Result<Arc<Function>> {
    match find(kind, r, cx)? {
        Some(f) => Ok(f),
        None => Err(absent::no_routine(kind, r, cx)?),
    }
}
/// Those of schemas, for GRANT ... ON ALL FUNCTIONS IN SCHEMA.
pub fn in_schemas(kind: ObjectKind, schemas: &[String], cx: &DdlCtx) -> Result<Vec<Arc<Function>>> {
    let oids: Vec<Oid> =
        schemas.iter().filter_map(|s| cx.catalog.schema_by_name(cx.database(), s)).map(|s| s.oid).collect();
    let all = cx.catalog.functions(cx.database()).into_iter();
    Ok(all.filter(|f| oids.contains(&f.schema) && fits(kind, f)).cloned().collect())
}

/// The same by its number.
pub fn shown(oid: Oid, cx: &DdlCtx) -> String {
    cx.catalog.function(oid).map_or_else(|| format!("function {oid}"), |f| described(f, cx))
}
pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut found = Vec::new();
    for o in &d.objects {
        let (kind, r) = match o {
            tree::Object::Routine(kind, r) => (*kind, r),
            tree::Object::Aggregate(r) => (ObjectKind::Aggregate, r),
            _ => return Err(Error::internal("a routine was expected")),
        };
        match find(kind, r, cx)? {
            Some(f) if kind == ObjectKind::Function && f.kind == FunctionKind::Aggregate => {
                return Err(err!(WRONG_OBJECT_TYPE, "\"{}\" is an aggregate function", f.name)
                    .hint("Use DROP AGGREGATE to drop aggregate functions."));
            }
            Some(f) => {
                cx.check_dropper(f.owner, f.schema, f.word(), &f.name)?;
                found.push(f.oid);
            }
            // Says why there is none, or IF EXISTS's notice.
            None => absent::one(d, o, cx)?,
        }
    }
    let roots: Vec<ObjectRef> = found.into_iter().map(|oid| ObjectRef::new(Class::Function, oid)).collect();
    super::fall::drop(&roots, d.behavior == DropBehavior::Cascade, false, cx)?;
    Ok(match d.kind {
        ObjectKind::Aggregate => "DROP AGGREGATE",
        ObjectKind::Procedure => "DROP PROCEDURE",
        ObjectKind::Routine => "DROP ROUTINE",
        _ => "DROP FUNCTION",
    })
}

// ---- ALTER ----

fn altered(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Procedure => "ALTER PROCEDURE",
        ObjectKind::Routine => "ALTER ROUTINE",
        ObjectKind::Aggregate => "ALTER AGGREGATE",
        _ => "ALTER FUNCTION",
    }
}
fn put(f: Function, cx: &mut DdlCtx) -> Result<()> {
    cx.put(Object::Function(Arc::new(f)))
}
pub fn alter(kind: ObjectKind, r: &RoutineRef, list: &[RoutineOption], cx: &mut DdlCtx) -> Result<&'static str> {
    let mut f = open(kind, r, cx)?;
    if f.kind == FunctionKind::Aggregate {
        bail!(WRONG_OBJECT_TYPE, "\"{}\" is an aggregate function", f.name);
    }
    let o = options(list, f.kind == FunctionKind::Procedure, cx)?;
    f.strict = o.strict.unwrap_or(f.strict);
    f.volatility = o.volatility.unwrap_or(f.volatility);
    f.security_definer = o.definer.unwrap_or(f.security_definer);
    f.leakproof = o.leakproof.unwrap_or(f.leakproof);
    f.cost = o.cost.unwrap_or(f.cost);
    if o.rows.is_some() && !f.set {
        bail!(INVALID_PARAMETER_VALUE, "ROWS is not applicable when function does not return a set");
    }
    f.rows = o.rows.unwrap_or(f.rows);
    f.parallel = o.parallel.unwrap_or(f.parallel);
    tell_settings(&o, false, cx)?;
    f.settings = settings(&f.settings, &o);
    put(f, cx)?;
    Ok(altered(kind))
}
/// 42723 where the place is taken.
fn check_free(f: &Function, cx: &DdlCtx) -> Result<()> {
    let same = |o: &Arc<Function>| o.oid != f.oid && o.schema == f.schema && o.unique_name() == f.unique_name();
    if !cx.catalog.functions(cx.database()).iter().any(|o| same(o)) {
        return Ok(());
    }
    let schema = cx.catalog.schema(f.schema).map_or("", |s| &s.name);
    bail!(
        DUPLICATE_FUNCTION,
        "function {} already exists in schema \"{schema}\"",
        compile::signature(f).replace(',', ", ")
    )
}
pub fn rename(kind: ObjectKind, r: &RoutineRef, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let f = Function { name: to.to_string(), ..open(kind, r, cx)? };
    let texts = named::texts_naming(f.oid, cx)?;
    cx.check_create_in(f.schema)?;
    check_free(&f, cx)?;
    put(f, cx)?;
    named::write_texts(texts, cx)?;
    Ok(altered(kind))
}
pub fn set_schema(kind: ObjectKind, r: &RoutineRef, schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let f = open(kind, r, cx)?;
    let Some(to) = cx.catalog.schema_by_name(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    if to == f.schema {
        return Ok(altered(kind));
    }
    cx.use_schema(to, &f.name)?;
    let texts = named::texts_naming(f.oid, cx)?;
    let f = Function { schema: to, ..f };
    check_free(&f, cx)?;
    put(f, cx)?;
    named::write_texts(texts, cx)?;
    Ok(altered(kind))
}
pub fn set_owner(kind: ObjectKind, r: &RoutineRef, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let f = open(kind, r, cx)?;
    if f.owner != owner {
        cx.check_new_owner(owner, Some(f.schema))?;
        put(Function { owner, ..f }, cx)?;
    }
    Ok(altered(kind))
}
pub fn comment(kind: ObjectKind, r: &RoutineRef, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let f = open(kind, r, cx)?;
    put(Function { comment: text, ..f }, cx)
}
