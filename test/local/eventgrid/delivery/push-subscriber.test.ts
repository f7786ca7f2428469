import { describe, expect, it } from "vitest";
import { lost, START, startSubscriber as start } from "./start-subscriber.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Reads what has happened so far, and empties the list. */
const taken = <T>(list: T[]): T[] => list.splice(0);

describe("an event", () => {
  it("passes its stages until it is delivered, and keeps nobody waiting while it waits", async () => {
    const { subscriber, event, clock, now, log, answers, sent, counts } = start();
    answers.push({ status: 503 }, lost);
    subscriber.add(event("a"));
    expect([sent, counts()]).toEqual([[], [1, 1]]);
    await now();
    const first = { attempts: 1, lastOutcome: "Busy", lastAttemptAt: START };
    const second = { attempts: 2, lastOutcome: "SocketError", lastAttemptAt: START + 30 * SECOND };
    expect(taken(log)).toEqual([
      [
        "attempted a",
        { attempt: 1, at: START, status: 503, outcome: "retrying", nextAttemptAt: START + 30_000 },
      ],
      ["retrying a", { ...first, nextAttemptAt: START + 30_000 }],
    ]);
    expect(counts()).toEqual([0, 1]);
    await clock.advance({ milliseconds: 29_999 });
    expect(log).toEqual([]);
    await clock.advance({ milliseconds: 1 });
    expect(taken(log)).toEqual([
      "due a",
      [
        "attempted a",
        {
          ...{ attempt: 2, at: START + 30_000, status: undefined, error: "reset" },
          ...{ outcome: "retrying", nextAttemptAt: START + MINUTE },
        },
      ],
      ["retrying a", { ...second, nextAttemptAt: START + MINUTE }],
    ]);
    await clock.advance({ minutes: 1 });
    expect(taken(log)).toMatchObject([
      "due a",
      ["attempted a", { attempt: 3, status: 200, outcome: "delivered" }],
      "delivered a",
    ]);
    expect([sent, counts()]).toEqual([
      ["a 0", "a 1", "a 2"],
      [0, 0],
    ]);
  });

  it("is given up after the last attempt or a refusal, as a dead letter if its container takes it", async () => {
    const retryPolicy = { maxDeliveryAttempts: 2, eventTimeToLiveInMinutes: 1440 };
    const { subscriber, event, clock, now, log, answers, dead, container } = start({ retryPolicy });
    container.takes = true;
    answers.push({ status: 500 }, { status: 404 }, { status: 413 });
    subscriber.add(event("a"));
    await clock.advance({ seconds: 10 });
    subscriber.add(event("b"));
    await now();
    const at = START + 10 * SECOND;
    const last = { lastAttemptAt: at };
    expect(taken(dead)).toEqual([
      {
        ...{ ids: "a", reason: "MaxDeliveryAttemptsExceeded", attempts: 2 },
        ...{ lastOutcome: "NotFound", ...last },
      },
      {
        ...{ ids: "b", reason: "UndeliverableDueToHttpPayloadTooLarge", attempts: 1 },
        ...{ lastOutcome: "PayloadTooLarge", ...last },
      },
    ]);
    expect(taken(log).slice(-4)).toEqual([
      ["attempted a", { attempt: 2, at, status: 404, outcome: "deadLettered" }],
      "deadLettered a",
      ["attempted b", { attempt: 1, at, status: 413, outcome: "deadLettered" }],
      "deadLettered b",
    ]);

    Object.assign(container, { takes: false, problem: "there is no container" });
    answers.push({ status: 400 }, { status: 500 }, lost, { status: 500 });
    subscriber.add(event("c"));
    await now();
    const error = "the dead letter is lost: there is no container";
    expect(taken(log)).toEqual([
      ["attempted c", { attempt: 1, at, status: 400, outcome: "dropped", error }],
      "dropped c",
    ]);
    subscriber.add(event("d"));
    await clock.advance({ seconds: 10 });
    expect(taken(log)).toMatchObject([
      ["attempted d", { outcome: "retrying", error: undefined }],
      ["retrying d", {}],
      "due d",
      ["attempted d", { outcome: "dropped", error: `reset; ${error}` }],
      "dropped d",
    ]);
    delete container.problem;
    subscriber.add(event("e"));
    await clock.advance({ seconds: 10 });
    expect(log.at(-2)).toEqual(["attempted e", expect.objectContaining({ error: undefined })]);
  });

  it("is given up when its time to live ends, while younger ones of its batch wait on", async () => {
    const { subscriber, event, clock, now, log, answers, dead, counts, sent, container } = start({
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 2 },
      batching: { maxEventsPerBatch: 2, preferredBatchSizeInKilobytes: 64 },
    });
    container.takes = true;
    // After 404, the retry waits for five minutes.
    answers.push({ status: 404 });
    subscriber.add(event("old", "", START - MINUTE));
    subscriber.add(event("new"));
    await clock.advance({ milliseconds: MINUTE - 1 });
    expect(taken(log)).toHaveLength(2);
    await clock.advance({ milliseconds: 1 });
    const at = START + MINUTE;
    const first = { attempts: 1, lastOutcome: "NotFound", lastAttemptAt: START };
    const expired = { reason: "TimeToLiveExceeded", ...first };
    expect(taken(log)).toEqual([
      "due old,new",
      ["attempted old", { at, outcome: "deadLettered", error: "the time to live has passed" }],
      "deadLettered old",
      ["retrying new", { ...first, nextAttemptAt: START + 5 * MINUTE }],
    ]);
    expect([taken(dead), counts()]).toEqual([[{ ids: "old", ...expired }], [0, 1]]);
    await clock.advance({ minutes: 1 });
    expect([dead, counts()]).toEqual([[{ ids: "new", ...expired }], [0, 0]]);
    expect(taken(sent)).toEqual(["old,new 0"]);
    Object.assign(container, { takes: false, problem: "gone" });
    subscriber.add(event("older", "", START - MINUTE));
    await now();
    expect(log.slice(-2)).toMatchObject([
      ["attempted older", { error: "the time to live has passed; the dead letter is lost: gone" }],
      "dropped older",
    ]);
    expect(sent).toEqual([]);
  });

  it("is dropped when its subscription expires", async () => {
    const expiresAt = new Date(START + 5 * SECOND).toISOString();
    const { subscriber, event, clock, log, answers, dead, container, sent } = start({ expiresAt });
    container.takes = true;
    answers.push({ status: 500 });
    subscriber.add(event("a"));
    await clock.advance({ seconds: 5 });
    const at = START + 5 * SECOND;
    const error = "the expiration time of the subscription has passed";
    expect(log.slice(2)).toEqual([
      "due a",
      ["attempted a", { at, outcome: "dropped", error }],
      "discarded a",
    ]);
    expect([sent, dead]).toEqual([["a 0"], []]);
  });
});

describe("a waiting retry", () => {
  it("is due at once on request, and in place of one more delivery", async () => {
    const { subscriber, event, now, log, answers, sent } = start();
    const [a, b] = [event("a"), event("b")];
    answers.push({ status: 500 }, { status: 500 });
    subscriber.add(a);
    subscriber.add(b);
    await now();
    taken(log);
    expect(subscriber.retryNow(a)).toBe(1);
    expect(subscriber.retryNow(a)).toBe(0);
    await now();
    expect(taken(log)).toMatchObject(["due a", ["attempted a", { attempt: 2 }], "delivered a"]);
    answers.push({ status: 500 });
    subscriber.redeliver(b, 7);
    await now();
    subscriber.redeliver(a, 7);
    await now();
    expect(taken(sent)).toEqual(["a 0", "b 0", "a 1", "b 1", "a 7"]);
    expect(subscriber.retryNow()).toBe(1);
    await now();
    expect(sent).toEqual(["b 2"]);
  });

  it("continues after a restart when it is due, with what is known of the last attempt", async () => {
    const { subscriber, event, clock, now, log, answers, dead, sent, container } = start();
    container.takes = true;
    const progress = { attempts: 4, lastOutcome: "Busy", lastAttemptAt: START - 7 };
    subscriber.restore(event("new"), undefined);
    subscriber.restore(event("late"), { ...progress, nextAttemptAt: START - SECOND });
    const nextAttemptAt = START + 3 * SECOND;
    expect(subscriber.restore(event("later"), { ...progress, nextAttemptAt })).toEqual({
      ...{ subscriptionId: "/s", subscription: "orders-sub", filteredBy: undefined },
    });
    expect(taken(log)).toEqual([
      ...["resumed new", "resumed late"],
      ["retrying late", { ...progress, nextAttemptAt: START }],
      "resumed later",
      ["retrying later", { ...progress, nextAttemptAt }],
    ]);
    await now();
    expect(taken(sent).sort()).toEqual(["late 4", "new 0"]);
    await clock.advance({ milliseconds: 2_999 });
    expect(sent).toEqual([]);
    answers.push({ status: 500 });
    await clock.advance({ milliseconds: 1 });
    expect(taken(sent)).toEqual(["later 4"]);
    await clock.advance({ days: 1 });
    expect(dead).toEqual([]);
    const old = { attempts: 30, lastOutcome: "Busy", lastAttemptAt: START - 7 };
    const yesterday = event("old", "", START - 1440 * MINUTE);
    subscriber.restore(yesterday, { ...old, nextAttemptAt: START });
    await now();
    expect(dead).toEqual([{ ids: "old", reason: "TimeToLiveExceeded", ...old }]);
  });
});

describe("events that end before they are delivered", () => {
  it("are withdrawn in the turn in which they were offered", async () => {
    const { subscriber, event, now, log, sent, faults, counts } = start();
    const [a, b, c, d] = [event("a"), event("b"), event("c"), event("d")];
    faults.duplicates({ times: 1 });
    subscriber.add(a);
    subscriber.add(b);
    subscriber.add(c, 2);
    subscriber.add(d, 2);
    subscriber.withdraw(new Set([a, c]));
    expect(taken(log)).toEqual(["matched -2", "discarded a,a,c"]);
    await now();
    expect([sent.sort(), counts()]).toEqual([
      ["b 0", "d 2"],
      [0, 0],
    ]);
  });

  it("are cleared, with their retries and the answers that are still to come", async () => {
    const { subscriber, event, clock, now, log, answers, hold, sent, counts } = start();
    answers.push({ status: 500 });
    subscriber.add(event("a"));
    await now();
    const answer = hold();
    subscriber.add(event("b"));
    await now();
    subscriber.add(event("c"), 1);
    subscriber.add(event("d"));
    taken(log);
    subscriber.clear();
    expect([taken(log), counts()]).toEqual([[{ due: 2, waiting: 1 }], [1, 1]]);
    answer({ status: 500 });
    await clock.advance({ days: 1 });
    expect([taken(log), counts()]).toEqual([["discarded b"], [0, 0]]);
    expect(taken(sent)).toEqual(["a 0", "b 0"]);
    subscriber.add(event("e"));
    await now();
    expect(sent).toEqual(["e 0"]);
  });

  it("are not sent once the subscriber is closed, and leave their slots to others", async () => {
    const { subscriber, event, now, slots, sent, counts } = start();
    const host = "orders.example.com";
    const releases: (() => void)[] = [];
    const taker = { begin: (release: () => void) => releases.push(release) > 0 };
    const fill = () => {
      for (let index = 0; index < 40; index++) slots.request(host, taker);
      return releases.length;
    };
    expect(fill()).toBe(32);
    subscriber.add(event("a"));
    await now();
    subscriber.clear();
    releases.shift()?.();
    await now();
    expect(fill()).toBe(32);
    subscriber.add(event("b"));
    await now();
    subscriber.close();
    for (const release of taken(releases)) release();
    subscriber.add(event("c"));
    await now();
    expect([fill(), sent, counts()]).toEqual([32, [], [0, 0]]);
  });
});

describe("attempts at once", () => {
  it("are 16 of one subscription, which go on when one ends", async () => {
    const { subscriber, event, now, hold, sent } = start();
    const ends = Array.from({ length: 17 }, hold);
    for (let index = 0; index < 20; index++) subscriber.add(event(`${index}`));
    await now();
    expect(sent).toHaveLength(16);
    ends[3]?.({ status: 200 });
    await now();
    expect(sent).toHaveLength(17);
  });

  it("share the slots of the host, or of the queue, that the settings name now", async () => {
    const { subscriber, event, now, slots, sent, change, forgotten } = start();
    const queue = (queueName: string) => ({
      endpointUrl: undefined,
      destination: { endpointType: "StorageQueue", properties: { queueName } } as const,
    });
    const fill = (name: string) => {
      for (let index = 0; index < 32; index++) slots.request(name, { begin: () => true });
    };
    fill("orders.example.com");
    fill(JSON.stringify(queue("a").destination));
    subscriber.add(event("1"));
    await now();
    change(queue("a"));
    subscriber.add(event("2"));
    await now();
    expect(sent).toEqual([]);
    change(queue("b"));
    expect(forgotten.times).toBe(2);
    subscriber.add(event("3"));
    await now();
    expect(sent).toEqual(["1 0", "2 0", "3 0"]);
  });
});

describe("a batch", () => {
  const KB = 1024;
  const batching = { maxEventsPerBatch: 3, preferredBatchSizeInKilobytes: 2 };

  it("ends with the number or the size, but has at least one event", async () => {
    const { subscriber, event, now, sent } = start({ batching });
    const overhead = event("a").sizeInBytes;
    const sized = (id: string, bytes: number) =>
      subscriber.add(event(id, "x".repeat(bytes - overhead)));
    for (const id of ["a", "b", "c", "d"]) sized(id, KB / 2);
    sized("e", 3 * KB);
    sized("f", KB);
    sized("g", KB);
    sized("h", KB);
    sized("i", KB + 1);
    await now();
    expect(sent.sort()).toEqual(["a,b,c 0", "d 0", "e 0", "f,g 0", "h 0", "i 0"]);
  });

  it("has its events in their order, however many wait, or in a random one under a fault", async () => {
    const { subscriber, event, now, sent, faults, random } = start({ batching });
    const names = Array.from({ length: 2_500 }, (_, index) => `${index}`);
    for (const name of names) subscriber.add(event(name));
    await now();
    expect(taken(sent).flatMap((text) => text.replace(" 0", "").split(","))).toEqual(names);
    faults.reordering();
    random.value = 0.999;
    for (const name of ["a", "b", "c", "d"]) subscriber.add(event(name));
    await now();
    expect(sent).toEqual(["d,a,b 0", "c 0"]);
  });
});
