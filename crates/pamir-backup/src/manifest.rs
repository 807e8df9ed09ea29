//! What a base backup consists of, as text that people can read.
//!
//! ```text
//!   pamir backup 1                          format version
//!   system 9f2c...                          32 hexadecimal digits: whose it is
//!   kind single | cluster
//!   server 0.1.0                            the program that made it
//!   taken 1764000000000000                  microseconds since 1970: the checkpoint was pinned then, and nothing in it is newer
//!   finished 1764000060000000
//!   from 123456 0                           position and term: the pages hold everything up to here
//!   reach 123999 0                          and perhaps some of what follows, up to here, which the log objects hold
//!   pages 4711                              pages of the database in it
//!   object superblock 4096 1a2b3c4d         name, length, CRC-32: each object beside the manifest
//!   object pages.000000 16785408 ...
//!   object log.000000 ...
//!   checksum 5e6f7a8b                       CRC-32 of the lines before it
//! ```
//! It is written when everything else is there. A reader refuses what it does not know: another version, a line too many, a name that no backup has.
use crate::system::{seal, unseal};
use crate::{Kind, Place, SystemId};
use pamir_cluster::identity::{hex, unhex};
use pamir_error::{Error, Result, err};
use std::fmt::Write;

pub const MANIFEST: &str = "manifest";
pub const SUPERBLOCK: &str = "superblock";
const HEADER: &str = "pamir backup ";
pub const VERSION: u32 = 1;
/// A manifest is no longer than this: some ten million pages to a megabyte.
pub const MOST_BYTES: usize = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub name: String,
    pub len: u64,
    pub crc: u32,
}
impl Object {
    pub fn of(name: String, bytes: &[u8]) -> Object {
        Object { name, len: bytes.len() as u64, crc: crc32fast::hash(bytes) }
    }
    /// Are these its bytes?
    pub fn is(&self, bytes: &[u8]) -> bool {
        self.len == bytes.len() as u64 && self.crc == crc32fast::hash(bytes)
    }
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    pub system: SystemId,
    pub kind: Kind,
    pub server: String,
    pub taken: i64,
    pub finished: i64,
    pub from: Place,
    pub reach: Place,
    pub pages: u64,
    pub objects: Vec<Object>,
}

/// Objects whose names begin so: pages, log.
pub const PAGES: &str = "pages.";
pub const LOG: &str = "log.";
/// The name of the nth of them.
pub fn numbered(what: &str, n: usize) -> String {
    format!("{what}{n:06}")
}
fn is_name(name: &str) -> bool {
    let digits = |s: &str| s.len() >= 6 && s.len() <= 12 && s.bytes().all(|b| b.is_ascii_digit());
    name == SUPERBLOCK || [PAGES, LOG].iter().any(|p| name.strip_prefix(p).is_some_and(digits))
}

impl Manifest {
    pub fn render(&self) -> String {
        let mut s = format!("{HEADER}{VERSION}\nsystem {}\nkind {}\n", hex(&self.system), self.kind.name());
        let _ = writeln!(s, "server {}\ntaken {}\nfinished {}", self.server, self.taken, self.finished);
        for (what, p) in [("from", self.from), ("reach", self.reach)] {
            let _ = writeln!(s, "{what} {} {}", p.position, p.term);
        }
        let _ = writeln!(s, "pages {}", self.pages);
        for o in &self.objects {
            let _ = writeln!(s, "object {} {} {:08x}", o.name, o.len, o.crc);
        }
        seal(&mut s);
        s
    }
    /// The object `name`. XX001 where it is damaged, 55000 where a newer program wrote it.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Manifest> {
        let damaged = |why: &str| err!(DATA_CORRUPTED, "object \"{name}\" is no manifest of a backup: {why}");
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is no text"))?;
        let body = unseal(text).ok_or_else(|| damaged("its checksum is not right"))?;
        let version = body.lines().next().and_then(|l| l.strip_prefix(HEADER)).and_then(|v| v.parse::<u32>().ok());
        match version {
            Some(VERSION) => {}
            Some(v) => return Err(newer(name, v)),
            None => return Err(damaged("it begins with other words")),
        }
        Manifest::parse(body).ok_or_else(|| damaged("a line of it does not fit"))
    }
    fn parse(body: &str) -> Option<Manifest> {
        let mut lines = body.lines().skip(1);
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let system = unhex(field("system")?)?;
        let kind = match field("kind")? {
            "single" => Kind::Own,
            "cluster" => Kind::Group,
            _ => return None,
        };
        let server = field("server")?.to_string();
        let (taken, finished) = (field("taken")?.parse().ok()?, field("finished")?.parse().ok()?);
        let mut place = |name: &str| {
            let (position, term) = field(name)?.split_once(' ')?;
            Some(Place { position: position.parse().ok()?, term: term.parse().ok()? })
        };
        let (from, reach) = (place("from")?, place("reach")?);
        let pages = field("pages")?.parse().ok()?;
        let mut objects = Vec::new();
        for line in lines {
            let mut words = line.strip_prefix("object ")?.split(' ');
            let (name, len, crc) = (words.next()?, words.next()?, words.next()?);
            if words.next().is_some() || !is_name(name) || crc.len() != 8 {
                return None;
            }
            let crc = u32::from_str_radix(crc, 16).ok()?;
            objects.push(Object { name: name.into(), len: len.parse().ok()?, crc });
        }
        let whole = from.position <= reach.position && objects.iter().any(|o| o.name == SUPERBLOCK);
        whole.then_some(Manifest { system, kind, server, taken, finished, from, reach, pages, objects })
    }
    /// Objects of a kind, in their order.
    pub fn named<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a Object> {
        self.objects.iter().filter(move |o| o.name.starts_with(prefix))
    }
    /// Bytes in all.
    pub fn size(&self) -> u64 {
        self.objects.iter().map(|o| o.len).fold(0, u64::saturating_add)
    }
}
fn newer(name: &str, version: u32) -> Error {
    err!(
        OBJECT_NOT_IN_PREREQUISITE_STATE,
        "object \"{name}\" has format version {version}, this program reads version {VERSION}"
    )
    .hint("Restore with the program that made the backup, or a newer one.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{self, Rng};

    fn manifest() -> Manifest {
        Manifest {
            system: [0xc1; 16],
            kind: Kind::Group,
            server: "0.1.0".into(),
            taken: 1_764_000_000_000_000,
            finished: 1_764_000_000_000_001,
            from: Place { position: 7, term: 2 },
            reach: Place { position: 9, term: 3 },
            pages: 2,
            objects: vec![
                Object::of(SUPERBLOCK.into(), b"s"),
                Object::of(numbered(PAGES, 0), b"pages"),
                Object::of(numbered(LOG, 12), b""),
            ],
        }
    }

    #[test]
    fn round_trips() {
        let m = manifest();
        assert_eq!(Manifest::read("m", m.render().as_bytes()).unwrap(), m);
        assert_eq!((m.named(PAGES).count(), m.size()), (1, 6));
        assert!(m.objects[1].is(b"pages") && !m.objects[1].is(b"paget") && !m.objects[1].is(b"page"));
        let mut next = m.render().replace("pamir backup 1", "pamir backup 2");
        next.truncate(next.rfind("checksum").unwrap());
        seal(&mut next);
        let e = Manifest::read("m", next.as_bytes()).unwrap_err();
        assert_eq!(e.message(), "object \"m\" has format version 2, this program reads version 1");
    }
    #[test]
    fn every_damage_is_seen() {
        let text = manifest().render();
        for at in 0..text.len() {
            let mut b = text.clone().into_bytes();
            b[at] ^= 1;
            let e = Manifest::read("some/manifest", &b).unwrap_err();
            assert!(e.message().contains("\"some/manifest\""), "{e}");
            assert!(Manifest::read("m", &text.as_bytes()[..at]).is_err());
        }
    }
    /// Random texts under a right checksum: an error, or a manifest that renders to what was read.
    #[test]
    fn the_reader_takes_nothing_else() {
        let r = &mut Rng::new(chance::seed(5));
        let text = manifest().render();
        let body = &text[..text.rfind("checksum").unwrap()];
        let odd: [&str; 10] =
            ["\n", " ", "0", "-1", "18446744073709551616", "object ", "../x", "pages.000001", "é", ""];
        for _ in 0..20_000 {
            let mut b = body.to_string();
            for _ in 0..1 + r.below(3) {
                let at = (0..=r.index(b.len() + 1)).rev().find(|i| b.is_char_boundary(*i)).unwrap_or(0);
                match r.below(3) {
                    0 => b.insert_str(at, r.choose::<&str>(&odd)),
                    1 => b.truncate(at),
                    _ => {
                        let to = (at + 1..=b.len()).find(|i| b.is_char_boundary(*i)).unwrap_or(b.len());
                        b.replace_range(at..to, r.choose::<&str>(&odd));
                    }
                }
            }
            seal(&mut b);
            if let Ok(m) = Manifest::read("m", b.as_bytes()) {
                assert_eq!(Manifest::read("m", m.render().as_bytes()).unwrap(), m);
                assert!(m.objects.iter().all(|o| !o.name.contains('/')));
            }
        }
    }
}
