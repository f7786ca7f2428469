/** What a command has of the world around it. */
export interface Terminal {
  /** The working directory. */
  readonly directory: string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Aborted when the command is to end. */
  readonly interrupted: AbortSignal;
}
