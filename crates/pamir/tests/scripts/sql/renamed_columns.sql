# Correlated subqueries over columns that a subselect, a CTE or an ordered subselect renamed: the condition goes to the relation behind the name.
> create table rc (id int primary key, a int, b int, c int, e text)
CREATE TABLE

> insert into rc values (2, 6, 1, 5, 'w6'), (3, 6, -1, 1, 'b'), (4, null, 5, 2, null)
INSERT 0 3

> select x.k, x.c2 from (select x3.id k, x4.id c2, x4.b c3 from rc x3 join rc x4 on x3.id <> x4.id) x where (select max(b) from rc x5 where x5.b = x.c3) > 0 order by 1, 2
k:int4 | c2:int4
2 | 4
3 | 2
3 | 4
4 | 2
SELECT 4

> select x.k from (select x3.id k, x4.b c3 from rc x3 join rc x4 on x3.id <> x4.id) x where case when (select count(*) from rc x5 where x5.c = x.c3) > 0 then true else false end order by 1
k:int4
2
3
3
4
SELECT 4

> select x1.a, x1.b, x2.* from rc x1 left join (select x4.id c2, x4.c c3, x4.e c5, x3.id k from rc x3 join rc x4 on x3.id = 2 order by c5) x2 on exists (select from rc x5 where x5.b = x2.c3) order by 1, 2, 3
a:int4 | b:int4 | c2:int4 | c3:int4 | c5:text | k:int4
6 | -1 | 2 | 5 | w6 | 2
6 | -1 | 3 | 1 | b | 2
6 | 1 | 2 | 5 | w6 | 2
6 | 1 | 3 | 1 | b | 2
NULL | 5 | 2 | 5 | w6 | 2
NULL | 5 | 3 | 1 | b | 2
SELECT 6

> with v as (select p.id pid, q.c qc, q.b qb from rc p join rc q on p.id < q.id) select pid, qc from v where qc not in (select x.b from rc x where x.id = v.pid) order by 1, 2
pid:int4 | qc:int4
2 | 2
3 | 2
SELECT 2

> with v as materialized (select p.id pid, q.c qc, q.b qb from rc p join rc q on p.id < q.id) select pid, qc from v where exists (select from rc x where x.b = v.qb and x.id >= v.pid) order by 1, 2
pid:int4 | qc:int4
2 | 1
2 | 2
3 | 2
SELECT 3

> select y.u from (select x.k u, x.m w from (select p.id k, q.b m from rc p cross join rc q) x where x.k > 2) y where y.w in (select c from rc z where z.id <> y.u) and (select sum(z.c) from rc z where z.b = y.w) is not null order by 1
u:int4
3
4
4
SELECT 3

> select s.g, s.n from (select q.b g, count(*) n from rc p join rc q on p.id >= q.id group by q.b) s where (select count(*) from rc x where x.c = s.g) = 0 order by 1
g:int4 | n:int8
-1 | 2
SELECT 1

> select s.n from (select p.id i, q.e t, row_number() over (partition by p.id order by q.id) n from rc p join rc q on true) s where exists (select from rc x where x.e = s.t and x.id = s.i) order by 1
n:int8
1
2
SELECT 2

> update rc set a = 100 where id in (select v.k from (select p.id k, q.b m from rc p join rc q on p.id <> q.id) v where (select count(*) from rc z where z.c = v.m) > 0)
UPDATE 3

> delete from rc using (select p.id k, q.b m from rc p join rc q on p.id <> q.id) v where rc.id = v.k and not exists (select from rc z where z.c = v.m) returning rc.id
id:int4
2
4
DELETE 2

> select * from rc order by id
id:int4 | a:int4 | b:int4 | c:int4 | e:text
3 | 100 | -1 | 1 | b
SELECT 1
