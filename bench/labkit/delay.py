"""Slow links and slow disks, switched on and off while servers run.

    node i ──► 10.77.1.254:7500+j ── Relay ──► node j        who dials is known by its address; a piece that came waits for the delay of both its ends
    server ──► fdatasync, fsync, pwrite ── shim.so ──► libc  each waits for the milliseconds that a mapped file says; below 0: EIO

For kernels without netem and dm-delay. The relay is a process of its own: what it costs, the baseline has too.
"""
import asyncio
import mmap
import os
import struct
import subprocess
import sys

from .systems import Failed

HOST, PORT, NODE_PORT = "10.77.1.254", 7500, 7433
MOST_NODES = 16
# Bytes that wait in one direction; beyond them nothing more is read.
HELD = 8 << 20
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static volatile int *slow;
__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("LAB_SLOW_DISK");
    int f = name ? open(name, O_RDONLY) : -1;
    if (f >= 0) { void *p = mmap(0, 4, PROT_READ, MAP_SHARED, f, 0); if (p != MAP_FAILED) slow = p; close(f); }
}
static int late(void) {
    int ms = slow ? *slow : 0;
    if (ms < 0) { errno = EIO; return -1; }
    if (ms) { struct timespec t = {ms / 1000, ms % 1000 * 1000000L}; nanosleep(&t, 0); }
    return 0;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
int fdatasync(int f) { return late() ? -1 : REAL(fdatasync)(f); }
int fsync(int f) { return late() ? -1 : REAL(fsync)(f); }
ssize_t pwrite(int f, const void *b, size_t n, off_t at) { return late() ? -1 : REAL(pwrite)(f, b, n, at); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t at) { return late() ? -1 : REAL(pwrite64)(f, b, n, at); }
"""


class Dial:
    """Numbers in a file that other processes map."""

    def __init__(self, path, n=1):
        self.path = path
        with open(path, "wb") as f:
            f.write(bytes(4 * n))
        with open(path, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 4 * n)

    def set(self, value, at=0):
        struct.pack_into("i", self.map, 4 * at, value)


def shim(directory):
    """The library to be preloaded."""
    out = subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", f"{directory}/shim.so", "-ldl"], input=SHIM, capture_output=True, text=True)
    if out.returncode:
        raise Failed(f"cc: {out.stderr.strip()[:300]}")
    return f"{directory}/shim.so"


class Relay:
    """The links between all nodes, in a process of its own."""

    def __init__(self, directory, nodes):
        self.dial = Dial(f"{directory}/links", MOST_NODES)
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        cmd = [sys.executable, "-c", "import sys; from labkit import delay; delay.serve(sys.argv[1], int(sys.argv[2]))", self.dial.path, str(nodes)]
        self.process = subprocess.Popen(cmd, cwd=here, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise Failed("the relay did not start")

    @staticmethod
    def address(number):
        return f"{HOST}:{PORT + number}"

    def slow(self, number, ms):
        """A round trip of this node's takes so much longer."""
        self.dial.set(ms, number)

    def end(self):
        self.process.kill()
        self.process.wait()


async def pour(reader, writer, late):
    """One direction: pieces leave in order, each when it was here for `late()`."""
    loop, queue, room = asyncio.get_running_loop(), asyncio.Queue(), [HELD]
    free = asyncio.Event()

    async def drain():
        while (item := await queue.get()) is not None:
            came, piece = item
            while (wait := came + late() - loop.time()) > 0:
                await asyncio.sleep(min(wait, 0.02))
            writer.write(piece)
            await writer.drain()
            room[0] += len(piece)
            free.set()

    out = asyncio.create_task(drain())
    try:
        while piece := await reader.read(1 << 16):
            room[0] -= len(piece)
            queue.put_nowait((loop.time(), piece))
            while room[0] < 0 and not out.done():
                free.clear()
                await asyncio.wait([out, asyncio.ensure_future(free.wait())], return_when=asyncio.FIRST_COMPLETED)
    except OSError:
        pass
    queue.put_nowait(None)
    try:
        await out
    except OSError:
        pass
    writer.close()


def serve(path, nodes):
    with open(path, "rb") as f:
        dial = mmap.mmap(f.fileno(), 4 * MOST_NODES, prot=mmap.PROT_READ)

    def half(node):
        return struct.unpack_from("i", dial, 4 * node)[0] / 2000

    async def accept(number, reader, writer):
        dialler = int(writer.get_extra_info("peername")[0].rpartition(".")[2]) % MOST_NODES
        try:
            back, forth = await asyncio.open_connection(f"10.77.1.{number}", NODE_PORT)
        except OSError:
            writer.close()
            return
        late = lambda: half(dialler) + half(number)  # noqa: E731
        await asyncio.gather(pour(reader, forth, late), pour(back, writer, late))

    async def main():
        for n in range(1, nodes + 1):
            await asyncio.start_server(lambda r, w, n=n: accept(n, r, w), HOST, PORT + n)
        print("ready", flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())
