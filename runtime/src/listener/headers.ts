import type { IncomingMessage } from "node:http";

/** Size of a body as its headers announce it; `undefined` when they do not. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined ? 0 : undefined;
}

/** What a header says that is to come once: one that came as a list says nothing. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
