#!/usr/bin/env bash
# TPC-C against one PostgreSQL-speaking server, then the specification's consistency conditions 1-4. Usage: tpcc.sh HOST PORT WAREHOUSES CLIENTS [DB]
# TPCC_SECONDS (30), TPCC_CUSTOMERS (3000) and TPCC_ITEMS (100000) make it smaller. TPCC_STYLES: how the transactions are written, one after the other (text batch join).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
host=$1 port=$2 w=$3 clients=$4 db=${5:-postgres}
small=""; [ "${TPCC_SECONDS:-30}" -lt 20 ] && small=1
args=(--db-driver=pgsql --pgsql-host="$host" --pgsql-port="$port" --pgsql-user=postgres --pgsql-db="$db" --warehouses="$w"
  --customers="${TPCC_CUSTOMERS:-$([ -n "$small" ] && echo 300 || echo 3000)}" --items="${TPCC_ITEMS:-$([ -n "$small" ] && echo 2000 || echo 100000)}")
sysbench "$here/tpcc.lua" "${args[@]}" cleanup >/dev/null
sysbench "$here/tpcc.lua" "${args[@]}" prepare
for style in ${TPCC_STYLES:-text batch join}; do
  echo "style: $style"
  sysbench "$here/tpcc.lua" "${args[@]}" --style="$style" --threads="$clients" --time="${TPCC_SECONDS:-30}" --percentile=95 run
done
q() { psql -XAt -v ON_ERROR_STOP=1 -h "$host" -p "$port" -U postgres "$db" -c "$1"; }
bad=0
check() { local n; n=$(q "$2"); if [ "$n" = 0 ]; then echo "consistency condition $1 holds"; else echo "consistency condition $1 VIOLATED: $n rows"; bad=1; fi; }
check 1 "select count(*) from warehouse where w_ytd <> (select sum(d_ytd) from district where d_w_id = w_id)"
check 2 "select count(*) from district d where d_next_o_id - 1 <> (select max(o_id) from orders where o_w_id = d_w_id and o_d_id = d_id) or exists (select 1 from new_order where no_w_id = d_w_id and no_d_id = d_id having max(no_o_id) <> d_next_o_id - 1)"
check 3 "select count(*) from (select no_w_id, no_d_id from new_order group by no_w_id, no_d_id having max(no_o_id) - min(no_o_id) + 1 <> count(*)) x"
check 4 "select count(*) from (select o_w_id, o_d_id, sum(o_ol_cnt) as n from orders group by o_w_id, o_d_id) o join (select ol_w_id, ol_d_id, count(*) as n from order_line group by ol_w_id, ol_d_id) l on ol_w_id = o_w_id and ol_d_id = o_d_id where o.n <> l.n"
exit $bad
