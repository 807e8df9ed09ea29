# The SQL/JSON path functions.

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
[1, 2, 3]
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
2
3
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[1 to 2]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
3
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last - 1, 0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
1
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b[5]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is out of bounds

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203A: JSON object does not contain key "x"

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.x', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
"text"
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
[1, 2, 3]
{"d": null, "e": "text"}
true
SELECT 4

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
1
[1, 2, 3]
1
2
3
{"d": null, "e": "text"}
null
"text"
true
SELECT 10

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{1}', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
[1, 2, 3]
{"d": null, "e": "text"}
true
SELECT 4

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
1
2
3
null
"text"
true
SELECT 7

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{1 to 2}', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
[1, 2, 3]
1
2
3
{"d": null, "e": "text"}
null
"text"
true
SELECT 9

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203A: jsonpath member accessor can only be applied to an object

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.a', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22039: jsonpath array accessor can only be applied to an array

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22039: jsonpath wildcard array accessor can only be applied to an array

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.b', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203A: jsonpath member accessor can only be applied to an object

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
3
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
3
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.c.d == null)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? ((exists(@.x)) is unknown)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a > 5', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T" flag "i"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a + 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22038: left operand of jsonpath operator + is not a single numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a / 0', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22012: division by zero

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22038: left operand of jsonpath operator + is not a single numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.b', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
-1
-2
-3
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203B: operand of unary jsonpath operator - is not a numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.b[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
-1
-2
-3
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203B: operand of unary jsonpath operator + is not a numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a % 0', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22012: division by zero

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22039: jsonpath item method .size() can only be applied to an array

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"object"
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"number"
"array"
"object"
"boolean"
SELECT 4

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"array"
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 88, "key": "d", "value": null}
{"id": 88, "key": "e", "value": "text"}
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().value', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
[1, 2, 3]
{"d": null, "e": "text"}
true
SELECT 4

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"a"
"b"
"c"
"f"
SELECT 4

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[$v]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$w', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 42704: could not find jsonpath variable "w"

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ >= $v)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
3
SELECT 2

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}') as r
ERROR 42601: syntax error at or near "&&" of jsonpath input

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e.double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22036: string argument of jsonpath item method .double() is not a valid representation of a double precision number

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.ceiling()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
2
3
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e.abs()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22036: jsonpath item method .abs() can only be applied to a numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is not a single numeric value

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[1.9]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is out of integer range

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1 && @ < 3)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '($.a == 1).type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"boolean"
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"number"
"number"
"number"
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b ? (@.size() > 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
1
1
SELECT 3

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**.d', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '1 + 2', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '"a" == "a"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] == 4', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null == 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'true > false', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
2
SELECT 2

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
"2"
null
true
{"x": 1}
[4, 5]
3.5
SELECT 7

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"number"
"string"
"null"
"boolean"
"object"
"array"
"number"
SELECT 7

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
1
1
1
1
2
1
SELECT 7

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[*].size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22039: jsonpath item method .size() can only be applied to an array

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
4
5
3.5
SELECT 3

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3.5
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[*].x', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203A: jsonpath member accessor can only be applied to an object

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22036: jsonpath item method .double() can only be applied to a string or numeric value

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[1].double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
3
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].ceiling()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
4
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 44, "key": "x", "value": 1}
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ == null)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"2"
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? ((@ > 1) is unknown)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"2"
true
{"x": 1}
SELECT 3

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
5
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5].*', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
[1, "2", null, true, {"x": 1}, [4, 5], 3.5]
1
"2"
null
true
{"x": 1}
1
[4, 5]
4
5
3.5
SELECT 11

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
7
SELECT 1

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
"2"
[4, 5]
3.5
SELECT 4

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[2 to 1]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is out of bounds

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[-1]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is out of bounds

> select jsonb_path_query('"abc"', '$', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"abc"
SELECT 1

> select jsonb_path_query('"abc"', '$[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"abc"
SELECT 1

> select jsonb_path_query('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"abc"
SELECT 1

> select jsonb_path_query('"abc"', '$.a', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
1
SELECT 1

> select jsonb_path_query('"abc"', '$.double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22036: string argument of jsonpath item method .double() is not a valid representation of a double precision number

> select jsonb_path_query('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('"abc"', '$.datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22031: datetime format is not recognized: "abc"
HINT: Use a datetime template argument to specify the input data format.

> select jsonb_path_query('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('"abc"', '$ < "abd"', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
12
SELECT 1

> select jsonb_path_query('12.5', '$.ceiling()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
13
SELECT 1

> select jsonb_path_query('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
12.5
SELECT 1

> select jsonb_path_query('12.5', '-$', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
-12.5
SELECT 1

> select jsonb_path_query('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
12.5
SELECT 1

> select jsonb_path_query('12.5', '$ + 0.5', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
13.0
SELECT 1

> select jsonb_path_query('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
4.1666666666666667
SELECT 1

> select jsonb_path_query('12.5', '$ % 5', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
2.5
SELECT 1

> select jsonb_path_query('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
156.25
SELECT 1

> select jsonb_path_query('12.5', '$.datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22031: jsonpath item method .datetime() can only be applied to a string

> select jsonb_path_query('[]', '$', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
[]
SELECT 1

> select jsonb_path_query('[]', '$[*]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[]', 'strict $[0]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22033: jsonpath array subscript is out of bounds

> select jsonb_path_query('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[]', '$.a', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
0
SELECT 1

> select jsonb_path_query('[]', '$ ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('{}', '$.*', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
SELECT 0

> select jsonb_path_query('{}', '$.**', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{}
SELECT 1

> select jsonb_path_query('{}', 'exists($.*)', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"2017-03-10"
"2017-03-11"
"12:34:56"
"12:34:56+03:00"
"2017-03-10T12:34:56"
"2017-03-10T12:34:56+03:00"
SELECT 6

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime().type()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"date"
"date"
"time without time zone"
"time with time zone"
"timestamp without time zone"
"timestamp with time zone"
SELECT 6

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"2017-03-10"
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-DD-MM")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"2017-10-03"
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22007: input string is too short for datetime format

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22007: trailing characters remain in input string after datetime format

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22007: invalid datetime format separator: "x"

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI:SS")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
"12:34:56"
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22007: trailing characters remain in input string after datetime format

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("TZH")', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 22007: trailing characters remain in input string after datetime format

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
true
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
false
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 0A000: cannot convert value from timestamp to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 0A000: cannot convert value from time to timetz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
null
SELECT 1

> select jsonb_path_query('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 0, "key": "a", "value": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}}
{"id": 0, "key": "bb", "value": [[{"q": {}}]]}
SELECT 2

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 24, "key": "x", "value": 1}
{"id": 24, "key": "y", "value": [{"z": "ab"}, {"z": 1.25}]}
SELECT 2

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 68, "key": "z", "value": "ab"}
{"id": 84, "key": "z", "value": 1.25}
SELECT 2

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.bb[*][*].keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 128, "key": "q", "value": {}}
SELECT 1

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 20000000000, "key": "id", "value": 0}
{"id": 20000000000, "key": "key", "value": "a"}
{"id": 20000000000, "key": "value", "value": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}}
{"id": 60000000000, "key": "id", "value": 0}
{"id": 60000000000, "key": "key", "value": "bb"}
{"id": 60000000000, "key": "value", "value": [[{"q": {}}]]}
SELECT 6

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$v.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select jsonb_path_query('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as r
r:jsonb
{"id": 10000000032, "key": "m", "value": 1}
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}] | {"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true} | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [[1, 2, 3]] | [1, 2, 3] | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[0]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[0]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [3] | 3 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[last]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[last]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[last]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[5]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[5]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[5]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 2203A: JSON object does not contain key "x"

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.x' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.x' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.x', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [null, "text"] | null | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.c.*' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.c.*' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.*', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}, 1, [1, 2, 3], 1, 2, 3, {"d": null, "e": "text"}, null, "text", true] | {"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true} | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.**' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.**' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 1, 2, 3, null, "text", true] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.**{last}' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.**{last}' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.**{last}', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 2203A: jsonpath member accessor can only be applied to an object

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.b.a' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.b.a' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.a', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.a[0]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.a[0]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a[0]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22039: jsonpath wildcard array accessor can only be applied to an array

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.a[*]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.a[*]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a[*]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.a.*' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.a.*' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.*', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 2203A: jsonpath member accessor can only be applied to an object

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.a.b' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.a.b' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.b', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [2, 3] | 2 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[*] ? (@ > 1)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[*] ? (@ > 1)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (@ > 1)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}] | {"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true} | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$ ? (@.a == 1)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$ ? (@.a == 1)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.a == 1)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $ ? (@.b == 2)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $ ? (@.b == 2)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (@.b == 2)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$ ? (@.x == null)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$ ? (@.x == null)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$ ? (@.x == null)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $ ? (exists(@.x))' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $ ? (exists(@.x))' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $ ? (exists(@.x))', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.a == 1' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.a == 1' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a == 1', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.c.e starts with "te"' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.c.e starts with "te"' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e starts with "te"', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [false] | false | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.c.e like_regex "^T"' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.c.e like_regex "^T"' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.e like_regex "^T"', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | f | f
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22038: left operand of jsonpath operator + is not a single numeric value

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b + 1' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b + 1' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b + 1', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22038: left operand of jsonpath operator + is not a single numeric value

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[*] + 1' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[*] + 1' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] + 1', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '-$.c' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '-$.c' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '-$.c', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '+$.c.e' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '+$.c.e' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '+$.c.e', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.size()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.size()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22039: jsonpath item method .size() can only be applied to an array

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.a.size()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.a.size()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.a.size()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["number", "array", "object", "boolean"] | "number" | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.*.type()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.*.type()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.*.type()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 88, "key": "d", "value": null}, {"id": 88, "key": "e", "value": "text"}] | {"id": 88, "key": "d", "value": null} | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.c.keyvalue()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.c.keyvalue()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["a", "b", "c", "f"] | "a" | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.keyvalue().key' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.keyvalue().key' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.keyvalue().key', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.b.keyvalue()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.b.keyvalue()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.b.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [2] | 2 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$v' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$v' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$v', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 42704: could not find jsonpath variable "v"

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.a ? (@ == $v)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.a ? (@ == $v)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a ? (@ == $v)', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 42704: could not find jsonpath variable "v"

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 42601: syntax error at or near "&&" of jsonpath input

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.f && true' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.f && true' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.f && true', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 42601: syntax error at or near "&&" of jsonpath input

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.a.double()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.a.double()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a.double()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 2, 3] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b.abs()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b.abs()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b.abs()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22033: jsonpath array subscript is not a single numeric value

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b["a"]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b["a"]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b["a"]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22033: jsonpath array subscript is out of integer range

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[99999999999]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[99999999999]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[99999999999]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[*] ? (!(@ > 1))' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[*] ? (!(@ > 1))' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*] ? (!(@ > 1))', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["number", "number", "number"] | "number" | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[*].type()' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[*].type()' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[*].type()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 1, 1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.** ? (@ == 1)' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.** ? (@ == 1)' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.** ? (@ == 1)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [null] | null | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'strict $.**.d' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'strict $.**.d' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'strict $.**.d', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.a * 2 - 1' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.a * 2 - 1' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.a * 2 - 1', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b == $.b' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b == $.b' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b == $.b', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [null] | null | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.c == $.c' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.c == $.c' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.c == $.c', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? 'null != 1' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ 'null != 1' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', 'null != 1', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 2] | 1 | t
SELECT 1

> select '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @? '$.b[0 to $.a]' as e, '{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}'::jsonb @@ '$.b[0 to $.a]' as m, jsonb_path_match('{"a": 1, "b": [1, 2, 3], "c": {"d": null, "e": "text"}, "f": true}', '$.b[0 to $.a]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, "2", null, true, {"x": 1}, [4, 5], 3.5] | 1 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*]' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*]' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 1, 1, 1, 1, 2, 1] | 1 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*].size()' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*].size()' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].size()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [4, 5, 3.5] | 4 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*] ? (@ > 2)' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*] ? (@ > 2)' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ > 2)', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*].x' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*].x' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].x', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, 2] | 1 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*].double()' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*].double()' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*].double()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [3] | 3 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[6].floor()' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[6].floor()' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[6].floor()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 44, "key": "x", "value": 1}] | {"id": 44, "key": "x", "value": 1} | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[4].keyvalue()' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[4].keyvalue()' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[4].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["2"] | "2" | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[*] ? (@ like_regex "2")' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[*] ? (@ like_regex "2")' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[*] ? (@ like_regex "2")', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [5] | 5 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[5][1]' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[5][1]' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[5][1]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [[1, "2", null, true, {"x": 1}, [4, 5], 3.5], 1, "2", null, true, {"x": 1}, 1, [4, 5], 4, 5, 3.5] | [1, "2", null, true, {"x": 1}, [4, 5], 3.5] | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$.**' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$.**' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1, "2", [4, 5], 3.5] | 1 | t
SELECT 1

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? '$[0 to 1, 5 to last]' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ '$[0 to 1, 5 to last]' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', '$[0 to 1, 5 to last]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22033: jsonpath array subscript is out of bounds

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? 'strict $[2 to 1]' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ 'strict $[2 to 1]' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[2 to 1]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22033: jsonpath array subscript is out of bounds

> select '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @? 'strict $[-1]' as e, '[1, "2", null, true, {"x": 1}, [4, 5], 3.5]'::jsonb @@ 'strict $[-1]' as m, jsonb_path_match('[1, "2", null, true, {"x": 1}, [4, 5], 3.5]', 'strict $[-1]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('"abc"', '$', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('"abc"', '$', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('"abc"', '$', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('"abc"', '$', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["abc"] | "abc" | t
SELECT 1

> select '"abc"'::jsonb @? '$' as e, '"abc"'::jsonb @@ '$' as m, jsonb_path_match('"abc"', '$', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["abc"] | "abc" | t
SELECT 1

> select '"abc"'::jsonb @? '$[*]' as e, '"abc"'::jsonb @@ '$[*]' as m, jsonb_path_match('"abc"', '$[*]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [1] | 1 | t
SELECT 1

> select '"abc"'::jsonb @? '$.size()' as e, '"abc"'::jsonb @@ '$.size()' as m, jsonb_path_match('"abc"', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '"abc"'::jsonb @? '$ starts with "ab"' as e, '"abc"'::jsonb @@ '$ starts with "ab"' as m, jsonb_path_match('"abc"', '$ starts with "ab"', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '"abc"'::jsonb @? '$ == "abc"' as e, '"abc"'::jsonb @@ '$ == "abc"' as m, jsonb_path_match('"abc"', '$ == "abc"', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [12] | 12 | t
SELECT 1

> select '12.5'::jsonb @? '$.floor()' as e, '12.5'::jsonb @@ '$.floor()' as m, jsonb_path_match('12.5', '$.floor()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [12.5] | 12.5 | t
SELECT 1

> select '12.5'::jsonb @? '$.abs()' as e, '12.5'::jsonb @@ '$.abs()' as m, jsonb_path_match('12.5', '$.abs()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [12.5] | 12.5 | t
SELECT 1

> select '12.5'::jsonb @? '$.double()' as e, '12.5'::jsonb @@ '$.double()' as m, jsonb_path_match('12.5', '$.double()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [4.1666666666666667] | 4.1666666666666667 | t
SELECT 1

> select '12.5'::jsonb @? '$ / 3' as e, '12.5'::jsonb @@ '$ / 3' as m, jsonb_path_match('12.5', '$ / 3', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [156.25] | 156.25 | t
SELECT 1

> select '12.5'::jsonb @? '$ * $' as e, '12.5'::jsonb @@ '$ * $' as m, jsonb_path_match('12.5', '$ * $', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[]', '$', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[]', '$', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[]', '$', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[]', '$', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [[]] | [] | t
SELECT 1

> select '[]'::jsonb @? '$' as e, '[]'::jsonb @@ '$' as m, jsonb_path_match('[]', '$', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '[]'::jsonb @? '$[0]' as e, '[]'::jsonb @@ '$[0]' as m, jsonb_path_match('[]', '$[0]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '[]'::jsonb @? '$[last]' as e, '[]'::jsonb @@ '$[last]' as m, jsonb_path_match('[]', '$[last]', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [0] | 0 | t
SELECT 1

> select '[]'::jsonb @? '$.size()' as e, '[]'::jsonb @@ '$.size()' as m, jsonb_path_match('[]', '$.size()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [false] | false | t
SELECT 1

> select '[]'::jsonb @? 'exists($[*])' as e, '[]'::jsonb @@ 'exists($[*])' as m, jsonb_path_match('[]', 'exists($[*])', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | f | f
SELECT 1

> select jsonb_path_exists('{}', '$.*', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{}', '$.*', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{}', '$.*', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{}', '$.*', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
f | [] | NULL | f
SELECT 1

> select '{}'::jsonb @? '$.*' as e, '{}'::jsonb @@ '$.*' as m, jsonb_path_match('{}', '$.*', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
f | NULL | NULL
SELECT 1

> select jsonb_path_exists('{}', '$.**', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{}] | {} | t
SELECT 1

> select '{}'::jsonb @? '$.**' as e, '{}'::jsonb @@ '$.**' as m, jsonb_path_match('{}', '$.**', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03:00", "2017-03-10T12:34:56", "2017-03-10T12:34:56+03:00"] | "2017-03-10" | t
SELECT 1

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[*].datetime()' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[*].datetime()' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | ["2017-03-10"] | "2017-03-10" | t
SELECT 1

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[0].datetime("YYYY-MM-DD")' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[0].datetime("YYYY-MM-DD")' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD")', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22007: input string is too short for datetime format

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[0].datetime("YYYY-MM-DD HH24")' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[0].datetime("YYYY-MM-DD HH24")' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("YYYY-MM-DD HH24")', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22007: invalid datetime format separator: "x"

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[0].datetime("x")' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[0].datetime("x")' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime("x")', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 22007: invalid datetime format separator: "x"

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 22007: trailing characters remain in input string after datetime format

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[2].datetime("HH24:MI")' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[2].datetime("HH24:MI")' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime("HH24:MI")', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
NULL | NULL | NULL
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [true] | true | t
SELECT 1

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[0].datetime() < $[1].datetime()' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[0].datetime() < $[1].datetime()' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | t | t
SELECT 1

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[0].datetime() < $[5].datetime()' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[0].datetime() < $[5].datetime()' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 0A000: cannot convert value from time to timetz without time zone usage
HINT: Use *_tz() function for time zone support.

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[2].datetime() == $[3].datetime()' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[2].datetime() == $[3].datetime()' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 0A000: cannot convert value from time to timetz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}', true) as s
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @? '$[*].datetime() ? (@ > "2017-03-10".datetime())' as e, '["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]'::jsonb @@ '$[*].datetime() ? (@ > "2017-03-10".datetime())' as m, jsonb_path_match('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 0A000: cannot convert value from date to timestamptz without time zone usage
HINT: Use *_tz() function for time zone support.

> select jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 0, "key": "a", "value": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}}, {"id": 0, "key": "bb", "value": [[{"q": {}}]]}] | {"id": 0, "key": "a", "value": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}} | t
SELECT 1

> select '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @? '$.keyvalue()' as e, '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @@ '$.keyvalue()' as m, jsonb_path_match('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 68, "key": "z", "value": "ab"}, {"id": 84, "key": "z", "value": 1.25}] | {"id": 68, "key": "z", "value": "ab"} | t
SELECT 1

> select '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @? '$.a.y[*].keyvalue()' as e, '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @@ '$.a.y[*].keyvalue()' as m, jsonb_path_match('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.a.y[*].keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [0, 0, 24, 24] | 0 | t
SELECT 1

> select '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @? '$.**.keyvalue().id' as e, '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @@ '$.**.keyvalue().id' as m, jsonb_path_match('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.**.keyvalue().id', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 20000000048, "key": "x", "value": 1}, {"id": 20000000048, "key": "y", "value": [{"z": "ab"}, {"z": 1.25}]}] | {"id": 20000000048, "key": "x", "value": 1} | t
SELECT 1

> select '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @? '$.keyvalue().value.keyvalue()' as e, '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @@ '$.keyvalue().value.keyvalue()' as m, jsonb_path_match('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$.keyvalue().value.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
e:bool | m:bool | t:bool
t | NULL | NULL
SELECT 1

> select jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}') as e, jsonb_path_query_array('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as a, jsonb_path_query_first('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as f, jsonb_path_exists('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as s
e:bool | a:jsonb | f:jsonb | s:bool
t | [{"id": 10000000032, "key": "m", "value": 1}] | {"id": 10000000032, "key": "m", "value": 1} | t
SELECT 1

> select '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @? '$vv.keyvalue()' as e, '{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}'::jsonb @@ '$vv.keyvalue()' as m, jsonb_path_match('{"a": {"x": 1, "y": [{"z": "ab"}, {"z": 1.25}]}, "bb": [[{"q": {}}]]}', '$vv.keyvalue()', '{"v": 2, "vv": {"m": 1}}', true) as t
ERROR 42704: could not find jsonpath variable "vv"

> select jsonb_path_match('1', '$ == 1'), jsonb_path_match('1', '$ == "x"')
jsonb_path_match:bool | jsonb_path_match:bool
t | NULL
SELECT 1

> select jsonb_path_match('1', '$')
ERROR 22038: single boolean result is expected

> select jsonb_path_query('1', '$', '[1]')
jsonb_path_query:jsonb
ERROR 22023: "vars" argument is not an object
DETAIL: Jsonpath parameters should be encoded as key-value pairs of "vars" object.

> select jsonb_path_query('1', '$', '1', true)
jsonb_path_query:jsonb
ERROR 22023: "vars" argument is not an object
DETAIL: Jsonpath parameters should be encoded as key-value pairs of "vars" object.

> set timezone = 'Europe/Berlin'
SET

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
true | t | [true] | true
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[1].datetime()', '{}', true) as m
m:bool
t
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
false | t | [false] | false
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() == $[4].datetime()', '{}', true) as m
m:bool
f
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
true | t | [true] | true
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[5].datetime()', '{}', true) as m
m:bool
t
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
false | t | [false] | false
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[4].datetime() < $[5].datetime()', '{}', true) as m
m:bool
f
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
false | t | [false] | false
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[2].datetime() == $[3].datetime()', '{}', true) as m
m:bool
f
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
null | t | [null] | null
SELECT 1

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[0].datetime() < $[2].datetime()', '{}', true) as m
m:bool
NULL
SELECT 1

> select jsonb_path_query_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())') as r, jsonb_path_exists_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())') as e, jsonb_path_query_array_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())') as a, jsonb_path_query_first_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())') as f
r:jsonb | e:bool | a:jsonb | f:jsonb
"2017-03-11" | t | ["2017-03-11", "2017-03-10T12:34:56", "2017-03-10T12:34:56+03:00"] | "2017-03-11"
"2017-03-10T12:34:56" | t | ["2017-03-11", "2017-03-10T12:34:56", "2017-03-10T12:34:56+03:00"] | "2017-03-11"
"2017-03-10T12:34:56+03:00" | t | ["2017-03-11", "2017-03-10T12:34:56", "2017-03-10T12:34:56+03:00"] | "2017-03-11"
SELECT 3

> select jsonb_path_match_tz('["2017-03-10", "2017-03-11", "12:34:56", "12:34:56+03", "2017-03-10 12:34:56", "2017-03-10T12:34:56+03:00"]', '$[*].datetime() ? (@ > "2017-03-10".datetime())', '{}', true) as m
m:bool
NULL
SELECT 1

> reset timezone
RESET

> create table jpt(id int primary key, j jsonb)
CREATE TABLE

> insert into jpt select i, jsonb_build_object('n', i, 'tags', jsonb_build_array('t' || i % 3, i)) from generate_series(1, 20) i
INSERT 0 20

> select id from jpt where j @? '$.tags[*] ? (@ == "t1")' order by id
id:int4
1
4
7
10
13
16
19
SELECT 7

> select id from jpt where j @@ '$.n > 17' order by id
id:int4
18
19
20
SELECT 3

> select id, x from jpt, jsonb_path_query(j, '$.tags[*] ? (@ > 15)') x order by id
id:int4 | x:jsonb
16 | 16
17 | 17
18 | 18
19 | 19
20 | 20
SELECT 5

> select id, jsonb_path_query(j, '$.tags.size()') from jpt where id < 4 order by id
id:int4 | jsonb_path_query:jsonb
1 | 2
2 | 2
3 | 2
SELECT 3

> prepare q(jsonpath) as select count(*) from jpt where j @? $1
PREPARE

> execute q('$ ? (@.n > 10)')
count:int8
10
SELECT 1

> create view jpv as select id from jpt where jsonb_path_exists(j, '$.n ? (@ == 3)')
CREATE VIEW

> select pg_get_viewdef('jpv')
pg_get_viewdef:text
 SELECT jpt.id\n   FROM jpt\n  WHERE jsonb_path_exists(jpt.j, '$."n"?(@ == 3)'::jsonpath);
SELECT 1

> select * from jpv
id:int4
3
SELECT 1

> drop view jpv
DROP VIEW

> drop table jpt
DROP TABLE

> select jsonb_path_exists('1'::text, '$')
ERROR 42883: function jsonb_path_exists(text, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
