import {
  type Azure,
  at,
  EVENT_GRID_API,
  listAt,
  NAMESPACE_API,
  type Answer as Response,
  textAt,
  textOrEmpty,
} from "../azure/index.js";
import { sameId, subscriptionOf } from "../resource-id.js";
import {
  type Application,
  type AppRole,
  type AppRoleAssignment,
  builtInRole,
  Doubt,
  isOneOf,
  type Known,
  type List,
  type Principal,
  type PrivateEndpoint,
  type Resource,
  type Role,
  type RoleAssignment,
  type World,
  yes,
} from "../rules/index.js";
import { unreadableRemedy } from "./finding.js";

/** The resources that are read: their versions, and what they are called. */
const TYPES: readonly (readonly [type: RegExp, apiVersion: string, noun: string])[] = [
  [/\/Microsoft\.Storage\/.*\/containers\//i, "2023-05-01", "the container"],
  [/\/Microsoft\.Storage\/storageAccounts\//i, "2023-05-01", "the storage account"],
  [/\/Microsoft\.(ServiceBus|EventHub)\//i, "2021-11-01", "the namespace"],
  [/\/Microsoft\.SignalRService\//i, "2023-02-01", "the SignalR service"],
  [/\/userAssignedIdentities\//i, "2023-01-31", "the identity"],
  [/\/Microsoft\.EventGrid\/namespaces\//i, NAMESPACE_API, "the namespace"],
];
const OTHERS = [undefined, EVENT_GRID_API, "the resource"] as const;

const ROLES_API = "2022-04-01";

/** Azure as it is now. It asks for everything once. */
export class AzureWorld implements World {
  readonly #reads = new Map<string, Promise<Response & { readonly items: readonly unknown[] }>>();

  constructor(private readonly azure: Azure) {}

  async resource(id: string): Promise<Known<Resource | undefined>> {
    const [, apiVersion, noun] = TYPES.find(([type]) => type.test(id)) ?? OTHERS;
    const answer = await this.#once(id, () => this.azure.arm(id, apiVersion));
    // With soft delete, a container is shown for some days after its deletion.
    if (isMissing(answer) || at(answer.body, "properties", "deleted") === true) return undefined;
    if (answer.status !== 200) return unread(`${noun} ${id.split("/").at(-1)}`, answer);
    return { id, witnesses: [id], body: answer.body };
  }

  async systemTopicOf(source: string): Promise<string | undefined> {
    const subscription = subscriptionOf(source);
    if (subscription === undefined) return undefined;
    const path = `${subscription}/providers/Microsoft.EventGrid/systemTopics`;
    const { items } = await this.#list(path, () => this.azure.arm(path, EVENT_GRID_API));
    const isOf = (topic: unknown) => sameId(textAt(topic, "properties", "source"), source);
    return textAt(items.find(isOf), "id");
  }

  async privateEndpoints({ body }: Resource): Promise<List<PrivateEndpoint>> {
    const connections = listAt(body, "properties", "privateEndpointConnections");
    const status = ["properties", "privateLinkServiceConnectionState", "status"];
    return {
      items: connections.map((one) => ({
        witness: textOrEmpty(one, "id"),
        isApproved: textAt(one, ...status) === "Approved",
      })),
    };
  }

  async roleAssignments(
    principalId: Known<string>,
    scope: string,
    through: "itself" | "groups",
  ): Promise<List<RoleAssignment>> {
    if (principalId instanceof Doubt) return { items: [], rest: principalId };
    const isOwn = through === "itself";
    const filter = isOwn ? `principalId eq '${principalId}'` : `assignedTo('${principalId}')`;
    const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
    const answer = await this.#list(`${path} ${filter}`, () =>
      this.azure.arm(path, ROLES_API, { $filter: filter }),
    );
    if (answer.status !== 200) return { items: [], rest: unread("role assignments", answer) };
    const own = answer.items.filter(
      (one) => isOwn || textAt(one, "properties", "principalType") === "Group",
    );
    return { items: await Promise.all(own.map((one) => this.#assignment(one))) };
  }

  async #assignment(item: unknown): Promise<RoleAssignment> {
    return {
      isHeld: yes(textOrEmpty(item, "id")),
      scope: textOrEmpty(item, "properties", "scope"),
      role: await this.#role(textOrEmpty(item, "properties", "roleDefinitionId")),
      hasCondition: textAt(item, "properties", "condition") !== undefined,
    };
  }

  async #role(id: string): Promise<Known<Role>> {
    const answer = await this.#once(id, () => this.azure.arm(id, ROLES_API));
    if (answer.status !== 200) return unread("role assignments", answer);
    // The action of receiving is not documented: the roles that are for it count by their ID.
    const builtIn = builtInRole(id);
    if (builtIn?.permissions.some(({ dataActions }) => dataActions?.join().includes("/receive/"))) {
      return builtIn;
    }
    const permissions = listAt(answer.body, "properties", "permissions").map((one) => {
      const of = (name: string) => listAt(one, name).map(String);
      return {
        actions: of("actions"),
        notActions: of("notActions"),
        dataActions: of("dataActions"),
        notDataActions: of("notDataActions"),
      };
    });
    return { id, permissions };
  }

  async application(clientId: string): Promise<Known<Application | undefined>> {
    const answer = await this.#objects("/applications", clientId);
    if (answer.status !== 200) return unread("the application", answer);
    const [found] = answer.items;
    if (found === undefined) return undefined;
    return {
      clientId,
      identifierUris: { items: listAt(found, "identifierUris").map(String) },
      tokenVersion: at(found, "api", "requestedAccessTokenVersion") === 2 ? 2 : 1,
      witnesses: [clientId],
    };
  }

  async principal(clientId: string): Promise<Known<Principal | undefined>> {
    const answer = await this.#objects("/servicePrincipals", clientId);
    if (answer.status !== 200) return unread("the service principal", answer);
    const [found] = answer.items;
    if (found === undefined) return undefined;
    return {
      id: textOrEmpty(found, "id"),
      name: textAt(found, "displayName") ?? clientId,
      witnesses: [clientId],
      isEnabled: getsTokens(found),
      appRoles: { items: listAt(found, "appRoles").map(readAppRole) },
    };
  }

  async appRoleAssignments({ id }: Principal): Promise<List<AppRoleAssignment>> {
    const path = `/servicePrincipals/${String(id)}/appRoleAssignedTo`;
    const answer = await this.#list(path, () => this.azure.graph(path));
    if (answer.status !== 200)
      return { items: [], rest: unread("the app role's assignments", answer) };
    return {
      items: answer.items.map((one) => ({
        principalId: textOrEmpty(one, "principalId"),
        isToGroup: textAt(one, "principalType") === "Group",
        appRoleId: textOrEmpty(one, "appRoleId"),
        witness: textOrEmpty(one, "id"),
      })),
    };
  }

  async owners({ id }: Principal): Promise<List<string>> {
    const path = `/servicePrincipals/${String(id)}/owners`;
    const answer = await this.#list(path, () => this.azure.graph(path));
    if (answer.status !== 200) return { items: [], rest: unread("the owners", answer) };
    return { items: answer.items.map((one) => textOrEmpty(one, "id")) };
  }

  #objects(path: string, clientId: string) {
    const filter = `appId eq '${clientId}'`;
    return this.#list(`${path} ${filter}`, () => this.azure.graph(path, filter));
  }

  #list(key: string, read: () => Promise<Response>) {
    return this.#once(key, () => this.azure.list(read()));
  }

  #once(key: string, read: () => Promise<Response & { readonly items?: readonly unknown[] }>) {
    const found = this.#reads.get(key) ?? read().then((one) => ({ items: [], ...one }));
    this.#reads.set(key, found);
    return found;
  }
}

/**
 * Microsoft, an administrator of the application's tenant and one of this tenant can each end its tokens.
 *
 * @see https://learn.microsoft.com/graph/api/resources/serviceprincipal#properties
 */
export function getsTokens(principal: unknown): boolean {
  const isDisabled = textAt(principal, "disabledByMicrosoftStatus")?.startsWith("Disabled");
  return (
    !isDisabled && at(principal, "isDisabled") !== true && at(principal, "accountEnabled") !== false
  );
}

function readAppRole(role: unknown): AppRole {
  return {
    id: textOrEmpty(role, "id"),
    value: textOrEmpty(role, "value"),
    isEnabled: at(role, "isEnabled") !== false,
    memberTypes: listAt(role, "allowedMemberTypes").map(String),
    witnesses: [],
  };
}

/** Resource Manager names the missing resource; other codes mean that it does not know the path. */
function isMissing({ status, code }: Response): boolean {
  return (
    status === 404 &&
    isOneOf(code, "ResourceNotFound", "ContainerNotFound", "ResourceGroupNotFound")
  );
}

/** Returns the doubt that remains when Azure refuses to show something. */
function unread(what: string, answer: Response): Doubt {
  const { status, code } = answer;
  const cause = `${status}${code === undefined ? "" : ` ${code}`}`;
  return new Doubt("unread", what, { cause, remedy: unreadableRemedy(answer) });
}
