import { Token } from "cdktf";
import { where } from "cloud-eventgrid-binding";
import { existing, identity, resourceGroup, storageAccount } from "./fixtures.js";
import { binding, describeWrong } from "./wrong.js";

const later = Token.asString({ resolve: () => "", creationStack: [], toString: () => "" });
const foreign = "/subscriptions/99999999-2222-3333-4444-000000000002";

function many(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `value-${i}`);
}

describeWrong("the event subscription's settings", [
  [
    "no attempt",
    binding({ retryPolicy: { maxDeliveryAttempts: 0 } }),
    ["retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is the number 0"],
  ],
  [
    "too many attempts for too long",
    binding({ retryPolicy: { maxDeliveryAttempts: 31, eventTimeToLive: 1441 } }),
    [
      "retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is the number 31",
      "retryPolicy.eventTimeToLive must be a whole number from 1 to 1440, but is the number 1441",
    ],
  ],
  [
    "batches out of range",
    binding({ batching: { maxEventsPerBatch: 5001, preferredBatchSizeInKilobytes: 2.5 } }),
    [
      "batching.maxEventsPerBatch must be a whole number from 1 to 5000, but is the number 5001",
      "batching.preferredBatchSizeInKilobytes must be a whole number from 1 to 1024, but is the number 2.5",
    ],
  ],
  [
    "odd event types",
    binding({ includedEventTypes: ["a.b", "a.b", "has space", ""] }),
    [
      'includedEventTypes[2] must be an event type: a text without white space, but is "has space"',
      'includedEventTypes[3] must be an event type: a text without white space, but is ""',
      'includedEventTypes[1] must be given only once, but is "a.b"',
    ],
  ],
  [
    "an empty subject",
    binding({ subjectFilter: { beginsWith: "" } }),
    ['subjectFilter.beginsWith must be a text that is not empty, but is ""'],
  ],
  [
    "more filter values than the service takes",
    binding({
      advancedFilters: [where("type").stringIn(...many(25)), where("data.a").boolEquals(true)],
    }),
    ["advancedFilters: the number of all values must be at most 25, but is the number 26"],
  ],
  [
    "more filters than the service takes",
    binding({ advancedFilters: many(26).map((key) => where(`data.${key}`).isNotNull()) }),
    ["advancedFilters must be at most 25 filters, but there are 26"],
  ],
  [
    "filters of nothing",
    binding({ advancedFilters: [where("type").stringIn(), where(" ").isNotNull()] }),
    [
      'advancedFilters[1].key must name an attribute or a field of the data, such as data.amount, but is " "',
      "advancedFilters[0].stringIn must have at least one value",
    ],
  ],
  [
    "filters by what cannot be compared",
    binding({
      advancedFilters: [
        where("data.a").numberInRange([5, 1]),
        where("data.b").numberLessThan(Number.NaN),
        where("subject").stringEndsWith("x".repeat(513)),
      ],
    }),
    [
      "advancedFilters[0].numberInRange[0] must be a range of two finite numbers, the lower one first, but is [5, 1]",
      "advancedFilters[1].numberLessThan must be a finite number, but is the number NaN",
      `advancedFilters[2].stringEndsWith[0] must be a text of at most 512 characters, but is "${"x".repeat(300)}…"`,
    ],
  ],
  [
    "filters by values of another kind",
    binding({
      advancedFilters: [
        { operator: "boolEquals", key: "data.a", value: "yes" },
        { operator: "numberIn", key: "data.b", values: [1, "2"] },
        { operator: "stringIn", key: "data.c", values: [3] },
        { operator: "numberNotInRange", key: "data.d", values: [[1, 2], [1], 5] },
      ],
    }),
    [
      'advancedFilters[0].boolEquals must be true or false, but is "yes"',
      'advancedFilters[1].numberIn[1] must be a finite number, but is "2"',
      "advancedFilters[2].stringIn[0] must be a text of at most 512 characters, but is the number 3",
      "advancedFilters[3].numberNotInRange[1] must be a range of two finite numbers, the lower one first, but is a list",
      "advancedFilters[3].numberNotInRange[2] must be a range of two finite numbers, the lower one first, but is the number 5",
    ],
  ],
  [
    "headers that Event Grid keeps for itself",
    binding({
      deliveryProperties: [
        { headerName: "aeg-x", value: "1" },
        { headerName: "Authorization", value: "x" },
      ],
    }),
    [
      'deliveryProperties[0].headerName must not begin with aeg-, which Event Grid keeps for itself, but is "aeg-x"',
      "deliveryProperties[1].headerName must not be Authorization: it carries the token that Event Grid signs deliveries with",
    ],
  ],
  [
    "headers that are none",
    binding({
      deliveryProperties: [
        { headerName: "a b", value: "x" },
        { headerName: "X-A" },
        { headerName: "x-a", value: "y".repeat(5000) },
      ],
    }),
    [
      'deliveryProperties[0].headerName must be a header\'s name: letters, digits and hyphens, but is "a b"',
      "deliveryProperties[2].value must be a text of at most 4096 bytes (its value is not shown)",
      'deliveryProperties[2].headerName must be given only once, but is "x-a"',
      "deliveryProperties[1] must have either a value or a sourceField",
    ],
  ],
  [
    "too many headers",
    binding({ deliveryProperties: many(11).map((name) => ({ headerName: name, value: name })) }),
    ["deliveryProperties must be at most 10 headers, but are 11"],
  ],
  [
    "switches that are no booleans",
    binding({
      subjectFilter: { endsWith: ".jpg", caseSensitive: "yes" },
      filterArrays: "no",
      deliveryProperties: [{ headerName: "X-Key", value: "v", secret: 1 }],
    }),
    [
      'subjectFilter.caseSensitive must be true or false, but is "yes"',
      'filterArrays must be true or false, but is "no"',
      "deliveryProperties[0].secret must be true or false, but is the number 1",
    ],
  ],
  [
    "a dead-letter destination that is something else, or without what it is named by",
    binding({
      deadLetter: { storageAccount: `${storageAccount}/blobServices/default`, container: {} },
    }),
    [
      `deadLetter.storageAccount must be the resource ID of a storage account (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name}), but is "${storageAccount}/blobServices/default"`,
      "deadLetter.container is required",
    ],
  ],
  [
    "an end that is no time",
    binding({ expirationTimeUtc: "tomorrow" }),
    [
      'expirationTimeUtc must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z, but is "tomorrow"',
    ],
  ],
  [
    "an end that Azure would read back in other words",
    binding({
      expirationTimeUtc: "2030-01-01T01:00:00+01:00",
      additionalScopes: {
        fraction: { scope: storageAccount, expirationTimeUtc: "2030-01-01T00:00:00.5Z" },
      },
    }),
    [
      'expirationTimeUtc must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z, but is "2030-01-01T01:00:00+01:00"',
      'additionalScopes.fraction.expirationTimeUtc must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z, but is "2030-01-01T00:00:00.5Z"',
    ],
  ],
  [
    "subject filters that filter nothing",
    binding({
      subjectFilter: { caseSensitive: true },
      additionalScopes: { uploads: { scope: storageAccount, subjectFilter: {} } },
    }),
    [
      "subjectFilter must have beginsWith or endsWith: leave it out for every subject",
      "additionalScopes.uploads.subjectFilter must have beginsWith or endsWith: leave it out for every subject",
    ],
  ],
  [
    "an end on a day that the year has not",
    binding({
      expirationTimeUtc: "2026-02-29T00:00:00Z",
      additionalScopes: {
        leap: { scope: storageAccount, expirationTimeUtc: "2028-02-29T00:00:00Z" },
      },
    }),
    [
      'expirationTimeUtc must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z, but is "2026-02-29T00:00:00Z"',
    ],
  ],
  [
    "an empty label",
    binding({ labels: [""] }),
    ['labels[0] must be a text that is not empty, but is ""'],
  ],
  [
    "a dead-letter destination by name",
    binding({
      deadLetter: {
        storageAccount: "shop",
        container: "Dead_Letters",
        identity: { type: "UserAssigned", principalId: "x" },
      },
    }),
    [
      'deadLetter.storageAccount must be the resource ID of a storage account (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name}), but is "shop"',
      'deadLetter.container must be a container\'s name: 3 to 63 lower-case letters, digits and single hyphens, but is "Dead_Letters"',
      'deadLetter.identity.principalId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "x"',
      'deadLetter.identity.userAssignedIdentity is required where type is "UserAssigned"',
    ],
  ],
  [
    "an unknown type of identity",
    binding({
      deadLetter: {
        storageAccount,
        container: "dead-letters",
        identity: { type: "System", principalId: existing.writerId },
      },
    }),
    ['deadLetter.identity.type must be one of "SystemAssigned", "UserAssigned", but is "System"'],
  ],
  [
    "parts without what they cannot do without",
    binding({
      deliveryIdentity: {},
      deliveryProperties: [{ value: "v" }],
      writerPrincipals: [{}],
    }),
    [
      "deliveryProperties[0].headerName is required",
      "deliveryIdentity.type is required",
      "writerPrincipals[0].objectId is required",
      "writerPrincipals[0].type is required",
    ],
  ],
  [
    "an identity of both types",
    binding({ deliveryIdentity: { type: "SystemAssigned", userAssignedIdentity: identity } }),
    ['deliveryIdentity.userAssignedIdentity is not used where type is "SystemAssigned": remove it'],
  ],
  [
    "additional scopes with faults of their own",
    binding({
      additionalScopes: {
        uploads: foreign,
        "a b": storageAccount,
        again: `${resourceGroup}/`,
        named: {
          scope: storageAccount,
          eventSubscriptionName: "x-y",
          retryPolicy: { maxDeliveryAttempts: 99 },
        },
      },
    }),
    [
      "additionalScopes.named.retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is the number 99",
      "additionalScopes.uploads.scope must lie in the subscription of cloudSubscriptionId (11111111-2222-3333-4444-000000000002), but names the subscription 99999999-2222-3333-4444-000000000002",
      'additionalScopes must have keys of 1 to 40 letters, digits and hyphens, but has "a b"',
      'additionalScopes.named.eventSubscriptionName must be 3 to 64 letters and digits, but "x-y" has a hyphen, which only existingSubscription allows',
      "additionalScopes.again repeats a scope of this binding: give it an eventSubscriptionName of its own",
    ],
  ],
  [
    "an unknown way to take over a subscription",
    binding({ existingSubscription: "import" }),
    ['existingSubscription must be one of "adopt", "adopted", but is "import"'],
  ],
  [
    "a probe without patience",
    binding({ webhookProbe: { timeoutSeconds: 0 } }),
    ["webhookProbe.timeoutSeconds must be a whole number from 1 to 3600, but is the number 0"],
  ],
  [
    "what decides what is made, known only later",
    binding({
      subscribed: later,
      existingSubscription: later,
      writer: "client",
      cloudClientSecret: "secret",
      roleEffectSeconds: Token.asNumber(later),
      webhookProbe: { timeoutSeconds: Token.asNumber(later) },
    }),
    [
      "existingSubscription must be known before anything is deployed: write the value itself",
      "subscribed must be known before anything is deployed: write the value itself",
      "roleEffectSeconds must be known before anything is deployed: write the value itself",
      "webhookProbe.timeoutSeconds must be known before anything is deployed: write the value itself",
    ],
  ],
  [
    "whether there is a probe, known only later",
    binding({ webhookProbe: Token.asAny({ resolve: () => true, creationStack: [] }) }),
    ["webhookProbe must be known before anything is deployed: write the value itself"],
  ],
  [
    "one where a list belongs",
    binding({ includedEventTypes: "a.b", writerPrincipals: existing.writerId }),
    [
      'includedEventTypes must be a list, but is "a.b"',
      'writerPrincipals must be a list, but is "11111111-2222-3333-4444-000000000004"',
    ],
  ],
]);
