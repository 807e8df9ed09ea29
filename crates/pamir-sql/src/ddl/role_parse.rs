//! The syntax of CREATE and ALTER ROLE, USER and GROUP, and of the settings that ALTER ROLE and ALTER DATABASE keep.
use super::grant::parse::role_spec;
use super::own::{OwnStatement, Tokens};
use super::role::Attributes;
use pamir_types::{Result, bail};
use sqlparser::tokenizer::Token;

/// Role options up to the end.
pub fn attributes(t: &mut Tokens) -> Result<Attributes> {
    let mut a = Attributes::default();
    t.eat("with");
    while !t.done() {
        let o = t.name()?;
        let roles = |t: &mut Tokens| -> Result<Vec<super::grant::RoleSpec>> {
            let mut v = vec![role_spec(t)?];
            while t.token(&Token::Comma) {
                v.push(role_spec(t)?);
            }
            Ok(v)
        };
        fn once<T>(slot: &mut Option<T>, value: T) -> Result<()> {
            if slot.replace(value).is_some() {
                bail!(SYNTAX_ERROR, "conflicting or redundant options");
            }
            Ok(())
        }
        match o.as_str() {
            "superuser" | "nosuperuser" => once(&mut a.superuser, o == "superuser")?,
            "createdb" | "nocreatedb" => once(&mut a.createdb, o == "createdb")?,
            "createrole" | "nocreaterole" => once(&mut a.createrole, o == "createrole")?,
            "login" | "nologin" => once(&mut a.login, o == "login")?,
            "inherit" | "noinherit" => once(&mut a.inherit, o == "inherit")?,
            "replication" | "noreplication" => once(&mut a.replication, o == "replication")?,
            "bypassrls" | "nobypassrls" => once(&mut a.bypassrls, o == "bypassrls")?,
            "encrypted" => {}
            "password" => {
                let p = if t.eat("null") { None } else { Some(t.string()?) };
                once(&mut a.password, p)?
            }
            "connection" => {
                t.expect("limit")?;
                let n = t.number()?;
                once(&mut a.connection_limit, n)?
            }
            "valid" => {
                t.expect("until")?;
                let s = t.string()?;
                once(&mut a.valid_until, s)?
            }
            "sysid" => {
                t.number()?;
            }
            "in" => {
                if !t.eat("role") {
                    t.expect("group")?;
                }
                a.in_roles.extend(roles(t)?);
            }
            "role" | "user" => a.members.extend(roles(t)?),
            "admin" => a.admins.extend(roles(t)?),
            _ => {
                t.at -= 1;
                return Err(t.error());
            }
        }
    }
    Ok(a)
}
/// `SET name TO value`, `RESET name | ALL`; None: something else.
pub fn setting(t: &mut Tokens) -> Result<Option<(Option<String>, Option<String>)>> {
    if t.eat("reset") {
        if t.eat("all") {
            return Ok(Some((None, None)));
        }
        return Ok(Some((Some(parameter(t)?), None)));
    }
    if !t.eat("set") {
        return Ok(None);
    }
    if t.eat_all(&["time", "zone"]) {
        return Ok(Some((Some("TimeZone".into()), value(t)?)));
    }
    let name = parameter(t)?;
    if t.eat_all(&["from", "current"]) {
        return Err(pamir_types::Error::unsupported("SET ... FROM CURRENT"));
    }
    if !t.token(&Token::Eq) {
        t.expect("to")?;
    }
    Ok(Some((Some(name), value(t)?)))
}
fn parameter(t: &mut Tokens) -> Result<String> {
    let mut name = t.name()?;
    while t.token(&Token::Period) {
        name.push('.');
        name.push_str(&t.name()?);
    }
    Ok(name)
}
/// None: DEFAULT.
fn value(t: &mut Tokens) -> Result<Option<String>> {
    if t.eat("default") {
        return Ok(None);
    }
    let mut out: Vec<String> = Vec::new();
    loop {
        out.push(match t.peek() {
            Some(Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_)) => t.string()?,
            Some(Token::Number(..) | Token::Minus | Token::Plus) => {
                let sign = if t.token(&Token::Minus) { "-" } else { "" };
                t.token(&Token::Plus);
                let Some(Token::Number(n, _)) = t.peek().cloned() else { return Err(t.error()) };
                t.at += 1;
                format!("{sign}{n}")
            }
            _ => t.name()?,
        });
        if !t.token(&Token::Comma) {
            break;
        }
    }
    Ok(Some(crate::session::joined(&out)))
}
/// ALTER ROLE | USER | GROUP, from behind that word.
pub fn alter(t: &mut Tokens, group: bool) -> Result<OwnStatement> {
    let name = t.name()?;
    if group {
        let is_grant = t.eat("add");
        if is_grant || t.eat("drop") {
            t.expect("user")?;
            let mut members = vec![role_spec(t)?];
            while t.token(&Token::Comma) {
                members.push(role_spec(t)?);
            }
            let roles = vec![super::grant::RoleSpec::Named(name)];
            return Ok(OwnStatement::AlterGroup(super::grant::parse::GrantRoles {
                is_grant,
                roles,
                members,
                admin: false,
                grantor: None,
            }));
        }
    }
    if t.eat_all(&["rename", "to"]) {
        return Ok(OwnStatement::RenameRole { name, new: t.name()? });
    }
    let database = if t.eat_all(&["in", "database"]) { Some(t.name()?) } else { None };
    if let Some(change) = setting(t)? {
        if name == "all" {
            return Err(pamir_types::Error::unsupported("ALTER ROLE ALL SET"));
        }
        return Ok(OwnStatement::RoleSetting { name, database, change });
    }
    if database.is_some() || group {
        return Err(t.error());
    }
    let attributes = attributes(t)?;
    Ok(OwnStatement::AlterUser { name, attributes })
}
