//! Roles, GRANT and REVOKE.
use super::*;
use ObjectKind as O;

impl Parser<'_> {
    /// `[WITH] options`
    pub(super) fn role_options(&mut self, create: bool) -> Result<Vec<RoleOption>> {
        if self.is_word(K::With) || self.is(Kind::WithLa) {
            self.bump();
        }
        let mut out = Vec::new();
        loop {
            let at = self.at();
            out.push(match self.kind() {
                Kind::Ident => {
                    let word = self.col_id()?;
                    let (name, on) = self.role_flag(&word, at)?;
                    RoleOption::Flag(name, on)
                }
                Kind::Keyword(k) => match k {
                    K::Password => {
                        self.bump();
                        RoleOption::Password(if self.eat_word(K::Null) { None } else { Some(self.string()?) })
                    }
                    K::Encrypted => {
                        self.expect_words(&[K::Encrypted, K::Password])?;
                        RoleOption::Password(Some(self.string()?))
                    }
                    K::Unencrypted => {
                        self.expect_words(&[K::Unencrypted, K::Password])?;
                        self.string()?;
                        let e = err!(FEATURE_NOT_SUPPORTED, "UNENCRYPTED PASSWORD is no longer supported")
                            .hint("Remove UNENCRYPTED to store the password in encrypted form instead.");
                        return Err(self.at_place(e, at));
                    }
                    K::Inherit => {
                        self.bump();
                        RoleOption::Flag("inherit", true)
                    }
                    K::Connection => {
                        self.expect_words(&[K::Connection, K::Limit])?;
                        RoleOption::ConnectionLimit(self.signed_integer()?)
                    }
                    K::Valid => {
                        self.expect_words(&[K::Valid, K::Until])?;
                        RoleOption::ValidUntil(self.string()?)
                    }
                    K::User => {
                        self.bump();
                        RoleOption::Members(self.roles()?)
                    }
                    K::Sysid if create => {
                        self.bump();
                        self.integer()?;
                        RoleOption::SysId
                    }
                    K::Admin if create => {
                        self.bump();
                        RoleOption::Admin(self.roles()?)
                    }
                    K::Role if create => {
                        self.bump();
                        RoleOption::Members(self.roles()?)
                    }
                    K::In if create => {
                        self.bump();
                        self.expect_one_of(&[K::Role, K::Group])?;
                        RoleOption::InRoles(self.roles()?)
                    }
                    _ => return Ok(out),
                },
                _ => return Ok(out),
            });
        }
    }
    fn role_flag(&self, word: &str, at: At) -> Result<(&'static str, bool)> {
        Ok(match word {
            "superuser" => ("superuser", true),
            "nosuperuser" => ("superuser", false),
            "createrole" => ("createrole", true),
            "nocreaterole" => ("createrole", false),
            "replication" => ("replication", true),
            "noreplication" => ("replication", false),
            "createdb" => ("createdb", true),
            "nocreatedb" => ("createdb", false),
            "login" => ("login", true),
            "nologin" => ("login", false),
            "bypassrls" => ("bypassrls", true),
            "nobypassrls" => ("bypassrls", false),
            "noinherit" => ("inherit", false),
            _ => return Err(self.at_place(err!(SYNTAX_ERROR, "unrecognized role option \"{word}\""), at)),
        })
    }

    // ---- GRANT ----

    pub(super) fn grant(&mut self) -> Result<Statement> {
        self.bump();
        self.grant_or_revoke(false)
    }
    pub(super) fn revoke(&mut self) -> Result<Statement> {
        self.bump();
        self.grant_or_revoke(true)
    }
    fn grant_or_revoke(&mut self, revoke: bool) -> Result<Statement> {
        let mut option = false;
        let mut admin = false;
        if revoke {
            if self.eat_word(K::Grant) {
                self.expect_words(&[K::Option, K::For])?;
                option = true;
            } else if self.is_word(K::Admin) && self.word_ahead(1, K::Option) {
                self.expect_words(&[K::Admin, K::Option, K::For])?;
                admin = true;
            }
        }
        // ALL is of privileges only; a list may be of privileges or roles.
        let all = !admin && self.is_word(K::All);
        let (privileges, all_columns) =
            if all { (Vec::new(), self.all_privileges()?) } else { (self.privileges()?, Vec::new()) };
        let direction = if revoke { K::From } else { K::To };
        if !all && !option && self.is_word(direction) {
            self.bump();
            let grantees = self.roles()?;
            if !revoke && self.eat_word(K::With) {
                self.expect_words(&[K::Admin, K::Option])?;
                admin = true;
            }
            let granted_by = self.granted_by()?;
            let behavior = if revoke { self.drop_behavior() } else { DropBehavior::Restrict };
            return Ok(Statement::GrantRole(Box::new(GrantRole {
                revoke,
                roles: privileges,
                grantees,
                admin,
                granted_by,
                behavior,
            })));
        }
        if admin {
            return self.unexpected();
        }
        self.expect_word(K::On)?;
        let target = self.grant_target()?;
        self.expect_word(direction)?;
        let grantees = self.grantees()?;
        if !revoke && self.eat_word(K::With) {
            self.expect_words(&[K::Grant, K::Option])?;
            option = true;
        }
        let granted_by = self.granted_by()?;
        let behavior = if revoke { self.drop_behavior() } else { DropBehavior::Restrict };
        Ok(Statement::Grant(Box::new(Grant {
            revoke,
            privileges,
            all_columns,
            target,
            grantees,
            grant_option: option,
            granted_by,
            behavior,
        })))
    }
    fn all_privileges(&mut self) -> Result<Vec<Name>> {
        self.expect_word(K::All)?;
        self.eat_word(K::Privileges);
        self.opt_columns()
    }
    fn privileges(&mut self) -> Result<Vec<Privilege>> {
        self.list(|p| {
            let at = p.at();
            let name = match p.word() {
                Some(k @ (K::Select | K::References | K::Create)) => {
                    p.bump();
                    k.word().to_string()
                }
                Some(K::Alter) if p.word_ahead(1, K::System) => {
                    p.bump();
                    p.bump();
                    return Ok(Privilege { name: "alter system".to_string(), columns: Vec::new(), at });
                }
                _ => p.col_id()?,
            };
            Ok(Privilege { name, columns: p.opt_columns()?, at })
        })
    }
    fn granted_by(&mut self) -> Result<Option<RoleSpec>> {
        if !self.eat_word(K::Granted) {
            return Ok(None);
        }
        self.expect_word(K::By)?;
        self.role().map(Some)
    }
    fn grantees(&mut self) -> Result<Vec<RoleSpec>> {
        self.list(|p| {
            // GROUP is reserved.
            p.eat_word(K::Group);
            p.role()
        })
    }
    fn singles(&mut self) -> Result<Vec<QualifiedName>> {
        self.list(Self::single)
    }
    fn grant_target(&mut self) -> Result<GrantTarget> {
        use GrantTarget::*;
        let next_is_name = Self::is_col_id(self.ahead(1));
        let Some(k) = self.word() else { return Ok(Objects(O::Table, self.table_names()?)) };
        // Words that are no names of tables, or that a name follows
        let kind = match k {
            K::Table => Some(O::Table),
            K::Foreign => {
                self.bump();
                return Ok(match self.expect_one_of(&[K::Data, K::Server])? {
                    K::Data => {
                        self.expect_word(K::Wrapper)?;
                        Objects(O::ForeignDataWrapper, self.singles()?)
                    }
                    _ => Objects(O::Server, self.singles()?),
                });
            }
            K::All => {
                self.bump();
                let kind =
                    match self.expect_one_of(&[K::Tables, K::Sequences, K::Functions, K::Procedures, K::Routines])? {
                        K::Tables => O::Table,
                        K::Sequences => O::Sequence,
                        K::Functions => O::Function,
                        K::Procedures => O::Procedure,
                        _ => O::Routine,
                    };
                self.expect_words(&[K::In, K::Schema])?;
                return Ok(AllIn(kind, self.names()?));
            }
            K::Large if self.word_ahead(1, K::Object) => {
                self.bump();
                self.bump();
                return Ok(LargeObjects(self.list(Self::numeric)?));
            }
            K::Function | K::Procedure | K::Routine if next_is_name || Self::is_type_function_name(self.ahead(1)) => {
                self.bump();
                let kind = match k {
                    K::Function => O::Function,
                    K::Procedure => O::Procedure,
                    _ => O::Routine,
                };
                return Ok(Routines(kind, self.routine_refs()?));
            }
            _ if !next_is_name => None,
            K::Sequence => Some(O::Sequence),
            K::Database => Some(O::Database),
            K::Domain => Some(O::Domain),
            K::Language => Some(O::Language),
            K::Parameter => Some(O::Parameter),
            K::Schema => Some(O::Schema),
            K::Tablespace => Some(O::Tablespace),
            K::Type => Some(O::Type),
            _ => None,
        };
        let Some(kind) = kind else { return Ok(Objects(O::Table, self.table_names()?)) };
        self.bump();
        Ok(Objects(
            kind,
            match kind {
                O::Table | O::Sequence => self.table_names()?,
                O::Domain | O::Type => self.any_names()?,
                O::Parameter => self.list(|p| {
                    let at = p.at();
                    let mut parts = vec![p.col_id()?];
                    while p.eat(Kind::Dot) {
                        parts.push(p.col_id()?);
                    }
                    Ok(QualifiedName { parts, at })
                })?,
                _ => self.singles()?,
            },
        ))
    }
    fn table_names(&mut self) -> Result<Vec<QualifiedName>> {
        self.list(|p| {
            let r = p.qualified_name()?;
            Ok(QualifiedName { parts: r.parts, at: r.at })
        })
    }
    /// ALTER DEFAULT PRIVILEGES, behind those words
    pub(super) fn default_privileges(&mut self) -> Result<Alter> {
        let (mut schemas, mut roles) = (Vec::new(), Vec::new());
        loop {
            if self.eat_word(K::In) {
                self.expect_word(K::Schema)?;
                schemas.extend(self.names()?);
            } else if self.eat_word(K::For) {
                self.expect_one_of(&[K::Role, K::User])?;
                roles.extend(self.roles()?);
            } else {
                break;
            }
        }
        let revoke = self.expect_one_of(&[K::Grant, K::Revoke])? == K::Revoke;
        let mut option = revoke && self.eat_word(K::Grant);
        if option {
            self.expect_words(&[K::Option, K::For])?;
        }
        let (privileges, all_columns) =
            if self.is_word(K::All) { (Vec::new(), self.all_privileges()?) } else { (self.privileges()?, Vec::new()) };
        self.expect_word(K::On)?;
        let kind =
            match self.expect_one_of(&[K::Tables, K::Functions, K::Routines, K::Sequences, K::Types, K::Schemas])? {
                K::Tables => O::Table,
                K::Functions | K::Routines => O::Function,
                K::Sequences => O::Sequence,
                K::Types => O::Type,
                _ => O::Schema,
            };
        self.expect_word(if revoke { K::From } else { K::To })?;
        let grantees = self.grantees()?;
        if !revoke && self.eat_word(K::With) {
            self.expect_words(&[K::Grant, K::Option])?;
            option = true;
        }
        let behavior = if revoke { self.drop_behavior() } else { DropBehavior::Restrict };
        let grant = Grant {
            revoke,
            privileges,
            all_columns,
            target: GrantTarget::Default(kind),
            grantees,
            grant_option: option,
            granted_by: None,
            behavior,
        };
        Ok(Alter::DefaultPrivileges(Box::new(DefaultPrivileges { schemas, roles, grant })))
    }
    pub(super) fn reassign(&mut self) -> Result<Statement> {
        self.expect_words(&[K::Reassign, K::Owned, K::By])?;
        let from = self.roles()?;
        self.expect_word(K::To)?;
        Ok(Statement::Reassign { from, to: self.role()? })
    }
}
