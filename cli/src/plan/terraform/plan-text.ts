import { isObject, MIB, showValue, split } from "cloud-eventgrid-binding-runtime/internal";
import { isInexact, NUMBER } from "../../numbers.js";
import { CommandError } from "../../terminal/index.js";

/** The largest plan that is read, in characters: JavaScript's strings end at twice as many. */
const MAX_LENGTH = 256 * MIB;
const HINT = "give the output of terraform show -json PLANFILE";

/**
 * The JSON object in a text: what wrappers of CI systems print around it, such as the command, colours
 * and warnings, is left out.
 *
 * @throws {CommandError} when there is none, or more than one that may be the plan
 */
export function planIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_LENGTH) {
    throw new CommandError(`the plan has more than ${MAX_LENGTH} characters`);
  }
  if (text.trim() === "") throw new CommandError(`the plan is empty: ${HINT}`);
  const whole = parsed(text);
  if (whole !== undefined) return isObject(whole) ? whole : {};
  const plain = text.replace(COLOURS, "");
  // The wrapper of setup-terraform repeats the plan in the middle of a line.
  for (const beginning of [/^\{\s*"format_version"/gm, /\{\s*"format_version"/g]) {
    const begin = beginning.exec(plain)?.index;
    if (begin === undefined) continue;
    const end = endOf(plain, begin);
    if (end === undefined)
      throw new CommandError("the plan is not complete: its JSON does not end");
    beginning.lastIndex = end;
    if (beginning.test(plain)) throw new CommandError(`there is more than one plan: ${HINT}`);
    const object = parsed(plain.slice(begin, end));
    if (isObject(object)) return object;
  }
  const [first] = split(plain.trim(), /\r?\n/);
  throw new CommandError(
    `the plan is not JSON, and begins with ${showValue(first)}: ${HINT}, not the plan file itself`,
  );
}

/** Sequences that set colours. JSON has the escape character only in its own escapes. */
const COLOURS = /\p{Cc}\[[\d;]*m/gu;
const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;

/** Where the object ends that begins with a brace; undefined if it does not. */
function endOf(text: string, begin: number): number | undefined {
  const tokens = new RegExp(`${STRING}|[{}]`, "gs");
  tokens.lastIndex = begin;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === "{") depth++;
    if (token[0] === "}") depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactNumbers(text));
  } catch {
    return undefined;
  }
}

/** JavaScript rounds numbers of more than 15 digits, so they become an object with their text. */
function withExactNumbers(text: string): string {
  if (!/\d[\d.]{15}/.test(text)) return text;
  const tokens = new RegExp(`${STRING}|${NUMBER}`, "g");
  return text.replace(tokens, (token) =>
    token.startsWith('"') || !isInexact(token) ? token : `{"exact":"${token}"}`,
  );
}
