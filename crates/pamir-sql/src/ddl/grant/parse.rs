//! The syntax of GRANT, REVOKE, ALTER DEFAULT PRIVILEGES, REASSIGN OWNED and DROP OWNED.
use super::super::own::Tokens;
use crate::catalog::acl::{self, Mode, ObjectKind};
use pamir_types::{Error, Result, bail, err};
use sqlparser::ast::ObjectName;
use sqlparser::tokenizer::Token;

/// A role as a statement names it.
#[derive(Clone, Debug, PartialEq)]
pub enum RoleSpec {
    Named(String),
    Public,
    CurrentUser,
    SessionUser,
}
/// One privilege, or all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Privilege {
    /// None: ALL.
    pub mode: Option<Mode>,
    /// As written, in lower case.
    pub word: String,
    pub columns: Vec<String>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Tables(Vec<ObjectName>),
    Sequences(Vec<ObjectName>),
    Schemas(Vec<String>),
    Databases(Vec<String>),
    /// ALL ... IN SCHEMA.
    AllIn(ObjectKind, Vec<String>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct GrantPrivileges {
    pub is_grant: bool,
    pub privileges: Vec<Privilege>,
    pub grantees: Vec<RoleSpec>,
    /// WITH GRANT OPTION, GRANT OPTION FOR.
    pub option: bool,
    pub grantor: Option<RoleSpec>,
    pub cascade: bool,
}
#[derive(Clone, Debug, PartialEq)]
pub struct GrantRoles {
    pub is_grant: bool,
    pub roles: Vec<RoleSpec>,
    pub members: Vec<RoleSpec>,
    /// WITH ADMIN OPTION, ADMIN OPTION FOR.
    pub admin: bool,
    pub grantor: Option<RoleSpec>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum GrantStatement {
    Privileges(GrantPrivileges, Target),
    Roles(GrantRoles),
    /// ALTER DEFAULT PRIVILEGES: for roles (none: the current one), in schemas (none: all).
    Defaults {
        roles: Vec<RoleSpec>,
        schemas: Vec<String>,
        kind: ObjectKind,
        grant: GrantPrivileges,
    },
    ReassignOwned {
        roles: Vec<RoleSpec>,
        to: RoleSpec,
    },
    DropOwned {
        roles: Vec<RoleSpec>,
        cascade: bool,
    },
}

fn list<T>(t: &mut Tokens, mut f: impl FnMut(&mut Tokens) -> Result<T>) -> Result<Vec<T>> {
    let mut out = vec![f(t)?];
    while t.token(&Token::Comma) {
        out.push(f(t)?);
    }
    Ok(out)
}
pub fn role_spec(t: &mut Tokens) -> Result<RoleSpec> {
    let written = t.ident()?;
    let name = super::super::cx::ident(&written);
    Ok(match (written.quote_style, name.as_str()) {
        (_, "public") => RoleSpec::Public,
        (_, "none") => return Err(err!(RESERVED_NAME, "role name \"none\" is reserved")),
        (None, "current_user" | "current_role") => RoleSpec::CurrentUser,
        (None, "session_user") => RoleSpec::SessionUser,
        _ => RoleSpec::Named(name),
    })
}
fn grantee(t: &mut Tokens) -> Result<RoleSpec> {
    if t.word_is(0, "group") {
        t.at += 1;
    }
    role_spec(t)
}
fn privileges(t: &mut Tokens) -> Result<Vec<Privilege>> {
    let columns = |t: &mut Tokens| -> Result<Vec<String>> {
        if !t.token(&Token::LParen) {
            return Ok(Vec::new());
        }
        let c = list(t, Tokens::name)?;
        if t.token(&Token::RParen) { Ok(c) } else { Err(t.error()) }
    };
    if t.eat("all") {
        t.eat("privileges");
        return Ok(vec![Privilege { mode: None, word: "all".into(), columns: columns(t)? }]);
    }
    list(t, |t| {
        let mut word = t.name()?;
        if word == "alter" && t.eat("system") {
            word.push_str(" system");
        }
        let mode = match word.as_str() {
            "temp" => acl::TEMPORARY,
            w => match acl::NAMES.iter().position(|n| n.eq_ignore_ascii_case(w)) {
                Some(bit) => 1 << bit,
                None => bail!(SYNTAX_ERROR, "unrecognized privilege type \"{w}\""),
            },
        };
        Ok(Privilege { mode: Some(mode), word, columns: columns(t)? })
    })
}
fn target(t: &mut Tokens) -> Result<Target> {
    let qualified = |t: &mut Tokens| list(t, Tokens::qualified);
    if t.word_is(0, "all") && t.word_is(2, "in") && t.word_is(3, "schema") {
        let kind = match () {
            () if t.word_is(1, "tables") => ObjectKind::Table,
            () if t.word_is(1, "sequences") => ObjectKind::Sequence,
            () if ["functions", "procedures", "routines"].iter().any(|w| t.word_is(1, w)) => ObjectKind::Function,
            () => return Err(t.error()),
        };
        t.at += 4;
        return Ok(Target::AllIn(kind, list(t, Tokens::name)?));
    }
    // A table may bear the name of a kind: `GRANT SELECT ON type TO x`.
    let kind = |w: &str| {
        t.word_is(0, w)
            && !matches!(t.list.get(t.at + 1), Some(Token::Comma | Token::Period) | None)
            && !t.word_is(1, "to")
            && !t.word_is(1, "from")
    };
    let found = ["table", "sequence", "schema", "database"].into_iter().find(|w| kind(w));
    let other = [
        "function",
        "procedure",
        "routine",
        "language",
        "type",
        "domain",
        "tablespace",
        "foreign",
        "large",
        "parameter",
    ]
    .into_iter()
    .find(|w| kind(w));
    if let Some(what) = other {
        return Err(Error::unsupported(format!("GRANT ON {}", what.to_ascii_uppercase())));
    }
    t.at += usize::from(found.is_some());
    Ok(match found {
        Some("sequence") => Target::Sequences(qualified(t)?),
        Some("schema") => Target::Schemas(list(t, Tokens::name)?),
        Some("database") => Target::Databases(list(t, Tokens::name)?),
        _ => Target::Tables(qualified(t)?),
    })
}
/// What follows the object: TO or FROM whom, and how.
fn to_whom(t: &mut Tokens, g: &mut GrantPrivileges) -> Result<()> {
    t.expect(if g.is_grant { "to" } else { "from" })?;
    g.grantees = list(t, grantee)?;
    if g.is_grant && t.eat_all(&["with", "grant", "option"]) {
        g.option = true;
    }
    if t.eat_all(&["granted", "by"]) {
        g.grantor = Some(role_spec(t)?);
    }
    if !g.is_grant {
        g.cascade = t.eat("cascade");
        t.eat("restrict");
    }
    Ok(())
}
fn begin(t: &mut Tokens) -> Result<GrantPrivileges> {
    let is_grant = t.eat("grant");
    if !is_grant {
        t.expect("revoke")?;
    }
    let option = !is_grant && t.eat_all(&["grant", "option", "for"]);
    let (privileges, grantees) = Default::default();
    Ok(GrantPrivileges { is_grant, privileges, grantees, option, grantor: None, cascade: false })
}

/// GRANT or REVOKE.
pub fn grant(t: &mut Tokens) -> Result<GrantStatement> {
    // Without ON they are of roles.
    if !(0..t.list.len()).any(|n| t.word_is(n, "on")) {
        return roles(t);
    }
    let mut g = begin(t)?;
    g.privileges = privileges(t)?;
    t.expect("on")?;
    let target = target(t)?;
    to_whom(t, &mut g)?;
    Ok(GrantStatement::Privileges(g, target))
}
fn roles(t: &mut Tokens) -> Result<GrantStatement> {
    let is_grant = t.eat("grant");
    if !is_grant {
        t.expect("revoke")?;
    }
    let mut admin = !is_grant && t.eat_all(&["admin", "option", "for"]);
    let roles = list(t, |t| {
        let r = role_spec(t)?;
        if t.peek() == Some(&Token::LParen) {
            bail!(SYNTAX_ERROR, "column names cannot be included in GRANT/REVOKE ROLE");
        }
        Ok(r)
    })?;
    t.expect(if is_grant { "to" } else { "from" })?;
    let members = list(t, role_spec)?;
    admin |= is_grant && t.eat_all(&["with", "admin", "option"]);
    let grantor = if t.eat_all(&["granted", "by"]) { Some(role_spec(t)?) } else { None };
    if !is_grant && !t.eat("cascade") {
        t.eat("restrict");
    }
    Ok(GrantStatement::Roles(GrantRoles { is_grant, roles, members, admin, grantor }))
}
/// ALTER DEFAULT PRIVILEGES, from behind these words.
pub fn defaults(t: &mut Tokens) -> Result<GrantStatement> {
    let (mut roles, mut schemas) = (Vec::new(), Vec::new());
    loop {
        if t.eat_all(&["for", "role"]) || t.eat_all(&["for", "user"]) {
            roles = list(t, role_spec)?;
        } else if t.eat_all(&["in", "schema"]) {
            schemas = list(t, Tokens::name)?;
        } else {
            break;
        }
    }
    let mut grant = begin(t)?;
    grant.privileges = privileges(t)?;
    t.expect("on")?;
    let kind = match t.name()?.as_str() {
        "tables" => ObjectKind::Table,
        "sequences" => ObjectKind::Sequence,
        "functions" | "routines" => ObjectKind::Function,
        "types" => ObjectKind::Type,
        "schemas" => ObjectKind::Schema,
        _ => {
            t.at -= 1;
            return Err(t.error());
        }
    };
    to_whom(t, &mut grant)?;
    Ok(GrantStatement::Defaults { roles, schemas, kind, grant })
}
/// REASSIGN OWNED BY or DROP OWNED BY, from behind these words.
pub fn owned(t: &mut Tokens, reassign: bool) -> Result<GrantStatement> {
    let roles = list(t, role_spec)?;
    if reassign {
        t.expect("to")?;
        return Ok(GrantStatement::ReassignOwned { roles, to: role_spec(t)? });
    }
    let cascade = t.eat("cascade");
    t.eat("restrict");
    Ok(GrantStatement::DropOwned { roles, cascade })
}
