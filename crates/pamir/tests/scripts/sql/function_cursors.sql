# Cursors of functions and the client: one namespace; EXPLAIN, COPY and transactions within PL/pgSQL.
> create table t(id int primary key, note text)
CREATE TABLE
> insert into t select i, 'n' || i from generate_series(1,6) i
INSERT 0 6
> create function oc(name refcursor, n int) returns refcursor language plpgsql as $$
> begin
>   open name for select id, note from t where id <= n order by id;
>   return name;
> end $$
CREATE FUNCTION
> begin
BEGIN
> select oc('c1', 4)
oc:refcursor
c1
SELECT 1
> fetch 2 from c1
id:int4 | note:text
1 | n1
2 | n2
FETCH 2
> fetch all in c1
id:int4 | note:text
3 | n3
4 | n4
FETCH 2
> fetch backward 2 from c1
id:int4 | note:text
4 | n4
3 | n3
FETCH 2
> fetch absolute 1 from c1
id:int4 | note:text
1 | n1
FETCH 1
> fetch relative 1 from c1
id:int4 | note:text
2 | n2
FETCH 1
> fetch last from c1
id:int4 | note:text
4 | n4
FETCH 1
> move backward all in c1
MOVE 3
> fetch next from c1
id:int4 | note:text
1 | n1
FETCH 1
> fetch prior from c1
id:int4 | note:text
FETCH 0
> move 2 in c1
MOVE 2
> select name, statement, is_holdable from pg_cursors where name = 'c1'
name:text | statement:text | is_holdable:bool
c1 | select id, note from t where id <= n order by id | f
SELECT 1
> declare c1 cursor for select 1
ERROR 42P03: cursor "c1" already exists
> rollback
ROLLBACK
> begin
BEGIN
> select oc('c1', 4)
oc:refcursor
c1
SELECT 1
> close c1
CLOSE CURSOR
> fetch 1 from c1
ERROR 34000: cursor "c1" does not exist
> rollback
ROLLBACK
> fetch all from c1
ERROR 34000: cursor "c1" does not exist
> create function unnamed() returns refcursor language plpgsql as $$
> declare r refcursor;
> begin
>   open r for select id from t order by id;
>   return r;
> end $$
CREATE FUNCTION
> begin
BEGIN
> select unnamed()
unnamed:refcursor
<unnamed portal 1>
SELECT 1
> fetch 1 from "<unnamed portal 1>"
id:int4
1
FETCH 1
> commit
COMMIT
> create function two() returns setof refcursor language plpgsql as $$
> declare a refcursor := 'a'; b refcursor := 'b';
> begin
>   open a for execute 'select id from t where id < $1' using 3;
>   return next a;
>   open b for values (1,'x');
>   return next b;
> end $$
CREATE FUNCTION
> begin
BEGIN
> select * from two()
two:refcursor
a
b
SELECT 2
> fetch all from a
id:int4
1
2
FETCH 2
> fetch all from b
column1:int4 | column2:text
1 | x
FETCH 1
> close all
CLOSE CURSOR ALL
> fetch all from a
ERROR 34000: cursor "a" does not exist
> rollback
ROLLBACK
> create function loops() returns text language plpgsql as $$
> declare c cursor (lo int, hi int) for select id from t where id between lo and hi order by id; r record; s text := ''; x int;
> begin
>   for r in c(hi := 3, lo := 2) loop s := s || r.id; end loop;
>   open c(hi := 6, lo := 5);
>   fetch c into x;
>   s := s || '-' || x;
>   move c;
>   fetch c into x;
>   s := s || '-' || coalesce(x::text, 'null') || found;
>   close c;
>   return s;
> end $$
CREATE FUNCTION
> select loops()
loops:text
23-5-nullfalse
SELECT 1
> create function badargs() returns int language plpgsql as $$
> declare c cursor (lo int, hi int) for select 1;
> begin open c(lo := 1, lo := 2); return 1; end $$
ERROR 42601: value for parameter "lo" of cursor "c" specified more than once
> create function badargs() returns int language plpgsql as $$
> declare c cursor (lo int, hi int) for select 1;
> begin open c(lo := 1); return 1; end $$
ERROR 42601: not enough arguments for cursor "c"
> create function badargs() returns int language plpgsql as $$
> declare c cursor (lo int, hi int) for select 1;
> begin open c(lo := 1, nosuch := 2); return 1; end $$
ERROR 42601: cursor "c" has no argument named "nosuch"
> create function badargs() returns int language plpgsql as $$
> declare c cursor (lo int, hi int) for select 1;
> begin open c(1, 2, 3); return 1; end $$
ERROR 42601: too many arguments for cursor "c"
> select pg_typeof(unnamed())
pg_typeof:regtype
refcursor
SELECT 1
> create function inblock() returns text language plpgsql as $$
> declare c refcursor := 'cc'; x int;
> begin
>   begin
>     open c for select 1;
>     raise exception 'x';
>   exception when others then null;
>   end;
>   fetch c into x;
>   return x;
> exception when invalid_cursor_name then return 'gone';
> end $$
CREATE FUNCTION
> select inblock()
inblock:text
gone
SELECT 1
> create function ex() returns setof text language plpgsql as $$
> declare l text;
> begin
>   for l in explain (costs off) select * from t where id = 1 loop
>     return next l;
>   end loop;
>   for l in execute 'explain (costs off) select count(*) from t' loop
>     return next l;
>   end loop;
> end $$
CREATE FUNCTION
> select * from ex()
ex:text
Index Scan using t_pkey on t
  Index Cond: (id = 1)
Aggregate
  ->  Seq Scan on t
SELECT 4
> create function cp() returns void language plpgsql as $$ begin copy t to stdout; end $$
CREATE FUNCTION
> select cp()
cp:void
ERROR 0A000: cannot COPY to/from client in PL/pgSQL
> do $$ begin execute 'copy t from stdin'; end $$
ERROR 0A000: cannot COPY to/from client in PL/pgSQL
> do $$ begin execute 'commit'; end $$
ERROR 0A000: EXECUTE of transaction commands is not implemented
> do $$ begin savepoint x; end $$
ERROR 0A000: unsupported transaction command in PL/pgSQL
> do $$ begin execute 'select 1 into nosuch'; end $$
ERROR 0A000: EXECUTE of SELECT ... INTO is not implemented
HINT: You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead.
> create function tc() returns void language plpgsql as $$ begin commit; end $$
CREATE FUNCTION
> select tc()
tc:void
ERROR 2D000: invalid transaction termination
> create procedure chained() language plpgsql as $$
> begin
>   insert into t values (100, 'a');
>   commit and chain;
>   insert into t values (101, 'b');
>   rollback and chain;
>   insert into t values (102, 'c');
>   raise notice '%', current_setting('transaction_isolation');
> end $$
CREATE PROCEDURE
> call chained()
NOTICE 00000: read committed
CALL
> select id from t where id >= 100 order by id
id:int4
100
102
SELECT 2
> begin isolation level repeatable read
BEGIN
> call chained()
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(100) already exists.
> rollback
ROLLBACK
> create function deep(n int) returns int language plpgsql as $$
> begin
>   if n > 0 then if n > 1 then if n > 2 then if n > 3 then if n > 4 then return 5; end if; return 4; end if; return 3; end if; return 2; end if; return 1; end if;
>   return 0;
> end $$
CREATE FUNCTION
> select deep(0), deep(3), deep(9)
deep:int4 | deep:int4 | deep:int4
0 | 3 | 5
SELECT 1
