//! CREATE, ALTER, DROP and what they are about.
use super::*;

// ---- objects ----

/// A kind of object whose name is a name
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    AccessMethod,
    Aggregate,
    Cast,
    Collation,
    Column,
    Constraint,
    Conversion,
    Database,
    Domain,
    EventTrigger,
    Extension,
    ForeignDataWrapper,
    ForeignTable,
    Function,
    Index,
    Language,
    LargeObject,
    MaterializedView,
    Operator,
    OperatorClass,
    OperatorFamily,
    Parameter,
    Policy,
    Procedure,
    Publication,
    Role,
    Routine,
    Rule,
    Schema,
    Sequence,
    Server,
    Statistics,
    Subscription,
    Table,
    Tablespace,
    TextSearchConfiguration,
    TextSearchDictionary,
    TextSearchParser,
    TextSearchTemplate,
    Transform,
    Trigger,
    Type,
    View,
}
/// An object as COMMENT, DROP, ALTER ... OWNER and their kin name it
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    Named(ObjectKind, QualifiedName),
    /// A constraint, trigger, rule or policy of a table; with `domain` a domain's constraint
    On {
        kind: ObjectKind,
        name: Name,
        of: QualifiedName,
        domain: bool,
    },
    /// FUNCTION, PROCEDURE, ROUTINE
    Routine(ObjectKind, RoutineRef),
    Aggregate(RoutineRef),
    Operator(OperatorRef),
    /// OPERATOR CLASS or FAMILY
    Class {
        kind: ObjectKind,
        name: QualifiedName,
        method: Name,
    },
    /// TYPE or DOMAIN
    Type(ObjectKind, TypeName),
    Cast(TypeName, TypeName),
    Transform(TypeName, Name),
    LargeObject(DefValue),
}
/// `name (arguments)`; without arguments: None
#[derive(Clone, Debug, PartialEq)]
pub struct RoutineRef {
    pub name: Vec<Name>,
    pub args: Option<Vec<Parameter>>,
    pub at: At,
}
/// `operator (left, right)`; NONE: no such side
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorRef {
    pub name: OperatorName,
    pub left: Option<TypeName>,
    pub right: Option<TypeName>,
    pub at: At,
}

// ---- CREATE ----

#[derive(Clone, Debug, PartialEq)]
pub enum Create {
    Table(CreateTable),
    TableAs(CreateTableAs),
    Index(CreateIndex),
    Sequence {
        name: Relation,
        persistence: Persistence,
        if_not_exists: bool,
        options: Vec<SequenceOption>,
    },
    View(CreateView),
    Schema {
        name: Option<Name>,
        owner: Option<RoleSpec>,
        if_not_exists: bool,
        elements: Vec<Statement>,
    },
    Database {
        name: Name,
        options: Vec<DefElem>,
    },
    /// ROLE, USER or GROUP: the word matters, for users may log in.
    Role {
        word: RoleWord,
        name: Name,
        options: Vec<RoleOption>,
    },
    Extension {
        name: Name,
        if_not_exists: bool,
        options: Vec<DefElem>,
    },
    Domain {
        name: QualifiedName,
        ty: TypeName,
        collation: Option<QualifiedName>,
        constraints: Vec<ColumnConstraint>,
    },
    Type {
        name: QualifiedName,
        definition: TypeDefinition,
    },
    Routine(CreateRoutine),
    Trigger(CreateTrigger),
    EventTrigger {
        name: Name,
        event: String,
        /// WHEN variable IN (values)
        filters: Vec<(Name, Vec<String>)>,
        function: Vec<Name>,
    },
    Aggregate {
        replace: bool,
        name: Vec<Name>,
        args: Option<AggregateArgs>,
        definition: Vec<DefElem>,
        at: At,
    },
    Operator {
        name: OperatorName,
        definition: Vec<DefElem>,
        at: At,
    },
    Cast {
        from: TypeName,
        to: TypeName,
        function: Option<RoutineRef>,
        inout: bool,
        context: CastContext,
    },
    Statistics {
        name: QualifiedName,
        if_not_exists: bool,
        kinds: Vec<Name>,
        of: Vec<Expr>,
        from: Vec<TableRef>,
    },
    Rule(CreateRule),
    Collation {
        name: QualifiedName,
        if_not_exists: bool,
        from: Option<QualifiedName>,
        definition: Vec<DefElem>,
    },
    Policy(CreatePolicy),
    /// DICTIONARY or CONFIGURATION
    TextSearch {
        kind: ObjectKind,
        name: QualifiedName,
        definition: Vec<DefElem>,
    },
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleWord {
    Role,
    User,
    Group,
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTable {
    pub name: Relation,
    pub persistence: Persistence,
    pub if_not_exists: bool,
    pub elements: Vec<TableElement>,
    /// `OF type`
    pub of_type: Option<QualifiedName>,
    /// `PARTITION OF parent bound`
    pub partition_of: Option<(Relation, PartitionBound)>,
    pub inherits: Vec<Relation>,
    pub partition_by: Option<PartitionBy>,
    pub tail: TableTail,
    /// A foreign table's server and options
    pub server: Option<(Name, Vec<DefElem>)>,
}
impl CreateTable {
    /// A table without anything yet
    pub fn new(name: Relation, persistence: Persistence, if_not_exists: bool) -> CreateTable {
        CreateTable {
            name,
            persistence,
            if_not_exists,
            elements: Vec::new(),
            of_type: None,
            partition_of: None,
            inherits: Vec::new(),
            partition_by: None,
            tail: TableTail::default(),
            server: None,
        }
    }
}
/// What stands behind a table's columns
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TableTail {
    pub access_method: Option<Name>,
    pub options: Vec<DefElem>,
    pub on_commit: OnCommit,
    pub tablespace: Option<Name>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnCommit {
    #[default]
    Nothing,
    PreserveRows,
    DeleteRows,
    Drop,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TableElement {
    Column(ColumnDefinition),
    Constraint(TableConstraint),
    Like { relation: Relation, options: Vec<(bool, LikeOption)> },
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeOption {
    Comments,
    Compression,
    Constraints,
    Defaults,
    Identity,
    Generated,
    Indexes,
    Statistics,
    Storage,
    All,
}
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnDefinition {
    pub name: Name,
    /// None: a column of a table of a type, or of a partition, which only adds constraints
    pub ty: Option<TypeName>,
    pub compression: Option<Name>,
    pub options: Vec<DefElem>,
    pub collation: Option<QualifiedName>,
    pub constraints: Vec<ColumnConstraint>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnConstraint {
    pub name: Option<Name>,
    pub kind: ColumnConstraintKind,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnConstraintKind {
    NotNull,
    Null,
    Default(Expr),
    Check {
        expr: Expr,
        no_inherit: bool,
    },
    Unique {
        nulls_distinct: bool,
        options: Vec<DefElem>,
        tablespace: Option<Name>,
    },
    PrimaryKey {
        options: Vec<DefElem>,
        tablespace: Option<Name>,
    },
    Identity {
        always: bool,
        options: Vec<SequenceOption>,
    },
    Generated(Expr),
    References(References),
    /// These belong to the constraint before them.
    Deferrable(bool),
    Initially {
        deferred: bool,
    },
}
#[derive(Clone, Debug, PartialEq)]
pub struct References {
    pub table: Relation,
    pub columns: Vec<Name>,
    pub match_full: bool,
    pub on_update: KeyAction,
    pub on_delete: KeyAction,
    /// Of SET NULL and SET DEFAULT at deletions
    pub on_delete_columns: Vec<Name>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum KeyAction {
    #[default]
    NoAction,
    Restrict,
    Cascade,
    SetNull,
    SetDefault,
}
#[derive(Clone, Debug, PartialEq)]
pub struct TableConstraint {
    pub name: Option<Name>,
    pub kind: TableConstraintKind,
    pub attributes: ConstraintAttributes,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TableConstraintKind {
    Check(Expr),
    Unique {
        nulls_distinct: bool,
        key: KeyOf,
    },
    PrimaryKey(KeyOf),
    ForeignKey {
        columns: Vec<Name>,
        references: References,
    },
    Exclude {
        method: Option<Name>,
        elements: Vec<(IndexElement, OperatorName)>,
        include: Vec<Name>,
        options: Vec<DefElem>,
        tablespace: Option<Name>,
        filter: Option<Expr>,
    },
}
/// What a key is over: columns, or an index that stands
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOf {
    Columns { columns: Vec<Name>, include: Vec<Name>, options: Vec<DefElem>, tablespace: Option<Name> },
    Index(Name),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ConstraintAttributes {
    pub deferrable: bool,
    pub initially_deferred: bool,
    pub not_valid: bool,
    pub no_inherit: bool,
    /// Was NOT DEFERRABLE or INITIALLY IMMEDIATE said? ALTER CONSTRAINT asks.
    pub said: bool,
}
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionBy {
    pub strategy: Name,
    pub elements: Vec<PartitionElement>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionElement {
    pub expr: Expr,
    pub collation: Option<QualifiedName>,
    pub class: Option<QualifiedName>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionBound {
    pub of: BoundOf,
    /// Of `DEFAULT`, `WITH`, `IN` or `FROM`.
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum BoundOf {
    Default,
    Hash { modulus: i32, remainder: i32 },
    List(Vec<Expr>),
    Range(Vec<Expr>, Vec<Expr>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTableAs {
    pub name: Relation,
    pub columns: Vec<Name>,
    pub persistence: Persistence,
    pub materialized_view: bool,
    pub if_not_exists: bool,
    pub tail: TableTail,
    /// A query or EXECUTE
    pub source: Statement,
    pub with_data: bool,
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateIndex {
    pub name: Option<Name>,
    pub unique: bool,
    pub concurrently: bool,
    pub if_not_exists: bool,
    pub table: Relation,
    pub method: Option<Name>,
    pub elements: Vec<IndexElement>,
    pub include: Vec<IndexElement>,
    pub nulls_distinct: bool,
    pub options: Vec<DefElem>,
    pub tablespace: Option<Name>,
    pub filter: Option<Expr>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct IndexElement {
    pub of: IndexOf,
    pub collation: Option<QualifiedName>,
    pub class: Option<QualifiedName>,
    pub class_options: Vec<DefElem>,
    pub descending: Option<bool>,
    pub nulls_first: Option<bool>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum IndexOf {
    Column(Name),
    Expr(Expr),
}
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceOption {
    As(TypeName),
    Cache(DefValue),
    Cycle(bool),
    Increment(DefValue),
    /// None: NO MAXVALUE
    MaxValue(Option<DefValue>),
    MinValue(Option<DefValue>),
    OwnedBy(QualifiedName),
    Name(QualifiedName),
    Start(DefValue),
    Restart(Option<DefValue>),
    /// Of ALTER TABLE ... ALTER COLUMN: SET GENERATED
    Generated {
        always: bool,
    },
    Logged(bool),
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateView {
    pub name: Relation,
    pub persistence: Persistence,
    pub replace: bool,
    pub recursive: bool,
    pub columns: Vec<Name>,
    pub options: Vec<DefElem>,
    pub query: Select,
    pub check: Option<CheckOption>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOption {
    Local,
    Cascaded,
}
#[derive(Clone, Debug, PartialEq)]
pub enum RoleOption {
    /// None: PASSWORD NULL
    Password(Option<String>),
    /// INHERIT and words such as SUPERUSER, NOLOGIN: by name
    Flag(&'static str, bool),
    ConnectionLimit(i32),
    ValidUntil(String),
    /// USER: those who are to be members
    Members(Vec<RoleSpec>),
    Admin(Vec<RoleSpec>),
    InRoles(Vec<RoleSpec>),
    SysId,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TypeDefinition {
    Shell,
    Base(Vec<DefElem>),
    Composite(Vec<ColumnType>),
    Enum(Vec<String>),
    Range(Vec<DefElem>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRoutine {
    pub procedure: bool,
    pub replace: bool,
    pub name: Vec<Name>,
    pub parameters: Vec<Parameter>,
    pub returns: Returns,
    pub options: Vec<RoutineOption>,
    pub body: Option<RoutineBody>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum Returns {
    Unsaid,
    Type(TypeName),
    Table(Vec<Parameter>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub mode: ParameterMode,
    pub name: Option<Name>,
    pub ty: TypeName,
    pub default: Option<Expr>,
    pub at: At,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterMode {
    /// Nothing was said: IN
    Default,
    In,
    Out,
    InOut,
    Variadic,
}
#[derive(Clone, Debug, PartialEq)]
pub enum RoutineOption {
    As(String, Option<String>, At),
    Language(String, At),
    Transform(Vec<TypeName>),
    Window,
    /// CALLED ON NULL INPUT or not
    Strict(bool),
    Volatility(Volatility),
    SecurityDefiner(bool),
    Leakproof(bool),
    Cost(DefValue),
    Rows(DefValue),
    Support(QualifiedName),
    Set(SetStatement),
    Parallel(Name),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatility {
    Immutable,
    Stable,
    Volatile,
}
#[derive(Clone, Debug, PartialEq)]
pub enum RoutineBody {
    Return(Expr),
    Atomic(Vec<Statement>),
}
/// `(*)`, `(a, b)`, `(ORDER BY a)`, `(a ORDER BY b)`
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateArgs {
    pub star: bool,
    pub direct: Vec<Parameter>,
    pub ordered: Option<Vec<Parameter>>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastContext {
    Explicit,
    Assignment,
    Implicit,
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTrigger {
    pub replace: bool,
    pub constraint: bool,
    pub name: Name,
    pub timing: TriggerTiming,
    pub events: Vec<TriggerEvent>,
    pub table: Relation,
    /// OLD TABLE AS x, NEW TABLE AS y
    pub transitions: Vec<Transition>,
    pub each_row: bool,
    pub when: Option<Expr>,
    pub function: Vec<Name>,
    pub args: Vec<String>,
    pub from_table: Option<Relation>,
    pub attributes: ConstraintAttributes,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerTiming {
    Before,
    After,
    InsteadOf,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TriggerEvent {
    Insert,
    Delete,
    Truncate,
    /// The columns of UPDATE OF
    Update(Vec<Name>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    pub new: bool,
    pub table: bool,
    pub name: Name,
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRule {
    pub replace: bool,
    pub name: Name,
    pub event: RuleEvent,
    pub table: Relation,
    pub filter: Option<Expr>,
    pub instead: bool,
    pub actions: Vec<Statement>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEvent {
    Select,
    Insert,
    Update,
    Delete,
}
#[derive(Clone, Debug, PartialEq)]
pub struct CreatePolicy {
    pub name: Name,
    pub table: Relation,
    pub permissive: bool,
    pub command: PolicyCommand,
    pub to: Vec<RoleSpec>,
    pub using: Option<Expr>,
    pub check: Option<Expr>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyCommand {
    All,
    Select,
    Insert,
    Update,
    Delete,
}

// ---- ALTER ----

/// What ALTER TEXT SEARCH CONFIGURATION does to the mapping of `tokens`; of none: of all
#[derive(Clone, Debug, PartialEq)]
pub struct AlterMapping {
    pub tokens: Vec<Name>,
    pub change: MappingChange,
}
#[derive(Clone, Debug, PartialEq)]
pub enum MappingChange {
    Add(Vec<QualifiedName>),
    Alter(Vec<QualifiedName>),
    /// One dictionary by another
    Replace(QualifiedName, QualifiedName),
    Drop {
        if_exists: bool,
    },
}
#[derive(Clone, Debug, PartialEq)]
pub enum Alter {
    TextSearchDictionary {
        name: QualifiedName,
        options: Vec<DefElem>,
    },
    TextSearchMapping {
        name: QualifiedName,
        mapping: AlterMapping,
    },
    EventTrigger {
        name: Name,
        mode: FireMode,
    },
    /// TABLE, INDEX, SEQUENCE, VIEW, MATERIALIZED VIEW, FOREIGN TABLE
    Table {
        kind: ObjectKind,
        name: Relation,
        if_exists: bool,
        commands: Vec<AlterTable>,
    },
    Sequence {
        name: Relation,
        if_exists: bool,
        options: Vec<SequenceOption>,
    },
    Rename {
        object: Object,
        if_exists: bool,
        to: Name,
    },
    /// A column of a table or view, an attribute of a type, a constraint: `part` of the object
    RenamePart {
        object: Object,
        if_exists: bool,
        /// Of the table alone, not of those that inherit from it
        only: bool,
        part: ObjectKind,
        name: Name,
        to: Name,
        behavior: DropBehavior,
    },
    SetSchema {
        object: Object,
        if_exists: bool,
        schema: Name,
    },
    Owner {
        object: Object,
        to: RoleSpec,
    },
    Domain {
        name: QualifiedName,
        command: AlterDomain,
    },
    EnumAdd {
        name: QualifiedName,
        if_not_exists: bool,
        value: String,
        neighbour: Option<(bool, String)>,
    },
    EnumRename {
        name: QualifiedName,
        from: String,
        to: String,
    },
    Composite {
        name: QualifiedName,
        commands: Vec<AlterAttribute>,
    },
    Routine {
        kind: ObjectKind,
        routine: RoutineRef,
        options: Vec<RoutineOption>,
    },
    Role {
        name: RoleSpec,
        options: Vec<RoleOption>,
    },
    /// ALTER GROUP ... ADD or DROP USER
    RoleMembers {
        role: RoleSpec,
        add: bool,
        members: Vec<RoleSpec>,
    },
    /// Role None: ALL
    RoleSet {
        role: Option<RoleSpec>,
        database: Option<Name>,
        set: SetStatement,
    },
    Database {
        name: Name,
        options: Vec<DefElem>,
    },
    DatabaseSet {
        name: Name,
        set: SetStatement,
    },
    System(SetStatement),
    DefaultPrivileges(Box<DefaultPrivileges>),
    Extension {
        name: Name,
        options: Vec<DefElem>,
    },
    Policy {
        name: Name,
        table: Relation,
        to: Option<Vec<RoleSpec>>,
        using: Option<Expr>,
        check: Option<Expr>,
    },
    Statistics {
        name: QualifiedName,
        if_exists: bool,
        target: i32,
    },
}
#[derive(Clone, Debug, PartialEq)]
pub enum AlterTable {
    AddColumn {
        if_not_exists: bool,
        column: ColumnDefinition,
    },
    DropColumn {
        name: Name,
        if_exists: bool,
        behavior: DropBehavior,
    },
    AddConstraint(TableConstraint),
    DropConstraint {
        name: Name,
        if_exists: bool,
        behavior: DropBehavior,
    },
    AlterConstraint {
        name: Name,
        attributes: ConstraintAttributes,
    },
    ValidateConstraint(Name),
    /// None: DROP DEFAULT
    SetDefault {
        column: Name,
        default: Option<Expr>,
    },
    SetNotNull {
        column: Name,
        not_null: bool,
    },
    DropExpression {
        column: Name,
        if_exists: bool,
    },
    SetStatistics {
        column: ColumnRef,
        target: i32,
    },
    SetOptions {
        column: Name,
        options: Vec<DefElem>,
        reset: bool,
    },
    SetStorage {
        column: Name,
        storage: Name,
    },
    SetCompression {
        column: Name,
        method: Name,
    },
    AddIdentity {
        column: Name,
        always: bool,
        options: Vec<SequenceOption>,
    },
    AlterIdentity {
        column: Name,
        options: Vec<SequenceOption>,
    },
    DropIdentity {
        column: Name,
        if_exists: bool,
    },
    Type {
        column: Name,
        ty: TypeName,
        collation: Option<QualifiedName>,
        using: Option<Expr>,
        at: At,
    },
    ColumnForeignOptions {
        column: Name,
        options: Vec<DefElem>,
    },
    ClusterOn(Name),
    SetWithoutCluster,
    SetWithoutOids,
    SetLogged(bool),
    Trigger {
        which: Which,
        mode: FireMode,
    },
    Rule {
        name: Name,
        mode: FireMode,
    },
    Inherit {
        parent: Relation,
        no: bool,
    },
    /// None: NOT OF
    OfType(Option<QualifiedName>),
    Owner(RoleSpec),
    AccessMethod(Name),
    Tablespace(Name),
    Options {
        options: Vec<DefElem>,
        reset: bool,
    },
    ReplicaIdentity(ReplicaIdentity),
    RowSecurity(RowSecurity),
    ForeignOptions(Vec<DefElem>),
    AttachPartition {
        partition: Relation,
        bound: Option<PartitionBound>,
    },
    DetachPartition {
        partition: Relation,
        concurrently: bool,
        finalize: bool,
    },
}
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnRef {
    Named(Name),
    Number(i32),
}
#[derive(Clone, Debug, PartialEq)]
pub enum Which {
    Named(Name),
    All,
    User,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FireMode {
    Enabled,
    Disabled,
    Always,
    Replica,
}
#[derive(Clone, Debug, PartialEq)]
pub enum ReplicaIdentity {
    Nothing,
    Full,
    Default,
    Index(Name),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSecurity {
    Enable,
    Disable,
    Force,
    NoForce,
}
#[derive(Clone, Debug, PartialEq)]
pub enum AlterDomain {
    SetDefault(Option<Expr>),
    SetNotNull(bool),
    Add(TableConstraint),
    Drop { name: Name, if_exists: bool, behavior: DropBehavior },
    Validate(Name),
}
#[derive(Clone, Debug, PartialEq)]
pub enum AlterAttribute {
    Add(ColumnType, DropBehavior),
    Drop { name: Name, if_exists: bool, behavior: DropBehavior },
    Type { name: Name, ty: TypeName, collation: Option<QualifiedName>, behavior: DropBehavior },
}
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultPrivileges {
    pub schemas: Vec<Name>,
    pub roles: Vec<RoleSpec>,
    pub grant: Grant,
}

// ---- DROP ----

#[derive(Clone, Debug, PartialEq)]
pub struct Drop {
    pub kind: ObjectKind,
    pub objects: Vec<Object>,
    pub if_exists: bool,
    pub behavior: DropBehavior,
    pub concurrently: bool,
    /// DROP DATABASE ... WITH (FORCE)
    pub force: bool,
}

// ---- GRANT ----

#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    pub revoke: bool,
    /// Empty: ALL
    pub privileges: Vec<Privilege>,
    pub all_columns: Vec<Name>,
    pub target: GrantTarget,
    pub grantees: Vec<RoleSpec>,
    /// WITH GRANT OPTION, or GRANT OPTION FOR
    pub grant_option: bool,
    pub granted_by: Option<RoleSpec>,
    pub behavior: DropBehavior,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Privilege {
    pub name: Name,
    pub columns: Vec<Name>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum GrantTarget {
    /// By names of tables, schemas and so on; parameters' names are dotted.
    Objects(ObjectKind, Vec<QualifiedName>),
    Routines(ObjectKind, Vec<RoutineRef>),
    LargeObjects(Vec<DefValue>),
    /// ALL TABLES IN SCHEMA
    AllIn(ObjectKind, Vec<Name>),
    /// Of default privileges
    Default(ObjectKind),
}
#[derive(Clone, Debug, PartialEq)]
pub struct GrantRole {
    pub revoke: bool,
    pub roles: Vec<Privilege>,
    pub grantees: Vec<RoleSpec>,
    pub admin: bool,
    pub granted_by: Option<RoleSpec>,
    pub behavior: DropBehavior,
}
