/** Prints what happens, when it happens: seconds since the start, who acts, what was done. */
export interface Timeline {
  /** A heading over the lines that follow. */
  chapter(title: string): void;
  /** One thing that happened. */
  line(actor: string, text: string, tone?: Tone): void;
  /** A line that belongs to the one above it. */
  detail(text: string): void;
  /** How many seconds have gone by since the start. */
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
 * @param out where to print; colours are used on a terminal that has them, and never with `NO_COLOR`
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
    detail: (text) => out.write(`${" ".repeat(22)}${paint(text, colours.dim)}\n`),
  };
}
