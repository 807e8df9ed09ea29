//! The reference of all settings as Markdown, made of what the program itself knows: `docs/configuration.md` is its output, and a test says so.
use clap::CommandFactory;
use pamir_sql::settings::{Context, Kind, SETTINGS, Setting, Unit};
use std::fmt::Write;

fn cell(s: &str) -> String {
    s.replace('|', "\\|").replace('\n', " ")
}
fn range(s: &Setting) -> String {
    if let Some(these) = s.only {
        return these.join(", ");
    }
    match s.kind {
        Kind::Bool => "on, off".into(),
        Kind::Int { min, max, .. } if min == max => min.to_string(),
        Kind::Int { min, max, unit: Unit::Pages } => format!("{min} to {max} times 8 kB"),
        Kind::Int { min, max, unit: u } => format!("{min} to {max} {}", u.name()).trim_end().into(),
        Kind::Real { min, max } if max == f64::MAX => format!("{min} and more"),
        Kind::Real { min, max } => format!("{min} to {max}"),
        Kind::Enum(values) => values.join(", "),
        Kind::Text => "text".into(),
    }
}
/// Who may change it, and when.
fn who(s: &Setting) -> &'static str {
    match s.context {
        Context::Internal | Context::Postmaster | Context::Sighup => "nobody: it says how the server runs",
        Context::SuperuserBackend | Context::Superuser => "superusers",
        Context::User => "everybody",
    }
}

/// The whole page.
pub fn render() -> String {
    let mut out = String::from(
        "# Configuration\nMade by `pamir reference`; a test compares the two.\n\n\
         ## The server\nEach setting is a flag of `pamir start`, an environment variable, or a line of the TOML file that `--config` names (the flag's name without dashes before it, \
         `cache-size = \"2GiB\"`): the flag wins over the variable, the variable over the file. SIGHUP reads the file and the certificates again; what only a start can change is named in the log.\n\n\
         | flag | variable | meaning |\n|---|---|---|\n",
    );
    let cli = crate::Cli::command();
    let start = cli.find_subcommand("start");
    for arg in start.into_iter().flat_map(clap::Command::get_arguments) {
        let Some(long) = arg.get_long() else { continue };
        let value = arg.get_value_names().and_then(|v| v.first()).map_or(String::new(), |v| format!(" {v}"));
        let env = arg.get_env().map_or(String::new(), |e| format!("`{}`", e.to_string_lossy()));
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(out, "| `--{long}{}` | {env} | {} |", cell(&value), cell(&help));
    }
    out.push_str(
        "\n## Sessions\nWhat `SET`, `SHOW` and `pg_settings` know. Where every session starts is said with `--set NAME=VALUE` or in the file:\n\n\
         ```toml\n[set]\nlog_min_duration_statement = \"250ms\"\nidle_in_transaction_session_timeout = \"10min\"\n```\n\n\
         | setting | default | values | who may set it | meaning |\n|---|---|---|---|---|\n",
    );
    for s in SETTINGS {
        let default = if s.default.is_empty() { "''" } else { s.default };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} |",
            s.name,
            cell(default),
            cell(&range(s)),
            who(s),
            cell(s.description)
        );
    }
    out.push_str(CLUSTER);
    out
}
/// What drivers that choose among several hosts find.
const CLUSTER: &str = "
## Clients of a cluster
Every node takes every statement, writes too; what a node says of itself lets drivers choose as with PostgreSQL and its standbys. At the node that leads `pg_is_in_recovery()` is false and `in_hot_standby` off; at all others they are true and on, with the first statement after a change of leaders. `transaction_read_only` and `default_transaction_read_only` are off everywhere, for every node writes. With several hosts (`postgres://u@n1,n2,n3/db?target_session_attrs=...`) libpq and drivers like it find:

| target_session_attrs | node | why |
|---|---|---|
| `any` | the first that answers | every node serves everything |
| `read-write`, `primary` | the leader | its statements take no way to another node |
| `read-only`, `standby` | one that does not lead | keeps readers, and their memory, away from the leader; it takes writes all the same |
| `prefer-standby` | one that does not lead, else the leader | |
";

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_what_the_program_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let page = std::fs::read_to_string(path).unwrap_or_default();
        let now = super::render();
        let differs = page.lines().zip(now.lines()).find(|(a, b)| a != b);
        assert!(page == now, "docs/configuration.md is stale: pamir reference > docs/configuration.md\n{differs:?}");
    }
}
