import { LocalCloudError } from "../errors.js";
import type { DeadLetter } from "../eventgrid/delivery/dead-letter.js";
import type { DeliveryAttempt } from "../eventgrid/delivery/delivery-attempt.js";
import { systemEventTypes } from "../eventgrid/system-events/system-events.js";
import type { LocalCloud } from "../local-cloud.js";
import { durationIn, flagIn, numberIn, objectIn, optionalTextIn, textIn } from "./fields.js";
import { JsonText, jsonList, jsonWith } from "./json-text.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Does something with the cloud; what it returns is the answer's body. Events are told as the text
 * that was published: read and written again, they would lose digits, and nest too deep for it.
 */
export type Command = (cloud: LocalCloud, body: Body) => unknown;

/** By method and path below `/local/`. */
export const commands: Readonly<Record<string, Command>> = {
  "GET deliveries": (cloud) => new JsonText(jsonList(cloud.deliveries().map(shownDelivery))),
  "GET handshakes": (cloud) => cloud.handshakes().map((each) => ({ ...each, at: iso(each.at) })),
  "GET dead-letters": (cloud) => new JsonText(jsonList(cloud.deadLetters().map(shownDeadLetter))),

  "POST drain": (cloud, body) => {
    const within = objectIn(body, "within");
    return cloud.drain({ within: within && durationIn(within) });
  },
  "POST reset": (cloud) => cloud.reset(),
  "POST advance": (cloud, body) => cloud.clock.advance(durationIn(body)),

  "POST emit": async (cloud, body) => {
    const named = textIn(body, "type");
    const type = systemEventTypes.find((each) => each === named);
    if (!type) {
      throw new LocalCloudError(
        "ERR_SYSTEM_EVENT",
        `'${named}' is no system event that is known here. There are ${systemEventTypes.join(", ")}.`,
      );
    }
    const event = await cloud.emit(type, {
      scope: textIn(body, "scope"),
      id: optionalTextIn(body, "id"),
      subject: optionalTextIn(body, "subject"),
      time: optionalTextIn(body, "time"),
      data: objectIn(body, "data"),
    });
    return new JsonText(event.json);
  },

  "POST keys/rotate": (cloud, body) => cloud.keys.rotate({ retire: flagIn(body, "retire") }),
  "POST token": async (cloud, body) => ({
    token: await cloud.tokens.delivery({
      clientId: textIn(body, "clientId"),
      tenantId: optionalTextIn(body, "tenantId"),
      lifetimeSeconds: numberIn(body, "lifetimeSeconds"),
      claims: objectIn(body, "claims"),
      header: objectIn(body, "header"),
    }),
  }),

  "POST faults/issuer": (cloud) => void cloud.faults.issuerUnreachable(),
  "POST faults/deliveries": (cloud, body) => {
    const delay = objectIn(body, "delay");
    cloud.faults.deliveries({
      ...reachIn(body),
      status: numberIn(body, "status"),
      unreachable: flagIn(body, "unreachable"),
      loseAnswer: flagIn(body, "loseAnswer"),
      delay: delay && durationIn(delay),
    });
  },
  "POST faults/duplicates": (cloud, body) => void cloud.faults.duplicates(reachIn(body)),
  "POST faults/reordering": (cloud) => void cloud.faults.reordering(),
  "POST faults/publishing": (cloud, body) => {
    cloud.faults.publishing({
      status: numberIn(body, "status") ?? 503,
      retryAfterSeconds: numberIn(body, "retryAfterSeconds"),
      times: numberIn(body, "times"),
    });
  },
  "DELETE faults": (cloud) => cloud.faults.clear(),
};

function reachIn(body: Body) {
  return { times: numberIn(body, "times"), subscription: optionalTextIn(body, "subscription") };
}

function shownDelivery({ events, nextAttemptAt, ...attempt }: DeliveryAttempt): string {
  const fields = {
    ...attempt,
    at: iso(attempt.at),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: iso(nextAttemptAt) }),
  };
  return jsonWith(fields, "events", jsonList(events.map(({ json }) => json)));
}

function shownDeadLetter({ event, ...fields }: DeadLetter): string {
  return jsonWith(fields, "event", event.json);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
