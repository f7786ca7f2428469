import {
  type Answer,
  type Azure,
  at,
  EVENT_GRID_API,
  listAt,
  NAMESPACE_API,
  textAt,
} from "../../azure/index.js";
import { sameId } from "../../resource-id.js";
import { assignRole, type Finding, type Findings, findings, type Remedy } from "../finding.js";
import type { EventSubscription } from "./event-subscription.js";
import { isInPerimeter, perimeterFinding } from "./network.js";
import { permission, undecided } from "./roles.js";

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

const STORAGE_API = "2023-05-01";

/** Whether undeliverable events can be kept. */
export async function checkDeadLetter(
  azure: Azure,
  { properties, scope }: Pick<EventSubscription, "properties" | "scope">,
): Promise<Findings> {
  const finding = findings("dead-letter");
  const { account, name } = deadLetterDestinationOf(properties);
  if (account === undefined || name === undefined) {
    return finding.warning(
      "there is no dead-letter container: events that cannot be delivered are dropped",
      "set deadLetter on the binding",
    );
  }
  const container = `${account}/blobServices/default/containers/${name}`;
  const [answer, storage] = await Promise.all([
    azure.arm(container, STORAGE_API),
    azure.arm(account, STORAGE_API),
  ]);
  if (isMissing(answer)) {
    return finding.failed(
      `the dead-letter container ${container} does not exist: undeliverable events are lost`,
      "create the container, or change the binding's deadLetter",
    );
  }
  const identity = at(properties, "deadLetterWithResourceIdentity", "identity");
  const problems = [
    ...judgeKeys(storage.body, identity),
    ...judgeFirewall(storage.body, scope, identity),
    ...(identity === undefined ? [] : await checkIdentity(azure, scope, identity, container)),
  ];
  if (answer.status !== 200) problems.push(finding.unreadable("the container", answer));
  if (storage.status !== 200) problems.push(finding.unreadable("its storage account", storage));
  if (problems.length > 0) return problems;
  return finding.ok(`events that cannot be delivered go to the container ${name}`);
}

/** Resource Manager names the missing resource; other codes mean that it does not know the path. */
function isMissing({ status, code = "" }: Answer): boolean {
  return status === 404 && /^(Resource|Container|ResourceGroup)NotFound$/.test(code);
}

/** Without an identity, Event Grid writes with the account's keys. */
function judgeKeys(account: unknown, identity: unknown): Finding[] {
  if (identity !== undefined || at(account, "properties", "allowSharedKeyAccess") !== false)
    return [];
  const message = `the storage account ${textAt(account, "id")} refuses access keys, and dead letters are written without an identity: undeliverable events are lost`;
  const remedy = "write dead letters with an identity of the topic that may write to the container";
  return [findings("dead-letter").failed(message, remedy)];
}

/**
 * Whether the account's firewall admits Event Grid: as a trusted service, with the topic's system-assigned
 * identity if it has one, or by a rule for the topic.
 *
 * @see https://learn.microsoft.com/azure/storage/common/storage-network-security
 * @see https://learn.microsoft.com/azure/event-grid/handler-storage-queues for user-assigned identities
 */
function judgeFirewall(account: unknown, scope: string, identity: unknown): Finding[] {
  const finding = findings("dead-letter");
  const id = textAt(account, "id") ?? "";
  // In a perimeter, Azure ignores the exception for trusted services and the rules of the account.
  if (isInPerimeter(account)) return [perimeterFinding("dead-letter", `the storage account ${id}`)];
  const isClosed =
    textAt(account, "properties", "publicNetworkAccess") === "Disabled" ||
    textAt(account, "properties", "networkAcls", "defaultAction") === "Deny";
  const hasRule = listAt(account, "properties", "networkAcls", "resourceAccessRules").some((rule) =>
    sameId(textAt(rule, "resourceId"), scope),
  );
  if (!isClosed || hasRule) return [];
  const bypass = textAt(account, "properties", "networkAcls", "bypass") ?? "";
  if (!/\bAzureServices\b/i.test(bypass)) {
    return [
      finding.failed(
        `the firewall of the storage account ${id} does not admit Event Grid: undeliverable events are lost`,
        {
          text: "admit trusted services of Azure:",
          command: `az storage account update --ids "${id}" --bypass AzureServices`,
        },
      ),
    ];
  }
  if (userAssignedIn(identity) === undefined) return [];
  return [
    finding.warning(
      `the storage account ${id} has a firewall, which Event Grid passes with a system-assigned identity, not with a user-assigned one`,
      "write dead letters with the system-assigned identity of the topic",
    ),
  ];
}

/** Whether the identity that writes dead letters exists and may write. */
async function checkIdentity(
  azure: Azure,
  scope: string,
  identity: unknown,
  container: string,
): Promise<Finding[]> {
  const finding = findings("dead-letter");
  const found = await identityOf(azure, scope, identity);
  if ("unread" in found) return [finding.unreadable("the identity that writes", found.unread)];
  if ("hidden" in found) return [finding.notShown(found.hidden)];
  if ("missing" in found) {
    const message = `${found.missing}: undeliverable events are lost`;
    return [finding.failed(message, found.remedy)];
  }
  const { principal } = found;
  const may = await permission(azure, principal, container, "dataActions", WRITE_BLOB);
  if (may === "allowed") return [];
  if (may !== "denied") return [undecided("dead-letter", may)];
  return [
    finding.failed(
      `the identity ${principal} may not write into ${container}: undeliverable events are lost`,
      assignRole("Storage Blob Data Contributor", principal, container),
    ),
  ];
}

function restoreIdentity(scope: string): Remedy {
  const text = `give ${scope} its identity again, and the role on the container`;
  if (!/\/topics\/[^/]+$/i.test(scope)) return { text };
  return {
    text,
    command: `az eventgrid topic update --ids "${scope}" --identity systemassigned`,
  };
}

/** The storage account and the container of a subscription's dead letters. */
function deadLetterDestinationOf(properties: unknown): {
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

function userAssignedIn(identity: unknown): string | undefined {
  return textAt(identity, "userAssignedIdentity");
}

type FoundIdentity =
  | { readonly principal: string }
  | { readonly unread: Answer }
  | { readonly hidden: string }
  | { readonly missing: string; readonly remedy: Remedy | string };

/**
 * The identity that dead-letters: that of the resource whose events are delivered, or one that users
 * manage.
 */
async function identityOf(azure: Azure, scope: string, identity: unknown): Promise<FoundIdentity> {
  const [, owner = "", type = ""] = OWNER.exec(scope) ?? [];
  const apiVersion = /^namespaces$/i.test(type) ? NAMESPACE_API : EVENT_GRID_API;
  if (owner === "") return { hidden: `the identities of ${scope}` };
  const resource = await azure.arm(owner, apiVersion);
  if (resource.status !== 200) return { unread: resource };
  const attached = at(resource.body, "identity") ?? {};
  const userAssigned = userAssignedIn(identity);
  if (userAssigned === undefined) {
    const principal = textAt(attached, "principalId");
    if (principal !== undefined) return { principal };
    const missing = `${owner} has no managed identity to write dead letters with`;
    return { missing, remedy: restoreIdentity(owner) };
  }
  const answer = await azure.arm(userAssigned, "2023-01-31");
  if (isMissing(answer)) {
    return {
      missing: `the managed identity ${userAssigned}, which writes dead letters, does not exist`,
      remedy: "create an identity with the role on the container, and let the topic write with it",
    };
  }
  const ids = Object.keys(Object(at(attached, "userAssignedIdentities")));
  if (answer.status !== 200) return { unread: answer };
  if (!ids.some((id) => sameId(id, userAssigned))) {
    return {
      missing: `${owner} does not have the managed identity ${userAssigned}, which writes dead letters`,
      remedy: `add the identity to ${owner}`,
    };
  }
  const principal = textAt(answer.body, "properties", "principalId");
  return principal === undefined ? { hidden: `the principal of ${userAssigned}` } : { principal };
}

/** The resource with the identity: a topic of a domain has that of the domain. */
const OWNER =
  /^(.*\/providers\/Microsoft\.EventGrid\/(topics|systemTopics|partnerTopics|domains|namespaces)\/[^/]+)(?:\/topics\/[^/]+)?$/i;
