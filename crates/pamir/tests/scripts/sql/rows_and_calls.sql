# Fields of rows and functions of rows, FOREACH over rows, rows within JSON, VARIADIC with arrays.
> create type pair as (x int, y text)
CREATE TYPE

> create function each_row(anyarray) returns text language plpgsql as $$ declare r record; o text := ''; begin foreach r in array $1 loop o := o || r::text || ';'; end loop; return o; end $$
CREATE FUNCTION

> select each_row(array[row(1,'a'), row(2,null)]::pair[])
each_row:text
(1,a);(2,);
SELECT 1

> create function each_field(pair[]) returns text language plpgsql as $$ declare x int; y text; o text := ''; begin foreach x, y in array $1 loop o := o || coalesce(x::text, '-') || coalesce(y, '-') || ';'; end loop; return o; end $$
CREATE FUNCTION

> select each_field(array[row(1,'a'), row(2,null), null]::pair[])
each_field:text
1a;2-;--;
SELECT 1

> create function each_whole(pair[]) returns text language plpgsql as $$ declare p pair; o text := ''; begin foreach p in array $1 loop o := o || p.y; end loop; return o; end $$
CREATE FUNCTION

> select each_whole(array[row(1,'a'), row(2,'b')]::pair[])
each_whole:text
ab
SELECT 1

> select each_row(array[1,2])
each_row:text
ERROR 42804: cannot assign non-composite value to a record variable

> create type nest as (i int, p pair, q pair[])
CREATE TYPE

> select (json_populate_record(null::nest, '{"p": 123}')).p
p:user
ERROR 22023: cannot call populate_composite on a scalar

> select (json_populate_record(null::nest, '{"p": [1, 2]}')).p
p:user
ERROR 22023: cannot call populate_composite on an array

> select (json_populate_record(null::nest, '{"p": "(1,abc)"}')).p
p:user
(1,abc)
SELECT 1

> select (jsonb_populate_record(null::nest, '{"q": [1]}')).q
q:user
ERROR 22023: cannot call populate_composite on a scalar

> select json_populate_record(row(1, row(3,'x')::pair, null)::nest, '{"p": {"y": "new"}}')
json_populate_record:user
(1,"(3,new)",)
SELECT 1

> select jsonb_populate_record(row(1, row(3,'x')::pair, null)::nest, '{"p": {"x": 5}, "i": null}')
jsonb_populate_record:user
(,"(5,x)",)
SELECT 1

> select json_populate_recordset(null::record, '[]')
json_populate_recordset:record
ERROR 0A000: could not determine row type for result of json_populate_recordset
HINT: Provide a non-null record argument, or call the function in the FROM clause using a column definition list.

> create table t(a int, b text)
CREATE TABLE

> insert into t values (1, 'one'), (2, 'two')
INSERT 0 2

> create function loud(t) returns text language sql as 'select $1.b || ''!'''
CREATE FUNCTION

> select t.loud, (x).loud from t, t x where t.a = x.a order by 1
loud:text | loud:text
one! | one!
two! | two!
SELECT 2

> select s.loud from (select * from t where a = 1) s
loud:text
one!
SELECT 1

> select b(t), a(t) from t order by 2
b:text | a:int4
one | 1
two | 2
SELECT 2

> select t.nope from t
ERROR 42703: column t.nope does not exist

> select nope(t) from t
ERROR 42883: function nope(t) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select (-5).abs, ('ab'::text).upper
abs:int4 | upper:text
5 | AB
SELECT 1

> select ('{}'::int[])[1][2][3][4][5][6][7]
ERROR 54000: number of array dimensions (7) exceeds the maximum allowed (6)

> select (point '(1,2)')[0:1]
ERROR 0A000: slices of fixed-length arrays not implemented

> create function least_of(variadic anyarray) returns anyelement language sql immutable strict as 'select min($1[i]) from generate_subscripts($1, 1) g(i)'
CREATE FUNCTION

> select least_of(10, 1, 20), least_of(variadic array[3,2]), least_of(variadic array[]::int[]), least_of(variadic null::int[])
least_of:int4 | least_of:int4 | least_of:int4 | least_of:int4
1 | 2 | NULL | NULL
SELECT 1

> create function shape(variadic int[]) returns text language sql as 'select coalesce($1::text, ''none'')'
CREATE FUNCTION

> select shape(1,2), shape(variadic '{{1,2},{3,4}}'), shape(variadic null), shape(variadic '{}')
shape:text | shape:text | shape:text | shape:text
{1,2} | {{1,2},{3,4}} | none | {}
SELECT 1

> create function all_of(variadic int[]) returns setof int language sql as 'select unnest($1)'
CREATE FUNCTION

> select * from all_of(variadic '{1,2}')
all_of:int4
1
2
SELECT 2

> create function told(int) returns int language plpgsql as $$ begin raise notice 'told %', $1; return $1; end $$
CREATE FUNCTION

> create function if_so(bool, anyelement, anyelement) returns anyelement language sql as 'select case when $1 then $2 else $3 end'
CREATE FUNCTION

> do $$ begin perform if_so(true, told(1), told(2)); perform if_so(false, told(3), told(4)); end $$
NOTICE 00000: told 1
NOTICE 00000: told 4
DO

> create view tv as select a, b from t
CREATE VIEW

> create function put_t() returns trigger language plpgsql as $$ begin insert into t values (new.a, coalesce(new.b, 'none')); return new; end $$
CREATE FUNCTION

> copy tv from stdin
< 3	three
< 4	\N
ERROR 42809: cannot copy to view "tv"
HINT: To enable copying to a view, provide an INSTEAD OF INSERT trigger.

> create trigger tvt instead of insert on tv for each row execute function put_t()
CREATE TRIGGER

> copy tv from stdin
< 5	five
< 6	\N
COPY 2

> insert into tv values (7, 'seven')
INSERT 0 1

> select * from t order by a
a:int4 | b:text
1 | one
2 | two
5 | five
6 | none
7 | seven
SELECT 5

