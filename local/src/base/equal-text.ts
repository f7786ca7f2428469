import { timingSafeEqual } from "node:crypto";

/** Compares texts in a time that does not depend on where they differ. */
export function isEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
