import { describe, expect, it } from "vitest";
import { GROUP, PUBLIC_URL, SUBSCRIPTION, startHooked } from "../../support/cloud.js";
import {
  deployer,
  finished,
  newIdentity,
  refusal,
  signIn,
} from "../../support/management-client.js";

const TENANT = "11111111-1111-4111-8111-111111111111";
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/photos`;

async function start(options: { eventGridRole?: boolean; writerRole?: boolean } = {}) {
  const { cloud, webhook } = await startHooked({
    control: { eventGridRegistered: true },
  });
  const { clientId, servicePrincipal } = cloud.applications.create({ displayName: "webhook" });
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const writer = tenant?.servicePrincipals.byClientId(deployer(cloud).clientId);
  if (!tenant || !writer) throw new Error("the deployer is missing");
  if (options.writerRole ?? true) {
    tenant.grant(writer, servicePrincipal, "AzureEventGridSecureWebhookSubscriber");
  }
  if (options.eventGridRole === false) {
    for (const { id, principalId } of tenant.appRoleAssignments.list()) {
      if (principalId !== writer.objectId) tenant.appRoleAssignments.delete(id);
    }
  }
  const call = await signIn(cloud);
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  return { cloud, webhook, clientId, servicePrincipal, writer, call, topic };
}

const at = (scope: string, name = "orders-sub") =>
  `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}?api-version=2025-02-15`;

function body(clientId: string | undefined, rest: object = {}, destination: object = {}) {
  const secured = clientId && {
    azureActiveDirectoryApplicationIdOrUri: clientId,
    azureActiveDirectoryTenantId: TENANT,
  };
  return {
    properties: {
      destination: {
        endpointType: "WebHook",
        properties: { endpointUrl: PUBLIC_URL, ...secured, ...destination },
      },
      eventDeliverySchema: "CloudEventSchemaV1_0",
      filter: {},
      ...rest,
    },
  };
}

describe("an event subscription over Resource Manager", () => {
  it("returns the written properties, so that a plan shows no change", async () => {
    const { call, clientId, cloud, topic } = await start();
    const rest = {
      filter: {
        subjectBeginsWith: "orders/",
        subjectEndsWith: "",
        isSubjectCaseSensitive: true,
        includedEventTypes: ["shop.order.placed"],
        advancedFilters: [
          { operatorType: "NumberInRange", key: "data.amount", values: [[1, 5]] },
          { operatorType: "StringIn", key: "subject", values: ["orders/1"] },
        ],
        enableAdvancedFilteringOnArrays: true,
      },
      retryPolicy: { eventTimeToLiveInMinutes: 60, maxDeliveryAttempts: 5 },
      labels: ["blue"],
      expirationTimeUtc: "2030-01-01T00:00:00Z",
    };
    const destination = {
      maxEventsPerBatch: 10,
      preferredBatchSizeInKilobytes: 128,
      minimumTlsVersionAllowed: "1.2",
    };
    const given = { ...rest, expirationTimeUtc: "2030-01-01T01:00:00.5+01:00" };
    await finished(call, await call("PUT", at(topic.id), body(clientId, given, destination)));

    expect((await call("GET", at(topic.id))).body).toMatchObject({
      properties: {
        ...rest,
        destination: { properties: destination },
      },
    });
    expect(cloud.eventSubscriptions.get(topic.id, "orders-sub")?.settings).toMatchObject({
      filter: rest.filter,
      retryPolicy: { eventTimeToLiveInMinutes: 60, maxDeliveryAttempts: 5 },
      batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 128 },
      labels: ["blue"],
      expiresAt: given.expirationTimeUtc,
    });
  });

  it("leaves out missing properties, so that a plan shows no change", async () => {
    const { call, clientId, topic } = await start();
    const nothing = {
      deadLetterDestination: null,
      expirationTimeUtc: "",
      labels: [],
      filter: { advancedFilters: [] },
    };
    const put = await call("PUT", at(topic.id), body(clientId, nothing));
    await finished(call, put);

    const { body: shown } = await call("GET", at(topic.id));
    expect(Object.keys(Object(shown).properties).sort()).toEqual([
      "destination",
      "eventDeliverySchema",
      "filter",
      "labels",
      "provisioningState",
      "retryPolicy",
      "topic",
    ]);
    // Returned nevertheless: a provider stores it as a computed attribute.
    expect(Object(shown).properties.retryPolicy).toEqual({
      maxDeliveryAttempts: 30,
      eventTimeToLiveInMinutes: 1440,
    });
    expect(Object(shown).properties.filter).toEqual({
      subjectBeginsWith: "",
      subjectEndsWith: "",
    });
  });

  it("keeps its URL and secrets when a client sends back the destination that it read", async () => {
    const { call, clientId, topic } = await start();
    const endpointUrl = `${PUBLIC_URL}?code=s3cret`;
    const deliveryAttributeMappings = [
      { name: "x-key", type: "Static", properties: { isSecret: true, value: "k3y" } },
    ];
    const written = body(clientId, {}, { endpointUrl, deliveryAttributeMappings });
    await finished(call, await call("PUT", at(topic.id), written));
    const { body: shown } = await call("GET", at(topic.id));
    const { destination } = Object(shown).properties;

    // As `az eventgrid event-subscription update --labels blue` does.
    const change = await call("PATCH", at(topic.id), { destination, labels: ["blue"] });

    expect(await finished(call, change)).toMatchObject({ status: "Succeeded" });
    const fullUrl = await call("POST", at(topic.id).replace("?", "/getFullUrl?"));
    expect(fullUrl.body).toEqual({ endpointUrl });
    expect((await call("GET", at(topic.id))).body).toMatchObject({
      properties: { labels: ["blue"], destination },
    });
  });

  it.each([
    ["Microsoft.Storage.BlobCreate", "Did you mean Microsoft.Storage.BlobCreated?"],
    ["shop.order.placed", "It raises Microsoft.Storage.BlobCreated, "],
  ])("is refused for the type %s, which its source does not raise", async (type, remedy) => {
    const { call, clientId } = await start();
    const written = body(clientId, { filter: { includedEventTypes: [type] } });
    const message = `The event type '${type}' is not one that '${ACCOUNT}' raises. ${remedy}`;
    expect(await call("PUT", at(ACCOUNT), written)).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining(message)),
    );
  });

  it.each([
    [
      { destination: { endpointType: "HybridConnection" } },
      "does not support destinations of the type 'HybridConnection'",
    ],
    [{ destination: { endpointType: "EventHub" } }, "is invalid for a destination of the type"],
    [{ destination: null }, "has no destination"],
  ])("is refused with %j", async (rest, message) => {
    const { call, clientId, topic } = await start();
    expect(await call("PUT", at(topic.id), body(clientId, rest))).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining(message)),
    );
  });
});

it.each([
  ["Storage", "Failed"],
  ["FileStorage", "Failed"],
  ["BlobStorage", "Succeeded"],
])("an event subscription at a storage account of the kind %s: %s", async (kind, status) => {
  const { call } = await start();
  await call("PUT", ACCOUNT, { location: "westeurope", kind });
  const outcome = await finished(call, await call("PUT", at(ACCOUNT), body(undefined)));
  const error = { code: "Storage Notification" };
  expect(outcome).toMatchObject({ status, ...(status === "Failed" && { error }) });
});

describe("the app role of a protected webhook", () => {
  const stranger = "55555555-5555-4555-8555-555555555555";

  it.each<[string, Parameters<typeof start>[0], string | undefined, string]>([
    [
      "is required of Event Grid's own principal",
      { eventGridRole: false },
      undefined,
      "service principal of Microsoft.EventGrid",
    ],
    ["cannot exist on an application that the tenant lacks", {}, stranger, stranger],
  ])("%s", async (_, options, application, message) => {
    const { call, clientId, topic } = await start(options);
    const written = await call("PUT", at(topic.id), body(application ?? clientId));
    expect(await finished(call, written)).toMatchObject({
      status: "Failed",
      error: { code: "Unauthorized", message: expect.stringContaining(message) },
    });
  });

  it("is not required of a writer that owns the application's principal", async () => {
    const { call, clientId, servicePrincipal, topic, writer } = await start({ writerRole: false });
    servicePrincipal.owners.add(writer.objectId);
    const outcome = await finished(call, await call("PUT", at(topic.id), body(clientId)));
    expect(outcome).toMatchObject({ status: "Succeeded" });
  });
});

describe("Azure's roles for event subscriptions", () => {
  it("are required to read and write", async () => {
    const { clientId, cloud, topic } = await start();
    const identity = newIdentity(cloud, "nobody");
    const call = await signIn(cloud, identity);
    expect(await call("GET", at(topic.id))).toMatchObject(
      refusal(
        403,
        "AuthorizationFailed",
        `The client '${identity.clientId}' with object id '${identity.principalId}' does not have authorization to perform action 'Microsoft.EventGrid/eventSubscriptions/read' over scope '${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders-sub' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
      ),
    );
    expect(await call("PUT", at(topic.id), body(clientId))).toMatchObject(
      refusal(403, "AuthorizationFailed"),
    );
  });

  it.each([
    ["EventGrid EventSubscription Contributor", "the group above", GROUP],
    ["Owner", "the subscription above", SUBSCRIPTION],
  ])("include %s at %s, which allows writing", async (role, _, scope) => {
    const { cloud, topic } = await start();
    const identity = newIdentity(cloud, "writer");
    const call = await signIn(cloud, identity);
    cloud.control.assignRole(role, identity.principalId, scope);
    const put = await call("PUT", at(topic.id), body(undefined));
    expect(await finished(call, put)).toMatchObject({ status: "Succeeded" });
  });

  it("must also allow to write a destination that is no webhook", async () => {
    const { cloud, topic } = await start();
    const identity = newIdentity(cloud, "writer");
    cloud.control.assignRole("EventGrid Contributor", identity.principalId, topic.id);
    const call = await signIn(cloud, identity);
    const properties = { resourceId: ACCOUNT, queueName: "orders" };
    const destination = { endpointType: "StorageQueue", properties };
    const put = { properties: { destination } };
    const message = `'Microsoft.Storage/storageAccounts/write' on the linked scope(s) '${ACCOUNT}'`;
    expect(await call("PUT", at(topic.id), put)).toMatchObject(
      refusal(403, "LinkedAuthorizationFailed", expect.stringContaining(message)),
    );
    await (await signIn(cloud))("PUT", at(topic.id), put);
    // Who leaves the destination as it is needs no right to it.
    expect((await call("PATCH", at(topic.id), { labels: ["a"] })).status).toBe(201);
    cloud.control.assignRole("Storage Account Contributor", identity.principalId, ACCOUNT);
    expect((await call("PUT", at(topic.id), put)).status).toBe(201);
  });

  it("apply below their scope only, and not where its name only begins the same", async () => {
    const { cloud, topic } = await start();
    const identity = newIdentity(cloud, "writer");
    const call = await signIn(cloud, identity);
    cloud.control.assignRole("Owner", identity.principalId, GROUP.slice(0, -1));
    cloud.control.assignRole("Reader", identity.principalId, SUBSCRIPTION);
    expect((await call("GET", at(topic.id))).status).toBe(404);
    expect((await call("PUT", at(topic.id), body(undefined))).status).toBe(403);
  });
});
