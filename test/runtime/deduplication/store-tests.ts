import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Claim, DeduplicationStore, EventKey, Lease } from "cloud-eventgrid-binding-runtime";
import { isLease } from "../../../runtime/src/deduplication/index.js";

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

/** How often a test is run before its failure counts, on a machine too busy to keep up with leases. */
const MAX_ATTEMPTS = 5;

type Run = (store: DeduplicationStore, replica: DeduplicationStore, wait: Wait) => Promise<void>;

/** Waits, in milliseconds. */
type Wait = (ms: number) => Promise<void>;

/**
 * The tests that every deduplication store must pass. Let leases be short, such as one second: tests of
 * their expiry wait for them, and are left out when they last longer than two seconds. A test that fails
 * because the machine was too busy to keep up with such leases is run again.
 *
 * @example
 * ```ts
 * for (const { name, run } of deduplicationTests({ create: () => new MyStore({ leaseMs: 1_000 }) })) {
 *   it(name, run);
 * }
 * ```
 */
export function deduplicationTests({
  create,
  isShared = true,
}: DeduplicationTestOptions): readonly DeduplicationTest[] {
  const tests: DeduplicationTest[] = [];
  const test = (name: string, run: Run) =>
    tests.push({
      name,
      async run() {
        const store = await create();
        const replica = isShared ? await create() : store;
        try {
          await inTime(store, replica, run);
        } finally {
          await store.close?.();
          if (replica !== store) await replica.close?.();
        }
      },
    });
  const expiring = (name: string, run: Run) =>
    test(name, async (store, replica, wait) => {
      if (store.leaseMs <= MAX_LEASE_MS) await run(store, replica, wait);
    });

  test("claims an event once, and reports it as running to others", async (store, replica) => {
    const event = newEvent();
    await leaseOf(store, event);
    equal(await store.claim(event), "running");
    equal(await replica.claim(event), "running");
  });

  test("reports a handled event as done", async (store, replica) => {
    const event = newEvent();
    await (await leaseOf(store, event)).done();
    equal(await store.claim(event), "done");
    equal(await replica.claim(event), "done");
  });

  test("accepts a second settlement of the same event", async (store, replica) => {
    const events = [newEvent(), newEvent()] as const;
    const [handled, released] = [await leaseOf(store, events[0]), await leaseOf(store, events[1])];
    await handled.done();
    await handled.done();
    equal(await replica.claim(events[0]), "done");
    await released.release();
    await leaseOf(replica, events[1]);
    if (isShared) await released.release();
    equal(await store.claim(events[1]), "running");
  });

  test("lets a released event be claimed again", async (store, replica) => {
    const event = newEvent();
    await (await leaseOf(store, event)).release();
    await leaseOf(replica, event);
  });

  test("distinguishes events by consumer, subscription, source and id", async (store) => {
    const event = newEvent();
    await (await leaseOf(store, event)).done();
    await leaseOf(store, { ...event, consumer: `${event.consumer}/other` });
    await leaseOf(store, { ...event, subscriptionName: "another" });
    await leaseOf(store, { ...event, source: `${event.source}/other` });
    await leaseOf(store, { ...event, id: `${event.id}-other` });
    await leaseOf(store, { ...event, subscriptionName: "" });
  });

  test("distinguishes events whose source and id make the same text when joined", async (store) => {
    const { id, ...event } = newEvent();
    for (const separator of ["", " ", "\n", "/", ":", "|"]) {
      await leaseOf(store, { ...event, source: `/a${separator}b${id}`, id: `c${separator}d` });
      await leaseOf(store, { ...event, source: "/a", id: `b${id}${separator}c${separator}d` });
    }
  });

  test("grants an event to only one of many concurrent claims", async (store, replica) => {
    const event = newEvent();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? store : replica).claim(event)),
    );
    equal(claims.filter((claim) => isLease(claim)).length, 1);
    equal(claims.filter((claim) => claim === "running").length, 19);
  });

  test("claims the events of a delivery together, in their order", async (store, replica) => {
    if (store.claimMany === undefined || replica.claimMany === undefined) return;
    const [handled, running, fresh] = [newEvent(), newEvent(), newEvent()];
    await (await leaseOf(replica, handled)).done();
    await leaseOf(replica, running);
    const claims = await store.claimMany([handled, running, fresh]);
    deepEqual(claims.map(kindOf), ["done", "running", "lease"]);
    deepEqual((await replica.claimMany([fresh])).map(kindOf), ["running"]);
    deepEqual(await store.claimMany([]), []);
  });

  test("settles the events of a delivery together", async (store, replica) => {
    if (store.settleMany === undefined) return;
    const events = [
      newEvent(),
      newEvent(),
      { ...newEvent(), subscriptionName: "another" },
    ] as const;
    const [first, second, third] = [
      await leaseOf(store, events[0]),
      await leaseOf(store, events[1]),
      await leaseOf(store, events[2]),
    ];
    await store.settleMany([
      { lease: first, isHandled: true },
      { lease: second, isHandled: false },
      { lease: third, isHandled: true },
    ]);
    equal(await replica.claim(events[0]), "done");
    await leaseOf(replica, events[1]);
    equal(await replica.claim(events[2]), "done");
  });

  expiring("lets others claim an event whose lease has expired", async (store, replica, wait) => {
    const event = newEvent();
    await leaseOf(store, event);
    await wait(store.leaseMs * 1.5);
    await leaseOf(replica, event);
  });

  expiring("keeps an event for as long as its lease is extended", async (store, replica, wait) => {
    const event = newEvent();
    const lease = await leaseOf(store, event);
    for (let half = 0; half < 4; half += 1) {
      await wait(store.leaseMs / 2);
      await lease.extend();
    }
    equal(await replica.claim(event), "running");
    await lease.done();
    equal(await replica.claim(event), "done");
  });

  expiring(
    "does not let an expired lease release or extend an event that others hold",
    async (store, replica, wait) => {
      const events = [newEvent(), newEvent()] as const;
      const [first, second] = [await leaseOf(store, events[0]), await leaseOf(store, events[1])];
      await wait(store.leaseMs * 1.5);
      for (const event of events) await leaseOf(replica, event);
      await Promise.all([first.release(), second.extend()]);
      for (const event of events) equal(await replica.claim(event), "running");
      await wait(replica.leaseMs * 1.5);
      await leaseOf(store, events[1]);
    },
  );

  expiring("remembers a handled event whose lease has expired", async (store, replica, wait) => {
    const events = [newEvent(), newEvent()] as const;
    const [first, second] = [await leaseOf(store, events[0]), await leaseOf(store, events[1])];
    await wait(store.leaseMs * 1.5);
    const held = await leaseOf(replica, events[0]);
    await Promise.all([first.done(), second.done()]);
    for (const event of events) equal(await replica.claim(event), "done");
    await held.release();
    equal(await store.claim(events[0]), "done");
  });

  return tests;
}

/** Runs a test again if it fails after it took so long, beside its waits, that leases may have expired. */
async function inTime(
  store: DeduplicationStore,
  replica: DeduplicationStore,
  run: Run,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const started = performance.now();
    let waitedMs = 0;
    try {
      await run(store, replica, async (ms) => {
        await setTimeout(ms);
        waitedMs += ms;
      });
      return;
    } catch (error) {
      const isInTime = performance.now() - started - waitedMs < store.leaseMs / 2;
      if (isInTime || attempt === MAX_ATTEMPTS) throw error;
    }
  }
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
