import { EVENT_GRID_CLIENT_ID } from "cloud-eventgrid-local";
import type { Azure } from "../../../cli/src/azure/index.js";
import { AzureWorld } from "../../../cli/src/doctor/azure-world.js";
import { checkDeadLetter } from "../../../cli/src/doctor/checks/index.js";
import type { Finding } from "../../../cli/src/doctor/finding.js";
import { inWords } from "../../../cli/src/doctor/words.js";
import {
  applicationVerdicts,
  audienceOf,
  deliveryOf,
  targetVerdicts,
} from "../../../cli/src/rules/index.js";
import { Deployment } from "../doctor/deployment.js";
import { DrawnTokens, type Token } from "./drawn-tokens.js";

/** An event subscription with what its deliveries and its dead letters depend on. */
export interface Case {
  readonly source: "topic" | "domain";
  /** `StorageBlob`: a webhook that refuses events, which are kept in a container. */
  readonly type: Type;
  readonly identity: "none" | "SystemAssigned" | "UserAssigned";
  /** What has become of that identity, since it was chosen. */
  readonly identityIs: "attached" | "lost" | "deleted";
  /** What the identity may do, and where. */
  readonly role: (typeof ROLES)[number];
  /** What has become of the container, queue, topic or hub. */
  readonly place: "there" | "deleted" | "deleted with its account or namespace";
  readonly status: "Active" | "Disabled" | "SendDisabled" | "ReceiveDisabled";
  /** Whether the account or namespace takes access keys. */
  readonly keys: boolean;
  readonly access: "Enabled" | "Disabled" | "SecuredByPerimeter";
  readonly action: "Allow" | "Deny";
  /** Whom the firewall exempts: for namespaces, services or nobody. */
  readonly exempt: "None" | "AzureServices" | "Logging, AzureServices" | "Logging, Metrics";
  /** The resource for which the account has a rule. */
  readonly rule: "none" | "own" | "of the group" | "of the subscription" | "other" | "shorter";
  /** What Event Grid gets no tokens with. */
  readonly token: Token;
}

export const SUFFICIENT = [
  ...["here", "above", "in the group", "by another name", "by a pattern", "member", "nested"],
] as const;
export const ROLES = [
  ...[...SUFFICIENT, "none", "of another type", "reader", "beside", "excluded", "other", "foreign"],
] as const;

/**
 * The roles and actions that a destination of each type takes, and one that does not suffice.
 *
 * @see https://learn.microsoft.com/azure/event-grid/add-identity-roles
 */
const PLACES = {
  StorageBlob: {
    ...{ namespace: "Microsoft.Storage/storageAccounts/shop", version: "2023-01-01" },
    ...{ path: "blobServices/default/containers/orders", role: "Storage Blob Data Contributor" },
    ...{ action: "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write" },
    reader: "Storage Blob Data Reader",
  },
  StorageQueue: {
    ...{ namespace: "Microsoft.Storage/storageAccounts/shop", version: "2023-01-01" },
    ...{ path: "queueServices/default/queues/orders", role: "Storage Queue Data Message Sender" },
    ...{ action: "Microsoft.Storage/storageAccounts/queueServices/queues/messages/write" },
    reader: "Storage Queue Data Reader",
  },
  ServiceBusQueue: {
    ...{ namespace: "Microsoft.ServiceBus/namespaces/shop-bus", version: "2021-11-01" },
    ...{ path: "queues/orders", role: "Azure Service Bus Data Sender" },
    ...{ action: "Microsoft.ServiceBus/namespaces/messages/send/action" },
    reader: "Azure Service Bus Data Receiver",
  },
  ServiceBusTopic: {
    ...{ namespace: "Microsoft.ServiceBus/namespaces/shop-bus", version: "2021-11-01" },
    ...{ path: "topics/orders", role: "Azure Service Bus Data Sender" },
    ...{ action: "Microsoft.ServiceBus/namespaces/messages/send/action" },
    reader: "Azure Service Bus Data Receiver",
  },
  EventHub: {
    ...{ namespace: "Microsoft.EventHub/namespaces/shop-hubs", version: "2021-11-01" },
    ...{ path: "eventhubs/orders", role: "Azure Event Hubs Data Sender" },
    ...{ action: "Microsoft.EventHub/namespaces/messages/send/action" },
    reader: "Azure Event Hubs Data Receiver",
  },
  NamespaceTopic: {
    ...{ namespace: "Microsoft.EventGrid/namespaces/shop-events", version: "2025-02-15" },
    ...{ path: "topics/orders", role: "EventGrid Data Sender" },
    ...{ action: "Microsoft.EventGrid/events/send/action" },
    reader: "EventGrid Data Receiver",
  },
} as const;
export type Type = keyof typeof PLACES;
export const TYPES: readonly Type[] = [
  ...(["StorageBlob", "StorageQueue", "ServiceBusQueue"] as const),
  ...(["ServiceBusTopic", "EventHub", "NamespaceTopic"] as const),
];

/** What `doctor` says by the rules, and what the local Azure does with an event. */
export interface Answers {
  readonly target: readonly Pick<Finding, "status">[];
  readonly tokens: readonly Pick<Finding, "status">[];
  /** Whether the event was delivered, or kept as a dead letter. */
  readonly isKept: boolean;
  /** The app roles in the token of the delivery to the webhook. */
  readonly roles: readonly string[];
}

const location = "westeurope";
/** Entra groups with the identity, itself or by another one, and without it. */
const [OUTER, INNER, FOREIGN] = [1, 2, 3].map(
  (digit) => `aaaaaaaa-0000-4000-8000-00000000000${digit}`,
) as [string, string, string];
const STRANGER = "66666666-6666-4666-8666-666666666666";

/** A deployment in a local Azure that changes from case to case. */
export class DrawnDeployment implements AsyncDisposable {
  readonly #tokens: DrawnTokens;
  readonly #written = new Map<string, string>();
  readonly #principals = new Map<string, string>();
  #round = 0;
  /** Whether the last case had a fault of tokens. */
  #hasOldToken = false;

  static async start(): Promise<DrawnDeployment> {
    const deployment = await Deployment.start();
    deployment.allowDeployer();
    deployment.deliveryStatus = 413;
    const domain = { name: "shop", resourceGroupName: "shop" };
    deployment.cloud.domains.create({ ...domain, inputSchema: "CloudEventSchemaV1_0" });
    const group = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop`;
    await deployment.put(group, "2021-04-01", { location });
    return new DrawnDeployment(deployment, await deployment.azure(), group);
  }

  private constructor(
    private readonly deployment: Deployment,
    private readonly azure: Azure,
    private readonly group: string,
  ) {
    this.#tokens = new DrawnTokens(deployment);
  }

  [Symbol.asyncDispose]() {
    return this.deployment[Symbol.asyncDispose]();
  }

  async ask(one: Case): Promise<Answers> {
    const { deployment } = this;
    const { cloud, application } = deployment;
    const principal = await this.#arrange(one);
    await this.#break(one, principal);
    const { body } = await this.azure.arm(this.#subscription(one), "2025-02-15");
    const world = new AzureWorld(this.azure);
    const { destination, deadLetters } = deliveryOf(Object(body).properties, false);
    const isBlob = one.type === "StorageBlob";
    const audience = String(audienceOf(destination) ?? application.clientId);
    const { verdicts } = await applicationVerdicts(world, audience, EVENT_GRID_CLIENT_ID);
    const scope = this.#scope(one);
    const target = isBlob
      ? await checkDeadLetter(this.azure, world, deadLetters, scope)
      : await targetVerdicts(world, "destination", destination, scope);
    const answers = {
      target: [target].flat(),
      // Without words for a fault, this fails.
      tokens: verdicts.flatMap((verdict) => inWords("application", verdict, this.azure) ?? []),
    };
    const delivered = () => cloud.deliveries().filter(({ outcome }) => outcome === "delivered");
    const kept = () => (isBlob ? cloud.deadLetters() : delivered()).length;
    const before = kept();
    deployment.deliveredRoles = [];
    await deployment.publishTo(this.#sourceOf(one), "CloudEventSchemaV1_0", "shop");
    await cloud.drain();
    return { ...answers, isKept: kept() > before, roles: deployment.deliveredRoles };
  }

  #sourceOf({ source }: Case) {
    const { topic, cloud } = this.deployment;
    const domain = cloud.domains.list()[0];
    return source === "domain" && domain ? domain : topic;
  }

  #scope(one: Case): string {
    const { id } = this.#sourceOf(one);
    return one.source === "domain" ? `${id}/topics/shop` : id;
  }

  #subscription(one: Case): string {
    return `${this.#scope(one)}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
  }

  get #user(): string {
    return `${this.group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`;
  }

  #holder({ type }: Case): string {
    return `${this.group}/providers/${PLACES[type].namespace}`;
  }

  #place(one: Case): string {
    return `${this.#holder(one)}/${PLACES[one.type].path}`;
  }

  /** Writes a resource, unless it is so already. */
  async #write(id: string, version: string, body: object): Promise<boolean> {
    const text = JSON.stringify(body);
    if (this.#written.get(id) === text) return false;
    await this.deployment.put(id, version, body);
    this.#written.set(id, text);
    return true;
  }

  async #remove(id: string, version: string): Promise<void> {
    await this.deployment.remove(id, version);
    for (const each of this.#written.keys()) if (each.startsWith(id)) this.#written.delete(each);
  }

  /** Makes everything what it is without a fault. @returns the principal that writes */
  async #arrange(one: Case): Promise<string> {
    const { cloud } = this.deployment;
    this.#tokens.restore();
    cloud.control.roleAssignments.deleteWithin(this.group);
    const isNew = await this.#write(this.#user, "2023-01-31", { location });
    if (isNew) this.#principals.delete(this.#user);
    const principal = await this.#attach(one, true);
    const settings = this.#settings(one);
    // Event Grid keeps a token for as long as it is valid, unless the subscription is written.
    if (this.#hasOldToken || one.token !== "fine") this.#written.delete(this.#subscription(one));
    this.#hasOldToken = one.token !== "fine";
    const isWritten = this.#written.get(this.#subscription(one)) === JSON.stringify(settings);
    if (!isWritten || one.place !== "there") {
      await this.#close({ ...one, keys: true, access: "Enabled", action: "Allow" });
    }
    const isQueue = one.type === "ServiceBusQueue";
    const place = isQueue ? { properties: { status: "Active" } } : {};
    if (!this.#written.has(this.#holder(one))) await this.#close(one);
    await this.#write(this.#place(one), PLACES[one.type].version, place);
    // Azure asks for the roles when the subscription is written; they are lost afterwards.
    if (!isWritten) cloud.control.assignRole(PLACES[one.type].role, principal, this.#holder(one));
    await this.#write(this.#subscription(one), "2025-02-15", settings);
    cloud.control.roleAssignments.deleteWithin(this.group);
    return principal;
  }

  #settings(one: Case): object {
    const { destination } = this.deployment;
    const [resourceId, inner] = [this.#holder(one), { StorageBlob: "blobContainerName" }];
    const properties =
      one.type === "StorageBlob"
        ? { resourceId, [inner.StorageBlob]: "orders" }
        : one.type === "StorageQueue"
          ? { resourceId, queueName: "orders" }
          : { resourceId: this.#place(one) };
    const target = { endpointType: one.type, properties };
    const user = one.identity === "UserAssigned" && { userAssignedIdentity: this.#user };
    const identity = { type: one.identity, ...user };
    const isBlob = one.type === "StorageBlob";
    const own = isBlob ? { deadLetterDestination: target } : { destination: target };
    const name = isBlob ? "deadLetterWithResourceIdentity" : "deliveryWithResourceIdentity";
    return {
      properties: {
        eventDeliverySchema: "CloudEventSchemaV1_0",
        // What gets no token is tried once only.
        retryPolicy: { maxDeliveryAttempts: 1 },
        ...(isBlob && { destination }),
        ...(one.identity === "none" ? own : { [name]: { identity, ...own } }),
      },
    };
  }

  /** Gives the source both identities, or takes them away. @returns the principal of the one used */
  async #attach(one: Case, isAttached: boolean): Promise<string> {
    const [user, source] = [this.#user, this.#sourceOf(one).id];
    const type = "SystemAssigned, UserAssigned";
    const both = { type, userAssignedIdentities: { [user]: {} } };
    const isNew = await this.#write(source, "2022-06-15", {
      ...{ location, properties: { inputSchema: "CloudEventSchemaV1_0" } },
      identity: isAttached ? both : { type: "None" },
    });
    if (isNew) for (const id of [source, user]) this.#principals.delete(id);
    const id = one.identity === "UserAssigned" ? user : source;
    const known = this.#principals.get(id);
    if (known !== undefined || !isAttached) return known ?? "";
    const { body } = await this.azure.arm(id, id === user ? "2023-01-31" : "2022-06-15");
    const { identity, properties } = Object(body);
    const principal = String((id === user ? properties : identity).principalId);
    this.#principals.set(id, principal);
    return principal;
  }

  async #break(one: Case, principal: string): Promise<void> {
    this.#tokens.break(one.token);
    await this.#assign(one, principal);
    await this.#close(one);
    if (one.type === "ServiceBusQueue" && one.status !== "Active") {
      const { status } = one;
      await this.#write(this.#place(one), "2021-11-01", { properties: { status } });
    }
    if (one.identityIs === "lost") await this.#attach(one, false);
    if (one.identityIs === "deleted" && one.identity === "UserAssigned") {
      await this.#remove(this.#user, "2023-01-31");
    }
    const { version } = PLACES[one.type];
    if (one.place !== "there") await this.#remove(this.#place(one), version);
    if (/with/.test(one.place)) await this.#remove(this.#holder(one), version);
  }

  async #close(one: Case): Promise<void> {
    const { keys, access, action, exempt, rule } = one;
    const holder = this.#holder(one);
    const { version } = PLACES[one.type];
    if (one.type === "NamespaceTopic") {
      await this.#write(holder, version, { location, properties: {} });
      return;
    }
    if (!/^Storage/.test(one.type)) {
      const properties = { disableLocalAuth: !keys, publicNetworkAccess: access };
      await this.#write(holder, version, { location, properties });
      await this.#write(`${holder}/networkRuleSets/default`, version, {
        properties: {
          ...{ defaultAction: action, publicNetworkAccess: access },
          trustedServiceAccessEnabled: exempt.endsWith("AzureServices"),
        },
      });
      return;
    }
    const owner = this.#sourceOf(one).id;
    const rules = {
      ...{ none: undefined, own: owner, shorter: owner.replace(/\/[^/]+$/, "") },
      "of the group": owner.replace(/[^/]+$/, "*"),
      "of the subscription": owner.replace(/resourceGroups\/[^/]+/, "resourceGroups/*"),
      other: `${owner}x`,
    };
    const resourceId = rules[rule];
    const resourceAccessRules = resourceId
      ? [{ resourceId: resourceId.toUpperCase(), tenantId: this.deployment.cloud.tenantId }]
      : [];
    await this.#write(holder, version, {
      ...{ location, kind: "StorageV2", sku: { name: "Standard_LRS" } },
      properties: {
        ...{ allowSharedKeyAccess: keys, publicNetworkAccess: access },
        networkAcls: { defaultAction: action, bypass: exempt, resourceAccessRules },
      },
    });
  }

  async #assign(one: Case, principal: string): Promise<void> {
    const { control, tenantId } = this.deployment.cloud;
    const { role, reader, action } = PLACES[one.type];
    const [place, holder] = [this.#place(one), this.#holder(one)];
    const assign = (name: string, scope: string, to = principal) =>
      control.assignRole(name, to, scope);
    const groups = this.deployment.cloud.directory.tenant(tenantId)?.usersAndGroups;
    const declare = (id: string, members: readonly string[]) =>
      groups?.set(id, { displayName: id, type: "Group", members });
    declare(OUTER, [one.role === "nested" ? INNER : principal.toLowerCase()]);
    declare(INNER, [principal.toLowerCase()]);
    declare(FOREIGN, [STRANGER]);
    const actions: Readonly<Record<string, object>> = {
      "by another name": { dataActions: [action] },
      "by a pattern": { dataActions: [action.replace(/\/.*/, "/*")], notDataActions: ["*/delete"] },
      excluded: { dataActions: ["*"], notDataActions: [action.replace(/.*\//, "*/"), "*/add/*"] },
      other: { dataActions: [`${action}s`], actions: [action] },
    };
    const permissions = actions[one.role];
    if (permissions !== undefined) await this.#define(permissions, principal, holder);
    if (one.role === "here") assign(role, place);
    if (one.role === "above") assign(role, holder);
    if (one.role === "in the group") assign(role, this.group);
    if (one.role === "beside") assign(role, `${place}-2`);
    if (one.role === "reader") assign(reader, holder);
    if (one.role === "of another type") {
      assign(one.type === "EventHub" ? PLACES.StorageBlob.role : PLACES.EventHub.role, holder);
    }
    if (/^(member|nested)$/.test(one.role)) assign(role, holder, OUTER);
    if (one.role === "foreign") assign(role, holder, FOREIGN);
  }

  /** Defines a role of one's own, and assigns it. */
  async #define(permissions: object, principalId: string, scope: string): Promise<void> {
    const round = String(++this.#round).padStart(12, "0");
    const id = (kind: string) =>
      `/providers/Microsoft.Authorization/${kind}/00000000-0000-4000-8000-${round}`;
    const subscription = this.group.replace(/\/resourceGroups.*/, "");
    const roleDefinitionId = `${subscription}${id("roleDefinitions")}`;
    await this.deployment.put(roleDefinitionId, "2022-04-01", {
      properties: {
        ...{ roleName: `role ${round}`, type: "CustomRole", assignableScopes: [subscription] },
        permissions: [permissions],
      },
    });
    await this.deployment.put(`${scope}${id("roleAssignments")}`, "2022-04-01", {
      properties: { roleDefinitionId, principalId, principalType: "ServicePrincipal" },
    });
  }
}
