import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  isLease,
  type Lease,
} from "../deduplication/index.js";

/** One test, for any test runner. */
export interface DeduplicationTest {
  /** The tested behaviour, as a sentence without a subject: "claims an event once". */
  readonly name: string;
  /** Rejects with an `AssertionError` when the store does not. */
  run(): Promise<void>;
}

/** The store under test. */
export interface DeduplicationTestOptions {
  /**
   * Creates a store, as a replica does at its start. Stores of one test share what they remember if
   * `isShared` is set.
   */
  create(): DeduplicationStore | Promise<DeduplicationStore>;
  /** Whether replicas share the store. @default true */
  readonly isShared?: boolean;
}

/** Leases that expire are tested when they last no longer than this. */
const MAX_LEASE_MS = 2_000;

/**
 * The tests that every deduplication store must pass. Let leases be short, such as 300 ms: tests of
 * their expiry wait for them, and are left out when they last longer than two seconds.
 *
 * @example
 * ```ts
 * for (const { name, run } of deduplicationTests({ create: () => new MyStore({ leaseMs: 300 }) })) {
 *   it(name, run);
 * }
 * ```
 */
export function deduplicationTests({
  create,
  isShared = true,
}: DeduplicationTestOptions): readonly DeduplicationTest[] {
  const tests: DeduplicationTest[] = [];
  const test = (
    name: string,
    run: (one: DeduplicationStore, other: DeduplicationStore) => unknown,
  ) =>
    tests.push({
      name,
      async run() {
        const one = await create();
        const other = isShared ? await create() : one;
        try {
          await run(one, other);
        } finally {
          await one.close?.();
          if (other !== one) await other.close?.();
        }
      },
    });
  const expiring = (
    name: string,
    run: (one: DeduplicationStore, other: DeduplicationStore) => Promise<void>,
  ) =>
    test(name, async (one, other) => {
      if (one.leaseMs <= MAX_LEASE_MS) await run(one, other);
    });

  test("claims an event once, and reports it as running to others", async (one, other) => {
    const event = newEvent();
    await leaseOf(one, event);
    equal(await one.claim(event), "running");
    equal(await other.claim(event), "running");
  });

  test("reports a handled event as done", async (one, other) => {
    const event = newEvent();
    await (await leaseOf(one, event)).done();
    equal(await one.claim(event), "done");
    equal(await other.claim(event), "done");
  });

  test("accepts a second settlement of the same event", async (one, other) => {
    const events = [newEvent(), newEvent()] as const;
    const [handled, released] = [await leaseOf(one, events[0]), await leaseOf(one, events[1])];
    await handled.done();
    await handled.done();
    equal(await other.claim(events[0]), "done");
    await released.release();
    await leaseOf(other, events[1]);
    if (isShared) await released.release();
    equal(await one.claim(events[1]), "running");
  });

  test("lets a released event be claimed again", async (one, other) => {
    const event = newEvent();
    await (await leaseOf(one, event)).release();
    await leaseOf(other, event);
  });

  test("distinguishes events by consumer, subscription, source and id", async (one) => {
    const event = newEvent();
    await (await leaseOf(one, event)).done();
    await leaseOf(one, { ...event, consumer: `${event.consumer}/other` });
    await leaseOf(one, { ...event, subscriptionName: "another" });
    await leaseOf(one, { ...event, source: `${event.source}/other` });
    await leaseOf(one, { ...event, id: `${event.id}-other` });
    await leaseOf(one, { ...event, subscriptionName: "" });
  });

  test("distinguishes events whose source and id make the same text when joined", async (one) => {
    const { id, ...event } = newEvent();
    for (const separator of ["", " ", "\n", "/", ":", "|"]) {
      await leaseOf(one, { ...event, source: `/a${separator}b${id}`, id: `c${separator}d` });
      await leaseOf(one, { ...event, source: "/a", id: `b${id}${separator}c${separator}d` });
    }
  });

  test("grants an event to only one of many concurrent claims", async (one, other) => {
    const event = newEvent();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).claim(event)),
    );
    equal(claims.filter((claim) => isLease(claim)).length, 1);
    equal(claims.filter((claim) => claim === "running").length, 19);
  });

  test("claims the events of a delivery together, in their order", async (one, other) => {
    if (one.claimMany === undefined || other.claimMany === undefined) return;
    const [handled, running, fresh] = [newEvent(), newEvent(), newEvent()];
    await (await leaseOf(other, handled)).done();
    await leaseOf(other, running);
    const claims = await one.claimMany([handled, running, fresh]);
    deepEqual(claims.map(kindOf), ["done", "running", "lease"]);
    deepEqual((await other.claimMany([fresh])).map(kindOf), ["running"]);
    deepEqual(await one.claimMany([]), []);
  });

  test("settles the events of a delivery together", async (one, other) => {
    if (one.settleMany === undefined) return;
    const events = [
      newEvent(),
      newEvent(),
      { ...newEvent(), subscriptionName: "another" },
    ] as const;
    const [first, second, third] = [
      await leaseOf(one, events[0]),
      await leaseOf(one, events[1]),
      await leaseOf(one, events[2]),
    ];
    await one.settleMany([
      { lease: first, isHandled: true },
      { lease: second, isHandled: false },
      { lease: third, isHandled: true },
    ]);
    equal(await other.claim(events[0]), "done");
    await leaseOf(other, events[1]);
    equal(await other.claim(events[2]), "done");
  });

  expiring("lets others claim an event whose lease has expired", async (one, other) => {
    const event = newEvent();
    await leaseOf(one, event);
    await setTimeout(one.leaseMs * 1.5);
    await leaseOf(other, event);
  });

  expiring("keeps an event for as long as its lease is extended", async (one, other) => {
    const event = newEvent();
    const lease = await leaseOf(one, event);
    for (let half = 0; half < 4; half += 1) {
      await setTimeout(one.leaseMs / 2);
      await lease.extend();
    }
    equal(await other.claim(event), "running");
    await lease.done();
    equal(await other.claim(event), "done");
  });

  expiring(
    "does not let an expired lease release or extend an event that others hold",
    async (one, other) => {
      const events = [newEvent(), newEvent()] as const;
      const [first, second] = [await leaseOf(one, events[0]), await leaseOf(one, events[1])];
      await setTimeout(one.leaseMs * 1.5);
      for (const event of events) await leaseOf(other, event);
      await Promise.all([first.release(), second.extend()]);
      for (const event of events) equal(await other.claim(event), "running");
      await setTimeout(other.leaseMs * 1.5);
      await leaseOf(one, events[1]);
    },
  );

  expiring("remembers a handled event whose lease has expired", async (one, other) => {
    const events = [newEvent(), newEvent()] as const;
    const [first, second] = [await leaseOf(one, events[0]), await leaseOf(one, events[1])];
    await setTimeout(one.leaseMs * 1.5);
    const held = await leaseOf(other, events[0]);
    await Promise.all([first.done(), second.done()]);
    for (const event of events) equal(await other.claim(event), "done");
    await held.release();
    equal(await one.claim(events[0]), "done");
  });

  return tests;
}

let events = 0;

/** An event that no test has used before, in this process or another. */
function newEvent(): EventKey {
  events += 1;
  const id = `${process.pid}-${Date.now()}-${events}`;
  const consumer = "0a1b2c3d-0000-4000-8000-000000000000/api/events";
  return { consumer, subscriptionName: "orders", source: "/shop/größe?a=1 {b}", id };
}

async function leaseOf(store: DeduplicationStore, event: EventKey): Promise<Lease> {
  const claim = await store.claim(event);
  ok(isLease(claim), `the claim of ${event.id} is ${kindOf(claim)}, not a lease`);
  return claim;
}

function kindOf(claim: Claim): string {
  return typeof claim === "string" ? claim : "lease";
}
