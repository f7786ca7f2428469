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
