//! pg_snapshot (txid_snapshot is the same): which transactions a snapshot saw (xid8funcs.c).
//!
//! ```text
//! text, and in memory     xmin:xmax:xip,xip,...        everything before xmin is seen, nothing from xmax on; xip: what ran between
//! binary                  i32 count, i64 xmin, i64 xmax, i64 xip each
//! ```
use crate::number_text::invalid_syntax;
use crate::{Error, Result, err};
use std::fmt::Write;

pub struct Snapshot {
    pub xmin: u64,
    pub xmax: u64,
    /// In order.
    pub running: Vec<u64>,
}
fn bad_format() -> Error {
    err!(INVALID_BINARY_REPRESENTATION, "invalid external pg_snapshot data")
}
impl Snapshot {
    pub fn parse(s: &str) -> Result<Snapshot> {
        Snapshot::read(s).ok_or_else(|| invalid_syntax("pg_snapshot", s))
    }
    fn read(s: &str) -> Option<Snapshot> {
        let digits = |s: &str| s.trim_start().parse::<u64>().ok();
        let (xmin, rest) = s.split_once(':')?;
        let (xmax, list) = rest.split_once(':')?;
        let (xmin, xmax) = (digits(xmin)?, digits(xmax)?);
        if xmin == 0 || xmax == 0 || xmax < xmin || xmax > i64::MAX as u64 {
            return None;
        }
        let mut running: Vec<u64> = Vec::new();
        let list = list.strip_suffix(',').unwrap_or(list);
        for x in list.split(',').filter(|_| !list.is_empty()) {
            let v = digits(x)?;
            if v < xmin || v >= xmax || running.last().is_some_and(|l| *l > v) {
                return None;
            }
            if running.last() != Some(&v) {
                running.push(v);
            }
        }
        Some(Snapshot { xmin, xmax, running })
    }
    pub fn text(&self) -> String {
        let mut s = format!("{}:{}:", self.xmin, self.xmax);
        for (i, x) in self.running.iter().enumerate() {
            let _ = write!(s, "{}{x}", if i > 0 { "," } else { "" });
        }
        s
    }
    pub fn sees(&self, xid: u64) -> bool {
        xid < self.xmin || xid < self.xmax && self.running.binary_search(&xid).is_err()
    }
    pub fn decode(b: &[u8]) -> Result<Snapshot> {
        let (count, rest) = b.split_first_chunk::<4>().ok_or_else(bad_format)?;
        let count = usize::try_from(i32::from_be_bytes(*count)).map_err(|_| bad_format())?;
        let (words, []) = rest.as_chunks::<8>() else { return Err(bad_format()) };
        let words: Vec<u64> = words.iter().map(|w| u64::from_be_bytes(*w)).collect();
        let [xmin, xmax, list @ ..] = words.as_slice() else { return Err(bad_format()) };
        if list.len() != count || *xmin == 0 || xmax < xmin || *xmax > i64::MAX as u64 {
            return Err(bad_format());
        }
        let mut running: Vec<u64> = Vec::new();
        for v in list {
            if v < xmin || v >= xmax || running.last().is_some_and(|l| l > v) {
                return Err(bad_format());
            }
            if running.last() != Some(v) {
                running.push(*v);
            }
        }
        Ok(Snapshot { xmin: *xmin, xmax: *xmax, running })
    }
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.running.len() as u32).to_be_bytes());
        for v in [self.xmin, self.xmax].iter().chain(&self.running) {
            out.extend_from_slice(&v.to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn all_forms() {
        let s = Snapshot::parse("12:16:14,14,15").unwrap();
        assert_eq!(s.text(), "12:16:14,15");
        assert!(s.sees(11) && s.sees(13) && !s.sees(14) && !s.sees(16));
        let mut b = Vec::new();
        s.encode(&mut b);
        assert_eq!(Snapshot::decode(&b).unwrap().text(), s.text());
        for bad in ["12:11:", "0:1:", "12:16:17", "12:16:15,14", "12:13", "a:b:"] {
            assert!(Snapshot::parse(bad).is_err(), "{bad}");
        }
    }
}
