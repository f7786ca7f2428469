import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import type { Ingress } from "../network/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import type { StorageAccount } from "../storage/index.js";
import type { Counter, DeadLetter, EventObserver, Journal } from "./delivery/index.js";
import type { BoundedHistory } from "./events/index.js";
import type { Failure } from "./failure.js";
import type { Namespace, NamespaceSubscription } from "./namespaces/index.js";
import type { EventSubscription } from "./subscriptions/index.js";
import type { Topic } from "./topics/index.js";

export interface EventGridOptions {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly ingress: Ingress;
  readonly faults: Faults;
  readonly random: () => number;
  readonly clock: TimerClock;
  /** Events that are being sent. A stepped clock waits for them before it moves. */
  readonly busy: Counter;
  /** The wall clock. */
  readonly now: () => number;
  readonly origin: string;
  /** Certificates to trust for webhooks outside the ingress table, in addition to public ones. */
  readonly endpointCa: readonly string[];
  readonly deadLetterDirectory: string | undefined;
  /** The storage account that stands for all, for dead letters and queues. */
  readonly storage: StorageAccount | undefined;
  /** Whether the subscription's identity may write to the dead-letter container. */
  readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
  /** Maximum number of entries of each history. */
  readonly history: number;
  readonly onAwaitingManualAction: ((subscription: EventSubscription) => void) | undefined;
  /** Learns what happens to events. */
  readonly observer: EventObserver;
  /** Called with each event of a failed delivery attempt, and each refused publish request. */
  readonly onFailure: (failure: Failure) => void;
  /** @default nothing is kept beyond the process */
  readonly journal: Journal | undefined;
  /** Whether the namespace's identity may write to the dead-letter container of a subscription. */
  readonly mayDeadLetterFromNamespace: (subscription: NamespaceSubscription) => boolean;
  /** Called with a topic, domain or namespace that was created. */
  readonly onTopic: (topic: Topic | Namespace) => void;
  /** Where dead letters are listed. */
  readonly deadLetters: BoundedHistory<DeadLetter>;
  /**
   * Called before events are accepted, with all topics, domains and event subscriptions. It may
   * throw to refuse the events.
   */
  readonly beforeAccepted: (resources: readonly object[]) => void;
}
