//! Reads texts from the standard input, each ended by a zero byte, and says of each on a line what the parser makes of it: `ok`, or SQLSTATE, place and message
//! with tabs between. `tests/differential/parser` holds that against PostgreSQL.
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    // Deep texts need what a helper thread has.
    let work = || {
        let mut input = std::io::stdin().lock();
        let mut out = std::io::stdout().lock();
        let mut text = Vec::new();
        loop {
            text.clear();
            if input.read_until(0, &mut text)? == 0 {
                return Ok(());
            }
            text.pop();
            let text = String::from_utf8_lossy(&text);
            match pamir_parse::parse(&text, pamir_parse::DEEP) {
                Ok(_) => writeln!(out, "ok")?,
                Err(e) => {
                    let place = e.data().position.map_or(String::new(), |p| p.to_string());
                    writeln!(out, "{}\t{place}\t{}", e.code().as_str(), e.message().replace(['\n', '\r', '\t'], " "))?;
                }
            }
            out.flush()?;
        }
    };
    std::thread::Builder::new().stack_size(1 << 30).spawn(work)?.join().unwrap_or(Ok(()))
}
