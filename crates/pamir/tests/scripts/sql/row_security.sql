# Policies: which rows a role reads and writes, by command, by role, permissive and restrictive.
> create role rs_owner
CREATE ROLE

> create role rs_ann
CREATE ROLE

> create role rs_bob
CREATE ROLE

> create role rs_team
CREATE ROLE

> create role rs_all bypassrls
CREATE ROLE

> grant rs_team to rs_bob
GRANT ROLE

> grant create on schema public to rs_owner
GRANT

> set role rs_owner
SET

> create table doc(id int primary key, who name, level int, txt text)
CREATE TABLE

> grant select, insert, update, delete, truncate, references on doc to rs_ann, rs_bob, rs_team, rs_all
GRANT

> insert into doc values (1, 'rs_ann', 1, 'a1'), (2, 'rs_ann', 2, 'a2'), (3, 'rs_bob', 1, 'b1'), (4, 'rs_bob', 3, 'b3'), (5, 'rs_team', 1, 't1')
INSERT 0 5

# Without a policy that is for the role there is nothing to be seen.
> alter table doc enable row level security
ALTER TABLE

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
2 | rs_ann | 2 | a2
3 | rs_bob | 1 | b1
4 | rs_bob | 3 | b3
5 | rs_team | 1 | t1
SELECT 5

> set role rs_ann
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
SELECT 0

> insert into doc values (6, 'rs_ann', 1, 'x')
ERROR 42501: new row violates row-level security policy for table "doc"

> update doc set txt = 'x'
UPDATE 0

> delete from doc
DELETE 0

> reset role
RESET

> set role rs_all
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
2 | rs_ann | 2 | a2
3 | rs_bob | 1 | b1
4 | rs_bob | 3 | b3
5 | rs_team | 1 | t1
SELECT 5

> reset role
RESET

# Alternatives.
> set role rs_owner
SET

> create policy own on doc using (who = current_user)
CREATE POLICY

> create policy team on doc for select to rs_team using (who = 'rs_team')
CREATE POLICY

> set role rs_ann
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
2 | rs_ann | 2 | a2
SELECT 2

> set role rs_bob
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
3 | rs_bob | 1 | b1
4 | rs_bob | 3 | b3
5 | rs_team | 1 | t1
SELECT 3

> update doc set txt = txt || '!' where id in (1, 3, 5) returning *
id:int4 | who:name | level:int4 | txt:text
3 | rs_bob | 1 | b1!
UPDATE 1

> delete from doc where id in (1, 5)
DELETE 0

> insert into doc values (6, 'rs_bob', 1, 'new')
INSERT 0 1

> insert into doc values (7, 'rs_ann', 1, 'new')
ERROR 42501: new row violates row-level security policy for table "doc"

> update doc set who = 'rs_ann' where id = 6
ERROR 42501: new row violates row-level security policy for table "doc"

> update doc set who = 'rs_team' where id = 6
ERROR 42501: new row violates row-level security policy for table "doc"

# Restrictive policies.
> set role rs_owner
SET

> create policy low on doc as restrictive using (level < 3)
CREATE POLICY

> create policy high on doc as restrictive for update using (true) with check (level < 2)
CREATE POLICY

> set role rs_bob
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
3 | rs_bob | 1 | b1!
5 | rs_team | 1 | t1
6 | rs_bob | 1 | new
SELECT 3

> insert into doc values (8, 'rs_bob', 5, 'new')
ERROR 42501: new row violates row-level security policy "low" for table "doc"

> insert into doc values (8, 'rs_ann', 5, 'new')
ERROR 42501: new row violates row-level security policy for table "doc"

> insert into doc values (8, 'rs_bob', null, 'new')
ERROR 42501: new row violates row-level security policy "low" for table "doc"

> update doc set level = 2 where id = 6
ERROR 42501: new row violates row-level security policy "high" for table "doc"

> update doc set level = 4 where id = 6
ERROR 42501: new row violates row-level security policy "high" for table "doc"

> update doc set level = 0 where id = 6
UPDATE 1

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
3 | rs_bob | 1 | b1!
5 | rs_team | 1 | t1
6 | rs_bob | 0 | new
SELECT 3

# By command.
> set role rs_owner
SET

> drop policy own on doc
DROP POLICY

> drop policy team on doc
DROP POLICY

> drop policy low on doc
DROP POLICY

> drop policy high on doc
DROP POLICY

> create policy s on doc for select using (level = 1)
CREATE POLICY

> create policy i on doc for insert with check (level < 5)
CREATE POLICY

> create policy u on doc for update using (who = current_user) with check (level < 4)
CREATE POLICY

> create policy d on doc for delete using (who = current_user and level > 1)
CREATE POLICY

> set role rs_bob
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
3 | rs_bob | 1 | b1!
5 | rs_team | 1 | t1
SELECT 3

> insert into doc values (10, 'x', 1, 'one')
INSERT 0 1

> insert into doc values (11, 'x', 2, 'two')
INSERT 0 1

> insert into doc values (12, 'x', 2, 'three') on conflict (id) do nothing
ERROR 42501: new row violates row-level security policy for table "doc"

> insert into doc values (12, 'x', 1, 'three') returning id
id:int4
12
INSERT 0 1

> insert into doc values (13, 'x', 5, 'five')
ERROR 42501: new row violates row-level security policy for table "doc"

> update doc set txt = 'all'
UPDATE 3

> update doc set txt = 'seen' where id < 100
UPDATE 1

> update doc set level = 2
UPDATE 3

> update doc set level = 2 where id = 3
UPDATE 0

> update doc set level = 1 where id = 3 returning *
id:int4 | who:name | level:int4 | txt:text
UPDATE 0

> delete from doc
DELETE 3

> delete from doc where id = 4
DELETE 0

> reset role
RESET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
2 | rs_ann | 2 | a2
5 | rs_team | 1 | t1
10 | x | 1 | one
11 | x | 2 | two
12 | x | 1 | three
SELECT 6

# A policy's subquery, and its privileges.
> set role rs_owner
SET

> create table grade(who name, max int)
CREATE TABLE

> insert into grade values ('rs_ann', 1), ('rs_bob', 2)
INSERT 0 2

> drop policy s on doc
DROP POLICY

> drop policy i on doc
DROP POLICY

> drop policy u on doc
DROP POLICY

> drop policy d on doc
DROP POLICY

> create policy g on doc using (level <= (select g.max from grade g where g.who = current_user))
CREATE POLICY

> set role rs_bob
SET

> select * from doc order by id
ERROR 42501: permission denied for table grade

> set role rs_owner
SET

> grant select on grade to rs_ann, rs_bob
GRANT

> set role rs_bob
SET

> select * from doc order by id
id:int4 | who:name | level:int4 | txt:text
1 | rs_ann | 1 | a1
2 | rs_ann | 2 | a2
5 | rs_team | 1 | t1
10 | x | 1 | one
11 | x | 2 | two
12 | x | 1 | three
SELECT 6

> set role rs_ann
SET

> select id from doc order by id
id:int4
1
5
10
12
SELECT 4

> insert into doc values (20, 'x', 1, 'y')
INSERT 0 1

> insert into doc values (21, 'x', 2, 'y')
ERROR 42501: new row violates row-level security policy for table "doc"

# ... to which policies of that table apply.
> set role rs_owner
SET

> alter table grade enable row level security
ALTER TABLE

> set role rs_ann
SET

> select id from doc order by id
id:int4
SELECT 0

> set role rs_owner
SET

> create policy own on grade for select using (who = 'rs_bob')
CREATE POLICY

> set role rs_ann
SET

> select id from doc order by id
id:int4
SELECT 0

> set role rs_bob
SET

> select id from doc order by id
id:int4
1
2
5
10
11
12
20
SELECT 7

# TRUNCATE and REFERENCES ask for nothing.
> set role rs_ann
SET

> truncate doc
TRUNCATE TABLE

> set role rs_owner
SET

> select * from doc
id:int4 | who:name | level:int4 | txt:text
SELECT 0

> drop table doc, grade
DROP TABLE

> reset role
RESET

> revoke create on schema public from rs_owner
REVOKE

> drop role rs_owner, rs_ann, rs_bob, rs_team, rs_all
DROP ROLE
