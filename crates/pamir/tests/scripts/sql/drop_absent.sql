# DROP of what is not there, of kinds that cannot be; names of types in arrays.
> drop type if exists "public"."enum_x"
NOTICE 00000: type "public.enum_x" does not exist, skipping
DROP TYPE

> drop type nosuch
ERROR 42704: type "nosuch" does not exist

> drop domain if exists d1
NOTICE 00000: type "d1" does not exist, skipping
DROP DOMAIN

> drop domain d1
ERROR 42704: type "d1" does not exist

> drop view v1
ERROR 42P01: view "v1" does not exist

> drop function if exists f()
NOTICE 00000: function f() does not exist, skipping
DROP FUNCTION

> drop function f()
ERROR 42883: function f() does not exist

> drop trigger if exists tr on nosuch
NOTICE 00000: relation "nosuch" does not exist, skipping
DROP TRIGGER

> drop rule if exists r on nosuch
NOTICE 00000: relation "nosuch" does not exist, skipping
DROP RULE

> drop policy if exists p on nosuch
NOTICE 00000: relation "nosuch" does not exist, skipping
DROP POLICY

> drop user if exists nosuch
NOTICE 00000: role "nosuch" does not exist, skipping
DROP ROLE

> drop role if exists nosuch
NOTICE 00000: role "nosuch" does not exist, skipping
DROP ROLE

> drop owned by postgres
ERROR 2BP01: cannot drop objects owned by role postgres because they are required by the database system

> select '_text'::regtype, 'pg_catalog._int4'::regtype, '"pg_catalog"."_text"'::regtype::text, '"pg_catalog"."int4"'::regtype
regtype:regtype | regtype:regtype | text:text | regtype:regtype
text[] | integer[] | text[] | integer
SELECT 1

> select '{a,b}'::_text, '{1}'::pg_catalog._int4, null::_numeric
_text:_text | _int4:_int4 | _numeric:_numeric
{a,b} | {1} | NULL
SELECT 1

> select ('"' || 'pg_catalog' || '"."' || '_text' || '"')::regtype::text
text:text
text[]
SELECT 1

> create table _tt (a _text, b _int4)
CREATE TABLE

> select to_regtype('_text'), to_regtype('int4[]'), 'character varying(10)[]'::regtype, 'timestamp with time zone'::regtype
to_regtype:regtype | to_regtype:regtype | regtype:regtype | regtype:regtype
text[] | integer[] | character varying[] | timestamp with time zone
SELECT 1

> drop table _tt
DROP TABLE

> select '{int,int8,text}'::regtype[], '{pg_class,pg_type}'::regclass[]
regtype:_regtype | regclass:_regclass
{integer,bigint,text} | {pg_class,pg_type}
SELECT 1

> select 23 = any ('{int,int8}'::regtype[])
?column?:bool
t
SELECT 1

> create table tt (a int)
CREATE TABLE

> drop trigger tr on tt
ERROR 42704: trigger "tr" for table "tt" does not exist

> drop trigger if exists tr on tt cascade
NOTICE 00000: trigger "tr" for relation "tt" does not exist, skipping
DROP TRIGGER

> drop policy if exists p on tt
NOTICE 00000: policy "p" for relation "tt" does not exist, skipping
DROP POLICY

> drop rule r on tt
ERROR 42704: rule "r" for relation "tt" does not exist

> drop domain if exists a, c restrict
NOTICE 00000: type "a" does not exist, skipping
NOTICE 00000: type "c" does not exist, skipping
DROP DOMAIN

> drop function f, g
ERROR 42883: could not find a function named "f"

> drop domain if exists int4
ERROR 42809: "int4" is not a domain

> drop table tt
DROP TABLE

> reassign owned by postgres to postgres
ERROR 2BP01: cannot reassign ownership of objects owned by role postgres because they are required by the database system
