# jsonpath: input and output.

> select '$'::jsonpath as p
p:jsonpath
$
SELECT 1

> select 'strict $'::jsonpath as p
p:jsonpath
strict $
SELECT 1

> select 'lax $'::jsonpath as p
p:jsonpath
$
SELECT 1

> select '$.a'::jsonpath as p
p:jsonpath
$."a"
SELECT 1

> select '$.a.b'::jsonpath as p
p:jsonpath
$."a"."b"
SELECT 1

> select '$."a b".c'::jsonpath as p
p:jsonpath
$."a b"."c"
SELECT 1

> select '$.a[*]'::jsonpath as p
p:jsonpath
$."a"[*]
SELECT 1

> select '$[0]'::jsonpath as p
p:jsonpath
$[0]
SELECT 1

> select '$[0, 2 to last]'::jsonpath as p
p:jsonpath
$[0,2 to last]
SELECT 1

> select '$[last]'::jsonpath as p
p:jsonpath
$[last]
SELECT 1

> select '$[*].a'::jsonpath as p
p:jsonpath
$[*]."a"
SELECT 1

> select '$.*'::jsonpath as p
p:jsonpath
$.*
SELECT 1

> select '$.**'::jsonpath as p
p:jsonpath
$.**
SELECT 1

> select '$.**{2}'::jsonpath as p
p:jsonpath
$.**{2}
SELECT 1

> select '$.**{2 to 5}'::jsonpath as p
p:jsonpath
$.**{2 to 5}
SELECT 1

> select '$.**{last}'::jsonpath as p
p:jsonpath
$.**{last}
SELECT 1

> select '$.**{1 to last}'::jsonpath as p
p:jsonpath
$.**{1 to last}
SELECT 1

> select '$.**{last to 3}'::jsonpath as p
p:jsonpath
$.**{last to 3}
SELECT 1

> select '$.a ? (@.b > 1)'::jsonpath as p
p:jsonpath
$."a"?(@."b" > 1)
SELECT 1

> select '$ ? (@.a == 1 && @.b != 2)'::jsonpath as p
p:jsonpath
$?(@."a" == 1 && @."b" != 2)
SELECT 1

> select '$ ? (@.a <> 1)'::jsonpath as p
p:jsonpath
$?(@."a" != 1)
SELECT 1

> select '$ ? (!(@.a == 1))'::jsonpath as p
p:jsonpath
$?(!(@."a" == 1))
SELECT 1

> select '$ ? (exists(@.a))'::jsonpath as p
p:jsonpath
$?(exists (@."a"))
SELECT 1

> select '$ ? ((@.a == 1) is unknown)'::jsonpath as p
p:jsonpath
$?((@."a" == 1) is unknown)
SELECT 1

> select '$ ? (@ starts with "a")'::jsonpath as p
p:jsonpath
$?(@ starts with "a")
SELECT 1

> select '$ ? (@ starts with $v)'::jsonpath as p
p:jsonpath
$?(@ starts with $"v")
SELECT 1

> select '$ ? (@ like_regex "^a" flag "i")'::jsonpath as p
p:jsonpath
$?(@ like_regex "^a" flag "i")
SELECT 1

> select '$ ? (@ like_regex "a.b" flag "sq")'::jsonpath as p
p:jsonpath
$?(@ like_regex "a.b" flag "sq")
SELECT 1

> select '1'::jsonpath as p
p:jsonpath
1
SELECT 1

> select '1.50'::jsonpath as p
p:jsonpath
1.50
SELECT 1

> select '-1'::jsonpath as p
p:jsonpath
-1
SELECT 1

> select '+1'::jsonpath as p
p:jsonpath
1
SELECT 1

> select '-$.a'::jsonpath as p
p:jsonpath
(-$."a")
SELECT 1

> select '1 + 2 * 3'::jsonpath as p
p:jsonpath
(1 + 2 * 3)
SELECT 1

> select '(1 + 2) * 3'::jsonpath as p
p:jsonpath
((1 + 2) * 3)
SELECT 1

> select '1 - 2 - 3'::jsonpath as p
p:jsonpath
((1 - 2) - 3)
SELECT 1

> select '1 - (2 - 3)'::jsonpath as p
p:jsonpath
(1 - (2 - 3))
SELECT 1

> select '-(1 + 2)'::jsonpath as p
p:jsonpath
(-(1 + 2))
SELECT 1

> select '$.a + -$.b'::jsonpath as p
p:jsonpath
($."a" + -$."b")
SELECT 1

> select '$.a / 2 % 3'::jsonpath as p
p:jsonpath
(($."a" / 2) % 3)
SELECT 1

> select 'null'::jsonpath as p
p:jsonpath
null
SELECT 1

> select 'true'::jsonpath as p
p:jsonpath
true
SELECT 1

> select '"x\ty\u0041"'::jsonpath as p
p:jsonpath
"x\tyA"
SELECT 1

> select '$v'::jsonpath as p
p:jsonpath
$"v"
SELECT 1

> select '$"v w"'::jsonpath as p
p:jsonpath
$"v w"
SELECT 1

> select '$.type()'::jsonpath as p
p:jsonpath
$.type()
SELECT 1

> select '$.a.size().double()'::jsonpath as p
p:jsonpath
$."a".size().double()
SELECT 1

> select '(1).type()'::jsonpath as p
p:jsonpath
(1).type()
SELECT 1

> select '(1 + 2).type()'::jsonpath as p
p:jsonpath
(1 + 2).type()
SELECT 1

> select '(-1).type()'::jsonpath as p
p:jsonpath
(-1).type()
SELECT 1

> select '(($.a == 1)).type()'::jsonpath as p
p:jsonpath
($."a" == 1).type()
SELECT 1

> select '$.datetime()'::jsonpath as p
p:jsonpath
$.datetime()
SELECT 1

> select '$.datetime("YYYY-MM-DD")'::jsonpath as p
p:jsonpath
$.datetime("YYYY-MM-DD")
SELECT 1

> select '$.keyvalue().key'::jsonpath as p
p:jsonpath
$.keyvalue()."key"
SELECT 1

> select '$.TYPE'::jsonpath as p
p:jsonpath
$."TYPE"
SELECT 1

> select '$.type'::jsonpath as p
p:jsonpath
$."type"
SELECT 1

> select '$.a.last.to'::jsonpath as p
p:jsonpath
$."a"."last"."to"
SELECT 1

> select 'exists($.a)'::jsonpath as p
p:jsonpath
exists ($."a")
SELECT 1

> select '$.a == 1 || $.b == 2 && $.c == 3'::jsonpath as p
p:jsonpath
($."a" == 1 || $."b" == 2 && $."c" == 3)
SELECT 1

> select '($.a == 1 || $.b == 2) && $.c == 3'::jsonpath as p
p:jsonpath
(($."a" == 1 || $."b" == 2) && $."c" == 3)
SELECT 1

> select '!exists($.a)'::jsonpath as p
p:jsonpath
!(exists ($."a"))
SELECT 1

> select '1.e3'::jsonpath as p
p:jsonpath
1000
SELECT 1

> select '.5'::jsonpath as p
p:jsonpath
0.5
SELECT 1

> select '1e-3'::jsonpath as p
p:jsonpath
0.001
SELECT 1

> select '0755'::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '$.a/*c*/.b'::jsonpath as p
ERROR 42601: syntax error at or near "." of jsonpath input

> select '$ /* x */'::jsonpath as p
p:jsonpath
$
SELECT 1

> select '@'::jsonpath as p
ERROR 42601: @ is not allowed in root expressions

> select 'last'::jsonpath as p
ERROR 42601: LAST is allowed only in array subscripts

> select '$[@]'::jsonpath as p
ERROR 42601: @ is not allowed in root expressions

> select '$ ? (last > 1)'::jsonpath as p
ERROR 42601: LAST is allowed only in array subscripts

> select '$ a'::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '$.a b'::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '$.a &&'::jsonpath as p
ERROR 42601: syntax error at or near "&&" of jsonpath input

> select '"abc'::jsonpath as p
ERROR 42601: unexpected end of quoted string at end of jsonpath input

> select '1a'::jsonpath as p
ERROR 42601: trailing junk after numeric literal at or near "1a" of jsonpath input

> select '1.type()'::jsonpath as p
ERROR 42601: trailing junk after numeric literal at or near "1.t" of jsonpath input

> select '(1==1)+1'::jsonpath as p
ERROR 42601: syntax error at or near "+" of jsonpath input

> select '1 == 1 == 1'::jsonpath as p
ERROR 42601: syntax error at or near "==" of jsonpath input

> select '$.a == 1 && $.b'::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '!($.a)'::jsonpath as p
ERROR 42601: syntax error at or near ")" of jsonpath input

> select '!$.a'::jsonpath as p
ERROR 42601: syntax error at or near "$" of jsonpath input

> select '$['::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '$.'::jsonpath as p
ERROR 42601: syntax error at end of jsonpath input

> select '$..a'::jsonpath as p
ERROR 42601: syntax error at or near "." of jsonpath input

> select '$.a('::jsonpath as p
ERROR 42601: syntax error at or near "(" of jsonpath input

> select '$.foo()'::jsonpath as p
ERROR 42601: syntax error at or near "(" of jsonpath input

> select '$.**{-1}'::jsonpath as p
ERROR 42601: syntax error at or near "-" of jsonpath input

> select '$.**{99999999999}'::jsonpath as p
ERROR 22003: value "99999999999" is out of range for type integer

> select '$ ? (@ like_regex "a" flag "x")'::jsonpath as p
ERROR 0A000: XQuery "x" flag (expanded regular expressions) is not implemented

> select '$ ? (@ like_regex "a" flag "z")'::jsonpath as p
ERROR 42601: invalid input syntax for type jsonpath
DETAIL: Unrecognized flag character "z" in LIKE_REGEX predicate.

> select '$.a\'::jsonpath as p
ERROR 42601: unexpected end after backslash at or near "\" of jsonpath input

> select '$.\u0061b'::jsonpath as p
p:jsonpath
$."ab"
SELECT 1

> select '"\u12"'::jsonpath as p
ERROR 42601: invalid unicode sequence at or near "\u12" of jsonpath input

> select '"\x4"'::jsonpath as p
ERROR 42601: invalid hex character sequence at or near "\x4" of jsonpath input

> select '"\x41"'::jsonpath as p
p:jsonpath
"A"
SELECT 1

> select '"\ud83d\ude00"'::jsonpath as p
p:jsonpath
"😀"
SELECT 1

> select '"\ud83d"'::jsonpath as p
ERROR 22P02: invalid input syntax for type jsonpath
DETAIL: Unicode low surrogate must follow a high surrogate.

> select ''::jsonpath as p
ERROR 22P02: invalid input syntax for type jsonpath: ""

> select pg_typeof('$'::jsonpath), '$.a'::jsonpath::text, array['$.a'::jsonpath]
pg_typeof:regtype | text:text | array:_jsonpath
jsonpath | $."a" | {"$.\"a\""}
SELECT 1

> create temp table jp(p jsonpath)
CREATE TABLE

> insert into jp values ('$.a'), ('strict $[*] ? (@ > 2)')
INSERT 0 2

> select * from jp
p:jsonpath
$."a"
strict $[*]?(@ > 2)
SELECT 2

> select distinct p from jp
ERROR 42883: could not identify an equality operator for type jsonpath

> select p from jp order by p
ERROR 42883: could not identify an ordering operator for type jsonpath
HINT: Use an explicit ordering operator or modify the query.

> create index on jp(p)
ERROR 42704: data type jsonpath has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> select '$'::jsonpath = '$'::jsonpath
ERROR 42883: operator does not exist: jsonpath = jsonpath
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> drop table jp
DROP TABLE

> select '$ ? (@ like_regex "(")'::jsonpath as p
ERROR 2201B: invalid regular expression: parentheses () not balanced
