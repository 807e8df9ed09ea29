//! Names of types.
use super::*;

/// A type of the standard's spelling: a name in `pg_catalog`.
pub(super) fn system(name: &str) -> Vec<Name> {
    vec!["pg_catalog".to_string(), name.to_string()]
}

impl Parser<'_> {
    pub(super) fn type_name(&mut self) -> Result<TypeName> {
        let setof = self.eat_word(K::Setof);
        let mut t = self.simple_type()?;
        t.setof = setof;
        self.array_bounds(&mut t)?;
        Ok(t)
    }
    pub(super) fn type_names(&mut self) -> Result<Vec<TypeName>> {
        self.list(Self::type_name)
    }
    pub(super) fn system_type(&self, name: &str, at: At) -> TypeName {
        TypeName {
            parts: system(name),
            setof: false,
            of_column: false,
            modifiers: Vec::new(),
            fields: None,
            array: Vec::new(),
            at,
        }
    }
    /// A type without SETOF and array bounds
    pub(super) fn simple_type(&mut self) -> Result<TypeName> {
        if let Some(t) = self.const_type(false)? {
            return Ok(t);
        }
        let at = self.at();
        if self.is_word(K::Interval) {
            self.bump();
            let mut t = self.system_type("interval", at);
            self.interval_rest(&mut t)?;
            return Ok(t);
        }
        let mut parts = vec![self.type_function_name()?];
        self.attrs(&mut parts)?;
        let modifiers = self.type_modifiers()?;
        Ok(TypeName { parts, modifiers, ..self.system_type("", at) })
    }
    fn type_modifiers(&mut self) -> Result<Vec<Expr>> {
        self.opt_parenthesized(Self::expr)
    }
    /// `(n)` or the fields of an interval, which may carry `(n)` themselves
    pub(super) fn interval_rest(&mut self, t: &mut TypeName) -> Result<()> {
        if self.eat(Kind::LParen) {
            let at = self.at();
            let n = self.integer()?;
            self.expect(Kind::RParen)?;
            t.modifiers = vec![integer(n, at)];
            return Ok(());
        }
        if let Some((fields, precision)) = self.interval_fields()? {
            t.fields = Some(fields);
            t.modifiers = precision.into_iter().collect();
        }
        Ok(())
    }
    /// `YEAR TO MONTH` and so on; with the digits of `SECOND(n)`.
    pub(super) fn interval_fields(&mut self) -> Result<Option<(IntervalFields, Option<Expr>)>> {
        use pamir_types::datetime::interval_range as F;
        const ORDER: [(K, i32); 6] = [
            (K::Year, F::YEAR),
            (K::Month, F::MONTH),
            (K::Day, F::DAY),
            (K::Hour, F::HOUR),
            (K::Minute, F::MINUTE),
            (K::Second, F::SECOND),
        ];
        let Some(first) = ORDER.iter().position(|(k, _)| self.is_word(*k)) else { return Ok(None) };
        self.bump();
        let mut last = first;
        // A month or a second goes no further.
        if first != 1 && first != 5 && self.eat_word(K::To) {
            let range = if first == 0 { 1..2 } else { first + 1..6 };
            let Some(to) = range.clone().find(|i| self.is_word(ORDER[*i].0)) else { return self.unexpected() };
            self.bump();
            last = to;
        }
        let mask = ORDER[first..=last].iter().fold(0, |m, (_, f)| m | f);
        let mut precision = None;
        if last == 5 && self.eat(Kind::LParen) {
            let at = self.at();
            precision = Some(integer(self.integer()?, at));
            self.expect(Kind::RParen)?;
        }
        Ok(Some((IntervalFields(mask), precision)))
    }
    /// A type of the standard's spelling that is a prefix of constants (`date` and the like are none). With `constant`, it is one only where a string follows or
    /// could: elsewhere the word may be a column.
    pub(super) fn const_type(&mut self, constant: bool) -> Result<Option<TypeName>> {
        let at = self.at();
        let Some(k) = self.word() else { return Ok(None) };
        // Alone it is a word like others.
        if k == K::Double && !self.word_ahead(1, K::Precision) {
            return Ok(None);
        }
        let plain = match k {
            K::Int | K::Integer => "int4",
            K::Smallint => "int2",
            K::Bigint => "int8",
            K::Real => "float4",
            K::Boolean => "bool",
            K::Float
            | K::Double
            | K::Decimal
            | K::Dec
            | K::Numeric
            | K::Bit
            | K::Character
            | K::Char
            | K::Varchar
            | K::National
            | K::Nchar
            | K::Timestamp
            | K::Time => "",
            _ => return Ok(None),
        };
        if constant && !self.goes_on_as_constant(k) {
            return Ok(None);
        }
        self.bump();
        if !plain.is_empty() {
            return Ok(Some(self.system_type(plain, at)));
        }
        let mut t = self.system_type("", at);
        match k {
            K::Float => {
                let mut name = "float8";
                if self.eat(Kind::LParen) {
                    let here = self.at();
                    let n = self.integer()?;
                    self.expect(Kind::RParen)?;
                    let e = match n {
                        ..1 => err!(INVALID_PARAMETER_VALUE, "precision for type float must be at least 1 bit"),
                        1..25 => {
                            name = "float4";
                            t.parts = system(name);
                            return Ok(Some(t));
                        }
                        25..54 => {
                            t.parts = system(name);
                            return Ok(Some(t));
                        }
                        _ => err!(INVALID_PARAMETER_VALUE, "precision for type float must be less than 54 bits"),
                    };
                    return Err(self.at_place(e, here));
                }
                t.parts = system(name);
            }
            K::Double => {
                self.expect_word(K::Precision)?;
                t.parts = system("float8");
            }
            K::Decimal | K::Dec | K::Numeric => {
                t.parts = system("numeric");
                t.modifiers = self.type_modifiers()?;
            }
            K::Bit => {
                let varying = self.eat_word(K::Varying);
                t.parts = system(if varying { "varbit" } else { "bit" });
                if self.is(Kind::LParen) {
                    t.modifiers = self.type_modifiers()?;
                } else if !varying && !constant {
                    // bit is bit(1); a constant takes the length that it has.
                    t.modifiers = vec![integer(1, At::NOWHERE)];
                }
            }
            K::Timestamp | K::Time => {
                if self.eat(Kind::LParen) {
                    let here = self.at();
                    t.modifiers = vec![integer(self.integer()?, here)];
                    self.expect(Kind::RParen)?;
                }
                let zone = self.opt_time_zone()?;
                t.parts = system(match (k, zone) {
                    (K::Timestamp, true) => "timestamptz",
                    (K::Timestamp, false) => "timestamp",
                    (_, true) => "timetz",
                    _ => "time",
                });
            }
            _ => {
                let k = if k == K::National { self.expect_one_of(&[K::Character, K::Char])? } else { k };
                let varying = k == K::Varchar || self.eat_word(K::Varying);
                t.parts = system(if varying { "varchar" } else { "bpchar" });
                if self.eat(Kind::LParen) {
                    let here = self.at();
                    t.modifiers = vec![integer(self.integer()?, here)];
                    self.expect(Kind::RParen)?;
                } else if !varying && !constant {
                    t.modifiers = vec![integer(1, At::NOWHERE)];
                }
            }
        }
        Ok(Some(t))
    }
    /// Is the word ahead, one of [`const_type`](Self::const_type)'s, the beginning of a constant, and not a column's name?
    fn goes_on_as_constant(&self, k: K) -> bool {
        let next = self.ahead(1);
        match k {
            K::Double => next == Kind::Keyword(K::Precision),
            K::National => matches!(next, Kind::Keyword(K::Character | K::Char)),
            K::Bit | K::Character | K::Char | K::Nchar => {
                matches!(next, Kind::Str | Kind::LParen | Kind::Keyword(K::Varying))
            }
            K::Timestamp | K::Time => {
                matches!(next, Kind::Str | Kind::LParen | Kind::WithLa | Kind::Keyword(K::Without))
            }
            K::Float | K::Decimal | K::Dec | K::Numeric | K::Varchar => matches!(next, Kind::Str | Kind::LParen),
            // `int (`: neither a constant nor a column can go on so, and the place of the error is the parenthesis either way.
            _ => next == Kind::Str,
        }
    }
    fn opt_time_zone(&mut self) -> Result<bool> {
        if self.is(Kind::WithLa) && self.word_ahead(1, K::Time) {
            self.bump();
            self.expect_words(&[K::Time, K::Zone])?;
            return Ok(true);
        }
        if self.is_word(K::Without) {
            self.expect_words(&[K::Without, K::Time, K::Zone])?;
        }
        Ok(false)
    }
    /// A type, or that of a column: `t.c%TYPE`
    pub(super) fn func_type(&mut self) -> Result<TypeName> {
        let at = self.at();
        let setof = self.is_word(K::Setof);
        let first = self.ahead(setof as usize);
        if Self::is_type_function_name(first) && self.ahead(1 + setof as usize) == Kind::Dot {
            if setof {
                self.bump();
            }
            let mut parts = vec![self.type_function_name()?];
            self.attrs(&mut parts)?;
            if self.is(Kind::Percent) {
                self.bump();
                self.expect_word(K::Type)?;
                return Ok(TypeName { parts, setof, of_column: true, ..self.system_type("", at) });
            }
            let modifiers = self.type_modifiers()?;
            let mut t = TypeName { parts, setof, modifiers, ..self.system_type("", at) };
            self.array_bounds(&mut t)?;
            return Ok(t);
        }
        self.type_name()
    }
    fn array_bounds(&mut self, t: &mut TypeName) -> Result<()> {
        if self.eat_word(K::Array) {
            let mut bound = None;
            if self.eat(Kind::LBracket) {
                bound = Some(self.integer()?);
                self.expect(Kind::RBracket)?;
            }
            t.array.push(bound);
            return Ok(());
        }
        while self.eat(Kind::LBracket) {
            let bound = if self.is(Kind::Integer) { Some(self.integer()?) } else { None };
            self.expect(Kind::RBracket)?;
            t.array.push(bound);
        }
        Ok(())
    }
}

/// A constant that the grammar makes
pub(super) fn integer(n: i32, at: At) -> Expr {
    Expr { kind: ExprKind::Literal(Literal::Integer(n)), at }
}
