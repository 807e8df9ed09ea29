//! Extensions: what is built in of them needs none, and there are no others.
use super::DdlCtx;
use pamir_types::error::state;
use pamir_types::{Error, Result, bail, err};

/// Extensions whose functions are built in: creating them succeeds and changes nothing. What of them is missing says so by its name.
const BUILT_IN: &[&str] = &["pgcrypto", "uuid-ossp"];
/// The one that every database of PostgreSQL has; dumps create it.
const DEFAULT: &str = "plpgsql";

/// Where an extension's functions are and which version they have cannot be chosen.
pub fn create(name: &str, if_not_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    if name == DEFAULT {
        let e = err!(DUPLICATE_OBJECT, "extension \"{name}\" already exists");
        if !if_not_exists {
            return Err(e);
        }
        cx.notice_exists(&e);
    } else if !BUILT_IN.contains(&name) {
        return Err(Error::unsupported(format!("extension \"{name}\"")));
    }
    Ok("CREATE EXTENSION")
}
pub fn drop(name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    if name == DEFAULT || BUILT_IN.contains(&name) {
        return Err(Error::unsupported("DROP EXTENSION of what is built in"));
    }
    if !if_exists {
        bail!(UNDEFINED_OBJECT, "extension \"{name}\" does not exist");
    }
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("extension \"{name}\" does not exist, skipping"));
    Ok(())
}
