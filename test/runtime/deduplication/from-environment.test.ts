import {
  deduplicationFromEnvironment,
  type EnvironmentDeduplicationOptions,
} from "cloud-eventgrid-binding-runtime/redis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeFromEnvironment } from "../../../runtime/src/redis/deduplication-from-environment.js";
import { describeWith } from "../../support/describe-with.js";
import { LogLines } from "../../support/log-lines.js";
import { pinoTo } from "../../support/pino.js";
import { RedisServer } from "../../support/redis-server.js";
import { anEvent, startService } from "../listener/service.js";
import { StableAddress } from "./replicas.js";

const event = { consumer: "app/path", subscriptionName: "orders", source: "/shop", id: "a" };
const tokens = { getToken: async () => null };

describe("deduplicationFromEnvironment", () => {
  it("returns nothing when no address is set, so that the listener remembers in memory", () => {
    expect(deduplicationFromEnvironment("SHOP", { env: {} })).toBeUndefined();
    const env = { SHOP_DEDUPLICATION_REDIS: "" };
    expect(deduplicationFromEnvironment("SHOP", { env })).toBeUndefined();
  });

  it.each<[EnvironmentDeduplicationOptions, string, string]>([
    [
      { env: { SHOP_DEDUPLICATION_REDIS: "rediss://shop:6380" }, credential: tokens },
      "SHOP_DEDUPLICATION_REDIS",
      "address",
    ],
    [
      { env: { SHOP_DEDUPLICATION_REDIS: "shop" }, credential: tokens },
      "SHOP_DEDUPLICATION_REDIS",
      "address",
    ],
    [{ env: { SHOP_DEDUPLICATION_REDIS: "shop:6380" } }, "credential", "required"],
    [
      { env: { SHOP_DEDUPLICATION_REDIS: "localhost:6379" }, leaseMs: 0 },
      "leaseMs",
      "number-range",
    ],
    [Object({ env: {}, ttl: 0 }), "ttl", "unknown"],
  ])("refuses %j", (options, field, rule) => {
    expect(() => deduplicationFromEnvironment("SHOP", options)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field, rule })] }),
    );
  });
});

describeWith("redis-server", "the store that deduplicationFromEnvironment creates", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start("--requirepass", "s3cret");
  });
  afterAll(() => server.stop());

  const storeWith = (options: EnvironmentDeduplicationOptions, password?: string) => {
    const store = deduplicationFromEnvironment("SHOP", {
      env: {
        SHOP_DEDUPLICATION_REDIS: `127.0.0.1:${server.port}`,
        SHOP_DEDUPLICATION_PASSWORD: password,
      },
      ...options,
    });
    if (store === undefined) throw new Error("there is no store");
    return store;
  };
  /** Claims as soon as the client has connected. */
  const claim = (store: ReturnType<typeof storeWith>, id: string) =>
    expect.poll(() => store.claim({ ...event, id }));

  it("authenticates with the password of the environment", async () => {
    const store = storeWith({}, "s3cret");
    await claim(store, "a").toMatchObject({ token: expect.any(String) });
    expect(await store.claim({ ...event, id: "a" })).toBe("running");
    await store.close?.();
  });

  it("authenticates with a token of the credential, as the identity of the token", async () => {
    const payload = Buffer.from(JSON.stringify({ oid: "object-id" })).toString("base64url");
    const token = `e30.${payload}.c2ln`;
    const admin = await createClient({
      url: `redis://:s3cret@127.0.0.1:${server.port}`,
    }).connect();
    await admin.sendCommand(["ACL", "SETUSER", "object-id", "on", `>${token}`, "~*", "+@all"]);
    const credential = {
      getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const store = storeWith({ credential });
    await claim(store, "b").toMatchObject({ token: expect.any(String) });
    await store.close?.();
    await admin.close();
  });

  it.each([
    ["volatile-lru", [{ policy: "volatile-lru" }]],
    ["noeviction", []],
  ])("warns in the listener's log unless keys are never evicted: %s", async (policy, warnings) => {
    const admin = await createClient({ url: `redis://:s3cret@127.0.0.1:${server.port}` }).connect();
    await admin.configSet("maxmemory-policy", policy);
    const store = storeWith({}, "s3cret");
    const log = new LogLines();
    const options = { deduplication: store, logger: pinoTo(log, "warn") };
    const { deliver } = await startService(options);
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(200);
    const evictions = log.lines.filter(({ msg }) => msg.startsWith("Redis evicts keys"));
    expect(evictions).toMatchObject(warnings);
    await admin.close();
  });

  it("reports why it is not connected, instead of waiting", async () => {
    const store = storeWith({}, "wrong");
    await expect(store.claim(event)).rejects.toThrow();
    const reason = () => Promise.resolve(store.claim(event)).catch(({ message }) => message);
    await expect.poll(reason).toMatch(/^not connected to Redis: WRONGPASS/);
    await store.close?.();
  });

  it("connects again when Redis does not answer on a connection that seems open", async () => {
    const address = new StableAddress(server.port);
    const env = {
      SHOP_DEDUPLICATION_REDIS: await address.start(),
      SHOP_DEDUPLICATION_PASSWORD: "s3cret",
    };
    const store = storeFromEnvironment("SHOP", { env }, 300);
    if (store === undefined) throw new Error("there is no store");
    await claim(store, "d").toMatchObject({ token: expect.any(String) });

    address.fallSilent();
    await expect(store.claim({ ...event, id: "e" })).rejects.toThrow("no answer within 300 ms");
    await claim(store, "e").toMatchObject({ token: expect.any(String) });
    await store.close?.();
    address.stop();
  });

  it("has no connection after close", async () => {
    const admin = await createClient({
      url: `redis://:s3cret@127.0.0.1:${server.port}`,
    }).connect();
    const connections = async () =>
      String(await admin.sendCommand(["CLIENT", "LIST"]))
        .trim()
        .split("\n").length;
    const before = await connections();
    const store = storeWith({}, "s3cret");
    await claim(store, "c").toMatchObject({ token: expect.any(String) });
    expect(await connections()).toBe(before + 1);
    await store.close?.();
    await expect.poll(connections).toBe(before);
    await admin.close();
  });
});
