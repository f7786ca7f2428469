import { expect, it } from "vitest";
import { GROUP, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`;
const [THIRD, OTHER] = [`${IDENTITY}-3`, `${IDENTITY}-2`];
const withIdentity = (type: string, ...ids: string[]) => ({
  location: "westeurope",
  identity: { type, userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])) },
});

/** In the words of the reports that the source names. */
it.each([
  [
    ["UserAssigned"],
    "MissingIdentityIds",
    "The identity ids must not be null or empty for 'UserAssigned' identity type.",
  ],
  [
    ["SystemAssigned, UserAssigned"],
    "MissingIdentityIds",
    "The identity ids must not be null or empty for 'SystemAssigned, UserAssigned' identity type.",
  ],
  ...["SystemAssigned", "None"].map((type) => [
    [type, IDENTITY],
    "FailedIdentityOperation",
    /^Identity operation for resource '.*topics\/orders' failed .* a non-UserAssigned identity type should not contain: userAssignedIdentities"/,
  ]),
  [
    ["UserAssigned", "orders"],
    "LinkedInvalidPropertyId",
    /^Property id 'orders' at path '' is invalid\. Expect fully qualified resource Id/,
  ],
  [
    ["UserAssigned", IDENTITY, OTHER],
    "FailedIdentityOperation",
    /Status: 'BadRequest'\. Response: '\{"error":\{"code":"BadRequest","message":"Resource '.*orders-2' was not found\."\}\}'/,
  ],
] as [[string, ...string[]], string, string | RegExp][])(
  "the identity %j is refused with %s",
  async ([type, ...ids], code, message) => {
    const { call } = await startGroup();
    await call("PUT", IDENTITY, { location: "westeurope" });
    expect(await call("PUT", TOPIC, withIdentity(type, ...ids))).toMatchObject(
      refusal(400, code, expect.stringMatching(message)),
    );
    expect((await call("GET", TOPIC)).status).toBe(404);
  },
);

it("an identity may be one of a provider of the tenant, or of a group that is not here", async () => {
  const { call } = await startGroup();
  const elsewhere = [IDENTITY.replace("/shop/", "/other/"), "/providers/Microsoft.A/b/c"];
  expect((await call("PUT", TOPIC, withIdentity("UserAssigned", ...elsewhere))).status).toBe(201);
});

it.each([
  ["UserAssigned", [IDENTITY, THIRD]],
  ["SystemAssigned, UserAssigned", [IDENTITY, THIRD]],
  ["SystemAssigned", []],
])(
  "a PATCH to %s removes an identity that it names with null, and keeps %j",
  async (type, kept) => {
    const { call } = await startGroup();
    for (const id of [IDENTITY, OTHER, THIRD]) await call("PUT", id, { location: "westeurope" });
    await call("PUT", TOPIC, withIdentity("UserAssigned", IDENTITY, OTHER));
    const added = kept.length > 0 ? { [THIRD]: {} } : {};
    const userAssignedIdentities = { ...added, [OTHER.toUpperCase()]: null };
    const change = { identity: { type, userAssignedIdentities }, tags: { team: "shop" } };
    expect((await call("PATCH", TOPIC, change)).status).toBeLessThan(300);
    const { body } = await call("GET", TOPIC);
    const { identity, tags } = Object(body);
    expect(Object.keys(identity.userAssignedIdentities ?? {})).toEqual(kept);
    expect([identity.type, tags]).toEqual([type, { team: "shop" }]);
  },
);
