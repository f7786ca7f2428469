import { type Azure, at, textAt } from "../../azure/index.js";
import { assignRole, type Finding, findings, type Remedy } from "../finding.js";
import { EVENT_GRID_API, type EventSubscription, NAMESPACE_API } from "./event-subscription.js";
import { permission } from "./roles.js";

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/** Whether undeliverable events can be kept. */
export async function checkDeadLetter(
  azure: Azure,
  { properties, scope }: Pick<EventSubscription, "properties" | "scope">,
): Promise<Finding[]> {
  const finding = findings("dead-letter");
  const withIdentity = at(properties, "deadLetterWithResourceIdentity");
  const { account, name } = deadLetterDestinationOf(properties);
  if (account === undefined || name === undefined) {
    return [
      finding.warning(
        "there is no dead-letter container: events that cannot be delivered are dropped",
        "set deadLetter on the binding",
      ),
    ];
  }
  const container = `${account}/blobServices/default/containers/${name}`;
  const answer = await azure.arm(container, "2023-05-01");
  // Resource Manager names the missing resource; other codes mean that it does not know the path.
  if (
    answer.status === 404 &&
    /^(Resource|Container|ResourceGroup)NotFound$/.test(answer.code ?? "")
  ) {
    return [
      finding.failed(
        `the dead-letter container ${container} does not exist: undeliverable events are lost`,
        "create the container, or change the binding's deadLetter",
      ),
    ];
  }
  if (withIdentity !== undefined && withIdentity !== null) {
    const principal = await identityOf(azure, scope, at(withIdentity, "identity"));
    if (principal === "missing") {
      const message = `${scope} has no managed identity to write dead letters with: undeliverable events are lost`;
      return [finding.failed(message, restoreIdentity(scope))];
    }
    if (principal !== undefined) {
      const may = await permission(azure, principal, container, "dataActions", WRITE_BLOB);
      if (may === "denied") {
        return [
          finding.failed(
            `the identity ${principal} may not write into ${container}: undeliverable events are lost`,
            assignRole("Storage Blob Data Contributor", principal, container),
          ),
        ];
      }
    }
  }
  if (answer.status !== 200) {
    return [finding.ok(`events go to ${name}; Azure checked it at creation`)];
  }
  return [finding.ok(`events that cannot be delivered go to the container ${name}`)];
}

function restoreIdentity(scope: string): Remedy {
  if (!/\/topics\/[^/]+$/i.test(scope)) {
    return {
      text: "give the namespace its identity again (identity on CloudEventGridNamespace), and the role on the container",
    };
  }
  return {
    text: "give the topic its identity again (identity on CloudEventGridTopic), and the role on the container",
    command: `az eventgrid topic update --ids "${scope}" --identity systemassigned`,
    request: {
      service: "resourceManager",
      method: "PATCH",
      path: scope,
      apiVersion: EVENT_GRID_API,
      body: { identity: { type: "SystemAssigned" } },
    },
  };
}

/** The storage account and the container of a subscription's dead letters. */
export function deadLetterDestinationOf(properties: unknown): {
  readonly account: string | undefined;
  readonly name: string | undefined;
} {
  const destination =
    at(properties, "deadLetterDestination") ??
    at(properties, "deadLetterWithResourceIdentity", "deadLetterDestination");
  return {
    account: textAt(destination, "properties", "resourceId"),
    name: textAt(destination, "properties", "blobContainerName"),
  };
}

/**
 * Object ID of the identity that dead-letters: that of the topic or namespace, or one that users manage.
 *
 * @returns undefined when it cannot be read
 */
async function identityOf(
  azure: Azure,
  scope: string,
  identity: unknown,
): Promise<string | "missing" | undefined> {
  const userAssigned = textAt(identity, "userAssignedIdentity");
  if (userAssigned !== undefined) {
    const { body } = await azure.arm(userAssigned, "2023-01-31");
    return textAt(body, "properties", "principalId");
  }
  const [, type] = /\/Microsoft\.EventGrid\/(topics|namespaces)\/[^/]+$/i.exec(scope) ?? [];
  if (type === undefined) return undefined;
  const apiVersion = type.toLowerCase() === "topics" ? EVENT_GRID_API : NAMESPACE_API;
  const { status, body } = await azure.arm(scope, apiVersion);
  if (status !== 200) return undefined;
  return textAt(body, "identity", "principalId") ?? "missing";
}
