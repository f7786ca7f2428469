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
