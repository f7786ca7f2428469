import * as v from "valibot";
import {
  checkOptions,
  fields,
  flag,
  integer,
  LocalCloudError,
  numberWhere,
  oneOf,
  optionalFields,
  text,
} from "../base/index.js";
import { type Duration, inMilliseconds } from "./duration.js";

/** How often a fault applies, and to which event subscription. */
export interface FaultReach {
  /** How many times the fault applies. @default until it is ended */
  readonly times?: number | undefined;
  /** Name of the only event subscription that is affected. @default all */
  readonly subscription?: string | undefined;
}

/** The effects of a fault on deliveries; one fault may combine several. */
export interface DeliveryFault extends FaultReach {
  /** The webhook is not called; Event Grid behaves as if it had responded with this status. */
  readonly status?: number | undefined;
  /** The webhook cannot be reached. */
  readonly unreachable?: boolean | undefined;
  /** The webhook gets the delivery, but its response is lost: a duplicate follows. */
  readonly loseResponse?: boolean | undefined;
  /** The delivery is delayed by this time, on the cloud's clock. */
  readonly delay?: Duration | undefined;
}

export interface PublishFault {
  /** Status of the topic's response, for example 429 or 503. */
  readonly status: number;
  /** Seconds in the response's `Retry-After` header. @default no such header */
  readonly retryAfterSeconds?: number | undefined;
  /** How many times the fault applies. @default until it is ended */
  readonly times?: number | undefined;
}

/** The requests of receivers of namespaces. */
export const receiverOperations = [
  "receive",
  "acknowledge",
  "release",
  "reject",
  "renewLock",
] as const;

/** A request of a receiver of a namespace. */
export type ReceiverOperation = (typeof receiverOperations)[number];

/** The effects of a fault on receivers of namespaces. */
export interface ReceivingFault extends FaultReach {
  /** The only kind of request that is affected. @default all */
  readonly operation?: ReceiverOperation | undefined;
  /** Status of the response, for example 429 or 503; nothing is received or settled. */
  readonly status?: number | undefined;
  /** Seconds in the `Retry-After` header of that response. @default no such header */
  readonly retryAfterSeconds?: number | undefined;
  /** The connection ends without a response, and nothing is received or settled. */
  readonly unreachable?: boolean | undefined;
  /** The request takes effect, but its response is lost: received events stay locked. */
  readonly loseResponse?: boolean | undefined;
  /** The response is 200, but every lock token failed with `InternalServerError`. */
  readonly failTokens?: boolean | undefined;
}

/** A fault that is in force. */
export interface ActiveFault {
  readonly kind: "issuer" | "deliveries" | "publishing" | "receiving" | "duplicates" | "reordering";
  readonly settings: object;
  /** How many more times the fault applies; `undefined` until it is ended. */
  readonly remaining: number | undefined;
}

/** Ends the fault. Does nothing if the fault is over already. */
export type EndFault = () => void;

interface Active<Fault> {
  readonly fault: Fault;
  remaining: number;
}

const times = numberWhere((value) => value >= 1, "a number, 1 or more");
const duplication = optionalFields({ times, subscription: text });
const deliveryFault = optionalFields({
  times,
  subscription: text,
  status: integer(100, 599),
  unreachable: flag,
  loseResponse: flag,
  delay: v.unknown(),
});
const receivingFault = optionalFields({
  times,
  subscription: text,
  operation: oneOf(...receiverOperations),
  status: integer(400, 599),
  retryAfterSeconds: numberWhere((value) => value >= 0, "a number, 0 or more"),
  unreachable: flag,
  loseResponse: flag,
  failTokens: flag,
});
const publishFault = fields({
  status: integer(400, 599),
  retryAfterSeconds: v.optional(numberWhere((value) => value >= 0, "a number, 0 or more")),
  times: v.optional(times),
});

/** Failures on demand. */
export class Faults {
  readonly #issuer: Active<object>[] = [];
  readonly #deliveries: Active<DeliveryFault>[] = [];
  readonly #publishing: Active<PublishFault>[] = [];
  readonly #receiving: Active<ReceivingFault>[] = [];
  readonly #duplicates: Active<FaultReach>[] = [];
  readonly #reordering: Active<object>[] = [];

  /** Entra's metadata and keys are unreachable: connections end without a response. */
  issuerUnreachable(): EndFault {
    return begin(this.#issuer, {});
  }

  /**
   * @throws LocalCloudError `ERR_FAULT` for a fault without effect or with invalid fields;
   * `ERR_DURATION` for an invalid delay
   */
  deliveries(fault: DeliveryFault): EndFault {
    checkFault(deliveryFault, fault);
    const { status, unreachable, loseResponse, delay } = fault;
    if (status === undefined && !unreachable && !loseResponse && !delay) {
      throw new LocalCloudError(
        "ERR_FAULT",
        "A delivery fault needs status, unreachable, loseResponse or delay.",
      );
    }
    if (delay !== undefined) inMilliseconds(delay);
    return begin(this.#deliveries, fault);
  }

  /** @throws LocalCloudError `ERR_FAULT` for invalid fields, such as a status that means success */
  publishing(fault: PublishFault): EndFault {
    checkFault(publishFault, fault);
    return begin(this.#publishing, fault);
  }

  /** @throws LocalCloudError `ERR_FAULT` for a fault without effect or with invalid fields */
  receiving(fault: ReceivingFault): EndFault {
    checkFault(receivingFault, fault);
    const { operation, status, retryAfterSeconds, unreachable, loseResponse, failTokens } = fault;
    if (status === undefined && !unreachable && !loseResponse && !failTokens) {
      throw new LocalCloudError(
        "ERR_FAULT",
        "A fault of receivers needs status, unreachable, loseResponse or failTokens.",
      );
    }
    if (retryAfterSeconds !== undefined && status === undefined) {
      throw new LocalCloudError("ERR_FAULT", "retryAfterSeconds needs a status, such as 429.");
    }
    if (failTokens && operation === "receive") {
      throw new LocalCloudError(
        "ERR_FAULT",
        "failTokens has no effect on receive: it fails the lock tokens of the other operations.",
      );
    }
    return begin(this.#receiving, fault);
  }

  /**
   * Events are delivered twice.
   *
   * @throws LocalCloudError `ERR_FAULT`
   */
  duplicates(reach: FaultReach = {}): EndFault {
    checkFault(duplication, reach);
    return begin(this.#duplicates, reach);
  }

  /** Queued events are delivered in random order. */
  reordering(): EndFault {
    return begin(this.#reordering, {});
  }

  /** The faults in force, by kind, oldest first. */
  list(): ActiveFault[] {
    const listed = <Fault extends object>(kind: ActiveFault["kind"], active: Active<Fault>[]) =>
      active.map(({ fault, remaining }) => ({
        kind,
        settings: fault,
        remaining: Number.isFinite(remaining) ? remaining : undefined,
      }));
    return [
      ...listed("issuer", this.#issuer),
      ...listed("deliveries", this.#deliveries),
      ...listed("publishing", this.#publishing),
      ...listed("receiving", this.#receiving),
      ...listed("duplicates", this.#duplicates),
      ...listed("reordering", this.#reordering),
    ];
  }

  /** Ends all faults. */
  clear(): void {
    this.#issuer.length = 0;
    this.#deliveries.length = 0;
    this.#publishing.length = 0;
    this.#receiving.length = 0;
    this.#duplicates.length = 0;
    this.#reordering.length = 0;
  }

  /** @internal */
  get isIssuerUnreachable(): boolean {
    return this.#issuer.length > 0;
  }

  /** @internal */
  get isReordering(): boolean {
    return this.#reordering.length > 0;
  }

  /** @internal the fault that applies to this delivery */
  nextForDelivery(
    subscription: string,
  ): (DeliveryFault & { readonly delayMs: number }) | undefined {
    const fault = use(this.#deliveries, (each) => appliesTo(each, subscription));
    return (
      fault && { ...fault, delayMs: fault.delay === undefined ? 0 : inMilliseconds(fault.delay) }
    );
  }

  /** @internal the fault that applies to this publish request */
  nextForPublishing(): PublishFault | undefined {
    return use(this.#publishing, () => true);
  }

  /** @internal the fault that applies to this request of a receiver */
  nextForReceiving(operation: string, subscription: string): ReceivingFault | undefined {
    return use(
      this.#receiving,
      (fault) =>
        appliesTo(fault, subscription) &&
        (fault.operation ?? operation).toLowerCase() === operation.toLowerCase() &&
        !(fault.failTokens && operation.toLowerCase() === "receive"),
    );
  }

  /** @internal */
  isDuplicated(subscription: string): boolean {
    return use(this.#duplicates, (each) => appliesTo(each, subscription)) !== undefined;
  }
}

function begin<Fault extends { readonly times?: number | undefined }>(
  active: Active<Fault>[],
  fault: Fault,
): EndFault {
  const entry = { fault, remaining: fault.times ?? Number.POSITIVE_INFINITY };
  active.push(entry);
  return () => remove(active, entry);
}

/** The oldest fault that applies; counts as one use of it. */
function use<Fault>(active: Active<Fault>[], applies: (fault: Fault) => boolean) {
  const entry = active.find(({ fault }) => applies(fault));
  if (!entry) return undefined;
  entry.remaining--;
  if (entry.remaining <= 0) remove(active, entry);
  return entry.fault;
}

function remove<Entry>(entries: Entry[], entry: Entry): void {
  const index = entries.indexOf(entry);
  if (index >= 0) entries.splice(index, 1);
}

function appliesTo({ subscription }: FaultReach, name: string): boolean {
  return subscription === undefined || subscription.toLowerCase() === name.toLowerCase();
}

function checkFault(schema: v.GenericSchema, fault: unknown): void {
  checkOptions(schema, fault, "Invalid fault", "ERR_FAULT");
}
