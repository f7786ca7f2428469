import fc, { type Arbitrary } from "fast-check";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const characters = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));

/** Secrets in Azure's forms: access keys of Event Grid and storage, client secrets, signatures. */
const secret = fc.noShrink(
  fc.noBias(
    fc.oneof(
      bytes(32).map((key) => key.toString("base64")),
      bytes(64).map((key) => key.toString("base64")),
      bytes(32).map((key) => key.toString("hex")),
      characters(LETTERS_AND_DIGITS, 84),
      fc
        .tuple(characters(LETTERS_AND_DIGITS, 3), characters(`${LETTERS_AND_DIGITS}-_.~`, 34))
        .map(([start, end]) => `${start}8Q~${end}`),
    ),
  ),
);

/** How people paste a secret: alone, with what stood around it, in a header, a URL, a connection string. */
const pastes: readonly ((secret: string) => string)[] = [
  (key) => key,
  (key) => ` ${key}\n`,
  (key) => `"${key}"`,
  (key) => `aeg-sas-key: ${key}`,
  (key) => `Authorization: Bearer ${key}`,
  (key) => `SharedAccessSignature r=https%3A%2F%2Ft.example.com&e=1%2F1%2F2027&s=${key}`,
  (key) => `SharedAccessSignature r=x&s=${encodeURIComponent(key)}`,
  (key) => `Endpoint=sb://t.example.com/;SharedAccessKeyName=Root;SharedAccessKey=${key}`,
  (key) => `https://t.example.com/api/events?code=${key}`,
  (key) => `https://user:${key}@t.example.com/`,
  (key) => `user:${key}@t.example.com`,
  (key) => `https://t.example.com/${key}`,
  (key) => `{"accessKey":"${key}"}`,
  (key) => `the key of orders is ${key}, I think`,
  (key) => `/subscriptions/11111111-2222-4333-8444-555555555555/${key}`,
];

export interface MisplacedSecret {
  readonly text: string;
  /** Whether a text shows the secret, or more than a fragment of it. */
  isShownIn(text: string): boolean;
}

export const misplacedSecret: Arbitrary<MisplacedSecret> = fc
  .tuple(secret, fc.constantFrom(...pastes))
  .map(([key, paste]) => ({
    text: paste(key),
    isShownIn: (text) =>
      [key, encodeURIComponent(key)].some((form) => {
        for (let at = 0; at + 16 <= form.length; at += 1) {
          if (text.includes(form.slice(at, at + 16))) return true;
        }
        return false;
      }),
  }));

/** Every place in a value, as functions that put something else into a copy of it: as value, and as name. */
export function placesOf(value: unknown): ((text: string) => unknown)[] {
  const places: ((text: string) => unknown)[] = [(text) => text];
  if (Array.isArray(value)) {
    places.push((text) => [...value, text]);
    for (const [i, item] of value.entries()) {
      for (const place of placesOf(item)) places.push((text) => value.with(i, place(text)));
    }
  } else if (typeof value === "object" && value !== null && isPlain(value)) {
    places.push((text) => ({ ...value, [text]: text }));
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Record<string, unknown>;
      places.push((text) => ({ ...others, [text]: item }));
      for (const place of placesOf(item))
        places.push((text) => ({ ...value, [name]: place(text) }));
    }
  }
  return places;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
