import { withoutSlashesAtEnd } from "cloud-eventgrid-binding-runtime/internal";
import { itemsOf } from "../collections.js";
import { type Answer, all, any, Doubt, judged, type Known, no, unknown, yes } from "./answers.js";
import type { Permissions, Role, RoleAssignment, World } from "./world.js";

/** Something that a principal must be allowed to do: one of these actions suffices. */
export interface Right {
  /** `actions` for management, `dataActions` for data. */
  readonly kind: "actions" | "dataActions";
  readonly actions: readonly string[];
}

/** Asks for a right that a principal has at a scope, itself or through a group. */
export async function permission(
  world: World,
  principalId: Known<string>,
  scope: string,
  right: Right,
): Promise<Answer> {
  const through = async (way: "itself" | "groups") => {
    const { items, rest } = await world.roleAssignments(principalId, scope, way);
    return any(
      items.map((one) => allows(one, scope, right)),
      rest,
    );
  };
  const own = await through("itself");
  return own.is === "yes" ? own : any([own, await through("groups")]);
}

function allows(one: RoleAssignment, scope: string, right: Right): Answer {
  const { role, hasCondition } = one;
  const reaching = judged(one.scope, (assigned) => reaches(assigned, scope));
  const allowing = judged(role, (each) => permits(each, right));
  const condition = hasCondition ? unknown(new Doubt("condition", "the role")) : yes();
  return all([reaching, allowing, condition, one.isHeld]);
}

/**
 * Looks for the scope at or below that of an assignment. A management group is not part of a resource's ID:
 * worlds list only those above the scope.
 */
function reaches(assigned: string, scope: string): Answer {
  const [above, target] = [assigned, scope].map((id) => withoutSlashesAtEnd(id.toLowerCase()));
  const isGroup = above?.startsWith("/providers/microsoft.management/managementgroups/");
  return isGroup || `${target}/`.startsWith(`${above}/`) ? yes() : no();
}

function permits({ permissions, witness }: Role, { kind, actions }: Right): Answer {
  const excluded = kind === "actions" ? "notActions" : "notDataActions";
  const isAllowed = (one: Permissions, action: string) =>
    matches(one[kind], action) && !matches(one[excluded], action);
  const isPermitted = permissions.some((one) => actions.some((each) => isAllowed(one, each)));
  const witnesses = witness === undefined ? [] : [witness];
  return isPermitted ? yes(...witnesses) : no(...witnesses);
}

function matches(patterns: readonly string[] | undefined, action: string): boolean {
  return itemsOf(patterns).some((pattern) => {
    const expression = pattern
      .split("*")
      .map((text) => text.replace(/[.\\^$+?()[\]{}|]/g, "\\$&"))
      .join(".*");
    return new RegExp(`^${expression}$`, "i").test(action);
  });
}

/** The rights of those who publish, receive, and write event subscriptions. */
export const RIGHTS = {
  publish: { kind: "dataActions", actions: ["Microsoft.EventGrid/events/send/action"] },
  receive: { kind: "dataActions", actions: ["Microsoft.EventGrid/events/receive/action"] },
  subscribe: { kind: "actions", actions: ["Microsoft.EventGrid/eventSubscriptions/write"] },
} as const satisfies Readonly<Record<string, Right>>;
