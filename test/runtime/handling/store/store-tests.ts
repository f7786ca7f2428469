import { deepEqual, equal, ok } from "node:assert/strict";
import type { Claim, DeduplicationStore, EventKey } from "cloud-eventgrid-binding-runtime";

interface StoreTest {
  /** The tested behaviour, as a sentence without a subject: "claims an event once". */
  readonly name: string;
  /** Rejects with an `AssertionError` when the store does not. */
  run(): Promise<void>;
}

/** What a test gets. */
interface Replicas {
  readonly store: DeduplicationStore;
  /** The store of another replica, or the same one if replicas share nothing. */
  readonly replica: DeduplicationStore;
  /** Makes time pass for the stores, in milliseconds. */
  readonly pass?: Pass;
}

type Pass = (ms: number) => Promise<void>;

/**
 * The tests that every deduplication store must pass.
 *
 * @param create called for each test; without `pass`, the tests of leases that expire are left out
 */
export function storeTests(create: () => Replicas): readonly StoreTest[] {
  const tests: StoreTest[] = [];
  const test = (name: string, run: (replicas: Replicas) => Promise<void>) =>
    tests.push({ name, run: () => run(create()) });
  const expiring = (name: string, run: (replicas: Replicas, pass: Pass) => Promise<void>) =>
    test(name, async (replicas) => {
      if (replicas.pass !== undefined) await run(replicas, replicas.pass);
    });

  test("claims an event once, and reports it as running to others", async ({ store, replica }) => {
    const event = newEvent();
    await leaseOf(store, event);
    equal(await claim(store, event), "running");
    equal(await claim(replica, event), "running");
  });

  test("reports a handled event as done", async ({ store, replica }) => {
    const event = newEvent();
    await settle(store, true, await leaseOf(store, event));
    equal(await claim(store, event), "done");
    equal(await claim(replica, event), "done");
  });

  test("accepts a second settlement of the same event", async ({ store, replica }) => {
    const [first, second] = [newEvent(), newEvent()];
    const [handled, released] = [await leaseOf(store, first), await leaseOf(store, second)];
    await settle(store, true, handled);
    await settle(store, true, handled);
    await settle(store, false, handled);
    equal(await claim(replica, first), "done");
    await settle(store, false, released);
    await leaseOf(replica, second);
    if (replica !== store) await settle(store, false, released);
    equal(await claim(store, second), "running");
  });

  test("lets a released event be claimed again", async ({ store, replica }) => {
    const event = newEvent();
    await settle(store, false, await leaseOf(store, event));
    await leaseOf(replica, event);
  });

  test("distinguishes events by consumer, subscription, source and id", async ({ store }) => {
    const event = newEvent();
    await settle(store, true, await leaseOf(store, event));
    await leaseOf(store, { ...event, consumer: `${event.consumer}/other` });
    await leaseOf(store, { ...event, subscriptionKey: "another" });
    await leaseOf(store, { ...event, source: `${event.source}/other` });
    await leaseOf(store, { ...event, id: `${event.id}-other` });
    await leaseOf(store, { ...event, subscriptionKey: "" });
  });

  test("distinguishes events whose source and id make the same text when joined", async ({
    store,
  }) => {
    const { id, ...event } = newEvent();
    for (const separator of ["", " ", "\n", "/", ":", "|"]) {
      await leaseOf(store, { ...event, source: `/a${separator}b${id}`, id: `c${separator}d` });
      await leaseOf(store, { ...event, source: "/a", id: `b${id}${separator}c${separator}d` });
    }
  });

  test("grants an event to only one of many concurrent claims", async ({ store, replica }) => {
    const event = newEvent();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => claim(index % 2 === 0 ? store : replica, event)),
    );
    equal(claims.map(kindOf).filter((kind) => kind === "lease").length, 1);
    equal(claims.filter((each) => each === "running").length, 19);
  });

  test("claims events together, in their order", async ({ store, replica }) => {
    const [handled, running, fresh] = [newEvent(), newEvent(), newEvent()];
    await settle(replica, true, await leaseOf(replica, handled));
    await leaseOf(replica, running);
    const claims = await store.claim([handled, running, fresh]);
    deepEqual(claims.map(kindOf), ["done", "running", "lease"]);
    deepEqual((await replica.claim([fresh])).map(kindOf), ["running"]);
    deepEqual(await store.claim([]), []);
  });

  test("claims an event once that occurs twice in the list", async ({ store }) => {
    const [event, other] = [newEvent(), newEvent()];
    const claims = await store.claim([event, other, { ...event }]);
    deepEqual(claims.map(kindOf), ["lease", "lease", "running"]);
  });

  test("settles events together", async ({ store, replica }) => {
    const [first, second, third] = [newEvent(), newEvent(), newEvent()];
    await store.settle([
      { lease: await leaseOf(store, first), isHandled: true },
      { lease: await leaseOf(store, second), isHandled: false },
      { lease: await leaseOf(store, third), isHandled: true },
    ]);
    equal(await claim(replica, first), "done");
    await leaseOf(replica, second);
    equal(await claim(replica, third), "done");
  });

  expiring(
    "lets others claim an event whose lease has expired",
    async ({ store, replica }, pass) => {
      const event = newEvent();
      await leaseOf(store, event);
      await pass(store.leaseMs * 1.5);
      await leaseOf(replica, event);
    },
  );

  expiring(
    "keeps events for as long as their leases are extended",
    async ({ store, replica }, pass) => {
      const events = [newEvent(), newEvent()];
      const leases = await Promise.all(events.map((event) => leaseOf(store, event)));
      for (let half = 0; half < 4; half += 1) {
        await pass(store.leaseMs / 2);
        await store.extend(leases);
      }
      for (const event of events) equal(await claim(replica, event), "running");
      await settle(store, true, ...leases);
      for (const event of events) equal(await claim(replica, event), "done");
    },
  );

  expiring(
    "does not let an expired lease release or extend an event that others hold",
    async ({ store, replica }, pass) => {
      const [first, second] = [newEvent(), newEvent()];
      const [released, extended] = [await leaseOf(store, first), await leaseOf(store, second)];
      await pass(store.leaseMs * 1.5);
      for (const event of [first, second]) await leaseOf(replica, event);
      await Promise.all([settle(store, false, released), store.extend([extended])]);
      for (const event of [first, second]) equal(await claim(replica, event), "running");
      await pass(replica.leaseMs * 1.5);
      await leaseOf(store, second);
    },
  );

  expiring(
    "remembers a handled event whose lease has expired",
    async ({ store, replica }, pass) => {
      const [first, second] = [newEvent(), newEvent()];
      const leases = [await leaseOf(store, first), await leaseOf(store, second)];
      await pass(store.leaseMs * 1.5);
      const held = await leaseOf(replica, first);
      await settle(store, true, ...leases);
      for (const event of [first, second]) equal(await claim(replica, event), "done");
      await settle(replica, false, held);
      equal(await claim(store, first), "done");
    },
  );

  return tests;
}

let events = 0;

/** An event that no test has used before, in this process or another. */
function newEvent(): EventKey {
  events += 1;
  const id = `${process.pid}-${Date.now()}-${events}`;
  const consumer = "0a1b2c3d-0000-4000-8000-000000000000/api/events";
  return { consumer, subscriptionKey: "orders", source: "/shop/größe?a=1 {b}", id };
}

async function claim(store: DeduplicationStore, event: EventKey): Promise<Claim> {
  const [claimed] = await store.claim([event]);
  ok(claimed !== undefined, "the store returned no claim");
  return claimed;
}

async function leaseOf(store: DeduplicationStore, event: EventKey): Promise<object> {
  const claimed = await claim(store, event);
  ok(typeof claimed === "object", `the claim of ${event.id} is ${kindOf(claimed)}, not a lease`);
  return claimed;
}

async function settle(store: DeduplicationStore, isHandled: boolean, ...leases: readonly object[]) {
  await store.settle(leases.map((lease) => ({ lease, isHandled })));
}

function kindOf(claim: Claim): string {
  return typeof claim === "string" ? claim : "lease";
}
