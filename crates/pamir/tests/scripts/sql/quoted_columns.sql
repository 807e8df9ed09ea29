# Columns whose names need quotes, in everything that is stored as text and read again.
> create table "Mixed" (id int primary key, "Odd" text not null, "two words" int, "q""uote" varchar(20), check ("two words" > 0), "gen" int generated always as ("two words" * 2) stored, constraint "C" check (length("Odd") + "two words" < 100))
CREATE TABLE

> create index "Mixed_a" on "Mixed" (lower("Odd"))
CREATE INDEX

> create index "Mixed_b" on "Mixed" ((id + "two words"), "Odd" desc) where "q""uote" is not null and "two words" > 1
CREATE INDEX

> create unique index "Mixed_c" on "Mixed" (upper("q""uote"), id)
CREATE INDEX

> insert into "Mixed" values (1, 'One', 2, 'x'), (2, 'Two', 3, null)
INSERT 0 2

> insert into "Mixed" values (3, 'Three', -1, 'x')
ERROR 23514: new row for relation "Mixed" violates check constraint "Mixed_two words_check"
DETAIL: Failing row contains (3, Three, -1, x, -2).

> insert into "Mixed" (id, "Odd", "two words") values (4, repeat('x', 99), 5)
ERROR 23514: new row for relation "Mixed" violates check constraint "C"
DETAIL: Failing row contains (4, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., 5, null, 10).

> select * from "Mixed" where lower("Odd") = 'one'
id:int4 | Odd:text | two words:int4 | q"uote:varchar | gen:int4
1 | One | 2 | x | 4
SELECT 1

> select id from "Mixed" where id + "two words" = 3 and "q""uote" is not null and "two words" > 1
id:int4
1
SELECT 1

> insert into "Mixed" values (1, 'n', 9, 'X') on conflict (upper("q""uote"), id) do update set "Odd" = excluded."Odd" returning "Odd", gen
Odd:text | gen:int4
n | 4
INSERT 0 1

> update "Mixed" set "two words" = "two words" + 1
UPDATE 2

> select id, gen from "Mixed" order by id
id:int4 | gen:int4
1 | 6
2 | 8
SELECT 2

> alter table "Mixed" rename "Odd" to "Odder"
ALTER TABLE

> select pg_get_indexdef(indexrelid), pg_get_indexdef(indexrelid, 1, true), pg_get_indexdef(indexrelid, 1, false), pg_get_expr(indexprs, indrelid, true), pg_get_expr(indpred, indrelid, true) from pg_index where indrelid = '"Mixed"'::regclass order by indexrelid::regclass::text
pg_get_indexdef:text | pg_get_indexdef:text | pg_get_indexdef:text | pg_get_expr:text | pg_get_expr:text
CREATE INDEX "Mixed_a" ON public."Mixed" USING btree (lower("Odder")) | lower("Odder") | lower("Odder") | lower("Odder") | NULL
CREATE INDEX "Mixed_b" ON public."Mixed" USING btree (((id + "two words")), "Odder" DESC) WHERE (("q""uote" IS NOT NULL) AND ("two words" > 1)) | (id + "two words") | ((id + "two words")) | id + "two words" | "q""uote" IS NOT NULL AND "two words" > 1
CREATE UNIQUE INDEX "Mixed_c" ON public."Mixed" USING btree (upper(("q""uote")::text), id) | upper("q""uote"::text) | upper(("q""uote")::text) | upper("q""uote"::text) | NULL
CREATE UNIQUE INDEX "Mixed_pkey" ON public."Mixed" USING btree (id) | id | id | NULL | NULL
SELECT 4

> select conname, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) from pg_constraint where conrelid = '"Mixed"'::regclass order by 1
conname:name | pg_get_constraintdef:text | pg_get_constraintdef:text
C | CHECK (((length("Odder") + "two words") < 100)) | CHECK ((length("Odder") + "two words") < 100)
Mixed_pkey | PRIMARY KEY (id) | PRIMARY KEY (id)
Mixed_two words_check | CHECK (("two words" > 0)) | CHECK ("two words" > 0)
SELECT 3

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = '"Mixed"'::regclass
pg_get_expr:text
("two words" * 2)
SELECT 1

> drop table "Mixed"
DROP TABLE
