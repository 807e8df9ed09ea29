-- COPY: every option, both ways, what it says of wrong lines.
create table t (id int primary key, a text, b numeric(6,2) default 1.5, c date);
copy t from stdin;
1	one	1.25	2024-01-01
2	\N	\N	\N
3	tab\there\nand line	2	2024-02-29
\.
select * from t order by id;
copy t to stdout;
copy t (a, id) to stdout;
copy t (id, nope) to stdout;
copy t (id, id) to stdout;
copy t to stdout (format csv);
copy t to stdout with csv header;
copy t to stdout (format csv, header, delimiter ';', quote '''', null 'NULL', force_quote *);
copy t to stdout (format csv, force_quote (a, c));
copy t to stdout (format csv, force_quote (nope));
copy t to stdout (header);
copy t to stdout (delimiter '|', null '');
copy t to stdout with delimiter '|' null as 'nix';
copy t to stdout (delimiter 'ab');
copy t to stdout (delimiter '');
copy t to stdout (delimiter 'a');
copy t to stdout (delimiter '\');
copy t to stdout (format csv, delimiter '"');
copy t to stdout (format csv, quote 'ab');
copy t to stdout (quote '"');
copy t to stdout (escape '"');
copy t to stdout (format csv, escape 'ab');
copy t to stdout (null E'a\nb');
copy t to stdout (format csv, null '"');
copy t to stdout (format csv, delimiter ',', null 'a,b');
copy t to stdout (force_quote *);
copy t to stdout (force_null (a));
copy t to stdout (force_not_null (a));
copy t to stdout (freeze);
copy t to stdout (format nope);
copy t to stdout (format 5);
copy t to stdout (nope);
copy t to stdout (format csv, format text);
copy t to stdout (header maybe);
copy t to stdout (header match, format csv);
copy t to stdout (encoding 'nope');
copy t to stdout (encoding 'latin1');
copy t to stdout (format binary, delimiter ',');
copy t to stdout (format binary, null 'x');
copy t to stdout (format binary, header);
copy (select * from t where id < 3 order by id desc) to stdout;
copy (select a, b * 2 as bb from t order by id) to stdout (format csv, header);
copy (values (1, 'x'), (2, 'y')) to stdout;
copy (insert into t (id, a) values (10, 'ten') returning id, b) to stdout;
copy (delete from t where id = 10 returning *) to stdout;
copy (update t set a = a) to stdout;
copy (select 1; select 2) to stdout;
copy (select 1 into x) to stdout;
copy (create table x (a int)) to stdout;
copy (select * from nope) to stdout;
copy nope to stdout;
copy nope from stdin;
1
\.
copy t from stdin (format csv);
4,"quoted, ""it""",2.5,2024-03-01
5,,,
6,"",1,
\.
select id, a, a is null, b, c from t where id between 4 and 6 order by id;
copy t from stdin (format csv, header, null 'NULL', force_null (a));
id,a,b,c
7,"NULL",NULL,NULL
\.
copy t from stdin (format csv, force_not_null (a));
8,,1,2024-01-01
\.
select id, a is null from t where id in (7, 8) order by id;
copy t from stdin (format csv, header match);
id,a,b,c
20,x,1,
\.
copy t from stdin (format csv, header match);
id,x,b,c
21,x,1,
\.
copy t from stdin (format csv, header match);
id,a
21,x
\.
copy t (id, a) from stdin (header);
the header
22	y
\.
copy t (id) from stdin where id % 2 = 0;
30
31
32
\.
select id, b from t where id >= 30 order by id;
copy t (id) from stdin where nope = 1;
1
\.
copy t (id) from stdin where (select true);
1
\.
copy t (id) to stdout where id = 1;
copy t from stdin;
40
\.
copy t from stdin;
41	a	1	2024-01-01	more
\.
copy t from stdin;
x	a	1	2024-01-01
\.
copy t from stdin;
42	a	1	not a date
\.
copy t from stdin;
43	a	99999.999	2024-01-01
\.
copy t from stdin;
1	a	1	2024-01-01
\.
copy t from stdin;
\N	a	1	2024-01-01
\.
copy t from stdin (format csv);
44,"open,1,2024-01-01
\.
copy t from stdin (format csv);
45,a"b"c,1,2024-01-01
\.
select * from t where id = 45;
copy t from stdin (delimiter '|');
46|a\|b|\N|2024-01-01
\.
select * from t where id = 46;
copy t (id, a) from stdin;
50	\x41\102\\\t\b\f\v\r.
51	\.
\.
select id, a::bytea from t where id in (50, 51) order by id;
copy t (id, a) from stdin (null 'NIL');
52	NIL
53	\N
\.
select id, a from t where id in (52, 53) order by id;
copy t (id, a) from stdin (default 'D');
1	2
\.
create table d (a int not null check (a > 0), b int generated always as (a + 1) stored, c serial, e int generated always as identity);
copy d (a) from stdin;
1
2
\.
copy d (a) from stdin;
0
\.
copy d (b) from stdin;
1
\.
copy d (b) to stdout;
copy d (a, e) from stdin;
5	50
\.
copy d from stdin;
6	7	8
\.
select * from d order by a;
copy d to stdout;
create table arr (a int[], b text[], c int4range, j jsonb, bo bool, by bytea, ts timestamptz, iv interval);
copy arr from stdin;
{1,2,NULL}	{"a b",c}	[1,5)	{"k": [1, 2]}	t	\\x4142	2024-01-01 00:00:00+00	1 day
\N	{}	empty	null	f	\\x	infinity	-1 mon
\.
copy arr to stdout;
copy arr to stdout (format csv);
copy arr from stdin;
{1,2	\N	\N	\N	\N	\N	\N	\N
\.
copy arr from stdin;
\N	\N	\N	{	\N	\N	\N	\N
\.
create view v as select id, a from t;
copy v from stdin;
1	x
\.
copy v to stdout;
copy (select * from v where id < 3 order by 1) to stdout;
create sequence sq;
copy sq to stdout;
create index ti on t (a);
copy ti to stdout;
begin read only;
copy t from stdin;
60	a	1	2024-01-01
\.
rollback;
begin;
copy t (id) from stdin;
61
\.
select count(*) from t where id = 61;
rollback;
select count(*) from t where id = 61;
begin;
create table fz (a int);
copy fz from stdin (freeze);
1
\.
commit;
copy fz from stdin (freeze);
1
\.
copy t from '/nonexistent/file';
copy t to 'relative/file';
copy t from stdin (oids);
copy binary t to stdout;
copy t to stdout binary csv;
copy t from stdin (format csv, escape '\', quote '$');
70,$a\$b,c$,1,2024-01-01
\.
select a from t where id = 70;
set datestyle = 'German, DMY';
copy (select date '2024-12-31') to stdout;
reset datestyle;
set client_encoding = 'latin1';
copy (select 'é') to stdout;
copy (select '€') to stdout;
reset client_encoding;
create table self (id int primary key, p int references self);
copy self from stdin;
2	1
1	1
\.
copy self from stdin;
4	99
\.
