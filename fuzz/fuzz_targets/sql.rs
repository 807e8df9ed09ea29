//! See `pamir_fuzz::sql::run`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::sql::run(data));
