import type { Azure } from "../azure/index.js";
import type { Doubt, Facts, Verdict } from "../rules/index.js";
import { isOneOf } from "../rules/index.js";
import {
  assignRole,
  type CheckName,
  createPrincipal,
  type Finding,
  findings,
  graphRemedy,
  type Remedy,
} from "./finding.js";

/** What a finding says and what to do about it. */
type Words = readonly [message: string, remedy: string | Remedy, status?: "note"];

const LOST = "undeliverable events are lost";
const APPLY = "run terraform apply, or correct the definition that you gave";
const ROLE = "AzureEventGridSecureWebhookSubscriber";

const BROKEN = ({ broken, state }: Facts) => `${broken} is in the state ${state}`;
export const AGAIN = "apply again; if it fails again, look at its activity log";

/** What is wrong, by the part, the rule and the code of a verdict. */
const WORDS: Readonly<Record<string, (facts: Facts, azure: Azure) => Words>> = {
  "dead-letters exists missing": ({ place }) => [
    `the dead-letter container ${place} does not exist: ${LOST}`,
    "create the container, or change the binding's deadLetter",
  ],
  "dead-letters exists broken": (facts) => [`${BROKEN(facts)}: ${LOST}`, AGAIN],
  "source exists broken": (facts) => [BROKEN(facts), AGAIN],
  "dead-letters kind wrong-kind": ({ holder, kind }) => [
    `the storage account ${holder} is of the kind ${kind}, which has no blobs: ${LOST}`,
    "store dead letters in an account of the kind StorageV2",
  ],
  "dead-letters keys keys-refused": ({ holder }) => [
    `the storage account ${holder} refuses access keys, and dead letters are written without an identity: ${LOST}`,
    "write dead letters with an identity of the topic that may write to the container",
  ],
  "dead-letters network closed": ({ holder }) => [
    `the firewall of the storage account ${holder} does not admit Event Grid: ${LOST}`,
    {
      text: "write dead letters with the system-assigned identity of the topic, and admit trusted services of Azure:",
      command: `az storage account update --ids "${holder}" --bypass AzureServices`,
    },
  ],
  "dead-letters network closed-to-user-assigned": ({ holder }) => [
    `the storage account ${holder} has a firewall, which admits no user-assigned identity: ${LOST}`,
    "write dead letters with the system-assigned identity of the topic",
  ],
  "dead-letters network closed-without-identity": ({ holder }) => [
    `the storage account ${holder} has a firewall, which is only known to admit Event Grid with a system-assigned identity`,
    "write dead letters with the system-assigned identity of the topic",
  ],
  "dead-letters identity no-system-identity": ({ owner }) => [
    `${owner} has no managed identity to write dead letters with: ${LOST}`,
    restoreIdentity(owner),
  ],
  "dead-letters identity identity-missing": ({ identity }) => [
    `the managed identity ${identity}, which writes dead letters, does not exist: ${LOST}`,
    "create an identity with the role on the container, and let the topic write with it",
  ],
  "dead-letters identity identity-not-attached": ({ owner, identity }) => [
    `${owner} does not have the managed identity ${identity}, which writes dead letters: ${LOST}`,
    `add the identity to ${owner}`,
  ],
  "dead-letters role may-not-write": ({ principal, place }) => [
    `the identity ${principal} may not write into ${place}: ${LOST}`,
    assignRole("Storage Blob Data Contributor", principal, place),
  ],
  "source kind silent": ({ source, value }) => [
    `the storage account ${source} is of the kind ${value}, which raises no events for Event Grid`,
    isOneOf(value, "Storage")
      ? {
          text: "upgrade it to general-purpose v2:",
          command: `az storage account update --ids "${source}" --set kind=StorageV2 --access-tier=Hot`,
        }
      : "use an account of another kind: this one cannot become one",
  ],
  "source tier silent": ({ source, value }) => [
    `the namespace ${source} is of the ${value} tier, which raises no events for Event Grid`,
    /\/Microsoft\.ServiceBus\//i.test(String(source))
      ? "use a namespace of the Premium tier: another tier cannot become one"
      : "use the Standard tier, and enable Capture on its event hubs",
  ],
  "source mode silent": ({ source, value }) => [
    `the SignalR service ${source} is in the mode ${value}, which raises no events`,
    {
      text: "if no hub server uses it:",
      command: `az signalr update --ids "${source}" --service-mode Serverless`,
    },
  ],
  "source hierarchy silent": ({ source }) => [
    `the storage account ${source} has no hierarchical namespace, without which it raises none of the types of the filter`,
    "name other types in the binding's events, or use an account with a hierarchical namespace",
  ],
  "source activation silent": ({ source, value }) => [
    `the partner topic ${source} is in the state ${value}, in which it gets no events of its partner`,
    "activate it in the portal; if its partner has deleted the channel, ask the partner for another one",
  ],
  "publishers network private-only": ({ what }) => [
    `${what} can be reached through its private endpoint only`,
    "run the services in a network that the private endpoint is part of",
    "note",
  ],
  "publishers network no-way-in": ({ what, doing }) => [
    `${what} has neither public network access nor an approved private endpoint: nobody can ${doing} it`,
    "create a private endpoint for it, approve a pending one, or enable public network access",
  ],
  "publishers network private-addresses": ({ what, masks }) => [
    `the IP rules of ${what} admit nobody: ${masks} is not on the internet`,
    addAddresses(what),
  ],
  "publishers network only-addresses": ({ what, doing, masks }) => [
    `only these addresses may ${doing} ${what}: ${masks}`,
    addAddresses(what),
    "note",
  ],
  "application application missing": ({ application }) => [
    `there is no application ${application} in the tenant`,
    "check cloudClientId and cloudTenantId; a deleted application can be restored for 30 days",
  ],
  "application service-principal missing": ({ application }) => [
    `the application ${application} has no service principal in the tenant`,
    createPrincipal(application),
  ],
  "application service-principal disabled": ({ application, name }) => [
    `the service principal of "${name}" is disabled`,
    enable(application),
  ],
  "application app-role missing": ({ name }) => [
    `the application "${name}" has no app role ${ROLE}`,
    "let the binding provision it (application: new WebhookApplication(…)), or add it in the portal under App roles",
  ],
  "application app-role disabled": () => [
    `the app role ${ROLE} is disabled`,
    "enable it in the portal under App roles",
  ],
  "application app-role users-only": () => [
    `the app role ${ROLE} is for users only, so that Event Grid cannot have it`,
    "allow applications as its members in the portal under App roles, then assign it to Event Grid",
  ],
  "application event-grid-principal missing": ({ application }) => [
    "Event Grid has no service principal in the tenant",
    { text: "as an administrator:", ...createPrincipal(application) },
  ],
  "application event-grid-principal disabled": ({ application }) => [
    "Event Grid's service principal is disabled: it gets no tokens to deliver with",
    enable(application),
  ],
  "application app-role-assignment not-assigned": (ids, azure) => [
    "Event Grid does not have the app role: the listener answers every delivery with 503",
    assignAppRole(azure, ids),
  ],
  "application audience other-application": ({ requested, clientId }) => [
    `its tokens are for the application ${requested}, but the listener expects ${clientId}`,
    APPLY,
  ],
  "application audience version-1": ({ requested, clientId }) => [
    `its v1 tokens have the audience ${requested}, but the listener expects ${clientId} and answers 401`,
    `${APPLY}; or add ${requested} to authentication.audiences of the listener`,
  ],
};

const addAddresses = (what?: string) =>
  `add the public addresses of the services to the IP rules of ${what}`;

/** The sentences of a report for checks that pass. */
const FINE: Readonly<Record<string, (facts: Facts) => string>> = {
  "application service-principal": ({ name }) =>
    `the application "${name}" has a service principal`,
  "application app-role": () => `the application has the app role ${ROLE}`,
  "application event-grid-principal": () => "Event Grid has a service principal",
  "application app-role-assignment": () => "Event Grid has the app role on the application",
};

/** The finding of a verdict; undefined if it is fine and a report does not say so. */
export function inWords(check: CheckName, verdict: Verdict, azure: Azure): Finding | undefined {
  const { part, rule, status, code, facts, doubt } = verdict;
  const finding = findings(check);
  if (doubt !== undefined) return doubtful(check, doubt);
  if (status === "ok" || status === "unknown") {
    const text = FINE[`${part} ${rule}`]?.(facts);
    return text === undefined ? undefined : finding.ok(text);
  }
  const words = WORDS[`${part} ${rule} ${code}`]?.(facts, azure);
  if (words === undefined) throw new Error(`no words for ${part} ${rule} ${code}`);
  return finding[words[2] ?? status](words[0], words[1]);
}

/** Says why it is not known whether something is fine. */
export function doubtful(check: CheckName, { why, what, words }: Doubt): Finding {
  const finding = findings(check);
  switch (why) {
    case "condition":
      return finding.unknown(
        "the role is assigned with a condition",
        "read the condition: az role assignment list --all --assignee <id>",
      );
    case "perimeter":
      return finding.unknown(
        `${what} is secured by a network security perimeter, whose rules were not read`,
        "look whether the rules of the perimeter admit its clients",
      );
    case "unread":
      return finding.unknown(`${what} cannot be read: ${words.cause}`, words.remedy ?? "try again");
    default:
      return finding.notShown(what);
  }
}

export function enable(applicationId: string | undefined): Remedy {
  return {
    text: "unless Microsoft or its owner has deactivated the application itself:",
    command: `az ad sp update --id ${applicationId} --set accountEnabled=true`,
  };
}

function restoreIdentity(scope: string | undefined): Remedy {
  const text = `give ${scope} its identity again, and the role on the container`;
  if (!/\/topics\//i.test(String(scope))) return { text };
  return {
    text,
    command: `az eventgrid topic update --ids "${scope}" --identity systemassigned`,
  };
}

/** Assigns the app role of the webhook's application to a principal. */
export function assignAppRole(azure: Azure, ids: Facts): Remedy {
  const { principalId, resourceId, appRoleId } = ids;
  const body = { principalId, resourceId, appRoleId };
  return graphRemedy(azure, `/servicePrincipals/${resourceId}/appRoleAssignedTo`, body);
}
