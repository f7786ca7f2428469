import { groupsOf, MINUTES_OF_DAY } from "cloud-eventgrid-binding-runtime/internal";
/** A number with its noun: `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The minutes of a duration in ISO 8601, such as `P1DT2H30M`; undefined for another text. */
export function minutesIn(duration: string): number | undefined {
  if (!DURATION.test(duration)) return undefined;
  const [days, hours, minutes, seconds] = groupsOf(DURATION, duration);
  return (
    Number(days) * MINUTES_OF_DAY + Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  );
}

/** A number as JSON writes it. */
export const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/**
 * The first number of a JSON text whose value changes when JavaScript parses and writes it; undefined if
 * there is none.
 */
export function inexactNumber(json: string): string | undefined {
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return withoutStrings.match(new RegExp(NUMBER, "g"))?.find(isInexact);
}

/** Reports whether the value of a number in JSON changes when JavaScript parses and writes it. */
export function isInexact(number: string): boolean {
  const value = Number(number);
  const digits = number
    .replace(/[eE].*/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
  if (!Number.isFinite(value) || (value === 0 && digits !== "")) return true;
  // A double keeps 15 significant digits, and every text that it writes itself.
  return digits.length > 15 && String(value) !== number;
}
