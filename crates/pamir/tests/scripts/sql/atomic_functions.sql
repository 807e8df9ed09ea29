# BEGIN ATOMIC and RETURN: what a body names stays, and stays what it is.
> create table t(a int primary key, b text)
CREATE TABLE
> insert into t values (1,'x'), (2,'y')
INSERT 0 2
> create function f1(n int) returns text begin atomic select b from t where a = n; end
CREATE FUNCTION
> select f1(2)
f1:text
y
SELECT 1
> create function f2(n int) returns int return n * 2
CREATE FUNCTION
> select f2(4), f2(n => 5)
f2:int4 | f2:int4
8 | 10
SELECT 1
> create function f3(n int) returns int begin atomic insert into t values (n, 'n'); return n + 1; end
CREATE FUNCTION
> select f3(7)
f3:int4
8
SELECT 1
> select * from t order by a
a:int4 | b:text
1 | x
2 | y
7 | n
SELECT 3
> create function f4() returns setof t begin atomic select * from t; end
CREATE FUNCTION
> select * from f4() order by a
a:int4 | b:text
1 | x
2 | y
7 | n
SELECT 3
> create procedure p1(n int) begin atomic delete from t where a = n; insert into t values (n, 'p'); end
CREATE PROCEDURE
> call p1(7)
CALL
> select f1(7)
f1:text
p
SELECT 1
> create schema other
CREATE SCHEMA
> create table other.t(a int, b text)
CREATE TABLE
> set search_path = other, public
SET
> select f1(1)
f1:text
x
SELECT 1
> reset search_path
RESET
> alter table t drop column b
ERROR 2BP01: cannot drop column b of table t because other objects depend on it
DETAIL: function f1(integer) depends on column b of table t\nfunction f3(integer) depends on column b of table t\nfunction f4() depends on column b of table t\nfunction p1(integer) depends on column b of table t
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop table t
ERROR 2BP01: cannot drop table t because other objects depend on it
DETAIL: function f1(integer) depends on table t\nfunction f3(integer) depends on table t\nfunction f4() depends on table t\nfunction p1(integer) depends on table t
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop function f2(int)
DROP FUNCTION
> create function f5(n int) returns int return f2x(n)
ERROR 42883: function f2x(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> create function f2(n int) returns int return n * 2
CREATE FUNCTION
> create function f6(n int) returns int return f2(n) + 1
CREATE FUNCTION
> drop function f2(int)
ERROR 2BP01: cannot drop function f2(integer) because other objects depend on it
DETAIL: function f6(integer) depends on function f2(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop function f2(int) cascade
NOTICE 00000: drop cascades to function f6(integer)
DROP FUNCTION
> select f6(1)
ERROR 42883: function f6(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> drop table t cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to function f1(integer)\ndrop cascades to function f3(integer)\ndrop cascades to function f4()\ndrop cascades to function p1(integer)
DROP TABLE
> select f1(1)
ERROR 42883: function f1(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> create function bad() returns int begin atomic select nosuch; end
ERROR 42703: column "nosuch" does not exist
> create function bad() returns int language plpgsql return 1
ERROR 42P13: inline SQL function body only valid for language SQL
> create function bad(a int) returns int return 'x'
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.
