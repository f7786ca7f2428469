import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../support/project.js";
import { cloudEvent, publishBatch, startWebhook } from "../../support/cloud.js";
import { configure, emptyDirectory, jsonOf, outputOf } from "../../support/command.js";
import { startProgram } from "../../support/run-program.js";

const PER_REQUEST = 100;
const ORIGIN = "https://orders.example.com";
const SUBSCRIPTION = "/subscriptions/22222222-2222-4222-8222-222222222222";
const PROVIDER = `${SUBSCRIPTION}/resourceGroups/local/providers/Microsoft.EventGrid`;
const accessKey = Buffer.alloc(32).toString("base64");

/** A process with subscriptions at these scopes, and a webhook that counts what arrives. */
async function start(scopes: readonly string[]) {
  const webhook = await startWebhook();
  const arrived = new Map<string, number>();
  let atOnce = 0;
  let most = 0;
  webhook.answerDeliveries(async ({ path, body }) => {
    most = Math.max(most, ++atOnce);
    webhook.requests.length = 0;
    const key = `${path} ${JSON.parse(body).id}`;
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    atOnce--;
    return 200;
  });
  const directory = emptyDirectory();
  configure(directory, {
    ingress: { [ORIGIN]: webhook.url },
    topics: [{ name: "orders", accessKey }],
    domains: [{ name: "shops", accessKey }],
    eventSubscriptions: scopes.map((scope, index) => ({
      name: `load-${index}`,
      scope: `${PROVIDER}/${scope}`,
      endpointUrl: `${ORIGIN}/${index}`,
    })),
  });
  const args = [join(root, "local/bin/cloud-eventgrid-local.js"), "--quiet"];
  const { child, printed } = startProgram(process.execPath, args, { cwd: directory });
  await printed(/is running/);
  const [topic] = await jsonOf(directory, "topics");
  const [domain] = await jsonOf(directory, "domains");
  return {
    publish: (to: "topic" | "domain", first: number, source: string) => {
      const { endpoint } = to === "topic" ? topic : domain;
      const events = Array.from({ length: PER_REQUEST }, (_, index) =>
        cloudEvent({ id: String(first + index), source }),
      );
      return publishBatch({ endpoint, accessKey }, events);
    },
    /** Waits for the deliveries. @returns the most requests at once */
    allArriveOnce: async () => {
      await outputOf(directory, "drain");
      expect(arrived.size).toBe(100_000);
      expect([...arrived.values()].every((times) => times === 1)).toBe(true);
      expect(peakMemoryOf(child.pid)).toBeLessThan(350);
      return most;
    },
  };
}

/** The most memory that a process had, in MiB; 0 where the system does not tell. */
function peakMemoryOf(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

describe("100,000 deliveries arrive once each, from a process of less than 350 MiB", () => {
  it.each([
    [1, 100_000, 16],
    [500, 200, 32],
  ])(
    "%i subscriptions × %i events",
    async (subscriptions, events, bound) => {
      const { publish, allArriveOnce } = await start(Array(subscriptions).fill("topics/orders"));
      for (let from = 0; from < events; from += PER_REQUEST) await publish("topic", from, "/shop");
      expect(await allArriveOnce()).toBe(bound);
    },
    600_000,
  );

  it("50 topics of a domain × 2,000 events", async () => {
    const topics = Array.from({ length: 50 }, (_, index) => `shop-${index}`);
    const { publish, allArriveOnce } = await start(
      topics.map((topic) => `domains/shops/topics/${topic}`),
    );
    for (let from = 0; from < 2_000; from += PER_REQUEST) {
      for (const topic of topics) await publish("domain", from, topic);
    }
    expect(await allArriveOnce()).toBe(32);
  }, 600_000);
});
