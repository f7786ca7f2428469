import { type Answer, type Azure, listAt, textAt } from "../../azure/index.js";
import { type Finding, findings } from "../finding.js";

/** Whether a principal may perform an action at a scope, through any role. */
export type Permission = "allowed" | "denied" | Doubt;

/** Something could not be read, or a role is assigned with a condition, which nothing here evaluates. */
interface Doubt {
  readonly doubt: Answer | "condition";
}

/** Says why it is not known whether a principal has a right. */
export function undecided(check: string, { doubt }: Doubt): Finding {
  const finding = findings(check);
  if (doubt !== "condition") return finding.unreadable("role assignments", doubt);
  const remedy = "read the condition: az role assignment list --all --assignee <id>";
  return finding.unknown("the role is assigned with a condition", remedy);
}

/**
 * Evaluates the role assignments of a principal at a scope, with the definitions of its roles.
 * Roles of a group count as allowed, because its members cannot always be read.
 *
 * @param kind `actions` for management, `dataActions` for data
 * @param roles IDs of roles that suffice, whatever their definition says
 */
export async function permission(
  azure: Azure,
  principalId: string,
  scope: string,
  kind: "actions" | "dataActions",
  action: string,
  roles: readonly string[] = [],
): Promise<Permission> {
  let doubt: Doubt["doubt"] | undefined;
  const isAllowed = async (assignment: unknown) => {
    if (!reaches(assignment, scope)) return false;
    const verdict = isOneOf(roles, assignment)
      ? "allowed"
      : await judge(azure, assignment, kind, action);
    if (typeof verdict === "object") doubt ??= verdict.doubt;
    if (verdict !== "allowed") return false;
    if (textAt(assignment, "properties", "condition") === undefined) return true;
    doubt ??= "condition";
    return false;
  };
  const own = await assignments(azure, scope, `principalId eq '${principalId}'`);
  if (own.status !== 200) return { doubt: own };
  for (const assignment of own.items) {
    if (await isAllowed(assignment)) return "allowed";
  }
  const all = await assignments(azure, scope, `assignedTo('${principalId}')`);
  if (all.status !== 200) doubt ??= all;
  for (const assignment of all.items) {
    const viaGroup = textAt(assignment, "properties", "principalType") === "Group";
    if (viaGroup && (await isAllowed(assignment))) return "allowed";
  }
  return doubt === undefined ? "denied" : { doubt };
}

function assignments(azure: Azure, scope: string, filter: string) {
  const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  return azure.list(azure.arm(path, "2022-04-01", { $filter: filter }));
}

/**
 * Whether an assignment is at the scope or above it; lists contain those below it, too. A management
 * group is not part of the scope's ID: only those above the scope are in the list.
 */
function reaches(assignment: unknown, scope: string): boolean {
  const assigned = (textAt(assignment, "properties", "scope") ?? "").toLowerCase();
  if (assigned.startsWith("/providers/microsoft.management/managementgroups/")) return true;
  const [above, target] = [assigned.replace(/\/+$/, ""), scope.toLowerCase()];
  return target === above || target.startsWith(`${above}/`);
}

function isOneOf(roles: readonly string[], assignment: unknown): boolean {
  const id = textAt(assignment, "properties", "roleDefinitionId")?.toLowerCase() ?? "";
  return roles.some((role) => id.endsWith(`/${role}`));
}

async function judge(
  azure: Azure,
  assignment: unknown,
  kind: "actions" | "dataActions",
  action: string,
): Promise<Permission> {
  const id = textAt(assignment, "properties", "roleDefinitionId");
  if (id === undefined) return "denied";
  const answer = await azure.arm(id, "2022-04-01");
  if (answer.status !== 200) return { doubt: answer };
  const notKind = kind === "actions" ? "notActions" : "notDataActions";
  const isAllowed = listAt(answer.body, "properties", "permissions").some(
    (permission) =>
      matches(listAt(permission, kind), action) && !matches(listAt(permission, notKind), action),
  );
  return isAllowed ? "allowed" : "denied";
}

function matches(patterns: readonly unknown[], action: string): boolean {
  return patterns.some((pattern) => {
    const expression = String(pattern)
      .split("*")
      .map((text) => text.replace(/[.\\^$+?()[\]{}|]/g, "\\$&"))
      .join(".*");
    return new RegExp(`^${expression}$`, "i").test(action);
  });
}
