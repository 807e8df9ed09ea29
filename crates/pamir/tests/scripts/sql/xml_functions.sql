# xml: functions of the grammar, values as XML, casts, comparisons that there are not.

> select xmlelement(name a, '')
xmlelement:xml
<a></a>
SELECT 1

> select xmlelement(name a, xmlattributes('ä<"' as b), 'ä')
xmlelement:xml
<a b="&#xE4;&lt;&quot;">ä</a>
SELECT 1

> select xmlelement(name a, repeat('x',100)::bytea)
xmlelement:xml
<a>eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\neHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eA==</a>
SELECT 1

> select xpath('//@b', '<a b="ä&lt;&quot;"/>')
xpath:_xml
{"ä&lt;\""}
SELECT 1

> select xpath('/a', '<a b="ä&lt;&quot;&#10;">ä&#13;</a>')
xpath:_xml
{"<a b=\"&#xE4;&lt;&quot;&#10;\">ä&#13;</a>"}
SELECT 1

> select xpath('//namespace::*', '<a xmlns:x="u"/>')
xpath:_xml
{http://www.w3.org/XML/1998/namespace,u}
SELECT 1

> select xpath('/a/text()', '<a>x<![CDATA[<y>]]>z</a>')
xpath:_xml
{x,<![CDATA[<y>]]>,z}
SELECT 1

> select xpath('//comment()|//processing-instruction()', '<a><!--c--><?p q?></a>')
xpath:_xml
{<!--c-->,"<?p q?>"}
SELECT 1

> select xpath('/', '<a/>')
xpath:_xml
{"<a/>\n"}
SELECT 1

> select xpath('foo(', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Unregistered function

> select xpath('foo()', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Unregistered function

> select xpath('$x', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Undefined variable

> select xpath('x:a', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Undefined namespace prefix

> select xpath('a[', '<a/>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a[1', '<a/>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid predicate

> select xpath('''abc', '<a/>')
ERROR XX000: invalid XPath expression
DETAIL: Unfinished literal

> select xpath('a b', '<a/>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('count()', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('count(1)', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('1 | 2', '<a/>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('1 + 1.5', '<a/>')
xpath:_xml
{2.5}
SELECT 1

> select xpath('string(1 div 3)', '<a/>')
xpath:_xml
{0.333333333333333}
SELECT 1

> select xpath('string(12345678901234)', '<a/>')
xpath:_xml
{1.2345678901234e+13}
SELECT 1

> select xpath('string(0.000001)', '<a/>')
xpath:_xml
{1e-06}
SELECT 1

> select xpath('string(1234567.891)', '<a/>')
xpath:_xml
{1234567.891}
SELECT 1

> select xpath('string(1 div 0)', '<a/>')
xpath:_xml
{Infinity}
SELECT 1

> select xpath('1 div 0', '<a/>')
xpath:_xml
{Infinity}
SELECT 1

> select xpath('a', 'not xml')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nnot xml\n^

> select xpath('a', '')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Document is empty\n\n^

> select xpath('a', '<a/>', array['x','y'])
ERROR 22000: invalid array for XML namespace mapping
DETAIL: The array must be two-dimensional with length of the second axis equal to 2.

> select xpath('a', '<a/>', array[array['x']])
ERROR 22000: invalid array for XML namespace mapping
DETAIL: The array must be two-dimensional with length of the second axis equal to 2.

> select xpath('a', '<a/>', array[array['x',null]])
ERROR 22004: neither namespace name nor URI may be null

> select xpath('a', '<a/>', array[array['','y']])
ERROR XX000: could not register XML namespace with name "" and URI "y"

> select xpath('a', '<?xml version="1.0" encoding="foo"?><a/>')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('//text()', '<!DOCTYPE a [<!ENTITY b "cc">]><a>x&b;y</a>')
xpath:_xml
{x,y}
SELECT 1

> select xpath('string(/a)', '<!DOCTYPE a [<!ENTITY b "cc">]><a>x&b;y</a>')
xpath:_xml
{xccy}
SELECT 1

> select xpath('//x[2]', '<a><x>1</x><x>2</x><b><x>3</x><x>4</x></b></a>')
xpath:_xml
{<x>2</x>,<x>4</x>}
SELECT 1

> select xpath('(//x)[2]', '<a><x>1</x><x>2</x><b><x>3</x><x>4</x></b></a>')
xpath:_xml
{<x>2</x>}
SELECT 1

> select xpath('//x[last()]/preceding::x', '<a><x>1</x><x>2</x><b><x>3</x><x>4</x></b></a>')
xpath:_xml
{<x>1</x>,<x>2</x>,<x>3</x>}
SELECT 1

> select * from xmltable('' passing '<a/>' columns a text)
a:text
ERROR 22000: row path filter must not be empty string

> select * from xmltable('x[' passing '<a/>' columns a text)
a:text
ERROR 42601: invalid XPath expression
DETAIL: Invalid expression

> select * from xmltable('/a' passing '<a/>' columns a text path '')
a:text
ERROR 22000: column path filter must not be empty string

> select * from xmltable('/a' passing '<a/>' columns a text path 'x[')
a:text
ERROR 22000: invalid XPath expression
DETAIL: Invalid expression

> select * from xmltable('/a' passing '<a/>' columns a text path 'foo()')
a:text
ERROR XX000: could not create XPath object
DETAIL: Unregistered function

> select * from xmltable('foo()' passing '<a/>' columns a text)
a:text
ERROR XX000: could not create XPath object
DETAIL: Unregistered function

> select * from xmltable('/a' passing 'b' columns a text path 'foo()')
a:text
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nb\n^

> select * from xmltable(null passing '<a/>' columns a text path 'foo()')
a:text
ERROR 22004: row filter expression must not be null

> select * from xmltable('/a' passing '<a/>' columns a text path null)
a:text
ERROR 22004: column filter expression must not be null
DETAIL: Filter for column "a" is null.

> select * from xmltable('/a' passing '<a>x</a>' columns a int path '.')
a:int4
ERROR 22P02: invalid input syntax for type integer: "x"

> select * from xmltable(xmlnamespaces(null as x), '/a' passing '<a>x</a>' columns a int path '.')
a:int4
ERROR 22004: namespace URI must not be null

> select * from xmltable('1' passing '<a>x</a>' columns a int path '.')
a:int4
SELECT 0

> select * from xmltable('/a' passing '<a>x</a>' columns a int path 'true()', b text path 'true()', c numeric path '1 div 3', d xml path '1')
a:int4 | b:text | c:numeric | d:xml
1 | true | 0.333333333333333 | 1
SELECT 1

> select * from xmltable('/a' passing '<a/>' columns a text path 'b', a int)
ERROR 42601: column name "a" is not unique

> select * from xmltable('/a' passing '<a/>' columns a for ordinality, b for ordinality)
ERROR 42601: only one FOR ORDINALITY column is allowed

> select * from xmltable('/a' passing 1 columns a text path 'b')
ERROR 42804: argument of XMLTABLE must be type xml, not type integer

> select * from xmltable(1 passing '<a/>' columns a text path 'b')
a:text
SELECT 0

> select * from xmltable('/a' passing '<a/>' columns a text path 1)
a:text
1
SELECT 1

> select * from xmltable('/a' passing '<a/>' columns a int default 'x'::text)
ERROR 42804: argument of XMLTABLE must be type integer, not type text

> select * from xmltable('/a' passing '<a/>' columns a int path 'b' default 'x')
ERROR 22P02: invalid input syntax for type integer: "x"

> select * from xmltable('/a' passing '<a/>' columns a text) as t(b)
b:text
NULL
SELECT 1

> select xmltable.* from xmltable('/a' passing '<a/>' columns a text) 
a:text
NULL
SELECT 1

> select * from xmltable('/a' passing '<a/>' columns a record)
a:record
NULL
SELECT 1

> select * from xmltable('/a' passing '<a/>' columns a setof int)
ERROR 42P16: column "a" cannot be declared SETOF

> select xmlserialize(content '<a/>' as int)
ERROR 42846: cannot cast XMLSERIALIZE result to integer

> select xmlserialize(content '<a/>' as bytea)
ERROR 42846: cannot cast XMLSERIALIZE result to bytea

> select xmlserialize(content 1 as text)
ERROR 42804: argument of XMLSERIALIZE must be type xml, not type integer

> select 1 is document
ERROR 42804: argument of IS DOCUMENT must be type xml, not type integer

> select xmlparse(content 1)
xmlparse:xml
1
SELECT 1

> select xmlroot('<a/>', version 1)
xmlroot:xml
<?xml version="1"?><a/>
SELECT 1

> select xmlpi(name a, 1)
xmlpi:xml
<?a 1?>
SELECT 1

> select xmlexists(1 passing '<a/>')
ERROR 42883: function pg_catalog.xmlexists(integer, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select xml '<a/>' = xml '<a/>'
ERROR 42883: operator does not exist: xml = xml
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select * from (values (xml '<a/>')) v(x) order by x
ERROR 42883: could not identify an ordering operator for type xml
HINT: Use an explicit ordering operator or modify the query.

> select max(x) from (values (xml '<a/>')) v(x)
ERROR 42883: function max(xml) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select xml '<a/>' in (xml '<a/>')
ERROR 42883: operator does not exist: xml = xml
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> create index on xmltest(data)
ERROR 42P01: relation "xmltest" does not exist

> select cast('a' as xml)
xml:xml
a
SELECT 1

> select 'a'::text::xml, '<a>'::varchar::xml
xml:xml | xml:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Premature end of data in tag a line 1\n<a>\n   ^

> select 1::xml
ERROR 42846: cannot cast type integer to xml

> select '<a/>'::xml::int
ERROR 42846: cannot cast type xml to integer

> select '<a/>'::xml::varchar(2), '<a/>'::xml::char(6)
varchar:varchar | bpchar:bpchar
<a | <a/>  
SELECT 1

> select xmlforest(1)
ERROR 42601: unnamed XML element value must be a column reference

> select xmlforest(null as a)
xmlforest:xml
NULL
SELECT 1

> select xmlelement(name a, null)
xmlelement:xml
<a/>
SELECT 1

> select xmlelement(name a, xmlattributes(null as b), null, 1, 'x', array[[1,2],[3,null]], row(1,2), '{"a":1}'::json, current_date - current_date, interval '1 day', 1.5::float8, date '2000-01-02', timestamptz '2000-01-01 12:00:00.5+00', time '10:00', 'infinity'::float8)
xmlelement:xml
<a>1x<element>1</element><element>2</element><element>3</element>(1,2){"a":1}01 day1.52000-01-022000-01-01T12:00:00.5+00:0010:00:00Infinity</a>
SELECT 1

> select xmlelement(name a, date 'infinity')
xmlelement:xml
ERROR 22008: date out of range
DETAIL: XML does not support infinite date values.

> select xmlelement(name a, date '0044-03-15 BC', timestamp '0044-03-15 10:00:00 BC')
xmlelement:xml
<a>0044-03-15 BC0044-03-15T10:00:00 BC</a>
SELECT 1

> select xmlvalidate('<a/>', 'x')
ERROR 0A000: xmlvalidate is not implemented

> select xmlcomment('a--b')
ERROR 2200S: invalid XML comment

> select xml('<a/>'::text), text('<a/>'::xml)
xml:xml | text:text
<a/> | <a/>
SELECT 1

> select xmlconcat2('<a/>', null), xmlconcat2('<a/>', '<b/>')
xmlconcat2:xml | xmlconcat2:xml
<a/> | <a/><b/>
SELECT 1

> select xmlagg(x order by x::text) from (values (xml '<?xml version="1.1"?><a/>'),(xml '<b/>'),(null)) v(x)
xmlagg:xml
<a/><b/>
SELECT 1
