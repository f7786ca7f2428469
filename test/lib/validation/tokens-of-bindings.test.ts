import { TerraformOutput, type TerraformStack, TerraformVariable } from "cdktf";
import {
  type AdditionalScope,
  type CloudEventGridBindingProps,
  sources,
  where,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, storageAccount } from "../fixtures.js";
import { create, problemsOf } from "../problems.js";
import { SUBSCRIPTION } from "../subscriptions.js";
import { type Rows, testRows } from "./later.js";

const ROLE = "azurerm_role_assignment";
const APP_ROLE = "azuread_app_role_assignment";
const trimmed = '/${trim(var.text, "/")}';

/** The default props of the bindings in these tests. */
const definition = {
  ...received,
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "key",
};

/** A binding whose runtime environment is an output of the stack. */
function build(scope: TerraformStack, props: object): void {
  const binding = create(scope, { ...definition, ...props });
  const { variables, secrets } = binding.runtimeEnvironment("SHOP", { path: "/api/events" });
  new TerraformOutput(scope, "env", { value: { ...variables, ...secrets }, staticId: true });
}

const settings: Omit<Rows<AdditionalScope>, "scope"> = {
  eventSubscriptionName: [
    ({ text }) => ({ eventSubscriptionName: text }),
    [SUBSCRIPTION, "name", "${var.text}"],
  ],
  events: [
    ({ list }) => ({ events: { types: list } }),
    [SUBSCRIPTION, "included_event_types", "${var.list}"],
  ],
  includedEventTypes: [
    ({ list }) => ({ includedEventTypes: list }),
    [SUBSCRIPTION, "included_event_types", "${var.list}"],
  ],
  subjectFilter: [
    ({ text, boolean }) => ({
      subjectFilter: { beginsWith: text, endsWith: text, caseSensitive: boolean },
    }),
    [
      SUBSCRIPTION,
      "subject_filter",
      {
        subject_begins_with: "${var.text}",
        subject_ends_with: "${var.text}",
        case_sensitive: "${var.boolean}",
      },
    ],
  ],
  advancedFilters: [
    ({ text, number, boolean, list }) => ({
      advancedFilters: [
        where(text).isNotNull(),
        where("data.a").boolEquals(boolean),
        where("data.b").numberLessThan(number),
        where("data.c").numberNotIn(1, number),
        where("data.d").numberInRange([number, 5]),
        where("data.e").stringContains(text),
        where("data.f").stringNotIn(...list),
      ],
    }),
    [SUBSCRIPTION, "advanced_filter.is_not_null", [{ key: "${var.text}" }]],
    [SUBSCRIPTION, "advanced_filter.bool_equals.0.value", "${var.boolean}"],
    [SUBSCRIPTION, "advanced_filter.number_less_than.0.value", "${var.number}"],
    [SUBSCRIPTION, "advanced_filter.number_not_in.0.values", [1, "${var.number}"]],
    [SUBSCRIPTION, "advanced_filter.number_in_range.0.values", [["${var.number}", 5]]],
    [SUBSCRIPTION, "advanced_filter.string_contains.0.values", ["${var.text}"]],
    [SUBSCRIPTION, "advanced_filter.string_not_in.0.values", "${var.list}"],
  ],
  retryPolicy: [
    ({ number }) => ({
      retryPolicy: { maxDeliveryAttempts: number, eventTimeToLiveMinutes: number },
    }),
    [
      SUBSCRIPTION,
      "retry_policy",
      { max_delivery_attempts: "${var.number}", event_time_to_live: "${var.number}" },
    ],
  ],
  deadLetter: [
    ({ text }) => ({
      deadLetter: {
        storageAccount: { id: text },
        container: { name: text },
        identity: { type: text, userAssignedIdentity: text, principalId: text },
      },
    }),
    [
      SUBSCRIPTION,
      "storage_blob_dead_letter_destination",
      { storage_account_id: "${var.text}", storage_blob_container_name: "${var.text}" },
    ],
    [
      SUBSCRIPTION,
      "dead_letter_identity",
      { type: "${var.text}", user_assigned_identity: "${var.text}" },
    ],
    [ROLE, "scope", "${var.text}/blobServices/default/containers/${var.text}"],
    [ROLE, "principal_id", "${var.text}"],
  ],
  batching: [
    ({ number }) => ({
      batching: { maxEventsPerBatch: number, preferredBatchSizeInKilobytes: number },
    }),
    [SUBSCRIPTION, "webhook_endpoint.max_events_per_batch", "${var.number}"],
    [SUBSCRIPTION, "webhook_endpoint.preferred_batch_size_in_kilobytes", "${var.number}"],
  ],
  deliveryProperties: [
    ({ text, boolean }) => ({
      deliveryProperties: [
        { headerName: text, value: text, secret: boolean },
        { headerName: "x-field", sourceField: text },
      ],
    }),
    [
      SUBSCRIPTION,
      "delivery_property",
      [
        {
          header_name: "${var.text}",
          type: "Static",
          value: "${var.text}",
          secret: "${var.boolean}",
        },
        { header_name: "x-field", type: "Dynamic", source_field: "${var.text}" },
      ],
    ],
  ],
  labels: [({ list }) => ({ labels: list }), [SUBSCRIPTION, "labels", "${var.list}"]],
  existingSubscription: [({ text }) => ({ existingSubscription: text }), "existingSubscription"],
};

const props: Rows<CloudEventGridBindingProps> = {
  ...settings,
  direction: [({ text }) => ({ direction: text }), "direction"],
  cloudEnvironment: [({ text }) => ({ cloudEnvironment: text }), "cloudEnvironment"],
  writer: [({ text }) => ({ writer: text }), "writer"],
  publishWith: [({ text }) => ({ publishWith: text }), "publishWith"],
  cloudAuthorityHost: [
    ({ text }) => ({ cloudAuthorityHost: text }),
    ["output", "env.value.SHOP_AUTHORITY_HOST", "${var.text}"],
  ],
  cloudTenantId: [
    ({ text }) => ({ cloudTenantId: text }),
    [SUBSCRIPTION, "webhook_endpoint.active_directory_tenant_id", "${var.text}"],
    ["output", "env.value.SHOP_TENANT_ID", "${var.text}"],
  ],
  cloudSubscriptionId: [
    ({ text }) => ({ cloudSubscriptionId: text }),
    [
      ROLE,
      "role_definition_id",
      "/subscriptions/${var.text}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443",
    ],
  ],
  cloudClientId: [
    ({ text }) => ({ cloudClientId: text }),
    [SUBSCRIPTION, "webhook_endpoint.active_directory_app_id_or_uri", "${var.text}"],
    ["data.azuread_application", "client_id", "${var.text}"],
    ["output", "env.value.SHOP_CLIENT_ID", "${var.text}"],
  ],
  cloudClientSecret: [
    ({ text }) => ({ writer: "client", cloudClientSecret: text }),
    ["provider.azurerm", "client_secret", "${var.text}"],
  ],
  subscriberEndpoint: [
    ({ text }) => ({ subscriberEndpoint: text }),
    [
      SUBSCRIPTION,
      "webhook_endpoint.url",
      '${replace(var.text, "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/", "$1/api/events$2")}',
    ],
  ],
  handshakePort: [
    ({ text }) => ({ handshakePort: text }),
    ["output", "env.value.SHOP_HANDSHAKE_PORT", "${var.text}"],
  ],
  scope: [
    ({ text }) => ({ scope: text }),
    [SUBSCRIPTION, "scope", trimmed],
    [ROLE, "scope", trimmed],
  ],
  topicEndpoint: [
    ({ text }) => ({ topicEndpoint: text }),
    ["output", "env.value.SHOP_TOPIC_ENDPOINT", "${var.text}"],
  ],
  accessKey: [
    ({ text }) => ({ accessKey: text }),
    ["output", "env.value.SHOP_ACCESS_KEY", "${var.text}"],
  ],
  additionalScopes: [
    ({ text }) => ({ additionalScopes: { more: text } }),
    [SUBSCRIPTION, "scope", trimmed],
    [ROLE, "scope", trimmed],
  ],
  writerPrincipals: [
    ({ text }) => ({ writerPrincipals: [{ objectId: text, principalType: "User" }] }),
    [ROLE, "principal_id", "${var.text}"],
    [APP_ROLE, "principal_object_id", "${var.text}"],
  ],
  existingAssignments: [({ list }) => ({ existingAssignments: list }), "existingAssignments"],
  webhookProbe: [({ boolean }) => ({ webhookProbe: boolean }), "webhookProbe"],
  roleEffectSeconds: [({ number }) => ({ roleEffectSeconds: number }), "roleEffectSeconds"],
  subscribed: [({ boolean }) => ({ subscribed: boolean }), "subscribed"],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
  providerRegistration: [({ text }) => ({ providerRegistration: text }), "providerRegistration"],
  application: "no value",
  azurerm: "no value",
};

const parts = {
  "a writer's type": [
    ({ text }) => ({ writerPrincipals: [{ objectId: existing.writerId, principalType: text }] }),
    "writerPrincipals[0].principalType",
  ],
  "an assignment that exists": [
    ({ text }) => ({ existingAssignments: [text] }),
    "existingAssignments[0]",
  ],
  "a list of writers": [({ list }) => ({ writerPrincipals: list }), "writerPrincipals"],
  "a list of filters": [({ list }) => ({ advancedFilters: list }), "advancedFilters"],
  "a list of headers": [({ list }) => ({ deliveryProperties: list }), "deliveryProperties"],
  "a map of scopes": [({ map }) => ({ additionalScopes: map }), "additionalScopes"],
  "a group of settings": [({ boolean }) => ({ retryPolicy: boolean }), "retryPolicy"],
} as const satisfies Rows<Record<string, unknown>>;

describe("a token as a prop of a binding", () => {
  testRows(props, build);
  testRows(parts, build);
});

describe("a token as a setting of an additional scope", () => {
  const atScope = (changes: object) => ({
    additionalScopes: { more: { scope: storageAccount, ...changes } },
  });
  const { existingSubscription: _, ...others } = settings;
  testRows(others, (scope, changes) => build(scope, atScope(changes)));
  testRows(
    {
      existingSubscription: [
        ({ text }) => ({ existingSubscription: text }),
        "additionalScopes.more.existingSubscription",
      ],
    },
    (scope, changes) => build(scope, atScope(changes)),
  );
});

describe("a token as an option of a source", () => {
  const source = {
    "the resource and its part": [
      ({ text, boolean }) => ({
        additionalScopes: {
          uploads: sources.objectStorage(text, {
            container: text,
            blobPrefix: text,
            blobSuffix: text,
            caseSensitive: boolean,
          }),
        },
      }),
      [SUBSCRIPTION, "scope", trimmed],
      [
        SUBSCRIPTION,
        "subject_filter",
        {
          subject_begins_with: "/blobServices/default/containers/${var.text}/blobs/${var.text}",
          subject_ends_with: "${var.text}",
          case_sensitive: "${var.boolean}",
        },
      ],
    ],
  } as const satisfies Rows<Record<string, unknown>>;
  testRows(source, build);

  it("is refused for the list of events", () => {
    expect(() =>
      problemsOf((scope) => {
        const { listValue } = new TerraformVariable(scope, "types", { type: "list(string)" });
        sources.iotHub(storageAccount, { events: { types: listValue } });
      }),
    ).toThrow("events must be known before anything is deployed: write the types");
  });
});

describe("a token next to literals", () => {
  it("can be the list of labels of an adopted subscription", () => {
    const stack = synthesized((scope) => {
      const labels = new TerraformVariable(scope, "labels", { type: "list(string)" });
      create(scope, {
        ...received,
        labels: labels.listValue,
        existingSubscription: "adopt",
      });
    });
    expect(stack.one("azurerm_eventgrid_event_subscription").labels).toBe(
      '${distinct(concat(var.labels, ["adopted"]))}',
    );
  });
});
