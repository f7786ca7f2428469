import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { cloudEvent } from "../support/cloud.js";
import { configure, emptyDirectory } from "../support/command.js";
import { killed } from "../support/run-program.js";
import { startBuilt } from "./built-command.js";

const EVENTS = 2_000;
const KILLS = 10;
const PER_REQUEST = 20;
const PORT = 39_523;
const KEY = "a2V5IG9mIHRoZSBuYW1lc3BhY2U=";
const TOPIC = `http://127.0.0.1:${PORT}/shop.westeurope-1/topics/orders`;

const start = (directory: string) => startBuilt(directory, "--port", String(PORT));

/** The body of the response; `undefined` if the process is down. */
async function post(path: string, body: object, type = "application/json"): Promise<unknown> {
  try {
    const separator = path.includes("?") ? "&" : "?";
    const response = await fetch(`${TOPIC}${path}${separator}api-version=2024-06-01`, {
      method: "POST",
      headers: { authorization: `SharedAccessKey ${KEY}`, "content-type": type },
      body: JSON.stringify(body),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

it("keeps every accepted event for receivers although the process is killed ten times", async () => {
  const directory = emptyDirectory();
  configure(directory, {
    namespaces: [
      {
        name: "shop",
        accessKey: KEY,
        topics: [{ name: "orders", eventSubscriptions: [{ name: "queue", maxDeliveryCount: 10 }] }],
      },
    ],
  });
  let child = await start(directory);
  const acknowledged = new Map<string, number>();
  /** Events whose acknowledgement got no answer: it may be on the disk, or they come again. */
  const unanswered = new Set<string>();
  const settledCount = () => new Set([...acknowledged.keys(), ...unanswered]).size;
  let until = Number.POSITIVE_INFINITY;

  const receiveAll = async () => {
    while (settledCount() < EVENTS && Date.now() < until) {
      const received = (await post(
        "/eventsubscriptions/queue:receive?maxEvents=50&maxWaitTime=10",
        {},
      )) as { value: { brokerProperties: { lockToken: string }; event: { id: string } }[] };
      const tokens = received?.value.map(({ brokerProperties }) => brokerProperties.lockToken);
      if (!tokens?.length) {
        await sleep(20);
        continue;
      }
      const settled = (await post("/eventsubscriptions/queue:acknowledge", {
        lockTokens: tokens,
      })) as { succeededLockTokens: string[] } | undefined;
      for (const { brokerProperties, event } of received.value) {
        if (settled === undefined) unanswered.add(event.id);
        if (!settled?.succeededLockTokens.includes(brokerProperties.lockToken)) continue;
        acknowledged.set(event.id, (acknowledged.get(event.id) ?? 0) + 1);
      }
    }
  };
  const publish = async (from: number): Promise<boolean> => {
    const events = Array.from({ length: PER_REQUEST }, (_, index) =>
      cloudEvent({ id: String(from + index), data: { filler: "x".repeat(300) } }),
    );
    return (await post(":publish", events, "application/cloudevents-batch+json")) !== undefined;
  };

  const receivers = [receiveAll(), receiveAll()];
  let kills = 0;
  for (let from = 0; from < EVENTS; from += PER_REQUEST) {
    const sent = publish(from);
    let accepted: boolean;
    if (kills < KILLS && from >= ((kills + 0.5) * EVENTS) / KILLS) {
      kills++;
      await sleep(Math.random() * 10); // in the middle of accepting, receiving and acknowledging
      await killed(child);
      accepted = await sent;
      child = await start(directory);
    } else accepted = await sent;
    // Like any client, it publishes again what was not accepted.
    while (!accepted) {
      await sleep(20);
      accepted = await publish(from);
    }
  }
  // Events that a receiver had locked when the process was killed are available at once.
  until = Date.now() + 60_000;
  await Promise.all(receivers);

  expect(settledCount()).toBe(EVENTS);
  expect(kills).toBe(KILLS);
  const repeated = [...acknowledged.values()].reduce((sum, count) => sum + count - 1, 0);
  console.log(`${kills} kills, ${repeated} events acknowledged more than once`);
  // Only what was published again: an answered acknowledgement is on the disk.
  expect(repeated).toBeLessThanOrEqual(KILLS * PER_REQUEST);
});
