#!/usr/bin/env bash
# Builds Pamir and runs it; arguments go to `pamir start`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build
cargo build --release --locked -p pamir
exec target/release/pamir start "$@"
