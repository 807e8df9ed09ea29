--- sysbench: OLTP
create table sbtest1 (id int primary key, k int not null default 0, c char(120) not null default '', pad char(60) not null default '');
create index k_1 on sbtest1 (k);
insert into sbtest1 select g, g, 'c' || g, 'p' from generate_series(1, 1000) g;
--
begin;
select c from sbtest1 where id = 500;
select c from sbtest1 where id between 100 and 199;
select sum(k) from sbtest1 where id between 100 and 199;
select c from sbtest1 where id between 100 and 199 order by c;
select distinct c from sbtest1 where id between 100 and 199 order by c;
update sbtest1 set k = k + 1 where id = 500;
update sbtest1 set c = 'new' where id = 501;
delete from sbtest1 where id = 502;
insert into sbtest1 (id, k, c, pad) values (502, 5, 'c', 'p');
commit;
-- each for itself
select c from sbtest1 where id = 500;
update sbtest1 set k = k + 1 where id = 500;
update sbtest1 set c = 'new' where id = 501;
delete from sbtest1 where id = 503;
insert into sbtest1 (id, k, c, pad) values (503, 5, 'c', 'p');
select id from sbtest1 where k between 700 and 709;
--- pgbench: TPC-B
create table pgbench_branches (bid int primary key, bbalance int, filler char(88));
create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84));
create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84));
create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
insert into pgbench_branches values (1, 0);
insert into pgbench_tellers select g, 1, 0 from generate_series(1, 10) g;
insert into pgbench_accounts select g, 1, 0 from generate_series(1, 1000) g;
--
begin;
update pgbench_accounts set abalance = abalance + 7 where aid = 77;
select abalance from pgbench_accounts where aid = 77;
update pgbench_tellers set tbalance = tbalance + 7 where tid = 7;
update pgbench_branches set bbalance = bbalance + 7 where bid = 1;
insert into pgbench_history (tid, bid, aid, delta, mtime) values (7, 1, 77, 7, current_timestamp);
commit;
--- TPC-C, as bench/tpcc.lua writes it
create table warehouse (w_id int primary key, w_name varchar(10), w_street_1 varchar(20), w_street_2 varchar(20), w_city varchar(20), w_state char(2), w_zip char(9), w_tax numeric(4,4), w_ytd numeric(12,2));
create table district (d_w_id int references warehouse, d_id int, d_name varchar(10), d_street_1 varchar(20), d_city varchar(20), d_state char(2), d_zip char(9), d_tax numeric(4,4), d_ytd numeric(12,2), d_next_o_id int, primary key (d_w_id, d_id));
create table customer (c_w_id int, c_d_id int, c_id int, c_first varchar(16), c_middle char(2), c_last varchar(16), c_credit char(2), c_discount numeric(4,4), c_balance numeric(12,2), c_ytd_payment numeric(12,2), c_payment_cnt int, c_delivery_cnt int, c_data varchar(500), primary key (c_w_id, c_d_id, c_id), foreign key (c_w_id, c_d_id) references district);
create table history (h_c_id int, h_c_d_id int, h_c_w_id int, h_d_id int, h_w_id int, h_date timestamp, h_amount numeric(6,2), h_data varchar(24), foreign key (h_c_w_id, h_c_d_id, h_c_id) references customer, foreign key (h_w_id, h_d_id) references district);
create table orders (o_w_id int, o_d_id int, o_id int, o_c_id int, o_entry_d timestamp, o_carrier_id int, o_ol_cnt int, o_all_local int, primary key (o_w_id, o_d_id, o_id), foreign key (o_w_id, o_d_id, o_c_id) references customer);
create table new_order (no_w_id int, no_d_id int, no_o_id int, primary key (no_w_id, no_d_id, no_o_id), foreign key (no_w_id, no_d_id, no_o_id) references orders);
create table item (i_id int primary key, i_im_id int, i_name varchar(24), i_price numeric(5,2), i_data varchar(50));
create table stock (s_w_id int references warehouse, s_i_id int references item, s_quantity int, s_dist char(24), s_ytd numeric(8,0), s_order_cnt int, s_remote_cnt int, s_data varchar(50), primary key (s_w_id, s_i_id));
create table order_line (ol_w_id int, ol_d_id int, ol_o_id int, ol_number int, ol_i_id int, ol_supply_w_id int, ol_delivery_d timestamp, ol_quantity int, ol_amount numeric(6,2), ol_dist_info char(24), primary key (ol_w_id, ol_d_id, ol_o_id, ol_number), foreign key (ol_w_id, ol_d_id, ol_o_id) references orders, foreign key (ol_supply_w_id, ol_i_id) references stock);
create index customer_name on customer (c_w_id, c_d_id, c_last, c_first);
create index orders_customer on orders (o_w_id, o_d_id, o_c_id, o_id);
insert into warehouse select g, 'w', 's', 's', 'c', 'CA', 'z', 0.1, 0 from generate_series(1, 2) g;
insert into district select w, d, 'd', 's', 'c', 'CA', 'z', 0.1, 0, 31 from generate_series(1, 2) w, generate_series(1, 10) d;
insert into customer select w, d, c, 'first' || c, 'OE', 'LAST' || c % 10, 'GC', 0.1, 0, 0, 0, 0, 'data' from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 30) c;
insert into item select g, g, 'item', 1.5, 'data' from generate_series(1, 100) g;
insert into stock select w, g, 50, 'dist', 0, 0, 0, 'data' from generate_series(1, 2) w, generate_series(1, 100) g;
insert into orders select w, d, o, o, now(), null, 5, 1 from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 30) o;
insert into new_order select w, d, o from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(21, 30) o;
insert into order_line select w, d, o, l, 1 + (o + l) % 100, w, null, 5, 1, 'dist' from generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 30) o, generate_series(1, 5) l;
analyze;
-- New-Order
begin;
select c_discount, c_last, c_credit, w_tax from customer, warehouse where w_id = 1 and c_w_id = w_id and c_d_id = 2 and c_id = 3;
update district set d_next_o_id = d_next_o_id + 1 where d_w_id = 1 and d_id = 2 returning d_next_o_id - 1, d_tax;
insert into orders values (1, 2, 31, 3, now(), null, 5, 1);
insert into new_order values (1, 2, 31);
select i_price, i_name, i_data from item where i_id = 7;
update stock set s_quantity = case when s_quantity >= 15 then s_quantity - 5 else s_quantity + 86 end, s_ytd = s_ytd + 5, s_order_cnt = s_order_cnt + 1 where s_w_id = 1 and s_i_id = 7;
select s_quantity, s_data, s_dist from stock where s_w_id = 1 and s_i_id = 7;
insert into order_line values (1, 2, 31, 1, 7, 1, null, 5, 7.5, 'dist');
commit;
-- New-Order, in batches
begin;
select d_next_o_id, d_tax from district where d_id = 2 and d_w_id = 1 for update;
select i_price, i_name, i_data, i_id from item where i_id in (8, 9, 10, 11, 12);
select s_i_id, s_quantity, s_data, s_dist from stock where (s_w_id, s_i_id) in ((1, 8), (1, 9), (1, 10), (1, 11), (1, 12)) for update;
insert into orders values (1, 2, 32, 3, now(), null, 5, 1);
insert into order_line values (1, 2, 32, 1, 8, 1, null, 5, 7.5, 'dist'), (1, 2, 32, 2, 9, 1, null, 5, 7.5, 'dist'), (1, 2, 32, 3, 10, 1, null, 5, 7.5, 'dist'), (1, 2, 32, 4, 11, 1, null, 5, 7.5, 'dist'), (1, 2, 32, 5, 12, 1, null, 5, 7.5, 'dist');
commit;
-- Payment
begin;
update warehouse set w_ytd = w_ytd + 10 where w_id = 1;
update district set d_ytd = d_ytd + 10 where d_w_id = 1 and d_id = 2;
select c_id from customer where c_w_id = 1 and c_d_id = 2 and c_last = 'LAST3' order by c_first;
select c_credit, c_first, c_last from customer where c_w_id = 1 and c_d_id = 2 and c_id = 3 for update;
update customer set c_balance = c_balance - 10, c_ytd_payment = c_ytd_payment + 10, c_payment_cnt = c_payment_cnt + 1 where c_w_id = 1 and c_d_id = 2 and c_id = 3;
insert into history values (3, 2, 1, 2, 1, now(), 10, 'payment');
commit;
-- Order-Status
select c_balance, c_first, c_last from customer where c_w_id = 1 and c_d_id = 2 and c_id = 3;
select o_id, o_entry_d, o_carrier_id from orders where o_w_id = 1 and o_d_id = 2 and o_c_id = 3 order by o_id desc limit 1;
select ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d from order_line where ol_w_id = 1 and ol_d_id = 2 and ol_o_id = 3;
-- Delivery
begin;
select no_o_id from new_order where no_w_id = 1 and no_d_id = 2 order by no_o_id limit 1 for update;
delete from new_order where no_w_id = 1 and no_d_id = 2 and no_o_id = 21;
update orders set o_carrier_id = 5 where o_w_id = 1 and o_d_id = 2 and o_id = 21 returning o_c_id;
update order_line set ol_delivery_d = now() where ol_w_id = 1 and ol_d_id = 2 and ol_o_id = 21;
select sum(ol_amount) from order_line where ol_w_id = 1 and ol_d_id = 2 and ol_o_id = 21;
update customer set c_balance = c_balance + 5, c_delivery_cnt = c_delivery_cnt + 1 where c_w_id = 1 and c_d_id = 2 and c_id = 21;
commit;
-- Stock-Level
select d_next_o_id from district where d_w_id = 1 and d_id = 2;
select count(distinct s_i_id) from order_line, stock where ol_w_id = 1 and ol_d_id = 2 and ol_o_id < 31 and ol_o_id >= 11 and s_w_id = 1 and s_i_id = ol_i_id and s_quantity < 15;
--- an object mapper's statements
create table users (id serial primary key, email text unique, name text, logins int default 0);
create table posts (id bigint generated always as identity primary key, author int not null references users on delete cascade, title text);
create index posts_author on posts (author);
create table tags (id serial primary key, name text unique not null);
create table post_tags (post bigint references posts on delete cascade, tag int references tags, primary key (post, tag));
create index post_tags_tag on post_tags (tag);
insert into users (email, name) select 'u' || g, 'n' from generate_series(1, 200) g;
insert into posts (author, title) select g % 200 + 1, 't' from generate_series(1, 2000) g;
insert into tags (name) select 't' || g from generate_series(1, 100) g;
insert into post_tags select g, g % 100 + h from generate_series(1, 2000) g, generate_series(0, 2) h where g % 100 + h between 1 and 100;
analyze;
-- each for itself
insert into users (email, name) values ('x1', 'x') returning id;
insert into posts (author, title) values (7, 'a'), (7, 'b'), (8, 'c') returning id;
insert into users (email, name) values ('u7', 'y') on conflict (email) do update set logins = users.logins + 1 returning id;
insert into users (email, name) values ('u8', 'y'), ('x2', 'y'), ('u9', 'y') on conflict (email) do update set logins = users.logins + 1 returning id;
insert into tags (name) values ('a'), ('t3'), ('b') on conflict (name) do nothing;
insert into tags (name) values ('a') on conflict (name) do nothing;
insert into post_tags values (5, 5), (5, 6), (5, 99) on conflict do nothing;
update users set email = 'z7' where id = 7;
update users set email = email || '@example.org' where id in (11, 12, 13);
select * from users where email = 'u20';
select id, title from posts where author in (1, 2, 3, 4, 5);
select t.* from tags t join post_tags p on p.tag = t.id where p.post = 5;
select p.id, t.name from posts p join post_tags x on x.post = p.id join tags t on t.id = x.tag where p.id in (1, 2, 3, 4);
select p.id, u.name from posts p join users u on u.id = p.author order by p.id limit 10;
delete from post_tags where (post, tag) in ((5, 5), (5, 6));
delete from posts where id in (1, 2, 3);
delete from users where id = 9;
--- A list that is sorted by hand: deferrable keys
create table steps (id int primary key, place int not null unique deferrable, label text unique deferrable initially deferred);
insert into steps select g, g, 's' || g from generate_series(1, 100) g;
--
insert into steps values (101, 101, 's101');
insert into steps values (102, 102, 's102'), (103, 103, 's103'), (104, 104, 's104');
update steps set place = place + 1000 where id in (1, 2, 3, 4, 5);
update steps set label = label || 'x' where id = 6;
delete from steps where id = 7;
begin;
update steps set label = 's9' where id = 8;
update steps set label = 's8' where id = 9;
commit;
