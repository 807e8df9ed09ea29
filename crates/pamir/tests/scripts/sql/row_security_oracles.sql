# Ways to ask hidden rows: conditions of views of one's own, keys that errors tell.
> create role ro_a
CREATE ROLE

> create table ro_t (id int primary key, own text, pin int)
CREATE TABLE

> insert into ro_t values (1, 'ro_b', 42), (2, 'ro_a', 7)
INSERT 0 2

> grant all on schema public to public
GRANT

> grant all on ro_t to ro_a
GRANT

> alter table ro_t enable row level security
ALTER TABLE

> create policy p on ro_t using (own = current_user)
CREATE POLICY

> set role ro_a
SET

> create function ro_leak(int) returns bool language plpgsql cost 0.0001 as $$begin raise notice 'pin %', $1; return true; end$$
CREATE FUNCTION

> create view ro_leaks with (security_invoker) as select * from ro_t where ro_leak(pin)
CREATE VIEW

> create view ro_low with (security_invoker) as select * from ro_t where pin < 40
CREATE VIEW

> create view ro_zero with (security_invoker) as select * from ro_t where 1 / (pin - 42) > -9
CREATE VIEW

> create view ro_own as select * from ro_t where pin < 40
CREATE VIEW

> create view ro_two with (security_invoker) as select * from ro_low where pin > 0
CREATE VIEW

> insert into ro_leaks values (1, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_low values (1, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_zero values (1, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_own values (1, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_two values (1, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_low values (1, 'ro_a', 3) on conflict (id) do update set pin = 0 where false
ERROR 42501: new row violates row-level security policy (USING expression) for table "ro_t"

> insert into ro_low values (2, 'ro_a', 3) on conflict (id) do update set pin = excluded.pin returning *
id:int4 | own:text | pin:int4
2 | ro_a | 3
INSERT 0 1

> update ro_t set pin = 50 where id = 2
UPDATE 1

> insert into ro_low values (2, 'ro_a', 3) on conflict (id) do update set pin = 0
ERROR 55000: conflicting row is not visible through view "ro_low"

> reset role
RESET

> select * from ro_t order by 1
id:int4 | own:text | pin:int4
1 | ro_b | 42
2 | ro_a | 50
SELECT 2

> create table ro_parent (id int primary key)
CREATE TABLE

> create table ro_child (id int, parent int)
CREATE TABLE

> insert into ro_parent values (1), (2)
INSERT 0 2

> insert into ro_child values (1, 1), (2, 777)
INSERT 0 2

> alter table ro_parent owner to ro_a
ALTER TABLE

> alter table ro_child owner to ro_a
ALTER TABLE

> alter table ro_child enable row level security
ALTER TABLE

> alter table ro_child force row level security
ALTER TABLE

> create policy q on ro_child using (parent = 777)
CREATE POLICY

> set role ro_a
SET

> alter table ro_child add foreign key (parent) references ro_parent
ERROR 23503: insert or update on table "ro_child" violates foreign key constraint "ro_child_parent_fkey"
DETAIL: Key is not present in table "ro_parent".

> reset role
RESET

> drop table ro_t, ro_child, ro_parent cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to view ro_leaks\ndrop cascades to view ro_low\ndrop cascades to view ro_two\ndrop cascades to view ro_zero\ndrop cascades to view ro_own
DROP TABLE

> drop function ro_leak
DROP FUNCTION

> drop role ro_a
DROP ROLE
