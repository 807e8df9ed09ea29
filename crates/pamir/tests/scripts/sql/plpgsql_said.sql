# What PL/pgSQL says of bodies that are wrong, and of cursors that go backward.
> do $$ begin perform; end $$
DO

> do $$ begin execute; end $$
ERROR 42601: missing expression at or near ";"

> do $$ declare x int; begin x := ; end $$
ERROR 42601: assignment source returned 0 columns

> do $$ declare x int; begin x := 1, 2; end $$
ERROR 42601: assignment source returned 2 columns

> do $$ begin if then null; end if; end $$
ERROR 42601: missing expression at or near "then"

> do $$ begin while loop null; end loop; end $$
ERROR 42601: missing expression at or near "loop"

> do $$ begin raise notice '%', ; end $$
ERROR 42601: missing expression at or near ";"

> do $$ begin raise notice '%', 1, ; end $$
ERROR 42601: missing expression at or near ";"

> do $$ begin for i in 1.. loop null; end loop; end $$
ERROR 42601: missing expression at or near "loop"

> do $$ begin for i in .. 3 loop null; end loop; end $$
ERROR 42601: missing expression at or near ".."

> do $$ begin assert; end $$
ERROR 42601: missing expression at or near ";"

> do $$ begin case when then null; end case; end $$
ERROR 42601: missing expression at or near "then"

> do $$ begin case 1 when then null; end case; end $$
ERROR 42601: missing expression at or near "then"

> do $$ begin return ; end $$
DO

> create function g() returns int language plpgsql as $$ begin return ; end $$
ERROR 42601: missing expression at or near ";"

> do $$ begin while true null; end loop; end $$
ERROR 42601: missing "LOOP" at end of SQL expression

> do $$ begin if true null; end if; end $$
ERROR 42601: missing "THEN" at end of SQL expression

> do $$ begin for i in 1..3 null; end loop; end $$
ERROR 42601: missing "LOOP" at end of SQL expression

> do $$ begin exit when ; end $$
ERROR 42601: missing expression at or near ";"

> do $$ declare x nope.y%type; begin null; end $$
ERROR 42601: syntax error at or near "%"

> do $$ declare x nope%type; begin null; end $$
ERROR 42601: syntax error at or near "%"

> create table t(id int, b text)
CREATE TABLE

> do $$ declare x t.nope%type; begin null; end $$
ERROR 42601: syntax error at or near "%"

> do $$ declare x public.nope.y%type; begin null; end $$
ERROR 42601: syntax error at or near "%"

> do $$ declare x nope%rowtype; begin null; end $$
ERROR 42P01: relation "nope" does not exist

> do $$ begin foreach x in array '{}' loop null; end loop; end $$
ERROR 42601: loop variable of FOREACH must be a known variable or list of variables

> do $$ declare c cursor for select id from t order by id; x int; begin fetch c into x; end $$
ERROR 34000: cursor "c" does not exist

> do $$ declare c scroll cursor for select 1; x int; begin open c; fetch prior c into x; end $$
ERROR 42601: expected FROM or IN at or near "c"

> do $$ declare c scroll cursor for select 1; x int; begin open c; fetch next c into x; end $$
ERROR 42601: expected FROM or IN at or near "c"

> do $$ declare c refcursor; x int; begin fetch c into x; end $$
ERROR 22004: cursor variable "c" is null

> do $$ declare c refcursor; x int; begin close c; end $$
ERROR 22004: cursor variable "c" is null

> do $$ declare c cursor for select 1; x int; begin close c; end $$
ERROR 34000: cursor "c" does not exist

> do $$ declare c cursor for select 1; x int; begin move c; end $$
ERROR 34000: cursor "c" does not exist

> do $$ begin begin null; exception when sqlstate 'x' then null; end; end $$
ERROR 42601: invalid SQLSTATE code at or near "'x'"

> do $$ declare c no scroll cursor for select 1; x int; begin open c; fetch c into x; fetch prior from c into x; end $$
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> do $$ begin return query select 1; end $$
ERROR 42804: cannot use RETURN QUERY in a non-SETOF function

> do $$ begin call nope(); end $$
ERROR 42883: procedure nope() does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> do $$ declare x int; begin x := 1 2; end $$
ERROR 42601: syntax error at or near "2"

> do $$ declare x int; begin x := (select 1, 2); end $$
ERROR 42601: subquery must return only one column

> do $$ declare x int; begin x = 1 from t; raise notice '%', x; end $$
NOTICE 00000: <NULL>
DO

> do $$ declare x int; begin if x 1 then end if; end $$
ERROR 42601: syntax error at or near "1"

> do $$ declare x record; begin x := row(1,2); raise notice '%', x; x := 1, 2; end $$
NOTICE 00000: (1,2)
ERROR 42601: assignment source returned 2 columns

> create procedure said_p(a int) language sql as 'select a'
CREATE PROCEDURE

> do $$ begin call said_p('x'::text); end $$
ERROR 42883: procedure said_p(text) does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> do $$ declare c no scroll cursor for select generate_series(1, 5); x int; begin open c; move forward 3 from c; fetch relative 0 from c into x; raise notice '%', x; fetch absolute 5 from c into x; raise notice '%', x; fetch first from c into x; end $$
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> do $$ declare c refcursor; x int; begin open c no scroll for select generate_series(1, 3); fetch c into x; raise notice '% %', c is null, x; fetch last from c into x; raise notice '%', x; fetch prior from c into x; end $$
NOTICE 00000: f 1
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> do $$ declare c cursor for select 1; begin raise notice '%', c; open c; raise notice '%', c; close c; raise notice '%', c; end $$
NOTICE 00000: c
NOTICE 00000: c
NOTICE 00000: c
DO

> do $$ declare c cursor for select 1; begin for r in c loop raise notice '% %', c, r; end loop; raise notice '%', c; end $$
NOTICE 00000: c (1)
NOTICE 00000: c
DO

> select to_char('NaN'::numeric, 'RN')
to_char:text
ERROR 0A000: cannot convert NaN to integer

> select to_char('Infinity'::numeric, 'RN')
to_char:text
ERROR 0A000: cannot convert infinity to integer

> select to_char('NaN'::float8, '9999TH')
to_char:text
ERROR 22P02: "NaN" is not a number

> select pg_size_bytes('1 B')
ERROR 22023: invalid size: "1 B"
DETAIL: Invalid size unit: "B".
HINT: Valid units are "bytes", "kB", "MB", "GB", "TB", and "PB".

> set random_page_cost = -1
ERROR 22023: -1 is outside the valid range for parameter "random_page_cost" (0 .. 1.79769e+308)

> set fsync = off
ERROR 55P02: parameter "fsync" cannot be changed now

> set max_connections = 3
ERROR 55P02: parameter "max_connections" cannot be changed without restarting the server

> set server_version = '1'
ERROR 55P02: parameter "server_version" cannot be changed

> values (1), ('x')
ERROR 22P02: invalid input syntax for type integer: "x"

> select * from (values ('1.2.3.0/24'::cidr), ('1.2.3.4/24')) v
ERROR 22P02: invalid cidr value: "1.2.3.4/24"
DETAIL: Value has bits set to right of mask.

> select grouping(id) from t
ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level

> select id, grouping(b) from t group by id
ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level

> with a as (select * from b), b as (select 1) select * from a
ERROR 42P01: relation "b" does not exist
DETAIL: There is a WITH item named "b", but it cannot be referenced from this part of the query.
HINT: Use WITH RECURSIVE, or re-order the WITH items to remove forward references.

> with a as (select * from a) select * from a
ERROR 42P01: relation "a" does not exist
DETAIL: There is a WITH item named "a", but it cannot be referenced from this part of the query.
HINT: Use WITH RECURSIVE, or re-order the WITH items to remove forward references.

> with b as (select 1), a as (select * from b) select * from a
?column?:int4
1
SELECT 1

> select 1 from t tablesample nope (1)
ERROR 42704: tablesample method nope does not exist

> select 1 from t tablesample bernoulli ('x')
ERROR 22P02: invalid input syntax for type real: "x"

> merge into t using t on t.id = t.id when matched then delete
ERROR 42712: name "t" specified more than once
DETAIL: The name is used both as MERGE target table and data source.

> merge into t using (values (1)) s (k) on count(*) > 1 when matched then delete
ERROR 42803: aggregate functions are not allowed in JOIN conditions

> select nope.t.id from t
ERROR 42P01: invalid reference to FROM-clause entry for table "t"
HINT: There is an entry for table "t", but it cannot be referenced from this part of the query.

> select elsewhere.public.t.id from t
ERROR 0A000: cross-database references are not implemented: elsewhere.public.t.id

> prepare said_q (int) as select $1
PREPARE

> execute said_q((select 1))
ERROR 0A000: cannot use subquery in EXECUTE parameter

> create function said_f(a int default nope) returns int language sql as 'select 1'
ERROR 42703: column "nope" does not exist

> create function said_f(a int default 'x') returns int language sql as 'select 1'
ERROR 22P02: invalid input syntax for type integer: "x"

