#!/usr/bin/env bash
# The examination of privileges against a server started for it. usage: run.sh [PAMIR]
set -euo pipefail
cd "$(dirname "$0")/../.."
pamir=${1:-target/release/pamir}
dir=$(mktemp -d)
"$pamir" start --data-dir "$dir/data" --pg-addr 127.0.0.1:0 --http-addr 127.0.0.1:0 >"$dir/log" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null; wait $pid 2>/dev/null; rm -rf "$dir"' EXIT
for _ in $(seq 100); do
    grep -q "ready" "$dir/log" && break
    sleep 0.1
done
port=$(sed -n 's/.*@127.0.0.1:\([0-9]*\).*/\1/p' "$dir/log" | head -1)
python3 tests/privileges/examine.py --dsn "host=127.0.0.1 port=$port user=postgres dbname=postgres"
