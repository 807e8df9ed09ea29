//! INSERT, UPDATE, DELETE, MERGE.
use super::*;

impl Parser<'_> {
    /// What may be prepared, explained and named by WITH
    pub(super) fn preparable(&mut self) -> Result<Statement> {
        if self.is(Kind::LParen) {
            return Ok(Statement::Select(Box::new(self.select()?)));
        }
        let with_first = self.is_word(K::With) || self.is(Kind::WithLa);
        if !with_first {
            return self.deeper(|p| p.modify(None));
        }
        self.deeper(|p| {
            let with = p.opt_with()?;
            p.modify(with)
        })
    }
    fn modify(&mut self, with: Option<With>) -> Result<Statement> {
        match self.word() {
            Some(K::Insert) => Ok(Statement::Insert(Box::new(self.insert(with)?))),
            Some(K::Update) => Ok(Statement::Update(Box::new(self.update(with)?))),
            Some(K::Delete) => Ok(Statement::Delete(Box::new(self.delete(with)?))),
            Some(K::Merge) => Ok(Statement::Merge(Box::new(self.merge(with)?))),
            _ => Ok(Statement::Select(Box::new(self.query_with(with)?))),
        }
    }
    fn insert(&mut self, with: Option<With>) -> Result<Insert> {
        self.expect_words(&[K::Insert, K::Into])?;
        let into = self.qualified_name()?;
        let alias = if self.eat_word(K::As) { Some(self.col_id()?) } else { None };
        let (mut columns, mut overriding, mut source) = (None, None, None);
        if self.is_word(K::Default) {
            self.expect_words(&[K::Default, K::Values])?;
        } else {
            if self.is(Kind::LParen) && !self.parens_hold_query() {
                columns = Some(self.places()?);
            }
            overriding = self.overriding()?;
            source = Some(self.select()?);
        }
        let on_conflict = self.on_conflict()?;
        Ok(Insert { with, into, alias, columns, overriding, source, on_conflict, returning: self.opt_returning()? })
    }
    /// Does a query begin behind the parentheses ahead?
    fn parens_hold_query(&self) -> bool {
        let mut n = 0;
        while self.ahead(n) == Kind::LParen {
            n += 1;
        }
        match self.ahead(n) {
            Kind::Keyword(K::Select | K::Table | K::With) | Kind::WithLa => true,
            Kind::Keyword(K::Values) => self.ahead(n + 1) == Kind::LParen,
            _ => n > 1,
        }
    }
    fn overriding(&mut self) -> Result<Option<Overriding>> {
        if !self.eat_word(K::Overriding) {
            return Ok(None);
        }
        let o = match self.expect_one_of(&[K::User, K::System])? {
            K::User => Overriding::User,
            _ => Overriding::System,
        };
        self.expect_word(K::Value)?;
        Ok(Some(o))
    }
    /// `(column, part[1], ...)`
    fn places(&mut self) -> Result<Vec<Place>> {
        self.parenthesized(Self::assigned)
    }
    fn assigned(&mut self) -> Result<Place> {
        let at = self.at();
        Ok(Place { column: self.col_id()?, steps: self.steps()?, at })
    }
    fn on_conflict(&mut self) -> Result<Option<OnConflict>> {
        let at = self.at();
        if !self.eat_word(K::On) {
            return Ok(None);
        }
        self.expect_word(K::Conflict)?;
        let here = self.at();
        let target = if self.is(Kind::LParen) {
            let elements = self.parenthesized(Self::index_element)?;
            ConflictTarget::Index { elements, filter: self.opt_where()?, at: here }
        } else if self.eat_word(K::On) {
            self.expect_word(K::Constraint)?;
            ConflictTarget::Constraint(self.col_id()?, here)
        } else {
            ConflictTarget::Any
        };
        self.expect_word(K::Do)?;
        let update = match self.expect_one_of(&[K::Nothing, K::Update])? {
            K::Nothing => None,
            _ => {
                self.expect_word(K::Set)?;
                let set = self.assignments()?;
                Some((set, self.opt_where()?))
            }
        };
        Ok(Some(OnConflict { target, update, at }))
    }
    fn assignments(&mut self) -> Result<Vec<Assignment>> {
        self.list(|p| {
            let row = p.is(Kind::LParen);
            let places = if row { p.places()? } else { vec![p.assigned()?] };
            p.expect(Kind::Equals)?;
            Ok(Assignment { places, row, value: p.expr()? })
        })
    }
    fn update(&mut self, with: Option<With>) -> Result<Update> {
        self.expect_word(K::Update)?;
        let (table, alias) = self.relation_with_alias()?;
        self.expect_word(K::Set)?;
        let set = self.assignments()?;
        let from = if self.eat_word(K::From) { self.list(Self::table_ref)? } else { Vec::new() };
        let filter = self.where_or_current()?;
        Ok(Update { with, table, alias, set, from, filter, returning: self.opt_returning()? })
    }
    fn delete(&mut self, with: Option<With>) -> Result<Delete> {
        self.expect_words(&[K::Delete, K::From])?;
        let (from, alias) = self.relation_with_alias()?;
        let using = if self.eat_word(K::Using) { self.list(Self::table_ref)? } else { Vec::new() };
        let filter = self.where_or_current()?;
        Ok(Delete { with, from, alias, using, filter, returning: self.opt_returning()? })
    }
    fn where_or_current(&mut self) -> Result<Option<Expr>> {
        if !self.eat_word(K::Where) {
            return Ok(None);
        }
        let at = self.at();
        if self.is_word(K::Current) && self.word_ahead(1, K::Of) {
            self.bump();
            self.bump();
            return Ok(Some(Expr { kind: ExprKind::CurrentOf(self.col_id()?), at }));
        }
        self.expr().map(Some)
    }
    fn merge(&mut self, with: Option<With>) -> Result<Merge> {
        self.expect_words(&[K::Merge, K::Into])?;
        let (into, alias) = self.relation_with_alias()?;
        self.expect_word(K::Using)?;
        let using = self.table_ref()?;
        self.expect_word(K::On)?;
        let on = self.expr()?;
        let mut whens = Vec::new();
        loop {
            self.expect_word(K::When)?;
            let matched = !self.eat_word(K::Not);
            self.expect_word(K::Matched)?;
            let condition = if self.eat_word(K::And) { Some(self.expr()?) } else { None };
            self.expect_word(K::Then)?;
            whens.push(MergeWhen { matched, condition, action: self.merge_action(matched)? });
            if !self.is_word(K::When) {
                return Ok(Merge { with, into, alias, using, on, whens });
            }
        }
    }
    fn merge_action(&mut self, matched: bool) -> Result<MergeAction> {
        match self.word() {
            Some(K::Do) => {
                self.bump();
                self.expect_word(K::Nothing)?;
                Ok(MergeAction::Nothing)
            }
            Some(K::Update) if matched => {
                self.bump();
                self.expect_word(K::Set)?;
                Ok(MergeAction::Update(self.assignments()?))
            }
            Some(K::Delete) if matched => {
                self.bump();
                Ok(MergeAction::Delete)
            }
            Some(K::Insert) if !matched => {
                self.bump();
                if self.is_word(K::Default) {
                    self.expect_words(&[K::Default, K::Values])?;
                    return Ok(MergeAction::Insert { columns: None, overriding: None, values: None });
                }
                let columns = if self.is(Kind::LParen) { Some(self.places()?) } else { None };
                let overriding = self.overriding()?;
                self.expect_word(K::Values)?;
                let values = Some(self.parenthesized(Self::expr)?);
                Ok(MergeAction::Insert { columns, overriding, values })
            }
            _ => self.unexpected(),
        }
    }
}
