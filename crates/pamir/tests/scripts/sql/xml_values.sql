# xml: in tables, arrays, composites, COPY, views, PL/pgSQL, XMLTABLE.

> create table t (id int primary key, x xml, xs xml[], d xml default xmlelement(name foo, xmlattributes(1 as a), 'b', xmlforest(2 as c)), check (x is document), check (xmlexists('/a' passing x)))
CREATE TABLE

> insert into t(id, x, xs) values (1, '<a/>', array[xml '<b/>', 'c'])
INSERT 0 1

> insert into t(id, x) values (2, 'foo')
ERROR 23514: new row for relation "t" violates check constraint "t_x_check"
DETAIL: Failing row contains (2, foo, null, <foo a="1">b<c>2</c></foo>).

> insert into t(id, x) values (3, '<b/>')
ERROR 23514: new row for relation "t" violates check constraint "t_x_check1"
DETAIL: Failing row contains (3, <b/>, null, <foo a="1">b<c>2</c></foo>).

> insert into t(id, x) values (4, '<?xml version="1.0" encoding="utf-8"?>
> <a>x</a>')
INSERT 0 1

> select * from t
id:int4 | x:xml | xs:_xml | d:xml
1 | <a/> | {<b/>,c} | <foo a="1">b<c>2</c></foo>
4 | <a>x</a> | NULL | <foo a="1">b<c>2</c></foo>
SELECT 2

> select id, x::text, xs::text, length(x::text) from t order by id
id:int4 | x:text | xs:text | length:int4
1 | <a/> | {<b/>,c} | 4
4 | <?xml version="1.0" encoding="utf-8"?>\n<a>x</a> | NULL | 47
SELECT 2

> copy t to stdout
1	<a/>	{<b/>,c}	<foo a="1">b<c>2</c></foo>
4	<a>x</a>	\N	<foo a="1">b<c>2</c></foo>
COPY 2

> copy t(id, x) from stdin
< 5	<a>\n</a>
< 6	<a>
ERROR 2200N: invalid XML content
DETAIL: line 1: Premature end of data in tag a line 1\n<a>\n   ^

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 't'::regclass
pg_get_expr:text
XMLELEMENT(NAME foo, XMLATTRIBUTES(1 AS a), 'b', XMLFOREST(2 AS c))
SELECT 1

> select row('<a/>', 1)::c, (row('<a/>', 1)::c).x, '("<a b=""1""/>",2)'::c
ERROR 42704: type "c" does not exist

> select '{<a/>,"<b c=\"d\"/>"}'::xml[]
xml:_xml
{<a/>,"<b c=\"d\"/>"}
SELECT 1

> select '{<a}'::xml[]
ERROR 2200N: invalid XML content
DETAIL: line 1: Couldn't find end of Start Tag a line 1\n<a\n  ^

> create view v as select id, xmlserialize(document x as varchar(3)) s, xmlserialize(content x as varchar) s2, x is document d, x is not document nd, xmlexists('/a' passing by ref x) e, xmlpi(name "a b", id::text) p, xmlpi(name q) p2, xmlroot(x, version '1.1', standalone no value) r, xmlroot(x, version 'a' || 'b') r2, xmlparse(document x::text preserve whitespace) pr, xmlconcat(x, x) c, xmlforest(id, x as "y z", id + 1 as "_x0041_") f, xmlelement(name "a:b") el, xmlelement(name e, xmlattributes(id, x::text as t)) el2, xmlagg(x) over () from t
CREATE VIEW

> select pg_get_viewdef('v'::regclass)
pg_get_viewdef:text
 SELECT t.id,\n    (XMLSERIALIZE(DOCUMENT t.x AS character varying(3)))::character varying(3) AS s,\n    (XMLSERIALIZE(CONTENT t.x AS character varying))::character varying AS s2,\n    (t.x IS DOCUMENT) AS d,\n    (NOT (t.x IS DOCUMENT)) AS nd,\n    XMLEXISTS(('/a'::text) PASSING (t.x)) AS e,\n    XMLPI(NAME "a b", (t.id)::text) AS p,\n    XMLPI(NAME q) AS p2,\n    XMLROOT(t.x, VERSION '1.1'::text, STANDALONE NO VALUE) AS r,\n    XMLROOT(t.x, VERSION ('a'::text || 'b'::text)) AS r2,\n    XMLPARSE(DOCUMENT (t.x)::text PRESERVE WHITESPACE) AS pr,\n    XMLCONCAT(t.x, t.x) AS c,\n    XMLFOREST(t.id AS id, t.x AS "y z", (t.id + 1) AS _x0041_) AS f,\n    XMLELEMENT(NAME "a:b") AS el,\n    XMLELEMENT(NAME e, XMLATTRIBUTES(t.id AS id, (t.x)::text AS t)) AS el2,\n    xmlagg(t.x) OVER () AS xmlagg\n   FROM t;
SELECT 1

> select pg_get_viewdef('v'::regclass, true)
pg_get_viewdef:text
 SELECT t.id,\n    XMLSERIALIZE(DOCUMENT t.x AS character varying(3))::character varying(3) AS s,\n    XMLSERIALIZE(CONTENT t.x AS character varying)::character varying AS s2,\n    t.x IS DOCUMENT AS d,\n    NOT t.x IS DOCUMENT AS nd,\n    XMLEXISTS(('/a'::text) PASSING (t.x)) AS e,\n    XMLPI(NAME "a b", t.id::text) AS p,\n    XMLPI(NAME q) AS p2,\n    XMLROOT(t.x, VERSION '1.1'::text, STANDALONE NO VALUE) AS r,\n    XMLROOT(t.x, VERSION 'a'::text || 'b'::text) AS r2,\n    XMLPARSE(DOCUMENT t.x::text PRESERVE WHITESPACE) AS pr,\n    XMLCONCAT(t.x, t.x) AS c,\n    XMLFOREST(t.id AS id, t.x AS "y z", t.id + 1 AS _x0041_) AS f,\n    XMLELEMENT(NAME "a:b") AS el,\n    XMLELEMENT(NAME e, XMLATTRIBUTES(t.id AS id, t.x::text AS t)) AS el2,\n    xmlagg(t.x) OVER () AS xmlagg\n   FROM t;
SELECT 1

> select * from v
id:int4 | s:varchar | s2:varchar | d:bool | nd:bool | e:bool | p:xml | p2:xml | r:xml | r2:xml | pr:xml | c:xml | f:xml | el:xml | el2:xml | xmlagg:xml
ERROR 22001: value too long for type character varying(3)

> create view v3 as select * from xmltable('/a' passing '<a/>' columns a int) q
CREATE VIEW

> select pg_get_viewdef('v3'::regclass)
pg_get_viewdef:text
 SELECT q.a\n   FROM XMLTABLE(('/a'::text) PASSING ('<a/>'::xml) COLUMNS a integer) q;
SELECT 1

> create materialized view mv as select x from t
SELECT 2

> create index on t (x)
ERROR 42704: data type xml has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create index on t ((x::text))
CREATE INDEX

> create index on t ((xmlserialize(content x as text)))
CREATE INDEX

> create unique index on t using hash (x)
ERROR 0A000: access method "hash" does not support unique indexes

> create table t2 (x xml primary key)
ERROR 42704: data type xml has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create table t2 (x xml unique)
ERROR 42704: data type xml has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> select x from t group by x
ERROR 42883: could not identify an equality operator for type xml

> select x from t union all select x from t where id = 1
x:xml
<a/>
<a>x</a>
<a/>
SELECT 3

> select count(distinct x) from t
ERROR 42883: could not identify an equality operator for type xml

> select x < x from t
ERROR 42883: operator does not exist: xml < xml
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select x = any(array[x]) from t
ERROR 42883: operator does not exist: xml = xml
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select coalesce(x, x), nullif(x, x) from t
ERROR 42883: operator does not exist: xml = xml
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select case when id = 1 then x end from t order by 1
ERROR 42883: could not identify an ordering operator for type xml
HINT: Use an explicit ordering operator or modify the query.

> select x is null, x is not null from t
?column?:bool | ?column?:bool
f | t
f | t
SELECT 2

> select pg_typeof(x), pg_typeof(xs), pg_typeof(xmlserialize(content x as varchar)), pg_typeof(xmlparse(content '')) from t limit 1
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
xml | xml[] | character varying | xml
SELECT 1

> select x || 'a' from t
?column?:text
<a/>a
<?xml version="1.0" encoding="utf-8"?>\n<a>x</a>a
SELECT 2

> select x like '%a%' from t
ERROR 42883: operator does not exist: xml ~~ unknown
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select lower(x) from t
ERROR 42883: function lower(xml) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select length(x) from t
ERROR 42883: function length(xml) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select x::bytea from t
ERROR 42846: cannot cast type xml to bytea

> select x::json from t
ERROR 42846: cannot cast type xml to json

> select to_json(x), to_jsonb(x), row_to_json(t) from t where id = 1
to_json:json | to_jsonb:jsonb | row_to_json:json
"<a/>" | "<a/>" | {"id":1,"x":"<a/>","xs":["<b/>","c"],"d":"<foo a=\"1\">b<c>2</c></foo>"}
SELECT 1

> select format('%s %L', x, x) from t where id = 1
format:text
<a/> '<a/>'
SELECT 1

> select concat(x, 1), string_agg(x::text, ',') from t group by x::text, x
ERROR 42883: could not identify an equality operator for type xml

> select array_agg(x), json_agg(x) from t
array_agg:_xml | json_agg:json
{<a/>,<a>x</a>} | ["<a/>", "<a>x</a>"]
SELECT 1

> select quote_literal(x::text), md5(x::text) from t where id = 1
quote_literal:text | md5:text
'<a/>' | f019ee9a03978aff9f9b78d0ddf3edb7
SELECT 1

> update t set x = xmlelement(name a, xmlattributes(id as c), 'new') where id = 1 returning *
id:int4 | x:xml | xs:_xml | d:xml
1 | <a c="1">new</a> | {<b/>,c} | <foo a="1">b<c>2</c></foo>
UPDATE 1

> select xpath('/a/@c', x), xpath('/a/text()', x), (xpath('/a/@c', x))[1]::text::int from t where id = 1
xpath:_xml | xpath:_xml | xpath:int4
{1} | {new} | 1
SELECT 1

> select xmlagg(x order by id desc) from t
xmlagg:xml
<a>x</a><a c="1">new</a>
SELECT 1

> prepare p(xml) as select $1, $1 is document
PREPARE

> execute p('<a/>')
?column?:xml | ?column?:bool
<a/> | t
SELECT 1

> execute p('<a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Premature end of data in tag a line 1\n<a>\n   ^

> execute p(1)
ERROR 42804: parameter $1 of type integer cannot be coerced to the expected type xml
HINT: You will need to rewrite or cast the expression.

> set xmloption = document
SET

> show xmloption
xmloption:text
document
SHOW

> select xml '<a/>', xml 'a'
ERROR 2200M: invalid XML document
DETAIL: line 1: Start tag expected, '<' not found\na\n^

> select 'a'::text::xml
xml:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Start tag expected, '<' not found\na\n^

> select xmlparse(content 'a')
xmlparse:xml
a
SELECT 1

> set xml option content
SET

> show xmloption
xmloption:text
content
SHOW

> set xmlbinary = foo
ERROR 22023: invalid value for parameter "xmlbinary": "foo"
HINT: Available values: base64, hex.

> set xmloption = foo
ERROR 22023: invalid value for parameter "xmloption": "foo"
HINT: Available values: content, document.

> select xml_is_well_formed('a'), xml_is_well_formed(null), xml_is_well_formed_document('<a/>x')
xml_is_well_formed:bool | xml_is_well_formed:bool | xml_is_well_formed_document:bool
t | NULL | f
SELECT 1

> do $$ declare x xml; begin x := '<a/>'; raise notice '%', x; x := xmlelement(name b, 1); raise notice '%', x; begin x := '<a'; exception when others then raise notice '% %', sqlstate, sqlerrm; end; end $$
NOTICE 00000: <a/>
NOTICE 00000: <b>1</b>
NOTICE 00000: 2200N invalid XML content
DO

> create function f(x xml) returns xml language sql as 'select xmlelement(name w, $1)'
CREATE FUNCTION

> select f('<a/>'), f(null)
f:xml | f:xml
<w><a/></w> | <w/>
SELECT 1

> select castsource::regtype, casttarget::regtype, castfunc::regproc, castcontext, castmethod from pg_cast where 'xml'::regtype in (castsource, casttarget)
castsource:regtype | casttarget:regtype | castfunc:regproc | castcontext:char | castmethod:char
xml | text | - | a | b
text | xml | xml | e | f
xml | character varying | - | a | b
character varying | xml | xml | e | f
xml | character | - | a | b
character | xml | xml | e | f
SELECT 6

> select format_type(142, -1), format_type(143, -1), 'xml'::regtype, 'xml[]'::regtype, to_regtype('xml')
format_type:text | format_type:text | regtype:regtype | regtype:regtype | to_regtype:regtype
xml | xml[] | xml | xml[] | xml
SELECT 1

> select * from xmltable('/r/*' passing '<r><a>1</a><b>2</b></r>' columns n text path 'name()', v int path '.') order by v desc
n:text | v:int4
b | 2
a | 1
SELECT 2

> select * from (values ('<r><a>1</a></r>'::xml), (null)) d(doc), xmltable('/r/a' passing doc columns v int path '.')
doc:xml | v:int4
<r><a>1</a></r> | 1
SELECT 1

> select * from (values ('<r><a>1</a></r>'::xml), (null)) d(doc) left join lateral xmltable('/r/a' passing doc columns v int path '.') on true
doc:xml | v:int4
<r><a>1</a></r> | 1
NULL | NULL
SELECT 2

> select xmltable.v + 1, x from xmltable('/r/a' passing '<r><a>1</a></r>' columns v int path '.', x xml path '.')
?column?:int4 | x:xml
2 | <a>1</a>
SELECT 1

> select (t2).* from xmltable('/r/a' passing '<r><a>1</a></r>' columns v int path '.', x xml path '.') t2
v:int4 | x:xml
1 | <a>1</a>
SELECT 1

> select t2 from xmltable('/r/a' passing '<r><a>1</a></r>' columns v int path '.', x xml path '.') t2
t2:record
(1,<a>1</a>)
SELECT 1

> select * from xmltable('/r/a' passing '<r><a>1</a></r>' columns v int path '.') for update
v:int4
1
SELECT 1

> select * from xmltable('/r/a' passing '<r><a>1999-01-01</a></r>' columns v date path '.', w text[] path '"{a,b}"', z char(3) path '"x"', nn numeric(3,1) path '12.345')
v:date | w:_text | z:bpchar | nn:numeric
1999-01-01 | {a,b} | x   | 12.3
SELECT 1

> select count(*) from xmltable('/r/a' passing '<r><a/></r>' columns v int path '.') , xmltable('/r/a' passing '<r><a/></r>' columns v text path '.')
ERROR 42712: table name "xmltable" specified more than once

> select * from xmltable('/r/a' passing (select xml '<r><a>7</a></r>') columns v int path '.' default (select 5))
v:int4
7
SELECT 1

> select sum(v) from xmltable('/r/a' passing (select xmlelement(name r, xmlagg(xmlelement(name a, i))) from generate_series(1, 1000) i) columns v int path '.')
sum:int8
500500
SELECT 1

> drop table t cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to view v\ndrop cascades to materialized view mv
DROP TABLE
