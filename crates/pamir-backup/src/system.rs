//! Whose backups these are.
//!
//! ```text
//!   pamir.system     pamir system 1
//!                    system 9f2c...              (32 hexadecimal digits)
//!                    parent 77ab... 123456       restored from that system, as it was at that position; only of a restored directory
//!                    checksum 1a2b3c4d           CRC-32 of the lines before it
//! ```
//! A single node's directory gets the file with its first backup or archive, or from the restore that made it. A cluster is a system by its own number (`pamir.node`).
use pamir_cluster::identity::{hex, unhex};
use pamir_error::{Result, err};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use std::fmt::Write;

/// A system's number: drawn once, never used again.
pub type SystemId = [u8; 16];

pub const SYSTEM_FILE: &str = "pamir.system";
const NEW: &str = "pamir.system.new";
const HEADER: &str = "pamir system 1";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    pub id: SystemId,
    pub parent: Option<(SystemId, u64)>,
}
/// Adds the checksum of all lines before it.
pub(crate) fn seal(text: &mut String) {
    let crc = crc32fast::hash(text.as_bytes());
    let _ = writeln!(text, "checksum {crc:08x}");
}
/// The lines before the checksum; None: it is not right.
pub(crate) fn unseal(text: &str) -> Option<&str> {
    let (body, sum) = text.split_at(text.rfind("checksum ")?);
    let sum = sum.strip_prefix("checksum ")?.strip_suffix('\n')?;
    (sum.len() == 8 && u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(body.as_bytes())).then_some(body)
}
impl System {
    /// A new one, restored from `parent` as it was at a position.
    pub fn draw(platform: &dyn Platform, parent: Option<(SystemId, u64)>) -> Result<System> {
        let mut id = [0; 16];
        platform.random(&mut id)?;
        Ok(System { id, parent })
    }
    fn render(&self) -> String {
        let mut s = format!("{HEADER}\nsystem {}\n", hex(&self.id));
        if let Some((parent, position)) = &self.parent {
            let _ = writeln!(s, "parent {} {position}", hex(parent));
        }
        seal(&mut s);
        s
    }
    fn parse(text: &str) -> Option<System> {
        let mut lines = unseal(text)?.lines();
        if lines.next()? != HEADER {
            return None;
        }
        let id = unhex(lines.next()?.strip_prefix("system ")?)?;
        let parent = match lines.next() {
            None => None,
            Some(l) => {
                let (parent, position) = l.strip_prefix("parent ")?.split_once(' ')?;
                Some((unhex(parent)?, position.parse().ok()?))
            }
        };
        lines.next().is_none().then_some(System { id, parent })
    }
    /// None: the directory has none yet.
    pub fn read(disk: &dyn Disk) -> Result<Option<System>> {
        if !disk.exists(SYSTEM_FILE)? {
            return Ok(None);
        }
        let file = disk.open(SYSTEM_FILE, false)?;
        let mut b = vec![0; (file.len()? as usize).min(4096)];
        let n = file.read_at(&mut b, 0)?;
        let parsed = std::str::from_utf8(b.get(..n).unwrap_or_default()).ok().and_then(System::parse);
        parsed.map(Some).ok_or_else(|| {
            err!(DATA_CORRUPTED, "\"{SYSTEM_FILE}\" is damaged")
                .hint("Remove it: the directory becomes a system of its own, and needs a new base backup.")
        })
    }
    pub fn write(&self, disk: &dyn Disk) -> Result<()> {
        let file = disk.open(NEW, true)?;
        file.set_len(0)?;
        file.write_at(self.render().as_bytes(), 0)?;
        file.sync()?;
        disk.rename(NEW, SYSTEM_FILE)?;
        disk.sync_dir()
    }
    /// The directory's, which is drawn if there is none.
    pub fn of(disk: &dyn Disk, platform: &dyn Platform) -> Result<System> {
        if let Some(s) = System::read(disk)? {
            return Ok(s);
        }
        let s = System::draw(platform, None)?;
        s.write(disk)?;
        Ok(s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_and_hears_of_damage() {
        for parent in [None, Some(([7; 16], 99))] {
            let s = System { id: [0xab; 16], parent };
            let text = s.render();
            assert_eq!(System::parse(&text), Some(s));
            for at in 0..text.len() {
                let mut b = text.clone().into_bytes();
                b[at] ^= 1;
                assert!(std::str::from_utf8(&b).ok().and_then(System::parse).is_none(), "{at}");
                assert!(System::parse(&text[..at]).is_none());
            }
        }
    }
}
