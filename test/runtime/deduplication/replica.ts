import { setTimeout } from "node:timers/promises";
import { createListener, systemClock } from "../../../runtime/src/listener/index.js";
import { deduplicationFromEnvironment } from "../../../runtime/src/redis/index.js";

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
}

const setting: ReplicaSetting = JSON.parse(process.env.SETTING ?? "");

const listener = createListener(
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
    deduplication: deduplicationFromEnvironment("SHOP", { leaseMs: setting.leaseMs }),
    deduplicationTimeoutMs: 1_000,
    deadlineMs: 4_000,
    authentication: { keys: { timeoutMs: 1_000 } },
    // Keys are fetched again every 5 s instead of every 10 minutes.
    clock: { ...systemClock, schedule: (ms, callback) => systemClock.schedule(ms / 120, callback) },
    logger: false,
    host: "127.0.0.1",
    drainLagMs: 500,
    signals: ["SIGTERM"],
  },
);
await listener.listen();
