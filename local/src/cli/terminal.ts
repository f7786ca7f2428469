/** The environment of a command. */
export interface Terminal {
  /** The working directory. */
  readonly directory: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>;
  /** Aborts when the command should end. */
  readonly interrupted: AbortSignal;
}

/**
 * The terminal, with control characters shown as JSON escapes: events and names must not move the
 * cursor or rewrite what the terminal shows.
 */
export function safeTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print: (text) => terminal.print(printable(text)),
    printError: (text) => terminal.printError(printable(text)),
  };
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
