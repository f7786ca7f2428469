/** Plans with an event subscription that delivers to a host, and what explain-plan says of it. */

import { effects } from "../world.js";
import { LATER } from "./changed-world.js";

export type Attributes = Readonly<Record<string, unknown>>;
/** A resource before and after the apply; a single side is one that stays. */
export type Sides = Attributes | readonly [before: Attributes | null, after: Attributes | null];

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
export const id = (type: string, name: string) => `${GROUP}/providers/Microsoft.${type}/${name}`;
export const HOST = "events.shop.com";

/** What a plan of these resources does, with an event subscription that delivers to the host. */
export async function changes(
  resources: Readonly<Record<string, Sides>>,
  configuration?: object,
  destination: Attributes = { webhook_endpoint: [{ url: `https://${HOST}/api/events` }] },
) {
  const subscription = {
    id: id("EventGrid", "topics/shop/providers/Microsoft.EventGrid/eventSubscriptions/orders"),
    name: "orders",
    scope: id("EventGrid", "topics/shop"),
    ...destination,
  };
  const all = { "azurerm_eventgrid_event_subscription.orders": subscription, ...resources };
  const resource_changes = Object.entries(all).map(([address, sides]: [string, Sides]) => {
    const [before, after] = Array.isArray(sides) ? sides : [sides, sides];
    const actions = [
      before === after ? "no-op" : before ? (after ? "update" : "delete") : "create",
    ];
    const type = address.replace(/^module\.\w+\./, "").split(".")[0];
    const later = Object.entries(after ?? {}).filter(([, value]) => value === LATER);
    const after_unknown = Object.fromEntries(later.map(([name]) => [name, true]));
    return { address, type, mode: "managed", change: { actions, before, after, after_unknown } };
  });
  const plan = { format_version: "1.2", resource_changes, configuration };
  return (await effects(JSON.stringify(plan))).map((text) => text.replace(/ destination /, " "));
}

export const update = (before: Attributes, change: Attributes) =>
  [before, { ...before, ...change }] as const;
const PROBE = "; cloud-eventgrid probe tells afterwards (needed by orders)";
export const onWay = (address: string, what: string) =>
  `unknown ${address}: on the way to a webhook: ${what}${PROBE}`;
export const gone = (address: string) =>
  `lost ${address}: it is destroyed, and events are delivered through it (needed by orders)`;

export const app = {
  id: id("App", "containerApps/orders"),
  container_app_environment_id: id("App", "managedEnvironments/shop"),
  identity: [{ type: "SystemAssigned", identity_ids: [] }],
  ingress: [{ external_enabled: true, target_port: 9000, fqdn: HOST }],
  registry: [{ server: "shop.azurecr.io" }],
  template: [
    { min_replicas: 1, container: [{ image: "shop:1", env: [{ name: "A", value: "1" }] }] },
  ],
};
export const environment = {
  id: id("App", "managedEnvironments/shop"),
  infrastructure_subnet_id: id("Network", "virtualNetworks/shop/subnets/apps"),
  default_domain: "shop.com",
};
export const site = {
  id: id("Web", "sites/orders"),
  default_hostname: "orders.net",
  enabled: true,
};
export const zone = { id: id("Network", "dnsZones/shop.com"), name: "shop.com" };
export const record = (type: string, name: string, settings: Attributes = {}) => ({
  id: `${zone.id}/${type}/${name}`,
  ...{ name, zone_name: zone.name, fqdn: `${name}.shop.com.`, resource_group_name: "shop" },
  ...settings,
});
