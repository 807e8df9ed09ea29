//! DROP.
use super::object::Naming;
use super::*;
use ObjectKind as O;

fn dropped(kind: ObjectKind, objects: Vec<Object>, if_exists: bool, behavior: DropBehavior) -> Result<Statement> {
    Ok(Statement::Drop(Box::new(Drop { kind, objects, if_exists, behavior, concurrently: false, force: false })))
}

impl Parser<'_> {
    pub(super) fn drop_statement(&mut self) -> Result<Statement> {
        self.bump();
        let Some(k) = self.word() else { return self.unexpected() };
        match k {
            K::Owned => {
                self.expect_words(&[K::Owned, K::By])?;
                let of = self.roles()?;
                Ok(Statement::DropOwned { of, behavior: self.drop_behavior() })
            }
            K::Type | K::Domain => {
                self.bump();
                let kind = if k == K::Type { O::Type } else { O::Domain };
                let if_exists = self.if_exists()?;
                let objects = self.type_names()?.into_iter().map(|t| Object::Type(kind, t)).collect();
                dropped(kind, objects, if_exists, self.drop_behavior())
            }
            K::Index => self.drop_indexes(),
            K::Function | K::Procedure | K::Routine => {
                self.bump();
                let kind = match k {
                    K::Function => O::Function,
                    K::Procedure => O::Procedure,
                    _ => O::Routine,
                };
                let if_exists = self.if_exists()?;
                let objects = self.routine_refs()?.into_iter().map(|r| Object::Routine(kind, r)).collect();
                dropped(kind, objects, if_exists, self.drop_behavior())
            }
            K::Aggregate => {
                self.bump();
                let if_exists = self.if_exists()?;
                let objects = self.list(Self::aggregate_ref)?.into_iter().map(Object::Aggregate).collect();
                dropped(O::Aggregate, objects, if_exists, self.drop_behavior())
            }
            K::Operator => self.drop_operators(),
            K::Cast => {
                self.bump();
                let if_exists = self.certain_if_exists()?;
                let (from, to) = self.cast_types()?;
                dropped(O::Cast, vec![Object::Cast(from, to)], if_exists, self.drop_behavior())
            }
            K::Transform => {
                self.bump();
                let if_exists = self.certain_if_exists()?;
                self.expect_word(K::For)?;
                let t = self.type_name()?;
                self.expect_word(K::Language)?;
                let object = Object::Transform(t, self.col_id()?);
                dropped(O::Transform, vec![object], if_exists, self.drop_behavior())
            }
            K::Role | K::Group => {
                self.bump();
                self.drop_roles()
            }
            K::User if self.word_ahead(1, K::Mapping) && matches!(self.ahead(2), Kind::Keyword(K::For | K::If)) => {
                self.bump();
                self.bump();
                self.certain_if_exists()?;
                self.mapped_user()?;
                Ok(Statement::Other("DROP USER MAPPING"))
            }
            K::User => {
                self.bump();
                self.drop_roles()
            }
            K::Database => self.drop_database(),
            K::Subscription | K::Tablespace => {
                self.bump();
                let kind = if k == K::Subscription { O::Subscription } else { O::Tablespace };
                let if_exists = self.if_exists()?;
                let name = self.single()?;
                let behavior = if k == K::Subscription { self.drop_behavior() } else { DropBehavior::Restrict };
                dropped(kind, vec![Object::Named(kind, name)], if_exists, behavior)
            }
            _ => {
                let Some((kind, naming)) = self.object_kind()? else { return self.unexpected() };
                let if_exists = self.if_exists()?;
                let objects = match naming {
                    Naming::On => vec![self.object_named(kind, naming)?],
                    _ => self.list(|p| p.object_named(kind, naming))?,
                };
                dropped(kind, objects, if_exists, self.drop_behavior())
            }
        }
    }
    fn drop_indexes(&mut self) -> Result<Statement> {
        self.bump();
        let concurrently = self.eat_word(K::Concurrently);
        let if_exists = self.if_exists()?;
        let objects = self.any_names()?.into_iter().map(|n| Object::Named(O::Index, n)).collect();
        let behavior = self.drop_behavior();
        Ok(Statement::Drop(Box::new(Drop { kind: O::Index, objects, if_exists, behavior, concurrently, force: false })))
    }
    fn drop_operators(&mut self) -> Result<Statement> {
        self.bump();
        if let Some(k) = self.word().filter(|k| matches!(k, K::Class | K::Family) && self.ahead(1) != Kind::Dot) {
            self.bump();
            let if_exists = self.if_exists()?;
            let object = self.operator_class(k)?;
            let kind = if k == K::Class { O::OperatorClass } else { O::OperatorFamily };
            return dropped(kind, vec![object], if_exists, self.drop_behavior());
        }
        let if_exists = self.if_exists()?;
        let objects = self.list(Self::operator_ref)?.into_iter().map(Object::Operator).collect();
        dropped(O::Operator, objects, if_exists, self.drop_behavior())
    }
    /// IF EXISTS where nothing could be named `if`
    fn certain_if_exists(&mut self) -> Result<bool> {
        let is = self.eat_word(K::If);
        if is {
            self.expect_word(K::Exists)?;
        }
        Ok(is)
    }
    fn drop_roles(&mut self) -> Result<Statement> {
        let if_exists = self.if_exists()?;
        let roles = self.roles()?;
        Ok(Statement::DropRole { roles, if_exists })
    }
    fn drop_database(&mut self) -> Result<Statement> {
        self.bump();
        let if_exists = self.if_exists()?;
        let name = self.single()?;
        let with = self.opt_with_word();
        let mut force = false;
        if with || self.is(Kind::LParen) {
            self.parenthesized(|p| p.expect_word(K::Force).map(drop))?;
            force = true;
        }
        let objects = vec![Object::Named(O::Database, name)];
        Ok(Statement::Drop(Box::new(Drop {
            kind: O::Database,
            objects,
            if_exists,
            behavior: DropBehavior::Restrict,
            concurrently: false,
            force,
        })))
    }
}
