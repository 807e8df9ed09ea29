//! Frames in, rows out: the protocol's share of a statement, without the socket.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use pamir_net::Link;
use pamir_net::wire::Wire;
use pamir_pg::io::Io;
use pamir_pg::proto::{Body, Frame, frame};
use pamir_sql::client::{Client, RowSink};
use pamir_types::{Datum, Type};
use parking_lot::Mutex;
use std::hint::black_box;
use std::sync::Arc;

/// Bind ('' to "s", one binary int4, binary results), Execute, Sync, as libpq sends a prepared statement.
fn pipeline() -> Vec<u8> {
    let mut b = Vec::new();
    let mut message = |kind: u8, body: &[u8]| {
        b.push(kind);
        b.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        b.extend_from_slice(body);
    };
    message(b'B', b"\0s\0\0\x01\0\x01\0\x01\0\0\0\x04\0\0\x12\x67\0\x01\0\x01");
    message(b'E', b"\0\0\0\0\0");
    message(b'S', b"");
    b
}
fn io() -> Io {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let socket = std::net::TcpStream::connect(listener.local_addr().expect("its address")).expect("a socket");
    let wire = Wire::new(mio::net::TcpStream::from_std(socket));
    Io::new(Link::new(Arc::new(Mutex::new(wire)), None).expect("a connection"))
}
fn int_text_row(formats: &'static [i16]) -> Box<dyn FnMut()> {
    let (mut io, d, text) = (io(), Datum::Int4(4711), [b'c'; 120]);
    io.set_formats(formats, &[Type::INT4, Type::TEXT]);
    Box::new(move || {
        for _ in 0..100 {
            io.begin_row(2);
            io.datum(black_box(&d), Type::INT4);
            io.bytes(black_box(&text));
            black_box(io.end_row().is_ok());
        }
        io.link.out.clear();
    })
}

const OPS: &[Op] = &[
    Op {
        name: "frames of Bind, Execute, Sync, a frame",
        budget: 10,
        units: 3,
        make: || {
            let b = pipeline();
            Box::new(move || {
                let mut rest = black_box(&b[..]);
                while let Ok(Frame::Complete { total, .. }) = frame(rest, false) {
                    rest = &rest[total..];
                }
                black_box(rest);
            })
        },
    },
    Op {
        name: "fields of Bind",
        budget: 60,
        units: 1,
        make: || {
            let b = pipeline();
            Box::new(move || {
                let mut body = Body::new(black_box(&b[5..]));
                black_box((body.cstr().is_ok(), body.cstr().is_ok()));
                for _ in 0..body.u16().unwrap_or(0) {
                    black_box(body.i16().is_ok());
                }
                for _ in 0..body.u16().unwrap_or(0) {
                    black_box(body.value().is_ok());
                }
                for _ in 0..body.u16().unwrap_or(0) {
                    black_box(body.i16().is_ok());
                }
            })
        },
    },
    Op { name: "row of int4 and 120 characters, text", budget: 60, units: 100, make: || int_text_row(&[0, 0]) },
    Op { name: "row of int4 and 120 characters, binary", budget: 60, units: 100, make: || int_text_row(&[1, 1]) },
    Op {
        name: "CommandComplete and ReadyForQuery",
        budget: 30,
        units: 1,
        make: || {
            let mut io = io();
            Box::new(move || {
                io.command_complete(black_box("SELECT 1"));
                io.ready(b'I');
                io.link.out.clear();
            })
        },
    },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn protocol(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}
fn main() {
    budget::main();
}
