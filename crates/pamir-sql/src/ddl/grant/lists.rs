//! Changing one list, as acl.c does.
use super::still_granted;
use pamir_catalog::acl::{Acl, AclItem, Mode, PUBLIC, Who};
use pamir_parse::tree::{DropBehavior, Grant};
use pamir_types::{Oid, Result, bail};

/// How a list is changed.
#[derive(Clone, Copy)]
pub struct How {
    pub revoke: bool,
    /// WITH GRANT OPTION, GRANT OPTION FOR
    pub option: bool,
    pub cascade: bool,
}
impl From<&Grant> for How {
    fn from(g: &Grant) -> How {
        How { revoke: g.revoke, option: g.grant_option, cascade: g.behavior == DropBehavior::Cascade }
    }
}

/// Whether a role has any privilege of `mask`, or an option on it, by a list.
pub fn any(who: &Who, list: &Acl, owner: Oid, mask: Mode) -> bool {
    let counts = |i: &AclItem| (i.privs | i.options) & mask != 0;
    who.has_role(owner) || list.iter().any(|i| counts(i) && (i.grantee == PUBLIC || who.roles.contains(&i.grantee)))
}
/// Grant options that one role itself has (aclmask_direct).
fn options_of(role: Oid, list: &Acl, owner: Oid, mode: Mode) -> Mode {
    if role == owner {
        return mode;
    }
    list.iter().filter(|i| i.grantee == role).fold(0, |m, i| m | i.options & mode)
}
/// As whom somebody grants: the owner, or the first of its roles with every option asked for, else that with most of them. And what that role may grant.
pub fn best_grantor(who: &Who, mode: Mode, list: &Acl, owner: Oid) -> (Oid, Mode) {
    if who.superuser || who.role == owner {
        return (owner, mode);
    }
    let mut best: (Oid, Mode) = (who.role, 0);
    for role in &who.roles {
        let have = options_of(*role, list, owner, mode);
        if have == mode {
            return (*role, have);
        }
        if have.count_ones() > best.1.count_ones() {
            best = (*role, have);
        }
    }
    best
}
/// Adds an item's privileges to those of its grantee and grantor.
pub fn add(list: &mut Acl, i: AclItem) {
    match list.iter_mut().find(|x| x.grantee == i.grantee && x.grantor == i.grantor) {
        Some(x) => {
            x.privs |= i.privs;
            x.options |= i.options;
        }
        None if i.privs != 0 => list.push(i),
        None => {}
    }
}
pub fn sorted(list: &Acl) -> Acl {
    let mut l = list.clone();
    l.sort_by_key(|i| (i.grantee, i.grantor, i.privs, i.options));
    l
}
/// aclnewowner.
pub fn with_owner(list: &Acl, old: Oid, new: Oid) -> Acl {
    let swap = |r: Oid| if r == old { new } else { r };
    let mut out = Acl::new();
    for i in list {
        add(&mut out, AclItem { grantee: swap(i.grantee), grantor: swap(i.grantor), ..*i });
    }
    out
}

/// Grants to or revokes from one grantee (aclupdate).
pub fn change(list: &mut Acl, grantee: Oid, grantor: Oid, owner: Oid, mode: Mode, how: How) -> Result<()> {
    if !how.revoke && how.option && mode != 0 {
        check_circular(list, grantee, grantor, owner, mode)?;
    }
    let at = list.iter().position(|x| x.grantee == grantee && x.grantor == grantor);
    let old = at.and_then(|a| list.get(a)).copied().unwrap_or(AclItem { grantee, grantor, privs: 0, options: 0 });
    let mut new = old;
    if !how.revoke {
        new.privs |= mode;
        new.options |= if how.option { mode } else { 0 };
    } else {
        // GRANT OPTION FOR leaves the privilege.
        new.privs &= if how.option { !0 } else { !mode };
        new.options &= !mode;
    }
    match at {
        Some(a) if new.privs == 0 => drop(list.remove(a)),
        Some(a) => {
            if let Some(x) = list.get_mut(a) {
                *x = new
            }
        }
        None if new.privs != 0 => list.push(new),
        None => {}
    }
    let lost = old.options & !new.options;
    if lost != 0 && grantee != PUBLIC { revoke_dependents(list, grantee, lost, owner, how.cascade) } else { Ok(()) }
}
/// What a role granted on by options that it has no more (recursive_revoke).
fn revoke_dependents(list: &mut Acl, grantee: Oid, lost: Mode, owner: Oid, cascade: bool) -> Result<()> {
    if grantee == owner {
        return Ok(());
    }
    // It may have the option from somebody else still.
    let lost = lost & !options_of(grantee, list, owner, lost);
    while let Some(i) = list.iter().find(|i| i.grantor == grantee && i.privs & lost != 0).copied() {
        if !cascade {
            return Err(still_granted());
        }
        let how = How { revoke: true, option: false, cascade };
        change(list, i.grantee, grantee, owner, i.privs & lost, how)?;
    }
    Ok(())
}
/// A grant option must not come back to whom it came from.
fn check_circular(list: &Acl, grantee: Oid, grantor: Oid, owner: Oid, mode: Mode) -> Result<()> {
    if grantor == owner {
        return Ok(());
    }
    // Without the grantee's options the grantor must still have its own.
    let mut rest = list.clone();
    while let Some(i) = rest.iter().find(|i| i.grantee == grantee && i.options != 0).copied() {
        let how = How { revoke: true, option: true, cascade: true };
        change(&mut rest, grantee, i.grantor, owner, i.options, how)?;
    }
    if mode & !options_of(grantor, &rest, owner, mode) != 0 {
        bail!(INVALID_GRANT_OPERATION, "grant options cannot be granted back to your own grantor");
    }
    Ok(())
}
