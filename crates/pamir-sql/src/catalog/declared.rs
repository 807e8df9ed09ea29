//! What definitions say that changes neither bytes nor order here, kept to be shown again: `pg_index.indclass` and `indcollation`,
//! `pg_attribute.attcollation`, `pg_get_indexdef`, and with them a dump and what tools compare with it.
//!
//! Every text sorts by its bytes, so the collations there are and the pattern classes order alike: an entry never decides how a key is made.
//! Only what differs from the default has an entry; [`Declared::prune`] takes away what no longer has its index or column.
use super::{Column, Index};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};

/// `COLLATE "default"`: what columns and index columns have without a word.
pub const DEFAULT_COLLATION: Oid = 100;
/// What an empty [`Declared`] is in a table's bytes: what tables of the first format lack at their end.
pub const NOTHING: [u8; 3] = [0; 3];

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// (index, position of the key column from 0, operator class), where it is not the type's default.
    pub classes: Vec<(Oid, i16, Oid)>,
    /// (attnum, collation), where it is not the default.
    pub collations: Vec<(i16, Oid)>,
    /// (index, position of the key column from 0, collation), where it is not its column's.
    pub index_collations: Vec<(Oid, i16, Oid)>,
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
    }
    pub fn prune(&mut self, indexes: &[Index], columns: &[Column]) {
        let stands = |o: Oid| indexes.iter().any(|i| i.oid == o);
        self.classes.retain(|e| stands(e.0));
        self.index_collations.retain(|e| stands(e.0));
        self.collations.retain(|e| columns.iter().any(|c| c.attnum == e.0 && !c.dropped));
    }
}
