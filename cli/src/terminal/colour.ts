import type { Writable } from "node:stream";
import { styleText } from "node:util";

/** Colours of words in the output, by the word: `{ failed: "red" }`. */
export type Colours = Readonly<Record<string, "red" | "green" | "yellow" | "magenta" | "cyan">>;

/** Reports whether to colour what a stream gets: on a terminal, unless `FORCE_COLOR` or `NO_COLOR` say otherwise. */
export function usesColour(stream: Writable): boolean {
  return styleText("red", ".", { stream }) !== ".";
}

/** Colours the words at the beginning of lines. */
export function coloured(text: string, colours: Colours): string {
  return text.replace(/^( *)([a-zA-Z]+)(?=[ :,]|$)/gm, (line, indent: string, word: string) => {
    const colour = colours[word];
    if (colour === undefined) return line;
    return indent + styleText(colour, word, { validateStream: false });
  });
}
