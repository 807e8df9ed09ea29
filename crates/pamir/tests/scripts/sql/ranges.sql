# Ranges and multiranges: text, constructors, operators, functions, aggregates, keys.

> select int4range(1, 5), '[1,5]'::int4range, '(1,5)'::int8range, '[2024-01-01,2024-01-31]'::daterange
int4range:int4range | int4range:int4range | int8range:int8range | daterange:daterange
[1,5) | [1,6) | [2,5) | [2024-01-01,2024-02-01)
SELECT 1

> select numrange(1.5, 2.50, '[]'), numrange(null, 3), numrange(3, null, '(]'), numrange(2, 2), 'empty'::numrange
numrange:numrange | numrange:numrange | numrange:numrange | numrange:numrange | numrange:numrange
[1.5,2.50] | (,3) | (3,) | empty | empty
SELECT 1

> select '["2024-01-01 00:00:00",infinity)'::tsrange, ' [ 1 , 5 ) '::int4range
tsrange:tsrange | int4range:int4range
["2024-01-01 00:00:00",infinity) | [1,5)
SELECT 1

> select int4range(5, 1)
ERROR 22000: range lower bound must be less than or equal to range upper bound

> select int4range(1, 2, null)
ERROR 22000: range constructor flags argument must not be null

> select int4range(1, 2, '[')
ERROR 42601: invalid range bound flags
HINT: Valid values are "[]", "[)", "(]", and "()".

> select '[1,2'::int4range
ERROR 22P02: malformed range literal: "[1,2"
DETAIL: Unexpected end of input.

> select '1,2)'::int4range
ERROR 22P02: malformed range literal: "1,2)"
DETAIL: Missing left parenthesis or bracket.

> select '[1;2)'::int4range
ERROR 22P02: malformed range literal: "[1;2)"
DETAIL: Missing comma after lower bound.

> select '[1,2,3)'::int4range
ERROR 22P02: malformed range literal: "[1,2,3)"
DETAIL: Too many commas.

> select '[1,2) x'::int4range
ERROR 22P02: malformed range literal: "[1,2) x"
DETAIL: Junk after right parenthesis or bracket.

> select 'empty x'::int4range
ERROR 22P02: malformed range literal: "empty x"
DETAIL: Junk after "empty" key word.

> select '[a,2)'::int4range
ERROR 22P02: invalid input syntax for type integer: "a"

> select '[1,2147483647]'::int4range
ERROR 22003: integer out of range

> select '{[1,3),[2,6),[8,9]}'::int4multirange, '{}'::nummultirange, '{empty, [1,1]}'::int4multirange
int4multirange:int4multirange | nummultirange:nummultirange | int4multirange:int4multirange
{[1,6),[8,10)} | {} | {[1,2)}
SELECT 1

> select '{[1,2)'::int4multirange
ERROR 22P02: malformed multirange literal: "{[1,2)"
DETAIL: Unexpected end of input.

> select '[1,2)}'::int4multirange
ERROR 22P02: malformed multirange literal: "[1,2)}"
DETAIL: Missing left brace.

> select '{[1,2) [3,4)}'::int4multirange
ERROR 22P02: malformed multirange literal: "{[1,2) [3,4)}"
DETAIL: Expected comma or end of multirange.

> select '{[1,2),}'::int4multirange
ERROR 22P02: malformed multirange literal: "{[1,2),}"
DETAIL: Expected range start.

> select '{[1,2)} x'::int4multirange
ERROR 22P02: malformed multirange literal: "{[1,2)} x"
DETAIL: Junk after closing right brace.

> select int4multirange(), int4multirange(int4range(1, 3)), int4multirange(int4range(1, 3), int4range(3, 5), int4range(9, 10)), multirange(numrange(1, 2))
int4multirange:int4multirange | int4multirange:int4multirange | int4multirange:int4multirange | multirange:nummultirange
{} | {[1,3)} | {[1,5),[9,10)} | {[1,2)}
SELECT 1

> select int4multirange(null::int4range), int4multirange(int4range(1, 2), null)
ERROR 22004: multirange values cannot contain null members

> select int4range(1, 5) @> 3, int4range(1, 5) @> int4range(2, 4), 3 <@ int4range(1, 5), int4range(1, 5) && int4range(4, 9), int4range(1, 5) -|- int4range(5, 9)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | t
SELECT 1

> select int4range(1, 5) << int4range(5, 9), int4range(1, 5) >> int4range(5, 9), int4range(1, 5) &< int4range(3, 9), int4range(1, 5) &> int4range(0, 9)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> select int4range(1, 5) + int4range(5, 9), int4range(1, 5) * int4range(3, 9), int4range(1, 5) - int4range(3, 9)
?column?:int4range | ?column?:int4range | ?column?:int4range
[1,9) | [3,5) | [1,3)
SELECT 1

> select int4range(1, 5) + int4range(7, 9)
ERROR 22000: result of range union would not be contiguous

> select int4range(1, 9) - int4range(3, 5)
ERROR 22000: result of range difference would not be contiguous

> select int4range(1, 5) @> '3'
ERROR 22P02: malformed range literal: "3"
DETAIL: Missing left parenthesis or bracket.

> select int4range(1, 5) @> 3.5
ERROR 42883: operator does not exist: int4range @> numeric
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select range_merge(int4range(1, 2), int4range(8, 9)), range_merge('{[1,2),[8,9)}'::int4multirange)
range_merge:int4range | range_merge:int4range
[1,9) | [1,9)
SELECT 1

> select lower(r), upper(r), isempty(r), lower_inc(r), upper_inc(r), lower_inf(r), upper_inf(r) from (values (int4range(1, 5)), ('empty'), ('(,3]'), (null)) v(r)
lower:int4 | upper:int4 | isempty:bool | lower_inc:bool | upper_inc:bool | lower_inf:bool | upper_inf:bool
1 | 5 | f | t | f | f | f
NULL | NULL | t | f | f | f | f
NULL | 4 | f | f | f | t | f
NULL | NULL | NULL | NULL | NULL | NULL | NULL
SELECT 4

> select lower(m), upper(m), isempty(m), lower_inc(m), upper_inc(m), lower_inf(m), upper_inf(m) from (values ('{[1,5),[7,9)}'::int4multirange), ('{}'), ('{(,3]}')) v(m)
lower:int4 | upper:int4 | isempty:bool | lower_inc:bool | upper_inc:bool | lower_inf:bool | upper_inf:bool
1 | 9 | f | t | f | f | f
NULL | NULL | t | f | f | f | f
NULL | 4 | f | f | f | t | f
SELECT 3

> select '{[1,5),[7,9)}'::int4multirange + '{[5,7)}'::int4multirange, '{[1,9)}'::int4multirange - '{[2,3),[5,6)}'::int4multirange, '{[1,5),[7,9)}'::int4multirange * '{[4,8)}'::int4multirange
?column?:int4multirange | ?column?:int4multirange | ?column?:int4multirange
{[1,9)} | {[1,2),[3,5),[6,9)} | {[4,5),[7,8)}
SELECT 1

> select * from unnest('{[1,5),[7,9)}'::int4multirange) u
u:int4range
[1,5)
[7,9)
SELECT 2

> select range_agg(r), range_intersect_agg(r) from (values (int4range(1, 5)), (int4range(3, 8)), (null), (int4range(20, 30))) v(r)
range_agg:int4multirange | range_intersect_agg:int4range
{[1,8),[20,30)} | empty
SELECT 1

> select range_agg(m), range_intersect_agg(m) from (values ('{[1,5),[7,9)}'::int4multirange), ('{[3,8)}')) v(m)
range_agg:int4multirange | range_intersect_agg:int4multirange
{[1,9)} | {[3,5),[7,8)}
SELECT 1

> select range_agg(r) from (values (null::int4range)) v(r)
range_agg:int4multirange
NULL
SELECT 1

> create table booked (room int, during tsrange, primary key (room, during))
CREATE TABLE

> insert into booked values (1, '[2024-01-01 10:00,2024-01-01 12:00)'), (1, '[2024-01-01 12:00,2024-01-01 13:00)'), (2, '(,2024-01-01 00:00)'), (2, 'empty')
INSERT 0 4

> insert into booked values (1, '[2024-01-01 10:00,2024-01-01 12:00)')
ERROR 23505: duplicate key value violates unique constraint "booked_pkey"
DETAIL: Key (room, during)=(1, ["2024-01-01 10:00:00","2024-01-01 12:00:00")) already exists.

> select * from booked order by during, room
room:int4 | during:tsrange
2 | empty
2 | (,"2024-01-01 00:00:00")
1 | ["2024-01-01 10:00:00","2024-01-01 12:00:00")
1 | ["2024-01-01 12:00:00","2024-01-01 13:00:00")
SELECT 4

> select * from booked where during = '[2024-01-01 12:00,2024-01-01 13:00)'
room:int4 | during:tsrange
1 | ["2024-01-01 12:00:00","2024-01-01 13:00:00")
SELECT 1

> select room, count(*) from booked where during && tsrange('2024-01-01 11:00', '2024-01-01 12:30') group by room
room:int4 | count:int8
1 | 2
SELECT 1

> create table spans (id int primary key, r int4range unique, n numrange default numrange(0, 1), m int4multirange)
CREATE TABLE

> insert into spans select i, int4range(i, i + 3), numrange(i, i + 1.50, '[]'), int4multirange(int4range(i, i + 2), int4range(i + 5, i + 6)) from generate_series(1, 5) i
INSERT 0 5

> insert into spans (id, r) values (6, 'empty'), (7, '(,)')
INSERT 0 2

> select * from spans order by r desc
id:int4 | r:int4range | n:numrange | m:int4multirange
5 | [5,8) | [5,6.50] | {[5,7),[10,11)}
4 | [4,7) | [4,5.50] | {[4,6),[9,10)}
3 | [3,6) | [3,4.50] | {[3,5),[8,9)}
2 | [2,5) | [2,3.50] | {[2,4),[7,8)}
1 | [1,4) | [1,2.50] | {[1,3),[6,7)}
7 | (,) | [0,1) | NULL
6 | empty | [0,1) | NULL
SELECT 7

> select distinct r from spans where r < int4range(3, 9) order by r
r:int4range
empty
(,)
[1,4)
[2,5)
[3,6)
SELECT 5

> select a.id, b.id from spans a join spans b on a.r = b.r where a.n is not null order by 1
id:int4 | id:int4
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5
6 | 6
7 | 7
SELECT 7

> create index on spans (n)
CREATE INDEX

> create index on spans (m)
CREATE INDEX

> select id from spans where n = '[2,3.5]' or m = '{[1,3),[6,7)}' order by id
id:int4
1
2
SELECT 2

> select id from spans where 4 <@ r order by id
id:int4
2
3
4
7
SELECT 4

> select array_agg(r order by r), min(id) from spans where id < 4
array_agg:_int4range | min:int4
{"[1,4)","[2,5)","[3,6)"} | 1
SELECT 1

> select '{"[1,2)",NULL}'::int4range[], array[int4range(1, 2)] || int4range(4, 5)
int4range:_int4range | ?column?:_int4range
{"[1,2)",NULL} | {"[1,2)","[4,5)"}
SELECT 1

> select pg_typeof(multirange(int4range(1, 2))), pg_typeof(lower(int8range(1, 2))), pg_typeof(range_agg(d)) from (values (daterange('2024-01-01', null))) v(d)
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
int4multirange | bigint | datemultirange
SELECT 1

> select int4range(1, 3)::text, '[1,3)'::text::int4range, int4range(1, 3)::int4multirange, int4range(1, 3)::numrange
ERROR 42846: cannot cast type int4range to numrange

> select format_type('int4range'::regtype, null), 'int4multirange[]'::regtype, to_json(int4range(1, 3)), to_jsonb('{[1,3)}'::int4multirange)
format_type:text | regtype:regtype | to_json:json | to_jsonb:jsonb
int4range | int4multirange[] | "[1,3)" | "{[1,3)}"
SELECT 1

> select r.rngtypid::regtype, r.rngsubtype::regtype, r.rngmultitypid::regtype, rngcanonical, rngsubdiff from pg_range r order by 1
rngtypid:regtype | rngsubtype:regtype | rngmultitypid:regtype | rngcanonical:regproc | rngsubdiff:regproc
int4range | integer | int4multirange | int4range_canonical | int4range_subdiff
numrange | numeric | nummultirange | - | numrange_subdiff
tsrange | timestamp without time zone | tsmultirange | - | tsrange_subdiff
tstzrange | timestamp with time zone | tstzmultirange | - | tstzrange_subdiff
daterange | date | datemultirange | daterange_canonical | daterange_subdiff
int8range | bigint | int8multirange | int8range_canonical | int8range_subdiff
SELECT 6

> select int4range(1, 3) = int8range(1, 3)
ERROR 42883: operator does not exist: int4range = int8range
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select case when true then int4range(1, 2) else int8range(1, 2) end
ERROR 42846: CASE/WHEN could not convert type int4range to int8range

> drop table booked, spans
DROP TABLE
