import type { Deployment, DeploymentPlace } from "./deployment.js";
import { down, up } from "./process.js";
import { readSynthesized, resolve, type SynthesizedResource } from "./synthesized.js";

/** The compute behind the webhook, started once its environment is known. */
export interface Service {
  /** Address of the resource that represents it in the stack. */
  readonly address: string;
  readonly module: string;
  readonly logFile: string;
  readonly readyUrl: string;
}

/** The part of a synthesized event subscription that is used here. */
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
 * Deploys without Terraform: creates the topic, the application, the service and the event
 * subscription of the stack directly in the local Azure. Everything else needs Terraform.
 */
export function plainDeployment(place: DeploymentPlace, service: Service): Deployment {
  const { cloud, outdir, stack, timeline, signal } = place;
  const attributes = new Map<string, Record<string, unknown>>();
  const subscriptions = new Map<string, SubscriptionConfig>();
  let skippedShown = false;
  let environment: Record<string, string> | undefined;

  /** Creates the counterpart of a resource, and returns the attributes that others refer to. */
  function create(type: string, config: Readonly<Record<string, unknown>>) {
    switch (type) {
      case "azurerm_resource_group":
        return config;
      case "azurerm_eventgrid_topic": {
        const { id, endpoint, accessKey } = cloud.topics.create({ name: String(config.name) });
        return { id, endpoint, primary_access_key: accessKey };
      }
      case "azuread_application_registration": {
        const displayName = String(config.display_name);
        return { client_id: cloud.applications.create({ displayName }).clientId };
      }
      default:
        return undefined;
    }
  }

  async function putSubscription(resource: SynthesizedResource): Promise<void> {
    const { address, label } = resource;
    const config = resolve(resource.config, attributes) as SubscriptionConfig;
    const before = subscriptions.get(address);
    if (JSON.stringify(before) === JSON.stringify(config)) return;
    await cloud.eventSubscriptions.put({
      name: config.name,
      scope: config.scope,
      endpointUrl: config.webhook_endpoint.url,
      clientId: config.webhook_endpoint.active_directory_app_id_or_uri,
      filter: { includedEventTypes: config.included_event_types },
      retryPolicy: { maxDeliveryAttempts: config.retry_policy.max_delivery_attempts },
    });
    subscriptions.set(address, config);
    timeline.detail(`${before === undefined ? "create" : "update"}  ${label}`);
  }

  return {
    apply: async () => {
      const { resources, outputs } = readSynthesized(outdir, stack);
      const label = (address: string) =>
        resources.find((resource) => resource.address === address)?.label ?? address;
      timeline.line("apply", "directly in the local Azure");
      if (environment === undefined) {
        for (const { type, address, label, config } of resources) {
          const created = create(type, config);
          if (created === undefined) continue;
          attributes.set(address, created);
          timeline.detail(`create  ${label}`);
        }
        environment = resolve(outputs.environment, attributes) as Record<string, string>;
        await up({ ...service, environment });
        timeline.detail(`create  ${label(service.address)}`);
      }
      signal.throwIfAborted();
      const known = new Set([...attributes.keys(), service.address]);
      for (const resource of resources) {
        if (resource.type !== "azurerm_eventgrid_event_subscription") continue;
        known.add(resource.address);
        await putSubscription(resource);
      }
      const skipped = resources.filter(({ address }) => !known.has(address));
      const count = `${skipped.length} of ${resources.length}`;
      const list = skippedShown ? [] : skipped;
      timeline.detail(`skip    ${count}, which need Terraform${skippedShown ? "" : ":"}`);
      for (const { label } of list) timeline.detail(`        ${label}`);
      skippedShown = true;
      return environment;
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
