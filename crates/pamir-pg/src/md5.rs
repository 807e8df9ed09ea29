//! MD5 password authentication, for roles whose stored password is PostgreSQL's older form: what pg_dumpall of such a role wrote.
//!
//! ```text
//! stored   "md5" hex(md5(password role))
//! server   AuthenticationMD5Password, 4 bytes of salt
//! client   "md5" hex(md5(hex(md5(password role)) salt))
//! ```
//! Who can read the stored form can log in with it; a new password is stored for SCRAM.
use md5::{Digest, Md5};

const PREFIX: &str = "md5";
/// Hexadecimal digits of a digest.
const DIGITS: usize = 32;

/// The digits of a stored password of this kind.
pub fn stored(verifier: &str) -> Option<&str> {
    verifier.strip_prefix(PREFIX).filter(|d| d.len() == DIGITS && d.bytes().all(|b| b.is_ascii_hexdigit()))
}
/// Is it what a client that knows the password answers?
pub fn is_answer(verifier: &str, salt: [u8; 4], answer: &[u8]) -> bool {
    let Some(digits) = stored(verifier) else { return false };
    let mut d = Md5::new();
    d.update(digits.to_ascii_lowercase());
    d.update(salt);
    let mut wanted = PREFIX.to_string();
    for b in d.finalize() {
        wanted.push_str(&format!("{b:02x}"));
    }
    // As long for every wrong answer.
    wanted.len() == answer.len() && std::iter::zip(wanted.bytes(), answer).fold(0, |d, (a, b)| d | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the password "secret" of "alice", by another implementation.
    #[test]
    fn answers() {
        let verifier = "md54a0a68b43b6cd5cf266fa02f196e2371";
        let answer = b"md598a0412b9c31436fc53776e863350083";
        assert!(stored(verifier).is_some());
        assert!(is_answer(verifier, [1, 2, 3, 4], answer));
        assert!(!is_answer(verifier, [1, 2, 3, 5], answer));
        assert!(!is_answer(verifier, [1, 2, 3, 4], b"md5"));
        assert!(!is_answer("secret", [1, 2, 3, 4], b"secret"));
        assert!(stored("md5short").is_none() && stored("md5zzbb2ae6a5e4a0d8c0fb80c8a4a1a3d6").is_none());
    }
}
