import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestIssuer } from "../../../support/issuer.js";
import { usedHeap } from "../../../support/used-heap.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";
import { hosts } from "./hosts.js";

const REQUESTS = 3_000;
/** Less than 2 kB a request: one that is kept takes 20 kB. */
const MAX_GROWTH_BYTES = 5_000_000;

let issuer: TestIssuer;
let token: string;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  token = await issuer.token();
});
afterAll(() => issuer.stop());

describe.each(Object.entries(hosts))("the memory of the webhook in %s", (_, start) => {
  it.each([
    ["deliveries", true, 200],
    ["requests without a token", false, 401],
  ])(`stays the same after 3,000 %s`, async (_, hasToken, expected) => {
    const options = { binding: bindingFor(issuer), on: { "*": () => {} } };
    const host = await start(options, fastify().log);
    onTestFinished(() => host.close());
    const send = async (requests: number) => {
      const statuses = new Set<number>();
      const caller = async () => {
        for (let sent = 0; sent < requests / 20; sent += 1) {
          const response = await host.request("/api/events", {
            method: "POST",
            body: JSON.stringify(anEvent()),
            headers: {
              "content-type": STRUCTURED,
              ...(hasToken && { authorization: `Bearer ${token}` }),
            },
          });
          statuses.add(response.status);
          await response.arrayBuffer();
        }
      };
      await Promise.all(Array.from({ length: 20 }, caller));
      return [...statuses];
    };
    await send(500);
    const before = usedHeap();
    expect(await send(REQUESTS)).toEqual([expected]);
    expect(usedHeap() - before).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
