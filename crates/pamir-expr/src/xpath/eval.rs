//! Running an expression.
//!
//! A set of nodes is a sorted vector without duplicates; along an axis they come in that axis's order, in which predicates count them.
use super::tree::{Axis, Expr, Op, Step, Test};
use super::{Failure, INVALID_TYPE, Namespaces, Outcome, functions, number};
use pamir_types::xml::tree::{Declared, Kind, NONE, NodeId, ROOT, Tree, XML_NAMESPACE};
use pamir_types::{memory, work};
use std::sync::Arc;

/// A node, or a namespace of an element: the number of it among those in scope, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item {
    pub node: NodeId,
    pub space: u32,
}
impl Item {
    pub fn node(node: NodeId) -> Item {
        Item { node, space: 0 }
    }
}

#[derive(Clone, Debug)]
pub enum Value {
    Nodes(Vec<Item>),
    Number(f64),
    String(String),
    Bool(bool),
}

/// Where an expression is evaluated; outside of predicates a node has no position, and is one of no number.
#[derive(Clone, Copy)]
pub struct Context {
    pub item: Item,
    pub position: usize,
    pub size: usize,
}

pub struct Eval<'a> {
    pub tree: &'a Tree,
    pub names: &'a Namespaces,
}

/// The value of an expression at a node.
pub fn run(e: &Expr, tree: &Tree, at: NodeId, names: &Namespaces) -> Outcome<Value> {
    let x = Eval { tree, names };
    x.eval(e, Context { item: Item::node(at), position: 0, size: 0 })
}

impl Eval<'_> {
    pub(super) fn eval(&self, e: &Expr, cx: Context) -> Outcome<Value> {
        work::charge(16)?;
        if pamir_storage::task::stack_left().is_some_and(|n| n < (48 << 10)) {
            return Err(Failure::Of("Recursion limit exceeded"));
        }
        Ok(match e {
            Expr::Number(n) => Value::Number(*n),
            Expr::Literal(s) => Value::String(s.clone()),
            Expr::Variable => return Err(Failure::Of("Undefined variable")),
            Expr::Negate(e) => {
                let v = self.eval(e, cx)?;
                Value::Number(-self.number(&v)?)
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b, cx)?,
            Expr::Call(prefix, name, args) => functions::call(self, prefix.as_deref(), name, args, cx)?,
            Expr::Filter(e, predicates) => {
                let Value::Nodes(mut nodes) = self.eval(e, cx)? else { return Err(INVALID_TYPE) };
                for p in predicates {
                    nodes = self.filter(nodes, p)?;
                }
                Value::Nodes(nodes)
            }
            Expr::Path { from, absolute, steps } => {
                let mut nodes = match from {
                    Some(e) => match self.eval(e, cx)? {
                        Value::Nodes(n) => n,
                        _ => return Err(INVALID_TYPE),
                    },
                    None if *absolute => vec![Item::node(ROOT)],
                    None => vec![cx.item],
                };
                let mut rest = steps.as_slice();
                while let Some((step, behind)) = rest.split_first() {
                    rest = behind;
                    // `//name` looks at each node once, where no predicate counts the nodes of a parent.
                    if let (Axis::DescendantOrSelf, Test::Any, true, Some(next)) =
                        (step.axis, &step.test, step.predicates.is_empty(), behind.first())
                        && next.axis == Axis::Child
                        && next.predicates.is_empty()
                    {
                        let both = Step { axis: Axis::Descendant, ..next.clone() };
                        nodes = self.step(&both, &nodes)?;
                        rest = &behind[1..];
                        continue;
                    }
                    nodes = self.step(step, &nodes)?;
                }
                Value::Nodes(nodes)
            }
        })
    }
    /// The nodes that a step leads to from each of `nodes`.
    fn step(&self, step: &Step, nodes: &[Item]) -> Outcome<Vec<Item>> {
        let uri = match &step.test {
            Test::Star(Some(p)) | Test::Name(Some(p), _) => Some(self.uri(p)?),
            _ => None,
        };
        let mut out: Vec<Item> = Vec::new();
        for n in nodes {
            let mut found = Vec::new();
            self.walk(step.axis, *n, &mut |i| {
                if self.fits(&step.test, step.axis, i, uri.as_deref()) {
                    found.push(i);
                }
            })?;
            for p in &step.predicates {
                found = self.filter(found, p)?;
            }
            memory::admit_growth(out.capacity() * size_of::<Item>(), (out.len() + found.len()) * size_of::<Item>())?;
            out.append(&mut found);
        }
        if !out.is_sorted_by(|a, b| a < b) {
            work::charge(out.len() * 4)?;
            out.sort_unstable();
            out.dedup();
        }
        Ok(out)
    }
    fn uri(&self, prefix: &str) -> Outcome<Arc<str>> {
        if prefix == "xml" {
            return Ok(XML_NAMESPACE.into());
        }
        self.names.get(prefix).cloned().ok_or(Failure::Of("Undefined namespace prefix"))
    }
    fn filter(&self, nodes: Vec<Item>, predicate: &Expr) -> Outcome<Vec<Item>> {
        if let Expr::Number(n) = predicate {
            let at = nodes.iter().enumerate().find(|(i, _)| (*i + 1) as f64 == *n).map(|(_, n)| *n);
            return Ok(at.into_iter().collect());
        }
        let size = nodes.len();
        let mut out = Vec::new();
        for (i, item) in nodes.into_iter().enumerate() {
            let holds = match self.eval(predicate, Context { item, position: i + 1, size })? {
                Value::Number(n) => n == (i + 1) as f64,
                v => self.boolean(&v),
            };
            if holds {
                out.push(item);
            }
        }
        Ok(out)
    }
    fn fits(&self, test: &Test, axis: Axis, i: Item, uri: Option<&str>) -> bool {
        let n = self.tree.node(i.node);
        if i.space > 0 {
            return match test {
                Test::Any | Test::Star(_) => true,
                Test::Name(None, name) => self.space(i).is_some_and(|s| s.0.as_deref() == Some(name)),
                _ => false,
            };
        }
        let principal = if axis == Axis::Attribute { Kind::Attribute } else { Kind::Element };
        match test {
            Test::Any => n.kind != Kind::Doctype,
            Test::Text => matches!(n.kind, Kind::Text | Kind::Cdata),
            Test::Comment => n.kind == Kind::Comment,
            Test::Instruction(name) => n.kind == Kind::Instruction && name.as_ref().is_none_or(|x| **x == *n.name),
            Test::Star(None) => n.kind == principal && axis != Axis::Namespace,
            Test::Star(Some(_)) => n.kind == principal && n.namespace.as_deref() == uri,
            Test::Name(None, name) => n.kind == principal && n.namespace.is_none() && *n.name == **name,
            Test::Name(Some(_), name) => n.kind == principal && n.namespace.as_deref() == uri && *n.name == **name,
        }
    }
    /// The namespaces in scope at an element, in the order of their axis.
    fn spaces(&self, id: NodeId) -> Vec<Declared> {
        let mut own: Vec<Declared> = Vec::new();
        let mut known = rustc_hash::FxHashSet::default();
        let mut at = id;
        while at != NONE {
            let n = self.tree.node(at);
            // Who is to end hears it with the next charge.
            let _ = work::charge(n.declares.len() * 4 + 4);
            own.extend(n.declares.iter().filter(|d| known.insert(d.0.as_ref())).cloned());
            at = n.parent;
        }
        own.push((Some("xml".into()), XML_NAMESPACE.into()));
        own.reverse();
        own
    }
    /// A namespace node's prefix and URI.
    pub fn space(&self, i: Item) -> Option<Declared> {
        self.spaces(i.node).into_iter().nth((i.space as usize).checked_sub(1)?)
    }
    fn walk(&self, axis: Axis, from: Item, see: &mut dyn FnMut(Item)) -> Outcome<()> {
        let t = self.tree;
        let mut visit = |n: NodeId| -> Outcome<()> {
            work::charge(4)?;
            see(Item::node(n));
            Ok(())
        };
        let id = from.node;
        let inner = from.space > 0;
        let attribute = t.node(id).kind == Kind::Attribute;
        match axis {
            Axis::ItSelf => {
                see(from);
            }
            Axis::Parent if inner => visit(id)?,
            Axis::Parent if t.node(id).parent != NONE => visit(t.node(id).parent)?,
            Axis::Ancestor | Axis::AncestorOrSelf => {
                if axis == Axis::AncestorOrSelf {
                    see(from);
                }
                let mut at = if inner { id } else { t.node(id).parent };
                while at != NONE {
                    work::charge(4)?;
                    see(Item::node(at));
                    at = t.node(at).parent;
                }
            }
            Axis::Attribute if !inner => {
                for a in t.attributes(id) {
                    visit(a)?;
                }
            }
            Axis::Namespace if !inner && t.node(id).kind == Kind::Element => {
                let n = self.spaces(id).len();
                work::charge(16 * n)?;
                (1..=n).for_each(|space| see(Item { node: id, space: space as u32 }));
            }
            Axis::Child if !inner => {
                for c in t.children(id) {
                    visit(c)?;
                }
            }
            Axis::Descendant | Axis::DescendantOrSelf => {
                if axis == Axis::DescendantOrSelf {
                    see(from);
                }
                if inner || attribute {
                    return Ok(());
                }
                let mut at = t.node(id).first;
                while at != NONE {
                    work::charge(4)?;
                    see(Item::node(at));
                    at = t.following(at, id, true);
                }
            }
            Axis::FollowingSibling | Axis::PrecedingSibling if !inner && !attribute => {
                let step = |n: NodeId| if axis == Axis::FollowingSibling { t.node(n).next } else { t.node(n).previous };
                let mut at = step(id);
                while at != NONE {
                    work::charge(4)?;
                    see(Item::node(at));
                    at = step(at);
                }
            }
            Axis::Following => {
                // Of an attribute: what follows its element's tag, its children first.
                let mut at = match attribute {
                    true => t.following(t.node(id).parent, ROOT, true),
                    false => t.following(id, ROOT, false),
                };
                while at != NONE {
                    work::charge(4)?;
                    see(Item::node(at));
                    at = t.following(at, ROOT, true);
                }
            }
            Axis::Preceding => {
                let top = if attribute { t.node(id).parent } else { id };
                let mut above = Vec::new();
                let mut at = top;
                while at != NONE {
                    above.push(at);
                    at = t.node(at).parent;
                }
                for n in (1..top).rev() {
                    work::charge(4)?;
                    if t.node(n).kind != Kind::Attribute && !above.contains(&n) {
                        see(Item::node(n));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    // Values

    pub fn string_of(&self, i: Item) -> Outcome<String> {
        if i.space > 0 {
            return Ok(self.space(i).map_or(String::new(), |s| s.1.to_string()));
        }
        let mut out = String::new();
        self.tree.string_value(i.node, &mut out)?;
        Ok(out)
    }
    pub fn string(&self, v: &Value) -> Outcome<String> {
        Ok(match v {
            Value::Nodes(n) => match n.first() {
                Some(i) => self.string_of(*i)?,
                None => String::new(),
            },
            Value::Number(n) => number::to_string(*n),
            Value::String(s) => s.clone(),
            Value::Bool(b) => b.to_string(),
        })
    }
    pub fn number(&self, v: &Value) -> Outcome<f64> {
        Ok(match v {
            Value::Number(n) => *n,
            Value::Bool(b) => f64::from(u8::from(*b)),
            v => number::parse(&self.string(v)?),
        })
    }
    pub fn boolean(&self, v: &Value) -> bool {
        match v {
            Value::Nodes(n) => !n.is_empty(),
            Value::Number(n) => *n != 0.0 && !n.is_nan(),
            Value::String(s) => !s.is_empty(),
            Value::Bool(b) => *b,
        }
    }
    fn binary(&self, op: Op, a: &Expr, b: &Expr, cx: Context) -> Outcome<Value> {
        let left = self.eval(a, cx)?;
        match op {
            Op::Or | Op::And => {
                let l = self.boolean(&left);
                if l == (op == Op::Or) {
                    return Ok(Value::Bool(l));
                }
                let right = self.eval(b, cx)?;
                return Ok(Value::Bool(self.boolean(&right)));
            }
            _ => {}
        }
        let right = self.eval(b, cx)?;
        Ok(match op {
            Op::Union => {
                let (Value::Nodes(mut l), Value::Nodes(r)) = (left, right) else { return Err(INVALID_TYPE) };
                l.extend(r);
                work::charge(l.len() * 4)?;
                l.sort_unstable();
                l.dedup();
                Value::Nodes(l)
            }
            Op::Equal | Op::Unequal => Value::Bool(self.equal(&left, &right, op == Op::Equal)?),
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => Value::Bool(self.ordered(op, &left, &right)?),
            op => {
                let (x, y) = (self.number(&left)?, self.number(&right)?);
                Value::Number(match op {
                    Op::Plus => x + y,
                    Op::Minus => x - y,
                    Op::Times => x * y,
                    Op::Div => x / y,
                    _ => x % y,
                })
            }
        })
    }
    fn equal(&self, l: &Value, r: &Value, same: bool) -> Outcome<bool> {
        Ok(match (l, r) {
            (Value::Nodes(a), Value::Nodes(b)) => {
                // There is a pair of equal strings; for `!=`, a pair of unequal ones.
                let strings = |v: &[Item]| v.iter().map(|i| self.string_of(*i)).collect::<Outcome<Vec<String>>>();
                let (a, b) = (strings(a)?, strings(b)?);
                work::charge(a.len() + b.len())?;
                if same {
                    let known: rustc_hash::FxHashSet<&str> = a.iter().map(String::as_str).collect();
                    b.iter().any(|s| known.contains(s.as_str()))
                } else {
                    let differs = |v: &[String]| v.iter().any(|s| Some(s) != a.first());
                    !a.is_empty() && !b.is_empty() && (differs(&a) || differs(&b))
                }
            }
            (Value::Nodes(_), Value::Bool(b)) | (Value::Bool(b), Value::Nodes(_)) => {
                let n = self.boolean(if matches!(l, Value::Nodes(_)) { l } else { r });
                (n == *b) == same
            }
            (Value::Nodes(n), Value::Number(x)) | (Value::Number(x), Value::Nodes(n)) => {
                for i in n {
                    if (number::parse(&self.string_of(*i)?) == *x) == same {
                        return Ok(true);
                    }
                }
                false
            }
            (Value::Nodes(n), Value::String(s)) | (Value::String(s), Value::Nodes(n)) => {
                for i in n {
                    if (self.string_of(*i)? == *s) == same {
                        return Ok(true);
                    }
                }
                false
            }
            (Value::Bool(_), _) | (_, Value::Bool(_)) => (self.boolean(l) == self.boolean(r)) == same,
            (Value::Number(_), _) | (_, Value::Number(_)) => (self.number(l)? == self.number(r)?) == same,
            (Value::String(a), Value::String(b)) => (a == b) == same,
        })
    }
    fn ordered(&self, op: Op, l: &Value, r: &Value) -> Outcome<bool> {
        let holds = |x: f64, y: f64| match op {
            Op::Less => x < y,
            Op::LessEqual => x <= y,
            Op::Greater => x > y,
            _ => x >= y,
        };
        let numbers = |v: &Value| -> Outcome<Vec<f64>> {
            match v {
                Value::Nodes(n) => n.iter().map(|i| Ok(number::parse(&self.string_of(*i)?))).collect(),
                v => Ok(vec![self.number(v)?]),
            }
        };
        // Beside a boolean a set is one, too.
        if let (Value::Bool(_), Value::Nodes(_)) | (Value::Nodes(_), Value::Bool(_)) = (l, r) {
            let n = |v: &Value| f64::from(u8::from(self.boolean(v)));
            return Ok(holds(n(l), n(r)));
        }
        let (a, b) = (numbers(l)?, numbers(r)?);
        // One pair is enough: the least of one side with the greatest of the other.
        let least = |v: &[f64]| v.iter().copied().filter(|x| !x.is_nan()).reduce(f64::min);
        let most = |v: &[f64]| v.iter().copied().filter(|x| !x.is_nan()).reduce(f64::max);
        let pair = match op {
            Op::Less | Op::LessEqual => (least(&a), most(&b)),
            _ => (most(&a), least(&b)),
        };
        Ok(matches!(pair, (Some(x), Some(y)) if holds(x, y)))
    }
}
