# Points and what is made of them.

> select '(1,2)'::point, '0,0'::point, '(-10.5,5.25)'::point, '(1e-300,-1e-300)'::point, '(1e+300,Infinity)'::point, 'NaN,0'::point, '( 10 , 10 )'::point
point:point | point:point | point:point | point:point | point:point | point:point | point:point
(1,2) | (0,0) | (-10.5,5.25) | (1e-300,-1e-300) | (1e+300,Infinity) | (NaN,0) | (10,10)
SELECT 1

> select '[(1,2),(3,4)]'::lseg, '(0,0),(6,6)'::lseg, '((10,-10),(-3,-4))'::lseg, '-1e6,2e2,3e5,-4e1'::lseg, '[(0,0),(0,20)]'::lseg, '[(11,22),(33,44)]'::lseg
lseg:lseg | lseg:lseg | lseg:lseg | lseg:lseg | lseg:lseg | lseg:lseg
[(1,2),(3,4)] | [(0,0),(6,6)] | [(10,-10),(-3,-4)] | [(-1000000,200),(300000,-40)] | [(0,0),(0,20)] | [(11,22),(33,44)]
SELECT 1

> select '{0,-1,5}'::line, '{1,0,5}'::line, '[(1,3),(2,3)]'::line, '(0,0),(6,6)'::line, '{3,NaN,5}'::line, '10,-10,-5,-4'::line, '{-1,0,-3}'::line
line:line | line:line | line:line | line:line | line:line | line:line | line:line
{0,-1,5} | {1,0,5} | {0,-1,3} | {1,-1,0} | {3,NaN,5} | {-0.4,-1,-6} | {-1,0,-3}
SELECT 1

> select '(2.0,2.0,0.0,0.0)'::box, '(1.0,1.0,3.0,3.0)'::box, '((-8, 2), (-2, -10))'::box, '(2.5, 2.5, 2.5,3.5)'::box, '(3.0, 3.0,3.0,3.0)'::box
box:box | box:box | box:box | box:box | box:box
(2,2),(0,0) | (3,3),(1,1) | (-2,2),(-8,-10) | (2.5,3.5),(2.5,2.5) | (3,3),(3,3)
SELECT 1

> select '[(1,2),(3,4)]'::path, '((1,2),(3,4))'::path, '[(0,0),(3,0),(4,5),(1,6)]'::path, '((1,2) ,(3,4 ))'::path, '1,2 ,3,4 '::path, '[1,2,3, 4]'::path, '((10,20))'::path, '[11,12,13,14]'::path
path:path | path:path | path:path | path:path | path:path | path:path | path:path | path:path
[(1,2),(3,4)] | ((1,2),(3,4)) | [(0,0),(3,0),(4,5),(1,6)] | ((1,2),(3,4)) | ((1,2),(3,4)) | [(1,2),(3,4)] | ((10,20)) | [(11,12),(13,14)]
SELECT 1

> select '(2.0,0.0),(2.0,4.0),(0.0,0.0)'::polygon, '(3.0,1.0),(3.0,3.0),(1.0,0.0)'::polygon, '(1,2),(3,4),(5,6),(7,8)'::polygon, '(7,8),(5,6),(3,4),(1,2)'::polygon, '(1,2),(7,8),(5,6),(3,-4)'::polygon, '(0.0,0.0)'::polygon, '(0.0,1.0),(0.0,1.0)'::polygon
polygon:polygon | polygon:polygon | polygon:polygon | polygon:polygon | polygon:polygon | polygon:polygon | polygon:polygon
((2,0),(2,4),(0,0)) | ((3,1),(3,3),(1,0)) | ((1,2),(3,4),(5,6),(7,8)) | ((7,8),(5,6),(3,4),(1,2)) | ((1,2),(7,8),(5,6),(3,-4)) | ((0,0)) | ((0,1),(0,1))
SELECT 1

> select '<(5,1),3>'::circle, '((1,2),100)'::circle, ' 1 , 3 , 5 '::circle, ' ( ( 1 , 2 ) , 3 )'::circle, '<(100,200),10>'::circle, ' < ( 100 , 1 ) , 115 > '::circle, '<(3,5),0>'::circle
circle:circle | circle:circle | circle:circle | circle:circle | circle:circle | circle:circle | circle:circle
<(5,1),3> | <(1,2),100> | <(1,3),5> | <(1,2),3> | <(100,200),10> | <(100,1),115> | <(3,5),0>
SELECT 1

> select '(1,2'::point
ERROR 22P02: invalid input syntax for type point: "(1,2"

> select '1,2)'::point
ERROR 22P02: invalid input syntax for type point: "1,2)"

> select '(1 2)'::point
ERROR 22P02: invalid input syntax for type point: "(1 2)"

> select ''::point
ERROR 22P02: invalid input syntax for type point: ""

> select 'asdfasdf'::point
ERROR 22P02: invalid input syntax for type point: "asdfasdf"

> select '(1e400,0)'::point
ERROR 22003: "1e400" is out of range for type double precision

> select '(1,)'::point
ERROR 22P02: invalid input syntax for type point: "(1,)"

> select '(3asdf,2 ,3,4r2)'::lseg
ERROR 22P02: invalid input syntax for type lseg: "(3asdf,2 ,3,4r2)"

> select '[1,2,3, 4'::lseg
ERROR 22P02: invalid input syntax for type lseg: "[1,2,3, 4"

> select '[(,2),(3,4)]'::lseg
ERROR 22P02: invalid input syntax for type lseg: "[(,2),(3,4)]"

> select '[(1,2),(3,4)'::lseg
ERROR 22P02: invalid input syntax for type lseg: "[(1,2),(3,4)"

> select '{}'::line
ERROR 22P02: invalid input syntax for type line: "{}"

> select '{0'::line
ERROR 22P02: invalid input syntax for type line: "{0"

> select '{0,0}'::line
ERROR 22P02: invalid input syntax for type line: "{0,0}"

> select '{0,0,1'::line
ERROR 22P02: invalid input syntax for type line: "{0,0,1"

> select '{0,0,1}'::line
ERROR 22P02: invalid line specification: A and B cannot both be zero

> select '{0,0,1} x'::line
ERROR 22P02: invalid input syntax for type line: "{0,0,1} x"

> select '(3asdf,2 ,3,4r2)'::line
ERROR 22P02: invalid input syntax for type line: "(3asdf,2 ,3,4r2)"

> select '[1,2,3, 4'::line
ERROR 22P02: invalid input syntax for type line: "[1,2,3, 4"

> select '[(1,2),(1,2)]'::line
ERROR 22P02: invalid line specification: must be two distinct points

> select '(2.3, 4.5)'::box
ERROR 22P02: invalid input syntax for type box: "(2.3, 4.5)"

> select '[1, 2, 3, 4)'::box
ERROR 22P02: invalid input syntax for type box: "[1, 2, 3, 4)"

> select '(1, 2, 3, 4]'::box
ERROR 22P02: invalid input syntax for type box: "(1, 2, 3, 4]"

> select '(1, 2, 3, 4) x'::box
ERROR 22P02: invalid input syntax for type box: "(1, 2, 3, 4) x"

> select 'asdfasdf(ad'::box
ERROR 22P02: invalid input syntax for type box: "asdfasdf(ad"

> select '[]'::path
ERROR 22P02: invalid input syntax for type path: "[]"

> select '[(,2),(3,4)]'::path
ERROR 22P02: invalid input syntax for type path: "[(,2),(3,4)]"

> select '[(1,2),(3,4)'::path
ERROR 22P02: invalid input syntax for type path: "[(1,2),(3,4)"

> select '(1,2,3,4'::path
ERROR 22P02: invalid input syntax for type path: "(1,2,3,4"

> select '0.0'::polygon
ERROR 22P02: invalid input syntax for type polygon: "0.0"

> select '(0.0 0.0'::polygon
ERROR 22P02: invalid input syntax for type polygon: "(0.0 0.0"

> select '(0,1,2)'::polygon
ERROR 22P02: invalid input syntax for type polygon: "(0,1,2)"

> select '(0,1,2,3'::polygon
ERROR 22P02: invalid input syntax for type polygon: "(0,1,2,3"

> select 'asdf'::polygon
ERROR 22P02: invalid input syntax for type polygon: "asdf"

> select '<(-100,0),-100>'::circle
ERROR 22P02: invalid input syntax for type circle: "<(-100,0),-100>"

> select '<(100,200),10'::circle
ERROR 22P02: invalid input syntax for type circle: "<(100,200),10"

> select '<(100,200),10> x'::circle
ERROR 22P02: invalid input syntax for type circle: "<(100,200),10> x"

> select '1abc,3,5'::circle
ERROR 22P02: invalid input syntax for type circle: "1abc,3,5"

> select '(3,(1,2),3)'::circle
ERROR 22P02: invalid input syntax for type circle: "(3,(1,2),3)"

> create table g_point (n serial, f point)
CREATE TABLE

> insert into g_point (f) values ('(1,2)'), ('0,0'), ('(-10.5,5.25)'), ('(1e-300,-1e-300)'), ('(1e+300,Infinity)'), ('NaN,0'), ('( 10 , 10 )')
INSERT 0 7

> create table g_lseg (n serial, f lseg)
CREATE TABLE

> insert into g_lseg (f) values ('[(1,2),(3,4)]'), ('(0,0),(6,6)'), ('((10,-10),(-3,-4))'), ('-1e6,2e2,3e5,-4e1'), ('[(0,0),(0,20)]'), ('[(11,22),(33,44)]')
INSERT 0 6

> create table g_line (n serial, f line)
CREATE TABLE

> insert into g_line (f) values ('{0,-1,5}'), ('{1,0,5}'), ('[(1,3),(2,3)]'), ('(0,0),(6,6)'), ('{3,NaN,5}'), ('10,-10,-5,-4'), ('{-1,0,-3}')
INSERT 0 7

> create table g_box (n serial, f box)
CREATE TABLE

> insert into g_box (f) values ('(2.0,2.0,0.0,0.0)'), ('(1.0,1.0,3.0,3.0)'), ('((-8, 2), (-2, -10))'), ('(2.5, 2.5, 2.5,3.5)'), ('(3.0, 3.0,3.0,3.0)')
INSERT 0 5

> create table g_path (n serial, f path)
CREATE TABLE

> insert into g_path (f) values ('[(1,2),(3,4)]'), ('((1,2),(3,4))'), ('[(0,0),(3,0),(4,5),(1,6)]'), ('((1,2) ,(3,4 ))'), ('1,2 ,3,4 '), ('[1,2,3, 4]'), ('((10,20))'), ('[11,12,13,14]')
INSERT 0 8

> create table g_polygon (n serial, f polygon)
CREATE TABLE

> insert into g_polygon (f) values ('(2.0,0.0),(2.0,4.0),(0.0,0.0)'), ('(3.0,1.0),(3.0,3.0),(1.0,0.0)'), ('(1,2),(3,4),(5,6),(7,8)'), ('(7,8),(5,6),(3,4),(1,2)'), ('(1,2),(7,8),(5,6),(3,-4)'), ('(0.0,0.0)'), ('(0.0,1.0),(0.0,1.0)')
INSERT 0 7

> create table g_circle (n serial, f circle)
CREATE TABLE

> insert into g_circle (f) values ('<(5,1),3>'), ('((1,2),100)'), (' 1 , 3 , 5 '), (' ( ( 1 , 2 ) , 3 )'), ('<(100,200),10>'), (' < ( 100 , 1 ) , 115 > '), ('<(3,5),0>')
INSERT 0 7

> select a.n, b.n, a.f # b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:box
1 | 1 | (2,2),(0,0)
1 | 2 | (2,2),(1,1)
1 | 3 | NULL
1 | 4 | NULL
1 | 5 | NULL
2 | 1 | (2,2),(1,1)
2 | 2 | (3,3),(1,1)
2 | 3 | NULL
2 | 4 | (2.5,3),(2.5,2.5)
2 | 5 | (3,3),(3,3)
3 | 1 | NULL
3 | 2 | NULL
3 | 3 | (-2,2),(-8,-10)
3 | 4 | NULL
3 | 5 | NULL
4 | 1 | NULL
4 | 2 | (2.5,3),(2.5,2.5)
4 | 3 | NULL
4 | 4 | (2.5,3.5),(2.5,2.5)
4 | 5 | NULL
5 | 1 | NULL
5 | 2 | (3,3),(3,3)
5 | 3 | NULL
5 | 4 | NULL
5 | 5 | (3,3),(3,3)
SELECT 25

> select a.n, b.n, a.f # b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | NULL
1 | 2 | (-5,5)
1 | 3 | NULL
1 | 4 | (5,5)
1 | 5 | (NaN,NaN)
2 | 1 | (-5,5)
2 | 2 | NULL
2 | 3 | (-5,3)
2 | 4 | (-5,-5)
2 | 5 | (NaN,NaN)
3 | 1 | NULL
3 | 2 | (-5,3)
3 | 3 | NULL
3 | 4 | (3,3)
3 | 5 | (NaN,NaN)
4 | 1 | (5,5)
4 | 2 | (-5,-5)
4 | 3 | (3,3)
4 | 4 | NULL
4 | 5 | (NaN,NaN)
5 | 1 | (NaN,NaN)
5 | 2 | (NaN,NaN)
5 | 3 | (NaN,NaN)
5 | 4 | (NaN,NaN)
5 | 5 | (NaN,NaN)
SELECT 25

> select a.n, b.n, a.f # b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | NULL
1 | 2 | NULL
1 | 3 | NULL
1 | 4 | NULL
1 | 5 | NULL
2 | 1 | NULL
2 | 2 | NULL
2 | 3 | NULL
2 | 4 | NULL
2 | 5 | (0,0)
3 | 1 | NULL
3 | 2 | NULL
3 | 3 | NULL
3 | 4 | NULL
3 | 5 | NULL
4 | 1 | NULL
4 | 2 | NULL
4 | 3 | NULL
4 | 4 | NULL
4 | 5 | (0,15.384615384615387)
5 | 1 | NULL
5 | 2 | (0,0)
5 | 3 | NULL
5 | 4 | (0,15.384615384615387)
5 | 5 | NULL
SELECT 25

> select n, # f as x from g_path order by n
n:int4 | x:int4
1 | 2
2 | 2
3 | 4
4 | 2
5 | 2
6 | 2
7 | 1
8 | 2
SELECT 8

> select n, # f as x from g_polygon order by n
n:int4 | x:int4
1 | 3
2 | 3
3 | 4
4 | 4
5 | 4
6 | 1
7 | 2
SELECT 7

> select a.n, b.n, a.f ## b.f as x from g_line a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (3,4)
1 | 2 | (5,5)
1 | 3 | (-3,-4)
1 | 4 | (56250.000000000015,5)
1 | 5 | (0,5)
2 | 1 | (1,2)
2 | 2 | (0,0)
2 | 3 | (-3,-4)
2 | 4 | (-5,15.385538461538463)
2 | 5 | NULL
3 | 1 | (2,3)
3 | 2 | (3,3)
3 | 3 | (-3,-4)
3 | 4 | (67083.33333333334,3.0000000000000018)
3 | 5 | (0,3)
4 | 1 | NULL
4 | 2 | NULL
4 | 3 | (-3,-4)
4 | 4 | (15.381775672183599,15.381775672183599)
4 | 5 | (0,0)
5 | 1 | NULL
5 | 2 | NULL
5 | 3 | NULL
5 | 4 | NULL
5 | 5 | NULL
SELECT 25

> select a.n, b.n, a.f ## b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (1,2)
1 | 2 | (1.5,2.5)
1 | 3 | (-2,2)
1 | 4 | (2.25,3.25)
1 | 5 | (3,3)
2 | 1 | (1,1)
2 | 2 | (2,2)
2 | 3 | (-2,0)
2 | 4 | (2.75,2.75)
2 | 5 | (3,3)
3 | 1 | (0,0)
3 | 2 | (1,1)
3 | 3 | (-3,-4)
3 | 4 | (2.5,2.5)
3 | 5 | (3,3)
4 | 1 | (2,2)
4 | 2 | (3,3)
4 | 3 | (-2,2)
4 | 4 | (2.5,3.5)
4 | 5 | (3,3)
5 | 1 | (0,1)
5 | 2 | (1,1)
5 | 3 | (-2,2)
5 | 4 | (2.5,2.5)
5 | 5 | (3,3)
SELECT 25

> select a.n, b.n, a.f ## b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | NULL
1 | 2 | NULL
1 | 3 | (-1.9853658536585364,-4.468292682926829)
1 | 4 | (3.002101672827777,15.384061150460402)
1 | 5 | (0,2)
2 | 1 | NULL
2 | 2 | NULL
2 | 3 | (-2.048780487804878,-4.439024390243902)
2 | 4 | (6.001732339822614,15.383507372491112)
2 | 5 | (0,0)
3 | 1 | (1,2)
3 | 2 | (0,0)
3 | 3 | NULL
3 | 4 | (-2.9964211996486028,15.385168570067629)
3 | 5 | (0,0)
4 | 1 | (3,4)
4 | 2 | (6,6)
4 | 3 | (-3,-4)
4 | 4 | NULL
4 | 5 | (0,15.384615384615387)
5 | 1 | (1,2)
5 | 2 | (0,0)
5 | 3 | (-2.048780487804878,-4.439024390243902)
5 | 4 | (0,15.384615384615387)
5 | 5 | NULL
SELECT 25

> select a.n, b.n, a.f ## b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (1,2)
1 | 2 | (1,2)
1 | 3 | (-2,2)
1 | 4 | (2.5,2.5)
1 | 5 | (3,3)
2 | 1 | (0,0)
2 | 2 | (1,1)
2 | 3 | (-2,0)
2 | 4 | (2.5,2.5)
2 | 5 | (3,3)
3 | 1 | (0,2)
3 | 2 | (1,3)
3 | 3 | (-8,2)
3 | 4 | (2.5,3.5)
3 | 5 | (3,3)
4 | 1 | (0,0)
4 | 2 | (1,1)
4 | 3 | (-2,-1e-300)
4 | 4 | (2.5,2.5)
4 | 5 | (3,3)
5 | 1 | (0,2)
5 | 2 | (1,3)
5 | 3 | (-8,2)
5 | 4 | (2.5,3.5)
5 | 5 | (3,3)
SELECT 25

> select a.n, b.n, a.f ## b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (1,5)
1 | 2 | (-5,2)
1 | 3 | (1,3)
1 | 4 | (1.5,1.5)
1 | 5 | NULL
2 | 1 | (0,5)
2 | 2 | (-5,0)
2 | 3 | (0,3)
2 | 4 | (0,0)
2 | 5 | NULL
3 | 1 | (-10.5,5)
3 | 2 | (-5,5.25)
3 | 3 | (-10.5,3)
3 | 4 | (-2.625,-2.625)
3 | 5 | NULL
4 | 1 | (1e-300,5)
4 | 2 | (-5,-1e-300)
4 | 3 | (1e-300,3)
4 | 4 | (0,0)
4 | 5 | NULL
5 | 1 | (1e+300,5)
5 | 2 | NULL
5 | 3 | (1e+300,3)
5 | 4 | (Infinity,NaN)
5 | 5 | NULL
SELECT 25

> select a.n, b.n, a.f ## b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (1,2)
1 | 2 | (1.5,1.5)
1 | 3 | (-1.9853658536585364,-4.468292682926829)
1 | 4 | (1.0024709717501017,15.384430313051372)
1 | 5 | (0,2)
2 | 1 | (1,2)
2 | 2 | (0,0)
2 | 3 | (-2.048780487804878,-4.439024390243902)
2 | 4 | (0.0028402365895872027,15.384614860264016)
2 | 5 | (0,0)
3 | 1 | (1,2)
3 | 2 | (0,0)
3 | 3 | (-3,-4)
3 | 4 | (-10.498128636276798,15.386553500671315)
3 | 5 | (0,5.25)
4 | 1 | (1,2)
4 | 2 | (0,0)
4 | 3 | (-2.048780487804878,-4.439024390243902)
4 | 4 | (0.0028402365895872027,15.384614860264016)
4 | 5 | (0,0)
5 | 1 | (3,4)
5 | 2 | (6,6)
5 | 3 | (-3,-4)
5 | 4 | (300000,-40)
5 | 5 | (0,20)
SELECT 25

> select a.n, b.n, a.f && b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f && b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f && b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &< b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &< b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &< b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &<| b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &<| b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | t
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &<| b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f &> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f * b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:box
1 | 1 | (0,6),(-2,0)
1 | 3 | (-0,0),(-31.5,-10.5)
2 | 1 | (-1,9),(-3,3)
2 | 3 | (-15.75,-5.25),(-47.25,-15.75)
3 | 1 | (12,-2),(-6,-26)
3 | 3 | (136.5,63),(10.5,-31.5)
4 | 1 | (-2.5,8.5),(-4.5,7.5)
4 | 3 | (-39.375,-13.125),(-44.625,-23.625)
5 | 1 | (-3,9),(-3,9)
5 | 3 | (-47.25,-15.75),(-47.25,-15.75)
SELECT 10

> select a.n, b.n, a.f * b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:circle
1 | 1 | <(3,11),6.708203932499369>
1 | 3 | <(-57.75,15.75),35.21807064562169>
2 | 1 | <(-3,4),223.60679774997897>
2 | 3 | <(-21,-15.75),1173.9356881873896>
3 | 1 | <(-5,5),11.180339887498949>
3 | 3 | <(-26.25,-26.25),58.69678440936948>
4 | 1 | <(-3,4),6.708203932499369>
4 | 3 | <(-21,-15.75),35.21807064562169>
5 | 1 | <(-300,400),22.360679774997898>
5 | 3 | <(-2100,-1575),117.39356881873896>
SELECT 10

> select a.n, b.n, a.f * b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:path
1 | 1 | [(-3,4),(-5,10)]
1 | 3 | [(-21,-15.75),(-52.5,-26.25)]
2 | 1 | ((-3,4),(-5,10))
2 | 3 | ((-21,-15.75),(-52.5,-26.25))
3 | 1 | [(0,0),(3,6),(-6,13),(-11,8)]
3 | 3 | [(-0,0),(-31.5,15.75),(-68.25,-31.5),(-42,-57.75)]
4 | 1 | ((-3,4),(-5,10))
4 | 3 | ((-21,-15.75),(-52.5,-26.25))
5 | 1 | ((-3,4),(-5,10))
5 | 3 | ((-21,-15.75),(-52.5,-26.25))
SELECT 10

> select a.n, b.n, a.f * b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (-3,4)
1 | 3 | (-21,-15.75)
2 | 1 | (0,0)
2 | 3 | (-0,0)
3 | 1 | (-21,-15.75)
3 | 3 | (82.6875,-110.25)
4 | 1 | (3e-300,1e-300)
4 | 3 | (-5.25e-300,1.5750000000000001e-299)
5 | 1 | (-Infinity,Infinity)
5 | 3 | (-Infinity,-Infinity)
SELECT 10

> select a.n, b.n, a.f + b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:box
1 | 1 | (3,4),(1,2)
1 | 3 | (-8.5,7.25),(-10.5,5.25)
2 | 1 | (4,5),(2,3)
2 | 3 | (-7.5,8.25),(-9.5,6.25)
3 | 1 | (-1,4),(-7,-8)
3 | 3 | (-12.5,7.25),(-18.5,-4.75)
4 | 1 | (3.5,5.5),(3.5,4.5)
4 | 3 | (-8,8.75),(-8,7.75)
5 | 1 | (4,5),(4,5)
5 | 3 | (-7.5,8.25),(-7.5,8.25)
SELECT 10

> select a.n, b.n, a.f + b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:circle
1 | 1 | <(6,3),3>
1 | 3 | <(-5.5,6.25),3>
2 | 1 | <(2,4),100>
2 | 3 | <(-9.5,7.25),100>
3 | 1 | <(2,5),5>
3 | 3 | <(-9.5,8.25),5>
4 | 1 | <(2,4),3>
4 | 3 | <(-9.5,7.25),3>
5 | 1 | <(101,202),10>
5 | 3 | <(89.5,205.25),10>
SELECT 10

> select a.n, b.n, a.f + b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:path
1 | 1 | [(1,2),(3,4),(1,2),(3,4)]
1 | 2 | NULL
1 | 3 | [(1,2),(3,4),(0,0),(3,0),(4,5),(1,6)]
1 | 4 | NULL
1 | 5 | NULL
2 | 1 | NULL
2 | 2 | NULL
2 | 3 | NULL
2 | 4 | NULL
2 | 5 | NULL
3 | 1 | [(0,0),(3,0),(4,5),(1,6),(1,2),(3,4)]
3 | 2 | NULL
3 | 3 | [(0,0),(3,0),(4,5),(1,6),(0,0),(3,0),(4,5),(1,6)]
3 | 4 | NULL
3 | 5 | NULL
4 | 1 | NULL
4 | 2 | NULL
4 | 3 | NULL
4 | 4 | NULL
4 | 5 | NULL
5 | 1 | NULL
5 | 2 | NULL
5 | 3 | NULL
5 | 4 | NULL
5 | 5 | NULL
SELECT 25

> select a.n, b.n, a.f + b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:path
1 | 1 | [(2,4),(4,6)]
1 | 3 | [(-9.5,7.25),(-7.5,9.25)]
2 | 1 | ((2,4),(4,6))
2 | 3 | ((-9.5,7.25),(-7.5,9.25))
3 | 1 | [(1,2),(4,2),(5,7),(2,8)]
3 | 3 | [(-10.5,5.25),(-7.5,5.25),(-6.5,10.25),(-9.5,11.25)]
4 | 1 | ((2,4),(4,6))
4 | 3 | ((-9.5,7.25),(-7.5,9.25))
5 | 1 | ((2,4),(4,6))
5 | 3 | ((-9.5,7.25),(-7.5,9.25))
SELECT 10

> select a.n, b.n, a.f + b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (2,4)
1 | 3 | (-9.5,7.25)
2 | 1 | (1,2)
2 | 3 | (-10.5,5.25)
3 | 1 | (-9.5,7.25)
3 | 3 | (-21,10.5)
4 | 1 | (1,2)
4 | 3 | (-10.5,5.25)
5 | 1 | (1e+300,Infinity)
5 | 3 | (1e+300,Infinity)
SELECT 10

> select a.n, b.n, a.f - b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:box
1 | 1 | (1,0),(-1,-2)
1 | 3 | (12.5,-3.25),(10.5,-5.25)
2 | 1 | (2,1),(0,-1)
2 | 3 | (13.5,-2.25),(11.5,-4.25)
3 | 1 | (-3,0),(-9,-12)
3 | 3 | (8.5,-3.25),(2.5,-15.25)
4 | 1 | (1.5,1.5),(1.5,0.5)
4 | 3 | (13,-1.75),(13,-2.75)
5 | 1 | (2,1),(2,1)
5 | 3 | (13.5,-2.25),(13.5,-2.25)
SELECT 10

> select a.n, b.n, a.f - b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:circle
1 | 1 | <(4,-1),3>
1 | 3 | <(15.5,-4.25),3>
2 | 1 | <(0,0),100>
2 | 3 | <(11.5,-3.25),100>
3 | 1 | <(0,1),5>
3 | 3 | <(11.5,-2.25),5>
4 | 1 | <(0,0),3>
4 | 3 | <(11.5,-3.25),3>
5 | 1 | <(99,198),10>
5 | 3 | <(110.5,194.75),10>
SELECT 10

> select a.n, b.n, a.f - b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:path
1 | 1 | [(0,0),(2,2)]
1 | 3 | [(11.5,-3.25),(13.5,-1.25)]
2 | 1 | ((0,0),(2,2))
2 | 3 | ((11.5,-3.25),(13.5,-1.25))
3 | 1 | [(-1,-2),(2,-2),(3,3),(0,4)]
3 | 3 | [(10.5,-5.25),(13.5,-5.25),(14.5,-0.25),(11.5,0.75)]
4 | 1 | ((0,0),(2,2))
4 | 3 | ((11.5,-3.25),(13.5,-1.25))
5 | 1 | ((0,0),(2,2))
5 | 3 | ((11.5,-3.25),(13.5,-1.25))
SELECT 10

> select a.n, b.n, a.f - b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (0,0)
1 | 3 | (11.5,-3.25)
2 | 1 | (-1,-2)
2 | 3 | (10.5,-5.25)
3 | 1 | (-11.5,3.25)
3 | 3 | (0,0)
4 | 1 | (-1,-2)
4 | 3 | (10.5,-5.25)
5 | 1 | (1e+300,Infinity)
5 | 3 | (1e+300,Infinity)
SELECT 10

> select a.n, b.n, a.f / b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:box
1 | 1 | (1.2,0),(0,-0.4)
1 | 3 | (0,-0),(-0.0761904761904762,-0.22857142857142856)
2 | 1 | (1.8,-0.2),(0.6,-0.6)
2 | 3 | (-0.0380952380952381,-0.11428571428571428),(-0.11428571428571428,-0.34285714285714286)
3 | 1 | (0.4,1.2),(-5.6,1.2)
3 | 3 | (0.22857142857142856,1.0666666666666667),(0.22857142857142856,-0.0761904761904762)
4 | 1 | (1.9,-0.3),(1.5,-0.5)
4 | 3 | (-0.05714285714285714,-0.2857142857142857),(-0.09523809523809523,-0.3619047619047619)
5 | 1 | (1.8,-0.6),(1.8,-0.6)
5 | 3 | (-0.11428571428571428,-0.34285714285714286),(-0.11428571428571428,-0.34285714285714286)
SELECT 10

> select a.n, b.n, a.f / b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:circle
1 | 1 | <(1.4,-1.8),1.3416407864998738>
1 | 3 | <(-0.34285714285714286,-0.26666666666666666),0.25555062599997597>
2 | 1 | <(1,0),44.72135954999579>
2 | 3 | <(0,-0.19047619047619047),8.5183541999992>
3 | 1 | <(1.4,0.2),2.23606797749979>
3 | 3 | <(0.0380952380952381,-0.26666666666666666),0.42591770999996>
4 | 1 | <(1,0),1.3416407864998738>
4 | 3 | <(0,-0.19047619047619047),0.25555062599997597>
5 | 1 | <(100,0),4.47213595499958>
5 | 3 | <(0,-19.047619047619047),0.85183541999992>
SELECT 10

> select a.n, b.n, a.f / b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:path
1 | 1 | [(1,0),(2.2,-0.4)]
1 | 3 | [(0,-0.19047619047619047),(-0.0761904761904762,-0.41904761904761906)]
2 | 1 | ((1,0),(2.2,-0.4))
2 | 3 | ((0,-0.19047619047619047),(-0.0761904761904762,-0.41904761904761906))
3 | 1 | [(0,0),(0.6,-1.2),(2.8,-0.6),(2.6,0.8)]
3 | 3 | [(0,-0),(-0.22857142857142856,-0.11428571428571428),(-0.11428571428571428,-0.5333333333333333),(0.1523809523809524,-0.49523809523809526)]
4 | 1 | ((1,0),(2.2,-0.4))
4 | 3 | ((0,-0.19047619047619047),(-0.0761904761904762,-0.41904761904761906))
5 | 1 | ((1,0),(2.2,-0.4))
5 | 3 | ((0,-0.19047619047619047),(-0.0761904761904762,-0.41904761904761906))
SELECT 10

> select a.n, b.n, a.f / b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and b.n in (1, 3) order by 1, 2
n:int4 | n:int4 | x:point
1 | 1 | (1,0)
1 | 3 | (0,-0.19047619047619047)
2 | 1 | (0,0)
2 | 3 | (0,-0)
3 | 1 | (0,5.25)
3 | 3 | (1,0)
4 | 1 | (-2e-301,-6.000000000000001e-301)
4 | 3 | (-1.142857142857143e-301,3.8095238095238095e-302)
5 | 1 | (Infinity,Infinity)
5 | 3 | (Infinity,-Infinity)
SELECT 10

> select a.n, b.n, a.f < b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f < b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | f
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | f
3 | 5 | t
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f < b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f < b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | t
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 1.4142135623730951
1 | 3 | 7.810249675906656
1 | 4 | 2.5
1 | 5 | 2.8284271247461903
2 | 1 | 1.4142135623730951
2 | 2 | 0
2 | 3 | 9.219544457292887
2 | 4 | 1.118033988749895
2 | 5 | 1.4142135623730951
3 | 1 | 7.810249675906656
3 | 2 | 9.219544457292887
3 | 3 | 0
3 | 4 | 10.259142264341596
3 | 5 | 10.63014581273465
4 | 1 | 2.5
4 | 2 | 1.118033988749895
4 | 3 | 10.259142264341596
4 | 4 | 0
4 | 5 | 0.5
5 | 1 | 2.8284271247461903
5 | 2 | 1.4142135623730951
5 | 3 | 10.63014581273465
5 | 4 | 0.5
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 4.889012070387047
1 | 4 | 13.3842459257596
1 | 5 | 0
2 | 1 | 0
2 | 2 | 0
2 | 3 | 6.216029632349246
2 | 4 | 12.384061327419552
2 | 5 | 1
3 | 1 | 3
3 | 2 | 2
3 | 3 | 0
3 | 4 | 13.38498438728548
3 | 5 | 2
4 | 1 | 0
4 | 2 | 0
4 | 3 | 8.206555975292542
4 | 4 | 11.884153643630995
4 | 5 | 2.5
5 | 1 | 0.7071067811865476
5 | 2 | 0
5 | 3 | 8.870064756273642
5 | 4 | 12.384061327419552
5 | 5 | 3
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 10.991473968490304
1 | 4 | 1.4142135623730952e-300
1 | 5 | Infinity
2 | 1 | 0
2 | 2 | 1.4142135623730951
2 | 3 | 11.718041645257966
2 | 4 | 1.4142135623730951
2 | 5 | Infinity
3 | 1 | 3
3 | 2 | 2
3 | 3 | 4.100304866714181
3 | 4 | 2
3 | 5 | Infinity
4 | 1 | 1.5811388300841898
4 | 2 | 3.5355339059327378
4 | 3 | 13.117259622344907
4 | 4 | 3.5355339059327378
4 | 5 | Infinity
5 | 1 | 2.23606797749979
5 | 2 | 4.242640687119286
5 | 3 | 13.686215693170993
5 | 4 | 4.242640687119286
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 0
1 | 4 | 0
1 | 5 | 207.51303816327962
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | 111.3707297724792
3 | 1 | 0
3 | 2 | 0
3 | 3 | 0
3 | 4 | 0
3 | 5 | 205.47675614449702
4 | 1 | 0
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | 208.3707297724792
5 | 1 | 207.51303816327962
5 | 2 | 111.3707297724792
5 | 3 | 205.47675614449702
5 | 4 | 208.3707297724792
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 1.1231056256176606
1 | 2 | 2.0990195135927854
1 | 3 | 13.07210316044543
1 | 4 | 2.0990195135927854
1 | 5 | Infinity
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | Infinity
3 | 1 | 0
3 | 2 | 0
3 | 3 | 6.718041645257966
3 | 4 | 0
3 | 5 | Infinity
4 | 1 | 0
4 | 2 | 0
4 | 3 | 8.950418402717121
4 | 4 | 0
4 | 5 | Infinity
5 | 1 | 211.3707297724792
5 | 2 | 213.60679774997897
5 | 3 | 213.9147438200531
5 | 4 | 213.60679774997897
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 0.5355339059327378
1 | 4 | 0.5355339059327378
1 | 5 | 0
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | 0
3 | 1 | 0
3 | 2 | 0
3 | 3 | 0
3 | 4 | 0
3 | 5 | 0
4 | 1 | 0
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | 0
5 | 1 | 209.1346617949794
5 | 2 | 209.58597405116748
5 | 3 | 203.33776037073233
5 | 4 | 203.33776037073233
5 | 5 | 203.33776037073233
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 2
1 | 4 | 0
1 | 5 | 0
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | 0
3 | 1 | 2
3 | 2 | 0
3 | 3 | 0
3 | 4 | 0
3 | 5 | 0
4 | 1 | 0
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | 0
5 | 1 | 0
5 | 2 | 0
5 | 3 | 0
5 | 4 | 0
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 1
1 | 2 | 0
1 | 3 | 9
1 | 4 | 0
1 | 5 | 0
2 | 1 | 6
2 | 2 | 5
2 | 3 | 2
2 | 4 | 0
2 | 5 | 5
3 | 1 | 0
3 | 2 | 0
3 | 3 | 7
3 | 4 | 0
3 | 5 | 0
4 | 1 | 0.7071067811865476
4 | 2 | 0
4 | 3 | 0.7071067811865476
4 | 4 | 0
4 | 5 | 0
5 | 1 | NaN
5 | 2 | NaN
5 | 3 | NaN
5 | 4 | NaN
5 | 5 | NaN
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 3
1 | 2 | 5
1 | 3 | 0.25
1 | 4 | 5
1 | 5 | Infinity
2 | 1 | 6
2 | 2 | 5
2 | 3 | 5.5
2 | 4 | 5
2 | 5 | NaN
3 | 1 | 1
3 | 2 | 3
3 | 3 | 2.25
3 | 4 | 3
3 | 5 | Infinity
4 | 1 | 0.7071067811865476
4 | 2 | 0
4 | 3 | 11.136931803688125
4 | 4 | 1.4142135623730952e-300
4 | 5 | Infinity
5 | 1 | NaN
5 | 2 | NaN
5 | 3 | NaN
5 | 4 | NaN
5 | 5 | NaN
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 3
1 | 4 | 0
1 | 5 | 0.7071067811865476
2 | 1 | 0
2 | 2 | 0
2 | 3 | 2
2 | 4 | 0
2 | 5 | 0
3 | 1 | 4.889012070387047
3 | 2 | 6.216029632349246
3 | 3 | 0
3 | 4 | 8.206555975292542
3 | 5 | 8.870064756273642
4 | 1 | 13.3842459257596
4 | 2 | 12.384061327419552
4 | 3 | 13.38498438728548
4 | 4 | 11.884153643630995
4 | 5 | 12.384061327419552
5 | 1 | 0
5 | 2 | 1
5 | 3 | 2
5 | 4 | 2.5
5 | 5 | 3
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 1
1 | 2 | 6
1 | 3 | 0
1 | 4 | 0.7071067811865476
1 | 5 | NaN
2 | 1 | 0
2 | 2 | 5
2 | 3 | 0
2 | 4 | 0
2 | 5 | NaN
3 | 1 | 9
3 | 2 | 2
3 | 3 | 7
3 | 4 | 0.7071067811865476
3 | 5 | NaN
4 | 1 | 0
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | NaN
5 | 1 | 0
5 | 2 | 5
5 | 3 | 0
5 | 4 | 0
5 | 5 | NaN
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0.7071067811865476
1 | 3 | 7.123989016849697
1 | 4 | 11.38406134446097
1 | 5 | 1
2 | 1 | 0.7071067811865476
2 | 2 | 0
2 | 3 | 4.889012070387047
2 | 4 | 9.383507532399403
2 | 5 | 0
3 | 1 | 7.123989016849697
3 | 2 | 4.889012070387047
3 | 3 | 0
3 | 4 | 19.385168900418428
3 | 5 | 4.889012070387047
4 | 1 | 11.38406134446097
4 | 2 | 9.383507532399403
4 | 3 | 19.385168900418428
4 | 4 | 0
4 | 5 | 0
5 | 1 | 1
5 | 2 | 0
5 | 3 | 4.889012070387047
5 | 4 | 0
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 2.23606797749979
1 | 3 | 11.950418402717121
1 | 4 | 2.23606797749979
1 | 5 | Infinity
2 | 1 | 0.7071067811865476
2 | 2 | 0
2 | 3 | 11.739356881873896
2 | 4 | 1.4142135623730952e-300
2 | 5 | Infinity
3 | 1 | 7.123989016849697
3 | 2 | 4.889012070387047
3 | 3 | 11.908505363814553
3 | 4 | 4.889012070387047
3 | 5 | Infinity
4 | 1 | 13.384430541141072
4 | 2 | 15.3846151224397
4 | 3 | 10.136553673412582
4 | 4 | 15.3846151224397
4 | 5 | Infinity
5 | 1 | 1
5 | 2 | 0
5 | 3 | 10.5
5 | 4 | 1.4142135623730952e-300
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 0.784464540552736
1 | 4 | 0
1 | 5 | 0
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0.784464540552736
2 | 4 | 0
2 | 5 | 0
3 | 1 | 0.784464540552736
3 | 2 | 0.784464540552736
3 | 3 | 0
3 | 4 | 0.784464540552736
3 | 5 | 0.784464540552736
4 | 1 | 0
4 | 2 | 0
4 | 3 | 0.784464540552736
4 | 4 | 0
4 | 5 | 0
5 | 1 | 0
5 | 2 | 0
5 | 3 | 0.784464540552736
5 | 4 | 0
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 2.23606797749979
1 | 3 | 11.950418402717121
1 | 4 | 2.23606797749979
1 | 5 | Infinity
2 | 1 | 0
2 | 2 | 2.23606797749979
2 | 3 | 11.950418402717121
2 | 4 | 2.23606797749979
2 | 5 | Infinity
3 | 1 | 2
3 | 2 | 0
3 | 3 | 11.52443057161611
3 | 4 | 1.4142135623730952e-300
3 | 5 | Infinity
4 | 1 | 0
4 | 2 | 2.23606797749979
4 | 3 | 11.950418402717121
4 | 4 | 2.23606797749979
4 | 5 | Infinity
5 | 1 | 0
5 | 2 | 2.23606797749979
5 | 3 | 11.950418402717121
5 | 4 | 2.23606797749979
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 3
1 | 4 | 1.5811388300841898
1 | 5 | 2.23606797749979
2 | 1 | 0
2 | 2 | 1.4142135623730951
2 | 3 | 2
2 | 4 | 3.5355339059327378
2 | 5 | 4.242640687119286
3 | 1 | 10.991473968490304
3 | 2 | 11.718041645257966
3 | 3 | 4.100304866714181
3 | 4 | 13.117259622344907
3 | 5 | 13.686215693170993
4 | 1 | 1.4142135623730952e-300
4 | 2 | 1.4142135623730951
4 | 3 | 2
4 | 4 | 3.5355339059327378
4 | 5 | 4.242640687119286
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 1.1231056256176606
1 | 2 | 0
1 | 3 | 0
1 | 4 | 0
1 | 5 | 211.3707297724792
2 | 1 | 2.0990195135927854
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | 213.60679774997897
3 | 1 | 13.07210316044543
3 | 2 | 0
3 | 3 | 6.718041645257966
3 | 4 | 8.950418402717121
3 | 5 | 213.9147438200531
4 | 1 | 2.0990195135927854
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | 213.60679774997897
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 3
1 | 2 | 6
1 | 3 | 1
1 | 4 | 0.7071067811865476
1 | 5 | NaN
2 | 1 | 5
2 | 2 | 5
2 | 3 | 3
2 | 4 | 0
2 | 5 | NaN
3 | 1 | 0.25
3 | 2 | 5.5
3 | 3 | 2.25
3 | 4 | 11.136931803688125
3 | 5 | NaN
4 | 1 | 5
4 | 2 | 5
4 | 3 | 3
4 | 4 | 1.4142135623730952e-300
4 | 5 | NaN
5 | 1 | Infinity
5 | 2 | NaN
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | NaN
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0.7071067811865476
1 | 3 | 7.123989016849697
1 | 4 | 13.384430541141072
1 | 5 | 1
2 | 1 | 2.23606797749979
2 | 2 | 0
2 | 3 | 4.889012070387047
2 | 4 | 15.3846151224397
2 | 5 | 0
3 | 1 | 11.950418402717121
3 | 2 | 11.739356881873896
3 | 3 | 11.908505363814553
3 | 4 | 10.136553673412582
3 | 5 | 10.5
4 | 1 | 2.23606797749979
4 | 2 | 1.4142135623730952e-300
4 | 3 | 4.889012070387047
4 | 4 | 15.3846151224397
4 | 5 | 1.4142135623730952e-300
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 2
1 | 4 | 0
1 | 5 | 0
2 | 1 | 2.23606797749979
2 | 2 | 2.23606797749979
2 | 3 | 0
2 | 4 | 2.23606797749979
2 | 5 | 2.23606797749979
3 | 1 | 11.950418402717121
3 | 2 | 11.950418402717121
3 | 3 | 11.52443057161611
3 | 4 | 11.950418402717121
3 | 5 | 11.950418402717121
4 | 1 | 2.23606797749979
4 | 2 | 2.23606797749979
4 | 3 | 1.4142135623730952e-300
4 | 4 | 2.23606797749979
4 | 5 | 2.23606797749979
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 2.23606797749979
1 | 3 | 11.950418402717121
1 | 4 | 2.23606797749979
1 | 5 | Infinity
2 | 1 | 2.23606797749979
2 | 2 | 0
2 | 3 | 11.739356881873896
2 | 4 | 1.4142135623730952e-300
2 | 5 | Infinity
3 | 1 | 11.950418402717121
3 | 2 | 11.739356881873896
3 | 3 | 0
3 | 4 | 11.739356881873896
3 | 5 | Infinity
4 | 1 | 2.23606797749979
4 | 2 | 1.4142135623730952e-300
4 | 3 | 11.739356881873896
4 | 4 | 0
4 | 5 | Infinity
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | NaN
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 1.1094003924504585
1 | 3 | 0
1 | 4 | 0
1 | 5 | 0
2 | 1 | 0
2 | 2 | 1
2 | 3 | 2.23606797749979
2 | 4 | 2.23606797749979
2 | 5 | 1.5811388300841898
3 | 1 | 11.739356881873896
3 | 2 | 12.641696879770532
3 | 3 | 11.950418402717121
3 | 4 | 11.950418402717121
3 | 5 | 11.950418402717121
4 | 1 | 0
4 | 2 | 1
4 | 3 | 2.23606797749979
4 | 4 | 2.23606797749979
4 | 5 | 1.5811388300841898
5 | 1 | Infinity
5 | 2 | Infinity
5 | 3 | Infinity
5 | 4 | Infinity
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 0
1 | 4 | 0
1 | 5 | 209.1346617949794
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0
2 | 4 | 0
2 | 5 | 209.58597405116748
3 | 1 | 0.5355339059327378
3 | 2 | 0
3 | 3 | 0
3 | 4 | 0
3 | 5 | 203.33776037073233
4 | 1 | 0.5355339059327378
4 | 2 | 0
4 | 3 | 0
4 | 4 | 0
4 | 5 | 203.33776037073233
5 | 1 | 0
5 | 2 | 0
5 | 3 | 0
5 | 4 | 0
5 | 5 | 203.33776037073233
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 11.739356881873896
1 | 4 | 0
1 | 5 | Infinity
2 | 1 | 1.1094003924504585
2 | 2 | 1
2 | 3 | 12.641696879770532
2 | 4 | 1
2 | 5 | Infinity
3 | 1 | 0
3 | 2 | 2.23606797749979
3 | 3 | 11.950418402717121
3 | 4 | 2.23606797749979
3 | 5 | Infinity
4 | 1 | 0
4 | 2 | 2.23606797749979
4 | 3 | 11.950418402717121
4 | 4 | 2.23606797749979
4 | 5 | Infinity
5 | 1 | 0
5 | 2 | 1.5811388300841898
5 | 3 | 11.950418402717121
5 | 4 | 1.5811388300841898
5 | 5 | Infinity
SELECT 25

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:float8
1 | 1 | 0
1 | 2 | 0
1 | 3 | 0
1 | 4 | 0
1 | 5 | 0
2 | 1 | 0
2 | 2 | 0
2 | 3 | 0.7071067811865476
2 | 4 | 0.7071067811865476
2 | 5 | 0
3 | 1 | 0
3 | 2 | 0.7071067811865476
3 | 3 | 0
3 | 4 | 0
3 | 5 | 0
4 | 1 | 0
4 | 2 | 0.7071067811865476
4 | 3 | 0
4 | 4 | 0
4 | 5 | 0
5 | 1 | 0
5 | 2 | 0
5 | 3 | 0
5 | 4 | 0
5 | 5 | 0
SELECT 25

> select a.n, b.n, a.f << b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f << b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f << b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f << b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <<| b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <<| b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <<| b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | t
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <<| b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <= b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <= b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | f
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <> b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | t
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f <@ b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <^ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f <^ b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | t
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f = b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f = b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f = b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f = b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f = b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f > b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f > b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | f
3 | 3 | f
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f > b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f > b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f >= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f >= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f >= b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f >= b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | f
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f >> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f >> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f >> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | t
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f >> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f >^ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f >^ b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_line a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | t
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | f
4 | 5 | t
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | t
5 | 1 | f
5 | 2 | t
5 | 3 | f
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?# b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?- b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select n, ?- f as x from g_line order by n
n:int4 | x:bool
1 | t
2 | f
3 | t
4 | f
5 | f
6 | f
7 | f
SELECT 7

> select n, ?- f as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | f
6 | f
SELECT 6

> select a.n, b.n, a.f ?-| b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?-| b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?| b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select n, ?| f as x from g_line order by n
n:int4 | x:bool
1 | f
2 | t
3 | f
4 | f
5 | f
6 | f
7 | t
SELECT 7

> select n, ?| f as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | t
6 | f
SELECT 6

> select a.n, b.n, a.f ?|| b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ?|| b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select n, @-@ f as x from g_lseg order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 8.485281374238571
3 | 14.317821063276352
4 | 1300000.022153846
5 | 20
6 | 31.112698372208094
SELECT 6

> select n, @-@ f as x from g_path order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 5.656854249492381
3 | 11.261297173761166
4 | 5.656854249492381
5 | 5.656854249492381
6 | 2.8284271247461903
7 | 0
8 | 2.8284271247461903
SELECT 8

> select a.n, b.n, a.f @> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | t
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_polygon a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f @> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select n, @@ f as x from g_box order by n
n:int4 | x:point
1 | (1,1)
2 | (2,2)
3 | (-5,-4)
4 | (2.5,3)
5 | (3,3)
SELECT 5

> select n, @@ f as x from g_circle order by n
n:int4 | x:point
1 | (5,1)
2 | (1,2)
3 | (1,3)
4 | (1,2)
5 | (100,200)
6 | (100,1)
7 | (3,5)
SELECT 7

> select n, @@ f as x from g_lseg order by n
n:int4 | x:point
1 | (2,3)
2 | (3,3)
3 | (3.5,-7)
4 | (-350000,80)
5 | (0,10)
6 | (22,33)
SELECT 6

> select n, @@ f as x from g_polygon order by n
n:int4 | x:point
1 | (1.3333333333333333,1.3333333333333333)
2 | (2.3333333333333335,1.3333333333333333)
3 | (4,5)
4 | (4,5)
5 | (4,3)
6 | (0,0)
7 | (0,1)
SELECT 7

> select a.n, b.n, a.f |&> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | t
2 | 2 | t
2 | 3 | t
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f |&> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | t
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f |&> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | t
1 | 3 | f
1 | 4 | f
1 | 5 | t
2 | 1 | t
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | t
3 | 1 | t
3 | 2 | t
3 | 3 | t
3 | 4 | t
3 | 5 | t
4 | 1 | t
4 | 2 | t
4 | 3 | t
4 | 4 | t
4 | 5 | t
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f |>> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | t
4 | 2 | f
4 | 3 | t
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | f
5 | 3 | t
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f |>> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f |>> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | t
1 | 3 | f
1 | 4 | t
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | t
3 | 2 | t
3 | 3 | f
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | t
5 | 2 | t
5 | 3 | t
5 | 4 | t
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f |>> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | f
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | f
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | f
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | f
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | f
SELECT 25

> select a.n, b.n, a.f ~= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f ~= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f ~= b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | t
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | f
3 | 5 | f
4 | 1 | f
4 | 2 | t
4 | 3 | f
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select a.n, b.n, a.f ~= b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2
n:int4 | n:int4 | x:bool
1 | 1 | t
1 | 2 | f
1 | 3 | f
1 | 4 | f
1 | 5 | f
2 | 1 | f
2 | 2 | t
2 | 3 | f
2 | 4 | f
2 | 5 | f
3 | 1 | f
3 | 2 | f
3 | 3 | t
3 | 4 | t
3 | 5 | f
4 | 1 | f
4 | 2 | f
4 | 3 | t
4 | 4 | t
4 | 5 | f
5 | 1 | f
5 | 2 | f
5 | 3 | f
5 | 4 | f
5 | 5 | t
SELECT 25

> select n, "area"(f) as x from g_box order by n
n:int4 | x:float8
1 | 4
2 | 4
3 | 72
4 | 0
5 | 0
SELECT 5

> select n, "area"(f) as x from g_circle order by n
n:int4 | x:float8
1 | 28.274333882308138
2 | 31415.926535897932
3 | 78.53981633974483
4 | 28.274333882308138
5 | 314.1592653589793
6 | 41547.56284372501
7 | 0
SELECT 7

> select n, "area"(f) as x from g_path order by n
n:int4 | x:float8
1 | NULL
2 | 0
3 | NULL
4 | 0
5 | 0
6 | NULL
7 | 0
8 | NULL
SELECT 8

> select n, "box"(f) as x from g_circle order by n
n:int4 | x:box
1 | (7.121320343559642,3.1213203435596424),(2.8786796564403576,-1.1213203435596424)
2 | (71.71067811865474,72.71067811865474),(-69.71067811865474,-68.71067811865474)
3 | (4.535533905932738,6.535533905932738),(-2.5355339059327373,-0.5355339059327373)
4 | (3.1213203435596424,4.121320343559642),(-1.1213203435596424,-0.12132034355964239)
5 | (107.07106781186548,207.07106781186548),(92.92893218813452,192.92893218813452)
6 | (181.31727983645294,82.31727983645295),(18.682720163547046,-80.31727983645295)
7 | (3,5),(3,5)
SELECT 7

> select n, "box"(f) as x from g_point order by n
n:int4 | x:box
1 | (1,2),(1,2)
2 | (0,0),(0,0)
3 | (-10.5,5.25),(-10.5,5.25)
4 | (1e-300,-1e-300),(1e-300,-1e-300)
5 | (1e+300,Infinity),(1e+300,Infinity)
6 | (NaN,0),(NaN,0)
7 | (10,10),(10,10)
SELECT 7

> select n, "box"(f) as x from g_polygon order by n
n:int4 | x:box
1 | (2,4),(0,0)
2 | (3,3),(1,0)
3 | (7,8),(1,2)
4 | (7,8),(1,2)
5 | (7,8),(1,-4)
6 | (0,0),(0,0)
7 | (0,1),(0,1)
SELECT 7

> select n, "box_center"(f) as x from g_box order by n
n:int4 | x:point
1 | (1,1)
2 | (2,2)
3 | (-5,-4)
4 | (2.5,3)
5 | (3,3)
SELECT 5

> select n, "center"(f) as x from g_box order by n
n:int4 | x:point
1 | (1,1)
2 | (2,2)
3 | (-5,-4)
4 | (2.5,3)
5 | (3,3)
SELECT 5

> select n, "center"(f) as x from g_circle order by n
n:int4 | x:point
1 | (5,1)
2 | (1,2)
3 | (1,3)
4 | (1,2)
5 | (100,200)
6 | (100,1)
7 | (3,5)
SELECT 7

> select n, "circle"(f) as x from g_box order by n
n:int4 | x:circle
1 | <(1,1),1.4142135623730951>
2 | <(2,2),1.4142135623730951>
3 | <(-5,-4),6.708203932499369>
4 | <(2.5,3),0.5>
5 | <(3,3),0>
SELECT 5

> select n, "circle"(f) as x from g_polygon order by n
n:int4 | x:circle
1 | <(1.3333333333333333,1.3333333333333333),2.0416890506363647>
2 | <(2.3333333333333335,1.3333333333333333),1.4753430037918527>
3 | <(4,5),2.8284271247461903>
4 | <(4,5),2.8284271247461903>
5 | <(4,3),4.806643756761884>
6 | <(0,0),0>
7 | <(0,1),0>
SELECT 7

> select n, "circle_center"(f) as x from g_circle order by n
n:int4 | x:point
1 | (5,1)
2 | (1,2)
3 | (1,3)
4 | (1,2)
5 | (100,200)
6 | (100,1)
7 | (3,5)
SELECT 7

> select n, "diagonal"(f) as x from g_box order by n
n:int4 | x:lseg
1 | [(2,2),(0,0)]
2 | [(3,3),(1,1)]
3 | [(-2,2),(-8,-10)]
4 | [(2.5,3.5),(2.5,2.5)]
5 | [(3,3),(3,3)]
SELECT 5

> select n, "diameter"(f) as x from g_circle order by n
n:int4 | x:float8
1 | 6
2 | 200
3 | 10
4 | 6
5 | 20
6 | 230
7 | 0
SELECT 7

> select n, "height"(f) as x from g_box order by n
n:int4 | x:float8
1 | 2
2 | 2
3 | 12
4 | 1
5 | 0
SELECT 5

> select n, "isclosed"(f) as x from g_path order by n
n:int4 | x:bool
1 | f
2 | t
3 | f
4 | t
5 | t
6 | f
7 | t
8 | f
SELECT 8

> select n, "ishorizontal"(f) as x from g_line order by n
n:int4 | x:bool
1 | t
2 | f
3 | t
4 | f
5 | f
6 | f
7 | f
SELECT 7

> select n, "ishorizontal"(f) as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | f
6 | f
SELECT 6

> select n, "isopen"(f) as x from g_path order by n
n:int4 | x:bool
1 | t
2 | f
3 | t
4 | f
5 | f
6 | t
7 | f
8 | t
SELECT 8

> select n, "isvertical"(f) as x from g_line order by n
n:int4 | x:bool
1 | f
2 | t
3 | f
4 | f
5 | f
6 | f
7 | t
SELECT 7

> select n, "isvertical"(f) as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | t
6 | f
SELECT 6

> select n, "length"(f) as x from g_lseg order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 8.485281374238571
3 | 14.317821063276352
4 | 1300000.022153846
5 | 20
6 | 31.112698372208094
SELECT 6

> select n, "length"(f) as x from g_path order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 5.656854249492381
3 | 11.261297173761166
4 | 5.656854249492381
5 | 5.656854249492381
6 | 2.8284271247461903
7 | 0
8 | 2.8284271247461903
SELECT 8

> select n, "line_horizontal"(f) as x from g_line order by n
n:int4 | x:bool
1 | t
2 | f
3 | t
4 | f
5 | f
6 | f
7 | f
SELECT 7

> select n, "line_vertical"(f) as x from g_line order by n
n:int4 | x:bool
1 | f
2 | t
3 | f
4 | f
5 | f
6 | f
7 | t
SELECT 7

> select n, "lseg"(f) as x from g_box order by n
n:int4 | x:lseg
1 | [(2,2),(0,0)]
2 | [(3,3),(1,1)]
3 | [(-2,2),(-8,-10)]
4 | [(2.5,3.5),(2.5,2.5)]
5 | [(3,3),(3,3)]
SELECT 5

> select n, "lseg_center"(f) as x from g_lseg order by n
n:int4 | x:point
1 | (2,3)
2 | (3,3)
3 | (3.5,-7)
4 | (-350000,80)
5 | (0,10)
6 | (22,33)
SELECT 6

> select n, "lseg_horizontal"(f) as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | f
6 | f
SELECT 6

> select n, "lseg_length"(f) as x from g_lseg order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 8.485281374238571
3 | 14.317821063276352
4 | 1300000.022153846
5 | 20
6 | 31.112698372208094
SELECT 6

> select n, "lseg_vertical"(f) as x from g_lseg order by n
n:int4 | x:bool
1 | f
2 | f
3 | f
4 | f
5 | t
6 | f
SELECT 6

> select n, "npoints"(f) as x from g_path order by n
n:int4 | x:int4
1 | 2
2 | 2
3 | 4
4 | 2
5 | 2
6 | 2
7 | 1
8 | 2
SELECT 8

> select n, "npoints"(f) as x from g_polygon order by n
n:int4 | x:int4
1 | 3
2 | 3
3 | 4
4 | 4
5 | 4
6 | 1
7 | 2
SELECT 7

> select n, "path"(f) as x from g_polygon order by n
n:int4 | x:path
1 | ((2,0),(2,4),(0,0))
2 | ((3,1),(3,3),(1,0))
3 | ((1,2),(3,4),(5,6),(7,8))
4 | ((7,8),(5,6),(3,4),(1,2))
5 | ((1,2),(7,8),(5,6),(3,-4))
6 | ((0,0))
7 | ((0,1),(0,1))
SELECT 7

> select n, "path_length"(f) as x from g_path order by n
n:int4 | x:float8
1 | 2.8284271247461903
2 | 5.656854249492381
3 | 11.261297173761166
4 | 5.656854249492381
5 | 5.656854249492381
6 | 2.8284271247461903
7 | 0
8 | 2.8284271247461903
SELECT 8

> select n, "path_npoints"(f) as x from g_path order by n
n:int4 | x:int4
1 | 2
2 | 2
3 | 4
4 | 2
5 | 2
6 | 2
7 | 1
8 | 2
SELECT 8

> select n, "pclose"(f) as x from g_path order by n
n:int4 | x:path
1 | ((1,2),(3,4))
2 | ((1,2),(3,4))
3 | ((0,0),(3,0),(4,5),(1,6))
4 | ((1,2),(3,4))
5 | ((1,2),(3,4))
6 | ((1,2),(3,4))
7 | ((10,20))
8 | ((11,12),(13,14))
SELECT 8

> select n, "point"(f) as x from g_box order by n
n:int4 | x:point
1 | (1,1)
2 | (2,2)
3 | (-5,-4)
4 | (2.5,3)
5 | (3,3)
SELECT 5

> select n, "point"(f) as x from g_circle order by n
n:int4 | x:point
1 | (5,1)
2 | (1,2)
3 | (1,3)
4 | (1,2)
5 | (100,200)
6 | (100,1)
7 | (3,5)
SELECT 7

> select n, "point"(f) as x from g_lseg order by n
n:int4 | x:point
1 | (2,3)
2 | (3,3)
3 | (3.5,-7)
4 | (-350000,80)
5 | (0,10)
6 | (22,33)
SELECT 6

> select n, "point"(f) as x from g_polygon order by n
n:int4 | x:point
1 | (1.3333333333333333,1.3333333333333333)
2 | (2.3333333333333335,1.3333333333333333)
3 | (4,5)
4 | (4,5)
5 | (4,3)
6 | (0,0)
7 | (0,1)
SELECT 7

> select n, "poly_center"(f) as x from g_polygon order by n
n:int4 | x:point
1 | (1.3333333333333333,1.3333333333333333)
2 | (2.3333333333333335,1.3333333333333333)
3 | (4,5)
4 | (4,5)
5 | (4,3)
6 | (0,0)
7 | (0,1)
SELECT 7

> select n, "poly_npoints"(f) as x from g_polygon order by n
n:int4 | x:int4
1 | 3
2 | 3
3 | 4
4 | 4
5 | 4
6 | 1
7 | 2
SELECT 7

> select n, "polygon"(f) as x from g_box order by n
n:int4 | x:polygon
1 | ((0,0),(0,2),(2,2),(2,0))
2 | ((1,1),(1,3),(3,3),(3,1))
3 | ((-8,-10),(-8,2),(-2,2),(-2,-10))
4 | ((2.5,2.5),(2.5,3.5),(2.5,3.5),(2.5,2.5))
5 | ((3,3),(3,3),(3,3),(3,3))
SELECT 5

> select n, "polygon"(f) as x from g_circle where n < 7 order by n
n:int4 | x:polygon
1 | ((2,1),(2.401923788646684,2.5),(3.4999999999999996,3.598076211353316),(5,4),(6.499999999999999,3.598076211353316),(7.598076211353316,2.500000000000001),(8,1.0000000000000004),(7.598076211353316,-0.4999999999999991),(6.500000000000002,-1.5980762113533151),(5.000000000000001,-2),(3.5000000000000018,-1.598076211353317),(2.401923788646685,-0.5000000000000013))
2 | ((-99,2),(-85.60254037844388,51.99999999999999),(-49.000000000000014,88.60254037844386),(0.9999999999999939,102),(50.99999999999998,88.60254037844388),(87.60254037844385,52.000000000000036),(101,2.0000000000000124),(87.60254037844388,-47.99999999999997),(51.00000000000004,-84.60254037844383),(1.0000000000000184,-98),(-48.999999999999936,-84.6025403784439),(-85.60254037844383,-48.00000000000004))
3 | ((-4,3),(-3.3301270189221936,5.5),(-1.5000000000000004,7.330127018922193),(0.9999999999999997,8),(3.499999999999999,7.330127018922194),(5.330127018922193,5.500000000000002),(6,3.0000000000000004),(5.3301270189221945,0.5000000000000013),(3.500000000000002,-1.3301270189221919),(1.0000000000000009,-2),(-1.4999999999999964,-1.3301270189221954),(-3.330127018922192,0.4999999999999978))
4 | ((-2,2),(-1.598076211353316,3.5),(-0.5000000000000004,4.598076211353316),(0.9999999999999998,5),(2.499999999999999,4.598076211353316),(3.5980762113533156,3.500000000000001),(4,2.0000000000000004),(3.5980762113533165,0.5000000000000009),(2.5000000000000013,-0.5980762113533151),(1.0000000000000004,-1),(-0.499999999999998,-0.5980762113533169),(-1.5980762113533151,0.49999999999999867))
5 | ((90,200),(91.33974596215562,205),(95,208.6602540378444),(100,210),(105,208.6602540378444),(108.66025403784438,205),(110,200),(108.6602540378444,195),(105,191.3397459621556),(100,190),(95,191.3397459621556),(91.33974596215562,195))
6 | ((-15,1),(0.4070785647895434,58.49999999999999),(42.499999999999986,100.59292143521044),(100,116),(157.49999999999997,100.59292143521046),(199.59292143521043,58.500000000000036),(215,1.000000000000014),(199.59292143521049,-56.49999999999997),(157.50000000000006,-98.59292143521041),(100.00000000000001,-114),(42.50000000000008,-98.59292143521049),(0.40707856478958604,-56.50000000000005))
SELECT 6

> select n, "polygon"(f) as x from g_path order by n
n:int4 | x:polygon
ERROR 22023: open path cannot be converted to polygon

> select n, "popen"(f) as x from g_path order by n
n:int4 | x:path
1 | [(1,2),(3,4)]
2 | [(1,2),(3,4)]
3 | [(0,0),(3,0),(4,5),(1,6)]
4 | [(1,2),(3,4)]
5 | [(1,2),(3,4)]
6 | [(1,2),(3,4)]
7 | [(10,20)]
8 | [(11,12),(13,14)]
SELECT 8

> select n, "radius"(f) as x from g_circle order by n
n:int4 | x:float8
1 | 3
2 | 100
3 | 5
4 | 3
5 | 10
6 | 115
7 | 0
SELECT 7

> select n, "width"(f) as x from g_box order by n
n:int4 | x:float8
1 | 2
2 | 2
3 | 6
4 | 0
5 | 0
SELECT 5

> select point(1,2), lseg(point '1,2', point '3,4'), line(point '1,2', point '3,5'), box(point '3,1', point '0,2'), circle(point '1,2', 3), polygon(5, circle '<(1,2),3>'), polygon(circle '<(0,0),2>'), bound_box(box '1,1,0,0', box '5,5,4,4')
point:point | lseg:lseg | line:line | box:box | circle:circle | polygon:polygon | polygon:polygon | bound_box:box
(1,2) | [(1,2),(3,4)] | {1.5,-1,0.5} | (3,2),(0,1) | <(1,2),3> | ((-2,2),(0.07294901687515765,4.853169548885461),(3.427050983124842,3.7633557568774196),(3.427050983124843,0.2366442431225808),(0.07294901687515831,-0.8531695488854609)) | ((-2,0),(-1.7320508075688774,0.9999999999999999),(-1.0000000000000002,1.7320508075688772),(-1.2246467991473532e-16,2),(0.9999999999999996,1.7320508075688774),(1.732050807568877,1.0000000000000007),(2,2.4492935982947064e-16),(1.7320508075688776,-0.9999999999999994),(1.0000000000000009,-1.7320508075688767),(3.6739403974420594e-16,-2),(-0.9999999999999987,-1.732050807568878),(-1.7320508075688767,-1.0000000000000009)) | (5,5),(0,0)
SELECT 1

> select polygon(1, circle '<(1,2),3>')
ERROR 22023: must request at least 2 points

> select polygon(5, circle '<(1,2),0>')
ERROR 0A000: cannot convert circle with radius zero to polygon

> select line(point '1,1', point '1,1')
ERROR 22023: invalid line specification: must be two distinct points

> select polygon(path '[(1,2),(3,4)]')
ERROR 22023: open path cannot be converted to polygon

> select point '1,2' / point '0,0'
ERROR 22012: division by zero

> select point '1e300,1e300' * point '1e300,1e300'
ERROR 22003: value out of range: overflow

> select f from g_point order by f
ERROR 42883: could not identify an ordering operator for type point
HINT: Use an explicit ordering operator or modify the query.

> select distinct f from g_box
ERROR 42883: could not identify an equality operator for type box

> select f, count(*) from g_path group by f
ERROR 42883: could not identify an equality operator for type path

> select n from g_point order by f <-> point '(0,0)', n
n:int4
2
4
1
3
7
5
6
SELECT 7

> select '{(1,2),(3,4);(5,6),(7,8)}'::box[], '{"(1,2)","(3,4)"}'::point[], array[box '1,2,3,4', null], '{(1,2),(3,4)}'::box[]
box:_box | point:_point | array:_box | box:_box
{(3,4),(1,2);(7,8),(5,6)} | {"(1,2)","(3,4)"} | {(3,4),(1,2);NULL} | {(3,4),(1,2)}
SELECT 1

> create index on g_point (f)
ERROR 42704: data type point has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create unique index on g_box (f)
ERROR 42704: data type box has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create table g_pk (p point primary key)
ERROR 42704: data type point has no default operator class for access method "btree"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> select point '1,2' ~= point '1.0000001,2', point '1,2' ~= point '1.00001,2', point '1,2' <> point '1,3', box '1,1,0,0' = box '2,1,1,0'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> select point '1,2' = point '1,2'
ERROR 42883: operator does not exist: point = point
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select point(1,2) < point(3,4)
ERROR 42883: operator does not exist: point < point
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select '(1,2)'::point::text, '(1,2)'::text::point, '<(1,2),3>'::circle::box, '((0,0),(1,1))'::box::circle, '((0,0),(1,1))'::box::polygon, '((0,0),(1,1),(1,0))'::polygon::path, '((0,0),(1,1))'::path::polygon
text:text | point:point | box:box | circle:circle | polygon:polygon | path:path | polygon:polygon
(1,2) | (1,2) | (3.1213203435596424,4.121320343559642),(-1.1213203435596424,-0.12132034355964239) | <(0.5,0.5),0.7071067811865476> | ((0,0),(0,1),(1,1),(1,0)) | ((0,0),(1,1),(1,0)) | ((0,0),(1,1))
SELECT 1

> set extra_float_digits = 0
SET

> select point(0.1, 1/3.0), circle(point(1/3.0, 2), 0.1)
point:point | circle:circle
(0.1,0.333333333333333) | <(0.333333333333333,2),0.1>
SELECT 1

> reset extra_float_digits
RESET

> select pg_typeof(f), f[0], f[1] from g_point where n = 1
pg_typeof:regtype | f:float8 | f:float8
point | 1 | 2
SELECT 1

> select (point '(3,4)')[0], (box '(1,2),(3,4)')[0], (lseg '[(1,2),(3,4)]')[1]
point:float8 | box:point | lseg:point
3 | (3,4) | (3,4)
SELECT 1

> select center(box '0,0,2,2'), @@ circle '<(1,2),3>', @-@ path '((0,0),(3,4))', # polygon '(0,0),(1,1)', ?- lseg '[(0,0),(1,0)]', ?| lseg '[(0,0),(0,1)]', point '1,2' ?- point '3,2'
center:point | ?column?:point | ?column?:float8 | ?column?:int4 | ?column?:bool | ?column?:bool | ?column?:bool
(1,1) | (1,2) | 10 | 2 | t | t | t
SELECT 1

> select n from g_circle where f = circle '<(0,0),3>'
n:int4
1
4
SELECT 2

> select max(n), min(n) from g_polygon where f && polygon '(0,0),(3,3),(0,3)'
max:int4 | min:int4
7 | 1
SELECT 1

> select count(f), array_agg(f order by n) from g_point where n < 3
count:int8 | array_agg:_point
2 | {"(1,2)","(0,0)"}
SELECT 1

> create table g_d (p point default '(1,2)', check (p <-> point '(0,0)' < 10), b box generated always as (box(p)) stored)
CREATE TABLE

> insert into g_d default values returning *
p:point | b:box
(1,2) | (1,2),(1,2)
INSERT 0 1

> insert into g_d values ('(100,0)')
ERROR 23514: new row for relation "g_d" violates check constraint "g_d_p_check"
DETAIL: Failing row contains ((100,0), (100,0),(100,0)).

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'g_d'::regclass
pg_get_constraintdef:text
CHECK (((p <-> '(0,0)'::point) < (10)::double precision))
SELECT 1

> select typname, typcategory, typdelim, typlen, typelem::regtype from pg_type where typname in ('point','lseg','box','path','polygon','line','circle') order by 1
typname:name | typcategory:char | typdelim:char | typlen:int2 | typelem:regtype
box | G | ; | 32 | point
circle | G | , | 24 | -
line | G | , | 24 | double precision
lseg | G | , | 32 | point
path | G | , | -1 | -
point | G | , | 16 | double precision
polygon | G | , | -1 | -
SELECT 7
