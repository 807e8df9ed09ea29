//! See `pamir_fuzz::sql::parser`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::sql::parser(data));
