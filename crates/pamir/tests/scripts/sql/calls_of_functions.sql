# CALL of what is no procedure, and what the error shows of its arguments
> create function cf_sum(a int, b int) returns int language sql as 'select a + b'
CREATE FUNCTION

> create function cf_io(inout a int, out b int) language plpgsql as 'begin b := a; end'
CREATE FUNCTION

> call cf_sum(1, 2)
ERROR 42809: cf_sum(integer, integer) is not a procedure
HINT: To call a function, use SELECT.

> call cf_sum('1', 2)
ERROR 42809: cf_sum(unknown, integer) is not a procedure
HINT: To call a function, use SELECT.

> call cf_sum(null, '2')
ERROR 42809: cf_sum(unknown, unknown) is not a procedure
HINT: To call a function, use SELECT.

> call cf_sum(1)
ERROR 42883: procedure cf_sum(integer) does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> call cf_io(1)
ERROR 42883: procedure cf_io(integer) does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> call cf_io(1, 2)
ERROR 42809: cf_io(integer, integer) is not a procedure
HINT: To call a function, use SELECT.

> call cf_io(1, null)
ERROR 42809: cf_io(integer, unknown) is not a procedure
HINT: To call a function, use SELECT.

> call cf_io(1, null::int)
ERROR 42809: cf_io(integer, integer) is not a procedure
HINT: To call a function, use SELECT.

> call cf_io('1', '2')
ERROR 42809: cf_io(unknown, unknown) is not a procedure
HINT: To call a function, use SELECT.

> call cf_io(1, 2, 3)
ERROR 42883: procedure cf_io(integer, integer, integer) does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> call lower('A')
ERROR 42809: lower(unknown) is not a procedure
HINT: To call a function, use SELECT.

> call cf_none(1)
ERROR 42883: procedure cf_none(integer) does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.

> create procedure cf_p(inout a int) language sql as 'select a'
CREATE PROCEDURE

> call cf_p('4')
a:int4
4
CALL

> select cf_p(1)
ERROR 42809: cf_p(integer) is a procedure
HINT: To call a procedure, use CALL.
