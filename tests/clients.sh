#!/usr/bin/env bash
# Real clients against a release build: psql's backslash commands, sysbench, pgbench, TPC-C, and the drivers whose toolchains are here (DRIVERS=0: none).
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
  if timeout 300 bash -c "$(declare -f sb sb_run psql_ok balances dumped restores metrics forced 2>/dev/null); \"\$@\"" - "$@" >"$dir/out" 2>&1; then passed=$((passed + 1)); echo "ok   $name"
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
# Every listing command of psql: it may be empty, it must not be an error.
psql -X -q >/dev/null <<'SQL'
create table clients_k (id bigint generated always as identity primary key, a int not null default 5 constraint k_a check (a > 0), b varchar(10), c numeric(10,3), d timestamptz default now(), e text[], f jsonb, g uuid, h bytea, s serial, constraint k_uq unique (a, b));
create table clients_kid (x int references clients_k, y int, z varchar(10), foreign key (y, z) references clients_k (a, b) on delete set null on update cascade deferrable initially deferred, primary key (x, y));
create index clients_k1 on clients_k (lower(b)); create index clients_k2 on clients_k (a desc nulls last, c) where a > 10; create unique index clients_k3 on clients_k (c) include (d);
comment on column clients_k.a is 'a column'; create schema clients_s; create sequence clients_s.q start 5 increment 2 cycle;
insert into clients_k (a, b) values (1, 'one'), (2, null);
SQL
while IFS= read -r c; do ok "psql $c" psql_ok x "$c"; done <<'COMMANDS'
\d+
\dt *.*
\dt+
\dn+
\l+
\di+
\ds+
\dp
\z
\dx
\dT
\dT+
\dT *.*
\dv
\dm
\dD
\dD+
\do
\do *.*
\dC
\da
\dL
\db+
\dc
\dd
\ddp
\dE
\dF
\dg+
\drds
\dO
\dP
\dRp
\dRs
\dX
\dy
\dA
\dAc
\dAf
\dAp
\df+ abs
\df * integer
\dconfig *
\dtS
\dviS
\d pg_class
\d+ pg_type
\d+ clients_k
\d+ clients_kid
\d+ clients_k_pkey
\d+ clients_k2
\d+ clients_k3
\d clients_k_id_seq
\d clients_s.q
\d+ *
\encoding
\conninfo
COMMANDS
ok 'psql \gdesc' bash -c 'psql -X -v ON_ERROR_STOP=1 -At <<<"select id, a from clients_k \gdesc" | grep -qx "id|bigint"'
ok 'psql \copy both ways' bash -c 'psql -X -v ON_ERROR_STOP=1 -q -c "\\copy clients_k (a, b) to $dir/copied" -c "create table clients_copy (a int, b text)" -c "\\copy clients_copy from $dir/copied" && [ "$(psql -XAtc "select count(*), count(b) from clients_copy")" = "2|1" ]'
ok 'drop of those' psql_ok x 'drop table clients_kid, clients_k, clients_copy; drop schema clients_s cascade'
ok 'window functions' bash -c '[ "$(psql -XAtc "select string_agg(r::text, chr(44) order by x, r) from (select x, rank() over (partition by x % 2 order by x / 3) r from generate_series(1, 6) x) t")" = "1,1,2,2,2,3" ]'

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
# A dump restores into a fresh server, which then dumps the same rows and describes the same tables.
psql -X -q >/dev/null <<'SQL'
create schema dumped;
create table dumped.a (id bigint generated by default as identity primary key, s serial, x text default 'it''s' , n numeric(10,2) check (n > 0), t timestamptz default current_timestamp, j jsonb, r text[], constraint a_x unique (x, n));
create table dumped.b (a_id bigint references dumped.a on delete cascade, k varchar(9) not null, primary key (k, a_id));
create index on dumped.a (lower(x), n desc) where n > 1;
create sequence dumped.q start 7 increment 3 cycle; select nextval('dumped.q');
comment on table dumped.a is 'a table'; comment on column dumped.a.x is 'a column';
insert into dumped.a (x, n, j, r) values (E'tab\t\\ \n line', 1.5, '{"k": [1, null]}', '{a,NULL,"b c"}'), (null, null, null, null);
insert into dumped.b values (1, 'one');
SQL
dumped() { # dumped PORT: the rows and what psql shows of the tables
  pg_dump -p "$1" --data-only -n dumped | grep -v restrict; psql -X -p "$1" -c '\d+ dumped.*'
}
restores() { # restores OPTION...: a dump made with these options into another server
  rm -rf "$dir/other" "$dir/other.ready"
  target/release/pamir start --data-dir "$dir/other" --pg-addr 127.0.0.1:0 --http-addr off --cache-size 64MiB >"$dir/other.ready" 2>>"$dir/log" & local pid2=$! rc=1 to=""
  for _ in $(seq 100); do grep -q postgres:// "$dir/other.ready" && break; sleep 0.1; done
  to=$(sed -n 's/.*@127.0.0.1:\([0-9]*\).*/\1/p' "$dir/other.ready")
  pg_dump -n dumped "$@" >"$dir/dump.sql" && psql -X -q -v ON_ERROR_STOP=1 -p "$to" -f "$dir/dump.sql" && diff <(dumped "$port") <(dumped "$to") && rc=0
  kill -TERM "$pid2"; wait "$pid2"
  return $rc
}
ok 'pg_dump restores' restores
ok 'pg_dump --inserts restores' restores --inserts
ok 'pg_dump of everything' pg_dump
# WITH (FORCE) ends the sessions of the database, idle ones and those that run a statement.
forced() {
  psql -Xqc 'create database forced' || return 1
  psql -X forced -c 'select pg_sleep(60)' & local busy=$!
  { sleep 60 & echo $! >"$dir/sleeper"; wait $!; } | psql -X forced & local idle=$!
  for _ in $(seq 50); do [ "$(psql -XAtc "select count(*) from pg_stat_activity where datname = 'forced'")" = 2 ] && break; sleep 0.1; done
  psql -Xqc 'drop database forced with (force)'; local rc=$?
  kill "$(cat "$dir/sleeper")"
  ! wait "$busy" && { wait "$idle"; [ $rc = 0 ]; }
}
ok 'DROP DATABASE WITH (FORCE)' forced
# /metrics as Prometheus reads it.
metrics() {
  local at; at=$(sed -n 's/.*health and metrics on \(http:[^ ]*\).*/\1/p' "$dir/log" | tail -1)
  python3 -m venv "$dir/metrics" && "$dir/metrics/bin/pip" install -q 'prometheus_client>=0.20,<1' && "$dir/metrics/bin/python" tests/openmetrics.py "$at/metrics"
}
ok 'OpenMetrics' metrics
# Each driver whose toolchain is here; DRIVERS=0 leaves them out.
driver() { # driver NAME TOOL...
  local name=$1 t; shift
  for t in "$@"; do command -v "$t" >/dev/null || { echo "skip driver $name: no $t on this machine"; return; }; done
  ok "driver $name" tests/drivers/run.sh 127.0.0.1 "$port" "$name"
}
if [ "${DRIVERS:-1}" = 1 ]; then driver python python3; driver go go; driver java java mvn; driver node node npm; fi

kill -9 "$pid"; wait "$pid" 2>/dev/null; pid=""
ok 'pamir check after kill -9' target/release/pamir check --data-dir "$dir/data"
start
ok "balances after kill -9" balances
stop
ok 'pamir check after a clean stop' target/release/pamir check --data-dir "$dir/data"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
