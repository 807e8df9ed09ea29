//! Statistics objects: what CREATE STATISTICS asks to be known of several columns together.
//!
//! ```text
//!   [18][OID, 4 bytes]  ->  [1][Extended, postcard]          [NAME][7][schema, 4 bytes][name] -> OID
//! ```
//! Limits: they are kept and shown; ANALYZE gathers nothing for them.
use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extended {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub table: Oid,
    /// Plain columns by number, ascending.
    pub columns: Vec<i16>,
    pub exprs: Vec<SqlText>,
    /// `d` ndistinct, `f` dependencies, `m` mcv, `e` expressions, as pg_statistic_ext has them.
    pub kinds: Vec<u8>,
    /// -1: the default.
    pub target: i32,
}

impl Extended {
    /// pg_get_statisticsobjdef, or with `columns` alone what stands between ON and FROM.
    pub fn definition(&self, catalog: &Catalog, scope: &NameScope, columns: bool) -> String {
        let Some(t) = catalog.table(self.table) else { return String::new() };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.columns.iter().filter_map(|a| t.column(*a)).map(|c| defs::quote_ident(&c.name).into_owned()));
        let expr = |e: &SqlText| {
            let text = defs::index_column_def(t, &IndexColumn::Expr(e.clone(), Type::TEXT), false);
            // One pair of parentheses is enough here.
            let inner = text.strip_prefix('(').and_then(|s| s.strip_suffix(')')).filter(|s| defs::in_parentheses(s));
            inner.map_or_else(|| super::pretty::pretty(&text), |x| format!("({})", super::pretty::pretty(x)))
        };
        parts.extend(self.exprs.iter().map(|e| types::shown(catalog, scope, &expr(e))));
        if columns {
            return parts.join(", ");
        }
        let schema = catalog.schema(self.schema).map_or("", |s| &s.name);
        let words = [(b'd', "ndistinct"), (b'f', "dependencies"), (b'm', "mcv")];
        let kinds: Vec<&str> = words.iter().filter(|w| self.kinds.contains(&w.0)).map(|w| w.1).collect();
        let kinds = match kinds.len() {
            0 | 3 => String::new(),
            _ => format!(" ({})", kinds.join(", ")),
        };
        let name = format!("{}.{}", defs::quote_ident(schema), defs::quote_ident(&self.name));
        let table = catalog.quoted_name(scope, self.table).unwrap_or_default();
        format!("CREATE STATISTICS {name}{kinds} ON {} FROM {table}", parts.join(", "))
    }
}
impl Catalog {
    pub fn extended(&self, oid: Oid) -> Option<&Arc<Extended>> {
        self.inner.extended.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn extended_of(&self, db: Oid) -> Vec<&Arc<Extended>> {
        sorted(self.inner.extended.values().filter(|e| e.database == db).collect(), |e| e.oid)
    }
    pub fn extended_in(&self, schema: Oid, name: &str) -> Option<&Arc<Extended>> {
        self.inner.extended.values().find(|e| e.schema == schema && e.name == name)
    }
}
