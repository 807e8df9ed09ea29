//! Expressions: operators by precedence climbing, and what they stand between.
//!
//! ```text
//! 1 OR   2 AND   3 NOT   4 IS ISNULL NOTNULL   5 < > = <= >= <>   6 BETWEEN IN LIKE ILIKE SIMILAR   10 other operators   11 + -   12 * / %   13 ^
//! 14 AT TIME ZONE   15 COLLATE   16 unary + -   19 ::
//! ```
//! Levels 4 to 6 do not associate: behind an operator of one of them whose right side has ended, another of the same level is an error. `b_expr` of the grammar
//! (DEFAULT, BETWEEN's lower bound, POSITION) is the same with fewer operators: [`Mode::Restricted`].
use super::*;

pub(super) mod level {
    pub const ANY: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const IS: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const LIKE: u8 = 6;
    pub const OP: u8 = 10;
    pub const PLUS: u8 = 11;
    pub const TIMES: u8 = 12;
    pub const POWER: u8 = 13;
    pub const AT: u8 = 14;
    pub const COLLATE: u8 = 15;
    pub const UNARY: u8 = 16;
    pub const CAST: u8 = 19;
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Full,
    Restricted,
}

/// What stood between parentheses.
pub(super) enum Parens {
    Query(Select),
    Expr(Expr),
    Row(Vec<Expr>),
}

pub(super) fn boxed(kind: ExprKind, at: At) -> Box<Expr> {
    Box::new(Expr { kind, at })
}
pub(super) fn of(kind: ExprKind, at: At) -> Expr {
    Expr { kind, at }
}

impl Parser<'_> {
    /// `a_expr`
    pub(super) fn expr(&mut self) -> Result<Expr> {
        self.within(Context::Plain, |p| p.expr_at(level::ANY, Mode::Full))
    }
    /// Runs `f` in another context.
    pub(super) fn within<T>(&mut self, context: Context, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.context, context);
        let r = f(self);
        self.context = outer;
        r
    }
    pub(super) fn boxed_expr(&mut self) -> Result<Box<Expr>> {
        self.expr().map(Box::new)
    }
    /// `b_expr`
    pub(super) fn restricted(&mut self) -> Result<Expr> {
        self.within(Context::Plain, |p| p.expr_at(level::ANY, Mode::Restricted))
    }
    pub(super) fn exprs(&mut self) -> Result<Vec<Expr>> {
        self.list(Self::expr)
    }
    /// `(expr)`
    pub(super) fn expr_in_parens(&mut self) -> Result<Expr> {
        self.expect(Kind::LParen)?;
        let e = self.expr()?;
        self.expect(Kind::RParen)?;
        Ok(e)
    }
    /// An expression of a target list, behind which any word may be its name
    pub(super) fn labelled_expr(&mut self) -> Result<Expr> {
        self.within(Context::Target, |p| p.expr_at(level::ANY, Mode::Full))
    }
    /// An expression whose operators bind at `min` or stronger.
    pub(super) fn expr_at(&mut self, min: u8, mode: Mode) -> Result<Expr> {
        self.deeper(|p| {
            let first = p.prefix(mode)?;
            p.infix(first, min, mode)
        })
    }

    /// What begins an expression: an operator before its operand, or an operand.
    fn prefix(&mut self, mode: Mode) -> Result<Expr> {
        let at = self.at();
        match self.kind() {
            Kind::Plus => {
                self.bump();
                let right = Box::new(self.expr_at(level::UNARY, mode)?);
                Ok(of(ExprKind::Operator { op: known("+"), left: None, right }, at))
            }
            Kind::Minus => {
                self.bump();
                let e = self.expr_at(level::UNARY, mode)?;
                Ok(negate(e, at))
            }
            Kind::Op | Kind::Keyword(K::Operator) if self.is(Kind::Op) || self.ahead(1) == Kind::LParen => {
                let op = self.qualified_operator()?;
                let right = Box::new(self.expr_at(level::OP + 1, mode)?);
                Ok(of(ExprKind::Operator { op, left: None, right }, at))
            }
            Kind::Keyword(K::Not) | Kind::NotLa if mode == Mode::Full => {
                self.bump();
                let arg = Box::new(self.expr_at(level::NOT, mode)?);
                Ok(of(ExprKind::Not(arg), at))
            }
            Kind::Keyword(K::Default) if mode == Mode::Full => {
                self.bump();
                Ok(of(ExprKind::Default, at))
            }
            Kind::Keyword(K::Unique) if mode == Mode::Full => {
                self.bump();
                self.nulls_distinct()?;
                self.query_in_parens()?;
                Err(self.at_place(err!(FEATURE_NOT_SUPPORTED, "UNIQUE predicate is not yet implemented"), at))
            }
            _ => {
                let e = self.operand()?;
                if mode == Mode::Full && self.is_word(K::Overlaps) && matches!(e.kind, ExprKind::Row { .. }) {
                    return self.overlaps(e);
                }
                Ok(e)
            }
        }
    }
    /// `(a, b) OVERLAPS (c, d)`
    fn overlaps(&mut self, left: Expr) -> Result<Expr> {
        let at = self.at();
        self.bump();
        let here = self.at();
        let right = match self.word() {
            Some(K::Row) => self.operand()?,
            _ if self.is(Kind::LParen) => {
                self.bump();
                match self.parens()? {
                    Parens::Row(fields) => of(ExprKind::Row { fields, explicit: false }, here),
                    _ => return self.unexpected(),
                }
            }
            _ => return self.unexpected(),
        };
        let (ExprKind::Row { fields: mut args, .. }, ExprKind::Row { fields: more, .. }) = (left.kind, right.kind)
        else {
            return self.unexpected();
        };
        for (n, side, place) in [(args.len(), "left", left.at), (more.len(), "right", right.at)] {
            if n != 2 {
                let e = err!(SYNTAX_ERROR, "wrong number of parameters on {side} side of OVERLAPS expression");
                return Err(self.at_place(e, place));
            }
        }
        args.extend(more);
        Ok(self.system_call("overlaps", args, at))
    }

    /// Goes on behind `left` with operators that bind at `min` or stronger.
    pub(super) fn infix(&mut self, mut left: Expr, min: u8, mode: Mode) -> Result<Expr> {
        let mut chain = 0;
        loop {
            let Some(p) = self.level_ahead(mode) else { return Ok(left) };
            if p < min {
                return Ok(left);
            }
            if self.context == Context::Target && self.is_label_here() {
                return Ok(left);
            }
            chain += 1;
            if chain > self.limits.chain && !matches!(p, level::OR | level::AND) {
                return self.too_deep();
            }
            let at = self.at();
            let closed;
            (left, closed) = self.operator(left, p, mode, at)?;
            // The right side has ended: nothing of the same level may follow if it does not associate.
            if !closed && matches!(p, level::IS | level::COMPARE | level::LIKE) && self.level_ahead(mode) == Some(p) {
                return self.unexpected();
            }
        }
    }
    /// How strongly the operator ahead binds.
    fn level_ahead(&self, mode: Mode) -> Option<u8> {
        let full = mode == Mode::Full;
        Some(match self.kind() {
            Kind::Plus | Kind::Minus => level::PLUS,
            Kind::Star | Kind::Slash | Kind::Percent => level::TIMES,
            Kind::Caret => level::POWER,
            Kind::Less | Kind::Greater | Kind::Equals | Kind::LessEquals | Kind::GreaterEquals | Kind::NotEquals => {
                level::COMPARE
            }
            Kind::Op => level::OP,
            Kind::TypeCast => level::CAST,
            Kind::NotLa if full => level::LIKE,
            Kind::Keyword(k) => match k {
                K::Is => level::IS,
                K::Operator if self.ahead(1) == Kind::LParen => level::OP,
                _ if !full => return None,
                K::And => level::AND,
                K::Or => level::OR,
                K::Isnull | K::Notnull => level::IS,
                K::Similar if self.context == Context::Substring && !self.word_ahead(1, K::To) => return None,
                K::Between | K::In | K::Like | K::Ilike | K::Similar => level::LIKE,
                K::At if self.word_ahead(1, K::Time) => level::AT,
                K::Collate => level::COLLATE,
                _ => return None,
            },
            _ => return None,
        })
    }
    /// Is the word ahead, which could be an operator, the name of the column before it (`SELECT 1 is`)?
    fn is_label_here(&self) -> bool {
        matches!(self.kind(), Kind::Keyword(k) if k.is_bare_label())
            && (self.ahead(1) == Kind::Comma || self.ends_targets(1))
    }
    /// Reads the operator ahead, of level `p`, and its right side. The second result: is that side closed, so that it cannot go on?
    fn operator(&mut self, left: Expr, p: u8, mode: Mode, at: At) -> Result<(Expr, bool)> {
        let word = self.word();
        match (self.kind(), word) {
            (Kind::TypeCast, _) => {
                self.bump();
                let to = Box::new(self.type_name()?);
                Ok((of(ExprKind::Cast { arg: Box::new(left), to, form: CastForm::Colons }, at), true))
            }
            (_, Some(K::And | K::Or)) => {
                self.bump();
                let right = self.expr_at(p + 1, mode)?;
                Ok((and_or(left, right, p == level::AND, at), true))
            }
            (_, Some(K::Is)) => self.is_test(left, mode, at),
            (_, Some(k @ (K::Isnull | K::Notnull))) => {
                self.bump();
                Ok((of(ExprKind::IsNull { arg: Box::new(left), not: k == K::Notnull }, at), true))
            }
            (_, Some(K::Collate)) => {
                self.bump();
                let collation = self.any_name()?;
                Ok((of(ExprKind::Collate { arg: Box::new(left), collation }, at), true))
            }
            (_, Some(K::At)) => {
                self.bump();
                self.expect_words(&[K::Time, K::Zone])?;
                let zone = self.expr_at(level::AT + 1, mode)?;
                Ok((self.system_call("timezone", vec![zone, left], at), true))
            }
            (Kind::NotLa, _) | (_, Some(K::Between | K::In | K::Like | K::Ilike | K::Similar)) => {
                self.like_or_in(left, mode, at)
            }
            _ => {
                let op = self.qualified_operator()?;
                if mode == Mode::Full
                    && let Some(k) = self.one_of(&[K::Any, K::Some, K::All])
                {
                    return Ok((self.any_all(left, op, k == K::All, at)?, true));
                }
                let right = Box::new(self.expr_at(p + 1, mode)?);
                Ok((of(ExprKind::Operator { op, left: Some(Box::new(left)), right }, at), false))
            }
        }
    }
    /// `op ANY (...)`, behind ANY
    fn any_all(&mut self, left: Expr, op: OperatorName, all: bool, at: At) -> Result<Expr> {
        self.expect(Kind::LParen)?;
        let inner = self.within(Context::Plain, Self::parens)?;
        Ok(match inner {
            Parens::Query(query) => {
                let kind =
                    if all { SubLinkKind::All { arg: left, op } } else { SubLinkKind::Any { arg: left, op: Some(op) } };
                of(ExprKind::SubLink(Box::new(SubLink { kind, query })), at)
            }
            Parens::Expr(right) => {
                of(ExprKind::ArrayOperator { op, all, left: Box::new(left), right: Box::new(right) }, at)
            }
            Parens::Row(_) => {
                // The comma was the first token that could not be there.
                self.back_to_comma();
                return self.unexpected();
            }
        })
    }
    /// Moves to the first comma of the parentheses that were just read.
    fn back_to_comma(&mut self) {
        let mut open = 0;
        let mut comma = self.i;
        let mut i = self.i;
        while i > 0 {
            i -= 1;
            match self.tokens[i].kind {
                Kind::RParen | Kind::RBracket => open += 1,
                Kind::LParen | Kind::LBracket => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                Kind::Comma if open == 1 => comma = i,
                _ => {}
            }
        }
        self.i = comma;
    }
    /// IS ...
    fn is_test(&mut self, left: Expr, mode: Mode, at: At) -> Result<(Expr, bool)> {
        self.bump();
        // NOT may be one with a look ahead; nothing of those words can follow here.
        let not = self.eat_word(K::Not);
        let arg = Box::new(left);
        if self.eat_words(&[K::Distinct, K::From]) {
            let right = Box::new(self.expr_at(level::IS + 1, mode)?);
            return Ok((of(ExprKind::Distinct { left: arg, right, not }, at), false));
        }
        if self.is_word(K::Distinct) {
            self.bump();
            return self.unexpected();
        }
        if self.eat_word(K::Document) {
            let is = of(ExprKind::Xml(Box::new(Xml::IsDocument(*arg))), at);
            return Ok((if not { of(ExprKind::Not(Box::new(is)), at) } else { is }, true));
        }
        if mode == Mode::Restricted {
            return self.unexpected();
        }
        let test = |test| ExprKind::IsBool { arg: arg.clone(), test, not };
        let kind = match self.word() {
            Some(K::Null) => ExprKind::IsNull { arg, not },
            Some(K::True) => test(BoolTest::True),
            Some(K::False) => test(BoolTest::False),
            Some(K::Unknown) => test(BoolTest::Unknown),
            Some(k @ (K::Nfc | K::Nfd | K::Nfkc | K::Nfkd | K::Normalized)) => {
                let mut args = vec![*arg];
                if k != K::Normalized {
                    let here = self.at();
                    self.bump();
                    args.push(of(ExprKind::Literal(Literal::String(k.word().to_uppercase())), here));
                }
                self.expect_word(K::Normalized)?;
                let call = self.system_call("is_normalized", args, at);
                let e = if not { of(ExprKind::Not(Box::new(call)), at) } else { call };
                return Ok((e, true));
            }
            _ => return self.unexpected(),
        };
        self.bump();
        Ok((of(kind, at), true))
    }
    /// [NOT] BETWEEN, IN, LIKE, ILIKE, SIMILAR TO
    fn like_or_in(&mut self, left: Expr, mode: Mode, at: At) -> Result<(Expr, bool)> {
        let not = self.eat(Kind::NotLa);
        let k = self.expect_one_of(&[K::Between, K::In, K::Like, K::Ilike, K::Similar])?;
        let arg = Box::new(left);
        let kind = match k {
            K::Between => {
                let symmetric = match self.one_of(&[K::Symmetric, K::Asymmetric]) {
                    Some(k) => k == K::Symmetric,
                    None => false,
                };
                let low = Box::new(self.expr_at(level::ANY, Mode::Restricted)?);
                self.expect_word(K::And)?;
                let high = Box::new(self.expr_at(level::LIKE + 1, mode)?);
                ExprKind::Between { arg, low, high, not, symmetric }
            }
            K::In => {
                self.expect(Kind::LParen)?;
                let inner = self.within(Context::Plain, Self::parens)?;
                let e = match inner {
                    Parens::Query(query) => {
                        let link = of(
                            ExprKind::SubLink(Box::new(SubLink {
                                kind: SubLinkKind::Any { arg: *arg, op: None },
                                query,
                            })),
                            at,
                        );
                        if not { of(ExprKind::Not(Box::new(link)), at) } else { link }
                    }
                    Parens::Expr(e) => of(ExprKind::In { arg, list: vec![e], not }, at),
                    Parens::Row(list) => of(ExprKind::In { arg, list, not }, at),
                };
                return Ok((e, true));
            }
            k => {
                let kind = match k {
                    K::Like => LikeKind::Like,
                    K::Ilike => LikeKind::ILike,
                    _ => {
                        self.expect_word(K::To)?;
                        LikeKind::Similar
                    }
                };
                if kind != LikeKind::Similar
                    && let Some(all) = self.one_of(&[K::Any, K::Some, K::All])
                {
                    let symbol = Symbol::Known(match (kind, not) {
                        (LikeKind::Like, false) => "~~",
                        (LikeKind::Like, true) => "!~~",
                        (_, false) => "~~*",
                        (_, true) => "!~~*",
                    });
                    return Ok((
                        self.any_all(*arg, OperatorName { schema: Vec::new(), symbol }, all == K::All, at)?,
                        true,
                    ));
                }
                let pattern = Box::new(self.expr_at(level::LIKE + 1, mode)?);
                let escape =
                    if self.eat_word(K::Escape) { Some(Box::new(self.expr_at(level::LIKE + 1, mode)?)) } else { None };
                ExprKind::Like { kind, arg, pattern, escape, not }
            }
        };
        Ok((of(kind, at), false))
    }

    // ---- parentheses ----

    /// Does a query begin here (without parentheses around it)?
    pub(super) fn begins_query(&self) -> bool {
        match self.kind() {
            Kind::Keyword(K::Select | K::Table | K::With) | Kind::WithLa => true,
            Kind::Keyword(K::Values) => self.ahead(1) == Kind::LParen,
            _ => false,
        }
    }
    /// Behind a query in parentheses: does what follows belong to a query, and not to an expression?
    pub(super) fn goes_on_as_query(&self) -> bool {
        matches!(
            self.kind(),
            Kind::RParen
                | Kind::Keyword(
                    K::Union | K::Intersect | K::Except | K::Order | K::Limit | K::Offset | K::Fetch | K::For
                )
        )
    }
    /// What stands between parentheses, behind the first: up to and with the last.
    pub(super) fn parens(&mut self) -> Result<Parens> {
        self.deeper(|p| {
            let inner = p.parens_inner()?;
            p.expect(Kind::RParen)?;
            Ok(inner)
        })
    }
    fn parens_inner(&mut self) -> Result<Parens> {
        if self.begins_query() {
            return Ok(Parens::Query(self.query()?));
        }
        let first = if self.is(Kind::LParen) {
            let at = self.at();
            self.bump();
            let inner = match self.parens()? {
                Parens::Query(q) if self.goes_on_as_query() => return Ok(Parens::Query(self.query_behind(q)?)),
                inner => inner,
            };
            let mut e = self.parenthesized_operand(inner, at)?;
            if self.is_word(K::Overlaps) && matches!(e.kind, ExprKind::Row { .. }) {
                e = self.overlaps(e)?;
            }
            self.infix(e, level::ANY, Mode::Full)?
        } else {
            self.expr()?
        };
        if !self.is(Kind::Comma) {
            return Ok(Parens::Expr(first));
        }
        let mut fields = vec![first];
        while self.eat(Kind::Comma) {
            fields.push(self.expr()?);
        }
        Ok(Parens::Row(fields))
    }
    /// The operand that parentheses make, with the indirection behind them.
    fn parenthesized_operand(&mut self, inner: Parens, at: At) -> Result<Expr> {
        let e = match inner {
            Parens::Query(query) => of(ExprKind::SubLink(Box::new(SubLink { kind: SubLinkKind::Scalar, query })), at),
            Parens::Row(fields) => return Ok(of(ExprKind::Row { fields, explicit: false }, at)),
            Parens::Expr(e) => e,
        };
        self.indirection(e)
    }
    /// `(query)`
    pub(super) fn query_in_parens(&mut self) -> Result<Select> {
        self.deeper(|p| {
            p.expect(Kind::LParen)?;
            let q = if p.is(Kind::LParen) {
                let q = p.query_in_parens()?;
                p.query_behind(q)?
            } else {
                p.query()?
            };
            p.expect(Kind::RParen)?;
            Ok(q)
        })
    }

    // ---- operands ----

    /// `c_expr`
    pub(super) fn operand(&mut self) -> Result<Expr> {
        let at = self.at();
        match self.kind() {
            Kind::Ident => self.named(),
            Kind::Integer => {
                let n = self.integer()?;
                Ok(of(ExprKind::Literal(Literal::Integer(n)), at))
            }
            Kind::Float => {
                let f = self.float()?;
                Ok(of(ExprKind::Literal(Literal::Float(f)), at))
            }
            Kind::Str => {
                let s = self.string()?;
                Ok(of(ExprKind::Literal(Literal::String(s)), at))
            }
            Kind::Bits | Kind::Hex => {
                let t = self.bump();
                Ok(of(ExprKind::Literal(Literal::Bits(lexer::string(self.text, t)?)), at))
            }
            Kind::Param => {
                let t = self.bump();
                let n = self.text[t.start as usize + 1..t.end as usize].parse().unwrap_or(u32::MAX);
                self.indirection(of(ExprKind::Param(n), at))
            }
            Kind::LParen => {
                self.bump();
                let inner = self.within(Context::Plain, Self::parens)?;
                self.parenthesized_operand(inner, at)
            }
            Kind::Keyword(k) => self.keyword_operand(k, at),
            _ => self.unexpected(),
        }
    }
    fn keyword_operand(&mut self, k: K, at: At) -> Result<Expr> {
        let called = self.ahead(1) == Kind::LParen;
        let literal = |l| Ok(of(ExprKind::Literal(l), at));
        match k {
            K::True | K::False => {
                self.bump();
                literal(Literal::Bool(k == K::True))
            }
            K::Null => {
                self.bump();
                literal(Literal::Null)
            }
            K::Case => {
                let e = self.case()?;
                if self.stored { self.indirection(e) } else { Ok(e) }
            }
            K::Array => {
                self.bump();
                if self.is(Kind::LParen) {
                    let query = self.query_in_parens()?;
                    return Ok(of(ExprKind::SubLink(Box::new(SubLink { kind: SubLinkKind::Array, query })), at));
                }
                let e = self.array(at)?;
                if self.stored { self.indirection(e) } else { Ok(e) }
            }
            K::Exists if called => {
                self.bump();
                let query = self.query_in_parens()?;
                Ok(of(ExprKind::SubLink(Box::new(SubLink { kind: SubLinkKind::Exists, query })), at))
            }
            K::Row if called => {
                self.bump();
                self.bump();
                let fields = if self.is(Kind::RParen) { Vec::new() } else { self.exprs()? };
                self.expect(Kind::RParen)?;
                Ok(of(ExprKind::Row { fields, explicit: true }, at))
            }
            K::Grouping if called => {
                self.bump();
                let args = self.parenthesized(Self::expr)?;
                Ok(of(ExprKind::Grouping(args), at))
            }
            K::Interval if self.is_interval_constant() => {
                self.bump();
                let mut to = Box::new(self.system_type("interval", at));
                if self.is(Kind::LParen) {
                    self.interval_rest(&mut to)?;
                    let arg = self.string_literal()?;
                    return Ok(of(ExprKind::Cast { arg, to, form: CastForm::Prefix }, at));
                }
                let arg = self.string_literal()?;
                if let Some((fields, precision)) = self.interval_fields()? {
                    to.fields = Some(fields);
                    to.modifiers = precision.into_iter().collect();
                }
                Ok(of(ExprKind::Cast { arg, to, form: CastForm::Prefix }, at))
            }
            _ => {
                if self.stored
                    && let Some(e) = self.stored_call(k, at)?
                {
                    return Ok(e);
                }
                if let Some(to) = self.const_type(true)? {
                    let arg = self.string_literal()?;
                    return Ok(of(ExprKind::Cast { arg, to: Box::new(to), form: CastForm::Prefix }, at));
                }
                match self.special_function()? {
                    Some(e) if self.stored => self.indirection(e),
                    Some(e) => Ok(e),
                    None => self.named(),
                }
            }
        }
    }
    /// `INTERVAL 'text'` or `INTERVAL(3) 'text'`; a stored expression may call the function of that name.
    fn is_interval_constant(&self) -> bool {
        match self.ahead(1) {
            Kind::Str => true,
            Kind::LParen => !self.stored || self.ahead(2) == Kind::Integer && self.ahead(4) == Kind::Str,
            _ => false,
        }
    }
    pub(super) fn string_literal(&mut self) -> Result<Box<Expr>> {
        let at = self.at();
        let s = self.string()?;
        Ok(boxed(ExprKind::Literal(Literal::String(s)), at))
    }
    fn case(&mut self) -> Result<Expr> {
        let at = self.at();
        self.bump();
        let arg = if self.is_word(K::When) { None } else { Some(self.boxed_expr()?) };
        let mut whens = Vec::new();
        self.expect_word(K::When)?;
        loop {
            let when = self.expr()?;
            self.expect_word(K::Then)?;
            whens.push((when, self.expr()?));
            if !self.eat_word(K::When) {
                break;
            }
        }
        let default = if self.eat_word(K::Else) { Some(self.boxed_expr()?) } else { None };
        self.expect_word(K::End)?;
        Ok(of(ExprKind::Case { arg, whens, default }, at))
    }
    /// `[...]`
    fn array(&mut self, at: At) -> Result<Expr> {
        self.deeper(|p| {
            p.expect(Kind::LBracket)?;
            let elements = match p.kind() {
                Kind::RBracket => Vec::new(),
                Kind::LBracket => p.list(|p| {
                    let at = p.at();
                    p.array(at)
                })?,
                _ => p.exprs()?,
            };
            p.expect(Kind::RBracket)?;
            Ok(of(ExprKind::Array(elements), at))
        })
    }
    /// What begins with a name: a column, a call, a constant of a type
    fn named(&mut self) -> Result<Expr> {
        let at = self.at();
        let kind = self.kind();
        // Words that may be functions and nothing else
        if !Self::is_col_id(kind) {
            let name = vec![self.type_function_name()?];
            return match self.kind() {
                Kind::LParen => self.call_or_constant(name, at),
                _ => self.typed_constant(name, at),
            };
        }
        // Words that may be columns and not functions
        let column_only = !Self::is_type_function_name(kind);
        let mut path = vec![self.col_id()?];
        let mut steps = self.any_steps()?;
        let alone = steps.is_empty();
        let rest = steps.iter().position(|s| !matches!(s, Step::Field(_))).unwrap_or(steps.len());
        let rest = steps.split_off(rest);
        path.extend(steps.into_iter().filter_map(|s| if let Step::Field(n) = s { Some(n) } else { None }));
        // What follows makes it a function or a type, which only names can be.
        if matches!(self.kind(), Kind::LParen | Kind::Str) && !(column_only && alone) {
            if !rest.is_empty() {
                return self.unexpected();
            }
            return if self.is(Kind::LParen) { self.call_or_constant(path, at) } else { self.typed_constant(path, at) };
        }
        if rest.iter().rev().skip(1).any(|s| *s == Step::Star) {
            return Err(self.wrong("improper use of \"*\""));
        }
        let star = rest == [Step::Star];
        let column = of(ExprKind::Column { path, star }, at);
        if star || rest.is_empty() {
            return Ok(column);
        }
        Ok(of(ExprKind::Indirection { arg: Box::new(column), steps: rest }, at))
    }
    /// `type 'text'`
    fn typed_constant(&mut self, parts: Vec<Name>, at: At) -> Result<Expr> {
        let arg = self.string_literal()?;
        let to = Box::new(TypeName { parts, ..self.system_type("", at) });
        Ok(of(ExprKind::Cast { arg, to, form: CastForm::Prefix }, at))
    }
    /// `.field`, `[index]`, `[from:to]`, `.*`, as often as they come
    pub(super) fn steps(&mut self) -> Result<Vec<Step>> {
        let steps = self.any_steps()?;
        if steps.iter().rev().skip(1).any(|s| *s == Step::Star) {
            return Err(self.wrong("improper use of \"*\""));
        }
        Ok(steps)
    }
    /// The same, with stars anywhere
    pub(super) fn any_steps(&mut self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            match self.kind() {
                Kind::Dot => {
                    self.bump();
                    steps.push(if self.eat(Kind::Star) { Step::Star } else { Step::Field(self.label()?) });
                }
                Kind::LBracket => {
                    self.bump();
                    let low = if self.is(Kind::Colon) { None } else { Some(self.expr()?) };
                    let step = if self.eat(Kind::Colon) {
                        let high = if self.is(Kind::RBracket) { None } else { Some(self.expr()?) };
                        Step::Slice(low, high)
                    } else {
                        match low {
                            Some(e) => Step::Index(e),
                            None => return self.unexpected(),
                        }
                    };
                    self.expect(Kind::RBracket)?;
                    steps.push(step);
                }
                _ => break,
            }
            if steps.len() > self.limits.chain {
                return self.too_deep();
            }
        }
        Ok(steps)
    }
    pub(super) fn indirection(&mut self, e: Expr) -> Result<Expr> {
        if !matches!(self.kind(), Kind::Dot | Kind::LBracket) {
            return Ok(e);
        }
        let steps = self.steps()?;
        let at = e.at;
        Ok(of(ExprKind::Indirection { arg: Box::new(e), steps }, at))
    }
}

pub(super) fn known(symbol: &'static str) -> OperatorName {
    OperatorName { schema: Vec::new(), symbol: Symbol::Known(symbol) }
}
/// `- e`: of a constant it is a constant.
fn negate(e: Expr, at: At) -> Expr {
    match e.kind {
        ExprKind::Literal(Literal::Integer(n)) => of(ExprKind::Literal(Literal::Integer(-n)), at),
        ExprKind::Literal(Literal::Float(f)) => {
            let f = match f.strip_prefix('-') {
                Some(positive) => positive.to_string(),
                None => format!("-{f}"),
            };
            of(ExprKind::Literal(Literal::Float(f)), at)
        }
        kind => {
            let right = boxed(kind, e.at);
            of(ExprKind::Operator { op: known("-"), left: None, right }, at)
        }
    }
}
/// `left AND right`: one list for `a AND b AND c`
fn and_or(left: Expr, right: Expr, and: bool, at: At) -> Expr {
    match (left.kind, and) {
        (ExprKind::And(mut list), true) => {
            list.push(right);
            of(ExprKind::And(list), left.at)
        }
        (ExprKind::Or(mut list), false) => {
            list.push(right);
            of(ExprKind::Or(list), left.at)
        }
        (kind, and) => {
            let list = vec![of(kind, left.at), right];
            of(if and { ExprKind::And(list) } else { ExprKind::Or(list) }, at)
        }
    }
}
