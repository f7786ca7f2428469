import fc from "fast-check";
import { expect, it } from "vitest";
import { draws } from "../../support/draws.js";
import { GROUP, SUBSCRIPTION, startCloud, startManaged } from "../support/cloud.js";
import { deployer, refusal, send, textIn } from "../support/management-client.js";

/** Providers repeat a request that gets a 5xx until their deadline, so no response may be one. */
it("answers random requests with JSON and never with 5xx", async () => {
  const { cloud, call } = await startManaged({ control: { eventGridRegistered: true } });
  const { clientId } = deployer(cloud);
  const list = await call("GET", `/v1.0/servicePrincipals?$filter=appId%20eq%20'${clientId}'`);
  const principal = textIn(list.body, "value", "0", "id");

  const roots = fc.constantFrom(
    "",
    SUBSCRIPTION,
    GROUP,
    `${GROUP}/providers/Microsoft.EventGrid/topics/orders`,
    "/v1.0",
    `/v1.0/servicePrincipals/${principal}`,
    "/beta/applications",
    "//metadata",
  );
  const rest = fc.constantFrom(
    "",
    "/",
    "/%",
    "/%00",
    "/providers/Microsoft.EventGrid/eventSubscriptions/sub",
    "/providers/Microsoft.EventGrid/eventSubscriptions/s%20b/getFullUrl",
    "/providers/Microsoft.Authorization/roleAssignments/x",
    "/providers/Microsoft.Authorization/roleDefinitions?$filter=roleName",
    "/providers/Microsoft.EventGrid/systemTopics/photos",
    "/providers/Microsoft.EventGrid/topics/t",
    "/providers/Microsoft.EventGrid/register",
    "/listKeys",
    "/regenerateKey",
    "/applications",
    "/applications?$filter=a%20eq%20b",
    "/servicePrincipals",
    "/owners",
    "/owners/$ref",
    "/appRoleAssignedTo",
    "/appRoleAssignedTo/x",
    "/addPassword",
    "/endpoints",
  );
  /** An object of which `String` throws. */
  const unprintable = { toString: 1 };
  const json = (maxDepth: number) =>
    fc.oneof(
      fc.jsonValue({ maxDepth }),
      fc.constantFrom<unknown>(unprintable, [unprintable], { team: unprintable }),
    );
  const odd = fc.oneof(
    json(3),
    fc.record({
      location: json(1),
      displayName: fc.oneof(json(1), fc.constant("orders")),
      identifierUris: json(1),
      signInAudience: json(1),
      keyCredentials: json(1),
      "owners@odata.bind": json(1),
      ids: json(1),
      appRoles: json(2),
      tags: json(2),
      identity: json(1),
      sku: json(1),
      properties: fc.record({
        eventDeliverySchema: fc.oneof(json(1), fc.constant("CloudEventSchemaV1_0")),
        destination: fc.record({
          endpointType: fc.oneof(json(1), fc.constant("WebHook")),
          properties: json(2),
        }),
        filter: fc.record({ advancedFilters: fc.array(json(2)) }),
        labels: json(1),
        principalId: json(1),
        expirationTimeUtc: json(1),
        privateLinkServiceConnections: json(1),
      }),
    }),
  );
  const method = fc.constantFrom("GET", "PUT", "PATCH", "POST", "DELETE");

  await fc.assert(
    fc.asyncProperty(method, roots, rest, odd, async (verb, root, path, body) => {
      const answer = await call(verb, `${root}${path}` || "/", body);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({
          error: { code: expect.any(String), message: expect.any(String) },
        });
      }
    }),
    { numRuns: draws(80) },
  );
});

it.each([
  ["objects", '{"a":', "}"],
  ["lists", "[", "]"],
])("answers 400 to %s that are nested too deeply", async (_what, open, close) => {
  const { call } = await startManaged({ control: { eventGridRegistered: true } });
  const nested = (depth: number) => JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);
  const put = (depth: number) =>
    call("PUT", GROUP, { location: "westeurope", properties: { team: nested(depth) } });
  expect((await put(98)).status).toBe(201);
  expect(await put(99)).toMatchObject(
    refusal(400, "InvalidRequestContent", expect.stringContaining("nested deeper than 100 levels")),
  );
});

it("answers 413 to a body that is too large", async () => {
  const cloud = await startCloud({ control: true });
  const body = JSON.stringify("x".repeat(4 * 1024 * 1024));
  const answer = await send(cloud, "PUT", SUBSCRIPTION, { body });
  expect(answer).toMatchObject(refusal(413, "RequestContentTooLarge"));
});
