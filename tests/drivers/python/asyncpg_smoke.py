"""asyncpg: one line a check, `ok NAME` or `FAIL NAME: why`."""
import asyncio
import datetime
import decimal
import uuid

import asyncpg

failed = False


async def check(name, coroutine):
    global failed
    try:
        await coroutine
        print(f"ok asyncpg {name}")
    except Exception as e:  # noqa: BLE001: every failure is a line
        failed = True
        print(f"FAIL asyncpg {name}: {type(e).__name__}: {e}")


async def types(c):
    row = await c.fetchrow(
        "select $1::int4 as i, $2::int8 as b, $3::text as t, $4::numeric as n, $5::timestamptz as z, $6::uuid as u, $7::bool as o, $8::bytea as y",
        1, 2**40, "x", decimal.Decimal("1.50"), datetime.datetime(2024, 5, 6, tzinfo=datetime.timezone.utc), uuid.UUID(int=7), True, b"\0\1",
    )
    assert row["b"] == 2**40 and row["n"] == decimal.Decimal("1.50") and row["u"] == uuid.UUID(int=7), row
    assert row["y"] == b"\0\1" and row["z"].year == 2024, row


async def arrays(c):
    # It asks the catalogs for each array type first, with a WITH RECURSIVE that uses outer columns.
    row = await c.fetchrow(
        "select $1::int4[] as i, $2::text[] as t, $3::numeric[] as n, $4::uuid[] as u, $5::timestamptz[] as z",
        [1, None, 3], [["a", "b"], ["c", None]], [decimal.Decimal("1.5")], [uuid.UUID(int=9)],
        [datetime.datetime(2024, 5, 6, tzinfo=datetime.timezone.utc)],
    )
    assert row["i"] == [1, None, 3] and row["t"] == [["a", "b"], ["c", None]], row
    assert row["n"] == [decimal.Decimal("1.5")] and row["u"] == [uuid.UUID(int=9)] and row["z"][0].year == 2024, row
    assert await c.fetchval("select count(*) from asyncpg_t where a = any($1::int[])", [1, 2, 99]) == 2
    await c.execute("drop table if exists asyncpg_a; create table asyncpg_a (a int primary key, v text[], w int8[])")
    await c.executemany("insert into asyncpg_a values ($1, $2, $3)", [(n, [f"x{n}", None], [n, 2**40]) for n in range(5)])
    done = await c.copy_records_to_table("asyncpg_a", records=[(10, ["p", "q"], None), (11, [], [1])])
    assert done == "COPY 2", done
    await c.execute("update asyncpg_a set v[2] = $1, w[1:2] = $2 where a = 3", "set", [7, 8])
    rows = await c.fetch("select * from asyncpg_a where a >= 3 order by a")
    assert [tuple(r) for r in rows] == [
        (3, ["x3", "set"], [7, 8]), (4, ["x4", None], [4, 2**40]), (10, ["p", "q"], None), (11, [], [1])], rows
    await c.execute("drop table asyncpg_a")


async def prepared(c):
    s = await c.prepare("select a, b from asyncpg_t where a = $1")
    assert [r["a"] for r in await s.fetch(3)] == [3]
    assert [a.name for a in s.get_attributes()] == ["a", "b"]


async def copies(c):
    done = await c.copy_records_to_table("asyncpg_t", records=[(10, "ten"), (11, None)], columns=["a", "b"])
    assert done == "COPY 2", done
    rows = await c.fetch("select a, b from asyncpg_t where a >= 10 order by a")
    assert [tuple(r) for r in rows] == [(10, "ten"), (11, None)], rows


async def transactions(c):
    try:
        async with c.transaction(isolation="serializable", readonly=True, deferrable=True):
            await c.execute("insert into asyncpg_t values (20, 'no')")
        raise AssertionError("a read-only transaction wrote")
    except asyncpg.ReadOnlySQLTransactionError:
        pass
    async with c.transaction():
        async for _ in c.cursor("select a from asyncpg_t order by a", prefetch=2):
            pass
        try:
            async with c.transaction():
                await c.execute("insert into asyncpg_t values (1, 'again')")
        except asyncpg.UniqueViolationError as e:
            assert e.constraint_name == "asyncpg_t_pkey", e.constraint_name


async def pool():
    # Every release resets the session: advisory locks, cursors, LISTEN, settings.
    async with asyncpg.create_pool(min_size=2, max_size=4) as p:
        async def one(n):
            async with p.acquire() as c:
                await c.execute("set work_mem to '1MB'")
                return await c.fetchval("select $1::int + 1", n)
        assert await asyncio.gather(*(one(n) for n in range(20))) == list(range(1, 21))


async def main():
    # PGHOST and its sisters say where; asyncpg writes client_encoding in quotes.
    c = await asyncpg.connect()
    await c.execute("drop table if exists asyncpg_t")
    await c.execute("create table asyncpg_t (a int primary key, b text)")
    await c.executemany("insert into asyncpg_t values ($1, $2)", [(n, f"v{n}") for n in range(1, 6)])
    for name, f in [("types", types), ("arrays", arrays), ("prepared", prepared), ("copy", copies), ("transactions", transactions)]:
        await check(name, f(c))
    await check("pool", pool())
    await c.execute("drop table asyncpg_t")
    await c.close()


asyncio.run(main())
raise SystemExit(failed)
