#!/usr/bin/env bash
# Installs what building and testing need from Debian's packages, when it is missing and this user may install.
# Usage: setup.sh build|test
set -euo pipefail
want=()
need() { command -v "$1" >/dev/null 2>&1 || want+=("$2"); }
need cc build-essential
if [ "${1:-build}" = test ]; then
  need psql postgresql-client-15
  # 15.20's answers: releases before it let ON CONFLICT DO UPDATE change, through a view, rows that the view does not show.
  minor=$(/usr/lib/postgresql/15/bin/postgres --version 2>/dev/null | sed -n 's/^postgres (PostgreSQL) 15\.\([0-9]*\).*/\1/p')
  [ "${minor:-0}" -ge 20 ] || want+=(postgresql-15)
  command -v pgbench >/dev/null 2>&1 || want+=(postgresql-client-15 postgresql-contrib)
  need sysbench sysbench
  need openssl openssl
  need python3 python3
fi
[ ${#want[@]} -eq 0 ] && exit 0
sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${want[@]}" >/dev/null
