//! The `pamir` binary: `start`, `demo`, `cluster`, `cert`, `check`, `backup`, `restore`, `reference`, `version`.
//!
//! - [`config`]: flags, environment, file. - [`start`]: the server's life from lock to checkpoint.
//! - [`node`]: a node of a cluster. - [`operations`]: the same to its own sessions. - [`demo`]: several on one machine.
//! - [`operate`]: `pamir cluster`, by [`pgclient`]. - [`backup`]: base backups, the archive, restores.
//! - [`http`], [`metrics`]: what an operator watches. - [`reference`]: what an operator reads. - [`alloc`]: the allocator, counted.
//!
//! Standard output carries the one ready line; everything else goes to standard error. An error is one line that says what to do, and exit code 1; 2 where the
//! settings make no sense: then nothing was touched.
mod alloc;
mod backup;
mod config;
mod demo;
mod http;
mod metrics;
mod node;
mod one_line;
mod operate;
mod operations;
mod pgclient;
mod reference;
mod start;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting::new();

/// As clap exits for flags that it does not know.
const BAD_SETTINGS: u8 = 2;

#[derive(Parser)]
#[command(name = "pamir", version, about = "Pamir: a distributed OLTP SQL database that speaks PostgreSQL's protocol")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant)] // made once
enum Command {
    /// Serve a data directory
    Start {
        /// TOML file with the same names as the flags
        #[arg(long, env = "PAMIR_CONFIG", value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(flatten)]
        settings: config::Settings,
    },
    /// Run a cluster of several nodes on this machine, to try; Ctrl-C ends it
    Demo {
        /// How many nodes
        #[arg(long, default_value_t = 3)]
        nodes: u16,
    },
    /// See and steer a cluster, through any of its nodes
    Cluster(operate::Cluster),
    /// Make the certificates by which the nodes of a cluster know each other
    Cert {
        /// Where the files are, and go; an authority (ca.crt, ca.key) is made if there is none
        #[arg(long, value_name = "DIR", default_value = "./pamir-certs")]
        dir: PathBuf,
        /// Name of the node: node-NAME.crt and node-NAME.key
        #[arg(long, value_name = "NAME")]
        node: Option<String>,
        /// Names and addresses by which others reach the node
        #[arg(long, value_name = "HOST,...", value_delimiter = ',')]
        hosts: Vec<String>,
        /// Days that the certificates are valid
        #[arg(long, default_value_t = 825)]
        days: u32,
    },
    /// Verify a data directory that no server is using
    Check {
        #[arg(long, env = "PAMIR_DATA_DIR", value_name = "DIR", default_value = "./pamir-data")]
        data_dir: PathBuf,
    },
    /// Make, list, verify and prune base backups
    Backup {
        #[command(subcommand)]
        command: backup::command::BackupCommand,
    },
    /// Make a data directory of a base backup and the archived log, as of a point in time
    Restore(backup::command::RestoreArgs),
    /// Print the reference of all settings (Markdown)
    Reference,
    /// Print the version
    Version,
}

/// `pamir cert`: the authority, if there is none yet, and a node's certificate, if one is named.
fn cert(dir: &std::path::Path, node: Option<String>, hosts: &[String], days: u32) -> Result<(), String> {
    use pamir_cluster::cert;
    let say = |what: &str, c: &cert::Certificate| println!("{what} in {}, valid until {}", dir.display(), c.expires());
    std::fs::create_dir_all(dir).map_err(|e| format!("could not make \"{}\": {e}", dir.display()))?;
    let has_authority = dir.join("ca.crt").exists();
    if !has_authority {
        say("authority", &cert::make_ca(dir, days).map_err(one_line::line)?);
    }
    match node {
        Some(name) => {
            say(&format!("certificate of {name}"), &cert::make_node(dir, &name, hosts, days).map_err(one_line::line)?)
        }
        None if has_authority => return Err("there is an authority already; name a node with --node".into()),
        None => {}
    }
    Ok(())
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Start { config, settings } => start::start(config, settings),
        Command::Demo { nodes } => demo::demo(nodes).map_err(start::Failure::Other),
        Command::Cluster(c) => operate::run(&c).map_err(start::Failure::Other),
        Command::Cert { dir, node, hosts, days } => cert(&dir, node, &hosts, days).map_err(start::Failure::Other),
        Command::Check { data_dir } => start::check(&data_dir).map_err(start::Failure::Other),
        Command::Backup { command } => backup::command::backup(command).map_err(start::Failure::Other),
        Command::Restore(args) => backup::command::restore(args).map_err(start::Failure::Other),
        Command::Reference => {
            // A reader that has seen enough closes the pipe.
            let _ = std::io::Write::write_all(&mut std::io::stdout(), reference::render().as_bytes());
            Ok(())
        }
        Command::Version => {
            println!("pamir {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let (message, code) = match failure {
                start::Failure::Settings(m) => (m, ExitCode::from(BAD_SETTINGS)),
                start::Failure::Other(m) => (m, ExitCode::FAILURE),
            };
            eprintln!("pamir: {message}");
            code
        }
    }
}
