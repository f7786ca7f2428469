import { setTimeout } from "node:timers/promises";
import { SECOND_MS, ServiceError } from "../base/index.js";
import { GRAPH_CLIENT_ID } from "../directory/index.js";
import { withoutQuery } from "../eventgrid/index.js";
import type { LocalCloud } from "../index.js";
import type { Configuration } from "./configuration.js";
import type { Terminal } from "./terminal.js";

type Declared<K extends keyof Configuration> =
  NonNullable<Configuration[K]> extends (infer T)[] ? T : never;

/** An event subscription, which may be to a webhook. */
interface DeclaredWebhook {
  readonly name: string;
  readonly endpointUrl?: string | undefined;
}

/** Real milliseconds between handshakes with a webhook that is not up yet. */
const HANDSHAKE_INTERVAL_MS = 2_000;

/**
 * Creates what a configuration declares when the cloud starts. What a persisted state has already is
 * changed to the declaration.
 */
export class Declarations {
  constructor(
    private readonly cloud: LocalCloud,
    private readonly terminal: Pick<Terminal, "interrupted" | "print">,
  ) {}

  /**
   * Creates the resources. Event subscriptions follow as their webhooks consent.
   *
   * @param onRefused called when a declared event subscription is refused for another reason
   */
  apply(configuration: Configuration, onRefused: (error: unknown) => void): void {
    const { tenants = [], usersAndGroups = [], applications = [], topics = [] } = configuration;
    const { domains = [], namespaces = [], eventSubscriptions = [] } = configuration;
    const { cloud } = this;
    for (const [address, target] of Object.entries(configuration.ingress ?? {})) {
      cloud.ingress.route(address, target);
    }
    for (const tenant of tenants) cloud.directory.createTenant(tenant);
    for (const userOrGroup of usersAndGroups) this.#declareUserOrGroup(userOrGroup);
    for (const application of applications) this.#declareApplication(application);
    for (const topic of topics) this.#declareTopic(topic, "topics");
    for (const domain of domains) this.#declareTopic(domain, "domains");
    for (const namespace of namespaces) this.#declareNamespace(namespace, onRefused);
    for (const subscription of eventSubscriptions) {
      const put = () => cloud.eventSubscriptions.put(subscription);
      this.#declareWithHandshake(subscription, put).catch(onRefused);
    }
  }

  #declareUserOrGroup(userOrGroup: Declared<"usersAndGroups">): void {
    const { objectId, type, displayName = objectId, tenantId = this.cloud.tenantId } = userOrGroup;
    const tenant = this.cloud.directory.createTenant({ tenantId });
    tenant.usersAndGroups.set(objectId.toLowerCase(), { displayName, type });
  }

  #declareApplication(declared: Declared<"applications">): void {
    const { azureRoles = [], graphPermissions = [], ...application } = declared;
    // One that was restored from an earlier run is replaced.
    this.#deleteApplication(declared);
    const { servicePrincipal, tenantId } = this.cloud.applications.create(application);
    for (const { role, scope } of azureRoles) {
      this.cloud.control.assignRole(role, servicePrincipal.objectId, scope);
    }
    const tenant = this.cloud.directory.tenant(tenantId);
    const graph = tenant?.servicePrincipals.byClientId(GRAPH_CLIENT_ID);
    for (const permission of graphPermissions) {
      if (graph) tenant?.grant(servicePrincipal, graph, permission);
    }
  }

  #deleteApplication(declared: Declared<"applications">): void {
    const tenant = this.cloud.directory.tenant(declared.tenantId ?? this.cloud.tenantId);
    const found = tenant?.applications
      .list()
      .find(({ clientId, displayName }) =>
        declared.clientId === undefined
          ? displayName === declared.displayName
          : clientId === declared.clientId.toLowerCase(),
      );
    if (found) tenant?.deleteApplication(found.objectId);
  }

  #declareTopic(declared: Declared<"topics">, collection: "topics" | "domains"): void {
    const topics = this.cloud[collection];
    const existing = topics.get(this.#idOf(collection, declared));
    if (!existing) {
      topics.create(declared);
      return;
    }
    // Its event subscriptions stay.
    const { key1, key2 } = existing.keys();
    const keys = { key1: declared.accessKey ?? key1, key2 };
    topics.restore([{ props: declared, keys, domainTopics: existing.domainTopics() }]);
  }

  #idOf(
    collection: "topics" | "domains" | "namespaces",
    { name, resourceGroupName = "local" }: Declared<"topics" | "namespaces">,
  ): string {
    return `/subscriptions/${this.cloud.subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/${collection}/${name}`;
  }

  /** Creates the namespace. One that exists keeps its events and its keys. */
  #declareNamespace(declared: Declared<"namespaces">, onRefused: (error: unknown) => void): void {
    const { topics = [], ...settings } = declared;
    const namespace =
      this.cloud.namespaces.get(this.#idOf("namespaces", declared)) ??
      this.cloud.namespaces.create(settings);
    for (const { eventSubscriptions = [], ...topic } of topics) {
      const { subscriptions } = namespace.topics.put(topic);
      for (const subscription of eventSubscriptions) {
        const put = () => subscriptions.put(subscription);
        this.#declareWithHandshake(subscription, put).catch(onRefused);
      }
    }
  }

  /**
   * Repeats the handshake until the webhook is up, because services are often started after the
   * cloud.
   */
  async #declareWithHandshake(
    declared: DeclaredWebhook,
    put: () => Promise<unknown>,
  ): Promise<void> {
    const { interrupted: signal, print } = this.terminal;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        await put();
        return;
      } catch (error) {
        if (!isHandshakeFailure(error)) throw refusal(declared, error);
        if (isFirst) print(waitingLine(declared));
        isFirst = false;
        await setTimeout(HANDSHAKE_INTERVAL_MS, undefined, { signal }).catch(() => {});
      }
    }
  }
}

function waitingLine({ name, endpointUrl }: DeclaredWebhook): string {
  const url = withoutQuery(String(endpointUrl));
  const seconds = HANDSHAKE_INTERVAL_MS / SECOND_MS;
  return `${name} waits for its webhook ${url}: a handshake every ${seconds} seconds until one succeeds. Is the service running, and does the ingress table contain it?\n`;
}

function refusal({ name }: DeclaredWebhook, cause: unknown): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  const message = `The event subscription '${name}' is refused: ${cause.message}`;
  return new ServiceError(cause.status, cause.serviceCode, message);
}

function isHandshakeFailure(error: unknown): boolean {
  return error instanceof ServiceError && error.serviceCode === "Url validation";
}
