# A generated column is over no generated column, one that comes later neither.
> create table gen2 (a int, b int generated always as (c) stored, c int generated always as (a) stored)
ERROR 42P17: cannot use generated column "c" in column generation expression
DETAIL: A generated column cannot reference another generated column.

> create table gen2 (a int, b int generated always as (a) stored, c int generated always as (b + 1) stored)
ERROR 42P17: cannot use generated column "b" in column generation expression
DETAIL: A generated column cannot reference another generated column.

> create table gen2 (a int, b int generated always as (b + 1) stored)
ERROR 42P17: cannot use generated column "b" in column generation expression
DETAIL: A generated column cannot reference another generated column.

> create table gen2 (a int, b int generated always as (a + d) stored, c int generated always as (a) stored, d int default 3)
CREATE TABLE

> alter table gen2 add column e int generated always as (b + 1) stored
ERROR 42P17: cannot use generated column "b" in column generation expression
DETAIL: A generated column cannot reference another generated column.

> alter table gen2 add column e int generated always as (f) stored, add column f int generated always as (a) stored
ERROR 42703: column "f" does not exist

> insert into gen2 values (1); select * from gen2
INSERT 0 1
a:int4 | b:int4 | c:int4 | d:int4
1 | 4 | 1 | 3
SELECT 1
