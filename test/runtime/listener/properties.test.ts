import { MemoryDeduplication, RejectEvent } from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { CLIENT } from "../../support/issuer.js";
import { exchange } from "../../support/raw-http.js";
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

  it("answers 400 to any bytes that are not an event", async () => {
    const { issuer, port, deliver, handled } = await startService({ deadlineMs: 5_000 });
    const token = await issuer.token();
    const types = ["application/cloudevents+json", "application/cloudevents-batch+json"];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        fc.constantFrom(...types),
        async (body, type) => {
          const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`;
          const { status } = await exchange(port, [head, body]);
          expect(status).toBe(Buffer.from(body).toString().trim() === "[]" ? 200 : 400);
        },
      ),
      { numRuns: 150 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await exchange(port, [bytes, "\r\n\r\n"], { end: true });
      }),
      { numRuns: 100 },
    );
    expect(handled).toEqual([]);
    expect((await deliver(anEvent())).status).toBe(200);
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

  it("accepts a token exactly when jose verifies it", async () => {
    const { issuer, deliver } = await startService();
    const foreign = await issuer.foreignKey();
    const keys = createLocalJWKSet({ keys: [{ ...issuer.key.jwk, kty: "RSA" }] });
    const seconds = Math.floor(Date.now() / 1000);
    const verdicts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          aud: fc.constantFrom<unknown>(CLIENT, CLIENT, "someone-else", undefined),
          iss: fc.constantFrom<unknown>(issuer.v1Issuer, issuer.v1Issuer, "https://evil.example/"),
          exp: fc.constantFrom<unknown>(
            seconds + 3600,
            seconds + 3600,
            seconds - 30,
            seconds - 3000,
          ),
          nbf: fc.constantFrom<unknown>(seconds - 10, seconds + 30, seconds + 3000, undefined),
        }),
        fc.constantFrom(issuer.key, issuer.key, foreign),
        async (claims, key) => {
          const token = await issuer.token(claims, { key });
          const isVerified = await jwtVerify(token, keys, {
            algorithms: ["RS256"],
            audience: CLIENT,
            issuer: issuer.v1Issuer,
            clockTolerance: 60,
          }).then(
            () => true,
            () => false,
          );
          const { status } = await deliver(anEvent(), { token });
          expect(status).toBe(isVerified ? 200 : 401);
          verdicts.add(status);
        },
      ),
      { numRuns: 120 },
    );
    expect([...verdicts].toSorted()).toEqual([200, 401]);
  });
});
