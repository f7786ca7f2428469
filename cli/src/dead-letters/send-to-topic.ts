import {
  InvalidEventError,
  PublishError,
  type Publisher,
  type ReadyEvent,
} from "cloud-eventgrid-binding-runtime";
import { cloudEventOf, type DeadLetter } from "./dead-letter.js";
import type { Sender, SendOutcome } from "./replay.js";

/** Failures after which every further request would fail too. */
const HOPELESS: readonly string[] = [
  "ERR_PUBLISH_UNAUTHORIZED",
  "ERR_PUBLISH_CREDENTIAL",
  "ERR_PUBLISH_UNAVAILABLE",
  "ERR_PUBLISH_TIMEOUT",
];

export function topicSender(publisher: Publisher): Sender {
  const send = async (letters: readonly DeadLetter[]): Promise<SendOutcome> => {
    try {
      await publisher.create(letters.map(eventOf));
      return { accepted: letters, failures: [] };
    } catch (error) {
      if (!(error instanceof PublishError) && !(error instanceof InvalidEventError)) throw error;
      if (error.code === "ERR_PUBLISH_INVALID_EVENT" && letters.length > 1) {
        // Nothing was sent: one malformed event must not keep the others of its blob back.
        return oneByOne(letters, send);
      }
      const failed = new Set(error.events.map(({ index }) => index));
      const failures = letters.filter((_, i) => failed.has(i));
      const accepted = letters.filter((_, i) => !failed.has(i));
      if (error instanceof PublishError && isOfEvents(error) && letters.length > 1) {
        const others = await oneByOne(failures, send);
        return { ...others, accepted: [...accepted, ...others.accepted] };
      }
      return {
        accepted,
        failures: failures.map((letter) => ({ letter, reason: error.message })),
        ...(HOPELESS.includes(error.code) && { stopped: error.message }),
      };
    }
  };
  return { send, close: () => publisher.close() };
}

/** Whether the topic refused a request for what is in it: 400 for an event, 413 for their size. */
function isOfEvents({ status }: PublishError): boolean {
  return status === 400 || status === 413;
}

async function oneByOne(
  letters: readonly DeadLetter[],
  send: Sender["send"],
): Promise<SendOutcome> {
  const outcomes: SendOutcome[] = [];
  for (const letter of letters) {
    outcomes.push(await send([letter]));
    if (outcomes.at(-1)?.stopped !== undefined) break;
  }
  return {
    accepted: outcomes.flatMap((outcome) => outcome.accepted),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    stopped: outcomes.at(-1)?.stopped,
  };
}

/** The event for the publisher, which writes bytes as `data_base64` itself. */
function eventOf(letter: DeadLetter): ReadyEvent {
  const { data_base64, ...event } = cloudEventOf(letter) ?? letter.event;
  if (typeof data_base64 !== "string") return event as unknown as ReadyEvent;
  return { ...event, data: Buffer.from(data_base64, "base64") } as unknown as ReadyEvent;
}
