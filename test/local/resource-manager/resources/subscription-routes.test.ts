import { expect, it } from "vitest";
import { SUBSCRIPTION, startCloud } from "../../support/cloud.js";
import { newIdentity, refusal, signIn } from "../../support/management-client.js";

const OTHER = "44444444-4444-4444-8444-444444444444";

it("subscriptions, their locations and the tenant are those of the caller", async () => {
  const cloud = await startCloud({ control: true, otherSubscriptionIds: [OTHER] });
  const { tenantId } = cloud;
  const client = newIdentity(cloud, "client");
  const call = await signIn(cloud, client);
  const subscriptionOf = (subscriptionId: string, displayName: string) => ({
    ...{ id: `/subscriptions/${subscriptionId}`, subscriptionId, tenantId, displayName },
    state: "Enabled",
    subscriptionPolicies: {
      locationPlacementId: "Public_2014-09-01",
      quotaId: "PayAsYouGo_2014-09-01",
      spendingLimit: "Off",
    },
    authorizationSource: "RoleBased",
    managedByTenants: [],
  });
  const other = subscriptionOf(OTHER, "Local subscription 2");
  expect((await call("GET", "/subscriptions")).body).toEqual({ value: [] });
  expect(await call("GET", other.id)).toMatchObject(
    refusal(403, undefined, expect.stringContaining("'Microsoft.Resources/subscriptions/read'")),
  );
  cloud.control.assignRole("Reader", client.principalId, other.id);
  expect((await call("GET", "/subscriptions")).body).toEqual({ value: [other] });
  expect((await call("GET", other.id)).body).toEqual(other);
  cloud.control.assignRole("Reader", client.principalId, SUBSCRIPTION);
  expect((await call("GET", SUBSCRIPTION)).body).toEqual(
    subscriptionOf(cloud.subscriptionId, "Local subscription"),
  );
  const { value } = Object((await call("GET", `${SUBSCRIPTION}/locations`)).body);
  expect(value.find((each: object) => Reflect.get(each, "name") === "westeurope")).toEqual({
    id: `${SUBSCRIPTION}/locations/westeurope`,
    name: "westeurope",
    type: "Region",
    displayName: "West Europe",
    metadata: { regionType: "Physical" },
  });
  expect((await call("GET", "/tenants")).body).toEqual({
    value: [{ id: `/tenants/${tenantId}`, tenantId }],
  });
});
