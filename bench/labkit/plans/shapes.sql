-- Statement shapes of applications. A block is a line `-- name`, then perhaps `-- each NAME: a || b || c` (the block stands once for each, {NAME} in its text), then
-- `-- args: v || w` (what $1, $2 are), then one statement. A name that begins with `=` has rows in an order that is not told by its ORDER BY alone:
-- only their multiset is compared. Changes are rolled back.

-- =point
-- each t: orders || customers || products || events || tree
-- args: 4711
select * from {t} where id = $1

-- =point-list
-- each l: 1,2,3 || 5,500,5000,9999 || 7,7,7,8 || 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20
select * from orders where id in ({l})

-- =any-array
-- each a: {{1,2,3}} || {{5,500,5000,9999,1000000000}} || {{}}
-- args: '{a}'
select * from orders where id = any($1::int[])

-- =by-secondary
-- each c: customer = $1 || customer = $1 and status = 'done' || customer = $1 and total > 500 || customer in ($1, $1 + 1, $1 + 2) || customer = $1 or id = $1
-- args: 77
select * from orders where {c}

-- =by-unique-text
-- each c: email = $1 || lower(email) = $1 || email in ($1, 'x@y') || email like $1
-- args: 'user500@example.com'
select * from customers where {c}

-- =most-common
-- each c: tier = 'gold' || tier = 'basic' || tier = 'none' || active || not active || tier = 'gold' and not active || region = 7 and tier = 'silver'
select count(*) from customers where {c}

-- =status
-- each s: open || held || sent || done || nothing
-- each p: count(*) || max(total) || min(placed)
select {p} from orders where status = '{s}'

-- keyset
-- each c: (placed, id) < (timestamptz '2023-02-01', 5000) || placed < timestamptz '2023-02-01' || (placed < timestamptz '2023-02-01' or (placed = timestamptz '2023-02-01' and id < 5000))
-- each n: 10 || 100
select id, placed from orders where {c} order by placed desc, id desc limit {n}

-- keyset-in-status
-- each s: open || held || done
select id, placed from orders where status = '{s}' and (status, placed) > ('{s}', timestamptz '2023-01-20') order by status, placed limit 20

-- keyset-key
-- each o: > || >= || < || <=
-- args: 3000 || 2
select order_id, line, qty from items where (order_id, line) {o} ($1::int, $2::int) order by order_id, line limit 25

-- keyset-key-desc
-- args: 3000 || 2
select order_id, line, qty from items where (order_id, line) < ($1::int, $2::int) order by order_id desc, line desc limit 25

-- keyset-or
-- args: 3000 || 2
select order_id, line, qty from items where order_id > $1 or (order_id = $1 and line > $2) order by order_id, line limit 25

-- keyset-account
-- each c: at < timestamp '2024-02-01' || (account, at) < (17, timestamp '2024-02-01') and account = 17
select id, at from events where account = 17 and {c} order by at desc, id limit 20

-- page-offset
-- each n: 0 || 100 || 5000
select id, placed from orders order by placed desc offset {n} limit 20

-- page-filter
-- each c: total > 9900 || country = 'JP' || note is not null || customer = 44 || status = 'held'
select id, placed from orders where {c} order by placed desc limit 20

-- =row-in
-- each l: (1,1),(2,2),(3,3) || (100,1),(100,2),(5000,3),(6000,1) || (1,1),(1,1),(null,2) || (4,1),(5,2),(6,3),(7,1),(8,2),(9,3),(10,1),(11,2),(12,3),(13,1),(14,2),(15,3)
select * from items where (order_id, line) in ({l})

-- =row-in-args
-- args: 11 || 1 || 12 || 2 || 13 || 3
select * from items where (order_id, line) in (($1,$2),($3,$4),($5,$6))

-- =row-or
-- each c: (order_id = 5 and line = 1) or (order_id = 7 and line = 2) || order_id = 5 or order_id = 7 || (order_id = 5 and line > 1) or order_id = 9 || order_id in (5, 6) and (line = 1 or line = 3)
select * from items where {c}

-- =or-two-indexes
-- each c: customer = 5 or id = 5 || customer = 5 or note = 'note 500' || id < 10 or placed > timestamptz '2030-01-01' || customer in (1, 2) or id in (3, 4) || (customer = 5 and status = 'done') or id = 9
select * from orders where {c}

-- =or-three
select * from events where account = 5 and kind = 'buy' or score = 5 and kind = 'login' or id = 77

-- =or-shared
-- each c: (country = 'US' and status = 'open') or (country = 'US' and status = 'held') || (customer = 5 and total > 10) or (customer = 5 and total < 5)
select count(*), sum(total) from orders where {c}

-- =values-join
-- each v: (1,1),(2,2),(3,3) || (100,1),(200,2),(300,3),(400,1),(500,2)
select i.* from items i join (values {v}) v(o, l) on i.order_id = v.o and i.line = v.l

-- =unnest-join
-- args: '{1,5,9,77,1000}'
select o.* from orders o join unnest($1::int[]) u(id) on u.id = o.id

-- =unnest-pairs
-- args: '{1,5,9}' || '{1,2,3}'
select i.* from items i join unnest($1::int[], $2::int[]) u(o, l) on i.order_id = u.o and i.line = u.l

-- =in-subquery
-- each q: select customer from orders where status = 'open' || select id from customers where region = 3 || select customer from orders where id < 50 || select parent from customers where parent is not null
select count(*) from customers where id in ({q})

-- =not-in
-- each q: select customer from orders where customer is not null || select parent from customers || select id from customers where region = 3 || select customer from orders where id < 0
select count(*) from customers where id not in ({q})

-- =exists
-- each n: exists || not exists
-- each c: o.customer = c.id || o.customer = c.id and o.status = 'open' || o.customer = c.id and o.total > c.balance || o.note = c.name
select count(*) from customers c where c.region = 5 and {n} (select 1 from orders o where {c})

-- =exists-or
-- each n: exists || not exists
-- each c: t.name = c.name || t.id = c.id || t.parent = c.id || t.id = c.parent and t.name like 'node%'
select count(*) from customers c where c.tier = 'gold' or {n} (select 1 from tree t where {c})

-- =exists-two
select count(*) from customers c where exists (select 1 from orders o where o.customer = c.id and o.status = 'open') or exists (select 1 from tree t where t.parent = c.id and t.name = 'node 100')

-- =in-or
select count(*) from orders where total < 1 or customer in (select id from customers where region = 9)

-- =exists-list
select c.id, exists (select 1 from orders o where o.customer = c.id and o.status = 'open') from customers c where c.region = 11

-- =scalar-sub
-- each q: select count(*) from orders o where o.customer = c.id || select max(placed) from orders o where o.customer = c.id || select total from orders o where o.customer = c.id order by placed desc, id limit 1
select c.id, ({q}) from customers c where c.region = 7 and c.id < 3000

-- =anti-left
select count(*) from customers c left join orders o on o.customer = c.id where o.id is null

-- =like
-- each p: SKU-0000001% || SKU-00000% || %0001 || SKU\_% || nothing% || SKU-00000012
select count(*), min(name) from products where sku like '{p}'

-- =like-arg
-- args: 'SKU-000001%'
select count(*) from products where sku like $1

-- =date-range
-- each c: placed >= '2023-02-01' and placed < '2023-02-02' || placed between '2023-02-01' and '2023-03-01' || placed > '2030-01-01' || placed::date = '2023-02-01' || date_trunc('day', placed) = '2023-02-01'
select count(*), sum(total) from orders where {c}

-- =date-range-args
-- args: '2023-02-01' || '2023-02-03'
select count(*), sum(total) from orders where placed >= $1::timestamptz and placed < $2::timestamptz

-- =shipped
-- each c: shipped = '2023-02-01' || shipped >= date '2023-01-05' and shipped < date '2023-01-05' + interval '3 days' || shipped is null || shipped < '2023-01-03' or shipped > '2023-03-28' || shipped in ('2023-01-03', '2023-01-07')
select count(*), sum(qty * price) from items where {c}

-- =score
-- each c: = 500 || between 500 and 502 || between 100 and 300 || < 3 || is null || in (1, 2, 3) || <> 5 || > 995
select count(*), max(at) from events where score {c}

-- =two-columns
-- each c: account = 7 and at > '2024-02-01' || account = 7 and kind = 'buy' || account in (7, 8, 9) and at between '2024-01-10' and '2024-02-01' || account between 7 and 9 and at > '2024-02-01' || kind = 'buy' and score = 7
select count(*), max(score) from events where {c}

-- =partial
-- each c: status = 'open' and placed < '2023-02-01' || status = 'open'
select count(*), sum(total) from orders where {c}

-- queue
-- each l: "" || for update || for update skip locked || for no key update skip locked
select id from jobs where state = 'ready' order by priority, run_at limit 5 {l}

-- queue-named
select id from jobs where queue = 'q3' and state = 'ready' and run_at < '2025-01-01' order by run_at limit 10 for update skip locked

-- =queue-take
update jobs set state = 'running', attempts = attempts + 1 where id in (select id from jobs where state = 'ready' order by priority, run_at limit 5 for update skip locked) returning id

-- =queue-take-cte
with next as (select id from jobs where queue = 'q0' and state = 'ready' order by run_at limit 1 for update skip locked) update jobs j set state = 'running' from next where j.id = next.id returning j.id

-- =minmax
-- each c: id || placed || customer || total || note
-- each f: min || max
select {f}({c}) from orders

-- =minmax-group
-- each c: max(at) || min(at), max(at)
select {c} from events where account = 55

-- =count
-- each t: orders || items || events || customers || small
select count(*) from {t}

-- =count-cond
-- each c: total > 5000 || customer < 100 || note is not null || country = 'DE' || id % 10 = 3 || note like '%99'
select count(*) from orders where {c}

-- =distinct
-- each c: status || country || customer || status, country
select distinct {c} from orders

-- =count-distinct
-- each c: customer || status || country
select count(distinct {c}) from orders

-- =group
-- each c: status || country || customer || status, country || date_trunc('month', placed) || id % 100
select {c}, count(*), sum(total) from orders group by {c}

-- =group-having
select customer, count(*) from orders group by customer having count(*) > 12

-- =group-order
-- each n: 10 || 1000
select account, count(*) n from events group by account order by n desc, account limit {n}

-- =group-filter
select kind, count(*) filter (where score > 500), avg(score) from events where at >= '2024-02-01' group by kind

-- top-n
-- each c: total desc, id || note, id || customer, id || country, total desc, id
select id, {c} from orders order by {c} limit 10

-- =top-per-group-lateral
select c.id, o.* from customers c cross join lateral (select id, placed from orders o where o.customer = c.id order by placed desc, id limit 3) o where c.region = 4

-- =top-per-group-window
select * from (select id, customer, row_number() over (partition by customer order by placed desc, id) r from orders where customer < 1000) s where r <= 2

-- =distinct-on
select distinct on (customer) customer, id, placed from orders where customer < 2000 order by customer, placed desc, id

-- =latest-per-account
select distinct on (account) account, at from events order by account, at desc

-- =window
-- each w: sum(total) over (partition by customer order by placed, id) || rank() over (order by total desc) || lag(total) over (partition by country order by placed, id)
select count(*), max(x) from (select {w} x from orders where id < 50000) s

-- =join
-- each c: o.id = 55 || o.customer = 55 || o.status = 'open' || c.region = 5 || c.email = 'user77@example.com' || o.placed > '2023-12-01' || o.id < 1000
select count(*), sum(o.total), min(c.name) from orders o join customers c on c.id = o.customer where {c}

-- =join-order
-- each c: o.id = 42 || o.id between 42 and 60
select i.order_id, i.qty, p.name from orders o join items i on i.order_id = o.id join products p on p.id = i.product where {c} order by i.qty, i.order_id, i.line

-- =left-join
-- each c: o.id < 1000 || o.status = 'open' || c.id is null || c.region = 5
select count(*), count(c.id) from orders o left join customers c on c.id = o.customer and c.active where {c}

-- =full-join
select count(*), count(a.id), count(b.id) from (select * from customers where region < 20) a full join (select * from customers where region > 10) b on a.id = b.id

-- =join-no-index
-- each c: s.grp = t.id % 7 || s.v = t.name || s.id = t.parent and s.v <> t.name
select count(*) from small s join tree t on {c}

-- =join-no-index-outer
-- each c: t.name = c.name || t.name = c.email
select count(*), count(t.id) from customers c left join tree t on {c}

-- =join-range
select count(*) from small s join log l on l.at between s.id * 10 and s.id * 10 + 5

-- =join-guess
-- each c: c.name = 'Name 7919' and c.tier = 'gold' and c.balance > 0 || c.profile->>'lang' = 'de' and c.profile->>'age' = '20' || upper(c.name) like 'NAME 1%' and c.region * 2 = 10 || concat(c.tier, 'x') = 'gold    x' and lower(c.name) > 'name 5'
select count(*), count(distinct l.host) from customers c join log l on l.at = c.id and l.msg <> c.name where {c}

-- =join-self
select count(*) from tree a join tree b on b.parent = a.id join tree c on c.parent = b.id where a.id < 200

-- =report-five
-- each c: r.id = 3 || o.placed >= '2023-02-01' and o.placed < '2023-02-03' || p.category = 5 and o.status = 'open' || r.name like 'region 1%' and c.tier = 'gold' and p.price < 10
select r.name, count(*), sum(i.qty * i.price) from regions r join customers c on c.region = r.id join orders o on o.customer = c.id join items i on i.order_id = o.id join products p on p.id = i.product where {c} group by r.name

-- =report-month
select date_trunc('month', o.placed) m, c.tier, count(*), sum(o.total) from orders o join customers c on c.id = o.customer where o.status <> 'open' group by 1, 2

-- =report-or-pairs
select count(*) from items i join products p on p.id = i.product where (p.category = 3 and i.qty between 1 and 3 and i.shipped is not null) or (p.category = 7 and i.qty between 4 and 6 and i.shipped is not null)

-- =cte
-- each m: "" || materialized || not materialized
with big as {m} (select * from orders where total > 9000) select count(*), max(c.name) from big join customers c on c.id = big.customer where c.region = 3

-- =cte-twice
with m as (select customer, sum(total) s from orders group by customer) select count(*) from m a join m b on a.customer = b.customer + 1 where a.s > b.s

-- =recursive
-- each n: 1 || 20 || 500
with recursive t as (select id, parent, 0 d from tree where id = {n} union all select c.id, c.parent, d + 1 from tree c join t on c.parent = t.id) select count(*), max(d) from t

-- =recursive-up
with recursive t as (select id, parent from tree where id = 99000 union all select p.id, p.parent from tree p join t on p.id = t.parent) select count(*) from t

-- =set-op
-- each o: union || union all || intersect || except
select count(*) from (select customer from orders where status = 'open' {o} select id from customers where region = 5) s

-- =jsonb
-- each c: payload->>'ip' = '7' || (payload->>'k')::int = 77 || payload @> '{{"k": 5}}' || payload ? 'nothing' || payload->'ip' = '9'
select count(*) from events where id < 200000 and {c}

-- =jsonb-group
select profile->>'lang', count(*) from customers group by 1

-- =case-sum
select sum(case when status = 'open' then total else 0 end), sum(case when country = 'US' then 1 else 0 end) from orders where placed >= '2023-03-01'

-- =coalesce
select count(*) from orders where coalesce(note, '') = 'note 500'

-- =optional-filter
-- each a: null || 55
-- args: {a}
select count(*) from orders where ($1::int is null or customer = $1::int) and id < 100000

-- =update-key
-- args: 77
update orders set version = version + 1 where id = $1

-- =update-secondary
-- args: 77
update orders set version = version + 1 where customer = $1

-- =update-list
update orders set version = version + 1 where id in (1, 5, 9, 400, 7000)

-- =update-rows
update items set qty = qty + 1 where (order_id, line) in ((5,1),(6,2),(7,3))

-- =update-or
update items set qty = qty + 1 where (order_id = 5 and line = 1) or (order_id = 7 and line = 2)

-- =update-from
-- each c: c.region = 5 and o.status = 'open' || c.email = 'user7@example.com' || c.id < 50
update orders o set note = c.name from customers c where c.id = o.customer and {c}

-- =update-values
update products p set price = v.price from (values (1, 5.5), (2, 6.5), (77, 1.0)) v(id, price) where v.id = p.id

-- =update-sub
update customers c set balance = (select sum(total) from orders o where o.customer = c.id) where c.region = 8 and c.id < 5000

-- =update-range
update events set score = 0 where at >= '2024-01-05' and at < '2024-01-06'

-- =delete-key
delete from events where id = 4711

-- =delete-list
-- each l: 1,2,3 || 100,200,300,400,500
delete from items where order_id in ({l})

-- =delete-rows
delete from items where (order_id, line) in ((5,1),(6,2),(7,3))

-- =delete-using
delete from items i using orders o where o.id = i.order_id and o.status = 'open' and o.placed < '2023-01-10'

-- =delete-old
delete from events where at < '2024-01-03'

-- =delete-batch
delete from events where ctid in (select ctid from events where score = 5 limit 50)

-- =delete-duplicates
-- each l: 200 || 2000
delete from items a using items b where a.ctid < b.ctid and a.order_id = b.order_id and a.line = b.line and a.order_id < {l}

-- =update-place
update jobs set state = 'running' where ctid = (select ctid from jobs where state = 'ready' order by priority, run_at limit 1 for update skip locked)

-- =update-places
update orders set note = 'x' from (select ctid as place from orders where status = 'open') s where orders.ctid = s.place

-- =delete-exists
delete from customers c where c.region = 9 and not exists (select 1 from orders o where o.customer = c.id)

-- =upsert
-- each a: do nothing || do update set v = excluded.v
insert into small values (5, 1, 'x'), (5000, 1, 'y') on conflict (id) {a}

-- =upsert-returning
insert into products values (1, 'SKU-00000001', 1, 'x', 5, '{{}}') on conflict (sku) do update set price = excluded.price returning id, price

-- =insert-select
insert into log select id, account, kind from events where account = 77

-- =insert-one
insert into events values (1000000000, 5, 'buy', '2024-01-01', 5, 7, null)

-- =lock-rows
-- each c: (order_id, line) in ((1,1),(2,2),(3,3)) || order_id in (5,6,7) || order_id = 5 and line = 1 or order_id = 6 and line = 2
select * from items where {c} for update

-- =tpcc-stock-in
select s_i_id, s_quantity, s_data from stock where (s_w_id, s_i_id) in ((1,5),(1,77),(1,900),(2,5),(1,1234),(1,4000),(1,3),(1,9),(1,11),(1,13)) for update

-- =tpcc-stock-in-args
-- args: 1 || 5 || 1 || 77 || 2 || 900 || 1 || 3000
select s_i_id, s_quantity, s_data from stock where (s_w_id, s_i_id) in (($1,$2),($3,$4),($5,$6),($7,$8)) for update

-- =tpcc-item-in
select i_price, i_name, i_data, i_id from item where i_id in (5, 77, 900, 1234, 4000, 3, 9, 11, 13)

-- =tpcc-new-order-head
select c_discount, c_last, c_credit, w_tax from customer, warehouse where w_id = 1 and c_w_id = w_id and c_d_id = 5 and c_id = 77

-- =tpcc-district
select d_next_o_id, d_tax from district where d_id = 5 and d_w_id = 1 for update

-- =tpcc-district-update
update district set d_next_o_id = d_next_o_id + 1 where d_id = 5 and d_w_id = 1 returning d_next_o_id

-- =tpcc-stock-update
update stock set s_quantity = 5, s_ytd = s_ytd + 5, s_order_cnt = s_order_cnt + 1 where s_i_id = 55 and s_w_id = 1

-- =tpcc-stock-update-case
update stock set s_quantity = case when s_quantity < 15 then s_quantity + 86 else s_quantity - 5 end where (s_w_id, s_i_id) in ((1,5),(1,77),(1,900)) returning s_quantity

-- tpcc-by-name
-- each w: c_w_id = 1 and c_d_id = 5 and c_last = 'LAST7' || c_last = 'LAST7' and c_d_id = 5 and c_w_id = 1
select c_first, c_id, c_balance from customer where {w} order by c_first

-- =tpcc-count-name
select count(c_id) from customer where c_w_id = 1 and c_d_id = 5 and c_last = 'LAST7'

-- =tpcc-last-order
-- each q: select o_id, o_carrier_id, o_entry_d from oorder where o_w_id = 1 and o_d_id = 5 and o_c_id = 55 order by o_id desc limit 1 || select o_id, o_carrier_id, o_entry_d from oorder where o_w_id = 1 and o_d_id = 5 and o_c_id = 55 and o_id = (select max(o_id) from oorder where o_w_id = 1 and o_d_id = 5 and o_c_id = 55) || select max(o_id) from oorder where o_w_id = 1 and o_d_id = 5 and o_c_id = 55
{q}

-- =tpcc-order-lines
select ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d from order_line where ol_w_id = 1 and ol_d_id = 5 and ol_o_id = 77

-- =tpcc-oldest-new-order
-- each q: select no_o_id from new_order where no_w_id = 1 and no_d_id = 5 order by no_o_id limit 1 for update || select min(no_o_id) from new_order where no_w_id = 1 and no_d_id = 5 || select no_o_id from new_order where no_d_id = 5 and no_w_id = 1 and no_o_id > -1 order by no_o_id asc limit 1 || select coalesce(min(no_o_id), 0) from new_order where no_w_id = 1 and no_d_id = 5
{q}

-- =tpcc-delivery-min-group
select no_d_id, min(no_o_id) from new_order where no_w_id = 1 group by no_d_id

-- =tpcc-delivery-delete
-- each c: (no_w_id, no_d_id, no_o_id) in ((1,1,1500),(1,2,1500),(1,3,1600)) || no_w_id = 1 and no_d_id = 5 and no_o_id = 1500 || (no_w_id = 1 and no_d_id = 1 and no_o_id = 1500) or (no_w_id = 1 and no_d_id = 2 and no_o_id = 1500)
delete from new_order where {c}

-- =tpcc-delivery-carrier
update oorder set o_carrier_id = 5 where (o_w_id, o_d_id, o_id) in ((1,1,1500),(1,2,1500),(1,3,1600))

-- =tpcc-delivery-sum
select ol_d_id, sum(ol_amount) from order_line where (ol_w_id, ol_d_id, ol_o_id) in ((1,1,1500),(1,2,1500),(1,3,1600)) group by ol_d_id

-- =tpcc-delivery-lines
update order_line set ol_delivery_d = timestamp '2024-03-01' where (ol_w_id, ol_d_id, ol_o_id) in ((1,1,1500),(1,2,1500),(1,3,1600))

-- =tpcc-delivery-customer
update customer set c_balance = c_balance + 7 where (c_w_id, c_d_id, c_id) in ((1,1,15),(1,2,15),(1,3,16))

-- =tpcc-stock-level
-- each q: select count(distinct s_i_id) from order_line, stock where ol_w_id = 1 and ol_d_id = 5 and ol_o_id < 1990 and ol_o_id >= 1970 and s_w_id = 1 and s_i_id = ol_i_id and s_quantity < 20 || select count(*) from (select distinct s_i_id from order_line join stock on s_i_id = ol_i_id and s_w_id = 1 where ol_w_id = 1 and ol_d_id = 5 and ol_o_id between 1970 and 1989 and s_quantity < 20) x || select count(distinct s_i_id) from stock where s_w_id = 1 and s_quantity < 20 and s_i_id in (select ol_i_id from order_line where ol_w_id = 1 and ol_d_id = 5 and ol_o_id >= 1970 and ol_o_id < 1990)
{q}

-- =tpcc-order-status-join
select c_balance, o_id, o_entry_d from customer, oorder where c_w_id = 1 and c_d_id = 5 and c_id = 55 and o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id order by o_id desc limit 1

-- =tpcc-payment
update customer set c_balance = c_balance - 10, c_payment_cnt = c_payment_cnt + 1 where c_w_id = 1 and c_d_id = 5 and c_id = 55 returning c_credit, c_balance

-- =orm-or-join
-- each c: c.email = 'user77@example.com' or o.id = 500 || c.name = 'Name 7919' or o.note = 'note 500' || c.id = 77 or o.customer = 78 || o.id = 9 or c.email in ('user5@example.com', 'user6@example.com')
select o.id, c.id, o.total from orders o join customers c on c.id = o.customer where {c}

-- orm-related-page
-- each c: c.region = 5 || c.email = 'user77@example.com' || c.tier = 'gold' || r.id = 3
-- args: 20
select o.id, o.placed, c.name, r.name from orders o join customers c on c.id = o.customer left join regions r on r.id = c.region where {c} order by o.placed desc, o.id limit $1::int

-- =orm-not-exists-chain
-- each c: c.region = 5 || c.tier = 'gold'
select count(*) from customers c where {c} and not exists (select 1 from orders o where o.customer = c.id and o.status = 'open') and not exists (select 1 from orders o where o.customer = c.id and o.status = 'held') and not exists (select 1 from events e where e.account = c.id and e.score = 5)

-- =orm-exists-nested
select count(*) from customers c where exists (select 1 from orders o where o.customer = c.id and exists (select 1 from items i where i.order_id = o.id and i.product = 77))

-- =orm-exclude
select count(*) from customers c where c.region = 5 and not (exists (select 1 from orders o where o.customer = c.id and o.status = 'open') and c.id is not null)

-- =orm-exclude-in
-- each s: open || held
select count(*) from customers c where c.region = 5 and not (c.id in (select o.customer from orders o where o.status = '{s}' and o.customer is not null))

-- =count-distinct-join
-- each c: c.region = 5 || c.tier = 'gold' || o.status = 'open'
select count(distinct c.id), count(distinct o.status) from customers c join orders o on o.customer = c.id where {c}

-- distinct-page
-- each c: o.status = 'open' || i.product = 77 || o.placed > '2023-01-20' and i.qty > 5
-- each n: 0 || 200
select distinct o.id, o.placed from orders o join items i on i.order_id = o.id where {c} order by o.placed desc, o.id limit 20 offset {n}

-- distinct-customers-page
select distinct c.name, c.id from customers c left join orders o on o.customer = c.id where c.tier = 'gold' and (o.status = 'open' or c.region = 5) order by c.name, c.id limit 25

-- =count-page
select count(*) from (select distinct c.id from customers c left join orders o on o.customer = c.id where o.total > 9000 or c.balance > 9000) s

-- =in-list-join
-- each l: select g * 37 from generate_series(1, 300) g || select g from generate_series(1, 2000) g
select count(*), sum(i.qty) from orders o join items i on i.order_id = o.id where o.id = any(array({l}))

-- =in-list-literal
-- each c: o.customer in (5,17,29,31,47,58,61,77,83,99,101,113,127,131,149,151,167,173,181,199,211,223,227,229,233,239,241,251,257,263) || o.id in (5,17,29,31,47,58,61,77,83,99,101,113,127,131,149,151,167,173,181,199,211,223,227,229,233,239,241,251,257,263)
select c.region, count(*), sum(i.price) from customers c join orders o on o.customer = c.id join items i on i.order_id = o.id where {c} group by c.region

-- =in-list-array
-- args: '{{5,17,29,31,47,58,61,77,83,99,101,113,127,131}}'
select c.name, o.id from customers c join orders o on o.customer = c.id where c.id = any($1::int[]) and o.status = any('{{done,sent}}'::text[])

-- like-page
-- each c: name like '%99%' || name like '%nothing%' || email like '%99@%' || name ilike 'NAME 99%'
select id, name from customers where {c} order by id limit 20

-- like-order
select id, note from orders where note like '%5%' order by id limit 10

-- =union-view
-- each c: id = 77 || ref = 77 || kind = 'order' and ref = 77 || at > timestamptz '2023-02-04'
select count(*), max(ref) from (select 'order' kind, id::bigint id, customer ref, placed at from orders union all select 'event', id, account, at::timestamptz from events union all select 'job', id, priority, run_at from jobs) v where {c}

-- union-view-page
select * from (select id::bigint id, placed at from orders union all select id, run_at from jobs) v order by at desc, id limit 20

-- =union-distinct-view
select count(*) from (select customer id from orders union select id from customers) v where id between 50 and 60

-- =union-join
select count(*) from (select id, customer from orders where status = 'open' union all select id, customer from orders where status = 'held') o join customers c on c.id = o.customer where c.id = 101

-- =window-filter
-- each n: r = 1 || r <= 3
select count(*), sum(id) from (select id, customer, row_number() over (partition by customer order by placed desc, id desc) r from orders) s where {n}

-- =window-filter-page
select * from (select id, placed, row_number() over (order by placed desc, id) r from orders) s where r <= 10

-- =window-rank-filter
select count(*) from (select id, rank() over (partition by status order by total desc) r from orders where status in ('open', 'held')) s where r <= 5

-- =window-pushed
-- each c: customer = 77 || customer in (5, 6, 7)
select * from (select id, customer, total, sum(total) over (partition by customer order by placed, id) run from orders) s where {c}

-- =self-range
select count(*) from events a join events b on b.account = a.account and b.at > a.at and b.at < a.at + interval '1 hour' where a.account = 7

-- =self-overlap
select count(*) from log a join log b on b.at between a.at and a.at + 3 where a.host = 5

-- =self-previous
select count(*) from orders a join orders b on b.customer = a.customer and b.id < a.id where a.status = 'open'

-- =left-or-null
-- each c: o.id is null or o.status = 'open' || o.id is null or o.total > 9900 || coalesce(o.status, 'none') = 'none' || o.status is distinct from 'done'
select count(*) from customers c left join orders o on o.customer = c.id where c.region = 5 and ({c})

-- =left-two
-- each c: c.region = 5 || c.id = 77 || c.email = 'user77@example.com'
select count(*), count(o.id), count(e.id) from customers c left join orders o on o.customer = c.id and o.status = 'open' left join events e on e.account = c.id and e.kind = 'buy' where {c}

-- =left-unused
select count(*) from orders o left join customers c on c.id = o.customer left join regions r on r.id = c.region where o.status = 'open'

-- =having-join
-- each h: count(*) > 12 || sum(o.total) > 60000 || count(*) > 5 and max(o.placed) > '2023-02-01'
select c.id, c.name, count(*) from customers c join orders o on o.customer = c.id where c.region = 5 group by c.id, c.name having {h}

-- having-top
select c.id, c.name, sum(o.total) s from customers c join orders o on o.customer = c.id group by c.id, c.name order by s desc, c.id limit 10

-- =group-by-key
-- each c: c.region = 5 || o.status = 'open'
select c.*, count(o.id) n from customers c left join orders o on o.customer = c.id where {c} group by c.id

-- =case-filter
-- each c: case when status = 'open' then total > 100 else total > 9990 end || case when customer < 100 then 'a' else 'b' end = 'a' || case status when 'open' then 1 when 'held' then 2 else 3 end = 1
select count(*), max(total) from orders where {c}

-- =coalesce-filter
-- each c: coalesce(note, 'none') = 'note 500' || coalesce(customer, 0) = 77 || coalesce(note, country) = 'DE'
select count(*), min(id) from orders where {c}

-- =coalesce-join
select count(*) from customers c join customers p on p.id = coalesce(c.parent, c.id) where c.region = 5

-- =optional-filters
-- each a: 55 || null
-- args: {a} || null || 'open'
select count(*), max(total) from orders where ($1::int is null or customer = $1) and ($2::text is null or note = $2) and ($3::text is null or status = $3)

-- =optional-coalesce
-- args: 55
select count(*) from orders where customer = coalesce($1::int, customer)

-- =month-range
-- each c: date_trunc('month', placed) = '2023-02-01' || extract(year from placed) = 2023 and extract(month from placed) = 2 || to_char(placed, 'YYYY-MM') = '2023-02' || placed >= date_trunc('month', timestamptz '2023-02-02') and placed < date_trunc('month', timestamptz '2023-02-02') + interval '1 month'
select count(*), sum(total) from orders where {c}

-- =last-days
select date(placed), count(*) from orders where placed > (select max(placed) from orders) - interval '2 days' group by 1

-- =lower-like
-- each c: lower(email) like 'user77%' || lower(email) like '%77@example.com' || upper(email) = 'USER77@EXAMPLE.COM' || lower(email) in ('user5@example.com', 'user6@example.com') || lower(email) = lower('USER77@example.com')
select count(*), min(id) from customers where {c}

-- =jsonb-contains
-- each c: attrs @> '{{"color": "red"}}' || attrs->>'color' = 'red' and (attrs->>'weight')::int < 10 || attrs ? 'size' || attrs->>'color' in ('red', 'blue') and category = 5
select count(*), max(price) from products where {c}

-- =array-contains
-- each c: array[country::text, status] @> array['DE', 'open'] || array[customer] && array[5, 6] || 'open' = any(array[status, note])
select count(*) from orders where {c}

-- =update-from-values
update orders o set note = v.note, version = version + 1 from (values (1, 'a'), (500, 'b'), (9999, 'c')) v(id, note) where o.id = v.id

-- =update-from-join
update items i set qty = qty + 1 from orders o join customers c on c.id = o.customer where i.order_id = o.id and c.email = 'user77@example.com'

-- =update-from-agg
update customers c set balance = s.total from (select customer, sum(total) total from orders group by customer) s where s.customer = c.id and c.region = 5

-- =update-in-sub
update orders set note = 'x' where customer in (select id from customers where email in ('user7@example.com', 'user8@example.com'))

-- =delete-top
-- each l: "" || for update || for update skip locked
delete from jobs where id in (select id from jobs where state = 'done' order by run_at, id limit 20 {l})

-- =delete-in-sub
delete from items where order_id in (select id from orders where status = 'open' and placed < '2023-01-20')

-- =delete-not-in
delete from events where account = 17 and id not in (select id from events where account = 17 order by at desc limit 50)

-- =insert-on-conflict
insert into small select id, region, name from customers where id between 400 and 600 on conflict (id) do update set v = excluded.v where small.v is distinct from excluded.v

-- =insert-where-not-exists
insert into log select id, 1, 'new' from customers c where c.region = 5 and not exists (select 1 from log l where l.at = c.id and l.host = 1)

-- =max-per-group
-- each f: max(at) || min(at) || max(id) || count(*)
select account, {f} from events where account in (5, 6, 7, 8) group by account

-- =max-per-group-all
-- each f: max(at) || min(at), max(at)
select account, {f} from events group by account

-- =max-join-back
select o.id, o.placed from orders o join (select customer, max(placed) m from orders group by customer) l on l.customer = o.customer and l.m = o.placed where o.customer in (5, 6, 7)

-- =max-correlated
-- each c: o.customer < 50 || o.customer = 77 || o.status = 'open'
select o.id from orders o where {c} and o.placed = (select max(x.placed) from orders x where x.customer = o.customer)

-- =latest-lateral
-- each j: join || left join
select c.id, l.id, l.placed from customers c {j} lateral (select o.id, o.placed from orders o where o.customer = c.id order by o.placed desc, o.id limit 1) l on true where c.region = 5

-- =latest-distinct-on
-- each c: o.customer in (5, 6, 7) || c.region = 5
select distinct on (o.customer) o.customer, o.id, o.placed from orders o join customers c on c.id = o.customer where {c} order by o.customer, o.placed desc, o.id

-- =latest-array
select c.id, array(select o.id from orders o where o.customer = c.id order by o.placed desc, o.id limit 3) from customers c where c.region = 5

-- =no-newer
select count(*) from orders o where o.status = 'open' and not exists (select 1 from orders n where n.customer = o.customer and n.placed > o.placed)

-- =counts-per-row
select c.id, (select count(*) from orders o where o.customer = c.id), (select count(*) from orders o where o.customer = c.id and o.status = 'open'), (select max(at) from events e where e.account = c.id) from customers c where c.region = 5

-- counts-per-row-page
select c.id, c.name, (select count(*) from orders o where o.customer = c.id) n from customers c order by c.id limit 20

-- order-by-count
select c.id, (select count(*) from orders o where o.customer = c.id) n from customers c where c.region = 5 order by n desc, c.id limit 10

-- =constant-handed-on
-- each c: o.id = 77 || i.order_id = 77 || o.id in (77, 78, 79) || o.id between 77 and 90 || o.customer = 78
select count(*), sum(i.qty) from orders o join items i on i.order_id = o.id join customers c on c.id = o.customer where {c}

-- =constant-handed-on-left
-- each c: o.id = 77 || o.id < 50
select count(*), count(i.line) from orders o left join items i on i.order_id = o.id where {c}

-- =derived-filter
-- each c: s.customer = 77 || s.n > 12 || c.region = 5 || c.id = 77
select count(*), sum(s.n) from customers c join (select customer, count(*) n, sum(total) t from orders group by customer) s on s.customer = c.id where {c}

-- =derived-left
-- each c: c.region = 5 || c.id = 77
select count(*), sum(s.n) from customers c left join (select customer, count(*) n from orders group by customer) s on s.customer = c.id where {c}

-- =range-lookup
-- each c: l.at = 5000 || l.at between 5000 and 5010
select count(*) from log l join events e on e.id >= l.at and e.id < l.at + 5 where {c}

-- =tree-children
-- each c: t.id in (select parent from tree where id < 50) || t.parent = (select parent from tree where id = 5000) || t.id = 5000 or t.parent = 5000 || exists (select 1 from tree x where x.parent = t.id and x.name = 'node 4000')
select count(*), max(t.name) from tree t where {c}

-- =not-in-values
-- each l: 'done', 'sent' || 'open'
select count(*) from orders where status not in ({l}) and customer <> 5

-- =null-safe
-- each c: note is not distinct from 'note 500' || note is distinct from null || customer is not distinct from 77
select count(*) from orders where {c}

-- =group-having-in
select count(*) from orders where customer in (select customer from orders group by customer having count(*) > 12)

-- =group-two-levels
select n, count(*) from (select customer, count(*) n from orders group by customer) s group by n

-- =cte-chain
with o as (select * from orders where placed > '2023-01-25'), s as (select customer, sum(total) t from o group by customer), b as (select * from s where t > 5000) select count(*), max(c.name) from b join customers c on c.id = b.customer where c.region = 5

-- =cte-change
with d as (delete from jobs where state = 'running' and priority = 1 returning id, queue) select queue, count(*) from d group by queue

-- =report-left-five
-- each c: o.id = 77 || o.status = 'open' || o.placed > '2023-02-04'
select count(*), count(i.line), count(p.id), count(r.id) from orders o left join customers c on c.id = o.customer left join regions r on r.id = c.region left join items i on i.order_id = o.id left join products p on p.id = i.product where {c}

-- =sum-of-subqueries
select (select count(*) from orders where status = 'open') + (select count(*) from orders where status = 'held') + (select count(*) from jobs where state = 'ready')

-- =any-subquery
-- each c: total > all (select total from orders where customer = 77) || total >= any (select max(total) from orders) || (customer, total) in (select customer, max(total) from orders where customer < 50 group by customer)
select count(*) from orders where {c}
