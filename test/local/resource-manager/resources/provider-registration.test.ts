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
    const { body } = await call("GET", EVENT_GRID);
    const { resourceTypes } = Object(body);
    expect(body).toEqual({
      id: EVENT_GRID,
      namespace: "Microsoft.EventGrid",
      authorizations: [
        {
          applicationId: "4962773b-9cdb-44cf-a8bf-237846a00ab7",
          roleDefinitionId: "7fe036d8-246f-48bf-a78f-ab3ee699c8f3",
        },
      ],
      registrationPolicy: "RegistrationRequired",
      registrationState: "Unregistered",
      resourceTypes: expect.arrayContaining(
        ["topics", "topics/eventSubscriptions", "namespaces"].map((resourceType) => ({
          resourceType,
          locations: expect.arrayContaining(["West Europe", "East US 2"]),
          apiVersions: ["2025-02-15", "2024-01-01", "2023-01-01", "2022-06-15"],
          defaultApiVersion: "2025-02-15",
          capabilities: "None",
        })),
      ),
    });
    const names = resourceTypes.map((each: object) => Reflect.get(each, "resourceType"));
    expect(names).not.toContain("storageAccounts");
    expect((await call("GET", "/providers/microsoft.eventgrid")).body).toEqual(body);
    const list = (await call("GET", `${SUBSCRIPTION}/providers`)).body;
    expect((await call("GET", "/providers")).body).toEqual(list);
    const features = `${SUBSCRIPTION}/providers/Microsoft.Features/providers/Microsoft.A/features`;
    expect((await call("GET", features)).body).toEqual({ value: [] });
    expect(list).toMatchObject({ value: expect.arrayContaining([body]) });
    expect((await call("PUT", TOPIC, { location: "westeurope" })).status).toBe(409);
    expect(await call("POST", `${EVENT_GRID}/register`)).toMatchObject({
      status: 200,
      body: { registrationState: "Registering" },
    });
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
    for (const path of [`${SUBSCRIPTION}/providers`, EVENT_GRID]) {
      expect(await call("GET", path)).toMatchObject(
        refusal(
          403,
          undefined,
          expect.stringContaining("'Microsoft.Resources/subscriptions/providers/read'"),
        ),
      );
    }
    cloud.control.assignRole("Reader", client.principalId, SUBSCRIPTION);
    expect((await call("GET", `${SUBSCRIPTION}/providers`)).status).toBe(200);
    for (const action of ["register", "unregister"]) {
      expect(await call("POST", `${EVENT_GRID}/${action}`)).toMatchObject(
        refusal(403, undefined, expect.stringContaining(`'Microsoft.EventGrid/${action}/action'`)),
      );
    }
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
