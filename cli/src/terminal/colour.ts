import type { WriteStream } from "node:tty";

/** Colours of words in the output, by the word: `{ failed: "red" }`. */
export type Colours = Readonly<Record<string, Colour>>;

type Colour = keyof typeof CODES;

const CODES = { red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;

/**
 * Whether to colour the output: as `FORCE_COLOR` or `NO_COLOR` say, otherwise on a terminal.
 *
 * @see https://no-color.org and https://force-color.org
 */
export function usesColour(
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  { isTTY }: Pick<WriteStream, "isTTY">,
): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return !/^(0|false)$/.test(FORCE_COLOR);
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return isTTY === true && TERM !== "dumb";
}

/** Colours the words at the beginning of lines. */
export function coloured(text: string, colours: Colours): string {
  return text.replace(/^( *)([a-zA-Z]+)(?=[ :,]|$)/gm, (line, indent: string, word: string) => {
    const colour = colours[word];
    return colour === undefined ? line : `${indent}\u001b[${CODES[colour]}m${word}\u001b[39m`;
  });
}
