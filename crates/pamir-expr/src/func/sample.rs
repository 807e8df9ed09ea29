//! TABLESAMPLE's two methods as a condition on a row's place.
//!
//! As PostgreSQL's, a row (BERNOULLI) or a block of rows (SYSTEM) is kept where a hash of its place and the seed is below the part that was asked for. Without REPEATABLE the
//! seed is the statement's time: each statement has its own sample, the same for all that it reads. Rows lie by their keys here, and a block is up to 256 neighbouring keys: which
//! rows a seed keeps is not what it keeps in PostgreSQL. What is wrong with an argument is found with the first row.
use super::*;
use pamir_types::{bail, oid};

pub const NAME: &str = "pamir_sample";
pub static OWN: &[registry::OwnRow] = &[registry::OwnRow {
    oid: registry::OWN_OIDS + 125,
    name: NAME,
    args: &[oid::BOOL, oid::FLOAT4, oid::BOOL, oid::FLOAT8, oid::TID],
    ret: oid::BOOL,
    flags: registry::STABLE,
    body: Body::scalar(keeps),
}];

/// The hashes below which a row is kept, of 2^32.
fn cutoff(percent: &Datum) -> Result<u64> {
    match percent {
        Datum::Float4(p) if (0.0..=100.0).contains(p) => {
            Ok((4_294_967_296.0 * f64::from(*p) / 100.0).round_ties_even() as u64)
        }
        Datum::Null => bail!(INVALID_TABLESAMPLE_ARGUMENT, "TABLESAMPLE parameter cannot be null"),
        _ => bail!(INVALID_TABLESAMPLE_ARGUMENT, "sample percentage must be between 0 and 100"),
    }
}
/// FNV-1a, its bits mixed once more.
fn hash(seed: u64, bytes: &[u8]) -> u32 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let fnv = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(PRIME);
    let h = seed.to_le_bytes().iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, fnv);
    let h = (h ^ h >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (h ^ h >> 33) as u32
}
fn keeps(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Bool(system), percent, Datum::Bool(repeatable), seed, place] = args else {
        return Err(registry::bad_args(NAME, args));
    };
    let cutoff = cutoff(percent)?;
    let seed = match seed {
        Datum::Float8(s) => (s + 0.0).to_bits(),
        _ if *repeatable => bail!(INVALID_TABLESAMPLE_REPEAT, "TABLESAMPLE REPEATABLE parameter cannot be null"),
        _ => env.statement_time() as u64,
    };
    let Datum::Bytea(key) = place else { return Err(registry::bad_args(NAME, args)) };
    let block = if *system { &key[..key.len().saturating_sub(1)] } else { &key[..] };
    Ok(Datum::Bool(u64::from(hash(seed, block)) < cutoff))
}
