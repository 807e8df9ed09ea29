"""Every type beside lists of its literals, good and bad: input and output, what its values are to arrays, order, groups and other types."""

LITERALS = {
    "int2": "0|-32768|32767|32768| 7 |+5|--5|1.5|1e3|0x10||x|1_000|-0",
    "int4": "2147483647|-2147483648|2147483648|99999999999999999999| 1 2|+0|1.0",
    "int8": "9223372036854775807|-9223372036854775808|9223372036854775808|1e10|12 ",
    "numeric": "1.50|-0.000|1e5|1E-10|1.|.5|.|NaN|nan|Infinity|-inf|+Infinity|infinit|1e|1e400000|  3.14  |1,000|00012.30|123456789012345678901234567890.123456789|-|0x1f|1e-16384",
    "numeric(5,2)": "999.99|999.995|-999.995|1000|1.005|0.004|NaN|Infinity|1e2|-1.555",
    "numeric(3,-2)": "12345|99949|99950|49|-50|1e4",
    "numeric(2,4)": "0.0099|0.01|0.00995|-0.00004",
    "float4": "1.1|3.4e38|3.5e38|1e-45|1e-46|NaN|-Infinity|0.1|16777217|-0|1e|",
    "float8": "1.1|1e308|1e309|5e-324|1e-325|nan|inf|-inf|0.1|123456789.123456789|-0|1e15|1e16|0x1p3|1d|infinity2",
    "bool": "t|f|true|FALSE|yes|n|on|off|of|o|1|0|2|y| tr |t r|",
    "money": "1|1.005|$1,234.56|-$5|($7.5)|92233720368547758.07|92233720368547758.08|1.2.3|x||$-5|5-|1,2,3.4",
    "text": "|abc|é|a b | |'' quoted ''|back\\slash",
    "varchar(3)": "|abc|abcd|abc  |éèê|日本語文",
    "char(3)": "|a|abc|abcd|ab  |a   ",
    '"char"': "|a|ab|é|\\101|\\777",
    "name": "abc||a b|0123456789012345678901234567890123456789012345678901234567890123456789",
    "bytea": "\\x|\\x4142|\\x414|\\xzz|abc|a\\000b|a\\\\b|a\\8|\\x 41 42|\\X41|é",
    "uuid": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11|A0EEBC999C0B4EF8BB6D6BB9BD380A11|{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}|a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11|a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1|g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11||{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "bit": "0|1|10|2||B1|X1",
    "bit(4)": "1010|101|10101|XA|b0101|XG",
    "varbit(4)": "|1|1010|10101|xF|x1F",
    "varbit": "|1|0110|x0F|12",
    "inet": "1.2.3.4|1.2.3.4/24|1.2.3.4/33|1.2.3|1.2.3.256|::1|::ffff:1.2.3.4|fe80::1/64|1:2:3:4:5:6:7:8|1:2:3:4:5:6:7:8:9|::1/129|1.2.3.4/|10/8||abc|1::2::3",
    "cidr": "1.2.3.0/24|1.2.3.4/24|1.2.3.4|10|192.168|::/0|fe80::/10|fe80::1/10|1.2.3.0/33|x",
    "macaddr": "08:00:2b:01:02:03|08-00-2B-01-02-03|0800.2b01.0203|08002b010203|08:00:2b:01:02|08:00:2b:01:02:gg|08:00:2b:01:02:100||08:00-2b:01:02:03",
    "macaddr8": "08:00:2b:01:02:03:04:05|08:00:2b:01:02:03|0800.2b01.0203.0405|08002b0102030405|08:00:2b:01:02:03:04|gg:00:2b:01:02:03:04:05|",
    "pg_lsn": "0/0|16/B374D848|FFFFFFFF/FFFFFFFF|1/FFFFFFFFF|/1|1/|x/y|16/b374d848|G/0",
    "xid8": "0|18446744073709551615|-1|x|",
    "oid": "0|4294967295|4294967296|-1|-2147483649|x|",
    "tid": "(0,1)|(1,2)|(4294967295,65535)|(1,65536)|(1)|1,2|(-1,1)",
    "regclass": "pg_class|pg_catalog.pg_class|nope|nope.nope|1259|-|a.b.c.d|\"pg_class\"|PG_CLASS|0",
    "regtype": "int4|integer|int4[]|numeric(5,2)|nope|timestamp with time zone|23|-|character varying|pg_catalog.text|s.nope|int4 x",
    "regproc": "abs|now|nope|pg_catalog.now|-|1299",
    "regprocedure": "abs(int4)|abs(nope)|now()|nope()|abs|abs(int4,int4)|-",
    "regrole": "postgres|nope|10|-",
    "regnamespace": "pg_catalog|nope|11|public|a.b",
    "date": "2024-02-29|2023-02-29|2024-02-30|2024-13-01|J2451187|Jan 8, 1999|8 January 1999|1/8/1999|1/18/1999|18/1/1999|990108|19990108|1999.008|infinity|-infinity|epoch|today1|4713-01-01 BC|4714-11-23 BC|4714-11-24 BC|5874897-12-31|5874898-01-01|0000-01-01|2024-1-1|2024-01|99-Jan-08|08-Jan-99|2024-W01||Feb 29 2023|2024-02-29 12:00|2024-02-29 25:00|0044-03-15 BC|Monday Jan 1 2024|noday",
    "time": "04:05:06.789|04:05:06|04:05|040506|04:05 AM|04:05 PM|24:00:00|24:00:01|23:59:60|23:59:60.1|25:00|allballs|4:5:6|04:05:06.1234567|12:00 AM|12:00 PM|13:00 PM|00:00 AM||2024-01-01 04:05:06|04:05:06-08|noon|-01:00",
    "timetz": "04:05:06-08|04:05:06+05:30|04:05-08:00|040506+0730|04:05:06 PST|04:05:06 America/New_York|2024-07-01 04:05:06 America/New_York|04:05:06z|allballs|04:05:06+16|04:05:06+15:59:59|24:00:00+00|x|",
    "time(2)": "04:05:06.785|23:59:59.999|04:05:06.7",
    "timestamp": "2024-02-29 12:34:56.789|2024-02-29T12:34:56|2024-02-29T12:34:56Z|2024-02-29 24:00:00|2024-02-29 24:00:01|infinity|-infinity|epoch|294276-12-31 23:59:59.999999|294277-01-01|4714-11-24 00:00:00 BC|4714-11-23 00:00:00 BC|2024-02-30 00:00:00|Thu Feb 29 12:34:56 2024|20240229T123456|2024-02-29 12:34:56+05|Feb 29 12:34:56 PST 2024|2024-060|2024-366 10:00|now1||12:34|2024-02-29 12:34:56.1234567|2024-02-29 12:34:60|J2451187 04:05:06|19970710 173201|1997-06-10 18:32:01 -07:00",
    "timestamp(1)": "2024-02-29 12:34:56.95|1999-12-31 23:59:59.96",
    "timestamptz": "2024-02-29 12:34:56+00|2024-02-29 12:34:56-08|2024-02-29 12:34:56 America/New_York|2024-07-01 12:34:56 America/New_York|2024-02-29 12:34:56 PST|2024-02-29 12:34:56 PDT|2024-02-29 12:34:56 Nope/Zone|2024-02-29 12:34:56+25|infinity|2024-03-10 02:30:00 America/New_York|2024-11-03 01:30:00 America/New_York|2024-02-29 12:34:56 UTC+3|2024-02-29 12:34:56 BC|1900-01-01 00:00 Europe/Amsterdam|Wed Jul 10 17:32:01 1996 PDT|epoch|0001-01-01 00:00:00+14|x",
    "interval": "1 day|1 year 2 mons 3 days 4 hours 5 mins 6.789 secs|P1Y2M3DT4H5M6S|P0001-02-03T04:05:06|1-2|3 4:05:06|@ 1 day ago|-1 day +02:03|1.5 days|1.5 months|0.5 years|1 week|1 decade 1 century 1 millennium|1 nope|1||day|04:05|04:05:06.789|1 day 1 day|00:60:00|100:00:00|-00:00:01|178000000 years|178956970 years 8 mons|2147483648 days|P1.5D|PT1.5H|P|P1W|1 us|1 ms 2 us|infinity|1 y 2 d|- 1 day|1 day -1 hours|'1 day'|6 months ago ago|+1 +2",
    "interval year to month": "1-2|1 year 5 mons 3 days|5|1 day",
    "interval day to second(1)": "1 2:03:04.56|1 mon 2 days 3.14 secs|90",
    "interval hour": "5|1 day 2:30|03:45",
    "interval(2)": "1.239 secs|1 day 0.005 s",
    "json": "null|1|\"a\"|[1, 2]|{\"a\":1, \"a\":2}| {} |{a:1}|[1,]|{\"a\":}|01|1.|-|\"\\u00e9\"|\"\\ud83d\\ude00\"|\"\\ud83d\"|\"\\u12\"|\"\\x\"|tru|true false|[|{\"a\"|\"a|1e5|1e|\"tab\there\"||[1 2]|{\"a\" 1}|{1:2}|\"\\u0000\"|nul",
    "jsonb": "null|1.50|\"a\"|[1, [2, {}]]|{\"b\":1, \"a\":2, \"b\":3}|{\"aa\":1,\"b\":2}|1e5|1e-5|-0|1e400|\"\\u0000\"|\"\\ud83d\"|[1,]|{\"a\":1,}|true|12345678901234567890.10|''",
    "jsonpath": "$|$.a|$.a.b[*]|$[0 to last]|lax $.a|strict $.a ? (@ > 1)|$.a ? (@.b == \"x\" && @.c < 3)|$.**|$.**{2}|$.**{1 to last}|$.a.type()|$ + 1|-$.a|$.a like|$.\"a b\"|$.a ? (@ like_regex \"^a\" flag \"i\")|$.a ? (exists(@.b))|$.a ? (@ starts with \"x\")|$[|$.|a|1 + 2 * 3|($.a + 1) * 2|$.datetime(\"YYYY\")|$.keyvalue().key|$x|$.a ? (@ == $v)|@|last|!($.a == 1)|$.a ? (!(@ == 1 || @ == 2))|$.a[1, 2 to 3, last - 1]|\"x\"|true|null|$.a.nope()|$.a ? (@ like_regex \"(\")|$.a ? (@ like_regex \"a\" flag \"z\")|  $ . a  |$.a is unknown|($.a > 1) is unknown|1.5e3|.5|0x1F|$.floor().ceiling().abs().double().size()|",
    "tsvector": "a b a|a:1 b:2,3A|'it''s' x|a:0|a:1A,2B,3C,4D|a:99999|'x y':1|a:x|\\\\|''|'|:1|zz:16383",
    "tsquery": "a|a & b|a & b | c|!a|a <-> b|a <3> b|(a | b) & !c|a:*|a:AB|'x y'|a &|& a||(|a b|a <99999> b|!!a|!(a & b)|a:*A <-> b",
    "point": "(1,2)|1,2|( 1 , 2 )|(1)|(1,2|1,2)|(1,2,3)|(NaN,Infinity)|(1e309,0)|x|",
    "lseg": "[(0,0),(1,1)]|(0,0),(1,1)|0,0,1,1|((0,0),(1,1))|[(0,0)]|x",
    "box": "(0,0),(1,1)|((1,1),(0,0))|(3,0),(1,2)|0,0,1,1|[(0,0),(1,1)]|(0,0)",
    "path": "[(0,0),(1,1)]|((0,0),(1,1))|(0,0),(1,1),(2,0)|0,0,1,1|[]|()|[(1,2)|1,2|[(0,0),(1,1))",
    "polygon": "((0,0),(1,1),(2,0))|(0,0),(1,1)|0,0|((0,0))|()|[(0,0)]|(0,0",
    "circle": "<(0,0),1>|((0,0),1)|(0,0),1|0,0,1|<(0,0),-1>|<(0,0)>|<0,0,1>|x",
    "line": "{1,2,3}|{0,0,1}|[(0,0),(1,1)]|(0,0),(1,1)|{1,2}|[(0,0),(0,0)]|{NaN,1,1}",
    "int4range": "empty|[1,5)|(1,5]|[1,5]|(1,2)|(,)|[,5]|[5,)|(5,1)|[1,1)|[1,1]|[1,5|1,5|[a,b]|[1,2,3]|[1,2147483647]|EMPTY|[ 1 , 5 )|[\"1\",\"5\")|emptyx|",
    "numrange": "[1.5,2.50]|(1.5,1.5)|[NaN,1]|[1,NaN]|[-Infinity,Infinity]|(,1e3]",
    "daterange": "[2024-01-01,2024-01-31]|(2024-01-01,2024-01-02)|[infinity,infinity]|(-infinity,]|[2024-02-30,)|[2024-01-02,2024-01-01]",
    "tsrange": "[2024-01-01 10:00,2024-01-01 12:00)|[\"2024-01-01 10:00\",)|(,\"2024-01-01\"]|[2024-01-02,2024-01-01]",
    "tstzrange": "[2024-01-01 10:00+02,2024-01-01 12:00+02)|(,infinity]|[x,]",
    "int4multirange": "{}|{[1,5)}|{[1,5),[5,8)}|{[6,8),[1,2]}|{(1,2)}|{empty}|{[1,5)|[1,5)|{[1,5),}|{ [1,2] , [4,5] }|{(,)}|{x}",
    "datemultirange": "{[2024-01-01,2024-01-31],[2024-02-01,2024-02-10)}|{[2024-01-01,]}|{(,2024-01-01),(2024-01-01,)}",
    "int4[]": "{}|{1,2}|{1,NULL}|{{1,2},{3,4}}|{{1},{2,3}}|[0:1]={1,2}|[2:1]={}|{1,2|1,2}|{1,,2}|{\"1\",2}|{a}| { 1 , 2 } |{1}x|[1:2]={1}|{{1},2}|{null}|{}}|[0:1][1:1]={{1},{2}}|{{}}|",
    "text[]": "{a,b}|{\"a b\",\"c,d\"}|{\"\",NULL,null,\"NULL\"}|{a\\,b}|{\"a\\\"b\"}|{a b}|{a\"b}|{\"a\"b}|{ a , b }|{'x'}|{\"}",
    "int2vector": "1 2 3||1 x|99999",
    "oidvector": "1 2|",
    "pg_snapshot": "10:20:10,14,15|10:20:|20:10:|x|10:20:30",
}
#: To which types a type's first values are cast, with what becomes of them.
CASTS = {
    "int4": "bool|text|numeric(3,1)|money|oid|int2|char(2)|bit(4)|date",
    "int8": "int4|oid|float4|xid8|bit(8)",
    "numeric": "int4|int8|float8|money|numeric(4,1)|text|bool",
    "float8": "int4|numeric|float4|text|int2",
    "bool": "int4|text|char(1)|int8",
    "money": "numeric|int4|text|float8",
    "text": "int4|date|char(2)|name|json|xid|bytea",
    "bytea": "text|int4",
    "varbit": "bit(3)|int4|varbit(2)",
    "bit(4)": "int4|int8|bit(6)|bit(2)|text",
    "inet": "cidr|text|varchar(5)",
    "cidr": "inet|text",
    "macaddr": "macaddr8|text",
    "macaddr8": "macaddr",
    "date": "timestamp|timestamptz|time|text|int4|daterange",
    "time": "timetz|interval|text|timestamp",
    "timetz": "time|text|interval",
    "timestamp": "date|time|timestamptz|timetz|timestamp(0)|text",
    "timestamptz": "date|time|timetz|timestamp|text",
    "interval": "time|text|int4|interval(0)|interval day",
    "jsonb": "int4|text|bool|numeric|json|float8",
    "json": "jsonb|text|int4",
    "point": "box|text|lseg",
    "box": "point|polygon|circle|lseg",
    "polygon": "box|circle|path|point",
    "circle": "box|point|polygon",
    "path": "polygon|point",
    "lseg": "point|box",
    "int4range": "int4multirange|text|int8range",
    "int4[]": "text[]|int8[]|numeric(3,1)[]|text|int4|date[]",
    "text[]": "int4[]|varchar(1)[]|text",
    "uuid": "text|bytea",
    "pg_lsn": "text|numeric|int8",
    "tid": "text|int4",
    "tsvector": "text|tsquery",
    "regclass": "oid|int4|text|int8",
}
#: No order or no equality.
UNORDERED = {"json", "jsonpath", "point", "lseg", "box", "path", "polygon", "circle", "line", "pg_snapshot", "int2vector"}


def quoted(v):
    return "'" + v.replace("''", "'").replace("'", "''") + "'"


def first(t):
    """The first values that are good, by the table's own word: a bad one fails the statement, which is an answer as well."""
    return [v for v in LITERALS[t].split("|")[:4]]


def split(t):
    # In these a bar is part of values.
    return LITERALS[t].replace(" | ", "\0").split("|")


def statements():
    for t in LITERALS:
        for v in split(t):
            yield f"select {quoted(v.replace(chr(0), ' | '))}::{t} as v"
    for t, targets in CASTS.items():
        for u in targets.split("|"):
            yield f"select {quoted(first(t)[0])}::{t}::{u}"
            yield f"select v::{u} from (values ({quoted(first(t)[1])}::{t}), (null)) x (v)"
    for t in LITERALS:
        a, b = quoted(first(t)[0]), quoted(first(t)[1])
        yield f"select array[{a}::{t}, null, {b}] as a, row({a}::{t}, 1) as r"
        yield f"select max(v), min(v), count(distinct v) from (values ({a}::{t}), ({b}), (null)) x (v)"
        yield f"select v from (values ({a}::{t}), ({b}), (null), ({a})) x (v) order by v desc"
        yield f"select {a}::{t} = {b}::{t} as eq, {a}::{t} < {b}::{t} as lt, {a}::{t} is distinct from null as d"
