#!/usr/bin/env bash
# Dumps of real-looking schemas, from PostgreSQL 15 into Pamir and back. usage: run.sh [PAMIR] [SCHEMA...]
#
#   SCHEMA.sql --> PostgreSQL --pg_dump--> 1 --> Pamir --pg_dump--> 2        plain, -Fc and -Fd (pg_restore -j 2): 1 and 2 are the same
#                                                2 --> PostgreSQL --pg_dump--> 3                                    so are 2 and 3
#   all of them: pg_dumpall there, and back                                  roles, memberships, settings, grants, databases
#
# Only the servers' versions and pg_dump's random keys (\restrict) may differ. PG_BIN: PostgreSQL 15's programs. Ends with `N passed, N failed`; KEEP=DIR keeps the dumps.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pamir=${1:-$here/../../target/release/pamir}; shift || true
schemas=(${@:-film forge shop ledger clinic meters})
bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
dir=${KEEP:-$(mktemp -d)}; mkdir -p "$dir"; chmod 777 "$dir"; passed=0; failed=0
as_postgres() { if [ "$(id -u)" = 0 ]; then su postgres -c "$*"; else bash -c "$*"; fi; }
stop() {
  [ -n "${pid:-}" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  as_postgres "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null 2>&1
  if [ -z "${KEEP:-}" ]; then rm -rf "$dir"; else rm -rf "$dir/pg" "$dir/data"; fi
}
trap stop EXIT
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

theirs=$(free_port)
as_postgres "$bin/initdb -D $dir/pg -U postgres -A trust -E UTF8 --locale=C >/dev/null && $bin/pg_ctl -w -D $dir/pg -l $dir/pg.log -o '-p $theirs -k $dir -c fsync=off' start >/dev/null" || exit 1
"$pamir" start --data-dir "$dir/data" --pg-addr 127.0.0.1:0 --http-addr 127.0.0.1:0 >"$dir/ready" 2>"$dir/log" & pid=$!
for _ in $(seq 100); do grep -q postgres:// "$dir/ready" && break; sleep 0.1; done
ours=$(sed -n 's/.*@127.0.0.1:\([0-9]*\).*/\1/p' "$dir/ready" | head -1)
[ -n "$ours" ] || { echo "pamir did not start"; cat "$dir/log"; exit 1; }
export PGHOST=127.0.0.1 PGUSER=postgres

sql() { local port=$1 db=$2; shift 2; "$bin/psql" -qX -v ON_ERROR_STOP=1 -p "$port" -d "$db" "$@" >/dev/null; }
# What may differ between two dumps of the same.
plain() { grep -v '^-- Dumped \(from\|by\)\|^\\\(un\)\?restrict' "$1"; }
ok() { # ok NAME COMMAND...
  local name=$1; shift
  if "$@" >"$dir/out" 2>&1; then passed=$((passed + 1)); echo "ok   $name"
  else failed=$((failed + 1)); echo "FAIL $name"; head -${LINES_SHOWN:-25} "$dir/out" | cut -c1-300 | sed 's/^/     /'; fi
}
same() { diff <(plain "$1") <(plain "$2"); }
fresh() { sql "$1" postgres -c "drop database if exists $2 with (force)" -c "create database $2" 2>&1 | grep -v NOTICE; true; }

sql "$ours" postgres -c 'create role dump_clerk' -c 'create role dump_auditor' -c 'create role dump_owner' # what ledger.sql grants to
for s in "${schemas[@]}"; do
  fresh "$theirs" "d_$s"
  sql "$theirs" "d_$s" -f "$here/$s.sql" || exit 1
  sql "$theirs" "d_$s" -f "$here/$s.triggers.sql" || exit 1
  "$bin/pg_dump" -p "$theirs" "d_$s" >"$dir/$s.1.sql" || exit 1
  fresh "$ours" "d_$s"
  ok "$s: restored, plain" sql "$ours" "d_$s" -v ON_ERROR_STOP=0 -f "$dir/$s.1.sql"
  ok "$s: without an error" bash -c "! grep ERROR -A4 $dir/out"
  ok "$s: dumped" "$bin/pg_dump" -p "$ours" -f "$dir/$s.2.sql" "d_$s"
  ok "$s: the second dump is the first" same "$dir/$s.1.sql" "$dir/$s.2.sql"
  fresh "$theirs" "back_$s"
  ok "$s: back into PostgreSQL" sql "$theirs" "back_$s" -f "$dir/$s.2.sql"
  "$bin/pg_dump" -p "$theirs" "back_$s" >"$dir/$s.3.sql"
  ok "$s: the third dump is the second" same "$dir/$s.2.sql" "$dir/$s.3.sql"
  for form in c d; do
    rm -rf "$dir/$s.1.$form" "$dir/$s.2.$form"
    "$bin/pg_dump" -p "$theirs" -F$form -f "$dir/$s.1.$form" "d_$s"
    fresh "$ours" "d_$s"
    ok "$s: pg_restore -j 2 of -F$form" "$bin/pg_restore" -p "$ours" -j 2 -d "d_$s" "$dir/$s.1.$form"
    ok "$s: dumped with -F$form" "$bin/pg_dump" -p "$ours" -F$form -j $([ $form = d ] && echo 2 || echo 1) -f "$dir/$s.2.$form" "d_$s"
    "$bin/pg_restore" -f "$dir/$s.1.$form.sql" "$dir/$s.1.$form"
    "$bin/pg_restore" -f "$dir/$s.2.$form.sql" "$dir/$s.2.$form"
    ok "$s: -F$form says the same" same "$dir/$s.1.$form.sql" "$dir/$s.2.$form.sql"
  done
  sql "$theirs" postgres -c "drop database back_$s"
done
"$bin/pg_dumpall" -p "$theirs" >"$dir/all.1.sql"
for s in "${schemas[@]}"; do sql "$ours" postgres -c "drop database d_$s"; done
sql "$ours" postgres -c 'drop role dump_clerk' -c 'drop role dump_auditor' -c 'drop role dump_owner'
ok "pg_dumpall: restored" bash -c "$bin/psql -qX -p $ours -d postgres -f $dir/all.1.sql 2>&1 >/dev/null | grep ERROR -A3 | grep -v 'role \"postgres\" already exists' | tee $dir/errors; ! [ -s $dir/errors ]"
ok "pg_dumpall: dumped" "$bin/pg_dumpall" -p "$ours" -f "$dir/all.2.sql"
ok "pg_dumpall: the second is the first" same "$dir/all.1.sql" "$dir/all.2.sql"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
