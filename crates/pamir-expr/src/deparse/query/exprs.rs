//! Expressions that only queries have: columns of items, aggregates, windows, subqueries, whole rows.
use super::{Deparser, VAR};
use crate::deparse::quote_ident;
use crate::ir::{
    AggCall, CastHow, CmpOp, ColId, Exclude, Expr, FrameBound, FrameUnits, Subquery, SubqueryKind, WindowCall, WindowFn,
};
use crate::query::{Item, ItemKind, Over};
use pamir_catalog::defs;
use pamir_types::{Datum, Oid};

impl<'a> Deparser<'a> {
    /// The item and the name of a column.
    fn find(&mut self, id: ColId) -> Option<(usize, String)> {
        let record = self.record();
        let queries = self.queries();
        for (i, item) in record.items.iter().enumerate().rev() {
            // The join's shared columns are another's.
            if item.alias.is_none() && matches!(item.kind, ItemKind::Join) || queries.inside.contains(&i) {
                continue;
            }
            if let Some(n) = item.cols.iter().position(|c| matches!(c.1, Expr::Col(x, _) if x == id)) {
                return Some((i, queries.columns[i][n].clone()));
            }
            if let Some(s) = item.system.iter().find(|s| s.1 == id) {
                return Some((i, s.0.to_string()));
            }
        }
        None
    }
    pub(super) fn column_name(&mut self, id: ColId) -> Option<String> {
        self.find(id).map(|f| f.1)
    }
    /// The name of a column that USING shares, where it is none of the sides' own, and the join's alias that it goes by.
    pub(super) fn merged(&mut self, e: &Expr) -> Option<(Option<usize>, String)> {
        if matches!(e, Expr::Col(..)) {
            return None;
        }
        let shape = format!("{e:?}");
        let queries = self.queries();
        let items = std::iter::zip(&queries.record.items, &queries.columns).enumerate().rev();
        let mut joins = items.filter(|(n, (i, _))| matches!(i.kind, ItemKind::Join) && !queries.inside.contains(n));
        joins.find_map(|(n, (i, names))| {
            let mut cols = std::iter::zip(&i.cols, names);
            let found = cols.find(|(c, _)| !matches!(c.1, Expr::Col(..)) && format!("{:?}", c.1) == shape)?;
            Some((i.alias.as_ref().map(|_| n), found.1.clone()))
        })
    }
    fn merged_name(&mut self, item: Option<usize>, name: &str) {
        if let Some(i) = item {
            self.item_name(i);
            self.push(".");
        }
        self.ident(name);
    }
    /// The item whose whole row these fields are.
    fn row_of(&mut self, fields: &[Expr]) -> Option<usize> {
        let same = |a: &Expr, b: &Expr| matches!((a, b), (Expr::Col(x, _), Expr::Col(y, _)) if x == y);
        let record = self.record();
        record.items.iter().rposition(|i| {
            !matches!(i.kind, ItemKind::Join)
                && !fields.is_empty()
                && i.cols.len() == fields.len()
                && std::iter::zip(&i.cols, fields).all(|(c, f)| same(&c.1, f))
        })
    }
    pub(in crate::deparse) fn is_whole_row(&mut self, e: &Expr) -> bool {
        match e {
            Expr::Cast { e: row, f: CastHow::Relabel, explicit: false, .. } => {
                matches!(&**row, Expr::Row(fields) if self.row_of(fields).is_some())
            }
            Expr::Case { whens, otherwise, .. } => self.is_row(whens, otherwise),
            _ => false,
        }
    }
    /// An expression where a name and a star alone would be its columns.
    pub(in crate::deparse) fn field(&mut self, e: &Expr) {
        self.expr(e);
        if self.q.is_some() && self.is_whole_row(e) {
            let ty = self.type_name(e.ty());
            self.push(&format!("::{ty}"));
        }
    }
    /// Prints what expressions of tables cannot be; false: nothing of it.
    pub(in crate::deparse) fn query_expr(&mut self, e: &Expr) -> bool {
        if let Some((i, n)) = self.merged(e) {
            self.merged_name(i, &n);
            return true;
        }
        match e {
            Expr::Col(id, _) => self.column(*id),
            Expr::Cast { e: x, f: CastHow::Relabel, ty, explicit: true } if x.ty() == *ty => {
                let Some((x, name)) = self.collation(e) else { return false };
                if self.queries().layout.pretty {
                    self.collated(x, &name);
                } else {
                    self.push("(");
                    self.expr(x);
                    self.push(&format!(" COLLATE {name})"));
                }
            }
            Expr::Cast { e: row, f: CastHow::Relabel, explicit: false, .. } if matches!(**row, Expr::Row(_)) => {
                let Expr::Row(fields) = &**row else { return false };
                match self.row_of(fields) {
                    Some(i) => {
                        self.item_name(i);
                        self.push(".*");
                    }
                    None => self.cannot("a row of this kind"),
                }
            }
            Expr::Case { whens, otherwise, .. } => {
                if !self.is_row(whens, otherwise) {
                    self.case(e, whens, otherwise);
                    return true;
                }
                let [(Expr::IsNull(c, true), row)] = whens.as_slice() else { return false };
                let Expr::Col(..) = **c else { return false };
                self.expr(row);
            }
            Expr::Subquery(s) => self.subquery(s),
            Expr::Not(x) if matches!(**x, Expr::InList { .. }) && !self.queries().layout.pretty => {
                let Expr::InList { e: x, list, .. } = &**x else { return false };
                self.push("(");
                self.expr(x);
                self.push(" <> ALL (ARRAY[");
                self.list(list, ", ");
                self.push("]))");
            }
            Expr::Param(..) => self.cannot("a parameter"),
            Expr::Field { record, .. } if crate::func::rowtype::fields_in(record.ty(), self.catalog()).is_some() => {
                return false;
            }
            // A row as one without a name: nothing that was written.
            Expr::Cast { e: row, ty, explicit: false, .. }
                if ty.oid == pamir_types::oid::RECORD && self.is_whole_row(row) =>
            {
                self.expr(row);
            }
            Expr::Field { .. } | Expr::Default => self.cannot("a field of a record"),
            Expr::Call { f, .. } if f.name.starts_with(|c: char| !c.is_ascii_alphanumeric() && c != '_') => {
                self.cannot(&format!("the internal function {}", f.name))
            }
            e if self.queries().layout.pretty => return self.pretty(e),
            _ => return false,
        }
        true
    }
    /// A whole row that an outer join may miss, rather than a CASE that was written.
    fn is_row(&mut self, whens: &[(Expr, Expr)], otherwise: &Expr) -> bool {
        let [(Expr::IsNull(c, true), Expr::Cast { e, .. })] = whens else { return false };
        let (Expr::Col(id, _), Expr::Row(_)) = (&**c, &**e) else { return false };
        let column = self.find(*id).is_some_and(|f| f.1 != "tableoid");
        !column && matches!(otherwise, Expr::Const(Datum::Null, _))
    }
    fn case(&mut self, e: &Expr, whens: &[(Expr, Expr)], otherwise: &Expr) {
        let shape = format!("{e:?}");
        let operand = self.record().cases.iter().find(|c| c.0 == shape).map(|c| &c.1);
        self.line("CASE", 0, VAR, 0);
        if let Some(x) = operand {
            self.push(" ");
            self.expr(x);
        }
        for (cond, value) in whens {
            self.line("WHEN ", 0, 0, 0);
            match (operand, cond) {
                (Some(_), Expr::Call { args, .. }) if args.len() == 2 => self.expr(&args[1]),
                _ => self.expr(cond),
            }
            self.push(" THEN ");
            self.expr(value);
        }
        self.line("ELSE ", 0, 0, 0);
        self.expr(otherwise);
        self.line("END", -VAR, 0, 0);
    }
    /// The domain of an item's column.
    pub(in crate::deparse) fn item_domain(&self, id: ColId) -> Option<Oid> {
        let record = self.q.as_ref()?.record;
        let at = |i: &Item| i.cols.iter().position(|c| matches!(c.1, Expr::Col(x, _) if x == id));
        let (item, n) = record.items.iter().find_map(|i| Some((i, at(i)?)))?;
        let ItemKind::Relation { oid, attnums, .. } = &item.kind else { return None };
        self.catalog().table(*oid)?.declared.domain(*attnums.get(n)?)
    }
    /// Is it a column of an item, not an aggregate or the like?
    pub(in crate::deparse) fn is_item(&mut self, id: ColId) -> bool {
        self.q.is_none() || self.find(id).is_some()
    }
    fn column(&mut self, id: ColId) {
        if let Some((i, name)) = self.find(id) {
            // The names of the table itself, and of `old` and `new`, are the only ones that are taken.
            let bare = self.queries().bare == Some(i) && self.queries().taken.len() == 2;
            if !bare {
                self.item_name(i);
                self.push(".");
            }
            return self.ident(&name);
        }
        let record = self.record();
        if let Some(a) = record.aggs.iter().find(|a| a.out.id == id) {
            self.aggregate(a)
        } else if let Some((w, over)) = record.windows.iter().find(|w| w.0.out.id == id) {
            self.window_call(w, over)
        } else if let Some(h) = record.hypothetical.iter().find(|h| h.id == id) {
            self.push(&h.name);
            self.push("(");
            self.list(&h.direct, ", ");
            self.push(") WITHIN GROUP (ORDER BY ");
            self.keys_of(&h.keys);
            self.push(")");
            self.filter(&h.filter);
        } else if let Some((_, args)) = record.grouping.iter().find(|g| g.0 == id) {
            self.push("GROUPING(");
            self.list(args, ", ");
            self.push(")");
        } else {
            self.cannot("a column of this kind")
        }
    }
    fn aggregate(&mut self, a: &AggCall) {
        let name = self.qualifier(&*a.f) + &quote_ident(&a.f.name);
        self.push(&name);
        self.push("(");
        let direct = crate::func::ordered_set::direct_args(&a.f.name);
        if let Some(n) = direct {
            let n = n.min(a.args.len());
            self.list(&a.args[..n], ", ");
            self.push(") WITHIN GROUP (ORDER BY ");
            self.keys_of(&a.order_by);
        } else {
            self.push(if a.distinct { "DISTINCT " } else { "" });
            if a.args.is_empty() {
                self.push("*");
            }
            self.arguments(&a.f.args, &a.args);
            if !a.order_by.is_empty() {
                self.push(" ORDER BY ");
                self.keys_of(&a.order_by);
            }
        }
        self.push(")");
        self.filter(&a.filter);
    }
    fn filter(&mut self, filter: &Option<Expr>) {
        if let Some(f) = filter {
            self.push(" FILTER (WHERE ");
            self.expr(f);
            self.push(")");
        }
    }
    fn window_call(&mut self, w: &WindowCall, over: &Over) {
        let agg;
        let name = match &w.f {
            WindowFn::RowNumber => "row_number",
            WindowFn::Rank => "rank",
            WindowFn::DenseRank => "dense_rank",
            WindowFn::PercentRank => "percent_rank",
            WindowFn::CumeDist => "cume_dist",
            WindowFn::Ntile => "ntile",
            WindowFn::Lag => "lag",
            WindowFn::Lead => "lead",
            WindowFn::FirstValue => "first_value",
            WindowFn::LastValue => "last_value",
            WindowFn::NthValue => "nth_value",
            WindowFn::Agg(a) => {
                agg = self.qualifier(&**a) + &quote_ident(&a.name);
                &agg
            }
        };
        self.push(name);
        self.push("(");
        if w.args.is_empty() && matches!(w.f, WindowFn::Agg(_)) {
            self.push("*");
        }
        self.list(&w.args, ", ");
        self.push(")");
        self.filter(&w.filter);
        self.push(" OVER ");
        match over {
            Over::Named(n) => self.ident(n),
            over => self.window(w, over),
        }
    }
    /// get_rule_windowspec
    pub(super) fn window(&mut self, w: &WindowCall, over: &Over) {
        let (base, copied) = match over {
            Over::Spec { base, copied_order } => (base.as_ref(), *copied_order),
            Over::Named(_) => (None, false),
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(base.map(|b| defs::quote_ident(b).into_owned()));
        if base.is_none() && !w.partition_by.is_empty() {
            parts.push("PARTITION BY ".to_string() + &self.apart(|d| d.group_list(&w.partition_by)));
        }
        if !copied && !w.order_by.is_empty() {
            parts.push("ORDER BY ".to_string() + &self.apart(|d| d.keys_of(&w.order_by)));
        }
        let f = &w.frame;
        let default = f.units == FrameUnits::Range
            && matches!((&f.start, &f.end), (FrameBound::Unbounded, FrameBound::Current))
            && f.exclude == Exclude::NoOthers;
        if !default {
            let units = match f.units {
                FrameUnits::Rows => "ROWS",
                FrameUnits::Range => "RANGE",
                FrameUnits::Groups => "GROUPS",
            };
            let (start, end) = (self.bound(&f.start, "PRECEDING"), self.bound(&f.end, "FOLLOWING"));
            let exclude = match f.exclude {
                Exclude::NoOthers => "",
                Exclude::CurrentRow => " EXCLUDE CURRENT ROW",
                Exclude::Group => " EXCLUDE GROUP",
                Exclude::Ties => " EXCLUDE TIES",
            };
            parts.push(format!("{units} BETWEEN {start} AND {end}{exclude}"));
        }
        self.push(&format!("({})", parts.join(" ")));
    }
    fn bound(&mut self, b: &FrameBound, unbounded: &str) -> String {
        match b {
            FrameBound::Unbounded => format!("UNBOUNDED {unbounded}"),
            FrameBound::Current => "CURRENT ROW".into(),
            FrameBound::Offset { e, following, .. } => {
                let text = self.apart(|d| d.number(e));
                format!("{text} {}", if *following { "FOLLOWING" } else { "PRECEDING" })
            }
        }
    }

    /// get_sublink_expr
    fn subquery(&mut self, s: &Subquery) {
        let record = self.record();
        let Some(q) = (s.number as usize).checked_sub(1).and_then(|n| record.subqueries.get(n)) else {
            return self.cannot("a subquery of this kind");
        };
        self.push(if matches!(s.kind, SubqueryKind::Array) { "ARRAY(" } else { "(" });
        let mut inner = true;
        match &s.kind {
            SubqueryKind::Exists => self.push("EXISTS "),
            SubqueryKind::Any { left, ops, rows } | SubqueryKind::All { left, ops, rows } => {
                match left.as_slice() {
                    [one] => self.expr(one),
                    many => {
                        self.push("(");
                        self.list(many, ", ");
                        self.push(")");
                    }
                }
                let op = match (rows, ops.first()) {
                    (Some(r), _) => Some(word_of(r.op).to_string()),
                    (None, Some(f)) => self.operator(f, 2),
                    (None, None) => None,
                };
                let Some(op) = op else { return self.cannot("an operator of this kind") };
                match (&s.kind, op.as_str()) {
                    (SubqueryKind::Any { .. }, "=") => self.push(" IN "),
                    (SubqueryKind::Any { .. }, op) => self.push(&format!(" {op} ANY ")),
                    (_, op) => self.push(&format!(" {op} ALL ")),
                }
            }
            SubqueryKind::Scalar | SubqueryKind::Array => inner = false,
            SubqueryKind::Row { .. } => return self.cannot("a comparison of a row with a subquery"),
        }
        self.push(if inner { "(" } else { "" });
        let indent = self.queries().indent;
        self.query(q, None, false, indent);
        self.push(if inner { "))" } else { ")" });
    }
}

fn word_of(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "=",
        CmpOp::Ne => "<>",
        CmpOp::Lt => "<",
        CmpOp::Le => "<=",
        CmpOp::Gt => ">",
        CmpOp::Ge => ">=",
    }
}
