import { showValue } from "../../validation/index.js";

/** A problem of an event's context attributes. */
export interface AttributeProblem {
  readonly attribute: string;
  /** A sentence that names the attribute. It never quotes the payload. */
  readonly message: string;
  /** Whether the event cannot be handled without the attribute. */
  readonly isEssential: boolean;
}

/** The maximum number of collected problems; an event may have thousands of attributes. */
const MAX_PROBLEMS = 20;

/**
 * Checks the context attributes of an event against CloudEvents 1.0.
 *
 * An attribute that is `null` counts as not set, as in the JSON format. `data` is not checked.
 *
 * @param names of the attributes, if the caller knows them
 * @param values of the attributes, in the order of their names
 * @returns the problems, with essential ones first; `undefined` when there are none
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#context-attributes
 */
export function attributeProblems(
  event: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(event),
  values: readonly unknown[] = names.map((name) => event[name]),
): AttributeProblem[] | undefined {
  let problems = hasRequired(event) ? undefined : requiredProblems(event);
  for (let at = 0; at < names.length; at += 1) {
    const attribute = names[at];
    const value = values[at];
    if (attribute === undefined || value === undefined || value === null) continue;
    const message = attributeProblem(attribute, value);
    if (message === undefined) continue;
    problems ??= [];
    if (problems.length >= MAX_PROBLEMS) break;
    const isKnown = problems.some((known) => known.attribute === attribute);
    if (!isKnown) problems.push({ attribute, message, isEssential: false });
  }
  return problems;
}

const REQUIRED = ["specversion", "id", "source", "type"] as const;

function hasRequired({ specversion, id, source, type }: Readonly<Record<string, unknown>>) {
  return specversion === "1.0" && isText(id) && isText(source) && isText(type);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function requiredProblems(event: Readonly<Record<string, unknown>>): AttributeProblem[] {
  return REQUIRED.flatMap((attribute) => {
    const message = requiredProblem(attribute, event[attribute]);
    return message === undefined ? [] : { attribute, message, isEssential: true };
  });
}

function requiredProblem(name: (typeof REQUIRED)[number], value: unknown): string | undefined {
  if (value === undefined || value === null) return `${name} is missing`;
  if (name === "specversion") {
    return value === "1.0" ? undefined : `specversion must be "1.0", but is ${quoted(value)}`;
  }
  if (typeof value !== "string") return `${name} must be a string, but is ${quoted(value)}`;
  return value === "" ? `${name} is empty` : undefined;
}

function attributeProblem(name: string, value: unknown): string | undefined {
  switch (name) {
    case "specversion":
    case "data":
    case "data_base64":
      return undefined;
    case "id":
    case "type":
      return textProblem(name, value);
    case "source":
    case "dataschema":
      return uriProblem(name, value);
    case "subject":
      // CloudEvents does not allow an empty subject, but Azure's own events have one.
      return value === "" ? undefined : textProblem(name, value);
    case "datacontenttype":
      return mediaTypeProblem(name, value);
    case "time":
      return isTimestamp(value)
        ? undefined
        : `time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is ${quoted(value)}`;
    default:
      return extensionProblem(name, value);
  }
}

/** Characters that CloudEvents strings must not contain: controls, lone surrogates, noncharacters. */
const forbidden = /[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/u;

function textProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== "string") return `${name} must be a string, but is ${quoted(value)}`;
  if (value === "") return `${name} is empty`;
  return forbidden.test(value)
    ? `${name} contains characters that CloudEvents does not allow`
    : undefined;
}

/**
 * Not every rule for URIs: Azure's resource names contain letters beyond ASCII, and its own events
 * have "#" as their `dataschema`. White space, delimiters and broken escapes are invalid.
 */
const uriReference =
  /^(?:[^\s"%<>\\^`{|}\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]|%[0-9A-Fa-f]{2})+$/u;

const isUriReference = rememberingLast((text) => uriReference.test(text));

function uriProblem(name: string, value: unknown): string | undefined {
  if (typeof value === "string" && isUriReference(value)) return undefined;
  return textProblem(name, value) ?? `${name} must be a URI reference, but is ${quoted(value)}`;
}

const mediaType =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*"))*$/;

const isMediaType = rememberingLast((text) => mediaType.test(text));

function mediaTypeProblem(name: string, value: unknown): string | undefined {
  if (typeof value === "string" && isMediaType(value)) return undefined;
  return textProblem(name, value) ?? `${name} must be a media type, but is ${quoted(value)}`;
}

/** The check, which it skips for the same text as the last valid one: most events share theirs. */
function rememberingLast(check: (text: string) => boolean): (text: string) => boolean {
  let last: string | undefined;
  return (text) => {
    if (text === last) return true;
    const isValid = check(text);
    if (isValid) last = text;
    return isValid;
  };
}

const timestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isTimestamp(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 64 || !timestamp.test(value)) return false;
  // Every month has days 1 to 28; only the others need a calendar.
  const day = value.slice(8, 10);
  return day < "29" || Number(day) <= daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  // `Date` takes years below 100 for those after 1900; the calendar repeats after 400 years.
  return new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
}

const extensionName = /^[a-z0-9]{1,256}$/;

function extensionProblem(name: string, value: unknown): string | undefined {
  // "constructor" would hide a member that every object inherits.
  if (!extensionName.test(name) || name === "constructor" || name === "prototype") {
    return `${quoted(name)} is not a valid attribute name: extensions have lower-case letters and digits only`;
  }
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "number":
      return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31
        ? undefined
        : `extension ${name} must be a 32-bit integer, but is ${value}`;
    case "string":
      return value === "" ? undefined : textProblem(`extension ${name}`, value);
    default:
      return `extension ${name} must be a string, a boolean or an integer`;
  }
}

const MAX_QUOTED = 80;

/** A value of an attribute as a message may show it: JSON, shortened. */
function quoted(value: unknown): string {
  if (typeof value === "string") return showValue(value);
  const json = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value));
  return json.length > MAX_QUOTED ? `${json.slice(0, MAX_QUOTED)}…` : json;
}
