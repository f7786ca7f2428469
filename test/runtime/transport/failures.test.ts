import { expect, it } from "vitest";
import { CredentialError } from "../../../runtime/src/transport/credentials.js";
import {
  connectionFailure,
  late,
  ProxyError,
  refused,
  unanswered,
} from "../../../runtime/src/transport/failures.js";

/** The failure of a response, at the time 1,000. */
function failure(status: number, body: object, headers = {}, advice = {}, credential = "") {
  const response = { status, headers, requestId: undefined, body: JSON.stringify(body) };
  return refused(response, "[POST]", advice, undefined, 1_000, credential);
}

it.each([
  ["busy", "[POST]: 503 busy. Wait."],
  ["busy!", "[POST]: 503 busy! Wait."],
  [undefined, "[POST]: 503 Wait."],
])("advice follows what the service says, here %j", (message, shown) => {
  expect(failure(503, { message }, {}, { 503: "Wait." }).message).toBe(shown);
});

it.each([
  [201, "only 200 is a success"],
  [299, "only 200 is a success"],
  [300, "redirects are not followed"],
  [399, "redirects are not followed"],
  [400, ""],
])("%i without an error in its body is explained: %s", (status, reason) => {
  expect(failure(status, {}).message).toBe(`[POST]: ${status} ${reason}`.trim());
});

it("an error is read with its details, each part to a limit", () => {
  const error = { code: "No", message: "x".repeat(2_001), details: Array(51).fill({ code: 5 }) };
  expect(failure(400, { error })).toEqual({
    message: `[POST]: 400 No: ${"x".repeat(2_000)}`,
    kind: "400 No",
    details: { status: 400, serviceCode: "No", details: Array(50).fill({}) },
  });
  expect(failure(400, { error: { details: {} } })).toEqual({
    ...{ message: "[POST]: 400", kind: "400 ", details: { status: 400 } },
  });
});

it("a request without a response says why, and through which proxy it may have gone", () => {
  const cause = new Error("hush");
  const credential = new CredentialError("no key", { cause });
  expect(unanswered(credential, "[POST]", "http://p")).toEqual({
    ...{ message: "no key", kind: "credential", details: { cause } },
  });
  expect(unanswered(cause, "[POST]", "http://p")).toEqual({
    message: "[POST]: hush (proxy: http://p; NO_PROXY lists the hosts to reach without it)",
    kind: "no_response",
    details: { isLasting: false, cause },
  });
});

it.each([
  ["17", 17_000],
  [" 17 ", 17_000],
  [new Date(5_000).toUTCString(), 4_000],
  [new Date(0).toUTCString(), 0],
  ["soon", undefined],
  ["", undefined],
])("Retry-After: %j is %s ms", (value, milliseconds) => {
  expect(failure(503, {}, { "retry-after": value }).details.retryAfterMs).toBe(milliseconds);
});

it("a date in Retry-After is compared with the service's clock, as this machine's may be wrong", () => {
  const [date, later] = [3_600_000, 3_607_000].map((time) => new Date(time).toUTCString());
  expect(failure(503, {}, { "retry-after": later, date }).details.retryAfterMs).toBe(7_000);
});

it("a credential that the service repeats is not shown, however it is written", () => {
  const body = { error: { code: "No", message: "key a+/b=cdef, or a%2B%2Fb%3Dcdef, is wrong" } };
  expect(failure(401, body, {}, {}, "Bearer a+/b=cdef").message).toBe(
    "[POST]: 401 No: key ***, or ***, is wrong",
  );
  const shown = (key: string) => failure(401, { message: `is ${key}` }, {}, {}, key).message;
  expect(shown("7letters")).toBe("[POST]: 401 is ***");
  expect(shown("letters")).toBe("[POST]: 401 is letters");
});

it("what did not arrive in time is late, and a credential of a kind of its own", () => {
  expect(late("[POST]", "the credential", 5, "response")).toMatchObject({
    message: "[POST]: no response within 5 ms",
    kind: "no_response",
    details: { isLate: true },
  });
  expect(late("[POST]", "the credential", 5, "credential")).toMatchObject({
    message: "the credential did not return within 5 ms",
    kind: "credential",
  });
});

it.each<[title: string, error: unknown, message: string, isLasting: boolean]>([
  ["the first of several addresses", new AggregateError([new Error("refused")]), "refused", false],
  ["a code without words", Object.assign(new Error(""), { code: "EPIPE" }), "EPIPE", false],
  ["a name without words", new RangeError(""), "RangeError", false],
  ["something that is no error", "closed", "the request failed", false],
  ["a proxy that refuses", new ProxyError("refused", true, new Error("no")), "refused", true],
])("a connection fails because of %s", (_, error, message, isLasting) => {
  expect(connectionFailure(error, undefined)).toEqual({ message, isLasting });
});

it("a certificate stays untrusted", () => {
  const error = Object.assign(new Error("no"), { code: "SELF_SIGNED_CERT_IN_CHAIN" });
  expect(connectionFailure(error, undefined).isLasting).toBe(true);
});
