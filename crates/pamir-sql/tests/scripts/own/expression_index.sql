create table member (id int primary key, mail varchar(60), name text, code char(8), n int);
insert into member select g, 'User' || g || '@Example.org', 'Name' || g, 'C' || g, g from generate_series(1, 3000) g;
create index member_mail on member (lower(mail));
create unique index member_code on member (upper(code));
create index member_name on member (lower(name), n);
analyze;
-- The index keeps lower((mail)::text): a cast that converts nothing is the same whether it was written or not.
explain (costs off) select id from member where lower(mail) = 'user7@example.org';
explain (costs off) select id from member where lower(mail::text) = 'user7@example.org';
explain (costs off) select id from member where lower(cast(mail as varchar)) = 'user7@example.org';
select id from member where lower(mail) = 'user7@example.org';
explain (costs off) select id from member where upper(code) = 'C12';
select id from member where upper(code) = 'C12';
explain (costs off) select id from member where lower(name) = 'name5' and n > 2;
-- One that converts is not.
explain (costs off) select id from member where lower(mail::varchar(4)) = 'user';
select count(*) from member where lower(mail::varchar(4)) = 'user';
explain (costs off) update member set n = 0 where lower(mail) = 'user9@example.org';
