//! Expressions, types and calls.
use super::{At, Name, QualifiedName, Select};

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Where error messages point: at an operator, not at its left side
    pub at: At,
}

impl Expr {
    /// Where the expression begins, which `at` is not for operators.
    pub fn leftmost(&self) -> At {
        let first = match &self.kind {
            ExprKind::Operator { left: Some(e), .. }
            | ExprKind::ArrayOperator { left: e, .. }
            | ExprKind::IsNull { arg: e, .. }
            | ExprKind::IsBool { arg: e, .. }
            | ExprKind::Distinct { left: e, .. }
            | ExprKind::In { arg: e, .. }
            | ExprKind::Between { arg: e, .. }
            | ExprKind::Like { arg: e, .. }
            | ExprKind::Cast { arg: e, .. }
            | ExprKind::Collate { arg: e, .. }
            | ExprKind::Not(e)
            | ExprKind::Indirection { arg: e, .. } => e,
            ExprKind::And(list) | ExprKind::Or(list) => match list.first() {
                Some(e) => e,
                None => return self.at,
            },
            ExprKind::Call(f) => match f.args.first() {
                Some(a) => &a.value,
                None => return self.at,
            },
            ExprKind::SubLink(s) => match &s.kind {
                SubLinkKind::Any { arg, .. } | SubLinkKind::All { arg, .. } => arg,
                _ => return self.at,
            },
            _ => return self.at,
        };
        first.leftmost().min(self.at)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `a`, `t.a`, `s.t.a`; with `star`: `t.*`, or `*` alone
    Column {
        path: Vec<Name>,
        star: bool,
    },
    /// `$1`
    Param(u32),
    Literal(Literal),
    /// `- x` (no left side) or `a + b`
    Operator {
        op: OperatorName,
        left: Option<Box<Expr>>,
        right: Box<Expr>,
    },
    /// `a = ANY (array)`, with `all`: ALL
    ArrayOperator {
        op: OperatorName,
        all: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
    IsNull {
        arg: Box<Expr>,
        not: bool,
    },
    IsBool {
        arg: Box<Expr>,
        test: BoolTest,
        not: bool,
    },
    /// IS [NOT] DISTINCT FROM
    Distinct {
        left: Box<Expr>,
        right: Box<Expr>,
        not: bool,
    },
    /// `a IN (b, c)`; of a subquery: [`SubLink`]
    In {
        arg: Box<Expr>,
        list: Vec<Expr>,
        not: bool,
    },
    Between {
        arg: Box<Expr>,
        low: Box<Expr>,
        high: Box<Expr>,
        not: bool,
        symmetric: bool,
    },
    Like {
        kind: LikeKind,
        arg: Box<Expr>,
        pattern: Box<Expr>,
        escape: Option<Box<Expr>>,
        not: bool,
    },
    Cast {
        arg: Box<Expr>,
        to: Box<TypeName>,
        form: CastForm,
    },
    Collate {
        arg: Box<Expr>,
        collation: QualifiedName,
    },
    /// `(x).field`, `x[1]`, `x[1:2]`, `(x).*`
    Indirection {
        arg: Box<Expr>,
        steps: Vec<Step>,
    },
    /// `ROW(a, b)` or `(a, b)`
    Row {
        fields: Vec<Expr>,
        explicit: bool,
    },
    /// `ARRAY[...]`; elements that are bracketed lists are `Array` too
    Array(Vec<Expr>),
    Case {
        arg: Option<Box<Expr>>,
        whens: Vec<(Expr, Expr)>,
        default: Option<Box<Expr>>,
    },
    Coalesce(Vec<Expr>),
    /// GREATEST, LEAST
    MinMax {
        greatest: bool,
        args: Vec<Expr>,
    },
    NullIf(Box<Expr>, Box<Expr>),
    Call(Box<FuncCall>),
    /// CURRENT_DATE and its kin
    Value(ValueFunction),
    Grouping(Vec<Expr>),
    SubLink(Box<SubLink>),
    /// DEFAULT of VALUES and SET
    Default,
    /// WHERE CURRENT OF cursor
    CurrentOf(Name),
    Xml(Box<Xml>),
}

/// What the standard's grammar has of XML.
#[derive(Clone, Debug, PartialEq)]
pub enum Xml {
    /// XMLCONCAT(a, ...)
    Concat(Vec<Expr>),
    /// XMLELEMENT(NAME name, XMLATTRIBUTES(...), content, ...)
    Element { name: Name, attributes: Vec<XmlNamed>, content: Vec<Expr> },
    /// XMLFOREST(a AS name, ...)
    Forest(Vec<XmlNamed>),
    /// XMLPARSE(DOCUMENT | CONTENT a [PRESERVE | STRIP WHITESPACE])
    Parse { document: bool, arg: Expr, preserve: bool },
    /// XMLPI(NAME name, a)
    Pi { name: Name, arg: Option<Expr> },
    /// XMLROOT(a, VERSION b | NO VALUE, STANDALONE ...)
    Root { arg: Expr, version: Option<Expr>, standalone: XmlStandalone },
    /// XMLSERIALIZE(DOCUMENT | CONTENT a AS type)
    Serialize { document: bool, arg: Expr, to: TypeName },
    /// a IS DOCUMENT
    IsDocument(Expr),
}
/// An attribute of XMLATTRIBUTES, an element of XMLFOREST.
#[derive(Clone, Debug, PartialEq)]
pub struct XmlNamed {
    pub value: Expr,
    /// None: the column's name.
    pub name: Option<Name>,
    pub at: At,
}
/// STANDALONE of XMLROOT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlStandalone {
    Yes,
    No,
    NoValue,
    /// Nothing is said of it.
    Omitted,
}
impl Xml {
    /// The function's name, as columns and messages have it.
    pub fn name(&self) -> &'static str {
        match self {
            Xml::Concat(_) => "xmlconcat",
            Xml::Element { .. } => "xmlelement",
            Xml::Forest(_) => "xmlforest",
            Xml::Parse { .. } => "xmlparse",
            Xml::Pi { .. } => "xmlpi",
            Xml::Root { .. } => "xmlroot",
            Xml::Serialize { .. } => "xmlserialize",
            Xml::IsDocument(_) => "is document",
        }
    }
    /// The expressions in it.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Xml::Concat(args) => args.iter().collect(),
            Xml::Element { attributes, content, .. } => attributes.iter().map(|a| &a.value).chain(content).collect(),
            Xml::Forest(items) => items.iter().map(|a| &a.value).collect(),
            Xml::Parse { arg, .. } | Xml::Serialize { arg, .. } | Xml::IsDocument(arg) => vec![arg],
            Xml::Pi { arg, .. } => arg.iter().collect(),
            Xml::Root { arg, version, .. } => std::iter::once(arg).chain(version).collect(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Integer(i32),
    /// A number's text: what has a point or an exponent, or more than 32 bits
    Float(String),
    String(String),
    /// `b` or `x` and the digits
    Bits(String),
    Bool(bool),
    Null,
}

/// An operator's name, with a schema after OPERATOR().
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorName {
    pub schema: Vec<Name>,
    pub symbol: Symbol,
}
/// An operator's characters; those of the grammar cost no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    Known(&'static str),
    Other(Box<str>),
}
impl Symbol {
    pub fn as_str(&self) -> &str {
        match self {
            Symbol::Known(s) => s,
            Symbol::Other(s) => s,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoolTest {
    True,
    False,
    Unknown,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeKind {
    Like,
    ILike,
    /// The pattern's escape is applied by `similar_to_escape`.
    Similar,
}
/// How a cast was written: it matters for names of columns, deparsing and places in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastForm {
    /// `x::t`
    Colons,
    /// `CAST(x AS t)`
    Cast,
    /// `t 'x'`
    Prefix,
}

/// A step of an indirection.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Field(Name),
    Star,
    Index(Expr),
    Slice(Option<Expr>, Option<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFunction {
    CurrentDate,
    /// The digits of a second, if they are said
    CurrentTime(Option<i32>),
    CurrentTimestamp(Option<i32>),
    LocalTime(Option<i32>),
    LocalTimestamp(Option<i32>),
    CurrentRole,
    CurrentUser,
    User,
    SessionUser,
    CurrentCatalog,
    CurrentSchema,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FuncCall {
    pub name: Vec<Name>,
    pub args: Vec<Arg>,
    /// `f(*)`
    pub star: bool,
    pub distinct: bool,
    /// The last argument is `VARIADIC array`.
    pub variadic: bool,
    /// In the parentheses, or of WITHIN GROUP
    pub order_by: Vec<SortBy>,
    pub within_group: bool,
    pub filter: Option<Box<Expr>>,
    pub over: Option<Box<Window>>,
    /// Written in the standard's own way: `EXTRACT(year FROM x)`
    pub special: bool,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SubLink {
    pub kind: SubLinkKind,
    pub query: Select,
}
#[derive(Clone, Debug, PartialEq)]
pub enum SubLinkKind {
    Exists,
    /// The one value of a subquery
    Scalar,
    /// `ARRAY(SELECT ...)`
    Array,
    /// `x IN (SELECT ...)` (no operator), `x op ANY (SELECT ...)`
    Any {
        arg: Expr,
        op: Option<OperatorName>,
    },
    All {
        arg: Expr,
        op: OperatorName,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct SortBy {
    pub expr: Expr,
    pub order: SortOrder,
    pub nulls_first: Option<bool>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum SortOrder {
    Default,
    Asc,
    Desc,
    Using(OperatorName),
}

/// A window: of OVER or of the WINDOW clause
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// In the WINDOW clause: its name
    pub name: Option<Name>,
    /// The window it goes on from: `OVER (w ...)`; with `bare`: `OVER w`
    pub base: Option<Name>,
    pub bare: bool,
    pub partition_by: Vec<Expr>,
    pub order_by: Vec<SortBy>,
    pub frame: Option<Frame>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub mode: FrameMode,
    pub start: FrameBound,
    /// None: only the start was said, and the end is the current row.
    pub end: Option<FrameBound>,
    pub exclude: Exclude,
    pub at: At,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameMode {
    Range,
    Rows,
    Groups,
}
#[derive(Clone, Debug, PartialEq)]
pub enum FrameBound {
    UnboundedPreceding,
    Preceding(Box<Expr>),
    CurrentRow,
    Following(Box<Expr>),
    UnboundedFollowing,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Exclude {
    #[default]
    None,
    CurrentRow,
    Group,
    Ties,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    pub parts: Vec<Name>,
    pub setof: bool,
    /// `table.column%TYPE`
    pub of_column: bool,
    /// Numbers in parentheses, which are expressions in the grammar
    pub modifiers: Vec<Expr>,
    /// Of an interval: `YEAR TO MONTH`
    pub fields: Option<IntervalFields>,
    /// A bound for each dimension; None: `[]`
    pub array: Vec<Option<i32>>,
    pub at: At,
}
/// The fields of an interval: bits of `pamir_types::datetime::interval_range`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalFields(pub i32);
