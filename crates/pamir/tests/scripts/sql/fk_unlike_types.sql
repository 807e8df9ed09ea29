# Foreign keys between columns of unlike types, and changes of their types.
> create table fa(id numeric primary key, t text)
CREATE TABLE

> create table fb(id int references fa(id) on update cascade on delete cascade, k int)
CREATE TABLE

> insert into fa values (1), (2.50), (3), (1e20)
INSERT 0 4

> insert into fb values (1, 1), (3, 2)
INSERT 0 2

> insert into fb values (2, 3)
ERROR 23503: insert or update on table "fb" violates foreign key constraint "fb_id_fkey"
DETAIL: Key (id)=(2) is not present in table "fa".

> update fb set id = 4 where k = 1
ERROR 23503: insert or update on table "fb" violates foreign key constraint "fb_id_fkey"
DETAIL: Key (id)=(4) is not present in table "fa".

> update fa set id = 7.00 where id = 1
UPDATE 1

> select * from fb order by k
id:int4 | k:int4
7 | 1
3 | 2
SELECT 2

> update fa set id = 7.6 where id = 7
ERROR 23503: insert or update on table "fb" violates foreign key constraint "fb_id_fkey"
DETAIL: Key (id)=(8) is not present in table "fa".

> select * from fb order by k
id:int4 | k:int4
7 | 1
3 | 2
SELECT 2

> update fa set id = 1e30 where id = 3
ERROR 22003: integer out of range

> delete from fa where id = 3
DELETE 1

> select * from fb order by k
id:int4 | k:int4
7 | 1
SELECT 1

> delete from fa where id = 2.5
DELETE 1

> select * from fa order by id
id:numeric | t:text
7.00 | NULL
100000000000000000000 | NULL
SELECT 2

> create table fc(id float8 references fa)
ERROR 42804: foreign key constraint "fc_id_fkey" cannot be implemented
DETAIL: Key columns "id" and "id" are of incompatible types: double precision and numeric.

> create table pf(id float8 primary key)
CREATE TABLE

> create table pf4(id float4 primary key)
CREATE TABLE

> create table cf(a int references pf, b numeric references pf, c float4 references pf, d int8 references pf4, e float8 references pf4)
CREATE TABLE

> insert into pf values (1), (0.1), (2.5)
INSERT 0 3

> insert into pf4 values (1), (0.1), (0.5)
INSERT 0 3

> insert into cf(a, b) values (1, 0.1)
INSERT 0 1

> insert into cf(c) values (0.1)
ERROR 23503: insert or update on table "cf" violates foreign key constraint "cf_c_fkey"
DETAIL: Key (c)=(0.1) is not present in table "pf".

> insert into cf(c) values (2.5)
INSERT 0 1

> insert into cf(e) values (0.1)
ERROR 23503: insert or update on table "cf" violates foreign key constraint "cf_e_fkey"
DETAIL: Key (e)=(0.1) is not present in table "pf4".

> insert into cf(e) values (0.5)
INSERT 0 1

> insert into cf(d) values (1)
INSERT 0 1

> insert into cf(d) values (2)
ERROR 23503: insert or update on table "cf" violates foreign key constraint "cf_d_fkey"
DETAIL: Key (d)=(2) is not present in table "pf4".

> delete from pf where id = 1
ERROR 23503: update or delete on table "pf" violates foreign key constraint "cf_a_fkey" on table "cf"
DETAIL: Key (id)=(1) is still referenced from table "cf".

> delete from pf where id = 0.1
ERROR 23503: update or delete on table "pf" violates foreign key constraint "cf_b_fkey" on table "cf"
DETAIL: Key (id)=(0.1) is still referenced from table "cf".

> delete from pf where id = 2.5
ERROR 23503: update or delete on table "pf" violates foreign key constraint "cf_c_fkey" on table "cf"
DETAIL: Key (id)=(2.5) is still referenced from table "cf".

> delete from pf4 where id = 0.5
ERROR 23503: update or delete on table "pf4" violates foreign key constraint "cf_e_fkey" on table "cf"
DETAIL: Key (id)=(0.5) is still referenced from table "cf".

> delete from pf4 where id = 0.1::float4
DELETE 1

> update pf set id = 9 where id = 2.5
ERROR 23503: update or delete on table "pf" violates foreign key constraint "cf_c_fkey" on table "cf"
DETAIL: Key (id)=(2.5) is still referenced from table "cf".

> create table pd(d date primary key)
CREATE TABLE

> create table cd(t timestamp references pd on update cascade, k int)
CREATE TABLE

> create index on cd(t)
CREATE INDEX

> insert into pd values ('2024-01-01'), ('2024-02-01')
INSERT 0 2

> insert into cd values ('2024-01-01', 1)
INSERT 0 1

> insert into cd values ('2024-01-01 10:00', 2)
ERROR 23503: insert or update on table "cd" violates foreign key constraint "cd_t_fkey"
DETAIL: Key (t)=(2024-01-01 10:00:00) is not present in table "pd".

> insert into cd values ('infinity', 3)
ERROR 23503: insert or update on table "cd" violates foreign key constraint "cd_t_fkey"
DETAIL: Key (t)=(infinity) is not present in table "pd".

> update pd set d = '2024-03-01' where d = '2024-01-01'
UPDATE 1

> select * from cd
t:timestamp | k:int4
2024-03-01 00:00:00 | 1
SELECT 1

> delete from pd where d = '2024-03-01'
ERROR 23503: update or delete on table "pd" violates foreign key constraint "cd_t_fkey" on table "cd"
DETAIL: Key (d)=(2024-03-01) is still referenced from table "cd".

> delete from pd where d = '2024-02-01'
DELETE 1

> create table pt(t timestamp primary key)
CREATE TABLE

> create table ct(d date references pt on delete cascade, z timestamptz references pt)
CREATE TABLE

> insert into pt values ('2024-01-01'), ('2024-02-01 10:00')
INSERT 0 2

> insert into ct(d) values ('2024-01-01')
INSERT 0 1

> insert into ct(d) values ('2024-02-01')
ERROR 23503: insert or update on table "ct" violates foreign key constraint "ct_d_fkey"
DETAIL: Key (d)=(2024-02-01) is not present in table "pt".

> set timezone = 'UTC'
SET

> insert into ct(z) values ('2024-02-01 10:00+00')
INSERT 0 1

> delete from pt where t = '2024-02-01 10:00'
ERROR 23503: update or delete on table "pt" violates foreign key constraint "ct_z_fkey" on table "ct"
DETAIL: Key (t)=(2024-02-01 10:00:00) is still referenced from table "ct".

> delete from pt where t = '2024-01-01'
DELETE 1

> select * from ct
d:date | z:timestamptz
NULL | 2024-02-01 10:00:00+00
SELECT 1

> create table pv(id varchar(10) primary key)
CREATE TABLE

> create table cv(a char(4) references pv on update cascade, b text references pv on update cascade)
CREATE TABLE

> insert into pv values ('a'), ('b  '), ('cc')
INSERT 0 3

> insert into cv(a) values ('a')
INSERT 0 1

> insert into cv(a) values ('b')
ERROR 23503: insert or update on table "cv" violates foreign key constraint "cv_a_fkey"
DETAIL: Key (a)=(b   ) is not present in table "pv".

> insert into cv(b) values ('b')
ERROR 23503: insert or update on table "cv" violates foreign key constraint "cv_b_fkey"
DETAIL: Key (b)=(b) is not present in table "pv".

> insert into cv(b) values ('cc')
INSERT 0 1

> update pv set id = 'abcdef' where id = 'a'
ERROR 22001: value too long for type character(4)

> update pv set id = 'abc' where id = 'a'
UPDATE 1

> update pv set id = 'c2' where id = 'cc'
UPDATE 1

> select * from cv
a:bpchar | b:text
abc  | NULL
NULL | c2
SELECT 2

> delete from pv where id = 'abc'
ERROR 23503: update or delete on table "pv" violates foreign key constraint "cv_a_fkey" on table "cv"
DETAIL: Key (id)=(abc) is still referenced from table "cv".

> create table pc(id char(5) primary key)
CREATE TABLE

> create table cc(a text references pc, b varchar(3) references pc on update cascade)
CREATE TABLE

> insert into pc values ('x'), ('y')
INSERT 0 2

> insert into cc(a) values ('x  ')
INSERT 0 1

> insert into cc(b) values ('y')
INSERT 0 1

> insert into cc(b) values ('z')
ERROR 23503: insert or update on table "cc" violates foreign key constraint "cc_b_fkey"
DETAIL: Key (b)=(z) is not present in table "pc".

> delete from pc where id = 'x'
ERROR 23503: update or delete on table "pc" violates foreign key constraint "cc_a_fkey" on table "cc"
DETAIL: Key (id)=(x    ) is still referenced from table "cc".

> update pc set id = 'yyyyy' where id = 'y'
ERROR 22001: value too long for type character varying(3)

> update pc set id = 'yy' where id = 'y'
UPDATE 1

> select a, '[' || b || ']' from cc
a:text | ?column?:text
x   | NULL
NULL | [yy]
SELECT 2

> alter table cc alter column b type int using 1
ERROR 42804: foreign key constraint "cc_b_fkey" cannot be implemented
DETAIL: Key columns "b" and "id" are of incompatible types: integer and character.

> alter table fb add column n numeric
ALTER TABLE

> alter table pf add column i int unique
ALTER TABLE

> alter table fb add foreign key (n) references pf(i)
ERROR 42804: foreign key constraint "fb_n_fkey" cannot be implemented
DETAIL: Key columns "n" and "i" are of incompatible types: numeric and integer.

> create table ci(id int references pv)
ERROR 42804: foreign key constraint "ci_id_fkey" cannot be implemented
DETAIL: Key columns "id" and "id" are of incompatible types: integer and character varying.

> create table cj(id date references fa)
ERROR 42804: foreign key constraint "cj_id_fkey" cannot be implemented
DETAIL: Key columns "id" and "id" are of incompatible types: date and numeric.

> create table ck(id name references pv)
CREATE TABLE

> insert into ck values ('abc'), ('b  ')
INSERT 0 2

> insert into ck values ('b')
ERROR 23503: insert or update on table "ck" violates foreign key constraint "ck_id_fkey"
DETAIL: Key (id)=(b) is not present in table "pv".

> create table late(a int)
CREATE TABLE

> insert into late values (1), (null), (5)
INSERT 0 3

> alter table late add constraint lf foreign key (a) references pf
ERROR 23503: insert or update on table "late" violates foreign key constraint "lf"
DETAIL: Key (a)=(5) is not present in table "pf".

> insert into pf values (5)
INSERT 0 1

> alter table late add constraint lf foreign key (a) references pf
ALTER TABLE

> insert into late values (5), (7)
ERROR 23503: insert or update on table "late" violates foreign key constraint "lf"
DETAIL: Key (a)=(7) is not present in table "pf".

> alter table late alter column a type date using '2024-01-01'
ERROR 42804: foreign key constraint "lf" cannot be implemented
DETAIL: Key columns "a" and "id" are of incompatible types: date and double precision.

> alter table late alter column a type numeric
ALTER TABLE

> insert into late values (5.0)
INSERT 0 1

> insert into late values (5.5)
ERROR 23503: insert or update on table "late" violates foreign key constraint "lf"
DETAIL: Key (a)=(5.5) is not present in table "pf".

> create table mp(a numeric, b date, primary key (b, a))
CREATE TABLE

> create table mc(x int, y timestamp, foreign key (x, y) references mp(a, b) on delete set null)
CREATE TABLE

> create index on mc(y, x)
CREATE INDEX

> insert into mp values (1, '2024-01-01'), (2, '2024-01-01')
INSERT 0 2

> insert into mc values (1, '2024-01-01'), (null, '2024-05-05'), (2, '2024-01-01')
INSERT 0 3

> insert into mc values (1, '2024-01-01 00:01')
ERROR 23503: insert or update on table "mc" violates foreign key constraint "mc_x_y_fkey"
DETAIL: Key (x, y)=(1, 2024-01-01 00:01:00) is not present in table "mp".

> delete from mp where a = 1
DELETE 1

> select * from mc order by x, y
x:int4 | y:timestamp
2 | 2024-01-01 00:00:00
NULL | 2024-05-05 00:00:00
NULL | NULL
SELECT 3

> create table oi(id oid primary key)
CREATE TABLE

> create table oc(a int references oi, b bigint references oi)
CREATE TABLE

> insert into oi values (4000000000)
INSERT 0 1

> insert into oc values (null, 4000000000)
INSERT 0 1

> create table qp(id int primary key, self int references qp)
CREATE TABLE

> create table qc(id int references qp)
CREATE TABLE

> insert into qp values (1, 1), (2, 1)
INSERT 0 2

> insert into qc values (1), (2)
INSERT 0 2

> alter table qp alter column id type int using id + 10
ERROR 23503: insert or update on table "qp" violates foreign key constraint "qp_self_fkey"
DETAIL: Key (self)=(1) is not present in table "qp".

> alter table qp alter column id type text
ERROR 42804: foreign key constraint "qp_self_fkey" cannot be implemented
DETAIL: Key columns "self" and "id" are of incompatible types: integer and text.

> alter table qp alter column id type numeric
ALTER TABLE

> alter table qp alter column self type text
ERROR 42804: foreign key constraint "qp_self_fkey" cannot be implemented
DETAIL: Key columns "self" and "id" are of incompatible types: text and numeric.

> alter table qc alter column id type numeric using id + 0.5
ERROR 23503: insert or update on table "qc" violates foreign key constraint "qc_id_fkey"
DETAIL: Key (id)=(1.5) is not present in table "qp".

> alter table qc alter column id type smallint
ALTER TABLE

> insert into qc values (3)
ERROR 23503: insert or update on table "qc" violates foreign key constraint "qc_id_fkey"
DETAIL: Key (id)=(3) is not present in table "qp".

> delete from qp where id = 2
ERROR 23503: update or delete on table "qp" violates foreign key constraint "qc_id_fkey" on table "qc"
DETAIL: Key (id)=(2) is still referenced from table "qc".

> alter table qc drop constraint qc_id_fkey
ALTER TABLE

> alter table qp alter column id type bigint using id + 1
ERROR 23503: insert or update on table "qp" violates foreign key constraint "qp_self_fkey"
DETAIL: Key (self)=(1) is not present in table "qp".

> alter table qp drop constraint qp_self_fkey
ALTER TABLE

> alter table qp alter column id type bigint using id + 1
ALTER TABLE

> select * from qp order by id
id:int8 | self:int4
2 | 1
3 | 1
SELECT 2
