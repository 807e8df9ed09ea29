//! CREATE.
use super::*;

impl Parser<'_> {
    pub(super) fn create(&mut self) -> Result<Statement> {
        self.bump();
        let replace = self.is_word(K::Or);
        if replace {
            self.expect_words(&[K::Or, K::Replace])?;
        }
        let made = |c| Ok(Statement::Create(Box::new(c)));
        let Some(k) = self.word() else { return self.unexpected() };
        match k {
            K::Function => return made(self.create_routine(replace, false)?),
            K::Procedure => return made(self.create_routine(replace, true)?),
            K::Aggregate => return made(self.create_aggregate(replace)?),
            K::Trigger => return made(self.create_trigger(replace, false)?),
            K::Constraint => {
                self.bump();
                return made(self.create_trigger(replace, true)?);
            }
            K::Rule => return made(self.create_rule(replace)?),
            K::Transform => return self.create_transform(),
            K::Trusted | K::Procedural | K::Language => return self.create_language(replace),
            K::Temporary | K::Temp | K::Local | K::Global | K::Unlogged | K::View | K::Recursive => {
                return self.create_persistent(replace);
            }
            _ if replace => return self.unexpected(),
            _ => {}
        }
        match k {
            K::Table | K::Sequence => self.create_persistent(false),
            K::Materialized => self.create_table_as(Persistence::Permanent).and_then(made),
            K::Unique | K::Index => made(self.create_index()?),
            K::Schema => made(self.create_schema()?),
            K::Database => made(self.create_database()?),
            K::Role | K::Group => {
                made(self.create_role(if k == K::Role { RoleWord::Role } else { RoleWord::Group })?)
            }
            K::User if self.word_ahead(1, K::Mapping) && self.word_ahead(2, K::For) => self.create_user_mapping(),
            K::User if self.word_ahead(1, K::Mapping) && self.word_ahead(2, K::If) => self.create_user_mapping(),
            K::User => made(self.create_role(RoleWord::User)?),
            K::Extension => made(self.create_extension()?),
            K::Domain => made(self.create_domain()?),
            K::Type => made(self.create_type()?),
            K::Operator => self.create_operator(),
            K::Cast => made(self.create_cast()?),
            K::Statistics => made(self.create_statistics()?),
            K::Collation => made(self.create_collation()?),
            K::Policy => made(self.create_policy()?),
            K::Default | K::Conversion => self.create_conversion(),
            K::Text => self.create_text_search(),
            K::Foreign => self.create_foreign(),
            K::Server => self.create_server(),
            K::Event => self.create_event_trigger(),
            K::Access => self.create_access_method(),
            K::Publication => self.create_publication(),
            K::Subscription => self.create_subscription(),
            K::Tablespace => self.create_tablespace(),
            K::Assertion => self.create_assertion(),
            _ => self.unexpected(),
        }
    }

    // ---- tables, views, sequences ----

    /// `[LOCAL | GLOBAL] TEMP[ORARY] | UNLOGGED`
    fn persistence(&mut self) -> Result<Persistence> {
        let scoped = self.one_of(&[K::Local, K::Global]).is_some();
        match self.one_of(if scoped { &[K::Temp, K::Temporary] } else { &[K::Temp, K::Temporary, K::Unlogged] }) {
            Some(K::Unlogged) => Ok(Persistence::Unlogged),
            Some(_) => Ok(Persistence::Temporary),
            None if scoped => self.unexpected(),
            None => Ok(Persistence::Permanent),
        }
    }
    /// Behind CREATE [OR REPLACE]
    fn create_persistent(&mut self, replace: bool) -> Result<Statement> {
        let persistence = self.persistence()?;
        let made = |c| Ok(Statement::Create(Box::new(c)));
        match self.word() {
            Some(K::View | K::Recursive) => made(self.create_view(replace, persistence)?),
            _ if replace => self.unexpected(),
            Some(K::Table) => self.create_table(persistence),
            Some(K::Materialized) if persistence == Persistence::Unlogged && !self.in_schema => {
                made(self.create_table_as(persistence)?)
            }
            Some(K::Sequence) => {
                self.bump();
                let if_not_exists = self.if_not_exists()?;
                let name = self.qualified_name()?;
                made(Create::Sequence { name, persistence, if_not_exists, options: self.sequence_options()? })
            }
            _ => self.unexpected(),
        }
    }
    /// A statement that EXPLAIN takes: CREATE TABLE AS or CREATE MATERIALIZED VIEW
    pub(super) fn create_as(&mut self) -> Result<Statement> {
        self.bump();
        let persistence = self.persistence()?;
        match self.word() {
            Some(K::Table) => {
                let s = self.create_table_as(persistence)?;
                Ok(Statement::Create(Box::new(s)))
            }
            Some(K::Materialized) if persistence != Persistence::Temporary => {
                let s = self.create_table_as(persistence)?;
                Ok(Statement::Create(Box::new(s)))
            }
            _ => self.unexpected(),
        }
    }
    fn table_tail(&mut self, view: bool) -> Result<TableTail> {
        let mut t = TableTail::default();
        if self.eat_word(K::Using) {
            t.access_method = Some(self.col_id()?);
        }
        if self.is_word(K::With) {
            t.options = self.opt_relation_options()?;
        } else if !view && self.eat_word(K::Without) {
            self.expect_word(K::Oids)?;
        }
        if !view && self.eat_word(K::On) {
            self.expect_word(K::Commit)?;
            t.on_commit = match self.expect_one_of(&[K::Drop, K::Delete, K::Preserve])? {
                K::Drop => OnCommit::Drop,
                k => {
                    self.expect_word(K::Rows)?;
                    if k == K::Delete { OnCommit::DeleteRows } else { OnCommit::PreserveRows }
                }
            };
        }
        t.tablespace = self.opt_tablespace()?;
        Ok(t)
    }
    fn opt_tablespace(&mut self) -> Result<Option<Name>> {
        if self.eat_word(K::Tablespace) { self.col_id().map(Some) } else { Ok(None) }
    }
    fn create_table(&mut self, persistence: Persistence) -> Result<Statement> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let name = self.qualified_name()?;
        // A list of bare names, or none, can only be CREATE TABLE AS.
        let bare = self.is(Kind::LParen)
            && Self::is_col_id(self.ahead(1))
            && matches!(self.ahead(2), Kind::Comma | Kind::RParen);
        if !self.in_schema && (bare || !(self.is(Kind::LParen) || self.is_word(K::Of) || self.is_word(K::Partition))) {
            let c = self.table_as_behind(name, persistence, false, if_not_exists)?;
            return Ok(Statement::Create(Box::new(c)));
        }
        let mut t = CreateTable::new(name, persistence, if_not_exists);
        if self.eat_word(K::Of) {
            t.of_type = Some(self.any_name()?);
            t.elements = self.typed_elements()?;
        } else {
            self.table_body(&mut t)?;
        }
        t.partition_by = self.opt_partition_by()?;
        t.tail = self.table_tail(false)?;
        Ok(Statement::Create(Box::new(Create::Table(t))))
    }
    /// `PARTITION OF parent ... bound` or `(columns) [INHERITS (...)]`
    pub(super) fn table_body(&mut self, t: &mut CreateTable) -> Result<()> {
        if self.eat_word(K::Partition) {
            self.expect_word(K::Of)?;
            let parent = self.qualified_name()?;
            t.elements = self.typed_elements()?;
            t.partition_of = Some((parent, self.partition_bound()?));
            return Ok(());
        }
        t.elements = self.table_elements()?;
        if self.eat_word(K::Inherits) {
            t.inherits = self.parenthesized(Self::qualified_name)?;
        }
        Ok(())
    }
    /// At TABLE or MATERIALIZED VIEW
    fn create_table_as(&mut self, persistence: Persistence) -> Result<Create> {
        let view = self.is_word(K::Materialized);
        self.bump();
        if view {
            self.expect_word(K::View)?;
        }
        let if_not_exists = self.if_not_exists()?;
        let name = self.qualified_name()?;
        self.table_as_behind(name, persistence, view, if_not_exists)
    }
    fn table_as_behind(
        &mut self,
        name: Relation,
        persistence: Persistence,
        view: bool,
        if_not_exists: bool,
    ) -> Result<Create> {
        let columns = self.opt_columns()?;
        let tail = self.table_tail(view)?;
        self.expect_word(K::As)?;
        let source = match self.word() {
            Some(K::Execute) if !view => Statement::Execute(Box::new(self.execute()?)),
            _ => Statement::Select(Box::new(self.select()?)),
        };
        let with_data = self.with_data()?;
        Ok(Create::TableAs(CreateTableAs {
            name,
            columns,
            persistence,
            materialized_view: view,
            if_not_exists,
            tail,
            source,
            with_data,
        }))
    }
    fn create_view(&mut self, replace: bool, persistence: Persistence) -> Result<Create> {
        let recursive = self.eat_word(K::Recursive);
        self.expect_word(K::View)?;
        let name = self.qualified_name()?;
        let columns = if recursive { self.columns()? } else { self.opt_columns()? };
        let options = self.opt_relation_options()?;
        self.expect_word(K::As)?;
        let query = self.select()?;
        let at = self.at();
        let mut check = None;
        if self.eat_word(K::With) {
            check = Some(match self.one_of(&[K::Cascaded, K::Local]) {
                Some(K::Local) => CheckOption::Local,
                _ => CheckOption::Cascaded,
            });
            self.expect_words(&[K::Check, K::Option])?;
            if recursive {
                return Err(self
                    .at_place(err!(FEATURE_NOT_SUPPORTED, "WITH CHECK OPTION not supported on recursive views"), at));
            }
        }
        Ok(Create::View(CreateView { name, persistence, replace, recursive, columns, options, query, check }))
    }
    /// As many as there are
    pub(super) fn sequence_options(&mut self) -> Result<Vec<SequenceOption>> {
        let mut out = Vec::new();
        while let Some(o) = self.one_sequence_option()? {
            out.push(o);
        }
        Ok(out)
    }
    pub(super) fn one_sequence_option(&mut self) -> Result<Option<SequenceOption>> {
        let Some(k) = self.word() else { return Ok(None) };
        Ok(Some(match k {
            K::As => {
                self.bump();
                SequenceOption::As(self.simple_type()?)
            }
            K::Cache => {
                self.bump();
                SequenceOption::Cache(self.numeric()?)
            }
            K::Cycle => {
                self.bump();
                SequenceOption::Cycle(true)
            }
            K::Increment => {
                self.bump();
                self.eat_word(K::By);
                SequenceOption::Increment(self.numeric()?)
            }
            K::Maxvalue => {
                self.bump();
                SequenceOption::MaxValue(Some(self.numeric()?))
            }
            K::Minvalue => {
                self.bump();
                SequenceOption::MinValue(Some(self.numeric()?))
            }
            K::No => {
                self.bump();
                match self.expect_one_of(&[K::Maxvalue, K::Minvalue, K::Cycle])? {
                    K::Maxvalue => SequenceOption::MaxValue(None),
                    K::Minvalue => SequenceOption::MinValue(None),
                    _ => SequenceOption::Cycle(false),
                }
            }
            K::Owned => {
                self.expect_words(&[K::Owned, K::By])?;
                SequenceOption::OwnedBy(self.any_name()?)
            }
            K::Sequence => {
                self.expect_words(&[K::Sequence, K::Name])?;
                SequenceOption::Name(self.any_name()?)
            }
            K::Start => {
                self.bump();
                self.opt_with_word();
                SequenceOption::Start(self.numeric()?)
            }
            K::Restart => {
                self.bump();
                self.restart_value()?
            }
            K::Logged | K::Unlogged => {
                self.bump();
                SequenceOption::Logged(k == K::Logged)
            }
            _ => return Ok(None),
        }))
    }
    pub(super) fn restart_value(&mut self) -> Result<SequenceOption> {
        let with = self.opt_with_word();
        Ok(SequenceOption::Restart(if with || self.is_numeric() { Some(self.numeric()?) } else { None }))
    }
    pub(super) fn opt_with_word(&mut self) -> bool {
        let is = self.is_word(K::With) || self.is(Kind::WithLa);
        if is {
            self.bump();
        }
        is
    }
    fn create_index(&mut self) -> Result<Create> {
        let unique = self.eat_word(K::Unique);
        self.expect_word(K::Index)?;
        let concurrently = self.eat_word(K::Concurrently);
        let if_not_exists = self.if_not_exists()?;
        let name = if if_not_exists || !self.is_word(K::On) { Some(self.col_id()?) } else { None };
        self.expect_word(K::On)?;
        let table = self.relation_expr()?;
        let method = if self.eat_word(K::Using) { Some(self.col_id()?) } else { None };
        let elements = self.parenthesized(Self::index_element)?;
        let include = if self.eat_word(K::Include) { self.parenthesized(Self::index_element)? } else { Vec::new() };
        let nulls_distinct = self.nulls_distinct()?;
        let options = self.opt_relation_options()?;
        let tablespace = self.opt_tablespace()?;
        let filter = self.opt_where()?;
        Ok(Create::Index(CreateIndex {
            name,
            unique,
            concurrently,
            if_not_exists,
            table,
            method,
            elements,
            include,
            nulls_distinct,
            options,
            tablespace,
            filter,
        }))
    }

    // ---- schemas, databases, roles, extensions ----

    fn create_schema(&mut self) -> Result<Create> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let name = if self.is_word(K::Authorization) { None } else { Some(self.col_id()?) };
        let owner = if self.eat_word(K::Authorization) { Some(self.role()?) } else { None };
        let mut elements = Vec::new();
        let at = self.at();
        loop {
            match self.word() {
                Some(K::Grant) => elements.push(self.grant()?),
                Some(K::Create) => {
                    self.check_schema_element()?;
                    let outer = std::mem::replace(&mut self.in_schema, true);
                    let made = self.create();
                    self.in_schema = outer;
                    elements.push(made?);
                }
                _ => break,
            }
        }
        if if_not_exists && !elements.is_empty() {
            let e = err!(FEATURE_NOT_SUPPORTED, "CREATE SCHEMA IF NOT EXISTS cannot include schema elements");
            return Err(self.at_place(e, at));
        }
        Ok(Create::Schema { name, owner, if_not_exists, elements })
    }
    /// Refuses, at the word that says what is made, what CREATE SCHEMA cannot hold; schemas among them, so that they do not nest.
    fn check_schema_element(&mut self) -> Result<()> {
        let replace = self.word_ahead(1, K::Or) && self.word_ahead(2, K::Replace);
        let at = if replace { 3 } else { 1 };
        let fits = match self.ahead(at) {
            Kind::Keyword(K::View | K::Recursive | K::Temp | K::Temporary | K::Local | K::Global | K::Unlogged) => true,
            Kind::Keyword(K::Trigger | K::Constraint) => true,
            Kind::Keyword(K::Table | K::Index | K::Unique | K::Sequence) => !replace,
            _ => false,
        };
        if !fits {
            self.i += at;
            return self.unexpected();
        }
        Ok(())
    }
    fn create_database(&mut self) -> Result<Create> {
        self.bump();
        let name = self.col_id()?;
        self.opt_with_word();
        Ok(Create::Database { name, options: self.database_options()? })
    }
    /// `name [=] value ...`
    pub(super) fn database_options(&mut self) -> Result<Vec<DefElem>> {
        let mut out = Vec::new();
        loop {
            let at = self.at();
            let name = match self.kind() {
                Kind::Ident => self.col_id()?,
                Kind::Keyword(K::Connection) => {
                    self.expect_words(&[K::Connection, K::Limit])?;
                    "connection_limit".to_string()
                }
                Kind::Keyword(k @ (K::Encoding | K::Location | K::Owner | K::Tablespace | K::Template)) => {
                    self.bump();
                    k.word().to_string()
                }
                _ => return Ok(out),
            };
            self.eat(Kind::Equals);
            let value = if self.eat_word(K::Default) {
                None
            } else if self.is_numeric() {
                Some(self.numeric()?)
            } else {
                Some(DefValue::String(self.bool_or_string()?))
            };
            out.push(DefElem { value, ..self.flag(&name, at) });
        }
    }
    fn create_role(&mut self, word: RoleWord) -> Result<Create> {
        self.bump();
        let name = self.role_id()?;
        Ok(Create::Role { word, name, options: self.role_options(true)? })
    }
    fn create_extension(&mut self) -> Result<Create> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let name = self.col_id()?;
        self.opt_with_word();
        let mut options = Vec::new();
        loop {
            let at = self.at();
            let value = match self.word() {
                Some(K::Schema) => {
                    self.bump();
                    DefElem { value: Some(DefValue::String(self.col_id()?)), ..self.flag("schema", at) }
                }
                Some(K::Version) => {
                    self.bump();
                    DefElem {
                        value: Some(DefValue::String(self.non_reserved_or_string()?)),
                        ..self.flag("new_version", at)
                    }
                }
                Some(K::From) => {
                    self.bump();
                    self.non_reserved_or_string()?;
                    return Err(self.at_place(
                        err!(FEATURE_NOT_SUPPORTED, "CREATE EXTENSION ... FROM is no longer supported"),
                        at,
                    ));
                }
                Some(K::Cascade) => {
                    self.bump();
                    self.flag("cascade", at)
                }
                _ => return Ok(Create::Extension { name, if_not_exists, options }),
            };
            options.push(value);
        }
    }

    // ---- types, functions, operators ----

    fn create_domain(&mut self) -> Result<Create> {
        self.bump();
        let name = self.any_name()?;
        self.eat_word(K::As);
        let ty = self.type_name()?;
        let (collation, constraints) = self.column_constraints()?;
        Ok(Create::Domain { name, ty, collation, constraints })
    }
    fn create_type(&mut self) -> Result<Create> {
        self.bump();
        let name = self.any_name()?;
        let definition = if self.is(Kind::LParen) {
            TypeDefinition::Base(self.definition()?)
        } else if !self.eat_word(K::As) {
            TypeDefinition::Shell
        } else {
            match self.word() {
                Some(K::Enum) => {
                    self.bump();
                    self.expect(Kind::LParen)?;
                    let labels = if self.is(Kind::RParen) { Vec::new() } else { self.list(Self::string)? };
                    self.expect(Kind::RParen)?;
                    TypeDefinition::Enum(labels)
                }
                Some(K::Range) => {
                    self.bump();
                    TypeDefinition::Range(self.definition()?)
                }
                _ => {
                    self.expect(Kind::LParen)?;
                    let columns = if self.is(Kind::RParen) { Vec::new() } else { self.list(Self::column_type)? };
                    self.expect(Kind::RParen)?;
                    TypeDefinition::Composite(columns)
                }
            }
        };
        Ok(Create::Type { name, definition })
    }
    fn create_aggregate(&mut self, replace: bool) -> Result<Create> {
        self.bump();
        let at = self.at();
        let name = self.func_name()?;
        // The old form has its options where the arguments are.
        if self.is(Kind::LParen) && self.ahead(2) == Kind::Equals && self.ahead(1) == Kind::Ident {
            let definition = self.parenthesized(|p| {
                let at = p.at();
                if !p.is(Kind::Ident) {
                    return p.unexpected();
                }
                let name = p.label()?;
                p.expect(Kind::Equals)?;
                Ok(DefElem { value: Some(p.option_value()?), ..p.flag(&name, at) })
            })?;
            return Ok(Create::Aggregate { replace, name, args: None, definition, at });
        }
        let args = Some(self.aggregate_args()?);
        Ok(Create::Aggregate { replace, name, args, definition: self.definition()?, at })
    }
    fn create_operator(&mut self) -> Result<Statement> {
        self.bump();
        let at = self.at();
        if let Some(k) = self.word().filter(|k| matches!(k, K::Class | K::Family) && self.ahead(1) != Kind::Dot) {
            self.bump();
            self.any_name()?;
            if k == K::Family {
                self.expect_word(K::Using)?;
                self.col_id()?;
                return Ok(Statement::Other("CREATE OPERATOR FAMILY"));
            }
            self.eat_word(K::Default);
            self.expect_words(&[K::For, K::Type])?;
            self.type_name()?;
            self.expect_word(K::Using)?;
            self.col_id()?;
            if self.eat_word(K::Family) {
                self.any_name()?;
            }
            self.expect_word(K::As)?;
            self.class_items()?;
            return Ok(Statement::Other("CREATE OPERATOR CLASS"));
        }
        let name = self.any_operator()?;
        let definition = self.definition()?;
        Ok(Statement::Create(Box::new(Create::Operator { name, definition, at })))
    }
    /// What an operator class consists of
    pub(super) fn class_items(&mut self) -> Result<()> {
        self.list(|p| {
            match p.expect_one_of(&[K::Operator, K::Function, K::Storage])? {
                K::Operator => {
                    p.integer()?;
                    p.any_operator()?;
                    if p.is(Kind::LParen) {
                        p.operator_types()?;
                    }
                    if p.eat_word(K::For) && p.expect_one_of(&[K::Search, K::Order])? == K::Order {
                        p.expect_word(K::By)?;
                        p.any_name()?;
                    }
                    p.eat_word(K::Recheck);
                }
                K::Function => {
                    p.integer()?;
                    if p.is(Kind::LParen) {
                        p.parenthesized(Self::type_name)?;
                    }
                    p.routine_ref()?;
                }
                _ => drop(p.type_name()?),
            }
            Ok(())
        })
        .map(drop)
    }
    /// `(a, b)` of an operator, either side NONE
    fn operator_types(&mut self) -> Result<()> {
        self.expect(Kind::LParen)?;
        let none = self.eat_word(K::None);
        if !none {
            self.type_name()?;
            self.missing_argument()?;
        }
        self.expect(Kind::Comma)?;
        if none || !self.eat_word(K::None) {
            self.type_name()?;
        }
        self.expect(Kind::RParen).map(drop)
    }
    fn create_cast(&mut self) -> Result<Create> {
        self.bump();
        let (from, to) = self.cast_types()?;
        let (mut function, mut inout) = (None, false);
        if self.eat_word(K::Without) {
            self.expect_word(K::Function)?;
        } else {
            self.expect_word(K::With)?;
            if self.eat_word(K::Inout) {
                inout = true;
            } else {
                self.expect_word(K::Function)?;
                function = Some(self.routine_ref()?);
            }
        }
        let mut context = CastContext::Explicit;
        if self.eat_word(K::As) {
            context = match self.expect_one_of(&[K::Implicit, K::Assignment])? {
                K::Implicit => CastContext::Implicit,
                _ => CastContext::Assignment,
            };
        }
        Ok(Create::Cast { from, to, function, inout, context })
    }
    fn create_statistics(&mut self) -> Result<Create> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let name = self.any_name()?;
        let kinds = self.opt_columns()?;
        self.expect_word(K::On)?;
        let of = self.list(|p| {
            let at = p.at();
            if p.is(Kind::LParen) {
                return p.expr_in_parens();
            }
            if Self::is_col_id(p.kind()) && !matches!(p.ahead(1), Kind::LParen | Kind::Dot | Kind::LBracket) {
                return Ok(Expr { kind: ExprKind::Column { path: vec![p.col_id()?], star: false }, at });
            }
            p.function_in_from()
        })?;
        self.expect_word(K::From)?;
        let from = self.list(Self::table_ref)?;
        Ok(Create::Statistics { name, if_not_exists, kinds, of, from })
    }
    fn create_collation(&mut self) -> Result<Create> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let name = self.any_name()?;
        if self.eat_word(K::From) {
            return Ok(Create::Collation { name, if_not_exists, from: Some(self.any_name()?), definition: Vec::new() });
        }
        Ok(Create::Collation { name, if_not_exists, from: None, definition: self.definition()? })
    }

    // ---- triggers, rules, policies ----

    /// At TRIGGER
    fn create_trigger(&mut self, replace: bool, constraint: bool) -> Result<Create> {
        self.expect_word(K::Trigger)?;
        let name = self.col_id()?;
        let timing =
            match self.expect_one_of(if constraint { &[K::After] } else { &[K::Before, K::After, K::Instead] })? {
                K::Before => TriggerTiming::Before,
                K::After => TriggerTiming::After,
                _ => {
                    self.expect_word(K::Of)?;
                    TriggerTiming::InsteadOf
                }
            };
        let mut events = Vec::new();
        loop {
            events.push(match self.expect_one_of(&[K::Insert, K::Delete, K::Update, K::Truncate])? {
                K::Insert => TriggerEvent::Insert,
                K::Delete => TriggerEvent::Delete,
                K::Truncate => TriggerEvent::Truncate,
                _ => TriggerEvent::Update(if self.eat_word(K::Of) { self.names()? } else { Vec::new() }),
            });
            let this = events.last().map(std::mem::discriminant);
            if events.iter().filter(|e| Some(std::mem::discriminant(*e)) == this).count() > 1 {
                // Behind UPDATE the grammar looks for OF first.
                if !matches!(events.last(), Some(TriggerEvent::Update(_))) {
                    self.i -= 1;
                }
                return Err(self.wrong("duplicate trigger events specified"));
            }
            if !self.eat_word(K::Or) {
                break;
            }
        }
        self.expect_word(K::On)?;
        let table = self.qualified_name()?;
        let mut t = CreateTrigger {
            replace,
            constraint,
            name,
            timing,
            events,
            table,
            transitions: Vec::new(),
            each_row: constraint,
            when: None,
            function: Vec::new(),
            args: Vec::new(),
            from_table: None,
            attributes: ConstraintAttributes::default(),
        };
        if constraint {
            if self.eat_word(K::From) {
                t.from_table = Some(self.qualified_name()?);
            }
            t.attributes = self.constraint_attributes()?;
            self.expect_words(&[K::For, K::Each, K::Row])?;
        } else {
            if self.eat_word(K::Referencing) {
                t.transitions = self.transitions()?;
            }
            if self.eat_word(K::For) {
                self.eat_word(K::Each);
                t.each_row = self.expect_one_of(&[K::Row, K::Statement])? == K::Row;
            }
        }
        if self.eat_word(K::When) {
            t.when = Some(self.expr_in_parens()?);
        }
        self.expect_word(K::Execute)?;
        self.expect_one_of(&[K::Function, K::Procedure])?;
        t.function = self.func_name()?;
        self.expect(Kind::LParen)?;
        // The grammar's list may begin with nothing.
        self.eat(Kind::Comma);
        if !self.is(Kind::RParen) {
            t.args = self.list(|p| {
                Ok(match p.kind() {
                    Kind::Integer => p.integer()?.to_string(),
                    Kind::Float => p.float()?,
                    Kind::Str => p.string()?,
                    _ => p.label()?,
                })
            })?;
        }
        self.expect(Kind::RParen)?;
        if constraint && replace {
            return Err(err!(FEATURE_NOT_SUPPORTED, "CREATE OR REPLACE CONSTRAINT TRIGGER is not supported"));
        }
        if constraint {
            table::check_attributes(&t.attributes, "TRIGGER")?;
        }
        Ok(Create::Trigger(t))
    }
    fn transitions(&mut self) -> Result<Vec<Transition>> {
        let mut out = Vec::new();
        loop {
            let new = self.expect_one_of(&[K::New, K::Old])? == K::New;
            let table = self.expect_one_of(&[K::Table, K::Row])? == K::Table;
            self.eat_word(K::As);
            out.push(Transition { new, table, name: self.col_id()? });
            if !matches!(self.word(), Some(K::New | K::Old)) {
                return Ok(out);
            }
        }
    }
    fn create_rule(&mut self, replace: bool) -> Result<Create> {
        self.bump();
        let name = self.col_id()?;
        self.expect_words(&[K::As, K::On])?;
        let event = match self.expect_one_of(&[K::Select, K::Update, K::Delete, K::Insert])? {
            K::Select => RuleEvent::Select,
            K::Update => RuleEvent::Update,
            K::Delete => RuleEvent::Delete,
            _ => RuleEvent::Insert,
        };
        self.expect_word(K::To)?;
        let table = self.qualified_name()?;
        let filter = self.opt_where()?;
        self.expect_word(K::Do)?;
        let instead = self.one_of(&[K::Instead, K::Also]) == Some(K::Instead);
        let mut actions = Vec::new();
        if self.eat_word(K::Nothing) {
        } else if self.is(Kind::LParen) {
            self.bump();
            loop {
                if !matches!(self.kind(), Kind::Semicolon | Kind::RParen) {
                    actions.push(self.rule_action()?);
                }
                if !self.eat(Kind::Semicolon) {
                    break;
                }
            }
            self.expect(Kind::RParen)?;
        } else {
            actions.push(self.rule_action()?);
        }
        Ok(Create::Rule(CreateRule { replace, name, event, table, filter, instead, actions }))
    }
    fn rule_action(&mut self) -> Result<Statement> {
        match self.word() {
            Some(K::Notify) => self.notify(),
            _ => {
                let at = self.i;
                let s = self.preparable()?;
                if matches!(s, Statement::Merge(_)) {
                    self.i = at;
                    return self.unexpected();
                }
                Ok(s)
            }
        }
    }
    fn create_policy(&mut self) -> Result<Create> {
        self.bump();
        let name = self.col_id()?;
        self.expect_word(K::On)?;
        let table = self.qualified_name()?;
        let mut permissive = true;
        if self.eat_word(K::As) {
            let at = self.at();
            if !self.is(Kind::Ident) {
                return self.unexpected();
            }
            permissive = match self.col_id()?.as_str() {
                "permissive" => true,
                "restrictive" => false,
                other => {
                    let e = err!(SYNTAX_ERROR, "unrecognized row security option \"{other}\"")
                        .hint("Only PERMISSIVE or RESTRICTIVE policies are supported currently.");
                    return Err(self.at_place(e, at));
                }
            };
        }
        let mut command = PolicyCommand::All;
        if self.eat_word(K::For) {
            command = match self.expect_one_of(&[K::All, K::Select, K::Insert, K::Update, K::Delete])? {
                K::All => PolicyCommand::All,
                K::Select => PolicyCommand::Select,
                K::Insert => PolicyCommand::Insert,
                K::Update => PolicyCommand::Update,
                _ => PolicyCommand::Delete,
            };
        }
        let to =
            if self.eat_word(K::To) { self.roles()? } else { vec![RoleSpec { role: Role::Public, at: At::NOWHERE }] };
        let (using, check) = self.policy_conditions()?;
        Ok(Create::Policy(CreatePolicy { name, table, permissive, command, to, using, check }))
    }
    /// `[USING (...)] [WITH CHECK (...)]`
    pub(super) fn policy_conditions(&mut self) -> Result<(Option<Expr>, Option<Expr>)> {
        let using = if self.eat_word(K::Using) { Some(self.expr_in_parens()?) } else { None };
        let mut check = None;
        if self.eat_word(K::With) {
            self.expect_word(K::Check)?;
            check = Some(self.expr_in_parens()?);
        }
        Ok((using, check))
    }
}
