import { get, UNKNOWN } from "../../rules/index.js";
import {
  areKeysOn,
  type Dependencies,
  identitiesOf,
  isDestroyed,
  namesOf,
  SYSTEM,
  textsIn,
} from "../dependencies/index.js";
import { type Finding, lost, unknown } from "../finding.js";
import {
  type Attributes,
  blocksOf,
  idOf,
  isWithin,
  kindOf,
  type PlannedChange,
  type SubscriptionChange,
  same,
  typeOf,
  value,
} from "../terraform/index.js";
import { appRoleFindings } from "./app-roles.js";

/** A role assignment, before or after the apply. */
interface Assignment {
  readonly role: string;
  readonly scope: unknown;
  readonly principal: unknown;
  readonly condition: unknown;
}

/** The roles whose IDs are written instead of their names. */
const ROLES: Readonly<Record<string, string>> = {
  "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
  "b24988ac-6180-42a0-ab88-20f7382dd24c": "Contributor",
  "acdd72a7-3385-48ef-bd42-f606fba81ae7": "Reader",
  "428e0ff0-5e57-4d9c-a221-2c70d0e0a443": "EventGrid EventSubscription Contributor",
  "1e241071-0855-49ea-94dc-649edcd759de": "EventGrid Contributor",
  "1d8c3fe3-8864-474b-8749-01e3783e8157": "EventGrid Data Contributor",
  "d5a91429-5739-47e2-a06b-3470a27159e7": "EventGrid Data Sender",
  "78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb": "EventGrid Data Receiver",
  "ba92f5b4-2d11-453d-a403-e96b0029c9fe": "Storage Blob Data Contributor",
  "b7e6dc6d-f1e8-4753-8033-0f276bb0955b": "Storage Blob Data Owner",
  "974c5e8b-45b9-4653-ba55-5f855dd0fb88": "Storage Queue Data Contributor",
  "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a": "Storage Queue Data Message Sender",
  "f526a384-b230-433a-b45c-95f59c4a2dec": "Azure Event Hubs Data Owner",
  "2b629674-e913-4c01-ae53-ef4638d8f975": "Azure Event Hubs Data Sender",
  "090c5cfd-751d-490a-894a-3ce6f1109419": "Azure Service Bus Data Owner",
  "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39": "Azure Service Bus Data Sender",
};

/** Roles that Microsoft defines, none of which lets anybody write to what is not named in them. */
const BUILT_IN = new RegExp(
  `^(${Object.values(ROLES).join("|")})$|(Reader|Receiver|Delegator|Processor)$|^(Monitoring|Log Analytics|Key Vault|Website|AcrP|Azure Kubernetes) ?\\w*`,
);

function assignmentOf(side: Attributes | undefined): Assignment | undefined {
  if (side === undefined) return undefined;
  const id = value(side, "role_definition_id", "roleDefinitionId");
  const name = side.role_definition_name;
  const [, guid = ""] = /([\da-f-]{36})$/i.exec(String(id)) ?? [];
  return {
    role:
      typeof name === "string" && name !== ""
        ? name
        : (ROLES[guid.toLowerCase()] ?? `of the ID ${guid}`),
    scope: idOf(value(side, "scope", "scope") ?? side.parent_id),
    principal: value(side, "principal_id", "principalId"),
    condition: value(side, "condition", "condition"),
  };
}

/** Something that a principal must be allowed to do. */
interface Right {
  /** The roles of which it needs one. */
  readonly roles: RegExp;
  /** The resource ID of what it is done to. */
  readonly place: unknown;
  /** Who does it; undefined for anybody who has the role. */
  readonly principal?: unknown;
  /** Whether it cannot be done with a key instead. */
  readonly isOnlyWay?: boolean;
  readonly by: string;
  readonly does: string;
}

/** The roles with which Event Grid writes to its destinations, and consumers read. */
const DELIVERING: readonly (readonly [type: RegExp, roles: RegExp, reading?: RegExp])[] = [
  [
    /^StorageQueue$/,
    /^Storage Queue Data (Message Sender|Contributor)$/,
    /^Storage Queue Data (Message Processor|Contributor)$/,
  ],
  [
    /^EventHub$/,
    /^Azure Event Hubs Data (Sender|Owner)$/,
    /^Azure Event Hubs Data (Receiver|Owner)$/,
  ],
  [
    /^ServiceBus/,
    /^Azure Service Bus Data (Sender|Owner)$/,
    /^Azure Service Bus Data (Receiver|Owner)$/,
  ],
  [/^HybridConnection$/, /^Azure Relay (Sender|Owner)$/],
  [/^NamespaceTopic$/, /^EventGrid Data (Sender|Contributor)$/],
];
const STORING = /^Storage Blob Data (Contributor|Owner)$/;
const SENDING = /^EventGrid Data (Sender|Contributor)$/;
const RECEIVING = /^EventGrid Data (Receiver|Contributor)$/;
const DECRYPTING = /^Key Vault (Crypto|Administrator)/;
const WRITING = /^(EventGrid (EventSubscription )?Contributor|Contributor|Owner)$/;

function rightsOf(
  subscriptions: readonly SubscriptionChange[],
  changes: readonly PlannedChange[],
  dependencies: Dependencies,
): Right[] {
  const ofSubscriptions = subscriptions.flatMap(({ before, after, change }): Right[] => {
    if (before === undefined || after === undefined) return [];
    const { destination, deadLetters, name: by, scope } = after;
    const { type, place } = destination;
    const [, roles = /./, reading] = DELIVERING.find(([types]) => types.test(type)) ?? [];
    const rights: Right[] = clientsOf({ by, place: scope });
    if (destination.identity && type !== "WebHook") {
      const principal = principalOf(destination.identity, scope, changes);
      rights.push({ roles, place, principal, by, does: "deliver" });
    }
    if (deadLetters?.identity) {
      const principal = principalOf(deadLetters.identity, scope, changes);
      const does = "store dead letters";
      rights.push({ roles: STORING, place: deadLetters.place, principal, by, does });
    }
    if (reading) rights.push({ roles: reading, place, by, does: "read what is delivered" });
    if (change.action !== "no-op") {
      rights.push({ roles: WRITING, place: scope, by, does: "write event subscriptions" });
    }
    return rights;
  });
  const vaults = [...dependencies.found]
    .filter(([, needs]) => needs.some(({ use }) => use === "target"))
    .flatMap(([{ address: by, before }]) =>
      textsIn(before)
        .filter((text) => /\/providers\/microsoft\.keyvault\/vaults\/[^/]+$/.test(text))
        .map((place) => ({ roles: DECRYPTING, place, by, does: "use the key of what is stored" })),
    );
  const ofSources = changes
    .filter((each) => kindOf(each) === "source" && each.before)
    .flatMap(({ address, before, after }) =>
      clientsOf({
        by: address,
        place: idOf(before?.id),
        isOnlyWay: areKeysOn(after) === false,
      }),
    );
  return [...ofSubscriptions, ...ofSources, ...vaults];
}

/** What publishers and consumers do at a source. */
const clientsOf = (at: Pick<Right, "by" | "place" | "isOnlyWay">): Right[] => [
  { ...at, roles: SENDING, does: "publish" },
  { ...at, roles: RECEIVING, does: "receive" },
];

/** The principal of an identity; {@link UNKNOWN} if the plan does not have it. */
function principalOf(
  identity: unknown,
  scope: unknown,
  changes: readonly PlannedChange[],
): unknown {
  const own = get(identity, "userAssignedIdentity");
  const found = changes.find(
    typeof own === "string"
      ? (change) => namesOf(change).includes(String(idOf(own)))
      : (change) => kindOf(change) === "source" && isWithin(scope, change.before?.id),
  );
  const [principal] =
    typeof own === "string" ? [found?.before?.principal_id] : ownPrincipals(found);
  return principal ?? UNKNOWN;
}

/** The principals that a resource has itself. */
const ownPrincipals = (change: PlannedChange | undefined): string[] =>
  [change?.before?.identity, change?.before?.kubelet_identity]
    .flatMap(blocksOf)
    .flatMap((block) => [get(block, "principal_id"), get(block, "object_id")])
    .filter((each) => typeof each === "string");

/** Whether a role's scope contains a place. */
const isAtOrIn = (place: unknown, scope: unknown) =>
  isWithin(place, scope) || /^\/providers\/microsoft.management\//.test(String(scope));

/** Whether a scope is a resource, and not all that is in a group or a subscription. */
const isOfResource = (scope: unknown) => /^\/subscriptions\/.*\/providers\//.test(String(scope));

/** Whether an assignment gives a right, to whomever. */
const gives = ({ roles, place }: Right, one: Assignment | undefined, isRemoved = false): boolean =>
  one !== undefined &&
  (roles.test(one.role) || (!BUILT_IN.test(one.role) && isOfResource(one.scope))) &&
  (isAtOrIn(place, one.scope) || (isRemoved ? isWithin(one.scope, place) : one.scope === UNKNOWN));

/** The types of resources that are one principal, and no group of them. */
const PRINCIPAL = /^azuread_(service_principal|user)$|user_?assigned_?identit/i;

/** What assignments give their roles through: groups, roles of one's own, and the principals of clients. */
const GRANTING =
  /^azuread_(group|group_member|service_principal)$|^azurerm_(role_definition|user_assigned_identity)$/;

/** The roles of a plan, and what those need that take part in deliveries. */
export class Roles {
  readonly #rights: readonly Right[];
  readonly #assignments: readonly PlannedChange[];
  /** The principals that are no groups. */
  readonly #principals: ReadonlySet<unknown>;

  constructor(
    private readonly subscriptions: readonly SubscriptionChange[],
    private readonly changes: readonly PlannedChange[],
    dependencies: Dependencies,
  ) {
    this.#rights = rightsOf(subscriptions, changes, dependencies);
    this.#assignments = changes.filter((each) => kindOf(each) === "role");
    const named = changes.filter((each) => PRINCIPAL.test(typeOf(each)));
    this.#principals = new Set([
      ...changes.flatMap(ownPrincipals),
      ...named.flatMap(({ before }) => [before?.principal_id, before?.object_id]),
    ]);
  }

  /** What the change of a group, of a role's definition, or of a client's identity does to roles that stay. */
  grantFindings(change: PlannedChange): Finding[] {
    const { type, action } = change;
    if (/^(no-op|forget|create)$/.test(action)) return [];
    const isGranting = GRANTING.test(type);
    const names = isGranting ? namesOfGrant(change) : principalsLostBy(change, this.changes);
    if (names.length === 0) return [];
    const assignments = this.#assignments
      .filter(({ action: own, before }) => {
        const role = value(before, "role_definition_id", "roleDefinitionId");
        const used = [role, value(before, "principal_id", "principalId")].map(idOf);
        const isUsed = used.some((each) => typeof each === "string" && names.includes(each));
        return own !== "delete" && isUsed;
      })
      .map(({ before }) => assignmentOf(before));
    // The identities that deliver are followed as what a subscription needs.
    const isOfClient = !/_group|_role_definition$/.test(type);
    const does = this.#rights
      .filter(({ principal }) => !isOfClient || principal === undefined)
      .filter((right) => assignments.some((one) => gives(right, one)))
      .map((right) => right.does);
    if (does.length === 0) return [];
    const what = isGranting ? "role" : "identity, which has the role";
    return [unknown("role", `those who ${[...new Set(does)].join(", ")} may lose their ${what}`)];
  }

  /** What the removal, or the change, of a role does to deliveries, and to those who write event subscriptions. */
  roleFindings(change: PlannedChange): Finding[] {
    const { action, type } = change;
    if (/^(create|no-op|forget)$/.test(action)) return [];
    if (type === "azuread_app_role_assignment") {
      return appRoleFindings(change, this.subscriptions, this.changes);
    }
    const before = assignmentOf(change.before);
    if (before === undefined) return [];
    const { role, principal } = before;
    const others = this.#assignments.filter(
      (each) => each !== change && !/^(delete|unknown)$/.test(each.action),
    );
    const staying = [...(action === "delete" ? [] : [change]), ...others].map((each) => {
      const assignment = assignmentOf(each.after);
      const isOpen = [assignment?.principal, assignment?.scope].includes(UNKNOWN);
      return { assignment, isOpen, isLater: isOpen || /create|unknown/.test(each.action) };
    });
    const found = new Map<string, { isLost: boolean; by: Set<string> }>();
    for (const right of this.#rights.filter((each) => gives(each, before, true))) {
      const { principal: needing, does, by } = right;
      const isOwn = same(needing, principal);
      // A principal that the plan does not have may be a group of others.
      if (typeof needing === "string" && !isOwn && this.#principals.has(principal)) continue;
      const kept = staying.filter(
        ({ assignment: one }) =>
          gives(right, one) &&
          [needing, principal, UNKNOWN].some(
            (each) => each !== undefined && same(each, one?.principal),
          ) &&
          (one?.condition == null || same(one.condition, before.condition)),
      );
      if (kept.some(({ isLater }) => !isLater)) continue;
      const isLost =
        kept.length === 0 &&
        isDestroyed(change) &&
        right.roles.test(role) &&
        (isOwn || right.isOnlyWay === true);
      const moment = kept.every(({ isOpen }) => isOpen)
        ? ", perhaps for a moment"
        : " for a moment";
      const removed = `removed${kept.length > 0 ? moment : ""}`;
      const who =
        needing === undefined
          ? `${String(principal)} may ${does}`
          : "NAMES may deliver or store dead letters";
      const text = `the role ${role} is ${removed}, with which ${who}`;
      const known = found.get(text);
      found.set(text, {
        isLost: isLost || known?.isLost === true,
        by: (known?.by ?? new Set()).add(by),
      });
    }
    return [...found].map(([text, { isLost, by }]) => {
      const message = text.replace("NAMES", [...by].join(", "));
      return isLost ? lost("role", "LOST", message) : unknown("role", message);
    });
  }
}

/** What assignments call a group, a role's definition or a principal that changes; nothing if it loses nothing. */
function namesOfGrant({ action, before = {}, after }: PlannedChange): unknown[] {
  const [old, next] = [grantsOf(before), grantsOf(after)];
  const isKept =
    action === "update" &&
    old.given.every((each) => next.given.includes(each)) &&
    next.denied.every((each) => old.denied.includes(each)) &&
    same(old.rest, next.rest);
  const { id, object_id, group_object_id, principal_id, role_definition_resource_id } = before;
  const names = [id, object_id, group_object_id, principal_id, role_definition_resource_id];
  return isKept ? [] : names.map(idOf);
}

/** The principals of the identities that a publisher, or anything else that runs, loses. */
function principalsLostBy(change: PlannedChange, changes: readonly PlannedChange[]): unknown[] {
  const { action, before, after } = change;
  const old = identitiesOf(before);
  const next = action === "update" ? identitiesOf(after) : [];
  // An identity of its own ends with the resource; others stay, without a user.
  const lostOnes = (old ?? []).filter((one) => next && !next.includes(one));
  const shared = action === "update" ? lostOnes : [];
  return [
    ...(lostOnes.includes(SYSTEM) || next === undefined ? ownPrincipals(change) : []),
    ...changes
      .filter((each) => namesOf(each).some((name) => shared.includes(name)))
      .map((each) => each.before?.principal_id),
  ]
    .filter((each) => typeof each === "string")
    .map(idOf);
}

/** What a group has as members, or a role as actions, whether somebody is let in, and whatever else decides. */
function grantsOf(side: Attributes = {}) {
  const permissions = blocksOf(side.permissions);
  const all = (...names: string[]) =>
    permissions.flatMap((one) => names.map((name) => get(one, name) ?? [])).flat();
  return {
    given: [side.members ?? [], all("actions", "data_actions")].flat(2),
    denied: all("not_actions", "not_data_actions"),
    rest: [side.dynamic_membership, side.assignable_scopes, side.account_enabled],
  };
}
