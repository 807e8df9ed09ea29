# IS DISTINCT FROM NULL binds each side once, whatever stands there.
> select 1 is distinct from null, null is distinct from 1, null is distinct from null, null::int is not distinct from null
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | f | t
SELECT 1

> select row(1, null) is distinct from null, row(null) is not distinct from null
?column?:bool | ?column?:bool
t | f
SELECT 1

> select (select max(x) from generate_series(1, 3) x) is distinct from null
?column?:bool
t
SELECT 1

> select row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(row(1) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null) is distinct from null as deep
deep:bool
t
SELECT 1

> select count(*) is distinct from null as c from generate_series(1, 2) x group by x is distinct from null
c:bool
t
SELECT 1
