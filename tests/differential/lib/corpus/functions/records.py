"""PL/pgSQL over values that have parts: records, rows, arrays, jsonb, domains and composites as variables; assignments and INTO of every shape; expressions with and without a plan."""
from .bodies import block

MADE = """create type inner_c as (x int, y text)
create type outer_c as (i inner_c, l inner_c[], n int[])
create domain pos as int check (value > 0)
create domain posc as inner_c check ((value).x > 0)
create table t (id int primary key, a int[], c inner_c, j jsonb)
insert into t values (1, '{1,2}', (1, 'one'), '{"k": 1}'), (2, null, null, null), (3, '{}', (null, null), '[]')
create function two(out p int, out q text) language sql as $$ select 5, 'five' $$
create function many() returns setof t language sql as 'select * from t order by id'
create function typed(outer_c) returns text language sql as $$ select ($1).i.y $$""".split("\n")

BODIES = """
r record | select * into r from t where id = 1; r.id := 7; raise notice '% % %', r, r.id, (r.c).y;

r record | select 1 as a, 'x' as b into r; r.a := 'nope';

r record | select 1 as a, 'x' as b into r; r.c := 1;

r t | r.id := 4; r.a := array[1, 2]; r.a[2] := 9; r.c.x := 3; raise notice '%', r; insert into t values (r.*); delete from t where id = 4 returning * into r; raise notice '%', r;

r t | r := row(5, '{1}', null, null); raise notice '% %', r, r.a[1];

r t | r := row(5, '{1}');

r t | r := (select t from t where id = 1); raise notice '%', r;

r t | select t into r from t where id = 1; raise notice '%', r;

r t | select t.* into r from t where id = 1; raise notice '%', r.c;

r record | select t into r from t where id = 1; raise notice '% %', r, (r.t).id;

r inner_c | select c into r from t where id = 1; raise notice '%', r;

r inner_c | select (c).* into r from t where id = 1; raise notice '%', r;

r inner_c | select c, 1 into r from t where id = 1; raise notice '%', r;

r outer_c | r.i.x := 1; r.i.y := 'deep'; r.n[3] := 5; r.l[1] := row(2, 'el'); r.l[1].x := 8; raise notice '% % %', r, r.i.y, r.l[1].y;

r outer_c; s inner_c | r.i := (7, 'seven'); s := r.i; s.y := upper(s.y); r.i := s; raise notice '% % %', r, typed(r), (r).i.x;

r outer_c[] | r[2].i.x := 1; raise notice '% %', r, array_length(r, 1);

r posc | r := (1, 'ok'); raise notice '%', r; r.x := 5; raise notice '%', r; r.x := -1;

r posc | r := row(0, 'bad');

p pos[] | p := '{1,2}'; p[3] := 3; raise notice '%', p; p[1] := -1;

p pos | p := null; raise notice '%', p; p := 0;

a int[] := array[3, 1, 2]; b int[] | b := a; b[1] := 99; raise notice '% %', a, b; a := a || b; raise notice '%', a; a[2:3] := '{0,0}'; raise notice '%', a;

a int[][] | a := '{{1,2},{3,4}}'; a[1][2] := 9; raise notice '% % %', a, a[2][1], a[1]; a[3][1] := 1;

a int[] | a[5] := 1; raise notice '% %', a, array_lower(a, 1); a[3] := 2; raise notice '%', a;

a text[] := '{}' | for i in 1..3 loop a := array_append(a, 'v' || i); end loop; raise notice '% %', a, a[array_upper(a, 1)];

a int[] := '{1,2,3}'; s int := 0; x int | foreach x in array a loop s := s + x; a := '{}'; end loop; raise notice '% %', s, a;

j jsonb := '{"a": [1, {"b": 2}]}' | raise notice '% % %', j -> 'a' -> 1 ->> 'b', j['a'][0], j #> '{a,1}'; j := jsonb_set(j, '{a,0}', '"new"'); raise notice '%', j;

j jsonb := '{}' | for i in 1..3 loop j := j || jsonb_build_object('k' || i, i); end loop; raise notice '%', j;

k text; v jsonb | for k, v in select * from jsonb_each('{"a": 1, "b": [2]}') order by 1 loop raise notice '% %', k, v; end loop;

r record | for r in select * from many() where id > 1 loop raise notice '% %', r.id, r.a is null; end loop;

r record | for r in values (1, 'a'), (2, 'b') loop raise notice '% %', r.column1, r.column2; end loop;

r record | for r in update t set j = '1' where id = 2 returning id, j loop raise notice '%', r; end loop; update t set j = null where id = 2;

r record | for r in delete from t where id = 99 returning * loop raise notice 'never'; end loop; raise notice '%', found;

r record | for r in with w as (select 1 as n) select n + 1 as m from w loop raise notice '%', r.m; end loop;

a int; b text | select * into a, b from two(); raise notice '% %', a, b; select p, q from two() into b, a;

a int; b text | select two() into a;

a int; b text; r record | r := two(); raise notice '% %', r, r.q; a := (two()).p; raise notice '%', a;

a int; r record | select id, c into a, r from t where id = 1;

a int; b int | select 1, 2 into strict a, b; raise notice '% %', a, b; select id, id * 2 into strict a, b from t where id = 99;

a int | insert into t (id) values (50), (51) returning id into a;

a int | delete from t where id = 50 returning id into strict a; raise notice '%', a; delete from t where id = 50 returning id into a; raise notice '% %', a, found;

a int; n int | update t set j = '5' where id < 3; get diagnostics n = row_count; raise notice '%', n; select count(*) into a from t where j = '5'; raise notice '%', a; update t set j = null where id = 2;

x int := 1; y int; z text | y := case when x = 1 then 10 else 20 end; z := coalesce(null, 'c') || y; raise notice '% % %', y, z, greatest(x, y) between 5 and 15;

x int := 5 | x := x + 1; x := -x; x := abs(x) % 4; raise notice '% % %', x, x is distinct from null, x in (1, 2, 3);

x numeric := 1; i int := 0 | while x < 1000 and i < 20 loop x := x * 2.5; i := i + 1; end loop; raise notice '% %', x, i;

x bigint := 9223372036854775807 | x := x + 1;

x int := 2147483647 | x := x + 1;

x smallint | x := 40000;

x float8 := 1e308 | x := x * 10;

x text := 'abc' | raise notice '% % %', x[1], length(x), x like 'a%';

x date := '2024-01-31'; y interval := '1 mon' | x := x + y; raise notice '% %', x, x + 1;

x bool | x := null; if not x then raise notice 'no'; elsif x is null then raise notice 'null'; end if;

x bool := 'yes'; y int := '5'; z date := '2024-02-29' | raise notice '% % %', x, y, z;

x int := 'x' | null;

x char(3) := 'a'; y varchar := 'a  ' | raise notice '[%] [%] %', x, y, x = y;

x numeric(4,1) := 1.25; y numeric | y := x; x := 12345;

x uuid := 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'; y inet := '10.0.0.1/8' | raise notice '% %', x, host(y);

t text := 'shadow' | raise notice '%', (select count(*) from t); raise notice '%', t;

id int := 2 | raise notice '%', (select t.a is null from t where t.id = 2); perform * from t where id = 2;

a int[] | select array_agg(id order by id) into a from t; raise notice '%', a; select a into a from t where t.id = 1;

r t; n int := 0 | for r in select * from t order by id loop n := n + coalesce(array_length(r.a, 1), 0); continue when r.c is null; raise notice '%', (r.c).y; end loop; raise notice '%', n;

r record; s record | for r in select id from t order by id limit 2 loop for s in select id from t where id > r.id order by id loop raise notice '% %', r.id, s.id; end loop; end loop;

r record | select 1 as a into r; raise notice '%', r; select 'x' as b, 2 as c into r; raise notice '% %', r, r.c; raise notice '%', r.a;

r record | r := null; raise notice '%', r is null; raise notice '%', r.a;

r t | raise notice '% % %', r is null, r.id is null, r; r := null; raise notice '%', r is null;

r record | execute 'select 1 as x, $1 as y' into r using 'p'::text; raise notice '% %', r.x, r.y; execute 'select * from t where id = $1' into r using 1; raise notice '%', r.c;

r t | execute 'select * from t where id = 1' into r; raise notice '%', r.c; execute 'select 1' into r; raise notice '%', r;

a int; b text | execute 'select 1, null' into a, b; raise notice '% %', a, b; execute 'select 1, 2, 3' into a, b; raise notice '% %', a, b;

a int := 3 | execute 'update t set j = to_jsonb($1) where id = $2' using a, 3; execute 'select j::int from t where id = $1' into a using 3; raise notice '%', a;

a text | execute format('select %L::text || %s', 'it''s', '1') into a; raise notice '%', a; execute 'select quote_ident($1) || quote_literal($1)' into a using 'A b'; raise notice '%', a;

n int | execute 'select count(*) from generate_series(1, $1)' into n using 5; for n in execute 'select g from generate_series($1, $2) g' using 2, 3 loop raise notice '%', n; end loop;

n int | n := (select max(id) from t) + 1; n := n + (select count(*) from t where id = n - 1); raise notice '%', n;

x int := 0 | begin x := 1; begin x := 2; raise exception 'in'; exception when others then x := x + 10; end; x := x + 100; raise exception 'out'; exception when others then raise notice '% %', x, sqlerrm; end;

x int | begin perform 1 / 0; exception when division_by_zero then begin perform 'x'::int; exception when invalid_text_representation then raise notice '% %', sqlstate, sqlerrm; end; raise notice '% %', sqlstate, sqlerrm; end;

m text; c text | begin insert into t values (1); exception when others then get stacked diagnostics m = message_text, c = pg_exception_context; raise notice '% %', m, c like '%SQL statement%'; end;

e text | begin raise exception sqlstate 'ABCDE' using message = 'own', table = 't', schema = 's'; exception when sqlstate 'ABCDE' then get stacked diagnostics e = table_name; raise notice '% % %', sqlstate, sqlerrm, e; end;

x int := 10 | loop begin x := x - 3; if x < 0 then exit; end if; raise exception 'again %', x; exception when raise_exception then raise notice '%', sqlerrm; end; end loop; raise notice 'end %', x;

x int | begin begin raise unique_violation using message = 'u'; exception when division_by_zero then raise notice 'wrong'; end; exception when unique_violation then raise notice 'right %', sqlerrm; end;

x int := 1 | <<a>> begin <<b>> declare x int := 2; begin raise notice '% % %', x, a.x, b.x; exit a when x = 2; end b; raise notice 'never'; end a; raise notice '%', x;

| for i in 1..5 loop continue when i % 2 = 0; for j in reverse i..1 loop exit when j < i - 1; raise notice '% %', i, j; end loop; end loop;

i int := 100 | for i in 1..2 loop i := i + 10; raise notice '%', i; end loop; raise notice '%', i;

a int := 1; b int := 3 | for i in a..b loop b := 10; a := 5; raise notice '%', i; end loop;
"""


def statements():
    yield from MADE
    paragraphs = [p.partition("|") for p in BODIES.strip().split("\n\n")]
    for k, (declared, _, body) in enumerate(paragraphs):
        text = block(declared.strip(), body.strip())
        yield f"do $body$\n{text}\n$body$"
        if k % 2:
            yield f"create function r{k}() returns void language plpgsql as $body$\n{text}\n$body$"
            yield f"select r{k}(), r{k}()"
    yield "select * from t order by id"
