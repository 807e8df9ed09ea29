//! EXCLUDE constraints as they are declared; [`pamir_exec::exclusion`] checks them.
//!
//! One is an index (gist, btree, hash) with an operator for each of its columns. An operator is found for the column's type and kept by its OID; it is its own commutator and of
//! those that the index's class answers, so that which of two rows came first does not count.
//!
//! Limits: what the index's method lacks (classes of networks and geometric types by gist, spgist, INCLUDE by gist).
use super::constraint::{MAX_KEY_COLUMNS, free_name, name_of};
use super::eval::bind_expr_in;
use super::{DdlCtx, column, index, options, table};
use pamir_catalog::names::{distinct, join_columns};
use pamir_catalog::{Deferrable, Excluding, Index, IndexColumn, Method, Table};
use pamir_expr::access;
use pamir_expr::expr;
use pamir_expr::func::{Operator, lookup};
use pamir_expr::inverted::Class;
use pamir_expr::ir::Expr;
use pamir_parse::tree::{
    self, ExprKind, IndexElement, IndexOf, OperatorName, Symbol, TableConstraint, TableConstraintKind,
};
use pamir_plan::parser::parse_stored_expr;
use pamir_types::text::type_named;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};

/// Appends those of CREATE TABLE. Some that are the same in all but their names are one, called as the first of them that has a name.
pub fn add_all(t: &mut Table, all: &[&TableConstraint], cx: &mut DdlCtx) -> Result<()> {
    let mut named: Vec<(Oid, bool)> = Vec::new();
    for c in all {
        let new = add(t, c, cx)?;
        let declared = |i: &Index| -> Vec<_> {
            (0..i.columns.len()).map(|n| (t.declared.class(i.oid, n), t.declared.index_collation(i.oid, n))).collect()
        };
        let same = |i: &&Index| {
            i.oid != new.oid
                && i.excludes == new.excludes
                && (i.method, &i.columns, &i.include) == (new.method, &new.columns, &new.include)
                && (&i.predicate, i.deferrable) == (&new.predicate, new.deferrable)
                && declared(i) == declared(&new)
        };
        match t.indexes.iter().find(same).map(|i| i.oid) {
            None => named.push((new.oid, c.name.is_some())),
            Some(first) => {
                t.indexes.retain(|i| i.oid != new.oid);
                for (oid, has) in named.iter_mut().filter(|n| n.0 == first && !n.1 && c.name.is_some()) {
                    *has = true;
                    t.indexes.iter_mut().filter(|i| i.oid == *oid).for_each(|i| i.name.clone_from(&new.name));
                }
            }
        }
    }
    Ok(())
}
/// Appends a constraint's index to `t`; it is not filled.
pub fn add(t: &mut Table, c: &TableConstraint, cx: &mut DdlCtx) -> Result<Index> {
    let TableConstraintKind::Exclude { method, elements, include, options, tablespace, filter } = &c.kind else {
        return Err(Error::internal("an EXCLUDE constraint was expected"));
    };
    if t.is_partitioned() {
        let e = err!(FEATURE_NOT_SUPPORTED, "exclusion constraints are not supported on partitioned tables");
        return Err(cx.place(e, c.at));
    }
    let method = index::method(method.as_deref())?;
    if matches!(method, Method::Gin | Method::Brin) {
        bail!(FEATURE_NOT_SUPPORTED, "access method \"{}\" does not support exclusion constraints", method.name());
    }
    table::tablespace(tablespace.as_deref())?;
    let parameters = options::check(method.into(), &options::settings(options))?;
    let keys: Vec<IndexElement> = elements.iter().map(|e| e.0.clone()).collect();
    if method != Method::Btree {
        index::check_method(false, !include.is_empty(), &keys, method)?;
    }
    if keys.len() + include.len() > MAX_KEY_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "cannot use more than {MAX_KEY_COLUMNS} columns in an index");
    }
    let named = |t: &Table, n: &String| match t.column_by_name(n) {
        Some(c) => Ok(c.attnum),
        None if column::is_system(n) => {
            Err(err!(FEATURE_NOT_SUPPORTED, "index creation on system columns is not supported"))
        }
        None => Err(err!(UNDEFINED_COLUMN, "column \"{n}\" named in key does not exist")),
    };
    for e in &keys {
        if let IndexOf::Column(n) = &e.of {
            named(t, n)?;
        }
    }
    let index::Keys { columns, mut names, classes, collations } = index::key_columns(&keys, t, method, cx)?;
    let include_columns = include.iter().map(|n| named(t, n)).collect::<Result<Vec<_>>>()?;
    names.extend(include.iter().cloned());
    let predicate = index::predicate(filter.as_ref(), t, cx)?;
    let operand = |e: &IndexElement| match &e.of {
        IndexOf::Column(n) => column_ref(n, e.at),
        IndexOf::Expr(x) => x.clone(),
    };
    let excludes = elements.iter().map(|(e, op)| operator(t, operand(e), op, cx)).collect::<Result<Vec<_>>>()?;
    if let Some(n) = &c.name
        && (*n == t.name || cx.relation_exists(t.schema, n))
    {
        bail!(DUPLICATE_TABLE, "relation \"{n}\" already exists");
    }
    let name = name_of(&c.name, t, || {
        let names = distinct(names.iter().map(|s| s.as_str()));
        free_name(cx, t, Some(&join_columns(names.iter().map(|s| s.as_str()))), "excl")
    })?;
    let deferrable = c.attributes.deferrable;
    let index = Index {
        oid: cx.new_oid_in(t.schema)?,
        name,
        tree: cx.new_tree(t.schema)?.0,
        unique: false,
        primary: false,
        constraint: true,
        nulls_not_distinct: false,
        columns,
        include: include_columns,
        predicate,
        method,
        comment: None,
        deferrable: deferrable
            .then_some(Deferrable { primary: false, initially_deferred: c.attributes.initially_deferred }),
        excludes: Some(excludes.iter().map(|o| o.0.clone()).collect()),
        usage: Default::default(),
    };
    index::append(t, &index, (classes, collations), parameters);
    for (n, (x, shown)) in excludes.iter().enumerate() {
        member(t, &index, n, x, shown)?;
    }
    t.cache = Default::default();
    Ok(index)
}

/// An operator between two values of a column, and as messages show it: `&&(anyrange,anyrange)`.
fn operator(t: &Table, operand: tree::Expr, op: &OperatorName, cx: &mut DdlCtx) -> Result<(Excluding, String)> {
    let (at, left, right) = (operand.at, Some(Box::new(operand.clone())), Box::new(operand));
    let call = tree::Expr { kind: ExprKind::Operator { op: op.clone(), left, right }, at };
    let bound = cx.without_places(|cx| bind_expr_in(&call, Some(t), None, Some("index expressions"), cx))?;
    let Expr::Call { f, .. } = &bound else {
        return Err(Error::unsupported(format!("operator {} of an exclusion constraint", op.symbol.as_str())));
    };
    let own = expr::operator_of(f);
    let users = if own.is_none() { lookup::operator_over(cx.catalog, f, 2) } else { None };
    let Some(o): Option<&Operator> = own.or(users.as_deref()) else {
        return Err(Error::internal(format!("no operator {}", op.symbol.as_str())));
    };
    let shown = format!("{}({},{})", o.name, type_named(o.left), type_named(o.right));
    if o.commutator.as_deref() != Some(&*o.name) || o.left != o.right {
        return Err(err!(WRONG_OBJECT_TYPE, "operator {shown} is not commutative")
            .detail("Only commutative operators can be used in exclusion constraints."));
    }
    Ok((Excluding { operator: o.oid, symbol: o.name.to_string() }, shown))
}
/// 42809 for an operator that the index does not answer.
fn member(t: &Table, index: &Index, n: usize, x: &Excluding, shown: &str) -> Result<()> {
    let lay = access::layout(t).indexes.last();
    let class = lay.and_then(|l| l.inverted.as_ref()).and_then(|c| c.get(n).copied().flatten());
    let answered: &[&str] = match class {
        None if index.sorts() => &["="],
        Some(Class::Range) => &["&&", "=", "-|-"],
        Some(Class::Scalar(_)) => &["=", "<>"],
        Some(Class::Trigram) => &["=", "%"],
        _ => &[],
    };
    if answered.contains(&x.symbol.as_str()) {
        return Ok(());
    }
    let ty = index.columns.get(n).map_or(Type::UNKNOWN, |(c, _)| c.ty(t));
    let family = family(ty, index.method, t.declared.class(index.oid, n));
    Err(err!(WRONG_OBJECT_TYPE, "operator {shown} is not a member of operator family \"{family}\"")
        .detail("The exclusion operator must be related to the index operator class for the constraint."))
}
/// The name of a class's family (pg_opfamily.opfname).
fn family(ty: Type, method: Method, class: Option<Oid>) -> &'static str {
    use pamir_catalog::system::types::{class as class_of, operator_class};
    let sorts = matches!(method, Method::Btree | Method::Hash);
    match ty.oid {
        oid::INT2 | oid::INT4 | oid::INT8 if sorts => "integer_ops",
        oid::FLOAT4 | oid::FLOAT8 if sorts => "float_ops",
        oid::TEXT | oid::VARCHAR | oid::NAME if sorts && class.is_none() => "text_ops",
        oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ if method == Method::Btree => "datetime_ops",
        oid::INET | oid::CIDR if sorts => "network_ops",
        _ => class_of(class.unwrap_or_else(|| operator_class(ty.oid, method.name()))).map_or("", |c| c.name),
    }
}
/// Finds the operators anew where columns' types have changed, those of expressions over them too.
pub fn rebind(t: &mut Table, cx: &mut DdlCtx) -> Result<()> {
    for at in 0..t.indexes.len() {
        let Some(old) = t.indexes[at].excludes.clone() else { continue };
        let mut new = Vec::with_capacity(old.len());
        for (x, (c, _)) in old.iter().zip(&t.indexes[at].columns) {
            let operand = match c {
                IndexColumn::Attr(a) => column_ref(t.column(*a).map_or("", |c| &c.name), tree::At::NOWHERE),
                IndexColumn::Expr(text, _) => parse_stored_expr(&text.0)?,
            };
            let op = OperatorName { schema: vec![], symbol: Symbol::Other(x.symbol.as_str().into()) };
            new.push(operator(t, operand, &op, cx)?.0);
        }
        t.indexes[at].excludes = Some(new.into());
    }
    Ok(())
}
fn column_ref(name: &str, at: tree::At) -> tree::Expr {
    tree::Expr { kind: ExprKind::Column { path: vec![name.to_string()], star: false }, at }
}
