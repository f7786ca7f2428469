import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directoryWith } from "../../temporary.js";
import { Deployment } from "../deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on filters", () => {
  it("says which conditions of the filter exclude an event", async () => {
    await deployment.subscribe({
      filter: {
        subjectBeginsWith: "orders/",
        advancedFilters: [
          { operatorType: "NumberGreaterThan", key: "data.total", value: 100 },
          { operatorType: "StringNotIn", key: "data.country", values: ["CH"] },
        ],
      },
    });
    const partial = await deployment.doctor(["--subject", "returns/17"]);
    expect(partial.out).toContain(
      'every type passes; events must also match: the subject begins with "orders/"; data.total NumberGreaterThan 100; data.country StringNotIn "CH"',
    );
    expect(partial.out).toContain(
      'the event is excluded, because it does not match: the subject begins with "orders/"',
    );
    const undecided = await deployment.doctor(["--subject", "orders/17"]);
    expect(undecided.out).toContain("the event passes if it matches: data.total NumberGreaterThan");
    expect(undecided.out).toContain("→ give the whole event with --event <file>");
    const event = { type: "shop.order.placed", subject: "orders/17", data: { total: 17 } };
    const directory = directoryWith({ "event.json": JSON.stringify(event) });
    const args = ["--event", join(directory, "event.json")];
    expect((await deployment.doctor(args)).out).toContain(
      "the event is excluded, because it does not match: data.total NumberGreaterThan 100",
    );
  });

  it.each([
    [
      "that excludes a type",
      {},
      'the subscription\'s filter excludes shop.order.paid, because it does not match: type StringIn "nothing"',
    ],
    [
      "that excludes every type which is included",
      { includedEventTypes: ["shop.order.paid"] },
      'no event passes, because none matches all conditions: the type is shop.order.paid; type StringIn "nothing"',
    ],
  ])("reports a condition on the type %s", async (_what, filter, expected) => {
    const advancedFilters = [{ operatorType: "StringIn", key: "type", values: ["nothing"] }];
    await deployment.subscribe({ filter: { ...filter, advancedFilters } });
    const { status, message } = await deployment.finding("filters", [
      "--event-type",
      "shop.order.paid",
    ]);
    expect([status, message]).toEqual(["failed", expected]);
  });

  it.each([
    ["incoming", ["Microsoft.Storage.BlobCreated"], "failed"],
    ["incoming", [], "failed"],
    ["/blobServices/default/containers/incoming", ["Microsoft.Storage.BlobCreated"], "ok"],
    ["incoming", ["Microsoft.Storage.BlobInventoryPolicyCompleted"], "ok"],
  ])("judges the subject filter %s of a storage account for %j", async (begin, types, expected) => {
    const scope = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/files`;
    deployment.showSubscription({
      filter: { subjectBeginsWith: begin, includedEventTypes: types },
    });
    const { status, message, remedy } = await deployment.finding("filters", [], { scope });
    expect(status).toBe(expected);
    if (expected !== "failed") return;
    expect(message).toMatch(/^no event passes, .*; the subject begins with "incoming"$/);
    expect(remedy?.text).toContain("/blobServices/default/containers/");
  });

  it("prints nothing of an event that is not JSON", async () => {
    const directory = directoryWith({ "event.json": '{"secret": "4711", oops' });
    const { exitCode, out, error } = await deployment.doctor([
      "--event",
      join(directory, "event.json"),
    ]);
    expect([exitCode, out]).toEqual([1, ""]);
    expect(error).toMatch(/event\.json is not JSON/);
    expect(error).not.toMatch(/4711|oops|secret/);
  });

  it.each([
    [{ includedEventTypes: ["shop.order.paid"] }, false],
    [{ includedEventTypes: ["shop.order.paid", "Shop.Order.Placed"] }, true],
    [
      { advancedFilters: [{ operatorType: "StringEndsWith", key: "type", values: [".paid"] }] },
      false,
    ],
    [{ subjectBeginsWith: "returns/" }, false],
    [{ subjectBeginsWith: "orders/express/" }, true],
  ])(
    "says of a second subscription with the filter %j that events arrive twice: %s",
    async (filter, isTwin) => {
      const own = { includedEventTypes: ["shop.order.placed"], subjectBeginsWith: "orders/" };
      await deployment.subscribe({ filter: own });
      await deployment.subscribe({ name: "again", filter });
      const { out } = await deployment.doctor();
      expect(out.includes("arrive twice")).toBe(isTwin);
    },
  );
});
