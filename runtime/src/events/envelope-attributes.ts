import { quoted } from "./envelope-problems.js";

/**
 * Checks the context attributes of one event, as CloudEvents 1.0 demands them.
 *
 * An attribute that is `null` counts as not set, as the JSON format has it. `data` is not looked at.
 *
 * @returns the problems, or `undefined` when there are none
 */
export function attributeProblems(event: Record<string, unknown>): string[] | undefined {
  let problems: string[] | undefined;
  let required = 0;
  for (const name in event) {
    const value = event[name];
    if (value === null && name !== "data") continue;
    let problem: string | undefined;
    switch (name) {
      case "data":
      case "data_base64":
        break;
      case "specversion":
        required += 1;
        if (value !== "1.0") problem = `specversion is ${quoted(value)}, only "1.0" is understood`;
        break;
      case "id":
        required += 1;
        problem = textProblem(name, value);
        break;
      case "type":
        required += 1;
        problem = textProblem(name, value);
        break;
      case "source":
        required += 1;
        problem = uriProblem(name, value);
        break;
      case "dataschema":
        problem = uriProblem(name, value);
        break;
      case "subject":
        // Empty is against the letter of CloudEvents, but an event's subject is its source's affair.
        problem = value === "" ? undefined : textProblem(name, value);
        break;
      case "datacontenttype":
        problem = textProblem(name, value) ?? mediaTypeProblem(value);
        break;
      case "time":
        problem = isTimestamp(value)
          ? undefined
          : `time is ${quoted(value)}, not a timestamp of RFC 3339`;
        break;
      default:
        problem = extensionProblem(name, value);
    }
    if (problem !== undefined) {
      problems ??= [];
      problems.push(problem);
    }
  }
  if (required < requiredNames.length) {
    problems ??= [];
    for (const name of requiredNames) {
      if (event[name] === undefined || event[name] === null) problems.push(`${name} is missing`);
    }
  }
  return problems;
}

const requiredNames = ["specversion", "id", "source", "type"] as const;

/** Characters that no CloudEvents string may hold: controls, lone surrogates, noncharacters. */
const forbidden = /[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/u;

function textProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== "string") return `${name} is ${quoted(value)}, not a string`;
  if (value === "") return `${name} is empty`;
  if (forbidden.test(value)) return `${name} holds characters that CloudEvents forbids`;
  return undefined;
}

/**
 * Not every URI rule: Azure names resources in letters beyond ASCII, and its own events carry "#"
 * as their `dataschema`. What stays out is white space, the delimiters and broken escapes.
 */
const uriReference =
  /^(?:[^\s"%<>\\^`{|}\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]|%[0-9A-Fa-f]{2})+$/u;

function uriProblem(name: string, value: unknown): string | undefined {
  if (typeof value === "string" && uriReference.test(value)) return undefined;
  return textProblem(name, value) ?? `${name} is ${quoted(value)}, not a URI reference`;
}

const mediaType =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*"))*$/;

function mediaTypeProblem(value: unknown): string | undefined {
  return typeof value === "string" && mediaType.test(value)
    ? undefined
    : `datacontenttype is ${quoted(value)}, not a media type`;
}

const timestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isTimestamp(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 64 || !timestamp.test(value)) return false;
  // Every month has days 1 to 28: only the last ones need a calendar.
  const day = value.slice(8, 10);
  return day < "29" || Number(day) <= daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const extensionName = /^[a-z0-9]{1,256}$/;

function extensionProblem(name: string, value: unknown): string | undefined {
  // "constructor" has lower-case letters only, and would hide what every object inherits.
  if (!extensionName.test(name) || name === "constructor" || name === "prototype") {
    return `${quoted(name)} is no attribute name: extensions have lower-case letters and digits`;
  }
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "number":
      return Number.isInteger(value) && Math.abs(value) <= 2_147_483_648
        ? undefined
        : `extension ${name} is a number, but no 32-bit integer`;
    case "string":
      return value === "" ? undefined : textProblem(`extension ${name}`, value);
    default:
      return `extension ${name} is neither string, integer nor boolean`;
  }
}
