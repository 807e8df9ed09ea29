#!/usr/bin/env bash
# Runs the fuzz targets of fuzz/ (libFuzzer with the address sanitizer), one after the other.
#
#   scripts/fuzz.sh [seconds per target (30)] [target...]
#
# Needs a nightly compiler and cargo-fuzz, and installs them where rustup and cargo can. What is found is kept in fuzz/artifacts/TARGET; replay it with
# `cargo +nightly fuzz run TARGET FILE`. The corpus grows in fuzz/corpus. FUZZ_JOBS sets how many processes work on a target (1).
# CI does not run this: its share is the mutation tests of the ordinary suite (PAMIR_SECONDS makes those longer).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
case $seconds in '' | *[!0-9]*)
    echo "usage: scripts/fuzz.sh [seconds per target] [target...]" >&2
    exit 2
    ;;
esac
shift || true

fail() {
    echo "fuzz: $1" >&2
    exit 1
}
if ! cargo +nightly --version >/dev/null 2>&1; then
    command -v rustup >/dev/null || fail "a nightly compiler is needed, and there is no rustup to install one"
    rustup toolchain install nightly --profile minimal || fail "rustup could not install the nightly compiler"
fi
if ! cargo fuzz --version >/dev/null 2>&1; then
    cargo install cargo-fuzz --locked || fail "cargo could not install cargo-fuzz"
fi

# Statements of the golden scripts, one a file.
seed_sql() {
    [ -e "$1/.seeded" ] && return
    mkdir -p "$1"
    cat crates/pamir-sql/tests/scripts/*.sql | grep -v '^--' | awk -v RS=';\n' -v dir="$1" \
        'length($0) > 3 && length($0) < 1500 { f = sprintf("%s/seed-%05d", dir, NR); printf "%s", $0 > f; close(f) }'
    touch "$1/.seeded"
}
seed_sql fuzz/corpus/sql
seed_sql fuzz/corpus/parser
# Texts of the types' golden files, each under a few of the type numbers that come first.
if [ ! -e fuzz/corpus/text/.seeded ]; then
    mkdir -p fuzz/corpus/text
    cat crates/pamir-types/tests/golden/*.tsv | awk -F'\t' -v dir=fuzz/corpus/text \
        'NF > 1 && length($3) > 0 && NR % 7 == 0 { f = sprintf("%s/seed-%05d", dir, NR); printf "%c%s", 1 + NR % 120, $3 > f; close(f) }'
    touch fuzz/corpus/text/.seeded
fi

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo +nightly fuzz list)
[ -n "${FUZZ_NO_BUILD:-}" ] || cargo +nightly fuzz build -O
failed=()
for t in "${targets[@]}"; do
    echo "== $t, $seconds s"
    options=(-max_total_time="$seconds" -timeout=30 -rss_limit_mb=3072 -malloc_limit_mb=1024 -max_len=4096 -print_final_stats=1)
    case $t in sql | parser) options+=(-dict=fuzz/sql.dict) ;; esac
    [ "${FUZZ_JOBS:-1}" = 1 ] || options+=(-fork="$FUZZ_JOBS")
    cargo +nightly fuzz run -O "$t" -- "${options[@]}" >"fuzz/$t.log" 2>&1 || failed+=("$t")
    grep -E '^(stat::number_of_executed|stat::new_units|#[0-9]+.*DONE|SUMMARY|thread .*panicked)|Test unit written' "fuzz/$t.log" | tail -6 || true
done
if [ ${#failed[@]} -gt 0 ]; then
    fail "found something: ${failed[*]} (fuzz/TARGET.log, fuzz/artifacts/TARGET)"
fi
echo "fuzz: nothing found"
