"""Figures at rest: one tidy CSV a scenario, appended point by point, so that an interrupted run can go on; and their reading: medians, spreads, checks, Markdown.

    time, commit, mode, system, case, rep, metric, value, error

`mode` is full or quick; a report takes the full figures when there are any and says so when there are not. A point that failed has the metric `error` and its text.
"""
import csv
import os
import statistics
import time

from .systems import NAMES, Failed

COLUMNS = ["time", "commit", "mode", "system", "case", "rep", "metric", "value", "error"]


class Results:
    def __init__(self, name, directory, quick=False, resume=False, commit="", fresh=True):
        self.name, self.mode, self.commit = name, "quick" if quick else "full", commit
        self.path = f"{directory}/{name}{'-quick' if quick else ''}.csv"
        self.rows = []
        if (resume or not fresh) and os.path.exists(self.path):
            with open(self.path, newline="") as f:
                self.rows = [r for r in csv.DictReader(f) if r["value"] or r["error"]]
        elif fresh:
            os.makedirs(directory, exist_ok=True)
            with open(self.path, "w", newline="") as f:
                csv.DictWriter(f, COLUMNS).writeheader()

    @staticmethod
    def read(name, directory):
        """The figures of an earlier run, the full one first; None when there is none."""
        for quick in (False, True):
            r = Results(name, directory, quick, fresh=False)
            if r.rows:
                return r
        return None

    def has(self, system, case, rep=0):
        """Whether a resumed run has this point. A failed one is tried again."""
        return any((r["system"], r["case"], r["rep"]) == (system, str(case), str(rep)) and r["metric"] != "error" for r in self.rows)

    def add(self, system, case, rep=0, error="", **metrics):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S")
        if error:
            metrics["error"] = ""
        with open(self.path, "a", newline="") as f:
            w = csv.DictWriter(f, COLUMNS)
            for metric, value in metrics.items():
                text = f"{value:.6g}" if isinstance(value, float) and abs(value) < 1e5 else f"{value:.0f}" if isinstance(value, float) else str(value)
                row = dict(zip(COLUMNS, [stamp, self.commit, self.mode, system, str(case), str(rep), metric, text, error]))
                w.writerow(row)
                self.rows.append(row)

    def point(self, lab, system, case, rep, measure):
        """Runs `measure()` unless a resumed run has the point; its dictionary goes into the results, a failure's text as well. True: measured."""
        if self.has(system, case, rep):
            return True
        try:
            got = measure()
        except (Failed, OSError) as e:
            text = " ".join(str(e).split())
            dead = lab.all[system].process is not None and not lab.all[system].alive() if system in lab.all else False
            if dead:
                text += f" [the server has ended: {lab.all[system].error_tail()}]"
                lab.discard(system)
            lab.clean.discard(system)
            lab.say(f"{self.name} {case} {system}: {text}")
            self.add(system, case, rep, error=text)
            return False
        self.add(system, case, rep, **got)
        lab.say(f"{self.name} {case} {system}: " + "  ".join(f"{k} {number(v)}" for k, v in list(got.items())[:4]))
        return True

    # -- reading --
    def values(self, system, case, metric="tps"):
        return [float(r["value"]) for r in self.rows if (r["system"], r["case"], r["metric"]) == (system, str(case), metric) and r["value"]]

    def median(self, system, case, metric="tps"):
        v = self.values(system, case, metric)
        return statistics.median(v) if v else None

    def error(self, system, case):
        return next((r["error"] for r in reversed(self.rows) if (r["system"], r["case"]) == (system, str(case)) and r["error"]), "")

    def cases(self):
        return list(dict.fromkeys(r["case"] for r in self.rows))

    def systems(self):
        found = {r["system"] for r in self.rows}
        return [s for s in NAMES if s in found]

    def cell(self, system, case, metric="tps"):
        """Median with its spread, or why there is none."""
        v = self.values(system, case, metric)
        if not v:
            e = self.error(system, case)
            return f"failed: {e[:80]}".replace("|", "/") if e else "-"
        m = number(statistics.median(v))
        return m if len(v) == 1 else f"{m} ({number(min(v))}-{number(max(v))})"

    def better_peer(self, case, metric="tps", low=False):
        v = [m for s in ("postgres", "mariadb") if (m := self.median(s, case, metric)) is not None]
        return (min if low else max)(v) if v else None


def number(v):
    if v is None:
        return "-"
    if not isinstance(v, (int, float)):
        return str(v)
    return f"{v:,.0f}" if abs(v) >= 100 else f"{v:.3g}"


def ratio(a, b):
    return a / b if a is not None and b else None


def times(r):
    return "-" if r is None else f"{r:.2f}x"


class Check:
    """One target of the issue: at least (or at most) `limit`; `value` None: not measured, which is a miss."""

    def __init__(self, what, value, limit, most=False, unit="x"):
        self.what, self.value, self.limit, self.most, self.unit = what, value, limit, most, unit
        self.ok = value is not None and (value <= limit if most else value >= limit)

    def row(self):
        bound = f"{'at most' if self.most else 'at least'} {self.limit:g}{self.unit}"
        got = "not measured" if self.value is None else f"{self.value:.2f}{self.unit}" if abs(self.value) < 100 else f"{self.value:,.0f}{self.unit}"
        return [self.what, bound, got, "pass" if self.ok else "MISS"]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, r)) + " |" for r in rows])


def comparison(results, cases, metric="tps", systems=None, label="case", unit=""):
    """A row a case, a column a system, and Pamir's ratio to each peer."""
    systems = systems or results.systems()
    rows = []
    for case in cases:
        mine = results.median("pamir", case, metric)
        ratios = [times(ratio(mine, results.median(s, case, metric))) for s in systems if s != "pamir"]
        rows.append([case, *(results.cell(s, case, metric) for s in systems), ", ".join(ratios)])
    return table([label, *(NAMES[s] + unit for s in systems), "Pamir / peer"], rows)


def checks_table(checks):
    return table(["target", "bound", "measured", ""], [c.row() for c in checks])
