# money.

> select '12.345'::money, '-12'::money, '$1,234.50'::money, '($5)'::money, '1,2,3.4'::money, '123456789012345.67'::money, '.5'::money, ''::money, ' $ 7 '::money, '+$7'::money, '5-'::money
money:money | money:money | money:money | money:money | money:money | money:money | money:money | money:money | money:money | money:money | money:money
$12.35 | -$12.00 | $1,234.50 | -$5.00 | $123.40 | $123,456,789,012,345.67 | $0.50 | $0.00 | $7.00 | $7.00 | -$5.00
SELECT 1

> select 'x'::money
ERROR 22P02: invalid input syntax for type money: "x"

> select '1.2.3'::money
ERROR 22P02: invalid input syntax for type money: "1.2.3"

> select '92233720368547758.08'::money
ERROR 22003: value "92233720368547758.08" is out of range for type money

> select '92233720368547758.07'::money, '-92233720368547758.08'::money
money:money | money:money
$92,233,720,368,547,758.07 | -$92,233,720,368,547,758.08
SELECT 1

> select 5::money, 5::bigint::money, 5.678::numeric::money, '7.25'::money::numeric, 5::smallint::money
ERROR 42846: cannot cast type smallint to money

> select 1.5::float8::money
ERROR 42846: cannot cast type double precision to money

> select '1'::money::int
ERROR 42846: cannot cast type money to integer

> select 92233720368547759::bigint::money
money:money
ERROR 22003: bigint out of range

> select 1e30::numeric::money
money:money
ERROR 22003: bigint out of range

> select '3'::money + '4', '3'::money - '4.5', '3'::money * 2, 2 * '3'::money, '3'::money * 1.5::float8, 1.5::float8 * '3'::money, '10'::money / 3, '10'::money / 4::float8, '10'::money / '4'::money, '3'::money * 2::bigint, '3'::money * 2::smallint, '3'::money * 1.5::float4, '10'::money / 3::bigint, '10'::money / 3::smallint, '10'::money / 2.5::float4
?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:float8 | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money | ?column?:money
$7.00 | -$1.50 | $6.00 | $6.00 | $4.50 | $4.50 | $3.33 | $2.50 | 2.5 | $6.00 | $6.00 | $4.50 | $3.33 | $3.33 | $4.00
SELECT 1

> select '1'::money / 0
ERROR 22012: division by zero

> select '1'::money / 0::float8
ERROR 22012: division by zero

> select '1'::money / '0'::money
ERROR 22012: division by zero

> select '1'::money * 1.5
?column?:money
$1.50
SELECT 1

> select -'1'::money
ERROR 42883: operator does not exist: - money
HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.

> select abs('-1'::money)
ERROR 42883: function abs(money) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select '1'::money < '2', '1'::money = '1.00', '2'::money >= '3', '1'::money <> '2', '1'::money > '0', '1'::money <= '1'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | f | t | t | t
SELECT 1

> select '1'::money < 2
ERROR 42883: operator does not exist: money < integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select cash_words('123.45'), cash_words('0'), cash_words('1'), cash_words('-1234567.01'), cash_words('100000'), cash_words('1000000.99'), cash_words('19.20'), cash_words('21.30'), cash_words('92233720368547758.07')
cash_words:text | cash_words:text | cash_words:text | cash_words:text | cash_words:text | cash_words:text | cash_words:text | cash_words:text | cash_words:text
One hundred twenty three dollars and forty five cents | Zero dollars and zero cents | One dollar and zero cents | Minus one million two hundred thirty four thousand five hundred sixty seven dollars and one cent | One hundred thousand  dollars and zero cents | One million  dollars and ninety nine cents | Nineteen dollars and twenty cents | Twenty one dollars and thirty cents | Ninety two quadrillion two hundred thirty three trillion seven hundred twenty billion three hundred sixty eight million five hundred forty seven thousand seven hundred fifty eight dollars and seven cents
SELECT 1

> create table mt(id int primary key, m money, ms money[])
CREATE TABLE

> insert into mt values (1, '10', '{1,2.5,"$1,000"}'), (2, '-3.50', null), (3, null, '{}'), (4, '$1,234.5', array['1'::money]), (5, 10, null)
INSERT 0 5

> select * from mt order by id
id:int4 | m:money | ms:_money
1 | $10.00 | {$1.00,$2.50,"$1,000.00"}
2 | -$3.50 | NULL
3 | NULL | {}
4 | $1,234.50 | {$1.00}
5 | $10.00 | NULL
SELECT 5

> select id, m from mt order by m, id
id:int4 | m:money
2 | -$3.50
1 | $10.00
5 | $10.00
4 | $1,234.50
3 | NULL
SELECT 5

> select sum(m), min(m), max(m), count(m) from mt
sum:money | min:money | max:money | count:int8
$1,251.00 | -$3.50 | $1,234.50 | 4
SELECT 1

> select avg(m) from mt
ERROR 42883: function avg(money) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select m, count(*) from mt group by m order by m
m:money | count:int8
-$3.50 | 1
$10.00 | 2
$1,234.50 | 1
NULL | 1
SELECT 4

> create index on mt(m)
CREATE INDEX

> select id from mt where m = '10' order by id
id:int4
1
5
SELECT 2

> select id from mt where m > '0' order by id
id:int4
1
4
5
SELECT 3

> select id from mt where m in ('10', '-3.5') order by id
id:int4
1
2
5
SELECT 3

> create unique index on mt(m)
ERROR 23505: could not create unique index "mt_m_idx1"
DETAIL: Key (m)=($10.00) is duplicated.

> select a.id, b.id from mt a join mt b on a.m = b.m order by 1, 2
id:int4 | id:int4
1 | 1
1 | 5
2 | 2
4 | 4
5 | 1
5 | 5
SELECT 6

> update mt set m = m * 2 where id = 1 returning m
m:money
$20.00
UPDATE 1

> select to_jsonb(m), to_json(m), m::text, row(m) from mt where id = 4
to_jsonb:jsonb | to_json:json | m:text | row:record
"$1,234.50" | "$1,234.50" | $1,234.50 | ("$1,234.50")
SELECT 1

> select array_agg(m order by id) from mt
array_agg:_money
{$20.00,-$3.50,NULL,"$1,234.50",$10.00}
SELECT 1

> select cashlarger('1', '2'), cashsmaller('1', '2')
cashlarger:money | cashsmaller:money
$2.00 | $1.00
SELECT 1

> select format_type('money'::regtype, -1), pg_typeof('1'::money)
format_type:text | pg_typeof:regtype
money | money
SELECT 1

> select money(5), money(5.5)
money:money | money:money
$5.00 | $5.50
SELECT 1

> select column_name, data_type from information_schema.columns where table_name = 'mt' order by 1
column_name:name | data_type:varchar
id | integer
m | money
ms | ARRAY
SELECT 3

> drop table mt
DROP TABLE

> select '{1,2}'::money[], '["$1.00"]'::jsonb
money:_money | jsonb:jsonb
{$1.00,$2.00} | ["$1.00"]
SELECT 1

> select greatest('1'::money, '2'), coalesce(null, '1'::money), nullif('1'::money, '1')
greatest:money | coalesce:money | nullif:money
$2.00 | $1.00 | NULL
SELECT 1

> select 1::money between 0::money and 2::money
?column?:bool
t
SELECT 1

> select '-0.01'::money, '0.005'::money, '0.004'::money, '-0.005'::money, '12.3 $'::money, '12.3 )'::money, '1 2'::money
ERROR 22P02: invalid input syntax for type money: "1 2"

> select '92233720368547758.07'::money + '0.01'
ERROR 22003: money out of range

> select sum(x) from (values ('1'::money), ('2.25')) v(x)
sum:money
$3.25
SELECT 1
