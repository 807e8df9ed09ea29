"""PL/pgSQL bodies, each run as DO and made into a function that is called: control flow, exceptions, cursors, EXECUTE, RAISE, diagnostics; and bodies that are wrong."""

MADE = """create table t (id int primary key, a int, b text)
insert into t select i, i * 10, 'r' || i from generate_series(1, 5) i
create type comp as (x int, y text)
create type mood as enum ('sad', 'ok')
create domain pos as int check (value > 0)
create function div(a int, b int) returns int language plpgsql as 'begin return a / b; end'""".split("\n")

#: One a paragraph. What is before `|` in its first line are declarations.
BODIES = """
i int := 1 | while i < 4 loop raise notice 'i %', i; i := i + 1; end loop;

i int = 0 | loop i := i + 1; continue when i = 2; exit when i > 3; raise notice '%', i; end loop;

| for i in 1..3 loop raise notice '%', i; end loop;

| for i in reverse 5..1 by 2 loop raise notice '%', i; end loop;

| for i in 3..1 loop raise notice 'never'; end loop; raise notice '%', found;

| for i in 1..3 by 0 loop null; end loop;

| for i in 1..null loop null; end loop;

| for i in 1..3 by -1 loop null; end loop;

| <<outer>> for i in 1..3 loop for j in 1..3 loop continue outer when j = 2; exit outer when i = 3; raise notice '% %', i, j; end loop; end loop outer;

r record | for r in select * from t where id < 3 order by id loop raise notice '% %', r.id, r; end loop; raise notice '%', r;

a int; b text | for a, b in select id, b from t order by id limit 2 loop raise notice '% %', a, b; end loop;

r t | for r in select * from t where false loop null; end loop; raise notice '% %', found, r;

r t%rowtype | select * into r from t where id = 2; raise notice '% % %', r.a, r.b, found;

r record | select * into strict r from t where id = 99;

r record | select * into strict r from t;

r record | select * into r from t where id = 99; raise notice '% %', r, r.id;

r record | raise notice '%', r.id;

r record | raise notice '%', r;

x int | select id into x from t order by id desc; raise notice '%', x;

x int; y int | select id, a into x, y from t where id = 3; raise notice '% %', x, y;

x int | select id, a into x from t where id = 3; raise notice '%', x;

x int; y int; z int | select id, a into x, y, z from t where id = 3; raise notice '% % %', x, y, z;

x int | x := (select id from t);

x int | x := 'abc';

x int | x := 1.6; raise notice '%', x;

x constant int := 5 | raise notice '%', x;

x int not null := 5 | x := null;

x t.a%type := 7; y x%type | y := x + 1; raise notice '% %', y, pg_typeof(y);

x varchar(3) | x := 'abcdef';

x numeric(5,2) | x := 1.239; raise notice '%', x;

x pos := 5 | x := x - 5;

x mood := 'ok' | x := 'nope';

x comp | x.x := 1; x.y := 'a'; raise notice '% %', x, x.y; x := row(2, 'b'); raise notice '%', x; x := null; raise notice '%', x.x;

x comp | x.z := 1;

x int[] := '{1,2}' | x[4] := 9; raise notice '% %', x, array_length(x, 1); x[1] := null; raise notice '%', x;

x int[]; i int | foreach i in array array[3, 1, 2] loop raise notice '%', i; end loop;

x int[] | foreach x slice 1 in array array[[1, 2], [3, 4]] loop raise notice '%', x; end loop;

x int | foreach x in array null::int[] loop null; end loop;

x int | foreach x slice 1 in array array[[1, 2]] loop null; end loop;

x int | foreach x in array 5 loop null; end loop;

x int := 2 | if x = 1 then raise notice 'one'; elsif x = 2 then raise notice 'two'; else raise notice 'other'; end if;

x int | if x = 1 then raise notice 'yes'; else raise notice 'null is no'; end if;

x int := 3 | case x when 1, 2 then raise notice 'small'; when 3 then raise notice 'three'; end case;

x int := 9 | case x when 1 then null; end case;

x int := 9 | case when x > 5 then raise notice 'big'; else raise notice 'small'; end case;

x int := 9 | case when x < 5 then null; end case;

| perform id from t where id = 2; raise notice '%', found; perform id from t where id = 99; raise notice '%', found;

n int | update t set a = a + 1 where id < 3; get diagnostics n = row_count; raise notice '% %', n, found; update t set a = a - 1 where id < 3;

n int; c text | insert into t values (50, 1, 'x') returning b into c; get current diagnostics n := row_count; raise notice '% %', n, c; delete from t where id = 50;

x int | update t set a = a returning a into x;

x int | update t set a = a returning a into strict x;

c text | get diagnostics c = pg_context; raise notice '%', c is not null;

| get stacked diagnostics c = message_text;

x int | begin x := 1 / 0; exception when division_by_zero then raise notice 'caught % %', sqlstate, sqlerrm; end;

x int | begin x := div(1, 0); exception when others then raise notice '% %', sqlstate, sqlerrm; end;

x int | begin x := 'abc'; exception when sqlstate '22P02' then raise notice 'state'; end;

| begin insert into t values (1, 1, 'x'); exception when unique_violation then raise notice '%', sqlerrm; end;

a text; b text; c text; d text; e text; f text; g text | begin insert into t values (1, 1, 'x'); exception when unique_violation then get stacked diagnostics a = returned_sqlstate, b = message_text, c = pg_exception_detail, d = constraint_name, e = table_name, f = schema_name, g = column_name; raise notice '% % % % % % %', a, b, c, d, e, f, g; end;

a text; b text | begin raise exception 'boo' using detail = 'd', hint = 'h', errcode = 'P1234', column = 'c', datatype = 'dt'; exception when others then get stacked diagnostics a = pg_exception_hint, b = pg_datatype_name; raise notice '% % %', a, b, sqlstate; end;

| begin raise exception 'x'; exception when others then raise; end;

| begin begin raise exception 'inner'; exception when others then raise exception 'outer %', sqlerrm; end; exception when raise_exception then raise notice 'got %', sqlerrm; end;

| begin insert into t values (77, 1, 'x'); raise exception 'undo'; exception when others then null; end; raise notice '%', (select count(*) from t where id = 77);

| begin perform 1 / 0; exception when unique_violation or division_by_zero then raise notice 'either'; end;

| begin raise assert_failure; exception when others then raise notice 'not caught'; end;

| begin assert false; exception when others then raise notice 'not caught'; end;

| begin assert false; exception when assert_failure then raise notice 'caught %', sqlerrm; end;

| assert 1 = 1; assert 1 = 2, 'they are ' || 'not';

| assert null;

| raise notice 'a % b % c %%', 1, 'x';

| raise notice 'too few %';

| raise notice 'too many', 1;

| raise info 'info'; raise warning 'warning'; raise log 'log'; raise debug 'debug';

| raise notice '%', null;

| raise exception 'message % of %', 1, 2 using errcode = 'unique_violation', detail = 'the detail', hint = 'the hint';

| raise exception using message = 'only using', errcode = '22012';

| raise division_by_zero;

| raise sqlstate '22012';

| raise sqlstate '22012' using message = 'mine';

| raise exception 'x' using errcode = 'nope';

| raise exception 'x' using errcode = '123';

| raise exception 'x' using message = 'y';

| raise exception 'x' using detail = 'y', detail = 'z';

| raise warning 'w' using errcode = '01234', detail = 'd';

| raise;

| raise notice '%', sqlerrm;

q text := 'select 5'; x int | execute q into x; raise notice '%', x;

x int | execute 'select a from t where id = $1' into x using 3; raise notice '%', x;

x int; y text | execute 'select a, b from t where id = $1 and b = $2' into x, y using 3, 'r3'; raise notice '% %', x, y;

x int | execute 'select a from t' into strict x;

x int | execute 'select a from t where false' into x; raise notice '% %', x, found;

n int | execute 'update t set a = a'; get diagnostics n = row_count; raise notice '% %', n, found;

| execute null;

| execute '';

| execute 'select 1; select 2';

| execute 'nonsense';

| execute 'select 1 / 0';

| execute format('create temp table %I (a int)', 'odd name'); execute 'insert into "odd name" values (1)'; raise notice '%', (select count(*) from "odd name"); drop table "odd name";

x int | execute 'select $1' into x;

x int | execute 'insert into t values ($1, 1) returning id' into x using 60; delete from t where id = x; raise notice '%', x;

r record | for r in execute 'select * from t where id > $1 order by id' using 3 loop raise notice '%', r; end loop;

| execute 'commit';

| execute 'begin';

x int | execute 'select 1 into y';

c refcursor; r record | open c for select id from t order by id; fetch c into r; raise notice '% %', r, found; move c; fetch c into r; raise notice '%', r; close c;

c cursor for select id from t order by id; x int | open c; loop fetch c into x; exit when not found; raise notice '%', x; end loop; close c;

c cursor (lo int, hi int) for select id from t where id between lo and hi order by id | for r in c (2, 3) loop raise notice '%', r.id; end loop;

c cursor (lo int, hi int) for select id from t where id between lo and hi order by id; x int | open c (hi := 4, lo := 3); fetch c into x; raise notice '%', x; close c;

c scroll cursor for select id from t order by id; x int | open c; fetch last from c into x; raise notice '%', x; fetch prior from c into x; raise notice '%', x; fetch absolute 1 from c into x; raise notice '%', x; fetch relative 2 in c into x; raise notice '%', x; fetch first from c into x; fetch backward from c into x; raise notice '% %', x, found; close c;

c no scroll cursor for select id from t order by id; x int | open c; fetch c into x; fetch prior from c into x;

c scroll cursor for select 1; x int | open c; fetch prior c into x;

c cursor for select id from t order by id; x int | fetch c into x;

c cursor for select id from t order by id | open c; open c;

c refcursor; x int | close c;

c refcursor := 'nope'; x int | fetch c into x;

c refcursor; x int | open c for execute 'select a from t where id = $1' using 4; fetch c into x; raise notice '%', x; close c;

c refcursor | open c for select 1; raise notice '%', c is not null; move forward 5 from c; close c;

c cursor for select * from t where id > 3 for update; r record | open c; fetch c into r; update t set b = 'cur' where current of c; raise notice '%', (select b from t where id = r.id); update t set b = 'r' || id where b = 'cur'; close c;

c cursor (a int) for select a | open c;

c cursor for select 1 | for r in c loop raise notice '%', r; end loop; for r in c loop raise notice '%', r; end loop;

c cursor (n int) for select n | for r in c loop null; end loop;

x int := 1 | declare x int := 2; begin raise notice '%', x; end; raise notice '%', x;

x int := 1 | <<inner>> declare x int := 2; begin raise notice '% %', inner.x, x; end inner;

x int := 1; y int := x + 1 | raise notice '%', y;

id int := 3 | perform * from t where id = 3;

x int | x = 5; x := x * 2; raise notice '%', x;

x text | x := current_user || 'x'; raise notice '%', x = current_user || 'x';

x json := '{"a": [1, 2]}' | raise notice '% %', x -> 'a', x #>> '{a,1}';

x jsonb := '{}' | x := x || '{"a": 1}'; raise notice '%', x;

x int4range := '[1,5)' | raise notice '% %', lower(x), x @> 3;

| create temp table tt (a int) on commit drop; insert into tt values (1); raise notice '%', (select count(*) from tt);

| drop table if exists nope_nope;

| select 1;

| insert into nope values (1);

x int | select nope into x from t;

| call nope();

| return;

x nope | null;

x nope.y%type | null;

x t.nope%type | null;

| return 1;

| exit;

| exit nope;

| y := 1;

| t.a := 1;

x int | x.y := 1;

x int | x := ;

x int | x := 1

| if true then null; end;

| loop null; end if;

| for i in 1..2 loop null; end loop wrong;

| <<a>> begin null; end b;

| get diagnostics x = row_count;

x int | get diagnostics x = nope;

x constant int := 1 | x := 2;

x int; x text | null;

x int not null | null;

x constant int | null;

| begin null; exception when nope then null; end;

| begin null; exception when sqlstate 'x' then null; end;

| raise nope;

| raise notice;

| case when true then null;

| while true null; end loop;

| perform;

| execute;

| null

| open nope;

x int | open x for select 1;

x int | fetch x into x;

| foreach x in array '{}' loop null; end loop;

| select id from t into;

x int; x2 int | select 1, 2 into x, ;

| null; nonsense here;

x int default 3; y text collate "C" := 'q'; z alias for x | raise notice '% %', z, y;

x alias for nope | null;

x int = 5; | raise notice '%', x;

a int; b int | a := 1; b := a::text || '2'; raise notice '%', b;

x timestamptz := now() | raise notice '%', x = now();

x record := row(1, 'a') | raise notice '% %', x, x.f1;

x record | x := (1, 2); x := row('a'); raise notice '% %', x, x.f1;

a comp[] | a := array[row(1, 'x')::comp]; a[1].y := 'z'; raise notice '% %', a, a[1].x;

| raise notice '%', (select string_agg(b, ',' order by id) from t);

x int | with w as (select 7 as s) select s into x from w; raise notice '%', x;

x int | x := count(*) from t; raise notice '%', x;

x int | x := id from t order by id desc limit 1; raise notice '%', x;

x int; y int | x := 1, 2;

x bool | x := 1 = 1 and not found; raise notice '%', x;

| perform pg_notify('c', 'x'); notify c, 'y';

| lock table t; set local work_mem = '1MB'; raise notice '%', current_setting('work_mem');

| savepoint a;

| commit; raise notice 'after commit'; rollback;

| begin commit; exception when others then raise notice '%', sqlerrm; end;

| insert into t values (90, 0, 'c'); commit; insert into t values (91, 0, 'c'); rollback; raise notice '%', (select array_agg(id) from t where id >= 90); delete from t where id >= 90; commit;

r record | for r in select id from t order by id loop commit; exit when r.id = 2; end loop; raise notice '%', r;

| copy t to stdout;

| merge into t using (values (1)) s (k) on t.id = s.k when matched then do nothing;

x int | truncate nope;

x regclass := 't' | raise notice '%', x;

x "char" := 'q'; y bytea := '\\x41' | raise notice '% % %', x, y, length(y);
"""


def parsed():
    for paragraph in BODIES.strip().split("\n\n"):
        declared, _, body = paragraph.partition("|")
        yield declared.strip(), body.strip()


def block(declared, body):
    return (f"declare {declared};\n" if declared else "") + f"begin\n{body}\nend"


def statements():
    yield from MADE
    for declared, body in parsed():
        yield f"do $body$\n{block(declared, body)}\n$body$"
    for i, (declared, body) in enumerate(parsed()):
        if i % 2 == 0:
            yield f"create or replace function f{i}() returns void language plpgsql as $body$\n{block(declared, body)}\n$body$"
            yield f"select f{i}()"
    for i, (declared, body) in enumerate(list(parsed())[1::4]):
        yield f"create or replace procedure p{i}() language plpgsql as $body$\n{block(declared, body)}\n$body$"
        yield f"call p{i}()"
    yield "select * from t order by id"
