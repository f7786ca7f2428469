import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Session } from "../../../cli/src/listen/session.js";
import { CommandError } from "../../../cli/src/terminal/index.js";

/** A session with a queue that always has ten events more, until `ends` says so. */
function sessionWith(receive: (call: number) => void = () => {}) {
  const interruption = new AbortController();
  const errors: string[] = [];
  const settled: string[] = [];
  const waits: number[] = [];
  let calls = 0;
  let sent = 0;
  const session = new Session({
    terminal: {
      env: {},
      directory: "/",
      out: () => {},
      error: (text) => errors.push(text),
      progress: () => {},
      done: () => {},
    },
    source: {
      receive: async () => {
        calls += 1;
        receive(calls);
        return Array.from({ length: 10 }, () => {
          sent += 1;
          const text = JSON.stringify({ source: "/shop", id: `${sent}` });
          return { key: `${sent}`, receipt: "r", attempt: 1, text };
        });
      },
      settle: async ({ key }) => settled.push(key) > 0,
      renew: async () => undefined,
      lost: async () => 0,
    },
    delivery: {
      subscribe: async () => {},
      deliver: async () => undefined,
      isBusy: true,
      authorityHost: "http://127.0.0.1",
    },
    service: {
      url: new URL("http://127.0.0.1:9000"),
      applicationId: "44444444-4444-4444-8444-444444444444",
      issuerVariable: "PREFIX_AUTHORITY_HOST",
    },
    recording: undefined,
    now: () => 0,
    wait: async (milliseconds, signal) => {
      // The renewal waits for a minute.
      if (milliseconds === 60_000) {
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      waits.push(milliseconds);
      await setImmediate();
    },
    interruption: interruption.signal,
  });
  return { session, interruption, errors, settled, waits };
}

it("leaves events in Azure while the service has not accepted a thousand", async () => {
  const { session, interruption, settled, waits } = sessionWith();
  const running = session.run();
  await expect.poll(() => waits.length).toBeGreaterThan(0);
  session.attempted({
    events: [{ source: "/shop", id: "7", type: "shop.order.placed", subject: undefined }],
    status: 200,
    outcome: "delivered",
    durationMs: 1,
  });
  interruption.abort();
  await running;
  expect(settled).toEqual(["7"]);
  expect(session.summary()).toBe("\n1000 events arrived: 1 accepted, 999 not accepted yet.\n");
});

it("says once that Azure cannot be reached, and once that it can be again", async () => {
  const { session, interruption, errors, waits } = sessionWith((call) => {
    if (call <= 3) throw new CommandError("no route");
    if (call === 5) interruption.abort();
  });
  await session.run();
  expect(errors).toEqual(["no route; trying again\n", "Azure can be reached again.\n"]);
  expect(waits.slice(0, 3)).toEqual([5000, 5000, 5000]);
});

it("mentions in its summary only what there is", () => {
  expect(sessionWith().session.summary()).toBe("\n0 events arrived: 0 accepted.\n");
});
