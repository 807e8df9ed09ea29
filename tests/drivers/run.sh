#!/usr/bin/env bash
# Runs a smoke program of each driver against a running Pamir (or PostgreSQL): psycopg 3, asyncpg, pgx, pgjdbc, node-postgres; and of what stands on them:
# SQLAlchemy, Alembic, Django, Sequelize, knex, TypeORM, drizzle.
# Each is installed by its own package manager into a work directory (kept between runs when DRIVERS_DIR is set).
#
# Usage: run.sh HOST PORT [driver ...]     drivers: python go java node (default: all)
# With PAMIR_TLS_CA=FILE the programs also connect as role smoke_tls with TLS and SCRAM; the server's certificate must be for "localhost".
# Ends with "N passed, N failed".
set -uo pipefail
[ $# -ge 2 ] || { echo "usage: $0 HOST PORT [driver ...]" >&2; exit 2; }
export PGHOST=$1 PGPORT=$2 PGUSER=postgres PGDATABASE=postgres
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=${DRIVERS_DIR:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${DRIVERS_DIR:-}" ] || trap 'rm -rf "$work"' EXIT
drivers=("$@"); [ ${#drivers[@]} -gt 0 ] || drivers=(python go java node)

setup_python() { [ -x "$work/venv/bin/python" ] || { python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q -r "$here/python/requirements.txt"; }; }
run_python() {
  local status=0
  "$work/venv/bin/python" "$here/python/smoke.py" || status=1
  "$work/venv/bin/python" "$here/python/asyncpg_smoke.py" || status=1
  "$work/venv/bin/python" "$here/python/orms.py" || status=1
  return $status
}
setup_go() { mkdir -p "$work/go" && cp "$here"/go/* "$work/go/" && (cd "$work/go" && go build -o smoke .); }
run_go() { "$work/go/smoke"; }
setup_java() { mkdir -p "$work/java" && cp -r "$here"/java/* "$work/java/" && (cd "$work/java" && mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=cp.txt); }
run_java() { java -cp "$work/java/target/classes:$(cat "$work/java/cp.txt")" Smoke; }
setup_node() { mkdir -p "$work/node" && cp "$here"/node/* "$work/node/" && (cd "$work/node" && npm install --silent --no-audit --no-fund --legacy-peer-deps); }
run_node() {
  local status=0
  (cd "$work/node" && node smoke.js) || status=1
  (cd "$work/node" && node orms.mjs) || status=1
  return $status
}

passed=0 failed=0
for d in "${drivers[@]}"; do
  echo "== $d"
  if ! "setup_$d" >"$work/$d.setup.log" 2>&1; then
    tail -20 "$work/$d.setup.log"
    echo "FAIL $d: could not be installed"
    failed=$((failed + 1))
    continue
  fi
  # Each program prints one line a check: "ok NAME" or "FAIL NAME: why".
  out=$("run_$d" 2>&1); status=$?
  printf '%s\n' "$out"
  ok=$(printf '%s\n' "$out" | grep -c '^ok '); bad=$(printf '%s\n' "$out" | grep -c '^FAIL ')
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "FAIL $d: exit status $status"; fi
  if [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "FAIL $d: no check ran"; fi
  passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
