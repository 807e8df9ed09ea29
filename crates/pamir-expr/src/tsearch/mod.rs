//! Full text search: from a document to tsvector, from words to tsquery, whether one matches the other, how well, and the places that show it.
//!
//! ```text
//!   text --parser--> tokens (kind, text) --configuration--> dictionary --> lexeme, stop word, or nothing
//!                                                                             |
//!                       tsvector (lexeme: positions)  <-----------------------+----> tsquery
//! ```
//! - [`parser`] the default parser, a machine whose table is states.txt. [`config`] configurations: the server's own and users'. [`dictionary`] what each
//!   dictionary makes of a word.
//! - [`query`] texts to queries. [`matching`] `@@` and where. [`rank`] ts_rank, ts_rank_cd. [`headline`] ts_headline.
//!   [`rewrite`] ts_rewrite. [`document`] ts_stat and the triggers that keep a document's vector.
//!
//! Values and their text are `pamir_types::{tsvector, tsquery}`. Functions by their names are in `func/tsearch.rs`.
//!
//! Limits: no parser but the default one; configurations for which there is no stemmer here are refused (0A000) where they are used.
pub mod config;
pub mod dictionary;
pub mod document;
pub mod headline;
pub mod matching;
pub mod parser;
pub mod query;
pub mod rank;
pub mod rewrite;
