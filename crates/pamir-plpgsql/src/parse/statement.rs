//! Statements.
use super::*;
use crate::conditions;
use crate::tree::{
    Condition, Diagnostic, FetchHow, Handler, Handlers, Into, Level, Motion, Query, Raise, RaiseOption, Step, Stmt,
    StmtKind, Target,
};
use pamir_types::SqlState;

/// Of `sqlstate` and `sqlerrm`.
const STATE_VARS: [&str; 2] = ["sqlstate", "sqlerrm"];

/// What DO's block is called, which is a function that returns nothing.
const DO_BLOCK: &str = "inline_code_block";

impl Parser<'_> {
    /// Statements up to one of the words, which is left.
    pub(super) fn statements(&mut self, ends: &[&str]) -> Result<Vec<Stmt>> {
        use pamir_expr::deep;
        self.depth += 1;
        let short = deep::is_short_of(crate::LEVEL_STACK);
        if self.depth > MAX_DEPTH {
            return Err(deep::too_deep());
        }
        let r = deep::on_stack_for(short, || self.statements_until(ends));
        self.depth -= 1;
        r
    }
    fn statements_until(&mut self, ends: &[&str]) -> Result<Vec<Stmt>> {
        let mut out = Vec::new();
        loop {
            if ends.iter().any(|e| self.is(e)) && !self.assigns() {
                return Ok(out);
            }
            if self.kind() == Kind::End {
                return self.unexpected();
            }
            let line = self.line();
            let kind = self.statement()?;
            out.push(Stmt { line, kind });
        }
    }
    /// Does something follow the word that makes it a variable?
    fn assigns(&self) -> bool {
        matches!(self.ahead(1).kind, Kind::ColonEquals | Kind::Equals)
            || matches!(self.ahead(1).kind, Kind::Dot | Kind::LBracket)
                && self.word_at(0).is_some_and(|w| self.find(&[w]).is_some())
    }
    fn statement(&mut self) -> Result<StmtKind> {
        let label = self.label()?;
        if self.kind() == Kind::Param || self.kind() == Kind::Ident && !self.is_statement_word() || self.assigns() {
            return self.assignment_or_sql();
        }
        let Some(word) = self.word_at(0) else { return self.assignment_or_sql() };
        if label.is_some() && !matches!(word.as_str(), "declare" | "begin" | "loop" | "while" | "for" | "foreach") {
            return self.unexpected();
        }
        let kind = match word.as_str() {
            "declare" | "begin" => {
                let b = self.block(label)?;
                StmtKind::Block(b)
            }
            "if" => self.if_statement()?,
            "case" => self.case_statement()?,
            "loop" => {
                let body = self.loop_body(&label)?;
                return Ok(StmtKind::Loop(label, body));
            }
            "while" => {
                self.bump()?;
                let condition = self.expr_until(&["loop"])?;
                let body = self.loop_body(&label)?;
                return Ok(StmtKind::While(label, condition, body));
            }
            "for" => return self.for_statement(label),
            "foreach" => return self.foreach_statement(label),
            "exit" | "continue" => self.exit_statement(word == "exit")?,
            "return" => self.return_statement()?,
            "raise" => self.raise_statement()?,
            "assert" => {
                self.bump()?;
                let condition = self.expr_until(&[";", ","])?;
                let message = if self.eat(Kind::Comma)? { Some(self.expr_until(&[";"])?) } else { None };
                StmtKind::Assert(condition, message)
            }
            "perform" => {
                self.bump()?;
                StmtKind::Perform(self.expr_or_none()?)
            }
            "call" | "do" => {
                let (start, end) = self.piece(&|p| p.kind() == Kind::Semicolon, ";")?;
                let sql = self.sql_of(start, end, SqlKind::Statement)?;
                StmtKind::Call { sql, name: if word == "call" { &"CALL" } else { &"DO" } }
            }
            "execute" => self.execute_statement()?,
            "get" => self.diagnostics()?,
            "open" => self.open_statement()?,
            "fetch" => self.fetch_statement(false)?,
            "move" => self.fetch_statement(true)?,
            "close" => {
                self.bump()?;
                StmtKind::Close(self.cursor_variable()?)
            }
            "null" => {
                self.bump()?;
                StmtKind::Null
            }
            "commit" | "rollback" => {
                self.bump()?;
                let mut chain = false;
                if self.eat_word("and")? {
                    chain = !self.eat_word("no")?;
                    self.expect_word("chain")?;
                }
                StmtKind::Transaction { commit: word == "commit", chain }
            }
            "elsif" | "elseif" | "else" | "end" | "exception" | "when" | "then" => return self.unexpected(),
            _ => return self.sql_statement(),
        };
        self.expect(Kind::Semicolon)?;
        Ok(kind)
    }
    /// Words of the language that SQL has no keyword for.
    fn is_statement_word(&self) -> bool {
        const WORDS: &[&str] = &[
            "exit",
            "raise",
            "assert",
            "perform",
            "get",
            "open",
            "foreach",
            "while",
            "loop",
            "return",
            "elsif",
            "elseif",
            "if",
            "exception",
            "commit",
            "rollback",
            "continue",
        ];
        WORDS.iter().any(|w| self.is(w))
    }
    fn assignment_or_sql(&mut self) -> Result<StmtKind> {
        let by_name = || -> Option<usize> {
            let mut n = 0;
            loop {
                match self.ahead(n).kind {
                    Kind::Param if n == 0 => return Some(1),
                    Kind::Ident | Kind::Keyword(_) => n += 1,
                    _ => return None,
                }
                if self.ahead(n).kind != Kind::Dot {
                    return Some(n);
                }
                n += 1;
            }
        };
        match by_name().map(|n| self.ahead(n).kind) {
            Some(Kind::ColonEquals | Kind::Equals | Kind::LBracket) => {}
            _ if self.word_at(0).is_some() => return self.sql_statement(),
            _ => return self.unexpected(),
        }
        let start = self.now().start as usize;
        let mut target = self.target_of(true)?;
        loop {
            if self.eat(Kind::LBracket)? {
                let step = self.subscript()?;
                target.steps.push(step);
            } else if !target.steps.is_empty() && self.eat(Kind::Dot)? {
                target.steps.push(Step::Field(self.any_word()?));
            } else {
                break;
            }
        }
        if !self.eat(Kind::ColonEquals)? {
            self.expect(Kind::Equals)?;
        }
        let before = self.text.get(start..self.now().start as usize).unwrap_or("").to_string();
        let value = self.expr_or_none()?;
        let before = if value.text.is_empty() { before.trim_end().into() } else { before };
        let value = Sql { before, ..value };
        self.expect(Kind::Semicolon)?;
        Ok(StmtKind::Assign(target, value))
    }
    /// `i]` or `l:u]`
    fn subscript(&mut self) -> Result<Step> {
        let low = if self.kind() == Kind::Colon { None } else { Some(self.expr_until(&["]", ":"])?) };
        if !self.eat(Kind::Colon)? {
            self.expect(Kind::RBracket)?;
            return low.map_or_else(|| self.unexpected(), |i| Ok(Step::Index(i)));
        }
        let high = if self.kind() == Kind::RBracket { None } else { Some(self.expr_until(&["]"])?) };
        self.expect(Kind::RBracket)?;
        Ok(Step::Slice(low, high))
    }
    fn if_statement(&mut self) -> Result<StmtKind> {
        const ENDS: &[&str] = &["elsif", "elseif", "else", "end"];
        let (mut arms, mut otherwise) = (Vec::new(), Vec::new());
        loop {
            self.bump()?;
            let condition = self.expr_until(&["then"])?;
            self.bump()?;
            arms.push((condition, self.statements(ENDS)?));
            if !self.is("elsif") && !self.is("elseif") {
                break;
            }
        }
        if self.eat_word("else")? {
            otherwise = self.statements(&["end"])?;
        }
        self.expect_word("end")?;
        self.expect_word("if")?;
        Ok(StmtKind::If(arms, otherwise))
    }
    fn case_statement(&mut self) -> Result<StmtKind> {
        self.bump()?;
        let subject = match self.is("when") {
            true => None,
            false => {
                let e = self.expr_until(&["when"])?;
                let name = format!("__Case__Variable_{}__", self.f.vars.len());
                Some((self.variable(&name, VarType::Record, 0)?, name, e))
            }
        };
        let mut whens = Vec::new();
        while self.eat_word("when")? {
            let start = self.now().start;
            let mut condition = self.expr_until(&["then"])?;
            if let Some((_, name, _)) = &subject {
                let text = format!("\"{name}\" IN ({})", condition.text);
                condition = self.checked(text, start, SqlKind::Expr)?;
            }
            self.bump()?;
            whens.push((condition, self.statements(&["when", "else", "end"])?));
        }
        if whens.is_empty() {
            return self.unexpected();
        }
        let otherwise = if self.eat_word("else")? { Some(self.statements(&["end"])?) } else { None };
        self.expect_word("end")?;
        self.expect_word("case")?;
        Ok(StmtKind::Case { subject: subject.map(|s| (s.0, s.2)), whens, otherwise })
    }
    /// `LOOP ... END LOOP [label];`
    fn loop_body(&mut self, label: &Option<String>) -> Result<Vec<Stmt>> {
        self.expect_word("loop")?;
        self.labels.push((label.clone(), true));
        let body = self.statements(&["end"])?;
        self.labels.pop();
        self.expect_word("end")?;
        self.expect_word("loop")?;
        self.end_label(label)?;
        self.expect(Kind::Semicolon)?;
        Ok(body)
    }
    /// Is there `..` before LOOP?
    fn counts(&self) -> bool {
        let mut depth = 0i32;
        for n in 0.. {
            match self.ahead(n).kind {
                Kind::DotDot if depth == 0 => return true,
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RParen | Kind::RBracket => depth -= 1,
                Kind::End | Kind::Semicolon | Kind::Error => return false,
                _ if depth == 0 && self.is_at(n, "loop") => return false,
                _ => {}
            }
        }
        false
    }
    fn for_statement(&mut self, label: Option<String>) -> Result<StmtKind> {
        self.bump()?;
        let at = self.now();
        let line = self.line();
        // The name may be a new one, of the loop's counter or row.
        let name = (self.ahead(1).kind != Kind::Dot && self.ahead(1).kind != Kind::Comma && self.kind() != Kind::Param)
            .then(|| {
                self.word_at(0).or_else(|| {
                    (self.kind() == Kind::Ident).then(|| lexer::name(self.text, at).map_or(String::new(), |n| n.0))
                })
            })
            .flatten();
        let known = name.as_ref().and_then(|n| self.find(std::slice::from_ref(n))).map(|v| v.0);
        let into = match (&name, known) {
            (Some(_), _) => {
                self.bump()?;
                None
            }
            (None, _) => Some(self.into_target()?),
        };
        self.expect_word("in")?;
        // A cursor that is declared with its query.
        if let Some(cursor) = self.word_at(0).and_then(|w| self.find(&[w]).map(|v| v.0))
            && self.f.vars.get(cursor).is_some_and(|v| v.cursor.is_some())
            && (self.is_at(1, "loop") || self.ahead(1).kind == Kind::LParen)
        {
            self.bump()?;
            let args = self.cursor_arguments(cursor)?;
            let Some(name) = name else { return self.unexpected_at(at) };
            let outer = self.push_scope(label.clone());
            let var = self.variable(&name, VarType::Record, line)?;
            let body = self.loop_body(&label)?;
            self.scope = outer;
            return Ok(StmtKind::ForCursor { label, var, cursor, args, body });
        }
        if self.is("execute") {
            self.bump()?;
            let (query, using) = self.dynamic(&["loop"])?;
            return self.for_query(label, name, known, into, at, Query::Dynamic(query, using));
        }
        if self.is("reverse") || self.counts() {
            let Some(name) = name else {
                let e = err!(SYNTAX_ERROR, "integer FOR loop must have only one target variable");
                return Err(self.place(e, at));
            };
            let reverse = self.eat_word("reverse")?;
            let from = self.expr_until(&[".."])?;
            self.bump()?;
            let to = self.expr_until(&["loop", "by"])?;
            let by = if self.eat_word("by")? { Some(self.expr_until(&["loop"])?) } else { None };
            let outer = self.push_scope(label.clone());
            let var = self.variable(&name, VarType::Plain(Type::INT4), line)?;
            let body = self.loop_body(&label)?;
            self.scope = outer;
            return Ok(StmtKind::ForInt { label, var, reverse, from, to, by, body });
        }
        let (start, end) = self.piece(&|p| p.is("loop"), "LOOP")?;
        let query = self.sql_of(start, end, SqlKind::Statement)?;
        self.for_query(label, name, known, into, at, Query::Static(query))
    }
    fn for_query(
        &mut self,
        label: Option<String>,
        name: Option<String>,
        known: Option<usize>,
        into: Option<Into>,
        at: Token,
        query: Query,
    ) -> Result<StmtKind> {
        let into = match (into, name, known) {
            (Some(i), ..) => i,
            (None, _, Some(v)) if self.is_row(v) => Into::Record(v),
            (None, _, Some(v)) => Into::List(vec![Target::whole(v)]),
            _ => {
                let e = err!(
                    SYNTAX_ERROR,
                    "loop variable of loop over rows must be a record variable or list of scalar variables"
                );
                return Err(self.place(e, at));
            }
        };
        let body = self.loop_body(&label)?;
        Ok(StmtKind::ForQuery { label, into, query, body })
    }
    fn foreach_statement(&mut self, label: Option<String>) -> Result<StmtKind> {
        self.bump()?;
        let t = self.now();
        // A word alone; in a list, or before a dot, it is what everywhere is no variable.
        if t.kind == Kind::Ident
            && !matches!(self.ahead(1).kind, Kind::Comma | Kind::Dot)
            && self.find(&[lexer::name(self.text, t)?.0]).is_none()
        {
            let e = err!(SYNTAX_ERROR, "loop variable of FOREACH must be a known variable or list of variables");
            return Err(self.place(e, t));
        }
        let into = self.into_target()?;
        let mut slice = 0;
        if self.eat_word("slice")? {
            let t = self.expect(Kind::Integer)?;
            slice = self.text_of(t).parse().unwrap_or(0);
        }
        self.expect_word("in")?;
        self.expect_word("array")?;
        let array = self.expr_until(&["loop"])?;
        let body = self.loop_body(&label)?;
        Ok(StmtKind::Foreach { label, into, slice, array, body })
    }
    fn exit_statement(&mut self, exit: bool) -> Result<StmtKind> {
        let at = self.bump()?;
        let word = if exit { "EXIT" } else { "CONTINUE" };
        let label =
            if self.is("when") || self.kind() == Kind::Semicolon { None } else { Some((self.now(), self.any_word()?)) };
        let when = if self.eat_word("when")? { Some(self.expr_until(&[";"])?) } else { None };
        match &label {
            Some((t, l)) => match self.labels.iter().rev().find(|x| x.0.as_ref() == Some(l)) {
                None => {
                    let e = err!(
                        SYNTAX_ERROR,
                        "there is no label \"{l}\" attached to any block or loop enclosing this statement"
                    );
                    return Err(self.place(e, *t));
                }
                Some((_, false)) if !exit => {
                    let e = err!(SYNTAX_ERROR, "block label \"{l}\" cannot be used in CONTINUE");
                    return Err(self.place(e, *t));
                }
                Some(_) => {}
            },
            None if !self.labels.iter().any(|l| l.1) => {
                let e = match exit {
                    true => err!(SYNTAX_ERROR, "EXIT cannot be used outside a loop, unless it has a label"),
                    false => err!(SYNTAX_ERROR, "{word} cannot be used outside a loop"),
                };
                return Err(self.place(e, at));
            }
            None => {}
        }
        Ok(StmtKind::Exit { exit, label: label.map(|l| l.1), when })
    }
    fn return_statement(&mut self) -> Result<StmtKind> {
        let at = self.bump()?;
        let r = self.f.returns;
        let (set, void) = (r.set, r.ty.oid == oid::VOID);
        if self.is("next") && !matches!(self.ahead(1).kind, Kind::Dot) {
            self.bump()?;
            if !set {
                let e = err!(DATATYPE_MISMATCH, "cannot use RETURN NEXT in a non-SETOF function");
                return Err(self.place(e, at));
            }
            if self.kind() == Kind::Semicolon {
                return Ok(StmtKind::ReturnNext(None));
            }
            if !self.f.out.is_empty() {
                let e = err!(DATATYPE_MISMATCH, "RETURN NEXT cannot have a parameter in function with OUT parameters");
                return Err(self.place(e, self.now()));
            }
            return Ok(StmtKind::ReturnNext(Some(self.expr_until(&[";"])?)));
        }
        if self.is("query") {
            self.bump()?;
            if !set {
                let e = err!(DATATYPE_MISMATCH, "cannot use RETURN QUERY in a non-SETOF function");
                return Err(self.place(e, at));
            }
            if self.eat_word("execute")? {
                let (q, using) = self.dynamic(&[";"])?;
                return Ok(StmtKind::ReturnQuery(Query::Dynamic(q, using)));
            }
            let (start, end) = self.piece(&|p| p.kind() == Kind::Semicolon, ";")?;
            return Ok(StmtKind::ReturnQuery(Query::Static(self.sql_of(start, end, SqlKind::Statement)?)));
        }
        if self.kind() == Kind::Semicolon {
            if !(set || void || !self.f.out.is_empty() || r.procedure) {
                return Err(self.near(err!(SYNTAX_ERROR, "missing expression"), self.now()));
            }
            return Ok(StmtKind::Return(None));
        }
        let t = self.now();
        let e = if set {
            Some(
                err!(DATATYPE_MISMATCH, "RETURN cannot have a parameter in function returning set")
                    .hint("Use RETURN NEXT or RETURN QUERY."),
            )
        } else if r.procedure && self.f.name != DO_BLOCK {
            Some(err!(SYNTAX_ERROR, "RETURN cannot have a parameter in a procedure"))
        } else if void {
            Some(err!(DATATYPE_MISMATCH, "RETURN cannot have a parameter in function returning void"))
        } else if !self.f.out.is_empty() {
            Some(err!(DATATYPE_MISMATCH, "RETURN cannot have a parameter in function with OUT parameters"))
        } else {
            None
        };
        match e {
            Some(e) => Err(self.place(e, t)),
            None => Ok(StmtKind::Return(Some(self.expr_until(&[";"])?))),
        }
    }
    /// `query [USING a, b]`, behind EXECUTE.
    fn dynamic(&mut self, ends: &[&str]) -> Result<(Sql, Vec<Sql>)> {
        let with_using: Vec<&str> = ends.iter().copied().chain(["using"]).collect();
        let query = self.expr_until(&with_using)?;
        let using = self.using(ends)?;
        Ok((query, using))
    }
    fn using(&mut self, ends: &[&str]) -> Result<Vec<Sql>> {
        let mut using = Vec::new();
        if self.eat_word("using")? {
            let with_comma: Vec<&str> = ends.iter().copied().chain([","]).collect();
            loop {
                using.push(self.expr_until(&with_comma)?);
                if !self.eat(Kind::Comma)? {
                    break;
                }
            }
        }
        Ok(using)
    }
    fn execute_statement(&mut self) -> Result<StmtKind> {
        self.bump()?;
        let query = self.expr_until(&[";", "into", "using"])?;
        let (mut into, mut strict, mut using) = (None, false, Vec::new());
        // In either order.
        for _ in 0..2 {
            if self.eat_word("into")? {
                if into.is_some() {
                    return self.unexpected_before();
                }
                let (i, s) = self.into_clause()?;
                (into, strict) = (Some(i), s);
            } else if self.is("using") {
                using = self.using(&[";", "into"])?;
            }
        }
        Ok(StmtKind::Dynamic { query, using, into, strict })
    }
    fn diagnostics(&mut self) -> Result<StmtKind> {
        use Diagnostic as D;
        self.bump()?;
        let stacked = self.eat_word("stacked")?;
        if !stacked {
            self.eat_word("current")?;
        }
        self.expect_word("diagnostics")?;
        let mut items = Vec::new();
        loop {
            let target = self.target()?;
            if !self.eat(Kind::ColonEquals)? {
                self.expect(Kind::Equals)?;
            }
            let t = self.now();
            let word = self.any_word()?;
            let what = match word.as_str() {
                "row_count" => D::RowCount,
                "pg_context" => D::Context,
                "returned_sqlstate" => D::Sqlstate,
                "message_text" => D::Message,
                "pg_exception_detail" => D::Detail,
                "pg_exception_hint" => D::Hint,
                "pg_exception_context" => D::ErrorContext,
                "column_name" => D::Column,
                "constraint_name" => D::Constraint,
                "pg_datatype_name" => D::Datatype,
                "table_name" => D::Table,
                "schema_name" => D::Schema,
                _ => {
                    let e = err!(SYNTAX_ERROR, "unrecognized GET DIAGNOSTICS item at or near \"{}\"", self.text_of(t));
                    return Err(self.place(e, t));
                }
            };
            if stacked && what == D::RowCount || !stacked && !matches!(what, D::RowCount | D::Context) {
                let how = if stacked { "GET STACKED DIAGNOSTICS" } else { "GET CURRENT DIAGNOSTICS" };
                let e = err!(SYNTAX_ERROR, "diagnostics item {} is not allowed in {how}", word.to_uppercase());
                return Err(self.place(e, t));
            }
            items.push((target, what));
            if !self.eat(Kind::Comma)? {
                return Ok(StmtKind::Diagnostics { stacked, items });
            }
        }
    }
    fn cursor_variable(&mut self) -> Result<usize> {
        let t = self.now();
        let target = self.variable_named()?;
        let refcursor = match self.catalog.type_of("refcursor")? {
            VarType::Plain(t) => t.oid,
            _ => 0,
        };
        match self.f.vars.get(target.var).map(|v| v.ty) {
            Some(VarType::Plain(ty)) if target.steps.is_empty() && (ty.oid == refcursor || ty.oid == 1790) => {
                Ok(target.var)
            }
            _ => {
                let name = self.text_of(t).to_string();
                Err(self.place(err!(DATATYPE_MISMATCH, "variable \"{name}\" must be of type cursor or refcursor"), t))
            }
        }
    }
    fn cursor_arguments(&mut self, cursor: usize) -> Result<Vec<Sql>> {
        let wanted = self.f.vars.get(cursor).and_then(|v| v.cursor.as_ref()).map_or(0, |c| c.args.len());
        let name = self.f.vars.get(cursor).map_or(String::new(), |v| v.name.clone());
        let at = self.now();
        let mut args = Vec::new();
        if self.eat(Kind::LParen)? {
            if wanted == 0 {
                let e = err!(SYNTAX_ERROR, "cursor \"{name}\" has no arguments");
                return Err(self.place(e, at));
            }
            let mut given: Vec<Option<Sql>> = (0..wanted).map(|_| None).collect();
            for place in 0.. {
                let at = self.now();
                let named = self.word_at(0).is_some() || self.kind() == Kind::Ident;
                // `name := value`
                let to = if named && self.ahead(1).kind == Kind::ColonEquals {
                    let arg = self.any_word()?;
                    self.bump()?;
                    let Some(to) = self.cursor_argument(cursor, &arg) else {
                        let e = err!(SYNTAX_ERROR, "cursor \"{name}\" has no argument named \"{arg}\"");
                        return Err(self.place(e, at));
                    };
                    to
                } else {
                    place
                };
                if to >= wanted {
                    let e = err!(SYNTAX_ERROR, "too many arguments for cursor \"{name}\"");
                    return Err(self.place(e, at));
                }
                if given[to].is_some() {
                    let arg = self.cursor_argument_name(cursor, to);
                    let m = "value for parameter";
                    let e = err!(SYNTAX_ERROR, "{m} \"{arg}\" of cursor \"{name}\" specified more than once");
                    return Err(self.place(e, at));
                }
                given[to] = Some(self.expr_until(&[")", ","])?);
                if !self.eat(Kind::Comma)? {
                    break;
                }
            }
            let close = self.now();
            args = given.into_iter().flatten().collect();
            if args.len() < wanted {
                let e = err!(SYNTAX_ERROR, "not enough arguments for cursor \"{name}\"");
                return Err(self.place(e, close));
            }
            self.expect(Kind::RParen)?;
        } else if wanted > 0 {
            let e = err!(SYNTAX_ERROR, "cursor \"{name}\" has arguments");
            return Err(self.place(e, at));
        }
        Ok(args)
    }
    fn cursor_argument_name(&self, cursor: usize, at: usize) -> &str {
        let args = self.f.vars.get(cursor).and_then(|v| v.cursor.as_ref()).map(|c| &c.args);
        args.and_then(|a| self.f.vars.get(*a.get(at)?)).map_or("", |v| &v.name)
    }
    /// Which of a cursor's arguments has the name.
    fn cursor_argument(&self, cursor: usize, name: &str) -> Option<usize> {
        let args = &self.f.vars.get(cursor)?.cursor.as_ref()?.args;
        args.iter().position(|a| self.f.vars.get(*a).is_some_and(|v| v.name == name))
    }
    fn open_statement(&mut self) -> Result<StmtKind> {
        self.bump()?;
        let cursor = self.cursor_variable()?;
        if self.f.vars.get(cursor).is_some_and(|v| v.cursor.is_some()) {
            let args = self.cursor_arguments(cursor)?;
            return Ok(StmtKind::Open { cursor, query: None, args, backward: true });
        }
        let backward = !self.eat_word("no")?;
        if backward {
            self.eat_word("scroll")?;
        } else {
            self.expect_word("scroll")?;
        }
        self.expect_word("for")?;
        let query = if self.eat_word("execute")? {
            let (q, using) = self.dynamic(&[";"])?;
            Query::Dynamic(q, using)
        } else {
            let (start, end) = self.piece(&|p| p.kind() == Kind::Semicolon, ";")?;
            Query::Static(self.sql_of(start, end, SqlKind::Statement)?)
        };
        Ok(StmtKind::Open { cursor, query: Some(query), args: Vec::new(), backward })
    }
    fn fetch_statement(&mut self, moves: bool) -> Result<StmtKind> {
        use Motion as M;
        self.bump()?;
        let word = self.word_at(0).unwrap_or_default();
        // A word that the cursor itself is called is no direction.
        let behind_cursor = self.is_at(1, "into") || self.ahead(1).kind == Kind::Semicolon;
        let (mut motion, mut count) = (M::Forward, None);
        if !behind_cursor {
            match word.as_str() {
                "next" => drop(self.bump()?),
                "prior" => {
                    self.bump()?;
                    motion = M::Backward;
                }
                "first" => {
                    self.bump()?;
                    motion = M::First;
                }
                "last" => {
                    self.bump()?;
                    motion = M::Last;
                }
                "all" => {
                    self.bump()?;
                    motion = M::All;
                }
                "absolute" | "relative" => {
                    self.bump()?;
                    motion = if word == "absolute" { M::Absolute } else { M::Relative };
                    count = Some(self.expr_until(&["from", "in"])?);
                }
                "forward" | "backward" => {
                    self.bump()?;
                    motion = if word == "forward" { M::Forward } else { M::Backward };
                    if self.eat_word("all")? {
                        motion = if word == "forward" { M::All } else { M::BackwardAll };
                    } else if !self.is("from") && !self.is("in") {
                        count = Some(self.expr_until(&["from", "in"])?);
                    }
                }
                "from" | "in" => {}
                _ => count = Some(self.expr_until(&["from", "in"])?),
            }
            if !self.eat_word("from")? && !self.eat_word("in")? {
                return Err(self.near(err!(SYNTAX_ERROR, "expected FROM or IN"), self.now()));
            }
        }
        let cursor = self.cursor_variable()?;
        let into = if moves {
            None
        } else {
            self.expect_word("into")?;
            if matches!(motion, M::All | M::BackwardAll)
                || count.is_some() && matches!(motion, M::Forward | M::Backward)
            {
                let e = err!(SYNTAX_ERROR, "FETCH statement cannot return multiple rows");
                return Err(self.place(e, self.now()));
            }
            Some(self.into_target()?)
        };
        let how = match (moves, motion) {
            (true, m) => FetchHow::Move(m),
            (false, M::Forward) => FetchHow::Forward,
            (false, M::Backward) => FetchHow::Backward,
            (false, M::Absolute) => FetchHow::Absolute,
            (false, M::Relative) => FetchHow::Relative,
            (false, M::All) => FetchHow::All,
            (false, M::BackwardAll) => FetchHow::BackwardAll,
            (false, M::First) => FetchHow::First,
            (false, M::Last) => FetchHow::Last,
        };
        Ok(StmtKind::Fetch { cursor, how, count, into })
    }
    /// The SQLSTATEs of a condition's name.
    fn condition(&mut self) -> Result<(Vec<SqlState>, String)> {
        let t = self.now();
        let name = self.any_word()?;
        if name == "sqlstate" {
            let t = self.now();
            let code = self.string()?;
            return match state_of(&code) {
                Some(s) => Ok((vec![s], code)),
                None => Err(self.near(err!(SYNTAX_ERROR, "invalid SQLSTATE code"), t)),
            };
        }
        let states: Vec<SqlState> = conditions::states(&name).collect();
        if states.is_empty() {
            let e = err!(UNDEFINED_OBJECT, "unrecognized exception condition \"{name}\"");
            return Err(self.on_line(e, t));
        }
        Ok((states, name))
    }
    pub(super) fn handlers(&mut self) -> Result<Handlers> {
        let line = self.line();
        self.bump()?;
        let outer = self.push_scope(None);
        let text = VarType::Plain(Type::TEXT);
        let [sqlstate, sqlerrm] = STATE_VARS.map(|n| self.variable(n, text, line));
        let (sqlstate, sqlerrm) = (sqlstate?, sqlerrm?);
        let mut list = Vec::new();
        while self.eat_word("when")? {
            let mut conditions = Vec::new();
            loop {
                if self.eat_word("others")? {
                    conditions.push(Condition::Others);
                } else {
                    conditions.extend(self.condition()?.0.into_iter().map(Condition::State));
                }
                if !self.eat_word("or")? {
                    break;
                }
            }
            self.expect_word("then")?;
            let body = self.statements(&["when", "end"])?;
            list.push(Handler { conditions, body });
        }
        if list.is_empty() {
            return self.unexpected();
        }
        self.scope = outer;
        Ok(Handlers { sqlstate, sqlerrm, list })
    }
    fn raise_statement(&mut self) -> Result<StmtKind> {
        self.bump()?;
        let mut r = Raise {
            level: Level::Error,
            format: None,
            args: Vec::new(),
            condition: None,
            name: None,
            options: Vec::new(),
            again: false,
        };
        if self.kind() == Kind::Semicolon {
            r.again = true;
            return Ok(StmtKind::Raise(r));
        }
        let level = match self.word_at(0).as_deref() {
            Some("debug") => Some(Level::Debug),
            Some("log") => Some(Level::Log),
            Some("info") => Some(Level::Info),
            Some("notice") => Some(Level::Notice),
            Some("warning") => Some(Level::Warning),
            Some("exception") => Some(Level::Error),
            _ => None,
        };
        if let Some(l) = level {
            r.level = l;
            self.bump()?;
        }
        if self.kind() == Kind::Semicolon {
            return self.unexpected();
        }
        if self.kind() == Kind::Str {
            let at = self.now();
            let format = self.string()?;
            while self.eat(Kind::Comma)? {
                r.args.push(self.expr_until(&[";", ",", "using"])?);
            }
            let wanted = placeholders(&format);
            if wanted != r.args.len() {
                let few = if r.args.len() < wanted { "few" } else { "many" };
                let e = err!(SYNTAX_ERROR, "too {few} parameters specified for RAISE");
                return Err(self.on_line(e, at));
            }
            r.format = Some(format);
        } else if !self.is("using") {
            let (states, name) = self.condition()?;
            r.condition = states.first().copied();
            r.name = Some(name);
        }
        if self.eat_word("using")? {
            self.raise_options(&mut r)?;
        }
        Ok(StmtKind::Raise(r))
    }
    fn raise_options(&mut self, r: &mut Raise) -> Result<()> {
        use RaiseOption as O;
        loop {
            let t = self.now();
            let what = match self.any_word()?.as_str() {
                "errcode" => O::Errcode,
                "message" => O::Message,
                "detail" => O::Detail,
                "hint" => O::Hint,
                "column" => O::Column,
                "constraint" => O::Constraint,
                "datatype" => O::Datatype,
                "table" => O::Table,
                "schema" => O::Schema,
                _ => {
                    let e =
                        err!(SYNTAX_ERROR, "unrecognized RAISE statement option at or near \"{}\"", self.text_of(t));
                    return Err(self.place(e, t));
                }
            };
            if !self.eat(Kind::ColonEquals)? {
                self.expect(Kind::Equals)?;
            }
            r.options.push((what, self.expr_until(&[";", ","])?));
            if !self.eat(Kind::Comma)? {
                return Ok(());
            }
        }
    }
}

/// Five letters or digits.
pub(crate) fn state_of(code: &str) -> Option<SqlState> {
    let b: [u8; 5] = code.as_bytes().try_into().ok()?;
    b.iter().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()).then_some(SqlState(b))
}
/// `%` of a format; `%%` is none.
fn placeholders(format: &str) -> usize {
    let mut n = 0;
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '%' && chars.next_if_eq(&'%').is_none() {
            n += 1;
        }
    }
    n
}
