//! Partitioned tables, as tables keep them: a parent says by what its rows are divided, a child which part is its own.
//!
//! ```text
//!   measures   PARTITION BY RANGE (day)                                 its own tree stays empty; its indexes are what partitions get
//!     |- m2023    bound FROM ('2023-01-01') TO ('2024-01-01')
//!     |- m2024    bound FROM ('2024-01-01') TO ('2025-01-01')           may be partitioned itself
//!     `- rest     bound DEFAULT                                         what no other takes
//! ```
//! A partition is a child of one parent ([`crate::family`]) with the same columns, perhaps at other places; keys are made from a row by what
//! `pamir-expr/src/partition.rs` derives from this.
//!
//! Invariants: a child of a partitioned table has a bound, no other table has one; bounds of one parent do not overlap, and have its strategy; at most one is
//! DEFAULT. `indexes`, `foreign_keys` and `triggers` name what a partition has because its parent has it.
//!
//! Bytes: postcard of [`Partition`] behind the [`crate::family::Family`] (`store.rs`, format `WITH_PARTITION`).
use crate::{Catalog, IndexColumn, SqlText, Table};
use pamir_types::{Datum, Oid, Result, Type, row};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    List,
    Range,
    Hash,
}
impl Strategy {
    /// As `PARTITION BY` says it, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Strategy::List => "list",
            Strategy::Range => "range",
            Strategy::Hash => "hash",
        }
    }
    /// `pg_partitioned_table.partstrat`.
    pub fn letter(self) -> char {
        match self {
            Strategy::List => 'l',
            Strategy::Range => 'r',
            Strategy::Hash => 'h',
        }
    }
}
/// One column of a partition key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyColumn {
    pub of: IndexColumn,
    pub collation: Option<Oid>,
    /// Where it is not the type's own.
    pub class: Option<Oid>,
}
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheme {
    pub strategy: Strategy,
    pub key: Vec<KeyColumn>,
}
/// One column of an end of a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    Min,
    /// [`row::encode_value`]'s bytes.
    Value(Vec<u8>),
    Max,
}
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    Default,
    Hash {
        modulus: u32,
        remainder: u32,
    },
    /// Values as [`row::encode_value`] writes them; None: NULL.
    List(Vec<Option<Vec<u8>>>),
    /// From, which belongs to it, and to, which does not.
    Range(Vec<End>, Vec<End>),
}
/// What a partitioned table or a partition says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition {
    pub scheme: Option<Scheme>,
    pub bound: Option<Bound>,
    /// (index here, the parent's index that it is a part of)
    pub indexes: Vec<(Oid, Oid)>,
    /// (foreign key here, the parent's that it comes from)
    pub foreign_keys: Vec<(Oid, Oid)>,
    /// (trigger here, the parent's that it comes from)
    pub triggers: Vec<(Oid, Oid)>,
    /// Indexes of a partitioned table that some partition lacks (CREATE INDEX ON ONLY).
    pub invalid: Vec<Oid>,
}
impl Partition {
    fn is_empty(&self) -> bool {
        self.scheme.is_none() && self.bound.is_none()
    }
    pub(crate) fn prune(&mut self, index: impl Fn(Oid) -> bool, foreign_key: impl Fn(Oid) -> bool) {
        self.indexes.retain(|e| index(e.0));
        self.invalid.retain(|o| index(*o));
        self.foreign_keys.retain(|e| foreign_key(e.0));
    }
}

impl KeyColumn {
    pub fn ty(&self, t: &Table) -> Type {
        self.of.ty(t)
    }
}
impl End {
    pub fn value(&self, ty: Type) -> Result<Option<Datum>> {
        match self {
            End::Value(b) => row::decode_value(b, ty).map(Some),
            End::Min | End::Max => Ok(None),
        }
    }
}

impl Table {
    pub fn partition(&self) -> Option<&Partition> {
        self.declared.family.as_ref().and_then(|f| f.partition.as_deref())
    }
    /// By what its rows are divided, where it is a partitioned table.
    pub fn scheme(&self) -> Option<&Scheme> {
        self.partition().and_then(|p| p.scheme.as_ref())
    }
    pub fn is_partitioned(&self) -> bool {
        self.scheme().is_some()
    }
    /// Which part of its parent's rows are its own, where it is a partition.
    pub fn bound(&self) -> Option<&Bound> {
        self.partition().and_then(|p| p.bound.as_ref())
    }
    /// Changes what it says of partitions; what says nothing is taken away.
    pub fn change_partition(&mut self, change: impl FnOnce(&mut Partition)) {
        self.change_family(|f| {
            let mut p = f.partition.take().unwrap_or_default();
            change(&mut p);
            f.partition = (!p.is_empty()).then_some(p);
        });
    }
    /// The parent's index that one of a partition's is a part of.
    pub fn index_parent(&self, index: Oid) -> Option<Oid> {
        self.partition()?.indexes.iter().find(|e| e.0 == index).map(|e| e.1)
    }
    /// The index of a partition that is a part of `of`, its parent's.
    pub fn index_part(&self, of: Oid) -> Option<Oid> {
        self.partition()?.indexes.iter().find(|e| e.1 == of).map(|e| e.0)
    }
    pub fn foreign_key_parent(&self, fk: Oid) -> Option<Oid> {
        self.partition()?.foreign_keys.iter().find(|e| e.0 == fk).map(|e| e.1)
    }
    pub fn trigger_parent(&self, trigger: Oid) -> Option<Oid> {
        self.partition()?.triggers.iter().find(|e| e.0 == trigger).map(|e| e.1)
    }
    pub fn is_invalid(&self, index: Oid) -> bool {
        self.partition().is_some_and(|p| p.invalid.contains(&index))
            || self.declared.online.as_ref().is_some_and(|o| o.invalid.contains(&index))
    }
}
impl Catalog {
    /// The partitioned table that a partition is of.
    pub fn partition_parent(&self, t: &Table) -> Option<&Arc<Table>> {
        t.bound()?;
        self.table(*t.parents().first()?)
    }
    /// The partitioned tables above a partition, the nearest first.
    pub fn partitioned_above<'c>(&'c self, t: &Table) -> impl Iterator<Item = &'c Arc<Table>> {
        std::iter::successors(self.partition_parent(t), |p| self.partition_parent(p))
    }
    /// The same as a list.
    pub fn partition_ancestors(&self, t: &Table) -> Vec<Arc<Table>> {
        self.partitioned_above(t).cloned().collect()
    }
    /// The index of a partition that is its part of one of a partitioned table above it.
    pub fn index_part(&self, t: &Table, index: Oid) -> Option<Oid> {
        let mut above = self.partition_ancestors(t);
        let mut at = index;
        while let Some(p) = above.pop() {
            if p.index(at).is_some() {
                at = above.last().map_or(t, |b| b).index_part(at)?;
            }
        }
        t.index(at).map(|i| i.oid)
    }
    /// Do foreign keys refer to a table, or to a partitioned one above it?
    pub fn is_referenced(&self, t: &Table) -> bool {
        !t.referenced_by.is_empty() || self.partitioned_above(t).any(|p| !p.referenced_by.is_empty())
    }
    /// The child that takes what no other does.
    pub fn default_partition(&self, t: &Table) -> Option<&Arc<Table>> {
        t.children().iter().filter_map(|c| self.table(*c)).find(|c| matches!(c.bound(), Some(Bound::Default)))
    }
}
/// The expressions of a table's partition key.
pub fn texts(t: &Table) -> impl Iterator<Item = &SqlText> {
    t.scheme().into_iter().flat_map(|s| &s.key).filter_map(|k| match &k.of {
        IndexColumn::Expr(text, _) => Some(text),
        IndexColumn::Attr(_) => None,
    })
}
/// By column (attnum - 1) of `parent`, that of `t`, of its family, of the same name.
pub fn places(parent: &Table, t: &Table) -> Vec<usize> {
    let of = |(i, c): (usize, &crate::Column)| match t.columns.get(i) {
        _ if c.dropped => usize::MAX,
        // It is mostly at the same place.
        Some(x) if !x.dropped && x.name == c.name => i,
        _ => t.column_by_name(&c.name).map_or(usize::MAX, |x| (x.attnum as usize).wrapping_sub(1)),
    };
    parent.columns.iter().enumerate().map(of).collect()
}
/// A row of `t`, whose columns [`places`] names, as `parent` has it.
pub fn as_parent_has(places: &[usize], row: &[Datum]) -> Vec<Datum> {
    places.iter().map(|c| row.get(*c).cloned().unwrap_or(Datum::Null)).collect()
}
