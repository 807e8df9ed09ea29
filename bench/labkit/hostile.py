"""Statements that hold a server, if anything does: endless ones, quadratic functions, giant values, giant texts, deep nesting. Each is legal for any user.

TABLE is what they and their neighbours read. A statement may end by itself, with an error or without; what matters is who waits meanwhile, and how soon it ends when it is told to.
"""
TABLE = [
    "create table hostile (id int primary key, k int not null, v text not null)",
    "insert into hostile select i, i % 1000, md5(i::text) from generate_series(1, 100000) i",
    "create index hostile_k on hostile (k)",
]


def many(n, piece, sep=","):
    return sep.join(piece.format(i) for i in range(n))


# name -> text, or a function that makes it.
STATEMENTS = {
    # Sets without an end.
    "series bigint": "select count(*) from generate_series(1, 1000000000000)",
    "series in the list": "select count(s) from (select generate_series(1, 1000000000000) s) x",
    "series numeric": "select count(*) from generate_series(1::numeric, 1e15)",
    "series time": "select count(*) from generate_series('0001-01-01'::timestamp, '9999-01-01', '1 microsecond')",
    "series product": "select count(*) from generate_series(1, 10000000) a, generate_series(1, 10000000) b",
    "series lateral": "select count(*) from generate_series(1, 100000000) a, lateral generate_series(1, a) b",
    "series sum": "select sum(i * 2 + 1) from generate_series(1, 10000000000) i where i % 3 = 1",
    "series sorted": "select i from generate_series(1, 100000000) i order by md5(i::text) limit 1",
    "series distinct": "select count(distinct i) from generate_series(1, 1000000000) i",
    "series grouped": "select count(*) from (select i from generate_series(1, 1000000000) i group by i) s",
    "series window": "select max(r) from (select rank() over (order by -i) r from generate_series(1, 100000000) i) s",
    "series to client": "select generate_series(1, 100000000000)",
    "recursion": "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r",
    "recursion wide": "with recursive r(n) as (select 1 union all select n + g from r, generate_series(1, 10) g) select count(*) from r",
    "recursion union": "with recursive r(n) as (select 1 union select (n * 1103515245::bigint + 12345) % 2147483648 from r) select count(*) from r",
    # Plans without an end.
    "cross join": "select count(*) from hostile a, hostile b, hostile c",
    "inequality join": "select count(*) from hostile a join hostile b on a.v < b.v",
    "like join": "select count(*) from hostile a join hostile b on a.v like '%' || b.v || '%'",
    "regexp join": "select count(*) from hostile a join hostile b on a.v ~ b.v",
    "correlated": "select count(*) from hostile a where k > (select avg(k) from hostile b where b.v > a.v)",
    "exists or": "select count(*) from hostile a where exists (select 1 from hostile b where b.v = a.v || 'x' or b.k = -a.k)",
    "union of cross joins": "select count(*) from (select a.id from hostile a, hostile b union select b.id from hostile a, hostile b) s",
    "sort of a cross join": "select a.v from hostile a, hostile b order by b.v, a.v limit 1",
    "window of a cross join": "select sum(x) from (select row_number() over (partition by a.k order by b.v) x from hostile a, hostile b) s",
    "twenty joins": "select count(*) from " + many(20, "hostile t{0}", " join ").replace(" join hostile t0", "").replace("hostile t0 join", "hostile t0 join", 1)
    .replace(" join hostile", " natural join hostile"),
    "not in": "select count(*) from hostile where v not in (select v || 'x' from hostile a, generate_series(1, 1000000))",
    "update all": "update hostile set v = v where k < (select count(*) from hostile a, hostile b)",
    "for update of a cross join": "select count(*) from (select a.id from hostile a, hostile b for update) s",
    # Functions over long values.
    "like quadratic": "select repeat('a', 10000000) like repeat('%a', 100000) || 'b'",
    "like one piece": "select repeat('a', 10000000) like '%' || repeat('a', 1000000) || 'b%'",
    "like any character": "select repeat('a', 10000000) like '%' || repeat('_a', 100000) || 'b%'",
    "regexp states": "select repeat('a', 10000000) ~ '(a?){200}a{200}b'",
    "regexp alternation": "select length(regexp_replace(repeat('ab', 2000000), 'a|ab|b.*c', 'x', 'g'))",
    "regexp split": "select count(*) from regexp_split_to_table(repeat('a,', 10000000), ',')",
    "regexp compile": "select 'x' ~ repeat('(a{200}){200}', 200)",
    "regexp matches": "select count(*) from regexp_matches(repeat('a', 10000000), 'a', 'g')",
    "xpath axes": "select xpath('count(//a[preceding-sibling::a[following-sibling::a]])', ('<r>' || repeat('<a/>', 50000) || '</r>')::xml)",
    "xpath translate": "select xpath('string-length(translate(., string(/r/@f), \"\"))', ('<r f=\"' || (select string_agg(chr(20000 + g), '') from generate_series(1, 20000) g) || '\">' || repeat('abc', 3000000) || '</r>')::xml)",
    "xpath names": "select xpath('count(id(string(/r/@w)))', ('<r w=\"' || (select string_agg('i' || g, ' ') from generate_series(1, 300000) g) || '\">' || (select string_agg('<x xml:id=\"i' || g || '\"/>', '') from generate_series(1, 300000) g) || '</r>')::xml)",
    "xml entities": "select length(xpath('/a/text()', ('<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\">' || (select string_agg('<!ENTITY ' || chr(97 + g) || ' \"' || repeat('&' || chr(96 + g) || ';', 10) || '\">', '') from generate_series(1, 9) g) || ']><a>&j;</a>')::xml)::text)",
    "repeat": "select length(repeat('abc', 300000000))",
    "repeat of repeat": "select length(repeat(repeat(repeat('a', 10000), 1000), 100))",
    "lpad": "select length(lpad('x', 1000000000, 'abc'))",
    "md5": "select md5(repeat('x', 1000000000))",
    "sha512": "select sha512(convert_to(repeat('x', 500000000), 'utf8'))",
    "replace": "select length(replace(repeat('ab', 50000000), 'a', 'ccc'))",
    "translate": "select length(translate(repeat('abc', 30000000), repeat('xyz', 1000000), repeat('uvw', 1000000)))",
    "position": "select position(repeat('a', 500000) || 'b' in repeat('a', 100000000))",
    "split_part": "select split_part(repeat('a,', 100000000), ',', 90000000)",
    "string_to_array": "select array_length(string_to_array(repeat('a,', 20000000), ','), 1)",
    "overlay": "select length(overlay(repeat('ä', 100000000) placing 'x' from 50000000))",
    "reverse": "select length(reverse(repeat('aä', 50000000)))",
    "upper": "select length(upper(repeat('aä', 100000000)))",
    "trim": "select length(btrim(repeat('a', 100000000), repeat('bcdefgh', 1000000) || 'a'))",
    "encode": "select length(encode(convert_to(repeat('x', 100000000), 'utf8'), 'base64'))",
    "format": "select length(format('%1000000000s', 'x'))",
    "to_char": "select to_char(1e30000::numeric, repeat('9', 100000))",
    "concat": "select length(concat(repeat('x', 300000000), repeat('y', 300000000)))",
    "jsonb parse": "select jsonb_array_length(('[' || repeat('1,', 20000000) || '1]')::jsonb)",
    "jsonb object": "select count(*) from jsonb_each((select ('{' || string_agg('\"k' || i || '\":1', ',') || '}')::jsonb from generate_series(1, 1000000) i))",
    "jsonb concat": "select jsonb_agg(i) || jsonb_agg(i) from generate_series(1, 5000000) i",
    "json depth": "select (repeat('[', 5000) || repeat(']', 5000))::jsonb is null",
    "array_agg": "select array_length(array_agg(i), 1) from generate_series(1, 100000000) i",
    "string_agg": "select length(string_agg(i::text, ',')) from generate_series(1, 100000000) i",
    "array append": "with recursive r(n, a) as (select 1, array[1] union all select n + 1, a || n from r where n < 1000000) select max(n) from r",
    "array containment": "select (select array_agg(i) from generate_series(1, 200000) i) <@ (select array_agg(-i) from generate_series(1, 200000) i)",
    "array any": "select count(*) from hostile where id = any (select array_agg(-i) from generate_series(1, 100000) i)",
    "numeric product": "select length((repeat('9', 130000)::numeric * repeat('9', 1000)::numeric)::text)",
    "numeric power": "select length((1.000001::numeric ^ 100000000)::text)",
    "numeric quotient": "select length((repeat('9', 130000)::numeric / repeat('7', 65000)::numeric)::text)",
    "factorial": "select length(factorial(32177)::text)",
    "numeric exp": "select exp(5000.0000000000000000::numeric(1000, 900))",
    # Long texts.
    "in list": lambda: f"select count(*) from hostile where id in ({many(1000000, '{0}')})",
    "values": lambda: f"select count(*) from (values {many(300000, '({0})')}) v(x)",
    "long literal": lambda: f"select length('{'x' * 100000000}')",
    "many statements": lambda: "select 1;" * 100000,
    "empty statements": lambda: ";" * 10000000,
    "conjunction": lambda: f"select count(*) from hostile where {many(20000, 'k <> {0}', ' and ')}",
    "disjunction": lambda: f"select count(*) from hostile where {many(20000, 'k = -{0}', ' or ')}",
    "case of many": lambda: f"select sum(case {many(20000, 'when k = -{0} then {0}', ' ')} end) from hostile",
    "many columns": lambda: f"select {many(1600, 'id + {0}')} from hostile",
    "many unions": lambda: many(2000, "select {0}", " union all "),
    "comment": lambda: "/*" * 1000000 + "*/" * 1000000 + " select 1",
    "syntax error at the end": lambda: f"select {many(1000000, '{0}')} from from",
    # Deep ones.
    "parentheses": lambda: f"select {'(' * 5000}1{')' * 5000}",
    "parentheses, very deep": lambda: f"select {'(' * 1000000}1{')' * 1000000}",
    "sum": lambda: f"select {many(10000, '1', '+')}",
    "minus signs": lambda: f"select {'- ' * 100000}1",
    "not": lambda: f"select {'not ' * 100000}true",
    "subqueries": lambda: "select * from (" * 1000 + "select 1 x" + ") s" * 1000,
    "scalar subqueries": lambda: "select (" * 1000 + "select 1" + ")" * 1000,
    "case in case": lambda: "select " + "case when true then " * 1000 + "1" + " end" * 1000,
    "calls in calls": lambda: f"select {'abs(' * 2000}1{')' * 2000}",
    "arrays in arrays": lambda: f"select {'array[' * 500}1{']' * 500}",
    # What waits.
    "sleep": "select pg_sleep(1000000)",
    "sleep for each row": "select count(pg_sleep(0.001)) from hostile a, hostile b",
    "advisory locks": "select count(pg_try_advisory_xact_lock(i)) from generate_series(1, 100000000) i",
    "explain": "explain analyze select count(*) from hostile a, hostile b",
    "create table as": "create table hostile_t as select * from generate_series(1, 10000000000)",
    "insert select": "insert into hostile select -i, 0, '' from generate_series(1, 1000000000) i",
    "constraint check": "begin; create table hostile_c (a int); insert into hostile_c select 1 from hostile a, hostile b; rollback",
}
STATEMENTS["twenty joins"] = "select count(*) from hostile t0 " + many(19, "join hostile u{0} on u{0}.k = t0.k", " ")


def text(name):
    s = STATEMENTS[name]
    return s() if callable(s) else s
