import * as v from "valibot";
import { anyObject, fields, flag, number, oneOf, optionalFields, text } from "../base/index.js";
import type { SigningKeys, Tokens } from "../entra/index.js";
import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryAttempt,
  Handshake,
  Message,
  SystemEventOptions,
} from "../eventgrid/index.js";
import {
  type Clock,
  checkDuration,
  type Duration,
  type Faults,
  receiverOperations,
} from "../simulation/index.js";
import type { Commands } from "./command-route.js";
import { JsonText, jsonList, jsonWith } from "./json-text.js";
import { read } from "./read.js";

/** The functions of a cloud that are available over HTTP. */
export interface ControllableCloud {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  deliveries(): DeliveryAttempt[];
  deadLetters(): DeadLetter[];
  messages(): Message[];
  handshakes(): Handshake[];
  alerts(): readonly {
    readonly changes: readonly { readonly state: string; readonly at: number }[];
  }[];
  drain(options: { readonly within?: Duration | undefined }): Promise<void>;
  reset(): Promise<void>;
  identityEnvironment(name: string, options: { readonly proxy: boolean }): Record<string, string>;
  readonly eventGrid: {
    readonly acceptance: {
      emit(type: string, options: SystemEventOptions): AcceptedEvent;
    };
  };
}

const limitFields = { times: number, subscription: text };
const emission = fields({
  type: text,
  scope: text,
  id: v.optional(text),
  subject: v.optional(text),
  time: v.optional(text),
  data: v.optional(anyObject),
});
const tokenOptions = fields({
  clientId: text,
  tenantId: v.optional(text),
  lifetimeSeconds: v.optional(number),
  claims: v.optional(anyObject),
  header: v.optional(anyObject),
});
const deliveryFault = optionalFields({
  ...limitFields,
  status: number,
  unreachable: flag,
  loseResponse: flag,
  delay: anyObject,
});
const receivingFault = optionalFields({
  ...limitFields,
  operation: oneOf(...receiverOperations),
  status: number,
  retryAfterSeconds: number,
  unreachable: flag,
  loseResponse: flag,
  failTokens: flag,
});

/**
 * By method and path below `/local/`. Events remain the published text: parsing and writing would
 * lose digits, and would fail for deep nesting.
 */
export const commands: Commands<ControllableCloud> = {
  "GET deliveries": (cloud) => new JsonText(jsonList(cloud.deliveries().map(shownDelivery))),
  "GET handshakes": (cloud) => cloud.handshakes().map((each) => ({ ...each, at: iso(each.at) })),
  "GET dead-letters": (cloud) => new JsonText(jsonList(cloud.deadLetters().map(shownDeadLetter))),
  "GET messages": (cloud) => new JsonText(jsonList(cloud.messages().map(shownMessage))),
  "GET identity": (cloud, _, query) =>
    cloud.identityEnvironment(query.get("name") ?? "", { proxy: query.get("proxy") === "true" }),
  "GET alerts": (cloud) =>
    cloud.alerts().map(({ changes, ...alert }) => ({
      ...alert,
      changes: changes.map(({ state, at }) => ({ state, at: iso(at) })),
    })),

  "POST drain": (cloud, body) => {
    const { within } = read(optionalFields({ within: anyObject }), body);
    return cloud.drain({ within: durationIn(within) });
  },
  "POST reset": (cloud) => cloud.reset(),
  "POST advance": (cloud, body) => cloud.clock.advance(durationIn(body) ?? {}),

  "POST emit": async (cloud, body) => {
    const { type, ...options } = read(emission, body);
    const event = cloud.eventGrid.acceptance.emit(type, options);
    return new JsonText(event.json);
  },

  "POST keys/rotate": (cloud, body) => {
    const { retire = false } = read(optionalFields({ retire: flag }), body);
    return cloud.keys.rotate({ retire });
  },
  "POST token": async (cloud, body) => ({
    token: await cloud.tokens.delivery(read(tokenOptions, body)),
  }),

  "POST faults/issuer": (cloud) => void cloud.faults.issuerUnreachable(),
  "POST faults/deliveries": (cloud, body) => {
    const { delay, ...fault } = read(deliveryFault, body);
    cloud.faults.deliveries({ ...fault, delay: durationIn(delay) });
  },
  "POST faults/duplicates": (cloud, body) =>
    void cloud.faults.duplicates(read(optionalFields(limitFields), body)),
  "POST faults/reordering": (cloud) => void cloud.faults.reordering(),
  "POST faults/publishing": (cloud, body) => {
    const fault = optionalFields({ status: number, retryAfterSeconds: number, times: number });
    cloud.faults.publishing({ ...read(fault, body), status: read(fault, body).status ?? 503 });
  },
  "POST faults/receiving": (cloud, body) => {
    cloud.faults.receiving(read(receivingFault, body));
  },
  "DELETE faults": (cloud) => cloud.faults.clear(),
};

function durationIn(value: unknown): Duration | undefined {
  if (value === undefined) return undefined;
  checkDuration(value);
  return value;
}

/**
 * Requests and responses are left out: they contain a token, and programs need none to read this.
 */
export function shownAttempt(delivery: DeliveryAttempt): object {
  const { events: _, nextAttemptAt, request: __, response: ___, ...attempt } = delivery;
  return {
    ...attempt,
    at: iso(attempt.at),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: iso(nextAttemptAt) }),
  };
}

function shownDelivery(delivery: DeliveryAttempt): string {
  const events = jsonList(delivery.events.map(({ json }) => json));
  return jsonWith(shownAttempt(delivery), "events", events);
}

function shownDeadLetter({ event, ...fields }: DeadLetter): string {
  return jsonWith(fields, "event", event.json);
}

function shownMessage({ event, at, ...fields }: Message): string {
  return jsonWith({ ...fields, at: iso(at) }, "event", event.json);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
