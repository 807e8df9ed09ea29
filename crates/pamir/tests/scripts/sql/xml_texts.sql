# xml: what a text may be, and what is said of one that is not.

> select xmlparse(document '')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: switching encoding : no input\n\n^\nline 1: Document is empty\n\n^

> select xmlparse(content '<a b="<"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Unescaped '<' not allowed in attributes values\n<a b="<"/>\n      ^\nline 1: attributes construct error\n<a b="<"/>\n      ^\nline 1: Couldn't find end of Start Tag a line 1\n<a b="<"/>\n      ^\nline 1: StartTag: invalid element name\n<a b="<"/>\n       ^

> select xmlparse(content '<a b=c/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: AttValue: " or ' expected\n<a b=c/>\n     ^\nline 1: attributes construct error\n<a b=c/>\n     ^\nline 1: Couldn't find end of Start Tag a line 1\n<a b=c/>\n     ^

> select xmlparse(content '<a b/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Specification mandates value for attribute b\n<a b/>\n    ^

> select xmlparse(content '<a b="1"c="2"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: attributes construct error\n<a b="1"c="2"/>\n        ^\nline 1: Couldn't find end of Start Tag a line 1\n<a b="1"c="2"/>\n        ^

> select xmlparse(content '<a b="1" b="2"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Attribute b redefined\n<a b="1" b="2"/>\n              ^

> select xmlparse(content '<a>x]]>y</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Sequence ']]>' not allowed in content\n<a>x]]>y</a>\n   ^

> select xmlparse(content 'a]]>b')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Sequence ']]>' not allowed in content\na]]>b\n^

> select xmlparse(content E'a\x01b<b>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: PCDATA invalid Char value 1\nab<b>\n ^\nline 1: Premature end of data in tag b line 1\nab<b>\n      ^

> select xmlparse(content '<a>&#0;</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: xmlParseCharRef: invalid xmlChar value 0\n<a>&#0;</a>\n       ^

> select xmlparse(content '<a>&#xzz;</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: CharRef: invalid hexadecimal value\n<a>&#xzz;</a>\n      ^\nline 1: xmlParseCharRef: invalid xmlChar value 0\n<a>&#xzz;</a>\n      ^

> select xmlparse(content '<a>&#999999999;</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: xmlParseCharRef: character reference out of bounds\n<a>&#999999999;</a>\n               ^

> select xmlparse(content '<a>&foo</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: EntityRef: expecting ';'\n<a>&foo</a>\n       ^

> select xmlparse(content '<!-- a -- b -->')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Double hyphen within comment: <!-- a \n<!-- a -- b -->\n       ^

> select xmlparse(content '<!-- abc')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Comment not terminated\n<!-- abc\n        ^

> select xmlparse(content '<!-- abc --->')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Double hyphen within comment: <!-- abc \n<!-- abc --->\n         ^\nline 1: Comment not terminated\n<!-- abc --->\n             ^

> select xmlparse(content '<![CDATA[abc')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: CData section not finished\na\n<![CDATA[abc\n            ^

> select xmlparse(content '<?foo')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: ParsePI: PI foo space expected\n<?foo\n     ^\nline 1: ParsePI: PI foo never end ...\n<?foo\n     ^

> select xmlparse(content '<?foo bar')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: ParsePI: PI foo never end ...\n<?foo bar\n         ^

> select xmlparse(content '<?foo/bar?>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: ParsePI: PI foo space expected\n<?foo/bar?>\n     ^

> select xmlparse(content '<??>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: xmlParsePI : no target name\n<??>\n  ^

> select xmlparse(content '<?XML foo?>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Invalid PI name\n<?XML foo?>\n     ^

> select xmlparse(content 'a<?xml version="1.0"?>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: XML declaration allowed only at the start of the document\na<?xml version="1.0"?>\n      ^

> select xmlparse(content '</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: chunk is not well balanced\n</a>\n^

> select xmlparse(content '<a></b>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: a line 1 and b\n<a></b>\n       ^

> select xmlparse(content '<a><b></a></b>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and a\n<a><b></a></b>\n          ^\nline 1: Opening and ending tag mismatch: a line 1 and b\n<a><b></a></b>\n              ^

> select xmlparse(content '<a')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Couldn't find end of Start Tag a line 1\n<a\n  ^

> select xmlparse(content '<a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Premature end of data in tag a line 1\n<a>\n   ^

> select xmlparse(content '<a><b>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Premature end of data in tag b line 1\n<a><b>\n      ^

> select xmlparse(content '<a></a')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: expected '>'\n<a></a\n      ^

> select xmlparse(content '<a></a b>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: expected '>'\n<a></a b>\n       ^

> select xmlparse(content '<a></>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: a line 1 and unparsable\n<a></>\n      ^

> select xmlparse(content '<a:b></a:c>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Opening and ending tag mismatch: b line 1 and c\n<a:b></a:c>\n           ^

> select xmlparse(content '<a b="x')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: AttValue: ' expected\n<a b="x\n       ^\nline 1: attributes construct error\n<a b="x\n       ^\nline 1: Couldn't find end of Start Tag a line 1\n<a b="x\n       ^

> select xmlparse(content '<a b="&foo;"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: Entity 'foo' not defined\n<a b="&foo;"/>\n           ^

> select xmlparse(content '<a b="&#0;"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: xmlParseCharRef: invalid xmlChar value 0\n<a b="&#0;"/>\n          ^

> select xmlparse(content E'<a b="\x01"/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: invalid character in attribute value\n<a b=""/>\n      ^\nline 1: attributes construct error\n<a b=""/>\n      ^\nline 1: Couldn't find end of Start Tag a line 1\n<a b=""/>\n      ^\nline 1: PCDATA invalid Char value 1\n<a b=""/>\n      ^

> select xmlparse(content E'<a>\n<b></c>\n</a>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 2: Opening and ending tag mismatch: b line 2 and c\n<b></c>\n       ^

> select xmlparse(content '<1a/>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: StartTag: invalid element name\n<1a/>\n ^

> select xmlparse(content '<a:/>')
xmlparse:xml
<a:/>
SELECT 1

> select xmlparse(content '<a::b/>')
xmlparse:xml
<a::b/>
SELECT 1

> select xmlparse(content '<:a/>')
xmlparse:xml
<:a/>
SELECT 1

> select xmlparse(document '<a/>x')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Extra content at the end of the document\n<a/>x\n    ^

> select xmlparse(document '<a/><!-- -- -->')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Double hyphen within comment: <!-- \n<a/><!-- -- -->\n         ^

> select xmlparse(document ' <?xml version="1.0"?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: XML declaration allowed only at the start of the document\n <?xml version="1.0"?><a/>\n      ^

> select xmlparse(document '<?xml?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: XML declaration allowed only at the start of the document\n<?xml?><a/>\n     ^

> select xmlparse(document '<?xml version="1.0" foo?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: parsing XML declaration: '?>' expected\n<?xml version="1.0" foo?><a/>\n                    ^

> select xmlparse(document '<?xml version="x"?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: String not closed expecting " or '\n<?xml version="x"?><a/>\n               ^\nline 1: Malformed declaration expecting version\n<?xml version="x"?><a/>\n               ^\nline 1: Blank needed here\n<?xml version="x"?><a/>\n               ^\nline 1: parsing XML declaration: '?>' expected\n<?xml version="x"?><a/>\n               ^

> select xmlparse(document '<?xml version="1.0" encoding="foo"?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Unsupported encoding foo\n<?xml version="1.0" encoding="foo"?><a/>\n                                  ^

> select xmlparse(document '<?xml version="1.0" encoding="latin1"?><a>ä</a>')
xmlparse:xml
<a>ä</a>
SELECT 1

> select xmlparse(document '<?xml version="1.0" standalone="maybe"?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: standalone accepts only 'yes' or 'no'\n<?xml version="1.0" standalone="maybe"?><a/>\n                                ^\nline 1: String not closed expecting " or '\n<?xml version="1.0" standalone="maybe"?><a/>\n                                ^\nline 1: parsing XML declaration: '?>' expected\n<?xml version="1.0" standalone="maybe"?><a/>\n                                ^

> select xmlparse(document '<?xml version="1.0" encoding=""?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Invalid XML encoding name\n<?xml version="1.0" encoding=""?><a/>\n                              ^

> select xmlparse(document '<?xml version="2.0"?><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Unsupported version '2.0'\n<?xml version="2.0"?><a/>\n                   ^

> select xmlparse(content '<?xml?><a/>')
xmlparse:xml
ERROR 2200N: invalid XML content: invalid XML declaration
DETAIL: Space required.

> select xmlparse(content '<!foo>')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: StartTag: invalid element name\n<!foo>\n ^

> select xmlparse(content '<![foo')
xmlparse:xml
ERROR 2200N: invalid XML content
DETAIL: line 1: StartTag: invalid element name\n<![foo\n ^

> select xmlparse(document '<!DOCTYPE>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: xmlParseDocTypeDecl : no DOCTYPE name !\n<!DOCTYPE>\n         ^\nline 1: Start tag expected, '<' not found\n<!DOCTYPE>\n          ^

> select xmlparse(document '<!DOCTYPE a [<!ENTITY b "c<d>e</d>">]><a>&b;&b;</a>')
xmlparse:xml
<!DOCTYPE a [<!ENTITY b "c<d>e</d>">]><a>&b;&b;</a>
SELECT 1

> select xmlparse(document '<!DOCTYPE a [<!ENTITY b "c<d>e">]><a>&b;</a>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Premature end of data in tag d line 1\nc<d>e\n     ^\nline 1: Entity 'b' failed to parse\n<!DOCTYPE a [<!ENTITY b "c<d>e">]><a>&b;</a>\n                                        ^

> select xmlparse(document '<!DOCTYPE a [<!ENTITY b "x">]><a c="&b;">&b;</a>')
xmlparse:xml
<!DOCTYPE a [<!ENTITY b "x">]><a c="&b;">&b;</a>
SELECT 1

> select xmlparse(document '<!DOCTYPE a [<!FOO b>]><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: internal error: xmlParseInternalSubset: error detected in Markup declaration\n<!DOCTYPE a [<!FOO b>]><a/>\n             ^\nline 1: DOCTYPE improperly terminated\n<!DOCTYPE a [<!FOO b>]><a/>\n             ^\nline 1: StartTag: invalid element name\n<!DOCTYPE a [<!FOO b>]><a/>\n              ^\nline 1: Extra content at the end of the document\n<!DOCTYPE a [<!FOO b>]><a/>\n              ^

> select xmlparse(document '<!DOCTYPE a [<!ELEMENT a (b)><!ATTLIST a c CDATA "d">]><a/>')
xmlparse:xml
<!DOCTYPE a [<!ELEMENT a (b)><!ATTLIST a c CDATA "d">]><a/>
SELECT 1

> select xmlparse(document '<!DOCTYPE a [<a>]><a/>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: internal error: xmlParseInternalSubset: error detected in Markup declaration\n<!DOCTYPE a [<a>]><a/>\n             ^\nline 1: DOCTYPE improperly terminated\n<!DOCTYPE a [<a>]><a/>\n             ^\nline 1: Premature end of data in tag a line 1\n<!DOCTYPE a [<a>]><a/>\n                      ^

> select xmlparse(document '<!DOCTYPE a [ ]')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: DOCTYPE improperly terminated\n<!DOCTYPE a [ ]\n               ^\nline 1: Start tag expected, '<' not found\n<!DOCTYPE a [ ]\n               ^

> select xmlparse(document '<!DOCTYPE a SYSTEM>')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Space required after 'SYSTEM'\n<!DOCTYPE a SYSTEM>\n                  ^\nline 1: SystemLiteral " or ' expected\n<!DOCTYPE a SYSTEM>\n                  ^\nline 1: SYSTEM or PUBLIC, the URI is missing\n<!DOCTYPE a SYSTEM>\n                  ^\nline 1: Start tag expected, '<' not found\n<!DOCTYPE a SYSTEM>\n                   ^

> select xmlparse(document '<!DOCTYPE a PUBLIC "x">')
xmlparse:xml
ERROR 2200M: invalid XML document
DETAIL: line 1: Space required after the Public Identifier\n<!DOCTYPE a PUBLIC "x">\n                      ^\nline 1: SystemLiteral " or ' expected\n<!DOCTYPE a PUBLIC "x">\n                      ^\nline 1: SYSTEM or PUBLIC, the URI is missing\n<!DOCTYPE a PUBLIC "x">\n                      ^\nline 1: Start tag expected, '<' not found\n<!DOCTYPE a PUBLIC "x">\n                       ^

> select xmlparse(document '<!DOCTYPE a SYSTEM "foo"><a>&x;</a>')
xmlparse:xml
<!DOCTYPE a SYSTEM "foo"><a>&x;</a>
SELECT 1

> select xpath('//text()', '<r><![CDATA[a]]><![CDATA[b]]>c<![CDATA[d]]></r>'), xpath('count(//text())', '<r><![CDATA[a]]><![CDATA[b]]></r>'), xpath('/r','<r><![CDATA[a]]]]><![CDATA[>b]]></r>')
xpath:_xml | xpath:_xml | xpath:_xml
{<![CDATA[ab]]>,c,<![CDATA[d]]>} | {1} | {<r><![CDATA[a]]]]><![CDATA[>b]]></r>}
SELECT 1

> select '<r><![CDATA[a]]><![CDATA[b</r>'::xml
ERROR 2200N: invalid XML content
DETAIL: line 1: CData section not finished\nb</\n<r><![CDATA[a]]><![CDATA[b</r>\n                              ^\nline 1: Premature end of data in tag r line 1\n<r><![CDATA[a]]><![CDATA[b</r>\n                              ^

> select '<r><![CDATA[]]><![CDATA[]]></r>'::xml, xpath('/r/node()', '<r><![CDATA[]]><![CDATA[]]></r>')
xml:xml | xpath:_xml
<r><![CDATA[]]><![CDATA[]]></r> | {<![CDATA[]]>}
SELECT 1

