# Range types whose collation is the one that the server has.
> create type r1 as range (subtype = text, collation = "C")
CREATE TYPE

> create type r2 as range (subtype = text, collation = "POSIX")
CREATE TYPE

> create type r3 as range (subtype = text, collation = "default")
CREATE TYPE

> create type r4 as range (collation = pg_catalog."C", subtype = varchar)
CREATE TYPE

> create type r5 as range (subtype = text, collation = C)
ERROR 42704: collation "c" for encoding "UTF8" does not exist

> create type r5 as range (subtype = text, collation = nope)
ERROR 42704: collation "nope" for encoding "UTF8" does not exist

> create type r5 as range (subtype = int, collation = "C")
ERROR 42809: range collation specified but subtype does not support collation

> create type r5 as range (subtype = int, collation = nope)
ERROR 42809: range collation specified but subtype does not support collation

> create type r5 as range (subtype = text, collation = "C", collation = "C")
ERROR 42601: conflicting or redundant options

> select r1('a', 'b') @> 'a'::text, r2('B', 'a') @> 'Z'::text, r1('B', 'a')
?column?:bool | ?column?:bool | r1:user
t | t | [B,a)
SELECT 1

> select r4('a', 'c') * r4('b', 'd')
?column?:user
[b,c)
SELECT 1
