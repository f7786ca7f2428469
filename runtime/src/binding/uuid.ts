const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its usual form of 36 characters, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
