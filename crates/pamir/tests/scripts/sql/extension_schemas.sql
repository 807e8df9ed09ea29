# Functions of uuid-ossp and pgcrypto with the extension's schema before them, as pg_dump writes them.
> CREATE EXTENSION "uuid-ossp"
CREATE EXTENSION

> SELECT uuid_generate_v4() IS NOT NULL, public.uuid_generate_v4() IS NOT NULL, public.uuid_nil()
?column?:bool | ?column?:bool | uuid_nil:uuid
t | t | 00000000-0000-0000-0000-000000000000
SELECT 1

> CREATE TABLE dumped (id uuid DEFAULT public.uuid_generate_v4() NOT NULL, of_name uuid DEFAULT uuid_generate_v5(uuid_ns_dns(), 'a'))
CREATE TABLE

> INSERT INTO dumped DEFAULT VALUES RETURNING id IS NOT NULL, of_name
?column?:bool | of_name:uuid
t | 4f3f2898-69e3-5a0d-820a-c4e87987dbce
INSERT 0 1

> SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'dumped'::regclass ORDER BY adnum
pg_get_expr:text
uuid_generate_v4()
uuid_generate_v5(uuid_ns_dns(), 'a'::text)
SELECT 2

> SELECT 'uuid_generate_v4'::regproc, 'public.uuid_generate_v4()'::regprocedure, 'public.uuid_nil'::regproc
regproc:regproc | regprocedure:regprocedure | regproc:regproc
uuid_generate_v4 | uuid_generate_v4() | uuid_nil
SELECT 1

> CREATE VIEW named AS SELECT public.uuid_generate_v3(uuid_ns_url(), 'b') AS u
CREATE VIEW

> SET search_path TO ''
SET

> SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'public.dumped'::regclass ORDER BY adnum
pg_get_expr:text
public.uuid_generate_v4()
public.uuid_generate_v5(public.uuid_ns_dns(), 'a'::text)
SELECT 2

> SELECT pg_get_viewdef('public.named'::regclass)
pg_get_viewdef:text
 SELECT public.uuid_generate_v3(public.uuid_ns_url(), 'b'::text) AS u;
SELECT 1

> SELECT u FROM public.named
u:uuid
f4f12e82-8214-3160-af4c-631628abb475
SELECT 1

> SELECT 'public.uuid_generate_v4'::regproc
regproc:regproc
public.uuid_generate_v4
SELECT 1

> RESET search_path
RESET

> SELECT nspname, proname, pg_function_is_visible(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE proname LIKE 'uuid\_%' AND proname NOT IN ('uuid_in', 'uuid_out', 'uuid_recv', 'uuid_send') AND proname !~ '^uuid_(lt|le|eq|ge|gt|ne|cmp|hash|sortsupport)' ORDER BY 2
nspname:name | proname:name | pg_function_is_visible:bool
public | uuid_nil | t
public | uuid_ns_dns | t
public | uuid_ns_oid | t
public | uuid_ns_url | t
public | uuid_ns_x500 | t
SELECT 5

> SELECT count(*) FROM pg_depend d JOIN pg_extension e ON refobjid = e.oid AND refclassid = 'pg_extension'::regclass WHERE extname = 'uuid-ossp' AND deptype = 'e'
count:int8
10
SELECT 1

> DROP VIEW named
DROP VIEW

> DROP TABLE dumped
DROP TABLE

> DROP EXTENSION "uuid-ossp"
DROP EXTENSION

# In another schema.
> CREATE SCHEMA ext
CREATE SCHEMA

> CREATE EXTENSION pgcrypto SCHEMA ext
CREATE EXTENSION

> SELECT ext.digest('a', 'md5'), length(ext.gen_random_bytes(3)), ext.gen_random_uuid() IS NOT NULL, gen_random_uuid() IS NOT NULL
digest:bytea | length:int4 | ?column?:bool | ?column?:bool
\x0cc175b9c0f1b6a831c399e269772661 | 3 | t | t
SELECT 1

> SELECT public.digest('a', 'md5')
ERROR 42883: function public.digest(unknown, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> SELECT encode(ext.hmac('a'::bytea, 'k'::bytea, 'sha256'), 'hex')
encode:text
78da91511e675587f5b9df78bedebaf5560da2abb88162ee875dcdf744951d9e
SELECT 1

> CREATE TABLE kept (a uuid DEFAULT gen_random_uuid(), b uuid DEFAULT ext.gen_random_uuid(), c bytea DEFAULT ext.gen_random_bytes(4))
CREATE TABLE

> SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'kept'::regclass ORDER BY adnum
pg_get_expr:text
gen_random_uuid()
ext.gen_random_uuid()
ext.gen_random_bytes(4)
SELECT 3

> SET search_path TO ext, public
SET

> SELECT digest('a', 'md5')
digest:bytea
\x0cc175b9c0f1b6a831c399e269772661
SELECT 1

> SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'kept'::regclass AND adnum <> 2 ORDER BY adnum
pg_get_expr:text
gen_random_uuid()
gen_random_bytes(4)
SELECT 2

> INSERT INTO kept DEFAULT VALUES RETURNING a <> b, length(c)
?column?:bool | length:int4
t | 4
INSERT 0 1

> RESET search_path
RESET

> CREATE FUNCTION hashed(t text) RETURNS text LANGUAGE sql AS $$ SELECT encode(ext.digest(t, 'sha1'), 'hex') $$
CREATE FUNCTION

> SELECT hashed('a')
hashed:text
86f7e437faa5a7fce15d1ddcb9eaeaea377667b8
SELECT 1

> DROP TABLE kept
DROP TABLE

> DROP EXTENSION pgcrypto
DROP EXTENSION

> DROP FUNCTION hashed
DROP FUNCTION

> DROP SCHEMA ext
DROP SCHEMA

