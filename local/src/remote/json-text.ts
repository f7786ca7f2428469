/** Text that is already JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A JSON array of texts that are already JSON. */
export function jsonList(elements: readonly string[]): string {
  return `[${elements.join(",")}]`;
}

/** A JSON object with at least one field, and one more whose value is already JSON. */
export function jsonWith(fields: object, name: string, json: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:${json}}`;
}
