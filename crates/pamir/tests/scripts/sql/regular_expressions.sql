# regular expressions: back references, look-around, preferences that are mixed, how groups divide a match.

> select regexp_match('abcd', '(a|ab)(c|bcd)(d*)'), regexp_match('ab', '(a?)(ab)?'), regexp_match('abb', '(a*)(ab)*(b*)')
regexp_match:_text | regexp_match:_text | regexp_match:_text
{ab,c,d} | {"",ab} | {a,NULL,bb}
SELECT 1

> select regexp_match('xyabcabc', '(abc)\1'), 'abab' ~ '^(ab)\1$', 'abac' ~ '^(ab)\1$', regexp_match('aAbB', '(a)\1', 'i')
regexp_match:_text | ?column?:bool | ?column?:bool | regexp_match:_text
{abc} | t | f | {a}
SELECT 1

> select regexp_replace('foobarrbazz', '(.)\1', '<\1>', 'g'), regexp_matches('aabbcc', '(.)\1', 'g')
regexp_replace:text | regexp_matches:_text
f<o>ba<r>ba<z> | {a}
f<o>ba<r>ba<z> | {b}
f<o>ba<r>ba<z> | {c}
SELECT 3

> select regexp_match('foobar', 'foo(?=bar)'), regexp_match('foobaz', 'foo(?!bar)...'), regexp_match('price: 42', '(?<=: )\d+'), regexp_match('a1b2', '(?<!a)\d')
regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text
{foo} | {foobaz} | {42} | {2}
SELECT 1

> select 'abc' ~ '(?=a)(?=.b)abc', 'abc' ~ 'a(?=(b)c)b', regexp_match('abc', 'a(?=(b))(.)')
?column?:bool | ?column?:bool | regexp_match:_text
t | t | {b}
SELECT 1

> select 'x' ~ '\1(x)'
ERROR 2201B: invalid regular expression: invalid backreference number

> select 'x' ~ '(x\1)'
ERROR 2201B: invalid regular expression: invalid backreference number

> select 'x' ~ 'a(?=(b)\1)'
ERROR 2201B: invalid regular expression: invalid backreference number

> select 'ab' ~ 'a(?=b)*'
ERROR 2201B: invalid regular expression: quantifier operand invalid

> select regexp_match('llmmmfff', '^(l*)(.*)(f*)$'), regexp_match('llmmmfff', '^(l*){1,1}(.*)(f*)$'), regexp_match('llmmmfff', '^(l*){1,1}?(.*)(f*)$'), regexp_match('llmmmfff', '^(l*){1,1}?(.*){1,1}?(f*)$')
regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text
{ll,mmmfff,""} | {ll,mmmfff,""} | {"",llmmmfff,""} | {"",llmmm,fff}
SELECT 1

> select regexp_match('llmmmfff', '^(l*?)(.*)(f*)$'), regexp_match('llmmmfff', '^(l*?){1,1}(.*)(f*)$'), regexp_match('llmmmfff', '^(l*?){1,1}?(.*)(f*)$'), regexp_match('llmmmfff', '^(l*?){1,1}?(.*){1,1}?(f*)$')
regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text
{"",llmmmfff,""} | {ll,mmmfff,""} | {"",llmmmfff,""} | {"",llmmm,fff}
SELECT 1

> select regexp_match('foobarbequebaz', 'b.*?(b)'), regexp_match('XY1234Z', 'Y*([0-9]{1,3})'), regexp_match('XY1234Z', 'Y*?([0-9]{1,3})'), regexp_match('abc01234xyz', '(.*)(\d+)(.*)'), regexp_match('abc01234xyz', '(.*?)(\d+)(.*)'), regexp_match('abc01234xyz', '(?:(.*?)(\d+)(.*)){1,1}')
regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text
{b} | {123} | {1} | {abc0123,4,xyz} | {abc,0,""} | {abc,01234,xyz}
SELECT 1

> select substring('abcdefg' similar 'a*#"%#"g*' escape '#'), substring('abcdefg' similar 'a#"%#"g' escape '#'), substring('abcdefg' similar 'a#"%|ab#"g' escape '#')
substring:text | substring:text | substring:text
abcdefg | bcdef | bcdef
SELECT 1

> select substring('abcdefg' similar 'a*#"%#"g*#"x' escape '#')
ERROR 2200C: SQL regular expression may not contain more than two escape-double-quote separators

> select regexp_match('the cat', '\ycat\y|\ydog\y'), regexp_matches('b cba', '\mb|a\M', 'g'), regexp_split_to_array('one  two', '\s*\y')
regexp_match:_text | regexp_matches:_text | regexp_split_to_array:_text
{cat} | {b} | {one,two}
{cat} | {a} | {one,two}
SELECT 2

> select regexp_match('aaaaaaaaaaaaaaaaaaaaaaaaaaaaab', '^(a|aa)+$'), 'aaaaaaaaaaaaaaaaaaaaaaaab' ~ '^(a*)*\1c', regexp_replace('a.b.c', '(?<=\.)(.)', '[\1]', 'g')
regexp_match:_text | ?column?:bool | regexp_replace:text
NULL | f | a.[b].[c]
SELECT 1

> select regexp_count('abab abab', '(ab)\1'), regexp_instr('xxabab', '(ab)\1'), regexp_substr('xxabab', '(a)(b)\1\2', 1, 1, '', 2), regexp_like('aa', '(.)\1')
regexp_count:int4 | regexp_instr:int4 | regexp_substr:text | regexp_like:bool
2 | 3 | b | t
SELECT 1

> select regexp_match('grün grün', '(\w?grün) \1'), regexp_match('', '(a|b?)?'), regexp_match('cb', '(\w{2}|a{0,2}?)?'), regexp_match('ab', '(?x) ( a ) # one
>  (?# two) b')
regexp_match:_text | regexp_match:_text | regexp_match:_text | regexp_match:_text
{grün} | {""} | {cb} | {a}
SELECT 1
