const DURATION = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Of a day, an hour, a minute and a second. */
const SECONDS = [86_400, 3_600, 60, 1];

/** The seconds of an ISO 8601 duration such as `P1D` or `PT30M`; NaN for any other text. */
export function secondsIn(duration: string): number {
  const match = DURATION.exec(duration);
  if (!match) return Number.NaN;
  return SECONDS.reduce((sum, unit, at) => sum + unit * Number(match[at + 1] ?? 0), 0);
}

/** A time as Azure writes it in messages: `1/31/2027 10:02:00 AM`, in UTC. */
export function azureTime(ms: number): string {
  return new Date(ms)
    .toLocaleString("en-US", { timeZone: "UTC" })
    .replace(",", "")
    .replace("\u202f", " ");
}

/**
 * The time in UTC unless it names a zone, as `1/31/2027 10:00:00 PM` or in ISO 8601: that of this machine
 * means nothing to the cloud. NaN if it cannot be read.
 */
export function utcTime(text: string): number {
  if (/(Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(text)) return Date.parse(text);
  return Date.parse(text.includes("T") ? `${text}Z` : `${text} UTC`);
}

/** A time as ISO 8601 text. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
