/** JSON that is written already, to be sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A list of what is JSON each. */
export function jsonList(elements: readonly string[]): string {
  return `[${elements.join(",")}]`;
}

/** An object of these fields, of which there is one at least, and one more that is JSON already. */
export function jsonWith(fields: object, name: string, json: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:${json}}`;
}
