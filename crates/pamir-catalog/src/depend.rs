//! What depends on what: one mechanism for DROP, ALTER and pg_depend.
//!
//! Who stores a text or a type says in `depends` what that names, as a list of [`ObjectRef`]s made from the bound tree when it is defined. The snapshot keeps the
//! way back ([`Catalog::dependents`]), which [`store::Inner`](crate::store::Inner) changes with each object:
//!
//! ```text
//!   view v --depends--> column 1 of table t        back: table t -> [v]
//!   table u: default nextval('16390'::regclass), foreign key to t          found in the descriptor itself, by [`sequences_of`]
//! ```
//! The order of what is found is PostgreSQL's, whose findDependentObjects goes depth first and takes dependents by number: an older object before a newer one,
//! and each before what depends on it.
//!
//! Invariants: a list has each entry once; an object never names itself; the way back has exactly the objects whose lists name one.
//!
//! Functions, operators and casts say so, too: of their types, functions and, of a body that is no string, of what it names ([`Catalog::all_dependents`]).
//! Triggers are found by their own lists ([`Catalog::triggers_on`]): a function's, a table's own columns'.
//!
//! Limits: types that a view's text names are not in its list yet. Expressions of tables (defaults, checks, generated columns, indexes) name their own table's columns, which ALTER TABLE looks at itself, and sequences.
use crate::{Catalog, Sequence, Table};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Whose OID it is: the catalog that PostgreSQL keeps it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// pg_class: tables, views, indexes, sequences.
    Relation,
    /// pg_constraint
    Constraint,
    /// pg_proc
    Function,
    /// pg_type
    Type,
    /// pg_operator
    Operator,
    /// pg_namespace
    Schema,
    /// pg_rewrite
    Rule,
    /// pg_attrdef
    Default,
    /// pg_cast
    Cast,
    /// pg_trigger
    Trigger,
    /// pg_event_trigger
    EventTrigger,
    /// pg_extension
    Extension,
    /// pg_statistic_ext
    Statistics,
    /// pg_policy
    Policy,
    /// pg_ts_config
    TsConfig,
    /// pg_ts_dict
    TsDictionary,
    /// pg_ts_template
    TsTemplate,
}
impl Class {
    pub fn is_text_search(self) -> bool {
        matches!(self, Class::TsConfig | Class::TsDictionary | Class::TsTemplate)
    }
    /// The OID of the class's own catalog.
    pub fn catalog(self) -> Oid {
        match self {
            Class::Relation => 1259,
            Class::Constraint => 2606,
            Class::Function => 1255,
            Class::Type => 1247,
            Class::Operator => 2617,
            Class::Schema => 2615,
            Class::Rule => 2618,
            Class::Default => 2604,
            Class::Cast => 2605,
            Class::Trigger => 2620,
            Class::EventTrigger => 3466,
            Class::Extension => 3079,
            Class::Statistics => 3381,
            Class::Policy => 3256,
            Class::TsConfig => 3602,
            Class::TsDictionary => 3600,
            Class::TsTemplate => 3764,
        }
    }
}

/// A default has no OID of its own here: one made of its table and column, outside the range of real ones in practice.
pub fn default_oid(table: Oid, attnum: i16) -> Oid {
    0x8000_0000 | (table.wrapping_mul(1601).wrapping_add(attnum as u32) & 0x7fff_ffff)
}

/// How an object depends on another: what becomes of it when that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is in the way, or goes with CASCADE.
    Normal,
    /// It goes without a word.
    Auto,
    /// It is a part: it goes without a word, and who would drop it alone drops the other.
    Internal,
    /// It is an extension's.
    Extension,
}
impl How {
    /// pg_depend.deptype
    pub fn letter(self) -> char {
        match self {
            How::Normal => 'n',
            How::Auto => 'a',
            How::Internal => 'i',
            How::Extension => 'e',
        }
    }
}

/// An object, or with `sub` a column of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectRef {
    pub class: Class,
    pub oid: Oid,
    /// The column's number; 0: the whole.
    pub sub: i16,
}
impl ObjectRef {
    pub fn new(class: Class, oid: Oid) -> ObjectRef {
        ObjectRef { class, oid, sub: 0 }
    }
    pub fn relation(oid: Oid) -> ObjectRef {
        ObjectRef { class: Class::Relation, oid, sub: 0 }
    }
    pub fn column(oid: Oid, attnum: i16) -> ObjectRef {
        ObjectRef { class: Class::Relation, oid, sub: attnum }
    }
}

/// The sequences that a stored expression names (`'16390'::regclass`).
pub fn sequences_of(text: &str) -> Vec<Oid> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("'::regclass") {
        let before = &text[..at];
        if let Some(from) = before.rfind('\'')
            && let Ok(oid) = before[from + 1..].parse()
            && !out.contains(&oid)
        {
            out.push(oid);
        }
    }
    out
}
/// The columns of a table whose defaults use a sequence.
pub fn defaults_on<'t>(t: &'t Table, s: &'t Sequence) -> impl Iterator<Item = &'t crate::Column> {
    let uses =
        |c: &&crate::Column| !c.dropped && c.default.as_ref().is_some_and(|d| sequences_of(&d.0).contains(&s.oid));
    t.columns.iter().filter(uses)
}

impl Catalog {
    /// The relations whose lists name an object, or a column of it: by number.
    pub fn dependents(&self, class: Class, oid: Oid) -> Vec<&Arc<Table>> {
        let all = self.layers().filter_map(|l| l.dependents.get(&(class, oid)));
        let mut v: Vec<_> = all.flatten().filter_map(|o| self.table(*o)).collect();
        v.sort_by_key(|t| t.oid);
        v
    }
    /// All objects whose lists name an object, by number: relations, functions, operators, casts.
    pub fn all_dependents(&self, class: Class, oid: Oid) -> Vec<Oid> {
        let mut v = self.inner.dependents.get(&(class, oid)).cloned().unwrap_or_default();
        v.sort_unstable();
        v
    }
    /// ... whose lists name this column.
    pub fn dependents_of_column(&self, table: Oid, attnum: i16) -> Vec<&Arc<Table>> {
        let on = ObjectRef::column(table, attnum);
        let mut v = self.dependents(Class::Relation, table);
        v.retain(|t| t.depends.contains(&on));
        v
    }
}
