//! Queries: SELECT and VALUES, set operations, and the clauses around them.
use super::*;

/// How strongly set operations bind: INTERSECT before the others.
fn set_level(k: K) -> Option<(SetOp, u8)> {
    match k {
        K::Union => Some((SetOp::Union, 1)),
        K::Except => Some((SetOp::Except, 1)),
        K::Intersect => Some((SetOp::Intersect, 2)),
        _ => None,
    }
}

/// ORDER BY and what follows it
#[derive(Default)]
struct Tail {
    order_by: Vec<SortBy>,
    limit: Option<(Expr, bool)>,
    offset: Option<Expr>,
    locking: Vec<Locking>,
}

impl Parser<'_> {
    /// A query, in parentheses or not (`SelectStmt`).
    pub(super) fn select(&mut self) -> Result<Select> {
        if !self.is(Kind::LParen) {
            return self.query();
        }
        let q = self.query_in_parens()?;
        self.query_behind(q)
    }
    /// A query that does not begin with a parenthesis (`select_no_parens`, but for its first `(`).
    pub(super) fn query(&mut self) -> Result<Select> {
        self.deeper(|p| {
            let with = p.opt_with()?;
            p.query_with(with)
        })
    }
    /// A query whose WITH was read
    pub(super) fn query_with(&mut self, with: Option<With>) -> Result<Select> {
        let p = self;
        let q = if with.is_some() && p.is(Kind::LParen) {
            let q = p.query_in_parens()?;
            p.set_operations(q, 1)?
        } else {
            let q = p.simple_select()?;
            p.set_operations(q, 1)?
        };
        p.query_tail(q, with)
    }
    /// Goes on behind a query in parentheses.
    pub(super) fn query_behind(&mut self, q: Select) -> Result<Select> {
        let q = self.set_operations(q, 1)?;
        self.query_tail(q, None)
    }
    /// UNION and so on of level `min` or more behind `left`
    fn set_operations(&mut self, mut left: Select, min: u8) -> Result<Select> {
        let mut chain = 0;
        while let Some((op, level)) = self.word().and_then(set_level).filter(|(_, l)| *l >= min) {
            chain += 1;
            if chain > self.limits.sets {
                return self.too_deep();
            }
            let at = self.at();
            self.bump();
            let all = self.one_of(&[K::All, K::Distinct]) == Some(K::All);
            let right = self.deeper(|p| {
                let right = if p.is(Kind::LParen) { p.query_in_parens()? } else { p.simple_select()? };
                p.set_operations(right, level + 1)
            })?;
            left = select_of(SelectBody::SetOp { op, all, left: Box::new(left), right: Box::new(right) }, at);
        }
        Ok(left)
    }
    /// SELECT, VALUES or TABLE without what goes around it
    fn simple_select(&mut self) -> Result<Select> {
        let at = self.at();
        match self.word() {
            Some(K::Select) => {
                let core = self.select_core()?;
                Ok(select_of(SelectBody::Select(Box::new(core)), at))
            }
            Some(K::Values) => {
                self.bump();
                let rows = self.list(|p| p.parenthesized(Self::expr))?;
                Ok(select_of(SelectBody::Values(rows), at))
            }
            Some(K::Table) => {
                self.bump();
                let here = self.at();
                let relation = self.relation_expr()?;
                let star = Expr { kind: ExprKind::Column { path: Vec::new(), star: true }, at: At::NOWHERE };
                let core = SelectCore {
                    targets: vec![Target { expr: star, name: None, at: At::NOWHERE }],
                    from: vec![TableRef { kind: TableKind::Relation(relation, None), alias: None, at: here }],
                    ..SelectCore::default()
                };
                Ok(select_of(SelectBody::Select(Box::new(core)), at))
            }
            _ => self.unexpected(),
        }
    }
    fn select_core(&mut self) -> Result<SelectCore> {
        self.expect_word(K::Select)?;
        let distinct = match self.one_of(&[K::All, K::Distinct]) {
            Some(K::Distinct) if self.eat_word(K::On) => Distinct::On(self.parenthesized(Self::expr)?),
            Some(K::Distinct) => Distinct::Distinct,
            _ => Distinct::All,
        };
        // Only SELECT DISTINCT must have columns.
        let targets = if distinct != Distinct::All || !self.ends_targets(0) { self.targets()? } else { Vec::new() };
        self.select_rest(distinct, targets)
    }
    /// Behind the columns
    fn select_rest(&mut self, distinct: Distinct, targets: Vec<Target>) -> Result<SelectCore> {
        let into = self.opt_into()?;
        let from = if self.eat_word(K::From) { self.list(Self::table_ref)? } else { Vec::new() };
        let filter = self.opt_where()?;
        let mut group_distinct = false;
        let mut group_by = Vec::new();
        if self.eat_word(K::Group) {
            self.expect_word(K::By)?;
            group_distinct = self.one_of(&[K::All, K::Distinct]) == Some(K::Distinct);
            group_by = self.list(Self::group_item)?;
        }
        let having = if self.eat_word(K::Having) { Some(self.expr()?) } else { None };
        let windows = self.window_clause()?;
        Ok(SelectCore { distinct, targets, into, from, filter, group_by, group_distinct, having, windows })
    }
    /// Does the token `n` further on stand behind a list of columns?
    pub(super) fn ends_targets(&self, n: usize) -> bool {
        match self.ahead(n) {
            Kind::End | Kind::Semicolon | Kind::RParen => true,
            Kind::Keyword(k) => matches!(
                k,
                K::Into
                    | K::From
                    | K::Where
                    | K::Group
                    | K::Having
                    | K::Window
                    | K::Union
                    | K::Intersect
                    | K::Except
                    | K::Order
                    | K::Limit
                    | K::Offset
                    | K::Fetch
                    | K::For
                    | K::Returning
                    | K::On
                    | K::With
            ),
            _ => false,
        }
    }
    pub(super) fn targets(&mut self) -> Result<Vec<Target>> {
        self.list(|p| {
            let at = p.at();
            if p.eat(Kind::Star) {
                return Ok(Target {
                    expr: Expr { kind: ExprKind::Column { path: Vec::new(), star: true }, at },
                    name: None,
                    at,
                });
            }
            let expr = p.labelled_expr()?;
            let name = if p.eat_word(K::As) || Self::is_bare_label(p.kind()) { Some(p.label()?) } else { None };
            Ok(Target { expr, name, at })
        })
    }
    pub(super) fn opt_returning(&mut self) -> Result<Vec<Target>> {
        if self.eat_word(K::Returning) { self.targets() } else { Ok(Vec::new()) }
    }
    pub(super) fn opt_where(&mut self) -> Result<Option<Expr>> {
        if self.eat_word(K::Where) { self.expr().map(Some) } else { Ok(None) }
    }
    fn opt_into(&mut self) -> Result<Option<Box<Into>>> {
        if !self.eat_word(K::Into) {
            return Ok(None);
        }
        let mut persistence = Persistence::Permanent;
        let mut is_table = false;
        let scoped = matches!(self.word(), Some(K::Local | K::Global))
            && matches!(self.ahead(1), Kind::Keyword(K::Temp | K::Temporary));
        if scoped {
            self.bump();
        }
        match self.word() {
            Some(k @ (K::Temp | K::Temporary | K::Unlogged)) => {
                // Words that may name a table too, unless something else does.
                let next = self.ahead(1);
                if scoped || Self::is_col_id(next) || next == Kind::Keyword(K::Table) {
                    self.bump();
                    persistence = if k == K::Unlogged { Persistence::Unlogged } else { Persistence::Temporary };
                    is_table = true;
                }
            }
            Some(K::Table) => is_table = true,
            _ => {}
        }
        if is_table {
            self.eat_word(K::Table);
        }
        Ok(Some(Box::new(Into { relation: self.qualified_name()?, persistence })))
    }
    fn group_item(&mut self) -> Result<GroupItem> {
        let at = self.at();
        match self.word() {
            _ if self.is(Kind::LParen) && self.ahead(1) == Kind::RParen => {
                self.bump();
                self.bump();
                Ok(GroupItem::Empty(at))
            }
            Some(k @ (K::Rollup | K::Cube)) if self.ahead(1) == Kind::LParen => {
                self.bump();
                let list = self.parenthesized(Self::expr)?;
                Ok(if k == K::Cube { GroupItem::Cube(list, at) } else { GroupItem::Rollup(list, at) })
            }
            Some(K::Grouping) if self.word_ahead(1, K::Sets) => {
                self.bump();
                self.bump();
                let sets = self.deeper(|p| p.parenthesized(Self::group_item))?;
                Ok(GroupItem::Sets(sets, at))
            }
            _ => self.expr().map(GroupItem::Expr),
        }
    }

    // ---- WITH ----

    pub(super) fn opt_with(&mut self) -> Result<Option<With>> {
        let at = self.at();
        // `WITH time AS ...`: the look ahead took it for another.
        if !self.eat_word(K::With) && !self.eat(Kind::WithLa) {
            return Ok(None);
        }
        // RECURSIVE may name one too.
        let recursive = self.is_word(K::Recursive) && Self::is_col_id(self.ahead(1));
        if recursive {
            self.bump();
        }
        let ctes = self.list(Self::cte)?;
        Ok(Some(With { recursive, ctes, at }))
    }
    fn cte(&mut self) -> Result<Cte> {
        let at = self.at();
        let name = self.col_id()?;
        let columns = self.opt_columns()?;
        self.expect_word(K::As)?;
        let materialized = if self.eat_word(K::Materialized) {
            Some(true)
        } else if self.eat_word(K::Not) {
            self.expect_word(K::Materialized)?;
            Some(false)
        } else {
            None
        };
        self.expect(Kind::LParen)?;
        let query = self.preparable()?;
        self.expect(Kind::RParen)?;
        let search = self.search()?;
        let cycle = self.cycle()?;
        Ok(Cte { name, columns, materialized, query, search, cycle, at })
    }
    fn search(&mut self) -> Result<Option<Search>> {
        let at = self.at();
        if !self.eat_word(K::Search) {
            return Ok(None);
        }
        let breadth_first = self.expect_one_of(&[K::Depth, K::Breadth])? == K::Breadth;
        self.expect_words(&[K::First, K::By])?;
        let columns = self.names()?;
        self.expect_word(K::Set)?;
        Ok(Some(Search { breadth_first, columns, set: self.col_id()?, at }))
    }
    fn cycle(&mut self) -> Result<Option<Box<Cycle>>> {
        let at = self.at();
        if !self.eat_word(K::Cycle) {
            return Ok(None);
        }
        let columns = self.names()?;
        self.expect_word(K::Set)?;
        let set = self.col_id()?;
        let literal = |b| Expr { kind: ExprKind::Literal(Literal::Bool(b)), at: At::NOWHERE };
        let (mut mark, mut default) = (literal(true), literal(false));
        if self.eat_word(K::To) {
            mark = self.constant()?;
            self.expect_word(K::Default)?;
            default = self.constant()?;
        }
        self.expect_word(K::Using)?;
        Ok(Some(Box::new(Cycle { columns, set, mark, default, path: self.col_id()?, at })))
    }
    /// `AexprConst`
    fn constant(&mut self) -> Result<Expr> {
        let start = self.i;
        let e = self.operand()?;
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Cast { form: CastForm::Prefix, .. } => Ok(e),
            _ => {
                self.i = start + 1;
                self.unexpected()
            }
        }
    }

    // ---- ORDER BY, LIMIT, FOR UPDATE ----

    /// Reads what may follow a query and puts it there.
    fn query_tail(&mut self, mut q: Select, with: Option<With>) -> Result<Select> {
        let mut t = Tail { order_by: self.opt_order_by()?, ..Tail::default() };
        let locked_first = self.is_word(K::For);
        if locked_first {
            t.locking = self.locking()?;
        }
        self.limits_of(&mut t)?;
        if !locked_first && self.is_word(K::For) {
            t.locking = self.locking()?;
        }
        let multiple = |what: &str| err!(SYNTAX_ERROR, "multiple {what} clauses not allowed");
        if let Some(first) = t.order_by.first() {
            if !q.order_by.is_empty() {
                return Err(self.at_place(multiple("ORDER BY"), first.expr.leftmost()));
            }
            q.order_by = t.order_by;
        }
        q.locking.extend(t.locking);
        if let Some(e) = t.offset {
            if q.offset.is_some() {
                return Err(self.at_place(multiple("OFFSET"), e.leftmost()));
            }
            q.offset = Some(e);
        }
        if let Some((e, ties)) = t.limit {
            if q.limit.is_some() {
                return Err(self.at_place(multiple("LIMIT"), e.leftmost()));
            }
            if ties && q.order_by.is_empty() {
                return Err(err!(SYNTAX_ERROR, "WITH TIES cannot be specified without ORDER BY clause"));
            }
            if ties && q.locking.iter().any(|l| l.wait == Wait::SkipLocked) {
                return Err(err!(SYNTAX_ERROR, "SKIP LOCKED and WITH TIES options cannot be used together"));
            }
            q.limit = Some(e);
            q.with_ties = ties;
        }
        if let Some(w) = with {
            if q.with.is_some() {
                return Err(self.at_place(multiple("WITH"), w.at));
            }
            q.with = Some(w);
        }
        Ok(q)
    }
    pub(super) fn opt_order_by(&mut self) -> Result<Vec<SortBy>> {
        if self.is_word(K::Order) { self.order_by() } else { Ok(Vec::new()) }
    }
    pub(super) fn order_by(&mut self) -> Result<Vec<SortBy>> {
        self.expect_words(&[K::Order, K::By])?;
        self.list(|p| {
            let expr = p.expr()?;
            let at = p.at();
            let order = match p.one_of(&[K::Using, K::Asc, K::Desc]) {
                Some(K::Using) => SortOrder::Using(p.qualified_operator()?),
                Some(K::Asc) => SortOrder::Asc,
                Some(_) => SortOrder::Desc,
                None => SortOrder::Default,
            };
            let nulls_first = p.opt_nulls()?;
            Ok(SortBy { expr, order, nulls_first, at })
        })
    }
    pub(super) fn opt_nulls(&mut self) -> Result<Option<bool>> {
        if !self.eat(Kind::NullsLa) {
            return Ok(None);
        }
        Ok(Some(self.expect_one_of(&[K::First, K::Last])? == K::First))
    }
    fn limits_of(&mut self, t: &mut Tail) -> Result<()> {
        loop {
            let at = self.at();
            match self.word() {
                Some(K::Limit) if t.limit.is_none() => {
                    self.bump();
                    let limit = self.limit_value()?;
                    if self.is(Kind::Comma) {
                        self.bump();
                        self.expr()?;
                        let e = err!(SYNTAX_ERROR, "LIMIT #,# syntax is not supported")
                            .hint("Use separate LIMIT and OFFSET clauses.");
                        return Err(self.at_place(e, at));
                    }
                    t.limit = Some((limit, false));
                }
                Some(K::Fetch) if t.limit.is_none() => {
                    self.bump();
                    t.limit = Some(self.fetch_first()?);
                }
                Some(K::Offset) if t.offset.is_none() => {
                    self.bump();
                    t.offset = Some(self.expr()?);
                    self.one_of(&[K::Row, K::Rows]);
                }
                _ => return Ok(()),
            }
        }
    }
    fn limit_value(&mut self) -> Result<Expr> {
        let at = self.at();
        if self.eat_word(K::All) {
            return Ok(Expr { kind: ExprKind::Literal(Literal::Null), at });
        }
        self.expr()
    }
    /// FETCH FIRST, behind FETCH
    fn fetch_first(&mut self) -> Result<(Expr, bool)> {
        self.expect_one_of(&[K::First, K::Next])?;
        let at = self.at();
        let no_count = match self.word() {
            Some(K::Row) => self.ahead(1) != Kind::LParen,
            Some(K::Rows) => matches!(self.ahead(1), Kind::Keyword(K::Only | K::With)),
            _ => false,
        };
        let count = if no_count {
            types::integer(1, At::NOWHERE)
        } else if self.is(Kind::Plus) || self.is(Kind::Minus) {
            let kind = match self.numeric()? {
                DefValue::Float(f) => Literal::Float(f),
                DefValue::Integer(n) => Literal::Integer(n),
                _ => return self.unexpected(),
            };
            Expr { kind: ExprKind::Literal(kind), at }
        } else {
            self.operand()?
        };
        self.expect_one_of(&[K::Row, K::Rows])?;
        let ties = self.expect_one_of(&[K::Only, K::With])? == K::With;
        if ties {
            self.expect_word(K::Ties)?;
        }
        Ok((count, ties))
    }
    fn locking(&mut self) -> Result<Vec<Locking>> {
        let mut out = Vec::new();
        while self.eat_word(K::For) {
            let strength = match self.expect_one_of(&[K::Update, K::No, K::Share, K::Key, K::Read])? {
                K::Update => Strength::Update,
                K::Share => Strength::Share,
                K::No => {
                    self.expect_words(&[K::Key, K::Update])?;
                    Strength::NoKeyUpdate
                }
                K::Key => {
                    self.expect_word(K::Share)?;
                    Strength::KeyShare
                }
                // FOR READ ONLY says nothing, and nothing may stand beside it.
                _ if out.is_empty() => {
                    self.expect_word(K::Only)?;
                    return Ok(out);
                }
                _ => {
                    self.i -= 1;
                    return self.unexpected();
                }
            };
            let of = if self.eat_word(K::Of) { self.qualified_names()? } else { Vec::new() };
            let wait = if self.eat_word(K::Nowait) {
                Wait::NoWait
            } else if self.eat_word(K::Skip) {
                self.expect_word(K::Locked)?;
                Wait::SkipLocked
            } else {
                Wait::Block
            };
            out.push(Locking { strength, of, wait });
        }
        Ok(out)
    }
    /// `PLpgSQL_Expr`: a query without SELECT, up to the end
    pub(crate) fn plpgsql_expr(&mut self) -> Result<Select> {
        let at = self.at();
        let distinct = match self.one_of(&[K::All, K::Distinct]) {
            Some(K::Distinct) if self.eat_word(K::On) => Distinct::On(self.parenthesized(Self::expr)?),
            Some(K::Distinct) => Distinct::Distinct,
            _ => Distinct::All,
        };
        let targets = if self.ends_targets(0) { Vec::new() } else { self.targets()? };
        let core = self.select_rest(distinct, targets)?;
        self.query_tail(select_of(SelectBody::Select(Box::new(core)), at), None)
    }
}

fn select_of(body: SelectBody, at: At) -> Select {
    Select {
        with: None,
        body,
        order_by: Vec::new(),
        limit: None,
        with_ties: false,
        offset: None,
        locking: Vec::new(),
        at,
    }
}
