//! SCRAM-SHA-256 verifiers (RFC 5802, RFC 7677) as PostgreSQL stores them: `SCRAM-SHA-256$4096:salt$StoredKey:ServerKey`, parts in base64.
use pamir_expr::env::Env;
use pamir_types::Result;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use stringprep::tables;

/// PostgreSQL's scram_iterations.
pub const ITERATIONS: u32 = 4096;
const SALT: usize = 16;
const BLOCK: usize = 64;

pub fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut block = [0u8; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let (mut inner, mut outer) = (Sha256::new(), Sha256::new());
    inner.update(block.map(|b| b ^ 0x36));
    outer.update(block.map(|b| b ^ 0x5c));
    parts.iter().for_each(|p| inner.update(p));
    outer.update(inner.finalize());
    outer.finalize().into()
}
/// Hi(): PBKDF2 with HMAC-SHA-256, one block.
pub fn salted_password(password: &[u8], salt: &[u8], iterations: u32) -> [u8; 32] {
    let mut u = hmac(password, &[salt, &1u32.to_be_bytes()]);
    let mut out = u;
    for _ in 1..iterations {
        u = hmac(password, &[&u]);
        out.iter_mut().zip(u).for_each(|(o, u)| *o ^= u);
    }
    out
}
pub fn base64(b: &[u8]) -> String {
    const A: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut s = String::with_capacity(b.len().div_ceil(3) * 4);
    for c in b.chunks(3) {
        let n = c.iter().fold(0u32, |n, b| n << 8 | *b as u32) << (8 * (3 - c.len()));
        for i in 0..4 {
            let digit = A[(n >> (18 - 6 * i)) as usize & 63] as char;
            s.push(if i <= c.len() { digit } else { '=' });
        }
    }
    s
}
/// The verifier of a password with a given salt.
pub fn verifier_with(password: &str, salt: &[u8], iterations: u32) -> String {
    let salted = salted_password(password.as_bytes(), salt, iterations);
    let stored = Sha256::digest(hmac(&salted, &[b"Client Key"]));
    let server = hmac(&salted, &[b"Server Key"]);
    format!("SCRAM-SHA-256${iterations}:{}${}:{}", base64(salt), base64(&stored), base64(&server))
}
/// Is it a ready verifier (as pg_dumpall writes them)?
pub fn is_verifier(s: &str) -> bool {
    let Some(rest) = s.strip_prefix("SCRAM-SHA-256$") else { return false };
    let mut parts = rest.split('$');
    let (Some(a), Some(b), None) = (parts.next(), parts.next(), parts.next()) else { return false };
    let (Some((n, salt)), Some((stored, server))) = (a.split_once(':'), b.split_once(':')) else { return false };
    n.parse::<u32>().is_ok_and(|n| n > 0) && !salt.is_empty() && stored.len() == 44 && server.len() == 44
}
/// A password as both sides of SCRAM take it: by SASLprep (RFC 4013), or as it is where that refuses it or leaves nothing of it (PostgreSQL's pg_saslprep and those who
/// call it).
pub fn prepared(password: &str) -> Cow<'_, str> {
    // PostgreSQL looks for what is prohibited before it normalizes.
    let refused = |c| tables::change_display_properties_or_deprecated(c) || tables::unassigned_code_point(c);
    if password.chars().any(refused) {
        return Cow::Borrowed(password);
    }
    stringprep::saslprep(password).ok().filter(|p| !p.is_empty()).unwrap_or(Cow::Borrowed(password))
}
/// Is it what PostgreSQL stores with password_encryption = md5?
pub fn is_md5(s: &str) -> bool {
    s.strip_prefix("md5").is_some_and(|d| d.len() == 32 && d.bytes().all(|b| b.is_ascii_hexdigit()))
}
/// What to store for a password given in SQL.
pub fn to_store(password: &str, env: &mut dyn Env) -> Result<String> {
    if is_verifier(password) || is_md5(password) {
        return Ok(password.to_string());
    }
    let mut salt = [0u8; SALT];
    env.random_bytes(&mut salt)?;
    Ok(verifier_with(&prepared(password), &salt, ITERATIONS))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn base64_as_rfc_4648() {
        for (i, o) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(i.as_bytes()), o);
        }
    }
    /// RFC 7677's example: user "user", password "pencil".
    #[test]
    fn rfc_7677_example() {
        let salt = [0x5b, 0x6d, 0x99, 0x68, 0x9d, 0x12, 0x35, 0x8e, 0xec, 0xa0, 0x4b, 0x14, 0x12, 0x36, 0xfa, 0x81];
        assert_eq!(base64(&salt), "W22ZaJ0SNY7soEsUEjb6gQ==");
        let auth = "n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        let salted = salted_password(b"pencil", &salt, 4096);
        let server = hmac(&hmac(&salted, &[b"Server Key"]), &[auth.as_bytes()]);
        assert_eq!(base64(&server), "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        let v = verifier_with("pencil", &salt, 4096);
        assert!(is_verifier(&v));
        let env = &mut pamir_expr::no_session::NoSession::empty();
        assert_eq!(to_store(&v, env).unwrap(), v);
        assert_ne!(
            to_store("pencil", env).unwrap(),
            to_store("pencil", env).unwrap(),
            "every verifier has its own salt"
        );
        assert!(!is_verifier("SCRAM-SHA-256$4096:x$y:z"));
    }
    /// What PostgreSQL's pg_saslprep makes of them, and what it leaves as it is.
    #[test]
    fn passwords_are_prepared() {
        for (given, taken) in [
            ("pencil", "pencil"),
            ("I\u{ad}X", "IX"),
            ("\u{aa}", "a"),
            ("\u{2168}", "IX"),
            ("a\u{a0}b", "a b"),
            ("e\u{301}", "\u{e9}"),
            // Refused: a control character, both directions, an unassigned code point, nothing left.
            ("I\u{ad}X\u{7}", "I\u{ad}X\u{7}"),
            ("\u{627}\u{ad}1", "\u{627}\u{ad}1"),
            ("\u{221}\u{ad}", "\u{221}\u{ad}"),
            ("\u{ad}", "\u{ad}"),
            ("\u{340}\u{ad}", "\u{340}\u{ad}"),
        ] {
            assert_eq!(prepared(given), taken);
        }
    }
}
