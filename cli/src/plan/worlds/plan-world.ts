import { cloudEnvironments, SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import {
  type Answer,
  type Application,
  type AppRole,
  type AppRoleAssignment,
  builtInRole,
  Doubt,
  get,
  type Known,
  type List,
  no,
  type Principal,
  type PrivateEndpoint,
  type Resource,
  type Role,
  type RoleAssignment,
  UNKNOWN,
  unknown,
  type World,
  yes,
} from "../../rules/index.js";
import { namesOf, partOf } from "../dependencies/index.js";
import {
  type Attributes,
  blocksOf,
  idOf,
  isPatch,
  kindOf,
  type PlannedChange,
  typeOf,
  value,
} from "../terraform/index.js";
import { bodyOf, over, ruleSetOf } from "./types.js";

/** When a world is: before the apply, while it runs, or afterwards. */
export type Moment = "before" | "during" | "after";

const OPEN = (what: string) => new Doubt("open", what);
const LATER = new Doubt("later", "a value of the plan");

/** Event Grid's own application. */
export const EVENT_GRID = cloudEnvironments.public.eventGridApplicationId ?? "";

/** What the worlds of a plan share: its resources, by what others call them. */
export class Resources {
  readonly byName = new Map<string, PlannedChange[]>();
  readonly patches = new Map<string, PlannedChange[]>();
  readonly assignments: readonly PlannedChange[];
  readonly endpoints: readonly PlannedChange[];
  readonly #entra = new Map<string, PlannedChange[]>();
  /** Those that have a principal, by that. */
  readonly byPrincipal = new Map<string, PlannedChange[]>();

  constructor(readonly changes: readonly PlannedChange[]) {
    for (const change of changes) {
      const own = patchedId(change);
      if (own !== undefined) push(this.patches, own, change);
      else if (kindOf(change) !== "subscription") {
        for (const name of namesOf(change)) push(this.byName, name, change);
      }
      if (change.type.startsWith("azuread_")) push(this.#entra, change.type, change);
      for (const id of principalsOf(change, change.before)) push(this.byPrincipal, id, change);
    }
    this.assignments = changes.filter(
      (each) => kindOf(each) === "role" && each.type !== "azuread_app_role_assignment",
    );
    this.endpoints = changes.filter((each) => /private_?endpoints?$/i.test(typeOf(each)));
  }

  entra(type: string): readonly PlannedChange[] {
    return this.#entra.get(type) ?? [];
  }
}

/** The ID of the resource that a change writes a part of. */
function patchedId(change: PlannedChange): string | undefined {
  if (change.type === "azurerm_storage_account_network_rules") {
    const { storage_account_id: account, id } = change.before ?? change.after ?? {};
    return textOf(idOf(account ?? id));
  }
  return isPatch(change) ? textOf(partOf(change)) : undefined;
}

/** The object IDs of a resource's identities, or of what it is itself. */
export function principalsOf({ type }: PlannedChange, side: Attributes | undefined): string[] {
  const own = [side?.identity, side?.kubelet_identity]
    .flatMap(blocksOf)
    .flatMap((block) => [get(block, "principal_id"), get(block, "object_id")]);
  const isEntra = /^azuread_(service_principal|user)$/.test(type);
  const itself = /user_?assigned_?identit/i.test(type) ? side?.principal_id : undefined;
  return [...own, itself, isEntra ? side?.object_id : undefined].flatMap(
    (id) => textOf(idOf(id)?.toString().slice(1)) ?? [],
  );
}

/** Azure as a plan shows it at one moment. What the plan lacks is not known. */
export class PlanWorld implements World {
  constructor(
    private readonly resources: Resources,
    readonly moment: Moment,
  ) {}

  /** A resource at this moment; undefined if it does not exist. */
  sideOf({ action, before, after }: PlannedChange): Attributes | undefined {
    if (this.moment === "before") return before;
    if (action === "forget" || action === "unknown") return before;
    if (this.moment === "after") return action === "delete" ? undefined : after;
    // What is created may come too late, and what is destroyed may go too early.
    return action === "create-delete" || action === "no-op"
      ? before
      : action === "update"
        ? after
        : undefined;
  }

  async resource(id: string): Promise<Known<Resource | undefined>> {
    const key = String(idOf(id));
    const patches = this.#patchesOf(key);
    const [own] = this.resources.byName.get(key) ?? [];
    const inline = this.#inlineRules(key);
    if (own === undefined && inline === undefined && patches.length === 0) {
      return key.endsWith("/networkrulesets/default") ? undefined : OPEN(id);
    }
    const side = own && this.sideOf(own);
    if (own !== undefined && side === undefined) return undefined;
    // Parts of a resource that is in another plan.
    if (own === undefined && inline === undefined && this.moment === "before") return OPEN(id);
    const bodies = [
      inline?.body,
      own && side && bodyOf(own, side),
      ...patches.map(({ body }) => body),
    ];
    const witnesses = [own, ...(inline?.from ?? []), ...patches.map(({ from }) => from)];
    return {
      id: key,
      witnesses: witnesses.flatMap((each) => each?.address ?? []),
      body: bodies.reduce((all, one) => over(all, one)),
    };
  }

  /** What writes parts of a resource; rules that are destroyed leave its network open. */
  #patchesOf(id: string): { readonly from: PlannedChange; readonly body: unknown }[] {
    return (this.resources.patches.get(id) ?? []).flatMap((from) => {
      const side = this.sideOf(from);
      if (isPatch(from)) return side === undefined ? [] : [{ from, body: bodyOf(from, side) }];
      const open = {
        properties: { networkAcls: { defaultAction: "Allow", bypass: "AzureServices" } },
      };
      const isGone = side === undefined && from.action === "delete";
      if (side === undefined && !isGone) return [];
      return [{ from, body: side === undefined ? open : bodyOf(from, side) }];
    });
  }

  /** The rule set that is a block of a namespace. */
  #inlineRules(id: string) {
    const [, namespace] = /^(.*)\/networkrulesets\/default$/.exec(id) ?? [];
    const from = this.resources.byName.get(namespace ?? "") ?? [];
    const [own] = from;
    const side = own && this.sideOf(own);
    const body = side && ruleSetOf(side);
    return body === undefined ? undefined : { from, body };
  }

  async privateEndpoints({ id }: Resource): Promise<List<PrivateEndpoint>> {
    const items = this.resources.endpoints.flatMap((change) => {
      const side = this.sideOf(change);
      const leads = [side?.private_service_connection, side?.privateLinkServiceConnections]
        .flatMap(blocksOf)
        .flatMap((one) => [
          get(one, "private_connection_resource_id"),
          get(one, "properties", "privateLinkServiceId"),
        ]);
      const isOurs = leads.some((each) => idOf(each) === idOf(id));
      return isOurs ? [{ witness: change.address, isApproved: true }] : [];
    });
    return { items, rest: OPEN("its other private endpoints") };
  }

  async roleAssignments(
    principalId: string,
    scope: string,
    through: "itself" | "groups",
  ): Promise<List<RoleAssignment>> {
    const items = this.resources.assignments.flatMap((change): RoleAssignment[] => {
      const side = this.sideOf(change);
      if (side === undefined) return [];
      const at = idOf(value(side, "scope") ?? side.parent_id);
      const isHeld = this.#isHeld(change, side, principalId.toLowerCase(), through);
      if (isHeld.is === "no") return [];
      const place = typeof at === "string" ? at : LATER;
      const role = this.#roleOf(side, at);
      return [{ isHeld, scope: place, role, hasCondition: value(side, "condition") != null }];
    });
    return { items, rest: OPEN(`the roles at ${scope}`) };
  }

  /** Whether an assignment is that of a principal, or of a group that it is in. */
  #isHeld(
    { address }: PlannedChange,
    side: Attributes,
    principalId: string,
    through: "itself" | "groups",
  ): Answer {
    const given = value(side, "principal_id", "principalId");
    const isOwn = through === "itself";
    if (given === UNKNOWN) return isOwn ? unknown(LATER, address) : no();
    const holder = String(given).toLowerCase();
    if (holder === principalId) return isOwn ? this.#exists(holder, address) : no();
    const type = value(side, "principal_type", "principalType");
    const isOther = typeof type === "string" && type !== "" && type !== "Group";
    if (isOwn || isOther || this.resources.byPrincipal.has(holder)) return no();
    return this.#isMember(holder, principalId, address);
  }

  /** Whether a principal exists at this moment: what holds a role can be gone. */
  #exists(principal: string, witness: string): Answer {
    const owners = this.resources.byPrincipal.get(principal) ?? [];
    const gone = owners.find((each) => !principalsOf(each, this.sideOf(each)).includes(principal));
    return gone === undefined ? yes(witness, ...owners.map(({ address }) => address)) : no();
  }

  #isMember(group: string, member: string, assignment: string): Answer {
    const groups = this.resources
      .entra("azuread_group")
      .filter(({ before, after }) => idOf((before ?? after)?.object_id) === `/${group}`);
    const memberships = this.resources.entra("azuread_group_member").filter((each) => {
      const { group_object_id: of, member_object_id: who } = this.sideOf(each) ?? {};
      return idOf(of) === `/${group}` && idOf(who) === `/${member}`;
    });
    const sides = groups.map((each) => this.sideOf(each));
    if (groups.length > 0 && sides.every((side) => side === undefined)) return no();
    const isListed = sides.some((side) =>
      [side?.members ?? []].flat().some((id) => idOf(id) === `/${member}`),
    );
    const witnesses = [...groups, ...memberships].map(({ address }) => address);
    if (isListed || memberships.length > 0) return yes(assignment, ...witnesses);
    return unknown(OPEN("the members of a group"), assignment, ...witnesses);
  }

  #roleOf(side: Attributes, scope: unknown): Known<Role> {
    const id = value(side, "role_definition_id", "roleDefinitionId");
    const name = side.role_definition_name;
    if (id === UNKNOWN && (name == null || name === UNKNOWN || name === "")) return LATER;
    const builtIn = [name, id].flatMap((each) =>
      typeof each === "string" ? (builtInRole(each) ?? []) : [],
    );
    if (builtIn[0] !== undefined) return builtIn[0];
    const custom = this.resources.changes.find(
      ({ type, before, after }) =>
        type === "azurerm_role_definition" &&
        [before, after].some(
          (one) =>
            (one?.role_definition_resource_id != null &&
              idOf(one.role_definition_resource_id) === idOf(id)) ||
            (typeof name === "string" && name !== "" && one?.name === name),
        ),
    );
    if (custom !== undefined) {
      const definition = this.sideOf(custom);
      const permissions = blocksOf(definition?.permissions);
      if (permissions.includes(UNKNOWN)) return LATER;
      const of = (one: unknown, list: string) => [get(one, list) ?? []].flat().map(String);
      return {
        id: custom.address,
        witness: custom.address,
        permissions: permissions.map((one) => ({
          actions: of(one, "actions"),
          notActions: of(one, "not_actions"),
          dataActions: of(one, "data_actions"),
          notDataActions: of(one, "not_data_actions"),
        })),
      };
    }
    // Other roles of Azure are rarely assigned at what events are written to.
    const isOfResource = /^\/subscriptions\/.*\/providers\//.test(String(scope));
    const known =
      /(Reader|Receiver|Delegator|Processor)$|^(Monitoring|Log Analytics|Key Vault|Website|AcrP)/;
    if (!isOfResource || known.test(String(name))) return { id: String(name), permissions: [] };
    return OPEN(`the role ${String(name ?? id)}`);
  }

  async application(name: string): Promise<Known<Application | undefined>> {
    const found = this.#applicationOf(name);
    if (found instanceof Doubt || found === undefined) return found;
    const { side } = found;
    return {
      clientId: textOf(side.client_id) ?? LATER,
      identifierUris: { items: [], rest: OPEN("its identifier URIs") },
      tokenVersion: LATER,
      witnesses: found.witnesses,
    };
  }

  /** The application that tokens for a name are for at this moment. */
  #applicationOf(name: string) {
    const wanted = idOf(name);
    const isNamed = (change: PlannedChange, side: Attributes | undefined, moment: PlanWorld) => {
      const resources = this.resources
        .entra("azuread_application_identifier_uri")
        .filter((uri) => (uri.before ?? uri.after)?.application_id === change.before?.id)
        .filter((uri) =>
          [uri.before, uri.after].some((one) => idOf(one?.identifier_uri) === wanted),
        );
      const names = [side?.client_id, side?.identifier_uris].flat();
      const isMade = resources.map((uri) => idOf(moment.sideOf(uri)?.identifier_uri) === wanted);
      const isListed = names.some((each) => idOf(each) === wanted);
      const wasListed = [change.before?.identifier_uris]
        .flat()
        .some((each) => idOf(each) === wanted);
      if (side === undefined) return false;
      if (isMade.length === 0) return isListed;
      return isMade.includes(true) && (isListed || !wasListed);
    };
    const before = new PlanWorld(this.resources, "before");
    const all = this.resources.entra("azuread_application");
    const change = all.find((each) => isNamed(each, before.sideOf(each), before));
    if (change === undefined) return OPEN(`the application ${name}`);
    const side = this.sideOf(change);
    if (side === undefined) return undefined;
    const uris = [side.identifier_uris].flat();
    if (uris.includes(UNKNOWN)) return LATER;
    const uriResources = this.resources
      .entra("azuread_application_identifier_uri")
      .filter((uri) => (uri.before ?? uri.after)?.application_id === change.before?.id);
    const witnesses = [change, ...uriResources].map(({ address }) => address);
    return isNamed(change, side, this) ? { change, side, witnesses } : undefined;
  }

  async principal(name: string): Promise<Known<Principal | undefined>> {
    const found = this.#applicationOf(name);
    const clientId = found instanceof Doubt || found === undefined ? name : found.side.client_id;
    if (found === undefined) return undefined;
    const change = this.resources
      .entra("azuread_service_principal")
      .find(({ before, after }) => idOf((before ?? after)?.client_id) === idOf(clientId));
    const side = change && this.sideOf(change);
    if (change !== undefined && side === undefined) return undefined;
    const other = name === EVENT_GRID ? this.#eventGridOfAssignments() : undefined;
    if (change === undefined && found instanceof Doubt)
      return other ?? this.#elsewhere(name) ?? found;
    const missing = OPEN(`the service principal of ${name}`);
    return {
      id: textOf(side?.object_id) ?? (change === undefined ? missing : LATER),
      name,
      witnesses: [
        ...(change ? [change.address] : []),
        ...(found instanceof Doubt ? [] : found.witnesses),
      ],
      isEnabled: change === undefined ? missing : flagOf(side?.account_enabled),
      appRoles: found instanceof Doubt ? { items: [], rest: found } : this.#appRolesOf(found),
    };
  }

  /** What assignments of app roles say of Event Grid, where its principal is in another plan. */
  get #ofEventGrid(): PlannedChange[] {
    return this.resources
      .entra("azuread_app_role_assignment")
      .filter(({ before }) => /event\s?grid/i.test(String(before?.principal_display_name)));
  }

  #eventGridOfAssignments(): Principal | undefined {
    const [named] = this.#ofEventGrid;
    const id = textOf(named?.before?.principal_object_id);
    const isEnabled = OPEN("Event Grid's service principal");
    const appRoles = { items: [], rest: isEnabled };
    if (id === undefined) return undefined;
    return { id, name: "Event Grid", witnesses: [], isEnabled, appRoles };
  }

  /** An application of another plan, whose app role Event Grid has in this one. */
  #elsewhere(name: string): Principal | undefined {
    const [given, another] = this.#ofEventGrid;
    const { resource_object_id: id, app_role_id: role } = given?.before ?? {};
    if (another !== undefined || typeof id !== "string" || typeof role !== "string")
      return undefined;
    const isEnabled = OPEN(`the service principal of ${name}`);
    const subscriber = {
      ...{ id: role, value: SECURE_WEBHOOK_ROLE, isEnabled: true, witnesses: [] },
      memberTypes: ["Application"],
    };
    return { id, name, witnesses: [], isEnabled, appRoles: { items: [subscriber] } };
  }

  #appRolesOf({ change, side }: { change: PlannedChange; side: Attributes }): List<AppRole> {
    const { before } = change;
    const listed = blocksOf(side.app_role);
    const resources = this.resources
      .entra("azuread_application_app_role")
      .filter((each) => (each.before ?? each.after)?.application_id === before?.id);
    const isIn = (roles: readonly unknown[], id: unknown) =>
      roles.some((role) => get(role, "id") === id);
    // A role is in the list, too, if a resource of its own makes it: who removes it decides.
    const own = listed.filter((role) =>
      resources.every((each) => {
        const now = this.sideOf(each);
        return each.before?.role_id !== get(role, "id") || now?.role_id === each.before?.role_id;
      }),
    );
    const others = resources.flatMap((each) => {
      const role = this.sideOf(each);
      const id = role?.role_id;
      const isDropped = isIn(blocksOf(before?.app_role), id) && !isIn(listed, id);
      return role === undefined || isDropped ? [] : [{ role, from: each.address }];
    });
    const isMade = (role: unknown) => others.some((one) => one.role.role_id === get(role, "id"));
    return {
      items: [
        ...others.map(({ role, from }) =>
          this.#appRole(
            { ...role, ...inList(listed, role.role_id) },
            [from, change.address],
            "role_id",
          ),
        ),
        ...own
          .filter((role) => !isMade(role))
          .map((role) => this.#appRole(role, [change.address], "id")),
      ],
      rest: OPEN("its other app roles"),
    };
  }

  #appRole(role: unknown, witnesses: readonly string[], id: string): AppRole {
    const types = get(role, "allowed_member_types");
    return {
      id: textOf(get(role, id)) ?? LATER,
      value: textOf(get(role, "value")) ?? (get(role, "value") === UNKNOWN ? LATER : ""),
      isEnabled: flagOf(get(role, "enabled")),
      memberTypes:
        types === UNKNOWN || !Array.isArray(types)
          ? types === UNKNOWN
            ? LATER
            : ["Application"]
          : types.map(String),
      witnesses,
    };
  }

  async appRoleAssignments({ id }: Principal): Promise<List<AppRoleAssignment>> {
    const items = this.resources.entra("azuread_app_role_assignment").flatMap((change) => {
      const side = this.sideOf(change);
      const resource = side?.resource_object_id;
      const isOther = typeof id === "string" && typeof resource === "string" && id !== resource;
      if (side === undefined || isOther) return [];
      return [
        {
          principalId: textOf(side.principal_object_id) ?? LATER,
          appRoleId: textOf(side.app_role_id) ?? LATER,
          witness: change.address,
        },
      ];
    });
    return { items, rest: OPEN("its other assignments") };
  }

  async owners(): Promise<List<string>> {
    return { items: [], rest: OPEN("the owners") };
  }
}

/** What a list says of a role besides its ID. */
const inList = (roles: readonly unknown[], id: unknown): Attributes =>
  Object(roles.find((role) => get(role, "id") === id));

const textOf = (text: unknown) => (typeof text === "string" && text !== "" ? text : undefined);
const flagOf = (flag: unknown): Known<boolean> => (flag === UNKNOWN ? LATER : flag !== false);

function push<K, V>(map: Map<K, V[]>, key: K, one: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [one]);
  else list.push(one);
}
