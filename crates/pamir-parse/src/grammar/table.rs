//! Tables' columns and constraints, and the elements of indexes.
use super::*;

impl Parser<'_> {
    /// `(column type ..., CONSTRAINT ..., LIKE ...)`, which may be empty
    pub(super) fn table_elements(&mut self) -> Result<Vec<TableElement>> {
        self.expect(Kind::LParen)?;
        let elements = if self.is(Kind::RParen) { Vec::new() } else { self.list(Self::table_element)? };
        self.expect(Kind::RParen)?;
        Ok(elements)
    }
    fn begins_constraint(&self) -> bool {
        match self.word() {
            Some(K::Constraint | K::Check | K::Unique | K::Primary | K::Foreign) => true,
            Some(K::Exclude) => matches!(self.ahead(1), Kind::LParen | Kind::Keyword(K::Using)),
            _ => false,
        }
    }
    fn table_element(&mut self) -> Result<TableElement> {
        if self.begins_constraint() {
            return self.table_constraint().map(TableElement::Constraint);
        }
        if self.eat_word(K::Like) {
            let relation = self.qualified_name()?;
            let mut options = Vec::new();
            while let Some(k) = self.one_of(&[K::Including, K::Excluding]) {
                let option = match self.expect_one_of(&[
                    K::Comments,
                    K::Compression,
                    K::Constraints,
                    K::Defaults,
                    K::Identity,
                    K::Generated,
                    K::Indexes,
                    K::Statistics,
                    K::Storage,
                    K::All,
                ])? {
                    K::Comments => LikeOption::Comments,
                    K::Compression => LikeOption::Compression,
                    K::Constraints => LikeOption::Constraints,
                    K::Defaults => LikeOption::Defaults,
                    K::Identity => LikeOption::Identity,
                    K::Generated => LikeOption::Generated,
                    K::Indexes => LikeOption::Indexes,
                    K::Statistics => LikeOption::Statistics,
                    K::Storage => LikeOption::Storage,
                    _ => LikeOption::All,
                };
                options.push((k == K::Including, option));
            }
            return Ok(TableElement::Like { relation, options });
        }
        self.column_definition().map(TableElement::Column)
    }
    /// Of tables of a type and of partitions: `[(column [WITH OPTIONS] constraints, ...)]`
    pub(super) fn typed_elements(&mut self) -> Result<Vec<TableElement>> {
        self.opt_parenthesized(|p| {
            if p.begins_constraint() {
                return p.table_constraint().map(TableElement::Constraint);
            }
            let at = p.at();
            let name = p.col_id()?;
            if p.eat_word(K::With) {
                p.expect_word(K::Options)?;
            }
            let (collation, constraints) = p.column_constraints()?;
            Ok(TableElement::Column(ColumnDefinition {
                name,
                ty: None,
                compression: None,
                options: Vec::new(),
                collation,
                constraints,
                at,
            }))
        })
    }
    pub(super) fn column_definition(&mut self) -> Result<ColumnDefinition> {
        let at = self.at();
        let name = self.col_id()?;
        let ty = Some(self.type_name()?);
        let compression = if self.is_word(K::Compression) { Some(self.compression()?) } else { None };
        let options = self.generic_options()?;
        let (collation, constraints) = self.column_constraints()?;
        Ok(ColumnDefinition { name, ty, compression, options, collation, constraints, at })
    }
    /// `COMPRESSION method`
    pub(super) fn compression(&mut self) -> Result<Name> {
        self.expect_word(K::Compression)?;
        if self.eat_word(K::Default) { Ok("default".to_string()) } else { self.col_id() }
    }
    /// `ColQualList`
    pub(super) fn column_constraints(&mut self) -> Result<(Option<QualifiedName>, Vec<ColumnConstraint>)> {
        let mut collation: Option<QualifiedName> = None;
        let mut second = None;
        let mut out = Vec::new();
        loop {
            let at = self.at();
            if self.eat_word(K::Collate) {
                let c = self.any_name()?;
                if collation.is_some() {
                    // Told once all of them are read.
                    second = second.or(Some(at));
                }
                collation = Some(c);
                continue;
            }
            let name = if self.eat_word(K::Constraint) { Some(self.col_id()?) } else { None };
            match self.column_constraint(name.is_some())? {
                Some(kind) => out.push(ColumnConstraint { name, kind, at }),
                None if name.is_some() => return self.unexpected(),
                None => {
                    if let Some(at) = second {
                        return Err(self.at_place(err!(SYNTAX_ERROR, "multiple COLLATE clauses not allowed"), at));
                    }
                    return Ok((collation, out));
                }
            }
        }
    }
    fn column_constraint(&mut self, named: bool) -> Result<Option<ColumnConstraintKind>> {
        use ColumnConstraintKind as C;
        let Some(k) = self.word() else { return Ok(None) };
        Ok(Some(match k {
            K::Not => {
                self.bump();
                match self.word() {
                    Some(K::Null) => {
                        self.bump();
                        C::NotNull
                    }
                    Some(K::Deferrable) if !named => {
                        self.bump();
                        C::Deferrable(false)
                    }
                    _ => return self.unexpected(),
                }
            }
            K::Deferrable if !named => {
                self.bump();
                C::Deferrable(true)
            }
            K::Initially if !named => {
                self.bump();
                C::Initially { deferred: self.expect_one_of(&[K::Deferred, K::Immediate])? == K::Deferred }
            }
            K::Null => {
                self.bump();
                C::Null
            }
            K::Unique => {
                self.bump();
                let nulls_distinct = self.nulls_distinct()?;
                let options = self.opt_definition()?;
                C::Unique { nulls_distinct, options, tablespace: self.constraint_tablespace()? }
            }
            K::Primary => {
                self.expect_words(&[K::Primary, K::Key])?;
                let options = self.opt_definition()?;
                C::PrimaryKey { options, tablespace: self.constraint_tablespace()? }
            }
            K::Check => {
                self.bump();
                let expr = self.expr_in_parens()?;
                let no_inherit = self.eat_word(K::No);
                if no_inherit {
                    self.expect_word(K::Inherit)?;
                }
                C::Check { expr, no_inherit }
            }
            K::Default => {
                self.bump();
                C::Default(self.restricted()?)
            }
            K::Generated => {
                self.bump();
                let when = self.at();
                let always = self.generated_when()?;
                self.expect_word(K::As)?;
                if self.eat_word(K::Identity) {
                    let options = if self.is(Kind::LParen) { self.sequence_options_in_parens()? } else { Vec::new() };
                    return Ok(Some(C::Identity { always, options }));
                }
                let expr = self.expr_in_parens()?;
                self.expect_word(K::Stored)?;
                if !always {
                    let e = err!(SYNTAX_ERROR, "for a generated column, GENERATED ALWAYS must be specified");
                    return Err(self.at_place(e, when));
                }
                C::Generated(expr)
            }
            K::References => C::References(self.references()?),
            _ => return Ok(None),
        }))
    }
    pub(super) fn generated_when(&mut self) -> Result<bool> {
        if self.eat_word(K::Always) {
            return Ok(true);
        }
        self.expect_words(&[K::By, K::Default])?;
        Ok(false)
    }
    pub(super) fn sequence_options_in_parens(&mut self) -> Result<Vec<SequenceOption>> {
        self.expect(Kind::LParen)?;
        let o = self.sequence_options()?;
        if o.is_empty() {
            return self.unexpected();
        }
        self.expect(Kind::RParen)?;
        Ok(o)
    }
    /// NULLS [NOT] DISTINCT
    pub(super) fn nulls_distinct(&mut self) -> Result<bool> {
        if !self.eat_word(K::Nulls) {
            return Ok(true);
        }
        let not = self.eat_word(K::Not);
        self.expect_word(K::Distinct)?;
        Ok(!not)
    }
    fn constraint_tablespace(&mut self) -> Result<Option<Name>> {
        if !self.eat_words(&[K::Using, K::Index, K::Tablespace]) {
            return Ok(None);
        }
        self.col_id().map(Some)
    }
    fn references(&mut self) -> Result<References> {
        self.expect_word(K::References)?;
        let table = self.qualified_name()?;
        let columns = self.opt_columns()?;
        let at = self.at();
        let mut match_full = false;
        if self.eat_word(K::Match) {
            match self.expect_one_of(&[K::Full, K::Partial, K::Simple])? {
                K::Full => match_full = true,
                K::Partial => {
                    return Err(self.at_place(err!(FEATURE_NOT_SUPPORTED, "MATCH PARTIAL not yet implemented"), at));
                }
                _ => {}
            }
        }
        let mut r = References {
            table,
            columns,
            match_full,
            on_update: KeyAction::NoAction,
            on_delete: KeyAction::NoAction,
            on_delete_columns: Vec::new(),
        };
        let (mut update, mut delete) = (false, false);
        while self.is_word(K::On) {
            let at = self.at();
            match self.ahead(1) {
                Kind::Keyword(K::Update) if !update => {
                    self.bump();
                    self.bump();
                    update = true;
                    let (action, columns) = self.key_action()?;
                    if !columns.is_empty() {
                        let what = if action == KeyAction::SetNull { "SET NULL" } else { "SET DEFAULT" };
                        let e = err!(
                            FEATURE_NOT_SUPPORTED,
                            "a column list with {what} is only supported for ON DELETE actions"
                        );
                        return Err(self.at_place(e, at));
                    }
                    r.on_update = action;
                }
                Kind::Keyword(K::Delete) if !delete => {
                    self.bump();
                    self.bump();
                    delete = true;
                    (r.on_delete, r.on_delete_columns) = self.key_action()?;
                }
                _ if update && delete => break,
                _ => {
                    self.bump();
                    return self.unexpected();
                }
            }
        }
        Ok(r)
    }
    fn key_action(&mut self) -> Result<(KeyAction, Vec<Name>)> {
        Ok(match self.expect_one_of(&[K::No, K::Restrict, K::Cascade, K::Set])? {
            K::No => {
                self.expect_word(K::Action)?;
                (KeyAction::NoAction, Vec::new())
            }
            K::Restrict => (KeyAction::Restrict, Vec::new()),
            K::Cascade => (KeyAction::Cascade, Vec::new()),
            _ => match self.expect_one_of(&[K::Null, K::Default])? {
                K::Null => (KeyAction::SetNull, self.opt_columns()?),
                _ => (KeyAction::SetDefault, self.opt_columns()?),
            },
        })
    }
    pub(super) fn table_constraint(&mut self) -> Result<TableConstraint> {
        let at = self.at();
        let name = if self.eat_word(K::Constraint) { Some(self.col_id()?) } else { None };
        let (kind, what) = match self.expect_one_of(&[K::Check, K::Unique, K::Primary, K::Foreign, K::Exclude])? {
            K::Check => (TableConstraintKind::Check(self.expr_in_parens()?), "CHECK"),
            K::Unique => {
                let nulls_distinct = self.nulls_distinct()?;
                (TableConstraintKind::Unique { nulls_distinct, key: self.key_of()? }, "UNIQUE")
            }
            K::Primary => {
                self.expect_word(K::Key)?;
                (TableConstraintKind::PrimaryKey(self.key_of()?), "PRIMARY KEY")
            }
            K::Foreign => {
                self.expect_word(K::Key)?;
                let columns = self.columns()?;
                (TableConstraintKind::ForeignKey { columns, references: self.references()? }, "FOREIGN KEY")
            }
            _ => {
                let method = if self.eat_word(K::Using) { Some(self.col_id()?) } else { None };
                let elements = self.parenthesized(|p| {
                    let e = p.index_element()?;
                    p.expect_word(K::With)?;
                    let op = if p.is_word(K::Operator) && p.ahead(1) == Kind::LParen {
                        p.qualified_operator()?
                    } else {
                        p.any_operator()?
                    };
                    Ok((e, op))
                })?;
                let include = self.include_columns()?;
                let options = self.opt_definition()?;
                let tablespace = self.constraint_tablespace()?;
                let filter = if self.eat_word(K::Where) { Some(self.expr_in_parens()?) } else { None };
                (TableConstraintKind::Exclude { method, elements, include, options, tablespace, filter }, "EXCLUDE")
            }
        };
        let attributes = self.constraint_attributes()?;
        check_attributes(&attributes, what)?;
        Ok(TableConstraint { name, kind, attributes, at })
    }
    fn key_of(&mut self) -> Result<KeyOf> {
        if self.eat_word(K::Using) {
            self.expect_word(K::Index)?;
            return Ok(KeyOf::Index(self.col_id()?));
        }
        let columns = self.columns()?;
        let include = self.include_columns()?;
        let options = self.opt_definition()?;
        Ok(KeyOf::Columns { columns, include, options, tablespace: self.constraint_tablespace()? })
    }
    fn include_columns(&mut self) -> Result<Vec<Name>> {
        if self.eat_word(K::Include) { self.columns() } else { Ok(Vec::new()) }
    }
    pub(super) fn constraint_attributes(&mut self) -> Result<ConstraintAttributes> {
        let mut a = ConstraintAttributes::default();
        let (mut not_deferrable, mut immediate, mut deferrable) = (false, false, false);
        loop {
            let at = self.at();
            match self.word() {
                Some(K::Not) if self.word_ahead(1, K::Deferrable) => {
                    self.bump();
                    not_deferrable = true;
                }
                Some(K::Not) => {
                    self.bump();
                    if !self.is_word(K::Valid) {
                        return self.unexpected();
                    }
                    a.not_valid = true;
                }
                Some(K::Deferrable) => deferrable = true,
                Some(K::Initially) => {
                    self.bump();
                    match self.word() {
                        Some(K::Immediate) => immediate = true,
                        Some(K::Deferred) => a.initially_deferred = true,
                        _ => return self.unexpected(),
                    }
                }
                Some(K::No) => {
                    self.bump();
                    if !self.is_word(K::Inherit) {
                        return self.unexpected();
                    }
                    a.no_inherit = true;
                }
                _ => break,
            }
            self.bump();
            if not_deferrable && a.initially_deferred {
                let e = err!(SYNTAX_ERROR, "constraint declared INITIALLY DEFERRED must be DEFERRABLE");
                return Err(self.at_place(e, at));
            }
            if (not_deferrable && deferrable) || (immediate && a.initially_deferred) {
                return Err(self.at_place(err!(SYNTAX_ERROR, "conflicting constraint properties"), at));
            }
        }
        a.deferrable = deferrable || a.initially_deferred;
        a.said = not_deferrable || immediate || a.deferrable;
        Ok(a)
    }

    // ---- indexes ----

    pub(super) fn index_element(&mut self) -> Result<IndexElement> {
        let at = self.at();
        let of = self.index_of()?;
        let collation = self.opt_collate()?;
        let mut class = None;
        let mut class_options = Vec::new();
        if Self::is_col_id(self.kind()) {
            class = Some(self.any_name()?);
            if self.is(Kind::LParen) {
                class_options = self.relation_options()?;
            }
        }
        let descending = self.one_of(&[K::Asc, K::Desc]).map(|k| k == K::Desc);
        let nulls_first = self.opt_nulls()?;
        Ok(IndexElement { of, collation, class, class_options, descending, nulls_first, at })
    }
    /// A column, a call or an expression in parentheses
    fn index_of(&mut self) -> Result<IndexOf> {
        if self.is(Kind::LParen) {
            return Ok(IndexOf::Expr(self.expr_in_parens()?));
        }
        if Self::is_col_id(self.kind()) && !matches!(self.ahead(1), Kind::LParen | Kind::Dot | Kind::LBracket) {
            return Ok(IndexOf::Column(self.col_id()?));
        }
        Ok(IndexOf::Expr(self.function_in_from()?))
    }
    pub(super) fn opt_partition_by(&mut self) -> Result<Option<PartitionBy>> {
        let at = self.at();
        if !self.eat_word(K::Partition) {
            return Ok(None);
        }
        self.expect_word(K::By)?;
        let strategy = self.col_id()?;
        let elements = self.parenthesized(|p| {
            let at = p.at();
            let expr = match p.index_of()? {
                IndexOf::Column(c) => Expr { kind: ExprKind::Column { path: vec![c], star: false }, at },
                IndexOf::Expr(e) => e,
            };
            let collation = p.opt_collate()?;
            let class = if Self::is_col_id(p.kind()) { Some(p.any_name()?) } else { None };
            Ok(PartitionElement { expr, collation, class, at })
        })?;
        Ok(Some(PartitionBy { strategy, elements, at }))
    }
    pub(super) fn partition_bound(&mut self) -> Result<PartitionBound> {
        let mut at = self.at();
        let of = if self.eat_word(K::Default) {
            BoundOf::Default
        } else {
            self.expect_words(&[K::For, K::Values])?;
            at = self.at();
            self.bound_of()?
        };
        Ok(PartitionBound { of, at })
    }
    fn bound_of(&mut self) -> Result<BoundOf> {
        match self.expect_one_of(&[K::With, K::In, K::From])? {
            K::With => {
                let (mut modulus, mut remainder) = (None, None);
                self.parenthesized(|p| {
                    let at = p.at();
                    let name = p.non_reserved()?;
                    let n = p.integer()?;
                    let slot = match name.as_str() {
                        "modulus" => &mut modulus,
                        "remainder" => &mut remainder,
                        _ => {
                            let e = err!(SYNTAX_ERROR, "unrecognized hash partition bound specification \"{name}\"");
                            return Err(p.at_place(e, at));
                        }
                    };
                    if slot.replace(n).is_some() {
                        let e = Error::new(
                            pamir_types::error::state::DUPLICATE_OBJECT,
                            format!("{name} for hash partition provided more than once"),
                        );
                        return Err(p.at_place(e, at));
                    }
                    Ok(())
                })?;
                let missing = |what: &str| err!(SYNTAX_ERROR, "{what} for hash partition must be specified");
                Ok(BoundOf::Hash {
                    modulus: modulus.ok_or_else(|| missing("modulus"))?,
                    remainder: remainder.ok_or_else(|| missing("remainder"))?,
                })
            }
            K::In => Ok(BoundOf::List(self.parenthesized(Self::expr)?)),
            _ => {
                let from = self.parenthesized(Self::expr)?;
                self.expect_word(K::To)?;
                Ok(BoundOf::Range(from, self.parenthesized(Self::expr)?))
            }
        }
    }
}

/// Not every constraint may be anything. The error has no place: in PostgreSQL's grammar a list that grows from nothing begins nowhere.
pub(super) fn check_attributes(a: &ConstraintAttributes, what: &str) -> Result<()> {
    let deferrable = matches!(what, "UNIQUE" | "PRIMARY KEY" | "EXCLUDE" | "FOREIGN KEY" | "TRIGGER");
    let valid = matches!(what, "CHECK" | "FOREIGN KEY");
    let wrong = if a.deferrable && !deferrable {
        "DEFERRABLE"
    } else if a.not_valid && !valid {
        "NOT VALID"
    } else if a.no_inherit && what != "CHECK" {
        "NO INHERIT"
    } else {
        return Ok(());
    };
    Err(err!(FEATURE_NOT_SUPPORTED, "{what} constraints cannot be marked {wrong}"))
}
