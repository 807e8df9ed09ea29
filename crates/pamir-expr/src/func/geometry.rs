//! Functions and operators of points, segments, lines, boxes, paths, polygons and circles (geo_ops.c).
//!
//! What two shapes are to each other is said by [`pamir_types::geometry`]; here are PostgreSQL's names for it.
use super::registry::{OWN_OIDS, OwnRow, STRICT, bad_args, funcs};
use super::*;
use pamir_types::geometry::float::{self, add, mul, sub};
use pamir_types::geometry::shape::Segment;
use pamir_types::geometry::{Circle, Line, Lseg, Path, Point, Polygon, Rect, Shape};
use pamir_types::oid;

fn pack(s: impl Shape) -> Result<Datum> {
    Ok(Datum::Bytea(s.pack().into()))
}
fn maybe(s: Option<impl Shape>) -> Result<Datum> {
    s.map_or(Ok(Datum::Null), pack)
}
fn shape<S: Shape>(d: &Datum) -> Result<S> {
    match d {
        Datum::Bytea(b) => S::unpack(b),
        _ => None,
    }
    .ok_or_else(|| bad_args("geometric function", std::slice::from_ref(d)))
}
fn one<A: Shape>(args: &[Datum], f: impl FnOnce(A) -> Result<Datum>) -> Result<Datum> {
    match args {
        [a] => f(shape(a)?),
        _ => Err(bad_args("geometric function", args)),
    }
}
fn two<A: Shape, B: Shape>(args: &[Datum], f: impl FnOnce(A, B) -> Result<Datum>) -> Result<Datum> {
    match args {
        [a, b] => f(shape(a)?, shape(b)?),
        _ => Err(bad_args("geometric operator", args)),
    }
}
fn truth(v: bool) -> Result<Datum> {
    Ok(Datum::Bool(v))
}
fn holds(v: Result<bool>) -> Result<Datum> {
    v.map(Datum::Bool)
}
fn number(v: Result<f64>) -> Result<Datum> {
    v.map(Datum::Float8)
}
fn points(a: &[Datum], f: fn(&Point, &Point) -> bool) -> Result<Datum> {
    two(a, |a: Point, b: Point| truth(f(&a, &b)))
}
fn moved(a: &[Datum], f: fn(&Point, &Point) -> Result<Point>) -> Result<Datum> {
    two(a, |a: Point, b: Point| pack(f(&a, &b)?))
}
fn boxes(a: &[Datum], f: fn(&Rect, &Rect) -> bool) -> Result<Datum> {
    two(a, |a: Rect, b: Rect| truth(f(&a, &b)))
}
fn areas(a: &[Datum], f: fn(f64, f64) -> bool) -> Result<Datum> {
    two(a, |a: Rect, b: Rect| truth(f(a.area()?, b.area()?)))
}
fn moved_box(a: &[Datum], f: fn(&Point, &Point) -> Result<Point>) -> Result<Datum> {
    two(a, |r: Rect, p: Point| pack(Rect { high: f(&r.high, &p)?, low: f(&r.low, &p)? }))
}
/// Turned and scaled, its corners may be others.
fn turned_box(a: &[Datum], f: fn(&Point, &Point) -> Result<Point>) -> Result<Datum> {
    two(a, |r: Rect, p: Point| pack(Rect::new(f(&r.high, &p)?, f(&r.low, &p)?)))
}
fn moved_path(a: &[Datum], f: fn(&Point, &Point) -> Result<Point>) -> Result<Datum> {
    two(a, |t: Path, p: Point| pack(t.each(|q| f(q, &p))?))
}
fn segments(a: &[Datum], f: fn(f64, f64) -> bool) -> Result<Datum> {
    two(a, |a: Lseg, b: Lseg| truth(f(a.length()?, b.length()?)))
}
fn counts(a: &[Datum], f: fn(&usize, &usize) -> bool) -> Result<Datum> {
    two(a, |a: Path, b: Path| truth(f(&a.points.len(), &b.points.len())))
}
fn bounds(a: &[Datum], f: fn(&Rect, &Rect) -> bool) -> Result<Datum> {
    two(a, |a: Polygon, b: Polygon| truth(f(&a.bounds(), &b.bounds())))
}
fn circle_areas(a: &[Datum], f: fn(f64, f64) -> bool) -> Result<Datum> {
    two(a, |a: Circle, b: Circle| truth(f(a.area()?, b.area()?)))
}
/// A relation of two circles' ends on one axis; an end is the centre with the radius added or taken away.
fn ends(
    a: &[Datum],
    axis: fn(&Point) -> f64,
    first: fn(f64, f64) -> Result<f64>,
    second: fn(f64, f64) -> Result<f64>,
    f: fn(f64, f64) -> bool,
) -> Result<Datum> {
    two(a, |a: Circle, b: Circle| truth(f(first(axis(&a.center), a.radius)?, second(axis(&b.center), b.radius)?)))
}
fn x(p: &Point) -> f64 {
    p.x
}
fn y(p: &Point) -> f64 {
    p.y
}
fn path_add(a: Path, b: Path) -> Result<Datum> {
    if a.closed || b.closed {
        return Ok(Datum::Null);
    }
    pack(Path { closed: false, points: [a.points, b.points].concat() })
}
fn found((d, p): (f64, Point)) -> Result<Datum> {
    if d.is_nan() { Ok(Datum::Null) } else { pack(p) }
}
fn circle_polygon(args: &[Datum]) -> Result<Datum> {
    match args {
        [Datum::Int4(n), c] => pack(shape::<Circle>(c)?.polygon(*n)?),
        _ => Err(bad_args("circle_poly", args)),
    }
}
fn around(args: &[Datum]) -> Result<Datum> {
    match args {
        [p, Datum::Float8(radius)] => pack(Circle { center: shape(p)?, radius: *radius }),
        _ => Err(bad_args("cr_circle", args)),
    }
}
fn corners(r: &Rect) -> Polygon {
    let [low, high] = [r.low, r.high];
    Polygon { points: vec![low, Point { x: low.x, y: high.y }, high, Point { x: high.x, y: low.y }] }
}
/// From a circle's edge to a polygon.
fn circle_to_polygon(c: &Circle, p: &Polygon) -> Result<f64> {
    let d = sub(p.distance_to(&c.center)?, c.radius)?;
    Ok(if d < 0.0 { 0.0 } else { d })
}
fn parallel(a: &Lseg, b: &Lseg) -> Result<bool> {
    Ok(float::eq(a.slope()?, b.slope()?))
}
/// close_lseg: of the second segment the point nearest to the first.
fn close_segments(a: Lseg, b: Lseg) -> Result<Datum> {
    if a.slope()? == b.slope()? {
        return Ok(Datum::Null);
    }
    found(b.nearest_to(&a)?)
}
fn close_line(l: Line, s: Lseg) -> Result<Datum> {
    if s.slope()? == l.slope()? {
        return Ok(Datum::Null);
    }
    found(s.nearest_to_line(&l)?)
}

/// A subscript: the numbers of a point or line, the points of a segment or box; NULL for one that is not there.
fn part(args: &[Datum], width: usize, point: bool) -> Result<Datum> {
    let [Datum::Bytea(b), Datum::Int4(i)] = args else { return Err(bad_args("geometric_part", args)) };
    let from = usize::try_from(*i).ok().and_then(|i| i.checked_mul(width));
    let Some(part) = from.and_then(|from| b.get(from..from + width)) else { return Ok(Datum::Null) };
    match part.first_chunk::<8>() {
        Some(v) if !point => Ok(Datum::Float8(f64::from_be_bytes(*v))),
        _ => Ok(Datum::Bytea(part.into())),
    }
}
const fn part_of<const N: Oid>(args: &'static [Oid], ret: Oid, body: Body) -> OwnRow {
    OwnRow { oid: OWN_OIDS + 260 + N, name: "geometric_part", args, ret, flags: STRICT, body }
}
/// What subscripts call.
pub static OWN: &[OwnRow] = &[
    part_of::<0>(&[oid::POINT, oid::INT4], oid::FLOAT8, Body::scalar(|_, a, _| part(a, 8, false))),
    part_of::<1>(&[oid::LINE, oid::INT4], oid::FLOAT8, Body::scalar(|_, a, _| part(a, 8, false))),
    part_of::<2>(&[oid::LSEG, oid::INT4], oid::POINT, Body::scalar(|_, a, _| part(a, 16, true))),
    part_of::<3>(&[oid::BOX, oid::INT4], oid::POINT, Body::scalar(|_, a, _| part(a, 16, true))),
];

funcs! { pub FUNCS {
    construct_point (x: Float8, y: Float8) => pack(Point { x: *x, y: *y });
    point_left raw = |_, a, _| points(a, |a, b| float::lt(a.x, b.x));
    point_right raw = |_, a, _| points(a, |a, b| float::gt(a.x, b.x));
    point_above raw = |_, a, _| points(a, |a, b| float::gt(a.y, b.y));
    point_below raw = |_, a, _| points(a, |a, b| float::lt(a.y, b.y));
    point_vert raw = |_, a, _| points(a, |a, b| float::eq(a.x, b.x));
    point_horiz raw = |_, a, _| points(a, |a, b| float::eq(a.y, b.y));
    point_eq raw = |_, a, _| points(a, |a, b| a.same(b));
    point_ne raw = |_, a, _| points(a, |a, b| !a.same(b));
    point_distance raw = |_, a, _| two(a, |a: Point, b: Point| number(a.distance(&b)));
    point_slope raw = |_, a, _| two(a, |a: Point, b: Point| number(a.slope(&b)));
    point_add raw = |_, a, _| moved(a, Point::plus);
    point_sub raw = |_, a, _| moved(a, Point::minus);
    point_mul raw = |_, a, _| moved(a, Point::times);
    point_div raw = |_, a, _| moved(a, Point::over);
    point_box raw = |_, a, _| one(a, |p: Point| pack(Rect { high: p, low: p }));
    points_box raw = |_, a, _| two(a, |a: Point, b: Point| pack(Rect::new(a, b)));
    lseg_construct raw = |_, a, _| two(a, |a: Point, b: Point| pack([a, b]));
    line_construct_pp raw = |_, a, _| two(a, |a: Point, b: Point| pack(Line::of_points(&a, &b)?));

    lseg_eq raw = |_, a, _| two(a, |a: Lseg, b: Lseg| truth(a[0].same(&b[0]) && a[1].same(&b[1])));
    lseg_ne raw = |_, a, _| two(a, |a: Lseg, b: Lseg| truth(!a[0].same(&b[0]) || !a[1].same(&b[1])));
    lseg_lt raw = |_, a, _| segments(a, float::lt);
    lseg_le raw = |_, a, _| segments(a, float::le);
    lseg_gt raw = |_, a, _| segments(a, float::gt);
    lseg_ge raw = |_, a, _| segments(a, float::ge);
    lseg_length raw = |_, a, _| one(a, |s: Lseg| number(s.length()));
    lseg_center raw = |_, a, _| one(a, |s: Lseg| pack(s[0].middle(&s[1])?));
    lseg_distance raw = |_, a, _| two(a, |a: Lseg, b: Lseg| number(a.nearest_to(&b).map(|n| n.0)));
    lseg_interpt raw = |_, a, _| two(a, |a: Lseg, b: Lseg| maybe(a.meets(&b)?));
    lseg_intersect raw = |_, a, _| two(a, |a: Lseg, b: Lseg| holds(a.meets(&b).map(|p| p.is_some())));
    lseg_parallel raw = |_, a, _| two(a, |a: Lseg, b: Lseg| holds(parallel(&a, &b)));
    lseg_perp raw = |_, a, _| two(a, |a: Lseg, b: Lseg| truth(float::eq(a.slope()?, b[0].inverse_slope(&b[1])?)));
    lseg_vertical raw = |_, a, _| one(a, |s: Lseg| truth(float::eq(s[0].x, s[1].x)));
    lseg_horizontal raw = |_, a, _| one(a, |s: Lseg| truth(float::eq(s[0].y, s[1].y)));

    line_eq raw = |_, a, _| two(a, |a: Line, b: Line| holds(a.same(&b)));
    line_distance raw = |_, a, _| two(a, |a: Line, b: Line| number(a.distance(&b)));
    line_interpt raw = |_, a, _| two(a, |a: Line, b: Line| maybe(a.meets(&b)?));
    line_intersect raw = |_, a, _| two(a, |a: Line, b: Line| holds(a.meets(&b).map(|p| p.is_some())));
    line_parallel raw = |_, a, _| two(a, |a: Line, b: Line| holds(a.meets(&b).map(|p| p.is_none())));
    line_perp raw = |_, a, _| two(a, |a: Line, b: Line| holds(a.is_perpendicular(&b)));
    line_vertical raw = |_, a, _| one(a, |l: Line| truth(float::zero(l.b)));
    line_horizontal raw = |_, a, _| one(a, |l: Line| truth(float::zero(l.a)));

    box_same raw = |_, a, _| boxes(a, |a, b| a.high.same(&b.high) && a.low.same(&b.low));
    box_overlap raw = |_, a, _| boxes(a, Rect::overlaps);
    box_contain raw = |_, a, _| boxes(a, Rect::contains);
    box_contained raw = |_, a, _| boxes(a, |a, b| b.contains(a));
    box_left raw = |_, a, _| boxes(a, |a, b| float::lt(a.high.x, b.low.x));
    box_overleft raw = |_, a, _| boxes(a, |a, b| float::le(a.high.x, b.high.x));
    box_right raw = |_, a, _| boxes(a, |a, b| float::gt(a.low.x, b.high.x));
    box_overright raw = |_, a, _| boxes(a, |a, b| float::ge(a.low.x, b.low.x));
    box_below raw = |_, a, _| boxes(a, |a, b| float::lt(a.high.y, b.low.y));
    box_overbelow raw = |_, a, _| boxes(a, |a, b| float::le(a.high.y, b.high.y));
    box_above raw = |_, a, _| boxes(a, |a, b| float::gt(a.low.y, b.high.y));
    box_overabove raw = |_, a, _| boxes(a, |a, b| float::ge(a.low.y, b.low.y));
    box_below_eq raw = |_, a, _| boxes(a, |a, b| float::le(a.high.y, b.low.y));
    box_above_eq raw = |_, a, _| boxes(a, |a, b| float::ge(a.low.y, b.high.y));
    box_lt raw = |_, a, _| areas(a, float::lt);
    box_le raw = |_, a, _| areas(a, float::le);
    box_eq raw = |_, a, _| areas(a, float::eq);
    box_ge raw = |_, a, _| areas(a, float::ge);
    box_gt raw = |_, a, _| areas(a, float::gt);
    box_area raw = |_, a, _| one(a, |r: Rect| number(r.area()));
    box_width raw = |_, a, _| one(a, |r: Rect| number(r.width()));
    box_height raw = |_, a, _| one(a, |r: Rect| number(r.height()));
    box_center raw = |_, a, _| one(a, |r: Rect| pack(r.center()?));
    box_diagonal raw = |_, a, _| one(a, |r: Rect| pack([r.high, r.low]));
    box_distance raw = |_, a, _| two(a, |a: Rect, b: Rect| number(a.center()?.distance(&b.center()?)));
    box_intersect raw = |_, a, _| two(a, |a: Rect, b: Rect| maybe(a.intersection(&b)));
    boxes_bound_box raw = |_, a, _| two(a, |a: Rect, b: Rect| pack(a.bound(&b)));
    box_contain_pt raw = |_, a, _| two(a, |r: Rect, p: Point| truth(r.contains_point(&p)));
    box_add raw = |_, a, _| moved_box(a, Point::plus);
    box_sub raw = |_, a, _| moved_box(a, Point::minus);
    box_mul raw = |_, a, _| turned_box(a, Point::times);
    box_div raw = |_, a, _| turned_box(a, Point::over);
    box_poly raw = |_, a, _| one(a, |r: Rect| pack(corners(&r)));
    box_circle raw = |_, a, _| one(a, |r: Rect| pack(Circle::around(&r)?));

    on_pb raw = |_, a, _| two(a, |p: Point, r: Rect| truth(r.contains_point(&p)));
    on_pl raw = |_, a, _| two(a, |p: Point, l: Line| holds(l.contains(&p)));
    on_ps raw = |_, a, _| two(a, |p: Point, s: Lseg| holds(s.contains(&p)));
    on_ppath raw = |_, a, _| two(a, |p: Point, t: Path| holds(t.contains(&p)));
    path_contain_pt_1426 raw = |_, a, _| two(a, |t: Path, p: Point| holds(t.contains(&p)));
    on_sl raw = |_, a, _| two(a, |s: Lseg, l: Line| truth(l.contains(&s[0])? && l.contains(&s[1])?));
    on_sb raw = |_, a, _| two(a, |s: Lseg, r: Rect| truth(r.contains_point(&s[0]) && r.contains_point(&s[1])));
    inter_sl raw = |_, a, _| two(a, |s: Lseg, l: Line| holds(s.meets_line(&l).map(|p| p.is_some())));
    inter_lb raw = |_, a, _| two(a, |l: Line, r: Rect| holds(r.meets_line(&l)));
    inter_sb raw = |_, a, _| two(a, |s: Lseg, r: Rect| holds(r.meets(&s).map(|p| p.is_some())));
    dist_pl raw = |_, a, _| two(a, |p: Point, l: Line| number(l.nearest(&p).map(|n| n.0)));
    dist_lp raw = |_, a, _| two(a, |l: Line, p: Point| number(l.nearest(&p).map(|n| n.0)));
    dist_ps raw = |_, a, _| two(a, |p: Point, s: Lseg| number(s.nearest(&p).map(|n| n.0)));
    dist_sp raw = |_, a, _| two(a, |s: Lseg, p: Point| number(s.nearest(&p).map(|n| n.0)));
    dist_pb raw = |_, a, _| two(a, |p: Point, r: Rect| number(r.nearest(&p).map(|n| n.0)));
    dist_bp raw = |_, a, _| two(a, |r: Rect, p: Point| number(r.nearest(&p).map(|n| n.0)));
    dist_sl raw = |_, a, _| two(a, |s: Lseg, l: Line| number(s.nearest_to_line(&l).map(|n| n.0)));
    dist_ls raw = |_, a, _| two(a, |l: Line, s: Lseg| number(s.nearest_to_line(&l).map(|n| n.0)));
    dist_sb raw = |_, a, _| two(a, |s: Lseg, r: Rect| number(r.nearest_to(&s).map(|n| n.0)));
    dist_bs raw = |_, a, _| two(a, |r: Rect, s: Lseg| number(r.nearest_to(&s).map(|n| n.0)));
    dist_ppath raw = |_, a, _| two(a, |p: Point, t: Path| number(t.distance_to(&p)));
    dist_pathp raw = |_, a, _| two(a, |t: Path, p: Point| number(t.distance_to(&p)));
    dist_ppoly raw = |_, a, _| two(a, |p: Point, g: Polygon| number(g.distance_to(&p)));
    dist_polyp raw = |_, a, _| two(a, |g: Polygon, p: Point| number(g.distance_to(&p)));
    dist_pc raw = |_, a, _| two(a, |p: Point, c: Circle| number(c.distance_to(&p)));
    dist_cpoint raw = |_, a, _| two(a, |c: Circle, p: Point| number(c.distance_to(&p)));
    dist_cpoly raw = |_, a, _| two(a, |c: Circle, g: Polygon| number(circle_to_polygon(&c, &g)));
    dist_polyc raw = |_, a, _| two(a, |g: Polygon, c: Circle| number(circle_to_polygon(&c, &g)));
    close_pl raw = |_, a, _| two(a, |p: Point, l: Line| found(l.nearest(&p)?));
    close_ps raw = |_, a, _| two(a, |p: Point, s: Lseg| found(s.nearest(&p)?));
    close_pb raw = |_, a, _| two(a, |p: Point, r: Rect| found(r.nearest(&p)?));
    close_sb raw = |_, a, _| two(a, |s: Lseg, r: Rect| found(r.nearest_to(&s)?));
    close_ls raw = |_, a, _| two(a, close_line);
    close_lseg raw = |_, a, _| two(a, close_segments);

    path_n_lt raw = |_, a, _| counts(a, usize::lt);
    path_n_le raw = |_, a, _| counts(a, usize::le);
    path_n_eq raw = |_, a, _| counts(a, usize::eq);
    path_n_ge raw = |_, a, _| counts(a, usize::ge);
    path_n_gt raw = |_, a, _| counts(a, usize::gt);
    path_area raw = |_, a, _| one(a, |t: Path| Ok(t.area()?.into()));
    path_length raw = |_, a, _| one(a, |t: Path| number(t.length()));
    path_distance raw = |_, a, _| two(a, |a: Path, b: Path| Ok(a.distance(&b)?.into()));
    path_inter raw = |_, a, _| two(a, |a: Path, b: Path| holds(a.meets(&b)));
    path_isclosed raw = |_, a, _| one(a, |t: Path| truth(t.closed));
    path_isopen raw = |_, a, _| one(a, |t: Path| truth(!t.closed));
    path_npoints raw = |_, a, _| one(a, |t: Path| Ok(Datum::Int4(t.points.len() as i32)));
    path_close raw = |_, a, _| one(a, |t: Path| pack(Path { closed: true, ..t }));
    path_open raw = |_, a, _| one(a, |t: Path| pack(Path { closed: false, ..t }));
    path_add raw = |_, a, _| two(a, path_add);
    path_add_pt raw = |_, a, _| moved_path(a, Point::plus);
    path_sub_pt raw = |_, a, _| moved_path(a, Point::minus);
    path_mul_pt raw = |_, a, _| moved_path(a, Point::times);
    path_div_pt raw = |_, a, _| moved_path(a, Point::over);
    path_poly raw = |_, a, _| one(a, |t: Path| pack(t.polygon()?));

    poly_same raw = |_, a, _| two(a, |a: Polygon, b: Polygon| holds(a.same(&b)));
    poly_contain raw = |_, a, _| two(a, |a: Polygon, b: Polygon| holds(a.contains(&b)));
    poly_contained raw = |_, a, _| two(a, |a: Polygon, b: Polygon| holds(b.contains(&a)));
    poly_overlap raw = |_, a, _| two(a, |a: Polygon, b: Polygon| holds(a.overlaps(&b)));
    poly_contain_pt raw = |_, a, _| two(a, |g: Polygon, p: Point| holds(g.contains_point(&p)));
    pt_contained_poly raw = |_, a, _| two(a, |p: Point, g: Polygon| holds(g.contains_point(&p)));
    poly_left raw = |_, a, _| bounds(a, |a, b| a.high.x < b.low.x);
    poly_overleft raw = |_, a, _| bounds(a, |a, b| a.high.x <= b.high.x);
    poly_right raw = |_, a, _| bounds(a, |a, b| a.low.x > b.high.x);
    poly_overright raw = |_, a, _| bounds(a, |a, b| a.low.x >= b.low.x);
    poly_below raw = |_, a, _| bounds(a, |a, b| a.high.y < b.low.y);
    poly_overbelow raw = |_, a, _| bounds(a, |a, b| a.high.y <= b.high.y);
    poly_above raw = |_, a, _| bounds(a, |a, b| a.low.y > b.high.y);
    poly_overabove raw = |_, a, _| bounds(a, |a, b| a.low.y >= b.low.y);
    poly_distance raw = |_, a, _| two(a, |a: Polygon, b: Polygon| Ok(a.distance(&b)?.into()));
    poly_npoints raw = |_, a, _| one(a, |g: Polygon| Ok(Datum::Int4(g.points.len() as i32)));
    poly_center raw = |_, a, _| one(a, |g: Polygon| pack(g.circle()?.center));
    poly_box raw = |_, a, _| one(a, |g: Polygon| pack(g.bounds()));
    poly_path raw = |_, a, _| one(a, |g: Polygon| pack(Path { closed: true, points: g.points }));
    poly_circle raw = |_, a, _| one(a, |g: Polygon| pack(g.circle()?));

    cr_circle raw = |_, a, _| around(a);
    circle_poly raw = |_, a, _| circle_polygon(a);
    polygon_1544 raw = |_, a, _| one(a, |c: Circle| pack(c.polygon(12)?));
    circle_box raw = |_, a, _| one(a, |c: Circle| pack(c.rect()?));
    circle_center raw = |_, a, _| one(a, |c: Circle| pack(c.center));
    circle_radius raw = |_, a, _| one(a, |c: Circle| number(Ok(c.radius)));
    circle_diameter raw = |_, a, _| one(a, |c: Circle| number(mul(c.radius, 2.0)));
    circle_area raw = |_, a, _| one(a, |c: Circle| number(c.area()));
    circle_same raw = |_, a, _| two(a, |a: Circle, b: Circle| truth(a.same(&b)));
    circle_overlap raw = |_, a, _| two(a, |a: Circle, b: Circle| holds(a.overlaps(&b)));
    circle_contain raw = |_, a, _| two(a, |a: Circle, b: Circle| holds(a.contains(&b)));
    circle_contained raw = |_, a, _| two(a, |a: Circle, b: Circle| holds(b.contains(&a)));
    circle_contain_pt raw = |_, a, _| two(a, |c: Circle, p: Point| holds(c.contains_point(&p)));
    pt_contained_circle raw = |_, a, _| two(a, |p: Point, c: Circle| holds(c.contains_point(&p)));
    circle_distance raw = |_, a, _| two(a, |a: Circle, b: Circle| number(a.distance(&b)));
    circle_left raw = |_, a, _| ends(a, x, add, sub, float::lt);
    circle_overleft raw = |_, a, _| ends(a, x, add, add, float::le);
    circle_right raw = |_, a, _| ends(a, x, sub, add, float::gt);
    circle_overright raw = |_, a, _| ends(a, x, sub, sub, float::ge);
    circle_below raw = |_, a, _| ends(a, y, add, sub, float::lt);
    circle_overbelow raw = |_, a, _| ends(a, y, add, add, float::le);
    circle_above raw = |_, a, _| ends(a, y, sub, add, float::gt);
    circle_overabove raw = |_, a, _| ends(a, y, sub, sub, float::ge);
    circle_eq raw = |_, a, _| circle_areas(a, float::eq);
    circle_ne raw = |_, a, _| circle_areas(a, float::ne);
    circle_lt raw = |_, a, _| circle_areas(a, float::lt);
    circle_le raw = |_, a, _| circle_areas(a, float::le);
    circle_gt raw = |_, a, _| circle_areas(a, float::gt);
    circle_ge raw = |_, a, _| circle_areas(a, float::ge);
    circle_add_pt raw = |_, a, _| two(a, |c: Circle, p: Point| pack(Circle { center: c.center.plus(&p)?, ..c }));
    circle_sub_pt raw = |_, a, _| two(a, |c: Circle, p: Point| pack(Circle { center: c.center.minus(&p)?, ..c }));
    circle_mul_pt raw = |_, a, _| two(a, |c: Circle, p: Point| pack(c.times(&p)?));
    circle_div_pt raw = |_, a, _| two(a, |c: Circle, p: Point| pack(c.over(&p)?));
} }
