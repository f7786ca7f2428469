import type { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { ref, Token } from "cdktf";
import type { Construct } from "constructs";
import type { CloudEventGridBindingProps } from "./binding-props.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import type { AzureRoleAssignment } from "./role-assignment.js";
import { TerraformData } from "./terraform-data.js";

type Assignment = RoleAssignment | AppRoleAssignment;

/** Azure roles that a binding gives. */
export interface BindingGrants {
  /** To write event subscriptions. */
  readonly writing: readonly AzureRoleAssignment[];
  /** To write into dead-letter containers. */
  readonly deadLettering: readonly AzureRoleAssignment[];
}

/**
 * Waits until new role assignments have taken effect, for which Azure asks when an event
 * subscription is written; a change of them makes it wait again.
 *
 * @returns what waits; nothing where no assignment has to be waited for
 */
export function waitForRoles(
  construct: Construct,
  props: CloudEventGridBindingProps,
  application: IWebhookApplication,
  { writing, deadLettering }: BindingGrants,
): TerraformData[] {
  const { roleEffectSeconds: seconds = 60 } = props;
  // Several scopes may dead-letter with one assignment.
  const assignments = new Set([
    ...rolesOfWriter(writing, application, props),
    ...deadLettering.map(({ resource }) => resource),
  ]);
  if (seconds <= 0 || assignments.size === 0) return [];
  const ids = [...assignments].map((one, index) => [`${index}`, idOf(one)]);
  const wait = new TerraformData(construct, "role-effect", {
    triggersReplace: Object.fromEntries(ids),
    provisioners: [
      {
        type: "local-exec",
        // Node is there wherever cdktf is; a shell's sleep is not.
        interpreter: ["node", "-e"],
        command: `setTimeout(() => {}, ${seconds * 1000})`,
      },
    ],
  });
  return [wait];
}

/** The client has no other rights; a deployer may get its own here, where the props say so. */
function rolesOfWriter(
  grants: readonly AzureRoleAssignment[],
  { subscriberRole }: IWebhookApplication,
  { writer, writerPrincipals, roleEffectSeconds }: CloudEventGridBindingProps,
): Assignment[] {
  const atScope = grants.map(({ resource }) => resource);
  if (writer === "client") return [...atScope, ...subscriberRole.baseAssignments];
  return writerPrincipals === undefined || roleEffectSeconds === undefined ? [] : atScope;
}

/** Where there may turn out to be none, its ID is a list of one or of none. */
function idOf(assignment: Assignment): string {
  if (assignment.count === undefined) return assignment.id;
  return Token.asString(
    ref(`${assignment.terraformResourceType}.${assignment.friendlyUniqueId}[*].id`),
  );
}
