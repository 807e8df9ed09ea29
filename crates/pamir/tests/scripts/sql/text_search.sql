# tsvector, tsquery, and what makes and reads them.

> select '1'::tsvector, '1 '::tsvector, ' 1 '::tsvector, '1 2'::tsvector, $$'1 2'$$::tsvector, $$'1 \'2'$$::tsvector, $$'1 \'2'3$$::tsvector, $$'1 \'2' ' 4'''$$::tsvector
tsvector:tsvector | tsvector:tsvector | tsvector:tsvector | tsvector:tsvector | tsvector:tsvector | tsvector:tsvector | tsvector:tsvector | tsvector:tsvector
'1' | '1' | '1' | '1' '2' | '1 2' | '1 ''2' | '1 ''2' '3' | ' 4''' '1 ''2'
SELECT 1

> select 'a:1,3,2,1 b:5A,6B,7c,8 c:99999 d:0001 '::tsvector, $$'\\as' ab\c ab\\c AB\\\c ab\\\\c$$::tsvector
tsvector:tsvector | tsvector:tsvector
'a':1,2,3 'b':5A,6B,7C,8 'c':16383 'd':1 | 'AB\\c' '\\as' 'ab\\\\c' 'ab\\c' 'abc'
SELECT 1

> select $$'w':4A,3B,2C,1D,5 a:8 w:1A$$::tsvector, 'a:3A b:2a'::tsvector || 'ba:1234 a:1B'::tsvector, '1 2:1'::tsvector || ''::tsvector
tsvector:tsvector | ?column?:tsvector | ?column?:tsvector
'a':8 'w':1A,2C,3B,4A,5 | 'a':3A,4B 'b':2A 'ba':1237 | '1' '2':1
SELECT 1

> select ''''::tsvector
ERROR 42601: syntax error in tsvector: "'"

> select 'a:b'::tsvector
ERROR 42601: syntax error in tsvector: "a:b"

> select 'a:0'::tsvector
ERROR 42601: wrong position info in tsvector: "a:0"

> select 'a\'::tsvector
ERROR 42601: there is no escaped character: "a\"

> select 'a:1ab'::tsvector
ERROR 42601: syntax error in tsvector: "a:1ab"

> select '1'::tsquery, '1 & 2'::tsquery, '!1'::tsquery, '!!b'::tsquery, '1|2&!3'::tsquery, '!(!1&!(2|4))'::tsquery, '1&(2&(4&(5|!6)))'::tsquery, '1 | 2 & (3|!4)&5'::tsquery
tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery
'1' | '1' & '2' | !'1' | !!'b' | '1' | '2' & !'3' | !( !'1' & !( '2' | '4' ) ) | '1' & '2' & '4' & ( '5' | !'6' ) | '1' | '2' & ( '3' | !'4' ) & '5'
SELECT 1

> select 'a <-> b <2> c'::tsquery, 'a <-> (b <-> c)'::tsquery, '(a | b) <-> c:*AB'::tsquery, $$'it''s' & a\\b$$::tsquery, 'a:* & nbb:*ac | doo:a* | goo'::tsquery
tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery | tsquery:tsquery
'a' <-> 'b' <2> 'c' | 'a' <-> ( 'b' <-> 'c' ) | ( 'a' | 'b' ) <-> 'c':*AB | 'it''s' & 'a\\b' | 'a':* & 'nbb':*AC | 'doo':*A | 'goo'
SELECT 1

> select 'a & '::tsquery
ERROR 42601: no operand in tsquery: "a & "

> select '(a'::tsquery
ERROR 42601: syntax error in tsquery: "(a"

> select 'a b'::tsquery
ERROR 42601: syntax error in tsquery: "a b"

> select 'a <99999> b'::tsquery
ERROR 22023: distance in phrase operator must be an integer value between zero and 16384 inclusive

> select '<a'::tsquery
ERROR 42601: syntax error in tsquery: "<a"

> select 'a' < 'b & c'::tsquery as "true", 'a' > 'b & c'::tsquery as "false", 'a | f' < 'b & c'::tsquery as t, 'a | ff' < 'b & c'::tsquery as f, 'a | f | g' < 'b & c'::tsquery as x
true:bool | false:bool | t:bool | f:bool | x:bool
t | f | t | f | f
SELECT 1

> select numnode('new'::tsquery), numnode('new & york'::tsquery), numnode('new & york | qwery'::tsquery), querytree('foo & !bar'::tsquery), querytree('!bar'::tsquery), querytree('foo | !bar'::tsquery)
numnode:int4 | numnode:int4 | numnode:int4 | querytree:text | querytree:text | querytree:text
1 | 3 | 5 | 'foo' | T | T
SELECT 1

> select 'foo & bar'::tsquery && 'asd', 'foo & bar'::tsquery || 'asd & fg', 'foo & bar'::tsquery || !!'asd & fg'::tsquery, 'foo & bar'::tsquery <-> 'asd | fg', tsquery_phrase('a', 'b & c', 4)
?column?:tsquery | ?column?:tsquery | ?column?:tsquery | ?column?:tsquery | tsquery_phrase:tsquery
'foo' & 'bar' & 'asd' | 'foo' & 'bar' | 'asd' & 'fg' | 'foo' & 'bar' | !( 'asd' & 'fg' ) | ( 'foo' & 'bar' ) <-> ( 'asd' | 'fg' ) | 'a' <4> ( 'b' & 'c' )
SELECT 1

> select tsquery_phrase('a', 'b', -1)
ERROR 22023: distance in phrase operator must be an integer value between zero and 16384 inclusive

> select 'a b:89  ca:23A,64b d:34c'::tsvector @@ 'd:AC & ca' as a, 'a b:89  ca:23A,64b d:34c'::tsvector @@ 'd:AC & ca:B' as b, 'a b:89 ca:23A,64b d:34c'::tsvector @@ 'd:AC & c:*C' as c, 'a b:89 ca:23A,64b d:34c'::tsvector @@ 'd:AC & c:*CB' as d, 'wa:1A'::tsvector @@ 'w:*D|w:*A'::tsquery as e
a:bool | b:bool | c:bool | d:bool | e:bool
t | t | f | t | t
SELECT 1

> select to_tsvector('simple', '1 2 3 1') @@ '1 <-> 2' as a, to_tsvector('simple', '1 2 1 2') @@ '1 <3> 2' as b, to_tsvector('simple', '1 2 11 3') @@ '1:* <-> 3' as c, to_tsvector('simple', '1 2 3 4') @@ '(1 <-> 2) <-> 3' as d, to_tsvector('simple', '1 2 3 4') @@ '1 <-> (2 <-> 3)' as e, to_tsvector('simple', 'q x q y') @@ 'q <-> (x & y)' as f, to_tsvector('simple', 'q x') @@ 'q <-> (!x <-> !y)' as g, to_tsvector('simple', 'q y') @@ '!x <-> y' as h
a:bool | b:bool | c:bool | d:bool | e:bool | f:bool | g:bool | h:bool
t | t | t | t | t | f | f | t
SELECT 1

> select strip('w:12B w:13* w:12,5,6 a:1,3* a:3 w asd:1dc asd')::tsvector @@ 'w <-> a' as a, 'a:1 b:2'::tsvector @@ '!(a <-> b)', 'a b'::tsvector @@ 'a <-> b', 'a b'::tsvector @@ '!(a <-> b)', 'a'::tsvector @@ 'a:A', 'a:1'::tsvector @@ 'a:A'
a:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
f | f | f | t | t | f
SELECT 1

> select strip('w:12B w:13* w:12,5,6 a:1,3* a:3 w asd:1dc asd'::tsvector), length('a b c'::tsvector), setweight('w:12B w:13* a:1,3*'::tsvector, 'c'), setweight('a:1,3A asd:1C w:5,6,12B,13A zxc:81A,222A,567'::tsvector, 'c', '{a,zxc,null}'), setweight('a:1 b'::tsvector, 'a', '{a,b}')
strip:tsvector | length:int4 | setweight:tsvector | setweight:tsvector | setweight:tsvector
'a' 'asd' 'w' | 3 | 'a':1C,3C 'w':12C,13C | 'a':1C,3C 'asd':1C 'w':5,6,12B,13A 'zxc':81C,222C,567C | 'a':1A 'b'
SELECT 1

> select setweight('a:1'::tsvector, 'z')
ERROR 22023: unrecognized weight: "z"

> select ts_filter('base hidden rebel:2A spaceship:7B strike:3C'::tsvector, '{a,b}'), ts_delete('base:7 hidden:6 rebel:1'::tsvector, 'base'), ts_delete('base:7 hidden:6 rebel:1'::tsvector, array['base', null, 'rebel', 'x'])
ts_filter:tsvector | ts_delete:tsvector | ts_delete:tsvector
'rebel':2A 'spaceship':7B | 'hidden':6 'rebel':1 | 'hidden':6
SELECT 1

> select ts_filter('a:1'::tsvector, '{a,null}')
ERROR 22004: weight array may not contain nulls

> select ts_filter('a:1'::tsvector, '{x}')
ERROR 22023: unrecognized weight: "x"

> select * from unnest('base:7 hidden rebel:1A,2,3B'::tsvector)
lexeme:text | positions:_int2 | weights:_text
base | {7} | {D}
hidden | NULL | NULL
rebel | {1,2,3} | {A,D,B}
SELECT 3

> select tsvector_to_array('base:7 hidden:6 rebel'::tsvector), array_to_tsvector(array['base', 'hidden', 'base']), array_to_tsvector('{}')
tsvector_to_array:_text | array_to_tsvector:tsvector | array_to_tsvector:tsvector
{base,hidden,rebel} | 'base' 'hidden' | 
SELECT 1

> select array_to_tsvector(array['a', null])
ERROR 22004: lexeme array may not contain nulls

> select array_to_tsvector(array['a', ''])
ERROR 2200F: lexeme array may not contain empty strings

> select to_tsvector('english', 'The quick brown foxes were jumping over the lazy dogs, running; generously relational conditionally'), to_tsvector('simple', 'The quick brown Foxes')
to_tsvector:tsvector | to_tsvector:tsvector
'brown':3 'condit':14 'dog':10 'fox':4 'generous':12 'jump':6 'lazi':9 'quick':2 'relat':13 'run':11 | 'brown':3 'foxes':4 'quick':2 'the':1
SELECT 1

> select to_tsvector('Supernovae stars are the brightest phenomena in galaxies'), to_tsvector('english', ''), to_tsvector('english', 'the a of'), to_tsvector('pg_catalog.english', 'Été ça naïve ÜBER')
to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector
'brightest':5 'galaxi':8 'phenomena':6 'star':2 'supernova':1 |  |  | 'naïv':3 'ça':2 'été':1 'über':4
SELECT 1

> select to_tsvector('english', 'foo-bar-baz email me@example.com or http://www.example.com/dir/file.html?x=1 /usr/local/bin 1.5 -3 1e10 192.168.0.1 v1.2.3 a_b c++ it''s &amp; <b>bold</b>')
to_tsvector:tsvector
'-3':13 '/dir/file.html?x=1':10 '/usr/local/bin':11 '1.5':12 '192.168.0.1':15 '1e10':14 'b':18 'bar':3 'baz':4 'bold':22 'c':19 'email':5 'foo':2 'foo-bar-baz':1 'me@example.com':6 'v1.2.3':16 'www.example.com':9 'www.example.com/dir/file.html?x=1':8
SELECT 1

> select * from ts_parse('default', '345 qwe@efd.r '' http://www.com/ http://aew.werc.ewr/?ad=qwe&dw 1aew.werc.ewr/?ad=qwe&dw 2aew.werc.ewr http://3aew.werc.ewr/?ad=qwe&dw http://4aew.werc.ewr http://5aew.werc.ewr:8100/?  ad=qwe&dw 6aew.werc.ewr:8100/?ad=qwe&dw 7aew.werc.ewr:8100/?ad=qwe&dw=%20%32 +4.0e-10 qwe qwe qwqwe 234.435 455 5.005 teodor@stack.net teodor@123-stack.net 123_teodor@stack.net 123-teodor@stack.net qwe-wer asdf <fr>qwer jf sdjk<we hjwer <werrwe> ewr1> ewri2 <a href="qwe<qwe>"> /usr/local/fff /awdf/dwqe/4325 rewt/ewr wefjn /wqe-324/ewr gist.h gist.h.c gist.c. readline 4.2 4.2. 4.2, readline-4.2 readline-4.2. 234 <i <b> wow  < jqw <> qwerty')
tokid:int4 | token:text
22 | 345
12 |  
1 | qwe
12 | @
19 | efd.r
12 |  ' 
14 | http://
6 | www.com
12 | / 
14 | http://
5 | aew.werc.ewr/?ad=qwe&dw
6 | aew.werc.ewr
18 | /?ad=qwe&dw
12 |  
5 | 1aew.werc.ewr/?ad=qwe&dw
6 | 1aew.werc.ewr
18 | /?ad=qwe&dw
12 |  
6 | 2aew.werc.ewr
12 |  
14 | http://
5 | 3aew.werc.ewr/?ad=qwe&dw
6 | 3aew.werc.ewr
18 | /?ad=qwe&dw
12 |  
14 | http://
6 | 4aew.werc.ewr
12 |  
14 | http://
5 | 5aew.werc.ewr:8100/?
6 | 5aew.werc.ewr:8100
18 | /?
12 |   
1 | ad
12 | =
1 | qwe
12 | &
1 | dw
12 |  
5 | 6aew.werc.ewr:8100/?ad=qwe&dw
6 | 6aew.werc.ewr:8100
18 | /?ad=qwe&dw
12 |  
5 | 7aew.werc.ewr:8100/?ad=qwe&dw=%20%32
6 | 7aew.werc.ewr:8100
18 | /?ad=qwe&dw=%20%32
12 |  
7 | +4.0e-10
12 |  
1 | qwe
12 |  
1 | qwe
12 |  
1 | qwqwe
12 |  
20 | 234.435
12 |  
22 | 455
12 |  
20 | 5.005
12 |  
4 | teodor@stack.net
12 |  
4 | teodor@123-stack.net
12 |  
4 | 123_teodor@stack.net
12 |  
4 | 123-teodor@stack.net
12 |  
16 | qwe-wer
11 | qwe
12 | -
11 | wer
12 |  
1 | asdf
12 |  
13 | <fr>
1 | qwer
12 |  
1 | jf
12 |  
1 | sdjk
12 | <
1 | we
12 |  
1 | hjwer
12 |  
13 | <werrwe>
12 |  
3 | ewr1
12 | > 
3 | ewri2
12 |  
13 | <a href="qwe<qwe>">
12 |  
19 | /usr/local/fff
12 |  
19 | /awdf/dwqe/4325
12 |  
19 | rewt/ewr
12 |  
1 | wefjn
12 |  
19 | /wqe-324/ewr
12 |  
19 | gist.h
12 |  
19 | gist.h.c
12 |  
19 | gist.c
12 | . 
1 | readline
12 |  
20 | 4.2
12 |  
20 | 4.2
12 | . 
20 | 4.2
12 | , 
1 | readline
20 | -4.2
12 |  
1 | readline
20 | -4.2
12 | . 
22 | 234
12 |  
12 | <
1 | i
12 |  
13 | <b>
12 |  
1 | wow
12 |   
12 | < 
1 | jqw
12 |  
12 | <> 
1 | qwerty
SELECT 139

> select * from ts_parse('default', 'well-known über-straße foo-1bar 12-abc- x--y 3.14.15 -12.5e3 &lt; &#169; &#xA9; <!-- comment --> <script>var a = 1;</script> ~/x ../y ./z a.b.c host.example.com:8080/path ftp://a.b/c?d#e mailto:x@y.org')
tokid:int4 | token:text
16 | well-known
11 | well
12 | -
11 | known
12 |  
17 | über-straße
10 | über
12 | -
10 | straße
12 |  
15 | foo-1bar
11 | foo
12 | -
9 | 1bar
12 |  
22 | 12
12 | -
1 | abc
12 | - 
1 | x
12 | -
12 | -
1 | y
12 |  
8 | 3.14.15
12 |  
7 | -12.5e3
12 |  
23 | &lt;
12 |  
23 | &#169;
12 |  
23 | &#xA9;
12 |  
13 | <!-- comment -->
12 |  
13 | <script>
12 | var a = 1;
13 | </script>
12 |  ~
19 | /x
12 |  ..
19 | /y
12 |  .
19 | /z
12 |  
19 | a.b.c
12 |  
5 | host.example.com:8080/path
6 | host.example.com:8080
18 | /path
12 |  
14 | ftp://
19 | a.b/c
12 | ?
1 | d
12 | #
1 | e
12 |  
1 | mailto
12 | :
4 | x@y.org
SELECT 62

> select * from ts_parse('default', 'Привет мир 日本語 тест-слово наïve 1st 2nd x2 2x 0x1F 1,000.50 $5 50% #tag @user C# .net U.S.A. e.g. foo_bar __init__ "quoted" ''single'' end.')
tokid:int4 | token:text
2 | Привет
12 |  
2 | мир
12 |  
2 | 日本語
12 |  
17 | тест-слово
10 | тест
12 | -
10 | слово
12 |  
2 | наïve
12 |  
3 | 1st
12 |  
3 | 2nd
12 |  
3 | x2
12 |  
3 | 2x
12 |  
3 | 0x1F
12 |  
22 | 1
12 | ,
20 | 000.50
12 |  $
22 | 5
12 |  
22 | 50
12 | % #
1 | tag
12 |  @
1 | user
12 |  
1 | C
12 | # .
1 | net
12 |  
19 | U.S.A
12 | . 
19 | e.g
12 | . 
1 | foo
12 | _
1 | bar
12 |  __
1 | init
12 | __ "
1 | quoted
12 | " '
1 | single
12 | ' 
1 | end
12 | .
SELECT 55

> select * from ts_token_type('default')
tokid:int4 | alias:text | description:text
1 | asciiword | Word, all ASCII
2 | word | Word, all letters
3 | numword | Word, letters and digits
4 | email | Email address
5 | url | URL
6 | host | Host
7 | sfloat | Scientific notation
8 | version | Version number
9 | hword_numpart | Hyphenated word part, letters and digits
10 | hword_part | Hyphenated word part, all letters
11 | hword_asciipart | Hyphenated word part, all ASCII
12 | blank | Space symbols
13 | tag | XML tag
14 | protocol | Protocol head
15 | numhword | Hyphenated word, letters and digits
16 | asciihword | Hyphenated word, all ASCII
17 | hword | Hyphenated word, all letters
18 | url_path | URL path
19 | file | File or path name
20 | float | Decimal notation
21 | int | Signed integer
22 | uint | Unsigned integer
23 | entity | XML entity
SELECT 23

> select * from ts_token_type(3722)
tokid:int4 | alias:text | description:text
1 | asciiword | Word, all ASCII
2 | word | Word, all letters
3 | numword | Word, letters and digits
4 | email | Email address
5 | url | URL
6 | host | Host
7 | sfloat | Scientific notation
8 | version | Version number
9 | hword_numpart | Hyphenated word part, letters and digits
10 | hword_part | Hyphenated word part, all letters
11 | hword_asciipart | Hyphenated word part, all ASCII
12 | blank | Space symbols
13 | tag | XML tag
14 | protocol | Protocol head
15 | numhword | Hyphenated word, letters and digits
16 | asciihword | Hyphenated word, all ASCII
17 | hword | Hyphenated word, all letters
18 | url_path | URL path
19 | file | File or path name
20 | float | Decimal notation
21 | int | Signed integer
22 | uint | Unsigned integer
23 | entity | XML entity
SELECT 23

> select * from ts_parse('nope', 'a')
tokid:int4 | token:text
ERROR 42704: text search parser "nope" does not exist

> select alias, token, dictionaries, dictionary, lexemes from ts_debug('english', 'The foxes-are <b>12</b> me@x.org')
alias:text | token:text | dictionaries:_regdictionary | dictionary:regdictionary | lexemes:_text
asciiword | The | {english_stem} | english_stem | {}
blank |   | {} | NULL | NULL
asciihword | foxes-are | {english_stem} | english_stem | {foxes-ar}
hword_asciipart | foxes | {english_stem} | english_stem | {fox}
blank | - | {} | NULL | NULL
hword_asciipart | are | {english_stem} | english_stem | {}
blank |   | {} | NULL | NULL
tag | <b> | {} | NULL | NULL
uint | 12 | {simple} | simple | {12}
tag | </b> | {} | NULL | NULL
blank |   | {} | NULL | NULL
email | me@x.org | {simple} | simple | {me@x.org}
SELECT 12

> select ts_lexize('english_stem', 'skies'), ts_lexize('english_stem', 'the'), ts_lexize('simple', 'ASD'), ts_lexize('simple', '')
ts_lexize:_text | ts_lexize:_text | ts_lexize:_text | ts_lexize:_text
{sky} | {} | {asd} | {}
SELECT 1

> select ts_lexize('nope', 'x')
ERROR 42704: text search dictionary "nope" does not exist

> select to_tsvector('nope', 'x')
ERROR 42704: text search configuration "nope" does not exist

> select to_tsquery('english', 'qwe & sKies'), to_tsquery('simple', 'qwe & sKies'), to_tsquery('english', '''the wether'':dc & ''           sKies '':BC'), to_tsquery('english', 'asd&(and|fghj)'), to_tsquery('english', '(asd&and)|fghj'), to_tsquery('english', '(the|and&(i&1))&fghj')
to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery
'qwe' & 'sky' | 'qwe' & 'skies' | 'wether':CD & 'sky':BC | 'asd' & 'fghj' | 'asd' | 'fghj' | '1' & 'fghj'
SELECT 1

> select plainto_tsquery('english', 'the and z 1))& fghj'), plainto_tsquery('english', 'foo bar') && plainto_tsquery('english', 'asd'), phraseto_tsquery('english', 'The Fat Rats of the house'), phraseto_tsquery('english', 'cat-dog runs')
plainto_tsquery:tsquery | ?column?:tsquery | phraseto_tsquery:tsquery | phraseto_tsquery:tsquery
'z' & '1' & 'fghj' | 'foo' & 'bar' & 'asd' | 'fat' <-> 'rat' <3> 'hous' | 'cat-dog' <-> 'cat' <-> 'dog' <-> 'run'
SELECT 1

> select to_tsquery('english', '1 & the & 2'), to_tsquery('english', 'foo-bar:*A'), to_tsquery('english', '(foo <-> the) <-> bar'), to_tsquery('english', 'foo <-> (the <-> bar)'), to_tsquery('english', 'the <2> bar <-> baz'), to_tsquery('english', '!(the <-> b) & b')
to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery | to_tsquery:tsquery
'1' & '2' | 'foo-bar':*A <-> 'foo':*A <-> 'bar':*A | 'foo' <2> 'bar' | 'foo' <2> 'bar' | 'bar' <-> 'baz' | !'b' & 'b'
SELECT 1

> select websearch_to_tsquery('simple', 'I have a fat:*ABCD cat'), websearch_to_tsquery('simple', 'orange:**AABBCCDD'), websearch_to_tsquery('simple', 'fat:A!cat:B|rat:C<'), websearch_to_tsquery('simple', 'fat:A : cat:B'), websearch_to_tsquery('simple', 'fat*rat'), websearch_to_tsquery('simple', 'fat-rat'), websearch_to_tsquery('simple', 'fat_rat'), websearch_to_tsquery('simple', 'abc : def')
websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery
'i' & 'have' & 'a' & 'fat' & 'abcd' & 'cat' | 'orange' & 'aabbccdd' | 'fat' & 'a' & 'cat' & 'b' & 'rat' & 'c' | 'fat' & 'a' & 'cat' & 'b' | 'fat' <-> 'rat' | 'fat-rat' <-> 'fat' <-> 'rat' | 'fat' <-> 'rat' | 'abc' & 'def'
SELECT 1

> select websearch_to_tsquery('english', 'cat or the rat'), websearch_to_tsquery('english', 'the or cat'), websearch_to_tsquery('english', '"fat cat" -rat or "dog'), websearch_to_tsquery('english', 'fat or(rat'), websearch_to_tsquery('english', 'or OR ora'), websearch_to_tsquery('simple', 'fat or'), websearch_to_tsquery('simple', 'fat orange orrat'), websearch_to_tsquery('english', '"pg_class pg"'), websearch_to_tsquery('english', 'this is ----fine'), websearch_to_tsquery('english', 'cat -"fat rat" cheese'), websearch_to_tsquery('english', $$My brand-new "web-search" isn't o'clock$$), websearch_to_tsquery('''abc''''def'''), websearch_to_tsquery('\abc')
websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery | websearch_to_tsquery:tsquery
'cat' | 'rat' | 'cat' | 'fat' <-> 'cat' & !'rat' | 'dog' | 'fat' | 'rat' | 'ora' | 'fat' & 'or' | 'fat' & 'orange' & 'orrat' | 'pg' <-> 'class' <-> 'pg' | !!!!'fine' | 'cat' & !( 'fat' <-> 'rat' ) & 'chees' | 'brand-new' <-> 'brand' <-> 'new' & 'web-search' <-> 'web' <-> 'search' & 'isn' & 'o' <-> 'clock' | 'abc' <-> 'def' | 'abc'
SELECT 1

> select ts_rank(' a:1 s:2C d g'::tsvector, 'a | s'), ts_rank(' a:1 sa:2C d g'::tsvector, 'a | s:*'), ts_rank(' a:1 s:2C d g'::tsvector, 'a & s'), ts_rank(' a:1 s:2B d g'::tsvector, 'a & s'), ts_rank(' a:1 s:2 d g'::tsvector, 'a & s'), ts_rank('a s'::tsvector, 'a & s'), ts_rank('a:1,5,9 b:2,3A c'::tsvector, 'a & b & c', 1|2), ts_rank('a:1 b:2'::tsvector, 'x'), ts_rank('{0.1,0.2,0.4,0.9}', 'a:1A b:2'::tsvector, 'a | b', 32)
ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4 | ts_rank:float4
0.091189064 | 0.091189064 | 0.14015312 | 0.19820644 | 0.09910322 | 1e-16 | 0.043927774 | 0 | 0.23310739
SELECT 1

> select ts_rank_cd(' a:1 s:2C d g'::tsvector, 'a | s'), ts_rank_cd(' a:1 sa:2C d g'::tsvector, 'a | s:*'), ts_rank_cd(' a:1 s:2A d g'::tsvector, 'a & s'), ts_rank_cd(' a:1 s:2,3A d:2A g'::tsvector, 'a <2> s:A'), ts_rank_cd(' a:2 sb:2A sc:1'::tsvector, 'a <1> s:*'), ts_rank_cd(' a:1 sa:2D sb:2A g'::tsvector, 'a <-> s:*'), ts_rank_cd('a:1,7,20 b:3,8,40 c:9'::tsvector, 'a & b', 4|8|16|32|1|2), ts_rank_cd('a b'::tsvector, 'a & b'), ts_rank_cd('{0.1,0.2,0.3,1}', 'a:1 b:3 a:5 b:9'::tsvector, 'a & !c & b', 4)
ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4 | ts_rank_cd:float4
0.3 | 0.3 | 0.18181819 | 0.09090909 | 0 | 0.1 | 0.00040941185 | 0 | 0.034722224
SELECT 1

> select ts_rank('{0.1,0.2}', 'a'::tsvector, 'a')
ERROR 2202E: array of weight is too short

> select ts_rank('{0.1,0.2,0.4,2}', 'a:1A'::tsvector, 'a')
ERROR 22023: weight out of range

> select ts_rank('{0.1,0.2,null,1}', 'a:1A'::tsvector, 'a')
ERROR 22004: array of weight must not contain nulls

> create table ts_d (n int, t text)
CREATE TABLE

> insert into ts_d values (1, 'Day after day, day after day,  We stuck, nor breath nor motion,  As idle as a painted Ship  Upon a painted Ocean. Water, water, every where  And all the boards did shrink; Water, water, every where,  Nor any drop to drink. S. T. Coleridge (1772-1834)'), (2, '<html> <!-- some comment --> <body> Sea view wow <u>foo bar</u> <i>qq</i> <a href="http://www.google.com/foo.bar.html" target="_blank">YES &nbsp;</a>   ff-bg <script> document.write(15); </script> </body> </html>'), (3, 'Lorem ipsum urna.  Nullam nullam ullamcorper urna.'), (4, 'short')
INSERT 0 4

> select n, ts_headline('english', t, phraseto_tsquery('english', 'painted Ocean')) from ts_d order by n
n:int4 | ts_headline:text
1 | <b>painted</b> Ship  Upon a <b>painted</b> <b>Ocean</b>. Water, water, every where  And all the boards did shrink
2 |       Sea view wow  foo bar   qq   YES &nbsp;    ff-bg   document.write(15);      
3 | Lorem ipsum urna.  Nullam nullam ullamcorper urna.
4 | short
SELECT 4

> select n, ts_headline('english', t, to_tsquery('english', 'day & drink')) from ts_d order by n
n:int4 | ts_headline:text
1 | <b>Day</b> after <b>day</b>, <b>day</b> after <b>day</b>,  We stuck, nor breath nor motion,  As idle as a painted Ship  Upon a painted Ocean. Water, water, every where  And all the boards did shrink; Water, water, every
2 |       Sea view wow  foo bar   qq   YES &nbsp;    ff-bg   document.write(15);      
3 | Lorem ipsum urna.  Nullam nullam ullamcorper urna.
4 | short
SELECT 4

> select n, ts_headline('english', t, to_tsquery('english', 'sea & foo'), 'HighlightAll=true') from ts_d order by n
n:int4 | ts_headline:text
1 | Day after day, day after day,  We stuck, nor breath nor motion,  As idle as a painted Ship  Upon a painted Ocean. Water, water, every where  And all the boards did shrink; Water, water, every where,  Nor any drop to drink. S. T. Coleridge (1772-1834)
2 | <html> <!-- some comment --> <body> <b>Sea</b> view wow <u><b>foo</b> bar</u> <i>qq</i> <a href="http://www.google.com/foo.bar.html" target="_blank">YES &nbsp;</a>   ff-bg <script> document.write(15); </script> </body> </html>
3 | Lorem ipsum urna.  Nullam nullam ullamcorper urna.
4 | short
SELECT 4

> select n, ts_headline('english', t, to_tsquery('english', 'water | Coleridge'), 'MaxFragments=2, MinWords=3, MaxWords=6, FragmentDelimiter=" *** ", StartSel=[, StopSel=]') from ts_d order by n
n:int4 | ts_headline:text
1 | painted Ocean. [Water], [water], every where *** shrink; [Water], [water], every where
2 |       Sea view wow
3 | Lorem ipsum urna
4 | short
SELECT 4

> select ts_headline('english', 'Lorem ipsum urna.  Nullam nullam ullamcorper urna.', to_tsquery('english','Lorem') && phraseto_tsquery('english','ullamcorper urna'), 'MaxWords=100, MinWords=1'), ts_headline('simple', '1 2 3 1 3'::text, '1 <-> 3', 'MaxWords=2, MinWords=1, ShortWord=0'), ts_headline('simple', '1 2 3 1 3'::text, '1 & 3', 'MaxWords=4, MinWords=1'), ts_headline('simple', '1 2 3 1 3'::text, '1 <-> 3', 'MaxWords=4, MinWords=1'), ts_headline('a b c', 'b'::tsquery)
ts_headline:text | ts_headline:text | ts_headline:text | ts_headline:text | ts_headline:text
<b>Lorem</b> ipsum <b>urna</b>.  Nullam nullam <b>ullamcorper</b> <b>urna</b> | <b>1</b> <b>3</b> | <b>1</b> 2 <b>3</b> | <b>3</b> <b>1</b> <b>3</b> | a <b>b</b> c
SELECT 1

> select ts_headline('english', 'a', 'a', 'MinWords=5, MaxWords=5')
ERROR 22023: MinWords should be less than MaxWords

> select ts_headline('english', 'a', 'a', 'Nope=1')
ERROR 22023: unrecognized headline parameter: "Nope"

> select to_tsvector('english', '{"a": "aaa bbb ddd ccc", "b": ["eee fff ggg"], "c": {"d": "hhh iii"}, "n": 12, "t": true}'::json), to_tsvector('english', '{"a": "aaa in bbb ddd ccc", "b": "the eee fff ggg"}'::jsonb), jsonb_to_tsvector('english', '{"a": "aaa in bbb", "b": 123, "c": 456, "d": true, "f": false, "g": null}'::jsonb, '"all"'), json_to_tsvector('english', '{"a": "aaa in bbb", "b": 123, "c": {"key": "x y"}}'::json, '["string", "numeric"]'), jsonb_to_tsvector('{"a b": "c"}'::jsonb, '["key"]')
to_tsvector:tsvector | to_tsvector:tsvector | jsonb_to_tsvector:tsvector | json_to_tsvector:tsvector | jsonb_to_tsvector:tsvector
'aaa':1 'bbb':2 'ccc':4 'ddd':3 'eee':6 'fff':7 'ggg':8 'hhh':10 'iii':11 | 'aaa':1 'bbb':3 'ccc':5 'ddd':4 'eee':8 'fff':9 'ggg':10 | '123':8 '456':12 'aaa':2 'b':6 'bbb':4 'c':10 'd':14 'f':18 'fals':20 'g':22 'true':16 | '123':5 'aaa':1 'bbb':3 'x':7 'y':8 | 'b':2
SELECT 1

> select jsonb_to_tsvector('english', '{"a": 1}'::jsonb, '"x"')
ERROR 22023: wrong flag in flag array: "x"
HINT: Possible values are: "string", "numeric", "boolean", "key", and "all".

> select jsonb_to_tsvector('english', '{"a": 1}'::jsonb, '{}')
ERROR 22023: wrong flag type, only arrays and scalars are allowed

> select jsonb_to_tsvector('english', '{"a": 1}'::jsonb, '[1]')
ERROR 22023: flag array element is not a string
HINT: Possible values are: "string", "numeric", "boolean", "key", and "all".

> select 'cat & rat'::tsquery @> 'cat'::tsquery, 'cat'::tsquery @> 'cat & rat'::tsquery, 'cat'::tsquery <@ 'cat & rat'::tsquery, 'new & !york'::tsquery @> 'york'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> create table ts_t (id int primary key, body text, v tsvector, q tsquery, g tsvector generated always as (to_tsvector('english', body)) stored)
CREATE TABLE

> insert into ts_t (id, body, v, q) values (1, 'cats and dogs', 'a:1 b:2', 'a & b'), (2, 'The dogs', 'a:1', 'b'), (3, 'nothing', null, null), (4, 'rat cat', 'a:1,2', 'a')
INSERT 0 4

> select id, v, q, g from ts_t order by id
id:int4 | v:tsvector | q:tsquery | g:tsvector
1 | 'a':1 'b':2 | 'a' & 'b' | 'cat':1 'dog':3
2 | 'a':1 | 'b' | 'dog':2
3 | NULL | NULL | 'noth':1
4 | 'a':1,2 | 'a' | 'cat':2 'rat':1
SELECT 4

> select id from ts_t where g @@ to_tsquery('cat | dog') order by id
id:int4
1
2
4
SELECT 3

> select id from ts_t where body @@ 'dog' order by id
id:int4
1
2
SELECT 2

> select id, ts_rank(g, query) from ts_t, plainto_tsquery('dogs') query where g @@ query order by 2 desc, 1
id:int4 | ts_rank:float4
1 | 0.06079271
2 | 0.06079271
SELECT 2

> select v, count(*) from ts_t group by v order by v nulls first
v:tsvector | count:int8
NULL | 1
'a':1 | 1
'a':1,2 | 1
'a':1 'b':2 | 1
SELECT 4

> select q from ts_t order by q desc nulls last
q:tsquery
'a' & 'b'
'b'
'a'
NULL
SELECT 4

> select max(id) from ts_t where v > 'a'::tsvector
max:int4
4
SELECT 1

> create index on ts_t (v)
CREATE INDEX

> create unique index on ts_t (q)
CREATE INDEX

> select id from ts_t where v = 'a:1'
id:int4
2
SELECT 1

> create table ts_pk (v tsvector primary key)
CREATE TABLE

> insert into ts_pk values ('a b'), ('b a:1'), ('a b')
ERROR 23505: duplicate key value violates unique constraint "ts_pk_pkey"
DETAIL: Key (v)=('a' 'b') already exists.

> insert into ts_pk values ('a b'), ('b a:1'), ('')
INSERT 0 3

> select v from ts_pk order by v
v:tsvector
|
'a' 'b'
'a':1 'b'
SELECT 3

> select get_current_ts_config(), 'english'::regconfig, 'english'::regconfig::oid > 0, 'simple'::regdictionary, pg_typeof('english'::regconfig), 'english_stem'::regdictionary::text
get_current_ts_config:regconfig | regconfig:regconfig | ?column?:bool | regdictionary:regdictionary | pg_typeof:regtype | text:text
english | english | t | simple | regconfig | english_stem
SELECT 1

> show default_text_search_config
default_text_search_config:text
pg_catalog.english
SHOW

> set default_text_search_config = 'simple'
SET

> select to_tsvector('The cats'), get_current_ts_config(), to_tsquery('cats')
to_tsvector:tsvector | get_current_ts_config:regconfig | to_tsquery:tsquery
'cats':2 'the':1 | simple | 'cats'
SELECT 1

> reset default_text_search_config
RESET

> select to_tsvector('german', 'Die Häuser und die Katzen laufen'), to_tsvector('french', 'Les chevaux mangeaient les pommes'), to_tsvector('spanish', 'los gatos corriendo'), to_tsvector('russian', 'кошки и собаки running'), to_tsvector('dutch', 'de katten lopen'), to_tsvector('swedish', 'katterna springer och hunden')
to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector
'haus':2 'katz':5 'lauf':6 | 'cheval':2 'le':1,4 'mang':3 'pomm':5 | 'corr':3 'gat':2 | 'run':4 'кошк':1 'собак':3 | 'kat':2 'lop':3 | 'hund':4 'katt':1 'spring':2
SELECT 1

> select to_tsvector('italian', 'i gatti correvano'), to_tsvector('portuguese', 'os gatos correndo'), to_tsvector('danish', 'kattene løber'), to_tsvector('norwegian', 'kattene løper'), to_tsvector('finnish', 'kissat juoksevat'), to_tsvector('hungarian', 'a macskák futnak'), to_tsvector('romanian', 'pisicile aleargă'), to_tsvector('turkish', 'kediler koşuyor')
to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector | to_tsvector:tsvector
'corr':3 'gatt':2 | 'corr':3 'gat':2 | 'kat':1 'løb':2 | 'katt':1 'løp':2 | 'juoksev':2 'kis':1 | 'fut':3 'macska':2 | 'alearg':2 'pisic':1 | 'kedi':1 'koşuyor':2
SELECT 1

> select cfgname from pg_ts_config where cfgname in ('simple', 'english', 'german') order by 1
cfgname:name
english
german
simple
SELECT 3

> select prsname from pg_ts_parser
prsname:name
default
SELECT 1

> select typname, typcategory, typlen from pg_type where typname in ('tsvector', 'tsquery', 'regconfig', 'regdictionary') order by 1
typname:name | typcategory:char | typlen:int2
regconfig | N | 4
regdictionary | N | 4
tsquery | U | -1
tsvector | U | -1
SELECT 4

> select '{a:1,"b:2 c"}'::tsvector[], array['a'::tsquery, 'b & c']
tsvector:_tsvector | array:_tsquery
{'a':1,"'b':2 'c'"} | {'a',"'b' & 'c'"}
SELECT 1

> select 'a:1'::tsvector::text, 'a & b'::tsquery::text, ('a b'::text)::tsvector
text:text | text:text | tsvector:tsvector
'a':1 | 'a' & 'b' | 'a' 'b'
SELECT 1

> select repeat('x', 2046)::tsvector is not null, length(to_tsvector('simple', repeat('x ', 10)))
?column?:bool | length:int4
t | 1
SELECT 1

> select to_tsvector('simple', 'a') || to_tsvector('simple', 'b a'), 'fat:2,4 cat:3 rat:5A'::tsvector @@ 'fat & (rat | cat) & !dog'
?column?:tsvector | ?column?:bool
'a':1,3 'b':2 | t
SELECT 1

> create view ts_view as select id, to_tsvector('english', body) @@ to_tsquery('english', 'cat') as m, body from ts_t
CREATE VIEW

> select pg_get_viewdef('ts_view')
pg_get_viewdef:text
 SELECT ts_t.id,\n    (to_tsvector('english'::regconfig, ts_t.body) @@ to_tsquery('english'::regconfig, 'cat'::text)) AS m,\n    ts_t.body\n   FROM ts_t;
SELECT 1

> select * from ts_view order by id
id:int4 | m:bool | body:text
1 | t | cats and dogs
2 | f | The dogs
3 | f | nothing
4 | t | rat cat
SELECT 4
