import { LocalCloudError } from "./errors.js";

/** Whether two names are the same where case does not matter, or both are missing. */
export function sameText(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** The parts of a text, of which there is at least one. */
export function split(text: string, separator: string | RegExp): [string, ...string[]] {
  const [first = "", ...others] = text.split(separator);
  return [first, ...others];
}

/**
 * The texts of the first four groups of a pattern. One that takes no part in the match is empty, and all are
 * without a match or a text.
 */
export function groupsOf(
  pattern: RegExp,
  text: string | undefined,
): [string, string, string, string] {
  const match = text === undefined ? undefined : pattern.exec(text);
  const [, first = "", second = "", third = "", fourth = ""] = match ?? [];
  return [first, second, third, fourth];
}

/** A parameter of a URL's query; an empty text when it is missing. */
export function parameterIn(query: URLSearchParams, name: string): string {
  return query.get(name) ?? "";
}

/**
 * The text of a file or of standard input: UTF-8, or UTF-16 as Windows PowerShell writes it with `>`. The
 * mark at its beginning is left out.
 *
 * @throws LocalCloudError for another encoding: what it says must not be changed unnoticed
 */
export function decodeText(bytes: Uint8Array): string {
  const [first = 0xff, second = 0xff] = bytes;
  // JSON begins with a character of ASCII.
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new LocalCloudError(
      "ERR_COMMAND_LINE",
      "the text is neither UTF-8 nor UTF-16: save it as UTF-8",
    );
  }
}

/** Leaves out what a text may begin with. */
export function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}

/** Leaves out what a text may end with. */
export function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function socketHost(hostname: string): string {
  return withoutStart(withoutEnd(hostname, "]"), "[");
}

/** The number that one to nine digits are; NaN for other texts. */
export function digitsIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
