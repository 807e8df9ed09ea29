//! Types that users make: enums, domains, composite types, ranges; and the row types of tables.
//!
//! ```text
//!   Kind::Type | oid          UserType { oid, schema, name, owner, body }        the OID says which of the bodies it is: pamir_types::oid
//!   a table's row type        no object: its OID is made of the table's, its name and its fields are the table's
//! ```
//! An enum's value is a number that says its place in the order; labels are looked up where values are read or shown, so no renaming changes a row.
//! New labels take the middle of the gap between their neighbours ([`Enum::place`]).
//!
//! Stored expressions name types by OID, as they do relations, and enum constants by number ([`stored_name`], [`stored_label`]): what is renamed
//! needs no rewriting. [`shown`] puts the names of a moment in their place.
//!
//! Invariants: a type's name is its schema's alone among types, and no table of the schema has it. Labels of an enum ascend by `order`.
use super::*;
use pamir_types::oid::{self, UserClass};
use pamir_types::text::MAX_NAME;
use rustc_hash::FxHashSet;
use std::fmt::Write;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UserType {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub comment: Option<String>,
    pub body: Body,
    /// What upper floors keep with this version of the type; not stored.
    #[serde(skip)]
    pub cache: Slot,
}
impl UserType {
    /// A domain's that is not its base type's.
    pub fn collation(&self) -> Option<Oid> {
        match &self.body {
            Body::Domain(d) => d.collation,
            _ => None,
        }
    }
    /// Of a composite type's attributes, where they are not their types': (number, collation).
    pub fn attribute_collations(&self) -> Vec<(i16, Oid)> {
        match &self.body {
            Body::Composite(c) => c.fields.iter().filter_map(|f| Some((f.attnum, f.collation?))).collect(),
            _ => Vec::new(),
        }
    }
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    Enum(Enum),
    Domain(Domain),
    Composite(Composite),
    Range(RangeType),
    /// The multirange type of a range type, which is another object, of the same number.
    Multirange,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Enum {
    pub labels: Vec<Label>,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Label {
    pub oid: Oid,
    pub order: u64,
    pub name: String,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Domain {
    pub base: Type,
    pub not_null: bool,
    pub default: Option<SqlText>,
    /// In the order in which they were added. They name the value VALUE.
    pub checks: Vec<Check>,
    /// (constraint, comment)
    pub comments: Vec<(Oid, String)>,
    /// Where it is not the base type's. Stored behind the type, in a format of its own (`store.rs`).
    #[serde(skip)]
    pub collation: Option<Oid>,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Composite {
    /// The relation that PostgreSQL has for it in pg_class.
    pub relation: Oid,
    pub fields: Vec<Field>,
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    pub attnum: i16,
    pub name: String,
    pub ty: Type,
    pub comment: Option<String>,
    /// Where it is not the type's. Stored behind the type, in a format of its own (`store.rs`).
    #[serde(skip)]
    pub collation: Option<Oid>,
}

/// What its OID does not say of a range type.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RangeType {
    /// pg_range.rngsubdiff; 0: none.
    pub subtype_diff: Oid,
}

/// Room between two labels of a new enum.
const GAP: u64 = 1 << 32;

impl Enum {
    pub fn new(labels: impl IntoIterator<Item = (Oid, String)>) -> Enum {
        let label = |(i, (oid, name))| Label { oid, order: (i as u64 + 1) * GAP, name };
        Enum { labels: labels.into_iter().enumerate().map(label).collect() }
    }
    pub fn label(&self, order: u64) -> Option<&Label> {
        self.labels.binary_search_by_key(&order, |l| l.order).ok().map(|i| &self.labels[i])
    }
    pub fn named(&self, name: &str) -> Option<&Label> {
        self.labels.iter().find(|l| l.name == name)
    }
    /// The order of a label that goes before the `at`-th; None where the gap is used up.
    pub fn place(&self, at: usize) -> Option<u64> {
        let before = at.checked_sub(1).and_then(|i| self.labels.get(i)).map_or(0, |l| l.order);
        match self.labels.get(at) {
            None => before.checked_add(GAP),
            Some(next) => {
                let middle = before + (next.order - before) / 2;
                (middle > before).then_some(middle)
            }
        }
    }
}
impl Composite {
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

/// What has rows of a row type.
enum Rows<'a> {
    Table(&'a Arc<crate::Table>),
    Virtual(&'static crate::system::VirtualTable),
}
/// The row type of a relation.
pub fn row_type(relation: Oid) -> Oid {
    oid::user_type(UserClass::Row, relation).unwrap_or(0)
}

/// How stored expressions name a type: a quoted name that no user writes.
pub fn stored_name(ty: Oid) -> String {
    format!("\"{OPEN}{ty}{CLOSE}\"")
}
/// How stored expressions write an enum's constant, between quotes.
pub fn stored_label(order: u64) -> String {
    format!("{OPEN}{order}{LABEL}")
}
const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';
const LABEL: char = '\u{3}';
/// The type of a name that [`stored_name`] made.
pub fn type_of_stored(name: &str) -> Option<Oid> {
    name.strip_prefix(OPEN)?.strip_suffix(CLOSE)?.parse().ok()
}
/// The place of a constant that [`stored_label`] made.
pub fn order_of_stored(text: &str) -> Option<u64> {
    text.strip_prefix(OPEN)?.strip_suffix(LABEL)?.parse().ok()
}
/// The types that a stored text names.
pub fn stored_types(text: &str) -> impl Iterator<Item = Oid> + '_ {
    text.split(OPEN).skip(1).filter_map(|s| s[..s.find(CLOSE)?].parse().ok())
}
/// A stored text as users see it: types by the names that `scope` must write, enum constants by their labels, calls without schemas that they do not need.
pub fn shown(catalog: &Catalog, scope: &NameScope, text: &str) -> String {
    let text = text_search::shown(catalog, scope, shown_types(catalog, scope, text));
    crate::calls::shown(catalog, scope, text)
}
fn shown_types(catalog: &Catalog, scope: &NameScope, text: &str) -> String {
    if !text.contains(OPEN) {
        return text.to_string();
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(OPEN) {
        let (before, inner) = (&rest[..at], &rest[at + 1..]);
        let end = inner.find(|c: char| !c.is_ascii_digit()).unwrap_or(inner.len());
        let (digits, after) = inner.split_at(end);
        if let Some(after) = after.strip_prefix(CLOSE) {
            let quoted = before.ends_with('"') && after.starts_with('"');
            out.push_str(if quoted { &before[..before.len() - 1] } else { before });
            rest = if quoted { &after[1..] } else { after };
            let ty: Oid = digits.parse().unwrap_or(0);
            out.push_str(&catalog.type_name(scope, ty).unwrap_or_else(|| "???".into()));
        } else if let Some(after) = after.strip_prefix(LABEL) {
            out.push_str(before);
            // `'...'::"type"` or, of an array's item, `...}'::"type"[]`.
            let ty = after.find(OPEN).and_then(|at| {
                let name = &after[at + 1..];
                name[..name.find(CLOSE)?].parse().ok()
            });
            let label = ty.and_then(|t| catalog.enum_of(t)?.label(digits.parse().ok()?));
            out.push_str(&label.map_or_else(|| digits.to_string(), |l| l.name.replace('\'', "''")));
            rest = after;
        } else {
            out.push_str(before);
            out.push(OPEN);
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}

/// A domain's check as it is shown: its column is the word VALUE.
pub fn with_value(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = match c {
            '\'' | '"' => rest[1..].find(c).map_or(rest.len(), |i| i + 2),
            _ if word > 0 => word,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        let column = token == "value" && !out.ends_with('.') && !after.starts_with('(');
        out.push_str(if column { "VALUE" } else { token });
        rest = after;
    }
    out
}

impl Catalog {
    pub fn user_type(&self, oid: Oid) -> Option<&Arc<UserType>> {
        self.inner.types.get(&oid)
    }
    pub fn has_user_types(&self) -> bool {
        !self.inner.types.is_empty()
    }
    pub fn user_types(&self, db: Oid) -> Vec<&Arc<UserType>> {
        sorted(self.inner.types.values().filter(|t| t.database == db).collect(), |t| oid::user_number(t.oid))
    }
    pub fn enum_of(&self, ty: Oid) -> Option<&Enum> {
        match &self.user_type(ty)?.body {
            Body::Enum(e) => Some(e),
            _ => None,
        }
    }
    pub fn domain_of(&self, ty: Oid) -> Option<&Domain> {
        match &self.user_type(ty)?.body {
            Body::Domain(d) => Some(d),
            _ => None,
        }
    }
    pub fn composite_of(&self, ty: Oid) -> Option<&Composite> {
        match &self.user_type(ty)?.body {
            Body::Composite(c) => Some(c),
            _ => None,
        }
    }
    /// A column's collation where it is not that of the type it is stored as: its own, or its domain's.
    pub fn column_collation(&self, t: &Table, attnum: i16) -> Option<Oid> {
        let of_domain = || self.user_type(t.declared.domain(attnum)?)?.collation();
        t.declared.collation(attnum).or_else(of_domain)
    }
    /// The fields of a composite type, of a relation's rows among them.
    pub fn fields_of(&self, ty: Oid) -> Option<Vec<(String, Type)>> {
        match oid::user_class(ty)? {
            UserClass::Composite => {
                Some(self.composite_of(ty)?.fields.iter().map(|f| (f.name.clone(), f.ty)).collect())
            }
            UserClass::Row => Some(match self.rows_of(ty)? {
                Rows::Table(t) => t.live_columns().map(|c| (c.name.clone(), t.declared_type(c))).collect(),
                Rows::Virtual(v) => v.columns.iter().map(|c| (c.0.to_string(), c.1)).collect(),
            }),
            _ => None,
        }
    }
    /// The declared types of the same fields.
    pub fn field_types(&self, ty: Oid) -> Option<Vec<Type>> {
        match oid::user_class(ty)? {
            UserClass::Composite => Some(self.composite_of(ty)?.fields.iter().map(|f| f.ty).collect()),
            UserClass::Row => Some(match self.rows_of(ty)? {
                Rows::Table(t) => t.live_columns().map(|c| t.declared_type(c)).collect(),
                Rows::Virtual(v) => v.columns.iter().map(|c| c.1).collect(),
            }),
            _ => None,
        }
    }
    /// The relation whose rows have the type: a table or view, or one of the server's own.
    fn rows_of(&self, ty: Oid) -> Option<Rows<'_>> {
        let relation = oid::user_number(ty);
        self.table(relation).map(Rows::Table).or_else(|| crate::system::by_oid(relation).map(Rows::Virtual))
    }
    /// What values of a type are stored as: of a domain what it is over in the end, of an array of domains an array of that; any other type is its own.
    pub fn base_type(&self, ty: Type) -> Type {
        if let Some(e) = oid::element_of(ty.oid).filter(|e| oid::is_domain(*e)) {
            // An array of a domain is one of what the domain is over; there are no arrays of arrays.
            let base = self.base_type(Type::new(e));
            return oid::array_of(base.oid).map_or(ty, |a| Type::with_mod(a, base.typmod));
        }
        let mut ty = ty;
        while let Some(d) = self.domain_of(ty.oid) {
            ty = d.base;
        }
        ty
    }
    /// A domain's default: its own, or of what it is over.
    pub fn domain_default(&self, ty: Oid) -> Option<&SqlText> {
        let mut ty = ty;
        while let Some(d) = self.domain_of(ty) {
            if d.default.is_some() {
                return d.default.as_ref();
            }
            ty = d.base.oid;
        }
        None
    }
    /// Does a value of the type hold one of a domain?
    pub fn holds_domain(&self, ty: Oid) -> bool {
        self.holds(ty, &mut oid::is_domain)
    }
    /// Is `ty` a type that `is` knows, or do its values hold some of one: an array its elements, a domain what it is over, a composite type or a
    /// relation's rows their fields? Each type is looked at once, however many others have it: types that double
    /// (`t2 AS (a t1, b t1)`, `t3 AS (a t2, b t2)`, ...) have more paths than there are steps in a life.
    pub fn holds(&self, ty: Oid, is: &mut dyn FnMut(Oid) -> bool) -> bool {
        let (mut open, mut seen) = (vec![], FxHashSet::default());
        let mut next = Some(ty);
        while let Some(ty) = next {
            if is(ty) {
                return true;
            }
            if oid::is_user(ty) && seen.insert(ty) {
                match (oid::element_of(ty), oid::user_class(ty)) {
                    (Some(elem), _) => open.push(elem),
                    (_, Some(UserClass::Domain)) => open.extend(self.domain_of(ty).map(|d| d.base.oid)),
                    (_, Some(UserClass::Composite)) => {
                        let c = self.composite_of(ty);
                        open.extend(c.iter().flat_map(|c| &c.fields).map(|f| f.ty.oid));
                    }
                    (_, Some(UserClass::Row)) => {
                        let t = self.table(oid::user_number(ty));
                        open.extend(t.iter().flat_map(|t| t.live_columns().map(|c| t.declared_type(c).oid)));
                    }
                    _ => {}
                }
            }
            next = open.pop();
        }
        false
    }
    /// (schema, name) of a user's type or a relation's rows.
    pub fn type_place(&self, ty: Oid) -> Option<(Oid, &str)> {
        match oid::user_class(ty)? {
            UserClass::Row => self.relation_name(oid::user_number(ty)),
            _ => self.user_type(ty).map(|t| (t.schema, &*t.name)),
        }
    }
    /// The same of a type of an extension, too, which each database may have elsewhere.
    pub fn type_place_in(&self, db: Oid, ty: Oid) -> Option<(Oid, &str)> {
        if oid::is_of_extension(ty) { self.extension_type_place(db, ty) } else { self.type_place(ty) }
    }
    /// The type of a name in a schema.
    pub fn type_in(&self, db: Oid, schema: &str, name: &str) -> Option<Oid> {
        let own = |n: &str| crate::system::find(schema, n).map(|v| row_type(v.oid));
        if let Some(rows) = own(name).or_else(|| name.strip_prefix('_').and_then(own).and_then(oid::array_of)) {
            return Some(rows);
        }
        let schema = self.inner.schema_oid(db, schema)?;
        if schema == crate::well_known::INFORMATION_SCHEMA {
            return of_information_schema(name);
        }
        self.named_type_in(schema, name).or_else(|| {
            let arrays = self.array_names(schema, name.strip_prefix('_')?);
            oid::array_of(arrays.into_iter().find(|a| a.0 == name)?.1)
        })
    }
    /// The type of a name in a schema that is no array.
    pub fn named_type_in(&self, schema: Oid, name: &str) -> Option<Oid> {
        let own = self.inner.type_names.get(&schema).and_then(|n| n.get(name)).copied();
        own.or_else(|| self.extension_type_in(schema, name)).or_else(|| {
            match self.inner.relation_names.get(&schema)?.get(name)? {
                store::RelRef::Table(t) => Some(row_type(*t)),
                _ => None,
            }
        })
    }
    /// What the array of a user's type is called.
    pub fn array_type_name(&self, schema: Oid, elem: Oid, name: &str) -> String {
        let found = self.array_names(schema, name).into_iter().find(|a| a.1 == elem);
        found.map_or_else(|| array_name(name), |a| a.0)
    }
    /// The names of the arrays of all types whose names differ in leading `_` alone: (name, element). Each is the element's with as many `_` in front
    /// as nothing else has, the older type's first; an array gives way to a type of its own name (moveArrayTypeName).
    fn array_names(&self, schema: Oid, name: &str) -> Vec<(String, Oid)> {
        let base = name.trim_start_matches('_');
        let mut elements: Vec<(Oid, String)> = Vec::new();
        for n in 0..=MAX_NAME.saturating_sub(base.len()) {
            let name = "_".repeat(n) + base;
            elements.extend(self.named_type_in(schema, &name).map(|ty| (ty, name)));
        }
        elements.sort_by_key(|e| oid::user_number(e.0));
        let mut out: Vec<(String, Oid)> = Vec::with_capacity(elements.len());
        for (ty, own) in &elements {
            let mut name = array_name(own);
            for _ in 0..MAX_NAME {
                if elements.iter().all(|e| e.1 != name) && out.iter().all(|a| a.0 != name) {
                    break;
                }
                name = array_name(&name);
            }
            out.push((name, *ty));
        }
        out
    }
    /// The type of a possibly qualified name. None: no such type; 42501 as for relations.
    pub fn find_type(&self, scope: &NameScope, schema: Option<&str>, name: &str) -> Result<Option<Oid>> {
        if let Some(ty) = type_of_stored(name) {
            return Ok(Some(ty));
        }
        // The rows of a session's own tables come before others, as the tables do.
        if schema.is_none_or(|s| self.temporary_schema_oid(s).is_some())
            && let Some(ty) = self.temporary_row_type(name)
        {
            return Ok(Some(ty));
        }
        if let Some(schema) = schema {
            if let Some(oid) = self.inner.schema_oid(scope.database, schema)
                && !self.may_use_schema(scope, oid)
            {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {schema}");
            }
            return Ok(self.type_in(scope.database, schema, name));
        }
        // pg_catalog is searched first where the path does not name it.
        if !scope.search_path.iter().any(|s| s == "pg_catalog")
            && let Some(ty) = self.type_in(scope.database, "pg_catalog", name)
        {
            return Ok(Some(ty));
        }
        Ok(scope.search_path.iter().find_map(|s| {
            let found = self.type_in(scope.database, s, name)?;
            let schema = self.inner.schema_oid(scope.database, s)?;
            self.may_use_schema(scope, schema).then_some(found)
        }))
    }
    /// Does the type's bare name mean it? An array is as visible as its element. None: there is no such type.
    pub fn type_is_visible(&self, scope: &NameScope, ty: Oid) -> Option<bool> {
        let one = oid::element_of(ty).unwrap_or(ty);
        let (_, name) = self.type_place_in(scope.database, one)?;
        // The server's own come first.
        let own = |name: &str| oid::TYPES.iter().any(|t| t.2 == name);
        if own(name) || name.strip_prefix('_').is_some_and(own) {
            return Some(false);
        }
        Some(self.find_type(scope, None, name).ok()? == Some(one))
    }
    fn temporary_row_type(&self, name: &str) -> Option<Oid> {
        let schema = self.temporary_schema()?.oid;
        match self.of(schema).relation_names.get(&schema)?.get(name)? {
            store::RelRef::Table(t) => Some(row_type(*t)).filter(|t| *t != 0),
            _ => None,
        }
    }
    /// The composite type whose relation this is.
    pub fn composite_by_relation(&self, relation: Oid) -> Option<&Arc<UserType>> {
        self.inner.types.values().find(|t| matches!(&t.body, Body::Composite(c) if c.relation == relation))
    }
    /// A user's type's name as `scope` must write it (format_type).
    pub fn type_name(&self, scope: &NameScope, ty: Oid) -> Option<String> {
        if let Some(e) = oid::element_of(ty) {
            return self.type_name(scope, e).map(|n| n + "[]");
        }
        let (schema, name) = self.type_place_in(scope.database, ty)?;
        if self.type_is_visible(scope, ty)? {
            return Some(defs::quote_ident(name).into_owned());
        }
        Some(defs::qualified(&self.schema(schema)?.name, name))
    }
    /// A type's name with its modifier, as format_type shows it.
    pub fn format_type(&self, scope: &NameScope, ty: Type) -> String {
        let mut out = String::new();
        let _ = write!(out, "{}", pamir_types::text::type_display(ty));
        shown(self, scope, &out)
    }
}

/// makeArrayTypeName's candidate.
fn array_name(name: &str) -> String {
    format!("_{}", pamir_types::text::cut(name, MAX_NAME - 1))
}
/// The columns whose type is, or holds, the type: (table, attnum).
pub fn columns_with(catalog: &Catalog, db: Oid, ty: Oid) -> Vec<(Arc<Table>, i16)> {
    let mut out = Vec::new();
    for t in catalog.tables(db) {
        for c in t.live_columns().filter(|c| uses(t.declared_type(c).oid, ty)) {
            out.push((t.clone(), c.attnum));
        }
    }
    out
}
/// Is it the type, or its array?
pub fn uses(has: Oid, ty: Oid) -> bool {
    has == ty || oid::element_of(has) == Some(ty)
}
/// What the domains of information_schema are over: a name of one means that, without the domain's check.
fn of_information_schema(name: &str) -> Option<Oid> {
    Some(match name {
        "cardinal_number" => oid::INT4,
        "character_data" | "yes_or_no" => oid::VARCHAR,
        "sql_identifier" => oid::NAME,
        "time_stamp" => oid::TIMESTAMPTZ,
        _ => return None,
    })
}
