const LONGEST = 200;

/**
 * A received value as an error message may show it: strings in quotes, on one line and shortened.
 *
 * The query and the credentials of a URL are left out because they are often secrets.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(withoutUrlSecrets(value)));
  if (Array.isArray(value)) return isNumbers(value) ? `[${value.join(", ")}]` : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

function isNumbers(list: readonly unknown[]): boolean {
  return list.length > 0 && list.length < 10 && list.every((item) => typeof item === "number");
}

function withoutUrlSecrets(text: string): string {
  return text.replace(/\/\/.*@.*$/s, "//…").replace(/([?#]).+$/s, "$1…");
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
