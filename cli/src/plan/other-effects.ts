import { blocksOf, UNKNOWN } from "cloud-eventgrid-binding-runtime/contract";
import { type Finding, lost, note, unknown } from "./finding.js";
import type { PlannedChange } from "./read-plan.js";
import { get, idOf, type Subscription, setting } from "./resources.js";
import { type SubscriptionChange, same } from "./subscription-effects.js";

/** Changes that are destroyed, or destroyed and created again. */
export function isDestroyed({ action }: PlannedChange): boolean {
  return /^(delete|delete-create|create-delete|unknown)$/.test(action);
}

/** What the destruction of other resources does to a subscription that stays. */
export function dependencyFindings(
  { before, after }: SubscriptionChange,
  destroyed: readonly PlannedChange[],
): Finding[] {
  if (before === undefined || after === undefined) return [];
  return destroyed.flatMap(({ address, action, before: gone }) => {
    const id = idOf(gone?.id);
    const what = `${address} is ${action === "delete" ? "destroyed" : "replaced"}`;
    const concerns = (place: (side: Subscription) => unknown) =>
      isWithin(place(before), id) && (isWithin(place(after), id) || isLater(place(after)));
    const deadLetter = ({ properties }: Subscription) =>
      get(properties, "deadLetterDestination", "properties", "resourceId");
    return [
      ...(concerns(({ scope }) => scope)
        ? [lost("destroyed", "LOST", `${what}, and its event subscriptions with it`)]
        : []),
      ...(concerns(({ destination }) => destination.place)
        ? [lost("destination", "LOST", `its destination ${what}`)]
        : []),
      ...(concerns(deadLetter)
        ? [lost("dead-letters", "LOST", `${what}, where its dead letters are`)]
        : []),
    ];
  });
}

const isLater = (value: unknown) => value === UNKNOWN;

function isWithin(place: unknown, id: unknown): boolean {
  const text = idOf(place);
  return (
    typeof text === "string" && typeof id === "string" && (text === id || text.startsWith(`${id}/`))
  );
}

/** What a change of a topic, a domain, a namespace or a system topic does to its publishers and consumers. */
export function sourceFindings({ action, before, after, replacePaths }: PlannedChange): Finding[] {
  if (action === "create" || action === "no-op") return [];
  if (action === "forget")
    return [note("plan", "forgotten", "Terraform forgets it; it stays in Azure")];
  if (action === "delete" || after === undefined) {
    const message =
      "destroyed: nothing can be published to it, and what it has not delivered is dropped";
    return [lost("destroyed", "LOST", message)];
  }
  if (action !== "update") {
    const cause = replacePaths.length > 0 ? `, because of ${replacePaths.join(", ")}` : "";
    const message = `replaced${cause}: publishers fail meanwhile and need its new keys, and what it has not delivered is dropped`;
    return [lost("replaced", "REPLACED", message)];
  }
  const values = (azurerm: string, azapi: string) =>
    [before, after].map((side) => setting(side, azurerm, azapi));
  const findings: Finding[] = [];
  const keys = [values("local_auth_enabled", ""), values("", "disableLocalAuth")];
  if (keys[0]?.[0] !== keys[0]?.[1] || keys[1]?.[0] !== keys[1]?.[1]) {
    const isOff = keys[0]?.[1] === false || keys[1]?.[1] === true;
    findings.push(
      isOff
        ? unknown(
            "publishers",
            "access keys are switched off: publishers that use them are refused",
          )
        : note("publishers", "keys", "publishers may use access keys"),
    );
  }
  const network = [
    ["public_network_access_enabled", "publicNetworkAccess"],
    ["inbound_ip_rule", "inboundIpRules"],
  ] as const;
  if (network.some(([azurerm, azapi]) => !same(...pair(values(azurerm, azapi))))) {
    findings.push(
      unknown("publishers", "network rules change: publishers outside of them are refused"),
    );
  }
  const [days, nextDays] = values("event_retention_in_days", "eventRetentionInDays");
  if (typeof days === "number" && typeof nextDays === "number" && nextDays < days) {
    findings.push(
      lost("retries", "LOST", `events are kept for ${nextDays} d instead of ${days} d`),
    );
  }
  if (!same(before?.identity, after.identity) && !same(before?.identity, undefined)) {
    const message = "its identity changes: deliveries and dead letters with the old one fail";
    findings.push(unknown("identity", message));
  }
  return findings;
}

const pair = ([a, b]: readonly unknown[]) => [a, b] as const;

/** What the removal of a role does to deliveries, and to those who write event subscriptions. */
export function roleFindings(
  change: PlannedChange,
  subscriptions: readonly SubscriptionChange[],
  sources: readonly PlannedChange[],
): Finding[] {
  const { action, before, type } = change;
  if (action !== "delete" && action !== "delete-create") return [];
  const isGone = action === "delete";
  const staying = subscriptions.flatMap(({ before: old, after, change: { action: theirs } }) =>
    old !== undefined && after !== undefined ? [{ after, isWritten: theirs !== "no-op" }] : [],
  );
  const writes = staying.some(({ isWritten }) => isWritten);
  if (type === "azuread_app_role_assignment") {
    const names = [before?.principal_display_name, before?.resource_display_name].map(String);
    const isProtected = staying.some(({ after }) => after.destination.audience);
    if (/event\s?grid/i.test(names[0] ?? "")) {
      const message = `Event Grid's app role of ${names[1]} is removed${isGone ? "" : " for a moment"}: webhooks refuse its tokens, and 401 and 403 are not retried`;
      return [isGone && isProtected ? lost("role", "LOST", message) : unknown("role", message)];
    }
    return writes && isProtected
      ? [unknown("role", "the app role of a writer is removed: handshakes of the apply may fail")]
      : [];
  }
  const role = String(before?.role_definition_name ?? "");
  const isSending = role === "" || /Sender|Blob Data (Contributor|Owner)/.test(role);
  const needing = staying.filter(({ after: { destination, properties } }) => {
    const deadLetter = get(properties, "deadLetterDestination", "properties", "resourceId");
    const usesIdentity = properties.deliveryIdentity ?? properties.deliveryWithResourceIdentity;
    const storesWithIdentity =
      properties.deadLetterIdentity ?? properties.deadLetterWithResourceIdentity;
    const isAt = (place: unknown) =>
      isWithin(place, idOf(before?.scope)) || isWithin(before?.scope, idOf(place));
    return (usesIdentity && isAt(destination.place)) || (storesWithIdentity && isAt(deadLetter));
  });
  if (isSending && needing.length > 0) {
    const names = needing.map(({ after }) => after.name).join(", ");
    const message = `the role ${role} is removed${isGone ? "" : " for a moment"}, with which ${names} may deliver or store dead letters`;
    const principals = sources.flatMap((source) =>
      blocksOf(source.before?.identity).map((identity) => get(identity, "principal_id")),
    );
    const isOwn = principals.includes(before?.principal_id);
    return [isGone && isOwn ? lost("role", "LOST", message) : unknown("role", message)];
  }
  const isWriting = /EventGrid|^Owner$|^Contributor$/.test(role);
  const message = `the role ${role} is removed: the apply may no longer write event subscriptions`;
  return isWriting && writes ? [unknown("role", message)] : [];
}
