# COPY FROM ... WHERE: rows for which the condition is not true are left out.
> create table t (id int primary key, a int default 7, b text, c int generated always as identity, check (a < 100))
CREATE TABLE

> copy t (id, b) from stdin where id > 10
< 9	q
< 11	r
< 12	\N
COPY 2

> copy t (id, a, b) from stdin where a > 5 and b is not null
< 20	5	x
< 21	6	y
< 22	\N	z
< 23	9	\N
COPY 1

> copy t (id, b) from stdin with (format csv, header) where b like 'a%' or t.a <> 7
< id,b
< 30,abc
< 31,bcd
COPY 1

# A row that is left out breaks no rule.
> copy t (id, a) from stdin where a < 50
< 40	200
< 11	60
< 41	10
COPY 1

> copy t (id, a) from stdin where a / id > 0
< 0	1
ERROR 22012: division by zero

> select * from t order by id
id:int4 | a:int4 | b:text | c:int4
11 | 7 | r | 2
12 | 7 | NULL | 3
21 | 6 | y | 5
30 | 7 | abc | 8
41 | 10 | NULL | 12
SELECT 5

> copy t to stdout where a > 1
ERROR 42601: WHERE clause not allowed with COPY TO

> copy t from stdin where a = (select 1)
ERROR 0A000: cannot use subquery in COPY FROM WHERE condition

> copy t from stdin where count(*) > 1
ERROR 42803: aggregate functions are not allowed in COPY FROM WHERE conditions

> copy t from stdin where sum(a) over () > 1
ERROR 42P20: window functions are not allowed in COPY FROM WHERE conditions

> copy t from stdin where a
ERROR 42804: argument of WHERE must be type boolean, not type integer

> copy t from stdin where generate_series(1, 2) > 1
ERROR 0A000: set-returning functions are not allowed in COPY FROM WHERE conditions

> copy t from stdin where nope > 1
ERROR 42703: column "nope" does not exist

> copy t from stdin where other.a > 1
ERROR 42P01: missing FROM-clause entry for table "other"

> copy t from stdin where a > 1 as x
ERROR 42601: syntax error at or near "as"

> copy t from stdin where
ERROR 42601: syntax error at end of input

> copy t from stdin where a > 1 csv
ERROR 42601: syntax error at or near "csv"

> copy t from stdin where $1 > 1
ERROR 42P02: there is no parameter $1

> copy t (id) from stdin where 'yes'
< 50
COPY 1

> copy t (id) from stdin where null
< 51
COPY 0

> create role copy_where_r
CREATE ROLE

> grant insert on t to copy_where_r
GRANT

> set role copy_where_r
SET

> copy t (id) from stdin where id > 60
< 61
ERROR 42501: permission denied for table t

> copy t (id) from stdin
< 62
COPY 1

> reset role
RESET

> grant select (id) on t to copy_where_r
GRANT

> set role copy_where_r
SET

> copy t (id) from stdin where id > 60
< 63
COPY 1

> copy t (id) from stdin where a > 60
< 64
ERROR 42501: permission denied for table t

> reset role
RESET

> drop owned by copy_where_r
DROP OWNED

> drop role copy_where_r
DROP ROLE

> select id from t where id >= 50 order by id
id:int4
50
62
63
SELECT 3
