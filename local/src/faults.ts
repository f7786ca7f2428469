import { checkOptions } from "./check-options.js";
import { type Duration, inMilliseconds } from "./clock/index.js";
import { LocalCloudError } from "./errors.js";
import { anything, flag, integer, numberFrom, object, type Shape, text } from "./shape.js";

/** How often a fault strikes, and whom. */
export interface FaultReach {
  /** @default until it is ended */
  readonly times?: number | undefined;
  /** Name of the only event subscription that it strikes. @default all */
  readonly subscription?: string | undefined;
}

/** What goes wrong with deliveries. One that strikes at several attempts may do several things. */
export interface DeliveryFault extends FaultReach {
  /** The webhook is not asked; its answer is taken to be this status. */
  readonly status?: number | undefined;
  /** The webhook cannot be reached. */
  readonly unreachable?: boolean | undefined;
  /** The webhook gets the delivery, but its answer is lost: a duplicate will follow. */
  readonly loseAnswer?: boolean | undefined;
  /** The delivery takes so long on its way, on the cloud's clock. */
  readonly delay?: Duration | undefined;
}

export interface PublishFault {
  /** What the topic answers, for example 429 or 503. */
  readonly status: number;
  /** Seconds in the answer's `Retry-After` header. @default no such header */
  readonly retryAfterSeconds?: number | undefined;
  /** @default until it is ended */
  readonly times?: number | undefined;
}

/** Ends the fault; harmless when it is over. */
export type EndFault = () => void;

interface Active<Fault> {
  readonly fault: Fault;
  left: number;
}

const times = numberFrom(1);
const duplication = object({}, { times, subscription: text });
const deliveryFault = object(
  {},
  {
    times,
    subscription: text,
    status: integer(100, 599),
    unreachable: flag,
    loseAnswer: flag,
    delay: anything,
  },
);
const publishFault = object(
  { status: integer(400, 599) },
  { retryAfterSeconds: numberFrom(0), times },
);

/** What goes wrong on demand. */
export class Faults {
  readonly #issuer: Active<object>[] = [];
  readonly #deliveries: Active<DeliveryFault>[] = [];
  readonly #publishing: Active<PublishFault>[] = [];
  readonly #duplicates: Active<FaultReach>[] = [];
  readonly #reordering: Active<object>[] = [];

  /** Entra's metadata and keys are out of reach: connections end without an answer. */
  issuerUnreachable(): EndFault {
    return begin(this.#issuer, {});
  }

  /**
   * @throws LocalCloudError `ERR_FAULT` when it does nothing, or names what it cannot be;
   * `ERR_DURATION` when its delay is none
   */
  deliveries(fault: DeliveryFault): EndFault {
    checkFault(deliveryFault, fault);
    const { status, unreachable, loseAnswer, delay } = fault;
    if (status === undefined && !unreachable && !loseAnswer && !delay) {
      throw new LocalCloudError(
        "ERR_FAULT",
        "A fault of deliveries needs status, unreachable, loseAnswer or delay.",
      );
    }
    if (delay !== undefined) inMilliseconds(delay);
    return begin(this.#deliveries, fault);
  }

  /** @throws LocalCloudError `ERR_FAULT` that names what it cannot be, such as a status of success */
  publishing(fault: PublishFault): EndFault {
    checkFault(publishFault, fault);
    return begin(this.#publishing, fault);
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

  /** Events that wait for their turn are taken in random order. */
  reordering(): EndFault {
    return begin(this.#reordering, {});
  }

  /** Ends all of them. */
  clear(): void {
    this.#issuer.length = 0;
    this.#deliveries.length = 0;
    this.#publishing.length = 0;
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

  /** @internal the fault that strikes this delivery */
  ofDelivery(subscription: string): (DeliveryFault & { readonly delayMs: number }) | undefined {
    const fault = strike(this.#deliveries, (each) => isMeant(each, subscription));
    return (
      fault && { ...fault, delayMs: fault.delay === undefined ? 0 : inMilliseconds(fault.delay) }
    );
  }

  /** @internal the fault that strikes this publish request */
  ofPublishing(): PublishFault | undefined {
    return strike(this.#publishing, () => true);
  }

  /** @internal */
  isDuplicated(subscription: string): boolean {
    return strike(this.#duplicates, (each) => isMeant(each, subscription)) !== undefined;
  }
}

function begin<Fault extends { readonly times?: number | undefined }>(
  active: Active<Fault>[],
  fault: Fault,
): EndFault {
  const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
  active.push(entry);
  return () => remove(active, entry);
}

/** The oldest fault that applies, which is used up by it. */
function strike<Fault>(active: Active<Fault>[], applies: (fault: Fault) => boolean) {
  const entry = active.find(({ fault }) => applies(fault));
  if (!entry) return undefined;
  entry.left--;
  if (entry.left <= 0) remove(active, entry);
  return entry.fault;
}

function remove<Entry>(entries: Entry[], entry: Entry): void {
  const index = entries.indexOf(entry);
  if (index >= 0) entries.splice(index, 1);
}

function isMeant({ subscription }: FaultReach, name: string): boolean {
  return subscription === undefined || subscription.toLowerCase() === name.toLowerCase();
}

function checkFault(shape: Shape<unknown>, fault: unknown): void {
  checkOptions(shape, fault, "There is no such fault", "ERR_FAULT");
}
