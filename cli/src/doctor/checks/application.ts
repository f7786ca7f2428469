import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import { type Azure, at, listAt, textAt } from "../../azure/index.js";
import { sameId } from "../../resource-id.js";
import type { DeployedInput } from "../deployment.js";
import {
  assignRole,
  createPrincipal,
  type Finding,
  type Findings,
  findings,
  graphRemedy,
  type Remedy,
} from "../finding.js";
import { missingSubscription } from "./provider.js";
import { permission, undecided } from "./roles.js";

const WRITE_SUBSCRIPTION = "Microsoft.EventGrid/eventSubscriptions/write";

/** The webhook's application, Event Grid's principal, the app role between them, and the writer. */
export async function checkApplication(azure: Azure, input: DeployedInput): Promise<Findings> {
  const { clientId, eventGridApplicationId } = input;
  const own = await findPrincipal(azure, clientId);
  if (own.finding !== undefined) return own.finding;
  if (own.principal === undefined) return await missingPrincipal(azure, clientId);
  const results = [judgePrincipal(own.principal, clientId)];
  const role = appRoleOf(own.principal);
  results.push(judgeAppRole(own.principal, role));

  if (eventGridApplicationId === undefined) {
    const message =
      "whether Event Grid has the app role is not known: its application has no known ID";
    const remedy =
      "look for Event Grid among the application's users and groups in the Azure portal";
    results.push(findings("app-role-assignment").unknown(message, remedy));
  } else {
    const eventGrid = await findPrincipal(azure, eventGridApplicationId, "event-grid-principal");
    if (eventGrid.finding !== undefined) results.push(eventGrid.finding);
    else if (eventGrid.principal === undefined)
      results.push(missingEventGrid(eventGridApplicationId));
    else {
      results.push(judgeEventGrid(eventGrid.principal, eventGridApplicationId));
      if (listAt(role, "allowedMemberTypes").includes("Application")) {
        results.push(await checkAssignment(azure, own.principal, role, eventGrid.principal));
      }
    }
  }
  return [...results, ...(await checkWriter(azure, input, own.principal, role))];
}

async function findPrincipal(azure: Azure, clientId: string, check = "service-principal") {
  const answer = await azure.list(azure.graph("/servicePrincipals", `appId eq '${clientId}'`));
  if (answer.status === 200) return { principal: answer.items[0] };
  return { finding: findings(check).unreadable("the service principal", answer) };
}

async function missingPrincipal(azure: Azure, clientId: string): Promise<Finding> {
  const answer = await azure.list(azure.graph("/applications", `appId eq '${clientId}'`));
  if (answer.status !== 200) return findings("application").unreadable("the application", answer);
  if (answer.items.length > 0) {
    return findings("service-principal").failed(
      `the application ${clientId} has no service principal in the tenant`,
      createPrincipal(clientId),
    );
  }
  return findings("application").failed(
    `there is no application ${clientId} in the tenant`,
    "check cloudClientId and cloudTenantId; a deleted application can be restored for 30 days",
  );
}

function judgePrincipal(principal: unknown, clientId: string): Finding {
  const name = textAt(principal, "displayName") ?? clientId;
  const finding = findings("service-principal");
  if (at(principal, "accountEnabled") === false) {
    return finding.failed(`the service principal of "${name}" is disabled`, enable(clientId));
  }
  return finding.ok(`the application "${name}" has a service principal`);
}

function enable(applicationId: string): Remedy {
  return { command: `az ad sp update --id ${applicationId} --set accountEnabled=true` };
}

function judgeEventGrid(principal: unknown, applicationId: string): Finding {
  const finding = findings("event-grid-principal");
  if (at(principal, "accountEnabled") === false) {
    return finding.failed(
      "Event Grid's service principal is disabled: it gets no tokens to deliver with",
      enable(applicationId),
    );
  }
  return finding.ok("Event Grid has a service principal");
}

function appRoleOf(principal: unknown): unknown {
  return listAt(principal, "appRoles").find(
    (role) => textAt(role, "value") === SECURE_WEBHOOK_ROLE,
  );
}

function judgeAppRole(principal: unknown, role: unknown): Finding {
  const finding = findings("app-role");
  const name = textAt(principal, "displayName");
  if (role === undefined) {
    return finding.failed(
      `the application "${name}" has no app role ${SECURE_WEBHOOK_ROLE}`,
      "let the binding provision it (application: new WebhookApplication(…)), or add it in the portal under App roles",
    );
  }
  if (at(role, "isEnabled") === false) {
    const remedy = "enable it in the portal under App roles";
    return finding.failed(`the app role ${SECURE_WEBHOOK_ROLE} is disabled`, remedy);
  }
  if (!listAt(role, "allowedMemberTypes").includes("Application")) {
    return finding.failed(
      `the app role ${SECURE_WEBHOOK_ROLE} is for users only, so that Event Grid cannot have it`,
      "allow applications as its members in the portal under App roles, then assign it to Event Grid",
    );
  }
  return finding.ok(`the application has the app role ${SECURE_WEBHOOK_ROLE}`);
}

function missingEventGrid(applicationId: string): Finding {
  return findings("event-grid-principal").failed(
    "Event Grid has no service principal in the tenant",
    { text: "as an administrator:", ...createPrincipal(applicationId) },
  );
}

async function checkAssignment(
  azure: Azure,
  principal: unknown,
  role: unknown,
  eventGrid: unknown,
): Promise<Finding> {
  const finding = findings("app-role-assignment");
  const resourceId = textAt(principal, "id") ?? "";
  const principalId = textAt(eventGrid, "id") ?? "";
  const appRoleId = textAt(role, "id") ?? "";
  const answer = await azure.list(
    azure.graph(`/servicePrincipals/${resourceId}/appRoleAssignedTo`),
  );
  if (answer.status !== 200) return finding.unreadable("the app role's assignments", answer);
  if (answer.items.some((assignment) => isAssigned(assignment, principalId, appRoleId))) {
    return finding.ok("Event Grid has the app role on the application");
  }
  return finding.failed(
    "Event Grid does not have the app role: the listener answers every delivery with 503",
    assignAppRole(azure, { principalId, resourceId, appRoleId }),
  );
}

function assignAppRole(
  azure: Azure,
  assignment: {
    readonly principalId: string;
    readonly resourceId: string;
    readonly appRoleId: string;
  },
): Remedy {
  const path = `/servicePrincipals/${assignment.resourceId}/appRoleAssignedTo`;
  return graphRemedy(azure, path, assignment);
}

function isAssigned(assignment: unknown, principalId: string, appRoleId: string): boolean {
  return (
    sameId(textAt(assignment, "principalId"), principalId) &&
    sameId(textAt(assignment, "appRoleId"), appRoleId)
  );
}

/** Whether the principal that writes the event subscription may do so. */
async function checkWriter(
  azure: Azure,
  { writer, scope, clientId }: DeployedInput,
  principal: unknown,
  role: unknown,
): Promise<Finding[]> {
  if (writer === undefined || scope === undefined) return [];
  const finding = findings("writer");
  const resourceId = textAt(principal, "id") ?? "";
  const objectId = writer === "application" ? resourceId : writer.objectId;
  const writerName =
    writer === "application" ? `the application ${clientId}` : `the principal ${objectId}`;
  const may = await permission(azure, objectId, scope, "actions", WRITE_SUBSCRIPTION);
  if (typeof may === "object") {
    const missing = may.doubt === "condition" ? undefined : missingSubscription(may.doubt, scope);
    return [missing ?? undecided("writer", may)];
  }
  if (may === "denied") {
    return [
      finding.failed(
        `${writerName} may not write event subscriptions at ${scope}`,
        assignRole("EventGrid EventSubscription Contributor", objectId, scope),
      ),
    ];
  }
  const [assigned, owners] = await Promise.all([
    azure.list(azure.graph(`/servicePrincipals/${resourceId}/appRoleAssignedTo`)),
    azure.list(azure.graph(`/servicePrincipals/${resourceId}/owners`)),
  ]);
  const appRoleId = textAt(role, "id") ?? "";
  const isOwner = owners.items.some((owner) => sameId(textAt(owner, "id"), objectId));
  const hasRole = assigned.items.some((assignment) => isAssigned(assignment, objectId, appRoleId));
  if (role !== undefined && !isOwner && !hasRole) {
    const unread = [assigned, owners].find(({ status }) => status !== 200);
    if (unread !== undefined) {
      return [finding.unreadable("the owners and the app role's assignments", unread)];
    }
    return [
      finding.failed(
        `${writerName} has neither the app role ${SECURE_WEBHOOK_ROLE} nor owns the application's service principal`,
        assignAppRole(azure, { principalId: objectId, resourceId, appRoleId }),
      ),
    ];
  }
  return [finding.ok(`${writerName} may write the event subscription`)];
}
