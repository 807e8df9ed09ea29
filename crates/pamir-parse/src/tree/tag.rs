//! What commands are called (PostgreSQL's CreateCommandTag): for answers, messages and logs.
use super::*;

impl ObjectKind {
    /// In upper case, as commands name it
    pub fn words(self) -> &'static str {
        use ObjectKind::*;
        match self {
            AccessMethod => "ACCESS METHOD",
            Aggregate => "AGGREGATE",
            Cast => "CAST",
            Collation => "COLLATION",
            Column => "COLUMN",
            Constraint => "CONSTRAINT",
            Conversion => "CONVERSION",
            Database => "DATABASE",
            Domain => "DOMAIN",
            EventTrigger => "EVENT TRIGGER",
            Extension => "EXTENSION",
            ForeignDataWrapper => "FOREIGN DATA WRAPPER",
            ForeignTable => "FOREIGN TABLE",
            Function => "FUNCTION",
            Index => "INDEX",
            Language => "LANGUAGE",
            LargeObject => "LARGE OBJECT",
            MaterializedView => "MATERIALIZED VIEW",
            Operator => "OPERATOR",
            OperatorClass => "OPERATOR CLASS",
            OperatorFamily => "OPERATOR FAMILY",
            Parameter => "PARAMETER",
            Policy => "POLICY",
            Procedure => "PROCEDURE",
            Publication => "PUBLICATION",
            Role => "ROLE",
            Routine => "ROUTINE",
            Rule => "RULE",
            Schema => "SCHEMA",
            Sequence => "SEQUENCE",
            Server => "SERVER",
            Statistics => "STATISTICS",
            Subscription => "SUBSCRIPTION",
            Table => "TABLE",
            Tablespace => "TABLESPACE",
            TextSearchConfiguration => "TEXT SEARCH CONFIGURATION",
            TextSearchDictionary => "TEXT SEARCH DICTIONARY",
            TextSearchParser => "TEXT SEARCH PARSER",
            TextSearchTemplate => "TEXT SEARCH TEMPLATE",
            Transform => "TRANSFORM",
            Trigger => "TRIGGER",
            Type => "TYPE",
            View => "VIEW",
        }
    }
}

impl Object {
    pub fn kind(&self) -> ObjectKind {
        match self {
            Object::Named(kind, _)
            | Object::On { kind, .. }
            | Object::Routine(kind, _)
            | Object::Class { kind, .. }
            | Object::Type(kind, _) => *kind,
            Object::Aggregate(_) => ObjectKind::Aggregate,
            Object::Operator(_) => ObjectKind::Operator,
            Object::Cast(..) => ObjectKind::Cast,
            Object::Transform(..) => ObjectKind::Transform,
            Object::LargeObject(_) => ObjectKind::LargeObject,
        }
    }
}

impl Select {
    /// The INTO of the query, which stands in its first SELECT.
    pub fn into_clause(&self) -> Option<&Into> {
        let mut q = self;
        loop {
            match &q.body {
                SelectBody::Select(core) => return core.into.as_deref(),
                SelectBody::Values(_) => return None,
                SelectBody::SetOp { left, .. } => q = left,
            }
        }
    }
    /// The same query without its INTO.
    pub fn without_into(mut self) -> Select {
        let mut q = &mut self;
        loop {
            match &mut q.body {
                SelectBody::Select(core) => {
                    core.into = None;
                    return self;
                }
                SelectBody::Values(_) => return self,
                SelectBody::SetOp { left, .. } => q = left,
            }
        }
    }
}

impl Create {
    fn tag(&self) -> &'static str {
        match self {
            Create::Table(t) if t.server.is_some() => "CREATE FOREIGN TABLE",
            Create::Table(_) => "CREATE TABLE",
            Create::TableAs(t) if t.materialized_view => "CREATE MATERIALIZED VIEW",
            Create::TableAs(_) => "CREATE TABLE AS",
            Create::Index(_) => "CREATE INDEX",
            Create::Sequence { .. } => "CREATE SEQUENCE",
            Create::View(_) => "CREATE VIEW",
            Create::Schema { .. } => "CREATE SCHEMA",
            Create::Database { .. } => "CREATE DATABASE",
            Create::Role { .. } => "CREATE ROLE",
            Create::Extension { .. } => "CREATE EXTENSION",
            Create::Domain { .. } => "CREATE DOMAIN",
            Create::Type { .. } => "CREATE TYPE",
            Create::Routine(r) if r.procedure => "CREATE PROCEDURE",
            Create::Routine(_) => "CREATE FUNCTION",
            Create::Trigger(_) => "CREATE TRIGGER",
            Create::EventTrigger { .. } => "CREATE EVENT TRIGGER",
            Create::Aggregate { .. } => "CREATE AGGREGATE",
            Create::Operator { .. } => "CREATE OPERATOR",
            Create::Cast { .. } => "CREATE CAST",
            Create::Statistics { .. } => "CREATE STATISTICS",
            Create::Rule(_) => "CREATE RULE",
            Create::Collation { .. } => "CREATE COLLATION",
            Create::Policy(_) => "CREATE POLICY",
            Create::TextSearch { kind: ObjectKind::TextSearchDictionary, .. } => "CREATE TEXT SEARCH DICTIONARY",
            Create::TextSearch { .. } => "CREATE TEXT SEARCH CONFIGURATION",
        }
    }
}

/// `ALTER kind` of what has an owner, a schema or a name
fn alter(kind: ObjectKind) -> &'static str {
    use ObjectKind::*;
    match kind {
        AccessMethod => "ALTER ACCESS METHOD",
        Aggregate => "ALTER AGGREGATE",
        Cast => "ALTER CAST",
        Collation => "ALTER COLLATION",
        Column | Constraint | Table => "ALTER TABLE",
        Conversion => "ALTER CONVERSION",
        Database => "ALTER DATABASE",
        Domain => "ALTER DOMAIN",
        EventTrigger => "ALTER EVENT TRIGGER",
        Extension => "ALTER EXTENSION",
        ForeignDataWrapper => "ALTER FOREIGN DATA WRAPPER",
        ForeignTable => "ALTER FOREIGN TABLE",
        Function => "ALTER FUNCTION",
        Index => "ALTER INDEX",
        Language => "ALTER LANGUAGE",
        LargeObject => "ALTER LARGE OBJECT",
        MaterializedView => "ALTER MATERIALIZED VIEW",
        Operator => "ALTER OPERATOR",
        OperatorClass => "ALTER OPERATOR CLASS",
        OperatorFamily => "ALTER OPERATOR FAMILY",
        Parameter => "ALTER SYSTEM",
        Policy => "ALTER POLICY",
        Procedure => "ALTER PROCEDURE",
        Publication => "ALTER PUBLICATION",
        Role => "ALTER ROLE",
        Routine => "ALTER ROUTINE",
        Rule => "ALTER RULE",
        Schema => "ALTER SCHEMA",
        Sequence => "ALTER SEQUENCE",
        Server => "ALTER SERVER",
        Statistics => "ALTER STATISTICS",
        Subscription => "ALTER SUBSCRIPTION",
        Tablespace => "ALTER TABLESPACE",
        TextSearchConfiguration => "ALTER TEXT SEARCH CONFIGURATION",
        TextSearchDictionary => "ALTER TEXT SEARCH DICTIONARY",
        TextSearchParser => "ALTER TEXT SEARCH PARSER",
        TextSearchTemplate => "ALTER TEXT SEARCH TEMPLATE",
        Transform => "ALTER TRANSFORM",
        Trigger => "ALTER TRIGGER",
        Type => "ALTER TYPE",
        View => "ALTER VIEW",
    }
}

impl Alter {
    fn tag(&self) -> &'static str {
        match self {
            Alter::Table { kind, .. } => alter(*kind),
            Alter::EventTrigger { .. } => "ALTER EVENT TRIGGER",
            Alter::Sequence { .. } => "ALTER SEQUENCE",
            Alter::Rename { object, .. }
            | Alter::RenamePart { object, .. }
            | Alter::SetSchema { object, .. }
            | Alter::Owner { object, .. } => alter(object.kind()),
            Alter::Domain { .. } => "ALTER DOMAIN",
            Alter::EnumAdd { .. } | Alter::EnumRename { .. } | Alter::Composite { .. } => "ALTER TYPE",
            Alter::Routine { kind, .. } => alter(*kind),
            Alter::Role { .. } | Alter::RoleMembers { .. } | Alter::RoleSet { .. } => "ALTER ROLE",
            Alter::Database { .. } | Alter::DatabaseSet { .. } => "ALTER DATABASE",
            Alter::System(_) => "ALTER SYSTEM",
            Alter::DefaultPrivileges(_) => "ALTER DEFAULT PRIVILEGES",
            Alter::Extension { .. } => "ALTER EXTENSION",
            Alter::Policy { .. } => "ALTER POLICY",
            Alter::Statistics { .. } => "ALTER STATISTICS",
            Alter::TextSearchDictionary { .. } => "ALTER TEXT SEARCH DICTIONARY",
            Alter::TextSearchMapping { .. } => "ALTER TEXT SEARCH CONFIGURATION",
        }
    }
}

/// `DROP kind`
fn drop(kind: ObjectKind) -> &'static str {
    use ObjectKind::*;
    match kind {
        AccessMethod => "DROP ACCESS METHOD",
        Aggregate => "DROP AGGREGATE",
        Cast => "DROP CAST",
        Collation => "DROP COLLATION",
        Column | Constraint | Table => "DROP TABLE",
        Conversion => "DROP CONVERSION",
        Database => "DROP DATABASE",
        Domain => "DROP DOMAIN",
        EventTrigger => "DROP EVENT TRIGGER",
        Extension => "DROP EXTENSION",
        ForeignDataWrapper => "DROP FOREIGN DATA WRAPPER",
        ForeignTable => "DROP FOREIGN TABLE",
        Function => "DROP FUNCTION",
        Index => "DROP INDEX",
        Language => "DROP LANGUAGE",
        LargeObject | Parameter => "DROP",
        MaterializedView => "DROP MATERIALIZED VIEW",
        Operator => "DROP OPERATOR",
        OperatorClass => "DROP OPERATOR CLASS",
        OperatorFamily => "DROP OPERATOR FAMILY",
        Policy => "DROP POLICY",
        Procedure => "DROP PROCEDURE",
        Publication => "DROP PUBLICATION",
        Role => "DROP ROLE",
        Routine => "DROP ROUTINE",
        Rule => "DROP RULE",
        Schema => "DROP SCHEMA",
        Sequence => "DROP SEQUENCE",
        Server => "DROP SERVER",
        Statistics => "DROP STATISTICS",
        Subscription => "DROP SUBSCRIPTION",
        Tablespace => "DROP TABLESPACE",
        TextSearchConfiguration => "DROP TEXT SEARCH CONFIGURATION",
        TextSearchDictionary => "DROP TEXT SEARCH DICTIONARY",
        TextSearchParser => "DROP TEXT SEARCH PARSER",
        TextSearchTemplate => "DROP TEXT SEARCH TEMPLATE",
        Transform => "DROP TRANSFORM",
        Trigger => "DROP TRIGGER",
        Type => "DROP TYPE",
        View => "DROP VIEW",
    }
}

impl Statement {
    /// The command's tag, without the counts that some answers add to it.
    pub fn tag(&self) -> &'static str {
        match self {
            Statement::Select(q) if q.into_clause().is_some() => "SELECT INTO",
            Statement::Select(_) => "SELECT",
            Statement::Insert(_) => "INSERT",
            Statement::Update(_) => "UPDATE",
            Statement::Delete(_) => "DELETE",
            Statement::Merge(_) => "MERGE",
            Statement::Transaction(t) => match t {
                Transaction::Begin(_) => "BEGIN",
                Transaction::Start(_) => "START TRANSACTION",
                Transaction::Commit { .. } => "COMMIT",
                Transaction::Rollback { .. } | Transaction::RollbackTo(_) => "ROLLBACK",
                Transaction::Savepoint(_) => "SAVEPOINT",
                Transaction::Release(_) => "RELEASE",
                Transaction::Prepare(_) => "PREPARE TRANSACTION",
                Transaction::CommitPrepared(_) => "COMMIT PREPARED",
                Transaction::RollbackPrepared(_) => "ROLLBACK PREPARED",
            },
            Statement::Set(s) if s.reset => "RESET",
            Statement::Set(_) => "SET",
            Statement::Show(_) => "SHOW",
            Statement::Explain(_) => "EXPLAIN",
            Statement::Prepare(_) => "PREPARE",
            Statement::Execute(_) => "EXECUTE",
            Statement::Deallocate(None) => "DEALLOCATE ALL",
            Statement::Deallocate(_) => "DEALLOCATE",
            Statement::Declare(_) => "DECLARE CURSOR",
            Statement::Fetch(f) if f.is_move => "MOVE",
            Statement::Fetch(_) => "FETCH",
            Statement::Close(None) => "CLOSE CURSOR ALL",
            Statement::Close(_) => "CLOSE CURSOR",
            Statement::Copy(_) => "COPY",
            Statement::Create(c) => c.tag(),
            Statement::Alter(a) => a.tag(),
            Statement::Drop(d) => drop(d.kind),
            Statement::Truncate(_) => "TRUNCATE TABLE",
            Statement::Comment(c) if c.label.is_some() => "SECURITY LABEL",
            Statement::Comment(_) => "COMMENT",
            Statement::Grant(g) if g.revoke => "REVOKE",
            Statement::Grant(_) => "GRANT",
            Statement::GrantRole(g) if g.revoke => "REVOKE ROLE",
            Statement::GrantRole(_) => "GRANT ROLE",
            Statement::Reassign { .. } => "REASSIGN OWNED",
            Statement::DropRole { .. } => "DROP ROLE",
            Statement::DropOwned { .. } => "DROP OWNED",
            Statement::Lock(_) => "LOCK TABLE",
            Statement::Vacuum(v) if v.vacuum => "VACUUM",
            Statement::Vacuum(_) => "ANALYZE",
            Statement::Cluster(_) => "CLUSTER",
            Statement::Reindex(_) => "REINDEX",
            Statement::Refresh(_) => "REFRESH MATERIALIZED VIEW",
            Statement::Constraints { .. } => "SET CONSTRAINTS",
            Statement::Checkpoint => "CHECKPOINT",
            Statement::Discard(Discard::All) => "DISCARD ALL",
            Statement::Discard(Discard::Plans) => "DISCARD PLANS",
            Statement::Discard(Discard::Sequences) => "DISCARD SEQUENCES",
            Statement::Discard(Discard::Temp) => "DISCARD TEMP",
            Statement::Load(_) => "LOAD",
            Statement::Notify { .. } => "NOTIFY",
            Statement::Listen(_) => "LISTEN",
            Statement::Unlisten(_) => "UNLISTEN",
            Statement::Call(_) => "CALL",
            Statement::Do(_) => "DO",
            Statement::Return(_) => "RETURN",
            Statement::Other(tag) => tag,
        }
    }
    /// Does it go through the binder and the planner?
    pub fn is_query(&self) -> bool {
        match self {
            Statement::Select(q) => q.into_clause().is_none(),
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) | Statement::Merge(_) => true,
            _ => false,
        }
    }
}
