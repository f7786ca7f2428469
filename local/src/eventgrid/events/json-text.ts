/*
 * Splits JSON into the texts of its elements, so that every event is delivered exactly as it was
 * written. Parsing and writing would change numbers with many digits.
 */

/** The texts of an array's elements. @param array valid JSON */
export function elementsOf(array: string): string[] {
  return split(array);
}

/** The texts of an object's values by name. @param object valid JSON */
export function membersOf(object: string): Map<string, string> {
  return new Map(
    split(object).map((member) => {
      const colon = member.indexOf(":", endOfString(member, 0));
      const name: string = JSON.parse(member.slice(0, colon));
      return [name, member.slice(colon + 1).trim()];
    }),
  );
}

/** The object with these texts of values by name. */
export function objectText(members: Iterable<readonly [name: string, text: string]>): string {
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/**
 * The string, number or boolean at a path such as `data.order.total`, as text: an integer has all its
 * digits. `undefined` if there is none.
 *
 * @param object valid JSON
 */
export function scalarTextAt(object: string, path: string): string | undefined {
  let text = object.trim();
  for (const name of path.split(".")) {
    const member = text.startsWith("{") ? membersOf(text).get(name) : undefined;
    if (member === undefined) return undefined;
    text = member;
  }
  if (/^-?\d+$/.test(text)) return text;
  return /^[{[n]/.test(text) ? undefined : String(JSON.parse(text));
}

/**
 * The same value with the members of every object sorted by name, and without blanks. Numbers and
 * strings keep their exact text. `undefined` if it is nested deeper than `maxDepth`.
 *
 * @param json valid JSON
 */
export function sortedJson(json: string, maxDepth: number): string | undefined {
  const text = json.trim();
  const isObject = text.startsWith("{");
  if (!isObject && !text.startsWith("[")) return text;
  if (maxDepth === 0) return undefined;
  if (isObject) {
    const members = [...membersOf(text)].sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = new Map<string, string>();
    for (const [name, value] of members) {
      const sorted = sortedJson(value, maxDepth - 1);
      if (sorted === undefined) return undefined;
      parts.set(name, sorted);
    }
    return objectText(parts);
  }
  const parts: string[] = [];
  for (const element of elementsOf(text)) {
    const sorted = sortedJson(element, maxDepth - 1);
    if (sorted === undefined) return undefined;
    parts.push(sorted);
  }
  return `[${parts.join(",")}]`;
}

/** The texts between the commas of the outermost array or object. */
function split(json: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
    } else if (character === "[" || character === "{") {
      depth++;
      if (depth === 1) start = index + 1;
    } else if (character === "]" || character === "}") {
      depth--;
      if (depth === 0) texts.push(json.slice(start, index).trim());
    } else if (character === "," && depth === 1) {
      texts.push(json.slice(start, index).trim());
      start = index + 1;
    }
  }
  return texts.length === 1 && texts[0] === "" ? [] : texts;
}

function endOfString(text: string, quote: number): number {
  let index = quote + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}
