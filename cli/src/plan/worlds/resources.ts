import { cloudEnvironments } from "cloud-eventgrid-binding-runtime/internal";
import { Groups, itemsOf, present } from "../../collections.js";
import { Doubt, get } from "../../rules/index.js";
import { leavesOf, namesOf, partOf } from "../graph/index.js";
import {
  type Attributes,
  blocksOf,
  idOf,
  isPatch,
  kindOf,
  monitoredBy,
  oneOf,
  type PlannedChange,
  principalOf,
  systemPrincipalOf,
  typeOf,
  value,
} from "../terraform/index.js";
import { CLUSTER, exemptFrom, LOCATION, SERVICE_PRINCIPALS, signedInWith } from "./identities.js";

/** When a world is: before the apply, while it runs, or afterwards. */
export type Moment = "before" | "during" | "after";

export const OPEN = (what: string) => new Doubt("open", what);
export const LATER = new Doubt("later", "a value of the plan");

const SYSTEM_TOPIC = oneOf("azurerm_eventgrid_system_topic Microsoft.EventGrid/systemTopics");

/** Event Grid's own application. */
export const EVENT_GRID = String(cloudEnvironments.public.eventGridApplicationId);

/** The resources of a plan, which its worlds share, by the names that others use for them. */
export class Resources {
  readonly byName = new Groups<string, PlannedChange>();
  /** The writers of parts of a resource, by the ID of that. */
  readonly patches = new Groups<string, PlannedChange>();
  readonly assignments: readonly PlannedChange[];
  readonly endpoints: readonly PlannedChange[];
  /** The IDs of system topics, by those of their sources. */
  readonly systemTopics = new Map<string, string>();
  /** Those that have a principal, by that. */
  readonly byPrincipal = new Groups<string, PlannedChange>();
  readonly #byHolder = new Groups<string, PlannedChange>();
  readonly #ofGroups = new Set<PlannedChange>();
  /** The changes that add a member to a group, by the group's ID. */
  readonly memberships = new Groups<string, PlannedChange>();
  readonly #entra = new Groups<string, PlannedChange>();
  readonly #signIns = new Groups<string, SignIn>();

  constructor(readonly changes: readonly PlannedChange[]) {
    for (const change of changes) {
      const own = patchedId(change);
      if (own !== undefined) this.patches.add(own, change);
      else if (kindOf(change) !== "subscription") {
        for (const name of namesOf(change)) this.byName.add(name, change);
      }
      if (change.type.startsWith("azuread_")) this.#entra.add(change.type, change);
      if (SYSTEM_TOPIC.test(typeOf(change))) {
        const { before, after } = change;
        const id = idOf(before?.id);
        if (typeof id === "string") this.systemTopics.set(String(monitoredBy(before ?? after)), id);
      }
      for (const id of principalsOf(change, change.before)) this.byPrincipal.add(id, change);
      const { group_object_id: added, group_id: group = added } =
        change.before ?? change.after ?? {};
      if (isMembership(change)) this.memberships.add(String(idOf(group)), change);
    }
    for (const change of changes) {
      for (const one of this.signInsWith(change)) this.#signIns.add(one.principal, one);
    }
    this.assignments = changes.filter(
      (each) => kindOf(each) === "role" && each.type !== "azuread_app_role_assignment",
    );
    this.endpoints = changes.filter((each) => oneOf("**private_?endpoints?").test(typeOf(each)));
    for (const change of this.assignments) {
      for (const side of [change.before, change.after]) {
        const holder = side && holderOf(side);
        if (holder === undefined) continue;
        this.#byHolder.add(holder, change);
        const type = textOf(value(side, "principal_type")) ?? "Group";
        if (type === "Group" && !this.byPrincipal.has(holder)) this.#ofGroups.add(change);
      }
    }
  }

  entra(...types: readonly string[]): readonly PlannedChange[] {
    return types.flatMap((type) => this.#entra.of(type));
  }

  signInsOf(principalId: string): readonly SignIn[] {
    const key = this.byPrincipal.has(principalId) ? principalId : ANYBODY;
    const all = this.#signIns.of(key);
    const id = idOf(principalId);
    return all.filter(({ exempt }) => !exempt.includes(id));
  }

  /** Who signs in with a resource; {@link ANYBODY} for a principal of another plan. */
  signInsWith(change: PlannedChange): SignIn[] {
    if (LOCATION.test(change.type)) {
      const users = this.entra("azuread_conditional_access_policy").filter(({ before }) =>
        leavesOf(before).some(({ value }) => namesOf(change).includes(String(idOf(value)))),
      );
      return users.flatMap((user) => this.signInsWith(user)).map((one) => ({ ...one, change }));
    }
    if (CLUSTER.test(typeOf(change))) return this.#issuedBy(change);
    return signedInWith(change).flatMap((name) => {
      const isAll = name === SERVICE_PRINCIPALS;
      const owners = isAll ? this.entra("azuread_service_principal") : this.byName.of(String(name));
      const clients = owners.flatMap(({ before }) =>
        this.byName.of(String(idOf(before?.client_id))),
      );
      const all = [...owners, ...clients].flatMap((each) => principalsOf(each, each.before));
      return [...all, ...(isAll || all.length === 0 ? [ANYBODY] : [])].map((principal) => ({
        principal,
        change,
        name,
        exempt: exemptFrom(change),
      }));
    });
  }

  /** Who signs in with tokens that a cluster issues. */
  #issuedBy(change: PlannedChange): SignIn[] {
    const all = isPatch(change) ? this.byName.of(String(partOf(change))) : [change];
    const issuers = all.flatMap(({ before }) => leavesOf(before).map((leaf) => idOf(leaf.value)));
    const users = this.changes.filter(
      (each) => each.before?.issuer && issuers.includes(idOf(each.before.issuer)),
    );
    return users.flatMap((user) => this.signInsWith(user)).map((one) => ({ ...one, change }));
  }

  /** The role assignments of principals that no resource of the plan has, so that they may be anybody's. */
  get assignmentsOfOthers(): PlannedChange[] {
    return this.assignments.filter(({ before, after }) =>
      [before, after].some((side) => side && !this.byPrincipal.has(holderOf(side))),
    );
  }

  /** The role assignments that a principal may have, itself or through groups. */
  assignmentsOf(principalId: string, through: "itself" | "groups"): Iterable<PlannedChange> {
    if (through === "groups") return this.#ofGroups;
    return new Set([...this.#byHolder.of(principalId), ...this.#byHolder.of(ANYBODY)]);
  }
}

/** A principal signs in with a resource, as the identity with a name. */
export interface SignIn {
  readonly principal: string;
  readonly change: PlannedChange;
  readonly name: unknown;
  /** The principals that a policy of conditional access leaves alone. */
  readonly exempt: readonly unknown[];
}

/** Stands for a principal that is known after the apply. */
export const ANYBODY = "";

/** The principal that has a role, in lower case. */
export function holderOf(side: Attributes): string {
  const given = value(side, "principal_id");
  return typeof given === "string" ? given.toLowerCase() : ANYBODY;
}

/** The resources of a plan at one moment. */
export class View {
  constructor(
    readonly resources: Resources,
    readonly moment: Moment,
  ) {}

  /**
   * Tells what is in a list at this moment, where resources of their own can add to it. Providers list those,
   * too, so that who removes something decides, the list or the resource.
   */
  isPresent(listed: (at: View) => readonly unknown[], added: (at: View) => readonly unknown[]) {
    const before = new View(this.resources, "before");
    const sources = [listed, added].map((of) => [of(before), of(this)] as const);
    return (one: unknown): boolean =>
      sources.some(([_, is]) => is.includes(one)) &&
      !sources.some(([was, is]) => was.includes(one) && !is.includes(one));
  }

  /** A resource at this moment; undefined if it does not exist. */
  sideOf({ action, before, after }: PlannedChange): Attributes | undefined {
    if (this.moment === "before") return before;
    if (action === "forget" || action === "unknown") return before;
    if (this.moment === "after") return action === "delete" ? undefined : after;
    // New resources may come too late, and destroyed ones may go too early.
    return action === "create-delete" || action === "no-op"
      ? before
      : action === "update"
        ? after
        : undefined;
  }
}

/** The ID of the resource that a change writes a part of, or the rules of. */
function patchedId(change: PlannedChange): string | undefined {
  const known = (name: string) =>
    [change.after?.[name], change.before?.[name]].find((each) => typeof each === "string");
  const id = known("id");
  if (change.type === "azurerm_storage_account_network_rules") {
    return textOf(idOf(known("storage_account_id") ?? id));
  }
  if (change.type === "azurerm_servicebus_namespace_network_rule_set") {
    const namespace = textOf(known("namespace_id"));
    return textOf(idOf(namespace ? `${namespace}/networkRuleSets/default` : id));
  }
  const parent = textOf(known("parent_id"));
  // Every namespace has its rules, so that azapi creates none.
  if (oneOf("**/networkRuleSets").test(typeOf(change)) && parent) {
    return textOf(idOf(`${parent}/networkRuleSets/default`));
  }
  return isPatch(change) ? textOf(partOf(change)) : undefined;
}

/** The object IDs of a resource's identities, or of what it is itself. */
export function principalsOf(change: PlannedChange, side: Attributes | undefined): string[] {
  const own = [side?.identity, side?.kubelet_identity]
    .flatMap(blocksOf)
    .flatMap((block) => [get(block, "principal_id"), get(block, "object_id")]);
  const isEntra = oneOf("azuread_(service_principal|user)").test(change.type);
  const system = isPatch(change) ? undefined : systemPrincipalOf(change, side);
  const itself = isEntra ? side?.object_id : principalOf(change, side);
  return present(
    [...new Set([...own, system, itself])].map((id) => textOf(idOf(id)?.toString().slice(1))),
  );
}

/** An owner of a group is no member of it. */
const isMembership = ({ type, before, after }: PlannedChange) =>
  oneOf("azuread_group_member azuread_privileged_access_group_*_schedule").test(type) &&
  (before ?? after)?.assignment_type !== "owner";

/** The members of groups before the apply that a change may take away. */
export const membersIn = (change: PlannedChange): unknown[] => {
  const { type, before = {} } = change;
  if (type === "azuread_group") return itemsOf(before.members);
  return isMembership(change) ? itemsOf(memberOf(before)) : [];
};

/** The object ID of whom a resource adds to a group. */
export const memberOf = (side: Attributes) => value(side, "member_object_id", "principal_id");

export const textOf = (text: unknown) =>
  typeof text === "string" && text !== "" ? text : undefined;
