# DEFERRABLE is a mode of the transaction that SHOW tells; it starts from default_transaction_deferrable.
> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> begin isolation level serializable, read only, deferrable
BEGIN

> show transaction_deferrable
transaction_deferrable:text
on
SHOW

> commit and chain
COMMIT

> show transaction_deferrable
transaction_deferrable:text
on
SHOW

> commit
COMMIT

> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> begin
BEGIN

> set transaction deferrable
SET

> show transaction_deferrable
transaction_deferrable:text
on
SHOW

> set transaction not deferrable
SET

> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> set transaction deferrable
SET

> rollback
ROLLBACK

> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> set default_transaction_deferrable = on
SET

> begin
BEGIN

> show transaction_deferrable
transaction_deferrable:text
on
SHOW

> rollback
ROLLBACK

> begin not deferrable
BEGIN

> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> rollback
ROLLBACK

> set session characteristics as transaction not deferrable
SET

> begin
BEGIN

> show transaction_deferrable
transaction_deferrable:text
off
SHOW

> commit
COMMIT

# Once there was a query, or within a savepoint, it is too late.
> begin
BEGIN

> select 1 as a
a:int4
1
SELECT 1

> set transaction deferrable
ERROR 25001: SET TRANSACTION [NOT] DEFERRABLE must be called before any query

> rollback
ROLLBACK

> begin
BEGIN

> savepoint s
SAVEPOINT

> set transaction not deferrable
ERROR 25001: SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction

> rollback
ROLLBACK
