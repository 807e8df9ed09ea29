//! See `pamir_txn::fuzzing::record`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_txn::fuzzing::record(data));
