import { where } from "cloud-eventgrid-binding";
import { existing, identity, resourceGroup, storageAccount } from "../fixtures.js";
import { binding, describeProblems } from "../problems.js";

const foreign = "/subscriptions/99999999-2222-3333-4444-000000000002";
const container = { storageAccount, container: "dead-letters" };
const systemAssigned = { type: "SystemAssigned", principalId: existing.writerId };

function many(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `value-${i}`);
}

describeProblems("delivery settings of an event subscription", [
  [
    "reports retry limits out of range",
    binding({ retryPolicy: { maxDeliveryAttempts: 0, eventTimeToLiveMinutes: 1441 } }),
    [
      "retryPolicy.maxDeliveryAttempts: integer-range",
      "retryPolicy.eventTimeToLiveMinutes: integer-range",
    ],
  ],
  [
    "reports batch sizes out of range and fractions",
    binding({ batching: { maxEventsPerBatch: 5001, preferredBatchSizeInKilobytes: 2.5 } }),
    [
      "batching.maxEventsPerBatch: integer-range",
      "batching.preferredBatchSizeInKilobytes: integer-range",
    ],
  ],
  [
    "reports delivery headers that Event Grid reserves",
    binding({
      deliveryProperties: [
        { headerName: "aeg-x", value: "1" },
        { headerName: "Authorization", value: "x" },
      ],
    }),
    [
      "deliveryProperties[0].headerName: reserved-header",
      "deliveryProperties[1].headerName: reserved-header",
    ],
  ],
  [
    "reports delivery headers that are invalid, incomplete, too long or repeated",
    binding({
      deliveryProperties: [
        { headerName: "a b", value: "x" },
        { headerName: "X-A" },
        { headerName: "x-a", value: "y".repeat(5000) },
        { value: "v" },
      ],
    }),
    [
      "deliveryProperties[0].headerName: header",
      "deliveryProperties[1]: value-or-source",
      "deliveryProperties[2].value: header-value",
      "deliveryProperties[3].headerName: required",
      "deliveryProperties[2].headerName: unique",
    ],
  ],
  [
    "reports more than ten delivery headers",
    binding({ deliveryProperties: many(11).map((name) => ({ headerName: name, value: name })) }),
    ["deliveryProperties: header-count"],
  ],
  [
    "reports secrecy of a header from a field, which would be ignored",
    binding({ deliveryProperties: [{ headerName: "X-Key", sourceField: "data.a", secret: true }] }),
    ["deliveryProperties[0].secret: unused"],
  ],
  [
    "reports strings in the place of booleans",
    binding({
      subjectFilter: { endsWith: ".jpg", caseSensitive: "yes" },
      deliveryProperties: [{ headerName: "X-Key", value: "v", secret: 1 }],
    }),
    ["subjectFilter.caseSensitive: boolean", "deliveryProperties[0].secret: boolean"],
  ],
]);

describeProblems("conditions that no event ever meets", [
  [
    "reports keys of advanced filters that are neither attributes nor in the data",
    binding({ advancedFilters: [where("payload.total").isNotNull(), where("Data.x").isNotNull()] }),
    ["advancedFilters[0].key: filter-key"],
  ],
  [
    "reports event types that the scope does not raise",
    binding({
      scope: storageAccount,
      includedEventTypes: ["Microsoft.Storage.BlobCreatd", "Microsoft.Storage.BlobDeleted"],
      events: { types: ["shop.order.placed"] },
      additionalScopes: {
        cache: `${resourceGroup}/providers/Microsoft.Cache/Redis/shop`,
        group: { scope: resourceGroup, includedEventTypes: ["Microsoft.Storage.BlobCreated"] },
      },
    }),
    [
      "includedEventTypes[0]: event-type-of-scope",
      "additionalScopes.cache.events: event-type-of-scope",
      "additionalScopes.group.includedEventTypes[0]: event-type-of-scope",
    ],
  ],
]);

describeProblems("filters of an event subscription", [
  [
    "reports an empty beginning of the subject",
    binding({ subjectFilter: { beginsWith: "" } }),
    ["subjectFilter.beginsWith: non-empty-string"],
  ],
  [
    "reports subject filters without a beginning and an end",
    binding({
      subjectFilter: { caseSensitive: true },
      additionalScopes: { uploads: { scope: storageAccount, subjectFilter: {} } },
    }),
    ["subjectFilter: required", "additionalScopes.uploads.subjectFilter: required"],
  ],
  [
    "reports more than 25 values of advanced filters in total",
    binding({
      advancedFilters: [where("type").stringIn(...many(25)), where("data.a").boolEquals(true)],
    }),
    ["advancedFilters: filter-value-count"],
  ],
  [
    "reports more than 25 advanced filters",
    binding({ advancedFilters: many(26).map((key) => where(`data.${key}`).isNotNull()) }),
    ["advancedFilters: filter-count"],
  ],
  [
    "reports advanced filters without a key or without values",
    binding({ advancedFilters: [where("type").stringIn(), where(" ").isNotNull()] }),
    ["advancedFilters[0].stringIn: empty", "advancedFilters[1].key: filter-key"],
  ],
  [
    "reports values of advanced filters that Event Grid cannot compare",
    binding({
      advancedFilters: [
        where("data.a").numberInRange([5, 1]),
        where("data.b").numberLessThan(Number.NaN),
        where("subject").stringEndsWith("x".repeat(513)),
      ],
    }),
    [
      "advancedFilters[0].numberInRange[0]: number-range",
      "advancedFilters[1].numberLessThan: number",
      "advancedFilters[2].stringEndsWith[0]: length",
    ],
  ],
  [
    "reports advanced filters that where() did not create",
    binding({ advancedFilters: [{}, { operator: "boolEquals", key: "data.a", value: "yes" }] }),
    ["advancedFilters[0]: type", "advancedFilters[1].boolEquals: boolean"],
  ],
]);

describeProblems("dead-letter destinations and identities", [
  [
    "reports names in the place of the account's ID and of the container's name",
    binding({
      deadLetter: {
        storageAccount: { id: "shop", name: storageAccount },
        container: { id: "dead-letters", name: "Dead_Letters" },
        identity: { type: "UserAssigned", principalId: "x" },
      },
    }),
    [
      "deadLetter.storageAccount: storage-account-id",
      "deadLetter.container: container-name",
      "deadLetter.identity.principalId: uuid",
      "deadLetter.identity.userAssignedIdentity: required",
    ],
  ],
  [
    "reports a resource below the account, and a missing container",
    binding({ deadLetter: { storageAccount: `${storageAccount}/blobServices/default` } }),
    ["deadLetter.storageAccount: storage-account-id", "deadLetter.container: required"],
  ],
  [
    "reports an unknown type of identity, and a missing one",
    binding({
      deadLetter: { ...container, identity: { type: "System", principalId: existing.writerId } },
      additionalScopes: {
        uploads: { scope: storageAccount, deadLetter: { ...container, identity: {} } },
      },
    }),
    [
      "deadLetter.identity.type: choice",
      "additionalScopes.uploads.deadLetter.identity.type: required",
      "additionalScopes.uploads.deadLetter.identity.principalId: required",
    ],
  ],
  [
    "reports a user-assigned identity next to a system-assigned one",
    binding({
      deadLetter: {
        ...container,
        identity: { ...systemAssigned, userAssignedIdentity: identity },
      },
    }),
    ["deadLetter.identity.userAssignedIdentity: unused"],
  ],
  [
    "reports a dead-letter identity whose principal is missing",
    binding({
      deadLetter: { ...container, identity: { type: "SystemAssigned" } },
      additionalScopes: {
        uploads: {
          scope: storageAccount,
          deadLetter: {
            ...container,
            identity: { type: "UserAssigned", userAssignedIdentity: identity },
          },
        },
      },
    }),
    [
      "deadLetter.identity.principalId: required",
      "additionalScopes.uploads.deadLetter.identity.principalId: required",
    ],
  ],
  [
    "reports a system-assigned identity that a scope would inherit from another scope",
    binding({
      deadLetter: { ...container, identity: systemAssigned },
      additionalScopes: {
        uploads: storageAccount,
        group: { scope: `${resourceGroup}/`, eventSubscriptionName: "second" },
        own: {
          scope: `${storageAccount}2`,
          deadLetter: {
            ...container,
            identity: { ...systemAssigned, principalId: existing.groupId },
          },
        },
      },
    }),
    ["additionalScopes.uploads: inherited-identity"],
  ],
]);

describeProblems("additional scopes", [
  [
    "reports scopes of another subscription, invalid keys and invalid settings",
    binding({
      additionalScopes: {
        uploads: foreign,
        "a b": storageAccount,
        scope: `${storageAccount}2`,
        named: {
          scope: `${storageAccount}3`,
          eventSubscriptionName: "x-y",
          retryPolicy: { maxDeliveryAttempts: 99 },
        },
        below: `${storageAccount}/blobServices/default`,
      },
    }),
    [
      "additionalScopes.named.retryPolicy.maxDeliveryAttempts: integer-range",
      "additionalScopes.named.eventSubscriptionName: alphanumeric-name",
      "additionalScopes.below.scope: scope",
      "additionalScopes: scope-key",
      "additionalScopes: scope-key",
      "additionalScopes.uploads.scope: scope-subscription",
    ],
  ],
  [
    "reports a scope that is repeated under the same name",
    binding({ additionalScopes: { again: `${resourceGroup}/` } }),
    ["eventSubscriptionName: unique"],
  ],
]);
