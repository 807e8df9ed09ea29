//! See `pamir_txn::fuzzing::replay`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pamir_txn::fuzzing::replay(data));
