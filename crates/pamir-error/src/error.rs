//! Errors a user can see: SQLSTATE, message, and where it helps detail, hint and position.
//!
//! Field meanings follow PostgreSQL's "Error and Notice Message Fields" (protocol-error-fields).
use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

/// Five characters of SQLSTATE (PostgreSQL, Appendix A).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SqlState(pub [u8; 5]);

impl SqlState {
    pub const fn new(code: &str) -> SqlState {
        let b = code.as_bytes();
        assert!(b.len() == 5);
        SqlState([b[0], b[1], b[2], b[3], b[4]])
    }
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XX000")
    }
}
impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! states { ($($name:ident = $code:literal;)*) => {
    /// SQLSTATE constants by PostgreSQL's condition names.
    pub mod state { use super::SqlState; $(pub const $name: SqlState = SqlState::new($code);)* }
} }
states! {
    SUCCESSFUL_COMPLETION = "00000"; WARNING = "01000"; PRIVILEGE_NOT_REVOKED = "01006"; PRIVILEGE_NOT_GRANTED = "01007"; NO_DATA = "02000";
    CONNECTION_EXCEPTION = "08000"; CONNECTION_FAILURE = "08006"; TRANSACTION_RESOLUTION_UNKNOWN = "08007"; PROTOCOL_VIOLATION = "08P01";
    FEATURE_NOT_SUPPORTED = "0A000"; INVALID_GRANTOR = "0L000"; INVALID_GRANT_OPERATION = "0LP01"; INVALID_ROLE_SPECIFICATION = "0P000";
    CARDINALITY_VIOLATION = "21000";
    DATA_EXCEPTION = "22000"; STRING_DATA_RIGHT_TRUNCATION = "22001"; NUMERIC_VALUE_OUT_OF_RANGE = "22003"; NULL_VALUE_NOT_ALLOWED = "22004";
    INVALID_DATETIME_FORMAT = "22007"; DATETIME_FIELD_OVERFLOW = "22008"; INVALID_TIME_ZONE_DISPLACEMENT = "22009"; ESCAPE_CHARACTER_CONFLICT = "2200B"; ZERO_LENGTH_CHARACTER_STRING = "2200F";
    SUBSTRING_ERROR = "22011"; DIVISION_BY_ZERO = "22012"; INVALID_PRECEDING_OR_FOLLOWING_SIZE = "22013"; INVALID_ARGUMENT_FOR_NTILE = "22014"; INVALID_ARGUMENT_FOR_NTH_VALUE = "22016"; INTERVAL_FIELD_OVERFLOW = "22015"; INVALID_CHARACTER_VALUE_FOR_CAST = "22018";
    INVALID_ESCAPE_CHARACTER = "22019"; INVALID_REGULAR_EXPRESSION = "2201B"; INVALID_ARGUMENT_FOR_LOG = "2201E"; INVALID_ARGUMENT_FOR_POWER = "2201F"; INVALID_ARGUMENT_FOR_WIDTH_BUCKET = "2201G";
    INVALID_ROW_COUNT_IN_LIMIT = "2201W"; INVALID_ROW_COUNT_IN_OFFSET = "2201X"; CHARACTER_NOT_IN_REPERTOIRE = "22021"; INVALID_PARAMETER_VALUE = "22023"; INVALID_ESCAPE_SEQUENCE = "22025";
    INVALID_USE_OF_ESCAPE_CHARACTER = "2200C"; STRING_DATA_LENGTH_MISMATCH = "22026"; ARRAY_SUBSCRIPT_ERROR = "2202E";
    INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION = "22031"; INVALID_SQL_JSON_SUBSCRIPT = "22033"; NON_NUMERIC_SQL_JSON_ITEM = "22036"; SINGLETON_SQL_JSON_ITEM_REQUIRED = "22038"; SQL_JSON_ARRAY_NOT_FOUND = "22039";
    SQL_JSON_MEMBER_NOT_FOUND = "2203A"; SQL_JSON_NUMBER_NOT_FOUND = "2203B"; SQL_JSON_OBJECT_NOT_FOUND = "2203C";
    INVALID_TEXT_REPRESENTATION = "22P02"; INVALID_BINARY_REPRESENTATION = "22P03"; BAD_COPY_FILE_FORMAT = "22P04"; UNTRANSLATABLE_CHARACTER = "22P05"; SEQUENCE_GENERATOR_LIMIT_EXCEEDED = "2200H"; INVALID_TABLESAMPLE_REPEAT = "2202G"; INVALID_TABLESAMPLE_ARGUMENT = "2202H";
    NOT_AN_XML_DOCUMENT = "2200L"; INVALID_XML_DOCUMENT = "2200M"; INVALID_XML_CONTENT = "2200N"; INVALID_XML_COMMENT = "2200S"; INVALID_XML_PROCESSING_INSTRUCTION = "2200T";
    INTEGRITY_CONSTRAINT_VIOLATION = "23000"; RESTRICT_VIOLATION = "23001"; NOT_NULL_VIOLATION = "23502"; FOREIGN_KEY_VIOLATION = "23503"; UNIQUE_VIOLATION = "23505"; CHECK_VIOLATION = "23514"; EXCLUSION_VIOLATION = "23P01"; WITH_CHECK_OPTION_VIOLATION = "44000";
    INVALID_CURSOR_STATE = "24000"; INVALID_CURSOR_DEFINITION = "42P11";
    ACTIVE_SQL_TRANSACTION = "25001"; NO_ACTIVE_SQL_TRANSACTION = "25P01"; IN_FAILED_SQL_TRANSACTION = "25P02"; IDLE_IN_TRANSACTION_SESSION_TIMEOUT = "25P03"; READ_ONLY_SQL_TRANSACTION = "25006";
    INVALID_SQL_STATEMENT_NAME = "26000"; TRIGGERED_DATA_CHANGE_VIOLATION = "27000"; INVALID_AUTHORIZATION_SPECIFICATION = "28000"; INVALID_PASSWORD = "28P01"; DEPENDENT_OBJECTS_STILL_EXIST = "2BP01"; INVALID_TRANSACTION_TERMINATION = "2D000";
    INVALID_CURSOR_NAME = "34000"; INVALID_CATALOG_NAME = "3D000"; INVALID_SCHEMA_NAME = "3F000"; INVALID_SAVEPOINT_SPECIFICATION = "3B001";
    EXTERNAL_ROUTINE_INVOCATION_EXCEPTION = "39000"; SERIALIZATION_FAILURE = "40001"; STATEMENT_COMPLETION_UNKNOWN = "40003"; DEADLOCK_DETECTED = "40P01";
    SYNTAX_ERROR_OR_ACCESS_RULE = "42000"; SYNTAX_ERROR = "42601"; INSUFFICIENT_PRIVILEGE = "42501"; CANNOT_COERCE = "42846"; GROUPING_ERROR = "42803"; WINDOWING_ERROR = "42P20"; INVALID_RECURSION = "42P19";
    INVALID_FOREIGN_KEY = "42830"; INVALID_NAME = "42602"; NAME_TOO_LONG = "42622"; RESERVED_NAME = "42939"; DATATYPE_MISMATCH = "42804"; INDETERMINATE_DATATYPE = "42P18"; COLLATION_MISMATCH = "42P21"; WRONG_OBJECT_TYPE = "42809"; GENERATED_ALWAYS = "428C9";
    UNDEFINED_COLUMN = "42703"; UNDEFINED_FUNCTION = "42883"; UNDEFINED_TABLE = "42P01"; UNDEFINED_PARAMETER = "42P02"; UNDEFINED_OBJECT = "42704"; UNDEFINED_PSTATEMENT = "26000"; UNDEFINED_CURSOR = "34000";
    DUPLICATE_COLUMN = "42701"; DUPLICATE_CURSOR = "42P03"; DUPLICATE_DATABASE = "42P04"; DUPLICATE_FUNCTION = "42723"; DUPLICATE_PREPARED_STATEMENT = "42P05"; DUPLICATE_SCHEMA = "42P06"; DUPLICATE_TABLE = "42P07"; DUPLICATE_ALIAS = "42712"; DUPLICATE_OBJECT = "42710";
    AMBIGUOUS_COLUMN = "42702"; AMBIGUOUS_FUNCTION = "42725"; AMBIGUOUS_PARAMETER = "42P08"; AMBIGUOUS_ALIAS = "42P09"; INVALID_COLUMN_REFERENCE = "42P10"; INVALID_COLUMN_DEFINITION = "42611"; INVALID_DATABASE_DEFINITION = "42P12"; INVALID_FUNCTION_DEFINITION = "42P13"; INVALID_PSTATEMENT_DEFINITION = "42P14";
    INVALID_SCHEMA_DEFINITION = "42P15"; INVALID_TABLE_DEFINITION = "42P16"; INVALID_OBJECT_DEFINITION = "42P17";
    INSUFFICIENT_RESOURCES = "53000"; DISK_FULL = "53100"; OUT_OF_MEMORY = "53200"; TOO_MANY_CONNECTIONS = "53300"; CONFIGURATION_LIMIT_EXCEEDED = "53400";
    PROGRAM_LIMIT_EXCEEDED = "54000"; STATEMENT_TOO_COMPLEX = "54001"; TOO_MANY_COLUMNS = "54011"; TOO_MANY_ARGUMENTS = "54023";
    OBJECT_NOT_IN_PREREQUISITE_STATE = "55000"; OBJECT_IN_USE = "55006"; CANT_CHANGE_RUNTIME_PARAM = "55P02"; LOCK_NOT_AVAILABLE = "55P03"; UNSAFE_NEW_ENUM_VALUE_USAGE = "55P04";
    QUERY_CANCELED = "57014"; ADMIN_SHUTDOWN = "57P01"; CRASH_SHUTDOWN = "57P02"; CANNOT_CONNECT_NOW = "57P03"; IDLE_SESSION_TIMEOUT = "57P05";
    SYSTEM_ERROR = "58000"; IO_ERROR = "58030"; UNDEFINED_FILE = "58P01"; SNAPSHOT_TOO_OLD = "72000"; CONFIG_FILE_ERROR = "F0000"; LOCK_FILE_EXISTS = "F0001";
    INTERNAL_ERROR = "XX000"; DATA_CORRUPTED = "XX001"; INDEX_CORRUPTED = "XX002";
}

/// `ERROR` ends the statement, `FATAL` the session; the rest are notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Fatal,
    Panic,
    Warning,
    Notice,
    Debug,
    Info,
    Log,
}

/// An error or notice. One pointer wide, so `Result` stays small on hot paths.
#[derive(Clone)]
pub struct Error(Box<ErrorData>);

#[derive(Clone, Debug)]
pub struct ErrorData {
    pub severity: Severity,
    pub code: SqlState,
    pub message: String,
    pub detail: Option<String>,
    pub hint: Option<String>,
    /// Character offset into the query text, 1-based.
    pub position: Option<u32>,
    pub context: Option<String>,
    pub schema: Option<String>,
    pub table: Option<String>,
    pub column: Option<String>,
    pub datatype: Option<String>,
    pub constraint: Option<String>,
    /// The routine of PostgreSQL's that reports it, where drivers look at that.
    pub routine: Option<&'static str>,
    /// Where the program made it.
    pub made: Place,
    /// A statement that ran within the client's, and the character of it, 1-based, that is to blame.
    pub inner: Option<(u32, String)>,
    /// It never gets a position.
    pub placeless: bool,
    /// See [`Error::of_lost_leader`].
    leader_lost: bool,
}

/// A place in the program's text. Errors that say the same are shown the same, wherever they were made: [`fmt::Debug`] leaves it out.
#[derive(Clone, Copy)]
pub struct Place(&'static Location<'static>);
impl std::ops::Deref for Place {
    type Target = Location<'static>;
    fn deref(&self) -> &Location<'static> {
        self.0
    }
}
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("..")
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    #[track_caller]
    pub fn new(code: SqlState, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorData {
            severity: Severity::Error,
            code,
            message: message.into(),
            detail: None,
            hint: None,
            position: None,
            context: None,
            schema: None,
            table: None,
            column: None,
            datatype: None,
            constraint: None,
            routine: None,
            made: Place(Location::caller()),
            inner: None,
            placeless: false,
            leader_lost: false,
        }))
    }
    /// Marks the error of a transaction that was rolled back for no other reason than that the node with its data leads no longer, or cannot be reached: nothing of it was
    /// done or ever will be, so whoever has told nobody of it may do it again at the next leader.
    pub fn of_lost_leader(mut self) -> Error {
        self.0.leader_lost = true;
        self
    }
    pub fn is_of_lost_leader(&self) -> bool {
        self.0.leader_lost
    }
    /// `0A000`: the feature is known and not there yet.
    #[track_caller]
    pub fn unsupported(feature: impl fmt::Display) -> Error {
        Error::new(state::FEATURE_NOT_SUPPORTED, format!("{feature} is not supported yet"))
    }
    #[track_caller]
    pub fn internal(message: impl Into<String>) -> Error {
        Error::new(state::INTERNAL_ERROR, message)
    }
    pub fn code(&self) -> SqlState {
        self.0.code
    }
    pub fn routine(mut self, name: &'static str) -> Error {
        self.0.routine = Some(name);
        self
    }
    /// The file that made it, without its directories, and the line; and what stands for the routine where none is named: the module.
    pub fn source(&self) -> (&'static str, u32, &'static str) {
        let path = self.0.made.file();
        let (directories, file) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        let module = match file.strip_suffix(".rs").unwrap_or(file) {
            "mod" => directories.rsplit(['/', '\\']).next().unwrap_or_default(),
            stem => stem,
        };
        (file, self.0.made.line(), self.0.routine.unwrap_or(module))
    }
    /// The message without the control characters that may have come with a client's text: for a log, whose lines are lines.
    pub fn message_on_one_line(&self) -> Cow<'_, str> {
        let message = self.message();
        if !message.contains(char::is_control) {
            return Cow::Borrowed(message);
        }
        let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        Cow::Owned(message.chars().map(shown).collect())
    }
    pub fn message(&self) -> &str {
        &self.0.message
    }
    pub fn data(&self) -> &ErrorData {
        &self.0
    }
    pub fn data_mut(&mut self) -> &mut ErrorData {
        &mut self.0
    }
    pub fn severity(mut self, s: Severity) -> Error {
        self.0.severity = s;
        self
    }
    pub fn detail(mut self, s: impl Into<String>) -> Error {
        self.0.detail = Some(s.into());
        self
    }
    pub fn hint(mut self, s: impl Into<String>) -> Error {
        self.0.hint = Some(s.into());
        self
    }
    pub fn context(mut self, s: impl Into<String>) -> Error {
        self.0.context = Some(s.into());
        self
    }
    /// Sets the position unless one is set already (the innermost place wins).
    pub fn at(mut self, pos: Option<u32>) -> Error {
        if self.0.position.is_none() && !self.0.placeless {
            self.0.position = pos;
        }
        self
    }
    /// No place of the text is to blame, whoever may offer one: a conversion of a value failed, not the reading of a literal.
    pub fn nowhere(mut self) -> Error {
        self.0.placeless = true;
        self
    }
    /// Its place in another text than the one it was found in; None: there is none.
    pub fn placed_at(mut self, pos: Option<u32>) -> Error {
        (self.0.position, self.0.placeless) = (pos, pos.is_none());
        self
    }
    /// Its place in a statement within the client's, which becomes what the error shows; as it is where it has no place.
    pub fn within(mut self, query: &str) -> Error {
        if let Some(p) = self.0.position.take() {
            self.0.inner = Some((p, query.to_string()));
        }
        self.0.placeless = true;
        self
    }
    pub fn table(mut self, schema: impl Into<String>, table: impl Into<String>) -> Error {
        self.0.schema = Some(schema.into());
        self.0.table = Some(table.into());
        self
    }
    pub fn column(mut self, s: impl Into<String>) -> Error {
        self.0.column = Some(s.into());
        self
    }
    pub fn constraint(mut self, s: impl Into<String>) -> Error {
        self.0.constraint = Some(s.into());
        self
    }
}
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} (SQLSTATE {})", self.0.severity, self.0.message, self.0.code.as_str())
    }
}
impl std::error::Error for Error {}

/// `err!(SYNTAX_ERROR, "syntax error at {}", x)` builds an [`Error`]; chain `.detail(..)`, `.hint(..)`.
#[macro_export]
macro_rules! err {
    ($state:ident, $($arg:tt)*) => { $crate::error::Error::new($crate::error::state::$state, format!($($arg)*)) };
}
/// `bail!(SYNTAX_ERROR, "...")` returns `Err(err!(...))`.
#[macro_export]
macro_rules! bail {
    ($state:ident, $($arg:tt)*) => { return Err($crate::err!($state, $($arg)*)) };
}
