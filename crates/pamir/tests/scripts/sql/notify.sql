# LISTEN, NOTIFY, UNLISTEN within one session; what other sessions hear is in pamir-sql's tests.
> listen ch
LISTEN

> select * from pg_listening_channels()
pg_listening_channels:text
ch
SELECT 1

> notify ch, 'one'
NOTIFY
(notification) ch: one

> begin; notify ch, 'two'; notify ch, 'two'; savepoint a; notify ch, 'gone'; rollback to a; notify ch; select pg_notify('ch', 'four'); commit
BEGIN
NOTIFY
NOTIFY
SAVEPOINT
NOTIFY
ROLLBACK
NOTIFY
pg_notify:void
|
SELECT 1
COMMIT
(notification) ch: two
(notification) ch: 
(notification) ch: four

> begin; notify ch, 'never'; rollback
BEGIN
NOTIFY
ROLLBACK

> select pg_notify(null, 'x')
pg_notify:void
ERROR 22023: channel name cannot be empty

> select pg_notify('ch', repeat('x', 8000))
pg_notify:void
ERROR 22023: payload string too long

> select pg_notify(repeat('c', 64), 'x')
pg_notify:void
ERROR 22023: channel name too long

> select pg_notify('ch', null)
pg_notify:void
|
SELECT 1
(notification) ch: 

> begin read only; notify ch, 'read only'; commit
BEGIN
NOTIFY
COMMIT
(notification) ch: read only

> unlisten ch
UNLISTEN

> notify ch, 'unheard'
NOTIFY

> begin; listen other; select * from pg_listening_channels(); notify other, 'o'; commit
BEGIN
LISTEN
pg_listening_channels:text
SELECT 0
NOTIFY
COMMIT
(notification) other: o

> listen "Ch"
LISTEN

> notify "Ch", 'quoted'; notify Ch, 'folded'
NOTIFY
NOTIFY
(notification) Ch: quoted

> begin; unlisten *; rollback
BEGIN
UNLISTEN
ROLLBACK

> select * from pg_listening_channels() c order by c
c:text
Ch
other
SELECT 2

> begin; notify other; prepare transaction 'notify_x'
BEGIN
NOTIFY
ERROR 0A000: cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY

> rollback
WARNING 25P01: there is no transaction in progress
ROLLBACK

> discard all
DISCARD ALL

> select * from pg_listening_channels()
pg_listening_channels:text
SELECT 0

> notify "Ch", 'unheard'
NOTIFY

> select pg_notification_queue_usage()
pg_notification_queue_usage:float8
0
SELECT 1
