//! COPY FROM in three formats; what came in goes out and in again, and is the same.
use crate::{fine, sql};
use pamir_sql::transcript::Transcript;

const COLUMNS: &str =
    "a int, b text, c numeric, d timestamptz, e jsonb, f int[], g bytea, h interval, i bool, j float8, k uuid, l date";
const OPTIONS: [&str; 8] = [
    "",
    "(format csv)",
    "(format binary)",
    "(format csv, header, delimiter ';', quote '''', escape '\\')",
    "(delimiter '|', null '')",
    "(format csv, null 'N', force_not_null (a, b), force_null (c))",
    "(header)",
    "(format csv, force_quote *)",
];

/// The first byte chooses the format and how many columns are read.
pub fn run(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let options = OPTIONS[choice as usize % OPTIONS.len()];
    let columns = ["", "(b)", "(a, b)", "(b, c, f)", "(d, h)", "(e)", "(g, k)", "(i, j, l)"][choice as usize / 8 % 8];
    let options = if options.contains("force_n") && !columns.is_empty() { "(format csv)" } else { options };
    sql::with_session(|s| {
        let mut pipe = Transcript::forgetful();
        // In two pieces, so that rows are cut somewhere.
        let halves = |b: &[u8]| b.len().div_ceil(2);
        let setup = format!("begin; create table c1 ({COLUMNS}); create table c2 ({COLUMNS})");
        if let Err(e) = s.simple_query(&setup, &mut pipe) {
            panic!("{e}");
        }
        pipe.feed(data, halves(data));
        let copied = s.simple_query(&format!("copy c1 {columns} from stdin {options}"), &mut pipe);
        if fine(copied, "copy in").is_some() {
            s.simple_query(&format!("copy c1 {columns} to stdout {options}"), &mut pipe).expect("copy out");
            let first = pipe.copied();
            pipe.said.clear();
            pipe.feed(&first, halves(&first));
            s.simple_query(&format!("copy c2 {columns} from stdin {options}"), &mut pipe).unwrap_or_else(|e| {
                panic!("{e}: {options} {:?}", String::from_utf8_lossy(&first));
            });
            s.simple_query(&format!("copy c2 {columns} to stdout {options}"), &mut pipe).expect("copy out");
            assert_eq!(pipe.copied(), first, "{options}");
        }
        let _ = s.sync(&mut pipe);
        let _ = s.simple_query("rollback", &mut pipe);
        let _ = s.sync(&mut pipe);
    });
}
