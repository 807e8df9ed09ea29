//! Transactions, settings, cursors, COPY, maintenance.
use super::*;
use pamir_types::datetime::interval_range;

impl Parser<'_> {
    // ---- transactions ----

    pub(super) fn opt_transaction(&mut self) {
        self.one_of(&[K::Work, K::Transaction]);
    }
    pub(super) fn opt_chain(&mut self) -> Result<bool> {
        if !self.eat_word(K::And) {
            return Ok(false);
        }
        let no = self.eat_word(K::No);
        self.expect_word(K::Chain)?;
        Ok(!no)
    }
    pub(super) fn opt_transaction_modes(&mut self) -> Result<Vec<TransactionMode>> {
        let mut out = Vec::new();
        while let Some(m) = self.transaction_mode()? {
            out.push(m);
            if self.eat(Kind::Comma) && !matches!(self.word(), Some(K::Isolation | K::Read | K::Deferrable | K::Not)) {
                return self.unexpected();
            }
        }
        Ok(out)
    }
    fn transaction_modes(&mut self) -> Result<Vec<TransactionMode>> {
        let modes = self.opt_transaction_modes()?;
        if modes.is_empty() { self.unexpected() } else { Ok(modes) }
    }
    fn transaction_mode(&mut self) -> Result<Option<TransactionMode>> {
        let at = self.at();
        Ok(Some(match self.word() {
            Some(K::Isolation) => {
                self.expect_words(&[K::Isolation, K::Level])?;
                let at = self.at();
                let level = match self.expect_one_of(&[K::Read, K::Repeatable, K::Serializable])? {
                    K::Read => match self.expect_one_of(&[K::Committed, K::Uncommitted])? {
                        K::Committed => "read committed",
                        _ => "read uncommitted",
                    },
                    K::Repeatable => {
                        self.expect_word(K::Read)?;
                        "repeatable read"
                    }
                    _ => "serializable",
                };
                TransactionMode::Isolation(level, at)
            }
            Some(K::Read) => {
                self.bump();
                TransactionMode::ReadOnly(self.expect_one_of(&[K::Only, K::Write])? == K::Only, at)
            }
            Some(K::Deferrable) => {
                self.bump();
                TransactionMode::Deferrable(true, at)
            }
            Some(K::Not) => {
                self.expect_words(&[K::Not, K::Deferrable])?;
                TransactionMode::Deferrable(false, at)
            }
            _ => return Ok(None),
        }))
    }
    pub(super) fn transaction(&mut self) -> Result<Transaction> {
        let k = self.word();
        self.bump();
        Ok(match k {
            Some(K::Start) => {
                self.expect_word(K::Transaction)?;
                Transaction::Start(self.opt_transaction_modes()?)
            }
            Some(K::Savepoint) => Transaction::Savepoint(self.col_id()?),
            Some(K::Release) => {
                // SAVEPOINT may be the savepoint's name.
                if self.is_word(K::Savepoint) && Self::is_col_id(self.ahead(1)) {
                    self.bump();
                }
                Transaction::Release(self.col_id()?)
            }
            Some(K::Commit) if self.eat_word(K::Prepared) => Transaction::CommitPrepared(self.string()?),
            Some(K::Rollback) if self.eat_word(K::Prepared) => Transaction::RollbackPrepared(self.string()?),
            Some(K::Commit) => {
                self.opt_transaction();
                Transaction::Commit { chain: self.opt_chain()? }
            }
            rollback => {
                self.opt_transaction();
                if rollback == Some(K::Rollback) && self.eat_word(K::To) {
                    if self.is_word(K::Savepoint) && Self::is_col_id(self.ahead(1)) {
                        self.bump();
                    }
                    return Ok(Transaction::RollbackTo(self.col_id()?));
                }
                Transaction::Rollback { chain: self.opt_chain()? }
            }
        })
    }

    // ---- settings ----

    pub(super) fn set(&mut self) -> Result<Statement> {
        self.bump();
        if self.is_word(K::Constraints)
            && (self.word_ahead(1, K::All) || Self::is_col_id(self.ahead(1)))
            && !self.word_ahead(1, K::To)
        {
            self.bump();
            let names = if self.eat_word(K::All) { None } else { Some(self.qualified_names()?) };
            let deferred = self.expect_one_of(&[K::Deferred, K::Immediate])? == K::Deferred;
            return Ok(Statement::Constraints { names, deferred });
        }
        // LOCAL and SESSION may be settings' names.
        let is_name = |k: Kind| matches!(k, Kind::Equals | Kind::Dot | Kind::Keyword(K::To));
        let mut local = false;
        if !is_name(self.ahead(1)) {
            local = self.eat_word(K::Local);
            if !local
                && self.is_word(K::Session)
                && !matches!(self.ahead(1), Kind::Keyword(K::Authorization | K::Characteristics))
            {
                self.bump();
            }
        }
        let what = self.set_rest()?;
        Ok(Statement::Set(Box::new(SetStatement { local, reset: false, what })))
    }
    /// `set_rest`
    pub(super) fn set_rest(&mut self) -> Result<Setting> {
        if self.is_word(K::Transaction)
            && matches!(self.ahead(1), Kind::Keyword(K::Isolation | K::Read | K::Deferrable | K::Not))
        {
            self.bump();
            return Ok(Setting::Transaction(self.transaction_modes()?));
        }
        if self.eat_words(&[K::Session, K::Characteristics]) {
            self.expect_words(&[K::As, K::Transaction])?;
            return Ok(Setting::SessionCharacteristics(self.transaction_modes()?));
        }
        self.set_more()
    }
    /// `set_rest_more`: what functions may set too
    pub(super) fn set_more(&mut self) -> Result<Setting> {
        let value =
            |name: &str, v: String| Setting::Value { name: name.to_string(), values: vec![SetValue::String(v)] };
        let next = self.ahead(1);
        match self.word() {
            Some(K::Time) if next == Kind::Keyword(K::Zone) => {
                self.bump();
                self.bump();
                self.zone_value()
            }
            Some(K::Catalog) if next == Kind::Str => {
                self.bump();
                let at = self.at();
                self.string()?;
                Err(self.at_place(err!(FEATURE_NOT_SUPPORTED, "current database cannot be changed"), at))
            }
            Some(K::Schema) if next == Kind::Str => {
                self.bump();
                Ok(value("search_path", self.string()?))
            }
            Some(K::Names) if !matches!(next, Kind::Equals | Kind::Dot | Kind::Keyword(K::To | K::From)) => {
                self.bump();
                if self.is(Kind::Str) {
                    return Ok(value("client_encoding", self.string()?));
                }
                self.eat_word(K::Default);
                Ok(Setting::Default("client_encoding".to_string()))
            }
            Some(K::Role) if next == Kind::Str || Self::is_non_reserved(next) => {
                self.bump();
                Ok(value("role", self.non_reserved_or_string()?))
            }
            Some(K::Session) if next == Kind::Keyword(K::Authorization) => {
                self.bump();
                self.bump();
                if self.eat_word(K::Default) {
                    return Ok(Setting::Default("session_authorization".to_string()));
                }
                Ok(value("session_authorization", self.non_reserved_or_string()?))
            }
            Some(K::Xml) if next == Kind::Keyword(K::Option) => {
                self.bump();
                self.bump();
                let k = self.expect_one_of(&[K::Document, K::Content])?;
                Ok(value("xmloption", k.word().to_uppercase()))
            }
            Some(K::Transaction) if next == Kind::Keyword(K::Snapshot) => {
                self.bump();
                self.bump();
                Ok(Setting::Snapshot(self.string()?))
            }
            _ => {
                let name = self.var_name()?;
                if self.eat_word(K::From) {
                    self.expect_word(K::Current)?;
                    return Ok(Setting::FromCurrent(name));
                }
                self.generic_set(name)
            }
        }
    }
    /// Behind the name: `TO value, ...` or `= value, ...`
    pub(super) fn generic_set(&mut self, name: Name) -> Result<Setting> {
        if !self.eat_word(K::To) {
            self.expect(Kind::Equals)?;
        }
        if self.eat_word(K::Default) {
            return Ok(Setting::Default(name));
        }
        let values = self.list(|p| {
            if p.is_numeric() {
                return Ok(match p.numeric()? {
                    DefValue::Integer(n) => SetValue::Integer(n),
                    DefValue::Float(f) => SetValue::Float(f),
                    _ => return p.unexpected(),
                });
            }
            Ok(SetValue::String(p.bool_or_string()?))
        })?;
        Ok(Setting::Value { name, values })
    }
    pub(super) fn var_name(&mut self) -> Result<Name> {
        let mut name = self.col_id()?;
        while self.eat(Kind::Dot) {
            name.push('.');
            name.push_str(&self.col_id()?);
        }
        Ok(name)
    }
    fn zone_value(&mut self) -> Result<Setting> {
        let name = "timezone".to_string();
        let one = |v| Ok(Setting::Value { name: "timezone".to_string(), values: vec![v] });
        match self.kind() {
            Kind::Keyword(K::Default | K::Local) => {
                self.bump();
                Ok(Setting::Default(name))
            }
            Kind::Str => {
                let s = self.string()?;
                one(SetValue::String(s))
            }
            Kind::Ident => {
                let s = self.col_id()?;
                one(SetValue::String(s))
            }
            Kind::Keyword(K::Interval) => {
                self.bump();
                let mut precision = None;
                if self.eat(Kind::LParen) {
                    precision = Some(self.integer()?);
                    self.expect(Kind::RParen)?;
                }
                let text = self.string()?;
                let at = self.at();
                let fields = if precision.is_none() { self.interval_fields()?.map(|f| f.0) } else { None };
                if let Some(f) = fields
                    && f.0 & !(interval_range::HOUR | interval_range::MINUTE) != 0
                {
                    return Err(
                        self.at_place(err!(SYNTAX_ERROR, "time zone interval must be HOUR or HOUR TO MINUTE"), at)
                    );
                }
                one(SetValue::Interval(text, fields, precision))
            }
            _ => match self.numeric()? {
                DefValue::Integer(n) => one(SetValue::Integer(n)),
                DefValue::Float(f) => one(SetValue::Float(f)),
                _ => self.unexpected(),
            },
        }
    }
    pub(super) fn reset(&mut self) -> Result<SetStatement> {
        self.expect_word(K::Reset)?;
        let what = match self.word() {
            Some(K::All) => {
                self.bump();
                Setting::ResetAll
            }
            _ => Setting::Default(self.named_setting()?),
        };
        Ok(SetStatement { local: false, reset: true, what })
    }
    /// A setting's name, or the words that some have
    fn named_setting(&mut self) -> Result<Name> {
        let next = self.ahead(1);
        Ok(match self.word() {
            Some(K::Time) if next == Kind::Keyword(K::Zone) => {
                self.bump();
                self.bump();
                "timezone".to_string()
            }
            Some(K::Transaction) if next == Kind::Keyword(K::Isolation) => {
                self.expect_words(&[K::Transaction, K::Isolation, K::Level])?;
                "transaction_isolation".to_string()
            }
            Some(K::Session) if next == Kind::Keyword(K::Authorization) => {
                self.bump();
                self.bump();
                "session_authorization".to_string()
            }
            _ => self.var_name()?,
        })
    }
    pub(super) fn show(&mut self) -> Result<Statement> {
        self.bump();
        if self.eat_word(K::All) {
            return Ok(Statement::Show("all".to_string()));
        }
        Ok(Statement::Show(self.named_setting()?))
    }

    // ---- prepared statements, cursors ----

    pub(super) fn prepare(&mut self) -> Result<Statement> {
        self.bump();
        if self.is_word(K::Transaction) && self.ahead(1) == Kind::Str {
            self.bump();
            return Ok(Statement::Transaction(Transaction::Prepare(self.string()?)));
        }
        let name = self.col_id()?;
        let types = self.opt_parenthesized(Self::type_name)?;
        self.expect_word(K::As)?;
        let statement = self.preparable()?;
        Ok(Statement::Prepare(Box::new(Prepare { name, types, statement })))
    }
    pub(super) fn execute(&mut self) -> Result<Execute> {
        self.expect_word(K::Execute)?;
        let name = self.col_id()?;
        Ok(Execute { name, args: self.opt_parenthesized(Self::expr)? })
    }
    pub(super) fn deallocate(&mut self) -> Result<Statement> {
        self.bump();
        // PREPARE may be the statement's name.
        if self.is_word(K::Prepare) && (Self::is_col_id(self.ahead(1)) || self.word_ahead(1, K::All)) {
            self.bump();
        }
        if self.eat_word(K::All) {
            return Ok(Statement::Deallocate(None));
        }
        Ok(Statement::Deallocate(Some(self.col_id()?)))
    }
    pub(super) fn explain(&mut self) -> Result<Statement> {
        self.bump();
        let mut options = Vec::new();
        if self.is(Kind::LParen) && !self.parens_are_query() {
            options = self.utility_options()?;
        } else {
            for words in [&[K::Analyze, K::Analyse][..], &[K::Verbose][..]] {
                let at = self.at();
                if let Some(k) = self.one_of(words) {
                    options.push(self.flag(if k == K::Verbose { "verbose" } else { "analyze" }, at));
                }
            }
        }
        let statement = match self.word() {
            Some(K::Declare) => self.declare()?,
            Some(K::Execute) => Statement::Execute(Box::new(self.execute()?)),
            Some(K::Refresh) => Statement::Refresh(Box::new(self.refresh()?)),
            Some(K::Create) => self.create_as()?,
            _ => self.preparable()?,
        };
        Ok(Statement::Explain(Box::new(Explain { statement, options })))
    }
    fn parens_are_query(&self) -> bool {
        let mut n = 0;
        while self.ahead(n) == Kind::LParen {
            n += 1;
        }
        // Two parentheses are no options.
        n > 1 || matches!(self.ahead(n), Kind::Keyword(K::Select | K::Values | K::Table | K::With) | Kind::WithLa)
    }
    pub(super) fn declare(&mut self) -> Result<Statement> {
        self.bump();
        let name = self.col_id()?;
        let (binary, hold, scroll, sensitivity) = (false, false, None, None);
        let mut d = Declare { name, binary, scroll, hold, sensitivity, conflict: None, query: Self::no_query() };
        let (mut scrolls, mut sensitivities) = ([false; 2], [false; 2]);
        loop {
            match self.word() {
                Some(K::No) => {
                    self.bump();
                    self.expect_word(K::Scroll)?;
                    (d.scroll, scrolls[1]) = (Some(false), true);
                    continue;
                }
                Some(K::Scroll) => (d.scroll, scrolls[0]) = (Some(true), true),
                Some(K::Binary) => d.binary = true,
                Some(K::Asensitive) => (d.sensitivity, sensitivities[0]) = (Some(Sensitivity::Asensitive), true),
                Some(K::Insensitive) => (d.sensitivity, sensitivities[1]) = (Some(Sensitivity::Insensitive), true),
                _ => break,
            }
            self.bump();
        }
        d.conflict = match (scrolls, sensitivities) {
            ([true, true], _) => Some(("SCROLL", "NO SCROLL")),
            (_, [true, true]) => Some(("ASENSITIVE", "INSENSITIVE")),
            _ => None,
        };
        self.expect_word(K::Cursor)?;
        if let Some(k) = self.one_of(&[K::With, K::Without]) {
            self.expect_word(K::Hold)?;
            d.hold = k == K::With;
        }
        self.expect_word(K::For)?;
        d.query = self.select()?;
        Ok(Statement::Declare(Box::new(d)))
    }
    fn no_query() -> Select {
        Select {
            with: None,
            body: SelectBody::Values(Vec::new()),
            order_by: Vec::new(),
            limit: None,
            with_ties: false,
            offset: None,
            locking: Vec::new(),
            at: At::NOWHERE,
        }
    }
    pub(super) fn fetch(&mut self) -> Result<Statement> {
        let is_move = self.is_word(K::Move);
        self.bump();
        use Direction::*;
        let from = |k: Kind| matches!(k, Kind::Keyword(K::From | K::In));
        // A word alone is the cursor's name.
        let next = self.ahead(1);
        let alone = !Self::is_col_id(next) && !from(next);
        let direction = match self.kind() {
            Kind::Integer | Kind::Plus | Kind::Minus => Forward(self.signed_integer()? as i64),
            Kind::Keyword(K::All) => {
                self.bump();
                Forward(Direction::ALL)
            }
            Kind::Keyword(k @ (K::Absolute | K::Relative))
                if matches!(next, Kind::Integer | Kind::Plus | Kind::Minus) =>
            {
                self.bump();
                let n = self.signed_integer()? as i64;
                if k == K::Absolute { Absolute(n) } else { Relative(n) }
            }
            Kind::Keyword(k @ (K::Forward | K::Backward))
                if !alone || matches!(next, Kind::Integer | Kind::Plus | Kind::Minus | Kind::Keyword(K::All)) =>
            {
                self.bump();
                let n = match self.kind() {
                    Kind::Keyword(K::All) => {
                        self.bump();
                        Direction::ALL
                    }
                    Kind::Integer | Kind::Plus | Kind::Minus => self.signed_integer()? as i64,
                    _ => 1,
                };
                if k == K::Forward { Forward(n) } else { Backward(n) }
            }
            Kind::Keyword(k @ (K::Next | K::Prior | K::First | K::Last)) if !alone => {
                self.bump();
                match k {
                    K::Next => Forward(1),
                    K::Prior => Backward(1),
                    K::First => Absolute(1),
                    _ => Absolute(-1),
                }
            }
            _ => Forward(1),
        };
        self.one_of(&[K::From, K::In]);
        Ok(Statement::Fetch(Fetch { cursor: self.col_id()?, direction, is_move }))
    }
    pub(super) fn close(&mut self) -> Result<Statement> {
        self.bump();
        if self.eat_word(K::All) {
            return Ok(Statement::Close(None));
        }
        Ok(Statement::Close(Some(self.col_id()?)))
    }

    // ---- COPY ----

    pub(super) fn copy(&mut self) -> Result<Statement> {
        self.bump();
        let mut options = Vec::new();
        let query = self.is(Kind::LParen);
        let source = if query {
            self.bump();
            let q = self.preparable()?;
            self.expect(Kind::RParen)?;
            CopySource::Query(q)
        } else {
            let at = self.at();
            if self.eat_word(K::Binary) {
                options
                    .push(DefElem { value: Some(DefValue::String("binary".to_string())), ..self.flag("format", at) });
            }
            let r = self.qualified_name()?;
            CopySource::Table(r, self.opt_columns()?)
        };
        let to_at = self.at();
        let to = self.expect_one_of(if query { &[K::To] } else { &[K::From, K::To] })? == K::To;
        let program = self.eat_word(K::Program);
        // PostgreSQL's error about STDIN below points at this, or at what follows a table's file.
        let mut here = to_at;
        let target = match self.kind() {
            Kind::Str if program => CopyTarget::Program(self.string()?),
            Kind::Str => CopyTarget::File(self.string()?),
            _ => {
                self.expect_one_of(&[K::Stdin, K::Stdout])?;
                CopyTarget::Client
            }
        };
        if !query {
            let at = self.at();
            here = if self.is_word(K::Using) { at } else { At::NOWHERE };
            if self.eat_word(K::Using) {
                self.expect_word(K::Delimiters)?;
                options.push(DefElem { value: Some(DefValue::String(self.string()?)), ..self.flag("delimiter", at) });
            } else if self.eat_word(K::Delimiters) {
                options.push(DefElem { value: Some(DefValue::String(self.string()?)), ..self.flag("delimiter", at) });
            }
        }
        if self.is_word(K::With) || self.is(Kind::WithLa) {
            self.bump();
        }
        if self.is(Kind::LParen) {
            options.extend(self.parenthesized(Self::copy_option)?);
        } else {
            self.old_copy_options(&mut options)?;
        }
        let where_at = self.at();
        let filter = if query { None } else { self.opt_where()? };
        if program && target == CopyTarget::Client {
            return Err(self.at_place(err!(SYNTAX_ERROR, "STDIN/STDOUT not allowed with PROGRAM"), here));
        }
        if to && filter.is_some() {
            return Err(self.at_place(err!(SYNTAX_ERROR, "WHERE clause not allowed with COPY TO"), where_at));
        }
        Ok(Statement::Copy(Box::new(Copy { source, to, target, options, filter })))
    }
    fn copy_option(&mut self) -> Result<DefElem> {
        let at = self.at();
        let name = self.label()?;
        let value = match self.kind() {
            Kind::Comma | Kind::RParen => None,
            Kind::Star => {
                self.bump();
                Some(DefValue::Star)
            }
            Kind::LParen => Some(DefValue::List(self.parenthesized(|p| Ok(DefValue::String(p.bool_or_string()?)))?)),
            _ if self.is_numeric() => Some(self.numeric()?),
            _ => Some(DefValue::String(self.bool_or_string()?)),
        };
        Ok(DefElem { value, ..self.flag(&name, at) })
    }
    /// Those of before 9.0: words without parentheses
    fn old_copy_options(&mut self, out: &mut Vec<DefElem>) -> Result<()> {
        loop {
            let at = self.at();
            let string = |s: &str| Some(DefValue::String(s.to_string()));
            let (name, value) = match self.word() {
                Some(K::Binary) => ("format", string("binary")),
                Some(K::Csv) => ("format", string("csv")),
                Some(K::Freeze) => ("freeze", Some(DefValue::Bool(true))),
                Some(K::Header) => ("header", Some(DefValue::Bool(true))),
                Some(k @ (K::Delimiter | K::Null | K::Quote | K::Escape)) => {
                    self.bump();
                    self.eat_word(K::As);
                    let value = Some(DefValue::String(self.string()?));
                    out.push(DefElem { value, ..self.flag(k.word(), at) });
                    continue;
                }
                Some(K::Encoding) => {
                    self.bump();
                    let value = Some(DefValue::String(self.string()?));
                    out.push(DefElem { value, ..self.flag("encoding", at) });
                    continue;
                }
                Some(K::Force) => {
                    self.bump();
                    let (name, may_be_star) = match self.expect_one_of(&[K::Quote, K::Not, K::Null])? {
                        K::Quote => ("force_quote", true),
                        K::Not => {
                            self.expect_word(K::Null)?;
                            ("force_not_null", false)
                        }
                        _ => ("force_null", false),
                    };
                    let value = if may_be_star && self.eat(Kind::Star) {
                        DefValue::Star
                    } else {
                        DefValue::List(self.names()?.into_iter().map(DefValue::String).collect())
                    };
                    out.push(DefElem { value: Some(value), ..self.flag(name, at) });
                    continue;
                }
                _ => return Ok(()),
            };
            self.bump();
            out.push(DefElem { value, ..self.flag(name, at) });
        }
    }

    // ---- maintenance and the rest ----

    pub(super) fn truncate(&mut self) -> Result<Statement> {
        self.bump();
        self.eat_word(K::Table);
        let tables = self.relation_exprs()?;
        let restart_identity = match self.one_of(&[K::Restart, K::Continue]) {
            Some(k) => {
                self.expect_word(K::Identity)?;
                k == K::Restart
            }
            None => false,
        };
        Ok(Statement::Truncate(Box::new(Truncate { tables, restart_identity, behavior: self.drop_behavior() })))
    }
    fn text_or_null(&mut self) -> Result<Option<String>> {
        if self.eat_word(K::Null) { Ok(None) } else { self.string().map(Some) }
    }
    pub(super) fn comment(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Comment, K::On])?;
        let on = self.commented_object(false)?;
        self.expect_word(K::Is)?;
        Ok(Statement::Comment(Box::new(Comment { on, text: self.text_or_null()?, label: None })))
    }
    pub(super) fn security_label(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Security, K::Label])?;
        let provider = if self.eat_word(K::For) { Some(self.non_reserved_or_string()?) } else { None };
        self.expect_word(K::On)?;
        let on = self.commented_object(true)?;
        self.expect_word(K::Is)?;
        Ok(Statement::Comment(Box::new(Comment { on, text: self.text_or_null()?, label: Some(provider) })))
    }
    pub(super) fn lock(&mut self) -> Result<Statement> {
        self.bump();
        self.eat_word(K::Table);
        let tables = self.relation_exprs()?;
        let mut mode = LockMode::AccessExclusive;
        if self.eat_word(K::In) {
            mode = match self.expect_one_of(&[K::Access, K::Row, K::Share, K::Exclusive])? {
                K::Access => match self.expect_one_of(&[K::Share, K::Exclusive])? {
                    K::Share => LockMode::AccessShare,
                    _ => LockMode::AccessExclusive,
                },
                K::Row => match self.expect_one_of(&[K::Share, K::Exclusive])? {
                    K::Share => LockMode::RowShare,
                    _ => LockMode::RowExclusive,
                },
                K::Exclusive => LockMode::Exclusive,
                _ => match self.one_of(&[K::Update, K::Row]) {
                    None => LockMode::Share,
                    Some(k) => {
                        self.expect_word(K::Exclusive)?;
                        if k == K::Update { LockMode::ShareUpdateExclusive } else { LockMode::ShareRowExclusive }
                    }
                },
            };
            self.expect_word(K::Mode)?;
        }
        Ok(Statement::Lock(Box::new(Lock { tables, mode, nowait: self.eat_word(K::Nowait) })))
    }
    pub(super) fn vacuum(&mut self) -> Result<Statement> {
        self.bump();
        let mut options = Vec::new();
        if self.is(Kind::LParen) {
            options = self.utility_options()?;
        } else {
            for k in [K::Full, K::Freeze, K::Verbose, K::Analyze] {
                let at = self.at();
                if self.eat_word(k) || (k == K::Analyze && self.eat_word(K::Analyse)) {
                    options.push(self.flag(k.word(), at));
                }
            }
        }
        let tables = self.vacuumed_tables()?;
        Ok(Statement::Vacuum(Box::new(Vacuum { vacuum: true, options, tables })))
    }
    pub(super) fn analyze(&mut self) -> Result<Statement> {
        self.bump();
        let mut options = Vec::new();
        let at = self.at();
        if self.is(Kind::LParen) {
            options = self.utility_options()?;
        } else if self.eat_word(K::Verbose) {
            options.push(self.flag("verbose", at));
        }
        let tables = self.vacuumed_tables()?;
        Ok(Statement::Vacuum(Box::new(Vacuum { vacuum: false, options, tables })))
    }
    fn vacuumed_tables(&mut self) -> Result<Vec<(Relation, Vec<Name>)>> {
        if !Self::is_col_id(self.kind()) {
            return Ok(Vec::new());
        }
        self.list(|p| Ok((p.qualified_name()?, p.opt_columns()?)))
    }
    pub(super) fn cluster(&mut self) -> Result<Statement> {
        self.bump();
        let at = self.at();
        let mut c = Cluster { table: None, index: None, options: Vec::new() };
        if self.is(Kind::LParen) {
            c.options = self.utility_options()?;
            c.table = Some(self.qualified_name()?);
        } else {
            if self.eat_word(K::Verbose) {
                c.options.push(self.flag("verbose", at));
            }
            if !Self::is_col_id(self.kind()) {
                return Ok(Statement::Cluster(Box::new(c)));
            }
            let first = self.qualified_name()?;
            if first.parts.len() == 1 && self.eat_word(K::On) {
                c.index = first.parts.into_iter().next();
                c.table = Some(self.qualified_name()?);
                return Ok(Statement::Cluster(Box::new(c)));
            }
            c.table = Some(first);
        }
        if self.eat_word(K::Using) {
            c.index = Some(self.col_id()?);
        }
        Ok(Statement::Cluster(Box::new(c)))
    }
    pub(super) fn reindex(&mut self) -> Result<Statement> {
        self.bump();
        let options = if self.is(Kind::LParen) { self.utility_options()? } else { Vec::new() };
        let k = self.expect_one_of(&[K::Index, K::Table, K::Schema, K::System, K::Database])?;
        let concurrently = self.eat_word(K::Concurrently);
        let what = match k {
            K::Index => ReindexWhat::Index(self.qualified_name()?),
            K::Table => ReindexWhat::Table(self.qualified_name()?),
            K::Schema => ReindexWhat::Schema(self.col_id()?),
            K::System => ReindexWhat::System(self.col_id()?),
            _ => ReindexWhat::Database(self.col_id()?),
        };
        Ok(Statement::Reindex(Box::new(Reindex { what, concurrently, options })))
    }
    pub(super) fn refresh(&mut self) -> Result<Refresh> {
        self.expect_words(&[K::Refresh, K::Materialized, K::View])?;
        let concurrently = self.eat_word(K::Concurrently);
        let view = self.qualified_name()?;
        Ok(Refresh { view, concurrently, with_data: self.with_data()? })
    }
    /// `[WITH [NO] DATA]`
    pub(super) fn with_data(&mut self) -> Result<bool> {
        if !self.eat_word(K::With) {
            return Ok(true);
        }
        let no = self.eat_word(K::No);
        self.expect_word(K::Data)?;
        Ok(!no)
    }
    pub(super) fn discard(&mut self) -> Result<Statement> {
        self.bump();
        Ok(Statement::Discard(match self.expect_one_of(&[K::All, K::Plans, K::Sequences, K::Temp, K::Temporary])? {
            K::All => Discard::All,
            K::Plans => Discard::Plans,
            K::Sequences => Discard::Sequences,
            _ => Discard::Temp,
        }))
    }
    pub(super) fn load(&mut self) -> Result<Statement> {
        self.bump();
        Ok(Statement::Load(self.string()?))
    }
    pub(super) fn notify(&mut self) -> Result<Statement> {
        self.bump();
        let channel = self.col_id()?;
        let payload = if self.eat(Kind::Comma) { Some(self.string()?) } else { None };
        Ok(Statement::Notify { channel, payload })
    }
    pub(super) fn listen(&mut self) -> Result<Statement> {
        self.bump();
        Ok(Statement::Listen(self.col_id()?))
    }
    pub(super) fn unlisten(&mut self) -> Result<Statement> {
        self.bump();
        if self.eat(Kind::Star) {
            return Ok(Statement::Unlisten(None));
        }
        Ok(Statement::Unlisten(Some(self.col_id()?)))
    }
    pub(super) fn import_foreign_schema(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Import, K::Foreign, K::Schema])?;
        self.col_id()?;
        if self.eat_word(K::Limit) {
            self.expect_word(K::To)?;
            self.parenthesized(Self::relation_expr)?;
        } else if self.eat_word(K::Except) {
            self.parenthesized(Self::relation_expr)?;
        }
        self.expect_words(&[K::From, K::Server])?;
        self.col_id()?;
        self.expect_word(K::Into)?;
        self.col_id()?;
        self.generic_options()?;
        Ok(Statement::Other("IMPORT FOREIGN SCHEMA"))
    }
}
