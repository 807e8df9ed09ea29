# xml: XMLTABLE in statements, names, definitions.

> create table x6 (id int, doc xml)
CREATE TABLE

> insert into x6 values (1, '<r><i k="a">1</i><i k="b">2</i></r>'), (2, '<r/>'), (3, null)
INSERT 0 3

> select id, (select count(*) from xmltable('/r/i' passing doc columns v int path '.')) from x6 order by id
id:int4 | count:int8
1 | 2
2 | 0
3 | 0
SELECT 3

> select id, (select sum(v) from xmltable('/r/i' passing x6.doc columns v int path '.') t where t.v > x6.id - 1) from x6 order by id
id:int4 | sum:int8
1 | 3
2 | NULL
3 | NULL
SELECT 3

> update x6 set id = id + t.v from xmltable('/r/i' passing xml '<r><i>10</i></r>' columns v int path '.') t returning *
id:int4 | doc:xml | v:int4
11 | <r><i k="a">1</i><i k="b">2</i></r> | 10
12 | <r/> | 10
13 | NULL | 10
UPDATE 3

> delete from x6 using xmltable('/r/i' passing xml '<r><i>12</i></r>' columns v int path '.') t where t.v = x6.id returning x6.*
id:int4 | doc:xml
12 | <r/>
DELETE 1

> insert into x6 select v, xmlelement(name q, k) from xmltable('/r/i' passing xml '<r><i k="a">1</i><i k="b">2</i></r>' columns v int path '.', k text path '@k') returning *
id:int4 | doc:xml
1 | <q>a</q>
2 | <q>b</q>
INSERT 0 2

> select * from x6 a right join xmltable('/r/i' passing a.doc columns v int path '.') t on true
ERROR 42P10: invalid reference to FROM-clause entry for table "a"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from xmltable('/r/i' passing doc columns v int path '.') t, x6
ERROR 42703: column "doc" does not exist

> select * from xmltable('/r/i' passing count(*) columns v int path '.') t
ERROR 42803: aggregate functions are not allowed in functions in FROM

> select * from xmltable('/r/i' passing (select doc from x6 limit 1) columns v int path '.' default generate_series(1,2)) t
ERROR 42804: argument of XMLTABLE must not return a set

> do $$ declare d xml := '<r><i>1</i><i>2</i></r>'; r record; s int := 0; begin for r in select * from xmltable('/r/i' passing d columns v int path '.', o for ordinality) loop s := s + r.v * r.o; end loop; raise notice '%', s; end $$
NOTICE 00000: 5
DO

> create function g6(d xml, out n int, out t text) returns setof record language sql as $$ select * from xmltable('/r/i' passing d columns n int path '.', t text path '@k') $$
CREATE FUNCTION

> select * from g6('<r><i k="a">1</i></r>')
n:int4 | t:text
1 | a
SELECT 1

> create function h6(d xml) returns xml language plpgsql as $$ begin return xmlelement(name w, xmlattributes(now() - now() as t), d, xmlforest(1 as a, d as b)); end $$
CREATE FUNCTION

> select h6('<q/>')
h6:xml
<w t="00:00:00"><q/><a>1</a><b><q/></b></w>
SELECT 1

> prepare s6 as select * from xmltable($1 passing $2 columns a text path $3 default $4)
PREPARE

> execute s6('/r/i', '<r><i k="a">1</i></r>', '@k', 'z')
a:text
a
SELECT 1

> execute s6('/r/i', '<r><i k="a">1</i></r>', '@zz', 'z')
a:text
z
SELECT 1

> select xmlforest(a.*) from x6 a
xmlforest:xml
<a>(11,"&lt;r&gt;&lt;i k=""a""&gt;1&lt;/i&gt;&lt;i k=""b""&gt;2&lt;/i&gt;&lt;/r&gt;")</a>
<a>(13,)</a>
<a>(1,&lt;q&gt;a&lt;/q&gt;)</a>
<a>(2,&lt;q&gt;b&lt;/q&gt;)</a>
SELECT 4

> select xmlforest((a).id, (a).doc) from x6 a order by id
ERROR 42601: unnamed XML element value must be a column reference

> select xmlelement(name e, xmlattributes(a.id, (a).id as id2)) from x6 a order by id
xmlelement:xml
<e id="1" id2="1"/>
<e id="2" id2="2"/>
<e id="11" id2="11"/>
<e id="13" id2="13"/>
SELECT 4

> select xmlforest(a) from (select 1 as x, 'q' as y) a
xmlforest:xml
<a>(1,q)</a>
SELECT 1

> select xmlelement(name "a b", xmlattributes(1 as "c d", 2 as ":e"), 'x')
xmlelement:xml
<a_x0020_b c_x0020_d="1" _x003A_e="2">x</a_x0020_b>
SELECT 1

> select xmlelement(name foo, xmlattributes('a' as xmlns)), xmlelement(name xml)
xmlelement:xml | xmlelement:xml
<foo xmlns="a"/> | <xml/>
SELECT 1

> select xmlforest(1 as "xml", 2 as xmlx, 3 as "Xml")
xmlforest:xml
<xml>1</xml><xmlx>2</xmlx><Xml>3</Xml>
SELECT 1

> select xmlagg(xmlelement(name i, id) order by id desc) filter (where id > 1) from x6
xmlagg:xml
<i>13</i><i>11</i><i>2</i>
SELECT 1

> select xmlagg(doc) over (order by id) from x6
xmlagg:xml
<q>a</q>
<q>a</q><q>b</q>
<q>a</q><q>b</q><r><i k="a">1</i><i k="b">2</i></r>
<q>a</q><q>b</q><r><i k="a">1</i><i k="b">2</i></r>
SELECT 4

> select xml_is_well_formed(doc::text) from x6 order by id
xml_is_well_formed:bool
t
t
t
NULL
SELECT 4

> select coalesce(doc, '<none/>') from x6 order by id
coalesce:xml
<q>a</q>
<q>b</q>
<r><i k="a">1</i><i k="b">2</i></r>
<none/>
SELECT 4

> select xmlserialize(document '<a/>' as text), xmlserialize(content '' as text), xmlserialize(content null as text), xmlserialize(document xmlparse(content 'x') as text)
xmlserialize:text | xmlserialize:text | xmlserialize:text | xmlserialize:text
ERROR 2200L: not an XML document

> select xmlroot(xmlparse(document '<?xml version="1.0" standalone="yes"?><a/>'), version null), xmlroot(null, version '1.0')
xmlroot:xml | xmlroot:xml
<?xml version="1.0" standalone="yes"?><a/> | NULL
SELECT 1

> select xmlpi(name "a?b", 'x'), xmlpi(name php, 'echo "hello";  '), xmlpi(name a, '')
xmlpi:xml | xmlpi:xml | xmlpi:xml
<?a_x003F_b x?> | <?php echo "hello";  ?> | <?a ?>
SELECT 1

> select xmlcomment(null), xmlcomment(''), xmlcomment('a-b')
xmlcomment:xml | xmlcomment:xml | xmlcomment:xml
NULL | <!----> | <!--a-b-->
SELECT 1

> select xpath_exists('//a', '<a/>'), xpath_exists('//b', '<a/>'), xpath_exists('a[', '<a/>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xmlexists('/a' passing by value '<a/>' by value), xmlexists(null passing '<a/>'), xmlexists('/a' passing null)
xmlexists:bool | xmlexists:bool | xmlexists:bool
t | NULL | NULL
SELECT 1

> select (xpath('/r/i/text()', doc))[1]::text from x6 order by id
xpath:text
NULL
NULL
1
NULL
SELECT 4

> select unnest(xpath('/r/i', '<r><i/><i/></r>'))
unnest:xml
<i/>
<i/>
SELECT 2

> select array(select unnest(xpath('/r/i', '<r><i/><i>1</i></r>'))::text)
array:_text
{<i/>,<i>1</i>}
SELECT 1

> select xmlelement(name a, 1, 2.50, true, null, 'x'::char(5), '\xdead'::bytea, array['<', null, 'b'], '{"a":"<"}'::jsonb, point '(1,2)', int4range(1,5), 'a & b', E'tab\tnl\n')
xmlelement:xml
<a>12.50truex    3q0=<element>&lt;</element><element>b</element>{"a": "&lt;"}(1,2)[1,5)a &amp; btab	nl\n</a>
SELECT 1

> select xmlelement(name a, xmlattributes(1 as i, 2.50 as n, true as b, 'x'::char(5) as c, '\xdead'::bytea as y, array['<', null, 'b'] as arr, E'tab\tnl\n"q"' as t))
xmlelement:xml
<a i="1" n="2.50" b="true" c="x    " y="3q0=" arr="&lt;element&gt;&amp;lt;&lt;/element&gt;&lt;element&gt;b&lt;/element&gt;" t="tab&#9;nl&#10;&quot;q&quot;"/>
SELECT 1

> select pg_typeof(xmlelement(name a)), pg_typeof(xpath('a', '<a/>')), pg_typeof(xmlserialize(content '' as char(3)))
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
xml | xml[] | character
SELECT 1

> select xmlelement(name a) as "x", xmlelement(name b)
x:xml | xmlelement:xml
<a/> | <b/>
SELECT 1

> select 1 where xml '<a/>' is document and not xml 'x' is document
?column?:int4
1
SELECT 1

> select xml '<a/>' is document is true
?column?:bool
t
SELECT 1

> select xmlparse(document '<a/>' preserve whitespace), xmlparse(content ' <a/> ' strip whitespace)
xmlparse:xml | xmlparse:xml
<a/> |  <a/> 
SELECT 1

> values (xmlelement(name a)), ('<b/>')
column1:xml
<a/>
<b/>
SELECT 2

> select xmlelement(name a) union all select '<b/>'
xmlelement:xml
<a/>
<b/>
SELECT 2

> create view v6 as select * from xmltable('/r/i' passing (select doc from x6 limit 1) columns v int path '.' default 1 + 1 not null)
CREATE VIEW

> select pg_get_viewdef('v6')
pg_get_viewdef:text
 SELECT "xmltable".v\n   FROM XMLTABLE(('/r/i'::text) PASSING (( SELECT x6.doc\n           FROM x6\n         LIMIT 1)) COLUMNS v integer DEFAULT ((1 + 1)) PATH ('.'::text) NOT NULL);
SELECT 1

> create view v7 as select xmlelement(name a, xmlattributes(id as "b c"), doc, 'lit', id + 1) e, xmlforest(doc, id as "q r") f, xmlserialize(document doc as varchar(10)) s, xmlparse(content 'x') p, doc is not document d from x6
CREATE VIEW

> select pg_get_viewdef('v7'), pg_get_viewdef('v7', true)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT XMLELEMENT(NAME a, XMLATTRIBUTES(x6.id AS "b c"), x6.doc, 'lit', (x6.id + 1)) AS e,\n    XMLFOREST(x6.doc AS doc, x6.id AS "q r") AS f,\n    (XMLSERIALIZE(DOCUMENT x6.doc AS character varying(10)))::character varying(10) AS s,\n    XMLPARSE(CONTENT 'x'::text STRIP WHITESPACE) AS p,\n    (NOT (x6.doc IS DOCUMENT)) AS d\n   FROM x6; |  SELECT XMLELEMENT(NAME a, XMLATTRIBUTES(x6.id AS "b c"), x6.doc, 'lit', x6.id + 1) AS e,\n    XMLFOREST(x6.doc AS doc, x6.id AS "q r") AS f,\n    XMLSERIALIZE(DOCUMENT x6.doc AS character varying(10))::character varying(10) AS s,\n    XMLPARSE(CONTENT 'x'::text STRIP WHITESPACE) AS p,\n    NOT x6.doc IS DOCUMENT AS d\n   FROM x6;
SELECT 1

> create table y6 (a xml default '<x/>', b text generated always as (xmlserialize(content a as text)) stored)
CREATE TABLE

> insert into y6 default values returning *
a:xml | b:text
<x/> | <x/>
INSERT 0 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'y6'::regclass order by adnum
pg_get_expr:text
'<x/>'::xml
XMLSERIALIZE(CONTENT a AS text)
SELECT 2

> alter table y6 alter a type text using xmlserialize(content a as text)
ERROR 0A000: cannot alter type of a column used by a generated column
DETAIL: Column "a" is used by generated column "b".

> drop table x6 cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to view v6\ndrop cascades to view v7
DROP TABLE
