//! Hashes and random bytes of the extension pgcrypto, which counts as installed.
//!
//! `digest` and `hmac` know MD5, SHA-1 and the SHA-2 family. PostgreSQL takes whatever its OpenSSL has by name; those names answer 0A000 here, names
//! that no library knows 22023 as there. `crypt.rs` has passwords and raw encryption. What else the extension has (PGP) resolves and answers 0A000 when called.
use super::registry::{OWN_OIDS, OwnRow, STRICT, VOLATILE, func_body, missing};
use super::string::{bytes, hashed};
use super::{Body, Datum, crypt};
use hmac::{Hmac, KeyInit, Mac};
use pamir_types::{Error, Oid, Result, bail, oid};

const TEXT_ARRAY: Oid = 1009;
/// What gen_random_bytes may be asked for at once.
const MAX_RANDOM_BYTES: i32 = 1024;
/// Hashes of OpenSSL that are not there yet, by the beginnings of their names.
const OTHER_HASHES: &[&str] = &[
    "sha3-",
    "shake",
    "keccak-",
    "blake2",
    "ripemd",
    "rmd160",
    "sm3",
    "md4",
    "md5-sha1",
    "mdc2",
    "whirlpool",
    "rsa-",
    "ssl3-",
];

#[derive(Clone, Copy)]
enum Hash {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512Of224,
    Sha512Of256,
}

/// The hash of a name, in any case.
fn hash(name: &str) -> Result<Hash> {
    let name = name.to_ascii_lowercase();
    Ok(match name.as_str() {
        "md5" => Hash::Md5,
        "sha1" | "sha-1" => Hash::Sha1,
        "sha224" | "sha-224" | "sha2-224" => Hash::Sha224,
        "sha256" | "sha-256" | "sha2-256" => Hash::Sha256,
        "sha384" | "sha-384" | "sha2-384" => Hash::Sha384,
        "sha512" | "sha-512" | "sha2-512" => Hash::Sha512,
        "sha512-224" | "sha-512/224" | "sha2-512/224" => Hash::Sha512Of224,
        "sha512-256" | "sha-512/256" | "sha2-512/256" => Hash::Sha512Of256,
        n if OTHER_HASHES.iter().any(|o| n.starts_with(o)) => {
            return Err(Error::unsupported(format!("hash algorithm \"{name}\"")));
        }
        _ => bail!(INVALID_PARAMETER_VALUE, "Cannot use \"{name}\": No such hash algorithm"),
    })
}
fn digest(data: &[u8], name: &str) -> Result<Datum> {
    Ok(match hash(name)? {
        Hash::Md5 => bytes(&hashed::<md5::Md5>(data)?),
        Hash::Sha1 => bytes(&hashed::<sha1::Sha1>(data)?),
        Hash::Sha224 => bytes(&hashed::<sha2::Sha224>(data)?),
        Hash::Sha256 => bytes(&hashed::<sha2::Sha256>(data)?),
        Hash::Sha384 => bytes(&hashed::<sha2::Sha384>(data)?),
        Hash::Sha512 => bytes(&hashed::<sha2::Sha512>(data)?),
        Hash::Sha512Of224 => bytes(&hashed::<sha2::Sha512_224>(data)?),
        Hash::Sha512Of256 => bytes(&hashed::<sha2::Sha512_256>(data)?),
    })
}
fn hmac(data: &[u8], key: &[u8], name: &str) -> Result<Datum> {
    fn keyed<M: Mac + KeyInit>(data: &[u8], key: &[u8]) -> Result<Datum> {
        let mac = <M as KeyInit>::new_from_slice(key).map_err(|e| Error::internal(format!("HMAC key: {e}")))?;
        Ok(bytes(&mac.chain_update(data).finalize().into_bytes()))
    }
    match hash(name)? {
        Hash::Md5 => keyed::<Hmac<md5::Md5>>(data, key),
        Hash::Sha1 => keyed::<Hmac<sha1::Sha1>>(data, key),
        Hash::Sha224 => keyed::<Hmac<sha2::Sha224>>(data, key),
        Hash::Sha256 => keyed::<Hmac<sha2::Sha256>>(data, key),
        Hash::Sha384 => keyed::<Hmac<sha2::Sha384>>(data, key),
        Hash::Sha512 => keyed::<Hmac<sha2::Sha512>>(data, key),
        Hash::Sha512Of224 => keyed::<Hmac<sha2::Sha512_224>>(data, key),
        Hash::Sha512Of256 => keyed::<Hmac<sha2::Sha512_256>>(data, key),
    }
}
fn random_bytes(n: i32, env: &mut dyn super::Env) -> Result<Datum> {
    if !(1..=MAX_RANDOM_BYTES).contains(&n) {
        bail!(EXTERNAL_ROUTINE_INVOCATION_EXCEPTION, "Length not in range");
    }
    let mut b = vec![0u8; n as usize];
    env.random_bytes(&mut b)?;
    Ok(bytes(&b))
}

const fn row<const N: Oid>(name: &'static str, args: &'static [Oid], ret: Oid, flags: u8, body: Body) -> OwnRow {
    OwnRow { oid: N, name, args, ret, flags: STRICT | flags, body }
}
/// One that is not there yet.
const fn owed<const N: Oid>(name: &'static str, args: &'static [Oid], ret: Oid, flags: u8) -> OwnRow {
    row::<N>(name, args, ret, flags, Body::scalar(missing::<N>))
}

pub static OWN: &[OwnRow] = &[
    row::<{ OWN_OIDS + 200 }>(
        "digest",
        &[oid::TEXT, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(digest (s: Text, h: Text) => digest(s.as_bytes(), h)),
    ),
    row::<{ OWN_OIDS + 201 }>(
        "digest",
        &[oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(digest (s: Bytea, h: Text) => digest(s, h)),
    ),
    row::<{ OWN_OIDS + 202 }>(
        "hmac",
        &[oid::TEXT, oid::TEXT, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(hmac (s: Text, k: Text, h: Text) => hmac(s.as_bytes(), k.as_bytes(), h)),
    ),
    row::<{ OWN_OIDS + 203 }>(
        "hmac",
        &[oid::BYTEA, oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(hmac (s: Bytea, k: Bytea, h: Text) => hmac(s, k, h)),
    ),
    row::<{ OWN_OIDS + 204 }>(
        "gen_random_bytes",
        &[oid::INT4],
        oid::BYTEA,
        VOLATILE,
        func_body!(gen_random_bytes (_ci env; n: Int4) => random_bytes(*n, env)),
    ),
    owed::<{ OWN_OIDS + 205 }>("armor", &[oid::BYTEA], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 206 }>("armor", &[oid::BYTEA, TEXT_ARRAY, TEXT_ARRAY], oid::TEXT, 0),
    row::<{ OWN_OIDS + 207 }>(
        "crypt",
        &[oid::TEXT, oid::TEXT],
        oid::TEXT,
        0,
        func_body!(crypt (_ci env; p: Text, s: Text) => crypt::crypt(p, s, env)),
    ),
    owed::<{ OWN_OIDS + 208 }>("dearmor", &[oid::TEXT], oid::BYTEA, 0),
    row::<{ OWN_OIDS + 209 }>(
        "decrypt",
        &[oid::BYTEA, oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(decrypt (d: Bytea, k: Bytea, t: Text) => crypt::decrypt("decrypt", d, k, &[], t)),
    ),
    row::<{ OWN_OIDS + 210 }>(
        "decrypt_iv",
        &[oid::BYTEA, oid::BYTEA, oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(decrypt_iv (d: Bytea, k: Bytea, iv: Bytea, t: Text) => crypt::decrypt("decrypt_iv", d, k, iv, t)),
    ),
    row::<{ OWN_OIDS + 211 }>(
        "encrypt",
        &[oid::BYTEA, oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(encrypt (d: Bytea, k: Bytea, t: Text) => crypt::encrypt("encrypt", d, k, &[], t)),
    ),
    row::<{ OWN_OIDS + 212 }>(
        "encrypt_iv",
        &[oid::BYTEA, oid::BYTEA, oid::BYTEA, oid::TEXT],
        oid::BYTEA,
        0,
        func_body!(encrypt_iv (d: Bytea, k: Bytea, iv: Bytea, t: Text) => crypt::encrypt("encrypt_iv", d, k, iv, t)),
    ),
    row::<{ OWN_OIDS + 213 }>(
        "gen_salt",
        &[oid::TEXT],
        oid::TEXT,
        VOLATILE,
        func_body!(gen_salt (_ci env; t: Text) => crypt::gen_salt(t, 0, env)),
    ),
    row::<{ OWN_OIDS + 214 }>(
        "gen_salt",
        &[oid::TEXT, oid::INT4],
        oid::TEXT,
        VOLATILE,
        func_body!(gen_salt (_ci env; t: Text, n: Int4) => crypt::gen_salt(t, *n, env)),
    ),
    owed::<{ OWN_OIDS + 215 }>("pgp_key_id", &[oid::BYTEA], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 216 }>("pgp_pub_decrypt", &[oid::BYTEA, oid::BYTEA], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 217 }>("pgp_pub_decrypt", &[oid::BYTEA, oid::BYTEA, oid::TEXT], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 218 }>("pgp_pub_decrypt", &[oid::BYTEA, oid::BYTEA, oid::TEXT, oid::TEXT], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 219 }>("pgp_pub_decrypt_bytea", &[oid::BYTEA, oid::BYTEA], oid::BYTEA, 0),
    owed::<{ OWN_OIDS + 220 }>("pgp_pub_decrypt_bytea", &[oid::BYTEA, oid::BYTEA, oid::TEXT], oid::BYTEA, 0),
    owed::<{ OWN_OIDS + 221 }>("pgp_pub_decrypt_bytea", &[oid::BYTEA, oid::BYTEA, oid::TEXT, oid::TEXT], oid::BYTEA, 0),
    owed::<{ OWN_OIDS + 222 }>("pgp_pub_encrypt", &[oid::TEXT, oid::BYTEA], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 223 }>("pgp_pub_encrypt", &[oid::TEXT, oid::BYTEA, oid::TEXT], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 224 }>("pgp_pub_encrypt_bytea", &[oid::BYTEA, oid::BYTEA], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 225 }>("pgp_pub_encrypt_bytea", &[oid::BYTEA, oid::BYTEA, oid::TEXT], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 226 }>("pgp_sym_decrypt", &[oid::BYTEA, oid::TEXT], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 227 }>("pgp_sym_decrypt", &[oid::BYTEA, oid::TEXT, oid::TEXT], oid::TEXT, 0),
    owed::<{ OWN_OIDS + 228 }>("pgp_sym_decrypt_bytea", &[oid::BYTEA, oid::TEXT], oid::BYTEA, 0),
    owed::<{ OWN_OIDS + 229 }>("pgp_sym_decrypt_bytea", &[oid::BYTEA, oid::TEXT, oid::TEXT], oid::BYTEA, 0),
    owed::<{ OWN_OIDS + 230 }>("pgp_sym_encrypt", &[oid::TEXT, oid::TEXT], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 231 }>("pgp_sym_encrypt", &[oid::TEXT, oid::TEXT, oid::TEXT], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 232 }>("pgp_sym_encrypt_bytea", &[oid::BYTEA, oid::TEXT], oid::BYTEA, VOLATILE),
    owed::<{ OWN_OIDS + 233 }>("pgp_sym_encrypt_bytea", &[oid::BYTEA, oid::TEXT, oid::TEXT], oid::BYTEA, VOLATILE),
];
