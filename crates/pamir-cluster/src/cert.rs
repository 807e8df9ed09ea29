//! Certificates of nodes: a private authority (CA) of one cluster, and what it signs.
//!
//! ```text
//!   DIR/ca.crt          the authority's certificate: every node has a copy, and trusts what it signed and nothing else
//!   DIR/ca.key          its key (0600): where nodes' certificates are made, on no node
//!   DIR/node-NAME.crt   a node's certificate, signed by the authority: for the hosts and addresses under which others dial it
//!   DIR/node-NAME.key   the node's key (0600)
//! ```
//! A node's certificate serves both ends of a connection. Keys are ECDSA over P-256. An authority's name ends in random digits, so that two clusters' authorities have two names.
//!
//! *Invariants*: no file is ever overwritten; a key is never readable by others, not even while it is written. Nothing here asks whether a certificate is valid: that is rustls's work
//! (`transport/tls.rs`). [`Certificate`] reads what a message to people needs.
//!
//! Limits: at most [`MAX_DAYS`]; no revocation (a node that must not come back is removed from the cluster, which refuses its id); authorities made by other programs sign nodes' certificates
//! elsewhere, and are trusted like ours.
use pamir_error::{Error, Result, err};
use pamir_storage::platform::{Platform, Real};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest validity that can be asked for: a hundred years.
pub const MAX_DAYS: u32 = 36_525;
/// The longest name of a node in its files and its certificate.
pub const MAX_NAME: usize = 64;
/// The files of an authority.
pub const CA_CERTIFICATE: &str = "ca.crt";
pub const CA_KEY: &str = "ca.key";
/// What an authority's name begins with.
const CA_NAME: &str = "Pamir cluster CA ";
/// By how much a certificate is valid before it was made: nodes' clocks differ.
const BACKDATED: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);
/// No larger file is read as a certificate or a key.
const MAX_FILE: u64 = 1 << 20;

/// The paths of a node's certificate and key.
pub fn node_files(dir: &Path, name: &str) -> (PathBuf, PathBuf) {
    (dir.join(format!("node-{name}.crt")), dir.join(format!("node-{name}.key")))
}

/// Makes an authority in `dir`, which is made if it is not there. An existing file is 55000, one that cannot be written 58030.
pub fn make_ca(dir: &Path, days: u32) -> Result<Certificate> {
    let until = until(SystemTime::now(), days)?;
    fs::create_dir_all(dir).map_err(|e| io("create directory", dir, e))?;
    let mut random = [0; 8];
    Real.random(&mut random)?;
    let mut params =
        params(&format!("{CA_NAME}{:016x}", u64::from_le_bytes(random)), &[], SystemTime::now() - BACKDATED, until)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let key = KeyPair::generate().map_err(|e| made("the CA's key", e))?;
    let certificate = params.self_signed(&key).map_err(|e| made("the CA's certificate", e))?;
    write_pair((&dir.join(CA_CERTIFICATE), &certificate.pem()), (&dir.join(CA_KEY), &key.serialize_pem()))?;
    Certificate::read(certificate.der())
}

/// Makes a node's certificate, signed by the authority in `dir`, for the hosts and IP addresses under which other nodes dial it.
pub fn make_node(dir: &Path, name: &str, hosts: &[String], days: u32) -> Result<Certificate> {
    make_node_between(dir, name, hosts, SystemTime::now() - BACKDATED, until(SystemTime::now(), days)?)
}
/// The same, valid from one time to another.
pub(crate) fn make_node_between(
    dir: &Path,
    name: &str,
    hosts: &[String],
    from: SystemTime,
    until: SystemTime,
) -> Result<Certificate> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(plain) {
        return Err(err!(INVALID_PARAMETER_VALUE, "\"{}\" is no name for a node's certificate", name.escape_debug())
            .detail(format!("A name has 1 to {MAX_NAME} letters, digits, dots, hyphens and underscores.")));
    }
    if hosts.is_empty() {
        return Err(err!(INVALID_PARAMETER_VALUE, "a node's certificate needs a host name or an IP address")
            .hint("Name all the hosts and addresses under which other nodes dial this one."));
    }
    let (ca_path, ca_key_path) = (dir.join(CA_CERTIFICATE), dir.join(CA_KEY));
    let ca_der = one_certificate(&ca_path)?;
    let ca_key = KeyPair::from_pem(&read(&ca_key_path)?).map_err(|e| bad(&ca_key_path, e))?;
    let ca = Certificate::read(&ca_der).map_err(|e| bad(&ca_path, e.message()))?;
    if !ca.name.starts_with(CA_NAME) || !contains(&ca_der, ca_key.public_key_raw()) {
        return Err(bad(&ca_path, format!("it was not made together with \"{}\"", ca_key_path.display())));
    }
    let mut issuer = CertificateParams::default();
    issuer.distinguished_name = named(&ca.name);
    issuer.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let issuer = Issuer::new(issuer, ca_key);
    // Past its authority's end a certificate is worth nothing: it says so itself.
    let mut params = params(name, hosts, from, until.min(at(ca.not_after)))?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    params.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate().map_err(|e| made("the node's key", e))?;
    let certificate = params.signed_by(&key, &issuer).map_err(|e| made("the node's certificate", e))?;
    let (path, key_path) = node_files(dir, name);
    write_pair((&path, &certificate.pem()), (&key_path, &key.serialize_pem()))?;
    Certificate::read(certificate.der())
}

fn until(now: SystemTime, days: u32) -> Result<SystemTime> {
    if days == 0 || days > MAX_DAYS {
        return Err(err!(INVALID_PARAMETER_VALUE, "a certificate is valid for 1 to {MAX_DAYS} days, not for {days}"));
    }
    Ok(now + DAY * days)
}
fn at(seconds: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds.max(0) as u64)
}
fn named(name: &str) -> DistinguishedName {
    let mut n = DistinguishedName::new();
    n.push(DnType::CommonName, name);
    n
}
fn params(name: &str, hosts: &[String], from: SystemTime, until: SystemTime) -> Result<CertificateParams> {
    let since = |t: SystemTime| t.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut p = CertificateParams::new(hosts)
        .map_err(|e| err!(INVALID_PARAMETER_VALUE, "could not name the certificate's hosts: {e}"))?;
    p.distinguished_name = named(name);
    p.not_before = rcgen::date_time_ymd(1970, 1, 1) + since(from);
    p.not_after = rcgen::date_time_ymd(1970, 1, 1) + since(until);
    Ok(p)
}

fn made(what: &str, e: rcgen::Error) -> Error {
    err!(SYSTEM_ERROR, "could not make {what}: {e}")
}
fn io(what: &str, path: &Path, e: std::io::Error) -> Error {
    err!(IO_ERROR, "could not {what} \"{}\": {e}", path.display())
}
fn bad(path: &Path, e: impl std::fmt::Display) -> Error {
    err!(CONFIG_FILE_ERROR, "could not load \"{}\": {e}", path.display())
}

/// Both files or none of them: what stands is never replaced.
fn write_pair(certificate: (&Path, &str), key: (&Path, &str)) -> Result<()> {
    write_new(key.0, key.1, 0o600)?;
    write_new(certificate.0, certificate.1, 0o644).inspect_err(|_| {
        // The key that was just made belongs to nothing.
        let _ = fs::remove_file(key.0);
    })
}
fn write_new(path: &Path, text: &str, mode: u32) -> Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let mut file = file.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "file \"{}\" exists", path.display())
            .hint("Certificates and keys are never overwritten. Move the old file away first if it is no longer used."),
        _ => io("create file", path, e),
    })?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|e| {
        let _ = fs::remove_file(path);
        io("write file", path, e)
    })
}

fn read(path: &Path) -> Result<String> {
    let size = fs::metadata(path).map_err(|e| bad(path, e))?.len();
    if size > MAX_FILE {
        return Err(bad(path, format!("it has {size} bytes, more than any certificate or key")));
    }
    fs::read_to_string(path).map_err(|e| bad(path, e))
}
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let text = read(path)?;
    let all: Vec<_> =
        CertificateDer::pem_slice_iter(text.as_bytes()).collect::<Result<_, _>>().map_err(|e| bad(path, e))?;
    if all.is_empty() { Err(bad(path, "no certificate found")) } else { Ok(all) }
}
fn one_certificate(path: &Path) -> Result<CertificateDer<'static>> {
    certificates(path)?.into_iter().next().ok_or_else(|| bad(path, "no certificate found"))
}
fn contains(all: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && all.windows(part.len()).any(|w| w == part)
}

/// What a node needs to prove who it is, and to tell who others are.
pub struct NodeCertificates {
    /// The authorities that are trusted.
    pub ca: Vec<CertificateDer<'static>>,
    /// The node's own, and what lies between it and the authority.
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
    /// The node's own, as people read it.
    pub own: Certificate,
}

/// F0000 with the file's name when one cannot be read or holds nothing. Whether the key belongs to the certificate, rustls says.
pub fn load(ca: &Path, certificate: &Path, key: &Path) -> Result<NodeCertificates> {
    let chain = certificates(certificate)?;
    let first: &[u8] = chain.first().map_or(&[], |c| &c[..]);
    let own = Certificate::read(first).map_err(|e| bad(certificate, e.message()))?;
    let ca = certificates(ca)?;
    let key = PrivateKeyDer::from_pem_slice(read(key)?.as_bytes()).map_err(|e| bad(key, e))?;
    Ok(NodeCertificates { ca, chain, key, own })
}

/// Until when a file's first certificate is valid, and for whom it is.
pub fn inspect(path: &Path) -> Result<Certificate> {
    Certificate::read(&one_certificate(path)?).map_err(|e| bad(path, e.message()))
}

/// What people want to know of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The subject's common name; empty if it has none.
    pub name: String,
    /// Seconds since 1970-01-01 UTC.
    pub not_before: i64,
    pub not_after: i64,
}

const INTEGER: u8 = 2;
const OBJECT_IDENTIFIER: u8 = 6;
const UTF8_STRING: u8 = 12;
const PRINTABLE_STRING: u8 = 19;
const UTC_TIME: u8 = 23;
const GENERALIZED_TIME: u8 = 24;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// Of a certificate's version, which stands before the serial number.
const CONTEXT_0: u8 = 0xa0;
/// 2.5.4.3
const COMMON_NAME: [u8; 3] = [0x55, 4, 3];

/// The DER element at the start of `b`: tag, value, and what follows.
fn element(b: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = b.split_first()?;
    let (&n, rest) = rest.split_first()?;
    let (len, rest) = match n {
        0..=0x7f => (usize::from(n), rest),
        0x81..=0x84 => {
            let (len, rest) = rest.split_at_checked(usize::from(n & 0x7f))?;
            (len.iter().fold(0, |l, b| l << 8 | usize::from(*b)), rest)
        }
        _ => return None,
    };
    let (value, rest) = rest.split_at_checked(len)?;
    Some((tag, value, rest))
}
/// The same, of one tag: value and what follows.
fn tagged(b: &[u8], want: u8) -> Option<(&[u8], &[u8])> {
    element(b).and_then(|(tag, value, rest)| (tag == want).then_some((value, rest)))
}

/// Seconds since 1970-01-01 UTC of YYMMDDhhmmssZ or YYYYMMDDhhmmssZ (RFC 5280, 4.1.2.5).
fn time(tag: u8, text: &[u8]) -> Option<i64> {
    let digits = text.strip_suffix(b"Z")?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |from: usize, n: usize| -> Option<i64> {
        Some(digits.get(from..from + n)?.iter().fold(0, |v, b| v * 10 + i64::from(b - b'0')))
    };
    let (year, rest) = match (tag, digits.len()) {
        (UTC_TIME, 12) => (number(0, 2).map(|y| if y < 50 { 2000 + y } else { 1900 + y })?, 2),
        (GENERALIZED_TIME, 14) => (number(0, 4)?, 4),
        _ => return None,
    };
    let part = |i: usize| number(rest + 2 * i, 2);
    let (month, day) = (part(0)?, part(1)?);
    if !(1..=12).contains(&month) {
        return None;
    }
    Some(days_from_civil(year, month, day) * 86_400 + part(2)? * 3600 + part(3)? * 60 + part(4)?)
}
/// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
/// A time as messages have it: `2026-11-24 15:39:04 UTC`.
pub fn shown(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400) + 719_468, seconds.rem_euclid(86_400));
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * m + 2) / 5 + 1, if m < 10 { m + 3 } else { m - 9 });
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The common name among a subject's attributes: SEQUENCE of SET of SEQUENCE { OBJECT IDENTIFIER, text }.
fn common_name(mut subject: &[u8]) -> Option<String> {
    while !subject.is_empty() {
        let (set, rest) = tagged(subject, SET)?;
        subject = rest;
        let (attribute, _) = tagged(set, SEQUENCE)?;
        let (oid, value) = tagged(attribute, OBJECT_IDENTIFIER)?;
        let (tag, text, _) = element(value)?;
        if oid == COMMON_NAME && matches!(tag, UTF8_STRING | PRINTABLE_STRING) {
            return Some(String::from_utf8_lossy(text).into_owned());
        }
    }
    None
}

impl Certificate {
    /// ```text
    /// SEQUENCE { SEQUENCE { [0] version, serial number, SEQUENCE algorithm, SEQUENCE issuer, SEQUENCE { not before, not after }, SEQUENCE subject, ... }, ... }
    /// ```
    fn parse(der: &[u8]) -> Option<Certificate> {
        let (all, _) = tagged(der, SEQUENCE)?;
        let (signed, _) = tagged(all, SEQUENCE)?;
        let signed = tagged(signed, CONTEXT_0).map_or(signed, |(_, rest)| rest);
        let (_, rest) = tagged(signed, INTEGER)?;
        let (_, rest) = tagged(rest, SEQUENCE)?;
        let (_, rest) = tagged(rest, SEQUENCE)?;
        let (validity, rest) = tagged(rest, SEQUENCE)?;
        let (subject, _) = tagged(rest, SEQUENCE)?;
        let (tag, from, until) = element(validity)?;
        let not_before = time(tag, from)?;
        let (tag, until, _) = element(until)?;
        Some(Certificate { name: common_name(subject).unwrap_or_default(), not_before, not_after: time(tag, until)? })
    }
    /// 28000 where the bytes are no certificate.
    pub fn read(der: &[u8]) -> Result<Certificate> {
        Certificate::parse(der).ok_or_else(|| err!(INVALID_AUTHORIZATION_SPECIFICATION, "this is no X.509 certificate"))
    }
    /// How long it is still valid; None: it has expired.
    pub fn left(&self, now: SystemTime) -> Option<Duration> {
        at(self.not_after).duration_since(now).ok().filter(|d| !d.is_zero())
    }
    /// Until when, as messages have it.
    pub fn expires(&self) -> String {
        shown(self.not_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_error::error::state;
    use pamir_testkit::chance::{Rng, seeds};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn times_are_read_and_shown() {
        assert_eq!(time(UTC_TIME, b"700101000000Z"), Some(0));
        assert_eq!(time(UTC_TIME, b"260228235959Z").map(shown).as_deref(), Some("2026-02-28 23:59:59 UTC"));
        assert_eq!(time(GENERALIZED_TIME, b"20520229120102Z").map(shown).as_deref(), Some("2052-02-29 12:01:02 UTC"));
        assert_eq!(time(GENERALIZED_TIME, b"19000101000000Z").map(shown).as_deref(), Some("1900-01-01 00:00:00 UTC"));
        for wrong in ["", "Z", "2602282359Z", "260228235959", "26022823595xZ", "261328235959Z", "20260228235959Z"] {
            assert_eq!(time(UTC_TIME, wrong.as_bytes()), None, "{wrong}");
        }
        for days in (-800_000..800_000).step_by(37) {
            let text = shown(days * 86_400);
            let n = |r: std::ops::Range<usize>| text[r].parse::<i64>().unwrap();
            if text.len() == "2026-11-24 15:39:04 UTC".len() && !text.starts_with('-') {
                assert_eq!(days_from_civil(n(0..4), n(5..7), n(8..10)), days, "{text}");
            }
        }
    }

    #[test]
    fn an_authority_and_its_nodes() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("certs");
        let ca = make_ca(&dir, 3650).unwrap();
        assert!(ca.name.starts_with(CA_NAME));
        let hosts = ["node1.example".to_string(), "127.0.0.1".to_string(), "::1".to_string()];
        let node = make_node(&dir, "n1", &hosts, 90).unwrap();
        assert_eq!(node.name, "n1");
        let left = node.left(SystemTime::now()).unwrap();
        assert!(left > DAY * 89 && left <= DAY * 90);
        assert_eq!(node.left(SystemTime::now() + DAY * 91), None);
        // Longer than its authority no certificate lives.
        let long = make_node(&dir, "long", &hosts, 9999).unwrap();
        assert_eq!(long.not_after, ca.not_after);
        let (crt, key) = node_files(&dir, "n1");
        for path in [&key, &dir.join(CA_KEY)] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(inspect(&crt).unwrap(), node);
        let loaded = load(&dir.join(CA_CERTIFICATE), &crt, &key).unwrap();
        assert_eq!((loaded.own, loaded.ca.len(), loaded.chain.len()), (node, 1, 1));

        // Nothing is overwritten, also where only one of the two is there.
        let before = fs::read(&key).unwrap();
        assert_eq!(make_node(&dir, "n1", &hosts, 90).unwrap_err().code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
        assert_eq!(make_ca(&dir, 90).unwrap_err().code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
        assert_eq!(fs::read(&key).unwrap(), before);
        fs::remove_file(&key).unwrap();
        assert_eq!(make_node(&dir, "n1", &hosts, 90).unwrap_err().code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
        assert!(!key.exists(), "no key is left without its certificate");

        for name in ["", "a/b", "..\n", &"x".repeat(MAX_NAME + 1)] {
            assert_eq!(make_node(&dir, name, &hosts, 90).unwrap_err().code(), state::INVALID_PARAMETER_VALUE);
        }
        assert!(make_node(&dir, "n2", &[], 90).is_err());
        assert!(make_node(&dir, "n2", &hosts, 0).is_err() && make_node(&dir, "n2", &hosts, MAX_DAYS + 1).is_err());
        // An authority's certificate beside another one's key.
        let other = tempfile::tempdir().unwrap();
        make_ca(other.path(), 10).unwrap();
        fs::copy(other.path().join(CA_KEY), dir.join(CA_KEY)).unwrap();
        assert_eq!(make_node(&dir, "n2", &hosts, 90).unwrap_err().code(), state::CONFIG_FILE_ERROR);
        assert_eq!(load(&crt, &crt, &crt).map(|_| ()).unwrap_err().code(), state::CONFIG_FILE_ERROR);
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let dir = tempfile::tempdir().unwrap();
        make_ca(dir.path(), 10).unwrap();
        let der = one_certificate(&dir.path().join(CA_CERTIFICATE)).unwrap();
        for seed in seeds(20) {
            let mut rng = Rng::new(seed);
            for _ in 0..500 {
                let mut b = der.to_vec();
                for _ in 0..1 + rng.below(4) {
                    let at = rng.index(b.len());
                    b[at] = rng.below(256) as u8;
                }
                b.truncate(if rng.chance(3) { rng.index(b.len()) } else { b.len() });
                let _ = Certificate::read(&b).map(|c| (c.expires(), c.left(SystemTime::now())));
            }
        }
    }
}
