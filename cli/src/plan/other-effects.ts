import { blocksOf, UNKNOWN } from "./filters/index.js";
import { type Finding, lost, note, unknown } from "./finding.js";
import type { Attributes, PlannedChange } from "./read-plan.js";
import {
  audienceOf,
  get,
  idOf,
  kindOf,
  type Subscription,
  type SubscriptionChange,
  same,
  setting,
} from "./resources.js";

/** Something that a subscription needs. */
interface Need {
  readonly check: Finding["check"];
  /** The resource ID or another name of it. */
  readonly of: (side: Subscription) => unknown;
  /** What the destruction of `what` means. */
  readonly lost: (what: string) => string;
  /** What is lost with it although the subscription no longer needs it. */
  readonly content?: (side: Subscription) => string | undefined;
}

const NEEDS: readonly Need[] = [
  {
    check: "destroyed",
    of: ({ scope }) => scope,
    lost: (what) => `${what}, and its event subscriptions with it`,
  },
  {
    check: "destination",
    of: ({ destination }) => destination.place,
    lost: (what) => `its destination ${what}`,
    content: ({ destination: { type } }) =>
      /Queue|Topic|EventHub/.test(type) ? "the events in it" : undefined,
  },
  {
    check: "dead-letters",
    of: ({ deadLetters }) => deadLetters?.place,
    lost: (what) => `${what}, where its dead letters are`,
    content: () => "the dead letters in it",
  },
  {
    check: "identity",
    of: ({ destination }) => get(destination.identity, "userAssignedIdentity"),
    lost: (what) => `${what}, the identity that delivers its events`,
  },
  {
    check: "identity",
    of: ({ deadLetters }) => get(deadLetters?.identity, "userAssignedIdentity"),
    lost: (what) => `${what}, the identity that stores its dead letters`,
  },
  {
    check: "identity",
    of: ({ destination }) => audienceOf(destination),
    lost: (what) => `${what}, the application that its tokens are for`,
  },
];

/** What the destruction of other resources does to a subscription that stays. */
export function dependencyFindings(
  { before, after }: SubscriptionChange,
  changes: readonly PlannedChange[],
): Finding[] {
  if (before === undefined || after === undefined) return [];
  const destroyed = changes.filter(({ action }) => /delete|unknown/.test(action));
  return NEEDS.flatMap(({ check, of, lost: message, content }) => {
    const isGone = (place: unknown, gone: PlannedChange) =>
      namesOf(gone).some((name) => isWithin(place, name));
    const gone = destroyed.filter((each) => isGone(of(before), each));
    const needed = gone.find((each) => of(after) === UNKNOWN || isGone(of(after), each));
    const [first] = needed ? [needed] : gone;
    if (first === undefined) return [];
    const what = `${first.address} is ${first.action === "delete" ? "destroyed" : "replaced"}`;
    if (needed) return [lost(check, "LOST", message(what))];
    const held = content?.(before);
    return held ? [unknown(check, `${what}, and ${held} with it`)] : [];
  });
}

/** What event subscriptions call a resource. Those of Entra have names besides their IDs. */
function namesOf({ type, before: gone }: PlannedChange): unknown[] {
  const isEntra = type.startsWith("azuread_");
  return [
    gone?.id,
    gone?.resource_manager_id,
    ...(isEntra ? [gone?.client_id, gone?.identifier_uri, gone?.identifier_uris].flat() : []),
  ];
}

function isWithin(place: unknown, id: unknown): boolean {
  const [inner, outer] = [idOf(place), idOf(id)];
  return (
    typeof inner === "string" && typeof outer === "string" && `${inner}/`.startsWith(`${outer}/`)
  );
}

/** What a change of a topic, a domain, a namespace or a system topic does to its publishers and consumers. */
export function sourceFindings(change: PlannedChange): Finding[] {
  const { action, type, before, after, replacePaths } = change;
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
    const isSystem = /system_?topic/i.test(`${type} ${String(after.type)}`);
    const what = isSystem
      ? "what its source sends meanwhile is lost"
      : "publishers fail meanwhile and need its new keys";
    const message = `replaced${cause}: ${what}, and what it has not delivered is dropped`;
    return [lost("replaced", "REPLACED", message)];
  }
  return SOURCE_SETTINGS.flatMap(({ names, explain }) => {
    const [old, next] = [before, after].map((side) => names.map((name) => setting(side, ...name)));
    return old === undefined || next === undefined || same(old, next)
      ? []
      : (explain(old, next) ?? []);
  });
}

type Values = readonly unknown[];

/** Settings of sources, as azurerm and as azapi name them, and what their change does. */
const SOURCE_SETTINGS: readonly {
  readonly names: readonly (readonly [azurerm: string, azapi: string])[];
  readonly explain: (old: Values, next: Values) => Finding | undefined;
}[] = [
  {
    names: [
      ["local_auth_enabled", ""],
      ["", "disableLocalAuth"],
    ],
    explain: (_, [enabled, disabled]) =>
      (enabled ?? true) === true && (disabled ?? false) === false
        ? note("publishers", "keys", "publishers may use access keys")
        : unknown(
            "publishers",
            "access keys are switched off: publishers that use them are refused",
          ),
  },
  {
    names: [
      ["public_network_access_enabled", "publicNetworkAccess"],
      ["public_network_access", ""],
      ["", "minimumTlsVersionAllowed"],
      ["inbound_ip_rule", "inboundIpRules"],
    ],
    explain: () =>
      unknown("publishers", "network rules change: publishers outside of them are refused"),
  },
  {
    names: [["event_retention_in_days", "eventRetentionInDays"]],
    explain: ([days], [nextDays]) => {
      const what = `events are kept for ${shown(nextDays)} d instead of ${shown(days)} d`;
      if (typeof days !== "number" || typeof nextDays !== "number") return unknown("retries", what);
      return nextDays < days ? lost("retries", "LOST", what) : undefined;
    },
  },
  {
    names: [["identity", "identity"]],
    explain: (old) =>
      same(old, [undefined])
        ? undefined
        : unknown(
            "identity",
            "its identity changes: deliveries and dead letters with the old one fail",
          ),
  },
];

const shown = (value: unknown) => (value === UNKNOWN ? "(known after the apply)" : String(value));

/** What the removal of a role does to deliveries, and to those who write event subscriptions. */
export function roleFindings(
  { action, before: role = {}, type }: PlannedChange,
  subscriptions: readonly SubscriptionChange[],
  changes: readonly PlannedChange[],
): Finding[] {
  if (action !== "delete" && action !== "delete-create") return [];
  const isGone = action === "delete";
  const removed = isGone ? "removed" : "removed for a moment";
  const finding = (isNeeded: boolean, message: string) =>
    isGone && isNeeded ? lost("role", "LOST", message) : unknown("role", message);
  const staying = subscriptions.flatMap(({ before, after }) => (before && after ? [after] : []));
  const isWritten = subscriptions.some(
    ({ before, after, change }) => before && after && change.action !== "no-op",
  );
  if (type === "azuread_app_role_assignment") {
    const isProtected = staying.some(({ destination }) => audienceOf(destination));
    if (/event\s?grid/i.test(String(role.principal_display_name))) {
      const message = `Event Grid's app role of ${role.resource_display_name} is ${removed}: webhooks refuse its tokens, and 401 and 403 are not retried`;
      return [finding(isProtected, message)];
    }
    const message = `the app role of a writer is ${removed}: handshakes of the apply may fail`;
    return isWritten && isProtected ? [unknown("role", message)] : [];
  }
  const name = String(role.role_definition_name ?? "");
  const targets = staying.flatMap(({ name: needing, destination, deadLetters }) =>
    [destination, deadLetters]
      .filter((target) => target?.identity && isAt(target.place, role.scope))
      .map((target) => ({ needing, identity: get(target?.identity, "userAssignedIdentity") })),
  );
  if (targets.length > 0 && !WITHOUT_DATA.test(name)) {
    const names = [...new Set(targets.map(({ needing }) => needing))].join(", ");
    const message = `the role ${name} is ${removed}, with which ${names} may deliver or store dead letters`;
    const own = targets.map(({ identity }) => idOf(identity ?? undefined));
    const isOwn = changes.some((change) =>
      kindOf(change) === "source"
        ? blocksOf(change.before?.identity).some((one: unknown) => isPrincipal(one, role))
        : own.includes(idOf(change.before?.id)) && isPrincipal(change.before, role),
    );
    return [finding(isOwn, message)];
  }
  const message = `the role ${name} is ${removed}: the apply may no longer write event subscriptions`;
  const isWriting = /EventGrid|^Owner$|^Contributor$/.test(name);
  return isWriting && isWritten ? [unknown("role", message)] : [];
}

/** Roles that do not allow writing to queues, topics, hubs and containers. */
const WITHOUT_DATA =
  /Reader|Receiver|Processor|Delegator|^EventGrid (EventSubscription )?Contributor$|^(Owner|Contributor)$/;

const isPrincipal = (one: unknown, role: Attributes) =>
  get(one, "principal_id") === role.principal_id;

/** Whether a role's scope is a place, around it or in it. */
const isAt = (place: unknown, scope: unknown) => isWithin(place, scope) || isWithin(scope, place);
