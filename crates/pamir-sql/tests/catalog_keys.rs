//! Rows of catalogs that are found by a key are those that a walk finds: for every key of [`pamir_catalog::system::KEYS`] and every value of it, by a constant, by a
//! join, by EXISTS, and none for NULL.
use pamir_catalog::system::{KEYS, all};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something of each kind that catalogs have rows of.
const OBJECTS: &str = "
create schema other;
create table t (id serial primary key, a int check (a > 0), b text default 'x' unique, c int generated always as identity, d numeric generated always as (a * 2) stored);
create table other.t (id int references public.t, x int[]);
create index on t (lower(b)) where a > 5;
create view v as select id, a from t where b is not null;
create materialized view m as select count(*) as n from t;
create index on m (n);
create type pair as (x int, y text);
create type colour as enum ('red', 'blue');
create domain small as int constraint is_small check (value < 10);
create type span as range (subtype = int4);
create table parted (k int, v text) partition by range (k);
create table parted_1 partition of parted for values from (0) to (10);
create sequence other.s;
create function f(int) returns int language sql as 'select 1';
create function other.f(text) returns text language sql as 'select $1';
create function trg() returns trigger language plpgsql as 'begin return new; end';
create constraint trigger late after insert on t deferrable for each row execute function trg();
create aggregate total(int) (sfunc = int4pl, stype = int);
create temp table t (only_here int primary key);
create function pg_temp.f() returns int language sql as 'select 2';
";

fn ask(s: &mut Session, sql: &str) -> Vec<String> {
    transcript::run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}")).rows("null")
}
fn one(s: &mut Session, sql: &str) -> String {
    ask(s, sql).join("\n")
}

#[test]
fn rows_by_key_are_those_of_a_walk() {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let mut s = transcript::start(&Database::open(shard).expect("database"), "postgres").expect("session");
    for statement in OBJECTS.split(";\n").map(str::trim).filter(|t| !t.is_empty()) {
        ask(&mut s, statement);
    }
    ask(&mut s, "create temp table wanted (v text)");
    let mut values = 0;
    for (table, keys) in KEYS {
        let t = all().iter().find(|t| t.name == *table).expect("a table of the list");
        for key in *keys {
            let column = t.columns.iter().find(|c| c.0 == *key).expect("a column of the table");
            let ty = if column.1.oid == pamir_types::oid::OID { "oid" } else { "name" };
            let (from, rows) = (format!("{}.{table} x", t.schema), "md5(string_agg(x::text, '|' order by x::text))");
            let of_walk = ask(
                &mut s,
                &format!(
                    "select {key}::text || '=' || {rows} || count(*) from {from} where {key} is not null group by {key}"
                ),
            );
            let of_walk: BTreeMap<&str, &str> = of_walk.iter().filter_map(|l| l.rsplit_once('=')).collect();
            assert!(!of_walk.is_empty(), "{table} has no rows");
            ask(&mut s, "truncate wanted");
            ask(&mut s, &format!("insert into wanted select distinct {key}::text from {from} where {key} is not null"));
            // Users' own, and a few of the server's.
            for (n, (value, found)) in of_walk.iter().enumerate() {
                let own = ty == "oid" && value.parse::<u32>().is_ok_and(|o| o == 0 || o >= 16384);
                if !own && n % 25 != 0 && !["t", "v", "m", "f", "s", "pair", "_pair", "small", "total"].contains(value)
                {
                    continue;
                }
                values += 1;
                let by_key =
                    one(&mut s, &format!("select {rows} || count(*) from {from} where {key} = '{value}'::{ty}"));
                assert_eq!(by_key, *found, "{table} where {key} = {value}");
            }
            let all = one(&mut s, &format!("select count(*) from {from} where {key} is not null"));
            let joined = one(&mut s, &format!("select count(*) from wanted w join {from} on x.{key} = w.v::{ty}"));
            let kept = one(&mut s, &format!("select count(*) from wanted w left join {from} on x.{key} = w.v::{ty}"));
            let there = one(
                &mut s,
                &format!("select count(*) from wanted w where exists (select from {from} where x.{key} = w.v::{ty})"),
            );
            let null = one(&mut s, &format!("select count(*) from {from} where {key} = null::{ty}"));
            assert_eq!((joined, kept, there), (all.clone(), all, of_walk.len().to_string()), "{table} joined by {key}");
            assert_eq!(null, "0", "{table} where {key} = NULL");
            // Several at once, one of them twice.
            let some: Vec<String> =
                of_walk.keys().take(40).chain(of_walk.keys().take(1)).map(|v| format!("'{v}'")).collect();
            let some = some.join(", ");
            let any =
                one(&mut s, &format!("select {rows} || count(*) from {from} where {key} = any(array[{some}]::{ty}[])"));
            let within = one(&mut s, &format!("select {rows} || count(*) from {from} where {key} in ({some})"));
            let walked = one(&mut s, &format!("select {rows} || count(*) from {from} where {key}::text in ({some})"));
            assert_eq!((&any, &within), (&walked, &walked), "{table} where {key} is one of several");
            // ... in an OR's arms, which have conditions of their own: a value, an array's items, NULLs.
            let arms: Vec<String> = of_walk.keys().take(40).map(|v| format!("{key} = '{v}'")).collect();
            let either = one(&mut s, &format!("select {rows} || count(*) from {from} where {}", arms.join(" or ")));
            assert_eq!(either, walked, "{table} where {key} is in one of several arms");
            let arms = |key: &str| {
                format!("(w.one is not null and {key} = w.one) or (w.several is not null and {key} = any (w.several))")
            };
            let (keyed, walking) = (arms(&format!("x.{key}")), arms(&format!("(x.{key}::text)::{ty}")));
            ask(&mut s, "drop table if exists pairs");
            ask(&mut s, &format!("create temp table pairs (one {ty}, several {ty}[])"));
            ask(
                &mut s,
                &format!(
                    "insert into pairs select v::{ty}, case when n % 3 <> 0 then array[v, lead(v) over (order by v), null]::{ty}[] end from (select v, row_number() over (order by v) n from wanted limit 30) q"
                ),
            );
            ask(&mut s, "insert into pairs values (null, null), (null, '{}')");
            for join in ["join", "left join"] {
                let ask_by = |on: &str| {
                    format!(
                        "select count(*), count(x.{key}), md5(string_agg(x::text, '|' order by x::text)) from pairs w {join} {from} on {on}"
                    )
                };
                assert_eq!(
                    one(&mut s, &ask_by(&keyed)),
                    one(&mut s, &ask_by(&walking)),
                    "{table} {join} by arms of {key}"
                );
            }
        }
        // All keys of the table at once.
        let t = format!("{}.{table}", t.schema);
        let on: Vec<String> = keys.iter().map(|k| format!("b.{k} = a.{k}")).collect();
        let both = one(
            &mut s,
            &format!(
                "select count(*) from (select distinct {} from {t}) a join {t} b on {}",
                keys.join(", "),
                on.join(" and ")
            ),
        );
        assert_eq!(both, one(&mut s, &format!("select count(*) from {t}")), "{table} joined by all keys");
    }
    assert!(values > 200, "{values} values");
}
