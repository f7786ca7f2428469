import { TerraformOutput, type TerraformStack, TerraformVariable } from "cdktf";
import {
  type CloudEventGridBindingProps,
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  type ExistingWebhookApplicationProps,
  type NamespaceTopicOptions,
  type NamespaceTopicSourceProps,
  sources,
  WebhookApplication,
  type WebhookApplicationProps,
  where,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import {
  existing,
  identity,
  published,
  received,
  resourceGroup,
  storageAccount,
} from "../fixtures.js";
import { create, problemsOf } from "../problems.js";
import { SUBSCRIPTION } from "../subscriptions.js";
import { arrival, type Build, type Literals, type Place, placesIn, tokenIn } from "./later.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
const dead = { storageAccount, container: "dead" };
const retryPolicy = { maxDeliveryAttempts: 5, eventTimeToLiveMinutes: 60 };
const common = { cloudEnvironment: "public", eventGridApplicationId: existing.groupId };
const shared = {
  ...place,
  publicNetworkAccess: true,
  allowedAddresses: ["203.0.113.0/24"],
  identity: { type: "UserAssigned", userAssignedIdentities: [identity] },
  privateEndpoints: [{ subnetId: `${resourceGroup}/providers/a.b/c/d/subnets/e` }],
  diagnostics: { logAnalyticsWorkspaceId: `${resourceGroup}/providers/a.b/workspaces/c` },
  protect: false,
  tags: { team: "shop" },
  providerRegistration: "provider",
  azurerm: undefined,
};

const bindings: Literals<CloudEventGridBindingProps> = {
  direction: "input, output",
  cloudEnvironment: "public",
  writer: "deployer",
  publishWith: "accessKey",
  cloudAuthorityHost: "https://login.example.com",
  cloudTenantId: received.cloudTenantId,
  cloudSubscriptionId: undefined,
  cloudClientId: received.cloudClientId,
  cloudClientSecret: "secret",
  subscriberEndpoint: received.subscriberEndpoint,
  handshakePort: "9000",
  scope: topicId,
  eventSubscriptionName: "orders",
  topicEndpoint: published.topicEndpoint,
  accessKey: "key",
  events: { types: ["a.b"] },
  includedEventTypes: ["a.b"],
  subjectFilter: { beginsWith: "a", endsWith: "b", caseSensitive: true },
  advancedFilters: [
    where("data.a").boolEquals(true),
    where("data.b").numberLessThan(1),
    where("data.c").numberNotIn(1, 2),
    where("data.d").numberInRange([1, 5]),
    where("data.e").stringContains("x"),
  ],
  retryPolicy,
  deadLetter: {
    ...dead,
    identity: {
      userAssignedIdentity: identity,
      principalId: existing.writerId,
      type: "UserAssigned",
    },
  },
  batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 128 },
  deliveryProperties: [
    { headerName: "x-a", value: "v", secret: true },
    { headerName: "x-field", sourceField: "data.f" },
  ],
  labels: ["shop"],
  existingSubscription: "adopted",
  additionalScopes: { more: `${topicId}-2` },
  writerPrincipals: [{ objectId: existing.writerId, principalType: "User" }],
  existingAssignments: ["writers"],
  webhookProbe: false,
  roleEffectSeconds: 0,
  subscribed: true,
  protect: false,
  providerRegistration: "provider",
  application: undefined,
  azurerm: undefined,
};

const namespaces: Literals<CloudEventGridNamespaceProps> = {
  ...shared,
  namespaceName: "shop",
  capacity: 1,
  azapi: undefined,
};
const topics: Literals<NamespaceTopicOptions> = { eventRetentionDays: 6, protect: false };
const pullBindings: Literals<CloudEventGridPullBindingProps> = {
  topic: undefined,
  eventSubscriptionName: "shop",
  receiver: existing.writerId,
  events: { types: ["a.b"] },
  includedEventTypes: ["a.b"],
  filters: [where("subject").stringIn("a")],
  deadLetter: dead,
  receiveLockSeconds: 60,
  maxDeliveryCount: 9,
  eventTimeToLiveMinutes: 60,
  existingAssignments: ["deadLetter"],
  roleEffectSeconds: 0,
  protect: false,
};
const systemSources: Literals<NamespaceTopicSourceProps> = {
  ...place,
  scope: topicId,
  systemTopic: { id: `${topicId}s`, principalId: existing.writerId },
  eventSubscriptionName: "shop",
  events: { types: ["a.b"] },
  includedEventTypes: ["a.b"],
  subjectFilter: { beginsWith: "a" },
  advancedFilters: [where("data.a").numberGreaterThan(1)],
  retryPolicy,
  deadLetter: dead,
  diagnostics: { eventHub: { authorizationRuleId: `${topicId}/a/b`, name: "hub" } },
  protect: false,
  roleEffectSeconds: 0,
};
const customTopics: Literals<CloudEventGridTopicProps> = {
  ...shared,
  topicName: "orders",
  localAuthEnabled: true,
};
const applications: Literals<WebhookApplicationProps> = {
  displayName: "orders",
  clientSecret: {
    displayName: "key",
    endDate: "2030-01-01T00:00:00Z",
    rotateWhenChanged: { month: "may" },
  },
  ...common,
  azuread: undefined,
};
const existingApplications: Literals<ExistingWebhookApplicationProps> = {
  clientId: existing.clientId,
  servicePrincipal: "lookup",
  existingAssignments: ["eventGrid"],
  ...common,
  azuread: undefined,
};
const principals: Literals<EventGridServicePrincipalProps> = { ...common, azuread: undefined };

/** A binding whose runtime environment is an output of the stack. */
const binding: Build = (scope, props) => {
  const all = {
    ...received,
    scope: topicId,
    topicEndpoint: published.topicEndpoint,
    accessKey: "key",
    ...("cloudClientSecret" in props && { writer: "client" }),
    ...props,
  };
  const { variables, secrets } = create(scope, all).runtimeEnvironment("SHOP", { path: "/hook" });
  new TerraformOutput(scope, "env", { value: { ...variables, ...secrets }, staticId: true });
};

function namespace(scope: TerraformStack, of: Record<string, object>): void {
  const made = new CloudEventGridNamespace(scope, "events", { ...place, ...of.namespace });
  const topic = made.addTopic("orders", of.topic);
  if (of.binding) {
    const defaults = { topic, eventSubscriptionName: "shop" };
    new CloudEventGridPullBinding(scope, "orders", { ...defaults, ...of.binding });
  }
  if (of.source) topic.addSource("uploads", { ...place, scope: topicId, ...of.source });
}

const constructs: readonly (readonly [name: string, literals: object, build: Build])[] = [
  ["a binding", bindings, binding],
  [
    "an additional scope",
    Object.fromEntries(
      Object.entries(bindings).filter(([name]) =>
        /^(eventSub|events|incl|subject|adv|retry|dead|batch|delivery|labels|existingSub)/.test(
          name,
        ),
      ),
    ),
    (scope, props) =>
      binding(scope, { additionalScopes: { more: { scope: `${topicId}2`, ...props } } }),
  ],
  ["a namespace", namespaces, (scope, props) => namespace(scope, { namespace: props })],
  [
    "a topic of a namespace",
    topics,
    (scope, props) => namespace(scope, { topic: props, binding: {} }),
  ],
  ["a pull binding", pullBindings, (scope, props) => namespace(scope, { binding: props })],
  ["a source of a topic", systemSources, (scope, props) => namespace(scope, { source: props })],
  [
    "a topic",
    customTopics,
    (scope, props) => void new CloudEventGridTopic(scope, "topic", { ...place, ...props }),
  ],
  [
    "an application",
    applications,
    (scope, props) =>
      void new WebhookApplication(scope, "webhook", { displayName: "orders", ...props }),
  ],
  [
    "an existing application",
    existingApplications,
    (scope, props) =>
      void WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        ...props,
      }),
  ],
  [
    "Event Grid's principal",
    principals,
    (scope, props) => void new EventGridServicePrincipal(scope, "bootstrap", props),
  ],
  [
    "a grant to publish",
    { topicId, principalId: existing.writerId, principalType: "User" },
    (scope, props) => {
      const defaults = { topicId, principalId: existing.writerId };
      const { topicId: id, principalId, ...options } = { ...defaults, ...props };
      CloudEventGridTopic.fromTopicId(scope, "topic", id).grantPublish(principalId, options);
    },
  ],
];

/** What decides which resources there are, or what JavaScript calculates with. */
const EARLY = new RegExp(
  "^(direction|cloudEnvironment|writer|publishWith|existingSubscription|existingAssignments(\\[0\\])?|" +
    "(writerPrincipals\\[0\\]\\.)?principalType|webhookProbe|roleEffectSeconds|subscribed|protect|" +
    "providerRegistration|servicePrincipal|identity\\.type|eventTimeToLiveMinutes)$",
);

/** Derived from an ID: what another name in a literal ID leaves as it is. */
const DERIVED =
  /[.](role_definition_id|included_?event_?types|lifecycle[.].*|topicType|parent_id)$/i;

/** A service learns a scope only if it is a literal. */
const LEFT_OUT = "output.env.value.SHOP_SCOPE";

const among = (ways: readonly string[], way: string) =>
  ways.some((one) => `${way}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${way}.`));

/** Every other token has a type. */
const alternating = (places: readonly Place[]) =>
  places.map((place, i) => ({ ...place, isTyped: i % 2 === 0 }));

describe.each(constructs)("a token in a prop of %s", (_name, literals, build) => {
  const places = placesIn({ ...literals });
  const early = places.filter(({ field, isGroup }) => isGroup || EARLY.test(field));
  // Another literal type would need other members.
  const late = places.filter((each) => !early.includes(each) && !/[.]type$/.test(each.field));

  it.each(alternating(early))("is refused if it must be known early: $field", (each) => {
    const { field, kind, isTyped, put } = each;
    const problems = problemsOf((scope) => build(scope, put(tokenIn(scope, kind, isTyped))));
    expect(problems).toEqual([expect.stringMatching(/: (known-early|type)$/)]);
    expect(problems[0]).toContain(`${field}: `);
  });

  it.each(alternating(late))(
    "arrives where another literal would, and nowhere else: $field",
    ({ isTyped, ...each }) => {
      const { arrived, changed, shown, spoilt } = arrival(build, each, isTyped);
      expect(arrived).not.toEqual([]);
      expect(spoilt).toEqual([]);
      expect(arrived.filter((way) => !among(changed, way) && !DERIVED.test(way))).toEqual([]);
      expect(shown.filter((way) => !among(arrived, way) && way !== LEFT_OUT)).toEqual([]);
    },
  );
});

describe("a token that is written in another way", () => {
  it.each([
    ["scope", '/${trim(var.later, "/")}'],
    ["cloudSubscriptionId", "/subscriptions/${var.later}/providers/Microsoft.Authorization/role"],
    [
      "subscriberEndpoint",
      '${replace(var.later, "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/", "$1/api/events$2")}',
    ],
  ])("is the %s of a binding", (prop, written) => {
    const stack = synthesized((scope) => binding(scope, { [prop]: tokenIn(scope, "text", true) }));
    expect(JSON.stringify(stack.json)).toContain(JSON.stringify(written).slice(1, -1));
  });

  it("is an address of a topic", () => {
    const stack = synthesized((scope) => {
      const allowedAddresses = tokenIn(scope, "list", true) as string[];
      new CloudEventGridTopic(scope, "topic", { ...place, allowedAddresses });
    });
    expect(stack.one("azurerm_eventgrid_topic").inbound_ip_rule).toContain(
      'for key, val in var.later: {"ip_mask" = val, "action" = "Allow"}]}',
    );
  });

  it("is public access, an address or a time to live of a namespace", () => {
    const written = (props: (stack: TerraformStack) => Record<string, object>) =>
      JSON.stringify(synthesized((stack) => namespace(stack, props(stack))).json.resource);
    expect(
      written((stack) => ({
        namespace: { publicNetworkAccess: tokenIn(stack, "boolean", true) },
      })),
    ).toContain('${var.later ? \\"Enabled\\" : \\"Disabled\\"}');
    expect(
      written((stack) => ({ namespace: { allowedAddresses: tokenIn(stack, "list", true) } })),
    ).toContain('for key, val in var.later: {\\"ipMask\\" = val, \\"action\\" = \\"Allow\\"}]}');
    expect(
      written((stack) => ({
        topic: { eventRetentionDays: tokenIn(stack, "number", true) },
        binding: {},
      })),
    ).toContain('"eventTimeToLive":"P${var.later}D"');
  });

  it("is the type of an identity that dead-letters", () => {
    const stack = synthesized((scope) => {
      const own = { type: tokenIn(scope, "text", true), principalId: existing.writerId };
      binding(scope, { deadLetter: { ...dead, identity: own } });
    });
    expect(stack.one(SUBSCRIPTION).dead_letter_identity).toEqual({ type: "${var.later}" });
  });

  it("is a list of labels, of an adopted subscription", () => {
    const stack = synthesized((scope) =>
      binding(scope, { labels: tokenIn(scope, "list", true), existingSubscription: "adopt" }),
    );
    expect(stack.one(SUBSCRIPTION).labels).toBe('${distinct(concat(var.later, ["adopted"]))}');
  });

  it("is the container, the beginning and the end of the blobs of a source", () => {
    const stack = synthesized((scope) => {
      const text = String(tokenIn(scope, "text", true));
      const options = { container: text, blobPrefix: text, blobSuffix: text };
      binding(scope, { additionalScopes: { more: sources.objectStorage(text, options) } });
    });
    expect(stack.one(SUBSCRIPTION, "orders/subscription-more").subject_filter).toEqual({
      subject_begins_with: "/blobServices/default/containers/${var.later}/blobs/${var.later}",
      subject_ends_with: "${var.later}",
    });
  });
});

it("the list of events of a source must be known early", () => {
  expect(() =>
    problemsOf((scope) => {
      const { listValue } = new TerraformVariable(scope, "types", { type: "list(string)" });
      sources.iotHub(storageAccount, { events: { types: listValue } });
    }),
  ).toThrow("events must be known before anything is deployed: write the types");
});
