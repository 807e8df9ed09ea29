//! Random dates, times, intervals, numbers, arrays and json, as PostgreSQL 15 read them.
mod golden;
use pamir_types::datetime::{self as dt, DateOrder};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Type, oid};

#[test]
fn random_texts() {
    let tz = dt::parse_zone("America/New_York").unwrap();
    golden::check(include_str!("golden/random.tsv"), |f| {
        let find = |n: &str| oid::TYPES.iter().find(|t| t.2 == n).unwrap().0;
        let ty = match f[0].strip_suffix("[]") {
            Some(e) => Type::new(oid::array_of(find(e)).unwrap()),
            None => Type::new(find(&f[0])),
        };
        let mut cx = TextCtx::default();
        cx.dt.tz = tz.clone();
        cx.dt.order = match f[1].as_str() {
            "DMY" => DateOrder::Dmy,
            "YMD" => DateOrder::Ymd,
            _ => DateOrder::Mdy,
        };
        Ok(text::to_string(&text::parse(&f[2], ty, &cx)?, ty, &cx))
    });
}
