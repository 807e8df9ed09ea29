//! Names, words and plain constants.
use super::*;
use crate::keywords::Class;

impl Parser<'_> {
    /// The name that the identifier or word `t` is.
    fn name_of(&mut self, t: Token) -> Result<Name> {
        Ok(match t.kind {
            Kind::Keyword(k) => k.word().to_string(),
            _ => {
                let (name, whole) = lexer::name(self.text, t)?;
                if let Some(whole) = whole {
                    let e = Error::new(
                        pamir_types::error::state::NAME_TOO_LONG,
                        format!("identifier \"{whole}\" will be truncated to \"{name}\""),
                    );
                    self.notices.push(e.severity(pamir_types::error::Severity::Notice));
                }
                name
            }
        })
    }
    fn name_if(&mut self, may: impl Fn(Kind) -> bool) -> Result<Name> {
        if may(self.kind()) {
            let t = self.bump();
            self.name_of(t)
        } else {
            self.unexpected()
        }
    }
    pub(super) fn is_col_id(kind: Kind) -> bool {
        match kind {
            Kind::Ident => true,
            Kind::Keyword(k) => matches!(k.class(), Class::Unreserved | Class::ColumnName),
            _ => false,
        }
    }
    pub(super) fn is_type_function_name(kind: Kind) -> bool {
        match kind {
            Kind::Ident => true,
            Kind::Keyword(k) => matches!(k.class(), Class::Unreserved | Class::TypeOrFunction),
            _ => false,
        }
    }
    pub(super) fn is_non_reserved(kind: Kind) -> bool {
        match kind {
            Kind::Ident => true,
            Kind::Keyword(k) => k.class() != Class::Reserved,
            _ => false,
        }
    }
    pub(super) fn is_label(kind: Kind) -> bool {
        matches!(kind, Kind::Ident | Kind::Keyword(_))
    }
    /// May the token follow an expression as its name, without AS?
    pub(super) fn is_bare_label(kind: Kind) -> bool {
        match kind {
            Kind::Ident => true,
            Kind::Keyword(k) => k.is_bare_label(),
            _ => false,
        }
    }
    /// A name of a table, column, role ...
    pub(super) fn col_id(&mut self) -> Result<Name> {
        self.name_if(Self::is_col_id)
    }
    pub(super) fn type_function_name(&mut self) -> Result<Name> {
        self.name_if(Self::is_type_function_name)
    }
    pub(super) fn non_reserved(&mut self) -> Result<Name> {
        self.name_if(Self::is_non_reserved)
    }
    /// Any word: behind AS or a dot
    pub(super) fn label(&mut self) -> Result<Name> {
        self.name_if(Self::is_label)
    }
    pub(super) fn names(&mut self) -> Result<Vec<Name>> {
        self.list(Self::col_id)
    }
    /// `(name, ...)`
    pub(super) fn columns(&mut self) -> Result<Vec<Name>> {
        self.parenthesized(Self::col_id)
    }
    pub(super) fn opt_columns(&mut self) -> Result<Vec<Name>> {
        self.opt_parenthesized(Self::col_id)
    }

    /// `.name` as often as it comes
    pub(super) fn attrs(&mut self, parts: &mut Vec<Name>) -> Result<()> {
        while self.eat(Kind::Dot) {
            parts.push(self.label()?);
        }
        Ok(())
    }
    /// `a.b.c`, of any length
    pub(super) fn any_name(&mut self) -> Result<QualifiedName> {
        let at = self.at();
        let mut parts = vec![self.col_id()?];
        self.attrs(&mut parts)?;
        Ok(QualifiedName { parts, at })
    }
    pub(super) fn any_names(&mut self) -> Result<Vec<QualifiedName>> {
        self.list(Self::any_name)
    }
    /// `ColId indirection` where only names have a meaning: the grammar takes anything, and finds it wrong behind it.
    pub(super) fn dotted(&mut self) -> Result<QualifiedName> {
        let at = self.at();
        let mut parts = vec![self.col_id()?];
        let steps = self.any_steps()?;
        for s in steps {
            match s {
                Step::Field(n) => parts.push(n),
                _ => return self.unexpected(),
            }
        }
        Ok(QualifiedName { parts, at })
    }
    /// A table's name: at most three parts
    pub(super) fn qualified_name(&mut self) -> Result<Relation> {
        let n = self.dotted()?;
        self.relation_of(n)
    }
    pub(super) fn relation_of(&mut self, n: QualifiedName) -> Result<Relation> {
        if n.parts.len() > 3 {
            let e = err!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {}", n.parts.join("."));
            return Err(self.at_place(e, n.at));
        }
        Ok(Relation { parts: n.parts, only: false, at: n.at })
    }
    pub(super) fn qualified_names(&mut self) -> Result<Vec<Relation>> {
        self.list(Self::qualified_name)
    }
    /// A table with or without those that inherit from it: `t`, `t *`, `ONLY t`, `ONLY (t)`
    pub(super) fn relation_expr(&mut self) -> Result<Relation> {
        if self.eat_word(K::Only) {
            let parens = self.eat(Kind::LParen);
            let mut r = self.qualified_name()?;
            if parens {
                self.expect(Kind::RParen)?;
            }
            r.only = true;
            return Ok(r);
        }
        let r = self.qualified_name()?;
        self.eat(Kind::Star);
        Ok(r)
    }
    pub(super) fn relation_exprs(&mut self) -> Result<Vec<Relation>> {
        self.list(Self::relation_expr)
    }
    /// What UPDATE, DELETE and MERGE are of
    pub(super) fn relation_with_alias(&mut self) -> Result<(Relation, Option<Name>)> {
        let r = self.relation_expr()?;
        // SET is a name like others, but here it begins the assignments.
        let alias = if self.eat_word(K::As) || (Self::is_col_id(self.kind()) && !self.is_word(K::Set)) {
            Some(self.col_id()?)
        } else {
            None
        };
        Ok((r, alias))
    }

    pub(super) fn role(&mut self) -> Result<RoleSpec> {
        let at = self.at();
        let role = match self.one_of(&[K::CurrentRole, K::CurrentUser, K::SessionUser]) {
            Some(K::CurrentRole) => Role::CurrentRole,
            Some(K::CurrentUser) => Role::CurrentUser,
            Some(_) => Role::SessionUser,
            None => match self.non_reserved()? {
                // Not a word of the grammar, so that it could be quoted: PostgreSQL makes no difference either.
                n if n == "public" => Role::Public,
                n if n == "none" => {
                    let e = Error::new(pamir_types::error::state::RESERVED_NAME, "role name \"none\" is reserved");
                    return Err(self.at_place(e, at));
                }
                n => Role::Named(n),
            },
        };
        Ok(RoleSpec { role, at })
    }
    pub(super) fn roles(&mut self) -> Result<Vec<RoleSpec>> {
        self.list(Self::role)
    }
    /// The name of a role that is made or renamed
    pub(super) fn role_id(&mut self) -> Result<Name> {
        let spec = self.role()?;
        let word = match spec.role {
            Role::Named(n) => return Ok(n),
            Role::Public => {
                let e = Error::new(pamir_types::error::state::RESERVED_NAME, "role name \"public\" is reserved");
                return Err(self.at_place(e, spec.at));
            }
            Role::CurrentRole => "CURRENT_ROLE",
            Role::CurrentUser => "CURRENT_USER",
            Role::SessionUser => "SESSION_USER",
        };
        let e =
            Error::new(pamir_types::error::state::RESERVED_NAME, format!("{word} cannot be used as a role name here"));
        Err(self.at_place(e, spec.at))
    }

    // ---- constants ----

    pub(super) fn string(&mut self) -> Result<String> {
        let t = self.expect(Kind::Str)?;
        lexer::string(self.text, t)
    }
    fn raw(&self, t: Token) -> &str {
        &self.text[t.start as usize..t.end as usize]
    }
    pub(super) fn integer(&mut self) -> Result<i32> {
        let t = self.expect(Kind::Integer)?;
        Ok(self.raw(t).parse().unwrap_or(i32::MAX))
    }
    pub(super) fn signed_integer(&mut self) -> Result<i32> {
        if self.eat(Kind::Minus) {
            return Ok(-self.integer()?);
        }
        self.eat(Kind::Plus);
        self.integer()
    }
    pub(super) fn float(&mut self) -> Result<String> {
        let t = self.expect(Kind::Float)?;
        Ok(self.raw(t).to_string())
    }
    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.kind(), Kind::Integer | Kind::Float | Kind::Plus | Kind::Minus)
    }
    /// A number with or without a sign
    pub(super) fn numeric(&mut self) -> Result<DefValue> {
        let minus = self.is(Kind::Minus);
        if minus || self.is(Kind::Plus) {
            self.bump();
        }
        Ok(match self.kind() {
            Kind::Float => {
                let f = self.float()?;
                DefValue::Float(if minus { format!("-{f}") } else { f })
            }
            _ => {
                let i = self.integer()?;
                DefValue::Integer(if minus { -i } else { i })
            }
        })
    }
    pub(super) fn non_reserved_or_string(&mut self) -> Result<String> {
        if self.is(Kind::Str) { self.string() } else { self.non_reserved() }
    }
    /// TRUE, FALSE, ON, a word or a string: all as strings
    pub(super) fn bool_or_string(&mut self) -> Result<String> {
        match self.one_of(&[K::True, K::False, K::On]) {
            Some(k) => Ok(k.word().to_string()),
            None => self.non_reserved_or_string(),
        }
    }

    // ---- operators ----

    /// The operator that is the token ahead, if it is one.
    pub(super) fn symbol(&self) -> Option<Symbol> {
        Some(Symbol::Known(match self.kind() {
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Star => "*",
            Kind::Slash => "/",
            Kind::Percent => "%",
            Kind::Caret => "^",
            Kind::Less => "<",
            Kind::Greater => ">",
            Kind::Equals => "=",
            Kind::LessEquals => "<=",
            Kind::GreaterEquals => ">=",
            Kind::NotEquals => "<>",
            Kind::Op => return Some(Symbol::Other(self.raw(self.token()).into())),
            _ => return None,
        }))
    }
    /// `[schema.]operator`
    pub(super) fn any_operator(&mut self) -> Result<OperatorName> {
        let mut schema = Vec::new();
        loop {
            if let Some(symbol) = self.symbol() {
                self.bump();
                return Ok(OperatorName { schema, symbol });
            }
            schema.push(self.col_id()?);
            self.expect(Kind::Dot)?;
        }
    }
    /// `operator` or `OPERATOR(schema.operator)`
    pub(super) fn qualified_operator(&mut self) -> Result<OperatorName> {
        if self.eat_word(K::Operator) {
            self.expect(Kind::LParen)?;
            let op = self.any_operator()?;
            self.expect(Kind::RParen)?;
            return Ok(op);
        }
        match self.symbol() {
            Some(symbol) => {
                self.bump();
                Ok(OperatorName { schema: Vec::new(), symbol })
            }
            None => self.unexpected(),
        }
    }
    pub(super) fn if_exists(&mut self) -> Result<bool> {
        if !self.is_word(K::If) || !self.word_ahead(1, K::Exists) {
            return Ok(false);
        }
        self.expect_words(&[K::If, K::Exists])?;
        Ok(true)
    }
    pub(super) fn if_not_exists(&mut self) -> Result<bool> {
        if !self.is_word(K::If) || !self.word_ahead(1, K::Not) {
            return Ok(false);
        }
        self.expect_words(&[K::If, K::Not, K::Exists])?;
        Ok(true)
    }
    pub(super) fn drop_behavior(&mut self) -> DropBehavior {
        match self.one_of(&[K::Cascade, K::Restrict]) {
            Some(K::Cascade) => DropBehavior::Cascade,
            _ => DropBehavior::Restrict,
        }
    }
}
