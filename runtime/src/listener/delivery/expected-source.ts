import { formatScope, parseScope, type Scope } from "../../binding/index.js";
import type { CloudEvent } from "../../events/index.js";
import type { EventDelivery, HandlingMetrics, Mismatch } from "../../handling/index.js";
import { beginningOf, eventNames, LogThrottle } from "../../observability.js";

/** Properties that it does not have are not compared. */
interface ExpectedBinding {
  readonly eventSubscriptionName?: string | undefined;
  readonly scope?: string | undefined;
}

/**
 * Compares events with the binding. The token says only that Event Grid delivers for the binding's
 * application; any event subscription with that application could be behind it.
 */
export class ExpectedSource {
  readonly #name: string | undefined;
  readonly #resources: readonly string[] | undefined;
  readonly #log: LogThrottle<Mismatch>;
  /** The last source that matched: most events have the same one. */
  #matching: string | undefined;

  /**
   * @param reject whether events from elsewhere are rejected; they are logged and counted in any case
   * @param now the time in milliseconds since 1970
   */
  constructor(
    { eventSubscriptionName, scope }: ExpectedBinding,
    private readonly reject: boolean,
    private readonly metrics: HandlingMetrics,
    now: () => number,
  ) {
    this.#name = eventSubscriptionName?.toLowerCase();
    this.#resources = scope === undefined ? undefined : sourcesOf(parseScope(scope));
    this.#log = new LogThrottle(now);
  }

  /** Logs and counts an event from elsewhere. Returns whether to reject it. */
  rejects(event: CloudEvent, delivery: EventDelivery): boolean {
    const mismatch = this.#mismatchOf(event, delivery);
    if (mismatch === undefined) return false;
    this.metrics.unexpectedSource(mismatch);
    this.#log.write(mismatch, (counted) => {
      const difference =
        mismatch === "resource"
          ? { expected: this.#resources?.[0] }
          : { expected: this.#name, received: beginningOf(delivery.subscriptionKey) };
      const line = { event: eventNames(event), ...difference, ...counted };
      delivery.log.warn(line, `event of another ${wording[mismatch]} than the binding's`);
    });
    return this.reject;
  }

  #mismatchOf({ source }: CloudEvent, { subscriptionKey }: EventDelivery): Mismatch | undefined {
    // Without the header there is nothing to compare.
    if (this.#name !== undefined && subscriptionKey !== "" && subscriptionKey !== this.#name) {
      return "subscription";
    }
    if (this.#resources === undefined || source === this.#matching) return undefined;
    const [scope, ...others] = this.#resources;
    const resource = source.toLowerCase();
    const isExpected = `${resource}/`.startsWith(`${scope}/`) || others.includes(resource);
    if (!isExpected) return "resource";
    this.#matching = source;
    return undefined;
  }
}

const wording = { subscription: "event subscription", resource: "resource" } as const;

/**
 * The sources of a scope's events, in lower case because Azure's services spell resource IDs in any
 * case: the scope itself, or a resource in it, and then other IDs. `undefined` for resources of
 * Event Grid itself, such as topics, whose publishers choose the source.
 */
function sourcesOf(scope: Scope): readonly string[] | undefined {
  if (scope.kind === "topic") return undefined;
  if (
    scope.kind === "resource" &&
    scope.resourceProviderNamespace.toLowerCase() === "microsoft.eventgrid"
  ) {
    return undefined;
  }
  const sources = [formatScope(scope).toLowerCase()];
  // Resource Manager's own events may name only the subscription.
  if (scope.kind === "resourceGroup") {
    sources.push(`/subscriptions/${scope.subscriptionId.toLowerCase()}`);
  }
  return sources;
}
