import {
  type Claim,
  createListener,
  type DeduplicationStore,
  type EventKey,
  type Lease,
  type SettledLease,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, bindingFor, startService } from "../service.js";

/** A store that claims and settles batches, and records its calls. */
class BatchStore implements DeduplicationStore {
  readonly calls: string[] = [];
  readonly states = new Map<string, "running" | "done">();
  isClosed = false;
  readonly #ids = new Map<Lease, string>();

  constructor(readonly leaseMs = 60_000) {}

  async claim(key: EventKey): Promise<Claim> {
    this.calls.push(`claim ${key.id}`);
    return this.#claim(key);
  }

  async claimMany(keys: readonly EventKey[]): Promise<readonly Claim[]> {
    this.calls.push(`claim ${keys.map(({ id }) => id).join(",")}`);
    return keys.map((key) => this.#claim(key));
  }

  async settleMany(settlements: readonly SettledLease[]): Promise<void> {
    const shown = settlements.map(
      ({ lease, isHandled }) => `${isHandled ? "+" : "-"}${this.#ids.get(lease)}`,
    );
    this.calls.push(`settle ${shown.join(",")}`);
    for (const { lease, isHandled } of settlements) {
      const id = this.#ids.get(lease) ?? "";
      if (isHandled) this.states.set(id, "done");
      else this.states.delete(id);
    }
  }

  close(): void {
    this.isClosed = true;
  }

  #claim({ id }: EventKey): Claim {
    const state = this.states.get(id);
    if (state !== undefined) return state;
    this.states.set(id, "running");
    const lease: Lease = {
      extend: () => void this.calls.push(`extend ${id}`),
      done: async () => void this.states.set(id, "done"),
      release: async () => void this.states.delete(id),
    };
    this.#ids.set(lease, id);
    return lease;
  }
}

const events = (...ids: string[]) => ids.map((id) => anEvent({ id }));

describe("a batch", () => {
  it("is claimed with one call, and settled with one when its handlers end together", async () => {
    const deduplication = new BatchStore();
    const { deliver, ids } = await startService({ deduplication });
    expect((await deliver(events("a", "b", "c"))).status).toBe(200);
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(deduplication.calls).toEqual(["claim a,b,c", "settle +a,+b,+c"]);
  });

  it("releases the events whose handlers fail", async () => {
    const deduplication = new BatchStore();
    let fails = true;
    const { deliver } = await startService({
      deduplication,
      on: {
        "*": ({ id }) => {
          if (fails && id === "b") throw new Error("not now");
        },
      },
    });
    expect((await deliver(events("a", "b"))).status).toBe(503);
    expect([...deduplication.states]).toEqual([["a", "done"]]);
    fails = false;
    expect((await deliver(events("a", "b"))).status).toBe(200);
  });

  it("gets 503 as a whole when it cannot be claimed", async () => {
    const deduplication = new BatchStore();
    deduplication.claimMany = () => Promise.reject(new Error("no connection"));
    const { deliver, ids } = await startService({
      logger: pinoTo(new LogLines(), "error"),
      deduplication,
    });
    expect((await deliver(events("a", "b"))).status).toBe(503);
    expect(ids()).toEqual([]);
  });

  it("releases events that no handler has begun when the deadline passes", async () => {
    const deduplication = new BatchStore();
    const [started, slow] = [gate(), gate()];
    const timer = new ManualClock();
    const { deliver } = await startService({
      deduplication,
      timer,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const delivering = deliver(events("a", "b", "c"));
    await started.passed;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    await expect.poll(() => [...deduplication.states]).toEqual([["a", "running"]]);
    slow.open();
    await expect.poll(() => [...deduplication.states]).toEqual([["a", "done"]]);
  });

  it("has the leases of all its events extended while it runs", async () => {
    const deduplication = new BatchStore(40);
    const extended = (id: string) => deduplication.calls.includes(`extend ${id}`);
    const { deliver } = await startService({
      deduplication,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async ({ id }) => {
          if (id === "a") await expect.poll(() => extended("a") && extended("b")).toBe(true);
        },
      },
    });
    expect((await deliver(events("a", "b"))).status).toBe(200);
  });

  it("has claims released that arrive after their timeout", async () => {
    const deduplication = new BatchStore();
    const hanging = gate();
    const claimMany = deduplication.claimMany.bind(deduplication);
    deduplication.claimMany = async (keys) => {
      await hanging.passed;
      return claimMany(keys);
    };
    const log = new LogLines();
    const { deliver } = await startService({
      logger: pinoTo(log, "error"),
      deduplication,
      storeTimeoutMs: 50,
    });
    expect((await deliver(events("a", "b"))).status).toBe(503);
    expect(log.text).toContain("did not claim the event within 50 ms");
    hanging.open();
    await expect.poll(() => deduplication.calls.length).toBeGreaterThan(1);
    await expect.poll(() => deduplication.states.size).toBe(0);
  });
});

describe("a store", () => {
  it("does not keep the listener from closing when it cannot be closed itself", async () => {
    const deduplication = new BatchStore();
    deduplication.close = () => {
      throw new Error("no connection");
    };
    const log = new LogLines();
    const { listener } = await startService({
      logger: pinoTo(log, "error"),
      deduplication,
    });
    await listener.close();
    expect(log.text).toContain("deduplication store could not be closed");
  });

  it("is closed at once with a listener that could not listen or never did", async () => {
    let closed = 0;
    const deduplication = new BatchStore();
    deduplication.close = () => {
      closed += 1;
    };
    const { issuer, port } = await startService();
    const options = { on: { "*": () => {} }, host: "127.0.0.1", logger: false, deduplication };
    const failed = createListener(bindingFor(issuer), { ...options, port });
    await expect(failed.listen()).rejects.toThrow("cannot listen");
    await failed.close();
    await createListener(bindingFor(issuer), options).close();
    expect(closed).toBe(2);
  });
});
