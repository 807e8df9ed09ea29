#!/usr/bin/env bash
# Where a running server spends its CPU: samples its stacks, folds them, draws a flame graph.
# Usage: flame.sh PID SECONDS [NAME]   writes NAME.folded and, with inferno (cargo install inferno), NAME.svg; prints the functions with the most time of their own.
# FLAME_HZ (997) sets the sampling rate, FLAME_CALLS (dwarf) how stacks are unwound: fp needs a build with RUSTFLAGS=-Cforce-frame-pointers=yes and costs less.
set -euo pipefail
pid=$1 seconds=$2 name=${3:-flame}
data=$(mktemp "${TMPDIR:-/tmp}/flame.XXXXXX")
trap 'rm -f "$data" "$data.old"' EXIT
[ "${FLAME_CALLS:-dwarf}" = fp ] && calls=fp || calls=dwarf,8192
# The software clock: virtual machines often hide the hardware's counters.
perf record -q -e cpu-clock -F "${FLAME_HZ:-997}" --call-graph "$calls" -p "$pid" -o "$data" -- sleep "$seconds" >/dev/null
perf script -i "$data" -F comm,pid,tid,time,event,ip,sym,dso 2>/dev/null | python3 -c '
import collections, re, sys
# One sample: a head line, then a frame a line from the inside out, then an empty line.
folded, own, stack, thread, total = collections.Counter(), collections.Counter(), [], "", 0
def done():
    global total
    if stack:
        folded[";".join([thread, *reversed(stack)])] += 1
        own[stack[0]] += 1
        total += 1
for line in sys.stdin:
    if not line.strip():
        done()
        stack = []
    elif line[0] not in " \t" or ":" in line and "cpu-clock" in line:
        thread = line.split()[0]
    elif m := re.match(r"\s+[0-9a-f]+ (.*?)(?:\+0x[0-9a-f]+)? \(([^()]*)\)$", line.rstrip()):
        name = re.sub(r"::h[0-9a-f]{16}$", "", m.group(1))
        stack.append((name if name != "[unknown]" else "[" + m.group(2).rsplit("/", 1)[-1] + "]").replace(";", ":"))
done()
with open(sys.argv[1], "w") as f:
    for s, n in sorted(folded.items()):
        f.write(f"{s} {n}\n")
print(f"{total} samples; share of the samples, function")
for s, n in own.most_common(40):
    print(f"{100 * n / max(1, total):6.2f} %  {s}")
' "$name.folded"
if command -v inferno-flamegraph >/dev/null; then
  inferno-flamegraph "$name.folded" > "$name.svg"
  echo "$name.svg"
else
  echo "$name.folded (no picture: cargo install inferno)"
fi
