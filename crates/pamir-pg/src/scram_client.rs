//! SCRAM-SHA-256, the client's half, without channel binding: for the command line, which is a client of other nodes. The conversation is drawn in [`crate::scram`].
use crate::scram::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pamir_types::{Error, Result, err};
use sha2::{Digest, Sha256};

const NONCE_LEN: usize = 18;
/// More iterations than anybody stores: a server that asks for them wants the client's time.
const MOST_ITERATIONS: u32 = 1 << 24;

fn violation(what: &str) -> Error {
    err!(PROTOCOL_VIOLATION, "the server's SCRAM message is malformed: {what}")
}

/// One conversation.
pub struct ScramClient {
    password: String,
    first_bare: String,
    nonce: String,
    /// What the server must answer at the end.
    signature: Option<[u8; 32]>,
}
impl ScramClient {
    /// The user's name goes with the startup packet, not here.
    pub fn new(password: &str) -> Result<ScramClient> {
        let mut nonce = [0u8; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|e| Error::internal(format!("could not generate random nonce: {e}")))?;
        Ok(ScramClient::with_nonce(password, STANDARD.encode(nonce)))
    }
    fn with_nonce(password: &str, nonce: String) -> ScramClient {
        let password = pamir_sql::ddl::scram::prepared(password).into_owned();
        ScramClient { password, first_bare: format!("n=,r={nonce}"), nonce, signature: None }
    }
    pub fn first(&self) -> String {
        format!("n,,{}", self.first_bare)
    }
    /// The answer to the server's first message.
    pub fn answer(&mut self, server_first: &[u8]) -> Result<String> {
        let text = std::str::from_utf8(server_first).map_err(|_| violation("no UTF-8"))?;
        let mut parts = text.split(',');
        let mut next = |prefix: &str| parts.next().and_then(|p| p.strip_prefix(prefix));
        let nonce = next("r=").filter(|n| n.starts_with(&self.nonce)).ok_or_else(|| violation("nonce"))?;
        let salt = next("s=").and_then(|s| STANDARD.decode(s).ok()).ok_or_else(|| violation("salt"))?;
        let iterations = next("i=").and_then(|i| i.parse::<u32>().ok()).filter(|n| (1..=MOST_ITERATIONS).contains(n));
        let iterations = iterations.ok_or_else(|| violation("iterations"))?;
        let mut u = hmac(self.password.as_bytes(), &[&salt, &1u32.to_be_bytes()]);
        let mut salted = u;
        for _ in 1..iterations {
            u = hmac(self.password.as_bytes(), &[&u]);
            salted.iter_mut().zip(&u).for_each(|(s, u)| *s ^= u);
        }
        let client_key = hmac(&salted, &[b"Client Key"]);
        let stored: [u8; 32] = Sha256::digest(client_key).into();
        // "biws" is "n,,": no channel binding.
        let without_proof = format!("c=biws,r={nonce}");
        let auth: [&[u8]; 5] = [self.first_bare.as_bytes(), b",", server_first, b",", without_proof.as_bytes()];
        let mut proof = hmac(&stored, &auth);
        proof.iter_mut().zip(&client_key).for_each(|(p, k)| *p ^= k);
        self.signature = Some(hmac(&hmac(&salted, &[b"Server Key"]), &auth));
        Ok(format!("{without_proof},p={}", STANDARD.encode(proof)))
    }
    /// The server's last message: it must know the password, too.
    pub fn finish(&self, server_last: &[u8]) -> Result<()> {
        let theirs = server_last.strip_prefix(b"v=").and_then(|v| STANDARD.decode(v).ok());
        match (&self.signature, theirs) {
            (Some(ours), Some(theirs)) if theirs == ours => Ok(()),
            _ => Err(violation("its signature is not that of the password")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scram::{Binding, Reply, Scram, Verifier};

    /// RFC 7677, section 3, whose user has a name in the message.
    #[test]
    fn the_standards_example() {
        let mut c = ScramClient::with_nonce("pencil", "rOprNGfwEbeRWgbNEkqO".into());
        c.first_bare = "n=user,r=rOprNGfwEbeRWgbNEkqO".into();
        let server = b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        assert_eq!(
            c.answer(server).unwrap(),
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        c.finish(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=").unwrap();
        assert!(c.finish(b"v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=").is_err());
    }

    #[test]
    fn with_our_server() {
        let salt = [7u8; 16];
        let verifier = {
            let mut u = hmac(b"secret", &[&salt, &1u32.to_be_bytes()]);
            let mut salted = u;
            for _ in 1..4096 {
                u = hmac(b"secret", &[&u]);
                salted.iter_mut().zip(&u).for_each(|(s, u)| *s ^= u);
            }
            let stored: [u8; 32] = Sha256::digest(hmac(&salted, &[b"Client Key"])).into();
            let server = hmac(&salted, &[b"Server Key"]);
            let b = |x: &[u8]| STANDARD.encode(x);
            format!("SCRAM-SHA-256$4096:{}${}:{}", b(&salt), b(&stored), b(&server))
        };
        assert!(Verifier::parse(&verifier).is_some());
        for (password, good) in [("secret", true), ("secreT", false)] {
            let mut server = Scram::new("u", Some(&verifier), &[1; 32], Binding::None).unwrap();
            let mut client = ScramClient::new(password).unwrap();
            let Reply::Continue(m) = server.answer(client.first().as_bytes()).unwrap() else { panic!("no challenge") };
            let m = client.answer(m.as_bytes()).unwrap();
            match server.answer(m.as_bytes()).unwrap() {
                Reply::Done(v) => {
                    assert!(good);
                    client.finish(v.as_bytes()).unwrap();
                }
                Reply::Denied => assert!(!good),
                Reply::Continue(_) => panic!("no end"),
            }
        }
    }
}
