# INSERT, UPDATE, DELETE, ON CONFLICT, RETURNING, COPY-free data changes, PREPARE, EXPLAIN.
> create table t (id int primary key, a int, b text default 'dft', n numeric(6,2), u uuid, j jsonb, ts timestamptz)
CREATE TABLE

> create table s (id int, v text)
CREATE TABLE

> insert into s values (1, 'one'), (2, 'two'), (5, 'five')
INSERT 0 3

> insert into t (id, a) values (1, 10), (2, 20), (3, null) returning id, a, b
id:int4 | a:int4 | b:text
1 | 10 | dft
2 | 20 | dft
3 | NULL | dft
INSERT 0 3

> insert into t values (4)
INSERT 0 1

> insert into t values (5, '50', 5, '1.239', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"k": [1, 2]}', '2020-01-01 12:00+02') returning *
id:int4 | a:int4 | b:text | n:numeric | u:uuid | j:jsonb | ts:timestamptz
5 | 50 | 5 | 1.24 | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | {"k": [1, 2]} | 2020-01-01 10:00:00+00
INSERT 0 1

> insert into t values (5)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(5) already exists.

> insert into t (id, a) select id + 100, length(v) from s returning id, a
id:int4 | a:int4
101 | 3
102 | 3
105 | 4
INSERT 0 3

> insert into t (id, a) values (1, 11) on conflict do nothing
INSERT 0 0

> insert into t (id, a) values (1, 11) on conflict (id) do update set a = excluded.a, b = t.b || '!' returning *
id:int4 | a:int4 | b:text | n:numeric | u:uuid | j:jsonb | ts:timestamptz
1 | 11 | dft! | NULL | NULL | NULL | NULL
INSERT 0 1

> insert into t (id, a) values (1, 12) on conflict (id) do update set a = excluded.a where t.a > 100 returning id
id:int4
INSERT 0 0

> insert into t as x (id, a) values (1, 13), (50, 1) on conflict (id) do update set a = x.a + excluded.a returning id, a
id:int4 | a:int4
1 | 24
50 | 1
INSERT 0 2

> insert into t (id, a) values (60, 1), (60, 2) on conflict (id) do update set a = excluded.a
ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

> insert into t (id, a) values (60, 1), (60, 2) on conflict (id) do nothing
INSERT 0 1

> select id, a from t where id = 60
id:int4 | a:int4
60 | 1
SELECT 1

> insert into t (id, a) values ('x', 1)
ERROR 22P02: invalid input syntax for type integer: "x"

> insert into t (id, n) values (70, 99999)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 6, scale 2 must round to an absolute value less than 10^4.

> insert into t (id, u) values (70, 'nope')
ERROR 22P02: invalid input syntax for type uuid: "nope"

> insert into t (id, j) values (70, '{bad')
ERROR 22P02: invalid input syntax for type json
DETAIL: Token "bad" is invalid.

> insert into t (id, ts) values (70, 'yesterday-ish')
ERROR 22007: invalid input syntax for type timestamp with time zone: "yesterday-ish"

> insert into t (id, a) values (70, 1.5) returning a
a:int4
2
INSERT 0 1

> insert into t (id, a) values (71, 2.5) returning a
a:int4
3
INSERT 0 1

> insert into t (id, a) values (72, true)
ERROR 42804: column "a" is of type integer but expression is of type boolean
HINT: You will need to rewrite or cast the expression.

> insert into t (id, b) values (73, 1) returning b
b:text
1
INSERT 0 1

> insert into t (id, a) values (74, '1.5')
ERROR 22P02: invalid input syntax for type integer: "1.5"

> insert into t (id, a) values (75, 3000000000)
ERROR 22003: integer out of range

> insert into t (id) values (null)
ERROR 23502: null value in column "id" of relation "t" violates not-null constraint
DETAIL: Failing row contains (null, null, dft, null, null, null, null).

> insert into t (id, a) values (76, (select max(id) from s)), (77, default) returning a
a:int4
5
NULL
INSERT 0 2

> insert into t (id) select id from s where id = 1
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> insert into nosuch values (1)
ERROR 42P01: relation "nosuch" does not exist

> update t set a = a + 1, b = 'u' where id in (1, 2) returning id, a, b
id:int4 | a:int4 | b:text
1 | 25 | u
2 | 21 | u
UPDATE 2

> update t set a = s.id * 1000 from s where s.id = t.id returning t.id, t.a, s.v
id:int4 | a:int4 | v:text
1 | 1000 | one
2 | 2000 | two
5 | 5000 | five
UPDATE 3

> update t set (a, b) = (7, 'seven') where id = 4 returning a, b
a:int4 | b:text
7 | seven
UPDATE 1

> update t set (a, b) = (select id, v from s where s.id = 2) where id = 4 returning a, b
a:int4 | b:text
2 | two
UPDATE 1

> update t set a = default, b = default where id = 4 returning a, b
a:int4 | b:text
NULL | dft
UPDATE 1

> update t x set a = 1 where x.id = 3 returning x.a
a:int4
1
UPDATE 1

> update t set id = 2 where id = 3
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(2) already exists.

> update t set id = id + 1000 where id > 100 returning id
id:int4
1101
1102
1105
UPDATE 3

> update t set a = a / 0 where id = 1
ERROR 22012: division by zero

> update t set a = a / 0 where id = -1
UPDATE 0

> update t set nosuch = 1
ERROR 42703: column "nosuch" of relation "t" does not exist

> update t set t.a = 1
ERROR 42703: column "t" of relation "t" does not exist

> update t set a = 1, a = 2
ERROR 42601: multiple assignments to same column "a"

> update t set a = 'x'
ERROR 22P02: invalid input syntax for type integer: "x"

> update t set a = (select id from s)
ERROR 21000: more than one row returned by a subquery used as an expression

> update nosuch set a = 1
ERROR 42P01: relation "nosuch" does not exist

> update t set a = null where id = 4 returning a is null
?column?:bool
t
UPDATE 1

> update t set n = n * 1.5 where n is not null returning n
n:numeric
1.86
UPDATE 1

> update t set j = j || '{"z": 1}' where j is not null returning j
j:jsonb
{"k": [1, 2], "z": 1}
UPDATE 1

> update t set j = jsonb_set(j, '{k,0}', '9') where j is not null returning j->'k', j->>'z', j #>> '{k,1}'
?column?:jsonb | ?column?:text | ?column?:text
[9, 2] | 1 | 2
UPDATE 1

> delete from t using s where s.id = t.id and s.v = 'two' returning t.id, s.v
id:int4 | v:text
2 | two
DELETE 1

> delete from t where id > 1000 returning id
id:int4
1101
1102
1105
DELETE 3

> delete from t where nosuch = 1
ERROR 42703: column "nosuch" does not exist

> delete from nosuch
ERROR 42P01: relation "nosuch" does not exist

> delete from t where id = (select id from s)
ERROR 21000: more than one row returned by a subquery used as an expression

> with moved as (delete from t where id = 60 returning *) insert into s select id, b from moved returning *
id:int4 | v:text
60 | dft
INSERT 0 1

> with x as (insert into s values (9, 'nine') returning id), y as (update s set v = upper(v) where id = 1 returning id) select * from x union all select * from y order by 1
id:int4
1
9
SELECT 2

> select * from s order by id
id:int4 | v:text
1 | ONE
2 | two
5 | five
9 | nine
60 | dft
SELECT 5

> with v(k, w) as (values (1, 'uno'), (77, 'new')) insert into s select * from v
INSERT 0 2

> begin
BEGIN

> insert into s values (1000, 'x')
INSERT 0 1

> savepoint p
SAVEPOINT

> insert into s values (1/0, 'x')
ERROR 22012: division by zero

> select 1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> rollback to p
ROLLBACK

> insert into s values (1001, 'y')
INSERT 0 1

> release p
RELEASE

> release p
ERROR 3B001: savepoint "p" does not exist

> commit
ROLLBACK

> select count(*) from s where id >= 1000
count:int8
0
SELECT 1

> commit
WARNING 25P01: there is no transaction in progress
COMMIT

> rollback
WARNING 25P01: there is no transaction in progress
ROLLBACK

> prepare p1 (int) as select id, v from s where id = $1
PREPARE

> execute p1(5)
id:int4 | v:text
5 | five
SELECT 1

> execute p1('5')
id:int4 | v:text
5 | five
SELECT 1

> execute p1
ERROR 42601: wrong number of parameters for prepared statement "p1"
DETAIL: Expected 1 parameters but got 0.

> execute p1(1, 2)
ERROR 42601: wrong number of parameters for prepared statement "p1"
DETAIL: Expected 1 parameters but got 2.

> execute p1('x')
ERROR 22P02: invalid input syntax for type integer: "x"

> prepare p1 as select 1
ERROR 42P05: prepared statement "p1" already exists

> prepare p2 as insert into s values ($1, $2) returning *
PREPARE

> execute p2(500, 'prep')
id:int4 | v:text
500 | prep
INSERT 0 1

> execute nosuch
ERROR 26000: prepared statement "nosuch" does not exist

> deallocate p1
DEALLOCATE

> execute p1(5)
ERROR 26000: prepared statement "p1" does not exist

> deallocate all
DEALLOCATE ALL






> explain (format nosuch) select 1
ERROR 22023: unrecognized value for EXPLAIN option "format": "nosuch"

> explain (nosuch) select 1
ERROR 42601: unrecognized EXPLAIN option "nosuch"

> truncate s
TRUNCATE TABLE

> select count(*) from s
count:int8
0
SELECT 1

> truncate t, s restart identity
TRUNCATE TABLE

> truncate nosuch
ERROR 42P01: relation "nosuch" does not exist

> set statement_timeout = '5s'
SET

> show statement_timeout
statement_timeout:text
5s
SHOW

> set statement_timeout = 'x'
ERROR 22023: invalid value for parameter "statement_timeout": "x"

> set nosuch.param = 'v'
SET

> show nosuch.param
nosuch.param:text
v
SHOW

> set nosuch = 1
ERROR 42704: unrecognized configuration parameter "nosuch"

> reset nosuch
ERROR 42704: unrecognized configuration parameter "nosuch"

> set local work_mem = '1MB'
WARNING 25P01: SET LOCAL can only be used in transaction blocks
SET

> show transaction_isolation
transaction_isolation:text
read committed
SHOW

> set transaction isolation level serializable
WARNING 25P01: SET TRANSACTION can only be used in transaction blocks
SET

> begin isolation level repeatable read read only
BEGIN

> show transaction_isolation
transaction_isolation:text
repeatable read
SHOW

> insert into s values (1, 'ro')
ERROR 25006: cannot execute INSERT in a read-only transaction

> rollback
ROLLBACK

> select current_setting('nosuch')
current_setting:text
ERROR 42704: unrecognized configuration parameter "nosuch"

> select current_setting('nosuch', true)
current_setting:text
NULL
SELECT 1

> select set_config('application_name', 'me', false), current_setting('application_name')
set_config:text | current_setting:text
me | me
SELECT 1

> select version() like 'PostgreSQL 15%', current_database() like 'golden%', current_schema(), current_user = session_user
?column?:bool | ?column?:bool | current_schema:name | ?column?:bool
t | t | public | t
SELECT 1

> drop table t, s
DROP TABLE

