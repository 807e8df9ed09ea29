"""Reads /metrics as Prometheus does: `openmetrics.py http://HOST:PORT/metrics` (needs prometheus_client). Exit status 1 and a line for whatever the format forbids."""
import sys
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families

with urllib.request.urlopen(sys.argv[1], timeout=10) as reply:
    kind = reply.headers["content-type"]
    text = reply.read().decode()
problems = [] if kind.startswith("application/openmetrics-text") else [f"content type {kind}"]
try:
    families = {f.name: f for f in text_string_to_metric_families(text)}
except ValueError as e:
    sys.exit(f"FAIL metrics: {e}")
for f in families.values():
    if not f.documentation or f.documentation == "Not described.":
        problems.append(f"{f.name} has no help")
    if f.type == "unknown":
        problems.append(f"{f.name} has no type")
    # What is measured in a unit says so.
    if not f.unit and f.name.endswith(("_seconds", "_bytes")):
        problems.append(f"{f.name} does not declare its unit")
duration = families.get("pamir_statement_duration_seconds")
kinds = {s.labels.get("kind") for s in duration.samples} if duration else set()
if kinds != {"select", "insert", "update", "delete", "other"}:
    problems.append(f"pamir_statement_duration_seconds has the kinds {sorted(map(str, kinds))}")
for p in problems:
    print(f"FAIL metrics: {p}")
if not problems:
    print(f"ok metrics: {len(families)} families")
sys.exit(bool(problems))
