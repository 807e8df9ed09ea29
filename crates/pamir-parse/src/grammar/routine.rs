//! Functions, procedures and aggregates: signatures, options, bodies.
use super::*;

impl Parser<'_> {
    /// `function_with_argtypes`
    pub(super) fn routine_ref(&mut self) -> Result<RoutineRef> {
        let at = self.at();
        let kind = self.kind();
        let name = if Self::is_col_id(kind) {
            let n = self.dotted()?.parts;
            // A word that is no function's name may stand without arguments only.
            if n.len() == 1 && !Self::is_type_function_name(kind) && self.is(Kind::LParen) {
                return self.unexpected();
            }
            n
        } else {
            vec![self.type_function_name()?]
        };
        let args = if self.is(Kind::LParen) { Some(self.parameters(false)?) } else { None };
        Ok(RoutineRef { name, args, at })
    }
    pub(super) fn routine_refs(&mut self) -> Result<Vec<RoutineRef>> {
        self.list(Self::routine_ref)
    }
    /// `aggregate_with_argtypes`
    pub(super) fn aggregate_ref(&mut self) -> Result<RoutineRef> {
        let at = self.at();
        let name = self.func_name()?;
        let args = self.aggregate_args()?;
        let mut all = args.direct;
        all.extend(args.ordered.unwrap_or_default());
        Ok(RoutineRef { name, args: Some(all), at })
    }
    pub(super) fn aggregate_args(&mut self) -> Result<AggregateArgs> {
        self.expect(Kind::LParen)?;
        let mut a = AggregateArgs { star: false, direct: Vec::new(), ordered: None };
        if self.eat(Kind::Star) {
            a.star = true;
            self.expect(Kind::RParen)?;
            return Ok(a);
        }
        if !self.is_word(K::Order) {
            a.direct = self.list(Self::aggregate_arg)?;
        }
        if self.eat_words(&[K::Order, K::By]) {
            a.ordered = Some(self.list(Self::aggregate_arg)?);
        } else if self.is_word(K::Order) {
            self.bump();
            return self.unexpected();
        }
        self.expect(Kind::RParen)?;
        Ok(a)
    }
    fn aggregate_arg(&mut self) -> Result<Parameter> {
        let p = self.parameter()?;
        if matches!(p.mode, ParameterMode::Out | ParameterMode::InOut) {
            let e = err!(FEATURE_NOT_SUPPORTED, "aggregates cannot have output arguments");
            return Err(self.at_place(e, p.at));
        }
        Ok(p)
    }
    /// `(mode name type [DEFAULT expr], ...)`
    pub(super) fn parameters(&mut self, defaults: bool) -> Result<Vec<Parameter>> {
        self.expect(Kind::LParen)?;
        if self.eat(Kind::RParen) {
            return Ok(Vec::new());
        }
        let out = self.list(|p| {
            let mut a = p.parameter()?;
            if defaults && (p.eat_word(K::Default) || p.eat(Kind::Equals)) {
                a.default = Some(p.expr()?);
            }
            Ok(a)
        })?;
        self.expect(Kind::RParen)?;
        Ok(out)
    }
    fn parameter(&mut self) -> Result<Parameter> {
        let at = self.at();
        let mut mode = self.parameter_mode();
        let mut name = None;
        // A name is a word that another follows which can begin a type.
        if Self::is_type_function_name(self.kind()) && self.begins_type_ahead() {
            name = Some(self.type_function_name()?);
            if mode == ParameterMode::Default {
                mode = self.parameter_mode();
            }
        }
        Ok(Parameter { mode, name, ty: self.func_type()?, default: None, at })
    }
    /// Behind a word: does a type begin, or a mode before it?
    fn begins_type_ahead(&self) -> bool {
        match self.ahead(1) {
            Kind::Ident => true,
            Kind::Keyword(K::Default | K::Array) => false,
            Kind::Keyword(K::In | K::Out | K::Inout | K::Variadic | K::Setof) => true,
            // `double precision`, `character varying`, `time without time zone`: the first word is the type's.
            Kind::Keyword(K::Precision) => !self.is_word(K::Double),
            Kind::Keyword(K::Varying) => false,
            Kind::Keyword(K::Without) => false,
            Kind::Keyword(k) => k.class() != crate::keywords::Class::Reserved,
            _ => false,
        }
    }
    fn parameter_mode(&mut self) -> ParameterMode {
        // OUT and INOUT are no names of types or functions; IN and VARIADIC are reserved.
        match self.one_of(&[K::In, K::Out, K::Inout, K::Variadic]) {
            Some(K::In) if self.eat_word(K::Out) => ParameterMode::InOut,
            Some(K::In) => ParameterMode::In,
            Some(K::Out) => ParameterMode::Out,
            Some(K::Inout) => ParameterMode::InOut,
            Some(_) => ParameterMode::Variadic,
            None => ParameterMode::Default,
        }
    }
    pub(super) fn create_routine(&mut self, replace: bool, procedure: bool) -> Result<Create> {
        self.bump();
        let at = self.at();
        let name = self.func_name()?;
        let parameters = self.parameters(true)?;
        let mut returns = Returns::Unsaid;
        if !procedure && self.is_word(K::Returns) && !self.word_ahead(1, K::Null) {
            self.bump();
            if self.eat_word(K::Table) {
                let columns = self.parenthesized(|p| {
                    let at = p.at();
                    let name = Some(p.type_function_name()?);
                    Ok(Parameter { mode: ParameterMode::Out, name, ty: p.func_type()?, default: None, at })
                })?;
                if parameters.iter().any(|p| matches!(p.mode, ParameterMode::Out | ParameterMode::InOut)) {
                    return Err(err!(SYNTAX_ERROR, "OUT and INOUT arguments aren't allowed in TABLE functions"));
                }
                returns = Returns::Table(columns);
            } else {
                returns = Returns::Type(self.func_type()?);
            }
        }
        let options = self.routine_options(true)?;
        let body = self.routine_body()?;
        Ok(Create::Routine(CreateRoutine { procedure, replace, name, parameters, returns, options, body, at }))
    }
    /// Those of CREATE, or fewer of ALTER
    pub(super) fn routine_options(&mut self, create: bool) -> Result<Vec<RoutineOption>> {
        let mut out = Vec::new();
        loop {
            let at = self.at();
            let Some(k) = self.word() else { return Ok(out) };
            out.push(match k {
                K::As if create => {
                    self.bump();
                    let first = self.string()?;
                    let second = if self.eat(Kind::Comma) { Some(self.string()?) } else { None };
                    RoutineOption::As(first, second, at)
                }
                K::Language if create => {
                    self.bump();
                    RoutineOption::Language(self.non_reserved_or_string()?, at)
                }
                K::Transform if create => {
                    self.bump();
                    RoutineOption::Transform(self.list(|p| {
                        p.expect_words(&[K::For, K::Type])?;
                        p.type_name()
                    })?)
                }
                K::Window if create => {
                    self.bump();
                    RoutineOption::Window
                }
                K::Called => {
                    self.expect_words(&[K::Called, K::On, K::Null, K::Input])?;
                    RoutineOption::Strict(false)
                }
                K::Returns => {
                    self.expect_words(&[K::Returns, K::Null, K::On, K::Null, K::Input])?;
                    RoutineOption::Strict(true)
                }
                K::Strict => {
                    self.bump();
                    RoutineOption::Strict(true)
                }
                K::Immutable | K::Stable | K::Volatile => {
                    self.bump();
                    RoutineOption::Volatility(match k {
                        K::Immutable => Volatility::Immutable,
                        K::Stable => Volatility::Stable,
                        _ => Volatility::Volatile,
                    })
                }
                K::External | K::Security => {
                    if self.eat_word(K::External) && !self.is_word(K::Security) {
                        return self.unexpected();
                    }
                    self.bump();
                    RoutineOption::SecurityDefiner(self.expect_one_of(&[K::Definer, K::Invoker])? == K::Definer)
                }
                K::Leakproof => {
                    self.bump();
                    RoutineOption::Leakproof(true)
                }
                K::Not => {
                    self.expect_words(&[K::Not, K::Leakproof])?;
                    RoutineOption::Leakproof(false)
                }
                K::Cost => {
                    self.bump();
                    RoutineOption::Cost(self.numeric()?)
                }
                K::Rows => {
                    self.bump();
                    RoutineOption::Rows(self.numeric()?)
                }
                K::Support => {
                    self.bump();
                    RoutineOption::Support(self.any_name()?)
                }
                K::Set => {
                    self.bump();
                    RoutineOption::Set(SetStatement { local: false, reset: false, what: self.set_more()? })
                }
                K::Reset => RoutineOption::Set(self.reset()?),
                K::Parallel => {
                    self.bump();
                    RoutineOption::Parallel(self.col_id()?)
                }
                _ => return Ok(out),
            });
        }
    }
    fn routine_body(&mut self) -> Result<Option<RoutineBody>> {
        if self.eat_word(K::Return) {
            return Ok(Some(RoutineBody::Return(self.expr()?)));
        }
        if !self.eat_word(K::Begin) {
            return Ok(None);
        }
        self.expect_word(K::Atomic)?;
        let mut body = Vec::new();
        self.deeper(|p| {
            while !p.eat_word(K::End) {
                if p.eat(Kind::Semicolon) {
                    continue;
                }
                body.push(if p.eat_word(K::Return) { Statement::Return(p.boxed_expr()?) } else { p.statement()? });
                p.expect(Kind::Semicolon)?;
            }
            Ok(())
        })?;
        Ok(Some(RoutineBody::Atomic(body)))
    }
    pub(super) fn call_statement(&mut self) -> Result<Statement> {
        self.bump();
        let at = self.at();
        let name = self.func_name()?;
        let (f, _) = self.application(name, at)?;
        Ok(Statement::Call(Box::new(f)))
    }
    pub(super) fn do_statement(&mut self) -> Result<Statement> {
        self.bump();
        let mut options = Vec::new();
        loop {
            let at = self.at();
            let (name, value) = if self.is(Kind::Str) {
                ("as", self.string()?)
            } else if self.eat_word(K::Language) {
                ("language", self.non_reserved_or_string()?)
            } else if options.is_empty() {
                return self.unexpected();
            } else {
                return Ok(Statement::Do(options));
            };
            options.push(DefElem { value: Some(DefValue::String(value)), ..self.flag(name, at) });
        }
    }
}
