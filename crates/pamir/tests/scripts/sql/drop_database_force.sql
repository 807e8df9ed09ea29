# WITH (FORCE) ends the sessions of the database, but no transaction that is prepared in it.
> create database forced
CREATE DATABASE

> drop database forced with (force)
DROP DATABASE

> drop database if exists forced (force)
NOTICE 00000: database "forced" does not exist, skipping
DROP DATABASE

> drop database forced with (force)
ERROR 3D000: database "forced" does not exist
