import type { InputKind } from "../base/index.js";
import type {
  EventDestination,
  EventOrigin,
  EventSubscriptionSettings,
} from "../eventgrid/index.js";
import type { Alert } from "../resource-manager/index.js";
import type { ActiveFault } from "../simulation/index.js";

/**
 * The JSON that the dashboard's server and its page exchange. Times are milliseconds since 1970, on
 * the cloud's clock.
 */

/** The number of a delivery's attempt, from 1. */
export function attemptOf({ deliveryCount }: ActivityRow): number | undefined {
  return deliveryCount === undefined ? undefined : deliveryCount + 1;
}

/** One line of the live view. */
export interface ActivityRow {
  readonly number: number;
  readonly kind: "event" | "delivery" | "handshake";
  readonly at: number;
  /** Name of the topic, or NAMESPACE/TOPIC; missing for events of Azure's services. */
  readonly topic?: string | undefined;
  /** Where an accepted event came from. */
  readonly origin?: EventOrigin | undefined;
  /** Type of the event, or of the first of a batch. */
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
  readonly eventId?: string | undefined;
  /** Number of the accepted event in the row, if it is still in the history. */
  readonly event?: number | undefined;
  /** How many events the delivery carried. */
  readonly eventCount?: number | undefined;
  /** Name of the event subscription. */
  readonly subscription?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Number of earlier attempts: 0 at first, as in the header `aeg-delivery-count`. */
  readonly deliveryCount?: number | undefined;
  /** HTTP status; missing when there was no response. */
  readonly status?: number | undefined;
  readonly outcome: Outcome;
  /** Why there was no response, or why the handshake failed. */
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
}

export type Outcome =
  | "accepted"
  /** Accepted, but no subscription wants it. */
  | "unmatched"
  | "delivered"
  | "retrying"
  | "deadLettered"
  | "dropped"
  | "handshakeSucceeded"
  | "handshakeFailed";

/** A message of the event stream: new rows, the oldest first. */
export interface LiveMessage {
  readonly rows: readonly ActivityRow[];
  /** Rows that were left out because they came faster than a page can show. */
  readonly skipped: number;
  /** Events that are not yet delivered, dead-lettered or dropped. */
  readonly pending: number;
  readonly now: number;
  /** How fast the cloud's clock is: 1 as the wall clock, 60 sixty times as fast, 0 for a stepped one. */
  readonly clockSpeed: number;
}

/** An accepted event with its deliveries and their results. */
export interface EventDetails {
  readonly number: number;
  readonly topic: string | undefined;
  /** Where it came from. */
  readonly origin: EventOrigin;
  readonly acceptedAt: number;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string | undefined;
  readonly sizeInBytes: number;
  /** The event to the byte, as it was published. */
  readonly json: string;
  readonly subscriptions: readonly SubscriptionOutcome[];
  /** Event subscriptions in the event's scope that were not ready when it was accepted. */
  readonly unready: readonly { readonly subscription: string; readonly state: string }[];
  /** A command that publishes the same event again; missing if there is no topic to publish to. */
  readonly curl: string | undefined;
}

export interface SubscriptionOutcome {
  readonly id: string;
  readonly name: string;
  readonly state: "filtered" | "pending" | "retrying" | "delivered" | "deadLettered" | "dropped";
  /** The filter that kept the event out. */
  readonly filteredBy: string | undefined;
  readonly nextAttemptAt: number | undefined;
  readonly attempts: readonly AttemptDetails[];
  readonly deadLetter: DeadLetterDetails | undefined;
}

export interface AttemptDetails {
  readonly number: number;
  readonly at: number;
  readonly deliveryCount: number;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly outcome: Outcome;
  readonly eventCount: number;
  readonly request:
    | { readonly url: string; readonly headers: Headers; readonly body: string }
    | undefined;
  readonly response:
    | { readonly headers: Headers; readonly body: string; readonly truncated: boolean }
    | undefined;
  /** Claims of the token that the delivery carried. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

export type Headers = readonly (readonly [name: string, value: string])[];

export interface DeadLetterDetails {
  readonly subscription: string;
  readonly event: number | undefined;
  readonly eventId: string;
  readonly type: string;
  readonly subject: string | undefined;
  readonly reason: string;
  readonly attempts: number;
  readonly lastOutcome: string;
  readonly publishedAt: string;
  /** `undefined` without an attempt. */
  readonly lastAttemptAt: string | undefined;
  readonly blob: string;
}

export interface Resources {
  readonly topics: readonly TopicDetails[];
  readonly domains: readonly DomainDetails[];
  readonly systemTopics: readonly { id: string; name: string; source: string; topicType: string }[];
  readonly subscriptions: readonly SubscriptionDetails[];
  readonly applications: readonly ApplicationDetails[];
  /** Of metric alert rules. */
  readonly alerts: readonly Alert[];
  readonly roleAssignments: readonly {
    role: string;
    principal: string;
    principalType: string;
    scope: string;
    createdOn: string;
  }[];
}

/** A namespace with its topics and event subscriptions. */
export interface NamespaceDetails {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly endpoint: string;
  readonly key1: string;
  readonly key2: string;
  readonly topics: readonly {
    readonly id: string;
    readonly name: string;
    readonly eventRetentionInDays: number;
    readonly key1: string;
    readonly key2: string;
    readonly subscriptions: readonly NamespaceSubscriptionDetails[];
  }[];
}

/** An event subscription of a namespace. Only queues have numbers of events. */
export interface NamespaceSubscriptionDetails {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly deliveryMode: "Queue" | "Push";
  /** The webhook's URL without its query. */
  readonly endpoint: string | undefined;
  readonly waiting?: number;
  readonly locked?: number;
  readonly delayed?: number;
  /** When the oldest event was published, in milliseconds since 1970. */
  readonly oldest?: number | undefined;
  readonly acknowledged?: number;
  readonly released?: number;
  readonly rejected?: number;
  readonly lockExpired?: number;
  readonly deadLettered?: number;
  readonly dropped?: number;
}

/** An event of a queue, as receivers get it. */
export interface QueuedEventDetails {
  readonly state: "waiting" | "locked" | "delayed";
  /** Number of deliveries so far. */
  readonly deliveryCount: number;
  /** Of a locked event. */
  readonly lockToken: string | undefined;
  readonly publishedAt: number;
  readonly id: string;
  readonly type: string;
  readonly subject: string | undefined;
  readonly json: string;
}

export interface ReceivedEventDetails {
  readonly lockToken: string;
  readonly deliveryCount: number;
  readonly event: unknown;
}

export interface TopicDetails {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly endpoint: string;
  /** Host name of the topic alone, for clients that keep no path and no port of an endpoint. */
  readonly hostName: string;
  readonly inputSchema: string;
  readonly localAuthEnabled: boolean;
  readonly key1: string;
  readonly key2: string;
  /** A key that is accepted even if local authentication is off. */
  readonly publishKey: string;
  readonly subscriptions: number;
}

export interface DomainDetails extends TopicDetails {
  /** Names of the domain's topics. */
  readonly domainTopics: readonly string[];
}

export interface SubscriptionDetails {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly topic: string | undefined;
  readonly state: string;
  /** The URL that validates the webhook by hand, if it awaits that. */
  readonly validationUrl: string | undefined;
  /** Why its creation failed. */
  readonly failure: string | undefined;
  readonly endpointType: "WebHook" | EventDestination["type"];
  /** The webhook's URL without the query, which may hold a secret, or a resource ID. */
  readonly endpoint: string;
  /** The target of the URL in the ingress table. */
  readonly routedTo: string | undefined;
  readonly clientId: string | undefined;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly maxDeliveryAttempts: number;
  readonly eventTimeToLiveInMinutes: number;
  readonly batching: EventSubscriptionSettings["batching"];
  readonly deadLetterContainer: string | undefined;
  readonly expiresAt: string | undefined;
  readonly handshakes: readonly HandshakeDetails[];
}

export interface HandshakeDetails {
  readonly at: number;
  readonly status: number | undefined;
  readonly succeeded: boolean;
  readonly reason: string | undefined;
}

export interface ApplicationDetails {
  readonly displayName: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly principalId: string | undefined;
  readonly identifierUris: readonly string[];
  readonly appRoles: readonly string[];
  /** The assignments of the application's roles. */
  readonly assignments: readonly { principal: string; role: string }[];
}

/** The data that the page needs once, when it opens. */
export interface Overview {
  readonly version: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly httpOrigin: string;
  readonly clock: "real" | "stepped" | "scaled";
  readonly systemEventTypes: readonly SystemEventTypeDetails[];
  readonly faults: readonly FaultForm[];
}

/** A fault that the page offers. */
export interface FaultForm {
  readonly kind: string;
  readonly label: string;
  /** A setting that is `true` for this fault. */
  readonly flag?: string;
  readonly fields: readonly {
    readonly name: string;
    readonly kind: InputKind;
    readonly help: string;
    readonly choices: readonly string[] | undefined;
    readonly isRequired: boolean;
  }[];
}

export interface SystemEventTypeDetails {
  readonly type: string;
  /** Namespace and type of the source; a subscription or a resource group without one. */
  readonly resourceType: string | undefined;
}

/** A file of events that the page downloads. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

export interface FaultDetails {
  readonly kind: ActiveFault["kind"];
  readonly settings: object;
  readonly remaining?: number | undefined;
}

/** A public address of the ingress table. */
export interface IngressRoute {
  readonly address: string;
  readonly target: string;
  /** Path prefixes and their replacements behind the ingress. */
  readonly rewrite: Readonly<Record<string, string>>;
}
