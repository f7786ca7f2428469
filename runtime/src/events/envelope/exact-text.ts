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

/** Reports whether JSON has an integer that becomes another one as a number of JavaScript. */
export function roundsIntegers(json: string): boolean {
  for (const [token] of json.matchAll(TOKENS)) {
    const number = Number(token);
    if (/[^\d-]/.test(token) || Number.isSafeInteger(number)) continue;
    // More than 308 digits are infinite.
    if (!Number.isFinite(number) || BigInt(token) !== BigInt(number)) return true;
  }
  return false;
}
