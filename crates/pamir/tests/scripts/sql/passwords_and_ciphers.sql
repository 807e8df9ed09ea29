# pgcrypto's crypt, gen_salt, encrypt and decrypt.
> create extension if not exists pgcrypto
CREATE EXTENSION

> select crypt('', '$2a$06$RQiOJ.3ELirrXwxIZY8q0O'), crypt('foox', '$2a$06$RQiOJ.3ELirrXwxIZY8q0O')
crypt:text | crypt:text
$2a$06$RQiOJ.3ELirrXwxIZY8q0OlGbBEpDmx7IRZlNYvGJ1SHXwNi2cEKK | $2a$06$RQiOJ.3ELirrXwxIZY8q0OR3CVJrAfda1z26CCHPnB6mmVZD8p0/C
SELECT 1

> select crypt('a long password of more than seventy-two bytes, of which bcrypt sees no more than those: the rest', '$2a$04$abcdefghijklmnopqrstuv')
crypt:text
$2a$04$abcdefghijklmnopqrstuu4rvkaBhRZxVewHuR/m7q1LwB8V6n9yC
SELECT 1

> select crypt('pässwörd', '$2a$05$zzzzzzzzzzzzzzzzzzzzzz')
crypt:text
$2a$05$zzzzzzzzzzzzzzzzzzzzzuecfpr0aal0HMebBj8gxr8C048FfB4IS
SELECT 1

> select crypt('x', crypt('x', '$2a$05$zzzzzzzzzzzzzzzzzzzzzz')) = crypt('x', '$2a$05$zzzzzzzzzzzzzzzzzzzzzz')
?column?:bool
t
SELECT 1

> select crypt('x', '$2a$03$RQiOJ.3ELirrXwxIZY8q0O')
ERROR 22023: invalid salt

> select crypt('x', '$2a$06$short')
ERROR 22023: invalid salt

> select crypt('x', '$2a$06$RQiOJ.3ELirr!wxIZY8q0O')
ERROR 22023: invalid salt

> select crypt('', '$1$Szzz0yzz'), crypt('foox', '$1$Szzz0yzz'), crypt('a password of some length here', '$1$ab$rest')
crypt:text | crypt:text | crypt:text
$1$Szzz0yzz$To38XrR3BsbXQW2ZpfKjF1 | $1$Szzz0yzz$IYL49cd3t9bllsA7Jmz1M1 | $1$ab$ILi2H3wq7hD.05qsP.J7e1
SELECT 1

> select length(gen_salt('bf')), gen_salt('bf', 8) like '$2a$08$%', length(gen_salt('md5')), gen_salt('md5') like '$1$%'
length:int4 | ?column?:bool | length:int4 | ?column?:bool
29 | t | 11 | t
SELECT 1

> select gen_salt('bf', 3)
gen_salt:text
ERROR 22023: gen_salt: Incorrect number of rounds

> select gen_salt('bf', 32)
gen_salt:text
ERROR 22023: gen_salt: Incorrect number of rounds

> select gen_salt('foo')
gen_salt:text
ERROR 22023: gen_salt: Unknown salt algorithm

> select p = crypt('secret', p), p = crypt('Secret', p) from (select crypt('secret', gen_salt('bf', 4)) as p) x
?column?:bool | ?column?:bool
t | f
SELECT 1

> select p = crypt('secret', p), p = crypt('Secret', p) from (select crypt('secret', gen_salt('md5')) as p) x
?column?:bool | ?column?:bool
t | f
SELECT 1

> select encrypt('\x00112233445566778899aabbccddeeff', '\x000102030405060708090a0b0c0d0e0f', 'aes-ecb/pad:none')
encrypt:bytea
\x69c4e0d86a7b0430d8cdb78070b4c55a
SELECT 1

> select encrypt('\x00112233445566778899aabbccddeeff', '\x000102030405060708090a0b0c0d0e0f1011121314151617', 'aes-ecb/pad:none')
encrypt:bytea
\xdda97ca4864cdfe06eaf70a0ec0d7191
SELECT 1

> select encrypt('\x00112233445566778899aabbccddeeff', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'aes-ecb/pad:none')
encrypt:bytea
\x8ea2b7ca516745bfeafc49904b496089
SELECT 1

> select encrypt('foo', '0123456', 'aes'), encrypt('', 'foo', 'aes'), encrypt('foo', '0123456789012345678901', 'aes'), encrypt('foo', '0123456789012345678901234567890123456789', 'aes')
encrypt:bytea | encrypt:bytea | encrypt:bytea | encrypt:bytea
\x50bb0504eb20d8ab3c1489072abad0ad | \xb48cc3338a2eb293b6007ef72c360d48 | \x5c9db77af02b4678117bcd8a71ae7f53 | \xe03799301a574d6d3c8cae1ee085d8d8
SELECT 1

> select encrypt_iv('foo and more than a block of it', '0123456', 'abcd', 'aes'), encrypt_iv('foo', '0123456', 'a vector that is too long for it', 'aes-cbc')
encrypt_iv:bytea | encrypt_iv:bytea
\x4dc866ae4c58c2711913b608142a7832b8d61391c07b2bedbd77e0c5e8a81a00 | \x2022911251797422f13be35a6bc755ef
SELECT 1

> select convert_from(decrypt(encrypt('foo and more than a block of it', '0123456', 'aes'), '0123456', 'aes'), 'utf8'), convert_from(decrypt_iv(encrypt_iv('foo', '0123456', 'abcd', 'aes'), '0123456', 'abcd', 'aes'), 'utf8')
convert_from:text | convert_from:text
foo and more than a block of it | foo
SELECT 1

> select encrypt('foo', '0123456', 'aes/pad:none')
ERROR 39000: encrypt error: Encryption failed

> select decrypt('\x0011', '0123456', 'aes')
ERROR 39000: decrypt error: Decryption failed

> select decrypt(encrypt('foo', '0123456', 'aes'), '0123457', 'aes')
ERROR 39000: decrypt error: Decryption failed

> select encrypt('foo', 'x', 'foo')
ERROR 22023: Cannot use "foo": No such cipher algorithm

> select encrypt('foo', 'x', 'aes/foo:x')
ERROR 22023: Cannot use "aes/foo:x": Unknown option

> select encrypt('foo', 'x', 'aes/foo')
ERROR 22023: Cannot use "aes/foo": Badly formatted type

> create extension if not exists fuzzystrmatch
CREATE EXTENSION

> select difference('', ''), difference('', 'a'), difference('abc', 'abd'), difference('12', '')
difference:int4 | difference:int4 | difference:int4 | difference:int4
4 | 0 | 3 | 4
SELECT 1
