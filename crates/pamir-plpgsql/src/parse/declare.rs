//! DECLARE: variables, constants, records, cursors, aliases.
use super::*;
use crate::tree::BoundCursor;

impl Parser<'_> {
    /// `[<<label>>] [DECLARE ...] BEGIN ... [EXCEPTION ...] END [label]`
    pub(super) fn block(&mut self, label: Option<String>) -> Result<Block> {
        let outer = self.push_scope(label.clone());
        let first = self.f.vars.len();
        while self.eat_word("declare")? {
            while !self.is("begin") && !self.is("declare") {
                self.declaration()?;
            }
        }
        let declares: Vec<usize> = (first..self.f.vars.len()).collect();
        let line = self.line();
        self.expect_word("begin")?;
        self.labels.push((label.clone(), false));
        let body = self.statements(&["end", "exception"])?;
        let handlers = if self.is("exception") { Some(self.handlers()?) } else { None };
        self.labels.pop();
        self.expect_word("end")?;
        self.end_label(&label)?;
        self.scope = outer;
        Ok(Block { line, label, declares, body, handlers })
    }

    fn declaration(&mut self) -> Result<()> {
        let t = self.now();
        if self.text_of(t) == "<<" {
            let e = err!(SYNTAX_ERROR, "block label must be placed before DECLARE, not after");
            return Err(self.place(e, t));
        }
        let line = self.line();
        let name = self.any_word()?;
        let here = self.f.scopes.get(self.scope).is_some_and(|s| s.vars.iter().any(|v| v.0 == name));
        if here {
            let e = err!(SYNTAX_ERROR, "duplicate declaration at or near \"{}\"", self.text_of(t));
            return Err(self.place(e, t));
        }
        if let Some(level) = self.shadowed
            && self.find(std::slice::from_ref(&name)).is_some()
        {
            let e = err!(DUPLICATE_ALIAS, "variable \"{name}\" shadows a previously defined variable");
            let e = self.place(e, t);
            if level == Severity::Error {
                return Err(e);
            }
            self.f.warnings.push(e.severity(level));
        }
        if self.eat_word("alias")? {
            self.expect_word("for")?;
            let t = self.now();
            let path = if t.kind == Kind::Param {
                self.bump()?;
                vec![self.text_of(t).to_string()]
            } else {
                vec![self.any_word()?]
            };
            self.expect(Kind::Semicolon)?;
            let var = match path[0].strip_prefix('$').and_then(|n| n.parse::<usize>().ok()) {
                Some(n) => n.checked_sub(1).and_then(|n| self.f.args.get(n)).copied(),
                None => self.find(&path).map(|v| v.0),
            };
            let Some(var) = var else {
                let e = err!(UNDEFINED_OBJECT, "variable \"{}\" does not exist", path[0]);
                return Err(self.place(e, t));
            };
            if let Some(s) = self.f.scopes.get_mut(self.scope) {
                s.vars.push((name, var));
            }
            return Ok(());
        }
        let scroll = if self.is("no") && self.is_at(1, "scroll") {
            self.bump()?;
            self.bump()?;
            Some(false)
        } else {
            self.eat_word("scroll")?.then_some(true)
        };
        if self.eat_word("cursor")? {
            return self.cursor(&name, scroll, line);
        }
        let constant = self.eat_word("constant")?;
        let ty = self.datatype(&["not", "default", ":=", "=", ";", "collate"])?;
        if self.eat_word("collate")? {
            self.any_word()?;
            while self.eat(Kind::Dot)? {
                self.any_word()?;
            }
        }
        let not = self.now();
        let not_null = self.eat_word("not")?;
        if not_null {
            self.expect_word("null")?;
        }
        let default = if self.is("default") || matches!(self.kind(), Kind::ColonEquals | Kind::Equals) {
            self.bump()?;
            Some(self.expr_until(&[";"])?)
        } else {
            None
        };
        self.expect(Kind::Semicolon)?;
        if not_null && default.is_none() {
            let e = err!(
                NULL_VALUE_NOT_ALLOWED,
                "variable \"{name}\" must have a default value, since it's declared NOT NULL"
            );
            return Err(self.place(e, not));
        }
        let n = self.variable(&name, ty, line)?;
        if let Some(v) = self.f.vars.get_mut(n) {
            (v.constant, v.not_null, v.default) = (constant, not_null, default);
        }
        Ok(())
    }
    /// A type, up to what may follow it.
    pub(super) fn datatype(&mut self, ends: &[&str]) -> Result<VarType> {
        let at = self.now();
        let mut depth = 0usize;
        let (start, mut end) = (at.start, at.start);
        while !(depth == 0 && ends.iter().any(|e| self.is(e))) {
            match self.kind() {
                Kind::End => return self.unexpected(),
                Kind::Semicolon if depth > 0 => return self.unexpected(),
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RParen | Kind::RBracket if depth > 0 => depth -= 1,
                Kind::RParen | Kind::RBracket => return self.unexpected(),
                _ => {}
            }
            end = self.now().end;
            self.bump()?;
        }
        let written = self.text.get(start as usize..end as usize).unwrap_or("").trim();
        if written.is_empty() {
            let e = err!(SYNTAX_ERROR, "missing data type declaration");
            return Err(self.place(e, at));
        }
        let lower = written.to_lowercase();
        if lower == "record" {
            return Ok(VarType::Record);
        }
        // A variable's type: `x%TYPE`, `rec.field%TYPE` is a column's.
        if let Some(of) = lower.strip_suffix("%type") {
            let path: Vec<String> = of.trim().split('.').map(|p| p.trim().trim_matches('"').to_string()).collect();
            if let Some((var, [])) = self.find(&path)
                && let Some(v) = self.f.vars.get(var)
            {
                return Ok(v.ty);
            }
        }
        self.catalog.type_of(written).map_err(|e| {
            let start = lexer::position(self.text, at.start as usize);
            match e.data().position {
                Some(p) => e.placed_at(Some(start + p - 1)),
                None if e.code() == pamir_types::error::state::UNDEFINED_TABLE => self.on_line(e, at),
                None => e.placed_at(Some(start)),
            }
        })
    }
    fn cursor(&mut self, name: &str, scroll: Option<bool>, line: u32) -> Result<()> {
        let refcursor = self.catalog.type_of("refcursor")?;
        // Its arguments are names of a scope of their own.
        let outer = self.push_scope(Some(name.to_string()));
        let mut args = Vec::new();
        if self.eat(Kind::LParen)? {
            loop {
                let at = self.line();
                let arg = self.any_word()?;
                let ty = self.datatype(&[",", ")"])?;
                args.push(self.variable(&arg, ty, at)?);
                if !self.eat(Kind::Comma)? {
                    break;
                }
            }
            self.expect(Kind::RParen)?;
        }
        if !self.eat_word("for")? {
            self.expect_word("is")?;
        }
        let (start, end) = self.piece(&|p| p.kind() == Kind::Semicolon, ";")?;
        let query = self.sql_of(start, end, SqlKind::Statement)?;
        self.expect(Kind::Semicolon)?;
        self.scope = outer;
        let n = self.variable(name, refcursor, line)?;
        if let Some(v) = self.f.vars.get_mut(n) {
            v.cursor = Some(Box::new(BoundCursor { query, args, scroll }));
        }
        Ok(())
    }
}
