//! Mutated protocol messages against a real server: connections may end, the server may not.
//!
//! What it sends is told by its seed, and how long by [`chance`].
mod wire;

use pamir_testkit::chance::{self, Rng};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut m = vec![kind];
    m.extend_from_slice(&((body.len() + 4) as i32).to_be_bytes());
    m.extend_from_slice(body);
    m
}
fn startup() -> Vec<u8> {
    let mut body = 196_608i32.to_be_bytes().to_vec();
    body.extend_from_slice(b"user\0postgres\0database\0postgres\0\0");
    let mut m = ((body.len() + 4) as i32).to_be_bytes().to_vec();
    m.extend_from_slice(&body);
    m
}
/// A good conversation after the startup, message by message.
fn conversation() -> Vec<Vec<u8>> {
    vec![
        message(b'Q', b"select 1, 'x'; select 2\0"),
        message(b'P', b"s\0select $1::int4 + $2::int8, $3::text\0\0\x03\0\0\0\x17\0\0\0\x14\0\0\0\x19"),
        message(
            b'B',
            b"p\0s\0\0\x01\0\x01\0\x03\0\0\0\x04\0\0\0\x07\0\0\0\x08\0\0\0\0\0\0\0\x09\0\0\0\x02hi\0\x01\0\x01",
        ),
        message(b'D', b"Ss\0"),
        message(b'D', b"Pp\0"),
        message(b'E', b"p\0\0\0\0\x01"),
        message(b'H', b""),
        message(b'S', b""),
        message(b'C', b"Ss\0"),
        message(b'Q', b"create temp table if not exists c (a int)\0"),
        message(b'Q', b"copy pg_temp.c from stdin\0"),
        message(b'd', b"1\n2\n"),
        message(b'c', b""),
        message(b'Q', b"copy (select 1) to stdout\0"),
        message(b'Q', b"begin; select 1/0\0"),
        message(b'f', b"no\0"),
        message(b'Q', b"rollback\0"),
        message(b'S', b""),
    ]
}
fn damage(r: &mut Rng, b: &mut Vec<u8>) {
    for _ in 0..1 + r.index(3) {
        let at = r.index(b.len());
        match r.index(6) {
            0 => b[at] ^= 1 << r.index(8),
            1 => b[at] = *r.choose(&[0, 0x7f, 0x80, 0xff]),
            2 => b.truncate(at.max(1)),
            3 => b.insert(at, r.index(256) as u8),
            4 => drop(b.remove(at)),
            _ => {
                // A body that is damaged behind a right length.
                let n = b.len();
                if n > 5 {
                    b[1..5].copy_from_slice(&((n - 1) as i32).to_be_bytes());
                }
            }
        }
        if b.is_empty() {
            b.push(0);
        }
    }
    // Mostly the length is right, so that the body is read.
    if b.len() > 5 && r.index(4) > 0 {
        let n = (b.len() - 1) as i32;
        b[1..5].copy_from_slice(&n.to_be_bytes());
    }
}

#[test]
fn mutated_messages() {
    let mut r = Rng::new(chance::seed(1));
    let server = wire::Server::start();
    let end = chance::end(3);
    let (mut n, mut answered) = (0, 0usize);
    while Instant::now() < end {
        let mut c = TcpStream::connect(&server.addr).expect("the server accepts connections");
        c.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let mut bytes = startup();
        if r.index(4) == 0 {
            damage(&mut r, &mut bytes);
        }
        for mut m in conversation() {
            match r.index(8) {
                0..2 => damage(&mut r, &mut m),
                2 => continue,
                3 => bytes.extend_from_slice(&m.clone()),
                _ => {}
            }
            bytes.extend_from_slice(&m);
        }
        // In pieces, cut anywhere.
        let cut = r.index(bytes.len());
        let sent = c.write_all(&bytes[..cut]).and_then(|()| c.write_all(&bytes[cut..]));
        let mut reply = vec![0; 1 << 16];
        while let Ok(k @ 1..) = c.read(&mut reply) {
            answered += k;
        }
        drop((c, sent));
        n += 1;
        if n % 50 == 0 {
            assert_eq!(server.connect().query("select 40 + 2")[1], "42", "after {n} connections");
        }
    }
    assert_eq!(server.connect().query("select 40 + 2")[1], "42");
    println!("{n} connections, {answered} bytes of replies");
    assert!(n > 5 && answered > 1000);
}
