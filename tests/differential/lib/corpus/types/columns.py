"""Columns of every type: defaults, keys, checks, what information_schema says of them, what ALTER COLUMN TYPE makes of them."""

TYPES = {
    "int4": ("1", "2"), "int8": ("1", "2"), "numeric(6,2)": ("1.25", "2"), "float8": ("0.1", "2"), "bool": ("false", "true"), "money": ("1.5", "2"),
    "text": ("a", "b"), "char(5)": ("a", "b"), "bytea": ("\\x01", "\\x02"),
    "bit(3)": ("001", "010"), "varbit(8)": ("0", "1"), "inet": ("10.0.0.1", "10.0.0.2/8"), "cidr": ("10.0.0.0/8", "11.0.0.0/8"),
    "date": ("2024-01-01", "2024-06-01"), "time(3)": ("01:02:03.456", "02:00"), "timestamp(0)": ("2024-01-01 01:02:03", "2024-06-01"), "timestamptz": ("2024-01-01 00:00+00", "2024-06-01 00:00+00"), "interval": ("1 day", "1 mon"),
    "interval day to second(2)": ("1 02:03:04.56", "2 00:00:00"), "json": ("1", "[2]"), "jsonb": ("1", "2"), "tsvector": ("a", "b"), "point": ("(1,2)", "(2,3)"),
    "int4range": ("[1,3)", "[2,4)"), "nummultirange": ("{[1,2]}", "{[1,2],[3,4)}"), "int4[]": ("{1,2}", "{2}"), "pg_lsn": ("0/1", "0/2"), "regclass": ("pg_class", "pg_type"), '"char"': ("a", "b"),
}  # fmt: skip
TO = {"int4": "text", "text": "varchar(3)", "numeric(6,2)": "numeric(4,1)", "date": "timestamp", "timestamptz": "date", "bool": "int", "int8": "numeric(5,2)", "jsonb": "json", "inet": "cidr", "int4[]": "text[]", "interval": "time", "bit(3)": "varbit", "money": "numeric", "char(5)": "text", "float8": "int2", "int4range": "text"}


def statements():
    for i, (t, (a, b)) in enumerate(TYPES.items()):
        n = f"c{i}"
        yield f"create table {n} (k {t} primary key, v {t} default '{a}', w {t} check (w is null or w <> '{b}'))"
        yield f"create table if not exists {n} (k int, v {t} default '{a}', w {t})"
        yield f"insert into {n} values ('{a}', default, null), ('{b}', '{b}', '{a}') returning *"
        yield f"insert into {n} values ('{a}') returning k"
        yield f"insert into {n} (k, w) values (null, '{b}')"
        yield f"select v, count(*), array_agg(k::text order by k::text) from {n} group by v order by 1"
        yield f"update {n} set v = k where k = '{b}' returning v, w"
        yield f"select data_type, udt_name, column_default, character_maximum_length, numeric_precision, numeric_scale, datetime_precision, interval_type, interval_precision from information_schema.columns where table_name = '{n}' and column_name = 'v'"
        yield f"select pg_get_expr(adbin, adrelid), format_type(atttypid, atttypmod), attlen, attbyval, attstorage, attalign, typcategory, typispreferred from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum join pg_type y on y.oid = atttypid where attrelid = '{n}'::regclass"
        yield f"select pg_get_constraintdef(oid) from pg_constraint where conrelid = '{n}'::regclass and contype = 'c'"
        if t in TO:
            yield f"alter table {n} alter v type {TO[t]}"
            yield f"select v from {n} order by 1"
