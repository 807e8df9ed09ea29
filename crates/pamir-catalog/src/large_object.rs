//! Large objects: what is kept of one, and where.
//!
//! All databases' large objects are in one tree, [`LARGE_OBJECT_TREE`]: what PostgreSQL has in pg_largeobject_metadata and pg_largeobject are two ranges of it. They are rows like a table's
//! for all that lies below SQL: locks, versions, the log, replicas, checkpoints, backups. They are no tables of the catalog, since those would have to be made in every database, before
//! there is a large object and in databases that are there already; and they are no entries of the catalog, which is in memory and read by every session, while an application may keep a million of
//! these.
//!
//! ```text
//!   key                                                        value
//!   | 1 | database u32 | OID u32 |                             | 1 | postcard bytes of Metadata |
//!   | 2 | database u32 | OID u32 | page u32 |                  | 1 | up to 2,048 bytes |              numbers big-endian
//!
//!   byte n of an object:  page n / 2048, at n % 2048     a page that is not there, and what is behind a page's end and before the last page's, is zeros
//! ```
//! Invariants: a page belongs to an object that is there; who writes pages holds the object's entry (KEY SHARE), who removes it claims it.
//!
//! Limits: an object has up to [`MAX_SIZE`] bytes, as in PostgreSQL.
use crate::acl::{Acl, AclItem, Mode, ObjectKind, Who, default_acl};
use pamir_types::{Oid, Result, err};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

pub use pamir_txn::LARGE_OBJECT_TREE as TREE;

/// Bytes of a page: PostgreSQL's LOBLKSIZE.
pub const PAGE: usize = 2048;
/// Bytes of an object, at most.
pub const MAX_SIZE: i64 = i32::MAX as i64 * PAGE as i64;
/// pg_largeobject, which comments and dependencies name as an object's catalog.
pub const CLASS: Oid = 2613;
/// The format of a cluster whose nodes all have the tree.
pub const NEEDS_FORMAT: u64 = 7;
/// The first byte of every value.
const FORMAT: u8 = 1;
const METADATA: u8 = 1;
const PAGES: u8 = 2;

/// What is kept of a large object beside its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Metadata {
    pub owner: Oid,
    /// None: its owner's alone.
    pub acl: Option<Acl>,
    pub comment: Option<String>,
}
impl Metadata {
    pub fn decode(value: &[u8]) -> Result<Metadata> {
        let broken = || err!(DATA_CORRUPTED, "an entry of a large object cannot be read");
        match value.split_first() {
            Some((&FORMAT, body)) => postcard::from_bytes(body).map_err(|_| broken()),
            Some((v, _)) => Err(broken().detail(format!("Its version is {v}, this build reads {FORMAT}."))),
            None => Err(broken()),
        }
    }
    pub fn encode(&self) -> Result<Vec<u8>> {
        let broken = |_| err!(INTERNAL_ERROR, "an entry of a large object cannot be written");
        postcard::to_extend(self, vec![FORMAT]).map_err(broken)
    }
    pub fn list(&self) -> Cow<'_, [AclItem]> {
        match &self.acl {
            Some(a) => Cow::Borrowed(a),
            None => Cow::Owned(default_acl(ObjectKind::LargeObject, self.owner)),
        }
    }
    /// Has somebody one of these privileges?
    pub fn allows(&self, who: &Who, mask: Mode) -> bool {
        who.by_list(&self.list(), self.owner, mask) != 0
    }
    /// Does its list name a role?
    pub fn names(&self, role: Oid) -> bool {
        self.acl.iter().flatten().any(|i| i.grantee == role || i.grantor == role)
    }
}

fn prefix(kind: u8, database: Oid) -> Vec<u8> {
    let mut k = Vec::with_capacity(13);
    k.push(kind);
    k.extend_from_slice(&database.to_be_bytes());
    k
}
/// The key of an object's metadata.
pub fn key(database: Oid, oid: Oid) -> Vec<u8> {
    let mut k = prefix(METADATA, database);
    k.extend_from_slice(&oid.to_be_bytes());
    k
}
/// The key of one of its pages.
pub fn page_key(database: Oid, oid: Oid, page: u32) -> Vec<u8> {
    let mut k = prefix(PAGES, database);
    k.extend_from_slice(&oid.to_be_bytes());
    k.extend_from_slice(&page.to_be_bytes());
    k
}
/// The first key behind all that begin with `k`.
fn behind(mut k: Vec<u8>) -> Vec<u8> {
    while let Some(last) = k.pop() {
        if last < u8::MAX {
            k.push(last + 1);
            break;
        }
    }
    k
}
/// A range of keys: from the first on, up to the second.
pub type Range = (Vec<u8>, Vec<u8>);
/// Where the pages of an object from one on are.
pub fn pages_from(database: Oid, oid: Oid, page: u32) -> Range {
    let mut whole = prefix(PAGES, database);
    whole.extend_from_slice(&oid.to_be_bytes());
    (page_key(database, oid, page), behind(whole))
}
/// Where the metadata of a database's objects are.
pub fn all_metadata(database: Oid) -> Range {
    (prefix(METADATA, database), behind(prefix(METADATA, database)))
}
/// Where their pages are.
pub fn all_pages(database: Oid) -> Range {
    (prefix(PAGES, database), behind(prefix(PAGES, database)))
}
fn number(b: &[u8]) -> Option<u32> {
    b.first_chunk::<4>().map(|b| u32::from_be_bytes(*b))
}
/// The database and the object of a key, and the page if it is one's.
pub fn read_key(k: &[u8]) -> Option<(Oid, Oid, Option<u32>)> {
    let (kind, rest) = k.split_first()?;
    let (database, oid) = (number(rest)?, number(rest.get(4..)?)?);
    match (*kind, k.len()) {
        (METADATA, 9) => Some((database, oid, None)),
        (PAGES, 13) => Some((database, oid, Some(number(rest.get(8..)?)?))),
        _ => None,
    }
}
/// The bytes of a page's value.
pub fn page_bytes(value: &[u8]) -> Result<&[u8]> {
    match value.split_first() {
        Some((&FORMAT, bytes)) if bytes.len() <= PAGE => Ok(bytes),
        _ => Err(err!(DATA_CORRUPTED, "a page of a large object cannot be read")),
    }
}
/// A page's value, made of the one that is there: `bytes` at a place, zeros before them where there was nothing. They end within the page.
pub fn write_page(value: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = 1 + at + bytes.len();
    if value.is_empty() {
        value.push(FORMAT);
    }
    if value.len() < end {
        value.resize(end, 0);
    }
    if let Some(to) = value.get_mut(1 + at..end) {
        to.copy_from_slice(bytes);
    }
}
/// A page's value that ends at `len`, with zeros where there was nothing.
pub fn cut_page(value: &mut Vec<u8>, len: usize) {
    if value.is_empty() {
        value.push(FORMAT);
    }
    value.resize(1 + len.min(PAGE), 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn keys_are_in_the_order_of_objects_and_pages() {
        let (from, to) = pages_from(5, Oid::MAX, 7);
        assert_eq!(read_key(&from), Some((5, Oid::MAX, Some(7))));
        assert!(page_key(5, Oid::MAX, u32::MAX) < to && to <= page_key(6, 0, 0));
        assert!(key(5, 1) < all_metadata(5).1 && all_metadata(5).1 <= key(6, 0));
        assert!(page_key(Oid::MAX, 1, 1) < all_pages(Oid::MAX).1);
        assert_eq!(read_key(&key(5, 9)), Some((5, 9, None)));
        assert_eq!(read_key(b"\x02\0"), None);
    }
    #[test]
    fn what_is_kept_reads_back() {
        let m = Metadata { owner: 10, acl: None, comment: Some("x".into()) };
        assert_eq!(Metadata::decode(&m.encode().unwrap()).unwrap(), m);
        assert!(Metadata::decode(b"").is_err() && Metadata::decode(b"\x02abc").is_err());
        let mut page = Vec::new();
        write_page(&mut page, 3, b"abc");
        assert_eq!(page_bytes(&page).unwrap(), b"\0\0\0abc");
        cut_page(&mut page, 4);
        write_page(&mut page, 1, b"z");
        assert_eq!(page_bytes(&page).unwrap(), b"\0z\0a");
    }
}
