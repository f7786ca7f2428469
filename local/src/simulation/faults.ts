import {
  anyObject,
  checkOptions,
  flag,
  type Inputs,
  integer,
  LocalCloudError,
  numberWhere,
  oneOf,
  optional,
  required,
  schemaOf,
  text,
} from "../base/index.js";
import { type Duration, inMilliseconds } from "./duration.js";

/** The number of times that a fault applies, and its event subscription. */
export interface FaultReach {
  /** The number of times that the fault applies. @default until it is ended */
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
  /** The number of times that the fault applies. @default until it is ended */
  readonly times?: number | undefined;
}

const receiverOperations = ["receive", "acknowledge", "release", "reject", "renewLock"] as const;

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

/** Settings of a fault by its kind. */
interface FaultSettings {
  readonly issuer: object;
  readonly deliveries: DeliveryFault;
  readonly publishing: PublishFault;
  readonly receiving: ReceivingFault;
  readonly duplicates: FaultReach;
  readonly reordering: object;
}

export type FaultKind = keyof FaultSettings;

/** A row of the table of faults. */
interface FaultRow<Settings> {
  readonly help: string;
  readonly inputs: Inputs & { readonly [Name in keyof Required<Settings>]: Inputs[string] };
  /** The settings of which a fault needs one, with what each causes. @default the `help` */
  readonly effects?: Readonly<Record<string, string>> & {
    readonly [Name in keyof Settings]?: string;
  };
  /** The subject of an error message. */
  readonly subject?: string;
  /** Settings that commands add if they are left out. */
  readonly initial?: Partial<Settings>;
  /** Returns what else is wrong with the settings. */
  readonly problem?: (settings: Settings) => string | undefined;
}

const status = (least: number) =>
  optional(integer(least, 599), "--status <code>", "HTTP status", { kind: "number" });
const times = optional(
  numberWhere((value) => value >= 1, "a number, 1 or more"),
  "--times <n>",
  "how often (default: until cleared)",
  { kind: "number" },
);
const subscription = optional(
  text,
  "--subscription <name>",
  "only for this event subscription (default: all)",
);
const retryAfterSeconds = optional(
  numberWhere((value) => value >= 0, "a number, 0 or more"),
  "--retry-after <seconds>",
  "Retry-After header",
  { kind: "number" },
);
const unreachable = optional(flag, "--unreachable", "there is no connection");
const loseResponse = optional(
  flag,
  "--lose-response",
  "the request takes effect, its response is lost",
);

/**
 * All faults. The functions of `LocalCloud.faults`, the requests below `/local/faults/`, the command
 * `fault`, the dashboard's form and the tables of the documentation follow from it.
 */
export const faultKinds: { readonly [Kind in FaultKind]: FaultRow<FaultSettings[Kind]> } = {
  deliveries: {
    help: "deliveries fail",
    subject: "A delivery fault",
    inputs: {
      status: status(100),
      unreachable,
      loseResponse,
      delay: optional(anyObject, "--delay <duration>", "delay of the delivery", {
        kind: "duration",
      }),
      times,
      subscription,
    },
    effects: {
      status: "Webhooks answer with a status",
      unreachable: "Webhooks are unreachable",
      loseResponse: "Responses of webhooks are lost",
      delay: "Deliveries are delayed",
    },
    problem: ({ delay }) => void (delay && inMilliseconds(delay)),
  },
  publishing: {
    help: "topics refuse events",
    inputs: {
      status: required(integer(400, 599), "--status <code>", "HTTP status", { kind: "number" }),
      retryAfterSeconds,
      times,
    },
    initial: { status: 503 },
  },
  receiving: {
    help: "requests of receivers of namespaces fail",
    subject: "A fault of receivers",
    inputs: {
      operation: optional(
        oneOf(...receiverOperations),
        "--operation <name>",
        "only requests of this kind (default: all)",
        { choices: receiverOperations },
      ),
      status: status(400),
      retryAfterSeconds,
      unreachable,
      loseResponse,
      failTokens: optional(flag, "--fail-tokens", "status 200, but every lock token fails"),
      times,
      subscription,
    },
    effects: {
      status: "Receivers get a status",
      unreachable: "Receivers get no response",
      loseResponse: "Responses to receivers are lost",
      failTokens: "Lock tokens fail",
    },
    problem: ({ retryAfterSeconds, status, failTokens, operation }) => {
      if (retryAfterSeconds !== undefined && status === undefined) {
        return "retryAfterSeconds needs a status, such as 429.";
      }
      if (!failTokens || operation !== "receive") return undefined;
      return "failTokens has no effect on receive: it fails the lock tokens of the other operations.";
    },
  },
  duplicates: { help: "events are delivered twice", inputs: { times, subscription } },
  reordering: { help: "events are delivered in random order", inputs: {} },
  issuer: { help: "Entra's metadata and keys are unreachable", inputs: {} },
};

/** A fault that is in force. */
export interface ActiveFault {
  readonly kind: FaultKind;
  readonly settings: object;
  /** The number of times that the fault still applies; `undefined` if it applies until it is ended. */
  readonly remaining: number | undefined;
}

/** Ends the fault. Does nothing if the fault is over already. */
export type EndFault = () => void;

interface Active<Kind extends FaultKind = FaultKind> {
  readonly kind: Kind;
  readonly fault: FaultSettings[Kind];
  remaining: number;
}

/** Failures on demand. */
export class Faults {
  /** The oldest first. */
  readonly #active: Active[] = [];

  /** Entra's metadata and keys are unreachable: connections end without a response. */
  issuerUnreachable(): EndFault {
    return this.begin("issuer", {});
  }

  /**
   * @throws LocalCloudError `ERR_FAULT` for a fault without effect or with invalid fields;
   * `ERR_DURATION` for a delay with an unknown unit
   */
  deliveries(fault: DeliveryFault): EndFault {
    return this.begin("deliveries", fault);
  }

  /** @throws LocalCloudError `ERR_FAULT` for invalid fields, such as a status that means success */
  publishing(fault: PublishFault): EndFault {
    return this.begin("publishing", fault);
  }

  /** @throws LocalCloudError `ERR_FAULT` for a fault without effect or with invalid fields */
  receiving(fault: ReceivingFault): EndFault {
    return this.begin("receiving", fault);
  }

  /**
   * Events are delivered twice.
   *
   * @throws LocalCloudError `ERR_FAULT`
   */
  duplicates(reach: FaultReach = {}): EndFault {
    return this.begin("duplicates", reach);
  }

  /** Queued events are delivered in random order. */
  reordering(): EndFault {
    return this.begin("reordering", {});
  }

  /** The faults in force, by kind, oldest first. */
  list(): ActiveFault[] {
    const kinds = Object.keys(faultKinds);
    return this.#active
      .map(({ kind, fault, remaining }) => ({
        kind,
        settings: fault,
        remaining: Number.isFinite(remaining) ? remaining : undefined,
      }))
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  }

  /** Ends all faults. */
  clear(): void {
    this.#active.length = 0;
  }

  /** @internal with the settings of a caller that may not know their types */
  begin<Kind extends FaultKind>(kind: Kind, fault: FaultSettings[Kind]): EndFault {
    checkFault(kind, fault);
    const times = "times" in fault ? Number(fault.times ?? Number.POSITIVE_INFINITY) : undefined;
    const entry = { kind, fault, remaining: times ?? Number.POSITIVE_INFINITY };
    this.#active.push(entry);
    return () => this.#end(entry);
  }

  /** @internal */
  get isIssuerUnreachable(): boolean {
    return this.#active.some(({ kind }) => kind === "issuer");
  }

  /** @internal */
  get isReordering(): boolean {
    return this.#active.some(({ kind }) => kind === "reordering");
  }

  /** @internal the fault that applies to this delivery */
  nextForDelivery(
    subscription: string,
  ): (DeliveryFault & { readonly delayMs: number }) | undefined {
    const fault = this.#use("deliveries", (each) => appliesTo(each, subscription));
    return (
      fault && { ...fault, delayMs: fault.delay === undefined ? 0 : inMilliseconds(fault.delay) }
    );
  }

  /** @internal the fault that applies to this publish request */
  nextForPublishing(): PublishFault | undefined {
    return this.#use("publishing", () => true);
  }

  /** @internal the fault that applies to this request of a receiver */
  nextForReceiving(operation: string, subscription: string): ReceivingFault | undefined {
    return this.#use(
      "receiving",
      (fault) =>
        appliesTo(fault, subscription) &&
        (fault.operation ?? operation).toLowerCase() === operation.toLowerCase() &&
        !(fault.failTokens && operation.toLowerCase() === "receive"),
    );
  }

  /** @internal how many times an event is delivered */
  copiesFor(subscription: string): number {
    return this.#use("duplicates", (each) => appliesTo(each, subscription)) ? 2 : 1;
  }

  /** The oldest fault that applies; counts as one use of it. */
  #use<Kind extends FaultKind>(
    wanted: Kind,
    applies: (fault: FaultSettings[Kind]) => boolean,
  ): FaultSettings[Kind] | undefined {
    const isOfKind = (each: Active): each is Active<Kind> => each.kind === wanted;
    const entry = this.#active.filter(isOfKind).find(({ fault }) => applies(fault));
    if (!entry) return undefined;
    entry.remaining--;
    if (entry.remaining <= 0) this.#end(entry);
    return entry.fault;
  }

  #end(entry: Active): void {
    const index = this.#active.indexOf(entry);
    if (index >= 0) this.#active.splice(index, 1);
  }
}

function appliesTo({ subscription }: FaultReach, name: string): boolean {
  return subscription === undefined || subscription.toLowerCase() === name.toLowerCase();
}

function checkFault<Kind extends FaultKind>(kind: Kind, fault: FaultSettings[Kind]): void {
  const { inputs, effects, subject, problem }: FaultRow<FaultSettings[Kind]> = faultKinds[kind];
  checkOptions(schemaOf(inputs), fault, "Invalid fault", "ERR_FAULT");
  const names = Object.keys(effects ?? {});
  const given = Object.entries(fault).filter(([name, value]) => names.includes(name) && value);
  if (effects && given.length === 0) {
    const or = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
    throw new LocalCloudError("ERR_FAULT", `${subject} needs ${or}.`);
  }
  const found = problem?.(fault);
  if (found !== undefined) throw new LocalCloudError("ERR_FAULT", found);
}
