//! Points and what is made of them: point, lseg, line, box, path, polygon, circle (geo_ops.c).
//!
//! In memory a value is [`crate::Datum::Bytea`] of PostgreSQL's binary format, so it is stored, sent and measured as bytes are; no order of values is that of
//! the bytes, and none is needed: none of the types has an operator class for B-trees or hashes.
//!
//! ```text
//! point      x y                        f64 each, most significant byte first
//! lseg       x y x y
//! box        x y x y                    upper right corner, lower left one
//! line       a b c                      ax + by + c = 0
//! circle     x y r
//! polygon    count i32 | x y ...
//! path       closed u8 | count i32 | x y ...
//! ```
//!
//! - [`float`]: arithmetic that refuses what overflows, and comparisons that forgive [`float::EPSILON`].
//! - [`io`]: text. [`shape`]: lines, segments, boxes, what is nearest to what. [`area`]: paths, polygons, circles.
//!
//! Invariants: a box's first corner is above and right of its second one; a line's a and b are not both zero; a path or polygon has a point at least.
pub mod area;
pub mod float;
pub mod io;
pub mod shape;

use crate::{Error, Oid, Result, bail, err, oid};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}
pub type Lseg = [Point; 2];
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    pub high: Point,
    pub low: Point,
}
#[derive(Clone, Debug)]
pub struct Path {
    pub closed: bool,
    pub points: Vec<Point>,
}
#[derive(Clone, Debug)]
pub struct Polygon {
    pub points: Vec<Point>,
}
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    pub center: Point,
    pub radius: f64,
}

/// Is it one of these types?
#[inline]
pub fn is_geometric(ty: Oid) -> bool {
    matches!(ty, oid::POINT | oid::LSEG | oid::PATH | oid::BOX | oid::POLYGON | oid::LINE | oid::CIRCLE)
}

/// A value and its bytes.
pub trait Shape: Sized {
    /// None for bytes that are no such value.
    fn unpack(b: &[u8]) -> Option<Self>;
    fn pack(&self) -> Vec<u8>;
}

fn numbers<const N: usize>(b: &[u8]) -> Option<[f64; N]> {
    if b.len() != N * 8 {
        return None;
    }
    let mut out = [0.0; N];
    for (v, b) in out.iter_mut().zip(b.chunks_exact(8)) {
        *v = f64::from_be_bytes(b.try_into().ok()?);
    }
    Some(out)
}
fn bytes(v: &[f64]) -> Vec<u8> {
    v.iter().flat_map(|v| v.to_be_bytes()).collect()
}
fn counted(b: &[u8]) -> Option<Vec<Point>> {
    let (n, rest) = b.split_first_chunk::<4>()?;
    let n = usize::try_from(i32::from_be_bytes(*n)).ok()?;
    if n == 0 || n.checked_mul(16) != Some(rest.len()) {
        return None;
    }
    rest.chunks_exact(16).map(Point::unpack).collect()
}
fn put_counted(points: &[Point], out: &mut Vec<u8>) {
    out.extend_from_slice(&(points.len() as i32).to_be_bytes());
    for p in points {
        out.extend_from_slice(&p.x.to_be_bytes());
        out.extend_from_slice(&p.y.to_be_bytes());
    }
}

impl Shape for Point {
    fn unpack(b: &[u8]) -> Option<Point> {
        numbers(b).map(|[x, y]| Point { x, y })
    }
    fn pack(&self) -> Vec<u8> {
        bytes(&[self.x, self.y])
    }
}
impl Shape for Lseg {
    fn unpack(b: &[u8]) -> Option<Lseg> {
        numbers(b).map(|[x, y, u, v]| [Point { x, y }, Point { x: u, y: v }])
    }
    fn pack(&self) -> Vec<u8> {
        bytes(&[self[0].x, self[0].y, self[1].x, self[1].y])
    }
}
impl Shape for Rect {
    fn unpack(b: &[u8]) -> Option<Rect> {
        numbers(b).map(|[x, y, u, v]| Rect { high: Point { x, y }, low: Point { x: u, y: v } })
    }
    fn pack(&self) -> Vec<u8> {
        bytes(&[self.high.x, self.high.y, self.low.x, self.low.y])
    }
}
impl Shape for Line {
    fn unpack(b: &[u8]) -> Option<Line> {
        numbers(b).map(|[a, b, c]| Line { a, b, c })
    }
    fn pack(&self) -> Vec<u8> {
        bytes(&[self.a, self.b, self.c])
    }
}
impl Shape for Circle {
    fn unpack(b: &[u8]) -> Option<Circle> {
        numbers(b).map(|[x, y, radius]| Circle { center: Point { x, y }, radius })
    }
    fn pack(&self) -> Vec<u8> {
        bytes(&[self.center.x, self.center.y, self.radius])
    }
}
impl Shape for Polygon {
    fn unpack(b: &[u8]) -> Option<Polygon> {
        counted(b).map(|points| Polygon { points })
    }
    fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + self.points.len() * 16);
        put_counted(&self.points, &mut out);
        out
    }
}
impl Shape for Path {
    fn unpack(b: &[u8]) -> Option<Path> {
        let (closed, rest) = b.split_first()?;
        Some(Path { closed: *closed != 0, points: counted(rest)? })
    }
    fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(5 + self.points.len() * 16);
        out.push(u8::from(self.closed));
        put_counted(&self.points, &mut out);
        out
    }
}

/// Are they bytes of a value of the type?
pub fn fits(b: &[u8], ty: Oid) -> bool {
    let counted = |b: &[u8]| {
        b.split_first_chunk::<4>().is_some_and(|(n, rest)| {
            let n = i32::from_be_bytes(*n);
            n > 0 && rest.len() == n as usize * 16
        })
    };
    match ty {
        oid::POINT => b.len() == 16,
        oid::LSEG | oid::BOX => b.len() == 32,
        oid::LINE | oid::CIRCLE => b.len() == 24,
        oid::POLYGON => counted(b),
        oid::PATH => b.split_first().is_some_and(|(_, rest)| counted(rest)),
        _ => false,
    }
}

/// The receive functions: what a client sends becomes a value's bytes.
pub fn decode(b: &[u8], ty: Oid) -> Result<Vec<u8>> {
    #[cold]
    fn short() -> Error {
        err!(PROTOCOL_VIOLATION, "insufficient data left in message")
    }
    #[cold]
    fn leftover() -> Error {
        err!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format in bind parameter")
    }
    let fixed = |n: usize| match b.len() {
        l if l < n => Err(short()),
        l if l > n => Err(leftover()),
        _ => Ok(()),
    };
    match ty {
        oid::POINT => fixed(16)?,
        oid::LSEG => fixed(32)?,
        oid::BOX => {
            fixed(32)?;
            let r = Rect::unpack(b).ok_or_else(short)?;
            return Ok(Rect::new(r.high, r.low).pack());
        }
        oid::LINE => {
            fixed(24)?;
            let l = Line::unpack(b).ok_or_else(short)?;
            if float::zero(l.a) && float::zero(l.b) {
                bail!(INVALID_BINARY_REPRESENTATION, "invalid line specification: A and B cannot both be zero");
            }
        }
        oid::CIRCLE => {
            fixed(24)?;
            if Circle::unpack(b).is_some_and(|c| c.radius < 0.0) {
                bail!(INVALID_BINARY_REPRESENTATION, "invalid radius in external \"circle\" value");
            }
        }
        _ => {
            let (skip, name) = if ty == oid::PATH { (1, "path") } else { (0, "polygon") };
            let Some((n, rest)) = b.get(skip..).and_then(|b| b.split_first_chunk::<4>()) else { return Err(short()) };
            let n = i32::from_be_bytes(*n);
            if n <= 0 || n >= (i32::MAX - 64) / 16 {
                bail!(INVALID_BINARY_REPRESENTATION, "invalid number of points in external \"{name}\" value");
            }
            match rest.len().cmp(&(n as usize * 16)) {
                std::cmp::Ordering::Less => return Err(short()),
                std::cmp::Ordering::Greater => return Err(leftover()),
                _ => {}
            }
            let mut out = b.to_vec();
            if skip == 1 {
                out[0] = u8::from(out[0] != 0);
            }
            return Ok(out);
        }
    }
    Ok(b.to_vec())
}
