# Which routine DROP, ALTER, COMMENT and GRANT mean by a list of types.

> create procedure p10(out a int, in b int, in c int) language sql as $$ select b - c $$
CREATE PROCEDURE

> drop procedure p10(int,int)
DROP PROCEDURE

> create procedure p10(out a int, in b int, in c int) language sql as $$ select b - c $$
CREATE PROCEDURE

> create procedure p10(in a int, in b int, in c int) language sql as $$ select a + b - c $$
CREATE PROCEDURE

> drop procedure p10
ERROR 42725: procedure name "p10" is not unique
HINT: Specify the argument list to select the procedure unambiguously.

> drop procedure p10(int,int,int)
ERROR 42725: procedure name "p10" is not unique

> begin
BEGIN

> drop procedure p10(out int, int, int)
DROP PROCEDURE

> drop procedure p10(int,int,int)
DROP PROCEDURE

> rollback
ROLLBACK

> begin
BEGIN

> drop procedure p10(in int, int, int)
DROP PROCEDURE

> drop procedure p10(int,int,int)
DROP PROCEDURE

> rollback
ROLLBACK

> begin
BEGIN

> drop procedure p10(int,int)
DROP PROCEDURE

> rollback
ROLLBACK

> alter procedure p10(int,int,int) rename to p11
ERROR 42725: procedure name "p10" is not unique

> alter procedure p10 rename to p11
ERROR 42725: procedure name "p10" is not unique
HINT: Specify the argument list to select the procedure unambiguously.

> comment on procedure p10 is 'x'
ERROR 42725: procedure name "p10" is not unique
HINT: Specify the argument list to select the procedure unambiguously.

> comment on routine p10(int,int) is 'x'
COMMENT

> grant execute on procedure p10 to public
ERROR 42725: procedure name "p10" is not unique
HINT: Specify the argument list to select the procedure unambiguously.

> drop routine p10
ERROR 42725: routine name "p10" is not unique
HINT: Specify the argument list to select the routine unambiguously.

> drop function p10
ERROR 42883: could not find a function named "p10"

> select 'p10'::regproc
ERROR 42725: more than one function named "p10"

> select 'p10(int,int,int)'::regprocedure
regprocedure:regprocedure
p10(integer,integer,integer)
SELECT 1

> drop procedure p10(out int, int, int), p10(in int, int, int)
DROP PROCEDURE

> create function f1(a int) returns int language sql as 'select 1'
CREATE FUNCTION

> create function f1(a text) returns int language sql as 'select 1'
CREATE FUNCTION

> drop function f1
ERROR 42725: function name "f1" is not unique
HINT: Specify the argument list to select the function unambiguously.

> drop procedure f1
ERROR 42883: could not find a procedure named "f1"

> drop routine f1
ERROR 42725: routine name "f1" is not unique
HINT: Specify the argument list to select the routine unambiguously.

> drop aggregate f1(int)
ERROR 42809: function f1(integer) is not an aggregate

> drop function f1(int)
DROP FUNCTION

> drop function f1
DROP FUNCTION

> drop function f1
ERROR 42883: could not find a function named "f1"

> drop function if exists f1
NOTICE 00000: function f1() does not exist, skipping
DROP FUNCTION

> drop procedure if exists f1(int)
NOTICE 00000: procedure f1(pg_catalog.int4) does not exist, skipping
DROP PROCEDURE
