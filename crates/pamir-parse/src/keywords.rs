//! The words that PostgreSQL 15 knows (its kwlist.h), the class of each, and whether it may name a column without AS.
//!
//! Classes, from the most to the least free: *unreserved* words may name anything; *column names* (`between`, `int`) all but types and functions;
//! *types or functions* (`left`, `like`) those and nothing else; *reserved* ones only what follows AS or a dot.

/// What a word may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Unreserved,
    ColumnName,
    TypeOrFunction,
    Reserved,
}

macro_rules! keywords {
    ($($name:ident $word:literal $class:ident $label:ident;)*) => {
        /// A word of the grammar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Keyword { $($name,)* }
        /// By [`Keyword`]'s number: the word, its class, may it be a label without AS.
        static WORDS: &[(&str, Class, bool)] = &[$(($word, Class::$class, keywords!(@$label)),)*];
        static ALL: &[Keyword] = &[$(Keyword::$name,)*];
    };
    (@bare) => { true };
    (@labelled) => { false };
}
keywords! {
    Abort "abort" Unreserved bare;
    Absolute "absolute" Unreserved bare;
    Access "access" Unreserved bare;
    Action "action" Unreserved bare;
    Add "add" Unreserved bare;
    Admin "admin" Unreserved bare;
    After "after" Unreserved bare;
    Aggregate "aggregate" Unreserved bare;
    All "all" Reserved bare;
    Also "also" Unreserved bare;
    Alter "alter" Unreserved bare;
    Always "always" Unreserved bare;
    Analyse "analyse" Reserved bare;
    Analyze "analyze" Reserved bare;
    And "and" Reserved bare;
    Any "any" Reserved bare;
    Array "array" Reserved labelled;
    As "as" Reserved labelled;
    Asc "asc" Reserved bare;
    Asensitive "asensitive" Unreserved bare;
    Assertion "assertion" Unreserved bare;
    Assignment "assignment" Unreserved bare;
    Asymmetric "asymmetric" Reserved bare;
    At "at" Unreserved bare;
    Atomic "atomic" Unreserved bare;
    Attach "attach" Unreserved bare;
    Attribute "attribute" Unreserved bare;
    Authorization "authorization" TypeOrFunction bare;
    Backward "backward" Unreserved bare;
    Before "before" Unreserved bare;
    Begin "begin" Unreserved bare;
    Between "between" ColumnName bare;
    Bigint "bigint" ColumnName bare;
    Binary "binary" TypeOrFunction bare;
    Bit "bit" ColumnName bare;
    Boolean "boolean" ColumnName bare;
    Both "both" Reserved bare;
    Breadth "breadth" Unreserved bare;
    By "by" Unreserved bare;
    Cache "cache" Unreserved bare;
    Call "call" Unreserved bare;
    Called "called" Unreserved bare;
    Cascade "cascade" Unreserved bare;
    Cascaded "cascaded" Unreserved bare;
    Case "case" Reserved bare;
    Cast "cast" Reserved bare;
    Catalog "catalog" Unreserved bare;
    Chain "chain" Unreserved bare;
    Char "char" ColumnName labelled;
    Character "character" ColumnName labelled;
    Characteristics "characteristics" Unreserved bare;
    Check "check" Reserved bare;
    Checkpoint "checkpoint" Unreserved bare;
    Class "class" Unreserved bare;
    Close "close" Unreserved bare;
    Cluster "cluster" Unreserved bare;
    Coalesce "coalesce" ColumnName bare;
    Collate "collate" Reserved bare;
    Collation "collation" TypeOrFunction bare;
    Column "column" Reserved bare;
    Columns "columns" Unreserved bare;
    Comment "comment" Unreserved bare;
    Comments "comments" Unreserved bare;
    Commit "commit" Unreserved bare;
    Committed "committed" Unreserved bare;
    Compression "compression" Unreserved bare;
    Concurrently "concurrently" TypeOrFunction bare;
    Configuration "configuration" Unreserved bare;
    Conflict "conflict" Unreserved bare;
    Connection "connection" Unreserved bare;
    Constraint "constraint" Reserved bare;
    Constraints "constraints" Unreserved bare;
    Content "content" Unreserved bare;
    Continue "continue" Unreserved bare;
    Conversion "conversion" Unreserved bare;
    Copy "copy" Unreserved bare;
    Cost "cost" Unreserved bare;
    Create "create" Reserved labelled;
    Cross "cross" TypeOrFunction bare;
    Csv "csv" Unreserved bare;
    Cube "cube" Unreserved bare;
    Current "current" Unreserved bare;
    CurrentCatalog "current_catalog" Reserved bare;
    CurrentDate "current_date" Reserved bare;
    CurrentRole "current_role" Reserved bare;
    CurrentSchema "current_schema" TypeOrFunction bare;
    CurrentTime "current_time" Reserved bare;
    CurrentTimestamp "current_timestamp" Reserved bare;
    CurrentUser "current_user" Reserved bare;
    Cursor "cursor" Unreserved bare;
    Cycle "cycle" Unreserved bare;
    Data "data" Unreserved bare;
    Database "database" Unreserved bare;
    Day "day" Unreserved labelled;
    Deallocate "deallocate" Unreserved bare;
    Dec "dec" ColumnName bare;
    Decimal "decimal" ColumnName bare;
    Declare "declare" Unreserved bare;
    Default "default" Reserved bare;
    Defaults "defaults" Unreserved bare;
    Deferrable "deferrable" Reserved bare;
    Deferred "deferred" Unreserved bare;
    Definer "definer" Unreserved bare;
    Delete "delete" Unreserved bare;
    Delimiter "delimiter" Unreserved bare;
    Delimiters "delimiters" Unreserved bare;
    Depends "depends" Unreserved bare;
    Depth "depth" Unreserved bare;
    Desc "desc" Reserved bare;
    Detach "detach" Unreserved bare;
    Dictionary "dictionary" Unreserved bare;
    Disable "disable" Unreserved bare;
    Discard "discard" Unreserved bare;
    Distinct "distinct" Reserved bare;
    Do "do" Reserved bare;
    Document "document" Unreserved bare;
    Domain "domain" Unreserved bare;
    Double "double" Unreserved bare;
    Drop "drop" Unreserved bare;
    Each "each" Unreserved bare;
    Else "else" Reserved bare;
    Enable "enable" Unreserved bare;
    Encoding "encoding" Unreserved bare;
    Encrypted "encrypted" Unreserved bare;
    End "end" Reserved bare;
    Enum "enum" Unreserved bare;
    Escape "escape" Unreserved bare;
    Event "event" Unreserved bare;
    Except "except" Reserved labelled;
    Exclude "exclude" Unreserved bare;
    Excluding "excluding" Unreserved bare;
    Exclusive "exclusive" Unreserved bare;
    Execute "execute" Unreserved bare;
    Exists "exists" ColumnName bare;
    Explain "explain" Unreserved bare;
    Expression "expression" Unreserved bare;
    Extension "extension" Unreserved bare;
    External "external" Unreserved bare;
    Extract "extract" ColumnName bare;
    False "false" Reserved bare;
    Family "family" Unreserved bare;
    Fetch "fetch" Reserved labelled;
    Filter "filter" Unreserved labelled;
    Finalize "finalize" Unreserved bare;
    First "first" Unreserved bare;
    Float "float" ColumnName bare;
    Following "following" Unreserved bare;
    For "for" Reserved labelled;
    Force "force" Unreserved bare;
    Foreign "foreign" Reserved bare;
    Forward "forward" Unreserved bare;
    Freeze "freeze" TypeOrFunction bare;
    From "from" Reserved labelled;
    Full "full" TypeOrFunction bare;
    Function "function" Unreserved bare;
    Functions "functions" Unreserved bare;
    Generated "generated" Unreserved bare;
    Global "global" Unreserved bare;
    Grant "grant" Reserved labelled;
    Granted "granted" Unreserved bare;
    Greatest "greatest" ColumnName bare;
    Group "group" Reserved labelled;
    Grouping "grouping" ColumnName bare;
    Groups "groups" Unreserved bare;
    Handler "handler" Unreserved bare;
    Having "having" Reserved labelled;
    Header "header" Unreserved bare;
    Hold "hold" Unreserved bare;
    Hour "hour" Unreserved labelled;
    Identity "identity" Unreserved bare;
    If "if" Unreserved bare;
    Ilike "ilike" TypeOrFunction bare;
    Immediate "immediate" Unreserved bare;
    Immutable "immutable" Unreserved bare;
    Implicit "implicit" Unreserved bare;
    Import "import" Unreserved bare;
    In "in" Reserved bare;
    Include "include" Unreserved bare;
    Including "including" Unreserved bare;
    Increment "increment" Unreserved bare;
    Index "index" Unreserved bare;
    Indexes "indexes" Unreserved bare;
    Inherit "inherit" Unreserved bare;
    Inherits "inherits" Unreserved bare;
    Initially "initially" Reserved bare;
    Inline "inline" Unreserved bare;
    Inner "inner" TypeOrFunction bare;
    Inout "inout" ColumnName bare;
    Input "input" Unreserved bare;
    Insensitive "insensitive" Unreserved bare;
    Insert "insert" Unreserved bare;
    Instead "instead" Unreserved bare;
    Int "int" ColumnName bare;
    Integer "integer" ColumnName bare;
    Intersect "intersect" Reserved labelled;
    Interval "interval" ColumnName bare;
    Into "into" Reserved labelled;
    Invoker "invoker" Unreserved bare;
    Is "is" TypeOrFunction bare;
    Isnull "isnull" TypeOrFunction labelled;
    Isolation "isolation" Unreserved bare;
    Join "join" TypeOrFunction bare;
    Key "key" Unreserved bare;
    Label "label" Unreserved bare;
    Language "language" Unreserved bare;
    Large "large" Unreserved bare;
    Last "last" Unreserved bare;
    Lateral "lateral" Reserved bare;
    Leading "leading" Reserved bare;
    Leakproof "leakproof" Unreserved bare;
    Least "least" ColumnName bare;
    Left "left" TypeOrFunction bare;
    Level "level" Unreserved bare;
    Like "like" TypeOrFunction bare;
    Limit "limit" Reserved labelled;
    Listen "listen" Unreserved bare;
    Load "load" Unreserved bare;
    Local "local" Unreserved bare;
    Localtime "localtime" Reserved bare;
    Localtimestamp "localtimestamp" Reserved bare;
    Location "location" Unreserved bare;
    Lock "lock" Unreserved bare;
    Locked "locked" Unreserved bare;
    Logged "logged" Unreserved bare;
    Mapping "mapping" Unreserved bare;
    Match "match" Unreserved bare;
    Matched "matched" Unreserved bare;
    Materialized "materialized" Unreserved bare;
    Maxvalue "maxvalue" Unreserved bare;
    Merge "merge" Unreserved bare;
    Method "method" Unreserved bare;
    Minute "minute" Unreserved labelled;
    Minvalue "minvalue" Unreserved bare;
    Mode "mode" Unreserved bare;
    Month "month" Unreserved labelled;
    Move "move" Unreserved bare;
    Name "name" Unreserved bare;
    Names "names" Unreserved bare;
    National "national" ColumnName bare;
    Natural "natural" TypeOrFunction bare;
    Nchar "nchar" ColumnName bare;
    New "new" Unreserved bare;
    Next "next" Unreserved bare;
    Nfc "nfc" Unreserved bare;
    Nfd "nfd" Unreserved bare;
    Nfkc "nfkc" Unreserved bare;
    Nfkd "nfkd" Unreserved bare;
    No "no" Unreserved bare;
    None "none" ColumnName bare;
    Normalize "normalize" ColumnName bare;
    Normalized "normalized" Unreserved bare;
    Not "not" Reserved bare;
    Nothing "nothing" Unreserved bare;
    Notify "notify" Unreserved bare;
    Notnull "notnull" TypeOrFunction labelled;
    Nowait "nowait" Unreserved bare;
    Null "null" Reserved bare;
    Nullif "nullif" ColumnName bare;
    Nulls "nulls" Unreserved bare;
    Numeric "numeric" ColumnName bare;
    Object "object" Unreserved bare;
    Of "of" Unreserved bare;
    Off "off" Unreserved bare;
    Offset "offset" Reserved labelled;
    Oids "oids" Unreserved bare;
    Old "old" Unreserved bare;
    On "on" Reserved labelled;
    Only "only" Reserved bare;
    Operator "operator" Unreserved bare;
    Option "option" Unreserved bare;
    Options "options" Unreserved bare;
    Or "or" Reserved bare;
    Order "order" Reserved labelled;
    Ordinality "ordinality" Unreserved bare;
    Others "others" Unreserved bare;
    Out "out" ColumnName bare;
    Outer "outer" TypeOrFunction bare;
    Over "over" Unreserved labelled;
    Overlaps "overlaps" TypeOrFunction labelled;
    Overlay "overlay" ColumnName bare;
    Overriding "overriding" Unreserved bare;
    Owned "owned" Unreserved bare;
    Owner "owner" Unreserved bare;
    Parallel "parallel" Unreserved bare;
    Parameter "parameter" Unreserved bare;
    Parser "parser" Unreserved bare;
    Partial "partial" Unreserved bare;
    Partition "partition" Unreserved bare;
    Passing "passing" Unreserved bare;
    Password "password" Unreserved bare;
    Placing "placing" Reserved bare;
    Plans "plans" Unreserved bare;
    Policy "policy" Unreserved bare;
    Position "position" ColumnName bare;
    Preceding "preceding" Unreserved bare;
    Precision "precision" ColumnName labelled;
    Prepare "prepare" Unreserved bare;
    Prepared "prepared" Unreserved bare;
    Preserve "preserve" Unreserved bare;
    Primary "primary" Reserved bare;
    Prior "prior" Unreserved bare;
    Privileges "privileges" Unreserved bare;
    Procedural "procedural" Unreserved bare;
    Procedure "procedure" Unreserved bare;
    Procedures "procedures" Unreserved bare;
    Program "program" Unreserved bare;
    Publication "publication" Unreserved bare;
    Quote "quote" Unreserved bare;
    Range "range" Unreserved bare;
    Read "read" Unreserved bare;
    Real "real" ColumnName bare;
    Reassign "reassign" Unreserved bare;
    Recheck "recheck" Unreserved bare;
    Recursive "recursive" Unreserved bare;
    Ref "ref" Unreserved bare;
    References "references" Reserved bare;
    Referencing "referencing" Unreserved bare;
    Refresh "refresh" Unreserved bare;
    Reindex "reindex" Unreserved bare;
    Relative "relative" Unreserved bare;
    Release "release" Unreserved bare;
    Rename "rename" Unreserved bare;
    Repeatable "repeatable" Unreserved bare;
    Replace "replace" Unreserved bare;
    Replica "replica" Unreserved bare;
    Reset "reset" Unreserved bare;
    Restart "restart" Unreserved bare;
    Restrict "restrict" Unreserved bare;
    Return "return" Unreserved bare;
    Returning "returning" Reserved labelled;
    Returns "returns" Unreserved bare;
    Revoke "revoke" Unreserved bare;
    Right "right" TypeOrFunction bare;
    Role "role" Unreserved bare;
    Rollback "rollback" Unreserved bare;
    Rollup "rollup" Unreserved bare;
    Routine "routine" Unreserved bare;
    Routines "routines" Unreserved bare;
    Row "row" ColumnName bare;
    Rows "rows" Unreserved bare;
    Rule "rule" Unreserved bare;
    Savepoint "savepoint" Unreserved bare;
    Schema "schema" Unreserved bare;
    Schemas "schemas" Unreserved bare;
    Scroll "scroll" Unreserved bare;
    Search "search" Unreserved bare;
    Second "second" Unreserved labelled;
    Security "security" Unreserved bare;
    Select "select" Reserved bare;
    Sequence "sequence" Unreserved bare;
    Sequences "sequences" Unreserved bare;
    Serializable "serializable" Unreserved bare;
    Server "server" Unreserved bare;
    Session "session" Unreserved bare;
    SessionUser "session_user" Reserved bare;
    Set "set" Unreserved bare;
    Setof "setof" ColumnName bare;
    Sets "sets" Unreserved bare;
    Share "share" Unreserved bare;
    Show "show" Unreserved bare;
    Similar "similar" TypeOrFunction bare;
    Simple "simple" Unreserved bare;
    Skip "skip" Unreserved bare;
    Smallint "smallint" ColumnName bare;
    Snapshot "snapshot" Unreserved bare;
    Some "some" Reserved bare;
    Sql "sql" Unreserved bare;
    Stable "stable" Unreserved bare;
    Standalone "standalone" Unreserved bare;
    Start "start" Unreserved bare;
    Statement "statement" Unreserved bare;
    Statistics "statistics" Unreserved bare;
    Stdin "stdin" Unreserved bare;
    Stdout "stdout" Unreserved bare;
    Storage "storage" Unreserved bare;
    Stored "stored" Unreserved bare;
    Strict "strict" Unreserved bare;
    Strip "strip" Unreserved bare;
    Subscription "subscription" Unreserved bare;
    Substring "substring" ColumnName bare;
    Support "support" Unreserved bare;
    Symmetric "symmetric" Reserved bare;
    Sysid "sysid" Unreserved bare;
    System "system" Unreserved bare;
    Table "table" Reserved bare;
    Tables "tables" Unreserved bare;
    Tablesample "tablesample" TypeOrFunction bare;
    Tablespace "tablespace" Unreserved bare;
    Temp "temp" Unreserved bare;
    Template "template" Unreserved bare;
    Temporary "temporary" Unreserved bare;
    Text "text" Unreserved bare;
    Then "then" Reserved bare;
    Ties "ties" Unreserved bare;
    Time "time" ColumnName bare;
    Timestamp "timestamp" ColumnName bare;
    To "to" Reserved labelled;
    Trailing "trailing" Reserved bare;
    Transaction "transaction" Unreserved bare;
    Transform "transform" Unreserved bare;
    Treat "treat" ColumnName bare;
    Trigger "trigger" Unreserved bare;
    Trim "trim" ColumnName bare;
    True "true" Reserved bare;
    Truncate "truncate" Unreserved bare;
    Trusted "trusted" Unreserved bare;
    Type "type" Unreserved bare;
    Types "types" Unreserved bare;
    Uescape "uescape" Unreserved bare;
    Unbounded "unbounded" Unreserved bare;
    Uncommitted "uncommitted" Unreserved bare;
    Unencrypted "unencrypted" Unreserved bare;
    Union "union" Reserved labelled;
    Unique "unique" Reserved bare;
    Unknown "unknown" Unreserved bare;
    Unlisten "unlisten" Unreserved bare;
    Unlogged "unlogged" Unreserved bare;
    Until "until" Unreserved bare;
    Update "update" Unreserved bare;
    User "user" Reserved bare;
    Using "using" Reserved bare;
    Vacuum "vacuum" Unreserved bare;
    Valid "valid" Unreserved bare;
    Validate "validate" Unreserved bare;
    Validator "validator" Unreserved bare;
    Value "value" Unreserved bare;
    Values "values" ColumnName bare;
    Varchar "varchar" ColumnName bare;
    Variadic "variadic" Reserved bare;
    Varying "varying" Unreserved labelled;
    Verbose "verbose" TypeOrFunction bare;
    Version "version" Unreserved bare;
    View "view" Unreserved bare;
    Views "views" Unreserved bare;
    Volatile "volatile" Unreserved bare;
    When "when" Reserved bare;
    Where "where" Reserved labelled;
    Whitespace "whitespace" Unreserved bare;
    Window "window" Reserved labelled;
    With "with" Reserved labelled;
    Within "within" Unreserved labelled;
    Without "without" Unreserved labelled;
    Work "work" Unreserved bare;
    Wrapper "wrapper" Unreserved bare;
    Write "write" Unreserved bare;
    Xml "xml" Unreserved bare;
    Xmlattributes "xmlattributes" ColumnName bare;
    Xmlconcat "xmlconcat" ColumnName bare;
    Xmlelement "xmlelement" ColumnName bare;
    Xmlexists "xmlexists" ColumnName bare;
    Xmlforest "xmlforest" ColumnName bare;
    Xmlnamespaces "xmlnamespaces" ColumnName bare;
    Xmlparse "xmlparse" ColumnName bare;
    Xmlpi "xmlpi" ColumnName bare;
    Xmlroot "xmlroot" ColumnName bare;
    Xmlserialize "xmlserialize" ColumnName bare;
    Xmltable "xmltable" ColumnName bare;
    Year "year" Unreserved labelled;
    Yes "yes" Unreserved bare;
    Zone "zone" Unreserved bare;
}

/// No word is longer.
const LONGEST: usize = 17;
/// Places of the table: a power of two, over four times the words, so that most words stand at their first place.
const PLACES: usize = 2048;
const FREE: u16 = u16::MAX;

const fn hash(lower: &[u8]) -> usize {
    let mut h = 0x811c_9dc5u32;
    let mut i = 0;
    while i < lower.len() {
        h = (h ^ lower[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    ((h ^ (h >> 15)) as usize) & (PLACES - 1)
}

/// An open-addressed table from words to their numbers, made by the compiler.
static TABLE: [u16; PLACES] = {
    let mut table = [FREE; PLACES];
    let mut k = 0;
    while k < WORDS.len() {
        let word = WORDS[k].0.as_bytes();
        assert!(word.len() <= LONGEST);
        let mut at = hash(word);
        while table[at] != FREE {
            at = (at + 1) & (PLACES - 1);
        }
        table[at] = k as u16;
        k += 1;
    }
    table
};

impl Keyword {
    /// The keyword that `word` is, in letters of any case.
    pub fn of(word: &str) -> Option<Keyword> {
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..word.len())?;
        for (to, from) in lower.iter_mut().zip(word.bytes()) {
            *to = from.to_ascii_lowercase();
        }
        let mut at = hash(lower);
        loop {
            match TABLE[at] {
                FREE => return None,
                k if WORDS[k as usize].0.as_bytes() == lower => return Some(ALL[k as usize]),
                _ => at = (at + 1) & (PLACES - 1),
            }
        }
    }
    /// In lower case.
    pub fn word(self) -> &'static str {
        WORDS[self as usize].0
    }
    pub fn class(self) -> Class {
        WORDS[self as usize].1
    }
    /// May it name a column without AS (`select 1 total`)?
    pub fn is_bare_label(self) -> bool {
        WORDS[self as usize].2
    }
    /// All, in the order of their words.
    pub fn all() -> &'static [Keyword] {
        ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        for k in Keyword::all() {
            assert_eq!(Keyword::of(k.word()), Some(*k));
            assert_eq!(Keyword::of(&k.word().to_uppercase()), Some(*k));
            assert_eq!(
                Keyword::of(&format!("{}x", k.word())).map(Keyword::word),
                WORDS.iter().map(|w| w.0).find(|w| *w == format!("{}x", k.word()))
            );
        }
        for other in ["", "sel", "selects", "a_word_that_is_longer_than_any", "ſelect"] {
            assert_eq!(Keyword::of(other), None);
        }
    }
}
