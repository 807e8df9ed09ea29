#!/usr/bin/env sysbench
-- TPC-C (the five transactions, foreign keys on) for sysbench: prepare | run | cleanup.
-- Think times and terminals are left out: every thread runs one transaction after another, in the specification's mix.
-- The transactions are written in four ways (--style), as programs do:
--   text   one row a statement, literals in the text
--   batch  prepared writes, many rows a statement by lists of keys, (a, b) IN ((?, ?), ...), and rows inserted together
--   join   joins and UPDATE ... FROM in place of round trips, prepared writes of single rows
--   function   each transaction a call of a PL/pgSQL function (PostgreSQL's dialect; the functions are made by prepare)
sysbench.cmdline.options = {
  warehouses = {"Number of warehouses", 1},
  districts = {"Districts a warehouse", 10},
  customers = {"Customers a district (the specification: 3000)", 3000},
  items = {"Items (the specification: 100000)", 100000},
  style = {"How the transactions are written: text, batch, join or function", "text"},
}
local R = sysbench.rand.uniform
-- Filled when the command line is read, after this file.
local opt = setmetatable({}, {__index = function(_, k) return sysbench.opt[k] end})

local function astring(lo, hi)
  return sysbench.rand.string(string.rep("@", R(lo, hi)))
end
local syllables = {"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}
local function last_name(n)
  return syllables[math.floor(n / 100) % 10 + 1] .. syllables[math.floor(n / 10) % 10 + 1] .. syllables[n % 10 + 1]
end
local function nurand(a, lo, hi)
  local c = 42
  return (bit.bor(R(0, a), R(lo, hi)) + c) % (hi - lo + 1) + lo
end
local function customer_name()
  local max = math.min(999, opt.customers - 1)
  return last_name(nurand(255, 0, max))
end

local schema = {
  [[create table warehouse (w_id int primary key, w_name varchar(10), w_street_1 varchar(20), w_street_2 varchar(20), w_city varchar(20), w_state char(2), w_zip char(9), w_tax numeric(4,4), w_ytd numeric(12,2))]],
  [[create table district (d_w_id int references warehouse, d_id int, d_name varchar(10), d_street_1 varchar(20), d_city varchar(20), d_state char(2), d_zip char(9), d_tax numeric(4,4), d_ytd numeric(12,2), d_next_o_id int, primary key (d_w_id, d_id))]],
  [[create table customer (c_w_id int, c_d_id int, c_id int, c_first varchar(16), c_middle char(2), c_last varchar(16), c_street_1 varchar(20), c_city varchar(20), c_state char(2), c_zip char(9), c_phone char(16), c_since timestamp, c_credit char(2), c_credit_lim numeric(12,2), c_discount numeric(4,4), c_balance numeric(12,2), c_ytd_payment numeric(12,2), c_payment_cnt int, c_delivery_cnt int, c_data varchar(500), primary key (c_w_id, c_d_id, c_id), foreign key (c_w_id, c_d_id) references district)]],
  [[create table history (h_c_id int, h_c_d_id int, h_c_w_id int, h_d_id int, h_w_id int, h_date timestamp, h_amount numeric(6,2), h_data varchar(24), foreign key (h_c_w_id, h_c_d_id, h_c_id) references customer, foreign key (h_w_id, h_d_id) references district)]],
  [[create table orders (o_w_id int, o_d_id int, o_id int, o_c_id int, o_entry_d timestamp, o_carrier_id int, o_ol_cnt int, o_all_local int, primary key (o_w_id, o_d_id, o_id), foreign key (o_w_id, o_d_id, o_c_id) references customer)]],
  [[create table new_order (no_w_id int, no_d_id int, no_o_id int, primary key (no_w_id, no_d_id, no_o_id), foreign key (no_w_id, no_d_id, no_o_id) references orders)]],
  [[create table item (i_id int primary key, i_im_id int, i_name varchar(24), i_price numeric(5,2), i_data varchar(50))]],
  [[create table stock (s_w_id int references warehouse, s_i_id int references item, s_quantity int, s_dist char(24), s_ytd numeric(8,0), s_order_cnt int, s_remote_cnt int, s_data varchar(50), primary key (s_w_id, s_i_id))]],
  [[create table order_line (ol_w_id int, ol_d_id int, ol_o_id int, ol_number int, ol_i_id int, ol_supply_w_id int, ol_delivery_d timestamp, ol_quantity int, ol_amount numeric(6,2), ol_dist_info char(24), primary key (ol_w_id, ol_d_id, ol_o_id, ol_number), foreign key (ol_w_id, ol_d_id, ol_o_id) references orders, foreign key (ol_supply_w_id, ol_i_id) references stock)]],
  [[create index customer_name on customer (c_w_id, c_d_id, c_last, c_first)]],
  [[create index orders_customer on orders (o_w_id, o_d_id, o_c_id, o_id)]],
}

-- What --style=function calls. An item that there is not ends the order, as the specification has it for one in a
-- hundred, with a SQLSTATE after which sysbench goes on.
local functions = {
  [[create function tpcc_customer(w int, d int, name text, otherwise int) returns int language plpgsql stable as $$
declare found int[];
begin
  if name is null then return otherwise; end if;
  found := array(select c_id from customer where c_w_id = w and c_d_id = d and c_last = name order by c_first);
  return coalesce(found[(cardinality(found) + 1) / 2], otherwise);
end $$]],
  [[create function tpcc_new_order(w int, d int, c int, items int[], supply int[], quantities int[]) returns int language plpgsql as $$
declare
  o int;
  price numeric;
  dist char(24);
  quantity int;
  who record;
begin
  select c_discount, c_last, c_credit, w_tax into who from customer, warehouse where w_id = w and c_w_id = w_id and c_d_id = d and c_id = c;
  update district set d_next_o_id = d_next_o_id + 1 where d_w_id = w and d_id = d returning d_next_o_id - 1 into o;
  insert into orders values (w, d, o, c, now(), null, cardinality(items), case when w = all (supply) then 1 else 0 end);
  insert into new_order values (w, d, o);
  for i in 1 .. cardinality(items) loop
    select i_price into price from item where i_id = items[i];
    if not found then raise exception 'item number is not valid' using errcode = '40001'; end if;
    quantity := quantities[i];
    update stock set s_quantity = case when s_quantity >= quantity + 10 then s_quantity - quantity else s_quantity - quantity + 91 end,
      s_ytd = s_ytd + quantity, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + case when supply[i] = w then 0 else 1 end
      where s_w_id = supply[i] and s_i_id = items[i] returning s_dist into dist;
    insert into order_line values (w, d, o, i, items[i], supply[i], null, quantity, quantity * price, dist);
  end loop;
  return o;
end $$]],
  [[create function tpcc_payment(w int, d int, cw int, cd int, name text, otherwise int, amount numeric) returns void language plpgsql as $$
declare c int; credit record; place record;
begin
  update warehouse set w_ytd = w_ytd + amount where w_id = w returning w_name, w_street_1, w_city, w_state, w_zip into place;
  update district set d_ytd = d_ytd + amount where d_w_id = w and d_id = d;
  c := tpcc_customer(cw, cd, name, otherwise);
  select c_credit, c_first, c_last into credit from customer where c_w_id = cw and c_d_id = cd and c_id = c for update;
  if credit.c_credit = 'BC' then
    update customer set c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount, c_payment_cnt = c_payment_cnt + 1,
      c_data = substr(format('%s %s %s %s %s', c, cd, cw, d, amount) || c_data, 1, 500) where c_w_id = cw and c_d_id = cd and c_id = c;
  else
    update customer set c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount, c_payment_cnt = c_payment_cnt + 1
      where c_w_id = cw and c_d_id = cd and c_id = c;
  end if;
  insert into history values (c, cd, cw, d, w, now(), amount, 'payment');
end $$]],
  [[create function tpcc_order_status(w int, d int, name text, otherwise int) returns int language plpgsql as $$
declare c int := tpcc_customer(w, d, name, otherwise); o record; line record; n int := 0;
begin
  perform c_balance, c_first, c_last from customer where c_w_id = w and c_d_id = d and c_id = c;
  select o_id, o_entry_d, o_carrier_id into o from orders where o_w_id = w and o_d_id = d and o_c_id = c order by o_id desc limit 1;
  if found then
    for line in select ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d from order_line where ol_w_id = w and ol_d_id = d and ol_o_id = o.o_id loop
      n := n + line.ol_quantity;
    end loop;
  end if;
  return n;
end $$]],
  [[create function tpcc_delivery(w int, carrier int, districts int) returns int language plpgsql as $$
declare o int; c int; total numeric; n int := 0;
begin
  for d in 1 .. districts loop
    select no_o_id into o from new_order where no_w_id = w and no_d_id = d order by no_o_id limit 1 for update;
    continue when not found;
    delete from new_order where no_w_id = w and no_d_id = d and no_o_id = o;
    update orders set o_carrier_id = carrier where o_w_id = w and o_d_id = d and o_id = o returning o_c_id into c;
    update order_line set ol_delivery_d = now() where ol_w_id = w and ol_d_id = d and ol_o_id = o;
    select sum(ol_amount) into total from order_line where ol_w_id = w and ol_d_id = d and ol_o_id = o;
    update customer set c_balance = c_balance + total, c_delivery_cnt = c_delivery_cnt + 1 where c_w_id = w and c_d_id = d and c_id = c;
    n := n + 1;
  end loop;
  return n;
end $$]],
  [[create function tpcc_stock_level(w int, d int, threshold int) returns bigint language plpgsql as $$
declare o int; low bigint;
begin
  select d_next_o_id into o from district where d_w_id = w and d_id = d;
  select count(distinct s_i_id) into low from order_line, stock
    where ol_w_id = w and ol_d_id = d and ol_o_id < o and ol_o_id >= o - 20 and s_w_id = w and s_i_id = ol_i_id and s_quantity < threshold;
  return low;
end $$]],
}

local function q(s) return "'" .. s .. "'" end

function prepare()
  local con = sysbench.sql.driver():connect()
  for _, ddl in ipairs(schema) do con:query(ddl) end
  if sysbench.opt.db_driver == "pgsql" then
    for _, f in ipairs(functions) do con:query(f) end
  end
  local function bulk(into, n, row)
    con:bulk_insert_init("insert into " .. into .. " values ")
    for i = 1, n do con:bulk_insert_next("(" .. row(i) .. ")") end
    con:bulk_insert_done()
  end
  bulk("item", opt.items, function(i) return string.format("%d, %d, %s, %d.%02d, %s", i, R(1, 10000), q(astring(14, 24)), R(1, 100), R(0, 99), q(astring(26, 50))) end)
  for w = 1, opt.warehouses do
    con:query(string.format("insert into warehouse values (%d, %s, %s, %s, %s, 'CA', '123411111', 0.%04d, 300000)", w, q(astring(6, 10)), q(astring(10, 20)), q(astring(10, 20)), q(astring(10, 20)), R(0, 2000)))
    bulk("stock", opt.items, function(i) return string.format("%d, %d, %d, %s, 0, 0, 0, %s", w, i, R(10, 100), q(astring(24, 24)), q(astring(26, 50))) end)
    for d = 1, opt.districts do
      con:query(string.format("insert into district values (%d, %d, %s, %s, %s, 'CA', '123411111', 0.%04d, 30000, %d)", w, d, q(astring(6, 10)), q(astring(10, 20)), q(astring(10, 20)), R(0, 2000), opt.customers + 1))
      bulk("customer", opt.customers, function(c)
        local name = c <= 1000 and last_name(c - 1) or customer_name()
        return string.format("%d, %d, %d, %s, 'OE', %s, %s, %s, 'CA', '123411111', '0123456789012345', now(), %s, 50000, 0.%04d, -10, 10, 1, 0, %s", w, d, c, q(astring(8, 16)), q(name), q(astring(10, 20)), q(astring(10, 20)), R(1, 10) == 1 and "'BC'" or "'GC'", R(0, 5000), q(astring(300, 500)))
      end)
      bulk("history", opt.customers, function(c) return string.format("%d, %d, %d, %d, %d, now(), 10, %s", c, d, w, d, w, q(astring(12, 24))) end)
      local lines, undelivered = {}, math.floor(opt.customers * 0.7)
      local order = {}
      for c = 1, opt.customers do order[c] = c end
      for c = opt.customers, 2, -1 do local j = R(1, c); order[c], order[j] = order[j], order[c] end
      bulk("orders", opt.customers, function(o)
        lines[o] = R(5, 15)
        return string.format("%d, %d, %d, %d, now(), %s, %d, 1", w, d, o, order[o], o <= undelivered and R(1, 10) or "null", lines[o])
      end)
      bulk("new_order", opt.customers - undelivered, function(n) return string.format("%d, %d, %d", w, d, undelivered + n) end)
      con:bulk_insert_init("insert into order_line values ")
      for o = 1, opt.customers do
        for l = 1, lines[o] do
          con:bulk_insert_next(string.format("(%d, %d, %d, %d, %d, %d, %s, 5, %s, %s)", w, d, o, l, R(1, opt.items), w, o <= undelivered and "now()" or "null", o <= undelivered and "0" or string.format("%d.%02d", R(0, 9999), R(0, 99)), q(astring(24, 24))))
        end
      end
      con:bulk_insert_done()
    end
  end
end

function cleanup()
  local con = sysbench.sql.driver():connect()
  if sysbench.opt.db_driver == "pgsql" then
    for _, f in ipairs({"tpcc_customer", "tpcc_new_order", "tpcc_payment", "tpcc_order_status", "tpcc_delivery", "tpcc_stock_level"}) do con:query("drop function if exists " .. f) end
  end
  con:query("drop table if exists order_line, stock, item, new_order, orders, history, customer, district, warehouse")
end

local con
function thread_init()
  assert(({text = 1, batch = 1, join = 1, ["function"] = 1})[opt.style], "--style is text, batch, join or function")
  con = sysbench.sql.driver():connect()
end
function thread_done() con:disconnect() end

-- One row as a list of texts.
local function row(sql, ...)
  local rs = con:query(string.format(sql, ...))
  local r = rs and rs:fetch_row()
  return r
end
local function rows(sql, ...)
  local rs, out = con:query(string.format(sql, ...)), {}
  if rs then for i = 1, rs.nrows do out[i] = rs:fetch_row() end end
  return out
end
local function run(sql, ...) con:query(string.format(sql, ...)) end

local function customer_id(w, d)
  if R(1, 100) > 60 then return nurand(1023, 1, opt.customers) end
  local found = rows("select c_id from customer where c_w_id = %d and c_d_id = %d and c_last = '%s' order by c_first", w, d, customer_name())
  if #found == 0 then return nurand(1023, 1, opt.customers) end
  return tonumber(found[math.ceil(#found / 2)][1])
end

local text = {}
function text.new_order()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  local c, n = nurand(1023, 1, opt.customers), R(5, 15)
  run("begin")
  row("select c_discount, c_last, c_credit, w_tax from customer, warehouse where w_id = %d and c_w_id = w_id and c_d_id = %d and c_id = %d", w, d, c)
  local o = tonumber(row("update district set d_next_o_id = d_next_o_id + 1 where d_w_id = %d and d_id = %d returning d_next_o_id - 1, d_tax", w, d)[1])
  local supply, all_local = {}, 1
  for i = 1, n do
    supply[i] = w
    if opt.warehouses > 1 and R(1, 100) == 1 then
      repeat supply[i] = R(1, opt.warehouses) until supply[i] ~= w
      all_local = 0
    end
  end
  run("insert into orders values (%d, %d, %d, %d, now(), null, %d, %d)", w, d, o, c, n, all_local)
  run("insert into new_order values (%d, %d, %d)", w, d, o)
  -- Items in order, so that two orders lock stock rows alike.
  local items = {}
  for i = 1, n do items[i] = nurand(8191, 1, opt.items) end
  table.sort(items)
  for i = 1, n do
    local bad = i == n and R(1, 100) == 1
    local item = row("select i_price, i_name, i_data from item where i_id = %d", bad and opt.items + 1 or items[i])
    if not item then
      run("rollback")
      return
    end
    local qty = R(1, 10)
    run("update stock set s_quantity = case when s_quantity >= %d + 10 then s_quantity - %d else s_quantity - %d + 91 end, s_ytd = s_ytd + %d, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + %d where s_w_id = %d and s_i_id = %d", qty, qty, qty, qty, supply[i] == w and 0 or 1, supply[i], items[i])
    local s = row("select s_quantity, s_data, s_dist from stock where s_w_id = %d and s_i_id = %d", supply[i], items[i])
    run("insert into order_line values (%d, %d, %d, %d, %d, %d, null, %d, %s, '%s')", w, d, o, i, items[i], supply[i], qty, string.format("%.2f", qty * tonumber(item[1])), s[3])
  end
  run("commit")
end

function text.payment()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  local cw, cd = w, d
  if opt.warehouses > 1 and R(1, 100) > 85 then
    repeat cw = R(1, opt.warehouses) until cw ~= w
    cd = R(1, opt.districts)
  end
  local amount = string.format("%d.%02d", R(1, 4999), R(0, 99))
  run("begin")
  run("update warehouse set w_ytd = w_ytd + %s where w_id = %d", amount, w)
  row("select w_name, w_street_1, w_city, w_state, w_zip from warehouse where w_id = %d", w)
  run("update district set d_ytd = d_ytd + %s where d_w_id = %d and d_id = %d", amount, w, d)
  local c = customer_id(cw, cd)
  local credit = row("select c_credit, c_first, c_last from customer where c_w_id = %d and c_d_id = %d and c_id = %d for update", cw, cd, c)
  if credit[1] == "BC" then
    run("update customer set c_balance = c_balance - %s, c_ytd_payment = c_ytd_payment + %s, c_payment_cnt = c_payment_cnt + 1, c_data = substr('%d %d %d %d %s' || c_data, 1, 500) where c_w_id = %d and c_d_id = %d and c_id = %d", amount, amount, c, cd, cw, d, amount, cw, cd, c)
  else
    run("update customer set c_balance = c_balance - %s, c_ytd_payment = c_ytd_payment + %s, c_payment_cnt = c_payment_cnt + 1 where c_w_id = %d and c_d_id = %d and c_id = %d", amount, amount, cw, cd, c)
  end
  run("insert into history values (%d, %d, %d, %d, %d, now(), %s, 'payment')", c, cd, cw, d, w, amount)
  run("commit")
end

function text.order_status()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  run("begin")
  local c = customer_id(w, d)
  row("select c_balance, c_first, c_last from customer where c_w_id = %d and c_d_id = %d and c_id = %d", w, d, c)
  local o = row("select o_id, o_entry_d, o_carrier_id from orders where o_w_id = %d and o_d_id = %d and o_c_id = %d order by o_id desc limit 1", w, d, c)
  if o then rows("select ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d from order_line where ol_w_id = %d and ol_d_id = %d and ol_o_id = %s", w, d, o[1]) end
  run("commit")
end

function text.delivery()
  local w, carrier = R(1, opt.warehouses), R(1, 10)
  run("begin")
  for d = 1, opt.districts do
    local o = row("select no_o_id from new_order where no_w_id = %d and no_d_id = %d order by no_o_id limit 1 for update", w, d)
    if o then
      run("delete from new_order where no_w_id = %d and no_d_id = %d and no_o_id = %s", w, d, o[1])
      local c = row("update orders set o_carrier_id = %d where o_w_id = %d and o_d_id = %d and o_id = %s returning o_c_id", carrier, w, d, o[1])
      run("update order_line set ol_delivery_d = now() where ol_w_id = %d and ol_d_id = %d and ol_o_id = %s", w, d, o[1])
      local sum = row("select sum(ol_amount) from order_line where ol_w_id = %d and ol_d_id = %d and ol_o_id = %s", w, d, o[1])
      run("update customer set c_balance = c_balance + %s, c_delivery_cnt = c_delivery_cnt + 1 where c_w_id = %d and c_d_id = %d and c_id = %s", sum[1], w, d, c[1])
    end
  end
  run("commit")
end

function text.stock_level()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  run("begin")
  local o = tonumber(row("select d_next_o_id from district where d_w_id = %d and d_id = %d", w, d)[1])
  row("select count(distinct s_i_id) from order_line, stock where ol_w_id = %d and ol_d_id = %d and ol_o_id < %d and ol_o_id >= %d and s_w_id = %d and s_i_id = ol_i_id and s_quantity < %d", w, d, o, o - 20, w, R(10, 20))
  run("commit")
end

-- A prepared statement of this thread, by its text, with integers as parameters.
local prepared = {}
local function exec(sql, ...)
  local args, p = {...}, prepared[sql]
  if not p then
    p = {stmt = con:prepare(sql), params = {}}
    for i = 1, #args do p.params[i] = p.stmt:bind_create(sysbench.sql.type.INT) end
    if #args > 0 then p.stmt:bind_param(unpack(p.params)) end
    prepared[sql] = p
  end
  for i, v in ipairs(args) do p.params[i]:set(tonumber(v)) end
  return p.stmt:execute()
end
-- sysbench hands no rows of prepared statements out: what is to be read goes as text.
local function exec_rows(sql, ...)
  local args, n = {...}, 0
  return rows("%s", (sql:gsub("%?", function() n = n + 1; return string.format("%d", args[n]) end)))
end
local function exec_row(sql, ...) return exec_rows(sql, ...)[1] end

-- "(?, ?), (?, ?)": n times `width` parameters.
local function places(n, width)
  local one = width == 1 and "?" or "(" .. string.rep("?, ", width - 1) .. "?)"
  return string.rep(one .. ", ", n - 1) .. one
end
local function flat(list)
  local out = {}
  for _, tuple in ipairs(list) do for _, v in ipairs(tuple) do out[#out + 1] = v end end
  return out
end

-- What an order asks for: items without repetition, in order, so that two orders lock stock rows alike; the last does not exist in one of a hundred orders.
local function basket(w)
  local n, seen, items, lines, all_local = R(5, 15), {}, {}, {}, 1
  while #items < n do
    local i = nurand(8191, 1, opt.items)
    if not seen[i] then seen[i] = true; items[#items + 1] = i end
  end
  table.sort(items)
  for i = 1, n do
    local supply = w
    if opt.warehouses > 1 and R(1, 100) == 1 then
      repeat supply = R(1, opt.warehouses) until supply ~= w
      all_local = 0
    end
    lines[i] = {item = items[i], supply = supply, qty = R(1, 10)}
  end
  if R(1, 100) == 1 then lines[n].item = opt.items + 1 end
  return lines, all_local
end

local batch = {}
function batch.new_order()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  local c, lines, all_local = nurand(1023, 1, opt.customers), basket(w)
  run("begin")
  exec_row("select c_discount, c_last, c_credit, w_tax from customer, warehouse where w_id = ? and c_w_id = w_id and c_d_id = ? and c_id = ?", w, d, c)
  local o = tonumber(exec_row("select d_next_o_id, d_tax from district where d_id = ? and d_w_id = ? for update", d, w)[1])
  exec("update district set d_next_o_id = ? + 1 where d_id = ? and d_w_id = ?", o, d, w)
  exec("insert into orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) values (?, ?, ?, ?, now(), ?, ?)", o, d, w, c, #lines, all_local)
  exec("insert into new_order (no_o_id, no_d_id, no_w_id) values (?, ?, ?)", o, d, w)
  local ids, keys, price, stock = {}, {}, {}, {}
  for i, l in ipairs(lines) do ids[i], keys[i] = {l.item}, {l.supply, l.item} end
  for _, r in ipairs(exec_rows("select i_price, i_name, i_data, i_id from item where i_id in (" .. places(#lines, 1) .. ")", unpack(flat(ids)))) do price[tonumber(r[4])] = tonumber(r[1]) end
  for _, l in ipairs(lines) do
    if not price[l.item] then run("rollback"); return end
  end
  for _, r in ipairs(exec_rows("select s_i_id, s_quantity, s_data, s_dist from stock where (s_w_id, s_i_id) in (" .. places(#lines, 2) .. ") for update", unpack(flat(keys)))) do stock[tonumber(r[1])] = r end
  local values = {}
  for i, l in ipairs(lines) do
    local s = stock[l.item]
    local left = tonumber(s[2]) - l.qty
    if left < 10 then left = left + 91 end
    exec("update stock set s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ? where s_i_id = ? and s_w_id = ?", left, l.qty, l.supply == w and 0 or 1, l.item, l.supply)
    values[i] = string.format("(%d, %d, %d, %d, %d, %d, %d, %.2f, '%s')", o, d, w, i, l.item, l.supply, l.qty, l.qty * price[l.item], s[4])
  end
  run("insert into order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info) values %s", table.concat(values, ", "))
  run("commit")
end
function batch.delivery()
  local w, carrier, keys, found = R(1, opt.warehouses), R(1, 10), {}, {}
  run("begin")
  for d = 1, opt.districts do
    local o = exec_row("select no_o_id from new_order where no_w_id = ? and no_d_id = ? order by no_o_id asc limit 1 for update", w, d)
    if o then keys[#keys + 1] = {w, d, tonumber(o[1])} end
  end
  if #keys == 0 then run("rollback"); return end
  local list = flat(keys)
  local three = "(" .. places(#keys, 3) .. ")"
  exec("delete from new_order where (no_w_id, no_d_id, no_o_id) in " .. three, unpack(list))
  exec("update orders set o_carrier_id = ? where (o_w_id, o_d_id, o_id) in " .. three, carrier, unpack(list))
  for _, r in ipairs(exec_rows("select o_d_id, o_c_id from orders where (o_w_id, o_d_id, o_id) in " .. three, unpack(list))) do found[tonumber(r[1])] = r[2] end
  exec("update order_line set ol_delivery_d = now() where (ol_w_id, ol_d_id, ol_o_id) in " .. three, unpack(list))
  for _, r in ipairs(exec_rows("select ol_d_id, sum(ol_amount) from order_line where (ol_w_id, ol_d_id, ol_o_id) in " .. three .. " group by ol_d_id", unpack(list))) do
    run("update customer set c_balance = c_balance + %s, c_delivery_cnt = c_delivery_cnt + 1 where c_w_id = %d and c_d_id = %s and c_id = %s", r[2], w, r[1], found[tonumber(r[1])])
  end
  run("commit")
end

local join = {}
function join.new_order()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  local c, lines, all_local = nurand(1023, 1, opt.customers), basket(w)
  run("begin")
  local o = tonumber(exec_row("update district set d_next_o_id = d_next_o_id + 1 from warehouse, customer where w_id = d_w_id and d_w_id = ? and d_id = ? and c_w_id = d_w_id and c_d_id = d_id and c_id = ? returning d_next_o_id - 1, d_tax, w_tax, c_discount, c_last, c_credit", w, d, c)[1])
  exec("insert into orders select d_w_id, d_id, ?, ?, now(), null, ?, ? from district where d_w_id = ? and d_id = ?", o, c, #lines, all_local, w, d)
  exec("insert into new_order values (?, ?, ?)", w, d, o)
  for i, l in ipairs(lines) do
    if not exec_row("select i_name, i_price, s_quantity from item join stock on s_i_id = i_id where i_id = ? and s_w_id = ? for update of stock", l.item, l.supply) then
      run("rollback")
      return
    end
    exec("update stock set s_quantity = case when s_quantity >= ? + 10 then s_quantity - ? else s_quantity - ? + 91 end, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ? where s_w_id = ? and s_i_id = ?", l.qty, l.qty, l.qty, l.qty, l.supply == w and 0 or 1, l.supply, l.item)
    exec("insert into order_line select ?, ?, ?, ?, i_id, s_w_id, null, ?, ? * i_price, s_dist from item join stock on s_i_id = i_id where i_id = ? and s_w_id = ?", w, d, o, i, l.qty, l.qty, l.item, l.supply)
  end
  run("commit")
end
function join.delivery()
  local w, carrier = R(1, opt.warehouses), R(1, 10)
  run("begin")
  for d = 1, opt.districts do
    local o = exec_row("select no_o_id from new_order where no_w_id = ? and no_d_id = ? and no_o_id = (select min(no_o_id) from new_order where no_w_id = ? and no_d_id = ?) for update", w, d, w, d)
    if o then
      exec("delete from new_order where no_w_id = ? and no_d_id = ? and no_o_id = ?", w, d, o[1])
      exec("update order_line set ol_delivery_d = now() from orders where o_w_id = ol_w_id and o_d_id = ol_d_id and o_id = ol_o_id and o_w_id = ? and o_d_id = ? and o_id = ?", w, d, o[1])
      exec("update customer set c_balance = c_balance + s.total, c_delivery_cnt = c_delivery_cnt + 1 from (select o_w_id, o_d_id, o_c_id, sum(ol_amount) as total from orders join order_line on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id where o_w_id = ? and o_d_id = ? and o_id = ? group by o_w_id, o_d_id, o_c_id) s where c_w_id = s.o_w_id and c_d_id = s.o_d_id and c_id = s.o_c_id", w, d, o[1])
      exec("update orders set o_carrier_id = ? where o_w_id = ? and o_d_id = ? and o_id = ?", carrier, w, d, o[1])
    end
  end
  run("commit")
end
function join.stock_level()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  run("begin")
  exec_row("select count(distinct s_i_id) from district join order_line on ol_w_id = d_w_id and ol_d_id = d_id and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id join stock on s_w_id = d_w_id and s_i_id = ol_i_id where d_w_id = ? and d_id = ? and s_quantity < ?", w, d, R(10, 20))
  run("commit")
end
function join.order_status()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  run("begin")
  local c = customer_id(w, d)
  exec_rows("select c_balance, c_first, c_last, o_id, o_entry_d, o_carrier_id, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d from customer join orders on o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id join order_line on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id where c_w_id = ? and c_d_id = ? and c_id = ? and o_id = (select max(o_id) from orders where o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id)", w, d, c)
  run("commit")
end

local call = {}
-- A customer by name six times in ten, else by number: the arguments of tpcc_customer.
local function customer()
  local name = R(1, 100) <= 60 and q(customer_name()) or "null"
  return name .. ", " .. nurand(1023, 1, opt.customers)
end
function call.new_order()
  local w, d, n = R(1, opt.warehouses), R(1, opt.districts), R(5, 15)
  local items, supply, quantities = {}, {}, {}
  for i = 1, n do
    items[i], supply[i], quantities[i] = nurand(8191, 1, opt.items), w, R(1, 10)
    if opt.warehouses > 1 and R(1, 100) == 1 then
      repeat supply[i] = R(1, opt.warehouses) until supply[i] ~= w
    end
  end
  -- In order, so that two orders lock stock rows alike.
  table.sort(items)
  if R(1, 100) == 1 then items[n] = opt.items + 1 end
  local list = function(t) return table.concat(t, ",") end
  run("select tpcc_new_order(%d, %d, %d, '{%s}', '{%s}', '{%s}')", w, d, nurand(1023, 1, opt.customers), list(items), list(supply), list(quantities))
end
function call.payment()
  local w, d = R(1, opt.warehouses), R(1, opt.districts)
  local cw, cd = w, d
  if opt.warehouses > 1 and R(1, 100) > 85 then
    repeat cw = R(1, opt.warehouses) until cw ~= w
    cd = R(1, opt.districts)
  end
  run("select tpcc_payment(%d, %d, %d, %d, %s, %d.%02d)", w, d, cw, cd, customer(), R(1, 4999), R(0, 99))
end
function call.order_status() run("select tpcc_order_status(%d, %d, %s)", R(1, opt.warehouses), R(1, opt.districts), customer()) end
function call.delivery() run("select tpcc_delivery(%d, %d, %d)", R(1, opt.warehouses), R(1, 10), opt.districts) end
function call.stock_level() run("select tpcc_stock_level(%d, %d, %d)", R(1, opt.warehouses), R(1, opt.districts), R(10, 20)) end

-- What a style does not write anew is as in "text".
local styles = {["function"] = call, text = text, batch = setmetatable(batch, {__index = text}), join = setmetatable(join, {__index = text})}

function event()
  local n, t = R(1, 100), styles[opt.style]
  if n <= 45 then t.new_order()
  elseif n <= 88 then t.payment()
  elseif n <= 92 then t.order_status()
  elseif n <= 96 then t.delivery()
  else t.stock_level() end
end

-- Deadlocks and serialization failures are retried, as the specification's terminals would.
sysbench.hooks.sql_error_ignorable = function(e)
  if e.sql_state == "40001" or e.sql_state == "40P01" then
    con:query("rollback")
    return true
  end
  return false
end
