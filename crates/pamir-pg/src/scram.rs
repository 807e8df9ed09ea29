//! SCRAM-SHA-256 (RFC 5802, RFC 7677), the server's half, as PostgreSQL speaks it over SASL.
//!
//! ```text
//! client                                   server
//! n,,n=,r=<nonce>                  ------>
//!                                  <------ r=<nonce><ours>,s=<salt>,i=<iterations>
//! c=biws,r=<nonce><ours>,p=<proof> ------>
//!                                  <------ v=<signature>
//! ```
//! The server keeps no password: a verifier `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>` (PostgreSQL's
//! pg_authid.rolpassword) is enough. A role that does not exist, or has no password, gets the same conversation with a salt derived
//! from the server's mock secret, and fails at the same step.
//!
//! Over TLS SCRAM-SHA-256-PLUS is offered too: the client's header is then `p=tls-server-end-point,,`, and its `c=` holds the header with the hash of the
//! certificate that it saw behind it, so that nobody who ends TLS in between can pass the conversation on.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pamir_types::{Error, Result, bail, err};
use sha2::{Digest, Sha256};
use std::sync::Arc;

pub const MECHANISM: &str = "SCRAM-SHA-256";
pub const MECHANISM_PLUS: &str = "SCRAM-SHA-256-PLUS";
/// The one type of channel binding there is (RFC 5929).
const END_POINT: &str = "tls-server-end-point";
/// Iterations shown for roles without a verifier: PostgreSQL's default for those that have one.
pub const MOCK_ITERATIONS: u32 = 4096;
/// Random bytes of the server's nonce and of a salt, as in PostgreSQL.
const NONCE_LEN: usize = 18;
const SALT_LEN: usize = 16;

pub fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut m = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("HMAC takes a key of any length");
    for p in parts {
        m.update(p);
    }
    m.finalize().into_bytes().into()
}

fn sha256(b: &[u8]) -> [u8; 32] {
    Sha256::digest(b).into()
}

fn violation(detail: &str) -> Error {
    err!(PROTOCOL_VIOLATION, "malformed SCRAM message").detail(detail.to_string())
}

/// Equal in time that does not depend on where they differ.
fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0u8, |d, (x, y)| d | (x ^ y)) == 0
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verifier {
    pub iterations: u32,
    pub salt: Vec<u8>,
    pub stored_key: [u8; 32],
    pub server_key: [u8; 32],
}

impl Verifier {
    /// None when `s` is not a SCRAM-SHA-256 verifier.
    pub fn parse(s: &str) -> Option<Verifier> {
        let rest = s.strip_prefix("SCRAM-SHA-256$")?;
        let (head, keys) = rest.split_once('$')?;
        let (iterations, salt) = head.split_once(':')?;
        let (stored, server) = keys.split_once(':')?;
        let key = |s: &str| -> Option<[u8; 32]> { STANDARD.decode(s).ok()?.try_into().ok() };
        let iterations: u32 = iterations.parse().ok().filter(|&n| n > 0)?;
        Some(Verifier {
            iterations,
            salt: STANDARD.decode(salt).ok()?,
            stored_key: key(stored)?,
            server_key: key(server)?,
        })
    }
    /// What is shown for a role that has none: the same salt each time, keys that no proof meets.
    fn mock(secret: &[u8; 32], role: &str) -> Verifier {
        let salt = hmac(secret, &[b"salt", role.as_bytes()]);
        let stored_key = hmac(secret, &[b"stored", role.as_bytes()]);
        Verifier { iterations: MOCK_ITERATIONS, salt: salt[..SALT_LEN].to_vec(), stored_key, server_key: stored_key }
    }
}

enum Step {
    First,
    Final { client_first_bare: String, server_first: String, nonce: String, header: String },
}

/// One authentication exchange.
pub struct Scram {
    verifier: Verifier,
    /// The conversation cannot succeed (no such role, no password).
    doomed: bool,
    server_nonce: String,
    binding: Binding,
    step: Step,
}

/// How the conversation is tied to its TLS connection.
pub enum Binding {
    /// There is nothing to tie it to.
    None,
    /// It was offered, and the client chose to go without.
    Offered,
    /// The client chose it: the hash of the certificate.
    Bound(Arc<[u8]>),
}

/// What to send next.
pub enum Reply {
    Continue(String),
    /// The proof holds; the server's signature.
    Done(String),
    /// Wrong password.
    Denied,
}

impl Scram {
    /// `verifier`: the role's stored one; None or an unreadable one leads to a mock conversation.
    pub fn new(role: &str, verifier: Option<&str>, mock_secret: &[u8; 32], binding: Binding) -> Result<Scram> {
        let mut nonce = [0u8; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|e| Error::internal(format!("could not generate random nonce: {e}")))?;
        Ok(Scram::with_nonce(role, verifier, mock_secret, STANDARD.encode(nonce), binding))
    }
    fn with_nonce(
        role: &str,
        verifier: Option<&str>,
        mock_secret: &[u8; 32],
        server_nonce: String,
        binding: Binding,
    ) -> Scram {
        let parsed = verifier.and_then(Verifier::parse);
        let doomed = parsed.is_none();
        let verifier = parsed.unwrap_or_else(|| Verifier::mock(mock_secret, role));
        Scram { verifier, doomed, server_nonce, binding, step: Step::First }
    }

    /// Takes the client's next message (08P01 when it is malformed).
    pub fn answer(&mut self, message: &[u8]) -> Result<Reply> {
        let message = std::str::from_utf8(message).map_err(|_| violation("The message is not valid UTF-8."))?;
        match &self.step {
            Step::First => self.first(message),
            Step::Final { .. } => self.last(message),
        }
    }

    fn first(&mut self, message: &str) -> Result<Reply> {
        let mut parts = message.splitn(3, ',');
        let (Some(binding), Some(authzid), Some(bare)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(violation("The message is too short."));
        };
        match (binding, &self.binding) {
            ("n" | "y", Binding::None) | ("n", Binding::Offered) => {}
            ("y", Binding::Offered) => {
                return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "SCRAM channel binding negotiation error")
                    .detail(
                        "The client supports SCRAM channel binding but thinks the server does not.  \
                     However, this server does support channel binding.",
                    ));
            }
            ("n" | "y", Binding::Bound(_)) => {
                return Err(violation(
                    "The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.",
                ));
            }
            (b, Binding::Bound(_)) if b.starts_with("p=") => {
                if b.get(2..) != Some(END_POINT) {
                    let name = b.get(2..).unwrap_or_default();
                    bail!(PROTOCOL_VIOLATION, "unsupported SCRAM channel-binding type \"{name}\"");
                }
            }
            (b, _) if b.starts_with("p=") => {
                return Err(violation(
                    "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data.",
                ));
            }
            _ => return Err(violation("Unexpected channel-binding flag.")),
        }
        if !authzid.is_empty() {
            return Err(Error::unsupported("an authorization identity in SCRAM"));
        }
        let mut attributes = bare.split(',');
        match attributes.next() {
            Some(a) if a.starts_with("n=") => {}
            Some(a) if a.starts_with("m=") => return Err(Error::unsupported("an SCRAM extension")),
            _ => return Err(violation("Attribute \"n\" expected.")),
        }
        let nonce = attributes.next().and_then(|a| a.strip_prefix("r="));
        let nonce = nonce.filter(|n| !n.is_empty() && n.bytes().all(|c| (0x21..=0x7e).contains(&c)));
        let nonce = nonce.ok_or_else(|| violation("Attribute \"r\" expected."))?;
        let nonce = format!("{nonce}{}", self.server_nonce);
        let server_first =
            format!("r={nonce},s={},i={}", STANDARD.encode(&self.verifier.salt), self.verifier.iterations);
        self.step = Step::Final {
            client_first_bare: bare.to_string(),
            server_first: server_first.clone(),
            nonce,
            header: format!("{binding},,"),
        };
        Ok(Reply::Continue(server_first))
    }

    fn last(&mut self, message: &str) -> Result<Reply> {
        let Step::Final { client_first_bare, server_first, nonce, header } = &self.step else {
            return Err(violation("Unexpected message."));
        };
        let (without_proof, proof) =
            message.rsplit_once(",p=").ok_or_else(|| violation("Attribute \"p\" expected."))?;
        let mut attributes = without_proof.split(',');
        let binding = attributes
            .next()
            .and_then(|a| a.strip_prefix("c="))
            .ok_or_else(|| violation("Attribute \"c\" expected."))?;
        let seen = STANDARD.decode(binding).ok();
        if let Binding::Bound(hash) = &self.binding {
            if seen.as_deref() != Some(&[header.as_bytes(), hash].concat()) {
                bail!(INVALID_AUTHORIZATION_SPECIFICATION, "SCRAM channel binding check failed");
            }
        } else if seen.as_deref() != Some(header.as_bytes()) {
            return Err(violation("Unexpected channel-binding data."));
        }
        if attributes.next().and_then(|a| a.strip_prefix("r=")) != Some(nonce.as_str()) {
            return Err(violation("Nonce does not match."));
        }
        let proof = STANDARD.decode(proof).ok().and_then(|p| <[u8; 32]>::try_from(p).ok());
        let proof = proof.ok_or_else(|| violation("Malformed proof."))?;
        let auth: [&[u8]; 5] =
            [client_first_bare.as_bytes(), b",", server_first.as_bytes(), b",", without_proof.as_bytes()];
        let mut client_key = hmac(&self.verifier.stored_key, &auth);
        for (k, p) in client_key.iter_mut().zip(&proof) {
            *k ^= p;
        }
        if !same(&sha256(&client_key), &self.verifier.stored_key) || self.doomed {
            return Ok(Reply::Denied);
        }
        Ok(Reply::Done(format!("v={}", STANDARD.encode(hmac(&self.verifier.server_key, &auth)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PBKDF2 with one block, RFC 5802's Hi().
    fn hi(password: &[u8], salt: &[u8], iterations: u32) -> [u8; 32] {
        let mut u = hmac(password, &[salt, &1u32.to_be_bytes()]);
        let mut out = u;
        for _ in 1..iterations {
            u = hmac(password, &[&u]);
            out.iter_mut().zip(&u).for_each(|(o, x)| *o ^= x);
        }
        out
    }
    fn verifier(password: &str, salt: &str, iterations: u32) -> String {
        let salted = hi(password.as_bytes(), &STANDARD.decode(salt).unwrap(), iterations);
        let stored = sha256(&hmac(&salted, &[b"Client Key"]));
        let server = hmac(&salted, &[b"Server Key"]);
        format!("SCRAM-SHA-256${iterations}:{salt}${}:{}", STANDARD.encode(stored), STANDARD.encode(server))
    }

    const CLIENT_FIRST: &[u8] = b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    const CLIENT_FINAL: &str =
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    fn rfc(password: &str) -> Scram {
        rfc_bound(password, Binding::None)
    }
    fn rfc_bound(password: &str, binding: Binding) -> Scram {
        let v = verifier(password, "W22ZaJ0SNY7soEsUEjb6gQ==", 4096);
        Scram::with_nonce("user", Some(&v), &[0; 32], "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0".into(), binding)
    }
    /// A client's last message over `header` and `seen`, with the proof of `password`.
    fn last(password: &str, header: &str, seen: &[u8], server_first: &str) -> String {
        let nonce = server_first.split(',').next().unwrap();
        let c = STANDARD.encode([header.as_bytes(), seen].concat());
        let without_proof = format!("c={c},{nonce}");
        let salted = hi(password.as_bytes(), &STANDARD.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap(), 4096);
        let key = hmac(&salted, &[b"Client Key"]);
        let bare = "n=user,r=rOprNGfwEbeRWgbNEkqO";
        let auth: [&[u8]; 5] = [bare.as_bytes(), b",", server_first.as_bytes(), b",", without_proof.as_bytes()];
        let mut proof = hmac(&sha256(&key), &auth);
        proof.iter_mut().zip(&key).for_each(|(p, k)| *p ^= k);
        format!("{without_proof},p={}", STANDARD.encode(proof))
    }

    #[test]
    fn channel_binding() {
        let hash: Arc<[u8]> = Arc::from(&b"the certificate's"[..]);
        let bound = || rfc_bound("pencil", Binding::Bound(hash.clone()));
        let header = "p=tls-server-end-point,,";
        let end = |seen: &[u8], header: &str, password: &str| {
            let mut s = bound();
            let first = format!("{header}n=user,r=rOprNGfwEbeRWgbNEkqO");
            let Reply::Continue(m) = s.answer(first.as_bytes())? else { panic!() };
            s.answer(last(password, header, seen, &m).as_bytes())
        };
        assert!(matches!(end(&hash, header, "pencil").unwrap(), Reply::Done(_)));
        assert!(matches!(end(&hash, header, "pen").unwrap(), Reply::Denied));
        // Another certificate was seen: somebody stands between.
        let code = |r: Result<Reply>| r.err().expect("refused").code().as_str().to_string();
        assert_eq!(code(end(b"another", header, "pencil")), "28000");
        assert_eq!(code(end(&hash, "n,,", "pencil")), "08P01");
        assert_eq!(code(end(&hash, "p=tls-unique,,", "pencil")), "08P01");
        // Who offers it does not believe a client that heard otherwise.
        let offered = |first: &[u8]| rfc_bound("pencil", Binding::Offered).answer(first);
        assert!(matches!(offered(CLIENT_FIRST).unwrap(), Reply::Continue(_)));
        assert_eq!(code(offered(b"y,,n=user,r=rOprNGfwEbeRWgbNEkqO")), "28000");
        assert_eq!(code(offered(b"p=tls-server-end-point,,n=user,r=rOprNGfwEbeRWgbNEkqO")), "08P01");
    }

    /// RFC 7677, section 3.
    #[test]
    fn rfc_7677_example() {
        let mut s = rfc("pencil");
        let Reply::Continue(m) = s.answer(CLIENT_FIRST).unwrap() else { panic!() };
        assert_eq!(m, "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        let Reply::Done(m) = s.answer(CLIENT_FINAL.as_bytes()).unwrap() else { panic!() };
        assert_eq!(m, "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    }

    #[test]
    fn wrong_password_and_unknown_role_look_alike() {
        let mut s = rfc("pencils");
        s.answer(CLIENT_FIRST).unwrap();
        assert!(matches!(s.answer(CLIENT_FINAL.as_bytes()).unwrap(), Reply::Denied));
        let first = |role: &str| {
            let mut s = Scram::with_nonce(role, None, &[7; 32], "x".into(), Binding::None);
            let Reply::Continue(m) = s.answer(CLIENT_FIRST).unwrap() else { panic!() };
            m
        };
        assert_eq!(first("nobody"), first("nobody"), "a mock salt must not change between attempts");
        assert_ne!(first("nobody"), first("somebody"));
        assert!(first("nobody").ends_with(",i=4096"));
    }

    #[test]
    fn malformed_messages() {
        for m in [
            &b""[..],
            b"n",
            b"n,,",
            b"n,,n=u",
            b"n,,r=x,n=u",
            b"p=tls-server-end-point,,n=,r=x",
            b"q,,n=,r=x",
            b"\xff,,n=,r=x",
            b"n,,n=,r=",
        ] {
            assert_eq!(rfc("pencil").answer(m).err().expect("refused").code().as_str(), "08P01", "{m:?}");
        }
        let good = CLIENT_FINAL;
        for m in [
            good.replace("biws", "eSws"),
            good.replace("rOpr", "sOpr"),
            good.replace("dHzb", ""),
            good.replace(",p=", ",q="),
            String::new(),
        ] {
            let mut s = rfc("pencil");
            s.answer(CLIENT_FIRST).unwrap();
            assert!(s.answer(m.as_bytes()).is_err(), "{m}");
        }
    }

    #[test]
    fn unreadable_verifiers() {
        for s in
            ["", "md5abc", "SCRAM-SHA-256$0:AA==$AA==:AA==", "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$AA==:AA=="]
        {
            assert_eq!(Verifier::parse(s), None);
        }
    }
}
