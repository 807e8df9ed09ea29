#!/usr/bin/env bash
# The long hunt, by hand: what the ordinary suite does for seconds, for as long as wanted.
#
#   scripts/hunt.sh [minutes of fuzzing (30)]
#
# 10,000 seeds of crashes on the simulated disk and of sessions in a simulation (HUNT_SEEDS), 100 rounds of kill -9 under 32 writers with a release build (HUNT_ROUNDS), the mutation tests,
# the models in 20,000 schedules each, new random statements and calls beside PostgreSQL, then all fuzz targets (scripts/fuzz.sh). Stops at the first thing that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-30}
case $minutes in '' | *[!0-9]*)
    echo "usage: scripts/hunt.sh [minutes of fuzzing]" >&2
    exit 2
    ;;
esac
part() {
    echo "== $1"
    shift
    local start=$SECONDS
    "$@"
    echo "   $((SECONDS - start)) s"
}
part "crash seeds, storage" env PAMIR_SEEDS="${HUNT_SEEDS:-10000}" cargo test --release -p pamir-storage --lib crashes_lose_nothing
part "crash seeds, shard" env PAMIR_SEEDS="${HUNT_SEEDS:-10000}" cargo test --release -p pamir-txn --test crash -- --ignored --nocapture hunt
part "sessions in a simulation" env PAMIR_SEEDS="${HUNT_SEEDS:-10000}" cargo test --release -p pamir-sql --test sessions sessions_meet
part "kill -9" env PAMIR_KILL_ROUNDS="${HUNT_ROUNDS:-100}" cargo test --release -p pamir --test durability -- --nocapture
part "models" env PAMIR_MODEL_SCHEDULES=20000 cargo test -p pamir-txn --features model --lib lock::model
part "models of memory order" cargo test -p pamir-storage -p pamir-txn --test loom
seconds=$((minutes * 60 / 14))
part "mutations" env PAMIR_SECONDS="$seconds" cargo test --release -p pamir-storage -p pamir-txn -p pamir-sql -p pamir --no-fail-fast -- damaged random_ mutated
part "random statements beside PostgreSQL" tests/differential/random --minutes "$minutes"
part "functions beside PostgreSQL" tests/differential/functions --calls 300 --seed "$RANDOM"
part "texts of the grammar beside PostgreSQL" tests/differential/parser --texts 50000 --seed "$RANDOM"
part "XML beside PostgreSQL" env PAMIR_XML_SEED="$RANDOM" PAMIR_XML_COUNT=20000 tests/differential/corpus -v --only types/xml.py
part "the corpus, prepared and binary" bash -c 'tests/differential/corpus --protocol extended && tests/differential/corpus --protocol binary'
part "fuzzing" scripts/fuzz.sh "$seconds"
echo "hunt: nothing found"
