//! Names that SQL may use beside its columns: a function's variables and parameters. They are parameters of the statement, by number.
//!
//! ```text
//!   Env::names --> the binder: `x`, `label.x`, `record.field`, `$n` --> Expr::Param(number), Expr::Field of one
//! ```
//! *Invariant*: only the statement itself sees them, never what tables store or views say.
use pamir_types::Type;

/// What is meant where a column and a variable have the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Conflict {
    /// 42702.
    #[default]
    Error,
    Variable,
    Column,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Plain,
    Row,
    /// A row whose shape may be another one the next time.
    Record,
}
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub number: u16,
    pub what: What,
}
#[derive(Clone, Debug)]
pub struct Names {
    /// Innermost first: a label and what it has.
    pub scopes: Vec<(Option<String>, Vec<Entry>)>,
    /// Of all parameters; a row's says its fields ([`crate::func::rowtype`]).
    pub types: Vec<Type>,
    /// The parameters that `$1`, `$2`, ... are.
    pub args: Vec<u16>,
    pub conflict: Conflict,
}
impl Names {
    /// What a path means: an entry, and the rest of the path.
    pub fn find<'n, 'p>(&'n self, path: &'p [String]) -> Option<(&'n Entry, &'p [String])> {
        let (first, rest) = path.split_first()?;
        for (label, vars) in &self.scopes {
            if let Some(v) = vars.iter().find(|v| v.name == *first) {
                return Some((v, rest));
            }
            if label.as_ref() == Some(first)
                && let Some((second, rest)) = rest.split_first()
                && let Some(v) = vars.iter().find(|v| v.name == *second)
            {
                return Some((v, rest));
            }
        }
        None
    }
}
