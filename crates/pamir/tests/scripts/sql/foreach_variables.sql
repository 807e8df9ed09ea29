# What FOREACH's loop variable may be, and how it says that it is not.

> do $$ declare x int; begin foreach y in array array[1] loop null; end loop; end $$
ERROR 42601: loop variable of FOREACH must be a known variable or list of variables

> do $$ declare x int; begin foreach y.z in array array[1] loop null; end loop; end $$
ERROR 42601: "y.z" is not a known variable

> do $$ declare x int; begin foreach x, y in array array[1] loop null; end loop; end $$
ERROR 42601: "y" is not a known variable

> do $$ declare x int; begin foreach y, x in array array[1] loop null; end loop; end $$
ERROR 42601: "y" is not a known variable

> do $$ declare x int; begin foreach "Y" in array array[1] loop null; end loop; end $$
ERROR 42601: loop variable of FOREACH must be a known variable or list of variables

> do $$ declare x int; begin foreach 1 in array array[1] loop null; end loop; end $$
ERROR 42601: syntax error at or near "1"

> do $$ declare x record; begin foreach x.a in array array[1] loop null; end loop; end $$
ERROR 55000: record "x" is not assigned yet
DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

> do $$ declare x constant int := 1; begin foreach x in array array[1] loop null; end loop; end $$
ERROR 22005: variable "x" is declared CONSTANT

> do $$ <<l>> declare x int; begin foreach l in array array[1] loop null; end loop; end $$
ERROR 42601: loop variable of FOREACH must be a known variable or list of variables

> do $$ <<l>> declare x int; begin foreach l.x in array array[1,2] loop raise notice '%', x; end loop; end $$
NOTICE 00000: 1
NOTICE 00000: 2
DO
