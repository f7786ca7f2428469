import { MemoryDeduplication } from "cloud-eventgrid-binding-runtime";
import { type RedisClient, redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { Cluster, Redis } from "ioredis";
import { Cluster as Cluster5, Redis as Redis5 } from "ioredis-5";
import { createClient, createCluster, RESP_TYPES } from "redis";
import { createClient as createClient5, createCluster as createCluster5 } from "redis-5";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { describeWith } from "../../../support/describe-with.js";
import { RedisServer } from "../../../support/redis-server.js";
import { anEvent, startService } from "../../listener/service.js";
import { storeTests } from "./store-tests.js";

const event = { consumer: "app/path", subscriptionKey: "orders", source: "/shop", id: "a" };

const HOUR = 3_600_000;

/** Makes time pass for the keys with a prefix: those whose time is over are gone. */
async function passTime(url: string, prefix: string, ms: number): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const key of await client.keys(`${prefix}*`)) {
    const left = await client.pTTL(key);
    if (left > ms) await client.pExpire(key, left - ms);
    else await client.del(key);
  }
  await client.close();
}

describe("the store in memory", () => {
  const create = () => {
    const store = new MemoryDeduplication();
    return { store, replica: store };
  };
  for (const { name, run } of storeTests(create)) it(name, run);
});

it.each<[string, unknown, string]>([
  ["undefined", undefined, "but is undefined"],
  ["a URL", "redis://127.0.0.1:6379", 'but is "redis://127.0.0.1:6379"'],
  [
    "a client of @upstash/redis",
    { eval: async () => "", evalsha: async () => "" },
    "but is one of another library, such as @upstash/redis",
  ],
  ["a client that is still connecting", Promise.resolve({}), "but is a promise: await it"],
])("redisDeduplication refuses %s as a client", (_, client, reason) => {
  // @ts-expect-error: what JavaScript may pass
  expect(() => redisDeduplication(client)).toThrow(
    `client must be a client of redis or ioredis, ${reason}`,
  );
});

it("redisDeduplication keeps its keys, so that an upgrade forgets no event", async () => {
  const keys: string[] = [];
  const run = async (_: string, command: { readonly keys: string[] }) => {
    keys.push(...command.keys);
    return "0";
  };
  await redisDeduplication({ eval: run, evalSha: run }).claim([event]);
  expect(keys).toEqual(["eventgrid:{HBaK2wDS}7dYHJyJB5s9eOB_d9PKedRvNi30I8JGDrMibgn5LbiQ"]);
});

describeWith("redis-server", "the store in Redis", () => {
  let server: RedisServer;
  let cluster: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
    // One node holds all slots: it still refuses scripts whose keys are in several slots.
    cluster = await RedisServer.start(
      ...["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"],
    );
    const client = await createClient({ url: urlOf(cluster) }).connect();
    await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
    while (!String(await client.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok")) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await client.close();
  });
  afterAll(async () => {
    await server.stop();
    await cluster.stop();
  });

  const urlOf = ({ port }: RedisServer) => `redis://127.0.0.1:${port}`;
  const connected = (server: RedisServer, client: RedisClient, close: () => Promise<unknown>) => ({
    server,
    client,
    close,
  });
  const connects = {
    async "node-redis 6"() {
      const client = await createClient({ url: urlOf(server) }).connect();
      return connected(server, client, () => client.close());
    },
    async "node-redis 5"() {
      const client = await createClient5({ url: urlOf(server) }).connect();
      return connected(server, client, () => client.close());
    },
    async "node-redis 6 that replies with Buffers"() {
      const plain = await createClient({ url: urlOf(server) }).connect();
      const client = plain.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
      return connected(server, client, () => plain.close());
    },
    async "a cluster of node-redis 6"() {
      const client = await createCluster({ rootNodes: [{ url: urlOf(cluster) }] }).connect();
      return connected(cluster, client, () => client.close());
    },
    async "a cluster of node-redis 5"() {
      const client = await createCluster5({ rootNodes: [{ url: urlOf(cluster) }] }).connect();
      return connected(cluster, client, () => client.close());
    },
    async "ioredis 6"() {
      const client = new Redis(urlOf(server));
      return connected(server, client, () => client.quit());
    },
    async "ioredis 5"() {
      const client = new Redis5(urlOf(server));
      return connected(server, client, () => client.quit());
    },
    async "a cluster of ioredis 6"() {
      const client = new Cluster([urlOf(cluster)]);
      return connected(cluster, client, () => client.quit());
    },
    async "a cluster of ioredis 5"() {
      const client = new Cluster5([urlOf(cluster)]);
      return connected(cluster, client, () => client.quit());
    },
  };

  describe.each(Object.entries(connects))("connected with %s", (_name, connect) => {
    let connection: Awaited<ReturnType<typeof connect>>;
    beforeAll(async () => {
      connection = await connect();
    });
    afterAll(() => connection.close());

    const create = () => {
      const prefix = `${crypto.randomUUID()}:`;
      // No test takes an hour.
      const newStore = () => redisDeduplication(connection.client, { prefix, leaseMs: HOUR });
      const pass = (ms: number) => passTime(urlOf(connection.server), prefix, ms);
      return { store: newStore(), replica: newStore(), pass };
    };
    for (const { name, run } of storeTests(create)) it.concurrent(name, run);
  });

  it("forgets a handled event after a day", async () => {
    const client = await createClient({ url: urlOf(server) }).connect();
    const store = redisDeduplication(client, { prefix: "day:" });
    for (const lease of await store.claim([event])) {
      if (typeof lease === "object") await store.settle([{ lease, isHandled: true }]);
    }
    await passTime(urlOf(server), "day:", 23 * HOUR);
    expect(await store.claim([event])).toEqual(["done"]);
    await passTime(urlOf(server), "day:", HOUR);
    expect(await store.claim([event])).toEqual([expect.any(Object)]);
    await client.close();
  });

  it("has keys of one length that say nothing about the event", async () => {
    const client = await createClient({ url: urlOf(server) }).connect();
    const store = redisDeduplication(client, { prefix: "lengths:" });
    await store.claim([{ ...event, id: "\ud800" }]);
    await store.claim([{ ...event, id: "\ud801" }]);
    await store.claim([{ ...event, source: `/${"s".repeat(10_000)}` }]);
    await store.claim([{ ...event, subscriptionKey: "" }]);
    const keys = await client.keys("lengths:*");
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(key).toMatch(/^lengths:\{[\w-]{8}\}[\w-]{43}$/);
    await client.close();
  });

  it("claims no event of a delivery if one of the keys has another type", async () => {
    const client = await createClient({ url: urlOf(server) }).connect();
    const store = redisDeduplication(client, { prefix: "types:" });
    const events = ["a", "b", "c"].map((id) => ({ ...event, id }));
    await store.claim([{ ...event, id: "b" }]);
    const [occupied = ""] = await client.keys("types:*");
    await client.del(occupied);
    await client.lPush(occupied, "a list");

    await expect(store.claim(events)).rejects.toThrow("WRONGTYPE");
    expect(await client.keys("types:*")).toEqual([occupied]);
    await client.close();
  });
});

describeWith("redis-server", "a store in a Redis that may evict keys", () => {
  it.each([
    ["node-redis", "volatile-lru", [{ policy: "volatile-lru" }]],
    ["node-redis", "noeviction", []],
    ["ioredis", "allkeys-lru", [{ policy: "allkeys-lru" }]],
  ] as const)("warns once, with its first claim: %s, %s", async (library, policy, warnings) => {
    const server = await RedisServer.start("--maxmemory-policy", policy);
    const url = `redis://127.0.0.1:${server.port}`;
    const nodeRedis = createClient({ url });
    const ioredis = new Redis(url, { lazyConnect: true });
    onTestFinished(async () => {
      ioredis.disconnect();
      if (nodeRedis.isOpen) nodeRedis.destroy();
      await server.stop();
    });
    if (library === "node-redis") await nodeRedis.connect();
    const { deliver, log } = await startService({
      deduplication: redisDeduplication(library === "node-redis" ? nodeRedis : ioredis),
      logLevel: "warn",
    });
    for (let count = 0; count < 3; count += 1) {
      expect((await deliver(anEvent())).status).toBe(200);
    }
    const evictions = () => log.lines.filter(({ msg }) => msg.startsWith("Redis evicts keys"));
    await expect.poll(evictions).toMatchObject(warnings);
  });
});

describe("redisDeduplication", () => {
  const client = { eval: async () => [], evalSha: async () => [0] };

  it.each([
    [{ prefix: "" }, "prefix", "key-prefix"],
    [{ prefix: "shop{1}" }, "prefix", "key-prefix"],
    [{ leaseMs: 0 }, "leaseMs", "number-range"],
    [{ rememberMs: Number.NaN }, "rememberMs", "number-range"],
    [Object({ leaseMS: 5 }), "leaseMS", "unknown"],
    [Object({ ttl: 5 }), "ttl", "unknown"],
  ])("refuses the options %j", (invalid, field, rule) => {
    expect(() => redisDeduplication(client, invalid)).toThrow(
      expect.objectContaining({
        code: "ERR_CONFIGURATION",
        problems: [expect.objectContaining({ field, rule })],
      }),
    );
  });

  it("claims a delivery with one command, and with two when Redis has forgotten the script", async () => {
    const commands: string[] = [];
    let isForgotten = true;
    const store = redisDeduplication({
      async evalSha() {
        commands.push("EVALSHA");
        if (isForgotten) throw new Error("NOSCRIPT No matching script.");
        return "00";
      },
      async eval() {
        commands.push("EVAL");
        isForgotten = false;
        return "00";
      },
    });
    const keys = ["a", "b"].map((id) => ({ ...event, id }));
    await store.claim(keys);
    expect(commands).toEqual(["EVALSHA", "EVAL"]);
    await store.claim(keys);
    expect(commands).toEqual(["EVALSHA", "EVAL", "EVALSHA"]);
  });

  it("passes on what Redis reports", async () => {
    const store = redisDeduplication({
      eval: async () => [],
      evalSha: () => Promise.reject(new Error("LOADING Redis is loading the dataset in memory")),
    });
    await expect(store.claim([event])).rejects.toThrow("LOADING");
  });
});
