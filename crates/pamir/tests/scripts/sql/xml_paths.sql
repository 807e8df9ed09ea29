# xml: XPath, and how found nodes are written.

> select xpath('/r', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('//a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//@*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1,2,1,2}
SELECT 1

> select xpath('/r/a[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('/r/a[last()]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('/r/a[position()=2]/b/text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{z}
SELECT 1

> select xpath('//a[@i=''2'']', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[@i=2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[not(@i=1)]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//n[.>5]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>}
SELECT 1

> select xpath('//n[number()=number()]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>,<n>2</n>}
SELECT 1

> select xpath('sum(//n)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('sum(/r/n[position()<3])', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{12}
SELECT 1

> select xpath('count(//u)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{3}
SELECT 1

> select xpath('//u[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>,<u/>}
SELECT 1

> select xpath('(//u)[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>}
SELECT 1

> select xpath('(//u)[last()]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>}
SELECT 1

> select xpath('//v/ancestor::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>","<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>"}
SELECT 1

> select xpath('//v/ancestor-or-self::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>","<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>",<v><u/></v>}
SELECT 1

> select xpath('//v/preceding-sibling::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>,<u/>}
SELECT 1

> select xpath('//v/preceding::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>",<b>z</b>,<n>10</n>,<n>2</n>,<n>abc</n>,<e/>,"<s>  a  b </s>",<u/>,<u/>}
SELECT 1

> select xpath('//b/following::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>,<n>2</n>,<n>abc</n>,<e/>,"<s>  a  b </s>","<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>",<u/>,<u/>,<v><u/></v>,<u/>}
SELECT 1

> select xpath('//b/following::n[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>}
SELECT 1

> select xpath('//a/following-sibling::*[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>",<n>10</n>}
SELECT 1

> select xpath('//n[2]/preceding-sibling::*[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>}
SELECT 1

> select xpath('//b/..', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//b/parent::a/@i', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{2}
SELECT 1

> select xpath('//b/parent::x', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/r/*[3]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>}
SELECT 1

> select xpath('/r/*[self::n or self::e]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<n>10</n>,<n>2</n>,<n>abc</n>,<e/>}
SELECT 1

> select xpath('//u/ancestor::t', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>"}
SELECT 1

> select xpath('/descendant::u[2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>}
SELECT 1

> select xpath('/descendant-or-self::node()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>\n","<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>","<a i=\"1\">x</a>",x,"<a i=\"2\">y<b>z</b></a>",y,<b>z</b>,z,<n>10</n>,10,<n>2</n>,2,<n>abc</n>,abc,<e/>,"<s>  a  b </s>","  a  b ","<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>",<u/>,<u/>,<v><u/></v>,<u/>}
SELECT 1

> select xpath('/child::r/child::a/attribute::i', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1,2}
SELECT 1

> select xpath('name(//@i)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{i}
SELECT 1

> select xpath('local-name(/r/a)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{a}
SELECT 1

> select xpath('namespace-uri(/r)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{""}
SELECT 1

> select xpath('string(/r/s)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"  a  b "}
SELECT 1

> select xpath('normalize-space(/r/s)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"a b"}
SELECT 1

> select xpath('normalize-space(''  a  b '')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"a b"}
SELECT 1

> select xpath('string-length(/r/s)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{7}
SELECT 1

> select xpath('concat(''a'', 1, true(), //n[1])', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{a1true10}
SELECT 1

> select xpath('contains(''abc'',''b'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('starts-with(''abc'',''ab'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('substring(''12345'', 2, 3)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{234}
SELECT 1

> select xpath('substring(''12345'', 1.5, 2.6)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{234}
SELECT 1

> select xpath('substring(''12345'', 0 div 0, 3)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{""}
SELECT 1

> select xpath('substring(''12345'', -42, 1 div 0)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{12345}
SELECT 1

> select xpath('substring(''12345'', 2)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{2345}
SELECT 1

> select xpath('substring-before(''1999/04/01'',''/'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1999}
SELECT 1

> select xpath('substring-after(''1999/04/01'',''/'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{04/01}
SELECT 1

> select xpath('translate(''bar'',''abc'',''AB'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{BAr}
SELECT 1

> select xpath('translate(''--aaa--'',''abc-'',''ABC'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{AAA}
SELECT 1

> select xpath('1 + 2 * 3 - 4 div 2', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{5}
SELECT 1

> select xpath('7 mod 3', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1}
SELECT 1

> select xpath('-7 mod 3', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-1}
SELECT 1

> select xpath('7 mod -3', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1}
SELECT 1

> select xpath('5 div 0', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{Infinity}
SELECT 1

> select xpath('-5 div 0', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-Infinity}
SELECT 1

> select xpath('0 div 0', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('- - 3', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{3}
SELECT 1

> select xpath('-//n[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-10}
SELECT 1

> select xpath('//n[1] + 1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{11}
SELECT 1

> select xpath('''a'' = ''a''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('''a'' != ''a''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('//a = ''x''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('//a != ''x''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('//zzz = ''x''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('//zzz != ''x''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('//n > 5', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('//n < 5', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('1 < 2', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('''2'' < ''10''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('true() > false()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('true() = ''x''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('//a = true()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('//zzz = false()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('1 = ''1''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('1 = '' 1 ''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('''1e3'' = 1000', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('number(''1e3'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1000}
SELECT 1

> select xpath('number(''+1'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('number('''')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('number('' 12 '')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{12}
SELECT 1

> select xpath('number(''1.'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1}
SELECT 1

> select xpath('number(''.5'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0.5}
SELECT 1

> select xpath('.5', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0.5}
SELECT 1

> select xpath('1.', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1}
SELECT 1

> select xpath('1e2', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{100}
SELECT 1

> select xpath('round(2.5)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{3}
SELECT 1

> select xpath('round(-2.5)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-2}
SELECT 1

> select xpath('round(-0.4)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-0}
SELECT 1

> select xpath('floor(-1.5)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{-2}
SELECT 1

> select xpath('ceiling(1.2)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{2}
SELECT 1

> select xpath('boolean('''')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('boolean(''false'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('boolean(0)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('boolean(//zzz)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('not(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('true()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('string(0.1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0.1}
SELECT 1

> select xpath('string(1000000)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1000000}
SELECT 1

> select xpath('string(123456789012)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1.23456789012e+11}
SELECT 1

> select xpath('string(0.00001234)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0.00001234}
SELECT 1

> select xpath('string(1.10)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1.1}
SELECT 1

> select xpath('string(-0)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0}
SELECT 1

> select xpath('string(1 div 3)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{0.333333333333333}
SELECT 1

> select xpath('string(100 div 3)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{33.3333333333333}
SELECT 1

> select xpath('string(1e15)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1e+15}
SELECT 1

> select xpath('string(true())', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{true}
SELECT 1

> select xpath('string(//a)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{x}
SELECT 1

> select xpath('string()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"xyz102abc  a  b "}
SELECT 1

> select xpath('number()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('string-length()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{16}
SELECT 1

> select xpath('//a | //n', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>",<n>10</n>,<n>2</n>,<n>abc</n>}
SELECT 1

> select xpath('//n | //a | //n', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>",<n>10</n>,<n>2</n>,<n>abc</n>}
SELECT 1

> select xpath('//a/@i | //a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>",1,"<a i=\"2\">y<b>z</b></a>",2}
SELECT 1

> select xpath('//*[@i]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//*[@i][2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[b]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[b=''z'']', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[.//b]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[text()=''x'']', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('//text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{x,y,z,10,2,abc,"  a  b "}
SELECT 1

> select xpath('//comment()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('//processing-instruction()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('//node()[self::b]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<b>z</b>}
SELECT 1

> select xpath('/', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>\n"}
SELECT 1

> select xpath('//', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('/..', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('.', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>\n"}
SELECT 1

> select xpath('..', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/r/.', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('/r/a/.', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('r', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('r/a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('./r', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('@i', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('//@i/..', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//@i/following::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>",<b>z</b>,<n>10</n>,<n>2</n>,<n>abc</n>,<e/>,"<s>  a  b </s>","<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>",<u/>,<u/>,<v><u/></v>,<u/>}
SELECT 1

> select xpath('//t/@a/following-sibling::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('//t/@*[2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{2}
SELECT 1

> select xpath('id(''x'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('lang(''en'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('/r[a]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('/r[a and n]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('/r[a or zzz]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('/r/a[1][@i=1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('/r/a[1][@i=2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/r/a[@i][last()]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a[position() mod 2 = 1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('//a[count(*)=1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//*[count(u)=2]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t>"}
SELECT 1

> select xpath('//*[name()=''u'']', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>,<u/>,<u/>}
SELECT 1

> select xpath('count(//namespace::*)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{14}
SELECT 1

> select xpath('//u[position()=last()]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>,<u/>}
SELECT 1

> select xpath('//t/u[last()-1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{<u/>}
SELECT 1

> select xpath('foo', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('and', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('div', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('//div', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('or or or', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('//mod mod 2', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('2*3', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{6}
SELECT 1

> select xpath('2 * //n[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{20}
SELECT 1

> select xpath('//n[1]*2', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{20}
SELECT 1

> select xpath('text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('comment()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('node()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('self::node()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>\n"}
SELECT 1

> select xpath('child::*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('child::text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/r/child::node()[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('//a[1]/text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{x}
SELECT 1

> select xpath('/r/s/text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"  a  b "}
SELECT 1

> select xpath('/r/zzz/text()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('last()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid context size

> select xpath('position()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid context position

> select xpath('concat(''a'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('concat()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('not()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('substring(''a'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('translate(''a'',''b'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('true(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('count(''a'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('sum(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('name(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('id()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('lang()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('round()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('string(1,2)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('contains(''a'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid number of arguments

> select xpath('unknown(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Unregistered function

> select xpath('x:unknown()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object

> select xpath('x:y', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Undefined namespace prefix

> select xpath('$v', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Undefined variable

> select xpath('/r[', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('/r]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('/r[]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('//a[@]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('@', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a/', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('/a/', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('//a//', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a//', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('''abc', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Unfinished literal

> select xpath('"abc', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Unfinished literal

> select xpath('1 1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('1 +', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('+ 1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('| a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('(a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1}
SELECT 1

> select xpath('(1)[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: could not create XPath object
DETAIL: Invalid type

> select xpath('a::b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('foo::a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('child:: a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('child ::a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath(' //a ', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('//a [ 1 ]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('/ r / a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('text ( )', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('processing-instruction(''pi'')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('processing-instruction(pi)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Start of literal\nInvalid expression

> select xpath('node(1)', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Missing closing curly brace

> select xpath('!a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a!=b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{false}
SELECT 1

> select xpath('a=!b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a<>b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a==b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('#', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('a#', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('..//a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('../a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('.//a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>","<a i=\"2\">y<b>z</b></a>"}
SELECT 1

> select xpath('./@i', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('.[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('..[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('//a/.[1]', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('//a[.=''x'']', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<a i=\"1\">x</a>"}
SELECT 1

> select xpath('//*/@*', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{1,2,1,2}
SELECT 1

> select xpath('a.b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('a-b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('a - b', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{NaN}
SELECT 1

> select xpath('a-1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('5-1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{4}
SELECT 1

> select xpath('5 -1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{4}
SELECT 1

> select xpath('5- 1', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{4}
SELECT 1

> select xpath('//a/b/c/d', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('a/b[c]/d', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('''it''''s''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
ERROR XX000: invalid XPath expression
DETAIL: Invalid expression

> select xpath('"it''s"', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{it's}
SELECT 1

> select xpath('''''', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{""}
SELECT 1

> select xpath('string('''')', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{""}
SELECT 1

> select xpath('self::r', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/self::node()', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>\n"}
SELECT 1

> select xpath('/r/self::r', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{"<r><a i=\"1\">x</a><a i=\"2\">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a=\"1\" b=\"2\"><u/><u/><v><u/></v></t></r>"}
SELECT 1

> select xpath('/r/self::a', '<r><a i="1">x</a><a i="2">y<b>z</b></a><n>10</n><n>2</n><n>abc</n><e/><s>  a  b </s><t a="1" b="2"><u/><u/><v><u/></v></t></r>')
xpath:_xml
{}
SELECT 1

> select xpath('/r', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{}
SELECT 1

> select xpath('/d:r', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<r xmlns:p=\"urn:p\" xmlns=\"urn:d\" id=\"r1\" xml:lang=\"en-US\"><a x=\"1\" p:y=\"2\">one<b/>two</a><p:a x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns=\"\" k=\"v\"><f/></e></r>"}
SELECT 1

> select xpath('//d:a', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<a xmlns=\"urn:d\" xmlns:p=\"urn:p\" x=\"1\" p:y=\"2\">one<b/>two</a>"}
SELECT 1

> select xpath('//p:a', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\" x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a>"}
SELECT 1

> select xpath('//p:a/d:c', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<c xmlns=\"urn:d\">3</c>","<c xmlns=\"urn:d\">4.5</c>","<c xmlns=\"urn:d\">abc</c>"}
SELECT 1

> select xpath('//p:*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\" x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a>"}
SELECT 1

> select xpath('//d:*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<r xmlns:p=\"urn:p\" xmlns=\"urn:d\" id=\"r1\" xml:lang=\"en-US\"><a x=\"1\" p:y=\"2\">one<b/>two</a><p:a x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns=\"\" k=\"v\"><f/></e></r>","<a xmlns=\"urn:d\" xmlns:p=\"urn:p\" x=\"1\" p:y=\"2\">one<b/>two</a>","<b xmlns=\"urn:d\"/>","<c xmlns=\"urn:d\">3</c>","<c xmlns=\"urn:d\">4.5</c>","<c xmlns=\"urn:d\">abc</c>","<d xmlns=\"urn:d\"><![CDATA[<x>]]>t</d>"}
SELECT 1

> select xpath('//*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<r xmlns:p=\"urn:p\" xmlns=\"urn:d\" id=\"r1\" xml:lang=\"en-US\"><a x=\"1\" p:y=\"2\">one<b/>two</a><p:a x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns=\"\" k=\"v\"><f/></e></r>","<a xmlns=\"urn:d\" xmlns:p=\"urn:p\" x=\"1\" p:y=\"2\">one<b/>two</a>","<b xmlns=\"urn:d\"/>","<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\" x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a>","<c xmlns=\"urn:d\">3</c>","<c xmlns=\"urn:d\">4.5</c>","<c xmlns=\"urn:d\">abc</c>","<d xmlns=\"urn:d\"><![CDATA[<x>]]>t</d>","<e xmlns=\"\" k=\"v\"><f/></e>",<f/>}
SELECT 1

> select xpath('//@p:y', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{2}
SELECT 1

> select xpath('//@y', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{}
SELECT 1

> select xpath('//@*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{r1,en-US,1,2,2,v}
SELECT 1

> select xpath('//d:r/@id', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{r1}
SELECT 1

> select xpath('//x:a', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
ERROR XX000: could not create XPath object
DETAIL: Undefined namespace prefix

> select xpath('//e', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<e xmlns=\"\" k=\"v\"><f/></e>"}
SELECT 1

> select xpath('//e/f', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{<f/>}
SELECT 1

> select xpath('//e/@k', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{v}
SELECT 1

> select xpath('//d:d', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<d xmlns=\"urn:d\"><![CDATA[<x>]]>t</d>"}
SELECT 1

> select xpath('//d:d/text()', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{<![CDATA[<x>]]>,t}
SELECT 1

> select xpath('//namespace::*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:d,urn:p,http://www.w3.org/XML/1998/namespace,urn:p,"",http://www.w3.org/XML/1998/namespace,urn:p,""}
SELECT 1

> select xpath('//d:a/namespace::*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{http://www.w3.org/XML/1998/namespace,urn:d,urn:p}
SELECT 1

> select xpath('//d:a/namespace::p', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{urn:p}
SELECT 1

> select xpath('name(//p:a)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{p:a}
SELECT 1

> select xpath('local-name(//p:a)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{a}
SELECT 1

> select xpath('namespace-uri(//p:a)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{urn:p}
SELECT 1

> select xpath('namespace-uri(//@p:y)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{urn:p}
SELECT 1

> select xpath('name(//@p:y)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{p:y}
SELECT 1

> select xpath('//d:c[lang("en")]', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<c xmlns=\"urn:d\">3</c>","<c xmlns=\"urn:d\">4.5</c>","<c xmlns=\"urn:d\">abc</c>"}
SELECT 1

> select xpath('//d:c[lang("de")]', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{}
SELECT 1

> select xpath('//p:a/d:c[2]', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<c xmlns=\"urn:d\">4.5</c>"}
SELECT 1

> select xpath('sum(//d:c)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{NaN}
SELECT 1

> select xpath('//comment()', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{<!--note-->}
SELECT 1

> select xpath('//processing-instruction()', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<?pi some data?>"}
SELECT 1

> select xpath('//processing-instruction("pi")', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<?pi some data?>"}
SELECT 1

> select xpath('name(//processing-instruction())', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{pi}
SELECT 1

> select xpath('//d:a/node()', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{one,"<b xmlns=\"urn:d\"/>",two}
SELECT 1

> select xpath('//*[namespace-uri()="urn:p"]', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\" x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a>"}
SELECT 1

> select xpath('//@xml:lang', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{en-US}
SELECT 1

> select xpath('/', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<r xmlns:p=\"urn:p\" xmlns=\"urn:d\" id=\"r1\" xml:lang=\"en-US\"><a x=\"1\" p:y=\"2\">one<b/>two</a><p:a x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns=\"\" k=\"v\"><f/></e></r>\n"}
SELECT 1

> select xpath('//d:e', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{}
SELECT 1

> select xpath('string(/)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{onetwo34.5abc&lt;x&gt;t}
SELECT 1

> select xpath('//e/namespace::*', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{http://www.w3.org/XML/1998/namespace,urn:p,""}
SELECT 1

> select xpath('count(//e/namespace::*)', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{3}
SELECT 1

> select xpath('//p:a|//d:a', '<r xmlns:p="urn:p" xmlns="urn:d" id="r1" xml:lang="en-US"><a x="1" p:y="2">one<b/>two</a><p:a x="2"><c>3</c><c>4.5</c><c>abc</c></p:a><!--note--><?pi some data?><d><![CDATA[<x>]]>t</d><e xmlns="" k="v"><f/></e></r>', array[array['p','urn:p'],array['d','urn:d']])
xpath:_xml
{"<a xmlns=\"urn:d\" xmlns:p=\"urn:p\" x=\"1\" p:y=\"2\">one<b/>two</a>","<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\" x=\"2\"><c>3</c><c>4.5</c><c>abc</c></p:a>"}
SELECT 1

> select xpath('//*', '<a xmlns:p="urn:u"><p:b><c/></p:b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><p:b><c/></p:b></a>","<p:b xmlns:p=\"urn:u\"><c/></p:b>",<c/>}
SELECT 1

> select xpath('/*', '<a xmlns:p="urn:u"><p:b><c/></p:b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><p:b><c/></p:b></a>"}
SELECT 1

> select xpath('//@*', '<a xmlns:p="urn:u"><p:b><c/></p:b></a>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<a xmlns:p="urn:u"><p:b><c/></p:b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><p:b><c/></p:b></a>\n"}
SELECT 1

> select xpath('//text()', '<a xmlns:p="urn:u"><p:b><c/></p:b></a>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a xmlns="urn:u"><b xmlns=""><c xmlns="urn:v"/></b></a>')
xpath:_xml
{"<a xmlns=\"urn:u\"><b xmlns=\"\"><c xmlns=\"urn:v\"/></b></a>","<b xmlns=\"\"><c xmlns=\"urn:v\"/></b>","<c xmlns=\"urn:v\"/>"}
SELECT 1

> select xpath('/*', '<a xmlns="urn:u"><b xmlns=""><c xmlns="urn:v"/></b></a>')
xpath:_xml
{"<a xmlns=\"urn:u\"><b xmlns=\"\"><c xmlns=\"urn:v\"/></b></a>"}
SELECT 1

> select xpath('//@*', '<a xmlns="urn:u"><b xmlns=""><c xmlns="urn:v"/></b></a>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<a xmlns="urn:u"><b xmlns=""><c xmlns="urn:v"/></b></a>')
xpath:_xml
{"<a xmlns=\"urn:u\"><b xmlns=\"\"><c xmlns=\"urn:v\"/></b></a>\n"}
SELECT 1

> select xpath('//text()', '<a xmlns="urn:u"><b xmlns=""><c xmlns="urn:v"/></b></a>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<p:a xmlns:p="urn:u"><p:b xmlns:p="urn:v" p:c="1"/></p:a>')
xpath:_xml
{"<p:a xmlns:p=\"urn:u\"><p:b xmlns:p=\"urn:v\" p:c=\"1\"/></p:a>","<p:b xmlns:p=\"urn:v\" p:c=\"1\"/>"}
SELECT 1

> select xpath('/*', '<p:a xmlns:p="urn:u"><p:b xmlns:p="urn:v" p:c="1"/></p:a>')
xpath:_xml
{"<p:a xmlns:p=\"urn:u\"><p:b xmlns:p=\"urn:v\" p:c=\"1\"/></p:a>"}
SELECT 1

> select xpath('//@*', '<p:a xmlns:p="urn:u"><p:b xmlns:p="urn:v" p:c="1"/></p:a>')
xpath:_xml
{1}
SELECT 1

> select xpath('/', '<p:a xmlns:p="urn:u"><p:b xmlns:p="urn:v" p:c="1"/></p:a>')
xpath:_xml
{"<p:a xmlns:p=\"urn:u\"><p:b xmlns:p=\"urn:v\" p:c=\"1\"/></p:a>\n"}
SELECT 1

> select xpath('//text()', '<p:a xmlns:p="urn:u"><p:b xmlns:p="urn:v" p:c="1"/></p:a>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a xmlns:p="urn:u"><b p:c="1" q="2"><p:d/></b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><b p:c=\"1\" q=\"2\"><p:d/></b></a>","<b xmlns:p=\"urn:u\" p:c=\"1\" q=\"2\"><p:d/></b>","<p:d xmlns:p=\"urn:u\"/>"}
SELECT 1

> select xpath('/*', '<a xmlns:p="urn:u"><b p:c="1" q="2"><p:d/></b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><b p:c=\"1\" q=\"2\"><p:d/></b></a>"}
SELECT 1

> select xpath('//@*', '<a xmlns:p="urn:u"><b p:c="1" q="2"><p:d/></b></a>')
xpath:_xml
{1,2}
SELECT 1

> select xpath('/', '<a xmlns:p="urn:u"><b p:c="1" q="2"><p:d/></b></a>')
xpath:_xml
{"<a xmlns:p=\"urn:u\"><b p:c=\"1\" q=\"2\"><p:d/></b></a>\n"}
SELECT 1

> select xpath('//text()', '<a xmlns:p="urn:u"><b p:c="1" q="2"><p:d/></b></a>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a b="&lt;&amp;&gt;&quot;&apos;&#9;&#10;x&#xe9;">&lt;&amp;&gt;"''é&#13;</a>')
xpath:_xml
{"<a b=\"&lt;&amp;&gt;&quot;'&#9;&#10;x&#xE9;\">&lt;&amp;&gt;\"'é&#13;</a>"}
SELECT 1

> select xpath('/*', '<a b="&lt;&amp;&gt;&quot;&apos;&#9;&#10;x&#xe9;">&lt;&amp;&gt;"''é&#13;</a>')
xpath:_xml
{"<a b=\"&lt;&amp;&gt;&quot;'&#9;&#10;x&#xE9;\">&lt;&amp;&gt;\"'é&#13;</a>"}
SELECT 1

> select xpath('//@*', '<a b="&lt;&amp;&gt;&quot;&apos;&#9;&#10;x&#xe9;">&lt;&amp;&gt;"''é&#13;</a>')
xpath:_xml
{"&lt;&amp;&gt;\"'	\nxé"}
SELECT 1

> select xpath('/', '<a b="&lt;&amp;&gt;&quot;&apos;&#9;&#10;x&#xe9;">&lt;&amp;&gt;"''é&#13;</a>')
xpath:_xml
{"<a b=\"&lt;&amp;&gt;&quot;'&#9;&#10;xé\">&lt;&amp;&gt;\"'é&#13;</a>\n"}
SELECT 1

> select xpath('//text()', '<a b="&lt;&amp;&gt;&quot;&apos;&#9;&#10;x&#xe9;">&lt;&amp;&gt;"''é&#13;</a>')
xpath:_xml
{"&lt;&amp;&gt;\"'é&#x0d;"}
SELECT 1

> select xpath('//*', '<a><b>1</b> <b>2</b>
> </a>')
xpath:_xml
{"<a><b>1</b> <b>2</b>\n</a>",<b>1</b>,<b>2</b>}
SELECT 1

> select xpath('/*', '<a><b>1</b> <b>2</b>
> </a>')
xpath:_xml
{"<a><b>1</b> <b>2</b>\n</a>"}
SELECT 1

> select xpath('//@*', '<a><b>1</b> <b>2</b>
> </a>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<a><b>1</b> <b>2</b>
> </a>')
xpath:_xml
{"<a><b>1</b> <b>2</b>\n</a>\n"}
SELECT 1

> select xpath('//text()', '<a><b>1</b> <b>2</b>
> </a>')
xpath:_xml
{1," ",2,""}
SELECT 1

> select xpath('//*', '<a><!-- x --><?y z?><![CDATA[]]></a>')
xpath:_xml
{"<a><!-- x --><?y z?><![CDATA[]]></a>"}
SELECT 1

> select xpath('/*', '<a><!-- x --><?y z?><![CDATA[]]></a>')
xpath:_xml
{"<a><!-- x --><?y z?><![CDATA[]]></a>"}
SELECT 1

> select xpath('//@*', '<a><!-- x --><?y z?><![CDATA[]]></a>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<a><!-- x --><?y z?><![CDATA[]]></a>')
xpath:_xml
{"<a><!-- x --><?y z?><![CDATA[]]></a>\n"}
SELECT 1

> select xpath('//text()', '<a><!-- x --><?y z?><![CDATA[]]></a>')
xpath:_xml
{<![CDATA[]]>}
SELECT 1

> select xpath('//*', '<a b=''x"y''/>')
xpath:_xml
{"<a b=\"x&quot;y\"/>"}
SELECT 1

> select xpath('/*', '<a b=''x"y''/>')
xpath:_xml
{"<a b=\"x&quot;y\"/>"}
SELECT 1

> select xpath('//@*', '<a b=''x"y''/>')
xpath:_xml
{"x\"y"}
SELECT 1

> select xpath('/', '<a b=''x"y''/>')
xpath:_xml
{"<a b=\"x&quot;y\"/>\n"}
SELECT 1

> select xpath('//text()', '<a b=''x"y''/>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a b="x
> y	z"/>')
xpath:_xml
{"<a b=\"x y z\"/>"}
SELECT 1

> select xpath('/*', '<a b="x
> y	z"/>')
xpath:_xml
{"<a b=\"x y z\"/>"}
SELECT 1

> select xpath('//@*', '<a b="x
> y	z"/>')
xpath:_xml
{"x y z"}
SELECT 1

> select xpath('/', '<a b="x
> y	z"/>')
xpath:_xml
{"<a b=\"x y z\"/>\n"}
SELECT 1

> select xpath('//text()', '<a b="x
> y	z"/>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a>x&#x41;&#66;</a>')
xpath:_xml
{<a>xAB</a>}
SELECT 1

> select xpath('/*', '<a>x&#x41;&#66;</a>')
xpath:_xml
{<a>xAB</a>}
SELECT 1

> select xpath('//@*', '<a>x&#x41;&#66;</a>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<a>x&#x41;&#66;</a>')
xpath:_xml
{"<a>xAB</a>\n"}
SELECT 1

> select xpath('//text()', '<a>x&#x41;&#66;</a>')
xpath:_xml
{xAB}
SELECT 1

> select xpath('//*', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:space="preserve"> </a>')
xpath:_xml
{"<a xml:space=\"preserve\"> </a>"}
SELECT 1

> select xpath('/*', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:space="preserve"> </a>')
xpath:_xml
{"<a xml:space=\"preserve\"> </a>"}
SELECT 1

> select xpath('//@*', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:space="preserve"> </a>')
xpath:_xml
{preserve}
SELECT 1

> select xpath('/', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:space="preserve"> </a>')
xpath:_xml
{"<a xml:space=\"preserve\"> </a>\n"}
SELECT 1

> select xpath('//text()', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:space="preserve"> </a>')
xpath:_xml
{" "}
SELECT 1

> select xpath('//*', '<é à="ü">ö</é>')
xpath:_xml
{"<é à=\"&#xFC;\">ö</é>"}
SELECT 1

> select xpath('/*', '<é à="ü">ö</é>')
xpath:_xml
{"<é à=\"&#xFC;\">ö</é>"}
SELECT 1

> select xpath('//@*', '<é à="ü">ö</é>')
xpath:_xml
{ü}
SELECT 1

> select xpath('/', '<é à="ü">ö</é>')
xpath:_xml
{"<é à=\"ü\">ö</é>\n"}
SELECT 1

> select xpath('//text()', '<é à="ü">ö</é>')
xpath:_xml
{ö}
SELECT 1

> select xpath('//*', '<!DOCTYPE a><a/>')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('/*', '<!DOCTYPE a><a/>')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('//@*', '<!DOCTYPE a><a/>')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<!DOCTYPE a><a/>')
xpath:_xml
{"<!DOCTYPE a>\n<a/>\n"}
SELECT 1

> select xpath('//text()', '<!DOCTYPE a><a/>')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<!-- c --><a/><!-- d -->')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('/*', '<!-- c --><a/><!-- d -->')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('//@*', '<!-- c --><a/><!-- d -->')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<!-- c --><a/><!-- d -->')
xpath:_xml
{"<!-- c -->\n<a/>\n<!-- d -->\n"}
SELECT 1

> select xpath('//text()', '<!-- c --><a/><!-- d -->')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<?xml version="1.0"?>
> <a/>
> ')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('/*', '<?xml version="1.0"?>
> <a/>
> ')
xpath:_xml
{<a/>}
SELECT 1

> select xpath('//@*', '<?xml version="1.0"?>
> <a/>
> ')
xpath:_xml
{}
SELECT 1

> select xpath('/', '<?xml version="1.0"?>
> <a/>
> ')
xpath:_xml
{"<a/>\n"}
SELECT 1

> select xpath('//text()', '<?xml version="1.0"?>
> <a/>
> ')
xpath:_xml
{}
SELECT 1

> select xpath('//*', '<a xmlns:p=""/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns:p: Empty XML namespace is not allowed\n<a xmlns:p=""/>\n             ^

> select xpath('/*', '<a xmlns:p=""/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns:p: Empty XML namespace is not allowed\n<a xmlns:p=""/>\n             ^

> select xpath('//@*', '<a xmlns:p=""/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns:p: Empty XML namespace is not allowed\n<a xmlns:p=""/>\n             ^

> select xpath('/', '<a xmlns:p=""/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns:p: Empty XML namespace is not allowed\n<a xmlns:p=""/>\n             ^

> select xpath('//text()', '<a xmlns:p=""/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns:p: Empty XML namespace is not allowed\n<a xmlns:p=""/>\n             ^

> select xpath('//*', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xml namespace URI cannot be the default namespace\n<a xmlns="http://www.w3.org/XML/1998/namespace"/>\n                                               ^

> select xpath('/*', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xml namespace URI cannot be the default namespace\n<a xmlns="http://www.w3.org/XML/1998/namespace"/>\n                                               ^

> select xpath('//@*', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xml namespace URI cannot be the default namespace\n<a xmlns="http://www.w3.org/XML/1998/namespace"/>\n                                               ^

> select xpath('/', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xml namespace URI cannot be the default namespace\n<a xmlns="http://www.w3.org/XML/1998/namespace"/>\n                                               ^

> select xpath('//text()', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xml namespace URI cannot be the default namespace\n<a xmlns="http://www.w3.org/XML/1998/namespace"/>\n                                               ^

> select xpath('//*', '<a xmlns:xmlns="x"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: redefinition of the xmlns prefix is forbidden\n<a xmlns:xmlns="x"/>\n                  ^

> select xpath('/*', '<a xmlns:xmlns="x"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: redefinition of the xmlns prefix is forbidden\n<a xmlns:xmlns="x"/>\n                  ^

> select xpath('//@*', '<a xmlns:xmlns="x"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: redefinition of the xmlns prefix is forbidden\n<a xmlns:xmlns="x"/>\n                  ^

> select xpath('/', '<a xmlns:xmlns="x"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: redefinition of the xmlns prefix is forbidden\n<a xmlns:xmlns="x"/>\n                  ^

> select xpath('//text()', '<a xmlns:xmlns="x"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: redefinition of the xmlns prefix is forbidden\n<a xmlns:xmlns="x"/>\n                  ^

> select xpath('//*', '<a p:b="1"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespace prefix p for b on a is not defined\n<a p:b="1"/>\n          ^

> select xpath('/*', '<a p:b="1"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespace prefix p for b on a is not defined\n<a p:b="1"/>\n          ^

> select xpath('//@*', '<a p:b="1"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespace prefix p for b on a is not defined\n<a p:b="1"/>\n          ^

> select xpath('/', '<a p:b="1"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespace prefix p for b on a is not defined\n<a p:b="1"/>\n          ^

> select xpath('//text()', '<a p:b="1"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespace prefix p for b on a is not defined\n<a p:b="1"/>\n          ^

> select xpath('//*', '<a b="1" b="2"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xpath('/*', '<a b="1" b="2"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xpath('//@*', '<a b="1" b="2"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xpath('/', '<a b="1" b="2"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xpath('//text()', '<a b="1" b="2"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xpath('//*', '<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespaced Attribute b in 'urn:u' redefined\n<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>\n                                                  ^

> select xpath('/*', '<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespaced Attribute b in 'urn:u' redefined\n<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>\n                                                  ^

> select xpath('//@*', '<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespaced Attribute b in 'urn:u' redefined\n<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>\n                                                  ^

> select xpath('/', '<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespaced Attribute b in 'urn:u' redefined\n<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>\n                                                  ^

> select xpath('//text()', '<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Namespaced Attribute b in 'urn:u' redefined\n<a xmlns:p="urn:u" xmlns:q="urn:u" p:b="1" q:b="2"/>\n                                                  ^

> select xpath('//*', '<a xmlns="urn:u" xmlns="urn:v"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute xmlns redefined\n<a xmlns="urn:u" xmlns="urn:v"/>\n                              ^

> select xpath('/*', '<a xmlns="urn:u" xmlns="urn:v"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute xmlns redefined\n<a xmlns="urn:u" xmlns="urn:v"/>\n                              ^

> select xpath('//@*', '<a xmlns="urn:u" xmlns="urn:v"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute xmlns redefined\n<a xmlns="urn:u" xmlns="urn:v"/>\n                              ^

> select xpath('/', '<a xmlns="urn:u" xmlns="urn:v"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute xmlns redefined\n<a xmlns="urn:u" xmlns="urn:v"/>\n                              ^

> select xpath('//text()', '<a xmlns="urn:u" xmlns="urn:v"/>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute xmlns redefined\n<a xmlns="urn:u" xmlns="urn:v"/>\n                              ^

> select xpath('//*', '<a xmlns="a b"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: 'a b' is not a valid URI\n<a xmlns="a b"/>\n              ^

> select xpath('/*', '<a xmlns="a b"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: 'a b' is not a valid URI\n<a xmlns="a b"/>\n              ^

> select xpath('//@*', '<a xmlns="a b"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: 'a b' is not a valid URI\n<a xmlns="a b"/>\n              ^

> select xpath('/', '<a xmlns="a b"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: 'a b' is not a valid URI\n<a xmlns="a b"/>\n              ^

> select xpath('//text()', '<a xmlns="a b"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: 'a b' is not a valid URI\n<a xmlns="a b"/>\n              ^

> select xpath('//*', '<a xmlns="%zz"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: '%zz' is not a valid URI\n<a xmlns="%zz"/>\n              ^

> select xpath('/*', '<a xmlns="%zz"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: '%zz' is not a valid URI\n<a xmlns="%zz"/>\n              ^

> select xpath('//@*', '<a xmlns="%zz"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: '%zz' is not a valid URI\n<a xmlns="%zz"/>\n              ^

> select xpath('/', '<a xmlns="%zz"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: '%zz' is not a valid URI\n<a xmlns="%zz"/>\n              ^

> select xpath('//text()', '<a xmlns="%zz"/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: xmlns: '%zz' is not a valid URI\n<a xmlns="%zz"/>\n              ^

> select xpath('//*', '<a:b:c/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:b:'\n<a:b:c/>\n    ^\nline 1: Namespace prefix a on b:c is not defined\n<a:b:c/>\n      ^

> select xpath('/*', '<a:b:c/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:b:'\n<a:b:c/>\n    ^\nline 1: Namespace prefix a on b:c is not defined\n<a:b:c/>\n      ^

> select xpath('//@*', '<a:b:c/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:b:'\n<a:b:c/>\n    ^\nline 1: Namespace prefix a on b:c is not defined\n<a:b:c/>\n      ^

> select xpath('/', '<a:b:c/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:b:'\n<a:b:c/>\n    ^\nline 1: Namespace prefix a on b:c is not defined\n<a:b:c/>\n      ^

> select xpath('//text()', '<a:b:c/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:b:'\n<a:b:c/>\n    ^\nline 1: Namespace prefix a on b:c is not defined\n<a:b:c/>\n      ^

> select xpath('//*', '<a:/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:'\n<a:/>\n   ^

> select xpath('/*', '<a:/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:'\n<a:/>\n   ^

> select xpath('//@*', '<a:/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:'\n<a:/>\n   ^

> select xpath('/', '<a:/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:'\n<a:/>\n   ^

> select xpath('//text()', '<a:/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Failed to parse QName 'a:'\n<a:/>\n   ^

> select xpath('//*', '<?x:y z?><a/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: colons are forbidden from PI names 'x:y'\n<?x:y z?><a/>\n     ^

> select xpath('/*', '<?x:y z?><a/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: colons are forbidden from PI names 'x:y'\n<?x:y z?><a/>\n     ^

> select xpath('//@*', '<?x:y z?><a/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: colons are forbidden from PI names 'x:y'\n<?x:y z?><a/>\n     ^

> select xpath('/', '<?x:y z?><a/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: colons are forbidden from PI names 'x:y'\n<?x:y z?><a/>\n     ^

> select xpath('//text()', '<?x:y z?><a/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: colons are forbidden from PI names 'x:y'\n<?x:y z?><a/>\n     ^

> select xpath('//*', '<a xmlns:p="urn:u"/><b/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Extra content at the end of the document\n<a xmlns:p="urn:u"/><b/>\n                    ^

> select xpath('/*', '<a xmlns:p="urn:u"/><b/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Extra content at the end of the document\n<a xmlns:p="urn:u"/><b/>\n                    ^

> select xpath('//@*', '<a xmlns:p="urn:u"/><b/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Extra content at the end of the document\n<a xmlns:p="urn:u"/><b/>\n                    ^

> select xpath('/', '<a xmlns:p="urn:u"/><b/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Extra content at the end of the document\n<a xmlns:p="urn:u"/><b/>\n                    ^

> select xpath('//text()', '<a xmlns:p="urn:u"/><b/>')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Extra content at the end of the document\n<a xmlns:p="urn:u"/><b/>\n                    ^

> select xpath('//*', '<a><b></a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a>\n          ^\nline 1: Premature end of data in tag a line 1\n<a><b></a>\n          ^

> select xpath('/*', '<a><b></a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a>\n          ^\nline 1: Premature end of data in tag a line 1\n<a><b></a>\n          ^

> select xpath('//@*', '<a><b></a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a>\n          ^\nline 1: Premature end of data in tag a line 1\n<a><b></a>\n          ^

> select xpath('/', '<a><b></a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a>\n          ^\nline 1: Premature end of data in tag a line 1\n<a><b></a>\n          ^

> select xpath('//text()', '<a><b></a>')
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a>\n          ^\nline 1: Premature end of data in tag a line 1\n<a><b></a>\n          ^

> select xpath('//*', 'x')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nx\n^

> select xpath('/*', 'x')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nx\n^

> select xpath('//@*', 'x')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nx\n^

> select xpath('/', 'x')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nx\n^

> select xpath('//text()', 'x')
ERROR 2200M: could not parse XML document
DETAIL: line 1: Start tag expected, '<' not found\nx\n^
