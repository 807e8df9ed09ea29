//! TLS and SCRAM with Debian's psql; certificates come from the openssl command.
mod common;
use common::{Pamir, fresh};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn certificate(dir: &Path) -> (String, String) {
    let (cert, key) = (dir.join("cert.pem"), dir.join("key.pem"));
    let out = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&cert)
        .output()
        .expect("openssl is installed");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    (cert.to_str().unwrap().into(), key.to_str().unwrap().into())
}

fn psql(port: u16, options: &str, password: &str, sql: &str) -> Output {
    Command::new("psql")
        .arg(format!("host=localhost hostaddr=127.0.0.1 port={port} dbname=postgres {options}"))
        .args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql])
        .env("PGPASSWORD", password)
        .output()
        .expect("psql is installed")
}
fn text(b: &[u8]) -> String {
    String::from_utf8_lossy(b).trim().to_string()
}

#[tokio::test]
async fn tls_and_scram() {
    let dir = TempDir::new().unwrap();
    let (cert, key) = certificate(dir.path());
    let server = Pamir::start(&dir.path().join("data"), &["--tls-cert", &cert, "--tls-key", &key]);
    let admin = server.connect().await;
    admin.batch_execute("CREATE ROLE alice LOGIN PASSWORD 'correct horse'").await.unwrap();
    let tls = format!("user=alice sslmode=verify-full sslrootcert={cert}");
    let out =
        psql(server.port, &tls, "correct horse", "SELECT current_user, repeat('x', 100000) = repeat('x', 100000)");
    assert_eq!(text(&out.stdout), "alice|t", "{}", text(&out.stderr));
    let big = psql(server.port, &tls, "correct horse", "SELECT repeat('x', 1000000)");
    assert_eq!(text(&big.stdout).len(), 1_000_000);
    for (options, sql, denied) in [
        ("", "SET ROLE postgres", "permission denied to set role \"postgres\""),
        ("", "SET SESSION AUTHORIZATION postgres", "permission denied to set session authorization"),
        ("", "SET SESSION AUTHORIZATION \"\"\"postgres'\"", "role \"\"postgres'\" does not exist"),
        ("options='-c role=postgres'", "SELECT 1", "permission denied to set role \"postgres\""),
    ] {
        let out = psql(server.port, &format!("{tls} {options}"), "correct horse", sql);
        assert!(text(&out.stderr).contains(denied), "{sql}: {}", text(&out.stderr));
    }
    let out = psql(server.port, &tls, "wrong", "SELECT 1");
    assert!(text(&out.stderr).contains("password authentication failed for user \"alice\""), "{}", text(&out.stderr));
    // Without TLS on loopback: still SCRAM for a role that has a password.
    let out = psql(server.port, "user=alice sslmode=disable", "correct horse", "SELECT 1");
    assert_eq!(text(&out.stdout), "1", "{}", text(&out.stderr));
    let out = psql(server.port, "user=alice sslmode=disable", "wrong", "SELECT 1");
    assert!(!out.status.success());
    let out = psql(server.port, "user=nobody sslmode=disable", "x", "SELECT 1");
    assert!(text(&out.stderr).contains("role \"nobody\" does not exist"), "{}", text(&out.stderr));
    // Channel binding: psql takes the offer, and can insist on it over TLS alone.
    let out = psql(server.port, &format!("{tls} channel_binding=require"), "correct horse", "SELECT 1");
    assert_eq!(text(&out.stdout), "1", "{}", text(&out.stderr));
    let out = psql(server.port, &format!("{tls} channel_binding=disable"), "correct horse", "SELECT 1");
    assert_eq!(text(&out.stdout), "1", "{}", text(&out.stderr));
    let out = psql(server.port, "user=alice sslmode=disable channel_binding=require", "correct horse", "SELECT 1");
    assert!(!out.status.success());
    // A superuser without a password is let in from this machine; one with a password gives it.
    let superuser = "user=postgres sslmode=require";
    assert_eq!(text(&psql(server.port, superuser, "", "SELECT 1").stdout), "1");
    admin.batch_execute("ALTER ROLE postgres PASSWORD 'secret'").await.unwrap();
    assert!(!psql(server.port, superuser, "wrong", "SELECT 1").status.success());
    assert_eq!(text(&psql(server.port, superuser, "secret", "SELECT 1").stdout), "1");
    server.stop();
}

#[tokio::test]
async fn a_server_without_tls_says_so() {
    let (server, _dir) = common::fresh(&[]);
    let out = psql(server.port, "user=postgres sslmode=require", "", "SELECT 1");
    assert!(text(&out.stderr).contains("server does not support SSL"), "{}", text(&out.stderr));
    let out = psql(server.port, "user=postgres sslmode=prefer", "", "SELECT 1");
    assert_eq!(text(&out.stdout), "1");
    server.stop();
}

/// Passwords are SASLprepped on both sides: libpq's and the server's own client's are those that were stored, however they are composed.
#[tokio::test]
async fn passwords_of_other_letters() {
    let (server, _dir) = fresh(&[]);
    let admin = server.connect().await;
    admin.batch_execute("CREATE ROLE alice LOGIN").await.unwrap();
    for (stored, given) in [
        ("\u{2168}\u{ad}\u{a0}e\u{301}", "IX \u{e9}"),
        ("IX \u{e9}", "\u{2168}\u{ad}\u{a0}e\u{301}"),
        ("\u{627}\u{ad}1", "\u{627}\u{ad}1"),
    ] {
        admin.batch_execute(&format!("ALTER ROLE alice PASSWORD '{stored}'")).await.unwrap();
        let out = psql(server.port, "user=alice sslmode=disable", given, "SELECT 1");
        assert!(out.status.success(), "{stored:?}: {}", text(&out.stderr));
    }
    let out = psql(server.port, "user=alice sslmode=disable", "\u{627}1", "SELECT 1");
    assert!(!out.status.success(), "what is prohibited is taken as it is");
    server.stop();
}

/// What `--loopback-auth` says of who is asked; a wrong password is told late, and the log says who tried.
#[tokio::test]
async fn who_is_asked_for_a_password() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let log = dir.path().join("log");
    let start = |flags: &[&str]| {
        let mut c = common::command(&data, &[&["--log-level", "warn"], flags].concat());
        c.stderr(std::process::Stdio::from(std::fs::File::create(&log).unwrap()));
        Pamir::run(c)
    };
    let can = |server: &Pamir, user: &str, password: &str| {
        let started = std::time::Instant::now();
        let out = psql(server.port, &format!("user={user} sslmode=disable"), password, "SELECT 1");
        (out.status.success(), text(&out.stderr), started.elapsed())
    };
    let server = start(&["--auth-delay", "700"]);
    let admin = server.connect().await;
    admin
        .batch_execute("CREATE ROLE alice LOGIN PASSWORD 'a'; CREATE ROLE bare LOGIN; CREATE ROLE nologin")
        .await
        .unwrap();
    drop(admin);
    assert!(can(&server, "alice", "a").0 && can(&server, "bare", "").0);
    let (ok, why, took) = can(&server, "alice", "b");
    assert!(!ok && why.contains("password authentication failed for user \"alice\""), "{why}");
    assert!(took.as_millis() >= 700, "{took:?}");
    let line = "password authentication failed for user \"alice\"";
    server.stop();
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(
        logged.lines().any(|l| l.contains(line) && l.contains("client=127.0.0.1:") && l.contains("28P01")),
        "{logged}"
    );
    let server = start(&["--loopback-auth", "trust"]);
    assert!(can(&server, "alice", "b").0 && can(&server, "bare", "").0 && can(&server, "postgres", "").0);
    assert!(can(&server, "nologin", "").1.contains("not permitted to log in"));
    assert!(can(&server, "nobody", "").1.contains("does not exist"));
    server.stop();
    let server = start(&["--loopback-auth", "password", "--auth-delay", "0"]);
    assert!(can(&server, "alice", "a").0);
    for user in ["alice", "bare", "nologin", "nobody", "postgres"] {
        let (ok, why, _) = can(&server, user, "b");
        assert!(!ok && why.contains(&format!("password authentication failed for user \"{user}\"")), "{why}");
    }
    server.stop();
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(
        logged.contains(r#"role \"nobody\" does not exist"#) && logged.contains(r#"Role \"bare\" has no password."#),
        "{logged}"
    );
}
