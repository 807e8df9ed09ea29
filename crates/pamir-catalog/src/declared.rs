//! What definitions say that changes neither bytes nor order here, kept to be shown again: `pg_index.indclass` and `indcollation`,
//! `pg_attribute.attcollation`, `pg_class.reloptions`, `pg_get_indexdef`, and with them a dump and what tools compare with it.
//!
//! Every text sorts by its bytes, so the collations there are and the pattern classes order alike: an entry never decides how a key is made.
//! Only what differs from the default has an entry; [`Declared::prune`] takes away what no longer has its index or column.
use super::{Check, Column, ForeignKey, Index, IndexColumn, SqlText};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};

/// `COLLATE "default"`: what columns and index columns have without a word.
pub const DEFAULT_COLLATION: Oid = 100;
/// What an empty [`Declared`] is in a table's bytes: what tables of the first format lack at their end.
pub const NOTHING: [u8; 6] = [0; 6];
/// Where tables of the second format end (storage parameters and columns of SET NULL and SET DEFAULT follow), and those of the third (comments).
const ENDS: [usize; 2] = [3, 5];
/// What a table of this format, before the newest, lacks at its end.
pub fn missing(format: u8) -> &'static [u8] {
    let end = (format as usize).checked_sub(2).and_then(|i| ENDS.get(i)).copied().unwrap_or(0);
    NOTHING.get(end..).unwrap_or_default()
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// (index, position of the key column from 0, operator class), where it is not the type's default.
    pub classes: Vec<(Oid, i16, Oid)>,
    /// (attnum, collation), where it is not the default.
    pub collations: Vec<(i16, Oid)>,
    /// (index, position of the key column from 0, collation), where it is not its column's.
    pub index_collations: Vec<(Oid, i16, Oid)>,
    /// (the table or one of its indexes, parameter, value): `pg_class.reloptions`, in their order.
    pub options: Vec<(Oid, String, String)>,
    /// (foreign key, its columns that ON DELETE SET NULL or SET DEFAULT sets), where not all.
    pub set_columns: Vec<(Oid, Vec<i16>)>,
    /// (constraint, what COMMENT ON CONSTRAINT says of it). That of an index has the index's number, its comment is another.
    pub comments: Vec<(Oid, String)>,
    /// (attnum, domain): the column's own type is what the domain is over. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub domains: Vec<(i16, Oid)>,
    /// What few relations say. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub more: More,
    /// Parents, children and what comes from them. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub family: Option<Box<super::family::Family>>,
    /// What was begun beside writers and is not done. Stored behind the others (`store.rs`).
    #[serde(skip)]
    pub online: Option<Box<Online>>,
}

/// What CREATE INDEX, REINDEX and DROP INDEX CONCURRENTLY have begun and not ended, or were stopped in, and what they leave for older snapshots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Online {
    /// Indexes that writers keep and nobody reads: rows may be missing in them (`pg_index.indisvalid` is false).
    pub invalid: Vec<Oid>,
    /// (index, timestamp): older snapshots do not find all their rows in it.
    pub whole_since: Vec<(Oid, u64)>,
    /// Trees of indexes that are gone, for statements that began before: freed when none of these is left.
    pub freeing: Vec<super::TreeId2>,
}
impl Online {
    /// What is left of it when only these indexes stand.
    fn prune(&mut self, index: impl Fn(Oid) -> bool) {
        self.invalid.retain(|i| index(*i));
        self.whole_since.retain(|i| index(i.0));
    }
}

/// What few relations say, behind all else in their bytes: a relation without any of it is written as if this were not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct More {
    /// UNLOGGED asks for less than tables give: it is only shown.
    pub unlogged: bool,
    /// The index of CLUSTER ON.
    pub clustered: Option<Oid>,
    pub replica_identity: ReplicaIdentity,
    /// (attnum, ALTER COLUMN SET STATISTICS), where it is not -1.
    pub statistics: Vec<(i16, i16)>,
    /// (attnum, `p`, `e`, `m` or `x`), where it is not the type's.
    pub storage: Vec<(i16, u8)>,
    /// (attnum, `p` or `l`), where COMPRESSION names a method.
    pub compression: Vec<(i16, u8)>,
    /// (attnum, `n_distinct`, value): `pg_attribute.attoptions`.
    pub column_options: Vec<(i16, String, String)>,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplicaIdentity {
    #[default]
    Default,
    Nothing,
    Full,
    Index(Oid),
}
impl ReplicaIdentity {
    /// As `pg_class.relreplident` has it.
    pub fn letter(self) -> char {
        match self {
            ReplicaIdentity::Default => 'd',
            ReplicaIdentity::Nothing => 'n',
            ReplicaIdentity::Full => 'f',
            ReplicaIdentity::Index(_) => 'i',
        }
    }
}
fn set<T>(list: &mut Vec<(i16, T)>, attnum: i16, value: Option<T>) {
    list.retain(|e| e.0 != attnum);
    list.extend(value.map(|v| (attnum, v)));
}
fn get<T: Copy>(list: &[(i16, T)], attnum: i16) -> Option<T> {
    list.iter().find(|e| e.0 == attnum).map(|e| e.1)
}
impl More {
    pub fn is_empty(&self) -> bool {
        *self == More::default()
    }
    pub fn statistics(&self, attnum: i16) -> Option<i16> {
        get(&self.statistics, attnum)
    }
    pub fn set_statistics(&mut self, attnum: i16, target: Option<i16>) {
        set(&mut self.statistics, attnum, target)
    }
    pub fn storage(&self, attnum: i16) -> Option<u8> {
        get(&self.storage, attnum)
    }
    pub fn set_storage(&mut self, attnum: i16, letter: Option<u8>) {
        set(&mut self.storage, attnum, letter)
    }
    pub fn compression(&self, attnum: i16) -> Option<u8> {
        get(&self.compression, attnum)
    }
    pub fn set_compression(&mut self, attnum: i16, letter: Option<u8>) {
        set(&mut self.compression, attnum, letter)
    }
    pub fn column_options(&self, attnum: i16) -> impl Iterator<Item = (&str, &str)> {
        self.column_options.iter().filter(move |e| e.0 == attnum).map(|e| (e.1.as_str(), e.2.as_str()))
    }
    /// What is left of it when only these indexes and columns stand.
    fn prune(&mut self, index: impl Fn(Oid) -> bool, column: impl Fn(i16) -> bool) {
        self.clustered = self.clustered.filter(|i| index(*i));
        if let ReplicaIdentity::Index(i) = self.replica_identity
            && !index(i)
        {
            self.replica_identity = ReplicaIdentity::Nothing;
        }
        self.statistics.retain(|e| column(e.0));
        self.storage.retain(|e| column(e.0));
        self.compression.retain(|e| column(e.0));
        self.column_options.retain(|e| column(e.0));
    }
}

fn of(list: &[(Oid, i16, Oid)], index: Oid, at: usize) -> Option<Oid> {
    list.iter().find(|e| e.0 == index && e.1 as usize == at).map(|e| e.2)
}

impl Declared {
    pub fn class(&self, index: Oid, at: usize) -> Option<Oid> {
        of(&self.classes, index, at)
    }
    pub fn index_collation(&self, index: Oid, at: usize) -> Option<Oid> {
        of(&self.index_collations, index, at)
    }
    pub fn collation(&self, attnum: i16) -> Option<Oid> {
        self.collations.iter().find(|e| e.0 == attnum).map(|e| e.1)
    }
    /// `name=value` of the table or an index.
    pub fn options(&self, relation: Oid) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().filter(move |e| e.0 == relation).map(|e| (e.1.as_str(), e.2.as_str()))
    }
    /// What ON DELETE sets of a foreign key's columns; None: all.
    pub fn set_columns(&self, foreign_key: Oid) -> Option<&[i16]> {
        self.set_columns.iter().find(|e| e.0 == foreign_key).map(|e| e.1.as_slice())
    }
    pub fn comment(&self, constraint: Oid) -> Option<&str> {
        self.comments.iter().find(|e| e.0 == constraint).map(|e| e.1.as_str())
    }
    pub fn set_comment(&mut self, constraint: Oid, text: Option<String>) {
        self.comments.retain(|e| e.0 != constraint);
        self.comments.extend(text.map(|t| (constraint, t)));
    }
    pub fn domain(&self, attnum: i16) -> Option<Oid> {
        self.domains.iter().find(|e| e.0 == attnum).map(|e| e.1)
    }
    pub fn set_domain(&mut self, attnum: i16, domain: Option<Oid>) {
        self.domains.retain(|e| e.0 != attnum);
        self.domains.extend(domain.map(|d| (attnum, d)));
    }
    /// Sets a column's collation; `None` is the default.
    pub fn set_collation(&mut self, attnum: i16, collation: Option<Oid>) {
        self.collations.retain(|e| e.0 != attnum);
        self.collations.extend(collation.filter(|c| *c != DEFAULT_COLLATION).map(|c| (attnum, c)));
    }
    /// What `from` says of the index `old` holds for `new` as well.
    pub fn copy_index(&mut self, from: &Declared, old: Oid, new: Oid) {
        let copy =
            |l: &[(Oid, i16, Oid)]| -> Vec<_> { l.iter().filter(|e| e.0 == old).map(|e| (new, e.1, e.2)).collect() };
        self.classes.extend(copy(&from.classes));
        self.index_collations.extend(copy(&from.index_collations));
        let options: Vec<_> = from.options(old).map(|(n, v)| (new, n.to_string(), v.to_string())).collect();
        self.options.extend(options);
    }
    /// The expressions of a partition key.
    pub fn key_texts_mut(&mut self) -> impl Iterator<Item = &mut SqlText> {
        let p = self.family.as_mut().and_then(|f| f.partition.as_mut());
        let keys = p.and_then(|p| p.scheme.as_mut()).into_iter().flat_map(|s| &mut s.key);
        keys.filter_map(|k| match &mut k.of {
            IndexColumn::Expr(text, _) => Some(text),
            IndexColumn::Attr(_) => None,
        })
    }
    pub fn prune(
        &mut self,
        table: Oid,
        indexes: &[Index],
        columns: &[Column],
        checks: &[Check],
        foreign_keys: &[ForeignKey],
    ) {
        let stands = |o: Oid| indexes.iter().any(|i| i.oid == o);
        self.classes.retain(|e| stands(e.0));
        self.index_collations.retain(|e| stands(e.0));
        self.options.retain(|e| e.0 == table || stands(e.0));
        self.set_columns.retain(|e| foreign_keys.iter().any(|f| f.oid == e.0));
        self.comments.retain(|e| {
            stands(e.0) || checks.iter().any(|c| c.oid == e.0) || foreign_keys.iter().any(|f| f.oid == e.0)
        });
        self.domains.retain(|e| columns.iter().any(|c| c.attnum == e.0 && !c.dropped));
        self.collations.retain(|e| columns.iter().any(|c| c.attnum == e.0 && !c.dropped));
        self.more.prune(stands, |a| columns.iter().any(|c| c.attnum == a && !c.dropped));
        if let Some(f) = &mut self.family {
            f.prune(columns, checks, stands, |o| foreign_keys.iter().any(|f| f.oid == o));
        }
        self.family.take_if(|f| **f == super::family::Family::default());
        if let Some(o) = &mut self.online {
            o.prune(stands);
        }
        self.online.take_if(|o| **o == Online::default());
    }
}
