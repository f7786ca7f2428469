import { itemsOf, present } from "../../collections.js";
import {
  type Answer,
  all,
  builtInRole,
  Doubt,
  get,
  type Known,
  no,
  type Role,
  type RoleAssignment,
  UNKNOWN,
  unknown,
  yes,
} from "../../rules/index.js";
import {
  type Attributes,
  blocksOf,
  camelCase,
  idOf,
  isPatch,
  oneOf,
  type PlannedChange,
  same,
  typeOf,
  value,
} from "../terraform/index.js";
import { ANYBODY, holderOf, LATER, memberOf, OPEN, principalsOf, View } from "./resources.js";

/** The role assignments that a principal has at one moment, itself or through groups. */
export function roleAssignmentsIn(
  view: View,
  principalId: Known<string>,
  through: "itself" | "groups",
): RoleAssignment[] {
  const isKnown = !(principalId instanceof Doubt);
  const principal = isKnown ? principalId.toLowerCase() : ANYBODY;
  const assignments = isKnown
    ? view.resources.assignmentsOf(principal, through)
    : view.resources.assignmentsOfOthers;
  return [...assignments].flatMap((change) => {
    const side = view.sideOf(change);
    if (side === undefined) return [];
    const at = scopeOf(side);
    const holder = holderOf(side);
    const isHeld = !isKnown
      ? unknown(principalId, change.address)
      : through === "groups"
        ? isMember(view, holder, principal, change)
        : holder === ANYBODY
          ? unknown(LATER, change.address)
          : holder === principal
            ? exists(view, holder, change)
            : no();
    if (isHeld.is === "no") return [];
    // The definition that azapi writes a part of can be in another plan.
    const id = String(idOf(value(side, "role_definition_id", "roleDefinitionId")));
    const parts = view.resources.patches
      .of(id)
      .filter((each) => !same(each.before, view.sideOf(each)));
    const isStill = parts.map(({ address }) => unknown(LATER, address));
    const place = placeOf(view, at, holder);
    // Privileged Identity Management can assign a role for a limited time.
    const isLimited = blocksOf(side.schedule).some(
      (one) => blocksOf(get(one, "expiration")).length > 0,
    );
    const hasCondition = value(side, "condition") != null;
    const role = isLimited ? ENDING : roleOf(view, side, at);
    return [{ isHeld: all([isHeld, ...isStill]), scope: place, role, hasCondition }];
  });
}

const ENDING = new Doubt("later", "for how long the role is assigned");

const scopeOf = (side: Attributes) => idOf(value(side, "scope") ?? side.parent_id);

/**
 * Where a role is assigned. No plan shows what is in a management group, so that one counts only where it
 * counted before.
 */
function placeOf({ moment, resources }: View, at: unknown, holder: string): Known<string> {
  if (typeof at !== "string") return LATER;
  const isGroup = at.startsWith("/providers/microsoft.management/managementgroups/");
  if (moment === "before" || !isGroup) return at;
  const isKnown = resources.assignments.some(
    ({ before }) => before && holderOf(before) === holder && scopeOf(before) === at,
  );
  return isKnown ? at : new Doubt("hidden", "what is in the management group");
}

/** Whether an assignment gives something else than before, such as a role with another condition. */
export function isRegranted({ action, before, after }: PlannedChange): boolean {
  if (action === "no-op" || before === undefined || after === undefined) return false;
  const isSame = (name: string) => same(value(before, name), value(after, name));
  // Of a role of Azure, the provider computes the ID from the name, or the name from the ID.
  const isSameRole = ["role_definition_name", "role_definition_id", "app_role_id"].some(
    (name) => value(before, name) != null && isSame(name),
  );
  const others = ["scope", "parent_id", "principal_id", "condition", "schedule"];
  return !isSameRole || !others.every(isSame);
}

/** A role counts only while the principal that has it exists; of a group, its members have it. */
function exists(view: View, principal: string, { address }: PlannedChange): Answer {
  const groups = groupsOf(view, `/${principal}`);
  const ruled = groups.filter((each) => isRuledAnew(view, each));
  if (ruled.length > 0) return unknown(LATER, address, ...ruled.map((each) => each.address));
  const owners = view.resources.byPrincipal.of(principal);
  const isGone =
    groups.some((each) => view.sideOf(each) === undefined) ||
    owners.some((each) => !principalsOf(each, view.sideOf(each)).includes(principal));
  return isGone ? no() : yes(address, ...[...groups, ...owners].map((each) => each.address));
}

const groupsOf = ({ resources }: View, id: string) =>
  resources.byName.of(id).filter(({ type }) => type === "azuread_group");

/** Entra looks for the members of a group anew. */
const isRuledAnew = ({ moment }: View, { before, after }: PlannedChange) =>
  moment !== "before" && !same(before?.dynamic_membership, after?.dynamic_membership);

function isMember(view: View, group: string, member: string, assignment: PlannedChange): Answer {
  if (group === ANYBODY || group === member) return no();
  const { is, from } = membershipIn(view, `/${group}`, `/${member}`, new Set());
  if (is === "no") return no();
  const witnesses = [assignment, ...from].map(({ address }) => address);
  if (is === "yes") return yes(...witnesses);
  return unknown(is === "later" ? LATER : OPEN("the members of a group"), ...witnesses);
}

interface Membership {
  readonly is: "yes" | "no" | "open" | "later";
  readonly from: readonly PlannedChange[];
}

/**
 * Looks for a member in a group, and in the groups in it.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/overview#groups
 */
function membershipIn(view: View, group: string, member: string, seen: Set<string>): Membership {
  seen.add(group);
  const groups = groupsOf(view, group);
  const sides = groups
    .map((each) => view.sideOf(each))
    .map((side) => (side?.security_enabled === false ? undefined : side));
  if (groups.length > 0 && sides.every((side) => side === undefined)) {
    return { is: "no", from: groups };
  }
  if (groups.some((each) => isRuledAnew(view, each))) return { is: "later", from: groups };
  const additions = view.resources.memberships.of(group);
  const addedIn = (at: View) =>
    additions.flatMap((by) => {
      const side = at.sideOf(by);
      return side === undefined ? [] : [{ by, who: idOf(memberOf(side)) }];
    });
  const listedIn = (at: View) =>
    groups.flatMap((each) => itemsOf(at.sideOf(each)?.members).map(idOf));
  const isHere = view.isPresent(listedIn, (at) => addedIn(at).map(({ who }) => who));
  const members = new Map<unknown, readonly PlannedChange[]>([
    ...listedIn(view).map((who): [unknown, PlannedChange[]] => [who, []]),
    ...addedIn(view).map(({ who, by }): [unknown, PlannedChange[]] => [who, [by]]),
  ]);
  for (const who of members.keys()) if (!isHere(who)) members.delete(who);
  const itself = members.get(member);
  if (itself !== undefined) {
    const is = itself.some((each) => isForATime(each, view.sideOf(each))) ? "later" : "yes";
    return { is, from: [...groups, ...itself] };
  }
  const inner = [...members].flatMap(([who, by]) =>
    typeof who !== "string" || seen.has(who)
      ? []
      : [{ by, ...membershipIn(view, who, member, seen) }],
  );
  const through = inner.find(({ is }) => is === "yes");
  const from = through ? [...through.by, ...through.from] : inner.flatMap((each) => each.from);
  // Who is removed is no member any more, unless one of the other members is a group with it.
  if (view.moment !== "before" && inner.every(({ is }) => is === "no")) {
    const before = membershipIn(new View(view.resources, "before"), group, member, new Set());
    if (before.is === "yes") return { is: "no", from: groups };
  }
  const isLater = inner.some(({ is }) => is === "later");
  return { is: through ? "yes" : isLater ? "later" : "open", from: [...groups, ...from] };
}

/** Whom Privileged Identity Management lets join a group, or makes a member of it for a limited time. */
const isForATime = ({ type }: PlannedChange, side: Attributes | undefined) =>
  type !== "azuread_group_member" &&
  (type.includes("eligibility") || side?.permanent_assignment !== true);

function roleOf(view: View, side: Attributes, scope: unknown): Known<Role> {
  const id = value(side, "role_definition_id");
  const name = side.role_definition_name;
  if (id === UNKNOWN && (name == null || name === UNKNOWN)) return LATER;
  const [builtIn] = present([name, id].map((each) => builtInRole(String(each))));
  if (builtIn !== undefined) return builtIn;
  const custom = view.resources.changes.find(
    (change) =>
      isRoleDefinition(change) &&
      !isPatch(change) &&
      [change.before, change.after].some((side) => {
        const own = value(side, "role_definition_resource_id", "id");
        const isNamed = typeof name === "string" && value(side, "name", "roleName") === name;
        return isNamed || (own !== undefined && idOf(own) === idOf(id));
      }),
  );
  if (custom !== undefined) return customRole(custom, view.sideOf(custom));
  const known =
    /(Reader|Receiver|Delegator|Processor)$|^(Monitoring|Log Analytics|Key Vault|Website|AcrP)/;
  if (known.test(String(name))) return { id: String(name), permissions: [] };
  // Other roles of Azure are rarely assigned at what events are written to, but often around it.
  const isOfResource = oneOf("/subscriptions/**/providers/**").test(String(scope));
  return new Doubt(isOfResource ? "hidden" : "open", `the role ${String(name ?? id)}`);
}

/** A definition of a custom role, by either provider, or a part of one that azapi writes. */
export const isRoleDefinition = (change: PlannedChange) =>
  oneOf("azurerm_role_definition Microsoft.Authorization/roleDefinitions").test(typeOf(change));

const LISTS = ["actions", "not_actions", "data_actions", "not_data_actions"];

function customRole({ address }: PlannedChange, side: Attributes | undefined): Known<Role> {
  const of = (one: unknown, name: string): readonly unknown[] =>
    itemsOf(get(one, name) ?? get(one, camelCase(name)));
  const permissions = blocksOf(side?.permissions);
  if (permissions.some((one) => LISTS.some((name) => of(one, name).includes(UNKNOWN)))) {
    return LATER;
  }
  return {
    id: address,
    witness: address,
    permissions: permissions.map((one) =>
      Object.fromEntries(LISTS.map((name) => [camelCase(name), of(one, name).map(String)])),
    ),
  };
}
