//! Text of geometric values: many forms in, one out.
use super::{Circle, Line, Path, Point, Polygon, Rect, Shape, float};
use crate::number_text;
use crate::number_text::{invalid_syntax, is_space};
use crate::{Error, Oid, Result, bail, oid};

/// Reads one value's text; errors tell the whole of it.
struct Reader<'a> {
    whole: &'a str,
    ty: &'static str,
    at: usize,
}
impl<'a> Reader<'a> {
    fn new(whole: &'a str, ty: &'static str) -> Self {
        Reader { whole, ty, at: 0 }
    }
    #[cold]
    fn bad(&self) -> Error {
        invalid_syntax(self.ty, self.whole)
    }
    fn peek(&self) -> Option<u8> {
        self.whole.as_bytes().get(self.at).copied()
    }
    fn rest(&self) -> &'a [u8] {
        &self.whole.as_bytes()[self.at..]
    }
    fn spaces(&mut self) {
        self.at += self.rest().iter().take_while(|b| is_space(**b)).count();
    }
    fn take(&mut self, b: u8) -> bool {
        let found = self.peek() == Some(b);
        self.at += usize::from(found);
        found
    }
    fn want(&mut self, b: u8) -> Result<()> {
        if self.take(b) { Ok(()) } else { Err(self.bad()) }
    }
    fn end(&self) -> Result<()> {
        if self.at == self.whole.len() { Ok(()) } else { Err(self.bad()) }
    }
    /// Is the next byte the last one of its kind in the text?
    fn last(&self, b: u8) -> bool {
        self.rest().iter().rposition(|c| *c == b) == Some(0)
    }
    /// Where the next byte that is no blank is, behind the one at hand.
    fn behind(&self) -> usize {
        let rest = self.rest();
        self.at + 1 + rest[1.min(rest.len())..].iter().take_while(|b| is_space(**b)).count()
    }
    fn number(&mut self) -> Result<f64> {
        self.spaces();
        let b = self.rest();
        let n = number_length(b);
        if n == 0 {
            return Err(self.bad());
        }
        let v = number_text::parse_f64(&self.whole[self.at..self.at + n])?;
        self.at += n;
        self.spaces();
        Ok(v)
    }
    fn pair(&mut self) -> Result<Point> {
        self.spaces();
        let within = self.take(b'(');
        let x = self.number()?;
        self.want(b',')?;
        let y = self.number()?;
        if within {
            self.want(b')')?;
            self.spaces();
        }
        Ok(Point { x, y })
    }
    /// path_decode: so many points, with or without marks around them; true where they are `[` `]`, which must be `allowed`.
    fn points(&mut self, n: usize, allowed: bool) -> Result<(bool, Vec<Point>)> {
        self.spaces();
        let mut depth = 0;
        let open = self.peek() == Some(b'[');
        if open {
            if !allowed {
                return Err(self.bad());
            }
            depth += 1;
            self.at += 1;
        } else if self.peek() == Some(b'(') {
            let next = self.behind();
            if self.whole.as_bytes().get(next) == Some(&b'(') || self.last(b'(') {
                depth += 1;
                self.at = next;
            }
        }
        let mut points = Vec::new();
        for _ in 0..n {
            points.push(self.pair()?);
            self.take(b',');
        }
        while depth > 0 {
            if !(self.take(b')') || (open && depth == 1 && self.take(b']'))) {
                return Err(self.bad());
            }
            depth -= 1;
            self.spaces();
        }
        Ok((open, points))
    }
    /// pair_count: how many points the commas make.
    fn count(&self) -> Result<usize> {
        match self.whole.bytes().filter(|b| *b == b',').count() {
            n if n % 2 == 1 => Ok(n.div_ceil(2)),
            _ => Err(self.bad()),
        }
    }
}
/// How many bytes strtod would take.
fn number_length(b: &[u8]) -> usize {
    let sign = usize::from(matches!(b.first(), Some(b'+' | b'-')));
    let b = &b[sign..];
    for word in ["infinity", "inf", "nan"] {
        if b.len() >= word.len() && b[..word.len()].eq_ignore_ascii_case(word.as_bytes()) {
            return sign + word.len();
        }
    }
    let digits = |b: &[u8]| b.iter().take_while(|c| c.is_ascii_digit()).count();
    let whole = digits(b);
    let mut n = whole;
    let mut fraction = 0;
    if b.get(n) == Some(&b'.') {
        fraction = digits(&b[n + 1..]);
        if whole + fraction > 0 {
            n += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return 0;
    }
    if matches!(b.get(n), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(b.get(n + 1), Some(b'+' | b'-')));
        let exponent = digits(&b[(n + 1 + signed).min(b.len())..]);
        if exponent > 0 {
            n += 1 + signed + exponent;
        }
    }
    sign + n
}

/// The input functions: a value's bytes.
pub fn parse(s: &str, ty: Oid) -> Result<Vec<u8>> {
    match ty {
        oid::POINT => {
            let mut r = Reader::new(s, "point");
            let p = r.pair()?;
            r.end()?;
            Ok(p.pack())
        }
        oid::LSEG => {
            let mut r = Reader::new(s, "lseg");
            let (_, p) = r.points(2, true)?;
            r.end()?;
            Ok([p[0], p[1]].pack())
        }
        oid::BOX => {
            let mut r = Reader::new(s, "box");
            let (_, p) = r.points(2, false)?;
            r.end()?;
            Ok(Rect::new(p[0], p[1]).pack())
        }
        oid::LINE => parse_line(s).map(|l| l.pack()),
        oid::CIRCLE => parse_circle(s).map(|c| c.pack()),
        oid::POLYGON => {
            let mut r = Reader::new(s, "polygon");
            let n = r.count()?;
            let (_, points) = r.points(n, false)?;
            r.end()?;
            Ok(Polygon { points }.pack())
        }
        oid::PATH => parse_path(s).map(|p| p.pack()),
        _ => Err(Error::internal("no geometric type")),
    }
}
fn parse_path(s: &str) -> Result<Path> {
    let mut r = Reader::new(s, "path");
    let n = r.count()?;
    r.spaces();
    let around = r.peek() == Some(b'(') && r.last(b'(');
    r.at += usize::from(around);
    let (open, points) = r.points(n, true)?;
    if around {
        r.want(b')')?;
        r.spaces();
    }
    r.end()?;
    Ok(Path { closed: !open, points })
}
fn parse_line(s: &str) -> Result<Line> {
    let mut r = Reader::new(s, "line");
    r.spaces();
    if r.take(b'{') {
        let a = r.number()?;
        r.want(b',')?;
        let b = r.number()?;
        r.want(b',')?;
        let c = r.number()?;
        r.want(b'}')?;
        r.spaces();
        r.end()?;
        if float::zero(a) && float::zero(b) {
            bail!(INVALID_TEXT_REPRESENTATION, "invalid line specification: A and B cannot both be zero");
        }
        return Ok(Line { a, b, c });
    }
    let (_, p) = r.points(2, true)?;
    r.end()?;
    if p[0].same(&p[1]) {
        bail!(INVALID_TEXT_REPRESENTATION, "invalid line specification: must be two distinct points");
    }
    Line::through(&p[0], p[0].slope(&p[1])?)
}
fn parse_circle(s: &str) -> Result<Circle> {
    let mut r = Reader::new(s, "circle");
    r.spaces();
    let mut depth = 0;
    if r.take(b'<') {
        depth += 1;
    } else if r.peek() == Some(b'(') {
        let next = r.behind();
        if s.as_bytes().get(next) == Some(&b'(') {
            depth += 1;
            r.at = next;
        }
    }
    let center = r.pair()?;
    r.take(b',');
    let radius = r.number()?;
    if radius < 0.0 {
        return Err(r.bad());
    }
    while depth > 0 {
        if !(r.take(b')') || r.take(b'>')) {
            return Err(r.bad());
        }
        depth -= 1;
        r.spaces();
    }
    r.end()?;
    Ok(Circle { center, radius })
}

/// The output functions, of a value's bytes.
pub fn format(b: &[u8], ty: Oid, digits: i32, out: &mut Vec<u8>) {
    let number = |v: f64, out: &mut Vec<u8>| number_text::format_f64(v, digits, out);
    let pair = |p: &Point, out: &mut Vec<u8>| {
        number(p.x, out);
        out.push(b',');
        number(p.y, out);
    };
    let list = |p: &[Point], marks: Option<(u8, u8)>, out: &mut Vec<u8>| {
        out.extend(marks.map(|m| m.0));
        for (i, p) in p.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.push(b'(');
            pair(p, out);
            out.push(b')');
        }
        out.extend(marks.map(|m| m.1));
    };
    match ty {
        oid::POINT => list(Point::unpack(b).as_slice(), None, out),
        oid::LSEG => list(super::Lseg::unpack(b).as_ref().map_or(&[], |v| v), Some((b'[', b']')), out),
        oid::BOX => list(&Rect::unpack(b).map_or_else(Vec::new, |r| vec![r.high, r.low]), None, out),
        oid::LINE => {
            if let Some(l) = Line::unpack(b) {
                out.push(b'{');
                number(l.a, out);
                out.push(b',');
                number(l.b, out);
                out.push(b',');
                number(l.c, out);
                out.push(b'}');
            }
        }
        oid::CIRCLE => {
            if let Some(c) = Circle::unpack(b) {
                out.push(b'<');
                list(&[c.center], None, out);
                out.push(b',');
                number(c.radius, out);
                out.push(b'>');
            }
        }
        oid::POLYGON => {
            if let Some(p) = Polygon::unpack(b) {
                list(&p.points, Some((b'(', b')')), out);
            }
        }
        _ => {
            if let Some(p) = Path::unpack(b) {
                list(&p.points, Some(if p.closed { (b'(', b')') } else { (b'[', b']') }), out);
            }
        }
    }
}
