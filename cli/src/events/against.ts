import { CommandError, oneLine } from "../terminal/index.js";
import type { AsyncApiDocument } from "./asyncapi.js";
import { type Change, compareSchemas, EFFECTS, type Effect } from "./compatibility.js";
import { isSchema } from "./spelling.js";

/** A change of a contract. */
export interface ContractChange extends Change {
  readonly eventType: string;
}

/**
 * Compares a contract with the one that consumers were written for, the worst changes of each event type
 * first.
 *
 * @param text an earlier document of this command
 * @throws {CommandError} for a text that is no such document
 */
export function changesSince(
  text: string,
  file: string,
  after: AsyncApiDocument,
): ContractChange[] {
  const before = parsed(text, file);
  const [old, now] = [payloadsOf(before), payloadsOf(after)];
  const changes: ContractChange[] = [];
  for (const eventType of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const add = (effect: Effect, message: string) =>
      changes.push({ eventType, effect, path: "", message });
    const [earlier, later] = [old.get(eventType), now.get(eventType)];
    if (!now.has(eventType)) add("breaks", "this event type is gone");
    else if (!old.has(eventType)) add("safe", "this event type is new");
    else if (earlier === undefined && later !== undefined) add("unknown", "has a schema only now");
    else if (earlier !== undefined && later === undefined) add("unknown", "has no schema any more");
    else if (earlier !== undefined) {
      const found = compareSchemas(
        { schema: earlier, document: before },
        { schema: later, document: after },
        "data",
      );
      found.sort((a, b) => EFFECTS.indexOf(b.effect) - EFFECTS.indexOf(a.effect));
      changes.push(...found.map((each) => ({ eventType, ...each })));
    }
  }
  return changes;
}

/** The changes as text, and what they mean in all. */
export function changesText(changes: readonly ContractChange[], file: string): string {
  let last = "";
  const lines = changes.map(({ eventType, effect, path, message }) => {
    const title = eventType === last ? "" : `${oneLine(eventType)}\n`;
    last = eventType;
    const what = path === "" ? message : `${path} ${message}`;
    return `${title}  ${effect.padEnd(9)}${oneLine(what)}\n`;
  });
  const count = (effect: Effect) => changes.filter((each) => each.effect === effect).length;
  const [breaking, unknown] = [count("breaks"), count("unknown")];
  const verdict =
    breaking > 0
      ? `${breaking} ${breaking === 1 ? "change breaks" : "changes break"} consumers of ${file}.`
      : unknown > 0
        ? `${unknown} ${unknown === 1 ? "change" : "changes"} may break consumers of ${file}.`
        : `No change breaks consumers of ${file}.`;
  return `${lines.join("")}${verdict}\n`;
}

function parsed(text: string, file: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} is not JSON: ${reason}`);
  }
  const isContract = isSchema(document) && String(document.asyncapi).startsWith("3.");
  if (isContract && isSchema(member(document, "components", "messages"))) return document;
  throw new CommandError(`${file} is no contract: write one with cloud-eventgrid events`);
}

/** The schemas of the payloads by event type; undefined where an event has none. */
function payloadsOf(document: unknown): Map<string, unknown> {
  const messages = member(document, "components", "messages");
  return new Map(
    Object.entries(isSchema(messages) ? messages : {}).map(([key, message]) => [
      String(member(message, "name") ?? key),
      member(message, "payload", "schema", "properties", "data"),
    ]),
  );
}

function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, name) => (isSchema(holder) ? holder[name] : undefined),
    value,
  );
}
