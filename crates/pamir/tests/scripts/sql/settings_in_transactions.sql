# SET and SET LOCAL in transactions and savepoints, also of settings that applications name.
> set datestyle = 'iso, ymd'
SET

> begin
BEGIN

> set datestyle = 'iso, dmy'
SET

> set local datestyle = 'postgres, mdy'
SET

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> commit
COMMIT

> show datestyle
DateStyle:text
ISO, DMY
SHOW

> begin
BEGIN

> set local datestyle = 'postgres, mdy'
SET

> set datestyle = 'iso, mdy'
SET

> commit
COMMIT

> show datestyle
DateStyle:text
ISO, MDY
SHOW

> begin
BEGIN

> set local datestyle = 'postgres, mdy'
SET

> savepoint s
SAVEPOINT

> set datestyle = 'iso, dmy'
SET

> rollback to s
ROLLBACK

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> commit
COMMIT

> show datestyle
DateStyle:text
ISO, MDY
SHOW

> begin
BEGIN

> set datestyle = 'iso, dmy'
SET

> savepoint s
SAVEPOINT

> set local datestyle = 'postgres, mdy'
SET

> release s
RELEASE

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> commit
COMMIT

> show datestyle
DateStyle:text
ISO, DMY
SHOW

> begin
BEGIN

> set work_mem = '10MB'
SET

> set local work_mem = '20MB'
SET

> set work_mem = '30MB'
SET

> set local work_mem = '40MB'
SET

> commit
COMMIT

> show work_mem
work_mem:text
30MB
SHOW

> begin
BEGIN

> set local work_mem = '20MB'
SET

> reset work_mem
RESET

> commit
COMMIT

> show work_mem
work_mem:text
4MB
SHOW

> begin
BEGIN

> set app.tenant = '1'
SET

> set local app.tenant = '2'
SET

> show app.tenant
app.tenant:text
2
SHOW

> commit
COMMIT

> show app.tenant
app.tenant:text
1
SHOW

> begin
BEGIN

> set local app.tenant = '3'
SET

> commit
COMMIT

> show app.tenant
app.tenant:text
1
SHOW

> begin
BEGIN

> set app.tenant = '4'
SET

> rollback
ROLLBACK

> show app.tenant
app.tenant:text
1
SHOW

> begin
BEGIN

> savepoint s
SAVEPOINT

> set app.tenant = '5'
SET

> rollback to s
ROLLBACK

> show app.tenant
app.tenant:text
1
SHOW

> select set_config('app.tenant', '6', true)
set_config:text
6
SELECT 1

> show app.tenant
app.tenant:text
6
SHOW

> commit
COMMIT

> show app.tenant
app.tenant:text
1
SHOW

> select current_setting('app.other', true) is null
?column?:bool
t
SELECT 1

> begin
BEGIN

> set local app.other = 'x'
SET

> commit
COMMIT

> select current_setting('app.other', true) = '', current_setting('app.other')
?column?:bool | current_setting:text
t | 
SELECT 1

> reset app.tenant
RESET

> show app.tenant
app.tenant:text
|
SHOW

> reset app.nobody
RESET

> set app.tenant = '7'
SET

> begin
BEGIN

> discard all
ERROR 25001: DISCARD ALL cannot run inside a transaction block

> rollback
ROLLBACK

> begin
BEGIN

> reset all
RESET

> show app.tenant
app.tenant:text
|
SHOW

> rollback
ROLLBACK

> show app.tenant
app.tenant:text
7
SHOW

> reset all
RESET

> show app.tenant
app.tenant:text
|
SHOW

> select set_config('app.tenant', '8', false), set_config('app.tenant', '9', true)
set_config:text | set_config:text
8 | 9
SELECT 1

> show app.tenant
app.tenant:text
8
SHOW

> select set_config('work_mem', '7MB', true), current_setting('work_mem')
set_config:text | current_setting:text
7MB | 7MB
SELECT 1

> show work_mem
work_mem:text
4MB
SHOW

> select set_config('app.tenant', '9', true), current_setting('app.tenant') from (values (1)) v
set_config:text | current_setting:text
9 | 9
SELECT 1

> show app.tenant
app.tenant:text
8
SHOW

> set local work_mem = '5MB'
WARNING 25P01: SET LOCAL can only be used in transaction blocks
SET

> show work_mem
work_mem:text
4MB
SHOW
