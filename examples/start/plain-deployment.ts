import type { Deployment, DeploymentPlace } from "./deployment.js";
import { down, up } from "./process.js";
import { readSynthesized, resolve, type Synthesized } from "./synthesized.js";

/** The compute behind the webhook, started once its environment is known. */
export interface Service {
  readonly module: string;
  readonly logFile: string;
  readonly readyUrl: string;
}

/** What is read of a synthesized event subscription. */
interface SubscriptionConfig {
  readonly name: string;
  readonly scope: string;
  readonly included_event_types: readonly string[];
  readonly retry_policy: { readonly max_delivery_attempts: number };
  readonly webhook_endpoint: {
    readonly url: string;
    readonly active_directory_app_id_or_uri: string;
  };
}

/**
 * For machines without Terraform: makes the topic, the application and the event subscription that
 * were synthesized straight in the local Azure, handshake included. Everything else in a stack is
 * what Terraform is for.
 */
export function plainDeployment(place: DeploymentPlace, service: Service): Deployment {
  const { cloud, outdir, stack, timeline, signal } = place;
  const attributes = new Map<string, Record<string, unknown>>();
  const subscriptions = new Map<string, SubscriptionConfig>();
  let running = false;

  const subscriptionsOf = ({ resources }: Synthesized) =>
    resources
      .filter(({ type }) => type === "azurerm_eventgrid_event_subscription")
      .map(({ address, config }) => ({
        address,
        config: resolve(config, attributes) as SubscriptionConfig,
      }))
      .filter(({ address, config }) => !sameJson(subscriptions.get(address), config));

  function provision({ resources }: Synthesized): void {
    const others = resources.length - resources.filter(({ type }) => MADE_HERE.has(type)).length;
    timeline.detail(
      `${others} of the ${resources.length} resources are left out: they take Terraform`,
    );
    for (const { type, address, config } of resources) {
      const { name, display_name: displayName } = config;
      if (type === "azurerm_resource_group") {
        attributes.set(address, config);
      } else if (type === "azurerm_eventgrid_topic") {
        const { id, endpoint, accessKey } = cloud.topics.create({ name: String(name) });
        attributes.set(address, { id, endpoint, primary_access_key: accessKey });
      } else if (type === "azuread_application_registration") {
        const { clientId } = cloud.applications.create({ displayName: String(displayName) });
        attributes.set(address, { client_id: clientId });
      } else continue;
      timeline.detail(`create  ${address}`);
    }
  }

  return {
    apply: async () => {
      const synthesized = readSynthesized(outdir, stack);
      timeline.line("apply", "straight into the local Azure");
      if (!running) provision(synthesized);
      const environment = resolve(synthesized.outputs.environment, attributes);
      if (!running) await up({ ...service, environment: environment as Record<string, string> });
      running = true;
      signal.throwIfAborted();
      for (const { address, config } of subscriptionsOf(synthesized)) {
        await cloud.eventSubscriptions.put({
          name: config.name,
          scope: config.scope,
          endpointUrl: config.webhook_endpoint.url,
          clientId: config.webhook_endpoint.active_directory_app_id_or_uri,
          filter: { includedEventTypes: config.included_event_types },
          retryPolicy: { maxDeliveryAttempts: config.retry_policy.max_delivery_attempts },
        });
        timeline.detail(`${subscriptions.has(address) ? "update" : "create"}  ${address}`);
        subscriptions.set(address, config);
      }
      return environment as Record<string, string>;
    },
    destroy: async () => {
      timeline.line("destroy", "the event subscription, the service and the topic");
      for (const { scope, name } of subscriptions.values()) {
        cloud.eventSubscriptions.delete(scope, name);
      }
      await down(service.logFile);
      for (const { id } of cloud.topics.list()) cloud.topics.delete(id);
    },
    stop: async () => {},
  };
}

const MADE_HERE = new Set([
  "azurerm_resource_group",
  "azurerm_eventgrid_topic",
  "azuread_application_registration",
  "azurerm_eventgrid_event_subscription",
  "terraform_data", // the service; the checks before it are Terraform's
]);

const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
