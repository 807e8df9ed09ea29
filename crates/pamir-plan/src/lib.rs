//! From text to plans: statements are parsed, bound and planned here.
//!
//! ```text
//! text --parser--> tree --bind--> BoundStatement (pamir_expr::ir) --plan--> Plan (pamir_expr::plan)
//! ```
//! - [`parser`]: a client's text to statements, on a stack that is large enough. - [`bind`]: names, types, overloads. - [`plan`]: the optimizer and EXPLAIN.
//!
//! *Invariant*: nothing is run but constant expressions; data is looked at for its size alone.
pub mod bind;
pub mod parser;
pub mod plan;
