//! pg_largeobject_metadata and pg_largeobject.
//!
//! Limits: a query over pg_largeobject has all pages of the database in memory, charged to the server's (53200).
use super::{Rows, RowsFn, ServerEnv};
use pamir_catalog::acl;
use pamir_catalog::large_object::{CLASS, Metadata};
use pamir_expr::large_object::{each, each_page};
use pamir_txn::Held;
use pamir_types::{Datum, Oid, Result};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;
/// Bytes of a row beside its page.
const ROW: usize = 160;
/// Bytes that are held at a time.
const STEP: usize = 1 << 20;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_largeobject_metadata" => metadata,
        "pg_largeobject" => pages,
        _ => return None,
    })
}
/// What rows hold until all of them are there.
#[derive(Default)]
struct Charged {
    bytes: usize,
    held: Vec<Held>,
}
impl Charged {
    fn add(&mut self, bytes: usize, env: &dyn ServerEnv) -> Result<()> {
        self.bytes += bytes;
        if self.bytes >= STEP {
            self.held.push(env.engine()?.memory().hold(self.bytes as u64)?);
            self.bytes = 0;
        }
        Ok(())
    }
}
/// The database's large objects as its statement sees them.
fn all(env: &mut dyn ServerEnv, f: &mut dyn FnMut(Oid, Metadata) -> Result<()>) -> Result<()> {
    let Some(txn) = env.txn() else { return Ok(()) };
    let (snapshot, mut charged) = (txn.statement(), Charged::default());
    each(&txn, Some(&snapshot), env.scope().database, &mut |oid, m| {
        charged.add(ROW, env)?;
        f(oid, m).map(|()| true)
    })
}
fn metadata(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_largeobject_metadata", push);
    all(env, &mut |oid, m| {
        out.add(|r| {
            r.oid("oid", oid).oid("lomowner", m.owner);
            r.set("lomacl", m.acl.as_ref().map_or(Datum::Null, |a| acl::list_datum(&c, a)));
        })
    })
}
fn pages(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(txn) = env.txn() else { return Ok(()) };
    let (snapshot, mut charged) = (txn.statement(), Charged::default());
    let mut out = Rows::catalog("pg_largeobject", push);
    each_page(&txn, &snapshot, env.scope().database, |oid, page, bytes| {
        charged.add(ROW + bytes.len(), env)?;
        out.add(|r| {
            r.oid("loid", oid).set("pageno", page as i32).set("data", Datum::Bytea(bytes.into()));
        })
    })
}
/// Pushes what is said of them, for pg_description.
pub(super) fn comments(env: &mut dyn ServerEnv, out: &mut Rows) -> Result<()> {
    all(env, &mut |oid, m| match m.comment {
        None => Ok(()),
        Some(text) => out.add(|r| {
            r.oid("objoid", oid).oid("classoid", CLASS).set("objsubid", 0i16).set("description", &*text);
        }),
    })
}
