/** Strings, brackets, separators, and everything else between them. The text has been parsed before. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

interface Child {
  /** Of an object's member. */
  readonly key: string | undefined;
  readonly text: string;
}

/** The elements of an array, or the members of an object, exactly as the JSON has them. */
function* childrenOf(json: string): Generator<Child> {
  let depth = 0;
  let start = -1;
  let end = -1;
  let key: string | undefined;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (depth === 1 && (token === "," || token === "}" || token === "]")) {
      if (start !== -1) yield { key, text: json.slice(start, end) };
      start = -1;
      key = undefined;
    } else if (depth === 1 && token === ":") {
      key = JSON.parse(json.slice(start, end));
      start = -1;
    } else if (depth > 0) {
      if (start === -1) start = index;
      end = index + token.length;
    }
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
  }
}

/** The texts of the events of a body: an array of events, or one event. */
export function eventTexts(body: string): readonly string[] {
  const json = body.trim();
  return json.startsWith("[") ? Array.from(childrenOf(json), ({ text }) => text) : [json];
}

/** The text of an object's member; of several with the key, the parser takes the last. */
export function memberText(json: string, name: string): string | undefined {
  let last: string | undefined;
  for (const { key, text } of childrenOf(json)) if (key === name) last = text;
  return last;
}

/** Shorter integers are below 2^53, so that a number of JavaScript holds them. */
const MIN_DIGITS = 16;

/**
 * Whether a text may have an integer so long that a number could change it: so many digits, where an
 * element or a member's value begins. It looks at every sixteenth character only, so that it costs
 * nothing where there are no such digits.
 *
 * @param at the code of a character
 */
export function mayHaveLongInteger(
  length: number,
  at: (index: number) => number | undefined,
): boolean {
  const isDigit = (index: number) => {
    const code = at(index) ?? 0;
    return code >= 48 && code <= 57;
  };
  for (let index = MIN_DIGITS - 1; index < length; index += MIN_DIGITS) {
    if (!isDigit(index)) continue;
    let first = index;
    while (first > 0 && isDigit(first - 1)) first -= 1;
    let last = index;
    while (last + 1 < length && isDigit(last + 1)) last += 1;
    if (last - first + 1 >= MIN_DIGITS && beginsNumber(first === 0 ? undefined : at(first - 1))) {
      return true;
    }
    // Each digit is looked at once, however many there are.
    index = last;
  }
  return false;
}

/** Whether a number can follow the character, or the beginning. IDs of digits follow a quotation mark. */
function beginsNumber(code: number | undefined): boolean {
  return code === undefined || BEFORE_NUMBER.has(code);
}

const BEFORE_NUMBER: ReadonlySet<number> = new Set(
  Array.from("-:,[ \t\n\r", (character) => character.charCodeAt(0)),
);

/**
 * Whether a parsed value contains an integer that may have been rounded. Looking through the value
 * costs far less than looking through its text.
 */
export function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnsafeInteger);
  for (const key in value) if (hasUnsafeInteger(value[key as keyof typeof value])) return true;
  return false;
}

/** Whether JSON has an integer that becomes another one as a number of JavaScript. */
export function roundsIntegers(json: string): boolean {
  for (const [token] of json.matchAll(TOKENS)) {
    if (!/^-?\d{16,}$/.test(token)) continue;
    const number = Number(token);
    // More than 308 digits are infinite.
    if (!Number.isFinite(number) || BigInt(token) !== BigInt(number)) return true;
  }
  return false;
}
