# What constants make fail is said by the run, not by PREPARE, whatever SQLSTATE a function gives it.
> create function f0(int8) returns text immutable strict language plpgsql as $f$declare v text := (-2::text); begin return 'x'; end$f$
CREATE FUNCTION

> prepare p as select 1/0
PREPARE

> execute p
ERROR 22012: division by zero

> prepare p2 as select f0(1)
PREPARE

> execute p2
ERROR 42883: operator does not exist: - text
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.

> prepare p3(int) as select f0(1), $1
PREPARE

> execute p3(1)
ERROR 42883: operator does not exist: - text
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.

> prepare p4 as select 1 where f0(1) = 'x'
PREPARE

> prepare p5 as select 'x'::text || f0(2) union select 'y' order by 1
PREPARE

> execute p5
ERROR 42883: operator does not exist: - text
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.

> prepare p6 as select f0(2) union select 'y' order by 1 fetch first 1 rows only
PREPARE

> create view v6 as select f0(2) as a union select 'y'
CREATE VIEW

> select * from v6
ERROR 42883: operator does not exist: - text
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
