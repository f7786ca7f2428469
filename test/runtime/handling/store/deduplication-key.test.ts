import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { deduplicationKey } from "../../../../runtime/src/handling/store.js";
import { LogLines } from "../../../support/log-lines.js";
import { pinoTo } from "../../../support/pino.js";

it("a long key is compared by a digest, which stores keep across upgrades and no text equals", () => {
  const keyOf = (id: string) => {
    const event = { specversion: "1.0", id, source: "/shop", type: "a", data: null } as const;
    return deduplicationKey((each) => each.id)(event, pinoTo(new LogLines()));
  };
  const short = "x".repeat(256);
  expect(keyOf(short)).toBe(short);
  const long = `${short}x`;
  const digest = createHash("sha256").update(Buffer.from(long, "utf16le")).digest("hex");
  expect(keyOf(long)).toBe(digest.padEnd(257));
  expect(keyOf(digest.padEnd(256))).toBe(digest.padEnd(256));
});
