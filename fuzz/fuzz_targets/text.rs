//! See `pamir_fuzz::types::text`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::types::text(data));
