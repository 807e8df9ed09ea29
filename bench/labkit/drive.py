"""sysbench and pgbench: their command lines and the figures they print."""
import os
import re
import statistics
import subprocess

from .systems import Failed

LUA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lua")
# The whole run may take so much longer than its seconds: a hundred clients connecting, the last transactions ending.
GRACE = 120
# second, TPS, latency at the percentile
REPORT = re.compile(r"\[ (\d+)s \] thds: \d+ tps: ([\d.]+).*?lat \(ms,\d+%\): ([\d.]+)")


def why(out):
    """The first complaint of a finished program."""
    lines = [l.strip() for l in (out.stdout + "\n" + out.stderr).splitlines() if re.search(r"FATAL|ERROR|error|fail", l) and "err/s" not in l]
    if not lines and out.returncode < 0:
        # sysbench crashes where a connection is lost in the wrong moment.
        lines = [f"{os.path.basename(out.args[0])} was ended by signal {-out.returncode}"]
    lines = lines or (out.stderr or out.stdout).strip().splitlines()[-1:] or [f"exit status {out.returncode}"]
    return lines[0][:300]


def sysbench_command(system, script, command, tables, rows, threads=1, options=()):
    script = f"{LUA}/{script}.lua" if os.path.exists(f"{LUA}/{script}.lua") else script
    own = [f"--tables={tables}", f"--table-size={rows}"] if tables else []
    return ["sysbench", script, *system.sysbench(), *own, f"--threads={threads}", *options, command]


def sysbench(system, script, command, tables=0, rows=0, threads=1, options=(), timeout=None):
    cmd = sysbench_command(system, script, command, tables, rows, threads, options)
    # Its Lua files may require oltp_common from the package's place and from ours.
    return subprocess.run(cmd, capture_output=True, text=True, timeout=timeout, env=system.env(), cwd=LUA)


def run_options(seconds, events=0, percentile=95):
    return [f"--time={seconds}", f"--events={events}", "--report-interval=1", f"--percentile={percentile}", "--rand-type=uniform"]


def start_sysbench(system, script, threads, seconds, tables, rows, options=(), percentile=95, session=""):
    """sysbench as a child, for what is measured beside it; `finish` reads its figures."""
    cmd = sysbench_command(system, script, "run", tables, rows, threads, [*run_options(seconds, percentile=percentile), *options])
    return subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=system.env(session), cwd=LUA)


def finish(child, seconds):
    try:
        out, err = child.communicate(timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise Failed(f"sysbench did not end within {seconds + GRACE} s")
    return parse_sysbench(subprocess.CompletedProcess(child.args, child.returncode, out, err))


def measure(system, script, threads, seconds, tables=0, rows=0, options=(), events=0, percentile=95, session=""):
    """One run's figures: tps, avg_ms, p95_ms, max_ms, errors_s, transactions, seconds, per_second (list of TPS), latency (list)."""
    cmd = sysbench_command(system, script, "run", tables, rows, threads, [*run_options(seconds, events, percentile), *options])
    try:
        out = subprocess.run(cmd, capture_output=True, text=True, timeout=(seconds or 600) + GRACE, env=system.env(session), cwd=LUA)
    except subprocess.TimeoutExpired:
        raise Failed(f"sysbench did not end within {(seconds or 600) + GRACE} s")
    return parse_sysbench(out)


def parse_sysbench(out):
    text = out.stdout

    def find(pattern):
        m = re.search(pattern, text)
        return float(m.group(1)) if m else None

    total = find(r"transactions:\s+\d+\s+\(([\d.]+) per sec")
    if total is None or out.returncode:
        raise Failed(why(out))
    ticks = REPORT.findall(text)
    # The first second holds the connecting.
    per_second = [float(t) for _, t, _ in ticks]
    steady = per_second[1:]
    return {
        "tps": total,
        "avg_ms": find(r"avg:\s+([\d.]+)"),
        "p95_ms": find(r"\d+th percentile:\s+([\d.]+)"),
        "max_ms": find(r"max:\s+([\d.]+)"),
        "errors_s": find(r"ignored errors:\s+\d+\s+\(([\d.]+)") or 0.0,
        "transactions": find(r"transactions:\s+(\d+)"),
        "seconds": find(r"total time:\s+([\d.]+)s"),
        "sd": round(statistics.stdev(steady), 1) if len(steady) > 1 else 0.0,
        "per_second": per_second,
        "latency": [float(l) for _, _, l in ticks],
    }


FIGURES = ("tps", "p95_ms", "avg_ms", "max_ms", "errors_s", "sd")


def figures(measured):
    """What of a run goes into the results."""
    return {k: measured[k] for k in FIGURES if measured[k] is not None}


def pgbench(system, clients, seconds, options=()):
    cmd = ["pgbench", "-n", "-c", str(clients), "-j", "2", "-T", str(seconds), *options]
    try:
        out = subprocess.run(cmd, capture_output=True, text=True, timeout=seconds + GRACE, env=system.env())
    except subprocess.TimeoutExpired:
        raise Failed(f"pgbench did not end within {seconds + GRACE} s")
    tps = re.search(r"tps = ([\d.]+)", out.stdout)
    latency = re.search(r"latency average = ([\d.]+)", out.stdout)
    if out.returncode or not tps:
        raise Failed(why(out))
    return {"tps": float(tps.group(1)), "avg_ms": float(latency.group(1)) if latency else 0.0}
