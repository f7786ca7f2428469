import { expect, it } from "vitest";
import {
  basicRetryPolicy,
  decisionOn,
  namespaceRetryPolicy,
  type RetryPolicy,
  waitBeforeRetry,
} from "../../../../local/src/eventgrid/delivery/retry-policy.js";

/** The statuses of a range that have a decision. */
function statuses(kind: string, policy: RetryPolicy, toWebhook: boolean): number[] {
  const all = Array.from({ length: 500 }, (_, index) => 100 + index);
  return all.filter((status) => decisionOn({ status }, policy, toWebhook).kind === kind);
}

it("counts 200 to 204 as delivered, and refuses what the pages list", () => {
  for (const policy of [basicRetryPolicy, namespaceRetryPolicy]) {
    expect(statuses("delivered", policy, true)).toEqual([200, 201, 202, 203, 204]);
  }
  expect(statuses("refused", basicRetryPolicy, true)).toEqual([400, 401, 403, 413]);
  expect(statuses("refused", namespaceRetryPolicy, true)).toEqual([400, 401, 403, 404, 413, 414]);
  // A role of an Azure resource may not have taken effect yet.
  expect(statuses("refused", basicRetryPolicy, false)).toEqual([400, 403, 413]);
});

it.each([
  [401, 300, "Unauthorized"],
  [404, 300, "NotFound"],
  [408, 120, "TimedOut"],
  [429, 10, "Busy"],
  [500, 10, "GenericError"],
  [503, 30, "Busy"],
])("waits after %i for at least %i s, and reports %s", (status, seconds, outcome) => {
  const minimumWaitMs = seconds * 1000;
  const failed = { kind: "failed", outcome, minimumWaitMs };
  expect(decisionOn({ status }, basicRetryPolicy, false)).toEqual(failed);
});

it("retries without a response in topics, and refuses in namespaces", () => {
  const result = { failure: "SocketError", message: "reset" } as const;
  const failed = { kind: "failed", outcome: "SocketError", minimumWaitMs: 10_000 };
  expect(decisionOn(result, basicRetryPolicy, true)).toEqual(failed);
  const refused = { kind: "refused", outcome: "SocketError", reason: "UndeliverableDueToError" };
  expect(decisionOn(result, namespaceRetryPolicy, true)).toEqual(refused);
});

it("names the status in the reason of a dead letter", () => {
  const reasonOf = (status: number) => decisionOn({ status }, namespaceRetryPolicy, true);
  expect(reasonOf(400)).toHaveProperty("reason", "UndeliverableDueToHttpBadRequest");
  expect(reasonOf(401)).toHaveProperty("outcome", "Unauthorized");
  expect(reasonOf(403)).toHaveProperty("outcome", "Forbidden");
  expect(reasonOf(404)).toHaveProperty("outcome", "NotFound");
  expect(reasonOf(413)).toHaveProperty("outcome", "PayloadTooLarge");
  expect(reasonOf(414)).toHaveProperty("outcome", "UriTooLong");
});

it("waits as long as the schedule says, and its last wait again and again", () => {
  const waits = (policy: RetryPolicy, count: number) =>
    Array.from({ length: count }, (_, index) => waitBeforeRetry(policy, index + 1, 0) / 1000);
  const first = [10, 30, 60, 300];
  expect(waits(namespaceRetryPolicy, 6)).toEqual([...first, 300, 300]);
  const hours = [1, 3, 6, 12, 12, 12].map((each) => each * 3600);
  expect(waits(basicRetryPolicy, 12)).toEqual([...first, 600, 1800, ...hours]);
  expect(waitBeforeRetry(basicRetryPolicy, 2, 120_000)).toBe(120_000);
  expect(waitBeforeRetry(basicRetryPolicy, 4, 120_000)).toBe(300_000);
});
