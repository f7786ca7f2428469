import { describe, expect, it } from "vitest";
import { flawedEvents } from "../../events/flawed-events.js";
import { anEvent, startService } from "../service.js";

describe("an event that deviates from CloudEvents", () => {
  it.each(flawedEvents)(
    "is handled alone and in a batch: $flaw",
    async ({ flaw, sent, received }) => {
      const { deliver, handled, log } = await startService({
        logLevel: "warn",
        deduplication: false,
      });
      const expected = received ?? JSON.parse(sent);
      expect((await deliver(sent)).status).toBe(200);
      expect(handled.map(({ event }) => event)).toEqual([expected]);
      handled.length = 0;
      const [first, last] = [anEvent(), anEvent()];
      const batch = `[${JSON.stringify(first)},${sent},${JSON.stringify(last)}]`;
      expect((await deliver(batch)).status).toBe(200);
      expect(handled.map(({ event }) => event)).toEqual([first, expected, last]);
      expect(log.withMessage("event does not conform to CloudEvents")).toMatchObject([
        { level: 40, index: 0, flaws: [flaw] },
        { level: 40, index: 1, flaws: [flaw] },
      ]);
    },
  );
});
