//! Calls: arguments, clauses behind them, windows, and the functions that have a syntax of their own.
use super::expr::of;
use super::types::system;
use super::*;
use pamir_types::error::state;

impl Parser<'_> {
    /// A call that the grammar makes of special syntax
    pub(super) fn system_call(&self, name: &str, args: Vec<Expr>, at: At) -> Expr {
        let args = args.into_iter().map(|value| Arg { name: None, at: value.at, value }).collect();
        of(ExprKind::Call(Box::new(FuncCall { args, special: true, ..call(system(name), at) })), at)
    }
    /// `name (arguments)`, the name read already: a call with its clauses, or `type(modifiers) 'text'`
    pub(super) fn call_or_constant(&mut self, name: Vec<Name>, at: At) -> Result<Expr> {
        let (mut f, plain) = self.application(name, at)?;
        let (plain, order_at) = plain.map_or((false, At::NOWHERE), |order_at| (true, order_at));
        if plain && self.is(Kind::Str) {
            let arg = self.string_literal()?;
            if let Some(a) = f.args.iter().find(|a| a.name.is_some()) {
                let e = err!(SYNTAX_ERROR, "type modifier cannot have parameter name");
                return Err(self.at_place(e, a.at));
            }
            if !f.order_by.is_empty() {
                return Err(self.at_place(err!(SYNTAX_ERROR, "type modifier cannot have ORDER BY"), order_at));
            }
            let modifiers = f.args.into_iter().map(|a| a.value).collect();
            let to = Box::new(TypeName { parts: f.name, modifiers, ..self.system_type("", at) });
            return Ok(of(ExprKind::Cast { arg, to, form: CastForm::Prefix }, at));
        }
        self.call_clauses(&mut f)?;
        let e = of(ExprKind::Call(Box::new(f)), at);
        if self.stored { self.indirection(e) } else { Ok(e) }
    }
    /// What only stored expressions have: see [`crate::parse_stored_expr`].
    pub(super) fn stored_call(&mut self, k: K, at: At) -> Result<Option<Expr>> {
        if self.ahead(1) != Kind::LParen {
            return Ok(None);
        }
        match k {
            K::User | K::CurrentRole if self.ahead(2) == Kind::RParen => {
                for _ in 0..3 {
                    self.bump();
                }
                let v = if k == K::User { ValueFunction::User } else { ValueFunction::CurrentRole };
                Ok(Some(of(ExprKind::Value(v), at)))
            }
            // `EXTRACT(year FROM a)` is the grammar's own.
            K::Extract if self.word_ahead(3, K::From) => Ok(None),
            K::Position
            | K::Normalize
            | K::Extract
            | K::Char
            | K::Varchar
            | K::Numeric
            | K::Interval
            | K::Time
            | K::Timestamp => {
                let t = self.bump();
                let name = self.text[t.start as usize..t.end as usize].to_ascii_lowercase();
                self.call_or_constant(vec![name], at).map(Some)
            }
            _ => Ok(None),
        }
    }
    /// `(arguments)`. The second result: if they are a plain list, as modifiers of a type would be, where it ends.
    pub(super) fn application(&mut self, name: Vec<Name>, at: At) -> Result<(FuncCall, Option<At>)> {
        let mut f = call(name, at);
        let mut plain = None;
        self.expect(Kind::LParen)?;
        match self.kind() {
            Kind::RParen => {}
            Kind::Star => {
                self.bump();
                f.star = true;
            }
            _ => {
                let quantified = self.one_of(&[K::All, K::Distinct]);
                f.distinct = quantified == Some(K::Distinct);
                loop {
                    f.variadic = quantified.is_none() && self.eat_word(K::Variadic);
                    f.args.push(self.arg()?);
                    if f.variadic || !self.eat(Kind::Comma) {
                        break;
                    }
                }
                plain = (quantified.is_none() && !f.variadic).then(|| self.at());
                f.order_by = self.opt_order_by()?;
            }
        }
        self.expect(Kind::RParen)?;
        Ok((f, plain))
    }
    /// `value`, `name => value` or `name := value`
    pub(super) fn arg(&mut self) -> Result<Arg> {
        let at = self.at();
        if Self::is_type_function_name(self.kind()) && matches!(self.ahead(1), Kind::ColonEquals | Kind::EqualsGreater)
        {
            let name = Some(self.type_function_name()?);
            self.bump();
            return Ok(Arg { name, value: self.expr()?, at });
        }
        let value = self.expr()?;
        Ok(Arg { name: None, at: value.at, value })
    }
    /// WITHIN GROUP, FILTER, OVER
    fn call_clauses(&mut self, f: &mut FuncCall) -> Result<()> {
        if self.is_word(K::Within) {
            let at = self.at();
            self.bump();
            self.expect_word(K::Group)?;
            self.expect(Kind::LParen)?;
            let order = self.order_by()?;
            self.expect(Kind::RParen)?;
            let wrong = match (&f.order_by[..], f.distinct, f.variadic) {
                ([], false, false) => None,
                ([], true, _) => Some("cannot use DISTINCT with WITHIN GROUP"),
                ([], _, true) => Some("cannot use VARIADIC with WITHIN GROUP"),
                _ => Some("cannot use multiple ORDER BY clauses with WITHIN GROUP"),
            };
            if let Some(w) = wrong {
                return Err(self.at_place(err!(SYNTAX_ERROR, "{w}"), at));
            }
            f.order_by = order;
            f.within_group = true;
        }
        if self.eat_word(K::Filter) {
            self.expect(Kind::LParen)?;
            self.expect_word(K::Where)?;
            f.filter = Some(self.boxed_expr()?);
            self.expect(Kind::RParen)?;
        }
        if self.eat_word(K::Over) {
            let at = self.at();
            let w = match self.kind() {
                Kind::LParen => self.window(None)?,
                _ => Window { base: Some(self.col_id()?), bare: true, ..empty_window(at) },
            };
            f.over = Some(Box::new(w));
        }
        Ok(())
    }
    /// `WINDOW name AS (...), ...`
    pub(super) fn window_clause(&mut self) -> Result<Vec<Window>> {
        if !self.eat_word(K::Window) {
            return Ok(Vec::new());
        }
        self.list(|p| {
            let name = p.col_id()?;
            p.expect_word(K::As)?;
            p.window(Some(name))
        })
    }
    /// `(base PARTITION BY ... ORDER BY ... frame)`
    fn window(&mut self, name: Option<Name>) -> Result<Window> {
        let mut w = Window { name, ..empty_window(self.at()) };
        self.expect(Kind::LParen)?;
        // Four words begin what follows the name rather than being it.
        if Self::is_col_id(self.kind()) && !matches!(self.word(), Some(K::Partition | K::Range | K::Rows | K::Groups)) {
            w.base = Some(self.col_id()?);
        }
        if self.eat_word(K::Partition) {
            self.expect_word(K::By)?;
            w.partition_by = self.exprs()?;
        }
        w.order_by = self.opt_order_by()?;
        w.frame = self.frame()?;
        self.expect(Kind::RParen)?;
        Ok(w)
    }
    fn frame(&mut self) -> Result<Option<Frame>> {
        let at = self.at();
        let mode = match self.one_of(&[K::Range, K::Rows, K::Groups]) {
            None => return Ok(None),
            Some(K::Range) => FrameMode::Range,
            Some(K::Rows) => FrameMode::Rows,
            Some(_) => FrameMode::Groups,
        };
        let between = self.eat_word(K::Between);
        let start_at = self.at();
        let start = self.bound()?;
        let wrong = |p: &Self, m: &str, at| Err(p.at_place(Error::new(state::WINDOWING_ERROR, m), at));
        let mut end = None;
        let mut end_at = start_at;
        if between {
            self.expect_word(K::And)?;
            end_at = self.at();
            end = Some(self.bound()?);
        }
        match (&start, &end) {
            (FrameBound::UnboundedFollowing, _) => {
                return wrong(self, "frame start cannot be UNBOUNDED FOLLOWING", start_at);
            }
            (FrameBound::Following(_), None) => {
                return wrong(self, "frame starting from following row cannot end with current row", start_at);
            }
            (_, Some(FrameBound::UnboundedPreceding)) => {
                return wrong(self, "frame end cannot be UNBOUNDED PRECEDING", end_at);
            }
            (FrameBound::CurrentRow, Some(FrameBound::Preceding(_))) => {
                return wrong(self, "frame starting from current row cannot have preceding rows", end_at);
            }
            (FrameBound::Following(_), Some(FrameBound::Preceding(_) | FrameBound::CurrentRow)) => {
                return wrong(self, "frame starting from following row cannot have preceding rows", end_at);
            }
            _ => {}
        }
        let exclude = if !self.eat_word(K::Exclude) {
            Exclude::None
        } else {
            match self.expect_one_of(&[K::Current, K::Group, K::Ties, K::No])? {
                K::Current => {
                    self.expect_word(K::Row)?;
                    Exclude::CurrentRow
                }
                K::Group => Exclude::Group,
                K::Ties => Exclude::Ties,
                _ => {
                    self.expect_word(K::Others)?;
                    Exclude::None
                }
            }
        };
        Ok(Some(Frame { mode, start, end, exclude, at }))
    }
    fn bound(&mut self) -> Result<FrameBound> {
        let next = self.ahead(1);
        match (self.word(), next) {
            (Some(K::Unbounded), Kind::Keyword(K::Preceding)) => {
                self.bump();
                self.bump();
                Ok(FrameBound::UnboundedPreceding)
            }
            (Some(K::Unbounded), Kind::Keyword(K::Following)) => {
                self.bump();
                self.bump();
                Ok(FrameBound::UnboundedFollowing)
            }
            (Some(K::Current), Kind::Keyword(K::Row)) => {
                self.bump();
                self.bump();
                Ok(FrameBound::CurrentRow)
            }
            _ => {
                let e = self.boxed_expr()?;
                match self.expect_one_of(&[K::Preceding, K::Following])? {
                    K::Preceding => Ok(FrameBound::Preceding(e)),
                    _ => Ok(FrameBound::Following(e)),
                }
            }
        }
    }

    // ---- functions with a syntax of their own ----

    /// `func_expr_common_subexpr`, if the word ahead begins one.
    pub(super) fn special_function(&mut self) -> Result<Option<Expr>> {
        let at = self.at();
        let Some(k) = self.word() else { return Ok(None) };
        let value = match k {
            K::CurrentDate => Some(ValueFunction::CurrentDate),
            K::CurrentRole => Some(ValueFunction::CurrentRole),
            K::CurrentUser => Some(ValueFunction::CurrentUser),
            K::User => Some(ValueFunction::User),
            K::SessionUser => Some(ValueFunction::SessionUser),
            K::CurrentCatalog => Some(ValueFunction::CurrentCatalog),
            // A name of functions too
            K::CurrentSchema if !matches!(self.ahead(1), Kind::LParen | Kind::Str) => {
                Some(ValueFunction::CurrentSchema)
            }
            K::CurrentTime | K::CurrentTimestamp | K::Localtime | K::Localtimestamp => {
                self.bump();
                let mut digits = None;
                if self.eat(Kind::LParen) {
                    digits = Some(self.integer()?);
                    self.expect(Kind::RParen)?;
                }
                let v = match k {
                    K::CurrentTime => ValueFunction::CurrentTime(digits),
                    K::CurrentTimestamp => ValueFunction::CurrentTimestamp(digits),
                    K::Localtime => ValueFunction::LocalTime(digits),
                    _ => ValueFunction::LocalTimestamp(digits),
                };
                return Ok(Some(of(ExprKind::Value(v), at)));
            }
            _ => None,
        };
        if let Some(v) = value {
            self.bump();
            return Ok(Some(of(ExprKind::Value(v), at)));
        }
        if k == K::Collation && self.word_ahead(1, K::For) {
            self.bump();
            self.bump();
            let e = self.expr_in_parens()?;
            return Ok(Some(self.system_call("pg_collation_for", vec![e], at)));
        }
        if k == K::Cast {
            self.bump();
            self.expect(Kind::LParen)?;
            let arg = self.boxed_expr()?;
            self.expect_word(K::As)?;
            let to = Box::new(self.type_name()?);
            self.expect(Kind::RParen)?;
            return Ok(Some(of(ExprKind::Cast { arg, to, form: CastForm::Cast }, at)));
        }
        if self.ahead(1) != Kind::LParen {
            return Ok(None);
        }
        if !matches!(
            k,
            K::Extract
                | K::Normalize
                | K::Overlay
                | K::Position
                | K::Substring
                | K::Treat
                | K::Trim
                | K::Nullif
                | K::Coalesce
                | K::Greatest
                | K::Least
                | K::Xmlconcat
                | K::Xmlelement
                | K::Xmlexists
                | K::Xmlforest
                | K::Xmlparse
                | K::Xmlpi
                | K::Xmlroot
                | K::Xmlserialize
        ) {
            return Ok(None);
        }
        self.bump();
        self.bump();
        let e = match k {
            K::Extract => self.extract(at)?,
            K::Normalize => {
                let mut args = vec![self.expr()?];
                if self.eat(Kind::Comma) {
                    let here = self.at();
                    let form = self.expect_one_of(&[K::Nfc, K::Nfd, K::Nfkc, K::Nfkd])?;
                    args.push(of(ExprKind::Literal(Literal::String(form.word().to_uppercase())), here));
                }
                self.system_call("normalize", args, at)
            }
            K::Overlay => self.overlay(at)?,
            K::Position => {
                let needle = self.restricted()?;
                self.expect_word(K::In)?;
                let hay = self.restricted()?;
                self.system_call("position", vec![hay, needle], at)
            }
            K::Substring => self.substring(at)?,
            K::Treat => {
                let e = self.expr()?;
                self.expect_word(K::As)?;
                let t = self.type_name()?;
                let name = t.parts.last().cloned().unwrap_or_default();
                self.system_call(&name, vec![e], at)
            }
            K::Trim => {
                let name = match self.one_of(&[K::Both, K::Leading, K::Trailing]) {
                    Some(K::Leading) => "ltrim",
                    Some(K::Trailing) => "rtrim",
                    _ => "btrim",
                };
                let mut args = Vec::new();
                if !self.eat_word(K::From) {
                    args = self.exprs()?;
                    if args.len() == 1 && self.eat_word(K::From) {
                        let mut of_these = self.exprs()?;
                        of_these.append(&mut args);
                        args = of_these;
                    }
                } else {
                    args.extend(self.exprs()?);
                }
                self.system_call(name, args, at)
            }
            K::Nullif => {
                let a = self.boxed_expr()?;
                self.expect(Kind::Comma)?;
                of(ExprKind::NullIf(a, self.boxed_expr()?), at)
            }
            K::Coalesce => of(ExprKind::Coalesce(self.exprs()?), at),
            K::Greatest | K::Least => of(ExprKind::MinMax { greatest: k == K::Greatest, args: self.exprs()? }, at),
            k => self.xml(k, at)?,
        };
        self.expect(Kind::RParen)?;
        Ok(Some(e))
    }
    fn extract(&mut self, at: At) -> Result<Expr> {
        let here = self.at();
        let field = match self.kind() {
            Kind::Str => self.string()?,
            Kind::Ident => self.col_id()?,
            Kind::Keyword(k @ (K::Year | K::Month | K::Day | K::Hour | K::Minute | K::Second)) => {
                self.bump();
                k.word().to_string()
            }
            _ => return self.unexpected(),
        };
        self.expect_word(K::From)?;
        let from = self.expr()?;
        Ok(self.system_call("extract", vec![of(ExprKind::Literal(Literal::String(field)), here), from], at))
    }
    /// A plain call of a word that has a syntax of its own too
    fn plain_call(&mut self, name: &str, first: Option<Arg>, at: At) -> Result<Expr> {
        let mut args: Vec<Arg> = Vec::new();
        if let Some(first) = first {
            args.push(first);
            while self.eat(Kind::Comma) {
                args.push(self.arg()?);
            }
        }
        Ok(of(ExprKind::Call(Box::new(FuncCall { args, ..call(vec![name.to_string()], at) })), at))
    }
    fn overlay(&mut self, at: At) -> Result<Expr> {
        if self.is(Kind::RParen) {
            return self.plain_call("overlay", None, at);
        }
        let first = self.arg()?;
        if first.name.is_some() || !self.eat_word(K::Placing) {
            return self.plain_call("overlay", Some(first), at);
        }
        let mut args = vec![first.value, self.expr()?];
        self.expect_word(K::From)?;
        args.push(self.expr()?);
        if self.eat_word(K::For) {
            args.push(self.expr()?);
        }
        Ok(self.system_call("overlay", args, at))
    }
    fn substring(&mut self, at: At) -> Result<Expr> {
        if self.is(Kind::RParen) {
            return self.plain_call("substring", None, at);
        }
        let first = if Self::is_type_function_name(self.kind())
            && matches!(self.ahead(1), Kind::ColonEquals | Kind::EqualsGreater)
        {
            let first = self.arg()?;
            return self.plain_call("substring", Some(first), at);
        } else {
            self.within(Context::Substring, |p| p.expr_at(expr::level::ANY, expr::Mode::Full))?
        };
        let args = match self.one_of(&[K::From, K::For, K::Similar]) {
            None => {
                let first = Arg { name: None, at: first.at, value: first };
                return self.plain_call("substring", Some(first), at);
            }
            Some(K::From) => {
                let from = self.expr()?;
                let mut args = vec![first, from];
                if self.eat_word(K::For) {
                    args.push(self.expr()?);
                }
                args
            }
            Some(K::For) => {
                let n = self.expr()?;
                if self.eat_word(K::From) {
                    vec![first, self.expr()?, n]
                } else {
                    // The standard's default, which tells it from substring(text, pattern).
                    let one = types::integer(1, At::NOWHERE);
                    let n = of(
                        ExprKind::Cast {
                            arg: Box::new(n),
                            to: Box::new(self.system_type("int4", At::NOWHERE)),
                            form: CastForm::Cast,
                        },
                        At::NOWHERE,
                    );
                    vec![first, one, n]
                }
            }
            Some(_) => {
                let pattern = self.expr()?;
                self.expect_word(K::Escape)?;
                vec![first, pattern, self.expr()?]
            }
        };
        Ok(self.system_call("substring", args, at))
    }
}

fn call(name: Vec<Name>, at: At) -> FuncCall {
    FuncCall {
        name,
        args: Vec::new(),
        star: false,
        distinct: false,
        variadic: false,
        order_by: Vec::new(),
        within_group: false,
        filter: None,
        over: None,
        special: false,
        at,
    }
}
fn empty_window(at: At) -> Window {
    Window { name: None, base: None, bare: false, partition_by: Vec::new(), order_by: Vec::new(), frame: None, at }
}
