# Names of types, with and without modifiers.
> create table b1(a char(3), b bpchar, c char)
CREATE TABLE

> select pg_typeof(a), pg_typeof(b), a::bpchar::regtype from b1
pg_typeof:regtype | pg_typeof:regtype | a:regtype
SELECT 0

> select 'bpchar'::regtype, 1042::regtype, format_type(1042, -1), format_type(1042, null), format_type(1042, 7), format_type(1043,-1), format_type(1014,-1), format_type(1014,null)
regtype:regtype | regtype:regtype | format_type:text | format_type:text | format_type:text | format_type:text | format_type:text | format_type:text
character | character | bpchar | character | character(3) | character varying | bpchar[] | character[]
SELECT 1

> select a + 1 from b1
ERROR 42883: operator does not exist: character + integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select nofunc(a, b) from b1
ERROR 42883: function nofunc(character, character) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select a = true from b1
ERROR 42883: operator does not exist: character = boolean
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> insert into b1 values (now(), 1, true)
ERROR 22001: value too long for type character(1)

> select coalesce(a, 1) from b1
ERROR 42804: COALESCE types character and integer cannot be matched

> select cast(a as int[]) from b1
a:_int4
SELECT 0

> select data_type, udt_name, character_maximum_length from information_schema.columns where table_name = 'b1' order by ordinal_position
data_type:varchar | udt_name:name | character_maximum_length:int4
character | bpchar | 3
character | bpchar | NULL
character | bpchar | 1
SELECT 3

> select array['a'::bpchar] = 1
ERROR 42883: operator does not exist: character[] = integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select oid, oid::regtype, format_type(oid, null), format_type(oid, -1), format_type(oid, 20) from pg_type where oid in (16,17,18,19,20,21,23,25,26,700,701,1042,1043,1082,1083,1114,1184,1266,1700,2950,3802,1014,1015,1231,1115,1185,1560,1562) order by 1
oid:oid | oid:regtype | format_type:text | format_type:text | format_type:text
16 | boolean | boolean | boolean | boolean
17 | bytea | bytea | bytea | bytea(20)
18 | "char" | "char" | "char" | "char"(20)
19 | name | name | name | name(20)
20 | bigint | bigint | bigint | bigint
21 | smallint | smallint | smallint | smallint
23 | integer | integer | integer | integer
25 | text | text | text | text(20)
26 | oid | oid | oid | oid(20)
700 | real | real | real | real
701 | double precision | double precision | double precision | double precision
1014 | character[] | character[] | bpchar[] | character(16)[]
1015 | character varying[] | character varying[] | character varying[] | character varying(16)[]
1042 | character | character | bpchar | character(16)
1043 | character varying | character varying | character varying | character varying(16)
1082 | date | date | date | date(20)
1083 | time without time zone | time without time zone | time without time zone | time(20) without time zone
1114 | timestamp without time zone | timestamp without time zone | timestamp without time zone | timestamp(20) without time zone
1115 | timestamp without time zone[] | timestamp without time zone[] | timestamp without time zone[] | timestamp(20) without time zone[]
1184 | timestamp with time zone | timestamp with time zone | timestamp with time zone | timestamp(20) with time zone
1185 | timestamp with time zone[] | timestamp with time zone[] | timestamp with time zone[] | timestamp(20) with time zone[]
1231 | numeric[] | numeric[] | numeric[] | numeric(0,16)[]
1266 | time with time zone | time with time zone | time with time zone | time(20) with time zone
1560 | bit | bit | "bit" | bit(20)
1562 | bit varying | bit varying | bit varying | bit varying(20)
1700 | numeric | numeric | numeric | numeric(0,16)
2950 | uuid | uuid | uuid | uuid(20)
3802 | jsonb | jsonb | jsonb | jsonb(20)
SELECT 28
