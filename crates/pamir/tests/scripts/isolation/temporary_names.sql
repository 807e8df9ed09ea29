# Temporary objects of the same names in two open transactions: nobody waits.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 create temp table t (a int primary key, b serial, c text constraint full_c check (c <> ''))
CREATE TABLE

> @T2 create temp table t (a int primary key, b serial, c text constraint full_c check (c <> ''))
CREATE TABLE

> @T1 create index i on t (c)
CREATE INDEX

> @T2 create index i on t (c)
CREATE INDEX

> @T1 create temp sequence s
CREATE SEQUENCE

> @T2 create temp sequence s
CREATE SEQUENCE

> @T1 create temp view v as select a from t
CREATE VIEW

> @T2 create temp view v as select a from t
CREATE VIEW

> @T1 alter table t add constraint u unique (b)
ALTER TABLE

> @T2 alter table t add constraint u unique (b)
ALTER TABLE

> @T1 alter table t add column d int default 7
ALTER TABLE

> @T2 alter table t add column d int default 7
ALTER TABLE

> @T1 insert into t (a, c) values (1, 'x')
INSERT 0 1

> @T2 insert into t (a, c) values (2, 'x')
INSERT 0 1

> @T1 alter table t rename to t2
ALTER TABLE

> @T2 alter table t rename to t2
ALTER TABLE

> @T1 alter table t2 rename constraint u to u2
ALTER TABLE

> @T2 alter table t2 rename constraint u to u2
ALTER TABLE

> @T1 drop view v
DROP VIEW

> @T2 drop view v
DROP VIEW

> @T1 drop index i
DROP INDEX

> @T2 drop index i
DROP INDEX

> @T1 select a, b, c, d from t2
a:int4 | b:int4 | c:text | d:int4
1 | 1 | x | 7
SELECT 1

> @T2 select a, b, c, d from t2
a:int4 | b:int4 | c:text | d:int4
2 | 1 | x | 7
SELECT 1

> @T1 drop table t2
DROP TABLE

> @T2 drop table t2
DROP TABLE

> @T1 drop sequence s
DROP SEQUENCE

> @T2 drop sequence s
DROP SEQUENCE

> @T1 commit
COMMIT

> @T2 rollback
ROLLBACK

> @T2 create temp table t (a int)
CREATE TABLE

> @T1 create temp table t (a int)
CREATE TABLE
