//! Objects as COMMENT, DROP, ALTER and GRANT name them, and the options of many statements.
use super::*;
use ObjectKind as O;

/// How an object of a kind is named
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// With a schema perhaps
    Any,
    /// A single name
    Single,
    /// `name ON table`
    On,
}

impl Parser<'_> {
    /// The kinds of objects whose names are names, by their words: `TABLE`, `MATERIALIZED VIEW` ... None, and nothing read, if it is none of them.
    pub(super) fn object_kind(&mut self) -> Result<Option<(ObjectKind, Naming)>> {
        use Naming::*;
        let Some(k) = self.word() else { return Ok(None) };
        let (kind, naming, more): (_, _, &[K]) = match k {
            K::Table => (O::Table, Any, &[]),
            K::Sequence => (O::Sequence, Any, &[]),
            K::View => (O::View, Any, &[]),
            K::Materialized => (O::MaterializedView, Any, &[K::View]),
            K::Index => (O::Index, Any, &[]),
            K::Collation => (O::Collation, Any, &[]),
            K::Conversion => (O::Conversion, Any, &[]),
            K::Statistics => (O::Statistics, Any, &[]),
            K::Text => {
                self.bump();
                self.expect_word(K::Search)?;
                let kind = match self.expect_one_of(&[K::Parser, K::Dictionary, K::Template, K::Configuration])? {
                    K::Parser => O::TextSearchParser,
                    K::Dictionary => O::TextSearchDictionary,
                    K::Template => O::TextSearchTemplate,
                    _ => O::TextSearchConfiguration,
                };
                return Ok(Some((kind, Any)));
            }
            K::Foreign => {
                self.bump();
                return Ok(Some(match self.expect_one_of(&[K::Table, K::Data])? {
                    K::Table => (O::ForeignTable, Any),
                    _ => {
                        self.expect_word(K::Wrapper)?;
                        (O::ForeignDataWrapper, Single)
                    }
                }));
            }
            K::Access => (O::AccessMethod, Single, &[K::Method]),
            K::Event => (O::EventTrigger, Single, &[K::Trigger]),
            K::Extension => (O::Extension, Single, &[]),
            K::Procedural => (O::Language, Single, &[K::Language]),
            K::Language => (O::Language, Single, &[]),
            K::Publication => (O::Publication, Single, &[]),
            K::Schema => (O::Schema, Single, &[]),
            K::Server => (O::Server, Single, &[]),
            K::Database => (O::Database, Single, &[]),
            K::Role => (O::Role, Single, &[]),
            K::Subscription => (O::Subscription, Single, &[]),
            K::Tablespace => (O::Tablespace, Single, &[]),
            K::Policy => (O::Policy, On, &[]),
            K::Rule => (O::Rule, On, &[]),
            K::Trigger => (O::Trigger, On, &[]),
            _ => return Ok(None),
        };
        self.bump();
        self.expect_words(more)?;
        Ok(Some((kind, naming)))
    }
    pub(super) fn single(&mut self) -> Result<QualifiedName> {
        let at = self.at();
        Ok(QualifiedName { parts: vec![self.col_id()?], at })
    }
    /// The name of an object of `kind`
    pub(super) fn object_named(&mut self, kind: ObjectKind, naming: Naming) -> Result<Object> {
        Ok(match naming {
            Naming::Any => Object::Named(kind, self.any_name()?),
            Naming::Single => Object::Named(kind, self.single()?),
            Naming::On => {
                let name = self.col_id()?;
                self.expect_word(K::On)?;
                Object::On { kind, name, of: self.any_name()?, domain: false }
            }
        })
    }
    /// What COMMENT and its kin may be on
    pub(super) fn commented_object(&mut self, label: bool) -> Result<Object> {
        if let Some((kind, naming)) = self.object_kind()? {
            if label && naming == Naming::On {
                self.i -= 1;
                return self.unexpected();
            }
            return self.object_named(kind, naming);
        }
        let Some(k) = self.word() else { return self.unexpected() };
        let only_comment = matches!(k, K::Constraint | K::Operator | K::Transform | K::Cast);
        if label && only_comment {
            return self.unexpected();
        }
        match k {
            K::Column => {
                self.bump();
                Ok(Object::Named(O::Column, self.any_name()?))
            }
            K::Constraint => {
                self.bump();
                let name = self.col_id()?;
                self.expect_word(K::On)?;
                // DOMAIN may name a table too.
                let domain = self.is_word(K::Domain) && Self::is_col_id(self.ahead(1));
                if domain {
                    self.bump();
                }
                Ok(Object::On { kind: O::Constraint, name, of: self.any_name()?, domain })
            }
            _ => self.other_object(),
        }
    }
    /// Types, routines, operators, casts, transforms, large objects
    pub(super) fn other_object(&mut self) -> Result<Object> {
        Ok(
            match self.expect_one_of(&[
                K::Type,
                K::Domain,
                K::Aggregate,
                K::Function,
                K::Procedure,
                K::Routine,
                K::Operator,
                K::Transform,
                K::Large,
                K::Cast,
            ])? {
                K::Type => Object::Type(O::Type, self.type_name()?),
                K::Domain => Object::Type(O::Domain, self.type_name()?),
                K::Aggregate => Object::Aggregate(self.aggregate_ref()?),
                K::Function => Object::Routine(O::Function, self.routine_ref()?),
                K::Procedure => Object::Routine(O::Procedure, self.routine_ref()?),
                K::Routine => Object::Routine(O::Routine, self.routine_ref()?),
                K::Operator => match self.one_of(&[K::Class, K::Family]) {
                    Some(k) if !matches!(self.kind(), Kind::Dot) => self.operator_class(k)?,
                    Some(_) => {
                        self.i -= 1;
                        Object::Operator(self.operator_ref()?)
                    }
                    None => Object::Operator(self.operator_ref()?),
                },
                K::Transform => {
                    self.expect_word(K::For)?;
                    let t = self.type_name()?;
                    self.expect_word(K::Language)?;
                    Object::Transform(t, self.col_id()?)
                }
                K::Large => {
                    self.expect_word(K::Object)?;
                    Object::LargeObject(self.numeric()?)
                }
                _ => {
                    let (from, to) = self.cast_types()?;
                    Object::Cast(from, to)
                }
            },
        )
    }
    /// `name USING method` behind OPERATOR CLASS or FAMILY
    pub(super) fn operator_class(&mut self, k: K) -> Result<Object> {
        let kind = if k == K::Class { O::OperatorClass } else { O::OperatorFamily };
        let name = self.any_name()?;
        self.expect_word(K::Using)?;
        Ok(Object::Class { kind, name, method: self.col_id()? })
    }
    /// `(a AS b)`
    pub(super) fn cast_types(&mut self) -> Result<(TypeName, TypeName)> {
        self.expect(Kind::LParen)?;
        let from = self.type_name()?;
        self.expect_word(K::As)?;
        let to = self.type_name()?;
        self.expect(Kind::RParen)?;
        Ok((from, to))
    }
    pub(super) fn operator_ref(&mut self) -> Result<OperatorRef> {
        let at = self.at();
        let name = self.any_operator()?;
        self.expect(Kind::LParen)?;
        let left = self.operand_type()?;
        if left.is_some() {
            self.missing_argument()?;
        }
        self.expect(Kind::Comma)?;
        if left.is_none() && self.is_word(K::None) {
            return self.unexpected();
        }
        let right = self.operand_type()?;
        self.expect(Kind::RParen)?;
        Ok(OperatorRef { name, left, right, at })
    }
    /// An operator has two sides, though one of them may be NONE.
    pub(super) fn missing_argument(&self) -> Result<()> {
        if !self.is(Kind::RParen) {
            return Ok(());
        }
        let e =
            err!(SYNTAX_ERROR, "missing argument").hint("Use NONE to denote the missing argument of a unary operator.");
        Err(self.at_place(e, self.at()))
    }
    fn operand_type(&mut self) -> Result<Option<TypeName>> {
        if self.eat_word(K::None) { Ok(None) } else { self.type_name().map(Some) }
    }

    // ---- options ----

    /// `WITH (...)` of tables and indexes
    pub(super) fn opt_relation_options(&mut self) -> Result<Vec<DefElem>> {
        if self.eat_word(K::With) { self.relation_options() } else { Ok(Vec::new()) }
    }
    /// `(name = value, namespace.name = value, name)`
    pub(super) fn relation_options(&mut self) -> Result<Vec<DefElem>> {
        self.parenthesized(|p| {
            let at = p.at();
            let mut name = p.label()?;
            let mut namespace = None;
            if p.eat(Kind::Dot) {
                namespace = Some(std::mem::replace(&mut name, p.label()?));
            }
            let value = if p.eat(Kind::Equals) { Some(p.option_value()?) } else { None };
            Ok(DefElem { namespace, name, value, action: DefAction::None, at })
        })
    }
    /// `WITH (...)` of constraints and others
    pub(super) fn opt_definition(&mut self) -> Result<Vec<DefElem>> {
        if self.eat_word(K::With) { self.definition() } else { Ok(Vec::new()) }
    }
    /// `(name = value, name)`
    pub(super) fn definition(&mut self) -> Result<Vec<DefElem>> {
        self.parenthesized(|p| {
            let at = p.at();
            let name = p.label()?;
            let value = if p.eat(Kind::Equals) { Some(p.option_value()?) } else { None };
            Ok(DefElem { namespace: None, name, value, action: DefAction::None, at })
        })
    }
    /// `def_arg`
    pub(super) fn option_value(&mut self) -> Result<DefValue> {
        Ok(match self.kind() {
            Kind::Str => DefValue::String(self.string()?),
            Kind::Integer | Kind::Float => self.numeric()?,
            Kind::Plus | Kind::Minus if matches!(self.ahead(1), Kind::Integer | Kind::Float) => self.numeric()?,
            Kind::Keyword(K::None) => {
                self.bump();
                DefValue::String("none".to_string())
            }
            Kind::Keyword(K::Operator) if self.ahead(1) == Kind::LParen => self.operator_value()?,
            Kind::Keyword(k) if k.class() == crate::keywords::Class::Reserved => {
                self.bump();
                DefValue::String(k.word().to_string())
            }
            _ if self.symbol().is_some() => self.operator_value()?,
            _ => DefValue::Type(self.func_type()?),
        })
    }
    fn operator_value(&mut self) -> Result<DefValue> {
        let op = self.qualified_operator()?;
        let mut parts = op.schema;
        parts.push(op.symbol.as_str().to_string());
        Ok(DefValue::Operator(parts))
    }
    /// `[OPTIONS (name 'value', ...)]`
    pub(super) fn generic_options(&mut self) -> Result<Vec<DefElem>> {
        if !self.eat_word(K::Options) {
            return Ok(Vec::new());
        }
        self.parenthesized(|p| p.generic_option(DefAction::None))
    }
    fn generic_option(&mut self, action: DefAction) -> Result<DefElem> {
        let at = self.at();
        let name = self.label()?;
        let value = if action == DefAction::Drop { None } else { Some(DefValue::String(self.string()?)) };
        Ok(DefElem { namespace: None, name, value, action, at })
    }
    /// `OPTIONS (SET name 'value', DROP name, ...)`
    pub(super) fn alter_generic_options(&mut self) -> Result<Vec<DefElem>> {
        self.expect_word(K::Options)?;
        self.parenthesized(|p| {
            // The words may be names of options, which a string follows.
            let action = match p.word() {
                _ if p.ahead(1) == Kind::Str => DefAction::None,
                Some(K::Set) => DefAction::Set,
                Some(K::Add) => DefAction::Add,
                Some(K::Drop) => DefAction::Drop,
                _ => DefAction::None,
            };
            if action != DefAction::None {
                p.bump();
            }
            p.generic_option(action)
        })
    }
    /// `(name value, ...)` of VACUUM, EXPLAIN and others
    pub(super) fn utility_options(&mut self) -> Result<Vec<DefElem>> {
        self.parenthesized(|p| {
            let at = p.at();
            let name = match p.one_of(&[K::Analyze, K::Analyse]) {
                Some(_) => "analyze".to_string(),
                None => p.non_reserved()?,
            };
            let value = match p.kind() {
                Kind::Comma | Kind::RParen => None,
                _ if p.is_numeric() => Some(p.numeric()?),
                _ => Some(DefValue::String(p.bool_or_string()?)),
            };
            Ok(DefElem { namespace: None, name, value, action: DefAction::None, at })
        })
    }
    pub(super) fn flag(&self, name: &str, at: At) -> DefElem {
        DefElem { namespace: None, name: name.to_string(), value: None, action: DefAction::None, at }
    }
}
