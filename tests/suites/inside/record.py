"""Loaded within a suite's process: writes each test's beginning and end to SUITE_RECORD, leaves out what has ended in an earlier process, stops after
SUITE_SECONDS, and ends the process when a test takes longer than SUITE_TEST_SECONDS. A plugin of pytest, and a test runner of Django's."""
import json
import os
import threading
import time

FILE = os.environ["SUITE_RECORD"]
TEST_SECONDS = float(os.environ["SUITE_TEST_SECONDS"])
END = time.monotonic() + float(os.environ["SUITE_SECONDS"])
with open(FILE) as f:
    DONE = {test for test, status in dict(map(json.loads, f)).items() if status != "again"}
current = None


def write(test, status):
    with open(FILE, "a") as f:
        f.write(json.dumps([test, status]) + "\n")


def begin(test):
    global current
    write(test, "began")
    current = (test, time.monotonic())


def end(test, status):
    global current
    current = None
    write(test, status)


def finished():
    write("", "finished")


def out_of_time():
    return time.monotonic() > END


def failed(error):
    return f"failed: {str(error).strip().partition(chr(10))[0][:300]}"


def watch():
    while True:
        time.sleep(1)
        at = current
        if at and time.monotonic() - at[1] > TEST_SECONDS:
            end(at[0], "failed: out of time")
            os._exit(3)


threading.Thread(target=watch, daemon=True).start()

# pytest
statuses = {}


def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.nodeid not in DONE]


def pytest_collectreport(report):
    if report.failed and report.nodeid not in DONE:
        end(report.nodeid, failed(str(report.longrepr).strip().rpartition("\n")[2]))


def pytest_runtest_logstart(nodeid):
    statuses.clear()
    begin(nodeid)


def pytest_runtest_logreport(report):
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        statuses.setdefault("failed", failed(crash.message if crash else report.longrepr))
    elif report.skipped:
        statuses["skipped"] = "skipped"


def pytest_runtest_logfinish(nodeid):
    end(nodeid, statuses.get("failed") or statuses.get("skipped") or "passed")


def pytest_runtest_teardown(item):
    if out_of_time():
        item.session.shouldstop = "to be continued"


def pytest_sessionfinish(session):
    if not session.shouldstop:
        finished()
