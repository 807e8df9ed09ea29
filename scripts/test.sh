#!/usr/bin/env bash
# Sets up what the tests need and runs them all: format, lints, unit and property tests, then real clients against a release build.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
scripts/catalog.sh
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo test --workspace --locked --no-fail-fast
# The lock manager in some thousand random schedules.
cargo test -p pamir-txn --locked --features model --lib lock::model
cargo build --release --locked -p pamir
tests/clients.sh
# Random statements against PostgreSQL 15, always the same; new ones are scripts/hunt.sh's.
tests/differential/random --seed 1 --cases 25
tests/differential/functions --calls 6
# A corpus of statements, everything that a client hears of each.
tests/differential/corpus
tests/privileges/run.sh
# Dumps of schemas like real ones, from PostgreSQL 15 and back.
tests/dumps/run.sh
