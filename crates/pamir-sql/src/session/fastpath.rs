//! The protocol's function call (PostgreSQL's fastpath.c): a function by its OID, its arguments as bytes, one value as the answer.
//!
//! ```text
//!   F 952, formats, arguments ──► SELECT "pg_catalog"."lo_open"($1, $2)   prepared once a session and function, then bound and run as a client's statement is
//!                             ◄── V value                                   and the transaction that it was alone in ends
//! ```
//! So privileges, strictness, deadlines, cancels, locks and what is done when the leader is lost are a statement's; the names that such statements are kept by are none that a client can send.
//!
//! Invariants: what is called is a plain function of the catalog, never one of the server's own that has no name in SQL.
use super::{Session, aborted};
use crate::client::Client;
use pamir_catalog::defs::qualified;
use pamir_expr::func::{Aggregate, Function, FunctionRef, lookup};
use pamir_types::{Oid, Result, bail, err, oid};
use std::fmt::Write;

/// What statements and portals that are not clients' are called by.
pub(super) const HIDDEN: char = '\0';
const PORTAL: &str = "\0F";

/// A function call as a message has it.
pub struct FunctionCall<'a> {
    pub function: Oid,
    pub formats: &'a [i16],
    pub arguments: &'a [Option<&'a [u8]>],
    pub result: i16,
}

/// What its arguments are sent as: what repeats as an array.
fn types_of(f: &Function) -> Vec<Oid> {
    let mut types = f.args.to_vec();
    if let Some(last) = types.last_mut().filter(|_| f.variadic) {
        *last = oid::array_of(*last).unwrap_or(*last);
    }
    types
}

impl Session {
    /// Runs it; the client is told its value by [`Client::function_result`]. The transaction is not ended: a Sync follows.
    pub fn function_call(&mut self, call: &FunctionCall, client: &mut dyn Client) -> Result<()> {
        self.state.start_message();
        self.state.start_extended()?;
        if self.state.failed {
            return Err(aborted());
        }
        let name = format!("{HIDDEN}{}", call.function);
        let f = self.callable(call.function)?;
        self.fits(call, &f)?;
        if !self.state.prepared.contains_key(&name) {
            self.parse(&name, &self.text_of(&f), &types_of(&f), client)?;
        }
        drop(f);
        let r = self.bind(PORTAL, &name, call.formats, call.arguments, &[call.result], client).and_then(|()| {
            client.function_result(true);
            let r = self.execute(PORTAL, 0, client);
            client.function_result(false);
            r.map(drop)
        });
        // Where it failed the next call is bound anew, whatever has become of the function.
        if r.is_err() {
            self.close_statement(&name)?;
        }
        let closed = self.close_portal(PORTAL);
        r.and(closed)
    }
    fn callable(&self, oid: Oid) -> Result<FunctionRef> {
        let catalog = &self.state.catalog;
        let refused =
            |name: &str| err!(FEATURE_NOT_SUPPORTED, "cannot call function \"{name}\" via fastpath interface");
        match lookup::by_oid::<Function>(catalog, oid) {
            Some(f) if f.procedure || f.body.is_set() => Err(refused(&f.name)),
            Some(f) if !f.name.contains(HIDDEN) => Ok(f),
            _ => match lookup::by_oid::<Aggregate>(catalog, oid) {
                Some(a) => Err(refused(&a.name)),
                None => Err(err!(UNDEFINED_FUNCTION, "function with OID {oid} does not exist")),
            },
        }
    }
    fn fits(&self, call: &FunctionCall, f: &Function) -> Result<()> {
        let (given, wanted, formats) = (call.arguments.len(), f.args.len(), call.formats.len());
        if given != wanted {
            bail!(
                PROTOCOL_VIOLATION,
                "function call message contains {given} arguments but function requires {wanted}"
            );
        }
        if formats > 1 && formats != given {
            bail!(
                PROTOCOL_VIOLATION,
                "function call message contains {formats} argument formats but {given} arguments"
            );
        }
        Ok(())
    }
    fn text_of(&self, f: &Function) -> String {
        let schema = self.state.catalog.schema(f.schema).map_or("pg_catalog", |s| &s.name);
        let mut text = format!("SELECT {}(", qualified(schema, &f.name));
        for i in 1..=f.args.len() {
            let last = f.variadic && i == f.args.len();
            let _ = write!(text, "{}{}${i}", if i > 1 { ", " } else { "" }, if last { "VARIADIC " } else { "" });
        }
        text + ")"
    }
}
