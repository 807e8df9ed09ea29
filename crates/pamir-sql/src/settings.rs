//! Run-time settings (SET / SHOW / RESET): one static table ([`SETTINGS`]), one vector of values per session.
//!
//! Values are kept in their canonical text. A change inside a transaction is undone when the transaction (or the savepoint around it) rolls back, and `SET LOCAL`
//! is undone at its end either way, as PostgreSQL's guc.c does; both come from one undo list.
use crate::client::TcpSettings;
use pamir_plan::plan::PlanSettings;
use pamir_txn::ReadFrom;
use pamir_types::datetime::{self, DateOrder, DateStyle, DateTimeStyle, IntervalStyle};
use pamir_types::encoding::{Encoding, UTF8};
use pamir_types::text::TextCtx;
use pamir_types::{Error, Result, bail, err};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

mod ready;
mod table;
use ready::concerns;
pub(crate) use ready::{Level, Logged, Observe, PlanCacheMode, Track, Verbosity, level_of};
pub use table::{Context, Kind, SETTINGS, Setting, Unit};

/// What `server_version` reports: the PostgreSQL release whose behaviour is followed.
pub use pamir_catalog::{SERVER_VERSION, SERVER_VERSION_NUM};

fn index() -> &'static FxHashMap<String, usize> {
    static INDEX: OnceLock<FxHashMap<String, usize>> = OnceLock::new();
    INDEX.get_or_init(|| SETTINGS.iter().enumerate().map(|(i, s)| (s.name.to_ascii_lowercase(), i)).collect())
}

/// The setting of that name (any case).
pub fn find(name: &str) -> Option<(usize, &'static Setting)> {
    let i = *index().get(&name.to_ascii_lowercase())?;
    Some((i, &SETTINGS[i]))
}

fn unrecognized(name: &str) -> Error {
    err!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
}

fn parse_bool(s: &str) -> Option<bool> {
    let s = s.to_ascii_lowercase();
    match s.as_str() {
        "" => None,
        "on" | "1" => Some(true),
        "off" | "of" | "0" => Some(false),
        _ if "true".starts_with(&s) || "yes".starts_with(&s) => Some(true),
        _ if "false".starts_with(&s) || "no".starts_with(&s) => Some(false),
        _ => None,
    }
}

const MS_UNITS: &[(&str, f64)] = &[("us", 0.001), ("ms", 1.0), ("s", 1e3), ("min", 6e4), ("h", 3.6e6), ("d", 8.64e7)];
const S_UNITS: &[(&str, f64)] = &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
const KB_UNITS: &[(&str, f64)] =
    &[("B", 1.0 / 1024.0), ("kB", 1.0), ("MB", 1024.0), ("GB", 1048576.0), ("TB", 1073741824.0)];

impl Unit {
    /// How much one of a measure of memory is.
    fn kilobytes(self) -> f64 {
        match self {
            Unit::Bytes => 1.0 / 1024.0,
            Unit::Pages => 8.0,
            Unit::Mb => 1024.0,
            _ => 1.0,
        }
    }
}
fn parse_int(s: &str, unit: Unit) -> Option<i64> {
    let s = s.trim();
    let split = s.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E').unwrap_or(s.len());
    let (num, suffix) = (s[..split].trim(), s[split..].trim());
    let value: f64 = num.parse().ok()?;
    let factor = match (suffix, unit) {
        ("", _) => 1.0,
        (u, Unit::Ms) => MS_UNITS.iter().find(|x| x.0 == u)?.1,
        (u, Unit::S) => S_UNITS.iter().find(|x| x.0 == u)?.1,
        (_, Unit::None) => return None,
        (u, _) => KB_UNITS.iter().find(|x| x.0 == u)?.1 / unit.kilobytes(),
    };
    let v = (value * factor).round();
    (v.is_finite() && v.abs() < 9e18).then_some(v as i64)
}

/// The number that an integer setting's text stands for, in its unit.
pub(crate) fn parse_int_setting(name: &str, value: &str) -> Option<i64> {
    match find(name)?.1.kind {
        Kind::Int { unit, .. } => parse_int(value, unit),
        _ => None,
    }
}

/// A value with its unit (`4MB`) as the number that pg_settings shows (`4096`, of kB).
pub(crate) fn in_unit(s: &Setting, value: String) -> String {
    match s.kind {
        Kind::Int { unit, .. } => parse_int(&value, unit).map_or(value, |n| n.to_string()),
        _ => value,
    }
}

fn show_int(v: i64, unit: Unit) -> String {
    let units: &[(&str, f64)] = match unit {
        Unit::None => return v.to_string(),
        Unit::Ms => &MS_UNITS[1..],
        Unit::S => &S_UNITS[2..],
        Unit::Kb => &KB_UNITS[1..],
        Unit::Pages | Unit::Mb => return show_int(v.saturating_mul(unit.kilobytes() as i64), Unit::Kb),
        Unit::Bytes => &[("B", 1.0), ("kB", 1024.0), ("MB", 1048576.0), ("GB", 1073741824.0)],
    };
    if v <= 0 {
        return v.to_string();
    }
    let (name, f) = units.iter().rev().find(|(_, f)| v % (*f as i64) == 0).unwrap_or(&units[0]);
    format!("{}{}", v / (*f as i64), name)
}

/// A number as printf's `%g` writes it.
fn short(v: f64) -> String {
    if v == 0.0 || (1e-4..1e6).contains(&v.abs()) {
        return v.to_string();
    }
    let text = format!("{v:.5e}");
    let (digits, exp) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    let (sign, exp) = exp.strip_prefix('-').map_or(('+', exp), |e| ('-', e));
    format!("{digits}e{sign}{exp:0>2}")
}

/// Checks `value` for `s` and returns its canonical text. 0A000 for one that would have no effect.
fn canonical(s: &Setting, value: &str) -> Result<String> {
    let v = spelled(s, value)?;
    match s.only {
        Some(these) if !these.contains(&v.as_str()) => {
            Err(Error::unsupported(format_args!("{} = {v}", s.name))
                .hint(format!("Here it is {}.", these.join(" or "))))
        }
        _ => Ok(v),
    }
}
fn spelled(s: &Setting, value: &str) -> Result<String> {
    let invalid = || err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{}\": \"{}\"", s.name, value);
    match s.kind {
        Kind::Bool => parse_bool(value)
            .map(|b| if b { "on" } else { "off" }.to_string())
            .ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "parameter \"{}\" requires a Boolean value", s.name)),
        Kind::Int { min, max, unit } => {
            let v = parse_int(value, unit).ok_or_else(|| match unit {
                Unit::Ms | Unit::S if value.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    invalid()
                        .hint("Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\".")
                }
                Unit::Bytes | Unit::Kb | Unit::Pages | Unit::Mb
                    if value.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') =>
                {
                    invalid().hint("Valid units for this parameter are \"B\", \"kB\", \"MB\", \"GB\", and \"TB\".")
                }
                _ => invalid(),
            })?;
            if v < min || v > max {
                let u = if unit == Unit::None { String::new() } else { format!(" {}", unit.name()) };
                bail!(
                    INVALID_PARAMETER_VALUE,
                    "{v}{u} is outside the valid range for parameter \"{}\" ({min} .. {max})",
                    s.name
                );
            }
            Ok(show_int(v, unit))
        }
        Kind::Real { min, max } => {
            let v: f64 = value.trim().parse().map_err(|_| invalid())?;
            if !(min..=max).contains(&v) {
                let [v, min, max] = [v, min, max].map(short);
                let m = format!("{v} is outside the valid range for parameter \"{}\" ({min} .. {max})", s.name);
                return Err(Error::new(pamir_types::error::state::INVALID_PARAMETER_VALUE, m));
            }
            Ok(v.to_string())
        }
        Kind::Enum(values) => {
            let v = value.trim().to_ascii_lowercase();
            if values.contains(&v.as_str()) {
                return Ok(v);
            }
            // Booleans are spelled in many ways; `on`/`off` enums take them all.
            if let Some(b) = parse_bool(&v) {
                let w = if b { "on" } else { "off" };
                if values.contains(&w) {
                    return Ok(w.into());
                }
            }
            let list = values.join(", ");
            // PostgreSQL tells the name as the statement folded it here.
            let name = s.name.to_ascii_lowercase();
            let e = err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{name}\": \"{value}\"");
            Err(e.hint(format!("Available values: {list}.")))
        }
        Kind::Text => match s.name {
            // Other programs read it without knowing an encoding.
            "application_name" => {
                Ok(value.bytes().map(|b| if (b' '..=b'~').contains(&b) { b as char } else { '?' }).collect())
            }
            "DateStyle" => canonical_date_style(value, "ISO, MDY"),
            "TimeZone" => datetime::zone_setting_name(value),
            // PostgreSQL looks at letters and digits alone; asyncpg writes the name in quotes.
            "client_encoding" => match Encoding::by_name(value) {
                Some(e) if e.is_there() => Ok(e.name().into()),
                Some(e) if e.is_internal() => {
                    Err(err!(FEATURE_NOT_SUPPORTED, "invalid value for parameter \"client_encoding\": \"{value}\"")
                        .detail(format!("Conversion between {} and UTF8 is not supported.", e.name())))
                }
                Some(_) => Err(Error::unsupported(format_args!("client encoding \"{value}\""))),
                None => Err(invalid()),
            },
            _ => Ok(value.to_string()),
        },
    }
}

/// What `value` does not say stays as in `current`. POSTGRES, EURO and NONEURO may go on with any letters.
fn canonical_date_style(value: &str, current: &str) -> Result<String> {
    let invalid = |detail: String| {
        err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"DateStyle\": \"{value}\"").detail(detail)
    };
    let (mut style, mut order, mut implied_order) = (None, None, None);
    let mut conflict = false;
    for part in value.split(',') {
        let word = part.trim().to_ascii_lowercase();
        let mut set = |slot: &mut Option<&'static str>, to: &'static str| {
            conflict |= slot.is_some_and(|earlier| earlier != to);
            *slot = Some(to);
        };
        match word.as_str() {
            "iso" => set(&mut style, "ISO"),
            "sql" => set(&mut style, "SQL"),
            w if w.starts_with("postgres") => set(&mut style, "Postgres"),
            "german" => {
                set(&mut style, "German");
                implied_order = Some("DMY");
            }
            "dmy" => set(&mut order, "DMY"),
            w if w.starts_with("euro") => set(&mut order, "DMY"),
            "mdy" | "us" => set(&mut order, "MDY"),
            w if w.starts_with("noneuro") => set(&mut order, "MDY"),
            "ymd" => set(&mut order, "YMD"),
            "default" => {
                style = style.or(Some("ISO"));
                implied_order = Some("MDY");
            }
            _ => return Err(invalid(format!("Unrecognized key word: \"{word}\"."))),
        }
    }
    if conflict {
        return Err(invalid("Conflicting \"datestyle\" specifications.".into()));
    }
    let (old_style, old_order) = current.split_once(", ").unwrap_or(("ISO", "MDY"));
    Ok(format!("{}, {}", style.unwrap_or(old_style), order.or(implied_order).unwrap_or(old_order)))
}

/// A setting of the server's, or one that applications named.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Which {
    Own(usize),
    Custom(String),
}
/// One entry of the undo list.
#[derive(Debug)]
struct Undo {
    setting: Which,
    old: Option<String>,
    /// Undone at commit too.
    local: bool,
}

/// Where the server's own value of a setting comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The server's flags and what follows from them.
    CommandLine,
    Environment,
    File,
}
impl Source {
    /// As pg_settings.source names it.
    pub fn name(self) -> &'static str {
        match self {
            Source::CommandLine => "command line",
            Source::Environment => "environment variable",
            Source::File => "configuration file",
        }
    }
}
/// What the server's configuration says of settings: where sessions start from.
#[derive(Clone, Default, Debug)]
pub struct ServerValues(Vec<Option<(String, Source)>>);
impl ServerValues {
    /// Checks and keeps a value; 42704 for a setting that does not exist, 22023 for a value that is none of its own. `fact`: it is how the server runs, so a setting
    /// that no session can change may have it.
    pub fn put(&mut self, name: &str, value: &str, source: Source, fact: bool) -> Result<()> {
        let Some((i, s)) = find(name) else { return Err(unrecognized(name)) };
        if !fact && (s.is_fixed() || matches!(s.name, "role" | "session_authorization")) {
            return Err(s.fixed());
        }
        let value = match (fact, value.strip_suffix("kB").and_then(|n| n.parse().ok())) {
            (true, Some(kb)) => show_int(kb, Unit::Kb),
            (true, None) => value.to_string(),
            (false, _) => canonical(s, value)?,
        };
        self.0.resize(SETTINGS.len(), None);
        self.0[i] = Some((value, source));
        Ok(())
    }
    fn get(&self, i: usize) -> Option<&(String, Source)> {
        self.0.get(i)?.as_ref()
    }
}

/// A session's settings. `None` = the session default.
pub struct Settings {
    /// What the server's configuration says.
    server: Arc<ServerValues>,
    values: Vec<Option<String>>,
    /// Values from the startup packet: what RESET goes back to.
    session_defaults: Vec<Option<String>>,
    /// `app.name`-like custom parameters.
    custom: FxHashMap<String, String>,
    undo: Vec<Undo>,
    /// Derived values that hot paths read.
    pub text: TextCtx,
    pub lock_timeout: Option<Duration>,
    pub statement_timeout: Option<Duration>,
    /// `pamir.read_from`, `pamir.max_staleness`.
    pub read_from: ReadFrom,
    pub max_staleness: Duration,
    pub idle_in_transaction_timeout: Option<Duration>,
    pub idle_session_timeout: Option<Duration>,
    /// In bytes.
    pub work_mem: usize,
    pub tcp: TcpSettings,
    /// work_mem times hash_mem_multiplier, in bytes.
    pub hash_mem: usize,
    /// session_replication_role is replica.
    pub replica: bool,
    /// Notices of this level and above are sent: client_min_messages.
    pub told_from: Level,
    /// In bytes; None: no limit.
    pub temp_file_limit: Option<u64>,
    pub plan: PlanSettings,
    pub plan_cache_mode: PlanCacheMode,
    /// What is told of statements besides their answers.
    pub observe: Observe,
    /// Raised by changes that plans depend on (search_path, enable_*).
    pub generation: u64,
    modes_are_default: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings::on(Arc::default())
    }
}

impl Settings {
    /// A session's on a server with this configuration.
    pub fn on(server: Arc<ServerValues>) -> Settings {
        let n = SETTINGS.len();
        let mut s = Settings {
            server,
            values: vec![None; n],
            session_defaults: vec![None; n],
            custom: FxHashMap::default(),
            undo: Vec::new(),
            text: TextCtx::default(),
            lock_timeout: None,
            statement_timeout: None,
            read_from: ReadFrom::Leader,
            max_staleness: Duration::ZERO,
            idle_in_transaction_timeout: None,
            idle_session_timeout: None,
            work_mem: 0,
            tcp: TcpSettings::default(),
            hash_mem: 0,
            replica: false,
            told_from: Level::Notice,
            temp_file_limit: None,
            plan: PlanSettings::default(),
            plan_cache_mode: PlanCacheMode::Auto,
            observe: Observe::default(),
            generation: 1,
            modes_are_default: false,
        };
        s.derive();
        s.observe = Observe::of(&s);
        s
    }
    fn raw(&self, i: usize) -> &str {
        self.values[i].as_deref().unwrap_or_else(|| self.reset_value(i))
    }
    /// What RESET goes back to.
    fn reset_value(&self, i: usize) -> &str {
        let server = || self.server.get(i).map_or(SETTINGS[i].default, |v| &v.0);
        self.session_defaults[i].as_deref().unwrap_or_else(server)
    }
    /// Where the value comes from, as pg_settings.source says, and the value that RESET goes back to.
    pub fn source(&self, name: &str) -> Option<(&'static str, String)> {
        let (i, _) = find(name)?;
        let source = match (&self.values[i], &self.session_defaults[i], self.server.get(i)) {
            (Some(_), ..) => "session",
            (None, Some(_), _) => "client",
            (None, None, Some((_, s))) => s.name(),
            (None, None, None) => "default",
        };
        Some((source, self.reset_value(i).to_string()))
    }

    /// The current value; None when there is no such parameter.
    pub fn get(&self, name: &str) -> Option<String> {
        match find(name) {
            Some((i, _)) => Some(self.raw(i).to_string()),
            None => self.custom.get(&name.to_ascii_lowercase()).cloned(),
        }
    }

    /// The values of the settings that plans depend on.
    pub fn of_plans(&self) -> impl Iterator<Item = &str> {
        SETTINGS.iter().enumerate().filter(|(_, s)| s.of_plans).map(|(i, _)| self.raw(i))
    }

    /// Settings that plans depend on and that differ from their defaults, for EXPLAIN (SETTINGS).
    pub fn changed_for_plans(&self) -> Vec<(String, String)> {
        let all = SETTINGS.iter().enumerate().filter(|(i, s)| s.explained && self.raw(*i) != s.default);
        all.map(|(i, s)| (s.name.to_string(), self.raw(i).to_string())).collect()
    }

    pub fn get_bool(&self, name: &str) -> bool {
        find(name).is_some_and(|(i, _)| self.raw(i) == "on")
    }

    /// Sets a value; `in_txn`: remember how to undo it; `local`: SET LOCAL. Returns the setting when its change must be reported.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        local: bool,
        in_txn: bool,
    ) -> Result<Option<&'static Setting>> {
        let Some((i, s)) = find(name) else {
            return self.set_custom(name, value, local, in_txn);
        };
        if s.is_fixed() {
            return Err(s.fixed());
        }
        let new = match value {
            None => None,
            Some(v) if s.name == "DateStyle" => {
                let current = self.get(s.name).unwrap_or_default();
                Some(canonical_date_style(v, &current)?)
            }
            Some(v) => Some(canonical(s, v)?),
        };
        if in_txn {
            self.undo.push(Undo { setting: Which::Own(i), old: self.values[i].take(), local });
        } else if local {
            return Ok(None);
        }
        self.values[i] = new;
        self.changed(i);
        Ok(s.report.then_some(s))
    }

    fn set_custom(
        &mut self,
        name: &str,
        value: Option<&str>,
        local: bool,
        in_txn: bool,
    ) -> Result<Option<&'static Setting>> {
        if !name.contains('.') {
            return Err(unrecognized(name));
        }
        custom_name(name)?;
        let key = name.to_ascii_lowercase();
        if in_txn {
            let old = self.custom.get(&key).cloned();
            self.undo.push(Undo { setting: Which::Custom(key.clone()), old, local });
        } else if local {
            return Ok(None);
        }
        // Once named it stays: without a value it is empty.
        self.custom.insert(key, value.unwrap_or_default().to_string());
        Ok(None)
    }

    /// A value from the startup packet.
    pub fn set_session_default(&mut self, name: &str, value: &str) -> Result<()> {
        let Some((i, s)) = find(name) else {
            return self.set_custom(name, Some(value), false, false).map(|_| ());
        };
        if s.is_fixed() {
            return Err(s.fixed());
        }
        self.session_defaults[i] = Some(canonical(s, value)?);
        self.changed(i);
        Ok(())
    }

    /// Takes back what [`Self::set_session_default`] has set.
    pub fn forget_session_default(&mut self, name: &str) {
        if let Some((i, _)) = find(name) {
            self.session_defaults[i] = None;
            self.changed(i);
        }
    }

    /// Overwrites a value without checks or undo (transaction_isolation and the like mirror the transaction's state).
    pub fn mirror(&mut self, name: &str, value: &str) {
        if let Some((i, _)) = find(name) {
            self.values[i] = Some(value.to_string());
            self.modes_are_default = self.have_default_modes();
        }
    }

    /// Whether the current role is a superuser, for `is_superuser`; the setting if its change is to be reported.
    pub fn show_superuser(&mut self, is: bool) -> Option<&'static Setting> {
        let (i, s) = find("is_superuser")?;
        let value = if is { "on" } else { "off" };
        if self.raw(i) == value {
            return None;
        }
        self.values[i] = Some(value.to_string());
        Some(s)
    }

    /// RESET ALL.
    pub fn reset_all(&mut self, in_txn: bool) {
        for i in 0..SETTINGS.len() {
            if self.values[i].is_some()
                && !SETTINGS[i].is_fixed()
                && !SETTINGS[i].name.starts_with("transaction_")
                && !matches!(SETTINGS[i].name, "role" | "session_authorization")
            {
                let old = self.values[i].take();
                if in_txn {
                    self.undo.push(Undo { setting: Which::Own(i), old, local: false });
                }
            }
        }
        for (key, value) in &mut self.custom {
            let old = Some(std::mem::take(value));
            if in_txn {
                self.undo.push(Undo { setting: Which::Custom(key.clone()), old, local: false });
            }
        }
        self.generation += 1;
        self.derive();
        self.observe = Observe::of(self);
    }

    /// A mark for [`Settings::rollback_to`].
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Undoes all changes since `mark`; returns the settings to report.
    pub fn rollback_to(&mut self, mark: usize) -> Vec<&'static Setting> {
        let mut reported = Vec::new();
        while self.undo.len() > mark {
            let Some(u) = self.undo.pop() else { break };
            reported.extend(self.put_back(u));
        }
        reported
    }

    /// A function that has settings of its own is left: these were made between the two marks and are undone, with what SET LOCAL did to them since, down to the last
    /// SET. What its body did to others stays.
    pub fn leave_function(&mut self, mark: usize, own: usize) -> Vec<&'static Setting> {
        let entries = self.undo.split_off(mark.min(self.undo.len()));
        let saved: Vec<Which> = entries.iter().take(own - mark).map(|u| u.setting.clone()).collect();
        let (mut reported, mut kept): (Vec<_>, Vec<Undo>) = (Vec::new(), Vec::new());
        for u in entries.into_iter().rev() {
            if !saved.contains(&u.setting) {
                kept.push(u);
            } else if let Some(k) = kept.iter_mut().find(|k| k.setting == u.setting) {
                k.old = u.old;
            } else if u.local {
                reported.extend(self.put_back(u));
            } else {
                kept.push(u);
            }
        }
        self.undo.extend(kept.into_iter().rev());
        reported
    }

    /// The transaction committed: what SET LOCAL did is undone, down to the last SET.
    pub fn commit(&mut self) -> Vec<&'static Setting> {
        let (mut reported, mut kept) = (Vec::new(), Vec::new());
        while let Some(u) = self.undo.pop() {
            if kept.contains(&u.setting) {
                continue;
            }
            if u.local {
                reported.extend(self.put_back(u));
            } else {
                kept.push(u.setting);
            }
        }
        reported
    }

    fn put_back(&mut self, u: Undo) -> Option<&'static Setting> {
        match u.setting {
            Which::Own(i) => {
                self.values[i] = u.old;
                self.changed(i);
                SETTINGS[i].report.then_some(&SETTINGS[i])
            }
            Which::Custom(key) => {
                self.custom.insert(key, u.old.unwrap_or_default());
                None
            }
        }
    }

    fn changed(&mut self, i: usize) {
        if SETTINGS[i].of_plans {
            self.generation += 1;
        }
        self.derive();
        if concerns(SETTINGS[i].name) {
            self.observe = Observe::of(self);
        }
    }

    fn millis(&self, name: &str) -> Option<Duration> {
        let v = parse_int(&self.get(name)?, Unit::Ms)?;
        (v > 0).then(|| Duration::from_millis(v as u64))
    }

    fn derive(&mut self) {
        self.modes_are_default = self.have_default_modes();
        let ds = self.get("DateStyle").unwrap_or_default();
        let (style, order) = ds.split_once(", ").unwrap_or(("ISO", "MDY"));
        self.text.dt = DateTimeStyle {
            date_style: match style {
                "SQL" => DateStyle::Sql,
                "Postgres" => DateStyle::Postgres,
                "German" => DateStyle::German,
                _ => DateStyle::Iso,
            },
            order: match order {
                "DMY" => DateOrder::Dmy,
                "YMD" => DateOrder::Ymd,
                _ => DateOrder::Mdy,
            },
            interval_style: match self.get("IntervalStyle").as_deref() {
                Some("postgres_verbose") => IntervalStyle::PostgresVerbose,
                Some("sql_standard") => IntervalStyle::SqlStandard,
                Some("iso_8601") => IntervalStyle::Iso8601,
                _ => IntervalStyle::Postgres,
            },
            tz: match self.get("TimeZone").as_deref() {
                None | Some("Etc/UTC" | "UTC") => jiff::tz::TimeZone::UTC,
                Some(z) => datetime::parse_zone_setting(z).unwrap_or(jiff::tz::TimeZone::UTC),
            },
        };
        self.text.encoding = self.get("client_encoding").and_then(|e| Encoding::by_name(&e)).unwrap_or(UTF8);
        self.text.xml_part = match self.get("xmloption").as_deref() {
            Some("document") => pamir_types::xml::Part::Document,
            _ => pamir_types::xml::Part::Content,
        };
        self.text.bytea_escape = self.get("bytea_output").as_deref() == Some("escape");
        self.text.extra_float_digits = self.get("extra_float_digits").and_then(|v| v.parse().ok()).unwrap_or(1);
        self.lock_timeout = self.millis("lock_timeout");
        self.statement_timeout = self.millis("statement_timeout");
        self.max_staleness = self.millis("pamir.max_staleness").unwrap_or_default();
        self.read_from = match self.get("pamir.read_from").as_deref() {
            Some("follower") => ReadFrom::Follower,
            Some("nearest") => ReadFrom::Nearest,
            _ => ReadFrom::Leader,
        };
        self.idle_in_transaction_timeout = self.millis("idle_in_transaction_session_timeout");
        self.idle_session_timeout = self.millis("idle_session_timeout");
        let number = |name, unit| {
            self.get(name).and_then(|v| parse_int(&v, unit)).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
        };
        self.tcp = TcpSettings {
            idle: number("tcp_keepalives_idle", Unit::S),
            interval: number("tcp_keepalives_interval", Unit::S),
            count: number("tcp_keepalives_count", Unit::None),
            user_timeout: number("tcp_user_timeout", Unit::Ms),
        };
        self.work_mem =
            self.get("work_mem").and_then(|v| parse_int(&v, Unit::Kb)).unwrap_or(4096).max(64) as usize * 1024;
        let multiplier: f64 = self.get("hash_mem_multiplier").and_then(|v| v.parse().ok()).unwrap_or(2.0);
        self.hash_mem = (self.work_mem as f64 * multiplier) as usize;
        self.replica = self.get("session_replication_role").is_some_and(|v| v == "replica");
        self.told_from = self.get("client_min_messages").as_deref().map_or(Level::Notice, Level::named);
        let limit = self.get("temp_file_limit").and_then(|v| parse_int(&v, Unit::Kb));
        self.temp_file_limit = limit.and_then(|kb| u64::try_from(kb).ok()).map(|kb| kb.saturating_mul(1024));
        self.plan_cache_mode = match self.get("plan_cache_mode").as_deref() {
            Some("force_generic_plan") => PlanCacheMode::ForceGeneric,
            Some("force_custom_plan") => PlanCacheMode::ForceCustom,
            _ => PlanCacheMode::Auto,
        };
        self.plan = PlanSettings {
            enable_partition_pruning: self.get_bool("enable_partition_pruning"),
            enable_seqscan: self.get_bool("enable_seqscan"),
            enable_indexscan: self.get_bool("enable_indexscan"),
            enable_indexonlyscan: self.get_bool("enable_indexonlyscan"),
            enable_tidscan: self.get_bool("enable_tidscan"),
            enable_hashjoin: self.get_bool("enable_hashjoin"),
            enable_mergejoin: self.get_bool("enable_mergejoin"),
            enable_nestloop: self.get_bool("enable_nestloop"),
            enable_hashagg: self.get_bool("enable_hashagg"),
            enable_sort: self.get_bool("enable_sort"),
            join_collapse_limit: self.get("join_collapse_limit").and_then(|v| v.parse().ok()).unwrap_or(8),
        };
    }

    /// The transaction's modes, as mirrored here, are the defaults for new transactions: nothing to set at its begin.
    pub fn modes_are_default(&self) -> bool {
        self.modes_are_default
    }
    fn have_default_modes(&self) -> bool {
        static PLACES: OnceLock<Option<[(usize, usize); 3]>> = OnceLock::new();
        let place = |name| find(name).map(|f| f.0);
        let places = PLACES.get_or_init(|| {
            Some([
                (place("default_transaction_isolation")?, place("transaction_isolation")?),
                (place("default_transaction_read_only")?, place("transaction_read_only")?),
                (place("default_transaction_deferrable")?, place("transaction_deferrable")?),
            ])
        });
        places.is_some_and(|p| p.iter().all(|&(default, now)| self.raw(default) == self.raw(now)))
    }

    /// The schema names of search_path, `"$user"` resolved to `user`.
    pub fn search_path(&self, user: &str) -> Vec<String> {
        split_identifiers(&self.get("search_path").unwrap_or_default())
            .into_iter()
            .map(|s| if s == "$user" { user.to_string() } else { s })
            .collect()
    }
}

/// 42602 unless the parts of an application's name are simple identifiers (valid_custom_variable_name).
fn custom_name(name: &str) -> Result<()> {
    let first = |b: &u8| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80;
    let simple = |part: &str| {
        let b = part.as_bytes();
        b.first().is_some_and(first) && b.iter().all(|b| first(b) || b.is_ascii_digit() || *b == b'$')
    };
    if name.split('.').all(simple) {
        return Ok(());
    }
    Err(err!(INVALID_NAME, "invalid configuration parameter name \"{name}\"")
        .detail("Custom parameter names must be two or more simple identifiers separated by dots."))
}
/// Does only a superuser change it?
pub fn superuser_only(name: &str) -> bool {
    find(name).is_some_and(|(_, s)| s.is_superuser_only())
}
/// Whether ALTER ROLE or DATABASE may keep a setting: its canonical name.
pub fn check(name: &str, value: Option<&str>, superuser: bool) -> Result<String> {
    let Some((_, s)) = find(name) else {
        if name.contains('.') {
            custom_name(name)?;
            return Ok(name.to_ascii_lowercase());
        }
        bail!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\"")
    };
    if s.is_fixed() {
        return Err(s.fixed());
    }
    if !superuser && s.is_superuser_only() {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set parameter \"{}\"", s.name);
    }
    if let Some(v) = value {
        canonical(s, v)?;
    }
    Ok(s.name.to_string())
}
/// Splits `a, "B c", d` as PostgreSQL's SplitIdentifierString does.
pub fn split_identifiers(s: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut chars = s.chars().peekable();
    let (mut current, mut any) = (String::new(), false);
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                any = true;
                while let Some(q) = chars.next() {
                    if q != '"' {
                        current.push(q);
                    } else if chars.peek() == Some(&'"') {
                        chars.next();
                        current.push('"');
                    } else {
                        break;
                    }
                }
            }
            ',' => {
                if any {
                    out.push(std::mem::take(&mut current));
                }
                any = false;
            }
            c if c.is_whitespace() => {}
            c => {
                any = true;
                current.extend(c.to_lowercase());
            }
        }
    }
    if any {
        out.push(current);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_ranges() {
        let mut s = Settings::default();
        s.set("statement_timeout", Some("90s"), false, false).unwrap();
        assert_eq!(s.get("STATEMENT_TIMEOUT").unwrap(), "90s");
        assert_eq!(s.statement_timeout, Some(Duration::from_secs(90)));
        s.set("statement_timeout", Some("120000"), false, false).unwrap();
        assert_eq!(s.get("statement_timeout").unwrap(), "2min");
        let e = s.set("statement_timeout", Some("-1"), false, false).unwrap_err();
        assert_eq!(e.code(), pamir_types::error::state::INVALID_PARAMETER_VALUE);
        assert_eq!(
            s.set("nope", Some("1"), false, false).unwrap_err().message(),
            "unrecognized configuration parameter \"nope\""
        );
    }

    /// What is accepted has its effect, or says that nothing follows from it.
    #[test]
    fn settings_have_an_effect() {
        fn read(dir: &std::path::Path, out: &mut String) {
            for e in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                match e.path() {
                    p if p.ends_with("settings/table.rs") || p.ends_with("tests") || p.ends_with("tests.rs") => {}
                    p if p.is_dir() => read(&p, out),
                    p if p.extension().is_some_and(|e| e == "rs") => {
                        let text = std::fs::read_to_string(p).unwrap();
                        *out += text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                    }
                    _ => {}
                }
            }
        }
        let mut source = String::new();
        read(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut source);
        let of_no_effect = |s: &&Setting| {
            !s.is_fixed() && s.only.is_none() && !s.is_hint() && !source.contains(&format!("\"{}\"", s.name))
        };
        let none: Vec<&str> = SETTINGS.iter().filter(of_no_effect).map(|s| s.name).collect();
        // Its choice is one value.
        assert_eq!(none, ["password_encryption"]);
        let e = |name, v| Settings::default().set(name, Some(v), false, false).map(|_| ()).unwrap_err();
        for (name, v) in [("standard_conforming_strings", "0"), ("transform_null_equals", "on"), ("lc_time", "de_DE")] {
            assert_eq!(e(name, v).code().as_str(), "0A000", "{name}");
            assert_eq!(check(name, Some(v), true).unwrap_err().code().as_str(), "0A000", "{name}");
            assert!(Settings::default().set_session_default(name, v).is_err());
        }
    }

    #[test]
    fn undo_follows_the_transaction() {
        let mut s = Settings::default();
        s.set("work_mem", Some("8MB"), false, false).unwrap();
        let mark = s.mark();
        s.set("work_mem", Some("16MB"), false, true).unwrap();
        s.set("lock_timeout", Some("1s"), true, true).unwrap();
        assert_eq!(s.work_mem, 16 << 20);
        s.rollback_to(mark);
        assert_eq!((s.work_mem, s.lock_timeout), (8 << 20, None));
        s.set("work_mem", Some("16MB"), false, true).unwrap();
        s.set("lock_timeout", Some("1s"), true, true).unwrap();
        s.commit();
        assert_eq!((s.work_mem, s.lock_timeout), (16 << 20, None));
    }

    #[test]
    fn pg_settings_units() {
        let of = |name: &str, value: &str| in_unit(find(name).unwrap().1, value.into());
        assert_eq!(of("work_mem", "4MB"), "4096");
        assert_eq!(of("shared_buffers", "128MB"), "16384");
        assert_eq!(of("authentication_timeout", "1min"), "60");
        assert_eq!(of("statement_timeout", "0"), "0");
        assert_eq!(of("application_name", "1s"), "1s");
        for s in SETTINGS {
            // What a session may set has a default that it may set too, written as SHOW says it.
            assert!(s.is_fixed() || canonical(s, s.default).is_ok_and(|v| v == s.default), "{}", s.name);
        }
        assert!(SETTINGS.is_sorted_by_key(|s| s.name.to_ascii_lowercase()));
    }

    #[test]
    fn identifiers_split() {
        assert_eq!(split_identifiers("\"$user\", public"), ["$user", "public"]);
        assert_eq!(split_identifiers("A, \"B\"\"c\""), ["a", "B\"c"]);
    }
}
