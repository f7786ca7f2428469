import { type CloudEvent, createPublisher } from "cloud-eventgrid-binding-runtime";
import {
  createInbox,
  createOutbox,
  type InboxOptions,
  type Queryable,
  tablesSql,
} from "cloud-eventgrid-binding-runtime/postgres";
import { Pool, type PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { prepareInsert } from "../../../runtime/src/postgres/inbox-table.js";
import { describeWith } from "../../support/describe-with.js";
import { gate } from "../../support/gate.js";
import { PostgresServer } from "../../support/postgres-server.js";
import { TopicServer } from "../../support/topic-server.js";
import { delivered } from "./database.js";

describeWith("postgres", "outbox and inbox on a PostgreSQL with several connections", () => {
  let server: PostgresServer;
  let topic: TopicServer;
  let pool: Pool;

  beforeAll(async () => {
    server = await PostgresServer.start();
    topic = await TopicServer.start();
    pool = newPool();
    await pool.query(`${tablesSql()}; create table orders (id text); create table stock (n int)`);
  });
  afterAll(async () => {
    await pool.end();
    await topic.stop();
    await server.crash();
  });
  beforeEach(async () => {
    topic.accepted.length = 0;
    await pool.query("truncate eventgrid_outbox, eventgrid_inbox, orders, stock");
  });

  function newPool(max = 10, options = ""): Pool {
    const created = new Pool({ connectionString: server.url, max, options });
    created.on("error", () => {});
    return created;
  }

  function testPool(max?: number, options?: string): Pool {
    const created = newPool(max, options);
    onTestFinished(() => created.end());
    return created;
  }

  const count = async (table: string) =>
    Number((await pool.query(`select count(*) from ${table}`)).rows[0]?.count);

  function inboxOf<Source extends InboxOptions["pool"]>(source: Source, options = {}) {
    const inbox = createInbox({ pool: source, consumer: "shipping", logger: false, ...options });
    onTestFinished(() => inbox.close());
    return inbox;
  }

  function outboxOf(source: Pool, options = {}) {
    const publisher = createPublisher(topic.binding, { source: "/shop" });
    const outbox = createOutbox(publisher, { pool: source, logger: false, ...options });
    onTestFinished(async () => {
      await outbox.close();
      await publisher.close();
    });
    return outbox;
  }

  const insert = async (client: Queryable, { id }: CloudEvent) => {
    await client.query("insert into orders values ($1)", [id]);
  };

  it("leaves an event to another delivery while a replica handles it, without a wait", async () => {
    const started = gate();
    const finished = gate();
    const first = inboxOf(testPool()).handler(async (event, { client }) => {
      await insert(client, event);
      started.open();
      await finished.passed;
    });
    const second = inboxOf(testPool()).handler((event, { client }) => insert(client, event));
    const handling = first(...delivered("a"));
    await started.passed;
    await expect(second(...delivered("a"))).rejects.toMatchObject({ code: "ERR_INBOX_BUSY" });
    finished.open();
    await handling;
    await second(...delivered("a"));
    expect(await count("orders")).toBe(1);
  });

  it("does not lock up handlers that query a pool of two connections themselves", async () => {
    const small = testPool(2);
    const handle = (consumer: string) =>
      inboxOf(small, { consumer }).handler(async (event, { client }) => {
        await small.query("select 1");
        await insert(client, event);
      });
    const handlers = [handle("shipping"), handle("billing")];
    const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(handlers.flatMap((handler) => ids.map((id) => handler(...delivered(id)))));
    expect(await count("orders")).toBe(40);
  });

  it("rolls back when a function releases its client, which another transaction would take", async () => {
    const own = testPool(1);
    const outbox = outboxOf(own);
    const work = async (client: PoolClient) => {
      await insert(client, delivered("a")[0]);
      client.release();
    };
    const handler = inboxOf(own).handler((_, { client }) => work(client));
    const message = "the function must not release the client";
    await expect(handler(...delivered("a"))).rejects.toThrow(message);
    await expect(outbox.transaction(work)).rejects.toThrow(message);
    expect([await count("orders"), await count("eventgrid_inbox")]).toEqual([0, 0]);
    expect(own.idleCount).toBe(1);
  });

  it("handles events on connections that lose prepared statements, as those of PgBouncer do", async () => {
    const handler = inboxOf(testPool(1)).handler(async (event, { client }) => {
      await insert(client, event);
      await client.query("deallocate all");
    });
    for (const id of ["a", "b", "c", "c"]) await handler(...delivered(id));
    expect([await count("orders"), await count("eventgrid_inbox")]).toEqual([3, 3]);
  });

  it("handles events on connections where another process has prepared the statement", async () => {
    const own = testPool(1);
    own.on("connect", (client) => void client.query(prepareInsert('"public".eventgrid_inbox')));
    const handler = inboxOf(own).handler((event, { client }) => insert(client, event));
    for (const id of ["a", "b", "b"]) await handler(...delivered(id));
    expect(await count("orders")).toBe(2);
  });

  it("calls handlers again that cannot be serialized, until each has had its effect", async () => {
    const serializable = testPool(10, "-c default_transaction_isolation=serializable");
    const both = gate();
    let calls = 0;
    const handler = inboxOf(serializable).handler(async (_, { client }) => {
      const { rows } = await client.query("select count(*)::int as n from stock");
      calls += 1;
      if (calls === 2) both.open();
      await both.passed;
      await client.query("insert into stock values ($1)", [rows[0].n]);
    });
    const deliver = async (id: string) => {
      // Three tries may not suffice: PostgreSQL may refuse transactions that could be serialized.
      while (!(await Promise.resolve(handler(...delivered(id))).then(isDone, isFailed)));
    };
    await Promise.all([deliver("a"), deliver("b")]);
    expect(calls).toBeGreaterThan(2);
    const { rows } = await pool.query("select n from stock order by n");
    expect(rows).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it("creates the tables once from processes that run the SQL at the same time", async () => {
    await pool.query("create schema many");
    const sql = tablesSql({ schema: "many" });
    await Promise.all(Array.from({ length: 10 }, () => testPool(1).query(sql)));
    expect(await count("many.eventgrid_outbox")).toBe(0);
  });

  it.each([
    [
      "a right is missing",
      "revoke update on eventgrid_outbox, eventgrid_inbox from app",
      /by this role: grant select/,
    ],
    [
      "row-level security hides rows",
      "alter table eventgrid_outbox enable row level security; alter table eventgrid_inbox enable row level security",
      /has row-level security/,
    ],
  ])("refuses to start while %s", async (_, statements, message) => {
    const schema = `s${Math.random().toString(36).slice(2)}`;
    await pool.query(`create schema ${schema}; ${tablesSql({ schema })}`);
    await pool.query(`drop role if exists app; create role app login; grant usage on schema ${schema} to app;
      grant select, insert, update, delete on all tables in schema ${schema} to app; set search_path = ${schema}; ${statements}; reset search_path`);
    onTestFinished(async () => {
      await pool.query(`drop schema ${schema} cascade`);
    });
    const app = new Pool({ connectionString: server.url.replace("test@", "app@") });
    onTestFinished(() => app.end());
    await expect(outboxOf(app, { schema }).start()).rejects.toThrow(message);
    await expect(inboxOf(app, { schema }).start()).rejects.toThrow(message);
  });

  it("starts while the server is read-only, and publishes when it is not any more", async () => {
    const setting = { mode: "on" };
    const own = testPool();
    own.on("connect", (client) => {
      // A connection to a read-only server is closed, perhaps before this statement.
      client.query(`set default_transaction_read_only = ${setting.mode}`).catch(() => {});
    });
    const outbox = outboxOf(own);
    await outbox.add(pool, { type: "shop.order.placed", data: {} });
    await Promise.all([outbox.start(), inboxOf(own).start()]);
    setting.mode = "off";
    await expect.poll(() => topic.accepted).toHaveLength(1);
  });

  it("publishes each event once with several relays, past rows that a transaction holds", async () => {
    const outboxes = [1, 2, 3].map(() => outboxOf(pool));
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}`);
    await outboxes[0]?.add(
      pool,
      ids.map((id) => ({ type: "shop.order.placed", id, data: {} })),
    );
    const holder = await pool.connect();
    onTestFinished(() => holder.release());
    await holder.query("begin");
    await holder.query("select from eventgrid_outbox order by id limit 10 for update");
    await Promise.all(outboxes.map((outbox) => outbox.start()));
    await expect.poll(() => count("eventgrid_outbox")).toBe(10);
    await holder.query("commit");
    await expect.poll(() => count("eventgrid_outbox")).toBe(0);
    expect(topic.accepted.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
      ids.map(Number),
    );
  });

  it("publishes characters that the encoding of the database does not have", async () => {
    await pool.query("create database latin encoding 'LATIN1' locale 'C' template template0");
    const url = server.url.replace(/[^/]+$/, "latin");
    const latin = new Pool({ connectionString: url });
    latin.on("error", () => {});
    onTestFinished(() => latin.end());
    const outbox = outboxOf(latin);
    await latin.query(tablesSql());
    await outbox.add(latin, { type: "shop.order.placed", data: "Ω é 🦀" });
    await outbox.start();
    await expect.poll(() => topic.accepted).toMatchObject([{ data: "Ω é 🦀" }]);
  });
});

const isDone = () => true;
const isFailed = () => false;
