# SQL functions whose bodies stand in the place of their calls: same answers, plans that see through them.
> create table t(a int primary key, b text, c numeric)
CREATE TABLE
> insert into t select i, 'b' || i % 3, i * 1.5 from generate_series(1,20) i
INSERT 0 20
> create function add1(x int) returns int language sql immutable as 'select x + 1'
CREATE FUNCTION
> create function twice(x int) returns int language sql immutable as 'select add1(x) + add1($1) - 2'
CREATE FUNCTION
> explain (costs off) select * from t where b = add1(3)::text
QUERY PLAN:text
Seq Scan on t
  Filter: (b = '4'::text)
EXPLAIN
> select add1(3), twice(5), add1(add1(1))
add1:int4 | twice:int4 | add1:int4
4 | 10 | 3
SELECT 1
> select a, add1(a) from t where add1(a) = 5
a:int4 | add1:int4
4 | 5
SELECT 1
> create function same(x int) returns bool language sql stable as 'select x % 4 = 1'
CREATE FUNCTION
> explain (costs off) select * from t where same(a)
QUERY PLAN:text
Seq Scan on t
  Filter: ((a % 4) = 1)
EXPLAIN
> select a from t where same(a) order by a
a:int4
1
5
9
13
17
SELECT 5
> create function keyed(x int) returns int language sql as 'select x'
CREATE FUNCTION
> explain (costs off) select * from t where a = keyed(7)
QUERY PLAN:text
Index Scan using t_pkey on t
  Index Cond: (a = 7)
EXPLAIN
> create function strictly(x int, y int) returns int language sql strict as 'select x'
CREATE FUNCTION
> select strictly(1, null), strictly(1, 2)
strictly:int4 | strictly:int4
NULL | 1
SELECT 1
> create function coalesced(x int, y int) returns int language sql strict as 'select coalesce(x, y)'
CREATE FUNCTION
> select coalesced(null, 2), coalesced(1, 2)
coalesced:int4 | coalesced:int4
NULL | 1
SELECT 1
> create function notstrict(x int, y int) returns int language sql as 'select coalesce(x, y)'
CREATE FUNCTION
> select notstrict(null, 2), sum(notstrict(a, 1)) from t
notstrict:int4 | sum:int8
2 | 210
SELECT 1
> create function lying() returns double precision language sql immutable as 'select random()'
CREATE FUNCTION
> select lying() between 0 and 1
?column?:bool
t
SELECT 1
> create function rnd(x double precision) returns double precision language sql as 'select x - x'
CREATE FUNCTION
> select rnd(random()) = 0
?column?:bool
t
SELECT 1
> create function div0(x int) returns int language sql immutable as 'select 10 / x'
CREATE FUNCTION
> select div0(0)
ERROR 22012: division by zero
> select case when a = 0 then div0(a) else a end from t where a < 3 order by a
a:int4
1
2
SELECT 2
> create function f_sub(x int) returns bigint language sql as 'select count(*) from t where a <= x'
CREATE FUNCTION
> select f_sub(3), f_sub(5) from t where a = 1
f_sub:int8 | f_sub:int8
3 | 5
SELECT 1
> create function f_cols(a int) returns int language sql as 'select a * 10'
CREATE FUNCTION
> select t.a, f_cols(t.a) from t where t.a < 3 order by 1
a:int4 | f_cols:int4
1 | 10
2 | 20
SELECT 2
> create function f_txt(v varchar) returns text language sql as 'select upper(v) || ''!'''
CREATE FUNCTION
> select f_txt(b), count(*) from t group by f_txt(b) order by 1
f_txt:text | count:int8
B0! | 6
B1! | 7
B2! | 7
SELECT 3
> create function f_recur(n int) returns int language sql as 'select case when n <= 1 then 1 else n * f_recur(n - 1) end'
CREATE FUNCTION
> select f_recur(5)
f_recur:int4
120
SELECT 1
> create function f_def(x int, y int default 7) returns int language sql as 'select x + y'
CREATE FUNCTION
> select f_def(1), f_def(1, 2), f_def(y => 3, x => 4)
f_def:int4 | f_def:int4 | f_def:int4
8 | 3 | 7
SELECT 1
> create function f_var(variadic x int[]) returns int language sql as 'select x[1] + x[2]'
CREATE FUNCTION
> select f_var(1, 2, 3)
f_var:int4
3
SELECT 1
> create function f_num(x numeric) returns numeric(5,1) language sql as 'select x'
CREATE FUNCTION
> select f_num(1.26), pg_typeof(f_num(1))
f_num:numeric | pg_typeof:regtype
1.26 | numeric
SELECT 1
> create function f_num2(x numeric(5,1)) returns numeric language sql as 'select x'
CREATE FUNCTION
> select f_num2(1.26)
f_num2:numeric
1.26
SELECT 1
> create index ti on t ((add1(a)))
CREATE INDEX
> create view v as select a, add1(a) as x from t where same(a)
CREATE VIEW
> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT t.a,\n    add1(t.a) AS x\n   FROM t\n  WHERE same(t.a);
SELECT 1
> select * from v order by a
a:int4 | x:int4
1 | 2
5 | 6
9 | 10
13 | 14
17 | 18
SELECT 5
> create table u(a int default add1(4), b int generated always as (add1(a)) stored, check (add1(a) > 2))
CREATE TABLE
> insert into u default values
INSERT 0 1
> select * from u
a:int4 | b:int4
5 | 6
SELECT 1
> insert into u values (0)
ERROR 23514: new row for relation "u" violates check constraint "u_a_check"
DETAIL: Failing row contains (0, 1).
> select count(*) from information_schema.columns where table_name = 'u'
count:int8
2
SELECT 1
> create role inl_user
CREATE ROLE
> grant select on t to inl_user
GRANT
> revoke execute on function add1(int) from public
REVOKE
> set role inl_user
SET
> select add1(1)
ERROR 42501: permission denied for function add1
> select twice(1)
ERROR 42501: permission denied for function add1
> reset role
RESET
> create or replace function add1(x int) returns int language sql immutable as 'select x + 2'
CREATE FUNCTION
> select twice(5)
twice:int4
12
SELECT 1
> drop role inl_user
ERROR 2BP01: role "inl_user" cannot be dropped because some objects depend on it
DETAIL: privileges for table t
> revoke select on t from inl_user
REVOKE
> drop role inl_user
DROP ROLE
> do $$ declare s int := 0; begin for i in 1..10 loop s := keyed(s) + i; end loop; raise notice '%', s; end $$
NOTICE 00000: 55
DO
> create role inl_two
CREATE ROLE
> create function hidden(x int) returns int language sql immutable as 'select x + 1'
CREATE FUNCTION
> revoke execute on function hidden(int) from public
REVOKE
> create function uses_hidden() returns int language plpgsql as $$ declare r int; begin r := hidden(1); return r; end $$
CREATE FUNCTION
> set role inl_two
SET
> select uses_hidden()
uses_hidden:int4
ERROR 42501: permission denied for function hidden
> reset role
RESET
> drop role inl_two
DROP ROLE
