/** Prints actions as they happen: seconds since the start, the actor, and the action. */
export interface Timeline {
  /** Prints a heading. */
  chapter(title: string): void;
  /** Prints one action. */
  line(actor: string, text: string, tone?: Tone): void;
  /** Prints a detail of the line above. */
  detail(text: string, tone?: Tone): void;
  /** Seconds since the start. */
  seconds(): number;
}

export type Tone = "plain" | "good" | "refused" | "retry";

const colours: Record<Tone | "dim" | "bold", string> = {
  plain: "",
  good: "\u001b[32m",
  refused: "\u001b[31m",
  retry: "\u001b[33m",
  dim: "\u001b[2m",
  bold: "\u001b[1m",
};

/**
 * @param out where to print, in colour if it is a terminal with colours and `NO_COLOR` is not set
 * @param now a clock in milliseconds
 */
export function createTimeline(
  out: NodeJS.WriteStream = process.stdout,
  now: () => number = () => performance.now(),
): Timeline {
  const started = now();
  const coloured = out.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const paint = (text: string, colour: string) =>
    coloured && colour !== "" ? `${colour}${text}\u001b[0m` : text;
  const seconds = () => (now() - started) / 1000;

  return {
    seconds,
    chapter: (title) => out.write(`\n${paint(title, colours.bold)}\n`),
    line: (actor, text, tone = "plain") =>
      out.write(
        `${paint(`${seconds().toFixed(1).padStart(6)} s`, colours.dim)}  ${actor.padEnd(10)}  ${paint(text, colours[tone])}\n`,
      ),
    detail: (text, tone) =>
      out.write(
        `${" ".repeat(22)}${paint(text, tone === undefined ? colours.dim : colours[tone])}\n`,
      ),
  };
}
