import { setTimeout } from "node:timers/promises";
import { GRAPH_CLIENT_ID } from "../directory/index.js";
import { LocalCloudError } from "../errors.js";
import { withoutQuery } from "../eventgrid/subscriptions/index.js";
import type { LocalCloud } from "../local-cloud.js";
import type { Configuration } from "./configuration.js";
import type { Terminal } from "./terminal.js";

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
 * @param terminal its interruption ends the attempts
 */
export async function declareSubscriptions(
  cloud: LocalCloud,
  configuration: Configuration,
  { interrupted: stopped, print }: Pick<Terminal, "interrupted" | "print">,
): Promise<void> {
  const subscriptions = configuration.eventSubscriptions ?? [];
  await Promise.all(
    subscriptions.map(async (subscription) => {
      let isFirst = true;
      while (!stopped.aborted) {
        try {
          await cloud.eventSubscriptions.create(subscription);
          return;
        } catch (error) {
          if (!isHandshakeFailure(error)) throw error;
          if (isFirst) print(waitingLine(subscription));
          isFirst = false;
          await setTimeout(HANDSHAKE_PAUSE, undefined, { signal: stopped }).catch(() => {});
        }
      }
    }),
  );
}

/** A failure that is said once looks final; the URL's query may be a secret and is left out. */
function waitingLine({ name, endpointUrl }: { name: string; endpointUrl: string }): string {
  const url = withoutQuery(endpointUrl);
  const seconds = HANDSHAKE_PAUSE / 1000;
  return `${name} waits for its webhook ${url}: a handshake every ${seconds} seconds until it consents. Is the service up, and does the ingress lead there?\n`;
}

function isHandshakeFailure(error: unknown): boolean {
  return (
    error instanceof LocalCloudError &&
    "serviceCode" in error &&
    error.serviceCode === "Url validation"
  );
}
