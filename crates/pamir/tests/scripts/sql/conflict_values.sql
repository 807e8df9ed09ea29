# ON CONFLICT by partial indexes with parameters in its WHERE; settings after an error; plans that tell what nodes put out.

> create table u(name varchar, l varchar, n int default 0)
CREATE TABLE

> create unique index on u(name,l) where l='unique_name'
CREATE INDEX

> prepare p(varchar,varchar,varchar) as insert into u values($1,$2) on conflict (name,l) where l=$3 do update set n=u.n+1
PREPARE

> execute p('a','unique_name','unique_name')
INSERT 0 1

> execute p('a','unique_name','unique_name')
INSERT 0 1

> execute p('a','unique_name','other')
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> execute p('a','x',null)
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> select * from u
name:varchar | l:varchar | n:int4
a | unique_name | 1
SELECT 1

> prepare q as insert into u values($1,$2) on conflict (name,l) where l=$3 do nothing
PREPARE

> execute q('a','unique_name','unique_name')
INSERT 0 0

> execute q('b','unique_name','unique_name')
INSERT 0 1

> create table w(a int, b int)
CREATE TABLE

> create unique index on w(a) where b = 5 and a > 0
CREATE INDEX

> prepare s as insert into w values($1,$2) on conflict (a) where b = $3 and a > $4 do update set b = 5 returning *
PREPARE

> execute s(1,5,5,0)
a:int4 | b:int4
1 | 5
INSERT 0 1

> execute s(1,5,5,0)
a:int4 | b:int4
1 | 5
INSERT 0 1

> create view wv as select * from w
CREATE VIEW

> prepare t as insert into wv values($1,$2) on conflict (a) where b = $3 and a > $4 do update set b = 5 returning *
PREPARE

> execute t(1,5,5,0)
a:int4 | b:int4
1 | 5
INSERT 0 1

> begin
BEGIN

> set application_name='x'
SET

> savepoint a
SAVEPOINT

> set application_name='y'
SET

> select 1/0
ERROR 22012: division by zero

> rollback to a
ROLLBACK

> show application_name
application_name:text
x
SHOW

> select 1/0
ERROR 22012: division by zero

> rollback
ROLLBACK

> show application_name
application_name:text
|
SHOW

> begin
BEGIN

> set datestyle='german'
SET

> set search_path='pg_catalog'
SET

> select 1/0
ERROR 22012: division by zero

> rollback
ROLLBACK

> show datestyle
DateStyle:text
ISO, MDY
SHOW

> show search_path
search_path:text
"$user", public
SHOW

> begin
BEGIN

> savepoint a
SAVEPOINT

> set local work_mem='1MB'
SET

> release a
RELEASE

> show work_mem
work_mem:text
1MB
SHOW

> savepoint b
SAVEPOINT

> set work_mem='2MB'
SET

> select 1/0
ERROR 22012: division by zero

> rollback to b
ROLLBACK

> show work_mem
work_mem:text
1MB
SHOW

> commit
COMMIT

> show work_mem
work_mem:text
4MB
SHOW
