"""Patterns of to_char, to_date, to_timestamp and to_number; fields of extract, units of date_trunc; arithmetic of dates and intervals: each over a row of values."""

DATES = ["2024-02-29 13:04:05.678901", "1999-12-31 23:59:59", "0044-03-15 00:00:00 BC", "2021-01-03 12:00:00", "infinity"]
ZONED = ["2024-02-29 13:04:05.678901+00", "2024-07-01 00:00:00+00"]
INTERVALS = ["1 year 2 mons 3 days 04:05:06.789", "-1 days -02:03:04", "100:00:00", "0"]
NUMBERS = ["0", "1", "-1.5", "12.345", "-0.005", "1234567.891", "NaN"]
FIELDS = "century day decade dow doy epoch hour isodow isoyear julian microseconds millennium milliseconds minute month quarter second timezone timezone_hour timezone_minute week year nope".split()
UNITS = "microseconds milliseconds second minute hour day week month quarter year decade century millennium nope".split()
STAMPS = ["YYYY-MM-DD HH24:MI:SS.US", "YY Y,YYY IYYY IYY I", "BC AD b.c. a.d.", "MONTH Month month MON Mon mon RM rm", "FMMonth FMDD FMDay", "DAY Day day DY Dy dy D ID", "DDD IDDD J W WW IW CC Q", "HH HH12 HH24 AM am P.M. p.m.", "MI SS SSSS SSSSS MS FF1 FF3 FF6", "TZ tz TZH TZM OF", "DDth DDTH FMDDth", "\"YYYY\" YYYY \\\"x\\\"", "FX YYYY  MM", "YYYYMMDDHH24MISS", "TMMonth TMDay", "", "xyz", "YYYYth"]  # fmt: skip
PICTURES = ["9999", "0000", "9999.99", "0999.90", "FM9999.99", "9,999,999", "S9999.9", "9999.9S", "MI9999", "9999MI", "PL9999", "SG9999", "9999PR", "L9999", "RN", "FMRN", "9.99EEEE", "99V99", "9999TH", "FM9999th", "9G999D99", "$9999", "9 9 9", "B9999", "\"x\"99", "", "9.9.9"]
PARSED = [
    ("2024-02-29", "YYYY-MM-DD"), ("2024-2-9", "YYYY-MM-DD"), ("29.02.24", "DD.MM.YY"), ("20240229", "YYYYMMDD"), ("2024 60", "YYYY DDD"), ("2024-W09-4", "IYYY-\"W\"IW-ID"), ("Feb 29 2024", "Mon DD YYYY"), ("february 29th, 2024", "month DDth, YYYY"), ("2451187", "J"), ("44-03-15 BC", "YYYY-MM-DD BC"), ("XII 2020", "RM YYYY"), ("2024/02/30", "YYYY/MM/DD"), ("2024-13-01", "YYYY-MM-DD"), ("99", "YY"), ("69", "YY"), ("70", "YY"), ("2024", "YYYY"), ("", "YYYY"), ("abc", "YYYY"),
    ("2024-02", "YYYY-MM-DD"), ("12:30:45 PM", "HH12:MI:SS AM"), ("13:30 PM", "HH12:MI AM"), ("25", "HH24"), ("12.345", "SS.MS"), ("2024-02-29 extra", "YYYY-MM-DD"), ("2024-02-29", "FXYYYY/MM/DD"), ("20 24", "YYYY"), ("-44", "YYYY"), ("Q1 2024", "\"Q\"Q YYYY"), ("2024-02-29 10:00+03", "YYYY-MM-DD HH24:MITZH"), ("Thursday", "Day"), ("5", "D"),
]  # fmt: skip
NUMERALS = [("1,234.50", "9,999.99"), ("-12", "S99"), ("12-", "99S"), ("<12>", "99PR"), ("$12", "L99"), ("12.3", "99"), ("abc", "999"), ("", "9"), ("1 2", "99"), ("12", "99V9"), ("1e3", "9EEEE"), ("  7", "999"), ("XIV", "RN"), ("1.2.3", "9.9.9")]
SUMS = ["d + 1", "d - 40", "d - date '2024-01-01'", "d + interval '1 mon'", "d - interval '1 year 1 day'", "ts + interval '25:00'", "ts - ts", "ts + i", "ts - i", "tz + interval '1 day'", "tz - interval '1 hour'", "age(ts, timestamp '2000-01-31')", "age(timestamp '2000-02-29', ts)", "i * 2", "i / 7", "-i", "i + interval '1 mon'", "i = interval '30 days'", "justify_days(i), justify_hours(i), justify_interval(i)", "ts::date, ts::time", "tz at time zone 'America/New_York'", "ts at time zone 'Asia/Kolkata'", "date_bin('1 hour 30 minutes', ts, timestamp '2001-01-01')", "ts between '2000-01-01' and '2030-01-01', d > 'yesterday'::date - 100000", "isfinite(ts), isfinite(i)", "make_timestamptz(2024, 1, 2, 3, 4, 5.5, 'Europe/Berlin')", "(d, i) overlaps (date '2024-02-01', interval '40 days')", "to_timestamp(extract(epoch from tz))", "extract(epoch from i), extract(epoch from d)", "d::timestamptz, ts::timestamptz"]  # fmt: skip


def quoted(v):
    return "'" + v.replace("'", "''") + "'"


def rows(values, t):
    return f"(values {', '.join(f'({quoted(v)}::{t})' for v in values)}) x (v)"


def statements():
    for f in FIELDS:
        yield f"select extract({f} from v) as x, date_part('{f}', v) as p from {rows(DATES, 'timestamp')}"
        yield f"select extract({f} from v) from {rows(INTERVALS, 'interval')}"
        yield f"select extract({f} from v::timestamptz), extract({f} from timestamptz {quoted(ZONED[1])}) from {rows(ZONED, 'timestamptz')}"
    for f in ("day", "hour", "epoch", "timezone", "week"):
        yield f"select extract({f} from date '2024-02-29')"
        yield f"select extract({f} from time '10:11:12.5')"
        yield f"select extract({f} from timetz '10:11:12.5+02')"
    for u in UNITS:
        yield f"select date_trunc('{u}', v) from {rows(DATES, 'timestamp')}"
        yield f"select date_trunc('{u}', v) from {rows(INTERVALS, 'interval')}"
        yield f"select date_trunc('{u}', v, 'Australia/Sydney') from {rows(ZONED, 'timestamptz')}"
    for p in STAMPS:
        yield f"select to_char(v, {quoted(p)}) from {rows(DATES, 'timestamp')}"
        yield f"select to_char(v, {quoted(p)}) from {rows(INTERVALS, 'interval')}"
        yield f"select to_char(v, {quoted(p)}) from {rows(ZONED, 'timestamptz')}"
    for p in PICTURES:
        yield f"select to_char(v, {quoted(p)}) from {rows(NUMBERS, 'numeric')}"
        yield f"select to_char(v::float8, {quoted(p)}), to_char(v::int, {quoted(p)}) from {rows(NUMBERS[:6], 'numeric')}"
    for text, p in PARSED:
        yield f"select to_date({quoted(text)}, {quoted(p)})"
        yield f"select to_timestamp({quoted(text)}, {quoted(p)})"
    for text, p in NUMERALS:
        yield f"select to_number({quoted(text)}, {quoted(p)})"
    for s in SUMS:
        yield f"select {s} from (values (date '2024-02-29', timestamp '2024-02-29 13:04:05.678901', timestamptz '2024-03-10 06:30+00', interval '1 mon 2 days 03:04:05'), ('1999-12-31', '1999-12-31 23:59:59', '2024-11-03 05:30+00', '-1 days')) x (d, ts, tz, i)"
