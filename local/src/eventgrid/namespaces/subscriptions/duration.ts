/** The minutes of an ISO 8601 duration such as `P1D` or `PT30M`; NaN unless it has whole minutes. */
export function minutesIn(duration: string): number {
  const match = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration);
  if (!match) return Number.NaN;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const total = (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60;
  return Number.isInteger(total) ? total : Number.NaN;
}
