create table nation (id int primary key, region int);
create table cust (id int primary key, nation int, note text);
create table ord (id int primary key, cust int, day int);
create table line (ord int, n int, supp int, primary key (ord, n));
create table supp (id int primary key, nation int);
insert into nation select g, g % 5 from generate_series(1, 25) g;
insert into cust select g, g % 25 + 1, 'c' || g % 50 from generate_series(1, 1500) g;
insert into ord select g, g % 1500 + 1, g % 365 from generate_series(1, 5000) g;
insert into line select g / 4 + 1, g % 4, g % 100 + 1 from generate_series(1, 19999) g;
insert into supp select g, g % 25 + 1 from generate_series(1, 100) g;
analyze;
-- The customer's nation is the supplier's and so the region's: customers are chosen before their lines are looked up.
explain (costs off) select count(*) from cust c, ord o, line l, supp s, nation n where c.id = o.cust and l.ord = o.id and l.supp = s.id and c.nation = s.nation and s.nation = n.id and n.region = 2 and o.day < 100;
-- One equality of each class is tested, not all that follow.
explain (costs off) select count(*) from ord a, ord b, ord c, ord d where a.id = b.id and b.id = c.id and c.id = d.id and a.day = 7;
-- A column of a class twice in one relation is a condition there.
explain (costs off) select count(*) from cust c, ord o, supp s where o.id = c.id and o.cust = c.id and s.id = c.id;
-- Nothing ties supp to nation but line, which has no condition: the product is the only way.
explain (costs off) select count(*) from supp s, nation n where s.nation > 3 and n.region < 2;
-- A table of the smaller side, also where its rows are kept.
explain (costs off) select count(o.id) from cust c left join ord o on o.cust = c.id;
explain (costs off) select count(c.id) from ord o left join cust c on o.cust = c.id where o.id <> 3;
-- The second evaluation makes a table of all customers' orders: the subquery has run once.
explain (analyze, costs off, timing off, summary off) select count(*) from cust c where (select count(*) from ord o where o.cust = c.id) > 3;
-- An index finds them one by one.
explain (analyze, costs off, timing off, summary off) select count(*) from ord o where o.id < 5 and o.day < (select sum(l.supp) from line l where l.ord = o.id);
-- Patterns by what they match of the most common values, <> by the number of distinct ones.
explain select * from cust where note like '%7';
explain select * from cust where note not like '%7';
explain select * from cust where note ~ '^c1';
explain select count(*) from nation a, nation b where a.id = b.id and a.region <> b.region;
select note, id from cust where note in ('c1', 'c2', 'c3', 'c4', 'x5', 'x6', 'x7', 'x8', 'x9', 'x10') and id < 60 order by id;
select count(*) from cust where id not in (1, 2, 3, 4, 5, 6, 7, 8, 9, null);
select count(*) from cust where (id in (1, 2, 3, 4, 5, 6, 7, 8, 9, null)) is null;
select count(*) from cust where id::bigint in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3000000000);
select count(*) from cust where id::numeric / 2 in (1, 2.0, 2.50, 3, 4, 5, 6, 7, 8, 9, 10);
select count(*) from cust where note::char(5) in ('c1', 'c2 ', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9');
-- A date beside a timestamp of either kind is a range of an index.
create table shipped (d date, n int);
insert into shipped select date '2020-01-01' + g, g from generate_series(1, 2000) g;
create index shipped_d on shipped (d);
analyze shipped;
explain (costs off) select n from shipped where d >= timestamptz '2023-01-01 00:00+00' and d < timestamptz '2023-01-03 00:00+00';
explain (costs off) select n from shipped where d = timestamp '2023-01-01 00:00';
explain (costs off) update shipped set n = 0 where d > now() + interval '40 years';
-- A common table expression is not computed for a join whose other side is empty.
explain (analyze, costs off, timing off, summary off) with w as materialized (select o.cust, count(*) from ord o, line l where l.ord = o.id group by 1) select count(*) from w join cust c on c.id = w.cust where c.note = 'none' and c.nation = 3;
-- What statistics call empty is read before what it is joined to, and a look-up finds as many as its own column's values have.
create table months (id int primary key, y int, m int);
create table stock (month int, item int, n int, primary key (month, item));
insert into months select g, g / 12, g % 12 from generate_series(1, 6000) g;
insert into stock select g % 12 + 1, g, g % 7 from generate_series(1, 6000) g;
analyze months, stock, cust;
explain (costs off) select c.note from cust c, stock s, months d where s.month = d.id and s.item = c.id and c.note in ('c1', 'c2') and c.nation = 3 and c.id between 3 and 9 and d.y = 0;
-- What an EXISTS asks of none of its rows is asked beside it.
explain (costs off) select count(*) from cust a, cust b where a.nation = b.nation and exists (select from supp s where s.nation = b.nation and not exists (select from ord o where o.cust = a.id));
-- Products in the order of the statement.
explain (costs off) select * from generate_series(1, 2) x, generate_series(4, 5) y;
-- Of 6,000 months 12 are in stock: a look-up of one of these finds 500.
set enable_hashjoin = off;
explain select s.n from months d join stock s on s.month = d.id where d.y = 0;
reset enable_hashjoin;
