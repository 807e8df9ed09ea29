#!/usr/bin/env bash
# Starts or stops the peers of bench/compare in a throw-away directory: PostgreSQL 15 and MariaDB 10.11 from Debian's packages, durable settings.
# Usage: peers.sh install | start DIR BUFFER_MB | stop DIR
# PostgreSQL listens on 127.0.0.1:25432 (postgres, trusted, database sbtest), MariaDB on 127.0.0.1:23306 (sb / sb, database sbtest).
set -euo pipefail
pgbin=/usr/lib/postgresql/15/bin
case "$1" in
install)
  [ -x $pgbin/postgres ] && command -v mariadbd >/dev/null && command -v sysbench >/dev/null && exit 0
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq postgresql-15 mariadb-server sysbench >/dev/null
  ;;
start)
  dir=$2 buf=$3
  mkdir -p "$dir"; chmod 777 "$dir"
  if [ ! -d "$dir/pg" ]; then
    install -d -o postgres "$dir/pg"
    su postgres -c "$pgbin/initdb -D $dir/pg -A trust -U postgres" >/dev/null
    cat >> "$dir/pg/postgresql.conf" <<CONF
port = 25432
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
max_connections = 1100
max_prepared_transactions = 1100
shared_buffers = ${buf}MB
wal_level = replica
fsync = on
synchronous_commit = on
wal_sync_method = fdatasync
full_page_writes = on
max_wal_size = 8GB
wal_buffers = 64MB
CONF
  fi
  su postgres -c "$pgbin/pg_ctl -D $dir/pg -l $dir/pg/log -w start" >/dev/null
  su postgres -c "psql -h 127.0.0.1 -p 25432 -U postgres -tAc \"select 1 from pg_database where datname='sbtest'\" | grep -q 1 || createdb -h 127.0.0.1 -p 25432 -U postgres sbtest"
  if [ ! -d "$dir/maria" ]; then
    mkdir -p "$dir/maria"
    mariadb-install-db --user=root --datadir="$dir/maria" --auth-root-authentication-method=normal >/dev/null 2>&1
  fi
  ulimit -n 65536 2>/dev/null || true
  nohup mariadbd --no-defaults --user=root --datadir="$dir/maria" --socket="$dir/maria.sock" --port=23306 --bind-address=127.0.0.1 \
    --innodb-buffer-pool-size=${buf}M --innodb-flush-log-at-trx-commit=1 --innodb-log-file-size=4G --innodb-flush-method=O_DIRECT \
    --max-connections=1100 --thread-handling=pool-of-threads --transaction-isolation=READ-COMMITTED --max-prepared-stmt-count=1000000 \
    --log-bin="$dir/maria/bin" --sync-binlog=1 --binlog-format=ROW --expire-logs-days=1 >"$dir/maria.log" 2>&1 &
  echo $! > "$dir/maria.pid"
  for _ in $(seq 60); do mariadb -uroot -S "$dir/maria.sock" -e 'select 1' >/dev/null 2>&1 && break; sleep 0.5; done
  mariadb -uroot -S "$dir/maria.sock" -e "create database if not exists sbtest; create user if not exists 'sb'@'%' identified by 'sb'; grant all on *.* to 'sb'@'%'; create user if not exists 'sb'@'localhost' identified by 'sb'; grant all on *.* to 'sb'@'localhost'"
  ;;
stop)
  dir=$2
  su postgres -c "$pgbin/pg_ctl -D $dir/pg -m fast stop" >/dev/null 2>&1 || true
  if [ -f "$dir/maria.pid" ]; then
    pid=$(cat "$dir/maria.pid"); kill "$pid" 2>/dev/null || true
    for _ in $(seq 120); do kill -0 "$pid" 2>/dev/null || break; sleep 0.5; done
    rm -f "$dir/maria.pid"
  fi
  ;;
esac
