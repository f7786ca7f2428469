import { setTimeout } from "node:timers/promises";
import { ServiceError } from "../base/index.js";
import { GRAPH_CLIENT_ID } from "../directory/index.js";
import { withoutQuery } from "../eventgrid/index.js";
import type { LocalCloud } from "../index.js";
import type { Configuration } from "./configuration.js";
import type { Terminal } from "./terminal.js";

/** Creates everything that a configuration declares except event subscriptions. */
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

/** Real milliseconds between handshakes with a webhook that is not up yet. */
const HANDSHAKE_INTERVAL_MS = 2_000;

/**
 * Creates the declared event subscriptions. Repeats the handshake until the webhook is up, because
 * services are often started after the cloud. Ends when the terminal is interrupted.
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
          await setTimeout(HANDSHAKE_INTERVAL_MS, undefined, { signal: stopped }).catch(() => {});
        }
      }
    }),
  );
}

function waitingLine({ name, endpointUrl }: { name: string; endpointUrl: string }): string {
  const url = withoutQuery(endpointUrl);
  const seconds = HANDSHAKE_INTERVAL_MS / 1000;
  return `${name} waits for its webhook ${url}: a handshake every ${seconds} seconds until one succeeds. Is the service running, and does the ingress table lead there?\n`;
}

function isHandshakeFailure(error: unknown): boolean {
  return error instanceof ServiceError && error.serviceCode === "Url validation";
}
