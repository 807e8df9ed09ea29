-- Two-phase commit around sysbench's own transactions: --xa_workload=update_index or write_only, over the tables of oltp_common.
--   pgsql:  BEGIN; ...; PREPARE TRANSACTION 'id'; COMMIT PREPARED 'id'
--   mysql:  XA START 'id'; ...; XA END 'id'; XA PREPARE 'id'; XA COMMIT 'id'
-- The row statements are prepared, as in the originals; those of the protocol carry an identifier and are sent as text.
require("oltp_common")
sysbench.cmdline.options.xa_workload = {"update_index or write_only", "update_index"}

local writes_only

function prepare_statements()
  writes_only = sysbench.opt.xa_workload == "write_only"
  mysql = sysbench.sql.driver():name() == "mysql"
  -- Unique among threads and, by the clock, among runs.
  run_id = string.format("x%d_%d", os.time(), sysbench.tid)
  serial = 0
  prepare_index_updates()
  if writes_only then
    prepare_non_index_updates()
    prepare_delete_inserts()
  end
end

function event()
  serial = serial + 1
  gid = run_id .. "_" .. serial
  con:query(mysql and "XA START '" .. gid .. "'" or "BEGIN")
  execute_index_updates()
  if writes_only then
    execute_non_index_updates()
    execute_delete_inserts()
  end
  if mysql then
    con:query("XA END '" .. gid .. "'")
    con:query("XA PREPARE '" .. gid .. "'")
    con:query("XA COMMIT '" .. gid .. "'")
  else
    con:query("PREPARE TRANSACTION '" .. gid .. "'")
    con:query("COMMIT PREPARED '" .. gid .. "'")
  end
end

-- A deadlock's victim: MariaDB keeps the branch until it is ended and rolled back; the pgsql driver has rolled back itself.
local common_restart = sysbench.hooks.before_restart_event
function sysbench.hooks.before_restart_event(e)
  if common_restart then common_restart(e) end
  if mysql then
    pcall(function() con:query("XA END '" .. gid .. "'") end)
    pcall(function() con:query("XA ROLLBACK '" .. gid .. "'") end)
  end
end
