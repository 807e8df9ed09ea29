//! A piece: a stretch of a system's log as an object, of the archive or of a base backup.
//!
//! ```text
//!   header  := "PAMIRLOG", version u32 = 1, kind u32 (0 a single node's, 1 a group's), system 16 bytes,
//!              from u64, its term u64, to u64, its term u64, first i64, last i64, until i64,
//!              body length u64, body CRC-32 u32, CRC-32 u32 of the header before it                              HEADER bytes
//!   body    := item...
//!   item    := position v (behind the one before it), term v, time v (microseconds since 1970; 0: none of its own), n v, n times: record bytes
//! ```
//! All integers are little-endian, `v` is a LEB128 varint, `bytes` a length `v` and the bytes. An item is a record of a single node's log, or an entry of a group's log with its records.
//! *from* is exclusive, *to* inclusive. *first* and *last* are the least and the newest time in it (0: none). *until*: nothing was durable at that time that is not in this piece or before it.
//!
//! *Invariants*: positions rise (of a group's entries by one each), terms do not fall.
use crate::{Kind, Place, SystemId};
use bytes::Bytes;
use pamir_cluster::codec::{Reader, put_bytes, put_varint};
use pamir_error::{Result, bail};

const MAGIC: &[u8; 8] = b"PAMIRLOG";
const VERSION: u32 = 1;
pub const HEADER: usize = 104;
/// A piece is closed when its records have so many bytes.
pub const PIECE_BYTES: usize = 16 << 20;

/// A record of a single node's log, or an entry of a group's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub place: Place,
    /// Microseconds since 1970; 0: it has no time of its own.
    pub time: i64,
    pub records: Vec<Bytes>,
}
impl Item {
    /// Bytes of its records.
    pub fn size(&self) -> usize {
        self.records.iter().map(Bytes::len).sum()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    pub kind: Kind,
    pub system: SystemId,
    pub from: Place,
    pub to: Place,
    pub first: i64,
    pub last: i64,
    pub until: i64,
    body: u64,
    body_crc: u32,
}
impl Head {
    fn encode(&self) -> Vec<u8> {
        let mut b = MAGIC.to_vec();
        b.extend_from_slice(&VERSION.to_le_bytes());
        b.extend_from_slice(&(self.kind as u32).to_le_bytes());
        b.extend_from_slice(&self.system);
        for n in [self.from.position, self.from.term, self.to.position, self.to.term] {
            b.extend_from_slice(&n.to_le_bytes());
        }
        for t in [self.first, self.last, self.until] {
            b.extend_from_slice(&t.to_le_bytes());
        }
        b.extend_from_slice(&self.body.to_le_bytes());
        b.extend_from_slice(&self.body_crc.to_le_bytes());
        let crc = crc32fast::hash(&b);
        b.extend_from_slice(&crc.to_le_bytes());
        b
    }
    /// The head of the object `name`, of its first bytes. XX001 where they are none, 55000 where a newer program wrote them.
    pub fn decode(name: &str, bytes: &[u8]) -> Result<Head> {
        let Some(b) = bytes.get(..HEADER).filter(|b| b.starts_with(MAGIC)) else {
            bail!(DATA_CORRUPTED, "object \"{name}\" is no piece of a log, or cut short")
        };
        let array = |at: usize| -> [u8; 8] {
            let mut a = [0; 8];
            a.copy_from_slice(b.get(at..at + 8).unwrap_or(&[0; 8]));
            a
        };
        let u64_at = |at: usize| u64::from_le_bytes(array(at));
        let u32_at = |at: usize| u64_at(at) as u32;
        let (body, crc) = b.split_at(HEADER - 4);
        if crc != crc32fast::hash(body).to_le_bytes() {
            bail!(DATA_CORRUPTED, "the head of object \"{name}\" is damaged");
        }
        if u32_at(8) != VERSION {
            bail!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "object \"{name}\" has format version {}, this program reads version {VERSION}",
                u32_at(8)
            );
        }
        let kind = match u32_at(12) {
            0 => Kind::Own,
            1 => Kind::Group,
            n => bail!(DATA_CORRUPTED, "object \"{name}\" is of the unknown kind {n}"),
        };
        let mut system = [0; 16];
        system.copy_from_slice(b.get(16..32).unwrap_or(&[0; 16]));
        let place = |at: usize| Place { position: u64_at(at), term: u64_at(at + 8) };
        Ok(Head {
            kind,
            system,
            from: place(32),
            to: place(48),
            first: u64_at(64) as i64,
            last: u64_at(72) as i64,
            until: u64_at(80) as i64,
            body: u64_at(88),
            body_crc: u64_at(96) as u32,
        })
    }
}

/// A piece in the making.
pub struct Piece {
    head: Head,
    bytes: Vec<u8>,
    size: usize,
}
impl Piece {
    pub fn new(kind: Kind, system: SystemId, from: Place) -> Piece {
        let head = Head { kind, system, from, to: from, first: 0, last: 0, until: 0, body: 0, body_crc: 0 };
        Piece { head, bytes: vec![0; HEADER], size: 0 }
    }
    pub fn push(&mut self, item: &Item) {
        let out = &mut self.bytes;
        put_varint(out, item.place.position.saturating_sub(self.head.to.position));
        put_varint(out, item.place.term);
        put_varint(out, item.time as u64);
        put_varint(out, item.records.len() as u64);
        item.records.iter().for_each(|r| put_bytes(out, r));
        self.size += item.size();
        self.head.to = item.place;
        if item.time != 0 {
            self.head.first = if self.head.first == 0 { item.time } else { self.head.first.min(item.time) };
            self.head.last = self.head.last.max(item.time);
        }
    }
    pub fn to(&self) -> Place {
        self.head.to
    }
    /// Bytes of records.
    pub fn size(&self) -> usize {
        self.size
    }
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == HEADER
    }
    /// The object. Nothing was durable at `until` that is not in it or before it.
    pub fn finish(mut self, until: i64) -> (Head, Vec<u8>) {
        let body = self.bytes.get(HEADER..).unwrap_or_default();
        self.head.until = until;
        self.head.body = body.len() as u64;
        self.head.body_crc = crc32fast::hash(body);
        let head = self.head.encode();
        if let Some(place) = self.bytes.get_mut(..HEADER) {
            place.copy_from_slice(&head);
        }
        (self.head, self.bytes)
    }
}

/// Takes the object `name` apart. XX001, with its name, where it is damaged.
pub fn read(name: &str, bytes: &[u8]) -> Result<(Head, Vec<Item>)> {
    let head = Head::decode(name, bytes)?;
    let body = bytes.get(HEADER..).unwrap_or_default();
    if body.len() as u64 != head.body || crc32fast::hash(body) != head.body_crc {
        bail!(DATA_CORRUPTED, "object \"{name}\" is damaged: its contents do not fit its checksum");
    }
    let items = read_items(&head, body)
        .map_err(|e| pamir_error::err!(DATA_CORRUPTED, "object \"{name}\" is damaged: {}", e.message()))?;
    Ok((head, items))
}
fn read_items(head: &Head, body: &[u8]) -> Result<Vec<Item>> {
    let mut r = Reader::new(body, "a piece of a log");
    let mut items = Vec::new();
    let mut at = head.from;
    while !r.is_empty() {
        let step = r.varint()?;
        let term = r.varint()?;
        let time = r.varint()? as i64;
        let position = at.position.checked_add(step);
        let Some(position) = position.filter(|_| step > 0 && term >= at.term) else { return r.damaged() };
        if head.kind == Kind::Group && step != 1 {
            bail!(DATA_CORRUPTED, "entry {position} follows entry {}", at.position);
        }
        let records = r.list(|r| Ok(Bytes::copy_from_slice(r.bytes()?)))?;
        at = Place { position, term };
        items.push(Item { place: at, time, records });
    }
    if at != head.to {
        bail!(DATA_CORRUPTED, "it ends at position {}, not at {}", at.position, head.to.position);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{self, Rng};

    pub fn item(position: u64, term: u64, time: i64, records: &[&[u8]]) -> Item {
        let records = records.iter().map(|r| Bytes::copy_from_slice(r)).collect();
        Item { place: Place { position, term }, time, records }
    }
    fn own() -> Vec<u8> {
        let mut p = Piece::new(Kind::Own, [3; 16], Place { position: 100, term: 0 });
        p.push(&item(150, 0, 7, &[b"stamp"]));
        p.push(&item(400, 0, 0, &[&[9; 300]]));
        p.push(&item(401, 0, 5, &[b""]));
        p.finish(99).1
    }

    #[test]
    fn round_trips() {
        let b = own();
        let (head, items) = read("x", &b).unwrap();
        assert_eq!((head.from.position, head.to.position), (100, 401));
        assert_eq!((head.first, head.last, head.until), (5, 7, 99));
        assert_eq!(items.len(), 3);
        assert_eq!(items[1], item(400, 0, 0, &[&[9; 300]]));
        let mut p = Piece::new(Kind::Group, [3; 16], Place { position: 4, term: 1 });
        assert!(p.is_empty());
        p.push(&item(5, 1, 9, &[b"a", b"b"]));
        p.push(&item(6, 3, 0, &[]));
        let (_, b) = p.finish(0);
        let (head, items) = read("x", &b).unwrap();
        assert_eq!((head.to, items.len(), items[0].size()), (Place { position: 6, term: 3 }, 2, 2));
    }
    #[test]
    fn gaps_and_falling_terms_are_damage() {
        for (position, term) in [(6, 1), (5, 0)] {
            let mut p = Piece::new(Kind::Group, [3; 16], Place { position: 4, term: 1 });
            p.push(&item(position, term, 0, &[]));
            assert!(read("x", &p.finish(0).1).is_err());
        }
    }
    /// Every cut, every flipped bit, random damage under a right checksum: an error with the object's name, or other content; never a panic.
    #[test]
    fn damage_is_an_error() {
        let good = own();
        for n in 0..good.len() {
            let e = read("some/name", &good[..n]).unwrap_err();
            assert!(e.message().contains("\"some/name\""), "{e}");
            let mut b = good.clone();
            b[n] ^= 1 << (n % 8);
            assert!(read("x", &b).is_err(), "{n}");
        }
        let r = &mut Rng::new(chance::seed(3));
        for _ in 0..20_000 {
            let mut b = good.clone();
            for _ in 0..1 + r.below(4) {
                let at = HEADER + r.index(b.len() - HEADER);
                match r.below(4) {
                    0 => b[at] ^= 1 << r.below(8),
                    1 => b[at] = *r.choose(&[0, 0x7f, 0x80, 0xff]),
                    2 => b.truncate(at + 1),
                    _ => b.insert(at, 0xff),
                }
            }
            let mut head = Head::decode("x", &b).unwrap();
            (head.body, head.body_crc) = ((b.len() - HEADER) as u64, crc32fast::hash(&b[HEADER..]));
            b[..HEADER].copy_from_slice(&head.encode());
            let _ = read("x", &b);
        }
    }
}
