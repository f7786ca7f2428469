import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LocalCloud, type Topic } from "cloud-eventgrid-local";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../examples/start/free-port.js";
import { publishBatch } from "../../local/support/cloud.js";

const EVENTS = 5_000;
const PER_REQUEST = 50;
/** As many and as long as Azure allows, which exceeds the usual limit of HTTP servers. */
const longestHeaders = Array.from({ length: 10 }, (_, index) => ({
  type: "static" as const,
  name: `x-property-${index}`,
  value: "x".repeat(4096),
}));

/** A service in a separate process, which can be killed and started again. */
class Service {
  /** How often it was killed while running, and how often it ended by itself after SIGTERM. */
  readonly ends = { killed: 0, closed: 0 };
  #process: ChildProcess | undefined;

  constructor(readonly setting: object) {}

  async start(): Promise<void> {
    const file = fileURLToPath(new URL("fault-service.ts", import.meta.url));
    this.#process = fork(file, [JSON.stringify(this.setting)], { execArgv: ["--import", "tsx"] });
    await once(this.#process, "message");
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ended = this.#process;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    const exit = once(ended, "exit");
    ended.kill(signal);
    await exit;
    if (ended.signalCode === "SIGKILL") this.ends.killed += 1;
    if (ended.exitCode === 0) this.ends.closed += 1;
  }
}

async function publish(topic: Topic, from: number): Promise<void> {
  const events = Array.from({ length: PER_REQUEST }, (_, index) => ({
    specversion: "1.0",
    id: String(from + index),
    source: "/shop",
    type: "shop.order.placed",
    subject: (from + index) % 2 === 0 ? "single" : "batched",
    data: { orderId: String(from + index) },
  }));
  const response = await publishBatch(topic, events);
  expect(response.status).toBe(200);
}

describe("a service that is killed while the issuer fails", () => {
  it("handles each of 5,000 events at least once, and none is dropped or dead-lettered", async () => {
    const port = await freePort();
    const cloud = await LocalCloud.start({
      // A day of retries passes in six minutes: time for the unluckiest event, and for a busy machine.
      clock: { scale: 250 },
      ingress: { "https://orders.example.com": `http://127.0.0.1:${port}` },
      history: 100_000,
    });
    const folder = mkdtempSync(join(tmpdir(), "eventgrid-faults-"));
    const journal = join(folder, "handled");
    const log = join(folder, "log");
    writeFileSync(log, "");
    const logged = (what: string) => readFileSync(log, "utf8").split(what).length - 1;
    const application = cloud.applications.create({ displayName: "orders webhook" });
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const service = new Service({
      authorityHost: cloud.authorityHost,
      tenantId: cloud.tenantId,
      clientId: application.clientId,
      port,
      journal,
      log,
    });
    onTestFinished(async () => {
      await service.end("SIGKILL");
      await cloud.close();
      rmSync(folder, { recursive: true });
    });

    await service.start();
    for (const [name, subject, maxEventsPerBatch] of [
      ["single", "single", 1],
      ["batched", "batched", 5],
    ] as const) {
      await cloud.eventSubscriptions.create({
        name,
        scope: topic.id,
        endpointUrl: "https://orders.example.com/api/events",
        clientId: application.clientId,
        filter: { subjectBeginsWith: subject },
        batching: { maxEventsPerBatch },
        deadLetter: { container: "dead" },
        ...(maxEventsPerBatch > 1 && { deliveryProperties: longestHeaders }),
      });
    }

    let published = 0;
    let rotations = 0;
    const publishSome = async () => {
      await publish(topic, published);
      published += PER_REQUEST;
    };
    const rotateKeys = async () => {
      await cloud.keys.rotate();
      rotations += 1;
    };
    /** Keeps a fault active until it has had an effect. */
    const harm = async (count: () => number, make: () => Promise<void>) => {
      const before = count();
      await make();
      await publishSome();
      await expect.poll(count, { timeout: 120_000 }).toBeGreaterThan(before);
    };
    const errors = () => cloud.deliveries().flatMap(({ error }) => error ?? []);
    const answersLost = () => errors().filter((error) => error.includes("lost")).length;
    const unreached = () => errors().length - answersLost();
    const unjudged = () => logged('"reason":"keys-unavailable"');

    /** One fault after every tenth of the events. */
    const faults = [
      async () => {
        await harm(unreached, () => service.end("SIGKILL"));
        await service.start();
      },
      rotateKeys,
      async () => {
        const reachable = cloud.faults.issuerUnreachable();
        await rotateKeys();
        await service.end("SIGKILL");
        const restarted = service.start();
        await harm(unjudged, async () => {});
        reachable();
        await restarted;
      },
      async () => {
        await service.end("SIGTERM");
        await service.start();
      },
      async () => {
        const answersArrive = cloud.faults.deliveries({ loseResponse: true, times: 50 });
        const inOrder = cloud.faults.reordering();
        await harm(answersLost, async () => {});
        answersArrive();
        inOrder();
      },
    ];
    for (let request = 0; request < EVENTS / PER_REQUEST; request += 1) {
      await publishSome();
      if (request % 10 === 5) await faults[Math.floor(request / 10) % faults.length]?.();
    }
    // The unluckiest events would wait for hours of the cloud's clock.
    while (cloud.pendingEvents > 0) {
      cloud.retryNow();
      await setTimeout(1_000);
    }

    const handled = readFileSync(journal, "utf8").trim().split("\n");
    const times = new Map<string, number>();
    for (const line of handled) times.set(line, (times.get(line) ?? 0) + 1);
    const expected = Array.from({ length: published }, (_, id) =>
      id % 2 === 0 ? `single ${id}` : `batched ${id}`,
    );
    expect(expected.filter((line) => !times.has(line))).toEqual([]);
    expect(cloud.deadLetters()).toEqual([]);
    expect(cloud.deliveries().filter(({ outcome }) => outcome === "dropped")).toEqual([]);

    const keys = new Set(readFileSync(log, "utf8").match(/"kid":"[^"]*"/g));
    const effects = {
      ...service.ends,
      unreached: unreached(),
      answersLost: answersLost(),
      keysLearned: keys.size - 1,
      issuerAway: logged('"signing keys could not be fetched"'),
      unjudged: unjudged(),
      storeHung: logged("did not claim the event within"),
      failedBefore: logged('"message":"the database is not there"'),
      failedAfter: logged('"message":"lost the connection after the work was done"'),
      handledTwice: [...times.values()].filter((count) => count > 1).length,
    };
    console.log(`${published} events, ${handled.length} times handled:`, effects);
    expect(effects).toMatchObject({ killed: 4, closed: 2, keysLearned: rotations });
    expect(Object.entries(effects).filter(([, count]) => count === 0)).toEqual([]);
  });
});
