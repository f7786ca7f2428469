import {
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
} from "cloud-eventgrid-binding";
import { expect, it } from "vitest";
import { webhookOptions } from "../../../runtime/src/listener/options.js";
import { receiverOptions } from "../../../runtime/src/receiver/settings.js";
import { binding, problemsOf } from "../../lib/problems.js";

const place = { resourceGroupName: "shop", location: "westeurope" };

const binds = (settings: object) => problemsOf(binding(settings)).length === 0;
const pulls = (settings: object) =>
  problemsOf((scope) => {
    const topic = new CloudEventGridNamespace(scope, "events", place).addTopic("orders");
    const props = { topic, eventSubscriptionName: "shop", receiver: [], ...settings };
    new CloudEventGridPullBinding(scope, "orders", props satisfies CloudEventGridPullBindingProps);
  }).length === 0;
const namespace = (props: object, topic: { readonly eventRetentionDays?: number } = {}) =>
  problemsOf((scope) => {
    new CloudEventGridNamespace(scope, "events", { ...place, ...props }).addTopic("orders", topic);
  }).length === 0;

const identity = (index: number) =>
  `/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${index}`;
const several = <T>(count: number, each: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => each(index));

it.each<[setting: string, min: number, max: number, accepts: (value: number) => boolean]>([
  ["maxDeliveryAttempts", 1, 30, (n) => binds({ retryPolicy: { maxDeliveryAttempts: n } })],
  ["eventTimeToLiveMinutes", 1, 1440, (n) => binds({ retryPolicy: { eventTimeToLiveMinutes: n } })],
  ["maxEventsPerBatch", 1, 5000, (n) => binds({ batching: { maxEventsPerBatch: n } })],
  [
    "preferredBatchSizeInKilobytes",
    1,
    1024,
    (n) => binds({ batching: { preferredBatchSizeInKilobytes: n } }),
  ],
  ["capacity", 1, 40, (n) => namespace({ capacity: n })],
  [
    "allowedAddresses",
    0,
    16,
    (n) => namespace({ allowedAddresses: several(n, (i) => `10.0.${i}.0/24`) }),
  ],
  [
    "userAssignedIdentities",
    1,
    2,
    (n) =>
      namespace({
        identity: { type: "UserAssigned", userAssignedIdentities: several(n, identity) },
      }),
  ],
  ["eventRetentionDays", 1, 7, (n) => namespace({}, { eventRetentionDays: n })],
  ["maxDeliveryCount", 1, 10, (n) => pulls({ maxDeliveryCount: n })],
  ["receiveLockSeconds", 60, 300, (n) => pulls({ receiveLockSeconds: n })],
  ["deadlineMs", 1, 25_999, (n) => webhookOptions.deadlineMs.check.test(n)],
  ["maxWaitSeconds", 10, 120, (n) => receiverOptions.maxWaitSeconds.check.test(n)],
])("%s is from %i to %i", (_, min, max, accepts) => {
  expect([min - 1, min, max, max + 1].filter((n) => n >= 0 && accepts(n))).toEqual([min, max]);
});

it("retryDelaysSeconds are those that a namespace knows", () => {
  const { check } = receiverOptions.retryDelaysSeconds;
  const seconds = several(4_000, (second) => second);
  expect(seconds.filter((second) => check.problems("", [second]).length === 0)).toEqual([
    0, 10, 60, 600, 3600,
  ]);
});
