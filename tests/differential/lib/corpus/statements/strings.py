"""Strings of several statements: one transaction or several, what an error takes back, what goes on behind it. Each is followed by what is left."""

STRINGS = """insert into t values (1); insert into t values (2)
insert into t values (3); select 1 / 0; insert into t values (4)
insert into t values (5); nonsense; insert into t values (6)
insert into t values (7); select * from nope; insert into t values (8)
begin; insert into t values (10); commit; insert into t values (11); select 1 / 0
insert into t values (12); begin; insert into t values (13); rollback; insert into t values (14)
insert into t values (15); begin; insert into t values (16); commit; select 1 / 0
insert into t values (17); commit; insert into t values (18); select 1 / 0
insert into t values (19); rollback; insert into t values (20)
insert into t values (21); savepoint a; insert into t values (22)
savepoint a
begin; savepoint a; insert into t values (23); rollback to a; commit; select count(*) from t
begin; select 1 / 0; insert into t values (24); commit
select 1
rollback
begin; insert into t values (25)
insert into t values (26); commit; insert into t values (27)
create table u (a int); insert into u values (1); drop table u; create table u (a text); insert into u values ('x')
select * from u; alter table u add b int default 5; select * from u
create table w (a int); select 1 / 0
create type ty as enum ('a'); create table x (m ty); insert into x values ('a'); select * from x
create function f() returns int language sql as 'select 41'; select f() + 1; create or replace function f() returns int language sql as 'select 42'; select f()
set work_mem = '7MB'; select 1 / 0; set work_mem = '8MB'
set work_mem = '9MB'; show work_mem
set local work_mem = '10MB'; show work_mem
begin; set local work_mem = '11MB'; show work_mem; commit; show work_mem
select set_config('work_mem', '12MB', true); show work_mem
prepare a as select 1; execute a; deallocate a; execute a
prepare b as insert into t values ($1) returning *; execute b(40); execute b(41)
declare c cursor for select * from t order by 1; fetch 2 c; fetch 1 c
declare c cursor with hold for select 1; fetch c
fetch c; close c
lock table t; select count(*) from t
vacuum t; select 1
select 1; vacuum t
create database nope; select 1
select txid_current() = txid_current(); select now() = now()
insert into t values (50); notify ch; select 1 / 0
listen ch; notify ch, 'a'; notify ch, 'b'; select 1
unlisten *; notify ch, 'c'
call p(60); select count(*) from t where a >= 60
insert into t values (62); call p(63)
do $$ begin insert into t values (64); commit; insert into t values (65); rollback; end $$
do $$ begin insert into t values (66); commit; end $$; select 1
begin; do $$ begin commit; end $$; commit
begin isolation level serializable; select 1; show transaction_isolation; commit; show transaction_isolation
start transaction read only; insert into t values (70); commit
begin; commit; commit; rollback
;;
 ; select 1 ; ;
/* only a comment */
select 1; -- a comment behind
select 1 as a, 2 as b; select 'x' as c where false
insert into t values (80) returning a; update t set a = 81 where a = 80 returning a; delete from t where a = 81 returning a
truncate t; insert into t values (1); select * from t; rollback
begin; truncate t; select count(*) from t; rollback; select count(*) from t
alter table t add b int; update t set b = a; alter table t drop a; alter table t rename b to a
select a from t order by a; select sum(a) from t; table t
set constraints all deferred; insert into d values (1, 99); insert into e values (99)
set constraints all immediate; insert into d values (2, 98); insert into e values (98)
insert into d values (3, 97); insert into e values (97)
begin; insert into d values (4, 96); select 1; commit
begin; insert into d values (5, 95); insert into e values (95); commit; select count(*) from d
discard all; select 1
select 1; discard all
reset all; show work_mem
explain nope; select 1
copy t to stdout; select 1
grant select on t to nope; select 1
create index concurrently on t (a); select 1""".split("\n")
LEFT = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 37, 41, 42, 43, 44, 45, 46, 53, 56, 57, 61, 62}


def statements():
    yield "create table t (a int)"
    yield "create table e (id int primary key)"
    yield "create table d (id int primary key, e int references e deferrable initially immediate)"
    yield "create procedure p(i int) language plpgsql as $$ begin insert into t values (i); commit; insert into t values (i + 1); rollback; end $$"
    for i, s in enumerate(STRINGS):
        yield s
        if i in LEFT:
            yield "select array_agg(a order by a) from t"
        if s.startswith(("create table w", "set ")):
            yield "select to_regclass('w'), current_setting('work_mem')"
