//! ts_rewrite: a part of a query by another query (tsquery_rewrite.c, tsquery_util.c).
//!
//! ```text
//!   query --wide--> tree: & and | with all their operands, sorted      a & (b & c)  ->  & [a b c]
//!   part looked for, the same way                                      a & c        ->  & [a c]
//!   a node that equals it, or has its operands among its own, gives them up for what stands in their place
//!   tree --narrow--> query: two operands each, as PostgreSQL pairs them
//! ```
//! Operands stand from the last to the first, as PostgreSQL's array of a query has them, which decides what a new query looks like.
//!
//! Invariants: what was put in is not looked at again before the next part is looked for; a node's signature has a bit for each operand below it that was
//! there when the tree was made, and a part with other bits is not found, even where it has come about since.
use pamir_types::tsquery::{Node, Operand, Operator, Query, checksum};
use pamir_types::{Result, memory, work};
use std::cmp::Ordering;

#[derive(Clone)]
enum Kind {
    /// With its checksum.
    Operand(Operand, i32),
    Not,
    Op(Operator),
}
#[derive(Clone)]
struct Tree {
    kind: Kind,
    children: Vec<Tree>,
    sign: u32,
    /// It was put in.
    fixed: bool,
}
/// The operator's number; 0: an operand.
fn number(k: &Kind) -> u8 {
    match k {
        Kind::Operand(..) => 0,
        Kind::Not => 1,
        Kind::Op(Operator::And) => 2,
        Kind::Op(Operator::Or) => 3,
        Kind::Op(Operator::Phrase(_)) => 4,
    }
}
fn is_flat(k: &Kind) -> bool {
    matches!(k, Kind::Op(Operator::And | Operator::Or))
}
impl Tree {
    /// None: of nothing that a finished query has.
    fn of(n: Node) -> Option<Tree> {
        let made = |kind, children: Vec<Tree>| {
            let sign = children.iter().fold(0, |s, c| s | c.sign);
            Tree { kind, children, sign, fixed: false }
        };
        Some(match n {
            Node::Operand(o) => {
                let sum = checksum(&o.text);
                Tree { kind: Kind::Operand(o, sum), children: Vec::new(), sign: 1 << (sum as u32 % 32), fixed: false }
            }
            Node::Not(n) => made(Kind::Not, vec![Tree::of(*n)?]),
            Node::Op(op, left, right) => made(Kind::Op(op), vec![Tree::of(*right)?, Tree::of(*left)?]),
            Node::Stop => return None,
        })
    }
    fn read(q: Query) -> Option<Tree> {
        q.root.and_then(Tree::of)
    }
    /// The same, wide and sorted.
    fn wide(q: Query) -> Result<Option<Tree>> {
        let Some(mut t) = Tree::read(q) else { return Ok(None) };
        t.widen()?;
        t.sort()?;
        Ok(Some(t))
    }
    fn widen(&mut self) -> Result<()> {
        work::charge(1 + self.children.len())?;
        self.children.iter_mut().try_for_each(Tree::widen)?;
        if !is_flat(&self.kind) {
            return Ok(());
        }
        let own = number(&self.kind);
        for c in std::mem::take(&mut self.children) {
            if number(&c.kind) == own { self.children.extend(c.children) } else { self.children.push(c) }
        }
        Ok(())
    }
    fn sort(&mut self) -> Result<()> {
        work::charge(4 + self.children.len())?;
        self.children.iter_mut().try_for_each(Tree::sort)?;
        if number(&self.kind) != 4 {
            order(&mut self.children);
        }
        Ok(())
    }
    fn unfix(&mut self) {
        self.fixed = false;
        self.children.iter_mut().for_each(Tree::unfix);
    }
    /// What is left after a part has been replaced, or taken out where there is nothing in its place; None: nothing.
    fn replace(mut self, part: &Tree, by: Option<&Tree>) -> Result<Option<Tree>> {
        work::charge(8 + self.children.len())?;
        if !self.fixed && self.sign & part.sign == part.sign && number(&self.kind) == number(&part.kind) {
            if self.children.len() == part.children.len() && self.sign == part.sign && compare(&self, part).is_eq() {
                return by.map(put_in).transpose();
            }
            if self.children.len() > part.children.len() && !part.children.is_empty() && is_flat(&self.kind) {
                self.replace_some(part, by)?;
            }
        }
        if self.fixed || matches!(self.kind, Kind::Operand(..)) {
            return Ok(Some(self));
        }
        for c in std::mem::take(&mut self.children) {
            self.children.extend(c.replace(part, by)?);
        }
        Ok(match self.children.len() {
            0 => None,
            1 if !matches!(self.kind, Kind::Not) => self.children.pop(),
            _ => Some(self),
        })
    }
    /// The part's operands among more of them.
    fn replace_some(&mut self, part: &Tree, by: Option<&Tree>) -> Result<()> {
        let (mut met, mut i, mut j) = (Vec::new(), 0, 0);
        while let (Some(a), Some(b)) = (self.children.get(i), part.children.get(j)) {
            work::charge(4)?;
            match compare(a, b) {
                Ordering::Equal => {
                    met.push(i);
                    (i, j) = (i + 1, j + 1);
                }
                Ordering::Less => i += 1,
                Ordering::Greater => break,
            }
        }
        if met.len() < part.children.len() {
            return Ok(());
        }
        let mut at = 0;
        self.children.retain(|_| {
            at += 1;
            met.binary_search(&(at - 1)).is_err()
        });
        self.children.extend(by.map(put_in).transpose()?);
        self.sort()
    }
    fn narrow(mut self) -> Result<Option<Node>> {
        work::charge(1 + self.children.len())?;
        let op = match self.kind {
            Kind::Operand(o, _) => return Ok(Some(Node::Operand(o))),
            Kind::Not => {
                let Some(c) = self.children.pop() else { return Ok(None) };
                return Ok(c.narrow()?.map(|n| Node::Not(Box::new(n))));
            }
            Kind::Op(op) => op,
        };
        // The first two are joined, and then the others from the last on.
        let mut rest = self.children.into_iter();
        let Some(first) = rest.next() else { return Ok(None) };
        let mut node = first.narrow()?;
        let second = rest.next();
        for c in second.into_iter().chain(rest.rev()) {
            node = match (node, c.narrow()?) {
                (Some(right), Some(left)) => Some(Node::op(op, left, right)),
                (a, b) => a.or(b),
            };
        }
        Ok(node)
    }
    fn query(self) -> Result<Query> {
        match self.narrow()? {
            Some(root) => Query::checked(root),
            None => Ok(Query::default()),
        }
    }
}
/// A copy to stand somewhere; 53200 where there is no memory for it.
fn put_in(t: &Tree) -> Result<Tree> {
    fn bytes(t: &Tree) -> usize {
        let own = if let Kind::Operand(o, _) = &t.kind { o.text.len() } else { 0 };
        size_of::<Tree>() + own + t.children.iter().map(bytes).sum::<usize>()
    }
    let n = bytes(t);
    work::charge(n / 16)?;
    memory::check(n)?;
    Ok(Tree { fixed: true, ..t.clone() })
}
/// QTNodeCompare
fn compare(a: &Tree, b: &Tree) -> Ordering {
    let (an, bn) = (number(&a.kind), number(&b.kind));
    if let (Kind::Operand(x, xs), Kind::Operand(y, ys)) = (&a.kind, &b.kind) {
        return ys.cmp(xs).then_with(|| x.text.as_bytes().cmp(y.text.as_bytes()));
    }
    if an == 0 || bn == 0 {
        // Operators come first.
        return (an == 0).cmp(&(bn == 0));
    }
    let by_children = || {
        let each = std::iter::zip(&a.children, &b.children).map(|(a, b)| compare(a, b));
        each.into_iter().find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    };
    let distance = |k: &Kind| if let Kind::Op(Operator::Phrase(d)) = k { *d } else { 0 };
    bn.cmp(&an)
        .then_with(|| b.children.len().cmp(&a.children.len()))
        .then_with(by_children)
        .then_with(|| distance(&b.kind).cmp(&distance(&a.kind)))
}

/// The middle one of three.
fn middle(v: &[Tree], [a, b, c]: [usize; 3]) -> usize {
    let less = |x: usize, y: usize| compare(&v[x], &v[y]).is_lt();
    match (less(a, b), less(b, c)) {
        (true, true) => b,
        (true, false) => {
            if less(a, c) {
                c
            } else {
                a
            }
        }
        (false, _) if less(c, b) => b,
        (false, _) => {
            if less(a, c) {
                a
            } else {
                c
            }
        }
    }
}
/// Sorts as PostgreSQL's qsort does (Bentley and McIlroy, "Engineering a Sort Function"), which decides how operands come that differ in weights alone:
/// to [`compare`] they are equal, and it is not stable.
fn order(mut v: &mut [Tree]) {
    loop {
        let n = v.len();
        if n < 7 {
            for i in 1..n {
                for j in (1..=i).rev() {
                    if !compare(&v[j - 1], &v[j]).is_gt() {
                        break;
                    }
                    v.swap(j - 1, j);
                }
            }
            return;
        }
        if v.is_sorted_by(|a, b| !compare(a, b).is_gt()) {
            return;
        }
        let mut pivot = n / 2;
        if n > 7 {
            let (mut first, mut last) = (0, n - 1);
            if n > 40 {
                let d = n / 8;
                first = middle(v, [0, d, 2 * d]);
                pivot = middle(v, [pivot - d, pivot, pivot + d]);
                last = middle(v, [last - 2 * d, last - d, last]);
            }
            pivot = middle(v, [first, pivot, last]);
        }
        v.swap(0, pivot);
        // [0, a) and (d, n) equal the pivot, [a, b) are less, (c, d] greater; c is one more than it is called so, for it may fall below 0.
        let (mut a, mut b, mut c, mut d) = (1, 1, n, n);
        loop {
            while b < c {
                let o = compare(&v[b], &v[0]);
                if o.is_gt() {
                    break;
                }
                if o.is_eq() {
                    v.swap(a, b);
                    a += 1;
                }
                b += 1;
            }
            while b < c {
                let o = compare(&v[c - 1], &v[0]);
                if o.is_lt() {
                    break;
                }
                if o.is_eq() {
                    v.swap(c - 1, d - 1);
                    d -= 1;
                }
                c -= 1;
            }
            if b >= c {
                break;
            }
            v.swap(b, c - 1);
            (b, c) = (b + 1, c - 1);
        }
        let exchange = |v: &mut [Tree], x: usize, y: usize, n: usize| (0..n).for_each(|i| v.swap(x + i, y + i));
        let k = a.min(b - a);
        exchange(v, 0, b - k, k);
        let k = (d - c).min(n - d);
        exchange(v, b, n - k, k);
        let (less, greater) = (b - a, d - c);
        let (left, rest) = std::mem::take(&mut v).split_at_mut(less);
        let from = rest.len() - greater;
        let right = &mut rest[from..];
        // The shorter part within, the longer one next.
        let (short, long) = if less <= greater { (left, right) } else { (right, left) };
        order(short);
        v = long;
    }
}

/// ts_rewrite(query, target, substitute)
pub fn rewrite(query: Query, part: Query, by: Query) -> Result<Query> {
    if query.root.is_none() || part.root.is_none() {
        return Ok(query);
    }
    let (Some(tree), Some(part)) = (Tree::wide(query)?, Tree::wide(part)?) else { return Ok(Query::default()) };
    match tree.replace(&part, Tree::read(by).as_ref())? {
        Some(t) => t.query(),
        None => Ok(Query::default()),
    }
}
/// ts_rewrite(query, select): pairs of what is looked for and what stands in its place, one after the other.
pub struct Rewriting(Option<Tree>);
impl Rewriting {
    pub fn new(query: Query) -> Result<Rewriting> {
        Ok(Rewriting(Tree::wide(query)?))
    }
    pub fn step(&mut self, part: Query, by: Query) -> Result<()> {
        let Some(part) = Tree::wide(part)? else { return Ok(()) };
        let Some(tree) = self.0.take() else { return Ok(()) };
        if let Some(mut t) = tree.replace(&part, Tree::read(by).as_ref())? {
            t.unfix();
            t.widen()?;
            t.sort()?;
            self.0 = Some(t);
        }
        Ok(())
    }
    pub fn query(self) -> Result<Query> {
        self.0.map_or(Ok(Query::default()), Tree::query)
    }
}
