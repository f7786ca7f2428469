const DURATION = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The seconds of an ISO 8601 duration such as `P1D` or `PT30M`; NaN for any other text. */
export function secondsIn(duration: string): number {
  const match = DURATION.exec(duration);
  if (!match) return Number.NaN;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** A time as Azure writes it in messages: `1/31/2027 10:02:00 AM`, in UTC. */
export function azureTime(ms: number): string {
  return new Date(ms)
    .toLocaleString("en-US", { timeZone: "UTC" })
    .replace(",", "")
    .replace("\u202f", " ");
}

/** A time as ISO 8601 text. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
