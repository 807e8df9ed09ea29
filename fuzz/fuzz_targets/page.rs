//! See `pamir_storage::fuzzing::page`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_storage::fuzzing::page(data));
