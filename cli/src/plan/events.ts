import { readdirSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { readText } from "../files.js";
import { CommandError } from "../terminal/index.js";
import { idOf, oneOf } from "./terraform/index.js";

/** An event of a recording, an export or a dead letter. */
export interface RecordedEvent {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Resource ID in lower case; undefined if nothing says where it was published. */
  readonly scope: string | undefined;
}

/**
 * Reads recorded events.
 *
 * @param options paths of files and folders, each with or without `SCOPE=` before it
 * @throws {CommandError} for a file that cannot be read, or has something else
 */
export function readEvents(directory: string, options: readonly string[]): RecordedEvent[] {
  return options.flatMap((option) => {
    const end = isInSubscription(option) ? option.indexOf("=") : -1;
    const [scope, path] = [end < 0 ? undefined : option.slice(0, end), option.slice(end + 1)];
    const files = filesAt(resolve(directory, path), path);
    return files.flatMap((file) => eventsIn(file, scope));
  });
}

function filesAt(path: string, shown: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return namesIn(path)
      .filter(
        (name) =>
          [".json", ".ndjson", ".jsonl"].includes(extname(name).toLowerCase()) &&
          statSync(name).isFile(),
      )
      .sort();
  } catch (error) {
    throw new CommandError(`cannot read ${shown}: ${(error as Error).message}`);
  }
}

/** Follows no links to directories. From Node 26 on, `readdir` does, and a link that leads up never ends. */
function namesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const name = join(directory, entry.name);
    return entry.isDirectory() ? namesIn(name) : [name];
  });
}

function eventsIn(file: string, scope: string | undefined): RecordedEvent[] {
  const text = readText(".", file).trim();
  const whole = parsed(text);
  if (whole !== undefined) {
    return [whole].flat().map((each, index) => eventOf(each, scope, `${file}, index ${index}`));
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    const place = `${file}, line ${index + 1}`;
    if (line.trim() === "") return [];
    return [parsed(line)].flat().map((each) => eventOf(each, scope, place));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isInSubscription = (text: string) => text.toLowerCase().startsWith("/subscriptions/");

/** Fields that Event Grid adds to the dead letters of topics, in any case. */
const DEAD_LETTER = oneOf(`deadLetterReason deliveryAttempts deliveryResult lastDeliveryOutcome
  lastHttpStatusCode publishTime lastDeliveryAttemptTime`);

function eventOf(record: unknown, given: string | undefined, place: string): RecordedEvent {
  const inner = isObject(record) && record.event !== undefined ? record.event : record;
  const event = typeof inner === "string" ? parsed(inner) : inner;
  const fields = isObject(event) ? event : {};
  const type = fields.type ?? fields.eventType;
  if (typeof type !== "string") throw new CommandError(`${place}: this is no event`);
  const attributes = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !DEAD_LETTER.test(name)),
  );
  const scopes = [given, isObject(record) && record.scope, attributes.topic, attributes.source];
  const scope = scopes.find((id) => typeof id === "string" && isInSubscription(id));
  const id = idOf(scope);
  return { type, attributes, scope: typeof id === "string" ? id : undefined };
}

/**
 * The events of one scope. Those without a scope belong to it only if the plan has no other.
 *
 * @returns undefined if there is none
 */
export function eventsAt(
  events: readonly RecordedEvent[],
  scopes: readonly unknown[],
  isOnlyScope: boolean,
): RecordedEvent[] | undefined {
  const own = events.filter(({ scope }) =>
    scope === undefined
      ? isOnlyScope
      : scopes.some(
          (id) => typeof id === "string" && (scope === id || scope.startsWith(`${id}/topics/`)),
        ),
  );
  return own.length === 0 ? undefined : own;
}
