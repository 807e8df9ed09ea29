//! Functions and procedures that users define with SQL.
//!
//! A descriptor says all that CREATE FUNCTION said; what runs it, an upper floor makes of it and keeps in its slot. Beside [`crate::routines`], where those
//! registered by Rust code are, it is found under its name by the same look-up.
//!
//! ```text
//!   [10][OID, 4 bytes]  ->  [1][Function, postcard]                    [NAME][6][schema, 4 bytes][name ( 0 type OID )*] -> OID
//!                       ->  [2][Function, postcard][More, postcard]    where there is more
//! ```
use super::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FunctionKind {
    Function,
    Procedure,
    Aggregate,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ParamMode {
    In,
    Out,
    InOut,
    Variadic,
    /// A column of RETURNS TABLE.
    Table,
}
impl ParamMode {
    pub fn is_input(self) -> bool {
        matches!(self, ParamMode::In | ParamMode::InOut | ParamMode::Variadic)
    }
    pub fn is_output(self) -> bool {
        matches!(self, ParamMode::Out | ParamMode::InOut | ParamMode::Table)
    }
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Empty: it has none.
    pub name: String,
    pub mode: ParamMode,
    pub ty: Type,
    /// Whose rows it is: a table's OID, or 0.
    pub row_of: Oid,
    /// Of an input parameter that may be left out.
    pub default: Option<SqlText>,
}
/// `i`, `s`, `v` and `s`, `r`, `u`, as pg_proc has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub kind: FunctionKind,
    /// `sql`, `plpgsql`
    pub language: String,
    pub params: Vec<Param>,
    pub ret: Type,
    /// As [`Param::row_of`].
    pub ret_row_of: Oid,
    pub set: bool,
    /// As it was written; of a SQL body that is no string, its statements.
    pub body: String,
    /// BEGIN ATOMIC or RETURN.
    pub sql_body: bool,
    pub strict: bool,
    pub security_definer: bool,
    pub leakproof: bool,
    pub volatility: u8,
    pub parallel: u8,
    pub cost: f32,
    pub rows: f32,
    /// SET name = value.
    pub settings: Vec<(String, String)>,
    pub comment: Option<String>,
    /// Stored behind the rest, where there is any of it.
    #[serde(skip)]
    pub more: More,
    /// What upper floors keep with this version of it; not stored.
    #[serde(skip)]
    pub cache: Slot,
}
/// What some functions have beside the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct More {
    /// Of an aggregate.
    pub aggregate: Option<operator::Aggregate>,
    /// What a body that is no string names.
    pub depends: Vec<depend::ObjectRef>,
    /// The search path under which such a body means what it says.
    pub path: Option<String>,
}
impl Function {
    /// What has to stay while it is there.
    pub fn depends(&self) -> Vec<depend::ObjectRef> {
        let mut out = self.more.depends.clone();
        let rows = self.params.iter().map(|p| p.row_of).chain([self.ret_row_of]).filter(|r| *r != 0);
        out.extend(rows.map(depend::ObjectRef::relation));
        let types = self.params.iter().map(|p| p.ty).chain([self.ret]);
        out.extend(types.filter_map(|t| operator::type_ref(t.oid)));
        out.extend(self.more.aggregate.iter().flat_map(|a| a.depends()));
        out.retain(|o| o.oid != self.oid);
        operator::unique(out)
    }
    pub fn inputs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|p| p.mode.is_input())
    }
    pub fn outputs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|p| p.mode.is_output())
    }
    /// The types by which a name's overloads are told apart.
    pub fn arg_types(&self) -> impl Iterator<Item = Oid> {
        self.inputs().map(|p| p.ty.oid)
    }
    /// The name that makes it unique in its schema.
    pub fn unique_name(&self) -> String {
        let mut out = self.name.clone();
        for t in self.arg_types() {
            out.push('\0');
            out.push_str(&t.to_string());
        }
        out
    }
    /// `function f(integer, text)`, `procedure p()`
    pub fn word(&self) -> &'static str {
        match self.kind {
            FunctionKind::Function => "function",
            FunctionKind::Procedure => "procedure",
            // As messages of dependencies have it: PostgreSQL's pg_proc knows no better.
            FunctionKind::Aggregate => "function",
        }
    }
}

impl Catalog {
    pub fn function(&self, oid: Oid) -> Option<&Arc<Function>> {
        self.of(oid).functions.get(&oid)
    }
    /// Those of a database, by OID.
    /// Does a function's signature name the rows of a relation, which may be gone?
    pub fn names_rows_of(&self, relation: Oid) -> bool {
        let row = crate::types::row_type(relation);
        let is = |t: Type| t.oid == row || t.element().is_some_and(|e| e.oid == row);
        let names = |f: &Arc<Function>| {
            f.ret_row_of == relation || is(f.ret) || f.params.iter().any(|p| p.row_of == relation || is(p.ty))
        };
        self.layers().flat_map(|l| l.functions.values()).any(names)
    }
    pub fn functions(&self, db: Oid) -> Vec<&Arc<Function>> {
        sorted(self.layers().flat_map(|l| l.functions.values()).filter(|f| f.database == db).collect(), |f| f.oid)
    }
}
