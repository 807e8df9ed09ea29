//! What an expression is.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Namespace,
    Parent,
    Preceding,
    PrecedingSibling,
    ItSelf,
}
impl Axis {
    pub fn named(s: &str) -> Option<Axis> {
        Some(match s {
            "ancestor" => Axis::Ancestor,
            "ancestor-or-self" => Axis::AncestorOrSelf,
            "attribute" => Axis::Attribute,
            "child" => Axis::Child,
            "descendant" => Axis::Descendant,
            "descendant-or-self" => Axis::DescendantOrSelf,
            "following" => Axis::Following,
            "following-sibling" => Axis::FollowingSibling,
            "namespace" => Axis::Namespace,
            "parent" => Axis::Parent,
            "preceding" => Axis::Preceding,
            "preceding-sibling" => Axis::PrecedingSibling,
            "self" => Axis::ItSelf,
            _ => return None,
        })
    }
}

/// What a step asks of a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// node()
    Any,
    Text,
    Comment,
    /// processing-instruction('name')
    Instruction(Option<String>),
    /// `*`, `prefix:*`
    Star(Option<String>),
    Name(Option<String>, String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub axis: Axis,
    pub test: Test,
    pub predicates: Vec<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Div,
    Mod,
    Union,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Number(f64),
    Literal(String),
    Variable,
    Negate(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// (prefix, name, arguments)
    Call(Option<String>, String, Vec<Expr>),
    /// `(e)[p]`
    Filter(Box<Expr>, Vec<Expr>),
    /// Steps from the root (`absolute`), the context node, or the nodes of `from`.
    Path {
        from: Option<Box<Expr>>,
        absolute: bool,
        steps: Vec<Step>,
    },
}
