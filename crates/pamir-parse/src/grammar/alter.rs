//! ALTER.
use super::object::Naming;
use super::*;
use ObjectKind as O;

impl Parser<'_> {
    pub(super) fn alter(&mut self) -> Result<Statement> {
        self.bump();
        let Some(k) = self.word() else { return self.unexpected() };
        let made = |a| Ok(Statement::Alter(Box::new(a)));
        match k {
            K::Table | K::Index | K::View | K::Sequence | K::Materialized => self.alter_relation(),
            K::Foreign if self.word_ahead(1, K::Table) => self.alter_relation(),
            K::Foreign => self.alter_wrapper(),
            K::Type => match self.alter_type()? {
                Some(a) => made(a),
                None => Ok(Statement::Other("ALTER TYPE")),
            },
            K::Domain => made(self.alter_domain()?),
            K::Function | K::Procedure | K::Routine => self.alter_routine(k),
            K::Role | K::User if k == K::Role || !self.word_ahead(1, K::Mapping) || !self.word_ahead(2, K::For) => {
                made(self.alter_role()?)
            }
            K::User => {
                self.bump();
                self.bump();
                self.mapped_user()?;
                self.alter_generic_options()?;
                Ok(Statement::Other("ALTER USER MAPPING"))
            }
            K::Group => made(self.alter_group()?),
            K::Database => self.alter_database(),
            K::System => {
                self.bump();
                if self.is_word(K::Reset) {
                    self.bump();
                    let what =
                        if self.eat_word(K::All) { Setting::ResetAll } else { Setting::Default(self.var_name()?) };
                    return made(Alter::System(SetStatement { local: false, reset: true, what }));
                }
                self.expect_word(K::Set)?;
                let name = self.var_name()?;
                made(Alter::System(SetStatement { local: false, reset: false, what: self.generic_set(name)? }))
            }
            K::Default => {
                self.expect_words(&[K::Default, K::Privileges])?;
                made(self.default_privileges()?)
            }
            K::Policy => self.alter_policy(),
            K::Statistics => self.alter_statistics(),
            K::Extension => self.alter_extension(),
            K::Operator => self.alter_operator(),
            K::Aggregate => {
                self.bump();
                let object = Object::Aggregate(self.aggregate_ref()?);
                self.object_action(object, false, &[Act::Rename, Act::Schema, Act::Owner])
            }
            K::Large => {
                self.expect_words(&[K::Large, K::Object])?;
                let object = Object::LargeObject(self.numeric()?);
                self.object_action(object, false, &[Act::Owner])
            }
            _ => self.alter_other(k),
        }
    }

    /// RENAME TO, SET SCHEMA, OWNER TO: those of `may`
    fn object_action(&mut self, object: Object, if_exists: bool, may: &[Act]) -> Result<Statement> {
        let made = |a| Ok(Statement::Alter(Box::new(a)));
        match self.word() {
            Some(K::Rename) if may.contains(&Act::Rename) => {
                self.bump();
                self.expect_word(K::To)?;
                made(Alter::Rename { object, if_exists, to: self.col_id()? })
            }
            Some(K::Set) if may.contains(&Act::Schema) => {
                self.bump();
                self.expect_word(K::Schema)?;
                made(Alter::SetSchema { object, if_exists, schema: self.col_id()? })
            }
            Some(K::Owner) if may.contains(&Act::Owner) => {
                self.bump();
                self.expect_word(K::To)?;
                made(Alter::Owner { object, to: self.role()? })
            }
            _ => self.unexpected(),
        }
    }
    /// `DEPENDS ON EXTENSION`, with or without NO
    fn depends(&mut self) -> Result<Option<Statement>> {
        let no = self.is_word(K::No) && self.word_ahead(1, K::Depends);
        if !no && !self.is_word(K::Depends) {
            return Ok(None);
        }
        if no {
            self.bump();
        }
        self.expect_words(&[K::Depends, K::On, K::Extension])?;
        self.col_id()?;
        Ok(Some(Statement::Other("ALTER OBJECT DEPENDS")))
    }
    fn alter_other(&mut self, k: K) -> Result<Statement> {
        use Act::*;
        if matches!(k, K::Access) {
            return self.unexpected();
        }
        let Some((kind, naming)) = self.object_kind()? else { return self.unexpected() };
        let may: &[Act] = match k {
            K::Collation | K::Conversion => &[Rename, Schema, Owner],
            K::Rule | K::Trigger => &[Rename],
            K::Text => match kind {
                O::TextSearchParser | O::TextSearchTemplate => &[Rename, Schema],
                _ => &[Rename, Schema, Owner],
            },
            K::Event
            | K::Language
            | K::Procedural
            | K::Publication
            | K::Schema
            | K::Server
            | K::Subscription
            | K::Tablespace => &[Rename, Owner],
            _ => {
                self.i -= 1;
                return self.unexpected();
            }
        };
        let object = match naming {
            Naming::On => {
                let name = self.col_id()?;
                self.expect_word(K::On)?;
                let of = self.qualified_name()?;
                Object::On { kind, name, of: QualifiedName { parts: of.parts, at: of.at }, domain: false }
            }
            naming => self.object_named(kind, naming)?,
        };
        match kind {
            O::Trigger => {
                if let Some(s) = self.depends()? {
                    return Ok(s);
                }
            }
            O::Collation if self.is_word(K::Refresh) => {
                self.expect_words(&[K::Refresh, K::Version])?;
                return Ok(Statement::Other("ALTER COLLATION"));
            }
            O::EventTrigger => {
                if let Some(k) = self.one_of(&[K::Enable, K::Disable]) {
                    let Object::Named(_, n) = object else { return self.unexpected() };
                    let mode = match k {
                        K::Disable => FireMode::Disabled,
                        _ => match self.one_of(&[K::Replica, K::Always]) {
                            Some(K::Replica) => FireMode::Replica,
                            Some(_) => FireMode::Always,
                            None => FireMode::Enabled,
                        },
                    };
                    let name = n.parts.into_iter().next_back().unwrap_or_default();
                    return Ok(Statement::Alter(Box::new(Alter::EventTrigger { name, mode })));
                }
            }
            O::Tablespace if self.one_of(&[K::Set, K::Reset]).is_some() => {
                self.relation_options()?;
                return Ok(Statement::Other("ALTER TABLESPACE"));
            }
            O::Server => {
                let mut any = false;
                if self.eat_word(K::Version) {
                    any = true;
                    if !self.eat_word(K::Null) {
                        self.string()?;
                    }
                }
                if self.is_word(K::Options) {
                    any = true;
                    self.alter_generic_options()?;
                }
                if any {
                    return Ok(Statement::Other("ALTER SERVER"));
                }
            }
            O::Publication => {
                if let Some(k) = self.one_of(&[K::Set, K::Add, K::Drop]) {
                    if k == K::Set && self.is(Kind::LParen) {
                        self.definition()?;
                    } else {
                        self.publication_objects()?;
                    }
                    return Ok(Statement::Other("ALTER PUBLICATION"));
                }
            }
            O::Subscription if self.alter_subscription()? => {
                return Ok(Statement::Other("ALTER SUBSCRIPTION"));
            }
            O::TextSearchDictionary if self.is(Kind::LParen) => {
                let Object::Named(_, name) = object else { return self.unexpected() };
                let options = self.definition()?;
                return Ok(Statement::Alter(Box::new(Alter::TextSearchDictionary { name, options })));
            }
            O::TextSearchConfiguration => {
                if let (Some(mapping), Object::Named(_, name)) = (self.alter_mapping()?, &object) {
                    let name = name.clone();
                    return Ok(Statement::Alter(Box::new(Alter::TextSearchMapping { name, mapping })));
                }
            }
            _ => {}
        }
        self.object_action(object, false, may)
    }
    fn alter_subscription(&mut self) -> Result<bool> {
        match self.word() {
            Some(K::Connection) => {
                self.bump();
                self.string()?;
            }
            Some(K::Refresh) => {
                self.expect_words(&[K::Refresh, K::Publication])?;
                self.opt_definition()?;
            }
            Some(K::Enable | K::Disable) => drop(self.bump()),
            Some(K::Skip) => {
                self.bump();
                self.definition()?;
            }
            Some(k @ (K::Set | K::Add | K::Drop)) => {
                self.bump();
                if k == K::Set && self.is(Kind::LParen) {
                    self.definition()?;
                } else {
                    self.expect_word(K::Publication)?;
                    self.names()?;
                    self.opt_definition()?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
    /// `{ADD | ALTER | DROP} MAPPING ...`
    fn alter_mapping(&mut self) -> Result<Option<AlterMapping>> {
        let Some(k) = self.one_of(&[K::Add, K::Alter, K::Drop]) else { return Ok(None) };
        self.expect_word(K::Mapping)?;
        if k == K::Alter && self.eat_word(K::Replace) {
            return Ok(Some(AlterMapping { tokens: Vec::new(), change: self.replaced_dictionary()? }));
        }
        let if_exists = k == K::Drop && self.if_exists()?;
        self.expect_word(K::For)?;
        let tokens = self.names()?;
        let change = match k {
            K::Drop => MappingChange::Drop { if_exists },
            K::Alter if self.eat_word(K::Replace) => self.replaced_dictionary()?,
            _ => {
                self.with_any()?;
                let dictionaries = self.any_names()?;
                if k == K::Add { MappingChange::Add(dictionaries) } else { MappingChange::Alter(dictionaries) }
            }
        };
        Ok(Some(AlterMapping { tokens, change }))
    }
    fn replaced_dictionary(&mut self) -> Result<MappingChange> {
        let old = self.any_name()?;
        self.with_any()?;
        Ok(MappingChange::Replace(old, self.any_name()?))
    }
    fn with_any(&mut self) -> Result<()> {
        if self.opt_with_word() { Ok(()) } else { self.unexpected() }
    }
    fn alter_wrapper(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Foreign, K::Data, K::Wrapper])?;
        let name = self.single()?;
        let any = self.wrapper_options()?;
        if self.is_word(K::Options) {
            self.alter_generic_options()?;
        } else if !any {
            return self.object_action(Object::Named(O::ForeignDataWrapper, name), false, &[Act::Rename, Act::Owner]);
        }
        Ok(Statement::Other("ALTER FOREIGN DATA WRAPPER"))
    }

    // ---- tables and their kin ----

    fn alter_relation(&mut self) -> Result<Statement> {
        let made = |a| Ok(Statement::Alter(Box::new(a)));
        let Some((kind, _)) = self.object_kind()? else { return self.unexpected() };
        if self.is_word(K::All) && matches!(kind, O::Table | O::Index | O::MaterializedView) {
            self.expect_words(&[K::All, K::In, K::Tablespace])?;
            self.col_id()?;
            if self.eat_word(K::Owned) {
                self.expect_word(K::By)?;
                self.roles()?;
            }
            self.expect_words(&[K::Set, K::Tablespace])?;
            self.col_id()?;
            self.eat_word(K::Nowait);
            return Ok(Statement::Other("ALTER TABLE"));
        }
        let if_exists = self.if_exists()?;
        let name =
            if matches!(kind, O::Table | O::ForeignTable) { self.relation_expr()? } else { self.qualified_name()? };
        let object = |name: &Relation| Object::Named(kind, QualifiedName { parts: name.parts.clone(), at: name.at });
        match self.word() {
            Some(K::Rename) => {
                self.bump();
                if self.eat_word(K::To) {
                    return made(Alter::Rename { object: object(&name), if_exists, to: self.col_id()? });
                }
                if matches!(kind, O::Index | O::Sequence) {
                    return self.unexpected();
                }
                let constraint = kind == O::Table && self.eat_word(K::Constraint);
                if !constraint {
                    self.eat_word(K::Column);
                }
                let part = if constraint { O::Constraint } else { O::Column };
                let from = self.col_id()?;
                self.expect_word(K::To)?;
                return made(Alter::RenamePart {
                    object: object(&name),
                    if_exists,
                    only: name.only,
                    part,
                    name: from,
                    to: self.col_id()?,
                    behavior: DropBehavior::Restrict,
                });
            }
            Some(K::Set) if self.word_ahead(1, K::Schema) && kind != O::Index => {
                self.bump();
                self.bump();
                return made(Alter::SetSchema { object: object(&name), if_exists, schema: self.col_id()? });
            }
            Some(K::Attach) if kind == O::Table || (kind == O::Index && !if_exists) => {
                self.expect_words(&[K::Attach, K::Partition])?;
                let partition = self.qualified_name()?;
                let bound = if kind == O::Table { Some(self.partition_bound()?) } else { None };
                return made(Alter::Table {
                    kind,
                    name,
                    if_exists,
                    commands: vec![AlterTable::AttachPartition { partition, bound }],
                });
            }
            Some(K::Detach) if kind == O::Table => {
                self.expect_words(&[K::Detach, K::Partition])?;
                let partition = self.qualified_name()?;
                let last = self.one_of(&[K::Concurrently, K::Finalize]);
                let (concurrently, finalize) = (last == Some(K::Concurrently), last == Some(K::Finalize));
                return made(Alter::Table {
                    kind,
                    name,
                    if_exists,
                    commands: vec![AlterTable::DetachPartition { partition, concurrently, finalize }],
                });
            }
            _ => {}
        }
        if matches!(kind, O::Index | O::MaterializedView)
            && !if_exists
            && let Some(s) = self.depends()?
        {
            return Ok(s);
        }
        // SET may be a table's (tablespace, options, ...) as well as a sequence's.
        if kind == O::Sequence && !self.is_word(K::Set) {
            let options = self.sequence_options()?;
            if !options.is_empty() {
                return made(Alter::Sequence { name, if_exists, options });
            }
        }
        let commands = self.list(Self::alter_table_command)?;
        made(Alter::Table { kind, name, if_exists, commands })
    }
    fn alter_table_command(&mut self) -> Result<AlterTable> {
        use AlterTable::*;
        let Some(k) = self.word() else { return self.unexpected() };
        match k {
            K::Add => {
                self.bump();
                if matches!(self.word(), Some(K::Constraint | K::Check | K::Unique | K::Primary | K::Foreign))
                    || (self.is_word(K::Exclude) && matches!(self.ahead(1), Kind::LParen | Kind::Keyword(K::Using)))
                {
                    return Ok(AddConstraint(self.table_constraint()?));
                }
                self.eat_word(K::Column);
                let if_not_exists = self.if_not_exists()?;
                Ok(AddColumn { if_not_exists, column: self.column_definition()? })
            }
            K::Alter => self.alter_column(),
            K::Drop => {
                self.bump();
                if self.eat_word(K::Constraint) {
                    let if_exists = self.if_exists()?;
                    let name = self.col_id()?;
                    return Ok(DropConstraint { name, if_exists, behavior: self.drop_behavior() });
                }
                self.eat_word(K::Column);
                let if_exists = self.if_exists()?;
                let name = self.col_id()?;
                Ok(DropColumn { name, if_exists, behavior: self.drop_behavior() })
            }
            K::Validate => {
                self.expect_words(&[K::Validate, K::Constraint])?;
                Ok(ValidateConstraint(self.col_id()?))
            }
            K::Set => {
                self.bump();
                match self.word() {
                    Some(K::Without) => {
                        self.bump();
                        Ok(match self.expect_one_of(&[K::Oids, K::Cluster])? {
                            K::Oids => SetWithoutOids,
                            _ => SetWithoutCluster,
                        })
                    }
                    Some(k @ (K::Logged | K::Unlogged)) => {
                        self.bump();
                        Ok(SetLogged(k == K::Logged))
                    }
                    Some(K::Access) => {
                        self.expect_words(&[K::Access, K::Method])?;
                        Ok(AccessMethod(self.col_id()?))
                    }
                    Some(K::Tablespace) => {
                        self.bump();
                        Ok(Tablespace(self.col_id()?))
                    }
                    _ => Ok(Options { options: self.relation_options()?, reset: false }),
                }
            }
            K::Reset => {
                self.bump();
                Ok(Options { options: self.relation_options()?, reset: true })
            }
            K::Cluster => {
                self.expect_words(&[K::Cluster, K::On])?;
                Ok(ClusterOn(self.col_id()?))
            }
            K::Enable | K::Disable => self.enable(k == K::Enable),
            K::Force => {
                self.expect_words(&[K::Force, K::Row, K::Level, K::Security])?;
                Ok(RowSecurity(crate::tree::RowSecurity::Force))
            }
            K::No => {
                self.bump();
                if self.eat_word(K::Force) {
                    self.expect_words(&[K::Row, K::Level, K::Security])?;
                    return Ok(RowSecurity(crate::tree::RowSecurity::NoForce));
                }
                self.expect_word(K::Inherit)?;
                Ok(Inherit { parent: self.qualified_name()?, no: true })
            }
            K::Inherit => {
                self.bump();
                Ok(Inherit { parent: self.qualified_name()?, no: false })
            }
            K::Of => {
                self.bump();
                Ok(OfType(Some(self.any_name()?)))
            }
            K::Not => {
                self.expect_words(&[K::Not, K::Of])?;
                Ok(OfType(None))
            }
            K::Owner => {
                self.expect_words(&[K::Owner, K::To])?;
                Ok(Owner(self.role()?))
            }
            K::Replica => {
                self.expect_words(&[K::Replica, K::Identity])?;
                use crate::tree::ReplicaIdentity as I;
                Ok(ReplicaIdentity(match self.expect_one_of(&[K::Nothing, K::Full, K::Default, K::Using])? {
                    K::Nothing => I::Nothing,
                    K::Full => I::Full,
                    K::Default => I::Default,
                    _ => {
                        self.expect_word(K::Index)?;
                        I::Index(self.col_id()?)
                    }
                }))
            }
            K::Options => Ok(ForeignOptions(self.alter_generic_options()?)),
            _ => self.unexpected(),
        }
    }
    fn enable(&mut self, on: bool) -> Result<AlterTable> {
        self.bump();
        let plain = if on { FireMode::Enabled } else { FireMode::Disabled };
        let mode = match self.word() {
            Some(K::Always) if on => {
                self.bump();
                FireMode::Always
            }
            Some(K::Replica) if on => {
                self.bump();
                FireMode::Replica
            }
            _ => plain,
        };
        match self.expect_one_of(if mode == plain { &[K::Trigger, K::Rule, K::Row] } else { &[K::Trigger, K::Rule] })? {
            K::Trigger => {
                let which = match self.word() {
                    Some(K::All) if mode == plain => {
                        self.bump();
                        Which::All
                    }
                    Some(K::User) if mode == plain => {
                        self.bump();
                        Which::User
                    }
                    _ => Which::Named(self.col_id()?),
                };
                Ok(AlterTable::Trigger { which, mode })
            }
            K::Rule => Ok(AlterTable::Rule { name: self.col_id()?, mode }),
            _ => {
                self.expect_words(&[K::Level, K::Security])?;
                Ok(AlterTable::RowSecurity(if on { RowSecurity::Enable } else { RowSecurity::Disable }))
            }
        }
    }
    fn alter_column(&mut self) -> Result<AlterTable> {
        use AlterTable::*;
        self.bump();
        if self.eat_word(K::Constraint) {
            let name = self.col_id()?;
            let attributes = self.constraint_attributes()?;
            // Only foreign keys can be changed so, and only in when they are checked.
            if attributes.not_valid || attributes.no_inherit {
                let what = if attributes.not_valid { "NOT VALID" } else { "NO INHERIT" };
                return Err(err!(FEATURE_NOT_SUPPORTED, "FOREIGN KEY constraints cannot be marked {what}"));
            }
            return Ok(AlterConstraint { name, attributes });
        }
        self.eat_word(K::Column);
        let here = self.at();
        if self.is(Kind::Integer) {
            let n = self.integer()?;
            self.expect_words(&[K::Set, K::Statistics])?;
            let target = self.signed_integer()?;
            if !(1..=i16::MAX as i32).contains(&n) {
                let e = err!(INVALID_PARAMETER_VALUE, "column number must be in range from 1 to {}", i16::MAX);
                return Err(self.at_place(e, here));
            }
            return Ok(SetStatistics { column: ColumnRef::Number(n), target });
        }
        let column = self.col_id()?;
        let type_at = self.at();
        match self.word() {
            Some(K::Set) => {
                self.bump();
                match self.word() {
                    Some(K::Default) => {
                        self.bump();
                        Ok(SetDefault { column, default: Some(self.expr()?) })
                    }
                    Some(K::Not) => {
                        self.expect_words(&[K::Not, K::Null])?;
                        Ok(SetNotNull { column, not_null: true })
                    }
                    Some(K::Statistics) => {
                        self.bump();
                        Ok(SetStatistics { column: ColumnRef::Named(column), target: self.signed_integer()? })
                    }
                    Some(K::Storage) => {
                        self.bump();
                        Ok(SetStorage { column, storage: self.col_id()? })
                    }
                    Some(K::Compression) => Ok(SetCompression { column, method: self.compression()? }),
                    Some(K::Data) => {
                        self.bump();
                        self.column_type_change(column, type_at)
                    }
                    _ if self.is(Kind::LParen) => {
                        Ok(SetOptions { column, options: self.relation_options()?, reset: false })
                    }
                    // An identity column's options: SET START ... and so on, and RESTART between them
                    _ => {
                        self.i -= 1;
                        self.alter_identity(column)
                    }
                }
            }
            Some(K::Restart) => self.alter_identity(column),
            Some(K::Reset) => {
                self.bump();
                Ok(SetOptions { column, options: self.relation_options()?, reset: true })
            }
            Some(K::Drop) => {
                self.bump();
                match self.expect_one_of(&[K::Default, K::Not, K::Expression, K::Identity])? {
                    K::Default => Ok(SetDefault { column, default: None }),
                    K::Not => {
                        self.expect_word(K::Null)?;
                        Ok(SetNotNull { column, not_null: false })
                    }
                    K::Expression => Ok(DropExpression { column, if_exists: self.if_exists()? }),
                    _ => Ok(DropIdentity { column, if_exists: self.if_exists()? }),
                }
            }
            Some(K::Add) => {
                self.expect_words(&[K::Add, K::Generated])?;
                let always = self.generated_when()?;
                self.expect_words(&[K::As, K::Identity])?;
                let options = if self.is(Kind::LParen) { self.sequence_options_in_parens()? } else { Vec::new() };
                Ok(AddIdentity { column, always, options })
            }
            Some(K::Type) => self.column_type_change(column, type_at),
            Some(K::Options) => Ok(ColumnForeignOptions { column, options: self.alter_generic_options()? }),
            _ => self.unexpected(),
        }
    }
    /// At TYPE
    fn column_type_change(&mut self, column: Name, at: At) -> Result<AlterTable> {
        self.expect_word(K::Type)?;
        let ty = self.type_name()?;
        let collation = self.opt_collate()?;
        let using = if self.eat_word(K::Using) { Some(self.expr()?) } else { None };
        Ok(AlterTable::Type { column, ty, collation, using, at })
    }
    fn alter_identity(&mut self, column: Name) -> Result<AlterTable> {
        let mut options = Vec::new();
        loop {
            if self.eat_word(K::Restart) {
                options.push(self.restart_value()?);
            } else if self.eat_word(K::Set) {
                if self.eat_word(K::Generated) {
                    options.push(SequenceOption::Generated { always: self.generated_when()? });
                    continue;
                }
                let at = self.at();
                let start = self.i;
                let option = self.one_sequence_option()?;
                match option {
                    Some(SequenceOption::As(_))
                    | Some(SequenceOption::OwnedBy(_))
                    | Some(SequenceOption::Restart(_)) => {
                        let word = self.tokens[start].kind;
                        let name = match word {
                            Kind::Keyword(K::Owned) => "owned_by",
                            Kind::Keyword(k) => k.word(),
                            _ => "",
                        };
                        return Err(
                            self.at_place(err!(SYNTAX_ERROR, "sequence option \"{name}\" not supported here"), at)
                        );
                    }
                    Some(o) => options.push(o),
                    None => return self.unexpected(),
                }
            } else {
                return Ok(AlterTable::AlterIdentity { column, options });
            }
        }
    }

    // ---- types, domains, functions, operators ----

    /// None: a form without a tree
    fn alter_type(&mut self) -> Result<Option<Alter>> {
        self.bump();
        let name = self.any_name()?;
        let object = Object::Named(O::Type, name.clone());
        match self.word() {
            Some(K::Rename) => {
                self.bump();
                match self.expect_one_of(&[K::To, K::Value, K::Attribute])? {
                    K::To => Ok(Some(Alter::Rename { object, if_exists: false, to: self.col_id()? })),
                    K::Value => {
                        let from = self.string()?;
                        self.expect_word(K::To)?;
                        Ok(Some(Alter::EnumRename { name, from, to: self.string()? }))
                    }
                    _ => {
                        let from = self.col_id()?;
                        self.expect_word(K::To)?;
                        let to = self.col_id()?;
                        let behavior = self.drop_behavior();
                        Ok(Some(Alter::RenamePart {
                            object,
                            if_exists: false,
                            only: false,
                            part: O::Column,
                            name: from,
                            to,
                            behavior,
                        }))
                    }
                }
            }
            Some(K::Owner) => {
                self.expect_words(&[K::Owner, K::To])?;
                Ok(Some(Alter::Owner { object, to: self.role()? }))
            }
            Some(K::Set) if self.ahead(1) == Kind::LParen => {
                self.bump();
                self.operator_definition()?;
                Ok(None)
            }
            Some(K::Set) => {
                self.expect_words(&[K::Set, K::Schema])?;
                Ok(Some(Alter::SetSchema { object, if_exists: false, schema: self.col_id()? }))
            }
            Some(K::Add) if self.word_ahead(1, K::Value) => {
                self.bump();
                self.bump();
                let if_not_exists = self.is_word(K::If);
                if if_not_exists {
                    self.expect_words(&[K::If, K::Not, K::Exists])?;
                }
                let value = self.string()?;
                let neighbour = match self.one_of(&[K::Before, K::After]) {
                    Some(k) => Some((k == K::Before, self.string()?)),
                    None => None,
                };
                Ok(Some(Alter::EnumAdd { name, if_not_exists, value, neighbour }))
            }
            _ => {
                let commands = self.list(Self::alter_attribute)?;
                self.relation_of(name.clone())?;
                Ok(Some(Alter::Composite { name, commands }))
            }
        }
    }
    fn alter_attribute(&mut self) -> Result<AlterAttribute> {
        let k = self.expect_one_of(&[K::Add, K::Drop, K::Alter])?;
        self.expect_word(K::Attribute)?;
        match k {
            K::Add => {
                let c = self.column_type()?;
                Ok(AlterAttribute::Add(c, self.drop_behavior()))
            }
            K::Drop => {
                let if_exists = self.if_exists()?;
                let name = self.col_id()?;
                Ok(AlterAttribute::Drop { name, if_exists, behavior: self.drop_behavior() })
            }
            _ => {
                let name = self.col_id()?;
                if self.eat_word(K::Set) {
                    self.expect_word(K::Data)?;
                }
                self.expect_word(K::Type)?;
                let ty = self.type_name()?;
                let collation = self.opt_collate()?;
                Ok(AlterAttribute::Type { name, ty, collation, behavior: self.drop_behavior() })
            }
        }
    }
    fn alter_domain(&mut self) -> Result<Alter> {
        self.bump();
        let name = self.any_name()?;
        let object = Object::Named(O::Domain, name.clone());
        let command = match self.word() {
            Some(K::Rename) => {
                self.bump();
                if self.eat_word(K::To) {
                    return Ok(Alter::Rename { object, if_exists: false, to: self.col_id()? });
                }
                self.expect_word(K::Constraint)?;
                let from = self.col_id()?;
                self.expect_word(K::To)?;
                let to = self.col_id()?;
                return Ok(Alter::RenamePart {
                    object,
                    if_exists: false,
                    only: false,
                    part: O::Constraint,
                    name: from,
                    to,
                    behavior: DropBehavior::Restrict,
                });
            }
            Some(K::Owner) => {
                self.expect_words(&[K::Owner, K::To])?;
                return Ok(Alter::Owner { object, to: self.role()? });
            }
            Some(K::Set) => {
                self.bump();
                match self.expect_one_of(&[K::Schema, K::Default, K::Not])? {
                    K::Schema => return Ok(Alter::SetSchema { object, if_exists: false, schema: self.col_id()? }),
                    K::Default => AlterDomain::SetDefault(Some(self.expr()?)),
                    _ => {
                        self.expect_word(K::Null)?;
                        AlterDomain::SetNotNull(true)
                    }
                }
            }
            Some(K::Drop) => {
                self.bump();
                match self.expect_one_of(&[K::Default, K::Not, K::Constraint])? {
                    K::Default => AlterDomain::SetDefault(None),
                    K::Not => {
                        self.expect_word(K::Null)?;
                        AlterDomain::SetNotNull(false)
                    }
                    _ => {
                        let if_exists = self.if_exists()?;
                        let name = self.col_id()?;
                        AlterDomain::Drop { name, if_exists, behavior: self.drop_behavior() }
                    }
                }
            }
            Some(K::Add) => {
                self.bump();
                AlterDomain::Add(self.table_constraint()?)
            }
            Some(K::Validate) => {
                self.expect_words(&[K::Validate, K::Constraint])?;
                AlterDomain::Validate(self.col_id()?)
            }
            _ => return self.unexpected(),
        };
        Ok(Alter::Domain { name, command })
    }
    fn alter_routine(&mut self, k: K) -> Result<Statement> {
        self.bump();
        let kind = match k {
            K::Function => O::Function,
            K::Procedure => O::Procedure,
            _ => O::Routine,
        };
        let routine = self.routine_ref()?;
        if let Some(s) = self.depends()? {
            return Ok(s);
        }
        let is_action = match self.word() {
            Some(K::Rename | K::Owner) => true,
            Some(K::Set) => {
                self.word_ahead(1, K::Schema)
                    && self.ahead(2) != Kind::Str
                    && !matches!(self.ahead(2), Kind::Equals | Kind::Keyword(K::To))
            }
            _ => false,
        };
        if is_action {
            return self.object_action(Object::Routine(kind, routine), false, &[Act::Rename, Act::Schema, Act::Owner]);
        }
        let options = self.routine_options(false)?;
        if options.is_empty() {
            return self.unexpected();
        }
        self.eat_word(K::Restrict);
        Ok(Statement::Alter(Box::new(Alter::Routine { kind, routine, options })))
    }
    fn alter_operator(&mut self) -> Result<Statement> {
        self.bump();
        if let Some(k) = self.word().filter(|k| matches!(k, K::Class | K::Family) && self.ahead(1) != Kind::Dot) {
            self.bump();
            let object = self.operator_class(k)?;
            if k == K::Family {
                if self.eat_word(K::Add) {
                    self.class_items()?;
                    return Ok(Statement::Other("ALTER OPERATOR FAMILY"));
                }
                if self.eat_word(K::Drop) {
                    self.list(|p| {
                        p.expect_one_of(&[K::Operator, K::Function])?;
                        p.integer()?;
                        p.parenthesized(Self::type_name).map(drop)
                    })?;
                    return Ok(Statement::Other("ALTER OPERATOR FAMILY"));
                }
            }
            return self.object_action(object, false, &[Act::Rename, Act::Schema, Act::Owner]);
        }
        let object = Object::Operator(self.operator_ref()?);
        if self.is_word(K::Set) && self.ahead(1) == Kind::LParen {
            self.bump();
            self.operator_definition()?;
            return Ok(Statement::Other("ALTER OPERATOR"));
        }
        self.object_action(object, false, &[Act::Schema, Act::Owner])
    }
    /// `(name = value | NONE, ...)`
    fn operator_definition(&mut self) -> Result<()> {
        self.parenthesized(|p| {
            p.label()?;
            p.expect(Kind::Equals)?;
            p.option_value().map(drop)
        })
        .map(drop)
    }

    // ---- roles, databases, the rest ----

    fn alter_role(&mut self) -> Result<Alter> {
        self.bump();
        let is_set = |p: &Self| matches!(p.word(), Some(K::Set | K::Reset | K::In));
        if self.eat_word(K::All) {
            let database = self.in_database()?;
            return Ok(Alter::RoleSet { role: None, database, set: self.set_or_reset()? });
        }
        let name = self.role()?;
        if self.eat_word(K::Rename) {
            self.expect_word(K::To)?;
            let object = self.role_object(name)?;
            return Ok(Alter::Rename { object, if_exists: false, to: self.role_id()? });
        }
        if is_set(self) {
            let database = self.in_database()?;
            return Ok(Alter::RoleSet { role: Some(name), database, set: self.set_or_reset()? });
        }
        Ok(Alter::Role { name, options: self.role_options(false)? })
    }
    fn role_object(&mut self, r: RoleSpec) -> Result<Object> {
        let name = match r.role {
            Role::Named(n) => n,
            Role::Public => {
                let e = Error::new(pamir_types::error::state::RESERVED_NAME, "role name \"public\" is reserved");
                return Err(self.at_place(e, r.at));
            }
            other => {
                let word = match other {
                    Role::CurrentRole => "CURRENT_ROLE",
                    Role::CurrentUser => "CURRENT_USER",
                    _ => "SESSION_USER",
                };
                let e = Error::new(
                    pamir_types::error::state::RESERVED_NAME,
                    format!("{word} cannot be used as a role name here"),
                );
                return Err(self.at_place(e, r.at));
            }
        };
        Ok(Object::Named(O::Role, QualifiedName { parts: vec![name], at: r.at }))
    }
    fn in_database(&mut self) -> Result<Option<Name>> {
        if !self.eat_word(K::In) {
            return Ok(None);
        }
        self.expect_word(K::Database)?;
        self.col_id().map(Some)
    }
    fn set_or_reset(&mut self) -> Result<SetStatement> {
        if self.is_word(K::Reset) {
            return self.reset();
        }
        self.expect_word(K::Set)?;
        Ok(SetStatement { local: false, reset: false, what: self.set_rest()? })
    }
    fn alter_group(&mut self) -> Result<Alter> {
        self.bump();
        let role = self.role()?;
        if !matches!(self.word(), Some(K::Add | K::Drop)) {
            let object = self.role_object(role)?;
            self.expect_words(&[K::Rename, K::To])?;
            return Ok(Alter::Rename { object, if_exists: false, to: self.role_id()? });
        }
        let add = self.expect_one_of(&[K::Add, K::Drop])? == K::Add;
        self.expect_word(K::User)?;
        Ok(Alter::RoleMembers { role, add, members: self.roles()? })
    }
    fn alter_database(&mut self) -> Result<Statement> {
        self.bump();
        let made = |a| Ok(Statement::Alter(Box::new(a)));
        let at = self.at();
        let name = self.col_id()?;
        let object = Object::Named(O::Database, QualifiedName { parts: vec![name.clone()], at });
        match self.word() {
            Some(K::Rename | K::Owner) if self.is_word(K::Rename) || self.word_ahead(1, K::To) => {
                self.object_action(object, false, &[Act::Rename, Act::Owner])
            }
            Some(K::Refresh) => {
                self.expect_words(&[K::Refresh, K::Collation, K::Version])?;
                Ok(Statement::Other("ALTER DATABASE"))
            }
            Some(K::Set)
                if self.word_ahead(1, K::Tablespace)
                    && !matches!(self.ahead(2), Kind::Equals | Kind::Keyword(K::To)) =>
            {
                self.bump();
                let at = self.at();
                self.bump();
                let value = Some(DefValue::String(self.col_id()?));
                made(Alter::Database { name, options: vec![DefElem { value, ..self.flag("tablespace", at) }] })
            }
            Some(K::Set | K::Reset) => made(Alter::DatabaseSet { name, set: self.set_or_reset()? }),
            _ => {
                self.eat_word(K::With);
                made(Alter::Database { name, options: self.database_options()? })
            }
        }
    }
    fn alter_policy(&mut self) -> Result<Statement> {
        self.bump();
        let if_exists = self.if_exists()?;
        let name = self.col_id()?;
        self.expect_word(K::On)?;
        let table = self.qualified_name()?;
        if if_exists || self.is_word(K::Rename) {
            let of = QualifiedName { parts: table.parts, at: table.at };
            return self.object_action(
                Object::On { kind: O::Policy, name, of, domain: false },
                if_exists,
                &[Act::Rename],
            );
        }
        let to = if self.eat_word(K::To) { Some(self.roles()?) } else { None };
        let (using, check) = self.policy_conditions()?;
        Ok(Statement::Alter(Box::new(Alter::Policy { name, table, to, using, check })))
    }
    fn alter_statistics(&mut self) -> Result<Statement> {
        self.bump();
        let if_exists = self.if_exists()?;
        let name = self.any_name()?;
        if self.is_word(K::Set) && self.word_ahead(1, K::Statistics) {
            self.bump();
            self.bump();
            return Ok(Statement::Alter(Box::new(Alter::Statistics {
                name,
                if_exists,
                target: self.signed_integer()?,
            })));
        }
        if if_exists {
            self.expect_word(K::Set)?;
            return self.unexpected();
        }
        self.object_action(Object::Named(O::Statistics, name), false, &[Act::Rename, Act::Schema, Act::Owner])
    }
    fn alter_extension(&mut self) -> Result<Statement> {
        self.bump();
        let name = self.single()?;
        match self.word() {
            Some(K::Update) => {
                self.bump();
                let mut options = Vec::new();
                loop {
                    let at = self.at();
                    if !self.eat_word(K::To) {
                        break;
                    }
                    let value = Some(DefValue::String(self.non_reserved_or_string()?));
                    options.push(DefElem { value, ..self.flag("new_version", at) });
                }
                let name = name.parts.into_iter().next().unwrap_or_default();
                Ok(Statement::Alter(Box::new(Alter::Extension { name, options })))
            }
            Some(K::Add | K::Drop) => {
                self.bump();
                match self.object_kind()? {
                    Some((_, Naming::On)) => {
                        self.i -= 1;
                        return self.unexpected();
                    }
                    Some((kind, naming)) => drop(self.object_named(kind, naming)?),
                    None => match self.word() {
                        Some(K::Large) => return self.unexpected(),
                        _ => drop(self.other_object()?),
                    },
                }
                Ok(Statement::Other("ALTER EXTENSION"))
            }
            _ => self.object_action(Object::Named(O::Extension, name), false, &[Act::Schema]),
        }
    }
}

/// What many objects can have done to them
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Rename,
    Schema,
    Owner,
}
