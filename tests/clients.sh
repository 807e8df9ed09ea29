#!/usr/bin/env bash
# Real clients against a release build: psql's backslash commands, sysbench, pgbench, TPC-C, and the drivers when DRIVERS=1.
# Small sizes: this proves that they work; bench/compare measures. Ends with `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d); passed=0; failed=0; pid=""
stop() { [ -n "$pid" ] && kill -TERM "$pid" 2>/dev/null && wait "$pid"; pid=""; }
trap 'stop; rm -rf "$dir"' EXIT
start() {
  : >"$dir/ready"
  target/release/pamir start --data-dir "$dir/data" --pg-addr 127.0.0.1:0 --http-addr 127.0.0.1:0 --cache-size 256MiB >"$dir/ready" 2>>"$dir/log" & pid=$!
  for _ in $(seq 100); do grep -q postgres:// "$dir/ready" && break; sleep 0.1; done
  port=$(sed -n 's/.*@127.0.0.1:\([0-9]*\).*/\1/p' "$dir/ready")
  [ -n "$port" ] || { echo "pamir did not start"; cat "$dir/log"; exit 1; }
  export dir port PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres PGDATABASE=postgres
}
ok() { # ok NAME COMMAND...
  local name=$1; shift
  if timeout 300 bash -c "$(declare -f sb sb_run psql_ok balances 2>/dev/null); \"\$@\"" - "$@" >"$dir/out" 2>&1; then passed=$((passed + 1)); echo "ok   $name"
  else failed=$((failed + 1)); echo "FAIL $name"; tail -25 "$dir/out" | sed 's/^/     /'; fi
}
psql_ok() { psql -X -v ON_ERROR_STOP=1 -qc "$2"; }
has() { # has NAME PSQL-COMMAND TEXT...: the output holds every text
  local name=$1 cmd=$2; shift 2
  if psql -X -v ON_ERROR_STOP=1 -c "$cmd" >"$dir/out" 2>&1; then
    for t in "$@"; do grep -qF -- "$t" "$dir/out" || { failed=$((failed + 1)); echo "FAIL $name: no '$t'"; sed 's/^/     /' "$dir/out" | head -20; return; }; done
    passed=$((passed + 1)); echo "ok   $name"
  else failed=$((failed + 1)); echo "FAIL $name"; sed 's/^/     /' "$dir/out" | head -20; fi
}

start
psql -X -q <<'SQL' >/dev/null
create table clients_t (id serial primary key, name varchar(20) not null default 'x', n numeric(8,2) check (n > 0));
create table clients_c (id int primary key, t_id int references clients_t on delete cascade);
create unique index clients_name on clients_t (name, n desc);
comment on table clients_t is 'a table';
SQL
has '\l' '\l' postgres template1 UTF8
has '\dn' '\dn' public
has '\dt' '\dt' clients_t clients_c
has '\d' '\d' clients_t_id_seq
has '\d table' '\d clients_t' 'nextval(' 'clients_t_pkey' 'PRIMARY KEY, btree (id)' 'clients_name' 'UNIQUE, btree (name, n DESC)' 'Check constraints' 'Referenced by' 'character varying(20)'
has '\d child' '\d clients_c' 'FOREIGN KEY (t_id) REFERENCES clients_t(id) ON DELETE CASCADE'
has '\di' '\di' clients_name
has '\ds' '\ds' clients_t_id_seq
has '\du' '\du' postgres Superuser
has '\df' '\df upper' upper
has '\dt+' '\dt+' 'a table'
has '\d+' '\d+ clients_t' clients_t_pkey
has 'tab completion' "SELECT pg_catalog.quote_ident(c.relname) FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'S', 'v', 'm', 'f', 'p') AND substring(pg_catalog.quote_ident(c.relname),1,7)='clients' AND pg_catalog.pg_table_is_visible(c.oid)" clients_t
ok 'drop' psql_ok x 'drop table clients_c, clients_t'

sb() { sysbench "$1" --db-driver=pgsql --pgsql-host=127.0.0.1 --pgsql-port="$port" --pgsql-user=postgres --pgsql-db=postgres --tables=2 --table-size=5000 --threads="$2" --time=2 --rand-type=uniform "$3"; }
sb_run() { sb "$1" "$2" run >"$dir/sb" && grep -q "ignored errors: *0 " "$dir/sb"; }
ok 'sysbench prepare' sb oltp_read_write 1 prepare
for w in oltp_point_select oltp_read_only oltp_write_only oltp_read_write oltp_update_index oltp_update_non_index oltp_insert oltp_delete select_random_points select_random_ranges; do
  for t in 1 16; do
    case $w in oltp_write_only|oltp_read_write|oltp_delete|oltp_insert) ok "sysbench $w $t" sb "$w" $t run ;; *) ok "sysbench $w $t" sb_run "$w" $t ;; esac
  done
done
ok 'sysbench cleanup' sb oltp_read_write 1 cleanup
ok 'sysbench bulk_insert prepare' sb bulk_insert 2 prepare
ok 'sysbench bulk_insert' sb bulk_insert 2 run
ok 'sysbench bulk_insert cleanup' sb bulk_insert 2 cleanup

ok 'pgbench -i' pgbench -i -s 2 -q
for m in simple extended prepared; do
  ok "pgbench $m" pgbench -M $m -c 8 -j 2 -T 2 -n
  ok "pgbench $m -S" pgbench -M $m -c 8 -j 2 -T 2 -n -S
done
balances() { [ "$(psql -XAtc 'select (select sum(abalance) from pgbench_accounts) = (select sum(bbalance) from pgbench_branches) and (select sum(tbalance) from pgbench_tellers) = (select sum(delta) from pgbench_history)')" = t ]; }
ok "pgbench balances agree" balances

if [ -f bench/tpcc.lua ]; then ok 'TPC-C, with its consistency conditions' env TPCC_SECONDS=5 bench/tpcc.sh 127.0.0.1 "$port" 1 4; fi
ok 'pg_dump' pg_dump -t pgbench_branches
if [ "${DRIVERS:-0}" = 1 ]; then ok 'drivers' tests/drivers/run.sh 127.0.0.1 "$port"; fi

kill -9 "$pid"; wait "$pid" 2>/dev/null; pid=""
ok 'pamir check after kill -9' target/release/pamir check --data-dir "$dir/data"
start
ok "balances after kill -9" balances
stop
ok 'pamir check after a clean stop' target/release/pamir check --data-dir "$dir/data"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
