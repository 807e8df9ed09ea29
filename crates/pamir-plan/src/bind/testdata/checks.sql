a > 0
a > 0 and b is not null
b in ('x', 'y')
a in (1, 2)
a between 1 and 10 or not bo
length(b) > 3
b like 'a%'
v = 'x'
c > 5
c > 5.5
coalesce(a, 0) > 1
case when a > 1 then true else false end
f > 1
a = any (array[1, 2])
dt > '2024-01-01'
b || 'x' <> ''
-a < 5
a is distinct from 3
a::text = '5'
bo is true
