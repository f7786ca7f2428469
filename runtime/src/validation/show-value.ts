const LONGEST = 200;

/**
 * A received value as an error message may show it: strings in quotes, on one line and shortened.
 *
 * The query and the credentials of a URL are left out because they are often secrets, and so is a text
 * that looks like a key: it may be in the wrong field.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string" && looksLikeSecret(value)) {
    return `a text of ${value.length} characters that looks like a secret`;
  }
  if (typeof value === "string") return JSON.stringify(shorten(withoutUrlSecrets(value)));
  if (Array.isArray(value)) return isNumbers(value) ? `[${value.join(", ")}]` : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

function isNumbers(list: readonly unknown[]): boolean {
  return list.length > 0 && list.length < 10 && list.every((item) => typeof item === "number");
}

/**
 * Whether a text is a connection string, or long and random like access keys and client secrets: the
 * kind of character changes far more often than in words, names and UUIDs.
 */
function looksLikeSecret(text: string): boolean {
  if (/(key|password|secret|signature|sig)=/i.test(text)) return !isUrl(text);
  const named = text.replace(UUIDS, "");
  if (!/^[\w+/.~-]{32,}={0,2}$/.test(named) || /^[\da-f-]+$/i.test(named)) return false;
  const kinds = named.replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A").replace(/\d/g, "0");
  const changes = [...kinds].filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length;
  return changes > 0.4 * named.length;
}

/** Resource IDs contain them. */
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

function isUrl(text: string): boolean {
  return /^https?:[/][/]/i.test(text);
}

function withoutUrlSecrets(text: string): string {
  return text.replace(/\/\/.*@.*$/s, "//…").replace(/([?#]).+$/s, "$1…");
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
