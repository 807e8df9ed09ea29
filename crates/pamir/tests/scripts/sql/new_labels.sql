# Labels of enums in the transaction that adds them.

> create type hue as enum ('red')
CREATE TYPE

> begin
BEGIN

> alter type hue add value 'green'
ALTER TYPE

> select 'red'::hue
hue:user
red
SELECT 1

> savepoint a
SAVEPOINT

> select 'green'::hue
ERROR 55P04: unsafe use of new value "green" of enum type hue
HINT: New enum values must be committed before they can be used.

> rollback to a
ROLLBACK

> select enum_range(null::hue)
enum_range:user
ERROR 55P04: unsafe use of new value "green" of enum type hue
HINT: New enum values must be committed before they can be used.

> rollback to a
ROLLBACK

> select enum_last(null::hue)
enum_last:user
ERROR 55P04: unsafe use of new value "green" of enum type hue
HINT: New enum values must be committed before they can be used.

> rollback to a
ROLLBACK

> select enum_first(null::hue)
enum_first:user
red
SELECT 1

> create table ht(h hue)
CREATE TABLE

> insert into ht values ('green')
ERROR 55P04: unsafe use of new value "green" of enum type hue
HINT: New enum values must be committed before they can be used.

> rollback to a
ROLLBACK

> commit
COMMIT

> select 'green'::hue, enum_range(null::hue)
hue:user | enum_range:user
green | {red,green}
SELECT 1

> begin
BEGIN

> select 'green'::hue
hue:user
green
SELECT 1

> create type h2 as enum ('x')
CREATE TYPE

> select 'x'::h2
h2:user
x
SELECT 1

> alter type h2 add value 'y'
ALTER TYPE

> savepoint b
SAVEPOINT

> select 'y'::h2
ERROR 55P04: unsafe use of new value "y" of enum type h2
HINT: New enum values must be committed before they can be used.

> rollback
ROLLBACK

> select * from pg_enum where false
oid:oid | enumtypid:oid | enumsortorder:float4 | enumlabel:name
SELECT 0

> begin
BEGIN

> alter type hue add value 'blue'
ALTER TYPE

> rollback
ROLLBACK

> select 'blue'::hue
ERROR 22P02: invalid input value for enum hue: "blue"

> alter type hue add value 'blue'
ALTER TYPE

> select 'blue'::hue
hue:user
blue
SELECT 1

> drop type hue
DROP TYPE
