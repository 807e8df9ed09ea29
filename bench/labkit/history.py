"""A history of transactions over append-only lists, and what must hold of it (after Elle: Kingsbury and Alvaro, 2020).

Every value is appended once in all, so a list tells the order in which its appends took effect, and what a read saw tells whom it came after.

    Op("append", key, value) or Op("read", key, [values])
    Transaction(start, end, outcome, ops)     outcome: "ok", "failed" (certainly not there), "unknown"

`check` returns the anomalies found, as texts; none: the history is strictly serializable as far as such lists can tell, given that its transactions ran at SERIALIZABLE or are one statement over one
list:
- lost or twice: an acknowledged append is in the final list exactly once; - aborted: a refused one is not; - torn: of an unknown transaction all appends are there, or none;
- prefix: whatever a committed transaction read is how its list began; - stale: what was acknowledged before a transaction began, that transaction sees;
- cycle: nobody came both before and after somebody (ww, wr and rw dependencies).

`python3 -m labkit.history` (in bench/) puts each of these into a good history, and must find it.
"""
import bisect
import collections
import random
import sys

Op = collections.namedtuple("Op", "kind key value")
Transaction = collections.namedtuple("Transaction", "start end outcome ops")


def check(transactions, final, most=20):
    """`final`: key -> list, read when all was over."""
    found = []
    place = {}
    for key, values in final.items():
        for i, v in enumerate(values):
            if (key, v) in place:
                found.append(f"twice: {v} in list {key}")
            place[(key, v)] = i
    writer, committed = {}, []
    for t in transactions:
        appended = [o for o in t.ops if o.kind == "append"]
        there = [(o.key, o.value) in place for o in appended]
        if t.outcome == "ok" and not all(there):
            found.append(f"lost: {[o for o, is_there in zip(appended, there) if not is_there]} of an acknowledged transaction")
        if t.outcome == "failed" and any(there):
            found.append(f"aborted: {[o for o, is_there in zip(appended, there) if is_there]} of a refused transaction is there")
        if t.outcome == "unknown" and any(there) and not all(there):
            found.append(f"torn: {appended}: {there}")
        if t.outcome == "ok" or (t.outcome == "unknown" and appended and all(there)):
            for o in appended:
                writer[(o.key, o.value)] = len(committed)
            committed.append(t)
    for key, v in place:
        if (key, v) not in writer:
            found.append(f"from nowhere: {v} in list {key}")
    found += stale(committed, final, place)
    found += cycles(committed, final, writer)
    return found[:most]


def stale(committed, final, place):
    found = []
    # Of each list: acknowledged places by time, the greatest so far.
    acknowledged = collections.defaultdict(list)
    for t in committed:
        if t.outcome == "ok":
            for o in t.ops:
                if o.kind == "append" and (o.key, o.value) in place:
                    acknowledged[o.key].append((t.end, place[(o.key, o.value)]))
    for points in acknowledged.values():
        points.sort()
        most = -1
        for i, (at, p) in enumerate(points):
            most = max(most, p)
            points[i] = (at, most)
    for t in committed:
        for o in t.ops:
            points = acknowledged.get(o.key, [])
            i = bisect.bisect_left(points, (t.start, -1))
            least = points[i - 1][1] + 1 if i else 0
            if o.kind == "read":
                if final.get(o.key, [])[:len(o.value)] != list(o.value):
                    found.append(f"prefix: list {o.key} was read as ..{list(o.value)[-3:]} ({len(o.value)}), which is not how it began")
                elif len(o.value) < least and t.outcome == "ok":
                    found.append(f"stale: list {o.key} had {least} acknowledged values, {len(o.value)} were read")
            elif (o.key, o.value) in place and place[(o.key, o.value)] < least:
                found.append(f"stale: {o.value} went into list {o.key} before what had been acknowledged")
    return found


def cycles(committed, final, writer):
    after = [set() for _ in committed]

    def edge(a, b):
        if a is not None and b is not None and a != b:
            after[a].add(b)

    for key, values in final.items():
        for a, b in zip(values, values[1:]):
            edge(writer.get((key, a)), writer.get((key, b)))
    for n, t in enumerate(committed):
        own = {(o.key, o.value) for o in t.ops if o.kind == "append"}
        for o in t.ops:
            if o.kind != "read":
                continue
            values = final.get(o.key, [])
            seen = [v for v in o.value if (o.key, v) not in own]
            if seen:
                edge(writer.get((o.key, seen[-1])), n)
            if len(seen) < len(values):
                edge(n, writer.get((o.key, values[len(seen)])))
    return [f"cycle of {len(c)}: {[committed[n] for n in c[:4]]}" for c in components(after)]


def components(after):
    """Strongly connected components of more than one node (Tarjan, without recursion)."""
    number, low, on, stack, out, count = {}, {}, set(), [], [], 0
    for root in range(len(after)):
        if root in number:
            continue
        work = [(root, iter(after[root]))]
        number[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for b in rest:
                if b not in number:
                    number[b] = low[b] = count
                    count += 1
                    stack.append(b)
                    on.add(b)
                    work.append((b, iter(after[b])))
                    break
                if b in on:
                    low[node] = min(low[node], number[b])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    one = []
                    while True:
                        b = stack.pop()
                        on.discard(b)
                        one.append(b)
                        if b == node:
                            break
                    if len(one) > 1:
                        out.append(one)
    return out


def example(rng):
    """A good history: transactions one after another."""
    lists, out, value = collections.defaultdict(list), [], 0
    for at in range(300):
        ops = []
        for _ in range(rng.randint(1, 3)):
            key = rng.randrange(4)
            if rng.random() < 0.5:
                value += 1
                lists[key].append(value)
                ops.append(Op("append", key, value))
            else:
                ops.append(Op("read", key, list(lists[key])))
        out.append(Transaction(2 * at, 2 * at + 1, "ok", ops))
    return out, dict(lists)


def test():
    rng = random.Random(7)
    history, final = example(rng)
    assert check(history, final) == [], check(history, final)

    def expect(word, change):
        h, f = example(random.Random(rng.random()))
        change(h, f)
        got = check(h, f)
        assert any(g.startswith(word) for g in got), (word, got)

    def first(h, kind, many=False):
        return next(i for i, t in enumerate(h) if i > 50 and t.ops[0].kind == kind and (not many or len([o for o in t.ops if o.kind == kind]) > 1))

    def lost(h, f):
        o = h[first(h, "append")].ops[0]
        f[o.key].remove(o.value)

    def aborted(h, f):
        i = first(h, "append")
        h[i] = h[i]._replace(outcome="failed")

    def torn(h, f):
        i = first(h, "append", many=True)
        h[i] = h[i]._replace(outcome="unknown")
        o = h[i].ops[0]
        f[o.key].remove(o.value)

    def twice(h, f):
        o = h[first(h, "append")].ops[0]
        f[o.key].append(o.value)

    def prefix(h, f):
        i = next(i for i, t in enumerate(h) if t.ops[0].kind == "read" and len(t.ops[0].value) > 3)
        o = h[i].ops[0]
        h[i] = h[i]._replace(ops=[o._replace(value=o.value[1:])])

    def late(h, f):
        i = next(i for i, t in enumerate(h) if t.ops[0].kind == "read" and len(t.ops[0].value) > 3)
        o = h[i].ops[0]
        h[i] = h[i]._replace(ops=[o._replace(value=o.value[:-2])])

    def skew(h, f):
        # Two that each read what the other then writes; at one time, so that neither is stale.
        h[:] = [Transaction(0, 9, "ok", [Op("read", 0, []), Op("append", 1, 1)]), Transaction(0, 9, "ok", [Op("read", 1, []), Op("append", 0, 2)])]
        f.clear()
        f.update({0: [2], 1: [1]})

    for word, change in (("lost", lost), ("aborted", aborted), ("torn", torn), ("twice", twice), ("prefix", prefix), ("stale", late), ("cycle", skew)):
        expect(word, change)
    print("history: a good one passes, seven bad ones are found")


if __name__ == "__main__":
    sys.exit(test())
