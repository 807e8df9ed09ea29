# Set operations in parentheses where an expression is due, lengths and precisions of array elements, columns of checks.
> create table q(a int, b int)
CREATE TABLE

> insert into q values (1,2),(2,3),(3,3)
INSERT 0 3

> select * from q where a in ((select a from q where a>1) union (select a from q where a = 1)) order by 1
a:int4 | b:int4
1 | 2
2 | 3
3 | 3
SELECT 3

> select * from q where a in ((select a from q where a>1)) order by 1
a:int4 | b:int4
2 | 3
3 | 3
SELECT 2

> select * from q where a in (((select a from q where a>1)) union all select 1) order by 1
a:int4 | b:int4
1 | 2
2 | 3
3 | 3
SELECT 3

> select * from q where exists ((select a from q where a>1) union (select a from q where a = 1)) order by 1
a:int4 | b:int4
1 | 2
2 | 3
3 | 3
SELECT 3

> select ((select a from q where a=1) union (select 1))
a:int4
1
SELECT 1

> select array((select a from q where a=1) union (select 1))
array:_int4
{1}
SELECT 1

> select * from ((select a from q) union (select 5)) x order by 1
a:int4
1
2
3
5
SELECT 4

> select * from (((select a from q) union (select 5)) except select 2) x order by 1
a:int4
1
3
5
SELECT 3

> select * from q where a = any ((select a from q where a>1) union (select a from q where a = 1)) order by 1
a:int4 | b:int4
1 | 2
2 | 3
3 | 3
SELECT 3

> select * from q where (a,b) in ((select a,b from q where a>1) intersect (select a,b from q)) order by 1
a:int4 | b:int4
2 | 3
3 | 3
SELECT 2

> select * from q where a not in ((select a from q where a>1) except (select a from q where a = 3)) order by 1
a:int4 | b:int4
1 | 2
3 | 3
SELECT 2

> with x as ((select 1 as a) union (select 2)) select * from x
a:int4
1
2
SELECT 2

> insert into q ((select 7,7) union (select 8,8)) returning *
a:int4 | b:int4
7 | 7
8 | 8
INSERT 0 2

> create table ck (a int check (a > 0), b int, check (a < b), check (1 = 1), constraint z check (b is not null and a is not null))
CREATE TABLE

> select conname, conkey from pg_constraint where conrelid='ck'::regclass order by 1
conname:name | conkey:_int2
ck_a_check | {1}
ck_check | {1,2}
ck_check1 | NULL
z | {2,1}
SELECT 4

> create table al (v varchar(10)[], w varchar(5)[][])
CREATE TABLE

> insert into al values ('{abcdefgh}', '{{abc}}')
INSERT 0 1

> alter table al alter v type varchar(4)[]
ERROR 22001: value too long for type character varying(4)

> alter table al alter w type varchar(2)[]
ERROR 22001: value too long for type character varying(2)

> select '{abcdef}'::varchar(3)[], '{1.256}'::numeric(4,1)[], '{ab}'::char(4)[], array['abcdef']::varchar(2)[]
varchar:_varchar | numeric:_numeric | bpchar:_bpchar | array:_varchar
{abc} | {1.3} | {"ab  "} | {ab}
SELECT 1

> insert into al values ('{abcdefghijkl}', '{}')
ERROR 22001: value too long for type character varying(10)

> update al set w = array['abcdefg']
ERROR 22001: value too long for type character varying(5)

> insert into al values (array['abcdefghijkl'], '{}')
ERROR 22001: value too long for type character varying(10)

> select atttypmod from pg_attribute where attrelid='al'::regclass and attnum>0
atttypmod:int4
14
9
SELECT 2

> drop table q, ck, al
DROP TABLE

> create table el (a varchar(3)[], n numeric(3,1)[], c char(2)[], t timestamp(0)[])
CREATE TABLE

> insert into el values (array['abc  ', 'de'], array[1.25, 99.94], '{a,b}', array['2020-01-01 00:00:00.7'::timestamp])
INSERT 0 1

> select * from el
a:_varchar | n:_numeric | c:_bpchar | t:_timestamp
{abc,de} | {1.3,99.9} | {"a ","b "} | {"2020-01-01 00:00:01"}
SELECT 1

> insert into el (n) values (array[99.96])
ERROR 22003: numeric field overflow
DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

> insert into el (a) select array['abcd']
ERROR 22001: value too long for type character varying(3)

> update el set c = array['abc']
ERROR 22001: value too long for type character(2)

> select array[[1.26,2.24],[3,null]]::numeric(2,1)[], '{{abc,de},{f,"g  "}}'::char(2)[]
array:_numeric | bpchar:_bpchar
{{1.3,2.2},{3.0,NULL}} | {{ab,de},{"f ","g "}}
SELECT 1

> select pg_typeof(a[1]), a[1]::varchar(1) from el
pg_typeof:regtype | a:varchar
character varying | a
SELECT 1

> drop table el
DROP TABLE
