//! See `pamir_fuzz::copy::run`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::copy::run(data));
