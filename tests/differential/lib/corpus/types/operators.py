"""Operators and functions of the types that have many: each operator between all pairs of some values."""

PAIRS = [
    ("int4range", ["[1,5)", "[3,8]", "empty", "[5,7]", "(,2)"], ["&&", "@>", "<<", "-|-", "+", "*", "-", "<", "&<"]),
    ("int4multirange", ["{[1,3),[5,8)}", "{[2,6)}", "{}"], ["&&", "@>", "-|-", "+", "*", "-", "<", "&>"]),
    ("inet", ["10.1.2.3/8", "10.0.0.0/8", "192.168.1.5", "fe80::1/64"], ["<<", "<<=", "&&", "<", "&", "-"]),
    ("bit(4)", ["1010", "0011"], ["&", "|", "#", "||", "<"]),
    ("jsonb", ['{"a": 1, "b": [1, 2]}', '{"a": 1}', "[1, 2]", "1"], ["@>", "||", "<", "="]),
    ("int4[]", ["{1,2,3}", "{3,4}", "{}", "{{1,2},{3,4}}"], ["@>", "&&", "||", "<", "="]),
    ("tsquery", ["a & b", "c", "!d"], ["&&", "||", "@>", "<->"]),
    ("point", ["(0,0)", "(1,2)", "(-3,4)"], ["+", "*", "/", "<->", "<<", "~=", "<^", "|>>"]),
    ("box", ["(2,2),(0,0)", "(3,3),(1,1)", "(9,9),(8,8)"], ["&&", "@>", "#", "<->", "<", "&<|", "~=", "?-"]),
    ("lseg", ["[(0,0),(2,2)]", "[(0,2),(2,0)]", "[(5,5),(6,5)]"], ["#", "?#", "?||", "?-|", "<->", "="]),
    ("circle", ["<(0,0),2>", "<(1,1),1>", "<(9,0),3>"], ["&&", "@>", "<->", "<", "~=", "&<"]),
    ("polygon", ["((0,0),(0,4),(4,4),(4,0))", "((1,1),(1,2),(2,2))", "((9,9),(9,10),(10,10))"], ["&&", "@>", "<->", "~=", "<<"]),
    ("interval", ["1 mon", "30 days", "720:00:00", "-1 day +25:00"], ["+", "-", "<", "="]),
    ("money", ["5.50", "-2"], ["+", "-", "/", "<", "*"]),
    ("date", ["2024-01-31", "infinity"], ["-", "+", "<"]),
    ("pg_lsn", ["0/10", "1/0"], ["-", "<", "+"]),
    ("macaddr", ["08:00:2b:01:02:03", "ff:ff:ff:00:00:00"], ["&", "|", "<"]),
    ("timetz", ["01:00+01", "00:00+00", "02:00:00.5-03"], ["=", "<", "-"]),
]
CALLS = """lower({r}), upper({r}), isempty({r}), lower_inc({r}), upper_inf({r}), range_merge({r}, '[20,30)'), multirange({r})
{r} @> 3, 3 <@ {r}, {r} << '[9,10)'::int4range"""
RANGES = ["'[1,5)'::int4range", "'empty'::int4range", "'(,)'::int4range", "null::int4range"]
FUNCTIONS = """host('10.1.2.3/8'::inet), network('10.1.2.3/8'), broadcast('10.1.2.3/8'), netmask('10.1.2.3/8'), hostmask('10.1.2.3/8'), masklen('10.1.2.3/8'), family('::1'), text('10.1.2.3'::inet), abbrev('10.1.0.0/16'::cidr), set_masklen('10.1.2.3'::inet, 24), set_masklen('10.1.0.0/16'::cidr, 8)
set_masklen('10.1.2.3'::inet, 33)
inet_same_family('1.2.3.4', '::1'), inet_merge('10.0.0.1', '10.0.1.1')
inet_merge('10.0.0.1', '::1')
'10.0.0.1'::inet + 300, '10.0.0.1'::inet - 5, ~ '10.0.0.1'::inet
'255.255.255.255'::inet + 1
trunc('08:00:2b:01:02:03'::macaddr), macaddr8_set7bit('08:00:2b:01:02:03:04:05'), ~ '08:00:2b:01:02:03'::macaddr
get_bit(B'1010', 1), set_bit(B'1010', 1, 1), bit_length(B'101'), overlay(B'11111' placing B'00' from 2), substring(B'110011' from 2 for 3), position(B'01' in B'1101'), bit_count(B'1011'), B'1010' << 1, B'1010' >> 2, ~ B'101'
get_bit(B'1010', 9)
B'101' & B'1'
get_byte('\\x0102'::bytea, 1), set_byte('\\x0102', 0, 255), encode('\\xdead', 'base64'), decode('3q0=', 'base64'), encode('\\xdead', 'escape'), decode('zz', 'hex'), md5('x'), sha256('x')
decode('abc', 'base64')
decode('abc', 'nope')
encode('\\x01', 'nope')
convert_from('\\xc3a9', 'utf8'), convert_to('é', 'latin1'), convert('\\xe9', 'latin1', 'utf8')
convert_from('\\xc3', 'utf8')
convert_to('€', 'latin1')
array_append('{1}'::int[], 2), array_prepend(0, '{1}'), array_cat('{1}', '{2}'::int[]), array_remove('{1,2,1}', 1), array_replace('{1,2,1}', 1, 9), array_dims('[0:1][2:3]={{1,2},{3,4}}'::int[]), array_ndims('{}'::int[]), array_lower('{5}'::int[], 1), array_upper('{5}'::int[], 2), array_length('{}'::int[], 1), cardinality('{{1,2},{3,4}}'::int[])
array_position('{1,2,3,2}', 2), array_positions('{1,2,3,2}', 2), array_to_string('{1,NULL,3}'::int[], ',', '*'), string_to_array('a,b,,c', ',', ''), string_to_array(null, ','), array_fill(7, '{2,2}', '{0,1}'), trim_array('{1,2,3}'::int[], 1)
trim_array('{1,2,3}'::int[], 4)
array_fill(null, '{2}')
array_fill(1, '{{1}}')
array_position('{{1,2},{3,4}}'::int[], 2)
('{1,2,3}'::int[])[2:], ('{{1,2},{3,4}}'::int[])[1:1][2], ('{1,2,3}'::int[])[9], ('{1,2,3}'::int[])[null]
('{1,2,3}'::int[])['x']
(1)[1]
array[1, 'x']
array[array[1], array[1, 2]]
array[[1, 2], [3, 4]], array[]::int[], array[1, 2.5, 3], array['a', null]
array[]
array_cat('{{1,2}}', '{3,4}'::int[]), '{{1,2}}'::int[] || '{{3,4}}', 5 || '{1}'::int[]
'{{1,2}}'::int[] || '{3,4,5}'::int[]
area('(2,2),(0,0)'::box), center('(2,2),(0,0)'::box), diagonal('(2,2),(0,0)'::box), height('(2,2),(0,0)'::box), width('(2,2),(0,0)'::box), radius('<(0,0),2>'::circle), diameter('<(0,0),2>'::circle), length('[(0,0),(3,4)]'::lseg), npoints('((0,0),(1,1))'::polygon), isclosed('[(0,0),(1,1)]'::path), pclose('[(0,0),(1,1)]'), popen('((0,0),(1,1))'), bound_box('(1,1),(0,0)', '(3,3),(2,2)'), slope('(0,0)', '(1,2)'), line('(0,0)'::point, '(1,2)')
polygon(4, '<(0,0),2>'::circle) is null, circle('((0,0),(0,2),(2,2),(2,0))'::polygon), box('<(0,0),2>'::circle), point('<(1,2),2>'::circle), path('((0,0),(1,1))'::polygon), lseg('(2,2),(0,0)'::box), @-@ '[(0,0),(3,4)]'::lseg, @@ '(2,2),(0,0)'::box, # '((0,0),(1,1))'::path
polygon(1, '<(0,0),2>'::circle)
line('(1,1)'::point, '(1,1)'::point)
'(1,1)'::point <@ '<(0,0),2>'::circle, '{1,-1,0}'::line ?|| '{1,-1,5}'::line, '{1,0,0}'::line # '{0,1,0}'::line, '(3,4)'::point ## '{0,1,0}'::line, point(1, 2) = point(1, 2)
'(1,1)'::point = '(1,1)'::point
'(1,1)'::point / '(0,0)'::point
to_tsvector('english', 'The quick brown foxes jumped'), to_tsquery('english', 'jumping & foxes'), plainto_tsquery('english', 'the quick fox'), phraseto_tsquery('english', 'quick brown fox'), websearch_to_tsquery('english', '"quick fox" -dog or cat')
to_tsquery('english', 'a b')
to_tsvector('nope', 'x')
to_tsvector('simple', 'a b c') @@ 'a & !d', strip('a:1 b:2'::tsvector), setweight('a:1 b:2', 'B'), setweight('a:1 b:2', 'A', '{a}'), length('a b'::tsvector), 'a:1'::tsvector || 'b:1', ts_delete('a b', 'a'), ts_filter('a:1A b:2B', '{a}'), array_to_tsvector('{b,a}'), tsvector_to_array('a b'), numnode('a & b'), querytree('a & !b'), ts_rank('a:1 b:2', 'a'), ts_headline('english', 'the quick fox', 'fox')
setweight('a:1', 'X')
array_to_tsvector('{a,NULL}')
jsonb_path_query_array('{"a": [1, 2, 3]}', '$.a[*] ? (@ > 1)'), jsonb_path_exists('{"a": 1}', '$.b'), jsonb_path_match('{"a": 1}', '$.a == 1'), jsonb_path_query_first('[1, 2]', '$[last]'), '{"a": 1}'::jsonb @? '$.a', '{"a": 1}'::jsonb @@ '$.a > 0'
jsonb_path_query('{"a": 1}', 'strict $.b')
jsonb_path_match('{"a": 1}', '$.a')
jsonb_path_query('[1, "x"]', '$[*] + 1')
jsonb_path_query('{"a": 1}', '$.a + $v', '{"v": 5}'), jsonb_path_query('"2024-01-02"', '$.datetime()'), jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > $m)', '{"m": 1}')
jsonb_path_query('{"a": 1}', '$.a + $v', '{}')
jsonb_path_query('1', '$', '5')
jsonb_path_query('"x"', '$.datetime()')
jsonb_path_query('1', '$ / 0')
jsonb_set('{"a": [1, 2]}', '{a,1}', '9'), jsonb_set('{"a": 1}', '{b,c}', '1'), jsonb_insert('{"a": [1]}', '{a,0}', '0'), jsonb_insert('[1]', '{0}', '0', true), jsonb_set_lax('{"a": 1}', '{a}', null, true, 'delete_key'), jsonb_strip_nulls('{"a": null, "b": [null]}'), jsonb_pretty('{"a": [1, {}]}'), '{"a": 1, "b": 2}'::jsonb - 'a', '[1, 2]'::jsonb - 0, '{"a": {"b": 1}}'::jsonb #- '{a,b}', '{"a": 1}'::jsonb - '{a,b}'::text[]
jsonb_insert('{"a": 1}', '{a}', '0')
jsonb_set('1', '{a}', '0')
jsonb_set('[1]', '{x}', '0')
jsonb_set_lax('{"a": 1}', '{a}', null, true, 'raise_exception')
jsonb_set_lax('{"a": 1}', '{a}', null, true, 'nope')
'1'::jsonb - 'a'
'{"a": 1}'::jsonb - 1
('{"a": [1, {"b": 2}]}'::jsonb)['a'][1]['b'], ('[1]'::jsonb)[-1], ('1'::jsonb)['a'], '{"a": 1}'::jsonb -> 'a', '[1, 2]'::jsonb ->> -1, '{"a": {"b": [7]}}'::json #>> '{a,b,0}', '{"a": 1}'::jsonb ? 'a', '["a"]'::jsonb ?| '{a,b}', '{"a": 1}'::jsonb ?& '{a,b}'
jsonb_typeof('null'), json_typeof('[1]'), jsonb_array_length('[1, 2]'), to_jsonb('x'::text), to_json(array[1, 2]), json_build_object('a', 1, 'b', null), json_build_array(1, 'x', null), jsonb_object('{a,1,b,2}'), json_object('{a,b}', '{1,2}'), row_to_json(row(1, 'x'), true), array_to_json('{{1,2},{3,4}}'::int[], true), to_jsonb(1.50), to_jsonb('infinity'::date), to_json(timestamp '2024-01-01')
jsonb_array_length('{}')
json_build_object('a')
json_build_object(null, 1)
jsonb_object('{a,1,b}')
jsonb_object('{{a,1,2}}')
jsonb_object('{a,b}', '{1}')
jsonb_object(array[null, '1'])
to_jsonb('NaN'::float8), to_jsonb('Infinity'::numeric)
cash_words('123.45'::money), '5.5'::money * 2, '5'::money / '2'::money, '5'::money / 3, 2.5 * '1.01'::money, '1.005'::numeric::money
'5'::money / 0
age('2024-03-01', timestamp '2023-01-31'), date_trunc('quarter', timestamp '2024-05-06'), date_trunc('week', date '2024-01-03'), date_part('isodow', date '2024-01-07'), extract(epoch from interval '1 mon 1 day'), extract(julian from date '2024-01-01'), extract(timezone from timestamptz '2024-01-01 00:00+00'), date_bin('15 minutes', timestamp '2024-01-01 10:23', '2001-01-01'), make_date(2024, 2, 29), make_interval(1, 2, 3, 4, 5, 6, 7.8), make_timestamp(2024, 1, 2, 3, 4, 5.6), justify_interval('40 days 30 hours'), isfinite(date 'infinity'), to_timestamp(0), timezone('America/New_York', timestamp '2024-07-01')
date_trunc('nope', now())
extract(nope from now())
extract(hour from date '2024-01-01')
extract(day from time '10:00')
date_bin('1 mon', timestamp '2024-01-01', '2001-01-01')
date_bin('0', timestamp '2024-01-01', '2001-01-01')
make_date(2024, 2, 30)
make_time(25, 0, 0)
make_timestamp(2024, 1, 1, 0, 60, 0)
make_interval(months => 2147483647, years => 1)
date '2024-01-31' + interval '1 mon', date '2024-01-31' + 1, date '2024-01-31' + time '10:00', timestamp '2024-03-31' - interval '1 mon', time '23:00' + interval '2 hours', timestamptz '2024-01-01 00:00+00' - timestamptz '2023-12-31 12:00+00', interval '1 day' * 1.5, interval '1 mon' / 3, - interval '1 day', date '2024-01-01' - date '2023-01-01', timestamp 'infinity' - interval '1 day'
date '5874897-12-31' + 1
timestamp '294276-12-31' + interval '1 year'
interval '2147483647 days' + interval '1 day'
interval '1 day' / 0
(date '2024-01-01', date '2024-02-01') overlaps (date '2024-01-15', interval '1 day')
to_char(timestamp '2024-02-29 13:14:15.678', 'YYYY-MM-DD HH24:MI:SS.MS'), to_char(timestamp '2024-02-29 13:14:15.678', 'FMDay, FMDDth FMMonth YYYY, HH:MI am, Q WW IYYY-IW-ID J CC TZ'), to_char(interval '1 day 02:03', 'DD HH24:MI'), to_char(-1234.5, 'FM9,999.00PR'), to_char(485, 'RN'), to_char(0.5, '0.99EEEE'), to_char(12345, '999'), to_char(1.5, 'S9V99')
to_date('2024 Feb 29', 'YYYY Mon DD'), to_timestamp('29/02/24 1:02 PM', 'DD/MM/YY HH:MI AM'), to_number('1,234.5-', '9,999.9S')
to_date('2024-13', 'YYYY-MM')
to_date('x', 'YYYY')
to_date('2024', 'YYYY IYYY')
to_timestamp('13:00 PM', 'HH:MI PM')
to_char(now(), '') = '', to_char(1, ''), to_number('', '9')
1 / 0
1.0 / 0
1::float8 / 0
1 % 0
2147483647 + 1
9223372036854775807 * 2
-(-32768)::int2
(-2147483648)::int4 / -1
abs((-2147483648)::int4)
32768::int2
1e10::float8::int4
'NaN'::float8::int4
'NaN'::numeric::int4
'Infinity'::numeric::numeric(5,2)
10 ^ 400
exp(1000.0)
exp(1000::float8)
ln(0)
ln(-1::float8)
log(0, 10)
sqrt(-1)
sqrt(-1.0::numeric)
power(0::float8, -1)
power(-1::numeric, 0.5)
factorial(-1)
factorial(20), gcd(12, 18), lcm(4, 6), div(7.5, 2), mod(-7, 3), round(2.5), round(-2.5), round(2.5::float8), round(1234.567, -2), trunc(-1.57, 1), ceil(-1.5), sign(-2.0), width_bucket(5.35, 0.024, 10.06, 5), scale(1.500), min_scale(1.500), trim_scale(1.500), 7 / 2, -7 / 2, 7.0 / 2, 2 ^ 10, |/ 16, ||/ 8, @ -5, 5 # 3, 1 << 33, ~5
width_bucket(5, 3, 3, 5)
width_bucket(5, 3, 9, 0)
chr(0)
chr(-1)
chr(1114112)
repeat('x', -1), left('abc', -1), right('abc', -1), lpad('abc', 5, 'xy'), rpad('abc', 2), substr('abc', 0, 2), split_part('a,b,c', ',', -1), translate('abc', 'ab', 'x'), initcap('hELLO wORLD'), ascii('é'), overlay('abcdef' placing 'X' from 2 for 3), strpos('abc', 'c'), reverse('abc'), format('%s %I %L %%', 'a', 'b c', null), quote_literal('a''b\\c'), quote_nullable(null), concat_ws(',', 'a', null, 'b'), starts_with('abc', 'ab'), to_hex(255), btrim('xxaxx', 'x'), unistr('\\0041')
substr('abc', 1, -1)
split_part('a', ',', 0)
format('%s')
format('%z', 1)
format('%1$s %3$s', 1, 2)
format('%I', null)
lpad('x', 2000000000) is null
unistr('\\00')
regexp_replace('abc', '(b)', '[\\1]'), regexp_match('abc', 'b(.)'), regexp_split_to_array('a1b2', '\\d'), regexp_count('aaa', 'a'), regexp_instr('abc', 'c'), regexp_substr('abc', '.$'), regexp_like('ABC', 'b', 'i'), 'abc' ~ '^a', 'abc' !~* 'B', 'abc' like 'a_c', 'a%c' like 'a\\%c', 'abc' similar to '(a|b)%', substring('abc' from 'b.'), substring('abcd' similar 'a#"b#"%' escape '#')
'a' ~ '('
'a' ~ '[b-a]'
'a' ~ 'a{2,1}'
'a' like 'a\\'
'a' like 'a' escape 'xx'
regexp_match('a', 'a', 'g')
regexp_replace('a', 'a', 'b', 'z')
regexp_substr('a', 'a', 0)
num_nonnulls(1, null), num_nulls(variadic '{1,NULL}'::int[]), coalesce(null, null), nullif(1, 1), greatest(1, null, 3), least(null), pg_typeof(null), pg_typeof(array[1]), 1 is distinct from null, null = null, (1, 2) < (1, 3), (1, null) = (1, null), row(1, 2) is null, not null, null and false, true or null
coalesce(1, 'x')
nullif(1, 'x')
greatest(1, 'x')
case when 1 then 2 end
case 1 when 'x' then 2 end
case when true then 1 else 'x' end
1 + 'x'
1 + '2'
'1' + '2'
'a' || 1, 1 || 'a', 'a' || null
1 || 2
true + 1
not 1
'x' and true
nope(1)
abs('x')
abs('-5'), length(5::text)
length(5)
lower(1)
upper('a', 'b')
now(1)
1::nope
cast(1 as nope.x)
cast('a' as int)
cast(1 as bool), cast(0 as bool), cast('1' as bool), 't'::bool::int
1::bool::int8
cast(array[1] as int)
cast(row(1) as int)
B'2'
X'G'
U&'\\0041\\+000042', U&'d!0061t' uescape '!'
U&'\\00'
E'\\x41\\u00e9\\t', E'\\''
E'\\u00'
E'\\xff'
'unterminated""".split("\n")


def statements():
    for t, values, operators in PAIRS:
        for o in operators:
            pairs = ", ".join(f"('{a}', '{b}')" for a in values for b in values)
            yield f"select a, b, a {o} b as x from (select a::{t}, b::{t} from (values {pairs}) v (a, b)) v"
            yield f"select '{values[0]}'::{t} {o} null as n, '{values[0]}' {o} '{values[1]}'::{t} as u"
    for r in RANGES:
        for call in CALLS.split("\n"):
            yield "select " + call.format(r=r)
    for f in FUNCTIONS:
        yield "select " + f
