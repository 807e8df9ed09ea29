//! Statements, loops over rows, cursors, RETURN QUERY.
use super::*;
use crate::tree::{FetchHow, Into, Step, Target};
use crate::{Dynamic, NewCursor, Output, Rows};
use pamir_parse::lexer::Kind;
use pamir_parse::tree::{ExprKind, Statement};
use pamir_types::error::Severity;

const NO_DATA_FOUND: SqlState = SqlState::new("P0002");
const TOO_MANY_ROWS: SqlState = SqlState::new("P0003");

impl Run<'_, '_> {
    fn query(&mut self, s: &Sql, limit: u64) -> Result<Rows> {
        self.query_as(s, limit, false)
    }
    fn query_as(&mut self, s: &Sql, limit: u64, cursor: bool) -> Result<Rows> {
        let here = self.here;
        let ready = &mut self.ready[s.number];
        self.host.query(self.f, Asked { sql: s, ready, vars: &self.vars, types: &self.types, here, cursor }, limit)
    }
    /// EXECUTE's text, and its parameters.
    fn dynamic_parts(&mut self, query: &Sql, using: &[Sql]) -> Result<(String, Vec<(Type, Datum)>)> {
        let (d, t) = self.eval(query, Want::Any)?;
        if d.is_null() {
            bail!(NULL_VALUE_NOT_ALLOWED, "query string argument of EXECUTE is null");
        }
        let text = self.host.text_of(&d, t)?;
        let mut params = Vec::with_capacity(using.len());
        for s in using {
            let (d, t) = self.eval(s, Want::Any)?;
            params.push((if t.oid == oid::UNKNOWN { Type::TEXT } else { t }, d));
        }
        Ok((text, params))
    }
    fn rows_of(&mut self, q: &Query, limit: u64, cursor: bool) -> Result<Rows> {
        match q {
            Query::Static(s) => self.query_as(s, limit, cursor),
            Query::Dynamic(s, using) => {
                let (text, params) = self.dynamic_parts(s, using)?;
                let here = self.here;
                self.host.dynamic(Dynamic { text: &text, params: &params, here, cursor }, limit)
            }
        }
    }
    pub(super) fn execute(&mut self, s: &Sql, into: Option<&Into>, strict: bool) -> Result<()> {
        // One row more than is wanted tells that there are several.
        let rows = self.query(s, if into.is_some() { 2 } else { 0 })?;
        let found = if into.is_some() && rows.has_rows { !rows.rows.is_empty() } else { rows.processed > 0 };
        self.row_count = if into.is_some() && rows.has_rows { rows.processed.min(1) } else { rows.processed };
        match into {
            Some(i) => {
                self.set_found(found);
                self.several(&rows, strict || writes(&s.text), s)?;
                self.first_into(i, rows, strict, |r| r.used_params(s))
            }
            None if rows.has_rows => Err(no_destination()),
            None => {
                self.set_found(found);
                Ok(())
            }
        }
    }
    /// More rows than the one that a static statement's INTO takes: of what is strict and of what writes an error, else as the settings say.
    fn several(&mut self, rows: &Rows, error: bool, s: &Sql) -> Result<()> {
        if rows.rows.len() < 2 || !rows.has_rows {
            return Ok(());
        }
        let level = if error { Some(Severity::Error) } else { self.host.extra("too_many_rows") };
        let Some(level) = level else { return Ok(()) };
        let e = Error::new(TOO_MANY_ROWS, "query returned more than one row")
            .hint("Make sure the query returns a single row, or use LIMIT 1.");
        let e = match self.f.print_strict {
            true => with_params(e, self.used_params(s)?),
            false => e,
        };
        self.tell(e, level)
    }
    /// An error, or a warning that is said.
    pub(super) fn tell(&mut self, e: Error, level: Severity) -> Result<()> {
        if level == Severity::Error {
            return Err(e);
        }
        let e = self.with_context(e.severity(level));
        self.host.say(e);
        Ok(())
    }
    /// The variables that a text names, with their values: `a = '1', b = NULL`.
    fn used_params(&mut self, s: &Sql) -> Result<String> {
        let names = self.f.names(s, &[]);
        let tokens = pamir_parse::lexer::tokens(&s.text)?.list;
        let mut used: Vec<usize> = Vec::new();
        for (i, t) in tokens.iter().enumerate() {
            work::charge(10)?;
            let behind_dot = i > 0 && tokens[i - 1].kind == Kind::Dot;
            if behind_dot || !matches!(t.kind, Kind::Ident | Kind::Keyword(_)) {
                continue;
            }
            let Ok((name, _)) = pamir_parse::lexer::name(&s.text, *t) else { continue };
            if let Some((v, [])) = names.find(&[name]) {
                used.push(usize::from(v.number));
            }
        }
        used.sort_unstable();
        used.dedup();
        let mut out = Vec::with_capacity(used.len());
        for n in used {
            let (d, t) = (self.vars[n].clone(), self.types[n]);
            out.push(self.shown_param(&self.f.vars[n].name, &d, t)?);
        }
        Ok(out.join(", "))
    }
    fn shown_param(&mut self, name: &str, d: &Datum, t: Type) -> Result<String> {
        if d.is_null() {
            return Ok(format!("{name} = NULL"));
        }
        let text = self.host.text_of(d, t)?;
        Ok(format!("{name} = '{}'", text.replace('\'', "''")))
    }
    fn first_into(
        &mut self,
        into: &Into,
        rows: Rows,
        strict: bool,
        params: impl FnOnce(&mut Self) -> Result<String>,
    ) -> Result<()> {
        if !rows.has_rows {
            bail!(SYNTAX_ERROR, "INTO used with a command that cannot return data");
        }
        let wrong = match rows.rows.len() {
            0 => Some(Error::new(NO_DATA_FOUND, "query returned no rows")),
            1 => None,
            _ => Some(Error::new(TOO_MANY_ROWS, "query returned more than one row")),
        };
        if let Some(e) = wrong.filter(|_| strict) {
            return Err(if self.f.print_strict { with_params(e, params(self)?) } else { e });
        }
        self.row_into(into, &rows.columns, rows.rows.first().map(|r| &r[..]))
    }
    pub(super) fn dynamic(&mut self, query: &Sql, using: &[Sql], into: Option<&Into>, strict: bool) -> Result<()> {
        let (text, params) = self.dynamic_parts(query, using)?;
        let rows = self.host.dynamic(Dynamic { text: &text, params: &params, here: self.here, cursor: false }, 0)?;
        self.row_count = rows.processed;
        match into {
            Some(i) => self.first_into(i, rows, strict, |r| {
                let mut out = Vec::with_capacity(params.len());
                for (i, (t, d)) in params.iter().enumerate() {
                    out.push(r.shown_param(&format!("${}", i + 1), d, *t)?);
                }
                Ok(out.join(", "))
            }),
            None => Ok(()),
        }
    }
    pub(super) fn perform(&mut self, s: &Sql) -> Result<()> {
        let rows = self.query(s, 0)?;
        self.row_count = rows.processed;
        self.set_found(rows.processed > 0);
        Ok(())
    }
    pub(super) fn call_procedure(&mut self, s: &Sql) -> Result<()> {
        let (here, f) = (self.here, self.f);
        let ready = &mut self.ready[s.number];
        let asked = Asked { sql: s, ready, vars: &self.vars, types: &self.types, here, cursor: false };
        let mut targets = Vec::new();
        let rows = self.host.call(f, asked, &mut |outputs| {
            targets = targets_of(f, s, outputs)?;
            Ok(())
        })?;
        // OUT arguments are variables that the call names.
        let Some(row) = rows.rows.first() else { return Ok(()) };
        for (i, t) in targets.iter().enumerate() {
            if let (Some(d), Some(c)) = (row.get(i), rows.columns.get(i)) {
                self.put(t, d.clone(), c.1)?;
            }
        }
        Ok(())
    }
    pub(super) fn for_query(
        &mut self,
        label: &Option<String>,
        into: &Into,
        query: &Query,
        body: &[Stmt],
    ) -> Result<Flow> {
        let here = self.here;
        let rows = self.rows_of(query, 0, true)?;
        if !rows.has_rows {
            bail!(INVALID_CURSOR_DEFINITION, "cannot open query as cursor: it returns no rows");
        }
        self.over(label, into, rows, body, here)
    }
    /// A loop's turns over rows.
    fn over(&mut self, label: &Option<String>, into: &Into, rows: Rows, body: &[Stmt], here: Here) -> Result<Flow> {
        let (mut found, mut left) = (false, Flow::Next);
        if rows.rows.is_empty() {
            self.row_into(into, &rows.columns, None)?;
        }
        for row in &rows.rows {
            work::charge(STATEMENT)?;
            self.here = here;
            found = true;
            self.row_into(into, &rows.columns, Some(row))?;
            if let Some(out) = turn(self.statements(body)?, label) {
                left = out;
                break;
            }
        }
        self.set_found(found);
        Ok(left)
    }
    /// Gives a declared cursor's arguments to their variables.
    fn bind_cursor(&mut self, cursor: usize, args: &[Sql]) -> Result<()> {
        let f = self.f;
        let Some(c) = &f.vars[cursor].cursor else { return Ok(()) };
        for (n, s) in std::iter::zip(&c.args, args) {
            let want = self.wanted(*n);
            let (d, t) = self.eval(s, want)?;
            self.store(*n, d, t)?;
        }
        Ok(())
    }
    pub(super) fn for_cursor(
        &mut self,
        label: &Option<String>,
        var: usize,
        cursor: usize,
        args: &[Sql],
        body: &[Stmt],
    ) -> Result<Flow> {
        if self.f.current_of {
            return self.along_cursor(label, var, cursor, args, body);
        }
        self.bind_cursor(cursor, args)?;
        let f = self.f;
        let Some(c) = &f.vars[cursor].cursor else { return Err(Error::internal("a cursor was expected")) };
        let here = self.here;
        let rows = self.query_as(&c.query, 0, true)?;
        self.over(label, &Into::Record(var), rows, body, here)
    }
    /// A loop that opens its cursor and fetches from it, so that its statements find the row that it is on.
    fn along_cursor(
        &mut self,
        label: &Option<String>,
        var: usize,
        cursor: usize,
        args: &[Sql],
        body: &[Stmt],
    ) -> Result<Flow> {
        let (here, unnamed) = (self.here, matches!(self.vars[cursor], Datum::Null));
        self.open(cursor, None, args, true)?;
        let name = self.cursor_name(cursor)?;
        let (mut left, mut found) = (Flow::Next, false);
        loop {
            work::charge(STATEMENT)?;
            self.here = here;
            let rows = self.host.fetch(&name, FetchHow::Forward, 1)?;
            let row = rows.rows.first().map(|r| &r[..]);
            if row.is_none() && found {
                break;
            }
            self.row_into(&Into::Record(var), &rows.columns, row)?;
            if row.is_none() {
                break;
            }
            found = true;
            if let Some(out) = turn(self.statements(body)?, label) {
                left = out;
                break;
            }
        }
        self.host.close(&name)?;
        if unnamed {
            self.vars[cursor] = Datum::Null;
        }
        self.set_found(found);
        Ok(left)
    }
    pub(super) fn open(&mut self, cursor: usize, query: Option<&Query>, args: &[Sql], backward: bool) -> Result<()> {
        let f = self.f;
        let name = match &self.vars[cursor] {
            Datum::Text(s) => Some(s.to_string()),
            _ => None,
        };
        if name.is_none() && f.vars[cursor].constant {
            return Err(f.vars[cursor].is_constant());
        }
        let bound = f.vars[cursor].cursor.as_ref();
        let new =
            NewCursor { name: name.as_deref(), backward: backward && bound.is_none_or(|c| c.scroll != Some(false)) };
        let opened = match query {
            None => {
                self.bind_cursor(cursor, args)?;
                let Some(c) = &f.vars[cursor].cursor else { return Err(Error::internal("a cursor was expected")) };
                let here = self.here;
                let ready = &mut self.ready[c.query.number];
                let asked = Asked { sql: &c.query, ready, vars: &self.vars, types: &self.types, here, cursor: true };
                self.host.open(f, asked, new)?
            }
            Some(Query::Static(s)) => {
                let here = self.here;
                let ready = &mut self.ready[s.number];
                let asked = Asked { sql: s, ready, vars: &self.vars, types: &self.types, here, cursor: true };
                self.host.open(f, asked, new)?
            }
            Some(Query::Dynamic(s, using)) => {
                let (text, params) = self.dynamic_parts(s, using)?;
                self.host.open_dynamic(Dynamic { text: &text, params: &params, here: self.here, cursor: true }, new)?
            }
        };
        self.vars[cursor] = Datum::text(opened);
        Ok(())
    }
    pub(super) fn fetch(
        &mut self,
        cursor: usize,
        how: FetchHow,
        count: Option<&Sql>,
        into: Option<&Into>,
    ) -> Result<()> {
        let n = match count {
            None => 1,
            Some(s) => match self.eval(s, Want::As(Type::INT4))?.0 {
                Datum::Int4(n) => i64::from(n),
                _ => bail!(NULL_VALUE_NOT_ALLOWED, "relative or absolute cursor position is null"),
            },
        };
        let name = self.cursor_name(cursor)?;
        let rows = self.host.fetch(&name, how, n)?;
        if let Some(i) = into {
            self.row_into(i, &rows.columns, rows.rows.first().map(|r| &r[..]))?;
        }
        self.row_count = rows.processed;
        self.set_found(rows.processed > 0);
        Ok(())
    }
    pub(super) fn return_query(&mut self, q: &Query) -> Result<()> {
        let rows = self.rows_of(q, 0, false)?;
        if !rows.has_rows {
            bail!(SYNTAX_ERROR, "query does not return tuples");
        }
        let f = self.f;
        let r = self.returns;
        let expected: Option<Vec<Type>> = if !f.out.is_empty() && r.row.is_none() {
            Some(f.out.iter().map(|n| self.types[*n]).collect())
        } else if let Some(shape) = r.row.and_then(|t| self.host.shape(t)) {
            Some(shape.iter().map(|s| s.1).collect())
        } else if r.ty.oid == oid::RECORD {
            None
        } else {
            Some(vec![r.ty])
        };
        let mismatch = || {
            let e = err!(DATATYPE_MISMATCH, "structure of query does not match function result type");
            match q {
                Query::Static(s) => e.context(format!("SQL statement \"{}\"", s.text)),
                Query::Dynamic(..) => e,
            }
        };
        if let Some(want) = &expected {
            if want.len() != rows.columns.len() {
                return Err(mismatch().detail(format!(
                    "Number of returned columns ({}) does not match expected column count ({}).",
                    rows.columns.len(),
                    want.len()
                )));
            }
            for (i, (t, c)) in std::iter::zip(want, &rows.columns).enumerate() {
                if t.oid != c.1.oid {
                    let show = |t: Type| pamir_types::text::type_display(t);
                    return Err(mismatch().detail(format!(
                        "Returned type {} does not match expected type {} in column {}.",
                        show(c.1),
                        show(*t),
                        i + 1
                    )));
                }
            }
        }
        let n = rows.rows.len() as u64;
        for row in rows.rows {
            work::charge(STATEMENT)?;
            self.emit(row)?;
        }
        self.row_count = n;
        self.set_found(n > 0);
        Ok(())
    }
}

fn with_params(e: Error, params: String) -> Error {
    if params.is_empty() { e } else { e.detail(format!("parameters: {params}")) }
}
/// Does a statement write? It gives one row at most to INTO in any case.
fn writes(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    ["insert", "update", "delete", "merge"].iter().any(|w| first.eq_ignore_ascii_case(w))
}
fn no_destination() -> Error {
    err!(SYNTAX_ERROR, "query has no destination for result data")
        .hint("If you want to discard the results of a SELECT, use PERFORM instead.")
}

/// The variables, or fields of records, that a CALL has for these parameters.
fn targets_of(f: &Function, s: &Sql, outputs: &[Output]) -> Result<Vec<Target>> {
    let parsed = pamir_parse::parse(&s.text, pamir_parse::PLAIN)?;
    let Some((Statement::Call(call), _)) = parsed.statements.first() else { return Ok(Vec::new()) };
    let names = f.names(s, &[]);
    let one = |o: &Output| {
        let refused = || {
            let which = match o.name.is_empty() {
                true => format!("at position {}", o.at + 1),
                false => format!("\"{}\"", o.name),
            };
            let what = "is an output parameter but corresponding argument is not writable";
            err!(SYNTAX_ERROR, "procedure parameter {which} {what}")
        };
        let path = match call.args.get(o.at).map(|a| &a.value.kind) {
            Some(ExprKind::Column { path, star: false }) => path,
            _ => return Err(refused()),
        };
        let (var, rest) = names.find(path).ok_or_else(refused)?;
        let n = usize::from(var.number);
        let v = f.vars.get(n).filter(|v| rest.is_empty() || matches!(v.ty, VarType::Record | VarType::Row(_)));
        let v = v.ok_or_else(refused)?;
        if v.constant {
            return Err(v.is_constant());
        }
        Ok(Target { var: n, steps: rest.iter().cloned().map(Step::Field).collect() })
    };
    outputs.iter().map(one).collect()
}
