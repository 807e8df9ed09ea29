//! Expressions: what is known of functions and types, bound trees, compiled expressions, plans as data.
//!
//! ```text
//!  bound tree (ir) --fold--> bound tree --compile--> Px (expr) --eval--> Datum
//!      | deparse                                      ^
//!      v                                              | slots, parameters, Env
//!   SQL text                                    a plan's operators (plan)
//! ```
//! - [`env`]: what an evaluation may ask of its session. - [`func`]: functions, operators, casts, aggregates. - [`casts`]: which casts lead where.
//! - [`ir`]: bound expressions, relations and statements: what the binder makes and the planner reads. - [`rels`]: walks over them. - [`fold`]: constants computed
//!   ahead. - [`deparse`]: back to SQL.
//! - [`query`]: what a query says, for the definitions of views.
//! - [`cluster`]: what SQL knows of the cluster.
//! - [`expr`]: compiled expressions. - [`long`]: calls that take long. - [`deep`]: statements that need a larger stack.
//! - [`plan`]: physical plans as data. - [`access`]: rows and index entries of a table as bytes. - [`ranges`]: conditions as ranges of an index.
//! - [`xpath`]: XPath over XML trees.
//! - [`backups`]: what functions ask of the server's backups. - [`sink`]: what takes rows. - [`no_session`]: evaluation where there is no session.
//!
//! *Invariant*: no syntax tree, no operator that runs, no session but through [`env::Env`].
pub mod access;
pub mod backups;
pub mod casts;
pub mod cluster;
pub mod deep;
pub mod deparse;
pub mod domains;
pub mod env;
pub mod expr;
pub mod files;
pub mod fold;
pub mod func;
pub mod implied;
pub mod inverted;
pub mod ir;
pub mod large_object;
pub mod long;
pub mod names;
pub mod no_session;
pub mod partition;
pub mod plan;
pub mod query;
pub mod ranges;
pub mod rels;
pub mod sink;
pub mod spi;
pub mod tsearch;
pub mod xpath;
