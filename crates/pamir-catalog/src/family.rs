//! Inheritance, as tables keep it: a child names its parents, a parent its children, and what came from parents is counted.
//!
//! ```text
//!   people   children [staff, guests]                                            rows of `SELECT ... FROM people`: of all five;
//!     |  \                                                                       of `FROM ONLY people`: of people's own tree
//!   staff guests        staff: parents [people], columns [(name, 1 parent, not local)], checks [(...)], children [boss]
//!     |
//!   boss                each table has its own tree, indexes, keys and triggers; nothing of a row tells whose child it is in
//! ```
//! Invariants: `a` is among the children of `b` exactly when `b` is among the parents of `a`; there is no circle; a column or CHECK of `columns` or
//! `checks` stands in so many parents, and goes when no parent has it and it is not local. What has no entry is local and of no parent.
//!
//! Bytes: postcard of [`Family`] behind all else of a table (`store.rs`, format `WITH_FAMILY`); a table without any of it is written as before.
use crate::{Catalog, Check, Column, Table};
use pamir_types::Oid;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Where a column or a CHECK comes from: `attinhcount` and `attislocal`, `coninhcount` and `conislocal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub parents: i32,
    pub local: bool,
}
impl Origin {
    pub const OWN: Origin = Origin { parents: 0, local: true };
    pub const INHERITED: Origin = Origin { parents: 1, local: false };
    /// One parent less has it: what no parent has is the table's own then.
    #[must_use]
    pub fn without_one(self) -> Origin {
        let parents = (self.parents - 1).max(0);
        Origin { parents, local: self.local || parents == 0 }
    }
    #[must_use]
    pub fn with_one(self) -> Origin {
        Origin { parents: self.parents + 1, ..self }
    }
    /// It goes when one parent's goes.
    pub fn hangs_on_one(self) -> bool {
        self.parents == 1 && !self.local
    }
}
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// In the order of `pg_inherits.inhseqno`.
    pub parents: Vec<Oid>,
    /// In the order of their numbers.
    pub children: Vec<Oid>,
    /// (attnum, where it comes from), where it is not [`Origin::OWN`].
    pub columns: Vec<(i16, Origin)>,
    /// The same of CHECKs.
    pub checks: Vec<(Oid, Origin)>,
    /// CHECKs that are NO INHERIT.
    pub no_inherit: Vec<Oid>,
    /// The composite type of a typed table.
    pub of_type: Option<Oid>,
    /// What a partitioned table or a partition says; stored behind the others.
    #[serde(skip)]
    pub partition: Option<Box<super::partition::Partition>>,
}
impl Family {
    /// What is left of it when only these columns and checks stand.
    pub(crate) fn prune(
        &mut self,
        columns: &[Column],
        checks: &[Check],
        index: impl Fn(Oid) -> bool,
        foreign_key: impl Fn(Oid) -> bool,
    ) {
        self.columns.retain(|e| columns.iter().any(|c| c.attnum == e.0 && !c.dropped));
        let stands = |o: Oid| checks.iter().any(|c| c.oid == o);
        self.checks.retain(|e| stands(e.0));
        self.no_inherit.retain(|o| stands(*o));
        if let Some(p) = &mut self.partition {
            p.prune(index, foreign_key);
        }
    }
}

impl Table {
    pub fn parents(&self) -> &[Oid] {
        self.declared.family.as_ref().map_or(&[], |f| &f.parents)
    }
    pub fn children(&self) -> &[Oid] {
        self.declared.family.as_ref().map_or(&[], |f| &f.children)
    }
    pub fn of_type(&self) -> Option<Oid> {
        self.declared.family.as_ref().and_then(|f| f.of_type)
    }
    /// Changes what it says of its family; what says nothing is taken away.
    pub fn change_family(&mut self, change: impl FnOnce(&mut Family)) {
        let mut f = self.declared.family.take().unwrap_or_default();
        change(&mut f);
        self.declared.family = (*f != Family::default()).then_some(f);
    }
    pub fn column_origin(&self, attnum: i16) -> Origin {
        let found = self.declared.family.as_ref().and_then(|f| f.columns.iter().find(|e| e.0 == attnum));
        found.map_or(Origin::OWN, |e| e.1)
    }
    pub fn set_column_origin(&mut self, attnum: i16, origin: Origin) {
        self.change_family(|f| {
            f.columns.retain(|e| e.0 != attnum);
            f.columns.extend((origin != Origin::OWN).then_some((attnum, origin)));
        });
    }
    pub fn check_origin(&self, check: Oid) -> Origin {
        let found = self.declared.family.as_ref().and_then(|f| f.checks.iter().find(|e| e.0 == check));
        found.map_or(Origin::OWN, |e| e.1)
    }
    pub fn set_check_origin(&mut self, check: Oid, origin: Origin) {
        self.change_family(|f| {
            f.checks.retain(|e| e.0 != check);
            f.checks.extend((origin != Origin::OWN).then_some((check, origin)));
        });
    }
    /// Is the CHECK one that children do not get?
    pub fn is_no_inherit(&self, check: Oid) -> bool {
        self.declared.family.as_ref().is_some_and(|f| f.no_inherit.contains(&check))
    }
}
impl Catalog {
    /// All tables that inherit from one, directly or not: level by level, each in the order of numbers, each once.
    pub fn descendants(&self, t: &Table) -> Vec<Arc<Table>> {
        let (mut out, mut seen) = (Vec::new(), HashSet::new());
        let mut add = |oids: &[Oid], out: &mut Vec<Arc<Table>>| {
            for oid in oids {
                if seen.insert(*oid)
                    && let Some(c) = self.table(*oid)
                {
                    out.push(c.clone());
                }
            }
        };
        add(t.children(), &mut out);
        let mut at = 0;
        while let Some(next) = out.get(at).map(Arc::clone) {
            at += 1;
            add(next.children(), &mut out);
        }
        out
    }
}
