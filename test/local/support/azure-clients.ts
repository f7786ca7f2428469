import { readFileSync } from "node:fs";
import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { EventGridManagementClient } from "@azure/arm-eventgrid";
import { MonitorClient } from "@azure/arm-monitor";
import { ResourceManagementClient } from "@azure/arm-resources";
import { ClientSecretCredential } from "@azure/identity";
import type { LocalCloud } from "cloud-eventgrid-local";
import { deployer, type Identity } from "./management-client.js";

/** Azure's own clients of Resource Manager, signed in as the deployer by default. */
export function azureClients(cloud: LocalCloud, identity: Identity = deployer(cloud)) {
  const tlsOptions = { ca: readFileSync(cloud.control.certificates.certificateFile, "utf8") };
  const { origin } = cloud.control;
  const credential = new ClientSecretCredential(
    cloud.tenantId,
    identity.clientId,
    identity.secret,
    { authorityHost: origin, disableInstanceDiscovery: true, tlsOptions },
  );
  const options = { endpoint: origin, tlsOptions, credentialScopes: `${origin}/.default` };
  const { subscriptionId } = cloud;
  return {
    credential,
    eventGrid: new EventGridManagementClient(credential, subscriptionId, options),
    authorization: new AuthorizationManagementClient(credential, subscriptionId, options),
    monitor: new MonitorClient(credential, subscriptionId, options),
    resources: new ResourceManagementClient(credential, subscriptionId, options),
  };
}

/** All items of a paged list. */
export async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
