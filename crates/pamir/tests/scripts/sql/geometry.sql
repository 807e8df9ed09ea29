# Points and what is made of them.

> select '(1,2)'::point, '0,0'::point, '(-10.5,5.25)'::point, '(1e-300,-1e-300)'::point, '(1e+300,Infinity)'::point, 'NaN,0'::point, '( 10 , 10 )'::point

> select '[(1,2),(3,4)]'::lseg, '(0,0),(6,6)'::lseg, '((10,-10),(-3,-4))'::lseg, '-1e6,2e2,3e5,-4e1'::lseg, '[(0,0),(0,20)]'::lseg, '[(11,22),(33,44)]'::lseg

> select '{0,-1,5}'::line, '{1,0,5}'::line, '[(1,3),(2,3)]'::line, '(0,0),(6,6)'::line, '{3,NaN,5}'::line, '10,-10,-5,-4'::line, '{-1,0,-3}'::line

> select '(2.0,2.0,0.0,0.0)'::box, '(1.0,1.0,3.0,3.0)'::box, '((-8, 2), (-2, -10))'::box, '(2.5, 2.5, 2.5,3.5)'::box, '(3.0, 3.0,3.0,3.0)'::box

> select '[(1,2),(3,4)]'::path, '((1,2),(3,4))'::path, '[(0,0),(3,0),(4,5),(1,6)]'::path, '((1,2) ,(3,4 ))'::path, '1,2 ,3,4 '::path, '[1,2,3, 4]'::path, '((10,20))'::path, '[11,12,13,14]'::path

> select '(2.0,0.0),(2.0,4.0),(0.0,0.0)'::polygon, '(3.0,1.0),(3.0,3.0),(1.0,0.0)'::polygon, '(1,2),(3,4),(5,6),(7,8)'::polygon, '(7,8),(5,6),(3,4),(1,2)'::polygon, '(1,2),(7,8),(5,6),(3,-4)'::polygon, '(0.0,0.0)'::polygon, '(0.0,1.0),(0.0,1.0)'::polygon

> select '<(5,1),3>'::circle, '((1,2),100)'::circle, ' 1 , 3 , 5 '::circle, ' ( ( 1 , 2 ) , 3 )'::circle, '<(100,200),10>'::circle, ' < ( 100 , 1 ) , 115 > '::circle, '<(3,5),0>'::circle

> select '(1,2'::point

> select '1,2)'::point

> select '(1 2)'::point

> select ''::point

> select 'asdfasdf'::point

> select '(1e400,0)'::point

> select '(1,)'::point

> select '(3asdf,2 ,3,4r2)'::lseg

> select '[1,2,3, 4'::lseg

> select '[(,2),(3,4)]'::lseg

> select '[(1,2),(3,4)'::lseg

> select '{}'::line

> select '{0'::line

> select '{0,0}'::line

> select '{0,0,1'::line

> select '{0,0,1}'::line

> select '{0,0,1} x'::line

> select '(3asdf,2 ,3,4r2)'::line

> select '[1,2,3, 4'::line

> select '[(1,2),(1,2)]'::line

> select '(2.3, 4.5)'::box

> select '[1, 2, 3, 4)'::box

> select '(1, 2, 3, 4]'::box

> select '(1, 2, 3, 4) x'::box

> select 'asdfasdf(ad'::box

> select '[]'::path

> select '[(,2),(3,4)]'::path

> select '[(1,2),(3,4)'::path

> select '(1,2,3,4'::path

> select '0.0'::polygon

> select '(0.0 0.0'::polygon

> select '(0,1,2)'::polygon

> select '(0,1,2,3'::polygon

> select 'asdf'::polygon

> select '<(-100,0),-100>'::circle

> select '<(100,200),10'::circle

> select '<(100,200),10> x'::circle

> select '1abc,3,5'::circle

> select '(3,(1,2),3)'::circle

> create table g_point (n serial, f point)

> insert into g_point (f) values ('(1,2)'), ('0,0'), ('(-10.5,5.25)'), ('(1e-300,-1e-300)'), ('(1e+300,Infinity)'), ('NaN,0'), ('( 10 , 10 )')

> create table g_lseg (n serial, f lseg)

> insert into g_lseg (f) values ('[(1,2),(3,4)]'), ('(0,0),(6,6)'), ('((10,-10),(-3,-4))'), ('-1e6,2e2,3e5,-4e1'), ('[(0,0),(0,20)]'), ('[(11,22),(33,44)]')

> create table g_line (n serial, f line)

> insert into g_line (f) values ('{0,-1,5}'), ('{1,0,5}'), ('[(1,3),(2,3)]'), ('(0,0),(6,6)'), ('{3,NaN,5}'), ('10,-10,-5,-4'), ('{-1,0,-3}')

> create table g_box (n serial, f box)

> insert into g_box (f) values ('(2.0,2.0,0.0,0.0)'), ('(1.0,1.0,3.0,3.0)'), ('((-8, 2), (-2, -10))'), ('(2.5, 2.5, 2.5,3.5)'), ('(3.0, 3.0,3.0,3.0)')

> create table g_path (n serial, f path)

> insert into g_path (f) values ('[(1,2),(3,4)]'), ('((1,2),(3,4))'), ('[(0,0),(3,0),(4,5),(1,6)]'), ('((1,2) ,(3,4 ))'), ('1,2 ,3,4 '), ('[1,2,3, 4]'), ('((10,20))'), ('[11,12,13,14]')

> create table g_polygon (n serial, f polygon)

> insert into g_polygon (f) values ('(2.0,0.0),(2.0,4.0),(0.0,0.0)'), ('(3.0,1.0),(3.0,3.0),(1.0,0.0)'), ('(1,2),(3,4),(5,6),(7,8)'), ('(7,8),(5,6),(3,4),(1,2)'), ('(1,2),(7,8),(5,6),(3,-4)'), ('(0.0,0.0)'), ('(0.0,1.0),(0.0,1.0)')

> create table g_circle (n serial, f circle)

> insert into g_circle (f) values ('<(5,1),3>'), ('((1,2),100)'), (' 1 , 3 , 5 '), (' ( ( 1 , 2 ) , 3 )'), ('<(100,200),10>'), (' < ( 100 , 1 ) , 115 > '), ('<(3,5),0>')

> select a.n, b.n, a.f # b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f # b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f # b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, # f as x from g_path order by n

> select n, # f as x from g_polygon order by n

> select a.n, b.n, a.f ## b.f as x from g_line a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ## b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ## b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ## b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ## b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ## b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f && b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f && b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f && b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &< b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &< b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &< b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &<| b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &<| b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &<| b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f &> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f * b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f * b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f * b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f * b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f + b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f + b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f + b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f + b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f + b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f - b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f - b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f - b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f - b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f / b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f / b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f / b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f / b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 and a.n <> 5 and b.n <> 5 and a.n<>4 and b.n<>4 order by 1, 2

> select a.n, b.n, a.f < b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f < b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f < b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f < b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_circle a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_line a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_lseg a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_point a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <-> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f << b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f << b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f << b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f << b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <<| b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <<| b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <<| b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <<| b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <= b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <= b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <> b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_point a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <@ b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <^ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f <^ b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f = b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f = b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f = b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f = b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f = b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f > b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f > b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f > b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f > b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >= b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >= b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >^ b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f >^ b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_line a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?# b.f as x from g_path a, g_path b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?- b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, ?- f as x from g_line order by n

> select n, ?- f as x from g_lseg order by n

> select a.n, b.n, a.f ?-| b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?-| b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?| b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, ?| f as x from g_line order by n

> select n, ?| f as x from g_lseg order by n

> select a.n, b.n, a.f ?|| b.f as x from g_line a, g_line b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ?|| b.f as x from g_lseg a, g_lseg b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, @-@ f as x from g_lseg order by n

> select n, @-@ f as x from g_path order by n

> select a.n, b.n, a.f @> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_box a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_circle a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_path a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_polygon a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f @> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, @@ f as x from g_box order by n

> select n, @@ f as x from g_circle order by n

> select n, @@ f as x from g_lseg order by n

> select n, @@ f as x from g_polygon order by n

> select a.n, b.n, a.f |&> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |&> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |&> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |>> b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |>> b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |>> b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f |>> b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ~= b.f as x from g_box a, g_box b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ~= b.f as x from g_circle a, g_circle b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ~= b.f as x from g_point a, g_point b where b.n <= 5 and a.n <= 5 order by 1, 2

> select a.n, b.n, a.f ~= b.f as x from g_polygon a, g_polygon b where b.n <= 5 and a.n <= 5 order by 1, 2

> select n, "area"(f) as x from g_[0:0]={box order by n

> select n, "area"(f) as x from g_[0:0]={circle order by n

> select n, "area"(f) as x from g_[0:0]={path order by n

> select n, "box"(f) as x from g_[0:0]={circle order by n

> select n, "box"(f) as x from g_[0:0]={point order by n

> select n, "box"(f) as x from g_[0:0]={polygon order by n

> select n, "box_center"(f) as x from g_[0:0]={box order by n

> select n, "center"(f) as x from g_[0:0]={box order by n

> select n, "center"(f) as x from g_[0:0]={circle order by n

> select n, "circle"(f) as x from g_[0:0]={box order by n

> select n, "circle"(f) as x from g_[0:0]={polygon order by n

> select n, "circle_center"(f) as x from g_[0:0]={circle order by n

> select n, "diagonal"(f) as x from g_[0:0]={box order by n

> select n, "diameter"(f) as x from g_[0:0]={circle order by n

> select n, "height"(f) as x from g_[0:0]={box order by n

> select n, "isclosed"(f) as x from g_[0:0]={path order by n

> select n, "ishorizontal"(f) as x from g_[0:0]={line order by n

> select n, "ishorizontal"(f) as x from g_[0:0]={lseg order by n

> select n, "isopen"(f) as x from g_[0:0]={path order by n

> select n, "isvertical"(f) as x from g_[0:0]={line order by n

> select n, "isvertical"(f) as x from g_[0:0]={lseg order by n

> select n, "length"(f) as x from g_[0:0]={lseg order by n

> select n, "length"(f) as x from g_[0:0]={path order by n

> select n, "line_horizontal"(f) as x from g_[0:0]={line order by n

> select n, "line_vertical"(f) as x from g_[0:0]={line order by n

> select n, "lseg"(f) as x from g_[0:0]={box order by n

> select n, "lseg_center"(f) as x from g_[0:0]={lseg order by n

> select n, "lseg_horizontal"(f) as x from g_[0:0]={lseg order by n

> select n, "lseg_length"(f) as x from g_[0:0]={lseg order by n

> select n, "lseg_vertical"(f) as x from g_[0:0]={lseg order by n

> select n, "npoints"(f) as x from g_[0:0]={path order by n

> select n, "npoints"(f) as x from g_[0:0]={polygon order by n

> select n, "path"(f) as x from g_[0:0]={polygon order by n

> select n, "path_length"(f) as x from g_[0:0]={path order by n

> select n, "path_npoints"(f) as x from g_[0:0]={path order by n

> select n, "pclose"(f) as x from g_[0:0]={path order by n

> select n, "point"(f) as x from g_[0:0]={box order by n

> select n, "point"(f) as x from g_[0:0]={circle order by n

> select n, "point"(f) as x from g_[0:0]={lseg order by n

> select n, "point"(f) as x from g_[0:0]={polygon order by n

> select n, "poly_center"(f) as x from g_[0:0]={polygon order by n

> select n, "poly_npoints"(f) as x from g_[0:0]={polygon order by n

> select n, "polygon"(f) as x from g_[0:0]={box order by n

> select n, "polygon"(f) as x from g_[0:0]={circle order by n

> select n, "polygon"(f) as x from g_[0:0]={path order by n

> select n, "popen"(f) as x from g_[0:0]={path order by n

> select n, "radius"(f) as x from g_[0:0]={circle order by n

> select n, "width"(f) as x from g_[0:0]={box order by n

> select point(1,2), lseg(point '1,2', point '3,4'), line(point '1,2', point '3,5'), box(point '3,1', point '0,2'), circle(point '1,2', 3), polygon(5, circle '<(1,2),3>'), polygon(circle '<(0,0),2>'), bound_box(box '1,1,0,0', box '5,5,4,4')

> select polygon(1, circle '<(1,2),3>')

> select polygon(5, circle '<(1,2),0>')

> select line(point '1,1', point '1,1')

> select polygon(path '[(1,2),(3,4)]')

> select point '1,2' / point '0,0'

> select point '1e300,1e300' * point '1e300,1e300'

> select f from g_point order by f

> select distinct f from g_box

> select f, count(*) from g_path group by f

> select n from g_point order by f <-> point '(0,0)', n

> select '{(1,2),(3,4);(5,6),(7,8)}'::box[], '{"(1,2)","(3,4)"}'::point[], array[box '1,2,3,4', null], '{(1,2),(3,4)}'::box[]

> create index on g_point (f)

> create index on g_point using gist (f)

> create unique index on g_box (f)

> create table g_pk (p point primary key)

> select point '1,2' ~= point '1.0000001,2', point '1,2' ~= point '1.00001,2', point '1,2' <> point '1,3', box '1,1,0,0' = box '2,1,1,0'

> select point '1,2' = point '1,2'

> select point(1,2) < point(3,4)

> select '(1,2)'::point::text, '(1,2)'::text::point, '<(1,2),3>'::circle::box, '((0,0),(1,1))'::box::circle, '((0,0),(1,1))'::box::polygon, '((0,0),(1,1),(1,0))'::polygon::path, '((0,0),(1,1))'::path::polygon

> set extra_float_digits = 0

> select point(0.1, 1/3.0), circle(point(1/3.0, 2), 0.1)

> reset extra_float_digits

> select pg_typeof(f), f[0], f[1] from g_point where n = 1

> select (point '(3,4)')[0], (box '(1,2),(3,4)')[0], (lseg '[(1,2),(3,4)]')[1]

> update g_point set f[0] = 7 where n = 1 returning f

> select center(box '0,0,2,2'), @@ circle '<(1,2),3>', @-@ path '((0,0),(3,4))', # polygon '(0,0),(1,1)', ?- lseg '[(0,0),(1,0)]', ?| lseg '[(0,0),(0,1)]', point '1,2' ?- point '3,2'

> select n from g_circle where f = circle '<(0,0),3>'

> select max(n), min(n) from g_polygon where f && polygon '(0,0),(3,3),(0,3)'

> select count(f), array_agg(f order by n) from g_point where n < 3

> create table g_d (p point default '(1,2)', check (p <-> point '(0,0)' < 10), b box generated always as (box(p)) stored)

> insert into g_d default values returning *

> insert into g_d values ('(100,0)')

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'g_d'::regclass

> select typname, typcategory, typdelim, typlen, typelem::regtype from pg_type where typname in ('point','lseg','box','path','polygon','line','circle') order by 1
