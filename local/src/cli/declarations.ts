import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ServiceError, sameScope } from "../base/index.js";
import { GRAPH_CLIENT_ID } from "../directory/index.js";
import { withoutQuery } from "../eventgrid/index.js";
import type { LocalCloud } from "../index.js";
import { type Configuration, settingsOfStart } from "./configuration.js";
import type { Terminal } from "./terminal.js";

type Declared<K extends keyof Configuration> =
  NonNullable<Configuration[K]> extends (infer T)[] ? T : never;

/** An event subscription, which may be to a webhook. */
interface DeclaredWebhook {
  readonly scope: string;
  readonly name: string;
  readonly endpointUrl?: string | undefined;
}

/** Real milliseconds between handshakes with a webhook that is not up yet. */
const HANDSHAKE_INTERVAL_MS = 2_000;

/**
 * Keeps the cloud as a configuration declares it. Resources that the configuration no longer
 * declares are deleted; resources that were created by other means stay.
 */
export class Declarations {
  #current: Configuration = {};
  /** Ends the repeated handshakes of each declared event subscription. */
  readonly #handshakes = new Map<string, AbortController>();

  constructor(
    private readonly cloud: LocalCloud,
    private readonly terminal: Pick<Terminal, "interrupted" | "print">,
  ) {}

  /**
   * Creates, changes and deletes resources. Event subscriptions follow as their webhooks consent.
   *
   * @param onRefused called when a declared event subscription is refused for another reason
   */
  apply(configuration: Configuration, onRefused: (error: unknown) => void): void {
    const { cloud } = this;
    const before = this.#current;
    this.#current = configuration;
    for (const address of Object.keys(before.ingress ?? {})) cloud.ingress.remove(address);
    for (const [address, target] of Object.entries(configuration.ingress ?? {})) {
      cloud.ingress.route(address, target);
    }
    for (const tenant of configuration.tenants ?? []) cloud.directory.createTenant(tenant);
    for (const userOrGroup of configuration.usersAndGroups ?? [])
      this.#declareUserOrGroup(userOrGroup);

    const applications = changes(before.applications, configuration.applications);
    for (const removed of applications.removed) this.#deleteApplication(removed);
    for (const added of applications.added) this.#declareApplication(added);

    for (const collection of ["topics", "domains"] as const) {
      const topics = changes(before[collection], configuration[collection]);
      for (const removed of topics.removed) {
        const isChanged = topics.added.some(({ name }) => name === removed.name);
        if (!isChanged) cloud[collection].delete(this.#idOf(collection, removed));
      }
      for (const added of topics.added) this.#declareTopic(added, collection);
    }

    const namespaces = changes(before.namespaces, configuration.namespaces);
    for (const removed of namespaces.removed) {
      const after = namespaces.added.find(({ name }) => name === removed.name);
      this.#removeFromNamespace(removed, after);
    }
    for (const added of namespaces.added) this.#declareNamespace(added, onRefused);

    const subscriptions = changes(before.eventSubscriptions, configuration.eventSubscriptions);
    for (const { scope, name } of subscriptions.removed) {
      this.#handshakes.get(`${scope}/${name}`)?.abort();
      const isChanged = subscriptions.added.some(
        (each) => each.name === name && sameScope(each.scope, scope),
      );
      if (!isChanged) cloud.eventSubscriptions.delete(scope, name);
    }
    for (const added of subscriptions.added) {
      const put = () => cloud.eventSubscriptions.put(added);
      this.#declareWithHandshake(added, put).catch(onRefused);
    }
  }

  /** Settings that differ from those of the start and take effect at the next one. */
  needsRestart(configuration: Configuration): string[] {
    return settingsOfStart.filter(
      (name) => !isDeepStrictEqual(configuration[name], this.#current[name]),
    );
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

  /** What exists already keeps its events and its keys. */
  #declareNamespace(declared: Declared<"namespaces">, onRefused: (error: unknown) => void): void {
    const { topics = [], ...settings } = declared;
    const namespace =
      this.cloud.namespaces.get(this.#idOf("namespaces", declared)) ??
      this.cloud.namespaces.create(settings);
    for (const { eventSubscriptions = [], ...topic } of topics) {
      const { id: scope, subscriptions } = namespace.topics.put(topic);
      for (const subscription of eventSubscriptions) {
        const put = () => subscriptions.put(subscription);
        this.#declareWithHandshake({ ...subscription, scope }, put).catch(onRefused);
      }
    }
  }

  /** Deletes the topics and event subscriptions that a namespace no longer declares, or all of it. */
  #removeFromNamespace(
    before: Declared<"namespaces">,
    after: Declared<"namespaces"> | undefined,
  ): void {
    const namespace = this.cloud.namespaces.get(this.#idOf("namespaces", before));
    for (const { name, eventSubscriptions = [] } of before.topics ?? []) {
      const topic = after?.topics?.find((each) => each.name === name);
      const existing = namespace?.topics.get(name);
      for (const subscription of eventSubscriptions) {
        this.#handshakes.get(`${existing?.id}/${subscription.name}`)?.abort();
        const isKept = topic?.eventSubscriptions?.some((each) => each.name === subscription.name);
        if (!isKept) existing?.subscriptions.delete(subscription.name);
      }
      if (!topic) namespace?.topics.delete(name);
    }
    if (!after && namespace) this.cloud.namespaces.delete(namespace.id);
  }

  /**
   * Repeats the handshake until the webhook is up, because services are often started after the
   * cloud.
   */
  async #declareWithHandshake(
    declared: DeclaredWebhook,
    put: () => Promise<unknown>,
  ): Promise<void> {
    const { scope, name } = declared;
    const { interrupted, print } = this.terminal;
    const ended = new AbortController();
    this.#handshakes.set(`${scope}/${name}`, ended);
    const signal = AbortSignal.any([ended.signal, interrupted]);
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

/** A changed element is removed and added. */
function changes<T>(before: readonly T[] = [], after: readonly T[] = []) {
  const isIn = (list: readonly T[]) => (wanted: T) =>
    list.some((each) => isDeepStrictEqual(each, wanted));
  const [wasThere, isThere] = [isIn(before), isIn(after)];
  return {
    removed: before.filter((each) => !isThere(each)),
    added: after.filter((each) => !wasThere(each)),
  };
}

function waitingLine({ name, endpointUrl = "" }: DeclaredWebhook): string {
  const url = withoutQuery(endpointUrl);
  const seconds = HANDSHAKE_INTERVAL_MS / 1000;
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
