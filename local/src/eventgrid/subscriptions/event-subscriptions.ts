import { invalidRequest, ServiceError, scopeAndAbove, scopeKey } from "../../base/index.js";
import type {
  AcceptedEvent,
  DeliveryProgress,
  EventContent,
  InputSchema,
  Offer,
} from "../events/index.js";
import { defaultTypesOf, withDefaultTypes } from "./default-event-types.js";
import { exclusionProblems } from "./delivery-settings.js";
import type { EventSubscription, ProvisioningState } from "./event-subscription.js";
import { withoutNulls } from "./properties.js";
import { type NewEventSubscription, propertiesOf, settingsOf } from "./settings.js";
import {
  type CheckedSubscription,
  checkNewSubscription,
  checkSubscription,
  type WrittenSubscription,
} from "./subscription-rules.js";

/** A check before the handshake, for example whether the writer has its role. */
export type Precondition = (subscription: EventSubscription) => void | Promise<void>;

export interface Operation {
  /** The subscription during the operation. */
  readonly subscription: EventSubscription;
  /** Rejects with a ServiceError when the webhook, or a precondition, refuses. */
  readonly completed: Promise<EventSubscription>;
  /** Resolves if someone has to open the `validationUrl` of the subscription. */
  readonly awaitingManualAction: Promise<EventSubscription>;
}

/** Delivers the events of one subscription. */
export interface Deliverer {
  readonly subscription: Pick<EventSubscription, "id" | "name">;
  /**
   * Takes the event if the subscription's filter matches.
   *
   * @param deliveryCount how many attempts to pretend before the first one, for a webhook. @default 0
   */
  offer(event: AcceptedEvent, content: EventContent, deliveryCount?: number): Offer;
  /**
   * Takes the event without regard to the filter, for example to deliver it once more.
   *
   * @param deliveryCount as for `offer`
   */
  add(event: AcceptedEvent, deliveryCount?: number): void;
  /**
   * Makes the event's waiting retry due now. Where none waits, delivers the event once more as after
   * so many attempts. Does nothing in a queue, whose receivers decide what they get again.
   */
  redeliver(event: AcceptedEvent, deliveryCount: number): void;
  /** Gives up events that were offered in this turn of the event loop. */
  withdraw(events: ReadonlySet<AcceptedEvent>): void;
  /** Continues the delivery of an event after an earlier process. */
  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): void;
  /**
   * Makes the retries of an event due now, or all of them.
   *
   * @returns the number of deliveries that were waiting
   */
  retryNow(event?: AcceptedEvent): number;
  settingsChanged(): void;
  /** Makes the next delivery fetch a new token. */
  forgetToken(): void;
  /** Drops everything that is not delivered yet. */
  clear(): void;
  /** Drops everything that is not delivered yet, and takes no more events. */
  close(): void;
}

/** What is kept of a subscription. */
interface StoredSubscription extends WrittenSubscription {
  readonly provisioningState: ProvisioningState;
  readonly failure?: string | undefined;
}

interface Entry {
  subscription: EventSubscription;
  deliverer: Deliverer | undefined;
}

/** The event subscriptions of the cloud, at every scope. */
export class EventSubscriptions {
  readonly #byScope = new Map<string, Map<string, Entry>>();

  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      readonly tenantId: string;
      readonly clock: { now(): number };
      /** Throws when the cloud is stopped. */
      readonly checkRunning: () => void;
      /** Throws when the scope does not exist. */
      readonly checkScopeExists: (scope: string) => void;
      /** Throws when Event Grid cannot get a token for the webhook, or its topic does not exist. */
      readonly checkDestination: (subscription: EventSubscription) => void;
      /** The input schema of the topic; `undefined` for any other scope. */
      readonly inputSchemaOf: (scope: string) => InputSchema | undefined;
      readonly sendHandshake: (
        subscription: EventSubscription,
        onAwaitingManualAction: (validationUrl: string) => void,
      ) => Promise<void>;
      /** Called when a subscription is written. */
      readonly onWrite: (scope: string) => void;
      /** Called when a subscription was deleted. */
      readonly onDelete: (scope: string) => void;
      readonly onAwaitingManualAction: ((subscription: EventSubscription) => void) | undefined;
      readonly newDeliverer: (subscription: () => EventSubscription) => Deliverer;
    },
  ) {}

  /**
   * Creates a subscription.
   *
   * @throws ServiceError if the name is taken at the scope, a setting is invalid, or the handshake
   * fails. After a failed handshake the subscription remains in the state `Failed` and gets no
   * events, as in Azure; creating it again repairs it.
   * @throws LocalCloudError `ERR_OPTIONS` for a setting that is unknown or of the wrong type
   */
  async create(props: NewEventSubscription): Promise<EventSubscription> {
    return this.beginCreation(props).completed;
  }

  /** @internal As `create`, without waiting for the handshake. */
  beginCreation(props: NewEventSubscription): Operation {
    const checked = this.#checked(props);
    const existing = this.get(checked.scope, checked.name);
    if (existing && existing.provisioningState !== "Failed") {
      throw new ServiceError(
        409,
        "ResourceAlreadyExists",
        `The event subscription '${props.name}' already exists at ${existing.scope}. Delete it first, or change it with put() or Resource Manager.`,
      );
    }
    return this.#begin(checked);
  }

  /**
   * Creates or changes a subscription, in both cases with a handshake. If the handshake of a change
   * fails, the old settings stay.
   *
   * @throws ServiceError and LocalCloudError as `create`
   */
  async put(props: NewEventSubscription): Promise<EventSubscription> {
    return this.#begin(this.#checked(props)).completed;
  }

  /**
   * @internal As `put`, from the properties that Resource Manager stores, without waiting for the
   * handshake.
   *
   * @throws ServiceError if a property is invalid
   */
  write(written: WrittenSubscription, precondition?: Precondition): Operation {
    const properties = withoutNulls(written.properties);
    return this.#begin(checkSubscription({ ...written, properties }, this.cloud), precondition);
  }

  #checked(props: NewEventSubscription): CheckedSubscription {
    checkNewSubscription(props);
    const { subscriptionId, inputSchemaOf } = this.cloud;
    const { name, scope } = props;
    const isTopic = inputSchemaOf(scope) !== undefined;
    const properties = withDefaultTypes(
      propertiesOf(props, { subscriptionId, isTopic }),
      defaultTypesOf(scope),
    );
    return checkSubscription({ name, scope, properties }, this.cloud, [
      ...exclusionProblems(props),
    ]);
  }

  #begin(checked: CheckedSubscription, precondition: Precondition = () => {}): Operation {
    this.cloud.checkRunning();
    this.cloud.checkScopeExists(checked.scope);
    this.#checkExpiration(checked);
    this.cloud.onWrite(checked.scope);
    const entry = this.#entryOf(checked);
    const wanted = view(checked, entry.deliverer ? "Updating" : "Creating");
    const before = entry.subscription;
    entry.subscription = { ...before, provisioningState: wanted.provisioningState };
    let awaitManualAction: (subscription: EventSubscription) => void = () => {};
    const awaitingManualAction = new Promise<EventSubscription>((resolve) => {
      awaitManualAction = resolve;
    });
    const completed = this.#complete(entry, wanted, before, precondition, awaitManualAction);
    // Callers that poll do not await it: a rejection must not end the process.
    completed.catch(() => {});
    return { subscription: wanted, completed, awaitingManualAction };
  }

  #checkExpiration(checked: CheckedSubscription): void {
    if (!this.#isExpired(checked)) return;
    throw invalidRequest(
      `The expiration time '${checked.settings.expiresAt}' has passed. It must be in the future, on the cloud's clock.`,
    );
  }

  /** `undefined` also after its expiration time. */
  get(scope: string, name: string): EventSubscription | undefined {
    const entry = this.#byScope.get(scopeKey(scope))?.get(name.toLowerCase());
    return entry && !this.#isExpired(entry.subscription) ? entry.subscription : undefined;
  }

  /**
   * Those whose expiration time has not passed.
   *
   * @param scope only those at exactly this scope. @default all
   */
  list(scope?: string): EventSubscription[] {
    const listed = this.all().filter((each) => !this.#isExpired(each));
    if (scope === undefined) return listed;
    return listed.filter((each) => scopeKey(each.scope) === scopeKey(scope));
  }

  /** @internal With those that have expired, whose retries are still to be dropped. */
  all(): EventSubscription[] {
    return [...this.#byScope.values()].flatMap((byName) =>
      [...byName.values()].map(({ subscription }) => subscription),
    );
  }

  #isExpired({ settings: { expiresAt } }: CheckedSubscription): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) <= this.cloud.clock.now();
  }

  /** Drops undelivered events with the subscription. `false` if it does not exist. */
  delete(scope: string, name: string): boolean {
    const byName = this.#byScope.get(scopeKey(scope));
    byName?.get(name.toLowerCase())?.deliverer?.close();
    const isDeleted = byName?.delete(name.toLowerCase()) ?? false;
    if (isDeleted) this.cloud.onDelete(scope);
    return isDeleted;
  }

  /** @internal for events of exactly this scope */
  deliverersAt(scope: string): Deliverer[] {
    return this.#deliverers([scopeKey(scope)]);
  }

  /** @internal for events of this scope, at the scope and above it */
  deliverersAtOrAbove(scope: string): Deliverer[] {
    return this.#deliverers(scopeAndAbove(scope));
  }

  /** @internal those at these scopes that get no events, because their creation goes on or failed */
  unreadyAt(scopes: readonly string[]): EventSubscription[] {
    return scopes
      .flatMap((scope) => [...(this.#byScope.get(scopeKey(scope))?.values() ?? [])])
      .flatMap(({ deliverer, subscription }) => (deliverer ? [] : subscription));
  }

  /** @internal */
  deliverers(): Deliverer[] {
    return this.#deliverers([...this.#byScope.keys()]);
  }

  /** @internal */
  snapshot(): StoredSubscription[] {
    return this.all().map(({ name, scope, provisioningState, failure, properties }) => ({
      name,
      scope,
      provisioningState,
      failure,
      properties,
    }));
  }

  /** @internal Restores subscriptions without a handshake. */
  restore(subscriptions: readonly StoredSubscription[]): void {
    for (const { provisioningState, failure, ...stored } of subscriptions) {
      const { tenantId, inputSchemaOf } = this.cloud;
      const inputSchema = inputSchemaOf(stored.scope);
      const settings = settingsOf(stored.properties, { tenantId, inputSchema });
      const checked = { ...stored, settings };
      const entry = this.#entryOf(checked);
      // An operation that the end of the process interrupted has failed.
      const isReady = provisioningState === "Succeeded";
      entry.subscription = isReady
        ? view(checked, "Succeeded")
        : {
            ...view(checked, "Failed"),
            failure: failure ?? "The local Azure stopped before it was created.",
          };
      if (!isReady) continue;
      entry.deliverer ??= this.cloud.newDeliverer(() => entry.subscription);
      entry.deliverer.settingsChanged();
    }
  }

  #deliverers(keys: readonly string[]): Deliverer[] {
    return keys
      .flatMap((key) => [...(this.#byScope.get(key)?.values() ?? [])])
      .flatMap(({ deliverer }) => deliverer ?? []);
  }

  #entryOf(checked: CheckedSubscription): Entry {
    const key = scopeKey(checked.scope);
    const byName = this.#byScope.get(key) ?? new Map<string, Entry>();
    this.#byScope.set(key, byName);
    const name = checked.name.toLowerCase();
    const entry = byName.get(name) ?? {
      subscription: view(checked, "Creating"),
      deliverer: undefined,
    };
    byName.set(name, entry);
    return entry;
  }

  async #complete(
    entry: Entry,
    wanted: EventSubscription,
    before: EventSubscription,
    precondition: Precondition,
    onAwaitingManualAction: (subscription: EventSubscription) => void,
  ): Promise<EventSubscription> {
    try {
      await precondition(wanted);
      this.cloud.checkDestination(wanted);
      await this.cloud.sendHandshake(wanted, (validationUrl) => {
        const provisioningState = "AwaitingManualAction";
        entry.subscription = { ...entry.subscription, provisioningState, validationUrl };
        this.cloud.onAwaitingManualAction?.(entry.subscription);
        onAwaitingManualAction(entry.subscription);
      });
    } catch (error) {
      entry.subscription = entry.deliverer
        ? { ...before, provisioningState: "Succeeded", validationUrl: undefined }
        : {
            ...wanted,
            provisioningState: "Failed",
            failure: error instanceof Error ? error.message : String(error),
          };
      throw error;
    }
    entry.subscription = { ...wanted, provisioningState: "Succeeded" };
    const current = this.#byScope.get(scopeKey(wanted.scope))?.get(wanted.name.toLowerCase());
    if (current === entry) {
      entry.deliverer ??= this.cloud.newDeliverer(() => entry.subscription);
      entry.deliverer.settingsChanged();
    }
    return entry.subscription;
  }
}

function view(checked: CheckedSubscription, provisioningState: ProvisioningState) {
  const { name, scope } = checked;
  const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  return { id, ...checked, provisioningState };
}
