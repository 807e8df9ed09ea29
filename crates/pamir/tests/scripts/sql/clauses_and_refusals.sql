# Clauses that ask for what every table here is, or for what there is nothing to apply it to.
> create unlogged table u (a int, b text)
CREATE TABLE
> create unlogged table u2 as select 1 as a
SELECT 1
> select 1 as a into unlogged u3
SELECT 1
> create unlogged table u4 (like u)
CREATE TABLE
> create unlogged sequence us
CREATE SEQUENCE
> alter table u set logged
ALTER TABLE
> drop table u, u2, u3, u4
DROP TABLE
> drop sequence us
DROP SEQUENCE
> create table n (a int check (a > 0) no inherit, check (a < 10) no inherit)
CREATE TABLE
> alter table n add constraint small check (a < 5) no inherit not valid
ALTER TABLE
> alter table n validate constraint small
ALTER TABLE
> insert into n values (7)
ERROR 23514: new row for relation "n" violates check constraint "small"
DETAIL: Failing row contains (7).
> insert into n values (0)
ERROR 23514: new row for relation "n" violates check constraint "n_a_check"
DETAIL: Failing row contains (0).
> insert into n values (3)
INSERT 0 1
> create table m (like n including constraints)
CREATE TABLE
> insert into m values (7)
ERROR 23514: new row for relation "m" violates check constraint "small"
DETAIL: Failing row contains (7).
> alter table n add constraint x unique (a) no inherit
ERROR 0A000: UNIQUE constraints cannot be marked NO INHERIT
> create unique index on n (a)
CREATE INDEX
> insert into n values (3) on conflict (a int4_ops) do nothing
INSERT 0 0

# What ALTER TABLE says of columns that there are not.
> create table t (a int, b int, s text)
CREATE TABLE
> alter table t add unique (nosuch)
ERROR 42703: column "nosuch" named in key does not exist
> alter table t add primary key (nosuch)
ERROR 42703: column "nosuch" of relation "t" does not exist
> alter table t add unique (a) include (nosuch)
ERROR 42703: column "nosuch" named in key does not exist
> alter table t add unique (ctid)
ERROR 0A000: index creation on system columns is not supported
> alter table t add primary key (ctid)
ERROR 0A000: cannot alter system column "ctid"
> alter table t alter a set default now()
ERROR 42804: column "a" is of type integer but default expression is of type timestamp with time zone
HINT: You will need to rewrite or cast the expression.
> alter table t alter a set default nosuch
ERROR 0A000: cannot use column reference in DEFAULT expression
> alter table t add column c int default 1 + nosuch
ERROR 0A000: cannot use column reference in DEFAULT expression
> alter table t alter a type int using sum(a)
ERROR 42803: aggregate functions are not allowed in transform expressions
> alter table t alter a type int using generate_series(1, 2)
ERROR 0A000: set-returning functions are not allowed in transform expressions
> create table y (a int default now())
ERROR 42804: column "a" is of type integer but default expression is of type timestamp with time zone
HINT: You will need to rewrite or cast the expression.
> create table pg_catalog.y (a int)
ERROR 42501: permission denied to create "pg_catalog.y"
DETAIL: System catalog modifications are currently disallowed.

# EXECUTE's arguments.
> prepare q (int, float8) as select $1, $2
PREPARE
> execute q (1, false)
ERROR 42804: parameter $2 of type boolean cannot be coerced to the expected type double precision
HINT: You will need to rewrite or cast the expression.
> execute q (1, sum(1))
ERROR 42803: aggregate functions are not allowed in EXECUTE parameters
> execute q (1, (select 2))
ERROR 0A000: cannot use subquery in EXECUTE parameter
> execute q (1, generate_series(1, 2))
ERROR 0A000: set-returning functions are not allowed in EXECUTE parameters
> execute q ('x', 1)
ERROR 22P02: invalid input syntax for type integer: "x"
> execute q (1, 2)
?column?:int4 | ?column?:float8
1 | 2
SELECT 1

# A query that refers to itself where it may not.
> with recursive x(n) as (select 1 union all select (select n from x)) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within a subquery
> with recursive x(n) as (select 1 union all select n from x where exists (select from x)) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within a subquery
> with recursive x(n) as (select 1 union all select a from t where a in (select n from x)) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within a subquery
> with recursive x(n) as (select 1 union all select a from t left join x on true) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within an outer join
> with recursive x(n) as (select 1 union all select x.n from x, x y) select * from x
ERROR 42P19: recursive reference to query "x" must not appear more than once
> with recursive x(n) as (select 1 union all select y.n + 1 from (select n from x) y where y.n < 3) select * from x
n:int4
1
2
3
SELECT 3

# Sets where there is one value; collations of what has none.
> select case when true then generate_series(1, 2) end
ERROR 0A000: set-returning functions are not allowed in CASE
HINT: You might be able to move the set-returning function into a LATERAL FROM item.
> select coalesce(generate_series(1, 2))
ERROR 0A000: set-returning functions are not allowed in COALESCE
HINT: You might be able to move the set-returning function into a LATERAL FROM item.
> select generate_series(1, case when true then 2 end)
generate_series:int4
1
2
SELECT 2
> select 1 collate "C"
ERROR 42804: collations are not supported by type integer
> select 'x' collate nosuch."C"
ERROR 3F000: schema "nosuch" does not exist
> select array['x'] collate "C", 'x' collate "C"
array:_text | ?column?:text
{x} | x
SELECT 1

# COPY's delimiter and its word for NULL.
> copy t to stdout (delimiter '1')
ERROR 22023: COPY delimiter cannot be "1"
> copy t to stdout (delimiter 'x')
ERROR 22023: COPY delimiter cannot be "x"
> copy t to stdout (delimiter '.')
ERROR 22023: COPY delimiter cannot be "."
> copy t to stdout (null E'a\nb')
ERROR 22023: COPY null representation cannot use newline or carriage return
> copy t to stdout (format csv, delimiter 'x')
COPY 0
> create publication p for table current_schema
ERROR 42601: syntax error at or near "current_schema"
> select right('abc', -2147483648), right('abc', -2), right('abc', 2147483647)
right:text | right:text | right:text
 | c | abc
SELECT 1

# The text of rows within rows.
> select row(row(row('a"b')))
row:record
("(""(""""a""""""""b"""")"")")
SELECT 1
> select length(row(row(row(row(row(row(row(row('"'))))))))::text)
length:int4
782
SELECT 1

# Words with a syntax of their own as names of functions, and elements of what is no column, in what is stored.
> create table w (a int, n numeric, d date, ts timestamp, iv interval, arr int[], s text)
CREATE TABLE
> alter table w add check ("extract"('year', d) > 0), add check ("numeric"(n, 131076) is not null), add check ("time"(ts) is not null)
ALTER TABLE
> alter table w add check (("char"(a))::text <> 'x'), add check ("interval"(iv, -1) is not null), add check ("timestamp"(d) = ts)
ALTER TABLE
> alter table w add check ((coalesce(arr, '{}'))[1] = 1), add check ((case when a > 0 then arr end)[1] = 1), add check ((greatest(arr, arr))[1] = 1)
ALTER TABLE
> insert into w values (1, 1.5, '2024-01-02', '2024-01-02', '1 day', '{1}', 'x')
INSERT 0 1
> insert into w values (1, 1.5, '2024-01-02', '2024-01-03', '1 day', '{1}', 'x')
ERROR 23514: new row for relation "w" violates check constraint "w_check"
DETAIL: Failing row contains (1, 1.5, 2024-01-02, 2024-01-03 00:00:00, 1 day, {1}, x).
> insert into w values (1, 1.5, '2024-01-02', '2024-01-02', '1 day', '{2}', 'x')
ERROR 23514: new row for relation "w" violates check constraint "w_arr_check"
DETAIL: Failing row contains (1, 1.5, 2024-01-02, 2024-01-02 00:00:00, 1 day, {2}, x).
> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'w'::regclass and pg_get_constraintdef(oid) !~* 'CASE|extract' order by 1
pg_get_constraintdef:text
CHECK (("interval"(iv, '-1'::integer) IS NOT NULL))
CHECK (("numeric"(n, 131076) IS NOT NULL))
CHECK (("time"(ts) IS NOT NULL))
CHECK (("timestamp"(d) = ts))
CHECK ((("char"(a))::text <> 'x'::text))
CHECK (((COALESCE(arr, '{}'::integer[]))[1] = 1))
CHECK (((GREATEST(arr, arr))[1] = 1))
SELECT 7
