# What client_min_messages lets through.
> do $$ begin raise debug 'd'; raise log 'l'; raise info 'i'; raise notice 'n'; raise warning 'w'; end $$
INFO 00000: i
NOTICE 00000: n
WARNING 01000: w
DO

> set client_min_messages = debug1
SET

> do $$ begin raise debug 'd'; raise log 'l'; raise info 'i'; raise notice 'n'; raise warning 'w'; end $$
DEBUG 00000: d
LOG 00000: l
INFO 00000: i
NOTICE 00000: n
WARNING 01000: w
DO

> set client_min_messages = log
SET

> do $$ begin raise debug 'd'; raise log 'l'; raise info 'i'; raise notice 'n'; raise warning 'w'; end $$
LOG 00000: l
INFO 00000: i
NOTICE 00000: n
WARNING 01000: w
DO

> set client_min_messages = warning
SET

> do $$ begin raise debug 'd'; raise log 'l'; raise info 'i'; raise notice 'n'; raise warning 'w'; end $$
INFO 00000: i
WARNING 01000: w
DO

> drop table if exists nope_nope
DROP TABLE

> rollback
WARNING 25P01: there is no transaction in progress
ROLLBACK

> set client_min_messages = error
SET

> do $$ begin raise debug 'd'; raise log 'l'; raise info 'i'; raise notice 'n'; raise warning 'w'; end $$
INFO 00000: i
DO

> rollback
ROLLBACK

> select 1 / 0
ERROR 22012: division by zero

> set client_min_messages = notice
SET

> create function quiet() returns void language plpgsql set client_min_messages = error as $$ begin raise warning 'w'; raise info 'i'; end $$
CREATE FUNCTION

> do $$ begin perform quiet(); end $$
INFO 00000: i
DO

> do $$ begin raise warning 'w'; end $$
WARNING 01000: w
DO
