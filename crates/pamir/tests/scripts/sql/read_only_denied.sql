# What a transaction that only reads may not do is said before what its role may not.
> create table kept (a int, b int)
CREATE TABLE

> create table open_ (a int)
CREATE TABLE

> create role outsider
CREATE ROLE

> grant all on open_ to outsider
GRANT

> grant insert on kept to outsider
GRANT

> set role outsider
SET

> begin read only
BEGIN

> insert into kept values (1, 2)
ERROR 25006: cannot execute INSERT in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> update kept set a = 1
ERROR 25006: cannot execute UPDATE in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> delete from kept using open_
ERROR 25006: cannot execute DELETE in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> merge into kept using open_ o on o.a = kept.a when matched then delete
ERROR 25006: cannot execute MERGE in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> select a from kept
ERROR 42501: permission denied for table kept

> rollback
ROLLBACK

> begin read only
BEGIN

> with w as (update open_ set a = 1 returning a) select w.a from w, kept
ERROR 25006: cannot execute SELECT in a read-only transaction

> rollback
ROLLBACK

> set default_transaction_read_only = on
SET

> update kept set a = 1
ERROR 25006: cannot execute UPDATE in a read-only transaction

> insert into open_ select a from kept
ERROR 25006: cannot execute INSERT in a read-only transaction

> update kept set a = 1 / 0
ERROR 22012: division by zero

> delete from kept where false
ERROR 25006: cannot execute DELETE in a read-only transaction

> explain (costs off) update kept set a = 1
ERROR 42501: permission denied for table kept

> reset role
RESET

> explain (costs off) delete from open_ where false
QUERY PLAN:text
Delete on open_
  ->  Result
        One-Time Filter: false
EXPLAIN

> explain (analyze, costs off, timing off, summary off) delete from open_ where false
ERROR 25006: cannot execute DELETE in a read-only transaction

> set role outsider
SET

> reset default_transaction_read_only
RESET

> update kept set a = 1
ERROR 42501: permission denied for table kept

> reset role
RESET

> drop table kept, open_
DROP TABLE

> drop role outsider
DROP ROLE

> begin
BEGIN

> select pg_xact_status(pg_current_xact_id()), txid_status(txid_current())
pg_xact_status:text | txid_status:text
in progress | in progress
SELECT 1

> commit
COMMIT
