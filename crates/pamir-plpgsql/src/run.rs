//! The interpreter: a tree walked over a frame of values.
//!
//! ```text
//!   Frame: vars, types (a record's change), ready (what the host made of SQL)      statement --> Flow: go on, leave a loop, return
//! ```
//! An error that leaves a function takes the function's line along (CONTEXT): the statement that ran last is noted before it runs.
mod assign;
mod raise;
mod sql;

use crate::tree::{Block, Condition, Function, Handlers, Name, Query, Returns, Sql, Stmt, StmtKind};
use crate::{Asked, Host, Ready, VarType, Want};
use pamir_types::error::state;
use pamir_types::record::Record;
use pamir_types::{Datum, Error, Result, SqlState, Type, bail, err, oid, work};
use std::sync::Arc;

/// What a turn of a loop, or a statement, costs beside what it runs.
const STATEMENT: usize = 50;
const ASSERT_FAILURE: SqlState = SqlState::new("P0004");

/// Takes the rows of a function that returns a set.
pub type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

/// What a call is given and gives.
pub struct Call<'a> {
    /// Of the IN parameters, in order.
    pub args: Vec<Datum>,
    /// Concrete types of all variables, where parameters are polymorphic.
    pub types: Vec<Type>,
    pub push: Option<Push<'a>>,
    /// What the call says of the rows of a function that returns record: `AS (a int, b text)`.
    pub row: Option<Type>,
    /// OLD and NEW with their row's type, and TG_ variables.
    pub trigger: Option<TriggerCall>,
}
pub struct TriggerCall {
    pub row: Type,
    pub new: Option<Datum>,
    pub old: Option<Datum>,
    pub vars: Vec<Datum>,
}

enum Flow {
    Next,
    Exit(Option<String>),
    Continue(Option<String>),
    Return,
}

struct Run<'a, 'p> {
    host: &'a mut dyn Host,
    f: &'a Function,
    vars: Vec<Datum>,
    types: Vec<Type>,
    ready: Vec<Option<Ready>>,
    push: Option<Push<'p>>,
    /// What the function declares, and its call.
    returns: Returns,
    result: Option<(Datum, Type)>,
    row_count: u64,
    /// What runs, for CONTEXT.
    here: Here,
    /// Errors that handlers are at work on.
    errors: Vec<Error>,
    /// The error on its way has this function's line already.
    told: bool,
}
/// Where a function is, for CONTEXT: two words, written and read whole, for they are noted before each statement and told to the host with each expression.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    what: Name,
    /// The line above the phase's byte.
    at: u64,
}
impl Default for Here {
    fn default() -> Here {
        Here::new(0, BLOCK, Phase::Entry)
    }
}
impl Here {
    #[inline]
    fn new(line: u32, what: Name, phase: Phase) -> Here {
        Here { what, at: u64::from(line) << 8 | phase as u64 }
    }
    fn in_phase(self, phase: Phase) -> Here {
        Here { at: self.at & !0xff | phase as u64, ..self }
    }
    /// `PL/pgSQL function f() line 3 at RAISE`
    pub fn shown(&self, signature: &str) -> String {
        let (f, line) = (signature, self.at >> 8);
        match Phase::ALL.iter().find(|p| **p as u64 == self.at & 0xff) {
            Some(Phase::Entry) => format!("PL/pgSQL function {f} during function entry"),
            Some(Phase::Variables) => {
                format!("PL/pgSQL function {f} line {line} during statement block local variable initialization")
            }
            Some(Phase::Statement) => format!("PL/pgSQL function {f} line {line} at {}", self.what),
            Some(Phase::Result) => {
                format!("PL/pgSQL function {f} while casting return value to function's return type")
            }
            Some(Phase::Exit) | None => format!("PL/pgSQL function {f}"),
        }
    }
}
#[derive(Clone, Copy, Debug)]
enum Phase {
    Entry,
    Statement,
    Variables,
    Exit,
    Result,
}
impl Phase {
    const ALL: [Phase; 5] = [Phase::Entry, Phase::Statement, Phase::Variables, Phase::Exit, Phase::Result];
}
const BLOCK: Name = &"statement block";

/// Runs a function; its value, or for a procedure and several OUT parameters a record of theirs.
pub fn call(host: &mut dyn Host, f: &Function, call: Call) -> Result<Datum> {
    let mut r = Run {
        host,
        f,
        vars: vec![Datum::Null; f.vars.len()],
        types: call.types,
        ready: vec![None; f.sqls],
        push: call.push,
        returns: Returns { row: f.returns.row.or(call.row), ..f.returns },
        result: None,
        row_count: 0,
        here: Here::new(f.body.line, BLOCK, Phase::Entry),
        errors: Vec::new(),
        told: false,
    };
    r.whole(call.args, call.trigger).map_err(|e| r.with_context(e))
}

impl Run<'_, '_> {
    fn whole(&mut self, args: Vec<Datum>, trigger: Option<TriggerCall>) -> Result<Datum> {
        let f = self.f;
        for (n, d) in std::iter::zip(&f.inputs, args) {
            self.take_argument(*n, d)?;
        }
        if let Some(v) = self.vars.get_mut(f.found) {
            *v = Datum::Bool(false);
        }
        let of_trigger = trigger.is_some();
        if let (Some(t), Some(at)) = (trigger, f.trigger) {
            for (n, d) in [(at.new, t.new), (at.old, t.old)] {
                // A row that there is not is NULL, and so are its fields.
                self.types[n] = t.row;
                self.vars[n] = d.unwrap_or(Datum::Null);
            }
            for (i, d) in t.vars.into_iter().enumerate() {
                self.vars[at.first + i] = d;
            }
        }
        let flow = self.block(&f.body)?;
        self.here = self.here.in_phase(Phase::Exit);
        if !matches!(flow, Flow::Return) {
            let ends = f.returns.set || f.returns.procedure || f.returns.ty.oid == oid::VOID || !f.out.is_empty();
            if !ends || of_trigger {
                let what = if of_trigger { "trigger procedure" } else { "function" };
                let code = SqlState::new("2F005");
                return Err(Error::new(code, format!("control reached end of {what} without RETURN")));
            }
        }
        self.here = self.here.in_phase(Phase::Result);
        self.outcome()
    }
    fn take_argument(&mut self, n: usize, d: Datum) -> Result<()> {
        // A record says its own shape where neither its parameter nor the call does.
        if let (Datum::Record(fields), Some(VarType::Record)) = (&d, self.f.vars.get(n).map(|v| v.ty))
            && self.host.shape(self.types[n]).is_none()
        {
            let named = fields.iter().enumerate().map(|(i, (t, _))| (format!("f{}", i + 1), *t)).collect();
            self.types[n] = pamir_expr::func::rowtype::of(named);
        }
        self.vars[n] = d;
        Ok(())
    }
    /// What the call gives when its body has ended.
    fn outcome(&mut self) -> Result<Datum> {
        let f = self.f;
        if f.returns.set {
            return Ok(Datum::Null);
        }
        if f.returns.ty.oid == oid::VOID && !f.returns.procedure {
            // PostgreSQL's void of this language is not NULL.
            return Ok(Datum::from(""));
        }
        match (f.out.as_slice(), self.result.take()) {
            (_, Some((d, t))) if f.returns.row.is_none() && f.returns.ty.oid != oid::RECORD && f.trigger.is_none() => {
                let kept = d.is_null() && !oid::is_domain(f.returns.ty.oid);
                if kept || f.returns.ty.oid == oid::VOID { Ok(d) } else { self.host.cast(d, t, f.returns.ty) }
            }
            (_, Some((d, _))) if oid::is_domain(f.returns.ty.oid) => {
                self.host.cast(d, self.host.base(f.returns.ty), f.returns.ty)
            }
            (_, Some((d, _))) => Ok(d),
            ([], None) => Ok(Datum::Null),
            ([one], None) if !f.returns.procedure => Ok(self.vars[*one].clone()),
            (many, None) => {
                let field = |n: &usize| (self.host.base(self.types[*n]), self.vars[*n].clone());
                let fields: Vec<(Type, Datum)> = many.iter().map(field).collect();
                Datum::record(fields)
            }
        }
    }
    /// The error with this function's line.
    fn with_context(&self, e: Error) -> Error {
        if self.told {
            return e;
        }
        let line = self.context_line();
        let before = e.data().context.clone();
        e.context(before.map_or_else(|| line.clone(), |c| format!("{c}\n{line}")))
    }
    fn context_line(&self) -> String {
        self.here.shown(&self.f.signature)
    }
    /// The function's own line and those of its callers.
    fn whole_context(&self) -> String {
        std::iter::once(self.context_line()).chain(self.host.callers()).collect::<Vec<_>>().join("\n")
    }

    // ---- SQL ----

    fn eval(&mut self, s: &Sql, want: Want) -> Result<(Datum, Type)> {
        let mut d = Datum::Null;
        let t = self.eval_to(s, want, &mut d)?;
        Ok((d, t))
    }
    /// The value to where it is wanted: see [`pamir_expr::expr::eval_to`].
    fn eval_to(&mut self, s: &Sql, want: Want, out: &mut Datum) -> Result<Type> {
        let (here, ready) = (self.here, &mut self.ready[s.number]);
        let asked = Asked { sql: s, ready, vars: &self.vars, types: &self.types, here, cursor: false };
        self.host.eval(self.f, asked, want, out)
    }
    /// A condition: NULL is false.
    fn holds(&mut self, s: &Sql) -> Result<bool> {
        let mut d = Datum::Null;
        self.eval_to(s, Want::As(Type::BOOL), &mut d)?;
        Ok(matches!(d, Datum::Bool(true)))
    }
    fn set_found(&mut self, found: bool) {
        self.vars[self.f.found] = Datum::Bool(found);
    }

    // ---- blocks ----

    fn block(&mut self, b: &Block) -> Result<Flow> {
        for n in &b.declares {
            let v = &self.f.vars[*n];
            self.here = Here::new(v.line, self.here.what, Phase::Variables);
            self.vars[*n] = Datum::Null;
            if v.ty == VarType::Record {
                self.types[*n] = Type::new(oid::RECORD);
            }
            if v.cursor.is_some() {
                // The portal's name, unless the body gives another.
                self.vars[*n] = Datum::text(v.name.as_str());
            }
            if let Some(s) = &v.default {
                let want = self.wanted(*n);
                let (d, t) = self.eval(s, want)?;
                self.store(*n, d, t)?;
            } else if let VarType::Plain(t) | VarType::Row(t) = v.ty
                && oid::is_domain(t.oid)
            {
                // It may refuse NULL.
                self.store(*n, Datum::Null, Type::UNKNOWN)?;
            }
        }
        self.here = self.here.in_phase(Phase::Statement);
        let flow = match &b.handlers {
            None => self.statements(&b.body)?,
            Some(h) => self.guarded(b, h)?,
        };
        Ok(match flow {
            Flow::Exit(Some(l)) if b.label.as_ref() == Some(&l) => Flow::Next,
            f => f,
        })
    }
    /// A block with EXCEPTION: its body is a subtransaction.
    fn guarded(&mut self, b: &Block, h: &Handlers) -> Result<Flow> {
        self.here = Here::new(b.line, BLOCK, Phase::Statement);
        self.host.savepoint()?;
        let e = match self.statements(&b.body) {
            Ok(flow) => {
                self.host.release()?;
                return Ok(flow);
            }
            Err(e) => e,
        };
        self.host.rollback_to()?;
        let handler = h.list.iter().find(|x| x.conditions.iter().any(|c| catches(*c, &e)));
        let Some(handler) = handler.filter(|_| !e.is_of_lost_leader()) else { return Err(e) };
        let e = self.with_context(e);
        self.told = false;
        self.vars[h.sqlstate] = Datum::from(e.code().as_str());
        self.vars[h.sqlerrm] = Datum::from(e.message());
        self.errors.push(e);
        let r = self.statements(&handler.body);
        self.errors.pop();
        r
    }
    fn statements(&mut self, list: &[Stmt]) -> Result<Flow> {
        for s in list {
            work::charge(STATEMENT)?;
            self.here = Here::new(s.line, name_of(&s.kind), Phase::Statement);
            let flow = match &s.kind {
                StmtKind::Assign(t, v) => {
                    self.assign(t, v)?;
                    continue;
                }
                // What has statements in it looks for stack once, not in each of its turns.
                k if k.nests() && pamir_expr::deep::is_short_of(crate::LEVEL_STACK) => {
                    pamir_expr::deep::on_stack_for(true, || self.statement(s))
                }
                _ => self.statement(s),
            };
            match flow? {
                Flow::Next => {}
                f => return Ok(f),
            }
        }
        Ok(Flow::Next)
    }
    fn statement(&mut self, s: &Stmt) -> Result<Flow> {
        use StmtKind as K;
        match &s.kind {
            K::Assign(t, v) => self.assign(t, v)?,
            K::If(arms, otherwise) => {
                for (condition, body) in arms {
                    if self.holds(condition)? {
                        return self.statements(body);
                    }
                }
                return self.statements(otherwise);
            }
            K::Block(b) => return self.block(b),
            K::Case { subject, whens, otherwise } => return self.case(subject.as_ref(), whens, otherwise.as_deref()),
            K::Loop(label, body) => loop {
                work::charge(STATEMENT)?;
                if let Some(out) = turn(self.statements(body)?, label) {
                    return Ok(out);
                }
            },
            K::While(label, condition, body) => loop {
                work::charge(STATEMENT)?;
                self.here = Here::new(s.line, &"WHILE", Phase::Statement);
                if !self.holds(condition)? {
                    break;
                }
                if let Some(out) = turn(self.statements(body)?, label) {
                    return Ok(out);
                }
            },
            K::ForInt { label, var, reverse, from, to, by, body } => {
                return self.for_int(label, *var, *reverse, [Some(from), Some(to), by.as_ref()], body);
            }
            K::ForQuery { label, into, query, body } => return self.for_query(label, into, query, body),
            K::ForCursor { label, var, cursor, args, body } => {
                return self.for_cursor(label, *var, *cursor, args, body);
            }
            K::Foreach { label, into, slice, array, body } => return self.foreach(label, into, *slice, array, body),
            K::Exit { exit, label, when } => {
                if let Some(w) = when
                    && !self.holds(w)?
                {
                    return Ok(Flow::Next);
                }
                return Ok(if *exit { Flow::Exit(label.clone()) } else { Flow::Continue(label.clone()) });
            }
            K::Return(v) => {
                self.give(v.as_ref())?;
                return Ok(Flow::Return);
            }
            K::ReturnNext(v) => self.return_next(v.as_ref())?,
            K::ReturnQuery(q) => self.return_query(q)?,
            K::Raise(r) => self.raise(r)?,
            K::Assert(condition, message) => self.assert(condition, message.as_ref())?,
            K::Execute { sql, into, strict, .. } => self.execute(sql, into.as_ref(), *strict)?,
            K::Dynamic { query, using, into, strict } => self.dynamic(query, using, into.as_ref(), *strict)?,
            K::Perform(s) => self.perform(s)?,
            K::Call { sql, .. } => self.call_procedure(sql)?,
            K::Diagnostics { stacked, items } => self.diagnostics(*stacked, items)?,
            K::Open { cursor, query, args, backward } => self.open(*cursor, query.as_ref(), args, *backward)?,
            K::Fetch { cursor, how, count, into } => self.fetch(*cursor, *how, count.as_ref(), into.as_ref())?,
            K::Close(cursor) => {
                let name = self.cursor_name(*cursor)?;
                self.host.close(&name)?;
            }
            K::Transaction { commit, chain } => self.host.end_transaction(*commit, *chain)?,
            K::Null => {}
        }
        Ok(Flow::Next)
    }
    fn case(
        &mut self,
        subject: Option<&(usize, Sql)>,
        whens: &[(Sql, Vec<Stmt>)],
        otherwise: Option<&[Stmt]>,
    ) -> Result<Flow> {
        if let Some((var, s)) = subject {
            let (d, t) = self.eval(s, Want::Any)?;
            (self.vars[*var], self.types[*var]) = (d, t);
        }
        for (condition, body) in whens {
            if self.holds(condition)? {
                return self.statements(body);
            }
        }
        match otherwise {
            Some(body) => self.statements(body),
            None => {
                let e = Error::new(SqlState::new("20000"), "case not found");
                Err(e.hint("CASE statement is missing ELSE part."))
            }
        }
    }
    fn for_int(
        &mut self,
        label: &Option<String>,
        var: usize,
        reverse: bool,
        bounds: [Option<&Sql>; 3],
        body: &[Stmt],
    ) -> Result<Flow> {
        let mut values = [0i32, 0, 1];
        for (i, what) in ["lower bound", "upper bound", "BY value"].into_iter().enumerate() {
            let Some(s) = bounds[i] else { continue };
            match self.eval(s, Want::As(Type::INT4))?.0 {
                Datum::Int4(v) => values[i] = v,
                Datum::Null => bail!(NULL_VALUE_NOT_ALLOWED, "{what} of FOR loop cannot be null"),
                _ => return Err(Error::internal("a loop's bound is no integer")),
            }
        }
        let [mut at, to, by] = values;
        if by <= 0 {
            bail!(INVALID_PARAMETER_VALUE, "BY value of FOR loop must be greater than zero");
        }
        let mut found = false;
        let mut left = Flow::Next;
        while if reverse { at >= to } else { at <= to } {
            work::charge(STATEMENT)?;
            found = true;
            self.vars[var] = Datum::Int4(at);
            if let Some(out) = turn(self.statements(body)?, label) {
                left = out;
                break;
            }
            let next = if reverse { at.checked_sub(by) } else { at.checked_add(by) };
            match next {
                Some(n) => at = n,
                None => break,
            }
        }
        self.set_found(found);
        Ok(left)
    }
    fn foreach(
        &mut self,
        label: &Option<String>,
        into: &crate::tree::Into,
        slice: u32,
        array: &Sql,
        body: &[Stmt],
    ) -> Result<Flow> {
        let (d, ty) = self.eval(array, Want::Any)?;
        let array = match d {
            Datum::Array(a) => a,
            Datum::Null => bail!(NULL_VALUE_NOT_ALLOWED, "FOREACH expression must not be null"),
            _ => {
                let shown = pamir_expr::casts::show(ty.oid);
                bail!(DATATYPE_MISMATCH, "FOREACH expression must yield an array, not type {shown}");
            }
        };
        let elem = self.host.base(ty).element().unwrap_or(Type::TEXT);
        let slices = self.slices(&array, slice, into)?;
        let of = if slice > 0 { self.host.base(ty) } else { elem };
        let columns = self.item_columns(into, of)?;
        let scalar = matches!(into, crate::tree::Into::List(l) if l.len() == 1);
        let here = self.here;
        let (mut found, mut left) = (false, Flow::Next);
        for item in slices.as_deref().unwrap_or(&array.items) {
            work::charge(STATEMENT)?;
            self.here = here;
            found = true;
            let parts: Vec<Datum>;
            let row = match item {
                _ if scalar => Some(std::slice::from_ref(item)),
                Datum::Record(fields) => {
                    parts = fields.iter().map(|f| f.1.clone()).collect();
                    Some(parts.as_slice())
                }
                _ => None,
            };
            self.row_into(into, &columns, row)?;
            if let Some(out) = turn(self.statements(body)?, label) {
                left = out;
                break;
            }
        }
        self.set_found(found);
        Ok(left)
    }
    /// The columns that an item of an array is to a loop's variables: of a composite type its fields, unless one variable takes it as it is.
    fn item_columns(&self, into: &crate::tree::Into, of: Type) -> Result<Vec<(String, Type)>> {
        let word = match into {
            crate::tree::Into::List(l) if l.len() == 1 => return Ok(vec![(String::new(), of)]),
            crate::tree::Into::List(_) => "row",
            crate::tree::Into::Record(n) if matches!(self.f.vars[*n].ty, VarType::Record) => "record",
            crate::tree::Into::Record(_) => "row",
        };
        match self.host.shape(of) {
            Some(fields) => Ok(fields.iter().map(|f| (f.0.clone(), f.1)).collect()),
            None => bail!(DATATYPE_MISMATCH, "cannot assign non-composite value to a {word} variable"),
        }
    }
    /// The arrays that a loop with SLICE takes one by one; None: it takes the items.
    fn slices(
        &mut self,
        array: &pamir_types::array::Array,
        slice: u32,
        into: &crate::tree::Into,
    ) -> Result<Option<Vec<Datum>>> {
        let (dims, n) = (&array.dims, slice as usize);
        if n > dims.len() {
            let code = state::ARRAY_SUBSCRIPT_ERROR;
            let message = format!("slice dimension ({slice}) is out of the valid range 0..{}", dims.len());
            return Err(Error::new(code, message));
        }
        let target = match into {
            crate::tree::Into::List(l) if l.len() == 1 => Some(self.types[l[0].var]),
            _ => None,
        };
        let is_array = target.is_some_and(|t| self.host.base(t).element().is_some());
        if n > 0 && target.is_some() && !is_array {
            bail!(DATATYPE_MISMATCH, "FOREACH ... SLICE loop variable must be of an array type");
        }
        if n == 0 && is_array {
            bail!(DATATYPE_MISMATCH, "FOREACH loop variable must not be of an array type");
        }
        if n == 0 {
            return Ok(None);
        }
        let inner = &dims[dims.len() - n..];
        let size = inner.iter().map(|d| d.0.max(0) as usize).product::<usize>().max(1);
        pamir_types::memory::admit(size_of_val(array.items.as_slice()))?;
        let of = |items: &[Datum]| pamir_types::array::Array {
            elem: array.elem,
            dims: inner.to_vec(),
            items: items.to_vec(),
        };
        Ok(Some(array.items.chunks(size).map(|c| Datum::Array(Arc::new(of(c)))).collect()))
    }
    /// The name of a cursor that is open, or is to be.
    fn cursor_name(&mut self, cursor: usize) -> Result<String> {
        match &self.vars[cursor] {
            Datum::Text(s) => Ok(s.to_string()),
            _ => {
                let name = &self.f.vars[cursor].name;
                bail!(NULL_VALUE_NOT_ALLOWED, "cursor variable \"{name}\" is null")
            }
        }
    }
}

/// What a loop does with what its body's turn came to; None: it goes on.
fn turn(flow: Flow, label: &Option<String>) -> Option<Flow> {
    match flow {
        Flow::Next | Flow::Continue(None) => None,
        Flow::Exit(None) => Some(Flow::Next),
        Flow::Exit(l) if l == *label => Some(Flow::Next),
        Flow::Continue(l) if l == *label => None,
        f => Some(f),
    }
}
fn catches(c: Condition, e: &Error) -> bool {
    match c {
        Condition::Others => e.code() != state::QUERY_CANCELED && e.code() != ASSERT_FAILURE,
        // A class's condition stands for all in it.
        Condition::State(s) if s.as_str().ends_with("000") => e.code().as_str()[..2] == s.as_str()[..2],
        Condition::State(s) => e.code() == s,
    }
}
/// What CONTEXT calls a statement.
fn name_of(k: &StmtKind) -> Name {
    use StmtKind as K;
    match k {
        K::Block(_) => &"statement block",
        K::Assign(..) => &"assignment",
        K::If(..) => &"IF",
        K::Case { .. } => &"CASE",
        K::Loop(..) => &"LOOP",
        K::While(..) => &"WHILE",
        K::ForInt { .. } => &"FOR with integer loop variable",
        K::ForQuery { query: Query::Static(_), .. } => &"FOR over SELECT rows",
        K::ForQuery { .. } => &"FOR over EXECUTE statement",
        K::ForCursor { .. } => &"FOR over cursor",
        K::Foreach { .. } => &"FOREACH over array",
        K::Exit { exit: true, .. } => &"EXIT",
        K::Exit { .. } => &"CONTINUE",
        K::Return(_) => &"RETURN",
        K::ReturnNext(_) => &"RETURN NEXT",
        K::ReturnQuery(_) => &"RETURN QUERY",
        K::Raise(_) => &"RAISE",
        K::Assert(..) => &"ASSERT",
        K::Execute { name, .. } | K::Call { name, .. } => name,
        K::Dynamic { .. } => &"EXECUTE",
        K::Perform(_) => &"PERFORM",
        K::Diagnostics { stacked: true, .. } => &"GET STACKED DIAGNOSTICS",
        K::Diagnostics { .. } => &"GET DIAGNOSTICS",
        K::Open { .. } => &"OPEN",
        K::Fetch { how: crate::tree::FetchHow::Move(_), .. } => &"MOVE",
        K::Fetch { .. } => &"FETCH",
        K::Close(_) => &"CLOSE",
        K::Transaction { commit: true, .. } => &"COMMIT",
        K::Transaction { .. } => &"ROLLBACK",
        K::Null => &"NULL",
    }
}

/// A record's fields.
fn fields_of(d: &Datum) -> Option<&Record> {
    match d {
        Datum::Record(f) => Some(f),
        _ => None,
    }
}
/// 55000 for a record that has no shape yet.
fn not_assigned(name: &str) -> Error {
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "record \"{name}\" is not assigned yet")
        .detail("The tuple structure of a not-yet-assigned record is indeterminate.")
}
