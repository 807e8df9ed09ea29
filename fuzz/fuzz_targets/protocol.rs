//! See `pamir_fuzz::protocol::run`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::protocol::run(data));
