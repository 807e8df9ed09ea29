//! The startup packet: what a client asks for before there is a session.
//!
//! ```text
//! | length | 3.x         | name \0 value \0 ... \0 |   StartupMessage
//! | 8      | 80877103    |                             SSLRequest: answered S or N
//! | 8      | 80877104    |                             GSSENCRequest: answered N
//! | 16     | 80877102    | pid | secret |              CancelRequest: never answered
//! ```
use crate::proto::{self, Body};
use pamir_types::error::Severity;
use pamir_types::{Result, err};

#[derive(Debug, PartialEq, Eq)]
pub enum Startup {
    Ssl,
    Gss,
    Cancel { pid: i32, secret: i32 },
    Session(Params),
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// `user` and `database` are always there; protocol options (`_pq_.`) never are.
    pub params: Vec<(String, String)>,
    pub user: String,
    pub database: String,
    /// The client asked for a newer minor version or for protocol options: answer NegotiateProtocolVersion with these names.
    pub negotiate: Option<Vec<String>>,
}

/// `packet` is one whole startup packet ([`proto::startup_frame`]).
pub fn parse(packet: &[u8]) -> Result<Startup> {
    parse_body(packet).map_err(|e| e.severity(Severity::Fatal))
}

fn parse_body(packet: &[u8]) -> Result<Startup> {
    let mut b = Body::new(packet);
    b.u32()?;
    let code = b.u32()?;
    match code {
        proto::SSL_REQUEST => return Ok(Startup::Ssl),
        proto::GSSENC_REQUEST => return Ok(Startup::Gss),
        proto::CANCEL_REQUEST => {
            let key = Startup::Cancel { pid: b.i32()?, secret: b.i32()? };
            b.end()?;
            return Ok(key);
        }
        _ => {}
    }
    let (major, minor) = (code >> 16, code & 0xffff);
    if major != 3 {
        return Err(err!(
            FEATURE_NOT_SUPPORTED,
            "unsupported frontend protocol {major}.{minor}: server supports 3.0 to 3.0"
        ));
    }
    let mut p = Params::default();
    let mut options = Vec::new();
    loop {
        if b.rest().is_empty() {
            return Err(proto::violation("invalid startup packet layout: expected terminator as last byte"));
        }
        let name = b.cstr()?;
        if name.is_empty() {
            break;
        }
        let value = b.cstr()?;
        match name {
            "user" => p.user = value.to_string(),
            "database" => p.database = value.to_string(),
            "replication" if !matches!(value, "false" | "off" | "no" | "0") => {
                return Err(err!(FEATURE_NOT_SUPPORTED, "replication connections is not supported yet"));
            }
            "replication" => continue,
            n if n.starts_with("_pq_.") => options.push(n.to_string()),
            _ => p.params.push((name.to_string(), value.to_string())),
        }
    }
    if !b.rest().is_empty() {
        return Err(proto::violation("invalid startup packet layout: expected terminator as last byte"));
    }
    if p.user.is_empty() {
        return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "no PostgreSQL user name specified in startup packet"));
    }
    if p.database.is_empty() {
        p.database = p.user.clone();
    }
    p.params.push(("user".into(), p.user.clone()));
    p.params.push(("database".into(), p.database.clone()));
    if minor > 0 || !options.is_empty() {
        p.negotiate = Some(options);
    }
    Ok(Startup::Session(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packet(code: u32, body: &[u8]) -> Vec<u8> {
        let mut v = (body.len() as u32 + 8).to_be_bytes().to_vec();
        v.extend_from_slice(&code.to_be_bytes());
        v.extend_from_slice(body);
        v
    }

    #[test]
    fn session_parameters() {
        let p = packet(196608, b"user\0alice\0application_name\0psql\0\0");
        let Startup::Session(p) = parse(&p).unwrap() else { panic!() };
        assert_eq!((p.user.as_str(), p.database.as_str(), &p.negotiate), ("alice", "alice", &None));
        assert!(p.params.contains(&("application_name".into(), "psql".into())));
        assert!(p.params.contains(&("database".into(), "alice".into())));
    }

    #[test]
    fn newer_minor_is_negotiated() {
        let Startup::Session(p) = parse(&packet(196610, b"user\0a\0_pq_.x\0y\0\0")).unwrap() else { panic!() };
        assert_eq!(p.negotiate, Some(vec!["_pq_.x".to_string()]));
        let e = parse(&packet(2 << 16, b"\0")).unwrap_err();
        assert_eq!(e.message(), "unsupported frontend protocol 2.0: server supports 3.0 to 3.0");
    }

    #[test]
    fn broken_packets() {
        for body in [&b"user\0a\0"[..], b"user\0a\0\0x", b"user", b""] {
            assert_eq!(parse(&packet(196608, body)).unwrap_err().code().as_str(), "08P01");
        }
        assert_eq!(parse(&packet(196608, b"\0")).unwrap_err().code().as_str(), "28000");
        assert!(parse(&packet(proto::CANCEL_REQUEST, b"\0\0\0\x01")).is_err());
        assert_eq!(
            parse(&packet(proto::CANCEL_REQUEST, b"\0\0\0\x01\0\0\0\x02")).unwrap(),
            Startup::Cancel { pid: 1, secret: 2 }
        );
    }

    proptest! {
        #[test]
        fn random_packets_never_panic(code in prop::sample::select(vec![196608u32, 196609, proto::CANCEL_REQUEST, 7]), body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&packet(code, &body));
        }
    }
}
