"""Statements that are broken at one place each: every token of some good ones left out, doubled, or replaced; and texts that end too early."""

GOOD = [
    "select a, count(*) from t where b > 1 group by a order by a limit 5",
    "insert into t (a, b) values (1, 2) on conflict (a) do update set b = excluded.b returning a",
    "update t set b = 1 where a = 2 returning b",
    "delete from t using u where t.a = u.a returning t.a",
    "create table n (a int primary key, b text default 'x' not null)",
    "with x as (select 1 as a) select x.a from x left join t on t.a = x.a",
    "merge into t using u on t.a = u.a when matched then update set b = 2",
    "alter table t add column c int",
    "create index i on t (a desc, lower(c)) where b > 1",
    "create view v as select a from t",
    "select case a when 1 then 'x' else 'y' end, cast(b as text), a in (1, 2), a between 1 and 2 from t",
    "select sum(b) over (partition by a order by b rows between 1 preceding and current row) from t",
    "create trigger g before insert on t for each row execute function f()",
    "grant select, insert on t to postgres",
    "declare c cursor for select 1",
]
ENDS = ["", " ", ";", "select 'x", 'select "x', "select (1", "select 1)", "select 1;;", "/* open", "select $a$ x", "select E'\\", "select U&'\\zzzz'", "select 1 /* a */ + /* b */", "select 1e", "select 0x1", "select 1a", "select 1.2.3", "select 1..2", "select .5.", "select @", "select a -- b", "select #", "select \\", "select 'a' 'b'",
        "select 'a'\n'b'", "select $1$", "select \"\"", "select x'zz'", "select b'12'", "select n'x'", "select e'\\u1'", "select é", "select 'é", "create", "drop", "alter table", "select * from", "insert into", "create table t2 (", "create table t2 ()", "create table t2 (a)", "create table t2 (a int,)", "select;", "begin work", "end transaction and no chain", "select 1; select 2; selec 3",
        "select 1; nope; select 2", "select 99999999999999999999999", "select 1_000", "select a.* from", "select * * from t", "select t.a.b from t", "select current_date()", "select interval '1' year '2'", "select date 'x'", "select int '5', int4 '6', \"int4\" '7'", "select position('a', 'b')", "select extract(x)", "select overlay('a')", "select trim(both from 'a')", "select coalesce()", "select nullif(1)",
        "select greatest()", "select xmlelement(name a)", "select array[1,", "select row(", "select array[1][", "select 'a'::", "select ::int", "select not", "select is null", "select 1 is", "select 1 between 2", "select a[1 from t", "select exists", "select any(1)", "table", "values", "values ()", "values (1,)", "explain", "explain nope", "show", "set", "set x", "set x =", "reset", "fetch", "execute", "prepare", "prepare x", "copy", "copy t", "copy t from", "call", "call x", "do", "comment on", "comment on table t", "comment on table t is", "grant", "truncate", "lock", "listen", "notify", "savepoint", "rollback to", "release", "deallocate", "close", "vacuum (nope) t", "analyze (verbose nope) t", "refresh", "cluster", "reindex"]  # fmt: skip


def statements():
    yield "create table t (a int primary key, b int, c text)"
    yield "create table u (a int)"
    for good in GOOD:
        words = good.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
        for i in range(len(words)):
            yield "begin"
            yield " ".join(words[:i] + words[i + 1 :])
            yield "rollback"
        for i in range(0, len(words), 3):
            yield "begin"
            yield " ".join(words[: i + 1] + words[i:])
            yield "rollback"
    yield from ENDS
