import { isWithin, serviceError } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import type { Ingress } from "../../network/index.js";
import type { EventDestination } from "../destinations/index.js";
import type { InputSchema } from "../events/index.js";
import type { Subscriber } from "../subscriber.js";
import { defaultTypesOf, withDefaultTypes } from "../system-events/index.js";
import { exclusionProblems } from "./delivery-settings.js";
import { type NewEventSubscription, propertiesOf, settingsOf } from "./settings.js";
import {
  type CheckedSubscription,
  checkFunctionApp,
  checkNewSubscription,
  checkSubscription,
  checkWebhookApplication,
  type WrittenSubscription,
  warnOfShortTypes,
} from "./subscription-rules.js";
import {
  checkExpiration,
  type EventSubscription,
  type ProvisioningState,
  type SubscriptionEntry,
  type SubscriptionStore,
} from "./subscription-store.js";

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

/** The part of a subscription that is stored. */
type StoredSubscription = Pick<
  EventSubscription,
  "name" | "scope" | "properties" | "provisioningState" | "failure"
>;

/** The scopes that event subscriptions can belong to. */
interface SubscriptionScopes {
  /** Throws when the scope does not exist. */
  checkExists(scope: string): void;
  /** Throws when events cannot be sent there. */
  checkDestination(destination: EventDestination | undefined): void;
  /** The input schema of the topic; `undefined` for any other scope. */
  inputSchemaOf(scope: string): InputSchema | undefined;
  createDomainTopic(scope: string): void;
  deleteDomainTopic(scope: string): void;
}

/** The event subscriptions of the cloud, at every scope. */
export class EventSubscriptions {
  /** @internal */
  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      readonly subscriptionIds: readonly string[];
      readonly tenantId: string;
      readonly clock: { now(): number };
      readonly running: { check(): void };
      readonly store: SubscriptionStore;
      readonly scopes: SubscriptionScopes;
      readonly directory: Directory;
      readonly ingress: Ingress;
      readonly handshakes: {
        ofSubscription(
          subscription: EventSubscription,
          onAwaitingManualAction: (validationUrl: string) => void,
        ): Promise<void>;
        stop(subscriptionId: string): void;
      };
      /** Work that a stepped clock waits for before it moves. */
      readonly busy: { add(number: number): void };
      /** Operations that have not ended. */
      readonly operations: { add(number: number): void };
      readonly onAwaitingManualAction: ((subscription: EventSubscription) => void) | undefined;
      readonly subscriberFactory: {
        bySubscription(current: { readonly subscription: EventSubscription }): Subscriber;
      };
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
      throw serviceError.ResourceAlreadyExists(
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
   * @internal As `put`, from properties that the schemas of bodies have checked, without waiting for
   * the handshake.
   *
   * @throws ServiceError if a property is invalid
   */
  write(written: WrittenSubscription, precondition?: Precondition): Operation {
    return this.#begin(checkSubscription(written, this.cloud), precondition);
  }

  #checked(props: NewEventSubscription): CheckedSubscription {
    checkNewSubscription(props);
    const { subscriptionId, scopes } = this.cloud;
    const { name, scope } = props;
    const isTopic = scopes.inputSchemaOf(scope) !== undefined;
    const properties = withDefaultTypes(
      propertiesOf(props, { subscriptionId, isTopic }),
      defaultTypesOf(scope),
    );
    return checkSubscription({ name, scope, properties }, this.cloud, [
      ...exclusionProblems(props),
    ]);
  }

  #begin(checked: CheckedSubscription, precondition: Precondition = () => {}): Operation {
    const { running, clock, scopes, store, busy, operations, handshakes } = this.cloud;
    running.check();
    scopes.checkExists(checked.scope);
    checkExpiration(checked.settings, clock);
    warnOfShortTypes(checked);
    scopes.createDomainTopic(checked.scope);
    const entry = store.entryFor(view(checked, "Creating"));
    // The latest operation decides: an earlier one ends without effect.
    entry.operations += 1;
    handshakes.stop(entry.subscription.id);
    const wanted = view(checked, entry.subscriber ? "Updating" : "Creating");
    const before = entry.subscription;
    entry.subscription = { ...before, provisioningState: wanted.provisioningState };
    let awaitManualAction: (subscription: EventSubscription) => void = () => {};
    const awaitingManualAction = new Promise<EventSubscription>((resolve) => {
      awaitManualAction = resolve;
    });
    busy.add(1);
    operations.add(1);
    const ended = () => {
      busy.add(-1);
      operations.add(-1);
    };
    const completed = this.#complete(entry, wanted, before, precondition, awaitManualAction);
    // Callers that poll do not await it: a rejection must not end the process.
    completed.then(ended, ended);
    return { subscription: wanted, completed, awaitingManualAction };
  }

  /** `undefined` also after its expiration time. */
  get(scope: string, name: string): EventSubscription | undefined {
    const entry = this.cloud.store.entry(scope, name);
    return entry && !this.cloud.store.isExpired(entry.subscription)
      ? entry.subscription
      : undefined;
  }

  /**
   * Those whose expiration time has not passed.
   *
   * @param scope only those at exactly this scope. @default all
   */
  list(scope?: string): EventSubscription[] {
    const { store } = this.cloud;
    if (scope !== undefined) return store.list(scope);
    return store.all().filter((each) => !store.isExpired(each));
  }

  /** Drops undelivered events with the subscription. `false` if it does not exist. */
  delete(scope: string, name: string): boolean {
    const { store, scopes, handshakes } = this.cloud;
    const entry = store.entry(scope, name);
    if (!entry) return false;
    entry.subscriber?.close();
    handshakes.stop(entry.subscription.id);
    store.remove(scope, name);
    scopes.deleteDomainTopic(scope);
    return true;
  }

  /** @internal Deletes the subscriptions of a resource and of those below it. */
  deleteWithin(id: string): void {
    for (const { scope, name } of this.cloud.store.all()) {
      if (isWithin(scope, id)) this.delete(scope, name);
    }
  }

  /** @internal */
  snapshot(): StoredSubscription[] {
    return this.cloud.store
      .all()
      .map(({ name, scope, provisioningState, failure, properties }) => ({
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
      const { tenantId, scopes, store } = this.cloud;
      const inputSchema = scopes.inputSchemaOf(stored.scope);
      const settings = settingsOf(stored.properties, { tenantId, inputSchema });
      const checked = { ...stored, settings };
      if (provisioningState === "Succeeded") {
        this.#deliver(store.entryFor(view(checked, "Succeeded")));
        continue;
      }
      // An operation that the end of the process interrupted has failed.
      store.entryFor({
        ...view(checked, "Failed"),
        failure: failure ?? "The local Azure stopped before it was created.",
      });
    }
  }

  #deliver(entry: SubscriptionEntry): void {
    entry.subscriber ??= this.cloud.subscriberFactory.bySubscription(entry);
    entry.subscriber.settingsChanged();
  }

  async #complete(
    entry: SubscriptionEntry,
    wanted: EventSubscription,
    before: EventSubscription,
    precondition: Precondition,
    onAwaitingManualAction: (subscription: EventSubscription) => void,
  ): Promise<EventSubscription> {
    const operation = entry.operations;
    const setTo = (state: EventSubscription): EventSubscription => {
      if (entry.operations === operation) entry.subscription = state;
      return state;
    };
    try {
      await precondition(wanted);
      checkWebhookApplication(wanted, this.cloud.directory);
      checkFunctionApp(wanted, this.cloud.ingress);
      this.cloud.scopes.checkDestination(wanted.settings.destination);
      await this.cloud.handshakes.ofSubscription(wanted, (validationUrl) => {
        const provisioningState = "AwaitingManualAction";
        const awaiting = setTo({ ...entry.subscription, provisioningState, validationUrl });
        const { onAwaitingManualAction: report = warnOfManualAction } = this.cloud;
        report(awaiting);
        onAwaitingManualAction(awaiting);
      });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      setTo(
        entry.subscriber
          ? { ...before, provisioningState: "Succeeded", validationUrl: undefined }
          : { ...wanted, provisioningState: "Failed", failure },
      );
      throw error;
    }
    const ready = setTo({ ...wanted, provisioningState: "Succeeded" });
    if (this.cloud.store.entry(wanted.scope, wanted.name) === entry) this.#deliver(entry);
    return ready;
  }
}

/** Explains a test that would otherwise just hang. */
function warnOfManualAction({ name }: EventSubscription): void {
  process.emitWarning(
    `The webhook of '${name}' responded without the validation code. Its creation ends when the subscription's validationUrl is opened, or fails after ten minutes on the cloud's clock.`,
  );
}

function view(checked: CheckedSubscription, provisioningState: ProvisioningState) {
  const { name, scope } = checked;
  const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  return { id, ...checked, provisioningState };
}
