#!/usr/bin/env bash
# Whether PostgreSQL 15's rows in crates/pamir-expr/src/func/tables.rs are what generate.py writes from a PostgreSQL 15 server: nobody edited them by hand, no type was added without them.
#
#   scripts/catalog.sh            compares
#   scripts/catalog.sh --write    writes the file anew
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
func=crates/pamir-expr/src/func
bin=/usr/lib/postgresql/15/bin
work=$(mktemp -d)
as=(env)
if [ "$(id -u)" = 0 ]; then # initdb refuses root
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chown postgres: "$work"
fi
stop() {
    "${as[@]}" "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap stop EXIT
cd "$work"
"${as[@]}" "$bin/initdb" -D "$work/data" -U postgres -A trust --no-sync >/dev/null
# A socket in its own directory and no port: nothing of this machine is in the way.
"${as[@]}" "$bin/pg_ctl" -D "$work/data" -w -l "$work/data/log" -o "-k $work -c listen_addresses=''" start >/dev/null
cd - >/dev/null
python3 "$func/generate.py" "host=$work user=postgres dbname=postgres" >"$work/tables.rs"
if [ "${1:-}" = --write ]; then
    cp "$work/tables.rs" "$func/tables.rs"
elif ! diff -u "$func/tables.rs" "$work/tables.rs"; then
    echo "catalog: $func/tables.rs is not what generate.py writes; scripts/catalog.sh --write writes it anew" >&2
    exit 1
fi
