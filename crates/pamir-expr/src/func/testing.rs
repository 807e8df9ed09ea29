//! A session stand-in for unit tests: fixed clock, no data, an empty catalog.
use crate::no_session::NoSession;
use pamir_catalog::{Catalog, NameScope};
use std::sync::Arc;

pub fn env() -> NoSession {
    let scope = NameScope { database: 5, search_path: vec!["public".into()], user: 0 };
    NoSession::of_test(Arc::new(Catalog::default()), scope)
}
