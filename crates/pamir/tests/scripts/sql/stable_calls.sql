# What stable functions see that PL/pgSQL calls in expressions.
> create table users(login text, id serial)
CREATE TABLE

> create function id_of(a text) returns int language plpgsql stable as $$ declare x int; begin select into x id from users where login = a; if found then return x; end if; return 0; end $$
CREATE FUNCTION

> insert into users values ('user1')
INSERT 0 1

> create function add_user(a text) returns int language plpgsql as $$ declare n int; begin n = id_of(a); if n > 0 then return -1; end if; insert into users(login) values (a); n = id_of(a); if n = 0 then return -2; end if; return n; end $$
CREATE FUNCTION

> select add_user('user1'), add_user('user2')
add_user:int4 | add_user:int4
-1 | 2
SELECT 1

> select add_user('user2'), add_user('user3')
add_user:int4 | add_user:int4
-1 | 3
SELECT 1

> create function added(a text) returns int language plpgsql as $$ begin insert into users(login) values (a); return id_of(a) + 100; end $$
CREATE FUNCTION

> select added('x'), added('y')
added:int4 | added:int4
104 | 105
SELECT 1

> create function count_users() returns bigint language sql stable as 'select count(*) from users'
CREATE FUNCTION

> do $$ begin insert into users(login) values ('z'); if count_users() <> 6 then raise exception 'not seen: %', count_users(); end if; raise notice '% users', count_users(); end $$
NOTICE 00000: 6 users
DO

> create function looks() returns bigint language plpgsql stable as $$ declare n bigint; begin n := count_users(); return n; end $$
CREATE FUNCTION

> insert into users(login) select 'l' || looks() from generate_series(1, 2)
INSERT 0 2

> select login from users where login like 'l%'
login:text
l6
l6
SELECT 2

> do $$ begin return 1; end $$
ERROR 42804: RETURN cannot have a parameter in function returning void

