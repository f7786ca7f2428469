/** The environment of a command. */
export interface Terminal {
  /** The working directory. */
  readonly directory: string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Aborts when the command should end. */
  readonly interrupted: AbortSignal;
}
