# Row level security with partitions that have other columns, triggers that change rows on their way, views, deferrable keys, cursors and rules.
> create role rq_user
CREATE ROLE

> create role rq_own
CREATE ROLE

> create table p(k int, b text, who text default 'rq_user', primary key (k)) partition by range (k)
CREATE TABLE

> create table p1 (who text, extra int, k int not null, b text)
CREATE TABLE

> alter table p1 drop column extra
ALTER TABLE

> alter table p attach partition p1 for values from (0) to (10)
ALTER TABLE

> create table p2 partition of p for values from (10) to (20)
CREATE TABLE

> create table p3 partition of p for values from (20) to (100) partition by list (k)
CREATE TABLE

> create table p3a partition of p3 default
CREATE TABLE

> insert into p values (1,'one','rq_user'),(2,'two','x'),(11,'eleven','rq_user'),(12,'twelve','x'),(30,'thirty','rq_user')
INSERT 0 5

> alter table p enable row level security
ALTER TABLE

> grant all on p, p1, p2 to rq_user
GRANT

> create policy a on p using (who = 'rq_user') with check (who = 'rq_user' and b <> 'bad')
CREATE POLICY

> set role rq_user
SET

> select * from p order by 1
k:int4 | b:text | who:text
1 | one | rq_user
11 | eleven | rq_user
30 | thirty | rq_user
SELECT 3

> insert into p values (3,'three') returning *
k:int4 | b:text | who:text
3 | three | rq_user
INSERT 0 1

> insert into p values (4,'bad')
ERROR 42501: new row violates row-level security policy for table "p"

> insert into p values (4,'x','x')
ERROR 42501: new row violates row-level security policy for table "p"

> insert into p values (1,'again') on conflict (k) do update set b = 'conf ' || excluded.b returning *
k:int4 | b:text | who:text
1 | conf again | rq_user
INSERT 0 1

> insert into p values (2,'again') on conflict (k) do update set b = 'conf'
ERROR 42501: new row violates row-level security policy (USING expression) for table "p"

> insert into p values (2,'again') on conflict (k) do nothing
INSERT 0 0

> insert into p values (1,'again') on conflict (k) do update set b = 'bad'
ERROR 42501: new row violates row-level security policy for table "p"

> insert into p values (1,'again') on conflict (k) do update set who = 'x'
ERROR 42501: new row violates row-level security policy for table "p"

> update p set k = k + 10 where k = 3 returning *
k:int4 | b:text | who:text
13 | three | rq_user
UPDATE 1

> update p set k = 40 where k = 1 returning tableoid::regclass, *
tableoid:regclass | k:int4 | b:text | who:text
p3a | 40 | conf again | rq_user
UPDATE 1

> update p set k = 2 where k = 13
ERROR 23505: duplicate key value violates unique constraint "p1_pkey"
DETAIL: Key (k)=(2) already exists.

> update p set k = 14, b = 'bad' where k = 40
ERROR 42501: new row violates row-level security policy for table "p"

> update p set b = b || '.'
UPDATE 4

> update p set (b, who) = (select 'sub', 'x') where k = 11
ERROR 42501: new row violates row-level security policy for table "p"

> update p set (b, who) = (select 'sub', 'rq_user') where k = 11 returning *
k:int4 | b:text | who:text
11 | sub | rq_user
UPDATE 1

> merge into p using (values (11),(12),(13),(50)) v(x) on p.k = v.x when matched and b = 'sub' then delete when matched then update set k = k + 1 when not matched and x < 20 then insert values (x + 5, 'merged') when not matched then insert values (x, 'bad')
ERROR 42501: new row violates row-level security policy for table "p"

> merge into p using (values (11),(12),(13),(50)) v(x) on p.k = v.x when matched and b = 'sub' then delete when matched then update set k = k + 50, b = 'moved' when not matched and x < 20 then insert values (x + 5, 'merged') when not matched then insert values (x, 'good')
MERGE 4

> merge into p using (values (50)) v(x) on p.k = v.x when matched then update set k = 5, b = 'bad'
ERROR 42501: new row violates row-level security policy for table "p"

> merge into p using (values (50)) v(x) on p.k = v.x when matched then update set k = 5, who = 'x'
ERROR 42501: new row violates row-level security policy for table "p"

> merge into p using (values (12)) v(x) on true when matched and p.k = 50 then update set b = 'true'
MERGE 1

> delete from p where k > 60 returning *
k:int4 | b:text | who:text
63 | moved | rq_user
DELETE 1

> select * from p order by k for update
k:int4 | b:text | who:text
17 | merged | rq_user
30 | thirty. | rq_user
40 | conf again. | rq_user
50 | true | rq_user
SELECT 4

> reset role
RESET

> select tableoid::regclass, * from p order by k
tableoid:regclass | k:int4 | b:text | who:text
p1 | 2 | two | x
p2 | 12 | twelve | x
p2 | 17 | merged | rq_user
p3a | 30 | thirty. | rq_user
p3a | 40 | conf again. | rq_user
p3a | 50 | true | rq_user
SELECT 6

> create function tg() returns trigger language plpgsql as $$ begin new.b := 'bad'; return new; end $$
CREATE FUNCTION

> create trigger g before insert on p2 for each row execute function tg()
CREATE TRIGGER

> set role rq_user
SET

> insert into p values (15,'ok')
ERROR 42501: new row violates row-level security policy for table "p"

> update p set k = 16 where k = 1
UPDATE 0

> update p set k = 16 where k = 30
ERROR 42501: new row violates row-level security policy for table "p"

> reset role
RESET

> drop trigger g on p2
DROP TRIGGER

> create or replace function tg() returns trigger language plpgsql as $$ begin if new.b = 'bad' then new.b := 'mended'; end if; return new; end $$
CREATE FUNCTION

> create trigger g before insert or update on p2 for each row execute function tg()
CREATE TRIGGER

> set role rq_user
SET

> insert into p values (15,'bad') returning *
k:int4 | b:text | who:text
15 | mended | rq_user
INSERT 0 1

> update p set k = 19, b='bad' where k = 30 returning *
k:int4 | b:text | who:text
19 | mended | rq_user
UPDATE 1

> update p set b = 'bad' where k = 19 returning *
k:int4 | b:text | who:text
19 | mended | rq_user
UPDATE 1

> reset role
RESET

> drop trigger g on p2
DROP TRIGGER

> create view pv as select k, b from p where k < 60
CREATE VIEW

> alter view pv rq_owner to rq_user
ERROR 42601: syntax error at or near "rq_owner"

> create view pw with (security_invoker) as select b, k from p
CREATE VIEW

> grant all on pv, pw to rq_own
GRANT

> set role rq_own
SET

> select * from pv order by k
k:int4 | b:text
2 | two
12 | twelve
15 | mended
17 | merged
19 | mended
40 | conf again.
50 | true
SELECT 7

> select * from pw order by k
ERROR 42501: permission denied for table p

> insert into pv values (18,'view') returning *
k:int4 | b:text
18 | view
INSERT 0 1

> insert into pv values (19,'bad')
ERROR 23505: duplicate key value violates unique constraint "p2_pkey"

> update pv set b = 'bad' where k = 18
UPDATE 1

> update pv set b = 'upd' where k in (18, 12) returning *
k:int4 | b:text
12 | upd
18 | upd
UPDATE 2

> delete from pv where k = 12
DELETE 1

> delete from pv where k = 18 returning *
k:int4 | b:text
18 | upd
DELETE 1

> insert into pv values (1,'c') on conflict (k) do update set b = 'vconf' returning *
k:int4 | b:text
1 | c
INSERT 0 1

> insert into pv values (2,'c') on conflict (k) do update set b = 'vconf'
INSERT 0 1

> reset role
RESET

> grant all on p to rq_own
GRANT

> set role rq_own
SET

> select * from pw order by k
b:text | k:int4
c | 1
mended | 15
merged | 17
mended | 19
conf again. | 40
true | 50
SELECT 6

> insert into pw values ('x', 21)
INSERT 0 1

> select * from pv order by k for update
k:int4 | b:text
1 | c
2 | vconf
15 | mended
17 | merged
19 | mended
21 | x
40 | conf again.
50 | true
SELECT 8

> reset role
RESET

> create table base(a int primary key, b int unique deferrable initially deferred, who text)
CREATE TABLE

> alter table base enable row level security
ALTER TABLE

> create policy x on base using (who = 'rq_user')
CREATE POLICY

> grant all on base to rq_user
GRANT

> insert into base values (1,1,'x')
INSERT 0 1

> set role rq_user
SET

> insert into base values (2,1,'rq_user')
ERROR 23505: duplicate key value violates unique constraint "base_b_key"

> begin
BEGIN

> insert into base values (2,2,'rq_user')
INSERT 0 1

> update base set b = 1
UPDATE 1

> commit
ERROR 23505: duplicate key value violates unique constraint "base_b_key"

> begin
BEGIN

> insert into base values (3,3,'rq_user')
INSERT 0 1

> update base set a = 1 where a = 3
ERROR 23505: duplicate key value violates unique constraint "base_pkey"

> rollback
ROLLBACK

> insert into base values (3,3,'rq_user')
INSERT 0 1

> update base set a = 30 where a = 3 returning *
a:int4 | b:int4 | who:text
30 | 3 | rq_user
UPDATE 1

> select * from base order by 1
a:int4 | b:int4 | who:text
30 | 3 | rq_user
SELECT 1

> begin
BEGIN

> declare c cursor for select * from base for update
DECLARE CURSOR

> fetch c
a:int4 | b:int4 | who:text
30 | 3 | rq_user
FETCH 1

> update base set b = 33 where current of c returning *
a:int4 | b:int4 | who:text
30 | 33 | rq_user
UPDATE 1

> delete from base where current of c
DELETE 1

> commit
COMMIT

> begin
BEGIN

> declare c cursor for select * from base
DECLARE CURSOR

> fetch c
a:int4 | b:int4 | who:text
FETCH 0

> update base set b = 34 where current of c
ERROR 24000: cursor "c" is not positioned on a row

> commit
ROLLBACK

> reset role
RESET

> insert into base values (40, 40, 'rq_user')
INSERT 0 1

> create rule r as on delete to base do also insert into p values (old.a, 'rule')
CREATE RULE

> set role rq_user
SET

> delete from base
ERROR 23505: duplicate key value violates unique constraint "p3a_pkey"

> select * from base
a:int4 | b:int4 | who:text
40 | 40 | rq_user
SELECT 1

> reset role
RESET

> select * from p order by 1
k:int4 | b:text | who:text
1 | c | rq_user
2 | vconf | x
15 | mended | rq_user
17 | merged | rq_user
19 | mended | rq_user
21 | x | rq_user
40 | conf again. | rq_user
50 | true | rq_user
SELECT 8

> drop rule r on base
DROP RULE

> create rule r as on insert to base where new.a > 100 do instead nothing
CREATE RULE

> set role rq_user
SET

> insert into base values (101, 1, 'x'), (50, 50, 'rq_user')
INSERT 0 1

> insert into base values (51, 51, 'x')
ERROR 42501: new row violates row-level security policy for table "base"

> insert into base values (102,5,'x')
INSERT 0 0

> reset role
RESET

> drop rule r on base
DROP RULE

> create view iv as select * from base
CREATE VIEW

> create function it() returns trigger language plpgsql as $$ begin if tg_op = 'DELETE' then delete from base where a = old.a; return old; end if; insert into base values (new.a, new.b, new.who); return new; end $$
CREATE FUNCTION

> create trigger it instead of insert or delete on iv for each row execute function it()
CREATE TRIGGER

> grant all on iv to rq_user
GRANT

> set role rq_user
SET

> insert into iv values (60, 60, 'rq_user')
INSERT 0 1

> insert into iv values (61, 61, 'x')
ERROR 42501: new row violates row-level security policy for table "base"

> delete from iv where a = 1
DELETE 1

> delete from iv where a = 60
DELETE 1

> reset role
RESET

> select * from base order by 1
a:int4 | b:int4 | who:text
1 | 1 | x
40 | 40 | rq_user
50 | 50 | rq_user
SELECT 3

> set role rq_user
SET

> reset role
RESET

> drop view pv, pw, iv
DROP VIEW

> drop table p, base
DROP TABLE

> drop function tg(), it()
DROP FUNCTION

> drop role rq_user, rq_own
DROP ROLE
