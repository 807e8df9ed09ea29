//! UUIDs of the extension uuid-ossp, which the server has anyway: by time, by name, constants (RFC 4122).
//!
//! Versions 1 have a random node, as that of no network card would: its multicast bit is set. Their clock counts on within a process, so no two are alike.
use super::registry::{OWN_OIDS, OwnRow, STRICT, VOLATILE};
use super::string::hashed;
use super::{Body, Datum};
use crate::env::Env;
use pamir_types::{Oid, Result, oid};
use std::sync::atomic::{AtomicU64, Ordering};

/// Between 1582-10-15, where such times begin, and 2000-01-01, in microseconds.
const GREGORIAN_TO_2000: i64 = 13_166_064_000_000_000;
const NAMESPACE: [u8; 16] =
    [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

fn namespace(n: u8) -> Result<Datum> {
    let mut v = NAMESPACE;
    v[3] += n;
    Ok(Datum::Uuid(v))
}
/// Puts version and variant into 16 bytes.
fn stamped(mut v: [u8; 16], version: u8) -> Datum {
    v[6] = v[6] & 0x0f | version << 4;
    v[8] = v[8] & 0x3f | 0x80;
    Datum::Uuid(v)
}
fn by_time(env: &mut dyn Env) -> Result<Datum> {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = (env.clock().saturating_add(GREGORIAN_TO_2000)).max(0) as u64 * 10;
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(now.max(last + 1)));
    let time = now.max(last.unwrap_or(0) + 1);
    let mut v = [0u8; 16];
    env.random_bytes(&mut v[8..])?;
    v[10] |= 1;
    v[..4].copy_from_slice(&(time as u32).to_be_bytes());
    v[4..6].copy_from_slice(&((time >> 32) as u16).to_be_bytes());
    v[6..8].copy_from_slice(&((time >> 48) as u16 & 0x0fff).to_be_bytes());
    Ok(stamped(v, 1))
}
fn by_name<H: sha1::Digest>(args: &[Datum], version: u8) -> Result<Datum> {
    let [Datum::Uuid(space), Datum::Text(name)] = args else {
        return Err(super::registry::bad_args("uuid_generate", args));
    };
    let hash = hashed::<H>(&[space.as_slice(), name.as_bytes()].concat())?;
    let mut v = [0u8; 16];
    for (to, from) in v.iter_mut().zip(hash.iter()) {
        *to = *from;
    }
    Ok(stamped(v, version))
}

const fn row<const N: Oid>(name: &'static str, args: &'static [Oid], flags: u8, body: Body) -> OwnRow {
    OwnRow { oid: OWN_OIDS + 240 + N, name, args, ret: oid::UUID, flags: STRICT | flags, body }
}
pub static OWN: &[OwnRow] = &[
    row::<0>("uuid_generate_v1", &[], VOLATILE, Body::scalar(|_, _, e| by_time(e))),
    row::<1>("uuid_generate_v1mc", &[], VOLATILE, Body::scalar(|_, _, e| by_time(e))),
    row::<2>("uuid_generate_v3", &[oid::UUID, oid::TEXT], 0, Body::scalar(|_, a, _| by_name::<md5::Md5>(a, 3))),
    row::<3>("uuid_generate_v5", &[oid::UUID, oid::TEXT], 0, Body::scalar(|_, a, _| by_name::<sha1::Sha1>(a, 5))),
    row::<4>("uuid_nil", &[], 0, Body::scalar(|_, _, _| Ok(Datum::Uuid([0; 16])))),
    row::<5>("uuid_ns_dns", &[], 0, Body::scalar(|_, _, _| namespace(0))),
    row::<6>("uuid_ns_url", &[], 0, Body::scalar(|_, _, _| namespace(1))),
    row::<7>("uuid_ns_oid", &[], 0, Body::scalar(|_, _, _| namespace(2))),
    row::<8>("uuid_ns_x500", &[], 0, Body::scalar(|_, _, _| namespace(4))),
];
