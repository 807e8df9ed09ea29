//! What COMMENT ON says of objects whose descriptors have no place for it: roles, and what is built in (functions, operators, casts, languages, ...).
//!
//! One entry holds what is said under a number, of whichever catalog the object is in and in whichever database it was said: numbers of what is built in are those
//! of PostgreSQL, which uses one number in several catalogs.
//!
//! ```text
//!   [19][OID, 4 bytes]  ->  [1][Comments, postcard]
//! ```
//! Invariant: an entry is there only if something is said in it; it goes with its object.
use super::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comments {
    pub oid: Oid,
    pub list: Vec<Comment>,
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comment {
    /// The OID of the catalog that the object is in.
    pub class: Oid,
    /// 0: of what all databases share.
    pub database: Oid,
    pub text: String,
}
impl Comments {
    /// Says something in place of what was said; None: nothing.
    pub fn set(&mut self, class: Oid, database: Oid, text: Option<String>) {
        self.list.retain(|c| (c.class, c.database) != (class, database));
        self.list.extend(text.map(|text| Comment { class, database, text }));
    }
}

impl Catalog {
    pub fn comments(&self, oid: Oid) -> Option<&Arc<Comments>> {
        self.inner.comments.get(&oid)
    }
    /// What is said in a database (0: of what all share), by object.
    pub fn comments_in(&self, database: Oid) -> Vec<(Oid, &Comment)> {
        let all = sorted(self.inner.comments.values().collect(), |c| c.oid);
        all.into_iter()
            .flat_map(|c| c.list.iter().map(|one| (c.oid, one)))
            .filter(|(_, one)| one.database == database)
            .collect()
    }
    /// What is said of an object of a catalog.
    pub fn comment(&self, class: Oid, oid: Oid, database: Oid) -> Option<&str> {
        let one = self.comments(oid)?.list.iter().find(|c| c.class == class && c.database == database)?;
        Some(&one.text)
    }
}
