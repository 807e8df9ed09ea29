-- One row that every thread updates, each time in a transaction of its own.
if sysbench.cmdline.command == nil then
  error("Command is required: prepare, run, cleanup")
end

function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("create table hot (id int primary key, n bigint not null)")
  con:query("insert into hot values (1, 0)")
end

function cleanup()
  sysbench.sql.driver():connect():query("drop table if exists hot")
end

function thread_init()
  con = sysbench.sql.driver():connect()
  update = con:prepare("update hot set n = n + 1 where id = ?")
  id = update:bind_create(sysbench.sql.type.INT)
  update:bind_param(id)
end

function event()
  id:set(1)
  update:execute()
end

function thread_done()
  update:close()
  con:disconnect()
end
