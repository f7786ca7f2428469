import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { createListenerWith } from "../../../../runtime/src/listener/create-listener.js";
import { systemDependencies } from "../../../../runtime/src/listener/dependencies.js";
import { redisDeduplication } from "../../../../runtime/src/redis/index.js";
import { systemClock } from "../../../../runtime/src/time.js";

/**
 * A replica of the service in the failure run. It prints a line for each handled event, and its
 * handlers fail now and then. Its times are short, because the local Azure's clock is fast.
 */
export interface ReplicaSetting {
  readonly authorityHost: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly port: number;
  readonly leaseMs: number;
  readonly redisUrl: string;
}

const setting: ReplicaSetting = JSON.parse(process.env.SETTING ?? "");

// As in the container-apps example.
const redis = new Redis(setting.redisUrl, { enableOfflineQueue: false, socketTimeout: 30_000 });
redis.on("error", () => {});

const listener = createListenerWith(
  {
    cloudTenantId: setting.tenantId,
    cloudClientId: setting.clientId,
    cloudAuthorityHost: setting.authorityHost,
    handshakePort: String(setting.port),
    path: "/api/events",
  },
  {
    on: {
      "*": async ({ id }) => {
        await setTimeout(Math.random() * 20);
        if (Math.random() < 0.02) throw new Error("the database is not there");
        console.log("handled", id, process.pid, Date.now());
      },
    },
    deduplication: redisDeduplication(redis, { leaseMs: setting.leaseMs }),
    deadlineMs: 4_000,
    logger: false,
    host: "127.0.0.1",
    drainLagMs: 500,
    signals: ["SIGTERM"],
  },
  {
    ...systemDependencies,
    keyTimeoutMs: 1_000,
    storeTimeoutMs: 1_000,
    // Keys are fetched again every 5 s instead of every 10 minutes.
    clock: { ...systemClock, schedule: (ms, callback) => systemClock.schedule(ms / 120, callback) },
  },
);
await listener.listen();

process.once("SIGTERM", async () => {
  await listener.close();
  redis.disconnect();
});
