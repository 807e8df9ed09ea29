//! Building a table descriptor by hand: tests of the binder, planner and executor start from it.
//!
//! ```
//! use pamir_catalog::{Catalog, NameScope, TableBuilder, well_known};
//! use pamir_types::Type;
//! let t = TableBuilder::new(16384, "t").column("id", Type::INT4).column("v", Type::TEXT).primary_key(&["id"]).index(16390, "t_v_idx", &["v"], false).build();
//! let catalog = Catalog::initial().with_table(t);
//! assert!(catalog.resolve(&NameScope::public(well_known::POSTGRES_DB), None, "t").unwrap().is_some());
//! ```
use super::*;

/// A table of schema public in database postgres; its tree is numbered as the table, its indexes' trees as the indexes.
pub struct TableBuilder {
    table: Table,
}

impl TableBuilder {
    pub fn new(oid: Oid, name: &str) -> TableBuilder {
        TableBuilder {
            table: Table {
                oid,
                database: well_known::POSTGRES_DB,
                schema: well_known::PUBLIC,
                name: name.into(),
                owner: well_known::POSTGRES_ROLE,
                tree: oid as u64,
                version: 0,
                columns: vec![],
                indexes: vec![],
                checks: vec![],
                foreign_keys: vec![],
                referenced_by: vec![],
                stats: None,
                comment: None,
                declared: Default::default(),
                on_commit: Default::default(),
                security: Default::default(),
                view: None,
                depends: vec![],
                triggers: None,
                cache: Default::default(),
                usage: Default::default(),
            },
        }
    }
    pub fn tree(mut self, tree: TreeId) -> TableBuilder {
        self.table.tree = tree.0;
        self.table.indexes.iter_mut().filter(|i| i.primary).for_each(|i| i.tree = tree.0);
        self
    }
    /// Adds a nullable column.
    pub fn column(mut self, name: &str, ty: Type) -> TableBuilder {
        let attnum = self.table.columns.len() as i16 + 1;
        self.table.columns.push(Column {
            attnum,
            name: name.into(),
            ty,
            not_null: false,
            default: None,
            identity: None,
            generated: None,
            dropped: false,
            missing: None,
            sequence: None,
            comment: None,
        });
        self
    }
    /// The last column is NOT NULL.
    pub fn not_null(self) -> TableBuilder {
        self.edit(|c| c.not_null = true)
    }
    /// The last column's DEFAULT.
    pub fn default(self, sql: &str) -> TableBuilder {
        self.edit(|c| c.default = Some(SqlText(sql.into())))
    }
    /// Changes the last column.
    pub fn edit(mut self, f: impl FnOnce(&mut Column)) -> TableBuilder {
        if let Some(c) = self.table.columns.last_mut() {
            f(c)
        }
        self
    }
    /// The primary key's index has OID `table + 1`.
    pub fn primary_key(mut self, columns: &[&str]) -> TableBuilder {
        for c in columns {
            if let Some(c) = self.table.columns.iter_mut().find(|x| x.name == *c) {
                c.not_null = true
            }
        }
        let (oid, name) = (self.table.oid + 1, format!("{}_pkey", self.table.name));
        self = self.index(oid, &name, columns, true);
        let tree = self.table.tree;
        if let Some(i) = self.table.indexes.last_mut() {
            (i.primary, i.constraint, i.tree) = (true, true, tree);
        }
        self
    }
    /// An index over columns (those that exist), all ascending.
    pub fn index(mut self, oid: Oid, name: &str, columns: &[&str], unique: bool) -> TableBuilder {
        let columns = columns
            .iter()
            .filter_map(|c| self.table.column_by_name(c))
            .map(|c| (IndexColumn::Attr(c.attnum), KeyOrder::ASC))
            .collect();
        self.table.indexes.push(Index {
            oid,
            name: name.into(),
            tree: oid as u64,
            unique,
            primary: false,
            constraint: false,
            nulls_not_distinct: false,
            columns,
            include: vec![],
            predicate: None,
            method: Method::Btree,
            comment: None,
            deferrable: None,
            excludes: None,
            usage: Default::default(),
        });
        self
    }
    pub fn check(mut self, oid: Oid, name: &str, sql: &str) -> TableBuilder {
        self.table.checks.push(Check { oid, name: name.into(), expr: SqlText(sql.into()), not_valid: false });
        self
    }
    pub fn build(self) -> Table {
        self.table
    }
}
