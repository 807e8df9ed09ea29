"""The benchmark lab: Pamir, PostgreSQL 15 and MariaDB 10.11 measured alike on one machine.

    systems   the three servers: start, stop, freeze, checkpoint, warm up; their processes and counters
    stage     data directories: loaded once, kept as clean copies, restored before each point; who runs while another is measured
    proc      /proc, perf and memory control groups
    drive     sysbench and pgbench: command lines and what they print
    results   one tidy CSV a scenario, medians with spread, checks against the targets, Markdown
    scenarios one module for each acceptance line: `run(lab)` measures, `report(results)` reads the CSV and nothing else

A measurement and its judgement are apart: `bench/lab NAME` runs and prints, `bench/lab report` renders the same tables from the CSVs alone.
"""
