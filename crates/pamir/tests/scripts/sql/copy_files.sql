# Files of the server: who may, and what cannot be opened.
> create table copy_files (a int)
CREATE TABLE

> copy copy_files to 'relative'
ERROR 42602: relative path not allowed for COPY to file

> copy copy_files to '/no such directory/file'
ERROR 58P01: could not open file "/no such directory/file" for writing: No such file or directory
HINT: COPY TO instructs the PostgreSQL server process to write a file. You may want a client-side facility such as psql's \copy.

> copy copy_files from '/no such file'
ERROR 58P01: could not open file "/no such file" for reading: No such file or directory
HINT: COPY FROM instructs the PostgreSQL server process to read a file. You may want a client-side facility such as psql's \copy.

> copy copy_files from '/'
ERROR 42809: "/" is a directory

> copy copy_files to '/'
ERROR 42809: could not open file "/" for writing: Is a directory

> copy copy_files to '/dev/null'
COPY 0

> copy copy_files from '/dev/null'
COPY 0

> create role copy_reader in role pg_read_server_files
CREATE ROLE

> create role copy_nobody
CREATE ROLE

> grant all on copy_files to copy_reader, copy_nobody
GRANT

> set role copy_nobody
SET

> copy copy_files to '/dev/null'
ERROR 42501: must be superuser or have privileges of the pg_write_server_files role to COPY to a file
HINT: Anyone can COPY to stdout or from stdin. psql's \copy command also works for anyone.

> copy copy_files from '/dev/null'
ERROR 42501: must be superuser or have privileges of the pg_read_server_files role to COPY from a file
HINT: Anyone can COPY to stdout or from stdin. psql's \copy command also works for anyone.

> set role copy_reader
SET

> copy copy_files to '/dev/null'
ERROR 42501: must be superuser or have privileges of the pg_write_server_files role to COPY to a file
HINT: Anyone can COPY to stdout or from stdin. psql's \copy command also works for anyone.

> copy copy_files from '/dev/null'
COPY 0

> reset role
RESET

> drop table copy_files
DROP TABLE

> drop role copy_reader, copy_nobody
DROP ROLE
