/** Text that is JSON already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A JSON array of texts that are JSON already. */
export function jsonList(elements: readonly string[]): string {
  return `[${elements.join(",")}]`;
}

/** A JSON object of fields, at least one, and of one more whose value is JSON already. */
export function jsonWith(fields: object, name: string, json: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:${json}}`;
}
