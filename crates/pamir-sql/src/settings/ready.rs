//! The settings about what is told of statements ([`Observe`]), of plans that are kept and of messages, ready for use.
use super::{Settings, parse_int_setting};
use pamir_plan::plan::{ExplainFormat, ExplainOptions};
use pamir_types::error::Severity;

/// Which statements log_statement names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Logged {
    #[default]
    None,
    Ddl,
    Mod,
    All,
}
/// pg_stat_statements.track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Track {
    None,
    #[default]
    Top,
    All,
}

/// The settings of this page, ready for use.
#[derive(Clone, Debug, Default)]
pub struct Observe {
    pub statements: Logged,
    /// The least duration that a line, a plan or a sample is due for, in nanoseconds; u64::MAX: none.
    pub over: u64,
    pub(crate) duration_over: u64,
    pub(crate) sample_over: u64,
    pub(crate) sample_rate: f64,
    pub(crate) durations: bool,
    pub(crate) min_error_statement: u8,
    pub(crate) min_messages: u8,
    pub(crate) verbosity: Verbosity,
    /// Bytes of a parameter's value; None: all of it, 0: none.
    pub(crate) parameters: Option<usize>,
    pub(crate) parameters_on_error: Option<usize>,
    pub(crate) explain_over: u64,
    pub(crate) explain_sample_rate: f64,
    pub(crate) explain: ExplainOptions,
    pub track: Track,
    pub track_utility: bool,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Verbosity {
    Terse,
    #[default]
    Default,
    Verbose,
}

/// Is the setting one that [`Observe`] is made of?
pub fn concerns(name: &str) -> bool {
    name.starts_with("log_") || name.starts_with("auto_explain.") || name.starts_with("pg_stat_statements.")
}

/// The order of message levels in log_min_messages (PostgreSQL's: LOG stands above ERROR there).
fn level(name: &str) -> u8 {
    let order = [
        "debug5", "debug4", "debug3", "debug2", "debug1", "info", "notice", "warning", "error", "log", "fatal", "panic",
    ];
    order.iter().position(|l| *l == name).map_or(7, |n| n as u8)
}
pub(crate) fn level_of(s: Severity) -> u8 {
    level(match s {
        Severity::Fatal => "fatal",
        Severity::Panic => "panic",
        _ => "error",
    })
}

impl Observe {
    pub fn of(s: &Settings) -> Observe {
        let text = |name: &str| s.get(name).unwrap_or_default();
        let real = |name: &str, default: f64| text(name).parse::<f64>().unwrap_or(default);
        // -1: never; 0: always.
        let millis = |name: &str| match parse_int_setting(name, &text(name)) {
            Some(ms) if ms >= 0 => (ms as u64).saturating_mul(1_000_000),
            _ => u64::MAX,
        };
        let bytes = |name: &str| parse_int_setting(name, &text(name)).and_then(|n| usize::try_from(n).ok());
        let durations = s.get_bool("log_duration");
        let (duration_over, sample_over) = (millis("log_min_duration_statement"), millis("log_min_duration_sample"));
        let explain_over = millis("auto_explain.log_min_duration");
        let analyze = s.get_bool("auto_explain.log_analyze");
        let mut explain = ExplainOptions {
            analyze,
            verbose: s.get_bool("auto_explain.log_verbose"),
            costs: true,
            ..ExplainOptions::default()
        };
        explain.buffers = analyze && s.get_bool("auto_explain.log_buffers");
        explain.timing = analyze && s.get_bool("auto_explain.log_timing");
        explain.settings = s.get_bool("auto_explain.log_settings");
        explain.format = match text("auto_explain.log_format").as_str() {
            "json" => ExplainFormat::Json,
            "xml" => ExplainFormat::Xml,
            "yaml" => ExplainFormat::Yaml,
            _ => ExplainFormat::Text,
        };
        Observe {
            statements: match text("log_statement").as_str() {
                "ddl" => Logged::Ddl,
                "mod" => Logged::Mod,
                "all" => Logged::All,
                _ => Logged::None,
            },
            over: if durations { 0 } else { duration_over.min(sample_over).min(explain_over) },
            duration_over,
            sample_over,
            sample_rate: real("log_statement_sample_rate", 1.0),
            durations,
            min_error_statement: level(&text("log_min_error_statement")),
            min_messages: level(&text("log_min_messages")),
            verbosity: match text("log_error_verbosity").as_str() {
                "terse" => Verbosity::Terse,
                "verbose" => Verbosity::Verbose,
                _ => Verbosity::Default,
            },
            parameters: bytes("log_parameter_max_length"),
            parameters_on_error: bytes("log_parameter_max_length_on_error"),
            explain_over,
            explain_sample_rate: real("auto_explain.sample_rate", 1.0),
            explain,
            track: match text("pg_stat_statements.track").as_str() {
                "none" => Track::None,
                "all" => Track::All,
                _ => Track::Top,
            },
            track_utility: s.get_bool("pg_stat_statements.track_utility"),
        }
    }
    /// Plans are to be run with counters, for auto_explain.
    #[inline]
    pub fn analyzes(&self) -> bool {
        self.explain_over != u64::MAX && self.explain.analyze
    }
}

/// plan_cache_mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlanCacheMode {
    #[default]
    Auto,
    ForceGeneric,
    ForceCustom,
}

/// What client_min_messages says, from the least on (PostgreSQL, "When to Log"; LOG stands below NOTICE for clients).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// debug1 to debug5: messages of this server are all debug1.
    Debug,
    Log,
    Notice,
    Warning,
    Error,
}
impl Level {
    /// Of a setting's value, which was checked.
    pub fn named(value: &str) -> Level {
        match value {
            "log" => Level::Log,
            "warning" => Level::Warning,
            "error" => Level::Error,
            v if v.starts_with("debug") => Level::Debug,
            _ => Level::Notice,
        }
    }
    /// INFO is what was asked for: it is always sent.
    pub(crate) fn hears(self, s: Severity) -> bool {
        let level = match s {
            Severity::Debug => Level::Debug,
            Severity::Log => Level::Log,
            Severity::Notice => Level::Notice,
            Severity::Warning => Level::Warning,
            Severity::Info | Severity::Error | Severity::Fatal | Severity::Panic => return true,
        };
        self <= level
    }
}
