# Rows of literals of unlike lengths are an error, whatever the table would take.
> create table t (a int, b int)
CREATE TABLE

> insert into t values (1,2),(3),(4,5),(6,7),(8,9),(10,11),(12,13),(14,15),(16,17),(18,19)
ERROR 42601: VALUES lists must all be the same length

> insert into t values (1),(2,3),(4,5),(6,7),(8,9),(10,11),(12,13),(14,15),(16,17),(18,19)
ERROR 42601: VALUES lists must all be the same length

> insert into t values (1)
INSERT 0 1

> insert into t values (1),(2)
INSERT 0 2

> insert into t values (1,2),(3,4)
INSERT 0 2

> insert into t values (1,2),(3,4)
INSERT 0 2

> insert into t values (1),(2)
INSERT 0 2

> insert into t values (1,2),(3)
ERROR 42601: VALUES lists must all be the same length

> insert into t values (1),(2,3)
ERROR 42601: VALUES lists must all be the same length

> select count(*) from t
count:int8
9
SELECT 1
