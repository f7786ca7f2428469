import { expect, it } from "vitest";
import { senderOf } from "../../../runtime/src/handling/telemetry.js";

// https://www.w3.org/TR/trace-context/#traceparent-header-field-values
const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const sender = { traceId, spanId, traceFlags: 1, isRemote: true };

it.each<[title: string, event: unknown, expected: object | undefined]>([
  ["version 00", { traceparent: `00-${traceId}-${spanId}-01` }, sender],
  ["a later version with more", { traceparent: `cc-${traceId}-${spanId}-01-more` }, sender],
  ["flags", { traceparent: `00-${traceId}-${spanId}-1f` }, { ...sender, traceFlags: 31 }],
  ["other than text", { traceparent: 17 }, undefined],
  ["version ff", { traceparent: `ff-${traceId}-${spanId}-01` }, undefined],
  ["something before it", { traceparent: `a00-${traceId}-${spanId}-01` }, undefined],
  ["longer flags", { traceparent: `00-${traceId}-${spanId}-011` }, undefined],
  ["no trace", { traceparent: `00-${"0".repeat(32)}-${spanId}-01` }, undefined],
  ["no span", { traceparent: `00-${traceId}-${"0".repeat(16)}-01` }, undefined],
  ["upper case", { traceparent: `00-${traceId.toUpperCase()}-${spanId}-01` }, undefined],
  ["a short trace", { traceparent: `00-${traceId.slice(1)}-${spanId}-01` }, undefined],
  ["a short span", { traceparent: `00-${traceId}-${spanId.slice(1)}-01` }, undefined],
  ["none of the event", {}, undefined],
  ["no event at all", undefined, undefined],
])("traceparent: %s", (_, event, expected) => {
  expect(senderOf(event)).toEqual(expected);
});

it("tracestate comes along with a traceparent if it has at most 512 characters", () => {
  const traceparent = `00-${traceId}-${spanId}-01`;
  const state = (tracestate: unknown) => senderOf({ traceparent, tracestate })?.traceState;
  const longest = `shop=${"x".repeat(256)},depot=${"y".repeat(244)}`;
  expect(longest).toHaveLength(512);
  expect(state(longest)?.get("depot")).toBe("y".repeat(244));
  expect([state(`${longest}y`), state(17)]).toEqual([undefined, undefined]);
  const zeros = { traceparent: `00-${"0".repeat(31)}1-${"0".repeat(15)}1-00` };
  expect(senderOf(zeros)).toMatchObject({ traceFlags: 0 });
});
