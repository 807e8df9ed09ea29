//! Does a document match a query, and at which places? (TS_execute of tsvector_op.c)
//!
//! Above phrases it is enough to know whether a lexeme is there. Below them each part of the query comes to places: at which it matches, or at which alone
//! it does not (`negated`). A match of several lexemes is known by its last one; `width` says how far it goes to the left.
use pamir_types::tsquery::{Node, Operand, Operator, Query};
use pamir_types::tsvector::{Lexeme, Vector};
use pamir_types::{Result, work};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    No,
    Yes,
    /// There is a lexeme whose places are not known.
    Maybe,
}
/// What says whether an operand is there: and where, if that is asked.
pub type Lookup<'a> = dyn FnMut(&Operand, bool) -> Result<(Match, Vec<u16>)> + 'a;

#[derive(Default)]
struct Places {
    at: Vec<u16>,
    negated: bool,
    width: i64,
}

/// `@@`, with any lookup. `skip_not`: what must not be there is not asked for.
pub fn execute(query: &Query, skip_not: bool, lookup: &mut Lookup) -> Result<bool> {
    match &query.root {
        Some(root) => Ok(recurse(root, skip_not, lookup)? != Match::No),
        None => Ok(false),
    }
}
/// `@@`
pub fn matches(vector: &Vector, query: &Query) -> Result<bool> {
    execute(query, false, &mut |o, places| find(vector, o, places))
}

fn recurse(node: &Node, skip_not: bool, lookup: &mut Lookup) -> Result<Match> {
    work::charge(4)?;
    Ok(match node {
        Node::Stop => Match::No,
        Node::Operand(o) => lookup(o, false)?.0,
        Node::Not(_) if skip_not => Match::Yes,
        Node::Not(n) => match recurse(n, skip_not, lookup)? {
            Match::No => Match::Yes,
            Match::Yes => Match::No,
            Match::Maybe => Match::Maybe,
        },
        Node::Op(Operator::And, l, r) => match recurse(l, skip_not, lookup)? {
            Match::No => Match::No,
            left => match recurse(r, skip_not, lookup)? {
                Match::Yes => left,
                right => right,
            },
        },
        Node::Op(Operator::Or, l, r) => match recurse(l, skip_not, lookup)? {
            Match::Yes => Match::Yes,
            left => match recurse(r, skip_not, lookup)? {
                Match::No => left,
                right => right,
            },
        },
        // Places that are not known match no phrase.
        Node::Op(Operator::Phrase(_), ..) => match phrase(node, skip_not, lookup)?.0 {
            Match::Maybe => Match::No,
            m => m,
        },
    })
}

/// TS_phrase_output: places of both sides, moved; which of them stay says `keep` (only left, only right, both).
fn merge(l: &Places, r: &Places, keep: (bool, bool, bool), (left, right): (i64, i64)) -> Result<Vec<u16>> {
    work::charge(l.at.len() + r.at.len())?;
    let (mut i, mut k, mut out) = (0, 0, Vec::new());
    let mut put = |at: i64| {
        if at > 0 {
            out.push(at.min(u16::MAX.into()) as u16);
        }
    };
    loop {
        let a = l.at.get(i).map(|a| i64::from(*a) + left);
        let b = r.at.get(k).map(|b| i64::from(*b) + right);
        match (a, b) {
            (None, None) => break,
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                if keep.0 {
                    put(a);
                }
                i += 1;
            }
            (Some(a), Some(b)) if a == b => {
                if keep.2 {
                    put(a);
                }
                i += 1;
                k += 1;
            }
            (_, b) => {
                if keep.1 {
                    put(b.unwrap_or(0));
                }
                k += 1;
            }
        }
    }
    Ok(out)
}
fn found(at: Vec<u16>, width: i64) -> (Match, Places) {
    let m = if at.is_empty() { Match::No } else { Match::Yes };
    (m, Places { at, negated: false, width })
}
fn all_but(at: Vec<u16>, width: i64) -> (Match, Places) {
    (Match::Yes, Places { at, negated: true, width })
}
const LEFT: (bool, bool, bool) = (true, false, false);
const RIGHT: (bool, bool, bool) = (false, true, false);
const BOTH: (bool, bool, bool) = (false, false, true);
const ANY: (bool, bool, bool) = (true, true, true);

/// TS_phrase_execute
fn phrase(node: &Node, skip_not: bool, lookup: &mut Lookup) -> Result<(Match, Places)> {
    work::charge(4)?;
    match node {
        Node::Stop => Ok((Match::No, Places::default())),
        Node::Operand(o) => {
            let (m, at) = lookup(o, true)?;
            Ok((m, Places { at, ..Places::default() }))
        }
        Node::Not(_) if skip_not => Ok(all_but(Vec::new(), 0)),
        Node::Not(n) => Ok(match phrase(n, skip_not, lookup)? {
            (Match::No, p) => (Match::Yes, Places { at: Vec::new(), negated: true, width: p.width }),
            (Match::Yes, p) if !p.at.is_empty() => (Match::Yes, Places { negated: !p.negated, ..p }),
            (Match::Yes, p) => (Match::No, Places { negated: false, ..p }),
            maybe => maybe,
        }),
        Node::Op(Operator::Or, l, r) => {
            let ((lm, mut l), (rm, mut r)) = (phrase(l, skip_not, lookup)?, phrase(r, skip_not, lookup)?);
            if lm == Match::No && rm == Match::No {
                return Ok((Match::No, Places::default()));
            }
            if lm == Match::Maybe || rm == Match::Maybe {
                return Ok((Match::Maybe, Places::default()));
            }
            if lm == Match::No {
                l.width = 0;
            }
            if rm == Match::No {
                r.width = 0;
            }
            let width = l.width.max(r.width);
            let moved = (width - l.width, width - r.width);
            Ok(match (l.negated, r.negated) {
                (true, true) => all_but(merge(&l, &r, BOTH, moved)?, width),
                (true, false) => all_but(merge(&l, &r, LEFT, moved)?, width),
                (false, true) => all_but(merge(&l, &r, RIGHT, moved)?, width),
                _ => found(merge(&l, &r, ANY, moved)?, width),
            })
        }
        Node::Op(op, l, r) => {
            let (lm, l) = phrase(l, skip_not, lookup)?;
            if lm == Match::No {
                return Ok((Match::No, Places::default()));
            }
            let (rm, r) = phrase(r, skip_not, lookup)?;
            if rm == Match::No {
                return Ok((Match::No, Places::default()));
            }
            if lm == Match::Maybe || rm == Match::Maybe {
                return Ok((Match::Maybe, Places::default()));
            }
            let (width, moved) = match op {
                Operator::Phrase(d) => (i64::from(*d) + l.width + r.width, (i64::from(*d) + r.width, 0)),
                _ => {
                    let width = l.width.max(r.width);
                    (width, (width - l.width, width - r.width))
                }
            };
            Ok(match (l.negated, r.negated) {
                (true, true) => all_but(merge(&l, &r, ANY, moved)?, width),
                (true, false) => found(merge(&l, &r, RIGHT, moved)?, width),
                (false, true) => found(merge(&l, &r, LEFT, moved)?, width),
                _ => found(merge(&l, &r, BOTH, moved)?, width),
            })
        }
    }
}

/// checkclass_str: a lexeme's places, those of the operand's weights.
fn places_of(l: &Lexeme, o: &Operand, places: bool) -> (Match, Vec<u16>) {
    if l.positions.is_empty() {
        return (if places { Match::Maybe } else { Match::Yes }, Vec::new());
    }
    let fits = |weight: u8| o.weights == 0 || o.weights & 1 << weight != 0;
    let mut at = l.positions.iter().filter(|p| fits(p.weight)).map(|p| p.at);
    match places {
        false => (if at.next().is_some() { Match::Yes } else { Match::No }, Vec::new()),
        true => {
            let at: Vec<u16> = at.collect();
            (if at.is_empty() { Match::No } else { Match::Yes }, at)
        }
    }
}
/// The lexemes that an operand means.
pub fn lexemes<'a>(vector: &'a Vector, o: &Operand) -> &'a [Lexeme] {
    let from = match vector.find(&o.text) {
        Ok(i) if !o.prefix => return &vector.lexemes[i..=i],
        Ok(i) | Err(i) => i,
    };
    if !o.prefix {
        return &[];
    }
    let rest = &vector.lexemes[from..];
    &rest[..rest.partition_point(|l| l.text.starts_with(&o.text))]
}
/// checkcondition_str
fn find(vector: &Vector, o: &Operand, places: bool) -> Result<(Match, Vec<u16>)> {
    let all = lexemes(vector, o);
    work::charge(all.len())?;
    let (mut m, mut at) = (Match::No, Vec::new());
    for l in all {
        match places_of(l, o, places) {
            (Match::No, _) => {}
            (Match::Maybe, _) if places => return Ok((Match::Maybe, Vec::new())),
            (found, more) => {
                m = found;
                at.extend(more);
                if !places && m == Match::Yes {
                    break;
                }
            }
        }
    }
    at.sort_unstable();
    at.dedup();
    Ok((m, at))
}
