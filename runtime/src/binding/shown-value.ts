const LONGEST = 200;

/**
 * A received value as a message may show it: quoted, on one line, bounded in length.
 *
 * The query and the credentials of a URL are left out, for they are often secrets.
 */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortened(withoutUrlSecrets(value)));
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "boolean")
    return `the ${typeof value} ${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function withoutUrlSecrets(text: string): string {
  return text.replace(/\/\/.*@.*$/s, "//…").replace(/([?#]).+$/s, "$1…");
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
