import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import {
  createInbox,
  createOutbox,
  type Queryable,
  type Transactions,
  tablesSql,
} from "cloud-eventgrid-binding-runtime/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { emptyProject } from "../../packages/packed.js";
import { describeWith } from "../../support/describe-with.js";
import { gate } from "../../support/gate.js";
import { PostgresServer } from "../../support/postgres-server.js";
import { TopicServer } from "../../support/topic-server.js";
import { delivered } from "./database.js";

/** Too large for the lock file of this repository. TypeORM takes pg-native where it is installed. */
const PACKAGES = [
  "pg@8.23.1",
  "pg-native@3.9.0",
  "typeorm@1.1.1",
  "reflect-metadata@0.2.2",
  "sequelize@6.37.8",
  "kysely@0.29.9",
  "pg-promise@12.7.1",
  "@mikro-orm/core@7.2.5",
  "@mikro-orm/postgresql@7.2.5",
];
const MAX = 4;

interface Library {
  readonly source: Transactions;
  close(): Promise<unknown>;
}
type Load = (name: string) => ReturnType<NodeJS.Require>;

const sourceOf = (transaction: Transactions["transaction"]) => ({ max: MAX, transaction });
/** The rows, where an update returns them together with their number. */
const objects = (rows: unknown) => {
  const inner = Array.isArray(rows) && Array.isArray(rows[0]) ? rows[0] : rows;
  return { rows: Array.isArray(inner) ? inner : [] };
};
const questionMarks = (text: string) => text.replace(/\$\d+/g, "?");

const libraries: Readonly<Record<string, (load: Load, url: string) => Promise<Library>>> = {
  async "TypeORM-with-pg-native"(load, url) {
    load("reflect-metadata");
    const { DataSource } = load("typeorm");
    const db = await new DataSource({ type: "postgres", url, extra: { max: MAX } }).initialize();
    expect(db.driver.postgres).toBe(load("pg").native);
    const clientOf = (em: { query(text: string, values: unknown[]): Promise<unknown> }) => ({
      query: async (text: string, values: unknown[] = []) => objects(await em.query(text, values)),
    });
    const source = sourceOf((work) => db.transaction((em: never) => work(clientOf(em))));
    return { source, close: () => db.destroy() };
  },
  async Sequelize(load, url) {
    const { Sequelize } = load("sequelize");
    const db = new Sequelize(url, { logging: false, pool: { max: MAX } });
    const clientOf = (transaction: unknown) => ({
      query: async (text: string, values: unknown[] = []) => {
        const bind = values.length > 0 ? values : undefined;
        return objects((await db.query(text, { bind, transaction }))[0]);
      },
    });
    const source = sourceOf((work) => db.transaction((tx: unknown) => work(clientOf(tx))));
    return { source, close: () => db.close() };
  },
  async Kysely(load, url) {
    const { Kysely, PostgresDialect, CompiledQuery } = load("kysely");
    const pool = new Pool({ connectionString: url, max: MAX });
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const clientOf = (tx: { executeQuery(query: unknown): Promise<{ rows: unknown[] }> }) => ({
      query: (text: string, values: unknown[] = []) =>
        tx.executeQuery(CompiledQuery.raw(text, values)),
    });
    const source = sourceOf((work) => db.transaction().execute((tx: never) => work(clientOf(tx))));
    return { source, close: () => db.destroy() };
  },
  async "pg-promise"(load, url) {
    const db = load("pg-promise")({ noWarnings: true })({ connectionString: url, max: MAX });
    const clientOf = (tx: { any(text: string, values?: unknown[]): Promise<unknown[]> }) => ({
      query: async (text: string, values?: unknown[]) => ({ rows: await tx.any(text, values) }),
    });
    const source = sourceOf((work) => db.tx((tx: never) => work(clientOf(tx))));
    return { source, close: () => db.$pool.end() };
  },
  async MikroORM(load, clientUrl) {
    const { MikroORM, EntitySchema } = load("@mikro-orm/postgresql");
    const entity = new EntitySchema({
      name: "E",
      properties: { id: { primary: true, type: "number" } },
    });
    const orm = await MikroORM.init({ clientUrl, entities: [entity], pool: { min: 0, max: MAX } });
    const db = orm.em.getConnection();
    const clientOf = (em: { getTransactionContext(): unknown }) => ({
      query: async (text: string, values: unknown[] = []) =>
        objects(await db.execute(questionMarks(text), values, "all", em.getTransactionContext())),
    });
    const source = sourceOf((work) =>
      orm.em.fork().transactional((em: never) => work(clientOf(em))),
    );
    return { source, close: () => orm.close() };
  },
};

describeWith("postgres", "outbox and inbox with transactions of another library", () => {
  let server: PostgresServer;
  let topic: TopicServer;
  let direct: Pool;
  let load: Load;

  beforeAll(async () => {
    const project = emptyProject();
    await project.install(...PACKAGES);
    load = createRequire(join(project.folder, "package.json"));
    server = await PostgresServer.start();
    topic = await TopicServer.start();
    direct = new Pool({ connectionString: server.url });
    await direct.query(`${tablesSql()}; create table orders (id text)`);
  });
  afterAll(async () => {
    await direct.end();
    await topic.stop();
    await server.crash();
  });

  const effects = async (id: string) =>
    (await direct.query("select from orders where id = $1", [id])).rowCount;

  describe.each(Object.entries(libraries))("%s", (name, connect) => {
    async function setUp() {
      const library = await connect(load, server.url);
      const publisher = createPublisher(topic.binding, { source: `/${name}` });
      const outbox = createOutbox(publisher, { pool: library.source, logger: false });
      const inbox = createInbox({ pool: library.source, consumer: name, logger: false });
      onTestFinished(async () => {
        await outbox.close();
        await inbox.close();
        await publisher.close();
        await library.close();
      });
      return { outbox, inbox };
    }
    const insert = (client: Queryable, id: string) =>
      client.query(`insert into orders values ('${id}')`);

    it("publishes what it stored, and handles once whatever its handler does", async () => {
      const { outbox, inbox } = await setUp();
      const data = "C:\\temp é 'x' ? $1 \\\\";
      await outbox.start();
      await outbox.transaction((client) => outbox.add(client, { type: "shop.order.placed", data }));
      const published = () => topic.accepted.filter(({ source }) => source === `/${name}`);
      await expect.poll(published).toMatchObject([{ data }]);

      let calls = 0;
      const handler = inbox.handler(async ({ id }, { client }) => {
        calls += 1;
        await insert(client, id);
        if (calls < 3) await client.query("do $$ begin raise sqlstate '40001'; end $$");
        if (calls === 3) await client.query("commit");
      });
      const event = () => delivered(`${name}, once`);
      // Two serialization failures, and a commit of its own.
      await expect(handler(...event())).rejects.toMatchObject({
        message: expect.stringContaining("the handler committed the transaction itself"),
      });
      expect([calls, await effects(`${name}, once`)]).toEqual([3, 1]);
      await handler(...event());
      await handler(...event());
      expect([calls, await effects(`${name}, once`)]).toEqual([4, 2]);
    });

    it("lets a handler take 20 s, and leaves its event to it", async () => {
      const { inbox } = await setUp();
      const started = gate();
      const handler = inbox.handler(async ({ id }, { client }) => {
        await insert(client, id);
        started.open();
        await setTimeout(20_000);
        await insert(client, id);
      });
      const event = () => delivered(`${name}, slow`);
      const handling = handler(...event());
      await started.passed;
      await expect(handler(...event())).rejects.toMatchObject({ code: "ERR_INBOX_BUSY" });
      await handling;
      await handler(...event());
      expect(await effects(`${name}, slow`)).toBe(2);
    });
  });
});
