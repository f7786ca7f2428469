import { describe, expect, it, onTestFinished, vi } from "vitest";
import { OutboxTable } from "../../../../runtime/src/postgres/outbox-table.js";
import { measuring } from "../../../support/measuring.js";
import { startTopic } from "../../publisher/harness.js";
import { TestDatabase } from "../database.js";
import { type OutboxSettings, startOutbox } from "../outbox-service.js";

const database = new TestDatabase();
const topic = await startTopic();
const setUp = (settings?: OutboxSettings) => startOutbox(database, topic, settings);

describe("the relay", () => {
  it("reports how much waits and for how long, and warns of an event older than a minute", async () => {
    const { meterProvider, measured } = measuring();
    const { schema, clock, log, outbox, store } = await setUp({ telemetry: { meterProvider } });
    const table = `${schema}.eventgrid_outbox`;
    const age = (minutes: number) =>
      `stored_at = clock_timestamp() - interval '${minutes} minutes', leased_until = clock_timestamp() + interval '1 hour'`;
    await store("old", "new", "elsewhere", "older");
    await database.pool.exec(`update ${table} set ${age(2)} where id <= 2;
      update ${table} set topic = 'pay.example/api/events', ${age(3)} where id = 3;
      update ${table} set topic = 'old.example/api/events', ${age(4)} where id = 4`);
    await store("published");
    await outbox.start();
    await clock.whenScheduled(1_000);
    clock.advance(15_000);
    const seconds = (minutes: number) => expect.closeTo(minutes * 60, -1);
    await expect
      .poll(async () => (await measured()).values)
      .toMatchObject({
        "eventgrid.outbox.events": [["published", 1]],
        "eventgrid.outbox.events.waiting": [
          ["other", 2],
          ["own", 2],
        ],
        "eventgrid.outbox.oldest_event.age": [
          ["other", seconds(4)],
          ["own", seconds(2)],
        ],
      });
    const message = "events have waited in the outbox for more than a minute";
    expect(log.withMessage(message)).toMatchObject([{ oldestSeconds: seconds(2) }]);
    const ofAnother =
      "events of another topic have waited in the outbox for more than a minute: check that a relay publishes to it";
    expect(log.withMessage(ofAnother)).toHaveLength(2);
    expect(log.withMessage(ofAnother)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ topic: "pay.example/api/events", oldestSeconds: seconds(3) }),
        expect.objectContaining({ topic: "old.example/api/events", oldestSeconds: seconds(4) }),
      ]),
    );
  });

  it("warns of events that are older than a minute, and again a minute later", async () => {
    const { clock, log, outbox } = await setUp();
    let oldestSeconds = 60;
    const status = vi.spyOn(OutboxTable.prototype, "status");
    onTestFinished(() => status.mockRestore());
    status.mockImplementation(async function (this: OutboxTable) {
      return [{ topic: this.topic, waiting: 1, oldestSeconds }];
    });
    const warnings = () =>
      log.withMessage("events have waited in the outbox for more than a minute");
    await outbox.start();
    await clock.whenScheduled(15_000);
    expect(warnings()).toEqual([]);
    oldestSeconds = 60.1;
    const times: number[] = [];
    for (let seconds = 15; seconds <= 135; seconds += 15) {
      clock.advance(15_000);
      await clock.whenScheduled(15_000);
      times.push(warnings().length);
    }
    expect(times).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3]);
  });
});
