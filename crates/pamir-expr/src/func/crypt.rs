//! pgcrypto's passwords and raw encryption: `crypt` and `gen_salt` for bcrypt (`$2a$`) and MD5-crypt (`$1$`), `encrypt` and `decrypt` for AES in CBC and ECB mode.
//!
//! ```text
//!   $2a$06$salt, 22 of ./A-Za-z0-9   hash, 31 of them          bcrypt: 2^06 rounds (Provos and Mazieres, "A Future-Adaptable Password Scheme")
//!   $1$salt, up to 8$                hash, 22 of ./0-9A-Za-z   MD5-crypt: 1000 rounds (Kamp's, of FreeBSD)
//! ```
//!
//! A cost of 31 is days of work: others have their turn between rounds, and a cancel ends them.
//!
//! Limits: DES (two letters of salt), extended DES (`_`), `$2x$` and the other ciphers answer 0A000.
use super::string::bytes;
use super::{Datum, Env};
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use blowfish::Blowfish;
use md5::{Digest, Md5};
use pamir_types::{Error, Result, bail, err};

/// Of crypt(3).
const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Of bcrypt.
const BCRYPT_ALPHABET: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// What bcrypt encrypts.
const MAGIC: &[u8; 24] = b"OrpheanBeholderScryDoubt";
/// bcrypt looks at no more of a password, its end's NUL among them.
const MAX_KEY: usize = 72;
/// Rounds between two looks at whether the statement is to end: some two milliseconds.
const LOOK_EVERY: u64 = 16;
/// bcrypt's cost without a word.
const COST: i32 = 6;
const COSTS: std::ops::RangeInclusive<i32> = 4..=31;
const BLOCK: usize = 16;

fn invalid_salt() -> Error {
    err!(INVALID_PARAMETER_VALUE, "invalid salt")
}

// ---- bcrypt ----

/// Six bits a letter, the highest first; `n` letters.
fn encode(data: &[u8], n: usize) -> String {
    let bit = |i: usize| data.get(i / 8).map_or(0, |b| b >> (7 - i % 8) & 1);
    let letter = |l: usize| (0..6).fold(0u8, |v, b| v << 1 | bit(l * 6 + b));
    (0..n).map(|l| char::from(BCRYPT_ALPHABET[usize::from(letter(l))])).collect()
}
/// 16 bytes of 22 letters.
fn decode(s: &[u8]) -> Result<[u8; 16]> {
    let mut out = [0u8; 17];
    for (l, c) in s.iter().enumerate() {
        let v = BCRYPT_ALPHABET.iter().position(|a| a == c).ok_or_else(invalid_salt)?;
        for b in (0..6).filter(|b| v >> (5 - b) & 1 == 1) {
            let at = l * 6 + b;
            out[at / 8] |= 0x80 >> (at % 8);
        }
    }
    let mut salt = [0; 16];
    salt.copy_from_slice(&out[..16]);
    Ok(salt)
}
fn bcrypt(password: &str, setting: &str, env: &mut dyn Env) -> Result<String> {
    let s = setting.as_bytes();
    if s.len() < 29 || !s[4].is_ascii_digit() || !s[5].is_ascii_digit() || s[6] != b'$' {
        return Err(invalid_salt());
    }
    let cost = i32::from(s[4] - b'0') * 10 + i32::from(s[5] - b'0');
    if !COSTS.contains(&cost) {
        return Err(invalid_salt());
    }
    let salt = decode(&s[7..29])?;
    let mut key = password.as_bytes().to_vec();
    key.push(0);
    key.truncate(MAX_KEY);
    let mut state = <Blowfish>::bc_init_state();
    state.salted_expand_key(&salt, &key);
    for round in 0..1u64 << cost {
        if round.is_multiple_of(LOOK_EVERY) {
            pamir_types::work::breathe()?;
            env.check_cancel()?;
        }
        state.bc_expand_key(&key);
        state.bc_expand_key(&salt);
    }
    let mut out = [0u8; 24];
    for (from, to) in MAGIC.chunks_exact(8).zip(out.chunks_exact_mut(8)) {
        let word = |at: usize| u32::from_be_bytes([from[at], from[at + 1], from[at + 2], from[at + 3]]);
        let mut lr = [word(0), word(4)];
        for _ in 0..64 {
            lr = state.bc_encrypt(lr);
        }
        to[..4].copy_from_slice(&lr[0].to_be_bytes());
        to[4..].copy_from_slice(&lr[1].to_be_bytes());
    }
    Ok(format!("{}{}{}", &setting[..7], encode(&salt, 22), encode(&out[..23], 31)))
}

// ---- MD5-crypt ----

/// `n` letters of six bits, the lowest first.
fn letters(mut v: u32, n: usize, out: &mut String) {
    for _ in 0..n {
        out.push(char::from(ALPHABET[(v & 63) as usize]));
        v >>= 6;
    }
}
fn md5_crypt(password: &str, setting: &str) -> Result<String> {
    const ROUNDS: usize = 1000;
    let p = password.as_bytes();
    let rest = setting.as_bytes().get(3..).unwrap_or_default();
    let salt = rest.split(|c| *c == b'$').next().unwrap_or_default();
    let salt = salt.get(..8).unwrap_or(salt);
    let inner = Md5::new().chain_update(p).chain_update(salt).chain_update(p).finalize();
    let mut h = Md5::new().chain_update(p).chain_update(b"$1$").chain_update(salt);
    for at in (0..p.len()).step_by(16) {
        h.update(&inner[..(p.len() - at).min(16)]);
    }
    let mut n = p.len();
    while n > 0 {
        h.update(if n & 1 == 1 { &[0][..] } else { p.get(..1).unwrap_or_default() });
        n >>= 1;
    }
    let mut last = h.finalize();
    for i in 0..ROUNDS {
        // A round reads the password, however long.
        pamir_types::work::charge(p.len())?;
        let mut h = Md5::new();
        h.update(if i & 1 == 1 { p } else { &last });
        if i % 3 != 0 {
            h.update(salt);
        }
        if i % 7 != 0 {
            h.update(p);
        }
        h.update(if i & 1 == 1 { &last[..] } else { p });
        last = h.finalize();
    }
    let mut out = format!("$1${}$", String::from_utf8_lossy(salt));
    for (a, b, c) in [(0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5)] {
        letters(u32::from(last[a]) << 16 | u32::from(last[b]) << 8 | u32::from(last[c]), 4, &mut out);
    }
    letters(u32::from(last[11]), 2, &mut out);
    Ok(out)
}

/// crypt(password, salt): the salt may be a hash that was stored.
pub(super) fn crypt(password: &str, setting: &str, env: &mut dyn Env) -> Result<Datum> {
    let hash = match setting {
        s if s.starts_with("$2a$") && s.is_ascii() => bcrypt(password, s, env)?,
        s if s.starts_with("$2a$") => return Err(invalid_salt()),
        s if s.starts_with("$1$") => md5_crypt(password, s)?,
        s if s.starts_with("$2$") => bail!(EXTERNAL_ROUTINE_INVOCATION_EXCEPTION, "crypt(3) returned NULL"),
        _ => return Err(Error::unsupported("crypt with DES or $2x$")),
    };
    Ok(Datum::from(hash.as_str()))
}
/// gen_salt(type [, cost]); a cost of 0 is none.
pub(super) fn gen_salt(kind: &str, cost: i32, env: &mut dyn Env) -> Result<Datum> {
    let mut random = [0u8; 16];
    let salt = match kind.to_ascii_lowercase().as_str() {
        "bf" => {
            let cost = if cost == 0 { COST } else { cost };
            if !COSTS.contains(&cost) {
                bail!(INVALID_PARAMETER_VALUE, "gen_salt: Incorrect number of rounds");
            }
            env.random_bytes(&mut random)?;
            format!("$2a${cost:02}${}", encode(&random, 22))
        }
        "md5" => {
            env.random_bytes(&mut random)?;
            let mut salt = String::from("$1$");
            for three in random[..6].chunks_exact(3) {
                letters(u32::from(three[0]) | u32::from(three[1]) << 8 | u32::from(three[2]) << 16, 4, &mut salt);
            }
            salt
        }
        k @ ("des" | "xdes") => return Err(Error::unsupported(format!("gen_salt('{k}')"))),
        _ => bail!(INVALID_PARAMETER_VALUE, "gen_salt: Unknown salt algorithm"),
    };
    Ok(Datum::from(salt.as_str()))
}

// ---- raw encryption ----

enum Aes {
    Short(Aes128),
    Middle(Aes192),
    Long(Aes256),
}
impl Aes {
    /// Keys are filled up with zeros to the next size there is; what is longer than the longest is cut.
    fn new(key: &[u8]) -> Aes {
        let mut k = [0u8; 32];
        let n = key.len().min(32);
        k[..n].copy_from_slice(&key[..n]);
        let (mut short, mut middle) = ([0u8; 16], [0u8; 24]);
        short.copy_from_slice(&k[..16]);
        middle.copy_from_slice(&k[..24]);
        match n {
            0..=16 => Aes::Short(Aes128::new(&short.into())),
            17..=24 => Aes::Middle(Aes192::new(&middle.into())),
            _ => Aes::Long(Aes256::new(&k.into())),
        }
    }
    fn turn(&self, b: &mut [u8; BLOCK], back: bool) {
        let mut block = (*b).into();
        match (self, back) {
            (Aes::Short(a), false) => a.encrypt_block(&mut block),
            (Aes::Middle(a), false) => a.encrypt_block(&mut block),
            (Aes::Long(a), false) => a.encrypt_block(&mut block),
            (Aes::Short(a), true) => a.decrypt_block(&mut block),
            (Aes::Middle(a), true) => a.decrypt_block(&mut block),
            (Aes::Long(a), true) => a.decrypt_block(&mut block),
        }
        b.copy_from_slice(&block);
    }
}
/// A cipher as it is written: `aes`, `aes-ecb/pad:none`.
struct How {
    chained: bool,
    padded: bool,
}
fn how(name: &str) -> Result<How> {
    let name = name.to_ascii_lowercase();
    let cannot = |why: &str| err!(INVALID_PARAMETER_VALUE, "Cannot use \"{name}\": {why}");
    let (cipher, options) = name.split_once('/').unwrap_or((&name, ""));
    let mut padded = true;
    for o in options.split('/').filter(|o| !o.is_empty()) {
        match o.split_once(':') {
            Some(("pad", "pkcs")) => padded = true,
            Some(("pad", "none")) => padded = false,
            Some(("pad", _)) => return Err(cannot("Everything ok")),
            Some(_) => return Err(cannot("Unknown option")),
            None => return Err(cannot("Badly formatted type")),
        }
    }
    let chained = match cipher {
        "aes" | "aes-cbc" | "rijndael" | "rijndael-cbc" => true,
        "aes-ecb" | "rijndael-ecb" => false,
        c if ["bf", "blowfish", "des", "3des", "cast5"].contains(&c.split('-').next().unwrap_or(c)) => {
            return Err(Error::unsupported(format!("cipher \"{c}\"")));
        }
        _ => return Err(cannot("No such cipher algorithm")),
    };
    Ok(How { chained, padded })
}
fn xor(a: &mut [u8; BLOCK], b: &[u8; BLOCK]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}
fn first(iv: &[u8]) -> [u8; BLOCK] {
    let mut out = [0; BLOCK];
    out.iter_mut().zip(iv).for_each(|(a, b)| *a = *b);
    out
}
fn failed(function: &str, how: &str) -> Error {
    err!(EXTERNAL_ROUTINE_INVOCATION_EXCEPTION, "{function} error: {how}")
}
/// encrypt, encrypt_iv
pub(super) fn encrypt(function: &str, data: &[u8], key: &[u8], iv: &[u8], kind: &str) -> Result<Datum> {
    let How { chained, padded } = how(kind)?;
    let mut data = data.to_vec();
    if padded {
        let n = BLOCK - data.len() % BLOCK;
        data.resize(data.len() + n, n as u8);
    }
    let (blocks, rest) = data.as_chunks_mut::<BLOCK>();
    if !rest.is_empty() {
        return Err(failed(function, "Encryption failed"));
    }
    let (aes, mut last) = (Aes::new(key), first(iv));
    for b in blocks {
        if chained {
            xor(b, &last);
        }
        aes.turn(b, false);
        last = *b;
    }
    Ok(bytes(&data))
}
/// decrypt, decrypt_iv
pub(super) fn decrypt(function: &str, data: &[u8], key: &[u8], iv: &[u8], kind: &str) -> Result<Datum> {
    let How { chained, padded } = how(kind)?;
    let mut data = data.to_vec();
    let (blocks, rest) = data.as_chunks_mut::<BLOCK>();
    if !rest.is_empty() {
        return Err(failed(function, "Decryption failed"));
    }
    let (aes, mut last) = (Aes::new(key), first(iv));
    for b in blocks {
        let coded = *b;
        aes.turn(b, true);
        if chained {
            xor(b, &last);
        }
        last = coded;
    }
    if padded && !data.is_empty() {
        let n = usize::from(data[data.len() - 1]);
        let ends = data.len().checked_sub(n).and_then(|at| data.get(at..)).unwrap_or_default();
        if n == 0 || n > BLOCK || ends.is_empty() || ends.iter().any(|b| usize::from(*b) != n) {
            return Err(failed(function, "Decryption failed"));
        }
        data.truncate(data.len() - n);
    }
    Ok(bytes(&data))
}
