# Text search configurations and dictionaries of users' own: what is made, changed, named, used and dropped.
> create text search configuration c1 (copy = french)
CREATE TEXT SEARCH CONFIGURATION

> create text search configuration c1 (copy = nosuch)
ERROR 42704: text search configuration "nosuch" does not exist

> create text search configuration c1 (parser = nosuch)
ERROR 42704: text search parser "nosuch" does not exist

> create text search configuration c1 (foo = nosuch)
ERROR 42601: text search configuration parameter "foo" not recognized

> create text search configuration c2 (parser = default, copy = french)
ERROR 42601: cannot specify both PARSER and COPY options

> create text search configuration c2 (copy)
ERROR 42601: copy requires a parameter

> create text search configuration c2 ()
ERROR 42601: syntax error at or near ")"

> create text search configuration nos.c2 (copy = french)
ERROR 3F000: schema "nos" does not exist

> create text search configuration c2 (parser = "default")
CREATE TEXT SEARCH CONFIGURATION

> create text search dictionary d1 (template = simple)
CREATE TEXT SEARCH DICTIONARY

> create text search dictionary d2 (template = nosuch)
ERROR 42704: text search template "nosuch" does not exist

> create text search dictionary d2 (stopwords = english)
ERROR 42P17: text search template is required

> create text search dictionary d2 (template = simple, stopwords = english, stopwords = french)
ERROR 22023: multiple StopWords parameters

> create text search dictionary d2 (template = simple, stopwords = nosuch)
ERROR F0000: could not open stop-word file "/usr/share/postgresql/15/tsearch_data/nosuch.stop": No such file or directory

> create text search dictionary d2 (template = simple, stopwords = 'No/such')
ERROR 22023: invalid text search configuration file name "No/such"

> create text search dictionary d2 (template = simple, accept = maybe)
ERROR 42601: accept requires a Boolean value

> create text search dictionary d2 (template = simple, accept = false, stopwords = english)
CREATE TEXT SEARCH DICTIONARY

> create text search dictionary d3 (template = snowball)
ERROR 22023: missing Language parameter

> create text search dictionary d3 (template = snowball, language = klingon)
ERROR 42704: no Snowball stemmer available for language "klingon" and encoding "UTF8"

> create text search dictionary d3 (template = snowball, Language = english, "StopWords" = english)
ERROR 22023: unrecognized Snowball parameter: "StopWords"

> create text search dictionary d3 (template = snowball, Language = english, x = 5)
ERROR 22023: unrecognized Snowball parameter: "x"

> create text search dictionary d3 (template = snowball, Language = english, stopwords)
ERROR 42601: stopwords requires a parameter

> create text search dictionary d3 (template = snowball, Language = "English")
CREATE TEXT SEARCH DICTIONARY

> select dictname, tmplname, dictinitoption from pg_ts_dict d join pg_ts_template t on t.oid = dicttemplate where d.oid > 16383 order by 1
dictname:name | tmplname:name | dictinitoption:text
d1 | simple | NULL
d2 | simple | accept = 'false', stopwords = 'english'
d3 | snowball | language = 'English'
SELECT 3

> alter text search dictionary d2 (accept = true)
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary d2 (accept = 7)
ERROR 42601: accept requires a Boolean value

> alter text search dictionary d2 (accept = 1)
ALTER TEXT SEARCH DICTIONARY

> select dictname, dictinitoption from pg_ts_dict where oid > 16383 order by 1
dictname:name | dictinitoption:text
d1 | NULL
d2 | stopwords = 'english', accept = 1
d3 | language = 'English'
SELECT 3

> alter text search dictionary d2 (stopwords)
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary d2 (accept, foo)
ALTER TEXT SEARCH DICTIONARY

> select dictname, dictinitoption from pg_ts_dict where oid > 16383 order by 1
dictname:name | dictinitoption:text
d1 | NULL
d2 | NULL
d3 | language = 'English'
SELECT 3

> alter text search dictionary nosuch (accept)
ERROR 42704: text search dictionary "nosuch" does not exist

> alter text search configuration c1 alter mapping for word, hword, word with d2, french_stem
ALTER TEXT SEARCH CONFIGURATION

> alter text search configuration c1 alter mapping for nosuch with d2, french_stem
ERROR 22023: token type "nosuch" does not exist

> alter text search configuration c1 alter mapping for word with nosuch, french_stem
ERROR 42704: text search dictionary "nosuch" does not exist

> alter text search configuration nosuch alter mapping for word with d2
ERROR 42704: text search configuration "nosuch" does not exist

> alter text search configuration c1 drop mapping for tag
ERROR 42704: mapping for token type "tag" does not exist

> alter text search configuration c1 drop mapping if exists for tag, protocol
NOTICE 00000: mapping for token type "tag" does not exist, skipping
NOTICE 00000: mapping for token type "protocol" does not exist, skipping
ALTER TEXT SEARCH CONFIGURATION

> alter text search configuration c1 drop mapping if exists for nosuch
ERROR 22023: token type "nosuch" does not exist

> alter text search configuration c2 add mapping for word, asciiword with d2, d3
ALTER TEXT SEARCH CONFIGURATION

> alter text search configuration c2 drop mapping for word
ALTER TEXT SEARCH CONFIGURATION

> select cfgname, maptokentype, mapseqno, mapdict::regdictionary from pg_ts_config_map m join pg_ts_config c on c.oid = mapcfg where cfgname in ('c1', 'c2') order by 1, 2, 3
cfgname:name | maptokentype:int4 | mapseqno:int4 | mapdict:regdictionary
c1 | 1 | 1 | french_stem
c1 | 2 | 1 | d2
c1 | 2 | 2 | french_stem
c1 | 3 | 1 | simple
c1 | 4 | 1 | simple
c1 | 5 | 1 | simple
c1 | 6 | 1 | simple
c1 | 7 | 1 | simple
c1 | 8 | 1 | simple
c1 | 9 | 1 | simple
c1 | 10 | 1 | french_stem
c1 | 11 | 1 | french_stem
c1 | 15 | 1 | simple
c1 | 16 | 1 | french_stem
c1 | 17 | 1 | d2
c1 | 17 | 2 | french_stem
c1 | 18 | 1 | simple
c1 | 19 | 1 | simple
c1 | 20 | 1 | simple
c1 | 21 | 1 | simple
c1 | 22 | 1 | simple
c2 | 1 | 1 | d2
c2 | 1 | 2 | d3
SELECT 23

> drop text search dictionary d2
ERROR 2BP01: cannot drop text search dictionary d2 because other objects depend on it
DETAIL: text search configuration c1 depends on text search dictionary d2\ntext search configuration c2 depends on text search dictionary d2
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> create table t (a text, v tsvector generated always as (to_tsvector('c1', a)) stored)
CREATE TABLE

> create index ti on t using gin (to_tsvector('public.c1', a))
CREATE INDEX

> create view tv as select to_tsvector('c1', a) x from t
CREATE VIEW

> create table u (a regconfig default 'c1', b regdictionary, c text, check (b <> 'd2'), check (to_tsvector('c1'::regconfig, c) @@ 'x'))
ERROR 22P02: invalid input syntax for type oid: "d2"

> drop text search configuration c1
ERROR 2BP01: cannot drop text search configuration c1 because other objects depend on it
DETAIL: column v of table t depends on text search configuration c1\nindex ti depends on text search configuration c1\nview tv depends on text search configuration c1
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> select pg_get_expr(adbin, adrelid) from pg_attrdef order by adrelid, adnum
pg_get_expr:text
to_tsvector('c1'::regconfig, a)
SELECT 1

> select pg_get_viewdef('tv'), pg_get_indexdef('ti'::regclass)
pg_get_viewdef:text | pg_get_indexdef:text
 SELECT to_tsvector('c1'::regconfig, t.a) AS x\n   FROM t; | CREATE INDEX ti ON public.t USING gin (to_tsvector('c1'::regconfig, a))
SELECT 1

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'u'::regclass order by 1
ERROR 42P01: relation "u" does not exist

> insert into t values ('les mers')
INSERT 0 1

> select * from t
a:text | v:tsvector
les mers | 'le':1 'mer':2
SELECT 1

> alter text search configuration c1 rename to "C 1"
ALTER TEXT SEARCH CONFIGURATION

> select pg_get_expr(adbin, adrelid) from pg_attrdef order by adrelid, adnum
pg_get_expr:text
to_tsvector('"C 1"'::regconfig, a)
SELECT 1

> select pg_get_viewdef('tv'), pg_get_indexdef('ti'::regclass)
pg_get_viewdef:text | pg_get_indexdef:text
 SELECT to_tsvector('"C 1"'::regconfig, t.a) AS x\n   FROM t; | CREATE INDEX ti ON public.t USING gin (to_tsvector('"C 1"'::regconfig, a))
SELECT 1

> insert into t values ('les mers') returning v
v:tsvector
'le':1 'mer':2
INSERT 0 1

> alter text search configuration "C 1" rename to c2
ERROR 42710: text search configuration "c2" already exists in schema "public"

> alter text search configuration "C 1" rename to c1
ALTER TEXT SEARCH CONFIGURATION

> create schema s
CREATE SCHEMA

> alter text search configuration c1 set schema s
ALTER TEXT SEARCH CONFIGURATION

> select pg_get_viewdef('tv'), pg_get_indexdef('ti'::regclass)
pg_get_viewdef:text | pg_get_indexdef:text
 SELECT to_tsvector('s.c1'::regconfig, t.a) AS x\n   FROM t; | CREATE INDEX ti ON public.t USING gin (to_tsvector('s.c1'::regconfig, a))
SELECT 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef order by adrelid, adnum
pg_get_expr:text
to_tsvector('s.c1'::regconfig, a)
SELECT 1

> alter text search configuration s.c1 set schema public
ALTER TEXT SEARCH CONFIGURATION

> drop text search dictionary d2 cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to text search configuration c1\ndrop cascades to column v of table t\ndrop cascades to index ti\ndrop cascades to view tv\ndrop cascades to text search configuration c2
DROP TEXT SEARCH DICTIONARY

> select attname from pg_attribute where attrelid = 't'::regclass and attnum > 0 and not attisdropped
attname:name
a
SELECT 1

> select conname from pg_constraint where conrelid = 'u'::regclass
ERROR 42P01: relation "u" does not exist

> drop text search configuration if exists c1, no.c1
NOTICE 00000: text search configuration "c1" does not exist, skipping
NOTICE 00000: schema "no" does not exist, skipping
DROP TEXT SEARCH CONFIGURATION

> drop text search configuration c1
ERROR 42704: text search configuration "c1" does not exist

> drop text search configuration no.c1
ERROR 3F000: schema "no" does not exist

> drop text search template simple
ERROR 2BP01: cannot drop text search template simple because it is required by the database system

> drop text search parser "default"
ERROR 2BP01: cannot drop text search parser "default" because it is required by the database system

> alter text search dictionary d1 rename to d3
ERROR 42710: text search dictionary "d3" already exists in schema "public"

> alter text search dictionary d1 rename to d2
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary d2 set schema s
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary d2 set schema s
ERROR 42704: text search dictionary "d2" does not exist

> alter text search dictionary s.d2 set schema s
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary s.d2 set schema nowhere
ERROR 3F000: schema "nowhere" does not exist

# privileges
> create role ts_owner
CREATE ROLE

> create text search configuration s.c9 (copy = english)
CREATE TEXT SEARCH CONFIGURATION

> alter text search dictionary s.d2 owner to ts_owner
ALTER TEXT SEARCH DICTIONARY

> set role ts_owner
SET

> alter text search configuration s.c9 rename to x
ERROR 42501: permission denied for schema s

> reset role
RESET

> grant usage on schema s to ts_owner
GRANT

> set role ts_owner
SET

> alter text search configuration s.c9 rename to x
ERROR 42501: must be owner of text search configuration c9

> alter text search configuration s.c9 owner to ts_owner
ERROR 42501: must be owner of text search configuration c9

> drop text search configuration s.c9
ERROR 42501: must be owner of text search configuration s.c9

> comment on text search configuration s.c9 is 'x'
ERROR 42501: must be owner of text search configuration s.c9

> create text search configuration s.c8 (copy = english)
ERROR 42501: permission denied for schema s

> alter text search configuration s.c9 add mapping for word with simple
ERROR 42501: must be owner of text search configuration s.c9

> alter text search dictionary s.d2 (accept)
ALTER TEXT SEARCH DICTIONARY

> alter text search dictionary s.d2 rename to d9
ERROR 42501: permission denied for schema s

> comment on text search parser "default" is 'x'
ERROR 42501: must be superuser

> alter text search dictionary french_stem (stopwords)
ERROR 42501: must be owner of text search dictionary french_stem

> reset role
RESET

> comment on text search configuration s.c9 is 'nine'
COMMENT

> comment on text search configuration s.nosuch is 'x'
ERROR 42704: text search configuration "s.nosuch" does not exist

> comment on text search dictionary french_stem is 'stems'
COMMENT

> comment on text search parser "default" is 'parses'
COMMENT

> comment on text search template simple is 'simply'
COMMENT

> select obj_description('s.c9'::regconfig, 'pg_ts_config'), obj_description('french_stem'::regdictionary, 'pg_ts_dict'), obj_description(3722, 'pg_ts_parser'), obj_description(3727, 'pg_ts_template'), obj_description('german'::regconfig, 'pg_ts_config')
obj_description:text | obj_description:text | obj_description:text | obj_description:text | obj_description:text
nine | stems | parses | simply | configuration for german language
SELECT 1

> revoke all on schema s from ts_owner
REVOKE

> drop role ts_owner
ERROR 2BP01: role "ts_owner" cannot be dropped because some objects depend on it
DETAIL: owner of text search dictionary s.d2

> reassign owned by ts_owner to postgres
REASSIGN OWNED

> drop role ts_owner
DROP ROLE

# names
> select 's.c9'::regconfig, 's.d2'::regdictionary, 'english'::regconfig::oid, 's.c9'::text::regconfig, 's.c9'::regconfig::text, 3748::regconfig, 999999::regconfig
regconfig:regconfig | regdictionary:regdictionary | oid:oid | regconfig:regconfig | text:text | regconfig:regconfig | regconfig:regconfig
s.c9 | s.d2 | 13164 | s.c9 | s.c9 | simple | 999999
SELECT 1

> select 'nosuch'::regconfig
ERROR 42704: text search configuration "nosuch" does not exist

> select 'no.c9'::regconfig
ERROR 3F000: schema "no" does not exist

> select 'a.b.c.d'::regconfig
ERROR 42601: improper qualified name (too many dotted names): a.b.c.d

> select 'a.b.c'::regconfig
ERROR 0A000: cross-database references are not implemented: a.b.c

> select to_tsvector('s.c9', 'the foxes')
to_tsvector:tsvector
'fox':2
SELECT 1

> set search_path = s, public
SET

> select 's.c9'::regconfig, 's.d2'::regdictionary
regconfig:regconfig | regdictionary:regdictionary
c9 | d2
SELECT 1

> create text search configuration english (copy = simple)
CREATE TEXT SEARCH CONFIGURATION

> select 'english'::regconfig, 's.english'::regconfig, to_tsvector('english', 'the foxes'), to_tsvector('s.english', 'the foxes')
regconfig:regconfig | regconfig:regconfig | to_tsvector:tsvector | to_tsvector:tsvector
english | s.english | 'fox':2 | 'foxes':2 'the':1
SELECT 1

> select cfgname, pg_ts_config_is_visible(oid) from pg_ts_config where oid > 16383 order by 1
cfgname:name | pg_ts_config_is_visible:bool
c9 | t
english | f
SELECT 2

> set search_path = s, public, pg_catalog
SET

> select 'english'::regconfig, 'pg_catalog.english'::regconfig, to_tsvector('english', 'the foxes')
regconfig:regconfig | regconfig:regconfig | to_tsvector:tsvector
english | pg_catalog.english | 'foxes':2 'the':1
SELECT 1

> reset search_path
RESET

> set default_text_search_config = 's.c9'
SET

> show default_text_search_config
default_text_search_config:text
s.c9
SHOW

> select to_tsvector('foxes'), get_current_ts_config()
to_tsvector:tsvector | get_current_ts_config:regconfig
'fox':1 | s.c9
SELECT 1

> set default_text_search_config = 'nosuch'
ERROR 22023: invalid value for parameter "default_text_search_config": "nosuch"

> set default_text_search_config = 'english'
SET

> show default_text_search_config
default_text_search_config:text
pg_catalog.english
SHOW

> select to_tsvector(999999, 'x')
ERROR XX000: cache lookup failed for text search configuration 999999

> select ts_lexize(999999, 'x')
ERROR XX000: cache lookup failed for text search dictionary 999999

> drop schema s cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to text search dictionary s.d2\ndrop cascades to text search configuration s.c9\ndrop cascades to text search configuration s.english
DROP SCHEMA

# unaccent
> create extension unaccent
CREATE EXTENSION

> create text search configuration fr (copy = french)
CREATE TEXT SEARCH CONFIGURATION

> alter text search configuration fr alter mapping for hword, hword_part, word with unaccent, french_stem
ALTER TEXT SEARCH CONFIGURATION

> select to_tsvector('fr', 'Hôtel'), to_tsquery('fr', 'Hôtels'), plainto_tsquery('fr', 'Hôtels de la mer'), phraseto_tsquery('fr', 'Hôtels de la mer'), websearch_to_tsquery('fr', '"Hôtels de la" mer -élan')
to_tsvector:tsvector | to_tsquery:tsquery | plainto_tsquery:tsquery | phraseto_tsquery:tsquery | websearch_to_tsquery:tsquery
'hotel':1 | 'hotel' | 'hotel' & 'mer' | 'hotel' <3> 'mer' | 'hotel' & 'mer' & !'elan'
SELECT 1

> select ts_headline('fr', 'Les Hôtels de la mer', to_tsquery('fr', 'hotel'))
ts_headline:text
Les <b>Hôtels</b> de la mer
SELECT 1

> select * from ts_debug('fr', 'Hôtel été a.b@c.de')
alias:text | description:text | token:text | dictionaries:_regdictionary | dictionary:regdictionary | lexemes:_text
word | Word, all letters | Hôtel | {unaccent,french_stem} | unaccent | {Hotel}
blank | Space symbols |   | {} | NULL | NULL
word | Word, all letters | été | {unaccent,french_stem} | unaccent | {ete}
blank | Space symbols |   | {} | NULL | NULL
email | Email address | a.b@c.de | {simple} | simple | {a.b@c.de}
SELECT 5

> select ts_lexize('unaccent', 'Hôtel'), ts_lexize('unaccent', 'x'), ts_lexize('french_stem', 'de'), unaccent('unaccent', 'Été'), unaccent('Été')
ts_lexize:_text | ts_lexize:_text | ts_lexize:_text | unaccent:text | unaccent:text
{Hotel} | NULL | {} | Ete | Ete
SELECT 1

> create table posts (id int primary key, body text, v tsvector generated always as (to_tsvector('fr', coalesce(body, ''))) stored)
CREATE TABLE

> create index posts_v on posts using gin (v)
CREATE INDEX

> create index posts_b on posts using gin (to_tsvector('fr', body))
CREATE INDEX

> insert into posts values (1, 'L''Hôtel de la Plage'), (2, 'La plage'), (3, null)
INSERT 0 3

> select id, v from posts where v @@ plainto_tsquery('fr', 'hotel plages') order by 1
id:int4 | v:tsvector
1 | 'hotel':2 'plag':5
SELECT 1

> select id from posts where to_tsvector('fr', body) @@ to_tsquery('fr', 'plagé') order by 1
id:int4
1
2
SELECT 2

> drop text search dictionary unaccent
ERROR 2BP01: cannot drop text search dictionary unaccent because extension unaccent requires it
HINT: You can drop extension unaccent instead.

> drop extension unaccent
ERROR 2BP01: cannot drop extension unaccent because other objects depend on it
DETAIL: text search configuration fr depends on text search dictionary unaccent\ncolumn v of table posts depends on text search configuration fr\nindex posts_b depends on text search configuration fr
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter text search configuration fr alter mapping replace unaccent with simple
ALTER TEXT SEARCH CONFIGURATION

> select to_tsvector('fr', 'Hôtel')
to_tsvector:tsvector
'hôtel':1
SELECT 1

> insert into posts values (4, 'Hôtel') returning v
v:tsvector
'hôtel':1
INSERT 0 1

> alter text search configuration fr alter mapping for word, hword replace simple with french_stem
ALTER TEXT SEARCH CONFIGURATION

> select to_tsvector('fr', 'Hôtels')
to_tsvector:tsvector
'hôtel':1
SELECT 1

> drop extension unaccent
DROP EXTENSION

> create extension unaccent
CREATE EXTENSION

> create text search dictionary myun (template = unaccent, rules = 'unaccent')
CREATE TEXT SEARCH DICTIONARY

> create text search dictionary myun2 (template = unaccent, rules = 'foo')
ERROR F0000: could not open unaccent file "/usr/share/postgresql/15/tsearch_data/foo.rules": No such file or directory

> create text search dictionary myun2 (template = unaccent)
ERROR 22023: missing Rules parameter

> alter text search configuration fr alter mapping for hword, hword_part, word with myun, french_stem
ALTER TEXT SEARCH CONFIGURATION

> select to_tsvector('fr', 'Hôtels')
to_tsvector:tsvector
'hotel':1
SELECT 1

> drop extension unaccent
ERROR 2BP01: cannot drop extension unaccent because other objects depend on it
DETAIL: text search dictionary myun depends on text search template unaccent\ntext search configuration fr depends on text search dictionary myun\ncolumn v of table posts depends on text search configuration fr\nindex posts_b depends on text search configuration fr
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop extension unaccent cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to text search dictionary myun\ndrop cascades to text search configuration fr\ndrop cascades to column v of table posts\ndrop cascades to index posts_b
DROP EXTENSION

> select to_tsvector('fr', 'Hôtel')
ERROR 42704: text search configuration "fr" does not exist

> select attname from pg_attribute where attrelid = 'posts'::regclass and attnum > 0 and not attisdropped
attname:name
id
body
SELECT 2

# within transactions
> create text search configuration cc (copy = english)
CREATE TEXT SEARCH CONFIGURATION

> create text search dictionary stoppy (template = simple, accept = false, stopwords = english)
CREATE TEXT SEARCH DICTIONARY

> begin
BEGIN

> alter text search configuration cc alter mapping for asciiword with stoppy
ALTER TEXT SEARCH CONFIGURATION

> select to_tsvector('cc', 'the foxes and a cat 12 22'), to_tsquery('cc', 'cat | 12')
to_tsvector:tsvector | to_tsquery:tsquery
'12':4 '22':5 | '12'
SELECT 1

> rollback
ROLLBACK

> select to_tsvector('cc', 'the foxes and a cat 12 22')
to_tsvector:tsvector
'12':6 '22':7 'cat':5 'fox':2
SELECT 1

> alter text search configuration cc alter mapping for asciiword with stoppy
ALTER TEXT SEARCH CONFIGURATION

> select * from ts_debug('cc', 'the foxes 12')
alias:text | description:text | token:text | dictionaries:_regdictionary | dictionary:regdictionary | lexemes:_text
asciiword | Word, all ASCII | the | {stoppy} | stoppy | {}
blank | Space symbols |   | {} | NULL | NULL
asciiword | Word, all ASCII | foxes | {stoppy} | stoppy | NULL
blank | Space symbols |   | {} | NULL | NULL
uint | Unsigned integer | 12 | {simple} | simple | {12}
SELECT 5

> select ts_headline('cc', 'the foxes 12 cat', '12')
ERROR 42725: function ts_headline(unknown, unknown, unknown) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> drop text search configuration cc
DROP TEXT SEARCH CONFIGURATION

> drop text search dictionary stoppy
DROP TEXT SEARCH DICTIONARY

> create table rc (a regconfig, b regdictionary[])
CREATE TABLE

> insert into rc values ('c2', '{simple,d3}')
ERROR 42704: text search configuration "c2" does not exist

> select * from rc
a:regconfig | b:_regdictionary
SELECT 0

