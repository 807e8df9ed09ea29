//! Reading an expression, character by character as its grammar goes: names and operators mean what their place says.
use super::tree::{Axis, Expr, Op, Step, Test};
use super::{Failure, INVALID_EXPRESSION, Outcome};
use pamir_types::work;
use pamir_types::xml::{is_name_char, is_name_start};

/// Parentheses, predicates and arguments within each other.
pub const MAX_DEPTH: usize = 200;

struct Parser<'a> {
    s: &'a str,
    at: usize,
    depth: usize,
}

/// Compiles an expression.
pub fn parse(s: &str) -> Outcome<Expr> {
    let mut p = Parser { s, at: 0, depth: 0 };
    let e = p.expr()?;
    if p.at < s.len() { Err(INVALID_EXPRESSION) } else { Ok(e) }
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.s[self.at..]
    }
    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }
    fn looks_at(&self, t: &str) -> bool {
        self.rest().starts_with(t)
    }
    fn eat(&mut self, t: &str) -> bool {
        let is = self.looks_at(t);
        if is {
            self.at += t.len();
            self.blanks();
        }
        is
    }
    fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }
    /// A name without colons.
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let mut it = rest.char_indices();
        it.next().filter(|(_, c)| is_name_start(*c) && *c != ':')?;
        let end = it.find(|(_, c)| !is_name_char(*c) || *c == ':').map_or(rest.len(), |(i, _)| i);
        self.at += end;
        Some(&rest[..end])
    }

    fn expr(&mut self) -> Outcome<Expr> {
        work::charge(64)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH || pamir_storage::task::stack_left().is_some_and(|n| n < (64 << 10)) {
            return Err(Failure::Of("Recursion limit exceeded"));
        }
        self.blanks();
        let e = self.binary(0);
        self.depth -= 1;
        e
    }
    /// Operators from the weakest level on.
    fn binary(&mut self, level: usize) -> Outcome<Expr> {
        const LEVELS: [&[(&str, Op)]; 6] = [
            &[("or", Op::Or)],
            &[("and", Op::And)],
            &[("=", Op::Equal), ("!=", Op::Unequal)],
            &[("<=", Op::LessEqual), ("<", Op::Less), (">=", Op::GreaterEqual), (">", Op::Greater)],
            &[("+", Op::Plus), ("-", Op::Minus)],
            &[("*", Op::Times), ("div", Op::Div), ("mod", Op::Mod)],
        ];
        let Some(ops) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        let mut n = 0;
        loop {
            self.blanks();
            let Some((word, op)) = ops.iter().find(|o| self.looks_at(o.0)) else { return Ok(left) };
            self.at += word.len();
            self.blanks();
            let right = self.binary(level + 1)?;
            left = Expr::Binary(*op, Box::new(left), Box::new(right));
            // A chain is a tree as deep as it is long.
            n += 1;
            if n > MAX_DEPTH {
                return Err(Failure::Of("Recursion limit exceeded"));
            }
        }
    }
    fn unary(&mut self) -> Outcome<Expr> {
        let mut negative = None;
        self.blanks();
        while self.eat("-") {
            negative = Some(!negative.unwrap_or(false));
        }
        let mut e = self.path()?;
        let mut n = 0;
        while self.eat("|") {
            let right = self.path()?;
            e = Expr::Binary(Op::Union, Box::new(e), Box::new(right));
            n += 1;
            if n > MAX_DEPTH {
                return Err(Failure::Of("Recursion limit exceeded"));
            }
        }
        Ok(match negative {
            None => e,
            Some(true) => Expr::Negate(Box::new(e)),
            Some(false) => Expr::Negate(Box::new(Expr::Negate(Box::new(e)))),
        })
    }
    fn path(&mut self) -> Outcome<Expr> {
        self.blanks();
        let Some(c) = self.char() else { return Err(INVALID_EXPRESSION) };
        let digit_next = self.rest()[c.len_utf8()..].starts_with(|d: char| d.is_ascii_digit());
        let primary = matches!(c, '$' | '(' | '\'' | '"') || c.is_ascii_digit() || c == '.' && digit_next;
        if !primary && !self.is_call() {
            if !(matches!(c, '*' | '/' | '@' | '.') || is_name_start(c) && c != ':') {
                return Err(INVALID_EXPRESSION);
            }
            return self.location();
        }
        let mut e = self.primary()?;
        self.blanks();
        let predicates = self.predicates()?;
        if !predicates.is_empty() {
            e = Expr::Filter(Box::new(e), predicates);
        }
        if !self.looks_at("/") {
            return Ok(e);
        }
        let mut steps = Vec::new();
        self.steps(&mut steps)?;
        Ok(Expr::Path { from: Some(Box::new(e)), absolute: false, steps })
    }
    /// Does a function's name with its parenthesis stand here?
    fn is_call(&mut self) -> bool {
        let from = self.at;
        let mut name = self.name();
        if name.is_some() && self.looks_at(":") && !self.looks_at("::") {
            self.at += 1;
            name = self.name();
        }
        self.blanks();
        let call = name.is_some_and(|n| !matches!(n, "node" | "text" | "comment" | "processing-instruction"));
        let is = call && self.looks_at("(");
        self.at = from;
        is
    }
    fn location(&mut self) -> Outcome<Expr> {
        let absolute = self.looks_at("/");
        let mut steps = Vec::new();
        if !absolute {
            self.step(&mut steps)?;
            self.steps(&mut steps)?;
            return Ok(Expr::Path { from: None, absolute, steps });
        }
        if self.looks_at("//") {
            self.steps(&mut steps)?;
        } else {
            self.eat("/");
            let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '@' | '*') || !c.is_ascii();
            if self.char().is_some_and(begins) {
                self.step(&mut steps)?;
                self.steps(&mut steps)?;
            }
        }
        Ok(Expr::Path { from: None, absolute, steps })
    }
    /// Steps behind slashes.
    fn steps(&mut self, steps: &mut Vec<Step>) -> Outcome<()> {
        self.blanks();
        while self.looks_at("/") {
            if self.eat("//") {
                steps.push(Step { axis: Axis::DescendantOrSelf, test: Test::Any, predicates: Vec::new() });
            } else {
                self.eat("/");
            }
            self.step(steps)?;
            self.blanks();
        }
        Ok(())
    }
    fn step(&mut self, steps: &mut Vec<Step>) -> Outcome<()> {
        work::charge(64)?;
        self.blanks();
        if self.eat("..") {
            steps.push(Step { axis: Axis::Parent, test: Test::Any, predicates: Vec::new() });
            return Ok(());
        }
        if self.eat(".") {
            steps.push(Step { axis: Axis::ItSelf, test: Test::Any, predicates: Vec::new() });
            return Ok(());
        }
        let mut axis = Axis::Child;
        let from = self.at;
        if self.eat("@") {
            axis = Axis::Attribute;
        } else if let Some(n) = self.name() {
            self.blanks();
            match Axis::named(n) {
                Some(a) if self.eat("::") => axis = a,
                _ => self.at = from,
            }
        }
        self.blanks();
        let test = self.test()?;
        self.blanks();
        let predicates = self.predicates()?;
        steps.push(Step { axis, test, predicates });
        Ok(())
    }
    fn test(&mut self) -> Outcome<Test> {
        if self.eat("*") {
            return Ok(Test::Star(None));
        }
        let Some(name) = self.name() else { return Err(INVALID_EXPRESSION) };
        let behind = self.at;
        self.blanks();
        if self.eat("(") {
            let test = match name {
                "node" => Test::Any,
                "text" => Test::Text,
                "comment" => Test::Comment,
                "processing-instruction" if self.looks_at(")") => Test::Instruction(None),
                "processing-instruction" => {
                    let n = self.literal().map_err(|f| match f {
                        Failure::Of("Start of literal") => Failure::Of("Start of literal\nInvalid expression"),
                        f => f,
                    })?;
                    self.blanks();
                    Test::Instruction(Some(n))
                }
                _ => return Err(INVALID_EXPRESSION),
            };
            return if self.eat(")") { Ok(test) } else { Err(Failure::Of("Missing closing curly brace")) };
        }
        self.at = behind;
        if !self.looks_at(":") {
            return Ok(Test::Name(None, name.into()));
        }
        self.at += 1;
        if self.eat("*") {
            return Ok(Test::Star(Some(name.into())));
        }
        let Some(local) = self.name() else { return Err(INVALID_EXPRESSION) };
        Ok(Test::Name(Some(name.into()), local.into()))
    }
    fn predicates(&mut self) -> Outcome<Vec<Expr>> {
        let mut out = Vec::new();
        while self.eat("[") {
            out.push(self.expr()?);
            self.blanks();
            if !self.eat("]") {
                return Err(Failure::Of("Invalid predicate"));
            }
        }
        Ok(out)
    }
    fn literal(&mut self) -> Outcome<String> {
        let Some(q) = self.char().filter(|c| matches!(c, '"' | '\'')) else {
            return Err(Failure::Of("Start of literal"));
        };
        let Some(n) = self.rest()[1..].find(q) else { return Err(Failure::Of("Unfinished literal")) };
        let s = self.rest()[1..n + 1].to_string();
        self.at += n + 2;
        Ok(s)
    }
    fn number(&mut self) -> Expr {
        let b = self.rest().as_bytes();
        let digits = |from: usize| b[from.min(b.len())..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut n = digits(0);
        if b.get(n) == Some(&b'.') {
            n += 1 + digits(n + 1);
        }
        if matches!(b.get(n), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(b.get(n + 1), Some(b'+' | b'-')));
            n += 1 + sign + digits(n + 1 + sign);
        }
        let text = &self.rest()[..n];
        let v = text.trim_end_matches(['e', 'E', '+', '-']).parse().unwrap_or(f64::NAN);
        self.at += n;
        Expr::Number(v)
    }
    fn primary(&mut self) -> Outcome<Expr> {
        let e = match self.char() {
            Some('$') => {
                self.at += 1;
                if self.name().is_none() {
                    return Err(Failure::Of("Expected $ for variable reference"));
                }
                Expr::Variable
            }
            Some('(') => {
                self.eat("(");
                let e = self.expr()?;
                self.blanks();
                if !self.eat(")") {
                    return Err(INVALID_EXPRESSION);
                }
                e
            }
            Some('"' | '\'') => Expr::Literal(self.literal()?),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            _ => return self.function(),
        };
        self.blanks();
        Ok(e)
    }
    fn function(&mut self) -> Outcome<Expr> {
        let Some(mut name) = self.name() else { return Err(INVALID_EXPRESSION) };
        let mut prefix = None;
        if self.looks_at(":") {
            self.at += 1;
            prefix = Some(name.to_string());
            name = self.name().ok_or(INVALID_EXPRESSION)?;
        }
        self.blanks();
        if !self.eat("(") {
            return Err(INVALID_EXPRESSION);
        }
        // The end of the text ends the arguments as well as a parenthesis.
        let mut args = Vec::new();
        while self.at < self.s.len() && !self.eat(")") {
            args.push(self.expr()?);
            self.blanks();
            if self.eat(")") {
                break;
            }
            if !self.eat(",") {
                return Err(INVALID_EXPRESSION);
            }
        }
        Ok(Expr::Call(prefix, name.into(), args))
    }
}
