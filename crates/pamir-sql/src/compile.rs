//! From a stored function to what the languages compile: parameters with concrete types, names.
use pamir_catalog::function::{Function, FunctionKind, Param};
use pamir_catalog::{Catalog, NameScope, Relation, Table, defs};
use pamir_expr::casts::Ways;
use pamir_expr::func::{CastContext, rowtype};
use pamir_expr::names::{Conflict, Entry, Names, What};
use pamir_plpgsql::parse::{self, Fires, Header};
use pamir_plpgsql::tree::Returns;
use pamir_plpgsql::{VarType, tree};
use pamir_types::error::{Severity, state};
use pamir_types::text::{type_display, type_named};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};

/// The types of a call.
pub struct Concrete<'a> {
    pub args: &'a [Type],
    pub ret: Type,
}

/// The names of a SQL function's parameters.
pub(crate) fn names(f: &Function, c: Option<&Concrete>) -> Names {
    let mut types: Vec<Type> = f.inputs().map(|p| p.ty).collect();
    if let Some(c) = c {
        for (t, given) in std::iter::zip(&mut types, c.args) {
            if is_polymorphic(f) || t.oid == oid::RECORD {
                *t = *given;
            }
        }
    }
    let entry = |(i, p): (usize, &Param)| {
        let rows = |t: &Type| t.oid == oid::RECORD || oid::is_composite(t.oid) || oid::is_domain(t.oid);
        let what = if types.get(i).is_some_and(rows) { What::Row } else { What::Plain };
        Entry { name: p.name.clone(), number: i as u16, what }
    };
    let entries: Vec<Entry> = f.inputs().enumerate().filter(|(_, p)| !p.name.is_empty()).map(entry).collect();
    let args = (0..types.len() as u16).collect();
    Names { scopes: vec![(Some(f.name.clone()), entries)], types, args, conflict: Conflict::Column }
}

/// What a function is declared to return, as messages have it.
pub type Shown<'a> = &'a dyn Fn() -> String;

fn mismatch(shown: Shown) -> Error {
    err!(INVALID_FUNCTION_DEFINITION, "return type mismatch in function declared to return {}", shown())
}
/// 42P13 unless the columns of a SQL function's last statement are those of `ret`, which the function is declared to return, or can be assigned to them. None: the
/// statement has none.
pub fn check_result(f: &Function, ret: Type, last: Option<&[Type]>, shown: Shown, ways: Ways) -> Result<()> {
    let catalog = ways.catalog;
    if ret.oid == oid::VOID || f.kind == FunctionKind::Procedure && f.outputs().next().is_none() {
        return Ok(());
    }
    let Some(columns) = last else {
        let detail = "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.";
        return Err(mismatch(shown).detail(detail));
    };
    let outs: Vec<Type> = f.outputs().map(|p| p.ty).collect();
    // A domain's value is one, though it is over a composite type.
    let shape = catalog.fields_of(ret.oid);
    let named = shape.is_some();
    let wanted: Vec<Type> = match catalog.table(f.ret_row_of) {
        Some(t) => t.live_columns().map(|c| c.ty).collect(),
        None if let Some(s) = shape => s.into_iter().map(|f| f.1).collect(),
        None if outs.is_empty() && ret.oid == oid::RECORD => return Ok(()),
        None if outs.is_empty() => vec![ret],
        None => outs,
    };
    // The row itself.
    if let [one] = columns
        && (one.oid == ret.oid && named || one.oid == oid::RECORD && (named || wanted.len() != 1))
    {
        return Ok(());
    }
    if wanted.iter().any(|t| oid::is_polymorphic(t.oid)) {
        return Ok(());
    }
    let scalar =
        !named && (f.outputs().count() == 0 && f.ret_row_of == 0 || wanted.len() == 1 && ret.oid != oid::RECORD);
    check_columns(columns, &wanted, scalar, shown, ways)
}
/// 42P13 unless the columns of a last statement are what is wanted, or can be assigned to it. `scalar`: one value is wanted.
pub fn check_columns(columns: &[Type], wanted: &[Type], scalar: bool, shown: Shown, ways: Ways) -> Result<()> {
    let mismatch = || mismatch(shown);
    if scalar && columns.len() != 1 {
        return Err(mismatch().detail("Final statement must return exactly one column."));
    }
    if columns.len() > wanted.len() {
        return Err(mismatch().detail("Final statement returns too many columns."));
    }
    if columns.len() < wanted.len() {
        return Err(mismatch().detail("Final statement returns too few columns."));
    }
    for (i, (have, want)) in std::iter::zip(columns, wanted).enumerate() {
        let (have, want) = (ways.catalog.base_type(*have), ways.catalog.base_type(*want));
        let fits = have.oid == want.oid || ways.pathway(have.oid, want.oid, CastContext::Assignment).is_some();
        if !fits && have.oid != oid::UNKNOWN {
            let (have, want) = (type_display(have), type_display(want));
            return Err(mismatch().detail(match scalar {
                true => format!("Actual return type is {have}."),
                false => format!("Final statement returns {have} instead of {want} at column {}.", i + 1),
            }));
        }
    }
    Ok(())
}

pub fn is_polymorphic(f: &Function) -> bool {
    f.params.iter().any(|p| oid::is_polymorphic(p.ty.oid)) || oid::is_polymorphic(f.ret.oid)
}
/// The row type of a table.
pub fn row_of(t: &Table) -> Type {
    match pamir_catalog::types::row_type(t.oid) {
        0 => rowtype::of(t.live_columns().map(|c| (c.name.clone(), c.ty)).collect()),
        row => Type::new(row),
    }
}
fn row_type(of: Oid, catalog: &Catalog) -> Option<Type> {
    catalog.table(of).map(|t| row_of(t))
}
/// The type, where its values are rows: a composite one, or a domain over one.
fn row_of_type(ty: Type, catalog: &Catalog) -> Option<Type> {
    oid::is_composite(catalog.base_type(ty).oid).then_some(ty)
}
/// `f(integer, text)`: how CONTEXT and messages call it.
pub fn signature(f: &Function) -> String {
    let args: Vec<String> = f.arg_types().map(type_named).collect();
    format!("{}({})", defs::quote_ident(&f.name), args.join(","))
}

/// What each parameter is in a call.
fn types_of(f: &Function, c: Option<&Concrete>, catalog: &Catalog) -> Vec<VarType> {
    let elem = elements(f, c);
    let mut inputs = c.map(|c| c.args.iter()).into_iter().flatten();
    let mut one = |p: &Param| {
        let given = if p.mode.is_input() { inputs.next().copied() } else { None };
        if let Some(row) = row_type(p.row_of, catalog) {
            return VarType::Row(row);
        }
        if let Some(row) = row_of_type(p.ty, catalog) {
            return VarType::Row(row);
        }
        match p.ty.oid {
            oid::RECORD => VarType::Record,
            t if oid::is_polymorphic(t) => {
                let ty = given.or_else(|| elem.of(t)).unwrap_or(Type::TEXT);
                row_of_type(ty, catalog).map_or(VarType::Plain(ty), VarType::Row)
            }
            _ => VarType::Plain(p.ty),
        }
    };
    f.params.iter().map(&mut one).collect()
}
/// What polymorphic types stand for: an element, a range, an element of the compatible family; 0: nothing says.
#[derive(Default)]
struct Elements {
    plain: Oid,
    range: Oid,
    compatible: Oid,
}
impl Elements {
    fn of(&self, t: Oid) -> Option<Type> {
        let found = match t {
            oid::ANYARRAY => oid::array_of(self.plain)?,
            oid::ANYCOMPATIBLEARRAY => oid::array_of(self.compatible)?,
            oid::ANYCOMPATIBLE => self.compatible,
            oid::ANYRANGE => self.range,
            oid::ANYMULTIRANGE => oid::multirange_of(self.range)?,
            _ => self.plain,
        };
        (found != 0).then(|| Type::new(found))
    }
}
fn elements(f: &Function, c: Option<&Concrete>) -> Elements {
    let mut out = Elements::default();
    let Some(c) = c else { return out };
    for (p, t) in std::iter::zip(f.inputs(), c.args) {
        let element = || t.element().map_or(0, |e| e.oid);
        match p.ty.oid {
            oid::ANYARRAY => out.plain = element(),
            oid::ANYCOMPATIBLEARRAY => out.compatible = element(),
            oid::ANYCOMPATIBLE => out.compatible = t.oid,
            oid::ANYRANGE => out.range = t.oid,
            oid::ANYMULTIRANGE => out.range = oid::range_of_multirange(t.oid).unwrap_or(0),
            o if oid::is_polymorphic(o) => out.plain = t.oid,
            _ => {}
        }
    }
    if out.plain == 0 {
        out.plain = oid::range_subtype(out.range).unwrap_or(0);
    }
    out
}

/// A function's names for the interpreter, compiled.
pub fn plpgsql(
    f: &Function,
    c: Option<&Concrete>,
    catalog: &Catalog,
    scope: &NameScope,
    settings: parse::Settings,
) -> Result<tree::Function> {
    let types = types_of(f, c, catalog);
    let params = std::iter::zip(&f.params, types).map(|(p, ty)| parse::Param {
        name: p.name.clone(),
        ty,
        input: p.mode.is_input(),
        output: p.mode.is_output(),
    });
    let ty = match c {
        Some(c) if oid::is_polymorphic(f.ret.oid) => c.ret,
        _ if oid::is_polymorphic(f.ret.oid) => elements(f, c).of(f.ret.oid).unwrap_or(Type::TEXT),
        _ => f.ret,
    };
    let row = row_type(f.ret_row_of, catalog).or_else(|| row_of_type(ty, catalog));
    let returns = Returns { ty, set: f.set, row, procedure: f.kind == FunctionKind::Procedure };
    let fires = match f.ret.oid {
        oid::TRIGGER => Fires::Rows,
        oid::EVENT_TRIGGER => Fires::Events,
        _ => Fires::No,
    };
    // What an event trigger's function gives is nothing.
    let ty = if fires == Fires::Events { Type::new(oid::VOID) } else { ty };
    let returns = Returns { ty, ..returns };
    let header = Header { name: &f.name, signature: signature(f), params: params.collect(), returns, fires, settings };
    parse::parse(&f.body, header, &mut Types { catalog, scope })
}

/// A trigger's function, compiled.
pub fn trigger(
    f: &Function,
    catalog: &Catalog,
    scope: &NameScope,
    settings: parse::Settings,
) -> Result<tree::Function> {
    if f.language != "plpgsql" {
        bail!(INVALID_FUNCTION_DEFINITION, "SQL functions cannot return type trigger");
    }
    plpgsql(f, None, catalog, scope, settings)
}

/// What the session's settings say of how bodies are read.
pub fn settings(get: &dyn Fn(&str) -> Option<String>) -> parse::Settings {
    let conflict = match get("plpgsql.variable_conflict").as_deref() {
        Some("use_variable") => Conflict::Variable,
        Some("use_column") => Conflict::Column,
        _ => Conflict::Error,
    };
    let print_strict = get("plpgsql.print_strict_params").is_some_and(|v| matches!(v.as_str(), "on" | "true" | "1"));
    parse::Settings { conflict, print_strict, shadowed: None }
}
/// How one of the extra checks is told of.
pub fn extra(check: &str, get: &dyn Fn(&str) -> Option<String>) -> Option<Severity> {
    let has = |list: Option<String>| {
        list.is_some_and(|l| l.split(',').map(str::trim).any(|w| w.eq_ignore_ascii_case(check) || w == "all"))
    };
    if has(get("plpgsql.extra_errors")) {
        return Some(Severity::Error);
    }
    has(get("plpgsql.extra_warnings")).then_some(Severity::Warning)
}

/// An error in a body, placed in the statement that has the body: where that is to be seen, else told of by its line.
pub fn within(e: Error, body: &str, statement: &str, name: &str) -> Error {
    let at = e.data().position;
    if at.is_none() && e.data().context.is_some() {
        return e.placed_at(None);
    }
    let mut found = statement.match_indices(body).map(|f| f.0);
    match (at, found.next(), found.next()) {
        (Some(p), Some(start), None) if !body.is_empty() => {
            let before = statement.get(..start).map_or(0, |s| s.chars().count()) as u32;
            e.placed_at(Some(before + p))
        }
        _ => {
            let line = at.map_or(1, |p| body.chars().take(p as usize).filter(|c| *c == '\n').count() + 1);
            let context = format!("compilation of PL/pgSQL function \"{name}\" near line {line}");
            e.placed_at(None).context(context)
        }
    }
}

/// Types as declarations write them.
pub struct Types<'a> {
    pub catalog: &'a Catalog,
    pub scope: &'a NameScope,
}
impl Types<'_> {
    /// A table, a view or a relation of the server's own.
    fn relation(&self, path: &[String]) -> Result<Option<Relation>> {
        let (schema, name) = match path {
            [n] => (None, n),
            [s, n] | [_, s, n] => (Some(s.as_str()), n),
            _ => return Ok(None),
        };
        let found = self.catalog.resolve(self.scope, schema, name)?;
        Ok(found.filter(|r| matches!(r, Relation::Table(_) | Relation::Virtual(_))))
    }
    /// The rows of a relation, or of a composite type.
    fn rows(&self, path: &[String]) -> Result<Option<Type>> {
        match (self.relation(path)?, path) {
            (Some(Relation::Table(t)), _) => Ok(Some(row_of(&t))),
            (Some(Relation::Virtual(v)), _) => Ok(Some(Type::new(pamir_catalog::types::row_type(v.oid)))),
            (_, [.., schema, name]) => Ok(self.composite(Some(schema), name)?),
            (_, [name]) => Ok(self.composite(None, name)?),
            _ => Ok(None),
        }
    }
    /// The type of a relation's column, by its dotted name.
    fn column_type(&self, of: &str) -> Result<Option<Type>> {
        let path = defs::split_name(of);
        let Some((column, table)) = path.as_deref().and_then(|p| p.split_last()).filter(|p| !p.1.is_empty()) else {
            return Ok(None);
        };
        Ok(match self.relation(table)? {
            Some(Relation::Table(t)) => t.column_by_name(column).map(|c| t.declared_type(c)),
            Some(Relation::Virtual(v)) => v.columns.iter().find(|c| c.0 == *column).map(|c| c.1),
            _ => None,
        })
    }
    fn composite(&self, schema: Option<&str>, name: &str) -> Result<Option<Type>> {
        let found = self.catalog.find_type(self.scope, schema, name)?;
        Ok(found.filter(|t| oid::is_composite(*t)).map(Type::new))
    }
}
impl pamir_plpgsql::Catalog for Types<'_> {
    fn type_of(&mut self, written: &str) -> Result<VarType> {
        let lower = written.to_lowercase();
        if lower == "refcursor" || lower == "pg_catalog.refcursor" {
            return Ok(VarType::Plain(Type::new(oid::REFCURSOR)));
        }
        if lower == "record" {
            return Ok(VarType::Record);
        }
        if let Some(n) = lower.strip_suffix("%rowtype") {
            let Some(path) = defs::split_name(written[..n.len()].trim()) else {
                bail!(SYNTAX_ERROR, "invalid type name \"{written}\"")
            };
            return match self.rows(&path)? {
                Some(rows) => Ok(VarType::Row(rows)),
                None => bail!(UNDEFINED_TABLE, "relation \"{}\" does not exist", path.join(".")),
            };
        }
        if let Some(n) = lower.strip_suffix("%type") {
            let of = written[..n.len()].trim_end();
            // What is no column is read as a type's name, which has no such sign.
            let Some(ty) = self.column_type(of)? else {
                let e = err!(SYNTAX_ERROR, "syntax error at or near \"%\"");
                let sign = of.chars().count() as u32 + 1;
                return Err(e.at(Some(sign)).context(format!("invalid type name \"{written}\"")));
            };
            return Ok(row_of_type(ty, self.catalog).map_or(VarType::Plain(ty), VarType::Row));
        }
        let t = pamir_plan::parser::parse_type(written)?;
        match pamir_plan::bind::bind_type(&t, self.catalog, self.scope) {
            Ok(ty) if row_of_type(ty, self.catalog).is_some() => Ok(VarType::Row(ty)),
            Ok(ty)
                if matches!(ty.oid, oid::VOID | oid::TRIGGER | oid::EVENT_TRIGGER) || oid::is_polymorphic(ty.oid) =>
            {
                let shown = type_display(ty);
                Err(err!(FEATURE_NOT_SUPPORTED, "variable has pseudo-type {shown}"))
            }
            Ok(ty) => Ok(VarType::Plain(ty)),
            Err(e) if e.code() == state::UNDEFINED_OBJECT => match self.rows(&t.parts)? {
                Some(rows) if t.array.is_empty() => Ok(VarType::Row(rows)),
                _ => Err(e),
            },
            Err(e) => Err(e),
        }
    }
}
