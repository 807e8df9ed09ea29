//! Texts to trees: the statements of sysbench, pgbench and TPC-C.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use std::hint::black_box;

fn parsing(text: &'static str) -> Box<dyn FnMut()> {
    Box::new(move || {
        black_box(pamir_parse::parse(black_box(text), pamir_parse::PLAIN).is_ok());
    })
}

const OPS: &[Op] = &[
    Op { name: "point select", budget: 1_000, units: 1, make: || parsing("SELECT c FROM sbtest1 WHERE id=$1") },
    Op {
        name: "range with order",
        budget: 1_500,
        units: 1,
        make: || parsing("SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5000 AND 5099 ORDER BY c"),
    },
    Op {
        name: "update",
        budget: 1_000,
        units: 1,
        make: || parsing("UPDATE pgbench_accounts SET abalance = abalance + -512 WHERE aid = 77"),
    },
    Op {
        name: "insert",
        budget: 1_500,
        units: 1,
        make: || {
            parsing("INSERT INTO sbtest1 (id, k, c, pad) VALUES (5012, 4990, '68487932199-96439406143', '67847967377')")
        },
    },
    Op {
        name: "join with grouping",
        budget: 6_000,
        units: 1,
        make: || {
            parsing(
                "select a.c, count(*) from sbtest1 a join sbtest1 b on a.k = b.id where a.id between 10 and 20 group by a.c order by 2 desc",
            )
        },
    },
    Op {
        name: "tpc-c stock level",
        budget: 4_000,
        units: 1,
        make: || {
            parsing(
                "SELECT COUNT(DISTINCT (s_i_id)) FROM order_line1, stock1 WHERE ol_w_id = 1 AND ol_d_id = 5 AND ol_o_id < 3001 AND ol_o_id >= 2981 AND s_w_id= 1 AND s_i_id=ol_i_id AND s_quantity < 15",
            )
        },
    },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn parse(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}

fn main() {
    budget::main();
}
