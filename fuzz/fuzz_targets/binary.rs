//! See `pamir_fuzz::types::binary`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_fuzz::types::binary(data));
