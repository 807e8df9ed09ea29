"""What the kernel knows of a system: CPU time, bytes written, memory, context switches, system calls; and memory control groups."""
import os
import re
import signal
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def read(path):
    """A file's text; empty when the process it tells of is gone."""
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return ""


def stat(pid):
    """The fields of /proc/PID/stat from the state on (the command before them may hold spaces), or None."""
    text = read(f"/proc/{pid}/stat")
    return text.rpartition(")")[2].split() if text else None


def tree(root):
    """`root` and all its descendants."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (s := stat(name)):
            children.setdefault(int(s[1]), []).append(int(name))
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children.get(pid, [])
    return found


def cpu_seconds(root):
    """User and system time of the process tree, children that ended and were waited for included."""
    ticks = 0
    for pid in tree(root):
        if s := stat(pid):
            ticks += sum(map(int, s[11:15]))
    return ticks / TICKS


def cpu_ns(pid):
    """CPU time of one process's threads that are there, in nanoseconds; 0 where the kernel does not count it."""
    try:
        return sum(int(read(f"/proc/{pid}/task/{t}/schedstat").split()[0] or 0) for t in os.listdir(f"/proc/{pid}/task"))
    except (OSError, IndexError):
        return 0


def write_bytes(root):
    """Bytes the tree caused to be written to disk. A waited-for child's count passes to its parent, so nothing is lost when a backend ends."""
    total = 0
    for pid in tree(root):
        fields = dict(re.findall(r"(\w+): (\d+)", read(f"/proc/{pid}/io")))
        total += int(fields.get("write_bytes", 0)) - int(fields.get("cancelled_write_bytes", 0))
    return total


def memory_bytes(root):
    """Proportional memory of the tree: shared pages are counted once."""
    total = 0
    for pid in tree(root):
        m = re.search(r"^Pss:\s+(\d+) kB", read(f"/proc/{pid}/smaps_rollup"), re.M)
        total += int(m.group(1)) << 10 if m else 0
    return total


def open_files(root):
    """Descriptors of the tree."""
    total = 0
    for pid in tree(root):
        try:
            total += len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            pass
    return total


def disk_bytes(directory):
    """What the files of a directory take of the disk; those that go meanwhile count nothing."""
    total = 0
    for base, _, names in os.walk(directory):
        for n in names:
            try:
                total += os.stat(f"{base}/{n}").st_blocks * 512
            except OSError:
                pass
    return total


def send(root, sig):
    """A signal to every process of the tree."""
    for pid in tree(root):
        try:
            os.kill(pid, sig)
        except ProcessLookupError:
            pass


EVENTS = {"switches": "context-switches", "syscalls": "raw_syscalls:sys_enter"}


def perf_counts(root, seconds):
    """Context switches and system calls of the tree's present processes over `seconds`; {} (and the reason) when perf cannot tell."""
    pids = ",".join(map(str, tree(root)))
    cmd = ["perf", "stat", "-x", ";", "-e", ",".join(EVENTS.values()), "-p", pids, "--", "sleep", str(seconds)]
    try:
        out = subprocess.run(cmd, capture_output=True, text=True, timeout=seconds + 30)
    except (OSError, subprocess.TimeoutExpired) as e:
        return {}, str(e)
    found = {}
    for line in out.stderr.splitlines():
        fields = line.split(";")
        for name, event in EVENTS.items():
            if len(fields) > 2 and fields[2].startswith(event) and fields[0].isdigit():
                found[name] = int(fields[0])
    return found, "" if found else (out.stderr.strip().splitlines() or ["perf stat printed nothing"])[-1]


class MemoryGroup:
    """A memory control group below our own (version 1 or 2), so that a limit on us still holds; the page cache counts in it."""

    def __init__(self, name, limit):
        own = {line.split(":")[1]: line.split(":")[2].strip() for line in read("/proc/self/cgroup").splitlines() if line.count(":") >= 2}
        if "memory" in own:
            parent, self.keys = "/sys/fs/cgroup/memory" + own["memory"].rstrip("/"), ("memory.limit_in_bytes", "memory.max_usage_in_bytes")
        else:
            parent, self.keys = "/sys/fs/cgroup", ("memory.max", "memory.peak")
            with open(f"{parent}/cgroup.subtree_control", "w") as f:
                f.write("+memory")
        self.path = f"{parent}/{name}"
        os.makedirs(self.path, exist_ok=True)
        with open(f"{self.path}/{self.keys[0]}", "w") as f:
            f.write(str(limit))

    def wrap(self, cmd):
        """The command, started inside the group."""
        return ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', self.path, *cmd]

    def peak(self):
        text = read(f"{self.path}/{self.keys[1]}").strip()
        return int(text) if text.isdigit() else 0

    def kills(self):
        """Processes the kernel ended in the group for want of memory."""
        m = re.search(r"^oom_kill (\d+)", read(f"{self.path}/memory.oom_control") or read(f"{self.path}/memory.events"), re.M)
        return int(m.group(1)) if m else 0

    def remove(self):
        for _ in range(50):
            try:
                os.rmdir(self.path)
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.1)


def end(process, sig, seconds):
    """Ends a child we started; by force when it takes too long."""
    if process.poll() is None:
        process.send_signal(sig)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        send(process.pid, signal.SIGKILL)
        process.wait(30)
