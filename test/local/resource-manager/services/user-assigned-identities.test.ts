import { expect, it } from "vitest";
import { GROUP, startGroup } from "../../support/cloud.js";
import { refusal, textIn } from "../../support/management-client.js";

const IDENTITIES = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
const location = "westeurope";

it("an identity is shown with its principal, and the group's collection in lower case", async () => {
  const { cloud, call } = await startGroup();
  const id = `${IDENTITIES}/orders`;
  const { body } = await call("PUT", id, { location });
  const clientId = textIn(body, "properties", "clientId");
  const principals = cloud.directory.tenant(cloud.tenantId)?.servicePrincipals;
  const principalId = principals?.byClientId(clientId)?.objectId;
  expect(body).toEqual({
    id: id.replace("/resourceGroups/", "/resourcegroups/"),
    name: "orders",
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
    location,
    tags: {},
    properties: { tenantId: cloud.tenantId, principalId, clientId },
  });
  expect((await call("PUT", id, { location, tags: { a: "b" } })).body).toMatchObject({
    properties: { principalId, clientId },
  });
  await call("DELETE", id);
  expect(principals?.byClientId(clientId)).toBeUndefined();
});

it.each([
  ["a1_", 201],
  [`0${"-".repeat(127)}`, 201],
  ["ab", 400],
  ["_ab", 400],
  [`0${"-".repeat(128)}`, 400],
])("an identity named %s gets the answer %i", async (name, status) => {
  const { call } = await startGroup();
  const answer = await call("PUT", `${IDENTITIES}/${name}`, { location });
  expect(answer).toMatchObject(status === 400 ? refusal(400, "BadRequest") : { status });
});
