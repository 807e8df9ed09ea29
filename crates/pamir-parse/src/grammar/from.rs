//! FROM: tables, subqueries, functions, joins.
use super::*;

impl Parser<'_> {
    /// A table with the joins behind it
    pub(super) fn table_ref(&mut self) -> Result<TableRef> {
        self.deeper(|p| {
            let left = p.table_primary()?;
            p.joins(left)
        })
    }
    fn joins(&mut self, mut left: TableRef) -> Result<TableRef> {
        let mut chain = 0;
        loop {
            let at = left.at;
            let natural = self.is_word(K::Natural);
            let kind_at = natural as usize;
            let kind = match self.ahead(kind_at) {
                Kind::Keyword(K::Cross) if !natural => JoinKind::Cross,
                Kind::Keyword(K::Join | K::Inner) => JoinKind::Inner,
                Kind::Keyword(K::Left) => JoinKind::Left,
                Kind::Keyword(K::Right) => JoinKind::Right,
                Kind::Keyword(K::Full) => JoinKind::Full,
                _ if natural => {
                    self.bump();
                    return self.unexpected();
                }
                _ => return Ok(left),
            };
            chain += 1;
            if chain > self.limits.sets {
                return self.too_deep();
            }
            if natural {
                self.bump();
            }
            if !self.is_word(K::Join) {
                self.bump();
                if matches!(kind, JoinKind::Left | JoinKind::Right | JoinKind::Full) {
                    self.eat_word(K::Outer);
                }
            }
            self.expect_word(K::Join)?;
            // Without a condition nothing may come between: `a JOIN b JOIN c ON .. ON ..` nests to the right, `a CROSS JOIN b JOIN c ON ..` does not.
            let conditioned = !natural && kind != JoinKind::Cross;
            let right = if conditioned { self.table_ref()? } else { self.table_primary()? };
            let (mut on, mut using, mut using_alias) = (None, Vec::new(), None);
            if conditioned {
                if self.eat_word(K::Using) {
                    using = self.columns()?;
                    if self.eat_word(K::As) {
                        using_alias = Some(self.col_id()?);
                    }
                } else {
                    self.expect_word(K::On)?;
                    on = Some(self.expr()?);
                }
            }
            let join = Join { kind, natural, left, right, on, using, using_alias };
            left = TableRef { kind: TableKind::Join(Box::new(join)), alias: None, at };
        }
    }
    fn table_primary(&mut self) -> Result<TableRef> {
        let at = self.at();
        let lateral = self.eat_word(K::Lateral);
        if self.is(Kind::LParen) {
            return self.table_in_parens(lateral, at);
        }
        if self.is_word(K::Rows) && self.word_ahead(1, K::From) {
            self.bump();
            self.bump();
            let items = self.parenthesized(|p| {
                let call = p.function_in_from()?;
                let columns = if p.eat_word(K::As) { p.parenthesized(Self::column_type)? } else { Vec::new() };
                Ok(TableFunction { call, columns })
            })?;
            return self.function_tail(items, true, lateral, at);
        }
        if self.is_word(K::Xmltable) && self.ahead(1) == Kind::LParen {
            let table = Box::new(self.xml_table()?);
            let alias = self.opt_alias()?;
            return Ok(TableRef { kind: TableKind::XmlTable { table, lateral }, alias, at });
        }
        if self.is_word(K::Only) && !lateral {
            return self.relation_in_from(at);
        }
        // A function or a table: words that are no names of tables are functions.
        if !Self::is_col_id(self.kind()) || self.names_function() || lateral {
            let call = self.function_in_from()?;
            return self.function_tail(vec![TableFunction { call, columns: Vec::new() }], false, lateral, at);
        }
        self.relation_in_from(at)
    }
    /// Does a parenthesis follow the name ahead, or is it a function without one?
    fn names_function(&self) -> bool {
        let mut n = 1;
        loop {
            match self.ahead(n) {
                Kind::Dot => n += 2,
                Kind::LBracket => {
                    // A subscript has no meaning here, but is read before that is said.
                    let mut open = 0;
                    loop {
                        match self.ahead(n) {
                            Kind::LBracket => open += 1,
                            Kind::RBracket => open -= 1,
                            Kind::End | Kind::Error => return false,
                            _ => {}
                        }
                        n += 1;
                        if open == 0 {
                            break;
                        }
                    }
                }
                k => return k == Kind::LParen,
            }
        }
    }
    /// `func_expr_windowless`
    pub(super) fn function_in_from(&mut self) -> Result<Expr> {
        if let Some(e) = self.special_function()? {
            return Ok(e);
        }
        let at = self.at();
        let name = self.func_name()?;
        let (f, _) = self.application(name, at)?;
        Ok(Expr { kind: ExprKind::Call(Box::new(f)), at })
    }
    /// `func_name`, which a parenthesis follows where one is called
    pub(super) fn func_name(&mut self) -> Result<Vec<Name>> {
        let kind = self.kind();
        if !Self::is_col_id(kind) {
            return Ok(vec![self.type_function_name()?]);
        }
        let name = self.dotted()?.parts;
        if name.len() == 1 && !Self::is_type_function_name(kind) {
            // A word that may name columns, not functions
            return self.unexpected();
        }
        Ok(name)
    }
    fn function_tail(&mut self, items: Vec<TableFunction>, rows_from: bool, lateral: bool, at: At) -> Result<TableRef> {
        let ordinality = self.is(Kind::WithLa) && self.word_ahead(1, K::Ordinality);
        if ordinality {
            self.bump();
            self.bump();
        }
        let (mut alias, mut columns) = (None, Vec::new());
        if self.eat_word(K::As) {
            if self.is(Kind::LParen) {
                columns = self.parenthesized(Self::column_type)?;
            } else {
                (alias, columns) = self.function_alias()?;
            }
        } else if Self::is_col_id(self.kind()) {
            (alias, columns) = self.function_alias()?;
        }
        Ok(TableRef { kind: TableKind::Functions { items, rows_from, lateral, ordinality, columns }, alias, at })
    }
    /// `name`, `name (columns)` or `name (columns with types)`
    fn function_alias(&mut self) -> Result<(Option<Alias>, Vec<ColumnType>)> {
        let name = self.col_id()?;
        let mut alias = Alias { name, columns: Vec::new() };
        if !self.is(Kind::LParen) {
            return Ok((Some(alias), Vec::new()));
        }
        if matches!(self.ahead(2), Kind::Comma | Kind::RParen) {
            alias.columns = self.columns()?;
            return Ok((Some(alias), Vec::new()));
        }
        let columns = self.parenthesized(Self::column_type)?;
        Ok((Some(alias), columns))
    }
    /// `TableFuncElement`
    pub(super) fn column_type(&mut self) -> Result<ColumnType> {
        let at = self.at();
        let name = self.col_id()?;
        let ty = self.type_name()?;
        Ok(ColumnType { name, ty, collation: self.opt_collate()?, at })
    }
    pub(super) fn opt_collate(&mut self) -> Result<Option<QualifiedName>> {
        if self.eat_word(K::Collate) { self.any_name().map(Some) } else { Ok(None) }
    }
    fn relation_in_from(&mut self, at: At) -> Result<TableRef> {
        let relation = self.relation_expr()?;
        let alias = self.opt_alias()?;
        let sample = if self.eat_word(K::Tablesample) {
            let here = self.at();
            let method = self.func_name()?;
            let args = self.parenthesized(Self::expr)?;
            let repeatable = if self.eat_word(K::Repeatable) { Some(self.expr_in_parens()?) } else { None };
            Some(Box::new(TableSample { method, args, repeatable, at: here }))
        } else {
            None
        };
        Ok(TableRef { kind: TableKind::Relation(relation, sample), alias, at })
    }
    pub(super) fn opt_alias(&mut self) -> Result<Option<Alias>> {
        if !self.eat_word(K::As) && !Self::is_col_id(self.kind()) {
            return Ok(None);
        }
        Ok(Some(Alias { name: self.col_id()?, columns: self.opt_columns()? }))
    }
    /// `(query) alias` or `(a JOIN b ...) [alias]`
    fn table_in_parens(&mut self, lateral: bool, at: At) -> Result<TableRef> {
        match self.table_parens(lateral, at)? {
            Inner::Query(query) => self.subquery(query, lateral, at),
            Inner::Table(mut t) => {
                t.alias = self.opt_alias()?;
                Ok(t)
            }
        }
    }
    fn subquery(&mut self, query: Select, lateral: bool, at: At) -> Result<TableRef> {
        let values = matches!(query.body, SelectBody::Values(_));
        let alias = self.opt_alias()?;
        if alias.is_none() {
            let (what, hint) = if values {
                ("VALUES", "For example, FROM (VALUES ...) [AS] foo.")
            } else {
                ("subquery", "For example, FROM (SELECT ...) [AS] foo.")
            };
            let e = err!(SYNTAX_ERROR, "{what} in FROM must have an alias").hint(hint);
            return Err(self.at_place(e, if lateral { self.place_behind_lateral(at) } else { at }));
        }
        Ok(TableRef { kind: TableKind::Subquery { query: Box::new(query), lateral }, alias, at })
    }
    /// The parenthesis behind the LATERAL at `at`
    fn place_behind_lateral(&self, at: At) -> At {
        self.tokens.iter().find(|t| t.start > at.0 + self.base).map_or(at, |t| self.place(*t))
    }
    /// From `(` to `)`
    fn table_parens(&mut self, lateral: bool, at: At) -> Result<Inner> {
        self.deeper(|p| {
            p.expect(Kind::LParen)?;
            if p.begins_query() {
                let q = p.query()?;
                p.expect(Kind::RParen)?;
                return Ok(Inner::Query(q));
            }
            let first = if p.is(Kind::LParen) {
                let here = p.at();
                match p.table_parens(false, here)? {
                    Inner::Query(q) if p.goes_on_as_query() => {
                        let q = p.query_behind(q)?;
                        p.expect(Kind::RParen)?;
                        return Ok(Inner::Query(q));
                    }
                    Inner::Query(q) => p.subquery(q, false, here)?,
                    Inner::Table(mut t) => {
                        t.alias = p.opt_alias()?;
                        t
                    }
                }
            } else if lateral {
                return p.unexpected();
            } else {
                p.table_primary()?
            };
            let aliased = first.alias.is_some();
            let mut t = p.joins(first)?;
            // Only joins may stand in parentheses alone, with parentheses of their own perhaps.
            if !matches!(t.kind, TableKind::Join(_)) || (aliased && t.alias.is_some()) {
                return p.unexpected();
            }
            p.expect(Kind::RParen)?;
            t.at = at;
            Ok(Inner::Table(t))
        })
    }
}

enum Inner {
    Query(Select),
    Table(TableRef),
}
