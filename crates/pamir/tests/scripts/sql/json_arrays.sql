# json, jsonb, arrays, uuid, types.
> select '{"a": 1, "b": [1, 2]}'::json, '{"b": 1, "a": 2, "a": 3}'::jsonb, '[1, "x", null, true]'::jsonb
json:json | jsonb:jsonb | jsonb:jsonb
{"a": 1, "b": [1, 2]} | {"a": 3, "b": 1} | [1, "x", null, true]
SELECT 1

> select '{bad}'::json
ERROR 22P02: invalid input syntax for type json
DETAIL: Token "bad" is invalid.

> select '{"a": }'::jsonb
ERROR 22P02: invalid input syntax for type json
DETAIL: Expected JSON value, but found "}".

> select ''::json
ERROR 22P02: invalid input syntax for type json
DETAIL: The input string ended unexpectedly.

> select '{"a": {"b": 5}}'::json -> 'a' -> 'b', '{"a": {"b": 5}}'::json ->> 'a', '[10, 20]'::json -> 1, '[10, 20]'::jsonb ->> -1
?column?:json | ?column?:text | ?column?:json | ?column?:text
5 | {"b": 5} | 20 | 20
SELECT 1

> select '{"a": {"b": 5}}'::jsonb #> '{a,b}', '{"a": {"b": 5}}'::jsonb #>> '{a,b}'
?column?:jsonb | ?column?:text
5 | 5
SELECT 1

> select '{"a": 1}'::jsonb @> '{"a": 1}', '{"a": 1}'::jsonb ? 'a', '{"a": 1}'::jsonb ?| array['x', 'a'], '{"a": 1}'::jsonb ?& array['a', 'b']
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | f
SELECT 1

> select '{"a": 1}'::jsonb || '{"b": 2}', '{"a": 1, "b": 2}'::jsonb - 'a', '[1, 2]'::jsonb - 0
?column?:jsonb | ?column?:jsonb | ?column?:jsonb
{"a": 1, "b": 2} | {"b": 2} | [2]
SELECT 1

> select '{"a": 1}'::jsonb = '{"a": 1.0}', '1'::jsonb < '2'::jsonb
?column?:bool | ?column?:bool
t | t
SELECT 1

> select jsonb_set('{"a": 1}', '{a}', '2'), jsonb_pretty('{"a": 1}')
jsonb_set:jsonb | jsonb_pretty:text
{"a": 2} | {\n    "a": 1\n}
SELECT 1

> select json_build_object('a', 1, 'b', 'x'), json_build_array(1, 'x', null), to_json('x'::text), to_jsonb(1.5)
json_build_object:json | json_build_array:json | to_json:json | to_jsonb:jsonb
{"a" : 1, "b" : "x"} | [1, "x", null] | "x" | 1.5
SELECT 1

> select json_typeof('[1]'), jsonb_typeof('"x"'), json_array_length('[1, 2]'), jsonb_array_length('[]')
json_typeof:text | jsonb_typeof:text | json_array_length:int4 | jsonb_array_length:int4
array | string | 2 | 0
SELECT 1

> select * from json_each('{"a": 1, "b": "x"}')
key:text | value:json
a | 1
b | "x"
SELECT 2

> select * from jsonb_each_text('{"a": 1, "b": "x"}')
key:text | value:text
a | 1
b | x
SELECT 2

> select * from json_array_elements('[1, 2]')
value:json
1
2
SELECT 2

> select * from jsonb_array_elements_text('["a", "b"]')
value:text
a
b
SELECT 2

> select json_object_keys('{"a": 1, "b": 2}')
json_object_keys:text
a
b
SELECT 2

> select json_extract_path('{"a": {"b": 1}}', 'a', 'b'), jsonb_extract_path_text('{"a": "x"}', 'a')
json_extract_path:json | jsonb_extract_path_text:text
1 | x
SELECT 1

> select row_to_json(row(1, 'x')), row_to_json(t) from (select 1 as a, 'x' as b) t
row_to_json:json | row_to_json:json
{"f1":1,"f2":"x"} | {"a":1,"b":"x"}
SELECT 1

> select array_length(array[1, 2, 3], 1), array_upper(array[1, 2], 1), array_ndims(array[[1], [2]]), cardinality(array[[1, 2], [3, 4]]), array_dims(array[[1, 2]])
array_length:int4 | array_upper:int4 | array_ndims:int4 | cardinality:int4 | array_dims:text
3 | 2 | 2 | 4 | [1:1][1:2]
SELECT 1

> select array_append(array[1], 2), array_prepend(0, array[1]), array_cat(array[1], array[2]), array[1] || 2, array[1] || array[2]
array_append:_int4 | array_prepend:_int4 | array_cat:_int4 | ?column?:_int4 | ?column?:_int4
{1,2} | {0,1} | {1,2} | {1,2} | {1,2}
SELECT 1

> select array_position(array['a', 'b'], 'b'), array_remove(array[1, 2, 1], 1), array_replace(array[1, 2], 2, 3), array_fill(0, array[2])
array_position:int4 | array_remove:_int4 | array_replace:_int4 | array_fill:_int4
2 | {2} | {1,3} | {0,0}
SELECT 1

> select array[1, 2] @> array[1], array[1] <@ array[1, 2], array[1] && array[2], array[1, 2] = array[1, 2], array[1, 2] < array[1, 3]
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | f | t | t
SELECT 1

> select unnest(array[1, 2]), unnest(array['a', 'b'])
unnest:int4 | unnest:text
1 | a
2 | b
SELECT 2

> select * from unnest(array[1, 2], array['x']) as t(a, b)
a:int4 | b:text
1 | x
2 | NULL
SELECT 2

> select * from unnest(array['a', 'b']) with ordinality
unnest:text | ordinality:int8
a | 1
b | 2
SELECT 2

> select array[1, 2][1], (array[[1, 2], [3, 4]])[2][1], (array[1, 2, 3])[2:3]
ERROR 42601: syntax error at or near "["

> select '{1,2}'::int[] || '{3}', '{"a,b", "c\"d"}'::text[], '{}'::int[], '[2:3]={1,2}'::int[]
?column?:_int4 | text:_text | int4:_int4 | int4:_int4
{1,2,3} | {"a,b","c\"d"} | {} | [2:3]={1,2}
SELECT 1

> select '{1,2'::int[]
ERROR 22P02: malformed array literal: "{1,2"
DETAIL: Unexpected end of input.

> select array[1, 'x']
ERROR 22P02: invalid input syntax for type integer: "x"

> select array[[1], [2, 3]]
ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

> select array_to_string(array[1, 2], '-'), array(select generate_series(1, 3))
array_to_string:text | array:_int4
1-2 | {1,2,3}
SELECT 1

> select 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 'A0EEBC999C0B4EF8BB6D6BB9BD380A11'::uuid, gen_random_uuid() is not null
uuid:uuid | uuid:uuid | ?column?:bool
a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | t
SELECT 1

> select 'xyz'::uuid
ERROR 22P02: invalid input syntax for type uuid: "xyz"

> create table j (id int primary key, d jsonb, a int[], u uuid)
CREATE TABLE

> insert into j values (1, '{"k": 1}', '{1,2,3}', '00000000-0000-0000-0000-000000000001'), (2, '{"k": 2}', null, null)
INSERT 0 2

> select d -> 'k' from j order by id
?column?:jsonb
1
2
SELECT 2

> select id from j where d ->> 'k' = '2'
id:int4
2
SELECT 1

> select id from j where 2 = any (a)
id:int4
1
SELECT 1

> update j set d = d || '{"z": 1}' where id = 1 returning d
d:jsonb
{"k": 1, "z": 1}
UPDATE 1

> select d, a, u from j order by id
d:jsonb | a:_int4 | u:uuid
{"k": 1, "z": 1} | {1,2,3} | 00000000-0000-0000-0000-000000000001
{"k": 2} | NULL | NULL
SELECT 2

> select a[1], a[2:3] from j where id = 1
a:int4 | a:_int4
1 | {2,3}
SELECT 1

> select jsonb_array_elements(d) from j
jsonb_array_elements:jsonb
ERROR 22023: cannot extract elements from an object

> create table ty (b bool, s int2, i int4, l int8, r float4, d float8, n numeric(8, 3), t text, v varchar(10), c char(4), y bytea, da date, ti time, ts timestamp, tz timestamptz, iv interval, u uuid, j json, jb jsonb, o oid)
CREATE TABLE

> insert into ty values (true, 1, 2, 3, 1.5, 2.5, 3.14159, 'text', 'var', 'ch', '\x00ff', '2020-01-02', '03:04:05', '2020-01-02 03:04:05', '2020-01-02 03:04:05+00', '1 day 02:03:04', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a":1}', '{"a":1}', 42)
INSERT 0 1

> select * from ty
b:bool | s:int2 | i:int4 | l:int8 | r:float4 | d:float8 | n:numeric | t:text | v:varchar | c:bpchar | y:bytea | da:date | ti:time | ts:timestamp | tz:timestamptz | iv:interval | u:uuid | j:json | jb:jsonb | o:oid
t | 1 | 2 | 3 | 1.5 | 2.5 | 3.142 | text | var | ch   | \x00ff | 2020-01-02 | 03:04:05 | 2020-01-02 03:04:05 | 2020-01-02 03:04:05+00 | 1 day 02:03:04 | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | {"a":1} | {"a": 1} | 42
SELECT 1

> insert into ty (b) values (null)
INSERT 0 1

> select count(*) from ty where b
count:int8
1
SELECT 1

> select b, s + i + l, r + d, n * 2, t || v, c || '|', length(y), da + 1, ti + interval '1 hour', ts + iv, tz - iv from ty where b
b:bool | ?column?:int8 | ?column?:float8 | ?column?:numeric | ?column?:text | ?column?:text | length:int4 | ?column?:date | ?column?:time | ?column?:timestamp | ?column?:timestamptz
t | 6 | 4 | 6.284 | textvar | ch| | 2 | 2020-01-03 | 04:04:05 | 2020-01-03 05:07:09 | 2020-01-01 01:01:01+00
SELECT 1

> select * from ty where u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
b:bool | s:int2 | i:int4 | l:int8 | r:float4 | d:float8 | n:numeric | t:text | v:varchar | c:bpchar | y:bytea | da:date | ti:time | ts:timestamp | tz:timestamptz | iv:interval | u:uuid | j:json | jb:jsonb | o:oid
t | 1 | 2 | 3 | 1.5 | 2.5 | 3.142 | text | var | ch   | \x00ff | 2020-01-02 | 03:04:05 | 2020-01-02 03:04:05 | 2020-01-02 03:04:05+00 | 1 day 02:03:04 | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | {"a":1} | {"a": 1} | 42
SELECT 1

> select i::text, l::int, n::int, d::numeric, t::varchar(2), da::timestamp, ts::date, b::text, b::int from ty where b
i:text | l:int4 | n:int4 | d:numeric | t:varchar | da:timestamp | ts:date | b:text | b:int4
2 | 3 | 3 | 2.5 | te | 2020-01-02 00:00:00 | 2020-01-02 | true | 1
SELECT 1

> update ty set s = 40000
ERROR 22003: smallint out of range

> update ty set v = 'much too long for this'
ERROR 22001: value too long for type character varying(10)

> update ty set n = 123456.789
ERROR 22003: numeric field overflow
DETAIL: A field with precision 8, scale 3 must round to an absolute value less than 10^5.

> select true = 't', 't'::bool, not true, true > false, true::text
?column?:bool | bool:bool | ?column?:bool | ?column?:bool | text:text
t | t | f | t | true
SELECT 1

> select '1'::oid, 4294967295::oid, -1::oid, 'pg_class'::regclass, 'int4'::regtype, 23::regtype
ERROR 42883: operator does not exist: - oid
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.

> select 'nosuch'::regclass
ERROR 42P01: relation "nosuch" does not exist

> select 'nosuch'::regtype
ERROR 42704: type "nosuch" does not exist

> select 'a'::"char", 'abc'::name, null::int
char:char | name:name | int4:int4
a | abc | NULL
SELECT 1

