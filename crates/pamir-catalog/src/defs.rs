//! Definitions back to SQL, as pg_get_indexdef and pg_get_constraintdef print them.
use super::function::Function;
use super::trigger::{Event, Trigger};
use super::*;
use pamir_parse::keywords::{Class, Keyword};
use pamir_types::text::cut_name;
use std::borrow::Cow;
use std::fmt::Write;

/// quote_ident(): quotes only where needed, which is also for words that may not name everything (`quote_identifier`).
pub fn quote_ident(s: &str) -> Cow<'_, str> {
    let mut bytes = s.bytes();
    let plain = bytes.next().is_some_and(|b| b.is_ascii_lowercase() || b == b'_')
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && Keyword::of(s).is_none_or(|k| k.class() == Class::Unreserved);
    if plain { Cow::Borrowed(s) } else { Cow::Owned(quoted(s)) }
}
/// A name between quotes.
pub fn quoted(s: &str) -> String {
    format!("\"{}\"", s.replace('"', "\"\""))
}
/// A string constant as definitions show it (simple_quote_literal): standard_conforming_strings is always on.
pub fn literal(s: &str) -> String {
    format!("'{}'", s.replace('\'', "''"))
}
/// `schema.name`, each quoted where needed.
pub fn qualified(schema: &str, name: &str) -> String {
    format!("{}.{}", quote_ident(schema), quote_ident(name))
}

/// `a`, `a.b`, `"A"."b c"` into parts, folded to lower case where unquoted and cut (textToQualifiedNameList). None: not a name.
pub fn split_name(s: &str) -> Option<Vec<String>> {
    let (mut parts, mut chars) = (Vec::new(), s.trim().chars().peekable());
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        let mut part = String::new();
        if chars.next_if_eq(&'"').is_some() {
            loop {
                match chars.next()? {
                    '"' if chars.next_if_eq(&'"').is_some() => part.push('"'),
                    '"' => break,
                    c => part.push(c),
                }
            }
        } else {
            while let Some(c) = chars.next_if(|c| *c != '.' && !c.is_whitespace()) {
                part.push(c.to_ascii_lowercase());
            }
        }
        if part.is_empty() {
            return None;
        }
        parts.push(cut_name(&part).to_string());
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        match chars.next() {
            None => return Some(parts),
            Some('.') => {}
            Some(_) => return None,
        }
    }
}
/// Replaces the text inside every `'...'::regclass` for which `f` has another.
pub fn map_regclass(sql: &str, f: impl Fn(&str) -> Option<String>) -> String {
    map_literals(sql, "'::regclass", f)
}
/// The same of literals of another type, by what stands behind them: `'::regclass`.
pub fn map_literals(sql: &str, suffix: &str, f: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::with_capacity(sql.len()), sql);
    while let Some(end) = rest.find(suffix) {
        let (before, after) = rest.split_at(end);
        match before.rfind('\'').map(|start| before.split_at(start + 1)) {
            Some((head, name)) => {
                out.push_str(head);
                out.push_str(&f(name).unwrap_or_else(|| name.to_string()));
            }
            None => out.push_str(before),
        }
        out.push_str(suffix);
        rest = after.get(suffix.len()..).unwrap_or("");
    }
    out + rest
}
/// A stored expression as users see it (pg_get_expr): relations that it names by OID get their names back.
pub fn shown_expr(catalog: &Catalog, scope: &NameScope, sql: &SqlText) -> String {
    let text = types::shown(catalog, scope, &sql.0);
    let text = if catalog.has_extensions() { extension::shown_operators(catalog, scope, text) } else { text };
    map_regclass(&text, |oid| catalog.quoted_name(scope, oid.parse().ok()?))
}

fn column_name(t: &Table, attnum: i16) -> Cow<'_, str> {
    t.column(attnum).map_or(Cow::Borrowed("?column?"), |c| quote_ident(&c.name))
}
fn column_list(t: &Table, attnums: &[i16]) -> String {
    attnums.iter().map(|a| column_name(t, *a)).collect::<Vec<_>>().join(", ")
}

/// One key column of an index as it stands in its definition, without ordering (pg_get_indexdef(oid, n, false)).
pub fn index_column(t: &Table, c: &IndexColumn) -> String {
    match c {
        IndexColumn::Attr(a) => column_name(t, *a).into_owned(),
        IndexColumn::Expr(SqlText(e), _) => {
            if is_call(e) {
                e.clone()
            } else {
                parenthesized(e)
            }
        }
    }
}
/// As pg_get_indexdef shows it: an expression that is no call has its own parentheses within the index's unless the form is pretty.
pub fn index_column_def(t: &Table, c: &IndexColumn, pretty: bool) -> String {
    match c {
        _ if pretty => super::pretty::plain_casts(&index_column(t, c)),
        IndexColumn::Expr(SqlText(e), _) if !is_call(e) => format!("({e})"),
        _ => index_column(t, c),
    }
}
/// Is all of the text within one pair of parentheses?
pub fn in_parentheses(e: &str) -> bool {
    e.starts_with('(') && matching(e, 0) == Some(e.len() - 1)
}
/// True for `f(...)`: the one form of expression that stands in an index without parentheses.
fn is_call(e: &str) -> bool {
    // The name, of which any part may be in quotes.
    let mut quoted = false;
    let ends = |b: u8| {
        quoted ^= b == b'"';
        !quoted && b != b'"' && !b.is_ascii_alphanumeric() && b != b'_' && b != b'.'
    };
    match e.bytes().position(ends) {
        Some(open) if open > 0 && e.as_bytes()[open] == b'(' => matching(e, open) == Some(e.len() - 1),
        _ => false,
    }
}
/// The position of the parenthesis that closes the one at `open`.
fn matching(e: &str, open: usize) -> Option<usize> {
    let (mut depth, mut quote) = (0usize, None);
    for (i, b) in e.bytes().enumerate().skip(open) {
        match (quote, b) {
            (Some(q), b) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
/// Adds one pair of parentheses unless there is one around the whole.
pub fn parenthesized(e: &str) -> String {
    if e.starts_with('(') && matching(e, 0) == Some(e.len() - 1) { e.to_string() } else { format!("({e})") }
}

/// The `(a, b DESC) INCLUDE (c)` part; `with`: the operators of an EXCLUDE constraint.
fn index_columns(
    catalog: &Catalog,
    t: &Table,
    i: &Index,
    with: Option<&[Excluding]>,
    pretty: bool,
    scope: &NameScope,
) -> String {
    let mut s = String::from("(");
    for (n, (c, ord)) in i.columns.iter().enumerate() {
        if n > 0 {
            s.push_str(", ");
        }
        s.push_str(&index_column_def(t, c, pretty));
        use crate::system::types::{class, collation_name};
        if let Some(name) = t.declared.index_collation(i.oid, n).and_then(collation_name) {
            let _ = write!(s, " COLLATE {}", quote_ident(name));
        }
        if let Some(class) = t.declared.class(i.oid, n).and_then(class) {
            let of = class.extension.and_then(|e| catalog.extension_named(scope.database, e));
            let schema = of.and_then(|e| catalog.schema(e.schema)).map(|s| s.name.as_str());
            let _ = match schema.filter(|s| !scope.search_path.iter().any(|p| p == s)) {
                Some(schema) => write!(s, " {}", qualified(schema, class.name)),
                None => write!(s, " {}", class.name),
            };
        }
        match (ord.desc, ord.nulls_first) {
            (false, false) => {}
            (false, true) => s.push_str(" NULLS FIRST"),
            (true, true) => s.push_str(" DESC"),
            (true, false) => s.push_str(" DESC NULLS LAST"),
        }
        if let Some(x) = with.and_then(|w| w.get(n)) {
            let _ = write!(s, " WITH {}", x.symbol);
        }
    }
    s.push(')');
    if !i.include.is_empty() {
        let _ = write!(s, " INCLUDE ({})", column_list(t, &i.include));
    }
    s
}

/// `CREATE UNIQUE INDEX i ON public.t USING btree (a, b DESC)`. pg_get_indexdef always names the schema, its pretty form only where it must.
pub fn index_def(catalog: &Catalog, t: &Table, i: &Index, pretty: bool, scope: &NameScope) -> String {
    let schema = catalog.defined_schema(t.schema).unwrap_or("public");
    let mut s = format!(
        "CREATE {}INDEX {} ON {}{} USING {} {}",
        if i.is_unique() { "UNIQUE " } else { "" },
        quote_ident(&i.name),
        if t.is_partitioned() { "ONLY " } else { "" },
        if pretty { catalog.defined_name(scope, t.oid).unwrap_or_default() } else { qualified(schema, &t.name) },
        i.method.name(),
        index_columns(catalog, t, i, None, pretty, scope)
    );
    if i.nulls_not_distinct {
        s.push_str(" NULLS NOT DISTINCT");
    }
    storage_options(t, i, &mut s);
    if let Some(SqlText(p)) = &i.predicate {
        let _ = if pretty { write!(s, " WHERE {}", super::pretty::pretty(p)) } else { write!(s, " WHERE {p}") };
    }
    types::shown(catalog, scope, &s)
}

fn storage_options(t: &Table, i: &Index, out: &mut String) {
    let options: Vec<String> = t.declared.options(i.oid).map(|(n, v)| option_text(n, v)).collect();
    if !options.is_empty() {
        let _ = write!(out, " WITH ({})", options.join(", "));
    }
}

/// `RANGE (a, lower(b))`: pg_get_partkeydef.
pub fn partition_key(catalog: &Catalog, t: &Table, scope: &NameScope) -> Option<String> {
    let s = t.scheme()?;
    let column = |k: &crate::partition::KeyColumn| {
        let (mut out, own) = match &k.of {
            IndexColumn::Attr(a) => (
                t.column(*a).map_or_else(String::new, |c| quote_ident(&c.name).into_owned()),
                catalog.column_collation(t, *a),
            ),
            IndexColumn::Expr(e, _) => {
                let e = shown_expr(catalog, scope, e);
                let call = e.ends_with(')')
                    && !e.starts_with('(')
                    && e.find('(').is_some_and(|at| matching(&e, at) == Some(e.len() - 1));
                (if call { e } else { format!("({})", parenthesized(&e)) }, None)
            }
        };
        if let Some(c) = k.collation
            && c != own.unwrap_or(crate::declared::DEFAULT_COLLATION)
            && let Some(n) = crate::system::types::collation_name(c)
        {
            let _ = write!(out, " COLLATE \"{n}\"");
        }
        if let Some(class) = k.class.and_then(crate::system::types::class) {
            let _ = write!(out, " {}", class.name);
        }
        out
    };
    let key: Vec<String> = s.key.iter().map(column).collect();
    Some(format!("{} ({})", s.strategy.word().to_uppercase(), key.join(", ")))
}

/// `fillfactor='70'`: what is no plain name is a literal (flatten_reloptions).
fn option_text(name: &str, value: &str) -> String {
    let shown = quote_ident(value);
    if shown == value {
        format!("{}={value}", quote_ident(name))
    } else {
        format!("{}='{}'", quote_ident(name), value.replace('\'', "''"))
    }
}

/// A constraint found by its OID (an index's OID for PRIMARY KEY and UNIQUE).
pub enum Constraint<'a> {
    Index(&'a Arc<Table>, &'a Index),
    Check(&'a Arc<Table>, &'a Check),
    ForeignKey(&'a Arc<Table>, &'a ForeignKey),
    /// A domain's.
    Domain(&'a types::UserType, &'a Check),
}

/// Finds a constraint: by its index at once, else by a walk over the tables.
pub fn constraint(catalog: &Catalog, oid: Oid) -> Option<Constraint<'_>> {
    if let Some(t) = catalog.index_table(oid) {
        return t.index(oid).filter(|i| i.constraint).map(|i| Constraint::Index(t, i));
    }
    if let Some(found) = catalog.inner.types.values().find_map(|t| match &t.body {
        types::Body::Domain(d) => d.checks.iter().find(|c| c.oid == oid).map(|c| Constraint::Domain(t, c)),
        _ => None,
    }) {
        return Some(found);
    }
    catalog.layers().flat_map(|l| l.tables.values()).find_map(|t| {
        let check = t.checks.iter().find(|c| c.oid == oid).map(|c| Constraint::Check(t, c));
        check.or_else(|| t.foreign_keys.iter().find(|f| f.oid == oid).map(|f| Constraint::ForeignKey(t, f)))
    })
}

/// `PRIMARY KEY (id)`, `FOREIGN KEY (a) REFERENCES p(id) ON DELETE CASCADE`, `CHECK ((a > 0))`.
pub fn constraint_def(catalog: &Catalog, oid: Oid, scope: &NameScope) -> Option<String> {
    if let Some(k) = catalog.constraint_trigger(oid).and_then(|g| g.constraint.as_ref()) {
        let deferrable = if k.deferrable { " DEFERRABLE" } else { "" };
        return Some(format!("TRIGGER{deferrable}{}", if k.initially_deferred { " INITIALLY DEFERRED" } else { "" }));
    }
    Some(match constraint(catalog, oid)? {
        Constraint::Index(t, i) if i.excludes.is_some() => exclusion_def(catalog, t, i, false, scope),
        Constraint::Index(t, i) => {
            let kind = match (i.is_primary(), i.nulls_not_distinct) {
                (true, _) => "PRIMARY KEY",
                (false, false) => "UNIQUE",
                (false, true) => "UNIQUE NULLS NOT DISTINCT",
            };
            let mut s = format!("{kind} {}", constraint_columns(t, i));
            deferral(i.deferrable.is_some(), i.initially_deferred(), &mut s);
            s
        }
        Constraint::Check(t, c) => {
            format!(
                "CHECK ({}){}{}",
                shown_expr(catalog, scope, &c.expr),
                if t.is_no_inherit(c.oid) { " NO INHERIT" } else { "" },
                if c.not_valid { " NOT VALID" } else { "" }
            )
        }
        Constraint::Domain(_, c) => {
            format!(
                "CHECK ({}){}",
                types::with_value(&shown_expr(catalog, scope, &c.expr)),
                if c.not_valid { " NOT VALID" } else { "" }
            )
        }
        Constraint::ForeignKey(t, f) => foreign_key_def(catalog, t, f, scope),
    })
}

/// `EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (NOT cancelled)`
fn exclusion_def(catalog: &Catalog, t: &Table, i: &Index, pretty: bool, scope: &NameScope) -> String {
    let columns = index_columns(catalog, t, i, i.excludes.as_deref(), pretty, scope);
    let mut s = format!("EXCLUDE USING {} {columns}", i.method.name());
    storage_options(t, i, &mut s);
    if let Some(SqlText(p)) = &i.predicate {
        let p = if pretty { super::pretty::pretty(p) } else { parenthesized(p) };
        let _ = write!(s, " WHERE ({p})");
    }
    deferral(i.deferrable.is_some(), i.initially_deferred(), &mut s);
    types::shown(catalog, scope, &s)
}

/// `CREATE TRIGGER x BEFORE INSERT ON public.t FOR EACH ROW EXECUTE FUNCTION f()`; the pretty form names schemas only where it must.
pub fn trigger_def(catalog: &Catalog, g: &Trigger, pretty: bool, scope: &NameScope) -> Option<String> {
    let t = catalog.table(g.table)?;
    let constraint = if g.constraint.is_some() { "CONSTRAINT " } else { "" };
    let mut s = format!("CREATE {constraint}TRIGGER {} {}", quote_ident(&g.name), g.timing.words());
    for (i, e) in Event::ALL.into_iter().filter(|e| g.has(*e)).enumerate() {
        let _ = write!(s, "{} {}", if i > 0 { " OR" } else { "" }, e.word());
        if e == Event::Update && !g.columns.is_empty() {
            let _ = write!(s, " OF {}", column_list(t, &g.columns));
        }
    }
    let table = match pretty {
        true => catalog.defined_name(scope, t.oid)?,
        false => qualified(catalog.defined_schema(t.schema)?, &t.name),
    };
    let _ = write!(s, " ON {table}");
    if let Some(c) = &g.constraint {
        if c.from != 0 {
            let _ = write!(s, " FROM {}", catalog.defined_name(scope, c.from)?);
        }
        let not = if c.deferrable { "" } else { "NOT " };
        let at_first = if c.initially_deferred { "DEFERRED" } else { "IMMEDIATE" };
        let _ = write!(s, " {not}DEFERRABLE INITIALLY {at_first}");
    }
    if g.old_table.is_some() || g.new_table.is_some() {
        s.push_str(" REFERENCING");
        for (word, name) in [("OLD", &g.old_table), ("NEW", &g.new_table)] {
            if let Some(n) = name {
                let _ = write!(s, " {word} TABLE AS {}", quote_ident(n));
            }
        }
    }
    s.push_str(if g.each_row { " FOR EACH ROW" } else { " FOR EACH STATEMENT" });
    if let Some(w) = &g.when {
        let e = shown_expr(catalog, scope, w);
        let e = if pretty { super::pretty::pretty(&e) } else { e };
        let _ = write!(s, " WHEN ({e})");
    }
    let args: Vec<String> = g.args.iter().map(|a| format!("'{}'", a.replace('\'', "''"))).collect();
    let _ = write!(s, " EXECUTE FUNCTION {}({})", trigger_function(catalog, g.function, scope), args.join(", "));
    Some(s)
}
/// tsvector_update_trigger()
pub const TSVECTOR_UPDATE: Oid = 3752;
/// tsvector_update_trigger_column()
pub const TSVECTOR_UPDATE_COLUMN: Oid = 3753;
/// The name of a function without arguments, with its schema where its name alone does not mean it.
pub fn trigger_function(catalog: &Catalog, oid: Oid, scope: &NameScope) -> String {
    let Some(f) = catalog.function(oid) else {
        let own = match oid {
            TSVECTOR_UPDATE => "tsvector_update_trigger",
            TSVECTOR_UPDATE_COLUMN => "tsvector_update_trigger_column",
            _ => "suppress_redundant_updates_trigger",
        };
        return own.into();
    };
    let found = scope.search_path.iter().find_map(|s| {
        let schema = catalog.schema_by_name(scope.database, s)?;
        let same = |o: &&Arc<Function>| o.schema == schema.oid && o.name == f.name && o.inputs().next().is_none();
        catalog.functions(scope.database).into_iter().find(same).map(|o| o.oid)
    });
    match found {
        Some(o) if o == oid => quote_ident(&f.name).into_owned(),
        _ => qualified(catalog.schema(f.schema).map_or("", |s| &s.name), &f.name),
    }
}
/// When a constraint is checked, if not at once.
fn deferral(deferrable: bool, initially_deferred: bool, out: &mut String) {
    if deferrable {
        out.push_str(" DEFERRABLE");
    }
    if initially_deferred {
        out.push_str(" INITIALLY DEFERRED");
    }
}
/// A constraint's columns carry no ordering.
fn constraint_columns(t: &Table, i: &Index) -> String {
    let cols = i.columns.iter().map(|(c, _)| index_column(t, c)).collect::<Vec<_>>().join(", ");
    if i.include.is_empty() {
        format!("({cols})")
    } else {
        format!("({cols}) INCLUDE ({})", column_list(t, &i.include))
    }
}
/// As [`constraint_def`], the pretty form (psql's): a CHECK without its second pair of parentheses.
pub fn constraint_def_pretty(catalog: &Catalog, oid: Oid, scope: &NameScope) -> Option<String> {
    if catalog.constraint_trigger(oid).is_some() {
        return constraint_def(catalog, oid, scope);
    }
    match constraint(catalog, oid)? {
        Constraint::Index(t, i) if i.excludes.is_some() => Some(exclusion_def(catalog, t, i, true, scope)),
        Constraint::Check(t, c) => {
            let valid = if c.not_valid { " NOT VALID" } else { "" };
            let own = if t.is_no_inherit(c.oid) { " NO INHERIT" } else { "" };
            let e = shown_expr(catalog, scope, &c.expr);
            Some(format!("CHECK ({}){own}{valid}", super::pretty::pretty(&e)))
        }
        Constraint::Domain(_, c) => {
            let valid = if c.not_valid { " NOT VALID" } else { "" };
            let e = types::with_value(&shown_expr(catalog, scope, &c.expr));
            Some(format!("CHECK ({}){valid}", super::pretty::pretty(&e)))
        }
        _ => constraint_def(catalog, oid, scope),
    }
}
/// Takes away one pair of parentheses around the whole.
pub fn unparenthesized(e: &str) -> &str {
    if e.starts_with('(') && matching(e, 0) == Some(e.len() - 1) { e.get(1..e.len() - 1).unwrap_or(e) } else { e }
}
fn foreign_key_def(catalog: &Catalog, t: &Table, f: &ForeignKey, scope: &NameScope) -> String {
    let (target, columns) = match catalog.table(f.ref_table) {
        Some(p) => (catalog.defined_name(scope, p.oid).unwrap_or_default(), column_list(p, &f.ref_columns)),
        None => ("-".into(), String::new()),
    };
    let mut s = format!("FOREIGN KEY ({}) REFERENCES {target}({columns})", column_list(t, &f.columns));
    if f.match_full {
        s.push_str(" MATCH FULL");
    }
    for (when, action) in [("UPDATE", f.on_update), ("DELETE", f.on_delete)] {
        let action = match action {
            FkAction::NoAction => continue,
            FkAction::Restrict => "RESTRICT",
            FkAction::Cascade => "CASCADE",
            FkAction::SetNull => "SET NULL",
            FkAction::SetDefault => "SET DEFAULT",
        };
        let _ = write!(s, " ON {when} {action}");
    }
    // The DELETE action is the last.
    if let Some(set) = t.declared.set_columns(f.oid) {
        let _ = write!(s, " ({})", column_list(t, set));
    }
    deferral(f.deferrable, f.initially_deferred, &mut s);
    if f.not_valid {
        s.push_str(" NOT VALID");
    }
    s
}
