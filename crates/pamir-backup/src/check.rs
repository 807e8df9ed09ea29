//! What is in a store: listed, verified, pruned.
//!
//! ```text
//!   check         every manifest, every object's length and checksum, every piece; gaps of the archive
//!   check --full  ... and each backup restored with all the log behind it into a temporary directory, for the offline check
//!   prune --keep n   the newest n backups stay, with the log from the oldest of them on; of the others the manifest goes first
//! ```
//! What has no manifest is a backup that is being made, or that was interrupted: it is pruned once it is [`UNFINISHED_KEPT`] old by its id.
use crate::archive;
use crate::base;
use crate::manifest::{MANIFEST, Manifest};
use crate::piece;
use crate::plant::{self, Bug};
use crate::restore::{backups, object};
use crate::store::Store;
use crate::{Kind, SystemId};
use pamir_error::{Result, bail};
use std::collections::BTreeSet;

/// Microseconds after which an unfinished backup belongs to nobody.
pub const UNFINISHED_KEPT: i64 = 24 * 3600 * 1_000_000;

/// A stretch of the archive without a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    pub from: u64,
    pub to: u64,
    pub pieces: u64,
    /// Newest time in it, in microseconds since 1970; 0: none.
    pub last: i64,
}
/// The stretches of a system's archive, oldest first, by the heads of its pieces.
pub fn stretches(store: &Store, system: &SystemId) -> Result<Vec<Stretch>> {
    let mut out: Vec<Stretch> = Vec::new();
    for from in archive::pieces(store, system)? {
        let head = archive::head_of(store, system, from)?;
        match out.last_mut().filter(|s| from <= s.to) {
            Some(s) => {
                s.to = s.to.max(head.to.position);
                s.pieces += 1;
                s.last = s.last.max(head.until).max(head.last);
            }
            None => out.push(Stretch { from, to: head.to.position, pieces: 1, last: head.until.max(head.last) }),
        }
    }
    Ok(out)
}

/// What a check found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Report {
    pub backups: u64,
    pub objects: u64,
    pub bytes: u64,
    pub pieces: u64,
    /// In words, each with the object's name.
    pub problems: Vec<String>,
}
/// Reads everything that a system has in the store.
pub fn check(store: &Store, system: &SystemId) -> Result<Report> {
    let mut report = Report::default();
    let mut kinds = BTreeSet::new();
    for (id, m) in backups(store, system)? {
        let m = match m {
            Ok(m) => m,
            Err(e) => {
                report.problems.push(e.message().to_string());
                continue;
            }
        };
        report.backups += 1;
        kinds.insert(m.kind == Kind::Own);
        check_backup(store, system, &id, &m, &mut report)?;
    }
    let newest = backups(store, system)?.into_iter().rev().find_map(|(id, m)| Some((id, m.ok()?.reach.position)));
    let mut end: Option<u64> = None;
    let mut follows = None;
    for from in archive::pieces(store, system)? {
        let name = archive::name(system, from);
        let read = store.get(&name).and_then(|b| {
            report.bytes += b.len() as u64;
            let (head, _) = piece::read(&name, &b)?;
            archive::belongs(&name, &head, system, from)?;
            Ok(head)
        });
        report.pieces += 1;
        match read {
            Ok(head) => {
                if let Some(end) = end.filter(|e| *e < from) {
                    report.problems.push(format!("the archive has a gap between positions {end} and {from}"));
                }
                kinds.insert(head.kind == Kind::Own);
                end = Some(end.unwrap_or(0).max(head.to.position));
                if let Some((_, reach)) = newest.as_ref().filter(|n| head.to.position > n.1) {
                    follows = follows.or(Some(from <= *reach));
                }
            }
            Err(e) if is_damage(&e) => report.problems.push(e.message().to_string()),
            Err(e) => return Err(e),
        }
    }
    if let (Some((id, reach)), Some(false)) = (&newest, follows) {
        report.problems.push(format!(
            "the archive does not follow the newest backup {id}, which reaches position {reach}: make another one"
        ));
    }
    if kinds.len() > 1 {
        report
            .problems
            .push("backups and pieces are of a single node and of a cluster: they do not belong together".into());
    }
    Ok(report)
}
/// Is it the object's fault, not the store's?
fn is_damage(e: &pamir_error::Error) -> bool {
    use pamir_error::error::state::{DATA_CORRUPTED, OBJECT_NOT_IN_PREREQUISITE_STATE, UNDEFINED_FILE};
    [DATA_CORRUPTED, OBJECT_NOT_IN_PREREQUISITE_STATE, UNDEFINED_FILE].contains(&e.code())
}
fn check_backup(store: &Store, system: &SystemId, id: &str, m: &Manifest, report: &mut Report) -> Result<()> {
    let path = format!("{}{id}/", base::folder(system));
    for o in &m.objects {
        report.objects += 1;
        report.bytes += o.len;
        match object(store, &path, o) {
            Ok(_) => {}
            Err(e) if is_damage(&e) => report.problems.push(e.message().to_string()),
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// What was removed.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Pruned {
    pub backups: Vec<String>,
    pub unfinished: Vec<String>,
    pub pieces: u64,
    pub bytes: u64,
}
/// Removes all but the newest `keep` backups of a system, and the log that none of those needs. `now`: microseconds since 1970.
pub fn prune(store: &Store, system: &SystemId, keep: usize, now: i64) -> Result<Pruned> {
    if keep == 0 {
        bail!(INVALID_PARAMETER_VALUE, "at least one backup is to be kept");
    }
    let all = backups(store, system)?;
    let mut kept: Vec<(String, Manifest)> = Vec::new();
    let mut gone = Vec::new();
    for (id, m) in all.into_iter().rev() {
        match m {
            Ok(m) if kept.len() < keep => kept.push((id, m)),
            // One that cannot be read is for people to look at, until there are enough that can.
            Err(_) if kept.len() < keep => {}
            _ => gone.push(id),
        }
    }
    let mut pruned = Pruned::default();
    let Some(from) = kept.iter().map(|(_, m)| m.from.position).min() else { return Ok(pruned) };
    let folder = base::folder(system);
    let files = store.list(&folder)?;
    let of = |id: &str| -> Vec<(String, u64)> {
        let path = format!("{folder}{id}/");
        files.iter().filter(|(n, _)| n.starts_with(&path)).cloned().collect()
    };
    let remove = |id: &str, bytes: &mut u64| -> Result<()> {
        store.delete(&format!("{folder}{id}/{MANIFEST}"))?;
        for (name, len) in of(id) {
            store.delete(&name)?;
            *bytes += len;
        }
        Ok(())
    };
    let ids: BTreeSet<&str> =
        files.iter().filter_map(|(n, _)| n.strip_prefix(folder.as_str())?.split_once('/').map(|(id, _)| id)).collect();
    let finished: BTreeSet<&str> = files
        .iter()
        .filter_map(|(n, _)| n.strip_prefix(folder.as_str())?.split_once('/').filter(|f| f.1 == MANIFEST).map(|f| f.0))
        .collect();
    for id in ids.iter().filter(|id| !finished.contains(**id)) {
        let made = id.split('-').next().and_then(|t| t.parse::<i64>().ok());
        if made.is_some_and(|t| t < now.saturating_sub(UNFINISHED_KEPT)) {
            remove(id, &mut pruned.bytes)?;
            pruned.unfinished.push(id.to_string());
        }
    }
    for id in gone {
        remove(&id, &mut pruned.bytes)?;
        pruned.backups.push(id);
    }
    let from = if plant::has(Bug::PrunedTooMuch) { u64::MAX } else { from };
    // A piece goes if the next one begins at or before what is needed.
    let pieces = archive::pieces(store, system)?;
    for pair in pieces.windows(2) {
        if let [one, next] = pair
            && *next <= from
        {
            store.delete(&archive::name(system, *one))?;
            pruned.pieces += 1;
        }
    }
    Ok(pruned)
}
