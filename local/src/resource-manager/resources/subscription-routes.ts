import type { Router } from "../../api/index.js";
import { withoutEnd } from "../../base/index.js";
import type { SubscriptionState } from "./state.js";

/** The subscriptions and their tenant. */
export function addSubscriptionRoutes(router: Router, state: SubscriptionState): void {
  const { authorization, tenantId } = state;
  const subscriptionOf = (subscriptionId: string) => ({
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId,
    displayName: withoutEnd(
      `Local subscription ${state.subscriptionIds.indexOf(subscriptionId) + 1}`,
      " 1",
    ),
    state: "Enabled",
    subscriptionPolicies: {
      locationPlacementId: "Public_2014-09-01",
      quotaId: "PayAsYouGo_2014-09-01",
      spendingLimit: "Off",
    },
    authorizationSource: "RoleBased",
    managedByTenants: [],
  });
  const subscription = subscriptionOf(state.subscriptionId);

  router.get("/subscriptions", ({ caller }) => {
    const action = "Microsoft.Resources/subscriptions/read";
    const all = state.subscriptionIds.map(subscriptionOf);
    return { value: all.filter(({ id }) => authorization.allows(caller.objectId, action, id)) };
  });
  router.get("/subscriptions/:s", ({ caller }) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/read", subscription.id);
    return subscription;
  });
  router.get("/subscriptions/:s/locations", () => ({
    value: regions.map((region) => locationAnswer(subscription.id, region)),
  }));
  router.get("/tenants", ({ caller }) => ({
    value: [{ id: `/tenants/${caller.tenantId}`, tenantId: caller.tenantId }],
  }));
}

function locationAnswer(subscriptionId: string, region: string) {
  const name = locationNamed(region);
  return {
    id: `${subscriptionId}/locations/${name}`,
    name,
    type: "Region",
    displayName: region,
    metadata: { regionType: "Physical" },
  };
}

/** The regions of the public cloud as they are displayed. */
export const regions = `
  Australia Central, Australia Central 2, Australia East, Australia Southeast, Austria East,
  Belgium Central, Brazil South, Brazil Southeast, Canada Central, Canada East, Central India,
  Central US, Chile Central, East Asia, East US, East US 2, France Central, France South,
  Germany North, Germany West Central, Indonesia Central, Israel Central, Italy North, Japan East,
  Japan West, Jio India Central, Jio India West, Korea Central, Korea South, Malaysia West,
  Mexico Central, New Zealand North, North Central US, North Europe, Norway East, Norway West,
  Poland Central, Qatar Central, South Africa North, South Africa West, South Central US,
  Southeast Asia, South India, Spain Central, Sweden Central, Sweden South, Switzerland North,
  Switzerland West, UAE Central, UAE North, UK South, UK West, West Central US, West Europe,
  West India, West US, West US 2, West US 3
`
  .trim()
  .split(/,\s+/);

/** A location as requests and resources name it: `westeurope`. */
function locationNamed(region: string): string {
  return region.toLowerCase().replaceAll(" ", "");
}

/** The names of all regions. The azurerm provider refuses a location that is not listed. */
export const locations = regions.map(locationNamed);
