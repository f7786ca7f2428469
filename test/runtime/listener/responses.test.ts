import fc from "fast-check";
import { expect, it } from "vitest";
import { InvalidBodyError } from "../../../runtime/src/events/envelope/index.js";
import { BodyTakenError, type Exchange } from "../../../runtime/src/listener/exchange.js";
import {
  answer,
  Refusal,
  statusOf,
  statusOfError,
} from "../../../runtime/src/listener/responses.js";

it("one event to be retried outweighs rejected ones, and one rejected event handled ones", () => {
  const retried = ["failed", "timed-out", "in-progress", "deferred"] as const;
  const rejected = ["rejected", "malformed"] as const;
  const accepted = ["handled", "duplicate", "unhandled"] as const;
  const outcome = fc.constantFrom(...retried, ...rejected, ...accepted);
  const has = (outcomes: readonly string[], some: readonly string[]) =>
    outcomes.some((one) => some.includes(one));
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 4 }), (outcomes) => {
      const expected = has(outcomes, retried) ? 503 : has(outcomes, rejected) ? 400 : 200;
      expect(statusOf(outcomes)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

it.each<[title: string, error: unknown, status: number]>([
  ["a body that contains no event", new InvalidBodyError("no event"), 400],
  ["a refusal", new Refusal(415, "no CloudEvents"), 415],
  ["a body that something else has read", new BodyTakenError("read"), 503],
  ...[399, 400, 599, 600].map((statusCode): [string, unknown, number] => [
    `an error of Fastify with ${statusCode}`,
    Object.assign(new Error("failed"), { statusCode }),
    statusCode === 400 || statusCode === 599 ? statusCode : 500,
  ]),
  ["an error with a status in words", Object.assign(new Error("failed"), { statusCode: "4" }), 500],
  ["anything else", { statusCode: 400 }, 500],
])("the status of %s follows from its kind", (_, error, status) => {
  expect(statusOfError(error)).toBe(status);
});

it.each<[status: number, headers: object, body: string | undefined]>([
  [200, {}, undefined],
  [299, {}, undefined],
  [300, { "content-type": "application/json; charset=utf-8" }, "The request failed."],
  [401, { "www-authenticate": "Bearer" }, "A valid token is required."],
  [405, { allow: "POST, OPTIONS" }, "Method not allowed."],
])("%i has fixed headers and a fixed text", (status, headers, message) => {
  const responses: unknown[][] = [];
  const respond = (...response: unknown[]) => void responses.push(response);
  answer({ respond } as Partial<Exchange> as Exchange, status);
  const body = message === undefined ? [] : [JSON.stringify({ message })];
  expect(responses).toEqual([[status, expect.objectContaining(headers), ...body]]);
});
