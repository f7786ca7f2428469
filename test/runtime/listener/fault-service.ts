import { appendFileSync } from "node:fs";
import { MemoryDeduplication } from "../../../runtime/src/index.js";
import { createListenerWith } from "../../../runtime/src/listener/create-listener.js";
import { systemDependencies } from "../../../runtime/src/listener/dependencies.js";
import { systemClock } from "../../../runtime/src/time.js";
import { pinoTo } from "../../support/pino.js";

/**
 * A service that the fault test kills at any time. It records every event before it acknowledges
 * it, fails now and then, and logs failures. Its deduplication store sometimes does not answer, and
 * the key documents that it fetches lag behind rotations.
 */
interface Setting {
  readonly authorityHost: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly port: number;
  readonly journal: string;
  readonly log: string;
}

const setting: Setting = JSON.parse(process.argv[2] ?? "");

const memory = new MemoryDeduplication();
/** Documents by their address, which are served for a while after they have changed. */
const documents = new Map<string, { text: string; changedAt: number }>();
const LAG_MS = 300;

function lagging(address: string, text: string): string {
  const known = documents.get(address) ?? { text, changedAt: 0 };
  documents.set(address, known);
  if (known.text === text) return text;
  if (known.changedAt === 0) known.changedAt = Date.now();
  if (Date.now() - known.changedAt < LAG_MS) return known.text;
  documents.set(address, { text, changedAt: 0 });
  return text;
}

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
      "*": async (event, { subscriptionName }) => {
        await new Promise(setImmediate);
        if (Math.random() < 0.02) throw new Error("the database is not there");
        appendFileSync(setting.journal, `${subscriptionName?.toLowerCase()} ${event.id}\n`);
        if (Math.random() < 0.01) throw new Error("lost the connection after the work was done");
      },
    },
    logger: pinoTo({ write: (line) => appendFileSync(setting.log, line) }, "warn"),
    deduplication: {
      leaseMs: memory.leaseMs,
      claim: (keys) => (Math.random() < 0.005 ? new Promise(() => {}) : memory.claim(keys)),
      settle: (outcomes: Parameters<typeof memory.settle>[0]) => memory.settle(outcomes),
      extend() {},
    },
    host: "127.0.0.1",
    drainLagMs: 0,
    signals: ["SIGTERM"],
  },
  {
    ...systemDependencies,
    // The local cloud's clock runs hundreds of times as fast as the wall's.
    keyTimeoutMs: 1_000,
    storeTimeoutMs: 200,
    // Keys are fetched again every 5 s instead of every 10 minutes.
    clock: { ...systemClock, schedule: (ms, callback) => systemClock.schedule(ms / 120, callback) },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const text = lagging(String(input), await response.text());
      for (const [kid] of text.matchAll(/"kid":"[^"]*"/g)) appendFileSync(setting.log, `${kid}\n`);
      return new Response(text, response);
    },
  },
);

await listener.listen();
while (!listener.isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
process.send?.("ready");
process.once("SIGTERM", () => process.disconnect?.());
