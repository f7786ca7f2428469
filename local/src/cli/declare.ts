import { setTimeout } from "node:timers/promises";
import { GRAPH_CLIENT_ID } from "../directory/index.js";
import { LocalCloudError } from "../errors.js";
import type { LocalCloud } from "../local-cloud.js";
import type { Configuration } from "./configuration.js";

/** Makes what a configuration declares, except event subscriptions, which need their webhooks. */
export function declare(cloud: LocalCloud, configuration: Configuration): void {
  const { tenants = [], people = [], applications = [], topics = [] } = configuration;
  for (const tenant of tenants) cloud.directory.createTenant(tenant);
  for (const { objectId, type, displayName = objectId, tenantId = cloud.tenantId } of people) {
    const tenant = cloud.directory.createTenant({ tenantId });
    tenant.people.set(objectId.toLowerCase(), { displayName, type });
  }
  for (const application of applications) declareApplication(cloud, application);
  for (const topic of topics) cloud.topics.create(topic);
}

type DeclaredApplication = NonNullable<Configuration["applications"]>[number];

function declareApplication(cloud: LocalCloud, declared: DeclaredApplication): void {
  const { azureRoles = [], graphPermissions = [], ...application } = declared;
  const { servicePrincipal, tenantId } = cloud.applications.create(application);
  for (const { role, scope } of azureRoles) {
    cloud.control.assignRole(role, servicePrincipal.objectId, scope);
  }
  const tenant = cloud.directory.tenant(tenantId);
  const graph = tenant?.servicePrincipals.byClientId(GRAPH_CLIENT_ID);
  for (const permission of graphPermissions) {
    if (graph) tenant?.grant(servicePrincipal, graph, permission);
  }
}

/** Real milliseconds between two handshakes with a webhook that is not up yet. */
const HANDSHAKE_PAUSE = 2_000;

/**
 * Makes the declared event subscriptions, each as soon as its webhook consents: services are often
 * started after the cloud that they need.
 *
 * @param stopped ends the attempts
 */
export async function declareSubscriptions(
  cloud: LocalCloud,
  configuration: Configuration,
  stopped: AbortSignal,
): Promise<void> {
  const subscriptions = configuration.eventSubscriptions ?? [];
  await Promise.all(
    subscriptions.map(async (subscription) => {
      while (!stopped.aborted) {
        try {
          await cloud.eventSubscriptions.create(subscription);
          return;
        } catch (error) {
          if (!isHandshakeFailure(error)) throw error;
          await setTimeout(HANDSHAKE_PAUSE, undefined, { signal: stopped }).catch(() => {});
        }
      }
    }),
  );
}

function isHandshakeFailure(error: unknown): boolean {
  return (
    error instanceof LocalCloudError &&
    "serviceCode" in error &&
    error.serviceCode === "Url validation"
  );
}
