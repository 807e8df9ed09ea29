//! `pamir cluster`: what an operator sees and orders, as a client of any node's PostgreSQL port.
//!
//! It says what pamir_catalog's views and functions say (psql and drivers can ask the same): tables as psql aligns them, or JSON. What went wrong goes to standard error, as one line, with exit code 1.
use crate::pgclient::{Answer, Client, Target};
use clap::{Args, Subcommand};
use std::fmt::Write as _;
use std::io::Write;

const ADDRESS: &str = "127.0.0.1:5432";
/// Types that JSON writes without quotes, by their OIDs: bool, integers, float8; and arrays of int8.
const BOOL: u32 = 16;
const NUMBERS: [u32; 5] = [20, 21, 23, 26, 701];
const INT8_ARRAY: u32 = 1016;

#[derive(Args)]
pub struct Cluster {
    #[command(subcommand)]
    what: What,
    /// Any node of the cluster; several hosts are tried in order
    #[arg(
        long,
        global = true,
        env = "PAMIR_URL",
        value_name = "postgres://USER@HOST:PORT/DATABASE",
        hide_env_values = true
    )]
    url: Option<String>,
    /// The same by its --pg-addr [default: 127.0.0.1:5432]
    #[arg(long, global = true, env = "PAMIR_PG_ADDR", value_name = "HOST:PORT")]
    pg_addr: Option<String>,
    /// Who asks: a superuser, or for status and nodes a member of pg_monitor [default: postgres]
    #[arg(long, global = true, value_name = "NAME")]
    user: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}
#[derive(Subcommand)]
enum What {
    /// The cluster in one view: who leads, and whether a majority is heard
    Status,
    /// Every node: role, lag, disk space, health
    Nodes,
    /// Take a node out of the cluster, for good
    Remove {
        node: u32,
        /// Even where too few of the other nodes are heard
        #[arg(long)]
        force: bool,
    },
    /// A node is to give the leadership away and to be sent no more clients, as before it is stopped
    Drain { node: u32 },
    /// End that
    Undrain { node: u32 },
    /// After an upgrade of all nodes: go over to their newest format, although nodes hold it down; there is no way back
    FinalizeUpgrade,
    /// Make a node the leader
    TransferLeader { node: u32 },
}

const STATUS: &str = "SELECT * FROM pamir_catalog.cluster_status";
const NODES: &str = "SELECT * FROM pamir_catalog.cluster_nodes ORDER BY node";
/// What fits on a screen.
const NODES_SHORT: &str = "SELECT node, address, sql_address AS clients, role, voter, health, \
    pg_size_pretty(lag_bytes) AS lag, lag_seconds AS lag_s, last_contact_seconds AS heard_s, \
    pg_size_pretty(disk_free_bytes) AS disk_free, snapshot_percent AS snapshot, version, age_seconds AS age_s \
    FROM pamir_catalog.cluster_nodes ORDER BY node";

pub fn run(c: &Cluster) -> Result<(), String> {
    let mut target = match (&c.url, &c.pg_addr) {
        (Some(url), _) => Target::parse(url)?,
        (None, addr) => Target::of_hosts(addr.as_deref().unwrap_or(ADDRESS))?,
    };
    if c.user.is_some() {
        target.user = c.user.clone();
    }
    let mut client = Client::connect(&target)?;
    let out = match &c.what {
        What::Status => expanded(&told(client.query(STATUS)?)?, c.json),
        What::Nodes => table(&told(client.query(if c.json { NODES } else { NODES_SHORT })?)?, c.json),
        What::Remove { node, force } => order(&mut client, &format!("remove({node}, {force})"), *node, c.json)?,
        What::Drain { node } => order(&mut client, &format!("drain({node})"), *node, c.json)?,
        What::Undrain { node } => order(&mut client, &format!("undrain({node})"), *node, c.json)?,
        What::FinalizeUpgrade => finalize(&mut client, c.json)?,
        What::TransferLeader { node } => order(&mut client, &format!("transfer_leader({node})"), *node, c.json)?,
    };
    // A reader that has seen enough closes the pipe.
    let _ = std::io::stdout().write_all(out.as_bytes());
    Ok(())
}
/// A single node's views are empty.
fn told(a: Answer) -> Result<Answer, String> {
    if a.rows.is_empty() {
        Err("this server is not a node of a cluster. Start it with --node-addr.".into())
    } else {
        Ok(a)
    }
}
fn order(client: &mut Client, call: &str, node: u32, json: bool) -> Result<String, String> {
    let a = client.query(&format!("SELECT pamir_catalog.cluster_{call}"))?;
    let result = a.rows.into_iter().flatten().next().flatten().unwrap_or_default();
    Ok(match json {
        true => format!("{{\"node\": {node}, \"result\": {}}}\n", quoted(&result)),
        false => format!("node {node}: {result}\n"),
    })
}
fn finalize(client: &mut Client, json: bool) -> Result<String, String> {
    let a = client.query("SELECT pamir_catalog.cluster_finalize_upgrade()")?;
    let result = a.rows.into_iter().flatten().next().flatten().unwrap_or_default();
    Ok(if json { format!("{{\"result\": {}}}\n", quoted(&result)) } else { format!("cluster: {result}\n") })
}

fn quoted(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
fn json_value(v: Option<&String>, ty: u32) -> String {
    match v {
        None => "null".into(),
        Some(v) if ty == BOOL => (v == "t").to_string(),
        // Not every float is a number to JSON.
        Some(v) if NUMBERS.contains(&ty) && v.parse::<f64>().is_ok_and(f64::is_finite) => v.clone(),
        Some(v) if ty == INT8_ARRAY => v.replace('{', "[").replace('}', "]"),
        Some(v) => quoted(v),
    }
}
fn json_row(a: &Answer, row: &[Option<String>]) -> String {
    let fields =
        a.columns.iter().zip(row).map(|((n, ty), v)| format!("{}: {}", quoted(n), json_value(v.as_ref(), *ty)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}
fn width(s: &str) -> usize {
    s.chars().count()
}
/// One row, a line for each column.
fn expanded(a: &Answer, json: bool) -> String {
    let Some(row) = a.rows.first() else { return String::new() };
    if json {
        return json_row(a, row) + "\n";
    }
    let widest = a.columns.iter().map(|c| width(&c.0)).max().unwrap_or(0);
    let line = |(c, v): (&(String, u32), &Option<String>)| {
        format!("{}{} | {}", c.0, " ".repeat(widest - width(&c.0)), v.as_deref().unwrap_or_default())
            .trim_end()
            .to_string()
            + "\n"
    };
    a.columns.iter().zip(row).map(line).collect()
}
/// As psql aligns it: numbers to the right, names in the middle.
fn table(a: &Answer, json: bool) -> String {
    if json {
        let rows: Vec<String> = a.rows.iter().map(|r| json_row(a, r)).collect();
        return format!("[{}]\n", rows.join(",\n "));
    }
    let cell = |r: &[Option<String>], i: usize| r.get(i).and_then(|v| v.clone()).unwrap_or_default();
    let widths: Vec<usize> = a
        .columns
        .iter()
        .enumerate()
        .map(|(i, c)| a.rows.iter().map(|r| width(&cell(r, i))).chain([width(&c.0)]).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    let mut line = |cells: Vec<String>, between: &str, edge: &str| {
        let s = format!("{edge}{}{edge}", cells.join(between));
        out.push_str(s.trim_end());
        out.push('\n');
    };
    let centred = |s: &str, w: usize| {
        let left = (w - width(s)) / 2;
        format!("{}{s}{}", " ".repeat(left), " ".repeat(w - width(s) - left))
    };
    line(a.columns.iter().zip(&widths).map(|(c, w)| centred(&c.0, *w)).collect(), " | ", " ");
    line(widths.iter().map(|w| "-".repeat(*w)).collect(), "-+-", "-");
    for r in &a.rows {
        let cells = a.columns.iter().zip(&widths).enumerate().map(|(i, (c, w))| {
            let v = cell(r, i);
            let pad = " ".repeat(w - width(&v));
            if NUMBERS.contains(&c.1) { pad + &v } else { v + &pad }
        });
        line(cells.collect(), " | ", " ");
    }
    let n = a.rows.len();
    let _ = writeln!(out, "({n} row{})", if n == 1 { "" } else { "s" });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Answer {
        let columns = [("node", 20), ("role", 25), ("voter", BOOL), ("lag", 701), ("silent", INT8_ARRAY)];
        let row = |v: [&str; 5]| v.iter().map(|s| (*s != "-").then(|| s.to_string())).collect();
        Answer {
            columns: columns.iter().map(|(n, t)| (n.to_string(), *t)).collect(),
            rows: vec![row(["1", "leader", "t", "0.5", "{2,3}"]), row(["12", "a\"b", "f", "-", "{}"])],
        }
    }

    #[test]
    fn as_psql_aligns() {
        let want = " node |  role  | voter | lag | silent\n\
                    ------+--------+-------+-----+--------\n    1 | leader | t     | 0.5 | {2,3}\n   12 | a\"b    | f     |     | {}\n(2 rows)\n";
        assert_eq!(table(&answer(), false), want);
        assert_eq!(
            expanded(&answer(), false),
            "node   | 1\nrole   | leader\nvoter  | t\nlag    | 0.5\nsilent | {2,3}\n"
        );
    }

    #[test]
    fn as_json() {
        let want = "[{\"node\": 1, \"role\": \"leader\", \"voter\": true, \"lag\": 0.5, \"silent\": [2,3]},\n \
                    {\"node\": 12, \"role\": \"a\\\"b\", \"voter\": false, \"lag\": null, \"silent\": []}]\n";
        assert_eq!(table(&answer(), true), want);
        assert!(expanded(&answer(), true).starts_with("{\"node\": 1, "));
        assert_eq!(json_value(Some(&"NaN".to_string()), 701), "\"NaN\"");
        assert_eq!(quoted("a\nb"), "\"a\\u000ab\"");
    }
}
