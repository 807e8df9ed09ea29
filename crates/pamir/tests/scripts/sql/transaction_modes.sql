# What SHOW says of a transaction's modes, inside and outside of one.
> show default_transaction_isolation
default_transaction_isolation:text
read committed
SHOW

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL serializable
SET

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
serializable
SHOW

> begin
BEGIN

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
serializable
SHOW

> commit
COMMIT

> reset all
RESET

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
read committed
SHOW

> show default_transaction_isolation
default_transaction_isolation:text
read committed
SHOW

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL repeatable read, read only
SET

> begin
BEGIN

> show transaction_isolation
transaction_isolation:text
repeatable read
SHOW

> show transaction_read_only
transaction_read_only:text
on
SHOW

> rollback
ROLLBACK

> SELECT pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> CLOSE ALL
CLOSE CURSOR ALL

> UNLISTEN *
UNLISTEN

> RESET ALL
RESET

> show default_transaction_read_only
default_transaction_read_only:text
off
SHOW

> begin isolation level read uncommitted
BEGIN

> show transaction isolation level
transaction_isolation:text
read uncommitted
SHOW

> commit
COMMIT

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL read uncommitted
SET

> show transaction isolation level
transaction_isolation:text
read uncommitted
SHOW

> show default_transaction_isolation
default_transaction_isolation:text
read uncommitted
SHOW

> SELECT pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> CLOSE ALL
CLOSE CURSOR ALL

> UNLISTEN *
UNLISTEN

> RESET ALL
RESET

> show transaction isolation level
transaction_isolation:text
read committed
SHOW

> begin
BEGIN

> set transaction isolation level serializable
SET

> show transaction isolation level
transaction_isolation:text
serializable
SHOW

> rollback
ROLLBACK

> show transaction isolation level
transaction_isolation:text
read committed
SHOW
