import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { type Transactions, tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createInboxWith } from "../../../runtime/src/postgres/inbox.js";
import { createOutboxWith } from "../../../runtime/src/postgres/outbox.js";
import { describeWith, itWith } from "../../support/describe-with.js";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { PgBouncer } from "../../support/pgbouncer.js";
import { PostgresServer } from "../../support/postgres-server.js";
import { TopicServer } from "../../support/topic-server.js";
import { CollectingLog } from "../receiver/service.js";
import { BreakingProxy } from "./breaking-proxy.js";
import { delivered } from "./database.js";
import { libraries } from "./libraries.js";

describeWith("postgres", "a connection to PostgreSQL that is not answered any more", () => {
  let server: PostgresServer;
  let topic: TopicServer;
  let direct: Pool;

  beforeAll(async () => {
    server = await PostgresServer.start();
    topic = await TopicServer.start();
    direct = new Pool({ connectionString: server.url });
    direct.on("error", () => {});
    await direct.query(`${tablesSql()}; create table orders (id text)`);
  });
  afterAll(async () => {
    await direct.end();
    await topic.stop();
    await server.crash();
  });
  beforeEach(async () => {
    topic.accepted.length = 0;
    await direct.query("truncate eventgrid_outbox, eventgrid_inbox, orders");
  });

  const count = async (table: string) =>
    Number((await direct.query(`select count(*) from ${table}`)).rows[0]?.count);

  async function connect(config: PoolConfig = {}, target = server.port) {
    const proxy = new BreakingProxy(target);
    const url = new URL(server.url);
    url.port = String(await proxy.start());
    const pool = new Pool({ connectionString: url.href, idleTimeoutMillis: 0, max: 5, ...config });
    pool.on("error", () => {});
    onTestFinished(async () => {
      if (!pool.ended) await pool.end();
      proxy.stop();
    });
    /** Opens all connections of the pool. */
    const warmUp = async () => {
      const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
      for (const client of clients) client.release();
    };
    return {
      proxy,
      pool,
      url: url.href,
      warmUp,
      clock: new ManualClock(),
      log: new CollectingLog(),
    };
  }
  type Connected = Awaited<ReturnType<typeof connect>>;

  function outboxOf({ pool, clock, log }: Connected, source: Pool | Transactions = pool) {
    const publisher = createPublisher(topic.binding, { source: "/shop" });
    const options = { pool: source, logger: log };
    const outbox = createOutboxWith(publisher, options, clock, () => 1);
    onTestFinished(async () => {
      await outbox.close();
      await publisher.close();
    });
    return outbox;
  }

  /** Lets seconds pass until an event has been published. */
  const published = (clock: ManualClock) =>
    expect
      .poll(() => {
        clock.advance(1_000);
        return topic.accepted.length;
      })
      .toBe(1);

  const place = (outbox: ReturnType<typeof outboxOf>, id: string) =>
    outbox.add(direct, { type: "shop.order.placed", id, data: {} });

  describe("the relay on silent connections", () => {
    it("is replaced, with all idle ones, after ten seconds", async () => {
      const connected = await connect();
      const { proxy, clock, log, warmUp } = connected;
      const outbox = outboxOf(connected);
      await outbox.start();
      await clock.whenScheduled(1_000);
      await warmUp();
      proxy.silence();
      await place(outbox, "1");
      outbox.wake();
      await clock.pass(10_000);
      await clock.pass(1_000);
      await expect.poll(() => topic.accepted).toHaveLength(1);
      expect(log.withMessage("the outbox cannot be read: trying again")).toMatchObject([
        { err: { code: "ERR_POSTGRES_TIMEOUT" } },
      ]);
    });

    for (const side of ["before", "behind"]) {
      const title = `is replaced ${side} PgBouncer, where others may be silent as well`;
      itWith("pgbouncer", title, async () => {
        const behind = new BreakingProxy(server.port);
        await using bouncer = await PgBouncer.start(await behind.start(), "transaction");
        onTestFinished(() => behind.stop());
        const connected = await connect({}, bouncer.port);
        const { proxy, pool, clock } = connected;
        const outbox = outboxOf(connected);
        await outbox.start();
        await clock.whenScheduled(1_000);
        // Each takes a connection of PgBouncer.
        await Promise.all([1, 2, 3].map(() => pool.query("select pg_sleep(0.1)")));
        (side === "before" ? proxy : behind).silence();
        await place(outbox, "1");
        outbox.wake();
        await published(clock);
        await outbox.close();
        await pool.end();
      });
    }

    it("does not keep the outbox from closing, nor the pool", async () => {
      const connected = await connect();
      const { proxy, pool, clock } = connected;
      const outbox = outboxOf(connected);
      await outbox.start();
      await clock.whenScheduled(1_000);
      await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
      proxy.silence();
      outbox.wake();
      await clock.whenScheduled(10_000);
      const closing = outbox.close();
      await clock.pass(5_000);
      clock.advance(5_000);
      await closing;
      await pool.end();
    });

    it("does not keep an outbox from closing that is starting", async () => {
      const connected = await connect();
      const { proxy, pool } = connected;
      proxy.isSilent = true;
      const outbox = outboxOf(connected);
      const starting = outbox.start();
      await Promise.all([outbox.close(), expect(starting).rejects.toThrow("is closed")]);
      proxy.stop();
      await pool.end();
    });

    it("is given up if it is of another library, as many times as that has connections", async () => {
      const connected = await connect();
      const { proxy, url, clock, log } = connected;
      const knex = libraries["Knex, with transactions of its own"]?.(url);
      if (knex === undefined) throw new Error("unknown library");
      const outbox = outboxOf(connected, knex.source as Transactions);
      await outbox.start();
      await clock.whenScheduled(1_000);
      proxy.isSilent = true;
      proxy.silence();
      const refused = () => log.withMessage("the outbox cannot be read: trying again").at(-1);
      await expect
        .poll(() => {
          clock.advance(60_000);
          return refused();
        })
        .toMatchObject({ err: { message: expect.stringMatching(/^\d calls of the pool/) } });
      proxy.isSilent = false;
      proxy.breakAll();
      await place(outbox, "1");
      await published(clock);
      await outbox.close();
      await knex.close();
    });
  });

  describe("the inbox on silent connections", () => {
    function inboxOf({ pool, clock, log }: Connected) {
      const inbox = createInboxWith({ pool, consumer: "shipping", logger: log }, clock);
      onTestFinished(() => inbox.close());
      return inbox;
    }

    it("is replaced after ten seconds, without a call of the handler", async () => {
      const connected = await connect();
      const { proxy, clock, warmUp } = connected;
      const inbox = inboxOf(connected);
      let calls = 0;
      const handler = inbox.handler(async (event, { client }) => {
        calls += 1;
        await client.query("insert into orders values ($1)", [event.id]);
      });
      await inbox.start();
      await clock.whenScheduled(60_000);
      await warmUp();
      proxy.silence();
      const handling = Promise.resolve(handler(...delivered("a")));
      const failing = expect(handling).rejects.toMatchObject({ code: "ERR_POSTGRES_TIMEOUT" });
      await clock.pass(10_000);
      await failing;
      expect(calls).toBe(0);
      await handler(...delivered("a"));
      expect(await count("orders")).toBe(1);
    });

    it("is replaced after 30 s when the answer of a commit is missing, which counts", async () => {
      const connected = await connect();
      const { proxy, clock } = connected;
      const inbox = inboxOf(connected);
      const handler = inbox.handler((event, { client }) =>
        client.query("insert into orders values ($1)", [event.id]),
      );
      await inbox.start();
      proxy.atCommit = "silent";
      const handling = Promise.resolve(handler(...delivered("a")));
      const failing = expect(handling).rejects.toMatchObject({ code: "ERR_POSTGRES_TIMEOUT" });
      await clock.whenScheduled(30_000);
      await expect.poll(() => count("orders")).toBe(1);
      clock.advance(30_000);
      await failing;
      await handler(...delivered("a"));
      expect(await count("orders")).toBe(1);
    });

    it("keeps its transaction, and the event, until the server's own limit if that does not learn of its end", async () => {
      const handle = async (idleTimeout: string) => {
        const options = `-c idle_in_transaction_session_timeout=${idleTimeout}`;
        const connected = await connect({ options });
        const { proxy } = connected;
        const inbox = inboxOf(connected);
        let calls = 0;
        const handler = inbox.handler(async (event, { client }) => {
          calls += 1;
          if (calls === 1) proxy.breakClients();
          await client.query("insert into orders values ($1)", [event.id]);
        });
        const handling = () => Promise.resolve(handler(...delivered(idleTimeout))).catch(String);
        await handling();
        return handling;
      };
      const busy = expect.stringContaining("another transaction is handling the event");
      const unlimited = await handle("0");
      expect(await unlimited()).toEqual(busy);
      const limited = await handle("100");
      await expect.poll(limited).toBe(undefined);
      expect(await count("orders")).toBe(1);
    });

    it("does not keep a handler's transaction, which ends overdueMs after the deadline", async () => {
      const connected = await connect({ max: 1 });
      const { proxy, clock } = connected;
      const inbox = inboxOf(connected);
      const deadline = new AbortController();
      const started = gate();
      let isSilent = true;
      const handler = inbox.handler(async (event, { client }) => {
        if (isSilent) proxy.silence();
        started.open();
        await client.query("insert into orders values ($1)", [event.id]);
      });
      const handling = Promise.resolve(handler(...delivered("a", { signal: deadline.signal })));
      const failing = expect(handling).rejects.toMatchObject({ code: "ERR_INBOX_OVERDUE" });
      await started.passed;
      deadline.abort();
      clock.advance(30_000);
      await failing;
      isSilent = false;
      await expect.poll(() => count("pg_locks where locktype = 'advisory'")).toBe(0);
      await handler(...delivered("a"));
      expect(await count("orders")).toBe(1);
    });
  });
});
