//! Who a node is: written once into its directory, before anything else of a cluster is.
//!
//! ```text
//!   pamir.node     pamir node 1
//!                  cluster 9f2c...  (32 hexadecimal digits)
//!                  node 3
//!                  address 10.0.0.3:7432
//!                  checksum 1a2b3c4d       CRC-32 of the lines before it
//! ```
//! A directory without it belongs to a single node, or to nobody yet. The file is replaced as a whole, under its name in one step.
use crate::NodeId;
use crate::codec::newer;
use pamir_error::{Result, err};
use pamir_storage::disk::Disk;
use std::fmt::Write;

pub use pamir_storage::store::NODE_FILE;
const NEW: &str = "pamir.node.new";
/// There where the node was taken out of its cluster, which it never comes back to.
const REMOVED: &str = "pamir.node.removed";
const HEADER: &str = "pamir node 1";
/// What the header of any version begins with.
const ANY_HEADER: &str = "pamir node ";

/// A cluster's own number, drawn when it begins.
pub type ClusterId = [u8; 16];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    pub cluster: ClusterId,
    pub node: NodeId,
    /// Where other nodes find it.
    pub address: String,
}

fn damaged() -> pamir_error::Error {
    err!(DATA_CORRUPTED, "\"{NODE_FILE}\" is damaged").hint(
        "Restore it from a copy, or remove the node from the cluster and let it join anew with an empty directory.",
    )
}
pub fn hex(id: &ClusterId) -> String {
    id.iter().fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}
pub fn unhex(s: &str) -> Option<ClusterId> {
    let mut id = [0; 16];
    if s.len() != 32 || !s.is_ascii() {
        return None;
    }
    for (i, b) in id.iter_mut().enumerate() {
        *b = u8::from_str_radix(s.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(id)
}

impl Identity {
    fn render(&self) -> String {
        let mut s = format!("{HEADER}\ncluster {}\nnode {}\naddress {}\n", hex(&self.cluster), self.node, self.address);
        let crc = crc32fast::hash(s.as_bytes());
        let _ = writeln!(s, "checksum {crc:08x}");
        s
    }
    fn parse(text: &str) -> Option<Identity> {
        let at = text.rfind("checksum ")?;
        let (body, sum) = text.split_at(at);
        let sum = sum.strip_prefix("checksum ")?.trim_end();
        if u32::from_str_radix(sum, 16).ok()? != crc32fast::hash(body.as_bytes()) {
            return None;
        }
        let mut lines = body.lines();
        if lines.next()? != HEADER {
            return None;
        }
        let cluster = unhex(lines.next()?.strip_prefix("cluster ")?)?;
        let node = lines.next()?.strip_prefix("node ")?.parse().ok().filter(|n| *n != 0)?;
        let address = lines.next()?.strip_prefix("address ")?.to_string();
        Some(Identity { cluster, node, address })
    }
    /// None: the directory belongs to no cluster.
    pub fn read(disk: &dyn Disk) -> Result<Option<Identity>> {
        if !disk.exists(NODE_FILE)? {
            return Ok(None);
        }
        let file = disk.open(NODE_FILE, false)?;
        const LONGEST: u64 = 4096;
        let mut bytes = vec![0; file.len()?.min(LONGEST) as usize];
        let n = file.read_at(&mut bytes, 0)?;
        let text = std::str::from_utf8(bytes.get(..n).unwrap_or_default()).map_err(|_| damaged())?;
        let later = text.lines().next().and_then(|l| l.strip_prefix(ANY_HEADER)).and_then(|v| v.parse::<u64>().ok());
        match later.filter(|v| *v > 1) {
            Some(v) => Err(newer(&format!("\"{NODE_FILE}\""), v, 1)),
            None => Identity::parse(text).map(Some).ok_or_else(damaged),
        }
    }
    pub fn write(&self, disk: &dyn Disk) -> Result<()> {
        let text = self.render();
        let file = disk.open(NEW, true)?;
        file.set_len(0)?;
        file.write_at(text.as_bytes(), 0)?;
        file.sync()?;
        disk.rename(NEW, NODE_FILE)?;
        disk.sync_dir()
    }
}
/// The node of this directory was taken out of its cluster.
pub fn mark_removed(disk: &dyn Disk) -> Result<()> {
    disk.open(REMOVED, true)?.sync()?;
    disk.sync_dir()
}
/// 55000 where it was.
pub fn check_not_removed(disk: &dyn Disk) -> Result<()> {
    if !disk.exists(REMOVED)? {
        return Ok(());
    }
    Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the node of this data directory was removed from its cluster")
        .hint("To join again, start with --join and an empty directory."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_storage::disk::sim::SimDisk;

    #[test]
    fn written_and_read() {
        let disk = SimDisk::new(1);
        assert_eq!(Identity::read(&disk).unwrap(), None);
        let id = Identity { cluster: [7; 16], node: 3, address: "localhost:7432".into() };
        id.write(&disk).unwrap();
        let moved = Identity { address: "127.0.0.2:7432".into(), ..id };
        moved.write(&disk).unwrap();
        disk.crash();
        assert_eq!(Identity::read(&disk).unwrap(), Some(moved.clone()));
        let text = moved.render();
        for n in 0..text.trim_end().len() {
            assert_eq!(Identity::parse(&text[..n]), None, "{n}");
        }
        assert_eq!(Identity::parse(&text.replace("node 3", "node 4")), None);
        let later = disk.open(NODE_FILE, false).unwrap();
        later.write_at(b"pamir node 2\n", 0).unwrap();
        assert_eq!(Identity::read(&disk).unwrap_err().code().as_str(), "0A000");
        check_not_removed(&disk).unwrap();
        mark_removed(&disk).unwrap();
        disk.crash();
        assert_eq!(check_not_removed(&disk).unwrap_err().code().as_str(), "55000");
    }
}
