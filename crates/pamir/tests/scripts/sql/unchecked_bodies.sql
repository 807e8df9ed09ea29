# Bodies of SQL functions that nobody looked at when they were made.
> set check_function_bodies = off
SET

> create table t (a int)
CREATE TABLE

> create table sink (x text)
CREATE TABLE

> create function b1() returns int language sql as $$ select text '5' $$
CREATE FUNCTION

> create function b2() returns int language sql as $$ select 1, 2 $$
CREATE FUNCTION

> create function b3() returns int language sql as $$ select 1; create table x (a int) $$
CREATE FUNCTION

> create function b4(out a int, out b text) language sql as $$ select 1 $$
CREATE FUNCTION

> create function b5() returns int language sql as $$ $$
CREATE FUNCTION

> create function b6() returns int language sql as $$ insert into t values (1) $$
CREATE FUNCTION

> create function b7() returns table (a int, b text) language sql as $$ select 1, 2 $$
CREATE FUNCTION

> create function b8() returns setof int language sql as $$ select text 'a' $$
CREATE FUNCTION

> create function b9() returns void language sql as $$ select text 'a' $$
CREATE FUNCTION

> create function b10() returns bigint language sql as $$ select 1 $$
CREATE FUNCTION

> create function b11() returns int language sql as $$ selec $$
CREATE FUNCTION

> create function b12() returns int language sql as $$ insert into t values (1); select text 'x' $$
CREATE FUNCTION

> create function b13(a anyelement) returns anyelement language sql as $$ select text 'x' $$
CREATE FUNCTION

> create function b14() returns t language sql as $$ select 1, 2 $$
CREATE FUNCTION

> create function b15() returns t language sql as $$ select text 'x' $$
CREATE FUNCTION

> create function b16() returns record language sql as $$ select 1, text 'a' $$
CREATE FUNCTION

> create procedure p1() language sql as $$ selec $$
CREATE PROCEDURE

> create procedure p2(out a int) language sql as $$ select text 'x' $$
CREATE PROCEDURE

> insert into sink select b1()
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> insert into sink select * from b1()
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> insert into sink select b1() from (values (1)) v
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> select b2()
b2:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Final statement must return exactly one column.

> select b3()
b3:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

> select b4()
b4:record
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns too few columns.

> select * from b4()
a:int4 | b:text
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns too few columns.

> select b5()
b5:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

> select b6()
b6:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

> select b7()
b7:record
(1,2)
SELECT 1

> select * from b7()
a:int4 | b:text
1 | 2
SELECT 1

> select b8()
b8:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> select * from b8()
b8:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> select b9()
b9:void
NULL
SELECT 1

> select b10()
b10:int8
1
SELECT 1

> insert into sink select b11()
ERROR 42601: syntax error at or near "selec"

> select b12()
b12:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> insert into sink select b13(1)
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> select b13(text 'y')
b13:text
x
SELECT 1

> select b14()
b14:user
ERROR 42P13: return type mismatch in function declared to return t
DETAIL: Final statement returns too many columns.

> insert into sink select b15()::text
ERROR 42P13: return type mismatch in function declared to return t
DETAIL: Final statement returns text instead of integer at column 1.

> select b16()
b16:record
(1,a)
SELECT 1

> select * from b16() as (a int, b int)
a:int4 | b:int4
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns text instead of integer at column 2.

> call p1()
ERROR 42601: syntax error at or near "selec"

> call p2(null)
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns text instead of integer at column 1.

> select count(*) from t
count:int8
0
SELECT 1

> set check_function_bodies = on
SET

> create function b17() returns int language sql as $$ select max(a) from t $$
CREATE FUNCTION

> select b17()
b17:int4
NULL
SELECT 1

> alter table t alter a type text
ALTER TABLE

> select b17()
b17:int4
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.

> alter table t alter a type int using a::int
ALTER TABLE

> select b17()
b17:int4
NULL
SELECT 1
