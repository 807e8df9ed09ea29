//! The `pamir` binary: `start`, `check`, `version`.
//!
//! - [`config`]: flags, environment, file. - [`start`]: the server's life from lock to checkpoint.
//! - [`node`]: a node of a cluster.
//! - [`http`], [`metrics`]: what an operator watches. - [`reference`]: what an operator reads. - [`alloc`]: the allocator, counted.
//!
//! Standard output carries the one ready line; everything else goes to standard error. An error is one line that says what to do, and exit code 1; 2 where the
//! settings make no sense: then nothing was touched.
mod alloc;
mod config;
mod http;
mod metrics;
mod node;
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
    /// Verify a data directory that no server is using
    Check {
        #[arg(long, env = "PAMIR_DATA_DIR", value_name = "DIR", default_value = "./pamir-data")]
        data_dir: PathBuf,
    },
    /// Print the reference of all settings (Markdown)
    Reference,
    /// Print the version
    Version,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Start { config, settings } => start::start(config, settings),
        Command::Check { data_dir } => start::check(&data_dir).map_err(start::Failure::Other),
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
