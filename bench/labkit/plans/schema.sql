-- Tables of an application, filled by arithmetic so that every system has the same rows. {n} is the size of the large ones.
create table regions (id int primary key, name text not null);
create table customers (id int primary key, name text not null, email varchar(60) not null unique, region int not null references regions, tier char(8) not null,
  active boolean not null, balance numeric(12,2) not null, parent int, since date not null, profile jsonb);
create table products (id int primary key, sku text not null unique, category int not null, name text not null, price numeric(10,2) not null, attrs jsonb not null);
create table orders (id int primary key, customer int not null, status text not null, placed timestamptz not null, total numeric(12,2) not null, country char(2) not null,
  note text, version int not null default 0);
create table items (order_id int not null, line int not null, product int not null, qty int not null, price numeric(10,2) not null, shipped date, primary key (order_id, line));
create table events (id bigint primary key, account int not null, kind text not null, at timestamp not null, score int, bare int not null, payload jsonb);
create table jobs (id bigint primary key, queue text not null, state text not null, priority int not null, run_at timestamptz not null, attempts int not null default 0);
create table tree (id int primary key, parent int, name text not null);
create table small (id int primary key, grp int not null, v text);
create table log (at int not null, host int not null, msg text not null);
create table warehouse (w_id int primary key, w_name text, w_tax numeric(4,4), w_ytd numeric(12,2));
create table district (d_w_id int, d_id int, d_name text, d_tax numeric(4,4), d_ytd numeric(12,2), d_next_o_id int, primary key (d_w_id, d_id));
create table customer (c_w_id int, c_d_id int, c_id int, c_first varchar(16), c_middle char(2), c_last varchar(16), c_credit char(2), c_discount numeric(4,4),
  c_balance numeric(12,2), c_payment_cnt int, primary key (c_w_id, c_d_id, c_id));
create table oorder (o_w_id int, o_d_id int, o_id int, o_c_id int, o_entry_d timestamp, o_carrier_id int, o_ol_cnt int, primary key (o_w_id, o_d_id, o_id));
create table new_order (no_w_id int, no_d_id int, no_o_id int, primary key (no_w_id, no_d_id, no_o_id));
create table order_line (ol_w_id int, ol_d_id int, ol_o_id int, ol_number int, ol_i_id int, ol_supply_w_id int, ol_delivery_d timestamp, ol_quantity int,
  ol_amount numeric(6,2), ol_dist_info char(24), primary key (ol_w_id, ol_d_id, ol_o_id, ol_number));
create table stock (s_w_id int, s_i_id int, s_quantity int, s_dist_01 char(24), s_data varchar(50), s_ytd int, s_order_cnt int, s_remote_cnt int, primary key (s_w_id, s_i_id));
create table item (i_id int primary key, i_name varchar(24), i_price numeric(5,2), i_data varchar(50));
insert into regions select g, 'region ' || g from generate_series(1, 50) g;
insert into customers select g, 'Name ' || (g::bigint * 7919 % 100003), 'user' || g || '@example.com', 1 + g % 50, (array['gold','silver','basic','basic','basic'])[1 + g % 5],
  g % 20 <> 0, (g::bigint * 104729 % 1000000) / 100.0, case when g % 10 = 0 then g / 10 end, date '2015-01-01' + g % 3000, jsonb_build_object('lang', (array['en','de','fr'])[1 + g % 3], 'age', 18 + g % 70)
  from generate_series(1, {n} / 10) g;
insert into products select g, 'SKU-' || lpad(g::text, 8, '0'), g % 100, 'Product ' || (g::bigint * 7919 % 10007), (g::bigint * 15485863 % 100000) / 100.0 + 1,
  jsonb_build_object('color', (array['red','green','blue','black'])[1 + g % 4], 'weight', g % 500) from generate_series(1, {n} / 50) g;
insert into orders select g, 1 + (g::bigint * 7919 % ({n} / 10)), case when g % 1000 = 0 then 'open' when g % 50 = 0 then 'held' when g % 7 = 0 then 'sent' else 'done' end,
  timestamptz '2023-01-01 00:00:00+00' + g * interval '31 seconds', (g::bigint * 15485863 % 1000000) / 100.0, (array['DE','US','FR','GB','US','US','JP','US'])[1 + g % 8],
  case when g % 100 = 0 then 'note ' || g end from generate_series(1, {n}) g;
insert into items select 1 + g / 3, 1 + g % 3, 1 + (g::bigint * 104729 % ({n} / 50)), 1 + g % 9, (g::bigint * 7919 % 10000) / 100.0,
  case when g % 4 > 0 then date '2023-01-01' + (g / 2800) end from generate_series(0, {n} - 1) g;
insert into events select g, 1 + (g::bigint * 7919 % 5000), (array['view','click','buy','view','view','login'])[1 + g % 6], timestamp '2024-01-01 00:00:00' + g * interval '20 seconds',
  case when g % 9 > 0 then g::bigint * 15485863 % 1000 end, g::bigint * 104729 % {n}, jsonb_build_object('ip', g % 255, 'k', g % 1000) from generate_series(1, {n}) g;
insert into jobs select g, 'q' || g % 10, case when g % 100 = 0 then 'ready' when g % 101 = 0 then 'running' else 'done' end, g % 5, timestamptz '2024-01-01 00:00:00+00' + g * interval '1 second', g % 4
  from generate_series(1, {n} / 5) g;
insert into tree select g, case when g > 1 then g / 4 end, 'node ' || g from generate_series(1, {n} / 10) g;
insert into small select g, g % 7, 'v' || g from generate_series(1, 500) g;
insert into log select g, g % 100, 'message ' || g from generate_series(1, {n} / 5) g;
insert into warehouse select g, 'w' || g, 0.1, 300000 from generate_series(1, 5) g;
insert into district select w, d, 'd' || d, 0.05, 30000, {n} / 100 + 1 from generate_series(1, 5) w, generate_series(1, 10) d;
insert into customer select w, d, c, 'First' || c, 'OE', 'LAST' || (c % 300), case when c % 10 = 0 then 'BC' else 'GC' end, 0.1, -10, 1
  from generate_series(1, 5) w, generate_series(1, 10) d, generate_series(1, {n} / 500) c;
insert into oorder select w, d, o, 1 + (o * 7919) % ({n} / 500), timestamp '2024-01-01' + o * interval '1 second', case when o < {n} / 500 * 7 / 10 then 1 + o % 10 end, 10
  from generate_series(1, 5) w, generate_series(1, 10) d, generate_series(1, {n} / 500) o;
insert into new_order select w, d, o from generate_series(1, 5) w, generate_series(1, 10) d, generate_series({n} / 500 * 7 / 10, {n} / 500) o;
insert into order_line select w, d, o, l, 1 + (o * 7919::bigint + l * 104729) % ({n} / 10), w, case when o < {n} / 500 * 7 / 10 then timestamp '2024-01-02' end, 5, 10.5, 'dist'
  from generate_series(1, 5) w, generate_series(1, 10) d, generate_series(1, {n} / 500) o, generate_series(1, 10) l;
insert into stock select w, i, 10 + (i * 7919::bigint % 90), 'dist', 'data' || i, 0, 0, 0 from generate_series(1, 5) w, generate_series(1, {n} / 10) i;
insert into item select i, 'item' || i, 1 + i % 100, 'data' || i from generate_series(1, {n} / 10) i;
create index orders_customer on orders (customer);
create index orders_status_placed on orders (status, placed);
create index orders_placed on orders (placed desc);
create index orders_open on orders (placed) where status = 'open';
create index orders_note on orders (note);
create index items_product on items (product);
create index items_shipped on items (shipped);
create index events_account_at on events (account, at desc);
create index events_kind on events (kind);
create index events_at on events (at);
create index events_score on events (score);
create index customers_region on customers (region);
create index customers_lower on customers (lower(email));
create index customers_parent on customers (parent);
create index products_category_price on products (category, price);
create index jobs_ready on jobs (priority, run_at) where state = 'ready';
create index jobs_queue on jobs (queue, state, run_at);
create index tree_parent on tree (parent);
create index customer_last on customer (c_w_id, c_d_id, c_last, c_first);
create index oorder_customer on oorder (o_w_id, o_d_id, o_c_id, o_id);
