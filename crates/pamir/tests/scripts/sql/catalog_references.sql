# What one catalog says of another is there: sqlsmith and other programs join them by number. Every answer is no row, with and without an extension.
> select proname from pg_proc where prorettype not in (select oid from pg_type)
proname:name
SELECT 0

> select proname from pg_proc p, unnest(proargtypes) t where t not in (select oid from pg_type)
proname:name
SELECT 0

> select proname from pg_proc where pronamespace not in (select oid from pg_namespace) or prolang not in (select oid from pg_language)
proname:name
SELECT 0

> select oprname from pg_operator where oprresult <> 0 and oprresult not in (select oid from pg_type)
oprname:name
SELECT 0

> select oprname from pg_operator where oprleft <> 0 and oprleft not in (select oid from pg_type) or oprright <> 0 and oprright not in (select oid from pg_type)
oprname:name
SELECT 0

> select oprname from pg_operator where oprcode <> 0 and oprcode not in (select oid from pg_proc)
oprname:name
SELECT 0

> select castsource, casttarget from pg_cast where castsource not in (select oid from pg_type) or casttarget not in (select oid from pg_type) or castfunc <> 0 and castfunc not in (select oid from pg_proc)
castsource:oid | casttarget:oid
SELECT 0

> select aggfnoid from pg_aggregate where aggfnoid not in (select oid from pg_proc)
aggfnoid:regproc
SELECT 0

> select aggfnoid from pg_aggregate where aggtranstype not in (select oid from pg_type)
aggfnoid:regproc
SELECT 0

> select typname from pg_type where typelem <> 0 and typelem not in (select oid from pg_type) or typarray <> 0 and typarray not in (select oid from pg_type)
typname:name
SELECT 0

> select typname from pg_type where typrelid <> 0 and typrelid not in (select oid from pg_class)
typname:name
SELECT 0

> select attname from pg_attribute where attrelid not in (select oid from pg_class)
attname:name
SELECT 0

> select attname from pg_attribute where atttypid <> 0 and atttypid not in (select oid from pg_type)
attname:name
SELECT 0

> select indexrelid from pg_index where indexrelid not in (select oid from pg_class) or indrelid not in (select oid from pg_class)
indexrelid:oid
SELECT 0

> select opfname from pg_opfamily where opfmethod not in (select oid from pg_am)
opfname:name
SELECT 0

> select opcname from pg_opclass where opcfamily not in (select oid from pg_opfamily) or opcintype not in (select oid from pg_type)
opcname:name
SELECT 0

> select amopopr from pg_amop where amopfamily not in (select oid from pg_opfamily) or amopopr not in (select oid from pg_operator)
amopopr:oid
SELECT 0

> select amproc from pg_amproc where amprocfamily not in (select oid from pg_opfamily) or amproc not in (select oid from pg_proc)
amproc:regproc
SELECT 0

> select rngtypid from pg_range where rngtypid not in (select oid from pg_type) or rngsubtype not in (select oid from pg_type)
rngtypid:oid
SELECT 0

> select conname from pg_constraint where conrelid <> 0 and conrelid not in (select oid from pg_class)
conname:name
SELECT 0

> select relname from pg_class where reltype <> 0 and reltype not in (select oid from pg_type) or relnamespace not in (select oid from pg_namespace)
relname:name
SELECT 0

> create extension citext
CREATE EXTENSION

> create extension hstore
CREATE EXTENSION

> select proname from pg_proc where prorettype not in (select oid from pg_type)
proname:name
SELECT 0

> select proname from pg_proc p, unnest(proargtypes) t where t not in (select oid from pg_type)
proname:name
SELECT 0

> select proname from pg_proc where pronamespace not in (select oid from pg_namespace) or prolang not in (select oid from pg_language)
proname:name
SELECT 0

> select oprname from pg_operator where oprresult <> 0 and oprresult not in (select oid from pg_type)
oprname:name
SELECT 0

> select oprname from pg_operator where oprleft <> 0 and oprleft not in (select oid from pg_type) or oprright <> 0 and oprright not in (select oid from pg_type)
oprname:name
SELECT 0

> select oprname from pg_operator where oprcode <> 0 and oprcode not in (select oid from pg_proc)
oprname:name
SELECT 0

> select castsource, casttarget from pg_cast where castsource not in (select oid from pg_type) or casttarget not in (select oid from pg_type) or castfunc <> 0 and castfunc not in (select oid from pg_proc)
castsource:oid | casttarget:oid
SELECT 0

> select aggfnoid from pg_aggregate where aggfnoid not in (select oid from pg_proc)
aggfnoid:regproc
SELECT 0

> select aggfnoid from pg_aggregate where aggtranstype not in (select oid from pg_type)
aggfnoid:regproc
SELECT 0

> select typname from pg_type where typelem <> 0 and typelem not in (select oid from pg_type) or typarray <> 0 and typarray not in (select oid from pg_type)
typname:name
SELECT 0

> select typname from pg_type where typrelid <> 0 and typrelid not in (select oid from pg_class)
typname:name
SELECT 0

> drop extension citext, hstore
DROP EXTENSION
