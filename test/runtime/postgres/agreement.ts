import { setTimeout } from "node:timers/promises";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { createInbox, createOutbox, tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { Pool } from "pg";
import { PgBouncer } from "../../support/pgbouncer.js";
import { PostgresServer } from "../../support/postgres-server.js";
import { BreakingProxy } from "./breaking-proxy.js";
import { delivered } from "./database.js";
import type { Library, Work } from "./libraries.js";

export const CONNECTIONS = ["direct", "PgBouncer (session)", "PgBouncer (transaction)"] as const;
export type Connection = (typeof CONNECTIONS)[number];

/** How a function ends, after its work. */
const endings: Readonly<Record<string, (work: Work) => unknown>> = {
  commits: () => {},
  "rolls back": (work) => work.execute("rollback"),
  "rolls back and begins again": async (work) => {
    await work.execute("rollback");
    await work.execute("begin");
  },
  "rejects with undefined": () => Promise.reject(undefined),
  "hides that a statement failed": async (work) => {
    await Promise.resolve(work.execute("select nothing")).catch(() => {});
  },
};

/** When the connection is lost, or the server's part of it. */
export const LOSSES = ["never", "before", "during", "server", "at commit", "after commit"] as const;

export interface Cell {
  readonly ending: string;
  readonly loss: (typeof LOSSES)[number];
}

export const CELLS: readonly Cell[] = LOSSES.flatMap((loss) =>
  Object.keys(endings).map((ending) => ({ ending, loss })),
);

/** Nothing here takes as long, unless it hangs. */
const HANGS_MS = 30_000;
/** A server that has not noticed the loss of a connection keeps its transaction until it has. */
const MAX_DELIVERIES = 600;
const PAUSE_MS = 50;

/** A PostgreSQL with PgBouncer in front of it, in both modes. */
export class Databases implements AsyncDisposable {
  private constructor(
    readonly server: PostgresServer,
    readonly pool: Pool,
    private readonly bouncers: Readonly<Partial<Record<Connection, PgBouncer>>>,
  ) {}

  static async start(): Promise<Databases> {
    const server = await PostgresServer.start();
    const pool = new Pool({ connectionString: server.url, application_name: "test" });
    pool.on("error", () => {});
    await pool.query(`${tablesSql()}; create table orders (id text)`);
    return new Databases(server, pool, {
      "PgBouncer (session)": await PgBouncer.start(server.port, "session"),
      "PgBouncer (transaction)": await PgBouncer.start(server.port, "transaction"),
    });
  }

  async connect(connection: Connection, libraryOf: (url: string) => Library): Promise<TestService> {
    await this.pool.query("truncate orders, eventgrid_inbox, eventgrid_outbox");
    const proxy = new BreakingProxy(this.bouncers[connection]?.port ?? this.server.port);
    const url = new URL(this.server.url);
    url.port = String(await proxy.start());
    return new TestService(this, proxy, libraryOf(url.href));
  }

  async breakServer(): Promise<void> {
    await this.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> 'test'",
    );
  }

  async count(rows: string, id: string): Promise<number> {
    const { rows: counted } = await this.pool.query(`select count(*) from ${rows}`, [id]);
    return Number(counted[0].count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bouncer of Object.values(this.bouncers)) await bouncer[Symbol.asyncDispose]();
    await this.pool.end();
    await this.server.crash();
  }
}

/** A service that uses a library, with an outbox and an inbox. */
export class TestService implements AsyncDisposable {
  readonly #publisher = createPublisher(
    { topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net", accessKey: "a2V5" },
    { source: "/shop" },
  );
  readonly #inbox;
  readonly #outbox;

  constructor(
    private readonly databases: Databases,
    private readonly proxy: BreakingProxy,
    private readonly library: Library,
  ) {
    const options = { pool: library.source, logger: false };
    this.#inbox = createInbox({ ...options, consumer: "shipping" });
    this.#outbox = createOutbox(this.#publisher, options);
  }

  /** The cells that are not right, with what is wrong. */
  async findings(operation: "handle" | "place", cells: readonly Cell[]): Promise<string[]> {
    const findings: string[] = [];
    for (const cell of cells) {
      const finding = await this[operation](cell);
      if (finding !== undefined) findings.push(`${cell.ending}, lost ${cell.loss}: ${finding}`);
    }
    return findings;
  }

  /**
   * Delivers an event until it is acknowledged. Only the first call of the handler is disturbed.
   *
   * @returns what is wrong; `undefined` if effects and acknowledgements agree
   */
  async handle({ ending, loss }: Cell): Promise<string | undefined> {
    const id = `${ending}, ${loss}`;
    let calls = 0;
    const handler = this.#inbox.handler(async (_, { client }) => {
      calls += 1;
      const work = this.library.work(client);
      const isDisturbed = calls === 1;
      await work.insert(id);
      if (isDisturbed) await this.#lose(loss, "in the function");
      await work.insert(id);
      if (isDisturbed) await endings[ending]?.(work);
    });
    await this.#lose(loss, "before it");
    for (let delivery = 1; delivery <= MAX_DELIVERIES; delivery += 1) {
      const before = calls;
      const outcome = await outcomeOf(() => handler(...delivered(id)));
      this.proxy.atCommit = undefined;
      if (outcome === "hangs") return "the handler hangs";
      const effects = await this.databases.count("orders where id = $1", id);
      if (outcome === "fails") {
        if (effects !== 0 && loss !== "after commit") return `${effects} effects after a failure`;
        await setTimeout(PAUSE_MS);
        continue;
      }
      if (ending !== "commits" && before === 0 && calls === 1)
        return "acknowledged without a commit";
      return effects === 2 ? undefined : `acknowledged with ${effects} of 2 effects`;
    }
    return "never acknowledged";
  }

  /** Delivers events at the same time, each of which has one effect when it is acknowledged. */
  async handleAtOnce(events: number): Promise<{ acknowledged: number; effects: number }> {
    const handler = this.#inbox.handler((event, { client }) =>
      this.library.work(client).insert(`at once ${event.id}`),
    );
    const outcomes = Array.from({ length: events }, (_, id) =>
      outcomeOf(() => handler(...delivered(`${id}`))),
    );
    const acknowledged = (await Promise.all(outcomes)).filter((outcome) => outcome === "succeeds");
    const effects = await this.databases.count("orders where id like $1", "at once %");
    return { acknowledged: acknowledged.length, effects };
  }

  /** Delivers an event three times, to a handler whose first call nests a transaction. */
  async handleNested(): Promise<{ outcomes: unknown[]; calls: number; effects: number }> {
    const id = "nested";
    let calls = 0;
    const handler = this.#inbox.handler(async (_, { client }) => {
      const work = this.library.work(client);
      calls += 1;
      await work.insert(id);
      if (calls === 1) await work.nest?.(id);
    });
    const outcomes: unknown[] = [];
    for (let delivery = 1; delivery <= 3; delivery += 1) {
      const handling = Promise.resolve(handler(...delivered(id)));
      outcomes.push(await handling.then(() => "handled", String));
    }
    return { outcomes, calls, effects: await this.databases.count("orders where id = $1", id) };
  }

  /** Stores an order and its event. */
  async place({ ending, loss }: Cell): Promise<string | undefined> {
    const id = `placed: ${ending}, ${loss}`;
    await this.#lose(loss, "before it");
    const outcome = await outcomeOf(() =>
      this.#outbox.transaction(async (client) => {
        const work = this.library.work(client);
        await work.insert(id);
        await this.#lose(loss, "in the function");
        await this.#outbox.add(client, { type: "shop.order.placed", id, data: {} });
        await endings[ending]?.(work);
      }),
    );
    this.proxy.atCommit = undefined;
    if (outcome === "hangs") return "the function hangs";
    const stored = await this.databases.count("orders where id = $1", id);
    const events = await this.databases.count(
      "eventgrid_outbox where convert_from(body, 'UTF8')::json->>'id' = $1",
      id,
    );
    const isStored = stored === 1 && events === 1;
    if (!isStored && stored + events > 0) return `${stored} orders with ${events} events`;
    if (isStored && ending !== "commits") return "committed";
    if (isStored)
      return outcome === "succeeds" || loss === "after commit"
        ? undefined
        : "stored after a failure";
    return outcome === "fails" ? undefined : "lost";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inbox.close();
    await this.#outbox.close();
    await this.#publisher.close();
    this.proxy.stop();
    await Promise.race([this.library.close(), setTimeout(5_000)]);
  }

  async #lose(loss: Cell["loss"], when: "before it" | "in the function"): Promise<void> {
    if (when === "before it") {
      if (loss === "before") this.proxy.breakAll();
    } else if (loss === "during") this.proxy.breakAll();
    else if (loss === "server") await this.databases.breakServer();
    else if (loss === "at commit") this.proxy.atCommit = "before";
    else if (loss === "after commit") this.proxy.atCommit = "after";
  }
}

async function outcomeOf(work: () => unknown): Promise<"succeeds" | "fails" | "hangs"> {
  const ended = new AbortController();
  const hangs = setTimeout(HANGS_MS, "hangs" as const, { signal: ended.signal });
  const working = (async () => work())().then(
    () => "succeeds" as const,
    () => "fails" as const,
  );
  try {
    return await Promise.race([working, hangs]);
  } finally {
    ended.abort();
    hangs.catch(() => {});
  }
}
