import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import type { Azure } from "../../azure/index.js";
import { present } from "../../collections.js";
import {
  type AppRole,
  any,
  applicationVerdicts,
  Doubt,
  idsOf,
  isAssigned,
  isOwner,
  type Principal,
  permission,
  RIGHTS,
  type World,
} from "../../rules/index.js";
import type { DeployedInput } from "../deployment.js";
import { assignRole, type Finding, type Findings, findings } from "../finding.js";
import { assignAppRole, doubtful, inWords } from "../words.js";
import { judgeSignIn } from "./client.js";
import { missingSubscription } from "./provider.js";

/** The webhook's application, Event Grid's principal, the app role between them, and the writer. */
export async function checkApplication(
  azure: Azure,
  world: World,
  input: DeployedInput,
): Promise<Findings> {
  const { clientId, eventGridApplicationId } = input;
  const judged = await applicationVerdicts(world, clientId, eventGridApplicationId);
  const found = present(judged.verdicts.map((verdict) => inWords(verdict.rule, verdict, azure)));
  if (judged.principal === undefined) return found;
  return [...found, ...(await checkWriter(azure, world, input, judged.principal, judged.role))];
}

/** Whether the principal that writes the event subscription may do so. */
async function checkWriter(
  azure: Azure,
  world: World,
  { writer, scope, clientId }: DeployedInput,
  principal: Principal,
  role: AppRole | undefined,
): Promise<Finding[]> {
  if (writer === undefined || scope === undefined) return [];
  const finding = findings("writer");
  const objectId = writer === "application" ? String(principal.id) : writer.objectId;
  const name =
    writer === "application" ? `the application ${clientId}` : `the principal ${objectId}`;
  const disabled = writer !== "application" && (await judgeSignIn(azure, "writer", objectId));
  if (disabled) return [disabled];
  const may = await permission(world, objectId, scope, RIGHTS.subscribe);
  if (may.doubt !== undefined) {
    return [missingSubscription(may.doubt, scope) ?? doubtful("writer", may.doubt)];
  }
  if (may.is === "no") {
    return [
      finding.failed(
        `${name} may not write event subscriptions at ${scope}`,
        assignRole("EventGrid EventSubscription Contributor", objectId, scope),
      ),
    ];
  }
  if (role === undefined) return [finding.ok(`${name} may write the event subscription`)];
  const entitled = any([
    await isAssigned(world, principal, role, objectId),
    await isOwner(world, principal, objectId),
  ]);
  if (entitled.doubt !== undefined) return [doubtful("writer", entitled.doubt)];
  if (entitled.is === "yes") return [finding.ok(`${name} may write the event subscription`)];
  const ids = { ...idsOf(principal, role, new Doubt("open", name)), principalId: objectId };
  const { items } = await world.appRoleAssignments(principal);
  const group = items.find((one) => one.isToGroup && one.appRoleId === role.id)?.principalId;
  if (group !== undefined) {
    const message = `${name} has the app role ${SECURE_WEBHOOK_ROLE} only if it is a user in the group ${String(group)}`;
    return [finding.unknown(message, `if it is: --writer ${String(group)}`)];
  }
  return [
    finding.failed(
      `${name} has neither the app role ${SECURE_WEBHOOK_ROLE} nor owns the application's service principal`,
      assignAppRole(azure, ids),
    ),
  ];
}
