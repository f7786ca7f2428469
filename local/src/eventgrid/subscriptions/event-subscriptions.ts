import { ServiceError } from "../../errors.js";
import type { DeliveryQueue } from "../delivery/delivery-queue.js";
import { scopeAndAbove, scopeKey } from "../scope.js";
import type {
  EventSubscription,
  NewEventSubscription,
  ProvisioningState,
} from "./event-subscription.js";
import { type CheckedSubscription, checkSubscription } from "./subscription-rules.js";

/** What the service may ask before it shakes hands, for example whether the writer has its role. */
export type Precondition = (subscription: EventSubscription) => void | Promise<void>;

export interface Operation {
  /** The subscription as it stands while the operation goes on. */
  readonly subscription: EventSubscription;
  /** Rejects with a ServiceError when the webhook, or a precondition, refuses. */
  readonly completed: Promise<EventSubscription>;
}

interface Entry {
  subscription: EventSubscription;
  queue: DeliveryQueue | undefined;
}

/** The event subscriptions of the cloud, at every scope. */
export class EventSubscriptions {
  readonly #byScope = new Map<string, Map<string, Entry>>();

  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      readonly tenantId: string;
      /** Refuses what comes after the cloud's end. */
      readonly checkRunning: () => void;
      /** Refuses a scope that cannot have subscriptions. */
      readonly checkScopeExists: (scope: string) => void;
      /** Refuses an application that no token can be had for. */
      readonly checkApplication: (subscription: EventSubscription) => void;
      readonly shakeHands: (subscription: EventSubscription) => Promise<void>;
      readonly newQueue: (subscription: () => EventSubscription) => DeliveryQueue;
    },
  ) {}

  /**
   * Creates a subscription.
   *
   * @throws ServiceError when there is one of that name at the scope already, when a setting is not
   * allowed, or when the webhook does not consent. In the last case it stays behind in the state
   * `Failed` and gets no events, as in Azure; creating it again mends it.
   * @throws LocalCloudError `ERR_OPTIONS` where a setting is of the wrong kind, or unknown
   */
  async create(props: NewEventSubscription): Promise<EventSubscription> {
    const { scope, name } = checkSubscription(props, this.cloud);
    const existing = this.get(scope, name);
    if (existing && existing.provisioningState !== "Failed") {
      throw new ServiceError(
        409,
        "ResourceAlreadyExists",
        `There is an event subscription '${props.name}' at ${existing.scope} already. Change it with put().`,
      );
    }
    return this.put(props);
  }

  /**
   * Creates a subscription, or changes the one that is there: either way with a handshake. When the
   * handshake of a change fails, the old settings stay.
   *
   * @throws ServiceError and LocalCloudError as `create`
   */
  async put(props: NewEventSubscription): Promise<EventSubscription> {
    return this.begin(props).completed;
  }

  /**
   * As `put`, without waiting for the handshake.
   *
   * @throws ServiceError when a setting is not allowed
   * @throws LocalCloudError `ERR_OPTIONS` as `create`
   */
  begin(props: NewEventSubscription, precondition: Precondition = () => {}): Operation {
    this.cloud.checkRunning();
    const checked = checkSubscription(props, this.cloud);
    this.cloud.checkScopeExists(checked.scope);
    const entry = this.#entryOf(checked);
    const wanted = view(checked, entry.queue ? "Updating" : "Creating");
    const before = entry.subscription;
    entry.subscription = { ...before, provisioningState: wanted.provisioningState };
    const completed = this.#complete(entry, wanted, before, precondition);
    // Whoever polls instead of waiting must not be ended by a rejection.
    completed.catch(() => {});
    return { subscription: wanted, completed };
  }

  get(scope: string, name: string): EventSubscription | undefined {
    return this.#byScope.get(scopeKey(scope))?.get(name.toLowerCase())?.subscription;
  }

  /** @param scope only those at exactly this scope. @default all */
  list(scope?: string): EventSubscription[] {
    const scopes =
      scope === undefined ? this.#byScope.values() : [this.#byScope.get(scopeKey(scope))];
    return [...scopes].flatMap((byName) =>
      [...(byName?.values() ?? [])].map(({ subscription }) => subscription),
    );
  }

  /** Whether there was one to delete; what it had not delivered yet is gone. */
  delete(scope: string, name: string): boolean {
    const byName = this.#byScope.get(scopeKey(scope));
    byName?.get(name.toLowerCase())?.queue?.close();
    return byName?.delete(name.toLowerCase()) ?? false;
  }

  /** @internal the queues at exactly this scope */
  queuesAt(scope: string): DeliveryQueue[] {
    return this.#queues([scopeKey(scope)]);
  }

  /** @internal the queues at this scope and all above it */
  queuesAtOrAbove(scope: string): DeliveryQueue[] {
    return this.#queues(scopeAndAbove(scope));
  }

  /** @internal all queues */
  queues(): DeliveryQueue[] {
    return this.#queues([...this.#byScope.keys()]);
  }

  #queues(keys: readonly string[]): DeliveryQueue[] {
    return keys
      .flatMap((key) => [...(this.#byScope.get(key)?.values() ?? [])])
      .flatMap(({ queue }) => queue ?? []);
  }

  #entryOf(checked: CheckedSubscription): Entry {
    const key = scopeKey(checked.scope);
    const byName = this.#byScope.get(key) ?? new Map<string, Entry>();
    this.#byScope.set(key, byName);
    const name = checked.name.toLowerCase();
    const entry = byName.get(name) ?? {
      subscription: view(checked, "Creating"),
      queue: undefined,
    };
    byName.set(name, entry);
    return entry;
  }

  async #complete(
    entry: Entry,
    wanted: EventSubscription,
    before: EventSubscription,
    precondition: Precondition,
  ): Promise<EventSubscription> {
    try {
      await precondition(wanted);
      this.cloud.checkApplication(wanted);
      await this.cloud.shakeHands(wanted);
    } catch (error) {
      entry.subscription = entry.queue
        ? { ...before, provisioningState: "Succeeded" }
        : { ...wanted, provisioningState: "Failed" };
      throw error;
    }
    entry.subscription = { ...wanted, provisioningState: "Succeeded" };
    const current = this.#byScope.get(scopeKey(wanted.scope))?.get(wanted.name.toLowerCase());
    if (current === entry) {
      entry.queue ??= this.cloud.newQueue(() => entry.subscription);
      entry.queue.settingsChanged();
    }
    return entry.subscription;
  }
}

function view(checked: CheckedSubscription, provisioningState: ProvisioningState) {
  const { name, scope, settings } = checked;
  const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  return { id, name, scope, provisioningState, settings };
}
