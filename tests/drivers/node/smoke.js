// node-postgres against a server: types in both formats, prepared, pipelined, cursor, COPY, cancel, errors, TLS + SCRAM.
const assert = require('assert');
const fs = require('fs');
const { once } = require('events');
const { Client } = require('pg');
const Cursor = require('pg-cursor');
const { from: copyFrom, to: copyTo } = require('pg-copy-streams');

const T = 'smoke_node';
let failures = 0;
async function check(name, f) {
  try {
    await f();
    console.log(`ok node ${name}`);
  } catch (e) {
    failures++;
    console.log(`FAIL node ${name}: ${String(e.message).split('\n').slice(0, 8).join(' ')}`);
  }
}

async function main() {
  const c = new Client({ connectionTimeoutMillis: 10000 });
  await c.connect();
  await c.query("SET TimeZone = 'UTC'");

  const values = [
    ['bool', true], ['int2', -7], ['int4', 2147483647], ['int8', '-9223372036854775808'], ['float8', 1.25e300],
    ['numeric', '12345678901234567890.0123'], ['text', 'héllo'], ['varchar(9)', 'abc'], ['bytea', Buffer.from([0, 255, 39])],
    ['time', '01:02:03.000004'], ['uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'], ['json', { a: [1, null] }], ['jsonb', { b: 'x' }],
    ['timestamptz', new Date(Date.UTC(2024, 1, 29, 12, 0, 0, 123))], ['int4[]', [1, null, 3]], ['text[]', ['a', 'b c']],
  ];
  await check('types as text', async () => {
    for (const [ty, v] of values) {
      const r = await c.query(`SELECT $1::${ty} AS v, NULL::${ty} AS n`, [v]);
      assert.deepStrictEqual(r.rows[0].v, v, ty);
      assert.strictEqual(r.rows[0].n, null, ty);
    }
  });
  await check('types as binary', async () => {
    // Few types: pg-types reads binary floats and some integers wrongly, from PostgreSQL too.
    for (const [ty, v] of [['bool', true], ['int2', 7], ['int4', 12345], ['text', 'héllo']]) {
      const r = await c.query({ text: `SELECT $1::${ty} AS v`, values: [v], binary: true });
      assert.strictEqual(String(r.rows[0].v), String(v), ty);
    }
  });
  await check('prepared', async () => {
    await c.query(`DROP TABLE IF EXISTS ${T}; CREATE TABLE ${T} (id int PRIMARY KEY, v text NOT NULL)`);
    for (let i = 0; i < 50; i++) await c.query({ name: 'ins', text: `INSERT INTO ${T} VALUES ($1, $2)`, values: [i, `v${i}`] });
    const r = await c.query({ name: 'sel', text: `SELECT v FROM ${T} WHERE id = $1`, values: [17] });
    assert.deepStrictEqual(r.rows, [{ v: 'v17' }]);
    assert.strictEqual(r.fields[0].dataTypeID, 25);
  });
  await check('queued queries', async () => {
    const all = await Promise.all([...Array(50).keys()].map((i) => c.query(`SELECT v FROM ${T} WHERE id = $1`, [i])));
    assert.deepStrictEqual(all.map((r) => r.rows[0].v), [...Array(50).keys()].map((i) => `v${i}`));
  });
  await check('several statements in one query', async () => {
    const r = await c.query("SELECT 1 AS a; SELECT 'x' AS b");
    assert.deepStrictEqual(r.map((x) => x.rows[0]), [{ a: 1 }, { b: 'x' }]);
  });
  await check('cursor', async () => {
    await c.query('BEGIN');
    const cursor = c.query(new Cursor(`SELECT id FROM ${T} ORDER BY id`));
    assert.strictEqual((await cursor.read(30)).length, 30);
    assert.strictEqual((await cursor.read(30)).length, 20);
    await cursor.close();
    await c.query('COMMIT');
  });
  await check('copy', async () => {
    const sink = c.query(copyFrom(`COPY ${T} FROM STDIN`));
    for (let i = 1000; i < 6000; i++) sink.write(`${i}\tcopy ${i}\n`);
    sink.end();
    await once(sink, 'finish');
    assert.strictEqual(sink.rowCount, 5000);
    const source = c.query(copyTo(`COPY (SELECT * FROM ${T} WHERE id >= 1000 ORDER BY id) TO STDOUT (FORMAT csv)`));
    let text = '';
    for await (const chunk of source) text += chunk;
    assert.strictEqual(text.split('\n')[7], '1007,copy 1007');
    assert.strictEqual(text.trimEnd().split('\n').length, 5000);
  });
  await check('cancel', async () => {
    const killer = new Client();
    await killer.connect();
    setTimeout(() => killer.query('SELECT pg_cancel_backend($1)', [c.processID]).finally(() => killer.end()), 300);
    await assert.rejects(c.query('SELECT pg_sleep(20)'), { code: '57014' });
    await c.query('SELECT 1');
  });
  await check('errors', async () => {
    await assert.rejects(c.query(`INSERT INTO ${T} VALUES (1, 'x')`), { code: '23505', constraint: `${T}_pkey`, detail: 'Key (id)=(1) already exists.' });
    for (const [sql, code] of [['SELECT nope', '42703'], ['SELEC', '42601'], ['SELECT * FROM nope', '42P01'], ['SELECT 1/0', '22012']]) {
      await assert.rejects(c.query(sql), { code }, sql);
      await assert.rejects(c.query({ text: sql, values: [] }), { code }, sql);
    }
    await assert.rejects(c.query('SELECT nope'), { position: '8' });
  });
  const ca = process.env.PAMIR_TLS_CA;
  if (ca) {
    await check('TLS and SCRAM', async () => {
      await c.query('DROP ROLE IF EXISTS smoke_tls');
      await c.query("CREATE ROLE smoke_tls LOGIN PASSWORD 'sm0ke pass'");
      const ssl = { ca: fs.readFileSync(ca, 'utf8'), servername: 'localhost', checkServerIdentity: () => undefined };
      const t = new Client({ user: 'smoke_tls', password: 'sm0ke pass', ssl });
      await t.connect();
      assert.strictEqual((await t.query('SELECT current_user AS u')).rows[0].u, 'smoke_tls');
      await t.end();
      await assert.rejects(new Client({ user: 'smoke_tls', password: 'wrong', ssl }).connect(), { code: '28P01' });
    });
  }
  await c.query(`DROP TABLE IF EXISTS ${T}`);
  await c.end();
}

setTimeout(() => {
  console.log('FAIL node: not finished in 2 minutes');
  process.exit(1);
}, 120000).unref();
main().then(
  () => process.exit(failures ? 1 : 0),
  (e) => {
    console.log(`FAIL node: ${e.message}`);
    process.exit(1);
  },
);
