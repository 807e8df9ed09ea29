# Paths of jsonb with NULLs: only steps that are reached count.
> select jsonb_set('{}', '{a,NULL,"b c"}', '1', true), jsonb_set('{"a":{}}', '{a,NULL}', '1')
ERROR 22004: path element at position 2 is null

> select jsonb_set('{"a":{}}', '{a,NULL}', '1')
ERROR 22004: path element at position 2 is null

> select jsonb_set('{"a":1}', '{a,NULL}', '1')
ERROR 22004: path element at position 2 is null

> select jsonb_set('{"a":1}', '{NULL}', '1')
ERROR 22004: path element at position 1 is null

> select '{"a":1}'::jsonb #- '{a,NULL}'
ERROR 22004: path element at position 2 is null

> select '{"b":1}'::jsonb #- '{a,NULL}'
?column?:jsonb
{"b": 1}
SELECT 1

> select jsonb_insert('{"a":[1]}', '{b,NULL}', '1'), jsonb_insert('{"a":[1]}', '{a,0}', '5')
jsonb_insert:jsonb | jsonb_insert:jsonb
{"a": [1]} | {"a": [5, 1]}
SELECT 1

> select jsonb_set('[1,[2]]', '{1,NULL}', '3')
ERROR 22004: path element at position 2 is null

> select jsonb_set('[1,[2]]', '{5,NULL}', '3')
jsonb_set:jsonb
[1, [2]]
SELECT 1
