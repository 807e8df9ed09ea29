# EXCLUDE constraints.

> create extension btree_gist
CREATE EXTENSION

> create table booking (id int primary key, room int, during int4range, cancelled bool not null default false, constraint no_overlap exclude using gist (room with =, during with &&) where (not cancelled))
CREATE TABLE

> insert into booking values (1, 1, '[1,5)'), (2, 1, '[5,9)'), (3, 2, '[1,9)')
INSERT 0 3

> insert into booking values (4, 1, '[4,6)')
ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
DETAIL: Key (room, during)=(1, [4,6)) conflicts with existing key (room, during)=(1, [1,5)).

> insert into booking values (4, 1, '[4,6)', true), (5, 1, 'empty'), (6, null, '[1,9)'), (7, 1, null)
ERROR 42601: VALUES lists must all be the same length

> update booking set cancelled = false where id = 4
UPDATE 0

> update booking set room = 3, cancelled = false where id = 4
UPDATE 0

> update booking set room = 1 where id = 4
UPDATE 0

> update booking set during = '[1,3)' where id = 1
UPDATE 1

> insert into booking values (8, 1, '[3,5)'), (9, 1, '[4,5)')
ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
DETAIL: Key (room, during)=(1, [4,5)) conflicts with existing key (room, during)=(1, [3,5)).

> insert into booking values (8, 1, '[3,5)'), (9, 4, '[4,5)')
INSERT 0 2

> update booking set during = int4range(lower(during) + 1, upper(during) + 1) where room = 1 and not cancelled and not isempty(during)
ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
DETAIL: Key (room, during)=(1, [2,4)) conflicts with existing key (room, during)=(1, [3,5)).

> delete from booking where id = 2
DELETE 1

> insert into booking values (2, 1, '[6,9)')
INSERT 0 1

> insert into booking values (10, 1, '[1,9)') on conflict do nothing
INSERT 0 0

> insert into booking values (10, 1, '[1,9)') on conflict on constraint no_overlap do nothing
INSERT 0 0

> insert into booking values (10, 5, '[1,9)') on conflict on constraint no_overlap do nothing returning *
id:int4 | room:int4 | during:int4range | cancelled:bool
10 | 5 | [1,9) | f
INSERT 0 1

> insert into booking values (11, 1, '[1,9)') on conflict (id) do nothing
ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
DETAIL: Key (room, during)=(1, [1,9)) conflicts with existing key (room, during)=(1, [1,3)).

> insert into booking values (10, 1, '[1,9)') on conflict (id) do nothing
INSERT 0 0

> insert into booking values (12, 1, '[1,9)') on conflict on constraint no_overlap do update set room = 9
ERROR 42809: ON CONFLICT DO UPDATE not supported with exclusion constraints

> insert into booking values (12, 1, '[1,9)') on conflict (room, during) do nothing
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> select * from booking order by id
id:int4 | room:int4 | during:int4range | cancelled:bool
1 | 1 | [1,3) | f
2 | 1 | [6,9) | f
3 | 2 | [1,9) | f
8 | 1 | [3,5) | f
9 | 4 | [4,5) | f
10 | 5 | [1,9) | f
SELECT 6

> copy booking from stdin
< 20	6	[1,4)	f
< 21	6	[2,5)	f
ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
DETAIL: Key (room, during)=(6, [2,5)) conflicts with existing key (room, during)=(6, [1,4)).

> select conname, contype, condeferrable, condeferred, convalidated, conkey, array(select oprname from unnest(conexclop) with ordinality as u (o, n) join pg_operator p on p.oid = o order by n), pg_get_constraintdef(oid), connoinherit from pg_constraint where conrelid = 'booking'::regclass and contype = 'x'
conname:name | contype:char | condeferrable:bool | condeferred:bool | convalidated:bool | conkey:_int2 | array:_name | pg_get_constraintdef:text | connoinherit:bool
no_overlap | x | f | f | t | {2,3} | {=,&&} | EXCLUDE USING gist (room WITH =, during WITH &&) WHERE ((NOT cancelled)) | t
SELECT 1

> select indisunique, indisexclusion, indimmediate, pg_get_indexdef(indexrelid) from pg_index where indexrelid = 'no_overlap'::regclass
indisunique:bool | indisexclusion:bool | indimmediate:bool | pg_get_indexdef:text
f | t | t | CREATE INDEX no_overlap ON public.booking USING gist (room, during) WHERE (NOT cancelled)
SELECT 1

> select constraint_name, constraint_type from information_schema.table_constraints where table_name = 'booking' and constraint_name !~ 'not_null' order by 1
constraint_name:name | constraint_type:varchar
booking_pkey | PRIMARY KEY
SELECT 1

> drop index no_overlap
ERROR 2BP01: cannot drop index no_overlap because constraint no_overlap on table booking requires it
HINT: You can drop constraint no_overlap on table booking instead.

> alter table booking rename constraint no_overlap to nobody_twice
ALTER TABLE

> alter table booking rename column room to hall
ALTER TABLE

> select pg_get_constraintdef(oid, true) from pg_constraint where conname = 'nobody_twice'
pg_get_constraintdef:text
EXCLUDE USING gist (hall WITH =, during WITH &&) WHERE (NOT cancelled)
SELECT 1

> insert into booking values (30, 1, '[1,9)')
ERROR 23P01: conflicting key value violates exclusion constraint "nobody_twice"
DETAIL: Key (hall, during)=(1, [1,9)) conflicts with existing key (hall, during)=(1, [1,3)).

> alter table booking drop constraint nobody_twice
ALTER TABLE

> insert into booking values (30, 1, '[1,9)')
INSERT 0 1

> alter table booking add exclude using gist (hall with =, during with &&) where (not cancelled)
ERROR 23P01: could not create exclusion constraint "booking_hall_during_excl"
DETAIL: Key (hall, during)=(1, [1,3)) conflicts with key (hall, during)=(1, [1,9)).

> delete from booking where id = 30
DELETE 1

> alter table booking add exclude using gist (hall with =, during with &&) where (not cancelled)
ALTER TABLE

> create table like_it (like booking including all)
CREATE TABLE

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'like_it'::regclass order by 1
conname:name | pg_get_constraintdef:text
like_it_hall_during_excl | EXCLUDE USING gist (hall WITH =, during WITH &&) WHERE ((NOT cancelled))
like_it_pkey | PRIMARY KEY (id)
SELECT 2

# Kinds of operators and methods.

> create table cage (c int, animal text, exclude using gist (c with =, animal with <>))
CREATE TABLE

> insert into cage values (1, 'zebra'), (1, 'zebra'), (2, 'lion')
INSERT 0 3

> insert into cage values (1, 'lion')
ERROR 23P01: conflicting key value violates exclusion constraint "cage_c_animal_excl"
DETAIL: Key (c, animal)=(1, lion) conflicts with existing key (c, animal)=(1, zebra).

> insert into cage values (3, 'lion'), (3, 'zebra')
ERROR 23P01: conflicting key value violates exclusion constraint "cage_c_animal_excl"
DETAIL: Key (c, animal)=(3, zebra) conflicts with existing key (c, animal)=(3, lion).

> create table by_tree (a int, b text, exclude (a with =, lower(b) with =))
CREATE TABLE

> insert into by_tree values (1, 'x'), (1, 'y'), (null, 'x'), (null, 'x')
INSERT 0 4

> insert into by_tree values (1, 'X')
ERROR 23P01: conflicting key value violates exclusion constraint "by_tree_a_lower_excl"
DETAIL: Key (a, lower(b))=(1, x) conflicts with existing key (a, lower(b))=(1, x).

> insert into by_tree values (2, 'X') on conflict do nothing
INSERT 0 1

> update by_tree set b = 'Y' where b = 'x' and a = 1
ERROR 23P01: conflicting key value violates exclusion constraint "by_tree_a_lower_excl"
DETAIL: Key (a, lower(b))=(1, y) conflicts with existing key (a, lower(b))=(1, y).

> create table by_hash (a text, exclude using hash (a with =))
CREATE TABLE

> insert into by_hash values ('a'), ('b')
INSERT 0 2

> insert into by_hash values ('a')
ERROR 23P01: conflicting key value violates exclusion constraint "by_hash_a_excl"
DETAIL: Key (a)=(a) conflicts with existing key (a)=(a).

> create table adjacent (r int4range, exclude using gist (r with -|-))
CREATE TABLE

> insert into adjacent values ('[1,3)'), ('[4,6)')
INSERT 0 2

> insert into adjacent values ('[3,4)')
ERROR 23P01: conflicting key value violates exclusion constraint "adjacent_r_excl"
DETAIL: Key (r)=([3,4)) conflicts with existing key (r)=([1,3)).

> create table whole (r tsrange, exclude using gist (r with &&))
CREATE TABLE

> insert into whole values ('[2024-01-01,2024-02-01)')
INSERT 0 1

> insert into whole values ('[2024-01-31,2024-03-01)')
ERROR 23P01: conflicting key value violates exclusion constraint "whole_r_excl"
DETAIL: Key (r)=(["2024-01-31 00:00:00","2024-03-01 00:00:00")) conflicts with existing key (r)=(["2024-01-01 00:00:00","2024-02-01 00:00:00")).

> insert into whole values ('[2024-02-01,2024-03-01)')
INSERT 0 1

> create table spans (a timestamp, b timestamp, exclude using gist (tsrange(a, b) with &&))
CREATE TABLE

> insert into spans values ('2024-01-01', '2024-01-05')
INSERT 0 1

> insert into spans values ('2024-01-04', '2024-01-06')
ERROR 23P01: conflicting key value violates exclusion constraint "spans_tsrange_excl"
DETAIL: Key (tsrange(a, b))=(["2024-01-04 00:00:00","2024-01-06 00:00:00")) conflicts with existing key (tsrange(a, b))=(["2024-01-01 00:00:00","2024-01-05 00:00:00")).

> select conname, conkey, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'spans'::regclass
conname:name | conkey:_int2 | pg_get_constraintdef:text
spans_tsrange_excl | {0} | EXCLUDE USING gist (tsrange(a, b) WITH &&)
SELECT 1

# When it is checked.

> create table later (r int4range, constraint later_x exclude using gist (r with &&) deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into later values ('[1,5)'), ('[2,6)')
INSERT 0 2

> update later set r = '[5,9)' where lower(r) = 2
UPDATE 1

> commit
COMMIT

> begin
BEGIN

> insert into later values ('[8,10)')
INSERT 0 1

> commit
ERROR 23P01: conflicting key value violates exclusion constraint "later_x"
DETAIL: Key (r)=([8,10)) conflicts with existing key (r)=([5,9)).

> begin
BEGIN

> insert into later values ('[8,10)')
INSERT 0 1

> set constraints all immediate
ERROR 23P01: conflicting key value violates exclusion constraint "later_x"
DETAIL: Key (r)=([8,10)) conflicts with existing key (r)=([5,9)).

> rollback
ROLLBACK

> insert into later values ('[20,30)') on conflict do nothing
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> select * from later order by 1
r:int4range
[1,5)
[5,9)
SELECT 2

> create table soon (r int4range, exclude using gist (r with &&) deferrable)
CREATE TABLE

> insert into soon values ('[1,3)'), ('[3,5)')
INSERT 0 2

> update soon set r = int4range(lower(r) + 2, upper(r) + 2)
UPDATE 2

> update soon set r = int4range(lower(r) + 1, upper(r) + 1) where lower(r) = 3
ERROR 23P01: conflicting key value violates exclusion constraint "soon_r_excl"
DETAIL: Key (r)=([4,6)) conflicts with existing key (r)=([5,7)).

> select pg_get_constraintdef(oid) from pg_constraint where conrelid in ('later'::regclass, 'soon'::regclass) order by 1
pg_get_constraintdef:text
EXCLUDE USING gist (r WITH &&) DEFERRABLE
EXCLUDE USING gist (r WITH &&) DEFERRABLE INITIALLY DEFERRED
SELECT 2

# Types that change, and constraints that are said twice.

> create table changes (a int, r int4range, exclude using gist ((a % 2) with =, r with &&))
CREATE TABLE

> insert into changes values (1, '[1,5)'), (2, '[1,5)')
INSERT 0 2

> alter table changes alter a type bigint
ALTER TABLE

> insert into changes values (3, '[4,6)')
ERROR 23P01: conflicting key value violates exclusion constraint "changes_expr_r_excl"
DETAIL: Key ((a % 2::bigint), r)=(1, [4,6)) conflicts with existing key ((a % 2::bigint), r)=(1, [1,5)).

> alter table changes alter a type numeric
ALTER TABLE

> insert into changes values (3, '[5,6)')
INSERT 0 1

> select conname, array(select o::regoperator from unnest(conexclop) o) from pg_constraint where conrelid = 'changes'::regclass
conname:name | array:_regoperator
changes_expr_r_excl | {"=(numeric,numeric)","&&(anyrange,anyrange)"}
SELECT 1

> create table twice (a int, exclude using btree (a with =), constraint named exclude (a with =), constraint other exclude (a with =) deferrable, exclude (a with =) where (a > 0))
CREATE TABLE

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'twice'::regclass order by 1
conname:name | pg_get_constraintdef:text
named | EXCLUDE USING btree (a WITH =)
other | EXCLUDE USING btree (a WITH =) DEFERRABLE
twice_a_excl | EXCLUDE USING btree (a WITH =) WHERE ((a > 0))
SELECT 3

> create table "Odd" ("A b" int, t text)
CREATE TABLE

> create unique index on "Odd" ("A b", (t || 'x'))
CREATE INDEX

> insert into "Odd" values (1, 'a')
INSERT 0 1

> insert into "Odd" values (1, 'a')
ERROR 23505: duplicate key value violates unique constraint "Odd_A b_expr_idx"
DETAIL: Key ("A b", (t || 'x'::text))=(1, ax) already exists.

> insert into "Odd" values (2, 'b'), (2, 'b')
ERROR 23505: duplicate key value violates unique constraint "Odd_A b_expr_idx"
DETAIL: Key ("A b", (t || 'x'::text))=(2, bx) already exists.

> drop index "Odd_A b_expr_idx"
DROP INDEX

> insert into "Odd" values (1, 'a')
INSERT 0 1

> create unique index on "Odd" ((t || 'x'), "A b")
ERROR 23505: could not create unique index "Odd_expr_A b_idx"
DETAIL: Key ((t || 'x'::text), "A b")=(ax, 1) is duplicated.

> drop table changes, twice, "Odd"
DROP TABLE

# What is refused.

> create table no (a int, exclude using gist (a with &&))
ERROR 42883: operator does not exist: integer && integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> create table no (a int4range, exclude using gist (a with @>))
ERROR 42809: operator @>(anyrange,anyrange) is not commutative
DETAIL: Only commutative operators can be used in exclusion constraints.

> create table no (a int4range, exclude using btree (a with &&))
ERROR 42809: operator &&(anyrange,anyrange) is not a member of operator family "range_ops"
DETAIL: The exclusion operator must be related to the index operator class for the constraint.

> create table no (a int, exclude using gist (a with <))
ERROR 42809: operator <(integer,integer) is not commutative
DETAIL: Only commutative operators can be used in exclusion constraints.

> create table no (a int[], exclude using gin (a with &&))
ERROR 0A000: access method "gin" does not support exclusion constraints

> create table no (a int, exclude using gist (b with =))
ERROR 42703: column "b" named in key does not exist

> create table no (a int, exclude (a desc with =)) partition by range (a)
ERROR 0A000: exclusion constraints are not supported on partitioned tables

> create table no (a int, exclude using hash (a desc with =))
ERROR 0A000: access method "hash" does not support ASC/DESC options

> alter table cage add constraint cage_c_animal_excl exclude (c with =)
ERROR 42P07: relation "cage_c_animal_excl" already exists

> alter table adjacent alter column r type int8range using int8range(lower(r), upper(r))
ALTER TABLE

> insert into adjacent values ('[6,9)')
ERROR 23P01: conflicting key value violates exclusion constraint "adjacent_r_excl"
DETAIL: Key (r)=([6,9)) conflicts with existing key (r)=([4,6)).

> drop extension btree_gist cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to constraint booking_hall_during_excl on table booking\ndrop cascades to constraint like_it_hall_during_excl on table like_it\ndrop cascades to constraint cage_c_animal_excl on table cage
DROP EXTENSION

> insert into cage values (1, 'lion')
INSERT 0 1

> drop table booking, like_it, cage, by_tree, by_hash, adjacent, whole, spans, later, soon
DROP TABLE
