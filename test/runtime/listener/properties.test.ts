import { MemoryDeduplication, RejectEvent } from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anEvent, startService } from "./service.js";

/** What happens to an event in its handler. */
type Plan = "handled" | "fails" | "rejects" | "malformed" | "store";

const plans = fc.array(
  fc.constantFrom<Plan>("handled", "handled", "handled", "fails", "rejects", "malformed", "store"),
  { minLength: 1, maxLength: 12 },
);

const isTransient = (step: Plan) => step === "fails" || step === "store";

describe("the listener", () => {
  it("answers 200 only after handling everything, and 400 only when nothing can be retried", async () => {
    const plan = new Map<unknown, Plan>();
    const succeeded: unknown[] = [];
    const memory = new MemoryDeduplication();
    const { deliver } = await startService({
      deduplication: {
        leaseMs: Number.POSITIVE_INFINITY,
        claim(keys) {
          if (keys.some(({ id }) => plan.get(id) === "store")) throw new Error("out of reach");
          return memory.claim(keys);
        },
        settle: (outcomes: Parameters<typeof memory.settle>[0]) => memory.settle(outcomes),
        extend() {},
      },
      on: {
        "*": async ({ id }) => {
          if (plan.get(id) === "fails") throw new Error("not now");
          if (plan.get(id) === "rejects") throw new RejectEvent("never");
          succeeded.push(id);
        },
      },
    });
    await fc.assert(
      fc.asyncProperty(plans, async (planned) => {
        const batch = planned.map((step) => {
          const event = anEvent(step === "malformed" ? { specversion: "?" } : {});
          plan.set(event.id, step);
          return event;
        });
        succeeded.length = 0;
        const { status } = await deliver(batch);
        const expected = planned.some(isTransient)
          ? 503
          : planned.every((step) => step === "handled")
            ? 200
            : 400;
        expect(status).toBe(expected);
        // The events of a delivery are claimed together, or not at all.
        const good = planned.includes("store")
          ? []
          : batch.filter((_, i) => planned[i] === "handled").map(({ id }) => id);
        expect(succeeded.toSorted()).toEqual(good.toSorted());

        // The transient faults have passed: only the events that had not succeeded are handled
        // again.
        for (const [id, step] of plan) if (isTransient(step)) plan.set(id, "handled");
        const again = await deliver(batch);
        const isFinal = planned.some((step) => step === "rejects" || step === "malformed");
        expect(again.status).toBe(isFinal ? 400 : 200);
        const all = batch.filter((_, i) => !["rejects", "malformed"].includes(planned[i] ?? ""));
        expect(succeeded.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it("answers 401 or 503 to any token that the issuer did not sign", async () => {
    const { issuer, deliver, handled } = await startService();
    const good = await issuer.token();
    const mutated = fc
      .tuple(fc.nat(good.length - 1), fc.constantFrom(..."ABCxyz019-_."))
      .map(([at, char]) => good.slice(0, at) + char + good.slice(at + 1))
      .filter((token) => token !== good);
    const printable = fc.string({ unit: fc.constantFrom(..."ABCxyz019-_.= "), maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, printable), async (token) => {
        const { status } = await deliver(anEvent(), { token });
        expect([401, 503]).toContain(status);
      }),
      { numRuns: 200 },
    );
    expect(handled).toEqual([]);
  });
});
