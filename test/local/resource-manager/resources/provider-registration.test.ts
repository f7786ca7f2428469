import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startCloud, startGroup, startManaged } from "../../support/cloud.js";
import { newIdentity, refusal, signIn } from "../../support/management-client.js";

const EVENT_GRID = `${SUBSCRIPTION}/providers/Microsoft.EventGrid`;
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;

describe("the registration of Microsoft.EventGrid", () => {
  it("is missing in a new subscription, which cannot have Event Grid resources then", async () => {
    const { call } = await startManaged();
    const refused = refusal(
      409,
      "MissingSubscriptionRegistration",
      "The subscription is not registered to use namespace 'Microsoft.EventGrid'. See https://aka.ms/rps-not-found for how to register subscriptions.",
    );
    expect((await call("GET", EVENT_GRID)).body).toMatchObject({
      registrationState: "NotRegistered",
    });
    expect(await call("PUT", TOPIC, { location: "westeurope" })).toMatchObject(refused);
    const subscriber = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    expect(await call("PUT", subscriber, {})).toMatchObject(refused);
  });

  it("can be configured, added and removed", async () => {
    const { call } = await startGroup();
    expect((await call("PUT", TOPIC, { location: "westeurope" })).status).toBe(201);
    expect(await call("POST", `${EVENT_GRID}/unregister`)).toMatchObject({
      status: 200,
      body: { registrationState: "Unregistering" },
    });
    expect((await call("GET", EVENT_GRID)).body).toMatchObject({
      registrationState: "Unregistered",
      authorizations: [{ applicationId: "4962773b-9cdb-44cf-a8bf-237846a00ab7" }],
      resourceTypes: expect.arrayContaining([expect.objectContaining({ resourceType: "topics" })]),
    });
    expect((await call("PUT", TOPIC, { location: "westeurope" })).status).toBe(409);
    expect((await call("POST", `${EVENT_GRID}/register`)).status).toBe(200);
    expect((await call("PUT", TOPIC, { location: "westeurope" })).status).toBe(201);
  });

  it("is listed only for callers that may read the subscription's providers", async () => {
    const cloud = await startCloud({ control: true });
    const client = newIdentity(cloud, "client");
    const call = await signIn(cloud, client);
    cloud.control.assignRole(
      "EventGrid EventSubscription Contributor",
      client.principalId,
      SUBSCRIPTION,
    );
    expect(await call("GET", `${SUBSCRIPTION}/providers`)).toMatchObject(
      refusal(
        403,
        undefined,
        expect.stringContaining("'Microsoft.Resources/subscriptions/providers/read'"),
      ),
    );
    cloud.control.assignRole("Reader", client.principalId, SUBSCRIPTION);
    expect((await call("GET", `${SUBSCRIPTION}/providers`)).status).toBe(200);
    expect((await call("POST", `${EVENT_GRID}/register`)).status).toBe(403);
  });

  it("is 404 for an unknown namespace", async () => {
    const { call } = await startManaged();
    expect(await call("GET", `${SUBSCRIPTION}/providers/Microsoft.EventGird`)).toMatchObject(
      refusal(404, "InvalidResourceNamespace"),
    );
  });
});

it("the list of resource providers contains every namespace that the azurerm provider can register", async () => {
  const { call } = await startManaged();
  const { body } = await call("GET", `${SUBSCRIPTION}/providers`);
  // The provider compares names case-sensitively; one of them starts with a lower-case letter.
  expect(body).toEqual({
    value: expect.arrayContaining(
      ["Microsoft.Compute", "Microsoft.DBforMariaDB", "microsoft.insights", "Microsoft.Sql"].map(
        (namespace) => expect.objectContaining({ namespace, registrationState: "Registered" }),
      ),
    ),
  });
});
