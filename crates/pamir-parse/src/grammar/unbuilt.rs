//! CREATE of what has no tree yet, but for event triggers: languages, transforms, conversions, text search, foreign data, publications and so on. Read whole, so that a mistake is
//! told as PostgreSQL tells it, and given back by the command's name.
use super::*;
use ObjectKind as O;

impl Parser<'_> {
    /// Without a handler it is CREATE EXTENSION by an older name.
    pub(super) fn create_language(&mut self, replace: bool) -> Result<Statement> {
        self.eat_word(K::Trusted);
        self.eat_word(K::Procedural);
        self.expect_word(K::Language)?;
        let name = self.col_id()?;
        if !self.eat_word(K::Handler) {
            let made = Create::Extension { name, if_not_exists: replace, options: Vec::new() };
            return Ok(Statement::Create(Box::new(made)));
        }
        self.any_name()?;
        if self.eat_word(K::Inline) {
            self.any_name()?;
        }
        if self.eat_word(K::Validator) {
            self.any_name()?;
        } else if self.eat_word(K::No) {
            self.expect_word(K::Validator)?;
        }
        Ok(Statement::Other("CREATE LANGUAGE"))
    }
    pub(super) fn create_transform(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Transform, K::For])?;
        self.type_name()?;
        self.expect_word(K::Language)?;
        self.col_id()?;
        self.expect(Kind::LParen)?;
        let first = self.expect_one_of(&[K::From, K::To])?;
        self.expect_words(&[K::Sql, K::With, K::Function])?;
        self.routine_ref()?;
        if self.eat(Kind::Comma) {
            self.expect_word(if first == K::From { K::To } else { K::From })?;
            self.expect_words(&[K::Sql, K::With, K::Function])?;
            self.routine_ref()?;
        }
        self.expect(Kind::RParen)?;
        Ok(Statement::Other("CREATE TRANSFORM"))
    }
    pub(super) fn create_conversion(&mut self) -> Result<Statement> {
        self.eat_word(K::Default);
        self.expect_word(K::Conversion)?;
        self.any_name()?;
        self.expect_word(K::For)?;
        self.string()?;
        self.expect_word(K::To)?;
        self.string()?;
        self.expect_word(K::From)?;
        self.any_name()?;
        Ok(Statement::Other("CREATE CONVERSION"))
    }
    pub(super) fn create_text_search(&mut self) -> Result<Statement> {
        let kind = self.object_kind()?.map(|(k, _)| k);
        let name = self.any_name()?;
        let definition = self.definition()?;
        let kind = match kind {
            Some(O::TextSearchParser) => return Ok(Statement::Other("CREATE TEXT SEARCH PARSER")),
            Some(O::TextSearchTemplate) => return Ok(Statement::Other("CREATE TEXT SEARCH TEMPLATE")),
            Some(k) => k,
            None => return self.unexpected(),
        };
        Ok(Statement::Create(Box::new(Create::TextSearch { kind, name, definition })))
    }
    pub(super) fn create_foreign(&mut self) -> Result<Statement> {
        self.bump();
        if self.expect_one_of(&[K::Data, K::Table])? == K::Data {
            self.expect_word(K::Wrapper)?;
            self.col_id()?;
            self.wrapper_options()?;
            self.generic_options()?;
            return Ok(Statement::Other("CREATE FOREIGN DATA WRAPPER"));
        }
        let if_not_exists = self.if_not_exists()?;
        let name = self.qualified_name()?;
        let mut t = CreateTable::new(name, Persistence::Permanent, if_not_exists);
        self.table_body(&mut t)?;
        self.expect_word(K::Server)?;
        let server = self.col_id()?;
        t.server = Some((server, self.generic_options()?));
        Ok(Statement::Create(Box::new(Create::Table(t))))
    }
    /// HANDLER, VALIDATOR of a foreign-data wrapper; returns whether there were any.
    pub(super) fn wrapper_options(&mut self) -> Result<bool> {
        let mut any = false;
        loop {
            if self.one_of(&[K::Handler, K::Validator]).is_some() {
                self.any_name()?;
            } else if self.is_word(K::No) {
                self.bump();
                self.expect_one_of(&[K::Handler, K::Validator])?;
            } else {
                return Ok(any);
            }
            any = true;
        }
    }
    pub(super) fn create_server(&mut self) -> Result<Statement> {
        self.bump();
        self.if_not_exists()?;
        self.col_id()?;
        if self.eat_word(K::Type) {
            self.string()?;
        }
        if self.eat_word(K::Version) && !self.eat_word(K::Null) {
            self.string()?;
        }
        self.expect_words(&[K::Foreign, K::Data, K::Wrapper])?;
        self.col_id()?;
        self.generic_options()?;
        Ok(Statement::Other("CREATE SERVER"))
    }
    pub(super) fn create_user_mapping(&mut self) -> Result<Statement> {
        self.expect_words(&[K::User, K::Mapping])?;
        if self.is_word(K::If) {
            self.expect_words(&[K::If, K::Not, K::Exists])?;
        }
        self.mapped_user()?;
        self.generic_options()?;
        Ok(Statement::Other("CREATE USER MAPPING"))
    }
    /// `FOR user SERVER name`
    pub(super) fn mapped_user(&mut self) -> Result<()> {
        self.expect_word(K::For)?;
        if !self.eat_word(K::User) {
            self.role()?;
        }
        self.expect_word(K::Server)?;
        self.col_id().map(drop)
    }
    pub(super) fn create_event_trigger(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Event, K::Trigger])?;
        let name = self.col_id()?;
        self.expect_word(K::On)?;
        let event = self.label()?;
        let mut filters = Vec::new();
        if self.eat_word(K::When) {
            loop {
                let variable = self.col_id()?;
                self.expect_word(K::In)?;
                filters.push((variable, self.parenthesized(Self::string)?));
                if !self.eat_word(K::And) {
                    break;
                }
            }
        }
        self.expect_word(K::Execute)?;
        self.expect_one_of(&[K::Function, K::Procedure])?;
        let function = self.func_name()?;
        self.expect(Kind::LParen)?;
        self.expect(Kind::RParen)?;
        Ok(Statement::Create(Box::new(Create::EventTrigger { name, event, filters, function })))
    }
    pub(super) fn create_access_method(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Access, K::Method])?;
        self.col_id()?;
        self.expect_word(K::Type)?;
        self.expect_one_of(&[K::Index, K::Table])?;
        self.expect_word(K::Handler)?;
        self.any_name()?;
        Ok(Statement::Other("CREATE ACCESS METHOD"))
    }
    pub(super) fn create_publication(&mut self) -> Result<Statement> {
        self.bump();
        self.col_id()?;
        if self.eat_word(K::For) {
            if self.eat_word(K::All) {
                self.expect_word(K::Tables)?;
            } else {
                self.publication_objects()?;
            }
        }
        self.opt_definition()?;
        Ok(Statement::Other("CREATE PUBLICATION"))
    }
    pub(super) fn publication_objects(&mut self) -> Result<()> {
        // A name without a word before it is what the one before was.
        let mut schema = None;
        // Told once the whole list is read.
        let mut wrong: Option<Error> = None;
        self.list(|p| {
            let at = p.at();
            if p.is_word(K::Tables) && p.word_ahead(1, K::In) {
                p.expect_words(&[K::Tables, K::In, K::Schema])?;
                schema = Some(true);
                if !p.eat_word(K::CurrentSchema) {
                    p.col_id()?;
                }
                return Ok(());
            }
            if p.eat_word(K::Table) {
                schema = Some(false);
                if p.is_word(K::CurrentSchema) {
                    return p.unexpected();
                }
            }
            let e = match schema {
                None => Some(err!(SYNTAX_ERROR, "invalid publication object list").detail(
                    "One of TABLE or TABLES IN SCHEMA must be specified before a standalone table or schema name.",
                )),
                Some(false) if p.is_word(K::CurrentSchema) => Some(err!(SYNTAX_ERROR, "invalid table name")),
                _ => None,
            };
            let named = !p.eat_word(K::CurrentSchema);
            let e = e.or(if named { p.publication_table(schema == Some(true))? } else { None });
            if wrong.is_none() {
                wrong = e.map(|e| p.at_place(e, at));
            }
            schema = schema.or(Some(false));
            Ok(())
        })?;
        wrong.map_or(Ok(()), Err)
    }
    /// A table with its columns and its condition; what is wrong with it where a schema is meant.
    fn publication_table(&mut self, schema: bool) -> Result<Option<Error>> {
        let r = self.relation_expr()?;
        let columns = self.is(Kind::LParen);
        self.opt_columns()?;
        let filter = self.eat_word(K::Where);
        if filter {
            self.expr_in_parens()?;
        }
        let what = match schema {
            false => return Ok(None),
            _ if filter => "WHERE clause not allowed for schema",
            _ if columns => "column specification not allowed for schema",
            _ if r.parts.len() > 1 || r.only => "invalid schema name",
            _ => return Ok(None),
        };
        Ok(Some(err!(SYNTAX_ERROR, "{what}")))
    }
    pub(super) fn create_subscription(&mut self) -> Result<Statement> {
        self.bump();
        self.col_id()?;
        self.expect_word(K::Connection)?;
        self.string()?;
        self.expect_word(K::Publication)?;
        self.names()?;
        self.opt_definition()?;
        Ok(Statement::Other("CREATE SUBSCRIPTION"))
    }
    pub(super) fn create_tablespace(&mut self) -> Result<Statement> {
        self.bump();
        self.col_id()?;
        if self.eat_word(K::Owner) {
            self.role()?;
        }
        self.expect_word(K::Location)?;
        self.string()?;
        self.opt_relation_options()?;
        Ok(Statement::Other("CREATE TABLESPACE"))
    }
    pub(super) fn create_assertion(&mut self) -> Result<Statement> {
        self.bump();
        self.any_name()?;
        self.expect_word(K::Check)?;
        self.expr_in_parens()?;
        self.constraint_attributes()?;
        Err(err!(FEATURE_NOT_SUPPORTED, "CREATE ASSERTION is not yet implemented"))
    }
}
