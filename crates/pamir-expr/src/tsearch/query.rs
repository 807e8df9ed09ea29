//! From texts to queries: to_tsquery and its like (to_tsany.c).
use super::config::Config;
use crate::env::Env;
use pamir_types::tsquery::{self, Node, Operand, Operator, Query, Reading};
use pamir_types::{Result, err};

/// How an operand of several words is joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    And,
    Phrase,
}
/// What an operand comes to: its words with stop words' places between them.
fn operand(words: Vec<(String, u16)>, weights: u8, prefix: bool, join: Join) -> Node {
    let op = if join == Join::And { Operator::And } else { Operator::Phrase(1) };
    let mut node: Option<Node> = None;
    let mut last: u16 = 0;
    for (text, at) in words {
        let stops = if last > 0 { usize::from(at.saturating_sub(last + 1)) } else { 0 };
        let all = std::iter::repeat_n(Node::Stop, stops).chain([Node::Operand(Operand { text, weights, prefix })]);
        for right in all {
            node = Some(match node {
                Some(left) => Node::op(op, left, right),
                None => right,
            });
        }
        last = at;
    }
    node.unwrap_or(Node::Stop)
}
/// A query of a text; its NOTICE is sent.
pub fn read(text: &str, reading: Reading, join: Join, config: &Config, env: &mut dyn Env) -> Result<Query> {
    let parsed = tsquery::read(text, reading, &mut |s, weights, prefix| {
        let mut place = 0;
        Ok(operand(config.lexemes(s, &mut place, &mut *env)?, weights, prefix, join))
    })?;
    if let Some(n) = parsed.notice {
        env.notice(err!(SUCCESSFUL_COMPLETION, "{n}"));
    }
    Ok(parsed.query)
}
