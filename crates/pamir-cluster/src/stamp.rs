//! When an entry was proposed.
//!
//! An entry's time is the leader's clock when it was proposed, and stands in its context:
//!
//! ```text
//!   context of an entry with records := version u8 = 1, time i64 little-endian (microseconds since 1970) | nothing: unknown
//! ```

const VERSION: u8 = 1;

/// The context of an entry that is proposed at `micros`.
pub fn stamp(micros: i64) -> Vec<u8> {
    let mut out = vec![VERSION];
    out.extend_from_slice(&micros.to_le_bytes());
    out
}
/// The time that a context says; 0: unknown.
pub fn time_of(context: &[u8]) -> i64 {
    match context {
        [VERSION, time @ ..] => time.try_into().map_or(0, i64::from_le_bytes),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_trip() {
        assert_eq!(time_of(&stamp(-77)), -77);
        let s = stamp(1 << 60);
        assert_eq!((time_of(&s), time_of(&s[..8]), time_of(&[]), time_of(&[9; 9])), (1 << 60, 0, 0, 0));
    }
}
