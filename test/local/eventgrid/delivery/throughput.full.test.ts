import { describe, expect, it } from "vitest";
import { usedHeap } from "../../../support/used-heap.js";
import { cloudEvent, publishBatch, startShop } from "../../support/cloud.js";

const EVENTS = 20_000;
const PER_REQUEST = 100;
const MIB = 1024 * 1024;

/** The events of one request. */
function eventsFrom(first: number, attributes: Record<string, unknown> = {}) {
  const ids = Array.from({ length: PER_REQUEST }, (_, index) => String(first + index));
  return ids.map((id) => cloudEvent({ id, ...attributes }));
}

describe("20,000 events through one topic", () => {
  it("are all delivered with tokens, and memory stays flat", async () => {
    const arrived = new Map<string, number>();
    const { cloud, webhook, topic } = await startShop({ clock: "real", history: 1000 });
    webhook.answerDeliveries(({ body, headers }) => {
      const { id } = JSON.parse(body);
      if (!headers.authorization) return 401;
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      webhook.requests.length = 0;
      return 200;
    });
    const filler = "x".repeat(500);
    const publish = (from: number) => publishBatch(topic, eventsFrom(from, { data: { filler } }));

    const heaps: number[] = [];
    const started = performance.now();
    for (let from = 0; from < EVENTS; from += PER_REQUEST) {
      await publish(from);
      if ((from / PER_REQUEST) % 40 === 39) {
        await cloud.drain();
        heaps.push(usedHeap());
      }
    }
    await cloud.drain();
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `${EVENTS} events in ${seconds.toFixed(1)} s: ${Math.round(EVENTS / seconds)} per second; heap in MiB: ${heaps.map((heap) => Math.round(heap / MIB)).join(", ")}`,
    );

    expect(arrived.size).toBe(EVENTS);
    expect([...arrived.values()].every((times) => times === 1)).toBe(true);
    const [first = 0, last = 0] = [heaps.at(0), heaps.at(-1)];
    expect(last - first).toBeLessThan(8 * MIB);
  });

  it("are all delivered despite failures", async () => {
    const arrived = new Set<string>();
    const { cloud, webhook, topic } = await startShop({ clock: "stepped", history: 1000 });
    let request = 0;
    webhook.answerDeliveries(({ body }) => {
      webhook.requests.length = 0;
      if (++request % 3 === 0) return 500;
      arrived.add(JSON.parse(body).id);
      return 200;
    });
    for (let from = 0; from < 5_000; from += PER_REQUEST) {
      await publishBatch(topic, eventsFrom(from));
    }
    await cloud.drain();
    expect(arrived.size).toBe(5_000);
  });
});
