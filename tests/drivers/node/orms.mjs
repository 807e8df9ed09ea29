// Object mappers and query builders on plain tables, each in a schema of its own made and read back by the tool itself: one line a check.
import "reflect-metadata";
import pg from "pg";
import knexFactory from "knex";
import { DataTypes, Op, Sequelize } from "sequelize";
import { DataSource, EntitySchema } from "typeorm";
import { drizzle } from "drizzle-orm/node-postgres";
import { boolean, integer, jsonb, numeric, pgTable, serial, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { count, desc, eq, relations, sql } from "drizzle-orm";

const { PGHOST: host, PGPORT: port } = process.env;
const DATABASE = "smoke_orms";
const server = `postgres://postgres@${host}:${port}`;
const url = `${server}/${DATABASE}`;
let failed = false;
const check = async (name, f) => {
  try {
    await f();
    console.log(`ok ${name}`);
  } catch (e) {
    failed = true;
    console.log(`FAIL ${name}: ${String(e.message || e)} ${String(e.sql || e.query || "").slice(0, 300)}`.replaceAll("\n", " "));
  }
};
const same = (a, b) => {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
};

const admin = new pg.Client(`${server}/postgres`);
await admin.connect();
await admin.query(`drop database if exists ${DATABASE} with (force)`);
await admin.query(`create database ${DATABASE}`);

await check("sequelize", async () => {
  const s = new Sequelize(url, { logging: false });
  const User = s.define(
    "User",
    {
      name: { type: DataTypes.STRING, allowNull: false, unique: true }, age: DataTypes.INTEGER, meta: DataTypes.JSONB,
      tags: DataTypes.ARRAY(DataTypes.STRING(20)), uid: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4 }, at: DataTypes.DATE, n: DataTypes.DECIMAL(10, 2),
    },
    { indexes: [{ fields: ["age"] }], paranoid: true },
  );
  const Post = s.define("Post", { title: DataTypes.TEXT });
  const Tag = s.define("Tag", { w: DataTypes.STRING });
  User.hasMany(Post);
  Post.belongsTo(User);
  Post.belongsToMany(Tag, { through: "PostTags" });
  Tag.belongsToMany(Post, { through: "PostTags" });
  await s.sync({ force: true });
  await s.sync({ alter: true });
  const u = await User.create({ name: "a", age: 3, meta: { x: [1, 2] }, tags: ["q", "w"], at: new Date(), n: "1.25" });
  await User.bulkCreate([{ name: "b" }, { name: "c", age: 9 }], { returning: true });
  await User.bulkCreate([{ name: "b", age: 5 }], { updateOnDuplicate: ["age"] });
  await User.upsert({ name: "c", age: 10 });
  const p = await Post.create({ title: "t", UserId: u.id });
  await p.addTag(await Tag.create({ w: "g" }));
  const found = await User.findAll({
    include: [{ model: Post, include: [Tag] }],
    where: { age: { [Op.gte]: 3 }, meta: { [Op.contains]: { x: [1] } } },
    order: [["age", "DESC"]],
    limit: 2,
  });
  same(found.map((f) => [f.name, f.n, f.tags, f.Posts[0].Tags[0].w]), [["a", "1.25", ["q", "w"], "g"]]);
  same((await User.findAndCountAll({ where: { tags: { [Op.overlap]: ["q"] } }, limit: 1 })).count, 1);
  await User.create({ name: "z", age: 1 });
  await User.increment("age", { by: 2, where: { name: "a" } });
  await s.transaction({ isolationLevel: "SERIALIZABLE" }, async (t) => {
    await User.update({ n: 4 }, { where: { name: "a" }, transaction: t });
    await User.findOne({ where: { name: "a" }, lock: true, transaction: t });
  });
  await User.destroy({ where: { name: "z" } });
  same((await User.findAll({ order: ["name"] })).map((x) => [x.name, x.age]), [["a", 5], ["b", 5], ["c", 10]]);
  const q = s.getQueryInterface();
  same((await q.showAllTables()).length, 4);
  same((await q.describeTable("Users")).n.type, "NUMERIC");
  same((await q.showIndex("Users")).length >= 3, true);
  same((await q.getForeignKeyReferencesForTable("Posts")).length, 1);
  await q.addColumn("Users", "extra", { type: DataTypes.STRING });
  await q.changeColumn("Users", "extra", { type: DataTypes.TEXT, allowNull: true });
  await q.removeColumn("Users", "extra");
  await s.close();
});

await check("knex", async () => {
  const k = knexFactory({ client: "pg", connection: url });
  await k.schema.dropTableIfExists("kp");
  await k.schema.createTable("ku", (t) => {
    t.increments();
    t.string("name").notNullable().unique();
    t.jsonb("m");
    t.timestamps(true, true);
    t.uuid("u").defaultTo(k.raw("gen_random_uuid()"));
    t.decimal("d", 8, 2);
    t.enu("e", ["x", "y"]);
    t.specificType("arr", "int[]");
  });
  await k.schema.createTable("kp", (t) => {
    t.bigIncrements();
    t.integer("uid").references("id").inTable("ku").onDelete("CASCADE").index();
    t.text("b");
  });
  await k.schema.alterTable("ku", (t) => {
    t.string("more", 30).defaultTo("q");
    t.index(["name", "more"]);
  });
  same([await k.schema.hasTable("ku"), await k.schema.hasColumn("ku", "more")], [true, true]);
  const [id] = await k("ku").insert({ name: "a", m: JSON.stringify({ q: 1 }), e: "x", arr: [1, 2] }).returning("id");
  await k("ku").insert([{ name: "b" }, { name: "a", e: "y" }]).onConflict("name").merge();
  await k("kp").insert({ uid: id.id, b: "hi" });
  const rows = await k("ku").select("ku.name").count("kp.id as c").leftJoin("kp", "kp.uid", "ku.id").groupBy("ku.id").orderBy("ku.id");
  same(rows, [{ name: "a", c: "1" }, { name: "b", c: "0" }]);
  same((await k.with("w", k("ku").where("id", ">", 0)).select().from("w").whereIn("id", k("ku").select("id"))).length, 2);
  await k.transaction(async (t) => {
    await t("ku").where({ name: "a" }).forUpdate().select();
    same((await t("ku").where({ name: "a" }).update({ d: 1.5 }).returning("d"))[0].d, "1.50");
    const sp = await t.transaction();
    await sp("ku").del();
    await sp.rollback();
  });
  same(Object.keys(await k("ku").columnInfo()).length, 10);
  same((await k("ku").whereJsonSupersetOf("m", { q: 1 })).length, 1);
  await k.migrate.currentVersion();
  await k.destroy();
});

await check("typeorm", async () => {
  const U = new EntitySchema({
    name: "tu",
    columns: {
      id: { type: "int", primary: true, generated: true }, name: { type: "varchar", length: 50, unique: true }, j: { type: "jsonb", nullable: true },
      arr: { type: "text", array: true, nullable: true }, ts: { type: "timestamptz", createDate: true },
      d: { type: "numeric", precision: 10, scale: 2, nullable: true }, v: { type: "int", version: true }, uid: { type: "uuid", generated: "uuid" },
    },
    relations: { posts: { type: "one-to-many", target: "tp", inverseSide: "user" } },
    indices: [{ columns: ["ts"] }],
    checks: [{ expression: '"id" > 0' }],
  });
  const P = new EntitySchema({
    name: "tp",
    columns: { id: { type: "bigint", primary: true, generated: true }, t: { type: "text" } },
    relations: {
      user: { type: "many-to-one", target: "tu", inverseSide: "posts", onDelete: "CASCADE" },
      tags: { type: "many-to-many", target: "tt", joinTable: true, cascade: true },
    },
  });
  const G = new EntitySchema({ name: "tt", columns: { id: { type: "int", primary: true, generated: true }, w: { type: "varchar" } } });
  const ds = new DataSource({ type: "postgres", url, entities: [U, P, G], synchronize: true, logging: false });
  await ds.initialize();
  // What it reads back is what it made: nothing is left to change.
  same((await ds.driver.createSchemaBuilder().log()).upQueries.length, 0);
  const r = ds.getRepository("tu");
  const u = await r.save({ name: "a", j: { x: 1 }, arr: ["q"] });
  await ds.getRepository("tp").save({ t: "x", user: u, tags: [{ w: "1" }] });
  await r.save([{ name: "b" }, { name: "c" }]);
  u.name = "aa";
  await r.save(u);
  const f = await r.find({ relations: { posts: { tags: true } }, where: { name: "aa" }, order: { id: "DESC" }, take: 5 });
  same([f[0].v, f[0].arr, f[0].posts[0].tags[0].w], [2, ["q"], "1"]);
  await r.upsert([{ name: "b", d: "1.5" }], ["name"]);
  const [, n] = await r.createQueryBuilder("u").leftJoinAndSelect("u.posts", "p").where("u.id in (:...i)", { i: [1, 2] }).orderBy("u.id").skip(0).take(2).getManyAndCount();
  same(n, 2);
  await ds.transaction("SERIALIZABLE", async (m) => {
    same((await m.getRepository("tu").findOne({ where: { name: "b" }, lock: { mode: "pessimistic_write" } })).d, "1.50");
  });
  await r.delete({ name: "c" });
  await ds.dropDatabase();
  await ds.destroy();
});

await check("drizzle", async () => {
  const u = pgTable("du", {
    id: serial("id").primaryKey(), name: text("name").notNull().unique(), m: jsonb("m"), at: timestamp("at").defaultNow(), ok: boolean("ok").default(true),
    g: uuid("g").defaultRandom(), n: numeric("n", { precision: 8, scale: 2 }),
  });
  const p = pgTable("dp", { id: serial("id").primaryKey(), uid: integer("uid").references(() => u.id), t: text("t") });
  const ur = relations(u, ({ many }) => ({ posts: many(p) }));
  const pr = relations(p, ({ one }) => ({ user: one(u, { fields: [p.uid], references: [u.id] }) }));
  const pool = new pg.Pool({ connectionString: url });
  const db = drizzle(pool, { schema: { u, p, ur, pr } });
  await db.execute(sql`create table du (id serial primary key, name text not null unique, m jsonb, at timestamp default now(), ok boolean default true,
    g uuid default gen_random_uuid(), n numeric(8,2))`);
  await db.execute(sql`create table dp (id serial primary key, uid integer references du(id), t text)`);
  const [x] = await db.insert(u).values({ name: "a", m: { q: 1 }, n: "1.5" }).returning();
  same([x.n, x.m, x.ok], ["1.50", { q: 1 }, true]);
  await db.insert(u).values([{ name: "b" }, { name: "a" }]).onConflictDoUpdate({ target: u.name, set: { ok: false } });
  await db.insert(p).values({ uid: x.id, t: "hi" });
  const q = await db.query.u.findMany({ with: { posts: true }, where: eq(u.name, "a"), limit: 3, orderBy: [desc(u.id)] });
  same([q[0].ok, q[0].posts], [false, [{ id: 1, uid: 1, t: "hi" }]]);
  const deep = await db.query.p.findMany({ with: { user: { with: { posts: { columns: { t: true } } } } } });
  same(deep[0].user.posts, [{ t: "hi" }]);
  same(await db.select({ n: u.name, c: count(p.id) }).from(u).leftJoin(p, eq(p.uid, u.id)).groupBy(u.id).orderBy(u.id), [{ n: "a", c: 1 }, { n: "b", c: 0 }]);
  await db.transaction(async (t) => {
    await t.update(u).set({ ok: true }).where(eq(u.id, 1));
    await t.transaction(async (inner) => inner.delete(p));
  });
  same((await db.select().from(p)).length, 0);
  await pool.end();
});

await admin.query(`drop database ${DATABASE} with (force)`);
await admin.end();
process.exit(failed ? 1 : 0);
