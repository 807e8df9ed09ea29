#!/bin/sh
# Runs the small concurrent tests of the modules with `unsafe` or with their own memory ordering under Miri: the pool's optimistic reads
# (pamir-storage) and the registration of snapshots (pamir-txn). Needs: rustup +nightly component add miri rust-src. Takes minutes.
# MIRI_SEEDS=0..8 tries several schedules.
set -eu
cd "$(dirname "$0")/.."
MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation${MIRI_SEEDS:+ -Zmiri-many-seeds=$MIRI_SEEDS}"
export MIRIFLAGS
cargo +nightly miri test -p pamir-txn --lib snapshot::
cargo +nightly miri test -p pamir-storage --lib miri_
