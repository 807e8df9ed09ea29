//! How well a document matches: ts_rank by how often and how near, ts_rank_cd by covers (tsrank.c).
//!
//! Numbers are made in PostgreSQL's widths and order, so that they are the same to the last digit.
use super::matching::{Match, execute, lexemes};
use pamir_types::tsquery::{Node, Operand, Operator, Query};
use pamir_types::tsvector::{MAX_POSITION, Position, Vector};
use pamir_types::{Result, bail, work};

pub const WEIGHTS: [f32; 4] = [0.1, 0.2, 0.4, 1.0];
const LOG_LENGTH: i32 = 1;
const LENGTH: i32 = 2;
const EXTENT: i32 = 4;
const UNIQUE: i32 = 8;
const LOG_UNIQUE: i32 = 16;
const PLUS_ONE: i32 = 32;
/// Where a lexeme without positions is taken to be.
const NOWHERE: [Position; 1] = [Position { at: MAX_POSITION, weight: 0 }];

/// An array of weights, D first; negative ones are the usual ones.
pub fn weights(given: &[f32]) -> Result<[f32; 4]> {
    let mut out = WEIGHTS;
    for (w, g) in out.iter_mut().zip(given) {
        if *g >= 0.0 {
            *w = *g;
        }
        if *w > 1.0 {
            bail!(INVALID_PARAMETER_VALUE, "weight out of range");
        }
    }
    Ok(out)
}
/// word_distance
fn nearness(distance: i32) -> f32 {
    if distance > 100 {
        return 1e-30;
    }
    (1.0 / (1.005 + 0.05 * (f64::from(distance as f32) / 1.5 - 2.0).exp())) as f32
}
fn length(v: &Vector) -> i32 {
    v.lexemes.iter().map(|l| l.positions.len().max(1) as i32).sum()
}
/// The query's operands, each text once, in order.
fn operands(q: &Query) -> Vec<&Operand> {
    let mut all = q.operands();
    all.sort_by(|a, b| a.text.as_bytes().cmp(b.text.as_bytes()));
    all.dedup_by(|a, b| a.text == b.text);
    all
}
fn positions(l: &pamir_types::tsvector::Lexeme) -> (&[Position], bool) {
    if l.positions.is_empty() { (&NOWHERE, true) } else { (&l.positions, false) }
}
fn rank_all(w: &[f32; 4], v: &Vector, q: &Query) -> Result<f32> {
    let all = operands(q);
    if all.len() < 2 {
        return rank_any(w, v, q);
    }
    let weight = |p: &Position| w[usize::from(p.weight & 3)];
    let mut seen: Vec<Option<(&[Position], bool)>> = vec![None; all.len()];
    let mut res: f32 = -1.0;
    for (i, o) in all.iter().enumerate() {
        for l in lexemes(v, o) {
            let (post, bare) = positions(l);
            seen[i] = Some((post, bare));
            for (others, other_bare) in seen[..i].iter().flatten() {
                work::charge(post.len() * others.len())?;
                for a in post {
                    for b in *others {
                        let distance = (i32::from(a.at) - i32::from(b.at)).abs();
                        if distance == 0 && !bare && !other_bare {
                            continue;
                        }
                        let distance = if distance == 0 { 1 << 14 } else { distance };
                        let near = f64::from(weight(a) * weight(b) * nearness(distance)).sqrt() as f32;
                        res = match res < 0.0 {
                            true => near,
                            false => (1.0 - (1.0 - f64::from(res)) * (1.0 - f64::from(near))) as f32,
                        };
                    }
                }
            }
        }
    }
    Ok(res)
}
fn rank_any(w: &[f32; 4], v: &Vector, q: &Query) -> Result<f32> {
    let all = operands(q);
    let mut res: f32 = 0.0;
    for o in &all {
        for l in lexemes(v, o) {
            let (post, _) = positions(l);
            work::charge(post.len())?;
            let (mut sum, mut most, mut at): (f32, f32, i32) = (0.0, -1.0, 0);
            for (j, p) in post.iter().enumerate() {
                let (weight, j) = (w[usize::from(p.weight & 3)], j as i32);
                sum += weight / ((j + 1) * (j + 1)) as f32;
                if weight > most {
                    (most, at) = (weight, j);
                }
            }
            let here = most + sum - most / ((at + 1) * (at + 1)) as f32;
            res = (f64::from(res) + f64::from(here) / 1.64493406685) as f32;
        }
    }
    if !all.is_empty() {
        res /= all.len() as f32;
    }
    Ok(res)
}
/// ts_rank
pub fn rank(w: &[f32; 4], v: &Vector, q: &Query, method: i32) -> Result<f32> {
    if v.lexemes.is_empty() {
        return Ok(0.0);
    }
    let mut res = match &q.root {
        None => return Ok(0.0),
        Some(Node::Op(Operator::And | Operator::Phrase(_), ..)) => rank_all(w, v, q)?,
        Some(_) => rank_any(w, v, q)?,
    };
    if res < 0.0 {
        res = 1e-20;
    }
    let size = v.lexemes.len() as i32;
    if method & LOG_LENGTH != 0 {
        res = (f64::from(res) / (f64::from(length(v) + 1).ln() / 2f64.ln())) as f32;
    }
    if method & LENGTH != 0 && length(v) > 0 {
        res /= length(v) as f32;
    }
    if method & UNIQUE != 0 {
        res /= size as f32;
    }
    if method & LOG_UNIQUE != 0 {
        res = (f64::from(res) / (f64::from(size + 1).ln() / 2f64.ln())) as f32;
    }
    if method & PLUS_ONE != 0 {
        res /= res + 1.0;
    }
    Ok(res)
}

/// A place in the document at which operands of the query stand.
struct Spot {
    position: Position,
    operands: Vec<usize>,
}
fn spots(v: &Vector, all: &[&Operand]) -> Result<Vec<Spot>> {
    let mut found = Vec::new();
    for (i, o) in all.iter().enumerate() {
        for l in lexemes(v, o) {
            work::charge(l.positions.len())?;
            let fits = |p: &&Position| o.weights == 0 || o.weights & 1 << p.weight != 0;
            found.extend(l.positions.iter().filter(fits).map(|p| (p.at, p.weight, l.text.as_str(), i)));
        }
    }
    found.sort_unstable();
    let mut out: Vec<(Spot, &str)> = Vec::new();
    for (at, weight, text, operand) in found {
        let position = Position { at, weight };
        match out.last_mut() {
            Some((s, t)) if s.position == position && *t == text => s.operands.push(operand),
            _ => out.push((Spot { position, operands: vec![operand] }, text)),
        }
    }
    Ok(out.into_iter().map(|s| s.0).collect())
}
/// The shortest run of spots from `from` on that matches: its first and last spot.
fn cover(q: &Query, all: &[&Operand], doc: &[Spot], mut from: usize) -> Result<Option<(usize, usize)>> {
    let run = |range: &mut dyn Iterator<Item = usize>, skip_not: bool, backwards: bool| -> Result<Option<usize>> {
        let mut at: Vec<Vec<u16>> = vec![Vec::new(); all.len()];
        for i in range {
            for o in &doc[i].operands {
                let p = doc[i].position.at;
                if at[*o].last() != Some(&p) {
                    at[*o].push(p);
                }
            }
            work::charge(8)?;
            let met = execute(q, skip_not, &mut |o, places| {
                let Some(n) = all.iter().position(|x| std::ptr::eq(*x, o)) else { return Ok((Match::No, Vec::new())) };
                if at[n].is_empty() {
                    return Ok((Match::No, Vec::new()));
                }
                let mut here = if places { at[n].clone() } else { Vec::new() };
                if backwards {
                    here.reverse();
                }
                Ok((Match::Yes, here))
            })?;
            if met {
                return Ok(Some(i));
            }
        }
        Ok(None)
    };
    loop {
        let Some(end) = run(&mut (from..doc.len()), false, false)? else { return Ok(None) };
        if let Some(begin) = run(&mut (from..=end).rev(), true, true)?
            && doc[begin].position.at <= doc[end].position.at
        {
            return Ok(Some((begin, end)));
        }
        from += 1;
    }
}
/// ts_rank_cd
pub fn rank_cd(w: &[f32; 4], v: &Vector, q: &Query, method: i32) -> Result<f32> {
    let all = q.operands();
    let doc = spots(v, &all)?;
    if doc.is_empty() {
        return Ok(0.0);
    }
    let inverse = w.map(|w| 1.0 / f64::from(w));
    let (mut rank, mut distances, mut before, mut extents, mut from) = (0.0f64, 0.0f64, 0.0f64, 0, 0);
    while let Some((begin, end)) = cover(q, &all, &doc, from)? {
        work::charge(end - begin + 1)?;
        let sum: f64 = doc[begin..=end].iter().map(|s| inverse[usize::from(s.position.weight & 3)]).sum();
        let (p, q) = (i32::from(doc[begin].position.at), i32::from(doc[end].position.at));
        let spots = (end - begin) as i32;
        let noise = (q - p) - spots;
        let noise = if noise < 0 { spots / 2 } else { noise };
        rank += (f64::from(spots + 1) / sum) / f64::from(1 + noise);
        let here = f64::from(q + p) / 2.0;
        if extents > 0 && here > before {
            distances += 1.0 / (here - before);
        }
        before = here;
        extents += 1;
        from = begin + 1;
    }
    let size = v.lexemes.len() as i32;
    if method & LOG_LENGTH != 0 && size > 0 {
        rank /= f64::from(length(v) + 1).ln();
    }
    if method & LENGTH != 0 && length(v) > 0 {
        rank /= f64::from(length(v));
    }
    if method & EXTENT != 0 && extents > 0 && distances > 0.0 {
        rank /= f64::from(extents) / distances;
    }
    if method & UNIQUE != 0 && size > 0 {
        rank /= f64::from(size);
    }
    if method & LOG_UNIQUE != 0 && size > 0 {
        rank /= f64::from(size + 1).ln() / 2f64.ln();
    }
    if method & PLUS_ONE != 0 {
        rank /= rank + 1.0;
    }
    Ok(rank as f32)
}
