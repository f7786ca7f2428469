import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { cloudEvent } from "../support/cloud.js";
import { configure, emptyDirectory } from "../support/command.js";
import { namespaceClient, type Reply } from "../support/namespace-client.js";
import { killed } from "../support/run-program.js";
import { startBuilt } from "./built-command.js";

const EVENTS = 2_000;
const KILLS = 10;
const PER_REQUEST = 20;
const PORT = 39_523;
const KEY = "a2V5IG9mIHRoZSBuYW1lc3BhY2U=";
const client = namespaceClient({
  endpoint: `http://127.0.0.1:${PORT}/shop.westeurope-1`,
  accessKey: KEY,
});

const start = (directory: string) => startBuilt(directory, "--port", String(PORT));

/** The reply; `undefined` if the process is down. */
const unlessDown = (reply: Promise<Reply>) =>
  reply.then(
    (answered) => (answered.status === 200 ? answered : undefined),
    () => undefined,
  );

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
      const received = await unlessDown(client.receive("maxEvents=50&maxWaitTime=10"));
      const tokens = received?.value.map(({ brokerProperties }) => brokerProperties.lockToken);
      if (!tokens?.length) {
        await sleep(20);
        continue;
      }
      const settled = await unlessDown(client.settle("acknowledge", ...tokens));
      const succeeded = settled && [settled.body.succeededLockTokens].flat();
      for (const { brokerProperties, event } of received?.value ?? []) {
        const id = String(event.id);
        if (succeeded === undefined) unanswered.add(id);
        if (!succeeded?.includes(brokerProperties.lockToken)) continue;
        acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1);
      }
    }
  };
  const publish = async (from: number): Promise<boolean> => {
    const events = Array.from({ length: PER_REQUEST }, (_, index) =>
      cloudEvent({ id: String(from + index), data: { filler: "x".repeat(300) } }),
    );
    return (await unlessDown(client.publishAll(events))) !== undefined;
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
