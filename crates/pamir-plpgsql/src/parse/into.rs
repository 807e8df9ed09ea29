//! What statements assign to, and SQL statements with their INTO.
use super::*;
use crate::tree::{Into, Step, StmtKind, Target};

impl Parser<'_> {
    /// `a`, `a.b`, `label.a.b` as a path.
    pub(super) fn path(&mut self) -> Result<Vec<String>> {
        if self.kind() == Kind::Param {
            let t = self.bump()?;
            return Ok(vec![self.text_of(t).to_string()]);
        }
        let mut path = vec![self.any_word()?];
        while self.kind() == Kind::Dot {
            self.bump()?;
            path.push(self.any_word()?);
        }
        Ok(path)
    }
    fn no_variable(&self, path: &[String], t: Token) -> Error {
        self.place(err!(SYNTAX_ERROR, "\"{}\" is not a known variable", path.join(".")), t)
    }
    /// The variable of a path, or its field.
    pub(super) fn target(&mut self) -> Result<Target> {
        self.target_of(false)
    }
    /// The same; it may be a constant.
    pub(super) fn variable_named(&mut self) -> Result<Target> {
        self.found_target(false)
    }
    /// The same; `deep`: fields of fields are meant, too.
    pub(super) fn target_of(&mut self, deep: bool) -> Result<Target> {
        let t = self.now();
        let found = self.found_target(deep)?;
        if let Some(v) = self.f.vars.get(found.var).filter(|v| v.constant) {
            return Err(self.place(v.is_constant(), t));
        }
        Ok(found)
    }
    fn found_target(&mut self, deep: bool) -> Result<Target> {
        let t = self.now();
        let path = self.path()?;
        let by_number = path[0].strip_prefix('$').and_then(|n| n.parse::<usize>().ok());
        let found = match by_number.and_then(|n| n.checked_sub(1)) {
            Some(n) => self.f.args.get(n).map(|v| (*v, &path[1..])),
            None => self.find(&path),
        };
        let Some((var, rest)) = found else { return Err(self.no_variable(&path, t)) };
        let steps: Vec<Step> = match rest {
            [] => Vec::new(),
            [_] if self.is_row(var) => rest.iter().cloned().map(Step::Field).collect(),
            // What an assignment alone may say.
            [_, ..] if deep && self.is_row(var) => rest.iter().cloned().map(Step::Field).collect(),
            _ => return Err(self.no_variable(&path, t)),
        };
        Ok(Target { var, steps })
    }
    /// A record, a row or a list of plain variables.
    pub(super) fn into_target(&mut self) -> Result<Into> {
        let t = self.now();
        let first = self.target()?;
        if first.steps.is_empty() && self.is_row(first.var) {
            if self.kind() == Kind::Comma {
                let e = err!(SYNTAX_ERROR, "record variable cannot be part of multiple-item INTO list");
                return Err(self.place(e, t));
            }
            return Ok(Into::Record(first.var));
        }
        let mut list = vec![first];
        while self.eat(Kind::Comma)? {
            let t = self.now();
            let next = self.target()?;
            if next.steps.is_empty() && self.is_row(next.var) {
                let e = err!(SYNTAX_ERROR, "\"{}\" is not a scalar variable", self.text_of(t));
                return Err(self.place(e, t));
            }
            list.push(next);
        }
        Ok(Into::List(list))
    }
    /// `INTO [STRICT] target`, behind the word.
    pub(super) fn into_clause(&mut self) -> Result<(Into, bool)> {
        let strict = self.eat_word("strict")?;
        Ok((self.into_target()?, strict))
    }
    /// A SQL statement up to its semicolon, INTO taken out of it.
    pub(super) fn sql_statement(&mut self) -> Result<StmtKind> {
        let first = self.word_at(0).unwrap_or_default();
        let start = self.now();
        let (mut text, mut from, mut end) = (String::new(), start.start, start.start);
        let (mut into, mut strict, mut depth) = (None, false, 0i32);
        let mut before = String::new();
        loop {
            match self.kind() {
                Kind::Semicolon if depth <= 0 => break,
                Kind::End => return self.unexpected(),
                Kind::LParen => depth += 1,
                Kind::RParen => depth -= 1,
                _ => {}
            }
            let word = self.word_at(0).unwrap_or_default();
            let at = self.now();
            if word == "into"
                && !matches!(before.as_str(), "insert" | "merge")
                && !matches!(first.as_str(), "create" | "import")
            {
                if into.is_some() {
                    let e = err!(SYNTAX_ERROR, "INTO specified more than once");
                    return Err(self.place(e, at));
                }
                text.push_str(self.text.get(from as usize..end as usize).unwrap_or(""));
                self.bump()?;
                let (i, s) = self.into_clause()?;
                (into, strict) = (Some(i), s);
                from = self.now().start;
                // Places in the statement stay what they are.
                text.extend(std::iter::repeat_n(' ', (from - end) as usize));
                end = from;
                continue;
            }
            before = word;
            end = at.end;
            self.bump()?;
        }
        text.push_str(self.text.get(from as usize..end.max(from) as usize).unwrap_or(""));
        let text = text.trim_end().to_string();
        let sql = self.checked(text, start.start, SqlKind::Statement)?;
        self.expect(Kind::Semicolon)?;
        Ok(StmtKind::Execute { sql, into, strict, name: &"SQL statement" })
    }
}
