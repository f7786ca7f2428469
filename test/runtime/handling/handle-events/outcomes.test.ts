import { readFileSync } from "node:fs";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import { PostgresError } from "cloud-eventgrid-binding-runtime/postgres";
import { describe, expect, it } from "vitest";
import { heldWork } from "../../../support/gate.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, startService } from "../../listener/service.js";

describe("the outcomes of events", () => {
  it("are those that docs/observability.md lists", async () => {
    const log = new LogLines();
    const handler = heldWork();
    const on = {
      "a.handled": () => {},
      "a.failed": () => Promise.reject(new Error("not now")),
      "a.rejected": () => Promise.reject(new RejectEvent("never")),
      "a.slow": handler.run,
    };
    const options = { logger: pinoTo(log), on };
    const timer = new ManualClock();
    const { deliver } = await startService({ ...options, timer });
    const batch = ["a.handled", "a.failed", "a.rejected", "other"].map((type) => anEvent({ type }));
    await deliver([...batch, { id: "no event" }]);
    await deliver(batch[0]);
    const running = anEvent({ type: "a.slow" });
    const first = deliver(running);
    await handler.started;
    await deliver(running);
    timer.advance(25_000);
    await first;
    handler.end();
    const { deliver: retry } = await startService({ ...options, unhandled: "retry" });
    await retry(anEvent({ type: "other" }));

    const outcomes = log.withMessage("delivery").map((line) => line.outcomes);
    expect(outcomes).toEqual([
      { handled: 1, failed: 1, rejected: 1, unhandled: 1, malformed: 1 },
      "duplicate",
      "in-progress",
      "timed-out",
      "deferred",
    ]);
    const seen = outcomes.flatMap((one) =>
      typeof one === "string" ? one : Object.keys(Object(one)),
    );
    expect(seen.toSorted()).toEqual(documentedOutcomes().toSorted());
  });

  it("are logged without an error when an inbox leaves the event to another delivery", async () => {
    const busy = new PostgresError("ERR_INBOX_BUSY", "another transaction is handling the event");
    const on = { "*": () => Promise.reject(busy) };
    const { deliver, log } = await startService({ on });
    expect((await deliver(anEvent())).status).toBe(503);
    const warnings = log.lines.filter(({ level }) => level > 30);
    expect(warnings).toEqual([
      expect.objectContaining({ level: 40, msg: "delivery", outcomes: "in-progress" }),
    ]);
  });

  it.each([
    ["retry", 503],
    ["reject", 400],
  ] as const)(
    "name the type that has no handler with unhandled: %j, which gets %i",
    async (unhandled, status) => {
      const log = new LogLines();
      const options = { logger: pinoTo(log), on: { "a.handled": () => {} } };
      const { deliver } = await startService({ ...options, unhandled });
      expect((await deliver(anEvent({ type: "other" }))).status).toBe(status);
      expect(log.withMessage("no handler for this event type")).toMatchObject([
        { level: 40, event: { type: "other" } },
      ]);
    },
  );
});

function documentedOutcomes(): string[] {
  const page = readFileSync(new URL("../../../../docs/observability.md", import.meta.url), "utf8");
  const [, list = ""] = /Outcomes are ([^.]+)\./.exec(page) ?? [];
  return [...list.matchAll(/`([a-z-]+)`/g)].map(([, outcome = ""]) => outcome);
}
