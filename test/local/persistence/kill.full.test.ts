import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, publishBatch, startWebhook } from "../support/cloud.js";
import { emptyDirectory, jsonOf, outputOf } from "../support/command.js";
import { killed } from "../support/run-program.js";
import { startBuilt } from "./built-command.js";

const EVENTS = 10_000;
const KILLS = 10;
const PER_REQUEST = 20;
const PORT = 39_519;

const start = (directory: string, ingress: string) =>
  startBuilt(
    directory,
    ...["--port", String(PORT), "--ingress", `${new URL(PUBLIC_URL).origin}=${ingress}`],
  );

it("delivers every accepted event although the process is killed ten times", async () => {
  const directory = emptyDirectory();
  const webhook = await startWebhook();
  const deliveries = new Map<string, number>();
  webhook.answerDeliveries(({ body }) => {
    const { id } = JSON.parse(body);
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    webhook.requests.length = 0;
    return 200;
  });
  let child = await start(directory, webhook.url);
  const topic = await jsonOf(directory, "topics", "create", "orders");
  const create = ["subscriptions", "create", "orders-sub", "--topic", "orders"];
  await outputOf(directory, ...create, "--endpoint", PUBLIC_URL);

  const accepted = new Set<string>();
  const publish = async (from: number): Promise<boolean> => {
    const ids = Array.from({ length: PER_REQUEST }, (_, index) => String(from + index));
    const filler = "x".repeat(300);
    try {
      const response = await publishBatch(
        { endpoint: topic.endpoint, accessKey: topic.key1 },
        ids.map((id) => cloudEvent({ id, data: { filler } })),
      );
      if (!response.ok) return false;
      for (const id of ids) accepted.add(id);
      return true;
    } catch {
      return false; // the process is down: these events were not accepted, or the response was lost
    }
  };

  let kills = 0;
  for (let from = 0; from < EVENTS; ) {
    const requests = Array.from({ length: 4 }, (_, index) => from + index * PER_REQUEST);
    const sent = Promise.all(requests.map(publish));
    const isTimeToKill = kills < KILLS && from >= ((kills + 0.5) * EVENTS) / KILLS;
    if (isTimeToKill) {
      kills++;
      await sleep(Math.random() * 15); // in the middle of accepting and delivering
      await killed(child);
    }
    const ok = await sent;
    if (isTimeToKill) child = await start(directory, webhook.url);
    // Like any client, it publishes again what was not accepted.
    for (const [index, isAccepted] of ok.entries()) {
      while (!isAccepted && !(await publish(requests[index] ?? 0))) await sleep(50);
    }
    from += 4 * PER_REQUEST;
  }
  await expect
    .poll(() => [...accepted].filter((id) => !deliveries.has(id)), { timeout: 60_000 })
    .toEqual([]);

  const repeated = [...deliveries.values()].reduce((sum, count) => sum + count - 1, 0);
  console.log(`${accepted.size} accepted, ${kills} kills, ${repeated} delivered once more`);
  expect(accepted.size).toBe(EVENTS);
  expect(kills).toBe(KILLS);
  // 16 deliveries are in flight at most, and up to 80 events were published again by this test.
  expect(repeated).toBeLessThanOrEqual(KILLS * (16 + 4 * PER_REQUEST));
});
