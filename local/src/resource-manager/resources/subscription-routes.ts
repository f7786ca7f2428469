import type { Router } from "../../api/index.js";
import { locationNamed, regions } from "./locations.js";
import type { SubscriptionState } from "./state.js";

/** The subscription and its tenant. */
export function addSubscriptionRoutes(router: Router, state: SubscriptionState): void {
  const { authorization, subscriptionId, tenantId } = state;
  const subscription = {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId,
    displayName: "Local subscription",
    state: "Enabled",
    subscriptionPolicies: {
      locationPlacementId: "Public_2014-09-01",
      quotaId: "PayAsYouGo_2014-09-01",
      spendingLimit: "Off",
    },
    authorizationSource: "RoleBased",
    managedByTenants: [],
  };

  router.on("GET", "/subscriptions", ({ caller }) => {
    const action = "Microsoft.Resources/subscriptions/read";
    const visible = authorization.allows(caller.objectId, action, subscription.id);
    return { status: 200, body: { value: visible ? [subscription] : [] } };
  });
  router.on("GET", "/subscriptions/:s", ({ caller }) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/read", subscription.id);
    return { status: 200, body: subscription };
  });
  router.on("GET", "/subscriptions/:s/locations", () => ({
    status: 200,
    body: { value: regions.map((region) => locationAnswer(subscription.id, region)) },
  }));
  router.on("GET", "/tenants", ({ caller }) => ({
    status: 200,
    body: { value: [{ id: `/tenants/${caller.tenantId}`, tenantId: caller.tenantId }] },
  }));
}

function locationAnswer(subscriptionId: string, region: string) {
  const name = locationNamed(region);
  return {
    id: `${subscriptionId}/locations/${name}`,
    name,
    type: "Region",
    displayName: region,
    regionalDisplayName: region,
    metadata: { regionType: "Physical", regionCategory: "Recommended", pairedRegion: [] },
  };
}
