import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Session, type SessionParts } from "../../../cli/src/listen/session.js";
import { Refused } from "../../../cli/src/listen/source/index.js";
import { CommandError } from "../../../cli/src/terminal/index.js";

/** A session with a queue that always has ten events more, until `ends` says so. */
function sessionWith(receive: (call: number) => void = () => {}, replaced: Replaced = {}) {
  const interruption = new AbortController();
  const printed: string[] = [];
  const errors: string[] = [];
  const settled: string[] = [];
  const waits: number[] = [];
  let calls = 0;
  let sent = 0;
  const session = new Session({
    terminal: {
      env: {},
      directory: "/",
      out: (text) => printed.push(text),
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
      ...replaced.source,
    },
    delivery: replaced.delivery ?? {
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
    recording: replaced.recording,
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
    ...replaced.parts,
  });
  return { session, interruption, printed, errors, settled, waits };
}

interface Replaced {
  readonly source?: Partial<SessionParts["source"]>;
  readonly delivery?: SessionParts["delivery"];
  readonly recording?: SessionParts["recording"];
  readonly parts?: Partial<Pick<SessionParts, "now" | "wait">>;
}

const clock = (time: number) => new Date(time).toTimeString().slice(0, 8);

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
  expect([...new Set(waits)]).toEqual([1000]);
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

it("says on one line what became of an event, and once which issuer the service needs", () => {
  const { session, printed, errors } = sessionWith();
  const about = (
    subject: string | undefined,
    attempt: Partial<Parameters<Session["attempted"]>[0]>,
  ) =>
    session.attempted({
      events: [{ source: "/shop", id: "1", type: "a.b", subject }],
      ...{ outcome: "retrying", durationMs: 1.6, status: undefined, error: undefined },
      ...{ nextAttemptAt: undefined, ...attempt },
    });
  about("orders/1\n", { status: 401, nextAttemptAt: 61_000 });
  about(undefined, { status: 401, nextAttemptAt: 62_000 });
  about("orders/1", { status: 200, outcome: "delivered" });
  about("orders/1", { error: "ECONNREFUSED", outcome: "deadLettered" });
  about("orders/1", { status: 413, outcome: "dropped" });
  expect(printed).toEqual([
    `${clock(0)}  a.b  orders/1\\n  1  401, next attempt at ${clock(61_000)}\n`,
    `${clock(0)}  a.b  1  401, next attempt at ${clock(62_000)}\n`,
    `${clock(0)}  a.b  orders/1  1  200, in 2 ms\n`,
    `${clock(0)}  a.b  orders/1  1  no answer (ECONNREFUSED), dead-lettered, see the dashboard\n`,
    `${clock(0)}  a.b  orders/1  1  413, dropped\n`,
  ]);
  expect(errors).toEqual([
    "The service refuses the token. Start it with PREFIX_AUTHORITY_HOST=http://127.0.0.1, and send the event again in the dashboard.\n",
  ]);
  // They were sent from the dashboard.
  expect(session.summary()).toBe("\n0 events arrived: 0 accepted.\n");
});

it("delivers again what the local Azure has forgotten, and nothing that is done or not readable", async () => {
  const delivered: string[] = [];
  const recorded: unknown[] = [];
  const receipts: string[] = [];
  const delivery = {
    authorityHost: "http://127.0.0.1",
    isBusy: true,
    subscribe: async (
      _: unknown,
      wait: (ms: number) => Promise<void>,
      failed: (text: string) => void,
    ) => {
      failed("no");
      await wait(17);
    },
    deliver: async (text: string) => {
      delivered.push(JSON.parse(text).id);
      return text.includes("bad") ? "400\nbad" : undefined;
    },
  };
  const outcomes = ["delivered", "deadLettered"] as const;
  let call = 0;
  const message = (key: string, text: string) => ({
    key,
    receipt: `${key}${call}`,
    attempt: 1,
    text,
  });
  const source = {
    receive: async () => {
      await setImmediate();
      call += 1;
      if (call === 3) delivery.isBusy = false;
      const outcome = { 4: outcomes[0], 7: outcomes[1] }[call];
      const events = [{ source: "/shop", id: "1", type: "a.b", subject: undefined }];
      if (outcome) session.attempted({ events, status: 200, outcome, durationMs: 1 });
      if (call === 7) interruption.abort();
      if (call === 7) return [];
      return [
        message("a", '{"source":"/shop","id":"1"}'),
        ...(call <= 2 ? [message("b", '{"source":"/shop","id":"bad"}')] : []),
        ...(call <= 2 ? ["hello", "null", '{"id":"1"}'].map((text) => message(text, text)) : []),
      ];
    },
    // The first receipt is not valid any more.
    settle: async ({ receipt }: { readonly receipt: string }) => receipts.push(receipt) > 1,
  };
  const recording = {
    add: ({ receipt }: { receipt: string }, time: Date) =>
      void recorded.push([receipt, time.getTime()]),
  };
  const { session, interruption, printed, errors, waits } = sessionWith(undefined, {
    source,
    delivery,
    recording,
  });
  await session.run();
  expect(delivered).toEqual(["1", "bad", "1", "1", "1"]);
  expect(receipts).toEqual(["a3", "a4", "a6"]);
  expect(recorded).toEqual([
    ["a1", 0],
    ["b1", 0],
    ["a5", 0],
  ]);
  expect(printed.slice(0, 2)).toEqual([
    "waiting for the service at http://127.0.0.1:9000/: no\n",
    `${clock(0)}  the service consents\n`,
  ]);
  expect(waits).toEqual([17]);
  expect(errors).toEqual([
    "The message b cannot be delivered: 400\\nbad\n",
    "The message hello cannot be delivered: it is no CloudEvent\n",
    "The message null cannot be delivered: it is no CloudEvent\n",
    'The message {"id":"1"} cannot be delivered: it is no CloudEvent\n',
  ]);
  expect(session.summary()).toBe(
    "\n3 events arrived: 1 accepted, 1 dead-lettered, 4 not readable.\n",
  );
});

it("renews the subscription every 15 minutes, and says what was lost since", async () => {
  let time = 0;
  const renewed: number[] = [];
  const losses = [Promise.reject(new Error("no metrics")), undefined, 2, 2, 3];
  const { session, interruption, errors } = sessionWith(undefined, {
    source: {
      receive: (signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve([]))),
      renew: async () => {
        renewed.push(time / 60_000);
        if (renewed.length === 4) interruption.abort();
        return renewed.length === 4 ? 61_000 : undefined;
      },
      lost: async () => losses.shift(),
    },
    parts: {
      now: () => time,
      wait: async (milliseconds) => {
        time += milliseconds;
      },
    },
  });
  await session.run();
  expect(renewed).toEqual([15, 30, 45, 60]);
  const dropped = (count: string) =>
    `Event Grid dropped ${count} (DroppedEventCount), probably larger than a queue message.\n`;
  expect(errors).toEqual([
    dropped("2 events"),
    `The event subscription had expired at ${clock(61_000)}, for example because this machine slept. It exists again; events since then did not arrive.\n`,
    dropped("3 events"),
  ]);
});

it.each([new Refused("no right"), new TypeError("a defect")])(
  "ends at once after %s",
  async (error) => {
    const { session, errors, waits } = sessionWith(() => {
      throw error;
    });
    await expect(session.run()).rejects.toBe(error);
    expect([errors, waits]).toEqual([[], []]);
  },
);
