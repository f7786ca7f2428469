/** Whether two names are the same where case does not matter, or both are missing. */
export function sameText(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/**
 * The text of a file or of standard input: UTF-8, or UTF-16 as Windows PowerShell writes it with `>`. The
 * mark at its beginning is left out.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first = 0xff, second = 0xff] = bytes;
  // JSON begins with a character of ASCII.
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8").decode(bytes);
}
